// SPDX-License-Identifier: GPL-2.0-only
/* Copy the names of the values of an enumeration out of BTF. */
#include "lib/base/port.h"
#include "lib/base/lex.h"
#include "parts/btf/enum_make.h"

static bool is_enum64(const struct kpt_btf_type *t)
{
	return kpt_btf_kind(t) == KPT_BTF_ENUM64;
}

/* Offset of the @i-th name among the strings of the blob. */
static u32 enum_name_at(const struct kpt_btf_type *t, u32 i)
{
	return t->more[(is_enum64(t) ? 3 : 2) * i];
}

/* The @i-th value, its sign extended; BTF may have it with fewer bytes than it has. */
static s64 enum_value(const struct kpt_btf_type *t, u32 i)
{
	if (is_enum64(t))
		return (s64)((u64)t->more[3 * i + 2] << 32 | t->more[3 * i + 1]);
	return (s32)t->more[2 * i + 1];
}

/**
 * kpt_enum_is_signed() - may values of an enumeration be negative?
 * @t: the enumeration
 *
 * Old BTF does not tell; then one is signed if a value has its highest bit set, which is
 * right for all bit fields: of one that has fewer bits than that, it is the sign.
 *
 * Context: any.
 * Return: true if they may.
 */
bool kpt_enum_is_signed(const struct kpt_btf_type *t)
{
	u32 i, nr = kpt_btf_nr(t);

	if (t->info >> 31 || is_enum64(t))
		return t->info >> 31;
	for (i = 0; i < nr; i++)
		if (enum_value(t, i) < 0)
			return true;
	return false;
}

/* C has no other names; those of other languages might not survive a print fmt. */
static bool name_is_usable(const char *name)
{
	return kpt_lex_is_name(name, strlen(name), false);
}

/**
 * kpt_enum_has() - is a type an enumeration with a value of that name?
 * @btf: the blob, indexed
 * @id: number of the type
 * @name: the name
 *
 * Context: any.
 * Return: true if it is.
 */
bool kpt_enum_has(const struct kpt_btf *btf, u32 id, const char *name)
{
	const struct kpt_btf_type *t = kpt_btf_type(btf, id);
	u32 i, nr = kpt_btf_nr(t);

	if (kpt_btf_kind(t) != KPT_BTF_ENUM && !is_enum64(t))
		return false;
	for (i = 0; i < nr; i++)
		if (!strcmp(kpt_btf_name(btf, enum_name_at(t, i)), name))
			return true;
	return false;
}

/**
 * kpt_enum_room() - memory for the names of the values of a type
 * @btf: the blob, indexed
 * @id: number of the type
 * @room: result: bytes that kpt_enum_make() needs, written on success only
 *
 * Context: any.
 * Return: NULL; or the reason why there are no names, a constant text.
 */
const char *kpt_enum_room(const struct kpt_btf *btf, u32 id, size_t *room)
{
	const struct kpt_btf_type *t = kpt_btf_resolve(btf, id);
	u32 i, nr = kpt_btf_nr(t);
	size_t sum = sizeof(struct kpt_enum);

	if (kpt_btf_kind(t) != KPT_BTF_ENUM && !is_enum64(t))
		return "it is of another type";
	if (t->type != 1 && t->type != 2 && t->type != 4 && t->type != 8)
		return "it has no size of a number";
	if (!nr)
		return "BTF does not have its names";
	if (nr > KPT_ENUM_MAX)
		return "it has too many names";
	for (i = 0; i < nr && sum <= KPT_ENUM_BYTES; i++)
		sum += sizeof(struct kpt_enum_value) +
		       strlen(kpt_btf_name(btf, enum_name_at(t, i))) + 1;
	if (sum > KPT_ENUM_BYTES)
		return "it has too many names";
	*room = sum;
	return NULL;
}

/* Add a value, unless it has a name already: of two names the first one counts. */
static void enum_add(struct kpt_enum *e, u64 value, u32 name)
{
	u32 at = kpt_enum_lower(e, value);

	if (at < e->nr && e->value[at].value == value)
		return;
	memmove(&e->value[at + 1], &e->value[at],
		(e->nr - at) * sizeof(e->value[0]));
	e->value[at] = (struct kpt_enum_value){ .value = value, .name = name };
	e->nr++;
}

/**
 * kpt_enum_make() - copy the names of the values of a type
 * @e: result, as many bytes as kpt_enum_room() says
 * @btf: the blob, indexed
 * @id: number of the type
 * @size: bytes of the numbers that have these values
 *
 * Context: any; short, if the values are declared in their order.
 */
void kpt_enum_make(struct kpt_enum *e, const struct kpt_btf *btf, u32 id, u8 size)
{
	const struct kpt_btf_type *t = kpt_btf_resolve(btf, id);
	unsigned int unused = 64 - 8 * size;
	u32 i, nr = kpt_btf_nr(t);
	const char *name;
	size_t len;

	e->nr = 0;
	for (i = 0; i < nr; i++)
		if (name_is_usable(kpt_btf_name(btf, enum_name_at(t, i))))
			enum_add(e, (u64)enum_value(t, i) << unused >> unused,
				 enum_name_at(t, i));
	e->bytes = sizeof(*e) + e->nr * sizeof(e->value[0]);
	for (i = 0; i < e->nr; i++) {
		name = kpt_btf_name(btf, (u32)e->value[i].name);
		len = strlen(name) + 1;
		memcpy((char *)e + e->bytes, name, len);
		e->value[i].name = e->bytes;
		e->bytes += len;
	}
}
