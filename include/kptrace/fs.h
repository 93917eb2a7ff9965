/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The file system: what people see of events, instances and buffers.
 *
 * The tree is a view. It is made from the lists when the file system is mounted
 * and follows every change of them; nothing is lost while it is not mounted.
 * Directories are made from tables of struct kpt_entry: most files are a
 * function that shows and one that stores.
 *
 * Locks: s_umount, then kpt_mutex, then inode locks. mkdir and rmdir are called
 * with inode locks held and drop them before they take kpt_mutex.
 */
#ifndef KPTRACE_FS_H
#define KPTRACE_FS_H

#include <linux/fs.h>
#include <linux/seq_file.h>
#include <kptrace/event.h>

/* Characters that kpt_entry.store is given at once. */
#define KPT_STORE_MAX	4095

struct kpt_node;

/**
 * struct kpt_entry - one file of a directory
 * @name: its name
 * @mode: its permissions
 * @words: what is written is a list of words: of a long write those that fit are
 *	taken, and its result says how much that was
 * @arg: whatever its functions want to know, e.g. which option
 * @show: its text
 * @seq: instead of @show, for long lists: walked under kpt_mutex, start with
 *	kpt_seq_lock(), stop with kpt_seq_unlock()
 * @store: takes what was written: a string, blanks at both ends removed
 * @write: instead of @store, for text of any length; takes kpt_mutex itself and
 *	returns 0 or -errno
 * @truncate: the file was opened with O_TRUNC; an error fails the open
 * @fops: instead of all these
 *
 * @show, @store and @truncate are called with kpt_mutex held, and only while
 * what the file is about exists.
 */
struct kpt_entry {
	const char *name;
	umode_t mode;
	bool words;
	u32 arg;
	int (*show)(struct seq_file *m, const struct kpt_node *node);
	const struct seq_operations *seq;
	int (*store)(const struct kpt_node *node, char *text);
	int (*write)(const struct kpt_node *node, const char __user *from,
		     size_t count);
	int (*truncate)(const struct kpt_node *node);
	const struct file_operations *fops;
};

/**
 * struct kpt_entries - the files of a directory
 * @entry: a table
 * @nr: how many
 */
struct kpt_entries {
	const struct kpt_entry *entry;
	unsigned int nr;
};

#define KPT_ENTRIES(table) { table, ARRAY_SIZE(table) }

/**
 * struct kpt_node - what a file or directory is about
 * @entry: the file, NULL for a directory
 * @instance: the instance it is in
 * @file: the event in that instance, or NULL
 * @group: the events of which group, an empty string for all
 * @cpu: the only CPU, or -1 for all
 * @dead: it was removed; changed under kpt_mutex
 *
 * Part of an inode, and lives as long.
 */
struct kpt_node {
	const struct kpt_entry *entry;
	struct kpt_instance *instance;
	struct kpt_file *file;
	char group[KPT_NAME_MAX];
	int cpu;
	bool dead;
};

/**
 * kpt_node_open() - begin to use what a file is about
 * @inode: of the file that is opened
 *
 * Asks lockdown, then takes references on instance and event.
 *
 * Context: process context, sleeps, kpt_mutex not held.
 * Return: the node, or ERR_PTR(): -EPERM, -ENODEV if it was removed.
 */
struct kpt_node *kpt_node_open(struct inode *inode);

/**
 * kpt_node_release() - the file is closed
 * @node: from kpt_node_open()
 *
 * Context: process context, sleeps.
 */
void kpt_node_release(struct kpt_node *node);

/**
 * kpt_parse_switch() - "0" or "1", nothing else
 * @text: what was written
 * @on: result
 *
 * Context: any.
 * Return: 0, -EINVAL or -ERANGE.
 */
int kpt_parse_switch(const char *text, bool *on);

