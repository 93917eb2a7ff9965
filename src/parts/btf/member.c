// SPDX-License-Identifier: GPL-2.0-only
/* Members of structures by their names, and sizes of types. */
#include "lib/base/port.h"
#include "lib/base/lex.h"
#include "lib/base/similar.h"
#include "parts/btf/member.h"

/**
 * kpt_btf_is_struct() - can a type have members?
 * @t: the type
 *
 * Context: any.
 * Return: true for structures and unions.
 */
bool kpt_btf_is_struct(const struct kpt_btf_type *t)
{
	return kpt_btf_kind(t) == KPT_BTF_STRUCT ||
	       kpt_btf_kind(t) == KPT_BTF_UNION;
}

/**
 * kpt_btf_is_text() - is a type a character of a string?
 * @btf: the blob, checked
 * @id: number of the type
 *
 * On arm64 char is unsigned, so all unsigned integers of a byte count.
 *
 * Context: any.
 * Return: true if it is.
 */
bool kpt_btf_is_text(const struct kpt_btf *btf, u32 id)
{
	const struct kpt_btf_type *t = kpt_btf_resolve(btf, id);

	return kpt_btf_kind(t) == KPT_BTF_INT && t->type == 1 &&
	       !(t->more[0] >> 24 & 1);
}

/**
 * kpt_btf_size() - size of a value
 * @btf: the blob, checked
 * @id: number of its type
 *
 * Context: any.
 * Return: bytes, no more than U32_MAX; 0 for what has no size.
 */
u64 kpt_btf_size(const struct kpt_btf *btf, u32 id)
{
	const struct kpt_btf_type *t = kpt_btf_resolve(btf, id);
	unsigned int depth = KPT_BTF_CHAIN;
	u64 n = 1;

	for (; kpt_btf_kind(t) == KPT_BTF_ARRAY && depth--;
	     t = kpt_btf_resolve(btf, t->more[0]))
		n = min_t(u64, n * t->more[2], U32_MAX);
	switch (kpt_btf_kind(t)) {
	case KPT_BTF_PTR:
		n *= 8;
		break;
	case KPT_BTF_INT:
	case KPT_BTF_STRUCT:
	case KPT_BTF_UNION:
	case KPT_BTF_ENUM:
	case KPT_BTF_ENUM64:
	case KPT_BTF_FLOAT:
		n *= t->type;
		break;
	default:
		n = 0;
	}
	return min_t(u64, n, U32_MAX);
}

/* Old compilers describe a bit field by an integer of its width. */
static void member_narrow(const struct kpt_btf *btf, struct kpt_member *member)
{
	const struct kpt_btf_type *t = kpt_btf_resolve(btf, member->type);
	u32 bits;

	if (kpt_btf_kind(t) != KPT_BTF_INT)
		return;
	bits = t->more[0] & 0xff;
	if (!bits || bits >= 8 * t->type)
		return;
	member->width = bits;
	member->bit += t->more[0] >> 16 & 0xff;
}

/**
 * kpt_member_find() - find a member of a structure or union
 * @btf: the blob, checked
 * @t: the structure
 * @name: name of the member
 * @len: its characters
 * @member: result, written on success only
 *
 * Members of anonymous structures count as members of the one that holds them.
 *
 * Context: any.
 * Return: true if there is one.
 */
bool kpt_member_find(const struct kpt_btf *btf, const struct kpt_btf_type *t,
		     const char *name, size_t len, struct kpt_member *member)
{
	struct kpt_btf_members members;
	struct kpt_btf_member m;

	if (!len || !kpt_btf_is_struct(t))
		return false;
	kpt_btf_members_init(&members, btf, t);
	while (kpt_btf_members_next(&members, &m)) {
		if (!kpt_lex_is(name, len, kpt_btf_name(btf, m.name)))
			continue;
		*member = (struct kpt_member){ .type = m.type, .bit = m.bit,
					       .width = m.width };
		if (!m.width)
			member_narrow(btf, member);
		return true;
	}
	return false;
}

/**
 * kpt_member_tell_similar() - say in a reason which member may have been meant
 * @btf: the blob, checked
 * @t: the structure
 * @name: a name that no member has
 * @len: its characters
 * @diag: the reason, already set; gets a detail if a name is similar
 *
 * Context: any.
 */
void kpt_member_tell_similar(const struct kpt_btf *btf, const struct kpt_btf_type *t,
			     const char *name, size_t len, struct kpt_diag *diag)
{
	struct kpt_btf_members members;
	struct kpt_btf_member m;
	struct kpt_similar like;
	const char *s;

	kpt_similar_begin(&like, name, len);
	kpt_btf_members_init(&members, btf, t);
	while (kpt_btf_members_next(&members, &m)) {
		s = kpt_btf_name(btf, m.name);
		kpt_similar_see(&like, s);
	}
	kpt_similar_tell(&like, diag);
}
