/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Places of events have numbers. A record in a ring has such a number instead of the event's
 * number and the address, so it is 8 bytes shorter. Readers of a ring call kpt_record_restore(),
 * which puts both back. A place without a number has its address in its records; one ring may have
 * both kinds.
 */
#ifndef KPTRACE_PLACES_H
#define KPTRACE_PLACES_H

#include "lib/record/record.h"

extern struct kpt_record_place *kpt_places;

u16 kpt_place_number(u16 *first, u16 type, u64 ip);
void kpt_places_free(u16 *first);
void kpt_places_exit(void);

/**
 * kpt_places_read() - find the places of records, for kpt_record_restore()
 *
 * A record that is read has the number of a place that is there: the number was given before the
 * list of handlers was published, and is kept as long as rings may have records with it.
 *
 * Context: any.
 * Return: the places, which stay until the module is unloaded; NULL if there has been none.
 */
static inline const struct kpt_record_place *kpt_places_read(void)
{
	return READ_ONCE(kpt_places);
}

#endif
