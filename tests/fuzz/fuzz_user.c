// SPDX-License-Identifier: GPL-2.0-only
/*
 * Any definition of a user event is refused with a column in it, or has fields inside
 * the record whose listing gives the same fields again. Any record of it that passes
 * the check gives a line of trace.
 */
#include "lib/base/port.h"
#include "lib/format/format.h"
#include "parts/user/declaration.h"
#include <stdlib.h>
#include <string.h>
#include "input.h"

static struct kpt_def def;

static struct kpt_user_shape *parse(const char *line, size_t len)
{
	struct kpt_user_shape *shape;
	struct kpt_diag diag;
	size_t room;
	int err = kpt_def_parse(&def, line, len, &diag);

	if (err || def.kind != KPT_DEF_USER)
		return NULL;
	room = kpt_user_room(&def);
	shape = malloc(room);
	MUST(shape);
	err = kpt_user_parse(shape, room, &def, &diag);
	if (!err)
		return shape;
	MUST(diag.code != KPT_E_NONE && diag.column <= strlen(def.text) + 1);
	free(shape);
	return NULL;
}

static void check_again(const struct kpt_user_shape *shape)
{
	static char line[2 * KPT_DEF_MAX];
	struct kpt_user_shape *again;
	struct kpt_strbuf sb;

	kpt_strbuf_init(&sb, line, sizeof(line));
	kpt_strbuf_printf(&sb, "u:again %s", shape->list);
	if (sb.len >= KPT_DEF_MAX)
		return;
	again = parse(line, sb.len);
	MUST(again && !strcmp(again->list, shape->list));
	MUST(!strcmp(again->head.print_fmt, shape->head.print_fmt));
	MUST(again->fields.size == shape->fields.size);
	free(again);
}

static void check_fields(const struct kpt_user_shape *shape)
{
	const struct kpt_head_field *f;
	size_t at = sizeof(struct kpt_record_head);
	unsigned int i;

	MUST(shape->fields.size <= KPT_USER_RECORD_MAX);
	for (i = 0; i < shape->head.nr; i++) {
		f = &shape->field[i];
		MUST(f->ref.offset == at && f->ref.size && *f->name);
		MUST(strlen(f->declaration) > strlen(f->name));
		at += f->ref.size;
	}
	MUST(at == shape->fields.size);
}

static void check_record(const struct kpt_user_shape *shape, const u8 *data,
			 size_t size)
{
	static u8 record[KPT_USER_RECORD_MAX] __aligned(8);
	static char text[1 << 16];
	struct kpt_line line = {
		.event = "e", .comm = "sh", .fields = &shape->fields,
		.record = record, .size = min(size + 8, sizeof(record)),
	};
	struct kpt_strbuf sb;

	memcpy(record + 8, data, line.size - 8);
	if (line.size < shape->fields.size ||
	    !kpt_user_check(shape, record, line.size))
		return;
	kpt_strbuf_init(&sb, text, sizeof(text));
	kpt_format_line(&sb, &line);
	MUST(sb.len && text[sb.len - 1] == '\n');
}

/* A line, then the bytes of a record. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const uint8_t *end = memchr(data, '\n', size);
	size_t len = end ? (size_t)(end - data) : size;
	struct kpt_user_shape *shape = parse((const char *)data, len);

	if (!shape)
		return 0;
	check_fields(shape);
	check_again(shape);
	if (end)
		check_record(shape, end + 1, size - len - 1);
	free(shape);
	return 0;
}
