/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The one door between arch/ and src/: what an architecture provides, and the
 * calls it makes upward.
 */
#ifndef KPTRACE_ARCH_H
#define KPTRACE_ARCH_H

#include <linux/types.h>
#include <linux/ptrace.h>
#include <kptrace/diag.h>
#include <kptrace/insn.h>
#include <kptrace/strbuf.h>

/**
 * enum kpt_mode - how the displaced instruction of a point is performed
 * @KPT_MODE_SIMULATED: by software, in the BRK handler
 * @KPT_MODE_BOOSTED: in a slot that ends with a branch back: one exception
 * @KPT_MODE_STEPPED: in a slot that ends with a second BRK: two exceptions
 * @KPT_MODE_JUMP: the probed instruction is a branch: no exception
 */
enum kpt_mode {
	KPT_MODE_SIMULATED,
	KPT_MODE_BOOSTED,
	KPT_MODE_STEPPED,
	KPT_MODE_JUMP,
};

/**
 * struct kpt_arch_point - what the engine keeps of a probed address
 * @addr: the probed address
 * @test: belongs to the self-test
 * @armed: the text holds our instruction; changed under kpt_mutex. Stays set if
 *	somebody else has changed the text over it
 * @mode: how it is performed
 * @slot: address of its out-of-line slot or stub, 0 if it is simulated
 * @no_jump: why @mode is not KPT_MODE_JUMP, NULL if it is
 * @insn: the displaced instruction, decoded
 */
struct kpt_arch_point {
	unsigned long addr;
	bool test;
	bool armed;
	enum kpt_mode mode;
	unsigned long slot;
	const char *no_jump;
	struct kpt_insn insn;
};

struct kpt_point;

/**
 * kpt_arch_init() - find a way to take BRK exceptions and to patch text
 *
 * Says in the kernel log which one thing is missing; status which way was found.
 *
 * Context: process context, module load.
 * Return: 0 or -errno; then nothing is left behind.
 */
int kpt_arch_init(void);

/**
 * kpt_arch_exit() - give back what kpt_arch_init() took
 *
 * All points are disarmed and released. Waits until no task is in a slot.
 *
 * Context: process context; waits for CPUs to leave our handlers.
 */
void kpt_arch_exit(void);

/**
 * kpt_arch_check() - may the instruction at an address be probed?
 * @ap: @ap->addr is given; the rest is filled in, but no slot is taken
 * @diag: on refusal the one exact reason, at column 0
 *
 * Context: process context, may sleep, kpt_mutex held.
 * Return: 0 or -EINVAL.
 */
int kpt_arch_check(struct kpt_arch_point *ap, struct kpt_diag *diag);

/**
 * kpt_arch_prepare() - kpt_arch_check(), and take what arming needs
 * @ap: as for kpt_arch_check()
 * @diag: likewise
 *
 * Context: process context, may sleep, caller holds kpt_mutex.
 * Return: 0, -EINVAL with a reason, or -ENOMEM if there is no slot.
 */
int kpt_arch_prepare(struct kpt_arch_point *ap, struct kpt_diag *diag);

/**
 * kpt_arch_release() - give the slot of a point back
 * @ap: disarmed, and kpt_arch_quiesce() has returned since
 *
 * Context: process context, may sleep, caller holds kpt_mutex.
 */
void kpt_arch_release(struct kpt_arch_point *ap);

/**
 * kpt_arch_is_armed() - may the text at a point still be ours?
 * @ap: the point; the text is there
 *
 * Who changed it after us may have put back what was there before us, or, when
 * we were gone, ours.
 *
 * Context: process context, kpt_mutex held.
 * Return: it is, or it has been changed by somebody else.
 */
bool kpt_arch_is_armed(struct kpt_arch_point *ap);

/**
 * kpt_arch_is_overwritten() - has somebody else changed the text of a point?
 * @ap: the point; the text is there
 *
 * Context: process context, kpt_mutex held.
 * Return: it is armed, and its text is not ours.
 */
bool kpt_arch_is_overwritten(const struct kpt_arch_point *ap);

/**
 * kpt_arch_may_return() - can our instruction come back to a point?
 * @ap: the point, disarmed; the text is there
 *
 * Somebody else has put his own over it, or, a kernel kprobe that is not armed,
 * a copy aside.
 *
 * Context: process context, kpt_mutex held.
 * Return: it can, so what it leads to has to stay.
 */
bool kpt_arch_may_return(struct kpt_arch_point *ap);

/**
 * kpt_arch_abandon() - a point to which our instruction may come back is unused
 * @ap: the point
 * @abandon: false: it is used again
 *
 * It does no harm then.
 *
 * Context: process context, caller holds kpt_mutex.
 */
void kpt_arch_abandon(struct kpt_arch_point *ap, bool abandon);

/**
 * kpt_arch_arm() - put our instruction at many addresses, 32,768 in a machine stop
 * @ap: the points, prepared and not armed
 * @nr: how many
 *
 * Every word is read back. If one did not take (a hypervisor may drop the
 * write), all are undone.
 *
 * Context: process context, may sleep, caller holds kpt_mutex.
 * Return: 0 or -EIO (text did not take), -ENOMEM.
 */
int kpt_arch_arm(struct kpt_arch_point **ap, unsigned int nr);

/**
 * kpt_arch_disarm() - put the original instructions back, 32,768 in a machine stop
 * @ap: the points, armed
 * @nr: how many
 *
 * A word that is no longer ours is left alone and said in the kernel log.
 *
 * Context: process context, may sleep, caller holds kpt_mutex.
 */
void kpt_arch_disarm(struct kpt_arch_point **ap, unsigned int nr);

