// SPDX-License-Identifier: GPL-2.0-only
/* The names of the values of an enumeration. */
#include "lib/base/port.h"
#include "lib/base/lex.h"
#include "lib/record/enum.h"

/**
 * kpt_enum_find() - find the name of a value
 * @e: the names
 * @value: the value, without sign
 *
 * Context: any.
 * Return: its name; NULL if it has none.
 */
const char *kpt_enum_find(const struct kpt_enum *e, u64 value)
{
	u32 i = kpt_enum_lower(e, value);

	return i < e->nr && e->value[i].value == value ? kpt_enum_name(e, i) : NULL;
}

/**
 * kpt_enum_value() - find the value of a name
 * @e: the names
 * @s: the name
 * @len: its characters
 * @value: result, without sign, written on success only
 *
 * Context: any.
 * Return: true, or false if no value has it.
 */
bool kpt_enum_value(const struct kpt_enum *e, const char *s, size_t len, u64 *value)
{
	u32 i;

	for (i = 0; i < e->nr; i++) {
		if (!kpt_lex_is(s, len, kpt_enum_name(e, i)))
			continue;
		*value = e->value[i].value;
		return true;
	}
	return false;
}
