// SPDX-License-Identifier: GPL-2.0-only
/*
 * Fetch programs as code, in a recorder (recorder.c): arguments that take more than
 * copies of registers. The code runs where the room for the record is known, but nothing
 * has changed yet. So whatever cannot be done here, as an address that cannot be read
 * or is in user memory, is left to kpt_hit_point().
 *
 *	x9, x11, sp: as in all recorders
 *	x10: the record, with its struct kpt_ring_header
 *	x13: the value of an argument; x14: an address
 *
 * A program without strings does not change x12, x15, x16 and x17. One with strings does not
 * change x16, and has to find out where the record ends:
 *
 *	x15: the end of what is in the record; x17: 8 less than the end of its room
 *	x12: anything
 *
 * For +8(+16(%x0)):u32, at offset 24 of the record:
 *
 *	adr	x13, KPT_AT_LEAVE
 *	stp	x30, x13, [sp, #80]
 *
 *	add	x14, x0, #16
 *	ldr	x13, =kpt_recorder_read8
 *	blr	x13
 *	add	x14, x13, #8
 *	ldr	x13, =kpt_recorder_read4
 *	blr	x13
 *	str	w13, [x10, #32]
 *
 *	ldr	x30, [sp, #80]
 *	ldr	x13, [x17, #24]		// kpt_ring.seq
 *
 * For +0(%x0):string, whose kpt_data_loc() is at offset 16 of the record; the record has
 * a fixed part of 20 bytes, and takes 160 bytes of the ring at most:
 *
 *	stp	x17, x16, [sp, #96]
 *	str	x15, [x10, #8]		// the head of the record
 *	add	x17, x10, #152
 *	add	x15, x10, #28
 *
 *	mov	x14, x0
 *	ldr	x13, =kpt_recorder_string
 *	blr	x13
 *	str	w12, [x10, #24]
 *
 *	ldr	x17, [sp, #96]
 *	sub	x14, x15, x10
 *	add	x14, x14, #7
 *	lsr	x14, x14, #3		// kpt_ring_length() / 8
 *	ldr	x15, [x10, #8]
 *	ldp	x12, x13, [x17, #16]	// kpt_ring.write and .seq
 *
 * A program of an event on an event reads the record at x10, and makes that at x15. With strings
 * that one is at x10 while the program runs, and has the address of the other one in the place of
 * its head: see kpt_recorder_put_turn_back().
 */
#include "kernel/compat.h"
#include <linux/kernel.h>
#include "kernel/clock.h"
#include "kernel/cpu.h"
#include "lib/fetch/fetch_internal.h"
#include "lib/filter/filter.h"
#include "lib/ring/ring.h"
#include "recorder/recorder.h"
#include "engine.h"

/* Bytes of an array, at most: they are read one number after the other. */
#define COPY_MAX	64

/**
 * struct fetch - a fetch program while it becomes code
 * @r: the recorder
 * @code: the code
 * @to: register with the address of the first record that is made
 * @at: bytes from there to kpt_recorder_begin() of that of the program
 * @leave: where a hit goes on if memory cannot be read
 * @value: the register that has the value
 * @has_strings: x15 is where the next bytes behind the fixed part of the record begin
 * @dynamic: or else where they begin
 */
struct fetch {
	struct kpt_recorder_code *r;
	struct kpt_code *code;
	enum a64_reg to;
	int at;
	enum kpt_recorder_place leave;
	enum a64_reg value;
	bool has_strings;
	unsigned int dynamic;
};

static void put(struct fetch *f, u32 word)
{
	kpt_put(f->code, word);
}

/* Store the low @size bytes of a register. */
static void put_store(struct fetch *f, enum a64_reg reg, unsigned int size, unsigned int offset)
{
	put(f, a64_store(size, reg, f->to, sizeof(struct kpt_ring_header) + f->at + offset));
}

/* x13 = the @size bytes that were stored there */
static void put_stored(struct fetch *f, unsigned int size, unsigned int offset)
{
	put(f, a64_load(size, X13, f->to, sizeof(struct kpt_ring_header) + f->at + offset));
}

