// SPDX-License-Identifier: GPL-2.0-only
/*
 * What functions of arch/arm64/PART do in a kptrace that was built without the part, see
 * src/absent.c.
 */
#include "kernel/compat.h"
#include "kernel/absent.h"
#include "lib/base/strbuf.h"
#include "recorder/recorder.h"
#include "engine.h"

/* recorder: no list has code, so kpt_arch_saved_regs() is not called */
ABSENT_VOID(kpt_recorder_init, (void))
ABSENT_VOID(kpt_recorder_exit, (bool all))
ABSENT(size_t, kpt_arch_recorder_size, (void), sizeof(struct kpt_arch_recorder))
ABSENT_VOID(kpt_arch_recorder_put, (const struct kpt_arch_recorder *recorder))
ABSENT_VOID(kpt_arch_recorder_forget, (void))
ABSENT_VOID(kpt_arch_saved_regs, (struct pt_regs *regs, const struct kpt_arch_saved *saved))

ABSENT_VOID(kpt_recorder_status, (struct kpt_strbuf *sb),
	    kpt_strbuf_puts(sb, "recorders: none: " NOT_BUILT("recorder") "\n"))

/* static; also where the kernel has no static events */
const char __weak kpt_arch_records_ours[1] = "";
ABSENT(int, kpt_arch_records_on, (void), -EOPNOTSUPP)
ABSENT_VOID(kpt_arch_records_off, (void))
ABSENT_VOID(kpt_records_exit, (void))

/* What recorders put for other parts: no list has what these are for, so none is called. */

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
