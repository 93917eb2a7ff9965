// SPDX-License-Identifier: GPL-2.0-only
/* Golden lines: what Linux 7.3 prints for the same records. */
#include "lib/base/port.h"
#include "lib/format/format.h"
#include "fields.h"
#include "harness.h"
#include "world.h"

#define DEFAULT (KPT_OPT_CONTEXT_INFO | KPT_OPT_IRQ_INFO | KPT_OPT_HASH_PTR)
#define CONTEXT "        hosttest-42      [001] d....     1.000002: "
#define IP 0xffff800008300000ULL
#define CALLER 0xffff8000081ffff8ULL

static struct shape shape;
static struct bytes rec;
static struct kpt_line line;
static char buf[16384];

static void setup(bool is_return)
{
	static const struct world_symbol symbols[] = {
		{ "vfs_read", IP, 0x3a0 },
		{ "ksys_read", CALLER - 0x6c, 0xe0 },
	};

	world_reset();
	memcpy(world.symbols, symbols, sizeof(symbols));
	world.nr_symbols = ARRAY_SIZE(symbols);
	shape_init(&shape, is_return);
	line = (struct kpt_line){
		.event = "foo", .fields = &shape.f, .record = rec.b,
		.comm = "hosttest", .tgid = 42, .cpu = 1, .ts = 1000002499,
		.ts_in_ns = true, .options = DEFAULT,
	};
}

static void start_record(void)
{
	bytes_init(&rec, &shape, IP, CALLER);
}

static const char *print_in(size_t room)
{
	struct kpt_strbuf sb;

	line.size = rec.size;
	kpt_strbuf_init(&sb, buf, room);
	kpt_format_line(&sb, &line);
	return buf;
}

static const char *print(void)
{
	return print_in(sizeof(buf));
}

TEST(entry_without_arguments)
{
	setup(false);
	start_record();
	EXPECT_STR(print(), CONTEXT "foo: (vfs_read+0x0/0x3a0)\n");
}

TEST(return_shows_function_without_offset)
{
	setup(true);
	shape_add(&shape, "ret", KPT_TYPE_S64, 0);
	start_record();
	bytes_set(&rec, &shape, 0, 0, (u64)-14);
	EXPECT_STR(print(), CONTEXT
		   "foo: (ksys_read+0x6c/0xe0 <- vfs_read) ret=-14\n");
}

TEST(every_type)
{
	unsigned int t;

	setup(false);
	for (t = 0; t < KPT_NR_TYPES; t++)
		shape_add(&shape, kpt_type_info[t].name, t, 0);
	start_record();
	for (t = 0; t < KPT_TYPE_CHAR; t++)
		bytes_set(&rec, &shape, t, 0, 0xfedcba9876543280ULL);
	bytes_set(&rec, &shape, KPT_TYPE_CHAR, 0, 'q');
	bytes_set(&rec, &shape, KPT_TYPE_SYMBOL, 0, IP + 4);
	bytes_text(&rec, &shape, KPT_TYPE_STRING, 0, "tee", 4);
	bytes_text(&rec, &shape, KPT_TYPE_SYMSTR, 0, "a+0x1/0x2", 10);
	EXPECT_STR(print(), CONTEXT "foo: (vfs_read+0x0/0x3a0)"
		   " u8=128 u16=12928 u32=1985229440 u64=18364758544493064832"
		   " s8=-128 s16=12928 s32=1985229440 s64=-81985529216486784"
		   " x8=0x80 x16=0x3280 x32=0x76543280"
		   " x64=0xfedcba9876543280 char='q' symbol=vfs_read+0x4/0x3a0"
		   " ipv4=0.0.0.0 ipv6=:: mac=00:00:00:00:00:00 errno=0 errno=0"
		   " signal=0 cap=CAP_CHOWN uid=0 syscall=call0"
		   " string=\"tee\" ustring=(fault) symstr=\"a+0x1/0x2\"\n");
}

static const char *one(enum kpt_type type, const void *value)
{
	setup(false);
	shape_add(&shape, "f", type, 0);
	start_record();
	memcpy(rec.b + shape.room[0].offset, value, kpt_type_info[type].size);
	return strchr(strchr(print(), ')'), '=') + 1;
}

static const char *number_as(enum kpt_type type, u64 v)
{
	return one(type, &v);
}

