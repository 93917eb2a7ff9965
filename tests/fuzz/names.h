/* SPDX-License-Identifier: GPL-2.0-only */
/* What must hold of the names of the values of any type. */
#ifndef NAMES_H
#define NAMES_H

#include "parts/btf/enum_make.h"
#include "parts/btf/member.h"
#include "input.h"

/* Copy them to memory of exactly their size; NULL if the type has none. */
static inline struct kpt_enum *take_names(const struct kpt_btf *btf, u32 id)
{
	struct kpt_enum *e;
	size_t room = 0;
	u32 i;

	if (kpt_enum_room(btf, id, &room)) {
		MUST(!room);
		return NULL;
	}
	e = malloc(room);
	kpt_enum_make(e, btf, id, (u8)kpt_btf_size(btf, id));
	MUST(e->bytes <= room && e->nr <= KPT_ENUM_MAX);
	for (i = 0; i < e->nr; i++) {
		MUST(!i || e->value[i].value > e->value[i - 1].value);
		MUST(e->value[i].name < e->bytes);
		MUST(kpt_enum_find(e, e->value[i].value) == kpt_enum_name(e, i));
	}
	return e;
}

#endif
