// SPDX-License-Identifier: GPL-2.0-only
/*
 * guest CASES: filter and count the same calls by the kernel's own tracing and
 * by kptrace, and print what either makes of them. See compare.py for the output.
 *
 * CASES has lines of words with tabs between them, in this order:
 *
 *	define DEFINITION	an event
 *	call COMMAND		for /proc/kpt_target: one of the calls
 *	filter EVENT TEXT	a case: a filter
 *	hist EVENT TEXT		a case: a hist trigger
 */
#define _GNU_SOURCE
#include "../diff/sides.h"

#define LINES_MAX 1000

static char *lines[LINES_MAX];
static int nr_lines;

static void read_lines(const char *name)
{
	static char line[4096];
	FILE *file = fopen(name, "r");

	must(file ? 0 : errno, name);
	while (fgets(line, sizeof(line), file)) {
		must(nr_lines < LINES_MAX ? 0 : E2BIG, name);
		line[strcspn(line, "\n")] = '\0';
		lines[nr_lines++] = strdup(line);
	}
	fclose(file);
}

/* starts() - what is behind the first word, if it is this one */
static char *starts(char *line, const char *word)
{
	size_t len = strlen(word);

	return !strncmp(line, word, len) && line[len] == '\t' ?
		       line + len + 1 : NULL;
}

/* call_all() - all calls, from all CPUs in turn */
static void call_all(void)
{
	long nr_cpus = sysconf(_SC_NPROCESSORS_ONLN);
	int n, calls = 0;
	char *command;

	for (n = 0; n < nr_lines; n++) {
		command = starts(lines[n], "call");
		if (!command)
			continue;
		run_on(calls++ % nr_cpus);
		must(write_to("", TARGET, command, 0), command);
	}
}

static void show_file(char letter, const char *root, const char *event,
		      const char *name)
{
	char path[400];

	snprintf(path, sizeof(path), "events/%s/%s", event, name);
	show(letter, slurp(root, path));
}

/* write_file() - to a file of the event; errno or 0 */
static int write_file(const char *root, const char *event, const char *name,
		      const char *text)
{
	char path[400];

	snprintf(path, sizeof(path), "events/%s/%s", event, name);
	return write_to(root, path, text, 0);
}

static void run_filter(const char *root, const char *event, const char *text)
{
	int err = write_file(root, event, "filter", text);

	printf("E %d\n", err);
	show_file('S', root, event, "filter");
	must(write_to(root, "trace", "", O_TRUNC), "trace");
	must(write_file(root, event, "enable", "1"), event);
	if (!err)
		call_all();
	must(write_file(root, event, "enable", "0"), event);
	show_trace(root);
	must(write_file(root, event, "filter", "0"), "clear filter");
}

static void run_hist(const char *root, const char *event, const char *text)
{
	char remove[1024];
	int err = write_file(root, event, "trigger", text);

	printf("E %d\n", err);
	if (err)
		return;
	call_all();
	show_file('S', root, event, "trigger");
	show_file('O', root, event, "hist");
	snprintf(remove, sizeof(remove), "!%s", text);
	must(write_file(root, event, "trigger", remove), remove);
}

static void run_case(const char *root, char *line)
{
	char *filter = starts(line, "filter"), *hist = starts(line, "hist");
	char *event = strdup(filter ? filter : hist), *tab;

	tab = strchr(event, '\t');
	must(tab ? 0 : EINVAL, line);
	*tab = '\0';
	if (filter)
		run_filter(root, event, tab + 1);
	else
		run_hist(root, event, tab + 1);
	free(event);
}

static void run_side(int side)
{
	const char *root = roots[side];
	int n, number = 0;
	char *text;

	must(write_to(root, "kprobe_events", "", O_TRUNC), "clear probes");
	for (n = 0; n < nr_lines; n++) {
		text = starts(lines[n], "define");
		if (text) {
			must(write_to(root, "kprobe_events", text, O_APPEND),
			     text);
		} else if (!starts(lines[n], "call")) {
			printf("# %d %d\n", number++, side);
			run_case(root, lines[n]);
			fflush(stdout);
		}
	}
	must(write_to(root, "kprobe_events", "", O_TRUNC), "clear probes");
}

int main(int argc, char **argv)
{
	must(argc == 2 ? 0 : EINVAL, "usage: guest CASES");
	read_lines(argv[1]);
	show('R', slurp(roots[0], "README"));
	run_side(0);
	run_side(1);
	printf("# end\n");
	return 0;
}
