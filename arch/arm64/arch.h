/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The only interface between arch/ and src/: functions that an architecture
 * provides, and functions of src/ that it calls.
 */
#ifndef KPTRACE_ARCH_H
#define KPTRACE_ARCH_H

#include <linux/atomic.h>
#include <linux/irqflags.h>
#include <linux/list.h>
#include <linux/types.h>
#include <linux/ptrace.h>
#include <asm/alternative.h>
#include <asm/arch_timer.h>
#include <asm/barrier.h>
#include <asm/cpufeature.h>
#include <asm/sysreg.h>
#include "arch_hist.h"
#include "arch_watch.h"
#include "insn/insn.h"

struct kpt_arch_recorder;
struct kpt_arch_point;
struct kpt_arch_saved;
struct kpt_chain;
struct kpt_diag;
struct kpt_fetch_prog;
struct kpt_filter;
struct kpt_handlers;
struct kpt_limit;
struct kpt_ring;
struct kpt_scale;
struct kpt_strbuf;
struct perf_event;

/**
 * enum kpt_mode - how the displaced instruction of a point is performed
 * @KPT_MODE_SIMULATED: by software, in the BRK handler
 * @KPT_MODE_BOOSTED: in a slot that ends with a branch back: one exception
 * @KPT_MODE_STEPPED: in a slot that ends with a second BRK: two exceptions
 * @KPT_MODE_STUB: in a stub that the BRK handler continues at: one exception
 * @KPT_MODE_JUMP: in a stub that the probed instruction branches to: no exception
 */
enum kpt_mode {
	KPT_MODE_SIMULATED,
	KPT_MODE_BOOSTED,
	KPT_MODE_STEPPED,
	KPT_MODE_STUB,
	KPT_MODE_JUMP,
};

/*
 * The address of a function of the kernel's. With a CFI that keeps tables of functions, & gives
 * that of an entry in a table of this module.
 */
