// SPDX-License-Identifier: GPL-2.0-only
/* Synthetic events: parsing, listing, records and their lines. */
#include "lib/base/port.h"
#include "lib/format/format.h"
#include "parts/hist/synth.h"
#include "harness.h"
#include "world.h"

static struct kpt_def def;
static struct kpt_synth_shape shape;
static struct kpt_diag diag;
static char text[4096];
static u8 record[32768] __aligned(8);

static int parse(const char *line)
{
	int err = kpt_def_parse_synthetic(&def, line, strlen(line), &diag);

	return err ? err : kpt_synth_parse(&shape, &def, &diag);
}

static const char *list(const char *line)
{
	struct kpt_strbuf sb;

	EXPECT_EQ(parse(line), 0);
	kpt_strbuf_init(&sb, text, sizeof(text));
	kpt_synth_list(&sb, &shape.fields);
	return text;
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
	EXPECT_STR(list("e u64 a; pid_t b;char[16] c ; char d[] "),
		   "u64 a; pid_t b; char[16] c; char[] d");
	EXPECT_STR(list("e u64 a u64 b unsigned int c;"),
		   "u64 a; u64 b; unsigned int c");
	EXPECT_STR(list("e long a[]; unsigned long b[]; unsigned long[] c"),
		   "long[] a; unsigned long[] b; unsigned long[] c");
	EXPECT_STR(list("e char a[0x9]; char b[010]"), "char[9] a; char[8] b");
}

TEST(layout_is_mainlines)
{
	list("e u8 a; char b[3]; char c[]; gfp_t d");
	EXPECT_EQ(shape.fields.field[0].offset, 8);
	EXPECT_EQ(shape.fields.field[1].offset, 16);
	EXPECT_EQ(shape.fields.field[2].offset, 272);
	EXPECT_EQ(shape.fields.field[3].offset, 280);
	EXPECT_EQ(shape.fields.size, 288);
	EXPECT_EQ(kpt_synth_room(&shape.fields), 288 + 256);
	EXPECT(shape.fields.has_dynamic);
}

TEST(mistakes)
{
	fails("^e", KPT_E_SYNTH_BAD_FORM);
	fails("^e u8", KPT_E_SYNTH_BAD_FORM);
	fails("^e; u8 a", KPT_E_SYNTH_BAD_FORM);
	fails("^e-f u8 a", KPT_E_SYNTH_BAD_NAME);
	fails("e u8 a; u8 ^1b", KPT_E_SYNTH_BAD_NAME);
	fails("e u8 a; ^unsigned int", KPT_E_SYNTH_INCOMPLETE_TYPE);
	fails("e ^u9 a", KPT_E_SYNTH_INVALID_TYPE);
	fails("e unsigned ^bool a", KPT_E_SYNTH_INVALID_TYPE);
	fails("e ^u8 a[2]", KPT_E_SYNTH_INVALID_TYPE);
	fails("e ^u8[2] a", KPT_E_SYNTH_INVALID_TYPE);
	fails("e u8 a; ^u8", KPT_E_SYNTH_INVALID_FIELD);
	fails("e char ^a[257]", KPT_E_SYNTH_INVALID_ARRAY);
	fails("e char ^a[0]", KPT_E_SYNTH_INVALID_ARRAY);
	fails("e char ^a[", KPT_E_SYNTH_INVALID_ARRAY);
	fails("e long ^a[2]", KPT_E_SYNTH_INVALID_ARRAY);
	fails("e ^char[257] a", KPT_E_SYNTH_INVALID_TYPE);
	fails("e u8 a; ^char[ b", KPT_E_SYNTH_INVALID_TYPE);
	fails("e unsigned ^long[2] a", KPT_E_SYNTH_INVALID_TYPE);
	fails("e char[16] ^a[4]", KPT_E_SYNTH_INVALID_ARRAY);
	fails("e char[] ^a[4]", KPT_E_SYNTH_INVALID_ARRAY);
	fails("e u8 ^a23456789012345678901234567890123", KPT_E_SYNTH_LONG_NAME);
}

TEST(most_fields)
{
	char line[1024] = "e", *at = line + 1;
	unsigned int i;

	for (i = 0; i < KPT_SYNTH_FIELDS_MAX; i++)
		at += sprintf(at, " u8 f%u;", i);
	EXPECT_EQ(parse(line), 0);
	strcpy(at, "u8 g");
	EXPECT_EQ(parse(line), -EINVAL);
	EXPECT_EQ(diag.code, KPT_E_SYNTH_TOO_MANY_FIELDS);
}

