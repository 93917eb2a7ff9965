// SPDX-License-Identifier: GPL-2.0-only
/*
 * Ways to be told of BRK exceptions. Which one a kernel has shows in its
 * symbols alone: stable updates have moved from the one to the other.
 */
#include "kernel/compat.h"
#include <linux/kernel.h>
#include "kernel/ksyms.h"
#include "compat.h"
#include "engine.h"

/**
 * struct way - a way to be told of BRK exceptions
 * @name: for the status file
 * @init: 0, -ENXIO if this kernel does not have it, or another error
 * @exit: undo it
 */
struct way {
	const char *name;
	int (*init)(void);
	void (*exit)(void);
};

/* The kernel keeps a list of handlers by immediate. */

static int registered_hook(struct pt_regs *regs, kpt_esr_t esr)
{
	return kpt_trap_handle(regs, esr) ? DBG_HOOK_HANDLED : DBG_HOOK_ERROR;
}

static struct break_hook break_hook = {
	.fn = registered_hook,
	.imm = KPT_BRK_IMM,
	.mask = KPT_BRK_IMM_MASK,
};

static void (*register_hook)(struct break_hook *);
static void (*unregister_hook)(struct break_hook *);

static int register_init(void)
{
	register_hook = (void *)kpt_ksyms_addr("register_kernel_break_hook");
	unregister_hook =
		(void *)kpt_ksyms_addr("unregister_kernel_break_hook");
	if (!register_hook || !unregister_hook)
		return -ENXIO;
	register_hook(&break_hook);
	return 0;
}

static void register_exit(void)
{
	unregister_hook(&break_hook);
}

/*
 * The kernel knows its own immediates only: the function that tells them apart
 * is led to brk_entry.S first.
 */

void kpt_brk_entry(void);

static struct kpt_redirect brk_redirect = {
	.symbols = "do_el1_brk64",
	.entry = kpt_brk_entry,
	.original = &kpt_brk_original,
};

/* Where brk_entry.S goes with an exception that is not ours. */
unsigned long kpt_brk_original;

static int patch_init(void)
{
	return kpt_redirect_install(&brk_redirect);
}

static void patch_exit(void)
{
	kpt_redirect_remove(&brk_redirect);
}

static const struct way ways[] = {
	{ "register_kernel_break_hook", register_init, register_exit },
	{ "do_el1_brk64 patched", patch_init, patch_exit },
};

static const struct way *way;

/*
 * On top of either way, where it can be had: the function that every exception
 * taken from the kernel's own code goes through first. BRK exceptions of ours
 * end there, without what the kernel does for debug exceptions on the way in
 * and out. If RCU does not watch this CPU, that is needed, and they go on.
 */

void kpt_fast_entry(void);

static struct kpt_redirect fast_redirect = {
	.symbols = "el1h_64_sync_handler|el1_sync_handler",
	.brk_only = true,
	.entry = kpt_fast_entry,
	.original = &kpt_fast_original,
};

unsigned long kpt_fast_original;

static bool fast;

static void fast_init(void)
{
	/* Lockdep wants to be told of every exception. */
	if (!IS_ENABLED(CONFIG_TRACE_IRQFLAGS))
		fast = !kpt_redirect_install(&fast_redirect);
}

static int slow_init(void)
{
	unsigned int i;
	int err;

	for (i = 0; i < ARRAY_SIZE(ways); i++) {
		err = ways[i].init();
		if (!err) {
			way = &ways[i];
			return 0;
		}
		if (err != -ENXIO) {
			pr_err("no BRK exceptions by way of %s: error %d\n",
			       ways[i].name, err);
			return err;
		}
	}
	pr_err("this kernel has no known way to handle BRK exceptions\n");
	return -ENXIO;
}

/**
 * kpt_hook_init() - have BRK exceptions sent to kpt_trap_handle()
 *
 * Context: module load.
 * Return: 0, or -ENXIO if this kernel has no way that is known here.
 */
int kpt_hook_init(void)
{
	int err = slow_init();

	if (!err)
		fast_init();
	return err;
}

/**
 * kpt_hook_exit() - have them sent there no longer
 *
 * Context: process context, sleeps; no BRK of ours is left in any text.
 */
void kpt_hook_exit(void)
{
	if (fast)
		kpt_redirect_remove(&fast_redirect);
	way->exit();
}

/**
 * kpt_hook_status() - by what way BRK exceptions are taken
 * @sb: a line is appended
 *
 * Context: process context.
 */
void kpt_hook_status(struct kpt_strbuf *sb)
{
	kpt_strbuf_printf(sb, "brk exceptions: %s%s\n",
			  fast ? "first instruction of the entry, else " : "",
			  way->name);
}
