// SPDX-License-Identifier: GPL-2.0-only
/* Boot configurations. The expected texts are what the kernel's tools/bootconfig says. */
#include "lib/base/port.h"
#include "parts/boot/bootconfig.h"
#include "harness.h"

static struct kpt_bootconfig config;
static struct kpt_bootconfig_mistake mistake;
static char flat[1 << 20];

/* In memory of exactly the size that is allowed to be used. */
static int parse(const char *text, size_t size)
{
	char *copy = malloc(size + 1);
	int err;

	free(config.text);
	memcpy(copy, text, size);
	copy[size] = '\n';
	err = kpt_bootconfig_parse(&config, copy, size, &mistake);
	config.text = copy;
	return err;
}

static void flatten(struct kpt_strbuf *sb, unsigned int key)
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
		flatten(sb, i);
}

static void good(const char *text, const char *want)
{
	struct kpt_strbuf sb;
	int err = parse(text, strlen(text));

	if (err)
		fprintf(stderr, "'%s': %s\n", text, mistake.why);
	EXPECT_EQ(err, 0);
	kpt_strbuf_init(&sb, flat, sizeof(flat));
	if (!err)
		flatten(&sb, KPT_BOOTCONFIG_ROOT);
	EXPECT_STR(flat, want);
}

TEST(bootconfig_good)
{
	good("a", "a = \"\"\n");
	good("a = 1", "a = \"1\"\n");
	good("a=1;b=2\n", "a = \"1\"\nb = \"2\"\n");
	good("a.b.c = 1\na.b.d = 2\n", "a.b.c = \"1\"\na.b.d = \"2\"\n");
	good("a { b = 1; c { d } }\n", "a.b = \"1\"\na.c.d = \"\"\n");
	good("a.b { c }\na { b.d = 1 }\n", "a.b.c = \"\"\na.b.d = \"1\"\n");
	good("a {}\n", "a = \"\"\n");
	good("a = x y  z ;\n", "a = \"x y  z\"\n");
	good("a = 'x \"y\"; }'\n", "a = \"x \"y\"; }\"\n");
	good("a = \"x\n y\" , 'z'\n", "a = \"x\n y\", \"z\"\n");
	good("a = x\"y\n", "a = \"x\"y\"\n");
	good("a = 1, 2 ,3\n", "a = \"1\", \"2\", \"3\"\n");
	good("a = 1, # one\n\n # two\n  2\n", "a = \"1\", \"2\"\n");
	good("a = 1 # one\nb\n", "a = \"1\"\nb = \"\"\n");
	good("a =\nb = ;c =# none\nx = , 1\n",
	     "a = \"\"\nb = \"\"\nc = \"\"\nx = \"\", \"1\"\n");
	good("a { b = 1, }\n", "a.b = \"1\", \"\"\n");
	good("a = 1\na := 2, 3\n", "a = \"2\", \"3\"\n");
	good("a = 1, 2\na := 3\n", "a = \"3\"\n");
	good("a = 1\na += 2, 3\na += 4\n", "a = \"1\", \"2\", \"3\", \"4\"\n");
	good("a += 1\nb := 2\n", "a = \"1\"\nb = \"2\"\n");
	good("a.b = 1\na = 2\n", "a = \"2\"\na.b = \"1\"\n");
	good("a = 1\na.b = 2\na := 3\n", "a = \"3\"\na.b = \"2\"\n");
	good("a\na = 1\n", "a = \"1\"\n");
	good("# x = {\na\n#}", "a = \"\"\n");
	good("a-b_9.X = 1 = 2 { :+\n", "a-b_9.X = \"1 = 2 { :+\"\n");
	good("\t a\t=\v1\f\r\n", "a = \"1\"\n");
}

/* The mistake is where "^" is; it is taken out. */
static void bad(const char *text, const char *why)
{
	size_t at = strchr(text, '^') - text, size = strlen(text) - 1, i;
	unsigned int line = 1, column = 0;
	char *copy = strdup(text);

	memmove(copy + at, text + at + 1, size - at + 1);
	for (i = 0; i < at; i++) {
		column = text[i] == '\n' ? 0 : column + 1;
		line += text[i] == '\n';
	}
	EXPECT_EQ(parse(copy, size), -EINVAL);
	EXPECT_STR(mistake.why, why);
	EXPECT_EQ(mistake.line, line);
	EXPECT_EQ(mistake.column, column);
	EXPECT_EQ(mistake.at + mistake.column, at);
	EXPECT(!memcmp(config.text, copy, size));
	free(copy);
}

