// SPDX-License-Identifier: GPL-2.0-only
/* Bounded text: nothing is written past the end, and cutting is remembered. */
#include <kptrace/port.h>
#include "lib/strbuf.h"
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

TEST_MAIN
