// SPDX-License-Identifier: GPL-2.0-only
/*
 * The tree of files: the directories of an instance and of its events; mkdir and
 * rmdir make and remove instances.
 */
#include "event/class.h"
#include "kernel/compat.h"
#include <linux/dcache.h>
#include <linux/err.h>
#include <linux/mutex.h>
#include <linux/stringhash.h>
#include "fs/fs.h"
#include "trigger/trigger.h"

/**
 * kpt_tree_free_events() - free events; their directories are not found any more
 * @dead: events off kpt_events, as kpt_event_delete() leaves them
 *
 * Files of them that are open answer -ENODEV from now on.
 *
 * Context: process context, sleeps, kpt_mutex held.
 */
void kpt_tree_free_events(struct list_head *dead)
{
	struct kpt_event *event, *next;

	lockdep_assert_held(&kpt_mutex);
	if (list_empty(dead))
		return;
	list_for_each_entry_safe(event, next, dead, list) {
		refcount_inc(&event->refs);
		kpt_event_free(event);
		kpt_events_forget(event);
		kpt_event_put(event);
	}
	kpt_parts_events_freed();
}

/*
 * An instance.
 */

static const struct kpt_fs_table *const instance_tables[] = {
	&kpt_control_entries,
	&kpt_trace_entries,
	&kpt_size_entries,
	&kpt_set_event_entries,
	&kpt_marker_entries,
	&kpt_snapshot_entries,
	&kpt_task_filter_entries,
	&kpt_options_file_entries,
	NULL
};

/* Of last_boot: nothing is recorded there. */
static const struct kpt_fs_table *const past_tables[] = {
	&kpt_trace_entries,
	&kpt_options_file_entries,
	NULL
};

static const struct kpt_fs_table *const past_cpu_tables[] = {
	&kpt_trace_entries,
	&kpt_cpu_size_entries,
	NULL
};

static const struct kpt_fs_table *const cpu_tables[] = {
	&kpt_trace_entries,
	&kpt_cpu_size_entries,
	&kpt_snapshot_entries,
	NULL
};

static const struct kpt_fs_table *const top_tables[] = {
	&kpt_definition_entries,
	&kpt_check_entries,
	&kpt_status_entries,
	&kpt_comm_entries,
	&kpt_available_entries,
	NULL
};

static int tree_add_tables(struct dentry *dir, const struct kpt_fs_table *const *table,
			   const struct kpt_fs_node *node, enum kpt_dir of)
{
	unsigned int i = 0;
	int err = 0;

	while (!err && *table)
		err = kpt_fs_files(dir, *table++, node);
	while (!err && of && kpt_parts_table(of, i))
		err = kpt_fs_files(dir, kpt_parts_table(of, i++), node);
	return err;
}

/**
 * kpt_tree_add_cpu_dirs() - make per_cpu/cpuN/ for each CPU
 * @parent: gets the directory per_cpu
 * @table: tables of files of a CPU, up to NULL
 * @node: what the files are about, but for the CPU
 * @of: where parts may have more files of a CPU
 *
 * Context: process context, sleeps.
 * Return: 0 or -ENOMEM.
 */
int kpt_tree_add_cpu_dirs(struct dentry *parent, const struct kpt_fs_table *const *table,
			  const struct kpt_fs_node *node, enum kpt_dir of)
{
	struct kpt_fs_node of_cpu = *node;
	struct dentry *dir;
	char name[16];

	parent = kpt_fs_dir(parent, "per_cpu", node, 0);
	if (!parent)
		return -ENOMEM;
	for_each_possible_cpu(of_cpu.cpu) {
		snprintf(name, sizeof(name), "cpu%d", of_cpu.cpu);
		dir = kpt_fs_dir(parent, name, &of_cpu, 0);
		if (!dir || tree_add_tables(dir, table, &of_cpu, of))
			return -ENOMEM;
	}
	return 0;
}

/* Make the files and directories that every instance has in its directory @dir. */
static int tree_fill_instance(struct kpt_instance *instance, struct dentry *dir)
{
	const struct kpt_fs_node node = { .instance = instance, .cpu = -1 };
	bool past = instance->is_past;
	struct dentry *options;

	if (tree_add_tables(dir, past ? past_tables : instance_tables, &node,
			    past ? KPT_DIR_LAST_BOOT : KPT_DIR_INSTANCE))
		return -ENOMEM;
	options = kpt_fs_dir(dir, "options", &node, 0);
	if (!options || kpt_fs_files(options, &kpt_option_entries, &node))
		return -ENOMEM;
	if (kpt_tree_add_cpu_dirs(dir, past ? past_cpu_tables : cpu_tables, &node,
				  past ? KPT_DIR_NONE : KPT_DIR_CPU))
		return -ENOMEM;
	if (past)
		return 0;
	instance->events_dir = kpt_events_dir(dir, instance);
	return instance->events_dir ? 0 : -ENOMEM;
}

static void tree_forget_dirs(struct kpt_instance *instance)
{
	instance->dir = NULL;
	instance->events_dir = NULL;
	kpt_events_forget_all(instance);
}

/* Remove the directories of a closed instance. */
static void tree_remove_dirs(struct kpt_instance *instance)
{
	if (instance->events_dir)
		kpt_lookup_remove(instance->events_dir);
	kpt_fs_remove(instance->dir);
	tree_forget_dirs(instance);
}

static int tree_add_instance_dir(struct kpt_instance *instance,
			    struct dentry *instances)
{
	const struct kpt_fs_node node = { .instance = instance, .cpu = -1 };
	struct dentry *dir;

