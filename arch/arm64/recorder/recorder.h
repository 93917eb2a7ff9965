/* SPDX-License-Identifier: GPL-2.0-only */
/* Shared by the files recorder*.c. */
#ifndef KPT_ARM64_RECORDER_H
#define KPT_ARM64_RECORDER_H

#include <linux/types.h>
#include "arch.h"
#include "insn/asm.h"

struct kpt_fetch_prog;
struct kpt_filter;
struct kpt_filter_pred;
struct kpt_strbuf;

/* SP, as struct kpt_fetch_copy and predicates of filters count registers. */
#define KPT_RECORDER_SP		31

/* Room in a record for what strings need, all together. */
#define KPT_RECORDER_STRINGS	128

#define KPT_CPU(member)		offsetof(struct kpt_cpu, member)
/* A flag of a record's head, in x15. */
#define KPT_RECORDER_FLAG(flag)	((u64)(flag) << 48)

/**
 * enum kpt_recorder_place - labels of a step, or of a way of one
 * @KPT_AT_BEGIN: the step begins
 * @KPT_AT_EARLY: the step is not for code, and nothing was done yet
 * @KPT_AT_UNREAD: the same, as a number cannot be read that filters ask for
 * @KPT_AT_REFUSED: the filter refuses the hit
 * @KPT_AT_OTHER_TASK: the task is not wanted, and no registers are saved
 * @KPT_AT_DISABLED: the event is not enabled, or does not want the record that it follows
 * @KPT_AT_STOPPED: something is not as in most hits, perhaps tracing_on is 0
 * @KPT_AT_UNWANTED: the hit is not wanted
 * @KPT_AT_ALLOWED: it is, and all else is as in most hits
 * @KPT_AT_REPLACED: the return address may be one of ours, or of another tracer
 * @KPT_AT_NOT_REPLACED: it is none
 * @KPT_AT_FLAGS: the task's flags are not as in most hits
 * @KPT_AT_CALM: they are known
 * @KPT_AT_OPEN: all that is asked of the task and the ring is known
 * @KPT_AT_LEAVE: memory cannot be read
 * @KPT_AT_FULL: the ring has no room; perhaps none can be made
 * @KPT_AT_UNDO: the same, but that is not for code
 * @KPT_AT_SLOW: the step is not for code
 * @KPT_AT_WANTED: a histogram wants a hit that is not recorded
 * @KPT_AT_WAITS: the record is published, and somebody wants to know
 * @KPT_AT_DONE: they do
 * @KPT_RECORDER_PLACES: number of these
 */
enum kpt_recorder_place {
	KPT_AT_BEGIN,
	KPT_AT_EARLY,
	KPT_AT_UNREAD,
	KPT_AT_REFUSED,
	KPT_AT_OTHER_TASK,
	KPT_AT_DISABLED,
	KPT_AT_STOPPED,
	KPT_AT_UNWANTED,
	KPT_AT_ALLOWED,
	KPT_AT_REPLACED,
	KPT_AT_NOT_REPLACED,
	KPT_AT_FLAGS,
	KPT_AT_CALM,
	KPT_AT_OPEN,
	KPT_AT_LEAVE,
	KPT_AT_FULL,
	KPT_AT_UNDO,
	KPT_AT_SLOW,
	KPT_AT_WANTED,
	KPT_AT_WAITS,
	KPT_AT_DONE,
	KPT_RECORDER_PLACES
};

/**
 * enum kpt_recorder_routine - what recorders have in common, see recorder_common.c
 * @KPT_RECORDER_REPLACED: is it a return address of ours, or of another tracer?
 * @KPT_RECORDER_FLAGS: the flags of a task that is not calm
 * @KPT_RECORDER_TASKS: is the task one that an instance wants?
 * @KPT_RECORDER_CALL: call a function
 * @KPT_RECORDER_MATCH: does a string match a text?
 * @KPT_RECORDER_WALK: the callers of a hit
 * @KPT_RECORDER_HASH: the hash of a string that is a key of a histogram
 * @KPT_RECORDER_COMPARE: is it that of an entry?
 * @KPT_RECORDER_HIST: kpt_hit_recorded(), or another function of that type
 * @KPT_RECORDER_SYNTH: kpt_hit_recorded_synth()
 * @KPT_RECORDER_RESUME: kpt_hit_resume()
 * @KPT_RECORDER_ROUTINES: number of these
 */
