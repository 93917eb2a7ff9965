// SPDX-License-Identifier: GPL-2.0-only
/* A filter evaluated before there is a record has the result of that on the record. */
#include "lib/base/port.h"
#include "lib/fetch/fetch.h"
#include "lib/filter/filter.h"
#include "harness.h"
#include "lib/base/glob.h"
#include "fetch_world.h"
#include "gen_fetch.h"

#define NR_CPUS 70
#define CPU 66
#define PID 7

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

	switch (gen_below(&gen, 14)) {
	case 12:
		return to + sprintf(to, "common_pid %s %u", GEN_PICK(&gen, ops),
				    PID - 1 + gen_below(&gen, 3));
	case 13:
		return to + sprintf(to, "COMM %s \"x\"", gen_below(&gen, 2) ? "==" : "!=");
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

/* As code does it: see kpt_filter_on_hit(). @hit: registers, and what is behind them. */
static bool ask_pred(const struct kpt_filter *f, const struct kpt_filter_pred *p,
		     const u64 hit[KPT_FILTER_REG_PID + 1])
{
	u64 text[KPT_FILTER_COMM_WORDS], mask[KPT_FILTER_COMM_WORDS];
	u64 comm[KPT_FILTER_COMM_WORDS], differ = 0;
	const char *at;
	unsigned int i;
	size_t len;

	switch (p->kind) {
	case KPT_FILTER_COMM:
		kpt_filter_comm_words(f, p, text, mask);
		port_current_comm((char *)comm);
		for (i = 0; i < KPT_FILTER_COMM_WORDS; i++)
			differ |= (comm[i] ^ text[i]) & mask[i];
		return p->negated ^ !differ;
	case KPT_FILTER_TEXT:
		at = kpt_field_text(&p->field, record, sizeof(record), &len);
		return p->negated ^ kpt_glob_test(p->how, (const char *)f + p->at, p->len, at, len);
	case KPT_FILTER_FIELD:
		return kpt_filter_number(p, record) - p->low <= p->span;
	case KPT_FILTER_NUMBER:
		EXPECT(!p->mask || p->base / sizeof(u64) <= KPT_FILTER_REG_PID);
		return kpt_filter_number(p, hit) - p->low <= p->span;
	default:
		EXPECT(false);
		return false;
	}
}

static int ask_hit(const struct kpt_filter *f)
{
	const struct kpt_record_head *head = (const void *)record;
	u64 hit[KPT_FILTER_REG_PID + 2] = { 0 };
	unsigned int next = 0;

	memcpy(hit, &regs, KPT_FILTER_REG_PID * sizeof(u64));
	hit[KPT_FILTER_REG_PID] = (u32)head->pid;
	while (next < KPT_FILTER_REJECT)
		next = f->pred[next].next[ask_pred(f, &f->pred[next], hit)];
	return next == KPT_FILTER_ACCEPT;
}

/* Returns the filter's result, or -1 if it cannot be evaluated before there is a record. */
static int ask_both(const char *text)
{
	struct kpt_fetch_source src = { .regs = &regs };
	struct kpt_filter *f = parse(text), *on_hit = parse(text);
	int want, got = -1;
	size_t size;

	memset(record, 0xa5, sizeof(record));
	((struct kpt_record_head *)record)->pid = PID;
	size = kpt_fetch_size(&out.prog, &src);
	kpt_fetch_exec(&out.prog, &src, record, size);
	want = kpt_filter_match(f, record, size, CPU);
	if (kpt_filter_on_hit(on_hit, &out.prog))
		got = ask_hit(on_hit);
	if (got >= 0)
		EXPECT_EQ(got, want);
	free(f);
	free(on_hit);
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

TEST(what_is_no_number_of_the_hit_can_not_be_asked)
{
	static const char *const texts[] = {
		"__probe_ip == 1", "a0 == 1 && common_flags > 0", "common_type & 1",
		"a0.ustring == \"x\"", "CPU == 1", "a0 & CPUS{0,3}", "COMM ~ \"*x*\"",
		"COMM ~ \"a?b\"", "COMM == \"0123456789abcdef\"", "common_preempt_count == 0",
	};
	unsigned int i;

	EXPECT_EQ(compile("p f a0=%x0 a1=%x1"), 0);
	for (i = 0; i < ARRAY_SIZE(texts); i++)
		EXPECT_EQ(ask_both(texts[i]), -1);
	EXPECT_EQ(compile("p f s=+0(%x0):string"), 0);
	EXPECT_EQ(ask_both("s ~ \"x?z\""), -1);
	EXPECT_EQ(ask_both("s ~ \"*\""), -1);
	EXPECT_EQ(ask_both("s == \"of_more_than_three_words_of_8_bytes\""), -1);
}

TEST(the_task_can_be_asked)
{
	const char *comm = world.comm;
	char text[80];

	strcpy(world.comm, "some name");
	EXPECT_EQ(compile("p f a0=%x0"), 0);
	EXPECT_EQ(ask_both("common_pid == 7"), 1);
	EXPECT_EQ(ask_both("common_pid == 8"), 0);
	EXPECT_EQ(ask_both("common_pid > 7 || common_pid < 3"), 0);
	EXPECT_EQ(ask_both("COMM == \"\""), !*comm);
	EXPECT_EQ(ask_both("COMM != \"xy\""), 1);
	EXPECT_EQ(ask_both("COMM ~ \"xy*\""), 0);
	sprintf(text, "COMM == \"%s\"", comm);
	EXPECT_EQ(ask_both(text), 1);
	sprintf(text, "COMM == \"%sx\"", comm);
	EXPECT_EQ(ask_both(text), 0);
	sprintf(text, "COMM ~ \"%.2s*\"", comm);
	EXPECT_EQ(ask_both(text), 1);
	sprintf(text, "COMM == \"%.2s\"", comm);
	EXPECT_EQ(ask_both(text), 0);
}

TEST(what_the_program_stores_can_be_asked)
{
	u64 number = 5;

	regs.regs[0] = WORLD_KERNEL;
	memcpy(world.kernel, &number, sizeof(number));
	EXPECT_EQ(compile("p f a0=+0(%x0) a1=%x1"), 0);
	EXPECT_EQ(ask_both("a0 == 5 && a1 != 3"), 1);
	EXPECT_EQ(ask_both("a0 > 5"), 0);
	EXPECT_EQ(compile("p f a0=%x0:b3@0/32 a1=%x0"), 0);
	EXPECT_EQ(ask_both("a0 == 7"), (regs.regs[0] & 7) == 7);
}

TEST(strings_that_the_program_stores_can_be_asked)
{
	regs.regs[0] = WORLD_KERNEL;
	strcpy((char *)world.kernel, "some text");
	EXPECT_EQ(compile("p f s=+0(%x0):string"), 0);
	EXPECT_EQ(ask_both("s == \"some text\""), 1);
	EXPECT_EQ(ask_both("s != \"some text\""), 0);
	EXPECT_EQ(ask_both("s ~ \"some*\" && s ~ \"*text\""), 1);
	EXPECT_EQ(ask_both("s ~ \"*e t*\""), 1);
	EXPECT_EQ(ask_both("s ~ \"*zz*\" || s == \"some\""), 0);
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
