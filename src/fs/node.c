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
#include "event/class.h"
#include "fs/fs.h"
#include "kernel/ksyms.h"
#include "lib/base/hide.h"

/* Nodes: what inodes are about. */

static bool node_hold_event(struct kpt_fs_node *node)
{
	if (node->declared)
		return refcount_inc_not_zero(&node->declared->refs);
	if (!node->event)
		return true;
	node->file = kpt_event_file_find(node->event, node->instance);
	/* Only builtin events, which are never freed, have no file. */
	return node->file || kpt_event_is_builtin(node->event);
}

/**
 * kpt_fs_node_hold() - get the references that the node of an inode has
 * @node: a node with @instance, @group and @event or @declared; the @file of an @event
 *	is found here
 *
 * Context: under rcu_read_lock() if @group, @event and @declared were found so.
 * Return: true; false if a subject will be freed, and then nothing is held.
 */
bool kpt_fs_node_hold(struct kpt_fs_node *node)
{
	node->file = NULL;
	if (node->group && !kpt_group_get(node->group))
		return false;
	if (!node_hold_event(node)) {
		kpt_group_put(node->group);
		return false;
	}
	kpt_instance_hold(node->instance);
	return true;
}

/**
 * kpt_fs_node_drop() - the reverse of kpt_fs_node_hold()
 * @node: the node
 *
 * Context: process context.
 */
void kpt_fs_node_drop(const struct kpt_fs_node *node)
{
	if (node->file)
		kpt_event_file_put(node->file);
	if (node->declared)
		kpt_declared_put(node->declared);
	kpt_group_put(node->group);
	kpt_instance_drop(node->instance);
}

/**
 * kpt_fs_node_open() - hold the instance of a file while it is open
 * @inode: of the file that is opened
 *
 * Checks lockdown, then takes a reference on the instance. Takes no lock, so open()
 * never waits for a holder of kpt_mutex.
 *
 * Context: process context.
 * Return: the node, or ERR_PTR(): -EPERM while the kernel is locked down, -ENODEV
 * if its event or instance was removed.
 */
struct kpt_fs_node *kpt_fs_node_open(struct inode *inode)
{
	struct kpt_fs_node *node = inode->i_private;
	int err;

	err = security_locked_down(LOCKDOWN_TRACEFS);
	if (err)
		return ERR_PTR(err);
	if (kpt_fs_node_is_dead(node) || !kpt_instance_get(node->instance))
		return ERR_PTR(-ENODEV);
	return node;
}

/**
 * kpt_fs_node_release() - put the reference of kpt_fs_node_open()
 * @node: from kpt_fs_node_open()
 *
 * Context: process context.
 */
void kpt_fs_node_release(struct kpt_fs_node *node)
{
	kpt_instance_put(node->instance);
}

/*
 * A static event becomes an event when one of its files is first read or written: its
 * lookup must not take kpt_mutex.
 */
static int node_find_file(struct kpt_fs_node *node)
{
	struct kpt_event_file *file;
	struct kpt_event *event;

	if (kpt_fs_node_is_dead(node))
		return -ENODEV;
	if (!node->declared || node->file)
		return 0;
	event = node->declared->make(node->declared);
	if (!event)
		return -ENOMEM;
	file = kpt_event_file_find(event, node->instance);
	/* Pairs with kpt_fs_node_is_dead(). */
	smp_store_release(&node->file, file);
	return 0;
}

/**
 * kpt_fs_node_lock() - take kpt_mutex, for an open file
 * @node: from kpt_fs_node_open()
 *
 * Context: process context, sleeps.
 * Return: 0; or without the lock -ENODEV if its event was deleted, -EINTR if the task
 * is being killed, -ENOMEM.
 */
int kpt_fs_node_lock(struct kpt_fs_node *node)
{
	int err;

	if (kpt_lock())
		return -EINTR;
	err = node_find_file(node);
	if (err)
		kpt_unlock();
	return err;
}

/* Files that a table entry describes. */

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

