// SPDX-License-Identifier: GPL-2.0-only
/* The module of the event in rel.h. Writing TEXT to its parameter "text" is a hit. */
#include <linux/module.h>
#include <linux/string.h>
#define CREATE_TRACE_POINTS
#include "rel.h"

static int set_text(const char *text, const struct kernel_param *kp)
{
	trace_kpt_rel_text(text);
	return 0;
}

static const struct kernel_param_ops text_ops = { .set = set_text };
module_param_cb(text, &text_ops, NULL, 0200);
MODULE_DESCRIPTION("A static event with a relative location, for tests of kptrace");
MODULE_LICENSE("GPL");