TEST(addresses_of_networks)
{
	EXPECT_STR(one(KPT_TYPE_IPV4, "\x7f\0\0\x01"), "127.0.0.1\n");
	EXPECT_STR(one(KPT_TYPE_IPV4, "\xff\xfe\xfd\xfc"), "255.254.253.252\n");
	EXPECT_STR(one(KPT_TYPE_MAC, "\x52\x54\0\x12\xab\xff"), "52:54:00:12:ab:ff\n");
#define SIX(bytes, text) EXPECT_STR(one(KPT_TYPE_IPV6, bytes "\0\0\0\0\0\0\0\0"), text "\n")
	SIX("\xfe\x80\0\0\0\0\0\0\x50\x54\0\xff\xfe\0\x12\x34", "fe80::5054:ff:fe00:1234");
	SIX("\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\1", "::1");
	SIX("\x20\1\x0d\xb8\0\0\0\0\0\0\0\0\0\0\0\0", "2001:db8::");
	/* The first of two runs that are as long; a single group is no run. */
	SIX("\x20\1\0\0\0\0\0\1\0\0\0\0\0\1\0\1", "2001::1:0:0:1:1");
	SIX("\x20\1\0\0\0\1\0\1\0\1\0\1\0\1\0\1", "2001:0:1:1:1:1:1:1");
	SIX("\x20\1\0\0\0\0\0\1\0\0\0\0\0\0\0\1", "2001:0:0:1::1");
	SIX("\0\0\0\0\0\0\0\0\0\0\xff\xff\xc0\xa8\0\1", "::ffff:192.168.0.1");
	SIX("\xfe\x80\0\0\0\0\0\0\0\0\x5e\xfe\xc0\xa8\0\1", "fe80::5efe:192.168.0.1");
}

/* Numbers that have no name are shown as numbers. */
TEST(names_of_numbers)
{
	const char *strerrorname_np(int error);
	int e;

	for (e = 1; e < 140; e++) {
		const char *name = strerrorname_np(e), *got;

		got = number_as(KPT_TYPE_ERRNO, (u64)-e);
		EXPECT_EQ(got[0], '-');
		EXPECT_EQ(strlen(got), (name ? strlen(name) : e < 10 ? 1 : e < 100 ? 2 : 3) + 2);
		if (name)
			EXPECT(!strncmp(got + 1, name, strlen(name)));
	}
	EXPECT_STR(number_as(KPT_TYPE_ERRNO, (u64)-512), "-ERESTARTSYS\n");
	EXPECT_STR(number_as(KPT_TYPE_ERRNO, (u64)-517), "-EPROBE_DEFER\n");
	EXPECT_STR(number_as(KPT_TYPE_ERRNO, (u64)-519), "-ENOPARAM\n");
	EXPECT_STR(number_as(KPT_TYPE_ERRNO, (u64)-520), "-520\n");
	EXPECT_STR(number_as(KPT_TYPE_ERRNO, (u64)-521), "-EBADHANDLE\n");
	EXPECT_STR(number_as(KPT_TYPE_ERRNO, (u64)-524), "-ENOTSUPP\n");
	EXPECT_STR(number_as(KPT_TYPE_ERRNO, (u64)-531), "-ENOGRACE\n");
	EXPECT_STR(number_as(KPT_TYPE_ERRNO, (u64)-532), "-532\n");
	EXPECT_STR(number_as(KPT_TYPE_ERRNO, 4096), "4096\n");
	EXPECT_STR(number_as(KPT_TYPE_ERRNO64, (u64)-12), "-ENOMEM\n");
	EXPECT_STR(number_as(KPT_TYPE_ERRNO64, 0xfffffff4), "4294967284\n");
	EXPECT_STR(number_as(KPT_TYPE_SIGNAL, 15), "SIGTERM\n");
	EXPECT_STR(number_as(KPT_TYPE_SIGNAL, 31), "SIGSYS\n");
	EXPECT_STR(number_as(KPT_TYPE_SIGNAL, 32), "32\n");
	EXPECT_STR(number_as(KPT_TYPE_SIGNAL, (u64)-1), "-1\n");
	EXPECT_STR(number_as(KPT_TYPE_CAP, 21), "CAP_SYS_ADMIN\n");
	EXPECT_STR(number_as(KPT_TYPE_CAP, 40), "CAP_CHECKPOINT_RESTORE\n");
	EXPECT_STR(number_as(KPT_TYPE_CAP, 41), "41\n");
	EXPECT_STR(number_as(KPT_TYPE_UID, 1000), "1000\n");
	EXPECT_STR(number_as(KPT_TYPE_UID, 0xffffffff), "-1\n");
	EXPECT_STR(number_as(KPT_TYPE_UID, 0xfffffffe), "4294967294\n");
	EXPECT_STR(number_as(KPT_TYPE_SYSCALL, 9), "call9\n");
	EXPECT_STR(number_as(KPT_TYPE_SYSCALL, 7), "7\n");
	EXPECT_STR(number_as(KPT_TYPE_SYSCALL, 10), "10\n");
	EXPECT_STR(number_as(KPT_TYPE_SYSCALL, (u64)-1), "-1\n");
}

