// SPDX-License-Identifier: GPL-2.0-only
/* The part hist: histograms, their variables and actions, and synthetic events. */
#include "part.h"

const struct kpt_part kpt_part_hist = {
	.name = "hist",
};
