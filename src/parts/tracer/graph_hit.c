// SPDX-License-Identifier: GPL-2.0-only
/*
 * The tracer function_graph: entries and returns of functions, with their depth. Runs
 * in BRK context, see hit_point.c.
 *
 * A call that is traced is kept in the chain of its task until it returns, so its depth
 * is that of the call that it is made in plus one. A call that is not traced is not kept,
 * except one that hides what it calls.
 */
#include "kernel/compat.h"
#include "parts/tracer/graph.h"
#include "parts/tracer/profile.h"
#include "parts/tracer/tracer.h"
#include "event/task_filter.h"
#include "hit/internal.h"
#include "parts/tracer/graph_hit.h"
#include "kernel/clock.h"
#include "kernel/comms.h"
#include "kernel/ksyms.h"

static __always_inline bool graph_may_record(const struct kpt_sink *sink)
{
	return likely(!atomic_read(&sink->buffer->stops)) ||
	       kpt_task_filter_allow(sink->file, NULL);
}

/* A call that was recorded is seen return, whatever the task filter says now. */
static __always_inline bool graph_may_end(const struct kpt_sink *sink)
{
	return likely(!atomic_read(&sink->buffer->stops)) ||
	       kpt_task_filter_allow_cpu(sink->file->instance);
}

static __always_inline bool graph_in_hardirq(const struct kpt_sink *sink, u16 context)
{
	return context & KPT_FLAG_HARDIRQ &&
	       !(READ_ONCE(sink->file->instance->options) & KPT_OPT_GRAPH_IRQS);
}

/*
 * Is a call traced that happens now, inside of @around or not inside of any? Then @value
 * is what kpt_chain_call.value keeps of it: its depth, and KPT_GRAPH_HIDDEN.
 */
static __always_inline bool graph_wants(const struct kpt_handler *handler, u16 context,
					const struct kpt_chain *chain,
					const struct kpt_chain_call *around, u64 *value)
{
	const struct kpt_graph *graph = kpt_graph_of(handler->probe);
	unsigned int max_depth = READ_ONCE(graph->limits->max_depth);
	bool inside = chain && around != chain->call;

	if (inside && around->value & KPT_GRAPH_HIDDEN)
		return false;
	*value = inside ? around->value + 1 : 0;
	if (unlikely(graph->only.is_set) && !inside &&
	    !kpt_function_set_has(&graph->only, handler->func))
		return false;
	if ((max_depth && *value >= max_depth) ||
	    graph_in_hardirq(handler->sink, context) ||
	    !graph_may_record(handler->sink))
		return false;
	if (unlikely(graph->without.list.nr) &&
	    kpt_function_set_has(&graph->without, handler->func))
		*value |= KPT_GRAPH_HIDDEN;
	return true;
}

/*
 * Keep a call, of function_graph or the profile, until it returns. @chain is that of the
 * current task, NULL if it has none yet. NULL if the call will not be seen return: then it
 * is counted as missed.
 */
static __always_inline struct kpt_chain_call *graph_push(const struct kpt_handlers *handlers,
							 const struct kpt_handler *handler,
							 struct kpt_chain *chain,
							 struct pt_regs *regs)
{
	struct kpt_chain_call *call = NULL;

	if (unlikely(!chain))
		chain = kpt_chains_add(kpt_graph_of(handler->probe)->chains);
	if (likely(chain)) {
		call = kpt_chain_push(chain);
		if (unlikely(!call))
			kpt_chain_overrun(kpt_graph_of(handler->probe)->chains, chain);
	}
	if (unlikely(call && handler->role == KPT_ROLE_REPLACE)) {
		if (kpt_call_push(handler->calls, handlers->hook, regs)) {
			kpt_arch_replace_return(regs);
		} else {
			chain->next = call;
			call = NULL;
		}
	}
	if (unlikely(!call)) {
		kpt_hit_missed_by(handler);
		return NULL;
	}
	call->func = handler->func;
	call->sp = regs->sp;
	call->start = kpt_clock_stamp(KPT_CLOCK_LOCAL);
	call->slept = kpt_graph_slept();
	return call;
}

/* Room for a record in the ring of this CPU, on the slow path. */
static noinline void *graph_reserve_slow(const struct kpt_sink *sink,
					 struct kpt_buffer_cpu *bc, size_t size)
{
	void *rec = kpt_buffer_reserve(sink->buffer, bc, size, 0);

	if (!rec)
		this_cpu_ptr(kpt_sink_counts(sink))->lost++;
	return rec;
}

/*
 * Room for a record in the ring of this CPU, with the time @stamp if that is what the
 * ring's clock shows. @quick: result, for graph_commit(). Counts the record as lost if
 * there is none.
 */
static __always_inline void *graph_reserve(const struct kpt_sink *sink,
					   struct kpt_buffer_cpu *bc, size_t size,
					   u64 stamp, bool *quick)
{
	void *rec;

	/* Nothing else writes: exceptions are masked, hits in an NMI are missed. */
	*quick = likely(!atomic_read(&sink->buffer->stops) &&
			kpt_buffer_may_write(bc) &&
			kpt_ring_begin(&bc->ring, kpt_ring_quick(size), stamp, &rec));
	return *quick ? rec : graph_reserve_slow(sink, bc, size);
}

