// SPDX-License-Identifier: GPL-2.0-only
/*
 * Records of any sizes and times, put into a page many at once and one by one: both pages are
 * the same. Then with some bytes changed, as by a writer that overtakes: nothing but the page
 * is written, and nothing but the chunk read.
 */
#include "lib/base/port.h"
#include "lib/record/record.h"
#include "parts/raw/rawpage.h"
#include <string.h>
#include "input.h"

#define SIZE 4096
#define FIRST 0xfffffff0ULL

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const struct kpt_tick tick = { 2796202667U, 26 };
static struct kpt_epochs all;
static struct kpt_scale scale;

/* Make a chunk that ends where its memory does. */
static void make_chunk(struct kpt_ring_chunk *chunk, struct input *in)
{
	u32 words = 0, nr, records = input_byte(in) % 200;
	u64 *mem = NULL, *h, seq = FIRST, ts = input_word(in);

	while (records-- && in->left) {
		nr = 1 + input_byte(in) % 22;
		mem = realloc(mem, (words + nr + 3) * sizeof(*mem));
		h = mem + words;
		memset(h, records, (nr + 3) * sizeof(*h));
		if (!words || nr > 20) {
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
		h[1] = input_byte(in) % 8 ? input_word(in) : KPT_RECORD_RAW_DATA_CUT;
	}
	*chunk = (struct kpt_ring_chunk){ .mem = mem, .bytes = words * sizeof(*mem) };
}

/* As trace_pipe_raw does. */
static void put(struct kpt_rawpage *page, struct kpt_ring_chunk chunk, u64 missed, bool at_once)
{
	struct kpt_ring_cursor cur = { .seq = FIRST };
	struct kpt_era span = { .counts = 0 };
	struct kpt_ring_info info;
	const u64 *rec;
	u64 ts;

	kpt_rawpage_begin(page, malloc(SIZE), SIZE, missed);
	kpt_rawpage_add(page, "first", 6, 0);
	for (;;) {
		if (at_once)
			kpt_rawpage_add_chunk(page, &chunk, &cur, &span);
		MUST(chunk.at == cur.pos && chunk.at <= chunk.bytes);
		MUST(page->used <= SIZE - KPT_RAWPAGE_HEADER);
		rec = kpt_ring_chunk_next(&chunk, &cur, &info);
		if (!rec || kpt_record_is_cut(rec))
			break;
		ts = kpt_epoch_convert(kpt_epochs_find(&all, info.ts), &tick, info.ts);
		kpt_era_begin(&span, &all, &scale, info.ts);
		if (!kpt_rawpage_add(page, rec, info.size, ts))
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
	u64 missed = input_byte(&in) % 2;

	kpt_scale_init(&scale, &tick);
	all = (struct kpt_epochs){ .nr = 1 + input_byte(&in) % 2 };
	all.epoch[1].count = input_word(&in);
	all.epoch[1].ns = kpt_tick_convert(&tick, all.epoch[1].count) + input_byte(&in);
	make_chunk(&chunk, &in);
	put(&one, chunk, missed, false);
	put(&many, chunk, missed, true);
	MUST(!memcmp(one.mem, many.mem, SIZE));
	free(one.mem);
	free(many.mem);
	while (in.left && chunk.bytes)
		((u8 *)chunk.mem)[input_word(&in) % chunk.bytes] ^= input_byte(&in);
	put(&many, chunk, missed, true);
	free(many.mem);
	free((void *)chunk.mem);
	return 0;
}
