/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What parts keep of each event, event file and instance. A part whose first lines say
 * "Slots: event." has a pointer of its name in each event, kpt_event.slot; likewise "file"
 * and "instance". It is NULL at first, and only that part uses it: where the part is not
 * built it stays NULL.
 */
#ifndef KPTRACE_SLOTS_H
#define KPTRACE_SLOTS_H

/* Made by Kbuild, by scripts/slots.awk. */
#include "kpt_slots.h"

#define KPT_SLOT(part) void *part;

struct kpt_event_slots {
	KPT_EVENT_SLOTS(KPT_SLOT)
};

struct kpt_file_slots {
	KPT_FILE_SLOTS(KPT_SLOT)
};

struct kpt_instance_slots {
	KPT_INSTANCE_SLOTS(KPT_SLOT)
};

#endif
