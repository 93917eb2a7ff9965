// SPDX-License-Identifier: GPL-2.0-only
/* The filter of an event in an instance: set, shown, freed. */
#include <linux/cpumask.h>
#include <linux/mm.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <kptrace/event.h>

static struct kpt_file_filter *current_filter(struct kpt_file *file)
{
	return rcu_dereference_protected(file->filter, true);
}

void kpt_file_filter_free(struct kpt_file_filter *filter)
{
	if (!filter)
		return;
	kfree(filter->text);
	kvfree(filter);
}

void kpt_file_free_filter(struct kpt_file *file)
{
	kpt_file_filter_free(current_filter(file));
}

struct kpt_file_filter *kpt_file_filter_make(const char *text,
					     const struct kpt_fields *fields,
					     struct kpt_diag *diag, int *err)
{
	size_t size = kpt_filter_bound(text, nr_cpu_ids);
	struct kpt_file_filter *filter;

	*err = -ENOMEM;
	filter = kvzalloc(offsetof(struct kpt_file_filter, prog) + size,
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

void kpt_file_use_filter(struct kpt_file *file, struct kpt_file_filter *new)
{
	struct kpt_file_filter *old = current_filter(file);

	rcu_assign_pointer(file->filter, new);
	/* Hits run with interrupts masked: none uses the old one after this. */
	if (old)
		kpt_arch_quiesce();
	kpt_file_filter_free(old);
}

int kpt_file_set_filter(struct kpt_file *file, const char *text,
			struct kpt_diag *diag)
{
	struct kpt_file_filter *new = NULL;
	int err = 0;

	if (strcmp(text, "0")) {
		new = kpt_file_filter_make(text, file->event->fields, diag,
					   &err);
		if (!new)
			return err;
	}
	kpt_file_use_filter(file, new);
	return err;
}

void kpt_file_show_filter(struct kpt_file *file, struct kpt_strbuf *sb)
{
	const struct kpt_file_filter *filter = current_filter(file);

	if (!filter)
		kpt_strbuf_puts(sb, "none\n");
	else if (filter->diag.code)
		kpt_filter_show_error(sb, filter->text, &filter->diag);
	else
		kpt_strbuf_printf(sb, "%s\n", filter->text);
}
