// SPDX-License-Identifier: GPL-2.0-only
/*
 * dump and cpudump, only for functions: a call has the records of the instance shown on
 * the console, once.
 */
#include "buffer/write.h"
#include "kernel/cpu.h"
#include "parts/crash/dump.h"
#include "trigger/ops.h"

struct kpt_dump kpt_dump;

static void dump_ask(struct kpt_trigger *t, bool this_cpu)
{
	if (!kpt_irq_work_runs() || !kpt_trigger_spend(t))
		return;
	/* One dump at a time: a hit that comes meanwhile keeps its count. */
	if (atomic_xchg(&kpt_dump.asked, 1)) {
		kpt_trigger_unspend(t);
		return;
	}
	/* Stop recording: the dump shows what was recorded up to now. */
	atomic_or(KPT_STOP_SWITCH, &t->file->instance->buffer.stops);
	kpt_dump.instance = t->file->instance;
	kpt_dump.cpu = this_cpu ? raw_smp_processor_id() : -1;
	kpt_bell_ask(&kpt_dump.bell);
}

/**
 * kpt_trigger_dump_run() - have the records of all CPUs shown soon
 * @t: the trigger
 * @hit: the hit
 *
 * Context: BRK.
 */
void kpt_trigger_dump_run(struct kpt_trigger *t, const struct kpt_hit *hit)
{
	dump_ask(t, false);
}

/**
 * kpt_trigger_cpudump_run() - have the records of this CPU shown soon
 * @t: the trigger
 * @hit: the hit
 *
 * Context: BRK.
 */
void kpt_trigger_cpudump_run(struct kpt_trigger *t, const struct kpt_hit *hit)
{
	dump_ask(t, true);
}

/* The count is always one, whatever the command says. */
static int dump_parse(struct kpt_trigger *t, struct kpt_trigger_request *r)
{
	r->count = "1";
	return 0;
}

/* No hit runs the trigger, so no later dump is for its instance. */
static void dump_free(struct kpt_trigger *t)
{
	kpt_bell_sync(&kpt_dump.bell);
}

const struct kpt_trigger_ops kpt_trigger_dump_ops = {
	.name = "dump",
	.family = KPT_TRIGGER_DUMP,
	.size = sizeof(struct kpt_trigger),
	.of_functions = true,
	.only_functions = true,
	.parse = dump_parse,
	.free = dump_free,
};

const struct kpt_trigger_ops kpt_trigger_cpudump_ops = {
	.name = "cpudump",
	.family = KPT_TRIGGER_CPUDUMP,
	.size = sizeof(struct kpt_trigger),
	.of_functions = true,
	.only_functions = true,
	.parse = dump_parse,
	.free = dump_free,
};
