// SPDX-License-Identifier: GPL-2.0-only
/*
 * available_filter_functions, also with addresses: the functions whose entry kpt_can_list()
 * accepts. And enabled_functions, touched_functions.
 */
#include "kernel/compat.h"
#include <linux/mm.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include "event/class.h"
#include "parts/tracer/tracer.h"
#include "fs/fs.h"
#include "kernel/symbol/blacklist.h"
#include "kernel/ksyms.h"
#include "kernel/symbol/symbol.h"
#include "parts/tracer/function_command.h"
#include "parts/tracer/touched.h"
#include "part.h"

/* kpt_fs_file.arg of available_filter_functions_addrs */
#define WITH_ADDRESS	1

/* kpt_fs_file.arg of touched_functions */
#define TOUCHED		1

/**
 * struct functions - an open file; its positions are offsets in the kernel's text,
 * then numbers in @modules
 * @node: the file
 * @start: the kernel's text
 * @size: its bytes
 * @modules: functions of modules when it was opened
 */
struct functions {
	struct kpt_fs_node *node;
	unsigned long start;
	unsigned long size;
	struct kpt_symbol_list modules;
};

/*
 * Takes kpt_mutex for this function alone, because a reader who seeks asks about thousands.
 * Returns 1, 0, or -EINTR if the task is being killed.
 */
static int functions_may_probe(unsigned long addr)
{
	struct kpt_diag diag = { 0 };
	int err;

	if (kpt_symbol_is_table_entry(addr))
		return 0;
	if (kpt_lock())
		return -EINTR;
	err = kpt_can_list(addr, &diag);
	kpt_unlock();
	return !err;
}

/* Bytes from an address to the next symbol of the kernel, or to the end. */
static unsigned long functions_to_next(const struct functions *f, unsigned long addr)
{
	unsigned long size, offset;

	if (!kallsyms_lookup_size_offset(addr, &size, &offset))
		return f->start + f->size - addr;
	return max(size - offset, 4UL);
}

/* The function at a position, if there is one and it can be probed: as functions_find(). */
static void *functions_at(const struct functions *f, loff_t pos)
{
	unsigned long addr = pos < f->size ? f->start + (unsigned long)pos :
					     f->modules.addr[pos - f->size];
	int may = functions_may_probe(addr);

	return may < 0 ? ERR_PTR(may) : may ? (void *)addr : NULL;
}

static loff_t functions_after(const struct functions *f, loff_t pos)
{
	return pos < f->size ? pos + functions_to_next(f, f->start + pos) : pos + 1;
}

/*
 * Find the first function at a position or after it: its address, NULL, or
 * ERR_PTR(-EINTR).
 */
static void *functions_find(const struct functions *f, loff_t *pos)
{
	void *found;

	for (; *pos < f->size + f->modules.nr; *pos = functions_after(f, *pos)) {
		found = functions_at(f, *pos);
		if (found)
			return found;
		cond_resched();
	}
	return NULL;
}

static void *functions_start(struct seq_file *m, loff_t *pos)
{
	/* Most readers ask about all functions. */
	if (!*pos)
		kpt_blacklist_prepare();
	return functions_find(m->private, pos);
}

static void functions_stop(struct seq_file *m, void *v)
{
}

static void *functions_next(struct seq_file *m, void *v, loff_t *pos)
{
	const struct functions *f = m->private;

	*pos = functions_after(f, *pos);
	return functions_find(f, pos);
}

static int functions_list_show(struct seq_file *m, void *v)
{
	const struct functions *f = m->private;

	if (f->node->entry->arg == WITH_ADDRESS)
		seq_printf(m, "%lx ", kpt_ksyms_may_show(m->file) ? (unsigned long)v : 0);
	seq_printf(m, "%ps\n", v);
	return 0;
}

static const struct seq_operations functions_seq = {
	.start = functions_start,
	.next = functions_next,
	.stop = functions_stop,
	.show = functions_list_show,
};

