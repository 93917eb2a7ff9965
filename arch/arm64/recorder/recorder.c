// SPDX-License-Identifier: GPL-2.0-only
/*
 * Hits that a stub or a thunk records by itself, with ten scratch registers.
 *
 * The stub of a point (jump.c) saves four registers, masks exceptions and calls a
 * **recorder**, which saves six more, unless nobody goes on with these
 * (kpt_arch_scratch_is_free()), and does what a list of handlers says, one
 * kpt_arch_step after the other, as src/hit/ would, and in the same order. A step does all of
 * its work or nothing. Where anything is not as in most hits, the first step has changed
 * nothing yet: it restores the registers, and the stub continues with kpt_hit_point(). Any
 * other one leaves itself, and all behind it, to kpt_hit_resume(). Only a filter with a range
 * changes flags of PSTATE, and restores them.
 *
 * The thunk of a tracepoint (thunk_entry.S) does the same; there the caller expects the
 * scratch registers to change. So does the BRK of a point without a stub (recorder_entry.S);
 * there SP is not that of the probed code, and C does the rest when the recorder has returned.
 *
 * A recorder is written (recorder_emit.c) for the registers that are recorded, for fetch
 * programs that read memory (recorder_fetch.c), for the shapes of filters
 * (recorder_filter.c); lists for which the same words would be written share it. All else
 * that differs between them is in struct kpt_arch_recorder, which is part of a list of
 * handlers and lives as long. A recorder lives as long as a list uses it
 * (recorder_share.c), and their number is limited.
 *
 *	x9: the struct kpt_arch_recorder; x16: PSTATE.DAIF; x30: an address in the stub
 *	or the thunk's code
 *	sp: x16, x30, x9 to x15, x17 as they are in the probed code
 *
 * Those of function_graph (recorder_graph.c) use four registers more.
 */
#include "kernel/compat.h"
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/moduleparam.h>
#include "kernel/comms.h"
#include "kernel/ksyms.h"
#include "kernel/lock.h"
#include "lib/fetch/fetch.h"
#include "recorder/recorder.h"
#include "engine.h"

/* Words of one, at most. */
#define WORDS_MAX	4000

/**
 * struct wanted - what kpt_arch_recorder_write() has written last
 * @step: for these steps
 * @nr: number of @step
 * @old: the code, if it was there before: then of @new the operands alone are written
 * @new: the recorder
 * @word: its code
 */
struct wanted {
	const struct kpt_arch_step *step;
	unsigned int nr;
	const u32 *old;
	struct kpt_recorder_code new;
	u32 word[WORDS_MAX];
};

/* From the first recorder on; under kpt_mutex. */
static struct wanted *wanted;

/*
 * Can BRKs without a stub have recorders? Those that lockdep has to see take a way that changes
 * preempt_count(); a wrong memory tag must fault, not be found later; and x18 is not that of the
 * probed code if it is a stack.
 */
#define REGS_POSSIBLE	(!IS_ENABLED(CONFIG_TRACE_IRQFLAGS) && !kpt_mte_is_late && \
			 !IS_ENABLED(CONFIG_SHADOW_CALL_STACK))

/* For tests: without it, C has all hits. */
static bool recorders = true;
module_param(recorders, bool, 0600);
MODULE_PARM_DESC(recorders, "code may record hits of events that are enabled now (for tests)");

/* For tests: the step with this number is not for code, if it is behind the first one. */
unsigned int kpt_recorder_resume;
module_param_named(resume, kpt_recorder_resume, uint, 0600);
MODULE_PARM_DESC(resume, "C has hits of events that are enabled now from this step on (for tests)");

/* Is the name of a task known whose hit C has not seen? Else this kernel has no recorders. */
static bool possible __ro_after_init;

static bool is_possible(enum kpt_arch_caller caller)
{
	return possible && (caller == KPT_ARCH_BRK ? REGS_POSSIBLE : kpt_jump_is_possible());
}

