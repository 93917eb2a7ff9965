/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Differences between kernels, for code outside arch/.
 *
 * The build looks into the kernel's headers (see Kbuild) and defines
 * KPT_HAVE_<feature> as 1 or 0. Headers do not tell which symbols a kernel has:
 * symbols are looked up at load, see ksyms.h.
 */
#ifndef KPTRACE_COMPAT_H
#define KPTRACE_COMPAT_H

/* Log lines begin with the module's name, in every file. */
#undef pr_fmt
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/err.h>
#include <linux/fs.h>
#include <linux/module.h>
#include <linux/mount.h>
#include <linux/notifier.h>
#include <linux/sizes.h>
#include <linux/syscore_ops.h>
#include <linux/sysctl.h>
#include <linux/tracepoint-defs.h>

/*
 * The first parameter of inode_operations.mkdir and .setattr, and of functions like
 * them; the type of the result of mkdir.
 */
#if KPT_HAVE_MKDIR_IDMAP
#define KPT_MAP_PARAM	struct mnt_idmap *map,
#define KPT_MAP_ARG	map,
#elif KPT_HAVE_MKDIR_USERNS
#define KPT_MAP_PARAM	struct user_namespace *map,
#define KPT_MAP_ARG	map,
#else
#define KPT_MAP_PARAM
#define KPT_MAP_ARG
#endif

#if KPT_HAVE_MKDIR_DENTRY
typedef struct dentry *kpt_mkdir_t;
#define KPT_MKDIR_RESULT(err)	ERR_PTR(err)
#else
typedef int kpt_mkdir_t;
#define KPT_MKDIR_RESULT(err)	(err)
#endif

/* dentry_operations.d_revalidate: its parameters before the dentry. */
#if KPT_HAVE_REVALIDATE_NAME
#define KPT_REVALIDATE_PARAM	struct inode *dir, const struct qstr *name,
#else
#define KPT_REVALIDATE_PARAM
#endif

/** kpt_set_dentry_ops() - choose the operations of all names of a new superblock */
static inline void kpt_set_dentry_ops(struct super_block *sb,
				      const struct dentry_operations *ops)
{
#if KPT_HAVE_DEFAULT_D_OP
	set_default_d_op(sb, ops);
#else
	sb->s_d_op = ops;
#endif
}

/**
 * kpt_open_in_mount() - open a file by its path in a mount
 * @mnt: the mount
 * @path: the path, relative to the root of @mnt
 * @flags: of open()
 *
 * Return: the file, or ERR_PTR().
 */
static inline struct file *kpt_open_in_mount(struct vfsmount *mnt, const char *path,
					     int flags)
{
#if KPT_HAVE_FILE_OPEN_ROOT_MNT
	return file_open_root_mnt(mnt, path, flags, 0);
#else
	return file_open_root(mnt->mnt_root, mnt, path, flags, 0);
#endif
}

/** kpt_inode_init_ts() - set the three times of a new inode to now */
static inline void kpt_inode_init_ts(struct inode *inode)
{
#if KPT_HAVE_INODE_INIT_TS
	simple_inode_init_ts(inode);
#elif KPT_HAVE_INODE_SET_CTIME
	inode->i_atime = inode_set_ctime_current(inode);
	inode->i_mtime = inode->i_atime;
#else
	inode->i_atime = current_time(inode);
	inode->i_mtime = inode->i_atime;
	inode->i_ctime = inode->i_atime;
#endif
}

/**
 * kpt_dentry_add() - add a name, and pin it even while it is unused
 * @dentry: from d_alloc_name(); stays valid until it is removed
 * @inode: the inode that it names
 */
static inline void kpt_dentry_add(struct dentry *dentry, struct inode *inode)
{
#if KPT_HAVE_MAKE_PERSISTENT
	d_make_persistent(dentry, inode);
	dput(dentry);
#else
	d_add(dentry, inode);
#endif
}

