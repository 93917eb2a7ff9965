// SPDX-License-Identifier: GPL-2.0-only
/* The part user: events that programs write. */
#include <linux/seq_file.h>
#include "parts/user/user.h"
#include "part.h"

static void user_status(struct seq_file *m)
{
	seq_printf(m, "forks without user events: %u\n", kpt_enablers_not_followed());
}

static const struct kpt_part_files files[] = {
	{ KPT_DIR_TOP, &kpt_user_entries },
	{ }
};

KPT_PART(user) = {
	.name = "user",
	.stage[KPT_STAGE_WORK] = { .init = kpt_user_events_init, .exit = kpt_user_events_exit },
	.files = files,
	.status = user_status,
	.class = &kpt_class_user,
	.before_delete = kpt_enablers_tidy,
	.readme = {
#if KPT_ENABLERS
[KPT_README_DEFINING] =
"  user_events_data	- Programs register user events by ioctl(), as in Linux 7.3\n"
"			  (include/uapi/linux/user_events.h), and write their records\n"
"	   Format: u:<event> [<type> <field>[; <type> <field>]]\n"
"	           (in dynamic_events: an event that no program has to keep)\n"
"  user_events_status	- User events, and those that are armed\n",
#endif
	},
};
