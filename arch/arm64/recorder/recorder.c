// SPDX-License-Identifier: GPL-2.0-only
/*
 * Hits that a stub or a thunk records by itself, with ten scratch registers.
 *
 * Most points have a single event of one ring, some have several of the same ring. The
 * stub of such a point (jump.c) saves four registers, masks exceptions and calls a
 * **recorder**, which saves six more and does what hit_simple() in src/hit/hit_point.c does, in
 * the same order. Where anything is not as in most hits, the recorder has changed nothing
 * yet: it restores the registers, and the stub continues with kpt_hit(). Only a filter with a
 * range changes flags of PSTATE, and restores them.
 *
 * The thunk of a tracepoint (thunk_entry.S) does the same; there the caller expects the
 * scratch registers to change.
 *
 * A recorder is written (recorder_emit.c) for the registers that are recorded, for a fetch
 * program that reads memory (recorder_fetch.c), for the shape of a filter
 * (recorder_filter.c); events for which the same words would be written share it. All else
 * that differs between events is in struct kpt_arch_direct, which is part of a list of
 * handlers and lives as long. A recorder lives as long as a list uses it
 * (recorder_share.c), and their number is limited.
 *
 *	x9: the struct kpt_arch_direct; x16: PSTATE.DAIF; x30: an address in the stub
 *	or the thunk's code
 *	sp: x16, x30, x9 to x15, x17 as they are in the probed code
 *
 * Those of function_graph (recorder_graph.c) use four registers more.
 */
#include "kernel/compat.h"
#include <linux/kernel.h>
#include "kernel/comms.h"
#include "kernel/lock.h"
#include "lib/fetch/fetch.h"
#include "recorder/recorder.h"
#include "engine.h"

/* Words of one, at most. */
#define WORDS_MAX	1000

/* The one that kpt_arch_direct_make() is asked for. Under kpt_mutex. */
static struct kpt_direct_code wanted;
static u32 wanted_words[WORDS_MAX];

const struct kpt_arch_direct kpt_direct_none = {
	.code = kpt_direct_pass, .hit = kpt_hit_current,
};

/* Can this kernel have recorders? */
static bool possible __ro_after_init;

/* Bits in which the addresses that replace return addresses are the same. */
static u64 common_bits(const struct kpt_arch_return_words *w)
{
	u64 graph = w->graph ?: w->ours, kretprobe = w->kretprobe ?: w->ours;

	return ~((w->ours ^ graph) | (w->ours ^ kretprobe) | w->pac_mask);
}

/* What put_return_check() in recorder_emit.c compares with. */
static void note_returns(void)
{
	const struct kpt_arch_return_words *w = &kpt_arch_return_words;
	struct kpt_cpu *c;
	int cpu;

	for_each_possible_cpu(cpu) {
		c = per_cpu_ptr(&kpt_cpu, cpu);
		c->return_bits = common_bits(w);
		c->return_set = common_bits(w) & w->ours;
	}
}

/**
 * kpt_direct_init() - find out whether stubs can record hits by themselves
 *
 * Context: module load, after kpt_return_init().
 */
void kpt_direct_init(void)
{
	/* With PREEMPT_RT the count of softirqs is not part of preempt_count(). */
	possible = kpt_jump_is_possible() && !IS_ENABLED(CONFIG_PREEMPT_RT) &&
		   (kpt_comm_sees_renames || !IS_ENABLED(CONFIG_TRACEPOINTS));
	note_returns();
}

/* Returns false if no recorder can make the records. */
static bool write_wanted(const struct kpt_arch_direct *direct,
			 const struct kpt_arch_shape *shape, unsigned int nr)
{
	struct kpt_direct_code *r = &wanted;
	unsigned int i;

	if (WARN_ON_ONCE(!nr || nr > KPT_ARCH_RECORDS))
		return false;
	kpt_code_begin(&r->code, wanted_words, ARRAY_SIZE(wanted_words));
	if (!kpt_direct_write_routines(&r->code))
		return false;
	kpt_code_begin(&r->code, wanted_words, ARRAY_SIZE(wanted_words));
	r->direct = direct;
	r->shape = shape;
	r->nr = nr;
	r->length = 0;
	r->is_return = r->has_bias = r->has_strings = false;
	r->is_wide = r->changes_flags = false;
	r->filter = shape->graph || shape->is_held ? NULL : direct->filter;
	for (i = 0; i < nr; i++) {
		r->is_return |= shape[i].is_return;
		r->has_bias |= KPT_TRACEPOINT_BIAS && shape[i].is_call;
		r->has_strings |= shape[i].prog->has_strings;
		r->length += shape[i].length;
	}
	if (r->has_strings)
		r->length += KPT_DIRECT_STRINGS;
	return (nr == 1 || !r->has_strings) && kpt_direct_write(r);
}

/**
 * kpt_arch_direct_make() - find out whether a stub can record hits by itself
 * @direct: @code is set: kpt_direct_none.code if it cannot, which is no error. All else is
 *	given
 * @shape: what the records have in them
 * @nr: number of records, at most KPT_ARCH_RECORDS
 *
 * Stubs may be given @direct when kpt_arch_quiesce() has returned: then all CPUs
 * execute the code that was written. Call kpt_arch_direct_put() when it is freed.
 *
 * Context: process context, sleeps, kpt_mutex held.
 */
void kpt_arch_direct_make(struct kpt_arch_direct *direct,
			  const struct kpt_arch_shape *shape, unsigned int nr)
{
	const u32 *code = NULL;

	lockdep_assert_held(&kpt_mutex);
	if (possible && write_wanted(direct, shape, nr))
		code = kpt_direct_share(&wanted.code);
	direct->code = code ?: kpt_direct_none.code;
}

/**
 * kpt_arch_direct_put() - give back what kpt_arch_direct_make() has set
 * @direct: is freed after that: no stub or thunk uses it
 *
 * Context: process context, kpt_mutex held if @direct->code is not kpt_direct_none.code.
 */
void kpt_arch_direct_put(const struct kpt_arch_direct *direct)
{
	if (direct->code == kpt_direct_none.code)
		return;
	lockdep_assert_held(&kpt_mutex);
	kpt_direct_unshare(direct->code);
}

/**
 * kpt_direct_status() - show how many recorders there are
 * @sb: a line is appended
 *
 * Context: process context, kpt_mutex held.
 */
void kpt_direct_status(struct kpt_strbuf *sb)
{
	if (possible)
		kpt_direct_share_status(sb, kpt_direct_nr_routines());
	else
		kpt_strbuf_printf(sb, "recorders: none: %s\n",
				  !kpt_jump_is_possible() ? "no probe can have a stub" :
				  IS_ENABLED(CONFIG_PREEMPT_RT) ? "PREEMPT_RT" :
				  "no tracepoint task_rename");
}

/**
 * kpt_direct_exit() - free all recorders
 * @all: also their code: no CPU and no task is in a stub
 *
 * Context: process context.
 */
void kpt_direct_exit(bool all)
{
	kpt_direct_share_exit(all);
}