enum kpt_recorder_routine {
	KPT_RECORDER_REPLACED,
	KPT_RECORDER_FLAGS,
	KPT_RECORDER_TASKS,
	KPT_RECORDER_CALL,
	KPT_RECORDER_MATCH,
	KPT_RECORDER_WALK,
	KPT_RECORDER_HASH,
	KPT_RECORDER_COMPARE,
	KPT_RECORDER_HIST,
	KPT_RECORDER_SYNTH,
	KPT_RECORDER_RESUME,
	KPT_RECORDER_ROUTINES
};

/* Words of kpt_arch_recorder.operand, at most. */
#define KPT_RECORDER_OPERANDS	480

/* Rings with a clock that is no counter, and whose time all records of a hit share, at most. */
#define KPT_RECORDER_TIMES		2

/**
 * enum kpt_recorder_way - ways of a step
 * @KPT_WAY_USUAL: most steps have this one alone
 * @KPT_WAY_DISABLED: histograms count a hit of an event that is not enabled ...
 * @KPT_WAY_REFUSED: ... or one that its filter refuses, or that is not wanted otherwise ...
 * @KPT_WAY_LIMITED: ... or one that is over a limit ...
 * @KPT_WAY_LOST: ... or one that the ring has no room for
 * @KPT_RECORDER_WAYS: number of these
 */
enum kpt_recorder_way {
	KPT_WAY_USUAL,
	KPT_WAY_DISABLED,
	KPT_WAY_REFUSED,
	KPT_WAY_LIMITED,
	KPT_WAY_LOST,
	KPT_RECORDER_WAYS
};

/**
 * enum kpt_recorder_why - why C has a hit of a histogram, or of a trigger that records stacks
 * @KPT_RECORDER_UNCOUNTED: code has not counted it, or found no stack
 * @KPT_RECORDER_MARKED: it has, and the mark is new
 * @KPT_RECORDER_WAITED: the stack is recorded, and a reader waits
 * @KPT_RECORDER_SYNTH_MADE: C has counted it, and made a record of a synthetic event
 * @KPT_RECORDER_SYNTH_LAST: the same, and nothing follows in this step
 */
enum kpt_recorder_why {
	KPT_RECORDER_UNCOUNTED,
	KPT_RECORDER_MARKED,
	KPT_RECORDER_WAITED,
	KPT_RECORDER_SYNTH_MADE,
	KPT_RECORDER_SYNTH_LAST,
};

/* How often C has one, at most. */
#define KPT_RECORDER_LATER	(2 * KPT_ARCH_CONDITIONS + 2)

/* Addresses of a recorded stack, at most: KPT_TRIGGER_STACK_MAX. */
#define KPT_RECORDER_CALLERS	64

/**
 * struct kpt_recorder_later - a call of C that is written later
 * @why: enum kpt_recorder_why
 * @label: where
 * @next: label: where the hit goes on
 * @hist: the histogram; NULL: kpt_arch_held.stack
 */
struct kpt_recorder_later {
	u8 why;
	unsigned int label;
	unsigned int next;
	const struct kpt_arch_hist *hist;
};

/* Numbers in memory that the filters of a step ask for before a record is made, at most. */
#define KPT_RECORDER_READS	4

/**
 * struct kpt_recorder_read - such a number; it is at KPT_RECORDER_READ_AT
 * @first: the first step of the argument
 * @last: its last step, which stores the number
 */
struct kpt_recorder_read {
	const struct kpt_fetch_step *first;
	const struct kpt_fetch_step *last;
};

