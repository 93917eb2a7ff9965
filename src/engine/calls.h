/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Calls in progress: what is kept of a call from its entry to its return.
 *
 * Return events need that if they ask for values of the entry or for the time the
 * call took, or if the return address is replaced. Others keep nothing of a call.
 */
#ifndef KPTRACE_CALLS_H
#define KPTRACE_CALLS_H

#include <linux/sched.h>
/* Does not include what it needs. */
#include <linux/list_bl.h>
#include <linux/llist.h>
#include <kptrace/arch.h>
#include "lib/fetch.h"

struct kpt_hook;

/**
 * enum kpt_calls_end - what kpt_calls_end() does with the calls of an owner
 * @KPT_CALLS_GO_ON: nothing
 * @KPT_CALLS_UNSEEN: their returns will not be seen: forget them. Calls whose
 *	return address is replaced stay: those returns are always seen
 * @KPT_CALLS_ORPHANED: the owner will be freed: likewise, and calls that stay
 *	have no owner any more
 */
enum kpt_calls_end {
	KPT_CALLS_GO_ON,
	KPT_CALLS_UNSEEN,
	KPT_CALLS_ORPHANED,
};

/**
 * struct kpt_call_owner - the one that calls are kept for; part of a probe
 * @limit: calls that may be in progress at a time, 0 for any number
 * @active: how many are, counted if there is a @limit
 * @replaces_return: the return address of each call is replaced
 * @nr_values: values of the entry to keep
 * @arg: which argument ($argN, 1-based) each of them is
 * @end: changed by process context under kpt_mutex
 */
struct kpt_call_owner {
	u16 limit;
	atomic_t active;
	bool replaces_return;
	u8 nr_values;
	const u16 *arg;
	enum kpt_calls_end end;
};

/**
 * struct kpt_call - one call in progress
 * @node: in the hash of calls in progress
 * @idle: in a list of free ones, while it is not in use
 * @task: the caller; a reference is held
 * @sp: stack pointer at the entry, which it is again at the return
 * @owner: the call is kept for this owner; NULL if that is freed
 * @hook: of the entry; valid while @owner is
 * @ret: return address that was replaced, 0 if it was left alone
 * @start: counter at the entry
 * @value: values of the entry, in the order of kpt_call_owner.arg
 */
struct kpt_call {
	struct hlist_bl_node node;
	struct llist_node idle;
	struct task_struct *task;
	unsigned long sp;
	struct kpt_call_owner *owner;
	struct kpt_hook *hook;
	unsigned long ret;
	u64 start;
	u64 value[KPT_FETCH_ENTRY_MAX];
};

int kpt_calls_prepare(void);
void kpt_calls_end(enum kpt_calls_end most);
unsigned int kpt_calls_replaced(void);
struct kpt_call *kpt_call_push(struct kpt_call_owner *owner,
			       struct kpt_hook *hook,
			       const struct pt_regs *regs);
struct kpt_call *kpt_call_pop(const struct kpt_call_owner *owner,
			      unsigned long sp);
struct kpt_call *kpt_call_pop_behind(const struct kpt_call_owner *owner,
				     unsigned long fp);
void kpt_call_free(struct kpt_call *call);
unsigned long kpt_call_caller(unsigned int nth);
void kpt_calls_exit(void);

unsigned long kpt_call_find_return(unsigned long ret, const struct pt_regs *regs);

/**
 * kpt_call_true_return() - where a return leads in the end
 * @ret: the address that the function returns to
 * @regs: registers at the return
 *
 * Context: BRK.
 * Return: @ret; or if that was replaced, by us or by others, what it was.
 */
static inline unsigned long kpt_call_true_return(unsigned long ret,
						 const struct pt_regs *regs)
{
	if (likely(!kpt_arch_hides_caller(ret)))
		return ret;
	return kpt_call_find_return(ret, regs);
}

#endif
