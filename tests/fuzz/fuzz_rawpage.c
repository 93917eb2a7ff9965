// SPDX-License-Identifier: GPL-2.0-only
/*
 * Records of any sizes and times, put into a page many at once and one by one, in the kernel's
 * memory and in a task's: all pages are the same. Then with some bytes changed, as by a writer
 * that overtakes: nothing but the page is written, and nothing but the chunk read. Then memory
 * of the task ends somewhere in the page, and nothing behind that is written.
 */
#include "lib/base/port.h"
#include "lib/base/port_user.h"
#include "lib/record/record.h"
#include "parts/raw/rawpage.h"
#include <string.h>
#include "input.h"

#define SIZE 4096
#define FIRST 0xfffffff0ULL
/* No time of a chunk is before 0: a record is at most 2^38 counts before the one before it. */
#define TIME BIT_ULL(46)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const struct kpt_tick tick = { 2796202667U, 26 };
static struct kpt_epochs all;
static struct kpt_record_place places[KPT_RECORD_PLACES];
static struct kpt_scale scale;

/* Make a chunk that ends where its memory does. Returns the time of the head before it. */
static u64 make_chunk(struct kpt_ring_chunk *chunk, struct input *in)
{
	u32 words = 0, nr = 0, alike = 0, records = input_byte(in) % 200;
	u64 *mem = NULL, *h, seq = FIRST, begin = TIME + input_word(in), ts = begin, first = 0;

	while (records-- && in->left) {
		if (alike) {
			alike--;
		} else {
			nr = 1 + input_byte(in) % 22;
			first = input_byte(in) % 8 ? input_word(in) : KPT_RECORD_RAW_DATA_CUT;
			if (input_byte(in) % 4 == 0)
				first = KPT_RECORD_PLACE + input_byte(in) % 8;
			alike = input_byte(in) % 16;
		}
		mem = realloc(mem, (words + nr + 3) * sizeof(*mem));
		h = mem + words;
		memset(h, records, (nr + 3) * sizeof(*h));
		if (nr > 20) {
			h[0] = KPT_RING_HEAD;
			h[1] = seq;
			h[2] = ts;
			words += 3;
			continue;
		}
		words += nr + 1;
		if (nr > 19) {
			h[0] = (nr + 1) * sizeof(*h) << 16 | KPT_RING_PADDING;
			continue;
		}
		ts += (s64)(s16)input_word(in) << input_byte(in) % 24;
		h[0] = (nr + 1) | ts << 8;
		seq++;
		/* Some in a row are of one task. */
		h[1] = first | (u64)(records / 8) << 32;
	}
	*chunk = (struct kpt_ring_chunk){ .mem = mem, .bytes = words * sizeof(*mem) };
	return begin;
}

/* kpt_rawpage.is_user, in the byte that says how. */
#define USER 8
#define UNUSED 0xee

/* Where memory of the task ends. */
static u32 hole = SIZE;

/* As trace_pipe_raw does. */
static void put(struct kpt_rawpage *page, struct kpt_ring_chunk chunk, u64 begin, u8 how,
		bool at_once)
{
	struct kpt_ring_cursor cur = { .at = FIRST, .seq = FIRST, .ts = begin };
	struct kpt_era span;
	struct kpt_ring_info info;
	u64 copy[32];
	const u64 *rec;
	size_t bytes;
	u32 at;
	u64 ts;

	/* The page before was near the first record, or there was none. */
	kpt_era_begin(&span, &all, &scale, how & 4 ? begin : 0);
	kpt_rawpage_begin(page, malloc(SIZE), SIZE, how & 1);
	page->is_user = how & USER;
	memset(page->mem, UNUSED, SIZE);
	port_user_hole = page->mem + hole;
	if (!(how & 2))
		kpt_rawpage_add(page, "first", 6, 0);
	for (;;) {
		if (at_once && cur.at == cur.seq)
			kpt_rawpage_add_chunk(page, &chunk, &cur, &span, places);
		MUST(chunk.at == cur.pos && chunk.at <= chunk.bytes);
		MUST(page->used <= SIZE - KPT_RAWPAGE_HEADER);
		if (page->is_full || page->is_fault)
			break;
		at = chunk.at;
		rec = kpt_ring_chunk_next(&chunk, &cur, &info);
		if (rec && at_once && chunk.at != at)
			continue;
		if (!rec || info.size + KPT_RECORD_LEFT_OUT > sizeof(copy) ||
		    (u16)*rec == KPT_RECORD_RAW_DATA_CUT)
			break;
		memcpy(copy, rec, info.size);
		bytes = kpt_record_restore(copy, info.size, places);
		ts = kpt_epoch_convert(kpt_epochs_find(&all, info.ts), &tick, info.ts);
		kpt_era_begin(&span, &all, &scale, info.ts);
		if (!kpt_rawpage_add(page, copy, bytes, ts))
			break;
		kpt_ring_chunk_pass(&chunk, &cur, &info);
	}
	kpt_rawpage_finish(page);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct input in = { data, size };
	struct kpt_rawpage one, many;
	struct kpt_ring_chunk chunk;
	u8 how = input_byte(&in);
	u16 number;
	u64 begin;

	kpt_scale_init(&scale, &tick);
	for (number = 0; number < 8; number++)
		places[number] = (struct kpt_record_place){ .ip = number, .type = number };
	all = (struct kpt_epochs){ .nr = 1 + input_byte(&in) % 2 };
	all.epoch[1].count = TIME + input_word(&in);
	all.epoch[1].ns = kpt_tick_convert(&tick, all.epoch[1].count) + input_byte(&in);
	begin = make_chunk(&chunk, &in);
	put(&one, chunk, begin, how & ~USER, false);
	put(&many, chunk, begin, how & ~USER, true);
	MUST(!memcmp(one.mem, many.mem, SIZE));
	free(many.mem);
	put(&many, chunk, begin, how | USER, true);
	MUST(!many.is_fault && !memcmp(one.mem, many.mem, SIZE));
	free(one.mem);
	free(many.mem);
	while (in.left && chunk.bytes)
		((u8 *)chunk.mem)[input_word(&in) % chunk.bytes] ^= input_byte(&in);
	put(&many, chunk, begin, how, true);
	free(many.mem);
	hole = input_word(&in) % SIZE;
	put(&many, chunk, begin, how | USER, true);
	MUST(many.is_fault);
	for (; hole < SIZE; hole++)
		MUST(many.mem[hole] == UNUSED);
	free(many.mem);
	free((void *)chunk.mem);
	return 0;
}
