// SPDX-License-Identifier: GPL-2.0-only
/* The filter of an event in an instance: set, show, free. */
#include <linux/cpumask.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/string.h>
#include "event/event_file.h"
#include "event/event_filter.h"

/**
 * kpt_event_filter_free() - free a filter
 * @filter: a filter that no hit uses, or NULL
 *
 * Context: process context.
 */
void kpt_event_filter_free(struct kpt_event_filter *filter)
{
	if (!filter)
		return;
	kfree(filter->text);
	kvfree(filter);
}

/**
 * kpt_event_filter_make() - compile a filter
 * @text: the filter
 * @fields: shape of the records
 * @diag: result: the reason if the filter is wrong
 * @err: result: 0, -EINVAL or -E2BIG for a wrong filter, -ENOMEM
 *
 * Context: process context, sleeps.
 * Return: the filter, which has only its text and the reason if it is wrong; NULL
 * without memory.
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
	if (filter->text)
		*err = kpt_filter_parse(&filter->prog, size, text, fields, nr_cpu_ids,
					diag);
	if (*err == -ENOMEM) {
		kpt_event_filter_free(filter);
		return NULL;
	}
	if (*err)
		filter->diag = *diag;
	return filter;
}

/**
 * kpt_event_file_replace_filter() - exchange the filter of an event
 * @file: the file
 * @new: from kpt_event_filter_make(), now owned by @file; or NULL for no filter
 * @batch: hits use @new when it is applied
 *
 * The caller must call kpt_event_file_end_replace(), also after an error.
 *
 * Context: process context, sleeps, kpt_mutex held.
 * Return: 0 or -ENOMEM.
 */
int kpt_event_file_replace_filter(struct kpt_event_file *file,
				  struct kpt_event_filter *new,
				  struct kpt_batch *batch)
{
	lockdep_assert_held(&kpt_mutex);
	file->is_replacing = true;
	file->replaced = file->filter;
	file->filter = new;
	return kpt_event_file_rearm(file, batch);
}

/**
 * kpt_event_file_end_replace() - free the old filter of an event
 * @file: the file; nothing happens if its filter is not being replaced
 * @err: 0 if the batch was applied; else the new filter is freed, the old one kept
 *
 * Context: process context, kpt_mutex held; no hit uses the filter that is freed.
 */
void kpt_event_file_end_replace(struct kpt_event_file *file, int err)
{
	if (!file->is_replacing)
		return;
	if (err)
		swap(file->filter, file->replaced);
	kpt_event_filter_free(file->replaced);
	file->is_replacing = false;
}

/**
 * kpt_event_file_set_filter() - choose which hits are recorded
 * @file: the file
 * @text: the filter; "0" for none
 * @diag: result: the reason if the filter is wrong
 *
 * A wrong filter replaces the old one, too, so that the file shows its mistake.
 *
 * Context: process context, sleeps, kpt_mutex held.
 * Return: 0; -EINVAL or -E2BIG for a wrong filter; -ENOMEM, and then the old filter
 * is kept.
 */
int kpt_event_file_set_filter(struct kpt_event_file *file, const char *text,
			struct kpt_diag *diag)
{
	struct kpt_batch batch = KPT_BATCH_INIT(batch);
	struct kpt_event_filter *new = NULL;
	int err = 0, no_memory;

	lockdep_assert_held(&kpt_mutex);
	if (strcmp(text, "0")) {
		new = kpt_event_filter_make(text, file->event->fields, diag,
					   &err);
		if (!new)
			return err;
	}
	no_memory = kpt_event_file_replace_filter(file, new, &batch);
	no_memory = kpt_event_file_batch_finish(&batch, no_memory,
						&file->instance->errlog);
	kpt_event_file_end_replace(file, no_memory);
	return no_memory ?: err;
}

/**
 * kpt_event_file_show_filter() - write the text of a filter file
 * @file: the file
 * @sb: gets the text
 *
 * Context: process context, kpt_mutex held.
 */
void kpt_event_file_show_filter(struct kpt_event_file *file, struct kpt_strbuf *sb)
{
	const struct kpt_event_filter *filter = file->filter;

	lockdep_assert_held(&kpt_mutex);
	if (!filter)
		kpt_strbuf_puts(sb, "none\n");
	else if (filter->diag.code)
		kpt_filter_show_error(sb, filter->text, &filter->diag);
	else
		kpt_strbuf_printf(sb, "%s\n", filter->text);
}
