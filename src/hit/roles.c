// SPDX-License-Identifier: GPL-2.0-only
/*
 * Run all handlers of a hook, each in its role: record a hit, keep a call at the
 * entry of a function, or record a return. Runs in BRK context, see hit_point.c.
 */
#include "kernel/compat.h"
#include <linux/kernel.h>
#include <linux/rcupdate.h>
#include <kptrace.h>
#include "buffer/places.h"
#include "event/task_filter.h"
#include "hit/follow.h"
#include "hit/internal.h"
#include "kernel/comms.h"
#include "kernel/ksyms.h"
#include "kernel/scratch.h"

/*
 * Let a function of another module see the entry, and keep data of the call. A call whose
 * return it does not want to see gets kpt_call.start 0.
 */
static noinline void role_enter(const struct kpt_handler *handler,
				struct kpt_call *call, struct pt_regs *regs)
{
	struct kptrace_probe *functions = handler->sink->functions;
	struct kptrace_call seen = {
		.func = handler->func,
		.ret_ip = kpt_call_true_return(kpt_arch_return_address(regs), regs),
		.data = functions->data_size ? call->value : NULL,
	};

	if (functions->entry && functions->entry(functions, &seen, regs))
		call->start = 0;
}

/*
 * At the entry of a function: keep the call. If that is not possible, it is missed here: its
 * return cannot be told from one of a call that began before the event was armed.
 */
static __always_inline bool role_entry(const struct kpt_handlers *handlers,
				       const struct kpt_handler *handler,
				       struct pt_regs *regs)
{
	struct kpt_call *call;

	call = kpt_call_push(handler->calls, handlers->hook, regs);
	if (unlikely(!call)) {
		kpt_hit_missed_by(handler);
		return false;
	}
	if (handler->sink->kind == KPT_SINK_FUNCTIONS)
		role_enter(handler, call, regs);
	return true;
}

/* At the entry of a function: keep the call, and replace its return address. */
static __always_inline void role_replace(const struct kpt_handlers *handlers,
					 const struct kpt_handler *handler,
					 struct pt_regs *regs)
{
	if (role_entry(handlers, handler, regs))
		kpt_arch_replace_return(regs);
}

/* As KPT_ROLE_HIT. Returns true if the function makes the code continue elsewhere. */
static bool role_trap(const struct kpt_handler *handler, struct kpt_hit *hit)
{
	unsigned long pc = hit->regs->pc;

	hit->is_return = false;
	kpt_hit_deliver(handler, hit);
	return hit->regs->pc != pc;
}

/**
 * kpt_hit_is_no_text() - is an address outside of all text of the kernel and modules?
 * @addr: the address
 *
 * Text of BPF is outside. The kernel looks modules up under RCU.
 *
 * Context: BRK.
 * Return: true if it is; false also if RCU does not watch this CPU.
 */
bool kpt_hit_is_no_text(unsigned long addr)
{
	return !core_kernel_text(addr) && kpt_hit_rcu_watches() &&
	       !__module_text_address(addr);
}

/* Take the call that ends at this return instruction. */
static struct kpt_call *role_find_call(const struct kpt_call_owner *owner,
				       const struct kpt_hit *hit)
{
	struct kpt_call *call = kpt_call_pop(owner, hit->regs->sp);

	if (likely(call) || !kpt_hit_is_no_text(hit->ret_ip))
		return call;
	return kpt_call_pop_behind(owner, hit->regs->regs[29]);
}

/*
 * At a return instruction: record the return. One without a call is no hit: its call began
 * before the event was armed, or was counted as missed at its entry.
 */
static void role_return(const struct kpt_handler *handler, struct kpt_hit *hit)
{
	hit->is_return = true;
	hit->ret_ip = kpt_call_true_return(kpt_arch_return_address(hit->regs),
					   hit->regs);
	if (!handler->calls || hit->call) {
		kpt_hit_deliver(handler, hit);
		return;
	}
	hit->call = role_find_call(handler->calls, hit);
	if (!hit->call)
		return;
	kpt_hit_deliver(handler, hit);
	hit->call = NULL;
}

