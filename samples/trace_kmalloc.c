// SPDX-License-Identifier: GPL-2.0-only
/*
 * Say what a function was asked for, what it returned, and how long it took: handlers
 * of its entry and its return, with data for each call.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/ktime.h>
#include <linux/module.h>
#include <linux/sched.h>
#include <kptrace.h>

static char *function = "__kmalloc*";
module_param(function, charp, 0444);
MODULE_PARM_DESC(function, "functions whose first parameter is a size");

static atomic_t lines = ATOMIC_INIT(100);

/* Kept of each call. */
struct asked {
	size_t size;
	ktime_t since;
};

static int asked_for(struct kptrace_probe *probe, struct kptrace_call *call,
		     struct pt_regs *regs)
{
	struct asked *asked = call->data;

	/* Not for kernel threads, and not for ever. */
	if (!current->mm || atomic_dec_if_positive(&lines) < 0)
		return 1;
	asked->size = regs->regs[0];
	asked->since = ktime_get();
	return 0;
}

static void returned(struct kptrace_probe *probe, struct kptrace_call *call,
		     struct pt_regs *regs)
{
	const struct asked *asked = call->data;
	s64 ns = ktime_to_ns(ktime_sub(ktime_get(), asked->since));

	pr_info("%ps of %zu bytes in %s to %pS returned %lx and took %lld ns to execute\n",
		(void *)call->func, asked->size, current->comm,
		(void *)call->ret_ip, (unsigned long)regs_return_value(regs), ns);
}

static struct kptrace_probe probe = {
	.entry = asked_for,
	.ret = returned,
	.data_size = sizeof(struct asked),
};

static int __init trace_kmalloc_init(void)
{
	struct kptrace_error error;
	int err;

	probe.place = function;
	err = kptrace_register(&probe, &error);
	if (err)
		pr_err("kptrace_register failed, returned %d: %s\n", err,
		       error.reason);
	else
		pr_info("Planted return probe at %s\n", function);
	return err;
}

static void __exit trace_kmalloc_exit(void)
{
	u64 hits, missed;

	kptrace_read_counts(&probe, &hits, &missed);
	kptrace_unregister(&probe);
	pr_info("return probe at %s unregistered\n", function);
	pr_info("Missed probing %llu instances of %s\n", missed, function);
}

module_init(trace_kmalloc_init);
module_exit(trace_kmalloc_exit);
MODULE_DESCRIPTION("Sample: handlers of entry and return, with data per call");
MODULE_LICENSE("GPL");
