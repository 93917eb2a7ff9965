// SPDX-License-Identifier: GPL-2.0-only
/*
 * /proc/kpt_fail: "N" lets the N-th allocation fail that kptrace asks for in the
 * writing task from then on, "-N" that one and all later ones; 0 lets none fail.
 * Reading tells how many it has asked for since, and how many of these failed.
 * Neither reading nor writing allocates.
 * (What the kernel itself asks for on the way, to load a module for example, it
 * warns about where it fails.)
 *
 * Wherever kernels ask for memory they call one of these functions, if those are not
 * inline. should_failslab() must be there; pages, or memory of each CPU, never fail where
 * the others are missing.
 */
#include <linux/gfp.h>
#include <linux/kallsyms.h>
#include <linux/kernel.h>
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/proc_fs.h>
#include <linux/sched.h>
#include <linux/sizes.h>
#include <linux/stacktrace.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include "compat.h"

static struct task_struct *victim;
static int fail_at;
static int asked;
static int failed;

/*
 * from_kptrace() - a function of it is among the callers. Modules lie together: most
 * others need no look at their names. There is one victim, so one stack.
 */
static bool from_kptrace(void)
{
	static unsigned long stack[64];
	static char name[KSYM_SYMBOL_LEN];
	unsigned long here = (unsigned long)from_kptrace;
	unsigned int n = stack_trace_save(stack, ARRAY_SIZE(stack), 0);

	while (n--) {
		if (stack[n] - (here - SZ_32M) >= SZ_64M)
			continue;
		snprintf(name, sizeof(name), "%ps", (void *)stack[n]);
		if (strstr(name, "[kptrace]"))
			return true;
	}
	return false;
}

/* fails() - count, of the victim's alone; some callers cannot do without */
static bool fails(gfp_t gfp)
{
	if (READ_ONCE(victim) != current || !in_task() ||
	    (gfp & __GFP_NOFAIL) || !from_kptrace())
		return false;
	asked++;
	if (fail_at > 0 ? asked != fail_at : asked < -fail_at)
		return false;
	failed++;
	return true;
}

/* answer() - the probed function returns that, at once */
static int answer(struct pt_regs *regs, unsigned long value)
{
	regs->regs[0] = value;
	regs->pc = regs->regs[30];
	return 1;
}

static int in_failslab(struct kprobe *p, struct pt_regs *regs)
{
	return fails((__force gfp_t)regs->regs[1]) ? answer(regs, -ENOMEM) : 0;
}

static int in_fail_page(struct kprobe *p, struct pt_regs *regs)
{
	return fails((__force gfp_t)regs->regs[0]) ? answer(regs, true) : 0;
}

static int in_percpu(struct kprobe *p, struct pt_regs *regs)
{
	return fails(0) ? answer(regs, 0) : 0;
}

static struct kprobe probes[] = {
	{ .symbol_name = "should_failslab", .pre_handler = in_failslab },
	{ .symbol_name = "should_fail_alloc_page", .pre_handler = in_fail_page },
	{ .symbol_name = "__alloc_percpu", .pre_handler = in_percpu },
	{ .symbol_name = "__alloc_percpu_gfp", .pre_handler = in_percpu },
	{ .symbol_name = "pcpu_alloc_noprof", .pre_handler = in_percpu },
};

static ssize_t fail_write(struct file *file, const char __user *from, size_t len,
			  loff_t *pos)
{
	char text[16] = "";
	int n;

	if (len >= sizeof(text) || copy_from_user(text, from, len))
		return -EINVAL;
	if (sscanf(text, "%d", &n) != 1)
		return -EINVAL;
	WRITE_ONCE(victim, NULL);
	fail_at = n;
	if (!n)
		return len;
	asked = 0;
	failed = 0;
	WRITE_ONCE(victim, current);
	return len;
}

static ssize_t fail_read(struct file *file, char __user *to, size_t len,
			 loff_t *pos)
{
	char text[32];

	return simple_read_from_buffer(to, len, pos, text,
				       scnprintf(text, sizeof(text), "%d %d\n",
						 asked, failed));
}

static const struct proc_ops fail_ops = {
	.proc_read = fail_read,
	.proc_write = fail_write,
	.proc_lseek = default_llseek,
};

static void unregister(int count)
{
	while (count--)
		if (probes[count].addr)
			unregister_kprobe(&probes[count]);
}

static int __init fail_init(void)
{
	int n, err;

	for (n = 0; n < ARRAY_SIZE(probes); n++) {
		err = register_kprobe(&probes[n]);
		if (err && (err != -ENOENT || !n)) {
			unregister(n);
			return err;
		}
	}
	if (proc_create("kpt_fail", 0600, NULL, &fail_ops))
		return 0;
	unregister(n);
	return -ENOMEM;
}

static void __exit fail_exit(void)
{
	remove_proc_entry("kpt_fail", NULL);
	unregister(ARRAY_SIZE(probes));
}

module_init(fail_init);
module_exit(fail_exit);
MODULE_DESCRIPTION("lets allocations of a task fail, for kptrace's tests");
MODULE_LICENSE("GPL");
