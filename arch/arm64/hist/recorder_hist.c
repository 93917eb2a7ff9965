// SPDX-License-Identifier: GPL-2.0-only
/*
 * For: recorder.
 *
 * Histograms as code, in a recorder (recorder.c): they count a hit when its record is made,
 * in the ring or aside.
 *
 * The code makes the hash of the key, finds the entry in the slot where it is looked for first,
 * compares all of the key, and adds to the sums: what src/parts/hist/hist.c does at most hits.
 * It has changed nothing until it adds. A key that is not there, as each one is at its first
 * hit, is left to kpt_hit_recorded(), and the hit goes on behind that histogram.
 *
 * For hist:keys=a:vals=b, both u64, at offsets 16 and 24 of the record:
 *
 *	ldr	x13, [x9, #40]		// &kpt_trigger_hist.paused
 *	ldrb	w13, [x13]
 *	cbnz	x13, next
 *	ldr	x13, =0x9e3779b97f4a7c15
 *	ldr	x14, [x10, #32]		// the key
 *	eor	x12, x14, x14, lsr #32	// kpt_hist_mix()
 *	mul	x12, x12, x13
 *	lsr	x12, x12, #52
 *	ldr	x13, [x9, #48]		// &kpt_trigger_map.live
 *	ldr	x13, [x13]
 *	cbz	x13, next
 *	add	x13, x13, x12, lsl #2
 *	ldr	w12, [x13, #64]		// the slot
 *	cbz	x12, slow
 *	movz	x14, #56		// the entry
 *	ldr	x13, [x9, #56]
 *	madd	x12, x12, x14, x13
 *	ldr	x14, [x10, #32]
 *	ldr	x13, [x12, #48]
 *	eor	x13, x13, x14
 *	cbnz	x13, slow
 *	add	x13, x12, #8		// counts the hit
 *  1:	ldxr	x14, [x13]
 *	add	x14, x14, #1
 *	stxr	w15, x14, [x13]
 *	cbnz	w15, 1b
 *	ldr	x14, [x10, #40]		// the value
 *	add	x13, x12, #16
 *	...				// likewise
 *	ldp	x13, x14, [x9, #64]	// see hist_note() of hist_run.c
 *	ldr	x13, [x13]
 *	dmb	ish
 *	ldr	x14, [x14]
 *	sub	x13, x13, x14
 *	tbnz	x13, #63, marked
 *  next:
 *
 *	x9, x11, sp: as in all recorders; x10: the record, with its struct kpt_ring_header
 *	x12: the hash, then the entry; x13: anything; x14, x15, x17: numbers
 */
#include "kernel/compat.h"
#include <linux/kernel.h>
#include <asm/cpufeature.h>
#include "kernel/cpu.h"
#include "lib/ring/ring.h"
#include "recorder/recorder.h"
#include "arch_compat.h"
#include "engine.h"

/* What kpt_hist_mix() multiplies with. */
#define MULTIPLIER	0x9e3779b97f4a7c15ULL

/* Numbers on the stack of the program, at most; there is one register more. */
#define NUMBERS_MAX	2

/* Addresses of a stack that is a key, at most, as in src/parts/hist/hist_run.c. */
#define KEY_CALLERS	31

/*
 * Where keys are kept that are not just loaded, and where strings are and how long: in words of
 * the stack which those have that read memory, and which is done by now.
 */
#define KEPT_MAX	4

/**
 * struct hist - a histogram while it becomes code
 * @r: the recorder
 * @code: the code
 * @hist: the histogram
 * @slow: label: kpt_hit_recorded() has the hit
 * @next: label: it is counted
 * @nr: numbers on the stack
 * @keys: keys so far
 * @kept: words that are used of these KEPT_MAX
 * @sums: sums so far
 */
struct hist {
	struct kpt_recorder_code *r;
	struct kpt_code *code;
	const struct kpt_arch_hist *hist;
	unsigned int slow;
	unsigned int next;
	unsigned int nr;
	unsigned int keys;
	unsigned int kept;
	unsigned int sums;
};

static const enum a64_reg numbers[NUMBERS_MAX + 1] = { X14, X15, X17 };

static void put(struct hist *h, u32 word)
{
	kpt_put(h->code, word);
}

static enum a64_reg push(struct hist *h)
{
	h->code->failed |= h->nr == NUMBERS_MAX;
	return numbers[min(h->nr++, NUMBERS_MAX - 1U)];
}

static enum a64_reg top(const struct hist *h)
{
	return numbers[h->nr - 1];
}

