// SPDX-License-Identifier: GPL-2.0-only
/* The engine's interface, as declared in arch/arm64/arch.h. */
#include "kernel/compat.h"
#include <linux/cpu.h>
#include <linux/smp.h>
#include <asm/cpufeature.h>
#include <asm/memory.h>
#include <asm/sysreg.h>
#include "kernel/ksyms.h"
#include "kernel/scratch.h"
#include "engine.h"

/* How indirect branches of this kernel set PSTATE.BTYPE. */
static enum kpt_insn_bti bti __ro_after_init;

static void find_bti(void)
{
	u64 pfr1 = read_sanitised_ftr_reg(SYS_ID_AA64PFR1_EL1);

	/* Arm ARM D19.2, ID_AA64PFR1_EL1.BT. */
	if (!FIELD_GET(GENMASK(3, 0), pfr1))
		bti = KPT_INSN_BTI_NONE;
	else if (IS_ENABLED(CONFIG_ARM64_BTI_KERNEL))
		bti = KPT_INSN_BTI_GUARDED;
	else
		bti = KPT_INSN_BTI_OPEN;
}

struct kpt_arch_return_words kpt_arch_return_words __ro_after_init __aligned(32);

/**
 * kpt_arch_init() - prepare to receive BRK exceptions and to patch text
 *
 * On failure the kernel log names what is missing. The file status names the
 * backend that was found.
 *
 * Context: process context, module load.
 * Return: 0; -ENXIO if this kernel has none of the known backends; -EINVAL,
 * -EBUSY, -EIO or -ENOMEM if the backend could not be installed; -EEXIST from
 * register_die_notifier(). On failure nothing is left behind.
 */
int kpt_arch_init(void)
{
	int err;

	kpt_arch_return_words.pac_mask = GENMASK_ULL(63, vabits_actual);
	find_bti();
	kpt_mte_init();
	kpt_uaccess_init();
	kpt_mem_init();
	kpt_jump_init();
	kpt_return_init();
	kpt_recorder_init();
	err = kpt_trap_init();
	if (err)
		return err;
	err = kpt_hook_init();
	if (err)
		kpt_trap_exit();
	return err;
}

/**
 * kpt_arch_exit() - undo kpt_arch_init()
 *
 * Waits until no task is in a slot.
 *
 * Context: process context; waits for CPUs to leave our handlers. All points
 * are disarmed and released.
 */
void kpt_arch_exit(void)
{
	/* A task in a stepped slot still needs the BRK hook to leave it. */
	bool all = kpt_xol_exit();

	kpt_recorder_exit(all);
	kpt_fixups_exit();
	kpt_thunk_exit();
	kpt_records_exit();
	kpt_hook_exit();
	kpt_trap_exit();
	kpt_context_exit();
}

/* The subsystem that uses a BRK's immediate (see asm/brk-imm.h). */
static const char *brk_owner(u32 word)
{
	switch (word >> 5 & 0xffff) {
	case 0x4:
	case 0x6:
	case 0x7:
		return "a kernel kprobe";
	case 0x400:
	case 0x401:
		return "kgdb";
	case 0x800:
		return "BUG or WARN";
	case KPT_BRK_IMM:
		return "kptrace";
	default:
		return "";
	}
}

/*
 * Is the point in the function that simulates it? Simulating a literal load
 * calls copy_from_kernel_nofault(), which would hit the same probe again.
 */
static bool needs_itself(const struct kpt_arch_point *ap)
{
	static const char reader[] = "copy_from_kernel_nofault";
	char name[KSYM_NAME_LEN];

	if (ap->insn.verdict != KPT_INSN_SIMULATE ||
	    !(ap->insn.flags & KPT_INSN_MEM) ||
	    lookup_symbol_name(ap->addr, name))
		return false;
	return !strncmp(name, reader, strlen(reader));
}

static int check_insn(struct kpt_arch_point *ap, u32 word, struct kpt_diag *diag)
{
	char why[KPT_DIAG_DETAIL_MAX];

	kpt_insn_decode(word, &ap->insn);
	ap->insn.bti = bti;
	if (kpt_insn_is_brk(word)) {
		kpt_diag_set(diag, KPT_E_FOREIGN_BRK, 0, 0);
		kpt_diag_detail(diag, brk_owner(word));
		return -EINVAL;
	}
	if (needs_itself(ap))
		return kpt_diag_set(diag, KPT_E_OWN_BLACKLIST, 0, -EINVAL);
	if (ap->insn.verdict != KPT_INSN_REFUSE)
		return 0;
	scnprintf(why, sizeof(why), "%s: %s", kpt_insn_name(&ap->insn),
		  kpt_insn_reason_text(ap->insn.reason));
	kpt_diag_set(diag, KPT_E_BAD_INSN, 0, 0);
	kpt_diag_detail(diag, why);
	return -EINVAL;
}

