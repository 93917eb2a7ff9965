// SPDX-License-Identifier: GPL-2.0-only
/* Arguments become programs, fields and listings; refusals and their columns. */
#include "lib/base/port.h"
#include "lib/fetch/fetch.h"
#include "harness.h"
#include "caret.h"
#include "fetch_world.h"

static const struct caret_case fetch_errors[] = {
#include "../cases/fetch_errors.h"
};

static void reset(void)
{
	world_reset();
	add_symbol("known", WORLD_KERNEL + 0x1000, 16);
	add_symbol("twice", WORLD_KERNEL + 0x2000, 16);
	add_symbol("twice", WORLD_KERNEL + 0x3000, 16);
}

TEST(error_rows)
{
	char line[KPT_DEF_MAX];
	size_t i;
	int at;

	reset();
	for (i = 0; i < ARRAY_SIZE(fetch_errors); i++) {
		at = caret_strip(fetch_errors[i].text, line);
		EXPECT(at >= 0);
		EXPECT(!caret_check(&fetch_errors[i], line, at, compile(line),
				    &diag));
	}
}

/* The argument @arg of @line as " name type[count] offset". */
static const char *shape(const char *line, unsigned int arg)
{
	static char room[4][80];
	static unsigned int next;
	char *to = room[next++ % 4];
	const struct kpt_field *f = &out.field_room[arg];
	int err = compile(line);

	if (err)
		snprintf(to, 80, "errno %d", err);
	else
		snprintf(to, 80, "%s %s[%d] %d", f->name,
			 kpt_type_info[f->type].name, f->count, f->offset);
	return to;
}

TEST(shapes)
{
	reset();
	EXPECT_STR(shape("p f %x0", 0), "arg1 x64[0] 16");
	EXPECT_STR(shape("r f %x0", 0), "arg1 x64[0] 24");
	EXPECT_STR(shape("p f a=%x0:u8 b=%x1:s16 c=%lr:x32", 1), "b s16[0] 17");
	EXPECT_STR(shape("p f a=%x0:u8 b=%x1:s16 c=%lr:x32", 2), "c x32[0] 19");
	EXPECT_EQ(out.fields.nr, 3);
	EXPECT_EQ(out.fields.size, 23);
	EXPECT_EQ(out.prog.size, 23);
	EXPECT(out.fields.head == &kpt_head_place);
	EXPECT(!out.fields.has_dynamic);
	EXPECT_EQ(out.prog.room, 0);
	EXPECT(!out.prog.has_strings);
	EXPECT_STR(shape("p f %sp:char", 0), "arg1 char[0] 16");
	EXPECT_STR(shape("p f %pc:symbol %pstate:u64", 1), "arg2 u64[0] 24");
	EXPECT_STR(shape("p f %x0:b4@2/32 %x1", 0), "arg1 u32[0] 16");
	EXPECT_STR(shape("p f %x0:b4@2/8 %x1", 1), "arg2 x64[0] 17");
	EXPECT_STR(shape("p f +0(%x0):b4@2/16[3] %x1", 0), "arg1 u16[3] 16");
	EXPECT_STR(shape("p f @0:x16[64] %x1", 0), "arg1 x16[64] 16");
	EXPECT_STR(shape("p f @0:x16[64] %x1", 1), "arg2 x64[0] 144");
	EXPECT_STR(shape("r f $elapsed", 0), "arg1 u64[0] 24");
	EXPECT(out.prog.needs_elapsed);
	EXPECT(out.fields.head == &kpt_head_return);
	EXPECT_STR(shape("r f $elapsed:x32", 0), "arg1 x32[0] 24");
	EXPECT_STR(shape("r f $retval", 0), "arg1 x64[0] 24");
	EXPECT(!out.prog.needs_elapsed);
	EXPECT_STR(shape("p f $tgid", 0), "arg1 s32[0] 16");
	EXPECT_STR(shape("p f $uid", 0), "arg1 u32[0] 16");
	EXPECT_STR(shape("p f $cgroup", 0), "arg1 u64[0] 16");
}

