// SPDX-License-Identifier: GPL-2.0-only
/* The limit of an event in an instance: set, show. */
#include <linux/slab.h>
#include <linux/string.h>
#include "event/event_limit.h"

/**
 * kpt_event_file_set_limit() - choose how many hits are recorded
 * @file: the file
 * @text: the limit, see kpt_limit_parse(); "0" for none
 * @diag: result: the reason if it is wrong
 *
 * Nothing of the new limit is used up, even if it is the old one.
 *
 * Context: process context, sleeps, kpt_mutex held.
 * Return: 0; or -EINVAL for a wrong limit, or -ENOMEM, and then the old one is kept.
 */
int kpt_event_file_set_limit(struct kpt_event_file *file, const char *text,
			     struct kpt_diag *diag)
{
	struct kpt_batch batch = KPT_BATCH_INIT(batch);
	struct kpt_limit *new = NULL, *old = file->limit;
	struct kpt_limit_rate rate;
	int err;

	lockdep_assert_held(&kpt_mutex);
	err = kpt_limit_parse(&rate, text, strlen(text), diag);
	if (err)
		return err;
	if (rate.number) {
		new = kmalloc(sizeof(*new), GFP_KERNEL);
		if (!new)
			return -ENOMEM;
		kpt_limit_init(new, &rate, kpt_clock_rate);
	}
	file->limit = new;
	err = kpt_event_file_rearm(file, &batch);
	err = kpt_event_file_batch_finish(&batch, err, &file->instance->errlog);
	if (err)
		swap(new, old);
	file->limit = new;
	/* No hit uses it: the batch has waited for all hits that did. */
	kfree(old);
	return err;
}

/**
 * kpt_event_file_show_limit() - write the text of a limit file
 * @file: the file
 * @sb: gets the text, "0" if there is no limit
 *
 * Context: process context, kpt_mutex held.
 */
void kpt_event_file_show_limit(const struct kpt_event_file *file,
			       struct kpt_strbuf *sb)
{
	static const struct kpt_limit_rate none;

	lockdep_assert_held(&kpt_mutex);
	kpt_limit_show(sb, file->limit ? &file->limit->rate : &none, " burst ");
	kpt_strbuf_putc(sb, '\n');
}
