/* SPDX-License-Identifier: GPL-2.0-only */
/* Spans of time in which two clocks run together. */
#ifndef KPTRACE_EPOCH_H
#define KPTRACE_EPOCH_H

#include <kptrace/port.h>

#define KPT_EPOCHS_MAX 32

/**
 * struct kpt_epoch - where a span begins
 * @count: the counter then
 * @ns: the other clock then
 */
struct kpt_epoch {
	u64 count;
	u64 ns;
};

/**
 * struct kpt_epochs - the newest spans, the oldest of them first
 * @nr: how many
 * @epoch: the spans
 */
struct kpt_epochs {
	unsigned int nr;
	struct kpt_epoch epoch[KPT_EPOCHS_MAX];
};

/**
 * kpt_epochs_add() - a span begins
 * @all: the spans; of too many the oldest goes
 * @new: the new one
 *
 * Context: any; the caller keeps readers away.
 */
static inline void kpt_epochs_add(struct kpt_epochs *all,
				  const struct kpt_epoch *new)
{
	if (all->nr == KPT_EPOCHS_MAX)
		memmove(all->epoch, all->epoch + 1,
			--all->nr * sizeof(*all->epoch));
	all->epoch[all->nr++] = *new;
}

/**
 * kpt_epochs_find() - the span that a count lies in
 * @all: at least one span
 * @count: the counter at some time
 *
 * Context: any; the caller keeps writers away.
 * Return: the span, the oldest one for what is older still.
 */
static inline const struct kpt_epoch *
kpt_epochs_find(const struct kpt_epochs *all, u64 count)
{
	unsigned int i = all->nr - 1;

	while (i && (s64)(count - all->epoch[i].count) < 0)
		i--;
	return &all->epoch[i];
}

#endif
