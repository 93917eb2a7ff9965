// SPDX-License-Identifier: GPL-2.0-only
/* What memory instructions touch, as GNU as encodes them. */
#include "harness.h"
#include "watch/access.h"

/* The registers that the instructions below use. */
#define BASE 0xffff800012345680ULL
#define STACK 0xffff800099990000ULL
#define X3 3
#define W4 0xabcd0000fffffffeULL	/* its low word is -2 */
#define HERE 0xffff800000080000ULL
#define ZEROES 64

static const struct user_pt_regs regs = {
	.regs = { [1] = BASE, [3] = X3, [4] = W4 }, .sp = STACK, .pc = HERE,
};

enum access { NONE, R, W, RW };

static const struct {
	u32 word;
	const char *text;
	u64 addr;
	u32 size;
	enum access access;
	enum kpt_access_kind kind;
} cases[] = {
	{ 0x39401422, "ldrb w2, [x1, #5]", BASE + 5, 1, R, KPT_ACCESS_PLAIN },
	{ 0xf9400822, "ldr x2, [x1, #16]", BASE + 16, 8, R, KPT_ACCESS_PLAIN },
	{ 0xb89fc022, "ldursw x2, [x1, #-4]", BASE - 4, 4, R, KPT_ACCESS_PLAIN },
	{ 0xb9000fe2, "str w2, [sp, #12]", STACK + 12, 4, W, KPT_ACCESS_PLAIN },
	{ 0xf8418422, "ldr x2, [x1], #24", BASE, 8, R, KPT_ACCESS_PLAIN },
	{ 0xf85f0c22, "ldr x2, [x1, #-16]!", BASE - 16, 8, R, KPT_ACCESS_PLAIN },
	{ 0xf8637822, "ldr x2, [x1, x3, lsl #3]", BASE + 8 * X3, 8, R, KPT_ACCESS_PLAIN },
	{ 0xb864d822, "ldr w2, [x1, w4, sxtw #2]", BASE - 8, 4, R, KPT_ACCESS_PLAIN },
	{ 0xb8644822, "ldr w2, [x1, w4, uxtw]", BASE + 0xfffffffe, 4, R, KPT_ACCESS_PLAIN },
	{ 0x3d800820, "str q0, [x1, #32]", BASE + 32, 16, W, KPT_ACCESS_PLAIN },
	{ 0x7c636820, "ldr h0, [x1, x3]", BASE + X3, 2, R, KPT_ACCESS_PLAIN },
	{ 0x3ce37820, "ldr q0, [x1, x3, lsl #4]", BASE + 16 * X3, 16, R, KPT_ACCESS_PLAIN },
	{ 0x3c9f8021, "stur q1, [x1, #-8]", BASE - 8, 16, W, KPT_ACCESS_PLAIN },
	{ 0xa97f0c22, "ldp x2, x3, [x1, #-16]", BASE - 16, 16, R, KPT_ACCESS_PLAIN },
	{ 0x28c10c22, "ldp w2, w3, [x1], #8", BASE, 8, R, KPT_ACCESS_PLAIN },
	{ 0xad810420, "stp q0, q1, [x1, #32]!", BASE + 32, 32, W, KPT_ACCESS_PLAIN },
	{ 0x69410c22, "ldpsw x2, x3, [x1, #8]", BASE + 8, 8, R, KPT_ACCESS_PLAIN },
	{ 0x6c410420, "ldnp d0, d1, [x1, #16]", BASE + 16, 16, R, KPT_ACCESS_PLAIN },
	{ 0xc8dffc22, "ldar x2, [x1]", BASE, 8, R, KPT_ACCESS_PLAIN },
	{ 0x089ffc22, "stlrb w2, [x1]", BASE, 1, W, KPT_ACCESS_PLAIN },
	{ 0x885f7c22, "ldxr w2, [x1]", BASE, 4, R, KPT_ACCESS_LOAD_EXCLUSIVE },
	{ 0xc803fc22, "stlxr w3, x2, [x1]", BASE, 8, W, KPT_ACCESS_STORE_EXCLUSIVE },
	{ 0xc87f8c22, "ldaxp x2, x3, [x1]", BASE, 16, R, KPT_ACCESS_LOAD_EXCLUSIVE },
	{ 0x88250c22, "stxp w5, w2, w3, [x1]", BASE, 8, W, KPT_ACCESS_STORE_EXCLUSIVE },
	{ 0x48e2fc23, "casalh w2, w3, [x1]", BASE, 2, RW, KPT_ACCESS_PLAIN },
	{ 0x48227c24, "casp x2, x3, x4, x5, [x1]", BASE, 16, RW, KPT_ACCESS_PLAIN },
	{ 0x08227c24, "casp w2, w3, w4, w5, [x1]", BASE, 8, RW, KPT_ACCESS_PLAIN },
	{ 0xf8220023, "ldadd x2, x3, [x1]", BASE, 8, RW, KPT_ACCESS_PLAIN },
	{ 0x38228023, "swpb w2, w3, [x1]", BASE, 1, RW, KPT_ACCESS_PLAIN },
	{ 0x78bfc022, "ldaprh w2, [x1]", BASE, 2, R, KPT_ACCESS_PLAIN },
	{ 0x999fc022, "ldapursw x2, [x1, #-4]", BASE - 4, 4, R, KPT_ACCESS_PLAIN },
	{ 0xd9008022, "stlur x2, [x1, #8]", BASE + 8, 8, W, KPT_ACCESS_PLAIN },
	{ 0xd9431822, "ldiapp x2, x3, [x1]", BASE, 16, R, KPT_ACCESS_PLAIN },
	{ 0x99430822, "ldiapp w2, w3, [x1], #8", BASE, 8, R, KPT_ACCESS_PLAIN },
	{ 0xd9030822, "stilp x2, x3, [x1, #-16]!", BASE - 16, 16, W, KPT_ACCESS_PLAIN },
	{ 0x99031822, "stilp w2, w3, [x1]", BASE, 8, W, KPT_ACCESS_PLAIN },
	{ 0xd9c00822, "ldapr x2, [x1], #8", BASE, 8, R, KPT_ACCESS_PLAIN },
	{ 0x99800822, "stlr w2, [x1, #-4]!", BASE - 4, 4, W, KPT_ACCESS_PLAIN },
	{ 0x19231022, "ldclrp x2, x3, [x1]", BASE, 16, RW, KPT_ACCESS_PLAIN },
	{ 0x19a33022, "ldsetpa x2, x3, [x1]", BASE, 16, RW, KPT_ACCESS_PLAIN },
	{ 0x19e38022, "swppal x2, x3, [x1]", BASE, 16, RW, KPT_ACCESS_PLAIN },
	{ 0x4c402020, "ld1 {v0.16b-v3.16b}, [x1]", BASE, 64, R, KPT_ACCESS_PLAIN },
	{ 0x0cdf4020, "ld3 {v0.8b-v2.8b}, [x1], #24", BASE, 24, R, KPT_ACCESS_PLAIN },
	{ 0x4d000420, "st1 {v0.b}[9], [x1]", BASE, 1, W, KPT_ACCESS_PLAIN },
	{ 0x4d608420, "ld2 {v0.d, v1.d}[1], [x1]", BASE, 16, R, KPT_ACCESS_PLAIN },
	{ 0x4dbfa020, "st4 {v0.s-v3.s}[2], [x1], #16", BASE, 16, W, KPT_ACCESS_PLAIN },
	{ 0x4d40c823, "ld1r {v3.4s}, [x1]", BASE, 4, R, KPT_ACCESS_PLAIN },
	{ 0x4d60e420, "ld4r {v0.8h-v3.8h}, [x1]", BASE, 8, R, KPT_ACCESS_PLAIN },
	{ 0xd50b7421, "dc zva, x1", BASE & ~63ULL, 64, W, KPT_ACCESS_PLAIN },
	{ 0x58000042, "ldr x2, .+8", HERE + 8, 8, R, KPT_ACCESS_LITERAL },
	{ 0x98000042, "ldrsw x2, .+8", HERE + 8, 4, R, KPT_ACCESS_LITERAL },
	{ 0x9c000042, "ldr q2, .+8", HERE + 8, 16, R, KPT_ACCESS_LITERAL },
	{ 0xf83fd028, "ld64b x8, [x1]", BASE, 64, R, KPT_ACCESS_PLAIN },
	{ 0xf83f9028, "st64b x8, [x1]", BASE, 64, W, KPT_ACCESS_PLAIN },
	{ 0xf9800020, "prfm pldl1keep, [x1]", 0, 0, NONE, KPT_ACCESS_PLAIN },
	{ 0xf89f8020, "prfum pldl1keep, [x1, #-8]", 0, 0, NONE, KPT_ACCESS_PLAIN },
	{ 0xd8000040, "prfm pldl1keep, .+8", 0, 0, NONE, KPT_ACCESS_PLAIN },
	{ 0x19239022, "rcwclrp x2, x3, [x1]", 0, 0, NONE, KPT_ACCESS_PLAIN },
	{ 0x1923a022, "rcwswpp x2, x3, [x1]", 0, 0, NONE, KPT_ACCESS_PLAIN },
	{ 0xf8400822, "ldtr x2, [x1]", 0, 0, NONE, KPT_ACCESS_PLAIN },
	{ 0xf8200422, "ldraa x2, [x1]", 0, 0, NONE, KPT_ACCESS_PLAIN },
	{ 0x8b030022, "add x2, x1, x3", 0, 0, NONE, KPT_ACCESS_PLAIN },
	{ 0xd503201f, "nop", 0, 0, NONE, KPT_ACCESS_PLAIN },
};

