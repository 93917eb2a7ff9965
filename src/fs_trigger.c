// SPDX-License-Identifier: GPL-2.0-only
/* The trigger and hist files of an event. */
#include <kptrace/compat.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <kptrace/fs.h>
#include <kptrace/trigger.h>

int kpt_trigger_file_show(struct seq_file *m, const struct kpt_node *node)
{
	const struct kpt_trigger *t;
	struct kpt_strbuf sb;

	kpt_seq_begin(m, &sb);
	if (list_empty(&node->file->triggers))
		kpt_trigger_show_commands(&sb);
	list_for_each_entry(t, &node->file->triggers, list)
		kpt_trigger_show(&sb, t);
	kpt_seq_end(m, &sb);
	return 0;
}

int kpt_trigger_file_store(const struct kpt_node *node, char *text)
{
	return kpt_trigger_command(node->file, text);
}

int kpt_trigger_file_truncate(const struct kpt_node *node)
{
	return kpt_trigger_truncate(node->file);
}

/* Text that does not fit is asked for again, so stop at the first of it. */
static void put_hist(struct seq_file *m, const struct kpt_trigger *t,
		     const struct kpt_hist_view *view)
{
	struct kpt_strbuf sb;
	u32 i;

	kpt_seq_begin(m, &sb);
	kpt_hist_show_head(&sb, view->hist, t->filter ? t->filter->text : NULL,
			   t->hist->paused);
	for (i = 0; i < view->nr && !sb.overflow; i++)
		kpt_hist_show_entry(&sb, view, i);
	kpt_hist_show_totals(&sb, view);
	kpt_seq_end(m, &sb);
}

static int show_hist(struct seq_file *m, const struct kpt_trigger *t)
{
	struct kpt_trigger_hist *h = t->hist;
	struct kpt_hist_view view;
	u32 *order;

	order = kvmalloc_array(1U << h->hist.bits, sizeof(*order), GFP_KERNEL);
	if (!order)
		return -ENOMEM;
	kpt_hist_view_init(&view, &h->hist, h->shared->map, order);
	put_hist(m, t, &view);
	kvfree(order);
	return 0;
}

int kpt_hist_file_show(struct seq_file *m, const struct kpt_node *node)
{
	const struct kpt_trigger *t;
	unsigned int shown = 0;
	int err = 0;

	list_for_each_entry(t, &node->file->triggers, list) {
		if (t->kind != KPT_TRIGGER_HIST)
			continue;
		if (shown++)
			seq_puts(m, "\n\n");
		err = show_hist(m, t);
		if (err || seq_has_overflowed(m))
			break;
	}
	return err;
}
