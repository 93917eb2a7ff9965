// SPDX-License-Identifier: GPL-2.0-only
/*
 * The encoders of arch/arm64/insn/asm.h, with random operands and those at the edge, make the
 * words of GNU as. asm_table.h has a sum of the latter for each encoder, so that the test needs
 * no assembler:
 *
 *	test_asm --text			what the assembler is given
 *	test_asm --table WORDS		the table of what it has made of that; the first word
 *					of ours that is another one goes to stderr
 *
 * "make -C tests/host asm" does both.
 */
#include "harness.h"
#include "insn/asm.h"
#include "insn/insn.h"

#define SAMPLES 1500

/* One instruction: the word, and the line for the assembler. */
static u32 word;
static char line[80];
static u64 state;

/* The same numbers each time: the table is of them. */
static u64 draw(u64 n)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (state >> 11) % n;
}

/* From @low to @high, often one of the two. */
static s64 between(s64 low, s64 high)
{
	u64 how = draw(8);

	return !how ? low : how == 1 ? high : low + (s64)draw(high - low + 1);
}

static enum a64_reg reg(void)
{
	return draw(32);
}

/* x0 to xzr, w0 to wzr, x0 to sp */
static const char *x(enum a64_reg r)
{
	static char name[4][8];
	static int at;
	char *to = name[at++ & 3];

	sprintf(to, r == XZR ? "xzr" : "x%u", r);
	return to;
}

static const char *w(enum a64_reg r)
{
	static char name[2][8];
	static int at;
	char *to = name[at++ & 1];

	sprintf(to, r == XZR ? "wzr" : "w%u", r);
	return to;
}

static const char *s(enum a64_reg r)
{
	return r == SP ? "sp" : x(r);
}

static s64 offset(unsigned int size)
{
	return draw(3) ? size * between(0, 4095) : between(-256, 255);
}

/* A run of ones, rotated in 2 to 64 bits, and these repeated. */
static u64 mask(void)
{
	unsigned int bits = 2U << draw(6), ones = between(1, bits - 1), by = between(0, bits - 1);
	u64 run = (1ULL << ones) - 1, all = ~0ULL >> (64 - bits);

	run = by ? (run << by | run >> (bits - by)) & all : run;
	for (; bits < 64; bits *= 2)
		run |= run << bits;
	return run;
}

#define LINE(...) snprintf(line, sizeof(line), __VA_ARGS__)

#define ROW(name) static void name##_row(void)

/* Encoders of the same operands. */
#define ACCESS(name, insn, r, size)				\
	ROW(name)						\
	{							\
		enum a64_reg rt = reg(), rn = reg();		\
		s64 at = offset(size);				\
								\
		word = a64_##name(rt, rn, at);			\
		LINE(insn " %s, [%s, #%lld]", r(rt), s(rn), (long long)at); \
	}