static void put_load(struct hist *h, const struct kpt_arch_hist_op *op)
{
	s64 at = sizeof(struct kpt_ring_header) + op->offset;
	enum a64_reg to = push(h), from = X10;

	if (!a64_load(op->size, to, from, at)) {
		put(h, a64_add_i(to, from, at));
		from = to;
		at = 0;
	}
	put(h, a64_load(op->size, to, from, at));
	if (op->is_signed && op->size < 8)
		put(h, a64_sbfx(to, to, 0, 8 * op->size));
}

/* As kpt_hist_log2_up(). */
static void put_log2(struct hist *h)
{
	unsigned int none = kpt_label(h->code);
	enum a64_reg v = top(h);

	kpt_put_to(h->code, a64_cbz(v), none);
	put(h, a64_add_i(v, v, -1));
	put(h, a64_clz(v, v));
	put(h, a64_mvn_asr(v, v, 0));
	put(h, a64_add_i(v, v, 65));
	kpt_here(h->code, none);
}

static void put_bucket(struct hist *h, u64 width)
{
	enum a64_reg v = top(h), by = numbers[h->nr];

	kpt_recorder_put_operand(h->r, by, width);
	put(h, a64_udiv(v, v, by));
	put(h, a64_mul(v, v, by));
}

/* As kpt_hist_combine(). */
static void put_combine(struct hist *h, enum kpt_arch_hist_code code)
{
	enum a64_reg b = top(h), a = numbers[h->nr - 2];
	unsigned int done;

	h->nr--;
	if (code == KPT_ARCH_HIST_PLUS) {
		put(h, a64_add(a, a, b));
	} else if (code == KPT_ARCH_HIST_MINUS) {
		put(h, a64_sub(a, a, b));
	} else if (code == KPT_ARCH_HIST_TIMES) {
		put(h, a64_mul(a, a, b));
	} else {
		done = kpt_label(h->code);
		put(h, a64_udiv(a, a, b));
		kpt_put_to(h->code, a64_cbnz(b), done);
		put(h, a64_movn(a, 0, 0));
		kpt_here(h->code, done);
	}
}

/* What leaves the stack of numbers as it is, or larger. */
static void put_number(struct hist *h, const struct kpt_arch_hist_op *op)
{
	switch (op->code) {
	case KPT_ARCH_HIST_LOAD:
		put_load(h, op);
		break;
	case KPT_ARCH_HIST_CPU:
		put(h, a64_ldr_w(push(h), X11, KPT_CPU(cpu)));
		break;
	case KPT_ARCH_HIST_CONST:
		kpt_recorder_put_operand(h->r, push(h), op->number);
		break;
	case KPT_ARCH_HIST_LOG2:
		put_log2(h);
		break;
	case KPT_ARCH_HIST_BUCKET:
		put_bucket(h, op->number);
		break;
	case KPT_ARCH_HIST_NEGATE:
		put(h, a64_sub(top(h), XZR, top(h)));
		break;
	default:
		put_combine(h, op->code);
	}
}

/* Is a key just one instruction, @op? Then it is loaded again, else it is kept. */
static bool is_one(const struct hist *h, const struct kpt_arch_hist_op *op)
{
	return op == h->hist->op || op[-1].code >= KPT_ARCH_HIST_KEY;
}

/* Bytes from SP to the next words that are kept. */
static unsigned int kept_at(struct hist *h, unsigned int nr)
{
	unsigned int at = h->kept;

	h->kept += nr;
	h->code->failed |= h->kept > KEPT_MAX;
	return KPT_RECORDER_RING + at * sizeof(u64);
}

/* x12 = kpt_hist_mix(@h, @key), where @h is x12 or XZR; @key may change */
static void put_mix(struct kpt_code *c, enum a64_reg h, enum a64_reg key)
{
	if (h != XZR)
		kpt_put(c, a64_eor(key, h, key));
	kpt_put(c, a64_eor_lsr(X12, key, key, 32));
	kpt_put(c, a64_mul(X12, X12, X13));
}

/* x14 = the address of a string or stack, x15 = its bytes, the NUL included */
static void put_text(struct hist *h, const struct kpt_arch_hist_op *op)
{
	if (op->code == KPT_ARCH_HIST_STACK) {
		kpt_recorder_put_operand(h->r, X14, kpt_arch_counter_at(h->r->step->held.pad));
		put(h, a64_add(X14, X14, X11));
		put(h, a64_ldr(X15, X14, 0));
		put(h, a64_add_i(X15, X15, 1));
		put(h, a64_lsl(X15, X15, 3));
		return;
	}
	if (op->code == KPT_ARCH_HIST_COMM) {
		put(h, a64_add_i(X14, X11, KPT_CPU(comm)));
		put(h, a64_ldr_w(X15, X11, KPT_CPU(comm_loc)));
	} else {
		put(h, a64_ldr_w(X15, X10, sizeof(struct kpt_ring_header) + op->offset));
		put(h, a64_ubfx(X14, X15, 0, 16));
		put(h, a64_add(X14, X14, X10));
		put(h, a64_add_i(X14, X14, sizeof(struct kpt_ring_header)));
	}
	put(h, a64_lsr(X15, X15, 16));
}

