// SPDX-License-Identifier: GPL-2.0-only
/* Addresses of the kernel are hidden in texts, and nothing else is. */
#include "lib/base/port.h"
#include "lib/base/hide.h"
#include "harness.h"

static char text[256];

static const char *hidden(const char *s)
{
	snprintf(text, sizeof(text), "%s", s);
	kpt_hide_addresses(text, strlen(text));
	return text;
}

TEST(hides_addresses)
{
	EXPECT_STR(hidden("p:at 0xffffd93f88ffbbb0\n"), "p:at 0x0000000000000000\n");
	EXPECT_STR(hidden("0XFFFF800008000000"), "0X0000000000000000");
	EXPECT_STR(hidden("0xfff0000000000000,0xfffffffeffffffff"),
		   "0x0000000000000000,0x0000000000000000");
	EXPECT_STR(hidden("v=@0xffff800008001234:u64 b"), "v=@0x0000000000000000:u64 b");
	EXPECT_STR(hidden("a==18446603336355491840||b"), "a==00000000000000000000||b");
	EXPECT_STR(hidden("@01777770000001000000000"), "@00000000000000000000000");
	/* 0xffff800008000000 */
	EXPECT_STR(hidden("@-0x7ffff8000000"), "@-0x000000000000");
	EXPECT_STR(hidden("@-140737354137600"), "@-000000000000000");
	EXPECT_STR(hidden("0xffff800008000000+4"), "0x0000000000000000+4");
}

TEST(leaves_the_rest)
{
	static const char *const rest[] = {
		"", "x", "p:vfs_read vfs_read+0x10 a=%x0:x64",
		"a == 0xffffffffffffffff", "a & 0xffffffff00000000", "b == -8192",
		"c == 0xffffffff", "d == 0x0000ffff80000000", "e == 99999999999999999999999",
		"p:p_0xffffd93f88ffbbb0_1 x", "name0xffffd93f88ffbbb0",
		"0xffffd93f88ffbbb0UL", "@0x", "-", "--1", "0",
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(rest); i++)
		EXPECT_STR(hidden(rest[i]), rest[i]);
}

TEST(stays_inside)
{
	snprintf(text, sizeof(text), "0xffffd93f88ffbbb0");
	kpt_hide_addresses(text, 17);
	EXPECT_STR(text, "0xffffd93f88ffbbb0");
	kpt_hide_addresses(text, 18);
	EXPECT_STR(text, "0x0000000000000000");
}

TEST_MAIN
