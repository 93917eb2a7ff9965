// SPDX-License-Identifier: GPL-2.0-only
/* Programs run on the arena: values, strings, faults, and their bounds. */
#include <kptrace/port.h>
#include <kptrace/fetch.h>
#include "harness.h"
#include "fetch_world.h"

#define K(offset) (WORLD_KERNEL + (offset))
#define U(offset) (WORLD_USER + (offset))
/* Filler of records, to see what is not written. */
#define FILL 0xa5

static struct user_pt_regs regs;
static u64 entry[KPT_FETCH_ENTRY_MAX];
static u8 *record;
static size_t record_size;

static void reset(void)
{
	unsigned int i;

	world_reset();
	memset(entry, 0, sizeof(entry));
	for (i = 0; i < 31; i++)
		regs.regs[i] = 0x1111111111111111ULL * (i % 15 + 1) + i;
	regs.sp = K(0x8000);
	regs.pc = 0xffff800008001234ULL;
	regs.pstate = 0x60000005;
}

static void put_kernel(u64 addr, const void *from, size_t size)
{
	memcpy(&world.kernel[addr - WORLD_KERNEL], from, size);
}

static void put_word(u64 addr, u64 value)
{
	put_kernel(addr, &value, sizeof(value));
}

static void put_user_word(u64 addr, u64 value)
{
	memcpy(&world.user[addr - WORLD_USER], &value, sizeof(value));
}

static void put_string(u64 addr, const char *s)
{
	put_kernel(addr, s, strlen(s) + 1);
}

/* Run what is compiled, with @more bytes than the size pass asks for. */
static void exec_more(long more)
{
	struct kpt_fetch_source src = {
		.regs = &regs, .entry = entry, .elapsed = 123456,
	};

	record_size = out.prog.size;
	if (out.prog.has_dynamic)
		record_size += kpt_fetch_dynamic_size(&out.prog, &src);
	record_size += more;
	free(record);
	record = malloc(record_size);
	memset(record, FILL, record_size);
	kpt_fetch_exec(&out.prog, &src, record, record_size);
}

static void run(const char *line)
{
	int err = compile(line);

	EXPECT_EQ(err, 0);
	if (!err)
		exec_more(0);
}

/* Element @i of argument @arg, as a number of its own size. */
static u64 element(unsigned int arg, unsigned int i)
{
	const struct kpt_field *f = &out.field_room[arg];
	unsigned int size = kpt_type_info[f->type].size;
	u64 value = 0;

	memcpy(&value, record + f->offset + i * size, size);
	return value;
}

/* Element @i of argument @arg as a string; "(fault)" if it has no length. */
static const char *element_text(unsigned int arg, unsigned int i)
{
	u32 loc = (u32)element(arg, i);
	u32 at = kpt_data_loc_offset(loc), len = kpt_data_loc_len(loc);

	if (!len)
		return "(fault)";
	if (at < out.prog.size || at + len > record_size)
		return "(outside)";
	if (record[at + len - 1] || strlen((char *)record + at) + 1 != len)
		return "(bad length)";
	return (char *)record + at;
}

static u64 number(const char *line)
{
	run(line);
	return element(0, 0);
}

static const char *text(const char *line)
{
	run(line);
	return element_text(0, 0);
}

TEST(registers)
{
	reset();
	EXPECT_EQ(number("p f %x0"), regs.regs[0]);
	EXPECT_EQ(number("p f %x29"), regs.regs[29]);
	EXPECT_EQ(number("p f %x30"), regs.regs[30]);
	EXPECT_EQ(number("p f %lr"), regs.regs[30]);
	EXPECT_EQ(number("p f %sp"), regs.sp);
	EXPECT_EQ(number("p f %pc"), regs.pc);
	EXPECT_EQ(number("p f %pstate"), regs.pstate);
	EXPECT_EQ(number("p f $stack"), regs.sp);
	EXPECT_EQ(number("r f $retval"), regs.regs[0]);
}

