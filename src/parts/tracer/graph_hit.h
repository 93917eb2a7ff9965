/* SPDX-License-Identifier: GPL-2.0-only */
/* What function_graph and the profile share at a hit. */
#ifndef KPTRACE_GRAPH_HIT_H
#define KPTRACE_GRAPH_HIT_H

#include "arming/handlers.h"
#include "parts/tracer/chains.h"

/**
 * kpt_hit_call_around() - the call in progress that another one is made in
 * @handler: a handler at the function that is called
 * @chain: the chain of the current task
 * @sp: the stack pointer at the entry of the function
 *
 * Context: BRK.
 * Return: as kpt_chain_around().
 */
static __always_inline struct kpt_chain_call *
kpt_hit_call_around(const struct kpt_handler *handler, struct kpt_chain *chain,
		    unsigned long sp)
{
	/* A tail call of a function whose return address is replaced may be one of itself. */
	return kpt_chain_around(chain, handler->role == KPT_ROLE_REPLACE ?
				0 : handler->func, sp);
}

void kpt_hit_profile_leave(const struct kpt_handler *handler, struct kpt_chain *chain,
			   const struct kpt_chain_call *call, unsigned long sp);

#endif
