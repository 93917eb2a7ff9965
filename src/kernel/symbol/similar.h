/* SPDX-License-Identifier: GPL-2.0-only */
/* Functions with names that are like a wrong one. */
#ifndef KPTRACE_SIMILAR_H
#define KPTRACE_SIMILAR_H

#include "lib/base/diag.h"

int kpt_similar_function(const char *module, const char *name, char *found);
int kpt_similar_tell(const char *module, const char *name, struct kpt_diag *diag);

#endif
