/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What probes are for. A probe that is not there to record has a row of its own, struct
 * kpt_use, beside the code that makes it.
 */
#ifndef KPTRACE_USE_H
#define KPTRACE_USE_H

#include "engine/point.h"

struct kpt_probe;
struct kpt_profile_counts;
struct kptrace_probe;

/**
 * struct kpt_use - what a probe is for
 * @role: of a place that it takes by kpt_sites_get_hit()
 * @at_entry: what its handlers do where the role is KPT_ROLE_ENTRY or KPT_ROLE_REPLACE, see
 *	kpt_handler.does; 0: as these roles say
 * @at_return: the same where it is KPT_ROLE_RETURN
 * @keeps_start: calls have their start
 * @hit: what stubs call for a list that has one handler, of it, with one sink; NULL:
 *	kpt_hit_current
 * @functions: finds the functions of another module that hits call; NULL if there are none
 * @counts: makes counters for the calls of the function at @func; returns NULL without
 *	memory. NULL if nothing counts them. In process context, under kpt_mutex
 */
struct kpt_use {
	u8 role;
	u8 at_entry;
	u8 at_return;
	bool keeps_start;
	kpt_arch_hit_t hit;
	struct kptrace_probe *(*functions)(const struct kpt_probe *probe);
	struct kpt_profile_counts __percpu *(*counts)(unsigned long func);
};

/* Its hits are recorded, as are the returns that it asks for. */
extern const struct kpt_use kpt_use_record;

#endif
