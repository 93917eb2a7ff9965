/* SPDX-License-Identifier: GPL-2.0-only */
/* What a point does when it is hit: a flat list, walked without a lock. */
#ifndef KPTRACE_HIT_H
#define KPTRACE_HIT_H

#include <kptrace/event.h>

/**
 * struct kpt_tap - one probe recording into one instance
 * @probe: the probe
 * @file: its event in the instance
 * @role: what the site is for
 * @counted: the first tap of @probe in the list: it does what is done once per
 *	hit, such as counting for kprobe_profile
 */
struct kpt_tap {
	struct kpt_probe *probe;
	struct kpt_file *file;
	enum kpt_role role;
	bool counted;
};

/**
 * struct kpt_taps - all that an armed point has to do
 * @nr: how many
 * @tap: in the order in which they were enabled, those of one probe together
 */
struct kpt_taps {
	unsigned int nr;
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
 * @tap: the addition; its @counted is worked out here
 *
 * Context: process context, sleeps.
 * Return: a new list, or NULL without memory.
 */
struct kpt_taps *kpt_taps_with(const struct kpt_taps *old,
			       const struct kpt_tap *tap);

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
