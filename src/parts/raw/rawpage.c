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

static void page_write(struct kpt_rawpage *page, u32 at, const void *data, u32 bytes)
{
	if (!page->is_user)
		memcpy(page->mem + at, data, bytes);
	else if (!port_user_copy(page->mem + at, data, bytes))
		page->is_fault = true;
}

static void page_put(struct kpt_rawpage *page, const void *data, u32 bytes)
{
	page_write(page, KPT_RAWPAGE_HEADER + page->used, data, bytes);
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

/* Bytes of the largest payload whose size is in the event's header. */
#define PLAIN_BYTES (4 * TYPE_LEN_MAX)
#define HEADER ((u32)sizeof(struct kpt_ring_header))
/* Where the time is in a word of a ring. */
#define WORD_TIME_BITS 8
/* So many records are put at once if they are alike. */
#define BLOCK 4

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
 * @words: the record before had so many words, with its header
 * @first: its first word, but for that of a ring: @number, flags and the task
 * @number: its type, or the number of its place
 * @more: what is added to its first word to have the type of the event there
 * @ip: its place
 * @is_short: its place is left out
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
	u8 words;
	u16 number;
	u64 first;
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

static __always_inline u32 plain_head(u32 type_len, u64 delta)
{
	return type_len | (u32)delta << (32 - DELTA_BITS);
}

/* Find what a record with another number than the one before has. False if it is not plain. */
static __always_inline bool plain_look(struct plain *p, u16 number)
{
	const struct kpt_record_place *place = NULL;

	p->is_short = kpt_record_is_cut(number);
	if (p->is_short) {
		place = kpt_record_place(p->places, number);
		if (!place)
			return false;
	}
	p->more = place ? (u64)place->type - number : 0;
	p->ip = place ? place->ip : 0;
	p->number = number;
	return true;
}

/* Append a record. Returns false if it is not plain, or has no room. */
static __always_inline bool page_add_one(struct plain *p, const bool is_user)
{
	const u8 *h = p->from;
	u64 word, first, ns, delta;
	u32 size, gets, i;
	u8 *to = p->to;

	if (p->end - h < (long)HEADER + 8)
		return false;
	load_two(h, &word, &first);
	size = (u8)word * 8;
	ns = plain_since(word - (u8)word - p->era, p->mult);
	delta = ns - p->ns;
	/* 0 is none of a record; the shortest one has one word. */
	if (size <= HEADER || size > p->end - h || delta >= BIT(DELTA_BITS))
		return false;
	if ((p->number != (u16)first || !p->words) && !plain_look(p, (u16)first))
		return false;
	gets = size - HEADER + (p->is_short ? KPT_RECORD_LEFT_OUT : 0);
	if (gets > PLAIN_BYTES)
		return false;
	p->is_full = (long)(sizeof(u32) + gets) > p->room - to;
	if (p->is_full)
		return false;
	put_head(to, 0, plain_head(gets / 4, delta), &p->err, is_user);
	put_word(to, 4, first + p->more, &p->err, is_user);
	if (p->is_short)
		put_word(to, 12, p->ip, &p->err, is_user);
	to += sizeof(u32) + gets - size;
	for (i = 2 * sizeof(u64); i < size; i += sizeof(u64))
		put_copy(to + i, 0, h + i, false, &p->err, is_user);
	p->words = (u8)word;
	p->first = first;
	p->ns = ns;
	p->records++;
	p->from = h + size;
	p->to = to + size;
	return !p->err;
}

/**
 * struct block - records that may be alike
 * @first: their first words, but for those of a ring
 * @head: what is before them in the page
 * @ns: time of the last one
 * @late: all times between them, or'ed, as are
 * @sizes: in the low byte, how they differ from the size of the record before
 * @more: struct plain.more
 * @ip: struct plain.ip
 */
struct block {
	u64 first[BLOCK];
	u32 head[BLOCK];
	u64 ns;
	u64 late;
	u64 sizes;
	u64 more;
	u64 ip;
};

static __always_inline void block_look(struct block *b, int i, const u8 *h, u64 era, u64 mult,
				       u32 type_len)
{
	u64 word, ns, delta;

	load_two(h, &word, &b->first[i]);
	word -= era;
	ns = plain_since(word, mult);
	delta = ns - b->ns;
	b->ns = ns;
	b->late |= delta;
	b->sizes |= word;
	b->head[i] = plain_head(type_len, delta);
}

/* The bits in which a first word is not @first; if none of the low 16, the events are the same. */
static __always_inline u64 block_differs(const struct block *b, u64 first)
{
	return (b->first[0] ^ first) | (b->first[1] ^ first) | (b->first[2] ^ first) |
	       (b->first[3] ^ first);
}

/* Put the record at @h, which has @rest words behind @first, to @to + @at. */
static __always_inline void block_put_one(const struct block *b, int i, u8 *to, const u32 at,
					  const u8 *h, u64 first, const u32 rest, int *err,
					  const bool is_short, const bool is_user)
{
	const u32 then = at + (is_short ? 20 : 12);

	put_head(to, at, b->head[i], err, is_user);
	put_word(to, at + 4, first, err, is_user);
	if (is_short)
		put_word(to, at + 12, b->ip, err, is_user);
	if (rest > 0)
		put_copy(to, then, h + 16, rest > 1, err, is_user);
	if (rest > 2)
		put_copy(to, then + 16, h + 32, rest > 3, err, is_user);
	if (rest > 4)
		put_copy(to, then + 32, h + 48, rest > 5, err, is_user);
}

/* Put all of them. Their first words are in @b, or all are @first, as it has to be in the page. */
static __always_inline void block_put(const struct block *b, u8 *to, const u8 *h, u64 first,
				      const u32 rest, int *err, const bool is_same,
				      const bool is_short, const bool is_user)
{
	const u32 size = HEADER + 8 + 8 * rest;
	const u32 step = sizeof(u32) + 8 + 8 * rest + (is_short ? KPT_RECORD_LEFT_OUT : 0);
	const u64 more = is_short ? b->more : 0;

#define PUT(i, at) block_put_one(b, i, to + (i) / 2 * 2 * step, at, h + (i) * size,            \
				 is_same ? first : b->first[i] + more, rest, err, is_short, is_user)
	PUT(0, 0);
	PUT(1, step);
	PUT(2, 0);
	PUT(3, step);
#undef PUT
}