#define SIZED(op, insn, r, size)				\
	ROW(op##size)						\
	{							\
		enum a64_reg rt = reg(), rn = reg();		\
		s64 at = offset(size);				\
								\
		word = a64_##op(size, rt, rn, at);		\
		LINE(insn " %s, [%s, #%lld]", r(rt), s(rn), (long long)at); \
	}
#define REGISTERS(name, format, a, b, c)			\
	ROW(name)						\
	{							\
		enum a64_reg rd = reg(), rn = reg(), rm = reg(); \
								\
		word = a64_##name(rd, rn, rm);			\
		LINE(format, a(rd), b(rn), c(rm));		\
	}
#define SHIFTED(name, format)					\
	ROW(name)						\
	{							\
		enum a64_reg rd = reg(), rn = reg(), rm = reg(); \
		unsigned int n = between(0, 63);		\
								\
		word = a64_##name(rd, rn, rm, n);		\
		LINE(format, x(rd), x(rn), x(rm), n);		\
	}
#define TWO(name, format, a, b)					\
	ROW(name)						\
	{							\
		enum a64_reg rt = reg(), rn = reg();		\
								\
		word = a64_##name(rt, rn);			\
		LINE(format, a(rt), b(rn));			\
	}
/* Those that load two registers, or write back, cannot name one twice. */
#define PAIR(name, format)					\
	ROW(name)						\
	{							\
		enum a64_reg rt = draw(10), rt2 = 10 + draw(10), rn = 20 + draw(12); \
		s64 at = 8 * between(-64, 63);			\
								\
		word = a64_##name(rt, rt2, rn, at);		\
		LINE(format, x(rt), x(rt2), s(rn), (long long)at); \
	}
#define MASKED(name, d)						\
	ROW(name##_i)						\
	{							\
		enum a64_reg rd = reg(), rn = reg();		\
		u64 bits = mask();				\
								\
		word = a64_##name##_i(rd, rn, bits);		\
		LINE(#name " %s, %s, #0x%llx", d(rd), x(rn), (long long)bits); \
	}
#define FIELD(name)						\
	ROW(name)						\
	{							\
		enum a64_reg rd = reg(), rn = reg();		\
		unsigned int lsb = between(0, 63), width = between(1, 64 - lsb); \
								\
		word = a64_##name(rd, rn, lsb, width);		\
		LINE(#name " %s, %s, #%u, #%u", x(rd), x(rn), lsb, width); \
	}
#define SHIFT(name)						\
	ROW(name)						\
	{							\
		enum a64_reg rd = reg(), rn = reg();		\
		unsigned int n = between(0, 63);		\
								\
		word = a64_##name(rd, rn, n);			\
		LINE(#name " %s, %s, #%u", x(rd), x(rn), n);	\
	}
#define WIDE(name)						\
	ROW(name)						\
	{							\
		enum a64_reg rd = reg();			\
		unsigned int n = between(0, 65535), i = draw(4); \
								\
		word = a64_##name(rd, n, i);			\
		LINE(#name " %s, #%u, lsl #%u", x(rd), n, 16 * i); \
	}
#define ADD(name, r)					\
	ROW(name)						\
	{							\
		enum a64_reg rd = draw(31), rn = draw(31);	\
		s64 n = between(-4095, 4095);			\
								\
		word = a64_##name(rd, rn, n);			\
		LINE("%s %s, %s, #%d", n < 0 ? "sub" : "add", r(rd), r(rn), abs((int)n)); \
	}
#define BRANCH(name, format, r)					\
	ROW(name)						\
	{							\
		enum a64_reg rt = reg();			\
		s64 to = 4 * between(-0x40000, 0x3ffff);	\
								\
		word = a64_to(a64_##name(rt), to);		\
		LINE(format, r(rt), (long long)to);		\
	}
#define TEST_BRANCH(name)					\
	ROW(name)						\
	{							\
		enum a64_reg rt = reg();			\
		unsigned int bit = between(0, 63);		\
		s64 to = 4 * between(-0x2000, 0x1fff);		\
								\
		word = a64_to(a64_##name(rt, bit), to);		\
		LINE(#name " %s, #%u, .%+lld", bit < 32 ? w(rt) : x(rt), bit, (long long)to); \
	}
#define ONE(name)						\
	ROW(name)						\
	{							\
		enum a64_reg rn = draw(31);			\
								\
		word = a64_##name(rn);				\
		LINE(#name " %s", x(rn));			\
	}

SIZED(load, "ldrb", w, 1)
SIZED(load, "ldrh", w, 2)
SIZED(load, "ldr", w, 4)
SIZED(load, "ldr", x, 8)
SIZED(store, "strb", w, 1)
SIZED(store, "strh", w, 2)
SIZED(store, "str", w, 4)
SIZED(store, "str", x, 8)
ACCESS(ldr, "ldr", x, 8)
ACCESS(ldr_w, "ldr", w, 4)
ACCESS(str, "str", x, 8)
ACCESS(str_w, "str", w, 4)
REGISTERS(ldr_at, "ldr %s, [%s, %s]", x, s, x)
REGISTERS(ldr_at_lsl, "ldr %s, [%s, %s, lsl #3]", x, s, x)
REGISTERS(str_at, "str %s, [%s, %s]", x, s, x)
TWO(ldrsw, "ldrsw %s, [%s]", x, s)
TWO(stadd, "stadd %s, [%s]", x, s)
TWO(clz, "clz %s, %s", x, x)
TWO(rbit, "rbit %s, %s", x, x)
TWO(ldar, "ldar %s, [%s]", x, s)
TWO(ldar_w, "ldar %s, [%s]", w, s)
TWO(stlr, "stlr %s, [%s]", x, s)
TWO(ldxr, "ldxr %s, [%s]", x, s)
REGISTERS(stxr, "stxr %s, %s, [%s]", w, x, s)
PAIR(ldp, "ldp %s, %s, [%s, #%lld]")
PAIR(stp, "stp %s, %s, [%s, #%lld]")
PAIR(ldp_before, "ldp %s, %s, [%s, #%lld]!")
PAIR(stp_before, "stp %s, %s, [%s, #%lld]!")
PAIR(ldp_behind, "ldp %s, %s, [%s], #%lld")
PAIR(stp_behind, "stp %s, %s, [%s], #%lld")
ADD(add_i, x)
ADD(add_i_w, w)
REGISTERS(add, "add %s, %s, %s", x, x, x)
REGISTERS(sub, "sub %s, %s, %s", x, x, x)
TWO(cmp, "cmp %s, %s", x, x)
REGISTERS(mul, "mul %s, %s, %s", x, x, x)
REGISTERS(udiv, "udiv %s, %s, %s", x, x, x)
REGISTERS(umulh, "umulh %s, %s, %s", x, x, x)
REGISTERS(and, "and %s, %s, %s", x, x, x)
REGISTERS(bic, "bic %s, %s, %s", x, x, x)
REGISTERS(eor, "eor %s, %s, %s", x, x, x)
TWO(rev, "rev %s, %s", x, x)
REGISTERS(lsrv, "lsr %s, %s, %s", x, x, x)
REGISTERS(rorv, "ror %s, %s, %s", x, x, x)
REGISTERS(orr, "orr %s, %s, %s", x, x, x)
SHIFTED(add_lsl, "add %s, %s, %s, lsl #%u")
SHIFTED(eor_lsr, "eor %s, %s, %s, lsr #%u")
SHIFTED(eor_ror, "eor %s, %s, %s, ror #%u")
SHIFTED(orr_lsl, "orr %s, %s, %s, lsl #%u")
SHIFTED(orr_ror, "orr %s, %s, %s, ror #%u")
MASKED(and, s)
MASKED(orr, s)
MASKED(eor, s)
FIELD(sbfx)
FIELD(ubfx)
FIELD(bfi)
SHIFT(lsl)
SHIFT(ror)
SHIFT(lsr)
WIDE(movz)
WIDE(movn)
WIDE(movk)
BRANCH(cbz, "cbz %s, .%+lld", x)
BRANCH(cbnz, "cbnz %s, .%+lld", x)
BRANCH(cbz_w, "cbz %s, .%+lld", w)
BRANCH(cbnz_w, "cbnz %s, .%+lld", w)
BRANCH(ldr_literal, "ldr %s, .%+lld", x)
TEST_BRANCH(tbz)
TEST_BRANCH(tbnz)
ONE(br)
ONE(blr)
ONE(ret)

/* Neither can these, nor where they store. */
ROW(ldr_behind)
{
	enum a64_reg rt = draw(10), rn = 10 + draw(22);
	s64 at = between(-256, 255);

	word = a64_ldr_behind(rt, rn, at);
	LINE("ldr %s, [%s], #%lld", x(rt), s(rn), (long long)at);
}

ROW(str_behind)
{
	enum a64_reg rt = draw(10), rn = 10 + draw(22);
	s64 at = between(-256, 255);

	word = a64_str_behind(rt, rn, at);
	LINE("str %s, [%s], #%lld", x(rt), s(rn), (long long)at);
}

ROW(madd)
{
	enum a64_reg rd = reg(), rn = reg(), rm = reg(), ra = reg();

	word = a64_madd(rd, rn, rm, ra);
	LINE("madd %s, %s, %s, %s", x(rd), x(rn), x(rm), x(ra));
}

ROW(mvn_asr)
{
	enum a64_reg rd = reg(), rm = reg();
	unsigned int n = between(0, 63);

	word = a64_mvn_asr(rd, rm, n);
	LINE("mvn %s, %s, asr #%u", x(rd), x(rm), n);
}

ROW(movz_w)
{
	enum a64_reg rd = reg();
	unsigned int n = between(0, 65535);

	word = a64_movz_w(rd, n);
	LINE("movz %s, #%u", w(rd), n);
}

ROW(movk_w)
{
	enum a64_reg rd = reg();
	unsigned int n = between(0, 65535), i = draw(2);

	word = a64_movk_w(rd, n, i);
	LINE("movk %s, #%u, lsl #%u", w(rd), n, 16 * i);
}

ROW(adr)
{
	enum a64_reg rd = reg();
	s64 to = between(-0x100000, 0xfffff);

	word = a64_to(a64_adr(rd), to);
	LINE("adr %s, .%+lld", x(rd), (long long)to);
}

ROW(b)
{
	s64 to = 4 * between(-0x2000000, 0x1ffffff);
	bool link = draw(2);

	word = a64_to(link ? A64_BL : A64_B, to);
	LINE("%s .%+lld", link ? "bl" : "b", (long long)to);
}

ROW(b_if)
{
	static const char *const names[] = {
		"eq", "ne", "cs", "cc", "mi", "pl", "vs", "vc", "hi", "ls", "ge", "lt", "gt",
		"le",
	};
	unsigned int cond = draw(ARRAY_SIZE(names));
	s64 to = 4 * between(-0x40000, 0x3ffff);

	word = a64_to(a64_b_if(cond), to);
	LINE("b.%s .%+lld", names[cond], (long long)to);
}

ROW(brk)
{
	unsigned int n = between(0, 65535);

	word = a64_brk(n);
	LINE("brk #%u", n);
}

ROW(sysreg)
{
	static const struct {
		const char *name;
		u32 sysreg;
		bool read_only;
	} regs[] = {
		{ "sp_el0", A64_SP_EL0, false }, { "esr_el1", A64_ESR_EL1, false },
		{ "tpidr_el1", A64_TPIDR_EL1, false }, { "tpidr_el2", A64_TPIDR_EL2, false },
		{ "nzcv", A64_NZCV, false }, { "daif", A64_DAIF, false },
		{ "cntpct_el0", A64_CNTPCT, true }, { "cntvct_el0", A64_CNTVCT, true },
		{ "s3_3_c14_c0_5", A64_CNTPCTSS, true },
		{ "s3_3_c14_c0_6", A64_CNTVCTSS, true },
	};
	unsigned int i = draw(ARRAY_SIZE(regs));
	bool write = !regs[i].read_only && draw(2);
	enum a64_reg rt = reg();

	word = write ? a64_msr(regs[i].sysreg, rt) : a64_mrs(rt, regs[i].sysreg);
	if (write)
		LINE("msr %s, %s", regs[i].name, x(rt));
	else
		LINE("mrs %s, %s", x(rt), regs[i].name);
}

ROW(fixed)
{
	static const struct {
		const char *line;
		u32 word;
	} rows[] = {
		{ "nop", A64_NOP }, { "wfe", A64_WFE }, { "bti c", A64_BTI_C },
		{ "isb", A64_ISB }, { "dmb ish", A64_DMB_ISH },
		{ "ret", A64_RET }, { "msr daifset, #15", 0 },
		{ "paciasp", A64_PACIASP }, { "autiasp", A64_AUTIASP },
	};
	unsigned int i = draw(ARRAY_SIZE(rows));

	word = rows[i].word ?: a64_mask_exceptions();
	LINE("%s", rows[i].line);
}

#define ROWS(X)									\
	X(load1) X(load2) X(load4) X(load8) X(store1) X(store2) X(store4) X(store8) \
	X(ldr) X(ldr_w) X(ldrsw) X(str) X(str_w) X(ldr_at) X(str_at) X(ldar) X(ldar_w) X(stlr) \
	X(ldxr) X(stxr) X(ldr_at_lsl) X(ldr_behind) X(str_behind) X(stadd) \
	X(ldp) X(stp) X(ldp_before) X(stp_before) X(ldp_behind) X(stp_behind)	\
	X(add_i) X(add_i_w) X(add) X(add_lsl) X(sub) X(cmp) X(madd) X(mul) X(umulh) X(udiv)	\
	X(clz) X(rbit) X(and) X(bic)	\
	X(eor) X(eor_lsr) X(eor_ror) X(rev) X(lsrv) X(rorv) X(orr)	\
	X(orr_lsl) X(orr_ror) X(mvn_asr) X(and_i) X(orr_i) X(eor_i) X(sbfx) X(ubfx) \
	X(bfi) X(lsl) X(ror) X(lsr) X(movz) X(movn) X(movk) X(movz_w) X(b) X(b_if) X(cbz) \
	X(cbnz) X(cbz_w) X(cbnz_w) X(tbz) X(tbnz) X(adr) X(ldr_literal) X(br) X(blr) \
	X(movk_w) X(ret) X(brk) X(sysreg) X(fixed)

#define ROW_ENTRY(name) { #name, name##_row },
static const struct {
	const char *name;
	void (*next)(void);
} rows[] = { ROWS(ROW_ENTRY) };

static const struct {
	const char *name;
	u32 sum;
} table[] = {
#include "asm_table.h"
};

/* FNV-1a, of words. */
static u32 sum_of(u32 sum, u32 next)
{
	return (sum ^ next) * 16777619u;
}

#define SUM_BEGIN 2166136261u

TEST(words)
{
	unsigned int i, n;
	u32 sum;

	EXPECT_EQ(ARRAY_SIZE(table), ARRAY_SIZE(rows));
	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		state = 88172645463325252ULL + i;
		for (sum = SUM_BEGIN, n = 0; n < SAMPLES; n++) {
			rows[i].next();
			sum = sum_of(sum, word);
		}
		EXPECT_STR(table[i].name, rows[i].name);
		EXPECT_EQ(table[i].sum, sum);
	}
}

/* Our own decoder knows them: no word that it refuses, but BRK. */
TEST(decoded)
{
	struct kpt_insn insn;
	unsigned int i, n;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		state = 1 + i;
		for (n = 0; n < SAMPLES; n++) {
			rows[i].next();
			kpt_insn_decode(word, &insn);
			if (insn.reason == KPT_INSN_REASON_UNALLOCATED ||
			    insn.reason == KPT_INSN_REASON_SYS_UNKNOWN ||
			    insn.reason == KPT_INSN_REASON_HINT_UNKNOWN) {
				fprintf(stderr, "%s: %08x\n", line, word);
				EXPECT(false);
			}
		}
	}
}

/* One more than what fits. */
TEST(what_does_not_fit)
{
	EXPECT_EQ(a64_ldr(X0, X1, 32768), 0);
	EXPECT_EQ(a64_ldr(X0, X1, -257), 0);
	EXPECT_EQ(a64_ldr(X0, X1, 257), 0);
	EXPECT_EQ(a64_load(1, X0, X1, 4096), 0);
	EXPECT_EQ(a64_stp(X0, X1, X2, 512), 0);
	EXPECT_EQ(a64_stp(X0, X1, X2, -520), 0);
	EXPECT_EQ(a64_stp(X0, X1, X2, 4), 0);
	EXPECT_EQ(a64_add_i(X0, X1, 4096), 0);
	EXPECT_EQ(a64_add_i_w(X0, X1, -4096), 0);
	EXPECT_EQ(a64_orr_lsl(X0, X1, X2, 64), 0);
	EXPECT_EQ(a64_and_i(X0, X1, 0), 0);
	EXPECT_EQ(a64_and_i(X0, X1, ~0ULL), 0);
	EXPECT_EQ(a64_and_i(X0, X1, 5), 0);
	EXPECT_EQ(a64_ubfx(X0, X1, 32, 33), 0);
	EXPECT_EQ(a64_ubfx(X0, X1, 64, 1), 0);
	EXPECT_EQ(a64_bfi(X0, X1, 60, 5), 0);
	EXPECT_EQ(a64_lsl(X0, X1, 64), 0);
	EXPECT_EQ(a64_lsr(X0, X1, 64), 0);
	EXPECT_EQ(a64_movz(X0, 65536, 0), 0);
	EXPECT_EQ(a64_movz_w(X0, 65536), 0);
	EXPECT_EQ(a64_movk_w(X0, 65536, 0), 0);
	EXPECT_EQ(a64_brk(65536), 0);
	EXPECT_EQ(a64_tbz(X0, 64), 0);
	EXPECT_EQ(a64_to(A64_B, 1 << 27), 0);
	EXPECT_EQ(a64_to(A64_B, 2), 0);
	EXPECT_EQ(a64_to(a64_cbz(X0), 1 << 20), 0);
	EXPECT_EQ(a64_to(a64_tbz(X0, 1), -32772), 0);
	EXPECT_EQ(a64_to(a64_adr(X0), 1 << 20), 0);
	EXPECT_EQ(a64_to(0, 4), 0);
}

TEST(labels)
{
	unsigned int back, ahead;
	struct kpt_code c;
	u32 words[6];

	kpt_code_begin(&c, words, ARRAY_SIZE(words));
	back = kpt_label(&c);
	ahead = kpt_label(&c);
	kpt_put(&c, A64_NOP);
	kpt_here(&c, back);
	kpt_put_to(&c, a64_cbz(X3), ahead);
	kpt_put_to(&c, A64_B, back);
	kpt_put_to(&c, a64_adr(X4), ahead);
	kpt_here(&c, ahead);
	kpt_put(&c, A64_RET);
	EXPECT(kpt_code_end(&c));
	EXPECT_EQ(c.nr, 5);
	EXPECT_EQ(words[1], a64_to(a64_cbz(X3), 12));
	EXPECT_EQ(words[2], a64_to(A64_B, -4));
	EXPECT_EQ(words[3], a64_to(a64_adr(X4), 4));
}

/* A branch to what is behind it is left out; labels behind it are still where they were. */
TEST(no_needless_branch)
{
	unsigned int first, behind, end;
	struct kpt_code c;
	u32 words[6];

	kpt_code_begin(&c, words, ARRAY_SIZE(words));
	first = kpt_label(&c);
	behind = kpt_label(&c);
	end = kpt_label(&c);
	kpt_here(&c, first);
	kpt_put_to(&c, A64_B, end);
	kpt_here(&c, behind);
	kpt_here(&c, end);
	kpt_put_to(&c, a64_cbz(X3), first);
	kpt_put_to(&c, a64_cbz(X4), behind);
	kpt_put_to(&c, A64_B, end);
	kpt_put_to(&c, a64_cbz(X5), end);
	EXPECT(kpt_code_end(&c));
	EXPECT_EQ(c.nr, 4);
	EXPECT_EQ(words[0], a64_to(a64_cbz(X3), 0));
	EXPECT_EQ(words[1], a64_to(a64_cbz(X4), -4));
	EXPECT_EQ(words[2], a64_to(A64_B, -8));
	EXPECT_EQ(words[3], a64_to(a64_cbz(X5), -12));
}

/* Literals are behind the code, at a multiple of 8, each once. */
TEST(values)
{
	static const u32 expected[] = { 0x9abcdef0, 0x12345678, 5, 0 };
	struct kpt_code c;
	u32 words[8];

	kpt_code_begin(&c, words, ARRAY_SIZE(words));
	kpt_put_value(&c, X1, 0x123456789abcdef0);
	kpt_put_value(&c, X2, 5);
	kpt_put_value(&c, X3, 0x123456789abcdef0);
	EXPECT(kpt_code_end(&c));
	EXPECT_EQ(c.nr, 8);
	EXPECT_EQ(words[0], a64_to(a64_ldr_literal(X1), 16));
	EXPECT_EQ(words[1], a64_to(a64_ldr_literal(X2), 20));
	EXPECT_EQ(words[2], a64_to(a64_ldr_literal(X3), 8));
	EXPECT_EQ(words[3], A64_NOP);
	EXPECT(!memcmp(words + 4, expected, sizeof(expected)));
}

/* Whatever cannot be written makes the whole code fail, and nothing is written behind it. */
TEST(failures)
{
	u32 words[3] = { 0, 0, 1 };
	struct kpt_code c;
	unsigned int i;

	kpt_code_begin(&c, words, 2);
	kpt_put(&c, a64_ldr(X0, X1, -1000));
	EXPECT(!kpt_code_end(&c));
	kpt_code_begin(&c, words, 2);
	for (i = 0; i < 3; i++)
		kpt_put(&c, A64_NOP);
	EXPECT(!kpt_code_end(&c));
	kpt_code_begin(&c, words, 2);
	kpt_put_value(&c, X0, 1);
	EXPECT(!kpt_code_end(&c));
	EXPECT_EQ(words[2], 1);
	kpt_code_begin(&c, words, 2);
	kpt_put_to(&c, A64_B, kpt_label(&c));
	EXPECT(!kpt_code_end(&c));
	kpt_code_begin(&c, words, 2);
	for (i = 0; i <= KPT_CODE_LABELS; i++)
		kpt_label(&c);
	EXPECT(!kpt_code_end(&c));
	kpt_code_begin(&c, words, 2);
	for (i = 0; i <= KPT_CODE_BRANCHES; i++)
		kpt_put_to(&c, A64_B, 0);
	EXPECT(!kpt_code_end(&c));
	kpt_code_begin(&c, words, 2);
	for (i = 0; i <= KPT_CODE_VALUES; i++)
		kpt_put_value(&c, X0, i);
	EXPECT(!kpt_code_end(&c));
}

static void print_text(void)
{
	unsigned int i, n;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		state = 88172645463325252ULL + i;
		for (n = 0; n < SAMPLES; n++) {
			rows[i].next();
			puts(line);
		}
	}
}

/* Returns false if a word is not ours. */
static bool print_table(FILE *words)
{
	unsigned int i, n;
	bool same = true;
	u32 sum, theirs;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		state = 88172645463325252ULL + i;
		for (sum = SUM_BEGIN, n = 0; n < SAMPLES; n++) {
			rows[i].next();
			if (fread(&theirs, sizeof(theirs), 1, words) != 1)
				return false;
			sum = sum_of(sum, theirs);
			if (same && theirs != word)
				fprintf(stderr, "%s: %08x, not %08x\n", line, theirs, word);
			same &= theirs == word;
		}
		printf("{ \"%s\", 0x%08x },\n", rows[i].name, sum);
	}
	return same;
}

/* Before main(): the harness takes no words. */
__attribute__((constructor)) static void other_uses(int argc, char **argv)
{
	if (argc == 2 && !strcmp(argv[1], "--text")) {
		print_text();
		exit(0);
	}
	if (argc == 3 && !strcmp(argv[1], "--table"))
		exit(!print_table(fopen(argv[2], "rb")));
}

TEST_MAIN