/**
 * struct kpt_recorder_step - what is known of a step, or a way of one, when its code is written
 * @places: its first label
 * @nr_later: number of @later
 * @later: calls of C
 * @apart: label: the newest call is on another stack, or not around that of KPT_ARCH_KEEP
 * @around: label: it is
 * @is_making: it makes records
 * @has_ring: it finds its ring, and asks whether that takes records
 * @length: bytes of all records in a ring; with strings, of those that are made at most
 * @stops: the operand kpt_arch_ring.stops
 * @is_return: it checks the return address
 * @has_bias: preempt_count() is what a tracepoint has made of it
 * @has_strings: the fetch program finds out how long the record is
 * @nr_reads: number of @read
 * @read: what filters read before a record is made; that gets it from there
 * @is_late: the filter reads what the fetch program has stored
 * @is_narrow: registers that the stub has not saved are not saved while filters run
 * @is_wide: but for x11 and x12
 * @is_full: but for all that the recorder saves
 * @changes_flags: a filter changes PSTATE.NZCV
 */
struct kpt_recorder_step {
	unsigned int places;
	unsigned int nr_later;
	struct kpt_recorder_later later[KPT_RECORDER_LATER];
	unsigned int apart;
	unsigned int around;
	bool is_making;
	bool has_ring;
	unsigned int length;
	unsigned int stops;
	bool is_return;
	bool has_bias;
	bool has_strings;
	unsigned int nr_reads;
	struct kpt_recorder_read read[KPT_RECORDER_READS];
	bool is_late;
	bool is_narrow;
	bool is_wide;
	bool is_full;
	bool changes_flags;
};

/**
 * struct kpt_recorder_code - a recorder that is being written
 * @code: what is written so far
 * @operand: what is different in recorders that share the code
 * @nr_operands: number of @operand
 * @field: which of @operand are fields of the first record, see kpt_recorder_note(); 0: it is none
 * @timed: the rings whose times are at KPT_RECORDER_TIME_AT
 * @nr_timed: number of these
 * @notes_task: what the first step finds when it asks for the task is at KPT_RECORDER_WANTED
 * @caller: what runs the recorder
 * @saves: it saves KPT_ARCH_SCRATCH, and restores them
 * @step: the step that is being written
 * @held: kpt_arch_step.held of @step, or what there is of it for the task
 * @first: the first step
 * @nr: number of steps
 * @now: more of @step, or of the way of it that is being written
 * @each: more of all steps
 */
struct kpt_recorder_code {
	struct kpt_code code;
	u64 operand[KPT_RECORDER_OPERANDS];
	unsigned int nr_operands;
	u8 field[KPT_RECORDER_OPERANDS];
	const struct kpt_ring __percpu *timed[KPT_RECORDER_TIMES];
	unsigned int nr_timed;
	bool notes_task;
	enum kpt_arch_caller caller;
	bool saves;
	const struct kpt_arch_step *step;
	const struct kpt_arch_held *held;
	const struct kpt_arch_step *first;
	unsigned int nr;
	struct kpt_recorder_step *now;
	struct kpt_recorder_step each[KPT_ARCH_STEPS][KPT_RECORDER_WAYS];
};

/* recorder.c */
extern unsigned int kpt_recorder_resume;
void kpt_recorder_forget_func(void);

/* The label of a place in a step, in its usual way. */
static inline unsigned int kpt_recorder_place_of(const struct kpt_recorder_code *r,
						 const struct kpt_arch_step *step,
						 enum kpt_recorder_place place)
{
	return (step - r->first) * KPT_RECORDER_PLACES + place;
}

/* The label of a place in the step, or the way of it, that is being written. */
static inline unsigned int kpt_recorder_at(const struct kpt_recorder_code *r,
					   enum kpt_recorder_place place)
{
	return r->now->places + place;
}

