/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * In front of the kernel's own header of this name, for modules whose sources stay as
 * they are: see docs/handlers.md.
 */
#include_next <linux/kprobes.h>
#include <kptrace/kprobes.h>
