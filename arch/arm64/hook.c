// SPDX-License-Identifier: GPL-2.0-only
/*
 * Ways to be told of BRK exceptions. Which one a kernel has shows in its
 * symbols alone: stable updates have moved from the one to the other.
 */
#include <kptrace/compat.h>
#include <linux/kernel.h>
#include <kptrace/ksyms.h>
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
 * The kernel knows its own immediates only: the first instruction of the
 * function that tells them apart becomes a branch to a page nearby, which goes
 * on to brk_entry.S, and from there, for exceptions that are not ours, back to
 * a copy of the displaced instruction and the rest of the function.
 */

/* In the page: where the patched function goes, and the way back. */
enum {
	STUB_IN = 0,
	STUB_TARGET = 2,
	STUB_OUT = 4,
	STUB_WORDS = 7,
};

/* Arm ARM C6.2: LDR (literal), BR, HINT. */
#define LDR_X16_PC_8		0x58000050
#define BR_X16			0xd61f0200
#define BTI_C			0xd503245f
#define HINT_MASK		0xfffff01f
#define HINT			0xd503201f

/* In brk_entry.S. */
void kpt_brk_entry(void);

/* Where brk_entry.S goes with an exception that is not ours. */
unsigned long kpt_brk_original;

static struct kpt_patch entry_patch;
static u32 *stub;

/* Does an instruction do the same at another address? */
static bool can_move(u32 word)
{
	struct kpt_insn insn;

	if ((word & HINT_MASK) == HINT)
		return true;
	kpt_insn_decode(word, &insn);
	return insn.verdict == KPT_INSN_STEP && !(insn.flags & KPT_INSN_PC);
}

static int write_stub(unsigned long function)
{
	u32 words[STUB_WORDS] = {
		LDR_X16_PC_8,
		BR_X16,
		lower_32_bits((unsigned long)kpt_brk_entry),
		upper_32_bits((unsigned long)kpt_brk_entry),
		BTI_C,
		entry_patch.old,
		kpt_branch_word((unsigned long)&stub[STUB_WORDS - 1],
				function + 4),
	};

	return kpt_mem_write(stub, words, STUB_WORDS);
}

static int patch_entry(unsigned long function)
{
	int err;

	entry_patch.addr = function;
	entry_patch.old = READ_ONCE(*(u32 *)function);
	entry_patch.new = kpt_branch_word(function, (unsigned long)stub);
	if (!can_move(entry_patch.old)) {
		pr_err("the first instruction of %ps, %08x, can not be moved\n",
		       (void *)function, entry_patch.old);
		return -EINVAL;
	}
	err = write_stub(function);
	if (err)
		return err;
	kpt_brk_original = (unsigned long)&stub[STUB_OUT];
	return kpt_patch_text(&entry_patch);
}

static int patch_init(void)
{
	unsigned long function = kpt_ksyms_addr("do_el1_brk64");
	int err;

	if (!function)
		return -ENXIO;
	stub = kpt_mem_alloc_near(function);
	if (!stub)
		return -ENOMEM;
	err = patch_entry(function);
	if (err)
		kpt_mem_free(stub);
	return err;
}

/*
 * When the machine was stopped no CPU was in the stub: exceptions are masked
 * there. If somebody else has changed the text since, our branch may come back
 * when he leaves: then the page stays and leads past us.
 */
static void patch_exit(void)
{
	const struct kpt_patch undo = {
		.addr = entry_patch.addr,
		.old = entry_patch.new,
		.new = entry_patch.old,
	};
	u32 past;

	if (!kpt_patch_text(&undo)) {
		kpt_mem_free(stub);
		return;
	}
	pr_warn("%ps was changed by somebody else, left alone\n",
		(void *)undo.addr);
	past = kpt_branch_word((unsigned long)stub,
			       (unsigned long)&stub[STUB_OUT]);
	kpt_mem_write(stub, &past, 1);
}

static const struct way ways[] = {
	{ "register_kernel_break_hook", register_init, register_exit },
	{ "do_el1_brk64 patched", patch_init, patch_exit },
};

static const struct way *way;

int kpt_hook_init(void)
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

void kpt_hook_exit(void)
{
	way->exit();
}

void kpt_hook_status(struct kpt_strbuf *sb)
{
	kpt_strbuf_printf(sb, "brk exceptions: %s\n", way->name);
}
