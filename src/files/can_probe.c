// SPDX-License-Identifier: GPL-2.0-only
/*
 * can_probe: may this place be probed, how, and if not why? kprobes/: the points
 * that are probed, and the blacklist.
 */
#include "kernel/compat.h"
#include <linux/kallsyms.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/string.h>
#include "engine/point.h"
#include "fs/fs.h"
#include "kernel/symbol/blacklist.h"
#include "kernel/ksyms.h"
#include "kernel/symbol/similar_function.h"
#include "kernel/symbol/symbol.h"
#include "event/class.h"

/**
 * struct answer - the text of can_probe
 * @place: the place that was asked for, empty before the first write
 * @addr: its address, 0 if it has none
 * @diag: the reason why it cannot be probed; KPT_E_NONE if it can be
 * @mode: how it can be probed
 * @similar: of a name that no function has: a function with a similar one; or empty
 * @returns: for the entry of a function: how its returns can be seen
 * @lines: for the entry of a function: lines about its parameters; for patterns: how
 *	many functions can be probed, and of the others how many for which reason
 */
struct answer {
	char place[KSYM_NAME_LEN + 64];
	unsigned long addr;
	struct kpt_diag diag;
	enum kpt_mode mode;
	char similar[KPT_SIMILAR_MAX];
	char returns[KPT_DIAG_DETAIL_MAX + 64];
	char lines[KPT_PROTOTYPE_MAX];
};

/* The last answer, for files that are opened only to read; or NULL. Under kpt_mutex. */
static struct answer *last_answer;

/**
 * struct question - an open can_probe
 * @node: the file
 * @answer: answer to the last write to this open file; under kpt_mutex
 */
struct question {
	struct kpt_fs_node *node;
	struct answer answer;
};

static int refuse(struct kpt_diag *diag, int err)
{
	enum kpt_diag_code code = KPT_E_BAD_PROBE_ADDR;

	if (err == -EADDRNOTAVAIL)
		code = KPT_E_NON_UNIQ_SYMBOL;
	return kpt_diag_set(diag, code, 0, -EINVAL);
}

/*
 * Put a NUL after each name: the rest of the text is no longer needed. Returns the
 * name of the module, or NULL.
 */
static char *end_names(struct kpt_def *def)
{
	char *module = def->text + def->module.at;

	def->text[def->symbol.at + def->symbol.len] = '\0';
	if (!def->module.len)
		return NULL;
	module[def->module.len] = '\0';
	return module;
}

/* Find the address of the place of a definition. Others may take kpt_mutex meanwhile. */
static int find_place(struct kpt_def *def, struct answer *a)
{
	struct kpt_similar like;
	char *module, *name;
	int err;

	if (!def->symbol.len) {
		a->addr = def->address;
		return 0;
	}
	module = end_names(def);
	name = def->text + def->symbol.at;
	err = kpt_symbol_lookup(module, name, &a->addr);
	if (err == -ENOENT) {
		if (kpt_similar_function(module, name, &like))
			return -EINTR;
		strscpy(a->similar, like.found, sizeof(a->similar));
	}
	if (err)
		return err == -ENOMEM ? err : refuse(&a->diag, err);
	a->addr += def->offset;
	return 0;
}

/* Find the method of r probes, and the reason if it is the return address. */
static void check_returns(struct answer *a)
{
	struct kpt_arch_returns returns = { 0 };
	struct kpt_diag diag = { 0 };
	enum kpt_mode mode;
	unsigned int i;
	int err;

	err = kpt_arch_find_returns(a->addr, &returns);
	for (i = 0; !err && i < returns.nr; i++) {
		err = kpt_can_probe(returns.addr[i], &mode, &diag);
		returns.why = kpt_diag_text(diag.code);
		returns.at = returns.addr[i];
	}
	kfree(returns.addr);
	if (!err && !returns.nr)
		strscpy(a->returns, "never", sizeof(a->returns));
	else if (!err)
		scnprintf(a->returns, sizeof(a->returns),
			  "%u return instructions", returns.nr);
	else if (returns.why)
		scnprintf(a->returns, sizeof(a->returns), "%s: %s at +0x%lx",
			  kpt_blacklist_check_hook(a->addr, &diag) ?
				  kpt_diag_text(diag.code) : "return address",
			  returns.why, returns.at - a->addr);
}

/*
 * Count the functions of a list by @code, why they cannot be probed. Others may take
 * kpt_mutex in between. Returns 0, or -EINTR if the task is being killed.
 */
