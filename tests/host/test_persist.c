// SPDX-License-Identifier: GPL-2.0-only
/* Memory that survives a reboot: whole, damaged, and forged. */
#include "lib/base/port.h"
#include "lib/base/check.h"
#include "lib/format/format.h"
#include "parts/kept/layout.h"
#include "harness.h"
#include "world.h"

static u64 mem[4096];

static struct {
	struct kpt_fields fields;
	struct kpt_field field[3];
} probe = {
	.fields = {
		.head = &kpt_head_place,
		.has_dynamic = true,
		.nr = 3,
		.size = 32,
	},
	.field = {
		{ .name = "nr", .type = KPT_TYPE_U64, .offset = 16 },
		{ .name = "two", .type = KPT_TYPE_S16, .count = 2, .offset = 24 },
		{ .name = "s", .type = KPT_TYPE_STRING, .offset = 28 },
	},
};

static const struct kpt_head_field static_fields[] = {
	{ "dev", "u32 dev", { KPT_FIELD_NUMBER, false, 8, 4 } },
	{ "rwbs", "char rwbs[8]", { KPT_FIELD_CHARS, false, 12, 8 } },
};

static const struct kpt_head static_head = {
	.size = 24, .nr = 2, .field = static_fields,
};

static const struct kpt_fields of_kernel = { .head = &static_head, .size = 24 };

/* Keep an event behind those before; returns the offset behind it. */
static size_t add(size_t at, u16 id, const struct kpt_fields *fields, const char *name)
{
	size_t bytes = kpt_persist_shape_bytes(fields);

	EXPECT(bytes && at + bytes <= sizeof(mem));
	kpt_persist_shape_set((void *)mem + at, id, fields, name, "sched", "switch");
	return at + bytes;
}

static const struct kpt_persist_shape *shape_next(size_t *at, size_t *bad)
{
	return kpt_persist_shape_next(mem, sizeof(mem), at, bad);
}

static struct kpt_past_shape *make(const struct kpt_persist_shape *kept)
{
	struct kpt_past_shape *past = calloc(1, kpt_past_shape_bytes(kept));

	kpt_past_shape_make(past, kept);
	return past;
}

static void show(char *text, size_t size, const struct kpt_past_shape *past,
		 const void *record, size_t bytes)
{
	struct kpt_line line = {
		.event = past->kept->event,
		.source_group = past->kept->source_group,
		.source_event = past->kept->source_event,
		.fields = &past->fields,
		.record = record,
		.size = bytes,
	};
	struct kpt_strbuf sb;

	kpt_strbuf_init(&sb, text, size);
	kpt_format_line(&sb, &line);
}

TEST(the_layout_fits)
{
	struct kpt_persist_layout l;
	u64 size;
	u32 cpus;

	for (size = 0; size < 1 << 24; size += 40000) {
		for (cpus = 1; cpus < 600; cpus = cpus * 2 + 1) {
			if (kpt_persist_layout(&l, size, cpus))
				continue;
			EXPECT(sizeof(struct kpt_persist_head) <= l.kept);
			EXPECT(l.kept + cpus * sizeof(struct kpt_ring_kept) <= l.modules);
			EXPECT(l.modules + l.nr_modules *
			       sizeof(struct kpt_persist_module) <= l.shapes);
			EXPECT(l.shapes + l.shapes_size <= l.comms);
			EXPECT(l.comms + 8 + l.nr_comms * KPT_PERSIST_COMM <= l.rings);
			EXPECT(l.ring_size >= 8192 && l.ring_size % 4096 == 0);
			EXPECT(l.rings + (u64)cpus * l.ring_size <= size);
			/* Most of it is for records. */
			EXPECT(size < 1 << 20 || cpus > 32 ||
			       (u64)cpus * l.ring_size > size / 2);
		}
	}
	EXPECT_EQ(kpt_persist_layout(&l, 1 << 20, 0), -EINVAL);
	EXPECT_EQ(kpt_persist_layout(&l, 1 << 20, 1000), -EINVAL);
	EXPECT_EQ(kpt_persist_layout(&l, 8192, 1), -EINVAL);
	EXPECT_EQ(kpt_persist_layout(&l, U64_MAX, 1), -EINVAL);
	EXPECT_EQ(kpt_persist_layout(&l, 1ULL << 39, 2), 0);
}

