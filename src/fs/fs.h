/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The file system: the user interface of events, instances and buffers.
 *
 * The tree is a view of the lists; nothing is lost while it is not mounted. The
 * directories of instances are made when the file system is mounted and follow every
 * change, what is in events/ is made when it is looked up (lookup.c). Directories are
 * made from tables of struct kpt_fs_file: most files are a function that shows and
 * one that stores.
 *
 * Locks: s_umount, then kpt_mutex, then inode locks. mkdir and rmdir are called
 * with inode locks held and drop them before they take kpt_mutex; lookups and readers
 * of directories do not take it.
 */
#ifndef KPTRACE_FS_H
#define KPTRACE_FS_H

#include "kernel/compat.h"
#include <linux/fs.h>
#include <linux/seq_file.h>
#include "event/event_file.h"
#include "event/declared.h"
#include "part.h"

/* kpt_fs_file.takes of files with kpt_parse_switch(). */
#define KPT_TAKES_SWITCH	"0 or 1"

/* Characters that kpt_fs_file.store is given at once. */
#define KPT_STORE_MAX	4095

struct kpt_fs_node;

/**
 * struct kpt_fs_file - one file of a directory
 * @name: its name
 * @mode: its permissions
 * @words: the file takes a list of words: of a long write the words that fit are
 *	taken, and write() returns their length
 * @joins: instead of @words: a word goes on in the next write if no blank is behind it;
 *	close() takes the last word, and then nobody learns of an error but from error_log
 * @may_be_empty: a write of no characters does nothing, as in mainline; also where @truncate is
 * @lockless: @show and @store are called without kpt_mutex: they use only objects
 *	that live as long as the file is open and have their own lock or need none
 * @rows: instead of @show, for long texts that are no list: the number of rows
 * @arg: for its functions, for example which option
 * @takes: what may be written, for error_log; with it, @store need not note why it returns
 *	-EINVAL or the like
 * @show: writes its text
 * @list: instead of @show, for long texts: returns the list that the file shows
 * @nth: with @rows: writes the text of a row, counted from 0; returns 0
 * @row: with @list: writes the text of one member; returns 0 or SEQ_SKIP
 * @store: takes the text of a write as a string, blanks at both ends removed
 * @write: instead of @store, for text of any length; takes kpt_mutex itself and
 *	returns 0 or -errno
 * @replace: instead of @truncate, for an open file that was opened with O_TRUNC: called
 *	instead of @store for its first text, or with "" if it is closed without one. A
 *	return value of 1 means 0, and that the next text comes here, too
 * @truncate: the file was opened with O_TRUNC; an error fails the open
 * @fops: its file operations, instead of all these functions
 *
 * @show, @list, @row, @nth, @store, @replace and @truncate are called only while the node
 * of the file is not dead, and with kpt_mutex held, except for @lockless.
 */
struct kpt_fs_file {
	const char *name;
	umode_t mode;
	bool words;
	bool joins;
	bool may_be_empty;
	bool lockless;
	u16 rows;
	u64 arg;
	const char *takes;
	int (*show)(struct seq_file *m, const struct kpt_fs_node *node);
	struct list_head *(*list)(const struct kpt_fs_node *node);
	int (*row)(struct seq_file *m, const struct kpt_fs_node *node,
		   struct list_head *at);
	int (*nth)(struct seq_file *m, unsigned int nth);
	int (*store)(const struct kpt_fs_node *node, char *text);
	int (*write)(struct kpt_fs_node *node, const char __user *from,
		     size_t count);
	int (*replace)(const struct kpt_fs_node *node, char *text);
	int (*truncate)(const struct kpt_fs_node *node);
	const struct file_operations *fops;
};

/**
 * struct kpt_fs_table - the files of a directory
 * @entry: a table
 * @nr: how many
 */
struct kpt_fs_table {
	const struct kpt_fs_file *entry;
	unsigned int nr;
};

#define KPT_FS_TABLE(table) { table, ARRAY_SIZE(table) }

