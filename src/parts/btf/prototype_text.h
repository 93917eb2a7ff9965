/* SPDX-License-Identifier: GPL-2.0-only */
/* Prototypes of functions as text, and the places of their arguments. */
#ifndef KPTRACE_PROTOTYPE_H
#define KPTRACE_PROTOTYPE_H

#include "lib/base/port.h"
#include "parts/btf/btf.h"
#include "lib/base/strbuf.h"

void kpt_prototype_put(struct kpt_strbuf *sb, const struct kpt_btf *btf,
		       u32 func);

#endif
