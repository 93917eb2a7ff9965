// SPDX-License-Identifier: GPL-2.0-only
/* Defines the tracepoints of target_trace.h. */
#include <linux/module.h>
#include <linux/string.h>
#define CREATE_TRACE_POINTS
#include "target_trace.h"
