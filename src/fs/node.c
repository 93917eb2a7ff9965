// SPDX-License-Identifier: GPL-2.0-only
/*
 * Inodes and their nodes, directories, and files that are described by a row of a
 * table.
 */
#include "kernel/compat.h"
#include <linux/ctype.h>
#include <linux/dcache.h>
#include <linux/fsnotify.h>
#include <linux/mm.h>
#include <linux/pagemap.h>
#include <linux/security.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/uaccess.h>
#include "fs/fs.h"

/*
 * Nodes of open files.
 */

/*
 * Take references on instance and event file of a node. Both are freed only after
 * @dead was set and an RCU grace period, so they can be accessed here. Take that of
 * the instance first: while it is held, only a deletion of the event removes the
 * event file, and that sets @dead before.
 */
static int node_get(const struct kpt_fs_node *node)
{
	if (READ_ONCE(node->dead) || !kpt_instance_get(node->instance))
		return -ENODEV;
	if (!node->file || kpt_event_file_get(node->file))
		return 0;
	kpt_instance_put(node->instance);
	return -ENODEV;
}

/**
 * kpt_fs_node_open() - hold the objects of a file while it is open
 * @inode: of the file that is opened
 *
 * Checks lockdown, then takes references on instance and event file. Takes no lock,
 * so open() never waits for a holder of kpt_mutex.
 *
 * Context: process context.
 * Return: the node, or ERR_PTR(): -EPERM while the kernel is locked down, -ENODEV
 * if the node was removed.
 */
struct kpt_fs_node *kpt_fs_node_open(struct inode *inode)
{
	struct kpt_fs_node *node = inode->i_private;
	int err;

	err = security_locked_down(LOCKDOWN_TRACEFS);
	if (err)
		return ERR_PTR(err);
	rcu_read_lock();
	err = node_get(node);
	rcu_read_unlock();
	return err ? ERR_PTR(err) : node;
}

/**
 * kpt_fs_node_release() - put the references of kpt_fs_node_open()
 * @node: from kpt_fs_node_open()
 *
 * Context: process context, sleeps.
 */
void kpt_fs_node_release(struct kpt_fs_node *node)
{
	if (node->file)
		kpt_event_file_put(node->file);
	kpt_instance_put(node->instance);
}

/**
 * kpt_fs_node_lock() - take kpt_mutex, for an open file
 * @node: from kpt_fs_node_open()
 *
 * Context: process context, sleeps.
 * Return: 0; or -ENODEV, without the lock, if the node was removed.
 */
int kpt_fs_node_lock(const struct kpt_fs_node *node)
{
	mutex_lock(&kpt_mutex);
	if (!node->dead)
		return 0;
	mutex_unlock(&kpt_mutex);
	return -ENODEV;
}

/*
 * Files that a table entry describes.
 */

/**
 * kpt_seq_begin() - let a portable unit write into a seq_file
 * @m: the file
 * @sb: result: an empty text at the end of the text of @m; until kpt_seq_end(), @m
 *	may be written only through @sb
 *
 * Context: process context.
 */
void kpt_seq_begin(struct seq_file *m, struct kpt_strbuf *sb)
{
	static char none[1];
	char *buf;
	size_t room = seq_get_buf(m, &buf);

	/* A full seq_file will be written again with more room. */
	kpt_strbuf_init(sb, room ? buf : none, room ?: sizeof(none));
}

/**
 * kpt_seq_end() - add the text to the seq_file
 * @m: the seq_file
 * @sb: from kpt_seq_begin(); if it overflowed, seq_file tries again with more
 *	room
 *
 * Context: process context.
 */
void kpt_seq_end(struct seq_file *m, const struct kpt_strbuf *sb)
{
	seq_commit(m, sb->overflow ? -1 : (int)sb->len);
}

static int entry_lock(const struct kpt_fs_node *node)
{
	if (!node->entry->lockless)
		mutex_lock(&kpt_mutex);
	return READ_ONCE(node->dead) ? -ENODEV : 0;
}

static void entry_unlock(const struct kpt_fs_node *node)
{
	if (!node->entry->lockless)
		mutex_unlock(&kpt_mutex);
}

static void *entry_start(struct seq_file *m, loff_t *pos)
{
	const struct kpt_fs_node *node = m->private;
	int err = entry_lock(node);

	if (err)
		return ERR_PTR(err);
	if (node->entry->list)
		return seq_list_start(node->entry->list(node), *pos);
	return *pos ? NULL : SEQ_START_TOKEN;
}

static void *entry_next(struct seq_file *m, void *v, loff_t *pos)
{
	const struct kpt_fs_node *node = m->private;

	if (node->entry->list)
		return seq_list_next(v, node->entry->list(node), pos);
	++*pos;
	return NULL;
}

