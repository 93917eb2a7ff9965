/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a stub or a thunk does at a hit, step by step: src/parts/recorder/plan_step.c makes the
 * steps, recorder/recorder_links.c links them, and recorder/recorder_emit.c makes code of them.
 */
#ifndef KPT_ARM64_ARCH_STEP_H
#define KPT_ARM64_ARCH_STEP_H

#include "lib/base/port.h"

struct kpt_arch_hist;
struct kpt_call_owner;
struct kpt_chain;
struct kpt_fetch_prog;
struct kpt_filter;
struct kpt_handlers;
struct kpt_hook;
struct kpt_limit;
struct kpt_ring;
struct kpt_scale;
struct task_struct;

/* Records that a stub or a thunk makes at once, at most, and steps of one. */
#define KPT_ARCH_RECORDS	16
#define KPT_ARCH_STEPS		32

/**
 * struct kpt_arch_record - a record that a stub or a thunk makes of a hit
 * @prog: its arguments
 * @type: kpt_record_head.type in a ring
 * @ip: the probed address; for a return the function
 * @left_out: @ip is not in a ring: so many bytes behind the head are not there
 * @length: bytes that it takes in a ring, strings left out
 * @is_return: the hit is a return, of a function that is @ip
 * @recorded: counts it
 * @hits: counts the hit, too; NULL: that is an outcome alone
 * @own_filtered: NULL, or points to kpt_probe.own_filtered, which counts the hit while
 *	tracing_on is 0, or if the task is not wanted. Such hits are not for code while one record
 *	of a step has no own_filtered
 * @filtered: without @own_filtered: count the hit then. If the first is NULL, such hits are not
 *	for code; if the second is, nothing more
 * @lost: count the hit if a ring that is not overwritten has no room for the record; NULL: no
 *	more. If both are NULL, such hits are not for code
 */
struct kpt_arch_record {
	const struct kpt_fetch_prog *prog;
	u64 type;
	unsigned long ip;
	u16 left_out;
	u16 length;
	bool is_return;
	u64 __percpu *recorded;
	u64 __percpu *hits;
	u64 __percpu *const *own_filtered;
	u64 __percpu *filtered[2];
	u64 __percpu *lost[2];
};

/* KPT_STOP_SWITCH, _ASK, _CLOCK and _TASKS of kpt_arch_ring.stops. */
#define KPT_ARCH_STOP_SWITCH	1
#define KPT_ARCH_STOP_ASK	2
#define KPT_ARCH_STOP_CLOCK	4
#define KPT_ARCH_STOP_TASKS	8

/**
 * struct kpt_arch_ring - the rings of a buffer
 * @stops: an atomic_t: 0 while hits are recorded; KPT_STOP_CLOCK if the clock @is_slow
 * @ring: the ring of each CPU
 * @waiters: if it is not 0 after a record, kpt_hit_wake() is called
 * @buffer: with this
 * @tasks: points to a struct kpt_pids of the tasks that are wanted. Hits of others are not
 *	recorded while @stops has KPT_STOP_TASKS, too
 * @asks_tasks: it has, mostly: recorders ask @tasks first
 * @is_unordered: the clock is KPT_CLOCK_UNORDERED
 * @is_slow: its stamps are not the raw counter ...
 * @stamp: ... then the function that this points to makes them ...
 * @count: ... but if it is kpt_clock_count(), the recorder adds 1 to this
 */
struct kpt_arch_ring {
	const void *stops;
	struct kpt_ring __percpu *ring;
	const void *waiters;
	void *buffer;
	const void *tasks;
	bool asks_tasks;
	bool is_unordered;
	bool is_slow;
	const void *stamp;
	const atomic64_t *count;
};

/* Bit of kpt_chain_call.value, of a function_graph: nothing of the call is recorded. */
#define KPT_CHAIN_CALL_HIDDEN	32

/**
 * struct kpt_chain_call - a call in progress that function_graph or the profile has seen
 * @sp: stack pointer at the entry, and again at the return
 * @value: what they keep of the call, see src/parts/tracer/graph.h
 * @func: entry of the function
 * @start: stamp of the local clock at the entry
 * @slept: kpt_graph_slept() at the entry; 0: not known
 */
struct kpt_chain_call {
	unsigned long sp;
	u64 value;
	unsigned long func;
	u64 start;
	u64 slept;
};

/**
 * struct kpt_arch_chain - the calls in progress of a task: how a kpt_chain begins
 * @task: the task
 * @next: behind the newest call
 */
struct kpt_arch_chain {
	struct task_struct *task;
	struct kpt_chain_call *next;
};

/**
 * struct kpt_call - a call in progress
 * @around: the call below it on its pile
 * @inner: what is above it: the next call, or room for one; NULL if there is none yet
 * @sp: stack pointer at the entry, and again at the return
 * @ret: original return address if it was replaced, else 0, also while the return runs
 * @owner: owner of the call; NULL if the owner was freed
 * @hook: hook of the entry; valid while @owner is
 * @start: stamp of the local clock at the entry, if kpt_call_owner.keeps_start; 0: a
 *	function of another module does not want to see the return
 * @value: values of the entry, in the order of kpt_call_owner.arg; or kptrace_call.data
 */
