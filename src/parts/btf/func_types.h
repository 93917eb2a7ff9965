/* SPDX-License-Identifier: GPL-2.0-only */
/* BTF of a function, found by its address. */
#ifndef KPTRACE_FUNC_TYPES_H
#define KPTRACE_FUNC_TYPES_H

#include <linux/types.h>
#include "parts/btf/btf.h"
#include "lib/base/strbuf.h"

const struct kpt_btf *kpt_func_find(unsigned long addr, const char *name, u32 *func,
				    struct kpt_strbuf *why);

#endif
