/* SPDX-License-Identifier: GPL-2.0-only */
/* Parameters of a module that holds kpt_target up while it is being loaded. */
#ifndef HOLD_H
#define HOLD_H

#include <linux/delay.h>
#include <linux/errno.h>
#include <linux/moduleparam.h>

static bool hold;
module_param(hold, bool, 0600);
MODULE_PARM_DESC(hold, "kpt_target is held up");
static bool refuse;
module_param(refuse, bool, 0600);
MODULE_PARM_DESC(refuse, "kpt_target is refused when it is not held up any more");

/* Wait until @hold is 0. Returns 0, or -EPERM if kpt_target is refused. */
static inline int hold_up(void)
{
	while (READ_ONCE(hold))
		msleep(20);
	return READ_ONCE(refuse) ? -EPERM : 0;
}

#endif
