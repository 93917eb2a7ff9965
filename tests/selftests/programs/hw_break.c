// SPDX-License-Identifier: GPL-2.0-only
/*
 * hw_break [-d] FILE TEXT ADDRESS...: write a text to a file while hardware breakpoints are
 * set for this CPU at addresses in the kernel, where arm64 allows none for a task; with -d
 * watchpoints on 8 bytes of data. Prints how often each was reached, in a line. A machine that
 * has none, or not so many, gives status 2.
 */
#define _GNU_SOURCE
#include <err.h>
#include <fcntl.h>
#include <linux/hw_breakpoint.h>
#include <linux/perf_event.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define MAX_BREAKPOINTS 8

int main(int argc, char **argv)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_BREAKPOINT,
		.size = sizeof(attr),
		.bp_type = HW_BREAKPOINT_X,
		.bp_len = HW_BREAKPOINT_LEN_4,
		.sample_period = 1,
	};
	int fds[MAX_BREAKPOINTS], nr, file, i;
	uint64_t count;
	cpu_set_t cpus;

	if (argc > 1 && !strcmp(argv[1], "-d")) {
		attr.bp_type = HW_BREAKPOINT_RW;
		attr.bp_len = HW_BREAKPOINT_LEN_8;
		argc--;
		argv++;
	}
	nr = argc - 3;
	if (nr < 1 || nr > MAX_BREAKPOINTS)
		errx(1, "usage: hw_break [-d] FILE TEXT ADDRESS...");
	CPU_ZERO(&cpus);
	CPU_SET(0, &cpus);
	if (sched_setaffinity(0, sizeof(cpus), &cpus))
		err(1, "CPU 0");
	for (i = 0; i < nr; i++) {
		attr.bp_addr = strtoull(argv[i + 3], NULL, 16);
		fds[i] = syscall(SYS_perf_event_open, &attr, -1, 0, -1, PERF_FLAG_FD_CLOEXEC);
		if (fds[i] < 0)
			err(2, "%s", argv[i + 3]);
	}
	file = open(argv[1], O_WRONLY);
	if (file < 0 || write(file, argv[2], strlen(argv[2])) < 0)
		err(1, "%s", argv[1]);
	for (i = 0; i < nr; i++) {
		if (read(fds[i], &count, sizeof(count)) != sizeof(count))
			err(1, "read");
		printf("%s%lu", i ? " " : "", count);
	}
	printf("\n");
	return 0;
}
