/* SPDX-License-Identifier: GPL-2.0-only */
/* Names of values of arguments, shared by all events. */
#ifndef KPTRACE_EVENT_ENUMS_H
#define KPTRACE_EVENT_ENUMS_H

#include "lib/fetch/fetch.h"

int kpt_enums_get(struct kpt_fetch_scratch *out);
void kpt_enums_put(const struct kpt_fields *fields);

#endif
