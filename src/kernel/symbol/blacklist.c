// SPDX-License-Identifier: GPL-2.0-only
/*
 * Addresses that must not be probed, whatever the instruction there: text that
 * handles exceptions or runs without the kernel's vectors, words that other
 * parts of the kernel patch, and words that only look like text.
 *
 * A kernel with kprobes knows which functions its exception path needs, so its own
 * kprobe blacklist is used. A kernel without kprobes has the same functions but no
 * list: there @names is used instead.
 */
#include "kernel/compat.h"
#include <linux/kallsyms.h>
#include <linux/sizes.h>
#include <linux/slab.h>
#include "kernel/symbol/blacklist.h"
#include "kernel/symbol/coming.h"
#include "kernel/ksyms.h"
#include "kernel/lock.h"
#include "kernel/symbol/suspect.h"
#include "kernel/symbol/symbol.h"
#include "kernel/symbol/symbol_many.h"
#include "arch.h"

/**
 * struct blacklist_section - a section whose text handles exceptions, or runs
 * without the kernel's vectors
 * @name: name in the linker script
 * @start_symbol: symbol at its start
 * @end_symbol: symbol at its end
 * @start: its first address, 0 if this kernel has no such section
 * @end: the address after its last byte
 */
struct blacklist_section {
	const char *name;
	const char *start_symbol;
	const char *end_symbol;
	unsigned long start;
	unsigned long end;
};

static struct blacklist_section sections[] = {
	{ ".entry.text", "__entry_text_start", "__entry_text_end" },
	{ ".irqentry.text", "__irqentry_text_start", "__irqentry_text_end" },
	{ ".kprobes.text", "__kprobes_text_start", "__kprobes_text_end" },
	{ ".noinstr.text", "__noinstr_text_start", "__noinstr_text_end" },
	{ ".idmap.text", "__idmap_text_start", "__idmap_text_end" },
	{ ".hyp.text", "__hyp_text_start", "__hyp_text_end" },
	{ ".hyp.idmap.text", "__hyp_idmap_text_start", "__hyp_idmap_text_end" },
	/* These run at another address: our relative branch would go wrong there. */
	{ ".entry.tramp.text", "__entry_tramp_text_start",
	  "__entry_tramp_text_end" },
	{ ".hibernate_exit.text", "__hibernate_exit_text_start",
	  "__hibernate_exit_text_end" },
	{ ".kexec_relocate.text", "__relocate_new_kernel_start",
	  "__relocate_new_kernel_end" },
};

/*
 * Functions that run between a BRK and the place where kptrace counts its nesting,
 * between a fault and its fix-up, or outside of the kernel's normal environment;
 * and functions that change text. Names have no suffix of the compiler. Sorted.
 */
