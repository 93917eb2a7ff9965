// SPDX-License-Identifier: GPL-2.0-only
/* Pages of records in ftrace's layout; see rawpage.h. */
#include "lib/base/port.h"
#include "parts/raw/rawpage.h"
#include "lib/record/record.h"

#define TYPE_LEN_MAX		28
#define TYPE_PADDING		29
#define TYPE_TIME_EXTEND	30
#define TYPE_TIME_STAMP		31

#define TYPE_LEN	GENMASK(4, 0)
#define TIME_DELTA	GENMASK(31, 5)
#define DELTA_BITS	27
#define EXTEND_BITS	59

#define MISSED_EVENTS	BIT(31)
#define MISSED_STORED	BIT(30)

/**
 * kpt_rawpage_begin() - start an empty page
 * @page: the page
 * @mem: its memory, aligned to 8
 * @size: bytes at @mem, a page or a sub-buffer of several, at most 64 MiB
 * @missed: records lost between the page before and this one
 *
 * Context: any.
 */
void kpt_rawpage_begin(struct kpt_rawpage *page, void *mem, u32 size,
		       u64 missed)
{
	page->mem = mem;
	page->size = size;
	page->used = 0;
	page->ts = 0;
	page->missed = missed;
}

static void page_put(struct kpt_rawpage *page, const void *data, u32 bytes)
{
	memcpy(page->mem + KPT_RAWPAGE_HEADER + page->used, data, bytes);
	page->used += bytes;
}

static void page_put_word(struct kpt_rawpage *page, u32 word)
{
	page_put(page, &word, sizeof(word));
}

static void page_put_event(struct kpt_rawpage *page, u32 type_len, u32 delta)
{
	page_put_word(page, FIELD_PREP(TYPE_LEN, type_len) |
		       FIELD_PREP(TIME_DELTA, delta));
}

/**
 * kpt_rawpage_add() - append a record
 * @page: the page
 * @data: the record, beginning with its common fields
 * @bytes: bytes of the record; padded with zeros to a multiple of 4
 * @ts: time of the record, in the unit of the clock. Times in a page cannot run
 *	backwards: an earlier time, of a record during which another one was
 *	recorded, is replaced by that of the record before.
 *
 * A page can say only at its beginning that records were lost. If some were
 * lost before this record, finish the page and begin the next.
 *
 * Context: any.
 * Return: false if the record does not fit; if the page is empty, it fits into
 * no page.
 */
bool kpt_rawpage_add(struct kpt_rawpage *page, const void *data, u32 bytes,
		     u64 ts)
{
	static const u8 zeros[4];
	/* Room for the number of lost records, unless the first event needs it. */
	u64 keep = page->missed && page->used ? sizeof(page->missed) : 0;
	u64 len = bytes ? ALIGN((u64)bytes, 4) : 4, delta = 0, need;
	bool small = len <= 4 * TYPE_LEN_MAX, extend;

	if (page->used && ts > page->ts)
		delta = ts - page->ts;
	extend = delta >> DELTA_BITS;
	need = len + (small ? 4 : 8) + 8 * extend + keep;
	if (delta >> EXTEND_BITS ||
	    page->used + need > page->size - KPT_RAWPAGE_HEADER)
		return false;
	if (!page->used)
		memcpy(page->mem, &ts, sizeof(ts));
	page->ts = page->used ? page->ts + delta : ts;
	if (extend) {
		page_put_event(page, TYPE_TIME_EXTEND,
			       delta & GENMASK(DELTA_BITS - 1, 0));
		page_put_word(page, delta >> DELTA_BITS);
		delta = 0;
	}
	page_put_event(page, small ? len / 4 : 0, delta);
	if (!small)
		page_put_word(page, len + 4);
	page_put(page, data, bytes);
	page_put(page, zeros, len - bytes);
	return true;
}

/* Words of the largest record whose size is in the event's header, less the first one. */
#define PLAIN_MORE (4 * TYPE_LEN_MAX / 8 - 1)

/* Copy whole words: of most records that is less than a call of memcpy() takes. */
static __always_inline void page_copy_words(u8 *to, const u64 *from, const u64 *end, bool odd)
{
	if (odd) {
		memcpy(to, from++, 8);
		to += 8;
	}
	for (; from < end; from += 2, to += 16)
		memcpy(to, from, 16);
}

/**
 * kpt_rawpage_add_chunk() - append the plain records that are next in a chunk
 * @page: the page; has a record already
 * @chunk: the chunk
 * @cur: the cursor that it was found for; moved past the records, as is @chunk
 * @near: converts their stamps
 *
 * A record is plain if it is small, soon after the one before, not in another span, and
 * fits. What is done here for each is most of what it costs to drain a buffer.
 *
 * Each word of the chunk is read once: it may be overwritten meanwhile. Then the page has
 * rubbish, which stays inside the page.
 *
 * Context: any.
 * Return: number of records; the next one, if there is one, is for kpt_rawpage_add().
 */
