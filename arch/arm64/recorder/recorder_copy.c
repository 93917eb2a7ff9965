// SPDX-License-Identifier: GPL-2.0-only
/*
 * Steps of a recorder (recorder.c) that make records of one that is there: copies for other
 * rings, and records of events on the event.
 *
 *	x10: the record that is there; kpt_cpu.depth is set
 *	x15: the one that is made; x17: its ring; x12: where that ends then
 */
#include "kernel/compat.h"
#include <linux/kernel.h>
#include "lib/fetch/fetch.h"
#include "lib/record/record.h"
#include "lib/ring/ring.h"
#include "recorder/recorder.h"
#include "engine.h"

/* Bytes from a register that a load or store of two others reaches. */
#define REACH		504

#define RING(member)	offsetof(struct kpt_ring, member)

/*
 * Copy what is behind the struct kpt_ring_header of the record @from bytes behind x10 to that
 * @to bytes behind x15.
 */
static void put_copy_words(struct kpt_code *c, unsigned int from, unsigned int to,
			   unsigned int length)
{
	unsigned int at = sizeof(struct kpt_ring_header);

	for (; at + 16 <= length; at += 16) {
		kpt_put(c, a64_ldp(X13, X14, X10, from + at));
		kpt_put(c, a64_stp(X13, X14, X15, to + at));
	}
	if (at < length) {
		kpt_put(c, a64_ldr(X13, X10, from + at));
		kpt_put(c, a64_str(X13, X15, to + at));
	}
}

/* The same for one record of any length: from its end to what each one has. */
static void put_copy_any(struct kpt_code *c, unsigned int length)
{
	unsigned int again = kpt_label(c), done = kpt_label(c);

	length = length > REACH ? sizeof(struct kpt_ring_header) : length;
	put_copy_words(c, 0, 0, length);
	kpt_put(c, a64_load(1, X14, X10, 0));
	kpt_put(c, a64_lsl(X14, X14, 3));
	kpt_put(c, a64_add_i(X13, X14, -(int)length));
	kpt_put_to(c, a64_cbz(X13), done);
	kpt_here(c, again);
	kpt_put(c, a64_add_i(X14, X14, -8));
	kpt_put(c, a64_ldr_at(X13, X10, X14));
	kpt_put(c, a64_str_at(X13, X15, X14));
	kpt_put(c, a64_add_i(X13, X14, -(int)length));
	kpt_put_to(c, a64_cbnz(X13), again);
	kpt_here(c, done);
}

/* All records of the step, the first one at @at + x10. */
static void put_copy_records(struct kpt_recorder_code *r)
{
	unsigned int i, at = 0;

	for (i = 0; i < r->step->nr; at += r->step->record[i++].length) {
		if (i)
			kpt_recorder_put_next_header(r, X15, i, at);
		put_copy_words(&r->code, r->step->from + at, at, r->step->record[i].length);
	}
}

/* May a record have more bytes than one instruction reaches? Then it is copied alone. */
static bool is_long(const struct kpt_recorder_code *r)
{
	return r->step->record->prog->has_strings || r->now->length > REACH;
}

/*
 * kpt_ring_begin(): x15 is room for @length bytes; for x14 words of 8 if that is 0. x12 is its
 * end.
 */
static void put_room(struct kpt_recorder_code *r, unsigned int length)
{
	struct kpt_code *c = &r->code;

	kpt_put(c, a64_ldp(X13, X12, X17, RING(claim)));	/* and write */
	kpt_put(c, a64_ldr(X15, X17, RING(base)));
	kpt_put(c, a64_add(X15, X15, X12));
	kpt_put(c, length ? a64_add_i(X12, X12, length) : a64_add_lsl(X12, X12, X14, 3));
	kpt_put(c, a64_sub(X13, X13, X12));
	kpt_recorder_put_to(r, a64_tbnz(X13, 63), kpt_recorder_full(r));
}

static void put_number(struct kpt_recorder_code *r)
{
	struct kpt_code *c = &r->code;

	kpt_put(c, a64_ldr(X13, X17, RING(seq)));
	kpt_put(c, a64_add_i(X13, X13, r->step->nr));
	kpt_put(c, a64_stp(X12, X13, X17, RING(write)));	/* and seq */
}

