// SPDX-License-Identifier: GPL-2.0-only
/* Arguments in lines of function and function_graph, as Linux 7.3 prints them. */
#include "lib/base/port.h"
#include "lib/format/format.h"
#include "harness.h"
#include "btf_blob.h"
#include "world.h"

#define FUNC 0xffff800008300000ULL
#define CALLER 0xffff8000081fff00ULL

static struct blob blob;
static struct kpt_btf btf;
static u32 t_int, t_long, t_u8, t_ulong, t_bool, t_ptr, t_i128, t_double;
static u32 t_color, t_small, t_wide, t_one, t_pair, t_packed, t_big, t_empty, t_union,
	t_array, t_loop;

static u32 structure(const char *name, enum kpt_btf_kind kind, u32 type, u32 size)
{
	u32 id = blob_type(&blob, kind, name, 1, size);

	blob_member(&blob, "m", type, 0);
	return id;
}

static u32 enumeration(const char *name, u32 size, u32 a, u32 b)
{
	u32 id = blob_type(&blob, KPT_BTF_ENUM, name, 2, size);

	blob_word(&blob, blob_string(&blob, "FIRST"));
	blob_word(&blob, a);
	blob_word(&blob, blob_string(&blob, "SECOND"));
	blob_word(&blob, b);
	return id;
}

static void make_types(void)
{
	u32 t;

	blob_init(&blob, NULL);
	t_int = blob_int(&blob, "int", 4, true);
	t_long = blob_int(&blob, "long", 8, true);
	t_u8 = blob_int(&blob, "unsigned char", 1, false);
	t_ulong = blob_int(&blob, "unsigned long", 8, false);
	t_bool = blob_type(&blob, KPT_BTF_INT, "_Bool", 0, 1);
	blob_word(&blob, 4U << 24 | 8);
	t_i128 = blob_int(&blob, "__int128", 16, true);
	t_double = blob_type(&blob, KPT_BTF_FLOAT, "double", 0, 8);
	t = blob_ref(&blob, KPT_BTF_CONST, t_u8);
	t_ptr = blob_ref(&blob, KPT_BTF_PTR, t);
	t_color = enumeration("color", 4, 3, (u32)-1);
	t_small = enumeration("small", 1, 0x7f, 0x80);
	t_wide = blob_type(&blob, KPT_BTF_ENUM64, "wide", 0, 8);
	t_one = structure("one", KPT_BTF_STRUCT, t_int, 4);
	t = blob_array(&blob, t_long, 2);
	t_pair = structure("pair", KPT_BTF_STRUCT, t, 16);
	t = blob_array(&blob, t_int, 3);
	t_packed = structure("packed", KPT_BTF_STRUCT, t, 12);
	t_array = blob_array(&blob, t_long, 4);
	t_big = structure("big", KPT_BTF_STRUCT, t_array, 32);
	t_empty = blob_type(&blob, KPT_BTF_STRUCT, "empty", 0, 0);
	t_union = structure("either", KPT_BTF_UNION, t_long, 8);
	t_loop = blob.first_id + blob.nr;
	blob_ref(&blob, KPT_BTF_CONST, t_loop);
}

/* A prototype of parameters "a", "b" and so on. */
static void set_function(const u32 *type, u32 nr)
{
	char name[2] = "a";
	u32 i;

	make_types();
	world.func = blob_type(&blob, KPT_BTF_FUNC, "f", 0, blob.first_id + blob.nr + 1);
	blob_type(&blob, KPT_BTF_FUNC_PROTO, "", nr, 0);
	for (i = 0; i < nr; i++, name[0]++)
		blob_parameter(&blob, type[i] ? name : "", type[i]);
}

static char buf[4096];

/* Registers with the upper halves that a compiler may leave in them. */
static const u64 full[KPT_RECORD_ARGS] = {
	0x1111111100000001, 0x22222222fffffffe, 0x3333333300000003, 0x44444444000000ff,
	0x5555555500000005, 0x6666666600000006, 0x7777777700000007, 0x8888888800000008,
};

static const char *args_of(const u64 *reg, const u32 *type, u32 nr)
{
	struct kpt_strbuf sb;
	size_t size;
	u8 *bytes;

	set_function(type, nr);
	bytes = blob_bytes(&blob, &size);
	EXPECT(!blob_index(&btf, bytes, size, NULL));
	kpt_strbuf_init(&sb, buf, sizeof(buf));
	kpt_format_args(&sb, &btf, world.func, reg);
	free(btf.heads);
	free(bytes);
	return buf;
}

