// SPDX-License-Identifier: GPL-2.0-only
/* Filters for all events of a group, and what the group's file shows. */
#include <linux/slab.h>
#include <linux/string.h>
#include <kptrace/event.h>
#include <kptrace/file_filter.h>

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

static struct group_filter *find(const struct kpt_instance *instance,
				 const char *group)
{
	struct group_filter *f;

	list_for_each_entry(f, &instance->group_filters, list)
		if (!strcmp(f->group, group))
			return f;
	return NULL;
}

static void forget(struct group_filter *f)
{
	if (!f)
		return;
	list_del(&f->list);
	kfree(f);
}

static void remember(struct kpt_instance *instance, const char *group,
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

/* Returns 1 if the event took the filter, 0 if it is not for it. */
static int offer(struct kpt_file *file, const char *text)
{
	struct kpt_file_filter *filter;
	struct kpt_diag diag = { 0 };
	int err;

	if (!strcmp(text, "0")) {
		kpt_file_use_filter(file, NULL);
		return 1;
	}
	filter = kpt_file_filter_make(text, file->event->fields, &diag, &err);
	if (!filter)
		return err;
	if (err) {
		kpt_file_filter_free(filter);
		return 0;
	}
	kpt_file_use_filter(file, filter);
	return 1;
}

int kpt_group_filter_set(struct kpt_instance *instance, const char *group,
			 const char *text, struct kpt_diag *diag)
{
	struct kpt_file *file;
	bool taken = false;
	int got;

	list_for_each_entry(file, &instance->files, instance_link) {
		if (file->event->is_own || strcmp(file->event->group, group))
			continue;
		got = offer(file, text);
		if (got < 0)
			return got;
		taken |= got;
	}
	forget(find(instance, group));
	if (taken)
		return 0;
	kpt_diag_set(diag, KPT_E_FILT_BAD_SUBSYS_FILTER, 0, 0);
	remember(instance, group, text, diag);
	return -EINVAL;
}

void kpt_group_filter_show(const struct kpt_instance *instance,
			   const char *group, struct kpt_strbuf *sb)
{
	const struct group_filter *f = find(instance, group);

	if (f)
		kpt_filter_show_error(sb, f->text, &f->diag);
	else
		kpt_strbuf_puts(sb, KPT_FILTER_GROUP_TEXT);
}

void kpt_group_filter_forget(struct kpt_instance *instance, const char *group)
{
	struct group_filter *f = find(instance, group);
	const struct kpt_file *file;

	if (!f)
		return;
	list_for_each_entry(file, &instance->files, instance_link)
		if (!file->event->is_own && !strcmp(file->event->group, group))
			return;
	forget(f);
}

void kpt_group_filters_free(struct kpt_instance *instance)
{
	struct group_filter *f, *next;

	list_for_each_entry_safe(f, next, &instance->group_filters, list)
		forget(f);
}