static int functions_open(struct inode *inode, struct file *file)
{
	struct kpt_fs_node *node = kpt_fs_node_open(inode);
	struct functions *f;
	int err;

	if (IS_ERR(node))
		return PTR_ERR(node);
	f = __seq_open_private(file, &functions_seq, sizeof(*f));
	if (!f) {
		kpt_fs_node_release(node);
		return -ENOMEM;
	}
	f->node = node;
	f->start = kpt_ksyms_addr("_stext");
	f->size = kpt_ksyms_addr("_etext") - f->start;
	err = kpt_symbol_list_in_modules(&f->modules, NULL, "*");
	if (err) {
		kpt_symbol_list_free(&f->modules);
		seq_release_private(inode, file);
		kpt_fs_node_release(node);
	}
	return err;
}

static int functions_release(struct inode *inode, struct file *file)
{
	struct seq_file *m = file->private_data;
	struct functions *f = m->private;
	struct kpt_fs_node *node = f->node;

	kpt_symbol_list_free(&f->modules);
	seq_release_private(inode, file);
	kpt_fs_node_release(node);
	return 0;
}

static const struct file_operations functions_fops = {
	.owner = THIS_MODULE,
	.open = functions_open,
	.read = seq_read,
	.llseek = seq_lseek,
	.release = functions_release,
};

/*
 * enabled_functions: the functions with an armed probe; touched_functions: those that have
 * had one, too.
 */

/**
 * struct enabled - an open file
 * @node: the file
 * @sites: the function of each site that was armed when it was read from the
 *	beginning, ascending
 * @shown: the functions that it lists, ascending
 */
struct enabled {
	struct kpt_fs_node *node;
	struct kpt_symbol_list sites;
	struct kpt_symbol_list shown;
};

static int enabled_add_event(struct enabled *e, const struct kpt_event *event)
{
	const struct kpt_probe *probe;
	unsigned long func;
	unsigned int at;
	int err = 0;

	list_for_each_entry(probe, &event->probes, sibling) {
		at = 0;
		while (!err && (func = kpt_probe_function(probe, &at)))
			err = kpt_symbol_list_add(&e->sites, func);
	}
	return err;
}

/* Add the functions of the next enabled events. Returns how many, or -ENOMEM. */
static int enabled_add_piece(struct enabled *e, u64 *done)
{
	const struct kpt_event *event;
	int nr = 0, err = 0;

	list_for_each_entry(event, &kpt_events, list) {
		if (err || nr == KPT_PIECE)
			break;
		if (event->seq <= *done || !kpt_event_in_use(event))
			continue;
		*done = event->seq;
		err = enabled_add_event(e, event);
		nr++;
	}
	return err ?: nr;
}

/* Add the functions of all tracers, and those that have triggers. */
static int enabled_add_tracers(struct enabled *e)
{
	const struct kpt_event *event;
	int err = enabled_add_event(e, kpt_function_trigger_event());
	unsigned int i;

	for (i = 0; (event = kpt_tracer_nth_beside(i)); i++)
		err = err ?: enabled_add_event(e, event);
	list_for_each_entry(event, &kpt_group_builtin.events, in_group)
		err = err ?: enabled_add_event(e, event);
	return err;
}

static int enabled_add_all(struct enabled *e)
{
	int err = enabled_add_tracers(e) ?: kpt_parts_functions(&e->sites), nr;
	u64 done = 0;

	if (err)
		return err;
	do {
		nr = enabled_add_piece(e, &done);
	} while (nr == KPT_PIECE && !(err = kpt_mutex_yield()));
	return min(nr, 0) ?: err;
}

/* Choose what to show. */
static int enabled_choose(struct enabled *e)
{
	unsigned int i;
	int err = e->node->entry->arg == TOUCHED ? kpt_touched_list(&e->shown) : 0;

	for (i = 0; !err && i < e->sites.nr; i++)
		err = kpt_symbol_list_add(&e->shown, e->sites.addr[i]);
	return err;
}

