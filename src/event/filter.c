// SPDX-License-Identifier: GPL-2.0-only
/* The filter of an event in an instance: set, shown, freed. */
#include <linux/cpumask.h>
#include <linux/mm.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include <linux/string.h>
#include "event/event_file.h"
#include "event/filter.h"

static struct kpt_event_filter *current_filter(struct kpt_event_file *file)
{
	return rcu_dereference_protected(file->filter, true);
}

/**
 * kpt_event_filter_free() - free a filter
 * @filter: no hit uses it; or NULL
 *
 * Context: process context.
 */
void kpt_event_filter_free(struct kpt_event_filter *filter)
{
	if (!filter)
		return;
	kfree(filter->text);
	kfree(filter->on_regs);
	kvfree(filter);
}

/**
 * kpt_event_file_free_filter() - free the filter of a file that no hit uses
 * @file: the file
 *
 * Context: process context.
 */
void kpt_event_file_free_filter(struct kpt_event_file *file)
{
	kpt_event_filter_free(current_filter(file));
}

/**
 * kpt_event_filter_make() - compile a filter
 * @text: the filter
 * @fields: shape of the records
 * @diag: what is wrong with it
 * @err: result: 0, -EINVAL or -E2BIG for a wrong filter, -ENOMEM
 *
 * Context: process context, sleeps.
 * Return: the filter; a wrong one only has a text and a reason. NULL without
 * memory.
 */
struct kpt_event_filter *kpt_event_filter_make(const char *text,
					     const struct kpt_fields *fields,
					     struct kpt_diag *diag, int *err)
{
	size_t size = kpt_filter_bound(text, nr_cpu_ids);
	struct kpt_event_filter *filter;

	*err = -ENOMEM;
	filter = kvzalloc(offsetof(struct kpt_event_filter, prog) + size,
			  GFP_KERNEL);
	if (!filter)
		return NULL;
	filter->text = kstrdup(text, GFP_KERNEL);
	if (!filter->text) {
		kvfree(filter);
		return NULL;
	}
	*err = kpt_filter_parse(&filter->prog, size, text, fields, nr_cpu_ids,
				diag);
	if (*err)
		filter->diag = *diag;
	return filter;
}

/**
 * kpt_event_file_note_special() - say whether hits of a file do more than record
 * @file: its filter or its references by triggers have changed
 *
 * Context: process context, kpt_mutex held.
 */
void kpt_event_file_note_special(struct kpt_event_file *file)
{
	WRITE_ONCE(file->special, file->soft || current_filter(file));
}

/**
 * kpt_event_file_forget_program() - a probe's program is about to be freed
 * @file: a file of its event
 * @prog: the program, which no hit uses any more
 *
 * Context: process context, kpt_mutex held.
 */
void kpt_event_file_forget_program(struct kpt_event_file *file,
			     const struct kpt_fetch_prog *prog)
{
	struct kpt_event_filter *filter = current_filter(file);

	if (filter && filter->made_for == prog)
		filter->made_for = NULL;
}

/*
 * A filter for hits of the event's first probe that needs no record. It is only
 * faster, so that it may be missing, without memory too.
 */
static void make_on_regs(struct kpt_event_filter *filter,
			 struct kpt_event *event)
{
	const struct kpt_probe *probe =
		list_first_entry_or_null(&event->probes, struct kpt_probe,
					 sibling);

	if (!probe)
		return;
	filter->on_regs = kmemdup(&filter->prog, filter->prog.size, GFP_KERNEL);
	if (!filter->on_regs)
		return;
	if (kpt_filter_on_registers(filter->on_regs, probe->prog))
		filter->made_for = probe->prog;
}

/**
 * kpt_event_filters_free() - free filters that new hits do not find any more
 * @list: by kpt_event_filter.next, may be NULL
 *
 * Hits run with interrupts masked: one wait is enough for all filters.
 *
 * Context: process context, sleeps.
 */
void kpt_event_filters_free(struct kpt_event_filter *list)
{
	struct kpt_event_filter *filter;

	if (list)
		kpt_arch_quiesce();
	while ((filter = list)) {
		list = filter->next;
		kpt_event_filter_free(filter);
	}
}

/**
 * kpt_event_file_use_filter() - exchange the filter of an event
 * @file: the file
 * @new: from kpt_event_filter_make(), now owned by @file; or NULL for none
 * @old: the filter before is put on this list, for kpt_event_filters_free()
 *
 * Context: process context, sleeps, kpt_mutex held.
 */
void kpt_event_file_use_filter(struct kpt_event_file *file,
			       struct kpt_event_filter *new,
			       struct kpt_event_filter **old)
{
	struct kpt_event_filter *before = current_filter(file);

	if (new && !new->diag.code)
		make_on_regs(new, file->event);
	rcu_assign_pointer(file->filter, new);
	kpt_event_file_note_special(file);
	if (!before)
		return;
	before->next = *old;
	*old = before;
}

/**
 * kpt_event_file_set_filter() - choose which hits are recorded
 * @file: the file
 * @text: the filter; "0" for none
 * @diag: what is wrong with it
 *
 * The old filter is gone in any case; a wrong one is kept to be shown.
 *
 * Context: process context, sleeps, kpt_mutex held.
 * Return: 0, -EINVAL or -E2BIG for a wrong filter, -ENOMEM.
 */
int kpt_event_file_set_filter(struct kpt_event_file *file, const char *text,
			struct kpt_diag *diag)
{
	struct kpt_event_filter *new = NULL, *old = NULL;
	int err = 0;

	if (strcmp(text, "0")) {
		new = kpt_event_filter_make(text, file->event->fields, diag,
					   &err);
		if (!new)
			return err;
	}
	kpt_event_file_use_filter(file, new, &old);
	kpt_event_filters_free(old);
	return err;
}

/**
 * kpt_event_file_show_filter() - the text of a filter file
 * @file: the file
 * @sb: where to
 *
 * Context: process context, kpt_mutex held.
 */
void kpt_event_file_show_filter(struct kpt_event_file *file, struct kpt_strbuf *sb)
{
	const struct kpt_event_filter *filter = current_filter(file);

	if (!filter)
		kpt_strbuf_puts(sb, "none\n");
	else if (filter->diag.code)
		kpt_filter_show_error(sb, filter->text, &filter->diag);
	else
		kpt_strbuf_printf(sb, "%s\n", filter->text);
}
