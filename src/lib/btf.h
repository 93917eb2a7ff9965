/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Types of the kernel and of modules: a reader of BTF.
 *
 * The format is that of Documentation/bpf/btf.rst and uapi/linux/btf.h. A blob
 * is checked once, as a whole; later readers rely on that and check nothing. In the
 * BTF of a module, the numbers of types and the offsets of strings begin where those
 * of the kernel, its base, end.
 */
#ifndef KPTRACE_BTF_H
#define KPTRACE_BTF_H

#include <kptrace/port.h>

/* Most bytes of a blob; the index has 24 bits for the word of a type. */
#define KPT_BTF_MAX	(64U << 20)

/* Most types in a chain of pointers, arrays, typedefs and qualifiers. */
#define KPT_BTF_CHAIN	32

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
 * struct kpt_btf - a blob
 * @blob: the bytes; they must not be freed before this struct
 * @size: number of bytes
 * @base: BTF of the kernel, checked, if this is BTF of a module; else NULL
 * @index: for each type the word of @types where it begins, and in bits 24..31 its
 *	depth of nesting by value
 * @types: all types
 * @types_words: length of @types
 * @strings: all names
 * @strings_len: length of @strings
 * @first: number of the first type
 * @end: number of the last type, plus 1
 * @first_string: offset of @strings[0]
 * @sorted: the types are ordered by name
 *
 * The caller sets @blob, @size and @base.
 */
struct kpt_btf {
	const void *blob;
	size_t size;
	const struct kpt_btf *base;
	u32 *index;
	const u32 *types;
	u32 types_words;
	const char *strings;
	u32 strings_len;
	u32 first;
	u32 end;
	u32 first_string;
	bool sorted;
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

const char *kpt_btf_count(struct kpt_btf *btf);
const char *kpt_btf_check(struct kpt_btf *btf, u32 *index);
const struct kpt_btf_type *kpt_btf_type(const struct kpt_btf *btf, u32 id);
const struct kpt_btf_type *kpt_btf_resolve(const struct kpt_btf *btf, u32 id);
const char *kpt_btf_name(const struct kpt_btf *btf, u32 offset);
u32 kpt_btf_find(const struct kpt_btf *btf, enum kpt_btf_kind kind,
		 const char *name, u32 after);

#endif
