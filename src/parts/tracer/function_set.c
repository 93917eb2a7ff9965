// SPDX-License-Identifier: GPL-2.0-only
/* Sets of functions: chosen by words, followed through loading of modules. */
#include "kernel/compat.h"
#include <linux/ctype.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/string.h>
#include "parts/tracer/function_set.h"
#include "kernel/symbol/blacklist.h"
#include "kernel/symbol/similar_function.h"
#include "kernel/lock.h"
#include "lib/base/diag.h"
#include "lib/base/glob.h"
#include "event/class.h"

/**
 * struct function_wait - functions of a module that is not loaded
 * @list: in kpt_function_set.waiting
 * @module: name of the module
 * @names: a name or pattern; part of the same memory
 */
struct function_wait {
	struct list_head list;
	char *module;
	char names[];
};

/**
 * kpt_function_set_init() - make an empty set
 * @set: the set
 *
 * Context: any.
 */
void kpt_function_set_init(struct kpt_function_set *set)
{
	*set = (struct kpt_function_set){ 0 };
	INIT_LIST_HEAD(&set->waiting);
}

static void function_wait_free(struct function_wait *wait)
{
	list_del(&wait->list);
	kfree(wait);
}

/**
 * kpt_function_set_free() - free what a set holds
 * @set: the set; empty afterwards
 *
 * Context: process context.
 */
void kpt_function_set_free(struct kpt_function_set *set)
{
	struct function_wait *wait, *next;

	list_for_each_entry_safe(wait, next, &set->waiting, list)
		function_wait_free(wait);
	kpt_symbol_list_free(&set->list);
	kpt_function_set_init(set);
}

static int function_set_wait(struct kpt_function_set *set, const char *names,
			     const char *module)
{
	size_t len = strlen(names) + 1;
	struct function_wait *wait;

	wait = kmalloc(struct_size(wait, names, len + strlen(module) + 1), GFP_KERNEL);
	if (!wait)
		return -ENOMEM;
	wait->module = wait->names + len;
	strcpy(wait->names, names);
	strcpy(wait->module, module);
	list_add_tail(&wait->list, &set->waiting);
	return 0;
}

/* As in mainline, "*" is all that wait for the module. Returns how many there were. */
static int function_set_unwait(struct kpt_function_set *set, const char *names,
			       const char *module)
{
	bool is_all = !strcmp(names, "*");
	struct function_wait *wait, *next;
	int nr = 0;

	list_for_each_entry_safe(wait, next, &set->waiting, list) {
		if ((!is_all && strcmp(wait->names, names)) ||
		    strcmp(wait->module, module))
			continue;
		function_wait_free(wait);
		nr++;
	}
	return nr;
}

/**
 * kpt_function_set_copy() - copy a set
 * @to: result; empty on failure
 * @from: the set
 *
 * Context: process context, sleeps.
 * Return: 0 or -ENOMEM.
 */
int kpt_function_set_copy(struct kpt_function_set *to,
			  const struct kpt_function_set *from)
{
	const struct function_wait *wait;
	int err;

	kpt_function_set_init(to);
	to->is_set = from->is_set;
	err = kpt_symbol_list_reserve(&to->list, from->list.nr);
	if (!err && from->list.nr)
		memcpy(to->list.addr, from->list.addr,
		       from->list.nr * sizeof(*to->list.addr));
	to->list.nr = err ? 0 : from->list.nr;
	list_for_each_entry(wait, &from->waiting, list)
		err = err ?: function_set_wait(to, wait->names, wait->module);
	if (err)
		kpt_function_set_free(to);
	return err;
}

/**
 * kpt_function_set_swap() - exchange two sets
 * @a: a set
 * @b: the other one
 *
 * Context: process context.
 */
void kpt_function_set_swap(struct kpt_function_set *a, struct kpt_function_set *b)
{
	LIST_HEAD(waiting);

	swap(a->is_set, b->is_set);
	swap(a->list, b->list);
	list_splice_init(&a->waiting, &waiting);
	list_splice_init(&b->waiting, &a->waiting);
	list_splice(&waiting, &b->waiting);
}

/*
 * Leave only those that can be probed; with @now only those that nobody else probes now.
 * @diag gets the reason of the first that cannot. With @yield others may take kpt_mutex in
 * between. Returns 0, or -EINTR if the task is being killed.
 */
