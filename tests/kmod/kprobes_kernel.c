// SPDX-License-Identifier: GPL-2.0-only
/* kprobes.c with the kernel's own kprobes. */
#include "kprobes.c"
