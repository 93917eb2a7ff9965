// SPDX-License-Identifier: GPL-2.0-only
/*
 * The code of a recorder (recorder.c) but for what recorder_filter.c, _fetch.c, _held.c and
 * _graph.c write. Registers are as there.
 */
#include "kernel/compat.h"
#include <linux/kernel.h>
#include <linux/sched.h>
#include <linux/thread_info.h>
#include <asm/cpufeature.h>
#include <asm/virt.h>
#include "kernel/clock.h"
#include "kernel/cpu.h"
#include "lib/fetch/fetch.h"
#include "lib/record/record.h"
#include "lib/ring/ring.h"
#include "arch_compat.h"
#include "recorder/recorder.h"
#include "engine.h"

/* Registers that a recorder stores, at most. */
#define COPIES_MAX	40

/* How much before its place a CPU may read the counter: less than 1 << this. */
#define EARLY_BITS	12

#define REG_LR		30

#define RING(member)	offsetof(struct kpt_ring, member)
#define TASK(member)	offsetof(struct task_struct, member)

/**
 * kpt_direct_saved_at() - find where a scratch register is saved
 * @reg: number of the register
 *
 * Context: process context.
 * Return: bytes from SP in a recorder; -1: it is not one.
 */
int kpt_direct_saved_at(unsigned int reg)
{
	if (reg >= 9 && reg <= 15)
		return 16 + (reg - 9) * 8;
	return reg == 16 ? 0 : reg == 17 ? 72 : reg == 30 ? 8 : -1;
}

/**
 * kpt_direct_put_load() - have a register of the probed code in a register
 * @c: code; x13 changes if the recorder has changed the register
 * @reg: its number, KPT_DIRECT_SP for SP
 *
 * Context: process context.
 * Return: the register that has its value then.
 */
enum a64_reg kpt_direct_put_load(struct kpt_code *c, unsigned int reg)
{
	if (reg == KPT_DIRECT_SP)
		kpt_put(c, a64_add_i(X13, SP, KPT_DIRECT_FRAME));
	else if (kpt_direct_saved_at(reg) >= 0)
		kpt_put(c, a64_ldr(X13, SP, kpt_direct_saved_at(reg)));
	else
		return reg;
	return X13;
}

/**
 * kpt_direct_store() - encode the store of a register in the record
 * @reg: the register
 * @size: its low bytes that are stored: 1, 2, 4 or 8
 * @offset: where in the record; x10 is its address in the ring
 *
 * Context: process context.
 * Return: the instruction, 0 if the offset is out of reach.
 */
u32 kpt_direct_store(enum a64_reg reg, unsigned int size, unsigned int offset)
{
	return a64_store(size, reg, X10, sizeof(struct kpt_ring_header) + offset);
}

/**
 * kpt_direct_put_percpu() - have the offset of per-CPU variables in x10
 * @c: code
 *
 * A kernel at EL2 keeps it in TPIDR_EL2.
 *
 * Context: process context.
 */
void kpt_direct_put_percpu(struct kpt_code *c)
{
	kpt_put(c, a64_mrs(X10, is_kernel_in_hyp_mode() ? A64_TPIDR_EL2 : A64_TPIDR_EL1));
}

/**
 * kpt_direct_put_count() - add 1 to a counter
 * @c: code; x14 changes
 * @at: has an address
 * @cpu: is added to it
 *
 * Context: process context.
 */
void kpt_direct_put_count(struct kpt_code *c, enum a64_reg at, enum a64_reg cpu)
{
	kpt_put(c, a64_ldr_at(X14, at, cpu));
	kpt_put(c, a64_add_i(X14, X14, 1));
	kpt_put(c, a64_str_at(X14, at, cpu));
}

/**
 * kpt_direct_put_landing_pad() - begin code that is called by BLR
 * @c: code
 *
 * Context: process context.
 */
void kpt_direct_put_landing_pad(struct kpt_code *c)
{
	if (IS_ENABLED(CONFIG_ARM64_BTI_KERNEL))
		kpt_put(c, A64_BTI_C);
}

/**
 * kpt_direct_put_save() - save what C may change, but for scratch registers, where SP is
 * @c: code
 *
 * Context: process context.
 */
