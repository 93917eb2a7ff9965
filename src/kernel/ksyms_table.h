/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Functions of the kernel that the module does not link to: those that are not exported, and
 * those that a kernel may keep from modules (TRIM_UNUSED_KSYMS; scripts/exports.list has what
 * is left). They are found by name at load.
 *
 * KPT_KSYM(function, what is lost without it; NULL if the module cannot work then)
 * KPT_KSYM_AS(function, its names in kernels, the first one that exists is it; what is lost)
 *
 * Code calls @function by its name and prototype: kpt_names.h, which is made of these rows and
 * included first everywhere, replaces the name by that of an entry in ksyms_entry.S, also in
 * the kernel's own declaration, which so says the type. A call goes straight to the entry, and
 * from there to the function, so that no kind of CFI has anything to check. What is not needed
 * is only called after kpt_has(); without that it would return 0.
 *
 * KPT_KSYM_DATA(variable, what is lost without it)
 *
 * A variable has its name only in kernels with KALLSYMS_ALL, so it is linked to where it is
 * exported: by a weak symbol, which may be missing. kpt_ksym_data() has its address, or NULL.
 *
 * KPT_KSYM_KEY(static key)
 *
 * A key that inline functions of headers test, and that kernels keep from modules: the name
 * becomes that of a key of the module, which arch/arm64/mte.c sets as the kernel's is.
 *
 * Each row begins a line, which names the function; of other lines, only those of the
 * preprocessor that are true or not before any header reach kpt_names.h.
 */

/* Symbols and text. The first one finds all others. */
KPT_KSYM(kallsyms_lookup_name, NULL)
KPT_KSYM(kallsyms_lookup_size_offset, NULL)
KPT_KSYM(lookup_symbol_name, NULL)
KPT_KSYM(kallsyms_on_each_match_symbol, "names are looked up by walking over all symbols")
KPT_KSYM(kallsyms_on_each_symbol, "many names are looked up one by one")
KPT_KSYM(kallsyms_show_value, "addresses are shown with CAP_SYSLOG, whatever kptr_restrict says")
KPT_KSYM(core_kernel_text, NULL)
KPT_KSYM(__module_text_address, NULL)
KPT_KSYM(__module_address, NULL)
KPT_KSYM(find_module, NULL)
KPT_KSYM(search_exception_tables, NULL)
KPT_KSYM(find_bug, "the kernel has no table of BUG and WARN addresses")
KPT_KSYM(within_kprobe_blacklist,
	 "the kernel has no kprobes: kptrace's own blacklist alone is used")
KPT_KSYM(get_kprobe, "the kernel has no kprobes that could know our branches")
#ifdef CONFIG_KPROBES
KPT_KSYM(kprobe_blacklist_seq_start, "the kernel's blacklist is asked word by word")
KPT_KSYM(kprobe_blacklist_seq_next, "the kernel's blacklist is asked word by word")
KPT_KSYM_AS(kprobe_blacklist_seq_stop, "kprobe_blacklist_seq_stop|kprobe_seq_stop",
	    "the kernel's blacklist is asked word by word")
#endif
KPT_KSYM(ftrace_location, "the kernel has no ftrace locations")
KPT_KSYM(jump_label_text_reserved, "the kernel has no jump labels")
KPT_KSYM(static_call_text_reserved, "the kernel has no static call sites")
#if KPT_HAVE_WALK_STACKFRAME
KPT_KSYM(walk_stackframe, "no stack traces")
#else
KPT_KSYM(arch_stack_walk, "no stack traces")
#endif
KPT_KSYM(ftrace_graph_ret_addr,
	 "the kernel has no function graph tracer that replaces callers")
KPT_KSYM(kretprobe_find_ret_addr,
	 "the caller of a function with a kretprobe is shown as that")
KPT_KSYM(preempt_model_str, "latency-format tells what the kernel was configured for")

/* Memory: reading, writing, changing text. */
KPT_KSYM_AS(strncpy_from_kernel_nofault, "strncpy_from_kernel_nofault|strncpy_from_unsafe", NULL)
KPT_KSYM_AS(strncpy_from_user_nofault, "strncpy_from_user_nofault|strncpy_from_unsafe_user", NULL)
KPT_KSYM_AS(copy_from_user_nofault, "copy_from_user_nofault|probe_user_read", NULL)
KPT_KSYM_AS(copy_to_kernel_nofault, "copy_to_kernel_nofault|probe_kernel_write",
	    "stubs and slots are written word by word")
KPT_KSYM(aarch64_insn_patch_text_nosync, NULL)
KPT_KSYM(read_sanitised_ftr_reg, NULL)
KPT_KSYM(arch_wb_cache_pmem,
	 "records for the next boot are cleaned to the point of coherency")
