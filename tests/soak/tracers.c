// SPDX-License-Identifier: GPL-2.0-only
/*
 * All functions traced by the tracer function or function_graph, under load. Far more is
 * recorded than can be read, so the rings overflow. An instance that traces one function
 * more has all calls of that one. At the end the load runs for a moment more: all records
 * of that are read, and counted by function.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include "soak.h"

#define CPUS_MAX 8
/* Of a ring: of all functions, which has to hold a moment, and of one. */
#define RING_KB "131072"
#define MARKED_RING_KB "32768"
/* Bytes that a call takes there at most, with both ends. */
#define MARKED_CALL 160
/* Of a page that is read. */
#define PAGE_KB 64
/* How long the load runs for what is counted. */
#define MOMENT_US 100000
#define MARKED_INSTANCE "instances/marked"
/* Numbers of the records, as in events/ftrace. */
enum { RECORD_FUNCTION = 1, RECORD_EXIT = 10, RECORD_ENTRY = 11 };
/* Tasks that call a function which nobody else calls. */
#define MARKERS 4
#define MARKS_AT_ONCE 16
#define MARKED "__arm64_sys_getsid"

/* By instruction of the kernel's text; the last one is for all modules. */
static struct function {
	uint32_t entries, exits;
} *functions;
static uint64_t text, text_end;
static struct function *modules;

/**
 * struct ring - the records of a CPU
 * @fd: of its trace_pipe_raw
 * @records: that were read
 */
static struct ring {
	int fd;
	uint64_t records;
} rings[CPUS_MAX];
static unsigned int nr_rings;
static char page[PAGE_KB * 1024];

static char *symbols;

static uint64_t symbol_addr(const char *name)
{
	char key[64], *at;

	snprintf(key, sizeof(key), " %s\n", name);
	at = strstr(symbols, key);
	if (!at)
		die("no symbol %s", name);
	while (at > symbols && at[-1] != '\n')
		at--;
	return strtoull(at, NULL, 16);
}

/* The name at an address, of @room bytes. */
static void symbol_name(uint64_t addr, char *name, size_t room)
{
	char key[24], *at;

	snprintf(key, sizeof(key), "%016lx ", addr);
	at = strstr(symbols, key);
	if (at)
		at += strlen(key) + 2;
	snprintf(name, room, "%.*s", at ? (int)strcspn(at, "\n\t") : 1, at ? at : "?");
}

static struct function *function_at(uint64_t addr)
{
	return addr >= text && addr < text_end ? &functions[(addr - text) / 4] :
						 modules;
}

static void count_record(const uint32_t *record)
{
	struct function *f = function_at(*(const uint64_t *)(record + 2));

	switch (record[0] & 0xffff) {
	case RECORD_FUNCTION:
	case RECORD_ENTRY:
		f->entries++;
		break;
	case RECORD_EXIT:
		f->exits++;
		break;
	default:
		die("a record of type %u", record[0] & 0xffff);
	}
}

/* The file that has what a ring says of itself. */
static const char *cpu_stats(unsigned int cpu)
{
	static char file[64];

	snprintf(file, sizeof(file), "per_cpu/cpu%u/stats", cpu);
	return file;
}

/* Count the records of the page that was read. Returns how many bytes they have. */
static size_t count_page(struct ring *ring)
{
	uint64_t commit = *(uint64_t *)(page + 8);
	const uint32_t *at = (uint32_t *)(page + 16), *end;
	uint32_t kind;

	if (commit >> 31 & 1)
		die("CPU %u lost records after %lu: %s", (unsigned int)(ring - rings),
		    ring->records, slurp(cpu_stats(ring - rings)));
	commit &= 0x3fffffff;
	for (end = at + commit / 4; at < end;) {
		kind = *at & 31;
		if (kind == 30 || kind == 31) {
			at += 2;
			continue;
		}
		if (kind == 29) {
			at += 1 + at[1] / 4;
			continue;
		}
		/* Such a record is as long as its second word says. */
		count_record(kind ? at + 1 : at + 2);
		at += 1 + (kind ? kind : at[1] / 4);
		ring->records++;
	}
	return commit;
}

/* Read all that there is. */
static void drain(void)
{
	unsigned int cpu;

	for (cpu = 0; cpu < nr_rings; cpu++)
		while (read(rings[cpu].fd, page, sizeof(page)) > 0)
			count_page(&rings[cpu]);
}

/*
 * A moment ends when all processes of the load have, which takes long if one is in a system
 * call of which each function is traced: so the rings are read meanwhile. What this task does
 * to read is traced, too: it rests unless pages are full.
 */
