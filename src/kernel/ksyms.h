/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Kernel functions that modules cannot link to, found by name at load.
 *
 * Each pointer has exactly the type of its function (taken from the kernel's own
 * declaration if there is one), so that calls through the pointer pass kCFI.
 */
#ifndef KPTRACE_KSYMS_H
#define KPTRACE_KSYMS_H

#include <linux/bug.h>
#include <linux/extable.h>
#include <linux/ftrace.h>
#include <linux/jump_label.h>
#include <linux/kallsyms.h>
#include <linux/kernel.h>
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/perf_event.h>
#include <linux/sched/stat.h>
#include <linux/trace_events.h>
#include <linux/uaccess.h>
#include "kernel/compat.h"
#include "lib/base/strbuf.h"

struct cred;
struct file;

/* For the PMU. Nothing of perf is linked to, so that a kernel may lack it. */
#ifdef CONFIG_PERF_EVENTS
#define KPT_KSYMS_PERF(X)                                                      \
	X(perf_pmu_register, typeof(&perf_pmu_register), "perf_pmu_register",  \
	  "perf cannot listen to events")                                      \
	X(perf_pmu_unregister, typeof(&perf_pmu_unregister),                   \
	  "perf_pmu_unregister", "perf cannot listen to events")               \
	X(perf_tp_event, typeof(&perf_tp_event), "perf_tp_event",              \
	  "perf cannot listen to events")                                      \
	X(perf_recursion, typeof(&perf_swevent_get_recursion_context),         \
	  "perf_swevent_get_recursion_context",                                \
	  "perf cannot listen to events")                                      \
	X(perf_allow_tracepoint, int (*)(void), "perf_allow_tracepoint",       \
	  "raw data for perf needs CAP_PERFMON, whatever perf_event_paranoid says") \
	X(sysfs_add_file, typeof(&sysfs_add_file_to_group),                    \
	  "sysfs_add_file_to_group", "perf cannot listen to events")           \
	X(sysfs_remove_file, typeof(&sysfs_remove_file_from_group),            \
	  "sysfs_remove_file_from_group", "perf cannot listen to events")
#else
#define KPT_KSYMS_PERF(X)
#endif

/* For bridges. 5.10 exports few of these. */
#ifdef KPT_BRIDGES
#define KPT_KSYMS_BRIDGE(X)                                                    \
	X(trace_add_event_call, typeof(&trace_add_event_call),                 \
	  "trace_add_event_call", "events cannot be bridged")                  \
	X(trace_remove_event_call, typeof(&trace_remove_event_call),           \
	  "trace_remove_event_call", "events cannot be bridged")               \
	X(tracing_reset, void (*)(void), "tracing_reset_all_online_cpus",      \
	  "the kernel's rings keep records of bridges that are gone")          \
	X(tracing_reset_unlocked, void (*)(void),                              \
	  "tracing_reset_all_online_cpus_unlocked",                            \
	  "the kernel's rings keep records of bridges that are gone")          \
	X(perf_buf_alloc, typeof(&perf_trace_buf_alloc),                       \
	  "perf_trace_buf_alloc", "events cannot be bridged")                  \
	X(perf_submit, typeof(&perf_trace_run_bpf_submit),                     \
	  "perf_trace_run_bpf_submit", "events cannot be bridged")
#else
#define KPT_KSYMS_BRIDGE(X)
#endif

/*
 * X(member, type of the pointer, names in order of preference, what is lost without
 * the symbol; NULL if the module cannot work without it)
 */