/*
 * Append blocks of records that are like the one before, with @rest words behind the first one.
 *
 * This is most of what it costs to drain a buffer. So what can be checked for a block is not
 * checked for each record; the caller checks whether the chunk was intact, and whether the last
 * record, which has the highest time, is in the span.
 */
static __always_inline void page_add_blocks(struct plain *p, const u32 rest, const bool is_short,
					    const bool is_user)
{
	const u32 size = HEADER + 8 + 8 * rest;
	const u32 gets = size - HEADER + (is_short ? KPT_RECORD_LEFT_OUT : 0);
	const u32 step = sizeof(u32) + gets;
	const u64 era = p->era + size / 8, mult = p->mult;
	u64 first = p->first;
	const u8 *h = p->from;
	u8 *to = p->to;
	u32 n = min((u32)(p->end - h) / (BLOCK * size), (u32)(p->room - to) / (BLOCK * step));
	u32 type_len = gets / 4;
	int err = 0;
	struct block b = { .ns = p->ns, .more = p->more, .ip = p->ip };
	u64 ns = p->ns, same = first + (is_short ? b.more : 0), odd, differs;

	/* In registers they take an instruction less than as constants. */
	OPTIMIZER_HIDE_VAR(type_len);
	OPTIMIZER_HIDE_VAR(err);
	for (; n; n--) {
		b.ns = ns;
		b.late = 0;
		b.sizes = 0;
		block_look(&b, 0, h, era, mult, type_len);
		block_look(&b, 1, h + size, era, mult, type_len);
		block_look(&b, 2, h + 2 * size, era, mult, type_len);
		block_look(&b, 3, h + 3 * size, era, mult, type_len);
		odd = b.late >> DELTA_BITS | (u8)b.sizes;
		differs = block_differs(&b, first);
		if (!(odd | differs)) {
			block_put(&b, to, h, same, rest, &err, true, is_short, is_user);
		} else if (!odd && !(u16)differs) {
			/* Of another task, or with other flags; so are others, probably. */
			block_put(&b, to, h, 0, rest, &err, false, is_short, is_user);
			first = b.first[BLOCK - 1];
			same = first + (is_short ? b.more : 0);
		} else {
			break;
		}
		if (err)
			break;
		ns = b.ns;
		h += BLOCK * size;
		to += BLOCK * step;
	}
	p->records += (u32)(h - p->from) / size;
	p->ns = ns;
	p->from = h;
	p->to = to;
	p->err = err;
}

