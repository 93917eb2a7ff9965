// SPDX-License-Identifier: GPL-2.0-only
/* Lists of handlers: made anew for each change, published by a batch. */
#include <linux/slab.h>
#include "event/handlers.h"

static enum kpt_handlers_kind kind_of(const struct kpt_handler *handler)
{
	if (handler->calls || handler->prog->has_strings ||
	    (handler->role != KPT_ROLE_HIT && handler->role != KPT_ROLE_RETURN))
		return KPT_HANDLERS_ANY;
	return handler->prog->only_registers ? KPT_HANDLERS_REGISTERS :
					       KPT_HANDLERS_KNOWN_SIZE;
}

/* What follows from the list as a whole. */
static void conclude(struct kpt_handlers *handlers)
{
	struct kpt_handler *handler, *before;

	handlers->kind = handlers->nr == 1 ? kind_of(handlers->handler) :
					     KPT_HANDLERS_ANY;
	handlers->needs_rcu = false;
	for (handler = handlers->handler;
	     handler < handlers->handler + handlers->nr; handler++) {
		handler->hits = handler->probe->counts;
		for (before = handlers->handler; before < handler; before++)
			if (before->probe == handler->probe &&
			    before->role == handler->role)
				handler->hits = NULL;
		if (handler->prog->has_symbols)
			handlers->needs_rcu = true;
	}
}

/**
 * kpt_handlers_with() - a list with one handler more
 * @hook: hook of the list; a pending batch counts
 * @probe: probe to add
 * @file: where it records
 * @role: what it does at a hit
 * @func: entry of the function that a hit here enters or leaves; 0 in the middle
 *
 * Context: process context, sleeps.
 * Return: a new list, or NULL without memory.
 */
struct kpt_handlers *kpt_handlers_with(struct kpt_hook *hook,
				       struct kpt_probe *probe,
				       struct kpt_event_file *file,
				       enum kpt_role role, unsigned long func)
{
	const struct kpt_handler handler = {
		.probe = probe,
		.file = file,
		.prog = probe->prog,
		.buffer = &file->instance->buffer,
		.counts = file->counts,
		.func = func,
		.length =
			kpt_ring_length(probe->prog->size + probe->prog->room),
		.type = file->event->id,
		.role = role,
		.calls = probe->calls,
	};
	const struct kpt_handlers *old = kpt_hook_next(hook);
	unsigned int i, at, nr = old ? old->nr : 0;
	struct kpt_handlers *new;

	new = kmalloc(struct_size(new, handler, nr + 1), GFP_KERNEL);
	if (!new)
		return NULL;
	/* Who replaces the return address comes last: the others see the true one. */
	for (at = nr; at && role != KPT_ROLE_REPLACE; at--)
		if (old->handler[at - 1].role != KPT_ROLE_REPLACE)
			break;
	/* Handlers of one probe stand together. */
	for (i = 0; i < nr; i++)
		if (old->handler[i].probe == probe)
			at = i + 1;
	new->hook = hook;
	new->nr = nr + 1;
	for (i = 0; i < new->nr; i++)
		new->handler[i] =
			i == at ? handler : old->handler[i - (i > at)];
	conclude(new);
	return new;
}

static bool matches(const struct kpt_handler *handler,
		    const struct kpt_probe *probe,
		    const struct kpt_event_file *file)
{
	return handler->probe == probe && (!file || handler->file == file);
}

/**
 * kpt_handlers_without() - a list without some of its handlers
 * @hook: of this hook, which has one; a pending batch counts
 * @probe: probe to leave out
 * @file: only where it records into this file, or NULL for all
 * @left: result: number of handlers left
 *
 * Context: process context, sleeps.
 * Return: a new list; NULL if @left is 0, or without memory.
 */
struct kpt_handlers *kpt_handlers_without(struct kpt_hook *hook,
					  const struct kpt_probe *probe,
					  const struct kpt_event_file *file,
					  unsigned int *left)
{
	const struct kpt_handlers *old = kpt_hook_next(hook);
	struct kpt_handlers *new;
	unsigned int i;

	*left = 0;
	for (i = 0; i < old->nr; i++)
		*left += !matches(&old->handler[i], probe, file);
	if (!*left)
		return NULL;

	new = kmalloc(struct_size(new, handler, *left), GFP_KERNEL);
	if (!new)
		return NULL;
	new->hook = hook;
	new->nr = 0;
	for (i = 0; i < old->nr; i++)
		if (!matches(&old->handler[i], probe, file))
			new->handler[new->nr++] = old->handler[i];
	conclude(new);
	return new;
}