void kpt_direct_put_save(struct kpt_code *c)
{
	kpt_put(c, a64_stp(X0, X1, SP, 0));
	kpt_put(c, a64_stp(X2, X3, SP, 16));
	kpt_put(c, a64_stp(X4, X5, SP, 32));
	kpt_put(c, a64_stp(X6, X7, SP, 48));
	kpt_put(c, a64_stp(X8, X18, SP, 64));
}

/**
 * kpt_direct_put_load_saved() - undo kpt_direct_put_save()
 * @c: code
 *
 * Context: process context.
 */
void kpt_direct_put_load_saved(struct kpt_code *c)
{
	kpt_put(c, a64_ldp(X8, X18, SP, 64));
	kpt_put(c, a64_ldp(X6, X7, SP, 48));
	kpt_put(c, a64_ldp(X4, X5, SP, 32));
	kpt_put(c, a64_ldp(X2, X3, SP, 16));
	kpt_put(c, a64_ldp(X0, X1, SP, 0));
}

/**
 * kpt_direct_put_end() - load scratch registers, and return to the stub
 * @c: code
 *
 * Context: process context.
 */
void kpt_direct_put_end(struct kpt_code *c)
{
	kpt_put(c, a64_ldp(X11, X12, SP, 32));
	kpt_put(c, a64_ldp(X13, X14, SP, 48));
	kpt_put(c, a64_ldp(X15, X17, SP, 64));
	kpt_put(c, A64_RET);
}

/**
 * kpt_direct_put_unsigned() - set the bits of a return address that a signature occupies
 * @c: code; the address is in x13
 *
 * Context: process context.
 */
void kpt_direct_put_unsigned(struct kpt_code *c)
{
	kpt_put(c, a64_orr_i(X13, X13, ~0ULL << vabits_actual));
}

/* Most return addresses differ in a common bit from all that replace some. */
static void put_return_check(struct kpt_code *c)
{
	kpt_put(c, a64_ldr(X13, SP, 8));
	kpt_put(c, a64_ldp(X14, X10, X11, KPT_CPU(return_bits)));
	kpt_put(c, a64_and(X14, X14, X13));
	kpt_put(c, a64_eor(X14, X14, X10));
	kpt_put_to(c, a64_cbz(X14), KPT_AT_REPLACED);
	kpt_here(c, KPT_AT_NOT_REPLACED);
}

/*
 * Of several events, kpt_hit() counts what is filtered; calls end, and histograms count,
 * in any case.
 */
static bool counts_unwanted(const struct kpt_direct_code *r)
{
	return r->nr == 1 && !r->shape->is_held && !kpt_direct_is(r, KPT_ARCH_GRAPH_LEAVE);
}

/* Where hits are left to kpt_hit(). */
static void put_slow(struct kpt_direct_code *r)
{
	struct kpt_code *c = &r->code;

	kpt_here(c, KPT_AT_LEAVE);
	kpt_put(c, a64_ldr(X30, SP, KPT_DIRECT_STUB));
	kpt_here(c, KPT_AT_UNDO);
	kpt_put(c, a64_str_w(XZR, X11, KPT_CPU(depth)));
	kpt_here(c, KPT_AT_SLOW);
	if (!counts_unwanted(r))
		kpt_here(c, KPT_AT_STOPPED);
	if (r->shape->graph)
		kpt_direct_put_graph_load(c);
	kpt_put(c, a64_add_i(X30, X30, KPT_JUMP_SLOW));
	kpt_direct_put_end(c);
}

/* Branch to a routine, which returns to the stub. */
static void put_branch(struct kpt_direct_code *r, enum kpt_direct_place at,
		       enum kpt_direct_routine routine)
{
	kpt_here(&r->code, at);
	kpt_put_value(&r->code, X13, kpt_direct_routine(routine));
	kpt_put(&r->code, a64_ret(X13));
}

/* The return address may be one that replaces another: then kpt_hit() is left the hit. */
static void put_replaced(struct kpt_code *c)
{
	kpt_here(c, KPT_AT_REPLACED);
	kpt_put(c, a64_str(X30, SP, KPT_DIRECT_STUB));
	kpt_put_value(c, X10, kpt_direct_routine(KPT_DIRECT_REPLACED));
	kpt_put(c, a64_blr(X10));
	kpt_put_to(c, A64_B, KPT_AT_LEAVE);
	kpt_put(c, a64_ldr(X30, SP, KPT_DIRECT_STUB));
	kpt_put_to(c, A64_B, KPT_AT_NOT_REPLACED);
}

