// SPDX-License-Identifier: GPL-2.0-only
/* Numbers of places, which records in rings have instead of the places. */
#include <linux/lockdep.h>
#include <linux/mm.h>
#include "buffer/places.h"
#include "kernel/lock.h"

/* More places of one event have their addresses in the records: numbers are for all events. */
#define EVENT_PLACES	16

/*
 * By number, from KPT_RECORD_PLACE on. Written under kpt_mutex. Made with the first place, so its
 * numbers are found wherever the array is.
 */
struct kpt_record_place *kpt_places;

/* How many are in use; and where the next one is looked for, so that no number comes back soon. */
static unsigned int used, next;

static struct kpt_record_place *place_of(u16 number)
{
	return &kpt_places[number - KPT_RECORD_PLACE];
}

/* A number that is not in use, 0 if there is none. */
static u16 number_alloc(void)
{
	struct kpt_record_place *made;

	if (used == KPT_RECORD_PLACES)
		return 0;
	if (!kpt_places) {
		made = kvcalloc(KPT_RECORD_PLACES, sizeof(*made), GFP_KERNEL);
		if (!made)
			return 0;
		WRITE_ONCE(kpt_places, made);
	}
	while (kpt_places[next].type)
		next = (next + 1) % KPT_RECORD_PLACES;
	used++;
	return KPT_RECORD_PLACE + next;
}

/**
 * kpt_place_number() - find the number of a place of an event, or give it one
 * @first: number of the event's first place, 0 before there is one; changes
 * @type: number of the event
 * @ip: the place
 *
 * Context: process context, sleeps, kpt_mutex held.
 * Return: the number; 0 if it has none, because too many are in use, or without memory.
 */
u16 kpt_place_number(u16 *first, u16 type, u64 ip)
{
	unsigned int nr = 0;
	u16 number;

	lockdep_assert_held(&kpt_mutex);
	for (number = *first; number; number = place_of(number)->next, nr++)
		if (place_of(number)->ip == ip)
			return number;
	number = nr < EVENT_PLACES ? number_alloc() : 0;
	if (!number)
		return 0;
	*place_of(number) = (struct kpt_record_place){ .ip = ip, .type = type, .next = *first };
	*first = number;
	next = (next + 1) % KPT_RECORD_PLACES;
	return number;
}

/**
 * kpt_places_free() - free the numbers of an event's places
 * @first: number of its first place, or 0; changes to 0
 *
 * Context: process context, kpt_mutex held; no ring has a record of the event.
 */
void kpt_places_free(u16 *first)
{
	struct kpt_record_place *place;

	lockdep_assert_held(&kpt_mutex);
	while (*first) {
		place = place_of(*first);
		*first = place->next;
		*place = (struct kpt_record_place){ 0 };
		used--;
	}
}

/**
 * kpt_places_exit() - free the memory of places
 *
 * Context: module unload; there are no buffers and no events.
 */
void kpt_places_exit(void)
{
	kvfree(kpt_places);
}
