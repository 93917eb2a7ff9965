// SPDX-License-Identifier: GPL-2.0-only
/* User events: parsing, layout, texts, and the check of records. */
#include "lib/base/port.h"
#include "lib/format/format.h"
#include "parts/user/declaration.h"
#include "harness.h"
#include "world.h"

static struct kpt_def def;
static struct kpt_user_shape *shape;
static struct kpt_diag diag;
static char text[8192];

static int parse(const char *line)
{
	int err = kpt_def_parse(&def, line, strlen(line), &diag);
	size_t room;

	free(shape);
	shape = NULL;
	if (err)
		return err;
	EXPECT_EQ(def.kind, KPT_DEF_USER);
	room = kpt_user_room(&def);
	shape = malloc(room);
	return kpt_user_parse(shape, room, &def, &diag);
}

static const char *list(const char *line)
{
	EXPECT_EQ(parse(line), 0);
	return shape->list;
}

/* The caret is where @line has "^". */
static void fails(const char *line, enum kpt_diag_code code)
{
	const char *caret = strchr(line, '^');
	char copy[256];

	snprintf(copy, sizeof(copy), "%.*s%s", (int)(caret - line), line,
		 caret + 1);
	EXPECT_EQ(parse(copy), -EINVAL);
	EXPECT_EQ(diag.code, code);
	EXPECT_EQ(diag.column, caret - line);
}

TEST(lists_what_was_written)
{
	EXPECT_STR(list("u:e"), "");
	EXPECT_STR(list("u: e u32 a"), "u32 a");
	EXPECT_EQ(def.event.at, 3);
	EXPECT_STR(list("u:e u32 a;u32  b ; unsigned char[0x14] c;"),
		   "u32 a; u32 b; unsigned char[0x14] c");
	EXPECT_STR(list("u:e struct my s 20; __data_loc unsigned char[] d"),
		   "struct my s 20; __data_loc unsigned char[] d");
	EXPECT_STR(list("u:e ;; u8 a"), "u8 a");
}

TEST(layout_has_no_gaps)
{
	static const u16 offset[] = { 8, 9, 17, 21, 25, 28, 48 };
	unsigned int i;

	EXPECT_EQ(parse("u:e u8 a; s64 b; __rel_loc char[] c; __data_loc u8[] d;"
			"char[3] e; struct s f 20; unsigned short g"), 0);
	EXPECT_EQ(shape->head.nr, 7);
	for (i = 0; i < 7; i++)
		EXPECT_EQ(shape->field[i].ref.offset, offset[i]);
	EXPECT_EQ(shape->fields.size, 50);
	EXPECT_EQ(shape->field[2].ref.kind, KPT_FIELD_REL_TEXT);
	EXPECT_EQ(shape->field[3].ref.kind, KPT_FIELD_BYTES);
	EXPECT_EQ(shape->field[4].ref.kind, KPT_FIELD_CHARS);
	EXPECT(shape->field[1].ref.is_signed && !shape->field[0].ref.is_signed);
}

/* Each is as long as C's type of that name, and shown as printf() shows that. */
TEST(types_of_numbers)
{
	static const struct {
		const char *name;
		size_t size;
		const char *print;
	} type[] = {
		{ "s64", sizeof(s64), "%lld" }, { "u64", sizeof(u64), "%llu" },
		{ "s32", sizeof(s32), "%d" }, { "u32", sizeof(u32), "%u" },
		{ "int", sizeof(int), "%d" }, { "unsigned int", sizeof(unsigned int), "%u" },
		{ "s16", sizeof(s16), "%d" }, { "u16", sizeof(u16), "%u" },
		{ "short", sizeof(short), "%d" },
		{ "unsigned short", sizeof(unsigned short), "%u" },
		{ "s8", 1, "%d" }, { "u8", 1, "%u" },
		{ "char", 1, "%d" }, { "unsigned char", 1, "%u" },
	};
	char line[64], wanted[64];
	struct kpt_strbuf sb;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(type); i++) {
		snprintf(line, sizeof(line), "u:e %s a; u8 b", type[i].name);
		EXPECT_EQ(parse(line), 0);
		EXPECT_EQ(shape->field[0].ref.size, type[i].size);
		EXPECT_EQ(shape->fields.size, 8 + type[i].size + 1);
		kpt_strbuf_init(&sb, text, sizeof(text));
		kpt_format_file(&sb, "e", 9, &shape->fields);
		snprintf(wanted, sizeof(wanted), "print fmt: \"a=%s b=%%u\",", type[i].print);
		EXPECT(strstr(text, wanted));
	}
}