TEST(arrays)
{
	setup(false);
	shape_add(&shape, "a", KPT_TYPE_X16, 3);
	shape_add(&shape, "c", KPT_TYPE_CHAR, 2);
	shape_add(&shape, "s", KPT_TYPE_STRING, 2);
	shape_add(&shape, "one", KPT_TYPE_S8, 1);
	start_record();
	bytes_set(&rec, &shape, 0, 2, 0xbeef);
	bytes_set(&rec, &shape, 1, 0, 't');
	bytes_set(&rec, &shape, 1, 1, 'e');
	bytes_text(&rec, &shape, 2, 0, "x y", 4);
	bytes_set(&rec, &shape, 3, 0, 255);
	EXPECT_STR(print(), CONTEXT "foo: (vfs_read+0x0/0x3a0)"
		   " a={0x0,0x0,0xbeef} c={'t','e'} s={\"x y\",(fault)}"
		   " one={-1}\n");
}

TEST(addresses_of_no_symbol)
{
	setup(true);
	shape_add(&shape, "p", KPT_TYPE_SYMBOL, 0);
	bytes_init(&rec, &shape, 0x1234, 0);
	bytes_set(&rec, &shape, 0, 0, 0x10);
	EXPECT_STR(print(), CONTEXT "foo: (0 <- 0x00001234) p=0x10\n");
	setup(false);
	bytes_init(&rec, &shape, 0x1234, 0);
	EXPECT_STR(print(), CONTEXT "foo: (0x1234)\n");
}

static const char *flags(u8 flag, u8 count)
{
	start_record();
	rec.b[2] = flag;
	rec.b[3] = count;
	print();
	buf[36] = '\0';
	return buf + 31;
}

TEST(flags_column)
{
	setup(false);
	EXPECT_STR(flags(0, 0), ".....");
	EXPECT_STR(flags(KPT_FLAG_IRQS_OFF, 1), "d..1.");
	EXPECT_STR(flags(KPT_FLAG_IRQS_OFF | KPT_FLAG_BH_OFF, 0xf), "D..f.");
	EXPECT_STR(flags(KPT_FLAG_BH_OFF, 0xa0), "b...a");
	EXPECT_STR(flags(KPT_FLAG_NEED_RESCHED | KPT_FLAG_PREEMPT_RESCHED, 0),
		   ".N...");
	EXPECT_STR(flags(KPT_FLAG_NEED_RESCHED, 0), ".n...");
	EXPECT_STR(flags(KPT_FLAG_PREEMPT_RESCHED, 0), ".p...");
	EXPECT_STR(flags(KPT_FLAG_NEED_RESCHED_LAZY, 0), ".l...");
	EXPECT_STR(flags(KPT_FLAG_NEED_RESCHED_LAZY | KPT_FLAG_PREEMPT_RESCHED,
			 0), ".L...");
	EXPECT_STR(flags(KPT_FLAG_NEED_RESCHED_LAZY | KPT_FLAG_NEED_RESCHED, 0),
		   ".b...");
	EXPECT_STR(flags(KPT_FLAG_NEED_RESCHED_LAZY | KPT_FLAG_NEED_RESCHED |
			 KPT_FLAG_PREEMPT_RESCHED, 0), ".B...");
	EXPECT_STR(flags(KPT_FLAG_HARDIRQ, 0), "..h..");
	EXPECT_STR(flags(KPT_FLAG_SOFTIRQ, 0), "..s..");
	EXPECT_STR(flags(KPT_FLAG_HARDIRQ | KPT_FLAG_SOFTIRQ, 0), "..H..");
	EXPECT_STR(flags(KPT_FLAG_NMI | KPT_FLAG_SOFTIRQ, 0), "..z..");
	EXPECT_STR(flags(KPT_FLAG_NMI | KPT_FLAG_HARDIRQ, 0x21), "..Z12");
}

TEST(context_options)
{
	setup(false);
	start_record();
	line.options = DEFAULT & ~KPT_OPT_IRQ_INFO;
	EXPECT_STR(print(), "        hosttest-42      [001]      1.000002: "
		   "foo: (vfs_read+0x0/0x3a0)\n");
	line.options = DEFAULT | KPT_OPT_RECORD_TGID;
	EXPECT_STR(print(), "        hosttest-42      (     42) [001] d....     "
		   "1.000002: foo: (vfs_read+0x0/0x3a0)\n");
	line.tgid = -1;
	EXPECT_STR(print(), "        hosttest-42      (-------) [001] d....     "
		   "1.000002: foo: (vfs_read+0x0/0x3a0)\n");
	line.options = 0;
	EXPECT_STR(print(), "foo: (vfs_read+0x0/0x3a0)\n");
	line.options = DEFAULT;
	/* The nearest microsecond, also across a second. */
	line.ts = 1999999500;
	EXPECT_STR(print(), "        hosttest-42      [001] d....     2.000000: "
		   "foo: (vfs_read+0x0/0x3a0)\n");
	line.ts_in_ns = false;
	line.ts = 4711;
	EXPECT_STR(print(), "        hosttest-42      [001] d....         4711: "
		   "foo: (vfs_read+0x0/0x3a0)\n");
}

