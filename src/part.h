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

#include "engine/point.h"

struct dentry;
struct kpt_batch;
struct kpt_diag;
struct kpt_event;
struct kpt_event_class;
struct kpt_event_file;
struct kpt_event_files;
struct kpt_fs_node;
struct kpt_fs_table;
struct kpt_instance;
struct kpt_symbol_list;
struct kpt_tracer_kind;
struct seq_file;

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
 * enum kpt_dir - directories in which parts have files
 * @KPT_DIR_NONE: none
 * @KPT_DIR_TOP: the top directory
 * @KPT_DIR_INSTANCE: that of an instance, the top one is one, too; not of last_boot
 * @KPT_DIR_CPU: per_cpu/cpuN/ of such an instance
 * @KPT_DIR_LAST_BOOT: that of instance last_boot
 * @KPT_DIR_EVENTS: events/
 * @KPT_DIR_EVENT: events/GRP/EVENT/ of an event that is not builtin
 * @KPT_DIR_MARKER: events/ftrace/print/
 */
enum kpt_dir {
	KPT_DIR_NONE,
	KPT_DIR_TOP,
	KPT_DIR_INSTANCE,
	KPT_DIR_CPU,
	KPT_DIR_LAST_BOOT,
	KPT_DIR_EVENTS,
	KPT_DIR_EVENT,
	KPT_DIR_MARKER,
};

/**
 * struct kpt_part_files - files in a directory
 * @dir: the directory
 * @table: the files; NULL ends a list of these
 */
struct kpt_part_files {
	enum kpt_dir dir;
	const struct kpt_fs_table *table;
};

/**
 * enum kpt_readme - sections of README, see src/files/readme.c
 * @KPT_README_FILES: files that need no event of their own
 * @KPT_README_LINES: definitions
 * @KPT_README_ARGS: what arguments fetch
 * @KPT_README_TYPES: types of arguments
 * @KPT_README_DEFINING: more files to define events
 * @KPT_README_EVENT: files of an event
 * @KPT_README_TRIGGERS: triggers
 * @KPT_README_LISTENERS: who else gets events; each begins with a heading
 * @KPT_README_READING: files of records
 * @KPT_README_TRACERS: tracers; the first text begins with a heading
 * @KPT_README_INSTANCES: instances that kptrace makes
 * @KPT_README_LOADING: parameters
 * @KPT_NR_README: how many there are
 */
enum kpt_readme {
	KPT_README_FILES,
	KPT_README_LINES,
	KPT_README_ARGS,
	KPT_README_TYPES,
	KPT_README_DEFINING,
	KPT_README_EVENT,
	KPT_README_TRIGGERS,
	KPT_README_LISTENERS,
	KPT_README_READING,
	KPT_README_TRACERS,
	KPT_README_INSTANCES,
	KPT_README_LOADING,
	KPT_NR_README,
};

