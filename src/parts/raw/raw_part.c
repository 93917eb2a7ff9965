// SPDX-License-Identifier: GPL-2.0-only
/* The part raw: records in binary pages, as trace-cmd reads them. */
#include "parts/raw/raw.h"
#include "part.h"

static const struct kpt_part_files files[] = {
	{ KPT_DIR_CPU, &kpt_raw_entries },
	{ KPT_DIR_EVENTS, &kpt_header_entries },
	{ }
};

KPT_PART(raw) = {
	.name = "raw",
	.files = files,
	.readme = {
[KPT_README_READING] =
"  per_cpu/cpu<N>/trace_pipe_raw, snapshot_raw - Its records in binary pages, which\n"
"			  events/header_page and header_event describe\n",
	},
};
