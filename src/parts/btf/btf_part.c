// SPDX-License-Identifier: GPL-2.0-only
/* The part btf: names and types of arguments. */
#include "fs/fs.h"
#include "parts/btf/kernel_btf.h"
#include "part.h"

const struct kpt_part kpt_part_btf = {
	.name = "btf",
	.stage[KPT_STAGE_SYMBOLS] = { .init = kpt_btf_init, .exit = kpt_btf_exit },
	.stage[KPT_STAGE_TRIGGERS] = { .init = kpt_btf_param_init },
};
