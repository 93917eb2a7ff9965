// SPDX-License-Identifier: GPL-2.0-only
/*
 * What functions of parts do in a kptrace that was built without the part. They are weak:
 * where the part is built, the linker takes its function instead, and calls are direct
 * as any other. Here are functions that hits run, and those that plain C needs; all else
 * that parts do is found through struct kpt_part.
 */
#include "kernel/compat.h"
#include "kernel/absent.h"
#include "arming/list_recorder.h"
#include "arming/sites.h"
#include "buffer/buffer.h"
#include "event/class.h"
#include "event/declared.h"
#include "fs/fs.h"
#include "hit/internal.h"
#include "kernel/comms.h"
#include "lib/fetch/fetch_internal.h"
#include "lib/format/format.h"
#include "trigger/ops.h"
#include "part.h"

/* A row of KPT_TRIGGERS of a part. */
#define ABSENT_TRIGGER(word, part)						\
	const struct kpt_trigger_ops __weak kpt_trigger_##word##_ops = {	\
		.name = #word, .left_out = part,				\
	};									\
	ABSENT_VOID(kpt_trigger_##word##_run,					\
		    (struct kpt_trigger *t, const struct kpt_hit *hit))

/* bridge */
ABSENT(bool, kpt_hit_bridge_wants, (const struct kpt_bridge *bridge), false)
ABSENT_VOID(kpt_hit_bridge, (struct kpt_bridge *bridge, const struct kpt_hit *hit))

/* btf: without types, as on a kernel that has none */
static const struct kpt_btf *no_types(struct kpt_strbuf *why)
{
	kpt_strbuf_puts(why, NOT_BUILT("btf"));
	return NULL;
}

static int no_names(struct kpt_fetch_ctx *ctx, const struct kpt_span *arg)
{
	return kpt_part_refuse(ctx->diag, arg->at, "btf");
}

/* $retval alone is x0. */
static int no_result(struct kpt_fetch_ctx *ctx, const struct kpt_span *arg,
		     struct kpt_fetch_expr *expr)
{
	if (arg->len > strlen("$retval"))
		return no_names(ctx, arg);
	kpt_fetch_add_step(expr, KPT_OP_REG);
	expr->kind = KPT_FETCH_VALUE;
	return 0;
}

static int no_enum(struct kpt_fetch_ctx *ctx, const struct kpt_fetch_type *type)
{
	return kpt_part_refuse(ctx->diag, type->span.at, "btf");
}

ABSENT(const struct kpt_btf *, kpt_btf_of, (const char *module, struct kpt_strbuf *why),
       no_types(why))
ABSENT(const struct kpt_btf *, kpt_func_types,
       (unsigned long addr, const char *name, u32 *func, struct kpt_strbuf *why),
       no_types(why))
ABSENT(int, kpt_btf_offset,
       (const char *type, const char *path, u64 *offset, u64 *size), -EOPNOTSUPP)
ABSENT_VOID(kpt_prototype_describe,
	    (char *text, size_t size, unsigned long addr, const char *name))
ABSENT(int, kpt_enums_get, (struct kpt_fetch_scratch *out), 0)
ABSENT_VOID(kpt_enums_put, (const struct kpt_fields *fields))
ABSENT(u32, kpt_fetch_params, (struct kpt_fetch_ctx *ctx), 0)
ABSENT(const char *, kpt_fetch_param_name, (const struct kpt_fetch_ctx *ctx, u32 n), "")
ABSENT(u32, kpt_fetch_param_word, (const struct kpt_fetch_ctx *ctx, u32 n), 0)
ABSENT(int, kpt_fetch_param,
       (struct kpt_fetch_ctx *ctx, const struct kpt_span *arg, u32 n,
	struct kpt_fetch_expr *expr), no_names(ctx, arg))
ABSENT(int, kpt_fetch_name,
       (struct kpt_fetch_ctx *ctx, const struct kpt_span *arg, struct kpt_fetch_expr *expr),
       no_names(ctx, arg))
ABSENT(int, kpt_fetch_retval,
       (struct kpt_fetch_ctx *ctx, const struct kpt_span *arg, struct kpt_fetch_expr *expr),
       no_result(ctx, arg, expr))
ABSENT(int, kpt_fetch_current,
       (struct kpt_fetch_ctx *ctx, const struct kpt_span *arg, struct kpt_fetch_expr *expr),
       no_names(ctx, arg))
ABSENT(int, kpt_fetch_open_cast,
       (struct kpt_fetch_ctx *ctx, struct kpt_span *arg, struct kpt_fetch_cast *cast),
       no_names(ctx, arg))
ABSENT(int, kpt_fetch_close_cast,
       (struct kpt_fetch_ctx *ctx, const struct kpt_fetch_cast *cast,
	struct kpt_fetch_expr *expr), -EOPNOTSUPP)
ABSENT(int, kpt_fetch_take_enum,
       (struct kpt_fetch_ctx *ctx, struct kpt_fetch_type *type, struct kpt_fetch_expr *expr),
       no_enum(ctx, type))
ABSENT(bool, kpt_fetch_is_wide, (const struct kpt_fetch_expr *expr), false)
ABSENT(int, kpt_fetch_take_string,
       (struct kpt_fetch_ctx *ctx, struct kpt_fetch_type *type, struct kpt_fetch_expr *expr),
       0)
ABSENT(int, kpt_fetch_take_type,
       (struct kpt_fetch_ctx *ctx, struct kpt_fetch_type *type, unsigned int body,
	struct kpt_fetch_expr *expr), 0)
ABSENT(bool, kpt_format_call,
       (struct kpt_strbuf *sb, const struct kpt_line *line, u64 func, size_t at), false)

