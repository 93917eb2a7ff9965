/* SPDX-License-Identifier: GPL-2.0-only */
/* Records of system calls. */
#ifndef KPTRACE_SYSCALL_H
#define KPTRACE_SYSCALL_H

#include <linux/types.h>

struct kpt_tracepoint;
struct kpt_tracepoint_set;

const struct kpt_tracepoint *kpt_hit_syscall_of(const struct kpt_tracepoint_set *set);
size_t kpt_hit_syscall_finish(void *record, const struct kpt_tracepoint *tracepoint);

#endif