static void put_call(struct hist *h, enum kpt_recorder_routine routine)
{
	kpt_put_value(h->code, X17, kpt_recorder_routine(routine));
	put(h, a64_str(X30, SP, KPT_RECORDER_STUB));
	put(h, a64_blr(X17));
	put(h, a64_ldr(X30, SP, KPT_RECORDER_STUB));
}

/* Find the stack, as put_text(). x12 stays. */
static void put_stack(struct hist *h)
{
	kpt_recorder_put_operand(h->r, X15, kpt_arch_counter_at(h->r->step->held.pad));
	put(h, a64_add(X15, X15, X11));
	put(h, a64_add_i(X15, X15, sizeof(u64)));
	put(h, a64_movz(X17, KEY_CALLERS, 0));
	if (h->keys)
		put(h, a64_str(X12, SP, KPT_RECORDER_LEAVE));
	kpt_recorder_put_callers(h->r, h->slow);
	kpt_recorder_put_operand(h->r, X14, kpt_arch_counter_at(h->r->step->held.pad));
	put(h, a64_add(X14, X14, X11));
	put(h, a64_sub(X15, X13, X14));
	put(h, a64_lsr(X13, X15, 3));
	put(h, a64_add_i(X13, X13, -1));
	put(h, a64_str(X13, X14, 0));
	if (h->keys)
		put(h, a64_ldr(X12, SP, KPT_RECORDER_LEAVE));
}

/* x12 = the hash of the key */
static void put_hash(struct hist *h)
{
	const struct kpt_arch_hist_op *op = h->hist->op, *end = op + h->hist->nr_keys;

	kpt_put_value(h->code, X13, MULTIPLIER);
	for (; op < end; op++) {
		if (op->code < KPT_ARCH_HIST_KEY) {
			put_number(h, op);
			continue;
		}
		if (op->code == KPT_ARCH_HIST_KEY) {
			if (!is_one(h, op - 1))
				put(h, a64_str(X14, SP, kept_at(h, 1)));
			put_mix(h->code, h->keys ? X12 : XZR, X14);
			h->nr--;
		} else {
			if (op->code == KPT_ARCH_HIST_STACK)
				put_stack(h);
			else
				put_text(h, op);
			if (h->kept + 2 <= KEPT_MAX)
				put(h, a64_stp(X14, X15, SP, kept_at(h, 2)));
			/* It could not be read. */
			kpt_put_to(h->code, a64_cbz(X15), h->slow);
			put_call(h, KPT_RECORDER_HASH);
			kpt_put_value(h->code, X13, MULTIPLIER);
			put_mix(h->code, h->keys ? X12 : XZR, X17);
		}
		h->keys++;
	}
}

/* Does the hit count? */
static void put_live(struct hist *h)
{
	kpt_recorder_put_operand(h->r, X13, (unsigned long)h->hist->paused);
	put(h, a64_load(1, X13, X13, 0));
	kpt_put_to(h->code, a64_cbnz(X13), h->next);
}

/* x12 = the entry in the slot of the hash in x12 */
static void put_find(struct hist *h)
{
	const struct kpt_arch_hist *hist = h->hist;

	put(h, a64_lsr(X12, X12, hist->shift));
	kpt_recorder_put_operand(h->r, X13, (unsigned long)hist->live);
	put(h, a64_ldr(X13, X13, 0));
	kpt_put_to(h->code, a64_cbz(X13), h->next);
	/* What follows depends on the address: the map is empty when it is back. */
	put(h, a64_add_lsl(X13, X13, X12, ilog2(sizeof(u32))));
	put(h, a64_ldr_w(X12, X13, hist->slots));
	kpt_put_to(h->code, a64_cbz(X12), h->slow);
	h->code->failed |= hist->entry_size > U16_MAX;
	put(h, a64_movz(X14, hist->entry_size, 0));
	kpt_recorder_put_operand(h->r, X13, (unsigned long)hist->entries - hist->entry_size);
	put(h, a64_madd(X12, X12, X14, X13));
}

