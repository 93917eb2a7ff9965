/* SPDX-License-Identifier: GPL-2.0-only */
/* Shared by the files of watch/; private to it. */
#ifndef KPT_ARM64_WATCHPOINT_H
#define KPT_ARM64_WATCHPOINT_H

#include "watch/access.h"
#include "watch/bulk.h"
#include "engine.h"

/* As many registers as the Arm ARM allows. */
#define KPT_WATCHES	16

/*
 * The watches. Changed under kpt_mutex and cpus_read_lock(); hits read it, and a watch that
 * was taken out is freed after kpt_arch_quiesce().
 */
extern struct kpt_arch_watch *kpt_watches[KPT_WATCHES];
/* A bit for each of them that is there. */
extern u32 kpt_all_watches;
/* How many registers a CPU has. */
extern unsigned int kpt_watch_registers;
/* What the way to a hit adds to preempt_count(). */
extern unsigned int kpt_watch_bias;
/* Bytes that DC ZVA zeroes, or 0. */
extern unsigned int kpt_watch_zeroes;
/* Where watchpoint_entry.S branches to with what is not ours. */
extern unsigned long kpt_watchpoint_original;

/* Changes with each change of the address of a watch. */
extern u32 kpt_watch_seq;
/* What it was when this CPU's registers were last programmed for all of them. */
DECLARE_PER_CPU(u32, kpt_watch_seen);

/* Where the bytes of a watch are on this CPU. */
static __always_inline unsigned long kpt_watch_addr(const struct kpt_arch_watch *watch)
{
	return READ_ONCE(watch->addr) + (watch->each_cpu ? __my_cpu_offset : 0);
}

/* Walk the watches of a set. One that is released meanwhile is left out. */
#define kpt_for_each_watch(w, i, left, set)					\
	for (left = (set); left && (i = __ffs(left), true); left &= left - 1)	\
		if (((w) = READ_ONCE(kpt_watches[i])))

/*
 * An address that no access succeeds at, of a watch that hits have not set: each has its own, in
 * the page of error codes.
 */
static inline unsigned long kpt_watch_nowhere(const struct kpt_arch_watch *watch)
{
	return -8UL * (watch->index + 1);
}

/* PAR_EL1 as an instruction leaves it that translates an address. */
#define kpt_watch_translate(insn, addr)					\
({									\
	unsigned long __flags;						\
	u64 __saved, __par;						\
									\
	local_irq_save(__flags);					\
	/* Code that was interrupted may be about to read it. */	\
	__saved = read_sysreg(par_el1);					\
	asm volatile(insn ", %0" : : "r" (addr));			\
	isb();								\
	__par = read_sysreg(par_el1);					\
	write_sysreg(__saved, par_el1);					\
	local_irq_restore(__flags);					\
	__par;								\
})

/* Bit 0: a fault; else the attributes, which of devices are 0b0000xxxx. */
static __always_inline bool kpt_par_is_memory(u64 par)
{
	return !(par & BIT(0)) && par & GENMASK_ULL(63, 60);
}

/* Does an access touch bytes? */
static inline bool kpt_watch_touches(const struct kpt_access *access, u64 addr,
				     u64 length)
{
	return access->addr < addr + length && addr < access->addr + access->size;
}

/**
 * struct kpt_watch_slot - code that performs an instruction
 * @word: the instruction; 0 while the rest is not valid
 * @base: register that has the address, which is in SP; XZR: SP is not used
 * @read: says what it touches; NULL: nothing
 * @code: for kpt_watchpoint_perform()
 */
struct kpt_watch_slot {
	u32 word;
	u32 base;
	kpt_access_reader_t read;
	const u32 *code;
};

/* watch_slots.c */
int kpt_watch_slots_init(void);
void kpt_watch_slots_exit(void);
const struct kpt_watch_slot *kpt_watch_slot_get(u32 word, bool is_access);
unsigned int kpt_watch_slots_used(void);

/* watch_exclusive.c */
void kpt_watch_load_exclusive(u32 word, const struct kpt_access *access,
			      struct pt_regs *regs);
bool kpt_watch_store_exclusive(u32 word, const struct kpt_access *access,
			       struct pt_regs *regs);

/* watch_bulk.c */
bool kpt_watch_is_writable(unsigned long addr);
bool kpt_watch_bulk(u32 word, struct kpt_access *read, struct kpt_access *write,
		    struct pt_regs *regs);

/* watch_registers.c */
void kpt_watch_set_types(const struct kpt_arch_watch *watch, bool all);
bool kpt_watch_program(struct kpt_arch_watch *watch);

/* watch_perf.c, or watch_own.c: see watch_owner.h */
int kpt_watch_owner_init(void);
void kpt_watch_owner_exit(void);
int kpt_watch_alloc(struct kpt_arch_watch *watch);
void kpt_watch_free(struct kpt_arch_watch *watch);
int kpt_watch_install(struct kpt_arch_watch *watch, int cpu);
bool kpt_watch_stop(struct kpt_arch_watch *watch, int cpu);
void kpt_watch_uninstall(struct kpt_arch_watch *watch, int cpu);
void kpt_watch_resumes(void);
#ifdef CONFIG_HAVE_HW_BREAKPOINT
bool kpt_watch_others(const struct kpt_access *access);
void kpt_watch_tell_others(unsigned long far, unsigned long esr, struct pt_regs *regs);
int kpt_watch_installs(struct perf_event *event, unsigned long flags);
#else
static inline bool kpt_watch_others(const struct kpt_access *access)
{
	return false;
}

static inline void kpt_watch_tell_others(unsigned long far, unsigned long esr,
					 struct pt_regs *regs)
{
}

bool kpt_watch_exception(struct pt_regs *regs);
#endif

/* watch_move.c */
void kpt_watch_move_init(void);
void kpt_watch_move_exit(void);
bool kpt_watch_follow(void);

/* watchpoint_entry.S */
#ifdef CONFIG_HAVE_HW_BREAKPOINT
extern unsigned long kpt_watchpoint_step_end, kpt_install_original;
int kpt_watch_install_original(struct perf_event *event, unsigned long flags);
void kpt_watchpoint_entry(void);
void kpt_watchpoint_pass(unsigned long far, unsigned long esr, struct pt_regs *regs);
void kpt_watchpoint_end_step(struct pt_regs *regs);
#else
void kpt_watch_sync_entry(void);
#endif
void kpt_watchpoint_perform(struct user_pt_regs *regs, const u32 *slot);
extern const u32 kpt_watchpoint_performed[];

/* watchpoint.c */
bool kpt_watchpoint_hit(unsigned long far, unsigned long esr, struct pt_regs *regs);

#endif
