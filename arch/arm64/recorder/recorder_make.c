// SPDX-License-Identifier: GPL-2.0-only
/*
 * Records of a recorder (recorder.c): room in the ring, their heads, and registers of the probed
 * code in them. recorder_fetch.c writes fetch programs, recorder_time.c the time.
 */
#include "kernel/compat.h"
#include <linux/kernel.h>
#include <asm/cpufeature.h>
#include "kernel/cpu.h"
#include "lib/fetch/fetch.h"
#include "lib/record/record.h"
#include "lib/ring/ring.h"
#include "recorder/recorder.h"
#include "engine.h"

/* Registers that a recorder stores, at most. */
#define COPIES_MAX	40

#define REG_LR		30

#define RING(member)	offsetof(struct kpt_ring, member)

/* kpt_ring_begin(). From here on hits in an NMI are missed. */
static void put_open(struct kpt_recorder_code *r)
{
	struct kpt_code *c = &r->code;

	kpt_put(c, a64_str_w(X30, X11, KPT_CPU(depth)));
	kpt_put(c, a64_ldp(X14, X12, X17, RING(claim)));	/* and write */
	kpt_put(c, a64_ldp(X13, X10, X17, RING(seq)));		/* and base */
	kpt_put(c, a64_add(X10, X10, X12));
	kpt_put(c, a64_add_i(X12, X12, r->now->length));
	kpt_put(c, a64_sub(X14, X14, X12));
	kpt_recorder_put_to(r, a64_tbnz(X14, 63), kpt_recorder_full(r));
}

/* The same behind a record of the hit at x10; x15 is its head, and its header is stored. */
static void put_open_more(struct kpt_recorder_code *r)
{
	struct kpt_code *c = &r->code;

	if (r->now->has_ring)
		kpt_recorder_put_ring(r, false);
	kpt_put(c, a64_ldp(X13, X12, X17, RING(claim)));	/* and write */
	kpt_put(c, a64_add_i(X12, X12, r->now->length));
	kpt_put(c, a64_sub(X13, X13, X12));
	kpt_recorder_put_to(r, a64_tbnz(X13, 63), kpt_recorder_full(r));
	kpt_put(c, a64_ldp(X14, X15, X10, 0));			/* header, head */
	kpt_put(c, a64_ldp(X13, X10, X17, RING(seq)));		/* and base */
	kpt_put(c, a64_add(X10, X10, X12));
	kpt_put(c, a64_add_i(X10, X10, -(int)r->now->length));
	kpt_put(c, a64_str(X14, X10, 0));
}

/* Have the type of a record in x13, and its place in x14 unless the record leaves it out. */
static void put_identity(struct kpt_recorder_code *r, const struct kpt_arch_record *record)
{
	unsigned int at;

	if (record->left_out) {
		kpt_recorder_put_field(r, X13, &record->type);
		return;
	}
	at = kpt_recorder_put_operands(r, X13, record->type, X14, record->ip);
	kpt_recorder_note(r, at, &record->type, false);
	kpt_recorder_note(r, at + sizeof(u64), &record->ip, false);
}

/* Store x15, and that place behind it, in the record @at bytes behind the first one. */
static void put_store_head(struct kpt_recorder_code *r, const struct kpt_arch_record *record,
			   unsigned int at)
{
	at += sizeof(struct kpt_ring_header);
	kpt_put(&r->code, record->left_out ? a64_str(X15, X10, at) : a64_stp(X15, X14, X10, at));
}

/*
 * The head of the first record. What is in x15 changes its halves, but behind another record. With
 * @has_header, x14 is the struct kpt_ring_header, which one instruction stores, too, if there is
 * no place.
 */
static void put_head(struct kpt_recorder_code *r, bool has_header)
{
	const struct kpt_arch_record *record = r->step->record;

	if (has_header && !record->left_out)
		kpt_put(&r->code, a64_str(X14, X10, 0));
	put_identity(r, record);
	kpt_put(&r->code, r->step->is_more ? a64_bfi(X15, X13, 0, 16) :
					     a64_orr_ror(X15, X13, X15, 32));
	if (has_header && record->left_out)
		kpt_put(&r->code, a64_stp(X14, X15, X10, 0));
	else
		put_store_head(r, record, 0);
}

