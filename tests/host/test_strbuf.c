// SPDX-License-Identifier: GPL-2.0-only
/* Bounded text: nothing is written past the end, and cutting is remembered. */
#include "lib/base/port.h"
#include "lib/base/strbuf.h"
#include "harness.h"

TEST(empty_is_terminated)
{
	struct kpt_strbuf sb;
	char buf[1] = { 'x' };

	kpt_strbuf_init(&sb, buf, sizeof(buf));
	EXPECT_STR(buf, "");
	EXPECT_EQ(sb.len, 0);
	EXPECT(!sb.overflow);
}

TEST(appends)
{
	struct kpt_strbuf sb;
	char buf[32];

	kpt_strbuf_init(&sb, buf, sizeof(buf));
	kpt_strbuf_puts(&sb, "one");
	kpt_strbuf_putc(&sb, ' ');
	kpt_strbuf_add(&sb, "twofold", 3);
	kpt_strbuf_printf(&sb, " %d%s", 3, "!");
	EXPECT_STR(buf, "one two 3!");
	EXPECT_EQ(sb.len, 10);
	EXPECT(!sb.overflow);
}

TEST(fits_exactly)
{
	struct kpt_strbuf sb;
	char buf[4];

	kpt_strbuf_init(&sb, buf, sizeof(buf));
	kpt_strbuf_puts(&sb, "abc");
	EXPECT(!sb.overflow);
	kpt_strbuf_puts(&sb, "");
	EXPECT(!sb.overflow);
	kpt_strbuf_init(&sb, buf, sizeof(buf));
	kpt_strbuf_printf(&sb, "%s", "xyz");
	EXPECT(!sb.overflow);
	EXPECT_STR(buf, "xyz");
}

TEST(cuts_and_remembers)
{
	struct kpt_strbuf sb;
	char buf[6];

	memset(buf, '#', sizeof(buf));
	kpt_strbuf_init(&sb, buf, sizeof(buf) - 1);
	kpt_strbuf_puts(&sb, "ab");
	kpt_strbuf_puts(&sb, "cdef");
	EXPECT(sb.overflow);
	EXPECT_STR(buf, "abcd");
	EXPECT_EQ(sb.len, 4);
	kpt_strbuf_putc(&sb, 'x');
	kpt_strbuf_printf(&sb, "%d", 7);
	EXPECT_STR(buf, "abcd");
	EXPECT_EQ(buf[5], '#');
}

TEST(printf_cuts_and_remembers)
{
	struct kpt_strbuf sb;
	char buf[8];

	memset(buf, '#', sizeof(buf));
	kpt_strbuf_init(&sb, buf, 5);
	kpt_strbuf_printf(&sb, "%d", 1234567);
	EXPECT(sb.overflow);
	EXPECT_STR(buf, "1234");
	EXPECT_EQ(sb.len, 4);
	EXPECT_EQ(buf[5], '#');
}

/* A number of any length. */
static u64 some_number(void)
{
	return test_random() >> test_random() % 64;
}

/* Both the same text, in @size bytes: is the second cut as the first is? */
static void expect_same(const struct kpt_strbuf *want, const struct kpt_strbuf *got)
{
	EXPECT_STR(got->buf, want->buf);
	EXPECT_EQ(got->len, want->len);
	EXPECT_EQ(got->overflow, want->overflow);
}

static void check_numbers(u64 v, unsigned int width, size_t size)
{
	struct kpt_strbuf want, got;
	char a[64], b[64];
	size_t start;

#define SAME(call, ...)							\
	do {								\
		kpt_strbuf_init(&want, a, size);			\
		kpt_strbuf_init(&got, b, size);				\
		kpt_strbuf_printf(&want, __VA_ARGS__);			\
		call;							\
		expect_same(&want, &got);				\
	} while (0)
	SAME(kpt_strbuf_udec(&got, v, 0, ' '), "%llu", (unsigned long long)v);
	SAME(kpt_strbuf_udec(&got, v, width, ' '), "%*llu", (int)width, (unsigned long long)v);
	SAME(kpt_strbuf_udec(&got, v, width, '0'), "%0*llu", (int)width,
	     (unsigned long long)v);
	SAME(kpt_strbuf_dec(&got, (s64)v), "%lld", (long long)v);
	SAME(kpt_strbuf_hex(&got, v, 0), "%llx", (unsigned long long)v);
	SAME(kpt_strbuf_hex(&got, v, width % 17), "%0*llx", (int)width % 17,
	     (unsigned long long)v);
	SAME(start = got.len; kpt_strbuf_dec(&got, (s64)v); kpt_strbuf_left(&got, start, width),
	     "%-*lld", (int)width, (long long)v);
#undef SAME
}

