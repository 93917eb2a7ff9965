/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Sites: the addresses that a probe needs armed. A function whose entry is probed has
 * one. A function whose returns are probed has its return instructions, its entry, or
 * both. The sites of one function stand next to each other.
 */
#ifndef KPTRACE_SITES_H
#define KPTRACE_SITES_H

#include "engine/point.h"
#include "lib/fetch/def.h"

struct kpt_batch;
struct kpt_call_owner;
struct kpt_event_file;
struct kpt_probe;

/**
 * struct kpt_site - one address that a probe needs armed
 * @point: the point there
 * @func: entry of the function that a hit here enters or leaves; 0 in the middle
 *	of one
 * @calls: owner of the calls of the function; NULL if nothing is kept of them
 * @role: enum kpt_role: what the probe needs the site for
 * @is_first: it is the first site of its function
 * @is_out: of a first site: the function was not armed, because other code has
 *	patched one of its sites
 */
struct kpt_site {
	struct kpt_point *point;
	unsigned long func;
	struct kpt_call_owner *calls;
	u8 role;
	bool is_first;
	bool is_out;
};

/**
 * struct kpt_sites - the sites of a probe
 * @site: the sites
 * @nr: number of sites
 * @room: number of sites that there is memory for
 * @one: the memory, as long as there are no more
 */
struct kpt_sites {
	struct kpt_site *site;
	unsigned int nr;
	unsigned int room;
	struct kpt_site one;
};

int kpt_sites_take_hit(struct kpt_probe *probe, unsigned long addr,
		       unsigned long func, struct kpt_diag *diag);
int kpt_sites_take_returns(struct kpt_probe *probe, unsigned long func,
			   enum kpt_def_method method, u16 maxactive,
			   struct kpt_diag *diag);
void kpt_sites_put(struct kpt_probe *probe);
int kpt_sites_arm(struct kpt_probe *probe, struct kpt_event_file *file,
		  struct kpt_batch *batch, struct kpt_diag *diag);
int kpt_sites_disarm(struct kpt_probe *probe, struct kpt_event_file *file,
		     struct kpt_batch *batch);
bool kpt_sites_stand_in(const struct kpt_probe *probe, const struct module *mod,
			kpt_going_t is_going);
int kpt_sites_leave(struct kpt_probe *probe, const struct module *mod,
		    kpt_going_t is_going, struct kpt_batch *batch);
void kpt_sites_detach(struct kpt_probe *probe, const struct module *mod,
		      kpt_going_t is_going);
unsigned long kpt_sites_function(const struct kpt_probe *probe, unsigned int *at);

#endif
