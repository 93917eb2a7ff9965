// SPDX-License-Identifier: GPL-2.0-only
/*
 * Places that may be in the blacklist because of the symbol they are in. To look up a symbol
 * and the kernel's own blacklist takes longer than all other checks of a place. So after some
 * thousand places a table is made of the text that has to be looked at, which is little. The
 * symbols of the kernel and its blacklist of them do not change.
 */
#include "kernel/compat.h"
#include <linux/kprobes.h>
#include <linux/list.h>
#include <linux/sched/signal.h>
#include <linux/seq_file.h>
#include <linux/string.h>
#include <linux/stringhash.h>
#include "kernel/symbol/blacklist.h"
#include "kernel/ksyms.h"
#include "kernel/lock.h"
#include "kernel/symbol/suspect.h"
#include "kernel/symbol/symbol.h"
#include "arch.h"

/*
 * Ranges of text: offsets from its start, made by pair(). Sorted, and none overlaps
 * another. Under kpt_mutex.
 */
static struct kpt_symbol_list suspects;
static unsigned int nr_asked;
static bool is_made, is_impossible;

/* The text of the kernel. */
static unsigned long text_start, text_end;

/**
 * struct making - what is needed to make the table
 * @is_listed: for kpt_is_suspect()
 * @ranges: result
 * @refused: ranges of the kernel's own blacklist
 * @names: hashes of the names of symbols in @refused
 * @renamed: symbols with a suffix of the compiler: the hash of the name without it, and
 *	the offset, made by pair()
 * @last: address of the last symbol
 * @last_is_listed: @is_listed is true for its name
 */
struct making {
	bool (*is_listed)(const char *name);
	struct kpt_symbol_list ranges;
	struct kpt_symbol_list refused;
	struct kpt_symbol_list names;
	struct kpt_symbol_list renamed;
	unsigned long last;
	bool last_is_listed;
};

/* Two numbers in one, which kpt_symbol_list_sort() sorts by the first. */
static unsigned long pair(u32 first, u32 second)
{
	return (unsigned long)first << 32 | second;
}

static int ranges_add(struct kpt_symbol_list *ranges, unsigned long start,
		      unsigned long end)
{
	return kpt_symbol_list_add(ranges, pair(start - text_start, end - text_start));
}

static bool ranges_have(const struct kpt_symbol_list *ranges, unsigned long addr)
{
	u32 offset = addr - text_start;
	unsigned int nr = kpt_symbol_list_below(ranges, pair(offset + 1, 0));

	return nr && offset < (u32)ranges->addr[nr - 1];
}

/* Sort ranges, and join those that overlap. */
static void ranges_settle(struct kpt_symbol_list *ranges)
{
	unsigned long *a = ranges->addr;
	unsigned int i, nr = 0;

	kpt_symbol_list_sort(ranges);
	for (i = 0; i < ranges->nr; i++)
		if (nr && a[i] >> 32 <= (u32)a[nr - 1])
			a[nr - 1] = pair(a[nr - 1] >> 32,
					 max((u32)a[nr - 1], (u32)a[i]));
		else
			a[nr++] = a[i];
	ranges->nr = nr;
}

#ifdef CONFIG_KPROBES
/* What shows the kernel's own blacklist in debugfs. */
void *kprobe_blacklist_seq_start(struct seq_file *m, loff_t *at);
void *kprobe_blacklist_seq_next(struct seq_file *m, void *entry, loff_t *at);
void kprobe_blacklist_seq_stop(struct seq_file *m, void *entry);
#endif

#ifdef CONFIG_KPROBES
/*
 * Where calls are checked by tables, NOKPROBE_SYMBOL() has put the function's entry there into
 * the list, and not the function that the entry branches to: visit that, too.
 */
static int each_behind(unsigned long start, unsigned long end,
		       int (*found)(void *data, unsigned long start, unsigned long end), void *data)
{
	unsigned long func = KPT_CFI_TABLES ? kpt_arch_behind_table(start, end) : 0;
	unsigned long size, offset;

	if (!func || !kallsyms_lookup_size_offset(func, &size, &offset))
		return 0;
	return found(data, func - offset, func - offset + size);
}
#endif

