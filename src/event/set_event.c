// SPDX-License-Identifier: GPL-2.0-only
/*
 * The words of set_event:
 *
 *	[!][GRP:EVENT|NAME][:mod:MODULE]
 *
 * An empty part or '*' stands for any, NAME is a group's or an event's. With MODULE,
 * only static events of that module are chosen; while it is not loaded, the word waits
 * for it.
 */
#include "kernel/compat.h"
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/string.h>
#include "event/event_file.h"
#include "event/set_event.h"
#include "event/declared.h"
#include "event/similar_event.h"
#include "kernel/symbol/symbol.h"

/**
 * struct kpt_set_event_word - a word, taken apart
 * @waiting: in kpt_instance.waiting_words, while it waits for its module
 * @which: what it chooses
 * @on: they are to be enabled, not disabled
 * @text: the word; @which points into it
 */
struct kpt_set_event_word {
	struct list_head waiting;
	struct kpt_event_files which;
	bool on;
	char text[];
};

/* NULL for a part that stands for any. */
static const char *word_part(const char *part)
{
	return *part && strcmp(part, "*") ? part : NULL;
}

/* Cut ":mod:MODULE" off. Names of modules are written with '-' and '_' alike. */
static const char *word_cut_module(char *text)
{
	static const char mark[] = ":mod:";
	char *module = strstr(text, mark);

	if (!module)
		return NULL;
	*module = '\0';
	module += strlen(mark);
	strreplace(module, '-', '_');
	return module;
}

static struct kpt_set_event_word *word_make(struct kpt_instance *instance,
					    const char *text)
{
	struct kpt_set_event_word *word;
	char *colon, *at;

	word = kzalloc(sizeof(*word) + strlen(text) + 1, GFP_KERNEL);
	if (!word)
		return NULL;
	INIT_LIST_HEAD(&word->waiting);
	at = strcpy(word->text, text);
	word->on = *at != '!';
	at += !word->on;
	word->which.instance = instance;
	word->which.with_unused = word->on;
	word->which.module = word_cut_module(at);
	colon = strchr(at, ':');
	if (colon) {
		*colon++ = '\0';
		word->which.group = word_part(at);
		word->which.name = word_part(colon);
	} else {
		word->which.either = word_part(at);
	}
	return word;
}

/* Returns how many events were chosen, or an errno of kpt_event_files_switch(). */
static int word_apply(struct kpt_set_event_word *word)
{
	return kpt_event_files_switch(&word->which, word->on);
}

static void word_free(struct kpt_set_event_word *word)
{
	list_del(&word->waiting);
	kfree(word);
}

static bool part_selects(const char *part, const char *other)
{
	return !part || (other && !strcmp(part, other));
}

/* Does "!word" take @waiting off the list? Its parts that stand for any match all. */
static bool word_selects(const struct kpt_event_files *which,
			 const struct kpt_event_files *waiting)
{
	return !strcmp(which->module, waiting->module) &&
	       part_selects(which->group, waiting->group) &&
	       part_selects(which->name, waiting->name) &&
	       part_selects(which->either, waiting->either);
}

/* Returns how many words do not wait any more. */
static int word_cancel(const struct kpt_set_event_word *word)
{
	struct kpt_instance *instance = word->which.instance;
	struct kpt_set_event_word *other, *next;
	int nr = 0;

	list_for_each_entry_safe(other, next, &instance->waiting_words, waiting) {
		if (!word_selects(&word->which, &other->which))
			continue;
		word_free(other);
		nr++;
	}
	return nr;
}

/* Can the module that @word names still bring events? */
static bool word_can_wait(const struct kpt_set_event_word *word)
{
	const char *module = word->which.module;

	return module && *module && !kpt_static_why_none() &&
	       !kpt_symbol_module_loaded(module);
}

static void word_wait(struct kpt_set_event_word *word)
{
	list_add_tail(&word->waiting, &word->which.instance->waiting_words);
}