/**
 * kpt_node_lock() - take kpt_mutex, for an open file
 * @node: from kpt_node_open()
 *
 * Context: process context, sleeps.
 * Return: 0, or -ENODEV without the lock if what the file is about is gone.
 */
int kpt_node_lock(const struct kpt_node *node);

/* kpt_entry.arg of files about records: those of the snapshot. */
#define KPT_OF_SNAPSHOT	1

/**
 * kpt_node_buffer() - the records a file is about
 * @node: the file's
 */
static inline struct kpt_buffer *kpt_node_buffer(const struct kpt_node *node)
{
	return node->entry->arg == KPT_OF_SNAPSHOT ? &node->instance->snapshot :
						     &node->instance->buffer;
}

/**
 * kpt_node_of() - the node of an open file
 * @file: the file
 */
static inline struct kpt_node *kpt_node_of(const struct file *file)
{
	return file_inode(file)->i_private;
}

/**
 * kpt_seq_lock() - begin to walk a list for kpt_entry.seq
 * @m: the seq_file; its private is the node
 *
 * Takes kpt_mutex, also when it fails.
 *
 * Return: 0 or -ENODEV.
 */
int kpt_seq_lock(struct seq_file *m);

/**
 * kpt_seq_unlock() - kpt_entry.seq's stop
 * @m: the seq_file
 * @v: not looked at
 */
void kpt_seq_unlock(struct seq_file *m, void *v);

/**
 * kpt_seq_begin() - let a portable unit write into a seq_file
 * @m: where to
 * @sb: result: a text at the end of what is there; until kpt_seq_end() nothing
 *	else may write to @m
 *
 * Context: process context.
 */
void kpt_seq_begin(struct seq_file *m, struct kpt_strbuf *sb);

/**
 * kpt_seq_end() - keep what was written
 * @m: the seq_file
 * @sb: from kpt_seq_begin(); if it overflowed, seq_file tries again with more
 *	room
 *
 * Context: process context.
 */
void kpt_seq_end(struct seq_file *m, const struct kpt_strbuf *sb);

/**
 * kpt_fs_dir() - make a directory
 * @parent: in there
 * @name: its name
 * @node: what it is about, copied
 *
 * Context: process context, sleeps, kpt_mutex held.
 * Return: the directory, pinned until it is removed, or NULL without memory.
 */
struct dentry *kpt_fs_dir(struct dentry *parent, const char *name,
			  const struct kpt_node *node);

/**
 * kpt_fs_files() - make the files of a table
 * @dir: in there
 * @entries: the table, which outlives the files
 * @node: what they are about, copied; its @entry is set here
 *
 * Context: process context, sleeps, kpt_mutex held.
 * Return: 0 or -ENOMEM, with some of the files made.
 */
int kpt_fs_files(struct dentry *dir, const struct kpt_entries *entries,
		 const struct kpt_node *node);

/**
 * kpt_fs_remove() - remove a directory with all that is in it
 * @dir: from kpt_fs_dir(), or NULL
 *
 * Files of it that are open answer -ENODEV from now on.
 *
 * Context: process context, sleeps, kpt_mutex held.
 */
void kpt_fs_remove(struct dentry *dir);

/**
 * kpt_fs_lookup() - inode_operations.lookup of all our directories
 * @dir: the directory
 * @dentry: a name that is not there
 * @flags: not looked at
 *
 * A name that is there is found in the dentry cache. One that is not is not
 * remembered there: it may come into being at any time.
 *
 * Return: NULL or ERR_PTR(-ENAMETOOLONG).
 */
struct dentry *kpt_fs_lookup(struct inode *dir, struct dentry *dentry,
			     unsigned int flags);

/**
 * kpt_fs_make_root() - the root directory of a new superblock
 * @sb: the superblock
 *
 * Return: the directory, or NULL without memory.
 */
struct dentry *kpt_fs_make_root(struct super_block *sb);

/**
 * kpt_fs_evict() - super_operations.evict_inode
 * @inode: nobody uses it any more
 */
