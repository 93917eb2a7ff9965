// SPDX-License-Identifier: GPL-2.0-only
/* Filters for all events of a group, and what the group's file shows. */
#include <linux/slab.h>
#include <linux/string.h>
#include "event/class.h"
#include "event/filter.h"

/**
 * struct group_filter - a filter that no event of a group took
 * @list: in kpt_instance.group_filters
 * @group: the group
 * @diag: what is wrong with it
 * @text: the filter
 */
struct group_filter {
	struct list_head list;
	char group[KPT_NAME_MAX];
	struct kpt_diag diag;
	char text[];
};

static struct group_filter *group_filter_find(const struct kpt_instance *instance,
				 const char *group)
{
	struct group_filter *f;

	list_for_each_entry(f, &instance->group_filters, list)
		if (!strcmp(f->group, group))
			return f;
	return NULL;
}

static void group_filter_forget(struct group_filter *f)
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
	struct group_filter *f;

	f = kzalloc(struct_size(f, text, len + 1), GFP_KERNEL);
	if (!f)
		return;
	strscpy(f->group, group, sizeof(f->group));
	memcpy(f->text, text, len + 1);
	f->diag = *diag;
	list_add(&f->list, &instance->group_filters);
}

/* Replace the filter of an event if it is for it, which *@taken then says. */
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

/**
 * kpt_group_filter_set() - choose which hits of several events are recorded
 * @instance: the instance
 * @group: the events' group
 * @text: the filter; "0" for none
 * @diag: what is wrong with it
 *
 * Events without one of its fields keep the filter they have. If that is true
 * of all, or the filter is wrong, the group shows it with the reason.
 *
 * Context: process context, sleeps, kpt_mutex held.
 * Return: 0; -EINVAL; -ENOMEM, and then every event has the filter it had.
 */
int kpt_group_filter_set(struct kpt_instance *instance, const char *group,
			 const char *text, struct kpt_diag *diag)
{
	struct kpt_batch batch = KPT_BATCH_INIT(batch);
	struct kpt_event_file *file;
	bool taken = false;
	int err = 0;

	list_for_each_entry(file, &instance->files, instance_link) {
		if (kpt_event_is_builtin(file->event) || strcmp(file->event->group, group))
			continue;
		err = group_filter_offer(file, text, &batch, &taken);
		if (err)
			break;
	}
	err = kpt_event_file_batch_finish(&batch, err, &instance->errlog);
	list_for_each_entry(file, &instance->files, instance_link)
		kpt_event_file_end_replace(file, err);
	if (err)
		return err;
	group_filter_forget(group_filter_find(instance, group));
	if (taken)
		return 0;
	kpt_diag_set(diag, KPT_E_FILT_BAD_SUBSYS_FILTER, 0, 0);
	group_filter_remember(instance, group, text, diag);
	return -EINVAL;
}

/**
 * kpt_group_filter_show() - the text of a group's filter file
 * @instance: the instance
 * @group: the group
 * @sb: where to
 *
 * Context: process context, kpt_mutex held.
 */
void kpt_group_filter_show(const struct kpt_instance *instance,
			   const char *group, struct kpt_strbuf *sb)
{
	const struct group_filter *f = group_filter_find(instance, group);

	if (f)
		kpt_filter_show_error(sb, f->text, &f->diag);
	else
		kpt_strbuf_puts(sb, KPT_FILTER_GROUP_TEXT);
}

/**
 * kpt_group_filter_forget() - an event of a group is gone
 * @instance: the instance, which does not list it any more
 * @group: the group; if that was its last event its file shows nothing more
 *
 * Context: process context, kpt_mutex held.
 */
void kpt_group_filter_forget(struct kpt_instance *instance, const char *group)
{
	struct group_filter *f = group_filter_find(instance, group);
	const struct kpt_event_file *file;

	if (!f)
		return;
	list_for_each_entry(file, &instance->files, instance_link)
		if (!kpt_event_is_builtin(file->event) && !strcmp(file->event->group, group))
			return;
	group_filter_forget(f);
}

/**
 * kpt_group_filters_free() - forget what the files of groups show
 * @instance: the instance
 *
 * Context: process context.
 */
void kpt_group_filters_free(struct kpt_instance *instance)
{
	struct group_filter *f, *next;

	list_for_each_entry_safe(f, next, &instance->group_filters, list)
		group_filter_forget(f);
}