/**
 * struct kpt_fs_name - a directory that a reader of its parent finds
 * @seq: larger than those of the directories before it, and never changes
 * @ino: number of its inode
 * @name: its name
 */
struct kpt_fs_name {
	u64 seq;
	unsigned long ino;
	char name[KPT_NAME_MAX];
};

/**
 * struct kpt_fs_content - what is in a directory that is made by lookups
 * @tables: its files, whose names no directory in it may have
 * @dir: where parts may have more such files; 31 at most with those of @tables
 * @find: finds a directory in it: fills in what differs between its node and that of
 *	its parent, and returns the number of its inode; or 0 if there is none.
 *	NULL if it has no directories
 * @list: writes the directories from number @from on, at most @max; returns how many
 *
 * @find and @list are called under rcu_read_lock(), and take no lock.
 */
struct kpt_fs_content {
	const struct kpt_fs_table *tables[2];
	enum kpt_dir dir;
	unsigned long (*find)(const struct kpt_fs_node *node, const char *name,
			      struct kpt_fs_node *child);
	unsigned int (*list)(const struct kpt_fs_node *node, u64 from,
			     struct kpt_fs_name *names, unsigned int max);
};

/**
 * struct kpt_fs_node - the subject of a file or directory
 * @entry: the file, NULL for a directory
 * @content: of a directory that is made by lookups, else NULL
 * @instance: the instance it is in
 * @group: the group of events, or NULL for all
 * @event: the event, or NULL
 * @declared: instead of @event, if it is a static event
 * @file: the event in that instance; NULL also for events without switches; of a
 *	static event it is found by kpt_fs_node_lock()
 * @cpu: the only CPU, or -1 for all
 * @rcu: frees it after a grace period: path walks look at it under RCU
 *
 * Part of an inode, and lives as long; holds references on all its subjects.
 */
struct kpt_fs_node {
	const struct kpt_fs_file *entry;
	const struct kpt_fs_content *content;
	struct kpt_instance *instance;
	struct kpt_group *group;
	struct kpt_event *event;
	struct kpt_declared *declared;
	struct kpt_event_file *file;
	int cpu;
	struct rcu_head rcu;
};

/**
 * kpt_fs_node_is_dead() - was the event or the group of a node deleted?
 * @node: the node
 *
 * That of an instance cannot die while one of its files is open.
 *
 * Context: any; the answer is final with kpt_mutex held, or if it is true.
 * Return: true if it was.
 */
static inline bool kpt_fs_node_is_dead(const struct kpt_fs_node *node)
{
	/* Pairs with node_find_file(). */
	const struct kpt_event_file *file = smp_load_acquire(&node->file);

	return (file && READ_ONCE(file->dead)) ||
	       (node->declared && READ_ONCE(node->declared->dead)) ||
	       (node->group && READ_ONCE(node->group->dead));
}

/**
 * kpt_fs_node_is_orphan() - was what a node is about deleted, or is its instance closed?
 * @node: the node, of a file that need not be open
 *
 * A closed instance comes back if it cannot be removed.
 *
 * Context: any.
 * Return: true if it was or is.
 */
static inline bool kpt_fs_node_is_orphan(const struct kpt_fs_node *node)
{
	return kpt_fs_node_is_dead(node) || kpt_instance_is_closed(node->instance);
}

struct kpt_fs_node *kpt_fs_node_open(struct inode *inode);
ssize_t kpt_fs_splice_write(struct pipe_inode_info *pipe, struct file *file, loff_t *pos,
			    size_t count, unsigned int flags);
void kpt_fs_node_release(struct kpt_fs_node *node);
int kpt_parse_switch(const char *text, bool *on);
int kpt_fs_node_lock(struct kpt_fs_node *node);
void kpt_fs_node_note(const struct kpt_fs_node *node, const char *text, const char *takes);

/* kpt_fs_file.arg of files about records: those of the snapshot. */
#define KPT_OF_SNAPSHOT	1

/**
 * kpt_fs_node_is_snapshot() - is a file about the records of the snapshot?
 * @node: the file's
 *
 * Context: any.
 * Return: true if it is.
 */