/* Is a key that of the entry? @op ends its program. */
static void put_compare_key(struct hist *h, const struct kpt_arch_hist_op *op)
{
	if (op->code != KPT_ARCH_HIST_KEY) {
		if (h->kept + 2 <= KEPT_MAX)
			put(h, a64_ldp(X14, X15, SP, kept_at(h, 2)));
		else
			put_text(h, op);
		put(h, a64_add_i(X13, X12, h->hist->key + op->key));
		put_call(h, KPT_RECORDER_COMPARE);
		kpt_put_to(h->code, a64_cbnz(X17), h->slow);
		return;
	}
	if (is_one(h, op - 1)) {
		put_number(h, op - 1);
		h->nr--;
	} else {
		put(h, a64_ldr(X14, SP, kept_at(h, 1)));
	}
	put(h, a64_ldr(X13, X12, h->hist->key + op->key));
	put(h, a64_eor(X13, X13, X14));
	kpt_put_to(h->code, a64_cbnz(X13), h->slow);
}

static void put_compare(struct hist *h)
{
	const struct kpt_arch_hist_op *op = h->hist->op, *end = op + h->hist->nr_keys;

	for (h->kept = 0; op < end; op++)
		if (op->code >= KPT_ARCH_HIST_KEY)
			put_compare_key(h, op);
}

/* Add x14, or 1, to the next sum of the entry. */
static void put_add(struct hist *h, bool is_one)
{
	unsigned int again = kpt_label(h->code);

	put(h, a64_add_i(X13, X12, h->hist->sum + h->sums * sizeof(u64)));
	h->sums++;
	if (cpus_have_final_cap(ARM64_HAS_LSE_ATOMICS)) {
		if (is_one)
			put(h, a64_movz(X14, 1, 0));
		put(h, a64_stadd(X14, X13));
		return;
	}
	kpt_here(h->code, again);
	put(h, a64_ldxr(X15, X13));
	put(h, is_one ? a64_add_i(X15, X15, 1) : a64_add(X15, X15, X14));
	put(h, a64_stxr(X17, X15, X13));
	kpt_put_to(h->code, a64_cbnz_w(X17), again);
}

static void put_sums(struct hist *h)
{
	const struct kpt_arch_hist_op *op = h->hist->op + h->hist->nr_keys;
	const struct kpt_arch_hist_op *end = h->hist->op + h->hist->nr;

	put_add(h, true);
	for (; op < end; op++) {
		if (op->code != KPT_ARCH_HIST_SUM) {
			put_number(h, op);
			continue;
		}
		put_add(h, false);
		h->nr--;
	}
}

/* As hist_note() of hist_run.c. */
static void put_note(struct hist *h)
{
	struct kpt_code *c = h->code;

	kpt_recorder_put_operands(h->r, X13, (unsigned long)h->hist->last, X14,
				  (unsigned long)h->hist->mark);
	put(h, a64_ldr(X13, X13, 0));
	put(h, A64_DMB_ISH);
	put(h, a64_ldr(X14, X14, 0));
	put(h, a64_sub(X13, X13, X14));
	kpt_put_to(c, a64_tbnz(X13, 63),
		   kpt_recorder_later(h->r, KPT_RECORDER_MARKED, h->hist, h->next));
}

/*
 * @to = the last word of a string, of which x15 is how many bytes it has less than 8, and x14
 * where the word would begin; zeroes are behind them. The word that ends where the string does
 * is in what the string is part of. x15 changes.
 */
static void put_last_word(struct kpt_code *c, enum a64_reg to)
{
	kpt_put(c, a64_ldr_at(to, X14, X15));
	kpt_put(c, a64_lsl(X15, X15, 3));
	kpt_put(c, a64_sub(X15, XZR, X15));
	kpt_put(c, a64_lsrv(to, to, X15));
}

/**
 * kpt_recorder_put_hash() - write the routine that makes one word of a string
 * @c: code. x14 is the string, x15 its bytes, the NUL included; then x17 is what
 *	hist_hash_field() of hist.c adds to the hash. x13 to x15 change
 *
 * Context: process context.
 */
void kpt_recorder_put_hash(struct kpt_code *c)
{
	unsigned int again = kpt_label(c), last = kpt_label(c), done = kpt_label(c);

	kpt_recorder_put_landing_pad(c);
	kpt_put(c, a64_orr(X17, XZR, XZR));
	kpt_put(c, a64_add_i(X15, X15, -8));
	kpt_put_to(c, a64_tbnz(X15, 63), last);
	kpt_here(c, again);
	kpt_put(c, a64_ldr_behind(X13, X14, 8));
	kpt_put(c, a64_eor_ror(X17, X13, X17, 7));
	kpt_put(c, a64_add_i(X15, X15, -8));
	kpt_put_to(c, a64_tbz(X15, 63), again);
	kpt_put(c, a64_add_i(X13, X15, 8));
	kpt_put_to(c, a64_cbz(X13), done);
	kpt_here(c, last);
	put_last_word(c, X13);
	kpt_put(c, a64_eor_ror(X17, X13, X17, 7));
	kpt_here(c, done);
	kpt_put(c, A64_RET);
}

