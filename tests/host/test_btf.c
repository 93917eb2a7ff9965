// SPDX-License-Identifier: GPL-2.0-only
/* BTF made by hand: what is refused, what is found, prototypes as text. */
#include "lib/base/port.h"
#include "parts/btf/member.h"
#include "parts/btf/prototype_text.h"
#include "harness.h"
#include "btf_blob.h"

static struct blob b;
/* Types that every kernel has. */
static u32 t_int, t_long, t_ulong, t_char, t_file, t_size;

static void basics(void)
{
	blob_init(&b, NULL);
	t_int = blob_int(&b, "int", 4, true);
	t_long = blob_int(&b, "long", 8, true);
	t_ulong = blob_int(&b, "unsigned long", 8, false);
	t_char = blob_int(&b, "char", 1, false);
	t_file = blob_type(&b, KPT_BTF_STRUCT, "file", 2, 16);
	blob_member(&b, "mode", t_int, 0);
	blob_member(&b, "next", t_file + 1, 64);
	blob_ref(&b, KPT_BTF_PTR, t_file);
	t_size = blob_type(&b, KPT_BTF_TYPEDEF, "size_t", 0, t_ulong);
}

/* Why the blob is refused, "" if it is not. */
static const char *verdict(void)
{
	struct kpt_btf btf;
	const char *why;
	size_t size;
	u8 *bytes;

	bytes = blob_bytes(&b, &size);
	why = blob_open(&btf, bytes, size, NULL);
	blob_free(&btf);
	free(bytes);
	return why ? why : "";
}

static u32 pointer(u32 to)
{
	return blob_ref(&b, KPT_BTF_PTR, to);
}

TEST(btf_finds_by_name)
{
	struct kpt_btf btf;
	size_t size;
	u8 *bytes;
	u32 other;

	basics();
	other = blob_type(&b, KPT_BTF_STRUCT, "file", 0, 0);
	bytes = blob_bytes(&b, &size);
	EXPECT(!blob_open(&btf, bytes, size, NULL));
	EXPECT_EQ(btf.end, b.nr + 1);
	EXPECT_EQ(kpt_btf_find(&btf, KPT_BTF_INT, "long", 0), t_long);
	EXPECT_EQ(kpt_btf_find(&btf, KPT_BTF_STRUCT, "long", 0), 0);
	EXPECT_EQ(kpt_btf_find(&btf, KPT_BTF_STRUCT, "fil", 0), 0);
	EXPECT_EQ(kpt_btf_find(&btf, KPT_BTF_STRUCT, "file", 0), t_file);
	EXPECT_EQ(kpt_btf_find(&btf, KPT_BTF_STRUCT, "file", t_file), other);
	EXPECT_EQ(kpt_btf_find(&btf, KPT_BTF_STRUCT, "file", other), 0);
	EXPECT_EQ(kpt_btf_type(&btf, t_size)->type, t_ulong);
	EXPECT(kpt_btf_resolve(&btf, t_size) == kpt_btf_type(&btf, t_ulong));
	EXPECT_STR(kpt_btf_name(&btf, kpt_btf_type(&btf, t_size)->name), "size_t");
	EXPECT_EQ(kpt_btf_kind(kpt_btf_type(&btf, 0)), KPT_BTF_VOID);
	blob_free(&btf);
	free(bytes);
}

/* The longest name that is accepted, and one that is longer. */
TEST(btf_name_too_long)
{
	char name[KPT_BTF_NAME + 2];

	memset(name, 'n', sizeof(name));
	name[KPT_BTF_NAME] = '\0';
	basics();
	blob_type(&b, KPT_BTF_STRUCT, name, 0, 0);
	EXPECT_STR(verdict(), "");
	name[KPT_BTF_NAME] = 'n';
	name[KPT_BTF_NAME + 1] = '\0';
	blob_type(&b, KPT_BTF_STRUCT, name, 0, 0);
	EXPECT_STR(verdict(), "a name is too long");
}

/* As many functions of a name as are accepted, and one more. */
TEST(btf_names_too_much_alike)
{
	u32 proto, name, n;

	blob_init(&b, NULL);
	proto = blob_type(&b, KPT_BTF_FUNC_PROTO, "", 0, 0);
	name = blob_string(&b, "same");
	for (n = 0; n <= KPT_BTF_ALIKE; n++) {
		if (n == KPT_BTF_ALIKE)
			EXPECT_STR(verdict(), "");
		blob_word(&b, name);
		blob_word(&b, (u32)KPT_BTF_FUNC << 24);
		blob_word(&b, proto);
		b.nr++;
	}
	EXPECT_STR(verdict(), "too many names begin alike");
}

