// SPDX-License-Identifier: GPL-2.0-only
/* Pages of records in ftrace's layout; see rawpage.h. */
#include "lib/base/port.h"
#include "lib/base/port_user.h"
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
 * The caller may set kpt_rawpage.is_user then.
 *
 * Context: any.
 */
void kpt_rawpage_begin(struct kpt_rawpage *page, void *mem, u32 size,
		       u64 missed)
{
	*page = (struct kpt_rawpage){ .mem = mem, .size = size, .missed = missed };
}

/* Where the page's events end. */
static u8 *page_end(const struct kpt_rawpage *page)
{
	return page->mem + KPT_RAWPAGE_HEADER + page->used;
}

static void page_write(struct kpt_rawpage *page, u8 *to, const void *data, u32 bytes)
{
	if (!page->is_user)
		memcpy(to, data, bytes);
	else if (!port_user_copy(to, data, bytes))
		page->is_fault = true;
}

static void page_put(struct kpt_rawpage *page, const void *data, u32 bytes)
{
	page_write(page, page_end(page), data, bytes);
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
		page->begin = ts;
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

/* Words of the largest record whose size is in the event's header, if it leaves out its place. */
#define WORDS_MAX (4 * TYPE_LEN_MAX / 8)
#define HEADER ((u32)sizeof(struct kpt_ring_header))
/* Where the time is in a word of a ring. */
#define WORD_TIME_BITS 8

/**
 * struct plain - where plain records are copied from and to
 * @from: the next record in the chunk
 * @end: end of the chunk
 * @to: end of the page's records
 * @room: end of the room for them
 * @records: how many were copied
 * @seq: number of the first of them
 * @head_ts: kpt_ring_head.ts of the last head before @from
 * @places: what records leave out, see kpt_record_place()
 * @era: beginning of the span, as a word of a ring has it
 * @mult: ns of a count, times 2^(64 - WORD_TIME_BITS)
 * @ns: time of the page's last record, since the beginning of the span
 * @words: the record before had so many words, with its header; more than any has if there is none
 * @number: its type, or the number of its place
 * @more: of a run, what is added to a first word to have the type of the event there
 * @ip: of a run, its place
 * @is_short: the place is left out
 * @is_full: the next record is plain, but for that it has no room in the page
 * @err: memory of the task could not be written
 */
struct plain {
	const u8 *from;
	const u8 *end;
	u8 *to;
	const u8 *room;
	u32 records;
	u64 seq;
	u64 head_ts;
	const struct kpt_record_place *places;
	u64 era;
	u64 mult;
	u64 ns;
	u32 words;
	u32 number;
	u64 more;
	u64 ip;
	bool is_short;
	bool is_full;
	int err;
};

/* The writer may change them: bounds hold as each is read once. */
static __always_inline void load_two(const u8 *from, u64 *a, u64 *b)
{
	struct { u64 a, b; } two;

	memcpy(&two, from, sizeof(two));
	OPTIMIZER_HIDE_VAR(two.a);
	OPTIMIZER_HIDE_VAR(two.b);
	*a = two.a;
	*b = two.b;
}

/*
 * Store at @to + @at, where @at is a constant and less than 256. @err is set if memory of the
 * task cannot be written. Of two words of the kernel's memory the compiler makes one store.
 */
static __always_inline void put_head(u8 *to, const u32 at, u32 head, int *err, const bool is_user)
{
	if (is_user)
		port_user_put_u32(head, to, at, *err);
	else
		memcpy(to + at, &head, sizeof(head));
}

static __always_inline void put_word(u8 *to, const u32 at, u64 word, int *err, const bool is_user)
{
	if (is_user)
		port_user_put_u64(word, to, at, *err);
	else
		memcpy(to + at, &word, sizeof(word));
}

/* Copy two words; or one, if there is no second one. */
static __always_inline void put_copy(u8 *to, const u32 at, const u8 *from, const bool is_two,
				     int *err, const bool is_user)
{
	u64 a, b;

	if (is_two) {
		load_two(from, &a, &b);
		put_word(to, at, a, err, is_user);
		put_word(to, at + 8, b, err, is_user);
	} else {
		put_word(to, at, READ_ONCE(*(const u64 *)from), err, is_user);
	}
}

/* kpt_era_since() of the time of a record; a time before the era gives a large value, too. */
static __always_inline u64 plain_since(u64 counts, u64 mult)
{
	return (u64)((unsigned __int128)counts * mult >> 64);
}

/* struct plain.mult; 0 if the counter is so slow that it would not have all bits. */
static __always_inline u64 plain_mult(const struct kpt_era *near)
{
	return near->shift > WORD_TIME_BITS ? 0 : near->mult >> (WORD_TIME_BITS - near->shift);
}

static __always_inline u32 plain_head(u32 type_len, u64 delta)
{
	return type_len | (u32)delta << (32 - DELTA_BITS);
}

/*
 * Find what records with a number leave out: the result is NULL if that is nothing. False if it is
 * not known, or not any more.
 */
static __always_inline bool plain_find_place(const struct kpt_record_place *places, u16 number,
					     const struct kpt_record_place **place)
{
	bool is_short = kpt_record_is_cut(number);

	*place = is_short ? kpt_record_place(places, number) : NULL;
	return !is_short || *place;
}

/* Copy @n words, at most 15. */
static __always_inline void put_words(u8 *to, const u8 *from, u32 n, int *err, const bool is_user)
{
	u32 i;

#define PUT_IF(some)                                                                           \
	do {                                                                                   \
		if (!(n & (some)))                                                             \
			break;                                                                 \
		for (i = 0; i < (some); i += 2)                                                \
			put_copy(to + 8 * i, 0, from + 8 * i, (some) > 1, err, is_user);       \
		to += 8 * (some);                                                              \
		from += 8 * (some);                                                            \
	} while (0)
	PUT_IF(8);
	PUT_IF(4);
	PUT_IF(2);
	PUT_IF(1);
#undef PUT_IF
}

/*
 * Append plain records up to one that is like the one before. Returns false if there is none: what
 * is next is not plain, or has no room.
 */
static __always_inline bool page_add_mixed(struct plain *p, const bool is_user)
{
	const struct kpt_record_place *place, *places = p->places;
	const u8 *h = p->from, *end = p->end, *room = p->room;
	const u64 era = p->era, mult = p->mult;
	u64 word, first, since, delta, ns = p->ns;
	u32 words = p->words, number = p->number, records = p->records, at;
	bool is_alike = false;
	u8 *to = p->to;
	int err = 0;

	while (!err && end - h >= (long)HEADER + 8) {
		load_two(h, &word, &first);
		is_alike = (u8)word == words && (u16)first == number;
		if (is_alike)
			break;
		/* 0 is none of a record; the shortest one has one word behind that of the ring. */
		if ((u8)word - 2U > WORDS_MAX - 2U) {
			if ((word & KPT_RING_KIND) != KPT_RING_HEAD || first != p->seq + records ||
			    end - h < (long)sizeof(struct kpt_ring_head))
				break;
			p->head_ts = READ_ONCE(*(const u64 *)(h + 16));
			h += sizeof(struct kpt_ring_head);
			continue;
		}
		since = plain_since(word - (u8)word - era, mult);
		delta = since - ns;
		if ((u8)word * 8 > end - h || delta >> DELTA_BITS)
			break;
		if (!plain_find_place(places, (u16)first, &place))
			break;
		/* In the page its words are behind a head, the first word, and the place. */
		at = place ? 20 : 12;
		if ((long)((u8)word * 8 + at - 16) > room - to) {
			p->is_full = true;
			break;
		}
		words = (u8)word;
		number = (u16)first;
		if (place) {
			first += (u64)place->type - number;
			put_word(to, 12, place->ip, &err, is_user);
		}
		put_head(to, 0, plain_head(words * 2 + at / 4 - 5, delta), &err, is_user);
		put_word(to, 4, first, &err, is_user);
		put_words(to + at, h + 16, words - 2, &err, is_user);
		ns = since;
		records++;
		h += words * 8;
		to += words * 8 + at - 16;
	}
	p->from = h;
	p->to = to;
	p->ns = ns;
	p->records = records;
	p->words = words;
	p->number = number;
	p->err = err;
	return is_alike && !err;
}

/* Find what the records of a run have in common with the one before. False if it is not known. */
static __always_inline bool run_begin(struct plain *p)
{
	const struct kpt_record_place *place;

	if (!plain_find_place(p->places, p->number, &place))
		return false;
	p->is_short = place;
	p->more = place ? (u64)place->type - p->number : 0;
	p->ip = place ? place->ip : 0;
	return true;
}

/**
 * struct run - what records that are alike have in common
 * @era: the beginning of the span and the size, as a word of a ring has them
 * @mult: struct plain.mult
 * @number: struct plain.number
 * @more: struct plain.more
 * @ip: struct plain.ip
 * @type_len: of each
 * @ns: time of the last one that was put
 * @err: struct plain.err
 */
struct run {
	u64 era;
	u64 mult;
	u64 number;
	u64 more;
	u64 ip;
	u32 type_len;
	u64 ns;
	int err;
};

/*
 * Put the record at @h, which has @rest words behind the first one, to @to + @at. Returns false
 * if it is not like the others, or too late for a plain one.
 */
static __always_inline bool run_put(struct run *r, u8 *to, const u32 at, const u8 *h,
				    const u32 rest, const bool is_short, const bool is_user)
{
	const u32 then = at + (is_short ? 20 : 12);
	u64 word, first, ns, delta;
	u32 i;

	load_two(h, &word, &first);
	word -= r->era;
	ns = plain_since(word, r->mult);
	delta = ns - r->ns;
	/* The number has 16 bits, the size 8: one word has all that must be 0. */
	if ((first ^ r->number) << 48 | word << 56 | delta >> DELTA_BITS)
		return false;
	r->ns = ns;
	put_head(to, at, plain_head(r->type_len, delta), &r->err, is_user);
	put_word(to, at + 4, is_short ? first + r->more : first, &r->err, is_user);
	if (is_short)
		put_word(to, at + 12, r->ip, &r->err, is_user);
	if (rest > 0)
		put_copy(to, then, h + 16, rest > 1, &r->err, is_user);
	if (rest > 2)
		put_copy(to, then + 16, h + 32, rest > 3, &r->err, is_user);
	if (rest > 4)
		put_copy(to, then + 32, h + 48, rest > 5, &r->err, is_user);
	for (i = 6; i < rest; i++)
		put_copy(to + 8 * (i - 6), then + 48, h + 16 + 8 * i, false, &r->err, is_user);
	return true;
}

/* Is the record at @h like the others? */
static __always_inline bool run_has(const struct run *r, const u8 *h)
{
	u64 word, first;

	load_two(h, &word, &first);
	return (u8)word == (u8)r->era && (u16)first == r->number;
}

/*
 * Append a run: records that are like the next one, with @rest words behind the first one.
 *
 * This is most of what it costs to drain a buffer. The caller checks whether the chunk was
 * intact, and whether the last record, which has the highest time, is in the span.
 */
static __always_inline void page_add_run(struct plain *p, const u32 rest, const bool is_short,
					 const bool is_user)
{
	const u32 size = HEADER + 8 + 8 * rest;
	const u32 gets = size - HEADER + (is_short ? KPT_RECORD_LEFT_OUT : 0);
	const u32 step = sizeof(u32) + gets;
	const u32 there = (u32)(p->end - p->from) / size, fit = (u32)(p->room - p->to) / step;
	const u32 most = min(there, fit);
	struct run r = {
		.era = p->era + size / 8,
		.mult = p->mult,
		.number = p->number,
		.more = p->more,
		.ip = p->ip,
		.type_len = gets / 4,
		.ns = p->ns,
	};
	const u8 *h = p->from;
	u8 *to = p->to;
	u32 left = most;

	/* In registers they take an instruction less than as constants. */
	OPTIMIZER_HIDE_VAR(r.type_len);
	OPTIMIZER_HIDE_VAR(r.err);
	/* All of four are less than 256 bytes behind @to, but for the largest. */
#define NEAR (4 * step < 256 ? 4 : 2)
#define PUT(i) run_put(&r, to + (i) / NEAR * NEAR * step, (i) % NEAR * step, h + (i) * size,   \
		       rest, is_short, is_user)
	for (; __builtin_constant_p(rest) && left >= 4 && !r.err; left -= 4) {
		if (!PUT(0))
			goto out;
		if (!PUT(1)) {
			left -= 1;
			goto out;
		}
		if (!PUT(2)) {
			left -= 2;
			goto out;
		}
		if (!PUT(3)) {
			left -= 3;
			goto out;
		}
		h += 4 * size;
		to += 4 * step;
	}
	for (; left && !r.err && PUT(0); left--) {
		h += size;
		to += step;
	}
#undef PUT
	p->is_full = there > fit && !left && run_has(&r, h);
out:
	p->records += most - left;
	p->from += (most - left) * size;
	p->to += (most - left) * step;
	p->ns = r.ns;
	p->err = r.err;
}