/**
 * kpt_recorder_put_compare() - write the routine that compares a string with that of an entry
 * @c: code. x14 is the string, x15 its bytes, the NUL included, x13 that of the entry; then x17
 *	is 0 if it is the same. x13 to x15 change
 *
 * Context: process context.
 */
void kpt_recorder_put_compare(struct kpt_code *c)
{
	unsigned int more = kpt_label(c), again = kpt_label(c), less = kpt_label(c);
	unsigned int last = kpt_label(c), done = kpt_label(c);

	kpt_recorder_put_landing_pad(c);
	kpt_put(c, a64_add_i(X15, X15, -8));
	kpt_put_to(c, a64_tbz(X15, 63), more);
	kpt_put(c, a64_ldr(X13, X13, 0));
	put_last_word(c, X17);
	kpt_put(c, a64_eor(X17, X17, X13));
	kpt_put(c, A64_RET);
	kpt_here(c, more);
	kpt_put(c, a64_add_i(X15, X15, 8));
	kpt_put(c, a64_stp_before(X9, X10, SP, -32));
	kpt_put(c, a64_str(X12, SP, 16));
	kpt_here(c, again);
	kpt_put(c, a64_add_i(X15, X15, -16));
	kpt_put_to(c, a64_tbnz(X15, 63), less);
	kpt_put(c, a64_ldp_behind(X9, X10, X14, 16));
	kpt_put(c, a64_ldp_behind(X12, X17, X13, 16));
	kpt_put(c, a64_eor(X9, X9, X12));
	kpt_put(c, a64_eor(X17, X17, X10));
	kpt_put(c, a64_orr(X17, X17, X9));
	kpt_put_to(c, a64_cbnz(X17), done);
	kpt_put_to(c, a64_cbnz(X15), again);
	kpt_put_to(c, A64_B, done);
	kpt_here(c, less);
	kpt_put(c, a64_ldr_behind(X12, X13, 8));
	kpt_put(c, a64_add_i(X15, X15, 8));
	kpt_put_to(c, a64_tbnz(X15, 63), last);
	kpt_put(c, a64_ldr_behind(X17, X14, 8));
	kpt_put(c, a64_eor(X17, X17, X12));
	kpt_put_to(c, a64_cbnz(X17), done);
	kpt_put_to(c, a64_cbz(X15), done);
	kpt_put(c, a64_ldr(X12, X13, 0));
	kpt_put(c, a64_add_i(X15, X15, -8));
	kpt_here(c, last);
	put_last_word(c, X17);
	kpt_put(c, a64_eor(X17, X17, X12));
	kpt_here(c, done);
	kpt_put(c, a64_ldr(X12, SP, 16));
	kpt_put(c, a64_ldp_behind(X9, X10, SP, 32));
	kpt_put(c, A64_RET);
}

/**
 * kpt_recorder_wants_stack() - is a key of a histogram the stack?
 * @hist: the histogram
 *
 * Context: process context.
 * Return: true if it is, and code counts in the histogram.
 */
bool kpt_recorder_wants_stack(const struct kpt_arch_hist *hist)
{
	unsigned int i;

	for (i = 0; i < hist->nr_keys; i++)
		if (hist->op[i].code == KPT_ARCH_HIST_STACK)
			return true;
	return false;
}

/**
 * kpt_recorder_put_hist() - write how a histogram counts a hit
 * @r: the recorder
 * @hist: the histogram; code counts in it
 *
 * Hits that are counted, or do not count, continue behind it; x12 to x15 and x17 change.
 *
 * Context: process context.
 */
void kpt_recorder_put_hist(struct kpt_recorder_code *r, const struct kpt_arch_hist *hist)
{
	struct hist h = {
		.r = r, .code = &r->code, .hist = hist,
		.next = kpt_label(&r->code),
	};

	h.slow = kpt_recorder_later(r, KPT_RECORDER_UNCOUNTED, hist, h.next);
	put_live(&h);
	put_hash(&h);
	put_find(&h);
	put_compare(&h);
	put_sums(&h);
	put_note(&h);
	kpt_here(h.code, h.next);
}
