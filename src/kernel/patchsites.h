/* SPDX-License-Identifier: GPL-2.0-only */
/* Addresses in text that somebody else patches, or that only look like text. */
#ifndef KPTRACE_PATCHSITES_H
#define KPTRACE_PATCHSITES_H

#include "lib/diag.h"

int kpt_patchsites_check(unsigned long addr, struct kpt_diag *diag);

#endif
