// SPDX-License-Identifier: GPL-2.0-only
/*
 * Hits that a stub records by itself, with ten scratch registers.
 *
 * Most points have a single event of one ring. The stub of such a point (jump.c) saves
 * ten registers and masks exceptions (kpt_jump_direct in jump_entry.S), then branches
 * to a **recorder**, which does what hit_simple() in src/hit/hit.c does, in the same
 * order. Where anything is not as in most hits, the recorder has changed nothing yet:
 * it restores the registers, and the stub continues with kpt_hit(). No flag of PSTATE
 * changes.
 *
 * A recorder is made of templates for each set of registers that is recorded, or of
 * templates and a fetch program as code (direct_fetch.c), which reads memory; events
 * with the same set or code share it. All else that differs between events is in struct
 * kpt_arch_direct, which is part of a list of handlers and lives as long. Recorders
 * live until unload: their number is limited, and a task may be preempted in one, on
 * its way back to the stub.
 *
 *	x9: the struct kpt_arch_direct; x16: PSTATE.DAIF; x30: an address in the stub
 *	sp: x16, x30, x9 to x15, x17 as they are in the probed code
 */
#include "kernel/compat.h"
#include <linux/kernel.h>
#include <linux/list.h>
#include <linux/mm.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/stringify.h>
#include <linux/thread_info.h>
#include <asm/virt.h>
#include "kernel/lock.h"
#include "lib/fetch.h"
#include "lib/record.h"
#include "lib/ring.h"
#include "compat.h"
#include "direct.h"
#include "engine.h"

/* Pages of recorders, at most; some five fit into a page of 4 KiB. */
#define PAGES_MAX	64
/* Registers that a recorder stores, at most, and instructions for them. */
#define COPIES_MAX	40
#define STORES_MAX	(3 + 2 * COPIES_MAX)

/* Arm ARM C6.2 */
#define LDR_X13_SP	0xf94003ed
#define ADD_X13_SP	0x910003ed
#define STR_X10(log)	(0x38000140 | (u32)(log) << 30)
#define STR_SCALED	0x01000000
#define STUR		0
#define STP_X10(rt, rt2) (0xa9000140 | (rt2) << 10 | (rt))
#define IMM12(n)	((n) << 10)
#define IMM7(n)		((n) / 8 << 15)
/* Offsets in a record that STP and STUR can have. */
#define STP_MAX		(504 - (int)sizeof(struct kpt_ring_header))
#define STUR_MAX	(255 - (int)sizeof(struct kpt_ring_header))
#define ADD_X12_X12_X14	0x8b0e018c
#define LDR_FROM_STR	0x00400000
/* ORR (immediate) of a mask with the bits from @bit on, x13 to x13. */
#define ORR_X13_FROM(bit) (0xb24001ad | (64 - (bit)) << 16 | (63 - (bit)) << 10)
#define MRS_X10_TPIDR_EL2 0xd53cd04a

#define REG_LR		30

extern const u32 kpt_direct_hit[], kpt_direct_hit_entry[], kpt_direct_hit_percpu[];
extern const u32 kpt_direct_hit_refuse[], kpt_direct_return_refuse[];
extern const u32 kpt_direct_hit_leave[], kpt_direct_return_leave[];
extern const u32 kpt_direct_hit_add[], kpt_direct_hit_word[], kpt_direct_hit_end[];
extern const u32 kpt_direct_return[], kpt_direct_return_entry[];
extern const u32 kpt_direct_return_percpu[], kpt_direct_return_add[];
extern const u32 kpt_direct_return_word[], kpt_direct_return_end[];
extern const u32 kpt_direct_tail[], kpt_direct_tail_percpu[], kpt_direct_tail_wake[];
extern const u32 kpt_direct_tail_end[];

#ifdef _TIF_NEED_RESCHED_LAZY
#define TEST_LAZY	"	tbnz	x13, %c[lazy], 14b\n"
#define NOTE_LAZY	"	tbz	x13, %c[lazy], 1f\n"		\
			"	orr	x14, x14, #%c[f_lazy]\n"	\
			"1:\n"
#define LAZY_BIT	ilog2(_TIF_NEED_RESCHED_LAZY)
#else
#define TEST_LAZY
#define NOTE_LAZY
#define LAZY_BIT	0
#endif

#ifdef KPT_TASK_MIGRATION
#define TEST_MIGRATION	"	ldrh	w13, [x12, #%c[migration]]\n"	\
			"	orr	x14, x14, x13\n"
