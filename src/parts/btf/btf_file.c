// SPDX-License-Identifier: GPL-2.0-only
/*
 * The file btf: BTF of the kernel from the user, for kernels that have none or less
 * than their user has; and the parameter btf=PATH.
 */
#include "kernel/compat.h"
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/slab.h>
#include <linux/uaccess.h>
#include <linux/vmalloc.h>
#include "fs/fs.h"
#include "parts/btf/kernel_btf.h"

/**
 * struct upload - an open btf that is written
 * @node: the file
 * @lock: against tasks that share the open file
 * @bytes: what was written so far
 * @len: how many bytes
 * @room: bytes allocated
 * @wrote: there was a write, accepted or not
 * @truncates: it was opened with O_TRUNC, which the VFS then removes from f_flags
 * @end: ends the use of a blob, and frees this
 */
struct upload {
	struct kpt_fs_node *node;
	struct mutex lock;
	u8 *bytes;
	size_t len;
	size_t room;
	bool wrote;
	bool truncates;
	struct kpt_errand end;
};

static void log_refusal(const char *what, const char *why)
{
	struct kpt_diag diag;

	kpt_diag_set(&diag, KPT_E_BTF_REFUSED, 0, 0);
	kpt_diag_detail(&diag, why);
	kpt_errlog_add(&kpt_top_instance.errlog, "btf", what, &diag);
}

/* Use a blob in vmalloc memory, which is given away. */
static int btf_take(const char *what, u8 *bytes, size_t size)
{
	char reason[KPT_DIAG_DETAIL_MAX];
	struct kpt_strbuf why;

	kpt_strbuf_init(&why, reason, sizeof(reason));
	if (kpt_btf_give(bytes, size, &why))
		return 0;
	log_refusal(what, reason);
	return -EINVAL;
}

static void upload_drop(struct upload *u)
{
	vfree(u->bytes);
	u->bytes = NULL;
	u->len = 0;
	u->room = 0;
}

/* Make room for @size bytes, and if their head says how many follow, for these. */
static int upload_grow(struct upload *u, size_t size)
{
	size_t all = kpt_btf_length(u->bytes, u->len);
	u8 *bytes;

	if (size <= u->room)
		return 0;
	if (size > KPT_BTF_MAX)
		return -EFBIG;
	size = max(size, min_t(size_t, all, KPT_BTF_MAX));
	bytes = kpt_vmalloc(size, GFP_KERNEL_ACCOUNT | __GFP_NOWARN);
	if (!bytes)
		return -ENOMEM;
	memcpy(bytes, u->bytes, u->len);
	vfree(u->bytes);
	u->bytes = bytes;
	u->room = size;
	return 0;
}

static int upload_add(struct upload *u, const char __user *from, size_t count)
{
	int err = upload_grow(u, u->len + count);

	if (err)
		return err;
	if (copy_from_user(u->bytes + u->len, from, count))
		return -EFAULT;
	u->len += count;
	return 0;
}

/* The last byte of a blob takes it. So does a head that is wrong, to be refused. */
static int upload_end(struct upload *u)
{
	size_t all = kpt_btf_length(u->bytes, u->len);
	u8 *bytes = u->bytes;
	int err;

	if (u->len < all)
		return 0;
	err = kpt_fs_node_lock(u->node);
	if (err)
		return err;
	u->bytes = NULL;
	err = btf_take("", bytes, u->len);
	upload_drop(u);
	kpt_unlock();
	return err;
}

static ssize_t btf_write(struct file *file, const char __user *from, size_t count,
			 loff_t *pos)
{
	struct seq_file *m = file->private_data;
	struct upload *u = m->private;
	int err;

	mutex_lock(&u->lock);
	u->wrote = true;
	err = upload_add(u, from, count) ?: upload_end(u);
	if (err)
		upload_drop(u);
	mutex_unlock(&u->lock);
	return err ?: (ssize_t)count;
}

static int btf_show(struct seq_file *m, void *v)
{
	const struct upload *u = m->private;
	const struct kpt_btf *btf;
	int err = kpt_fs_node_lock(u->node);

	if (err)
		return err;
	btf = kpt_btf_given();
	if (btf)
		seq_printf(m, "%zu bytes, %u types\n", btf->size, btf->end - 1);
	else
		seq_puts(m, "none\n");
	kpt_unlock();
	return 0;
}

static int btf_file_open(struct inode *inode, struct file *file)
{
	struct kpt_fs_node *node = kpt_fs_node_open(inode);
	struct upload *u;
	int err;

	if (IS_ERR(node))
		return PTR_ERR(node);
	u = kzalloc(sizeof(*u), GFP_KERNEL_ACCOUNT);
	err = u ? single_open(file, btf_show, u) : -ENOMEM;
	if (err) {
		kfree(u);
		kpt_fs_node_release(node);
		return err;
	}
	mutex_init(&u->lock);
	u->node = node;
	u->truncates = file->f_flags & O_TRUNC;
	return 0;
}

static int upload_drop_given(struct kpt_errand *errand)
{
	kpt_btf_drop();
	kfree(container_of(errand, struct upload, end));
	return 0;
}

static int btf_release(struct inode *inode, struct file *file)
{
	struct seq_file *m = file->private_data;
	struct upload *u = m->private;

	/* O_TRUNC alone ends the use of a blob; with a new one, only if that is taken. */
	bool drops = u->truncates && !u->wrote && !u->len;

	if (file->f_mode & FMODE_WRITE && u->len)
		log_refusal("", "it is cut off");
	upload_drop(u);
	kpt_fs_node_release(u->node);
	if (file->f_mode & FMODE_WRITE && drops)
		kpt_errand_do(&u->end, upload_drop_given);
	else
		kfree(u);
	return single_release(inode, file);
}

static const struct file_operations btf_fops = {
	.owner = THIS_MODULE,
	.open = btf_file_open,
	.read = seq_read,
	.write = btf_write,
	.splice_write = kpt_fs_splice_write,
	.llseek = seq_lseek,
	.release = btf_release,
};

static const struct kpt_fs_file entries[] = {
	{ .name = "btf", .mode = 0640, .fops = &btf_fops },
};

const struct kpt_fs_table kpt_btf_entries = KPT_FS_TABLE(entries);

static char *btf_path;
module_param_named(btf, btf_path, charp, 0400);
MODULE_PARM_DESC(btf, "file with BTF of this kernel, as the file btf takes it");

/**
 * kpt_btf_param_init() - take the blob that the parameter btf names
 *
 * If it is refused, error_log and the kernel log say why. The file is read without
 * kpt_mutex: it may take any time to open and to read it.
 *
 * Context: module load.
 * Return: 0.
 */
int kpt_btf_param_init(void)
{
	size_t size = 0;
	void *bytes;

	if (!btf_path)
		return 0;
	bytes = kpt_btf_read_file(btf_path, &size);
	mutex_lock(&kpt_mutex);
	if (IS_ERR(bytes))
		log_refusal(btf_path, "it cannot be read");
	else
		btf_take(btf_path, bytes, size);
	mutex_unlock(&kpt_mutex);
	return 0;
}