static const char * const names[] = {
	"__aarch64_insn_write",
	"__activate_traps",
	"__check_al", "__check_cc", "__check_cs", "__check_eq", "__check_ge",
	"__check_gt", "__check_hi", "__check_le", "__check_ls", "__check_lt",
	"__check_mi", "__check_ne", "__check_pl", "__check_vc", "__check_vs",
	"__deactivate_traps",
	"__hyp_call_panic",
	"__kvm_vcpu_run_vhe",
	"__rcu_irq_enter_check_tick",
	"__sdei_asm_handler",
	"__sdei_handler_abort",
	"aarch32_break_handler",
	"aarch64_insn_encode_immediate",
	"aarch64_insn_gen_branch_imm",
	"aarch64_insn_patch_text",
	"aarch64_insn_patch_text_cb",
	"aarch64_insn_patch_text_nosync",
	"aarch64_insn_read",
	"aarch64_insn_write",
	"arch_ftrace_ops_list_func",
	"arm64_nmi_cpu_stop",
	"atomic_notifier_call_chain",
	"atomic_notifier_call_chain_robust",
	"breakpoint_handler",
	"brk_handler",
	"bsearch",
	"call_break_hook",
	"call_el1_break_hook",
	"call_on_irq_stack",
	"call_step_hook",
	"clear_user_regs_spsr_ss",
	"cortex_a76_erratum_1463225_debug_handler",
	"cpu_switch_to",
	"ct_user_enter",
	"ct_user_exit",
	"debug_exception_enter",
	"debug_exception_exit",
	"debug_exception_level",
	"disable_debug_monitors",
	"do_breakpoint",
	"do_cp15instr",
	"do_debug_exception",
	"do_el0_irq_bp_hardening",
	"do_el1_brk64",
	"do_el1_bti",
	"do_el1_fpac",
	"do_el1_softstep",
	"do_mem_abort",
	"do_page_fault",
	"do_sdei_event",
	"do_sp_pc_abort",
	"do_sysinstr",
	"do_translation_fault",
	"do_undefinstr",
	"do_watchpoint",
	"enable_debug_monitors",
	"ftrace_ops_assist_func",
	"ftrace_ops_list_func",
	"invoke_sdei_fn",
	"kernel_active_single_step",
	"kernel_disable_single_step",
	"kernel_enable_single_step",
	"mdscr_read",
	"mdscr_write",
	"nmi_cpu_backtrace",
	"notifier_call_chain",
	"notify_die",
	"patch_map",
	"preempt_schedule",
	"read_wb_reg",
	"reinstall_suspended_bps",
	"ret_from_fork",
	"return_address",
	"save_return_addr",
	"sdei_api_event_context",
	"sdei_event_handler",
	"sdei_event_signal",
	"sdei_smccc_hvc",
	"sdei_smccc_smc",
	"set_user_regs_spsr_ss",
	"single_step_handler",
	"sysreg_restore_guest_state_vhe",
	"sysreg_restore_host_state_vhe",
	"sysreg_save_guest_state_vhe",
	"sysreg_save_host_state_vhe",
	"toggle_bp_registers",
	"trace_hardirqs_off",
	"trace_hardirqs_off_finish",
	"trace_hardirqs_on",
	"trace_hardirqs_on_prepare",
	"try_handle_aarch32_break",
	"try_step_suspended_breakpoints",
	"unwind",
	"unwind_frame",
	"unwind_next",
	"user_disable_single_step",
	"user_enable_single_step",
	"user_enter_callable",
	"user_exit_callable",
	"user_rewind_single_step",
	"walk_stackframe",
	"write_wb_reg",
};

/*
 * Functions that run while the CPU's vectors are not those of the kernel, and
 * that are not in the kernel's own kprobe blacklist: functions that run before a
 * CPU that boots or resumes has a stack, vectors and (until 5.16) per-CPU
 * variables; functions that kexec copies to another address; and, if the kernel
 * runs at EL2, what runs while KVM's vectors are installed for a guest: all that
 * __kvm_vcpu_run_vhe() calls, directly or not, and the code of these vectors, in which
 * SP_EL0 is the guest's and not the current task, so that a probe that is a branch
 * faults, too. Some are inline functions, which compilers put out of line for size. A name
 * that ends in _ matches all names that begin with it.
 */
