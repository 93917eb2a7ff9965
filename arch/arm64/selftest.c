// SPDX-License-Identifier: GPL-2.0-only
/*
 * Self-test at load: probe functions of the module in each mode, and compare
 * their results with those without probes. Takes two machine stops.
 */
#include "kernel/compat.h"
#include <linux/mutex.h>
#include <linux/preempt.h>
#include <linux/rculist.h>
#include "kernel/lock.h"
#include "engine.h"

/*
 * The targets in assembly have no kCFI type, so they cannot be called through a
 * pointer: C functions call them directly.
 */
#define TARGET(name)                                                           \
	long kpt_test_##name(long a, long b);                                  \
	extern const u32 kpt_test_##name##_at[];                               \
	static noinline long name(long a, long b)                              \
	{                                                                      \
		return kpt_test_##name(a, b);                                  \
	}

TARGET(adds)
TARGET(subs)
TARGET(cbz)
TARGET(adr)
TARGET(literal)
TARGET(stub_landing)
TARGET(jump_adds)
TARGET(jump_cbz)
TARGET(jump_literal)

/* Arguments: with and without carry, branch taken and not taken. */
static const long args[][2] = { { 0, 7 }, { -1, 1 }, { -1, -1 }, { 5, 0 } };

/**
 * struct test - one probed function
 * @name: for the kernel log
 * @call: the function
 * @at: the instruction probed in it
 * @mode: the mode to test, if the point can have it
 * @point: the point at @at
 * @expected: result of the function without a probe, for each of @args
 * @hits: hits since the last check; hits write this and the members below, on
 *	the CPU and in the task that runs the test
 * @missed: hits inside a hit
 * @pc: the PC in the registers of the hit
 * @preempt: preempt_count() during the hit
 */
struct test {
	const char *name;
	long (*call)(long a, long b);
	const u32 *at;
	enum kpt_mode mode;
	struct kpt_arch_point point;
	long expected[ARRAY_SIZE(args)];
	unsigned int hits;
	unsigned int missed;
	unsigned long pc;
	int preempt;
};

#define TEST(name, mode)                                                       \
	{ #name, name, kpt_test_##name##_at, mode }

static struct test tests[] = {
	TEST(adds, KPT_MODE_BOOSTED),
	TEST(subs, KPT_MODE_STEPPED),
	TEST(cbz, KPT_MODE_SIMULATED),
	TEST(adr, KPT_MODE_SIMULATED),
	TEST(literal, KPT_MODE_SIMULATED),
	TEST(stub_landing, KPT_MODE_STUB),
	TEST(jump_adds, KPT_MODE_JUMP),
	TEST(jump_cbz, KPT_MODE_JUMP),
	TEST(jump_literal, KPT_MODE_JUMP),
};

int kpt_arch_preempt_bias;

/**
 * kpt_selftest_hit() - kpt_hit_point() for points of the self-test
 * @ap: the point
 * @regs: registers at the probed address
 *
 * Calls the function again, which causes a hit inside a hit.
 *
 * Context: BRK.
 */
void kpt_selftest_hit(struct kpt_arch_point *ap, struct pt_regs *regs)
{
	struct test *t = container_of(ap, struct test, point);

	t->hits++;
	t->pc = regs->pc;
	t->preempt = preempt_count();
	if (t->call(args[0][0], args[0][1]) != t->expected[0])
		t->pc = 0;
}

/* kpt_hit_current() for those that have stubs. */
static bool hit_stub(struct kpt_arch_point *ap, struct pt_regs *regs,
		     const struct kpt_arch_recorder *recorder)
{
	kpt_selftest_hit(ap, regs);
	return true;
}

/**
 * kpt_selftest_missed() - kpt_hit_missed() for points of the self-test
 * @ap: the point
 *
 * Context: BRK, nested.
 */
void kpt_selftest_missed(struct kpt_arch_point *ap)
{
	container_of(ap, struct test, point)->missed++;
}

static int fail(const struct test *t, const char *what)
{
	pr_err("self-test of a %s probe on '%s' failed: %s\n",
	       kpt_arch_mode_name(t->mode), t->name, what);
	return -EIO;
}

static int prepare(struct test *t)
{
	static struct kpt_arch_recorder recorder = { .hit = hit_stub };
	struct kpt_arch_point *ap = &t->point;
	struct kpt_diag diag = {};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(args); i++)
		t->expected[i] = t->call(args[i][0], args[i][1]);
	ap->test = true;
	ap->addr = (unsigned long)t->at;
	if (kpt_arch_check(ap, &diag))
		return fail(t, "the instruction is refused");
	/* If the point cannot have @t->mode, test its best possible mode. */
	if (t->mode < KPT_MODE_STUB || t->mode < ap->mode)
		ap->mode = t->mode;
	if (ap->mode != KPT_MODE_SIMULATED && kpt_xol_get(ap))
		return fail(t, "there is no memory for a slot");
	recorder.code = kpt_recorder_none.code;
	ap->recorder = &recorder;
	hlist_add_head_rcu(&ap->node, kpt_point_row(ap->addr));
	return 0;
}