static int function_list_check(struct kpt_symbol_list *list, bool now, bool yield,
			       struct kpt_diag *diag)
{
	unsigned int i, nr = 0;
	enum kpt_mode mode;
	int err = 0;

	for (i = 0; i < list->nr && !err; i++) {
		struct kpt_diag why = { 0 };

		if (!(now ? kpt_can_probe(list->addr[i], &mode, &why) :
			    kpt_can_list(list->addr[i], &why)))
			list->addr[nr++] = list->addr[i];
		else if (diag->code == KPT_E_NONE)
			*diag = why;
		if (yield && i % KPT_PIECE == KPT_PIECE - 1)
			err = kpt_mutex_yield();
		cond_resched();
	}
	list->nr = nr;
	return err;
}

/* Both are ascending; an address that is in both is put once, or with @remove never. */
static int function_set_merge(struct kpt_function_set *set,
			      const struct kpt_symbol_list *more, bool remove)
{
	const struct kpt_symbol_list *old = &set->list;
	struct kpt_symbol_list new = { 0 };
	unsigned int i = 0, k = 0;

	if (kpt_symbol_list_reserve(&new, old->nr + more->nr))
		return -ENOMEM;
	while (i < old->nr || k < more->nr) {
		if (k == more->nr || (i < old->nr && old->addr[i] < more->addr[k])) {
			new.addr[new.nr++] = old->addr[i++];
			continue;
		}
		if (i < old->nr && old->addr[i] == more->addr[k])
			i++;
		if (!remove)
			new.addr[new.nr++] = more->addr[k];
		k++;
	}
	kpt_symbol_list_free(&set->list);
	set->list = new;
	return 0;
}

/*
 * Does the part of a word behind ":mod:" mean a module? It is a pattern, perhaps behind '!',
 * and then means all other modules and the kernel, whose @name is "". As in mainline, an
 * empty pattern is any module.
 */
static bool function_module_matches(const char *module, const char *name)
{
	bool without = *module == '!';
	const char *pattern = module + without;
	bool is_in = *name && (!*pattern || kpt_glob_match(pattern, strlen(pattern), name,
							  strlen(name)));

	return is_in != without;
}

/* Leave only those of the modules that @module means. */
static int function_list_pick(struct kpt_symbol_list *list, const char *module)
{
	unsigned int i, nr = 0;
	int err = 0;

	for (i = 0; !err && i < list->nr; i++) {
		char name[MODULE_NAME_LEN] = "";

		err = kpt_lock_is_killed();
		kpt_symbol_module_of(list->addr[i], name);
		if (function_module_matches(module, name))
			list->addr[nr++] = list->addr[i];
		cond_resched();
	}
	list->nr = nr;
	return err;
}

/*
 * Add what @list has, or what will have @names in @module; or take it out. As in mainline, a
 * word waits for what is not loaded.
 */
static int function_set_apply(struct kpt_function_set *set, const char *names,
			      const char *module, bool remove,
			      const struct kpt_symbol_list *list)
{
	int nr = list->nr;

	if (module && !nr && !remove && !kpt_symbol_module_loaded(module))
		return function_set_wait(set, names, module);
	if (module && remove)
		nr += function_set_unwait(set, names, module);
	return nr ? function_set_merge(set, list, remove) : -EINVAL;
}

/* Take a word apart: "NAMES" or "NAMES:mod:MODULE". False if it is neither. */
static bool function_word_split(char *word, char **module)
{
	char *command = strchr(word, ':');

	*module = NULL;
	if (!command)
		return true;
	*command++ = '\0';
	if (strncmp(command, "mod:", 4))
		return false;
	*module = command + 4;
	return !strchr(*module, ':');
}

/*
 * All functions that can be probed, in the order of available_filter_functions, while modules
 * are the same. Under kpt_mutex.
 */
static struct kpt_symbol_list lines;
static unsigned long lines_modules;

/* Programs write a number for each function: each write asks about all functions only once. */
static int function_lines_make(void)
{
	unsigned long modules = kpt_symbol_modules_seq();
	struct kpt_diag ignored = { 0 };
	struct kpt_symbol_list list;
	int err;

	if (lines.nr && lines_modules == modules)
		return 0;
	err = kpt_function_list_anywhere(&list, "*") ?:
	      function_list_check(&list, false, true, &ignored);
	if (!err) {
		swap(lines, list);
		lines_modules = modules;
	}
	kpt_symbol_list_free(&list);
	return err;
}