/* Names that begin alike, and are shorter or longer than what is hashed. */
TEST(btf_finds_among_many)
{
	static const char *const names[] = {
		"a", "sys_rea", "sys_read", "sys_reads", "sys_readv", "sys_readv2",
		"perf_trace_x", "perf_trace_y", "c", "c", "",
	};
	struct kpt_btf btf;
	char name[16];
	size_t size, i;
	u8 *bytes;
	u32 n, proto, first;

	blob_init(&b, NULL);
	proto = blob_type(&b, KPT_BTF_FUNC_PROTO, "", 0, 0);
	for (n = 0; n < 300; n++) {
		sprintf(name, "b%02u", n);
		blob_type(&b, KPT_BTF_STRUCT, name, 0, 0);
	}
	for (i = 0; i < ARRAY_SIZE(names); i++)
		blob_type(&b, KPT_BTF_FUNC, names[i], 0, proto);
	first = b.nr - ARRAY_SIZE(names) + 1;
	/* Only a function with a prototype is found. */
	blob_type(&b, KPT_BTF_FUNC, "wrong", 0, 1000);
	bytes = blob_bytes(&b, &size);
	EXPECT(!blob_index(&btf, bytes, size, NULL));
	for (n = 0; n < 300; n++) {
		sprintf(name, "b%02u", n);
		EXPECT_EQ(kpt_btf_find(&btf, KPT_BTF_STRUCT, name, 0), n + 2);
		EXPECT_EQ(kpt_btf_find(&btf, KPT_BTF_STRUCT, name, n + 2), 0);
		EXPECT_EQ(kpt_btf_find(&btf, KPT_BTF_FUNC, name, 0), 0);
		strcat(name, "x");
		EXPECT_EQ(kpt_btf_find(&btf, KPT_BTF_STRUCT, name, 0), 0);
	}
	for (i = 0; i < ARRAY_SIZE(names); i++) {
		n = first + i - (i && !strcmp(names[i], names[i - 1]));
		EXPECT_EQ(kpt_btf_find(&btf, KPT_BTF_FUNC, names[i], 0), n);
	}
	EXPECT_EQ(kpt_btf_find(&btf, KPT_BTF_FUNC, "c", first + 8), first + 9);
	EXPECT_EQ(kpt_btf_find(&btf, KPT_BTF_FUNC, "c", first + 9), 0);
	EXPECT_EQ(kpt_btf_find(&btf, KPT_BTF_FUNC, "perf_trace_z", 0), 0);
	EXPECT_EQ(kpt_btf_find(&btf, KPT_BTF_FUNC, "wrong", 0), 0);
	blob_free(&btf);
	free(bytes);
}

TEST(btf_length)
{
	u32 head[6] = { KPT_BTF_WORD, 24, 0, 1000, 1000, 234 };

	EXPECT_EQ(kpt_btf_length(head, 23), 24);
	EXPECT_EQ(kpt_btf_length(head, 24), 24 + 1234);
	head[1] = 32;
	EXPECT_EQ(kpt_btf_length(head, 5000), 32 + 1234);
	head[4] = 0;
	EXPECT_EQ(kpt_btf_length(head, 24), 32 + 1000);
	head[2] = head[3] = head[4] = head[5] = ~0U;
	EXPECT_EQ(kpt_btf_length(head, 24), 24);
	head[0] = 0;
	EXPECT_EQ(kpt_btf_length(head, 24), 24);
}

/* "TYPE BIT WIDTH" of a member of the structure that has number @id. */
static const char *member(const struct kpt_btf *btf, u32 id, const char *name)
{
	static char text[64];
	struct kpt_member m;

	if (!kpt_member_find(btf, kpt_btf_type(btf, id), name, strlen(name), &m))
		return "none";
	sprintf(text, "%u %u %u", m.type, (u32)m.bit, m.width);
	return text;
}

TEST(btf_finds_members)
{
	u32 inner, in_union, outer, self, wide, i;
	struct kpt_btf btf;
	size_t size;
	u8 *bytes;

	blob_init(&b, NULL);
	t_int = blob_int(&b, "int", 4, true);
	inner = blob_type(&b, KPT_BTF_STRUCT, "", 2, 8);
	blob_member(&b, "x", t_int, 0);
	blob_member(&b, "y", t_int, 32);
	in_union = blob_type(&b, KPT_BTF_UNION, "", 2, 8);
	blob_member(&b, "", inner, 0);
	blob_member(&b, "z", t_int, 0);
	outer = blob_type(&b, KPT_BTF_STRUCT, "outer", 4, 24);
	blob_member(&b, "a", t_int, 0);
	blob_member(&b, "", in_union, 64);
	/* Three bits from bit 5 on. */
	blob_member(&b, "bits", t_int, 3 << 24 | 133);
	/* Anonymous, but no structure. */
	blob_member(&b, "", t_int, 160);
	b.types[b.words - 14] |= 1U << 31;
	self = b.nr + 1;
	blob_type(&b, KPT_BTF_STRUCT, "self", 2, 8);
	blob_member(&b, "", self, 0);
	blob_member(&b, "", self, 0);
	wide = blob_type(&b, KPT_BTF_STRUCT, "wide", 100, 8);
	for (i = 0; i < 100; i++)
		blob_member(&b, "", inner, 64 * i);
	bytes = blob_bytes(&b, &size);
	EXPECT(!blob_index(&btf, bytes, size, NULL));
	EXPECT_STR(member(&btf, outer, "a"), "1 0 0");
	EXPECT_STR(member(&btf, outer, "z"), "1 64 0");
	EXPECT_STR(member(&btf, outer, "x"), "1 64 0");
	EXPECT_STR(member(&btf, outer, "y"), "1 96 0");
	EXPECT_STR(member(&btf, outer, "bits"), "1 133 3");
	EXPECT_STR(member(&btf, outer, "none"), "none");
	EXPECT_STR(member(&btf, t_int, "a"), "none");
	/* A structure that contains itself, and one with many. */
	EXPECT_STR(member(&btf, self, "a"), "none");
	EXPECT(!strncmp(member(&btf, wide, "x"), "1 ", 2));
	EXPECT_STR(member(&btf, wide, "none"), "none");
	blob_free(&btf);
	free(bytes);
}