KPT_KSYM_AS(__vmalloc_node_range_noprof, "__vmalloc_node_range_noprof|__vmalloc_node_range",
	    NULL)
#ifdef CONFIG_MEMCG
KPT_KSYM(get_mem_cgroup_from_mm, "memory of user events is charged to the task that writes")
#endif
KPT_KSYM(mmput_async, NULL)
#if KPT_HAVE_PIN
KPT_KSYM(unpin_user_pages_dirty_lock, NULL)
#endif
KPT_KSYM(fixup_user_fault, NULL)
KPT_KSYM(region_intersects, "records are kept for no other boot")
KPT_KSYM(reserve_mem_find_by_name, "persist= knows no names of reserve_mem=")
KPT_KSYM(efi_mem_type, "persist= asks the device tree what RAM is")

/* Breakpoints, time, tasks, RCU. */
KPT_KSYM(register_kernel_break_hook, "the kernel's dispatch of BRKs is redirected")
KPT_KSYM(unregister_kernel_break_hook, "the kernel's dispatch of BRKs is redirected")
#ifndef CONFIG_HAVE_HW_BREAKPOINT
KPT_KSYM(enable_debug_monitors, "no events on data")
KPT_KSYM(disable_debug_monitors, "no events on data")
#endif
KPT_KSYM(arch_timer_get_rate, "the rate of the counter is that of CNTFRQ_EL0")
KPT_KSYM(ktime_get_raw_fast_ns, NULL)
KPT_KSYM(ktime_get_boot_fast_ns, NULL)
#if KPT_HAVE_TAI_FAST
KPT_KSYM(ktime_get_tai_fast_ns, NULL)
#endif
KPT_KSYM_AS(ct_nmi_enter, "ct_nmi_enter|rcu_nmi_enter",
	    "a stub cannot make RCU watch an idle CPU")
KPT_KSYM_AS(ct_nmi_exit, "ct_nmi_exit|rcu_nmi_exit",
	    "a stub cannot make RCU watch an idle CPU")
KPT_KSYM(rcu_is_watching, NULL)
KPT_KSYM_AS(rcu_momentary_eqs, "rcu_momentary_eqs|rcu_momentary_dyntick_idle",
	    "RCU waits for a CPU that samples noise")
#ifdef CONFIG_TASKS_RCU
KPT_KSYM(synchronize_rcu_tasks, NULL)
#endif
#ifdef CONFIG_TASKS_TRACE_RCU
KPT_KSYM(rcu_tasks_trace_qs_blkd, "RCU-tasks has no list of readers that slept")
KPT_KSYM(rcu_trc_cmpxchg_need_qs, "RCU-tasks has no list of readers that slept")
#endif
#ifdef CONFIG_SMP
KPT_KSYM(migrate_disable, "threads of tracers may leave their CPUs")
KPT_KSYM(migrate_enable, "threads of tracers may leave their CPUs")
#endif
KPT_KSYM_DATA(__irq_regs, "no events of a clock")
KPT_KSYM(sched_setscheduler_nocheck, "threads of timerlat have priority 50, not 95")
KPT_KSYM(nr_running, "a task that dies is not looked at before slots are used again")
#ifdef CONFIG_SOFTLOCKUP_DETECTOR
KPT_KSYM(touch_softlockup_watchdog, "a long dump may be called a lockup")
#endif

/* Library. */
KPT_KSYM(siphash_1u64, NULL)
KPT_KSYM(sort_r, NULL)
KPT_KSYM(refcount_dec_if_one, NULL)
KPT_KSYM(wait_for_random_bytes, NULL)
KPT_KSYM(__xa_erase, NULL)
#if KPT_HAVE_FORTIFY_FUNCTION && defined(CONFIG_FORTIFY_SOURCE)
KPT_KSYM(fortify_panic, NULL)
#endif

#ifdef CONFIG_KASAN_HW_TAGS
KPT_KSYM_KEY(mte_async_mode)
KPT_KSYM_KEY(mte_async_or_asymm_mode)
#endif

/* Permissions. */
#if !KPT_HAVE_CREDS_INLINE
KPT_KSYM(override_creds, NULL)
KPT_KSYM(revert_creds, NULL)
#endif
KPT_KSYM(__put_cred, NULL)
KPT_KSYM(file_ns_capable, NULL)
#ifdef CONFIG_SECURITY
KPT_KSYM(security_locked_down, NULL)
#endif
#ifdef CONFIG_AUDITSYSCALL
KPT_KSYM(__audit_inode_child, NULL)
#endif