/**
 * kpt_seq_hide() - hide addresses from a reader who may not see them
 * @m: the seq_file
 * @from: seq_file.count before the text was written
 *
 * For texts that those who define events wrote, who read them as they were, in order to
 * write them again: also where kptr_restrict hides all that the kernel knows from everybody.
 *
 * Context: process context.
 */
void kpt_seq_hide(struct seq_file *m, size_t from)
{
	if (!kpt_ksyms_may_show(m->file) &&
	    !kpt_ksyms_has_syslog(m->file))
		kpt_hide_addresses(m->buf + from, m->count - from);
}

/* As kpt_fs_node_lock(): on failure nothing is held. */
static int entry_lock(struct kpt_fs_node *node)
{
	if (node->entry->lockless)
		return kpt_fs_node_is_dead(node) ? -ENODEV : 0;
	return kpt_fs_node_lock(node);
}

static void entry_unlock(const struct kpt_fs_node *node)
{
	if (!node->entry->lockless)
		kpt_unlock();
}

/* A row by its number plus 1, or the only text of a file. */
static void *entry_at(const struct kpt_fs_file *entry, loff_t pos)
{
	if (entry->nth)
		return pos < entry->rows ? (void *)(unsigned long)(pos + 1) : NULL;
	return pos ? NULL : SEQ_START_TOKEN;
}

static void *entry_start(struct seq_file *m, loff_t *pos)
{
	struct kpt_fs_node *node = kpt_fs_node_of(m->file);
	int err = entry_lock(node);

	if (err)
		return ERR_PTR(err);
	if (node->entry->list)
		return seq_list_start(node->entry->list(node), *pos);
	return entry_at(node->entry, *pos);
}

/* A piece has fewer rows of a table: each may be several lines. */
static bool entry_ends_piece(const struct kpt_fs_file *entry, loff_t pos)
{
	return !entry->lockless && !(pos % (entry->list ? KPT_PIECE : KPT_PIECE / 16));
}

/*
 * A read at a far position makes all rows before it first, so let others take kpt_mutex
 * after each piece. Rows may come and go then, as they may between two reads.
 */
static void *entry_next(struct seq_file *m, void *v, loff_t *pos)
{
	struct kpt_fs_node *node = kpt_fs_node_of(m->file);

	if (entry_ends_piece(node->entry, *pos + 1)) {
		entry_unlock(node);
		cond_resched();
		++*pos;
		if (fatal_signal_pending(current))
			return ERR_PTR(-EINTR);
		return entry_start(m, pos);
	}
	if (node->entry->list)
		return seq_list_next(v, node->entry->list(node), pos);
	++*pos;
	return entry_at(node->entry, *pos);
}

static void entry_stop(struct seq_file *m, void *v)
{
	/* seq_file passes what it got last: an error means that nothing is held. */
	if (!IS_ERR(v))
		entry_unlock(kpt_fs_node_of(m->file));
}

static int entry_show_text(struct seq_file *m, void *v)
{
	const struct kpt_fs_node *node = kpt_fs_node_of(m->file);

	if (node->entry->nth)
		return node->entry->nth(m, (unsigned long)v - 1);
	return node->entry->list ? node->entry->row(m, node, v) :
				   node->entry->show(m, node);
}

static int entry_show(struct seq_file *m, void *v)
{
	size_t from = m->count;
	int err = entry_show_text(m, v);

	kpt_seq_hide(m, from);
	return err;
}

static const struct seq_operations entry_seq = {
	.start = entry_start,
	.next = entry_next,
	.stop = entry_stop,
	.show = entry_show,
};

static int entry_open_to_read(struct file *file, const struct kpt_fs_file *entry)
{
	if (!entry->show && !entry->list && !entry->nth)
		return -EINVAL;
	return seq_open(file, &entry_seq);
}