/** kpt_dentry_remove() - the reverse of kpt_dentry_add(); the name is unhashed */
static inline void kpt_dentry_remove(struct dentry *dentry)
{
#if KPT_HAVE_MAKE_PERSISTENT
	d_make_discardable(dentry);
#else
	dput(dentry);
#endif
}

/* Remove a name with all below it, if the kernel has a function for that. */
#if KPT_HAVE_RECURSIVE_REMOVAL
#define kpt_remove_tree(top) simple_recursive_removal(top, NULL)
#endif

/* Files that are made of lines are read through iterators. */
#if KPT_HAVE_SEQ_READ_ITER
#define KPT_SEQ_ITERATORS 1
#endif

/** kpt_kill_sb() - file_system_type.kill_sb for names from kpt_dentry_add() */
static inline void kpt_kill_sb(struct super_block *sb)
{
#if KPT_HAVE_MAKE_PERSISTENT
	kill_anon_super(sb);
#else
	/* Unused names must not lose a reference that they do not have. */
	if (sb->s_root)
		shrink_dcache_parent(sb->s_root);
	kill_litter_super(sb);
#endif
}

/* How deep migrate_disable() is nested in the current task. */
#if KPT_HAVE_MIGRATE_DISABLE && defined(CONFIG_SMP)
#define kpt_migration_disabled() (current->migration_disabled)
#else
#define kpt_migration_disabled() 0
#endif

/**
 * kpt_pin_begin() - keep a thread of the kernel on its CPU, but not bound to it
 *
 * A bound thread can be moved to no cgroup. Without migrate_disable() that lets a task
 * sleep, the thread stays bound.
 *
 * Context: the thread itself, bound by kthread_bind().
 */
static inline void kpt_pin_begin(void)
{
#if KPT_HAVE_MIGRATE_DISABLE && defined(CONFIG_SMP)
	unsigned long flags;

	migrate_disable();
	raw_spin_lock_irqsave(&current->pi_lock, flags);
	current->flags &= ~PF_NO_SETAFFINITY;
	raw_spin_unlock_irqrestore(&current->pi_lock, flags);
#endif
}

/**
 * kpt_pin_end() - the reverse of kpt_pin_begin(), before the thread ends
 *
 * Context: the thread itself.
 */
static inline void kpt_pin_end(void)
{
#if KPT_HAVE_MIGRATE_DISABLE && defined(CONFIG_SMP)
	migrate_enable();
#endif
}

/*
 * The softirq count of code in the format of SOFTIRQ_MASK: is a softirq served, are
 * softirqs off? It is part of @preempt, the code's preempt_count(); with PREEMPT_RT
 * the task has a count of its own.
 */
#ifdef CONFIG_PREEMPT_RT
#define kpt_softirq_count(preempt) ((void)(preempt), softirq_count())
#else
#define kpt_softirq_count(preempt) ((preempt) & SOFTIRQ_MASK)
#endif

/*
 * How the kernel checks calls through pointers: by a hash of its type before each function's
 * first instruction (kCFI), or by tables of functions, which clang made before that. The
 * configuration has one name for both, so the compiler tells.
 */
#ifndef __has_feature
#define __has_feature(x) 0
#endif
#if defined(CONFIG_CFI) || __has_feature(kcfi)
#define KPT_KCFI 1
#else
#define KPT_KCFI 0
#endif
#define KPT_CFI_TABLES (IS_ENABLED(CONFIG_CFI_CLANG) && !KPT_KCFI)

/* A tracepoint names the function that calls all others. */
#define KPT_TRACEPOINT_IS_FUNCTION KPT_HAVE_TRACEPOINT_ITERATOR

/**
 * kpt_tracepoint_func() - what stands for a tracepoint in records
 * @tp: the tracepoint
 *
 * Return: the address of the function that calls all others; of @tp if it names none.
 */
static inline unsigned long kpt_tracepoint_func(const struct tracepoint *tp)
{
#if KPT_TRACEPOINT_IS_FUNCTION
	return (unsigned long)tp->iterator;
#else
	return (unsigned long)tp;
#endif
}