/* x15 = x15 | @flag if a bit of @reg is set */
static void put_flag_if(struct kpt_code *c, enum a64_reg reg, unsigned int bit, u64 flag)
{
	unsigned int not_set = kpt_label(c);

	kpt_put_to(c, a64_tbz(reg, bit), not_set);
	kpt_put(c, a64_orr_i(X15, X15, KPT_DIRECT_FLAG(flag)));
	kpt_here(c, not_set);
}

/* From kpt_hit_context(): is it a hardirq, or an NMI, in the bits of x14? */
static void put_irq_flags(struct kpt_code *c)
{
	unsigned int hardirq = kpt_label(c), none = kpt_label(c);

	kpt_put(c, a64_and_i(X10, X14, HARDIRQ_MASK | NMI_MASK));
	kpt_put_to(c, a64_cbz(X10), none);
	kpt_put(c, a64_and_i(X12, X10, NMI_MASK));
	kpt_put_to(c, a64_cbz(X12), hardirq);
	kpt_put(c, a64_orr_i(X15, X15, KPT_DIRECT_FLAG(KPT_FLAG_NMI)));
	kpt_put(c, a64_and_i(X10, X10, HARDIRQ_MASK));
	kpt_put_to(c, a64_cbz(X10), none);
	kpt_here(c, hardirq);
	kpt_put(c, a64_orr_i(X15, X15, KPT_DIRECT_FLAG(KPT_FLAG_HARDIRQ)));
	kpt_here(c, none);
}

/* Is it a softirq, or are those off? */
static void put_softirq_flags(struct kpt_code *c)
{
	unsigned int on = kpt_label(c);

	kpt_put(c, a64_ubfx(X10, X14, 8, 1));
	kpt_put(c, a64_orr_lsl(X15, X15, X10, 52));
	kpt_put(c, a64_ubfx(X10, X14, 9, 7));
	kpt_put_to(c, a64_cbz(X10), on);
	kpt_put(c, a64_orr_i(X15, X15, KPT_DIRECT_FLAG(KPT_FLAG_BH_OFF)));
	kpt_here(c, on);
}

/*
 * x15 = x15 | kpt_hit_context(0) << 48, from what the task has in x13 and x14; x10 and x12
 * change. Depths of more than 15 are left to kpt_hit().
 */
static void put_flags(struct kpt_code *c)
{
	kpt_here(c, KPT_AT_FLAGS);
	kpt_put(c, a64_ubfx(X10, X14, 4, 4));
	kpt_put_to(c, a64_cbnz(X10), KPT_AT_SLOW);
	kpt_put(c, a64_bfi(X15, X14, 56, 4));
	if (KPT_TASK_MIGRATION) {
		kpt_put(c, a64_load(2, X10, X12, KPT_TASK_MIGRATION));
		kpt_put(c, a64_orr_lsl(X15, X15, X10, 60));
		kpt_put(c, a64_lsr(X10, X10, 4));
		kpt_put_to(c, a64_cbnz(X10), KPT_AT_SLOW);
	}
	put_irq_flags(c);
	put_softirq_flags(c);
	put_flag_if(c, X14, 32, KPT_FLAG_PREEMPT_RESCHED);
	if (KPT_TIF_LAZY != 0)
		put_flag_if(c, X13, ilog2(KPT_TIF_LAZY), KPT_FLAG_NEED_RESCHED_LAZY);
	kpt_put_to(c, a64_tbz(X13, ilog2(_TIF_NEED_RESCHED)), KPT_AT_CALM);
	kpt_put(c, a64_orr_i(X15, X15, KPT_DIRECT_FLAG(KPT_FLAG_NEED_RESCHED)));
	kpt_put_to(c, A64_B, KPT_AT_CALM);
}

/* x13 = 0 if x13 is and the CPU's noted name at @at is the task's; changes x14 and x17 */
static void put_compare_name(struct kpt_code *c, unsigned int at)
{
	kpt_put(c, a64_ldr(X14, X11, KPT_CPU(comm) + at));
	kpt_put(c, a64_movz(X17, TASK(comm) + at, 0));
	kpt_put(c, a64_ldr_at(X17, X12, X17));
	kpt_put(c, a64_eor(X14, X14, X17));
	kpt_put(c, a64_orr(X13, X13, X14));
}