/**
 * kpt_arch_behind_table() - the function of an entry in a table with which calls are checked
 * @start: address of text
 * @end: address behind it
 *
 * Such an entry is a branch, perhaps behind a BTI.
 *
 * Context: process context, kpt_mutex held or not.
 * Return: where the branch leads to; 0 if the text is something else.
 */
unsigned long kpt_arch_behind_table(unsigned long start, unsigned long end)
{
	unsigned long addr = end - sizeof(u32), flags;
	u32 word;

	if (end - start > 2 * sizeof(u32))
		return 0;
	/* No point is freed before kpt_arch_quiesce(), which waits for this as for a hit. */
	local_irq_save(flags);
	word = kpt_patch_original(addr);
	local_irq_restore(flags);
	return kpt_insn_is_b(word) ? kpt_branch_target(word, addr) : 0;
}

/* The end of the symbol that an address is in; 0 if it is in none. */
static unsigned long end_of(unsigned long addr)
{
	unsigned long size, offset;

	return kallsyms_lookup_size_offset(addr, &size, &offset) ? addr - offset + size : 0;
}

/**
 * kpt_arch_function() - the function that an address of a function stands for
 * @addr: its address, or that of its entry in a table with which calls are checked; mapped text
 *
 * Context: process context.
 * Return: the function's own address; @addr if that is no such entry.
 */
unsigned long kpt_arch_function(unsigned long addr)
{
	unsigned long end = KPT_CFI_TABLES ? end_of(addr) : 0;

	return end ? kpt_arch_behind_table(addr, end) ?: addr : addr;
}

/**
 * kpt_arch_next_call() - the target of the next BL
 * @at: where to look from; is moved behind the BL
 * @end: address behind the text to look at, which is mapped
 *
 * Context: process context, kpt_mutex held, or at module load.
 * Return: the target; 0 if there is no BL.
 */
unsigned long kpt_arch_next_call(unsigned long *at, unsigned long end)
{
	unsigned long here;
	u32 word;

	while (*at < end) {
		here = *at;
		*at += sizeof(word);
		word = kpt_patch_bare(here);
		if (kpt_insn_is_bl(word))
			return kpt_branch_target(word, here);
	}
	return 0;
}

/**
 * kpt_arch_checks_calls() - are calls through pointers checked by tables in a function?
 * @function: its address, or that of its entry in such a table; mapped text
 *
 * What is in none of the kernel's own tables, the function hands to another one.
 *
 * Context: process context, sleeps, kpt_mutex held.
 * Return: true if they are, or if nothing is known of the function.
 */
bool kpt_arch_checks_calls(unsigned long function)
{
	unsigned long slow = kpt_ksyms_addr("__cfi_slowpath");
	unsigned long diag = kpt_ksyms_addr("__cfi_slowpath_diag");
	unsigned long at = kpt_arch_function(function);
	unsigned long end = end_of(at), to;

	if ((!slow && !diag) || !end)
		return true;
	while ((to = kpt_arch_next_call(&at, end)))
		if (to == slow || to == diag)
			return true;
	return false;
}

/* Compare the word before a function, which has been loaded, with a type: CMP, B.EQ, BRK. */
static bool is_type_check(unsigned long at, u32 *type)
{
	u32 low = kpt_patch_bare(at), high = kpt_patch_bare(at + 4);
	unsigned int reg = low & 31;

	*type = (low >> 5 & 0xffff) | (high >> 5 & 0xffff) << 16;
	/* Clang keeps the upper half, which follows. */
	return (low == a64_movk_w(reg, *type & 0xffff, 0) ||
		low == a64_movz_w(reg, *type & 0xffff)) &&
	       high == a64_movk_w(reg, *type >> 16, 1) &&
	       kpt_patch_bare(at + 12) == a64_to(a64_b_if(A64_EQ), 8) &&
	       kpt_insn_is_brk(kpt_patch_bare(at + 16));
}

/**
 * kpt_arch_called_type() - the kCFI type that a function calls others by, through a pointer
 * @function: its address; mapped text
 * @type: set to the type of the first call; 0 on kernels without kCFI
 *
 * Context: process context, sleeps, kpt_mutex held.
 * Return: false if the function makes no such call, or nothing is known of it.
 */
bool kpt_arch_called_type(unsigned long function, u32 *type)
{
	unsigned long at, end;

	*type = 0;
	if (!KPT_KCFI)
		return true;
	end = end_of(function);
	for (at = function; at + 5 * sizeof(u32) <= end; at += sizeof(u32))
		if (is_type_check(at, type))
			return true;
	return false;
}

