// SPDX-License-Identifier: GPL-2.0-only
/*
 * Owners and modes that users gave to files that exist only while they are looked
 * at. Most files have those they are made with, and need no memory here.
 */
#include "kernel/compat.h"
#include <linux/slab.h>
#include <linux/xarray.h>
#include "fs/fs.h"

/**
 * struct attr - what chmod and chown have set
 * @seq: of the group or event that the file is about; numbers of inodes are used again
 * @uid: owner
 * @gid: group
 * @mode: permissions
 */
struct attr {
	u64 seq;
	kuid_t uid;
	kgid_t gid;
	umode_t mode;
};

/* struct attr by number of the inode. */
static DEFINE_XARRAY(attrs);

/* A number that no other group or event ever has. */
static u64 attr_subject(const struct inode *inode)
{
	const struct kpt_fs_node *node = inode->i_private;

	if (node->declared)
		return node->declared->seq;
	if (node->event)
		return node->event->seq;
	return node->group ? node->group->seq : 0;
}

static void attr_note(struct attr *attr, const struct inode *inode)
{
	attr->seq = attr_subject(inode);
	attr->uid = inode->i_uid;
	attr->gid = inode->i_gid;
	attr->mode = inode->i_mode & S_IALLUGO;
}

/* Find what is known of a file, and forget that of one that had its number before. */
static struct attr *attr_find(const struct inode *inode)
{
	struct attr *attr = xa_load(&attrs, inode->i_ino);

	if (attr && attr->seq != attr_subject(inode)) {
		__xa_erase(&attrs, inode->i_ino);
		kfree(attr);
		return NULL;
	}
	return attr;
}

/* Get memory for what is about to be known of a file. */
static int attr_prepare(const struct inode *inode)
{
	struct attr *attr = kmalloc(sizeof(*attr), GFP_KERNEL_ACCOUNT);
	struct attr *old;

	if (!attr)
		return -ENOMEM;
	attr_note(attr, inode);
	old = xa_store(&attrs, inode->i_ino, attr, GFP_KERNEL_ACCOUNT);
	if (xa_is_err(old)) {
		kfree(attr);
		return xa_err(old);
	}
	kfree(old);
	/*
	 * What is deleted becomes an orphan first, then kpt_attr_forget() runs. That may
	 * have been before we stored; the lock of the array orders it with this look.
	 */
	if (kpt_fs_node_is_orphan(inode->i_private))
		kpt_attr_forget(inode->i_ino, 1);
	return 0;
}

/**
 * kpt_attr_set() - inode_operations.setattr of what exists only while looked at
 * @dentry: the file or directory
 * @change: the change
 *
 * Of a file whose instance or event was deleted nothing is kept: its number may be that of
 * another file by now.
 *
 * Context: process context, sleeps; the inode is locked.
 * Return: 0; -ENOMEM, or an errno of simple_setattr(), and then nothing has changed.
 */
int kpt_attr_set(KPT_MAP_PARAM struct dentry *dentry, struct iattr *change)
{
	struct inode *inode = d_inode(dentry);
	struct attr *attr;
	int err;

	if (!(change->ia_valid & (ATTR_MODE | ATTR_UID | ATTR_GID)) ||
	    kpt_fs_node_is_orphan(inode->i_private))
		return simple_setattr(KPT_MAP_ARG dentry, change);
	/* May it be changed? Then get the memory, so that nothing fails after the change. */
	err = setattr_prepare(KPT_MAP_ARG dentry, change);
	if (err)
		return err;
	xa_lock(&attrs);
	attr = attr_find(inode);
	xa_unlock(&attrs);
	if (!attr)
		err = attr_prepare(inode);
	if (!err)
		err = simple_setattr(KPT_MAP_ARG dentry, change);
	if (err)
		return err;
	xa_lock(&attrs);
	attr = kpt_fs_node_is_orphan(inode->i_private) ? NULL : attr_find(inode);
	if (attr)
		attr_note(attr, inode);
	xa_unlock(&attrs);
	return 0;
}

/**
 * kpt_attr_get() - give a new inode the owner and mode that users gave it before
 * @inode: the inode
 *
 * Context: process context.
 */
void kpt_attr_get(struct inode *inode)
{
	const struct attr *attr;

	xa_lock(&attrs);
	attr = attr_find(inode);
	if (attr) {
		inode->i_uid = attr->uid;
		inode->i_gid = attr->gid;
		inode->i_mode = (inode->i_mode & ~S_IALLUGO) | attr->mode;
	}
	xa_unlock(&attrs);
}

/**
 * kpt_attr_own() - mount options give everything another owner or group
 * @uid: the owner, or NULL
 * @gid: the group, or NULL
 *
 * Context: process context.
 */
void kpt_attr_own(const kuid_t *uid, const kgid_t *gid)
{
	unsigned long ino;
	struct attr *attr;

	xa_lock(&attrs);
	xa_for_each(&attrs, ino, attr) {
		if (uid)
			attr->uid = *uid;
		if (gid)
			attr->gid = *gid;
	}
	xa_unlock(&attrs);
}

/**
 * kpt_attr_forget() - forget owners and modes of removed files
 * @first: number of the first inode
 * @nr: how many numbers
 *
 * Context: process context.
 */
void kpt_attr_forget(unsigned long first, unsigned long nr)
{
	unsigned long ino;
	struct attr *attr;

	if (xa_empty(&attrs))
		return;
	xa_lock(&attrs);
	xa_for_each_range(&attrs, ino, attr, first, first + nr - 1) {
		__xa_erase(&attrs, ino);
		kfree(attr);
	}
	xa_unlock(&attrs);
}
