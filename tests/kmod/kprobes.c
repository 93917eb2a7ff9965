// SPDX-License-Identifier: GPL-2.0-only
/*
 * A module as those written for the kernel's kprobes are, compiled twice: as
 * kpt_kprobes with include/kptrace/kprobes.h, and as kpt_kprobes_kernel with the
 * kernel's own. Both must get the same hits, registers and errors.
 */
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/kprobes.h>

#define TWO	"kpt_target:kpt_target_two"
#define SIX	"kpt_target:kpt_target_six"
#define NONE	"kpt_target:kpt_target_none"
#define TEN	"kpt_target:kpt_target_ten"

/* What happened, read as a parameter. */
static char said[1024];
static int said_len;
module_param_string(said, said, sizeof(said), 0444);

#define say(...) \
	(said_len += scnprintf(said + said_len, sizeof(said) - said_len, __VA_ARGS__))

/* Calls of handlers, and sums of what they saw. */
static atomic64_t hits, posts, entries, rets, sum, wrong;

static int pre(struct kprobe *kp, struct pt_regs *regs)
{
	atomic64_inc(&hits);
	/* The others have no second parameter. */
	if (kp->post_handler)
		atomic64_add(regs->regs[1], &sum);
	if ((unsigned long)kp->addr != regs->pc)
		atomic64_inc(&wrong);
	return 0;
}

static void post(struct kprobe *kp, struct pt_regs *regs, unsigned long flags)
{
	atomic64_inc(&posts);
	if ((unsigned long)kp->addr + 4 != regs->pc || flags)
		atomic64_inc(&wrong);
}

/* Return 4711 instead of calling the function. */
static int pre_instead(struct kprobe *kp, struct pt_regs *regs)
{
	atomic64_inc(&hits);
	regs->regs[0] = 4711;
	regs->pc = regs->regs[30];
	return 1;
}

static struct kretprobe ret_six;

/* Every second call is not seen at its return. */
static int entry(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	*(unsigned long *)ri->data = regs->sp;
	if (get_kretprobe(ri) != &ret_six)
		atomic64_inc(&wrong);
	return atomic64_inc_return(&entries) % 2;
}

static int ret(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	atomic64_inc(&rets);
	atomic64_add(regs_return_value(regs), &sum);
	if (*(unsigned long *)ri->data != regs->sp || get_kretprobe(ri) != &ret_six ||
	    get_kretprobe_retaddr(ri) != regs->pc)
		atomic64_inc(&wrong);
	return 0;
}

static struct kprobe two = { .symbol_name = TWO, .pre_handler = pre, .post_handler = post };
static struct kprobe off = {
	.symbol_name = SIX, .pre_handler = pre, .flags = KPROBE_FLAG_DISABLED,
};
static struct kretprobe ret_six = {
	.kp.symbol_name = SIX, .handler = ret, .entry_handler = entry,
	.data_size = sizeof(long), .maxactive = 20,
};
static struct kprobe instead = { .symbol_name = TWO, .pre_handler = pre_instead };
static struct kprobe many[2] = {
	{ .symbol_name = NONE, .pre_handler = pre },
	{ .symbol_name = TEN, .pre_handler = pre },
};
static struct kprobe *many_at[] = { &many[0], &many[1] };

/* Each mistake leaves nothing behind. */
static void mistakes(void)
{
	struct kprobe unknown = { .symbol_name = "no_such_symbol" };
	struct kprobe both = { .symbol_name = TWO, .addr = (void *)1UL };
	struct kprobe neither = { .pre_handler = pre };
	struct kprobe good = { .symbol_name = TWO, .pre_handler = pre };
	struct kprobe *second[] = { &good, &unknown };
	struct kretprobe middle = { .kp = { .symbol_name = TWO, .offset = 4 } };

	say("unknown %d both %d neither %d second %d none %d middle %d\n",
	    register_kprobe(&unknown), register_kprobe(&both), register_kprobe(&neither),
	    register_kprobes(second, 2), register_kprobes(second, 0),
	    register_kretprobe(&middle));
}

/* Another CPU calls the function all the time: its first hits need all that pre() reads. */
static void while_called(void)
{
	struct kprobe kp;
	int i, err = 0;

	for (i = 0; !err && i < 50; i++) {
		kp = (struct kprobe){ .symbol_name = NONE, .pre_handler = pre };
		err = register_kprobe(&kp);
		if (!err)
			unregister_kprobe(&kp);
	}
	say("while called %d\n", err);
}

static int step_set(const char *text, const struct kernel_param *kp)
{
	said_len = 0;
	switch (text[0]) {
	case '1':
		say("two %d off %d ret %d many %d\n", register_kprobe(&two),
		    register_kprobe(&off), register_kretprobe(&ret_six),
		    register_kprobes(many_at, 2));
		say("again %d; disabled %d %d\n", register_kprobe(&two),
		    kprobe_disabled(&two), kprobe_disabled(&off));
		break;
	case '2':
		say("enable %d disable %d\n", enable_kprobe(&off), disable_kprobe(&two));
		break;
	case '3':
		unregister_kprobe(&two);
		unregister_kprobes(many_at, 2);
		say("instead %d again %d\n", register_kprobe(&instead),
		    register_kprobe(&off));
		break;
	case '4':
		unregister_kprobe(&instead);
		unregister_kprobe(&off);
		unregister_kretprobe(&ret_six);
		say("missed %lu %lu %d\n", instead.nmissed, off.nmissed, ret_six.nmissed);
		mistakes();
		break;
	case '5':
		while_called();
		break;
	default:
		return -EINVAL;
	}
	return 0;
}

static int step_get(char *buf, const struct kernel_param *kp)
{
	return sprintf(buf, "%lld pre, %lld post, %lld entry, %lld return, sum %lld, %lld wrong\n",
		       atomic64_read(&hits), atomic64_read(&posts), atomic64_read(&entries),
		       atomic64_read(&rets), atomic64_read(&sum), atomic64_read(&wrong));
}

static const struct kernel_param_ops step_ops = { .set = step_set, .get = step_get };
module_param_cb(step, &step_ops, NULL, 0644);
MODULE_PARM_DESC(step, "written: the next of five steps; read: what handlers have seen");

static int __init kprobes_init(void)
{
	return 0;
}

static void __exit kprobes_exit(void)
{
}

module_init(kprobes_init);
module_exit(kprobes_exit);
MODULE_DESCRIPTION("Uses kprobes, for tests of kptrace");
MODULE_LICENSE("GPL");