/**
 * kpt_arch_check_text() - does the text at a point hold the expected instruction?
 * @ap: the point, prepared; its text is mapped
 * @diag: if it does not, the reason: the owner of a foreign BRK, or the new word
 *
 * Context: process context, kpt_mutex held.
 * Return: 0, also if the point is armed; -EBUSY if the text was changed by
 * something other than kptrace.
 */
int kpt_arch_check_text(struct kpt_arch_point *ap, struct kpt_diag *diag)
{
	struct kpt_insn now;

	if (kpt_arch_is_armed(ap) || kpt_patch_original(ap->addr) == ap->insn.word)
		return 0;
	kpt_insn_decode(kpt_patch_original(ap->addr), &now);
	if (kpt_insn_is_brk(now.word)) {
		kpt_diag_set(diag, KPT_E_FOREIGN_BRK, 0, 0);
		kpt_diag_detail(diag, brk_owner(now.word));
	} else {
		kpt_diag_set(diag, KPT_E_TEXT_CHANGED, 0, 0);
		kpt_diag_detail(diag, kpt_insn_name(&now));
	}
	return -EBUSY;
}

/**
 * kpt_arch_check_after() - can anything run after the instruction of a point?
 * @ap: the point, decoded
 * @diag: on refusal the one exact reason, at column 0
 *
 * Context: any.
 * Return: 0; -EINVAL if the instruction leaves its slot: the BRK behind it is not reached.
 */
int kpt_arch_check_after(const struct kpt_arch_point *ap, struct kpt_diag *diag)
{
	if (!(ap->insn.flags & KPT_INSN_LEAVES))
		return 0;
	kpt_diag_set(diag, KPT_E_NO_AFTER, 0, 0);
	kpt_diag_detail(diag, kpt_insn_name(&ap->insn));
	return -EINVAL;
}

static int check_place(struct kpt_arch_point *ap, u32 word, struct kpt_diag *diag)
{
	int err;

	err = check_insn(ap, word, diag);
	if (!err && ap->after)
		err = kpt_arch_check_after(ap, diag);
	if (err)
		return err;
	ap->mode = kpt_jump_mode_of(ap);
	return kpt_context_check(ap, diag);
}

/**
 * kpt_arch_check() - may the instruction at an address be probed?
 * @ap: @ap->addr is given; the other members are filled in, but no slot is taken
 * @diag: on refusal the one exact reason, at column 0
 *
 * Context: process context, may sleep, kpt_mutex held.
 * Return: 0 or -EINVAL.
 */
int kpt_arch_check(struct kpt_arch_point *ap, struct kpt_diag *diag)
{
	return check_place(ap, kpt_patch_original(ap->addr), diag);
}

/**
 * kpt_arch_check_bare() - kpt_arch_check(), as if there were no kernel kprobe
 * @ap: as for kpt_arch_check()
 * @diag: as for kpt_arch_check()
 *
 * Context: process context, may sleep, kpt_mutex held.
 * Return: 0 or -EINVAL.
 */
int kpt_arch_check_bare(struct kpt_arch_point *ap, struct kpt_diag *diag)
{
	return check_place(ap, kpt_patch_bare(ap->addr), diag);
}

/**
 * kpt_arch_prepare() - kpt_arch_check(), and allocate the slot
 * @ap: as for kpt_arch_check(); @ap->slot is set if the mode needs a slot
 * @diag: on failure the one exact reason, at column 0
 *
 * Context: process context, may sleep, caller holds kpt_mutex.
 * Return: 0; -EINVAL if the place cannot be probed; -ENOMEM if there is no
 * memory for a slot, -EIO if the slot cannot be written.
 */
int kpt_arch_prepare(struct kpt_arch_point *ap, struct kpt_diag *diag)
{
	int err;

	ap->slot = 0;
	ap->armed = false;
	err = kpt_arch_check(ap, diag);
	if (err || ap->mode == KPT_MODE_SIMULATED)
		return err;
	err = kpt_xol_get(ap);
	if (err)
		kpt_diag_set(diag, KPT_E_NO_SLOT, 0, 0);
	return err;
}

/**
 * kpt_arch_release() - put the slot of a point
 * @ap: disarmed, and kpt_arch_quiesce() has returned since then
 *
 * Context: process context, may sleep, caller holds kpt_mutex.
 */
void kpt_arch_release(struct kpt_arch_point *ap)
{
	if (!ap->slot)
		return;
	if (kpt_arch_has_stub(ap))
		kpt_jump_switch(ap, false);
	kpt_xol_put(ap);
}

