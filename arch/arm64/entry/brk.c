// SPDX-License-Identifier: GPL-2.0-only
/*
 * Receive BRK exceptions. The backend is chosen by the kernel's symbols, not by
 * its version: stable updates have replaced one backend by the other.
 */
#include "kernel/compat.h"
#include <linux/kernel.h>
#include "kernel/ksyms.h"
#include "arch_compat.h"
#include "engine.h"

/**
 * struct hook_backend - one means of receiving BRK exceptions
 * @name: for the status file
 * @init: returns 0, -ENXIO if this kernel does not have it, or another error
 * @exit: undo @init
 */
struct hook_backend {
	const char *name;
	int (*init)(void);
	void (*exit)(void);
};

/* First backend: the kernel has a list of BRK handlers by immediate. */

static int hook_handle(struct pt_regs *regs, kpt_esr_t esr)
{
	return kpt_trap_handle(regs) ? DBG_HOOK_HANDLED : DBG_HOOK_ERROR;
}

static struct break_hook break_hook = {
	.fn = hook_handle,
	.imm = KPT_BRK_IMM,
};

static int hook_register(void)
{
	if (!kpt_has(register_kernel_break_hook) || !kpt_has(unregister_kernel_break_hook))
		return -ENXIO;
	register_kernel_break_hook(&break_hook);
	return 0;
}

static void hook_unregister(void)
{
	unregister_kernel_break_hook(&break_hook);
}

/*
 * Second backend: the kernel dispatches only its own BRK immediates, so its
 * dispatcher is redirected to brk_entry.S.
 */

void kpt_brk_entry(void);

static struct kpt_redirect brk_redirect = {
	.symbols = "do_el1_brk64",
	.entry = kpt_brk_entry,
	.original = &kpt_brk_original,
};

/* brk_entry.S branches there with an exception that is not ours. */
unsigned long kpt_brk_original;

static int hook_redirect(void)
{
	return kpt_redirect_install(&brk_redirect);
}

static void hook_unredirect(void)
{
	kpt_redirect_remove(&brk_redirect);
}

static const struct hook_backend backends[] = {
	{ "register_kernel_break_hook", hook_register, hook_unregister },
	{ "do_el1_brk64 patched", hook_redirect, hook_unredirect },
};

static const struct hook_backend *backend;

/*
 * The fast entry, in addition to the backend where that is possible: the first C
 * function that the kernel calls for a synchronous exception from kernel code is
 * redirected too. Our BRK exceptions are handled there, without the kernel's
 * bookkeeping at entry and exit of debug exceptions. If a hit of a point without a
 * stub needs that bookkeeping, because RCU does not watch this CPU or lockdep does, the
 * exception continues to the backend.
 */

static struct kpt_redirect fast_redirect = {
	.symbols = "el1h_64_sync_handler|el1_sync_handler",
	.nr_load = 1,
	.value = KPT_BRK_ESR,
	.entry = kpt_trap_fast,
	.original = &kpt_fast_original,
};

/* kpt_fast_begin() branches there with an exception that the backend must handle. */
unsigned long kpt_fast_original;

static bool fast;

static void hook_init_fast(void)
{
	fast_redirect.load[0] = a64_mrs(X16, A64_ESR_EL1);
	fast = !kpt_redirect_install(&fast_redirect);
}

static int hook_init_backend(void)
{
	unsigned int i;
	int err;

	for (i = 0; i < ARRAY_SIZE(backends); i++) {
		err = backends[i].init();
		if (!err) {
			backend = &backends[i];
			return 0;
		}
		if (err != -ENXIO) {
			pr_err("BRK exceptions cannot be received by %s: error %d\n",
			       backends[i].name, err);
			return err;
		}
	}
	pr_err("this kernel handles BRK exceptions in no way known here\n");
	return -ENXIO;
}

/**
 * kpt_hook_init() - make BRK exceptions call kpt_trap_handle()
 *
 * Context: module load.
 * Return: 0, -ENXIO if this kernel has none of the known backends, -ENOMEM,
 * -EINVAL, -EBUSY or -EIO if its backend could not be installed.
 */
int kpt_hook_init(void)
{
	int err = hook_init_backend();

	if (!err)
		hook_init_fast();
	return err;
}

/**
 * kpt_hook_exit() - undo kpt_hook_init()
 *
 * Context: process context, sleeps; no text holds one of our BRKs.
 */
void kpt_hook_exit(void)
{
	if (fast)
		kpt_redirect_remove(&fast_redirect);
	backend->exit();
}

/**
 * kpt_hook_status() - show the backend, and whether the fast entry is used
 * @sb: a line is appended
 *
 * Context: process context.
 */
void kpt_hook_status(struct kpt_strbuf *sb)
{
	kpt_strbuf_printf(sb, "brk exceptions: %s%s\n",
			  fast ? "first instruction of the entry, else " : "",
			  backend->name);
}