#define NOTE_MIGRATION	"	ldrh	w13, [x12, #%c[migration]]\n"	\
			"	orr	x14, x14, x13, lsl #12\n"	\
			"	lsr	x13, x13, #4\n"			\
			"	cbnz	x13, 12b\n"
#else
#define TEST_MIGRATION
#define NOTE_MIGRATION
#define KPT_TASK_MIGRATION 0
#endif

#ifdef CONFIG_ARM64_BTI_KERNEL
#define LANDING_PAD	"	hint	#36\n"		/* bti j */
#else
#define LANDING_PAD
#endif

#define LOAD_SCRATCH					\
	"	ldp	x9, x10, [sp, #16]\n"		\
	"	ldp	x11, x12, [sp, #32]\n"		\
	"	ldp	x13, x14, [sp, #48]\n"		\
	"	ldp	x15, x17, [sp, #64]\n"

/* Add 1 to the counter at @base of this CPU, with x10 its offset. */
#define COUNT(base, temp)				\
	"	ldr	" temp ", [" base ", x10]\n"	\
	"	add	" temp ", " temp ", #1\n"	\
	"	str	" temp ", [" base ", x10]\n"

/* With @name its label; returns check @caller. Ends before the stores. */
#define RECORDER(name, literals, caller)					\
	"	.balign	8\n"							\
	"	.globl	" name "\n"						\
	name ":	.quad	0\n"			/* kpt_cpu */			\
	"	.quad	0, 0, 0, 0, 0, 0\n"	/* direct_read.c */		\
	literals								\
	/* Something is not as in most hits. */					\
	"11:	ldr	w13, [x11, #%c[c_depth]]\n"				\
	"	cbnz	w13, 12f\n"						\
	"	ldr	x13, [x9, #%c[d_stops]]\n"				\
	"	ldr	w13, [x13]\n"						\
	"	tbz	w13, #0, 12f\n"						\
	/* tracing_on is 0, or the filter has refused the hit. */		\
	"16:	str	w30, [x11, #%c[c_depth]]\n"				\
	"	ldp	x13, x14, [x9, #%c[d_hits]]\n"				\
	COUNT("x13", "x12")							\
	"	ldr	x14, [x9, #%c[d_filtered]]\n"				\
	COUNT("x14", "x12")							\
	"	str	wzr, [x11, #%c[c_depth]]\n"				\
	"	b	13f\n"							\
	/* Memory cannot be read. */						\
	"	.globl	" name "_leave\n"					\
	name "_leave: ldr x30, [sp, #" __stringify(KPT_DIRECT_STUB) "]\n"	\
	/* The ring has no room. */						\
	"10:	str	wzr, [x11, #%c[c_depth]]\n"				\
	"12:	add	x30, x30, #%c[slow]\n"					\
	"13:	msr	daif, x16\n"						\
	LOAD_SCRATCH								\
	"	ret\n"								\
	/* The filter refuses the hit. */					\
	"	.globl	" name "_refuse\n"					\
	name "_refuse: mrs x10, tpidr_el1\n"					\
	"	ldr	x11, " name "\n"					\
	"	add	x11, x11, x10\n"					\
	"	ldr	w13, [x11, #%c[c_depth]]\n"				\
	"	cbz	w13, 16b\n"						\
	"	b	12b\n"							\
	/* x14 = kpt_hit_context(0) */						\
	"14:	ldr	x10, [x12, #%c[preempt]]\n"				\
	"	ubfx	x13, x10, #4, #4\n"					\
	"	cbnz	x13, 12b\n"						\
	"	ubfiz	x14, x10, #8, #4\n"					\
	NOTE_MIGRATION								\
	"	and	x13, x10, #%c[hardirq]\n"				\
	"	cbz	x13, 1f\n"						\
	"	orr	x14, x14, #%c[f_hardirq]\n"				\
	"1:	and	x13, x10, #%c[nmi]\n"					\
	"	cbz	x13, 1f\n"						\
	"	orr	x14, x14, #%c[f_nmi]\n"					\
	"1:	ubfx	x13, x10, #8, #1\n"					\
	"	orr	x14, x14, x13, lsl #4\n"				\
	"	ubfx	x13, x10, #9, #7\n"					\
	"	cbz	x13, 1f\n"						\
	"	orr	x14, x14, #%c[f_bh_off]\n"				\
	"1:	tbnz	x10, #32, 1f\n"						\
	"	orr	x14, x14, #%c[f_preempt]\n"				\
	"1:	ldr	x13, [x12, #%c[flags]]\n"				\
	NOTE_LAZY								\
	"	tbz	x13, %c[resched], 15f\n"				\
	"	orr	x14, x14, #%c[f_resched]\n"				\
	"	b	15f\n"							\
	/* The recorder begins here. */						\
	"	.globl	" name "_entry\n"					\
	name "_entry:\n"							\
	LANDING_PAD								\
	"	.globl	" name "_percpu\n"					\
	name "_percpu: mrs x10, tpidr_el1\n"					\
	"	ldr	x11, " name "\n"					\
	"	add	x11, x11, x10\n"					\
	"	mrs	x12, sp_el0\n"						\
	/* No hit in progress, and the task's name is noted? */			\
	"	ldp	w13, w14, [x11]\n"					\
	"	ldr	w15, [x12, #%c[pid]]\n"					\
	"	eor	w13, w13, w15\n"					\
	"	orr	w13, w13, w14\n"					\
	"	ldr	x14, [x12, #%c[comm]]\n"				\
	"	ldr	x17, [x11, #%c[c_comm]]\n"				\
	"	eor	x14, x14, x17\n"					\
	"	orr	x13, x13, x14\n"					\
	"	ldr	x14, [x12, #%c[comm] + 8]\n"				\
	"	ldr	x17, [x11, #%c[c_comm] + 8]\n"				\
	"	eor	x14, x14, x17\n"					\
	"	orr	x13, x13, x14\n"					\
	/* No stop, no owner, no open record? */				\
	"	ldp	x14, x17, [x9, #%c[d_stops]]\n"				\
	"	add	x17, x17, x10\n"					\
	"	ldr	w14, [x14]\n"						\
	"	orr	x13, x13, x14\n"					\
	"	ldar	x14, [x17]\n"	/* pairs: rings_exchange() */		\
	"	orr	x13, x13, x14\n"					\
	"	cbnz	x13, 11b\n"						\
	caller									\
	/* kpt_hit_is_calm()? Then x14 is 0. */					\
	"	ldr	x13, [x12, #%c[flags]]\n"				\
	"	ldr	x14, [x12, #%c[preempt]]\n"				\
	"	tbnz	x13, %c[resched], 14b\n"				\
	TEST_LAZY								\
	"	eor	x14, x14, #%c[enabled]\n"				\
	TEST_MIGRATION								\
	"	cbnz	x14, 14b\n"						\
	/* The head of the record. */						\
	"15:	ubfx	x13, x16, #7, #1\n"	/* DAIF.I: IRQS_OFF */		\
	"	orr	x14, x14, x13\n"					\
	"	ldr	x13, [x9, #%c[d_type]]\n"				\
	"	orr	x14, x14, x15, lsl #16\n"				\
	"	orr	x15, x13, x14, lsl #16\n"				\
	/* kpt_ring_begin(). From here on hits in an NMI are missed. */		\
	"	str	w30, [x11, #%c[c_depth]]\n"				\
	"	ldp	x14, x12, [x17, #%c[r_claim]]\n"			\
	"	ldp	x13, x10, [x17, #%c[r_seq]]\n"				\
	"	add	x10, x10, x12\n"					\
	"	.globl	" name "_add\n"						\
	name "_add: add x12, x12, #0\n"		/* its length */		\
	"	sub	x14, x14, x12\n"					\
	"	tbnz	x14, #63, 10b\n"					\
	"	.globl	" name "_word\n"					\
	name "_word: mov w14, #0\n"		/* its length */		\
	"	orr	x14, x14, x13, lsl #32\n"				\
	"	add	x13, x13, #1\n"						\
	"	stp	x12, x13, [x17, #%c[r_write]]\n"			\
	"	isb\n"								\
	"	mrs	x13, cntvct_el0\n"					\
	"	stp	x14, x13, [x10]\n"					\
	"	ldr	x14, [x9, #%c[d_ip]]\n"					\
	"	stp	x15, x14, [x10, #16]\n"					\
	"	.globl	" name "_end\n"						\
	name "_end:\n"