TEST(dynamic_shapes)
{
	reset();
	EXPECT_STR(shape("p f $comm %x0", 0), "arg1 string[0] 16");
	EXPECT(out.fields.has_dynamic);
	EXPECT_EQ(out.prog.room, PORT_COMM_LEN);
	EXPECT(!out.prog.has_strings);
	EXPECT_STR(shape("p f $comm:string %x0", 1), "arg2 x64[0] 20");
	EXPECT_STR(shape("p f \\\"x\"", 0), "arg1 string[0] 16");
	EXPECT_EQ(out.prog.room, 2);
	EXPECT_STR(shape("p f \\\"\":string", 0), "arg1 string[0] 16");
	EXPECT_STR(shape("p f \\0x1234:ustring", 0), "arg1 ustring[0] 16");
	EXPECT_STR(shape("p f +u0(%x0):string", 0), "arg1 string[0] 16");
	EXPECT_EQ(out.prog.room, 0);
	EXPECT(out.prog.has_strings);
	EXPECT_STR(shape("p f +0(%x0):ustring[3] %x0", 0),
		   "arg1 ustring[3] 16");
	EXPECT_STR(shape("p f +0(%x0):ustring[3] %x0", 1), "arg2 x64[0] 28");
	EXPECT_STR(shape("p f %x0:symstr", 0), "arg1 symstr[0] 16");
	EXPECT_STR(shape("p f %x0:%pd", 0), "arg1 string[0] 16");
	EXPECT_STR(shape("p f $comm:u8", 0), "errno -22");
}

TEST(largest_event)
{
	reset();
	EXPECT_EQ(compile("p f a=@0:u64[64] b=@0:u64[64] c=@0:u64[64] "
			  "d=@0:u64[64] e=@0:u64[64] g=@0:u64[64]"), 0);
	EXPECT_EQ(out.fields.size, 16 + KPT_FETCH_FIXED_MAX);
	EXPECT_EQ(compile("r f a=@0:u64[64] b=@0:u64[64] c=@0:u64[64] "
			  "d=@0:u64[64] e=@0:u64[64] g=@0:u64[64]"), 0);
	EXPECT_EQ(out.fields.size, 24 + KPT_FETCH_FIXED_MAX);
}

TEST(listings)
{
	reset();
	EXPECT_EQ(compile("p f"), 0);
	EXPECT_STR(out.listing.buf, "");
	EXPECT_EQ(compile("p f a=%x0 +0(%x1):string $comm"), 0);
	EXPECT_STR(out.listing.buf, " a=%x0 arg2=+0(%x1):string arg3=$comm");
	EXPECT_EQ(compile("p f d=$arg1:%pd $arg2:%pD"), 0);
	EXPECT_STR(out.listing.buf,
		   " d=+0x0(+0x28($arg1)):string"
		   " arg2=+0x0(+0x28(+0x98($arg2))):string");
}

/* A listing that is written back compiles to the same program. */
TEST(listings_can_be_written_back)
{
	static struct kpt_fetch_scratch first;
	char line[KPT_DEF_MAX];

	reset();
	EXPECT_EQ(compile("p f %x0:u8 d=$arg1:%pd @known+8:x8[4] $arg2:%pD "
			  "\\\"a:\":string"), -EINVAL);
	EXPECT_EQ(compile("p f %x0:u8 d=$arg1:%pd @known+8:x8[4] $arg2:%pD "
			  "\\\"a\":string"), 0);
	first = out;
	strcpy(line, "p f");
	strcat(line, first.listing_buf);
	EXPECT_EQ(compile(line), 0);
	EXPECT_STR(out.listing_buf, first.listing_buf);
	EXPECT_EQ(kpt_fields_same(&out.fields, &first.fields), 0);
	EXPECT_EQ(out.prog.nr_steps, first.prog.nr_steps);
	EXPECT(!memcmp(out.step_room, first.step_room,
		       out.prog.nr_steps * sizeof(out.step_room[0])));
}

TEST(longest_listing_fits)
{
	char line[KPT_DEF_MAX] = "p f";
	int i;

	reset();
	for (i = 0; i < KPT_ARGS_MAX; i++)
		strcat(line, " +0x00000000000000000(%x0):%pD");
	EXPECT_EQ(compile(line), 0);
	EXPECT(!out.listing.overflow);
	EXPECT(out.listing.len > KPT_DEF_MAX);
}

TEST(deepest_nesting)
{
	reset();
	EXPECT_EQ(compile("p f +0(+0(+0(+0(+0(+0(+0(+0(@known))))))))"), 0);
	EXPECT_EQ(compile("p f +0(+0(+0(+0(+0(+0(%x0)))))):%pd"), 0);
	EXPECT_EQ(compile("p f this_cpu_ptr(this_cpu_read(this_cpu_read("
			  "this_cpu_read(this_cpu_read(this_cpu_read("
			  "this_cpu_read(%x0))))))):u8"), 0);
	EXPECT_EQ(compile("p f +0(this_cpu_read(this_cpu_read(this_cpu_read("
			  "this_cpu_read(this_cpu_read(this_cpu_read("
			  "%x0))))))):u8[2]"), 0);
}

