// SPDX-License-Identifier: GPL-2.0-only
/* The hist file of an event: what its hist triggers have counted. */
#include "kernel/compat.h"
#include <linux/mm.h>
#include <linux/poll.h>
#include <linux/slab.h>
#include "event/filter.h"
#include "fs/fs.h"
#include <kptrace/arch.h>
#include "trigger/hist.h"

/**
 * struct hist_file - an open hist file
 * @node: what it is about
 * @read: hits when it was read last, or opened
 * @polled: hits when poll() told of them last, or when it was opened
 */
struct hist_file {
	struct kpt_node *node;
	u64 read;
	u64 polled;
};

/* Text that does not fit is asked for again, so stop at the first of it. */
static void put_hist(struct seq_file *m, const struct kpt_trigger *t,
		     const struct kpt_hist_view *view)
{
	struct kpt_strbuf sb;
	u32 i;

	kpt_seq_begin(m, &sb);
	kpt_hist_show_head(&sb, view->hist, t->filter ? t->filter->text : NULL,
			   kpt_trigger_hist_of(t)->paused);
	for (i = 0; i < view->nr && !sb.overflow; i++)
		kpt_hist_show_entry(&sb, view, i);
	kpt_hist_show_totals(&sb, view);
	kpt_seq_end(m, &sb);
}

static int show_hist(struct seq_file *m, const struct kpt_trigger *t)
{
	struct kpt_trigger_hist *h = kpt_trigger_hist_of(t);
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

static int show_all(struct seq_file *m, const struct kpt_node *node)
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

/* Of all hist triggers of the event. Caller holds kpt_mutex. */
static u64 count_hits(const struct kpt_node *node)
{
	const struct kpt_trigger *t;
	u64 hits = 0;

	list_for_each_entry(t, &node->file->triggers, list)
		if (t->kind == KPT_TRIGGER_HIST)
			hits += kpt_hist_map_hits(kpt_trigger_hist_of(t)->shared->map);
	return hits;
}

static int hist_show(struct seq_file *m, void *v)
{
	struct hist_file *h = m->private;
	int err = kpt_node_lock(h->node);

	if (err)
		return err;
	/* Before the text: what comes in between is told of once more. */
	h->read = count_hits(h->node);
	err = show_all(m, h->node);
	mutex_unlock(&kpt_mutex);
	return err;
}

static int hist_open(struct inode *inode, struct file *file)
{
	struct kpt_node *node = kpt_node_open(inode);
	struct hist_file *h;
	int err;

	if (IS_ERR(node))
		return PTR_ERR(node);
	h = kzalloc(sizeof(*h), GFP_KERNEL);
	err = h ? single_open(file, hist_show, h) : -ENOMEM;
	if (err) {
		kfree(h);
		kpt_node_release(node);
		return err;
	}
	h->node = node;
	mutex_lock(&kpt_mutex);
	if (!node->dead)
		h->read = h->polled = count_hits(node);
	mutex_unlock(&kpt_mutex);
	return 0;
}

static int hist_release(struct inode *inode, struct file *file)
{
	struct seq_file *m = file->private_data;
	struct hist_file *h = m->private;

	kpt_node_release(h->node);
	kfree(h);
	return single_release(inode, file);
}

/* POLLIN: hits since the last read; POLLPRI: since the last poll(). */
static __poll_t hist_poll(struct file *file, poll_table *wait)
{
	struct seq_file *m = file->private_data;
	struct hist_file *h = m->private;
	__poll_t ready = 0;
	u64 hits;

	poll_wait(file, &kpt_hist_wait, wait);
	/* A hit that has not seen us wait has counted before we look. */
	kpt_arch_quiesce();
	if (kpt_node_lock(h->node))
		return EPOLLERR;
	hits = count_hits(h->node);
	if (hits != h->read)
		ready |= EPOLLIN | EPOLLRDNORM;
	if (hits != h->polled)
		ready |= EPOLLPRI;
	h->polled = hits;
	mutex_unlock(&kpt_mutex);
	return ready;
}

const struct file_operations kpt_hist_fops = {
	.owner = THIS_MODULE,
	.open = hist_open,
	.read = seq_read,
	.llseek = seq_lseek,
	.poll = hist_poll,
	.release = hist_release,
};
