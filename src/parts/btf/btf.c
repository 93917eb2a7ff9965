// SPDX-License-Identifier: GPL-2.0-only
/* A reader of BTF. */
#include "lib/base/port.h"
#include "parts/btf/btf.h"

#define BLOB_MAGIC	0xeb9f
#define BLOB_MAGIC_SWAPPED 0x9feb

#define SLOT_WORD	0xffffff
#define SLOT_DEPTH	24

/* Types for each hash, and most bits of a hash. */
#define HASH_TYPES	8
#define BUCKET_BITS	14

/* Nesting by value: structures in structures, with arrays and typedefs between. */
#define BTF_DEPTH	64

#define KIND(k)		BIT(KPT_BTF_##k)

/* kpt_btf_type.type of these is the number of the type that they qualify. */
#define BTF_QUALIFIERS	(KIND(VOLATILE) | KIND(CONST) | KIND(RESTRICT) | \
			 KIND(TYPE_TAG) | KIND(TYPEDEF))
#define BTF_LINKS	(BTF_QUALIFIERS | KIND(PTR) | KIND(ARRAY))
/* No value can be of these. */
#define BTF_NO_TYPES	(KIND(FUNC) | KIND(VAR) | KIND(DATASEC) | KIND(DECL_TAG))

/* struct btf_header of the kernel; a longer header has fields after it, which are not needed. */
struct blob_header {
	u16 magic;
	u8 version;
	u8 flags;
	u32 hdr_len;
	u32 type_off;
	u32 type_len;
	u32 str_off;
	u32 str_len;
};

/* More words than a blob has: the length of a type whose kind is unknown. */
#define TOO_LONG	(KPT_BTF_MAX / sizeof(u32) + 1)

/*
 * The words of a type: bits 0..31 always, 32..39 for each element. BY_NAME: types of
 * this kind are found through the hashes of their names. One load gives all of that,
 * because it is done for each type of a blob.
 */
#define SHAPE(always, each) ((u64)(each) << 32 | (always))
#define BY_NAME		BIT_ULL(63)

/* Indexed by all that struct kpt_btf_type.info can have as a kind. */
static const u64 btf_shapes[128] = {
	[KPT_BTF_VOID] = TOO_LONG,
	[KPT_BTF_INT] = SHAPE(4, 0),
	[KPT_BTF_PTR] = SHAPE(3, 0),
	[KPT_BTF_ARRAY] = SHAPE(6, 0),
	[KPT_BTF_STRUCT] = SHAPE(3, 3) | BY_NAME,
	[KPT_BTF_UNION] = SHAPE(3, 3),
	[KPT_BTF_ENUM] = SHAPE(3, 2),
	[KPT_BTF_FWD] = SHAPE(3, 0),
	[KPT_BTF_TYPEDEF] = SHAPE(3, 0),
	[KPT_BTF_VOLATILE] = SHAPE(3, 0),
	[KPT_BTF_CONST] = SHAPE(3, 0),
	[KPT_BTF_RESTRICT] = SHAPE(3, 0),
	[KPT_BTF_FUNC] = SHAPE(3, 0) | BY_NAME,
	[KPT_BTF_FUNC_PROTO] = SHAPE(3, 2),
	[KPT_BTF_VAR] = SHAPE(4, 0),
	[KPT_BTF_DATASEC] = SHAPE(3, 3),
	[KPT_BTF_FLOAT] = SHAPE(3, 0),
	[KPT_BTF_DECL_TAG] = SHAPE(4, 0),
	[KPT_BTF_TYPE_TAG] = SHAPE(3, 0),
	[KPT_BTF_ENUM64] = SHAPE(3, 3),
	[KPT_NR_BTF_KINDS ... 127] = TOO_LONG,
};

static const struct kpt_btf_type btf_void;

static bool btf_is(const struct kpt_btf_type *t, unsigned long kinds)
{
	return kinds >> kpt_btf_kind(t) & 1;
}

/*
 * Find a string, and how many bytes follow its first one in the blob. Out of range is
 * the empty string.
 */
static const char *btf_string(const struct kpt_btf *btf, u32 offset, u32 *room)
{
	if (offset < btf->first_string)
		btf = btf->base;
	offset -= btf->first_string;
	*room = 0;
	if (offset >= btf->strings_len)
		return "";
	*room = btf->strings_len - offset;
	return btf->strings + offset;
}

/* Bytes of a name that its hash is made from. */
#define HASHED		9

/*
 * The hash of a name is one of its first characters, because the index has to be made
 * quickly. Names that begin alike (trace_event_raw_event_) are a long list; finding one
 * in it is short, compared with making a better hash for all names.
 */
