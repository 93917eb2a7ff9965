// SPDX-License-Identifier: GPL-2.0-only
/*
 * Change instructions of running code, many in one machine stop.
 *
 * The last CPU to arrive in patch_stopped() changes the words while all others
 * wait there. So no other CPU executes the words meanwhile, not even those in the code
 * of the machine stop, which may be probed too; with pseudo-NMIs, what an NMI runs on a
 * waiting CPU is an exception. The CPU itself executes what it writes the words with, which
 * may be probed as well: it finds the old word or the new one. Each CPU executes an ISB
 * before it continues (Arm ARM B2.2.5, concurrent modification and execution). Handlers
 * run with preemption off or exceptions masked, so no CPU is inside one while
 * the machine is stopped.
 *
 * The words of many points are written through a view: pages of text that are mapped
 * once more, writable, before the machine stops. aarch64_insn_patch_text_nosync()
 * maps the page anew for each word, and each of its two TLB invalidations is one that
 * all CPUs take part in. It writes single words, and all where there is no view.
 */
#include "kernel/compat.h"
#include <linux/atomic.h>
#include <linux/cpumask.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/stop_machine.h>
#include <linux/vmalloc.h>
#include <asm/barrier.h>
#include <asm/tlbflush.h>
#include "kernel/ksyms.h"
#include "arch_compat.h"
#include "engine.h"

/* Words changed between two reads of the counter. */
#define STOP_WORDS 16

/*
 * Changing words may take as long as the CPUs took to come together, but no longer than
 * so many times stop_us. There can be more virtual CPUs than the host has: then they take
 * tens of milliseconds, and many short stops would take minutes.
 */
#define STOP_MAX 100

/* Pages of a view. With pages of 4 KiB, the text of a kernel takes some ten views. */
#define VIEW_PAGES 512

static unsigned int stop_us = 1000;
module_param(stop_us, uint, 0600);
MODULE_PARM_DESC(stop_us, "longest machine stop to change text in one go, in microseconds");

enum patch_kind {
	PATCH_ARM,
	PATCH_DISARM,
	PATCH_WORD,
};

/*
 * struct text_view - pages of text, mapped writable; under kpt_mutex
 * @alias: where the pages of points that follow each other in the job are mapped, one after the
 *	other, NULL if they are not. A page comes again if the points leave it and come back
 * @size: bytes that are mapped
 * @at: the page that was written last, by its number
 * @text: and by the address of its text
 * @first: words from here ...
 * @end: ... up to here were written, and may not be seen by the fetching of instructions
 * @writable: number of the 4 KiB of text, the least that anybody protects, which the kernel's
 *	function has written to
 */
static struct text_view {
	void *alias;
	unsigned long size;
	unsigned int at;
	unsigned long text;
	unsigned long first;
	unsigned long end;
	unsigned long writable;
} view;

/*
 * struct patch_job - a change of text, in as many machine stops as needed
 * @kind: arm or disarm @ap, or apply @word
 * @nr: words to be changed
 * @end: those before it can be changed now: the view has their pages
 * @done: words already changed; after an error, the index of the failed one
 * @called: when the stop was asked for
 * @arrived: CPUs that have arrived in this stop; the last one does the work
 * @over: the work of this stop is done
 */
struct patch_job {
	enum patch_kind kind;
	struct kpt_arch_point **ap;
	unsigned int nr;
	const struct kpt_patch *word;
	unsigned int end;
	unsigned int done;
	u64 called;
	atomic_t arrived;
	int over;
	int err;
};

/*
 * Under kpt_mutex. @longest_stop is measured from the last CPU's arrival, in
 * units of kpt_arch_counter().
 */
static unsigned long machine_stops;
static u64 longest_stop;

/* The word that an armed point has in the text. */
static u32 armed_word(const struct kpt_arch_point *ap)
{
	if (ap->mode == KPT_MODE_JUMP)
		return kpt_jump_word(ap);
	return KPT_BRK;
}

static struct kpt_patch arm_patch(const struct kpt_arch_point *ap)
{
	return (struct kpt_patch) {
		.addr = ap->addr,
		.old = ap->insn.word,
		.new = armed_word(ap),
	};
}

static u32 text_word(unsigned long addr)
{
	return READ_ONCE(*(u32 *)addr);
}