TEST(symbol_options)
{
	setup(true);
	start_record();
	line.options = KPT_OPT_SYM_ADDR;
	EXPECT_STR(print(), "foo: (ksys_read+0x6c/0xe0 <ffff8000081ffff8> <- "
		   "vfs_read <ffff800008300000>)\n");
	line.options = KPT_OPT_SYM_OFFSET;
	EXPECT_STR(print(), "foo: (ksys_read+0x6c/0xe0 <- vfs_read)\n");
}

TEST(latency_format)
{
	setup(false);
	start_record();
	line.options = DEFAULT | KPT_OPT_LATENCY_FMT;
	line.start = line.ts - 1234499;
	EXPECT_STR(print(), "hosttest-42        1d.... 1234us : "
		   "foo: (vfs_read+0x0/0x3a0)\n");
	line.next_ts = line.ts + 150 * 1000;
	EXPECT_STR(print(), "hosttest-42        1d.... 1234us!: "
		   "foo: (vfs_read+0x0/0x3a0)\n");
	line.options |= KPT_OPT_VERBOSE;
	line.index = 7;
	EXPECT_STR(print(), "        hosttest      42   1 1 00000000 00000007 "
		   "[000f4242] 1.234ms (+0.150ms): foo: (vfs_read+0x0/0x3a0)\n");
	line.ts_in_ns = false;
	EXPECT_STR(print(), "        hosttest      42   1 1 00000000 00000007 "
		   "[000000003b9ad3c3] 1234499 (+150000): "
		   "foo: (vfs_read+0x0/0x3a0)\n");
	line.options &= ~KPT_OPT_VERBOSE;
	EXPECT_STR(print(), "hosttest-42        1d.... 1234499: "
		   "foo: (vfs_read+0x0/0x3a0)\n");
}

TEST(latency_marks)
{
	static const struct {
		u32 us;
		char mark;
	} rows[] = {
		{ 10, ' ' }, { 11, '+' }, { 100, '+' }, { 101, '!' },
		{ 1001, '#' }, { 10001, '*' }, { 100001, '@' },
		{ 1000000, '@' }, { 1000001, '$' },
	};
	size_t i;

	setup(false);
	start_record();
	line.options = DEFAULT | KPT_OPT_LATENCY_FMT;
	line.start = line.ts;
	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		line.next_ts = line.ts + rows[i].us * 1000ULL;
		EXPECT_EQ(strstr(print(), "us")[2], rows[i].mark);
	}
}

TEST(unformatted_options)
{
	setup(false);
	start_record();
	line.options = DEFAULT | KPT_OPT_RAW;
	EXPECT_STR(print(), "42 1 1000002499 type: 1206\n");
	line.options |= KPT_OPT_HEX;
	EXPECT_STR(print(), "0000002a 00000001 000000003b9ad3c3 type: 1206\n\n");
	line.options = KPT_OPT_HEX;
	EXPECT_STR(print(), "type: 1206\n\n");
	line.options = KPT_OPT_BIN | KPT_OPT_HEX;
	EXPECT_STR(print(), "type: 1206\n");
	line.options |= KPT_OPT_CONTEXT_INFO;
	print();
	EXPECT(!memcmp(buf, "\x2a\0\0\0\1\0\0\0\xc3\xd3\x9a\x3b\0\0\0\0"
		       "type: 1206\n", 28));
}