/* The word matches nothing: put the reason into error_log. */
static int word_refuse(struct kpt_instance *instance, const char *text,
		       const struct kpt_event_files *which)
{
	struct kpt_diag diag;

	kpt_diag_set(&diag, KPT_E_NO_SUCH_EVENT, *text == '!', -EINVAL);
	if (which->module && kpt_static_why_none())
		kpt_diag_detail(&diag, kpt_static_why_none());
	else
		kpt_similar_tell_event(which->group, which->either ?: which->name, &diag);
	kpt_errlog_add(&instance->errlog, "set_event", text, &diag);
	return -EINVAL;
}

/**
 * kpt_set_event() - enable or disable the events that a word chooses
 * @instance: in this instance
 * @text: the word
 *
 * Context: process context, sleeps, kpt_mutex held.
 * Return: 0; -EINVAL if there is no such event, and error_log says so; -ENOMEM; or
 * another errno of kpt_event_files_switch().
 */
int kpt_set_event(struct kpt_instance *instance, const char *text)
{
	struct kpt_set_event_word *word = word_make(instance, text);
	int nr;

	lockdep_assert_held(&kpt_mutex);
	if (!word)
		return -ENOMEM;
	nr = word_apply(word);
	if (!nr && word_can_wait(word)) {
		if (word->on) {
			word_wait(word);
			return 0;
		}
		nr = word_cancel(word);
	}
	/* To disable all events is no mistake if none is enabled. */
	if (!nr && (word->on || kpt_event_files_are_named(&word->which)))
		nr = word_refuse(instance, text, &word->which);
	word_free(word);
	return min(nr, 0);
}

static void words_apply(struct kpt_instance *instance, const char *module)
{
	struct kpt_set_event_word *word, *next;
	int err;

	list_for_each_entry_safe(word, next, &instance->waiting_words, waiting) {
		if (strcmp(word->which.module, module))
			continue;
		word->which.holds = true;
		err = word_apply(word);
		if (err < 0)
			pr_warn("%s: events could not be enabled: %d\n", module, err);
		word_free(word);
	}
}

/**
 * kpt_set_event_coming() - enable events of a module for which words wait
 * @mod: the module, whose static events are listed
 *
 * A word that has been applied does not wait any more. An instance that is being removed
 * is left alone. Nobody takes kpt_mutex in between: a notifier must have seen all that
 * module_coming() does when others see the module.
 *
 * Context: module notifier, kpt_mutex held.
 */
void kpt_set_event_coming(const struct module *mod)
{
	struct kpt_instance *instance;

	lockdep_assert_held(&kpt_mutex);
	list_for_each_entry(instance, &kpt_instances, list)
		if (!kpt_instance_is_closed(instance))
			words_apply(instance, mod->name);
}

static const char *or_any(const char *part)
{
	return part ?: "*";
}

/**
 * kpt_set_event_show() - print the words that wait for modules
 * @instance: of this instance
 * @sb: where to write, a line for each
 *
 * Context: process context, kpt_mutex held.
 */
void kpt_set_event_show(const struct kpt_instance *instance, struct kpt_strbuf *sb)
{
	const struct kpt_set_event_word *word;

	lockdep_assert_held(&kpt_mutex);
	list_for_each_entry(word, &instance->waiting_words, waiting) {
		if (word->which.either)
			kpt_strbuf_puts(sb, word->which.either);
		else
			kpt_strbuf_printf(sb, "%s:%s", or_any(word->which.group),
					  or_any(word->which.name));
		kpt_strbuf_printf(sb, ":mod:%s\n", word->which.module);
	}
}

/**
 * kpt_set_event_forget() - let no word wait any more
 * @instance: in this instance
 *
 * Context: process context, kpt_mutex held, or nobody else uses the instance.
 */
void kpt_set_event_forget(struct kpt_instance *instance)
{
	struct kpt_set_event_word *word, *next;

	list_for_each_entry_safe(word, next, &instance->waiting_words, waiting)
		word_free(word);
}
