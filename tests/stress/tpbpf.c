// SPDX-License-Identifier: GPL-2.0-only
/*
 * tpbpf ID: have a BPF program that lets all hits pass called at a tracepoint of the
 * kernel, on each CPU, until SIGTERM; then print how many hits perf counted. Prints
 * "attached" once that is so.
 */
#include <errno.h>
#include <linux/bpf.h>
#include <linux/perf_event.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

/* "return 1" */
static int load(void)
{
	static const struct bpf_insn insns[] = {
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .imm = 1 },
		{ .code = BPF_JMP | BPF_EXIT },
	};
	union bpf_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.prog_type = BPF_PROG_TYPE_TRACEPOINT;
	attr.insns = (unsigned long)insns;
	attr.insn_cnt = sizeof(insns) / sizeof(insns[0]);
	attr.license = (unsigned long)"GPL";
	return syscall(SYS_bpf, BPF_PROG_LOAD, &attr, sizeof(attr));
}

static int open_on(int cpu, int id)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_TRACEPOINT, .size = sizeof(attr), .config = id,
		.sample_period = 1 << 30,
	};

	return syscall(SYS_perf_event_open, &attr, -1, cpu, -1, 0);
}

int main(int argc, char **argv)
{
	int cpus = sysconf(_SC_NPROCESSORS_ONLN), program = load(), cpu, fd[64], signal;
	uint64_t hits, all = 0;
	sigset_t set;

	if (argc != 2 || cpus > 64)
		return 2;
	sigemptyset(&set);
	sigaddset(&set, SIGTERM);
	sigprocmask(SIG_BLOCK, &set, NULL);
	for (cpu = 0; cpu < cpus; cpu++) {
		fd[cpu] = open_on(cpu, atoi(argv[1]));
		/* One program for the tracepoint, whichever event brings it. */
		if (fd[cpu] >= 0 && (cpu || !ioctl(fd[0], PERF_EVENT_IOC_SET_BPF, program)))
			continue;
		fprintf(stderr, "tpbpf: %s\n", strerror(errno));
		return 1;
	}
	puts("attached");
	fflush(stdout);
	sigwait(&set, &signal);
	for (cpu = 0; cpu < cpus; cpu++)
		if (read(fd[cpu], &hits, sizeof(hits)) == sizeof(hits))
			all += hits;
	printf("%llu\n", (unsigned long long)all);
	return 0;
}