void kpt_fs_evict(struct inode *inode);

/*
 * The tree, fs_instance.c. All with kpt_mutex held.
 */

/**
 * kpt_tree_mount() - the file system is there: make all of the tree
 * @root: its root
 *
 * Return: 0 or -ENOMEM.
 */
int kpt_tree_mount(struct dentry *root);

/**
 * kpt_tree_unmount() - the file system goes: forget all directories
 *
 * Context: the last mount is gone, no file is open.
 */
void kpt_tree_unmount(void);

/**
 * kpt_tree_add_event() - give a new event its side and directory everywhere
 * @event: the event, without any kpt_file
 *
 * Return: 0 or -ENOMEM; then directories are gone again, but the event is not.
 */
int kpt_tree_add_event(struct kpt_event *event);

/**
 * kpt_tree_remove_event() - remove its directories
 * @event: the event
 */
void kpt_tree_remove_event(struct kpt_event *event);

/**
 * kpt_tree_free_events() - remove the directories of events, and free them
 * @dead: events off kpt_events, as kpt_event_delete() leaves them
 */
void kpt_tree_free_events(struct list_head *dead);

/*
 * Tables and operations that the tree is made of.
 */

/* fs_events.c: kprobe_events and what else the top directory alone has */
extern const struct kpt_entries kpt_definition_entries;
/* fs_check.c: may this be probed, and what is: top directory, kprobes/ */
extern const struct kpt_entries kpt_check_entries;
extern const struct kpt_entries kpt_kprobes_entries;
/* fs_control.c: switches of an instance, of one CPU, and of the module */
extern const struct kpt_entries kpt_control_entries;
extern const struct kpt_entries kpt_cpu_entries;
extern const struct kpt_entries kpt_module_entries;
/* fs_options.c: options/ and trace_options */
extern const struct kpt_entries kpt_option_entries;
extern const struct kpt_entries kpt_options_file_entries;
/* fs_enable.c: set_event and the like; events/, a group, an event */
extern const struct seq_operations kpt_available_events_seq;
extern const struct kpt_entries kpt_set_event_entries;
extern const struct kpt_entries kpt_all_events_entries;
extern const struct kpt_entries kpt_group_entries;
extern const struct kpt_entries kpt_event_entries;
/* fs_marker.c: trace_marker and the like; events/ftrace/print */
extern const struct kpt_entries kpt_marker_entries;
extern const struct kpt_entries kpt_print_entries;
/* fs_functions.c: available_filter_functions */
extern const struct kpt_entries kpt_function_entries;
/* fs_limits.c: set_event_pid and the like */
extern const struct kpt_entries kpt_limit_entries;
/* fs_snapshot.c */
extern const struct kpt_entries kpt_snapshot_entries;
extern const struct kpt_entries kpt_cpu_snapshot_entries;
/* fs_trace.c, fs_pipe.c */
extern const struct file_operations kpt_trace_fops;
extern const struct file_operations kpt_trace_pipe_fops;
/* fs_raw.c: trace_pipe_raw; what tells tools how to read it */
extern const struct file_operations kpt_trace_pipe_raw_fops;
extern const struct kpt_entries kpt_header_entries;
extern const struct kpt_entries kpt_page_entries;
/* fs_readme.c */
extern const char kpt_readme[];

/*
 * Functions of an event's trigger file, fs_trigger.c.
 */

/**
 * kpt_trigger_file_show() - its triggers, or which there could be
 * @m: where to
 * @node: the file
 *
 * Context: process context, kpt_mutex held.
 * Return: 0.
 */
int kpt_trigger_file_show(struct seq_file *m, const struct kpt_node *node);

/**
 * kpt_trigger_file_store() - make or remove one
 * @node: the file
 * @text: the command
 *
 * Context: process context, sleeps, kpt_mutex held.
 * Return: 0 or -errno.
 */
