/* SPDX-License-Identifier: GPL-2.0-only */
/* Shared by direct.c and direct_filter.c. */
#ifndef KPT_ARM64_DIRECT_H
#define KPT_ARM64_DIRECT_H

#include <linux/types.h>

struct kpt_fetch_prog;
struct kpt_filter;

/* SP, as struct kpt_fetch_copy and predicates of filters count registers. */
#define KPT_DIRECT_SP		31

/* Predicates of a filter, at most, and words for them: ten for each, seven for all. */
#define KPT_DIRECT_PREDS_MAX	8
#define KPT_DIRECT_FILTER_MAX	(10 * KPT_DIRECT_PREDS_MAX + 7)

/* Words for a fetch program that does more than copy registers, at most. */
#define KPT_DIRECT_FETCH_MAX	160

/* The literals of a recorder: where each begins, in words. */
#define KPT_DIRECT_LITERAL_CPU	0
#define KPT_DIRECT_LITERAL_READ	2	/* four: for 1, 2, 4 and 8 bytes */
#define KPT_DIRECT_LITERAL_STRING 10
#define KPT_DIRECT_LITERAL_USTRING 12

/* Room in a record for what strings need, all together. */
#define KPT_DIRECT_STRINGS	128

/* direct_read.c */
extern const char kpt_direct_read1[], kpt_direct_read2[];
extern const char kpt_direct_read4[], kpt_direct_read8[];
extern const char kpt_direct_string[], kpt_direct_ustring[];

u32 kpt_direct_put_load(u32 *words, int *nr, unsigned int reg);
unsigned int kpt_direct_put_filter(u32 *words, const struct kpt_filter *filter,
				   unsigned int accept, unsigned int refuse);
u32 kpt_direct_store(u32 reg, unsigned int size, unsigned int offset);
u32 kpt_direct_load(u32 reg, unsigned int size, unsigned int offset);
unsigned int kpt_direct_put_fetch(u32 *words, const struct kpt_fetch_prog *prog,
				  unsigned int length, int at, int leave);

#endif
