// SPDX-License-Identifier: GPL-2.0-only
/* Functions that tests let crash, see tests/crash/run. */
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/reboot.h>

/* Known to nobody but who calls it: no argument is dropped. */
noinline long kpt_crash_here(unsigned long nr, const long *p);
noinline long kpt_crash_here(unsigned long nr, const long *p)
{
	return READ_ONCE(*p) + nr;
}

static unsigned long calls;

/* hits: call the function so many times; each call has the next number. */
static int set_hits(const char *text, const struct kernel_param *kp)
{
	const long value = 0;
	unsigned int i, nr;
	int err = kstrtouint(text, 0, &nr);

	for (i = 0; !err && i < nr; i++)
		kpt_crash_here(++calls, &value);
	return err;
}

/* null: call it once more, with a NULL that it follows. */
static int set_null(const char *text, const struct kernel_param *kp)
{
	return kpt_crash_here(++calls, NULL) & 0;
}

/*
 * Calls itself until the stack overflows: in the hit, because the frame is smaller than
 * that of a stub, and before a shadow call stack does, because it is not the smallest.
 */
noinline unsigned long kpt_crash_deep(unsigned long nr);
noinline unsigned long kpt_crash_deep(unsigned long nr)
{
	unsigned long a = READ_ONCE(calls), b = READ_ONCE(calls), c = READ_ONCE(calls);

	return nr ? kpt_crash_deep(nr + 1) + nr + a * b + c : 0;
}

/* deep: call it. */
static int set_deep(const char *text, const struct kernel_param *kp)
{
	return kpt_crash_deep(1) & 0;
}

/*
 * What the letters c and b of sysrq do, for kernels without sysrq. GCC 12 does not align a
 * function that never returns, and kernels that need it for ftrace warn.
 */
static int set_panic(const char *text, const struct kernel_param *kp)
{
	if (READ_ONCE(calls) != ULONG_MAX)
		panic("asked for");
	return 0;
}

static int set_reset(const char *text, const struct kernel_param *kp)
{
	emergency_restart();
	return 0;
}

static const struct kernel_param_ops hits_ops = { .set = set_hits };
module_param_cb(hits, &hits_ops, NULL, 0200);
static const struct kernel_param_ops null_ops = { .set = set_null };
module_param_cb(null, &null_ops, NULL, 0200);
static const struct kernel_param_ops deep_ops = { .set = set_deep };
module_param_cb(deep, &deep_ops, NULL, 0200);
static const struct kernel_param_ops panic_ops = { .set = set_panic };
module_param_cb(panic, &panic_ops, NULL, 0200);
static const struct kernel_param_ops reset_ops = { .set = set_reset };
module_param_cb(reset, &reset_ops, NULL, 0200);

static int __init crash_init(void)
{
	return 0;
}

static void __exit crash_exit(void)
{
}

module_init(crash_init);
module_exit(crash_exit);
MODULE_DESCRIPTION("Functions that crash, for tests of kptrace");
MODULE_LICENSE("GPL");
