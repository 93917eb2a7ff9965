// SPDX-License-Identifier: GPL-2.0-only
/*
 * lines_model SYMBOLS LOG...: how often a CPU that hits has to fetch a cache line from another
 * one, or has to take it from others before it writes.
 *
 * Each LOG is of a tracer, by lines_log.c: CPUs 0 and 1 hit a probe, CPU 2 reads what CPU 0 has
 * recorded. A line that both have touched in hits is one that all CPUs share; any other one of
 * a hit each CPU has for itself. So from these three CPUs any number is made: in each round
 * every CPU does what CPU 0 did in its next hit, then each reader does with the records of every
 * CPU what CPU 2 did with the next one of CPU 0. A directory of lines (MESI, caches without an
 * end) counts.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "lines.h"

#define SYMBOLS	500000
#define STEPS	100000
#define CPUS	64
#define READERS	4
/* Readers are so many records behind. */
#define BEHIND	100
/* Lines of all that was logged: a power of two. */
#define KNOWN	(1 << 17)

static struct symbol {
	uint64_t at;
	char name[48];
} symbols[SYMBOLS];
static unsigned int nr_symbols;

/* Lines by a hash of their number: who touched them in hits, or read records. */
static struct known {
	uint64_t line;
	bool used, by_hit[2];
	/* Who has each copy now, and was it ever changed? What all share is the first one. */
	unsigned __int128 has[CPUS];
	bool changed[CPUS];
} *known;

/* What is done in a hit, or with a record: accesses[from[i]] and those up to from[i + 1]. */
static struct steps {
	struct touch {
		struct known *line;
		bool write;
	} *touches;
	size_t nr, room, from[STEPS + 1];
	unsigned int steps;
} hits, reads;

static const char *name_of(uint64_t pc, bool *is_entry)
{
	unsigned int low = 0, high = nr_symbols, mid;

	while (high - low > 1) {
		mid = (low + high) / 2;
		if (symbols[mid].at <= pc)
			low = mid;
		else
			high = mid;
	}
	*is_entry = symbols[low].at == pc;
	return symbols[low].name;
}

static struct known *find(uint64_t line)
{
	struct known *k = known + (line * 0x9e3779b97f4a7c15ULL >> 47) % KNOWN;

	while (k->used && k->line != line)
		k = k + 1 == known + KNOWN ? known : k + 1;
	k->used = true;
	k->line = line;
	return k;
}

static void add(struct steps *s, struct known *line, bool write)
{
	if (s->nr == s->room) {
		s->room = s->room ? 2 * s->room : 1 << 16;
		s->touches = realloc(s->touches, s->room * sizeof(*s->touches));
	}
	s->touches[s->nr++] = (struct touch){ line, write };
}

static void begin(struct steps *s)
{
	if (s->steps == STEPS)
		exit(2);
	s->from[s->steps++] = s->nr;
	s->from[s->steps] = s->nr;
}

/* Take what a CPU did: hits, up to the function that calls the target, or reads. */
static void take(const struct access *a, bool is_hit[], bool *is_read)
{
	bool is_entry;
	const char *name;
	struct known *line;

	if (a->kind != ENTERED) {
		if (a->cpu < 2 && is_hit[a->cpu]) {
			line = find(a->at);
			line->by_hit[a->cpu] = true;
			if (!a->cpu)
				add(&hits, line, a->kind == WRITTEN);
		} else if (a->cpu == 2 && *is_read && reads.steps) {
			add(&reads, find(a->at), a->kind == WRITTEN);
		}
		return;
	}
	name = name_of(a->at, &is_entry);
	if (a->cpu < 2) {
		if (is_entry && !strcmp(name, "kpt_target_two") && !is_hit[a->cpu]) {
			is_hit[a->cpu] = true;
			if (!a->cpu)
				begin(&hits);
		} else if (!strncmp(name, "act_", 4)) {
			is_hit[a->cpu] = false;
			hits.from[hits.steps] = hits.nr;
		}
		return;
	}
	if (is_entry && !strcmp(name, "vfs_read"))
		*is_read = true;
	else if (!strcmp(name, "ksys_read"))
		*is_read = false;
	else if (*is_read && is_entry && (!strcmp(name, "ring_buffer_consume") ||
					  !strcmp(name, "kpt_ring_next")))
		begin(&reads);
	reads.from[reads.steps] = reads.nr;
}

