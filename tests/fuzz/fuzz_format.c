// SPDX-License-Identifier: GPL-2.0-only
/* Any bytes in a record give a terminated line within the room given. */
#include "lib/base/port.h"
#include "lib/format/format.h"
#include "fields.h"
#include "input.h"
#include "world.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static char text[8192];
	struct input in = { data, size };
	struct kpt_line line = { .event = "e", .comm = "c", .ts_in_ns = true };
	struct kpt_strbuf sb;
	struct shape shape;
	unsigned int i, n;
	size_t room;
	u8 type;

	world_reset();
	n = input_byte(&in);
	shape_init(&shape, n & 1);
	line.options = input_word(&in);
	room = 1 + input_word(&in) % sizeof(text);
	for (i = 0; i < n / 16; i++) {
		type = input_byte(&in);
		shape_add(&shape, "f", type % KPT_NR_TYPES,
			  type < 128 ? 0 : input_byte(&in) % KPT_ARRAY_MAX);
	}
	line.fields = &shape.f;
	line.record = in.data;
	line.size = in.left;
	kpt_strbuf_init(&sb, text, room);
	kpt_format_line(&sb, &line);
	MUST(sb.len < room && text[sb.len] == '\0');
	MUST(room == 1 || text[sb.len - 1] == '\n');

	kpt_strbuf_init(&sb, text, room);
	kpt_format_file(&sb, "e", 1, &shape.f);
	MUST(sb.len < room && strlen(text) == sb.len);
	return 0;
}