TEST(numbers_as_printf)
{
	static const u64 edge[] = { 0, 1, 9, 10, 99, 100, 1ULL << 63, ~0ULL, ~0ULL - 9 };
	unsigned int i, width;
	u64 power;

	for (width = 0; width < 24; width++) {
		for (i = 0; i < ARRAY_SIZE(edge); i++)
			check_numbers(edge[i], width, 64);
		for (power = 1, i = 0; i < 20; i++, power *= 10) {
			check_numbers(power - 1, width, 64);
			check_numbers(power, width, 64);
			check_numbers(0 - power, width, 64);
		}
		for (i = 0; i < 64; i++) {
			check_numbers(1ULL << i, width, 64);
			check_numbers((1ULL << i) - 1, width, 64);
		}
	}
	for (i = 0; i < 100000; i++)
		check_numbers(some_number(), test_random() % 24, 64);
}

TEST(numbers_are_cut_as_printf_cuts)
{
	unsigned int i;

	for (i = 0; i < 20000; i++)
		check_numbers(some_number(), test_random() % 24, 1 + test_random() % 24);
}

TEST(strings_as_printf)
{
	static const char *const text[] = { "", "a", "comm", "exactly_16_chars", "a longer text" };
	struct kpt_strbuf want, got;
	unsigned int i, width;
	char a[32], b[32];
	size_t size;

	for (size = 1; size < sizeof(a); size++)
		for (width = 0; width < 20; width++)
			for (i = 0; i < ARRAY_SIZE(text); i++) {
				kpt_strbuf_init(&want, a, size);
				kpt_strbuf_init(&got, b, size);
				kpt_strbuf_printf(&want, "%*s", (int)width, text[i]);
				kpt_strbuf_right(&got, text[i], width);
				expect_same(&want, &got);
			}
}

/* What @s becomes, in memory of its own. */
static const char *escaped(const char *s, size_t n, bool is_word)
{
	static char buf[256];
	struct kpt_strbuf sb;

	kpt_strbuf_init(&sb, buf, sizeof(buf));
	kpt_strbuf_escape(&sb, s, n, is_word);
	return buf;
}

TEST(escapes)
{
	EXPECT_STR(escaped("", 0, false), "");
	EXPECT_STR(escaped("a b~\"c\\", 7, false), "a b~\\\"c\\\\");
	EXPECT_STR(escaped("a b~", 4, true), "a\\040b~");
	EXPECT_STR(escaped("\n\t\r\033\177\1", 6, false), "\\n\\t\\015\\033\\177\\001");
	EXPECT_STR(escaped("a\0b", 3, false), "a\\000b");
}

TEST(utf8_is_text)
{
	static const char *const good[] = { "\302\240", "\303\251", "\337\277", "\340\240\200",
		"\355\237\277", "\356\200\200", "\360\220\200\200", "\364\217\277\277" };
	/* Control characters, longer forms than needed, surrogates, too large, cut. */
	static const char *const bad[] = { "\302\200", "\302\233", "\301\277", "\340\237\277",
		"\355\240\200", "\360\217\277\277", "\364\220\200\200", "\370\210\200\200\200",
		"\303", "\342\202", "\200", "\377", "\303a" };
	const char *c, *at;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(good); i++)
		EXPECT_STR(escaped(good[i], strlen(good[i]), true), good[i]);
	for (i = 0; i < ARRAY_SIZE(bad); i++)
		for (c = escaped(bad[i], strlen(bad[i]), true), at = c; *at; at++)
			EXPECT((unsigned char)*at < 127);
}

TEST(escaped_text_is_what_it_was)
{
	char text[32], back[32];
	const char *at;
	size_t i, n, len;

	for (n = 0; n < 20000; n++) {
		len = test_random() % sizeof(text);
		for (i = 0; i < len; i++)
			text[i] = (char)test_random();
		for (at = escaped(text, len, false), i = 0; *at && i < sizeof(back); at++) {
			EXPECT((unsigned char)*at >= ' ' && *at != 127);
			if (*at != '\\') {
				back[i++] = *at;
				continue;
			}
			at++;
			if (*at >= '0' && *at <= '3') {
				back[i++] = (char)((at[0] - '0') << 6 | (at[1] - '0') << 3 |
						   (at[2] - '0'));
				at += 2;
			} else {
				back[i++] = *at == 'n' ? '\n' : *at == 't' ? '\t' : *at;
			}
		}
		EXPECT_EQ(i, len);
		EXPECT(!memcmp(back, text, len));
	}
}

TEST_MAIN