static void entry_stop(struct seq_file *m, void *v)
{
	entry_unlock(m->private);
}

static int entry_show(struct seq_file *m, void *v)
{
	const struct kpt_fs_node *node = m->private;

	return node->entry->list ? node->entry->row(m, node, v) :
				   node->entry->show(m, node);
}

static const struct seq_operations entry_seq = {
	.start = entry_start,
	.next = entry_next,
	.stop = entry_stop,
	.show = entry_show,
};

static int entry_open_to_read(struct file *file, struct kpt_fs_node *node)
{
	const struct kpt_fs_file *entry = node->entry;
	struct seq_file *m;
	int err;

	if (!entry->show && !entry->list)
		return -EINVAL;
	err = seq_open(file, &entry_seq);
	if (err)
		return err;
	m = file->private_data;
	m->private = node;
	return 0;
}

static int entry_open_to_write(struct file *file, const struct kpt_fs_node *node)
{
	int err;

	if (!node->entry->store && !node->entry->write)
		return -EINVAL;
	if (!(file->f_flags & O_TRUNC) || !node->entry->truncate)
		return 0;
	err = kpt_fs_node_lock(node);
	if (err)
		return err;
	err = node->entry->truncate(node);
	mutex_unlock(&kpt_mutex);
	return err;
}

static int entry_open(struct inode *inode, struct file *file)
{
	struct kpt_fs_node *node = kpt_fs_node_open(inode);
	int err = 0;

	if (IS_ERR(node))
		return PTR_ERR(node);
	if (file->f_mode & FMODE_WRITE)
		err = entry_open_to_write(file, node);
	if (!err && file->f_mode & FMODE_READ)
		err = entry_open_to_read(file, node);
	if (err)
		kpt_fs_node_release(node);
	return err;
}

static int entry_release(struct inode *inode, struct file *file)
{
	if (file->f_mode & FMODE_READ)
		seq_release(inode, file);
	kpt_fs_node_release(kpt_fs_node_of(file));
	return 0;
}

/* Cut a list of words after its last whole word; the list continues after @count. */
static size_t cut_words(char *text, size_t count)
{
	while (count && !isspace(text[count - 1]))
		count--;
	text[count] = '\0';
	return count;
}

/* Store a short text, for files with @store. Returns the number of bytes stored. */
static ssize_t entry_store(const struct kpt_fs_node *node, const char __user *from,
		     size_t count)
{
	size_t len = min_t(size_t, count, KPT_STORE_MAX);
	char *text;
	int err = -EINVAL;

	if (len < count && !node->entry->words)
		return -EINVAL;
	text = memdup_user_nul(from, len);
	if (IS_ERR(text))
		return PTR_ERR(text);
	if (len < count)
		len = cut_words(text, len);
	if (len || !count) {
		err = entry_lock(node) ?: node->entry->store(node, strim(text));
		entry_unlock(node);
	}
	kfree(text);
	return err ?: (ssize_t)len;
}

static ssize_t entry_write(struct file *file, const char __user *from,
			   size_t count, loff_t *pos)
{
	const struct kpt_fs_node *node = kpt_fs_node_of(file);
	ssize_t done;

	if (node->entry->write)
		done = node->entry->write(node, from, count) ?: (ssize_t)count;
	else
		done = entry_store(node, from, count);
	if (done > 0)
		*pos += done;
	return done;
}

static loff_t entry_llseek(struct file *file, loff_t offset, int whence)
{
	if (file->f_mode & FMODE_READ)
		return seq_lseek(file, offset, whence);
	return noop_llseek(file, offset, whence);
}

static const struct file_operations entry_fops = {
	.owner = THIS_MODULE,
	.open = entry_open,
	.read = seq_read,
	.write = entry_write,
	.llseek = entry_llseek,
	.release = entry_release,
};

/*
 * Inodes and directories.
 */

/**
 * kpt_fs_lookup() - inode_operations.lookup of all our directories
 * @dir: the directory
 * @dentry: a name that does not exist
 * @flags: not used
 *
 * Existing names are found in the dentry cache. A missing name is not cached,
 * because a file of that name may be made at any time.
 *
 * Context: process context.
 * Return: NULL or ERR_PTR(-ENAMETOOLONG).
 */
struct dentry *kpt_fs_lookup(struct inode *dir, struct dentry *dentry,
			     unsigned int flags)
{
	if (dentry->d_name.len > NAME_MAX)
		return ERR_PTR(-ENAMETOOLONG);
	return NULL;
}

static const struct inode_operations dir_iops = {
	.lookup = kpt_fs_lookup,
};

static const struct inode_operations file_iops = {
	.setattr = simple_setattr,
};