/**
 * kpt_arch_abandon() - make the stub of an unused point pass through
 * @ap: a point with kpt_arch_may_return()
 * @abandon: true: the point is unused; false: it is used again
 *
 * The stub of an abandoned point may still be entered, so it stays allocated,
 * but it does not report hits.
 *
 * Context: process context, caller holds kpt_mutex.
 */
void kpt_arch_abandon(struct kpt_arch_point *ap, bool abandon)
{
	if (!kpt_arch_has_stub(ap))
		return;
	kpt_jump_switch(ap, !abandon);
	kpt_xol_keep(ap, abandon);
}

/* Runs in an interrupt on a CPU that may be in a record. */
static void note_filling(void *is_filling)
{
	if (raw_cpu_read(kpt_cpu.filling))
		WRITE_ONCE(*(bool *)is_filling, true);
}

static void wait_filled(int cpu)
{
	bool is_filling;

	do {
		is_filling = false;
		smp_call_function_single(cpu, note_filling, &is_filling, true);
	} while (is_filling);
}

/**
 * kpt_arch_quiesce_cpus_locked() - kpt_arch_quiesce() under cpus_read_lock()
 *
 * Context: process context, sleeps; the caller holds cpus_read_lock().
 */
void kpt_arch_quiesce_cpus_locked(void)
{
	bool is_filling = false;
	int cpu;

	kpt_mem_sync_cpus();
	/* Where no static event was ever armed, there is no such record. */
	if (kpt_rooms)
		smp_call_function(note_filling, &is_filling, true);
	if (is_filling)
		for_each_online_cpu(cpu)
			wait_filled(cpu);
}

/**
 * kpt_arch_quiesce() - wait for the running handlers of disarmed points
 *
 * When this returns, no CPU is in a handler that began before the call. A task
 * may still be preempted inside a slot that was put: such slots are reused
 * later, see drain.c.
 *
 * Handlers run with interrupts masked, so each has ended when its CPU has called the
 * function of kpt_mem_sync_cpus(). Then each CPU also executes recorders and thunks that were
 * written before the call. Not so records that the kernel fills in where they stay: a CPU
 * that is in one is asked again. That is rare and short.
 * RCU cannot replace this: some handlers run where RCU does not
 * watch. cpus_read_lock() keeps CPUs from going on- or offline, as a CPU that
 * does so takes no such interrupt. Model: tests/models/quiesce.pml; its barriers:
 * tests/litmus/quiesce-before.litmus, quiesce-after.litmus.
 *
 * Context: process context, sleeps.
 */
void kpt_arch_quiesce(void)
{
	cpus_read_lock();
	kpt_arch_quiesce_cpus_locked();
	cpus_read_unlock();
}

/**
 * kpt_arch_may_be_type() - can the word before a function be its kCFI type?
 * @addr: address of the word
 * @function: address of the function's first instruction
 *
 * The word is code if it is a RET, an unlikely type hash. With
 * CONFIG_ARM64_BTI_KERNEL it is also code if the function does not begin with a
 * landing pad: nothing can call such a function through a pointer.
 *
 * Context: process context, kpt_mutex held.
 * Return: true if the word can be a type.
 */
bool kpt_arch_may_be_type(unsigned long addr, unsigned long function)
{
	struct kpt_insn insn;

	if (!KPT_KCFI)
		return false;
	kpt_insn_decode(kpt_patch_bare(addr), &insn);
	if (insn.flags & KPT_INSN_RET)
		return false;
	if (!IS_ENABLED(CONFIG_ARM64_BTI_KERNEL))
		return true;
	kpt_insn_decode(kpt_patch_bare(function), &insn);
	return insn.flags & KPT_INSN_LANDING;
}

/**
 * kpt_arch_status() - say how BRKs are received, and what probes can be
 * @sb: lines "name: value" are appended
 *
 * Context: process context.
 */
void kpt_arch_status(struct kpt_strbuf *sb)
{
	kpt_hook_status(sb);
	kpt_jump_status(sb);
	kpt_recorder_status(sb);
	kpt_patch_status(sb);
	kpt_mem_status(sb);
	kpt_xol_status(sb);
	kpt_ksyms_status(sb);
}

/**
 * kpt_arch_mode_name() - name of a mode as kprobes/list shows it
 * @mode: the mode
 *
 * Context: any.
 * Return: a constant string.
 */
const char *kpt_arch_mode_name(enum kpt_mode mode)
{
	static const char * const names[] = {
		[KPT_MODE_SIMULATED] = "simulated",
		[KPT_MODE_BOOSTED] = "boosted",
		[KPT_MODE_STEPPED] = "stepped",
		[KPT_MODE_STUB] = "stub",
		[KPT_MODE_JUMP] = "jump",
	};

	return names[mode];
}
