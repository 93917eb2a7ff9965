// SPDX-License-Identifier: GPL-2.0-only
/* traceon and traceoff: a hit switches tracing_on of its instance. */
#include "buffer/write.h"
#include "trigger/ops.h"

/* As kpt_buffer_switch(); returns true if it has changed anything. */
static bool tracing_switch_buffer(struct kpt_buffer *buf, bool on)
{
	if (on)
		return atomic_fetch_andnot(KPT_STOP_SWITCH, &buf->stops) &
		       KPT_STOP_SWITCH;
	return !(atomic_fetch_or(KPT_STOP_SWITCH, &buf->stops) &
		 KPT_STOP_SWITCH);
}

static void tracing_switch(struct kpt_trigger *t, bool on)
{
	struct kpt_buffer *buf = &t->file->instance->buffer;

	if (kpt_buffer_is_on(buf) == on || !kpt_trigger_spend(t))
		return;
	/* If another CPU was first, this hit has changed nothing. */
	if (!tracing_switch_buffer(buf, on))
		kpt_trigger_unspend(t);
	else if (!on)
		kpt_buffer_wake_later(buf);
}

/**
 * kpt_trigger_traceon_run() - switch tracing_on to 1
 * @t: the trigger
 * @hit: the hit
 *
 * Context: BRK.
 */
void kpt_trigger_traceon_run(struct kpt_trigger *t,
			     const struct kpt_hit *hit)
{
	tracing_switch(t, true);
}

/**
 * kpt_trigger_traceoff_run() - switch tracing_on to 0
 * @t: the trigger
 * @hit: the hit
 *
 * Context: BRK.
 */
void kpt_trigger_traceoff_run(struct kpt_trigger *t,
			      const struct kpt_hit *hit)
{
	tracing_switch(t, false);
}

const struct kpt_trigger_ops kpt_trigger_traceon_ops = {
	.name = "traceon",
	.family = KPT_TRIGGER_TRACEON,
	.size = sizeof(struct kpt_trigger),
	.of_functions = true,
};

const struct kpt_trigger_ops kpt_trigger_traceoff_ops = {
	.name = "traceoff",
	.family = KPT_TRIGGER_TRACEON,
	.size = sizeof(struct kpt_trigger),
	.of_functions = true,
};
