/* SPDX-License-Identifier: GPL-2.0-only */
/* What the files of the engine share; private to arch/arm64. */
#ifndef KPT_ARM64_ENGINE_H
#define KPT_ARM64_ENGINE_H

#include <linux/bitfield.h>
#include <linux/ptrace.h>
#include <linux/sizes.h>
#include <linux/types.h>
#include <kptrace/arch.h>
#include "engine_asm.h"

/* Arm ARM C6.2, BRK and B. */
#define KPT_BRK(imm)		(0xd4200000 | (imm) << 5)
#define KPT_BRK_PROBE		KPT_BRK(KPT_BRK_IMM_PROBE)
#define KPT_BRK_STEPPED		KPT_BRK(KPT_BRK_IMM_STEPPED)
#define KPT_BRK_TEST		KPT_BRK(KPT_BRK_IMM_TEST)
#define KPT_B			0x14000000
#define KPT_B_MASK		0xfc000000

/* Bytes a B instruction can go forward or back, a little less than it can. */
#define KPT_BRANCH_REACH	(SZ_128M - SZ_4K)

/**
 * kpt_branch_reaches() - can a B instruction go there?
 * @from: its address
 * @to: where to
 */
static inline bool kpt_branch_reaches(unsigned long from, unsigned long to)
{
	return from - to < KPT_BRANCH_REACH || to - from < KPT_BRANCH_REACH;
}

/**
 * kpt_branch_word() - encode a B instruction
 * @from: its address
 * @to: where to; within reach
 */
static inline u32 kpt_branch_word(unsigned long from, unsigned long to)
{
	return KPT_B | (((long)(to - from) >> 2) & ~KPT_B_MASK);
}

/**
 * kpt_branch_target() - where a B instruction goes
 * @word: the instruction
 * @from: its address
 */
static inline unsigned long kpt_branch_target(u32 word, unsigned long from)
{
	return from + ((s32)(word << 6) >> 4);
}

/* mem.c */

/**
 * kpt_mem_init() - find out where pages for probes of kernel text must lie
 *
 * Context: module load.
 */
void kpt_mem_init(void);

/**
 * kpt_mem_alloc_near() - a page for code, within branch reach of some text
 * @addr: the text. If it is kernel text, all of the kernel's text is within
 *	reach of the page.
 *
 * Context: process context, sleeps.
 * Return: the page, read-only and executable, or NULL.
 */
void *kpt_mem_alloc_near(unsigned long addr);

/**
 * kpt_mem_alloc_far() - a page for code, anywhere
 *
 * Context: process context, sleeps.
 * Return: the page, read-only and executable, or NULL.
 */
void *kpt_mem_alloc_far(void);

/**
 * kpt_mem_free() - free a page
 * @page: from kpt_mem_alloc_near() or _far(); no CPU and no task is in it
 *
 * Context: process context, sleeps.
 */
void kpt_mem_free(void *page);

/**
 * kpt_mem_write() - write instructions into such a page
 * @at: where to
 * @words: what
 * @nr: how many
 *
 * A CPU sees them after its next context synchronisation; taking or returning
 * from an exception is one.
 *
 * Context: process context.
 * Return: 0, or -EIO if they do not read back.
 */
int kpt_mem_write(void *at, const u32 *words, unsigned int nr);

/**
 * kpt_mem_status() - where pages were found
 * @sb: a line is appended
 */
void kpt_mem_status(struct kpt_strbuf *sb);

/* xol.c */

/**
 * kpt_mode_with_brk() - the best mode of a point that can not be a branch
 * @ap: decoded
 */
static inline enum kpt_mode kpt_mode_with_brk(const struct kpt_arch_point *ap)
{
	return ap->insn.verdict == KPT_INSN_SIMULATE ? KPT_MODE_SIMULATED :
						       KPT_MODE_BOOSTED;
}

/**
 * kpt_xol_get() - make the out-of-line slot of a point
 * @ap: @ap->addr and @ap->insn are given, and in @ap->mode the best mode that
 *	is wanted: it gets that, or the next best one that is possible. @ap->mode
 *	and @ap->slot are set, and @ap->no_jump if it was to be that
 *
 * Context: process context, sleeps, kpt_mutex held.
 * Return: 0, -ENOMEM, or -EIO if the slot can not be written.
 */
int kpt_xol_get(struct kpt_arch_point *ap);

/**
 * kpt_xol_put() - give a slot back
 * @ap: disarmed, and the slot is not entered any more
 *
 * The memory is used again when no task can be inside, see kpt_xol_exit().
 *
 * Context: process context, sleeps, kpt_mutex held.
 */
