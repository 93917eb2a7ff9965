// SPDX-License-Identifier: GPL-2.0-only
/* A reader of BTF. */
#include <kptrace/port.h>
#include "lib/btf.h"

#define BTF_MAGIC	0xeb9f
#define BTF_MAGIC_SWAPPED 0x9feb

#define INDEX_WORD	0xffffff
#define INDEX_DEPTH	24

/* Nesting by value: structures in structures, with arrays and typedefs between. */
#define BTF_DEPTH	64

#define KIND(k)		BIT(KPT_BTF_##k)

/* kpt_btf_type.type of these is the number of the type that they qualify. */
#define BTF_QUALIFIERS	(KIND(VOLATILE) | KIND(CONST) | KIND(RESTRICT) | \
			 KIND(TYPE_TAG) | KIND(TYPEDEF))
#define BTF_LINKS	(BTF_QUALIFIERS | KIND(PTR) | KIND(ARRAY))
/* No value can be of these. */
#define BTF_NO_TYPES	(KIND(FUNC) | KIND(VAR) | KIND(DATASEC) | KIND(DECL_TAG))

/* struct btf_header; a longer header has fields after it, which are not needed. */
struct btf_header {
	u16 magic;
	u8 version;
	u8 flags;
	u32 hdr_len;
	u32 type_off;
	u32 type_len;
	u32 str_off;
	u32 str_len;
};

/* Words of a type after the first three: always, and for each element. */
static const struct {
	u8 always;
	u8 each;
} btf_shape[KPT_NR_BTF_KINDS] = {
	[KPT_BTF_INT] = { 1, 0 },
	[KPT_BTF_ARRAY] = { 3, 0 },
	[KPT_BTF_STRUCT] = { 0, 3 },
	[KPT_BTF_UNION] = { 0, 3 },
	[KPT_BTF_ENUM] = { 0, 2 },
	[KPT_BTF_FUNC_PROTO] = { 0, 2 },
	[KPT_BTF_VAR] = { 1, 0 },
	[KPT_BTF_DATASEC] = { 0, 3 },
	[KPT_BTF_DECL_TAG] = { 1, 0 },
	[KPT_BTF_ENUM64] = { 0, 3 },
};

static const struct kpt_btf_type btf_void;

static bool btf_is(const struct kpt_btf_type *t, unsigned long kinds)
{
	return kinds >> kpt_btf_kind(t) & 1;
}

/* Count the types; the kind of each type and its elements give its length. */
static const char *btf_walk(struct kpt_btf *btf)
{
	const struct kpt_btf_type *t;
	u32 at = 0, words, kind;

	for (btf->end = btf->first; at < btf->types_words; btf->end++) {
		if (btf->types_words - at < 3)
			return "a type is cut off";
		t = (const struct kpt_btf_type *)(btf->types + at);
		kind = kpt_btf_kind(t);
		if (kind == KPT_BTF_VOID || kind >= KPT_NR_BTF_KINDS)
			return "a kind of type is unknown";
		words = 3 + btf_shape[kind].always +
			btf_shape[kind].each * kpt_btf_nr(t);
		if (words > btf->types_words - at)
			return "a type is cut off";
		if (btf->index)
			btf->index[btf->end - btf->first] = at;
		at += words;
	}
	return NULL;
}

/**
 * kpt_btf_count() - read the head of a blob and count its types
 * @btf: the blob; .first and .end are results
 *
 * Context: any.
 * Return: NULL; or the reason why the blob cannot be used, a constant text.
 */
