// SPDX-License-Identifier: GPL-2.0-only
/*
 * A module with handlers of its own, see include/kptrace.h. Parameters say what it
 * registers when it is loaded, and tell what its handlers have seen.
 */
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <kptrace.h>

static char *kind = "pre";
module_param(kind, charp, 0444);
MODULE_PARM_DESC(kind, "pre, typed, many, or a word of kinds[]");
static char *place = "kpt_target:kpt_target_two";
module_param(place, charp, 0444);
MODULE_PARM_DESC(place, "kptrace_probe.place");
static unsigned int skip;
module_param(skip, uint, 0444);
MODULE_PARM_DESC(skip, "data: the first so many calls are not to be seen at the return; "
		 "many: the index of a probe whose place is place; "
		 "panic: the first argument of the call to panic at");

static unsigned int times = 1;
module_param(times, uint, 0444);
MODULE_PARM_DESC(times, "register so often, as long as that is refused");

/* What the handlers have seen, each a parameter to be read. */
static atomic64_t calls, posts, entries, sum;

static int show_count(char *buf, const struct kernel_param *kp)
{
	return sprintf(buf, "%lld\n", atomic64_read(kp->arg));
}

static const struct kernel_param_ops count_ops = { .get = show_count };
module_param_cb(calls, &count_ops, &calls, 0444);
module_param_cb(posts, &count_ops, &posts, 0444);
module_param_cb(entries, &count_ops, &entries, 0444);
module_param_cb(sum, &count_ops, &sum, 0444);

static struct kptrace_probe probe;

/* Of kind many: a probe for each function. */
#define MANY 1000
static struct kptrace_probe *many[MANY];
static char (*names)[48];

static int show_counts(char *buf, const struct kernel_param *kp)
{
	u64 hits, missed;

	kptrace_read_counts(&probe, &hits, &missed);
	return sprintf(buf, "%llu %llu\n", hits, missed);
}

static const struct kernel_param_ops counts_ops = { .get = show_counts };
module_param_cb(counts, &counts_ops, NULL, 0444);

static int set_enabled(const char *text, const struct kernel_param *kp)
{
	if (text[0] == '1')
		return kptrace_enable(&probe);
	kptrace_disable(&probe);
	return 0;
}

static const struct kernel_param_ops enabled_ops = { .set = set_enabled };
module_param_cb(enabled, &enabled_ops, NULL, 0200);

static int pre(struct kptrace_probe *p, struct pt_regs *regs)
{
	atomic64_inc(&calls);
	atomic64_add(regs->regs[1], &sum);
	return 0;
}

static int pre_empty(struct kptrace_probe *p, struct pt_regs *regs)
{
	return 0;
}

/* A bug of a handler. */
static int pre_fault(struct kptrace_probe *p, struct pt_regs *regs)
{
	return *(volatile int *)8;
}

/* Gives up at the call that "skip" says. */
static int pre_panic(struct kptrace_probe *p, struct pt_regs *regs)
{
	if (regs->regs[0] == skip)
		panic("a handler of kpt_handlers");
	return 0;
}

static void ret_empty(struct kptrace_probe *p, struct kptrace_call *call,
		      struct pt_regs *regs)
{
}

static void post(struct kptrace_probe *p, struct pt_regs *regs)
{
	atomic64_inc(&posts);
	/* The function's first instruction is its addition. */
	atomic64_add(regs->pc - p->addr, &sum);
}

/* Return 4711 at once, without the function. */
static int pre_pc(struct kptrace_probe *p, struct pt_regs *regs)
{
	atomic64_inc(&calls);
	regs->regs[0] = 4711;
	regs->pc = regs->regs[30];
	return 1;
}

static void ret(struct kptrace_probe *p, struct kptrace_call *call,
		struct pt_regs *regs)
{
	atomic64_inc(&calls);
	if (call->func == p->addr && call->ret_ip)
		atomic64_add(regs_return_value(regs), &sum);
	if (!call->data)
		return;
	if (*(unsigned long *)call->data != regs->sp)
		atomic64_set(&sum, -1);
}

static int entry(struct kptrace_probe *p, struct kptrace_call *call,
		 struct pt_regs *regs)
{
	*(unsigned long *)call->data = regs->sp;
	return atomic64_inc_return(&entries) <= skip;
}

KPT_ENTRY(kpt_target_six, u64, a, u64, b, u32, c, int, d, unsigned long, e, long, f)
{
	atomic64_inc(&calls);
	atomic64_add(a + 10 * b + 100 * c + 1000 * d + 10000 * e + 100000 * f, &sum);
}

static void many_free(void)
{
	int i;

	for (i = 0; i < MANY; i++)
		kfree(many[i]);
	kfree(names);
}

static int many_register(struct kptrace_error *error)
{
	int i, err;

	names = kcalloc(MANY, sizeof(*names), GFP_KERNEL);
	for (i = 0; names && i < MANY; i++) {
		many[i] = kzalloc(sizeof(*many[i]), GFP_KERNEL);
		if (!many[i])
			break;
		sprintf(names[i], "kpt_target:kpt_target_many_%03d", i);
		many[i]->place = skip && i == skip ? place : names[i];
		many[i]->pre = pre;
	}
	err = i == MANY ? kptrace_register_many(many, MANY, error) : -ENOMEM;
	if (err)
		many_free();
	return err;
}

static const struct {
	const char *kind;
	struct kptrace_probe probe;
} kinds[] = {
	{ "pre", { .pre = pre } },
	{ "forget", { .pre = pre } },
	{ "post", { .pre = pre, .post = post } },
	{ "pc", { .pre = pre_pc, .flags = KPTRACE_PC } },
	{ "ret", { .ret = ret } },
	{ "data", { .entry = entry, .ret = ret, .data_size = sizeof(long) } },
	{ "bad", { .entry = entry } },
	{ "fault", { .pre = pre_fault } },
	{ "panic", { .pre = pre_panic } },
	{ "empty", { .pre = pre_empty } },
	{ "emptyret", { .ret = ret_empty } },
};

static int __init handlers_init(void)
{
	struct kptrace_error error = { 0 };
	int i, err;

	if (!strcmp(kind, "typed"))
		probe = kpt_probe_kpt_target_six;
	for (i = 0; i < ARRAY_SIZE(kinds); i++)
		if (!strcmp(kind, kinds[i].kind))
			probe = kinds[i].probe;
	probe.place = place;
	do
		err = strcmp(kind, "many") ? kptrace_register(&probe, &error) :
					     many_register(&error);
	while (err && --times);
	if (err)
		pr_info("refused (%d): probe %u: %s\n", err, error.nr,
			error.reason);
	return err;
}

static void __exit handlers_exit(void)
{
	if (!strcmp(kind, "forget"))
		return;
	if (strcmp(kind, "many")) {
		kptrace_unregister(&probe);
		return;
	}
	kptrace_unregister_many(many, MANY);
	many_free();
}

module_init(handlers_init);
module_exit(handlers_exit);
MODULE_DESCRIPTION("Handlers of another module, for tests of kptrace");
MODULE_LICENSE("GPL");
