/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Types of the kernel and of modules: a reader of BTF.
 *
 * The format is that of Documentation/bpf/btf.rst and uapi/linux/btf.h. In the BTF of
 * a module, the numbers of types and the offsets of strings begin where those of the
 * kernel, its base, end.
 *
 * kpt_btf_open(), then kpt_btf_index() make a blob ready for the lookups below, which
 * are safe for any blob: a number out of range is type 0, void, a name out of range is
 * empty, and no search is without bound. kpt_btf_check() tells whether all of a blob
 * is well-formed; that takes much longer, and BTF that the kernel has of itself and of
 * its modules does not need it.
 */
#ifndef KPTRACE_BTF_H
#define KPTRACE_BTF_H

#include "lib/base/port.h"

/* Most bytes of a blob; kpt_btf_slot.at has 24 bits for the word of a type. */
#define KPT_BTF_MAX	(64U << 20)

/* The first word of a blob: BTF_MAGIC, BTF_VERSION, no flags. */
#define KPT_BTF_WORD	0x0001eb9f

/* Most types in a chain of pointers, arrays, typedefs and qualifiers. */
#define KPT_BTF_CHAIN	32

/*
 * Limits of the search for a member by its name: how deep anonymous members may be in each
 * other, and how many are looked into.
 */
#define KPT_BTF_NESTED	16
#define KPT_BTF_ANONYMOUS 256

/* Most members that a visit to a structure sees, those of anonymous ones included. */
#define KPT_BTF_MEMBERS	(1U << 16)

/*
 * Of a blob that kpt_btf_check() accepts: most characters of a name; most types whose names
 * have the same hash, as those have that begin alike. A kernel has some 2,000.
 */
#define KPT_BTF_NAME	1023
#define KPT_BTF_ALIKE	8192

/* BTF_KIND_*; VOID is type 0 alone. */
enum kpt_btf_kind {
	KPT_BTF_VOID,
	KPT_BTF_INT,
	KPT_BTF_PTR,
	KPT_BTF_ARRAY,
	KPT_BTF_STRUCT,
	KPT_BTF_UNION,
	KPT_BTF_ENUM,
	KPT_BTF_FWD,
	KPT_BTF_TYPEDEF,
	KPT_BTF_VOLATILE,
	KPT_BTF_CONST,
	KPT_BTF_RESTRICT,
	KPT_BTF_FUNC,
	KPT_BTF_FUNC_PROTO,
	KPT_BTF_VAR,
	KPT_BTF_DATASEC,
	KPT_BTF_FLOAT,
	KPT_BTF_DECL_TAG,
	KPT_BTF_TYPE_TAG,
	KPT_BTF_ENUM64,
	KPT_NR_BTF_KINDS,
};

/**
 * struct kpt_btf_type - a type in a blob
 * @name: offset of its name, see kpt_btf_name()
 * @info: bits 0..23 number of elements, 24..30 kind, 31 a flag
 * @type: the type it refers to, or its size in bytes
 * @more: the words that depend on its kind: of an integer its encoding; of an array
 *	element type, index type and length; three words of each member (name,
 *	type, place), two of each parameter (name, type)
 */
struct kpt_btf_type {
	u32 name;
	u32 info;
	u32 type;
	u32 more[];
};

/**
 * struct kpt_btf_slot - where a type is
 * @at: bits 0..23: the word of kpt_btf.types where it begins; 24..31: its depth of
 *	nesting by value, known after kpt_btf_check()
 * @next: the slot, plus 1, of the type before it with the same hash of its name, or 0
 */
struct kpt_btf_slot {
	u32 at;
	u32 next;
};

/**
 * struct kpt_btf_member - a member of a structure or union
 * @name: offset of its name
 * @type: number of its type
 * @bit: where it begins, in bits from the begin of the structure
 * @width: the number of bits of a bit field; 0 if it is none, or if its type (an old
 *	style INT with an offset of its own) says so
 */
struct kpt_btf_member {
	u32 name;
	u32 type;
	u32 bit;
	u32 width;
};

/**
 * struct kpt_btf - a blob
 * @blob: the bytes; they must not be freed before this struct
 * @size: number of bytes
 * @base: BTF of the kernel, indexed, if this is BTF of a module; else NULL
 * @index: a slot for each type
 * @heads: for each hash of a name the slot, plus 1, of the last type with it, or 0
 * @shift: how far to shift a product to the right to get its hash
 * @types: all types
 * @types_words: length of @types
 * @strings: all names
 * @strings_len: length of @strings
 * @first: number of the first type
 * @end: number of the last type, plus 1
 * @first_string: offset of @strings[0]
 *
 * The caller sets @blob, @size and @base.
 */
struct kpt_btf {
	const void *blob;
	size_t size;
	const struct kpt_btf *base;
	struct kpt_btf_slot *index;
	u32 *heads;
	u32 shift;
	const u32 *types;
	u32 types_words;
	const char *strings;
	u32 strings_len;
	u32 first;
	u32 end;
	u32 first_string;
};

/** kpt_btf_kind() - the kind of a type */
static inline enum kpt_btf_kind kpt_btf_kind(const struct kpt_btf_type *t)
{
	return t->info >> 24 & 0x7f;
}

/** kpt_btf_nr() - the number of members, parameters or values of a type */
static inline u32 kpt_btf_nr(const struct kpt_btf_type *t)
{
	return t->info & 0xffffff;
}

/**
 * struct kpt_btf_part - a structure whose members are visited
 * @t: the structure
 * @bit: where it begins, in bits from the begin of the outermost one
 * @next: index of its next member
 */
struct kpt_btf_part {
	const struct kpt_btf_type *t;
	u32 bit;
	u32 next;
};

/**
 * struct kpt_btf_members - a visit to the members of a structure
 * @btf: the blob
 * @stack: the structure, and an anonymous one in each of those before it
 * @depth: index of the innermost one
 * @left: how many anonymous ones may still be visited
 * @members: how many members may still be
 */
struct kpt_btf_members {
	const struct kpt_btf *btf;
	struct kpt_btf_part stack[KPT_BTF_NESTED];
	u32 depth;
	u32 left;
	u32 members;
};

size_t kpt_btf_length(const void *head, size_t size);
const char *kpt_btf_open(struct kpt_btf *btf);
size_t kpt_btf_index_size(const struct kpt_btf *btf);
const char *kpt_btf_index(struct kpt_btf *btf, void *memory);
const char *kpt_btf_check(struct kpt_btf *btf);
const struct kpt_btf_type *kpt_btf_type(const struct kpt_btf *btf, u32 id);
const struct kpt_btf_type *kpt_btf_resolve(const struct kpt_btf *btf, u32 id);
bool kpt_btf_is_user(const struct kpt_btf *btf, u32 id);
const char *kpt_btf_name(const struct kpt_btf *btf, u32 offset);
u32 kpt_btf_find(const struct kpt_btf *btf, enum kpt_btf_kind kind,
		 const char *name, u32 after);
void kpt_btf_nth_member(const struct kpt_btf_type *t, u32 n,
			struct kpt_btf_member *member);
void kpt_btf_members_init(struct kpt_btf_members *members,
			  const struct kpt_btf *btf, const struct kpt_btf_type *t);
bool kpt_btf_members_next(struct kpt_btf_members *members,
			  struct kpt_btf_member *member);

#endif