void kpt_xol_put(struct kpt_arch_point *ap);

/**
 * kpt_xol_keep() - never free the page of a slot
 * @ap: whose slot
 * @keep: false takes it back
 *
 * Context: process context, kpt_mutex held.
 */
void kpt_xol_keep(const struct kpt_arch_point *ap, bool keep);

/**
 * kpt_xol_origin() - the address that a PC inside a slot stands for
 * @pc: an address in readable memory
 * @addr: result: the probed address while its instruction has not been
 *	performed, the next one after that
 *
 * Context: any, BRK included.
 * Return: true if @pc is inside a slot.
 */
bool kpt_xol_origin(unsigned long pc, unsigned long *addr);

/**
 * kpt_xol_status() - how many slots there are
 * @sb: a line is appended
 *
 * Context: process context, kpt_mutex held.
 */
void kpt_xol_status(struct kpt_strbuf *sb);

/**
 * kpt_xol_exit() - free all slots, when no task can be inside
 *
 * Context: process context, sleeps; no point is left.
 */
void kpt_xol_exit(void);

/* drain.c */

/**
 * kpt_drain_wait() - wait until every task has left what it was preempted in
 *
 * Context: process context, sleeps, perhaps for seconds.
 * Return: false if this kernel can not wait for that; then use
 * kpt_drain_search().
 */
bool kpt_drain_wait(void);

/**
 * kpt_drain_search() - look for what tasks were preempted in
 * @seen: called for each word on the stacks of all runnable tasks, while the
 *	machine is stopped; signatures of addresses are taken off
 *
 * Context: process context, sleeps.
 * Return: true if all were found; false if it has to be tried again.
 */
bool kpt_drain_search(void (*seen)(unsigned long word));

/* patch.c */

/**
 * struct kpt_patch - one word of text to be replaced
 * @addr: its address
 * @old: what it must hold now
 * @new: what it will hold
 */
struct kpt_patch {
	unsigned long addr;
	u32 old;
	u32 new;
};

/**
 * kpt_patch_text() - replace one word of text, in a machine stop
 * @patch: which and by what
 *
 * When it returns no CPU runs the old instruction, or code that cannot be
 * preempted and was entered through it.
 *
 * Context: process context, sleeps.
 * Return: 0, -EBUSY if the old word is another, -EIO if the new one does not
 * read back.
 */
int kpt_patch_text(const struct kpt_patch *patch);

/**
 * kpt_patch_original() - a word of text as it is without our probes
 * @addr: its address
 *
 * Context: process context, kpt_mutex held.
 */
u32 kpt_patch_original(unsigned long addr);

/**
 * kpt_patch_bare() - the same without the kernel's own kprobes
 * @addr: its address
 *
 * Context: process context, kpt_mutex held.
 */
u32 kpt_patch_bare(unsigned long addr);

/* jump.c */

/* Bytes of a stub, and of what a page of them begins with, for all of them. */
#define KPT_JUMP_LINE		64

/**
 * kpt_jump_init() - find out whether this kernel can have it
 *
 * Context: module load.
 */
void kpt_jump_init(void);

/**
 * kpt_jump_status() - whether probes can be branches
 * @sb: a line is appended
 */
void kpt_jump_status(struct kpt_strbuf *sb);

/**
 * kpt_jump_why_not() - can a point be a branch?
 * @ap: decoded
 *
 * Context: process context.
 * Return: NULL, or why not.
 */
const char *kpt_jump_why_not(const struct kpt_arch_point *ap);

/**
 * kpt_jump_write_page() - write what the stubs of a page share
 * @page: where to, KPT_JUMP_HEAD bytes
 *
 * Context: process context.
 * Return: 0 or -EIO.
 */
int kpt_jump_write_page(u32 *page);

/**
 * kpt_jump_write_stub() - write the stub of a point
 * @ap: the point; @ap->slot says where to
 * @head: from kpt_jump_write_page() in the same page
 *
 * Context: process context.
 * Return: 0, -ERANGE if something it leads to is out of reach, or -EIO.
 */
int kpt_jump_write_stub(const struct kpt_arch_point *ap, u32 *head);

/**
 * kpt_jump_word() - the branch that replaces a probed instruction
 * @ap: a point with a stub
 *
 * Context: any.
 */
u32 kpt_jump_word(const struct kpt_arch_point *ap);

/**
 * kpt_jump_switch() - whether a stub tells of its point
 * @ap: the point
 * @on: false: whoever enters the stub just passes through, and after
 *	kpt_arch_quiesce() nobody uses @ap
 *
 * Context: process context.
 */
