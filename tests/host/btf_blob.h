/* SPDX-License-Identifier: GPL-2.0-only */
/* Blobs of BTF made by hand: first the types, each with its words, then the blob. */
#ifndef BTF_BLOB_H
#define BTF_BLOB_H

#include <stdio.h>
#include <stdlib.h>
#include "parts/btf/btf.h"

struct blob {
	u32 first_id;
	u32 first_string;
	u32 nr;
	u32 types[32768];
	u32 words;
	char strings[4096];
	u32 strings_len;
};

/* A blob without types; of a module, if there is a @base. */
static inline void blob_init(struct blob *b, const struct blob *base)
{
	memset(b, 0, sizeof(*b));
	b->first_id = base ? base->first_id + base->nr : 1;
	b->first_string = base ? base->first_string + base->strings_len : 0;
	b->strings_len = base ? 0 : 1;
}

static inline u32 blob_string(struct blob *b, const char *s)
{
	u32 at = b->strings_len;

	if (!*s)
		return 0;
	strcpy(b->strings + at, s);
	b->strings_len += strlen(s) + 1;
	return b->first_string + at;
}

static inline void blob_word(struct blob *b, u32 word)
{
	b->types[b->words++] = word;
}

/* A type with @nr elements, which the caller adds; its number. */
static inline u32 blob_type(struct blob *b, enum kpt_btf_kind kind,
			    const char *name, u32 nr, u32 type)
{
	blob_word(b, blob_string(b, name));
	blob_word(b, (u32)kind << 24 | nr);
	blob_word(b, type);
	return b->first_id + b->nr++;
}

/* A type that only refers to another. */
static inline u32 blob_ref(struct blob *b, enum kpt_btf_kind kind, u32 type)
{
	return blob_type(b, kind, "", 0, type);
}

static inline u32 blob_int(struct blob *b, const char *name, u32 size,
			   bool is_signed)
{
	u32 id = blob_type(b, KPT_BTF_INT, name, 0, size);

	blob_word(b, (u32)is_signed << 24 | 8 * size);
	return id;
}

static inline u32 blob_array(struct blob *b, u32 type, u32 n)
{
	u32 id = blob_type(b, KPT_BTF_ARRAY, "", 0, 0);

	blob_word(b, type);
	blob_word(b, type);
	blob_word(b, n);
	return id;
}

/* A member of a structure. */
static inline void blob_member(struct blob *b, const char *name, u32 type,
			       u32 bit)
{
	blob_word(b, blob_string(b, name));
	blob_word(b, type);
	blob_word(b, bit);
}

/* A parameter of a prototype. */
static inline void blob_parameter(struct blob *b, const char *name, u32 type)
{
	blob_word(b, blob_string(b, name));
	blob_word(b, type);
}

/* The bytes, in memory of exactly their size. */
static inline u8 *blob_bytes(struct blob *b, size_t *size)
{
	u32 head[6] = { 0x0001eb9f, 24, 0, 4 * b->words, 4 * b->words,
			b->strings_len };
	u8 *bytes;

	*size = sizeof(head) + 4 * b->words + b->strings_len;
	bytes = malloc(*size);
	memcpy(bytes, head, sizeof(head));
	memcpy(bytes + sizeof(head), b->types, 4 * b->words);
	memcpy(bytes + sizeof(head) + 4 * b->words, b->strings, b->strings_len);
	return bytes;
}

/* Get an index of @bytes, in memory of exactly its size; NULL or the reason. */
static inline const char *blob_index(struct kpt_btf *btf, const u8 *bytes,
				     size_t size, const struct kpt_btf *base)
{
	const char *why;

	*btf = (struct kpt_btf){ .blob = bytes, .size = size, .base = base };
	why = kpt_btf_open(btf);
	if (why)
		return why;
	why = kpt_btf_index(btf, calloc(1, kpt_btf_index_size(btf)));
	if (why) {
		free(btf->heads);
		btf->heads = NULL;
	}
	return why;
}

/* The same, and check all. */
static inline const char *blob_open(struct kpt_btf *btf, const u8 *bytes,
				    size_t size, const struct kpt_btf *base)
{
	const char *why = blob_index(btf, bytes, size, base) ?: kpt_btf_check(btf);

	if (why) {
		free(btf->heads);
		btf->heads = NULL;
	}
	return why;
}

/* What blob_index() and blob_open() allocated. */
static inline void blob_free(struct kpt_btf *btf)
{
	free(btf->heads);
}

#endif