TEST(integer_types_take_the_low_bytes)
{
	reset();
	regs.regs[1] = 0xfedcba9876543210ULL;
	EXPECT_EQ(number("p f %x1:u8"), 0x10);
	EXPECT_EQ(number("p f %x1:s16"), 0x3210);
	EXPECT_EQ(number("p f %x1:x32"), 0x76543210);
	EXPECT_EQ(number("p f %x1:s64"), 0xfedcba9876543210ULL);
	EXPECT_EQ(number("p f %x1:char"), 0x10);
	EXPECT_EQ(number("p f %x1:symbol"), 0xfedcba9876543210ULL);
}

TEST(fields_are_packed_and_nothing_else_is_written)
{
	unsigned int i;

	reset();
	run("p f %x0 a=%x1:u8 %x2 b=%x3:u16 c=%x4:u32 %x5");
	EXPECT_EQ(record_size, 16 + 8 + 1 + 8 + 2 + 4 + 8);
	for (i = 0; i < 16; i++)
		EXPECT_EQ(record[i], FILL);
	EXPECT_EQ(element(0, 0), regs.regs[0]);
	EXPECT_EQ(element(1, 0), regs.regs[1] & 0xff);
	EXPECT_EQ(element(2, 0), regs.regs[2]);
	EXPECT_EQ(element(3, 0), regs.regs[3] & 0xffff);
	EXPECT_EQ(element(4, 0), regs.regs[4] & 0xffffffff);
	EXPECT_EQ(element(5, 0), regs.regs[5]);
}

TEST(immediates)
{
	reset();
	EXPECT_EQ(number("p f \\123"), 123);
	EXPECT_EQ(number("p f \\-1"), U64_MAX);
	EXPECT_EQ(number("p f \\+5"), 5);
	EXPECT_EQ(number("p f \\+-5"), (u64)-5);
	EXPECT_EQ(number("p f \\0xffffffffffffffff:u32"), 0xffffffff);
	EXPECT_EQ(number("p f \\010:u8"), 8);
}

TEST(task_and_time)
{
	reset();
	EXPECT_EQ(number("p f $current"), world.task);
	EXPECT_EQ(number("r f $elapsed"), 123456);
	put_word(world.task + 16, 77);
	EXPECT_EQ(number("p f +16($current)"), 77);
}

TEST(memory)
{
	reset();
	add_symbol("known", K(0x1000), 16);
	put_word(K(0x1000), 0x1122334455667788ULL);
	put_word(K(0x1008), 0x99aabbccddeeff00ULL);
	EXPECT_EQ(number("p f @known"), 0x1122334455667788ULL);
	EXPECT_EQ(number("p f @known+8"), 0x99aabbccddeeff00ULL);
	EXPECT_EQ(number("p f @known+0x10:u32"), 0);
	EXPECT_EQ(number("p f @0xffff800010001008"), 0x99aabbccddeeff00ULL);
	regs.regs[3] = K(0x1008);
	EXPECT_EQ(number("p f -8(%x3)"), 0x1122334455667788ULL);
	EXPECT_EQ(number("p f +-0x8(%x3)"), 0x1122334455667788ULL);
	EXPECT_EQ(number("p f +0(%x3):u16"), 0xff00);
	EXPECT_EQ(number("p f +0(\\0xffff800010001000):u8"), 0x88);
}

TEST(nested_memory)
{
	reset();
	regs.regs[0] = K(0x100);
	put_word(K(0x108), K(0x200));
	put_word(K(0x1f8), K(0x300));
	put_word(K(0x310), 42);
	EXPECT_EQ(number("p f +16(-8(+8(%x0)))"), 42);
	EXPECT_EQ(number("p f +16(-8(+8(%x0))):u8"), 42);
	put_user_word(U(0x40), 43);
	put_word(K(0x200), U(0x40));
	EXPECT_EQ(number("p f +u0(+0(+8(%x0)))"), 43);
}

