/* SPDX-License-Identifier: GPL-2.0-only */
/* Is the module loaded? Until then loading may fail, and its text be freed. */
#ifndef KPTRACE_LOADED_H
#define KPTRACE_LOADED_H

#include <linux/compiler.h>
#include <linux/module.h>

/**
 * kpt_is_loaded() - has the module been loaded, and is it not being unloaded?
 *
 * A reference on a module keeps it from being unloaded, but not from being freed when its
 * init function fails. What gives references to users is refused until this is true.
 *
 * Context: any.
 * Return: true if it has.
 */
static inline bool kpt_is_loaded(void)
{
	return READ_ONCE(THIS_MODULE->state) == MODULE_STATE_LIVE;
}

#endif