TEST(fields_option)
{
	setup(false);
	line.options = KPT_OPT_FIELDS;
	shape_add(&shape, "q", KPT_TYPE_X64, 0);
	shape_add(&shape, "d", KPT_TYPE_S32, 0);
	shape_add(&shape, "h", KPT_TYPE_X16, 0);
	shape_add(&shape, "b", KPT_TYPE_U8, 0);
	shape_add(&shape, "c", KPT_TYPE_CHAR, 0);
	shape_add(&shape, "a", KPT_TYPE_U32, 2);
	shape_add(&shape, "w", KPT_TYPE_U8, 3);
	shape_add(&shape, "s", KPT_TYPE_STRING, 0);
	shape_add(&shape, "t", KPT_TYPE_STRING, 2);
	shape_add(&shape, "f", KPT_TYPE_STRING, 0);
	shape_add(&shape, "l", KPT_TYPE_U8, 0);
	start_record();
	bytes_set(&rec, &shape, 10, 0, 0xe9);
	bytes_set(&rec, &shape, 0, 0, 0x1000);
	bytes_set(&rec, &shape, 1, 0, (u64)-2);
	bytes_set(&rec, &shape, 2, 0, 0xffff);
	bytes_set(&rec, &shape, 3, 0, 7);
	bytes_set(&rec, &shape, 4, 0, 'x');
	bytes_set(&rec, &shape, 5, 1, 1);
	bytes_text(&rec, &shape, 7, 0, "fine", 5);
	bytes_text(&rec, &shape, 8, 0, "a\xe9", 3);
	EXPECT_STR(print(), "foo: __probe_ip=vfs_read+0x0/0x3a0 "
		   "(-140737350991872) q=0x1000 (4096) d=0xfffffffe (-2) "
		   "h=0xffff (65535) b=(7) c='x'(120) a=0x100000000 "
		   "(4294967296) w=<INVALID-SIZE> s=fine t=a.. (61:e9:00) f= "
		   "l='\xe9'(233)\n");
	setup(true);
	line.options = KPT_OPT_FIELDS;
	start_record();
	EXPECT_STR(print(), "foo: __probe_func=vfs_read+0x0/0x3a0 "
		   "(-140737350991872) __probe_ret_ip=ksys_read+0x6c/0xe0 "
		   "(-140737352040456)\n");
}

TEST(bad_places_do_not_leave_the_record)
{
	setup(false);
	shape_add(&shape, "s", KPT_TYPE_STRING, 0);
	shape_add(&shape, "u", KPT_TYPE_U32, 0);
	line.options = 0;
	start_record();
	bytes_set(&rec, &shape, 0, 0, kpt_data_loc(20, 5));
	EXPECT_STR(print(), "foo: (vfs_read+0x0/0x3a0) s=<OVERFLOW> u=0\n");
	bytes_set(&rec, &shape, 0, 0, kpt_data_loc(0xffff, 0xffff));
	EXPECT_STR(print(), "foo: (vfs_read+0x0/0x3a0) s=<OVERFLOW> u=0\n");
	bytes_text(&rec, &shape, 0, 0, "four", 4);
	EXPECT_STR(print(), "foo: (vfs_read+0x0/0x3a0) s=\"four\" u=0\n");
	rec.size = 22;
	EXPECT_STR(print(), "foo: (vfs_read+0x0/0x3a0) s=<OVERFLOW>"
		   " u=<OVERFLOW>\n");
	line.options = KPT_OPT_FIELDS;
	EXPECT_STR(print(), "foo: __probe_ip=vfs_read+0x0/0x3a0 "
		   "(-140737350991872) s=<OVERFLOW> u=<OVERFLOW>\n");
	rec.size = 9;
	line.options = 0;
	EXPECT_STR(print(), "foo: (0) s=<OVERFLOW> u=<OVERFLOW>\n");
}

TEST(long_line_is_cut)
{
	struct kpt_strbuf sb;

	setup(false);
	start_record();
	line.options = 0;
	EXPECT_STR(print_in(27), "foo: (vfs_read+0x0/0x3a0)\n");
	EXPECT_STR(print_in(26), "foo: (vfs_[LINE TOO BIG]\n");
	EXPECT_STR(print_in(6), "BIG]\n");
	EXPECT_STR(print_in(1), "");

	/* earlier text is kept, and so is the overflow mark */
	kpt_strbuf_init(&sb, buf, 8);
	kpt_strbuf_puts(&sb, "abc\n");
	kpt_format_line(&sb, &line);
	EXPECT_STR(buf, "abc\nG]\n");
	EXPECT(sb.overflow);
	kpt_strbuf_init(&sb, buf, sizeof(buf));
	kpt_format_line(&sb, &line);
	EXPECT(!sb.overflow);
}

static const char *header(u32 options)
{
	struct kpt_strbuf sb;

	kpt_strbuf_init(&sb, buf, sizeof(buf));
	kpt_format_header(&sb, "nop", 2, 3, 4, options);
	return buf;
}