/* Run a handler. Returns false if no other one may run. */
static __always_inline bool run_handler(const struct kpt_handlers *handlers,
					const struct kpt_handler *handler,
					struct kpt_hit *hit)
{
	switch (handler->does) {
	case KPT_ROLE_HIT:
		hit->is_return = false;
		kpt_hit_deliver(handler, hit);
		break;
	case KPT_ROLE_ENTRY:
		role_entry(handlers, handler, hit->regs);
		break;
	case KPT_ROLE_REPLACE:
		role_replace(handlers, handler, hit->regs);
		break;
	case KPT_ROLE_RETURN:
		role_return(handler, hit);
		break;
	case KPT_ROLE_WATCH:
		kpt_hit_watch(handler, hit);
		break;
	case KPT_ROLE_TRIGGER:
		kpt_hit_trigger(handler, hit);
		break;
	case KPT_ROLE_REPEATS:
		kpt_hit_repeats(handler, hit);
		break;
	case KPT_ROLE_MAX_STACK:
		kpt_hit_max_stack(hit->regs);
		break;
	case KPT_ROLE_TRAP:
	case KPT_ROLE_AFTER:
		/* Only others of these roles follow. */
		return !role_trap(handler, hit);
	case KPT_ROLE_GRAPH_ENTER:
		kpt_hit_graph_enter(handlers, handler, hit);
		break;
	case KPT_ROLE_GRAPH_LEAVE:
		kpt_hit_graph_return(handler, hit);
		break;
	case KPT_ROLE_PROFILE_ENTER:
		kpt_hit_profile_enter(handlers, handler, hit);
		break;
	case KPT_ROLE_PROFILE_LEAVE:
		kpt_hit_profile_return(handler, hit);
		break;
	}
	return true;
}

/**
 * kpt_hit_any() - run a list of handlers
 * @handlers: the list
 * @regs: registers at the probed address. A function of another module may change them, the PC
 *	too
 * @bias: as for kpt_hit_point()
 *
 * Context: BRK.
 * Return: as kpt_hit_point().
 */
bool kpt_hit_any(const struct kpt_handlers *handlers, struct pt_regs *regs,
		 unsigned int bias)
{
	struct kpt_hit hit = { .regs = regs };
	const struct kpt_handler *handler;

	if (kpt_hit_needs_rcu(handlers) && !kpt_hit_rcu_watches())
		return false;
	kpt_comm_note();
	if (unlikely(!kpt_hit_is_calm()))
		hit.context = kpt_hit_context(bias);
	kpt_for_each_handler(handler, handlers)
		if (!run_handler(handlers, handler, &hit))
			break;
	return true;
}

/*
 * The first sink of a handler that has not had a hit. @n: how many handlers of @rest are before
 * it.
 */
static const struct kpt_sink *resume_at(const struct kpt_handlers *handlers,
					const struct kpt_handler *handler,
					struct kpt_arch_rest rest, unsigned int n)
{
	if ((const u8 *)handler < (const u8 *)handlers + rest.at)
		return handler->sink + handler->nr_sinks;
	return handler->sink + (n < rest.nr ? rest.sink + (n < rest.from) : 0);
}

/*
 * Have the record of a hit that sinks have had whole, in memory of the CPU: what is in a ring
 * leaves its place out.
 */
static void resume_record(const struct kpt_handler *handler, struct kpt_hit *hit, void *record)
{
	hit->record = record;
	hit->size = record ? kpt_ring_size(record) : 0;
	if (!record || !handler->place)
		return;
	hit->record = this_cpu_ptr(kpt_scratch)->record[0];
	memcpy(hit->record, record, hit->size);
	hit->size = kpt_record_restore(hit->record, hit->size, kpt_places_read());
}

/* A hit that sinks of a handler have had, and others have not. */
static void resume_handler(const struct kpt_handler *handler, struct kpt_hit *hit, void *record)
{
	hit->is_return = handler->role == KPT_ROLE_RETURN;
	if (hit->is_return)
		hit->ret_ip = kpt_call_true_return(kpt_arch_return_address(hit->regs),
						   hit->regs);
	resume_record(handler, hit, record);
}

