// SPDX-License-Identifier: GPL-2.0-only
/* Call what the parts have to do, one after the other. */
#include <linux/kernel.h>
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
