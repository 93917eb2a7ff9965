// SPDX-License-Identifier: GPL-2.0-only
/*
 * The file system type: mounting, mount options, mount points. node.c makes the
 * files, tree.c the directories.
 */
#include "kernel/ksyms.h"
#include "kernel/compat.h"
#include <linux/debugfs.h>
#include <linux/fs_context.h>
#include <linux/fs_parser.h>
#include <linux/kobject.h>
#include <linux/magic.h>
#include <linux/mount.h>
#include <linux/slab.h>
#include <linux/sysfs.h>
#include "fs/fs.h"
#include "kernel/symbol/loaded.h"

/* "kptr" */
#define KPT_FS_MAGIC	0x6b707472

/**
 * struct options - mount options
 * @given: BIT(OPT_*) of those that were given
 * @uid: owner of everything
 * @gid: group of everything
 * @mode: of the root directory
 * @end: of those of a superblock: forgets the tree, and frees this
 */
struct options {
	unsigned int given;
	kuid_t uid;
	kgid_t gid;
	umode_t mode;
	struct kpt_errand end;
};

enum { OPT_UID, OPT_GID, OPT_MODE };

static const struct fs_parameter_spec option_specs[] = {
	fsparam_u32("uid", OPT_UID),
	fsparam_u32("gid", OPT_GID),
	fsparam_u32oct("mode", OPT_MODE),
	{}
};

/* We are the tracefs of this kernel. */
static bool stand_in;
static struct dentry *debugfs_entry;

/*
 * Mount options.
 */

static int parse_param(struct fs_context *fc, struct fs_parameter *param)
{
	struct options *o = fc->fs_private;
	struct fs_parse_result result;
	int opt;

	opt = fs_parse(fc, KPT_OPTIONS(option_specs), param, &result);
	switch (opt) {
	case OPT_UID:
		o->uid = make_kuid(current_user_ns(), result.uint_32);
		if (!uid_valid(o->uid))
			return invalf(fc, "unknown uid");
		break;
	case OPT_GID:
		o->gid = make_kgid(current_user_ns(), result.uint_32);
		if (!gid_valid(o->gid))
			return invalf(fc, "unknown gid");
		break;
	case OPT_MODE:
		o->mode = result.uint_32 & S_IALLUGO;
		break;
	default:
		return opt;
	}
	o->given |= BIT(opt);
	return 0;
}

/* Remember the options of a mount, and apply them to all inodes. */
static void apply(struct super_block *sb, const struct options *new)
{
	struct options *o = sb->s_fs_info;
	struct inode *inode, *root = d_inode(sb->s_root);

	o->given |= new->given;
	if (new->given & BIT(OPT_UID))
		o->uid = new->uid;
	if (new->given & BIT(OPT_GID))
		o->gid = new->gid;
	if (new->given & BIT(OPT_MODE)) {
		o->mode = new->mode;
		root->i_mode = (root->i_mode & ~S_IALLUGO) | new->mode;
	}
	spin_lock(&sb->s_inode_list_lock);
	list_for_each_entry(inode, &sb->s_inodes, i_sb_list) {
		if (new->given & BIT(OPT_UID))
			inode->i_uid = new->uid;
		if (new->given & BIT(OPT_GID))
			inode->i_gid = new->gid;
	}
	spin_unlock(&sb->s_inode_list_lock);
	kpt_attr_own(new->given & BIT(OPT_UID) ? &new->uid : NULL,
		     new->given & BIT(OPT_GID) ? &new->gid : NULL);
}

static int show_options(struct seq_file *m, struct dentry *root)
{
	const struct options *o = root->d_sb->s_fs_info;

	if (o->given & BIT(OPT_UID))
		seq_printf(m, ",uid=%u", __kuid_val(o->uid));
	if (o->given & BIT(OPT_GID))
		seq_printf(m, ",gid=%u", __kgid_val(o->gid));
	if (o->given & BIT(OPT_MODE))
		seq_printf(m, ",mode=%o", o->mode);
	return 0;
}