static inline bool kpt_fs_node_is_snapshot(const struct kpt_fs_node *node)
{
	return node->entry->arg == KPT_OF_SNAPSHOT;
}

/**
 * kpt_fs_node_buffer() - the records a file is about
 * @node: the file's
 *
 * Context: any.
 * Return: the buffer.
 */
static inline struct kpt_buffer *kpt_fs_node_buffer(const struct kpt_fs_node *node)
{
	return kpt_fs_node_is_snapshot(node) ? &node->instance->snapshot.buffer :
					    &node->instance->buffer;
}

/**
 * kpt_fs_node_of() - find the node of an open file
 * @file: the file
 *
 * Context: any.
 * Return: the node.
 */
static inline struct kpt_fs_node *kpt_fs_node_of(const struct file *file)
{
	return file_inode(file)->i_private;
}

/**
 * struct kpt_reader - an open file whose reader may wait for records
 * @lock: against tasks that share the open file
 * @node: node of the file
 * @waiter: its waiter; @waiter.iter reads the buffer
 *
 * First member of the struct that such a file allocates.
 */
struct kpt_reader {
	struct mutex lock;
	struct kpt_fs_node *node;
	struct kpt_waiter waiter;
};

void *kpt_reader_open(struct inode *inode, size_t size, bool is_pipe);
void kpt_reader_release(struct kpt_reader *r);
int kpt_reader_sleep(struct kpt_reader *r, bool nonblock, bool eager,
		     unsigned int wakes);
void kpt_seq_begin(struct seq_file *m, struct kpt_strbuf *sb);
void kpt_seq_end(struct seq_file *m, const struct kpt_strbuf *sb);
void kpt_seq_hide(struct seq_file *m, size_t from);
bool kpt_fs_node_hold(struct kpt_fs_node *node);
void kpt_fs_node_drop(const struct kpt_fs_node *node);
struct inode *kpt_fs_make_inode(const struct inode *dir,
				const struct kpt_fs_node *node, unsigned long ino);
struct dentry *kpt_fs_dir(struct dentry *parent, const char *name,
			  const struct kpt_fs_node *node, unsigned long ino);
struct dentry *kpt_fs_add(struct dentry *dir, const char *name,
			  const struct kpt_fs_node *node);
int kpt_fs_files(struct dentry *dir, const struct kpt_fs_table *entries,
		 const struct kpt_fs_node *node);
void kpt_fs_remove(struct dentry *dir);
struct dentry *kpt_fs_lookup(struct inode *dir, struct dentry *dentry,
			     unsigned int flags);
struct dentry *kpt_fs_make_root(struct super_block *sb);
void kpt_fs_evict(struct inode *inode);

/*
 * What is made by lookups: lookup.c; events/, events.c; its owners and modes, attr.c.
 */

extern const struct inode_operations kpt_lookup_dir_iops;
extern const struct file_operations kpt_lookup_dir_fops;
extern const struct dentry_operations kpt_lookup_dentry_ops;

void kpt_lookup_remove(struct dentry *dir);
int kpt_tree_add_cpu_dirs(struct dentry *parent, const struct kpt_fs_table *const *table,
			  const struct kpt_fs_node *node, enum kpt_dir of);
struct dentry *kpt_events_dir(struct dentry *parent, struct kpt_instance *instance);
void kpt_events_forget(const struct kpt_event *event);
void kpt_events_forget_all(const struct kpt_instance *instance);
int kpt_attr_set(KPT_MAP_PARAM struct dentry *dentry, struct iattr *change);
void kpt_attr_get(struct inode *inode);
void kpt_attr_own(const kuid_t *uid, const kgid_t *gid);
void kpt_attr_forget(unsigned long first, unsigned long nr);

/*
 * The tree, tree.c. All with kpt_mutex held.
 */

int kpt_tree_mount(struct dentry *root);
void kpt_tree_unmount(void);
void kpt_tree_free_events(struct list_head *dead);

/*
 * Tables and operations that the tree is made of.
 */

