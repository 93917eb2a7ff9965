/* SPDX-License-Identifier: GPL-2.0-only */
/* Members of structures by their names, and sizes of types. */
#ifndef KPTRACE_MEMBER_H
#define KPTRACE_MEMBER_H

#include "lib/base/diag.h"
#include "parts/btf/btf.h"

/**
 * struct kpt_member - a part of a structure
 * @type: number of its type
 * @bit: bits from the start of the structure
 * @width: bits of a bit field, 0 for other members
 */
struct kpt_member {
	u32 type;
	u64 bit;
	u32 width;
};

bool kpt_member_find(const struct kpt_btf *btf, const struct kpt_btf_type *t,
		     const char *name, size_t len, struct kpt_member *member);
void kpt_member_tell_similar(const struct kpt_btf *btf, const struct kpt_btf_type *t,
			     const char *name, size_t len, struct kpt_diag *diag);
u64 kpt_btf_size(const struct kpt_btf *btf, u32 id);
bool kpt_btf_is_struct(const struct kpt_btf_type *t);
bool kpt_btf_is_text(const struct kpt_btf *btf, u32 id);

#endif