TEST(header_texts)
{
	EXPECT_STR(header(DEFAULT),
"# tracer: nop\n"
"#\n"
"# entries-in-buffer/entries-written: 2/3   #P:4\n"
"#\n"
"#                                _-----=> irqs-off/BH-disabled\n"
"#                               / _----=> need-resched\n"
"#                              | / _---=> hardirq/softirq\n"
"#                              || / _--=> preempt-depth\n"
"#                              ||| / _-=> migrate-disable\n"
"#                              |||| /     delay\n"
"#           TASK-PID     CPU#  |||||  TIMESTAMP  FUNCTION\n"
"#              | |         |   |||||     |         |\n");
	EXPECT_STR(header(DEFAULT | KPT_OPT_RECORD_TGID),
"# tracer: nop\n"
"#\n"
"# entries-in-buffer/entries-written: 2/3   #P:4\n"
"#\n"
"#                                          _-----=> irqs-off/BH-disabled\n"
"#                                         / _----=> need-resched\n"
"#                                        | / _---=> hardirq/softirq\n"
"#                                        || / _--=> preempt-depth\n"
"#                                        ||| / _-=> migrate-disable\n"
"#                                        |||| /     delay\n"
"#           TASK-PID       TGID    CPU#  |||||  TIMESTAMP  FUNCTION\n"
"#              | |           |       |   |||||     |         |\n");
	EXPECT_STR(header(DEFAULT & ~KPT_OPT_IRQ_INFO),
"# tracer: nop\n"
"#\n"
"# entries-in-buffer/entries-written: 2/3   #P:4\n"
"#\n"
"#           TASK-PID     CPU#     TIMESTAMP  FUNCTION\n"
"#              | |         |         |         |\n");
	EXPECT_STR(header(KPT_OPT_CONTEXT_INFO | KPT_OPT_RECORD_TGID),
"# tracer: nop\n"
"#\n"
"# entries-in-buffer/entries-written: 2/3   #P:4\n"
"#\n"
"#           TASK-PID       TGID    CPU#     TIMESTAMP  FUNCTION\n"
"#              | |           |       |         |         |\n");
	EXPECT_STR(header(DEFAULT | KPT_OPT_VERBOSE), "# tracer: nop\n#\n");
	EXPECT_STR(header(0), "# tracer: nop\n#\n");
}

static const char *latency_header(u64 entries, u32 options)
{
	struct kpt_strbuf sb;

	kpt_strbuf_init(&sb, buf, sizeof(buf));
	kpt_format_latency_header(&sb, "nop", "7.3.4", "preempt", entries, 3, 4,
				  options);
	return buf;
}

TEST(latency_header_text)
{
	static const char top[] =
"# tracer: nop\n"
"#\n"
"# nop latency trace v1.1.5 on 7.3.4\n"
"# --------------------------------------------------------------------\n"
"# latency: 0 us, #2/3, CPU#0 | (M:preempt VP:0, KP:0, SP:0 HP:0 #P:4)\n"
"#    -----------------\n"
"#    | task: -0 (uid:0 nice:0 policy:0 rt_prio:0)\n"
"#    -----------------\n"
"#\n";
	static const char help[] =
"#                    _------=> CPU#            \n"
"#                   / _-----=> irqs-off/BH-disabled\n"
"#                  | / _----=> need-resched    \n"
"#                  || / _---=> hardirq/softirq \n"
"#                  ||| / _--=> preempt-depth   \n"
"#                  |||| / _-=> migrate-disable \n"
"#                  ||||| /     delay           \n"
"#  cmd     pid     |||||| time  |   caller     \n"
"#     \\   /        ||||||  \\    |    /       \n";
	char both[2048];

	strcpy(both, top);
	EXPECT_STR(latency_header(2, DEFAULT | KPT_OPT_VERBOSE), both);
	strcat(both, help);
	EXPECT_STR(latency_header(2, DEFAULT), both);
	EXPECT_STR(latency_header(0, DEFAULT), "# tracer: nop\n#\n");
	EXPECT_STR(latency_header(2, 0), "# tracer: nop\n#\n");
}

#define COMMON(name, id)                                                       \
	"name: " name "\n"                                                     \
	"ID: " id "\n"                                                         \
	"format:\n"                                                            \
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n" \
	"\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n" \
	"\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\t"    \
	"signed:0;\n"                                                          \
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"

static const char *file(void)
{
	struct kpt_strbuf sb;

	kpt_strbuf_init(&sb, buf, sizeof(buf));
	kpt_format_file(&sb, "foo", 1206, &shape.f);
	return buf;
}

TEST(file_of_entry)
{
	setup(false);
	shape_add(&shape, "arg1", KPT_TYPE_X64, 0);
	shape_add(&shape, "a", KPT_TYPE_X64, 2);
	shape_add(&shape, "s", KPT_TYPE_STRING, 0);
	shape_add(&shape, "t", KPT_TYPE_STRING, 2);
	shape_add(&shape, "b", KPT_TYPE_U32, 0);
	EXPECT_STR(file(), COMMON("foo", "1206")
"	field:unsigned long __probe_ip;	offset:8;	size:8;	signed:0;\n"
"	field:u64 arg1;	offset:16;	size:8;	signed:0;\n"
"	field:u64 a[];	offset:24;	size:16;	signed:0;\n"
"	field:__data_loc char[] s;	offset:40;	size:4;	signed:1;\n"
"	field:__data_loc char[][2] t;	offset:44;	size:8;	signed:1;\n"
"	field:u32 b;	offset:52;	size:4;	signed:0;\n"
"\n"
"print fmt: \"(%lx) arg1=0x%Lx a={0x%Lx,0x%Lx} s=\\\"%s\\\""
" t={\\\"%s\\\",\\\"%s\\\"} b=%u\", REC->__probe_ip, REC->arg1, REC->a[0],"
" REC->a[1], __get_str(s), __get_str(t[0]), __get_str(t[1]), REC->b\n");
}