const char *kpt_btf_count(struct kpt_btf *btf)
{
	const struct kpt_btf *base = btf->base;
	const struct btf_header *h = btf->blob;
	size_t room;

	if (btf->size < sizeof(*h) || btf->size > KPT_BTF_MAX)
		return "its size is not that of BTF";
	if ((unsigned long)btf->blob % sizeof(u32))
		return "it is not aligned";
	if (h->magic == BTF_MAGIC_SWAPPED)
		return "it has the other byte order";
	if (h->magic != BTF_MAGIC || h->version != 1)
		return "it does not begin as BTF does";
	if (h->hdr_len < sizeof(*h) || h->hdr_len > btf->size)
		return "the length of its head is wrong";
	room = btf->size - h->hdr_len;
	if (h->type_off > room || h->type_len > room - h->type_off ||
	    h->str_off > room || h->str_len > room - h->str_off)
		return "it is cut off";
	if ((h->hdr_len | h->type_off | h->type_len) % sizeof(u32))
		return "its types are not aligned";
	btf->types = btf->blob + h->hdr_len + h->type_off;
	btf->types_words = h->type_len / sizeof(u32);
	btf->strings = btf->blob + h->hdr_len + h->str_off;
	btf->strings_len = h->str_len;
	if (h->str_len ? btf->strings[h->str_len - 1] != '\0' : !base)
		return "its last string has no end";
	/* A type without a name has offset 0. */
	if (!base && btf->strings[0])
		return "its first string is not empty";
	btf->first = base ? base->end : 1;
	btf->first_string = base ? base->first_string + base->strings_len : 0;
	btf->index = NULL;
	return btf_walk(btf);
}

/**
 * kpt_btf_type() - find a type by its number
 * @btf: the blob, checked
 * @id: its number, as found in @btf
 *
 * Context: any.
 * Return: the type.
 */
const struct kpt_btf_type *kpt_btf_type(const struct kpt_btf *btf, u32 id)
{
	u32 at;

	if (!id)
		return &btf_void;
	if (id < btf->first)
		btf = btf->base;
	at = btf->index[id - btf->first] & INDEX_WORD;
	return (const struct kpt_btf_type *)(btf->types + at);
}

/**
 * kpt_btf_resolve() - follow typedefs and qualifiers to the underlying type
 * @btf: the blob, checked
 * @id: number of the type, as found in @btf
 *
 * Context: any.
 * Return: the type.
 */
const struct kpt_btf_type *kpt_btf_resolve(const struct kpt_btf *btf, u32 id)
{
	const struct kpt_btf_type *t = kpt_btf_type(btf, id);

	while (btf_is(t, BTF_QUALIFIERS))
		t = kpt_btf_type(btf, t->type);
	return t;
}

/**
 * kpt_btf_name() - find a string by its offset
 * @btf: the blob, checked
 * @offset: as found in @btf
 *
 * Context: any.
 * Return: the string, empty for a type or member without a name.
 */
const char *kpt_btf_name(const struct kpt_btf *btf, u32 offset)
{
	if (offset < btf->first_string)
		btf = btf->base;
	return btf->strings + (offset - btf->first_string);
}

static bool btf_name_ok(const struct kpt_btf *btf, u32 offset)
{
	return offset < btf->first_string ||
	       offset - btf->first_string < btf->strings_len;
}

static bool btf_id_ok(const struct kpt_btf *btf, u32 id)
{
	return id < btf->end && !btf_is(kpt_btf_type(btf, id), BTF_NO_TYPES);
}

static const char *btf_check_members(const struct kpt_btf *btf,
				     const struct kpt_btf_type *t)
{
	const u32 *m = t->more;
	u32 i, bit;

	for (i = 0; i < kpt_btf_nr(t); i++, m += 3) {
		if (!btf_name_ok(btf, m[0]))
			return "a name lies outside of its strings";
		if (!btf_id_ok(btf, m[1]))
			return "a member has no type";
		/* With the flag, the width of a bit field is above its place. */
		bit = t->info >> 31 ? m[2] & 0xffffff : m[2];
		if (bit / 8 > t->type)
			return "a member lies outside of its structure";
	}
	return NULL;
}

