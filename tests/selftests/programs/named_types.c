// SPDX-License-Identifier: GPL-2.0-only
/*
 * named_types: BTF of a kernel, from standard input, with a few types more, to standard
 * output. They lie over the objects of tests/kmod, whose values are known: enumerations of
 * every size, large ones, and pointers with the tag "user", which kernels that gcc has
 * built do not have.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum kind {
	INT = 1, PTR = 2, ARRAY = 3, STRUCT = 4, ENUM = 6, TYPE_TAG = 18, ENUM64 = 19,
};

struct head {
	uint16_t magic;
	uint8_t version, flags;
	uint32_t hdr_len, type_off, type_len, str_off, str_len;
};

static struct head head;
static uint8_t *blob;
static uint32_t more[65536], words, next_id;
static char strings[1 << 20];
static uint32_t strings_len;

static void die(const char *why)
{
	fprintf(stderr, "named_types: %s\n", why);
	exit(1);
}

static void read_blob(void)
{
	size_t size = 0, room = 64 << 20;

	blob = malloc(room);
	if (blob)
		size = fread(blob, 1, room, stdin);
	if (size < sizeof(head))
		die("no BTF");
	memcpy(&head, blob, sizeof(head));
	if (head.magic != 0xeb9f || head.hdr_len > size ||
	    head.type_off + head.type_len > size - head.hdr_len ||
	    head.str_off + head.str_len > size - head.hdr_len)
		die("no BTF");
}

/* The number of the first type that does not exist. */
static uint32_t count_types(void)
{
	/* Words of each kind, and of each of its elements. */
	static const uint8_t whole[20] = { [1] = 4, 3, 6, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 4,
					   3, 3, 4, 3, 3 };
	static const uint8_t each[20] = { [4] = 3, [5] = 3, [6] = 2, [13] = 2, [15] = 3,
					  [19] = 3 };
	const uint32_t *t = (const void *)(blob + head.hdr_len + head.type_off);
	const uint32_t *end = t + head.type_len / 4;
	uint32_t n = 1, kind;

	for (; t < end; n++) {
		kind = t[1] >> 24 & 0x7f;
		if (kind >= 20 || !whole[kind])
			die("a type of unknown kind");
		t += whole[kind] + each[kind] * (t[1] & 0xffffff);
	}
	return n;
}

static void word(uint32_t w)
{
	more[words++] = w;
}

static uint32_t string(const char *s)
{
	uint32_t at = strings_len;

	if (!*s)
		return 0;
	strcpy(strings + at, s);
	strings_len += strlen(s) + 1;
	return head.str_len + at;
}

/* Begin a type; its number. */
static uint32_t type(enum kind kind, int flag, const char *name, uint32_t nr,
		     uint32_t size_or_type)
{
	word(string(name));
	word((uint32_t)flag << 31 | kind << 24 | nr);
	word(size_or_type);
	return next_id++;
}

static void value(const char *name, int64_t v, int is_64)
{
	word(string(name));
	word((uint32_t)v);
	if (is_64)
		word((uint64_t)v >> 32);
}

/* An enumeration of @nr values: name, value, name, value... */
#define ENUMERATION(name, size, is_signed, ...)					\
	enumeration(name, size, is_signed,					\
		    sizeof((struct pair[]){ __VA_ARGS__ }) / sizeof(struct pair),	\
		    (struct pair[]){ __VA_ARGS__ })

struct pair {
	const char *name;
	int64_t value;
};

static uint32_t enumeration(const char *name, int size, int is_signed, uint32_t nr,
			    const struct pair *pair)
{
	uint32_t id = type(size == 8 ? ENUM64 : ENUM, is_signed, name, nr, size), i;

	for (i = 0; i < nr; i++)
		value(pair[i].name, pair[i].value, size == 8);
	return id;
}

/* The values 0 to @nr - 1, the largest one first. */
static uint32_t many(const char *name, uint32_t nr)
{
	uint32_t id = type(ENUM, 0, name, nr, 4);
	char text[64];

	while (nr--) {
		snprintf(text, sizeof(text), "KPT_ONE_OF_VERY_MANY_NAMES_%u", nr);
		value(text, nr, 0);
	}
	return id;
}

static void member(const char *name, uint32_t type, uint32_t bit, uint32_t width)
{
	word(string(name));
	word(type);
	word(width << 24 | bit);
}