static void *drain_meanwhile(void *end)
{
	unsigned int cpu, full;

	while (!__atomic_load_n((bool *)end, __ATOMIC_RELAXED)) {
		for (cpu = full = 0; cpu < nr_rings; cpu++)
			if (read(rings[cpu].fd, page, sizeof(page)) > 0)
				full += count_page(&rings[cpu]) > sizeof(page) / 2;
		if (!full)
			usleep(1000);
	}
	return NULL;
}

static void open_rings(void)
{
	char file[64];

	for (; nr_rings < CPUS_MAX; nr_rings++) {
		snprintf(file, sizeof(file), "per_cpu/cpu%u/trace_pipe_raw", nr_rings);
		rings[nr_rings].fd = open(file, O_RDONLY | O_NONBLOCK);
		if (rings[nr_rings].fd < 0)
			break;
	}
	if (!nr_rings)
		die("%s: %s", file, strerror(errno));
}

/* What a ring says of itself is what was read of it. */
static void check_rings(void)
{
	static const char *const none[] = {
		"\nentries: 0\n", "\noverrun: 0\n", "\ncommit overrun: 0\n",
		"\ndropped events: 0\n",
	};
	char key[64], *stats;
	uint64_t all = 0;
	unsigned int cpu, i;

	for (cpu = 0; cpu < nr_rings; cpu++) {
		stats = slurp(cpu_stats(cpu));
		memmove(stats + 1, stats, strlen(stats) + 1);
		stats[0] = '\n';
		for (i = 0; i < sizeof(none) / sizeof(none[0]); i++)
			if (!strstr(stats, none[i]))
				die("CPU %u has not%s%s", cpu, none[i], stats);
		snprintf(key, sizeof(key), "\nread events: %lu\n", rings[cpu].records);
		if (!strstr(stats, key))
			die("CPU %u has not%s%s", cpu, key, stats);
		all += rings[cpu].records;
		free(stats);
	}
	printf("records: %lu, lost: 0\n", all);
}

/* Shared with the markers: to end, and how often each has called. */
static struct {
	bool end;
	unsigned long calls[MARKERS];
} *marks;

