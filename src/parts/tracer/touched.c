// SPDX-License-Identifier: GPL-2.0-only
/* Which functions have had an armed probe since kptrace was loaded. */
#include "kernel/compat.h"
#include <linux/bitmap.h>
#include <linux/slab.h>
#include <linux/xarray.h>
#include "arming/handlers.h"
#include "engine/tracepoint.h"
#include "kernel/lock.h"
#include "kernel/symbol/symbol.h"
#include "parts/tracer/touched.h"

/* Bytes of text whose words share a piece of memory: 128 bytes for some ten functions. */
#define SPAN	4096
#define WORDS	(SPAN / sizeof(u32))

/*
 * A bit for each word of text, by spans that have one set. The word is the entry of the
 * function, or of what is probed inside of a function the place itself: its function is
 * looked up when somebody asks. Under kpt_mutex.
 */
static DEFINE_XARRAY(touched);

/* The span that was found last, as functions that are armed together are near each other. */
static unsigned long *last_span;
static unsigned long last_nr;

static unsigned long *touched_span(unsigned long addr)
{
	unsigned long nr = addr / SPAN;

	if (!last_span || last_nr != nr) {
		last_span = xa_load(&touched, nr);
		last_nr = nr;
	}
	return last_span;
}

static int touched_prepare(unsigned long addr)
{
	unsigned long *span;
	int err;

	if (touched_span(addr))
		return 0;
	span = bitmap_zalloc(WORDS, GFP_KERNEL);
	if (!span)
		return -ENOMEM;
	err = xa_err(xa_store(&touched, addr / SPAN, span, GFP_KERNEL));
	if (err)
		bitmap_free(span);
	return err;
}

static int touched_mark(unsigned long addr)
{
	unsigned long *span = touched_span(addr);

	if (span)
		__set_bit(addr % SPAN / sizeof(u32), span);
	return 0;
}

static int touched_each_handler(const struct kpt_handlers *list, unsigned long addr,
				int (*visit)(unsigned long addr))
{
	const struct kpt_handler *handler;
	int err = 0;

	kpt_for_each_handler(handler, list) {
		err = visit(handler->func ?: addr);
		if (err)
			break;
	}
	return err;
}

/* What hits of a hook are hits of: a place in text, or 0. */
static unsigned long touched_place(struct kpt_hook *hook)
{
	struct kpt_point *point;

	switch (hook->owner) {
	case KPT_HOOK_POINT:
		point = container_of(hook, struct kpt_point, hook);
		return point->gone ? 0 : point->arch.addr;
	case KPT_HOOK_TRACEPOINT:
		return KPT_TRACEPOINT_IS_FUNCTION ?
		       container_of(hook, struct kpt_tracepoint, hook)->func : 0;
	default:
		return 0;
	}
}

/* A point may have handlers and not be armed: other code has patched its text. */
static bool touched_is_armed(const struct kpt_hook *hook)
{
	return hook->owner != KPT_HOOK_POINT ||
	       container_of(hook, struct kpt_point, hook)->arch.armed;
}

/**
 * kpt_touched_prepare() - make room for the functions that a batch will arm
 * @batch: the batch, before it is applied
 *
 * Context: process context, sleeps, kpt_mutex held.
 * Return: 0 or -ENOMEM.
 */
int kpt_touched_prepare(struct kpt_batch *batch)
{
	struct kpt_hook *hook;
	unsigned long addr;
	int err = 0;

	lockdep_assert_held(&kpt_mutex);
	list_for_each_entry(hook, &batch->hooks, in_batch) {
		addr = hook->next ? touched_place(hook) : 0;
		if (addr)
			err = touched_each_handler(hook->next, addr, touched_prepare);
		if (err)
			break;
	}
	return err;
}

/**
 * kpt_touched_note() - note the functions that a batch has armed
 * @batch: the batch, after it was applied
 *
 * Context: process context, kpt_mutex held.
 */
void kpt_touched_note(struct kpt_batch *batch)
{
	const struct kpt_handlers *list;
	struct kpt_hook *hook;
	unsigned long addr;

	lockdep_assert_held(&kpt_mutex);
	list_for_each_entry(hook, &batch->hooks, in_batch) {
		list = kpt_hook_current(hook);
		addr = list && touched_is_armed(hook) ? touched_place(hook) : 0;
		if (addr)
			touched_each_handler(list, addr, touched_mark);
	}
}

/**
 * kpt_touched_list() - list the functions that had an armed probe
 * @list: they are added, ascending
 *
 * Context: process context, sleeps, kpt_mutex held.
 * Return: 0 or -ENOMEM.
 */
int kpt_touched_list(struct kpt_symbol_list *list)
{
	unsigned long nr, addr, start, size, end = 0;
	unsigned long *span;
	unsigned int bit;
	int err = 0;

	lockdep_assert_held(&kpt_mutex);
	xa_for_each(&touched, nr, span) {
		for_each_set_bit(bit, span, WORDS) {
			addr = nr * SPAN + bit * sizeof(u32);
			if (addr < end || kpt_symbol_range(addr, &start, &size))
				continue;
			end = start + size;
			err = kpt_symbol_list_add(list, start);
			if (err)
				return err;
		}
	}
	return 0;
}

static void touched_drop(unsigned long nr)
{
	bitmap_free(xa_erase(&touched, nr));
	last_span = NULL;
}

/**
 * kpt_touched_forget() - forget functions of text that goes
 * @mod: the module
 * @is_going: is an address in text of @mod that is about to be freed?
 *
 * Context: process context, kpt_mutex held.
 */
void kpt_touched_forget(const struct module *mod, kpt_going_t is_going)
{
	unsigned long nr;
	unsigned long *span;
	unsigned int bit;

	lockdep_assert_held(&kpt_mutex);
	xa_for_each(&touched, nr, span) {
		for_each_set_bit(bit, span, WORDS)
			if (is_going(nr * SPAN + bit * sizeof(u32), mod))
				__clear_bit(bit, span);
		if (bitmap_empty(span, WORDS))
			touched_drop(nr);
	}
}

/**
 * kpt_touched_exit() - forget all
 *
 * Context: module unload; nothing is armed any more.
 */
void kpt_touched_exit(void)
{
	unsigned long nr;
	unsigned long *span;

	xa_for_each(&touched, nr, span)
		touched_drop(nr);
}