TEST(addresses_and_sizes)
{
	struct kpt_access a;
	unsigned int i;
	bool known;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		known = kpt_insn_access(cases[i].word, &regs, ZEROES, &a);
		if (known != (cases[i].access != NONE))
			fprintf(stderr, "%s\n", cases[i].text);
		EXPECT_EQ(known, cases[i].access != NONE);
		if (!known)
			continue;
		if (a.addr != cases[i].addr || a.size != cases[i].size)
			fprintf(stderr, "%s\n", cases[i].text);
		EXPECT_EQ(a.addr, cases[i].addr);
		EXPECT_EQ(a.size, cases[i].size);
		EXPECT_EQ(a.reads, cases[i].access == R || cases[i].access == RW);
		EXPECT_EQ(a.writes, cases[i].access == W || cases[i].access == RW);
		EXPECT_EQ(a.kind, cases[i].kind);
	}
}

TEST(tags_are_no_part_of_an_address)
{
	struct user_pt_regs tagged = regs;
	struct kpt_access a;

	tagged.regs[1] = (BASE & GENMASK_ULL(55, 0)) | 0xf3ULL << 56;
	EXPECT(kpt_insn_access(0xf9400822, &tagged, ZEROES, &a));
	EXPECT_EQ(a.addr, BASE + 16);
	tagged.regs[1] = 0x5a00000000401000ULL;
	EXPECT(kpt_insn_access(0xf9400822, &tagged, ZEROES, &a));
	EXPECT_EQ(a.addr, 0x401010);
}

