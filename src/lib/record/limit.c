// SPDX-License-Identifier: GPL-2.0-only
/* Limits: their text, and the state that hits change. */
#include "lib/base/port.h"
#include "lib/base/lex.h"
#include "lib/record/limit.h"

static const struct {
	char unit;
	u32 seconds;
} units[] = { { 's', 1 }, { 'm', 60 }, { 'h', 3600 } };

/* A text that is being parsed: @at is the next character. */
struct input {
	const char *text;
	size_t len;
	size_t at;
};

static int input_fail(const struct input *in, enum kpt_diag_code code,
		      struct kpt_diag *diag)
{
	size_t at = in->at < in->len ? in->at : in->len + 1;

	return kpt_diag_set(diag, code, (unsigned int)at, -EINVAL);
}

static void input_skip_spaces(struct input *in)
{
	while (in->at < in->len && kpt_lex_is_space(in->text[in->at]))
		in->at++;
}

/* Take @word, and return whether it was there. */
static bool input_take(struct input *in, const char *word)
{
	size_t len = kpt_lex_prefix(in->text + in->at, in->len - in->at, word);

	in->at += len;
	return len;
}

/* Take a number from @least to @most. Returns 0 or -EINVAL. */
static int input_number(struct input *in, u64 least, u64 most, u64 *number,
			enum kpt_diag_code code, struct kpt_diag *diag)
{
	bool overflow = false;
	size_t len = kpt_lex_digits(in->text + in->at, in->len - in->at, 10, number,
				    &overflow);

	if (!len || overflow || *number < least || *number > most)
		return input_fail(in, code, diag);
	in->at += len;
	return 0;
}

static int input_unit(struct input *in, struct kpt_limit_rate *rate,
		      struct kpt_diag *diag)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(units) && in->at < in->len; i++) {
		if (in->text[in->at] != units[i].unit)
			continue;
		in->at++;
		rate->seconds = units[i].seconds;
		return 0;
	}
	return input_fail(in, KPT_E_LIMIT_BAD_UNIT, diag);
}

/* Parse what follows "NUMBER/": "UNIT[ burst NUMBER]" or "UNIT[:NUMBER]". */
static int input_rate(struct input *in, struct kpt_limit_rate *rate,
		      struct kpt_diag *diag)
{
	int err = input_unit(in, rate, diag);

	if (err)
		return err;
	if (rate->number > (u64)KPT_LIMIT_RATE_MAX * rate->seconds) {
		in->at = 0;
		return input_fail(in, KPT_E_LIMIT_TOO_FAST, diag);
	}
	rate->burst = rate->number;
	if (!input_take(in, ":")) {
		input_skip_spaces(in);
		if (!input_take(in, "burst"))
			return 0;
		input_skip_spaces(in);
	}
	return input_number(in, 1, KPT_LIMIT_RATE_MAX, &rate->burst,
			    KPT_E_LIMIT_BAD_BURST, diag);
}

/**
 * kpt_limit_parse() - parse a limit
 * @rate: result
 * @text: "NUMBER" for a total; or "NUMBER/UNIT", where UNIT is s, m or h, with
 *	" burst NUMBER" or ":NUMBER" behind it for other bursts than of that number
 * @len: its characters
 * @diag: result: the reason if it is wrong
 *
 * Context: any.
 * Return: 0 or -EINVAL.
 */
int kpt_limit_parse(struct kpt_limit_rate *rate, const char *text, size_t len,
		    struct kpt_diag *diag)
{
	struct input in = { text, len, 0 };
	int err;

	*rate = (struct kpt_limit_rate){ 0 };
	err = input_number(&in, 0, KPT_LIMIT_NUMBER_MAX, &rate->number,
			   KPT_E_LIMIT_BAD_NUMBER, diag);
	if (!err && rate->number && input_take(&in, "/"))
		err = input_rate(&in, rate, diag);
	if (err)
		return err;
	input_skip_spaces(&in);
	return in.at < len ? input_fail(&in, KPT_E_LIMIT_REST, diag) : 0;
}

/**
 * kpt_limit_show() - write a limit
 * @sb: gets the text
 * @rate: the limit
 * @burst: text before the burst, " burst " or ":"
 *
 * Context: any.
 */
void kpt_limit_show(struct kpt_strbuf *sb, const struct kpt_limit_rate *rate,
		    const char *burst)
{
	size_t i;

	kpt_strbuf_printf(sb, "%llu", (unsigned long long)rate->number);
	for (i = 0; i < ARRAY_SIZE(units); i++)
		if (rate->seconds == units[i].seconds)
			kpt_strbuf_printf(sb, "/%c%s%llu", units[i].unit, burst,
					  (unsigned long long)rate->burst);
}

/**
 * kpt_limit_init() - start with nothing used up
 * @limit: the limit
 * @rate: what it is
 * @ticks_per_second: frequency of the counter, at most 10^9: a burst then takes fewer
 *	than 2^62 ticks
 *
 * Context: any.
 */
void kpt_limit_init(struct kpt_limit *limit, const struct kpt_limit_rate *rate,
		    u32 ticks_per_second)
{
	limit->rate = *rate;
	limit->cost = 0;
	limit->room = 0;
	limit->state = rate->number;
	if (!rate->seconds)
		return;
	/* Rounded up, so that a rate is never exceeded. */
	limit->cost = ((u64)ticks_per_second * rate->seconds + rate->number - 1) /
		      rate->number;
	limit->room = (rate->burst - 1) * limit->cost;
	limit->state = 0;
}

static enum kpt_limit_result limit_take_total(struct kpt_limit *limit)
{
	u64 old = READ_ONCE(limit->state), seen;

	while (old) {
		seen = cmpxchg(&limit->state, old, old - 1);
		if (seen == old)
			return old == 1 ? KPT_LIMIT_LAST : KPT_LIMIT_TAKEN;
		old = seen;
	}
	return KPT_LIMIT_OVER;
}

/**
 * kpt_limit_spend() - use up a hit, if that is within the limit
 * @limit: the limit
 * @now: the counter
 *
 * Any number of CPUs may take at once; a total is exact.
 *
 * Context: BRK.
 * Return: enum kpt_limit_result.
 */
enum kpt_limit_result kpt_limit_spend(struct kpt_limit *limit, u64 now)
{
	u64 old = READ_ONCE(limit->state), start, seen;

	if (!limit->cost)
		return limit_take_total(limit);
	for (;;) {
		start = (s64)(old - now) > 0 ? old : now;
		if ((s64)(start - now) > (s64)limit->room)
			return KPT_LIMIT_OVER;
		seen = cmpxchg(&limit->state, old, start + limit->cost);
		if (seen == old)
			return KPT_LIMIT_TAKEN;
		old = seen;
	}
}
