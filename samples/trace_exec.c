// SPDX-License-Identifier: GPL-2.0-only
/*
 * Say which programs are run, and by whom: a handler at the entry of a function, with
 * the parameters of that function.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/binfmts.h>
#include <linux/module.h>
#include <linux/sched.h>
#include <kptrace.h>

/* So many lines: a busy machine must not drown in them. */
static atomic_t lines = ATOMIC_INIT(100);

KPT_ENTRY(begin_new_exec, struct linux_binprm *, bprm)
{
	if (atomic_dec_if_positive(&lines) >= 0)
		pr_info("exec of %s from %s\n", bprm->filename, current->comm);
}

static int __init trace_exec_init(void)
{
	struct kptrace_error error;
	int err = kptrace_register(&kpt_probe_begin_new_exec, &error);

	if (err)
		pr_err("kptrace_register failed, returned %d: %s\n", err,
		       error.reason);
	else
		pr_info("Planted probe at %pS\n",
			(void *)kpt_probe_begin_new_exec.addr);
	return err;
}

static void __exit trace_exec_exit(void)
{
	kptrace_unregister(&kpt_probe_begin_new_exec);
	pr_info("probe unregistered\n");
}

module_init(trace_exec_init);
module_exit(trace_exec_exit);
MODULE_DESCRIPTION("Sample: handler of a function's entry");
MODULE_LICENSE("GPL");