/* What a module has goes on where the kernel's ends. */
TEST(btf_of_a_module)
{
	static struct blob mod;
	struct kpt_btf base, btf;
	size_t size, mod_size;
	u8 *bytes, *mod_bytes;
	u32 id, alias;

	basics();
	bytes = blob_bytes(&b, &size);
	blob_init(&mod, &b);
	id = blob_type(&mod, KPT_BTF_STRUCT, "mine", 1, 16);
	blob_member(&mod, "file", t_file, 0);
	alias = blob_type(&mod, KPT_BTF_TYPEDEF, "alias", 0, t_size);
	mod_bytes = blob_bytes(&mod, &mod_size);
	EXPECT(!blob_open(&base, bytes, size, NULL));
	EXPECT(!blob_open(&btf, mod_bytes, mod_size, &base));
	EXPECT_EQ(id, base.end);
	EXPECT_EQ(kpt_btf_find(&btf, KPT_BTF_STRUCT, "mine", 0), id);
	EXPECT_EQ(kpt_btf_find(&btf, KPT_BTF_STRUCT, "file", 0), 0);
	EXPECT(kpt_btf_resolve(&btf, alias) == kpt_btf_type(&base, t_ulong));
	EXPECT_STR(kpt_btf_name(&btf, kpt_btf_type(&btf, t_file)->name), "file");
	EXPECT_STR(kpt_btf_name(&btf, kpt_btf_type(&btf, id)->name), "mine");
	blob_free(&btf);
	/* It means nothing by itself, nor on top of something shorter. */
	EXPECT(blob_open(&btf, mod_bytes, mod_size, NULL) != NULL);
	/* Neither names nor types at all are fine. */
	blob_init(&mod, &b);
	free(mod_bytes);
	mod_bytes = blob_bytes(&mod, &mod_size);
	EXPECT(!blob_open(&btf, mod_bytes, mod_size, &base));
	EXPECT_EQ(kpt_btf_find(&btf, KPT_BTF_STRUCT, "mine", 0), 0);
	blob_free(&btf);
	free(mod_bytes);
	blob_free(&base);
	free(bytes);
}

/* The words of the head, made wrong; and every length that is too short. */
TEST(btf_refuses_heads)
{
	static const struct {
		u32 word;
		u32 value;
		const char *why;
	} rows[] = {
		{ 0, 0x0001eb9e, "it does not begin as BTF does" },
		{ 0, 0x0002eb9f, "it does not begin as BTF does" },
		{ 0, 0x01009feb, "it has the other byte order" },
		{ 1, 20, "the length of its head is wrong" },
		{ 1, 1 << 30, "the length of its head is wrong" },
		{ 1, ~0, "the length of its head is wrong" },
		{ 1, 28, "it is cut off" },
		{ 2, 2, "its types are not aligned" },
		{ 2, ~3, "it is cut off" }, { 3, ~3, "it is cut off" },
		{ 4, ~0, "it is cut off" }, { 5, ~0, "it is cut off" },
		{ 3, 6, "its types are not aligned" },
		{ 3, 8, "a type is cut off" }, { 3, 12, "a type is cut off" },
		{ 5, 0, "its last string has no end" },
		{ 5, 3, "its last string has no end" },
		{ 5, 1, "a name lies outside of its strings" },
	};
	struct kpt_btf btf;
	size_t size, i;
	const char *why;
	u8 *bytes, *cut;
	u32 old;

	basics();
	bytes = blob_bytes(&b, &size);
	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		memcpy(&old, bytes + 4 * rows[i].word, 4);
		memcpy(bytes + 4 * rows[i].word, &rows[i].value, 4);
		why = blob_open(&btf, bytes, size, NULL);
		EXPECT_STR(why ? why : "", rows[i].why);
		memcpy(bytes + 4 * rows[i].word, &old, 4);
	}
	for (i = 0; i < size; i++) {
		cut = malloc(i + 1);
		memcpy(cut, bytes, i);
		why = blob_open(&btf, cut, i, NULL);
		EXPECT_STR(why ? why : "", i < 24 ? "its size is not that of BTF" :
						    "it is cut off");
		free(cut);
	}
	cut = malloc(size + 2);
	memcpy(cut + 2, bytes, size);
	why = blob_open(&btf, cut + 2, size, NULL);
	EXPECT_STR(why ? why : "", "it is not aligned");
	free(cut);
	free(bytes);
	b.strings[0] = 'x';
	EXPECT_STR(verdict(), "its first string is not empty");
}

