/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reading a ring that nobody writes to any more, of a kernel that has crashed, in its
 * memory or in what a reboot has left of it: nothing in it is trusted, and memory that
 * cannot be read is skipped.
 */
#ifndef KPTRACE_RING_WALK_H
#define KPTRACE_RING_WALK_H

#include "lib/ring/ring.h"

/**
 * struct kpt_ring_walk - position in such a ring
 * @data: address of the memory of the ring, for port_read_kernel()
 * @size: its bytes
 * @max: bytes of the largest record, header included
 * @pos: position of the next record, or of bytes that are none
 * @from: records with lower numbers are left out
 * @sure: position of a record, or of the next one; what is behind it may be older
 *	unless it is @end
 * @whole: position behind the last bytes that must be records
 * @end: no record ends behind this position
 * @seq: number of the next record; before the first head, a lower one
 * @ts: time of the last head
 * @newest: time of the last record or head
 * @sure_seq: number of the record at @sure
 * @end_seq: number of the record that was to be written next; if that is not known,
 *	a higher one
 * @trusted: up to this position, which a head tells, items follow one another; or 0
 * @lost: number of records that are missing before the next one
 * @begun: a record was found
 * @gap: there was damage, or nothing was found yet: only a head tells what follows
 * @bad: all bytes so far that were no record
 * @at: position of the payload that kpt_ring_walk_next() found
 */
struct kpt_ring_walk {
	u64 data;
	u32 size;
	u32 max;
	u64 pos;
	u64 from;
	u64 sure;
	u64 whole;
	u64 end;
	u64 seq;
	u64 ts;
	u64 newest;
	u64 sure_seq;
	u64 end_seq;
	u64 trusted;
	u64 lost;
	bool begun;
	bool gap;
	u64 bad;
	u64 at;
};

bool kpt_ring_walk_begin(struct kpt_ring_walk *w, const struct kpt_ring *r);
bool kpt_ring_walk_begin_kept(struct kpt_ring_walk *w, const void *data, u32 size,
			      const struct kpt_ring_kept *kept);
bool kpt_ring_walk_next(struct kpt_ring_walk *w, struct kpt_ring_info *info);
u32 kpt_ring_walk_copy(const struct kpt_ring_walk *w,
		       const struct kpt_ring_info *info, void *buf, u32 room);

#endif