/* What recorders read of each CPU, and never changes. */
static void note_cpus(void)
{
	const struct kpt_arch_return_words *w = &kpt_arch_return_words;
	const u64 word[] = { w->ours, w->graph ?: w->ours, w->kretprobe ?: w->ours };
	struct kpt_sieve returns;
	struct kpt_cpu *c;
	int cpu;

	kpt_sieve_make(&returns, word, vabits_actual);
	for_each_possible_cpu(cpu) {
		c = per_cpu_ptr(&kpt_cpu, cpu);
		c->returns = returns;
		c->cpu = cpu;
	}
}

/**
 * kpt_recorder_init() - find out whether stubs can record hits by themselves
 *
 * Context: module load, after kpt_return_init().
 */
void kpt_recorder_init(void)
{
	possible = kpt_comm_sees_renames || !IS_ENABLED(CONFIG_TRACEPOINTS);
	note_cpus();
}

/* The kernel looks through all its tables, so ask only for a word that such a site can have. */
static bool is_ftrace_site(unsigned long addr)
{
	u32 word = READ_ONCE(*(u32 *)addr);

	return (kpt_insn_is_nop(word) || kpt_insn_is_bl(word)) && ftrace_location(addr) == addr;
}

/*
 * Has a function a site of ftrace? It is the second of its words, or that behind a landing pad.
 * Where such words call _mcount() they are elsewhere.
 */
static bool has_site(unsigned long func)
{
	struct kpt_insn insn;

	if (!kpt_has(ftrace_location))
		return false;
	if (is_ftrace_site(func + 4))
		return true;
	if (!IS_ENABLED(CONFIG_ARM64_BTI_KERNEL) || !is_ftrace_site(func + 8))
		return false;
	kpt_insn_decode(kpt_patch_bare(func), &insn);
	return insn.flags & KPT_INSN_LANDING;
}

/* The function that ftrace was asked for last, 0 for none: may ftrace enter it? Under kpt_mutex. */
static unsigned long last_func;
static bool last_has_site;

/* As has_site(); 0 has none. A function has a list of its entry, and lists of its returns. */
static bool is_traced(unsigned long func)
{
	if (!func)
		return false;
	if (func != last_func) {
		last_has_site = has_site(func);
		last_func = func;
	}
	return last_has_site;
}

/**
 * kpt_recorder_forget_func() - ask ftrace anew: there may be other text from now on
 *
 * Context: process context, kpt_mutex held.
 */
void kpt_recorder_forget_func(void)
{
	last_func = 0;
}

/* RETs of other registers than x30 may be of one that recorders change. */
static bool is_ret(u32 word)
{
	return word == A64_RET || word == A64_RETAA || word == A64_RETAB;
}

/**
 * kpt_arch_scratch_is_free() - may KPT_ARCH_SCRATCH be other registers behind a hit?
 * @caller: what runs the recorder
 * @ap: the point; NULL: there is none
 * @func: entry of the function that the hit enters or leaves; 0: of none
 *
 * Who calls a function expects x9 to x17 to change, unless it is written in assembler, or the
 * compiler knows better. It does not of functions that ftrace may enter: ftrace changes these
 * registers at their entry, and when they return.
 *
 * Context: process context; the text of the function is there.
 * Return: true if nobody goes on with them.
 */
bool kpt_arch_scratch_is_free(enum kpt_arch_caller caller, const struct kpt_arch_point *ap,
			      unsigned long func)
{
	switch (caller) {
	case KPT_ARCH_THUNK:
		return true;
	case KPT_ARCH_BRK:
		/* They are in a struct pt_regs. */
		return true;
	case KPT_ARCH_RETURN:
		return is_traced(func);
	case KPT_ARCH_STUB:
		return ap && (ap->addr == func || is_ret(ap->insn.word)) && is_traced(func);
	}
	return false;
}

/**
 * kpt_arch_recorder_write() - write the code with which a stub or thunk records hits by itself
 * @caller: what runs it
 * @saves: the probed code goes on with KPT_ARCH_SCRATCH, or they are recorded
 * @step: what it does, one after the other; there until kpt_arch_recorder_make()
 * @nr: number of steps
 *
 * Context: process context, sleeps, kpt_mutex held until kpt_arch_recorder_make().
 * Return: true; false if there is no code for that, or no memory.
 */
