// SPDX-License-Identifier: GPL-2.0-only
/* Pages of records in ftrace's layout; see rawpage.h. */
#include "lib/base/port.h"
#include "parts/raw/rawpage.h"

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
	page->is_full = false;
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

/* Words of the largest payload whose size is in the event's header. */
#define PLAIN_WORDS (4 * TYPE_LEN_MAX / 8)
/* Bytes that are copied at once: most records of registers have no more. */
#define STRIDE 32
#define HEADER ((u32)sizeof(struct kpt_ring_header))
#define HEAD ((u32)sizeof(struct kpt_record_head))
/* What is read and written of a record in a ring whose payload has @bytes: whole strides. */
#define REACH(bytes) (HEADER + ALIGN(bytes, STRIDE))
/* How much more that is if it leaves its place out. */
#define REACH_MORE (HEAD + KPT_RECORD_LEFT_OUT)
/* Where the time is in a word of a ring. */
#define WORD_TIME_BITS 8
#define WORD_TIME GENMASK_ULL(63, WORD_TIME_BITS)

/**
 * struct plain - where plain records are copied from and to
 * @from: the next record in the chunk
 * @end: end of the chunk
 * @to: end of the page's records
 * @room: end of the room for them
 * @records: how many were copied
 * @places: what records leave out, see kpt_record_place()
 * @era: beginning of the span, as a word of a ring has it
 * @mult: ns of a count, times 2^(64 - WORD_TIME_BITS)
 * @ns: time of the page's last record, since the beginning of the span
 * @is_full: the next record is plain, but for that it has no room in the page
 */
struct plain {
	const u8 *from;
	const u8 *end;
	u8 *to;
	const u8 *room;
	u32 records;
	const struct kpt_record_place *places;
	u64 era;
	u64 mult;
	u64 ns;
	bool is_full;
};

/* kpt_era_since() of the time of a record; a time before the era gives a large value, too. */
static __always_inline u64 plain_since(const struct plain *p, u64 word)
{
	return (u64)((unsigned __int128)((word & WORD_TIME) - p->era) * p->mult >> 64);
}

/**
 * struct known - the place that the record before had
 * @number: its number
 * @ip: the place
 * @more: what is added to a word with that number to have the type of the event there
 */
struct known {
	u16 number;
	u64 ip;
	u64 more;
};

static __always_inline bool known_find(struct known *known, const struct plain *p, u16 number)
{
	const struct kpt_record_place *place = kpt_record_place(p->places, number);

	if (!place)
		return false;
	known->number = number;
	known->ip = place->ip;
	known->more = (u64)place->type - number;
	return true;
}

/*
 * Append records of @words, the last of which begins at @stop or before, until one is of
 * another size, or not plain. @stride bytes are copied at once, which is @all of them or not;
 * a @short record has its head and its place in the page besides. Returns false if it is the
 * first one.
 *
 * This is most of what it costs to drain a buffer. So unless @stride is a word, nothing is
 * checked for each record that can be checked for many: REACH() behind @stop is in the chunk,
 * and so much room is in the page. In any case the caller checks whether the chunk was
 * intact, and whether the last record, which has the highest time, is in the span.
 */
static __always_inline bool page_add_run(struct plain *p, const u8 *stop, u32 words,
					 const u32 stride, const bool all, const bool is_short)
{
	const bool careful = stride == sizeof(u64);
	const u32 bytes = 8 * words, size = HEADER + bytes;
	const u32 apart = is_short ? HEAD : 0, gets = bytes + (is_short ? KPT_RECORD_LEFT_OUT : 0);
	const u8 *h = p->from;
	/* The payload in the page. */
	u8 *to = p->to + sizeof(u32);
	u64 last = p->ns, ns, delta, word, first;
	struct known known = { 0 };
	u32 head, i;

	do {
		/* The writer may change them: bounds hold as each is read once. */
		word = READ_ONCE(*(const u64 *)h);
		first = READ_ONCE(*(const u64 *)(h + HEADER));
		ns = plain_since(p, word);
		delta = ns - last;
		if ((u8)word != (u8)(size / 8) || delta >= BIT(DELTA_BITS))
			break;
		if (is_short ? known.number != (u16)first && !known_find(&known, p, (u16)first) :
			       kpt_record_is_cut((u16)first))
			break;
		if (careful && (long)size > p->end - h)
			break;
		p->is_full = careful && (long)gets > p->room - to;
		if (p->is_full)
			break;
		last = ns;
		head = FIELD_PREP(TYPE_LEN, gets / 4) | FIELD_PREP(TIME_DELTA, (u32)delta);
		memcpy(to - sizeof(head), &head, sizeof(head));
		if (is_short) {
			first += known.more;
			memcpy(to, &first, sizeof(first));
			memcpy(to + HEAD, &known.ip, sizeof(known.ip));
		}
		for (i = apart; all ? i == apart : i < bytes; i += stride)
			memcpy(to + gets - bytes + i, h + HEADER + i, stride);
		h += size;
		to += sizeof(head) + gets;
	} while (h <= stop);
	if (h == p->from)
		return false;
	p->records += (u32)(h - p->from) / size;
	p->ns = last;
	p->from = h;
	p->to = to - sizeof(u32);
	return true;
}

