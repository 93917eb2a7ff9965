// SPDX-License-Identifier: GPL-2.0-only
/*
 * perf_listen [-a | -c CPU] [-i] [-k] [-n PERIOD] [-w] [-g] [-r] [-x] [-b VALUE] [-u UID]
 *	[-m PAGES] [-t TYPE] [-f FILTER] [-p OFFSET] EVENT COMMAND...:
 * what "perf stat" and "perf record" do, for tests.
 *
 * Opens an event of the PMU kptrace, by name or number, for the command, or with -a or
 * -c for all tasks on CPUs; with -i also for children of the command. Prints "count N",
 * and with -a "cpu CPU N" before it. With -n each PERIOD-th hit gives a line
 * "sample TID IP", with -g followed by the addresses of the callers, with -r by a line
 * "raw TYPE PID WORDS...", as raw_records, with -x by a line "regs X0...X28"; with -w it
 * gives no line, but each wakes readers, and the oldest are overwritten. -k leaves
 * out what happens in the kernel. -b attaches a BPF program that returns VALUE. -u
 * gives up root first. -m is for a larger buffer of samples, -t for another PMU: 2 is the
 * kernel's events, by their number. Those have filters, and -p attaches a BPF program for
 * tracepoints, which adds up the field of 8 bytes at an offset: "bpf HITS SUM" behind the
 * count. What perf_event_open() refuses gives a line "open: REASON" and status 1.
 */
#define _GNU_SOURCE
#include <err.h>
#include <errno.h>
#include <linux/bpf.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define PMU "/sys/bus/event_source/devices/kptrace/"
#define MAX_CPUS 64
/* From x0 on, those that only the probed code knows. */
#define NR_REGS 29

static struct perf_event_attr attr = {
	.size = sizeof(attr),
	.disabled = 1,
	.exclude_callchain_user = 1,
};
/* Also who is not privileged may have so many pages. */
static int ring_pages = 64;
static int on_cpu = -1, uid, bpf_value = -1, bpf_offset = -1, bpf_map;
static const char *filter;
static int fd[MAX_CPUS], nr;
static void *ring[MAX_CPUS];
static size_t page;

/* Read a number from a file of the PMU, behind @before. */
static long pmu_number(const char *file, const char *before)
{
	char path[256], text[64] = "", *at;
	FILE *f;

	snprintf(path, sizeof(path), PMU "%s", file);
	f = fopen(path, "r");
	if (!f)
		err(2, "%s", path);
	if (!fgets(text, sizeof(text), f))
		errx(2, "%s is empty", path);
	fclose(f);
	at = strstr(text, before);
	if (!at)
		errx(2, "%s has %s", path, text);
	return strtol(at + strlen(before), NULL, 0);
}

static void choose_event(const char *name)
{
	char file[200], *end;

	if (!attr.type)
		attr.type = pmu_number("type", "");
	attr.config = strtoull(name, &end, 0);
	if (!*end)
		return;
	snprintf(file, sizeof(file), "events/%s", name);
	attr.config = pmu_number(file, "event=");
}

/* A BPF program of two instructions: return a value. */
static int load_bpf(int value)
{
	struct bpf_insn insn[] = {
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = 0, .imm = value },
		{ .code = BPF_JMP | BPF_EXIT },
	};
	union bpf_attr load = {
		.prog_type = BPF_PROG_TYPE_PERF_EVENT,
		.insns = (unsigned long)insn,
		.insn_cnt = 2,
		.license = (unsigned long)"GPL",
	};
	int prog = syscall(SYS_bpf, BPF_PROG_LOAD, &load, sizeof(load));

	if (prog < 0)
		err(2, "BPF_PROG_LOAD");
	return prog;
}

static int bpf(int command, union bpf_attr *with)
{
	int got = syscall(SYS_bpf, command, with, sizeof(*with));

	if (got < 0)
		err(2, "bpf %d", command);
	return got;
}