/**
 * kpt_each_kprobe_blacklisted() - visit the ranges of the kernel's own kprobe blacklist
 * @found: called for each, until it returns another value than 0; must not probe anything
 * @data: first argument of @found
 *
 * Context: process context, sleeps.
 * Return: the last result of @found; -EOPNOTSUPP if this kernel does not list them.
 */
int kpt_each_kprobe_blacklisted(int (*found)(void *data, unsigned long start,
					     unsigned long end), void *data)
{
	int err = -EOPNOTSUPP;
#ifdef CONFIG_KPROBES
	const struct kprobe_blacklist_entry *entry;
	struct seq_file none = { 0 };
	loff_t at = 0;
	void *v;

	if (!kpt_has(kprobe_blacklist_seq_start) || !kpt_has(kprobe_blacklist_seq_next) ||
	    !kpt_has(kprobe_blacklist_seq_stop))
		return err;
	err = 0;
	for (v = kprobe_blacklist_seq_start(&none, &at); v && !err;
	     v = kprobe_blacklist_seq_next(&none, v, &at)) {
		entry = list_entry(v, struct kprobe_blacklist_entry, list);
		err = found(data, entry->start_addr, entry->end_addr);
		err = err ?: each_behind(entry->start_addr, entry->end_addr, found, data);
	}
	kprobe_blacklist_seq_stop(&none, v);
#endif
	return err;
}

static int begins_at(void *data, unsigned long start, unsigned long end)
{
	return start == *(const unsigned long *)data;
}

/**
 * kpt_kprobe_refuses() - is a place in the kernel's own kprobe blacklist?
 * @addr: the place
 *
 * Context: process context, sleeps.
 * Return: true if it is, or if the entry of its function in a table of checked calls is.
 */
bool kpt_kprobe_refuses(unsigned long addr)
{
	unsigned long size, offset;

	if (!kpt_has(within_kprobe_blacklist))
		return false;
	if (within_kprobe_blacklist(addr))
		return true;
	if (!KPT_CFI_TABLES || !kallsyms_lookup_size_offset(addr, &size, &offset))
		return false;
	addr -= offset;
	return kpt_each_kprobe_blacklisted(begins_at, &addr) > 0;
}

static int making_refuse(void *data, unsigned long start, unsigned long end)
{
	struct making *m = data;

	if (start < text_start || start >= text_end)
		return 0;
	return ranges_add(&m->refused, start, min(end, text_end));
}

/* Copy the kernel's own blacklist of its text. */
static int making_copy(struct making *m)
{
	int err = making_refuse(m, kpt_ksyms_addr("__kprobes_text_start"),
				kpt_ksyms_addr("__kprobes_text_end"));

	err = err ?: kpt_each_kprobe_blacklisted(making_refuse, m);
	ranges_settle(&m->refused);
	return err;
}

static u32 name_hash(const char *name, size_t len)
{
	return full_name_hash(NULL, name, len);
}

/*
 * Of several symbols at a place, the first is the one that the kernel prints. The others may
 * be what the kernel finds when it looks up the name of a renamed symbol.
 */
static int making_see(void *data, const char *name, unsigned long addr)
{
	size_t len = strcspn(name, ".");
	struct making *m = data;
	int err = 0;

	if (ranges_have(&m->refused, addr))
		err = kpt_symbol_list_add(&m->names, name_hash(name, strlen(name)));
	if (err || addr == m->last)
		return err;
	if (m->last_is_listed)
		err = ranges_add(&m->ranges, m->last, addr);
	if (!err && name[len])
		err = kpt_symbol_list_add(&m->renamed, pair(name_hash(name, len),
							    addr - text_start));
	m->last = addr;
	m->last_is_listed = m->is_listed(name);
	return err;
}

/* May the blacklist have the name of a renamed symbol at @addr, whose @hash is that? */
static bool making_may_have(const struct making *m, unsigned long hash, unsigned long addr)
{
	unsigned int at;

	/* Without a list of all symbols, @names lacks some. */
	if (!kpt_has(kallsyms_on_each_symbol)) {
		cond_resched();
		return kpt_kprobe_refuses(addr);
	}
	at = kpt_symbol_list_below(&m->names, hash);
	return at < m->names.nr && m->names.addr[at] == hash;
}