/* Branch to a place in this step. */
static inline void kpt_recorder_put_to(struct kpt_recorder_code *r, u32 word,
				       enum kpt_recorder_place place)
{
	kpt_put_to(&r->code, word, kpt_recorder_at(r, place));
}

static inline void kpt_recorder_here(struct kpt_recorder_code *r, enum kpt_recorder_place place)
{
	kpt_here(&r->code, kpt_recorder_at(r, place));
}

static inline bool kpt_recorder_is_graph(const struct kpt_recorder_code *r)
{
	return r->step->op == KPT_ARCH_GRAPH_ENTER || r->step->op == KPT_ARCH_GRAPH_LEAVE;
}

/*
 * Where a record in a ring would begin if it were whole: what is behind its place is so far from
 * there. @at: where it begins.
 */
static inline int kpt_recorder_begin(const struct kpt_arch_record *record, unsigned int at)
{
	return (int)at - record->left_out;
}

/* recorder_put.c */
int kpt_recorder_saved_at(unsigned int reg);
void kpt_recorder_put_sp(struct kpt_recorder_code *r, enum a64_reg reg);
enum a64_reg kpt_recorder_put_load(struct kpt_recorder_code *r, unsigned int reg);
u32 kpt_recorder_store(enum a64_reg reg, unsigned int size, unsigned int offset);
void kpt_recorder_put_percpu(struct kpt_code *c);
void kpt_recorder_put_count(struct kpt_code *c, enum a64_reg at, enum a64_reg cpu);
unsigned int kpt_recorder_operand(struct kpt_recorder_code *r, u64 value);
unsigned int kpt_recorder_put_operand(struct kpt_recorder_code *r, enum a64_reg reg, u64 value);
unsigned int kpt_recorder_put_operands(struct kpt_recorder_code *r, enum a64_reg reg, u64 value,
				       enum a64_reg other, u64 next);
void kpt_recorder_note(struct kpt_recorder_code *r, unsigned int at, const void *field,
		       bool is_counter);
u64 kpt_recorder_field(const struct kpt_arch_record *record, u8 noted);
void kpt_recorder_put_field(struct kpt_recorder_code *r, enum a64_reg reg, const void *field);
void kpt_recorder_put_field_counter(struct kpt_recorder_code *r, u64 __percpu *const *counter);
void kpt_recorder_put_counter(struct kpt_recorder_code *r, const u64 __percpu *counter);
void kpt_recorder_put_landing_pad(struct kpt_code *c);
void kpt_recorder_put_save(struct kpt_code *c);
void kpt_recorder_put_load_saved(struct kpt_code *c);
void kpt_recorder_put_save_scratch(struct kpt_recorder_code *r, bool has_wide);
void kpt_recorder_put_load_scratch(struct kpt_code *c);
void kpt_recorder_put_unsaved(struct kpt_recorder_code *r, unsigned int at);
void kpt_recorder_put_end(struct kpt_recorder_code *r);
void kpt_recorder_put_unsigned(struct kpt_code *c);

/* recorder_ask.c */
void kpt_recorder_put_find_ring(struct kpt_recorder_code *r);
void kpt_recorder_put_only_stops(struct kpt_recorder_code *r, enum a64_reg reg);
void kpt_recorder_put_ring(struct kpt_recorder_code *r, bool also);
void kpt_recorder_put_ask(struct kpt_recorder_code *r);
void kpt_recorder_put_ask_aside(struct kpt_recorder_code *r);
void kpt_recorder_put_context(struct kpt_recorder_code *r);
bool kpt_recorder_asks_tasks(const struct kpt_arch_step *step);
void kpt_recorder_put_is_wanted(struct kpt_code *c, enum a64_reg reg, enum a64_reg task,
				enum a64_reg other);
void kpt_recorder_find_tasks(struct kpt_recorder_code *r);
void kpt_recorder_put_wanted(struct kpt_recorder_code *r, enum kpt_recorder_place unwanted);
void kpt_recorder_put_other_task(struct kpt_recorder_code *r);
void kpt_recorder_put_stopped(struct kpt_recorder_code *r, bool is_known);
void kpt_recorder_put_find_flags(struct kpt_code *c);
void kpt_recorder_put_flags(struct kpt_recorder_code *r);
void kpt_recorder_put_replaced(struct kpt_recorder_code *r);

