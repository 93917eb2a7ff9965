/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * register_kprobe(), register_kretprobe() and their like with the engine of kptrace, for
 * modules that were written for the kernel's kprobes; also where the kernel has none.
 * docs/handlers.md says how, and what is different.
 *
 * All of it is code of the module that includes it, on top of kptrace.h: kptrace.ko knows
 * nothing of struct kprobe, which differs between kernels.
 */
#ifndef KPTRACE_KPROBES_H
#define KPTRACE_KPROBES_H

#include <linux/err.h>
#include <linux/kernel.h>
#include <linux/kprobes.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <kptrace.h>

/**
 * struct kptrace_kprobe - what a kprobe or kretprobe is registered as
 * @probe: the probe; probe.place is allocated
 * @kp: the kprobe, or that of @rp
 * @rp: the kretprobe, or NULL
 */
struct kptrace_kprobe {
	struct kptrace_probe probe;
	struct kprobe *kp;
	struct kretprobe *rp;
};

/* kprobe.list is the kernel's own, which never sees this kprobe. */
static inline struct kptrace_kprobe *kptrace_kprobe_of(const struct kprobe *kp)
{
	return (void *)kp->list.next;
}

static inline void kptrace_kprobe_set(struct kprobe *kp, struct kptrace_kprobe *k)
{
	kp->list.next = (void *)k;
}

static inline struct kptrace_kprobe *kptrace_kprobe_at(struct kptrace_probe *probe)
{
	return container_of(probe, struct kptrace_kprobe, probe);
}

/*
 * What hits call. Context: BRK. Handlers want to know the address, and may be called
 * before register_kprobe() returns.
 */

static inline void kptrace_kprobe_set_addr(struct kptrace_probe *probe)
{
	WRITE_ONCE(kptrace_kprobe_at(probe)->kp->addr, (void *)probe->addr);
}

static inline int kptrace_kprobe_pre(struct kptrace_probe *probe, struct pt_regs *regs)
{
	struct kprobe *kp = probe->private;

	kptrace_kprobe_set_addr(probe);
	return kp->pre_handler ? kp->pre_handler(kp, regs) : 0;
}

static inline void kptrace_kprobe_post(struct kptrace_probe *probe, struct pt_regs *regs)
{
	struct kprobe *kp = probe->private;

	kptrace_kprobe_set_addr(probe);
	kp->post_handler(kp, regs, 0);
}

/**
 * struct kptrace_instance - the struct kretprobe_instance that a handler gets
 * @rp: its kretprobe
 * @ret_addr: where the call returns to
 * @ri: memory of the instance, with its data
 */
struct kptrace_instance {
	struct kretprobe *rp;
	unsigned long ret_addr;
	u64 ri[(sizeof(struct kretprobe_instance) + KPTRACE_DATA_MAX) / sizeof(u64)];
};

static inline struct kretprobe_instance *
kptrace_instance_init(struct kptrace_instance *instance, struct kretprobe *rp,
		      const struct kptrace_call *call)
{
	instance->rp = rp;
	instance->ret_addr = call->ret_ip;
	return (void *)instance->ri;
}

static inline int kptrace_kretprobe_entry(struct kptrace_probe *probe,
					  struct kptrace_call *call,
					  struct pt_regs *regs)
{
	struct kretprobe *rp = probe->private;
	struct kptrace_instance instance;
	struct kretprobe_instance *ri = kptrace_instance_init(&instance, rp, call);
	int skip;

	kptrace_kprobe_set_addr(probe);
	skip = rp->entry_handler(ri, regs);
	if (call->data)
		memcpy(call->data, ri->data, rp->data_size);
	return !!skip;
}

static inline void kptrace_kretprobe_ret(struct kptrace_probe *probe,
					 struct kptrace_call *call,
					 struct pt_regs *regs)
{
	struct kretprobe *rp = probe->private;
	struct kptrace_instance instance;
	struct kretprobe_instance *ri = kptrace_instance_init(&instance, rp, call);
	unsigned long pc = regs->pc;

	if (!rp->handler)
		return;
	kptrace_kprobe_set_addr(probe);
	if (call->data)
		memcpy(ri->data, call->data, rp->data_size);
	/* Handlers of kretprobes run after the return. */
	regs->pc = call->ret_ip;
	rp->handler(ri, regs);
	regs->pc = pc;
}

/*
 * Registering.
 */

static inline int kptrace_kprobe_set_place(struct kptrace_kprobe *k)
{
	const struct kprobe *kp = k->kp;

	if (!kp->symbol_name == !kp->addr)
		return -EINVAL;
	if (!kp->symbol_name) {
		k->probe.addr = (unsigned long)kp->addr + kp->offset;
		return 0;
	}
	/* What would be a list of patterns. */
	if (strpbrk(kp->symbol_name, "*?[, "))
		return -ENOENT;
	k->probe.place = kasprintf(GFP_KERNEL, "%s+%u", kp->symbol_name, kp->offset);
	return k->probe.place ? 0 : -ENOMEM;
}