	dir = kpt_fs_dir(instances, instance->name, &node, 0);
	if (!dir)
		return -ENOMEM;
	instance->dir = dir;
	if (!tree_fill_instance(instance, dir))
		return 0;
	tree_remove_dirs(instance);
	return -ENOMEM;
}

/*
 * instances/: mkdir and rmdir.
 */

/*
 * Serialises mkdir and rmdir. kpt_mutex is taken inside it, and is not held while directories
 * are made or removed: that waits for inode locks, and a reader of a directory holds one
 * while names are copied to its memory, for which user space may let it wait.
 */
static DEFINE_MUTEX(tree_mutex);

/* What a task that makes or removes an instance leaves, if it may not wait any more. */
static int tree_end_instance(struct kpt_errand *errand)
{
	struct kpt_instance *instance = container_of(errand, struct kpt_instance, end);

	if (!list_empty(&instance->list))
		kpt_instance_unlist(instance);
	kpt_instance_free(instance);
	return 0;
}

static int tree_make_instance(struct dentry *instances, const char *name)
{
	struct kpt_instance *instance;
	int err;

	if (kpt_lock())
		return -EINTR;
	kpt_lock_keep();
	instance = kpt_instance_create(name);
	kpt_unlock();
	if (IS_ERR(instance))
		return PTR_ERR(instance);
	err = tree_add_instance_dir(instance, instances);
	/* Nobody opens a file of it before all of them are made. */
	if (!err)
		kpt_instance_open(instance);
	else
		kpt_errand_do(&instance->end, tree_end_instance);
	return err;
}

/* Close an instance and take it off the lists; on failure it stays open. */
static int tree_close_instance(struct kpt_instance *instance)
{
	int err;

	err = kpt_instance_close(instance);
	if (err)
		return err;
	err = kpt_trigger_remove_all(instance);
	if (!err)
		err = kpt_instance_remove(instance);
	if (err)
		kpt_instance_open(instance);
	return err;
}

static int tree_remove_instance(struct dentry *dir)
{
	const struct kpt_fs_node *node = d_inode(dir)->i_private;
	struct kpt_instance *instance = node->instance;
	int err;

	if (d_unhashed(dir))
		return -ENOENT;
	if (kpt_lock())
		return -EINTR;
	kpt_lock_keep();
	err = tree_close_instance(instance);
	kpt_unlock();
	if (err)
		return err;
	tree_remove_dirs(instance);
	kpt_errand_do(&instance->end, tree_end_instance);
	return 0;
}

/*
 * The caller holds inode locks, which our lock order takes after tree_mutex, so drop them
 * first. Meanwhile other tasks may change the directory; tree_mutex serialises the changes.
 */
static kpt_mkdir_t instances_mkdir(KPT_MAP_PARAM struct inode *dir,
				   struct dentry *dentry, umode_t mode)
{
	int err = -EINTR;

	inode_unlock(dir);
	if (!mutex_lock_killable(&tree_mutex)) {
		err = tree_make_instance(dentry->d_parent, dentry->d_name.name);
		mutex_unlock(&tree_mutex);
	}
	inode_lock_nested(dir, I_MUTEX_PARENT);
	return KPT_MKDIR_RESULT(err);
}

static int instances_rmdir(struct inode *dir, struct dentry *dentry)
{
	int err = -EINTR;

	inode_unlock(d_inode(dentry));
	inode_unlock(dir);
	if (!mutex_lock_killable(&tree_mutex)) {
		err = tree_remove_instance(dentry);
		mutex_unlock(&tree_mutex);
	}
	inode_lock_nested(dir, I_MUTEX_PARENT);
	inode_lock(d_inode(dentry));
	return err;
}

static const struct inode_operations instances_iops = {
	.lookup = kpt_fs_lookup,
	.mkdir = instances_mkdir,
	.rmdir = instances_rmdir,
};

/*
 * All of it.
 */

static int tree_add_instances(struct dentry *root, const struct kpt_fs_node *node)
{
	struct kpt_instance *instance;
	struct dentry *dir;

	dir = kpt_fs_dir(root, "instances", node, 0);
	if (!dir)
		return -ENOMEM;
	d_inode(dir)->i_op = &instances_iops;
	list_for_each_entry(instance, &kpt_instances, list)
		if (instance != &kpt_top_instance &&
		    tree_add_instance_dir(instance, dir))
			return -ENOMEM;
	return 0;
}

/**
 * kpt_tree_mount() - make the whole tree, when the superblock is made
 * @root: its root
 *
 * Context: process context, sleeps, kpt_mutex held.
 * Return: 0 or -ENOMEM.
 */
int kpt_tree_mount(struct dentry *root)
{
	const struct kpt_fs_node node = {
		.instance = &kpt_top_instance,
		.cpu = -1,
	};
	struct dentry *kprobes;

	lockdep_assert_held(&kpt_mutex);
	kpt_top_instance.dir = root;
	kpt_parts_declare();
	if (tree_add_tables(root, top_tables, &node, KPT_DIR_TOP))
		return -ENOMEM;
	if (kpt_parts_make_dirs(root, &node))
		return -ENOMEM;
	kprobes = kpt_fs_dir(root, "kprobes", &node, 0);
	if (!kprobes || kpt_fs_files(kprobes, &kpt_kprobes_entries, &node))
		return -ENOMEM;
	if (tree_fill_instance(&kpt_top_instance, root))
		return -ENOMEM;
	return tree_add_instances(root, &node);
}

/**
 * kpt_tree_unmount() - forget all directories, when the superblock is freed
 *
 * Context: kpt_mutex held, after the last unmount; no file is open.
 */
void kpt_tree_unmount(void)
{
	struct kpt_instance *instance;

	list_for_each_entry(instance, &kpt_instances, list)
		tree_forget_dirs(instance);
}
