// SPDX-License-Identifier: GPL-2.0-only
/* kprobes.c with kptrace. */
#include <kptrace/kprobes.h>
#include "kprobes.c"
