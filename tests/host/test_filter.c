// SPDX-License-Identifier: GPL-2.0-only
/* Filters: their meaning, the predicates that are skipped, refusals. */
#include "lib/base/port.h"
#include "lib/filter/filter.h"
#include "filter_case.h"
#include "model_filter.h"

static struct model_filter model_of(const char *text)
{
	return (struct model_filter){
		.s = text, .fields = &shape.f, .record = rec.b,
		.size = rec.size, .cpu = CPU,
	};
}

/* Same answer and same predicates evaluated as the model says? */
static bool agrees(const char *text)
{
	struct model_filter m = model_of(text);
	struct kpt_filter *f = compile(text);
	char path[KPT_FILTER_MAX];
	bool want = model_or(&m, true), same = false;

	m.path[m.path_len] = '\0';
	if (f) {
		same = ask(f) == want &&
		       model_walk(f, rec.b, rec.size, CPU, path) == want &&
		       !strcmp(m.path, path);
		free(f);
	}
	if (!same)
		printf("'%s' should be %d by way of %s, not %s\n", text, want,
		       m.path, f ? path : "an error");
	return same;
}

TEST(logic_and_what_it_skips)
{
	/* letters: true predicates name a field's value, false ones do not */
	static const struct {
		const char *text;
		int match;
		const char *path;
	} rows[] = {
		{ "a == 1", 1, "a" },
		{ "a == 2", 0, "a" },
		{ "a == 1 && b == 2", 1, "ab" },
		{ "a == 0 && b == 2", 0, "a" },
		{ "a == 1 || b == 2", 1, "a" },
		{ "a == 0 || b == 2", 1, "ab" },
		{ "a == 0 && b == 2 || c == 3", 1, "ac" },
		{ "a == 1 || b == 2 && c == 0", 1, "a" },
		{ "a == 0 || b == 2 && c == 0", 0, "abc" },
		{ "a == 1 && (b == 0 || c == 3) && d == 4", 1, "abcd" },
		{ "a == 1 && (b == 2 || c == 3) && d == 4", 1, "abd" },
		{ "(a == 1 || b == 2) && (c == 0 || d == 0)", 0, "acd" },
		{ "(a == 0 && b == 2) || (c == 3 && d == 4)", 1, "acd" },
		{ "!a == 1", 0, "a" },
		{ "!a == 0", 1, "a" },
		{ "! ! a == 1", 1, "a" },
		{ "!(a == 1 && b == 2)", 0, "ab" },
		{ "!(a == 1 && b == 0)", 1, "ab" },
		{ "!(a == 0 && b == 0)", 1, "a" },
		{ "!(a == 1 || b == 2) || c == 3", 1, "ac" },
		{ "!(!(a == 1) || !(b == 2))", 1, "ab" },
		{ "!(!(a == 0) || !(b == 2))", 0, "a" },
		{ "!a == 0 && b == 2", 1, "ab" },
		{ "((((a == 1))))", 1, "a" },
		{ "(a==1)&&(b==2||(c==0&&d==4))", 1, "ab" },
		{ "a==1&&b==2&&c==3&&d==4&&e==5&&f==6&&g==7&&h==8", 1,
		  "abcdefgh" },
		{ "a==0||b==0||c==0||d==0||e==0||f==0||g==0||h==0", 0,
		  "abcdefgh" },
		{ "(a==0&&b==2&&c==3)||(d==0||(e==5&&!(f==6&&g==7)))&&h==8", 0,
		  "adefg" },
		{ "\ta\n==  1 \n", 1, "a" },
	};
	char path[KPT_FILTER_MAX];
	struct kpt_filter *f;
	size_t i;

	setup_letters();
	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		f = compile(rows[i].text);
		EXPECT(f != NULL);
		if (!f)
			continue;
		if (ask(f) != rows[i].match ||
		    model_walk(f, rec.b, rec.size, CPU, path) !=
		    rows[i].match || strcmp(path, rows[i].path)) {
			printf("'%s': by way of %s\n", rows[i].text, path);
			test_failures++;
		}
		free(f);
	}
}