static inline void kptrace_kprobe_set_handlers(struct kptrace_kprobe *k)
{
	struct kprobe *kp = k->kp;

	k->probe.private = kp;
	k->probe.pre = kptrace_kprobe_pre;
	if (kp->post_handler)
		k->probe.post = kptrace_kprobe_post;
	/* It may change registers, and return 1. */
	if (kp->pre_handler && !IS_ENABLED(KPTRACE_KPROBES_READ))
		k->probe.flags = KPTRACE_PC;
}

static inline int kptrace_kretprobe_set_handlers(struct kptrace_kprobe *k)
{
	struct kretprobe *rp = k->rp;

	if (rp->data_size > KPTRACE_DATA_MAX)
		return -E2BIG;
	k->probe.private = rp;
	k->probe.ret = kptrace_kretprobe_ret;
	k->probe.maxactive = max_t(int, rp->maxactive, 0);
	if (rp->entry_handler) {
		k->probe.entry = kptrace_kretprobe_entry;
		k->probe.data_size = rp->data_size;
	}
	rp->nmissed = 0;
	return 0;
}

static inline void kptrace_kprobe_free(struct kptrace_kprobe *k)
{
	kptrace_kprobe_set(k->kp, NULL);
	kfree(k->probe.place);
	kfree(k);
}

/* @rp is NULL for a kprobe. */
static inline struct kptrace_kprobe *kptrace_kprobe_make(struct kprobe *kp,
							 struct kretprobe *rp)
{
	struct kptrace_kprobe *k;
	int err = 0;

	if (kptrace_kprobe_of(kp))
		return ERR_PTR(-EINVAL);
	k = kzalloc(sizeof(*k), GFP_KERNEL);
	if (!k)
		return ERR_PTR(-ENOMEM);
	k->kp = kp;
	k->rp = rp;
	kptrace_kprobe_set(kp, k);
	if (rp)
		err = kptrace_kretprobe_set_handlers(k);
	else
		kptrace_kprobe_set_handlers(k);
	err = err ?: kptrace_kprobe_set_place(k);
	if (err) {
		kptrace_kprobe_free(k);
		return ERR_PTR(err);
	}
	if (kprobe_disabled(kp))
		k->probe.flags |= KPTRACE_DISABLED;
	kp->nmissed = 0;
	return k;
}

/* Arm @num probes, all or none, and tell why not. */
static inline int kptrace_kprobes_arm(struct kptrace_probe **probes, int num)
{
	struct kptrace_error error = { 0 };
	int err = kptrace_register_many(probes, num, &error), i;

	if (err)
		pr_info("kprobe at %s: %s\n", probes[error.nr]->place ?: "an address",
			error.reason);
	for (i = 0; !err && i < num; i++)
		kptrace_kprobe_set_addr(probes[i]);
	return err;
}

/* One of @kps and @rps is NULL. */
static inline int kptrace_kprobes_register(struct kprobe **kps, struct kretprobe **rps,
					   int num)
{
	struct kptrace_kprobe *k;
	struct kptrace_probe **probes;
	int made, err = 0;

	if (num <= 0)
		return -EINVAL;
	probes = kcalloc(num, sizeof(*probes), GFP_KERNEL);
	if (!probes)
		return -ENOMEM;
	for (made = 0; !err && made < num; made += !err) {
		k = kptrace_kprobe_make(rps ? &rps[made]->kp : kps[made],
					rps ? rps[made] : NULL);
		err = PTR_ERR_OR_ZERO(k);
		if (!err)
			probes[made] = &k->probe;
	}
	err = err ?: kptrace_kprobes_arm(probes, num);
	while (err && made)
		kptrace_kprobe_free(kptrace_kprobe_at(probes[--made]));
	kfree(probes);
	return err;
}

static inline void kptrace_kprobe_count(struct kptrace_kprobe *k)
{
	u64 hits, missed;

	kptrace_read_counts(&k->probe, &hits, &missed);
	k->kp->nmissed = missed;
	if (k->rp)
		k->rp->nmissed = missed;
}

/* Probes that are unregistered together: their array must not need memory. */
#define KPTRACE_KPROBES_PIECE	16

static inline void kptrace_kprobes_remove(struct kptrace_probe **probes, unsigned int nr)
{
	unsigned int i;

	kptrace_disable_many(probes, nr);
	for (i = 0; i < nr; i++)
		kptrace_kprobe_count(kptrace_kprobe_at(probes[i]));
	kptrace_unregister_many(probes, nr);
	for (i = 0; i < nr; i++) {
		kfree(probes[i]->place);
		kfree(kptrace_kprobe_at(probes[i]));
	}
}

