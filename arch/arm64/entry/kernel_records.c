// SPDX-License-Identifier: GPL-2.0-only
/*
 * For: static.
 *
 * Records of the kernel's static events. At a hit of a tracepoint, the kernel's own
 * function gets room for the record by trace_event_buffer_reserve(), fills it in, and
 * gives it away by trace_event_buffer_commit(). While one of our events is armed, both
 * are redirected for the files (struct trace_event_file) that are ours, which are
 * marked in a member that nothing else reads. Everybody else pays for the test.
 *
 * Tracepoints that pass our files are unregistered before the redirects go. Tasks may
 * be preempted in the page of a redirect, but only on their way to the kernel's own
 * function. So pages are kept until unload.
 */
#include "kernel/compat.h"
#include <linux/irqflags.h>
#include <linux/mm.h>
#include <linux/trace_events.h>
#include <asm/cpufeature.h>
#include <asm/sysreg.h>
#include "kernel/ksyms.h"
#include "arch_compat.h"
#include "engine.h"

/* The trace_array of our files is this address. */
const char kpt_arch_records_ours[1] = "";

#ifdef CONFIG_EVENT_TRACING

/*
 * Run all handlers. They may look at registers: those of the caller of the function that
 * filled in the record. @frame is the frame record of records_commit(): frame[0] is the
 * caller's, frame[1] the return address. @daif and @flags are those before interrupts
 * were masked.
 */
static noinline void records_deliver(struct trace_event_buffer *buffer,
				     const unsigned long *frame, unsigned long daif,
				     unsigned long flags)
{
	struct pt_regs regs;

	frame = (const unsigned long *)frame[0];
	regs.pc = frame[1] | kpt_arch_return_words.pac_mask;
	regs.sp = (unsigned long)(frame + 2);
	regs.regs[29] = frame[0];
	regs.regs[30] = regs.pc;
	regs.pstate = daif | kpt_pstate_mode();
	if (system_uses_irq_prio_masking())
		kpt_regs_pmr(&regs) = flags;
	kpt_hit_commit(buffer, &regs);
}

static void records_commit(struct trace_event_buffer *buffer)
{
	unsigned long daif, flags;

	if (likely(buffer->buffer)) {
		kpt_hit_publish(buffer);
		return;
	}
	daif = read_sysreg(daif);
	raw_local_irq_save(flags);
	if (unlikely(raw_cpu_inc_return(kpt_cpu.depth) != 1))
		kpt_hit_commit_missed(buffer);
	else if (!kpt_hit_commit_copy(buffer, raw_irqs_disabled_flags(flags)))
		records_deliver(buffer, __builtin_frame_address(0), daif, flags);
	raw_cpu_dec(kpt_cpu.depth);
	raw_local_irq_restore(flags);
}

static struct kpt_redirect redirects[] = {
	{
		.symbols = "trace_event_buffer_reserve",
		.nr_load = 1,
		.is_landed = true,
		.entry = kpt_hit_reserve,
	}, {
		.symbols = "trace_event_buffer_commit",
		.nr_load = 2,
		.is_landed = true,
		.entry = records_commit,
	},
};

/* kpt_redirect.load: x16 = the file's tr */
static void records_find_file(void)
{
	unsigned int tr = offsetof(struct trace_event_file, tr);

	redirects[0].load[0] = a64_ldr(X16, X1, tr);
	redirects[1].load[0] = a64_ldr(X16, X0, offsetof(struct trace_event_buffer, trace_file));
	redirects[1].load[1] = a64_ldr(X16, X16, tr);
}

/* Under kpt_mutex. */
static bool are_on;

/**
 * kpt_arch_records_off() - stop redirecting
 *
 * Context: process context, sleeps, kpt_mutex held; no tracepoint passes a file of
 * ours any more.
 */
void kpt_arch_records_off(void)
{
	unsigned int i;

	for (i = ARRAY_SIZE(redirects); are_on && i--;)
		kpt_redirect_pause(&redirects[i]);
	are_on = false;
}

/**
 * kpt_arch_records_check() - can records of our files be redirected?
 * @diag: if not, the reason, with the function
 *
 * Context: process context, kpt_mutex held; kpt_arch_records_init() has succeeded.
 * Return: 0, also if they are; -EBUSY if other code has changed one of the functions.
 */
int kpt_arch_records_check(struct kpt_diag *diag)
{
	const struct kpt_redirect *r;

	if (are_on)
		return 0;
	for (r = redirects; r < redirects + ARRAY_SIZE(redirects); r++) {
		if (kpt_redirect_is_possible(r))
			continue;
		kpt_diag_set(diag, KPT_E_TEXT_CHANGED, 0, 0);
		kpt_diag_detail(diag, r->symbols);
		return -EBUSY;
	}
	return 0;
}

