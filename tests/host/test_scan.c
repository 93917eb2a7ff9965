// SPDX-License-Identifier: GPL-2.0-only
/* The search for a symbol among those around another one ends, whatever they look like. */
#include "lib/base/port.h"
#include "lib/base/scan.h"
#include "harness.h"

#define TEXT 0xffff800008000000UL

/* Symbols: the first @nr, of @size bytes each, and what is behind them. */
static struct {
	unsigned long start;
	unsigned long nr;
	unsigned long size;
	unsigned long wanted;
	const char *behind;
} text;

static unsigned long printed;

static void print(char *out, unsigned long addr)
{
	unsigned long nth = (addr - text.start) / text.size;

	printed++;
	if (addr < text.start || nth >= text.nr)
		snprintf(out, KPT_SCAN_TEXT, text.behind, addr);
	else
		snprintf(out, KPT_SCAN_TEXT, "%s+%#lx/%#lx", nth == text.wanted ? "wanted" : "a+b",
			 (addr - text.start) % text.size, text.size);
}

static struct kpt_scans search;

static unsigned long look(unsigned long from, unsigned long wanted, const char *behind)
{
	text.start = TEXT;
	text.nr = 1000;
	text.size = 64;
	text.wanted = wanted;
	text.behind = behind;
	printed = 0;
	search = (struct kpt_scans){ .wanted = "wanted", .from = from, .print = print };
	return kpt_scan(&search);
}

TEST(test_found_both_ways)
{
	EXPECT_EQ(look(TEXT + 500 * 64, 503, "0x%lx"), TEXT + 503 * 64);
	EXPECT(printed < 12);
	EXPECT_EQ(look(TEXT + 500 * 64, 497, "0x%lx"), TEXT + 497 * 64);
	EXPECT(printed < 12);
	EXPECT_EQ(look(TEXT + 500 * 64 + 8, 500, "0x%lx"), TEXT + 500 * 64);
	EXPECT_EQ(look(TEXT + 500 * 64, 999, "0x%lx"), TEXT + 999 * 64);
	EXPECT_EQ(look(TEXT + 500 * 64, 0, "0x%lx"), TEXT);
}

TEST(test_not_there)
{
	EXPECT_EQ(look(TEXT + 500 * 64, 1000, "0x%lx"), 0);
	EXPECT_STR(search.scans[0].ended, "no symbol");
	EXPECT_STR(search.scans[1].ended, "no symbol");
	EXPECT_EQ(printed, 500 + 1 + 501 + 1);
	/* It begins in a module, or comes to one. */
	EXPECT_EQ(look(TEXT + 500 * 64, 1000, "wanted+0x0/0x40 [mod]"), 0);
	EXPECT_STR(search.scans[0].ended, "a module");
	EXPECT_EQ(look(TEXT - 64, 5, "wanted+0x0/0x40 [mod]"), 0);
	EXPECT_EQ(printed, 2);
}

/* Labels without a size are passed, up to the symbol behind them. */
static void print_labels(char *out, unsigned long addr)
{
	printed++;
	snprintf(out, KPT_SCAN_TEXT, addr < TEXT + 400 ? "label+0x0/0x0" : "wanted+%#lx/0x40",
		 addr - TEXT - 400);
}

TEST(test_labels)
{
	printed = 0;
	search = (struct kpt_scans){ .wanted = "wanted", .from = TEXT, .print = print_labels };
	EXPECT_EQ(kpt_scan(&search), TEXT + 400);
	EXPECT_EQ(printed, 201);
}

/* What is behind a symbol has no size, or one that leads back, or round. */
TEST(test_ends)
{
	static const char * const behind[] = {
		"x+0x0/0x0", "x+0x4/0x0", "x+0x0/0x1", "x+0x0/0xffffffffffffffff",
		"x+0x0/0xffff800000000000", "x+0xffffffffffffffff/0x0",
		"x+0xffffffffffffffff/0xffffffffffffffff",
		"x+0x8000000000000000/0x8000000000000000",
		"x+0x0/0x10000000", "+", "", "+0x/0x", "x+1/", "x+0x7fffffff/0x4",
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(behind); i++) {
		EXPECT_EQ(look(TEXT + 500 * 64, 1000, behind[i]), 0);
		EXPECT(printed <= 2 * KPT_SCAN_STEPS + 2);
		EXPECT(search.scans[0].ended && search.scans[1].ended);
	}
	EXPECT_EQ(look(TEXT + 500 * 64, 1000, "x+0x0/0xffff800000000000"), 0);
	EXPECT_STR(search.scans[0].ended, "a symbol without an end");
	EXPECT_EQ(search.scans[0].steps, 500);
	/* At the ends of the address space. */
	EXPECT_EQ(look(-4UL, 1000, "x+0x0/0x4"), 0);
	EXPECT_EQ(look(0, 1000, "x+0x0/0x4"), 0);
}

TEST_MAIN