bool kpt_arch_recorder_write(enum kpt_arch_caller caller, bool saves,
			     const struct kpt_arch_step *step, unsigned int nr)
{
	struct wanted *w = wanted;

	lockdep_assert_held(&kpt_mutex);
	if (!recorders || !is_possible(caller) || WARN_ON_ONCE(!nr || nr > KPT_ARCH_STEPS))
		return false;
	if (!w)
		w = wanted = kvzalloc(sizeof(*w), GFP_KERNEL);
	if (!w)
		return false;
	w->step = step;
	w->nr = nr;
	w->new.caller = caller;
	w->new.saves = saves;
	w->old = kpt_recorder_again(&w->new, step, nr);
	if (w->old)
		return true;
	kpt_code_begin(&w->new.code, w->word, ARRAY_SIZE(w->word));
	if (!kpt_recorder_write_routines(&w->new.code))
		return false;
	kpt_code_begin(&w->new.code, w->word, ARRAY_SIZE(w->word));
	return kpt_recorder_write(&w->new, step, nr);
}

/**
 * kpt_arch_recorder_size() - room for what kpt_arch_recorder_write() has written last
 *
 * There is room for a recorder without code if it has written nothing yet.
 *
 * Context: process context, kpt_mutex held.
 * Return: bytes of a struct kpt_arch_recorder.
 */
size_t kpt_arch_recorder_size(void)
{
	return struct_size(&kpt_recorder_none, operand, wanted ? wanted->new.nr_operands : 0);
}

static const u32 *wanted_old(void)
{
	if (wanted->old)
		kpt_recorder_share_more(wanted->old);
	return wanted->old;
}

static const u32 *wanted_new(void)
{
	const u32 *code = kpt_recorder_share(&wanted->new.code);

	if (code)
		kpt_recorder_keep(&wanted->new, wanted->step, wanted->nr, code);
	return code;
}

/**
 * kpt_arch_recorder_make() - have what kpt_arch_recorder_write() has written
 * @recorder: @code and @operand are set, with room of kpt_arch_recorder_size(); without memory,
 *	@code is kpt_recorder_none.code: hits take @hit
 *
 * Stubs may be given @recorder when kpt_arch_quiesce() has returned: then all CPUs
 * execute the code that was written. Call kpt_arch_recorder_put() when it is freed.
 *
 * Context: process context, sleeps, kpt_mutex held.
 */
void kpt_arch_recorder_make(struct kpt_arch_recorder *recorder)
{
	lockdep_assert_held(&kpt_mutex);
	recorder->code = wanted_old() ?: wanted_new() ?: kpt_recorder_none.code;
	memcpy(recorder->operand, wanted->new.operand, wanted->new.nr_operands * sizeof(u64));
}

/**
 * kpt_arch_recorder_put() - give back what kpt_arch_recorder_make() has set
 * @recorder: is freed after that: no stub or thunk uses it
 *
 * Context: process context, kpt_mutex held if @recorder->code is not kpt_recorder_none.code.
 */
void kpt_arch_recorder_put(const struct kpt_arch_recorder *recorder)
{
	if (recorder->code == kpt_recorder_none.code)
		return;
	lockdep_assert_held(&kpt_mutex);
	kpt_recorder_unshare(recorder->code);
}

/**
 * kpt_recorder_status() - show how many recorders there are
 * @sb: a line is appended
 *
 * Context: process context, kpt_mutex held.
 */
void kpt_recorder_status(struct kpt_strbuf *sb)
{
	if (is_possible(KPT_ARCH_STUB) || is_possible(KPT_ARCH_BRK))
		kpt_recorder_share_status(sb, kpt_recorder_nr_routines());
	else
		kpt_strbuf_printf(sb, "recorders: none: %s\n",
				  possible ? "no probe can have a stub" :
				  "no tracepoint task_rename");
}

/**
 * kpt_recorder_exit() - free all recorders
 * @all: also their code: no CPU and no task is in a stub
 *
 * Context: process context.
 */
void kpt_recorder_exit(bool all)
{
	kpt_recorder_share_exit(all);
	kvfree(wanted);
	wanted = NULL;
}
