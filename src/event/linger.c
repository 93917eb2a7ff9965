// SPDX-License-Identifier: GPL-2.0-only
/*
 * Events that nobody deleted and that are gone: their records stay in the rings, and
 * readers find name and fields by the number. The last LINGERING_MAX of them are kept, until no
 * ring has had a record since it was emptied.
 */
#include "buffer/places.h"
#include "event/event.h"
#include "event/instance.h"

/* Numbers must not run out. */
#define LINGERING_MAX 1024

/* Linked by kpt_event.list; under kpt_mutex. */
static LIST_HEAD(lingering);
static unsigned int lingering_nr;

/* Records that one reader has consumed are there for the others. */
static bool buffer_had_records(struct kpt_buffer *buffer)
{
	struct kpt_ring_stats stats;

	kpt_buffer_stats(buffer, -1, &stats);
	return stats.written;
}

/*
 * A snapshot that is taken meanwhile moves records from the first to the second. Numbers in
 * last_boot are those of another boot.
 */
static bool instances_had_records(void)
{
	struct kpt_instance *instance;

	list_for_each_entry(instance, &kpt_instances, list)
		if (!instance->is_past && (buffer_had_records(&instance->buffer) ||
					buffer_had_records(&instance->snapshot.buffer)))
			return true;
	return false;
}

static void linger_free(struct kpt_event *event)
{
	list_del(&event->list);
	lingering_nr--;
	kpt_places_free(&event->places);
	kpt_event_number_free(event->id);
	kpt_event_put(event);
}

/**
 * kpt_event_linger() - let readers find an event as long as there may be records of it
 * @event: the event, which left the lists; its reference and its number are taken over
 *
 * Context: process context, sleeps, kpt_mutex held.
 */
void kpt_event_linger(struct kpt_event *event)
{
	lockdep_assert_held(&kpt_mutex);
	list_add_tail(&event->list, &lingering);
	if (++lingering_nr > LINGERING_MAX)
		linger_free(list_first_entry(&lingering, struct kpt_event, list));
	if (!instances_had_records())
		kpt_events_lingering_free();
}

/**
 * kpt_events_lingering_free() - free the events whose records stayed
 *
 * Context: process context, kpt_mutex held; no ring has a record of them.
 */
void kpt_events_lingering_free(void)
{
	struct kpt_event *event, *next;

	lockdep_assert_held(&kpt_mutex);
	list_for_each_entry_safe(event, next, &lingering, list)
		linger_free(event);
}
