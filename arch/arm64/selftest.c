// SPDX-License-Identifier: GPL-2.0-only
/*
 * Before the module says it is ready: probe functions of our own, in each
 * mode, and compare what they return with what they return unprobed.
 */
#include <kptrace/compat.h>
#include <linux/mutex.h>
#include <linux/preempt.h>
#include <kptrace/event.h>
#include <kptrace/selftest.h>
#include "engine.h"

#define TARGET(name)                                                           \
	long kpt_test_##name(long a, long b);                                  \
	extern const u32 kpt_test_##name##_at[]

TARGET(adds);
TARGET(cbz);
TARGET(adr);
TARGET(literal);

/**
 * struct test - one probed function
 * @name: for the kernel log
 * @call: the function
 * @at: the instruction probed in it
 * @mode: how it must be performed
 */
struct test {
	const char *name;
	long (*call)(long a, long b);
	const u32 *at;
	enum kpt_mode mode;
};

#define TEST(name, mode)                                                       \
	{ #name, kpt_test_##name, kpt_test_##name##_at, mode }

static const struct test tests[] = {
	TEST(adds, KPT_MODE_BOOSTED),
	TEST(adds, KPT_MODE_STEPPED),
	TEST(cbz, KPT_MODE_SIMULATED),
	TEST(adr, KPT_MODE_SIMULATED),
	TEST(literal, KPT_MODE_SIMULATED),
};

/* Arguments: with and without carry, branch taken and not. */
static const long args[][2] = { { 0, 7 }, { -1, 1 }, { -1, -1 }, { 5, 0 } };

int kpt_arch_preempt_bias;

/*
 * The point under test, and what its hits found. Hits write it, on the CPU and
 * in the task that runs the test.
 */
static struct {
	const struct test *test;
	struct kpt_arch_point point;
	unsigned int hits;
	unsigned int missed;
	unsigned long pc;
	long nested;
	int preempt;
} state;

struct kpt_arch_point *kpt_selftest_find(unsigned long pc)
{
	return pc == state.point.addr ? &state.point : NULL;
}

/* The second call is a hit inside a hit. */
void kpt_selftest_hit(struct kpt_arch_point *ap, struct pt_regs *regs)
{
	state.hits++;
	state.pc = regs->pc;
	state.preempt = preempt_count();
	state.nested = state.test->call(1, 2);
}

void kpt_selftest_missed(struct kpt_arch_point *ap)
{
	state.missed++;
}

static int fail(const char *what)
{
	pr_err("self-test failed: %s %s: %s\n",
	       kpt_arch_mode_name(state.test->mode), state.test->name, what);
	return -EIO;
}

static int check_call(long a, long b, long expected, long nested)
{
	int before;
	long got;

	state.hits = 0;
	state.missed = 0;
	preempt_disable();
	before = preempt_count();
	got = state.test->call(a, b);
	preempt_enable();
	kpt_arch_preempt_bias = state.preempt - before;
	if (state.hits != 1 || state.missed != 1)
		return fail("wrong number of hits");
	if (got != expected || state.nested != nested)
		return fail("wrong result of the displaced instruction");
	if (state.pc != state.point.addr)
		return fail("wrong PC");
	return 0;
}

static int prepare(const struct test *test)
{
	struct kpt_arch_point *ap = &state.point;
	struct kpt_diag diag = {};

	state.test = test;
	*ap = (struct kpt_arch_point) {
		.addr = (unsigned long)test->at,
		.test = true,
	};
	if (kpt_arch_check(ap, &diag))
		return fail("refused");
	if (test->mode == KPT_MODE_STEPPED)
		ap->mode = KPT_MODE_STEPPED;
	if (ap->mode != KPT_MODE_SIMULATED && kpt_xol_get(ap))
		return fail("no slot");
	return 0;
}

static int run_armed(const long *expected, long nested)
{
	unsigned int i;
	int err = 0;

	for (i = 0; i < ARRAY_SIZE(args) && !err; i++)
		err = check_call(args[i][0], args[i][1], expected[i], nested);
	return err;
}

static int run(const struct test *test)
{
	struct kpt_arch_point *ap = &state.point;
	long expected[ARRAY_SIZE(args)], nested;
	unsigned int i;
	int err;

	for (i = 0; i < ARRAY_SIZE(args); i++)
		expected[i] = test->call(args[i][0], args[i][1]);
	nested = test->call(1, 2);
	err = prepare(test);
	if (err)
		return err;
	if (kpt_arch_arm(&ap, 1)) {
		err = fail("kernel text can not be changed");
	} else {
		err = run_armed(expected, nested);
		kpt_arch_disarm(&ap, 1);
		if (!err && test->call(0, 7) != expected[0])
			err = fail("text was not restored");
	}
	kpt_arch_release(ap);
	return err;
}

int kpt_selftest_run(void)
{
	unsigned int i;
	int err = 0;

	mutex_lock(&kpt_mutex);
	for (i = 0; i < ARRAY_SIZE(tests) && !err; i++)
		err = run(&tests[i]);
	mutex_unlock(&kpt_mutex);
	return err;
}