static const char * const no_vectors[] = {
	"___ctxt_sys_reg",
	"___vgic_v3_",
	"__activate_cptr_traps",
	"__activate_cptr_traps_vhe",
	"__bp_harden_hyp_vecs",
	"__deactivate_cptr_traps_vhe",
	"__debug_restore_state",
	"__debug_save_state",
	"__debug_switch_to_guest",
	"__debug_switch_to_host",
	"__fpsimd_restore_state",
	"__fpsimd_save_state",
	"__get_fault_info",
	"__gic_v3_get_lr",
	"__gic_v3_set_lr",
	"__guest_enter",
	"__guest_exit",
	"__guest_exit_panic",
	"__guest_exit_restore_elr_and_panic",
	"__hpfar_valid",
	"__is_be",
	"__kern_my_cpu_offset",
	"__kvm_adjust_pc",
	"__kvm_flush_cpu_context",
	"__kvm_flush_vm_context",
	"__kvm_hyp_vector",
	"__kvm_skip_instr",
	"__kvm_tlb_flush_vmid",
	"__kvm_tlb_flush_vmid_",
	"__kvm_tlbi_s1e2",
	"__preempt_count_",
	"__secondary_switched",
	"__secondary_too_slow",
	"__sve_restore_state",
	"__sve_save_state",
	"__sysreg_restore_el1_state",
	"__sysreg_restore_vel2_state",
	"__sysreg_save_vel2_state",
	"__tlbi_level",
	"__translate_far_to_hpfar",
	"__vcpu_debug_regs",
	"__vcpu_read_sys_reg_from_cpu",
	"__vcpu_write_sys_reg_to_cpu",
	"__vgic_v2_perform_cpuif_access",
	"__vgic_v3_",
	"__vgic_v5_",
	"_cpu_resume",
	"abort_guest_exit_",
	"arch_timer_read_cntpct_el0",
	"arm64_relocate_new_kernel",
	"compute_counter_value",
	"compute_emulated_cntx_ctl_el0",
	"cpu_has_amu",
	"ctxt_",
	"effective_tbi",
	"el1_error",
	"el1_fiq",
	"el1_irq",
	"el1_sync",
	"el1_trap",
	"el2_error",
	"el2_sync",
	"el2h_",
	"el2t_",
	"enter_exception32",
	"enter_exception64",
	"enter_vmid_context",
	"exit_vmid_context",
	"finalise_el2",
	"fixup_guest_exit",
	"fixup_nv_guest_exit",
	"get_timer_map",
	"guest_owns_fp_regs",
	"has_cntpoff",
	"hyp_panic",
	"ipas2e1",
	"ipas2e1is",
	"is_hyp_ctxt",
	"is_nested_ctxt",
	"is_nested_nv3_ctxt",
	"kvm_auth_eretax",
	"kvm_condition_valid32",
	"kvm_get_running_vcpu",
	"kvm_hyp_handle_",
	"kvm_skip_instr32",
	"kvm_unexpected_el2_exception",
	"kvm_vcpu_apply_reg_masks",
	"locate_direct_register",
	"locate_mapped_el2_register",
	"locate_register",
	"secondary_start_kernel",
	"set_cpu_boot_mode_flag",
	"switch_to_vhe",
	"system_supports_pmuv3",
	"vae2is",
	"vcpu_el2_e2h_is_set",
	"vcpu_el2_tge_is_set",
	"vcpu_has_nv",
	"vcpu_read_sys_reg",
	"vcpu_sanitised_cptr_el2",
	"vcpu_write_sys_reg",
	"vgic_ich_",
	"vserror_state_is_nested",
	"wa_epilogue",
};

/*
 * Functions that are called between a BRK and our handler if lockdep, its checks of
 * RCU, or the latency tracers trace each exception: they walk the stack for the callers, and
 * are often built with KASAN. They are not in the kernel's own kprobe blacklist either. Some
 * are inline functions, which the compiler puts out of line in such a kernel. A name that ends
 * in _ matches all names that begin with it.
 */
static const char * const irq_tracing[] = {
	"__asan_",
	"__kern_my_cpu_offset",
	"__memset", "__pi_memset", "__pi_memset_",
	"__percpu_",
	"kasan_check_range",
	"memset",
	"preempt_count",
	"preempt_schedule_notrace",
	"rcu_is_watching",
	"stackinfo_get_",
	"unwind_",
};

/* The kernel traces exceptions, so @irq_tracing must not be probed. */
static bool irqs_are_traced;

/*
 * The kernel has livepatch, which needs reliable stack walks: while a return address
 * is replaced, a walk does not find the function's caller on the task's stack.
 */
static bool has_livepatch;

/* Functions that save their return address and return to it again after suspend. */
static const char * const returns_twice[] = {
	"__cpu_suspend_enter",
};

/*
 * Entered by returns of functions that the kernel traces. x30 is no return address there: it
 * tells which function that is.
 */
static const char * const traced_by_x30[] = {
	"arch_rethook_trampoline",
};

/*
 * What functions that the kernel traces call, and return to: no functions, but labels in one
 * piece of code. The kernel patches the words at some of them, whatever is there, and has no
 * table of these. A name that ends in _ matches all names that begin with it.
 */
static const char * const ftrace_entry[] = {
	"_mcount",
	"ftrace_call",
	"ftrace_caller",
	"ftrace_caller_",
	"ftrace_common",
	"ftrace_common_",
	"ftrace_graph_call",
	"ftrace_graph_caller",
	"ftrace_regs_caller",
	"ftrace_regs_caller_",
	"ftrace_stub",
	"ftrace_stub_",
	"return_to_handler",
};

static int blacklist_refuse(struct kpt_diag *diag, enum kpt_diag_code code,
			    const char *detail)
{
	if (!diag)
		return -EINVAL;
	kpt_diag_set(diag, code, 0, 0);
	if (detail)
		kpt_diag_detail(diag, detail);
	return -EINVAL;
}

