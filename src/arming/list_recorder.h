/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef KPTRACE_DIRECT_H
#define KPTRACE_DIRECT_H

struct kpt_handlers;

struct kpt_handlers *kpt_handlers_make_direct(struct kpt_handlers *list);

#endif
