/* SPDX-License-Identifier: GPL-2.0-only */
/* Shared by the files direct*.c. */
#ifndef KPT_ARM64_DIRECT_H
#define KPT_ARM64_DIRECT_H

#include <linux/types.h>
#include "arch.h"

struct kpt_fetch_prog;
struct kpt_filter;

/* SP, as struct kpt_fetch_copy and predicates of filters count registers. */
#define KPT_DIRECT_SP		31

/* Predicates of a filter, at most, and words for them: ten for each, 15 for all. */
#define KPT_DIRECT_PREDS_MAX	8
#define KPT_DIRECT_FILTER_MAX	(10 * KPT_DIRECT_PREDS_MAX + 15)

/* Words for a fetch program that does more than copy registers, at most. */
#define KPT_DIRECT_FETCH_MAX	160

/* Words for each record but the first, at most: its head, and the counts of its event. */
#define KPT_DIRECT_NEXT_MAX	20

/* Words of kpt_direct_put_held_test(). */
#define KPT_DIRECT_HELD_WORDS	13

/* The literals of a recorder: where each begins, in words. */
#define KPT_DIRECT_LITERAL_CPU	0
#define KPT_DIRECT_LITERAL_READ	2	/* four: for 1, 2, 4 and 8 bytes */
#define KPT_DIRECT_LITERAL_STRING 10
#define KPT_DIRECT_LITERAL_USTRING 12

/* Room in a record for what strings need, all together. */
#define KPT_DIRECT_STRINGS	128

/* recorder_templates.c */

/* Where routines begin that are called by BLR. */
#ifdef CONFIG_ARM64_BTI_KERNEL
#define LANDING_PAD	"	hint	#34\n"		/* bti c */
#else
#define LANDING_PAD
#endif

/**
 * struct kpt_direct_templates - the templates of a recorder, in their order
 * @begin: literals
 * @stopped: something is not as in most hits, perhaps tracing_on is 0
 * @leave: memory cannot be read
 * @slow: kpt_hit() is left the hit
 * @entry: where the recorder begins
 * @saved: x11 and x12 are saved
 * @percpu: MRS of the offset of per-CPU variables
 * @add: its immediate becomes the bytes that all records take
 * @word: its immediate becomes those of the first; fetch programs are before it
 * @number: its immediate becomes the number of records
 * @clock: the counter is read, after an ISB
 * @timed: what kpt_direct_unordered replaces ends here
 * @end: the arguments of the first record are stored here
 */
struct kpt_direct_templates {
	const u32 *begin, *stopped, *leave, *slow, *entry, *saved, *percpu, *add;
	const u32 *word, *number, *clock, *timed, *end;
};

/*
 * What there are templates of: hits, returns, hits with KPT_TRACEPOINT_BIAS, and the entries
 * and returns of a function_graph.
 */
enum kpt_direct_of {
	KPT_DIRECT_OF_HIT,
	KPT_DIRECT_OF_RETURN,
	KPT_DIRECT_OF_BIASED,
	KPT_DIRECT_OF_ENTER,
	KPT_DIRECT_OF_LEAVE,
};

extern const struct kpt_direct_templates kpt_direct_templates_of[];
/* What is behind the stores. Counts of further records are at ..._count. */
extern const u32 kpt_direct_return_sign[];	/* ORR, becomes that of pac_mask */
/* In place of what is from @clock to @timed, for KPT_CLOCK_UNORDERED. */
extern const u32 kpt_direct_unordered[], kpt_direct_unordered_end[];
extern const u32 kpt_direct_tail[], kpt_direct_tail_count[], kpt_direct_tail_wake[];
extern const u32 kpt_direct_tail_end[];

/* recorder_read.c */
extern const char kpt_direct_read1[], kpt_direct_read2[];
extern const char kpt_direct_read4[], kpt_direct_read8[];
extern const char kpt_direct_string[], kpt_direct_ustring[], kpt_direct_pass[];

/**
 * struct kpt_direct_place - where a fetch program is, in a recorder
 * @begin: words from the recorder's literals to its code
 * @leave: words from the literals to where hits are left to kpt_hit()
 * @room: words that it may have, at most
 * @at: bytes from the recorder's first record to its one
 * @length: bytes that the record may take in the ring
 */
struct kpt_direct_place {
	int begin;
	int leave;
	int room;
	unsigned int at;
	unsigned int length;
};

void kpt_direct_put_address(u32 *words, u64 addr);
u32 kpt_direct_put_load(u32 *words, int *nr, unsigned int reg);
int kpt_direct_saved_at(unsigned int reg);
unsigned int kpt_direct_put_filter(u32 *words, const struct kpt_arch_direct *direct,
				   unsigned int entry, unsigned int saved, u32 percpu);
u32 kpt_direct_store(u32 reg, unsigned int size, unsigned int offset);
u32 kpt_direct_load(u32 reg, unsigned int size, unsigned int offset);
unsigned int kpt_direct_put_fetch(u32 *words, const struct kpt_fetch_prog *prog,
				  const struct kpt_direct_place *place);
bool kpt_direct_put_next(u32 *words, int *nr, unsigned int i, unsigned int at,
			 unsigned int length);
void kpt_direct_put_count(u32 *words, int *nr, unsigned int i);

/* recorder_graph.c: loads what recorders of a function_graph have saved. */
extern const u32 kpt_direct_graph_load[], kpt_direct_graph_load_end[];

void kpt_direct_set_shift(u32 *words, unsigned int shift);

/* recorder_held.c: in place of what is behind kpt_direct_tail_count. */
extern const u32 kpt_direct_held[], kpt_direct_held_hit[], kpt_direct_held_synth[];
extern const u32 kpt_direct_held_end[];

unsigned int kpt_direct_put_held_test(u32 *words, unsigned int entry);
void kpt_direct_put_held(u32 *words);

#endif
