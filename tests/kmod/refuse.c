// SPDX-License-Identifier: GPL-2.0-only
/*
 * kpt_refuse.ko: a notifier of modules that holds kpt_target up while it is being loaded,
 * and may refuse it. If it was loaded before kptrace, its notifier comes before those of
 * kptrace, which are not told of a module that is refused.
 */
#include <linux/delay.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/notifier.h>
#include <linux/string.h>
#include "hold.h"

int kpt_refuse_module(struct notifier_block *nb, unsigned long action, void *data);

static bool hold_init;
module_param(hold_init, bool, 0600);
MODULE_PARM_DESC(hold_init, "the init code of this module does not end");

/* Not static, to have one name. */
noinline int kpt_refuse_module(struct notifier_block *nb, unsigned long action, void *data)
{
	const struct module *mod = data;

	if (action != MODULE_STATE_COMING || strcmp(mod->name, "kpt_target"))
		return NOTIFY_OK;
	return notifier_from_errno(hold_up());
}

static struct notifier_block block = {
	.notifier_call = kpt_refuse_module,
	.priority = INT_MAX,
};

static int __init refuse_init(void)
{
	while (READ_ONCE(hold_init))
		msleep(20);
	return register_module_notifier(&block);
}

static void __exit refuse_exit(void)
{
	unregister_module_notifier(&block);
}

module_init(refuse_init);
module_exit(refuse_exit);
MODULE_DESCRIPTION("Test module of kptrace: holds a module up, or refuses it");
MODULE_LICENSE("GPL");
