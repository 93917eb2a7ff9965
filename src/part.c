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
