// SPDX-License-Identifier: GPL-2.0-only
/*
 * Lines about events, such as that limits keep hits from being recorded. They are texts as
 * those of trace_marker, so every tool can show them. Runs in BRK context, see hit_point.c.
 */
#include "kernel/compat.h"
#include <linux/string.h>
#include "event/event_limit.h"
#include "hit/internal.h"
#include "hit/limited.h"
#include "kernel/scratch.h"

/* Room for "EVENT: [N HITS LIMITED]". */
#define LINE_MAX (KPT_NAME_MAX + 64)

/* A record being made. */
struct line_record {
	struct kpt_record_print fixed;
	char text[LINE_MAX];
};

/* The hit of a text that a program wrote has no registers, but a record. */
static void line_begin(struct kpt_record_print *print, const struct kpt_hit *hit)
{
	if (hit->record)
		print->head = *(const struct kpt_record_head *)hit->record;
	else
		kpt_hit_fill_head(&print->head, 0, hit->regs, hit->context);
	print->head.type = KPT_RECORD_PRINT;
	print->ip = hit->regs ? hit->regs->pc : 0;
}

/**
 * kpt_hit_tell() - record a line about an event
 * @file: the event
 * @hit: a hit of it, with the time of the line; its record is not in port_scratch()
 * @what: a printf() format: the text between "EVENT: [" and "]"
 *
 * Context: BRK, or interrupts masked and hits off. Uses port_scratch().
 * Return: false if the ring did not take it.
 */
bool kpt_hit_tell(const struct kpt_event_file *file, const struct kpt_hit *hit,
		  const char *what, ...)
{
	struct line_record *line = port_scratch();
	struct kpt_strbuf sb;
	va_list args;

	static_assert(sizeof(*line) <= PORT_SCRATCH_SIZE);
	line_begin(&line->fixed, hit);
	kpt_strbuf_init(&sb, line->text, sizeof(line->text));
	kpt_strbuf_printf(&sb, "%s: [", file->event->name);
	va_start(args, what);
	kpt_strbuf_vprintf(&sb, what, args);
	va_end(args);
	kpt_strbuf_puts(&sb, "]\n");
	return kpt_buffer_record(&file->instance->buffer, line,
				 offsetof(struct line_record, text) + sb.len + 1,
				 hit->stamp);
}

/**
 * kpt_hit_tell_limited() - record how many hits are missing before a record
 * @file: the event
 * @counts: its counts on this CPU
 * @hit: the hit that will be recorded
 *
 * If the ring has no room for the line, a later one has the sum.
 *
 * Context: BRK. Uses port_scratch().
 */
void kpt_hit_tell_limited(const struct kpt_event_file *file,
			  struct kpt_event_file_counts *counts,
			  const struct kpt_hit *hit)
{
	u64 limited = counts->limited, number = limited - counts->told;

	if (number && kpt_hit_tell(file, hit, "%llu HITS LIMITED", number))
		counts->told = limited;
}

/**
 * kpt_hit_tell_last() - record that a total is used up
 * @file: the event
 * @limit: the limit that the hit has used up; that of @file may be another one already
 * @hit: the last hit that is within it
 *
 * Context: BRK. Uses port_scratch().
 */
void kpt_hit_tell_last(const struct kpt_event_file *file, const struct kpt_limit *limit,
		       const struct kpt_hit *hit)
{
	kpt_hit_tell(file, hit, "LIMIT OF %llu HITS REACHED", limit->rate.number);
}