/*
 * struct entry_writer - what an open file keeps from one write to the next
 * @replaces: its next text goes to kpt_fs_file.replace; under kpt_mutex
 * @rest: a word that goes on in the next write, or NULL; who uses it takes it away first
 * @end: stores @rest after a task has ended by itself, and frees this
 * @node: for @end: the file, whose inode may be gone; with the reference of the open file
 */
struct entry_writer {
	bool replaces;
	char *rest;
	struct kpt_errand end;
	struct kpt_fs_node node;
};

/* Where the entry_writer is of a file that is open to write, or NULL. */
static struct entry_writer **entry_writer_at(struct file *file)
{
	struct seq_file *m = file->private_data;

	return (void *)(file->f_mode & FMODE_READ ? &m->private : &file->private_data);
}

static int entry_writer_new(struct file *file, const struct kpt_fs_file *entry)
{
	struct entry_writer *writer;

	if (!entry->replace && !entry->joins)
		return 0;
	writer = kzalloc(sizeof(*writer), GFP_KERNEL);
	if (!writer)
		return -ENOMEM;
	writer->replaces = entry->replace && file->f_flags & O_TRUNC;
	*entry_writer_at(file) = writer;
	return 0;
}

static int entry_open_to_write(struct file *file, struct kpt_fs_node *node)
{
	int err;

	if (!node->entry->store && !node->entry->write)
		return -EINVAL;
	if (!node->entry->truncate || !(file->f_flags & O_TRUNC))
		return entry_writer_new(file, node->entry);
	err = kpt_fs_node_lock(node);
	if (err)
		return err;
	err = node->entry->truncate(node);
	kpt_unlock();
	kpt_parts_wait();
	return err ?: entry_writer_new(file, node->entry);
}

static int entry_open(struct inode *inode, struct file *file)
{
	struct kpt_fs_node *node = kpt_fs_node_open(inode);
	int err = 0;

	if (IS_ERR(node))
		return PTR_ERR(node);
	if (file->f_mode & FMODE_READ)
		err = entry_open_to_read(file, node->entry);
	if (!err && file->f_mode & FMODE_WRITE) {
		err = entry_open_to_write(file, node);
		if (err && file->f_mode & FMODE_READ)
			seq_release(inode, file);
	}
	if (err)
		kpt_fs_node_release(node);
	return err;
}

/**
 * kpt_fs_node_note() - note in error_log that a file does not take a text
 * @node: the file, which is open
 * @text: the text
 * @takes: what it takes
 *
 * Context: process context, sleeps.
 */
void kpt_fs_node_note(const struct kpt_fs_node *node, const char *text, const char *takes)
{
	struct kpt_diag diag;

	kpt_diag_set(&diag, KPT_E_BAD_VALUE, 0, 0);
	kpt_diag_detail(&diag, takes);
	kpt_errlog_add(&node->instance->errlog, node->entry->name, text, &diag);
}

/* Does an error say that the text is wrong? */
static bool entry_is_mistake(int err)
{
	return err == -EINVAL || err == -ERANGE || err == -EOVERFLOW || err == -E2BIG;
}

/* Store a text, and note why it is refused unless @store has. */
static int entry_store_noted(const struct kpt_fs_node *node, char *text)
{
	const struct kpt_errlog *log = &node->instance->errlog;
	unsigned long added = READ_ONCE(log->added);
	const char *takes = node->entry->takes;
	char *copy = takes ? kstrdup(text, GFP_KERNEL) : NULL;
	int err = node->entry->store(node, text);

	if (copy && entry_is_mistake(err) && READ_ONCE(log->added) == added)
		kpt_fs_node_note(node, copy, takes);
	kfree(copy);
	return err;
}

/* Store a text, with the lock held. @writer is NULL if the file has none. */
static int entry_take(const struct kpt_fs_node *node, struct entry_writer *writer, char *text)
{
	int err;

	if (!node->entry->replace || !writer->replaces)
		return entry_store_noted(node, text);
	/* Others may take kpt_mutex in replace(), and write to this file. */
	writer->replaces = false;
	err = node->entry->replace(node, text);
	if (err <= 0)
		return err;
	writer->replaces = true;
	return 0;
}

