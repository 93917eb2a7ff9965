// SPDX-License-Identifier: GPL-2.0-only
/* Programs run on the arena: values of every kind, and numbers that fault. */
#include "lib/base/port.h"
#include "lib/fetch/fetch.h"
#include "harness.h"
#include "fetch_run.h"

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
	EXPECT_EQ(number("p f $tgid"), 41);
	EXPECT_EQ(number("p f $uid"), 4000000000);
	EXPECT_EQ(number("p f $cgroup"), 1ULL << 40 | 7);
	EXPECT_EQ(number("p f $cgroup:u8"), 7);
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
	/* An address of the user's half is read as user memory. */
	EXPECT_EQ(number("p f +8(%x0)"), 7);
	/* +u does not read kernel memory. */
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
	EXPECT_EQ(number("t f $arg8"), 99);
	EXPECT_EQ(number("t f $arg1"), number("p f $arg2"));
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

TEST(bytes_in_the_order_of_networks)
{
	static const u8 bytes[] = { 0x1f, 0x90, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16 };
	unsigned int i;

	reset();
	memcpy(world.kernel + 64, bytes, sizeof(bytes));
	regs.regs[1] = WORLD_KERNEL + 64;
	regs.regs[2] = 0x901f;
	EXPECT_EQ(number("p f +0(%x1):be16"), 8080);
	EXPECT_EQ(number("p f %x2:be16"), 8080);
	EXPECT_EQ(number("p f +0(%x1):be32"), 0x1f900304);
	EXPECT_EQ(number("p f +0(%x1):be64"), 0x1f90030405060708);
	run("p f a=+0(%x1):be16[3] b=%x2:u16");
	EXPECT_EQ(element(0, 0), 8080);
	EXPECT_EQ(element(0, 2), 0x0506);
	EXPECT_EQ(element(1, 0), 0x901f);
	run("p f a=+0(%x1):ipv6 b=+2(%x1):mac[2] c=+0(%x1):ipv4 d=+0(%x2):ipv6");
	EXPECT_EQ(record_size, 16 + 16 + 12 + 4 + 16);
	EXPECT(!memcmp(record + 16, bytes, 16));
	EXPECT(!memcmp(record + 32, bytes + 2, 12));
	EXPECT(!memcmp(record + 44, bytes, 4));
	for (i = 48; i < 64; i++)
		EXPECT_EQ(record[i], 0);
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

/* The third of four bytes cannot be read, so the number cannot be read. */
TEST(partly_readable_numbers_are_zero)
{
	reset();
	regs.regs[0] = K(0x100);
	memset(&world.kernel[0x100], 0x77, 16);
	world.kernel_fault[0x102] = 1;
	EXPECT_EQ(number("p f +0(%x0):u32"), 0);
	EXPECT_EQ(number("p f +0(%x0):u16"), 0x7777);
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

/* Copy what kpt_fetch_copies() tells, and compare with what the program stores. */
static void check_copies(const char *line, int nr)
{
	struct kpt_fetch_copy copy[8];
	u8 copied[512];
	int i;

	run(line);
	EXPECT_EQ(kpt_fetch_copies(&out.prog, copy, 8), nr);
	memset(copied, FILL, sizeof(copied));
	for (i = 0; i < nr; i++)
		memcpy(copied + copy[i].offset, (u64 *)&regs + copy[i].reg,
		       copy[i].size);
	EXPECT(!memcmp(copied, record, record_size));
}

TEST(programs_that_only_copy_registers_are_lists_of_copies)
{
	struct kpt_fetch_copy copy[3];

	reset();
	check_copies("p f", 0);
	check_copies("p f %x0 %x30 %sp", 3);
	check_copies("p f %x0 a=%x1:u8 %x2 b=%x3:u16 c=%x4:u32 d=%x5:s8", 6);
	check_copies("r f $retval a=$retval:s32", 2);
	run("p f %x0 %x1");
	EXPECT_EQ(kpt_fetch_copies(&out.prog, copy, 2), 2);
	EXPECT_EQ(kpt_fetch_copies(&out.prog, copy, 1), -E2BIG);
	run("p f %x0 +8(%x19)");
	EXPECT_EQ(kpt_fetch_copies(&out.prog, copy, 2), -EOPNOTSUPP);
	run("p f %x0 \\1");
	EXPECT_EQ(kpt_fetch_copies(&out.prog, copy, 2), -EOPNOTSUPP);
	run("p f %x0 %x1:b4@4/8");
	EXPECT_EQ(kpt_fetch_copies(&out.prog, copy, 3), -EOPNOTSUPP);
	run("p f $comm");
	EXPECT_EQ(kpt_fetch_copies(&out.prog, copy, 2), -EOPNOTSUPP);
}

TEST(the_registers_that_a_program_reads_are_known)
{
	static const struct {
		const char *line;
		u32 read;
	} row[] = {
		{ "p f", 0 },
		{ "p f %x0 %x30", BIT(0) | BIT(30) },
		{ "p f a=%x11:u8 +8(%x12) +0(+8(%x13)):string", BIT(11) | BIT(12) | BIT(13) },
		{ "p f %x17:b4@4/8 $comm \\\"0123456789abcdef0123\"", BIT(17) },
		{ "r f $retval", BIT(0) },
	};
	unsigned int i;

	reset();
	for (i = 0; i < ARRAY_SIZE(row); i++) {
		run(row[i].line);
		EXPECT_EQ(kpt_fetch_regs_read(&out.prog) & 0x7fffffff, row[i].read);
	}
}

/* Of records that others make there is the head of a program only. */
TEST(a_program_without_steps_copies_nothing)
{
	struct kpt_fetch_prog *shape = calloc(1, sizeof(*shape));
	struct kpt_fetch_copy copy[3];

	EXPECT(shape);
	EXPECT_EQ(kpt_fetch_find_copies(shape, copy, 3), 0);
	EXPECT_EQ(kpt_fetch_regs_read(shape), 0);
	EXPECT_EQ(kpt_fetch_copies(shape, copy, 3), -EOPNOTSUPP);
	free(shape);
}