/* The instruction that @word, read at @addr, displaced if it is ours; or @word. */
static u32 without_ours(unsigned long addr, u32 word)
{
	struct kpt_arch_point *ap;

	if (word != KPT_BRK && !kpt_insn_is_b(word))
		return word;
	ap = kpt_point_find(addr);
	return ap && word == armed_word(ap) ? ap->insn.word : word;
}

/* The original word of a kernel kprobe at @addr, armed or not; or @word. */
static u32 under_kprobe(unsigned long addr, u32 word)
{
#ifdef CONFIG_KPROBES
	const struct kprobe *kp;

	if (!kpt_has(get_kprobe))
		return word;
	preempt_disable();
	kp = get_kprobe((void *)addr);
	if (kp)
		word = kp->opcode;
	preempt_enable();
#endif
	return word;
}

/**
 * kpt_patch_original() - read a word of text as if we had no probes
 * @addr: its address
 *
 * Context: process context; kpt_mutex held, or interrupts masked, as no point is freed then.
 * Return: the instruction word.
 */
u32 kpt_patch_original(unsigned long addr)
{
	return without_ours(addr, text_word(addr));
}

/**
 * kpt_patch_under() - the word of text below probes and kprobes
 * @addr: its address
 * @word: what is there, a BRK or an unconditional branch: kpt_patch_bare()
 *
 * Context: process context, kpt_mutex held.
 * Return: the instruction word.
 */
u32 kpt_patch_under(unsigned long addr, u32 word)
{
	if (kpt_insn_is_brk(word))
		word = under_kprobe(addr, word);
	return without_ours(addr, word);
}

/**
 * kpt_arch_is_armed() - may the text at a point hold our instruction?
 * @ap: the point; its text is mapped. @ap->armed is brought up to date
 *
 * Other code that patches the text after us may restore the original word under
 * us, or restore our word after we have disarmed the point.
 *
 * Context: process context, kpt_mutex held.
 * Return: true if the text holds our instruction, or if other code has
 * overwritten it while the point was armed.
 */
bool kpt_arch_is_armed(struct kpt_arch_point *ap)
{
	u32 word = text_word(ap->addr);

	if (word == ap->insn.word)
		ap->armed = false;
	else if (word == armed_word(ap))
		ap->armed = true;
	return ap->armed;
}

/**
 * kpt_arch_is_overwritten() - has other code overwritten our instruction?
 * @ap: the point; its text is mapped
 *
 * Context: process context, kpt_mutex held.
 * Return: true if the point is armed and its text is not our instruction.
 */
bool kpt_arch_is_overwritten(const struct kpt_arch_point *ap)
{
	return ap->armed && text_word(ap->addr) != armed_word(ap);
}

/* A kernel kprobe executes the word that it saved when it was registered. */
static bool kprobe_has_copy(const struct kpt_arch_point *ap)
{
	return ap->mode == KPT_MODE_JUMP &&
	       under_kprobe(ap->addr, 0) == armed_word(ap);
}

/**
 * kpt_arch_may_return() - may our instruction reappear at a disarmed point?
 * @ap: the point, disarmed; its text is mapped
 *
 * It may if other code has patched over it, or if a kernel kprobe, armed or not,
 * has saved our branch as its original instruction.
 *
 * Context: process context, kpt_mutex held.
 * Return: true if it may; then the point's slot must not be freed.
 */
bool kpt_arch_may_return(struct kpt_arch_point *ap)
{
	return kpt_arch_is_armed(ap) || kprobe_has_copy(ap);
}

/* Of a place, not of a page: the kernel's text may begin within its first page. */
static struct page *text_page(unsigned long addr)
{
	return core_kernel_text(addr) ? virt_to_page(lm_alias(addr)) :
						  vmalloc_to_page((void *)addr);
}

/* vunmap() alone leaves the writable mapping in TLBs until it has many to remove. */
static void view_close(void)
{
	unsigned long alias = (unsigned long)view.alias;

	if (!alias)
		return;
	vunmap(view.alias);
	flush_tlb_kernel_range(alias, alias + view.size);
	view.alias = NULL;
}