u32 kpt_rawpage_add_chunk(struct kpt_rawpage *page, struct kpt_ring_chunk *chunk,
			  struct kpt_ring_cursor *cur, const struct kpt_era *near)
{
	const u64 *begin = chunk->mem + chunk->at / 8, *h = begin, *next;
	const u64 *end = chunk->mem + chunk->bytes / 8;
	u8 *start = page->mem + KPT_RAWPAGE_HEADER + page->used, *to = start, *to_next;
	/* What may follow a record is the number of lost ones. */
	const u8 *last = page->mem + page->size - sizeof(page->missed);
	const struct kpt_era span = *near;
	u64 number = cur->seq << 32, ts = page->ts, stamp, delta, more;
	u32 head, nr;

	/* A record has three words, of which the last belongs to the page, and more. */
	for (; end - h >= 3; number += 1ULL << 32) {
		/* A wrong number, padding and other sizes all give a large value. */
		more = (READ_ONCE(h[0]) ^ number) - 3 * 8;
		more = more >> 3 | more << 61;
		if (more > PLAIN_MORE)
			break;
		next = h + 3 + more;
		to_next = to + sizeof(head) + 8 + 8 * more;
		stamp = READ_ONCE(h[1]);
		if (next > end || to_next > last || !kpt_era_has(&span, stamp) ||
		    (u16)READ_ONCE(h[2]) == KPT_RECORD_RAW_DATA_CUT)
			break;
		delta = kpt_era_convert(&span, stamp) - ts;
		if (delta >> DELTA_BITS)
			break;
		ts += delta;
		head = FIELD_PREP(TYPE_LEN, (u32)more * 2 + 2) |
		       FIELD_PREP(TIME_DELTA, (u32)delta);
		memcpy(to, &head, sizeof(head));
		page_copy_words(to + sizeof(head), h + 2, next, !(more & 1));
		to = to_next;
		h = next;
	}
	nr = (u32)(number >> 32) - (u32)cur->seq;
	page->used += (u32)(to - start);
	page->ts = ts;
	cur->pos += (u64)(h - begin) * 8;
	cur->seq += nr;
	chunk->at += (u32)(h - begin) * 8;
	return nr;
}

/**
 * kpt_rawpage_finish() - complete the header and clear unused bytes
 * @page: the page, all of which may be copied to user space afterwards
 *
 * Context: any.
 */
void kpt_rawpage_finish(struct kpt_rawpage *page)
{
	u64 commit = page->used, ts = 0;

	if (!page->used)
		memcpy(page->mem, &ts, sizeof(ts));
	if (page->missed)
		commit |= MISSED_EVENTS;
	if (page->missed && page->size - KPT_RAWPAGE_HEADER - page->used >= 8) {
		commit |= MISSED_STORED;
		page_put(page, &page->missed, sizeof(page->missed));
	}
	memcpy(page->mem + 8, &commit, sizeof(commit));
	memset(page->mem + KPT_RAWPAGE_HEADER + page->used, 0,
	       page->size - KPT_RAWPAGE_HEADER - page->used);
}

/**
 * kpt_rawpage_describe() - write the text of events/header_page
 * @sb: where to write
 * @size: bytes of a page
 *
 * Context: any.
 */
void kpt_rawpage_describe(struct kpt_strbuf *sb, u32 size)
{
	kpt_strbuf_puts(sb,
		"\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;\n"
		"\tfield: local_t commit;\toffset:8;\tsize:8;\tsigned:1;\n"
		"\tfield: char overwrite;\toffset:8;\tsize:1;\tsigned:0;\n");
	kpt_strbuf_printf(sb,
		"\tfield: char data;\toffset:%u;\tsize:%u;\tsigned:0;\n",
		KPT_RAWPAGE_HEADER, size - KPT_RAWPAGE_HEADER);
}

/**
 * kpt_rawpage_describe_event() - write the text of events/header_event
 * @sb: where to write
 *
 * Context: any.
 */
void kpt_rawpage_describe_event(struct kpt_strbuf *sb)
{
	kpt_strbuf_printf(sb,
		"# compressed entry header\n"
		"\ttype_len    :    5 bits\n"
		"\ttime_delta  :   27 bits\n"
		"\tarray       :   32 bits\n"
		"\n"
		"\tpadding     : type == %d\n"
		"\ttime_extend : type == %d\n"
		"\ttime_stamp : type == %d\n"
		"\tdata max type_len  == %d\n",
		TYPE_PADDING, TYPE_TIME_EXTEND, TYPE_TIME_STAMP, TYPE_LEN_MAX);
}
