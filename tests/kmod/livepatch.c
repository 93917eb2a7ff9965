// SPDX-License-Identifier: GPL-2.0-only
/*
 * kpt_livepatch.ko patches kpt_target_two() while it is loaded: it returns 100 more. It
 * can be unloaded after a 0 to /sys/kernel/livepatch/kpt_livepatch/enabled. As kpt_refuse.ko
 * it may hold kpt_target up and refuse it: that is before all notifiers.
 */
#include <linux/livepatch.h>
#include <linux/module.h>
#include "hold.h"

u64 kpt_livepatch_two(u64 a, u64 b);

noinline u64 kpt_livepatch_two(u64 a, u64 b)
{
	return a + b + 100;
}

static struct klp_func livepatch_funcs[] = {
	{ .old_name = "kpt_target_two", .new_func = kpt_livepatch_two },
	{ }
};

static int livepatch_pre_patch(struct klp_object *obj)
{
	return hold_up();
}

static struct klp_object livepatch_objects[] = {
	{
		.name = "kpt_target",
		.funcs = livepatch_funcs,
		.callbacks = { .pre_patch = livepatch_pre_patch },
	},
	{ }
};

static struct klp_patch livepatch = {
	.mod = THIS_MODULE,
	.objs = livepatch_objects,
};

static int __init livepatch_init(void)
{
	return klp_enable_patch(&livepatch);
}

static void __exit livepatch_exit(void)
{
}

module_init(livepatch_init);
module_exit(livepatch_exit);
MODULE_DESCRIPTION("Test module of kptrace: a live patch of kpt_target_two()");
MODULE_LICENSE("GPL");
MODULE_INFO(livepatch, "Y");