/* Of what readers do only that matters which is done to lines of hits. */
static void drop(struct steps *s)
{
	size_t i, to = 0;
	unsigned int step;

	for (step = 0; step < s->steps; step++) {
		i = s->from[step];
		s->from[step] = to;
		for (; i < s->from[step + 1]; i++)
			if (s->touches[i].line->by_hit[0])
				s->touches[to++] = s->touches[i];
	}
	s->nr = s->from[s->steps] = to;
}

/* A CPU touches the copy of a line. Returns whether it missed. */
static bool touch(const struct touch *t, unsigned int copy, unsigned int cpu)
{
	const unsigned __int128 me = (unsigned __int128)1 << cpu;
	struct known *k = t->line;
	bool missed;

	if (k->by_hit[0] && k->by_hit[1])
		copy = 0;
	missed = k->has[copy] & ~me && (t->write || (k->changed[copy] && !(k->has[copy] & me)));
	k->has[copy] = t->write ? me : k->has[copy] | me;
	k->changed[copy] |= t->write;
	return missed;
}

static double run(unsigned int cpus, unsigned int readers)
{
	unsigned int step, cpu, reader, counted = 0;
	unsigned long misses = 0;
	size_t i;

	for (i = 0; i < KNOWN; i++) {
		memset(known[i].has, 0, sizeof(known[i].has));
		memset(known[i].changed, 0, sizeof(known[i].changed));
	}
	for (step = 0; step < hits.steps && step < reads.steps + BEHIND; step++) {
		for (cpu = 0; cpu < cpus; cpu++)
			for (i = hits.from[step]; i < hits.from[step + 1]; i++)
				if (touch(&hits.touches[i], cpu, cpu) && step >= BEHIND)
					misses++;
		if (step < BEHIND)
			continue;
		counted++;
		for (reader = 0; reader < readers; reader++)
			for (cpu = 0; cpu < cpus; cpu++)
				for (i = reads.from[step - BEHIND];
				     i < reads.from[step - BEHIND + 1]; i++)
					touch(&reads.touches[i], cpu, CPUS + reader);
	}
	return counted ? (double)misses / counted / cpus : -1;
}

int main(int argc, char **argv)
{
	static const unsigned int cpus[] = { 1, 4, 16, CPUS }, readers[] = { 0, 1, READERS };
	bool is_hit[2], is_read;
	struct access a;
	unsigned int i, k;
	FILE *f;

	known = calloc(KNOWN, sizeof(*known));
	f = argc > 2 ? fopen(argv[1], "r") : NULL;
	if (!f || !known)
		return 2;
	while (nr_symbols < SYMBOLS && fscanf(f, "%lx|%47[^\n]%*[^\n]", &symbols[nr_symbols].at,
					      symbols[nr_symbols].name) == 2)
		nr_symbols++;
	for (argv += 2; *argv; argv++) {
		f = fopen(*argv, "r");
		if (!f)
			return 2;
		memset(known, 0, KNOWN * sizeof(*known));
		hits.nr = reads.nr = 0;
		hits.steps = reads.steps = 0;
		is_hit[0] = is_hit[1] = is_read = false;
		while (fread(&a, sizeof(a), 1, f))
			take(&a, is_hit, &is_read);
		fclose(f);
		drop(&reads);
		printf("%s: %u hits, %u records read\n", strrchr(*argv, '.') + 1, hits.steps,
		       reads.steps);
		for (i = 0; i < sizeof(cpus) / sizeof(cpus[0]); i++)
			for (k = 0; k < sizeof(readers) / sizeof(readers[0]); k++)
				printf("  %2u CPUs, %u readers: %6.3f misses a hit\n", cpus[i],
				       readers[k], run(cpus[i], readers[k]));
	}
	return 0;
}
