// SPDX-License-Identifier: GPL-2.0-only
/*
 * May an instruction be probed, as far as those around it are concerned? The text around
 * it is searched for a load-exclusive that leads to it, see exclusive.c.
 *
 * After some thousand places the text of the kernel is read once, and marked where a
 * load-exclusive leads to: then only places with a mark need a search. Text is changed
 * later by those who patch it, but they make no load-exclusive, and a path that changes
 * after a place was accepted is not seen either.
 */
#include "kernel/compat.h"
#include <linux/bitmap.h>
#include <linux/vmalloc.h>
#include "kernel/symbol/blacklist.h"
#include "kernel/ksyms.h"
#include "kernel/lock.h"
#include "kernel/symbol/symbol.h"
#include "engine.h"

/* Bytes of text searched on either side of a probed instruction, at most. */
#define WINDOW_MAX ((unsigned long)SZ_16K)
/* Bytes of these that may be outside the symbol: two paths of PATH_MAX_INSNS. */
#define WINDOW_MORE 256

/* Places after which marks cost less than they save. */
#define MARKS_AFTER 2000
/* Words of text that are read at a time. */
#define PART (SZ_4K / sizeof(u32))

/**
 * struct marks - where load-exclusives lead to in the text of the kernel
 * @start: address of the first word; 0: there are no marks
 * @nr: number of words
 * @led_to: for kpt_insn_mark_exclusive()
 * @read: bitmap of the parts that were read
 */
struct marks {
	unsigned long start;
	size_t nr;
	u32 *led_to;
	unsigned long *read;
};

/* Under kpt_mutex. */
static struct marks marks;
static unsigned int nr_checked;

/* A hypervisor may take its text, which nobody may probe, away from the kernel. */
static unsigned long marks_end(void)
{
	unsigned long end = kpt_ksyms_addr("_etext");
	unsigned long hyp = kpt_ksyms_any("__hyp_idmap_text_start|__hyp_text_start");

	return hyp ? min(hyp, end) : end;
}

static void marks_make(void)
{
	struct marks m = { .start = kpt_ksyms_addr("_stext") };

	m.nr = (marks_end() - m.start) / sizeof(u32);
	m.led_to = vzalloc(DIV_ROUND_UP(m.nr, KPT_INSN_MARK_WORDS * 32) * sizeof(u32));
	m.read = bitmap_zalloc(DIV_ROUND_UP(m.nr, PART), GFP_KERNEL);
	if (m.led_to && m.read) {
		marks = m;
		return;
	}
	vfree(m.led_to);
	bitmap_free(m.read);
}

/* Read the parts from which a load-exclusive may be in the window of the word @at. */
static void marks_read(size_t at)
{
	size_t reach = (WINDOW_MAX + WINDOW_MORE) / sizeof(u32);
	size_t end = min(at + reach, marks.nr - 1) / PART + 1;
	size_t part = (at > reach ? at - reach : 0) / PART;

	while ((part = find_next_zero_bit(marks.read, end, part)) < end) {
		__set_bit(part, marks.read);
		kpt_insn_mark_exclusive((u32 *)marks.start, marks.nr, part * PART,
					min((part + 1) * PART, marks.nr), marks.led_to);
		cond_resched();
	}
}

/* Is it known that the instructions around one do not forbid a probe? */
static bool marks_allow(unsigned long addr)
{
	size_t at = (addr - marks.start) / sizeof(u32), mark = at / KPT_INSN_MARK_WORDS;
	struct kpt_insn before;

	if (++nr_checked == MARKS_AFTER)
		marks_make();
	if (!marks.start || !at || at >= marks.nr)
		return false;
	marks_read(at);
	if (marks.led_to[mark / 32] & 1U << mark % 32)
		return false;
	kpt_insn_decode(READ_ONCE(*(u32 *)(addr - sizeof(u32))), &before);
	return !(before.flags & KPT_INSN_PACM);
}

/**
 * kpt_context_exit() - free the marks
 *
 * Context: module unload.
 */
void kpt_context_exit(void)
{
	vfree(marks.led_to);
	bitmap_free(marks.read);
}

/**
 * struct window - text around an instruction
 * @start: address of its first byte
 * @end: address after its last byte
 */
struct window {
	unsigned long start;
	unsigned long end;
};

/* Text that may be read. */
static bool is_text(unsigned long addr)
{
	return !kpt_blacklist_check_text(round_down(addr, sizeof(u32)), NULL);
}

/*
 * How many bytes before or behind @edge are text, up to about twice WINDOW_MORE? What lies
 * between two places in text is text, too: gaps, and the text of the hypervisor, have at
 * least a page.
 */
