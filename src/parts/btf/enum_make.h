/* SPDX-License-Identifier: GPL-2.0-only */
/* The names of the values of an enumeration, out of BTF. */
#ifndef KPTRACE_ENUM_MAKE_H
#define KPTRACE_ENUM_MAKE_H

#include "lib/record/enum.h"
#include "parts/btf/btf.h"

/* Most names of an enumeration, and most bytes of a struct kpt_enum. */
#define KPT_ENUM_MAX	8192
#define KPT_ENUM_BYTES	(1U << 20)

bool kpt_enum_is_signed(const struct kpt_btf_type *t);
const char *kpt_enum_room(const struct kpt_btf *btf, u32 id, size_t *room);
bool kpt_enum_has(const struct kpt_btf *btf, u32 id, const char *name);
void kpt_enum_make(struct kpt_enum *e, const struct kpt_btf *btf, u32 id, u8 size);

#endif