/* A BPF program for tracepoints: add 1, and the field at @offset, to what the map has. */
static int load_adder(int offset)
{
	struct bpf_insn insn[] = {
		{ .code = BPF_LDX | BPF_MEM | BPF_DW, .dst_reg = 6, .src_reg = 1, .off = offset },
		{ .code = BPF_ST | BPF_MEM | BPF_W, .dst_reg = 10, .off = -4 },
		{ .code = BPF_ALU64 | BPF_MOV | BPF_X, .dst_reg = 2, .src_reg = 10 },
		{ .code = BPF_ALU64 | BPF_ADD | BPF_K, .dst_reg = 2, .imm = -4 },
		{ .code = BPF_LD | BPF_IMM | BPF_DW, .dst_reg = 1,
		  .src_reg = BPF_PSEUDO_MAP_FD },
		{},
		{ .code = BPF_JMP | BPF_CALL, .imm = BPF_FUNC_map_lookup_elem },
		{ .code = BPF_JMP | BPF_JEQ | BPF_K, .dst_reg = 0, .off = 3 },
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = 1, .imm = 1 },
		{ .code = BPF_STX | BPF_ATOMIC | BPF_DW, .dst_reg = 0, .src_reg = 1,
		  .imm = BPF_ADD },
		{ .code = BPF_STX | BPF_ATOMIC | BPF_DW, .dst_reg = 0, .src_reg = 6,
		  .off = 8, .imm = BPF_ADD },
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = 0, .imm = 1 },
		{ .code = BPF_JMP | BPF_EXIT },
	};
	union bpf_attr map = {
		.map_type = BPF_MAP_TYPE_ARRAY,
		.key_size = 4,
		.value_size = 16,
		.max_entries = 1,
	};
	union bpf_attr load = {
		.prog_type = BPF_PROG_TYPE_TRACEPOINT,
		.insns = (unsigned long)insn,
		.insn_cnt = sizeof(insn) / sizeof(insn[0]),
		.license = (unsigned long)"GPL",
	};

	bpf_map = bpf(BPF_MAP_CREATE, &map);
	insn[4].imm = bpf_map;
	return bpf(BPF_PROG_LOAD, &load);
}

static void show_adder(void)
{
	unsigned long long sums[2];
	unsigned int key = 0;
	union bpf_attr look = {
		.map_fd = bpf_map,
		.key = (unsigned long)&key,
		.value = (unsigned long)sums,
	};

	bpf(BPF_MAP_LOOKUP_ELEM, &look);
	printf("bpf %llu %llu\n", sums[0], sums[1]);
}

/* What the kernel's own events have: filters, and programs that are not for samples. */
static void prepare(int event)
{
	if (filter && ioctl(event, PERF_EVENT_IOC_SET_FILTER, filter))
		err(2, "PERF_EVENT_IOC_SET_FILTER");
	/* One program for all perf events. */
	if (bpf_offset >= 0 && nr == 1 &&
	    ioctl(event, PERF_EVENT_IOC_SET_BPF, load_adder(bpf_offset)))
		err(2, "PERF_EVENT_IOC_SET_BPF");
}

static void open_event(pid_t pid, int cpu)
{
	int i = nr++;

	fd[i] = syscall(SYS_perf_event_open, &attr, pid, cpu, -1, 0);
	if (fd[i] < 0) {
		printf("open: %s\n", strerror(errno));
		exit(1);
	}
	prepare(fd[i]);
	if (!attr.sample_period)
		return;
	/* Who cannot write how far it has read is not waited for. */
	ring[i] = mmap(NULL, (1 + ring_pages) * page,
		       PROT_READ | (attr.wakeup_events ? 0 : PROT_WRITE), MAP_SHARED, fd[i], 0);
	if (ring[i] == MAP_FAILED)
		err(2, "mmap");
	if (bpf_value >= 0 && ioctl(fd[i], PERF_EVENT_IOC_SET_BPF, load_bpf(bpf_value)))
		err(2, "PERF_EVENT_IOC_SET_BPF");
}

static void open_all(pid_t pid, int all)
{
	int cpu, cpus = sysconf(_SC_NPROCESSORS_CONF);

	if (!all && on_cpu < 0) {
		attr.enable_on_exec = 1;
		open_event(pid, -1);
		return;
	}
	for (cpu = 0; cpu < cpus && cpu < MAX_CPUS; cpu++)
		if (all || cpu == on_cpu)
			open_event(-1, cpu);
}

static void show_chain(const __u64 **at)
{
	__u64 n = *(*at)++;

	while (n--) {
		if (**at < (__u64)-4095)
			printf(" %llx", **at);
		++*at;
	}
}

static const __u64 *show_raw(const __u64 *at)
{
	const __u32 *word = (const __u32 *)at + 1;
	__u32 i, bytes = word[-1], size = bytes / sizeof(*word);

	printf("raw %u", word[0] & 0xffff);
	for (i = 1; i < size; i++)
		printf(" %u", word[i]);
	printf("\n");
	return (const __u64 *)((const char *)word + bytes);
}

/* Behind the word that says which registers a task has. */
static void show_regs(const __u64 *at)
{
	int i;

	printf("regs");
	for (i = 1; at[0] && i <= NR_REGS; i++)
		printf(" %llx", at[i]);
	printf("\n");
}

