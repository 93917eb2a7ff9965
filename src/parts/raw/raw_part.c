// SPDX-License-Identifier: GPL-2.0-only
/* The part raw: records in binary pages, as trace-cmd reads them. */
#include "part.h"

const struct kpt_part kpt_part_raw = {
	.name = "raw",
};
