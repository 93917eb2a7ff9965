// SPDX-License-Identifier: GPL-2.0-only
/* The main lock. */
#include "kernel/lock.h"

DEFINE_MUTEX(kpt_mutex);
