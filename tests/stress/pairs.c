// SPDX-License-Identifier: GPL-2.0-only
/*
 * pairs FILE: check that entries and returns of kpt_target_pair() in a trace
 * belong together, and print how many of each there are. The events:
 *	p:in   kpt_target_pair id=%x0:u64
 *	r:NAME kpt_target_pair id=$arg1:u64 ret=$retval:u64
 * Status 1 if something does not fit.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CALLS (1 << 22)

/* The task that made each call, while it is in progress. */
static int caller[CALLS];
static unsigned long entries, returns, wrong;

static void complain(const char *what, const char *line)
{
	if (wrong++ < 10)
		printf("%s: %s", what, line);
}

/* The number behind a name, or 0. */
static unsigned long number(const char *line, const char *name)
{
	const char *at = strstr(line, name);

	return at ? strtoul(at + strlen(name), NULL, 10) : 0;
}

/* COMM-PID [CPU]: the name may have a hyphen, but nothing behind it has. */
static int pid_of(const char *line)
{
	const char *end = strstr(line, " [");
	const char *at = end;

	while (at && at > line && *at != '-')
		at--;
	return at ? atoi(at + 1) : 0;
}

static void check(const char *line)
{
	unsigned long id = number(line, " id=");
	int pid = pid_of(line);

	if (!id || id >= CALLS || !pid) {
		complain("not understood", line);
		return;
	}
	if (strstr(line, ": in: ")) {
		entries++;
		if (caller[id])
			complain("entered twice", line);
		caller[id] = pid;
		return;
	}
	returns++;
	if (!caller[id])
		complain("returned, but was not entered", line);
	else if (caller[id] != pid)
		complain("another task returned", line);
	if (number(line, " ret=") != 3 * id + 1)
		complain("value of another call", line);
	caller[id] = 0;
}

int main(int argc, char **argv)
{
	FILE *trace = argc > 1 ? fopen(argv[1], "r") : NULL;
	char line[1024];

	if (!trace) {
		perror(argv[1]);
		return 2;
	}
	while (fgets(line, sizeof(line), trace))
		if (line[0] != '#')
			check(line);
	printf("%lu %lu\n", entries, returns);
	return wrong > 0;
}