TEST(offsets_may_need_all_bits)
{
	reset();
	regs.regs[0] = K(0x100) - 0x123456789abcdULL;
	put_word(K(0x100), 44);
	EXPECT_EQ(number("p f +0x123456789abcd(%x0)"), 44);
	regs.regs[0] = K(0x100) + 0x8000000000000000ULL;
	EXPECT_EQ(number("p f -0x8000000000000000(%x0)"), 44);
}

TEST(user_memory)
{
	reset();
	regs.regs[0] = U(0x100);
	put_user_word(U(0x108), 7);
	EXPECT_EQ(number("p f +u8(%x0)"), 7);
	/* An address of the user's half says itself what it is. */
	EXPECT_EQ(number("p f +8(%x0)"), 7);
	/* The reverse does not hold. */
	regs.regs[0] = K(0x100);
	put_word(K(0x108), 8);
	EXPECT_EQ(number("p f +u8(%x0)"), 0);
}

TEST(stack)
{
	reset();
	put_word(regs.sp, 1);
	put_word(regs.sp + 8, 2);
	put_word(regs.sp + 0x3ff8, 3);
	put_word(regs.sp + 0x4000, 4);
	EXPECT_EQ(number("p f $stack0"), 1);
	EXPECT_EQ(number("p f $stack1"), 2);
	EXPECT_EQ(number("p f $stack2047"), 3);
	/* The next word is on another stack. */
	EXPECT_EQ(number("p f $stack2048"), 0);
	world.kernel_fault[regs.sp + 9 - WORLD_KERNEL] = 1;
	EXPECT_EQ(number("p f $stack1"), 0);
}

TEST(arguments)
{
	unsigned int i;

	reset();
	put_word(regs.sp, 99);
	put_word(regs.sp + 8, 1010);
	EXPECT_EQ(number("p f $arg1"), regs.regs[0]);
	EXPECT_EQ(number("p f $arg8"), regs.regs[7]);
	EXPECT_EQ(number("p f $arg9"), 99);
	EXPECT_EQ(number("p f $arg10"), 1010);
	for (i = 1; i <= 8; i++)
		EXPECT_EQ(kpt_fetch_arg_value(&regs, i), regs.regs[i - 1]);
	EXPECT_EQ(kpt_fetch_arg_value(&regs, 9), 99);
	EXPECT_EQ(kpt_fetch_arg_value(&regs, 2048), 0);
}

TEST(arguments_at_the_return)
{
	reset();
	entry[0] = 11;
	entry[1] = K(0x100);
	put_word(K(0x108), 22);
	run("r f $arg2 +8($arg5) b=$arg2:u8");
	EXPECT_EQ(out.prog.entry_arg[0], 2);
	EXPECT_EQ(element(0, 0), 11);
	EXPECT_EQ(element(1, 0), 22);
	EXPECT_EQ(element(2, 0), 11);
}

TEST(per_cpu)
{
	reset();
	add_symbol("known", K(0x1000), 16);
	world.percpu_offset = 0x500;
	put_word(K(0x1000), K(0x2000));
	put_word(K(0x1500), 5);
	put_word(K(0x2500), 6);
	EXPECT_EQ(number("p f this_cpu_ptr(@known)"), K(0x1500));
	EXPECT_EQ(number("p f this_cpu_read(@known)"), 5);
	EXPECT_EQ(number("p f this_cpu_read(@known+0):u8"), 5);
	EXPECT_EQ(number("p f +0(this_cpu_ptr(@known))"), 5);
	regs.regs[0] = K(0x1000);
	EXPECT_EQ(number("p f this_cpu_read(%x0)"), 5);
	EXPECT_EQ(number("p f this_cpu_ptr(+0(%x0))"), K(0x2500));
	EXPECT_EQ(number("p f this_cpu_read(+0(@known))"),
		  0);
	put_word(K(0x1000), K(0x3000));
	put_word(K(0x3000), K(0x2000));
	EXPECT_EQ(number("p f this_cpu_read(+0(@known))"), 6);
}

