// SPDX-License-Identifier: GPL-2.0-only
/* function_profile_enabled, and the files of trace_stat/. */
#include "kernel/compat.h"
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/sort.h>
#include <linux/string.h>
#include "parts/tracer/profile.h"
#include "parts/tracer/tracer.h"
#include "fs/fs.h"
#include "kernel/ksyms.h"
#include "kernel/symbol/symbol.h"

/**
 * struct profile - an open file of trace_stat/
 * @node: the file, which has the CPU
 * @nr: number of @row; or -errno of reading them
 * @row: functions that were called when it was read from the beginning, those with
 *	the most time first
 * @base: with prof-text-offset: the symbol that functions of the kernel are behind
 * @text: its address; 0 without the option
 */
struct profile {
	struct kpt_fs_node *node;
	int nr;
	struct kpt_profile_row *row;
	const char *base;
	unsigned long text;
};

static int profile_compare(const void *a, const void *b)
{
	const struct kpt_profile_row *x = a, *y = b;

	if (x->counts.time != y->counts.time)
		return x->counts.time < y->counts.time ? 1 : -1;
	return x->counts.hits < y->counts.hits ? 1 : -1;
}

/* Once for all rows: some kernels look it up for longer than a row takes. */
static void profile_find_text(struct profile *p)
{
	p->base = "_text";
	p->text = 0;
	if (!kpt_profile_options.offsets)
		return;
	p->text = kpt_ksyms_addr(p->base);
	if (p->text)
		return;
	/* Some kernels do not have it among their symbols. */
	p->base = "_stext";
	p->text = kpt_ksyms_addr(p->base);
}

static int profile_read(struct profile *p)
{
	int err = kpt_fs_node_lock(p->node);

	if (err)
		return err;
	kvfree(p->row);
	p->row = NULL;
	profile_find_text(p);
	p->nr = kpt_profile_rows(p->node->cpu, &p->row);
	kpt_unlock();
	if (p->nr > 0)
		sort(p->row, p->nr, sizeof(*p->row), profile_compare, NULL);
	return min(p->nr, 0);
}

/* Position 0 is the header. */
static void *profile_at(struct profile *p, loff_t pos)
{
	if (!pos)
		return SEQ_START_TOKEN;
	return pos <= p->nr ? &p->row[pos - 1] : NULL;
}

static void *profile_start(struct seq_file *m, loff_t *pos)
{
	struct profile *p = m->private;
	int err;

	/* Not when it is opened: open() never waits for kpt_mutex. */
	err = *pos ? 0 : profile_read(p);
	return err ? ERR_PTR(err) : profile_at(p, *pos);
}

static void *profile_next(struct seq_file *m, void *v, loff_t *pos)
{
	return profile_at(m->private, ++*pos);
}

static void profile_stop(struct seq_file *m, void *v)
{
}

/*
 * Where a function is, as mainline tells it: also with two blanks in front. Returns false if
 * the function is neither in the kernel nor in a module.
 */
static bool profile_offset(char *text, size_t size, const struct profile *p,
			   unsigned long func)
{
	unsigned long start = p->text, text_size;
	char module[MODULE_NAME_LEN];
	const char *base = p->base;

	if (!core_kernel_text(func)) {
		if (!kpt_symbol_module_of(func, module) ||
		    !kpt_symbol_module_text(module, &start, &text_size))
			return false;
		base = module;
	}
	snprintf(text, size, "  %s+%#lx", base, func - start);
	return true;
}

/* Its name, without the module. The column has 30 characters of it. */
static void profile_name(char *text, size_t size, unsigned long func)
{
	snprintf(text, size, "%ps", (void *)func);
	text[strcspn(text, " ")] = '\0';
}

static void profile_put_row(struct seq_file *m, const struct profile *p,
			    const struct kpt_profile_row *row)
{
	const struct kpt_profile_counts *c = &row->counts;
	char name[64];
	struct kpt_strbuf sb;

	if (!p->text || !profile_offset(name, sizeof(name), p, row->func))
		profile_name(name, sizeof(name), row->func);
	kpt_seq_begin(m, &sb);
	kpt_format_profile(&sb, name, c->hits, c->time, c->squares);
	kpt_seq_end(m, &sb);
}

static const char header[] =
"  Function                               Hit    Time            Avg             s^2\n"
"  --------                               ---    ----            ---             ---\n";

static int profile_show(struct seq_file *m, void *v)
{
	const struct profile *p = m->private;
	const struct kpt_profile_row *row = v;
	u64 thresh = READ_ONCE(kpt_tracer_of(p->node->instance)->limits.thresh);

	if (v == SEQ_START_TOKEN)
		seq_puts(m, header);
	else if (div64_u64(row->counts.time, row->counts.hits) >= thresh)
		profile_put_row(m, p, row);
	return 0;
}

static const struct seq_operations profile_seq = {
	.start = profile_start,
	.next = profile_next,
	.stop = profile_stop,
	.show = profile_show,
};

static int profile_open(struct inode *inode, struct file *file)
{
	struct kpt_fs_node *node = kpt_fs_node_open(inode);
	struct profile *p;

	if (IS_ERR(node))
		return PTR_ERR(node);
	p = __seq_open_private(file, &profile_seq, sizeof(*p));
	if (!p) {
		kpt_fs_node_release(node);
		return -ENOMEM;
	}
	p->node = node;
	return 0;
}

static int profile_release(struct inode *inode, struct file *file)
{
	struct seq_file *m = file->private_data;
	struct profile *p = m->private;
	struct kpt_fs_node *node = p->node;

	kvfree(p->row);
	seq_release_private(inode, file);
	kpt_fs_node_release(node);
	return 0;
}

static const struct file_operations profile_fops = {
	.owner = THIS_MODULE,
	.open = profile_open,
	.read = seq_read,
	.llseek = seq_lseek,
	.release = profile_release,
};

/* A file of trace_stat/, which is named after its CPU. */
const struct kpt_fs_file kpt_profile_entry = {
	.mode = 0440,
	.fops = &profile_fops,
};

static int profile_enabled_show(struct seq_file *m, const struct kpt_fs_node *node)
{
	seq_printf(m, "%u\n", kpt_tracer_is_profiling());
	return 0;
}

static int profile_enabled_store(const struct kpt_fs_node *node, char *text)
{
	unsigned long on;
	int err = kstrtoul(text, 10, &on);

	return err ?: kpt_tracer_profile(on);
}

static const struct kpt_fs_file profile_files[] = {
	{
		.name = "function_profile_enabled",
		.takes = KPT_TAKES_SWITCH,
		.mode = 0640,
		.show = profile_enabled_show,
		.store = profile_enabled_store,
	},
};

const struct kpt_fs_table kpt_profile_entries = KPT_FS_TABLE(profile_files);