/**
 * kpt_function_count() - count the functions of available_filter_functions
 * @nr: result, written on success only
 *
 * Others may take kpt_mutex in between.
 *
 * Context: process context, sleeps, kpt_mutex held.
 * Return: 0, -ENOMEM, -EINTR if the task is being killed.
 */
int kpt_function_count(unsigned int *nr)
{
	int err = function_lines_make();

	if (!err)
		*nr = lines.nr;
	return err;
}

/**
 * kpt_function_set_exit() - free what was made for numbers
 *
 * Context: module unload.
 */
void kpt_function_set_exit(void)
{
	kpt_symbol_list_free(&lines);
}

/* The function of a number: as in mainline, what begins with a digit is one. */
static int function_list_nth(struct kpt_symbol_list *list, const char *number,
			     struct kpt_diag *diag)
{
	unsigned long nth;
	int err;

	kpt_diag_set(diag, KPT_E_FUNCTION_NUMBER, 0, 0);
	if (kstrtoul(number, 0, &nth) || !nth)
		return -EINVAL;
	err = function_lines_make();
	if (!err && nth > lines.nr)
		return -EINVAL;
	kpt_diag_set(diag, KPT_E_NONE, 0, 0);
	return err ?: kpt_symbol_list_add(list, lines.addr[nth - 1]);
}

/* The functions of names, as kpt_function_list(). */
static int function_list_named(struct kpt_symbol_list *list, const char *module,
			       const char *names, struct kpt_diag *diag)
{
	bool picks = module && (!*module || strpbrk(module, "!*?["));
	bool is_pattern, anywhere;
	int err;

	kpt_diag_set(diag, KPT_E_FILT_NO_FUNCTION, 0, 0);
	if (!kpt_glob_list_check(names, strlen(names), &is_pattern))
		return -EINVAL;
	anywhere = is_pattern && (!module || picks);
	err = anywhere ? kpt_function_list_anywhere(list, names) :
			 kpt_symbol_list(list, picks ? NULL : module, names, is_pattern);
	if (err && err != -ENXIO)
		return err;
	if (picks && !err)
		err = function_list_pick(list, module);
	kpt_diag_set(diag, KPT_E_NONE, 0, 0);
	err = err ?: function_list_check(list, !is_pattern, anywhere, diag);
	kpt_symbol_list_sort_unique(list);
	if (list->nr || diag->code != KPT_E_NONE)
		return err;
	kpt_diag_set(diag, KPT_E_FILT_NO_FUNCTION, 0, 0);
	if (!err && !picks && !is_pattern)
		err = kpt_similar_tell_function(module, names, diag);
	return err;
}

/**
 * kpt_function_list() - find functions that can be probed
 * @list: result, ascending; freed by kpt_symbol_list_free() in any case
 * @module: they are in this module, or in those of a pattern, or, behind '!', not in those;
 *	NULL: anywhere
 * @names: a name or pattern; or the number of a line of available_filter_functions, from 1
 *	on, whatever @module is
 * @diag: the reason if there are none; the column is 0
 *
 * A name of which nobody else probes the function now. Of a pattern or number it may be.
 *
 * Others may take kpt_mutex in between. If kpt_symbol_modules_seq() has changed then, functions
 * may have gone, and the caller begins again.
 *
 * Context: process context, sleeps, kpt_mutex held.
 * Return: 0, perhaps with an empty list; -EINVAL if @names is neither, or there is no such
 * line; -ENXIO if there is no such module; -ENOMEM; -EINTR if the task is being killed.
 */
int kpt_function_list(struct kpt_symbol_list *list, const char *module, const char *names,
		      struct kpt_diag *diag)
{
	*list = (struct kpt_symbol_list){ 0 };
	if (isdigit(*names))
		return function_list_nth(list, names, diag);
	return function_list_named(list, module, names, diag);
}

/**
 * kpt_function_set_change() - add functions to a set, or take some out
 * @set: the set
 * @word: a name, pattern or number, perhaps behind '!', which takes out, and perhaps with
 *	":mod:MODULE", which alone means all functions of the module; overwritten
 * @diag: on -EINVAL the reason; the column is counted from the word
 *
 * Functions that cannot be probed are left out. Others may take kpt_mutex in between, as in
 * kpt_function_list().
 *
 * Context: process context, sleeps, kpt_mutex held.
 * Return: 0; -EINVAL if the word is none, or if no function matches that can be probed;
 * -ENOMEM; -EINTR if the task is being killed.
 */
