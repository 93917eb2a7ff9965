// SPDX-License-Identifier: GPL-2.0-only
/*
 * Detects what a kernel's headers declare. The build compiles this file once, only
 * for its errors: an error in feature_<NAME>() makes KPT_HAVE_<NAME> 0, otherwise it
 * is 1. control_<NAME>() must compile, and missing_<NAME>() must not, on every
 * supported kernel; otherwise the detection itself is broken, and the build stops.
 * Each header has a control, which uses another of its declarations.
 */
#include <linux/capability.h>
#include <linux/cgroup.h>
#include <linux/context_tracking.h>
#include <linux/cred.h>
#include <linux/dcache.h>
#include <linux/fs.h>
#include <linux/fs_parser.h>
#include <linux/hrtimer.h>
#include <linux/module.h>
#include <linux/mm.h>
#include <linux/mount.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/seq_file.h>
#include <linux/syscore_ops.h>
#include <linux/sysctl.h>
#include <linux/sysrq.h>
#include <linux/timekeeping.h>
#include <linux/trace_events.h>
#include <linux/tracepoint.h>
#include <linux/uaccess.h>
#include <linux/vmalloc.h>
#include <trace/events/sched.h>
#include <trace/syscall.h>
#include <asm/cacheflush.h>
#include <asm/cpufeature.h>
#include <asm/debug-monitors.h>
#include <asm/ptrace.h>
#include <asm/stacktrace.h>

struct mnt_idmap;
struct user_namespace;
struct syscore;

/* Objects instead of macros: compilers report the line of an error outside macros. */
extern struct inode_operations *inode_ops;
extern struct inode *inode;
extern struct dentry *dentry;
extern struct dentry_operations *dentry_ops;
extern const struct qstr *qstr;
extern struct super_block *sb;
extern struct mnt_idmap *idmap;
extern struct user_namespace *userns;
extern struct task_struct *task;
extern struct mm_struct *mm;
extern struct page *page, **pages;
extern int *locked;
extern bool *unlocked;
extern struct file_system_type *fs_type;
extern const struct fs_parameter_spec *options;
extern struct ctl_table *sysctl;
extern struct break_hook *hook;
extern struct pt_regs *regs;
extern struct tracepoint *tracepoint;
extern struct vm_area_struct *vma;
extern struct vm_operations_struct *vm_ops;
extern struct trace_event_fields *event_fields;
extern struct trace_event_call *event_call;
extern struct trace_iterator *trace_iter;
extern struct syscall_metadata *syscall;
extern const struct sysrq_key_op *sysrq;

static void control_CAPABILITY(void) { (void)capable; }
static void control_CGROUP(void) { (void)cgroup_init; }
static void control_CONTEXT_TRACKING(void) { user_enter_irqoff(); }
static void control_CRED(void) { (void)current_cred(); }
static void control_DCACHE(void) { (void)d_instantiate; }
static void control_FS(void) { (void)iterate_dir; }
static void control_FS_PARSER(void) { (void)options->flags; }
static void control_HRTIMER(void) { (void)hrtimer_cancel; }
static void control_MODULE(void) { (void)THIS_MODULE->name; }
static void control_MM(void) { (void)get_user_pages_remote; (void)vm_ops->close; }
static void control_MOUNT(void) { (void)mntget; }
static void control_RCUPDATE(void) { (void)synchronize_rcu; }
static void control_SCHED(void) { (void)task->pid; }
static void control_SEQ_FILE(void) { (void)seq_lseek; }
static void control_SYSCORE(void) { (void)sizeof(struct syscore_ops); }
static void control_SYSCTL(void) { (void)sysctl->procname; }
static void control_SYSRQ(void) { (void)sysrq->help_msg; }
static void control_TIMEKEEPING(void) { (void)ktime_get_mono_fast_ns; }
static void control_CACHEFLUSH(void) { (void)flush_icache_range; }
static void control_DEBUG_MONITORS(void) { (void)sizeof(enum dbg_active_el); }
static void control_CPUFEATURE(void) { (void)this_cpu_has_cap; }
static void control_TRACEPOINT(void) { (void)tracepoint->funcs; }
static void control_TRACE_EVENTS(void) { (void)event_call->flags; }
static void control_UACCESS(void) { pagefault_disable(); }
static void control_VMALLOC(void) { (void)vfree; }
static void control_SYSCALL(void) { (void)syscall->nb_args; }
static void control_PTRACE(void) { (void)regs->pstate; }
static void control_STACKTRACE(void) { (void)dump_backtrace; }
static void control_TYPE(void)
{
	int (*type)(struct inode *, struct dentry *) = inode_ops->unlink;
}

