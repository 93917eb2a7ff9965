/* SPDX-License-Identifier: GPL-2.0-only */
/* Kinds of triggers: the functions of each. Only for files of src/trigger/. */
#ifndef KPTRACE_TRIGGER_OPS_H
#define KPTRACE_TRIGGER_OPS_H

#include "event/event_filter.h"
#include "trigger/trigger.h"

/**
 * struct kpt_trigger_request - a command written to a trigger file
 * @file: the event whose trigger file it is
 * @command: the whole command
 * @text: in @command: the text after the command word, or NULL
 * @remove: the command began with "!"
 * @is_helper: the trigger is made for another one, which removes it
 * @cut: a copy of @command that parsing cuts into pieces
 * @params: in @cut: the text that is not parsed yet, or NULL
 * @count: in @cut: the number of times that the trigger may act, or NULL
 * @filter: the text after "if", or NULL
 * @log: where error_log says the command was; NULL for the trigger file of @file
 */
struct kpt_trigger_request {
	struct kpt_event_file *file;
	const char *command;
	const char *text;
	bool remove;
	bool is_helper;
	char *cut;
	char *params;
	const char *count;
	const char *filter;
	const char *log;
};

/**
 * struct kpt_trigger_ops - one kind of trigger
 * @name: the word that its commands begin with
 * @family: kinds of one family exclude each other: an event has one trigger of a
 *	family, or one for each target, and the command of one kind removes that of
 *	another kind
 * @left_out: this kptrace was built without that part, and all else is NULL
 * @size: bytes of the struct that begins with struct kpt_trigger
 * @of_functions: functions may have it, too, as a command of set_ftrace_filter
 * @only_functions: and events may not
 * @is_hist: it is a histogram or switches one: O_TRUNC removes it
 * @parse: parses the parameters up to "if FILTER", or all of them; NULL if the only
 *	parameter is COUNT
 * @check: refuses the command if this kernel cannot run it; NULL if every kernel can
 * @same: do two triggers of the family exclude each other? The filters count, too.
 *	NULL if they do when they have the same target
 * @again: runs a command for the existing trigger @old; NULL to return -EEXIST
 * @prepare: allocates what hits will need, or NULL
 * @added: called when hits run the new trigger, or NULL
 * @refer: takes (@by is 1) or drops (-1) what the trigger uses of other triggers and
 *	events; or NULL
 * @is_used: do other triggers use something of this one? Then it cannot be removed
 *	without them; or NULL
 * @is_spare: was it made for other triggers, and none uses it any more? NULL if never
 * @uses: does the trigger use something of @other? NULL if it never does
 * @recorded: of a histogram that needs only the record of a hit, no registers: how recorders
 *	count, kept with the trigger; NULL if it needs more
 * @show: writes the line in the trigger file; NULL for "NAME[:GRP:EVENT]:COUNT"
 * @free: frees what the trigger has besides its struct; or NULL
 *
 * All are called in process context with kpt_mutex held, and may sleep.
 */
struct kpt_trigger_ops {
	const char *name;
	enum kpt_trigger_kind family;
	const char *left_out;
	size_t size;
	bool of_functions;
	bool only_functions;
	bool is_hist;

	int (*parse)(struct kpt_trigger *t, struct kpt_trigger_request *r);
	int (*check)(const struct kpt_trigger_request *r);
	bool (*same)(const struct kpt_trigger *a, const struct kpt_trigger *b);
	int (*again)(struct kpt_trigger *old, const struct kpt_trigger *t,
		     const struct kpt_trigger_request *r);
	int (*prepare)(struct kpt_trigger *t,
		       const struct kpt_trigger_request *r);
	void (*added)(struct kpt_trigger *t);
	void (*refer)(struct kpt_trigger *t, int by);
	bool (*is_used)(const struct kpt_trigger *t);
	bool (*is_spare)(const struct kpt_trigger *t);
	bool (*uses)(const struct kpt_trigger *t, const struct kpt_trigger *other);
	const struct kpt_arch_hist *(*recorded)(const struct kpt_trigger *t);
	void (*show)(struct kpt_strbuf *sb, const struct kpt_trigger *t);
	void (*free)(struct kpt_trigger *t);
};

#define KPT_TRIGGER_RESULT_BEFORE void
#define KPT_TRIGGER_RESULT_AFTER void
#define KPT_TRIGGER_RESULT_GATE bool
#define KPT_TRIGGER_DECLARE(KIND, name, when)				\
	extern const struct kpt_trigger_ops kpt_trigger_##name##_ops;	\
	KPT_TRIGGER_RESULT_##when					\
	kpt_trigger_##name##_run(struct kpt_trigger *t,			\
				 const struct kpt_hit *hit);
KPT_TRIGGERS(KPT_TRIGGER_DECLARE)
#undef KPT_TRIGGER_DECLARE

const struct kpt_trigger_ops *kpt_trigger_ops_of(const struct kpt_trigger *t);
struct kpt_event_file *kpt_trigger_find_target(const struct kpt_instance *instance,
					       const char *group, const char *name);
int kpt_trigger_parse_target(struct kpt_trigger *t, struct kpt_trigger_request *r);
int kpt_trigger_find_kind(const char *name, enum kpt_trigger_kind *kind);
int kpt_trigger_set_count(struct kpt_trigger *t, const struct kpt_trigger_request *r);
int kpt_trigger_make(struct kpt_event_file *file, char *text, bool is_helper);
int kpt_trigger_arm_snapshot(struct kpt_trigger *t, const struct kpt_trigger_request *r);
void kpt_trigger_fini(struct kpt_trigger *t);
bool kpt_trigger_same_filter(const struct kpt_trigger *a, const struct kpt_trigger *b);
int kpt_trigger_no_target(const struct kpt_trigger_request *r, enum kpt_diag_code code,
			  const char *group, const char *name, const char *at);
int kpt_trigger_no_field(const struct kpt_trigger_request *r, enum kpt_diag_code code,
			 const char *name, size_t len, const char *at);
int kpt_trigger_no_kind(const struct kpt_trigger_request *r, enum kpt_diag_code code,
			const char *name, bool of_functions);
void kpt_trigger_complain(const struct kpt_trigger_request *r, struct kpt_diag *diag,
			  const char *at);
int kpt_trigger_refuse(const struct kpt_trigger_request *r,
		       enum kpt_diag_code code, const char *at, int err);

/**
 * kpt_trigger_wants() - does the filter of a trigger accept a hit?
 * @t: the trigger
 * @hit: the hit
 *
 * Context: BRK.
 * Return: true if it does, or if there is none.
 */
static inline bool kpt_trigger_wants(const struct kpt_trigger *t,
				     const struct kpt_hit *hit)
{
	return !t->filter ||
	       kpt_filter_match(&t->filter->prog, hit->record, hit->size,
				smp_processor_id());
}

/**
 * kpt_trigger_spend() - use up one of the times that a trigger may act
 * @t: the trigger
 *
 * Context: BRK.
 * Return: true, or false if none is left.
 */
static inline bool kpt_trigger_spend(struct kpt_trigger *t)
{
	return !t->limited || atomic64_dec_if_positive(&t->left) >= 0;
}

/**
 * kpt_trigger_unspend() - undo kpt_trigger_spend()
 * @t: the trigger, which had nothing to do
 *
 * Context: BRK.
 */
static inline void kpt_trigger_unspend(struct kpt_trigger *t)
{
	if (t->limited)
		atomic64_inc(&t->left);
}

#endif