/* definitions.c: kprobe_events and other files of the top directory only */
extern const struct kpt_fs_table kpt_definition_entries;
/* can_probe.c: can_probe in the top directory, and kprobes/ */
extern const struct kpt_fs_table kpt_check_entries;
extern const struct kpt_fs_table kpt_kprobes_entries;
/* control.c, sizes.c: switches and sizes of an instance; sizes of one CPU */
extern const struct kpt_fs_table kpt_control_entries;
extern const struct kpt_fs_table kpt_size_entries;
extern const struct kpt_fs_table kpt_cpu_size_entries;
/* status.c, comms_files.c: top directory */
extern const struct kpt_fs_table kpt_status_entries;
extern const struct kpt_fs_table kpt_comm_entries;
/* options.c: options/ and trace_options */
extern const struct kpt_fs_table kpt_option_entries;
extern const struct kpt_fs_table kpt_options_file_entries;
/* event_files.c: set_event and the like; events/, a group, an event */
extern const struct kpt_fs_table kpt_available_entries;
extern const struct kpt_fs_table kpt_set_event_entries;
extern const struct kpt_fs_table kpt_all_events_entries;
extern const struct kpt_fs_table kpt_group_entries;
extern const struct kpt_fs_table kpt_event_entries;
/* marker.c: trace_marker and the like */
extern const struct kpt_fs_table kpt_marker_entries;
/* task_filter_files.c: set_event_pid and the like */
extern const struct kpt_fs_table kpt_task_filter_entries;
/* snapshot_files.c */
extern const struct kpt_fs_table kpt_snapshot_entries;
/* trace.c, pipe.c */
extern const struct kpt_fs_table kpt_trace_entries;
extern const struct file_operations kpt_trace_fops;
extern const struct file_operations kpt_trace_pipe_fops;
/* readme.c */
void kpt_readme_show(struct seq_file *m);

/*
 * Functions of files of an event: event_files.c, then those of its trigger file, trigger_file.c.
 */

int kpt_event_format_show(struct seq_file *m, const struct kpt_fs_node *node);
int kpt_event_id_show(struct seq_file *m, const struct kpt_fs_node *node);
int kpt_trigger_file_show(struct seq_file *m, const struct kpt_fs_node *node);
int kpt_trigger_file_store(const struct kpt_fs_node *node, char *text);
int kpt_trigger_file_truncate(const struct kpt_fs_node *node);

void kpt_snapshot_show_help(struct kpt_strbuf *sb, const struct kpt_fs_node *node);
ssize_t kpt_snapshot_write(const struct kpt_fs_node *node, const char __user *from,
			   size_t count);
const struct kpt_fs_content *kpt_builtin_content(const struct kpt_event *event);
void kpt_trace_begin(const struct kpt_instance *instance, struct kpt_symbols *symbols);
void kpt_trace_put_lost(struct kpt_strbuf *sb,
			const struct kpt_buffer_iter *iter);
void kpt_trace_set_event(struct kpt_line *line, const struct kpt_event *event);
void kpt_trace_put_record(struct kpt_strbuf *sb, struct kpt_buffer_iter *iter,
			  const struct kpt_fs_node *node, u64 index,
			  struct kpt_symbols *symbols, struct kpt_graph_cpu *graph);
struct kpt_graph_cpu *kpt_trace_graph_alloc(const struct kpt_instance *instance);

int kpt_command_define(const struct kpt_def *def, struct kpt_diag *diag,
		       struct kpt_event **event);
int kpt_command_delete_pieces(const struct kpt_def *def, enum kpt_listing file,
			      struct kpt_diag *diag);
int kpt_command_run(const char *line, size_t len, enum kpt_listing file,
		    unsigned int nr);
int kpt_fs_init(void);
void kpt_fs_exit(void);
void kpt_can_probe_exit(void);

/* Most bytes of text from kpt_prototype_describe(). */
#define KPT_PROTOTYPE_MAX	SZ_16K

void kpt_prototype_describe(char *text, size_t size, unsigned long addr,
			    const char *name);
int kpt_events_switch(struct kpt_instance *instance, bool on);
int kpt_boot_init(void);
void kpt_command_exit(void);

#endif
