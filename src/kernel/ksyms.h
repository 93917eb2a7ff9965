/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Functions of the kernel that the module does not link to, found by name at load. The table
 * is ksyms_table.h.
 */
#ifndef KPTRACE_KSYMS_H
#define KPTRACE_KSYMS_H

#include <linux/bug.h>
#include <linux/extable.h>
#include <linux/ftrace.h>
#include <linux/hardirq.h>
#include <linux/jump_label.h>
#include <linux/kallsyms.h>
#include <linux/kernel.h>
#include <linux/kprobes.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/perf_event.h>
#include <linux/sched/stat.h>
#include <linux/stacktrace.h>
#include <linux/trace_events.h>
#include <linux/uaccess.h>
#include "kernel/compat.h"
#include "lib/base/strbuf.h"

struct cred;
struct file;
struct pipe_inode_info;

/*
 * Prototypes of those that kernels do not declare for modules, at least in some of their
 * configurations; where a kernel does, both have to be the same.
 */
struct bug_entry *find_bug(unsigned long addr);
unsigned long kallsyms_lookup_name(const char *name);
int kallsyms_lookup_size_offset(unsigned long addr, unsigned long *size, unsigned long *offset);
int lookup_symbol_name(unsigned long addr, char *name);
int kallsyms_on_each_match_symbol(int (*fn)(void *, unsigned long), const char *name,
				  void *data);
bool kallsyms_show_value(const struct cred *cred);
bool within_kprobe_blacklist(unsigned long addr);
unsigned long ftrace_location(unsigned long addr);
int jump_label_text_reserved(void *start, void *end);
int static_call_text_reserved(void *start, void *end);
/* Calls the callback for each address, until the callback returns false. */
void arch_stack_walk(bool (*fn)(void *, unsigned long), void *data, struct task_struct *task,
		     struct pt_regs *regs);
unsigned long ftrace_graph_ret_addr(struct task_struct *task, int *index, unsigned long ret,
				    unsigned long *at);
unsigned long kretprobe_find_ret_addr(struct task_struct *task, void *fp,
				      struct llist_node **at);
const char *preempt_model_str(void);
long strncpy_from_kernel_nofault(char *dst, const void *from, long count);
long strncpy_from_user_nofault(char *dst, const void __user *from, long count);
long copy_from_user_nofault(void *dst, const void __user *from, size_t size);
long copy_to_kernel_nofault(void *to, const void *from, size_t size);
int aarch64_insn_patch_text_nosync(void *addr, u32 insn);
void arch_wb_cache_pmem(void *addr, size_t size);
void *__vmalloc_node_range_noprof(unsigned long size, unsigned long align,
				  unsigned long start, unsigned long end, gfp_t gfp,
				  pgprot_t prot, unsigned long flags, int node,
				  const void *caller);
int reserve_mem_find_by_name(const char *name, phys_addr_t *start, phys_addr_t *size);
u32 arch_timer_get_rate(void);
void ct_nmi_enter(void);
void ct_nmi_exit(void);
void rcu_momentary_eqs(void);
ssize_t copy_splice_read(struct file *in, loff_t *pos, struct pipe_inode_info *pipe,
			 size_t len, unsigned int flags);
void trace_event_read_lock(void);
void trace_event_read_unlock(void);
void tracing_reset_all_online_cpus(void);
void tracing_reset_all_online_cpus_unlocked(void);
int kpt_perf_allow_tracepoint(void);

/* Where the entries branch to; kpt_ksym_none if this kernel has no such function. */
#define KPT_KSYM(name, without) extern void *kpt_to_##name##_at;
#define KPT_KSYM_AS(name, names, without) extern void *kpt_to_##name##_at;
#define KPT_KSYM_DATA(name, without) extern void *kpt_to_##name##_at;
#define KPT_KSYM_KEY(name) DECLARE_STATIC_KEY_FALSE(name);
#include "kernel/ksyms_table.h"
#undef KPT_KSYM
#undef KPT_KSYM_AS
#undef KPT_KSYM_DATA
#undef KPT_KSYM_KEY
extern void *const kpt_ksym_none;

/* Does this kernel have a function of the table? Before kpt_ksyms_init() it has none. */
#define kpt_has(function)	KPT_HAS(function)
#define KPT_HAS(entry)		(entry##_at != kpt_ksym_none)

/* The walk over a stack: arch_stack_walk(), or what arch/ makes of one that tells frames. */
#if KPT_HAVE_WALK_STACKFRAME
#define kpt_has_stack_walk()	kpt_has(walk_stackframe)
#define kpt_stack_walk		kpt_arch_walk
#else
#define kpt_has_stack_walk()	kpt_has(arch_stack_walk)
#define kpt_stack_walk		arch_stack_walk
#endif

/* The address of a variable of the table, NULL if this kernel does not tell it. */
#define kpt_ksym_data(variable)	KPT_DATA(variable)
#define KPT_DATA(entry)		((typeof(&entry))entry##_at)

int kpt_ksyms_init(void);
unsigned long kpt_ksyms_addr(const char *name);
unsigned long kpt_ksyms_any(const char *names);

/* Is called for symbols; another value than 0 ends the search. */
typedef int (*kpt_symbol_found_t)(void *data, const char *name,
				  unsigned long addr);
void kpt_ksyms_visit_modules(int (*visit)(void *data, const struct module *mod), void *data);
void kpt_ksyms_in_modules(const char *module, const char *name,
			  kpt_symbol_found_t found, void *data);
bool kpt_ksyms_in_kernel(kpt_symbol_found_t found, void *data);
void kpt_ksyms_renamed(const char *name, kpt_symbol_found_t found, void *data);
bool kpt_ksyms_has_syslog(const struct file *file);
bool kpt_ksyms_may_show(const struct file *file);
void kpt_ksyms_status(struct kpt_strbuf *sb);

#endif