/* Map the pages of the points that are changed next, as many as the view has room for. */
static void view_next(struct patch_job *job)
{
	unsigned int i, nr = 0, room = min_t(unsigned int, job->nr - job->done, VIEW_PAGES);
	struct page **pages = kmalloc_array(room, sizeof(*pages), GFP_KERNEL);
	unsigned long addr;

	view_close();
	for (i = job->done; i < job->nr; i++) {
		addr = job->ap[i]->addr & PAGE_MASK;
		if (nr && addr == view.text)
			continue;
		if (nr == room)
			break;
		if (pages)
			pages[nr] = text_page(job->ap[i]->addr);
		nr++;
		view.text = addr;
	}
	job->end = i;
	if (pages && kpt_has(copy_to_kernel_nofault))
		view.alias = vmap(pages, nr, VM_MAP, PAGE_KERNEL);
	kfree(pages);
	view.size = nr * PAGE_SIZE;
	view.at = 0;
	view.writable = 0;
	view.text = job->ap[job->done]->addr & PAGE_MASK;
}

/*
 * Let instructions be fetched from what was written: once for the words of a page, as what
 * does so may be probed itself, and each of its hits costs more than it.
 */
static void view_sync(void)
{
	if (view.end)
		kpt_sync_text(view.first, view.end);
	view.end = 0;
}

/*
 * Where a word can be written, or NULL. The words are asked for one by one, in the order
 * that view_next() saw.
 */
static u32 *view_word(unsigned long addr)
{
	if ((addr & PAGE_MASK) != view.text) {
		view_sync();
		view.text = addr & PAGE_MASK;
		view.at++;
	}
	if (!view.alias)
		return NULL;
	return view.alias + view.at * PAGE_SIZE + offset_in_page(addr);
}

/* A hypervisor may protect text. */
static bool view_write(const struct kpt_patch *p, u32 *alias)
{
	unsigned long nr = p->addr / SZ_4K;

	if (view.writable == nr) {
		WRITE_ONCE(*alias, p->new);
		return true;
	}
	if (copy_to_kernel_nofault(alias, &p->new, sizeof(p->new)))
		return false;
	view.writable = nr;
	return true;
}

/* @alias: where the word can be written, or NULL; view_sync() is due after that */
static bool patch_in_view(const struct kpt_patch *p, u32 *alias)
{
	if (!alias || !view_write(p, alias))
		return false;
	view.first = view.end ? min(view.first, p->addr) : p->addr;
	view.end = max(view.end, p->addr + sizeof(p->new));
	return text_word(p->addr) == p->new;
}

static int patch_one(const struct kpt_patch *p, u32 *alias)
{
	if (text_word(p->addr) != p->old)
		return -EBUSY;
	if (patch_in_view(p, alias))
		return 0;
	if (aarch64_insn_patch_text_nosync((void *)p->addr, p->new) ||
	    text_word(p->addr) != p->new)
		return -EIO;
	return 0;
}

/* Change the next word. Disarming skips words that other code has changed. */
static int patch_next(const struct patch_job *job)
{
	struct kpt_arch_point *ap;
	struct kpt_patch p;
	int err;

	if (job->kind == PATCH_WORD)
		return patch_one(job->word, NULL);
	ap = job->ap[job->done];
	p = arm_patch(ap);
	if (job->kind == PATCH_DISARM)
		swap(p.old, p.new);
	err = patch_one(&p, view_word(ap->addr));
	if (!err)
		ap->armed = job->kind == PATCH_ARM;
	return job->kind == PATCH_ARM ? err : 0;
}

/* For how long words may be changed in this stop. */
static u64 stop_limit(u64 gathered)
{
	u64 usual = div_u64((u64)stop_us * kpt_arch_counter_rate, USEC_PER_SEC);

	return clamp(gathered, usual, STOP_MAX * usual);
}

/*
 * Change words until all are changed or the time is up. A wrong value of the
 * counter (kpt_clock_unstable) ends a stop early, or as late as any.
 */
static int patch_some(struct patch_job *job)
{
	u64 begin = kpt_arch_counter(), limit = stop_limit(begin - job->called);
	u64 took = 0;
	int err = 0;

	do {
		err = patch_next(job);
		if (err)
			break;
		job->done++;
		if (job->done % STOP_WORDS == 0)
			took = kpt_arch_counter() - begin;
	} while (job->done < job->end && (job->done % STOP_WORDS || took < limit));
	view_sync();
	longest_stop = max(longest_stop, kpt_arch_counter() - begin);
	return err;
}