/* x14 = value + @offset */
static void put_address(struct fetch *f, u64 offset)
{
	u32 add = a64_add_i(X14, f->value, offset);
	unsigned int i;

	if (add) {
		put(f, add);
		return;
	}
	put(f, a64_movz(X14, offset & 0xffff, 0));
	for (i = 1; i < 4; i++)
		if (offset >> 16 * i & 0xffff)
			put(f, a64_movk(X14, offset >> 16 * i & 0xffff, i));
	put(f, a64_add(X14, X14, f->value));
}

/* What is read from memory may not be there, so x30 is kept, and where the hit goes on then. */
static void put_begin_reads(struct fetch *f)
{
	kpt_recorder_put_to(f->r, a64_adr(X13), f->leave);
	put(f, a64_stp(X30, X13, SP, KPT_RECORDER_STUB));
}

static void put_end_reads(struct fetch *f)
{
	put(f, a64_ldr(X30, SP, KPT_RECORDER_STUB));
}

/* Call a routine of recorder_read.c. */
static void put_call(struct fetch *f, const char *routine)
{
	kpt_put_value(f->code, X13, (unsigned long)routine);
	put(f, a64_blr(X13));
}

/* x13 = @size bytes at x14 */
static void put_read(struct fetch *f, unsigned int size)
{
	put_call(f, size == 1 ? kpt_recorder_read1 : size == 2 ? kpt_recorder_read2 :
		    size == 4 ? kpt_recorder_read4 : kpt_recorder_read8);
	f->value = X13;
}

/* Copy @size bytes at x14 to the record. */
static void put_copy(struct fetch *f, unsigned int size, unsigned int offset)
{
	unsigned int n;

	f->code->failed |= size > COPY_MAX;
	for (; size && !f->code->failed; size -= n, offset += n) {
		n = min(8U, 1U << __fls(size));
		put_read(f, n);
		put_store(f, X13, n, offset);
		if (size > n)
			put(f, a64_add_i(X14, X14, n));
	}
}

static void put_bits(struct fetch *f, const struct kpt_fetch_step *s, bool is_signed)
{
	u32 width = s->imm & 0xff, shift = s->imm >> 8 & 0xff;

	f->code->failed |= s->c != 1;
	put_stored(f, s->a, s->b);
	put(f, is_signed ? a64_sbfx(X13, X13, shift, width) :
			   a64_ubfx(X13, X13, shift, width));
	put_store(f, X13, s->a, s->b);
}

static void put_swap(struct fetch *f, const struct kpt_fetch_step *s)
{
	f->code->failed |= s->c != 1;
	put_stored(f, s->a, s->b);
	put(f, a64_rev(X13, X13));
	if (s->a < 8)
		put(f, a64_lsr(X13, X13, 64 - 8 * s->a));
	put_store(f, X13, s->a, s->b);
}

static void put_string(struct fetch *f, const struct kpt_fetch_step *s)
{
	bool is_user = s->a & KPT_STRING_USER;

	/* There LDTR may read kernel memory, and may not read that of the user. */
	f->code->failed |= is_user && IS_ENABLED(CONFIG_SET_FS);
	put_address(f, s->imm);
	if (!is_user)
		put_call(f, kpt_recorder_string);
	else
		put_call(f, kpt_uaccess_is & KPT_UACCESS_TTBR0 ? kpt_recorder_ustring_ttbr0 :
								 kpt_recorder_ustring);
	put_store(f, X12, 4, s->b);
}

/* Behind strings. */
static void put_comm_behind(struct fetch *f, const struct kpt_fetch_step *s)
{
	put(f, a64_ldp(X13, X14, X11, offsetof(struct kpt_cpu, comm)));
	put(f, a64_stp(X13, X14, X15, 0));
	put(f, a64_ldr_w(X13, X11, offsetof(struct kpt_cpu, comm_loc)));
	put(f, a64_sub(X14, X15, X10));
	put(f, a64_add_i(X14, X14, -(int)sizeof(struct kpt_ring_header)));
	put(f, a64_add(X14, X13, X14));
	put(f, a64_lsr(X13, X13, 16));
	put(f, a64_add(X15, X15, X13));
	put_store(f, X14, 4, s->b);
}