/* kpt_arch_return_words, filled in by kpt_arch_direct_make() */
#define RETURN_LITERALS								\
	"2:	.quad	0\n"		/* pac_mask */				\
	"3:	.quad	0\n"		/* ours */				\
	"4:	.quad	0\n"		/* graph */				\
	"5:	.quad	0\n"		/* kretprobe */

/* kpt_arch_hides_caller()? */
#define RETURN_CALLER								\
	"	ldr	x13, [sp, #8]\n"					\
	"	ldr	x14, 2b\n"						\
	"	orr	x13, x13, x14\n"					\
	"	ldr	x14, 3b\n"						\
	"	eor	x14, x14, x13\n"					\
	"	cbz	x14, 12b\n"						\
	"	ldr	x14, 4b\n"						\
	"	eor	x14, x14, x13\n"					\
	"	cbz	x14, 12b\n"						\
	"	ldr	x14, 5b\n"						\
	"	eor	x14, x14, x13\n"					\
	"	cbz	x14, 12b\n"

#define OFFSET(name, type, member) [name] "i" (offsetof(struct type, member))

/* Never called: only a function can give offsets to assembler code. */
static void __used noinline templates(void)
{
	asm volatile(
	"	.pushsection .rodata, \"a\"\n"
	RECORDER("kpt_direct_hit", "", "")
	RECORDER("kpt_direct_return", RETURN_LITERALS, RETURN_CALLER)
	"	.globl	kpt_direct_tail\n"
	"kpt_direct_tail:\n"
	"	.globl	kpt_direct_tail_percpu\n"
	"kpt_direct_tail_percpu: mrs x10, tpidr_el1\n"
	"	ldp	x13, x14, [x9, #%c[d_hits]]\n"
	COUNT("x13", "x15")
	COUNT("x14", "x15")
	"	add	x13, x17, #%c[r_commit]\n"
	"	stlr	x12, [x13]\n"		/* publish:A */
	/* kpt_buffer_has_waiter() */
	"	ldr	x13, [x9, #%c[d_waiters]]\n"
	"	ldar	w13, [x13]\n"
	"	cbnz	w13, 2f\n"
	"1:	str	wzr, [x11, #%c[c_depth]]\n"
	"	msr	daif, x16\n"
	LOAD_SCRATCH
	"	ret\n"
	"2:	sub	sp, sp, #112\n"
	"	stp	x0, x1, [sp]\n"
	"	stp	x2, x3, [sp, #16]\n"
	"	stp	x4, x5, [sp, #32]\n"
	"	stp	x6, x7, [sp, #48]\n"
	"	stp	x8, x18, [sp, #64]\n"
	"	mrs	x0, nzcv\n"
	"	stp	x11, x16, [sp, #80]\n"
	"	stp	x30, x0, [sp, #96]\n"
	"	ldr	x0, [x9, #%c[d_buffer]]\n"
	"	ldr	x16, kpt_direct_tail_wake\n"
	"	blr	x16\n"
	"	ldp	x30, x0, [sp, #96]\n"
	"	ldp	x11, x16, [sp, #80]\n"
	"	msr	nzcv, x0\n"
	"	ldp	x8, x18, [sp, #64]\n"
	"	ldp	x6, x7, [sp, #48]\n"
	"	ldp	x4, x5, [sp, #32]\n"
	"	ldp	x2, x3, [sp, #16]\n"
	"	ldp	x0, x1, [sp]\n"
	"	add	sp, sp, #112\n"
	"	b	1b\n"
	"	.globl	kpt_direct_tail_wake\n"
	"kpt_direct_tail_wake: .quad 0\n"	/* kpt_hit_wake */
	"	.globl	kpt_direct_tail_end\n"
	"kpt_direct_tail_end:\n"
	"	.popsection\n"
	: :
	OFFSET(pid, task_struct, pid),
	/* See kpt_direct_init(). */
	[comm] "i" (offsetof(struct task_struct, comm) & ~7UL),
	OFFSET(flags, task_struct, thread_info.flags),
	OFFSET(preempt, task_struct, thread_info.preempt_count),
	OFFSET(c_depth, kpt_cpu, depth),
	OFFSET(c_comm, kpt_cpu, comm),
	OFFSET(d_stops, kpt_arch_direct, stops),
	OFFSET(d_type, kpt_arch_direct, type),
	OFFSET(d_ip, kpt_arch_direct, ip),
	OFFSET(d_hits, kpt_arch_direct, hits),
	OFFSET(d_filtered, kpt_arch_direct, filtered),
	OFFSET(d_waiters, kpt_arch_direct, waiters),
	OFFSET(d_buffer, kpt_arch_direct, buffer),
	OFFSET(r_write, kpt_ring, write),
	OFFSET(r_claim, kpt_ring, claim),
	OFFSET(r_seq, kpt_ring, seq),
	OFFSET(r_commit, kpt_ring, commit),
	[hardirq] "i" (HARDIRQ_MASK),
	[nmi] "i" (NMI_MASK),
	[migration] "i" (KPT_TASK_MIGRATION),
	[enabled] "i" (PREEMPT_ENABLED),
	[resched] "i" (ilog2(_TIF_NEED_RESCHED)),
	[lazy] "i" (LAZY_BIT),
	[slow] "i" (KPT_JUMP_SLOW),
	[f_hardirq] "i" (KPT_FLAG_HARDIRQ),
	[f_nmi] "i" (KPT_FLAG_NMI),
	[f_bh_off] "i" (KPT_FLAG_BH_OFF),
	[f_preempt] "i" (KPT_FLAG_PREEMPT_RESCHED),
	[f_resched] "i" (KPT_FLAG_NEED_RESCHED),
	[f_lazy] "i" (KPT_FLAG_NEED_RESCHED_LAZY));
}