TEST(bootconfig_bad)
{
	const char *word = "a word has letters, digits, '-' and '_' only";
	const char *delimiter = "',', ';' or the end of the line is missing";

	bad("^", "it has no key");
	bad("^# a\n", "it has no key");
	bad("^.a = 1\n", word);
	bad("a.^ = 1\n", word);
	bad("a.^.b\n", word);
	bad("^a b = 1\n", word);
	bad("a = 1\n^= 2\n", word);
	bad("a\n^{ b }\n", word);
	bad("a = 1\n ^,2\n", word);
	/* The comment has ended the value of a. */
	bad("a = # b\n ^1,\n 2\n", word);
	bad("a ^: b\n", "'=' must follow");
	bad("a\nb ^+ = c\n", "'=' must follow");
	bad("a = ^'b\nc\n", "the quote is not closed");
	bad("a = 'b' ^c\n", delimiter);
	bad("a = \"b\" ^\"c\"\n", delimiter);
	bad("a = b^\x01\n", "the character is not printable");
	bad("a = '^\x7f'\n", "the character is not printable");
	bad("a = b\n^a = c\n", "the key has a value; use := or +=");
	bad("a =\n^a =\n", "the key has a value; use := or +=");
	bad("a ^}\n", "no brace is open");
	bad("a = 1 ^}\n", "no brace is open");
	bad("a { b }; ^}\n", "no brace is open");
	bad("a\n^b {\n c {\n }\n", "the brace of the key is not closed");
	bad("a.b.c.d.e.f.g.h.i.j.k.l.m.n.o.p.^q = 1\n", "too many words in a key");
	bad("a{b{c{d{e{f{g{h{i{j{k{l{m{n{o{p{^q{}}}}}}}}}}}}}}}}}}}\n",
	    "too many words in a key");
}

TEST(bootconfig_limits)
{
	static char text[KPT_BOOTCONFIG_MAX + 2];
	unsigned int i;

	memset(text, 'k', 255);
	EXPECT_EQ(parse(text, 255), 0);
	text[255] = 'k';
	EXPECT_EQ(parse(text, 256), -EINVAL);
	EXPECT_STR(mistake.why, "the key is too long");
	memset(text + 200, '.', 1);
	EXPECT_EQ(parse(text, 255), 0);
	EXPECT_EQ(parse(text, 256), -EINVAL);
	EXPECT_EQ(mistake.column, 201);

	memset(text, ',', sizeof(text));
	text[0] = 'a';
	text[1] = '=';
	/* The root, the word, a value before each comma, and one behind the last. */
	EXPECT_EQ(parse(text, KPT_BOOTCONFIG_NODES - 1), 0);
	EXPECT_EQ(config.nr, KPT_BOOTCONFIG_NODES);
	EXPECT_EQ(parse(text, KPT_BOOTCONFIG_NODES), -EINVAL);
	EXPECT_STR(mistake.why, "too many words and values");

	memset(text, '\n', sizeof(text));
	text[0] = 'a';
	text[KPT_BOOTCONFIG_MAX - 1] = 'b';
	EXPECT_EQ(parse(text, KPT_BOOTCONFIG_MAX), 0);
	EXPECT_EQ(config.node[2].line, KPT_BOOTCONFIG_MAX - 1);
	EXPECT_EQ(parse(text, KPT_BOOTCONFIG_MAX + 1), -EINVAL);
	EXPECT_STR(mistake.why, "it is longer than 262143 bytes");

	memset(text, ' ', sizeof(text));
	text[0] = 'a';
	text[1] = '=';
	text[70000] = 'b';
	text[140000] = 'c';
	EXPECT_EQ(parse(text, KPT_BOOTCONFIG_MAX), 0);
	EXPECT_EQ(config.node[2].at, 70000);
	EXPECT_EQ(config.node[2].len, 70001);

	/* A NUL ends the text, as in the padding behind an initrd. */
	memset(text, 0, sizeof(text));
	memcpy(text, "a = 1", 5);
	for (i = 5; i < 9; i++)
		EXPECT_EQ(parse(text, i), 0);
}

TEST(bootconfig_find)
{
	const char *text = "x\na {\n b = 1\n c.d = 2\n}\n";
	unsigned int a, c;

	EXPECT_EQ(parse(text, strlen(text)), 0);
	a = kpt_bootconfig_find(&config, KPT_BOOTCONFIG_ROOT, "a");
	EXPECT_EQ(config.node[a].line, 2);
	EXPECT_EQ(kpt_bootconfig_find(&config, a, "d"), 0);
	EXPECT_EQ(kpt_bootconfig_find(&config, a, "bc"), 0);
	c = kpt_bootconfig_find(&config, a, "c");
	EXPECT_EQ(config.node[c].line, 4);
	c = kpt_bootconfig_find(&config, c, "d");
	EXPECT_STR(kpt_bootconfig_text(&config, config.node[c].value), "2");
}

TEST_MAIN