/* The name of the task is the one that this CPU has noted: the recorder has compared. */
static void put_comm(struct fetch *f, const struct kpt_fetch_step *s)
{
	unsigned int at = f->dynamic;

	if (f->has_strings) {
		put_comm_behind(f, s);
		return;
	}
	f->dynamic += sizeof_field(struct kpt_cpu, comm);
	put(f, a64_ldp(X13, X14, X11, offsetof(struct kpt_cpu, comm)));
	put_store(f, X13, 8, at);
	put_store(f, X14, 8, at + 8);
	put(f, a64_ldr_w(X13, X11, offsetof(struct kpt_cpu, comm_loc)));
	put(f, a64_add_i(X13, X13, at));
	put_store(f, X13, 4, s->b);
}

/* Returns the register that has the address of the record that fields are read from. */
static enum a64_reg put_source(struct fetch *f)
{
	if (!f->has_strings)
		return X10;
	put(f, a64_ldr(X14, X10, sizeof(struct kpt_ring_header)));
	return X14;
}

/* As kpt_fetch_number(). */
static void put_field(struct fetch *f, const struct kpt_fetch_step *s)
{
	unsigned int at = sizeof(struct kpt_ring_header) + s->c, shift = s->a % KPT_FETCH_SIGNED;
	bool is_signed = s->a & KPT_FETCH_SIGNED;

	put(f, a64_load(8, X13, put_source(f), at));
	if (s->imm)
		put(f, is_signed ? a64_sbfx(X13, X13, s->imm - shift, 64 - s->imm) :
				   a64_ubfx(X13, X13, s->imm - shift, 64 - s->imm));
	f->value = X13;
}

/* The address of a string that was fetched. */
static void put_field_address(struct fetch *f, const struct kpt_fetch_step *s)
{
	unsigned int at = sizeof(struct kpt_ring_header) + s->b;
	enum a64_reg from = put_source(f);

	f->code->failed |= s->a != KPT_FIELD_TEXT;
	put(f, a64_load(2, X13, from, at + 2));		/* kpt_data_loc_len() */
	kpt_recorder_put_to(f->r, a64_cbz(X13), f->leave);
	put(f, a64_load(2, X13, from, at));
	put(f, a64_add(X13, X13, from));
	put(f, a64_add_i(X13, X13, sizeof(struct kpt_ring_header)));
	f->value = X13;
}

static void put_register(struct fetch *f, unsigned int reg)
{
	f->code->failed |= reg > KPT_RECORDER_SP;
	f->value = kpt_recorder_put_load(f->r, reg);
}

/* What was kept of the entry. */
static void put_kept(struct fetch *f, unsigned int at)
{
	f->code->failed |= f->r->caller != KPT_ARCH_RETURN;
	kpt_recorder_put_returning(f->code, X13);
	put(f, a64_ldr(X13, X13, at));
	f->value = X13;
}

static void put_elapsed(struct fetch *f)
{
	put_kept(f, offsetof(struct kpt_call, start));
	kpt_put_value(f->code, X14, (unsigned long)kpt_clock_elapsed);
	kpt_recorder_put_call(f->r);
}

/* An operand, so that events that differ in it share a recorder. */
static void put_constant(struct fetch *f, u64 value)
{
	kpt_recorder_put_operand(f->r, X13, value);
	f->value = X13;
}

/* A word of the stack of the probed code; kpt_hit_point() knows where that ends. */
static void put_stack(struct fetch *f, u64 offset)
{
	f->value = kpt_recorder_put_load(f->r, KPT_RECORDER_SP);
	put_address(f, offset);
	put(f, a64_eor(X13, X13, X14));
	put(f, a64_lsr(X13, X13, ilog2(PORT_STACK_SIZE)));
	kpt_recorder_put_to(f->r, a64_cbnz(X13), f->leave);
	put_read(f, 8);
}

