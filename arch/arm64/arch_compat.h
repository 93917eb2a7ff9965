/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Differences between arm64 kernels that show in the kernel's headers. The
 * backend that receives BRK exceptions is chosen at load, see brk.c.
 */
#ifndef KPT_ARM64_COMPAT_H
#define KPT_ARM64_COMPAT_H

#include <linux/build_bug.h>
#include <linux/list.h>
#include <linux/sched.h>
#include <asm/cacheflush.h>
#include <asm/debug-monitors.h>

/* The syndrome is 64 bits wide in newer kernels. kCFI refuses a handler of another type. */
#if KPT_HAVE_ESR_INT
typedef unsigned int kpt_esr_t;
#else
typedef unsigned long kpt_esr_t;
#endif

/*
 * A kernel without register_kernel_break_hook() does not declare this struct.
 * brk.c compiles there too, and finds at load that the function is missing.
 */
#if !KPT_HAVE_BREAK_HOOK
struct break_hook {
	struct list_head node;
	int (*fn)(struct pt_regs *regs, kpt_esr_t esr);
	u16 imm;
	u16 mask;
};
void register_kernel_break_hook(struct break_hook *hook);
void unregister_kernel_break_hook(struct break_hook *hook);
#endif

/* The member of struct pt_regs in which an exception saves the priority mask. */
#if KPT_HAVE_PMR_SAVE
#define kpt_regs_pmr(regs)	((regs)->pmr_save)
#else
#define kpt_regs_pmr(regs)	((regs)->pmr)
#endif

/*
 * Let instruction fetches see what was written to a range of code. That is what
 * flush_icache_range() does, without its interrupt of all other CPUs.
 */
#if KPT_HAVE_CACHES_CLEAN
#define kpt_sync_text(start, end)	caches_clean_inval_pou(start, end)
#else
#define kpt_sync_text(start, end)	__flush_icache_range(start, end)
#endif

/* Does one LDP load the flags of a task and preempt_count()? */
#define KPT_TASK_FLAGS_BESIDE_COUNT KPT_HAVE_FLAGS_BESIDE_COUNT

/* The flag of a task that it is to be preempted when it is convenient, or no flag. */
#ifdef _TIF_NEED_RESCHED_LAZY
#define KPT_TIF_LAZY _TIF_NEED_RESCHED_LAZY
#else
#define KPT_TIF_LAZY 0
#endif

/* Where a task counts migrate_disable(), 16 bits; 0 if it does not. */
#if KPT_HAVE_MIGRATE_DISABLE && defined(CONFIG_SMP)
#define KPT_TASK_MIGRATION offsetof(struct task_struct, migration_disabled)
static_assert(sizeof_field(struct task_struct, migration_disabled) == 2);
#else
#define KPT_TASK_MIGRATION 0
#endif

/* Where a task counts softirqs that are off, in the bits of preempt_count(); 0: that does. */
#ifdef CONFIG_PREEMPT_RT
#define KPT_TASK_SOFTIRQS offsetof(struct task_struct, softirq_disable_cnt)
static_assert(sizeof_field(struct task_struct, softirq_disable_cnt) == 4);
#else
#define KPT_TASK_SOFTIRQS 0
#endif

/* Does the kernel's walk over a stack tell frames? Then it has no arch_stack_walk(). */
#define KPT_WALK_TELLS_FRAMES KPT_HAVE_WALK_STACKFRAME

/* Does each CPU have a feature? No CPU can change that any more. */
#if !KPT_HAVE_FINAL_CAP
#define cpus_have_final_cap(feature) cpus_have_const_cap(feature)
#endif

/* PSTATE.BTYPE: by which kind of branch the CPU came to the next instruction. */
#ifndef PSR_BTYPE_MASK
#define PSR_BTYPE_MASK (3 << 10)
#endif

#ifndef DBG_HOOK_HANDLED
#define DBG_HOOK_HANDLED	0
#define DBG_HOOK_ERROR		1
#endif

#endif
