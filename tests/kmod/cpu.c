// SPDX-License-Identifier: GPL-2.0-only
/* /proc/kpt_cpu: run an instruction from a given state. See cpu.h. */
#include <linux/err.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/proc_fs.h>
#include <linux/slab.h>
#include <linux/uaccess.h>
#include <asm/sysreg.h>
#include "compat.h"
#include "cpu.h"

/* Stores may go further than what is looked at. */
#define MEMORY_MORE (256 * 1024)
/* The instruction's stack pointer is that far below ours. */
#define STACK_BELOW 2048
/* What a call takes of it. */
#define STACK_CALL 128
/* ldr xzr, [x0] */
#define LDR_XZR 0xf940001f

/* Read and written by cpu_run.S. */
struct cpu_now {
	struct cpu_state *state;
	unsigned long sp;
	unsigned long x1;
};
extern struct cpu_now cpu_now;
struct cpu_now cpu_now;

void cpu_run(struct cpu_state *state, unsigned long pc, unsigned long pstate);
void cpu_fp_load(const u8 *z);
void cpu_fp_save(u8 *z);
void cpu_sve_load(const u8 *z, const u8 *p);
void cpu_sve_save(u8 *z, u8 *p);
u64 cpu_sign(u64 pointer, u64 modifier, unsigned int key);
extern u32 cpu_places[];

static unsigned long patch_text;
module_param(patch_text, ulong, 0400);
MODULE_PARM_DESC(patch_text, "address of aarch64_insn_patch_text_nosync");

static DEFINE_MUTEX(lock);
static u8 *memory;
static struct cpu_info info;
static struct cpu_run run;

/* What the interrupted task has in registers that we use; whole SVE vectors. */
static struct {
	struct cpu_state state;
	u8 z[32 * 256];
	u8 p[17 * 32];
	u64 zcr;
} saved;

/* By encoding, so that any assembler knows them: op1, CRn, CRm, op2 of op0 3. */
#define FIELD(reg, shift) \
	((read_sysreg_s(reg) >> (shift)) & 0xf)
#define PFR0 sys_reg(3, 0, 0, 4, 0)
#define PFR1 sys_reg(3, 0, 0, 4, 1)
#define ISAR1 sys_reg(3, 0, 0, 6, 1)
#define MMFR1 sys_reg(3, 0, 0, 7, 1)
#define MMFR2 sys_reg(3, 0, 0, 7, 2)
#define ZCR sys_reg(3, 0, 1, 2, 0)
#define PAN sys_reg(3, 0, 4, 2, 3)
#define UAO sys_reg(3, 0, 4, 2, 4)
#define DIT sys_reg(3, 3, 4, 2, 5)
#define SSBS sys_reg(3, 3, 4, 2, 6)
#define TCO sys_reg(3, 3, 4, 2, 7)

static void find_features(void)
{
	info.sve = FIELD(PFR0, 32) > 0;
	info.pan = FIELD(MMFR1, 20) > 0;
	info.ats1e1 = FIELD(MMFR1, 20) > 1;
	info.uao = FIELD(MMFR2, 4) > 0;
	info.dit = FIELD(PFR0, 48) > 0;
	info.ssbs = FIELD(PFR1, 4) > 1;
	info.mte = FIELD(PFR1, 8) > 0;
	info.specres = FIELD(ISAR1, 40) > 0;
}

static void get_more(u64 *more)
{
	memset(more, 0, sizeof(run.state.more));
	if (info.pan)
		more[0] = read_sysreg_s(PAN);
	if (info.uao)
		more[1] = read_sysreg_s(UAO);
	if (info.dit)
		more[2] = read_sysreg_s(DIT);
	if (info.ssbs)
		more[3] = read_sysreg_s(SSBS);
	if (info.mte)
		more[4] = read_sysreg_s(TCO);
}

static void put_more(const u64 *more)
{
	if (info.pan)
		write_sysreg_s(more[0], PAN);
	if (info.uao)
		write_sysreg_s(more[1], UAO);
	if (info.dit)
		write_sysreg_s(more[2], DIT);
	if (info.ssbs)
		write_sysreg_s(more[3], SSBS);
	if (info.mte)
		write_sysreg_s(more[4], TCO);
}

/* The kernel's own code does not touch these registers in between. */
static void get_fp(struct cpu_state *s, u8 *z, u8 *p)
{
	s->fpcr = read_sysreg_s(sys_reg(3, 3, 4, 4, 0));
	s->fpsr = read_sysreg_s(sys_reg(3, 3, 4, 4, 1));
	write_sysreg_s(0, sys_reg(3, 3, 4, 4, 0));
	if (info.sve)
		cpu_sve_save(z, p);
	else
		cpu_fp_save(z);
}

static void put_fp(const struct cpu_state *s, const u8 *z, const u8 *p)
{
	if (info.sve)
		cpu_sve_load(z, p);
	else
		cpu_fp_load(z);
	write_sysreg_s(s->fpcr, sys_reg(3, 3, 4, 4, 0));
	write_sysreg_s(s->fpsr, sys_reg(3, 3, 4, 4, 1));
}

static void put_zcr(u64 zcr)
{
	if (info.sve)
		write_sysreg_s(zcr, ZCR);
	isb();
}

static void sign(struct cpu_state *s)
{
	u64 modifier = 0;

	if (!run.sign)
		return;
	if (run.modifier < 31)
		modifier = s->x[run.modifier];
	else if (run.modifier == 31)
		modifier = s->sp;
	s->x[run.signed_reg] = cpu_sign(s->x[run.signed_reg], modifier,
					run.sign);
}

