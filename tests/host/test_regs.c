// SPDX-License-Identifier: GPL-2.0-only
/* Register names are those of mainline's kprobe events on arm64. */
#include "harness.h"
#include "insn/insn.h"

static int by_name(const char *name)
{
	return kpt_reg_by_name(name, strlen(name));
}

TEST(names_and_numbers)
{
	char name[8];
	int i;

	for (i = 0; i < 31; i++) {
		snprintf(name, sizeof(name), "x%d", i);
		EXPECT_EQ(by_name(name), i);
		EXPECT_STR(kpt_reg_name(i), name);
	}
	EXPECT_EQ(by_name("lr"), 30);
	EXPECT_EQ(by_name("sp"), 31);
	EXPECT_EQ(by_name("pc"), 32);
	EXPECT_EQ(by_name("pstate"), 33);
	for (i = 0; i < KPT_NR_REGS; i++)
		EXPECT_EQ(by_name(kpt_reg_name(i)), i);
	EXPECT(!kpt_reg_name(KPT_NR_REGS));
}

TEST(what_is_no_register)
{
	static const char *const names[] = {
		"", "x", "x31", "x00", "x01", "x1 ", "X1", "w0", "fp", "xzr",
		"ip0", "SP", "l", "lrr", "pstat", "pstate0", "r0", "cpsr",
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(names); i++)
		EXPECT_EQ(by_name(names[i]), -ENOENT);
	/* The name ends at its length, whatever follows. */
	EXPECT_EQ(kpt_reg_by_name("x12", 2), 1);
	EXPECT_EQ(kpt_reg_by_name("spare", 2), 31);
	EXPECT_EQ(kpt_reg_by_name("sp", 1), -ENOENT);
}

TEST(values)
{
	struct user_pt_regs regs;
	unsigned int i;

	for (i = 0; i < 31; i++)
		regs.regs[i] = 100 + i;
	regs.sp = 131;
	regs.pc = 132;
	regs.pstate = 133;
	for (i = 0; i < KPT_NR_REGS; i++)
		EXPECT_EQ(kpt_reg_get(&regs, i), 100 + i);
	EXPECT_EQ(kpt_reg_get(&regs, KPT_NR_REGS), 0);
	EXPECT_EQ(kpt_reg_get(&regs, ~0u), 0);
}

TEST_MAIN
