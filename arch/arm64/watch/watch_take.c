// SPDX-License-Identifier: GPL-2.0-only
/* Watches are taken and released, on all CPUs. */
#include "kernel/compat.h"
#include <linux/cpu.h>
#include <linux/cpuhotplug.h>
#include <linux/cpu_pm.h>
#include <asm/hw_breakpoint.h>
#include "kernel/lock.h"
#include "watch/watchpoint.h"

struct kpt_arch_watch *kpt_watches[KPT_WATCHES];
u32 kpt_all_watches;
unsigned int kpt_watch_registers __read_mostly;
unsigned int kpt_watch_bias __read_mostly;
unsigned int kpt_watch_zeroes __read_mostly;
unsigned long kpt_watchpoint_original;

/* Changed under kpt_mutex. */
static bool is_ready;
static int hotplug_state;

static int resumes(struct notifier_block *nb, unsigned long action, void *data)
{
	if (action == CPU_PM_EXIT)
		kpt_watch_resumes();
	return NOTIFY_OK;
}

static struct notifier_block resume_block = { .notifier_call = resumes };

/* Once for each event, of those in a set. */
static void tell(u32 set, bool watches)
{
	struct kpt_arch_watch *w;
	unsigned long flags;
	unsigned int i;
	u32 left;

	local_irq_save(flags);
	kpt_for_each_watch(w, i, left, set)
		if (!w->nth)
			kpt_hit_touch_here(w, watches);
	local_irq_restore(flags);
}

/* Context: the CPU, while it comes or goes: nobody has cpus_read_lock(). */
static int cpu_comes(unsigned int cpu)
{
	unsigned long flags;
	unsigned int i;
	u32 installed = 0;

	for (i = 0; i < KPT_WATCHES; i++) {
		if (!kpt_watches[i])
			continue;
		if (kpt_watch_install(kpt_watches[i], cpu))
			atomic_inc(&kpt_watches[i]->unwatched);
		else
			installed |= BIT(i);
	}
	/* Hits may have moved them meanwhile. */
	flags = kpt_arch_hits_off_save();
	kpt_watch_follow();
	kpt_arch_hits_on_restore(flags);
	tell(installed, true);
	return 0;
}

static int cpu_goes(unsigned int cpu)
{
	unsigned int i;

	tell(kpt_all_watches, false);
	for (i = 0; i < KPT_WATCHES; i++) {
		if (!kpt_watches[i])
			continue;
		if (!kpt_watch_stop(kpt_watches[i], cpu))
			atomic_dec(&kpt_watches[i]->unwatched);
		kpt_watch_uninstall(kpt_watches[i], cpu);
	}
	return 0;
}

static void find_zeroes(void)
{
	u64 dczid = read_sysreg(dczid_el0);

	kpt_watch_zeroes = dczid & BIT(4) ? 0 : 4U << (dczid & 15);
}

static int make_ready(void)
{
	int err;

	kpt_watch_registers = min(get_num_wrps(), KPT_WATCHES);
	find_zeroes();
	err = kpt_watch_slots_init();
	if (err)
		return err;
	err = cpuhp_setup_state_nocalls(CPUHP_AP_ONLINE_DYN, "kptrace/watch:online",
					cpu_comes, cpu_goes);
	if (err < 0)
		goto free;
	hotplug_state = err;
	kpt_watch_move_init();
	err = kpt_watch_owner_init();
	if (!err) {
		is_ready = true;
		cpu_pm_register_notifier(&resume_block);
		return 0;
	}
	cpuhp_remove_state_nocalls(hotplug_state);
free:
	kpt_watch_slots_exit();
	return err;
}

static unsigned int nr_taken(void)
{
	return hweight32(kpt_all_watches);
}

/**
 * kpt_arch_watches_init() - begin to receive watchpoint exceptions, unless that was done
 * @diag: on failure the reason
 *
 * Context: process context, sleeps, kpt_mutex held.
 * Return: 0; -EOPNOTSUPP if this kernel cannot; -ENOMEM.
 */
int kpt_arch_watches_init(struct kpt_diag *diag)
{
	int err = is_ready ? 0 : make_ready();

	lockdep_assert_held(&kpt_mutex);
	if (!err || err == -ENOMEM)
		return err;
	kpt_diag_set(diag, KPT_E_WATCH_NONE, 0, 0);
	scnprintf(diag->detail, sizeof(diag->detail), "its exceptions cannot be received: %d",
		  err);
	return -EOPNOTSUPP;
}

