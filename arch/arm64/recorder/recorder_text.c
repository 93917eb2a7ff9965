// SPDX-License-Identifier: GPL-2.0-only
/*
 * Filters on strings as code, in a recorder (recorder.c), when the fetch program has stored the
 * string: is it a text, or has it one at its beginning, at its end or anywhere? One routine looks
 * at each place where the text may begin, see struct text. All places but the first are found by
 * the text's first character, in eight bytes at once.
 *
 *	x9, x10, sp: as in all recorders
 */
#include "kernel/compat.h"
#include <linux/kernel.h>
#include "lib/base/glob.h"
#include "lib/filter/filter.h"
#include "lib/ring/ring.h"
#include "recorder/recorder.h"
#include "engine.h"

/**
 * struct text - what a string is compared with; operands of the recorder
 * @least: bytes that the string has at least, its NUL included
 * @full: all ones: it has no more; else 0
 * @end: all ones: the text is at its end
 * @middle: all ones: it is anywhere
 * @begin: bytes to compare, but for the last 8; may be less than 0
 * @shift: these last 8 bytes are shifted right by this
 * @last: and are this
 * @first: the first character, eight times
 * @nr: number of @word
 * @word: what is before the last 1 to 8 bytes
 */
struct text {
	u64 least;
	u64 full;
	u64 end;
	u64 middle;
	u64 begin;
	u64 shift;
	u64 last;
	u64 first;
	u64 nr;
	u64 word[KPT_FILTER_WORDS];
};

#define TEXT(member)	offsetof(struct text, member)

#define ONES		0x0101010101010101ULL
#define HIGHEST		(ONES << 7)

static void make_text(struct text *t, const struct kpt_filter *filter,
		      const struct kpt_filter_pred *p)
{
	bool has_nul = p->how == KPT_GLOB_FULL || p->how == KPT_GLOB_END;
	u8 bytes[8 * KPT_FILTER_WORDS] = { 0 };
	unsigned int len = p->len + has_nul;

	memset(t, 0, sizeof(*t));
	memcpy(bytes, (const u8 *)filter + p->at, p->len);
	t->least = p->len + 1;
	t->full = p->how == KPT_GLOB_FULL ? ~0ULL : 0;
	t->end = p->how == KPT_GLOB_END ? ~0ULL : 0;
	t->middle = p->how == KPT_GLOB_MIDDLE ? ~0ULL : 0;
	t->begin = (u64)len - 8;
	t->shift = len < 8 ? 64 - 8 * len : 0;
	memcpy(&t->last, len < 8 ? bytes : bytes + len - 8, sizeof(t->last));
	t->first = bytes[0] * ONES;
	t->nr = (len - 1) / 8;
	memcpy(t->word, bytes, 8 * t->nr);
}

/**
 * struct match - labels of the routine below
 * @again: compare where x12 is
 * @miss: the text does not begin there
 * @scan: find the next place that has its first character
 * @yes: it is found
 * @no: it is not
 */
struct match {
	unsigned int again;
	unsigned int miss;
	unsigned int scan;
	unsigned int yes;
	unsigned int no;
};

/*
 * x12 = where the text may begin, x13 = in how many places; x15 and x16 are text.begin and
 * text.shift.
 */
static void put_places(struct kpt_code *c, const struct match *m)
{
	kpt_put(c, a64_ubfx(X12, X13, 0, 16));
	kpt_put(c, a64_add(X12, X12, X10));
	kpt_put(c, a64_add_i(X12, X12, sizeof(struct kpt_ring_header)));
	kpt_put(c, a64_lsr(X13, X13, 16));
	kpt_put(c, a64_ldp(X15, X9, X14, TEXT(least)));		/* and full */
	kpt_put(c, a64_sub(X13, X13, X15));
	kpt_put_to(c, a64_tbnz(X13, 63), m->no);
	kpt_put(c, a64_and(X9, X9, X13));
	kpt_put_to(c, a64_cbnz(X9), m->no);
	kpt_put(c, a64_ldp(X15, X9, X14, TEXT(end)));		/* and middle */
	kpt_put(c, a64_and(X15, X15, X13));
	kpt_put(c, a64_add(X12, X12, X15));
	kpt_put(c, a64_and(X13, X13, X9));
	kpt_put(c, a64_add_i(X13, X13, 1));
	kpt_put(c, a64_ldp(X15, X16, X14, TEXT(begin)));	/* and shift */
}

/* Compare the last 8 bytes of the text, then those before them. x9, x17 and x30 change. */
static void put_compare(struct kpt_code *c, const struct match *m)
{
	unsigned int word = kpt_label(c);

	kpt_here(c, m->again);
	kpt_put(c, a64_ldr_at(X17, X12, X15));
	kpt_put(c, a64_ldr(X9, X14, TEXT(last)));
	kpt_put(c, a64_lsrv(X17, X17, X16));
	kpt_put(c, a64_eor(X17, X17, X9));
	kpt_put_to(c, a64_cbnz(X17), m->miss);
	kpt_put(c, a64_ldr(X30, X14, TEXT(nr)));
	kpt_here(c, word);
	kpt_put_to(c, a64_cbz(X30), m->yes);
	kpt_put(c, a64_add_i(X30, X30, -1));
	kpt_put(c, a64_lsl(X9, X30, 3));
	kpt_put(c, a64_ldr_at(X17, X12, X9));
	kpt_put(c, a64_add(X9, X9, X14));
	kpt_put(c, a64_ldr(X9, X9, TEXT(word)));
	kpt_put(c, a64_eor(X17, X17, X9));
	kpt_put_to(c, a64_cbz(X17), word);
}

