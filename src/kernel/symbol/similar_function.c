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
#include "kernel/symbol/similar_function.h"
#include "kernel/symbol/symbol.h"

static int similar_see(void *data, const char *name, unsigned long addr)
{
	kpt_similar_see(data, name);
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
 * @s: result: @s->found is the function, or empty
 *
 * Others may take kpt_mutex in between.
 *
 * Context: process context, sleeps, kpt_mutex held.
 * Return: as kpt_mutex_resume().
 */
int kpt_similar_function(const char *module, const char *name, struct kpt_similar *s)
{
	enum kpt_hold how = kpt_mutex_pause();

	kpt_similar_begin(s, name, strlen(name));
	if (!module)
		kpt_symbol_each_in_text(similar_see, s);
	kpt_ksyms_in_modules(module, NULL, similar_see_text, s);
	return kpt_mutex_resume(how);
}

/**
 * kpt_similar_tell_function() - say in a reason what may be wrong with a name that no function has
 * @module: as for kpt_similar_function()
 * @name: as for kpt_similar_function()
 * @diag: the reason, already set; gets a detail
 *
 * Others may take kpt_mutex in between.
 *
 * Context: process context, sleeps, kpt_mutex held.
 * Return: as kpt_mutex_resume().
 */
int kpt_similar_tell_function(const char *module, const char *name, struct kpt_diag *diag)
{
	const char *why = module ? "the module has no such function" :
				   "it is inlined, or its module is not loaded";
	struct kpt_similar s;
	struct kpt_strbuf sb;
	int err = kpt_similar_function(module, name, &s);

	kpt_strbuf_init(&sb, diag->detail, sizeof(diag->detail));
	if (s.found[0])
		kpt_strbuf_printf(&sb, "did you mean %s? Or ", s.found);
	kpt_strbuf_puts(&sb, why);
	return err;
}