/* Returns the step, the last one whose code is written. */
static const struct kpt_fetch_step *put_step(struct fetch *f, const struct kpt_fetch_step *s)
{
	switch (s->op) {
	case KPT_OP_REG64:
		put_register(f, s->a);
		put_store(f, f->value, 8, s->b);
		break;
	case KPT_OP_LOAD:
		put_register(f, s->a);
		put_address(f, s->imm);
		put_copy(f, s->c, s->b);
		break;
	case KPT_OP_REG:
		put_register(f, s->a);
		break;
	case KPT_OP_IMM:
		put_constant(f, s->imm);
		break;
	case KPT_OP_STACK:
		put_stack(f, s->imm);
		break;
	case KPT_OP_FIELD:
		put_field(f, s);
		break;
	case KPT_OP_FIELD_ADDR:
		put_field_address(f, s);
		break;
	case KPT_OP_ENTRY:
		put_kept(f, offsetof(struct kpt_call, value[s->a]));
		break;
	case KPT_OP_ELAPSED:
		put_elapsed(f);
		break;
	case KPT_OP_TASK:
		f->code->failed |= s->imm != PORT_TASK_ADDRESS;
		put(f, a64_mrs(X13, A64_SP_EL0));
		f->value = X13;
		break;
	case KPT_OP_SHIFT:
		put(f, a64_lsr(X13, f->value, s->imm));
		f->value = X13;
		break;
	case KPT_OP_READ:
		put_address(f, s->imm);
		put_read(f, 8);
		break;
	case KPT_OP_STORE:
		put_store(f, f->value, s->a, s->b);
		break;
	case KPT_OP_COPY:
		put_address(f, s->imm);
		put_copy(f, s->a * s->c, s->b);
		break;
	case KPT_OP_BITS:
		put_bits(f, s, false);
		break;
	case KPT_OP_SIGNED_BITS:
		put_bits(f, s, true);
		break;
	case KPT_OP_SWAP:
		put_swap(f, s);
		break;
	case KPT_OP_STRING:
		put_string(f, s);
		break;
	case KPT_OP_COMM:
		put_comm(f, s);
		break;
	default:
		f->code->failed = true;
	}
	return s;
}

/* Bytes of the number that a step stores, which has a value or reads memory; 0: it is no number. */
static unsigned int number_size(const struct kpt_fetch_step *s)
{
	if (s->op == KPT_OP_LOAD)
		return is_power_of_2(s->c) && s->c <= 8 ? s->c : 0;
	return s->op == KPT_OP_STORE || (s->op == KPT_OP_COPY && s->c == 1) ? s->a : 0;
}

/* The step that stores the argument that begins with a step. */
static const struct kpt_fetch_step *last_of(const struct kpt_fetch_step *s)
{
	while (s->op >= KPT_OP_REG && s->op < KPT_OP_STORE)
		s++;
	return s;
}

/* Is an argument a number as it is read, which can be read before there is a record? */
static bool is_number(const struct kpt_fetch_step *s, const struct kpt_fetch_step *last)
{
	u8 behind = last[1].op;

	for (; s < last; s++)
		if (s->op != KPT_OP_REG && s->op != KPT_OP_IMM && s->op != KPT_OP_ENTRY &&
		    s->op != KPT_OP_TASK && s->op != KPT_OP_SHIFT && s->op != KPT_OP_READ)
			return false;
	return number_size(last) && behind != KPT_OP_BITS && behind != KPT_OP_SIGNED_BITS &&
	       behind != KPT_OP_SWAP;
}

/* Have such a number in the register of @f. */
static void put_number(struct fetch *f, const struct kpt_fetch_step *s,
		       const struct kpt_fetch_step *last)
{
	for (; s < last; s++)
		put_step(f, s);
	if (last->op == KPT_OP_LOAD)
		put_register(f, last->a);
	if (last->op == KPT_OP_STORE)
		return;
	put_address(f, last->imm);
	put_read(f, number_size(last));
}

/* Bytes from SP to a number of kpt_recorder_step.read. */
static unsigned int read_at(unsigned int i)
{
	return KPT_RECORDER_READ_AT + i * sizeof(u64);
}

/* Store a number that is read already. Returns its last step; NULL: it is not. */
static const struct kpt_fetch_step *put_was_read(struct fetch *f, const struct kpt_fetch_step *s)
{
	const struct kpt_recorder_read *read = f->r->now->read;
	unsigned int i;

	for (i = 0; i < f->r->now->nr_reads; i++) {
		if (read[i].first != s)
			continue;
		put(f, a64_ldr(X13, SP, read_at(i)));
		put_store(f, X13, number_size(read[i].last), read[i].last->b);
		return read[i].last;
	}
	return NULL;
}

/*
 * Does a predicate ask for bits of what a step stores? Then *@shift is how far the number has to
 * be shifted, as kpt_filter_pred.shift.
 */