static size_t random_expression(char *s, unsigned int depth)
{
	unsigned int r = test_random() % 100;
	char *start = s;

	if (depth && r < 40) {
		s += random_expression(s, depth - 1);
		s += sprintf(s, r < 20 ? " && " : "||");
		s += random_expression(s, depth - 1);
	} else if (depth && r < 60) {
		s += sprintf(s, r < 50 ? "(" : "!(");
		s += random_expression(s, depth - 1);
		s += sprintf(s, ")");
	} else {
		s += sprintf(s, "%s%c %s %u", r % 5 ? "" : "!",
			     (char)('a' + test_random() % 8),
			     r & 1 ? "==" : "<", (u32)test_random() % 10);
	}
	return (size_t)(s - start);
}

TEST(random_logic_agrees_with_the_model)
{
	static char text[65536];
	unsigned int i;

	setup_letters();
	for (i = 0; i < 20000; i++) {
		if (random_expression(text, 1 + test_random() % 6) <
		    KPT_FILTER_MAX)
			EXPECT(agrees(text));
	}
}

static const char *const ops[] = { "==", "!=", "<", "<=", ">", ">=", "&" };

/* Values near which comparisons of @size bytes change their result. */
static u64 edge(unsigned int size)
{
	u64 top = 1ULL << (8 * size - 1);
	u64 bases[] = { 0, 1, top, top - 1, ~0ULL >> (64 - 8 * size), 100 };
	u64 v = bases[test_random() % ARRAY_SIZE(bases)];

	if (!(test_random() & 7))
		v = test_random();
	return v + test_random() % 3 - 1;
}

TEST(numbers_compare_as_in_c)
{
	unsigned int t, i, size;
	char text[64];
	u64 v;

	for (i = 0; i < 60000; i++) {
		t = test_random() % (KPT_TYPE_SYMBOL + 1);
		size = kpt_type_info[t].size;
		world_reset();
		shape_init(&shape, false);
		shape_add(&shape, "pad", KPT_TYPE_U8, test_random() % 5);
		shape_add(&shape, "v", t, 0);
		bytes_init(&rec, &shape, 0, 0);
		memset(rec.b + 16, test_random() & 1 ? 0xff : 0, rec.size - 16);
		bytes_set(&rec, &shape, 1, 0, edge(size));
		v = edge(size);
		if (!kpt_type_info[t].is_signed)
			sprintf(text, test_random() & 1 ? "v %s %llu" :
				"v %s %#llx", ops[i % 7], (long long)v);
		else
			sprintf(text, "v %s %lld", ops[i % 7],
				(long long)(v << (64 - 8 * size)) >>
				(64 - 8 * size));
		EXPECT(agrees(text));
	}
}

