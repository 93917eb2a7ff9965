// SPDX-License-Identifier: GPL-2.0-only
/*
 * limit: of the hits that its filter accepts, only so many reach the ring and the
 * triggers behind it.
 */
#include <linux/string.h>
#include "event/class.h"
#include "event/event_filter.h"
#include "event/event_limit.h"
#include "trigger/ops.h"

/* A limit trigger. */
struct limit_trigger {
	struct kpt_trigger common;
	struct kpt_limit limit;
};

static struct limit_trigger *limit_of(const struct kpt_trigger *t)
{
	return container_of(t, struct limit_trigger, common);
}

/**
 * kpt_trigger_limit_run() - use up a hit of the limit
 * @t: the trigger
 * @hit: the hit
 *
 * Context: BRK.
 * Return: true; false if the hit is over the limit.
 */
bool kpt_trigger_limit_run(struct kpt_trigger *t, const struct kpt_hit *hit)
{
	return kpt_limit_spend(&limit_of(t)->limit, kpt_limit_now()) != KPT_LIMIT_OVER;
}

/* "RATE[:BURST][ if FILTER]" */
static int limit_parse(struct kpt_trigger *t, struct kpt_trigger_request *r)
{
	char *word = strsep(&r->params, " \t");
	struct kpt_limit_rate rate;
	struct kpt_diag diag;
	int err;

	if (!word)
		return kpt_trigger_refuse(r, KPT_E_LIMIT_BAD_NUMBER, NULL, -EINVAL);
	err = kpt_limit_parse(&rate, word, strlen(word), &diag);
	if (!err && !rate.number) {
		diag.code = KPT_E_LIMIT_BAD_NUMBER;
		diag.column = 0;
		err = -EINVAL;
	}
	if (err)
		return kpt_trigger_refuse(r, diag.code,
					  word + min_t(size_t, diag.column, strlen(word)),
					  err);
	kpt_limit_init(&limit_of(t)->limit, &rate, kpt_clock_rate);
	return 0;
}

/* A text is recorded before triggers run, which may not change it any more. */
static int limit_check(const struct kpt_trigger_request *r)
{
	if (!kpt_event_is_builtin(r->file->event))
		return 0;
	return kpt_trigger_refuse(r, KPT_E_LIMIT_OF_PRINT, r->cut, -EINVAL);
}

static void limit_added(struct kpt_trigger *t)
{
	WRITE_ONCE(t->file->triggers.after, t->file->triggers.after | KPT_AFTER_LIMIT);
}

static void limit_show(struct kpt_strbuf *sb, const struct kpt_trigger *t)
{
	kpt_strbuf_puts(sb, "limit:");
	kpt_limit_show(sb, &limit_of(t)->limit.rate, ":");
	if (t->filter)
		kpt_strbuf_printf(sb, " if %s", t->filter->text);
	kpt_strbuf_putc(sb, '\n');
}

const struct kpt_trigger_ops kpt_trigger_limit_ops = {
	.name = "limit",
	.family = KPT_TRIGGER_LIMIT,
	.size = sizeof(struct limit_trigger),
	.parse = limit_parse,
	.check = limit_check,
	/* An event may have a limit for each filter. */
	.same = kpt_trigger_same_filter,
	.added = limit_added,
	.show = limit_show,
};