static bool asks_for(const struct kpt_filter_pred *p, const struct kpt_fetch_step *last,
		     unsigned int *shift)
{
	unsigned int high = 8 * p->base + 64 - p->shift, low = high - 64 + __ffs64(p->mask);
	unsigned int from = 8 * last->b;

	*shift = 64 - (high - from);
	return low >= from && high <= from + 8 * number_size(last);
}

/**
 * kpt_recorder_find_read() - find what a filter asks for among the numbers that are read first
 * @r: the recorder
 * @p: a predicate of kind KPT_FILTER_FIELD
 * @at: result: bytes from SP to the number
 * @shift: result: as kpt_filter_pred.shift
 *
 * Context: process context.
 * Return: true; false if it is not among them.
 */
bool kpt_recorder_find_read(const struct kpt_recorder_code *r, const struct kpt_filter_pred *p,
			    unsigned int *at, unsigned int *shift)
{
	unsigned int i;

	for (i = 0; i < r->now->nr_reads; i++) {
		*at = read_at(i);
		if (asks_for(p, r->now->read[i].last, shift))
			return true;
	}
	return false;
}

/**
 * kpt_recorder_add_read() - let a number be read before a record is made
 * @r: the recorder
 * @p: a predicate of kind KPT_FILTER_FIELD, which asks for it
 *
 * Context: process context.
 * Return: true; false if that is not for code, or there are too many.
 */
bool kpt_recorder_add_read(struct kpt_recorder_code *r, const struct kpt_filter_pred *p)
{
	const struct kpt_fetch_step *s = r->step->record->prog->step, *last;
	struct kpt_recorder_step *now = r->now;
	unsigned int at, shift;

	if (kpt_recorder_find_read(r, p, &at, &shift))
		return true;
	for (; s->op != KPT_OP_END && s->op != KPT_OP_LITERAL; s = last + 1) {
		last = last_of(s);
		if (!is_number(s, last) || !asks_for(p, last, &shift))
			continue;
		if (now->nr_reads == KPT_RECORDER_READS)
			return false;
		now->read[now->nr_reads++] = (struct kpt_recorder_read){ s, last };
		return true;
	}
	return false;
}

/**
 * kpt_recorder_put_reads() - write how these numbers are read
 * @r: the recorder; x13 and x14 change
 *
 * Context: process context.
 */
void kpt_recorder_put_reads(struct kpt_recorder_code *r)
{
	struct fetch f = { .r = r, .code = &r->code, .leave = KPT_AT_UNREAD };
	const struct kpt_recorder_read *read = r->now->read;
	unsigned int i;

	if (!r->now->nr_reads)
		return;
	put_begin_reads(&f);
	for (i = 0; i < r->now->nr_reads; i++) {
		put_number(&f, read[i].first, read[i].last);
		put(&f, a64_str(f.value, SP, read_at(i)));
	}
	put_end_reads(&f);
}

static void put_begin_strings(struct fetch *f, const struct kpt_fetch_prog *prog)
{
	unsigned int room = f->r->now->length - prog->room;

	put(f, a64_stp(X17, X16, SP, KPT_RECORDER_RING));
	put(f, a64_add_i(X17, X10, room - 8));
	put(f, a64_add_i(X15, X10, sizeof(struct kpt_ring_header) + prog->size));
}

static void put_end_strings(struct fetch *f)
{
	put(f, a64_ldr(X17, SP, KPT_RECORDER_RING));
	put(f, a64_sub(X14, X15, X10));
	put(f, a64_add_i(X14, X14, 7));
	put(f, a64_lsr(X14, X14, 3));
	put(f, a64_ldp(X12, X13, X17, offsetof(struct kpt_ring, write)));
}

/**
 * kpt_recorder_put_fetch() - write a fetch program as code
 * @r: the recorder; code.failed is set if the program cannot be code
 * @prog: the program
 * @at: bytes from the first record to kpt_recorder_begin() of the one that it is of
 *
 * Context: process context.
 */