/* The ring of one CPU has room for all that they call in this time. */
static void marks_start(double seconds)
{
	double room = atoi(MARKED_RING_KB) * 1024.0 / MARKED_CALL;
	double pause = seconds * 1e6 * MARKERS * MARKS_AT_ONCE / room;
	unsigned int i;

	marks = mmap(NULL, sizeof(*marks), PROT_READ | PROT_WRITE,
		     MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (marks == MAP_FAILED)
		die("no memory");
	for (i = 0; i < MARKERS; i++) {
		if (fork())
			continue;
		while (!__atomic_load_n(&marks->end, __ATOMIC_RELAXED)) {
			syscall(SYS_getsid, 0);
			if (marks->calls[i]++ % MARKS_AT_ONCE == MARKS_AT_ONCE - 1)
				usleep(pause > 5000 ? pause : 5000);
		}
		_exit(0);
	}
}

/* Returns the calls of all markers, which have ended. */
static unsigned long marks_stop(void)
{
	unsigned long calls = 0;
	unsigned int i;

	__atomic_store_n(&marks->end, true, __ATOMIC_RELAXED);
	while (wait(NULL) > 0)
		;
	for (i = 0; i < MARKERS; i++)
		calls += marks->calls[i];
	return calls;
}

/* Stacks of all tasks, one text. */
static char *read_stacks(void)
{
	DIR *proc = opendir("/proc");
	struct dirent *entry;
	size_t len = 0, room = 1 << 20, n;
	char *all = malloc(room), file[64], *stack;

	all[0] = '\0';
	while (proc && (entry = readdir(proc))) {
		snprintf(file, sizeof(file), "/proc/%.20s/stack", entry->d_name);
		if (access(file, R_OK))
			continue;
		stack = slurp(file);
		n = strlen(stack);
		if (len + n + 1 > room)
			all = realloc(all, room = 2 * (len + n + 1));
		memcpy(all + len, stack, n + 1);
		len += n;
		free(stack);
	}
	if (proc)
		closedir(proc);
	return all;
}

static unsigned int count_text(const char *in, const char *what)
{
	unsigned int n = 0;

	for (; (in = strstr(in, what)); in++)
		n++;
	return n;
}

/* Calls that have not ended are in progress: in tasks that sleep, or have died. */
static void check_ends(void)
{
	uint64_t calls = 0, open = 0;
	unsigned int seen = 0, not_ended = 0, asleep;
	char *stacks = read_stacks(), name[80], key[84];
	size_t nr = (text_end - text) / 4, i;
	struct function *f;

	for (i = 0; i <= nr; i++) {
		f = &functions[i];
		seen += f->entries > 0;
		calls += f->entries;
		if (f->entries == f->exits)
			continue;
		symbol_name(text + 4 * i, name, sizeof(name));
		snprintf(key, sizeof(key), " %s+", name);
		asleep = count_text(stacks, key);
		printf("  %8d of %u in progress: %s, %u on stacks\n",
		       (int)(f->entries - f->exits), f->entries, name, asleep);
		open += f->entries - f->exits;
		not_ended++;
		if (f->exits > f->entries)
			die("%u ends of %u calls of %s", f->exits, f->entries, name);
	}
	free(stacks);
	printf("functions: %u, calls: %lu, not ended: %lu of %u functions\n", seen, calls,
	       open, not_ended);
}

/* Lines of the instance that tell of the function; of a graph, of calls that have ended. */
static unsigned int count_marked(void)
{
	char line[256];
	unsigned int n = 0;
	FILE *trace = fopen(MARKED_INSTANCE "/trace", "r");

	while (trace && fgets(line, sizeof(line), trace))
		if (line[0] != '#' && strstr(line, MARKED) && !strchr(line, '{'))
			n++;
	if (trace)
		fclose(trace);
	return n;
}

static void mark_instance(const char *tracer)
{
	if (mkdir(MARKED_INSTANCE, 0700))
		die("mkdir: %s", strerror(errno));
	put(MARKED_INSTANCE "/buffer_size_kb", MARKED_RING_KB);
	put(MARKED_INSTANCE "/set_ftrace_filter", MARKED);
	put(MARKED_INSTANCE "/options/funcgraph-tail", "1");
	put(MARKED_INSTANCE "/current_tracer", tracer);
}

/* Under load for so long; what the rings have then is of no interest. */
static void run_overflowing(double seconds, const char *module)
{
	unsigned long calls;
	unsigned int seen;

	load_start(module);
	put("tracing_on", "1");
	/* A module takes tens of seconds to load, if each function is slow that it calls. */
	marks_start(2 * seconds);
	sleep(seconds);
	while (!load_all_done() && seconds-- > 0)
		sleep(1);
	load_stop(true);
	calls = marks_stop();
	seen = count_marked();
	printf("calls of %s: %lu, recorded: %u\n", MARKED, calls, seen);
	if (seen != calls)
		die("they differ");
	put("tracing_on", "0");
}

/* Under load for a moment, of which all is read. */
static void run_counted(const char *module)
{
	bool end = false;
	pthread_t reader;
	double start;

	put("trace", "");
	open_rings();
	load_start(module);
	put("tracing_on", "1");
	start = now();
	if (pthread_create(&reader, NULL, drain_meanwhile, &end))
		die("no thread");
	usleep(MOMENT_US);
	load_stop(false);
	/* Until all is quiet. */
	sleep(1);
	__atomic_store_n(&end, true, __ATOMIC_RELAXED);
	pthread_join(reader, NULL);
	put("tracing_on", "0");
	printf("counted for %.1f s\n", now() - start);
	drain();
	check_rings();
}

void soak_tracer(const char *tracer, double seconds, const char *module)
{
	double start;

	symbols = slurp("/proc/kallsyms");
	text = symbol_addr("_stext");
	text_end = symbol_addr("_etext");
	functions = calloc((text_end - text) / 4 + 1, sizeof(*functions));
	modules = &functions[(text_end - text) / 4];
	put("tracing_on", "0");
	put("buffer_subbuf_size_kb", "64");
	put("buffer_size_kb", RING_KB);
	/* To arm takes minutes under load; the event "f *" does that. */
	start = now();
	put("current_tracer", tracer);
	printf("armed in %.1f s\n", now() - start);
	mark_instance(tracer);
	run_overflowing(seconds, module);
	run_counted(module);
	if (!strcmp(tracer, "function_graph"))
		check_ends();
	/* It ends under load, too. */
	load_start(module);
	start = now();
	put("current_tracer", "nop");
	printf("disarmed in %.1f s\n", now() - start);
	load_stop(false);
	put(MARKED_INSTANCE "/current_tracer", "nop");
	rmdir(MARKED_INSTANCE);
	printf("accounting: exact\n");
}
