// SPDX-License-Identifier: GPL-2.0-only
/*
 * What recorders (recorder.c) do at few hits, and what is the same in all of them: these
 * routines are written once. A recorder has their addresses as literals.
 *
 * Registers are as in a recorder. Some are called by BLR, and have its x30 at KPT_RECORDER_STUB.
 * The others are branched to, by RET, which needs no landing pad, and return to the stub.
 */
#include "kernel/compat.h"
#include <linux/kernel.h>
#include "recorder/recorder.h"
#include "engine.h"

static const u32 *routines[KPT_RECORDER_ROUTINES];

/*
 * Called: kpt_arch_hides_caller(), of the address in x13? x14 changes. Returns one instruction
 * behind x30 if not.
 */
static void put_replaced(struct kpt_code *c)
{
	const struct kpt_arch_return_words *w = &kpt_arch_return_words;
	const u64 ours[] = { w->ours, w->graph, w->kretprobe };
	unsigned int yes = kpt_label(c), i;

	kpt_recorder_put_landing_pad(c);
	kpt_recorder_put_unsigned(c);
	for (i = 0; i < ARRAY_SIZE(ours); i++) {
		kpt_put_value(c, X14, ours[i]);
		kpt_put(c, a64_eor(X14, X14, X13));
		kpt_put_to(c, a64_cbz(X14), yes);
	}
	kpt_put(c, a64_add_i(X30, X30, 4));
	kpt_here(c, yes);
	kpt_put(c, A64_RET);
}

/*
 * Called: is the task, whose number is in w15, wanted by the list at x13? Returns with bit 0
 * of x13 set if it is, and x14 0 if all else is as in most hits, x12 the task, and x10 the offset
 * of per-CPU variables.
 */
static void put_tasks(struct kpt_code *c)
{
	kpt_recorder_put_landing_pad(c);
	kpt_recorder_put_is_wanted(c, X13, X15, X10);
	/* The rest of what a recorder asks. */
	kpt_put(c, a64_ldr_w(X14, X11, KPT_CPU(pid)));
	kpt_put(c, a64_eor(X14, X14, X15));
	kpt_put(c, a64_ldar(X10, X17));				/* pairs: rings_exchange() */
	kpt_put(c, a64_orr(X14, X14, X10));
	/* Without tracepoints nobody tells that a task is renamed. */
	if (!IS_ENABLED(CONFIG_TRACEPOINTS))
		kpt_put(c, a64_movz(X14, 1, 0));
	kpt_recorder_put_percpu(c);
	kpt_put(c, A64_RET);
}

/* Called: call the function at x14 with x13, which gets its result. */
static void put_call(struct kpt_code *c)
{
	kpt_recorder_put_landing_pad(c);
	kpt_put(c, a64_add_i(SP, SP, -160));
	kpt_recorder_put_save(c);
	kpt_put(c, a64_mrs(X0, A64_NZCV));
	kpt_put(c, a64_stp(X11, X16, SP, 80));
	kpt_put(c, a64_stp(X30, X0, SP, 96));
	kpt_put(c, a64_stp(X9, X10, SP, 112));
	kpt_put(c, a64_stp(X12, X15, SP, 128));
	kpt_put(c, a64_str(X17, SP, 144));
	kpt_put(c, a64_orr(X0, XZR, X13));
	kpt_put(c, a64_blr(X14));
	kpt_put(c, a64_orr(X13, XZR, X0));
	kpt_put(c, a64_ldr(X17, SP, 144));
	kpt_put(c, a64_ldp(X12, X15, SP, 128));
	kpt_put(c, a64_ldp(X9, X10, SP, 112));
	kpt_put(c, a64_ldp(X30, X0, SP, 96));
	kpt_put(c, a64_ldp(X11, X16, SP, 80));
	kpt_put(c, a64_msr(A64_NZCV, X0));
	kpt_recorder_put_load_saved(c);
	kpt_put(c, a64_add_i(SP, SP, 160));
	kpt_put(c, A64_RET);
}

/* Bytes of struct pt_regs from the register @n on. */
#define REGS(n)		offsetof(struct pt_regs, regs[n])

/* Store the registers @reg and @reg + 1, which are saved at @at, in the struct pt_regs at SP. */
static void put_regs(struct kpt_code *c, unsigned int reg, unsigned int at)
{
	kpt_put(c, a64_ldp(X0, X1, SP, KPT_JUMP_REGS + at));
	kpt_put(c, a64_stp(X0, X1, SP, REGS(reg)));
}

