/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Points: one object per probed address, shared by all probes there.
 *
 * An address is armed exactly while the hook of its point has handlers.
 */
#ifndef KPTRACE_POINT_H
#define KPTRACE_POINT_H

#include <linux/list.h>
#include <linux/rcupdate.h>
#include <linux/seq_file.h>
#include "arch.h"
#include "engine/hook.h"

struct module;

/**
 * enum kpt_role - why a probe needs a site, or what else its handler does
 * @KPT_ROLE_HIT: a hit there is recorded
 * @KPT_ROLE_RETURN: the site is a return instruction of the function: a hit there
 *	is recorded as a return
 * @KPT_ROLE_ENTRY: the site is the entry of a function whose return is recorded: a
 *	hit there keeps the call until it returns
 * @KPT_ROLE_REPLACE: like KPT_ROLE_ENTRY, but the hit also replaces the return
 *	address
 * @KPT_ROLE_TRAP: like KPT_ROLE_HIT, but the place is a breakpoint without a stub, because
 *	the handler may make the probed code continue elsewhere
 * @KPT_ROLE_AFTER: like KPT_ROLE_TRAP, and the handler has a function that runs after
 *	the instruction
 * @KPT_ROLE_WATCH: the site is the entry of a function: a hit there is recorded if an
 *	argument belongs to an object
 * @KPT_ROLE_TRIGGER: the site is the entry of a function: a hit there runs a trigger
 * @KPT_ROLE_REPEATS: like KPT_ROLE_HIT, but of calls that are made again from the same
 *	place only the number is recorded
 * @KPT_ROLE_MAX_STACK: the site is the entry of a function: a hit there looks how much
 *	of the stack is in use
 * @KPT_NR_ROLES: number of roles of sites
 * @KPT_ROLE_EVENT: not a site, but a record: of another event, or a synthetic one
 * @KPT_ROLE_GRAPH_ENTER: at the entry of a function, for function_graph; this and the next
 *	ones are values of kpt_handler.does alone
 * @KPT_ROLE_GRAPH_LEAVE: where the function returns
 * @KPT_ROLE_PROFILE_ENTER: at the entry of a function, for the profile
 * @KPT_ROLE_PROFILE_LEAVE: where the function returns
 */
enum kpt_role {
	KPT_ROLE_HIT,
	KPT_ROLE_RETURN,
	KPT_ROLE_ENTRY,
	KPT_ROLE_REPLACE,
	KPT_ROLE_TRAP,
	KPT_ROLE_AFTER,
	KPT_ROLE_WATCH,
	KPT_ROLE_TRIGGER,
	KPT_ROLE_REPEATS,
	KPT_ROLE_MAX_STACK,
	KPT_NR_ROLES,
	KPT_ROLE_EVENT = KPT_NR_ROLES,
	KPT_ROLE_GRAPH_ENTER,
	KPT_ROLE_GRAPH_LEAVE,
	KPT_ROLE_PROFILE_ENTER,
	KPT_ROLE_PROFILE_LEAVE,
};

/**
 * struct kpt_point - a probed address
 * @arch: the part that arch/ uses
 * @users: number of references by role; under kpt_mutex
 * @hook: the handlers that a hit runs
 * @gone: its text was freed with its module; never patch it again
 */
struct kpt_point {
	struct kpt_arch_point arch;
	unsigned int users[KPT_NR_ROLES];
	struct kpt_hook hook;
	bool gone;
};

int kpt_can_probe(unsigned long addr, enum kpt_mode *mode, struct kpt_diag *diag);
int kpt_can_list(unsigned long addr, struct kpt_diag *diag);
struct kpt_point *kpt_point_get(unsigned long addr, enum kpt_role role,
				struct kpt_diag *diag);
void kpt_point_put(struct kpt_point *point, enum kpt_role role);
int kpt_point_check(struct kpt_point *point, struct kpt_diag *diag);
int kpt_points_patch(struct kpt_batch *batch, bool arm, struct kpt_diag *diag);

/* Is @addr in text of @mod that is about to be freed? */
typedef bool (*kpt_going_t)(unsigned long addr, const struct module *mod);
void kpt_points_forget(const struct module *mod, kpt_going_t is_going);
void kpt_points_disarm_all(void);
void kpt_points_free_unused(void);
void kpt_point_seq_show(struct seq_file *m, unsigned int nth);

int kpt_point_init(void);
void kpt_point_exit(void);

#endif
