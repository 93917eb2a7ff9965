// SPDX-License-Identifier: GPL-2.0-only
/* Addresses in text that somebody else patches, or that only look like text. */
#include "kernel/compat.h"
#include "kernel/ksyms.h"
#include "kernel/patchsites.h"
#include <kptrace/arch.h>

/* The two words before a function in which ftrace keeps a pointer. */
#define FTRACE_PREFIX (IS_ENABLED(CONFIG_DYNAMIC_FTRACE_WITH_CALL_OPS) ? 8 : 0)
#define RET_X30 0xd65f03c0
#define NOP 0xd503201f

static bool is_ftrace_location(unsigned long addr)
{
	return kpt_ksyms.ftrace_location &&
		kpt_ksyms.ftrace_location(addr) == addr;
}

/*
 * The kernel looks through all its tables for the next two, so it is asked only
 * about words that can be such a site: a BRK; a NOP or a branch.
 */
static bool is_bug(unsigned long addr, u32 word)
{
	return kpt_ksyms.find_bug && kpt_insn_is_brk(word) &&
	       kpt_ksyms.find_bug(addr);
}

static bool is_jump_label(unsigned long addr, u32 word)
{
	return kpt_ksyms.jump_label_reserved &&
	       (word == NOP || kpt_insn_is_b(word)) &&
	       kpt_ksyms.jump_label_reserved((void *)addr, (void *)addr);
}

static bool is_static_call(unsigned long addr)
{
	return kpt_ksyms.static_call_reserved &&
		kpt_ksyms.static_call_reserved((void *)addr, (void *)addr);
}

/* Start of the function that follows, if it is this many bytes or less away. */
static unsigned long next_function(unsigned long addr, unsigned int within)
{
	unsigned long size, offset, next;

	if (!kpt_ksyms.lookup_size_offset(addr, &size, &offset))
		return 0;
	next = addr - offset + size;
	return next - addr <= within ? next : 0;
}

/*
 * Can the word before a function be its type? It is code if it is a RET, since
 * that is no likely type, or if nothing can call what follows through a pointer.
 */
static bool may_be_type(unsigned long addr, unsigned long function)
{
	struct kpt_arch_point *probed = kpt_point_find(function);
	struct kpt_insn first;

	if (READ_ONCE(*(u32 *)addr) == RET_X30)
		return false;
	if (!IS_ENABLED(CONFIG_ARM64_BTI_KERNEL))
		return true;
	kpt_insn_decode(READ_ONCE(*(u32 *)function), &first);
	return (probed ? &probed->insn : &first)->flags & KPT_INSN_LANDING;
}

/*
 * Words before a function's first instruction belong, by the symbol table, to
 * the function before it. Not every function has them: a function that ftrace
 * does not know has no prefix.
 */
static int check_prefix(unsigned long addr, struct kpt_diag *diag)
{
	unsigned long next = next_function(addr, FTRACE_PREFIX + 4);
	unsigned long prefix = 0;

	if (!next)
		return 0;
	if (FTRACE_PREFIX && kpt_ksyms.ftrace_location &&
	    kpt_ksyms.ftrace_location(next))
		prefix = FTRACE_PREFIX;
	if (next - addr <= prefix)
		return kpt_diag_set(diag, KPT_E_FTRACE_PREFIX, 0, -EINVAL);
	if (KPT_KCFI && next - addr == prefix + 4 && may_be_type(addr, next))
		return kpt_diag_set(diag, KPT_E_CFI_HASH, 0, -EINVAL);
	return 0;
}

/**
 * kpt_patchsites_check() - does an address in text belong to somebody else?
 * @addr: the address, in kernel or module text
 * @diag: on refusal who that is
 *
 * Knows exception table entries (whose fix-up looks for the PC of the
 * instruction, which an instruction in a slot does not have), BUG and WARN,
 * ftrace's locations and what it keeps before functions, kCFI types, jump
 * labels and static calls. Alternatives are not a reason: they are patched
 * before the text can be probed, and never again.
 *
 * Context: process context.
 * Return: 0 or -EINVAL.
 */
int kpt_patchsites_check(unsigned long addr, struct kpt_diag *diag)
{
	u32 word = READ_ONCE(*(u32 *)addr);

	if (kpt_ksyms.search_exception_tables(addr))
		return kpt_diag_set(diag, KPT_E_EXTABLE, 0, -EINVAL);
	if (is_bug(addr, word))
		return kpt_diag_set(diag, KPT_E_BUG_SITE, 0, -EINVAL);
	if (is_ftrace_location(addr))
		return kpt_diag_set(diag, KPT_E_FTRACE_SITE, 0, -EINVAL);
	if (is_jump_label(addr, word))
		return kpt_diag_set(diag, KPT_E_JUMP_LABEL, 0, -EINVAL);
	if (is_static_call(addr))
		return kpt_diag_set(diag, KPT_E_STATIC_CALL, 0, -EINVAL);
	return check_prefix(addr, diag);
}
