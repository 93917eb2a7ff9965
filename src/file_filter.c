// SPDX-License-Identifier: GPL-2.0-only
/* The filter of an event in an instance: set, shown, freed. */
#include <linux/cpumask.h>
#include <linux/mm.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <kptrace/event.h>
#include <kptrace/file_filter.h>

static struct kpt_file_filter *current_filter(struct kpt_file *file)
{
	return rcu_dereference_protected(file->filter, true);
}

void kpt_file_filter_free(struct kpt_file_filter *filter)
{
	if (!filter)
		return;
	kfree(filter->text);
	kfree(filter->on_regs);
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

void kpt_file_note_special(struct kpt_file *file)
{
	WRITE_ONCE(file->special, file->soft || current_filter(file));
}

void kpt_file_forget_program(struct kpt_file *file,
			     const struct kpt_fetch_prog *prog)
{
	struct kpt_file_filter *filter = current_filter(file);

	if (filter && filter->made_for == prog)
		filter->made_for = NULL;
}

/*
 * A filter for hits of the event's first probe that needs no record. It is only
 * faster, so that it may be missing, without memory too.
 */
static void make_on_regs(struct kpt_file_filter *filter,
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

void kpt_file_use_filter(struct kpt_file *file, struct kpt_file_filter *new)
{
	struct kpt_file_filter *old = current_filter(file);

	if (new && !new->diag.code)
		make_on_regs(new, file->event);
	rcu_assign_pointer(file->filter, new);
	kpt_file_note_special(file);
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