/**
 * kpt_arch_quiesce() - wait until nobody runs on behalf of disarmed points
 *
 * When it returns no CPU is in a handler that began before. Slots that were
 * given back may still have a preempted task inside; they are used again when
 * that can not be, without anybody having to wait for it.
 *
 * Context: process context, sleeps.
 */
void kpt_arch_quiesce(void);

/**
 * kpt_arch_saved_sp() - the stack pointer of a task that does not run
 * @task: the task
 *
 * Context: any. Of a task that runs it is an old one.
 */
unsigned long kpt_arch_saved_sp(const struct task_struct *task);

/**
 * struct kpt_arch_returns - the ways out of a function
 * @addr: its return instructions, from kmalloc(); freed by the caller
 * @nr: how many
 * @why: if there is another way out: which
 * @at: and where
 */
struct kpt_arch_returns {
	unsigned long *addr;
	unsigned int nr;
	const char *why;
	unsigned long at;
};

/**
 * kpt_arch_find_returns() - does a function leave by return instructions only?
 * @func: its entry
 * @out: result
 *
 * The whole body is decoded, parts that the compiler moved elsewhere included.
 *
 * Context: process context, may sleep; the function's text can not go away.
 * Return: 0, and with no return instruction in @out the function never returns;
 * -EOPNOTSUPP with @out->why and @out->at if there may be another
 * way out; -ENOMEM.
 */
int kpt_arch_find_returns(unsigned long func, struct kpt_arch_returns *out);

/* Bits of an address of the kernel's that a signature may stand in. */
extern u64 kpt_arch_pac_mask;

/**
 * kpt_arch_return_address() - where a function is about to return to
 * @regs: registers at its return instruction
 *
 * RETAA and RETAB find a signed address in x30. The signature stands in bits
 * which are all set in an address of the kernel's (Arm ARM D8.8).
 *
 * Context: BRK.
 * Return: the address.
 */
static __always_inline unsigned long
kpt_arch_return_address(const struct pt_regs *regs)
{
	return regs->regs[30] | kpt_arch_pac_mask;
}

/**
 * kpt_arch_replace_return() - make a function return to us
 * @regs: registers at its entry; x30 is changed
 *
 * The function will return into kpt_hit_return(), on the same stack pointer.
 *
 * Context: BRK.
 */
void kpt_arch_replace_return(struct pt_regs *regs);

/* Where replaced return addresses lead; never called. */
void kpt_return_entry(void);

/**
 * kpt_arch_is_replaced() - is a return address one that was replaced?
 * @addr: the address
 *
 * Context: any.
 */
static inline bool kpt_arch_is_replaced(unsigned long addr)
{
	return addr == (unsigned long)kpt_return_entry;
}

/**
 * kpt_arch_returns_left() - is nobody any more on the way back through us?
 *
 * A task whose return has been handled may yet have to run some instructions
 * of the module. Waits for those where the kernel can wait for that.
 *
 * Context: process context, sleeps. One caller at a time.
 * Return: true; false if somebody may be: then ask again later.
 */
bool kpt_arch_returns_left(void);

/**
 * kpt_arch_hits_off() - hits on this CPU count as missed from here on
 *
 * For short parts that the hit path must not be entered in. Nests.
 *
 * Context: any, interrupts masked until kpt_arch_hits_on().
 */
void kpt_arch_hits_off(void);

/**
 * kpt_arch_hits_on() - the reverse of kpt_arch_hits_off()
 *
 * Context: any, interrupts masked.
 */
void kpt_arch_hits_on(void);

/**
 * kpt_arch_machine_stops() - machine stops since load
 *
 * Return: the count, for the status file.
 */
unsigned long kpt_arch_machine_stops(void);

/*
 * What taking a BRK exception by the kernel's own way adds to preempt_count(),
 * measured by the self-test at load: differs between kernels. Written before any
 * point is armed.
 */
extern int kpt_arch_preempt_bias;

/**
 * kpt_arch_status() - how symbols, BRK hook, patching and slots were obtained
 * @sb: lines "name: value" are appended
 *
 * Context: process context.
 */
void kpt_arch_status(struct kpt_strbuf *sb);

/**
 * kpt_arch_mode_name() - name of a mode as kprobes/list shows it
 * @mode: the mode
 */
const char *kpt_arch_mode_name(enum kpt_mode mode);

/*
 * Calls upward, made by the engine in BRK context: interrupts masked, no
 * sleeping, no lock, no fault that is not fixed up.
 */

/**
 * kpt_point_find() - the point at an address
 * @pc: any address
 *
 * Context: BRK; the result is valid until the handler returns.
 * Return: the engine's part of the point, or NULL.
 */
struct kpt_arch_point *kpt_point_find(unsigned long pc);

/**
 * kpt_hit() - an armed point was reached
 * @ap: the point
 * @regs: registers as they were at the probed address. Only x30 is changed, by
 *	kpt_arch_replace_return()
 * @bias: what the way here has added to preempt_count()
 *
 * Context: BRK. RCU need not be watching this CPU.
 * Return: true; or false if nothing was done because RCU would have to watch.
 */
bool kpt_hit(struct kpt_arch_point *ap, struct pt_regs *regs,
	     unsigned int bias);

/**
 * kpt_hit_missed() - an armed point was reached inside another hit
 * @ap: the point, whose handlers are not run
 *
 * Context: BRK, nested.
 */
void kpt_hit_missed(struct kpt_arch_point *ap);

/**
 * kpt_hit_return() - a function returned whose return address was replaced
 * @regs: registers after its return instruction; the PC and x30 become what they
 *	would have been
 *
 * Context: like BRK: interrupts masked, hits of this CPU turned away.
 * Return: the address it would have returned to.
 */
unsigned long kpt_hit_return(struct pt_regs *regs);

#endif