TEST(bit_fields)
{
	reset();
	regs.regs[0] = 0xfedcba9876543210ULL;
	EXPECT_EQ(number("p f %x0:b4@4/8"), 1);
	EXPECT_EQ(number("p f %x0:b8@0/8"), 0x10);
	EXPECT_EQ(number("p f %x0:b5@3/16"), (0x3210 >> 3) & 0x1f);
	EXPECT_EQ(number("p f %x0:b16@16/32"), 0x7654);
	EXPECT_EQ(number("p f %x0:b64@0/64"), regs.regs[0]);
	EXPECT_EQ(number("p f %x0:b1@63/64"), 1);
	regs.regs[1] = K(0x100);
	put_word(K(0x100), regs.regs[0]);
	EXPECT_EQ(number("p f +1(%x1):b4@4/8"), 3);
	run("p f +0(%x1):b4@4/8[4]");
	EXPECT_EQ(element(0, 0), 1);
	EXPECT_EQ(element(0, 1), 3);
	EXPECT_EQ(element(0, 2), 5);
	EXPECT_EQ(element(0, 3), 7);
}

TEST(arrays)
{
	unsigned int i;

	reset();
	regs.regs[0] = K(0x100);
	for (i = 0; i < 200; i++)
		world.kernel[0x100 + i] = (u8)i;
	run("p f +4(%x0):u8[64] a=%x1");
	for (i = 0; i < 64; i++)
		EXPECT_EQ(element(0, i), i + 4);
	EXPECT_EQ(element(1, 0), regs.regs[1]);
	run("p f +0(%x0):x16[3]");
	EXPECT_EQ(element(0, 2), 0x0504);
	EXPECT_EQ(record_size, 16 + 6);
}

TEST(bad_elements_do_not_spoil_an_array)
{
	reset();
	regs.regs[0] = K(0x100);
	memset(&world.kernel[0x100], 0x77, 16);
	world.kernel_fault[0x105] = 1;
	run("p f +0(%x0):u32[4] a=%x1:u8");
	EXPECT_EQ(element(0, 0), 0x77777777);
	EXPECT_EQ(element(0, 1), 0);
	EXPECT_EQ(element(0, 2), 0x77777777);
	EXPECT_EQ(element(0, 3), 0x77777777);
	EXPECT_EQ(element(1, 0), regs.regs[1] & 0xff);
}

TEST(numbers_that_fault_are_zero)
{
	reset();
	regs.regs[0] = 0xffff900000000000ULL;
	run("p f +0(%x0) a=+0(+0(%x0)):u16 b=+u0(%x0):u8 c=%x1 "
	    "d=+0(+0(%x0)):u32[3] e=this_cpu_ptr(+0(%x0)) g=+u0(+u0(%x0)):s8 "
	    "h=+0(%x0):b3@1/8");
	EXPECT_EQ(element(0, 0), 0);
	EXPECT_EQ(element(1, 0), 0);
	EXPECT_EQ(element(2, 0), 0);
	EXPECT_EQ(element(3, 0), regs.regs[1]);
	EXPECT_EQ(element(4, 0), 0);
	EXPECT_EQ(element(4, 1), 0);
	EXPECT_EQ(element(4, 2), 0);
	EXPECT_EQ(element(5, 0), 0);
	EXPECT_EQ(element(6, 0), 0);
	EXPECT_EQ(element(7, 0), 0);
}

/* The third of four bytes can not be read: neither can the number. */
TEST(partly_readable_numbers_are_zero)
{
	reset();
	regs.regs[0] = K(0x100);
	memset(&world.kernel[0x100], 0x77, 16);
	world.kernel_fault[0x102] = 1;
	EXPECT_EQ(number("p f +0(%x0):u32"), 0);
	EXPECT_EQ(number("p f +0(%x0):u16"), 0x7777);
}

