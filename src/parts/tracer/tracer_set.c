// SPDX-License-Identifier: GPL-2.0-only
/* The functions that tracers trace: what users choose, and what comes and goes with modules. */
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/string.h>
#include "event/errlog.h"
#include "parts/tracer/function_set.h"
#include "event/instance.h"
#include "parts/tracer/profile.h"
#include "parts/tracer/tracer.h"
#include "kernel/lock.h"
#include "kernel/symbol/symbol.h"
#include "lib/base/diag.h"

/* Add words to a set, up to the first that is wrong. */
static int tracer_add_words(struct kpt_function_set *set, char *words,
			    struct kpt_diag *diag)
{
	const char *begin = words;
	char *word;
	int err = 0;

	while (!err && (word = strsep(&words, " \t\n")))
		if (*word)
			err = kpt_function_set_change(set, word, diag);
	if (err)
		diag->column += word - begin;
	return err;
}

/* Give an instance another set. On failure it has the previous one. */
static int tracer_change_set(struct kpt_instance *instance, enum kpt_tracer_set which,
			     struct kpt_function_set *new)
{
	struct kpt_function_set *set = &kpt_tracer_of(instance)->set[which];
	int err;

	kpt_function_set_swap(set, new);
	err = kpt_tracer_update(instance, which);
	if (err)
		kpt_function_set_swap(set, new);
	else
		set->changes++;
	return err;
}

/* The set that words make of an empty set or of the present one. */
static int tracer_make_set(const struct kpt_function_set *present, bool from_empty,
			   const char *words, struct kpt_function_set *new,
			   struct kpt_diag *diag)
{
	char *copy = kstrdup(words, GFP_KERNEL);
	int err = 0;

	*diag = (struct kpt_diag){ 0 };
	kpt_function_set_free(new);
	if (!copy)
		return -ENOMEM;
	if (!from_empty)
		err = kpt_function_set_copy(new, present);
	err = err ?: tracer_add_words(new, copy, diag);
	kfree(copy);
	return err;
}

/**
 * kpt_tracer_choose() - add functions to a set of a tracer, or take some out
 * @instance: the instance
 * @which: the set
 * @file: name of its file, for error_log
 * @words: for kpt_function_set_change(), separated by blanks
 * @from_empty: begin with an empty set, not with the present one
 *
 * Others may take kpt_mutex in between.
 *
 * Context: process context, sleeps, kpt_mutex held.
 * Return: 0; -EINTR if the task is being killed; or an errno of kpt_function_set_change() or
 * kpt_tracer_set(). On failure nothing has changed.
 */
int kpt_tracer_choose(struct kpt_instance *instance, enum kpt_tracer_set which,
		      const char *file, const char *words, bool from_empty)
{
	const struct kpt_function_set *present = &kpt_tracer_of(instance)->set[which];
	struct kpt_function_set new;
	unsigned long modules, changes;
	struct kpt_diag diag;
	int err;

	lockdep_assert_held(&kpt_mutex);
	kpt_function_set_init(&new);
	/* Again, if others changed in between what it depends on. */
	do {
		modules = kpt_symbol_modules_seq();
		changes = present->changes;
		err = tracer_make_set(present, from_empty, words, &new, &diag);
		if (!err && !new.is_set)
			err = kpt_tracer_prepare(instance, which);
		if (fatal_signal_pending(current))
			err = -EINTR;
	} while (err != -EINTR && (modules != kpt_symbol_modules_seq() ||
				   (!from_empty && changes != present->changes)));
	if (diag.code != KPT_E_NONE)
		kpt_errlog_add(&instance->errlog, file, words, &diag);
	err = err ?: tracer_change_set(instance, which, &new);
	kpt_function_set_free(&new);
	return err;
}

/**
 * kpt_tracer_set_depth() - let function_graph trace calls down to a depth
 * @instance: the instance
 * @depth: calls at this depth and below are not traced; 0: all are
 *
 * Others may take kpt_mutex before anything has changed.
 *
 * Context: process context, sleeps, kpt_mutex held.
 * Return: 0; or as kpt_tracer_set(), and then nothing has changed.
 */
int kpt_tracer_set_depth(struct kpt_instance *instance, unsigned int depth)
{
	struct kpt_tracer *tracer = kpt_tracer_of(instance);
	unsigned int before;
	int err = 0;

	lockdep_assert_held(&kpt_mutex);
	if (depth != 1)
		err = kpt_tracer_prepare(instance, KPT_TRACER_GRAPH);
	if (err)
		return err;
	before = tracer->limits.max_depth;
	WRITE_ONCE(tracer->limits.max_depth, depth);
	/* Other functions are traced then, see kpt_tracer_update(). */
	if ((before == 1) != (depth == 1) && tracer->set[KPT_TRACER_GRAPH].is_set)
		err = kpt_tracer_update(instance, KPT_TRACER_GRAPH);
	if (err)
		WRITE_ONCE(tracer->limits.max_depth, before);
	kpt_tracer_update_graph_limits(instance);
	return err;
}

static bool set_follow(struct kpt_function_set *set, const struct module *mod,
		       kpt_going_t is_going)
{
	bool changed = is_going ? kpt_function_set_going(set, mod, is_going) :
				  kpt_function_set_coming(set, mod);

	set->changes += changed;
	return changed;
}

/* Functions of a module come into all sets, or go out of them if there is @is_going. */
static void sets_follow(const struct module *mod, kpt_going_t is_going)
{
	struct kpt_instance *instance;
	struct kpt_function_set *set;
	bool changed;

	list_for_each_entry(instance, &kpt_instances, list) {
		changed = false;
		for (set = kpt_tracer_of(instance)->set;
		     set < kpt_tracer_of(instance)->set + KPT_TRACER_NR_SETS; set++)
			changed |= set_follow(set, mod, is_going);
		if (changed)
			kpt_tracer_refresh_graph(instance);
	}
}

/**
 * kpt_tracers_coming() - add functions of a module to the sets that wait for it
 * @mod: the module
 *
 * Context: module notifier, before probes are attached; kpt_mutex held.
 */
void kpt_tracers_coming(const struct module *mod)
{
	sets_follow(mod, NULL);
}

/**
 * kpt_tracers_going() - take functions of a module out of all sets
 * @mod: the module
 * @is_going: is an address in text of @mod that is about to be freed?
 *
 * Context: module notifier, kpt_mutex held.
 */
void kpt_tracers_going(const struct module *mod, kpt_going_t is_going)
{
	sets_follow(mod, is_going);
	kpt_profile_going(mod, is_going);
}