/**
 * struct kpt_part - a capability that can be left out
 * @name: its folder in src/parts/
 * @stage: what it does at each enum kpt_stage
 * @stage.init: begins; returns 0, or -errno with the reason in the kernel log; or NULL
 * @stage.exit: undoes @stage.init, or NULL
 * @files: files in directories that others make
 * @make_dirs: makes directories of its own in the top directory; @top is the node of that.
 *	Returns 0 or -ENOMEM
 * @status: writes lines of the file status
 * @readme: lines of README, by section
 * @class: the class of events that it lets users define
 * @builtins: builtin events, up to one without a name
 * @tracers: for the part tracer: more tracers, up to one without a name
 * @event_make: prepares for a new event, which nobody can find yet. Returns 0 or -ENOMEM
 * @event_made: an event can be found
 * @event_gone: the reverse of both; an event is off the lists
 * @event_user: says how it uses an event that has listeners; or NULL
 * @events_freed: events were freed whose files may still be open
 * @file_free: an event file is freed
 * @declare: lists its declared events, unless it has: somebody is about to look for them
 * @choose: makes declared events that are chosen. Returns 0 or -ENOMEM
 * @armed: an event file is armed for the first time
 * @before_delete: lets go of events that it no longer needs
 * @wait: waits for work that others have caused, without kpt_mutex
 * @instance_init: a new instance. Returns 0 or -ENOMEM
 * @instance_stop: ends what it does in an instance that is to be removed. Returns 0 or
 *	-errno, and then the instance stays
 * @instance_disarmed: nothing is armed in an instance, which is off the lists or will be
 * @instance_exit: the reverse of @instance_init, also if that has failed
 * @rearm: adds to @batch new lists for event files of an instance that are in no list of
 *	it. Returns 0 or -ENOMEM
 * @option_set: an option of an instance has changed. Returns 0, or -errno to have it as
 *	it was
 * @functions: adds the function of each armed probe of its own that no event has. Returns 0 or
 *	-ENOMEM
 * @module_coming: a module is being loaded, and can be used
 * @module_ending: a module goes; nothing of it is disarmed yet
 * @text_leave: adds to @batch the lists without which its probes in text of a module that
 *	@is_going accepts are disarmed; returns true if it has some
 * @text_left: the batch is applied, no hit runs there
 * @text_detach: no call there is in progress
 * @module_gone: nothing of the module is armed any more
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
	const struct kpt_part_files *files;
	int (*make_dirs)(struct dentry *root, const struct kpt_fs_node *top);
	void (*status)(struct seq_file *m);
	const char *readme[KPT_NR_README];
	const struct kpt_event_class *class;
	struct kpt_event *builtins;
	const struct kpt_tracer_kind *tracers;

	int (*event_make)(struct kpt_event *event);
	void (*event_made)(struct kpt_event *event);
	void (*event_gone)(struct kpt_event *event);
	const char *(*event_user)(const struct kpt_event *event);
	void (*events_freed)(void);
	void (*file_free)(struct kpt_event_file *file);
	void (*declare)(void);
	int (*choose)(const struct kpt_event_files *which);
	void (*armed)(struct kpt_event_file *file);
	void (*before_delete)(void);
	void (*wait)(void);

	int (*instance_init)(struct kpt_instance *instance);
	int (*instance_stop)(struct kpt_instance *instance);
	void (*instance_disarmed)(struct kpt_instance *instance);
	void (*instance_exit)(struct kpt_instance *instance);
	int (*rearm)(struct kpt_instance *instance, struct kpt_batch *batch);
	int (*option_set)(struct kpt_instance *instance, u64 option);

	int (*functions)(struct kpt_symbol_list *list);
	void (*module_coming)(const struct module *mod);
	void (*module_ending)(const struct module *mod);
	bool (*text_leave)(const struct module *mod, kpt_going_t is_going,
			   struct kpt_batch *batch);
	void (*text_left)(const struct module *mod, kpt_going_t is_going);
	void (*text_detach)(const struct module *mod, kpt_going_t is_going);
	void (*module_gone)(const struct module *mod);
};

/* Begins the definition of the part that is the folder @name; src/part.c has those built. */
#define KPT_PART(name)							\
	extern const struct kpt_part kpt_part_##name;			\
	const struct kpt_part kpt_part_##name

/* As "kptrace --version" and modinfo have it; src/main.c. */
extern const char kpt_version[];

const struct kpt_part *kpt_part_nth(unsigned int nth);
int kpt_part_refuse(struct kpt_diag *diag, unsigned int column, const char *name);

int kpt_parts_init(enum kpt_stage stage);
void kpt_parts_exit(enum kpt_stage stage);
const struct kpt_fs_table *kpt_parts_table(enum kpt_dir dir, unsigned int nth);
int kpt_parts_make_dirs(struct dentry *root, const struct kpt_fs_node *top);

/* The functions of struct kpt_part of all parts; the first error ends a walk. */
int kpt_parts_event_make(struct kpt_event *event);
void kpt_parts_event_made(struct kpt_event *event);
void kpt_parts_event_gone(struct kpt_event *event);
const char *kpt_parts_event_user(const struct kpt_event *event);
void kpt_parts_events_freed(void);
void kpt_parts_file_free(struct kpt_event_file *file);
void kpt_parts_declare(void);
int kpt_parts_choose(const struct kpt_event_files *which);
void kpt_parts_armed(struct kpt_event_file *file);
void kpt_parts_before_delete(void);
void kpt_parts_wait(void);
int kpt_parts_instance_init(struct kpt_instance *instance);
int kpt_parts_instance_stop(struct kpt_instance *instance);
void kpt_parts_instance_disarmed(struct kpt_instance *instance);
void kpt_parts_instance_exit(struct kpt_instance *instance);
int kpt_parts_rearm(struct kpt_instance *instance, struct kpt_batch *batch);
int kpt_parts_option_set(struct kpt_instance *instance, u64 option);
int kpt_parts_functions(struct kpt_symbol_list *list);
void kpt_parts_module_coming(const struct module *mod);
void kpt_parts_module_ending(const struct module *mod);
bool kpt_parts_text_leave(const struct module *mod, kpt_going_t is_going,
			  struct kpt_batch *batch);
void kpt_parts_text_left(const struct module *mod, kpt_going_t is_going);
void kpt_parts_text_detach(const struct module *mod, kpt_going_t is_going);
void kpt_parts_module_gone(const struct module *mod);

#endif