static int refuse(struct kpt_diag *diag, int err)
{
	if (err == -ENOMEM)
		return err;
	if (err == -ENOSPC) {
		kpt_diag_set(diag, KPT_E_WATCH_FULL, 0, 0);
		scnprintf(diag->detail, sizeof(diag->detail),
			  "a CPU has %u, of which kptrace has %u", kpt_watch_registers, nr_taken());
		return -EBUSY;
	}
	kpt_diag_set(diag, KPT_E_WATCH_NONE, 0, 0);
	if (err == -ENODEV)
		kpt_diag_detail(diag, "debug exceptions are off, by nodebugmon or debug_enabled");
	else
		scnprintf(diag->detail, sizeof(diag->detail), "it gives no register: %d", err);
	return -EBUSY;
}

/*
 * No CPU watches what hits do not find: a hit that nobody takes is left to the kernel, which
 * steps over the instruction. Then each store-exclusive fails, for ever, where interrupts are
 * masked and the register cannot be given back.
 *
 * Context: kpt_mutex and cpus_read_lock(). No hit finds the watch when this returns.
 */
static void release_locked(struct kpt_arch_watch *watch)
{
	int cpu;

	for_each_possible_cpu(cpu)
		kpt_watch_stop(watch, cpu);
	WRITE_ONCE(kpt_all_watches, kpt_all_watches & ~BIT(watch->index));
	WRITE_ONCE(kpt_watches[watch->index], NULL);
	kpt_arch_quiesce_cpus_locked();
	for_each_possible_cpu(cpu)
		kpt_watch_uninstall(watch, cpu);
}

static int take_locked(struct kpt_arch_watch *watch)
{
	unsigned int i;
	int cpu, err = 0;

	for (i = 0; kpt_watches[i]; i++)
		if (i + 1 == KPT_WATCHES)
			return -ENOSPC;
	atomic_set(&watch->unwatched, 0);
	watch->index = i;
	WRITE_ONCE(kpt_watches[i], watch);
	if (watch->by_hits)
		watch->addr = kpt_watch_nowhere(watch);
	/* Hits see the whole watch: pairs with find_touched(). */
	smp_store_release(&kpt_all_watches, kpt_all_watches | BIT(i));
	for_each_online_cpu(cpu)
		err = err ?: kpt_watch_install(watch, cpu);
	if (err)
		release_locked(watch);
	return err;
}

/**
 * kpt_arch_watch_begin() - begin to watch
 * @watch: @length, @reads, @writes and @by_hits are given, and @addr unless @by_hits
 * @diag: on failure the reason
 *
 * kpt_arch_watches_init() has returned 0.
 *
 * All CPUs that are online watch when it returns, and those that come later, from then on that
 * they are online.
 *
 * Context: process context, sleeps, kpt_mutex held.
 * Return: 0; -EBUSY if all registers are in use, also on one CPU only, or the kernel gives none,
 * or debug exceptions are off; -ENOMEM.
 */
int kpt_arch_watch_begin(struct kpt_arch_watch *watch, struct kpt_diag *diag)
{
	int err;

	lockdep_assert_held(&kpt_mutex);
	err = kpt_watch_alloc(watch);
	if (err)
		return err;
	cpus_read_lock();
	err = take_locked(watch);
	cpus_read_unlock();
	watch->is_taken = !err;
	if (!err)
		return 0;
	kpt_watch_free(watch);
	return refuse(diag, err);
}

/**
 * kpt_arch_watch_end() - the reverse of kpt_arch_watch_begin()
 * @watch: the watch; may also not be taken
 *
 * Context: process context, sleeps, kpt_mutex held. When it returns, no hit uses @watch.
 */
void kpt_arch_watch_end(struct kpt_arch_watch *watch)
{
	lockdep_assert_held(&kpt_mutex);
	if (!watch->is_taken)
		return;
	watch->is_taken = false;
	cpus_read_lock();
	release_locked(watch);
	cpus_read_unlock();
	kpt_watch_free(watch);
}

/**
 * kpt_arch_watches_status() - say how many registers there are, and who has them
 * @sb: a line is appended
 *
 * Context: process context, kpt_mutex held.
 */
void kpt_arch_watches_status(struct kpt_strbuf *sb)
{
	kpt_strbuf_printf(sb, "watchpoints: %u of %u a CPU in use here, %u instructions seen\n",
			  nr_taken(), min_t(unsigned int, get_num_wrps(), KPT_WATCHES),
			  kpt_watch_slots_used());
}

/**
 * kpt_arch_watches_exit() - receive no watchpoint exceptions any more
 *
 * Context: process context, sleeps; no watch is taken.
 */
void kpt_arch_watches_exit(void)
{
	if (!is_ready)
		return;
	is_ready = false;
	kpt_watch_move_exit();
	cpu_pm_unregister_notifier(&resume_block);
	kpt_watch_owner_exit();
	cpuhp_remove_state_nocalls(hotplug_state);
	kpt_watch_slots_exit();
}

