/* SPDX-License-Identifier: GPL-2.0-only */
/* The kernel's static events, such as sched:sched_switch. */
#ifndef KPTRACE_STATIC_H
#define KPTRACE_STATIC_H

#include "event/declared.h"
#include "event/event_file.h"

struct kpt_tracepoint;
struct module;
struct trace_array;
struct trace_event_call;
struct trace_event_class;
struct trace_event_fields;

int kpt_static_init(void);
void kpt_static_exit(void);
void kpt_static_coming(const struct module *mod);
void kpt_static_going(const struct module *mod);
void kpt_static_declare(void);
int kpt_static_make_chosen(const struct kpt_event_files *which);

/* static_syscalls.c */

/* Adds a field to the shape @to. Returns false without memory. */
typedef bool (*kpt_static_put_t)(void *to, const struct trace_event_fields *f);

/* Most fields that kpt_static_syscall_fields() lists. */
#define KPT_STATIC_SYSCALL_FIELDS 12

void kpt_static_syscalls_find(void);
void kpt_static_syscalls_init(void);
struct trace_event_call *kpt_static_of_syscalls(const struct trace_event_class *class);
bool kpt_static_syscall_is_known(const struct trace_event_call *call);
bool kpt_static_syscall_fields(const struct trace_event_call *call,
			       kpt_static_put_t put, void *to);

/* static_shape.c */

struct kpt_fields *kpt_static_shape(struct kpt_declared *s);
bool kpt_static_same_shape(const struct kpt_declared *s,
			   struct trace_event_call *call);
void kpt_static_forget(struct kpt_declared *s);
int kpt_static_text_init(struct trace_array *tr);
void kpt_static_text_exit(void);

#endif