static void entry_writer_free(struct entry_writer *writer)
{
	kfree(writer->rest);
	kfree(writer);
}

static void entry_take_last(const struct kpt_fs_node *node, struct entry_writer *writer)
{
	char none[] = "";

	if (!kpt_fs_node_is_dead(node))
		entry_take(node, writer, writer->rest ?: none);
}

static int entry_end(struct kpt_errand *errand)
{
	struct entry_writer *writer = container_of(errand, struct entry_writer, end);

	entry_take_last(&writer->node, writer);
	kpt_fs_node_release(&writer->node);
	entry_writer_free(writer);
	return 0;
}

/*
 * The last word ends with the file, and a file that was opened with O_TRUNC is empty if
 * nothing was written. close() cannot be interrupted, and tells nobody of errors. Returns whether
 * the file and its node are an errand's: a task that ends waits for nobody.
 */
static bool entry_finish(struct kpt_fs_node *node, struct entry_writer *writer)
{
	bool ends = current->flags & PF_EXITING;

	/* A task that is killed may have wanted to go on, and an empty set may mean all. */
	if ((!writer->rest && !writer->replaces) || (ends && current->exit_code & 0x7f))
		return false;
	if (ends) {
		writer->node = *node;
		kpt_errand_do(&writer->end, entry_end);
		return true;
	}
	if (kpt_lock())
		return false;
	entry_take_last(node, writer);
	kpt_unlock();
	kpt_parts_wait();
	return false;
}

static int entry_release(struct inode *inode, struct file *file)
{
	struct kpt_fs_node *node = kpt_fs_node_of(file);
	struct entry_writer *writer = NULL;
	bool is_left = false;

	if (file->f_mode & FMODE_WRITE && (node->entry->replace || node->entry->joins))
		writer = *entry_writer_at(file);
	if (writer)
		is_left = entry_finish(node, writer);
	if (writer && !is_left)
		entry_writer_free(writer);
	if (file->f_mode & FMODE_READ)
		seq_release(inode, file);
	if (!is_left)
		kpt_fs_node_release(node);
	return 0;
}

/* The length of a list of words up to its last blank: the word behind it may go on. */
static size_t whole_words(const char *text, size_t len)
{
	while (len && !isspace(text[len - 1]))
		len--;
	return len;
}

static int entry_lock_and_take(struct file *file, char *text)
{
	struct kpt_fs_node *node = kpt_fs_node_of(file);
	int err = entry_lock(node);

	if (err)
		return err;
	err = entry_take(node, *entry_writer_at(file), strim(text));
	entry_unlock(node);
	return err;
}

/* Refuse a text of more than KPT_STORE_MAX characters; error_log has how it begins. */
static int entry_refuse_long(const struct kpt_fs_node *node, char *text)
{
	text[min_t(size_t, strlen(text), 64)] = '\0';
	kpt_fs_node_note(node, text, "at most " __stringify(KPT_STORE_MAX) " characters long");
	return -EINVAL;
}

/* Store a short text, for files with @store. Returns the number of bytes stored. */
static ssize_t entry_store(struct file *file, const char __user *from, size_t count)
{
	const struct kpt_fs_node *node = kpt_fs_node_of(file);
	size_t len = min_t(size_t, count, KPT_STORE_MAX);
	char *text;
	int err;

	if (!count && (node->entry->may_be_empty || node->entry->truncate))
		return 0;
	text = memdup_user_nul(from, len);
	if (IS_ERR(text))
		return PTR_ERR(text);
	if (len < count)
		len = node->entry->words ? whole_words(text, len) : 0;
	if (len || !count) {
		text[len] = '\0';
		err = entry_lock_and_take(file, text);
	} else {
		err = entry_refuse_long(node, text);
	}
	kfree(text);
	return err ?: (ssize_t)len;
}