TEST(strings)
{
	reset();
	regs.regs[0] = K(0x100);
	put_string(K(0x108), "hello");
	EXPECT_STR(text("p f +8(%x0):string"), "hello");
	EXPECT_EQ(record_size, 16 + 4 + 6);
	EXPECT_STR(text("p f \\0xffff800010000108:string"), "hello");
	add_symbol("known", K(0x108), 16);
	EXPECT_STR(text("p f @known:string"), "hello");
	EXPECT_STR(text("p f @known+5:string"), "");
	put_word(K(0x100), K(0x109));
	EXPECT_STR(text("p f +1(+0(%x0)):string"), "llo");
}

TEST(user_strings)
{
	reset();
	regs.regs[0] = U(0x100);
	strcpy((char *)&world.user[0x102], "user");
	EXPECT_STR(text("p f +2(%x0):ustring"), "user");
	EXPECT_STR(text("p f +u2(%x0):string"), "user");
	EXPECT_STR(text("p f +u2(%x0):ustring"), "user");
	EXPECT_STR(text("p f +2(%x0):string"), "user");
	EXPECT_STR(text("p f \\0xaaaa00000102:ustring"), "user");
	put_string(K(0x100), "kernel");
	regs.regs[0] = K(0x100);
	EXPECT_STR(text("p f +0(%x0):ustring"), "(fault)");
}

TEST(strings_of_all_lengths)
{
	unsigned int len, at;

	reset();
	for (len = 0; len < 200; len++) {
		at = 0x1000 + (unsigned int)(test_random() % 256);
		memset(world.kernel, 'x', 0x2000);
		world.kernel[at + len] = '\0';
		regs.regs[0] = K(at);
		run("p f +0(%x0):string");
		EXPECT_EQ(record_size, 16 + 4 + len + 1);
		EXPECT_EQ(strlen(element_text(0, 0)), len);
	}
}

/* The NUL stands right before the first byte that can not be read. */
TEST(strings_at_the_end_of_memory)
{
	unsigned int len;

	reset();
	regs.regs[0] = K(0x1000);
	memset(&world.kernel[0x1000], 'x', 300);
	for (len = 0; len < 200; len++) {
		world.kernel[0x1000 + len] = '\0';
		world.kernel_fault[0x1000 + len + 1] = 1;
		run("p f +0(%x0):string");
		EXPECT_EQ(strlen(element_text(0, 0)), len);
		world.kernel_fault[0x1000 + len] = 1;
		EXPECT_STR(text("p f +0(%x0):string"), "(fault)");
		EXPECT_EQ(record_size, 16 + 4);
		world.kernel[0x1000 + len] = 'x';
		memset(&world.kernel_fault[0x1000], 0, 300);
	}
}

TEST(long_strings_are_cut)
{
	reset();
	memset(&world.kernel[0x1000], 'x', 0x3000);
	regs.regs[0] = K(0x1007);
	run("p f +0(%x0):string");
	EXPECT_EQ(record_size, 16 + 4 + KPT_STRING_MAX);
	EXPECT_EQ(strlen(element_text(0, 0)), KPT_STRING_MAX - 1);
	world.kernel[0x1007 + KPT_STRING_MAX - 1] = '\0';
	run("p f +0(%x0):string");
	EXPECT_EQ(strlen(element_text(0, 0)), KPT_STRING_MAX - 1);
}

/* Every string, no matter which, keeps its NUL. */
TEST(several_strings)
{
	reset();
	add_symbol("head", K(0x1000), 0x1000);
	regs.regs[0] = K(0x1000);
	put_string(K(0x1000), "mem");
	strcpy(world.comm, "task");
	run("p f a=%x0:symstr b=$comm n=%x0 c=\\\"imm\" d=+0(%x0):string "
	    "e=%x0:symstr g=\\\"\"");
	EXPECT_STR(element_text(0, 0), "head+0x0/0x1000");
	EXPECT_STR(element_text(1, 0), "task");
	EXPECT_EQ(element(2, 0), regs.regs[0]);
	EXPECT_STR(element_text(3, 0), "imm");
	EXPECT_STR(element_text(4, 0), "mem");
	EXPECT_STR(element_text(5, 0), "head+0x0/0x1000");
	EXPECT_STR(element_text(6, 0), "");
}