TEST(common_fields)
{
	setup_letters();
	rec.b[3] = 0xab;
	EXPECT_EQ(match("common_type == 1206"), 1);
	EXPECT_EQ(match("common_type == 1207"), 0);
	EXPECT_EQ(match("common_flags & 1"), 1);
	EXPECT_EQ(match("common_flags == 0"), 0);
	EXPECT_EQ(match("common_preempt_count == 0xab"), 1);
	EXPECT_EQ(match("common_pid == 42"), 1);
	EXPECT_EQ(match("common_pid > -1"), 1);
	EXPECT_EQ(match("__probe_ip == 0x1000"), 1);
	memset(rec.b + 4, 0xff, 4);
	EXPECT_EQ(match("common_pid == -1"), 1);
	EXPECT_EQ(match("common_pid < 0"), 1);
	EXPECT_EQ(match("cpu == 5"), 1);
	EXPECT_EQ(match("CPU != 5"), 0);
	EXPECT_EQ(match("common_cpu >= 6"), 0);
	EXPECT_EQ(match("common_cpu > -1"), 1);
	EXPECT_EQ(match("cpu & 5"), 0);
	EXPECT_EQ(match("comm == 'hosttest'"), 1);
	EXPECT_EQ(match("COMM != \"hosttest\""), 0);
	EXPECT_EQ(match("comm ~ '*test'"), 1);
	EXPECT_EQ(match("common_tgid == 41"), 1);
	EXPECT_EQ(match("common_tgid != 41"), 0);
	EXPECT_EQ(match("common_tgid == 42 || common_tgid < 42 && common_tgid > -1"), 1);
	EXPECT_EQ(match("common_uid == 4000000000"), 1);
	EXPECT_EQ(match("common_uid > 3999999999 && common_uid <= 0xffffffff"), 1);
	EXPECT_EQ(match("common_uid < 0 || common_uid != 4000000000"), 0);
	EXPECT_EQ(match("common_cgroup == 0x10000000007"), 1);
	EXPECT_EQ(match("common_cgroup == 7"), 0);
	EXPECT_EQ(match("common_cgroup & 4 && !(common_cgroup & 8)"), 1);
	EXPECT(!compile("common_cgroup ~ 'a'"));
	EXPECT(!compile("common_tgid == CPUS{41}"));
	EXPECT_EQ(diag.code, KPT_E_FILT_ILLEGAL_FIELD_OP);
	EXPECT(!compile("common_tgid == 'a'"));
	EXPECT(!compile("common_tgi == 41"));
	EXPECT_EQ(diag.code, KPT_E_FILT_FIELD_NOT_FOUND);
	EXPECT(!compile("comm == host"));
	EXPECT_EQ(diag.code, KPT_E_FILT_INVALID_VALUE);
	shape_init(&shape, true);
	bytes_init(&rec, &shape, 0x1000, 0x2000);
	EXPECT_EQ(match("__probe_func == 0x1000 && __probe_ret_ip == 0x2000"),
		  1);
	EXPECT(!compile("__probe_ip == 0x1000"));
}

TEST(argument_hides_common_field)
{
	world_reset();
	shape_init(&shape, false);
	shape_add(&shape, "cpu", KPT_TYPE_U8, 0);
	shape_add(&shape, "comm", KPT_TYPE_U8, 0);
	bytes_init(&rec, &shape, 0, 0);
	bytes_set(&rec, &shape, 0, 0, 77);
	EXPECT_EQ(match("cpu == 77 && comm == 0"), 1);
	EXPECT_EQ(match("CPU == 5 && COMM == 'hosttest'"), 1);
}

TEST(numbers_are_cut_to_the_field)
{
	world_reset();
	shape_init(&shape, false);
	shape_add(&shape, "b", KPT_TYPE_U8, 0);
	shape_add(&shape, "a", KPT_TYPE_U8, 3);
	shape_add(&shape, "q", KPT_TYPE_U8, 4);
	bytes_init(&rec, &shape, 0, 0);
	bytes_set(&rec, &shape, 2, 1, 1);
	EXPECT_EQ(match("b == 256"), 1);
	EXPECT_EQ(match("b < 256"), 0);
	EXPECT_EQ(match("a == 0"), 0);
	EXPECT_EQ(match("a != 0"), 0);
	EXPECT_EQ(match("q == 0x100"), 1);
	EXPECT_EQ(match("b & 0"), 0);
}

/* 127.0.0.1, -2, 15, 21, 3 and an array. */
static void setup_forms(void)
{
	world_reset();
	shape_init(&shape, false);
	shape_add(&shape, "addr", KPT_TYPE_IPV4, 0);
	shape_add(&shape, "ret", KPT_TYPE_ERRNO, 0);
	shape_add(&shape, "sig", KPT_TYPE_SIGNAL, 0);
	shape_add(&shape, "cap", KPT_TYPE_CAP, 0);
	shape_add(&shape, "nr", KPT_TYPE_SYSCALL, 0);
	shape_add(&shape, "wide", KPT_TYPE_ERRNO64, 0);
	shape_add(&shape, "more", KPT_TYPE_IPV4, 2);
	bytes_init(&rec, &shape, 0, 0);
	bytes_set(&rec, &shape, 0, 0, 0x0100007f);
	bytes_set(&rec, &shape, 1, 0, (u64)-2);
	bytes_set(&rec, &shape, 2, 0, 15);
	bytes_set(&rec, &shape, 3, 0, 21);
	bytes_set(&rec, &shape, 4, 0, 3);
	bytes_set(&rec, &shape, 5, 0, (u64)-12);
}

