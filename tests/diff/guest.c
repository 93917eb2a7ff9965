// SPDX-License-Identifier: GPL-2.0-only
/*
 * guest CASES: write each case to the kernel's own probe events and to
 * kptrace's, and print what either says. See compare.py for the output.
 *
 * A case is a line: a command for /proc/kpt_target or "-", a tab, and the
 * definitions that are written, one write each, with ";;" between them.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define TARGET "/proc/kpt_target"
#define SUBJECT "/tmp/kpt_subject"

static const char *const roots[] = {
	"/sys/kernel/tracing", "/sys/kernel/kptrace",
};

static char buffer[1 << 20];

static int open_at(const char *root, const char *name, int flags)
{
	char path[512];

	snprintf(path, sizeof(path), "%s/%s", root, name);
	return open(path, flags);
}

/* slurp() - a whole file in the buffer; an empty one if there is none */
static char *slurp(const char *root, const char *name)
{
	size_t len = 0;
	ssize_t got;
	int fd = open_at(root, name, O_RDONLY);

	while (fd >= 0 && len < sizeof(buffer) - 1 &&
	       (got = read(fd, buffer + len, sizeof(buffer) - 1 - len)) > 0)
		len += got;
	buffer[len] = '\0';
	if (fd >= 0)
		close(fd);
	return buffer;
}

/* write_to() - one write; errno or 0 */
static int write_to(const char *root, const char *name, const char *text,
		    int flags)
{
	int err = 0, fd = open_at(root, name, O_WRONLY | flags);

	if (fd < 0)
		return errno;
	if (*text && write(fd, text, strlen(text)) < 0)
		err = errno;
	close(fd);
	return err;
}

/* must() - the surroundings of a case have to work */
static void must(int err, const char *what)
{
	if (!err)
		return;
	printf("! %s: %s\n", what, strerror(err));
	fflush(stdout);
	exit(1);
}

/* show() - the lines of a text, with a letter before each, in ASCII */
static void show(char letter, const char *text)
{
	const unsigned char *at;

	for (at = (const unsigned char *)text; *at; at++) {
		if (at == (const unsigned char *)text || at[-1] == '\n')
			printf("%c ", letter);
		if (*at == '\n' || (*at >= ' ' && *at <= '~'))
			putchar(*at);
		else
			printf("\\x%02x", *at);
	}
	if (at != (const unsigned char *)text && at[-1] != '\n')
		putchar('\n');
}

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

/* show_trace() - the records, without whose and when */
static void show_trace(const char *root)
{
	char *line, *save, *at;

	for (line = strtok_r(slurp(root, "trace"), "\n", &save); line;
	     line = strtok_r(NULL, "\n", &save)) {
		at = *line == '#' ? NULL : strstr(line, ": ");
		if (at)
			show('O', at + 2);
	}
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
	cpu_set_t one;
	FILE *cases = argc == 2 ? fopen(argv[1], "r") : NULL;
	char *tab;
	int number, side;

	must(cases ? 0 : EINVAL, "cases");
	/* Per-CPU values have to be those of the same CPU. */
	CPU_ZERO(&one);
	CPU_SET(0, &one);
	must(sched_setaffinity(0, sizeof(one), &one) ? errno : 0, "affinity");
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
