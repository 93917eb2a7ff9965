// SPDX-License-Identifier: GPL-2.0-only
/*
 * What recorders (recorder.c) do at few hits, and what is the same in all of them: these
 * routines are written once. A recorder has their addresses as literals.
 *
 * Registers are as in a recorder. Some are called by BLR, and have its x30 at KPT_DIRECT_STUB.
 * The others are branched to, by RET, which needs no landing pad, and return to the stub.
 */
#include "kernel/compat.h"
#include <linux/kernel.h>
#include "recorder/recorder.h"
#include "engine.h"

static const u32 *routines[KPT_DIRECT_ROUTINES];

/*
 * Branched to: something is not as in most hits. x10 is the offset of per-CPU variables. If it
 * is that tracing_on is 0, the hit is counted.
 */
static void put_stopped(struct kpt_code *c)
{
	unsigned int slow = kpt_label(c);

	kpt_put(c, a64_ldr_w(X13, X11, KPT_CPU(depth)));
	kpt_put_to(c, a64_cbnz_w(X13), slow);
	kpt_put(c, a64_ldr(X13, X9, KPT_DIRECT(stops)));
	kpt_put(c, a64_ldr_w(X13, X13, 0));
	kpt_put_to(c, a64_tbz(X13, 0), slow);
	kpt_put(c, a64_ldr(X13, X9, KPT_DIRECT(unwanted)));
	kpt_put(c, a64_ldr(X13, X13, 0));
	kpt_put_to(c, a64_cbz(X13), slow);
	kpt_put(c, a64_str_w(X30, X11, KPT_CPU(depth)));
	kpt_direct_put_count(c, X13, X10);
	kpt_put(c, a64_str_w(XZR, X11, KPT_CPU(depth)));
	kpt_direct_put_end(c);
	kpt_here(c, slow);
	kpt_put(c, a64_add_i(X30, X30, KPT_JUMP_SLOW));
	kpt_direct_put_end(c);
}

/*
 * Called: kpt_arch_hides_caller(), of the address in x13? x14 changes. Returns one instruction
 * behind x30 if not.
 */
static void put_replaced(struct kpt_code *c)
{
	const struct kpt_arch_return_words *w = &kpt_arch_return_words;
	const u64 ours[] = { w->ours, w->graph, w->kretprobe };
	unsigned int yes = kpt_label(c), i;

	kpt_direct_put_landing_pad(c);
	kpt_direct_put_unsigned(c);
	for (i = 0; i < ARRAY_SIZE(ours); i++) {
		kpt_put_value(c, X14, ours[i]);
		kpt_put(c, a64_eor(X14, X14, X13));
		kpt_put_to(c, a64_cbz(X14), yes);
	}
	kpt_put(c, a64_add_i(X30, X30, 4));
	kpt_here(c, yes);
	kpt_put(c, A64_RET);
}

/* Branched to: the record is published, and a reader waits. */
static void put_wake(struct kpt_code *c)
{
	kpt_put(c, a64_add_i(SP, SP, -112));
	kpt_direct_put_save(c);
	kpt_put(c, a64_mrs(X0, A64_NZCV));
	kpt_put(c, a64_stp(X11, X16, SP, 80));
	kpt_put(c, a64_stp(X30, X0, SP, 96));
	kpt_put(c, a64_ldr(X0, X9, KPT_DIRECT(buffer)));
	kpt_put_value(c, X16, (unsigned long)kpt_hit_wake);
	kpt_put(c, a64_blr(X16));
	kpt_put(c, a64_ldp(X30, X0, SP, 96));
	kpt_put(c, a64_ldp(X11, X16, SP, 80));
	kpt_put(c, a64_msr(A64_NZCV, X0));
	kpt_direct_put_load_saved(c);
	kpt_put(c, a64_add_i(SP, SP, 112));
	kpt_put(c, a64_str_w(XZR, X11, KPT_CPU(depth)));
	kpt_direct_put_end(c);
}

/**
 * kpt_direct_routine() - the address of a routine
 * @routine: which one; kpt_direct_write_routines() has returned true
 *
 * Context: process context.
 * Return: the address.
 */
u64 kpt_direct_routine(enum kpt_direct_routine routine)
{
	return (unsigned long)routines[routine];
}

/**
 * kpt_direct_nr_routines() - how many routines are written
 *
 * Context: process context, kpt_mutex held.
 * Return: their number.
 */
unsigned int kpt_direct_nr_routines(void)
{
	unsigned int i, nr = 0;

	for (i = 0; i < KPT_DIRECT_ROUTINES; i++)
		nr += !!routines[i];
	return nr;
}

/**
 * kpt_direct_write_routines() - write all routines that are not written yet
 * @c: is used for that
 *
 * Context: process context, sleeps, kpt_mutex held.
 * Return: true if there are all of them.
 */
bool kpt_direct_write_routines(struct kpt_code *c)
{
	static void (*const put[])(struct kpt_code *c) = {
		[KPT_DIRECT_STOPPED] = put_stopped,
		[KPT_DIRECT_REPLACED] = put_replaced,
		[KPT_DIRECT_WAKE] = put_wake,
		[KPT_DIRECT_SYNTH] = kpt_direct_put_synth,
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(put); i++) {
		if (routines[i])
			continue;
		kpt_code_begin(c, c->words, c->room);
		put[i](c);
		routines[i] = kpt_code_end(c) ? kpt_direct_share(c) : NULL;
		if (!routines[i])
			return false;
	}
	return true;
}
