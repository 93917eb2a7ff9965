// SPDX-License-Identifier: GPL-2.0-only
/* The parser of boot configurations. */
#include "lib/base/port.h"
#include "parts/boot/bootconfig.h"
#include "lib/base/lex.h"

/**
 * struct config_scan - a text that is being parsed
 * @c: result
 * @text: the text
 * @size: its bytes
 * @at: what is before this is parsed
 * @line: number of the line of @counted
 * @counted: offset up to which lines are counted
 * @key: the key whose braces are open, or the root
 * @outer: the values that @key had when the open braces were opened
 * @depth: how many braces are open
 * @wrong: where the mistake is
 * @why: the mistake, or NULL
 */
struct config_scan {
	struct kpt_bootconfig *c;
	const char *text;
	size_t size;
	size_t at;
	unsigned int line;
	size_t counted;
	unsigned int key;
	unsigned int outer[KPT_BOOTCONFIG_WORDS];
	unsigned int depth;
	size_t wrong;
	const char *why;
};

/* Part of the text. */
struct config_span {
	size_t at;
	size_t len;
};

static int scan_refuse(struct config_scan *s, size_t at, const char *why)
{
	s->wrong = at;
	s->why = why;
	return -EINVAL;
}

static bool is_one_of(char c, const char *chars)
{
	while (*chars && *chars != c)
		chars++;
	return *chars;
}

/* The character at @at; the text ends like a line. */
static char scan_char(const struct config_scan *s, size_t at)
{
	return at < s->size ? s->text[at] : '\n';
}

/* The first of some characters from @at on, or the end of the text. */
static size_t scan_find(const struct config_scan *s, size_t at, const char *chars)
{
	while (at < s->size && !is_one_of(s->text[at], chars))
		at++;
	return at;
}

static size_t scan_skip_blanks(const struct config_scan *s, size_t at)
{
	while (at < s->size && s->text[at] != '\n' && kpt_lex_is_space(s->text[at]))
		at++;
	return at;
}

static size_t scan_skip_line(const struct config_scan *s, size_t at)
{
	at = scan_find(s, at, "\n");
	return at < s->size ? at + 1 : at;
}

static struct config_span scan_trim(const struct config_scan *s, size_t at, size_t end)
{
	while (at < end && kpt_lex_is_space(s->text[at]))
		at++;
	while (end > at && kpt_lex_is_space(s->text[end - 1]))
		end--;
	return (struct config_span){ .at = at, .len = end - at };
}

/* The line of an offset that is not before that of the previous call. */
static unsigned int scan_line(struct config_scan *s, size_t at)
{
	for (; s->counted < at; s->counted++)
		s->line += s->text[s->counted] == '\n';
	return s->line;
}

/*
 * Nodes.
 */

static int scan_add_node(struct config_scan *s, struct config_span span,
			 unsigned int parent, unsigned int *node)
{
	struct kpt_bootconfig *c = s->c;

	if (c->nr == KPT_BOOTCONFIG_NODES)
		return scan_refuse(s, span.at, "too many words and values");
	*node = c->nr++;
	c->node[*node] = (struct kpt_bootconfig_node){
		.at = span.at,
		.len = span.len,
		.line = scan_line(s, span.at),
		.parent = parent,
	};
	return 0;
}

static int scan_add_value(struct config_scan *s, struct config_span span,
			  unsigned int key)
{
	struct kpt_bootconfig_node *of = &s->c->node[key];
	unsigned int node;
	int err = scan_add_node(s, span, key, &node);

	if (err)
		return err;
	if (of->value)
		s->c->node[of->tail].next = node;
	else
		of->value = node;
	of->tail = node;
	return 0;
}

static int scan_add_word(struct config_scan *s, struct config_span span,
			 unsigned int key, unsigned int *word)
{
	struct kpt_bootconfig_node *of = &s->c->node[key];
	int err = scan_add_node(s, span, key, word);

	if (err)
		return err;
	if (of->first)
		s->c->node[of->last].next = *word;
	else
		of->first = *word;
	of->last = *word;
	return 0;
}

static bool word_is(const struct config_scan *s, unsigned int word,
		    struct config_span span)
{
	const struct kpt_bootconfig_node *node = &s->c->node[word];

	return node->len == span.len &&
	       !memcmp(s->text + node->at, s->text + span.at, span.len);
}

static bool is_word(const struct config_scan *s, struct config_span span)
{
	size_t i;
	char c;

	for (i = 0; i < span.len; i++) {
		c = s->text[span.at + i];
		if (!kpt_lex_is_alpha(c) && !kpt_lex_is_digit(c) && c != '-' && c != '_')
			return false;
	}
	return span.len;
}

/* May a word of @len bytes follow the key? */
static int scan_check_room(struct config_scan *s, unsigned int key,
			   struct config_span span)
{
	size_t len = span.len + 1;
	unsigned int words = 1;