TEST(format_file)
{
	struct kpt_strbuf sb;

	EXPECT_EQ(parse("u:e __data_loc char[] a; char[4] b; struct s c 4;"
			"__rel_loc char[] d; short e; __rel_loc u8[] f"), 0);
	kpt_strbuf_init(&sb, text, sizeof(text));
	kpt_format_file(&sb, "e", 9, &shape->fields);
	EXPECT(strstr(text, "field:__data_loc char[] a;\toffset:8;\tsize:4;\tsigned:1;"));
	EXPECT(strstr(text, "field:char b[4];\toffset:12;\tsize:4;\tsigned:1;"));
	EXPECT(strstr(text, "field:__rel_loc char d[];\toffset:20;"));
	EXPECT(strstr(text, "print fmt: \"a=%s b=%s c=%llu d=%s e=%d f=%llu\", "
		      "__get_str(a), REC->b, REC->c, __get_rel_str(d), REC->e, "
		      "REC->f\n"));
}

TEST(mistakes)
{
	fails("u:^", KPT_E_NO_EVENT_NAME);
	fails("u:^1e u8 a", KPT_E_BAD_EVENT_NAME);
	fails("u:e^:flag u8 a", KPT_E_USER_FLAGS);
	fails("u:e ^u8", KPT_E_USER_NO_NAME);
	fails("u:e u8 a; ^unsigned int", KPT_E_USER_NO_NAME);
	fails("u:e ^__rel_loc", KPT_E_USER_NO_NAME);
	fails("u:e u8 ^1a", KPT_E_USER_BAD_NAME);
	fails("u:e ^u9 a", KPT_E_USER_TYPE);
	fails("u:e ^long a", KPT_E_USER_TYPE);
	fails("u:e ^unsigned bool a", KPT_E_USER_TYPE);
	fails("u:e ^char[aa] a", KPT_E_USER_TYPE);
	fails("u:e ^char[0] a", KPT_E_USER_TYPE);
	fails("u:e ^char[1025] a", KPT_E_USER_TYPE);
	fails("u:e ^char[9 a", KPT_E_USER_TYPE);
	fails("u:e ^char[0x00001] a", KPT_E_USER_TYPE);
	fails("u:e ^struct s\33[31m a 20", KPT_E_USER_TYPE);
	fails("u:e ^struct \233s a 20", KPT_E_USER_TYPE);
	fails("u:e u8 a; ^__data_loc \33char[] b", KPT_E_USER_TYPE);
	fails("u:e ^__rel_loc s\177 b", KPT_E_USER_TYPE);
	fails("u:e ^struct s a", KPT_E_USER_STRUCT_SIZE);
	fails("u:e struct s a ^x", KPT_E_USER_STRUCT_SIZE);
	fails("u:e struct s a ^0", KPT_E_USER_STRUCT_SIZE);
	fails("u:e char a ^20", KPT_E_USER_EXTRA);
	fails("u:e struct s a 20 ^20", KPT_E_USER_EXTRA);
	fails("u:e ^struct s a 4065", KPT_E_USER_TOO_BIG);
	fails("u:e struct s a 4063; ^u16 b", KPT_E_USER_TOO_BIG);
	EXPECT_EQ(parse("ux:e u8 a"), -EINVAL);
	EXPECT_EQ(diag.code, KPT_E_NONE);
	EXPECT_EQ(parse("u:e struct s a 4064"), 0);
}