static int record_redirect(struct kpt_redirect *r)
{
	int err;

	if (r->page)
		return kpt_redirect_resume(r);
	r->value = (unsigned long)kpt_arch_records_ours;
	err = kpt_redirect_install(r);
	if (err)
		r->page = NULL;
	return err;
}

/**
 * kpt_arch_records_on() - redirect records of our files to kpt_hit_reserve() and
 * kpt_hit_commit()
 *
 * Context: process context, sleeps, kpt_mutex held.
 * Return: 0; or an errno of kpt_redirect_install(), and then nothing is redirected.
 */
int kpt_arch_records_on(void)
{
	unsigned int i;
	int err = 0;

	for (i = 0; !are_on && !err && i < ARRAY_SIZE(redirects); i++)
		err = record_redirect(&redirects[i]);
	if (!err) {
		are_on = true;
		return 0;
	}
	for (i--; i--;)
		kpt_redirect_pause(&redirects[i]);
	return err;
}

/* Bytes of a function of the kernel; 0 if there is none at the address. */
static unsigned long records_size(unsigned long function)
{
	unsigned long size, offset;

	if (!kallsyms_lookup_size_offset(function, &size, &offset) || offset)
		return 0;
	return size;
}

static bool records_calls_both(unsigned long function)
{
	unsigned long at = function, end = function + records_size(function), to;
	bool reserves = false, commits = false;

	while ((to = kpt_arch_next_call(&at, end))) {
		reserves |= to == KPT_ARCH_ADDR(trace_event_buffer_reserve);
		commits |= to == KPT_ARCH_ADDR(trace_event_buffer_commit);
	}
	return reserves && commits;
}

/**
 * kpt_arch_records_come_from() - does a function call those that are redirected?
 * @function: the kernel's function that fills in a record; or that calls a function
 *	which does
 *
 * A compiler may have inlined them. In modules, which may call them in other ways,
 * it cannot have.
 *
 * Context: process context, kpt_mutex held; the text is mapped.
 * Return: true if it does.
 */
bool kpt_arch_records_come_from(unsigned long function)
{
	unsigned long at, end, to;

	function = kpt_arch_function(function);
	if (!core_kernel_text(function) || records_calls_both(function))
		return true;
	at = function;
	end = function + records_size(function);
	while ((to = kpt_arch_next_call(&at, end)))
		if (records_calls_both(to))
			return true;
	return false;
}

/* Is what we link to the text that is redirected? */
static bool records_are_known(void)
{
	return KPT_ARCH_ADDR(trace_event_buffer_reserve) ==
		       kpt_ksyms_addr("trace_event_buffer_reserve") &&
	       KPT_ARCH_ADDR(trace_event_buffer_commit) ==
		       kpt_ksyms_addr("trace_event_buffer_commit");
}

static bool records_test(void)
{
	static struct trace_event_file file;
	struct trace_event_buffer buffer;
	bool ok;

	file.tr = (void *)kpt_arch_records_ours;
	preempt_disable_notrace();
	ok = trace_event_buffer_reserve(&buffer, &file, sizeof(u64));
	ok = ok && buffer.entry && !buffer.buffer && buffer.trace_file == &file;
	if (ok)
		trace_event_buffer_commit(&buffer);
	preempt_enable_notrace();
	return ok;
}

/**
 * kpt_arch_records_init() - prove at load that records of our files come to us
 *
 * Redirects for a moment, and makes a record of no event. kpt_hit_reserve() and
 * kpt_hit_commit() must be ready for a file without a tracepoint.
 *
 * Context: module load, kpt_mutex held.
 * Return: NULL; or why static events cannot be recorded.
 */
const char *kpt_arch_records_init(void)
{
	bool ok;

	if (!records_are_known())
		return "this kernel has no trace_event_buffer_reserve";
	records_find_file();
	if (kpt_arch_records_on())
		return "trace_event_buffer_reserve cannot be redirected";
	ok = records_test();
	kpt_arch_records_off();
	return ok ? NULL : "a record did not come from the redirected functions";
}

/**
 * kpt_records_exit() - free the pages of the redirects
 *
 * They are not freed if the kernel has not the means to wait until no task is in
 * them, or if their function may lead to them again. They need nothing of the module.
 *
 * Context: module unload; kpt_arch_records_off() was called.
 */
void kpt_records_exit(void)
{
	unsigned int i;

	if (!redirects[0].page || !kpt_drain_wait())
		return;
	for (i = 0; i < ARRAY_SIZE(redirects); i++)
		if (redirects[i].page && !redirects[i].is_stuck)
			kpt_mem_free(redirects[i].page);
}

#endif