static uint32_t array(uint32_t element, uint32_t index, uint32_t n)
{
	uint32_t id = type(ARRAY, 0, "", 0, 0);

	word(element);
	word(index);
	word(n);
	return id;
}

static void add_types(void)
{
	uint32_t character, u32, tiny, small, nameless, whole, negative, unsigned64,
		signed64, low, middle, number, numbers, large, larger, named, pnamed,
		punamed, pchar, puchar, letter;

	character = type(INT, 0, "kpt_char", 0, 1);
	word(8);
	u32 = type(INT, 0, "kpt_u32", 0, 4);
	word(32);
	tiny = ENUMERATION("kpt_tiny", 1, 0, { "NINE", 9 }, { "EIGHT", 8 },
			   { "ALSO_EIGHT", 8 });
	small = ENUMERATION("kpt_small", 1, 1, { "MINUS_8", -8 }, { "PLUS_8", 8 });
	nameless = ENUMERATION("", 2, 0, { "SIXTEEN", 16 });
	whole = ENUMERATION("kpt_whole", 4, 0, { "THIRTY_TWO", 32 });
	negative = ENUMERATION("kpt_negative", 4, 1, { "MINUS_1", -1 }, { "MINUS_32", -32 });
	unsigned64 = ENUMERATION("kpt_unsigned", 8, 0, { "SIXTY_FOUR", 64 },
				 { "MUCH", 6400000000 });
	signed64 = ENUMERATION("kpt_signed", 8, 1, { "MINUS_64", -64 });
	low = ENUMERATION("kpt_low", 4, 0, { "FIVE", 5 });
	middle = ENUMERATION("kpt_middle", 4, 1, { "MINUS_28", -28 });
	number = ENUMERATION("kpt_number", 2, 1, { "ONE", 1 }, { "TWO", 2 });
	numbers = array(number, u32, 8);
	large = many("kpt_large", 5000);
	larger = many("kpt_larger", 9000);
	named = next_id + 6;
	pnamed = type(PTR, 0, "", 0, named);
	type(TYPE_TAG, 0, "user", 0, named);
	punamed = type(PTR, 0, "", 0, pnamed + 1);
	pchar = type(PTR, 0, "", 0, character);
	type(TYPE_TAG, 0, "user", 0, character);
	puchar = type(PTR, 0, "", 0, pchar + 1);
	if (type(STRUCT, 1, "kpt_named", 18, 120) != named)
		die("numbers of types");
	member("tiny", tiny, 0, 0);
	member("small", small, 8, 0);
	member("nameless", nameless, 16, 0);
	member("whole", whole, 32, 0);
	member("large", large, 32, 0);
	member("larger", larger, 32, 0);
	member("plain", u32, 32, 0);
	member("unsigned64", unsigned64, 64, 0);
	member("unknown", number, 128, 0);
	member("negative", negative, 160, 0);
	member("signed64", signed64, 192, 0);
	member("text", pchar, 384, 0);
	member("utext", puchar, 384, 0);
	member("number", numbers, 704, 0);
	member("low", low, 832, 3);
	member("middle", middle, 835, 7);
	member("next", pnamed, 896, 0);
	member("unext", punamed, 896, 0);
	letter = ENUMERATION("kpt_letter", 1, 0, { "LETTER_C", 'c' });
	type(STRUCT, 1, "kpt_text", 2, 16);
	member("letter", letter, 0, 0);
	member("plain", u32, 0, 0);
}

static void write_all(const void *bytes, size_t size)
{
	if (fwrite(bytes, 1, size, stdout) != size)
		die("cannot write");
}

int main(void)
{
	struct head out;

	read_blob();
	next_id = count_types();
	add_types();
	out = head;
	out.hdr_len = sizeof(out);
	out.type_off = 0;
	out.type_len = head.type_len + 4 * words;
	out.str_off = out.type_len;
	out.str_len = head.str_len + strings_len;
	write_all(&out, sizeof(out));
	write_all(blob + head.hdr_len + head.type_off, head.type_len);
	write_all(more, 4 * words);
	write_all(blob + head.hdr_len + head.str_off, head.str_len);
	write_all(strings, strings_len);
	return fflush(stdout) ? 1 : 0;
}
