// SPDX-License-Identifier: GPL-2.0-only
/*
 * Any bytes as memory that survived a reboot, with right checksums or not: shapes that
 * are taken give lines of any record, and a ring is walked inside its memory.
 */
#include "lib/base/port.h"
#include "lib/base/check.h"
#include "lib/format/format.h"
#include "parts/kept/layout.h"
#include "lib/ring/ring_walk.h"
#include <string.h>
#include "input.h"
#include "world.h"

#define RING_SIZE 8192

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static u64 mem[2048];

static void fill(void *to, size_t bytes, struct input *in)
{
	memcpy(to, in->data, min(in->left, bytes));
	bytes = min(in->left, bytes);
	in->data += bytes;
	in->left -= bytes;
}

/* Give the shape at the beginning the checksum that it should have. */
static void forge(void)
{
	struct kpt_persist_shape *s = (void *)mem;

	if (s->bytes % 8 || s->bytes > sizeof(mem))
		s->bytes = sizeof(*s) + s->bytes % 16 * sizeof(s->field[0]);
	if (s->bytes >= sizeof(*s))
		s->check = kpt_check(&s->bytes, s->bytes - 8);
}

static void show(const struct kpt_persist_shape *kept, struct input *in)
{
	struct kpt_past_shape *past = calloc(1, kpt_past_shape_bytes(kept));
	struct kpt_line line = { .event = kept->event, .fields = &past->fields };
	u8 *record = malloc(sizeof(struct kpt_record_head) + 200);
	struct kpt_strbuf sb;
	char text[512];

	kpt_past_shape_make(past, kept);
	line.source_group = kept->source_group;
	line.source_event = kept->source_event;
	line.size = sizeof(struct kpt_record_head) + input_byte(in) % 200;
	memset(record, 0, line.size);
	fill(record, line.size, in);
	line.record = record;
	line.options = in->left ? *in->data << 5 : 0;
	line.comm = "";
	kpt_strbuf_init(&sb, text, sizeof(text));
	kpt_format_line(&sb, &line);
	MUST(sb.len < sizeof(text) && !text[sb.len]);
	free(record);
	free(past);
}

static void walk(struct input *in)
{
	struct kpt_ring_kept kept = { 0 };
	struct kpt_ring_info info;
	struct kpt_ring_walk w;
	u64 records = 0;
	int i;

	fill(&kept, sizeof(kept), in);
	for (i = 0; i < 2; i++)
		kept.place[i].check = kpt_check(&kept.place[i],
						offsetof(struct kpt_ring_place, check));
	memcpy(world.kernel, in->data, min(in->left, (size_t)WORLD_SIZE));
	if (!kpt_ring_walk_begin_kept(&w, (void *)WORLD_KERNEL, RING_SIZE, &kept))
		return;
	while (kpt_ring_walk_next(&w, &info)) {
		MUST(w.at % w.size + info.size <= w.size);
		records++;
	}
	MUST(w.pos >= w.end && records * 16 <= w.size);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct input in = { data, size };
	const struct kpt_persist_shape *kept;
	size_t at = 0, bad = 0;
	u8 how = input_byte(&in);

	world_reset();
	if (how % 4 == 3) {
		walk(&in);
		return 0;
	}
	memset(mem, 0, sizeof(mem));
	fill(mem, sizeof(mem), &in);
	if (how % 4)
		forge();
	while ((kept = kpt_persist_shape_next(mem, sizeof(mem), &at, &bad)))
		show(kept, &in);
	MUST(at >= sizeof(mem) && bad <= sizeof(mem));
	return 0;
}
