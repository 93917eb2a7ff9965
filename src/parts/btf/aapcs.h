/* SPDX-License-Identifier: GPL-2.0-only */
/* Places of arguments and results by the procedure call standard. */
#ifndef KPTRACE_AAPCS_H
#define KPTRACE_AAPCS_H

#include "lib/base/port.h"
#include "parts/btf/btf.h"

/* Registers for arguments, of either kind. */
#define KPT_AAPCS_REGS	8

/**
 * struct kpt_aapcs - registers and stack that no argument uses yet
 * @is_result: places the result of the function, not an argument
 * @reg: the next of x0 to x7
 * @fp_reg: the next of v0 to v7
 * @word: the next word of the stack, counted from SP
 * @lost: the place of an earlier argument is unknown, so that of others is, too
 *
 * Set to 0 before the first argument.
 */
struct kpt_aapcs {
	bool is_result;
	u32 reg;
	u32 fp_reg;
	u32 word;
	bool lost;
};

/**
 * enum kpt_passed - how a value is passed
 * @KPT_PASSED_UNKNOWN: in a way that is not known here
 * @KPT_PASSED_WORDS: in words of registers or of the stack
 * @KPT_PASSED_POINTER: in memory, whose address is in a word
 * @KPT_PASSED_FLOAT: in a register for floating point numbers
 * @KPT_PASSED_X8: in memory, whose address x8 has at the entry: a result
 */
enum kpt_passed {
	KPT_PASSED_UNKNOWN,
	KPT_PASSED_WORDS,
	KPT_PASSED_POINTER,
	KPT_PASSED_FLOAT,
	KPT_PASSED_X8,
};

/**
 * struct kpt_passing - where a value is
 * @how: how it is passed
 * @first: its first word: below 8 the register of that number, else 8 more than
 *	the number of a word of the stack
 * @nr: number of words; they follow each other
 */
struct kpt_passing {
	enum kpt_passed how;
	u32 first;
	u32 nr;
};

void kpt_aapcs_next(struct kpt_aapcs *a, const struct kpt_btf *btf, u32 id,
		    struct kpt_passing *passing);
void kpt_aapcs_parameter(const struct kpt_btf *btf,
			 const struct kpt_btf_type *proto, u32 n,
			 struct kpt_passing *passing);

#endif