TEST(a_head_is_known_even_if_it_is_damaged)
{
	struct kpt_persist_head head = { 0 };
	unsigned int bit;

	EXPECT(!kpt_persist_is_ours(&head));
	kpt_persist_head_set(&head, 1 << 20, 4);
	EXPECT(kpt_persist_is_ours(&head));
	EXPECT(kpt_persist_head_whole(&head, 1 << 20));
	EXPECT(!kpt_persist_head_whole(&head, 1 << 21));
	for (bit = 0; bit < 8 * offsetof(struct kpt_persist_head, boot); bit++) {
		((u8 *)&head)[bit / 8] ^= 1 << bit % 8;
		EXPECT(kpt_persist_is_ours(&head));
		EXPECT(!kpt_persist_head_whole(&head, 1 << 20));
		((u8 *)&head)[bit / 8] ^= 1 << bit % 8;
	}
	memset(head.magic, 0xff, sizeof(head.magic));
	EXPECT(!kpt_persist_is_ours(&head));
	/* Of a kptrace whose records had other headers. */
	memcpy(head.magic, "kept by kptrace3", sizeof(head.magic));
	EXPECT(!kpt_persist_is_ours(&head));
	/* What nobody can have written. */
	kpt_persist_head_set(&head, 1 << 20, 100000);
	EXPECT(!kpt_persist_head_whole(&head, 1 << 20));
}

TEST(pieces_are_whole_or_not)
{
	struct kpt_persist_boot boot = { .release = "6.1", .version = "#1", .end = 9 };
	struct kpt_persist_clock clock = { .tick = { .mult = 16 }, .epochs = { .nr = 1 } };
	struct kpt_persist_module mod = { .name = "ext4", .start = 4096, .size = 1 };

	EXPECT(!kpt_persist_boot_whole(&boot));
	kpt_persist_boot_set(&boot);
	EXPECT(kpt_persist_boot_whole(&boot));
	boot.start = 10;
	kpt_persist_boot_set(&boot);
	EXPECT(!kpt_persist_boot_whole(&boot));
	boot.start = 0;
	memset(boot.version, 'x', sizeof(boot.version));
	kpt_persist_boot_set(&boot);
	EXPECT(!kpt_persist_boot_whole(&boot));

	EXPECT(!kpt_persist_clock_whole(&clock));
	kpt_persist_clock_set(&clock);
	EXPECT(kpt_persist_clock_whole(&clock));
	clock.epochs.nr = KPT_EPOCHS_MAX + 1;
	kpt_persist_clock_set(&clock);
	EXPECT(!kpt_persist_clock_whole(&clock));
	clock.epochs.nr = 0;
	kpt_persist_clock_set(&clock);
	EXPECT(!kpt_persist_clock_whole(&clock));
	clock.epochs.nr = 1;
	clock.tick.mult = 0;
	kpt_persist_clock_set(&clock);
	EXPECT(!kpt_persist_clock_whole(&clock));

	EXPECT(!kpt_persist_module_whole(&mod));
	kpt_persist_module_set(&mod);
	EXPECT(kpt_persist_module_whole(&mod));
	mod.name[1] = '\n';
	kpt_persist_module_set(&mod);
	EXPECT(!kpt_persist_module_whole(&mod));
	memset(&mod, 0, sizeof(mod));
	EXPECT(!kpt_persist_module_whole(&mod));
}

TEST(an_event_comes_back)
{
	u8 record[40] = { 0 };
	struct kpt_past_shape *past;
	const struct kpt_persist_shape *kept;
	size_t at = 0, bad = 0;
	char text[200];

	memset(mem, 0, sizeof(mem));
	add(add(0, 1500, &probe.fields, "open"), 1501, &of_kernel, "block_rq");
	kept = shape_next(&at, &bad);
	EXPECT(kept && kept->id == 1500);
	past = make(kept);
	EXPECT(past->fields.head == &kpt_head_place && past->fields.has_dynamic);
	record[16] = 42;
	record[24] = 0xff;
	record[25] = 0xff;
	record[28] = 32;
	record[30] = 3;
	memcpy(record + 32, "ab", 3);
	show(text, sizeof(text), past, record, sizeof(record));
	EXPECT_STR(text, "open: (0) nr=42 two={-1,0} s=\"ab\"\n");
	free(past);

	kept = shape_next(&at, &bad);
	EXPECT(kept && kept->id == 1501);
	past = make(kept);
	memset(record, 0, sizeof(record));
	record[8] = 7;
	memcpy(record + 12, "WS", 3);
	show(text, sizeof(text), past, record, sizeof(record));
	EXPECT_STR(text, "block_rq: dev=0x7 (7) rwbs=WS\n");
	free(past);
	EXPECT(!shape_next(&at, &bad));
	EXPECT_EQ(bad, 0);
}