/* recorder_stack.c */
void kpt_recorder_put_walk(struct kpt_code *c);
void kpt_recorder_put_callers(struct kpt_recorder_code *r, unsigned int none);
void kpt_recorder_put_stack(struct kpt_recorder_code *r);

/* The step that a hit goes on with; NULL: there is none. */
static inline const struct kpt_arch_step *
kpt_recorder_step_at(const struct kpt_recorder_code *r, u8 at)
{
	return at == KPT_ARCH_END ? NULL : &r->first[at];
}

/* recorder_make.c */
void kpt_recorder_put_making(struct kpt_recorder_code *r);
void kpt_recorder_put_made(struct kpt_recorder_code *r);
void kpt_recorder_put_next_header(struct kpt_recorder_code *r, enum a64_reg first,
				  unsigned int i, unsigned int at);

/* recorder_emit.c */
bool kpt_recorder_write(struct kpt_recorder_code *r, const struct kpt_arch_step *step,
			unsigned int nr);
bool kpt_recorder_finds_ring(const struct kpt_arch_step *step);
const struct kpt_arch_step *kpt_recorder_next_alike(const struct kpt_recorder_code *r);
void kpt_recorder_put_entry(struct kpt_recorder_code *r);
void kpt_recorder_put_leave(struct kpt_recorder_code *r);
void kpt_recorder_put_lost(struct kpt_recorder_code *r);
void kpt_recorder_put_go_lost(struct kpt_recorder_code *r);
void kpt_recorder_put_wake(struct kpt_recorder_code *r);
void kpt_recorder_put_done_cold(struct kpt_recorder_code *r);
void kpt_recorder_put_passed(struct kpt_recorder_code *r, bool is_open, bool has_known);
enum kpt_recorder_place kpt_recorder_full(const struct kpt_recorder_code *r);
void kpt_recorder_put_counts(struct kpt_recorder_code *r);
void kpt_recorder_put_publish(struct kpt_recorder_code *r);

/* recorder_copy.c */
void kpt_recorder_put_copy(struct kpt_recorder_code *r);
void kpt_recorder_put_follow(struct kpt_recorder_code *r);

/* recorder_time.c */
void kpt_recorder_put_call(struct kpt_recorder_code *r);
void kpt_recorder_find_times(struct kpt_recorder_code *r);
void kpt_recorder_put_forget_times(struct kpt_code *c, unsigned int frame);
void kpt_recorder_put_local_time(struct kpt_recorder_code *r, enum a64_reg reg);
void kpt_recorder_put_stamp(struct kpt_recorder_code *r, enum a64_reg at, unsigned int length);
void kpt_recorder_put_time(struct kpt_recorder_code *r, unsigned int length);
void kpt_recorder_put_copied_time(struct kpt_recorder_code *r, unsigned int length);

/* recorder_common.c */
u64 kpt_recorder_routine(enum kpt_recorder_routine routine);
bool kpt_recorder_write_routines(struct kpt_code *c);
unsigned int kpt_recorder_nr_routines(void);

/* recorder_again.c */
const u32 *kpt_recorder_again(struct kpt_recorder_code *r, const struct kpt_arch_step *step,
			      unsigned int nr);
void kpt_recorder_keep(const struct kpt_recorder_code *r, const struct kpt_arch_step *step,
		       unsigned int nr, const u32 *code);

/* recorder_share.c */
const u32 *kpt_recorder_share(const struct kpt_code *c);
void kpt_recorder_share_more(const u32 *code);
void kpt_recorder_unshare(const u32 *code);
void kpt_recorder_share_status(struct kpt_strbuf *sb, unsigned int others);
void kpt_recorder_share_exit(bool all);