/* Keep what the next write goes on with. Takes over the text. */
static void entry_keep(struct file *file, char *text, size_t len)
{
	struct entry_writer *writer = *entry_writer_at(file);

	if (!len) {
		kfree(text);
		return;
	}
	text[len] = '\0';
	/* pwrite() is not serialized with other writes. */
	kfree(xchg(&writer->rest, text));
}

/* Store the words of a text that are whole, and keep the rest. Takes over the text. */
static int entry_store_whole(struct file *file, char *text, size_t len)
{
	size_t whole = whole_words(text, len);
	int err = 0;

	if (whole) {
		text[whole - 1] = '\0';
		err = entry_lock_and_take(file, text);
	}
	if (err) {
		kfree(text);
		return err;
	}
	memmove(text, text + whole, len - whole);
	entry_keep(file, text, len - whole);
	return 0;
}

/* As entry_store(), for files with @joins: a text goes on where the last one ended. */
static ssize_t entry_store_joined(struct file *file, const char __user *from, size_t count)
{
	struct entry_writer *writer = *entry_writer_at(file);
	char *rest = xchg(&writer->rest, NULL), *text;
	size_t begun = rest ? strlen(rest) : 0;
	size_t len = min_t(size_t, count, KPT_STORE_MAX - begun);
	int err;

	if (len < count && !len) {
		err = entry_refuse_long(kpt_fs_node_of(file), rest);
		kfree(rest);
		return err;
	}
	text = krealloc(rest, begun + len + 1, GFP_KERNEL);
	if (!text) {
		entry_keep(file, rest, begun);
		return -ENOMEM;
	}
	if (copy_from_user(text + begun, from, len)) {
		entry_keep(file, text, begun);
		return -EFAULT;
	}
	return entry_store_whole(file, text, begun + len) ?: (ssize_t)len;
}

static ssize_t entry_write(struct file *file, const char __user *from,
			   size_t count, loff_t *pos)
{
	struct kpt_fs_node *node = kpt_fs_node_of(file);
	ssize_t done;

	if (node->entry->write)
		done = node->entry->write(node, from, count) ?: (ssize_t)count;
	else if (node->entry->joins)
		done = entry_store_joined(file, from, count);
	else
		done = entry_store(file, from, count);
	if (!node->entry->lockless)
		kpt_parts_wait();
	if (done > 0)
		*pos += done;
	return done;
}

static loff_t entry_llseek(struct file *file, loff_t offset, int whence)
{
	return (file->f_mode & FMODE_READ ? seq_lseek : noop_llseek)(file, offset, whence);
}

static const struct file_operations entry_fops = {
	.owner = THIS_MODULE,
	.open = entry_open,
	.read = seq_read,
	.write = entry_write,
	.splice_write = kpt_fs_splice_write,
	.llseek = entry_llseek,
	.release = entry_release,
};

/* Inodes and directories. */

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

static const struct inode_operations lookup_file_iops = {
	.setattr = kpt_attr_set,
};

static void node_init_dir(struct inode *inode, const struct kpt_fs_node *node)
{
	inode->i_op = node->content ? &kpt_lookup_dir_iops : &dir_iops;
	inode->i_fop = node->content ? &kpt_lookup_dir_fops : &simple_dir_operations;
	/* 1: how many directories are in it is not known. */
	set_nlink(inode, node->content && node->content->find ? 1 : 2);
}

static void node_init_file(struct inode *inode, const struct kpt_fs_node *node,
			   bool looked_up)
{
	inode->i_op = looked_up ? &lookup_file_iops : &file_iops;
	inode->i_fop = node->entry->fops ?: &entry_fops;
}

/*
 * Make an inode, which takes over the references of @node; without memory they are
 * put. @ino is 0 if it is not made by a lookup.
 */
