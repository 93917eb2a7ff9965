/* SPDX-License-Identifier: GPL-2.0-only */
/* Functions with names that are like a wrong one. */
#ifndef KPTRACE_SIMILAR_FUNCTION_H
#define KPTRACE_SIMILAR_FUNCTION_H

#include "lib/base/similar.h"

int kpt_similar_function(const char *module, const char *name, struct kpt_similar *s);
int kpt_similar_tell_function(const char *module, const char *name, struct kpt_diag *diag);

#endif
