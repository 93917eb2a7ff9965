// SPDX-License-Identifier: GPL-2.0-only
/*
 * Addresses that must not be probed, whatever the instruction there.
 *
 * A kernel with kprobes knows best what its exception path needs: it is asked.
 * A kernel without has no list, but the same code: then names are compared
 * with a list kept here. patchsites.c knows the addresses that others patch.
 */
#include "kernel/compat.h"
#include <linux/kallsyms.h>
#include <linux/slab.h>
#include "kernel/blacklist.h"
#include "kernel/ksyms.h"
#include "kernel/patchsites.h"

/**
 * struct section - text that handles exceptions, or runs without the kernel
 * @name: as the linker script calls it
 * @start_symbol: symbol at its start
 * @end_symbol: symbol behind it
 * @start: its first address, 0 if this kernel has no such section
 * @end: the one behind it
 */
struct section {
	const char *name;
	const char *start_symbol;
	const char *end_symbol;
	unsigned long start;
	unsigned long end;
};

static struct section sections[] = {
	{ ".entry.text", "__entry_text_start", "__entry_text_end" },
	{ ".irqentry.text", "__irqentry_text_start", "__irqentry_text_end" },
	{ ".kprobes.text", "__kprobes_text_start", "__kprobes_text_end" },
	{ ".noinstr.text", "__noinstr_text_start", "__noinstr_text_end" },
	{ ".idmap.text", "__idmap_text_start", "__idmap_text_end" },
	{ ".hyp.text", "__hyp_text_start", "__hyp_text_end" },
	{ ".hyp.idmap.text", "__hyp_idmap_text_start", "__hyp_idmap_text_end" },
	/* Run at another address than this: a branch would lead astray. */
	{ ".entry.tramp.text", "__entry_tramp_text_start",
	  "__entry_tramp_text_end" },
	{ ".hibernate_exit.text", "__hibernate_exit_text_start",
	  "__hibernate_exit_text_end" },
	{ ".kexec_relocate.text", "__relocate_new_kernel_start",
	  "__relocate_new_kernel_end" },
};

/*
 * Functions that run between a BRK and the moment nesting is known, or between
 * that of a fault and its fix-up, or without a kernel around them; and those
 * that change text. Without the suffixes compilers add. Sorted.
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
 * Functions that run while the CPU's vectors are not those of the kernel, which
 * the blacklist of the kernel's own kprobes does not know: before a CPU that
 * comes up or back has a stack and vectors and, until 5.16, variables of its own;
 * where kexec has copied it to; and, where the kernel runs at EL2, while those of
 * KVM are there for a guest. A name that ends in _ stands for all that begin like
 * it.
 */
static const char * const no_vectors[] = {
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
	"__kvm_adjust_pc",
	"__kvm_skip_instr",
	"__secondary_switched",
	"__secondary_too_slow",
	"__sve_restore_state",
	"__sve_save_state",
	"__sysreg_restore_el1_state",
	"__sysreg_restore_vel2_state",
	"__sysreg_save_vel2_state",
	"__translate_far_to_hpfar",
	"__vgic_v2_perform_cpuif_access",
	"__vgic_v3_",
	"_cpu_resume",
	"arm64_relocate_new_kernel",
	"compute_emulated_cntx_ctl_el0",
	"enter_exception32",
	"enter_exception64",
	"finalise_el2",
	"fixup_guest_exit",
	"fixup_nv_guest_exit",
	"hyp_panic",
	"kvm_condition_valid32",
	"kvm_hyp_handle_",
	"kvm_skip_instr32",
	"kvm_unexpected_el2_exception",
	"secondary_start_kernel",
	"set_cpu_boot_mode_flag",
	"switch_to_vhe",
};

/*
 * What is called on the way from a BRK to us where lockdep, its checks of RCU
 * and the latency tracers are told of each exception. The blacklist of the
 * kernel's own kprobes does not know these either.
 */
static const char * const told[] = {
	"__memset", "__pi_memset", "memset",
	"preempt_schedule_notrace",
	"rcu_is_watching",
};

/* The kernel has such functions. */
static bool irqs_are_traced;

/* Functions that return once more, from suspend, by the address they saved. */
static const char * const returns_twice[] = {
	"__cpu_suspend_enter",
};

static int refuse(struct kpt_diag *diag, enum kpt_diag_code code,
		  const char *detail)
{
	kpt_diag_set(diag, code, 0, 0);
	if (detail)
		kpt_diag_detail(diag, detail);
	return -EINVAL;
}

/**
 * kpt_blacklist_check_text() - is there an instruction of somebody else's?
 * @addr: the address
 * @diag: on refusal the one exact reason
 *
 * While kpt_mutex is held it stays there.
 *
 * Text of a module can be relied on until the module watch was told that it goes,
 * which is after its state says so.
 *
 * Context: process context, kpt_mutex held.
 * Return: 0 or -EINVAL.
 */
int kpt_blacklist_check_text(unsigned long addr, struct kpt_diag *diag)
{
	struct module *mod;
	int err = 0;

	if (addr & 3)
		return refuse(diag, KPT_E_NOT_ALIGNED, NULL);
	if (kpt_ksyms.core_kernel_text(addr))
		return 0;
	preempt_disable();
	mod = kpt_ksyms.module_text_address(addr);
	if (!mod)
		err = refuse(diag, KPT_E_NOT_TEXT, NULL);
	else if (mod == THIS_MODULE)
		err = refuse(diag, KPT_E_OWN_TEXT, NULL);
	else if (mod->state == MODULE_STATE_GOING)
		err = refuse(diag, KPT_E_GOING_TEXT, mod->name);
	else if (within_module_init(addr, mod) &&
		 mod->state != MODULE_STATE_COMING)
		err = refuse(diag, KPT_E_INIT_TEXT, mod->name);
	preempt_enable();
	return err;
}