static int blacklist_check_sections(unsigned long addr, struct kpt_diag *diag)
{
	const struct blacklist_section *s;

	for (s = sections; s < sections + ARRAY_SIZE(sections); s++)
		if (addr >= s->start && addr < s->end)
			return blacklist_refuse(diag, KPT_E_BAD_SECTION,
						s->name);
	return 0;
}

/**
 * kpt_blacklist_check_text() - is an address in text that stays, and may be read?
 * @addr: the address
 * @diag: on refusal the one exact reason; or NULL
 *
 * Accepts text of the kernel and of modules, except our own, that stays while
 * kpt_mutex is held, see kpt_module_is_usable(). Sections that cannot be probed are
 * refused: with protected KVM the kernel must not even read the text of the hypervisor.
 *
 * Context: process context, kpt_mutex held.
 * Return: 0 or -EINVAL.
 */
int kpt_blacklist_check_text(unsigned long addr, struct kpt_diag *diag)
{
	struct module *mod;
	int err = 0;

	lockdep_assert_held(&kpt_mutex);
	if (addr & 3)
		return blacklist_refuse(diag, KPT_E_NOT_ALIGNED, NULL);
	if (core_kernel_text(addr))
		return blacklist_check_sections(addr, diag);
	preempt_disable();
	mod = __module_text_address(addr);
	if (!mod)
		err = blacklist_refuse(diag, KPT_E_NOT_TEXT, NULL);
	else if (mod == THIS_MODULE)
		err = blacklist_refuse(diag, KPT_E_OWN_TEXT, NULL);
	else if (mod->state == MODULE_STATE_GOING)
		err = blacklist_refuse(diag, KPT_E_GOING_TEXT, mod->name);
	else if (!kpt_module_is_usable(mod))
		err = blacklist_refuse(diag, KPT_E_COMING_TEXT, mod->name);
	else if (within_module_init(addr, mod) &&
		 mod->state != MODULE_STATE_COMING)
		err = blacklist_refuse(diag, KPT_E_INIT_TEXT, mod->name);
	preempt_enable();
	return err;
}

/* Compilers rename foo to foo.isra.0 or foo.cold: compare up to the dot. */
static bool blacklist_matches(const char *name, const char *listed)
{
	for (; *listed; name++, listed++)
		if (*name != *listed)
			return false;
	return !*name || *name == '.' || listed[-1] == '_';
}

/*
 * Functions whose first instruction is replaced when a static event, or one on data, is used
 * for the first time: a probe that is there already would not let it. See
 * arch/arm64/entry/kernel_records.c, arch/arm64/watch/watch_perf.c.
 */
static const char * const redirected[] = {
	"hw_breakpoint_add",
	"trace_event_buffer_commit",
	"trace_event_buffer_reserve",
};

static bool blacklist_has(const char * const *list, unsigned int nr, const char *name)
{
	while (nr--)
		if (blacklist_matches(name, list[nr]))
			return true;
	return false;
}

/* Without kprobes the kernel has no blacklist of its own. */
static bool blacklist_is_alone(void)
{
	return !kpt_has(within_kprobe_blacklist);
}

/**
 * struct blacklist_names - a list of names
 * @list: the names; one that ends in _ matches all names that begin with it
 * @nr: number of names
 * @code: why they cannot be probed
 * @applies: does this kernel have to refuse them? NULL: all kernels have
 */
struct blacklist_names {
	const char * const *list;
	unsigned int nr;
	enum kpt_diag_code code;
	bool (*applies)(void);
};

/* It has none, or one with entries of tables in place of functions, see suspect.c. */
static bool blacklist_has_gaps(void)
{
	return KPT_CFI_TABLES || blacklist_is_alone();
}

static bool blacklist_irqs_are_traced(void)
{
	return irqs_are_traced;
}

/*
 * Exception entry and return call these around all else, where PAN is done by page tables
 * (ARM64_SW_TTBR0_PAN): a BRK there would be taken without end. They are in no section for such
 * code, nor in the kernel's own blacklist.
 */
static const char * const entry_calls[] = {
	"__swpan_",
};

/* The kernel reads the instructions of these when it changes where they lead. */
static const char * const static_calls[] = {
	"__SCT__",
};