/* crash */
ABSENT_TRIGGER(dump, "crash")
ABSENT_TRIGGER(cpudump, "crash")

/* hist */
ABSENT_TRIGGER(hist, "hist")
ABSENT_TRIGGER(enable_hist, "hist")
ABSENT_TRIGGER(disable_hist, "hist")
ABSENT_VOID(kpt_hit_deliver_synth, (struct kpt_hit *cause))
ABSENT_VOID(kpt_hit_recorded_synth,
	    (const struct kpt_arch_recorder *recorder, const struct kpt_arch_saved *saved))
ABSENT(bool, kpt_hit_recorded, (void *trigger, void *record), true)
ABSENT(bool, kpt_hit_recorded_slow, (void *trigger, void *record), true)
ABSENT(bool, kpt_hit_marked, (void *trigger, void *record), true)
ABSENT_VOID(kpt_format_synth, (struct kpt_strbuf *sb, const struct kpt_line *line))

/* kept */
ABSENT(struct kpt_comm_table *, kpt_persist_comms, (void), NULL)
ABSENT_VOID(kpt_persist_note_clock, (enum kpt_clock clock, u64 cleared))
ABSENT_VOID(kpt_past_describe, 
	    (const struct kpt_instance *instance, struct kpt_line *line, char *comm))
ABSENT_VOID(kpt_past_update, (const struct kpt_instance *instance))
ABSENT_VOID(kpt_past_show_cpu,
	    (const struct kpt_instance *instance, int cpu, struct seq_file *m))

/* objtrace */
ABSENT_TRIGGER(objtrace, "objtrace")
ABSENT_VOID(kpt_hit_watch, (const struct kpt_handler *handler, struct kpt_hit *hit))
ABSENT(bool, kpt_hit_watched,
       (struct kpt_arch_point *ap, struct pt_regs *regs, const struct kpt_arch_recorder *recorder),
       true)

/* perf */
ABSENT_VOID(kpt_hit_perf,
	    (const struct kpt_handler *handler, const struct kpt_sink *sink, struct kpt_hit *hit))

ABSENT(bool, kpt_hit_recorded_perf,
       (void *file, void *record, const struct kpt_arch_saved *saved,
	const struct kpt_arch_recorder *recorder),
       true)

/* recorder: C has all hits */
ABSENT(struct kpt_handlers *, kpt_handlers_add_recorder, (struct kpt_handlers *list), list)

/* sample */
ABSENT_VOID(kpt_sample_yield, (struct kpt_hook *hook))

/* static */
ABSENT(const char *, kpt_static_why_none, (void), NOT_BUILT("static"))
ABSENT(void *, kpt_hit_reserve,
       (struct trace_event_buffer *buffer, struct trace_event_file *file,
	unsigned long size), NULL)
ABSENT_VOID(kpt_hit_publish, (struct trace_event_buffer *buffer))
ABSENT(bool, kpt_hit_commit_copy, (struct trace_event_buffer *buffer, bool irqs_off), true)
ABSENT_VOID(kpt_hit_commit, (struct trace_event_buffer *buffer, struct pt_regs *regs))
ABSENT_VOID(kpt_hit_commit_missed, (struct trace_event_buffer *buffer))

/* tracer */
ABSENT(const char *, kpt_tracer_name, (const struct kpt_instance *instance), "nop")
ABSENT(bool, kpt_tracer_is_graph, (const struct kpt_instance *instance), false)
ABSENT(kpt_tracer_header_t, kpt_tracer_header, (const struct kpt_instance *instance), NULL)
ABSENT_VOID(kpt_format_graph,
	    (struct kpt_strbuf *sb, const struct kpt_line *line, struct kpt_graph_cpu *state,
	     const void *next, size_t size))
ABSENT(bool, kpt_graph_leaves_out, (const struct kpt_probe *probe, unsigned long func), true)
ABSENT(const struct kpt_arch_graph *, kpt_graph_calls, (const struct kpt_probe *probe), NULL)
ABSENT(bool, kpt_hit_graph,
       (struct kpt_arch_point *ap, struct pt_regs *regs, const struct kpt_arch_recorder *recorder),
       true)
ABSENT(bool, kpt_hit_max_stack_only,
       (struct kpt_arch_point *ap, struct pt_regs *regs, const struct kpt_arch_recorder *recorder),
       true)
ABSENT_VOID(kpt_hit_graph_enter,
	    (const struct kpt_handlers *handlers, const struct kpt_handler *handler,
	     const struct kpt_hit *hit))
ABSENT_VOID(kpt_hit_graph_return,
	    (const struct kpt_handler *handler, const struct kpt_hit *hit))
ABSENT_VOID(kpt_hit_profile_return,
	    (const struct kpt_handler *handler, const struct kpt_hit *hit))
ABSENT_VOID(kpt_hit_profile_enter,
	    (const struct kpt_handlers *handlers, const struct kpt_handler *handler,
	     const struct kpt_hit *hit))
ABSENT_VOID(kpt_hit_max_stack, (const struct pt_regs *regs))
ABSENT_VOID(kpt_hit_trigger, (const struct kpt_handler *handler, const struct kpt_hit *hit))
ABSENT(int, kpt_touched_prepare, (struct kpt_batch *batch), 0)
ABSENT_VOID(kpt_touched_note, (struct kpt_batch *batch))
ABSENT_VOID(kpt_hit_repeats, (const struct kpt_handler *handler, struct kpt_hit *hit))

/* watch */
ABSENT_TRIGGER(set_wprobe, "watch")
ABSENT_TRIGGER(clear_wprobe, "watch")
ABSENT_VOID(kpt_wprobe_yield, (struct kpt_hook *hook))

/* user */
ABSENT_VOID(kpt_enablers_update, (struct kpt_batch *batch))