TEST(delete_lines)
{
	EXPECT_EQ(kpt_def_parse_synthetic(&def, "!e u8 a", 7, &diag), 0);
	EXPECT_EQ(def.kind, KPT_DEF_DELETE);
	EXPECT(def.is_synthetic && def.event.at == 1 && def.event.len == 1);
	EXPECT_EQ(kpt_def_parse(&def, "!s:synthetic/e u8 a", 19, &diag), 0);
	EXPECT(def.is_synthetic && !def.nr_args && !def.place.len);
	EXPECT_EQ(kpt_def_parse_synthetic(&def, "!", 1, &diag), -EINVAL);
}

/* A line of trace, without the context. */
static const char *show(const struct kpt_synth_writer *w, u32 options)
{
	const struct kpt_line line = {
		.event = "e", .fields = &shape.fields, .record = record,
		.size = w->size, .comm = "sh", .options = options,
	};
	struct kpt_strbuf sb;

	kpt_strbuf_init(&sb, text, sizeof(text));
	kpt_format_line(&sb, &line);
	return text;
}

TEST(record_and_line)
{
	const struct kpt_record_head head = { .type = 1, .pid = 7 };
	static const u64 stack[] = { 0x1010, 0x2020 };
	struct kpt_synth_writer w;

	world_reset();
	EXPECT_EQ(parse("e s8 a; char b[4]; char c[]; long d[]; gfp_t e; u64 f"), 0);
	memset(record, 0xff, sizeof(record));
	kpt_synth_begin(&w, &shape.fields, record, &head, 99);
	kpt_synth_put_number(&w, 0, (u64)-3);
	kpt_synth_put_text(&w, 1, "abcdef", 6);
	kpt_synth_put_text(&w, 2, "hello", 5);
	kpt_synth_put_stack(&w, 3, stack, 2);
	kpt_synth_put_number(&w, 4, 0xcc0);
	kpt_synth_put_number(&w, 5, ~0ULL);
	EXPECT_EQ(w.size % 8, 0);
	EXPECT(w.size <= kpt_synth_room(&shape.fields));
	EXPECT_STR(show(&w, 0),
		   "e: a=-3 b=abc c=hello d=STACK:\n=> 0x1010\n=> 0x2020\n"
		   "e=cc0  (GFP:cc0)f=18446744073709551615\n");
	EXPECT_EQ(record[0], 99);
	EXPECT_EQ(record[8 + 1], 0);
}

/* Types of arguments of probes are shown as theirs are. */
TEST(forms)
{
	const struct kpt_record_head head = { .type = 1, .pid = 7 };
	struct kpt_synth_writer w;

	world_reset();
	EXPECT_STR(list("e ipv4 a; errno b; signal c; cap d; uid e; syscall f"),
		   "ipv4 a; errno b; signal c; cap d; uid e; syscall f");
	EXPECT_EQ(shape.fields.size, 8 + 6 * 8);
	memset(record, 0xff, sizeof(record));
	kpt_synth_begin(&w, &shape.fields, record, &head, 99);
	kpt_synth_put_number(&w, 0, 0x0100007f);
	kpt_synth_put_number(&w, 1, (u64)-2);
	kpt_synth_put_number(&w, 2, 9);
	kpt_synth_put_number(&w, 3, 7);
	kpt_synth_put_number(&w, 4, 0xffffffff);
	kpt_synth_put_number(&w, 5, 3);
	EXPECT_STR(show(&w, 0), "e: a=127.0.0.1 b=-ENOENT c=SIGKILL d=CAP_SETUID e=-1 f=call3\n");
	EXPECT_EQ(parse("e ipv6 a"), -EINVAL);
	EXPECT_EQ(parse("e mac a"), -EINVAL);
	EXPECT_EQ(parse("e ipv4 a[2]"), -EINVAL);
	EXPECT_EQ(parse("e unsigned ipv4 a"), -EINVAL);
}

/* Names of flags are not cut, unless the line is. */
TEST(all_gfp_flags)
{
	const struct kpt_record_head head = { .type = 1, .pid = 7 };
	struct kpt_line line = { .event = "e", .fields = &shape.fields, .record = record };
	struct kpt_synth_writer w;
	struct kpt_strbuf sb;

	world_reset();
	EXPECT_EQ(parse("e gfp_t a"), 0);
	kpt_synth_begin(&w, &shape.fields, record, &head, 99);
	kpt_synth_put_number(&w, 0, U32_MAX);
	EXPECT_EQ(strlen(show(&w, 0)), strlen("e: a=ffffffff (GFP:") + 500 + 2);
	EXPECT_STR(text + strlen(text) - 10, "ffffffff)\n");
	line.size = w.size;
	kpt_strbuf_init(&sb, text, 100);
	kpt_format_line(&sb, &line);
	EXPECT(sb.overflow && strlen(text) < 100);
}

TEST_MAIN
