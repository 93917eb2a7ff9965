/* SPDX-License-Identifier: GPL-2.0-only */
/* Builtin events: they exist without a definition. */
#ifndef KPTRACE_BUILTIN_H
#define KPTRACE_BUILTIN_H

#include "event/event_file.h"

/* A row of a table of builtin events, of class @kind. An empty row ends a table. */
#define KPT_BUILTIN(number, shape, label, kind) \
	{ \
		.name = label, .id = number, \
		.class = kind, .fields = &shape, \
		.refs = REFCOUNT_INIT(1), \
	}

void kpt_builtin_init(void);
struct kpt_event *kpt_builtin_event(u16 id);
struct kpt_event *kpt_builtin_find(const char *group, const char *name);
int kpt_builtin_add(struct kpt_instance *instance);

#endif
