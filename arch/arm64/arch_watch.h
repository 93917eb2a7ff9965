/* SPDX-License-Identifier: GPL-2.0-only */
/* Bytes of memory that are watched: what arch/arm64/watch/ does, and calls. */
#ifndef KPT_ARM64_ARCH_WATCH_H
#define KPT_ARM64_ARCH_WATCH_H

#include <linux/atomic.h>
#include <linux/compiler.h>
#include <linux/err.h>
#include <linux/types.h>

struct kpt_diag;
struct kpt_strbuf;
struct perf_event;
struct pt_regs;

/**
 * struct kpt_arch_watch - bytes of memory that are watched
 * @addr: address of the first one
 * @nth: number of this watch among those of its owner
 * @index: likewise among all that are taken
 * @length: how many: 1 to 8, in one aligned word of 8 bytes; or a power of two to 2 GiB,
 *	aligned to that
 * @reads: reads are wanted
 * @writes: writes are wanted
 * @changes: only writes that change something are
 * @each_cpu: the bytes are those of each CPU's copy: @addr is an address of data of each CPU
 * @by_hits: kpt_arch_watch_move() changes @addr, which is no address of memory at first
 * @seq: changes with @addr, before it
 * @round: @seq when CPUs were interrupted last, see watch_move.c
 * @told: @seq for which kpt_hit_touch_everywhere() was called last
 * @is_taken: kpt_arch_watch_begin() has returned 0
 * @events: the kernel's event for it of each CPU, if the kernel gives registers
 * @unwatched: CPUs that had no register left for it when they came
 */
struct kpt_arch_watch {
	unsigned long addr;
	u8 nth;
	u8 index;
	u32 length;
	bool reads;
	bool writes;
	bool changes;
	bool each_cpu;
	bool by_hits;
	u32 seq;
	u32 round;
	u32 told;
	bool is_taken;
	struct perf_event *__percpu *events;
	atomic_t unwatched;
};

/**
 * kpt_arch_watch_is_set() - does a watch watch any memory?
 * @watch: the watch, which is taken
 *
 * Context: any, BRK included.
 * Return: false if its address is one that hits have not set, or have cleared.
 */
static inline bool kpt_arch_watch_is_set(const struct kpt_arch_watch *watch)
{
	return !IS_ERR_VALUE(READ_ONCE(watch->addr));
}

/**
 * kpt_arch_watch_is_block() - may these bytes be watched by one register?
 * @addr: address of the first one
 * @length: how many, as in struct kpt_arch_watch
 *
 * Context: any, BRK included.
 * Return: true if they are in one aligned word of 8 bytes, or an aligned block.
 */
static inline bool kpt_arch_watch_is_block(unsigned long addr, u32 length)
{
	u32 block = length > 8 ? length : 8;

	return (addr & (block - 1)) + length <= block;
}

/**
 * struct kpt_arch_touch - an access to watched bytes
 * @addr: the first one that was touched
 * @value: what is in all of them now; of more than 8, in the aligned word of 8 that has @addr
 * @old: what was in them before
 */
struct kpt_arch_touch {
	u64 addr;
	u64 value;
	u64 old;
};

int kpt_arch_watches_init(struct kpt_diag *diag);
int kpt_arch_watch_begin(struct kpt_arch_watch *watch, struct kpt_diag *diag);
void kpt_arch_watch_end(struct kpt_arch_watch *watch);
bool kpt_arch_watch_move(struct kpt_arch_watch *watch, unsigned long addr);
void kpt_arch_watch_clear(struct kpt_arch_watch *watch);
bool kpt_arch_is_memory(unsigned long addr);
const char *kpt_arch_watch_missed(unsigned long *place);
void kpt_arch_watches_status(struct kpt_strbuf *sb);
void kpt_arch_watches_exit(void);

/* Functions of src/ that it calls in BRK context. */
void kpt_hit_touch(struct kpt_arch_watch *watch, struct pt_regs *regs,
		   const struct kpt_arch_touch *touch, unsigned int bias);
void kpt_hit_touch_missed(struct kpt_arch_watch *watch);
void kpt_hit_touch_everywhere(struct kpt_arch_watch *watch);
void kpt_hit_touch_here(struct kpt_arch_watch *watch, bool watches);

#endif