static void missing_FUNCTION(void) { (void)kpt_missing; }
static void missing_MEMBER(void) { (void)task->kpt_missing; }
static void missing_STRUCT(void) { (void)sizeof(struct kpt_missing); }
static void missing_TYPE(void) { int (*type)(struct file *) = inode_ops->unlink; }
static void missing_POINTER(void) { (void)inode_ops->unlink(inode, inode); }
static void missing_RESULT(void) { char *t = inode_ops->unlink(inode, dentry); }

/* d_make_persistent() replaced d_add() and kill_litter_super() */
static void feature_MAKE_PERSISTENT(void) { (void)d_make_persistent; }

/* a function, no longer a member, has the operations of a superblock's names */
static void feature_DEFAULT_D_OP(void) { (void)set_default_d_op; }

/* d_revalidate gets the directory and the name too */
static void feature_REVALIDATE_NAME(void)
{
	(void)dentry_ops->d_revalidate(inode, qstr, dentry, 0);
}

/* one call sets the three times of a new inode */
static void feature_INODE_INIT_TS(void) { (void)simple_inode_init_ts; }

/* or at least the time of change, which has no field of that name any more */
static void feature_INODE_SET_CTIME(void) { (void)inode_set_ctime_current; }

/* what inode_operations.mkdir gets first, and that it returns a dentry */
static void feature_MKDIR_USERNS(void)
{
	(void)inode_ops->mkdir(userns, inode, dentry, 0);
}

static void feature_MKDIR_IDMAP(void)
{
	(void)inode_ops->mkdir(idmap, inode, dentry, 0);
}

static void feature_MKDIR_DENTRY(void)
{
	struct dentry *made = inode_ops->mkdir(idmap, inode, dentry, 0);
}

/* went when ->d_automount() began to return one reference instead of two */
static void feature_VFS_SUBMOUNT(void) { (void)vfs_submount; }

/* Since 5.14; before, file_open_root() takes a dentry and a mount. */
static void feature_FILE_OPEN_ROOT_MNT(void) { (void)file_open_root_mnt; }

/* BRK handlers can be registered */
static void feature_BREAK_HOOK(void) { (void)sizeof(struct break_hook); }

/* the type of an exception syndrome, before it became unsigned long */
static void feature_ESR_INT(void)
{
	int (*type)(struct pt_regs *, unsigned int) = hook->fn;
}

/* the name of pt_regs' field for the interrupt controller's priority mask */
static void feature_PMR_SAVE(void) { (void)regs->pmr_save; }

/* the callback of kallsyms_on_each_symbol() gets no module */
static void feature_KALLSYMS_WITHOUT_MODULE(void)
{
	int (*visit)(void *, const char *, unsigned long) = NULL;

	kallsyms_on_each_symbol(visit, NULL);
}

/* parts of a module by kind, instead of one for all that stays */
static void feature_MODULE_MEMORY(void) { (void)THIS_MODULE->mem[0].base; }

/* tasks that must not be moved count it */
static void feature_MIGRATE_DISABLE(void) { (void)task->migration_disabled; }

/* a clock in TAI that may be read in any context */
static void feature_TAI_FAST(void) { (void)ktime_get_tai_fast_ns; }

/* syscore callbacks take an argument */
static void feature_SYSCORE(void) { (void)sizeof(struct syscore); }

/* the handler of a sysctl does not change its table */
static void feature_SYSCTL_CONST(void)
{
	int (*type)(const struct ctl_table *, int, void *, size_t *, loff_t *) =
		sysctl->proc_handler;
}

/* a table of sysctls has a size, instead of an empty entry at its end */
static void feature_SYSCTL_SIZED(void) { (void)register_sysctl_sz; }

/* a tracepoint names a function that does nothing, of the type that it calls */
static void feature_TRACEPOINT_STUB(void) { (void)tracepoint->probestub; }

/* tracepoints leave preemption on when they call functions */
static void feature_TRACEPOINT_PREEMPTIBLE(void)
{
	(void)call_tracepoint_unregister_atomic;
}

/* the number of elements of an array in a static event is not in its type's text */
static void feature_EVENT_FIELD_LEN(void) { (void)event_fields->len; }

/* an event names its module in @module, no longer in @mod */
static void feature_EVENT_CALL_MODULE(void) { (void)event_call->module; }

/* events that are event probes of the kernel have a flag */
static void feature_EVENT_EPROBE(void) { (void)TRACE_EVENT_FL_EPROBE; }