/**
 * struct recorder - a recorder
 * @list: in recorders
 * @entry: address of its first instruction
 * @is_return: it checks and records the return address
 * @has_strings: the fetch program finds out how long a record is
 * @length: bytes of its records in a ring; with strings, at most
 * @nr_filter: number of words of the filter, which come first
 * @nr_fetch: number of words up to the end of the fetch program, if it does more than
 *	copy registers
 * @nr: number of all @words
 * @words: the code that is no template: the filter, the fetch program, and stores of
 *	registers
 */
struct recorder {
	struct list_head list;
	const u32 *entry;
	bool is_return;
	bool has_strings;
	u16 length;
	int nr_filter;
	int nr_fetch;
	int nr;
	u32 words[KPT_DIRECT_FILTER_MAX + KPT_DIRECT_FETCH_MAX + STORES_MAX];
};

/* All under kpt_mutex. @page has @left words that are not used yet. */
static LIST_HEAD(recorders);
static u32 *pages[PAGES_MAX];
static unsigned int nr_recorders, nr_pages, left;

/* Can this kernel have recorders? */
static bool possible __ro_after_init;

/**
 * kpt_direct_init() - find out whether stubs can record hits by themselves
 *
 * Context: module load.
 */
void kpt_direct_init(void)
{
	BUILD_BUG_ON(offsetof(struct kpt_cpu, pid) != 0);
	BUILD_BUG_ON(offsetof(struct kpt_cpu, depth) != 4);
	BUILD_BUG_ON(offsetof(struct kpt_arch_direct, code) != 0);
	BUILD_BUG_ON(offsetof(struct kpt_arch_direct, ring) !=
		     offsetof(struct kpt_arch_direct, stops) + 8);
	BUILD_BUG_ON(offsetof(struct kpt_arch_direct, recorded) !=
		     offsetof(struct kpt_arch_direct, hits) + 8);
	BUILD_BUG_ON(offsetof(struct kpt_ring, owner) != 0);
	BUILD_BUG_ON(offsetof(struct kpt_ring, state) != 4);
	BUILD_BUG_ON(offsetof(struct kpt_ring, write) !=
		     offsetof(struct kpt_ring, claim) + 8);
	BUILD_BUG_ON(offsetof(struct kpt_ring, seq) !=
		     offsetof(struct kpt_ring, claim) + 16);
	BUILD_BUG_ON(offsetof(struct kpt_ring, base) !=
		     offsetof(struct kpt_ring, claim) + 24);
	BUILD_BUG_ON(PREEMPT_MASK != 0xff || SOFTIRQ_MASK != 0xff00);
	BUILD_BUG_ON(PREEMPT_ENABLED != BIT_ULL(32));
	BUILD_BUG_ON(KPT_FLAG_IRQS_OFF != 1 || KPT_FLAG_SOFTIRQ != 1 << 4);
	/* With PREEMPT_RT the count of softirqs is not part of preempt_count(). */
	possible = !IS_ENABLED(CONFIG_PREEMPT_RT) &&
		   offsetof(struct task_struct, comm) % 8 == 0;
}

