// SPDX-License-Identifier: GPL-2.0-only
/* A filter evaluated on registers has the result of that on the record. */
#include "lib/base/port.h"
#include "lib/fetch/fetch.h"
#include "lib/filter/filter.h"
#include "harness.h"
#include "fetch_world.h"
#include "gen_fetch.h"

#define NR_CPUS 70
#define CPU 66

static struct gen gen;
static struct user_pt_regs regs;
static u8 record[512];

/* Few values, so that comparisons are true now and then. */
static void make_regs(void)
{
	u64 *reg = (u64 *)&regs;
	unsigned int i;

	for (i = 0; i < sizeof(regs) / sizeof(u64); i++)
		reg[i] = gen_below(&gen, 4) - 2ULL + ((u64)gen_below(&gen, 3) << 31);
}

static void make_definition(char *line)
{
	static const char *const types[] = { "", ":u64", ":s64", ":x32", ":u32",
					     ":s32", ":u16", ":s8", ":u8",
					     ":b2@1/8", ":b3@0/64" };
	static const char *const others[] = {
		"+0(%x7)", "+8(%x6):u16[2]", "$comm", "\\\"some_text_of_it\"",
		"+0(%x5):string", "+0(+8(%x4)):s32", "%x3:b4@2/8",
	};
	unsigned int i, nr = gen_below(&gen, 4) ? 3 : ARRAY_SIZE(types);

	line += sprintf(line, gen_below(&gen, 4) ? "p f" : "r f");
	for (i = 0; i < 4; i++) {
		if (!gen_below(&gen, 4))
			line += sprintf(line, " o%u=%s", i, GEN_PICK(&gen, others));
		line += sprintf(line, " a%u=%%x%u%s", i, gen_below(&gen, 8),
				types[gen_below(&gen, nr)]);
	}
}

static char *make_term(char *to)
{
	static const char *const ops[] = { "==", "!=", "<", "<=", ">", ">=",
					   "&" };

	switch (gen_below(&gen, 12)) {
	case 0:
		return to + sprintf(to, "CPU == %u", CPU - gen_below(&gen, 2));
	case 1:
		return to + sprintf(to, "a%u & CPUS{0-1,65}",
				    gen_below(&gen, 4));
	case 2:
		return to + sprintf(to, "COMM == \"kpt\"");
	case 3:
		return to + sprintf(to, "CPU & CPUS{3,%u}", CPU);
	default:
		return to + sprintf(to, "a%u %s %u", gen_below(&gen, 4),
				    GEN_PICK(&gen, ops), gen_below(&gen, 4));
	}
}

static void make_filter(char *to)
{
	unsigned int i, nr = 1 + gen_below(&gen, 4);

	to = make_term(to);
	for (i = 1; i < nr; i++) {
		to += sprintf(to, gen_below(&gen, 2) ? " && " : " || ");
		to = make_term(to);
	}
}

static struct kpt_filter *parse(const char *text)
{
	size_t size = kpt_filter_bound(text, NR_CPUS);
	struct kpt_filter *f = malloc(size);
	struct kpt_diag diag;

	EXPECT_EQ(kpt_filter_parse(f, size, text, &out.fields, NR_CPUS, &diag),
		  0);
	return f;
}

/* Returns the filter's result, or -1 if it cannot be evaluated on registers. */
static int ask_both(const char *text)
{
	struct kpt_fetch_source src = { .regs = &regs };
	struct kpt_filter *f = parse(text), *on_regs = parse(text);
	const struct kpt_filter_pred *other;
	int want, got;
	size_t size;

	memset(record, 0xa5, sizeof(record));
	size = kpt_fetch_size(&out.prog, &src);
	kpt_fetch_exec(&out.prog, &src, record, size);
	want = kpt_filter_match(f, record, size, CPU);
	got = !kpt_filter_on_registers(on_regs, &out.prog) ? -1 :
	      kpt_filter_match_numbers(on_regs, &regs, &other);
	if (got >= 0) {
		EXPECT_EQ(got, want);
		EXPECT(!other);
	}
	free(f);
	free(on_regs);
	return got;
}

TEST(both_answer_alike)
{
	unsigned int i, answers[3] = { 0 };
	char line[400], text[200];
	int before = test_failures;

	gen.state = test_random() | 1;
	for (i = 0; i < 20000 && test_failures == before; i++) {
		make_definition(line);
		make_regs();
		EXPECT_EQ(compile(line), 0);
		make_filter(text);
		answers[1 + ask_both(text)]++;
		if (test_failures != before)
			printf("%s\n%s\n", line, text);
	}
	EXPECT(answers[1] > 1000);
	EXPECT(answers[2] > 1000);
}

TEST(what_is_no_register_can_not_be_asked)
{
	static const char *const texts[] = {
		"common_pid == 1", "__probe_ip == 1", "a0 == 1 && common_pid > 0",
		"a0.ustring == \"x\"", "common_type & 1", "CPU == 1",
		"a0 & CPUS{0,3}", "COMM == \"x\"",
	};
	unsigned int i;

	EXPECT_EQ(compile("p f a0=%x0 a1=%x1"), 0);
	for (i = 0; i < ARRAY_SIZE(texts); i++)
		EXPECT_EQ(ask_both(texts[i]), -1);
	EXPECT_EQ(compile("p f a0=+0(%x0)"), 0);
	EXPECT_EQ(ask_both("a0 == 1"), -1);
	EXPECT_EQ(compile("p f a0=%x0:b3@0/32 a1=%x0"), 0);
	EXPECT_EQ(ask_both("a0 == 1"), -1);
}

TEST(registers_next_to_other_arguments_can_be_asked)
{
	regs.regs[0] = 1;
	EXPECT_EQ(compile("p f s=+0(%x1):string m=+0(%x2) a0=%x0 t=$comm"), 0);
	EXPECT_EQ(ask_both("a0 == 1"), 1);
	EXPECT_EQ(ask_both("a0 == 2"), 0);
	EXPECT_EQ(compile("p f t=\\\"a_text_of_more_than_a_step\" a0=%x0:u8"), 0);
	EXPECT_EQ(ask_both("a0 != 1"), 0);
}

TEST_MAIN