TEST(a_damaged_event_costs_only_itself)
{
	const struct kpt_persist_shape *kept;
	size_t bytes = kpt_persist_shape_bytes(&probe.fields), at, bad, bit;

	for (bit = 0; bit < 8 * bytes; bit++) {
		memset(mem, 0, sizeof(mem));
		add(add(add(0, 1, &probe.fields, "a"), 2, &probe.fields, "b"), 3,
		    &probe.fields, "c");
		mem[bytes / 8 + bit / 64] ^= BIT_ULL(bit % 64);
		at = 0;
		bad = 0;
		kept = shape_next(&at, &bad);
		EXPECT(kept && kept->id == 1);
		kept = shape_next(&at, &bad);
		EXPECT(kept && kept->id == 3);
		EXPECT(bad > 0 && bad <= bytes);
		EXPECT(!shape_next(&at, &bad));
	}
}

/* Change a kept event of a shape and give it the right checksum. */
#define FORGE_OF(shape, change)							\
	do {									\
		struct kpt_persist_shape *s = (void *)mem;			\
		size_t at = 0, bad = 0;						\
										\
		memset(mem, 0, sizeof(mem));					\
		add(0, 1, shape, "a");						\
		change;								\
		s->check = kpt_check(&s->bytes, s->bytes - 8);			\
		EXPECT(!shape_next(&at, &bad));					\
	} while (0)
#define FORGE(change) FORGE_OF(&probe.fields, change)

TEST(a_forged_event_is_none)
{
	FORGE(s->kind = KPT_PERSIST_KINDS);
	FORGE(s->kind = KPT_PERSIST_OTHER);
	FORGE(s->kind = KPT_PERSIST_SYNTH);
	FORGE(s->nr = 2);
	FORGE(s->size = 31);
	FORGE(s->head_size = 4);
	FORGE(s->head_size = 24);
	FORGE(s->event[0] = '\n');
	FORGE(memset(s->event, 'a', KPT_NAME_MAX));
	FORGE(memset(s->source_group, 'a', KPT_NAME_MAX));
	FORGE(memset(s->field[1].name, 'a', KPT_NAME_MAX));
	FORGE(s->field[0].what = KPT_NR_ALL_TYPES);
	FORGE(s->field[0].what = 255);
	FORGE(s->field[0].offset = 25);
	FORGE(s->field[0].offset = 65535);
	FORGE(s->field[1].size = 5);
	FORGE(s->field[1].size = 65535);
}

TEST(a_forged_head_is_none)
{
	static const u8 dynamic[] = {
		KPT_FIELD_TEXT, KPT_FIELD_STACK, KPT_FIELD_BYTES, KPT_FIELD_REL_TEXT,
		KPT_FIELD_REL_BYTES, KPT_FIELD_MASK,
	};
	unsigned int i;

	FORGE_OF(&of_kernel, s->field[0].what = KPT_FIELD_MASK + 1);
	FORGE_OF(&of_kernel, s->field[1].size = 13);
	/* The place of dynamic bytes is read without asking for its size. */
	for (i = 0; i < ARRAY_SIZE(dynamic); i++) {
		FORGE_OF(&of_kernel, (s->field[0].what = dynamic[i],
				      s->field[0].offset = 24, s->field[0].size = 0));
		FORGE_OF(&of_kernel, (s->field[0].what = dynamic[i],
				      s->field[0].size = 8));
	}
}

TEST(text_is_found_where_it_is_now)
{
	static struct {
		struct kpt_moved moved;
		struct kpt_moved_range range[3];
	} m = {
		{ .nr = 3 },
		{ { 0x1000, 0x100, 0x5000 }, { 0, 0, 0 }, { 0x2000, 0x100, 0 } },
	};
	char text[64];
	struct kpt_line line = { .moved = &m.moved };
	struct kpt_strbuf sb;

	EXPECT_EQ(kpt_moved_find(&m.moved, 0x1000), 0x5000);
	EXPECT_EQ(kpt_moved_find(&m.moved, 0x10ff), 0x50ff);
	EXPECT_EQ(kpt_moved_find(&m.moved, 0x1100), 0);
	EXPECT_EQ(kpt_moved_find(&m.moved, 0xfff), 0);
	EXPECT_EQ(kpt_moved_find(&m.moved, 0x2000), 0);
	EXPECT_EQ(kpt_moved_find(&m.moved, 0), 0);

	world_reset();
	world.symbols[0] = (struct world_symbol){ "f", 0x5000, 0x100 };
	world.nr_symbols = 1;
	kpt_strbuf_init(&sb, text, sizeof(text));
	kpt_format_address(&sb, &line, 0x1010, KPT_OPT_SYM_OFFSET);
	EXPECT_STR(text, "f+0x10/0x100");
	kpt_strbuf_init(&sb, text, sizeof(text));
	kpt_format_address(&sb, &line, 0x5010, KPT_OPT_SYM_OFFSET);
	EXPECT_STR(text, "0x5010");
}

TEST_MAIN
