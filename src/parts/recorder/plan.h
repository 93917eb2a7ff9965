/* SPDX-License-Identifier: GPL-2.0-only */
/* Plans: what a stub or thunk does for a list of handlers, step by step. */
#ifndef KPTRACE_PLAN_H
#define KPTRACE_PLAN_H

#include "arming/handlers.h"

/* Records and filters of all steps together, at most. */
#define KPT_PLAN_RECORDS	64
#define KPT_PLAN_FILTERS	64

/**
 * struct kpt_plan_group - handlers, one behind the other, whose records are made at once
 * @first: the first one
 * @nr: their number
 */
struct kpt_plan_group {
	const struct kpt_handler *first;
	unsigned int nr;
};

/**
 * struct kpt_plan_progress - what a plan has so far
 * @nr: number of steps
 * @has: records that they make and copy
 * @words: about how long their code is
 * @nr_records: number of records
 * @has_made: the last step has made or copied records of the group
 * @is_known: behind the last step a record of the hit is known, unless nothing was recorded ...
 * @known: ... which is in this buffer; NULL: perhaps in one of several
 * @known_aside: ... or in no ring, and noted in none
 * @known_raw: all of these have the counter, read in order, as their clock
 * @all_checked: who makes it checks the return address
 */
struct kpt_plan_progress {
	unsigned int nr;
	unsigned int has;
	unsigned int words;
	unsigned int nr_records;
	bool has_made;
	bool is_known;
	bool known_aside;
	bool known_raw;
	bool all_checked;
	const struct kpt_buffer *known;
};

/**
 * struct kpt_plan - steps that a list of handlers becomes
 * @list: the list
 * @caller: what runs the steps
 * @saves: they leave KPT_ARCH_SCRATCH as they are
 * @may_have: @so_far.has, at most
 * @so_far: how far it is
 * @has_rest: code for a part of the list was written, and it leaves the rest to C
 * @total: number of @step, those included that are there in case that others record nothing
 * @nr_filters: number of @filter
 * @step: the steps
 * @record: what they record
 * @filter: filters of them, converted to read registers
 */
struct kpt_plan {
	const struct kpt_handlers *list;
	enum kpt_arch_caller caller;
	bool saves;
	unsigned int may_have;
	struct kpt_plan_progress so_far;
	bool has_rest;
	unsigned int total;
	unsigned int nr_filters;
	struct kpt_arch_step step[KPT_ARCH_STEPS];
	struct kpt_arch_record record[KPT_PLAN_RECORDS];
	struct kpt_filter *filter[KPT_PLAN_FILTERS];
};

/* The handler behind another one of a list. */
static inline const struct kpt_handler *kpt_next_handler(const struct kpt_handler *handler)
{
	return (const void *)&handler->sink[handler->nr_sinks];
}

static inline bool kpt_handler_is_in(const struct kpt_handler *handler,
				     const struct kpt_handlers *list)
{
	return (const u8 *)handler < (const u8 *)list + list->size;
}

static inline const struct kpt_handler *kpt_nth_handler(const struct kpt_plan_group *g,
							unsigned int n)
{
	const struct kpt_handler *handler = g->first;

	while (n--)
		handler = kpt_next_handler(handler);
	return handler;
}

void kpt_plan_exit(void);
bool kpt_plan_add_sink(struct kpt_plan *p, const struct kpt_plan_group *g, unsigned int n,
		       unsigned int from, unsigned int nr);
struct kpt_arch_step *kpt_plan_add_step(struct kpt_plan *p, enum kpt_arch_op op,
					const struct kpt_plan_group *g, unsigned int sink,
					unsigned int from);
struct kpt_arch_record *kpt_plan_add_record(struct kpt_plan *p, const struct kpt_handler *handler,
					    const struct kpt_sink *sink);
bool kpt_plan_add_records(struct kpt_plan *p, struct kpt_arch_step *step,
			  const struct kpt_handler *handler, unsigned int sink, unsigned int nr);
const struct kpt_filter *kpt_plan_convert_filter(struct kpt_plan *p,
						 const struct kpt_handler *handler,
						 const struct kpt_filter *from);
bool kpt_plan_add_filter(struct kpt_plan *p, struct kpt_arch_step *step,
			 const struct kpt_handler *handler, const struct kpt_sink *sink);
bool kpt_plan_counts_own(const struct kpt_handler *handler);

#endif
