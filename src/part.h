/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The socket of parts: what a capability needs of the rest of kptrace.
 *
 * A part is a folder of src/parts/. Its file NAME_part.c has its struct kpt_part, through
 * which the core finds all of it that does not run in a hit. Of what is built, Kbuild makes
 * the list KPT_PARTS(), so any part can be left out: make PARTS='hist btf'. What runs in
 * a hit has no pointers: src/absent.c says what such a function does when its part is left out.
 */
#ifndef KPTRACE_PART_H
#define KPTRACE_PART_H

/**
 * enum kpt_stage - when a part begins, and ends in reverse order
 * @KPT_STAGE_NONE: never
 * @KPT_STAGE_SYMBOLS: symbols of the kernel can be found
 * @KPT_STAGE_POINTS: text can be probed; there is no event yet. Exits after all events
 * @KPT_STAGE_NAMES: there are groups of events, but no instance. Exits after all events
 * @KPT_STAGE_EVENTS: events can be made; no file of the tree exists
 * @KPT_STAGE_FILES: the tree can be mounted. The last stage that may fail: later ones arm
 *	events, which run in tasks that nothing would wait for
 * @KPT_STAGE_WORK: exits after all triggers
 * @KPT_STAGE_TRIGGERS: exits before triggers are freed
 * @KPT_STAGE_PARAMETERS: the events that the parameter kprobe_event= defines are there
 * @KPT_NR_STAGES: how many there are
 */
enum kpt_stage {
	KPT_STAGE_NONE,
	KPT_STAGE_SYMBOLS,
	KPT_STAGE_POINTS,
	KPT_STAGE_NAMES,
	KPT_STAGE_EVENTS,
	KPT_STAGE_FILES,
	KPT_STAGE_WORK,
	KPT_STAGE_TRIGGERS,
	KPT_STAGE_PARAMETERS,
	KPT_NR_STAGES,
};

/**
 * struct kpt_part - a capability that can be left out
 * @name: its folder in src/parts/
 * @stage: what it does at each enum kpt_stage
 * @stage.init: begins; returns 0, or -errno with the reason in the kernel log; or NULL
 * @stage.exit: undoes @stage.init, or NULL
 *
 * All that is NULL or empty is not needed. Functions are called in process context, and may
 * sleep.
 */
struct kpt_part {
	const char *name;
	struct {
		int (*init)(void);
		void (*exit)(void);
	} stage[KPT_NR_STAGES];
};

int kpt_parts_init(enum kpt_stage stage);
void kpt_parts_exit(enum kpt_stage stage);

#endif