TEST(delete_lines)
{
	EXPECT_EQ(kpt_def_parse(&def, "!u:e u8 a", 9, &diag), 0);
	EXPECT_EQ(def.kind, KPT_DEF_DELETE);
	EXPECT(def.event.len == 1 && !def.nr_args && !def.place.len);
}

/* A record of "__data_loc char[] a; __rel_loc char[] b; __rel_loc u8[] c". */
static bool check(u32 a, u32 b, u32 c, const char *tail, size_t len)
{
	u8 record[64] __aligned(8) = { 0 };
	u32 loc[] = { a, b, c };

	memcpy(record + 8, loc, sizeof(loc));
	memcpy(record + 20, tail, len);
	return kpt_user_check(shape, record, 20 + len);
}

TEST(checks_dynamic_fields)
{
	u32 a = kpt_data_loc(20, 3), b = kpt_data_loc(7, 4), c = kpt_data_loc(0, 7);

	EXPECT_EQ(parse("u:e __data_loc char[] a; __rel_loc char[] b;"
			"__rel_loc u8[] c"), 0);
	EXPECT(check(a, b, c, "ab\0cde", 7));
	EXPECT(!check(kpt_data_loc(21, 3), b, c, "ab\0cde", 7));
	EXPECT(!check(kpt_data_loc(20, 8), b, c, "ab\0cde", 7));
	EXPECT(!check(kpt_data_loc(0xffff, 1), b, c, "ab\0cde", 7));
	EXPECT(!check(a, kpt_data_loc(7, 3), c, "ab\0cde", 7));
	EXPECT(!check(a, kpt_data_loc(8, 4), c, "ab\0cde", 7));
	EXPECT(!check(a, b, kpt_data_loc(1, 7), "ab\0cde", 7));
	EXPECT(check(kpt_data_loc(27, 0), b, c, "ab\0cde", 7));
}

TEST(line_of_trace)
{
	static const u8 record[] __aligned(8) =
		"\1\0\0\0\7\0\0\0" "\5\0\0\0" "\6\0\3\0" "\0\0\2\0" "\1\2ab";
	struct kpt_line line = {
		.event = "e", .record = record, .size = 25, .comm = "sh",
	};
	struct kpt_strbuf sb;

	world_reset();
	EXPECT_EQ(parse("u:e u32 n; __rel_loc char[] s; __rel_loc u8[] b"), 0);
	line.fields = &shape->fields;
	kpt_strbuf_init(&sb, text, sizeof(text));
	kpt_format_line(&sb, &line);
	EXPECT_STR(text, "e: n=0x5 (5) s=ab b=01,02\n");
}

/* Up to a NUL or its end, whatever the bytes are: only dynamic strings are checked. */
TEST(fixed_string_in_a_line)
{
	static const u8 record[] __aligned(8) =
		"\1\0\0\0\7\0\0\0" "ab\0\xff" "c\n\xe9" "d";
	struct kpt_line line = {
		.event = "e", .record = record, .size = 16, .comm = "sh",
	};
	struct kpt_strbuf sb;

	world_reset();
	EXPECT_EQ(parse("u:e char[4] s; unsigned char[4] t"), 0);
	line.fields = &shape->fields;
	kpt_strbuf_init(&sb, text, sizeof(text));
	kpt_format_line(&sb, &line);
	EXPECT_STR(text, "e: s=ab t=c\n\xe9" "d\n");
	line.options = KPT_OPT_FIELDS;
	kpt_strbuf_init(&sb, text, sizeof(text));
	kpt_format_line(&sb, &line);
	EXPECT_STR(text, "e: s=ab t=c\n\xe9" "d\n");
}

TEST_MAIN