struct kpt_call {
	struct kpt_call *around;
	struct kpt_call *inner;
	unsigned long sp;
	unsigned long ret;
	struct kpt_call_owner *owner;
	struct kpt_hook *hook;
	u64 start;
	u64 value[];
};

/**
 * struct kpt_arch_pile - the calls in progress of a task: how a struct kpt_pile begins
 * @task: the task; NULL: code must not touch the pile
 * @newest: the newest call, which is on top. There is always one, that is around all others
 *
 * Memory of a pile is never unmapped: it may become that of another task, or of a call, whose
 * first word is no task. So hits may look at the pile that their CPU has used last.
 */
struct kpt_arch_pile {
	struct task_struct *task;
	struct kpt_call *newest;
};

/**
 * struct kpt_arch_graph - what stubs use of a function_graph
 * @here: for each CPU the chain that it has used last
 * @deepest: calls at this depth and below are left to kpt_hit_point(); 0: all calls are
 * @scale: converts stamps of the local clock
 */
struct kpt_arch_graph {
	struct kpt_chain *__percpu *here;
	const u32 *deepest;
	const struct kpt_scale *scale;
};

/*
 * What holds for a step: it makes records; it has a ring; it needs a record of the hit that is
 * there; it asks for the task before anything else.
 */
#define KPT_STEP_MAKES	1
#define KPT_STEP_RING	2
#define KPT_STEP_NEEDS	4
#define KPT_STEP_TASKS	8

/*
 * The steps of a hit: name, what holds for it, and what in recorder_emit.c writes it.
 *
 * RECORD: it makes records. HELD: it makes one if no trigger but histograms wants the hit, which
 * count it. GRAPH_ENTER, GRAPH_LEAVE: it records that a call of function_graph begins or ends.
 * LIMIT: it has a limit, and counts a hit that is over it; others are not for code. KEEP: it keeps
 * a call, and replaces its return address. COPY: it copies records of the last step that has made
 * some to another ring. FOLLOW: it makes a record of an event on that of HELD, of its record. REST:
 * it leaves the rest of the list to kpt_hit_resume().
 */
#define KPT_ARCH_OPS(X)								\
	X(RECORD, KPT_STEP_MAKES | KPT_STEP_RING | KPT_STEP_TASKS,		\
	  kpt_recorder_put_making)						\
	X(HELD, KPT_STEP_MAKES | KPT_STEP_RING,					\
	  kpt_recorder_put_making)						\
	X(GRAPH_ENTER, KPT_STEP_MAKES | KPT_STEP_RING, kpt_recorder_put_making)	\
	X(GRAPH_LEAVE, KPT_STEP_MAKES | KPT_STEP_RING, kpt_recorder_put_making)	\
	X(LIMIT, KPT_STEP_RING | KPT_STEP_TASKS, put_limit)			\
	X(KEEP, 0, put_keep)							\
	X(COPY, KPT_STEP_RING | KPT_STEP_NEEDS | KPT_STEP_TASKS,		\
	  kpt_recorder_put_copy)						\
	X(FOLLOW, KPT_STEP_RING | KPT_STEP_NEEDS | KPT_STEP_TASKS,		\
	  kpt_recorder_put_follow)						\
	X(REST, 0, put_rest)

#define KPT_ARCH_OP(name, has, put) KPT_ARCH_##name,
enum kpt_arch_op { KPT_ARCH_OPS(KPT_ARCH_OP) };
#undef KPT_ARCH_OP

/* Conditions of triggers of one sort, at most. */
#define KPT_ARCH_CONDITIONS	4

/**
 * struct kpt_arch_held - what triggers do at a hit
 * @unless: the step is not for code while one of these is true; NULL: no more
 * @asks_tasks: kpt_arch_ring.asks_tasks; no trigger runs for tasks that @tasks excludes
 * @enabled: while it is not true nothing is recorded
 * @needs_record: there is a record of each hit, for @perf or for events on the event
 * @hits: counts the hit then
 * @others: number of @other
 * @hists: number of @hist
 * @other: filters as kpt_arch_step.filter; a hit that one of them accepts is not for code
 * @hist: histograms that count hits, recorded or not
 * @hist.filter: of the histogram, as kpt_arch_step.filter; NULL: it wants all hits
 * @hist.hist: the histogram
 * @stack: a trigger that records the stack when the hit is recorded; or NULL
 * @stack_filter: its filter, as kpt_arch_step.filter; NULL: it wants all hits
 * @perf: of an event that perf listens to: what kpt_hit_recorded_perf() gets; or NULL
 * @pc: the probed address
 * @has_caller: only x30 tells the caller of the probed code
 * @aside: memory of each CPU, for the record of a hit that no ring gets
 * @pad: the same for a stack that is a key
 */