static int patch_stopped(void *data)
{
	struct patch_job *job = data;

	/* No CPU goes on- or offline during a machine stop. */
	if (atomic_inc_return(&job->arrived) == num_online_cpus()) {
		job->err = patch_some(job);
		/* A: the new text is in memory before B sees @over. */
		smp_store_release(&job->over, 1);
	} else {
		/* B: pairs with A, so that the ISB fetches the new text. */
		while (!smp_load_acquire(&job->over))
			cpu_relax();
	}
	isb();
	return 0;
}

static int patch_run(struct patch_job *job)
{
	int err;

	do {
		if (job->done == job->end)
			view_next(job);
		atomic_set(&job->arrived, 0);
		job->over = 0;
		job->called = kpt_arch_counter();
		err = stop_machine(patch_stopped, job, cpu_online_mask) ?: job->err;
		machine_stops++;
	} while (!err && job->done < job->nr);
	view_close();
	return err;
}

/**
 * kpt_patch_text() - replace one word of text, in a machine stop
 * @patch: the word's address, old and new value
 *
 * When this returns, no CPU executes the old instruction, or non-preemptible
 * code that was entered through it.
 *
 * Context: process context, sleeps.
 * Return: 0, -EBUSY if the text does not hold @patch->old, -EIO if the new word
 * does not read back.
 */
int kpt_patch_text(const struct kpt_patch *patch)
{
	struct patch_job job = { .kind = PATCH_WORD, .word = patch, .nr = 1, .end = 1 };

	return patch_run(&job);
}

/**
 * kpt_arch_arm() - put our instruction at many addresses
 * @ap: the points, prepared and not armed
 * @nr: number of points
 * @diag: on failure the reason, and the address that failed; or NULL
 *
 * Takes one machine stop, or several if one would be longer than stop_us.
 * Every word is read back. If a word does not read back (a hypervisor may drop
 * the write), or was changed by other code, all points are disarmed.
 *
 * Context: process context, may sleep, caller holds kpt_mutex.
 * Return: 0; -EIO if a word was changed by other code, or does not read back.
 */
int kpt_arch_arm(struct kpt_arch_point **ap, unsigned int nr,
		 struct kpt_diag *diag)
{
	struct patch_job job = { .kind = PATCH_ARM, .ap = ap, .nr = nr };
	struct kpt_diag unwanted;
	int err;

	if (!nr)
		return 0;
	err = patch_run(&job);
	if (!err)
		return 0;
	diag = diag ?: &unwanted;
	kpt_diag_set(diag, err == -EBUSY ? KPT_E_TEXT_CHANGED : KPT_E_TEXT_STUCK,
		     0, 0);
	scnprintf(diag->detail, sizeof(diag->detail), "%pS",
		  (void *)ap[job.done]->addr);
	pr_warn("%s: %s\n", kpt_diag_text(diag->code), diag->detail);
	kpt_arch_disarm(ap, job.done);
	return -EIO;
}

/**
 * kpt_arch_disarm() - put the original instructions back
 * @ap: the points, armed
 * @nr: number of points
 *
 * Takes machine stops like kpt_arch_arm(). A word that is no longer ours is left
 * unchanged and reported in the kernel log.
 *
 * Context: process context, may sleep, caller holds kpt_mutex.
 */
void kpt_arch_disarm(struct kpt_arch_point **ap, unsigned int nr)
{
	struct patch_job job = { .kind = PATCH_DISARM, .ap = ap, .nr = nr };
	unsigned int i;

	if (nr)
		patch_run(&job);
	for (i = 0; i < nr; i++)
		if (ap[i]->armed)
			pr_warn("text at %pS was changed by somebody else, left alone\n",
				(void *)ap[i]->addr);
}

/**
 * kpt_patch_status() - show the longest machine stop
 * @sb: a line is appended
 *
 * Context: process context.
 */
void kpt_patch_status(struct kpt_strbuf *sb)
{
	kpt_strbuf_printf(sb, "longest machine stop: %llu us\n",
			  div_u64(longest_stop * USEC_PER_SEC,
				  kpt_arch_counter_rate));
}

/**
 * kpt_arch_machine_stops() - count of machine stops since load
 *
 * Context: process context.
 * Return: the count, for the status file.
 */
unsigned long kpt_arch_machine_stops(void)
{
	return READ_ONCE(machine_stops);
}
