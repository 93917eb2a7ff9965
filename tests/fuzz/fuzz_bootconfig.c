// SPDX-License-Identifier: GPL-2.0-only
/*
 * Any text is refused with a place in it, or becomes a tree within the limits that,
 * written out again, becomes the same tree.
 */
#include "lib/base/port.h"
#include "parts/boot/bootconfig.h"
#include <string.h>
#include "input.h"

static struct kpt_bootconfig config, again;
static char flat[4 << 20], reflat[4 << 20];

/* A value with both kinds of quotes was bare. */
static void put_value(struct kpt_strbuf *sb, const char *text)
{
	const char *quote = !strchr(text, '"') ? "\"" : !strchr(text, '\'') ? "'" : "";

	kpt_strbuf_puts(sb, quote);
	kpt_strbuf_puts(sb, text);
	kpt_strbuf_puts(sb, quote);
}

static void flatten(const struct kpt_bootconfig *c, struct kpt_strbuf *sb,
		    unsigned int key)
{
	const struct kpt_bootconfig_node *node = &c->node[key];
	unsigned int i;

	if (key && (node->value || !node->first)) {
		kpt_bootconfig_put_key(c, key, sb);
		kpt_strbuf_puts(sb, node->value ? " = " : "");
		kpt_bootconfig_for_each_value(c, i, key) {
			put_value(sb, kpt_bootconfig_text(c, i));
			kpt_strbuf_puts(sb, c->node[i].next ? ", " : "");
		}
		kpt_strbuf_putc(sb, '\n');
	}
	kpt_bootconfig_for_each_word(c, i, key)
		flatten(c, sb, i);
}

static void check_nodes(const struct kpt_bootconfig *c, size_t size)
{
	const struct kpt_bootconfig_node *node;
	unsigned int i;

	MUST(c->nr > 1 && c->nr <= KPT_BOOTCONFIG_NODES);
	for (i = 1; i < c->nr; i++) {
		node = &c->node[i];
		MUST(node->at + node->len <= size);
		MUST(strlen(kpt_bootconfig_text(c, i)) == node->len);
		MUST(node->parent < i && node->line >= 1);
		MUST(node->next < c->nr && node->first < c->nr && node->value < c->nr);
		MUST(!node->next || c->node[node->next].parent == node->parent);
	}
}

static void check_good(size_t size)
{
	static struct kpt_bootconfig_mistake mistake;
	struct kpt_strbuf sb, resb;

	check_nodes(&config, size);
	kpt_strbuf_init(&sb, flat, sizeof(flat));
	flatten(&config, &sb, KPT_BOOTCONFIG_ROOT);
	MUST(!sb.overflow);
	if (sb.len > KPT_BOOTCONFIG_MAX)
		return;
	memcpy(reflat, flat, sb.len);
	MUST(!kpt_bootconfig_parse(&again, reflat, sb.len, &mistake));
	kpt_strbuf_init(&resb, reflat + sb.len + 1, sizeof(reflat) - sb.len - 1);
	flatten(&again, &resb, KPT_BOOTCONFIG_ROOT);
	MUST(!strcmp(flat, resb.buf));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct kpt_bootconfig_mistake mistake = { 0 };
	char *text = malloc(size + 1);

	memcpy(text, data, size);
	text[size] = '#';
	if (!kpt_bootconfig_parse(&config, text, size, &mistake)) {
		check_good(size);
	} else {
		MUST(mistake.why && mistake.line >= 1);
		MUST(mistake.at + mistake.column <= size);
		MUST(!mistake.at || text[mistake.at - 1] == '\n');
		MUST(!memcmp(text, data, size));
	}
	free(text);
	return 0;
}