/* One of @kps and @rps is NULL. Those that are not registered are left alone. */
static inline void kptrace_kprobes_unregister(struct kprobe **kps,
					      struct kretprobe **rps, int num)
{
	struct kptrace_probe *probes[KPTRACE_KPROBES_PIECE];
	struct kptrace_kprobe *k;
	unsigned int nr = 0;
	struct kprobe *kp;
	int i;

	for (i = 0; i < num; i++) {
		kp = rps ? &rps[i]->kp : kps[i];
		k = kptrace_kprobe_of(kp);
		/* The array may have it again. */
		kptrace_kprobe_set(kp, NULL);
		if (k)
			probes[nr++] = &k->probe;
		if (nr == ARRAY_SIZE(probes) || (nr && i == num - 1)) {
			kptrace_kprobes_remove(probes, nr);
			nr = 0;
		}
	}
}

/*
 * The names that modules use.
 */

static inline int kptrace_register_kprobe(struct kprobe *kp)
{
	return kptrace_kprobes_register(&kp, NULL, 1);
}

static inline int kptrace_register_kprobes(struct kprobe **kps, int num)
{
	return kptrace_kprobes_register(kps, NULL, num);
}

static inline int kptrace_register_kretprobe(struct kretprobe *rp)
{
	return kptrace_kprobes_register(NULL, &rp, 1);
}

static inline int kptrace_register_kretprobes(struct kretprobe **rps, int num)
{
	return kptrace_kprobes_register(NULL, rps, num);
}

static inline void kptrace_unregister_kprobe(struct kprobe *kp)
{
	kptrace_kprobes_unregister(&kp, NULL, 1);
}

static inline void kptrace_unregister_kprobes(struct kprobe **kps, int num)
{
	kptrace_kprobes_unregister(kps, NULL, num);
}

static inline void kptrace_unregister_kretprobe(struct kretprobe *rp)
{
	kptrace_kprobes_unregister(NULL, &rp, 1);
}

static inline void kptrace_unregister_kretprobes(struct kretprobe **rps, int num)
{
	kptrace_kprobes_unregister(NULL, rps, num);
}

static inline int kptrace_enable_kprobe(struct kprobe *kp)
{
	struct kptrace_kprobe *k = kptrace_kprobe_of(kp);
	int err = k ? kptrace_enable(&k->probe) : -EINVAL;

	if (!err)
		kp->flags &= ~KPROBE_FLAG_DISABLED;
	return err;
}

static inline int kptrace_disable_kprobe(struct kprobe *kp)
{
	struct kptrace_kprobe *k = kptrace_kprobe_of(kp);

	if (!k)
		return -EINVAL;
	kptrace_disable(&k->probe);
	kptrace_kprobe_count(k);
	kp->flags |= KPROBE_FLAG_DISABLED;
	return 0;
}

static inline int kptrace_enable_kretprobe(struct kretprobe *rp)
{
	return kptrace_enable_kprobe(&rp->kp);
}

static inline int kptrace_disable_kretprobe(struct kretprobe *rp)
{
	return kptrace_disable_kprobe(&rp->kp);
}

static inline const struct kptrace_instance *
kptrace_instance_of(const struct kretprobe_instance *ri)
{
	return (void *)((char *)ri - offsetof(struct kptrace_instance, ri));
}

static inline struct kretprobe *kptrace_get_kretprobe(struct kretprobe_instance *ri)
{
	return kptrace_instance_of(ri)->rp;
}

static inline unsigned long
kptrace_get_kretprobe_retaddr(struct kretprobe_instance *ri)
{
	return kptrace_instance_of(ri)->ret_addr;
}

#define register_kprobe		kptrace_register_kprobe
#define register_kprobes	kptrace_register_kprobes
#define unregister_kprobe	kptrace_unregister_kprobe
#define unregister_kprobes	kptrace_unregister_kprobes
#define enable_kprobe		kptrace_enable_kprobe
#define disable_kprobe		kptrace_disable_kprobe
#define register_kretprobe	kptrace_register_kretprobe
#define register_kretprobes	kptrace_register_kretprobes
#define unregister_kretprobe	kptrace_unregister_kretprobe
#define unregister_kretprobes	kptrace_unregister_kretprobes
#define enable_kretprobe	kptrace_enable_kretprobe
#define disable_kretprobe	kptrace_disable_kretprobe
#define get_kretprobe		kptrace_get_kretprobe
#define get_kretprobe_retaddr	kptrace_get_kretprobe_retaddr

#endif