TEST(values_in_the_form_of_lines)
{
	setup_forms();
	EXPECT_EQ(match("addr == 127.0.0.1"), 1);
	EXPECT_EQ(match("addr == 127.0.0.2"), 0);
	EXPECT_EQ(match("addr != 127.0.0.2 && addr == 127.0.0.0/8"), 1);
	EXPECT_EQ(match("addr == 127.9.9.9/8"), 1);
	EXPECT_EQ(match("addr != 127.0.0.0/8 || addr == 10.0.0.0/8"), 0);
	EXPECT_EQ(match("addr == 127.0.0.0/31 && addr == 127.0.0.1/32"), 1);
	EXPECT_EQ(match("addr == 127.0.0.2/31"), 0);
	EXPECT_EQ(match("addr == 9.9.9.9/0"), 1);
	EXPECT_EQ(match("addr == 0x0100007f"), 1);
	EXPECT_EQ(match("ret == -ENOENT"), 1);
	EXPECT_EQ(match("ret != -ENOENT"), 0);
	EXPECT_EQ(match("ret > -EINTR && ret < -EPERM"), 1);
	EXPECT_EQ(match("ret == -2"), 1);
	EXPECT_EQ(match("wide==-ENOMEM"), 1);
	EXPECT_EQ(match("wide == -EPERM || (sig==SIGTERM)"), 1);
	EXPECT_EQ(match("sig != SIGTERM"), 0);
	EXPECT_EQ(match("cap == CAP_SYS_ADMIN"), 1);
	EXPECT_EQ(match("nr == call3"), 1);
}

TEST(values_in_no_form)
{
	static const struct {
		const char *text;
		enum kpt_diag_code code;
		unsigned int column;
	} cases[] = {
		{ "addr == 127.0.0", KPT_E_FILT_ILLEGAL_INTVAL, 9 },
		{ "addr == 127.0.0.256", KPT_E_FILT_ILLEGAL_INTVAL, 9 },
		{ "addr == 127.0.0.1/33", KPT_E_FILT_ILLEGAL_INTVAL, 9 },
		{ "addr == 127.0.0.1x", KPT_E_FILT_TOO_MANY_PREDS, 17 },
		{ "addr < 127.0.0.1", KPT_E_FILT_ILLEGAL_FIELD_OP, 17 },
		{ "ret == ENOENT", KPT_E_FILT_INVALID_VALUE, 8 },
		{ "ret ~ -ENOENT", KPT_E_FILT_ILLEGAL_FIELD_OP, 14 },
		{ "sig == TERM", KPT_E_FILT_INVALID_VALUE, 8 },
		{ "more == 127.0.0.1", KPT_E_FILT_TOO_MANY_PREDS, 11 },
	};
	unsigned int i;

	setup_forms();
	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		EXPECT(!compile(cases[i].text));
		if (diag.code != cases[i].code || diag.column != cases[i].column)
			printf("'%s': %s, %u\n", cases[i].text, kpt_diag_text(diag.code),
			       diag.column);
		EXPECT_EQ(diag.code, cases[i].code);
		EXPECT_EQ(diag.column, cases[i].column);
	}
}

TEST(strings)
{
	setup_text("bash", 5);
	EXPECT_EQ(match("s == 'bash'"), 1);
	EXPECT_EQ(match("s == \"bas\""), 0);
	EXPECT_EQ(match("s == 'bashe'"), 0);
	EXPECT_EQ(match("s == 'b*'"), 0);
	EXPECT_EQ(match("s != 'bash'"), 0);
	EXPECT_EQ(match("s != ''"), 1);
	EXPECT_EQ(match("s ~ 'bash'"), 1);
	EXPECT_EQ(match("s ~ 'b*'"), 1);
	EXPECT_EQ(match("s ~ '*sh'"), 1);
	EXPECT_EQ(match("s ~ '*as*'"), 1);
	EXPECT_EQ(match("s ~ 'b[a-c]?h'"), 1);
	EXPECT_EQ(match("s ~ '!b*'"), 0);
	EXPECT_EQ(match("s ~ '!x*'"), 1);
	EXPECT_EQ(match("!s ~ '!x*'"), 0);
	EXPECT_EQ(match("s == '(b' || s ~ \"b'&&*\" || s == 'bash'"), 1);
	setup_text("12", 3);
	EXPECT_EQ(match("s ~ '1*'"), 1);
}