static unsigned long text_beside(unsigned long edge, bool before)
{
	const unsigned long most = 2 * WINDOW_MORE - sizeof(u32);
	unsigned long step, n = 0;

	if (is_text(before ? edge - most : edge + most - 1))
		return most;
	for (step = WINDOW_MORE; step >= sizeof(u32); step /= 2)
		if (is_text(before ? edge - n - step : edge + n + step - 1))
			n += step;
	return n;
}

/*
 * The symbol, and up to WINDOW_MORE bytes on either side: a label in the middle
 * of an assembly function is a symbol of its own.
 */
static struct window window_around(unsigned long addr)
{
	unsigned long start, size;
	struct window w = { addr, addr + sizeof(u32) };

	if (!kpt_symbol_range(addr, &start, &size)) {
		w.start = addr - min(addr - start, WINDOW_MAX);
		w.end = addr + min(start + size - addr, WINDOW_MAX);
	}
	w.start -= text_beside(w.start, true);
	w.end += text_beside(w.end, false);
	w.start &= ~3UL;
	w.end &= ~3UL;
	return w;
}

/*
 * Do the surrounding instructions forbid a probe? Our own BRKs and branches in
 * the text hide no exclusive sequence: no point is allowed inside one.
 */
static int window_check(const struct kpt_arch_point *ap, struct kpt_diag *diag)
{
	struct window w = window_around(ap->addr);
	char why[KPT_DIAG_DETAIL_MAX];
	enum kpt_insn_reason reason;
	struct kpt_insn culprit;
	unsigned long at;
	size_t index;

	reason = kpt_insn_context((u32 *)w.start,
				  (w.end - w.start) / sizeof(u32),
				  (ap->addr - w.start) / sizeof(u32), &index);
	if (reason == KPT_INSN_REASON_NONE)
		return 0;
	at = w.start + index * sizeof(u32);
	kpt_insn_decode(kpt_patch_original(at), &culprit);
	scnprintf(why, sizeof(why), "%s, %s at %+ld",
		  kpt_insn_reason_text(reason), kpt_insn_name(&culprit),
		  (long)(at - ap->addr));
	kpt_diag_set(diag, KPT_E_BAD_PLACE, 0, 0);
	kpt_diag_detail(diag, why);
	return -EINVAL;
}

/**
 * kpt_context_is_prefixed() - is an instruction behind a MOVPRFX?
 * @ap: decoded
 *
 * Only instructions of SVE can be.
 *
 * Context: process context, kpt_mutex held.
 * Return: true if it is.
 */
bool kpt_context_is_prefixed(const struct kpt_arch_point *ap)
{
	unsigned long before = ap->addr - sizeof(u32);
	struct kpt_insn insn;

	if (!(ap->insn.flags & KPT_INSN_FP) || !is_text(before))
		return false;
	kpt_insn_decode(kpt_patch_original(before), &insn);
	return insn.reason == KPT_INSN_REASON_PREFIX;
}

/* So many instructions the kernel has, at most, between an MSR and its ISB. */
#define PENDING_MAX 4

/**
 * kpt_context_is_pending() - is a system register changed and not yet synchronized?
 * @ap: decoded
 *
 * After a change of address translation some CPUs must not see a load or store before the
 * ISB: ThunderX2 erratum 219, AmpereOne AC04_CPU_23. Registers that a probe may be at the MSR
 * of are not meant.
 *
 * Context: process context, kpt_mutex held.
 * Return: true if an MSR is before the instruction, and no ISB between.
 */
bool kpt_context_is_pending(const struct kpt_arch_point *ap)
{
	unsigned long at = ap->addr;
	/* What lies between two places in text is text, too: see text_beside(). */
	bool all = is_text(at - PENDING_MAX * sizeof(u32));
	struct kpt_insn insn;
	unsigned int i;

	for (i = 0; i < PENDING_MAX; i++) {
		at -= sizeof(u32);
		if (!all && !is_text(at))
			return false;
		kpt_insn_decode(kpt_patch_original(at), &insn);
		if (insn.word == A64_ISB || insn.flags & KPT_INSN_CALL ||
		    !kpt_insn_falls_through(&insn))
			return false;
		if (insn.reason == KPT_INSN_REASON_SYSREG)
			return true;
	}
	return false;
}

/**
 * kpt_context_check() - may an instruction be probed, because of those around it?
 * @ap: @ap->addr is given
 * @diag: on refusal the one exact reason, at column 0
 *
 * Context: process context, may sleep, kpt_mutex held.
 * Return: 0 or -EINVAL.
 */
int kpt_context_check(const struct kpt_arch_point *ap, struct kpt_diag *diag)
{
	lockdep_assert_held(&kpt_mutex);
	return marks_allow(ap->addr) ? 0 : window_check(ap, diag);
}