static __always_inline void graph_commit(const struct kpt_sink *sink,
					 struct kpt_buffer_cpu *bc, bool quick)
{
	(*this_cpu_ptr(sink->recorded))++;
	if (likely(quick))
		kpt_ring_finish(&bc->ring);
	else
		kpt_ring_commit(&bc->ring);
	kpt_buffer_published(sink->buffer);
}

static __always_inline struct kpt_chain *graph_chain(struct kpt_chains *chains)
{
	return kpt_chains_here(chains) ?: kpt_chains_find(chains);
}

/* Record the entry of a call; @what: KPT_GRAPH_ARGS, KPT_GRAPH_RETADDR. */
static __always_inline void graph_record_entry(const struct kpt_handler *handler,
					       const struct kpt_chain_call *call,
					       const struct pt_regs *regs, u16 context,
					       const u32 what)
{
	const size_t args = what & KPT_GRAPH_ARGS ? KPT_RECORD_ARGS * sizeof(u64) : 0;
	const bool has_retaddr = what & KPT_GRAPH_RETADDR;
	const size_t size = has_retaddr ? sizeof(struct kpt_record_graph_retaddr) :
					  sizeof(struct kpt_record_graph_entry);
	const struct kpt_sink *sink = handler->sink;
	struct kpt_buffer_cpu *bc = this_cpu_ptr(sink->buffer->cpu);
	struct kpt_record_graph_entry *entry;
	bool quick;

	entry = graph_reserve(sink, bc, size + args, call->start, &quick);
	if (unlikely(!entry))
		return;
	kpt_hit_fill_head(&entry->head, has_retaddr ? KPT_RECORD_GRAPH_RETADDR :
						      KPT_RECORD_GRAPH_ENTRY, regs, context);
	entry->func = handler->func;
	entry->depth = call->value;
	/* graph_push() may have replaced it. */
	if (has_retaddr)
		((struct kpt_record_graph_retaddr *)entry)->retaddr =
			kpt_call_true_return(kpt_arch_return_address(regs), regs);
	memcpy((u8 *)entry + size, regs->regs, args);
	graph_commit(sink, bc, quick);
}

/* Record the entry of a call where that is not what is usually recorded. */
static noinline void graph_record_other(const struct kpt_handler *handler,
					const struct kpt_chain_call *call,
					const struct pt_regs *regs, u16 context)
{
	u32 what = READ_ONCE(kpt_graph_of(handler->probe)->limits->entry);

	if (!(call->value & KPT_GRAPH_HIDDEN) && !(what & KPT_GRAPH_NO_ENTRY))
		graph_record_entry(handler, call, regs, context, what);
}

static __always_inline void graph_enter(const struct kpt_handlers *handlers,
					const struct kpt_handler *handler,
					struct pt_regs *regs, u16 context)
{
	const struct kpt_graph *graph = kpt_graph_of(handler->probe);
	struct kpt_chain *chain = graph_chain(graph->chains);
	struct kpt_chain_call *call = NULL;
	u64 value;

	this_cpu_ptr(handler->hits)->hits++;
	if (likely(chain))
		call = kpt_hit_call_around(handler, chain, regs->sp);
	if (!graph_wants(handler, context, chain, call, &value)) {
		this_cpu_ptr(kpt_sink_counts(handler->sink))->outcomes.filtered++;
		return;
	}
	call = graph_push(handlers, handler, chain, regs);
	if (unlikely(!call))
		return;
	call->value = value;
	if (unlikely(value & KPT_GRAPH_HIDDEN || READ_ONCE(graph->limits->entry)))
		graph_record_other(handler, call, regs, context);
	else
		graph_record_entry(handler, call, regs, context, 0);
}

/**
 * kpt_hit_graph_enter() - a function is entered
 * @handlers: the list of the point
 * @handler: that of function_graph
 * @hit: the hit
 *
 * Context: BRK.
 */
void kpt_hit_graph_enter(const struct kpt_handlers *handlers,
			 const struct kpt_handler *handler, const struct kpt_hit *hit)
{
	graph_enter(handlers, handler, hit->regs, hit->context);
}

/**
 * kpt_hit_profile_enter() - a function is entered
 * @handlers: the list of the point
 * @handler: that of the profile
 * @hit: the hit
 *
 * Context: BRK.
 */
void kpt_hit_profile_enter(const struct kpt_handlers *handlers,
			   const struct kpt_handler *handler, const struct kpt_hit *hit)
{
	struct kpt_chain *chain = graph_chain(kpt_graph_of(handler->probe)->chains);
	struct kpt_chain_call *call;

	this_cpu_ptr(handler->calls->counts)->hits++;
	if (chain)
		kpt_hit_call_around(handler, chain, hit->regs->sp);
	call = graph_push(handlers, handler, chain, hit->regs);
	if (call)
		call->value = 0;
}

/* Without option sleep-time, a call begins as much later as the task did not run. */
static void graph_leave_out_sleep(const struct kpt_sink *sink,
				  const struct kpt_chain_call *call,
				  struct kpt_record_graph_exit *leaf)
{
	u64 slept;