void kpt_recorder_put_fetch(struct kpt_recorder_code *r, const struct kpt_fetch_prog *prog, int at)
{
	struct fetch f = {
		.r = r, .code = &r->code, .to = X10, .at = at, .leave = KPT_AT_LEAVE,
		.has_strings = prog->has_strings, .dynamic = prog->size,
	};
	const struct kpt_fetch_step *s;

	put_begin_reads(&f);
	if (prog->has_strings) {
		put(&f, kpt_recorder_store(X15, 8, 0));
		put_begin_strings(&f, prog);
	}
	for (s = prog->step; s->op != KPT_OP_END && !f.code->failed; s++)
		s = put_was_read(&f, s) ?: put_step(&f, s);
	put_end_reads(&f);
	if (prog->has_strings) {
		put_end_strings(&f);
		put(&f, a64_ldr(X15, X10, sizeof(struct kpt_ring_header)));
	} else {
		put(&f, a64_ldr(X13, X17, offsetof(struct kpt_ring, seq)));
	}
}

/* Is it a whole field of 8 bytes, stored as it is? */
static bool is_word(const struct kpt_fetch_step *s)
{
	return s->op == KPT_OP_FIELD && !s->imm && s[1].op == KPT_OP_STORE && s[1].a == 8;
}

/* Copy two words with two instructions. Returns false if they are not beside each other. */
static bool put_words(struct fetch *f, const struct kpt_fetch_step *s)
{
	unsigned int from = sizeof(struct kpt_ring_header) + s->c;
	unsigned int to = sizeof(struct kpt_ring_header) + s[1].b;
	u32 load, store;

	if (f->has_strings || !is_word(s) || !is_word(s + 2) || s[2].c != s->c + 8 ||
	    s[3].b != s[1].b + 8)
		return false;
	load = a64_ldp(X13, X14, X10, from);
	store = a64_stp(X13, X14, f->to, to);
	if (!load || !store)
		return false;
	put(f, load);
	put(f, store);
	return true;
}

/* Does a program read memory? */
static bool reads(const struct kpt_fetch_prog *prog)
{
	const struct kpt_fetch_step *s;

	for (s = prog->step; s->op != KPT_OP_END; s++)
		if (s->op == KPT_OP_READ || s->op == KPT_OP_COPY || s->op == KPT_OP_STRING)
			return true;
	return false;
}

/* The record that is made is at x10, with the address of the one that is there as its head. */
static void put_turn(struct kpt_code *c)
{
	kpt_put(c, a64_str(X10, X15, sizeof(struct kpt_ring_header)));
	kpt_put(c, a64_add_i(X10, X15, 0));
}

/**
 * kpt_recorder_put_turn_back() - have the record that is there at x10
 * @r: the recorder; kpt_recorder_put_fetch_fields() was called
 *
 * Context: process context.
 */
void kpt_recorder_put_turn_back(struct kpt_recorder_code *r)
{
	if (r->step->op == KPT_ARCH_FOLLOW && r->now->has_strings)
		kpt_put(&r->code, a64_ldr(X10, X10, sizeof(struct kpt_ring_header)));
}

/**
 * kpt_recorder_put_fetch_fields() - write the fetch program of an event on an event as code
 * @r: the recorder; code.failed is set if the program cannot be code
 * @prog: the program, which reads the record at x10. Its own is at x15
 *
 * x13 and x14 change. With strings the record that is made is at x10 then, until
 * kpt_recorder_put_turn_back(); x14 is its length / 8, x12 is kpt_ring.write, x15 changes.
 *
 * Context: process context.
 */
void kpt_recorder_put_fetch_fields(struct kpt_recorder_code *r,
				   const struct kpt_fetch_prog *prog)
{
	struct fetch f = {
		.r = r, .code = &r->code, .to = prog->has_strings ? X10 : X15,
		.leave = KPT_AT_LEAVE, .has_strings = prog->has_strings, .dynamic = prog->size,
	};
	const struct kpt_fetch_step *s;
	bool may_leave = reads(prog);

	if (may_leave)
		put_begin_reads(&f);
	if (prog->has_strings) {
		put_turn(f.code);
		put_begin_strings(&f, prog);
	}
	for (s = prog->step; s->op != KPT_OP_END && !f.code->failed; s++)
		if (put_words(&f, s))
			s += 3;
		else
			put_step(&f, s);
	if (may_leave)
		put_end_reads(&f);
	if (prog->has_strings)
		put_end_strings(&f);
}