#define ARGS(...) args_of(full, (const u32[]){ __VA_ARGS__ },			\
			  ARRAY_SIZE(((const u32[]){ __VA_ARGS__ })))

/* The numbers of types are known once they are made. */
static void setup(void)
{
	world_reset();
	make_types();
}

TEST(numbers)
{
	setup();
	EXPECT_STR(args_of(full, NULL, 0), "");
	EXPECT_STR(ARGS(t_int, t_int), "a=1, b=-2");
	EXPECT_STR(ARGS(t_long, t_ulong), "a=1229782937960972289, b=0x22222222fffffffe");
	EXPECT_STR(ARGS(t_ptr, t_u8, t_bool, t_u8),
		   "a=0x1111111100000001, b=0xfe, c=0x3, d=0xff");
	EXPECT_STR(ARGS(t_int, t_long, t_ptr, t_u8, t_u8, t_u8, t_u8, t_int),
		   "a=1, b=2459565880216911870, c=0x3333333300000003, d=0xff, e=0x5, "
		   "f=0x6, g=0x7, h=8");
	EXPECT_STR(ARGS(t_int, t_int, t_int, t_int, t_int, t_int, t_int, t_int, t_int,
			t_int),
		   "a=1, b=-2, c=3, d=255, e=5, f=6, g=7, h=8, ...");
}

TEST(enumerations)
{
	static const u64 reg[KPT_RECORD_ARGS] = { 3, 0xffffffff, 4, 0x80, 0x17f, 5 };
	u32 types[6];

	setup();
	types[0] = types[1] = types[2] = t_color;
	types[3] = types[4] = t_small;
	types[5] = t_wide;
	EXPECT_STR(args_of(reg, types, 6),
		   "a=3 [FIRST], b=-1 [SECOND], c=4, d=-128 [SECOND], e=127 [FIRST], "
		   "f=(ENUM64)[0x5]");
}

/* As the AAPCS64 passes them. */
TEST(structures)
{
	setup();
	EXPECT_STR(ARGS(t_one, t_pair, t_int),
		   "a=(STRUCT)[0x1], "
		   "b=(STRUCT)[0x22222222fffffffe:0x3333333300000003], c=255");
	EXPECT_STR(ARGS(t_packed, t_union),
		   "a=(STRUCT)[0x1111111100000001:0xfffffffe], "
		   "b=(UNION)[0x3333333300000003]");
	EXPECT_STR(ARGS(t_int, t_big, t_int), "a=1, b=(STRUCT *)[0x22222222fffffffe], c=3");
	EXPECT_STR(ARGS(t_empty, t_int), "a=(STRUCT)[], b=1");
	EXPECT_STR(ARGS(t_int, t_i128, t_int),
		   "a=1, b=(INT)[0x3333333300000003:0x44444444000000ff], c=5");
	EXPECT_STR(ARGS(t_double, t_int), "a=(FLOAT)[...], b=1");
	/* what does not fit is on the stack, and all that follows it */
	EXPECT_STR(ARGS(t_ptr, t_ptr, t_ptr, t_ptr, t_ptr, t_ptr, t_int, t_pair, t_int),
		   "a=0x1111111100000001, b=0x22222222fffffffe, c=0x3333333300000003, "
		   "d=0x44444444000000ff, e=0x5555555500000005, f=0x6666666600000006, "
		   "g=7, ...");
}

TEST(unknown)
{
	setup();
	EXPECT_STR(ARGS(t_ptr, 0), "a=0x1111111100000001, =?0x22222222fffffffe");
	EXPECT_STR(ARGS(t_int, t_int, t_int, t_int, t_int, t_int, t_int, t_int, 0),
		   "a=1, b=-2, c=3, d=255, e=5, f=6, g=7, h=8, ...");
	EXPECT_STR(ARGS(t_int, t_array, t_int), "a=1, ...");
	EXPECT_STR(ARGS(t_int, t_loop), "a=1, ...");
	EXPECT_STR(ARGS(t_int, 4711), "a=1, ...");
}

/* The brackets of a record. */

static struct {
	struct kpt_record_function call;
	u64 reg[KPT_RECORD_ARGS];
} function;

static struct {
	struct kpt_record_graph_entry call;
	u64 reg[KPT_RECORD_ARGS];
} entry;

static struct kpt_line line;
static u8 *bytes;