/* Each kind of number that a type may have wrong. */
TEST(btf_refuses_types)
{
	static const enum kpt_btf_kind refs[] = {
		KPT_BTF_PTR, KPT_BTF_TYPEDEF, KPT_BTF_VOLATILE, KPT_BTF_CONST,
		KPT_BTF_RESTRICT, KPT_BTF_TYPE_TAG, KPT_BTF_VAR,
	};
	u32 func, i, bad;

	for (i = 0; i < 3 * ARRAY_SIZE(refs); i++) {
		basics();
		func = blob_ref(&b, KPT_BTF_FUNC_PROTO, 0);
		func = blob_ref(&b, KPT_BTF_FUNC, func);
		bad = (u32[]){ func, 1000, ~0U }[i / ARRAY_SIZE(refs)];
		blob_ref(&b, refs[i % ARRAY_SIZE(refs)], bad);
		if (refs[i % ARRAY_SIZE(refs)] == KPT_BTF_VAR)
			blob_word(&b, 0);
		EXPECT_STR(verdict(), "a type refers to none");
	}
#define REFUSED(why, add)                                                      \
	do {                                                                   \
		basics();                                                      \
		add;                                                           \
		EXPECT_STR(verdict(), why);                                    \
	} while (0)
	REFUSED("", blob_int(&b, "__int128", 16, true));
	REFUSED("an integer has no size of one", blob_int(&b, "", 3, true));
	REFUSED("an integer has no size of one", blob_int(&b, "", 0, true));
	REFUSED("an integer has no size of one", blob_int(&b, "", 32, true));
	REFUSED("", blob_array(&b, t_int, ~0U));
	REFUSED("an array has no type", blob_array(&b, 1000, 1));
	REFUSED("a function has no prototype",
		blob_ref(&b, KPT_BTF_FUNC, t_int));
	REFUSED("a function has no prototype",
		blob_ref(&b, KPT_BTF_FUNC, 1000));
	REFUSED("a function has no prototype", blob_ref(&b, KPT_BTF_FUNC, 0));
	REFUSED("a result has no type", blob_ref(&b, KPT_BTF_FUNC_PROTO, 1000));
	REFUSED("a parameter has no type",
		blob_type(&b, KPT_BTF_FUNC_PROTO, "", 1, 0);
		blob_parameter(&b, "x", 1000));
	REFUSED("a name lies outside of its strings",
		blob_type(&b, KPT_BTF_FUNC_PROTO, "", 1, 0);
		blob_word(&b, 5000); blob_word(&b, t_int));
	REFUSED("a name lies outside of its strings",
		blob_type(&b, KPT_BTF_ENUM, "", 1, 4);
		blob_word(&b, 5000); blob_word(&b, 1));
	REFUSED("a name lies outside of its strings",
		blob_type(&b, KPT_BTF_ENUM64, "", 1, 8);
		blob_word(&b, ~0U); blob_word(&b, 1); blob_word(&b, 1));
	REFUSED("a name lies outside of its strings",
		blob_type(&b, KPT_BTF_UNION, "", 1, 8);
		blob_word(&b, 5000); blob_word(&b, t_int); blob_word(&b, 0));
	REFUSED("a name lies outside of its strings",
		blob_ref(&b, KPT_BTF_PTR, t_int); b.types[b.words - 3] = 5000);
	REFUSED("a member has no type",
		blob_type(&b, KPT_BTF_STRUCT, "", 1, 4);
		blob_member(&b, "x", 1000, 0));
	REFUSED("a member lies outside of its structure",
		blob_type(&b, KPT_BTF_STRUCT, "", 1, 4);
		blob_member(&b, "x", t_int, 40));
	REFUSED("a member lies outside of its structure",
		blob_type(&b, KPT_BTF_STRUCT, "", 1, 4);
		blob_member(&b, "x", t_int, 3 << 24 | 0));
	/* With the flag that is three bits at the beginning. */
	REFUSED("", blob_type(&b, KPT_BTF_STRUCT, "", 1, 4);
		b.types[b.words - 2] |= 1U << 31;
		blob_member(&b, "x", t_int, 3 << 24 | 0));
	REFUSED("a variable does not exist",
		blob_type(&b, KPT_BTF_DATASEC, ".data", 1, 4);
		blob_word(&b, 1000); blob_word(&b, 0); blob_word(&b, 4));
	REFUSED("a tag has nothing that it is for",
		blob_type(&b, KPT_BTF_DECL_TAG, "x", 0, 1000);
		blob_word(&b, ~0U));
	REFUSED("a kind of type is unknown", blob_ref(&b, KPT_BTF_VOID, 0));
	REFUSED("a kind of type is unknown", blob_ref(&b, KPT_NR_BTF_KINDS, 0));
	REFUSED("a kind of type is unknown", blob_ref(&b, 0x7f, 0));
	REFUSED("a type is cut off",
		blob_type(&b, KPT_BTF_STRUCT, "", 0xffffff, 4));
	REFUSED("a type is cut off", blob_word(&b, 0));
	REFUSED("a type is cut off", blob_type(&b, KPT_BTF_INT, "", 0, 4));
	REFUSED("", blob_ref(&b, KPT_BTF_FWD, 0);
		blob_type(&b, KPT_BTF_FLOAT, "double", 0, 8));
}

