/* SPDX-License-Identifier: GPL-2.0-only */
/* What hits read of the tracer function_graph, and of the profile. */
#ifndef KPTRACE_GRAPH_H
#define KPTRACE_GRAPH_H

#include "event/function_set.h"

/**
 * enum kpt_graph_value - numbers of kpt_call.value, of calls that are traced
 * @KPT_GRAPH_VALUE_DEPTH: of function_graph: its depth, and whether it is hidden
 * @KPT_GRAPH_VALUE_INNER: of the profile instead: ns that calls in it have taken
 * @KPT_GRAPH_VALUE_SLEPT: how long the task had not run when the call began, see
 *	kpt_graph_slept()
 */
enum kpt_graph_value {
	KPT_GRAPH_VALUE_DEPTH = 0,
	KPT_GRAPH_VALUE_INNER = 0,
	KPT_GRAPH_VALUE_SLEPT = 1,
};

/**
 * struct kpt_graph_limits - settings that change while it traces
 * @max_depth: calls at this depth and below are not traced; 0: all are
 * @thresh: only calls that took so many ns are recorded, without their entry; 0: all
 */
struct kpt_graph_limits {
	unsigned int max_depth;
	u64 thresh;
};

/**
 * struct kpt_graph - what a probe of function_graph traces
 * @only: if it is set, only these functions and what they call; sorted
 * @without: not these, nor what they call
 * @limits: of the instance
 * @is_profile: it is the profile, which counts calls and does not record them
 *
 * Its sets never change: kpt_probe.graph is replaced when modules change those of the
 * instance.
 */
struct kpt_graph {
	struct kpt_function_set only;
	struct kpt_function_set without;
	const struct kpt_graph_limits *limits;
	bool is_profile;
};

#endif