/*
 * The struct kpt_ring_header of the first copy: with the time of the record that is there, and
 * @length bytes; if that is 0, x14 is their number / 8.
 */
static void put_header(struct kpt_recorder_code *r, unsigned int from, unsigned int length)
{
	struct kpt_code *c = &r->code;

	if (r->step->has_own_time) {
		kpt_recorder_put_stamp(r, X15, length);
		kpt_put(c, a64_str(X14, X15, 0));
	} else {
		kpt_put(c, a64_ldr(X13, X10, from));
		if (r->step->op == KPT_ARCH_FOLLOW) {
			if (length)
				kpt_put(c, a64_movz_w(X14, length / 8));
			kpt_put(c, a64_bfi(X13, X14, 0, 8));
		}
		kpt_put(c, a64_str(X13, X15, 0));
		if (r->step->ring.is_unordered)
			kpt_put(c, a64_lsr(X13, X13, 8));
	}
	if (r->step->ring.is_unordered)
		kpt_put(c, a64_str(X13, X17, RING(stamp)));
}

/**
 * kpt_recorder_put_copy() - write KPT_ARCH_COPY
 * @r: the recorder
 *
 * Context: process context.
 */
void kpt_recorder_put_copy(struct kpt_recorder_code *r)
{
	struct kpt_code *c = &r->code;

	kpt_recorder_put_ring(r, false);
	if (is_long(r))
		kpt_put(c, a64_load(1, X14, X10, 0));
	put_room(r, is_long(r) ? 0 : r->now->length);
	put_number(r);
	put_header(r, r->step->from, is_long(r) ? 0 : r->step->record->length);
	if (is_long(r))
		put_copy_any(c, r->step->record->length);
	else
		put_copy_records(r);
	kpt_recorder_put_counts(r);
	kpt_recorder_put_publish(r);
}

/* The head is that of the record that is there, but for the type. */
static void put_follow_head(struct kpt_recorder_code *r)
{
	struct kpt_code *c = &r->code;

	kpt_recorder_put_operand(r, X14, r->step->record->type);
	kpt_put(c, a64_ldr(X13, X10, sizeof(struct kpt_ring_header)));
	kpt_put(c, a64_bfi(X13, X14, 0, 16));
	kpt_put(c, a64_str(X13, X15, sizeof(struct kpt_ring_header)));
}

/* The filter, when the record is made. */
static void put_follow_filter(struct kpt_recorder_code *r)
{
	struct kpt_code *c = &r->code;

	if (!r->step->filter)
		return;
	if (r->now->has_strings)
		kpt_put(c, a64_str(X14, SP, KPT_RECORDER_START));
	kpt_recorder_put_filter(r);
	if (r->now->has_strings)
		kpt_put(c, a64_ldr(X14, SP, KPT_RECORDER_START));
}

/* Behind strings, x12 is kpt_ring.write. x15 and x12 become the record, and where it ends. */
static void put_follow_end(struct kpt_recorder_code *r)
{
	struct kpt_code *c = &r->code;

	if (!r->now->has_strings)
		return;
	kpt_put(c, a64_add_i(X15, X10, 0));
	kpt_put(c, a64_add_lsl(X12, X12, X14, 3));
	kpt_recorder_put_turn_back(r);
}

/**
 * kpt_recorder_put_follow() - write KPT_ARCH_FOLLOW
 * @r: the recorder
 *
 * The ring is asked again: that it gets this record does not say that it gets that of the event.
 *
 * Context: process context.
 */
void kpt_recorder_put_follow(struct kpt_recorder_code *r)
{
	kpt_recorder_put_ring(r, false);
	put_room(r, r->now->length);
	kpt_recorder_put_fetch_fields(r, r->step->record->prog);
	put_follow_filter(r);
	put_follow_end(r);
	put_number(r);
	put_header(r, 0, r->now->has_strings ? 0 : r->now->length);
	put_follow_head(r);
	kpt_recorder_put_counts(r);
	kpt_recorder_put_publish(r);
}