/**
 * kpt_tracepoint_stub() - the function that the kernel's own `t` events are at
 * @tp: the tracepoint
 *
 * Return: its address, 0 if the kernel does not tell one.
 */
static inline unsigned long kpt_tracepoint_stub(const struct tracepoint *tp)
{
#if KPT_HAVE_TRACEPOINT_STUB
	return (unsigned long)tp->probestub;
#else
	return 0;
#endif
}

/* What makes the text of an event allocates a format, in which addresses are real. */
#if KPT_HAVE_ITERATOR_FORMAT
#define kpt_iterator_format(iter) ((iter)->fmt)
#else
#define kpt_iterator_format(iter) NULL
#endif

/* The type of a field of a static event does not tell how long an array is. */
#if KPT_HAVE_EVENT_FIELD_LEN
#define KPT_EVENT_TYPES_LACK_LENGTH true
#define kpt_event_field_length(f) ((f)->len)
#else
#define KPT_EVENT_TYPES_LACK_LENGTH false
#define kpt_event_field_length(f) 0
#endif

/*
 * Which arguments of a system call point to what its event records, too; and the
 * argument with its size, negative if it is a string.
 */
#if KPT_HAVE_SYSCALL_USER_MASK
#define kpt_syscall_user_mask(meta) ((unsigned int)(meta)->user_mask)
#define kpt_syscall_user_size(meta) ((meta)->user_arg_size)
#else
#define kpt_syscall_user_mask(meta) ((void)(meta), 0U)
#define kpt_syscall_user_size(meta) ((void)(meta), -1)
#endif

/* Events can be in the kernel's tracing, too. */
#if defined(CONFIG_EVENT_TRACING) && defined(CONFIG_PERF_EVENTS)
#define KPT_BRIDGES 1
#endif

/* The flag of an event that is an event probe of the kernel, if it has any. */
#if KPT_HAVE_EVENT_EPROBE
#define KPT_EVENT_FL_EPROBE	TRACE_EVENT_FL_EPROBE
#else
#define KPT_EVENT_FL_EPROBE	0
#endif

/* The module that an event of the kernel's tracing belongs to. */
#if KPT_HAVE_EVENT_CALL_MODULE
#define kpt_call_module module
#else
#define kpt_call_module mod
#endif

/* Where the text of a module is that stays. */
#if KPT_HAVE_MODULE_MEMORY
#define kpt_module_text(module) ((unsigned long)(module)->mem[MOD_TEXT].base)
#define kpt_module_text_size(module) ((module)->mem[MOD_TEXT].size)
#else
#define kpt_module_text(module) ((unsigned long)(module)->core_layout.base)
#define kpt_module_text_size(module) ((module)->core_layout.text_size)
#endif

/**
 * kpt_module_has_blacklist() - does the kernel's blacklist of kprobes have anything of a
 * module?
 * @mod: the module
 *
 * Context: any, @mod cannot go meanwhile.
 * Return: true if so.
 */
static inline bool kpt_module_has_blacklist(const struct module *mod)
{
#if defined(CONFIG_KPROBES) && KPT_HAVE_MODULE_BLACKLIST
	return mod->kprobes_text_size || mod->noinstr_text_size ||
	       mod->num_kprobe_blacklist;
#else
	return false;
#endif
}

/* What a tracepoint has added to preempt_count() when it calls a function. */
#if defined(CONFIG_PREEMPT_COUNT) && !KPT_HAVE_TRACEPOINT_PREEMPTIBLE
#define KPT_TRACEPOINT_BIAS 1
#else
#define KPT_TRACEPOINT_BIAS 0
#endif

/* The number of a control group, which is that of its folder's inode. */
#if KPT_HAVE_CGROUP_ID
#define kpt_cgroup_id(cgroup) cgroup_id(cgroup)
#else
#define kpt_cgroup_id(cgroup) cgroup_ino(cgroup)
#endif