static const char circle[] = "types nest too deep or in a circle";

TEST(btf_refuses_circles)
{
	u32 next, i;

	for (i = 0; i < 2; i++) {
		basics();
		next = b.nr + 2;
		blob_type(&b, KPT_BTF_TYPEDEF, "a", 0, next);
		blob_ref(&b, i ? KPT_BTF_PTR : KPT_BTF_CONST, next - 1);
		EXPECT_STR(verdict(), circle);
	}
	REFUSED(circle, blob_array(&b, b.nr + 1, 1));
	REFUSED(circle, blob_type(&b, KPT_BTF_STRUCT, "s", 1, 4);
		blob_member(&b, "self", b.nr, 0));
	/* Through an array. */
	basics();
	next = blob_array(&b, b.nr + 2, 1);
	blob_type(&b, KPT_BTF_STRUCT, "s", 1, 4);
	blob_member(&b, "self", next, 0);
	EXPECT_STR(verdict(), circle);
	/* Through a pointer it is none. */
	basics();
	next = blob_ref(&b, KPT_BTF_PTR, b.nr + 2);
	blob_type(&b, KPT_BTF_STRUCT, "s", 1, 8);
	blob_member(&b, "next", next, 0);
	EXPECT_STR(verdict(), "");
}

/* Chains and structures as long as may be, and one longer. */
TEST(btf_refuses_depth)
{
	u32 i, n, id;

	for (n = KPT_BTF_CHAIN; n <= KPT_BTF_CHAIN + 1; n++) {
		basics();
		for (i = 0, id = t_int; i < n; i++)
			id = pointer(id);
		EXPECT_STR(verdict(), n > KPT_BTF_CHAIN ? circle : "");
	}
	for (n = 63; n <= 64; n++) {
		basics();
		for (i = 0, id = t_int; i < n; i++) {
			blob_type(&b, KPT_BTF_STRUCT, "", 2, 4);
			blob_member(&b, "a", id, 0);
			blob_member(&b, "b", id, 0);
			id = b.nr;
		}
		EXPECT_STR(verdict(), n > 63 ? circle : "");
	}
	/* The same, the deepest first. */
	for (n = 63; n <= 64; n++) {
		blob_init(&b, NULL);
		for (i = 1; i <= n; i++) {
			blob_type(&b, KPT_BTF_STRUCT, "", 1, 4);
			blob_member(&b, "a", i + 1, 0);
		}
		blob_int(&b, "int", 4, true);
		EXPECT_STR(verdict(), n > 63 ? circle : "");
	}
}

/* What kpt_prototype_put() says of the last type. */
static const char *shown(size_t room)
{
	static char text[4096];
	struct kpt_strbuf sb;
	struct kpt_btf btf;
	const char *why;
	size_t size;
	u8 *bytes;

	bytes = blob_bytes(&b, &size);
	kpt_strbuf_init(&sb, text, room);
	why = blob_open(&btf, bytes, size, NULL);
	if (why)
		kpt_strbuf_puts(&sb, why);
	else
		kpt_prototype_put(&sb, &btf, b.nr);
	blob_free(&btf);
	free(bytes);
	return text;
}

/* A function f of the parameters that have been declared last. */
static u32 prototype(u32 result, u32 nr)
{
	return blob_type(&b, KPT_BTF_FUNC_PROTO, "", nr, result);
}

static void function(u32 proto)
{
	blob_type(&b, KPT_BTF_FUNC, "f", 0, proto);
}

