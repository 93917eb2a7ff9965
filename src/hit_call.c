// SPDX-License-Identifier: GPL-2.0-only
/*
 * All taps of a point, those of return events included that keep something of a
 * call from its entry to its return. Runs in BRK context, see hit.c.
 */
#include <kptrace/compat.h>
#include <linux/kernel.h>
#include <linux/rcupdate.h>
#include <kptrace/cmdline.h>
#include <kptrace/hit_internal.h>
#include <kptrace/ksyms.h>

/* A function is entered whose return is of interest. */
static void tap_entry(const struct kpt_taps *taps, const struct kpt_tap *tap,
		      struct pt_regs *regs)
{
	const struct kpt_tap *end = taps->tap + taps->nr, *t;

	if (!tap->hits)
		return;
	if (kpt_frame_push(tap->probe, regs)) {
		if (tap->role == KPT_ROLE_HOOK)
			kpt_arch_replace_return(regs);
		return;
	}
	/* Its return will not be seen. Return instructions miss the frame themselves. */
	if (tap->role != KPT_ROLE_HOOK)
		return;
	for (t = tap; t < end && t->probe == tap->probe; t++)
		kpt_hit_tap_missed(t);
}

/* Is an address in none of the texts that have symbols? */
static bool is_no_text(unsigned long addr)
{
	return !kpt_ksyms.core_kernel_text(addr) &&
	       !kpt_ksyms.module_text_address(addr);
}

/* The frame of the call that is at its return instruction. */
static struct kpt_frame *frame_of(const struct kpt_probe *probe,
				  const struct kpt_hit *hit)
{
	struct kpt_frame *frame = kpt_frame_pop(probe, hit->regs->sp);

	if (likely(frame) || !is_no_text(hit->ret_ip))
		return frame;
	return kpt_frame_pop_behind(probe, hit->regs->regs[29]);
}

/* A return instruction is reached. */
static void tap_return(const struct kpt_tap *tap, struct kpt_hit *hit)
{
	if (!tap->probe->needs_frame) {
		kpt_hit_tap(tap, hit);
		return;
	}
	/* Taps of one probe stand together and share the frame. */
	if (tap->hits) {
		if (hit->frame)
			kpt_frame_free(hit->frame);
		hit->frame = frame_of(tap->probe, hit);
	}
	if (hit->frame)
		kpt_hit_tap(tap, hit);
	else
		kpt_hit_tap_missed(tap);
}

bool kpt_hit_any(const struct kpt_taps *taps, struct pt_regs *regs,
		 unsigned int bias)
{
	struct kpt_hit hit = { .regs = regs, .preempt = preempt_count() - bias };
	const struct kpt_tap *tap;

	if (!taps)
		return true;
	if (taps->needs_rcu && !rcu_is_watching())
		return false;
	kpt_cmdline_note();
	for (tap = taps->tap; tap < taps->tap + taps->nr; tap++) {
		switch (tap->role) {
		case KPT_ROLE_HIT:
			hit.is_return = false;
			kpt_hit_tap(tap, &hit);
			break;
		case KPT_ROLE_ENTRY:
		case KPT_ROLE_HOOK:
			tap_entry(taps, tap, hit.regs);
			break;
		case KPT_ROLE_RETURN:
			hit.is_return = true;
			hit.ret_ip = kpt_frame_true_return(
				kpt_arch_return_address(hit.regs));
			tap_return(tap, &hit);
			break;
		}
	}
	if (hit.frame)
		kpt_frame_free(hit.frame);
	return true;
}

/* The taps of the probe whose frame it is, at the function's entry. */
static void record_return(struct kpt_hit *hit, struct kpt_probe *probe)
{
	const struct kpt_taps *taps =
		rcu_dereference_raw(probe->site[0].point->taps);
	const struct kpt_tap *tap;
	bool miss;

	if (!taps)
		return;
	miss = taps->needs_rcu && !rcu_is_watching();
	for (tap = taps->tap; tap < taps->tap + taps->nr; tap++) {
		if (tap->probe != probe)
			continue;
		if (miss)
			kpt_hit_tap_missed(tap);
		else
			kpt_hit_tap(tap, hit);
	}
}

unsigned long kpt_hit_return(struct pt_regs *regs)
{
	struct kpt_frame *frame = kpt_frame_pop(NULL, regs->sp);
	struct kpt_hit hit = {
		.regs = regs,
		.preempt = preempt_count(),
		.frame = frame,
		.is_return = true,
	};
	unsigned long ret;

	/* There is nowhere to go: the return address is lost. */
	if (unlikely(!frame))
		panic("kptrace: a return at SP %llx that no entry is known of\n",
		      regs->sp);
	ret = frame->ret;
	hit.ret_ip = kpt_frame_true_return(ret);
	regs->pc = ret;
	regs->regs[30] = ret;
	if (frame->probe) {
		kpt_cmdline_note();
		record_return(&hit, frame->probe);
	}
	kpt_frame_free(frame);
	return ret;
}