/* Check the names of elements and, of parameters, also the types after them. */
static const char *btf_check_names(const struct kpt_btf *btf,
				   const struct kpt_btf_type *t)
{
	u32 i, words = btf_shape[kpt_btf_kind(t)].each;

	for (i = 0; i < kpt_btf_nr(t); i++) {
		if (!btf_name_ok(btf, t->more[i * words]))
			return "a name lies outside of its strings";
		if (btf_is(t, KIND(FUNC_PROTO)) &&
		    !btf_id_ok(btf, t->more[i * words + 1]))
			return "a parameter has no type";
	}
	return NULL;
}

/* Check one type as far as possible without following its references. */
static const char *btf_check_type(const struct kpt_btf *btf,
				  const struct kpt_btf_type *t)
{
	const char *why = NULL;
	u32 i;

	if (!btf_name_ok(btf, t->name))
		return "a name lies outside of its strings";
	switch (kpt_btf_kind(t)) {
	case KPT_BTF_INT:
		if (!t->type || t->type > 16 || t->type & (t->type - 1))
			why = "an integer has no size of one";
		break;
	case KPT_BTF_ARRAY:
		if (!btf_id_ok(btf, t->more[0]) || !btf_id_ok(btf, t->more[1]))
			why = "an array has no type";
		break;
	case KPT_BTF_STRUCT:
	case KPT_BTF_UNION:
		return btf_check_members(btf, t);
	case KPT_BTF_ENUM:
	case KPT_BTF_ENUM64:
		return btf_check_names(btf, t);
	case KPT_BTF_FUNC_PROTO:
		if (!btf_id_ok(btf, t->type))
			return "a result has no type";
		return btf_check_names(btf, t);
	case KPT_BTF_FUNC:
		if (t->type >= btf->end ||
		    !btf_is(kpt_btf_type(btf, t->type), KIND(FUNC_PROTO)))
			why = "a function has no prototype";
		break;
	case KPT_BTF_DATASEC:
		for (i = 0; i < kpt_btf_nr(t) && !why; i++)
			if (t->more[3 * i] >= btf->end)
				why = "a variable does not exist";
		break;
	case KPT_BTF_DECL_TAG:
		if (t->type >= btf->end)
			why = "a tag has nothing that it is for";
		break;
	case KPT_BTF_FLOAT:
	case KPT_BTF_FWD:
		break;
	default:
		if (!btf_id_ok(btf, t->type))
			why = "a type refers to none";
	}
	return why;
}

/* Does a chain of pointers, arrays and qualifiers end within KPT_BTF_CHAIN steps? */
static bool btf_chain_ends(const struct kpt_btf *btf, u32 id)
{
	const struct kpt_btf_type *t = kpt_btf_type(btf, id);
	unsigned int steps = 0;

	for (; btf_is(t, BTF_LINKS); t = kpt_btf_type(btf, id)) {
		if (++steps > KPT_BTF_CHAIN)
			return false;
		id = btf_is(t, KIND(ARRAY)) ? t->more[0] : t->type;
	}
	return true;
}

static u32 btf_depth(const struct kpt_btf *btf, u32 id)
{
	if (!id)
		return 1;
	if (id < btf->first)
		btf = btf->base;
	return btf->index[id - btf->first] >> INDEX_DEPTH;
}

/* Find the @n-th type that a type contains by value; false if it has no more. */
static bool btf_part(const struct kpt_btf_type *t, u32 n, u32 *part)
{
	if (btf_is(t, KIND(STRUCT) | KIND(UNION))) {
		if (n >= kpt_btf_nr(t))
			return false;
		*part = t->more[3 * n + 1];
		return true;
	}
	if (n || !btf_is(t, BTF_QUALIFIERS | KIND(ARRAY)))
		return false;
	*part = btf_is(t, KIND(ARRAY)) ? t->more[0] : t->type;
	return true;
}

/**
 * struct nest - a type whose parts are being checked
 * @id: its number
 * @part: index of the next part to check
 * @depth: 1 more than the depth of the deepest part before
 */