TEST(prototype_of_vfs_write)
{
	u32 proto, file, text, pos, result;

	basics();
	file = pointer(t_file);
	text = blob_ref(&b, KPT_BTF_TYPE_TAG, blob_ref(&b, KPT_BTF_CONST, t_char));
	b.types[b.words - 3] = blob_string(&b, "user");
	text = pointer(text);
	pos = pointer(blob_type(&b, KPT_BTF_TYPEDEF, "loff_t", 0, t_long));
	result = blob_type(&b, KPT_BTF_TYPEDEF, "ssize_t", 0, t_long);
	proto = prototype(result, 4);
	blob_parameter(&b, "file", file);
	blob_parameter(&b, "buf", text);
	blob_parameter(&b, "count", t_size);
	blob_parameter(&b, "pos", pos);
	blob_type(&b, KPT_BTF_FUNC, "vfs_write", 0, proto);
	EXPECT_STR(shown(4096),
		   "prototype: ssize_t vfs_write(struct file *file, "
		   "const char __user *buf, size_t count, loff_t *pos)\n"
		   "argument file: %x0:x64\n"
		   "  -> int mode: +0(%x0):s32\n"
		   "  -> struct file *next: +8(%x0):x64\n"
		   "argument buf: %x1:x64\n"
		   "argument count: %x2:u64\n"
		   "argument pos: %x3:x64\n"
		   "return value: %x0:s64\n");
}

/* What is behind a pointer to a structure, also in anonymous ones in it. */
TEST(prototype_members)
{
	u32 inner, outer, kind, proto, text, i;
	const char *all;

	basics();
	text = blob_array(&b, t_char, 16);
	inner = blob_type(&b, KPT_BTF_UNION, "", 2, 8);
	blob_member(&b, "low", t_int, 0);
	blob_member(&b, "all", t_ulong, 0);
	kind = blob_type(&b, KPT_BTF_ENUM, "kind", 0, 4);
	outer = blob_type(&b, KPT_BTF_STRUCT, "outer", 5, 48);
	b.types[b.words - 2] |= 1U << 31;
	blob_member(&b, "comm", text, 0);
	blob_member(&b, "", inner, 128);
	blob_member(&b, "flag", t_int, 1 << 24 | (8 * 28 + 13));
	blob_member(&b, "byte", t_char, 8 * 33);
	blob_member(&b, "e", kind, 8 * 36);
	outer = pointer(outer);
	proto = prototype(0, 1);
	blob_parameter(&b, "o", outer);
	function(proto);
	EXPECT_STR(strchr(shown(4096), '\n') + 1,
		   "argument o: %x0:x64\n"
		   "  -> char comm[16]: +0(%x0)\n"
		   "  -> int low: +16(%x0):s32\n"
		   "  -> unsigned long all: +16(%x0):u64\n"
		   "  -> int flag: +28(%x0):b1@13/32\n"
		   "  -> char byte: +33(%x0):u8\n"
		   "  -> enum kind e: +36(%x0):s32\n"
		   "return value: none\n");
	/* More than there is room for. */
	basics();
	outer = blob_type(&b, KPT_BTF_STRUCT, "outer", 200, 800);
	for (i = 0; i < 200; i++)
		blob_member(&b, "member", t_int, 32 * i);
	outer = pointer(outer);
	proto = prototype(t_int, 2);
	blob_parameter(&b, "o", outer);
	blob_parameter(&b, "n", t_int);
	function(proto);
	all = shown(4096);
	EXPECT(strstr(all, ":s32\n  -> ...\nargument n: %x1:s32\n"
			   "return value: %x0:s32\n") != NULL);
	EXPECT(strlen(all) > 2900);
}

/*
 * A structure of @nr anonymous ones, each of 500 integers without names, and of one member
 * with a name: is that found?
 */
static bool is_found_behind(u32 nr)
{
	struct kpt_member found;
	struct kpt_btf btf;
	u32 many, outer, i;
	size_t size;
	bool is_found;
	u8 *bytes;

	basics();
	many = blob_type(&b, KPT_BTF_STRUCT, "many", 500, 2000);
	for (i = 0; i < 500; i++)
		blob_member(&b, "", t_int, 0);
	outer = blob_type(&b, KPT_BTF_STRUCT, "outer", nr + 1, 2000);
	for (i = 0; i < nr; i++)
		blob_member(&b, "", many, 0);
	blob_member(&b, "last", t_int, 0);
	bytes = blob_bytes(&b, &size);
	EXPECT(!blob_open(&btf, bytes, size, NULL));
	is_found = kpt_member_find(&btf, kpt_btf_type(&btf, outer), "last", 4, &found);
	blob_free(&btf);
	free(bytes);
	return is_found;
}

/* A search ends, however often the same members are seen again. */
TEST(member_behind_many)
{
	EXPECT(is_found_behind(KPT_BTF_MEMBERS / 501));
	EXPECT(!is_found_behind(KPT_BTF_MEMBERS / 501 + 1));
}

/* The first line of a function with one parameter x. */
static const char *declared(u32 type, const char *name)
{
	static char line[512];
	u32 proto = prototype(0, 1);

	blob_parameter(&b, name, type);
	function(proto);
	line[0] = '\0';
	sscanf(shown(4096), "prototype: void f(%511[^\n]", line);
	return line;
}

#define DECLARED(want, type)                                                   \
	do {                                                                   \
		basics();                                                      \
		EXPECT_STR(declared(type, "x"), want ")");                     \
	} while (0)