/* Make struct pt_regs of what stub and recorder have saved, but the PC. */
static void put_make_regs(struct kpt_code *c)
{
	enum a64_reg reg;

	for (reg = X0; reg < X8; reg += 2)
		kpt_put(c, a64_stp(reg, reg + 1, SP, REGS(reg)));
	kpt_put(c, a64_str(X8, SP, REGS(8)));
	for (reg = X18; reg < X30; reg += 2)
		kpt_put(c, a64_stp(reg, reg + 1, SP, REGS(reg)));
	put_regs(c, 9, 16);
	put_regs(c, 11, 32);
	put_regs(c, 13, 48);
	kpt_put(c, a64_ldp(X0, X1, SP, KPT_JUMP_REGS + 64));	/* x15, x17 */
	kpt_put(c, a64_str(X0, SP, REGS(15)));
	kpt_put(c, a64_str(X1, SP, REGS(17)));
	kpt_put(c, a64_ldp(X0, X1, SP, KPT_JUMP_REGS));		/* x16, x30 */
	kpt_put(c, a64_str(X0, SP, REGS(16)));
	kpt_put(c, a64_add_i(X0, SP, KPT_JUMP_REGS + KPT_RECORDER_FRAME));
	kpt_put(c, a64_stp(X1, X0, SP, REGS(30)));		/* and sp */
	kpt_put(c, a64_mrs(X0, A64_NZCV));
	kpt_put(c, a64_orr(X0, X0, X16));
	kpt_put(c, a64_str(X0, SP, offsetof(struct pt_regs, pstate)));
}

/*
 * Branched to: a step that is not the first is left to C, and what follows. x13 is
 * kpt_arch_step.rest, x12 .followers, x10 a record or 0. A handler may change x30.
 */
static void put_resume(struct kpt_code *c)
{
	enum a64_reg reg;

	kpt_put(c, a64_stp(X30, X16, SP, KPT_RECORDER_STUB));
	kpt_put(c, a64_add_i(SP, SP, -KPT_JUMP_REGS));
	put_make_regs(c);
	kpt_put(c, a64_add_i(X0, SP, 0));
	kpt_put(c, a64_orr(X1, XZR, X9));
	kpt_put(c, a64_orr(X2, XZR, X13));
	kpt_put(c, a64_orr(X3, XZR, X10));
	kpt_put(c, a64_orr(X4, XZR, X12));
	kpt_put_value(c, X16, (unsigned long)kpt_trap_resume);
	kpt_put(c, a64_blr(X16));
	kpt_put(c, a64_ldr(X0, SP, offsetof(struct pt_regs, pstate)));
	kpt_put(c, a64_msr(A64_NZCV, X0));
	kpt_put(c, a64_ldr(X0, SP, REGS(30)));
	kpt_put(c, a64_str(X0, SP, KPT_JUMP_REGS + 8));
	for (reg = X0; reg < X8; reg += 2)
		kpt_put(c, a64_ldp(reg, reg + 1, SP, REGS(reg)));
	kpt_put(c, a64_ldr(X8, SP, REGS(8)));
	kpt_put(c, a64_ldr(X18, SP, REGS(18)));
	kpt_put(c, a64_add_i(SP, SP, KPT_JUMP_REGS));
	kpt_put(c, a64_ldp(X30, X16, SP, KPT_RECORDER_STUB));
	kpt_recorder_put_load_scratch(c);
	kpt_put(c, A64_RET);
}

/**
 * kpt_recorder_routine() - the address of a routine
 * @routine: which one; kpt_recorder_write_routines() has returned true
 *
 * Context: process context.
 * Return: the address.
 */
u64 kpt_recorder_routine(enum kpt_recorder_routine routine)
{
	return (unsigned long)routines[routine];
}

/**
 * kpt_recorder_nr_routines() - how many routines are written
 *
 * Context: process context, kpt_mutex held.
 * Return: their number.
 */
unsigned int kpt_recorder_nr_routines(void)
{
	unsigned int i, nr = 0;

	for (i = 0; i < KPT_RECORDER_ROUTINES; i++)
		nr += !!routines[i];
	return nr;
}

/**
 * kpt_recorder_write_routines() - write all routines that are not written yet
 * @c: is used for that
 *
 * Context: process context, sleeps, kpt_mutex held.
 * Return: true if there are all of them.
 */
bool kpt_recorder_write_routines(struct kpt_code *c)
{
	static void (*const put[])(struct kpt_code *c) = {
		[KPT_RECORDER_REPLACED] = put_replaced,
		[KPT_RECORDER_FLAGS] = kpt_recorder_put_find_flags,
		[KPT_RECORDER_TASKS] = put_tasks,
		[KPT_RECORDER_CALL] = put_call,
		[KPT_RECORDER_MATCH] = kpt_recorder_put_match,
		[KPT_RECORDER_WALK] = kpt_recorder_put_walk,
		[KPT_RECORDER_HASH] = kpt_recorder_put_hash,
		[KPT_RECORDER_COMPARE] = kpt_recorder_put_compare,
		[KPT_RECORDER_HIST] = kpt_recorder_put_counted,
		[KPT_RECORDER_SYNTH] = kpt_recorder_put_synth,
		[KPT_RECORDER_RESUME] = put_resume,
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(put); i++) {
		if (routines[i])
			continue;
		kpt_code_begin(c, c->words, c->room);
		put[i](c);
		/* It is one of a part that is not built. */
		if (!c->nr)
			continue;
		routines[i] = kpt_code_end(c) ? kpt_recorder_share(c) : NULL;
		if (!routines[i])
			return false;
	}
	return true;
}
