/* SPDX-License-Identifier: GPL-2.0-only */
/* What hits read of the tracer function_graph, and of the profile. */
#ifndef KPTRACE_GRAPH_H
#define KPTRACE_GRAPH_H

#include "parts/tracer/chains.h"
#include "parts/tracer/function_set.h"

/*
 * kpt_chain_call.value of function_graph is the depth of the call, and perhaps this bit:
 * nothing of it is recorded. Of the profile it is the ns that calls in it have taken.
 */
#define KPT_GRAPH_HIDDEN	BIT_ULL(KPT_CHAIN_CALL_HIDDEN)

/* kpt_graph_limits.entry: what is recorded when a call begins, 0: its entry alone. */
/* With the registers of arguments. */
#define KPT_GRAPH_ARGS		BIT(0)
/* With the address that it will return to. */
#define KPT_GRAPH_RETADDR	BIT(1)
/* Nothing. */
#define KPT_GRAPH_NO_ENTRY	BIT(2)

/**
 * struct kpt_graph_limits - settings that change while it traces
 * @max_depth: calls at this depth and below are not traced; 0: all are
 * @thresh: only calls that took so many ns are recorded, without their entry; 0: all
 * @entry: KPT_GRAPH_*, which follow from @thresh and the options funcgraph-args and
 *	funcgraph-retaddr: in one word, so that hits test one
 * @deepest: kpt_arch_graph.deepest, see kpt_tracer_update_graph_limits()
 */
struct kpt_graph_limits {
	unsigned int max_depth;
	u32 entry;
	u64 thresh;
	u32 deepest;
};

/**
 * struct kpt_graph - what a probe of function_graph traces
 * @only: if it is set, only these functions and what they call; sorted
 * @without: not these, nor what they call
 * @limits: of the instance
 * @chains: the calls in progress; they are those of the probe
 *
 * Its sets never change: kpt_tracer_probe.graph is replaced when modules change those of the
 * instance.
 */
struct kpt_graph {
	struct kpt_function_set only;
	struct kpt_function_set without;
	const struct kpt_graph_limits *limits;
	struct kpt_chains *chains;
};

#endif