/* Sizes are constants in each of these, for the most frequent ones. */
static __always_inline void page_add_alike(struct plain *p, const bool is_short,
					   const bool is_user)
{
	switch (p->words) {
	case 2: return page_add_blocks(p, 0, is_short, is_user);
	case 3: return page_add_blocks(p, 1, is_short, is_user);
	case 4: return page_add_blocks(p, 2, is_short, is_user);
	case 5: return page_add_blocks(p, 3, is_short, is_user);
	case 6: return page_add_blocks(p, 4, is_short, is_user);
	case 7: return page_add_blocks(p, 5, is_short, is_user);
	case 8: return page_add_blocks(p, 6, is_short, is_user);
	}
}

/* Is the next record like the one before? If it is, others often are, too. */
static __always_inline bool plain_goes_on(const struct plain *p)
{
	return p->end - p->from >= (long)HEADER + 8 && READ_ONCE(*p->from) == p->words &&
	       READ_ONCE(*(const u16 *)(p->from + HEADER)) == p->number;
}

/* Pass a head, if one is next, and says what it should. */
static __always_inline bool plain_pass_head(struct plain *p)
{
	const u8 *h = p->from;
	u64 word, number;

	if (p->err || p->end - h < (long)sizeof(struct kpt_ring_head))
		return false;
	load_two(h, &word, &number);
	if ((word & KPT_RING_KIND) != KPT_RING_HEAD || number != p->seq + p->records)
		return false;
	p->head_ts = READ_ONCE(*(const u64 *)(h + 16));
	p->from = h + sizeof(struct kpt_ring_head);
	return true;
}

/* Append plain records. */
static __always_inline void page_add_plain(struct plain *p, const bool is_user)
{
	while (page_add_one(p, is_user) || plain_pass_head(p)) {
		if (!plain_goes_on(p))
			continue;
		if (p->is_short)
			page_add_alike(p, true, is_user);
		else
			page_add_alike(p, false, is_user);
	}
}

/* Each has all registers for its loops. */
static noinline void page_add_here(struct plain *p)
{
	page_add_plain(p, false);
}

static noinline void page_add_user(struct plain *p)
{
	port_user_begin();
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
		.seq = cur->seq,
		.head_ts = cur->ts,
		.places = places,
		.era = near->from << WORD_TIME_BITS,
		.mult = near->mult >> (WORD_TIME_BITS - near->shift),
	};
	if (page->used) {
		p.ns = page->ts - near->ns;
	} else {
		/* Of the first record, whose time is in the header, no other one tells the bits. */
		ts = READ_ONCE(*(const u64 *)begin);
		if (!(u8)ts)
			return 0;
		ts = kpt_ring_time(ts, cur->ts);
		if (!kpt_era_has(near, ts))
			return 0;
		p.ns = kpt_era_since(near, ts);
		ts = near->ns + p.ns;
	}
	if (page->is_user)
		page_add_user(&p);
	else
		page_add_here(&p);
	if (p.err)
		page->is_fault = true;
	from_bytes = (u32)(p.from - begin);
	to_bytes = (u32)(p.to - start);
	if (!p.records || p.ns >= kpt_era_since(near, near->from + near->counts))
		return 0;
	if (!page->used)
		page->begin = ts;
	page->used += to_bytes;
	page->ts = near->ns + p.ns;
	page->is_full = p.is_full;
	cur->pos += from_bytes;
	cur->at += p.records;
	cur->seq += p.records;
	cur->ts = p.head_ts;
	chunk->at += from_bytes;
	return p.records;
}

static void page_close(struct kpt_rawpage *page, const u64 header[])
{
	u8 *end = page->mem + KPT_RAWPAGE_HEADER + page->used;

	memcpy(page->mem, header, KPT_RAWPAGE_HEADER);
	memset(end, 0, page->mem + page->size - end);
}

/* Most pages are full, but for some words. */
static void page_close_user(struct kpt_rawpage *page, const u64 header[])
{
	u8 *end = page->mem + KPT_RAWPAGE_HEADER + page->used;
	u32 left = page->size - KPT_RAWPAGE_HEADER - page->used;
	int err = 0;

	port_user_begin();
	put_word(page->mem, 0, header[0], &err, true);
	put_word(page->mem, 8, header[1], &err, true);
	for (; left && left < PLAIN_BYTES; left -= sizeof(u32), end += sizeof(u32))
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
	u64 header[2] = { page->begin, page->used };

	if (page->missed)
		header[1] |= MISSED_EVENTS;
	if (page->missed && page->size - KPT_RAWPAGE_HEADER - page->used >= 8) {
		header[1] |= MISSED_STORED;
		page_put(page, &page->missed, sizeof(page->missed));
	}
	if (page->is_user)
		page_close_user(page, header);
	else
		page_close(page, header);
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