static struct inode *node_make_inode(struct super_block *sb,
				     const struct kpt_fs_node *node,
				     unsigned long ino)
{
	struct kpt_fs_node *copy;
	struct inode *inode;

	inode = new_inode(sb);
	copy = inode ? kmemdup(node, sizeof(*node), GFP_KERNEL) : NULL;
	if (!copy) {
		iput(inode);
		kpt_fs_node_drop(node);
		return NULL;
	}
	inode->i_private = copy;
	inode->i_ino = ino ?: get_next_ino();
	kpt_inode_init_ts(inode);
	if (node->entry) {
		inode->i_mode = S_IFREG | node->entry->mode;
		node_init_file(inode, node, ino);
	} else {
		inode->i_mode = S_IFDIR | 0750;
		node_init_dir(inode, node);
	}
	return inode;
}

/**
 * kpt_fs_make_inode() - make the inode of a file or directory
 * @dir: its directory, whose owner it gets, unless users chose another
 * @node: its subject, copied; its references are taken over, or put on failure
 * @ino: its number, or 0 for any
 *
 * Context: process context, sleeps.
 * Return: the inode, or NULL without memory.
 */
struct inode *kpt_fs_make_inode(const struct inode *dir,
				const struct kpt_fs_node *node, unsigned long ino)
{
	struct inode *inode = node_make_inode(dir->i_sb, node, ino);

	if (!inode)
		return NULL;
	inode->i_uid = dir->i_uid;
	inode->i_gid = dir->i_gid;
	kpt_attr_get(inode);
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
	struct kpt_fs_node *node = inode->i_private;

	truncate_inode_pages_final(&inode->i_data);
	clear_inode(inode);
	if (!node)
		return;
	kpt_fs_node_drop(node);
	kfree_rcu(node, rcu);
}

/* Make an entry of @parent with the same owner; the caller gets no reference. */
static struct dentry *node_add(struct dentry *parent, const char *name,
			       const struct kpt_fs_node *node, unsigned long ino)
{
	struct inode *dir = d_inode(parent), *inode;
	struct dentry *dentry;

	dentry = d_alloc_name(parent, name);
	if (!dentry)
		return NULL;
	kpt_instance_hold(node->instance);
	inode = kpt_fs_make_inode(dir, node, ino);
	if (!inode) {
		dput(dentry);
		return NULL;
	}

	inode_lock_nested(dir, I_MUTEX_PARENT);
	kpt_dentry_add(dentry, inode);
	if (S_ISDIR(inode->i_mode)) {
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
 * @ino: number of its inode, or 0 for any
 *
 * Context: process context, sleeps; takes inode locks.
 * Return: the directory, pinned until it is removed, or NULL without memory.
 */
struct dentry *kpt_fs_dir(struct dentry *parent, const char *name,
			  const struct kpt_fs_node *node, unsigned long ino)
{
	return node_add(parent, name, node, ino);
}

/**
 * kpt_fs_add() - make a file with a name of its own
 * @dir: gets the file
 * @name: its name
 * @node: its subject, copied, with its @entry
 *
 * Context: process context, sleeps; takes inode locks.
 * Return: the file, pinned until it is removed, or NULL without memory.
 */
struct dentry *kpt_fs_add(struct dentry *dir, const char *name,
			  const struct kpt_fs_node *node)
{
	return node_add(dir, name, node, 0);
}

/**
 * kpt_fs_files() - make the files of a table
 * @dir: gets the files
 * @entries: the table, which outlives the files
 * @node: their subject, copied; @entry is set here
 *
 * Context: process context, sleeps; takes inode locks.
 * Return: 0 or -ENOMEM, with some of the files made.
 */
int kpt_fs_files(struct dentry *dir, const struct kpt_fs_table *entries,
		 const struct kpt_fs_node *node)
{
	struct kpt_fs_node copy = *node;
	unsigned int i;

	for (i = 0; i < entries->nr; i++) {
		copy.entry = &entries->entry[i];
		if (!node_add(dir, copy.entry->name, &copy, 0))
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

	kpt_instance_hold(node.instance);
	inode = node_make_inode(sb, &node, 0);
	if (!inode)
		return NULL;
	inode->i_mode = S_IFDIR | 0700;
	return d_make_root(inode);
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
