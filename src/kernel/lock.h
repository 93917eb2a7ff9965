/* SPDX-License-Identifier: GPL-2.0-only */
/* The one lock of everything that is not a hit. */
#ifndef KPTRACE_LOCK_H
#define KPTRACE_LOCK_H

#include <linux/mutex.h>

/*
 * Serialises definitions, arming, slots and instances. Never taken in BRK
 * context. docs/locking.md tells what is taken inside it.
 */
extern struct mutex kpt_mutex;

#endif
