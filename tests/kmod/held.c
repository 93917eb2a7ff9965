// SPDX-License-Identifier: GPL-2.0-only
/* kpt_held.ko: a kprobe of the kernel holds the first instruction of a function. */
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/moduleparam.h>

static char *symbol;
module_param(symbol, charp, 0);
MODULE_PARM_DESC(symbol, "the function");

static int held_pre(struct kprobe *kp, struct pt_regs *regs)
{
	return 0;
}

static struct kprobe held = { .pre_handler = held_pre };

static int __init held_init(void)
{
	held.symbol_name = symbol;
	return register_kprobe(&held);
}

static void __exit held_exit(void)
{
	unregister_kprobe(&held);
}

module_init(held_init);
module_exit(held_exit);
MODULE_DESCRIPTION("Test module of kptrace: a kprobe that holds a place");
MODULE_LICENSE("GPL");