/* Count the records; the first one's struct kpt_ring_header and head. */
static void put_first(struct kpt_recorder_code *r)
{
	unsigned int length = r->now->has_strings ? 0 : r->step->record->length;
	bool is_stored = r->step->is_more && !r->step->has_own_time;
	struct kpt_code *c = &r->code;

	if (!length)
		kpt_put(c, a64_add_lsl(X12, X12, X14, 3));
	kpt_put(c, a64_add_i(X13, X13, r->step->nr));
	kpt_put(c, a64_stp(X12, X13, X17, RING(write)));	/* and seq */
	if (is_stored) {
		if (length)
			kpt_put(c, a64_movz_w(X14, length / 8));
		kpt_put(c, a64_store(1, X14, X10, 0));
	} else if (kpt_arch_step_is_copied(r->first, r->step)) {
		kpt_recorder_put_copied_time(r, length);
	} else {
		kpt_recorder_put_time(r, length);
	}
	if (kpt_recorder_is_graph(r)) {
		kpt_put(c, a64_str(X14, X10, 0));
		kpt_recorder_put_graph_timed(r);
		is_stored = true;
	}
	put_head(r, !is_stored);
	if (r->step->op == KPT_ARCH_GRAPH_ENTER)
		kpt_recorder_put_graph_made(c);
}

/**
 * kpt_recorder_put_next_header() - write the struct kpt_ring_header of a record behind another
 * @r: the recorder; x13 and x14 change
 * @first: register with the address of the first one, which has the time
 * @i: its number
 * @at: bytes from the first one to it
 *
 * Context: process context.
 */
void kpt_recorder_put_next_header(struct kpt_recorder_code *r, enum a64_reg first,
				  unsigned int i, unsigned int at)
{
	const struct kpt_arch_record *record = r->step->record;
	struct kpt_code *c = &r->code;

	kpt_put(c, a64_ldr(X13, first, 0));
	if (record[i].length != record->length) {
		kpt_put(c, a64_movz_w(X14, record[i].length / 8));
		kpt_put(c, a64_bfi(X13, X14, 0, 8));
	}
	kpt_put(c, a64_str(X13, first, at));
}

/* The same and its head; x15 gets its common fields. */
static void put_next(struct kpt_recorder_code *r, unsigned int i, unsigned int at)
{
	const struct kpt_arch_record *record = &r->step->record[i];

	kpt_recorder_put_next_header(r, X10, i, at);
	put_identity(r, record);
	kpt_put(&r->code, a64_bfi(X15, X13, 0, 16));
	put_store_head(r, record, at);
}

static u32 store_pair(enum a64_reg reg, enum a64_reg next, unsigned int offset)
{
	return a64_stp(reg, next, X10, sizeof(struct kpt_ring_header) + offset);
}

/* Is a register stored as it is: all of it, and the recorder has not changed it? */
static bool is_plain(const struct kpt_fetch_copy *copy)
{
	return copy->size == 8 && copy->reg < KPT_RECORDER_SP &&
	       kpt_recorder_saved_at(copy->reg) < 0;
}

/*
 * kpt_record_return.ret_ip of the record @at bytes behind the first one; and the first of
 * @nr copies, if one instruction stores both. Returns the number of copies that it stores.
 */
static unsigned int put_return(struct kpt_recorder_code *r, const struct kpt_fetch_copy *copy,
			       int nr, unsigned int at)
{
	unsigned int offset = offsetof(struct kpt_record_return, ret_ip);
	struct kpt_code *c = &r->code;

	BUILD_BUG_ON(offsetof(struct kpt_record_return, ret_ip) % 8);
	kpt_recorder_put_load(r, REG_LR);
	if (system_supports_address_auth())
		kpt_recorder_put_unsigned(c);
	if (nr && is_plain(copy) && copy->offset == offset + 8 &&
	    store_pair(X13, copy->reg, at + offset)) {
		kpt_put(c, store_pair(X13, copy->reg, at + offset));
		return 1;
	}
	kpt_put(c, kpt_recorder_store(X13, 8, at + offset));
	return 0;
}

/* Returns the number of @copy that were stored, of @nr. */
static unsigned int put_store(struct kpt_recorder_code *r, const struct kpt_fetch_copy *copy,
			      int nr, unsigned int at)
{
	unsigned int offset = at + copy->offset;
	struct kpt_code *c = &r->code;

	if (nr > 1 && is_plain(copy) && is_plain(copy + 1) &&
	    copy[1].offset == copy->offset + 8 &&
	    store_pair(copy->reg, copy[1].reg, offset)) {
		kpt_put(c, store_pair(copy->reg, copy[1].reg, offset));
		return 2;
	}
	c->failed |= copy->reg > KPT_RECORDER_SP;
	kpt_put(c, kpt_recorder_store(kpt_recorder_put_load(r, copy->reg), copy->size, offset));
	return 1;
}