#define NAMES(list, code, applies) { list, ARRAY_SIZE(list), code, applies }
static const struct blacklist_names lists[] = {
	NAMES(no_vectors, KPT_E_NO_VECTORS, NULL),
	NAMES(redirected, KPT_E_REDIRECTED, NULL),
	NAMES(ftrace_entry, KPT_E_FTRACE_ENTRY, NULL),
	NAMES(static_calls, KPT_E_STATIC_CALL, NULL),
	NAMES(entry_calls, KPT_E_OWN_BLACKLIST, NULL),
	NAMES(irq_tracing, KPT_E_OWN_BLACKLIST, blacklist_irqs_are_traced),
	NAMES(names, KPT_E_OWN_BLACKLIST, blacklist_has_gaps),
};

/* How names of @lists that apply begin: all have BEGIN_CHARS characters or more. */
#define BEGIN_CHARS	5
#define BEGIN_BITS	8192
static DECLARE_BITMAP(begins, BEGIN_BITS);

static unsigned int blacklist_begin(const char *name)
{
	unsigned int i, hash = 0;

	for (i = 0; i < BEGIN_CHARS && name[i]; i++)
		hash = hash * 37 + name[i];
	return hash % BEGIN_BITS;
}

static bool blacklist_applies(const struct blacklist_names *l)
{
	return !l->applies || l->applies();
}

static void blacklist_note_begins(void)
{
	const struct blacklist_names *l;
	unsigned int i;

	for (l = lists; l < lists + ARRAY_SIZE(lists); l++)
		for (i = 0; blacklist_applies(l) && i < l->nr; i++)
			__set_bit(blacklist_begin(l->list[i]), begins);
}

/* Is a name in one of the lists above that apply to this kernel? */
static enum kpt_diag_code blacklist_code_of(const char *name)
{
	const struct blacklist_names *l;

	/* Few others begin as one of them. */
	if (!test_bit(blacklist_begin(name), begins))
		return KPT_E_NONE;
	for (l = lists; l < lists + ARRAY_SIZE(lists); l++)
		if (blacklist_applies(l) && blacklist_has(l->list, l->nr, name))
			return l->code;
	return KPT_E_NONE;
}

static bool blacklist_is_listed(const char *name)
{
	return blacklist_code_of(name) != KPT_E_NONE;
}

static noinline int blacklist_check_suspect(unsigned long addr, struct kpt_diag *diag)
{
	char name[KSYM_NAME_LEN];
	enum kpt_diag_code code;

	kpt_symbol_name(addr, name);
	if (!kpt_symbol_module_is_plain(addr) && kpt_kprobe_refuses(addr))
		return blacklist_refuse(diag, KPT_E_KPROBE_BLACKLIST, name);
	code = blacklist_code_of(name);
	if (code == KPT_E_NONE)
		return 0;
	name[strcspn(name, ".")] = '\0';
	return blacklist_refuse(diag, code, name);
}

static int blacklist_check_names(unsigned long addr, struct kpt_diag *diag)
{
	return kpt_is_suspect(addr, blacklist_is_listed) ?
		blacklist_check_suspect(addr, diag) : 0;
}

/*
 * The next three make the kernel search all its tables, so they first check that the
 * word is one that such a site can hold: a NOP or a call; a BRK; a NOP or a branch.
 */
static bool blacklist_is_ftrace(unsigned long addr, u32 word)
{
	return kpt_has(ftrace_location) &&
	       (kpt_insn_is_nop(word) || kpt_insn_is_bl(word)) &&
	       ftrace_location(addr) == addr;
}

static bool blacklist_is_bug(unsigned long addr, u32 word)
{
	return kpt_has(find_bug) && kpt_insn_is_brk(word) &&
	       find_bug(addr);
}

static bool blacklist_is_jump_label(unsigned long addr, u32 word)
{
	return kpt_has(jump_label_text_reserved) &&
	       (kpt_insn_is_nop(word) || kpt_insn_is_b(word)) &&
	       jump_label_text_reserved((void *)addr, (void *)addr);
}

static bool blacklist_is_static_call(unsigned long addr)
{
	return kpt_has(static_call_text_reserved) &&
		static_call_text_reserved((void *)addr, (void *)addr);
}

/* Address of the next function if it is at most @within bytes away, else 0. */
static unsigned long blacklist_next(unsigned long addr, unsigned int within)
{
	unsigned long start, size, next;

	if (kpt_symbol_range(addr, &start, &size))
		return 0;
	next = start + size;
	return next - addr <= within ? next : 0;
}