/* Save what the stub has not saved, nor the filter. */
static void put_entry(struct kpt_direct_code *r)
{
	struct kpt_code *c = &r->code;

	if (!r->is_wide)
		kpt_put(c, a64_stp(X11, X12, SP, 32));
	kpt_put(c, a64_stp(X13, X14, SP, 48));
	kpt_put(c, a64_stp(X15, X17, SP, 64));
	if (r->shape->graph)
		kpt_direct_put_graph_save(c);
	kpt_direct_put_percpu(c);
	kpt_put_value(c, X11, (unsigned long)&kpt_cpu);
	kpt_put(c, a64_add(X11, X11, X10));
	kpt_put(c, a64_mrs(X12, A64_SP_EL0));
}

/*
 * No hit in progress, and the task's name is noted? See kpt_comm_renamed(). No stop, no owner,
 * no open record?
 */
static void put_ask(struct kpt_direct_code *r)
{
	struct kpt_code *c = &r->code;

	kpt_put(c, a64_ldr(X13, X11, KPT_CPU(pid)));	/* and depth */
	kpt_put(c, a64_ldr_w(X15, X12, TASK(pid)));
	kpt_put(c, a64_eor(X13, X13, X15));
	/* Without tracepoints nobody tells that a task is renamed. */
	if (!IS_ENABLED(CONFIG_TRACEPOINTS)) {
		put_compare_name(c, 0);
		put_compare_name(c, 8);
	}
	kpt_put(c, a64_ldp(X14, X17, X9, KPT_DIRECT(stops)));	/* and ring */
	kpt_put(c, a64_add(X17, X17, X10));
	kpt_put(c, a64_ldr_w(X14, X14, 0));
	kpt_put(c, a64_orr(X13, X13, X14));
	kpt_put(c, a64_ldar(X14, X17));		/* pairs: rings_exchange() */
	kpt_put(c, a64_orr(X13, X13, X14));
	kpt_put_to(c, a64_cbnz(X13), KPT_AT_STOPPED);
	if (r->is_return)
		put_return_check(c);
	if (r->shape->graph)
		kpt_direct_put_graph_check(r);
}

/* As kpt_hit_tracepoint() does: not all tracepoints have switched preemption off. */
static void put_bias(struct kpt_code *c)
{
	unsigned int none = kpt_label(c);

	kpt_put(c, a64_and_i(X10, X14, PREEMPT_MASK));
	kpt_put_to(c, a64_cbz(X10), none);
	kpt_put(c, a64_add_i(X14, X14, -1));
	kpt_here(c, none);
}

/* kpt_hit_is_calm()? Then interrupts may be masked, and nothing else is recorded. */
static void put_context(struct kpt_direct_code *r)
{
	unsigned int irqs_on = kpt_label(&r->code);
	struct kpt_code *c = &r->code;

	if (KPT_TASK_FLAGS_BESIDE_COUNT) {
		kpt_put(c, a64_ldp(X13, X14, X12, TASK(thread_info.flags)));
	} else {
		kpt_put(c, a64_ldr(X13, X12, TASK(thread_info.flags)));
		kpt_put(c, a64_ldr(X14, X12, TASK(thread_info.preempt_count)));
	}
	if (r->has_bias)
		put_bias(c);
	kpt_put(c, a64_eor_i(X14, X14, PREEMPT_ENABLED));
	kpt_put_to(c, a64_tbnz(X13, ilog2(_TIF_NEED_RESCHED)), KPT_AT_FLAGS);
	if (KPT_TIF_LAZY != 0)
		kpt_put_to(c, a64_tbnz(X13, ilog2(KPT_TIF_LAZY)), KPT_AT_FLAGS);
	if (KPT_TASK_MIGRATION) {
		kpt_put(c, a64_load(2, X10, X12, KPT_TASK_MIGRATION));
		kpt_put(c, a64_orr(X10, X10, X14));
		kpt_put_to(c, a64_cbnz(X10), KPT_AT_FLAGS);
	} else {
		kpt_put_to(c, a64_cbnz(X14), KPT_AT_FLAGS);
	}
	kpt_here(c, KPT_AT_CALM);
	kpt_put_to(c, a64_tbz(X16, 7), irqs_on);	/* DAIF.I */
	kpt_put(c, a64_orr_i(X15, X15, KPT_DIRECT_FLAG(KPT_FLAG_IRQS_OFF)));
	kpt_here(c, irqs_on);
}

