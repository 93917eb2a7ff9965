/* SPDX-License-Identifier: GPL-2.0-only */
/* Shared by the files of the engine; private to arch/arm64. */
#ifndef KPT_ARM64_ENGINE_H
#define KPT_ARM64_ENGINE_H

#include <linux/bitfield.h>
#include <linux/ptrace.h>
#include <linux/sizes.h>
#include <linux/types.h>
#include "arch.h"
#include "kernel/cpu.h"
#include "lib/base/diag.h"
#include "lib/base/strbuf.h"
#include "insn/asm.h"
#include "engine_asm.h"

/* What a probed address has that is no branch to a stub. */
#define KPT_BRK			a64_brk(KPT_BRK_IMM)

/* Bytes that a B instruction reaches in either direction, less a margin. */
#define KPT_BRANCH_REACH	(SZ_128M - SZ_4K)

/**
 * kpt_branch_reaches() - is an address within reach of a B instruction?
 * @from: address of the B
 * @to: its target
 */
static inline bool kpt_branch_reaches(unsigned long from, unsigned long to)
{
	return from - to < KPT_BRANCH_REACH || to - from < KPT_BRANCH_REACH;
}

/**
 * kpt_branch_word() - encode a B instruction
 * @from: its address
 * @to: its target; within reach
 */
static inline u32 kpt_branch_word(unsigned long from, unsigned long to)
{
	return a64_to(A64_B, to - from);
}

/**
 * kpt_branch_target() - the target of a B instruction
 * @word: the instruction
 * @from: its address
 */
static inline unsigned long kpt_branch_target(u32 word, unsigned long from)
{
	return from + ((s32)(word << 6) >> 4);
}

/**
 * kpt_pstate_mode() - the mode that the kernel runs in
 *
 * Return: bits of pt_regs.pstate, which is as SPSR_EL1 (Arm ARM C5.2).
 */
static inline u64 kpt_pstate_mode(void)
{
	return read_sysreg(CurrentEL) | read_sysreg(SPSel);
}

/* fixups.c */
unsigned long kpt_fixup_of(unsigned long addr);
bool kpt_fixups_may_be(unsigned long start, unsigned long size);
void kpt_fixups_exit(void);

/* mte.c */

/* Do accesses of the kernel check memory tags? */
extern bool kpt_mte_checks;

/*
 * Does the kernel find wrong memory tags later? Then recorders would have to switch the check
 * off, which exception entry and return handle.
 */
extern bool kpt_mte_is_late;

void kpt_mte_init(void);

/* uaccess.c */
void kpt_uaccess_init(void);

/* mem.c */

void kpt_mem_init(void);
void *kpt_mem_alloc_near(unsigned long addr);
void *kpt_mem_alloc_far(size_t size);
void kpt_mem_free(void *page);
int kpt_mem_write(void *at, const u32 *words, unsigned int nr);
int kpt_mem_write_anywhere(u32 *at, const u32 *words, unsigned int nr);
void kpt_mem_sync_cpus(void);
void kpt_mem_status(struct kpt_strbuf *sb);

/* xol.c */

/**
 * kpt_mode_with_brk() - the best mode of a point that cannot have a stub
 * @ap: decoded
 */
static inline enum kpt_mode kpt_mode_with_brk(const struct kpt_arch_point *ap)
{
	return ap->insn.verdict == KPT_INSN_SIMULATE ? KPT_MODE_SIMULATED :
						       KPT_MODE_BOOSTED;
}

int kpt_xol_get(struct kpt_arch_point *ap);
void kpt_xol_put(struct kpt_arch_point *ap);
void kpt_xol_keep(const struct kpt_arch_point *ap, bool keep);
bool kpt_xol_origin(unsigned long pc, unsigned long *addr);
bool kpt_trap_origin(unsigned long pc, unsigned long *addr);
void kpt_xol_status(struct kpt_strbuf *sb);
bool kpt_xol_exit(void);

/* context.c */

bool kpt_context_is_prefixed(const struct kpt_arch_point *ap);
bool kpt_context_is_pending(const struct kpt_arch_point *ap);
int kpt_context_check(const struct kpt_arch_point *ap, struct kpt_diag *diag);
void kpt_context_exit(void);

/* drain.c */

bool kpt_drain_wait(void);
bool kpt_drain_search(void (*seen)(unsigned long word));

/* patch.c */

/**
 * struct kpt_patch - one word of text to be replaced
 * @addr: its address
 * @old: the word that must be there now
 * @new: the word that replaces it
 */
struct kpt_patch {
	unsigned long addr;
	u32 old;
	u32 new;
};

int kpt_patch_text(const struct kpt_patch *patch);
u32 kpt_patch_original(unsigned long addr);
u32 kpt_patch_under(unsigned long addr, u32 word);
void kpt_patch_status(struct kpt_strbuf *sb);

