// SPDX-License-Identifier: GPL-2.0-only
/*
 * Redirect functions of the exception path: the first instruction of such a
 * function is replaced by a branch to a page nearby. The page branches to our
 * entry. For an exception that is not ours, our entry branches back into the
 * page: to a copy of the displaced instruction, and a branch to the rest of the
 * function.
 */
#include "kernel/compat.h"
#include <linux/kernel.h>
#include "kernel/ksyms.h"
#include "engine.h"

/* Arm ARM C6.2: LDR (literal), BR, HINT. */
#define LDR_X17(words)		(0x58000011 | (words) << 5)
#define BR_X17			0xd61f0220
#define BTI_C			0xd503245f
#define HINT_MASK		0xfffff01f
#define HINT			0xd503201f
#define B_EQ(words)		(0x54000000 | (words) << 5)
#define MRS_X16_ESR_EL1		0xd5385210
#define LSR_X17_X16_26		0xd35afe11	/* the exception class */
#define CMP_X17_BRK64		0xf100f23f	/* with 0x3c, a BRK in AArch64 */

/*
 * Layout of the page. With brk_only it begins with a test, so that exceptions
 * other than BRK cost only a handful of instructions: they fall through to OUT.
 * Our entry branches to OUT too, so there is a landing pad.
 */
enum {
	TEST = 0,		/* four instructions, or a branch to IN */
	OUT = 4,
	DISPLACED = 5,
	BACK = 6,
	IN = 7,
	ENTRY = 9,
	WORDS = 11,
};

/* Has an instruction the same effect at another address? */
static bool can_move(u32 word)
{
	struct kpt_insn insn;

	if ((word & HINT_MASK) == HINT)
		return true;
	kpt_insn_decode(word, &insn);
	return insn.verdict == KPT_INSN_STEP && !(insn.flags & KPT_INSN_PC);
}

static int write_page(const struct kpt_redirect *d)
{
	u32 *page = d->page;
	u32 words[WORDS] = {
		[OUT] = BTI_C,
		[DISPLACED] = d->patch.old,
		[BACK] = kpt_branch_word((unsigned long)&page[BACK],
					 d->patch.addr + 4),
		[IN] = LDR_X17(ENTRY - IN),
		[IN + 1] = BR_X17,
		[ENTRY] = lower_32_bits((unsigned long)d->entry),
		[ENTRY + 1] = upper_32_bits((unsigned long)d->entry),
	};

	words[TEST] = kpt_branch_word((unsigned long)&page[TEST],
				      (unsigned long)&page[IN]);
	if (d->brk_only) {
		words[TEST] = MRS_X16_ESR_EL1;
		words[TEST + 1] = LSR_X17_X16_26;
		words[TEST + 2] = CMP_X17_BRK64;
		words[TEST + 3] = B_EQ(IN - (TEST + 3));
	}
	return kpt_mem_write(page, words, WORDS);
}

static int lead_away(struct kpt_redirect *d, unsigned long function)
{
	int err;

	d->patch.addr = function;
	d->patch.old = READ_ONCE(*(u32 *)function);
	d->patch.new = kpt_branch_word(function, (unsigned long)d->page);
	if (!can_move(d->patch.old)) {
		pr_err("the first instruction of %ps, %08x, cannot be moved\n",
		       (void *)function, d->patch.old);
		return -EINVAL;
	}
	err = write_page(d);
	if (err)
		return err;
	*d->original = (unsigned long)&d->page[OUT];
	return kpt_patch_text(&d->patch);
}

/**
 * kpt_redirect_install() - replace the first instruction of the function
 * @d: the redirect
 *
 * Context: process context, sleeps.
 * Return: 0; -ENXIO if the kernel does not have the function; -ENOMEM; -EINVAL
 * if its first instruction cannot be moved; -EBUSY if other code has changed
 * that instruction meanwhile; -EIO if the text or the page does not read back.
 */
int kpt_redirect_install(struct kpt_redirect *d)
{
	unsigned long function = kpt_ksyms_any(d->symbols);
	int err;

	if (!function)
		return -ENXIO;
	d->page = kpt_mem_alloc_near(function);
	if (!d->page)
		return -ENOMEM;
	err = lead_away(d, function);
	if (err)
		kpt_mem_free(d->page);
	return err;
}

/**
 * kpt_redirect_remove() - undo kpt_redirect_install()
 * @d: the redirect
 *
 * Exceptions are masked while a CPU is in the page, so no CPU is in it when the
 * machine is stopped. If other code has patched over our branch, it may restore
 * the branch later: then the page is not freed, and bypasses our entry.
 *
 * Context: process context, sleeps.
 */
void kpt_redirect_remove(struct kpt_redirect *d)
{
	const struct kpt_patch undo = {
		.addr = d->patch.addr,
		.old = d->patch.new,
		.new = d->patch.old,
	};
	u32 past;

	if (!kpt_patch_text(&undo)) {
		kpt_mem_free(d->page);
		return;
	}
	pr_warn("%ps was changed by somebody else, left alone\n",
		(void *)undo.addr);
	past = kpt_branch_word((unsigned long)d->page,
			       (unsigned long)&d->page[OUT]);
	kpt_mem_write(d->page, &past, 1);
}
