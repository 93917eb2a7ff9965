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

struct kpt_taps;
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
 * @taps: what a hit runs; NULL while disarmed; readers hold no lock
 * @next_taps: what a batch will publish; under kpt_mutex
 * @in_batch: link in the batch that changes it
 * @gone: its text was freed with its module; never patch it again
 */
struct kpt_point {
	struct kpt_arch_point arch;
	struct hlist_node node;
	unsigned int users[KPT_NR_ROLES];
	struct kpt_taps __rcu *taps;
	struct kpt_taps *next_taps;
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

/**
 * kpt_point_get() - the point at an address, made if need be
 * @addr: address of an instruction
 * @role: what for
 * @diag: on refusal the one exact reason
 *
 * Context: process context, sleeps, kpt_mutex held.
 * Return: the point with a reference, or ERR_PTR(): -EINVAL with a reason,
 * -ENOMEM.
 */
struct kpt_point *kpt_point_get(unsigned long addr, enum kpt_role role,
				struct kpt_diag *diag);

/**
 * kpt_point_put() - drop a reference
 * @point: if it was the last one, disarmed and kpt_batch_apply() has returned
 *	since
 * @role: as for kpt_point_get()
 *
 * Context: process context, sleeps, kpt_mutex held.
 */
void kpt_point_put(struct kpt_point *point, enum kpt_role role);

/**
 * kpt_batch_add() - change the list of a point when the batch is applied
 * @batch: the batch
 * @point: the point; a later change in the same batch replaces this one
 * @taps: its new list from kmalloc(), owned by the batch from now on; NULL
 *	disarms
 *
 * Context: process context, kpt_mutex held.
 */
void kpt_batch_add(struct kpt_batch *batch, struct kpt_point *point,
		   struct kpt_taps *taps);

/**
 * kpt_batch_taps() - the list a point has, or will have
 * @point: the point
 *
 * Context: process context, kpt_mutex held.
 * Return: the list of the pending batch if it is in one, else the current
 * one, or NULL.
 */
struct kpt_taps *kpt_batch_taps(struct kpt_point *point);

/**
 * kpt_batch_apply() - publish, arm and disarm all of a batch
 * @batch: empty afterwards, in both cases
 *
 * One machine stop to arm and one to disarm for each 32,768 points at most, and one
 * wait at the end:
 * when it returns, no hit runs on an old list, and old lists are freed.
 *
 * Context: process context, sleeps, kpt_mutex held.
 * Return: 0 or the errno of kpt_arch_arm(); then every list is as it was.
 */
int kpt_batch_apply(struct kpt_batch *batch);

/**
 * kpt_batch_drop() - forget a batch without applying it
 * @batch: empty afterwards
 *
 * Context: process context, kpt_mutex held.
 */
void kpt_batch_drop(struct kpt_batch *batch);

/* Does an address lie in text of the module that is about to go? */
typedef bool (*kpt_going_t)(unsigned long addr, const struct module *mod);

/**
 * kpt_point_forget() - text of a module is about to be freed
 * @mod: the module
 * @is_going: which of its text
 *
 * Disarms points that are still armed there, and takes all out of the hash.
 * They stay allocated, marked gone, until their last user puts them.
 *
 * Context: process context, sleeps, kpt_mutex held.
 */
void kpt_point_forget(const struct module *mod, kpt_going_t is_going);

/**
 * kpt_point_seq_show() - lines of kprobes/list, one per point
 * @m: where to
 *
 * Context: process context, kpt_mutex held.
 */
void kpt_point_seq_show(struct seq_file *m);

/**
 * kpt_point_init() - make the address hash
 *
 * Context: module load.
 * Return: 0 or -ENOMEM.
 */
int kpt_point_init(void);

/**
 * kpt_point_exit() - free the address hash; no point is left
 *
 * Context: module unload.
 */
void kpt_point_exit(void);

#endif