TEST(file_of_return_without_arguments)
{
	setup(true);
	EXPECT_STR(file(), COMMON("foo", "1206")
"	field:unsigned long __probe_func;	offset:8;	size:8;	signed:0;\n"
"	field:unsigned long __probe_ret_ip;	offset:16;	size:8;	signed:0;\n"
"\n"
"print fmt: \"(%lx <- %lx)\", REC->__probe_func, REC->__probe_ret_ip\n");
}

TEST(file_of_every_type)
{
	static const char *const field_rows[KPT_NR_TYPES] = {
		"u8 f;\toffset:16;\tsize:1;\tsigned:0;",
		"u16 f;\toffset:16;\tsize:2;\tsigned:0;",
		"u32 f;\toffset:16;\tsize:4;\tsigned:0;",
		"u64 f;\toffset:16;\tsize:8;\tsigned:0;",
		"s8 f;\toffset:16;\tsize:1;\tsigned:1;",
		"s16 f;\toffset:16;\tsize:2;\tsigned:1;",
		"s32 f;\toffset:16;\tsize:4;\tsigned:1;",
		"s64 f;\toffset:16;\tsize:8;\tsigned:1;",
		"u8 f;\toffset:16;\tsize:1;\tsigned:0;",
		"u16 f;\toffset:16;\tsize:2;\tsigned:0;",
		"u32 f;\toffset:16;\tsize:4;\tsigned:0;",
		"u64 f;\toffset:16;\tsize:8;\tsigned:0;",
		"u8 f;\toffset:16;\tsize:1;\tsigned:0;",
		"u64 f;\toffset:16;\tsize:8;\tsigned:0;",
		"u32 f;\toffset:16;\tsize:4;\tsigned:0;",
		"u8 f[16];\toffset:16;\tsize:16;\tsigned:0;",
		"u8 f[6];\toffset:16;\tsize:6;\tsigned:0;",
		"s32 f;\toffset:16;\tsize:4;\tsigned:1;",
		"s64 f;\toffset:16;\tsize:8;\tsigned:1;",
		"s32 f;\toffset:16;\tsize:4;\tsigned:1;",
		"s32 f;\toffset:16;\tsize:4;\tsigned:1;",
		"u32 f;\toffset:16;\tsize:4;\tsigned:0;",
		"s32 f;\toffset:16;\tsize:4;\tsigned:1;",
		"__data_loc char[] f;\toffset:16;\tsize:4;\tsigned:1;",
		"__data_loc char[] f;\toffset:16;\tsize:4;\tsigned:1;",
		"__data_loc char[] f;\toffset:16;\tsize:4;\tsigned:1;",
	};
	static const char *const print_rows[KPT_NR_TYPES] = {
		"%u", "%u", "%u", "%Lu", "%d", "%d", "%d", "%Ld",
		"0x%x", "0x%x", "0x%x", "0x%Lx", "'%c'", "%pS",
		"%pI4", "%pI6c", "%pM", "%s%.0d", "%s%.0Ld", "%s%.0d", "%s%.0d", "%s%.0u",
		"%s%.0d",
		"\\\"%s\\\"", "\\\"%s\\\"", "\\\"%s\\\"",
	};
	char want[512], *got;
	unsigned int t;

	for (t = 0; t < KPT_NR_TYPES; t++) {
		setup(false);
		shape_add(&shape, "f", t, 0);
		snprintf(want, sizeof(want),
			 "\tfield:%s\n\nprint fmt: \"(%%lx) f=%s\", "
			 "REC->__probe_ip, %s\n", field_rows[t], print_rows[t],
			 kpt_type_info[t].names ? "" :
			 t < KPT_TYPE_STRING ? "REC->f" : "__get_str(f)");
		got = strstr(strstr(file(), "__probe_ip;"), "\tfield:");
		if (kpt_type_info[t].names)
			want[strlen(want) - 1] = got[strlen(want) - 1] = '\0';
		EXPECT_STR(got, want);
	}
}

