/* SPDX-License-Identifier: GPL-2.0-only */
/* Shared by the files recorder*.c. */
#ifndef KPT_ARM64_RECORDER_H
#define KPT_ARM64_RECORDER_H

#include <linux/types.h>
#include "arch.h"
#include "insn/asm.h"

struct kpt_fetch_prog;

/* SP, as struct kpt_fetch_copy and predicates of filters count registers. */
#define KPT_DIRECT_SP		31

/* Room in a record for what strings need, all together. */
#define KPT_DIRECT_STRINGS	128

/**
 * enum kpt_direct_place - labels of a recorder
 * @KPT_AT_CPU: literal: kpt_cpu
 * @KPT_AT_READ: four literals: routines of recorder_read.c, for 1, 2, 4 and 8 bytes
 * @KPT_AT_STRING: literal: one more
 * @KPT_AT_USTRING: and one more
 * @KPT_AT_OURS: three literals: addresses by which return addresses are replaced
 * @KPT_AT_REPLACED: the return address may be one of these
 * @KPT_AT_NOT_REPLACED: it is none
 * @KPT_AT_STOPPED: something is not as in most hits, perhaps tracing_on is 0
 * @KPT_AT_LEAVE: memory cannot be read
 * @KPT_AT_UNDO: the ring has no room
 * @KPT_AT_SLOW: kpt_hit() is left the hit
 * @KPT_AT_RETURN: back to the stub
 * @KPT_AT_FLAGS: the task's flags are not as in most hits
 * @KPT_AT_CALM: they are known
 * @KPT_AT_ENTRY: where the recorder begins, behind a filter
 * @KPT_AT_SAVED: x11 and x12 are saved
 * @KPT_DIRECT_PLACES: number of these
 */
enum kpt_direct_place {
	KPT_AT_CPU,
	KPT_AT_READ,
	KPT_AT_STRING = KPT_AT_READ + 4,
	KPT_AT_USTRING,
	KPT_AT_OURS,
	KPT_AT_REPLACED = KPT_AT_OURS + 3,
	KPT_AT_NOT_REPLACED,
	KPT_AT_STOPPED,
	KPT_AT_LEAVE,
	KPT_AT_UNDO,
	KPT_AT_SLOW,
	KPT_AT_RETURN,
	KPT_AT_FLAGS,
	KPT_AT_CALM,
	KPT_AT_ENTRY,
	KPT_AT_SAVED,
	KPT_DIRECT_PLACES
};

/**
 * struct kpt_direct_code - a recorder that is being written
 * @code: what is written so far; its first labels are enum kpt_direct_place
 * @direct: what it is for
 * @shape: the records
 * @nr: number of @shape
 * @length: bytes of all records in a ring; with strings, at most
 * @is_return: it checks the return address
 * @has_bias: preempt_count() is what a tracepoint has made of it
 * @has_strings: the fetch program finds out how long the record is
 */
struct kpt_direct_code {
	struct kpt_code code;
	const struct kpt_arch_direct *direct;
	const struct kpt_arch_shape *shape;
	unsigned int nr;
	unsigned int length;
	bool is_return;
	bool has_bias;
	bool has_strings;
};

/* Is it about a function_graph? Then it has one record. */
static inline bool kpt_direct_is(const struct kpt_direct_code *r,
				 enum kpt_arch_graph_place place)
{
	return r->shape->graph == place;
}

/**
 * kpt_direct_entry() - where a recorder begins: at its filter, if it has one
 * @r: a recorder that kpt_direct_write() has written
 *
 * Return: the word.
 */
static inline unsigned int kpt_direct_entry(const struct kpt_direct_code *r)
{
	return r->code.label[KPT_AT_CPU] ? 0 : r->code.label[KPT_AT_ENTRY];
}

/* recorder_emit.c */
bool kpt_direct_write(struct kpt_direct_code *r);
int kpt_direct_saved_at(unsigned int reg);
enum a64_reg kpt_direct_put_load(struct kpt_code *c, unsigned int reg);
u32 kpt_direct_store(enum a64_reg reg, unsigned int size, unsigned int offset);
void kpt_direct_put_percpu(struct kpt_code *c);
void kpt_direct_put_count(struct kpt_code *c, enum a64_reg at, enum a64_reg cpu);
void kpt_direct_put_landing_pad(struct kpt_code *c);
void kpt_direct_put_save(struct kpt_code *c);
void kpt_direct_put_load_saved(struct kpt_code *c);
void kpt_direct_put_end(struct kpt_code *c);

/* recorder_filter.c */
void kpt_direct_put_filter(struct kpt_direct_code *r);

/* recorder_fetch.c */
void kpt_direct_put_fetch(struct kpt_direct_code *r, const struct kpt_fetch_prog *prog,
			  unsigned int at);

/* recorder_graph.c */
void kpt_direct_put_graph_save(struct kpt_code *c);
void kpt_direct_put_graph_load(struct kpt_code *c);
void kpt_direct_put_graph_check(struct kpt_direct_code *r);
void kpt_direct_put_graph_timed(struct kpt_direct_code *r);
void kpt_direct_put_graph_made(struct kpt_code *c);

/* recorder_held.c */
void kpt_direct_put_held_test(struct kpt_direct_code *r);
void kpt_direct_put_held(struct kpt_code *c);

/* recorder_read.c */
extern const char kpt_direct_read1[], kpt_direct_read2[];
extern const char kpt_direct_read4[], kpt_direct_read8[];
extern const char kpt_direct_string[], kpt_direct_ustring[], kpt_direct_pass[];

#endif