TEST(strings_that_are_not_there)
{
	setup_text("", 0);
	EXPECT_EQ(match("s == ''"), 1);
	EXPECT_EQ(match("s == 'x'"), 0);
	EXPECT_EQ(match("s != 'x'"), 1);
	EXPECT_EQ(match("s ~ '*'"), 1);
	/* hostile places */
	bytes_set(&rec, &shape, 0, 0, kpt_data_loc((u32)rec.size, 1));
	EXPECT_EQ(match("s == ''"), 1);
	bytes_set(&rec, &shape, 0, 0, kpt_data_loc(0xffff, 0xffff));
	EXPECT_EQ(match("s == ''"), 1);
	/* no NUL before the end */
	setup_text("bash", 4);
	EXPECT_EQ(match("s == 'bash'"), 1);
}

TEST(user_strings)
{
	setup_text("", 0);
	EXPECT_EQ(match("p.ustring == '/etc/passwd'"), 1);
	EXPECT_EQ(match("p.ustring ~ '*passwd'"), 1);
	EXPECT_EQ(match("p.ustring != '/etc/passwd'"), 0);
	EXPECT_EQ(match("p.ustring ~ '!*passwd'"), 0);
	world.user_fault[70] = 1;
	EXPECT_EQ(match("p.ustring ~ '*'"), 0);
	EXPECT_EQ(match("p.ustring != 'x'"), 0);
	EXPECT_EQ(match("!p.ustring != 'x'"), 1);
	EXPECT(!compile("p == 'x'"));
	EXPECT_EQ(diag.code, KPT_E_FILT_EXPECT_DIGIT);
	memset(world.user, 'a', 4096);
	bytes_set(&rec, &shape, 1, 0, WORLD_USER);
	world.user_fault[70] = 0;
	EXPECT_EQ(match("p.ustring ~ 'aa*'"), 1);
	EXPECT_EQ(match("p.ustring ~ '*b'"), 0);
}

/* Does compiling a text give a filter that reads user memory? */
static bool reads_user(const char *text)
{
	struct kpt_filter *f = compile(text);
	bool reads = kpt_filter_reads_user(f);

	free(f);
	return reads;
}

TEST(what_reads_user_memory)
{
	EXPECT(!reads_user("p == 1 && s == 'bash'"));
	EXPECT(reads_user("p == 1 || p.ustring == '/etc/passwd'"));
}

TEST(functions)
{
	world_reset();
	world.symbols[0] = (struct world_symbol){ "vfs_read", 0x1000, 0x40 };
	world.symbols[1] = (struct world_symbol){ "vfs_write", 0x1040, 0x40 };
	world.nr_symbols = 2;
	shape_init(&shape, false);
	shape_add(&shape, "p", KPT_TYPE_X64, 0);
	bytes_init(&rec, &shape, 0, 0);
	bytes_set(&rec, &shape, 0, 0, 0x103f);
	EXPECT_EQ(match("p.function == vfs_read"), 1);
	EXPECT_EQ(match("(p.function == vfs_read)"), 1);
	EXPECT_EQ(match("p.function != vfs_read"), 0);
	EXPECT_EQ(match("p.function == 0x1010"), 1);
	EXPECT_EQ(match("p.function == vfs_write"), 0);
	EXPECT_EQ(match("p.function != vfs_write && p == 0x103f"), 1);
	bytes_set(&rec, &shape, 0, 0, 0xfff);
	EXPECT_EQ(match("p.function == vfs_read"), 0);
	bytes_set(&rec, &shape, 0, 0, 0x1000);
	EXPECT_EQ(match("p.function == vfs_read"), 1);
}

