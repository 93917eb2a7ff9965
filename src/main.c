// SPDX-License-Identifier: GPL-2.0-only
/* Load the layers of the module in order, and unload them in reverse order. */
#include <linux/init.h>
#include <linux/kernel.h>
#include <linux/module.h>
#include "engine/point.h"
#include "engine/rename.h"
#include "parts/bridge/bridge.h"
#include "event/event_file.h"
#include "parts/tracer/function_set.h"
#include "class/module_watch.h"
#include "parts/noise/noise_events.h"
#include "parts/perf/perf.h"
#include "parts/kept/persist.h"
#include "fs/fs.h"
#include "kernel/bell.h"
#include "kernel/symbol/blacklist.h"
#include "parts/btf/kernel_btf.h"
#include "kernel/clock.h"
#include "kernel/comms.h"
#include "kernel/ksyms.h"
#include "parts/kept/memory.h"
#include "kernel/scratch.h"
#include "kernel/symbol/symbol.h"
#include "trigger/trigger.h"
#include "arch.h"

/**
 * struct stage - one layer of the module
 * @init: initializes it; 0, or -errno with the reason in the kernel log; or NULL
 * @exit: undoes @init, or NULL
 */
struct stage {
	int (*init)(void);
	void (*exit)(void);
};

/* Each stage uses only the stages before it. */
static const struct stage stages[] = {
	{ .init = kpt_ksyms_init, .exit = kpt_symbol_exit },
	{ .init = kpt_persist_init, .exit = kpt_persist_exit },
	{ .init = kpt_btf_init, .exit = kpt_btf_exit },
	{ .init = kpt_clock_init, .exit = kpt_clock_exit },
	{ .init = kpt_bells_init, .exit = kpt_bells_exit },
	{ .init = kpt_scratch_init, .exit = kpt_scratch_exit },
	{ .init = kpt_comms_init, .exit = kpt_comms_exit },
	{ .init = kpt_rename_init, .exit = kpt_rename_exit },
	{ .init = kpt_blacklist_init, .exit = kpt_blacklist_exit },
	{ .init = kpt_point_init, .exit = kpt_point_exit },
	{ .init = kpt_arch_init, .exit = kpt_arch_exit },
	{ .init = kpt_selftest_run },
	/* Exits after all events: until then probed modules may be unloaded. */
	{ .init = kpt_module_watch_init, .exit = kpt_module_watch_exit },
	/* Before events, which have names there. */
	{ .init = kpt_perf_init, .exit = kpt_perf_exit },
	{ .exit = kpt_probe_counts_exit },
	{ .exit = kpt_function_set_exit },
	{ .init = kpt_event_init, .exit = kpt_event_exit },
	{ .init = kpt_noise_events_init },
	{ .init = kpt_crash_alloc, .exit = kpt_crash_free },
	/* Nothing is mounted before the module is loaded. */
	{ .init = kpt_fs_init, .exit = kpt_fs_exit },
	/*
	 * The last stage that may fail: it takes the memory in which another boot left its
	 * records, and later ones arm events, which run in tasks that nothing would wait for.
	 */
	{ .init = kpt_persist_instances_init, .exit = kpt_persist_instances_exit },
	{ .init = kpt_bridge_init, .exit = kpt_bridge_exit },
	/* Exits after the triggers: to disarm events may queue its work. */
	{ .init = kpt_user_events_init, .exit = kpt_user_events_exit },
	{ .exit = kpt_trigger_exit },
	/* Before the parameters that define events, and exits before these go. */
	{ .init = kpt_crash_init, .exit = kpt_crash_exit },
	{ .init = kpt_vmcore_init },
	{ .init = kpt_btf_param_init },
	{ .init = kpt_boot_init },
	{ .init = kpt_boot_config_init },
	{ .init = kpt_max_stack_init, .exit = kpt_max_stack_exit },
};

static void stages_exit(unsigned int nr)
{
	while (nr--)
		if (stages[nr].exit)
			stages[nr].exit();
}

static int __init kptrace_init(void)
{
	unsigned int i;
	int err;

	for (i = 0; i < ARRAY_SIZE(stages); i++) {
		err = stages[i].init ? stages[i].init() : 0;
		if (err) {
			stages_exit(i);
			return err;
		}
	}
	/* Events that parameters have defined. */
	kpt_bridge_settle();
	return 0;
}

/*
 * Not reached while a file of ours is open or the file system is mounted:
 * both hold a reference on the module.
 */
static void __exit kptrace_exit(void)
{
	stages_exit(ARRAY_SIZE(stages));
}

module_init(kptrace_init);
module_exit(kptrace_exit);

MODULE_DESCRIPTION("kprobe-based dynamic event tracing with an engine of its own");
MODULE_LICENSE("GPL");
