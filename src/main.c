// SPDX-License-Identifier: GPL-2.0-only
/* kptrace: module entry and exit. */
#include <linux/init.h>
#include <linux/module.h>

static int __init kptrace_init(void)
{
	pr_info("loaded\n");
	return 0;
}

static void __exit kptrace_exit(void)
{
	pr_info("unloaded\n");
}

module_init(kptrace_init);
module_exit(kptrace_exit);

MODULE_DESCRIPTION("kernel probe tracer for arm64");
MODULE_LICENSE("GPL");
