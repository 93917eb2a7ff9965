// SPDX-License-Identifier: GPL-2.0-only
/* Load the layers of the module in order, and unload them in reverse order. */
#include <linux/init.h>
#include <linux/kernel.h>
#include <linux/module.h>
#include "engine/point.h"
#include "engine/rename.h"
#include "event/event_file.h"
#include "class/module_watch.h"
#include "fs/fs.h"
#include "kernel/bell.h"
#include "kernel/symbol/blacklist.h"
#include "kernel/clock.h"
#include "kernel/comms.h"
#include "kernel/ksyms.h"
#include "kernel/lock.h"
#include "kernel/maps.h"
#include "kernel/scratch.h"
#include "kernel/symbol/symbol.h"
#include "trigger/trigger.h"
#include "arch.h"
#include "part.h"
#include "kpt_version.h"

const char kpt_version[] = KPT_VERSION;

/**
 * struct stage - one layer of the module
 * @init: initializes it; 0, or -errno with the reason in the kernel log; or NULL
 * @exit: undoes @init, or NULL
 * @parts: instead of these: what all parts do at this stage
 */
struct stage {
	int (*init)(void);
	void (*exit)(void);
	enum kpt_stage parts;
};

/* Each stage uses only the stages before it. */
static const struct stage stages[] = {
	{ .init = kpt_ksyms_init, .exit = kpt_symbol_exit },
	{ .parts = KPT_STAGE_SYMBOLS },
	{ .init = kpt_clock_init, .exit = kpt_clock_exit },
	{ .init = kpt_bells_init, .exit = kpt_bells_exit },
	{ .exit = kpt_maps_exit },
	{ .init = kpt_scratch_init, .exit = kpt_scratch_exit },
	{ .init = kpt_comms_init, .exit = kpt_comms_exit },
	{ .init = kpt_rename_init, .exit = kpt_rename_exit },
	{ .init = kpt_blacklist_init, .exit = kpt_blacklist_exit },
	{ .init = kpt_point_init, .exit = kpt_point_exit },
	{ .init = kpt_arch_init, .exit = kpt_arch_exit },
	{ .init = kpt_selftest_run },
	/* Exits after all events: until then probed modules may be unloaded. */
	{ .init = kpt_module_watch_init, .exit = kpt_module_watch_exit },
	{ .parts = KPT_STAGE_POINTS },
	{ .exit = kpt_probe_counts_exit },
	{ .exit = kpt_event_files_exit },
	{ .init = kpt_event_names_init, .exit = kpt_event_names_exit },
	{ .parts = KPT_STAGE_NAMES },
	{ .init = kpt_event_init, .exit = kpt_event_exit },
	{ .parts = KPT_STAGE_EVENTS },
	{ .exit = kpt_can_probe_exit },
	/* Nothing is mounted before the module is loaded. */
	{ .init = kpt_fs_init, .exit = kpt_fs_exit },
	{ .parts = KPT_STAGE_FILES },
	{ .parts = KPT_STAGE_WORK },
	{ .exit = kpt_trigger_exit },
	{ .parts = KPT_STAGE_TRIGGERS },
	{ .init = kpt_boot_init, .exit = kpt_command_exit },
	{ .parts = KPT_STAGE_PARAMETERS },
	/* Files that are closed have left errands for all of the above. */
	{ .exit = kpt_errands_exit },
};

static int stage_init(const struct stage *stage)
{
	if (stage->parts)
		return kpt_parts_init(stage->parts);
	return stage->init ? stage->init() : 0;
}

static void stages_exit(unsigned int nr)
{
	while (nr--)
		if (stages[nr].parts)
			kpt_parts_exit(stages[nr].parts);
		else if (stages[nr].exit)
			stages[nr].exit();
}

static int __init kptrace_init(void)
{
	unsigned int i;
	int err;

	for (i = 0; i < ARRAY_SIZE(stages); i++) {
		err = stage_init(&stages[i]);
		if (err) {
			stages_exit(i);
			return err;
		}
	}
	/* Events that parameters have defined. */
	kpt_parts_wait();
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
MODULE_VERSION(KPT_VERSION);
/* MODULE_IMPORT_NS() takes a name in some kernels, in others a string. */
MODULE_INFO(import_ns, "VFS_internal_I_am_really_a_filesystem_and_am_NOT_a_driver");