	/* A stub has not noted it if the call began with the option. */
	if (likely(READ_ONCE(sink->file->instance->options) & KPT_OPT_SLEEP_TIME) ||
	    !call->slept)
		return;
	slept = kpt_graph_slept() - call->slept;
	leaf->calltime += min(slept, leaf->rettime - leaf->calltime);
}

static __always_inline void graph_leave(const struct kpt_handler *handler,
					const struct kpt_chain *chain,
					const struct kpt_chain_call *call,
					const struct pt_regs *regs, u16 context)
{
	u64 thresh = READ_ONCE(kpt_graph_of(handler->probe)->limits->thresh);
	const struct kpt_sink *sink = handler->sink;
	struct kpt_buffer_cpu *bc = this_cpu_ptr(sink->buffer->cpu);
	struct kpt_record_graph_exit *leaf, times;
	bool quick;
	u64 now;

	if (unlikely(call->value & KPT_GRAPH_HIDDEN || !graph_may_end(sink)))
		return;
	now = kpt_clock_stamp(KPT_CLOCK_LOCAL);
	times.calltime = kpt_clock_convert(KPT_CLOCK_LOCAL, call->start);
	times.rettime = kpt_clock_convert(KPT_CLOCK_LOCAL, now);
	graph_leave_out_sleep(sink, call, &times);
	if (unlikely(thresh && times.rettime - times.calltime < thresh))
		return;
	leaf = graph_reserve(sink, bc, sizeof(*leaf), now, &quick);
	if (unlikely(!leaf))
		return;
	kpt_hit_fill_head(&leaf->head, KPT_RECORD_GRAPH_EXIT, regs, context);
	leaf->func = handler->func;
	leaf->retval = regs->regs[0];
	leaf->depth = call->value;
	leaf->overrun = chain->overrun;
	leaf->calltime = times.calltime;
	leaf->rettime = times.rettime;
	graph_commit(sink, bc, quick);
}

/* The call that ends now; NULL if it is not traced. @chain is that of the task, or NULL. */
static __always_inline struct kpt_chain_call *graph_pop(const struct kpt_handler *handler,
							struct kpt_chain *chain,
							const struct pt_regs *regs)
{
	struct kpt_chain_call *call;

	if (!chain)
		return NULL;
	call = kpt_chain_pop(chain, handler->func, regs->sp);
	if (likely(call) || handler->role != KPT_ROLE_RETURN ||
	    chain->next == &chain->call[1] ||
	    !kpt_hit_is_no_text(kpt_arch_return_address(regs)))
		return call;
	return kpt_chain_pop_behind(chain, handler->func, regs->regs[29]);
}

/**
 * kpt_hit_graph_return() - a function returns
 * @handler: the handler, of function_graph
 * @hit: the hit
 *
 * Context: BRK.
 */
void kpt_hit_graph_return(const struct kpt_handler *handler, const struct kpt_hit *hit)
{
	struct kpt_chain *chain = graph_chain(kpt_graph_of(handler->probe)->chains);
	const struct kpt_chain_call *call = graph_pop(handler, chain, hit->regs);

	if (call)
		graph_leave(handler, chain, call, hit->regs, hit->context);
}

/**
 * kpt_hit_profile_return() - a function returns
 * @handler: the handler, of the profile
 * @hit: the hit
 *
 * Context: BRK.
 */
void kpt_hit_profile_return(const struct kpt_handler *handler, const struct kpt_hit *hit)
{
	struct kpt_chain *chain = graph_chain(kpt_graph_of(handler->probe)->chains);
	const struct kpt_chain_call *call = graph_pop(handler, chain, hit->regs);

	if (call)
		kpt_hit_profile_leave(handler, chain, call, hit->regs->sp);
}

/**
 * kpt_hit_graph() - run the list that a stub has found, of function_graph alone
 * @ap: the point
 * @regs: as for kpt_hit_point()
 * @recorder: part of the list; valid until kpt_arch_quiesce()
 *
 * Context: BRK, as for kpt_hit_point().
 * Return: as kpt_hit_point().
 */
bool kpt_hit_graph(struct kpt_arch_point *ap, struct pt_regs *regs,
		   const struct kpt_arch_recorder *recorder)
{
	const struct kpt_handlers *handlers = kpt_handlers_of(recorder);
	const struct kpt_handler *handler = &handlers->first;
	const struct kpt_chain_call *call;
	struct kpt_chain *chain;
	u16 context = 0;

	if (unlikely(READ_ONCE(kpt_task_filter_needs_rcu)))
		return kpt_hit_point(ap, regs, 0);
	kpt_comm_note();
	if (unlikely(!kpt_hit_is_calm()))
		context = kpt_hit_context(0);
	if (handler->role != KPT_ROLE_RETURN) {
		graph_enter(handlers, handler, regs, context);
		return true;
	}
	chain = graph_chain(kpt_graph_of(handler->probe)->chains);
	call = graph_pop(handler, chain, regs);
	if (call)
		graph_leave(handler, chain, call, regs, context);
	return true;
}