/* recorder_filter.c */
void kpt_recorder_find_filters(struct kpt_recorder_code *r);
void kpt_recorder_put_filter(struct kpt_recorder_code *r);
bool kpt_recorder_is_late(const struct kpt_recorder_code *r, const struct kpt_filter *filter);
void kpt_recorder_put_narrow_end(struct kpt_recorder_code *r);
void kpt_recorder_put_condition(struct kpt_recorder_code *r, const struct kpt_filter *filter,
				unsigned int accept);
void kpt_recorder_put_unless(struct kpt_recorder_code *r, const struct kpt_filter *filter,
			     unsigned int refuse);
void kpt_recorder_put_refuse(struct kpt_recorder_code *r);
void kpt_recorder_put_passed_by(struct kpt_recorder_code *r, const u64 __percpu *counter,
			      const u64 __percpu *other);

/* recorder_text.c */
void kpt_recorder_put_match(struct kpt_code *c);
void kpt_recorder_put_text(struct kpt_recorder_code *r, const struct kpt_filter *filter,
			   const struct kpt_filter_pred *p, unsigned int from);

/* recorder_fetch.c */
void kpt_recorder_put_fetch(struct kpt_recorder_code *r, const struct kpt_fetch_prog *prog, int at);
void kpt_recorder_put_fetch_fields(struct kpt_recorder_code *r,
				   const struct kpt_fetch_prog *prog);
void kpt_recorder_put_turn_back(struct kpt_recorder_code *r);
bool kpt_recorder_find_read(const struct kpt_recorder_code *r, const struct kpt_filter_pred *p,
			    unsigned int *at, unsigned int *shift);
bool kpt_recorder_add_read(struct kpt_recorder_code *r, const struct kpt_filter_pred *p);
void kpt_recorder_put_reads(struct kpt_recorder_code *r);

/* recorder_graph.c */
void kpt_recorder_put_graph_save(struct kpt_code *c);
void kpt_recorder_put_graph_load(struct kpt_code *c);
void kpt_recorder_put_graph_check(struct kpt_recorder_code *r);
void kpt_recorder_put_graph_timed(struct kpt_recorder_code *r);
void kpt_recorder_put_graph_made(struct kpt_code *c);

/* recorder_keep.c */
void kpt_recorder_put_keep(struct kpt_recorder_code *r);
void kpt_recorder_put_keep_cold(struct kpt_recorder_code *r);
void kpt_recorder_put_returning(struct kpt_code *c, enum a64_reg reg);

/* recorder_held.c */
void kpt_recorder_put_held_test(struct kpt_recorder_code *r);
void kpt_recorder_put_held(struct kpt_recorder_code *r);
bool kpt_recorder_put_triggers(struct kpt_recorder_code *r, unsigned int wanted,
			       unsigned int leave, bool is_narrow);
void kpt_recorder_put_aside(struct kpt_recorder_code *r, enum kpt_recorder_way way);
void kpt_recorder_put_held_cold(struct kpt_recorder_code *r);
void kpt_recorder_put_counted(struct kpt_code *c);
void kpt_recorder_put_synth(struct kpt_code *c);

/* recorder_hist.c */
unsigned int kpt_recorder_later(struct kpt_recorder_code *r, enum kpt_recorder_why why,
				const struct kpt_arch_hist *hist, unsigned int next);
bool kpt_recorder_wants_stack(const struct kpt_arch_hist *hist);
void kpt_recorder_put_hist(struct kpt_recorder_code *r, const struct kpt_arch_hist *hist);
void kpt_recorder_put_hash(struct kpt_code *c);
void kpt_recorder_put_compare(struct kpt_code *c);

/* recorder_read.c */
extern const char kpt_recorder_read1[], kpt_recorder_read2[];
extern const char kpt_recorder_read4[], kpt_recorder_read8[];
extern const char kpt_recorder_string[], kpt_recorder_ustring[], kpt_recorder_ustring_ttbr0[];

#endif
