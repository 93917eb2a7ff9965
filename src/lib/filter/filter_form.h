/* SPDX-License-Identifier: GPL-2.0-only */
/* Values of filters in the form that lines show them in. */
#ifndef KPTRACE_FILTER_FORM_H
#define KPTRACE_FILTER_FORM_H

#include "lib/record/record.h"

size_t kpt_filter_read_form(const struct kpt_field *arg, const char *s, size_t len,
			    u64 *value, u64 *mask);

#endif