/* Sizes are constants in each of these but the last, for the most frequent ones. */
static __always_inline void page_add_alike(struct plain *p, const bool is_short,
					   const bool is_user)
{
	switch (p->words) {
	case 2: return page_add_run(p, 0, is_short, is_user);
	case 3: return page_add_run(p, 1, is_short, is_user);
	case 4: return page_add_run(p, 2, is_short, is_user);
	case 5: return page_add_run(p, 3, is_short, is_user);
	case 6: return page_add_run(p, 4, is_short, is_user);
	case 7: return page_add_run(p, 5, is_short, is_user);
	case 8: return page_add_run(p, 6, is_short, is_user);
	default: return page_add_run(p, p->words - 2, is_short, is_user);
	}
}

/* Append plain records. */
static __always_inline void page_add_plain(struct plain *p, const bool is_user)
{
	u32 before;

	while (page_add_mixed(p, is_user) && run_begin(p)) {
		before = p->records;
		if (p->is_short)
			page_add_alike(p, true, is_user);
		else
			page_add_alike(p, false, is_user);
		if (p->records == before || p->is_full || p->err)
			break;
	}
}

/* Each has all registers for its loops. */
static noinline void page_add_here(struct plain *p)
{
	page_add_plain(p, false);
}

static noinline void page_add_user(struct plain *p, u8 *mem)
{
	port_user_begin();
	/* One fault, not one for each word of a record, if memory of the task is not there. */
	put_word(mem, 0, 0, &p->err, true);
	if (!p->err)
		page_add_plain(p, true);
	port_user_end();
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
	struct plain p = {
		.from = begin,
		.end = (const u8 *)chunk->mem + chunk->bytes,
		.to = page_end(page),
		/* Behind the records is the number of lost ones. */
		.room = page->mem + page->size - (page->missed ? sizeof(page->missed) : 0),
		.seq = cur->seq,
		.head_ts = cur->ts,
		.places = places,
		.era = near->from << WORD_TIME_BITS,
		.mult = plain_mult(near),
		.ns = page->ts - near->ns,
		/* Said one by one they cost less than a call of memset(). */
		.records = 0,
		.words = U32_MAX,
		.number = 0,
		.more = 0,
		.ip = 0,
		.is_short = false,
		.is_full = false,
		.err = 0,
	};
	u32 words;
	u64 ts;

	if (!p.mult || p.end - p.from < (long)HEADER + 8)
		return 0;
	if (!page->used) {
		/* Of the first record, whose time is in the header, no other one tells the bits. */
		ts = READ_ONCE(*(const u64 *)begin);
		if (!(u8)ts)
			return 0;
		ts = kpt_ring_time(ts, cur->ts);
		if (!kpt_era_has(near, ts))
			return 0;
		p.ns = kpt_era_since(near, ts);
	}
	ts = near->ns + p.ns;
	/* As if there was one like the first: in most pages all are alike. */
	words = READ_ONCE(*begin);
	if (words - 2U <= WORDS_MAX - 2U) {
		p.words = words;
		p.number = READ_ONCE(*(const u16 *)(begin + HEADER));
	}
	if (page->is_user)
		page_add_user(&p, page->mem);
	else
		page_add_here(&p);
	if (p.err)
		page->is_fault = true;
	if (!p.records || p.ns >= kpt_era_since(near, near->from + near->counts))
		return 0;
	if (!page->used)
		page->begin = ts;
	page->used += (u32)(p.to - page_end(page));
	page->ts = near->ns + p.ns;
	page->is_full = p.is_full;
	cur->pos += (u32)(p.from - begin);
	cur->at += p.records;
	cur->seq += p.records;
	cur->ts = p.head_ts;
	chunk->at += (u32)(p.from - begin);
	return p.records;
}