int kpt_function_set_change(struct kpt_function_set *set, char *word, struct kpt_diag *diag)
{
	struct kpt_symbol_list list;
	bool remove = *word == '!';
	const char *names = word + remove;
	char *module;
	int err;

	if (!function_word_split(word, &module))
		return kpt_diag_set(diag, KPT_E_FUNCTION_COMMAND,
				    strlen(word) + 1, -EINVAL);
	if (module && !*names)
		names = "*";
	err = kpt_function_list(&list, module, names, diag);
	if (!err || err == -ENXIO)
		err = function_set_apply(set, names, module, remove, &list);
	if (!err)
		set->is_set |= !remove;
	if (err != -EINVAL)
		kpt_diag_set(diag, KPT_E_NONE, 0, 0);
	diag->column = remove;
	kpt_symbol_list_free(&list);
	/* All were taken out one by one: as if none had ever been chosen. */
	if (remove && !set->list.nr && list_empty(&set->waiting))
		set->is_set = false;
	return err;
}

/**
 * kpt_function_set_has() - is a function in a set?
 * @set: the set
 * @addr: its entry
 *
 * Context: any, BRK included.
 * Return: true if it is.
 */
bool kpt_function_set_has(const struct kpt_function_set *set, unsigned long addr)
{
	unsigned int at = kpt_symbol_list_below(&set->list, addr);

	return at < set->list.nr && set->list.addr[at] == addr;
}

/**
 * kpt_function_set_coming() - add the functions that waited for a module
 * @set: the set
 * @mod: the module
 *
 * Without memory they go on waiting.
 *
 * Context: module notifier, kpt_mutex held.
 * Return: true if the set has changed.
 */
bool kpt_function_set_coming(struct kpt_function_set *set, const struct module *mod)
{
	struct function_wait *wait, *next;
	struct kpt_symbol_list list;
	struct kpt_diag why;
	bool changed = false;
	int err;

	list_for_each_entry_safe(wait, next, &set->waiting, list) {
		if (!function_module_matches(wait->module, mod->name))
			continue;
		why = (struct kpt_diag){ 0 };
		err = kpt_symbol_list(&list, mod->name, wait->names, true);
		if (!err)
			function_list_check(&list, false, false, &why);
		kpt_symbol_list_sort_unique(&list);
		if (!err && list.nr && !function_set_merge(set, &list, false)) {
			function_wait_free(wait);
			changed = true;
		}
		kpt_symbol_list_free(&list);
	}
	return changed;
}

/**
 * kpt_function_set_going() - take out the functions of a module
 * @set: the set. If it was chosen, it stays so without any function
 * @mod: the module
 * @is_going: is an address in text of @mod that is about to be freed?
 *
 * Context: module notifier, kpt_mutex held.
 * Return: true if the set has changed.
 */
bool kpt_function_set_going(struct kpt_function_set *set, const struct module *mod,
			    kpt_going_t is_going)
{
	unsigned int i, left = 0, before = set->list.nr;

	for (i = 0; i < set->list.nr; i++)
		if (!is_going(set->list.addr[i], mod))
			set->list.addr[left++] = set->list.addr[i];
	set->list.nr = left;
	return left != before;
}

/**
 * kpt_function_set_show() - write the functions of a set, one in a line
 * @set: the set
 * @m: gets the text
 *
 * Others may take kpt_mutex in between, and change the set: what comes in behind the last
 * line is shown.
 *
 * Context: process context, sleeps, kpt_mutex held.
 * Return: 0; -EINTR if the task is being killed.
 */
int kpt_function_set_show(const struct kpt_function_set *set, struct seq_file *m)
{
	const struct function_wait *wait;
	unsigned long from = 0;
	unsigned int i, nr = 0;
	int err = 0;

	while (!err && !seq_has_overflowed(m)) {
		i = kpt_symbol_list_below(&set->list, from);
		if (i == set->list.nr)
			break;
		seq_printf(m, "%ps\n", (void *)set->list.addr[i]);
		from = set->list.addr[i] + 1;
		if (++nr % KPT_PIECE == 0)
			err = kpt_mutex_yield();
	}
	if (err)
		return err;
	list_for_each_entry(wait, &set->waiting, list)
		seq_printf(m, "%s:mod:%s\n", wait->names, wait->module);
	return 0;
}
