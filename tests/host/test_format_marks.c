// SPDX-License-Identifier: GPL-2.0-only
/* Records that are no hits: lines and format files as Linux 7.3 has them. */
#include "lib/base/port.h"
#include "lib/format/format.h"
#include "harness.h"
#include "world.h"

#define DEFAULT (KPT_OPT_CONTEXT_INFO | KPT_OPT_IRQ_INFO | KPT_OPT_HASH_PTR)
#define CONTEXT "        hosttest-42      [001] .....     1.000003: "
#define IP 0xffff800008300010ULL

static char buf[1024];
static u64 record[64];
static struct kpt_line line;

static void setup(u16 type, const struct kpt_fields *fields, size_t size)
{
	static const struct world_symbol symbols[] = {
		{ "tracing_mark_write", IP - 0x10, 0x80 },
	};
	struct kpt_record_head head = { .type = type, .pid = 42 };

	world_reset();
	memcpy(world.symbols, symbols, sizeof(symbols));
	world.nr_symbols = ARRAY_SIZE(symbols);
	memset(record, 0, sizeof(record));
	memcpy(record, &head, sizeof(head));
	line = (struct kpt_line){
		.fields = fields, .record = record, .size = size, .comm = "hosttest", .tgid = 42,
		.cpu = 1, .ts = 1000002999, .ts_in_ns = true,
		.options = DEFAULT,
	};
}

static void setup_print(const char *text)
{
	size_t len = strlen(text) + 1;

	setup(KPT_RECORD_PRINT, &kpt_fields_print,
	      sizeof(struct kpt_record_print) + len);
	record[1] = IP;
	memcpy(record + 2, text, len);
}

/* @after: bytes behind the id */
static void setup_raw(u16 type, size_t after)
{
	static const u8 bytes[] = { 0x61, 0x62, 0x63, 0x64, 0xff };
	u32 id = 0x10203;

	setup(type, &kpt_fields_raw_data, 12 + after);
	memcpy((u8 *)record + 8, &id, sizeof(id));
	memcpy((u8 *)record + 12, bytes, min(after, sizeof(bytes)));
}

static const char *print(void)
{
	struct kpt_strbuf sb;

	kpt_strbuf_init(&sb, buf, sizeof(buf));
	kpt_format_line(&sb, &line);
	return buf;
}

TEST(text)
{
	setup_print("hello\n");
	EXPECT_STR(print(),
		   CONTEXT "tracing_mark_write: hello\n");
	line.options |= KPT_OPT_SYM_OFFSET | KPT_OPT_SYM_ADDR;
	EXPECT_STR(print(), CONTEXT
		   "tracing_mark_write+0x10/0x80 <ffff800008300010>: hello\n");
	setup_print("no end");
	EXPECT_STR(print(),
		   CONTEXT "tracing_mark_write: no end\n");
}

TEST(text_with_options)
{
	setup_print("hello\n");
	line.options |= KPT_OPT_FIELDS;
	EXPECT_STR(print(), CONTEXT "UNKNOWN TYPE 5\n");
	line.options |= KPT_OPT_RAW;
	EXPECT_STR(print(),
		   "42 1 1000002999 # ffff800008300010 hello\n");
	line.options |= KPT_OPT_HEX;
	EXPECT_STR(print(),
		   "0000002a 00000001 000000003b9ad5b7 type: 5\n\n");
	line.options = 0;
	EXPECT_STR(print(), "tracing_mark_write: hello\n");
}

TEST(raw_data)
{
	setup_raw(KPT_RECORD_RAW_DATA, 8);
	EXPECT_STR(print(),
		   CONTEXT "# 10203 buf: 61 62 63 64 ff 00 00 00\n");
	line.options |= KPT_OPT_RAW;
	EXPECT_STR(print(),
		   "42 1 1000002999 # 10203 buf: 61 62 63 64 ff 00 00 00\n");
	line.options = KPT_OPT_BIN | KPT_OPT_RAW;
	EXPECT_STR(print(), "type: 19\n");
	setup_raw(KPT_RECORD_RAW_DATA, 0);
	EXPECT_STR(print(), CONTEXT "# 10203 buf:\n");
}

TEST(user_stack)
{
	u64 addresses[9] = { 0x400010, 0x1234, 0x500000 };
	u32 tgid = 7;

	setup(KPT_RECORD_USER_STACK, &kpt_fields_user_stack, 16 + sizeof(addresses));
	memcpy((u8 *)record + 8, &tgid, sizeof(tgid));
	memcpy((u8 *)record + 16, addresses, sizeof(addresses));
	EXPECT_STR(print(), CONTEXT "<user stack trace>\n"
		   " =>  <0000000000400010>\n =>  <0000000000001234>\n"
		   " =>  <0000000000500000>\n");
	line.options |= KPT_OPT_SYM_USEROBJ;
	EXPECT_STR(print(), CONTEXT "<user stack trace>\n"
		   " => /bin/prog[+0x10]\n =>  <0000000000001234>\n"
		   " => /bin/prog[+0x100000]\n");
	line.options |= KPT_OPT_SYM_ADDR;
	EXPECT(strstr(print(), " => /bin/prog[+0x10] <0000000000400010>\n"));
}