/* Where the stub has saved a scratch register, or -1: it is not one. */
static int saved_at(unsigned int reg)
{
	if (reg >= 9 && reg <= 15)
		return 16 + (reg - 9) * 8;
	return reg == 16 ? 0 : reg == 17 ? 72 : reg == 30 ? 8 : -1;
}

/**
 * kpt_direct_put_load() - have a register of the probed code in a register
 * @words: code
 * @nr: number of words; 1 is added if the recorder has changed the register
 * @reg: its number, KPT_DIRECT_SP for SP
 *
 * Context: process context.
 * Return: the number of the register that has its value then.
 */
u32 kpt_direct_put_load(u32 *words, int *nr, unsigned int reg)
{
	if (reg == KPT_DIRECT_SP)
		words[(*nr)++] = ADD_X13_SP | IMM12(KPT_DIRECT_FRAME);
	else if (saved_at(reg) >= 0)
		words[(*nr)++] = LDR_X13_SP | IMM12(saved_at(reg) / 8);
	else
		return reg;
	return 13;
}

/**
 * kpt_direct_store() - encode the store of a register in the record
 * @reg: its number
 * @size: its low bytes that are stored: 1, 2, 4 or 8
 * @offset: where in the record; x10 is its address in the ring
 *
 * Context: process context.
 * Return: the instruction, 0 if the offset is out of reach.
 */
