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
#include "arch_step.h"
#include "arch_uaccess.h"
#include "arch_watch.h"
#include "insn/insn.h"

struct kpt_arch_recorder;
struct kpt_arch_point;
struct kpt_arch_saved;
struct kpt_diag;
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
bool kpt_arch_scratch_is_free(enum kpt_arch_caller caller, const struct kpt_arch_point *ap,
			      unsigned long func);
bool kpt_arch_recorder_write(enum kpt_arch_caller caller, bool saves,
			     const struct kpt_arch_step *step, unsigned int nr);
size_t kpt_arch_recorder_size(void);
void kpt_arch_recorder_make(struct kpt_arch_recorder *recorder);
void kpt_arch_recorder_put(const struct kpt_arch_recorder *recorder);
void kpt_arch_recorder_forget(void);
void kpt_arch_recorder_set(struct kpt_arch_point *ap,
			   const struct kpt_arch_recorder *recorder);
void kpt_arch_returns_set(const struct kpt_arch_recorder **at,
			  const struct kpt_arch_recorder *recorder);
bool kpt_arch_may_be_type(unsigned long addr, unsigned long function);
unsigned long kpt_arch_saved_sp(const struct task_struct *task);
void *kpt_arch_thunk(u32 type);
void kpt_arch_thunk_set(struct kpt_arch_called *called,
			const struct kpt_arch_recorder *recorder);

struct trace_event_buffer;
struct trace_event_file;

extern const char kpt_arch_records_ours[];

const char *kpt_arch_records_init(void);
int kpt_arch_records_check(struct kpt_diag *diag);
int kpt_arch_records_on(void);
void kpt_arch_records_off(void);
bool kpt_arch_records_come_from(unsigned long function);

void kpt_arch_saved_regs(struct pt_regs *regs, const struct kpt_arch_saved *saved);

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

void kpt_arch_walk(bool (*take)(void *data, unsigned long addr), void *data,
		   struct task_struct *task, struct pt_regs *regs);
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
unsigned long kpt_arch_behind_table(unsigned long start, unsigned long end);
unsigned long kpt_arch_function(unsigned long addr);
unsigned long kpt_arch_next_call(unsigned long *at, unsigned long end);
bool kpt_arch_checks_calls(unsigned long function);
bool kpt_arch_called_type(unsigned long function, u32 *type);

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
