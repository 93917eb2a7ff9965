/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef KPTRACE_LIST_RECORDER_H
#define KPTRACE_LIST_RECORDER_H

struct kpt_handlers;
struct kpt_probe;

/* Of the part recorder: code for the hits of a list. */
struct kpt_handlers *kpt_handlers_add_recorder(struct kpt_handlers *list);

/* Of the part tracer: what recorders of function_graph need to know. */
bool kpt_graph_leaves_out(const struct kpt_probe *probe, unsigned long func);
const struct kpt_arch_graph *kpt_graph_calls(const struct kpt_probe *probe);

#endif
