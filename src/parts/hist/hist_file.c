// SPDX-License-Identifier: GPL-2.0-only
/*
 * The hist file of an event: the counts of its hist triggers.
 *
 * A read from the beginning makes a struct hist_look of each trigger: it notes the
 * trigger and sorts its entries. Later reads continue there without kpt_mutex, even
 * if a trigger was removed, since hist_look has a reference of the map.
 */
#include "kernel/compat.h"
#include <linux/mm.h>
#include <linux/poll.h>
#include <linux/slab.h>
#include "event/event_filter.h"
#include "fs/fs.h"
#include "parts/hist/hist_trigger.h"

/**
 * struct hist_look - a histogram that is being read
 * @list: in hist_file.looks
 * @hist: copy of its trigger, to show it
 * @filter: text of the trigger's filter, or NULL
 * @paused: the trigger was paused
 * @shared: its counts; a reference is held
 * @clears: @shared->clears when the read began; if it has changed, the entries of
 *	@view are cleared
 * @snap: as in struct kpt_hist_view
 * @view: the entries in their order
 */
struct hist_look {
	struct list_head list;
	struct kpt_hist hist;
	char *filter;
	bool paused;
	struct kpt_trigger_map *shared;
	unsigned int clears;
	struct kpt_hist_snap snap[KPT_HIST_ACTIONS_MAX];
	struct kpt_hist_view view;
};

/**
 * struct hist_file - an open hist file
 * @node: node of the file
 * @read: mark of the last read from the beginning, 0 before the first one
 * @polled: mark of the last poll() that reported hits, of that read or of the open
 * @looks: the histograms that are being read, struct hist_look.list
 * @look: the histogram at the current position
 * @line: the piece of @look there: 0 for the head, then the entries, then the totals
 */
struct hist_file {
	struct kpt_fs_node *node;
	u64 read;
	u64 polled;
	struct list_head looks;
	struct hist_look *look;
	loff_t line;
};

static void hist_free_look(struct hist_look *look)
{
	list_del(&look->list);
	kpt_trigger_map_put(look->shared);
	kvfree(look->view.order);
	kfree(look->filter);
	kvfree(look);
}

static void hist_free_looks(struct hist_file *h)
{
	struct hist_look *look, *next;

	list_for_each_entry_safe(look, next, &h->looks, list)
		hist_free_look(look);
}

static int hist_add_look(struct hist_file *h, const struct kpt_trigger *t)
{
	const struct kpt_trigger_hist *th = kpt_trigger_hist_of(t);
	struct hist_look *look = kvzalloc(sizeof(*look), GFP_KERNEL_ACCOUNT);
	unsigned int i;

	if (!look)
		return -ENOMEM;
	look->hist = th->hist;
	look->paused = th->paused;
	look->shared = kpt_trigger_map_get(th->shared);
	for (i = 0; i < th->hist.nr_actions; i++)
		kpt_hist_snap_read(&look->snap[i], &look->shared->snap[i]);
	look->clears = look->shared->clears;
	list_add_tail(&look->list, &h->looks);
	if (t->filter) {
		look->filter = kstrdup(t->filter->text, GFP_KERNEL_ACCOUNT);
		if (!look->filter)
			return -ENOMEM;
	}
	look->view.order = kvmalloc_array(1U << th->hist.bits, sizeof(u32),
					  GFP_KERNEL_ACCOUNT);
	return look->view.order ? 0 : -ENOMEM;
}

static int hist_add_looks(struct hist_file *h)
{
	const struct kpt_trigger *t;
	int err;

	list_for_each_entry(t, &h->node->file->triggers.list, list) {
		if (t->kind != KPT_TRIGGER_HIST)
			continue;
		err = hist_add_look(h, t);
		if (err)
			return err;
	}
	return 0;
}

/* Begin a read: note the histograms and sort their entries. */
static int hist_begin(struct hist_file *h)
{
	struct hist_look *look;
	int err;

	hist_free_looks(h);
	/* Mark before the counts: a hit in between is reported again, not lost. */
	h->read = h->polled = kpt_trigger_hist_mark();
	err = kpt_fs_node_lock(h->node);
	if (err)
		return err;
	err = hist_add_looks(h);
	kpt_unlock();
	if (err)
		return err;
	list_for_each_entry(look, &h->looks, list) {
		kpt_hist_view_init(&look->view, &look->hist, look->shared->map,
				   look->view.order);
		look->view.snap = look->snap;
		look->view.options = h->node->entry->arg | h->node->instance->options;
	}
	return 0;
}

/* Set the histogram and line of @pos. Returns @h, or NULL after the end. */
static void *hist_find(struct hist_file *h, loff_t pos)
{
	list_for_each_entry(h->look, &h->looks, list) {
		h->line = pos;
		pos -= h->look->view.nr + 2LL;
		if (pos < 0)
			return h;
	}
	return NULL;
}