static u32 qualified(enum kpt_btf_kind kind, u32 type)
{
	return blob_ref(&b, kind, type);
}

static u32 callback(u32 result, u32 first)
{
	u32 id = prototype(result, 2);

	blob_parameter(&b, "", first);
	blob_parameter(&b, "n", t_int);
	return pointer(id);
}

TEST(prototype_declarations)
{
	u32 id, i;

	DECLARED("int x", t_int);
	DECLARED("size_t x", t_size);
	DECLARED("const char *x", pointer(qualified(KPT_BTF_CONST, t_char)));
	DECLARED("char *const x", qualified(KPT_BTF_CONST, pointer(t_char)));
	DECLARED("const char *const *x",
		 pointer(qualified(KPT_BTF_CONST,
				   pointer(qualified(KPT_BTF_CONST, t_char)))));
	DECLARED("const volatile void *x",
		 pointer(qualified(KPT_BTF_VOLATILE,
				   qualified(KPT_BTF_CONST, 0))));
	DECLARED("int *restrict x", qualified(KPT_BTF_RESTRICT, pointer(t_int)));
	DECLARED("void *x", pointer(0));
	DECLARED("char (*x)[16]", pointer(blob_array(&b, t_char, 16)));
	DECLARED("char *(*x)[2][3]",
		 pointer(blob_array(&b, blob_array(&b, pointer(t_char), 3), 2)));
	DECLARED("int (*x)(void *, int n)", callback(t_int, pointer(0)));
	DECLARED("void (*(*x)(int, int n))(char, int n)",
		 callback(callback(0, t_char), t_int));
	DECLARED("void (**const x)(void)",
		 qualified(KPT_BTF_CONST, pointer(pointer(prototype(0, 0)))));
	DECLARED("struct {...} *x",
		 pointer(blob_type(&b, KPT_BTF_STRUCT, "", 0, 4)));
	DECLARED("union u *x", pointer(blob_type(&b, KPT_BTF_UNION, "u", 0, 4)));
	DECLARED("enum e x", blob_type(&b, KPT_BTF_ENUM, "e", 0, 4));
	DECLARED("enum e x", blob_type(&b, KPT_BTF_ENUM64, "e", 0, 8));
	DECLARED("struct s *x", pointer(blob_type(&b, KPT_BTF_FWD, "s", 0, 0)));
	basics();
	id = blob_type(&b, KPT_BTF_FWD, "s", 0, 0);
	b.types[b.words - 2] |= 1U << 31;
	EXPECT_STR(declared(pointer(id), ""), "union s *)");
	basics();
	EXPECT_STR(declared(qualified(KPT_BTF_CONST, pointer(t_int)), ""),
		   "int *const)");
	basics();
	EXPECT_STR(declared(0, ""), "...)");
	/* Functions that get functions. */
	basics();
	for (i = 0, id = t_int; i < 5; i++)
		id = callback(t_int, id);
	EXPECT_STR(declared(id, "x"),
		   "int (*x)(int (*)(int (*)(int (*)(...), int n), int n), "
		   "int n))");
	/* Functions that return functions, without end. */
	basics();
	id = prototype(b.nr + 2, 0);
	pointer(id);
	EXPECT_STR(declared(id + 1, "x"), "...)");
}

/* "; "-joined lines behind the first one: "a PLACE; ...; = RESULT". */
static const char *places(u32 result, u32 nr, ...)
{
	static char text[4096];
	u32 proto, i;
	char name[8];
	va_list ap;
	const char *s;
	char *to = text;

	proto = prototype(result, nr);
	va_start(ap, nr);
	for (i = 0; i < nr; i++) {
		sprintf(name, "%c", 'a' + i);
		blob_parameter(&b, name, va_arg(ap, u32));
	}
	va_end(ap);
	function(proto);
	s = strchr(shown(4096), '\n') + 1;
	for (; *s; s++) {
		if (!strncmp(s, "argument ", 9))
			s += 9;
		else if (!strncmp(s, "return value:", 13))
			to += sprintf(to, "="), s += 13;
		for (; *s != '\n'; s++)
			if (*s != ':' || s[1] != ' ')
				*to++ = *s;
		if (s[1])
			to += sprintf(to, "; ");
	}
	*to = '\0';
	return text;
}

/* A structure of @words longs. */
static u32 words(u32 nr)
{
	u32 i, id = blob_type(&b, KPT_BTF_STRUCT, "s", nr, 8 * nr);

	for (i = 0; i < nr; i++)
		blob_member(&b, "m", t_long, 64 * i);
	return id;
}

static u32 small(u32 size)
{
	u32 id = blob_type(&b, KPT_BTF_STRUCT, "s", 1, size);

	blob_member(&b, "m", t_char, 0);
	return id;
}

#define PLACES(want, ...)                                                      \
	do {                                                                   \
		basics();                                                      \
		EXPECT_STR(places(__VA_ARGS__), want);                         \
	} while (0)