static int count_functions(const struct kpt_symbol_list *list, unsigned int *codes,
			   struct kpt_diag *first)
{
	enum kpt_mode mode;
	unsigned int i;
	int err = 0;

	for (i = 0; i < list->nr && !err; i++) {
		struct kpt_diag diag = { 0 };

		if (kpt_can_probe(list->addr[i], &mode, &diag) &&
		    first->code == KPT_E_NONE)
			*first = diag;
		codes[diag.code]++;
		if (i % KPT_PIECE == KPT_PIECE - 1)
			err = kpt_mutex_yield();
		cond_resched();
	}
	return err;
}

static void put_counts(struct answer *a, const unsigned int *codes)
{
	struct kpt_strbuf sb;
	unsigned int i;

	kpt_strbuf_init(&sb, a->lines, sizeof(a->lines));
	kpt_strbuf_printf(&sb, "functions: %u\n", codes[KPT_E_NONE]);
	for (i = KPT_E_NONE + 1; i < KPT_NR_DIAG; i++)
		/* Symbols that are not text are no functions. */
		if (codes[i] && i != KPT_E_NOT_TEXT)
			kpt_strbuf_printf(&sb, "left out: %u: %s\n", codes[i],
					  kpt_diag_text(i));
}

/* The place is a list of patterns. */
static int check_functions(struct kpt_def *def, struct answer *a)
{
	unsigned int *codes = kcalloc(KPT_NR_DIAG, sizeof(*codes), GFP_KERNEL);
	struct kpt_diag first = { 0 };
	struct kpt_symbol_list list;
	char *module, *names = def->text + def->symbol.at;
	int err;

	if (!codes)
		return -ENOMEM;
	module = end_names(def);
	err = module ? kpt_symbol_list(&list, module, names, true) :
		       kpt_function_list_anywhere(&list, names);
	err = err ?: count_functions(&list, codes, &first);
	if (!err) {
		put_counts(a, codes);
		if (!codes[KPT_E_NONE])
			a->diag = first;
		if (!list.nr)
			err = refuse(&a->diag, -ENOENT);
	}
	kpt_symbol_list_free(&list);
	kfree(codes);
	return err;
}

static int check(struct kpt_def *def, struct answer *a)
{
	/* With an offset, the address may be the entry of another function. */
	const char *name = def->symbol.len && !def->offset ?
				   def->text + def->symbol.at : NULL;
	unsigned long start, size;
	int err;

	if (def->is_pattern)
		return check_functions(def, a);
	err = find_place(def, a);
	if (!err)
		err = kpt_can_probe(a->addr, &a->mode, &a->diag);
	if (!err && !kpt_symbol_range(a->addr, &start, &size) &&
	    start == a->addr) {
		check_returns(a);
		kpt_prototype_describe(a->lines, sizeof(a->lines),
				       a->addr, name);
	}
	return err;
}

/*
 * A place that cannot be probed is an answer, not an error. Others may take kpt_mutex in
 * between, so nobody else uses @a.
 */
static int can_probe_ask(struct answer *a, const char *text)
{
	struct kpt_def *def;
	char *line;
	int err = -ENOMEM;

	def = kvmalloc(sizeof(*def), GFP_KERNEL);
	line = kasprintf(GFP_KERNEL, "%c %s", strpbrk(text, "*?[,") ? 'f' : 'p',
			 text);
	if (def && line) {
		memset(a, 0, sizeof(*a));
		strscpy(a->place, text, sizeof(a->place));
		err = kpt_def_parse(def, line, strlen(line), &a->diag) ?:
		      check(def, a);
		if (err && a->diag.code == KPT_E_NONE)
			kpt_diag_set(&a->diag, KPT_E_BAD_PROBE_ADDR, 0, err);
	}
	kfree(line);
	kvfree(def);
	return err == -ENOMEM || err == -EINTR ? err : 0;
}

