/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Boot configuration: a tree of keys with values, as text. The grammar is that of
 * Documentation/admin-guide/bootconfig.rst of Linux 7.3.
 *
 * Keys and values are nodes, known by their index. Node 0 is the root: the key above
 * all keys, which has no word.
 */
#ifndef KPTRACE_BOOTCONFIG_H
#define KPTRACE_BOOTCONFIG_H

#include "lib/base/port.h"
#include "lib/base/strbuf.h"

/*
 * Most bytes of text, nodes, words of a key, and bytes of a key with its dots. The kernel takes
 * 32767 bytes of text, and shows them in /proc/bootconfig with all words of each key.
 */
#define KPT_BOOTCONFIG_MAX	262143
#define KPT_BOOTCONFIG_NODES	8192
#define KPT_BOOTCONFIG_WORDS	16
#define KPT_BOOTCONFIG_KEY_MAX	256

#define KPT_BOOTCONFIG_ROOT	0

/**
 * struct kpt_bootconfig_node - a word of a key, or a value
 * @at: offset of its text
 * @len: bytes of its text
 * @line: its line, from 1
 * @parent: of a word, the word before it; of a value, its key
 * @next: the next word behind @parent, or the next value of the array; 0 for none
 * @first: of a word, the first word behind it, or 0
 * @last: of a word, the last word behind it, or 0
 * @value: of a word, its first value, or 0
 * @tail: of a word, its last value, or 0
 */
struct kpt_bootconfig_node {
	u32 at;
	u32 len;
	u32 line;
	u16 parent;
	u16 next;
	u16 first;
	u16 last;
	u16 value;
	u16 tail;
};

/**
 * struct kpt_bootconfig - a boot configuration
 * @text: its text; after parsing, a NUL ends the text of each node
 * @nr: number of nodes
 * @node: the nodes
 */
struct kpt_bootconfig {
	char *text;
	unsigned int nr;
	struct kpt_bootconfig_node node[KPT_BOOTCONFIG_NODES];
};

/**
 * struct kpt_bootconfig_mistake - why a text is refused
 * @why: the reason
 * @at: offset of the line with the mistake
 * @line: number of that line, from 1
 * @column: offset of the mistake in its line
 */
struct kpt_bootconfig_mistake {
	const char *why;
	size_t at;
	unsigned int line;
	unsigned int column;
};

int kpt_bootconfig_parse(struct kpt_bootconfig *c, char *text, size_t size,
			 struct kpt_bootconfig_mistake *mistake);
unsigned int kpt_bootconfig_find(const struct kpt_bootconfig *c, unsigned int key,
				 const char *word);
void kpt_bootconfig_put_key(const struct kpt_bootconfig *c, unsigned int key,
			    struct kpt_strbuf *sb);

/**
 * kpt_bootconfig_text() - word or value of a node
 * @c: the configuration
 * @node: the node
 *
 * Context: any.
 * Return: the text, terminated by a NUL.
 */
static inline char *kpt_bootconfig_text(const struct kpt_bootconfig *c, unsigned int node)
{
	return c->text + c->node[node].at;
}

/* Visit the words behind a key. */
#define kpt_bootconfig_for_each_word(c, word, key) \
	for (word = (c)->node[key].first; word; word = (c)->node[word].next)

/* Visit the values of a key. */
#define kpt_bootconfig_for_each_value(c, value_, key) \
	for (value_ = (c)->node[key].value; value_; value_ = (c)->node[value_].next)

#endif