/* A record with a mask of CPUs m, whose words follow, and bytes y. */
static void setup_mask(unsigned int nr, u64 low, u64 high, size_t len)
{
	static const struct kpt_head_field fields[] = {
		{ "m", "__data_loc cpumask_t m", { KPT_FIELD_MASK, false, 8, 4 } },
		{ "y", "__data_loc long[] y", { KPT_FIELD_BYTES, false, 12, 4 } },
	};
	static const struct kpt_head head = { .size = 16, .nr = 2, .field = fields };
	const u64 words[] = { low, high };
	u32 loc = kpt_data_loc(16, (u32)len);

	nr_cpus = nr;
	shape_init(&shape, false);
	shape.f.head = &head;
	memset(&rec, 0, sizeof(rec));
	memcpy(rec.b + 8, &loc, sizeof(loc));
	memcpy(rec.b + 12, &loc, sizeof(loc));
	memcpy(rec.b + 16, words, len);
	rec.size = 16 + len;
}

TEST(masks_of_cpus)
{
	u32 beyond = kpt_data_loc(20, 8);

	setup_mask(8, 0x0e, 0, 8);
	EXPECT_EQ(match("m & CPUS{1}"), 1);
	EXPECT_EQ(match("m & CPUS{0,3-4}"), 1);
	EXPECT_EQ(match("m & CPUS{0,4-7}"), 0);
	EXPECT_EQ(match("m == CPUS{1-3}"), 1);
	EXPECT_EQ(match("m == CPUS{1}"), 0);
	EXPECT_EQ(match("m == CPUS{1-4}"), 0);
	EXPECT_EQ(match("m != CPUS{1-3}"), 0);
	EXPECT_EQ(match("m != CPUS{2-3}"), 1);
	EXPECT_EQ(match("!(m & CPUS{0}) && cpu == 5 && m == CPUS{1-3}"), 1);
	/* A mask that is outside the record. */
	memcpy(rec.b + 8, &beyond, sizeof(beyond));
	EXPECT_EQ(match("m & CPUS{all}"), 0);
	EXPECT_EQ(match("m == CPUS{1-3}"), 0);
	EXPECT_EQ(match("m != CPUS{1-3}"), 0);

	/* Bits of CPUs that cannot be are no difference. */
	setup_mask(8, ~0ULL, 0, 8);
	EXPECT_EQ(match("m == CPUS{0-7}"), 1);
	setup_mask(8, 0xf2, 0, 1);
	EXPECT_EQ(match("m == CPUS{1,4-7}"), 1);
	setup_mask(70, 1ULL << 63, 0xffff, 16);
	EXPECT_EQ(match("m == CPUS{63-69}"), 1);
	EXPECT_EQ(match("m & CPUS{0-62}"), 0);
	EXPECT_EQ(match("m & CPUS{64}"), 1);
	setup_mask(70, 2, 0, 8);
	EXPECT_EQ(match("m == CPUS{1}"), 1);
	EXPECT_EQ(match("m & CPUS{64-69}"), 0);
	nr_cpus = 8;
}

TEST(bytes_are_not_compared)
{
	static const char *const refused[] = {
		"m == 2", "m < 5", "m ~ 2", "m < CPUS{1}", "y == 2", "y & 1",
		"y == CPUS{0}", "y & CPUS{0-1}",
	};
	size_t i;

	setup_mask(8, 2, 0, 8);
	for (i = 0; i < ARRAY_SIZE(refused); i++) {
		EXPECT(!compile(refused[i]));
		EXPECT_EQ(diag.code, KPT_E_FILT_ILLEGAL_FIELD_OP);
	}
	EXPECT(!compile("m == 'x'"));
	EXPECT_EQ(diag.code, KPT_E_FILT_EXPECT_DIGIT);
}

