/* SPDX-License-Identifier: GPL-2.0-only */
/* The sites of a probe: take, arm, and put them. */
#ifndef KPTRACE_SITES_H
#define KPTRACE_SITES_H

#include "engine/site.h"
#include "lib/fetch/def.h"

struct kpt_batch;
struct kpt_call_owner;
struct kpt_event_file;
struct kpt_probe;

int kpt_sites_get_hit(struct kpt_probe *probe, unsigned long addr,
		       unsigned long func, struct kpt_diag *diag);
int kpt_sites_get_returns(struct kpt_probe *probe, unsigned long func,
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
