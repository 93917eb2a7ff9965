// SPDX-License-Identifier: GPL-2.0-only
/* The part module: other modules have probes whose hits call their functions. */
#include "part.h"

const struct kpt_part kpt_part_module = {
	.name = "module",
};
