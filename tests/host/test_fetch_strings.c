// SPDX-License-Identifier: GPL-2.0-only
/* Data of run-time length: strings, their faults and their bounds. */
#include "lib/base/port.h"
#include "lib/fetch/fetch.h"
#include "harness.h"
#include "fetch_run.h"

/* A byte that kpt_fetch_size() adds and the run never uses. */
#define SPARE 1

TEST(strings)
{
	reset();
	regs.regs[0] = K(0x100);
	put_string(K(0x108), "hello");
	EXPECT_STR(text("p f +8(%x0):string"), "hello");
	EXPECT_EQ(record_size, 16 + 4 + 6 + SPARE);
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
		EXPECT_EQ(record_size, 16 + 4 + len + 1 + SPARE);
		EXPECT_EQ(strlen(element_text(0, 0)), len);
	}
}

/* The NUL is right before the first byte that cannot be read. */
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
		EXPECT_EQ(record_size, 16 + 4 + SPARE);
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
	EXPECT_EQ(record_size, 16 + 4 + KPT_STRING_MAX + SPARE);
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
	EXPECT_EQ(record_size, 16 + 4 + sizeof("head+0x234/0x1000") + SPARE);
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
	run("p f +0(%x0):string[2]");
	EXPECT_EQ(record_size, 16 + 8 + sizeof("one") + SPARE);
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
 * A string that runs into an unreadable byte takes no room from the next string,
 * however much of it can be read.
 */
TEST(endless_strings_take_no_room)
{
	reset();
	regs.regs[0] = K(0x1000);
	memset(&world.kernel[0x1000], 'x', 300);
	world.kernel_fault[0x1000 + 300] = 1;
	run("p f a=+0(%x0):string b=\\\"next\" c=+0(%x0):string");
	EXPECT_STR(element_text(0, 0), "(fault)");
	EXPECT_STR(element_text(1, 0), "next");
	EXPECT_STR(element_text(2, 0), "(fault)");
}

/*
 * Memory changes between the size pass and the run: strings are cut, no byte is
 * written past the end, and strings without room become faults.
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

/* 12 arrays of 64 pointers to K(0x1000), and one string. */
static void run_arrays(void)
{
	char line[KPT_DEF_MAX] = "p f";
	unsigned int i;

	for (i = 0; i < 64; i++)
		put_word(K(0x100 + 8 * i), K(0x1000));
	put_string(K(0x800), "last");
	regs.regs[0] = K(0x100);
	regs.regs[1] = K(0x800);
	for (i = 0; i < 11; i++)
		strcat(line, " +0(%x0):string[64]");
	strcat(line, " +0(%x1):string");
	world.bytes = 0;
	run(line);
}

/* Measured once and stored once, as far as a record can hold them. */
#define BYTES_MAX (2 * (0x10000 + KPT_STRING_MAX) + 11 * 64 * sizeof(u64))

TEST(long_strings_are_read_up_to_64_kib)
{
	reset();
	memset(&world.kernel[0x1000], 'x', 0x2000);
	run_arrays();
	EXPECT(world.bytes <= BYTES_MAX);
	EXPECT_EQ(strlen(element_text(0, 14)), KPT_STRING_MAX - 1);
	EXPECT_STR(element_text(11, 0), "(fault)");
}

TEST(strings_without_end_are_read_up_to_64_kib)
{
	reset();
	memset(&world.kernel[0x1000], 'x', 0x2000);
	world.kernel_fault[0x1000 + KPT_STRING_MAX - 1] = 1;
	run_arrays();
	EXPECT(world.bytes <= BYTES_MAX);
	EXPECT_STR(element_text(0, 0), "(fault)");
	EXPECT_STR(element_text(11, 0), "(fault)");
}

/* Strings that cannot be read at all take no time, so the others are stored. */
TEST(unreadable_strings_leave_room)
{
	reset();
	memset(&world.kernel_fault[0x1000], 1, 0x1000);
	run_arrays();
	EXPECT_STR(element_text(10, 63), "(fault)");
	EXPECT_STR(element_text(11, 0), "last");
	EXPECT_EQ(record_size, 16 + 11 * 64 * 4 + 4 + 5 + SPARE);
}

TEST_MAIN
