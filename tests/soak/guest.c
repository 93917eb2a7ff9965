// SPDX-License-Identifier: GPL-2.0-only
/*
 * guest functions|returns|pattern|instructions|function|function_graph SEED SECONDS
 * MODULE: probe every function at once, or the returns of all, or all by the one event
 * "f *", or function by function every instruction, under load, and report; or trace all
 * by that tracer.
 * Run in the tracing directory.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include "soak.h"

/* Probes under one name, and instructions that are probed at once. */
#define PER_EVENT 64
#define BATCH_PROBES 6000
/* How long those are armed. */
#define BATCH_SECONDS 8
#define REARM_SECONDS 15
#define REARM_PATTERN_SECONDS 3
/* Functions that the instructions are probed of, at least. */
#define FUNCTIONS_MIN 2000

void die(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vprintf(format, args);
	va_end(args);
	printf("\n");
	load_stop(false);
	exit(1);
}

double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec + t.tv_nsec / 1e9;
}

void put(const char *file, const char *text)
{
	int fd = open(file, O_WRONLY | O_TRUNC);

	if (fd < 0 || write(fd, text, strlen(text)) < 0)
		die("%s: %s", file, strerror(errno));
	close(fd);
}

char *slurp(const char *file)
{
	size_t room = 1 << 16, len = 0;
	char *text = malloc(room);
	int fd = open(file, O_RDONLY);
	ssize_t n;

	if (fd < 0)
		die("%s: %s", file, strerror(errno));
	while ((n = read(fd, text + len, room - len - 1)) > 0) {
		len += n;
		if (len + 1 == room)
			text = realloc(text, room *= 2);
	}
	close(fd);
	text[len] = '\0';
	return text;
}

/**
 * struct function - a function of the kernel
 * @addr: where it begins
 * @end: where the next symbol does
 * @hits: of its first instruction, while all functions were probed
 */
struct function {
	uint64_t addr;
	uint64_t end;
	uint64_t hits;
};

static struct function *functions;
static size_t nr_functions;

/**
 * struct counts - sums over probes
 * @armed: probes
 * @hit: of those, how many were reached
 * @refused: places that cannot be probed
 * @hits: what their handlers saw
 * @missed: hits inside other hits
 * @recorded: records written
 * @lost: hits there was no room for
 */
struct counts {
	uint64_t armed;
	uint64_t hit;
	uint64_t refused;
	uint64_t hits;
	uint64_t missed;
	uint64_t recorded;
	uint64_t lost;
};

/**
 * struct batch - probes that are armed and disarmed together
 * @kind: p, or r for returns
 * @name: a letter; they are events a0, a1, ... of group soak_a
 * @counts: of these probes
 */
struct batch {
	char kind;
	char name;
	struct counts counts;
};

static int by_addr(const void *a, const void *b)
{
	const struct function *f = a, *g = b;

	return f->addr < g->addr ? -1 : f->addr > g->addr;
}

/* All symbols of text, one for each address. */
static void read_functions(void)
{
	char *text = slurp("/proc/kallsyms"), *line, *rest = text, type;
	size_t nr = 0, room = 0;

	while ((line = strsep(&rest, "\n"))) {
		unsigned long addr;

		if (sscanf(line, "%lx %c", &addr, &type) != 2 ||
		    !strchr("tTwW", type))
			continue;
		if (nr == room) {
			room = room ? 2 * room : 65536;
			functions = realloc(functions,
					    room * sizeof(*functions));
		}
		functions[nr++] = (struct function){ .addr = addr };
	}
	free(text);
	qsort(functions, nr, sizeof(*functions), by_addr);
	for (size_t i = 0; i < nr; i++)
		if (!nr_functions ||
		    functions[nr_functions - 1].addr != functions[i].addr)
			functions[nr_functions++] = functions[i];
	for (size_t i = 0; i + 1 < nr_functions; i++)
		functions[i].end = functions[i + 1].addr;
}

