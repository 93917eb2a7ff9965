// SPDX-License-Identifier: GPL-2.0-only
/*
 * Events that nobody deleted and that are gone: their records stay in the rings, and
 * readers find name and fields by the number. They are kept until no ring has a record.
 */
#include "event/event.h"
#include "event/instance.h"

/* With more events than this, all rings are emptied: numbers must not run out. */
#define KEPT_MAX 1024

/* Linked by kpt_event.list; under kpt_mutex. */
static LIST_HEAD(kept);
static unsigned int kept_nr;

static bool buffer_has_records(struct kpt_buffer *buffer)
{
	struct kpt_ring_stats stats;

	kpt_buffer_stats(buffer, -1, &stats);
	return stats.entries;
}

/* A snapshot that is taken meanwhile moves records from the first to the second. */
static bool instances_have_records(void)
{
	struct kpt_instance *instance;

	list_for_each_entry(instance, &kpt_instances, list)
		if (buffer_has_records(&instance->buffer) ||
		    buffer_has_records(&instance->snapshot))
			return true;
	return false;
}

static void instances_empty(void)
{
	struct kpt_instance *instance;

	list_for_each_entry(instance, &kpt_instances, list) {
		kpt_buffer_reset(&instance->buffer, -1);
		kpt_buffer_reset(&instance->snapshot, -1);
	}
}

/**
 * kpt_event_keep() - let readers find an event as long as there may be records of it
 * @event: the event, which left the lists; its reference and its number are taken over
 *
 * Context: process context, sleeps, kpt_mutex held.
 */
void kpt_event_keep(struct kpt_event *event)
{
	lockdep_assert_held(&kpt_mutex);
	list_add_tail(&event->list, &kept);
	if (++kept_nr > KEPT_MAX)
		instances_empty();
	if (!instances_have_records())
		kpt_events_kept_free();
}

/**
 * kpt_events_kept_free() - free the events whose records stayed
 *
 * Context: process context, kpt_mutex held; no ring has a record of them.
 */
void kpt_events_kept_free(void)
{
	struct kpt_event *event, *next;

	lockdep_assert_held(&kpt_mutex);
	list_for_each_entry_safe(event, next, &kept, list) {
		list_del(&event->list);
		kpt_event_number_free(event->id);
		kpt_event_put(event);
	}
	kept_nr = 0;
}