u32 kpt_direct_store(u32 reg, unsigned int size, unsigned int offset)
{
	u32 op = STR_X10(ilog2(size)) | reg;

	if (offset % size && offset > STUR_MAX)
		return 0;
	offset += sizeof(struct kpt_ring_header);
	return offset % size ? op | STUR | offset << 12 :
			       op | STR_SCALED | IMM12(offset / size);
}

/**
 * kpt_direct_load() - encode the load of a part of the record
 * @reg: number of the register; its upper bits become 0
 * @size: bytes: 1, 2, 4 or 8
 * @offset: where in the record
 *
 * Context: process context.
 * Return: the instruction, 0 if the offset is out of reach.
 */
u32 kpt_direct_load(u32 reg, unsigned int size, unsigned int offset)
{
	u32 word = kpt_direct_store(reg, size, offset);

	return word ? word | LDR_FROM_STR : 0;
}

static bool is_pair(const struct kpt_fetch_copy *c)
{
	return c[0].size == 8 && c[1].size == 8 && c[0].offset % 8 == 0 &&
	       c[1].offset == c[0].offset + 8 && c[0].offset <= STP_MAX &&
	       c[0].reg < KPT_DIRECT_SP && c[1].reg < KPT_DIRECT_SP &&
	       saved_at(c[0].reg) < 0 && saved_at(c[1].reg) < 0;
}

/* kpt_record_return.ret_ip */
static void put_return(struct recorder *r)
{
	kpt_direct_put_load(r->words, &r->nr, REG_LR);
	r->words[r->nr++] = ORR_X13_FROM(vabits_actual);
	r->words[r->nr++] = kpt_direct_store(13, 8,
				offsetof(struct kpt_record_return, ret_ip));
}

/* Returns the number of @c that were stored; 0 if no recorder can do that. */
static unsigned int put_store(struct recorder *r, const struct kpt_fetch_copy *c,
			      bool may_pair)
{
	u32 from;

	if (may_pair && is_pair(c)) {
		r->words[r->nr++] = STP_X10(c[0].reg, c[1].reg) |
			IMM7(c[0].offset + sizeof(struct kpt_ring_header));
		return 2;
	}
	if (c->reg > KPT_DIRECT_SP || !kpt_direct_store(0, c->size, c->offset))
		return 0;
	from = kpt_direct_put_load(r->words, &r->nr, c->reg);
	r->words[r->nr++] = kpt_direct_store(from, c->size, c->offset);
	return 1;
}

/* Returns false for copies that no recorder makes. */
static bool put_stores(struct recorder *r, const struct kpt_fetch_copy *copy, int nr)
{
	int i, done;

	for (i = 0; i < nr; i += done) {
		done = put_store(r, &copy[i], i + 1 < nr);
		if (!done)
			return false;
	}
	return true;
}

static struct recorder *find_recorder(const struct recorder *like)
{
	struct recorder *r;

	list_for_each_entry(r, &recorders, list)
		if (r->is_return == like->is_return && r->length == like->length &&
		    r->has_strings == like->has_strings &&
		    r->nr_filter == like->nr_filter &&
		    r->nr_fetch == like->nr_fetch && r->nr == like->nr &&
		    !memcmp(r->words, like->words, r->nr * sizeof(u32)))
			return r;
	return NULL;
}

