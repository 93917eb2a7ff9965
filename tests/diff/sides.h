/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What programs use that do the same to the kernel's own tracing and to
 * kptrace's: two trees, and files in them.
 */
#ifndef SIDES_H
#define SIDES_H

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define TARGET "/proc/kpt_target"

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

/* run_on() - go on on this CPU */
static void run_on(int cpu)
{
	cpu_set_t one;

	CPU_ZERO(&one);
	CPU_SET(cpu, &one);
	must(sched_setaffinity(0, sizeof(one), &one) ? errno : 0, "affinity");
}

#endif
