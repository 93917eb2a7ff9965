// SPDX-License-Identifier: GPL-2.0-only
/*
 * Static events of system calls, such as syscalls:sys_enter_openat. The kernel makes
 * their records in a way of its own. The records of raw_syscalls:sys_enter and sys_exit
 * begin with the same bytes, so hits take those: see struct kpt_tracepoint_set.
 */
#include "kernel/compat.h"
#include <linux/err.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/trace_events.h>
#include <trace/syscall.h>
#include "arch.h"
#include "engine/tracepoint.h"
#include "parts/static/static.h"

#ifdef CONFIG_EVENT_TRACING

/**
 * struct syscall_kind - entries of system calls, or their exits
 * @raw: the event of all of them
 * @known: one of them, to find the class of all
 * @known_call: the kernel's object of @known; NULL without such events
 * @raw_call: the same of @raw
 * @class: the class; NULL without such events
 * @call: the kernel's object of @raw
 */
struct syscall_kind {
	const char *raw;
	const char *known;
	struct trace_event_call *known_call;
	struct trace_event_call *raw_call;
	const struct trace_event_class *class;
	struct trace_event_call *call;
};

static struct syscall_kind kinds[] = {
	{ .raw = "sys_enter", .known = "sys_enter_close" },
	{ .raw = "sys_exit", .known = "sys_exit_close" },
};

static struct trace_event_call *syscall_find(const char *group, const char *name)
{
	struct trace_event_file *file = trace_get_event_file(NULL, group, name);
	struct trace_event_call *call;

	if (IS_ERR(file))
		return NULL;
	call = file->event_call;
	trace_put_event_file(file);
	return call;
}

/**
 * kpt_static_syscalls_find() - find events of system calls in the kernel's list
 *
 * Context: process context, sleeps, kpt_mutex not held: the kernel takes event_mutex.
 */
void kpt_static_syscalls_find(void)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(kinds); i++) {
		kinds[i].known_call = syscall_find("syscalls", kinds[i].known);
		kinds[i].raw_call = syscall_find("raw_syscalls", kinds[i].raw);
	}
}

/**
 * kpt_static_syscalls_init() - find out what events of system calls look like
 *
 * Context: process context, kpt_mutex held.
 */
void kpt_static_syscalls_init(void)
{
	struct trace_event_call *known, *raw;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(kinds); i++) {
		known = kinds[i].known_call;
		raw = kinds[i].raw_call;
		if (!known || !raw ||
		    !kpt_arch_records_come_from((unsigned long)raw->class->probe))
			continue;
		kinds[i].class = known->class;
		kinds[i].call = raw;
	}
}

/**
 * kpt_static_of_syscalls() - the event of all system calls that a class belongs to
 * @class: class of an event
 *
 * Context: any.
 * Return: the kernel's object; NULL if it is no event of a system call.
 */
struct trace_event_call *kpt_static_of_syscalls(const struct trace_event_class *class)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(kinds); i++)
		if (kinds[i].class && kinds[i].class == class)
			return kinds[i].call;
	return NULL;
}

/**
 * kpt_static_syscall_is_known() - has the system call of an event a number?
 * @call: the event, of a class that kpt_static_of_syscalls() knows
 *
 * Context: any.
 * Return: true if it has.
 */
bool kpt_static_syscall_is_known(const struct trace_event_call *call)
{
	const struct syscall_metadata *meta = call->data;

	return meta->syscall_nr >= 0 && meta->syscall_nr < NR_syscalls;
}

/* The field with the string or the bytes that argument @arg points to. */
static bool syscall_put_user_field(const struct syscall_metadata *meta,
				   unsigned int arg, kpt_static_put_t put, void *to)
{
	struct trace_event_fields f = {
		.type = "__data_loc char[]",
		.size = sizeof(u32),
		.align = sizeof(u32),
	};
	bool ok;

	f.name = kasprintf(GFP_KERNEL, "__%s_val", meta->args[arg]);
	ok = f.name && put(to, &f);
	kfree(f.name);
	return ok;
}

/**
 * kpt_static_syscall_fields() - list the arguments of an event of a system call
 * @call: the event
 * @put: called for each field, until it returns false
 * @to: for @put
 *
 * Context: process context, sleeps.
 * Return: the last result of @put; false without memory.
 */
bool kpt_static_syscall_fields(const struct trace_event_call *call,
			       kpt_static_put_t put, void *to)
{
	const struct syscall_metadata *meta = call->data;
	struct trace_event_fields f = {
		.size = sizeof(long),
		.align = sizeof(long),
	};
	unsigned int i;
	bool ok = true;

	if (!kpt_static_of_syscalls(call->class) || meta->enter_event != call)
		return true;
	for (i = 0; ok && i < meta->nb_args; i++) {
		f.type = meta->types[i];
		f.name = meta->args[i];
		ok = put(to, &f);
	}
	for (i = 0; ok && i < meta->nb_args; i++)
		if (kpt_syscall_user_mask(meta) & BIT(i))
			ok = syscall_put_user_field(meta, i, put, to);
	return ok;
}

#endif
