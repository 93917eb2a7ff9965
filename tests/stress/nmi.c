// SPDX-License-Identifier: GPL-2.0-only
/*
 * nmi CYCLES: have the counter of each CPU interrupt it after so many cycles, again and
 * again, and print "ready". Ends with standard input. A machine without such counters
 * gives status 2.
 */
#include <err.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_HARDWARE,
		.config = PERF_COUNT_HW_CPU_CYCLES,
		.size = sizeof(attr),
		.pinned = 1,
	};
	long cpu, cpus = sysconf(_SC_NPROCESSORS_ONLN);
	char c;

	if (argc != 2)
		errx(1, "usage: nmi CYCLES");
	attr.sample_period = strtoull(argv[1], NULL, 0);
	for (cpu = 0; cpu < cpus; cpu++)
		if (syscall(SYS_perf_event_open, &attr, -1, (int)cpu, -1,
			    PERF_FLAG_FD_CLOEXEC) < 0)
			err(2, "CPU %ld", cpu);
	puts("ready");
	fflush(stdout);
	while (read(STDIN_FILENO, &c, 1) > 0)
		;
	return 0;
}
