// SPDX-License-Identifier: GPL-2.0-only
/* The cache of symbol names of a reader of trace. */
#include "lib/base/port.h"
#include "lib/format/format.h"
#include "harness.h"
#include "world.h"

#define TEXT 0xffff800008300000ULL

static char buf[256];

static void setup(void)
{
	world_reset();
	world.symbols[0] = (struct world_symbol){ "vfs_read", TEXT, 0x80 };
	world.symbols[1] = (struct world_symbol){ "vfs_write", TEXT + 0x80, 64 };
	world.nr_symbols = 2;
}

static const char *show(struct kpt_symbols *symbols, u64 addr, u32 options)
{
	struct kpt_line line = { .symbols = symbols };
	struct kpt_strbuf sb;

	kpt_strbuf_init(&sb, buf, sizeof(buf));
	kpt_format_address(&sb, &line, addr, options);
	return buf;
}

TEST(kept_names_are_those_that_would_be_found)
{
	static struct kpt_symbols symbols;
	char plain[sizeof(buf)];
	unsigned int n;
	u64 addr;
	u32 options;

	setup();
	for (n = 0; n < 2000; n++) {
		/* with and without a symbol, 0 as well */
		addr = test_random() % 8 ? TEXT + test_random() % 64 * 4 :
					   test_random() % 4;
		options = (u32)test_random() &
			  (KPT_OPT_SYM_OFFSET | KPT_OPT_SYM_ADDR);
		strcpy(plain, show(NULL, addr, options));
		EXPECT_STR(show(&symbols, addr, options), plain);
	}
}

TEST(a_name_is_looked_up_once)
{
	static struct kpt_symbols symbols;

	setup();
	show(&symbols, TEXT + 4, 0);
	world.nr_symbols = 0;
	EXPECT_STR(show(&symbols, TEXT + 4, KPT_OPT_SYM_OFFSET),
		   "vfs_read+0x4/0x80");
	EXPECT_STR(show(&symbols, TEXT + 4, 0), "vfs_read");
	EXPECT_STR(show(NULL, TEXT + 4, 0), "0xffff800008300004");
	memset(&symbols, 0, sizeof(symbols));
	EXPECT_STR(show(&symbols, TEXT + 4, 0), "0xffff800008300004");
}

/* A reader begins a round with each read. */
TEST(a_name_stays_until_modules_come_or_go)
{
	static struct kpt_symbols symbols;

	setup();
	show(&symbols, TEXT + 4, 0);
	world.symbols[0].name = "vfs_other";
	symbols.round++;
	EXPECT_STR(show(&symbols, TEXT + 4, 0), "vfs_read");
	symbols.modules++;
	EXPECT_STR(show(&symbols, TEXT + 4, 0), "vfs_other");

	world.text_goes = true;
	show(&symbols, TEXT + 8, 0);
	world.symbols[0].name = "vfs_third";
	EXPECT_STR(show(&symbols, TEXT + 8, 0), "vfs_other");
	symbols.round++;
	EXPECT_STR(show(&symbols, TEXT + 8, 0), "vfs_third");
	EXPECT_STR(show(&symbols, TEXT + 4, 0), "vfs_other");
}

TEST(a_name_too_long_to_be_kept_is_whole)
{
	static const char name[] =
		"a_name_that_is_longer_than_what_there_is_room_for_in_the_place"
		"_where_names_are_kept_and_so_is_looked_up_each_time_it_is_shown";
	static struct kpt_symbols symbols;

	setup();
	world.symbols[0].name = name;
	EXPECT_STR(show(&symbols, TEXT, 0), name);
	EXPECT_STR(show(&symbols, TEXT, 0), name);
}

TEST(a_caller_is_that_of_the_call_before)
{
	static struct kpt_symbols symbols;
	struct kpt_line line = { .symbols = &symbols };
	struct kpt_strbuf sb;
	unsigned int i;

	setup();
	for (i = 0; i < 2; i++) {
		/* Both names of an address may be asked for in turns. */
		EXPECT_STR(show(&symbols, TEXT + 0x80, 0), "vfs_write");
		kpt_strbuf_init(&sb, buf, sizeof(buf));
		kpt_format_caller(&sb, &line, TEXT + 0x80, KPT_OPT_SYM_OFFSET);
		kpt_strbuf_putc(&sb, ' ');
		kpt_format_caller(&sb, &line, TEXT + 0x80,
				  KPT_OPT_SYM_OFFSET | KPT_OPT_SYM_CALLER);
		kpt_strbuf_putc(&sb, ' ');
		kpt_format_caller(&sb, &line, TEXT + 0x84, KPT_OPT_SYM_CALLER);
		kpt_strbuf_putc(&sb, ' ');
		kpt_format_caller(&sb, &line, 0, KPT_OPT_SYM_CALLER);
		EXPECT_STR(buf, "vfs_write+0x0/0x40 vfs_read+0x80/0x80 vfs_write 0");
		memset(&symbols, 0, sizeof(symbols));
		line.symbols = NULL;
	}
}

TEST_MAIN
