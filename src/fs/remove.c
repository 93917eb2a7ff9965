// SPDX-License-Identifier: GPL-2.0-only
/* Remove a tree of names, also where the kernel has no function for that. */
#include "kernel/compat.h"
#include <linux/fs.h>
#include <linux/fsnotify.h>
#include "fs/fs.h"
#include "kernel/ksyms.h"

#ifndef kpt_remove_tree
/* A name in a directory that is going, with a reference; NULL if no name is left in it. */
static struct dentry *remove_child_of(struct dentry *dir)
{
	struct dentry *child, *found = NULL;

	spin_lock(&dir->d_lock);
	list_for_each_entry(child, &dir->d_subdirs, d_child) {
		spin_lock_nested(&child->d_lock, DENTRY_D_LOCK_NESTED);
		if (simple_positive(child))
			found = dget_dlock(child);
		spin_unlock(&child->d_lock);
		if (found)
			break;
	}
	spin_unlock(&dir->d_lock);
	return found;
}

/* Nobody finds or makes names in a directory any more. */
static void remove_begin(struct inode *inode)
{
	if (!S_ISDIR(inode->i_mode))
		return;
	inode_lock(inode);
	inode->i_flags |= S_DEAD;
	inode_unlock(inode);
}

/* Remove a name below which nothing is left, and the reference that pinned it. */
static void remove_name(struct inode *dir, struct dentry *dentry)
{
	struct inode *inode = d_inode(dentry);

	inode_lock_nested(dir, I_MUTEX_PARENT);
	if (simple_positive(dentry)) {
		d_invalidate(dentry);
		if (S_ISDIR(inode->i_mode)) {
			drop_nlink(dir);
			fsnotify_rmdir(dir, dentry);
		} else {
			fsnotify_unlink(dir, dentry);
		}
		clear_nlink(inode);
		kpt_dentry_remove(dentry);
	}
	inode_unlock(dir);
}

/* Names have a reference from here as long as those below them are looked at. */
static void kpt_remove_tree(struct dentry *top)
{
	struct dentry *at = dget(top), *child, *dir;

	do {
		remove_begin(d_inode(at));
		while ((child = remove_child_of(at))) {
			at = child;
			remove_begin(d_inode(at));
		}
		dir = at->d_parent;
		remove_name(d_inode(dir), at);
		dput(at);
		child = at;
		at = dir;
	} while (child != top);
}
#endif

/**
 * kpt_fs_remove() - remove a directory with all that is in it
 * @dir: from kpt_fs_dir(), or NULL
 *
 * None of its files is open.
 *
 * Context: process context, sleeps; takes inode locks.
 */
void kpt_fs_remove(struct dentry *dir)
{
	if (dir)
		kpt_remove_tree(dir);
}