void kpt_jump_switch(const struct kpt_arch_point *ap, bool on);

/**
 * kpt_jump_origin() - the address that a PC inside a stub stands for
 * @pc: the PC
 *
 * Context: any.
 */
unsigned long kpt_jump_origin(unsigned long pc);

/* trap.c */

/* Hits under way on each CPU. */
DECLARE_PER_CPU(unsigned int, kpt_hit_depth);

/**
 * kpt_trap_jump_rare() - a hit by a branch that is not simply kpt_hit()
 * @ap: the point: one of the self-test, or one whose hit RCU has to watch
 * @regs: registers
 *
 * Context: as BRK: all exceptions masked.
 */
void kpt_trap_jump_rare(struct kpt_arch_point *ap, struct pt_regs *regs);

/**
 * kpt_trap_jump_missed() - a point was reached by a branch inside another hit
 * @ap: the point
 *
 * Context: as BRK: all exceptions masked.
 */
void kpt_trap_jump_missed(struct kpt_arch_point *ap);

/**
 * kpt_trap_handle() - a BRK with one of our immediates was executed
 * @regs: registers; the PC is that of the BRK
 * @esr: the exception syndrome
 *
 * Context: BRK.
 * Return: true if it was ours and @regs say where to go on.
 */
bool kpt_trap_handle(struct pt_regs *regs, unsigned long esr);

/**
 * kpt_trap_fast() - kpt_trap_handle() before the kernel has noted the exception
 * @regs: registers; the PC is that of the BRK
 * @esr: the exception syndrome
 *
 * Context: BRK, RCU perhaps not watching.
 * Return: true if it was ours; false if it is to be taken the usual way.
 */
bool kpt_trap_fast(struct pt_regs *regs, unsigned long esr);

/**
 * kpt_trap_init() - be told when the kernel dies in a slot
 *
 * Context: module load.
 * Return: 0 or -errno.
 */
int kpt_trap_init(void);

/**
 * kpt_trap_exit() - stop being told
 *
 * Context: process context.
 */
void kpt_trap_exit(void);

/* detour.c */

/**
 * struct kpt_detour - a function of the exception path that is led to us
 * @symbols: its name, or several separated by '|', of which the first one that
 *	the kernel has is meant
 * @brk_only: only when the exception is a BRK from the kernel's own code
 * @entry: where to; may use the registers that any function may, and finds the
 *	syndrome in x16 if @brk_only
 * @original: set to where @entry goes with what is not ours
 * @patch: private
 * @page: private
 */
struct kpt_detour {
	const char *symbols;
	bool brk_only;
	void (*entry)(void);
	unsigned long *original;
	struct kpt_patch patch;
	u32 *page;
};

/**
 * kpt_detour_install() - lead the function to us
 * @d: the detour
 *
 * Context: process context, sleeps.
 * Return: 0, -ENXIO if the kernel does not have the function, or -errno.
 */
int kpt_detour_install(struct kpt_detour *d);

/**
 * kpt_detour_remove() - undo kpt_detour_install()
 * @d: the detour
 *
 * Context: process context, sleeps.
 */
void kpt_detour_remove(struct kpt_detour *d);

/* In hook.c, for brk_entry.S. */
extern unsigned long kpt_brk_original;
extern unsigned long kpt_fast_original;

/* hook.c */

/**
 * kpt_hook_init() - have BRK exceptions sent to kpt_trap_handle()
 *
 * Context: module load.
 * Return: 0, or -ENXIO if this kernel has no way that is known here.
 */
int kpt_hook_init(void);

/**
 * kpt_hook_exit() - have them sent there no longer
 *
 * Context: process context, sleeps; no BRK of ours is left in any text.
 */
void kpt_hook_exit(void);

/**
 * kpt_hook_status() - by what way BRK exceptions are taken
 * @sb: a line is appended
 */
void kpt_hook_status(struct kpt_strbuf *sb);

/* selftest.c: what trap.c calls for points of the self-test. */

/**
 * kpt_selftest_find() - as kpt_point_find()
 * @pc: any address
 *
 * Context: BRK.
 */
struct kpt_arch_point *kpt_selftest_find(unsigned long pc);

/**
 * kpt_selftest_hit() - as kpt_hit()
 * @ap: the point
 * @regs: registers at the probed address
 *
 * Context: BRK.
 */
void kpt_selftest_hit(struct kpt_arch_point *ap, struct pt_regs *regs);

/**
 * kpt_selftest_missed() - as kpt_hit_missed()
 * @ap: the point
 *
 * Context: BRK, nested.
 */
void kpt_selftest_missed(struct kpt_arch_point *ap);

#endif