/* kpt_ring_begin(). From here on hits in an NMI are missed. */
static void put_open(struct kpt_direct_code *r)
{
	struct kpt_code *c = &r->code;

	kpt_put(c, a64_str_w(X30, X11, KPT_CPU(depth)));
	kpt_put(c, a64_ldp(X14, X12, X17, RING(claim)));	/* and write */
	kpt_put(c, a64_ldp(X13, X10, X17, RING(seq)));		/* and base */
	kpt_put(c, a64_add(X10, X10, X12));
	kpt_put(c, a64_add_i(X12, X12, r->length));
	kpt_put(c, a64_sub(X14, X14, X12));
	kpt_put_to(c, a64_tbnz(X14, 63), KPT_AT_UNDO);
}

/* Without an ISB the counter may be read before what the ring's last record was timed by. */
static void put_clock_unordered(struct kpt_code *c)
{
	unsigned int later = kpt_label(c);

	kpt_put(c, kpt_counter_word(a64_mrs(X13, A64_CNTVCT)));
	kpt_put(c, a64_str(X14, X10, 0));
	kpt_put(c, a64_ldr(X14, X17, RING(stamp)));
	kpt_put(c, a64_sub(X14, X13, X14));
	/* A count much before that has another reason, such as hibernation. */
	kpt_put(c, a64_mvn_asr(X14, X14, EARLY_BITS));
	kpt_put_to(c, a64_cbnz(X14), later);
	kpt_put(c, a64_ldr(X13, X17, RING(stamp)));
	kpt_here(c, later);
	kpt_put(c, a64_str(X13, X10, 8));
	kpt_put(c, a64_str(X13, X17, RING(stamp)));
}

/* CNTVCTSS_EL0 is read in its place without an ISB (Arm ARM D12.2.1, FEAT_ECV). */
static void put_clock(struct kpt_code *c)
{
	bool is_ordered = kpt_arch_counter_is_ordered();

	kpt_put(c, is_ordered ? A64_NOP : A64_ISB);
	kpt_put(c, kpt_counter_word(a64_mrs(X13, is_ordered ? A64_CNTVCTSS : A64_CNTVCT)));
	kpt_put(c, a64_stp(X14, X13, X10, 0));
}

/* Numbers and time of the records; the first one's struct kpt_ring_header and head. */
static void put_first(struct kpt_direct_code *r)
{
	struct kpt_code *c = &r->code;

	if (r->has_strings)
		kpt_put(c, a64_add(X12, X12, X14));
	else
		kpt_put(c, a64_movz_w(X14, r->shape->length));
	kpt_put(c, a64_orr_lsl(X14, X14, X13, 32));
	kpt_put(c, a64_add_i(X13, X13, r->nr));
	kpt_put(c, a64_stp(X12, X13, X17, RING(write)));	/* and seq */
	if (r->shape->is_unordered)
		put_clock_unordered(c);
	else
		put_clock(c);
	if (r->shape->graph)
		kpt_direct_put_graph_timed(r);
	/* What is in x15 changes its halves. */
	kpt_put(c, a64_ldp(X13, X14, X9, KPT_DIRECT(first.type)));	/* and ip */
	kpt_put(c, a64_orr_ror(X15, X13, X15, 32));
	kpt_put(c, a64_stp(X15, X14, X10, sizeof(struct kpt_ring_header)));
	if (kpt_direct_is(r, KPT_ARCH_GRAPH_ENTER))
		kpt_direct_put_graph_made(c);
}

/* Where in kpt_arch_direct.more the event of record @i is. */
static unsigned int more_at(unsigned int i, unsigned int member)
{
	return (i - 1) * sizeof(struct kpt_arch_record) + member;
}

/*
 * The struct kpt_ring_header and the head of record @i, @at bytes behind the first one, in
 * which there are the first one's number and its time. x15 gets its common fields.
 */