/* The templates that a recorder consists of, with the stores between them. */
struct templates {
	const u32 *begin, *leave, *refuse, *entry, *percpu, *add, *word, *end;
};

#define TEMPLATES(name) { name, name##_leave, name##_refuse, name##_entry,	\
			  name##_percpu, name##_add, name##_word, name##_end }

static const struct templates templates_of[] = {
	TEMPLATES(kpt_direct_hit),
	TEMPLATES(kpt_direct_return),
};

static u32 *put_words(u32 *to, const u32 *from, const u32 *end)
{
	memcpy(to, from, (u8 *)end - (u8 *)from);
	return to + (end - from);
}

static void put_address(u32 *at, u64 addr)
{
	at[0] = lower_32_bits(addr);
	at[1] = upper_32_bits(addr);
}

static void put_literals(u32 *words, const struct recorder *r)
{
	const struct kpt_arch_return_words *w = &kpt_arch_return_words;
	const void *const read[] = {
		kpt_direct_read1, kpt_direct_read2, kpt_direct_read4,
		kpt_direct_read8, kpt_direct_string, kpt_direct_ustring,
	};
	unsigned int i;

	put_address(words + KPT_DIRECT_LITERAL_CPU, (unsigned long)&kpt_cpu);
	words += KPT_DIRECT_LITERAL_READ;
	for (i = 0; i < ARRAY_SIZE(read); i++, words += 2)
		put_address(words, (unsigned long)read[i]);
	if (r->is_return) {
		put_address(words, w->pac_mask);
		put_address(words + 2, w->ours);
		put_address(words + 4, w->graph);
		put_address(words + 6, w->kretprobe);
	}
}

/* The template up to the place of the fetch program, which is where t->word is. */
static u32 *put_begin(u32 *words, const struct recorder *r)
{
	const struct templates *t = &templates_of[r->is_return];
	u32 *end = put_words(words, t->begin, t->word);

	put_literals(words, r);
	/* A kernel at EL2 keeps the offset of per-CPU variables in TPIDR_EL2. */
	if (is_kernel_in_hyp_mode()) {
		words[t->percpu - t->begin] = MRS_X10_TPIDR_EL2;
		words[t->refuse - t->begin] = MRS_X10_TPIDR_EL2;
	}
	words[t->add - t->begin] |= IMM12(r->length);
	return end;
}

/*
 * The rest of it. It has the length of a record in x14; or, with strings, the fetch
 * program has, and the end of the record is to be known.
 */
static u32 *put_rest(u32 *words, const struct recorder *r)
{
	const struct templates *t = &templates_of[r->is_return];
	u32 *end = put_words(words, t->word, t->end);

	if (r->has_strings)
		words[0] = ADD_X12_X12_X14;
	else
		words[0] |= r->length << 5;
	return end;
}

static void put_tail(u32 *words)
{
	const u32 *t = kpt_direct_tail;

	put_words(words, t, kpt_direct_tail_end);
	if (is_kernel_in_hyp_mode())
		words[kpt_direct_tail_percpu - t] = MRS_X10_TPIDR_EL2;
	put_address(words + (kpt_direct_tail_wake - t),
		    (unsigned long)kpt_hit_wake);
}

/* Room for a recorder, in a new page if there is not enough in the last one. */
static u32 *get_room(unsigned int nr)
{
	u32 *room;

	nr = ALIGN(nr, 16);	/* cache lines */
	if (nr > left) {
		if (nr_pages == PAGES_MAX)
			return NULL;
		room = kpt_mem_alloc_far();
		if (!room)
			return NULL;
		pages[nr_pages++] = room;
		left = PAGE_SIZE / sizeof(u32);
	}
	room = pages[nr_pages - 1] + PAGE_SIZE / sizeof(u32) - left;
	left -= nr;
	return room;
}

