/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Calls in progress: values that are kept from a function's entry to its return.
 *
 * Return events need a kpt_call if they fetch values of the entry or the duration
 * of the call, or if they replace the return address. Other events keep no call.
 */
#ifndef KPTRACE_CALLS_H
#define KPTRACE_CALLS_H

#include <linux/sched.h>
#include "arch.h"
#include "lib/fetch/fetch.h"

struct kpt_hook;
struct kpt_profile_counts;

/**
 * enum kpt_calls_end - what kpt_calls_end() does with the calls of an owner
 * @KPT_CALLS_GO_ON: keep them
 * @KPT_CALLS_UNSEEN: drop them, because their returns will not be seen; but keep
 *	calls whose return address is replaced: those returns are always seen
 * @KPT_CALLS_ORPHANED: do the same, and set the owner of the calls that are kept
 *	to NULL, because the owner will be freed
 */
enum kpt_calls_end {
	KPT_CALLS_GO_ON,
	KPT_CALLS_UNSEEN,
	KPT_CALLS_ORPHANED,
};

/**
 * struct kpt_call_owner - settings and count of the calls of a probe; part of it
 * @recorder: records returns whose address is replaced; &kpt_recorder_none: kpt_hit_return()
 *	does. It comes first, see return_entry.S
 * @limit: how many calls may be in progress at a time, 0 for any number
 * @active: how many calls are in progress; counted only if @limit is not 0
 * @replaces_return: the return address of each call is replaced
 * @keeps_start: kpt_call.start is needed
 * @nr_values: number of values of the entry to keep
 * @arg: for each value, the argument ($argN, 1-based) that it is
 * @counts: counters of the function in a profile; NULL: it is not in one
 * @end: what kpt_calls_end() does; changed in process context under kpt_mutex
 */
struct kpt_call_owner {
	const struct kpt_arch_recorder *recorder;
	u16 limit;
	atomic_t active;
	bool replaces_return;
	bool keeps_start;
	u8 nr_values;
	const u16 *arg;
	struct kpt_profile_counts __percpu *counts;
	enum kpt_calls_end end;
};

/*
 * Where a trampoline has called the body of a function, SP was so many bytes above the
 * trampoline's frame pointer when the function was entered: one to four frame records, see
 * kpt_call_pop_behind().
 */
#define KPT_CALL_BEHIND_MIN	16
#define KPT_CALL_BEHIND_MAX	64

extern int kpt_calls_pinned;

int kpt_calls_prepare(void);
void kpt_calls_end(enum kpt_calls_end most);
unsigned int kpt_calls_replaced(void);
struct kpt_call *kpt_call_push(struct kpt_call_owner *owner,
			       struct kpt_hook *hook,
			       const struct pt_regs *regs);
struct kpt_call *kpt_call_pop(const struct kpt_call_owner *owner,
			      unsigned long sp);
struct kpt_call *kpt_call_pop_replaced(unsigned long sp);
struct kpt_call *kpt_call_pop_behind(const struct kpt_call_owner *owner,
				     unsigned long fp);
unsigned long kpt_call_caller(unsigned int nth);
struct kpt_call *kpt_call_returning(void);
void kpt_calls_exit(void);

unsigned long kpt_call_find_return(unsigned long ret, const struct pt_regs *regs);

/**
 * kpt_call_true_return() - the original of a return address
 * @ret: the address that the function returns to
 * @regs: registers at the return
 *
 * Context: BRK.
 * Return: @ret; or if kptrace or another tracer has replaced it, the original.
 */
static inline unsigned long kpt_call_true_return(unsigned long ret,
						 const struct pt_regs *regs)
{
	if (likely(!kpt_arch_hides_caller(ret)))
		return ret;
	return kpt_call_find_return(ret, regs);
}

#endif