/* events of system calls record what some arguments point to */
static void feature_SYSCALL_USER_MASK(void) { (void)syscall->user_mask; }

/* caches are cleaned for new code by a function of this name */
static void feature_CACHES_CLEAN(void) { (void)caches_clean_inval_pou; }

/* pages of another process are had without room for their mappings */
static void feature_PIN_WITHOUT_VMAS(void)
{
	get_user_pages_remote(mm, 0, 1, 0, pages, locked);
}

/* no task is charged for faults at memory that is not its own */
static void feature_FAULT_WITHOUT_TASK(void) { fixup_user_fault(mm, 0, 0, unlocked); }

/* the lock of the mappings of a process is taken by functions of these names */
static void feature_MMAP_LOCK(void) { mmap_read_lock(mm); }

/* pages of another process are looked for without a page fault */
static void feature_FOLL_NOFAULT(void) { (void)FOLL_NOFAULT; }

/* flags of a mapping are changed by functions */
static void feature_VM_FLAGS_MOD(void) { vm_flags_mod(vma, 0, 0); }

/* what is asked whether a mapping may be split has this name, no longer @split */
static void feature_VM_MAY_SPLIT(void) { (void)vm_ops->may_split; }

/* the handler of a sysrq key gets its letter as a byte */
static void feature_SYSRQ_U8(void)
{
	void (*handler)(u8) = sysrq->handler;
}

/* a function of this name prepares a timer */
static void feature_HRTIMER_SETUP(void) { (void)hrtimer_setup; }

/* credentials are replaced by functions of the header; if not so, the second line is wrong */
static void feature_CREDS_INLINE(void) { (void)override_creds; }
static const struct cred *override_creds(const struct cred *cred);

/* a function is called when memcpy() is wrong, under a name that is no macro */
static void feature_FORTIFY_FUNCTION(void) { (void)fortify_panic; }

/* the tracepoint of switches tells the state of the previous task */
static void feature_SWITCH_STATE(void)
{
	void (*type)(void *, bool, struct task_struct *, struct task_struct *,
		     unsigned int) = NULL;

	check_trace_callback_type_sched_switch(type);
}

/* the flags of a task and preempt_count() are loaded by one LDP */
static void feature_FLAGS_BESIDE_COUNT(void)
{
	char (*beside)[sizeof(u64)];
	char (*distance)[offsetof(struct thread_info, preempt_count) -
			 offsetof(struct thread_info, flags)];

	beside = distance;
}

/* a module says which of its text must not be probed */
static void feature_MODULE_BLACKLIST(void)
{
	(void)THIS_MODULE->noinstr_text_size;
}

/* copying what may fault has these names */
static void feature_NOFAULT(void) { (void)copy_from_kernel_nofault; }

/* a question of this name tells whether switches to user mode are tracked */
static void feature_CONTEXT_TRACKING(void) { (void)context_tracking_enabled(); }

/* what cannot change any more is asked by a function of this name */
static void feature_FINAL_CAP(void) { (void)cpus_have_final_cap(0); }

/* a capability for those who watch */
static void feature_PERFMON(void) { (void)perfmon_capable(); }

/* memory of the kernel's page tables is asked for without the protection of its pages */
static void feature_VMALLOC_PLAIN(void) { (void)__vmalloc(0, 0); }

/* the options of a file system are a list, without a description around it */
static void feature_OPTIONS_LIST(void) { fs_type->parameters = options; }

/* files that are made of lines are read through iterators */
static void feature_SEQ_READ_ITER(void) { (void)seq_read_iter; }

/* a tree of names is removed by one function */
static void feature_RECURSIVE_REMOVAL(void) { (void)simple_recursive_removal; }

/* a thread gets a priority of real time by name */
static void feature_SCHED_FIFO(void) { (void)sched_set_fifo; }

/* the number of a control group is asked for by a function of this name */
static void feature_CGROUP_ID(void) { (void)cgroup_id; }

/* a page that is pinned, not only referred to, is a kind of its own */
static void feature_PIN(void) { unpin_user_page(page); }

/* stacks are walked by a function that tells frames, not addresses */
static void feature_WALK_STACKFRAME(void)
{
	int (*take)(struct stackframe *, void *) = NULL;

	walk_stackframe(task, NULL, take, NULL);
}

/* a tracepoint names the function that calls all others */
static void feature_TRACEPOINT_ITERATOR(void) { (void)tracepoint->iterator; }

/* what makes the text of an event allocates a format, in which addresses are real */
static void feature_ITERATOR_FORMAT(void) { (void)trace_iter->fmt; }
