/* SPDX-License-Identifier: GPL-2.0-only */
/* Functions with names that are like a wrong one. */
#ifndef KPTRACE_SIMILAR_H
#define KPTRACE_SIMILAR_H

#include <linux/types.h>

bool kpt_similar_function(const char *name, char *found);

#endif
