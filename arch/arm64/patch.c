// SPDX-License-Identifier: GPL-2.0-only
/*
 * Change instructions of running code: many in one machine stop.
 *
 * While the machine is stopped, every CPU but one waits in patch_stopped(), so
 * none executes the words that change, and all pass an ISB before they go on
 * (Arm ARM B2.2.5, concurrent modification and execution). What a handler
 * does, it does with preemption off or exceptions masked, so when the machine
 * is stopped no CPU is inside one.
 */
#include <kptrace/compat.h>
#include <linux/atomic.h>
#include <linux/stop_machine.h>
#include <asm/barrier.h>
#include <kptrace/ksyms.h>
#include "engine.h"

enum patch_kind {
	PATCH_ARM,
	PATCH_DISARM,
	PATCH_WORD,
};

/*
 * struct patch_job - what one machine stop does
 * @kind: arm or disarm @ap, or apply @word
 * @arrived: CPUs that are there; the first one does the work
 * @done: the work is done
 * @failed: index of the word that made arming fail
 */
struct patch_job {
	enum patch_kind kind;
	struct kpt_arch_point **ap;
	unsigned int nr;
	const struct kpt_patch *word;
	atomic_t arrived;
	int done;
	unsigned int failed;
	int err;
};

static unsigned long machine_stops;

static struct kpt_patch job_patch(const struct patch_job *job, unsigned int i)
{
	struct kpt_patch p;

	if (job->kind == PATCH_WORD)
		return *job->word;
	p.addr = job->ap[i]->addr;
	p.old = job->ap[i]->insn.word;
	p.new = job->ap[i]->test ? KPT_BRK_TEST : KPT_BRK_PROBE;
	if (job->kind == PATCH_DISARM)
		swap(p.old, p.new);
	return p;
}

static u32 text_word(unsigned long addr)
{
	return READ_ONCE(*(u32 *)addr);
}

static int patch_one(const struct kpt_patch *p)
{
	if (text_word(p->addr) != p->old)
		return -EBUSY;
	if (kpt_ksyms.patch_text((void *)p->addr, p->new) ||
	    text_word(p->addr) != p->new)
		return -EIO;
	return 0;
}

static void undo(const struct patch_job *job, unsigned int nr)
{
	struct kpt_patch p;

	while (nr--) {
		p = job_patch(job, nr);
		kpt_ksyms.patch_text((void *)p.addr, p.old);
	}
}

/* Disarming goes on past words that others have changed meanwhile. */
static int patch_all(struct patch_job *job)
{
	struct kpt_patch p;
	unsigned int i;
	int err;

	for (i = 0; i < job->nr; i++) {
		p = job_patch(job, i);
		err = patch_one(&p);
		if (job->kind == PATCH_DISARM) {
			job->ap[i]->armed = err;
		} else if (err) {
			job->failed = i;
			undo(job, i);
			return err;
		}
	}
	return 0;
}

static int patch_stopped(void *data)
{
	struct patch_job *job = data;

	if (atomic_inc_return(&job->arrived) == 1) {
		job->err = patch_all(job);
		/* A: the new text is in memory before B sees done. */
		smp_store_release(&job->done, 1);
	} else {
		/* B: pairs with A, so that the ISB fetches the new text. */
		while (!smp_load_acquire(&job->done))
			cpu_relax();
	}
	isb();
	return 0;
}

static int run_job(struct patch_job *job)
{
	int err;

	err = stop_machine(patch_stopped, job, cpu_online_mask);
	machine_stops++;
	return err ?: job->err;
}

int kpt_patch_text(const struct kpt_patch *patch)
{
	struct patch_job job = { .kind = PATCH_WORD, .word = patch, .nr = 1 };

	return run_job(&job);
}

int kpt_arch_arm(struct kpt_arch_point **ap, unsigned int nr)
{
	struct patch_job job = { .kind = PATCH_ARM, .ap = ap, .nr = nr };
	unsigned int i;
	int err;

	if (!nr)
		return 0;
	err = run_job(&job);
	if (err) {
		pr_warn("text at %pS could not be changed: %s\n",
			(void *)ap[job.failed]->addr,
			err == -EBUSY ? "somebody else has changed it" :
					"the write did not take");
		return -EIO;
	}
	for (i = 0; i < nr; i++)
		ap[i]->armed = true;
	return 0;
}

void kpt_arch_disarm(struct kpt_arch_point **ap, unsigned int nr)
{
	struct patch_job job = { .kind = PATCH_DISARM, .ap = ap, .nr = nr };
	unsigned int i;

	if (!nr)
		return;
	run_job(&job);
	for (i = 0; i < nr; i++)
		if (ap[i]->armed)
			pr_warn("text at %pS was changed by somebody else, left alone\n",
				(void *)ap[i]->addr);
}

unsigned long kpt_arch_machine_stops(void)
{
	return READ_ONCE(machine_stops);
}
