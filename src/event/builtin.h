/* SPDX-License-Identifier: GPL-2.0-only */
/* Events that nobody defines. */
#ifndef KPTRACE_BUILTIN_H
#define KPTRACE_BUILTIN_H

#include "event/event_file.h"

/**
 * struct kpt_builtin_print - ftrace:print as its triggers see it: the text is a string as
 * those of probes are
 * @print: as in the ring
 * @loc: where the text is
 * @text: the text
 */
struct kpt_builtin_print {
	struct kpt_record_print print;
	u32 loc;
	char text[];
};

void kpt_builtin_init(void);
int kpt_builtin_add(struct kpt_instance *instance);

#endif