static void setup_record(void)
{
	static const struct world_symbol symbols[] = {
		{ "vfs_read", FUNC, 0x3a0 },
		{ "ksys_read", CALLER, 0xe0 },
	};
	size_t size;

	setup();
	memcpy(world.symbols, symbols, sizeof(symbols));
	world.nr_symbols = ARRAY_SIZE(symbols);
	set_function((const u32[]){ t_int, t_ptr }, 2);
	bytes = blob_bytes(&blob, &size);
	EXPECT(!blob_index(&btf, bytes, size, NULL));
	world.btf = &btf;
	world.func_addr = FUNC;
	function.call.head.type = KPT_RECORD_FUNCTION;
	function.call.ip = FUNC;
	function.call.parent_ip = CALLER + 4;
	entry.call.head.type = KPT_RECORD_GRAPH_ENTRY;
	entry.call.func = FUNC;
	entry.call.depth = 1;
	memcpy(function.reg, full, sizeof(full));
	memcpy(entry.reg, full, sizeof(full));
	line = (struct kpt_line){
		.comm = "hosttest", .fields = &kpt_fields_function,
		.options = KPT_OPT_PRINT_PARENT,
	};
}

static void tear_down(void)
{
	EXPECT_EQ(world.func_users, 0);
	world_reset();
	free(btf.heads);
	free(bytes);
}

static const char *function_of(size_t size)
{
	struct kpt_strbuf sb;

	kpt_strbuf_init(&sb, buf, sizeof(buf));
	line.record = &function;
	line.size = size;
	kpt_format_line(&sb, &line);
	return buf;
}

TEST(function_line)
{
	setup_record();
	EXPECT_STR(function_of(sizeof(function)),
		   "vfs_read(a=1, b=0x22222222fffffffe) <-ksys_read\n");
	/* of a record without registers nothing is shown, and none is read behind it */
	EXPECT_STR(function_of(sizeof(function.call)), "vfs_read <-ksys_read\n");
	EXPECT_STR(function_of(sizeof(function) - 1), "vfs_read <-ksys_read\n");
	line.options |= KPT_OPT_RAW;
	EXPECT_STR(function_of(sizeof(function)), "ffff800008300000 ffff8000081fff04\n");
	line.options = KPT_OPT_SYM_ADDR;
	EXPECT_STR(function_of(sizeof(function)), "vfs_read <ffff800008300000>"
		   "(a=1, b=0x22222222fffffffe)\n");
	line.options = 0;
	line.in_crash = true;
	EXPECT_STR(function_of(sizeof(function)), "vfs_read()\n");
	line.in_crash = false;
	function.call.ip = CALLER;
	EXPECT_STR(function_of(sizeof(function)), "ksys_read()\n");
	tear_down();
}

static const char *graph_of(size_t size, const void *next, size_t next_size)
{
	static struct kpt_graph_cpu state;
	struct kpt_strbuf sb;

	kpt_strbuf_init(&sb, buf, sizeof(buf));
	line.record = &entry;
	line.size = size;
	kpt_format_graph(&sb, &line, &state, next, next_size);
	return buf;
}

TEST(graph_lines)
{
	struct kpt_record_graph_exit leaf = {
		.head.type = KPT_RECORD_GRAPH_EXIT, .func = FUNC, .depth = 1, .retval = 7,
	};

	setup_record();
	EXPECT_STR(graph_of(sizeof(entry), NULL, 0),
		   "  vfs_read(a=1, b=0x22222222fffffffe) {\n");
	EXPECT_STR(graph_of(sizeof(entry.call), NULL, 0), "  vfs_read() {\n");
	EXPECT_STR(graph_of(sizeof(entry), &leaf, sizeof(leaf)),
		   "  vfs_read(a=1, b=0x22222222fffffffe);\n");
	line.options = KPT_OPT_GRAPH_RETVAL;
	EXPECT_STR(graph_of(sizeof(entry), &leaf, sizeof(leaf)),
		   "  vfs_read(a=1, b=0x22222222fffffffe); /* ret=0x7 */\n");
	world.btf = NULL;
	EXPECT_STR(graph_of(sizeof(entry), NULL, 0), "  vfs_read() {\n");
	tear_down();
}

TEST(format_files)
{
	static const char args[] =
		"\tfield:unsigned long args[];\toffset:24;\tsize:0;\tsigned:0;\n\nprint fmt: ";
	struct kpt_strbuf sb;

	kpt_strbuf_init(&sb, buf, sizeof(buf));
	kpt_format_file(&sb, "function", 1, &kpt_fields_function);
	EXPECT(strstr(buf, args));
	kpt_strbuf_init(&sb, buf, sizeof(buf));
	kpt_format_file(&sb, "funcgraph_entry", 11, &kpt_fields_graph_entry);
	EXPECT(strstr(buf, args));
}

TEST_MAIN
