// SPDX-License-Identifier: GPL-2.0-only
/*
 * Dump the state of the machine before and after an instruction, at any place: for
 * when all you have is the address in an oops.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/module.h>
#include <linux/sched.h>
#include <kptrace.h>

static char *place;
module_param(place, charp, 0444);
MODULE_PARM_DESC(place, "SYMBOL, SYMBOL+OFFSET, MODULE:SYMBOL or 0xADDRESS");

static atomic_t dumps = ATOMIC_INIT(10);

static void dump_state(const struct pt_regs *regs)
{
	pr_info("pc is at %pS, lr %pS, sp %llx, pstate %llx\n", (void *)regs->pc,
		(void *)regs->regs[30], regs->sp, regs->pstate);
	pr_info("x0: %016llx  x1: %016llx  x2: %016llx  x3: %016llx\n",
		regs->regs[0], regs->regs[1], regs->regs[2], regs->regs[3]);
	pr_info("Process %s (pid: %d)\n", current->comm, current->pid);
}

static int handler_pre(struct kptrace_probe *probe, struct pt_regs *regs)
{
	if (atomic_dec_if_positive(&dumps) < 0)
		return 0;
	pr_info("pre_handler: addr=0x%lx\n", probe->addr);
	dump_state(regs);
	return 0;
}

static void handler_post(struct kptrace_probe *probe, struct pt_regs *regs)
{
	if (atomic_read(&dumps) <= 0)
		return;
	pr_info("post_handler: addr=0x%lx\n", probe->addr);
	dump_state(regs);
}

static struct kptrace_probe probe = {
	.pre = handler_pre,
	.post = handler_post,
};

static int __init trace_place_init(void)
{
	struct kptrace_error error;
	int err;

	if (!place) {
		pr_err("give place=\n");
		return -EINVAL;
	}
	probe.place = place;
	err = kptrace_register(&probe, &error);
	if (err)
		pr_err("kptrace_register failed, returned %d: %s\n", err,
		       error.reason);
	else
		pr_info("probe registered at %pS\n", (void *)probe.addr);
	return err;
}

static void __exit trace_place_exit(void)
{
	kptrace_unregister(&probe);
	pr_info("probe unregistered\n");
}

module_init(trace_place_init);
module_exit(trace_place_exit);
MODULE_DESCRIPTION("Sample: handlers before and after any instruction");
MODULE_LICENSE("GPL");