static __always_inline u64 btf_hash(const char *name, u32 shift)
{
	const u64 ones = 0x0101010101010101;
	u64 word, ends;

	memcpy(&word, name, sizeof(word));
	/* The lowest bit that is set is the highest one of the first NUL. */
	ends = (word - ones) & ~word & ones << 7;
	if (unlikely(ends))
		word &= (ends & -ends) - 1;
	else
		word += (u8)name[HASHED - 1];
	return word * 0x9e3779b97f4a7c15 >> shift;
}

/* The same for any name in the strings. */
static noinline u64 btf_hash_short(const struct kpt_btf *btf, u32 offset)
{
	char copy[HASHED] = "";
	const char *name;
	u32 room;

	name = btf_string(btf, offset, &room);
	memcpy(copy, name, min_t(u32, room, sizeof(copy)));
	return btf_hash(copy, btf->shift);
}

/**
 * kpt_btf_length() - how long a blob is by its head
 * @head: its first bytes, aligned to 4
 * @size: how many there are
 *
 * Context: any.
 * Return: bytes; those of the head, if there are fewer or it is not one of BTF.
 */
size_t kpt_btf_length(const void *head, size_t size)
{
	const struct blob_header *h = head;
	u64 length;

	if (size < sizeof(*h) || h->magic != BLOB_MAGIC)
		return sizeof(*h);
	length = h->hdr_len + max((u64)h->type_off + h->type_len,
				  (u64)h->str_off + h->str_len);
	return length > KPT_BTF_MAX ? sizeof(*h) : length;
}

/**
 * kpt_btf_open() - read the head of a blob
 * @btf: the blob
 *
 * Context: any.
 * Return: NULL; or the reason why the blob cannot be used, a constant text.
 */
const char *kpt_btf_open(struct kpt_btf *btf)
{
	const struct kpt_btf *base = btf->base;
	const struct blob_header *h = btf->blob;
	size_t room;

	if (btf->size < sizeof(*h) || btf->size > KPT_BTF_MAX)
		return "its size is not that of BTF";
	if ((unsigned long)btf->blob % sizeof(u32))
		return "it is not aligned";
	if (h->magic == BLOB_MAGIC_SWAPPED)
		return "it has the other byte order";
	if (h->magic != BLOB_MAGIC || h->version != 1)
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
	btf->end = btf->first;
	btf->first_string = base ? base->first_string + base->strings_len : 0;
	return NULL;
}

/* Most types that the blob can have. */
static u32 btf_most_types(const struct kpt_btf *btf)
{
	return btf->types_words / 3;
}

static u32 btf_hash_bits(const struct kpt_btf *btf)
{
	u32 bits = 4;

	while (bits < BUCKET_BITS && btf_most_types(btf) >> bits > HASH_TYPES)
		bits++;
	return bits;
}

/**
 * kpt_btf_index_size() - size of the memory for kpt_btf_index()
 * @btf: the blob, after kpt_btf_open()
 *
 * Context: any.
 * Return: bytes.
 */
size_t kpt_btf_index_size(const struct kpt_btf *btf)
{
	return (sizeof(u32) << btf_hash_bits(btf)) +
	       btf_most_types(btf) * sizeof(struct kpt_btf_slot);
}

/**
 * kpt_btf_index() - note where the types of a blob are
 * @btf: the blob, after kpt_btf_open()
 * @memory: kpt_btf_index_size() bytes, all 0, which @btf needs from now on
 *
 * Context: any; 12 instructions for each type, 24 more for those found by their name.
 * Return: NULL; or the reason why the blob cannot be used, a constant text.
 */
const char *kpt_btf_index(struct kpt_btf *btf, void *memory)
{
	const u32 words = btf->types_words, *t;
	const u32 limit = max(words, 2U) - 2, first = btf->first_string;
	const u32 bits = btf_hash_bits(btf), shift = 64 - bits;
	/* Names that btf_hash() may read, by their offset from @first. */
	const u32 whole = max_t(u32, btf->strings_len, HASHED - 1) - (HASHED - 1);
	const char *strings = btf->strings;
	struct kpt_btf_slot *slots, *slot;
	u32 *heads = memory, at = 0, len = 0, name;
	u64 shape = 0, hash;

	btf->heads = heads;
	btf->shift = shift;
	btf->index = slots = slot = memory + (sizeof(u32) << bits);
	/* A type that is cut off, or of an unknown kind, ends beyond @words. */
	for (t = btf->types; at < limit; at += len, t += len, slot++) {
		shape = btf_shapes[t[1] >> 24 & 0x7f];
		len = (u32)shape + (u8)(shape >> 32) * (t[1] & 0xffffff);
		slot->at = at;
		if (!(shape & BY_NAME))
			continue;
		name = t[0];
		if (!name)
			continue;
		if (likely(name - first < whole))
			hash = btf_hash(strings + (name - first), shift);
		else
			hash = btf_hash_short(btf, name);
		slot->next = heads[hash];
		heads[hash] = slot + 1 - slots;
	}
	btf->end = btf->first + (slot - slots);
	if ((u32)shape == TOO_LONG)
		return "a kind of type is unknown";
	return at == words ? NULL : "a type is cut off";
}