static int check_call(struct test *t, unsigned int arg)
{
	int before;
	long got;

	t->hits = 0;
	t->missed = 0;
	preempt_disable();
	before = preempt_count();
	got = t->call(args[arg][0], args[arg][1]);
	preempt_enable();
	/* Stepped points never use the fast entry: measure the backend there. */
	if (t->mode == KPT_MODE_STEPPED)
		kpt_arch_preempt_bias = t->preempt - before;
	if (t->hits != 1 || t->missed != 1)
		return fail(t, "wrong number of hits");
	if (got != t->expected[arg])
		return fail(t, "wrong result of the displaced instruction");
	if (t->pc != t->point.addr)
		return fail(t, "wrong PC, or wrong result in a nested hit");
	return 0;
}

static int check_armed(struct test *t)
{
	unsigned int arg;
	int err = 0;

	for (arg = 0; arg < ARRAY_SIZE(args) && !err; arg++)
		err = check_call(t, arg);
	return err;
}

static int check_disarmed(struct test *t)
{
	t->hits = 0;
	if (t->call(args[0][0], args[0][1]) != t->expected[0] || t->hits)
		return fail(t, "the text was not restored");
	return 0;
}

static int for_each_test(int (*check)(struct test *t))
{
	unsigned int i;
	int err = 0;

	for (i = 0; i < ARRAY_SIZE(tests) && !err; i++)
		err = check(&tests[i]);
	return err;
}

static int release(struct test *t)
{
	hlist_del_init_rcu(&t->point.node);
	kpt_arch_release(&t->point);
	return 0;
}

static int run(void)
{
	struct kpt_arch_point *points[ARRAY_SIZE(tests)];
	struct kpt_diag diag;
	unsigned int i;
	int err;

	for (i = 0; i < ARRAY_SIZE(tests); i++)
		points[i] = &tests[i].point;
	err = kpt_arch_arm(points, ARRAY_SIZE(points), &diag);
	if (err)
		return err;
	err = for_each_test(check_armed);
	kpt_arch_disarm(points, ARRAY_SIZE(points));
	return err ?: for_each_test(check_disarmed);
}

/**
 * kpt_selftest_run() - probe functions of our own in every mode
 *
 * Also measures &kpt_arch_preempt_bias. The kernel log names the check that
 * failed.
 *
 * Context: module load, after kpt_arch_init().
 * Return: 0, or -EIO: this kernel cannot be probed.
 */
int kpt_selftest_run(void)
{
	int err;

	mutex_lock(&kpt_mutex);
	err = for_each_test(prepare) ?: run();
	for_each_test(release);
	mutex_unlock(&kpt_mutex);
	return err;
}
