/* SPDX-License-Identifier: GPL-2.0-only */
/* Files of records in binary pages. */
#ifndef KPTRACE_RAW_H
#define KPTRACE_RAW_H

#include "fs/fs.h"

/* Of a CPU, and of events/. */
extern const struct kpt_fs_table kpt_raw_entries;
extern const struct kpt_fs_table kpt_header_entries;

#endif
