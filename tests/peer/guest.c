// SPDX-License-Identifier: GPL-2.0-only
/*
 * guest CASES: do the same to the kernel's own tracing and to kptrace, and print
 * what either says. See compare.py for the output.
 *
 * A case is a line: its name, and steps, all with tabs between them. Both trees do
 * the steps of a case before the next case begins. A case without a name prepares
 * those that follow. A step is a verb and its words; FILE is one of the tree, or a
 * path:
 *
 *	write FILE TEXT		print the errno
 *	must FILE TEXT		end the run if that fails
 *	try FILE TEXT		whatever comes of it
 *	maybe FILE TEXT		kptrace does it only if the kernel's own tracing could
 *	stop			end the case if the last "write" was refused
 *	clear FILE		open with O_TRUNC
 *	show LETTER FILE	print the file, that letter before each line
 *	trace			print the records, without whose and when
 *	each STEP		do that for every event; FILE is one of the event
 *	cpu N			go on on that CPU; modulo how many there are
 *	unlink			make a file, sync it, remove it
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SUBJECT "/tmp/kpt_subject"
#define STEPS_MAX 256

static const char *const roots[] = {
	"/sys/kernel/tracing", "/sys/kernel/kptrace",
};

struct step {
	char *verb, *file, *text;
	bool each, off;
};

static struct step steps[STEPS_MAX];
static int nr_steps;
/* What the last "write" of this side came to. */
static int refused;
/* A whole file, and the tree that is worked on. */
static char buffer[1 << 20];
static size_t buffer_len;
static const char *root;

/* must() - the surroundings of a case have to work */
static void must(int err, const char *what)
{
	if (!err)
		return;
	printf("! %s: %s\n", what, strerror(err));
	fflush(stdout);
	exit(1);
}

static int open_at(const char *dir, const char *name, int flags)
{
	char path[512];

	if (*name == '/')
		return open(name, flags);
	snprintf(path, sizeof(path), "%s/%s%s", root, dir, name);
	return open(path, flags);
}

/* slurp() - a whole file in the buffer; an empty one if there is none */
static char *slurp(const char *dir, const char *name)
{
	ssize_t got;
	int fd = open_at(dir, name, O_RDONLY);

	buffer_len = 0;
	while (fd >= 0 && buffer_len < sizeof(buffer) - 1 &&
	       (got = read(fd, buffer + buffer_len,
			   sizeof(buffer) - 1 - buffer_len)) > 0)
		buffer_len += got;
	buffer[buffer_len] = '\0';
	if (fd >= 0)
		close(fd);
	return buffer;
}

/* write_to() - one write; errno or 0 */
static int write_to(const char *dir, const char *name, const char *text,
		    int flags)
{
	int err = 0, fd = open_at(dir, name, O_WRONLY | flags);

	if (fd < 0)
		return errno;
	if (*text && write(fd, text, strlen(text)) < 0)
		err = errno;
	close(fd);
	return err;
}

/*
 * show() - text in ASCII, a letter before each line. What is not ASCII, and a
 * backslash, becomes "\xNN"; a backslash by itself stands for the end of a text
 * that does not end with a line.
 */
static void show(char letter, const char *text, size_t len)
{
	unsigned char c = '\n';
	size_t n;

	for (n = 0; n < len; n++) {
		if (c == '\n')
			printf("%c ", letter);
		c = text[n];
		if (c == '\n' || (c >= ' ' && c <= '~' && c != '\\'))
			putchar(c);
		else
			printf("\\x%02x", c);
	}
	if (c != '\n')
		printf("\\\n");
}

static void show_records(void)
{
	char *line, *save, *at;

	for (line = strtok_r(slurp("", "trace"), "\n", &save); line;
	     line = strtok_r(NULL, "\n", &save)) {
		at = *line == '#' ? NULL : strstr(line, ": ");
		if (!at)
			continue;
		show('O', at + 2, strlen(at + 2));
	}
}

static void run_on(int cpu)
{
	cpu_set_t one;

	CPU_ZERO(&one);
	CPU_SET(cpu % sysconf(_SC_NPROCESSORS_ONLN), &one);
	must(sched_setaffinity(0, sizeof(one), &one) ? errno : 0, "affinity");
}

