/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Limits: how many hits may be recorded, in all or per second. A rate is kept by the
 * generic cell rate algorithm: one word that all CPUs share, without a division.
 */
#ifndef KPTRACE_LIMIT_H
#define KPTRACE_LIMIT_H

#include "lib/base/diag.h"
#include "lib/base/strbuf.h"

/* Most hits per second of a rate, so that a hit is some ticks of any counter. */
#define KPT_LIMIT_RATE_MAX	1000000
#define KPT_LIMIT_NUMBER_MAX	1000000000000ULL

/**
 * struct kpt_limit_rate - a limit as it was written
 * @number: hits, 0 for no limit
 * @seconds: in so many seconds; 0 for a total
 * @burst: of a rate: hits that may come at once
 */
struct kpt_limit_rate {
	u64 number;
	u32 seconds;
	u64 burst;
};

/**
 * struct kpt_limit - a limit with its state
 * @rate: as it was written
 * @cost: of a rate: ticks of the counter that a hit uses up; of a total 0
 * @room: ticks of a whole burst but for the last hit
 * @state: of a rate: the tick when all that was used up is there again; of a total:
 *	hits that are left
 */
struct kpt_limit {
	struct kpt_limit_rate rate;
	u64 cost;
	u64 room;
	u64 state;
};

/**
 * enum kpt_limit_result - may a hit be recorded?
 * @KPT_LIMIT_OVER: no
 * @KPT_LIMIT_TAKEN: yes
 * @KPT_LIMIT_LAST: yes, and it is the last one of a total
 */
enum kpt_limit_result { KPT_LIMIT_OVER, KPT_LIMIT_TAKEN, KPT_LIMIT_LAST };

int kpt_limit_parse(struct kpt_limit_rate *rate, const char *text, size_t len,
		    struct kpt_diag *diag);
void kpt_limit_show(struct kpt_strbuf *sb, const struct kpt_limit_rate *rate,
		    const char *burst);
void kpt_limit_init(struct kpt_limit *limit, const struct kpt_limit_rate *rate,
		    u32 ticks_per_second);
enum kpt_limit_result kpt_limit_spend(struct kpt_limit *limit, u64 now);

/**
 * kpt_limit_is_over() - would a hit be refused now?
 * @limit: the limit
 * @now: the counter
 *
 * Changes nothing.
 *
 * Context: any, BRK included.
 * Return: true if kpt_limit_spend() would return KPT_LIMIT_OVER.
 */
static __always_inline bool kpt_limit_is_over(const struct kpt_limit *limit, u64 now)
{
	u64 state = READ_ONCE(limit->state);

	if (!limit->cost)
		return !state;
	return (s64)(state - now) > (s64)limit->room;
}

#endif
