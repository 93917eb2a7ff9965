// SPDX-License-Identifier: GPL-2.0-only
/*
 * kpt_klp.ko makes kallsyms find klp_enable_patch(), by which kptrace knows that
 * a kernel has livepatch.
 */
#include <linux/module.h>

/* Nothing calls it that needs its result. */
static noinline __used int klp_enable_patch(void)
{
	return 0;
}

static int __init klp_init(void)
{
	return klp_enable_patch();
}

static void __exit klp_exit(void)
{
	klp_enable_patch();
}

module_init(klp_init);
module_exit(klp_exit);
MODULE_DESCRIPTION("Test module of kptrace: a kernel that seems to have livepatch");
MODULE_LICENSE("GPL");