/* Files and file systems. */
KPT_KSYM(filp_open, NULL)
KPT_KSYM(file_open_root, NULL)
KPT_KSYM(kernel_read, NULL)
#if KPT_HAVE_SEQ_READ_ITER
KPT_KSYM(seq_read_iter, NULL)
KPT_KSYM_AS(copy_splice_read, "copy_splice_read|generic_file_splice_read", NULL)
#else
/* The other one wants files that are read through iterators. */
KPT_KSYM_AS(copy_splice_read, "default_file_splice_read", NULL)
#endif
KPT_KSYM(splice_to_pipe, "trace_pipe_raw is read, not spliced")
KPT_KSYM_DATA(nosteal_pipe_buf_ops, "trace_pipe_raw is read, not spliced")
KPT_KSYM(noop_fsync, NULL)
KPT_KSYM(generic_read_dir, NULL)
KPT_KSYM(simple_statfs, NULL)
KPT_KSYM(simple_setattr, NULL)
KPT_KSYM(setattr_prepare, NULL)
#if KPT_HAVE_RECURSIVE_REMOVAL
KPT_KSYM(simple_recursive_removal, NULL)
#else
KPT_KSYM(clear_nlink, NULL)
KPT_KSYM(drop_nlink, NULL)
#endif
KPT_KSYM(d_alloc_name, NULL)
KPT_KSYM(d_invalidate, NULL)
KPT_KSYM(d_splice_alias, NULL)
#if !KPT_HAVE_MAKE_PERSISTENT
KPT_KSYM(shrink_dcache_parent, NULL)
KPT_KSYM(kill_litter_super, NULL)
#endif
KPT_KSYM(clear_inode, NULL)
KPT_KSYM(truncate_inode_pages_final, NULL)
KPT_KSYM(get_next_ino, NULL)
KPT_KSYM(inc_nlink, NULL)
KPT_KSYM(set_nlink, NULL)
#if KPT_HAVE_INODE_SET_CTIME && !KPT_HAVE_INODE_INIT_TS
KPT_KSYM(inode_set_ctime_current, NULL)
#endif
#ifdef CONFIG_FSNOTIFY
KPT_KSYM(fsnotify, NULL)
#endif
KPT_KSYM(get_fs_type, NULL)
KPT_KSYM(get_tree_single, NULL)
KPT_KSYM(fs_context_for_submount, NULL)
KPT_KSYM(fc_mount, NULL)
KPT_KSYM(put_fs_context, NULL)
#if KPT_HAVE_OPTIONS_LIST
KPT_KSYM(__fs_parse, NULL)
KPT_KSYM(fs_param_is_u32, NULL)
#endif
#if KPT_HAVE_VFS_SUBMOUNT
KPT_KSYM(mntget, NULL)
#endif
KPT_KSYM(sysfs_create_mount_point, NULL)
KPT_KSYM(sysfs_remove_mount_point, NULL)
KPT_KSYM(debugfs_create_automount, "nothing is mounted at /sys/kernel/debug/kptrace")
KPT_KSYM(register_sysrq_key, "no key of sysrq dumps the trace")
KPT_KSYM(unregister_sysrq_key, "no key of sysrq dumps the trace")

/* The kernel's own tracing: static events, bridges. */
#ifdef CONFIG_EVENT_TRACING
KPT_KSYM(trace_event_read_lock, "the kernel's static events cannot be listed")
KPT_KSYM(trace_event_read_unlock, "the kernel's static events cannot be listed")
KPT_KSYM(trace_put_event_file, "the kernel's static events cannot be listed")
KPT_KSYM(tracing_reset_all_online_cpus,
	 "the kernel's rings keep records of bridges that are gone")
KPT_KSYM(tracing_reset_all_online_cpus_unlocked,
	 "the kernel's rings keep records of bridges that are gone")
KPT_KSYM(trace_add_event_call, "events cannot be bridged")
KPT_KSYM(trace_remove_event_call, "events cannot be bridged")
KPT_KSYM(trace_define_field, "events cannot be bridged")
KPT_KSYM(register_trace_event, "events cannot be bridged")
KPT_KSYM(unregister_trace_event, "events cannot be bridged")
KPT_KSYM(perf_trace_buf_alloc, "events cannot be bridged")
KPT_KSYM(perf_trace_run_bpf_submit, "events cannot be bridged")
#endif

/* The PMU. */
#ifdef CONFIG_PERF_EVENTS
KPT_KSYM(perf_pmu_register, "perf cannot listen to events")
KPT_KSYM(perf_pmu_unregister, "perf cannot listen to events")
KPT_KSYM(perf_tp_event, "perf cannot listen to events")
KPT_KSYM(perf_swevent_get_recursion_context, "perf cannot listen to events")
KPT_KSYM_AS(kpt_perf_allow_tracepoint, "perf_allow_tracepoint",
	    "raw data for perf needs CAP_PERFMON, whatever perf_event_paranoid says")
KPT_KSYM(sysfs_add_file_to_group, "perf cannot listen to events")
KPT_KSYM(sysfs_remove_file_from_group, "perf cannot listen to events")
#endif