/* Copy what may fault. */
#if !KPT_HAVE_NOFAULT
#define copy_from_kernel_nofault(to, from, size) probe_kernel_read(to, from, size)
#define get_kernel_nofault(value, from) probe_kernel_address(from, value)
#endif

/* Are switches between user mode and the kernel tracked? */
#if !KPT_HAVE_CONTEXT_TRACKING
#define context_tracking_enabled() context_tracking_is_enabled()
#endif

/* May the caller see what others do? */
#if !KPT_HAVE_PERFMON
#define perfmon_capable() capable(CAP_SYS_ADMIN)
#endif

/* Memory in the kernel's page tables. */
#if KPT_HAVE_VMALLOC_PLAIN
#define kpt_vmalloc(size, gfp) __vmalloc(size, gfp)
#else
#define kpt_vmalloc(size, gfp) __vmalloc(size, gfp, PAGE_KERNEL)
#endif

/* Give a thread some priority of real time; sched_setscheduler_nocheck() gives the best one. */
#if !KPT_HAVE_SCHED_FIFO
#define sched_set_fifo(task) ((void)(task))
#endif

/* What a file system and fs_parse() want for a list of struct fs_parameter_spec. */
#if KPT_HAVE_OPTIONS_LIST
#define KPT_OPTIONS(list) (list)
#else
#define KPT_OPTIONS(list) \
	(&(const struct fs_parameter_description){ .name = KBUILD_MODNAME, .specs = (list) })
#endif

/* Free memory when its readers have gone; may wait for them. */
#ifndef kvfree_rcu
#define kvfree_rcu(memory, member) (synchronize_rcu(), kvfree(memory))
#endif

/* Walk over a range of an array. */
#ifndef xa_for_each_range
#define xa_for_each_range(xa, index, entry, first, last)			\
	for (index = (first), entry = xa_find(xa, &index, last, XA_PRESENT);	\
	     entry; entry = xa_find_after(xa, &index, last, XA_PRESENT))
#endif

/* Look for a page without a page fault; 0 where the kernel cannot. */
#if KPT_HAVE_FOLL_NOFAULT
#define KPT_FOLL_NOFAULT FOLL_NOFAULT
#else
#define KPT_FOLL_NOFAULT 0
#endif

/*
 * What is asked for pages of a process begins with the task that is charged for faults, in
 * kernels that charge one, and has room for their mappings, in kernels that tell them.
 */
#if KPT_HAVE_FAULT_WITHOUT_TASK
#define KPT_FAULT_TASK
#else
#define KPT_FAULT_TASK	NULL,
#endif
#if KPT_HAVE_PIN_WITHOUT_VMAS
#define KPT_PIN_VMAS
#else
#define KPT_PIN_VMAS	NULL,
#endif

#if !KPT_HAVE_PIN
#define pin_user_pages_remote get_user_pages_remote
#define unpin_user_page put_user_page
#define unpin_user_pages_dirty_lock put_user_pages_dirty_lock
#endif

/* Pins a page of a process, or gets a reference; @mm is locked. Returns 1 on success. */
#define kpt_pin_page(mm, addr, flags, page) \
	pin_user_pages_remote(KPT_FAULT_TASK mm, addr, 1, flags, page, KPT_PIN_VMAS NULL)
#define kpt_get_page(mm, addr, flags, page) \
	get_user_pages_remote(KPT_FAULT_TASK mm, addr, 1, flags, page, KPT_PIN_VMAS NULL)

/* Lock the mappings of a process. */
#if !KPT_HAVE_MMAP_LOCK
#define mmap_read_lock(mm)		down_read(&(mm)->mmap_sem)
#define mmap_read_lock_killable(mm)	down_read_killable(&(mm)->mmap_sem)
#define mmap_read_trylock(mm)		(down_read_trylock(&(mm)->mmap_sem) != 0)
#define mmap_read_unlock(mm)		up_read(&(mm)->mmap_sem)
#endif

