// SPDX-License-Identifier: GPL-2.0-only
/*
 * Directories whose content is made when it is looked up: files of tables, and
 * directories that come and go. An inode and its name exist only while somebody uses
 * them; an event that nobody looks at costs nothing here.
 *
 * Nothing is removed with an event: its names become invalid, because d_revalidate
 * sees that their subject is dead, and the next lookup drops them. No function of
 * this file takes kpt_mutex: lookups find events under RCU, so looking at files never
 * waits for a holder of kpt_mutex.
 */
#include "kernel/compat.h"
#include <linux/dcache.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/string.h>
#include "fs/fs.h"

/* The tables of a directory: its own, then those of parts; NULL after the last. */
static const struct kpt_fs_table *lookup_table(const struct kpt_fs_content *content,
					       unsigned int nth)
{
	unsigned int own = 0;

	while (own < ARRAY_SIZE(content->tables) && content->tables[own])
		own++;
	return nth < own ? content->tables[nth] :
			   kpt_parts_table(content->dir, nth - own);
}

static const struct kpt_fs_file *lookup_file(const struct kpt_fs_content *content,
					     const char *name, unsigned int *index)
{
	const struct kpt_fs_table *table;
	unsigned int t, i;

	*index = 0;
	for (t = 0; (table = lookup_table(content, t)); t++)
		for (i = 0; i < table->nr; i++, ++*index)
			if (!strcmp(table->entry[i].name, name))
				return &table->entry[i];
	return NULL;
}

/* The file at an index of all tables, or NULL after the last. */
static const struct kpt_fs_file *lookup_nth(const struct kpt_fs_content *content,
					    unsigned int index)
{
	const struct kpt_fs_table *table;
	unsigned int t;

	for (t = 0; (table = lookup_table(content, t)); t++) {
		if (index < table->nr)
			return &table->entry[index];
		index -= table->nr;
	}
	return NULL;
}

/* Numbers of the files of a directory follow that of the directory. */
static unsigned long lookup_file_ino(const struct inode *dir, unsigned int index)
{
	return dir->i_ino + 1 + index;
}

/* Fill in the node of a name. Returns its inode's number, or 0 if there is none. */
static unsigned long lookup_name(const struct inode *dir, const char *name,
				 struct kpt_fs_node *child)
{
	const struct kpt_fs_node *node = dir->i_private;
	unsigned int index;

	if (kpt_fs_node_is_orphan(node))
		return 0;
	*child = *node;
	child->content = NULL;
	child->entry = lookup_file(node->content, name, &index);
	if (child->entry)
		return lookup_file_ino(dir, index);
	if (!node->content->find)
		return 0;
	return node->content->find(node, name, child);
}

static struct dentry *lookup_lookup(struct inode *dir, struct dentry *dentry,
				    unsigned int flags)
{
	struct kpt_fs_node child;
	struct inode *inode;
	unsigned long ino;

	if (dentry->d_name.len > NAME_MAX)
		return ERR_PTR(-ENAMETOOLONG);
	rcu_read_lock();
	ino = lookup_name(dir, dentry->d_name.name, &child);
	if (ino && !kpt_fs_node_hold(&child))
		ino = 0;
	rcu_read_unlock();
	if (!ino)
		return NULL;
	inode = kpt_fs_make_inode(dir, &child, ino);
	return inode ? d_splice_alias(inode, dentry) : ERR_PTR(-ENOMEM);
}

/*
 * Reading a directory: ".", "..", the files, the directories. The position of a
 * directory is its kpt_fs_name.seq, which never changes, after those of the files.
 */
#define FIRST_FILE	2
#define FIRST_DIR	64

static bool lookup_emit_files(struct file *file, struct dir_context *ctx)
{
	const struct inode *dir = file_inode(file);
	const struct kpt_fs_node *node = dir->i_private;
	const struct kpt_fs_file *entry;
	unsigned int index;

	while (ctx->pos < FIRST_DIR) {
		index = ctx->pos - FIRST_FILE;
		entry = lookup_nth(node->content, index);
		if (!entry) {
			ctx->pos = FIRST_DIR;
			break;
		}
		if (!dir_emit(ctx, entry->name, strlen(entry->name),
			      lookup_file_ino(dir, index), DT_REG))
			return false;
		ctx->pos++;
	}
	return true;
}

/* How many names are collected at once: names cannot be emitted under RCU. */
#define NAMES	256

static int lookup_emit_dirs(const struct kpt_fs_node *node, struct dir_context *ctx)
{
	struct kpt_fs_name *names;
	unsigned int nr, i;

	names = kvmalloc_array(NAMES, sizeof(*names), GFP_KERNEL);
	if (!names)
		return -ENOMEM;
	do {
		rcu_read_lock();
		nr = node->content->list(node, ctx->pos - FIRST_DIR, names, NAMES);
		rcu_read_unlock();
		for (i = 0; i < nr; i++) {
			ctx->pos = names[i].seq + FIRST_DIR;
			if (!dir_emit(ctx, names[i].name, strlen(names[i].name),
				      names[i].ino, DT_DIR))
				goto out;
			ctx->pos++;
		}
	} while (nr == NAMES);
out:
	kvfree(names);
	return 0;
}

static int lookup_readdir(struct file *file, struct dir_context *ctx)
{
	const struct kpt_fs_node *node = kpt_fs_node_of(file);

	if (kpt_fs_node_is_orphan(node))
		return -ENOENT;
	if (!dir_emit_dots(file, ctx) || !lookup_emit_files(file, ctx) ||
	    !node->content->list)
		return 0;
	return lookup_emit_dirs(node, ctx);
}

const struct inode_operations kpt_lookup_dir_iops = {
	.lookup = lookup_lookup,
	.setattr = kpt_attr_set,
};

const struct file_operations kpt_lookup_dir_fops = {
	.owner = THIS_MODULE,
	.read = generic_read_dir,
	.iterate_shared = lookup_readdir,
	.llseek = generic_file_llseek,
	.fsync = noop_fsync,
};

/* The name of a removed event may be given to another one. May run under RCU. */
static int lookup_revalidate(KPT_REVALIDATE_PARAM struct dentry *dentry,
			     unsigned int flags)
{
	const struct inode *inode = READ_ONCE(dentry->d_inode);

	return !inode || !kpt_fs_node_is_dead(inode->i_private);
}

/* By inotify or the like? */
static bool lookup_is_watched(const struct inode *inode)
{
#ifdef CONFIG_FSNOTIFY
	return inode && inode->i_fsnotify_mask;
#else
	return false;
#endif
}

/* Keep an unused name only if its inode is watched. */
static int lookup_delete(const struct dentry *dentry)
{
	return !lookup_is_watched(d_inode(dentry));
}

const struct dentry_operations kpt_lookup_dentry_ops = {
	.d_revalidate = lookup_revalidate,
	.d_delete = lookup_delete,
};

/**
 * kpt_lookup_remove() - remove a directory of an instance whose content is looked up
 * @dir: from kpt_fs_dir(); its instance is closed, so that lookups find nothing
 *
 * Names below it that are in use stay until they are not.
 *
 * Context: process context, sleeps; takes the inode lock of @dir, kpt_mutex not held.
 */
void kpt_lookup_remove(struct dentry *dir)
{
	struct inode *inode = d_inode(dir);

	/* Wait for lookups that began before the instance was closed. */
	inode_lock(inode);
	inode->i_flags |= S_DEAD;
	inode_unlock(inode);
	d_invalidate(dir);
	kpt_dentry_remove(dir);
}