/**
 * kpt_btf_type() - find a type by its number
 * @btf: the blob, indexed
 * @id: its number, as found in @btf
 *
 * Context: any.
 * Return: the type; void if there is none of that number.
 */
const struct kpt_btf_type *kpt_btf_type(const struct kpt_btf *btf, u32 id)
{
	u32 at;

	if (!id || id >= btf->end)
		return &btf_void;
	if (id < btf->first)
		btf = btf->base;
	at = btf->index[id - btf->first].at & SLOT_WORD;
	return (const struct kpt_btf_type *)(btf->types + at);
}

/**
 * kpt_btf_resolve() - follow typedefs and qualifiers to the underlying type
 * @btf: the blob, indexed
 * @id: number of the type, as found in @btf
 *
 * Context: any.
 * Return: the type; void if there are more than KPT_BTF_CHAIN typedefs and qualifiers.
 */
const struct kpt_btf_type *kpt_btf_resolve(const struct kpt_btf *btf, u32 id)
{
	const struct kpt_btf_type *t = kpt_btf_type(btf, id);
	unsigned int steps = 0;

	for (; btf_is(t, BTF_QUALIFIERS); t = kpt_btf_type(btf, t->type))
		if (++steps > KPT_BTF_CHAIN)
			return &btf_void;
	return t;
}

/**
 * kpt_btf_is_user() - is what a pointer points to in user memory?
 * @btf: the blob, indexed
 * @id: number of the type that the pointer refers to
 *
 * Kernels that clang has built say so, by the tag "user" for __user.
 *
 * Context: any.
 * Return: true if its type says so.
 */
bool kpt_btf_is_user(const struct kpt_btf *btf, u32 id)
{
	const struct kpt_btf_type *t = kpt_btf_type(btf, id);
	unsigned int steps = 0;

	for (; btf_is(t, BTF_QUALIFIERS); t = kpt_btf_type(btf, t->type)) {
		if (btf_is(t, KIND(TYPE_TAG)) && !strcmp(kpt_btf_name(btf, t->name), "user"))
			return true;
		if (++steps > KPT_BTF_CHAIN)
			break;
	}
	return false;
}

/**
 * kpt_btf_name() - find a string by its offset
 * @btf: the blob, indexed
 * @offset: as found in @btf
 *
 * Context: any.
 * Return: the string, empty for a type or member without a name.
 */
