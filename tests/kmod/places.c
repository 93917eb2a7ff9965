// SPDX-License-Identifier: GPL-2.0-only
/*
 * Addresses that cannot be probed: those of places_insns.S by name, those that
 * are in a table of the module as module parameters (0 if the kernel has no such
 * table).
 */
#include <linux/bug.h>
#include <linux/extable.h>
#include <linux/jump_label.h>
#include <linux/module.h>
#include <linux/uaccess.h>

static unsigned long extable;
module_param(extable, ulong, 0400);
MODULE_PARM_DESC(extable, "an instruction with an exception table entry");

static unsigned long bug;
module_param(bug, ulong, 0400);
MODULE_PARM_DESC(bug, "the breakpoint of a WARN");

static unsigned long jump_label;
module_param(jump_label, ulong, 0400);
MODULE_PARM_DESC(jump_label, "a branch that a static key changes");

static DEFINE_STATIC_KEY_FALSE(key);

static int __user *volatile nowhere;

/* For the tables to have something in them. */
static noinline int fill_tables(int __user *from)
{
	int value = 0;

	WARN_ON(from);
	if (static_branch_unlikely(&key))
		return -EBUSY;
	if (from && get_user(value, from))
		return -EFAULT;
	return value;
}

static int places_init(void)
{
	struct module *mod = THIS_MODULE;

	extable = (unsigned long)&mod->extable->insn + mod->extable->insn;
#ifdef CONFIG_GENERIC_BUG
	bug = (unsigned long)&mod->bug_table->bug_addr_disp +
		mod->bug_table->bug_addr_disp;
#endif
#ifdef CONFIG_JUMP_LABEL
	jump_label = jump_entry_code(mod->jump_entries);
#endif
	return fill_tables(nowhere);
}

static void places_exit(void)
{
}

module_init(places_init);
module_exit(places_exit);

MODULE_DESCRIPTION("places that cannot be probed");
MODULE_LICENSE("GPL");
