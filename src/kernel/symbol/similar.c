// SPDX-License-Identifier: GPL-2.0-only
/* Find the function that somebody meant who made a mistake in its name. */
#include "kernel/compat.h"
#include <linux/kallsyms.h>
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/string.h>
#include "kernel/ksyms.h"
#include "kernel/lock.h"
#include "kernel/symbol/similar.h"
#include "kernel/symbol/symbol.h"

/* Most characters of names that are compared one by one. */
#define COMPARED_MAX	63

/**
 * struct similar - a search for a similar name
 * @name: the wrong name
 * @len: its characters, without a suffix of the compiler
 * @least: what the best one so far differs by; at first more than what is similar
 * @found: the best one so far
 */
struct similar {
	const char *name;
	size_t len;
	unsigned int least;
	char *found;
};

/* How many characters are to be put in, taken out or replaced; or @limit if not fewer. */
static unsigned int similar_distance(const char *a, size_t len_a, const char *b, size_t len_b,
				     unsigned int limit)
{
	u8 row[COMPARED_MAX + 1], left, above, least;
	size_t i, k;

	if (len_a > COMPARED_MAX || max(len_a, len_b) - min(len_a, len_b) >= limit)
		return limit;
	for (k = 0; k <= len_a; k++)
		row[k] = k;
	for (i = 0; i < len_b; i++) {
		left = row[0];
		least = ++row[0];
		for (k = 0; k < len_a; k++) {
			above = row[k + 1];
			row[k + 1] = min(left + (a[k] != b[i]), min(above, row[k]) + 1);
			least = min(least, row[k + 1]);
			left = above;
		}
		if (least >= limit)
			return limit;
	}
	return row[len_a];
}

/* Names that differ by nothing but a suffix, or begin with a word more, are nearest. */
static unsigned int similar_to(const struct similar *s, const char *name)
{
	size_t len = strcspn(name, ".");

	if (len == s->len && !memcmp(name, s->name, len))
		return 0;
	if (len > s->len + 1 && name[len - s->len - 1] == '_' &&
	    !memcmp(name + len - s->len, s->name, s->len))
		return 1;
	return similar_distance(s->name, s->len, name, len, s->least - 1) + 1;
}

static int similar_see(void *data, const char *name, unsigned long addr)
{
	struct similar *s = data;
	unsigned int differs = s->least ? similar_to(s, name) : 0;

	if (differs < s->least) {
		s->least = differs;
		strscpy(s->found, name, KSYM_NAME_LEN);
	}
	return 0;
}

/* A module has symbols of data, too. */
static int similar_see_text(void *data, const char *name, unsigned long addr)
{
	const struct module *mod;

	preempt_disable();
	mod = __module_text_address(addr);
	preempt_enable();
	return mod && mod != THIS_MODULE ? similar_see(data, name, addr) : 0;
}

/**
 * kpt_similar_function() - find the function whose name is most like another one
 * @module: the module that it is in; NULL: it is in the kernel, or in any module
 * @name: a name that no function has there
 * @found: result: KSYM_NAME_LEN bytes; empty if none is similar
 *
 * Others may take kpt_mutex in between.
 *
 * Context: process context, sleeps, kpt_mutex held.
 * Return: as kpt_mutex_resume().
 */
int kpt_similar_function(const char *module, const char *name, char *found)
{
	size_t len = strcspn(name, ".");
	struct similar s = {
		.name = name, .len = len, .least = 2 + len / 4, .found = found,
	};
	enum kpt_hold how = kpt_mutex_pause();

	found[0] = '\0';
	if (!module)
		kpt_symbol_each_in_text(similar_see, &s);
	kpt_ksyms_in_modules(module, NULL, similar_see_text, &s);
	return kpt_mutex_resume(how);
}

/**
 * kpt_similar_tell() - say in a reason what may be wrong with a name that no function has
 * @module: as for kpt_similar_function()
 * @name: as for kpt_similar_function()
 * @diag: the reason, already set; gets a detail
 *
 * Others may take kpt_mutex in between.
 *
 * Context: process context, sleeps, kpt_mutex held.
 * Return: as kpt_mutex_resume().
 */
int kpt_similar_tell(const char *module, const char *name, struct kpt_diag *diag)
{
	const char *why = module ? "the module has no such function" :
				   "it is inlined, or its module is not loaded";
	char *found = kmalloc(KSYM_NAME_LEN, GFP_KERNEL);
	int err = found ? kpt_similar_function(module, name, found) : 0;
	struct kpt_strbuf sb;

	kpt_strbuf_init(&sb, diag->detail, sizeof(diag->detail));
	if (found && *found)
		kpt_strbuf_printf(&sb, "did you mean %s? Or ", found);
	kpt_strbuf_puts(&sb, why);
	kfree(found);
	return err;
}