static void *hist_start(struct seq_file *m, loff_t *pos)
{
	struct hist_file *h = m->private;
	void *found;
	int err;

	if (!*pos) {
		err = hist_begin(h);
		if (err)
			return ERR_PTR(err);
	}
	found = hist_find(h, *pos);
	if (!found)
		hist_free_looks(h);
	return found;
}

static void *hist_next(struct seq_file *m, void *v, loff_t *pos)
{
	return hist_find(v, ++*pos);
}

static void hist_stop(struct seq_file *m, void *v)
{
}

static int hist_file_show(struct seq_file *m, void *v)
{
	const struct hist_file *h = v;
	struct hist_look *look = h->look;
	size_t from = m->count;
	struct kpt_strbuf sb;

	kpt_seq_begin(m, &sb);
	if (!h->line && look->list.prev != &h->looks)
		kpt_strbuf_puts(&sb, "\n\n");
	if (!h->line)
		kpt_hist_show_head(&sb, &look->hist, look->filter, look->paused);
	else if (h->line <= look->view.nr)
		kpt_hist_show_entry(&sb, &look->view, h->line - 1);
	else
		kpt_hist_show_totals(&sb, &look->view);
	smp_rmb(); /* the entry, then @clears: pairs with hist_map_clear() */
	if (h->line && READ_ONCE(look->shared->clears) != look->clears)
		return SEQ_SKIP;
	kpt_seq_end(m, &sb);
	/* The filter. What was recorded is shown as it is. */
	if (!h->line)
		kpt_seq_hide(m, from);
	return 0;
}

static const struct seq_operations hist_seq = {
	.start = hist_start,
	.next = hist_next,
	.stop = hist_stop,
	.show = hist_file_show,
};

static int hist_open(struct inode *inode, struct file *file)
{
	struct kpt_fs_node *node = kpt_fs_node_open(inode);
	struct hist_file *h;

	if (IS_ERR(node))
		return PTR_ERR(node);
	h = __seq_open_private(file, &hist_seq, sizeof(*h));
	if (!h) {
		kpt_fs_node_release(node);
		return -ENOMEM;
	}
	h->node = node;
	INIT_LIST_HEAD(&h->looks);
	h->polled = kpt_trigger_hist_mark();
	return 0;
}

static int hist_release(struct inode *inode, struct file *file)
{
	struct seq_file *m = file->private_data;
	struct hist_file *h = m->private;

	hist_free_looks(h);
	kpt_fs_node_release(h->node);
	return seq_release_private(inode, file);
}

/*
 * Are there hits to be read before the first read? Hits are noted for pollers only after the
 * first mark, so this looks for entries.
 */
static bool hist_has_hits(const struct kpt_event_file *file)
{
	const struct kpt_trigger *t;

	list_for_each_entry(t, &file->triggers.list, list)
		if (t->kind == KPT_TRIGGER_HIST &&
		    READ_ONCE(kpt_trigger_hist_of(t)->shared->map->next))
			return true;
	return false;
}

/*
 * POLLIN: hits since the last read, or any if there was none; POLLPRI: hits since the last
 * read or poll().
 */
static __poll_t hist_poll(struct file *file, poll_table *wait)
{
	struct seq_file *m = file->private_data;
	struct hist_file *h = m->private;
	__poll_t ready = 0;
	u64 last;

	poll_wait(file, &kpt_hist_wait, wait);
	/* Queue, then read; pairs with C in parts/hist/hist_run.c. Model: hist.pml. */
	smp_mb();
	if (kpt_fs_node_lock(h->node))
		return EPOLLERR;
	last = kpt_trigger_hist_last(h->node->file);
	if (last >= h->polled) {
		ready |= EPOLLPRI;
		h->polled = kpt_trigger_hist_mark();
	}
	/* After the mark: a hit that is not found here is noted, and wakes. */
	if (h->read ? last >= h->read : hist_has_hits(h->node->file))
		ready |= EPOLLIN | EPOLLRDNORM;
	kpt_unlock();
	return ready;
}

static const struct file_operations hist_fops = {
	.owner = THIS_MODULE,
	.open = hist_open,
	.read = seq_read,
	.llseek = seq_lseek,
	.poll = hist_poll,
	.release = hist_release,
};

/* hist can be polled; hist_escaped is the same for programs, as with these two options. */
static const struct kpt_fs_file entries[] = {
	{ .name = "hist", .mode = 0440, .fops = &hist_fops },
	{
		.name = "hist_escaped",
		.mode = 0440,
		.arg = KPT_OPT_ESCAPE_TEXT | KPT_OPT_SYM_CALLER,
		.fops = &hist_fops,
	},
};

const struct kpt_fs_table kpt_hist_entries = KPT_FS_TABLE(entries);