/* Append records that are alike. Returns false if the first one is not plain. */
static __always_inline bool page_add_alike(struct plain *p, u32 words, const bool is_short)
{
	long room = p->room - p->to;

	/* A short record takes more room in the page, at most a quarter; others take less. */
	if (is_short)
		room -= room / 5;
	room = min(p->end - p->from, room) - (is_short ? REACH_MORE : 0);
	if (words - is_short <= STRIDE / 8 && room >= (long)REACH(STRIDE))
		return page_add_run(p, p->from + (room - REACH(STRIDE)), words, STRIDE, true,
				    is_short);
	if (room >= (long)REACH(8 * PLAIN_WORDS))
		return page_add_run(p, p->from + (room - REACH(8 * PLAIN_WORDS)), words, STRIDE,
				    false, is_short);
	return page_add_run(p, p->end - (HEADER + 8), words, sizeof(u64), false, is_short);
}

/* Append plain records, run by run. */
static __always_inline void page_add_plain(struct plain *p)
{
	bool more = true, is_short;
	u32 words;

	/* The shortest record has one word. */
	while (more && p->end - p->from >= (long)HEADER + 8) {
		words = (u8)READ_ONCE(*(const u64 *)p->from) - HEADER / 8;
		is_short = kpt_record_is_cut(READ_ONCE(*(const u16 *)(p->from + HEADER)));
		/* 0 is none of a record, and what is no record gives a large value. */
		if (words - 1 >= PLAIN_WORDS - is_short)
			return;
		more = is_short ? page_add_alike(p, words, true) : page_add_alike(p, words, false);
	}
}

/**
 * kpt_rawpage_add_chunk() - append the plain records that are next in a chunk
 * @page: the page
 * @chunk: the chunk
 * @cur: the cursor that it was found for; moved past the records, as is @chunk
 * @near: converts their stamps
 * @places: what they leave out, see kpt_record_place()
 *
 * A record is plain if it is small, soon after the one before, and not in another span.
 *
 * The chunk may be overwritten meanwhile. Then the page has rubbish, which stays inside the
 * page.
 *
 * Context: any.
 * Return: number of records; the next one, if there is one, is for kpt_rawpage_add(), or
 * @page->is_full.
 */
u32 kpt_rawpage_add_chunk(struct kpt_rawpage *page, struct kpt_ring_chunk *chunk,
			  struct kpt_ring_cursor *cur, const struct kpt_era *near,
			  const struct kpt_record_place *places)
{
	const u8 *begin = (const u8 *)chunk->mem + chunk->at;
	u8 *start = page->mem + KPT_RAWPAGE_HEADER + page->used;
	u32 from_bytes, to_bytes;
	struct plain p;
	u64 ts = 0;

	/* The counter is so slow that plain.mult would not have all bits; or there is nothing. */
	if (near->shift > WORD_TIME_BITS || chunk->bytes - chunk->at < HEADER + 8)
		return 0;
	p = (struct plain){
		.from = begin,
		.end = (const u8 *)chunk->mem + chunk->bytes,
		.to = start,
		/* Behind the records is the number of lost ones. */
		.room = page->mem + page->size - (page->missed ? sizeof(page->missed) : 0),
		.places = places,
		.era = near->from << WORD_TIME_BITS,
		.mult = near->mult >> (WORD_TIME_BITS - near->shift),
	};
	if (page->used) {
		p.ns = page->ts - near->ns;
	} else {
		/* Of the first record, whose time is in the header, no other one tells the bits. */
		ts = kpt_ring_time(READ_ONCE(*(const u64 *)begin), cur->ts);
		if (!kpt_era_has(near, ts))
			return 0;
		p.ns = kpt_era_since(near, ts);
		ts = near->ns + p.ns;
	}
	page_add_plain(&p);
	from_bytes = (u32)(p.from - begin);
	to_bytes = (u32)(p.to - start);
	if (!p.records || p.ns >= kpt_era_since(near, near->from + near->counts))
		return 0;
	if (!page->used)
		memcpy(page->mem, &ts, sizeof(ts));
	page->used += to_bytes;
	page->ts = near->ns + p.ns;
	page->is_full = p.is_full;
	cur->pos += from_bytes;
	cur->at += p.records;
	cur->seq += p.records;
	chunk->at += from_bytes;
	return p.records;
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