/* Add the renamed symbols whose name without the suffix the blacklist may have. */
static int making_add_renamed(struct making *m)
{
	unsigned long addr, offset, size;
	unsigned int i;
	int err = 0;

	kpt_symbol_list_sort(&m->names);
	for (i = 0; !err && i < m->renamed.nr; i++) {
		if (fatal_signal_pending(current))
			return -EINTR;
		addr = text_start + (u32)m->renamed.addr[i];
		if (!making_may_have(m, m->renamed.addr[i] >> 32, addr))
			continue;
		/* Not by kpt_symbol_range(), which needs kpt_mutex for symbols of modules. */
		if (!kallsyms_lookup_size_offset(addr, &size, &offset))
			return -ENOENT;
		addr -= offset;
		err = ranges_add(&m->ranges, addr, addr + size);
	}
	return err;
}

static int making_add_refused(struct making *m)
{
	unsigned int i;
	int err = 0;

	for (i = 0; !err && i < m->refused.nr; i++)
		err = kpt_symbol_list_add(&m->ranges, m->refused.addr[i]);
	return err;
}

/*
 * Takes some 0.06 s; hundreds of times that on a kernel that does not list its symbols, where
 * it looks through all of them for each name.
 */
static int making_run(struct making *m)
{
	int err;

	text_start = kpt_ksyms_addr("_stext");
	text_end = kpt_ksyms_addr("_etext");
	err = kpt_has(within_kprobe_blacklist) ? making_copy(m) : 0;
	if (!err) {
		err = kpt_symbol_each_in_text(making_see, m);
		err = err == -EOPNOTSUPP ? 0 : err;
	}
	if (!err && m->last_is_listed)
		err = ranges_add(&m->ranges, m->last, text_end);
	err = err ?: making_add_renamed(m);
	err = err ?: making_add_refused(m);
	ranges_settle(&m->ranges);
	kpt_symbol_list_free(&m->refused);
	kpt_symbol_list_free(&m->names);
	kpt_symbol_list_free(&m->renamed);
	return err;
}

/*
 * What making_run() has made becomes the table, unless there is one; kpt_mutex is held. If its
 * task is being killed or has no memory, another one may make it.
 */
static void making_end(struct making *m, int err)
{
	is_impossible = err && err != -EINTR && err != -ENOMEM;
	if (err || is_made) {
		kpt_symbol_list_free(&m->ranges);
		return;
	}
	suspects = m->ranges;
	is_made = true;
}

/**
 * kpt_suspects_prepare() - make the table now, as many places will be asked about
 * @is_listed: as for kpt_is_suspect()
 *
 * Nothing is made if the task is being killed.
 *
 * Context: process context, sleeps, takes kpt_mutex, but only at the end.
 */
void kpt_suspects_prepare(bool (*is_listed)(const char *name))
{
	struct making m = { .is_listed = is_listed };
	int err;

	if (READ_ONCE(is_made) || READ_ONCE(is_impossible))
		return;
	err = making_run(&m);
	if (kpt_lock()) {
		kpt_symbol_list_free(&m.ranges);
		return;
	}
	making_end(&m, err);
	kpt_unlock();
}

/**
 * kpt_is_suspect() - may a place be refused because of the symbol it is in?
 * @addr: the place
 * @is_listed: is a name of a symbol one for which it is refused? Always the same function
 *
 * Context: process context, sleeps, kpt_mutex held.
 * Return: false if neither its name nor the kernel's own kprobe blacklist refuse it.
 */
bool kpt_is_suspect(unsigned long addr, bool (*is_listed)(const char *name))
{
	struct making m = { .is_listed = is_listed };

	lockdep_assert_held(&kpt_mutex);
	/*
	 * kpt_suspects_prepare() was not called, but many places are asked about. Not where
	 * kpt_mutex would be held for long.
	 */
	if (!is_made && !is_impossible && kpt_has(kallsyms_on_each_symbol) &&
	    ++nr_asked == KPT_BLACKLIST_MANY) {
		nr_asked = 0;
		making_end(&m, making_run(&m));
	}
	return !is_made || addr < text_start || addr >= text_end ||
	       ranges_have(&suspects, addr);
}

/**
 * kpt_suspect_exit() - free the table
 *
 * Context: module unload.
 */
void kpt_suspect_exit(void)
{
	kpt_symbol_list_free(&suspects);
}