/*
 * From here on to the end exceptions are masked, and the registers of whatever
 * task is interrupted are ours.
 */
static void run_masked(void)
{
	struct cpu_state *s = &run.state;
	unsigned long tpidr = read_sysreg(tpidr_el0);
	unsigned long tpidrro = read_sysreg(tpidrro_el0);
	unsigned long daif = read_sysreg(daif);
	u32 *at = cpu_places + run.place * CPU_PLACE_WORDS + CPU_PLACE_AT;
	u8 *stack, *memory_at = memory + MEMORY_MORE;

	asm volatile("msr daifset, #15" ::: "memory");
	get_fp(&saved.state, saved.z, saved.p);
	saved.zcr = info.sve ? read_sysreg_s(ZCR) : 0;
	put_zcr(CPU_VL / 16 - 1);
	get_more(saved.state.more);
	stack = (u8 *)((unsigned long)__builtin_frame_address(0) -
		       STACK_BELOW) - (s->sp & 0xf0);
	s->sp = (unsigned long)stack & ~15UL;
	memcpy((u8 *)s->sp, s->stack, CPU_STACK);
	/* What calls have left between there and us differs each time. */
	memset((u8 *)s->sp + CPU_STACK, 0,
	       STACK_BELOW - STACK_CALL - CPU_STACK);
	memcpy(memory_at, s->memory, CPU_MEMORY);
	sign(s);
	put_fp(s, s->z, s->p);
	/* As now, but for the flags; the masks are those of masked code. */
	cpu_run(s, (unsigned long)at,
		(s->pstate & GENMASK(31, 28)) | GENMASK(9, 6) |
		read_sysreg(CurrentEL) | 1 | saved.state.more[0] |
		saved.state.more[3]);
	get_fp(s, s->z, s->p);
	put_zcr(saved.zcr);
	get_more(s->more);
	put_more(saved.state.more);
	memcpy(s->memory, memory_at, CPU_MEMORY);
	memcpy(s->stack, (u8 *)((unsigned long)stack & ~15UL), CPU_STACK);
	s->sp -= (unsigned long)stack & ~15UL;
	/* What is below the stack pointer is anybody's. */
	if ((s64)s->sp > 0)
		memset(s->stack, 0, min_t(u64, s->sp, CPU_STACK));
	put_fp(&saved.state, saved.z, saved.p);
	write_sysreg(tpidr, tpidr_el0);
	write_sysreg(tpidrro, tpidrro_el0);
	write_sysreg(daif, daif);
}

static int patch(u32 *at, u32 word)
{
	int (*patch_nosync)(void *, u32) = (void *)patch_text;

	return patch_nosync(at, word);
}

static long cpu_ioctl_run(void __user *arg)
{
	u32 *behind, was;

	if (copy_from_user(&run, arg, sizeof(run)))
		return -EFAULT;
	if (run.place >= CPU_PLACES || run.sign > 4 || run.signed_reg > 30 ||
	    run.fault > 30)
		return -EINVAL;
	behind = cpu_places + run.place * CPU_PLACE_WORDS + CPU_PLACE_AT + 1;
	was = *behind;
	if (run.fault && patch(behind, LDR_XZR | run.fault << 5))
		return -EIO;
	preempt_disable();
	pagefault_disable();
	run_masked();
	pagefault_enable();
	preempt_enable();
	if (run.fault && patch(behind, was))
		return -EIO;
	return copy_to_user(arg, &run, sizeof(run)) ? -EFAULT : 0;
}

static long cpu_ioctl_set(void __user *arg)
{
	struct cpu_set set;

	if (copy_from_user(&set, arg, sizeof(set)))
		return -EFAULT;
	if (set.place >= CPU_PLACES)
		return -EINVAL;
	return patch(cpu_places + set.place * CPU_PLACE_WORDS + CPU_PLACE_AT,
		     set.word);
}

static long cpu_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	void __user *user = (void __user *)arg;
	long err = -ENOTTY;

	mutex_lock(&lock);
	switch (cmd) {
	case CPU_INFO:
		err = copy_to_user(user, &info, sizeof(info)) ? -EFAULT : 0;
		break;
	case CPU_SET:
		err = cpu_ioctl_set(user);
		break;
	case CPU_RUN:
		err = cpu_ioctl_run(user);
		break;
	}
	mutex_unlock(&lock);
	return err;
}

static const struct proc_ops cpu_ops = {
	.proc_ioctl = cpu_ioctl,
};

static int __init __aligned(8) kpt_cpu_init(void)
{
	if (!patch_text)
		return -EINVAL;
	memory = kvzalloc(2 * MEMORY_MORE + CPU_MEMORY, GFP_KERNEL);
	if (!memory)
		return -ENOMEM;
	find_features();
	info.code = (unsigned long)cpu_places;
	info.memory = (unsigned long)memory + MEMORY_MORE + CPU_MEMORY / 2;
	return proc_create("kpt_cpu", 0600, NULL, &cpu_ops) ? 0 : -ENOMEM;
}

static void __exit kpt_cpu_exit(void)
{
	remove_proc_entry("kpt_cpu", NULL);
	kvfree(memory);
}

module_init(kpt_cpu_init);
module_exit(kpt_cpu_exit);
MODULE_DESCRIPTION("Runs one instruction from a given state");
MODULE_LICENSE("GPL");
