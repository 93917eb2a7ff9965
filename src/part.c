// SPDX-License-Identifier: GPL-2.0-only
/* Call what the parts have to do, one after the other. */
#include <linux/kernel.h>
#include "event/event_file.h"
#include "part.h"
/* Made by Kbuild: KPT_PARTS(X) is X(NAME) for each part that is built. */
#include "kpt_parts.h"

#define PART_DECLARE(name) extern const struct kpt_part kpt_part_##name;
KPT_PARTS(PART_DECLARE)

#define PART_ROW(name) &kpt_part_##name,
static const struct kpt_part *const parts[] = { KPT_PARTS(PART_ROW) NULL };

/* Exit stages of the parts before @end, the last one first. */
static void parts_exit(enum kpt_stage stage, const struct kpt_part *const *end)
{
	while (end-- > parts)
		if ((*end)->stage[stage].exit)
			(*end)->stage[stage].exit();
}

/**
 * kpt_parts_init() - begin a stage of all parts
 * @stage: the stage
 *
 * Context: module load, sleeps.
 * Return: 0; or the -errno of a part, and then no part has begun this stage.
 */
int kpt_parts_init(enum kpt_stage stage)
{
	const struct kpt_part *const *part;
	int err = 0;

	for (part = parts; *part; part++) {
		if ((*part)->stage[stage].init)
			err = (*part)->stage[stage].init();
		if (err) {
			parts_exit(stage, part);
			return err;
		}
	}
	return 0;
}

/**
 * kpt_parts_exit() - undo kpt_parts_init()
 * @stage: the stage
 *
 * Context: module unload, sleeps.
 */
void kpt_parts_exit(enum kpt_stage stage)
{
	parts_exit(stage, parts + ARRAY_SIZE(parts) - 1);
}

/**
 * kpt_part_nth() - walk the parts
 * @nth: number of the part, from 0 on
 *
 * Context: any.
 * Return: the part; NULL if there are not so many.
 */
const struct kpt_part *kpt_part_nth(unsigned int nth)
{
	return nth < ARRAY_SIZE(parts) ? parts[nth] : NULL;
}

/**
 * kpt_part_refuse() - refuse what needs a part that is left out
 * @diag: result: the reason
 * @column: where in the text
 * @name: the part
 *
 * Context: any.
 * Return: -EOPNOTSUPP.
 */
int kpt_part_refuse(struct kpt_diag *diag, unsigned int column, const char *name)
{
	kpt_diag_set(diag, KPT_E_LEFT_OUT, column, 0);
	scnprintf(diag->detail, sizeof(diag->detail), "this kptrace was built without %s", name);
	return -EOPNOTSUPP;
}

/**
 * kpt_parts_table() - files of parts in a directory
 * @dir: the directory
 * @nth: number of the table, from 0 on
 *
 * Context: any.
 * Return: the table; NULL if there are not so many.
 */
const struct kpt_fs_table *kpt_parts_table(enum kpt_dir dir, unsigned int nth)
{
	const struct kpt_part *const *part;
	const struct kpt_part_files *files;

	for (part = parts; *part; part++)
		for (files = (*part)->files; files && files->table; files++)
			if (files->dir == dir && !nth--)
				return files->table;
	return NULL;
}

/**
 * kpt_parts_make_dirs() - make the directories of parts
 * @root: the top directory
 * @top: its node
 *
 * Context: process context, sleeps, kpt_mutex held.
 * Return: 0 or -ENOMEM.
 */
int kpt_parts_make_dirs(struct dentry *root, const struct kpt_fs_node *top)
{
	const struct kpt_part *const *part;
	int err = 0;

	for (part = parts; !err && *part; part++)
		if ((*part)->make_dirs)
			err = (*part)->make_dirs(root, top);
	return err;
}

/* A function of all parts, one after the other. */
#define ALL(name, parameters, ...)				\
	void kpt_parts_##name parameters			\
	{							\
		const struct kpt_part *const *part;		\
								\
		for (part = parts; *part; part++)		\
			if ((*part)->name)			\
				(*part)->name(__VA_ARGS__);	\
	}

/* The same, up to the first one that fails. */
#define TRY(name, parameters, ...)				\
	int kpt_parts_##name parameters				\
	{							\
		const struct kpt_part *const *part;		\
		int err = 0;					\
								\
		for (part = parts; !err && *part; part++)	\
			if ((*part)->name)			\
				err = (*part)->name(__VA_ARGS__); \
		return err;					\
	}

ALL(event_made, (struct kpt_event *event), event)
ALL(events_freed, (void))
ALL(armed, (struct kpt_event_file *file), file)
ALL(file_free, (struct kpt_event_file *file), file)
ALL(before_delete, (void))
ALL(declare, (void))
ALL(wait, (void))
ALL(instance_disarmed, (struct kpt_instance *instance), instance)
ALL(module_coming, (const struct module *mod), mod)
ALL(module_ending, (const struct module *mod), mod)
ALL(text_left, (const struct module *mod, kpt_going_t is_going), mod, is_going)
ALL(text_detach, (const struct module *mod, kpt_going_t is_going), mod, is_going)
ALL(module_gone, (const struct module *mod), mod)
ALL(event_gone, (struct kpt_event *event), event)
ALL(instance_exit, (struct kpt_instance *instance), instance)
TRY(choose, (const struct kpt_event_files *which), which)
TRY(instance_init, (struct kpt_instance *instance), instance)
TRY(instance_stop, (struct kpt_instance *instance), instance)
TRY(rearm, (struct kpt_instance *instance, struct kpt_batch *batch), instance, batch)
TRY(functions, (struct kpt_symbol_list *list), list)
TRY(option_set, (struct kpt_instance *instance, u64 option), instance, option)

/**
 * kpt_parts_event_make() - let all parts prepare for a new event
 * @event: the event
 *
 * Context: process context, sleeps, kpt_mutex held.
 * Return: 0 or -ENOMEM, and then none has prepared.
 */
int kpt_parts_event_make(struct kpt_event *event)
{
	const struct kpt_part *const *part;
	int err = 0;

	for (part = parts; !err && *part; part++)
		if ((*part)->event_make)
			err = (*part)->event_make(event);
	if (err)
		kpt_parts_event_gone(event);
	return err;
}

/**
 * kpt_parts_event_user() - how a part uses an event that has listeners
 * @event: the event
 *
 * Context: process context, kpt_mutex held.
 * Return: a constant string.
 */
const char *kpt_parts_event_user(const struct kpt_event *event)
{
	const struct kpt_part *const *part;
	const char *user = NULL;

	for (part = parts; !user && *part; part++)
		if ((*part)->event_user)
			user = (*part)->event_user(event);
	return user ?: "is listened to";
}

/**
 * kpt_parts_text_leave() - let parts leave text of a module
 * @mod: the module
 * @is_going: which of its text
 * @batch: gets lists without their handlers there
 *
 * Context: process context, sleeps, kpt_mutex held.
 * Return: true if there were some.
 */
bool kpt_parts_text_leave(const struct module *mod, kpt_going_t is_going,
			  struct kpt_batch *batch)
{
	const struct kpt_part *const *part;
	bool any = false;

	for (part = parts; *part; part++)
		if ((*part)->text_leave)
			any |= (*part)->text_leave(mod, is_going, batch);
	return any;
}
