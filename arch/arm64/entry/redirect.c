// SPDX-License-Identifier: GPL-2.0-only
/*
 * Redirect functions of the kernel: the first instruction of such a function, or the one behind
 * its landing pad, is replaced by a branch to a page nearby. The page branches to our entry. A
 * call that is not for us continues in the page, because a test there says so or because our
 * entry branches back: at a copy of the displaced instruction, and a branch to the rest of the
 * function.
 *
 * Redirects of one function are removed in the reverse order.
 */
#include "kernel/compat.h"
#include <linux/kernel.h>
#include "kernel/ksyms.h"
#include "engine.h"

/*
 * Layout of the page. With @load it begins with a test, so that calls that are not for
 * us cost only a handful of instructions: they fall through to DISPLACED.
 * Our entry branches to OUT, so there is a landing pad.
 */
enum {
	TEST = 0,		/* the last of these words branches to IN */
	DISPLACED = 5,
	BACK = 6,
	OUT = 7,
	IN_SIGNED = 9,		/* the return address is signed: our entry gets it as it was */
	IN = 10,
	ENTRY = 12,
	VALUE = 14,
	WORDS = 16,
};

/* Has an instruction the same effect at another address? That of a B is in moved(). */
static bool can_move(u32 word)
{
	struct kpt_insn insn;

	kpt_insn_decode(word, &insn);
	return kpt_insn_is_nop(word) || kpt_insn_is_b(word) ||
	       (insn.verdict == KPT_INSN_STEP && !(insn.flags & KPT_INSN_PC));
}

/* A function that is redirected begins with a B, and may be redirected once more. */
static u32 moved(const struct kpt_redirect *d)
{
	if (!kpt_insn_is_b(d->patch.old))
		return d->patch.old;
	return kpt_branch_word((unsigned long)&d->page[DISPLACED],
			       kpt_branch_target(d->patch.old, d->patch.addr));
}

/* Write the test, which ends before DISPLACED. Returns the index of its first word. */
static unsigned int put_test(const struct kpt_redirect *d, u32 *words)
{
	unsigned int last = DISPLACED - 1, at = last, i;
	s64 in = ((d->is_signed ? IN_SIGNED : IN) - last) * 4;

	words[last] = a64_to(d->nr_load ? a64_b_if(A64_EQ) : A64_B, in);
	if (d->nr_load) {
		words[--at] = a64_cmp(X16, X17);
		at--;
		words[at] = a64_to(a64_ldr_literal(X17), (VALUE - at) * 4);
		for (i = d->nr_load; i--;)
			words[--at] = d->load[i];
	}
	return at;
}

/* Write the page. Returns the index of the word that the function branches to. */
static int write_page(const struct kpt_redirect *d)
{
	u32 *page = d->page;
	unsigned int first;
	u32 words[WORDS] = {
		[DISPLACED] = moved(d),
		[BACK] = kpt_branch_word((unsigned long)&page[BACK],
					 d->patch.addr + 4),
		[OUT] = d->is_signed ? A64_PACIASP : A64_BTI_C,
		[OUT + 1] = a64_to(A64_B, (DISPLACED - (OUT + 1)) * 4),
		[IN_SIGNED] = A64_AUTIASP,
		[IN] = a64_to(a64_ldr_literal(X17), (ENTRY - IN) * 4),
		[IN + 1] = a64_br(X17),
		[ENTRY] = lower_32_bits((unsigned long)d->entry),
		[ENTRY + 1] = upper_32_bits((unsigned long)d->entry),
		[VALUE] = lower_32_bits(d->value),
		[VALUE + 1] = upper_32_bits(d->value),
	};

	first = put_test(d, words);
	return kpt_mem_write(page, words, WORDS) ?: (int)first;
}

/* What is called through a pointer, or by modules, begins with a landing pad, which stays. */
static unsigned long behind_pad(struct kpt_redirect *d, unsigned long function)
{
	bool stays = d->is_landed && IS_ENABLED(CONFIG_ARM64_BTI_KERNEL);
	u32 word = READ_ONCE(*(u32 *)function);
	struct kpt_insn insn;

	kpt_insn_decode(word, &insn);
	d->is_signed = stays && word == A64_PACIASP;
	return stays && insn.flags & KPT_INSN_LANDING ? function + 4 : function;
}

static int lead_away(struct kpt_redirect *d, unsigned long function)
{
	int first;

	d->patch.addr = behind_pad(d, function);
	d->patch.old = READ_ONCE(*(u32 *)d->patch.addr);
	if (!can_move(d->patch.old)) {
		pr_err("the first instruction of %ps, %08x, cannot be moved\n",
		       (void *)function, d->patch.old);
		return -EINVAL;
	}
	first = write_page(d);
	if (first < 0)
		return first;
	d->first = &d->page[first];
	d->patch.new = kpt_branch_word(d->patch.addr, (unsigned long)d->first);
	if (d->original)
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

/*
 * Have what enters the page continue in the function. CPUs may be in the page: what changes
 * is a branch, into another branch (Arm ARM B2.2.5), or half of the number that the test
 * compares, into one that no word is.
 */
static void bypass(const struct kpt_redirect *d)
{
	u32 past = kpt_branch_word((unsigned long)d->first, (unsigned long)&d->page[DISPLACED]);
	u32 none = ~upper_32_bits(d->value);

	if (d->nr_load)
		kpt_mem_write(&d->page[VALUE + 1], &none, 1);
	else
		kpt_mem_write(d->first, &past, 1);
	kpt_arch_quiesce();
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

	if (!kpt_patch_text(&undo)) {
		kpt_mem_free(d->page);
		return;
	}
	pr_warn("%ps was changed by somebody else, left alone\n",
		(void *)undo.addr);
	bypass(d);
}

/**
 * kpt_redirect_pause() - undo kpt_redirect_install(), but keep the page
 * @d: the redirect; tasks may be preempted in its page, which @entry never is in
 *
 * Context: process context, sleeps.
 */
void kpt_redirect_pause(struct kpt_redirect *d)
{
	const struct kpt_patch undo = {
		.addr = d->patch.addr,
		.old = d->patch.new,
		.new = d->patch.old,
	};

	d->is_stuck = kpt_patch_text(&undo);
	if (d->is_stuck)
		pr_warn("%ps was changed by somebody else, left alone\n",
			(void *)undo.addr);
}

/**
 * kpt_redirect_is_possible() - can kpt_redirect_resume() succeed?
 * @d: the redirect, after kpt_redirect_pause()
 *
 * Context: process context.
 * Return: false if other code has changed the function's first instruction.
 */
bool kpt_redirect_is_possible(const struct kpt_redirect *d)
{
	u32 word = READ_ONCE(*(u32 *)d->patch.addr);

	/* The code that had changed it may have put our branch back. */
	return word == d->patch.old || word == d->patch.new;
}

/**
 * kpt_redirect_resume() - redirect again after kpt_redirect_pause()
 * @d: the redirect
 *
 * Context: process context, sleeps.
 * Return: 0; or -EIO if the text cannot be written, or if other code has changed it since
 * kpt_redirect_is_possible().
 */
int kpt_redirect_resume(struct kpt_redirect *d)
{
	if (READ_ONCE(*(u32 *)d->patch.addr) != d->patch.new &&
	    kpt_patch_text(&d->patch))
		return -EIO;
	d->is_stuck = false;
	return 0;
}
