// SPDX-License-Identifier: GPL-2.0-only
/* Shell patterns and lists of CPUs. */
#include "lib/base/port.h"
#include "lib/base/glob.h"
#include "harness.h"
#include "model_filter.h"

static const struct {
	const char *pattern;
	const char *text;
	bool match;
} rows[] = {
	{ "", "", true }, { "", "a", false }, { "a", "", false },
	{ "abc", "abc", true }, { "abc", "abcd", false },
	{ "abcd", "abc", false }, { "abc", "abd", false },
	{ "*", "", true }, { "*", "abc", true }, { "**", "", true },
	{ "a*", "abc", true }, { "a*", "ba", false }, { "a*", "a", true },
	{ "*c", "abc", true }, { "*c", "c", true }, { "*c", "cb", false },
	{ "*b*", "abc", true }, { "*b*", "b", true }, { "*b*", "ac", false },
	{ "*bc*", "abbc", true }, { "*bc*", "abb", false },
	{ "a*c", "abbc", true }, { "a*c", "abb", false },
	{ "*a*b*", "xaxbx", true }, { "*a*b*", "xbxax", false },
	{ "*aab", "aaab", true }, { "*ab*ab", "abab", true },
	{ "*ab*ab", "ab", false }, { "a*b*c*d", "abcbcd", true },
	{ "?", "a", true }, { "?", "", false }, { "?", "ab", false },
	{ "a?c", "abc", true }, { "a?", "a", false }, { "*?", "", false },
	{ "[abc]", "b", true }, { "[abc]", "d", false }, { "[abc]", "", false },
	{ "[a-c]x", "bx", true }, { "[a-c]", "d", false },
	{ "[c-a]", "b", false }, { "[!a-c]", "b", false },
	{ "[!a-c]", "d", true }, { "[^a]", "a", true }, { "[^a]", "^", true },
	{ "[]]", "]", true }, { "[]-a]", "^", true }, { "[!]]", "]", false },
	{ "[!]]", "a", true }, { "[a-]", "-", true }, { "[a-]", "b", false },
	{ "[-a]", "-", true }, { "[\\]", "\\", true },
	{ "[", "[", true }, { "[", "a", false }, { "[a", "[a", true },
	{ "[a-", "[a-", true }, { "[!", "[!", true }, { "x[]", "x[]", true },
	{ "[\xe0-\xf0]", "\xe9", true }, { "[a-\xf0]", "\xf1", false },
	{ "\\*", "*", true }, { "\\*", "a", false }, { "\\a", "a", true },
	{ "\\\\", "\\", true }, { "a\\", "a", true }, { "a\\", "a\\", false },
	{ "*\\", "abc", true }, { "\\[a]", "[a]", true },
	{ "vfs_*", "vfs_read", true }, { "*_read", "vfs_read", true },
};

/* The same, with the pattern that kpt_glob_reduce() leaves. */
static bool reduced(const char *pattern, size_t pattern_len, const char *text,
		    size_t len)
{
	enum kpt_glob_how how = kpt_glob_reduce(&pattern, &pattern_len);

	return kpt_glob_test(how, pattern, pattern_len, text, len);
}

static const struct {
	const char *list;
	bool is_pattern;
	const char *text;
	bool match;
} lists[] = {
	{ "vfs_read", false, "vfs_read", true },
	{ "vfs_read", false, "vfs_readv", false },
	{ "vfs_*", true, "vfs_read", true },
	{ "a.b-c", false, "a.b-c", true },
	{ "vfs_re?d", true, "vfs_read", true },
	{ "[ab]*", true, "bx", true }, { "\\a", true, "a", true },
	{ "a,b", true, "a", true }, { "a,b", true, "b", true },
	{ "a,b", true, "a,b", false }, { "a,b", true, "c", false },
	{ "a*,!ab*", true, "ac", true },
	{ "a*,!ab*", true, "ab", false },
	{ "!ab*,a*", true, "abc", false },
	{ "!ab*,a*", true, "a", true },
	{ "a*,!ab*,abc", true, "abc", false },
	{ "a,!b", true, "!b", false },
};

/* Texts that are no list. */
static const char *const no_lists[] = {
	"", ",", "a,", ",a", "a,,b", "!", "!a", "!a,!b", "a,!",
};

TEST(glob_lists)
{
	bool is_pattern;
	const char *l;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(lists); i++) {
		l = lists[i].list;
		EXPECT(kpt_glob_list_check(l, strlen(l), &is_pattern));
		EXPECT_EQ(is_pattern, lists[i].is_pattern);
		if (kpt_glob_list_match(l, strlen(l), lists[i].text,
					strlen(lists[i].text)) == lists[i].match)
			continue;
		printf("'%s' on '%s'\n", l, lists[i].text);
		test_failures++;
	}
	for (i = 0; i < ARRAY_SIZE(no_lists); i++) {
		l = no_lists[i];
		EXPECT(!kpt_glob_list_check(l, strlen(l), &is_pattern));
	}
}

TEST(glob_rows)
{
	const char *p, *s;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		p = rows[i].pattern;
		s = rows[i].text;
		if (kpt_glob_match(p, strlen(p), s, strlen(s)) !=
		    rows[i].match ||
		    reduced(p, strlen(p), s, strlen(s)) != rows[i].match ||
		    model_glob(p, p + strlen(p), s) != rows[i].match) {
			printf("'%s' on '%s'\n", p, s);
			test_failures++;
		}
	}
}

