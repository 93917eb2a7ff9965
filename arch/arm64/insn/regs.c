// SPDX-License-Identifier: GPL-2.0-only
/* Names and values of the registers that definitions can name. */
#include "lib/base/port.h"
#include "insn/insn.h"

/* In the order of struct user_pt_regs, which is uapi. */
static const char *const reg_names[KPT_NR_REGS] = {
	"x0",  "x1",  "x2",  "x3",  "x4",  "x5",  "x6",	 "x7",	"x8",
	"x9",  "x10", "x11", "x12", "x13", "x14", "x15", "x16", "x17",
	"x18", "x19", "x20", "x21", "x22", "x23", "x24", "x25", "x26",
	"x27", "x28", "x29", "x30", "sp",  "pc",  "pstate",
};

/**
 * kpt_reg_by_name() - find a register of struct user_pt_regs
 * @name: x0 to x30, lr, sp, pc or pstate, not terminated
 * @len: its length
 *
 * Context: any.
 * Return: number of the register, or -ENOENT.
 */
int kpt_reg_by_name(const char *name, size_t len)
{
	unsigned int i;

	if (len == 2 && !memcmp(name, "lr", 2))
		return 30;
	for (i = 0; i < KPT_NR_REGS; i++)
		if (strlen(reg_names[i]) == len &&
		    !memcmp(name, reg_names[i], len))
			return (int)i;
	return -ENOENT;
}

/**
 * kpt_reg_name() - name of a register
 * @reg: number of the register, below KPT_NR_REGS
 *
 * Only for host tests.
 *
 * Context: any.
 * Return: the name that listings show (x30 rather than lr), or NULL.
 */
const char *kpt_reg_name(unsigned int reg)
{
	return reg < KPT_NR_REGS ? reg_names[reg] : NULL;
}

/**
 * kpt_reg_get() - value of a register
 * @regs: saved registers
 * @reg: number of the register
 *
 * Only for host tests.
 *
 * Context: any.
 * Return: the value; 0 if there is no such register.
 */
u64 kpt_reg_get(const struct user_pt_regs *regs, unsigned int reg)
{
	if (reg < 31)
		return regs->regs[reg];
	switch (reg) {
	case 31:
		return regs->sp;
	case 32:
		return regs->pc;
	case 33:
		return regs->pstate;
	default:
		return 0;
	}
}
