/* SPDX-License-Identifier: GPL-2.0-only */
/* Shared by the tests of fetch programs. */
#ifndef FETCH_WORLD_H
#define FETCH_WORLD_H

#include "lib/fetch/fetch.h"
#include "world.h"

static struct kpt_def def;
static struct kpt_diag diag;
static struct kpt_fetch_scratch out;

static inline void add_symbol(const char *name, u64 addr, u64 size)
{
	world.symbols[world.nr_symbols++] =
		(struct world_symbol){ name, addr, size };
}

/* A probe at offset 0 is at a function's entry. */
static inline int compile_at(const char *line, bool pending)
{
	struct kpt_fetch_place place = { .is_pending = pending };
	int err = kpt_def_parse(&def, line, strlen(line), &diag);

	if (err)
		return err;
	place.is_return = def.kind == KPT_DEF_RETURN;
	place.head = place.is_return ? &kpt_head_return : &kpt_head_place;
	place.is_entry = !place.is_return && !def.offset;
	place.hidden = def.of_tracepoint;
	memset(&out, '#', sizeof(out));
	return kpt_fetch_compile(&out, &def, &place, &diag);
}

static inline int compile(const char *line)
{
	return compile_at(line, false);
}

#endif
