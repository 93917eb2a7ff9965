// SPDX-License-Identifier: GPL-2.0-only
/* Probes of every class: named by a delete line, counted, their calls ended. */
#include <linux/percpu.h>
#include "event/event.h"

static bool span_is(const struct kpt_def *def, const struct kpt_span *span,
		    const char *s)
{
	return strlen(s) == span->len &&
	       !memcmp(def->text + span->at, s, span->len);
}

/* Do the words from the first argument on begin the probe's argument list? */
static bool args_match(const struct kpt_probe *probe, const struct kpt_def *def)
{
	const char *args = probe->args;
	unsigned int i;

	for (i = 0; i < def->nr_args; i++) {
		const struct kpt_span *arg = &def->arg[i];

		if (*args++ != ' ' ||
		    strncmp(args, def->text + arg->at, arg->len))
			return false;
		args += arg->len;
		if (*args && *args != ' ')
			return false;
	}
	return true;
}

/**
 * kpt_probe_is() - is this the probe a delete line means?
 * @probe: the probe
 * @def: a parsed delete definition
 *
 * Group and event may be missing in @def, place and arguments too; arguments
 * that are given must be the probe's first ones.
 *
 * Context: process context, kpt_mutex held.
 * Return: true if it is.
 */
bool kpt_probe_is(const struct kpt_probe *probe, const struct kpt_def *def)
{
	if (def->group.len && !span_is(def, &def->group, probe->event->group))
		return false;
	if (def->event.len && !span_is(def, &def->event, probe->event->name))
		return false;
	if (def->place.len && !span_is(def, &def->place, probe->place))
		return false;
	return args_match(probe, def);
}

/**
 * kpt_probe_read_counts() - sum of the counters of a probe
 * @probe: the probe
 * @sum: result
 *
 * Context: any.
 */
void kpt_probe_read_counts(struct kpt_probe *probe,
			   struct kpt_probe_counts *sum)
{
	const struct kpt_probe_counts *c;
	int cpu;

	memset(sum, 0, sizeof(*sum));
	for_each_possible_cpu(cpu) {
		c = per_cpu_ptr(probe->counts, cpu);
		sum->hits += READ_ONCE(c->hits);
		sum->missed += READ_ONCE(c->missed);
	}
}

/**
 * kpt_probe_end_calls() - say that returns of calls in progress will not be seen
 * @probe: not armed
 * @end: KPT_CALLS_UNSEEN, or KPT_CALLS_ORPHANED if its sites will be put
 *
 * Context: process context, kpt_mutex held.
 * Return: true if kpt_calls_end() is to be called with @end, once for many probes.
 */
bool kpt_probe_end_calls(struct kpt_probe *probe, enum kpt_calls_end end)
{
	if (probe->calls)
		probe->calls->end = end;
	return probe->calls;
}