struct nest {
	u32 id;
	u32 part;
	u32 depth;
};

/*
 * Find the depth of nesting of a type and note it in the index, so that no type is
 * checked twice. A type that contains itself fills the stack, and false is returned.
 */
static bool btf_nests(struct kpt_btf *btf, u32 id)
{
	struct nest stack[BTF_DEPTH], *top = stack;
	u32 part, depth;

	*top = (struct nest){ id, 0, 1 };
	for (;;) {
		if (!btf_part(kpt_btf_type(btf, top->id), top->part, &part)) {
			btf->index[top->id - btf->first] |=
				top->depth << INDEX_DEPTH;
			if (top == stack)
				return true;
			top--;
			continue;
		}
		depth = btf_depth(btf, part);
		if (depth >= BTF_DEPTH)
			return false;
		if (depth) {
			top->depth = max(top->depth, depth + 1);
			top->part++;
			continue;
		}
		if (++top == stack + BTF_DEPTH)
			return false;
		*top = (struct nest){ part, 0, 1 };
	}
}

/**
 * kpt_btf_check() - check a blob as a whole
 * @btf: the blob, after kpt_btf_count()
 * @index: memory that @btf needs from now on, a word for each type
 *
 * Afterwards every number of a type and every offset of a name in @btf is valid;
 * each chain of pointers, arrays, typedefs and qualifiers ends within KPT_BTF_CHAIN
 * steps; and no structure contains itself.
 *
 * Context: any; some ns for each byte.
 * Return: NULL; or the reason why the blob cannot be used, a constant text.
 */
const char *kpt_btf_check(struct kpt_btf *btf, u32 *index)
{
	const struct kpt_btf_type *t;
	const char *last = "", *name, *why;
	u32 id;

	btf->index = index;
	why = btf_walk(btf);
	btf->sorted = true;
	for (id = btf->first; id < btf->end && !why; id++) {
		t = kpt_btf_type(btf, id);
		why = btf_check_type(btf, t);
		if (why || !btf->sorted)
			continue;
		name = kpt_btf_name(btf, t->name);
		btf->sorted = strcmp(last, name) <= 0;
		last = name;
	}
	for (id = btf->first; id < btf->end && !why; id++)
		if (!btf_chain_ends(btf, id) ||
		    (!btf_depth(btf, id) && !btf_nests(btf, id)))
			why = "types nest too deep or in a circle";
	return why;
}

/* The first type whose name is not before @name. */
static u32 btf_bisect(const struct kpt_btf *btf, const char *name)
{
	u32 from = btf->first, to = btf->end, mid;

	while (from < to) {
		mid = from + (to - from) / 2;
		if (strcmp(kpt_btf_name(btf, kpt_btf_type(btf, mid)->name),
			   name) < 0)
			from = mid + 1;
		else
			to = mid;
	}
	return from;
}

/**
 * kpt_btf_find() - find a type by its name
 * @btf: the blob, checked; its base is not searched
 * @kind: the kind of the type
 * @name: its name
 * @after: number of the type to search after, 0 to find the first one
 *
 * Context: any; linear in the number of types, unless those are sorted.
 * Return: its number, 0 if there is none.
 */
u32 kpt_btf_find(const struct kpt_btf *btf, enum kpt_btf_kind kind,
		 const char *name, u32 after)
{
	const struct kpt_btf_type *t;
	u32 id = after ? after + 1 : btf->first;
	int differs;

	if (btf->sorted)
		id = max(id, btf_bisect(btf, name));
	for (; id < btf->end; id++) {
		t = kpt_btf_type(btf, id);
		if (!btf->sorted && kpt_btf_kind(t) != kind)
			continue;
		differs = strcmp(kpt_btf_name(btf, t->name), name);
		if (!differs && kpt_btf_kind(t) == kind)
			return id;
		if (differs && btf->sorted)
			break;
	}
	return 0;
}