/*
 * The words right before a function may be ftrace's prefix and its kCFI type.
 * kallsyms counts them as part of the previous function. Only functions that ftrace
 * knows have a prefix.
 */
static int blacklist_check_prefix(unsigned long addr, struct kpt_diag *diag)
{
	unsigned long next, prefix = 0;

	if (!KPT_ARCH_FTRACE_PREFIX && !KPT_KCFI)
		return 0;
	next = blacklist_next(addr, KPT_ARCH_FTRACE_PREFIX + 4);
	if (!next)
		return 0;
	if (KPT_ARCH_FTRACE_PREFIX && kpt_has(ftrace_location) &&
	    ftrace_location(next))
		prefix = KPT_ARCH_FTRACE_PREFIX;
	if (next - addr <= prefix)
		return kpt_diag_set(diag, KPT_E_FTRACE_PREFIX, 0, -EINVAL);
	if (next - addr == prefix + 4 && kpt_arch_may_be_type(addr, next))
		return kpt_diag_set(diag, KPT_E_CFI_HASH, 0, -EINVAL);
	return 0;
}

/*
 * An instruction with an exception table entry must not run in a slot: the kernel
 * finds the fix-up by the PC of the fault, which is another one there. Alternatives
 * may be probed: they are patched before the text can be probed, and never again.
 */
static int blacklist_check_sites(unsigned long addr, struct kpt_diag *diag)
{
	u32 word = READ_ONCE(*(u32 *)addr);

	if (search_exception_tables(addr))
		return kpt_diag_set(diag, KPT_E_EXTABLE, 0, -EINVAL);
	if (blacklist_is_bug(addr, word))
		return kpt_diag_set(diag, KPT_E_BUG_SITE, 0, -EINVAL);
	if (blacklist_is_ftrace(addr, word))
		return kpt_diag_set(diag, KPT_E_FTRACE_SITE, 0, -EINVAL);
	if (blacklist_is_jump_label(addr, word))
		return kpt_diag_set(diag, KPT_E_JUMP_LABEL, 0, -EINVAL);
	if (blacklist_is_static_call(addr))
		return kpt_diag_set(diag, KPT_E_STATIC_CALL, 0, -EINVAL);
	return blacklist_check_prefix(addr, diag);
}

/**
 * kpt_blacklist_why_no_hooks() - why no return address can be replaced
 *
 * Context: any.
 * Return: the reason, or NULL if those of most functions can be.
 */
const char *kpt_blacklist_why_no_hooks(void)
{
	return has_livepatch ? "the kernel has livepatch" : NULL;
}

/**
 * kpt_blacklist_check_hook() - may a function's return address be replaced?
 * @addr: its entry
 * @diag: on refusal the one exact reason
 *
 * Context: process context, kpt_mutex held.
 * Return: 0 or -EINVAL.
 */
int kpt_blacklist_check_hook(unsigned long addr, struct kpt_diag *diag)
{
	char name[KSYM_NAME_LEN];

	if (has_livepatch)
		return kpt_diag_set(diag, KPT_E_LIVEPATCH, 0, -EINVAL);
	kpt_symbol_name(addr, name);
	name[strcspn(name, ".")] = '\0';
	if (blacklist_has(returns_twice, ARRAY_SIZE(returns_twice), name))
		return blacklist_refuse(diag, KPT_E_RETURNS_TWICE, name);
	if (blacklist_has(traced_by_x30, ARRAY_SIZE(traced_by_x30), name))
		return blacklist_refuse(diag, KPT_E_NO_RETURN_ADDRESS, name);
	return 0;
}

/**
 * kpt_blacklist_check() - may this address be probed at all?
 * @addr: the address
 * @diag: on refusal the one exact reason, with the name of the module, section or
 *	function if one is to blame
 *
 * Refuses: addresses that are not in text that stays, our own text, sections and
 * functions that handle exceptions or run without the kernel's vectors, the
 * kernel's own kprobe blacklist, exception table entries, BUG and WARN, ftrace's
 * locations, its data before functions and its own code, kCFI types, jump labels, and
 * static calls.
 *
 * Context: process context, may sleep, kpt_mutex held.
 * Return: 0 or -EINVAL.
 */
