/* SPDX-License-Identifier: GPL-2.0-only */
/* What hits keep of the tracer function with option func-no-repeats. */
#ifndef KPTRACE_REPEATS_H
#define KPTRACE_REPEATS_H

#include <linux/types.h>

/**
 * struct kpt_repeats - the last call on a CPU
 * @func: entry of the function; 0 before the first call
 * @ret_ip: the address that it returns to
 * @stamp: when it was made the last time
 * @count: how often it was made again since it was recorded
 */
struct kpt_repeats {
	unsigned long func;
	unsigned long ret_ip;
	u64 stamp;
	u32 count;
};

#endif