#define KPT_KSYMS(X)                                                           \
	X(lookup_name, unsigned long (*)(const char *),                        \
	  "kallsyms_lookup_name", NULL)                                        \
	X(lookup_size_offset,                                                  \
	  int (*)(unsigned long, unsigned long *, unsigned long *),            \
	  "kallsyms_lookup_size_offset", NULL)                                 \
	X(lookup_symbol_name, int (*)(unsigned long, char *),                  \
	  "lookup_symbol_name", NULL)                                          \
	X(on_each_match, int (*)(int (*)(void *, unsigned long), const char *, \
				 void *),                                      \
	  "kallsyms_on_each_match_symbol",                                     \
	  "names are looked up by walking over all symbols")                   \
	X(on_each_symbol, typeof(&kallsyms_on_each_symbol),                    \
	  "kallsyms_on_each_symbol",                                           \
	  "many names are looked up one by one")                               \
	X(strncpy_from_kernel_nofault, typeof(&strncpy_from_kernel_nofault),   \
	  "strncpy_from_kernel_nofault", NULL)                                 \
	X(strncpy_from_user_nofault, typeof(&strncpy_from_user_nofault),       \
	  "strncpy_from_user_nofault", NULL)                                   \
	X(core_kernel_text, typeof(&core_kernel_text),                         \
	  "core_kernel_text", NULL)                                            \
	X(module_text_address, typeof(&__module_text_address),                 \
	  "__module_text_address", NULL)                                       \
	X(search_exception_tables, typeof(&search_exception_tables),           \
	  "search_exception_tables", NULL)                                     \
	X(find_module, typeof(&find_module), "find_module", NULL)              \
	X(module_address, typeof(&__module_address), "__module_address", NULL) \
	X(find_bug, struct bug_entry *(*)(unsigned long), "find_bug",          \
	  "the kernel has no table of BUG and WARN addresses")                 \
	X(within_kprobe_blacklist, bool (*)(unsigned long),                    \
	  "within_kprobe_blacklist",                                           \
	  "the kernel has no kprobes: kptrace's own blacklist alone is used")  \
	X(get_kprobe, typeof(&get_kprobe), "get_kprobe",                       \
	  "the kernel has no kprobes that could know our branches")            \
	X(ftrace_location, unsigned long (*)(unsigned long),                   \
	  "ftrace_location", "the kernel has no ftrace locations")             \
	X(jump_label_reserved, int (*)(void *, void *),                        \
	  "jump_label_text_reserved", "the kernel has no jump labels")         \
	X(static_call_reserved, int (*)(void *, void *),                       \
	  "static_call_text_reserved", "the kernel has no static call sites")  \
	X(stack_walk, kpt_stack_walk_t, "arch_stack_walk",                     \
	  "no stack traces")                                                   \
	X(show_value, bool (*)(const struct cred *), "kallsyms_show_value",    \
	  "addresses are shown with CAP_SYSLOG, whatever kptr_restrict says")  \
	X(preempt_model_str, const char *(*)(void), "preempt_model_str",       \
	  "latency-format tells what the kernel was configured for")           \
	X(rcu_nmi_enter, void (*)(void), "ct_nmi_enter|rcu_nmi_enter",         \
	  "a stub cannot make RCU watch an idle CPU")                         \
	X(rcu_nmi_exit, void (*)(void), "ct_nmi_exit|rcu_nmi_exit",            \
	  "a stub cannot make RCU watch an idle CPU")                         \
	X(graph_ret_addr, unsigned long (*)(struct task_struct *, int *,       \
					    unsigned long, unsigned long *),   \
	  "ftrace_graph_ret_addr",                                             \
	  "the kernel has no function graph tracer that replaces callers")     \
	X(kretprobe_ret_addr, unsigned long (*)(struct task_struct *, void *,  \
						struct llist_node **),         \
	  "kretprobe_find_ret_addr",                                           \
	  "the caller of a function with a kretprobe is shown as that")        \
	X(event_read_lock, void (*)(void), "trace_event_read_lock",            \
	  "the kernel's static events cannot be listed")                       \
	X(event_read_unlock, void (*)(void), "trace_event_read_unlock",        \
	  "the kernel's static events cannot be listed")                       \
	KPT_KSYMS_BRIDGE(X)                                                    \
	KPT_KSYMS_PERF(X)                                                      \
	X(sched_setscheduler_nocheck, typeof(&sched_setscheduler_nocheck),     \
	  "sched_setscheduler_nocheck",                                        \
	  "threads of timerlat have priority 50, not 95")                      \
	X(nr_running, typeof(&nr_running), "nr_running",                       \
	  "a task that dies is not looked at before slots are used again")     \
	X(patch_text, int (*)(void *, u32),                                    \
	  "aarch64_insn_patch_text_nosync", NULL)                              \
	X(write_nofault, typeof(&copy_to_kernel_nofault),                      \
	  "copy_to_kernel_nofault",                                            \
	  "stubs and slots are written word by word")                          \
	X(clean, void (*)(void *, size_t), "arch_wb_cache_pmem",               \
	  "records for the next boot are cleaned to the point of coherency")   \
	X(vmalloc_range, kpt_vmalloc_range_t,                                  \
	  "__vmalloc_node_range_noprof|__vmalloc_node_range", NULL)

/* Calls the callback for each address, until the callback returns false. */
struct task_struct;
typedef void (*kpt_stack_walk_t)(bool (*)(void *, unsigned long), void *,
				 struct task_struct *, struct pt_regs *);
typedef void *(*kpt_vmalloc_range_t)(unsigned long, unsigned long,
				     unsigned long, unsigned long, gfp_t,
				     pgprot_t, unsigned long, int,
				     const void *);

#define KPT_KSYM_MEMBER(member, type, names, without) typeof(type) member;
/** struct kpt_ksyms - the functions; NULL if this kernel has no such symbol */
struct kpt_ksyms {
	KPT_KSYMS(KPT_KSYM_MEMBER)
};
#undef KPT_KSYM_MEMBER

/* Only kpt_ksyms_init() writes it. */
extern struct kpt_ksyms kpt_ksyms;

int kpt_ksyms_init(void);
unsigned long kpt_ksyms_addr(const char *name);
unsigned long kpt_ksyms_any(const char *names);

/* Is called for symbols; another value than 0 ends the search. */
typedef int (*kpt_symbol_found_t)(void *data, const char *name,
				  unsigned long addr);
void kpt_ksyms_in_modules(const char *module, const char *name,
			  kpt_symbol_found_t found, void *data);
bool kpt_ksyms_in_kernel(kpt_symbol_found_t found, void *data);
bool kpt_ksyms_may_show(const struct file *file);
void kpt_ksyms_status(struct kpt_strbuf *sb);

#endif