static void put_next(struct kpt_direct_code *r, unsigned int i, unsigned int at)
{
	struct kpt_code *c = &r->code;

	kpt_put(c, a64_ldr_w(X13, X10, 4));
	kpt_put(c, a64_movz_w(X14, r->shape[i].length));
	kpt_put(c, a64_add_i_w(X13, X13, i));
	kpt_put(c, a64_orr_lsl(X14, X14, X13, 32));
	kpt_put(c, a64_ldr(X13, X10, 8));
	kpt_put(c, a64_stp(X14, X13, X10, at));
	kpt_put(c, a64_ldr(X14, X9, KPT_DIRECT(more)));
	kpt_put(c, a64_ldp(X13, X14, X14,
			   more_at(i, offsetof(struct kpt_arch_record, type))));
	kpt_put(c, a64_bfi(X15, X13, 0, 16));
	kpt_put(c, a64_stp(X15, X14, X10, at + sizeof(struct kpt_ring_header)));
}

static u32 store_pair(enum a64_reg reg, enum a64_reg next, unsigned int offset)
{
	return a64_stp(reg, next, X10, sizeof(struct kpt_ring_header) + offset);
}

/* Is a register stored as it is: all of it, and the recorder has not changed it? */
static bool is_plain(const struct kpt_fetch_copy *copy)
{
	return copy->size == 8 && copy->reg < KPT_DIRECT_SP &&
	       kpt_direct_saved_at(copy->reg) < 0;
}

/*
 * kpt_record_return.ret_ip of the record @at bytes behind the first one; and the first of
 * @nr copies, if one instruction stores both. Returns the number of copies that it stores.
 */
static unsigned int put_return(struct kpt_code *c, const struct kpt_fetch_copy *copy, int nr,
			       unsigned int at)
{
	unsigned int offset = offsetof(struct kpt_record_return, ret_ip);

	BUILD_BUG_ON(offsetof(struct kpt_record_return, ret_ip) % 8);
	kpt_direct_put_load(c, REG_LR);
	if (system_supports_address_auth())
		kpt_direct_put_unsigned(c);
	if (nr && is_plain(copy) && copy->offset == offset + 8 &&
	    store_pair(X13, copy->reg, at + offset)) {
		kpt_put(c, store_pair(X13, copy->reg, at + offset));
		return 1;
	}
	kpt_put(c, kpt_direct_store(X13, 8, at + offset));
	return 0;
}

/* Returns the number of @copy that were stored, of @nr. */
static unsigned int put_store(struct kpt_code *c, const struct kpt_fetch_copy *copy, int nr,
			      unsigned int at)
{
	unsigned int offset = at + copy->offset;

	if (nr > 1 && is_plain(copy) && is_plain(copy + 1) &&
	    copy[1].offset == copy->offset + 8 &&
	    store_pair(copy->reg, copy[1].reg, offset)) {
		kpt_put(c, store_pair(copy->reg, copy[1].reg, offset));
		return 2;
	}
	c->failed |= copy->reg > KPT_DIRECT_SP;
	kpt_put(c, kpt_direct_store(kpt_direct_put_load(c, copy->reg), copy->size, offset));
	return 1;
}

/*
 * What a record consists of but its fetch program and its head. @left: more copies of
 * registers that there is room for.
 */
static void put_record(struct kpt_direct_code *r, const struct kpt_arch_shape *shape,
		       unsigned int at, int *left)
{
	struct kpt_fetch_copy copy[COPIES_MAX];
	struct kpt_code *c = &r->code;
	int nr, done = 0;

	if (shape->graph) {
		kpt_direct_put_graph_load(c);
		return;
	}
	nr = max(kpt_fetch_copies(shape->prog, copy, ARRAY_SIZE(copy)), 0);
	*left -= nr;
	c->failed |= *left < 0;
	if (shape->is_return)
		done = put_return(c, copy, nr, at);
	while (done < nr && !c->failed)
		done += put_store(c, copy + done, nr - done, at);
}

static void put_records(struct kpt_direct_code *r)
{
	unsigned int i, at = r->shape->length;
	int left = COPIES_MAX;

	put_record(r, r->shape, 0, &left);
	for (i = 1; i < r->nr; at += r->shape[i++].length) {
		put_next(r, i, at);
		put_record(r, &r->shape[i], at, &left);
	}
}

static void put_fetches(struct kpt_direct_code *r)
{
	struct kpt_fetch_copy copy[COPIES_MAX];
	const struct kpt_arch_shape *s;
	unsigned int at = 0;

	for (s = r->shape; s < r->shape + r->nr; at += s++->length)
		if (!s->graph && kpt_fetch_copies(s->prog, copy, ARRAY_SIZE(copy)) < 0)
			kpt_direct_put_fetch(r, s->prog, at);
}