/*
 * Give a hit to the followers of a sink that have not had it, and let @rest be what is behind
 * them. Their records may overwrite what is in a ring, so @record moves.
 */
static void resume_followers(const struct kpt_handlers *handlers, struct kpt_arch_rest *rest,
			     struct kpt_hit *hit, void **record,
			     const struct kpt_handlers *followers)
{
	const struct kpt_handler *handler = (const void *)handlers + rest->at;
	u64 *aside = this_cpu_ptr(kpt_scratch)->record[0];
	size_t head = sizeof(struct kpt_ring_header);

	memmove(aside, *record - head, head + kpt_ring_size(*record));
	*record = (void *)aside + head;
	resume_handler(handler, hit, *record);
	kpt_hit_deliver_followers(handler, hit, followers, rest->from);
	rest->sink++;
	rest->from = 0;
}

/**
 * kpt_hit_resume() - do what the code of a stub or of a thunk leaves of a hit
 * @recorder: part of the list
 * @regs: registers at the probed address; the PC is set here
 * @rest: which of its sinks have not had the hit
 * @record: the record that the others of the first of these handlers have had, with that of the
 *	next one behind it, and so on; NULL if they have to be made
 * @followers: kpt_arch_step.followers
 *
 * Context: BRK.
 * Return: as kpt_hit_point().
 */
bool kpt_hit_resume(const struct kpt_arch_recorder *recorder, struct pt_regs *regs,
		    struct kpt_arch_rest rest, void *record,
		    const struct kpt_handlers *followers)
{
	const struct kpt_handlers *handlers = recorder->handlers;
	bool is_call = handlers->hook->owner == KPT_HOOK_TRACEPOINT;
	struct kpt_hit hit = { .regs = regs };
	const struct kpt_handler *handler;
	const struct kpt_sink *sink;
	unsigned int n = 0;

	if (kpt_hit_needs_rcu(handlers) && !kpt_hit_rcu_watches())
		return false;
	kpt_hit_find_pc(handlers, &hit);
	kpt_comm_note();
	if (unlikely(!kpt_hit_is_calm()))
		hit.context = kpt_hit_context(is_call ? kpt_hit_tracepoint_bias() : 0);
	if (followers)
		resume_followers(handlers, &rest, &hit, &record, followers);
	kpt_for_each_handler(handler, handlers) {
		sink = resume_at(handlers, handler, rest, n);
		if (sink == handler->sink) {
			run_handler(handlers, handler, &hit);
		} else if (sink < handler->sink + handler->nr_sinks) {
			resume_handler(handler, &hit, n < rest.nr ? record : NULL);
			kpt_hit_deliver_from(handler, sink, &hit);
		}
		if ((const u8 *)handler < (const u8 *)handlers + rest.at)
			continue;
		n++;
		if (record && n < rest.nr)
			record += kpt_ring_size(record) + sizeof(struct kpt_ring_header);
	}
	return true;
}

/**
 * kpt_hit_resume_missed() - count what is left of a hit inside another hit
 * @recorder: as for kpt_hit_resume()
 * @rest: as for kpt_hit_resume()
 * @followers: as for kpt_hit_resume()
 *
 * Context: BRK, nested.
 */
void kpt_hit_resume_missed(const struct kpt_arch_recorder *recorder, struct kpt_arch_rest rest,
			   const struct kpt_handlers *followers)
{
	const struct kpt_handlers *handlers = recorder->handlers;
	const struct kpt_handler *handler;
	unsigned int n = 0;

	if (followers) {
		kpt_hit_follow_missed(followers, rest.from);
		rest.sink++;
		rest.from = 0;
	}
	kpt_for_each_handler(handler, handlers) {
		if (handler->role != KPT_ROLE_ENTRY)
			kpt_hit_missed_from(handler, resume_at(handlers, handler, rest, n));
		n += (const u8 *)handler >= (const u8 *)handlers + rest.at;
	}
}
