/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Event filters: an expression over the fields of a record, compiled into a
 * program that stops at the first predicate that decides.
 */
#ifndef KPTRACE_FILTER_H
#define KPTRACE_FILTER_H

#include "lib/base/diag.h"
#include "lib/record/record.h"
#include "lib/base/strbuf.h"

/* Characters of a string operand, the NUL included. */
#define KPT_FILTER_TEXT_MAX	256
/* Characters of a whole filter, the NUL included. */
#define KPT_FILTER_MAX		4096

/* The text of the filter file of a group that has no filter. */
#define KPT_FILTER_GROUP_TEXT                                                  \
	"### global filter ###\n"                                              \
	"# Use this to set filters for multiple events.\n"                     \
	"# Only events with the given fields will be affected.\n"              \
	"# If no events are modified, an error message will be displayed here\n"

/* Values of kpt_filter_pred.next that are not an index. */
#define KPT_FILTER_REJECT	0xfffe
#define KPT_FILTER_ACCEPT	0xffff

enum kpt_filter_kind {
	KPT_FILTER_NUMBER,	/* a field lies in a range */
	KPT_FILTER_CPU,		/* the current CPU lies in a range */
	KPT_FILTER_NUMBER_CPUS,	/* a field is a CPU of a set */
	KPT_FILTER_CPU_CPUS,	/* the current CPU is in a set */
	KPT_FILTER_MASK_CPUS,	/* a mask of CPUs has one of a set, or is the set */
	KPT_FILTER_TEXT,	/* a string of the record matches */
	KPT_FILTER_COMM,	/* the current task's name matches */
	KPT_FILTER_USER_TEXT,	/* a string in user memory matches */
	KPT_FILTER_TASK,	/* a number of the current task lies in a range */
	KPT_FILTER_FIELD,	/* KPT_FILTER_NUMBER of the record, see kpt_filter_on_hit() */
};

/* As kpt_fetch_copy counts registers, in kpt_filter_on_hit(): the current task's number. */
#define KPT_FILTER_REG_PID	32

/**
 * struct kpt_filter_pred - one predicate
 * @kind: enum kpt_filter_kind
 * @shift: of numbers: kpt_field_load() with @base and @shift, masked by @mask,
 *	is the number with its sign bit in bit 63
 * @base: see @shift; of KPT_FILTER_TASK: enum port_task_number, which is shifted by @shift
 * @next: where to continue if it is false [0] or true [1]: an index or
 *	KPT_FILTER_REJECT or _ACCEPT
 * @mask: see @shift
 * @field: of text and masks: its place in the record
 * @low: of KPT_FILTER_NUMBER and _CPU: first value of the range
 * @span: distance from @low to the last value of the range, which may wrap, so
 *	that one comparison serves signed and unsigned fields
 * @at: of the other kinds: offset of the operand from struct kpt_filter
 * @len: of text: characters of the operand; of sets: number of CPUs
 * @how: of text: enum kpt_glob_how; of masks: 1 if one CPU of the set is enough; of other
 *	sets: bits to shift right before use
 * @negated: of text and masks: the predicate is true if the field does not match
 */
struct kpt_filter_pred {
	u8 kind;
	u8 shift;
	u16 base;
	u16 next[2];
	union {
		u64 mask;
		struct kpt_field_ref field;
	};
	union {
		struct {
			u64 low;
			u64 span;
		};
		struct {
			u32 at;
			u32 len;
			u8 how;
			bool negated;
		};
	};
};

/**
 * struct kpt_filter - a compiled filter
 * @size: bytes of the whole filter, with the operands behind the predicates
 * @nr: number of predicates
 * @pred: the program, which starts at index 0
 */
struct kpt_filter {
	u32 size;
	u16 nr;
	struct kpt_filter_pred pred[];
};

size_t kpt_filter_bound(const char *text, unsigned int nr_cpus);
int kpt_filter_parse(struct kpt_filter *filter, size_t size, const char *text,
		     const struct kpt_fields *fields, unsigned int nr_cpus,
		     struct kpt_diag *diag);
void kpt_filter_show_error(struct kpt_strbuf *sb, const char *text,
			   const struct kpt_diag *diag);
bool kpt_filter_match(const struct kpt_filter *filter, const void *record,
		      size_t size, unsigned int cpu);
bool kpt_filter_reads_user(const struct kpt_filter *filter);

/* A number in the top bits, zeroes below it. */
static __always_inline u64 kpt_filter_number(const struct kpt_filter_pred *pred,
					     const void *record)
{
	return kpt_field_load(record, pred->base, pred->shift) & pred->mask;
}

/**
 * kpt_filter_match_numbers() - kpt_filter_match() up to the first other
 * predicate than KPT_FILTER_NUMBER
 * @filter: a compiled filter
 * @record: the record
 * @pred: result: the other predicate, or NULL if none was reached
 *
 * Context: BRK.
 * Return: true if the record matches; meaningless unless *@pred is NULL.
 */
static __always_inline bool
kpt_filter_match_numbers(const struct kpt_filter *filter, const void *record,
			 const struct kpt_filter_pred **pred)
{
	const struct kpt_filter_pred *p = filter->pred;
	unsigned int next;

	while (likely(p->kind == KPT_FILTER_NUMBER)) {
		next = p->next[kpt_filter_number(p, record) - p->low <= p->span];
		if (likely(next >= KPT_FILTER_REJECT)) {
			*pred = NULL;
			return next == KPT_FILTER_ACCEPT;
		}
		p = &filter->pred[next];
	}
	*pred = p;
	return false;
}

struct kpt_fetch_prog;

/* Words of a string in a filter that kpt_filter_on_hit() accepts. */
#define KPT_FILTER_WORDS	4

/* Words of a task's name. */
#define KPT_FILTER_COMM_WORDS	(PORT_COMM_LEN / sizeof(u64))

void kpt_filter_comm_words(const struct kpt_filter *filter, const struct kpt_filter_pred *pred,
			   u64 text[KPT_FILTER_COMM_WORDS], u64 mask[KPT_FILTER_COMM_WORDS]);
bool kpt_filter_on_hit(struct kpt_filter *filter, const struct kpt_fetch_prog *prog);

#endif