#define KPT_ARCH_ADDR(function)							\
({										\
	unsigned long addr_;							\
										\
	asm("adrp %0, " #function "\n\tadd %0, %0, :lo12:" #function : "=r" (addr_)); \
	addr_;									\
})

/* Runs the handlers of a hit that a stub has taken; @recorder: part of their list. */
typedef bool (*kpt_arch_hit_t)(struct kpt_arch_point *ap, struct pt_regs *regs,
			       const struct kpt_arch_recorder *recorder);

/* Records that a stub or a thunk makes at once, at most, and steps of one. */
#define KPT_ARCH_RECORDS	16
#define KPT_ARCH_STEPS		24

/**
 * struct kpt_arch_record - a record that a stub or a thunk makes of a hit
 * @prog: its arguments
 * @type: kpt_record_head.type
 * @ip: the probed address; for a return the function
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
	u16 length;
	bool is_return;
	u64 __percpu *recorded;
	u64 __percpu *hits;
	u64 __percpu *const *own_filtered;
	u64 __percpu *filtered[2];
	u64 __percpu *lost[2];
};

/* KPT_STOP_SWITCH, KPT_STOP_CLOCK and KPT_STOP_TASKS of kpt_arch_ring.stops. */
#define KPT_ARCH_STOP_SWITCH	1
#define KPT_ARCH_STOP_CLOCK	4
#define KPT_ARCH_STOP_TASKS	8

/**
 * struct kpt_arch_ring - the rings of a buffer
 * @stops: 0 while hits are recorded; KPT_STOP_CLOCK if the clock @is_slow
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
	const atomic_t *stops;
	struct kpt_ring __percpu *ring;
	const atomic_t *waiters;
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

/**
 * enum kpt_arch_op - what a step of a hit does; the first ones make records
 * @KPT_ARCH_RECORD: it makes records
 * @KPT_ARCH_HELD: it makes one if no trigger but histograms wants the hit, which count it
 * @KPT_ARCH_GRAPH_ENTER: it records that a call of function_graph begins
 * @KPT_ARCH_GRAPH_LEAVE: it records that one ends
 * @KPT_ARCH_LIMIT: it counts a hit that is over a limit; others are not for code
 * @KPT_ARCH_COPY: it copies records of the last step that has made some to another ring
 * @KPT_ARCH_FOLLOW: it makes a record of an event on that of KPT_ARCH_HELD, of its record
 * @KPT_ARCH_REST: it leaves the rest of the list to kpt_hit_resume()
 */
enum kpt_arch_op {
	KPT_ARCH_RECORD,
	KPT_ARCH_HELD,
	KPT_ARCH_GRAPH_ENTER,
	KPT_ARCH_GRAPH_LEAVE,
	KPT_ARCH_LIMIT,
	KPT_ARCH_COPY,
	KPT_ARCH_FOLLOW,
	KPT_ARCH_REST,
};

/* Conditions of triggers of one sort, at most. */
#define KPT_ARCH_CONDITIONS	4

/**
 * struct kpt_arch_held - what triggers do at a hit
 * @unless: the step is not for code while one of these is true; NULL: no more
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
 */
enum kpt_arch_caller {
	KPT_ARCH_STUB,
	KPT_ARCH_THUNK,
	KPT_ARCH_BRK,
};

/* kpt_arch_step.done and .passed: the hit ends. */
#define KPT_ARCH_END		0xff

/**
 * struct kpt_arch_step - a part of a hit, which a stub or a thunk does all of or nothing
 * @op: what it does
 * @is_more: it makes records behind others of the hit, whose flags they get, and their time ...
 * @has_own_time: ... unless they have their own; also of KPT_ARCH_COPY
 * @done: the step behind it
 * @passed: the step behind it if it has recorded nothing, and there is no record of the hit that
 *	@done could use
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
 * @limit: of KPT_ARCH_LIMIT
 * @limited: count a hit that is over it; NULL: no more
 * @graph: of function_graph
 * @held: of KPT_ARCH_HELD
 */
struct kpt_arch_step {
	enum kpt_arch_op op;
	bool is_more;
	bool has_own_time;
	u8 done;
	u8 passed;
	struct kpt_arch_rest rest;
	const struct kpt_handlers *followers;
	struct kpt_arch_ring ring;
	const struct kpt_filter *filter;
	u64 __percpu *filtered[2];
	unsigned int nr;
	const struct kpt_arch_record *record;
	union {
		unsigned int from;
		const struct kpt_filter *condition;
		const struct kpt_arch_graph *graph;
		struct {
			const struct kpt_limit *limit;
			u64 __percpu *limited[2];
		};
		struct kpt_arch_held held;
	};
};

/**
 * struct kpt_arch_recorder - hits that a stub or a thunk records by itself
 * @code: what the stub or thunk branches to, kpt_recorder_none.code if all hits take @hit
 * @hit: what the stub calls at hits that @code does not record
 * @handlers: the list of handlers
 * @operand: what differs between lists that share @code
 */
struct kpt_arch_recorder {
	const void *code;
	kpt_arch_hit_t hit;
	const struct kpt_handlers *handlers;
	u64 operand[];
};

/**
 * kpt_arch_counter_at() - how stubs address a counter
 * @counter: a counter of each CPU
 *
 * Stubs have the address of kpt_cpu of their CPU.
 *
 * Return: bytes from kpt_cpu of any CPU to its counter.
 */
#define kpt_arch_counter_at(counter) \
	((unsigned long)(counter) - (unsigned long)&kpt_cpu)

/**
 * struct kpt_arch_point - the part of a point that arch/ uses
 * @node: link in kpt_points; hits hold no lock
 * @addr: the probed address
 * @recorder: part of the list of handlers that hits run first; &kpt_recorder_none: they take
 *	kpt_hit_point()
 * @test: the point belongs to the self-test
 * @trap: a stub will not do: a handler may continue elsewhere
 * @after: kpt_hit_after() is called after the instruction
 * @armed: the text holds our instruction; changed under kpt_mutex. Stays set if
 *	another user of the text has written over it
 * @mode: how @insn is performed
 * @slot: address of its out-of-line slot or stub, 0 if @insn is simulated
 * @stub: KPT_MODE_STUB: where the BRK handler continues; else 0
 * @no_jump: why @mode is not KPT_MODE_JUMP, NULL if it is
 * @insn: the displaced instruction, decoded
 */
struct kpt_arch_point {
	struct hlist_node node;
	unsigned long addr;
	const struct kpt_arch_recorder *recorder;
	bool test;
	bool trap;
	bool after;
	bool armed;
	enum kpt_mode mode;
	unsigned long slot;
	unsigned long stub;
	const char *no_jump;
	struct kpt_insn insn;
};

/**
 * kpt_arch_has_stub() - do hits of a point run its stub?
 * @ap: the point, prepared
 *
 * Context: any.
 * Return: true if they do.
 */
static inline bool kpt_arch_has_stub(const struct kpt_arch_point *ap)
{
	return ap->mode >= KPT_MODE_STUB;
}

/* Rows of the hash of points: chains stay short up to some 50,000 points. */
#define KPT_POINT_ROWS 16384

/* The points by address. Written under kpt_mutex, as for RCU. */
extern struct hlist_head *kpt_points;

/**
 * kpt_point_row() - the row of the hash that an address belongs to
 * @addr: any address
 *
 * Entries of functions are aligned to 4, 8 or 16 bytes: higher bits of the address make
 * up for the lowest ones, which may all be the same.
 *
 * Context: any, BRK included.
 * Return: the head of the row.
 */
static __always_inline struct hlist_head *kpt_point_row(unsigned long addr)
{
	return &kpt_points[(addr >> 2 ^ addr >> 16) % KPT_POINT_ROWS];
}

/**
 * kpt_point_find() - the point at an address
 * @pc: any address
 *
 * Context: BRK; the result is valid until the handler returns. Or any, kpt_mutex held.
 * Return: @arch of the struct kpt_point, or NULL.
 */
static __always_inline struct kpt_arch_point *kpt_point_find(unsigned long pc)
{
	struct kpt_arch_point *ap;
	struct hlist_node *node;

	/*
	 * Pairs with the release in hlist_add_head_rcu(). The RCU iterator is not
	 * used: its lockdep checks must not run here.
	 */
	for (node = READ_ONCE(kpt_point_row(pc)->first); node;
	     node = READ_ONCE(node->next)) {
		ap = hlist_entry(node, struct kpt_arch_point, node);
		if (ap->addr == pc)
			return ap;
	}
	return NULL;
}

/**
 * struct kpt_arch_called - how the object begins that a thunk is called with
 * @recorder: how the thunk records hits by itself, NULL if it does not
 */
struct kpt_arch_called {
	const struct kpt_arch_recorder *recorder;
};

/* Of points whose stubs record nothing by themselves. */
extern const struct kpt_arch_recorder kpt_recorder_none;

struct kpt_point;

int kpt_arch_init(void);
int kpt_selftest_run(void);
void kpt_arch_exit(void);
int kpt_arch_check(struct kpt_arch_point *ap, struct kpt_diag *diag);
int kpt_arch_check_bare(struct kpt_arch_point *ap, struct kpt_diag *diag);
int kpt_arch_check_after(const struct kpt_arch_point *ap, struct kpt_diag *diag);
int kpt_arch_prepare(struct kpt_arch_point *ap, struct kpt_diag *diag);
void kpt_arch_release(struct kpt_arch_point *ap);
bool kpt_arch_is_armed(struct kpt_arch_point *ap);
bool kpt_arch_is_overwritten(const struct kpt_arch_point *ap);
bool kpt_arch_may_return(struct kpt_arch_point *ap);
void kpt_arch_abandon(struct kpt_arch_point *ap, bool abandon);
int kpt_arch_check_text(struct kpt_arch_point *ap, struct kpt_diag *diag);
int kpt_arch_arm(struct kpt_arch_point **ap, unsigned int nr,
		 struct kpt_diag *diag);
void kpt_arch_disarm(struct kpt_arch_point **ap, unsigned int nr);
void kpt_arch_quiesce(void);
void kpt_arch_quiesce_cpus_locked(void);
bool kpt_arch_recorder_write(enum kpt_arch_caller caller, const struct kpt_arch_step *step,
			     unsigned int nr);
size_t kpt_arch_recorder_size(void);
void kpt_arch_recorder_make(struct kpt_arch_recorder *recorder);
void kpt_arch_recorder_put(const struct kpt_arch_recorder *recorder);
void kpt_arch_recorder_forget(void);
void kpt_arch_recorder_set(struct kpt_arch_point *ap,
			   const struct kpt_arch_recorder *recorder);
bool kpt_arch_may_be_type(unsigned long addr, unsigned long function);
unsigned long kpt_arch_saved_sp(const struct task_struct *task);
void *kpt_arch_thunk(unsigned long like);
void kpt_arch_thunk_set(struct kpt_arch_called *called,
			const struct kpt_arch_recorder *recorder);

struct trace_event_buffer;
struct trace_event_file;

extern const char kpt_arch_records_ours[];

#ifdef CONFIG_EVENT_TRACING
const char *kpt_arch_records_init(void);
int kpt_arch_records_check(struct kpt_diag *diag);
int kpt_arch_records_on(void);
void kpt_arch_records_off(void);
bool kpt_arch_records_come_from(unsigned long function);
#else
static inline int kpt_arch_records_on(void)
{
	return -EOPNOTSUPP;
}

static inline void kpt_arch_records_off(void)
{
}
#endif

void kpt_arch_saved_regs(struct pt_regs *regs, const struct kpt_arch_saved *saved,
			 unsigned long pc);

/* Bytes before a function in which ftrace keeps a pointer, 0 if it keeps none. */
#define KPT_ARCH_FTRACE_PREFIX \
	(IS_ENABLED(CONFIG_DYNAMIC_FTRACE_WITH_CALL_OPS) ? 8 : 0)

/**
 * struct kpt_arch_returns - the exits of a function
 * @addr: its return instructions, from kmalloc(); freed by the caller
 * @nr: number of return instructions
 * @why: kind of an exit that is not a return instruction; NULL if there is none
 * @at: address of that exit
 */
struct kpt_arch_returns {
	unsigned long *addr;
	unsigned int nr;
	const char *why;
	unsigned long at;
};

int kpt_arch_find_returns(unsigned long func, struct kpt_arch_returns *out);

/**
 * struct kpt_arch_return_words - values that are needed to examine a return address
 * @pac_mask: bits of a kernel address that a pointer signature may occupy
 * @ours: address by which kptrace replaces return addresses
 * @graph: address by which the function graph tracer replaces them, 0 if unknown
 * @kretprobe: address by which kretprobes replace them, 0 if unknown
 *
 * All are in one cache line, because every return event reads all of them.
 */
struct kpt_arch_return_words {
	u64 pac_mask;
	unsigned long ours;
	unsigned long graph;
	unsigned long kretprobe;
};
extern struct kpt_arch_return_words kpt_arch_return_words;

/**
 * kpt_arch_return_address() - where a function is about to return to
 * @regs: registers at its return instruction
 *
 * RETAA and RETAB take a signed address from x30. The signature occupies bits that
 * are all set in a kernel address (Arm ARM D8.8).
 *
 * Context: BRK.
 * Return: the address.
 */
static __always_inline unsigned long
kpt_arch_return_address(const struct pt_regs *regs)
{
	return regs->regs[30] | kpt_arch_return_words.pac_mask;
}

/* kptrace replaces return addresses by the address of this; never call it. */
extern const u32 kpt_return_entry[];

/**
 * kpt_arch_replace_return() - make a function return to us
 * @regs: registers at its entry; x30 is changed
 *
 * The function will return into kpt_hit_return(), on the same stack pointer.
 *
 * Context: BRK.
 */
static __always_inline void kpt_arch_replace_return(struct pt_regs *regs)
{
	regs->regs[30] = (unsigned long)kpt_return_entry;
}

/**
 * kpt_arch_is_replaced() - has kptrace replaced a return address?
 * @addr: the return address as it is now
 *
 * Context: any.
 * Return: true if it has.
 */
static inline bool kpt_arch_is_replaced(unsigned long addr)
{
	return addr == (unsigned long)kpt_return_entry;
}

/**
 * kpt_arch_hides_caller() - has anything replaced a return address?
 * @addr: the return address as it is now
 *
 * Context: any.
 * Return: true if kptrace or another tracer has replaced it.
 */
static inline bool kpt_arch_hides_caller(unsigned long addr)
{
	const struct kpt_arch_return_words *w = &kpt_arch_return_words;

	/* One branch, not three. */
	return (addr == w->ours) | (addr == w->graph) | (addr == w->kretprobe);
}

unsigned int kpt_arch_callers(const struct pt_regs *regs, unsigned long caller,
			      u64 *addr, unsigned int max);
unsigned int kpt_arch_user_callers(u64 *addr, unsigned int max);

/**
 * struct kpt_arch_frame - a function on the task's stack
 * @addr: the address that it is at, or returns to
 * @sp: from here up to the top of the stack it has what is in use, with its callers
 */
struct kpt_arch_frame {
	unsigned long addr;
	unsigned long sp;
};

unsigned int kpt_arch_frames(const struct pt_regs *regs, struct kpt_arch_frame *to,
			     unsigned int max);
unsigned long kpt_arch_true_return(unsigned long ret, unsigned long fp);
bool kpt_arch_returns_left(void);
void kpt_arch_hits_off(void);
void kpt_arch_hits_on(void);

/**
 * kpt_arch_hits_off_save() - mask interrupts, and count hits on this CPU as missed
 *
 * For short sections with a lock that hits take, too: a hit in one would wait for ever.
 *
 * Context: any.
 * Return: for kpt_arch_hits_on_restore().
 */
static inline unsigned long kpt_arch_hits_off_save(void)
{
	unsigned long flags;

	local_irq_save(flags);
	kpt_arch_hits_off();
	return flags;
}

/**
 * kpt_arch_hits_on_restore() - undo kpt_arch_hits_off_save()
 * @flags: its result
 *
 * Context: any, interrupts masked.
 */
static inline void kpt_arch_hits_on_restore(unsigned long flags)
{
	kpt_arch_hits_on();
	local_irq_restore(flags);
}

unsigned long kpt_arch_machine_stops(void);

int kpt_arch_counter_init(bool *unstable);

/**
 * kpt_arch_counter_is_ordered() - can the counter be read in its place without an ISB?
 *
 * Context: process context.
 * Return: true if all CPUs have CNTVCTSS_EL0 (Arm ARM D12.2.1, FEAT_ECV).
 */
static inline bool kpt_arch_counter_is_ordered(void)
{
#ifdef ARM64_HAS_ECV
	return cpus_have_cap(ARM64_HAS_ECV);
#else
	return false;
#endif
}

/**
 * kpt_arch_counter() - the counter that the kernel's clocks run on
 *
 * The ISB keeps the read from moving before earlier instructions. Later ones may
 * still execute before it, which is harmless. kpt_arch_counter_init() replaces the MRS
 * where the clocks run on CNTPCT_EL0.
 *
 * Context: any, BRK included.
 * Return: the count, of 1 / @kpt_arch_counter_rate seconds each.
 */
static __always_inline u64 kpt_arch_counter(void)
{
#ifdef ARM64_HAS_ECV
	u64 count;

	asm volatile(ALTERNATIVE("isb\n"
				 "mrs	%0, cntvct_el0",
				 "nop\n"
				 __mrs_s("%0", SYS_CNTVCTSS_EL0),
				 ARM64_HAS_ECV)
		     : "=r" (count));
	return count;
#else
	isb();
	return read_sysreg(cntvct_el0);
#endif
}

/**
 * kpt_arch_counter_safe() - kpt_arch_counter() with the workaround this CPU needs
 *
 * Context: any, BRK included.
 * Return: the count.
 */
static inline u64 kpt_arch_counter_safe(void)
{
	return arch_timer_read_counter();
}

/**
 * kpt_arch_load_ordered() - an acquire that is not done before an earlier release
 * @from: what to load
 *
 * LDAR is not done before an STLR that precedes it (Arm ARM B2.3.10). The kernel does not
 * promise that of smp_load_acquire(), which may become an LDAPR: that is done earlier.
 *
 * Context: any, BRK included.
 * Return: its value.
 */
static __always_inline int kpt_arch_load_ordered(const atomic_t *from)
{
	int value;

	asm volatile("ldar %w0, %1" : "=r" (value) : "Q" (from->counter) : "memory");
	return value;
}

/* How often the counter counts in a second. Written by kpt_arch_counter_init() only. */
extern u32 kpt_arch_counter_rate;

/**
 * kpt_arch_tables() - where the kernel's page tables are
 * @root: result: register TTBR1_EL1
 * @control: result: register TCR_EL1
 *
 * Context: any.
 */
static inline void kpt_arch_tables(u64 *root, u64 *control)
{
	*root = read_sysreg(ttbr1_el1);
	*control = read_sysreg(tcr_el1);
}

void kpt_arch_clean(void *from, size_t bytes);

/*
 * The kernel's own path of a BRK exception adds this to preempt_count(). Kernels
 * differ, so the self-test measures it at load, before any point is armed.
 */
extern int kpt_arch_preempt_bias;

void kpt_arch_status(struct kpt_strbuf *sb);
const char *kpt_arch_mode_name(enum kpt_mode mode);

/*
 * Functions of src/ that arch/ calls in BRK context: interrupts masked, no sleeping,
 * no lock, no fault that is not fixed up.
 */

bool kpt_hit_point(struct kpt_arch_point *ap, struct pt_regs *regs,
		   unsigned int bias);
bool kpt_hit_current(struct kpt_arch_point *ap, struct pt_regs *regs,
		     const struct kpt_arch_recorder *recorder);
bool kpt_hit_watched(struct kpt_arch_point *ap, struct pt_regs *regs,
		     const struct kpt_arch_recorder *recorder);
bool kpt_hit_max_stack_only(struct kpt_arch_point *ap, struct pt_regs *regs,
			    const struct kpt_arch_recorder *recorder);
bool kpt_hit_replace_only(struct kpt_arch_point *ap, struct pt_regs *regs,
			  const struct kpt_arch_recorder *recorder);
bool kpt_hit_graph(struct kpt_arch_point *ap, struct pt_regs *regs,
		   const struct kpt_arch_recorder *recorder);
bool kpt_hit_function_only(struct kpt_arch_point *ap, struct pt_regs *regs,
			   const struct kpt_arch_recorder *recorder);
bool kpt_hit_after(struct kpt_arch_point *ap, struct pt_regs *regs);
void kpt_hit_missed(struct kpt_arch_point *ap);
void kpt_hit_wake(void *buffer);
bool kpt_hit_resume(const struct kpt_arch_recorder *recorder, struct pt_regs *regs,
		    struct kpt_arch_rest rest, void *record,
		    const struct kpt_handlers *followers);
void kpt_hit_resume_missed(const struct kpt_arch_recorder *recorder, struct kpt_arch_rest rest,
			   const struct kpt_handlers *followers);
bool kpt_hit_recorded(void *trigger, void *record);
bool kpt_hit_recorded_slow(void *trigger, void *record);
bool kpt_hit_marked(void *trigger, void *record);
bool kpt_hit_recorded_stack(void *trigger, void *record, const struct kpt_arch_saved *saved,
			    const struct kpt_arch_recorder *recorder);
bool kpt_hit_recorded_perf(void *file, void *record, const struct kpt_arch_saved *saved,
			   const struct kpt_arch_recorder *recorder);
void kpt_hit_recorded_synth(const struct kpt_arch_recorder *recorder,
			    const struct kpt_arch_saved *saved);
unsigned long kpt_hit_return(struct pt_regs *regs);
void kpt_hit_tracepoint(void *data, struct pt_regs *regs);
void kpt_hit_tracepoint_missed(void *data);
void *kpt_hit_reserve(struct trace_event_buffer *buffer, struct trace_event_file *file,
		      unsigned long size);
void kpt_hit_publish(struct trace_event_buffer *buffer);
bool kpt_hit_commit_copy(struct trace_event_buffer *buffer, bool irqs_off);
void kpt_hit_commit(struct trace_event_buffer *buffer, struct pt_regs *regs);
void kpt_hit_commit_missed(struct trace_event_buffer *buffer);

#endif