int kpt_blacklist_check(unsigned long addr, struct kpt_diag *diag)
{
	int err;

	err = kpt_blacklist_check_text(addr, diag);
	if (!err)
		err = blacklist_check_names(addr, diag);
	if (!err)
		err = blacklist_check_sites(addr, diag);
	return err;
}

static void blacklist_show_range(struct seq_file *m, unsigned long start,
				 unsigned long end, const char *name)
{
	bool may_see = kpt_ksyms_may_show(m->file);

	seq_printf(m, "0x%px-0x%px\t%s\n", may_see ? (void *)start : NULL,
		   may_see ? (void *)end : NULL, name);
}

/* A range of the kernel's own blacklist. Those in sections are not shown again. */
static int blacklist_show_refused(void *data, unsigned long start, unsigned long end)
{
	char name[KSYM_NAME_LEN];

	if (!blacklist_check_sections(start, NULL) && !lookup_symbol_name(start, name))
		blacklist_show_range(data, start, end, name);
	return seq_has_overflowed(data);
}

/* A symbol of the kernel's text, if its name is in one of the lists above. */
static int blacklist_show_listed(void *data, const char *name, unsigned long addr)
{
	unsigned long size, offset;

	if (blacklist_is_listed(name) && !blacklist_check_sections(addr, NULL) &&
	    kallsyms_lookup_size_offset(addr, &size, &offset))
		blacklist_show_range(data, addr, addr + size, name);
	return seq_has_overflowed(data);
}

/* Most kernels have no more text in one of these lists. */
#define BLACKLIST_TEXT	SZ_32K

/**
 * kpt_blacklist_seq_show() - print ranges for kprobes/blacklist
 * @m: the open file
 * @nth: which of KPT_BLACKLIST_ROWS lists of them. If a list has no room, it alone is made
 *	again
 *
 * Context: process context, sleeps.
 */
void kpt_blacklist_seq_show(struct seq_file *m, unsigned int nth)
{
	const struct blacklist_section *s;

	/* Until the buffer is empty, as those before it are handed out first, and has grown. */
	if (nth && (m->count || m->size < BLACKLIST_TEXT)) {
		seq_commit(m, -1);
		return;
	}
	for (s = sections; !nth && s < sections + ARRAY_SIZE(sections); s++)
		if (s->start < s->end)
			blacklist_show_range(m, s->start, s->end, s->name);
	if (nth == 1 && !blacklist_is_alone())
		kpt_each_kprobe_blacklisted(blacklist_show_refused, m);
	if (nth == 2)
		kpt_symbol_each_in_text(blacklist_show_listed, m);
}

/**
 * kpt_blacklist_init() - look up sections and names
 *
 * Context: module load, after kpt_ksyms_init().
 * Return: 0. Missing sections and names are no error.
 */
int kpt_blacklist_init(void)
{
	static const char livepatch[] = "klp_enable_patch";
	static const char irqs_traced[] = "trace_hardirqs_off_finish";
	struct kpt_symbol_many *many = kpt_symbol_many_make();
	struct blacklist_section *s;

	for (s = sections; s < sections + ARRAY_SIZE(sections); s++) {
		kpt_symbol_many_add(many, s->start_symbol);
		kpt_symbol_many_add(many, s->end_symbol);
	}
	kpt_symbol_many_add(many, livepatch);
	kpt_symbol_many_add(many, irqs_traced);
	kpt_symbol_many_walk(many);
	for (s = sections; s < sections + ARRAY_SIZE(sections); s++) {
		s->start = kpt_symbol_many_addr(many, s->start_symbol);
		s->end = kpt_symbol_many_addr(many, s->end_symbol);
	}
	has_livepatch = kpt_symbol_many_addr(many, livepatch);
	irqs_are_traced = kpt_symbol_many_addr(many, irqs_traced);
	kpt_symbol_many_free(many);
	blacklist_note_begins();
	return 0;
}

/**
 * kpt_blacklist_prepare() - be ready for KPT_BLACKLIST_MANY checks or more
 *
 * Context: process context, sleeps, takes kpt_mutex.
 */
void kpt_blacklist_prepare(void)
{
	kpt_suspects_prepare(blacklist_is_listed);
}

/**
 * kpt_blacklist_exit() - free what was made for many checks
 *
 * Context: module unload.
 */
void kpt_blacklist_exit(void)
{
	kpt_suspect_exit();
}