	for (; key != KPT_BOOTCONFIG_ROOT; key = s->c->node[key].parent) {
		len += s->c->node[key].len + 1;
		words++;
	}
	if (words > KPT_BOOTCONFIG_WORDS)
		return scan_refuse(s, span.at, "too many words in a key");
	if (len > KPT_BOOTCONFIG_KEY_MAX)
		return scan_refuse(s, span.at, "the key is too long");
	return 0;
}

/* Find the word behind @*key, or add it. */
static int scan_word(struct config_scan *s, struct config_span span, unsigned int *key)
{
	unsigned int word;
	int err;

	if (!is_word(s, span))
		return scan_refuse(s, span.at,
				   "a word has letters, digits, '-' and '_' only");
	kpt_bootconfig_for_each_word(s->c, word, *key) {
		if (!word_is(s, word, span))
			continue;
		*key = word;
		return 0;
	}
	err = scan_check_room(s, *key, span) ?: scan_add_word(s, span, *key, &word);
	if (!err)
		*key = word;
	return err;
}

/* Words joined by dots, behind the open key. */
static int scan_key(struct config_scan *s, struct config_span span, unsigned int *key)
{
	size_t end = span.at + span.len, at = span.at;
	struct config_span word;
	int err;

	*key = s->key;
	do {
		word.at = at;
		word.len = min(scan_find(s, at, "."), end) - at;
		err = scan_word(s, word, key);
		at += word.len + 1;
	} while (!err && at <= end);
	return err;
}

/*
 * Values.
 */

static int scan_check_value(struct config_scan *s, size_t at, size_t end)
{
	for (; at < end; at++)
		if (!kpt_lex_is_space(s->text[at]) &&
		    (s->text[at] < ' ' || s->text[at] > '~'))
			return scan_refuse(s, at, "the character is not printable");
	return 0;
}

/* @s->at moves to the delimiter behind the value. */
static int scan_quoted(struct config_scan *s, struct config_span *value)
{
	const char quote[] = { s->text[s->at], '\0' };
	size_t begin = s->at, end = scan_find(s, begin + 1, quote);

	if (end == s->size)
		return scan_refuse(s, begin, "the quote is not closed");
	value->at = begin + 1;
	value->len = end - value->at;
	s->at = scan_skip_blanks(s, end + 1);
	if (!is_one_of(scan_char(s, s->at), ",;\n#}"))
		return scan_refuse(s, s->at, "',', ';' or the end of the line is missing");
	return scan_check_value(s, value->at, end);
}

static int scan_bare(struct config_scan *s, struct config_span *value)
{
	size_t begin = s->at;

	s->at = scan_find(s, begin, ",;\n#}");
	*value = scan_trim(s, begin, s->at);
	return scan_check_value(s, begin, s->at);
}

/* A value and its delimiter, of which there is none behind a comment. */
static int scan_value(struct config_scan *s, struct config_span *value, char *delimiter)
{
	int err;

	if (is_one_of(scan_char(s, s->at), "\"'"))
		err = scan_quoted(s, value);
	else
		err = scan_bare(s, value);
	if (err)
		return err;
	*delimiter = scan_char(s, s->at);
	if (*delimiter == '#')
		s->at = scan_skip_line(s, s->at);
	else if (s->at < s->size)
		s->at++;
	return 0;
}

/* Inside an array, lines may end and comments stand before a value. */
static void scan_skip_to_value(struct config_scan *s)
{
	while (s->at < s->size && (kpt_lex_is_space(s->text[s->at]) ||
				   s->text[s->at] == '#'))
		s->at = s->text[s->at] == '#' ? scan_skip_line(s, s->at) : s->at + 1;
}

/*
 * Statements.
 */

static int scan_close(struct config_scan *s, size_t at)
{
	if (!s->depth)
		return scan_refuse(s, at, "no brace is open");
	s->key = s->outer[--s->depth];
	return 0;
}

static int scan_open(struct config_scan *s, struct config_span span)
{
	unsigned int key;
	int err = scan_key(s, span, &key);

	if (err)
		return err;
	/* There are not more braces than words, of which each brace adds one. */
	s->outer[s->depth++] = s->key;
	s->key = key;
	return 0;
}

/* KEY = VALUE, ...; also with := and +=, whose first character is @op. */
static int scan_assign(struct config_scan *s, struct config_span span, char op)
{
	struct config_span value;
	char delimiter = '\0';
	unsigned int key;
	int err = scan_key(s, span, &key);

	if (err)
		return err;
	if (op == '=' && s->c->node[key].value)
		return scan_refuse(s, span.at, "the key has a value; use := or +=");
	if (op == ':')
		s->c->node[key].value = 0;
	s->at = scan_skip_blanks(s, s->at);
	do {
		if (delimiter)
			scan_skip_to_value(s);
		err = scan_value(s, &value, &delimiter) ?:
		      scan_add_value(s, value, key);
	} while (!err && delimiter == ',');
	return err || delimiter != '}' ? err : scan_close(s, s->at - 1);
}

