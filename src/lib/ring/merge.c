// SPDX-License-Identifier: GPL-2.0-only
/* A heap of CPUs by the stamps of their next records; see merge.h. */
#include "lib/base/port.h"
#include "lib/ring/merge.h"

/* Stamps may wrap. Of two equal ones that of the lower CPU is first. */
static bool is_before(const struct kpt_merge_next *a, const struct kpt_merge_next *b)
{
	s64 delta = (s64)(a->ts - b->ts);

	return delta < 0 || (!delta && a->cpu < b->cpu);
}

/* Put @one where the place @at is free, or further down. */
static void merge_sink(struct kpt_merge *m, unsigned int at, struct kpt_merge_next one)
{
	unsigned int child;

	for (; (child = 2 * at + 1) < m->nr; at = child) {
		if (child + 1 < m->nr && is_before(&m->next[child + 1], &m->next[child]))
			child++;
		if (is_before(&one, &m->next[child]))
			break;
		m->next[at] = m->next[child];
	}
	m->next[at] = one;
}

/**
 * kpt_merge_add() - a CPU has a next record
 * @m: does not have the CPU yet
 * @cpu: the CPU
 * @ts: stamp of the record
 *
 * Context: any.
 */
void kpt_merge_add(struct kpt_merge *m, u32 cpu, u64 ts)
{
	struct kpt_merge_next one = { ts, cpu };
	unsigned int at = m->nr++, parent;

	for (; at; at = parent) {
		parent = (at - 1) / 2;
		if (!is_before(&one, &m->next[parent]))
			break;
		m->next[at] = m->next[parent];
	}
	m->next[at] = one;
}

/**
 * kpt_merge_advance() - the CPU that has the oldest record goes on to another one
 * @m: not empty
 * @ts: stamp of that
 *
 * Context: any.
 */
void kpt_merge_advance(struct kpt_merge *m, u64 ts)
{
	merge_sink(m, 0, (struct kpt_merge_next){ ts, m->next[0].cpu });
}

/**
 * kpt_merge_drop() - the CPU that has the oldest record has no more
 * @m: not empty
 *
 * Context: any.
 */
void kpt_merge_drop(struct kpt_merge *m)
{
	m->nr--;
	merge_sink(m, 0, m->next[m->nr]);
}