/*
 * The superblock. All mounts share one.
 */

static const struct super_operations super_ops = {
	.statfs = simple_statfs,
	.evict_inode = kpt_fs_evict,
	.show_options = show_options,
};

static int fill_super(struct super_block *sb, struct fs_context *fc)
{
	int err;

	sb->s_blocksize = PAGE_SIZE;
	sb->s_blocksize_bits = PAGE_SHIFT;
	sb->s_magic = stand_in ? TRACEFS_MAGIC : KPT_FS_MAGIC;
	sb->s_op = &super_ops;
	/* Positions in directories of events are numbers that grow without end. */
	sb->s_maxbytes = MAX_LFS_FILESIZE;
	kpt_set_dentry_ops(sb, &kpt_lookup_dentry_ops);
	sb->s_time_gran = 1;
	sb->s_fs_info = kzalloc(sizeof(struct options), GFP_KERNEL);
	if (!sb->s_fs_info)
		return -ENOMEM;
	sb->s_root = kpt_fs_make_root(sb);
	if (!sb->s_root)
		return -ENOMEM;
	/* Then the superblock before this one is forgotten. */
	if (kpt_lock())
		return -EINTR;
	/* First, because files inherit the owner of the root. */
	apply(sb, fc->fs_private);
	err = kpt_tree_mount(sb->s_root);
	kpt_unlock();
	return err;
}

static int end_tree(struct kpt_errand *errand)
{
	kpt_tree_unmount();
	kfree(container_of(errand, struct options, end));
	return 0;
}

static void kill_sb(struct super_block *sb)
{
	struct options *o = sb->s_fs_info;

	/* No file of the tree is open. When it is gone, the next superblock may be made. */
	if (o)
		kpt_errand_do(&o->end, end_tree);
	kpt_kill_sb(sb);
}

static int reconfigure(struct fs_context *fc)
{
	apply(fc->root->d_sb, fc->fs_private);
	return 0;
}

static int get_tree(struct fs_context *fc)
{
	/* There may be such a tree already: these options rule it from now on. */
	return get_tree_single(fc, fill_super) ?: reconfigure(fc);
}

static void free_context(struct fs_context *fc)
{
	kfree(fc->fs_private);
}

static const struct fs_context_operations context_ops = {
	.parse_param = parse_param,
	.get_tree = get_tree,
	.reconfigure = reconfigure,
	.free = free_context,
};

static int init_context(struct fs_context *fc);

static struct file_system_type kptracefs_type = {
	.owner = THIS_MODULE,
	.name = "kptracefs",
	.init_fs_context = init_context,
	.parameters = KPT_OPTIONS(option_specs),
	.kill_sb = kill_sb,
};

/* Registered only if the kernel has no tracefs. */
static struct file_system_type tracefs_type = {
	.owner = THIS_MODULE,
	.name = "tracefs",
	.init_fs_context = init_context,
	.parameters = KPT_OPTIONS(option_specs),
	.kill_sb = kill_sb,
};

/*
 * If the kernel has no tracefs, tools expect the only superblock to be of type
 * tracefs_type, whichever name it was mounted by. Both types hold a reference of
 * this module.
 */
static int init_context(struct fs_context *fc)
{
	if (!kpt_is_loaded())
		return -ENODEV;
	fc->fs_private = kzalloc(sizeof(struct options), GFP_KERNEL);
	if (!fc->fs_private)
		return -ENOMEM;
	if (stand_in)
		fc->fs_type = &tracefs_type;
	fc->ops = &context_ops;
	return 0;
}

/*
 * Mount points.
 */

/*
 * Called when a task looks up a name in /sys/kernel/debug/kptrace. debugfs holds no
 * reference on the module around this call. Once the reference is taken, unloading fails;
 * a task that is preempted before that, until the module is freed, would return to text
 * that is gone. No lock of debugfs excludes that.
 */