/* A key without a value, or nothing. */
static int scan_lone_key(struct config_scan *s, struct config_span span)
{
	unsigned int key;

	return span.len ? scan_key(s, span, &key) : 0;
}

static int scan_statement(struct config_scan *s)
{
	size_t end = scan_find(s, s->at, "{}=+:;\n#");
	struct config_span span = scan_trim(s, s->at, end);
	char op = scan_char(s, end);

	s->at = min(end + 1, s->size);
	switch (op) {
	case ':':
	case '+':
		if (scan_char(s, s->at) != '=')
			return scan_refuse(s, end, "'=' must follow");
		s->at++;
		return scan_assign(s, span, op);
	case '=':
		return scan_assign(s, span, op);
	case '{':
		return scan_open(s, span);
	case '}':
		return scan_lone_key(s, span) ?: scan_close(s, end);
	case '#':
		s->at = scan_skip_line(s, s->at);
		break;
	}
	return scan_lone_key(s, span);
}

static int scan_all(struct config_scan *s)
{
	int err = 0;

	while (!err && s->at < s->size)
		err = scan_statement(s);
	if (err)
		return err;
	if (s->depth)
		return scan_refuse(s, s->c->node[s->key].at, "the brace of the key is not closed");
	if (s->c->nr == 1)
		return scan_refuse(s, 0, "it has no key");
	return 0;
}

static void scan_tell(const struct config_scan *s, struct kpt_bootconfig_mistake *m)
{
	size_t i;

	*m = (struct kpt_bootconfig_mistake){ .why = s->why, .line = 1 };
	for (i = 0; i < s->wrong; i++) {
		if (s->text[i] != '\n')
			continue;
		m->line++;
		m->at = i + 1;
	}
	m->column = s->wrong - m->at;
}

/**
 * kpt_bootconfig_parse() - parse a boot configuration
 * @c: result; it uses @text
 * @text: the text, with room for one more byte behind it; a NUL ends it, too. It
 *	changes only if it is accepted
 * @size: bytes of @text
 * @mistake: result if the text is refused
 *
 * Unlike the kernel, this needs no newline behind the last key.
 *
 * Context: any that may take some milliseconds.
 * Return: 0, or -EINVAL with @mistake set.
 */
int kpt_bootconfig_parse(struct kpt_bootconfig *c, char *text, size_t size,
			 struct kpt_bootconfig_mistake *mistake)
{
	struct config_scan s = {
		.c = c,
		.text = text,
		.size = strnlen(text, min_t(size_t, size, KPT_BOOTCONFIG_MAX + 1)),
		.line = 1,
	};
	unsigned int i;
	int err;

	c->text = text;
	c->nr = 1;
	memset(&c->node[KPT_BOOTCONFIG_ROOT], 0, sizeof(c->node[0]));
	if (s.size > KPT_BOOTCONFIG_MAX)
		err = scan_refuse(&s, 0, "it is longer than 262143 bytes");
	else
		err = scan_all(&s);
	if (err) {
		scan_tell(&s, mistake);
		return err;
	}
	/* Behind each text is a delimiter, which nobody needs any more. */
	for (i = 1; i < c->nr; i++)
		text[c->node[i].at + c->node[i].len] = '\0';
	return 0;
}

/**
 * kpt_bootconfig_find() - find a word behind a key
 * @c: the configuration
 * @key: the key
 * @word: the word
 *
 * Context: any.
 * Return: the longer key, or 0.
 */
unsigned int kpt_bootconfig_find(const struct kpt_bootconfig *c, unsigned int key,
				 const char *word)
{
	unsigned int i;

	kpt_bootconfig_for_each_word(c, i, key)
		if (!strcmp(kpt_bootconfig_text(c, i), word))
			return i;
	return 0;
}

/**
 * kpt_bootconfig_put_key() - write a key with all its words
 * @c: the configuration
 * @key: the key
 * @sb: gets the words, joined by dots
 *
 * Context: any.
 */
void kpt_bootconfig_put_key(const struct kpt_bootconfig *c, unsigned int key,
			    struct kpt_strbuf *sb)
{
	unsigned int words[KPT_BOOTCONFIG_WORDS], nr = 0;

	for (; key != KPT_BOOTCONFIG_ROOT && nr < KPT_BOOTCONFIG_WORDS;
	     key = c->node[key].parent)
		words[nr++] = key;
	while (nr--) {
		kpt_strbuf_puts(sb, kpt_bootconfig_text(c, words[nr]));
		if (nr)
			kpt_strbuf_putc(sb, '.');
	}
}
