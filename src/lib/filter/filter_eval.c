// SPDX-License-Identifier: GPL-2.0-only
/* Compiled filters at run time. */
#include "lib/base/port.h"
#include "lib/filter/filter.h"
#include "lib/base/glob.h"

/* Bytes of a user string that are compared, as in mainline. */
#define USER_TEXT_MAX 1024

static bool match_set(const struct kpt_filter *filter,
		      const struct kpt_filter_pred *pred, u64 cpu)
{
	const u64 *set = (const u64 *)((const u8 *)filter + pred->at);

	return cpu < pred->len && set[cpu / 64] >> (cpu % 64) & 1;
}

/* The record may have fewer words than the set: others are 0. Without a mask false. */
static bool match_mask(const struct kpt_filter *filter,
		       const struct kpt_filter_pred *pred, const u8 *record,
		       size_t size)
{
	const u64 *set = (const u64 *)((const u8 *)filter + pred->at);
	u64 word, both = 0, differ = 0;
	const char *mask;
	size_t len, i;

	mask = kpt_field_data(&pred->field, record, size, &len);
	if (!mask)
		return false;
	for (i = 0; i < PORT_CPU_WORDS(pred->len); i++) {
		word = 0;
		if (len > i * sizeof(word))
			memcpy(&word, mask + i * sizeof(word),
			       min(len - i * sizeof(word), sizeof(word)));
		/* Above the last CPU the kernel may have set bits. */
		if (i == pred->len / 64)
			word &= (1ULL << pred->len % 64) - 1;
		both |= word & set[i];
		differ |= word ^ set[i];
	}
	return pred->negated ^ (pred->how ? both != 0 : !differ);
}

static bool match_text(const struct kpt_filter *filter,
		       const struct kpt_filter_pred *pred, const char *text,
		       size_t len)
{
	return pred->negated ^ kpt_glob_test(pred->how,
					     (const char *)filter + pred->at,
					     pred->len, text, len);
}

static bool match_field(const struct kpt_filter *filter,
			const struct kpt_filter_pred *pred, const u8 *record,
			size_t size)
{
	size_t len;
	const char *text = kpt_field_text(&pred->field, record, size, &len);

	return match_text(filter, pred, text, len);
}

static bool match_comm(const struct kpt_filter *filter,
		       const struct kpt_filter_pred *pred)
{
	char comm[PORT_COMM_LEN];

	port_current_comm(comm);
	return match_text(filter, pred, comm, strnlen(comm, sizeof(comm)));
}

static noinline bool match_user(const struct kpt_filter *filter,
				const struct kpt_filter_pred *pred,
				const u8 *record)
{
	char *text = port_scratch();
	u64 addr = kpt_field_number(&pred->field, record);

	static_assert(USER_TEXT_MAX <= PORT_SCRATCH_SIZE, "it is large enough");

	return port_read_user_str(text, addr, USER_TEXT_MAX) > 0 &&
	       match_text(filter, pred, text, strnlen(text, USER_TEXT_MAX));
}

/* A predicate of another kind than KPT_FILTER_NUMBER. */
static bool match_other(const struct kpt_filter *filter,
			const struct kpt_filter_pred *pred, const u8 *record,
			size_t size, unsigned int cpu)
{
	switch (pred->kind) {
	case KPT_FILTER_CPU:
		return (u64)cpu - pred->low <= pred->span;
	case KPT_FILTER_NUMBER_CPUS:
		return match_set(filter, pred, kpt_filter_number(pred, record) >>
				      pred->how);
	case KPT_FILTER_CPU_CPUS:
		return match_set(filter, pred, cpu);
	case KPT_FILTER_MASK_CPUS:
		return match_mask(filter, pred, record, size);
	case KPT_FILTER_TEXT:
		return match_field(filter, pred, record, size);
	case KPT_FILTER_COMM:
		return match_comm(filter, pred);
	case KPT_FILTER_TASK:
		return ((port_task_number(pred->base) << pred->shift) & pred->mask) -
		       pred->low <= pred->span;
	default:
		return match_user(filter, pred, record);
	}
}

/* Run the program from @pred on. */
static noinline bool match_from(const struct kpt_filter *filter,
				const struct kpt_filter_pred *pred,
				const u8 *record, size_t size,
				unsigned int cpu)
{
	unsigned int next;
	bool match;

	for (;;) {
		if (pred->kind == KPT_FILTER_NUMBER)
			match = kpt_filter_number(pred, record) - pred->low <=
				pred->span;
		else
			match = match_other(filter, pred, record, size, cpu);
		next = pred->next[match];
		if (next >= KPT_FILTER_REJECT)
			return next == KPT_FILTER_ACCEPT;
		pred = &filter->pred[next];
	}
}

/**
 * kpt_filter_match() - does a record match a filter?
 * @filter: a compiled filter
 * @record: the record
 * @size: bytes at @record; strings are read only inside it
 * @cpu: the current CPU
 *
 * A string that could not be fetched compares as the empty string. A predicate
 * on a user string that cannot be read is false.
 *
 * Calls no function, and needs no stack frame, while predicates are numbers.
 *
 * Context: BRK. Uses port_scratch() for a filter with .ustring.
 * Return: true if it is.
 */
bool kpt_filter_match(const struct kpt_filter *filter, const void *record,
		      size_t size, unsigned int cpu)
{
	const struct kpt_filter_pred *pred;
	bool match = kpt_filter_match_numbers(filter, record, &pred);

	return likely(!pred) ? match :
	       match_from(filter, pred, record, size, cpu);
}

/**
 * kpt_filter_reads_user() - does a filter read user memory?
 * @filter: a compiled filter
 *
 * Context: any.
 * Return: true if it does for some records.
 */
bool kpt_filter_reads_user(const struct kpt_filter *filter)
{
	unsigned int i;

	for (i = 0; i < filter->nr; i++)
		if (filter->pred[i].kind == KPT_FILTER_USER_TEXT)
			return true;
	return false;
}
