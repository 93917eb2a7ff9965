// SPDX-License-Identifier: GPL-2.0-only
/* The part objtrace: calls that take an object. */
#include "part.h"

const struct kpt_part kpt_part_objtrace = {
	.name = "objtrace",
};