/* What a record consists of but its fetch program and its head; @at: kpt_recorder_begin(). */
static void put_record(struct kpt_recorder_code *r, const struct kpt_arch_record *record,
		       unsigned int at)
{
	struct kpt_fetch_copy copy[COPIES_MAX];
	struct kpt_code *c = &r->code;
	int nr, done = 0;

	if (kpt_recorder_is_graph(r)) {
		kpt_recorder_put_graph_load(c);
		return;
	}
	nr = max(kpt_fetch_copies(record->prog, copy, ARRAY_SIZE(copy)), 0);
	if (record->is_return)
		done = put_return(r, copy, nr, at);
	while (done < nr && !c->failed)
		done += put_store(r, copy + done, nr - done, at);
}

static void put_records(struct kpt_recorder_code *r)
{
	const struct kpt_arch_record *record = r->step->record;
	unsigned int i, at = record->length;

	put_record(r, record, kpt_recorder_begin(record, 0));
	for (i = 1; i < r->step->nr; at += record[i++].length) {
		put_next(r, i, at);
		put_record(r, &record[i], kpt_recorder_begin(&record[i], at));
	}
}

/* Does a record take more than copies of registers? */
static bool has_fetch(const struct kpt_arch_record *record)
{
	struct kpt_fetch_copy copy[COPIES_MAX];

	return kpt_fetch_copies(record->prog, copy, ARRAY_SIZE(copy)) < 0;
}

static void put_fetches(struct kpt_recorder_code *r)
{
	const struct kpt_arch_record *record;
	unsigned int at = 0;

	if (kpt_recorder_is_graph(r))
		return;
	for (record = r->step->record; record < r->step->record + r->step->nr;
	     at += record++->length)
		if (has_fetch(record))
			kpt_recorder_put_fetch(r, record->prog, kpt_recorder_begin(record, at));
}

/* Does a histogram want the time of the record, or are there others that have it, too? */
static bool wants_time(const struct kpt_recorder_code *r)
{
	const struct kpt_arch_step *next = kpt_recorder_step_at(r, r->step->done);
	const struct kpt_arch_held *held = r->held;
	unsigned int i;

	for (; held->needs_record && next; next = kpt_recorder_step_at(r, next->done))
		if (kpt_arch_step_needs(next) && !next->has_own_time)
			return true;
	for (i = 0; i < held->hists; i++)
		if (held->hist[i].hist->wants_time)
			return true;
	return false;
}

/**
 * kpt_recorder_put_made() - make the only record where x10 is, which is no ring
 * @r: the recorder; the fields of the head are in x15
 *
 * Context: process context.
 */
void kpt_recorder_put_made(struct kpt_recorder_code *r)
{
	unsigned int length = r->now->has_strings ? 0 : r->step->record->length;
	struct kpt_code *c = &r->code;

	/* Fetch programs load what is in a ring at x17. */
	if (has_fetch(r->step->record))
		kpt_put(c, a64_add_i(X17, X10, 0));
	put_fetches(r);
	if (wants_time(r))
		kpt_recorder_put_stamp(r, X10, length);
	else if (length)
		kpt_put(c, a64_movz_w(X14, length / 8));
	put_head(r, true);
	put_records(r);
}

/* Behind a fetch program: x13 is kpt_ring.seq, x14 the length / 8 if there are strings. */
static void put_late_filter(struct kpt_recorder_code *r)
{
	struct kpt_code *c = &r->code;

	if (r->now->has_strings)
		kpt_put(c, a64_str(X14, SP, KPT_RECORDER_START));
	kpt_recorder_put_filter(r);
	if (r->now->has_strings)
		kpt_put(c, a64_ldr(X14, SP, KPT_RECORDER_START));
	kpt_put(c, a64_ldr(X13, X17, RING(seq)));
}

/**
 * kpt_recorder_put_making() - write a step that makes records
 * @r: the recorder
 *
 * Context: process context.
 */
void kpt_recorder_put_making(struct kpt_recorder_code *r)
{
	if (r->step->is_more) {
		put_open_more(r);
	} else {
		kpt_recorder_put_ask(r);
		kpt_recorder_put_context(r);
		kpt_recorder_here(r, KPT_AT_OPEN);
		put_open(r);
	}
	put_fetches(r);
	if (r->now->is_late)
		put_late_filter(r);
	put_first(r);
	put_records(r);
	kpt_recorder_put_counts(r);
	kpt_recorder_put_publish(r);
}