TEST(longest_names_and_bodies)
{
	char line[400];

	reset();
	EXPECT_EQ(compile("p f a1234567890123456789012345678901=%x0"), 0);
	snprintf(line, sizeof(line), "p f x=\\\"%0252d\"", 0);
	EXPECT_EQ(compile(line), 0);
	snprintf(line, sizeof(line), "p f x=\\\"%0253d\"", 0);
	EXPECT_EQ(compile(line), -E2BIG);
	EXPECT_EQ(compile("p f $stack2048 $arg2048"), 0);
}

TEST(most_steps)
{
	char line[KPT_DEF_MAX] = "p f";
	int i;

	reset();
	for (i = 0; i < KPT_ARGS_MAX; i++)
		strcat(line, i % 2 ? " +u0(+0(+u0(+0(+0(%x0)))))" :
				     " \\\"123456789012345678901\"");
	EXPECT_EQ(compile(line), 0);
	EXPECT(out.prog.nr_steps <= KPT_FETCH_ROOM);
	EXPECT_EQ(out.prog.nr_steps, 64 * 6 + 64 * 3 + 1);
	EXPECT_EQ(out.prog.dynamic_step, 64 * 6);
}

/* The longest possible definition, of arguments with the most steps. */
TEST(longest_definition)
{
	char line[KPT_DEF_MAX] = "p f";
	char arg[] = " +0(+0(+0(+0(+0(+0(+0(+0(@0))))))))";

	reset();
	while (strlen(line) + strlen(arg) < sizeof(line))
		strcat(line, arg);
	EXPECT_EQ(compile(line), 0);
	EXPECT(out.prog.nr_steps <= KPT_FETCH_ROOM);
}

TEST(pending_symbols)
{
	reset();
	EXPECT_EQ(compile_at("p m:f @nosuchsym+8 %x0", false), -ENOENT);
	EXPECT_EQ(diag.code, KPT_E_BAD_PROBE_ADDR);
	EXPECT_EQ(compile_at("p m:f @nosuchsym+8 %x0", true), 0);
	EXPECT_EQ(out.fields.nr, 2);
}

TEST(kernels_without_data_symbols)
{
	reset();
	world.no_data_symbols = true;
	EXPECT_EQ(compile("p f @nosuchsym"), -ENOENT);
	EXPECT_EQ(diag.code, KPT_E_NO_DATA_SYMBOLS);
	EXPECT_EQ(diag.column, 4);
	EXPECT_EQ(compile("p f @known"), 0);
}

TEST(entry_args)
{
	char line[KPT_DEF_MAX] = "r f";
	int i;

	reset();
	EXPECT_EQ(compile("r f $arg3 x=$arg1 +0($arg3) $arg700"), 0);
	EXPECT_EQ(out.prog.nr_entry, 3);
	EXPECT_EQ(out.prog.entry_arg[0], 3);
	EXPECT_EQ(out.prog.entry_arg[1], 1);
	EXPECT_EQ(out.prog.entry_arg[2], 700);
	EXPECT_EQ(compile("p f $arg3"), 0);
	EXPECT_EQ(out.prog.nr_entry, 0);
	for (i = 1; i <= KPT_FETCH_ENTRY_MAX; i++)
		sprintf(line + strlen(line), " $arg%d", i);
	EXPECT_EQ(compile(line), 0);
	strcat(line, " $arg99");
	EXPECT_EQ(compile(line), -E2BIG);
	EXPECT_EQ(diag.code, KPT_E_TOO_MANY_EARGS);
	EXPECT_EQ(diag.column, strlen(line) - 6);
}

TEST(same_fields)
{
	static struct kpt_fetch_scratch a;

	reset();
	EXPECT_EQ(compile("p f x=%x0 y=%x1:u8"), 0);
	a = out;
	EXPECT_EQ(compile("p g x=+0(%x7) y=%x2:u8"), 0);
	EXPECT_EQ(kpt_fields_same(&a.fields, &out.fields), 0);
	EXPECT_EQ(compile("p g x=%x7 z=%x2:u8"), 0);
	EXPECT_EQ(kpt_fields_same(&a.fields, &out.fields), 2);
	EXPECT_EQ(compile("p g x=%x7:u64 y=%x2:u8"), 0);
	EXPECT_EQ(kpt_fields_same(&a.fields, &out.fields), 1);
	EXPECT_EQ(compile("p g x=%x7 y=@0:u8[2]"), 0);
	EXPECT_EQ(kpt_fields_same(&a.fields, &out.fields), 2);
	EXPECT_EQ(compile("p g x=%x7"), 0);
	EXPECT_EQ(kpt_fields_same(&a.fields, &out.fields), 2);
	EXPECT_EQ(kpt_fields_same(&out.fields, &a.fields), 2);
}

TEST_MAIN
