/* SPDX-License-Identifier: GPL-2.0-only */
/* The main lock; hits never take it. */
#ifndef KPTRACE_LOCK_H
#define KPTRACE_LOCK_H

#include <linux/mutex.h>

/*
 * Serialises definitions, arming, slots and instances. Never taken in BRK context.
 * docs/locking.md lists the locks that are taken inside it.
 */
extern struct mutex kpt_mutex;

#endif
