/* SPDX-License-Identifier: GPL-2.0-only */
/* The names of the values of an enumeration, without the BTF that they are from. */
#ifndef KPTRACE_ENUM_H
#define KPTRACE_ENUM_H

#include "lib/base/port.h"

/**
 * struct kpt_enum_value - a value that has a name
 * @value: the value, without sign
 * @name: offset of its name from the begin of struct kpt_enum
 */
struct kpt_enum_value {
	u64 value;
	u64 name;
};

/**
 * struct kpt_enum - names of values
 * @bytes: of all this; two are the same if all of these bytes are
 * @nr: number of values
 * @value: the values, the smallest one first, each once; their names follow
 */
struct kpt_enum {
	u32 bytes;
	u32 nr;
	struct kpt_enum_value value[];
};

/**
 * kpt_enum_lower() - find the place of a value
 * @e: the names
 * @value: the value, without sign
 *
 * Context: any.
 * Return: index of the first value that is not less than @value.
 */
static inline u32 kpt_enum_lower(const struct kpt_enum *e, u64 value)
{
	u32 from = 0, to = e->nr, mid;

	while (from < to) {
		mid = from + (to - from) / 2;
		if (e->value[mid].value < value)
			from = mid + 1;
		else
			to = mid;
	}
	return from;
}

bool kpt_enum_value(const struct kpt_enum *e, const char *s, size_t len, u64 *value);
const char *kpt_enum_find(const struct kpt_enum *e, u64 value);

/**
 * kpt_enum_name() - the name of a value
 * @e: the names
 * @i: index of the value
 *
 * Context: any.
 * Return: the name, a C identifier.
 */
static inline const char *kpt_enum_name(const struct kpt_enum *e, u32 i)
{
	return (const char *)e + e->value[i].name;
}

/**
 * kpt_enum_same() - compare names of values
 * @a: the ones
 * @b: the others
 *
 * Context: any.
 * Return: true if the same values have the same names.
 */
static inline bool kpt_enum_same(const struct kpt_enum *a, const struct kpt_enum *b)
{
	return a->bytes == b->bytes && !memcmp(a, b, a->bytes);
}

#endif