TEST(cpu_sets)
{
	setup_letters();
	EXPECT_EQ(match("cpu & CPUS{4-6}"), 1);
	EXPECT_EQ(match("cpu & CPUS{0-4,6}"), 0);
	EXPECT_EQ(match("cpu == CPUS{4-6}"), 0);
	EXPECT_EQ(match("cpu != CPUS{4-6}"), 1);
	EXPECT_EQ(match("cpu == CPUS{5}"), 1);
	EXPECT_EQ(match("cpu & CPUS{5}"), 1);
	EXPECT_EQ(match("cpu != CPUS{5}"), 0);
	EXPECT_EQ(match("cpu & CPUS{ }"), 0);
	EXPECT_EQ(match("c & CPUS{2-3}"), 1);
	EXPECT_EQ(match("c & CPUS{1-2}"), 0);
	EXPECT_EQ(match("c & CPUS{3}"), 1);
	EXPECT_EQ(match("c != CPUS{3}"), 0);
	EXPECT_EQ(match("c == CPUS{1,3}"), 0);
	EXPECT_EQ(match("c != CPUS{1,3}"), 1);
	/* 8 is no CPU */
	EXPECT_EQ(match("h != CPUS{1,3}"), 0);
	EXPECT_EQ(match("h & CPUS{all}"), 0);
	EXPECT_EQ(match("a == 1 && g & CPUS{6-7} && cpu & CPUS{1,N,5}"), 1);
	shape_init(&shape, false);
	shape_add(&shape, "v", KPT_TYPE_U16, 3);
	shape_add(&shape, "w", KPT_TYPE_X64, 0);
	bytes_init(&rec, &shape, 0, 0);
	bytes_set(&rec, &shape, 1, 0, 0x100000002);
	EXPECT_EQ(match("v & CPUS{0-1}"), 0);
	EXPECT_EQ(match("v != CPUS{0-1}"), 0);
	EXPECT_EQ(match("v != CPUS{0}"), 0);
	EXPECT_EQ(match("w & CPUS{0-2}"), 1);
	EXPECT_EQ(match("w & CPUS{2}"), 0);
	bytes_set(&rec, &shape, 1, 0, 100000);
	EXPECT_EQ(match("w & CPUS{0-2}"), 0);

	/* More CPUs than a byte has values. */
	nr_cpus = 300;
	shape_init(&shape, false);
	shape_add(&shape, "b", KPT_TYPE_U8, 0);
	bytes_init(&rec, &shape, 0, 0);
	bytes_set(&rec, &shape, 0, 0, 200);
	EXPECT_EQ(match("b != CPUS{1,299}"), 1);
	EXPECT_EQ(match("b & CPUS{1,200}"), 1);
	nr_cpus = 8;
}

/* Pieces of filters in any order must be refused, or agree with the model. */
TEST(random_text)
{
	static const char *const pieces[] = {
		"a", "b", "s", "p", "comm", "cpu", "common_pid", " ", "==", "!=",
		"<", ">=", "~", "&", "&&", "||", "!", "(", ")", "'", "\"", "1",
		"-1", "0x", "x*", "[", "CPUS{", "0-3", "}", ".ustring",
		".function", "\\", "\n", "256", "p == 7", "p != -8",
		"s ~ 'b*'", "s == \"x\"", "(comm ~ '*t'", "cpu > 3)",
		"common_pid < 42", "p.ustring ~ '*wd'", " && ", " || ", "&&!(",
	};
	char text[512], *s;
	unsigned int i, n, good = 0;
	struct kpt_filter *f;

	setup_text("bash", 5);
	for (i = 0; i < 300000; i++) {
		s = text;
		*s = '\0';
		for (n = test_random() % 12; n; n--)
			s += sprintf(s, "%s", pieces[test_random() %
						     ARRAY_SIZE(pieces)]);
		f = compile(text);
		if (!f) {
			EXPECT(diag.column <= strlen(text) + 2);
			EXPECT(diag.code != KPT_E_NONE);
			continue;
		}
		good++;
		if (!strstr(text, "CPUS") && !strstr(text, ".function"))
			EXPECT(agrees(text));
		else
			ask(f);
		free(f);
	}
	EXPECT(good > 100);
}

TEST_MAIN