/*
 * Find the next place, 8 at once. With fewer than 8 left, the word that ends with the last of them
 * is shifted: it may begin before the string, but that is in the record, too.
 */
static void put_scan(struct kpt_code *c, const struct match *m)
{
	unsigned int few = kpt_label(c), look = kpt_label(c), found = kpt_label(c);

	kpt_here(c, m->miss);
	kpt_put(c, a64_add_i(X12, X12, 1));
	kpt_put(c, a64_add_i(X13, X13, -1));
	kpt_here(c, m->scan);
	kpt_put_to(c, a64_cbz(X13), m->no);
	kpt_put(c, a64_add_i(X9, X13, -8));
	kpt_put_to(c, a64_tbnz(X9, 63), few);
	kpt_put(c, a64_ldr(X17, X12, 0));
	kpt_here(c, look);
	kpt_put(c, a64_ldr(X9, X14, TEXT(first)));
	kpt_put(c, a64_eor(X17, X17, X9));
	/* Set the highest bit of the first byte that is 0. */
	kpt_put(c, a64_orr_i(X9, XZR, ONES));
	kpt_put(c, a64_sub(X9, X17, X9));
	kpt_put(c, a64_bic(X17, X9, X17));
	kpt_put(c, a64_and_i(X17, X17, HIGHEST));
	kpt_put_to(c, a64_cbnz(X17), found);
	kpt_put(c, a64_add_i(X12, X12, 8));
	kpt_put(c, a64_add_i(X13, X13, -8));
	kpt_put_to(c, a64_tbz(X13, 63), m->scan);
	kpt_put_to(c, A64_B, m->no);
	kpt_here(c, few);
	kpt_put(c, a64_ldr_at(X17, X12, X9));
	kpt_put(c, a64_lsl(X9, X9, 3));
	kpt_put(c, a64_sub(X9, XZR, X9));
	kpt_put(c, a64_lsrv(X17, X17, X9));
	kpt_put_to(c, A64_B, look);
	kpt_here(c, found);
	kpt_put(c, a64_rbit(X17, X17));
	kpt_put(c, a64_clz(X17, X17));
	kpt_put(c, a64_lsr(X17, X17, 3));
	kpt_put(c, a64_add(X12, X12, X17));
	kpt_put(c, a64_sub(X13, X13, X17));
	kpt_put_to(c, A64_B, m->again);
}

/**
 * kpt_recorder_put_match() - write the routine that compares a string
 * @c: code. w13 is its kpt_data_loc() in the record, x14 the address of the struct text; then
 *	x13 is 0 if the string does not match. x14 changes
 *
 * Context: process context.
 */
void kpt_recorder_put_match(struct kpt_code *c)
{
	struct match m = {
		.again = kpt_label(c), .miss = kpt_label(c), .scan = kpt_label(c),
		.yes = kpt_label(c), .no = kpt_label(c),
	};
	unsigned int out = kpt_label(c);

	kpt_recorder_put_landing_pad(c);
	kpt_put(c, a64_stp_before(X12, X15, SP, -48));
	kpt_put(c, a64_stp(X16, X17, SP, 16));
	kpt_put(c, a64_stp(X9, X30, SP, 32));
	put_places(c, &m);
	put_compare(c, &m);
	put_scan(c, &m);
	kpt_here(c, m.no);
	kpt_put(c, a64_orr(X13, XZR, XZR));
	kpt_put_to(c, A64_B, out);
	kpt_here(c, m.yes);
	kpt_put(c, a64_movz(X13, 1, 0));
	kpt_here(c, out);
	kpt_put(c, a64_ldp(X9, X30, SP, 32));
	kpt_put(c, a64_ldp(X16, X17, SP, 16));
	kpt_put(c, a64_ldp_behind(X12, X15, SP, 48));
	kpt_put(c, A64_RET);
}

/**
 * kpt_recorder_put_text() - write how a string is compared
 * @r: the recorder. x13 is 0 then if it does not match, x14 changes
 * @filter: the filter
 * @p: a predicate of kind KPT_FILTER_TEXT
 * @from: bytes from x10 to the record
 *
 * Context: process context.
 */
void kpt_recorder_put_text(struct kpt_recorder_code *r, const struct kpt_filter *filter,
			   const struct kpt_filter_pred *p, unsigned int from)
{
	struct kpt_code *c = &r->code;
	unsigned int at, i;
	struct text t;

	make_text(&t, filter, p);
	at = kpt_recorder_operand(r, t.least);
	for (i = 1; i < TEXT(word[t.nr]) / sizeof(u64); i++)
		kpt_recorder_operand(r, ((const u64 *)&t)[i]);
	kpt_put(c, a64_ldr_w(X13, X10, from + sizeof(struct kpt_ring_header) + p->field.offset));
	if (from)
		kpt_put(c, a64_add_i(X13, X13, from));
	kpt_put(c, a64_add_i(X14, X9, at));
	kpt_put(c, a64_str(X30, SP, KPT_RECORDER_STUB));
	kpt_put_value(c, X30, kpt_recorder_routine(KPT_RECORDER_MATCH));
	kpt_put(c, a64_blr(X30));
	kpt_put(c, a64_ldr(X30, SP, KPT_RECORDER_STUB));
}