static void show_sample(const struct perf_event_header *header)
{
	const __u64 *at = (const __u64 *)(header + 1);
	const __u32 *id = (const __u32 *)(at + 1);

	printf("sample %u %llx", id[1], *at);
	at += 2;
	if (attr.sample_type & PERF_SAMPLE_CALLCHAIN)
		show_chain(&at);
	printf("\n");
	if (attr.sample_type & PERF_SAMPLE_RAW)
		at = show_raw(at);
	if (attr.sample_type & PERF_SAMPLE_REGS_INTR)
		show_regs(at);
}

static void show_ring(void *map)
{
	struct perf_event_mmap_page *head = map;
	char *data = (char *)map + page;
	size_t size = ring_pages * page, at = 0;
	static char copy[65536];
	struct perf_event_header header;

	while (at < head->data_head) {
		for (size_t i = 0; i < sizeof(header); i++)
			((char *)&header)[i] = data[(at + i) % size];
		for (size_t i = 0; i < header.size; i++)
			copy[i] = data[(at + i) % size];
		if (header.type == PERF_RECORD_SAMPLE)
			show_sample((void *)copy);
		else if (header.type == PERF_RECORD_LOST)
			printf("lost\n");
		at += header.size;
	}
}

static void show(int all)
{
	unsigned long long count, sum = 0;

	for (int i = 0; i < nr; i++) {
		if (read(fd[i], &count, sizeof(count)) != sizeof(count))
			err(2, "read");
		if (all)
			printf("cpu %d %llu\n", i, count);
		sum += count;
		if (ring[i] && !attr.wakeup_events)
			show_ring(ring[i]);
	}
	printf("count %llu\n", sum);
}

/* Run the command once the event is open. */
static pid_t start(char **command, int *go)
{
	int ends[2];
	pid_t pid;
	char c;

	if (pipe(ends))
		err(2, "pipe");
	pid = fork();
	if (pid) {
		close(ends[0]);
		*go = ends[1];
		return pid;
	}
	close(ends[1]);
	if (read(ends[0], &c, 1) == 1)
		execvp(command[0], command);
	_exit(127);
}

int main(int argc, char **argv)
{
	int opt, all = 0, go, status = 0;
	pid_t pid;

	page = sysconf(_SC_PAGESIZE);
	while ((opt = getopt(argc, argv, "+ac:f:ikn:grwxb:p:u:m:t:")) >= 0) {
		switch (opt) {
		case 'a':
			all = 1;
			break;
		case 'c':
			on_cpu = atoi(optarg);
			break;
		case 'f':
			filter = optarg;
			break;
		case 'i':
			attr.inherit = 1;
			break;
		case 'k':
			attr.exclude_kernel = 1;
			break;
		case 'n':
			attr.sample_period = strtoul(optarg, NULL, 0);
			break;
		case 'w':
			attr.wakeup_events = 1;
			break;
		case 'g':
			attr.sample_type |= PERF_SAMPLE_CALLCHAIN;
			break;
		case 'r':
			attr.sample_type |= PERF_SAMPLE_RAW;
			break;
		case 'x':
			attr.sample_type |= PERF_SAMPLE_REGS_INTR;
			attr.sample_regs_intr = (1 << NR_REGS) - 1;
			break;
		case 'b':
			bpf_value = atoi(optarg);
			break;
		case 'p':
			bpf_offset = atoi(optarg);
			break;
		case 'm':
			ring_pages = atoi(optarg);
			break;
		case 't':
			attr.type = atoi(optarg);
			break;
		case 'u':
			uid = atoi(optarg);
			break;
		default:
			return 2;
		}
	}
	if (optind + 1 >= argc)
		return 2;
	attr.sample_type |= PERF_SAMPLE_IP | PERF_SAMPLE_TID;
	choose_event(argv[optind]);
	/* What gives up root may not be looked at, unless it says so. */
	if (uid && (setuid(uid) || prctl(PR_SET_DUMPABLE, 1)))
		err(2, "setuid");
	pid = start(argv + optind + 1, &go);
	open_all(pid, all);
	for (int i = 0; i < nr; i++)
		if (!attr.enable_on_exec && ioctl(fd[i], PERF_EVENT_IOC_ENABLE, 0))
			err(2, "PERF_EVENT_IOC_ENABLE");
	if (write(go, "", 1) != 1 || waitpid(pid, &status, 0) != pid)
		err(2, "command");
	for (int i = 0; i < nr; i++)
		ioctl(fd[i], PERF_EVENT_IOC_DISABLE, 0);
	show(all);
	if (bpf_map)
		show_adder();
	return status ? 3 : 0;
}
