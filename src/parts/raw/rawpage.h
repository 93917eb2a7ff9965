/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Pages of records in the layout of ftrace's ring buffer, for trace_pipe_raw,
 * so that trace-cmd and Perfetto can read them as they read those of tracefs.
 *
 *	page:   u64 time of the first record
 *		u64 bytes of events that follow (bits 26..0); bit 31: records
 *		    were lost before this page; bit 30: their number is a u64
 *		    behind the events (always, unless a single event fills the
 *		    page)
 *		events, then zeros
 *	event:  u32 type_len (bits 4..0), time since the event before (31..5)
 *		type_len 1..28: so many words of payload
 *		type_len 0: a u32, 4 + bytes of payload, then the payload
 *		type_len 30: no record; a u32, the time's bits 58..27
 *
 * Numbers are little-endian. Sources: the files events/header_page and
 * events/header_event of tracefs; the kernel's
 * Documentation/trace/ring-buffer-design.rst; libtraceevent's kbuffer and
 * Perfetto's cpu_reader, which must be able to read the pages.
 */
#ifndef KPTRACE_RAWPAGE_H
#define KPTRACE_RAWPAGE_H

#include "lib/base/port.h"
#include "lib/record/record.h"
#include "lib/ring/epoch.h"
#include "lib/ring/ring.h"
#include "lib/base/strbuf.h"

/** KPT_RAWPAGE_HEADER - bytes before the first event of a page */
#define KPT_RAWPAGE_HEADER 16

/**
 * struct kpt_rawpage - a page under construction
 * @mem: the page, aligned to 8
 * @size: its bytes
 * @used: bytes of events so far
 * @begin: time of the first record
 * @ts: time of the last record
 * @missed: number of records lost before this page; may be set until the first
 *	record is added
 * @is_full: the next record has no room, as kpt_rawpage_add_chunk() has seen
 * @is_user: @mem is memory of the current task; what is not there is not fetched, and
 *	@is_fault is set
 * @is_fault: the page is not what it should be
 */
struct kpt_rawpage {
	u8 *mem;
	u32 size;
	u32 used;
	u64 begin;
	u64 ts;
	u64 missed;
	bool is_full;
	bool is_user;
	bool is_fault;
};

void kpt_rawpage_begin(struct kpt_rawpage *page, void *mem, u32 size,
		       u64 missed);
bool kpt_rawpage_add(struct kpt_rawpage *page, const void *data, u32 bytes,
		     u64 ts);
u32 kpt_rawpage_add_chunk(struct kpt_rawpage *page, struct kpt_ring_chunk *chunk,
			  struct kpt_ring_cursor *cur, const struct kpt_era *near,
			  const struct kpt_record_place *places);
void kpt_rawpage_finish(struct kpt_rawpage *page);
void kpt_rawpage_describe(struct kpt_strbuf *sb, u32 size);
void kpt_rawpage_describe_event(struct kpt_strbuf *sb);

#endif
