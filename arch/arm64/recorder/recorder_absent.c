// SPDX-License-Identifier: GPL-2.0-only
/*
 * What recorders put for parts, in a kptrace that was built without the part, see src/absent.c.
 * No list has what these are for, so none is called.
 */
#include "kernel/compat.h"
#include "kernel/absent.h"
#include "recorder/recorder.h"

/* hist */
ABSENT(bool, kpt_recorder_wants_stack, (const struct kpt_arch_hist *hist), false)
ABSENT_VOID(kpt_recorder_put_hist,
	    (struct kpt_recorder_code *r, const struct kpt_arch_hist *hist))
ABSENT_VOID(kpt_recorder_put_hash, (struct kpt_code *c))
ABSENT_VOID(kpt_recorder_put_compare, (struct kpt_code *c))

/* tracer */
ABSENT_VOID(kpt_recorder_put_graph_save, (struct kpt_code *c))
ABSENT_VOID(kpt_recorder_put_graph_load, (struct kpt_code *c))
ABSENT_VOID(kpt_recorder_put_graph_check, (struct kpt_recorder_code *r))
ABSENT_VOID(kpt_recorder_put_graph_timed, (struct kpt_recorder_code *r))
ABSENT_VOID(kpt_recorder_put_graph_made, (struct kpt_code *c))