static struct vfsmount *automount(struct dentry *mountpoint, void *unused)
{
	struct fs_context *fc;
	struct vfsmount *mnt;

	if (!try_module_get(THIS_MODULE))
		return ERR_PTR(-ENOENT);
	fc = fs_context_for_submount(&kptracefs_type, mountpoint);
	mnt = ERR_CAST(fc);
	if (!IS_ERR(fc)) {
		mnt = fc_mount(fc);
		put_fs_context(fc);
	}
	if (!IS_ERR(mnt))
		kpt_automount_get(mnt);
	module_put(THIS_MODULE);
	return mnt;
}

static void make_automount(void)
{
	struct dentry *dentry;

	if (!kpt_has(debugfs_create_automount))
		return;
	dentry = debugfs_create_automount("kptrace", NULL, automount, NULL);
	debugfs_entry = IS_ERR(dentry) ? NULL : dentry;
}

/*
 * Some kernels keep the function itself in ->d_fsdata, and then pass that to kfree() with all
 * else of the mount point. Nobody finds that once it is unlinked.
 */
static void remove_automount(void)
{
	struct dentry *dentry = debugfs_entry;

	if (!dentry)
		return;
	dget(dentry);
	debugfs_remove(dentry);
	if (dentry->d_fsdata == (void *)automount)
		dentry->d_fsdata = NULL;
	dput(dentry);
}

static void stand_in_for_tracefs(void)
{
	if (register_filesystem(&tracefs_type))
		return;
	stand_in = true;
	if (sysfs_create_mount_point(kernel_kobj, "tracing"))
		pr_warn("no mount point /sys/kernel/tracing\n");
}

static void stand_aside(void)
{
	if (!stand_in)
		return;
	sysfs_remove_mount_point(kernel_kobj, "tracing");
	unregister_filesystem(&tracefs_type);
	stand_in = false;
}

/**
 * kpt_fs_splice_write() - file_operations.splice_write of all our files that can be written
 * @pipe: what is spliced
 * @file: the file
 * @pos: the position in it
 * @count: how much
 * @flags: of splice()
 *
 * A write is a line or a record, and is taken as a whole. Kernels before 5.10 write what is
 * spliced to any file page by page. Newer ones answer this by themselves, and programs write then.
 *
 * Context: process context.
 * Return: -EINVAL.
 */
ssize_t kpt_fs_splice_write(struct pipe_inode_info *pipe, struct file *file, loff_t *pos,
			    size_t count, unsigned int flags)
{
	return -EINVAL;
}

/**
 * kpt_fs_init() - register the file system
 *
 * Makes the mount point /sys/kernel/kptrace and, where there is debugfs, one
 * that mounts itself at /sys/kernel/debug/kptrace. On a kernel without tracefs
 * the name tracefs and the mount point /sys/kernel/tracing are provided too. It can be
 * mounted when the module is loaded.
 *
 * Context: module load.
 * Return: 0; -EEXIST or -ENOMEM if the mount point cannot be made; -EBUSY if a file
 * system of this name is registered.
 */
int kpt_fs_init(void)
{
	int err;

	err = sysfs_create_mount_point(kernel_kobj, "kptrace");
	if (err) {
		pr_err("no mount point /sys/kernel/kptrace: %d\n", err);
		return err;
	}
	err = register_filesystem(&kptracefs_type);
	if (err) {
		pr_err("file system kptracefs: %d\n", err);
		sysfs_remove_mount_point(kernel_kobj, "kptrace");
		return err;
	}
	stand_in_for_tracefs();
	make_automount();
	return 0;
}

/**
 * kpt_fs_exit() - unregister the file system
 *
 * Context: module unload; not mounted.
 */
void kpt_fs_exit(void)
{
	remove_automount();
	unregister_filesystem(&kptracefs_type);
	stand_aside();
	sysfs_remove_mount_point(kernel_kobj, "kptrace");
}

MODULE_ALIAS_FS("kptracefs");