TEST(zeroing_may_be_forbidden)
{
	struct kpt_access a;

	EXPECT(!kpt_insn_access(0xd50b7421, &regs, 0, &a));
}

TEST(an_address_in_sp_can_be_in_another_register)
{
	/* str w2, [sp, #12]: x0, x1, x3 and so on are in the way of bits that name no register */
	u32 word = 0xb9000fe2;
	unsigned int spare = kpt_access_spare(word);
	struct user_pt_regs other = regs;
	struct kpt_access a;

	EXPECT(spare <= 30 && spare != 2);
	other.regs[spare] = STACK;
	other.sp = 0;
	word = kpt_access_rebase(word, spare);
	EXPECT(kpt_insn_access(word, &other, ZEROES, &a));
	EXPECT_EQ(a.addr, STACK + 12);
	EXPECT_EQ(word & 31, 2);
	/* Others stay as they are. */
	EXPECT_EQ(kpt_access_rebase(0xf9400822, spare), 0xf9400822);
	EXPECT_EQ(kpt_access_rebase(0xd50b7421, spare), 0xd50b7421);
}

TEST(a_spare_register_is_none_of_the_instruction)
{
	unsigned int i, spare;
	u32 word;

	/* All values of the fields Rt, Rt2 and Rm. */
	for (i = 0; i < 32 * 32 * 32; i++) {
		word = (i & 31) | (i >> 5 & 31) << 10 | (i >> 10 & 31) << 16;
		spare = kpt_access_spare(word);
		EXPECT(spare <= 30);
		EXPECT(spare - (word & 31) > 7);
		EXPECT(spare - (word >> 10 & 31) > 7);
		EXPECT(spare - (word >> 16 & 31) > 7);
	}
}

TEST(register_31_is_sp_in_some_instructions)
{
	EXPECT(kpt_access_may_use_sp(0x910043e3));	/* add x3, sp, #16 */
	EXPECT(kpt_access_may_use_sp(0x9100003f));	/* mov sp, x1 */
	EXPECT(kpt_access_may_use_sp(0x8b2163ff));	/* add sp, sp, x1 */
	EXPECT(kpt_access_may_use_sp(0x9240087f));	/* and sp, x3, #7 */
	EXPECT(kpt_access_may_use_sp(0xf10043ff));	/* cmp sp, #16 */
	EXPECT(!kpt_access_may_use_sp(0x91000421));	/* add x1, x1, #1 */
	EXPECT(!kpt_access_may_use_sp(0xf100003f));	/* cmp x1, #0 */
	EXPECT(!kpt_access_may_use_sp(0xcb0103e0));	/* neg x0, x1 */
	EXPECT(!kpt_access_may_use_sp(0xaa1f03e1));	/* mov x1, xzr */
	EXPECT(!kpt_access_may_use_sp(0xca020024));	/* eor x4, x1, x2 */
}

TEST_MAIN