/* Write the code of a recorder. */
static bool write_recorder(struct recorder *r)
{
	const struct templates *t = &templates_of[r->is_return];
	unsigned int nr = (t->end - t->begin) + r->nr +
			  (kpt_direct_tail_end - kpt_direct_tail);
	u32 *words = kcalloc(nr, sizeof(u32), GFP_KERNEL);
	u32 *room = words ? get_room(nr) : NULL;
	u32 *at = words;

	if (!room) {
		kfree(words);
		return false;
	}
	at = put_words(at, r->words, r->words + r->nr_filter);
	at = put_begin(at, r);
	at = put_words(at, r->words + r->nr_filter, r->words + r->nr_fetch);
	at = put_rest(at, r);
	at = put_words(at, r->words + r->nr_fetch, r->words + r->nr);
	put_tail(at);
	r->entry = r->nr_filter ? room : room + (t->entry - t->begin);
	if (kpt_mem_write(room, words, nr))
		r->entry = NULL;
	kfree(words);
	return r->entry;
}

static struct recorder *make_recorder(const struct recorder *like)
{
	struct recorder *r = kmemdup(like, sizeof(*like), GFP_KERNEL);

	if (!r)
		return NULL;
	if (!write_recorder(r)) {
		kfree(r);
		return NULL;
	}
	list_add(&r->list, &recorders);
	nr_recorders++;
	return r;
}

/* Returns false if the filter cannot be code. */
static bool put_filter(struct recorder *r, const struct kpt_filter *filter)
{
	const struct templates *t = &templates_of[r->is_return];

	if (!filter)
		return true;
	r->nr = kpt_direct_put_filter(r->words, filter, t->entry - t->begin,
				      t->refuse - t->begin);
	r->nr_filter = r->nr;
	return r->nr;
}

/* Returns false if the fetch program cannot be code. */
static bool put_fetch(struct recorder *r, const struct kpt_fetch_prog *prog)
{
	const struct templates *t = &templates_of[r->is_return];
	unsigned int nr = kpt_direct_put_fetch(r->words + r->nr, prog, r->length,
					       t->word - t->begin,
					       t->leave - t->begin);

	r->nr += nr;
	r->nr_fetch = r->nr;
	return nr;
}

static bool put_code(struct recorder *r, const struct kpt_filter *filter,
		     const struct kpt_fetch_prog *prog)
{
	struct kpt_fetch_copy copy[COPIES_MAX];
	int nr = kpt_fetch_copies(prog, copy, ARRAY_SIZE(copy));

	if (!put_filter(r, filter))
		return false;
	r->nr_fetch = r->nr;
	if (nr < 0 && !put_fetch(r, prog))
		return false;
	if (r->is_return)
		put_return(r);
	return put_stores(r, copy, nr);
}

/**
 * kpt_arch_direct_make() - find out whether a stub can record hits by itself
 * @direct: @code is set: NULL if it cannot, which is no error. @filter is given
 * @prog: what is recorded
 * @length: bytes of a record in a ring, strings left out
 * @is_return: hits are returns, of a function that is @direct->ip
 *
 * Stubs may be given @direct when kpt_arch_quiesce() has returned: then all CPUs
 * execute the code that was written.
 *
 * Context: process context, sleeps, kpt_mutex held.
 */
void kpt_arch_direct_make(struct kpt_arch_direct *direct,
			  const struct kpt_fetch_prog *prog, u16 length,
			  bool is_return)
{
	struct recorder *like, *r = NULL;

	lockdep_assert_held(&kpt_mutex);
	direct->code = NULL;
	/* @length is an immediate of 12 bits. */
	if (prog->has_strings)
		length += KPT_DIRECT_STRINGS;
	if (!possible || length >= SZ_4K)
		return;
	like = kzalloc(sizeof(*like), GFP_KERNEL);
	if (!like)
		return;
	like->is_return = is_return;
	like->has_strings = prog->has_strings;
	like->length = length;
	if (put_code(like, direct->filter, prog))
		r = find_recorder(like) ?: make_recorder(like);
	if (r)
		direct->code = r->entry;
	kfree(like);
}

/**
 * kpt_direct_status() - show how many recorders there are
 * @sb: a line is appended
 *
 * Context: process context, kpt_mutex held.
 */
void kpt_direct_status(struct kpt_strbuf *sb)
{
	kpt_strbuf_printf(sb, "recorders: %u in %u pages\n", nr_recorders,
			  nr_pages);
}

/**
 * kpt_direct_exit() - free all recorders
 * @all: also their code: no CPU and no task is in a stub
 *
 * Context: process context.
 */
void kpt_direct_exit(bool all)
{
	struct recorder *r, *next;

	list_for_each_entry_safe(r, next, &recorders, list)
		kfree(r);
	while (all && nr_pages)
		kpt_mem_free(pages[--nr_pages]);
}
