// SPDX-License-Identifier: GPL-2.0-only
/* The names of the values of an enumeration. */
#include "lib/base/port.h"
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