struct kpt_arch_held {
	const bool *unless[2];
	bool asks_tasks;
	const bool *enabled;
	bool needs_record;
	u64 __percpu *hits;
	u8 others;
	u8 hists;
	const struct kpt_filter *other[KPT_ARCH_CONDITIONS];
	struct {
		const struct kpt_filter *filter;
		const struct kpt_arch_hist *hist;
	} hist[KPT_ARCH_CONDITIONS];
	void *stack;
	const struct kpt_filter *stack_filter;
	void *perf;
	unsigned long pc;
	bool has_caller;
	void __percpu *aside;
	void __percpu *pad;
};

/**
 * struct kpt_arch_keep - a call that is kept, as kpt_call_push() does it
 * @owner: kpt_call.owner
 * @hook: kpt_call.hook
 * @pinned: while it is 0, no return address is replaced
 * @nr_values: number of @arg
 * @arg: which arguments become kpt_call.value
 * @keeps_start: kpt_call.start is the time
 */
struct kpt_arch_keep {
	const struct kpt_call_owner *owner;
	const struct kpt_hook *hook;
	const int *pinned;
	u8 nr_values;
	const u16 *arg;
	bool keeps_start;
};

/**
 * struct kpt_arch_rest - what is left of a hit
 * @at: bytes in the list of handlers up to the first of @nr handlers
 * @sink: index of the sink that these have not had the hit for ...
 * @from: ... but for so many of them, whose next sink is the first that has not
 * @nr: number of these handlers; those behind them have not had the hit at all
 *
 * With kpt_arch_step.followers, that sink has had the hit, and so have the first @from of them.
 */
struct kpt_arch_rest {
	u32 at;
	u16 sink;
	u8 from;
	u8 nr;
};

/**
 * enum kpt_arch_caller - what runs a recorder
 * @KPT_ARCH_STUB: the stub of a point
 * @KPT_ARCH_THUNK: the thunk of a tracepoint
 * @KPT_ARCH_BRK: the BRK of a point without a stub
 * @KPT_ARCH_RETURN: kpt_return_entry, which a call returns to whose return address was replaced
 */
enum kpt_arch_caller {
	KPT_ARCH_STUB,
	KPT_ARCH_THUNK,
	KPT_ARCH_BRK,
	KPT_ARCH_RETURN,
};

/* A bit for each register that recorders change, and what runs them does not save. */
#define KPT_ARCH_SCRATCH	(GENMASK(15, 11) | BIT(17))

/* kpt_arch_step.done and .passed: the hit ends. */
#define KPT_ARCH_END		0xff

/**
 * struct kpt_arch_step - a part of a hit, which a stub or a thunk does all of or nothing
 * @op: what it does
 * @is_more: it makes records behind others of the hit, whose flags they get, and their time ...
 * @has_own_time: ... unless they have their own; also of KPT_ARCH_COPY
 * @done: the step behind it
 * @passed: the step behind it if it has recorded nothing, and there is no record of the hit
 * @kept: the same, but there is the one that it has needed itself
 * @rest: for kpt_hit_resume() if this step is not for code; not used by the first step, for
 *	which kpt_arch_recorder.hit has the whole hit
 * @followers: of KPT_ARCH_FOLLOW, and of KPT_ARCH_REST if some of them are left: all followers of
 *	the event, a struct kpt_handlers
 * @ring: where it records
 * @filter: NULL, or a filter from kpt_filter_on_hit(), of the only record
 * @filtered: count a hit that @filter refuses; NULL: no more
 * @nr: number of @record
 * @record: the records, all of them of one hit, made or copied at once
 * @from: of KPT_ARCH_COPY: bytes from the first record of the step before to the first that is
 *	copied
 * @condition: of KPT_ARCH_FOLLOW: NULL, or a filter as @filter, of the record that is there: only
 *	hits that it accepts are hits of the step
 * @limit: NULL, or the limit of the event, also of KPT_ARCH_HELD. If there is one, a hit that is
 *	not over it is not for code
 * @limited: count a hit that is over it; NULL: no more
 * @keep: of KPT_ARCH_KEEP
 * @graph: of function_graph
 * @held: of KPT_ARCH_HELD
 */
struct kpt_arch_step {
	enum kpt_arch_op op;
	bool is_more;
	bool has_own_time;
	u8 done;
	u8 passed;
	u8 kept;
	struct kpt_arch_rest rest;
	const struct kpt_handlers *followers;
	struct kpt_arch_ring ring;
	const struct kpt_filter *filter;
	u64 __percpu *filtered[2];
	unsigned int nr;
	const struct kpt_arch_record *record;
	const struct kpt_limit *limit;
	u64 __percpu *limited[2];
	union {
		unsigned int from;
		const struct kpt_filter *condition;
		const struct kpt_arch_graph *graph;
		struct kpt_arch_keep keep;
		struct kpt_arch_held held;
	};
};

bool kpt_arch_step_has(const struct kpt_arch_step *step, unsigned int what);
bool kpt_arch_step_needs(const struct kpt_arch_step *step);
bool kpt_arch_step_is_copied(const struct kpt_arch_step *first, const struct kpt_arch_step *step);
unsigned int kpt_arch_steps_link(struct kpt_arch_step *step, unsigned int nr);

#endif