/* Change the flags of a mapping that is being made. */
#if KPT_HAVE_VM_FLAGS_MOD
#define kpt_vm_flags_mod(vma, set, clear) vm_flags_mod(vma, set, clear)
#else
#define kpt_vm_flags_mod(vma, set, clear) \
	((void)((vma)->vm_flags = ((vma)->vm_flags | (set)) & ~(clear)))
#endif

/* vm_operations_struct: may a mapping be split? */
#if KPT_HAVE_VM_MAY_SPLIT
#define kpt_may_split	may_split
#else
#define kpt_may_split	split
#endif

/* A TAI clock that may be read in any context, if the kernel has one. */
#if KPT_HAVE_TAI_FAST
#define KPT_TAI_NAME		"tai"
#define kpt_tai_fast_ns()	ktime_get_tai_fast_ns()
#else
#define KPT_TAI_NAME		NULL
#define kpt_tai_fast_ns()	0
#endif

/*
 * KPT_SYSCORE(name, fn) defines a callback: fn(KPT_SYSCORE_ARG) is called after a
 * suspend, on the only CPU that runs then, with interrupts masked.
 */
#if KPT_HAVE_SYSCORE
#define KPT_SYSCORE_ARG	void *data
#define KPT_SYSCORE(name, fn)						\
	static const struct syscore_ops name##_ops = { .resume = (fn) };	\
	static struct syscore name = { .ops = &name##_ops }
#define kpt_syscore_register(s)		register_syscore(s)
#define kpt_syscore_unregister(s)	unregister_syscore(s)
#else
#define KPT_SYSCORE_ARG	void
#define KPT_SYSCORE(name, fn) static struct syscore_ops name = { .resume = (fn) }
#define kpt_syscore_register(s)		register_syscore_ops(s)
#define kpt_syscore_unregister(s)	unregister_syscore_ops(s)
#endif

/* The type of the first parameter of a sysctl's handler. */
#if KPT_HAVE_SYSCTL_CONST
typedef const struct ctl_table kpt_ctl_table_t;
#else
typedef struct ctl_table kpt_ctl_table_t;
#endif

/* Register a sysctl: the first entry of @table, whose second one is empty. */
#if KPT_HAVE_SYSCTL_SIZED
#define kpt_sysctl_register(path, table) register_sysctl_sz(path, table, 1)
#else
#define kpt_sysctl_register(path, table) register_sysctl(path, table)
#endif

/* What the handler of a sysrq key gets. */
#if KPT_HAVE_SYSRQ_U8
typedef u8 kpt_sysrq_key_t;
#else
typedef int kpt_sysrq_key_t;
#endif

/* Timers that call a function in the interrupt itself, also with PREEMPT_RT. */
#if KPT_HAVE_HRTIMER_SETUP
#define kpt_timer_init(timer, fn) \
	hrtimer_setup(timer, fn, CLOCK_MONOTONIC, HRTIMER_MODE_ABS_PINNED_HARD)
#else
#define kpt_timer_init(timer, fn) \
	(hrtimer_init(timer, CLOCK_MONOTONIC, HRTIMER_MODE_ABS_PINNED_HARD), \
	 (void)((timer)->function = (fn)))
#endif

/* The last parameters of a function that sched_switch calls. */
#if KPT_HAVE_SWITCH_STATE
#define KPT_SWITCH_STATE_PARAM , unsigned int prev_state
#else
#define KPT_SWITCH_STATE_PARAM
#endif

/* Declared in <linux/kernel.h>, since 5.14 in a header that 5.10 does not have. */
extern struct atomic_notifier_head panic_notifier_list;

/**
 * kpt_automount_get() - take the references that the result of d_automount needs
 * @mnt: a new mount, with one reference
 *
 * Kernels that still have vfs_submount() need a second reference.
 */
static inline void kpt_automount_get(struct vfsmount *mnt)
{
#if KPT_HAVE_VFS_SUBMOUNT
	mntget(mnt);
#endif
}

#endif