/* Complete the page: the header, and zeros from @end on. */
static void page_close(struct kpt_rawpage *page, u8 *end, u64 header)
{
	memcpy(page->mem, &page->begin, sizeof(page->begin));
	memcpy(page->mem + 8, &header, sizeof(header));
	memset(end, 0, page->mem + page->size - end);
}

/* Most pages are full, but for some words. */
static void page_close_user(struct kpt_rawpage *page, u8 *end, u64 header)
{
	u32 left = (u32)(page->mem + page->size - end);
	int err = 0;

	port_user_begin();
	put_word(page->mem, 0, page->begin, &err, true);
	put_word(page->mem, 8, header, &err, true);
	for (; left && left < 4 * TYPE_LEN_MAX; left -= sizeof(u32), end += sizeof(u32))
		put_head(end, 0, 0, &err, true);
	port_user_end();
	if (err || (left && !port_user_clear(end, left)))
		page->is_fault = true;
}

/**
 * kpt_rawpage_finish() - complete the header and clear unused bytes
 * @page: the page, all of which may be copied to user space afterwards
 *
 * Context: any.
 */
void kpt_rawpage_finish(struct kpt_rawpage *page)
{
	u64 header = page->used;
	u8 *end = page_end(page);

	if (page->missed)
		header |= MISSED_EVENTS;
	if (page->missed && page->mem + page->size - end >= (long)sizeof(page->missed)) {
		header |= MISSED_STORED;
		page_write(page, end, &page->missed, sizeof(page->missed));
		end += sizeof(page->missed);
	}
	if (page->is_user)
		page_close_user(page, end, header);
	else
		page_close(page, end, header);
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