static void can_probe_put(struct seq_file *m, const struct answer *a)
{
	const struct kpt_diag *diag = &a->diag;

	if (!a->place[0])
		return;
	seq_printf(m, "place: %s\n", a->place);
	if (a->addr)
		seq_printf(m, "address: 0x%lx %pS\n",
			   kpt_ksyms_may_show(m->file) ? a->addr : 0,
			   (void *)a->addr);
	seq_printf(m, "probe: %s\n", diag->code == KPT_E_NONE ? "yes" : "no");
	if (diag->code == KPT_E_NONE && a->addr)
		seq_printf(m, "mode: %s\n", kpt_arch_mode_name(a->mode));
	else if (diag->code != KPT_E_NONE)
		seq_printf(m, "reason: %s%s%s\n", kpt_diag_text(diag->code),
			   kpt_diag_between(diag), diag->detail);
	if (a->similar[0])
		seq_printf(m, "similar: %s\n", a->similar);
	if (a->returns[0])
		seq_printf(m, "returns: %s\n", a->returns);
	seq_puts(m, a->lines);
}

static int can_probe_show(struct seq_file *m, void *v)
{
	const struct question *q = m->private;
	int err = kpt_fs_node_lock(q->node);
	size_t from = m->count;

	if (err)
		return err;
	if (q->answer.place[0] || last_answer)
		can_probe_put(m, q->answer.place[0] ? &q->answer : last_answer);
	kpt_seq_hide(m, from);
	kpt_unlock();
	return 0;
}

static ssize_t can_probe_write(struct file *file, const char __user *from,
			       size_t count, loff_t *pos)
{
	struct seq_file *m = file->private_data;
	struct question *q = m->private;
	struct answer *new;
	char *copy, *text;
	int err;

	if (count > KPT_STORE_MAX)
		return -EINVAL;
	copy = memdup_user_nul(from, count);
	if (IS_ERR(copy))
		return PTR_ERR(copy);
	text = strim(copy);
	if (!*text || strlen(text) >= sizeof(new->place) || strpbrk(text, " \t\n")) {
		kpt_fs_node_note(q->node, text, "a place, as a definition has it");
		kfree(copy);
		return -EINVAL;
	}
	new = kvmalloc(sizeof(*new), GFP_KERNEL);
	err = new ? kpt_fs_node_lock(q->node) : -ENOMEM;
	if (!err) {
		err = can_probe_ask(new, text);
		if (!err) {
			q->answer = *new;
			swap(last_answer, new);
		}
		kpt_unlock();
	}
	kvfree(new);
	kfree(copy);
	if (err)
		return err;
	/* The next read gets the answer from its beginning. */
	*pos = seq_lseek(file, 0, SEEK_SET);
	return count;
}

static int can_probe_open(struct inode *inode, struct file *file)
{
	struct kpt_fs_node *node = kpt_fs_node_open(inode);
	struct question *q;
	int err;

	if (IS_ERR(node))
		return PTR_ERR(node);
	q = kvzalloc(sizeof(*q), GFP_KERNEL_ACCOUNT);
	err = q ? single_open(file, can_probe_show, q) : -ENOMEM;
	if (err) {
		kvfree(q);
		kpt_fs_node_release(node);
		return err;
	}
	q->node = node;
	return 0;
}

static int can_probe_release(struct inode *inode, struct file *file)
{
	struct seq_file *m = file->private_data;
	struct question *q = m->private;

	kpt_fs_node_release(q->node);
	kvfree(q);
	return single_release(inode, file);
}

static const struct file_operations can_probe_fops = {
	.owner = THIS_MODULE,
	.open = can_probe_open,
	.read = seq_read,
	.write = can_probe_write,
	.splice_write = kpt_fs_splice_write,
	.llseek = seq_lseek,
	.release = can_probe_release,
};

static int list_nth(struct seq_file *m, unsigned int nth)
{
	kpt_point_seq_show(m, nth);
	return 0;
}

static int blacklist_nth(struct seq_file *m, unsigned int nth)
{
	kpt_blacklist_seq_show(m, nth);
	return 0;
}

static const struct kpt_fs_file check_entries[] = {
	{ .name = "can_probe", .mode = 0640, .fops = &can_probe_fops },
};

static const struct kpt_fs_file kprobes_entries[] = {
	{ .name = "list", .mode = 0400, .rows = KPT_POINT_ROWS, .nth = list_nth },
	{ .name = "blacklist", .mode = 0400, .rows = KPT_BLACKLIST_ROWS, .nth = blacklist_nth },
};

const struct kpt_fs_table kpt_check_entries = KPT_FS_TABLE(check_entries);
const struct kpt_fs_table kpt_kprobes_entries = KPT_FS_TABLE(kprobes_entries);

/**
 * kpt_can_probe_exit() - forget the last answer
 *
 * Context: module unload; no file is open.
 */
void kpt_can_probe_exit(void)
{
	kvfree(last_answer);
	last_answer = NULL;
}
