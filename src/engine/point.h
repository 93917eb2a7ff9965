/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Points: one object per probed address, shared by all probes there.
 *
 * What a hit has to do is a list that the layer above builds and publishes
 * here; an address is armed exactly while its list is not empty. Changes are
 * collected in a batch, so that a thousand of them cost two machine stops and one
 * wait until no hit runs on what was before.
 */
#ifndef KPTRACE_POINT_H
#define KPTRACE_POINT_H

#include <linux/list.h>
#include <linux/rcupdate.h>
#include <linux/seq_file.h>
#include <kptrace/arch.h>

struct kpt_handlers;
struct module;

/**
 * enum kpt_role - what a site of a probe is for
 * @KPT_ROLE_HIT: a hit is recorded
 * @KPT_ROLE_RETURN: a hit is recorded as a return; the site is a return
 *	instruction of the function
 * @KPT_ROLE_ENTRY: the entry of a function whose return is recorded: values
 *	are kept for then
 * @KPT_ROLE_HOOK: the same, and the return address is replaced
 * @KPT_NR_ROLES: how many there are
 */
enum kpt_role {
	KPT_ROLE_HIT,
	KPT_ROLE_RETURN,
	KPT_ROLE_ENTRY,
	KPT_ROLE_HOOK,
	KPT_NR_ROLES,
};

/**
 * struct kpt_point - a probed address
 * @arch: the engine's part
 * @node: in the address hash; readers in BRK context hold no lock
 * @users: probes that hold a reference, by role; under kpt_mutex
 * @handlers: what a hit runs; NULL while disarmed; readers hold no lock
 * @next_handlers: what a batch will publish; under kpt_mutex
 * @in_batch: link in the batch that changes it
 * @gone: its text was freed with its module; never patch it again
 */
struct kpt_point {
	struct kpt_arch_point arch;
	struct hlist_node node;
	unsigned int users[KPT_NR_ROLES];
	struct kpt_handlers __rcu *handlers;
	struct kpt_handlers *next_handlers;
	struct list_head in_batch;
	bool gone;
};

/**
 * struct kpt_batch - changes to be made together
 * @points: points whose list changes
 */
struct kpt_batch {
	struct list_head points;
};

#define KPT_BATCH_INIT(b) { .points = LIST_HEAD_INIT((b).points) }

struct kpt_point *kpt_point_get(unsigned long addr, enum kpt_role role,
				struct kpt_diag *diag);
void kpt_point_put(struct kpt_point *point, enum kpt_role role);
void kpt_batch_add(struct kpt_batch *batch, struct kpt_point *point,
		   struct kpt_handlers *handlers);
struct kpt_handlers *kpt_batch_handlers(struct kpt_point *point);
int kpt_batch_apply(struct kpt_batch *batch);
void kpt_batch_drop(struct kpt_batch *batch);

/* Does an address lie in text of the module that is about to go? */
typedef bool (*kpt_going_t)(unsigned long addr, const struct module *mod);
void kpt_point_forget(const struct module *mod, kpt_going_t is_going);
void kpt_point_disarm_all(void);
void kpt_point_seq_show(struct seq_file *m);
int kpt_point_init(void);
void kpt_point_exit(void);

#endif