/* What libtraceevent makes of it is seen by tests/tools/trace_cmd_forms.tc. */
TEST(file_of_names_of_numbers)
{
	setup(false);
	shape_add(&shape, "u", KPT_TYPE_UID, 0);
	shape_add(&shape, "n", KPT_TYPE_SYSCALL, 2);
	EXPECT_STR(strstr(file(), ", REC->__probe_ip"),
", REC->__probe_ip, (((u32)(REC->u + 0) < 1) || ((u32)(REC->u - 4294967295) < 1)) ?"
" __print_symbolic((u32)REC->u, { 0, \"0\" }, { 4294967295, \"-1\" }) : \"\","
" (((u32)(REC->u + 0) < 1) || ((u32)(REC->u - 4294967295) < 1)) ? 0 : REC->u,"
" ((u32)(REC->n[0] + 0) < 10) ? __print_symbolic((u32)REC->n[0], { 0, \"call0\" },"
" { 1, \"call1\" }, { 2, \"call2\" }, { 3, \"call3\" }, { 4, \"call4\" },"
" { 5, \"call5\" }, { 6, \"call6\" }, { 7, \"7\" }, { 8, \"call8\" },"
" { 9, \"call9\" }) : \"\", ((u32)(REC->n[0] + 0) < 10) ? 0 : REC->n[0],"
" ((u32)(REC->n[1] + 0) < 10) ? __print_symbolic((u32)REC->n[1], { 0, \"call0\" },"
" { 1, \"call1\" }, { 2, \"call2\" }, { 3, \"call3\" }, { 4, \"call4\" },"
" { 5, \"call5\" }, { 6, \"call6\" }, { 7, \"7\" }, { 8, \"call8\" },"
" { 9, \"call9\" }) : \"\", ((u32)(REC->n[1] + 0) < 10) ? 0 : REC->n[1]\n");
	setup(false);
	shape_add(&shape, "e", KPT_TYPE_ERRNO, 0);
	EXPECT(strstr(file(), ", { 4294967294, \"-ENOENT\" }, { 4294967295, \"-EPERM\" }, "
			      "{ 0, \"0\" }) : \"\", "));
	EXPECT(strstr(file(), " (((u32)(REC->e + 531) < 20) || ((u32)(REC->e + 133) < 134)) ? "));
}

/* What is kept of the line before changes none. */
TEST(lines_begin_alike_with_what_was_kept)
{
	static const u64 options[] = {
		0, KPT_OPT_RECORD_TGID, KPT_OPT_ESCAPE_TEXT,
		KPT_OPT_RECORD_TGID | KPT_OPT_ESCAPE_TEXT,
	};
	static const char *const comms[] = { "hosttest", "a \"name\"\n\1\2\3\4\5", "" };
	struct kpt_begin *begin[ARRAY_SIZE(comms)];
	static char alone[sizeof(buf)];
	unsigned int n, task, kept = 0;
	size_t room;

	for (task = 0; task < ARRAY_SIZE(comms); task++)
		begin[task] = calloc(1, sizeof(*begin[task]));
	for (n = 0; n < 20000; n++) {
		setup(false);
		task = test_random() % ARRAY_SIZE(comms);
		line.comm = comms[task];
		line.tgid = (s32)task;
		line.cpu = test_random() % 2;
		line.ts = test_random() >> 30;
		line.options ^= options[test_random() % ARRAY_SIZE(options)];
		line.options ^= test_random() % 4 ? 0 : KPT_OPT_IRQ_INFO;
		start_record();
		rec.b[2] = test_random() % 2;
		rec.b[3] = test_random() % 2;
		rec.b[4] = (u8)task;
		room = test_random() % 4 ? sizeof(buf) : 1 + test_random() % 200;
		memcpy(alone, print_in(room), sizeof(alone));
		line.begin = begin[task];
		kept += begin[task]->len > 0;
		EXPECT_STR(print_in(room), alone);
	}
	for (task = 0; task < ARRAY_SIZE(comms); task++)
		free(begin[task]);
	EXPECT(kept > n / 4);
}

/* Nothing in a record may break a line's end or leave the record. */
TEST(random_records_give_terminated_lines)
{
	static struct kpt_symbols symbols;
	unsigned int n, i;
	size_t room;
	u8 *copy;

	for (n = 0; n < 20000; n++) {
		setup(test_random() & 1);
		line.options = (u32)test_random() & 0xfff;
		for (i = test_random() % 5; i; i--)
			shape_add(&shape, "f", test_random() % KPT_NR_TYPES,
				  test_random() % 4);
		start_record();
		for (i = 0; i < 64; i++)
			rec.b[i] = (u8)test_random();
		rec.size = test_random() % 80;
		/* exactly as big as said, so that a sanitizer sees any byte */
		copy = malloc(rec.size);
		memcpy(copy, rec.b, rec.size);
		line.record = copy;
		room = 1 + test_random() % 1000;
		line.symbols = n % 2 ? &symbols : NULL;
		print_in(room);
		free(copy);
		line.record = rec.b;
		EXPECT(room == 1 || memchr(buf, '\n', room));
	}
}

TEST_MAIN
