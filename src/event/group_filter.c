// SPDX-License-Identifier: GPL-2.0-only
/* Filters for all events of a group, and the text of the group's filter file. */
#include <linux/slab.h>
#include <linux/string.h>
#include "event/class.h"
#include "event/event_filter.h"

/**
 * struct kept_filter - a filter that fits no event of a group
 * @list: in kpt_instance.group_filters
 * @group: the group
 * @diag: its mistake
 * @text: the filter
 */
struct kept_filter {
	struct list_head list;
	char group[KPT_NAME_MAX];
	struct kpt_diag diag;
	char text[];
};

static struct kept_filter *group_filter_find(const struct kpt_instance *instance,
					     const char *group)
{
	struct kept_filter *f;

	list_for_each_entry(f, &instance->group_filters, list)
		if (!strcmp(f->group, group))
			return f;
	return NULL;
}

static void group_filter_forget(struct kept_filter *f)
{
	if (!f)
		return;
	list_del(&f->list);
	kfree(f);
}

static void group_filter_remember(struct kpt_instance *instance, const char *group,
		     const char *text, const struct kpt_diag *diag)
{
	size_t len = strlen(text);
	struct kept_filter *f;

	f = kzalloc(struct_size(f, text, len + 1), GFP_KERNEL);
	if (!f)
		return;
	strscpy(f->group, group, sizeof(f->group));
	memcpy(f->text, text, len + 1);
	f->diag = *diag;
	list_add(&f->list, &instance->group_filters);
}

/* Replace the filter of an event and set *@taken, if @text fits its fields. */
static int group_filter_offer(struct kpt_event_file *file, const char *text,
			      struct kpt_batch *batch, bool *taken)
{
	struct kpt_event_filter *filter = NULL;
	struct kpt_diag diag = { 0 };
	int err;

	if (strcmp(text, "0")) {
		filter = kpt_event_filter_make(text, file->event->fields, &diag,
					       &err);
		if (!filter)
			return err;
		if (err) {
			kpt_event_filter_free(filter);
			return 0;
		}
	}
	*taken = true;
	return kpt_event_file_replace_filter(file, filter, batch);
}

/* Offer the filter to some events. */
static int group_filter_offer_piece(struct kpt_instance *instance,
				    struct kpt_event_file **files, unsigned int nr,
				    const char *text, bool *taken)
{
	struct kpt_batch batch = KPT_BATCH_INIT(batch);
	unsigned int i;
	int err = 0;

	for (i = 0; !err && i < nr; i++)
		err = group_filter_offer(files[i], text, &batch, taken);
	err = kpt_event_file_batch_finish(&batch, err, &instance->errlog);
	for (i = 0; i < nr; i++)
		kpt_event_file_end_replace(files[i], err);
	return err;
}

/**
 * kpt_group_filter_set() - choose which hits of several events are recorded
 * @instance: the instance
 * @group: the events' group
 * @text: the filter; "0" for none
 * @diag: result: the reason if no event takes the filter
 *
 * An event that lacks a field of the filter keeps its old one. If all events do, or
 * the filter is wrong, the group's file shows the filter with the reason. Others may
 * take kpt_mutex between two pieces.
 *
 * Context: process context, sleeps, kpt_mutex held.
 * Return: 0; -EINVAL; -ENOMEM, or -EINTR if the task is being killed, and then only
 * filters of the pieces before have changed.
 */
int kpt_group_filter_set(struct kpt_instance *instance, const char *group,
			 const char *text, struct kpt_diag *diag)
{
	struct kpt_event_files which = { .instance = instance, .group = group };
	struct kpt_event_file **piece;
	bool taken = false;
	unsigned int nr;
	int err;

	lockdep_assert_held(&kpt_mutex);
	err = kpt_event_files_begin(&which);
	if (err)
		return err;
	do {
		nr = kpt_event_files_next(&which, &piece);
		err = group_filter_offer_piece(instance, piece, nr, text, &taken);
		if (!err && nr == KPT_PIECE)
			err = kpt_mutex_yield();
		if (err)
			return err;
	} while (nr == KPT_PIECE);
	group_filter_forget(group_filter_find(instance, group));
	if (taken)
		return 0;
	kpt_diag_set(diag, KPT_E_FILT_BAD_SUBSYS_FILTER, 0, 0);
	/* Its last event may have been deleted between two pieces. */
	if (kpt_group_find(group))
		group_filter_remember(instance, group, text, diag);
	return -EINVAL;
}

/**
 * kpt_group_filter_show() - write the text of a group's filter file
 * @instance: the instance
 * @group: the group
 * @sb: gets the text
 *
 * Context: process context, kpt_mutex held.
 */
void kpt_group_filter_show(const struct kpt_instance *instance,
			   const char *group, struct kpt_strbuf *sb)
{
	const struct kept_filter *f = group_filter_find(instance, group);

	lockdep_assert_held(&kpt_mutex);
	if (f)
		kpt_filter_show_error(sb, f->text, &f->diag);
	else
		kpt_strbuf_puts(sb, KPT_FILTER_GROUP_TEXT);
}

/**
 * kpt_group_filter_forget() - free the filter of a group that loses its last event
 * @instance: the instance
 * @group: the group
 *
 * Context: process context, kpt_mutex held.
 */
void kpt_group_filter_forget(struct kpt_instance *instance, const char *group)
{
	lockdep_assert_held(&kpt_mutex);
	group_filter_forget(group_filter_find(instance, group));
}

/**
 * kpt_group_filters_free() - free the filters of all groups of an instance
 * @instance: the instance
 *
 * Context: process context.
 */
void kpt_group_filters_free(struct kpt_instance *instance)
{
	struct kept_filter *f, *next;

	list_for_each_entry_safe(f, next, &instance->group_filters, list)
		group_filter_forget(f);
}