/* Random strings of the special characters, in memory of exactly their size. */
static char *random_text(const char *letters, size_t *len)
{
	size_t n = strlen(letters), i;
	char *s;

	*len = test_random() % 9;
	s = malloc(*len + 1);
	for (i = 0; i < *len; i++)
		s[i] = letters[test_random() % n];
	s[i] = '\0';
	return realloc(s, *len + 1);
}

TEST(glob_random)
{
	size_t pattern_len, len, i, matches = 0;
	char *p, *s, *exact_p, *exact_s;
	bool want;

	for (i = 0; i < 200000; i++) {
		p = random_text("aab*?[]!-\\", &pattern_len);
		s = random_text("aabb[-\\", &len);
		want = model_glob(p, p + pattern_len, s);
		matches += want;
		exact_p = malloc(pattern_len);
		exact_s = malloc(len);
		memcpy(exact_p, p, pattern_len);
		memcpy(exact_s, s, len);
		if (kpt_glob_match(exact_p, pattern_len, exact_s, len) != want ||
		    reduced(exact_p, pattern_len, exact_s, len) != want) {
			printf("'%s' on '%s' should be %d\n", p, s, want);
			test_failures++;
		}
		free(exact_p);
		free(exact_s);
		free(p);
		free(s);
	}
	EXPECT(matches > 1000);
}

TEST(glob_reduces)
{
	static const struct {
		const char *pattern;
		enum kpt_glob_how how;
		const char *left;
	} reduce_rows[] = {
		{ "abc", KPT_GLOB_FULL, "abc" }, { "", KPT_GLOB_FULL, "" },
		{ "abc*", KPT_GLOB_FRONT, "abc" },
		{ "*abc", KPT_GLOB_END, "abc" },
		{ "*abc*", KPT_GLOB_MIDDLE, "abc" },
		{ "*", KPT_GLOB_END, "" }, { "**", KPT_GLOB_MIDDLE, "" },
		{ "a*b", KPT_GLOB_PATTERN, "a*b" },
		{ "*a?*", KPT_GLOB_PATTERN, "*a?*" },
		{ "1*", KPT_GLOB_FRONT, "1" },
	};
	const char *p;
	size_t i, n;

	for (i = 0; i < ARRAY_SIZE(reduce_rows); i++) {
		p = reduce_rows[i].pattern;
		n = strlen(p);
		EXPECT_EQ(kpt_glob_reduce(&p, &n), reduce_rows[i].how);
		EXPECT_EQ(n, strlen(reduce_rows[i].left));
		EXPECT(!memcmp(p, reduce_rows[i].left, n));
	}
}

/* A pattern that backtracks often must not take long. */
TEST(glob_is_not_exponential)
{
	char text[2001];

	memset(text, 'a', 2000);
	text[2000] = '\0';
	EXPECT(!kpt_glob_match("*a*a*a*a*a*a*a*a*a*ab", 21, text, 2000));
}

static int list(const char *s, unsigned int nr, u64 *set)
{
	return port_parse_cpus(s, strlen(s), set, nr);
}

/* The host's stand-in for bitmap_parselist(). */
TEST(cpulist_rows)
{
	static const struct {
		const char *text;
		int err;
		u64 low;
		u64 high;
	} list_rows[] = {
		{ "0", 0, 1, 0 }, { "3", 0, 8, 0 }, { "0-3", 0, 15, 0 },
		{ "0,2-3", 0, 13, 0 }, { " 1 2\n", 0, 6, 0 }, { "1,,2,", 0, 6, 0 },
		{ "", 0, 0, 0 }, { "N", 0, 0, 8 }, { "64", 0, 0, 1 },
		{ "62-65", 0, 3ULL << 62, 3 }, { "66-N", 0, 0, 12 },
		{ "all", 0, ~0ULL, 15 }, { "0-7:2/4", 0, 0x33, 0 },
		{ "all:1/2", 0, 0x5555555555555555, 5 }, { "0-9:0/3", 0, 0, 0 },
		{ "4-4", 0, 16, 0 }, { "0-5:9/9", 0, 63, 0 },
		{ "68", -ERANGE, 0, 0 }, { "0-68", -ERANGE, 0, 0 },
		{ "3-1", -EINVAL, 0, 0 }, { "a", -EINVAL, 0, 0 },
		{ "1-", -EINVAL, 0, 0 }, { "-1", -EINVAL, 0, 0 },
		{ "1a", -EINVAL, 0, 0 }, { "0-3:", -EINVAL, 0, 0 },
		{ "0-3:1", -EINVAL, 0, 0 }, { "0-3:1/", -EINVAL, 0, 0 },
		{ "0-3:2/1", -EINVAL, 0, 0 },
		{ "1:1/1", -EINVAL, 0, 0 }, { "0-3:1/0", -EINVAL, 0, 0 },
		{ "99999999999999999999", -EINVAL, 0, 0 }, { "0x1", -EINVAL, 0, 0 },
		{ "1;2", -EINVAL, 0, 0 }, { "ally", -EINVAL, 0, 0 },
	};
	u64 set[2];
	size_t i;
	int err;

	for (i = 0; i < ARRAY_SIZE(list_rows); i++) {
		err = list(list_rows[i].text, 68, set);
		if (err == list_rows[i].err &&
		    (err || (set[0] == list_rows[i].low &&
			     set[1] == list_rows[i].high)))
			continue;
		printf("'%s': %d %#llx %#llx\n", list_rows[i].text, err,
		       (unsigned long long)set[0], (unsigned long long)set[1]);
		test_failures++;
	}
}

TEST_MAIN
