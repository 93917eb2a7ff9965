/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Triggers of functions, the commands of set_ftrace_filter: a call of the function runs
 * the trigger, as a hit of an event runs that of the event.
 */
#ifndef KPTRACE_TRIGGER_FUNCTION_H
#define KPTRACE_TRIGGER_FUNCTION_H

#include "trigger/trigger.h"

/**
 * struct kpt_function_trigger - a trigger of one function
 * @base: its probe, at the entry of the function
 * @trigger: the trigger. Its event file is the one that an instance has for all triggers
 *	of functions; hits run only this one
 * @func: entry of the function
 */
struct kpt_function_trigger {
	struct kpt_probe base;
	struct kpt_trigger trigger;
	unsigned long func;
};

/**
 * kpt_function_trigger_run() - run the trigger of a function
 * @probe: the probe
 * @hit: the call; its record has a head alone
 *
 * Context: BRK.
 */
static inline void kpt_function_trigger_run(struct kpt_probe *probe,
					    const struct kpt_hit *hit)
{
	kpt_trigger_run_one(&container_of(probe, struct kpt_function_trigger,
					  base)->trigger, hit);
}

const struct kpt_event *kpt_function_trigger_event(void);
bool kpt_function_trigger_is(const char *text);
int kpt_function_trigger_command(struct kpt_instance *instance, const char *file,
				 char *text);
void kpt_function_trigger_show(struct seq_file *m, const struct kpt_instance *instance);
int kpt_function_trigger_remove_all(struct kpt_instance *instance);
void kpt_function_trigger_free_all(void);

#endif