TEST(prototype_places)
{
	u32 s2, s3, i128, dbl, id, bool_t;

	PLACES("= none", 0, 0);
	PLACES("a %x0:s32; b %x1:u8; = %x0:x64", pointer(t_int), 2, t_int, t_char);
	basics();
	bool_t = blob_int(&b, "_Bool", 1, false);
	id = blob_type(&b, KPT_BTF_ENUM, "e", 0, 4);
	EXPECT_STR(places(id, 2, id, bool_t), "a %x0:s32; b %x1:u8; = %x0:s32");
	/* Ten: the last two are on the stack. */
	PLACES("a %x0:s64; b %x1:s64; c %x2:s64; d %x3:s64; e %x4:s64; "
	       "f %x5:s64; g %x6:s64; h %x7:s64; i $stack0:s32; j $stack1:s64; "
	       "= %x0:u64",
	       t_size, 10, t_long, t_long, t_long, t_long, t_long, t_long, t_long,
	       t_long, t_int, t_long);
	/* By value: one word, two, more. */
	PLACES("a %x0:x64; b %x1; c %x2:x32; d nowhere; e %x3:s32; = %x0:x64",
	       words(1), 5, words(1), small(5), small(4), small(0), t_int);
	basics();
	s2 = words(2);
	s3 = words(3);
	EXPECT_STR(places(s2, 4, t_int, s2, s3, t_int),
		   "a %x0:s32; b %x1 %x2; c at the address in %x3; d %x4:s32; "
		   "= %x0 %x1");
	EXPECT_STR(places(s3, 0), "= at the address that %x8 has at the entry");
	EXPECT_STR(places(words(100), 0),
		   "= at the address that %x8 has at the entry");
	/* A pair is never split, and nothing comes back to registers. */
	EXPECT_STR(places(0, 9, t_int, t_int, t_int, t_int, t_int, t_int, t_int,
			  s2, t_int),
		   "a %x0:s32; b %x1:s32; c %x2:s32; d %x3:s32; e %x4:s32; "
		   "f %x5:s32; g %x6:s32; h $stack0 $stack1; i $stack2:s32; "
		   "= none");
	/* __int128 begins at an even register, and at an even word. */
	basics();
	i128 = blob_int(&b, "__int128", 16, true);
	EXPECT_STR(places(i128, 3, t_int, i128, t_int),
		   "a %x0:s32; b %x2 %x3; c %x4:s32; = %x0 %x1");
	EXPECT_STR(places(0, 6, i128, i128, i128, s2 = words(2), t_int, i128),
		   "a %x0 %x1; b %x2 %x3; c %x4 %x5; d %x6 %x7; e $stack0:s32; "
		   "f $stack2 $stack3; = none");
	basics();
	i128 = blob_int(&b, "__int128", 16, true);
	id = blob_array(&b, i128, 1);
	s2 = blob_type(&b, KPT_BTF_STRUCT, "s", 1, 16);
	blob_member(&b, "m", id, 0);
	EXPECT_STR(places(0, 2, t_int, s2), "a %x0:s32; b %x2 %x3; = none");
	/* Floats have registers of their own. */
	basics();
	dbl = blob_type(&b, KPT_BTF_FLOAT, "double", 0, 8);
	EXPECT_STR(places(dbl, 3, dbl, t_int, dbl),
		   "a v0; b %x0:s32; c v1; = v0");
	id = blob_type(&b, KPT_BTF_STRUCT, "s", 1, 8);
	blob_member(&b, "m", dbl, 0);
	EXPECT_STR(places(id, 3, t_int, id, t_int),
		   "a %x0:s32; b unknown; c unknown; = unknown");
	EXPECT_STR(places(0, 10, dbl, dbl, dbl, dbl, dbl, dbl, dbl, dbl, dbl, t_int),
		   "a v0; b v1; c v2; d v3; e v4; f v5; g v6; h v7; i $stack0; "
		   "j %x0:s32; = none");
	/* What C cannot pass. */
	PLACES("a unknown; b unknown; = none", 0, 2, blob_array(&b, t_int, 2), t_int);
	PLACES("a unknown; = none", 0, 1, blob_type(&b, KPT_BTF_FLOAT, "f", 0, 16));
}

/* Parameters without name, and those that only the caller knows. */
TEST(prototype_names)
{
	u32 proto, text;
	size_t room, len;
	char all[256];

	basics();
	text = pointer(t_char);
	proto = prototype(t_int, 3);
	blob_parameter(&b, "fmt", text);
	blob_parameter(&b, "", t_int);
	blob_parameter(&b, "", 0);
	function(proto);
	strcpy(all, shown(4096));
	EXPECT_STR(all, "prototype: int f(char *fmt, int, ...)\n"
			"argument fmt: %x0:x64\n"
			"argument 2: %x1:s32\n"
			"return value: %x0:s32\n");
	/* What does not fit is cut. */
	for (room = 1; room < strlen(all); room++) {
		len = strlen(shown(room));
		EXPECT(len < room);
	}
}

TEST_MAIN
