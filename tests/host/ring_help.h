/* SPDX-License-Identifier: GPL-2.0-only */
/* Rings in memory of their own, and records that tell which they are. */
#ifndef RING_HELP_H
#define RING_HELP_H

#include "lib/base/port.h"
#include "lib/ring/ring.h"
#include "harness.h"

/* The payload last read. */
static u64 buf[65536];

static inline struct kpt_ring *ring_new(u32 size)
{
	struct kpt_ring *r = aligned_alloc(64, sizeof(*r));

	kpt_ring_init(r, aligned_alloc(8, size), size);
	return r;
}

static inline void ring_free(struct kpt_ring *r)
{
	free(r->data);
	free(r);
}

/* Fill a payload by which the record can be identified. */
static inline void fill(u64 *p, u32 bytes, u64 ts)
{
	u32 i;

	for (i = 0; i < (bytes + 7) / 8; i++)
		p[i] = ts * 0x9e3779b97f4a7c15ULL + i;
}

static inline bool filled(const u64 *p, u32 bytes, u64 ts)
{
	u32 i;

	for (i = 0; i < bytes / 8; i++)
		if (p[i] != ts * 0x9e3779b97f4a7c15ULL + i)
			return false;
	return true;
}

static inline struct kpt_ring_stats stats(struct kpt_ring *r)
{
	struct kpt_ring_stats st;

	kpt_ring_stats(r, &st);
	EXPECT_EQ(st.written, st.entries + st.read + st.overrun);
	return st;
}

#endif