const char *kpt_btf_name(const struct kpt_btf *btf, u32 offset)
{
	u32 room;

	return btf_string(btf, offset, &room);
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
	u32 i, words = btf_shapes[kpt_btf_kind(t)] >> 32;

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
	/* A base that was not checked counts as flat. */
	if (id < btf->first)
		return btf_depth(btf->base, id) ?: 1;
	return btf->index[id - btf->first].at >> SLOT_DEPTH;
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
			btf->index[top->id - btf->first].at |=
				top->depth << SLOT_DEPTH;
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

/* Comparing a name reads all of it, and any number of types can have the same name. */
static bool btf_names_are_short(const struct kpt_btf *btf)
{
	size_t at, len;

	for (at = 0; at < btf->strings_len; at += len + 1) {
		len = strlen(btf->strings + at);
		if (len > KPT_BTF_NAME)
			return false;
	}
	return true;
}

/* A lookup of all functions of a name searches the chain of the hash once for each function. */
static bool btf_names_are_few(const struct kpt_btf *btf)
{
	u32 nr_heads = 1U << (64 - btf->shift), head, slot, nr;

	for (head = 0; head < nr_heads; head++) {
		slot = btf->heads[head];
		for (nr = 0; slot; slot = btf->index[slot - 1].next)
			if (++nr > KPT_BTF_ALIKE)
				return false;
	}
	return true;
}

/**
 * kpt_btf_check() - check a blob as a whole
 * @btf: the blob, indexed; its base, if it has one, checked as well
 *
 * Of a blob that passes, every number of a type and every offset of a name is valid; no
 * name is longer than KPT_BTF_NAME, and no more than KPT_BTF_ALIKE types have names of the
 * same hash; each chain of pointers, arrays, typedefs and qualifiers ends within
 * KPT_BTF_CHAIN steps; and no structure contains itself.
 *
 * Context: any; some ns for each byte.
 * Return: NULL; or the reason why the blob cannot be used, a constant text.
 */
const char *kpt_btf_check(struct kpt_btf *btf)
{
	const char *why = NULL;
	u32 id;

	if (!btf_names_are_short(btf))
		return "a name is too long";
	if (!btf_names_are_few(btf))
		return "too many names begin alike";
	for (id = btf->first; id < btf->end && !why; id++)
		why = btf_check_type(btf, kpt_btf_type(btf, id));
	for (id = btf->first; id < btf->end && !why; id++)
		if (!btf_chain_ends(btf, id) ||
		    (!btf_depth(btf, id) && !btf_nests(btf, id)))
			why = "types nest too deep or in a circle";
	return why;
}

/* Is a type what is searched for? A function is only with a prototype. */
static bool btf_matches(const struct kpt_btf *btf, u32 id, enum kpt_btf_kind kind,
			const char *name)
{
	const struct kpt_btf_type *t = kpt_btf_type(btf, id);

	return kpt_btf_kind(t) == kind &&
	       !strcmp(kpt_btf_name(btf, t->name), name) &&
	       (kind != KPT_BTF_FUNC ||
		btf_is(kpt_btf_type(btf, t->type), KIND(FUNC_PROTO)));
}

/**
 * kpt_btf_find() - find a type by its name
 * @btf: the blob, indexed; its base is not searched
 * @kind: the kind of the type
 * @name: its name
 * @after: number of the type to search after, 0 to find the first one
 *
 * Context: any; linear in the number of types, except for FUNC and STRUCT.
 * Return: its number, 0 if there is none. The type of a function that is found is a
 * FUNC_PROTO.
 */
u32 kpt_btf_find(const struct kpt_btf *btf, enum kpt_btf_kind kind,
		 const char *name, u32 after)
{
	u32 id = max(after + 1, btf->first), found = 0, slot;
	char copy[HASHED] = "";

	if (!*name || !(btf_shapes[kind] & BY_NAME)) {
		while (id < btf->end && !btf_matches(btf, id, kind, name))
			id++;
		return id < btf->end ? id : 0;
	}
	memcpy(copy, name, min(strlen(name), sizeof(copy)));
	slot = btf->heads[btf_hash(copy, btf->shift)];
	for (; slot && btf->first + slot - 1 >= id; slot = btf->index[slot - 1].next)
		if (btf_matches(btf, btf->first + slot - 1, kind, name))
			found = btf->first + slot - 1;
	return found;
}

/**
 * kpt_btf_nth_member() - read a member
 * @t: a structure or union
 * @n: index of the member, less than kpt_btf_nr(@t)
 * @member: result
 *
 * Context: any.
 */
void kpt_btf_nth_member(const struct kpt_btf_type *t, u32 n,
			struct kpt_btf_member *member)
{
	const u32 *words = t->more + 3 * n;
	bool has_widths = t->info >> 31;

	member->name = words[0];
	member->type = words[1];
	member->bit = has_widths ? words[2] & 0xffffff : words[2];
	member->width = has_widths ? words[2] >> 24 : 0;
}

/**
 * kpt_btf_members_init() - begin to visit the members of a structure
 * @members: the visit
 * @btf: the blob, indexed
 * @t: a structure or union, as found in @btf
 *
 * Context: any.
 */
void kpt_btf_members_init(struct kpt_btf_members *members,
			  const struct kpt_btf *btf, const struct kpt_btf_type *t)
{
	members->btf = btf;
	members->depth = 0;
	members->left = KPT_BTF_ANONYMOUS;
	members->members = KPT_BTF_MEMBERS;
	members->stack[0] = (struct kpt_btf_part){ t, 0, 0 };
}

/**
 * kpt_btf_members_next() - visit the next member that has a name
 * @members: the visit
 * @member: result
 *
 * Members of anonymous structures and unions count as those of the structure around.
 *
 * Context: any.
 * Return: true; or false if there is none, or after KPT_BTF_MEMBERS members.
 */
bool kpt_btf_members_next(struct kpt_btf_members *members,
			  struct kpt_btf_member *member)
{
	struct kpt_btf_part *top = &members->stack[members->depth];
	const struct kpt_btf_type *t;

	for (;;) {
		if (top->next >= kpt_btf_nr(top->t)) {
			if (top-- == members->stack)
				return false;
			members->depth--;
			continue;
		}
		if (!members->members)
			return false;
		members->members--;
		kpt_btf_nth_member(top->t, top->next++, member);
		member->bit += top->bit;
		if (member->name)
			return true;
		t = kpt_btf_resolve(members->btf, member->type);
		if (members->depth == KPT_BTF_NESTED - 1 || !members->left ||
		    !btf_is(t, KIND(STRUCT) | KIND(UNION)))
			continue;
		members->left--;
		members->depth++;
		*++top = (struct kpt_btf_part){ t, member->bit, 0 };
	}
}
