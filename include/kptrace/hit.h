/* SPDX-License-Identifier: GPL-2.0-only */
/* What a point does when it is hit: a flat list, walked without a lock. */
#ifndef KPTRACE_HIT_H
#define KPTRACE_HIT_H

#include <kptrace/event.h>

/**
 * struct kpt_tap - one probe recording into one instance
 * @probe: the probe
 * @file: its event in the instance
 * @prog: the probe's fetch program
 * @buffer: the instance's buffer
 * @counts: the file's
 * @hits: the probe's, if this is the first tap of @probe with this @role in the
 *	list: it does what is done once per hit, such as counting for
 *	kprobe_profile. Else NULL
 * @addr: address the probe stands at
 * @length: bytes that a record of @prog takes in the ring, strings left out
 * @type: number of the event in the records
 * @role: enum kpt_role, what the site is for
 *
 * All from @prog to @type is kept here so that a hit finds it in one place.
 */
struct kpt_tap {
	struct kpt_probe *probe;
	struct kpt_file *file;
	const struct kpt_fetch_prog *prog;
	struct kpt_buffer *buffer;
	struct kpt_file_counts __percpu *counts;
	struct kpt_probe_counts __percpu *hits;
	unsigned long addr;
	u16 length;
	u16 type;
	u8 role;
};

/**
 * enum kpt_taps_kind - how much of the general way hits need
 * @KPT_TAPS_REGISTERS: one tap, which keeps nothing of a call, and its records
 *	hold registers only
 * @KPT_TAPS_KNOWN_SIZE: likewise, and they always have the same size
 * @KPT_TAPS_ANY: all of it
 */
enum kpt_taps_kind {
	KPT_TAPS_REGISTERS,
	KPT_TAPS_KNOWN_SIZE,
	KPT_TAPS_ANY,
};

/**
 * struct kpt_taps - all that an armed point has to do
 * @nr: how many
 * @kind: how much of the general way its hits need
 * @needs_rcu: symbols of modules are looked up
 * @tap: in the order in which they were enabled, those of one probe together; those
 *	that replace a return address last
 */
struct kpt_taps {
	unsigned int nr;
	enum kpt_taps_kind kind;
	bool needs_rcu;
	struct kpt_tap tap[];
};

/**
 * kpt_hit_record() - put a record into this CPU's ring
 * @buf: the buffer
 * @made: the record
 * @size: its bytes
 *
 * Context: BRK.
 * Return: true, or false without room.
 */
bool kpt_hit_record(struct kpt_buffer *buf, const void *made, size_t size);

/**
 * kpt_taps_with() - a list with one tap more
 * @old: the list, or NULL
 * @probe: the addition: this probe
 * @file: records into this file
 * @role: when it is hit here
 *
 * Context: process context, sleeps.
 * Return: a new list, or NULL without memory.
 */
struct kpt_taps *kpt_taps_with(const struct kpt_taps *old,
			       struct kpt_probe *probe, struct kpt_file *file,
			       enum kpt_role role);

/**
 * kpt_taps_without() - a list without some of its taps
 * @old: the list
 * @probe: taps of this probe go
 * @file: of those only the ones of this file, or NULL for all
 * @left: result: how many are left
 *
 * Context: process context, sleeps.
 * Return: a new list; NULL if @left is 0, or without memory.
 */
struct kpt_taps *kpt_taps_without(const struct kpt_taps *old,
				  const struct kpt_probe *probe,
				  const struct kpt_file *file,
				  unsigned int *left);

#endif