TEST(repeats)
{
	struct kpt_record_func_repeats again = {
		.ip = IP, .parent_ip = IP, .count = 4, .bottom_delta_ts = 1000,
	};

	setup(KPT_RECORD_FUNC_REPEATS, &kpt_fields_func_repeats, sizeof(again));
	memcpy((u8 *)record + 8, (u8 *)&again + 8, sizeof(again) - 8);
	EXPECT_STR(print(), CONTEXT
		   "tracing_mark_write (repeats: 4, last_ts:     1.000002)\n");
	line.options |= KPT_OPT_PRINT_PARENT;
	EXPECT_STR(print(), CONTEXT "tracing_mark_write <-tracing_mark_write "
		   "(repeats: 4, last_ts:     1.000002)\n");
	again.top_delta_ts = 1;
	memcpy((u8 *)record + 8, (u8 *)&again + 8, sizeof(again) - 8);
	line.options |= KPT_OPT_RAW;
	EXPECT_STR(print(), "42 1 1000002999 18446603336358559760 "
		   "18446603336358559760 4 4294968296\n");
	line.options |= KPT_OPT_HEX;
	EXPECT_STR(print(), "0000002a 00000001 000000003b9ad5b7 type: 20\n\n");
	line.options = 0;
	line.ts_in_ns = false;
	again.top_delta_ts = 0;
	memcpy((u8 *)record + 8, (u8 *)&again + 8, sizeof(again) - 8);
	EXPECT_STR(print(), "tracing_mark_write (repeats: 4, last_ts:   1000001999)\n");
}

TEST(cut_raw_data_is_restored)
{
	setup_raw(KPT_RECORD_RAW_DATA_CUT, 12);
	line.size = kpt_record_restore(record, line.size, NULL);
	EXPECT_EQ(line.size, 20);
	EXPECT_EQ(((struct kpt_record_head *)record)->type,
		  KPT_RECORD_RAW_DATA);
	EXPECT_EQ(kpt_record_restore(record, line.size, NULL), 20);
}

TEST(what_a_record_leaves_out_is_restored)
{
	static struct kpt_record_place places[KPT_RECORD_PLACES];
	struct kpt_record_head *head = (void *)record;
	u64 *word = (u64 *)(head + 1);

	places[KPT_RECORD_PLACES - 1] = (struct kpt_record_place){ .ip = 1234, .type = 9000 };
	*head = (struct kpt_record_head){ .type = KPT_RECORD_PLACE_END - 1, .flags = 3, .pid = 5 };
	word[0] = 77;
	word[1] = 88;
	EXPECT_EQ(kpt_record_restore(record, sizeof(*head) + 16, places), sizeof(*head) + 24);
	EXPECT_EQ(head->type, 9000);
	EXPECT_EQ(head->flags, 3);
	EXPECT_EQ(head->pid, 5);
	EXPECT_EQ(word[0], 1234);
	EXPECT_EQ(word[1], 77);
	EXPECT_EQ(word[2], 88);
	/* It is whole, and a number that nobody has given stays. */
	EXPECT_EQ(kpt_record_restore(record, sizeof(*head) + 24, places), sizeof(*head) + 24);
	head->type = KPT_RECORD_PLACE;
	EXPECT_EQ(kpt_record_restore(record, sizeof(*head), places), sizeof(*head));
	EXPECT_EQ(head->type, KPT_RECORD_PLACE);
	EXPECT_EQ(kpt_record_restore(record, sizeof(*head), NULL), sizeof(*head));
	head->type = KPT_RECORD_PLACE_END - 1;
	EXPECT_EQ(kpt_record_restore(record, sizeof(*head), places), sizeof(*head) + 8);
	EXPECT_EQ(word[0], 1234);
}

TEST(cut_records)
{
	size_t size;

	for (size = 0; size < 24; size++) {
		setup_print("hello\n");
		line.size = size;
		print();
		EXPECT(strchr(buf, '\n'));
		setup_raw(KPT_RECORD_RAW_DATA, 8);
		line.size = size;
		print();
		EXPECT(strchr(buf, '\n'));
	}
}

#define COMMON								\
	"format:\n"							\
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n" \
	"\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n" \
	"\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n" \
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"

static const char *file(const char *name, u16 type,
			const struct kpt_fields *fields)
{
	struct kpt_strbuf sb;

	kpt_strbuf_init(&sb, buf, sizeof(buf));
	kpt_format_file(&sb, name, type, fields);
	EXPECT(!sb.overflow);
	return buf;
}

TEST(format_files)
{
	EXPECT_STR(file("print", KPT_RECORD_PRINT, &kpt_fields_print), "name: print\nID: 5\n" COMMON
		   "\tfield:unsigned long ip;\toffset:8;\tsize:8;\tsigned:0;\n"
		   "\tfield:char buf[];\toffset:16;\tsize:0;\tsigned:0;\n\n"
		   "print fmt: \"%ps: %s\", (void *)REC->ip, REC->buf\n");
	EXPECT_STR(file("raw_data", KPT_RECORD_RAW_DATA,
			&kpt_fields_raw_data), "name: raw_data\nID: 19\n" COMMON
		   "\tfield:unsigned int id;\toffset:8;\tsize:4;\tsigned:0;\n"
		   "\tfield:char buf[];\toffset:12;\tsize:0;\tsigned:0;\n\n"
		   "print fmt: \"id:%04x %08x\", REC->id, (int)REC->buf[0]\n");
	EXPECT(strstr(file("kernel_stack", KPT_RECORD_STACK,
			     &kpt_fields_stack),
		      "\tfield:int size;\toffset:8;\tsize:4;\tsigned:1;\n"
		      "\tfield:unsigned long caller[8];\toffset:16;\tsize:64;"
		      "\tsigned:0;\n\n"
		      "print fmt: \"\\t=> %ps\\n\\t=> %ps\\n\\t=> %ps\\n\" \""));
}

TEST_MAIN