static void put_counts(struct kpt_direct_code *r)
{
	struct kpt_code *c = &r->code;
	unsigned int i;

	kpt_put(c, a64_ldp(X13, X15, X9, KPT_DIRECT(first.recorded)));	/* and waiters */
	kpt_direct_put_count(c, X13, X11);		/* kpt_arch_counter_at() */
	for (i = 1; i < r->nr; i++) {
		kpt_put(c, a64_ldr(X13, X9, KPT_DIRECT(more)));
		kpt_put(c, a64_ldr(X13, X13,
				   more_at(i, offsetof(struct kpt_arch_record, recorded))));
		kpt_direct_put_count(c, X13, X11);
	}
}

static void put_publish(struct kpt_code *c)
{
	kpt_put(c, a64_add_i(X13, X17, RING(commit)));
	kpt_put(c, a64_stlr(X12, X13));		/* publish:A */
	/* kpt_buffer_has_waiter() */
	kpt_put(c, a64_ldar_w(X13, X15));
	kpt_put_to(c, a64_cbnz_w(X13), KPT_AT_WAITS);
	kpt_put(c, a64_str_w(XZR, X11, KPT_CPU(depth)));
	kpt_direct_put_end(c);
}

static void check_layout(void)
{
	BUILD_BUG_ON(KPT_CPU(pid) != 0);
	BUILD_BUG_ON(KPT_CPU(depth) != 4);
	BUILD_BUG_ON(KPT_CPU(return_set) != KPT_CPU(return_bits) + 8);
	BUILD_BUG_ON(KPT_DIRECT(code) != 0);
	BUILD_BUG_ON(KPT_DIRECT(ring) != KPT_DIRECT(stops) + 8);
	BUILD_BUG_ON(KPT_DIRECT(waiters) != KPT_DIRECT(first.recorded) + 8);
	BUILD_BUG_ON(KPT_DIRECT(first.ip) != KPT_DIRECT(first.type) + 8);
	BUILD_BUG_ON(RING(owner) != 0);
	BUILD_BUG_ON(RING(state) != 4);
	BUILD_BUG_ON(RING(write) != RING(claim) + 8);
	BUILD_BUG_ON(RING(seq) != RING(claim) + 16);
	BUILD_BUG_ON(RING(base) != RING(claim) + 24);
	BUILD_BUG_ON(PREEMPT_MASK != 0xff || SOFTIRQ_MASK != 0xff00);
	BUILD_BUG_ON(PREEMPT_ENABLED != BIT_ULL(32));
	BUILD_BUG_ON(KPT_TRACEPOINT_BIAS > 1);
	BUILD_BUG_ON(KPT_FLAG_IRQS_OFF != 1 || KPT_FLAG_SOFTIRQ != 1 << 4);
}

/* What runs at most hits, in the order in which it runs. */
static void put_hot(struct kpt_direct_code *r)
{
	struct kpt_code *c = &r->code;

	kpt_direct_put_landing_pad(c);
	if (r->shape->is_held)
		kpt_direct_put_held_test(r);
	else if (r->filter)
		kpt_direct_put_filter(r);
	put_entry(r);
	put_ask(r);
	put_context(r);
	put_open(r);
	put_fetches(r);
	put_first(r);
	put_records(r);
	put_counts(r);
	if (r->shape->is_held)
		kpt_direct_put_held(c);
	else
		put_publish(c);
}

static void put_cold(struct kpt_direct_code *r)
{
	if (r->shape->is_held)
		kpt_direct_put_held_cold(&r->code);
	else
		put_branch(r, KPT_AT_WAITS, KPT_DIRECT_WAKE);
	if (r->filter)
		kpt_direct_put_refuse(r);
	if (counts_unwanted(r))
		put_branch(r, KPT_AT_STOPPED, KPT_DIRECT_STOPPED);
	put_slow(r);
	put_flags(&r->code);
	if (r->is_return)
		put_replaced(&r->code);
}

/**
 * kpt_direct_write() - write a recorder
 * @r: all but labels and words are given
 *
 * Context: process context.
 * Return: true; false if there is no code for that.
 */
bool kpt_direct_write(struct kpt_direct_code *r)
{
	check_layout();
	while (r->code.nr_labels < KPT_DIRECT_PLACES)
		kpt_label(&r->code);
	put_hot(r);
	put_cold(r);
	return kpt_code_end(&r->code);
}