static void make_and_unlink(void)
{
	int fd = open(SUBJECT, O_CREAT | O_WRONLY, 0600);

	must(fd < 0 ? errno : 0, SUBJECT);
	fsync(fd);
	close(fd);
	unlink(SUBJECT);
}

/* do_step() - once, for the tree or for one event of it */
static void do_step(struct step *step, const char *dir)
{
	const char *verb = step->verb, *file = step->file, *text = step->text;

	if (!strcmp(verb, "write")) {
		refused = write_to(dir, file, text, O_APPEND);
		printf("E %d\n", refused);
	} else if (!strcmp(verb, "must")) {
		must(write_to(dir, file, text, O_APPEND), file);
	} else if (!strcmp(verb, "try")) {
		write_to(dir, file, text, O_APPEND);
	} else if (!strcmp(verb, "maybe")) {
		if (write_to(dir, file, text, O_APPEND))
			step->off = true;
	} else if (!strcmp(verb, "clear")) {
		must(write_to(dir, file, "", O_TRUNC), file);
	} else if (!strcmp(verb, "show")) {
		slurp(dir, text);
		show(*file, buffer, buffer_len);
	} else if (!strcmp(verb, "trace")) {
		show_records();
	} else if (!strcmp(verb, "cpu")) {
		run_on(atoi(file));
	} else if (!strcmp(verb, "unlink")) {
		make_and_unlink();
	} else {
		must(EINVAL, verb);
	}
}

/* do_each() - for every GRP/EVENT that is listed */
static void do_each(struct step *step)
{
	char *list = strdup(slurp("", "dynamic_events")), *line, *save, *at;
	char dir[400];

	for (line = strtok_r(list, "\n", &save); line;
	     line = strtok_r(NULL, "\n", &save)) {
		at = strchr(line, ':');
		if (!at)
			continue;
		at++;
		snprintf(dir, sizeof(dir), "events/%.*s/",
			 (int)strcspn(at, " "), at);
		do_step(step, dir);
	}
	free(list);
}

static void run_side(int side)
{
	int n;

	root = roots[side];
	refused = 0;
	for (n = 0; n < nr_steps; n++) {
		if (!strcmp(steps[n].verb, "stop") && refused)
			return;
		if (steps[n].off || !strcmp(steps[n].verb, "stop"))
			continue;
		if (steps[n].each)
			do_each(&steps[n]);
		else
			do_step(&steps[n], "");
	}
}

/* word() - the next one, and what is behind it; an empty one at the end */
static char *word(char **rest)
{
	char *at = strsep(rest, " ");

	return at ? at : "";
}

/* take_apart() - the steps of a line, behind its name */
static void take_apart(char *line)
{
	struct step *step;
	char *rest;

	for (nr_steps = 0; (rest = strsep(&line, "\t")); nr_steps++) {
		must(nr_steps < STEPS_MAX ? 0 : E2BIG, rest);
		step = &steps[nr_steps];
		step->off = false;
		step->verb = word(&rest);
		step->each = !strcmp(step->verb, "each");
		if (step->each)
			step->verb = word(&rest);
		step->file = word(&rest);
		step->text = rest ? rest : "";
	}
}

int main(int argc, char **argv)
{
	FILE *cases = argc == 2 ? fopen(argv[1], "r") : NULL;
	char *line = NULL, *rest, *name;
	int number = 0, side;
	size_t size = 0;

	must(cases ? 0 : EINVAL, "cases");
	root = roots[0];
	slurp("", "README");
	show('R', buffer, buffer_len);
	while (getline(&line, &size, cases) > 0) {
		line[strcspn(line, "\n")] = '\0';
		rest = line;
		name = strsep(&rest, "\t");
		take_apart(rest);
		for (side = 0; side < 2; side++) {
			if (*name)
				printf("# %d %d\n", number, side);
			run_side(side);
		}
		number += !!*name;
		fflush(stdout);
	}
	printf("# end\n");
	return 0;
}
