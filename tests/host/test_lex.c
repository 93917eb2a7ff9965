// SPDX-License-Identifier: GPL-2.0-only
/* Characters, names and numbers. */
#include "lib/base/port.h"
#include "lib/base/lex.h"
#include "harness.h"

struct number {
	const char *text;
	unsigned int base;
	int err;
	u64 value;
};

static const struct number unsigned_numbers[] = {
	{ "0", 0, 0, 0 },
	{ "7", 0, 0, 7 },
	{ "+7", 0, 0, 7 },
	{ "123", 0, 0, 123 },
	{ "0123", 0, 0, 0123 },
	{ "0123", 10, 0, 123 },
	{ "0x1f", 0, 0, 0x1f },
	{ "0X1F", 0, 0, 0x1f },
	{ "+0xa", 0, 0, 10 },
	{ "0xffffffffffffffff", 0, 0, U64_MAX },
	{ "18446744073709551615", 0, 0, U64_MAX },
	{ "01777777777777777777777", 0, 0, U64_MAX },
	{ "18446744073709551616", 0, -ERANGE, 0 },
	{ "0x10000000000000000", 0, -ERANGE, 0 },
	{ "02000000000000000000000", 0, -ERANGE, 0 },
	{ "99999999999999999999x", 0, -ERANGE, 0 },
	{ "", 0, -EINVAL, 0 },
	{ "+", 0, -EINVAL, 0 },
	{ "++1", 0, -EINVAL, 0 },
	{ "-1", 0, -EINVAL, 0 },
	{ "0x", 0, -EINVAL, 0 },
	{ "0xg", 0, -EINVAL, 0 },
	{ "x", 0, -EINVAL, 0 },
	{ "08", 0, -EINVAL, 0 },
	{ "1 ", 0, -EINVAL, 0 },
	{ " 1", 0, -EINVAL, 0 },
	{ "1f", 0, -EINVAL, 0 },
	{ "0x1", 10, -EINVAL, 0 },
};

static const struct number signed_numbers[] = {
	{ "5", 0, 0, 5 },
	{ "+5", 0, 0, 5 },
	{ "-5", 0, 0, (u64)-5 },
	{ "-0x10", 0, 0, (u64)-16 },
	{ "-0", 0, 0, 0 },
	{ "9223372036854775807", 0, 0, S64_MAX },
	{ "-9223372036854775808", 0, 0, 1ULL << 63 },
	{ "9223372036854775808", 0, -ERANGE, 0 },
	{ "-9223372036854775809", 0, -ERANGE, 0 },
	{ "-99999999999999999999", 0, -ERANGE, 0 },
	{ "-", 0, -EINVAL, 0 },
	{ "--5", 0, -EINVAL, 0 },
	{ "-+5", 0, -EINVAL, 0 },
	{ "+-5", 0, -EINVAL, 0 },
	{ "", 0, -EINVAL, 0 },
	{ "-x", 0, -EINVAL, 0 },
};

TEST(unsigned_rows)
{
	const struct number *n;
	u64 value;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(unsigned_numbers); i++) {
		n = &unsigned_numbers[i];
		value = 0x5a5a;
		EXPECT_EQ(kpt_lex_u64(n->text, strlen(n->text), n->base,
				      &value), n->err);
		EXPECT_EQ(value, n->err ? 0x5a5a : n->value);
	}
}

TEST(signed_rows)
{
	const struct number *n;
	s64 value;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(signed_numbers); i++) {
		n = &signed_numbers[i];
		value = 0x5a5a;
		EXPECT_EQ(kpt_lex_s64(n->text, strlen(n->text), n->base,
				      &value), n->err);
		EXPECT_EQ((u64)value, n->err ? 0x5a5a : n->value);
	}
}

TEST(numbers_end_with_their_text)
{
	u64 value = 0;

	EXPECT_EQ(kpt_lex_u64("1234", 2, 0, &value), 0);
	EXPECT_EQ(value, 12);
	EXPECT_EQ(kpt_lex_u64("0x12", 2, 0, &value), -EINVAL);
}

TEST(digits_at_the_start)
{
	bool overflow;
	u64 value;

	EXPECT_EQ(kpt_lex_digits("12@3", 4, 0, &value, &overflow), 2);
	EXPECT_EQ(value, 12);
	EXPECT(!overflow);
	EXPECT_EQ(kpt_lex_digits("@3", 2, 0, &value, &overflow), 0);
	EXPECT_EQ(kpt_lex_digits("+3", 2, 0, &value, &overflow), 0);
	EXPECT_EQ(kpt_lex_digits("0x1g", 4, 0, &value, &overflow), 3);
	EXPECT_EQ(value, 1);
	kpt_lex_digits("18446744073709551616", 20, 0, &value, &overflow);
	EXPECT(overflow);
}

TEST(names)
{
	EXPECT(kpt_lex_is_name("a", 1, false));
	EXPECT(kpt_lex_is_name("_1Zz", 4, false));
	EXPECT(!kpt_lex_is_name("", 0, false));
	EXPECT(!kpt_lex_is_name("1a", 2, false));
	EXPECT(!kpt_lex_is_name("a-b", 3, false));
	EXPECT(kpt_lex_is_name("a-b", 3, true));
	EXPECT(kpt_lex_is_name("-b", 2, true));
	EXPECT(!kpt_lex_is_name("a.b", 3, true));
	EXPECT(!kpt_lex_is_name("a\xe9", 2, false));
	EXPECT(!kpt_lex_is_name("a\0b", 3, false));
}

TEST(finding)
{
	EXPECT_EQ(kpt_lex_find("abcabc", 6, 'b'), 1);
	EXPECT_EQ(kpt_lex_find_last("abcabc", 6, 'b'), 4);
	EXPECT_EQ(kpt_lex_find("abc", 3, 'x'), 3);
	EXPECT_EQ(kpt_lex_find_last("abc", 3, 'x'), 3);
	EXPECT_EQ(kpt_lex_find("abc", 2, 'c'), 2);
	EXPECT_EQ(kpt_lex_find_last("abc", 2, 'c'), 2);
	EXPECT_EQ(kpt_lex_find_last("", 0, 'c'), 0);
}

TEST(words)
{
	EXPECT(kpt_lex_is("comm", 4, "comm"));
	EXPECT(!kpt_lex_is("comm", 3, "comm"));
	EXPECT(!kpt_lex_is("comm", 4, "com"));
	EXPECT_EQ(kpt_lex_prefix("stack1", 6, "stack"), 5);
	EXPECT_EQ(kpt_lex_prefix("stac", 4, "stack"), 0);
	EXPECT_EQ(kpt_lex_prefix("stuck1", 6, "stack"), 0);
}

TEST(spaces)
{
	EXPECT(kpt_lex_is_space(' '));
	EXPECT(kpt_lex_is_space('\t'));
	EXPECT(kpt_lex_is_space('\r'));
	EXPECT(!kpt_lex_is_space('\b'));
	EXPECT(!kpt_lex_is_space('\0'));
	EXPECT(!kpt_lex_is_space((char)0xa0));
}

TEST_MAIN