static struct reason {
	char text[160];
	uint64_t nr;
} reasons[64];

/* Without the names of what is to blame. */
static void shorten(char *reason)
{
	static const char insn[] = "Instruction cannot be probed: ";
	static const char place[] = "Place cannot be probed: ";
	char *colon = strchr(reason, ':'), *end;

	if (!strncmp(reason, insn, strlen(insn))) {
		end = strstr(reason + strlen(insn), ": ");
		if (end)
			memmove(reason + strlen(insn), end + 2,
				strlen(end + 2) + 1);
	} else if (!strncmp(reason, place, strlen(place))) {
		end = strrchr(reason, ',');
		if (end)
			*end = '\0';
	} else if (colon) {
		*colon = '\0';
	}
}

/* The last entry of error_log says why the line was refused. */
static void note_refusal(const char *line)
{
	char *log = slurp("error_log"), *at = log, *last = NULL, reason[160];
	const char mark[] = "trace_kprobe: error: ";
	struct reason *r = reasons;

	while ((at = strstr(at, mark)))
		last = at += strlen(mark);
	if (!last)
		die("%s was refused without a reason", line);
	snprintf(reason, sizeof(reason), "%.*s", (int)strcspn(last, "\n"), last);
	if (!strstr(last, line))
		die("the last mistake in error_log is not %s", line);
	shorten(reason);
	while (r->nr && strcmp(r->text, reason))
		if (++r == reasons + 64)
			die("too many reasons");
	strcpy(r->text, reason);
	r->nr++;
	free(log);
}

static int events_fd;

/* One more probe. Return whether it was accepted. */
static bool define(struct batch *b, uint64_t addr)
{
	char line[64];

	snprintf(line, sizeof(line), "%c:soak_%c/%c%lu 0x%lx", b->kind, b->name,
		 b->name, b->counts.armed / PER_EVENT, addr);
	if (write(events_fd, line, strlen(line)) > 0) {
		b->counts.armed++;
		return true;
	}
	if (errno != EINVAL)
		die("%s: %s", line, strerror(errno));
	b->counts.refused++;
	note_refusal(line);
	return false;
}

static void enable(const struct batch *b, bool on)
{
	char file[64];

	snprintf(file, sizeof(file), "events/soak_%c/enable", b->name);
	put(file, on ? "1" : "0");
}

static void delete(const struct batch *b)
{
	char line[64];

	snprintf(line, sizeof(line), "-:soak_%c/", b->name);
	if (write(events_fd, line, strlen(line)) < 0)
		die("%s: %s", line, strerror(errno));
}

static uint64_t number(const char *text, const char *name)
{
	const char *at = strstr(text, name);

	if (!at)
		die("no %s", name);
	return strtoull(at + strlen(name), NULL, 10);
}

/* The counts of an event; they have to add up. Return hits, misses included. */
static uint64_t add_stats(struct batch *b, unsigned int event)
{
	uint64_t hits, recorded, missed, lost;
	char file[64], *text;

	snprintf(file, sizeof(file), "events/soak_%c/%c%u/stats", b->name,
		 b->name, event);
	text = slurp(file);
	hits = number(text, "hits: ");
	recorded = number(text, "recorded: ");
	missed = number(text, "missed: ");
	lost = number(text, "lost: ");
	if (hits != recorded + missed + lost + number(text, "filtered: ") +
		    number(text, "limited: "))
		die("counts of %s do not add up:\n%s", file, text);
	free(text);
	b->counts.recorded += recorded;
	b->counts.lost += lost;
	return hits;
}

/*
 * Add up what disarmed probes counted, and remove them. They were defined in
 * the order of @order, which is told how often each was hit.
 */