TEST(symbols_as_text)
{
	reset();
	add_symbol("head", K(0x1000), 0x1000);
	regs.regs[0] = K(0x1234);
	put_word(K(0x1234), K(0x1010));
	EXPECT_STR(text("p f %x0:symstr"), "head+0x234/0x1000");
	EXPECT_STR(text("p f +0(%x0):symstr"), "head+0x10/0x1000");
	regs.regs[0] = 0x1234;
	EXPECT_STR(text("p f %x0:symstr"), "0x1234");
	EXPECT_STR(text("p f +8(+0(%x0)):symstr"), "(fault)");
}

TEST(names_of_tasks)
{
	reset();
	EXPECT_STR(text("p f $comm"), "hosttest");
	strcpy(world.comm, "fifteen-letters");
	EXPECT_STR(text("p f $COMM:string"), "fifteen-letters");
	strcpy(world.comm, "");
	EXPECT_STR(text("p f $comm"), "");
}

TEST(immediate_strings)
{
	char line[KPT_DEF_MAX], *to;
	unsigned int len;

	reset();
	for (len = 0; len <= 252; len++) {
		to = line + sprintf(line, "p f x=\\\"");
		memset(to, 'y', len);
		strcpy(to + len, "\" %x0");
		run(line);
		EXPECT_EQ(strlen(element_text(0, 0)), len);
		EXPECT_EQ(element(1, 0), regs.regs[0]);
	}
}

TEST(string_arrays)
{
	reset();
	regs.regs[0] = K(0x100);
	put_word(K(0x100), K(0x200));
	put_word(K(0x108), 0xffff900000000000ULL);
	put_word(K(0x110), U(0x300));
	put_string(K(0x200), "one");
	strcpy((char *)&world.user[0x300], "three");
	run("p f +0(%x0):string[4] $comm");
	EXPECT_STR(element_text(0, 0), "one");
	EXPECT_STR(element_text(0, 1), "(fault)");
	EXPECT_STR(element_text(0, 2), "three");
	EXPECT_STR(element_text(0, 3), "(fault)");
	EXPECT_STR(element_text(1, 0), "hosttest");
	run("p f +0(%x0):ustring[3]");
	EXPECT_STR(element_text(0, 0), "(fault)");
	EXPECT_STR(element_text(0, 2), "three");
	world.kernel_fault[0x101] = 1;
	run("p f +0(%x0):string[3]");
	EXPECT_STR(element_text(0, 0), "(fault)");
	EXPECT_STR(element_text(0, 2), "three");
}

TEST(string_arrays_in_user_memory)
{
	reset();
	regs.regs[0] = U(0x100);
	put_user_word(U(0x100), K(0x200));
	put_user_word(U(0x108), U(0x300));
	put_string(K(0x200), "one");
	strcpy((char *)&world.user[0x300], "two");
	run("p f +u0(%x0):string[2]");
	EXPECT_STR(element_text(0, 0), "one");
	EXPECT_STR(element_text(0, 1), "two");
	run("p f +u0(%x0):ustring[2]");
	EXPECT_STR(element_text(0, 0), "(fault)");
	EXPECT_STR(element_text(0, 1), "two");
}

