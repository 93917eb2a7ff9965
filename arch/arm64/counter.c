// SPDX-License-Identifier: GPL-2.0-only
/*
 * The counter that the kernel's clocks run on.
 *
 * All code of ours is written to read CNTVCT_EL0, as the kernel does if it was started at
 * EL1; at EL2 it is the same as CNTPCT_EL0. But a kernel that was started at EL2 and runs at
 * EL1 uses CNTPCT_EL0: from kvm_arch_vcpu_load() to kvm_arch_vcpu_put(), CNTVCT_EL0 is the
 * guest's time, less by CNTVOFF_EL2 (Arm ARM D12.1.2). There each instruction of ours that
 * reads CNTVCT_EL0 is replaced when the module is loaded, so that hits need no test.
 */
#include "kernel/compat.h"
#include <linux/kernel.h>
#include <linux/module.h>
#include <asm/virt.h>
#include "kernel/ksyms.h"
#include "engine.h"

static bool is_physical __ro_after_init;

u32 kpt_arch_counter_rate __ro_after_init;

/**
 * kpt_counter_word() - have code read the counter that the kernel's clocks run on
 * @word: any instruction
 *
 * Context: process context, after kpt_arch_counter_init().
 * Return: the instruction to execute instead of @word.
 */
u32 kpt_counter_word(u32 word)
{
	enum a64_reg rt = word & GENMASK(4, 0);

	if (is_physical && word == a64_mrs(rt, A64_CNTVCT))
		return a64_mrs(rt, A64_CNTPCT);
	if (is_physical && word == a64_mrs(rt, A64_CNTVCTSS))
		return a64_mrs(rt, A64_CNTPCTSS);
	return word;
}

/* Returns false if an instruction could not be replaced. Nothing else of ours runs yet. */
static bool replace_words(void)
{
	u32 *at = (u32 *)kpt_module_text(THIS_MODULE);
	u32 *end = at + kpt_module_text_size(THIS_MODULE) / sizeof(u32);

	for (; at < end; at++)
		if (kpt_counter_word(*at) != *at &&
		    aarch64_insn_patch_text_nosync(at, kpt_counter_word(*at)))
			return false;
	kpt_mem_sync_cpus();
	return true;
}

/*
 * The kernel's number. Firmware may have left CNTFRQ_EL0 unset or wrong, even on one CPU
 * only: then the device tree says the rate, and the kernel ignores the register.
 */
static u32 find_rate(void)
{
	return kpt_has(arch_timer_get_rate) ? arch_timer_get_rate() : arch_timer_get_cntfrq();
}

/* Returns false if kpt_arch_counter() may read wrong values. */
static bool read_as_kernel(void)
{
	char name[KSYM_NAME_LEN];

	if (lookup_symbol_name((unsigned long)arch_timer_read_counter, name))
		return true;
	is_physical = strstr(name, "cntpct") && !is_kernel_in_hyp_mode();
	return (!is_physical || replace_words()) && !strstr(name, "_stable");
}

/**
 * kpt_arch_counter_init() - have kpt_arch_counter() read what the kernel's clocks run on
 * @unstable: result: kpt_arch_counter_safe() is needed, as kpt_arch_counter() may read
 *	wrong values
 *
 * arch_timer_read_counter points to the function that the kernel reads the counter by. If
 * a CPU needs an erratum workaround, its name contains "_stable".
 *
 * Context: module load, before anything reads the counter.
 * Return: 0, or -ENXIO if nothing says the counter's rate.
 */
int kpt_arch_counter_init(bool *unstable)
{
	kpt_arch_counter_rate = find_rate();
	if (!kpt_arch_counter_rate) {
		pr_err("the rate of the counter is 0 in CNTFRQ_EL0 and unknown to the kernel\n");
		return -ENXIO;
	}
	*unstable = !read_as_kernel();
	return 0;
}