static void collect(struct batch *b, struct function **order)
{
	char *text = slurp("kprobe_profile"), *line, *rest = text, name;
	uint64_t hits, missed, all = 0, total = 0;
	unsigned int event;
	size_t nr = 0;

	while ((line = strsep(&rest, "\n"))) {
		if (sscanf(line, " %c%u %lu %lu", &name, &event, &hits,
			   &missed) != 4 || name != b->name)
			continue;
		all += hits + missed;
		b->counts.hits += hits;
		b->counts.missed += missed;
		b->counts.hit += hits + missed > 0;
		if (order)
			order[nr]->hits = hits + missed;
		if (order && missed)
			printf("missed %lu of %lu at 0x%lx\n", missed,
			       hits + missed, order[nr]->addr);
		nr++;
	}
	free(text);
	if (nr != b->counts.armed)
		die("%lu probes, %zu listed", b->counts.armed, nr);
	for (event = 0; event * PER_EVENT < nr; event++)
		total += add_stats(b, event);
	if (all != total)
		die("events have %lu hits, their probes %lu", total, all);
	delete(b);
}

/* For a time, disarmed and armed again now and then while the code runs. */
static void stay_armed(struct batch *b, double seconds, double rearm)
{
	double start = now(), since = start;
	unsigned int again = 0;

	while (now() - start < seconds) {
		sleep(1);
		if (now() - since < rearm)
			continue;
		enable(b, false);
		enable(b, true);
		again++;
		since = now();
	}
	printf("disarmed and armed again %u times\n", again);
}

/* Every function at once, or its returns, for a time. */
static void soak_functions(struct batch *b, double seconds, const char *module)
{
	struct function **order = calloc(nr_functions, sizeof(*order));
	double start = now();

	for (size_t i = 0; i < nr_functions; i++)
		if (define(b, functions[i].addr))
			order[b->counts.armed - 1] = &functions[i];
	printf("%lu functions defined in %.0f s\n", b->counts.armed,
	       now() - start);
	load_start(module);
	start = now();
	enable(b, true);
	printf("armed in %.1f s\n", now() - start);
	stay_armed(b, seconds, REARM_SECONDS);
	enable(b, false);
	load_stop(seconds >= 60);
	collect(b, order);
	free(order);
}

/* All of the kernel as one event, armed and disarmed every few seconds. */
static void soak_pattern(struct batch *b, double seconds, const char *module)
{
	static const char line[] = "f:soak_f/f0 *";
	double start = now();
	char *text;

	if (write(events_fd, line, strlen(line)) < 0)
		die("%s: %s", line, strerror(errno));
	printf("defined in %.1f s\n", now() - start);
	text = slurp("dynamic_events");
	printf("%s", text);
	b->counts.armed = number(text, "# ");
	free(text);
	load_start(module);
	start = now();
	enable(b, true);
	printf("armed in %.1f s\n", now() - start);
	stay_armed(b, seconds, REARM_PATTERN_SECONDS);
	enable(b, false);
	load_stop(seconds >= 60);
	b->counts.hits = add_stats(b, 0);
	text = slurp("events/soak_f/f0/stats");
	b->counts.missed = number(text, "missed: ");
	b->counts.hits -= b->counts.missed;
	free(text);
	delete(b);
}

static void shuffle(struct function **f, size_t nr)
{
	for (size_t i = nr; i > 1; i--) {
		size_t j = random() % i;
		struct function *tmp = f[i - 1];

		f[i - 1] = f[j];
		f[j] = tmp;
	}
}

/* Every instruction of some functions. Return how many functions. */
static size_t define_batch(struct batch *b, struct function **f, size_t nr)
{
	size_t done;

	for (done = 0; done < nr && b->counts.armed < BATCH_PROBES; done++)
		for (uint64_t a = f[done]->addr; a < f[done]->end; a += 4)
			define(b, a);
	return done;
}