int kpt_trigger_file_store(const struct kpt_node *node, char *text);

/**
 * kpt_trigger_file_truncate() - remove those that have to do with hist
 * @node: the file
 *
 * Context: process context, sleeps, kpt_mutex held.
 * Return: 0 or -ENOMEM.
 */
int kpt_trigger_file_truncate(const struct kpt_node *node);

/* The hist file of an event, which can be polled. */
extern const struct file_operations kpt_hist_fops;

/**
 * kpt_snapshot_show_help() - what an empty snapshot file shows
 * @sb: where to
 * @node: the file
 *
 * Context: process context.
 */
void kpt_snapshot_show_help(struct kpt_strbuf *sb, const struct kpt_node *node);

/**
 * kpt_snapshot_write() - obey what was written to a snapshot file
 * @node: the file
 * @from: the text
 * @count: its characters
 *
 * Context: process context, sleeps.
 * Return: @count or -errno.
 */
ssize_t kpt_snapshot_write(const struct kpt_node *node, const char __user *from,
			   size_t count);

/**
 * kpt_marker_dirs() - the directories of records that are neither hits nor print
 * @group: events/ftrace
 * @node: what they are about
 *
 * Context: process context, sleeps, kpt_mutex held.
 * Return: 0 or -ENOMEM.
 */
int kpt_marker_dirs(struct dentry *group, const struct kpt_node *node);

/**
 * kpt_trace_put_lost() - tell of records lost just before this one
 * @sb: where to
 * @iter: stands at a record
 *
 * Context: process context.
 */
void kpt_trace_put_lost(struct kpt_strbuf *sb,
			const struct kpt_buffer_iter *iter);

/**
 * kpt_trace_put_record() - the record an iterator stands at, as a line
 * @sb: where to
 * @iter: stands at a record
 * @node: the file that is read: its instance has the options
 * @index: how many lines were shown before
 * @symbols: names found since the caller took kpt_mutex, which modules need to
 *	go
 *
 * Context: process context, sleeps, kpt_mutex held.
 */
void kpt_trace_put_record(struct kpt_strbuf *sb, struct kpt_buffer_iter *iter,
			  const struct kpt_node *node, u64 index,
			  struct kpt_symbols *symbols);

/* The rules of dynamic_events: '!' deletes too, strangers are logged. */
#define KPT_CMD_DYNAMIC	BIT(0)

/**
 * kpt_command_run() - obey one line of kprobe_events
 * @line: the line, comment and newline already cut off
 * @len: its characters
 * @flags: KPT_CMD_*
 *
 * A mistake is noted in error_log.
 *
 * Context: process context, sleeps, kpt_mutex held.
 * Return: 0 or -errno; then nothing has changed.
 */
int kpt_command_run(const char *line, size_t len, unsigned int flags);

/**
 * kpt_fs_init() - register the file system
 *
 * Makes the mount point /sys/kernel/kptrace and, where there is debugfs, one
 * that mounts itself at /sys/kernel/debug/kptrace. On a kernel without tracefs
 * the name tracefs and the mount point /sys/kernel/tracing are provided too.
 *
 * Context: module load.
 * Return: 0 or -errno.
 */
int kpt_fs_init(void);

/** kpt_fs_exit() - the reverse; not called while it is mounted */
void kpt_fs_exit(void);

/**
 * kpt_events_switch() - switch all events of an instance, in one batch
 * @instance: the instance
 * @on: what to
 *
 * Context: process context, sleeps, kpt_mutex held.
 * Return: 0 or -errno; then nothing has changed.
 */
int kpt_events_switch(struct kpt_instance *instance, bool on);

/**
 * kpt_boot_init() - define and enable the events of the parameter kprobe_event
 *
 * What is wrong there is told by error_log and the kernel log, and hinders
 * nothing.
 *
 * Context: module load.
 * Return: 0.
 */
int kpt_boot_init(void);

#endif
