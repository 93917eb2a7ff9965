// SPDX-License-Identifier: GPL-2.0-only
/*
 * Random boot configurations for our parser and for that of the kernel: both refuse
 * a text, or find the same keys and values.
 */
#include "lib/base/port.h"
#include "parts/boot/bootconfig.h"
#include "bootconfig_mainline.h"
#include "harness.h"

/* Fewer words than a key may have: the kernel writes no key with as many. */
#define PIECES_MAX 40
#define CASES 50000

static const char *const pieces[] = {
	"a", "b", "c-1", "_d", ".", " ", "\t", "\n", "\n", "=", "=", ":=", "+=", "{",
	"}", "{", "}", ";", ";", ",", ",", "#", "# x", "\"", "'", "\"v w\"", "'q'",
	"1", "x y", "\x01", ":", "+", "a = 1\n", "b { ", "}\n", "a.b", "\r", "$",
};

static struct kpt_bootconfig config;
static char flat[1 << 16], want[1 << 16];

static void put_key(struct kpt_strbuf *sb, unsigned int key)
{
	const struct kpt_bootconfig_node *node = &config.node[key];
	unsigned int i;

	if (key && (node->value || !node->first)) {
		kpt_bootconfig_put_key(&config, key, sb);
		kpt_strbuf_puts(sb, node->value ? " = " : " = \"\"");
		kpt_bootconfig_for_each_value(&config, i, key)
			kpt_strbuf_printf(sb, "\"%s\"%s", kpt_bootconfig_text(&config, i),
					  config.node[i].next ? ", " : "");
		kpt_strbuf_putc(sb, '\n');
	}
	kpt_bootconfig_for_each_word(&config, i, key)
		put_key(sb, i);
}

static bool our_flatten(char *text, size_t size)
{
	struct kpt_bootconfig_mistake mistake;
	struct kpt_strbuf sb;

	if (kpt_bootconfig_parse(&config, text, size, &mistake))
		return false;
	kpt_strbuf_init(&sb, flat, sizeof(flat));
	put_key(&sb, KPT_BOOTCONFIG_ROOT);
	return true;
}

/* The kernel wants a line end behind the last key. */
static size_t make_text(char *text)
{
	unsigned int nr = 1 + test_random() % (test_random() % 4 ? 12 : PIECES_MAX);

	for (*text = '\0'; nr; nr--)
		strcat(text, pieces[test_random() % ARRAY_SIZE(pieces)]);
	strcat(text, "\n");
	return strlen(text);
}

TEST(bootconfig_mainline)
{
	char text[16 * PIECES_MAX], copy[16 * PIECES_MAX];
	unsigned int i, good = 0;
	size_t size;
	bool their;

	for (i = 0; i < CASES; i++) {
		size = make_text(text);
		memcpy(copy, text, size + 1);
		their = mainline_flatten(text, size, want, sizeof(want));
		good += their;
		if (our_flatten(copy, size) == their && (!their || !strcmp(flat, want)))
			continue;
		printf("%s is not taken as by the kernel\n", text);
		test_failures++;
	}
	EXPECT(good > CASES / 100);
}

TEST_MAIN
