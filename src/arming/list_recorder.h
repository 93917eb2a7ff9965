/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef KPTRACE_RECORDER_H
#define KPTRACE_RECORDER_H

struct kpt_handlers;

struct kpt_handlers *kpt_handlers_make_recorder(struct kpt_handlers *list);
void kpt_handlers_exit(void);

struct kpt_probe;

/* Of the part tracer: what recorders of function_graph need to know. */
bool kpt_graph_leaves_out(const struct kpt_probe *probe, unsigned long func);
const struct kpt_arch_graph *kpt_graph_calls(const struct kpt_probe *probe);

#endif