static int check_sections(unsigned long addr, struct kpt_diag *diag)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(sections); i++)
		if (addr >= sections[i].start && addr < sections[i].end)
			return refuse(diag, KPT_E_BAD_SECTION,
				      sections[i].name);
	return 0;
}

/* The name at an address, none if there is none. */
static void name_of(unsigned long addr, char name[KSYM_NAME_LEN])
{
	if (kpt_ksyms.lookup_symbol_name(addr, name))
		name[0] = '\0';
}

static bool matches(const char *name, const char *listed)
{
	size_t len = strlen(listed);

	return !strncmp(name, listed, len) &&
	       (!name[len] || listed[len - 1] == '_');
}

/* Compilers make foo.isra.0 and foo.cold out of foo: compare up to the dot. */
static bool is_listed(char *name, const char * const *list, unsigned int nr)
{
	strreplace(name, '.', '\0');
	while (nr--)
		if (matches(name, list[nr]))
			return true;
	return false;
}

static int check_names(unsigned long addr, struct kpt_diag *diag)
{
	char name[KSYM_NAME_LEN];

	name_of(addr, name);
	if (kpt_ksyms.within_kprobe_blacklist &&
	    kpt_ksyms.within_kprobe_blacklist(addr))
		return refuse(diag, KPT_E_KPROBE_BLACKLIST, name);
	if (is_listed(name, no_vectors, ARRAY_SIZE(no_vectors)))
		return refuse(diag, KPT_E_NO_VECTORS, name);
	if ((irqs_are_traced && is_listed(name, told, ARRAY_SIZE(told))) ||
	    (!kpt_ksyms.within_kprobe_blacklist &&
	     is_listed(name, names, ARRAY_SIZE(names))))
		return refuse(diag, KPT_E_OWN_BLACKLIST, name);
	return 0;
}

/**
 * kpt_blacklist_check_hook() - may a function's return address be replaced?
 * @addr: its entry
 * @diag: on refusal the one exact reason
 *
 * Context: process context.
 * Return: 0 or -EINVAL.
 */
int kpt_blacklist_check_hook(unsigned long addr, struct kpt_diag *diag)
{
	char name[KSYM_NAME_LEN];

	name_of(addr, name);
	if (is_listed(name, returns_twice, ARRAY_SIZE(returns_twice)))
		return refuse(diag, KPT_E_RETURNS_TWICE, name);
	return 0;
}

/**
 * kpt_blacklist_check() - may this address be probed at all?
 * @addr: the address
 * @diag: on refusal the one exact reason, with the owner's name if there is one
 *
 * Knows the text sections that take and return from exceptions, our own
 * text, addresses with exception table entries, the kernel's own kprobe
 * blacklist, and the sites others patch.
 *
 * Context: process context, may sleep.
 * Return: 0 or -EINVAL.
 */
int kpt_blacklist_check(unsigned long addr, struct kpt_diag *diag)
{
	int err;

	err = kpt_blacklist_check_text(addr, diag);
	if (!err)
		err = check_sections(addr, diag);
	if (!err)
		err = check_names(addr, diag);
	if (!err)
		err = kpt_patchsites_check(addr, diag);
	return err;
}

static void show_range(struct seq_file *m, unsigned long start,
		       unsigned long end, const char *name)
{
	bool may_see = file_ns_capable(m->file, &init_user_ns, CAP_SYSLOG);

	seq_printf(m, "0x%px-0x%px\t%s\n", may_see ? (void *)start : NULL,
		   may_see ? (void *)end : NULL, name);
}

static void show_name(struct seq_file *m, const char *name, bool always)
{
	unsigned long addr = kpt_ksyms_addr(name), size, offset;

	if (!addr || !kpt_ksyms.lookup_size_offset(addr, &size, &offset))
		return;
	if (!always && kpt_ksyms.within_kprobe_blacklist &&
	    !kpt_ksyms.within_kprobe_blacklist(addr))
		return;
	show_range(m, addr, addr + size, name);
}

/**
 * kpt_blacklist_seq_show() - the ranges, as kprobes/blacklist shows them
 * @m: where to
 *
 * Context: process context.
 */
void kpt_blacklist_seq_show(struct seq_file *m)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(sections); i++)
		if (sections[i].start < sections[i].end)
			show_range(m, sections[i].start, sections[i].end,
				   sections[i].name);
	for (i = 0; i < ARRAY_SIZE(names); i++)
		show_name(m, names[i], false);
	for (i = 0; i < ARRAY_SIZE(no_vectors); i++)
		show_name(m, no_vectors[i], true);
	for (i = 0; irqs_are_traced && i < ARRAY_SIZE(told); i++)
		show_name(m, told[i], true);
}

/**
 * kpt_blacklist_init() - look up sections and names
 *
 * Context: module load, after kpt_ksyms_init().
 * Return: 0 or -errno.
 */
int kpt_blacklist_init(void)
{
	struct section *s;

	for (s = sections; s < sections + ARRAY_SIZE(sections); s++) {
		s->start = kpt_ksyms_addr(s->start_symbol);
		s->end = kpt_ksyms_addr(s->end_symbol);
	}
	irqs_are_traced = kpt_ksyms_addr("trace_hardirqs_off_finish");
	return 0;
}
