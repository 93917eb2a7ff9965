// SPDX-License-Identifier: GPL-2.0-only
/*
 * guest CASES: write each case to the kernel's own probe events and to
 * kptrace's, and print what either says. See compare.py for the output.
 *
 * A case is a line: a command for /proc/kpt_target or "-", a tab, and the
 * definitions that are written, one write each, with ";;" between them.
 */
#define _GNU_SOURCE
#include "sides.h"

#define SUBJECT "/tmp/kpt_subject"

/* each_event() - call for every GRP/EVENT that is listed */
static void each_event(const char *root,
		       void (*call)(const char *root, const char *dir))
{
	char *list = strdup(slurp(root, "kprobe_events")), *line, *save, *at;
	char dir[400];

	for (line = strtok_r(list, "\n", &save); line;
	     line = strtok_r(NULL, "\n", &save)) {
		at = strchr(line, ':');
		if (!at)
			continue;
		at++;
		snprintf(dir, sizeof(dir), "events/%.*s",
			 (int)strcspn(at, " "), at);
		call(root, dir);
	}
	free(list);
}

static void show_format(const char *root, const char *dir)
{
	char name[420];

	snprintf(name, sizeof(name), "%s/format", dir);
	show('F', slurp(root, name));
}

static void enable(const char *root, const char *dir)
{
	char name[420];

	snprintf(name, sizeof(name), "%s/enable", dir);
	must(write_to(root, name, "1", 0), name);
}

static void disable(const char *root, const char *dir)
{
	char name[420];

	snprintf(name, sizeof(name), "%s/enable", dir);
	must(write_to(root, name, "0", 0), name);
}

/* act() - a file that is synced and removed, or what kpt_target does */
static void act(const char *command)
{
	int fd;

	if (strcmp(command, "unlink")) {
		must(write_to("", TARGET, command, 0), command);
		return;
	}
	fd = open(SUBJECT, O_CREAT | O_WRONLY, 0600);
	must(fd < 0 ? errno : 0, SUBJECT);
	fsync(fd);
	close(fd);
	unlink(SUBJECT);
}

static void run_act(const char *root, const char *command)
{
	must(write_to(root, "trace", "", O_TRUNC), "clear trace");
	each_event(root, enable);
	act(command);
	each_event(root, disable);
	show_trace(root);
}

static void run_side(const char *root, const char *command, const char *lines)
{
	char *copy = strdup(lines), *line = copy, *next;
	int err = 0;

	must(write_to(root, "kprobe_events", "", O_TRUNC), "clear probes");
	must(write_to(root, "error_log", "", O_TRUNC), "clear error_log");
	for (; line; line = next) {
		next = strstr(line, ";;");
		if (next) {
			*next = '\0';
			next += 2;
		}
		err = write_to(root, "kprobe_events", line, O_APPEND);
		printf("E %d\n", err);
	}
	free(copy);
	show('T', slurp(root, "error_log"));
	show('S', slurp(root, "kprobe_events"));
	each_event(root, show_format);
	if (!err && strcmp(command, "-"))
		run_act(root, command);
}

int main(int argc, char **argv)
{
	static char line[1 << 16];
	FILE *cases = argc == 2 ? fopen(argv[1], "r") : NULL;
	char *tab;
	int number, side;

	must(cases ? 0 : EINVAL, "cases");
	/* Per-CPU values have to be those of the same CPU. */
	run_on(0);
	show('R', slurp(roots[0], "README"));
	for (number = 0; fgets(line, sizeof(line), cases); number++) {
		line[strcspn(line, "\n")] = '\0';
		tab = strchr(line, '\t');
		must(tab ? 0 : EINVAL, line);
		*tab = '\0';
		for (side = 0; side < 2; side++) {
			printf("# %d %d\n", number, side);
			run_side(roots[side], line, tab + 1);
		}
		fflush(stdout);
	}
	for (side = 0; side < 2; side++)
		write_to(roots[side], "kprobe_events", "", O_TRUNC);
	printf("# end\n");
	return 0;
}