/* Arm a batch for a time, disarm it, and add up what it counted. */
static void run_batch(struct batch *b, double seconds, struct counts *sum)
{
	struct counts *c = &b->counts;
	double start = now();

	enable(b, true);
	load_pause(false);
	while (now() - start < seconds)
		usleep(100000);
	enable(b, false);
	load_pause(true);
	collect(b, NULL);
	sum->armed += c->armed;
	sum->hit += c->hit;
	sum->refused += c->refused;
	sum->hits += c->hits;
	sum->missed += c->missed;
	sum->recorded += c->recorded;
	sum->lost += c->lost;
	memset(c, 0, sizeof(*c));
}

/*
 * Every instruction of functions that run, one batch after the other, under
 * load for that long in all. The load rests while a batch is defined. Return
 * how many functions it were.
 */
static size_t soak_instructions(struct counts *sum, double seconds,
				const char *module)
{
	struct function **run = calloc(nr_functions, sizeof(*run));
	double armed = 0, start, said = now();
	struct batch batch = { .kind = 'p', .name = 'i' };
	size_t nr = 0, done = 0;

	for (size_t i = 0; i < nr_functions; i++)
		if (functions[i].hits)
			run[nr++] = &functions[i];
	if (nr < FUNCTIONS_MIN)
		die("only %zu functions run under this load", nr);
	load_start(module);
	load_pause(true);
	while (armed < seconds || done < FUNCTIONS_MIN) {
		if (done % nr == 0)
			shuffle(run, nr);
		done += define_batch(&batch, run + done % nr, nr - done % nr);
		start = now();
		run_batch(&batch, BATCH_SECONDS, sum);
		armed += now() - start;
		if (now() - said < 30)
			continue;
		said = now();
		printf("%zu functions, %.0f s\n", done, armed);
	}
	load_stop(true);
	printf("under load for %.0f s\n", armed);
	free(run);
	return done < nr ? done : nr;
}

static void report(const struct counts *counts, const char *what)
{
	printf("%s armed: %lu, refused: %lu\n", what, counts->armed,
	       counts->refused);
	for (struct reason *r = reasons; r->nr; r++)
		printf("  %8lu %s\n", r->nr, r->text);
	/* One event of all functions does not tell them apart. */
	if (counts->hit)
		printf("%s reached: %lu\n", what, counts->hit);
	printf("hits: %lu, missed: %lu, recorded: %lu, lost: %lu\n",
	       counts->hits + counts->missed, counts->missed,
	       counts->recorded, counts->lost);
	printf("accounting: exact\n");
}

int main(int argc, char **argv)
{
	struct batch all = { .kind = 'p', .name = 'f' };
	struct counts sum = { 0 };
	double seconds;
	size_t nr;

	if (argc != 5)
		return 2;
	seconds = strtod(argv[3], NULL);
	srandom(strtoul(argv[2], NULL, 0));
	setvbuf(stdout, NULL, _IOLBF, 0);
	if (!strncmp(argv[1], "function", 8) && argv[1][8] != 's') {
		soak_tracer(argv[1], seconds, argv[4]);
		return 0;
	}
	read_functions();
	events_fd = open("dynamic_events", O_WRONLY | O_APPEND);
	if (events_fd < 0)
		die("dynamic_events: %s", strerror(errno));
	if (!strcmp(argv[1], "pattern")) {
		soak_pattern(&all, seconds, argv[4]);
		report(&all.counts, argv[1]);
		return 0;
	}
	if (strcmp(argv[1], "instructions")) {
		if (!strcmp(argv[1], "returns"))
			all.kind = 'r';
		soak_functions(&all, seconds, argv[4]);
		report(&all.counts, argv[1]);
		return 0;
	}
	/* Find out which functions run at all. */
	soak_functions(&all, 20, argv[4]);
	printf("%lu functions run\n", all.counts.hit);
	memset(reasons, 0, sizeof(reasons));
	nr = soak_instructions(&sum, seconds, argv[4]);
	printf("functions probed by instruction: %zu\n", nr);
	report(&sum, "instructions");
	return 0;
}