static struct inode *node_make_inode(struct super_block *sb, umode_t mode,
				const struct kpt_fs_node *node)
{
	struct kpt_fs_node *copy;
	struct inode *inode;

	inode = new_inode(sb);
	if (!inode)
		return NULL;
	copy = kmemdup(node, sizeof(*node), GFP_KERNEL);
	if (!copy) {
		iput(inode);
		return NULL;
	}
	inode->i_private = copy;
	inode->i_ino = get_next_ino();
	inode->i_mode = mode;
	kpt_inode_init_ts(inode);
	if (S_ISDIR(mode)) {
		inode->i_op = &dir_iops;
		inode->i_fop = &simple_dir_operations;
		set_nlink(inode, 2);
	} else {
		inode->i_op = &file_iops;
		inode->i_fop = node->entry->fops ?: &entry_fops;
	}
	return inode;
}

/**
 * kpt_fs_evict() - super_operations.evict_inode
 * @inode: an inode without users
 *
 * Context: process context.
 */
void kpt_fs_evict(struct inode *inode)
{
	truncate_inode_pages_final(&inode->i_data);
	clear_inode(inode);
	kfree(inode->i_private);
}

/* Make an entry of @parent with the same owner; the caller gets no reference. */
static struct dentry *node_add(struct dentry *parent, const char *name, umode_t mode,
			  const struct kpt_fs_node *node)
{
	struct inode *dir = d_inode(parent), *inode;
	struct dentry *dentry;

	dentry = d_alloc_name(parent, name);
	if (!dentry)
		return NULL;
	inode = node_make_inode(parent->d_sb, mode, node);
	if (!inode) {
		dput(dentry);
		return NULL;
	}
	inode->i_uid = dir->i_uid;
	inode->i_gid = dir->i_gid;

	inode_lock_nested(dir, I_MUTEX_PARENT);
	kpt_dentry_add(dentry, inode);
	if (S_ISDIR(mode)) {
		inc_nlink(dir);
		fsnotify_mkdir(dir, dentry);
	} else {
		fsnotify_create(dir, dentry);
	}
	inode_unlock(dir);
	return dentry;
}

/**
 * kpt_fs_dir() - make a directory
 * @parent: gets the directory
 * @name: its name
 * @node: its subject, copied
 *
 * Context: process context, sleeps, kpt_mutex held.
 * Return: the directory, pinned until it is removed, or NULL without memory.
 */
struct dentry *kpt_fs_dir(struct dentry *parent, const char *name,
			  const struct kpt_fs_node *node)
{
	return node_add(parent, name, S_IFDIR | 0750, node);
}

/**
 * kpt_fs_files() - make the files of a table
 * @dir: gets the files
 * @entries: the table, which outlives the files
 * @node: their subject, copied; @entry is set here
 *
 * Context: process context, sleeps, kpt_mutex held.
 * Return: 0 or -ENOMEM, with some of the files made.
 */
int kpt_fs_files(struct dentry *dir, const struct kpt_fs_table *entries,
		 const struct kpt_fs_node *node)
{
	struct kpt_fs_node copy = *node;
	unsigned int i;

	for (i = 0; i < entries->nr; i++) {
		copy.entry = &entries->entry[i];
		if (!node_add(dir, copy.entry->name, S_IFREG | copy.entry->mode,
			 &copy))
			return -ENOMEM;
	}
	return 0;
}

/**
 * kpt_fs_make_root() - the root directory of a new superblock
 * @sb: the superblock
 *
 * Context: process context, sleeps.
 * Return: the directory, or NULL without memory.
 */
struct dentry *kpt_fs_make_root(struct super_block *sb)
{
	const struct kpt_fs_node node = {
		.instance = &kpt_top_instance,
		.cpu = -1,
	};
	struct inode *inode;

	inode = node_make_inode(sb, S_IFDIR | 0700, &node);
	return inode ? d_make_root(inode) : NULL;
}

static void node_mark_dead(struct dentry *dentry)
{
	struct kpt_fs_node *node = d_inode(dentry)->i_private;

	WRITE_ONCE(node->dead, true);
}

/**
 * kpt_fs_remove() - remove a directory with all that is in it
 * @dir: from kpt_fs_dir(), or NULL
 *
 * Files of it that are open answer -ENODEV from now on.
 *
 * Context: process context, sleeps, kpt_mutex held.
 */
void kpt_fs_remove(struct dentry *dir)
{
	if (dir)
		simple_recursive_removal(dir, node_mark_dead);
}

/**
 * kpt_parse_switch() - parse "0" or "1", and refuse all else
 * @text: the text
 * @on: result
 *
 * Context: any.
 * Return: 0, -EINVAL or -ERANGE.
 */
int kpt_parse_switch(const char *text, bool *on)
{
	unsigned long n;
	int err;

	err = kstrtoul(text, 10, &n);
	if (err)
		return err;
	if (n > 1)
		return -EINVAL;
	*on = n;
	return 0;
}