/* A fault on the way to one string does not touch another one. */
TEST(strings_that_fault)
{
	reset();
	regs.regs[0] = 0xffff900000000000ULL;
	run("p f a=+0(+0(%x0)):string b=$comm c=+0(+0(%x0)):string[3] "
	    "d=+0(%x0):string e=\\\"end\"");
	EXPECT_STR(element_text(0, 0), "(fault)");
	EXPECT_STR(element_text(1, 0), "hosttest");
	EXPECT_STR(element_text(2, 0), "(fault)");
	EXPECT_STR(element_text(2, 2), "(fault)");
	EXPECT_STR(element_text(3, 0), "(fault)");
	EXPECT_STR(element_text(4, 0), "end");
}

TEST(names_of_files)
{
	reset();
	regs.regs[0] = K(0x100);
	put_word(K(0x100) + WORLD_FILE_DENTRY, K(0x300));
	put_word(K(0x300) + WORLD_DENTRY_NAME, K(0x500));
	put_word(K(0x100) + WORLD_DENTRY_NAME, K(0x508));
	put_string(K(0x500), "passwd");
	put_string(K(0x508), "shadow");
	EXPECT_STR(text("p f $arg1:%pD"), "passwd");
	EXPECT_STR(text("p f $arg1:%pd"), "shadow");
	EXPECT_STR(text("p f name=+0x98(%x0):%pd"), "passwd");
}

/*
 * Memory changes between the size pass and the run: strings are cut, data is
 * never written past the end, and what finds no room is a fault.
 */
TEST(too_little_room)
{
	static const char line[] = "p f a=+0(%x0):string b=\\\"immediate\" "
				   "c=$comm d=%x1:symstr e=+0(%x0):string[2]";
	long all, less;

	reset();
	add_symbol("head", K(0x1000), 0x1000);
	regs.regs[0] = K(0x100);
	regs.regs[1] = K(0x1000);
	put_word(K(0x100), 0x0000646e756f7267ULL);
	run(line);
	EXPECT_STR(element_text(0, 0), "ground");
	all = (long)record_size - out.prog.size;
	for (less = 0; less <= all; less++) {
		exec_more(-less);
		EXPECT(strcmp(element_text(0, 0), "(outside)"));
		EXPECT(strcmp(element_text(1, 0), "(outside)"));
		EXPECT(strcmp(element_text(2, 0), "(outside)"));
		EXPECT(strcmp(element_text(3, 0), "(outside)"));
		EXPECT(strcmp(element_text(0, 0), "(bad length)"));
		EXPECT(strcmp(element_text(1, 0), "(bad length)"));
		EXPECT(strcmp(element_text(2, 0), "(bad length)"));
		EXPECT(strcmp(element_text(3, 0), "(bad length)"));
	}
	EXPECT_STR(element_text(0, 0), "(fault)");
	EXPECT_STR(element_text(3, 0), "(fault)");
}

/* Offsets have 16 bits: beyond them there is no room. */
TEST(data_beyond_64_kib)
{
	char line[KPT_DEF_MAX] = "p f";
	unsigned int i, faults = 0;

	reset();
	memset(world.kernel, 'x', 0x4000);
	regs.regs[0] = K(0x100);
	for (i = 0; i < 20; i++)
		strcat(line, " +0(%x0):string");
	run(line);
	EXPECT(record_size > 0x10000);
	for (i = 0; i < 20; i++) {
		EXPECT(strcmp(element_text(i, 0), "(outside)"));
		EXPECT(strcmp(element_text(i, 0), "(bad length)"));
		faults += !strcmp(element_text(i, 0), "(fault)");
	}
	EXPECT_EQ(faults, 4);
}

TEST(registers_read_no_memory)
{
	reset();
	run("p f %x0 %x1:u8 \\5 $current");
	EXPECT_EQ(world.reads, 0);
	run("p f +0(%x0):u32[8]");
	EXPECT(world.reads > 0);
}

/* An array that can be read is read at once. */
TEST(arrays_are_one_read)
{
	reset();
	regs.regs[0] = K(0x100);
	run("p f +0(%x0):u64[8]");
	EXPECT_EQ(world.reads, 1);
}

TEST_MAIN
