/* SPDX-License-Identifier: GPL-2.0-only */
/* What a kind of trigger has to provide. For the files of src/trigger/ alone. */
#ifndef KPTRACE_TRIGGER_OPS_H
#define KPTRACE_TRIGGER_OPS_H

#include "trigger/trigger.h"

/**
 * struct kpt_trigger_request - a command written to a trigger file
 * @file: the event whose trigger file it is
 * @command: all of it
 * @text: in @command: what is behind the command word, or NULL
 * @remove: it began with "!"
 * @cut: a copy of @command that is cut into pieces as it is read
 * @params: in @cut: what has not been read yet, or NULL
 * @count: in @cut: how often the trigger may act, or NULL
 * @filter: what is behind "if", or NULL
 */
struct kpt_trigger_request {
	struct kpt_event_file *file;
	const char *command;
	const char *text;
	bool remove;
	char *cut;
	char *params;
	const char *count;
	const char *filter;
};

/**
 * struct kpt_trigger_ops - one kind of trigger
 * @name: the word that its commands begin with
 * @family: kinds of one family stand in each other's way: an event has one
 *	trigger of a family, or one of a family and target; and the command of
 *	one removes the other
 * @size: bytes of the struct that begins with struct kpt_trigger
 * @is_hist: it is, or has to do with, a histogram: O_TRUNC removes it
 * @parse: reads the parameters up to "if FILTER", or all of them; NULL if there
 *	are none but COUNT
 * @check: can this kernel do it? NULL if every kernel can
 * @same: do two triggers of the family stand in each other's way, filters
 *	included? NULL if their targets tell
 * @again: the command asks for @old, which is there already; NULL for -EEXIST
 * @prepare: makes what hits will need, or NULL
 * @added: hits run the trigger from now on; or NULL
 * @show: the line in the trigger file; NULL for "NAME[:GRP:EVENT]:COUNT"
 * @free: frees what the trigger has besides struct kpt_trigger; or NULL
 *
 * All are called in process context with kpt_mutex held, and may sleep.
 */
struct kpt_trigger_ops {
	const char *name;
	enum kpt_trigger_kind family;
	size_t size;
	bool is_hist;

	int (*parse)(struct kpt_trigger *t, struct kpt_trigger_request *r);
	int (*check)(const struct kpt_trigger_request *r);
	bool (*same)(const struct kpt_trigger *a, const struct kpt_trigger *b);
	int (*again)(struct kpt_trigger *old, const struct kpt_trigger *t,
		     const struct kpt_trigger_request *r);
	int (*prepare)(struct kpt_trigger *t,
		       const struct kpt_trigger_request *r);
	void (*added)(struct kpt_trigger *t);
	void (*show)(struct kpt_strbuf *sb, const struct kpt_trigger *t);
	void (*free)(struct kpt_trigger *t);
};

#define KPT_TRIGGER_DECLARE(KIND, name, when)				\
	extern const struct kpt_trigger_ops kpt_trigger_##name##_ops;	\
	void kpt_trigger_##name##_run(struct kpt_trigger *t,		\
				      const struct kpt_hit *hit);
KPT_TRIGGERS(KPT_TRIGGER_DECLARE)
#undef KPT_TRIGGER_DECLARE

int kpt_trigger_refuse(const struct kpt_trigger_request *r,
		       enum kpt_diag_code code, const char *at, int err);

/**
 * kpt_trigger_take() - use up one of the times a trigger may act
 * @t: the trigger
 *
 * Context: BRK.
 * Return: false if none is left.
 */
static inline bool kpt_trigger_take(struct kpt_trigger *t)
{
	return !t->limited || atomic64_dec_if_positive(&t->left) >= 0;
}

/**
 * kpt_trigger_untake() - undo kpt_trigger_take()
 * @t: the trigger, which found that there was nothing to do
 *
 * Context: BRK.
 */
static inline void kpt_trigger_untake(struct kpt_trigger *t)
{
	if (t->limited)
		atomic64_inc(&t->left);
}

#endif
