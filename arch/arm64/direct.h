/* SPDX-License-Identifier: GPL-2.0-only */
/* Shared by direct.c and direct_filter.c. */
#ifndef KPT_ARM64_DIRECT_H
#define KPT_ARM64_DIRECT_H

#include <linux/types.h>

struct kpt_filter;

/* SP, as struct kpt_fetch_copy and predicates of filters count registers. */
#define KPT_DIRECT_SP		31

/* Predicates of a filter, at most, and words for them: ten for each, seven for all. */
#define KPT_DIRECT_PREDS_MAX	8
#define KPT_DIRECT_FILTER_MAX	(10 * KPT_DIRECT_PREDS_MAX + 7)

u32 kpt_direct_put_load(u32 *words, int *nr, unsigned int reg);
unsigned int kpt_direct_put_filter(u32 *words, const struct kpt_filter *filter,
				   unsigned int accept, unsigned int refuse);

#endif
