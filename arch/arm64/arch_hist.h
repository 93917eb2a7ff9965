/* SPDX-License-Identifier: GPL-2.0-only */
/* Histograms as recorders count in them: what src/parts/hist tells hist/recorder_hist.c. */
#ifndef KPT_ARM64_ARCH_HIST_H
#define KPT_ARM64_ARCH_HIST_H

#include <linux/atomic.h>
#include <linux/types.h>

/* Instructions that count in a histogram, at most. */
#define KPT_ARCH_HIST_OPS	24

/**
 * enum kpt_arch_hist_code - an instruction that counts a hit in a histogram
 * @KPT_ARCH_HIST_LOAD: push a number of the record
 * @KPT_ARCH_HIST_CPU: push the number of the CPU
 * @KPT_ARCH_HIST_CONST: push a constant
 * @KPT_ARCH_HIST_LOG2: replace the number on top by the exponent of the least power of two
 *	that is not less
 * @KPT_ARCH_HIST_BUCKET: replace it by the least one of its bucket
 * @KPT_ARCH_HIST_NEGATE: negate it
 * @KPT_ARCH_HIST_PLUS: replace the two on top, as kpt_hist_combine() says
 * @KPT_ARCH_HIST_MINUS: likewise
 * @KPT_ARCH_HIST_TIMES: likewise
 * @KPT_ARCH_HIST_DIVIDE: likewise
 * @KPT_ARCH_HIST_KEY: pop a number: it is the next key
 * @KPT_ARCH_HIST_TEXT: a string of the record, given by its kpt_data_loc(), is the next key
 * @KPT_ARCH_HIST_COMM: the name of the task is
 * @KPT_ARCH_HIST_STACK: the stack is: the number of addresses, and these
 * @KPT_ARCH_HIST_SUM: pop a number: the next sum of the entry grows by it; behind all keys
 */
enum kpt_arch_hist_code {
	KPT_ARCH_HIST_LOAD,
	KPT_ARCH_HIST_CPU,
	KPT_ARCH_HIST_CONST,
	KPT_ARCH_HIST_LOG2,
	KPT_ARCH_HIST_BUCKET,
	KPT_ARCH_HIST_NEGATE,
	KPT_ARCH_HIST_PLUS,
	KPT_ARCH_HIST_MINUS,
	KPT_ARCH_HIST_TIMES,
	KPT_ARCH_HIST_DIVIDE,
	KPT_ARCH_HIST_KEY,
	KPT_ARCH_HIST_TEXT,
	KPT_ARCH_HIST_COMM,
	KPT_ARCH_HIST_STACK,
	KPT_ARCH_HIST_SUM,
};

/**
 * struct kpt_arch_hist_op - such an instruction
 * @code: enum kpt_arch_hist_code
 * @is_signed: of a number of the record
 * @size: its bytes
 * @offset: where the number or kpt_data_loc() is in the record
 * @key: where a key is in that of the entry
 * @number: a constant, or the width of a bucket
 */
struct kpt_arch_hist_op {
	u8 code;
	bool is_signed;
	u8 size;
	u16 offset;
	u16 key;
	u64 number;
};

/**
 * struct kpt_arch_hist - a histogram that a recorder counts hits in
 * @trigger: for kpt_hit_recorded(), which counts what code does not
 * @makes_events: that may make records of synthetic events
 * @wants_time: it wants the time of the record
 * @nr: number of @op; 0: code counts nothing
 * @nr_keys: those of them that make the key
 * @op: the program. Hashes of keys are as kpt_hist_mix() makes them
 * @paused: no hit counts while it is true
 * @live: nor while it is NULL; else it is the map
 * @last: the mark that hits have noted
 * @mark: the newest mark: a hit that finds a later one than @last goes to kpt_hit_marked()
 * @entries: the first entry
 * @entry_size: bytes of each
 * @slots: where the map has its slots: each is 1 + number of an entry, or 0
 * @shift: a hash shifted by this is the index of a slot
 * @key: where an entry has its key
 * @sum: where it has its sums
 */
struct kpt_arch_hist {
	void *trigger;
	bool makes_events;
	bool wants_time;
	u8 nr;
	u8 nr_keys;
	struct kpt_arch_hist_op op[KPT_ARCH_HIST_OPS];
	const bool *paused;
	void *const *live;
	const u64 *last;
	const atomic64_t *mark;
	const void *entries;
	u32 entry_size;
	u16 slots;
	u8 shift;
	u8 key;
	u8 sum;
};

#endif