static int enabled_collect(struct enabled *e)
{
	int err = kpt_fs_node_lock(e->node);

	if (err)
		return err;
	e->sites.nr = 0;
	e->shown.nr = 0;
	err = enabled_add_all(e) ?: enabled_choose(e);
	kpt_unlock();
	if (err)
		return err;
	kpt_symbol_list_sort(&e->sites);
	kpt_symbol_list_sort_unique(&e->shown);
	return 0;
}

static void *enabled_start(struct seq_file *m, loff_t *pos)
{
	struct enabled *e = m->private;
	int err;

	/* Not when it is opened: open() never waits for kpt_mutex. */
	if (!*pos) {
		err = enabled_collect(e);
		if (err)
			return ERR_PTR(err);
	}
	return *pos < e->shown.nr ? &e->shown.addr[*pos] : NULL;
}

static void *enabled_next(struct seq_file *m, void *v, loff_t *pos)
{
	const struct enabled *e = m->private;

	return ++*pos < e->shown.nr ? &e->shown.addr[*pos] : NULL;
}

static void enabled_stop(struct seq_file *m, void *v)
{
}

static int functions_enabled_show(struct seq_file *m, void *v)
{
	const struct enabled *e = m->private;
	const unsigned long func = *(unsigned long *)v;

	seq_printf(m, "%ps (%u)\n", (void *)func,
		   kpt_symbol_list_below(&e->sites, func + 1) -
		   kpt_symbol_list_below(&e->sites, func));
	return 0;
}

static const struct seq_operations enabled_seq = {
	.start = enabled_start,
	.next = enabled_next,
	.stop = enabled_stop,
	.show = functions_enabled_show,
};

static int enabled_release(struct inode *inode, struct file *file)
{
	struct seq_file *m = file->private_data;
	struct enabled *e = m->private;
	struct kpt_fs_node *node = e->node;

	kpt_symbol_list_free(&e->sites);
	kpt_symbol_list_free(&e->shown);
	seq_release_private(inode, file);
	kpt_fs_node_release(node);
	return 0;
}

static int enabled_open(struct inode *inode, struct file *file)
{
	struct kpt_fs_node *node = kpt_fs_node_open(inode);
	struct enabled *e;

	if (IS_ERR(node))
		return PTR_ERR(node);
	e = __seq_open_private(file, &enabled_seq, sizeof(*e));
	if (!e) {
		kpt_fs_node_release(node);
		return -ENOMEM;
	}
	e->node = node;
	return 0;
}

static const struct file_operations enabled_fops = {
	.owner = THIS_MODULE,
	.open = enabled_open,
	.read = seq_read,
	.llseek = seq_lseek,
	.release = enabled_release,
};

/* The kernel's own has a table of them, which takes pages; here there is none. */
static int total_show(struct seq_file *m, const struct kpt_fs_node *node)
{
	unsigned int nr;
	int err = kpt_function_count(&nr);

	if (!err)
		seq_printf(m, "%u pages:0 groups: 0\n", nr);
	return err;
}

static const struct kpt_fs_file function_files[] = {
	{ .name = "enabled_functions", .mode = 0440, .fops = &enabled_fops },
	{
		.name = "touched_functions",
		.mode = 0440,
		.arg = TOUCHED,
		.fops = &enabled_fops,
	},
	{
		.name = "available_filter_functions",
		.mode = 0440,
		.fops = &functions_fops,
	},
	{
		.name = "available_filter_functions_addrs",
		.mode = 0440,
		.arg = WITH_ADDRESS,
		.fops = &functions_fops,
	},
	{ .name = "dyn_ftrace_total_info", .mode = 0440, .show = total_show },
};

const struct kpt_fs_table kpt_function_entries = KPT_FS_TABLE(function_files);
