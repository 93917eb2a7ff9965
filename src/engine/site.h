/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Sites: the addresses that a probe needs armed. A function whose entry is probed has
 * one. A function whose returns are probed has its return instructions, its entry, or
 * both. The sites of one function stand next to each other.
 */
#ifndef KPTRACE_SITE_H
#define KPTRACE_SITE_H

#include "engine/point.h"

struct kpt_call_owner;

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

#endif
