/* SPDX-License-Identifier: GPL-2.0-only */
/* What a point does when it is hit: a flat list, walked without a lock. */
#ifndef KPTRACE_HANDLERS_H
#define KPTRACE_HANDLERS_H

#include "engine/point.h"
#include "event/event_file.h"

/**
 * struct kpt_handler - one probe recording into one instance
 * @probe: the probe
 * @file: its event in the instance
 * @prog: the probe's fetch program
 * @buffer: the instance's buffer
 * @counts: the file's
 * @hits: the probe's, if this is the first handler of @probe with this @role in the
 *	list: it does what is done once per hit, such as counting for
 *	kprobe_profile. Else NULL
 * @func: entry of the function that a hit here enters or leaves; 0 in the middle
 *	of one
 * @length: bytes that a record of @prog takes in the ring, strings left out
 * @type: number of the event in the records
 * @role: enum kpt_role, what the site is for
 * @calls: the probe's calls, NULL if it keeps nothing of them
 *
 * All from @prog to @type is kept here so that a hit finds it in one place.
 */
struct kpt_handler {
	struct kpt_probe *probe;
	struct kpt_event_file *file;
	const struct kpt_fetch_prog *prog;
	struct kpt_buffer *buffer;
	struct kpt_event_file_counts __percpu *counts;
	struct kpt_probe_counts __percpu *hits;
	unsigned long func;
	u16 length;
	u16 type;
	u8 role;
	struct kpt_call_owner *calls;
};

/**
 * enum kpt_handlers_kind - how much of the general way hits need
 * @KPT_HANDLERS_REGISTERS: one handler, which keeps nothing of a call, and its records
 *	hold registers only
 * @KPT_HANDLERS_KNOWN_SIZE: likewise, and they always have the same size
 * @KPT_HANDLERS_ANY: all of it
 */
enum kpt_handlers_kind {
	KPT_HANDLERS_REGISTERS,
	KPT_HANDLERS_KNOWN_SIZE,
	KPT_HANDLERS_ANY,
};

/**
 * struct kpt_handlers - all that a hit at a hook has to do
 * @hook: the hook
 * @nr: how many
 * @kind: how much of the general way its hits need
 * @needs_rcu: symbols of modules are looked up
 * @handler: in the order in which they were enabled, those of one probe together; those
 *	that replace a return address last
 */
struct kpt_handlers {
	struct kpt_hook *hook;
	unsigned int nr;
	enum kpt_handlers_kind kind;
	bool needs_rcu;
	struct kpt_handler handler[];
};

struct kpt_handlers *kpt_handlers_with(struct kpt_hook *hook,
			       struct kpt_probe *probe, struct kpt_event_file *file,
			       enum kpt_role role, unsigned long func);
struct kpt_handlers *kpt_handlers_without(struct kpt_hook *hook,
				  const struct kpt_probe *probe,
				  const struct kpt_event_file *file,
				  unsigned int *left);

#endif
