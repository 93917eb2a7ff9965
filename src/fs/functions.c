// SPDX-License-Identifier: GPL-2.0-only
/*
 * available_filter_functions: the functions whose entry kpt_can_probe() accepts.
 * And enabled_functions.
 */
#include "kernel/compat.h"
#include <linux/mm.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/sort.h>
#include "event/class.h"
#include "fs/fs.h"
#include "kernel/ksyms.h"
#include "kernel/symbol.h"

/**
 * struct functions - an open file; its positions are offsets in the kernel's text,
 * then numbers of symbols of modules
 * @node: the file
 * @start: the kernel's text
 * @size: its bytes
 * @nr: number of symbols of modules when it was opened
 * @room: number of addresses that @addr has room for
 * @addr: addresses of these symbols, ascending; with duplicates and data symbols
 */
struct functions {
	struct kpt_fs_node *node;
	unsigned long start;
	unsigned long size;
	unsigned int nr;
	unsigned int room;
	unsigned long *addr;
};

static bool functions_may_probe(unsigned long addr)
{
	struct kpt_diag diag = { 0 };
	enum kpt_mode mode;

	return !kpt_can_probe(addr, &mode, &diag);
}

/* Bytes from an address to the next symbol of the kernel, or to the end. */
static unsigned long functions_to_next(const struct functions *f, unsigned long addr)
{
	unsigned long size, offset;

	if (!kpt_ksyms.lookup_size_offset(addr, &size, &offset))
		return f->start + f->size - addr;
	return max(size - offset, 4UL);
}

static bool is_listed(const struct functions *f, unsigned int i)
{
	return (!i || f->addr[i] != f->addr[i - 1]) && functions_may_probe(f->addr[i]);
}

/* Find the first function at a position or after it: its address, or NULL. */
static void *functions_find(const struct functions *f, loff_t *pos)
{
	for (; *pos < f->size; *pos += functions_to_next(f, f->start + *pos)) {
		if (functions_may_probe(f->start + *pos))
			return (void *)(f->start + (unsigned long)*pos);
		cond_resched();
	}
	for (; *pos < f->size + f->nr; ++*pos)
		if (is_listed(f, *pos - f->size))
			return (void *)f->addr[*pos - f->size];
	return NULL;
}

static void *functions_start(struct seq_file *m, loff_t *pos)
{
	const struct functions *f = m->private;

	mutex_lock(&kpt_mutex);
	return functions_find(f, pos);
}

static void functions_stop(struct seq_file *m, void *v)
{
	mutex_unlock(&kpt_mutex);
}

static void *functions_next(struct seq_file *m, void *v, loff_t *pos)
{
	const struct functions *f = m->private;

	if (*pos < f->size)
		*pos += functions_to_next(f, (unsigned long)v);
	else
		++*pos;
	return functions_find(f, pos);
}

static int functions_show(struct seq_file *m, void *v)
{
	seq_printf(m, "%ps\n", v);
	return 0;
}

static const struct seq_operations functions_seq = {
	.start = functions_start,
	.next = functions_next,
	.stop = functions_stop,
	.show = functions_show,
};

/* Called twice for each symbol: first to count it, then to note it. */
static int functions_take_symbol(void *data, const char *name, unsigned long addr)
{
	struct functions *f = data;

	if (f->addr && f->nr == f->room)
		return 1;
	if (f->addr)
		f->addr[f->nr] = addr;
	f->nr++;
	return 0;
}

static int functions_compare(const void *a, const void *b)
{
	unsigned long x = *(const unsigned long *)a;
	unsigned long y = *(const unsigned long *)b;

	return x < y ? -1 : x > y;
}

static int functions_take_modules(struct functions *f)
{
	kpt_ksyms_in_modules(NULL, NULL, functions_take_symbol, f);
	f->room = f->nr;
	f->nr = 0;
	if (!f->room)
		return 0;
	f->addr = kvmalloc_array(f->room, sizeof(*f->addr), GFP_KERNEL_ACCOUNT);
	if (!f->addr)
		return -ENOMEM;
	kpt_ksyms_in_modules(NULL, NULL, functions_take_symbol, f);
	sort(f->addr, f->nr, sizeof(*f->addr), functions_compare, NULL);
	return 0;
}

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
	err = functions_take_modules(f);
	if (err) {
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

	kvfree(f->addr);
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
 * enabled_functions: the functions with an armed probe.
 */

/* The functions of all enabled probes go to @addr unless that is NULL. */
static unsigned int functions_enabled(unsigned long *addr)
{
	unsigned int n = 0, at;
	struct kpt_probe *probe;
	unsigned long func;

	list_for_each_entry(probe, &kpt_probes, list) {
		if (!kpt_event_in_use(probe->event))
			continue;
		at = 0;
		while ((func = probe->event->class->function(probe, &at))) {
			if (addr)
				addr[n] = func;
			n++;
		}
	}
	return n;
}

static int enabled_show(struct seq_file *m, const struct kpt_fs_node *node)
{
	unsigned int n = functions_enabled(NULL), from, to;
	unsigned long *addr;

	addr = kvmalloc_array(n + 1, sizeof(*addr), GFP_KERNEL);
	if (!addr)
		return -ENOMEM;
	functions_enabled(addr);
	sort(addr, n, sizeof(*addr), functions_compare, NULL);
	for (from = 0; from < n; from = to) {
		for (to = from; to < n && addr[to] == addr[from]; to++)
			;
		seq_printf(m, "%ps (%u)\n", (void *)addr[from], to - from);
	}
	kvfree(addr);
	return 0;
}

static const struct kpt_fs_file entries[] = {
	{ .name = "enabled_functions", .mode = 0440, .show = enabled_show },
	{
		.name = "available_filter_functions",
		.mode = 0440,
		.fops = &functions_fops,
	},
};

const struct kpt_fs_table kpt_function_entries = KPT_FS_TABLE(entries);