/* A word of text as if there were no probes and kprobes. Under kpt_mutex. */
static inline u32 kpt_patch_bare(unsigned long addr)
{
	u32 word = READ_ONCE(*(u32 *)addr);

	return kpt_insn_is_brk(word) || kpt_insn_is_b(word) ? kpt_patch_under(addr, word) : word;
}

/* jump.c */

/* Bytes of a stub, which is also its alignment. */
#define KPT_JUMP_LINE		128

void kpt_jump_init(void);
bool kpt_jump_is_possible(void);
void kpt_jump_status(struct kpt_strbuf *sb);
enum kpt_mode kpt_jump_mode_of(struct kpt_arch_point *ap);
int kpt_jump_write_page(u32 *page);
int kpt_jump_write_stub(const struct kpt_arch_point *ap, u32 *head);
u32 kpt_jump_word(const struct kpt_arch_point *ap);
unsigned long kpt_jump_entry(const struct kpt_arch_point *ap);
void kpt_jump_switch(const struct kpt_arch_point *ap, bool on);
unsigned long kpt_jump_origin(unsigned long pc);

/* counter.c */

u32 kpt_counter_word(u32 word);

/* recorder_entry.S */

extern const char kpt_recorder_pass[];
bool kpt_recorder_run(struct pt_regs *regs, const struct kpt_arch_recorder *recorder, u64 daif);

/* recorder.c, of the part recorder */

void kpt_recorder_init(void);
void kpt_recorder_status(struct kpt_strbuf *sb);
void kpt_recorder_exit(bool all);

/* trap.c */

struct kpt_ring_header;

void kpt_trap_jump_rare(struct pt_regs *regs);
void kpt_trap_jump_missed(struct kpt_arch_point *ap);
void kpt_trap_resume(struct pt_regs *regs, const struct kpt_arch_recorder *recorder,
		     struct kpt_arch_rest rest, struct kpt_ring_header *ring,
		     const struct kpt_handlers *followers);
bool kpt_trap_handle(struct pt_regs *regs);
void kpt_trap_fast(struct pt_regs *regs);
void kpt_trap_fast_other(struct pt_regs *regs, struct kpt_arch_point *ap);
int kpt_trap_init(void);
void kpt_trap_exit(void);

/* redirect.c */

/**
 * struct kpt_redirect - a function of the kernel that branches to us
 * @symbols: its name, or several separated by '|': the first one that the
 *	kernel has is redirected
 * @load: one or two instructions that load a word into x16: redirect only if it is
 *	@value
 * @nr_load: number of @load; 0: redirect always
 * @value: see @load
 * @is_landed: it is called through a pointer, or by modules, which may be far away
 * @entry: runs instead; may change the registers that any function may
 * @original: set to the address where @entry continues the function, for an
 *	exception that is not ours; may be NULL
 * @is_stuck: kpt_redirect_pause() could not undo it
 * @is_signed: private: where it is left, its return address is signed
 * @patch: private
 * @page: private
 * @first: private
 */
struct kpt_redirect {
	const char *symbols;
	u32 load[2];
	unsigned int nr_load;
	u64 value;
	const void *entry;
	unsigned long *original;
	bool is_landed;
	bool is_stuck;
	bool is_signed;
	struct kpt_patch patch;
	u32 *page;
	u32 *first;
};

int kpt_redirect_install(struct kpt_redirect *d);
void kpt_redirect_remove(struct kpt_redirect *d);
void kpt_redirect_pause(struct kpt_redirect *d);
bool kpt_redirect_is_possible(const struct kpt_redirect *d);
int kpt_redirect_resume(struct kpt_redirect *d);

/* In brk_entry.S. */
void kpt_fast_begin(struct pt_regs *regs);

/* In brk.c, for brk_entry.S. */
extern unsigned long kpt_brk_original;
extern unsigned long kpt_fast_original;

/* unwind.c */

/* A frame record (AAPCS64, 6.2.3). */
struct kpt_frame {
	unsigned long fp;
	unsigned long lr;
};

/* Is a whole frame record at @fp on the stack at @stack? Those of exceptions are words. */
static __always_inline bool kpt_frame_is_on(unsigned long stack, unsigned long fp)
{
	return fp - stack <= THREAD_SIZE - sizeof(struct kpt_frame) &&
	       !(fp % sizeof(unsigned long));
}

/* thunk.c */

void kpt_thunk_exit(void);

/* kernel_records.c */

void kpt_records_exit(void);

/* replaced_return.c */

void kpt_return_init(void);

/* brk.c */

int kpt_hook_init(void);
void kpt_hook_exit(void);
void kpt_hook_status(struct kpt_strbuf *sb);

/* selftest.c: trap.c calls these for points of the self-test. */

void kpt_selftest_hit(struct kpt_arch_point *ap, struct pt_regs *regs);
void kpt_selftest_missed(struct kpt_arch_point *ap);

#endif
