// SPDX-License-Identifier: GPL-2.0-only
/* Common part of trace_pipe and trace_pipe_raw: open, wait, close. */
#include "kernel/compat.h"
#include <linux/err.h>
#include <linux/slab.h>
#include "fs/fs.h"

/**
 * kpt_reader_open() - open a file whose reader may wait for records
 * @inode: of the file
 * @size: bytes of the file's own struct, which begins with a struct kpt_reader
 * @is_pipe: it takes records out as it finds them, and waits for any record
 *
 * All that a reader keeps in memory is charged to the task that opens or reads.
 *
 * Context: process context, sleeps.
 * Return: the file's own struct, zeroed after the struct kpt_reader; or ERR_PTR():
 * -EPERM, -ENODEV, -ENOMEM.
 */
void *kpt_reader_open(struct inode *inode, size_t size, bool is_pipe)
{
	struct kpt_fs_node *node = kpt_fs_node_open(inode);
	struct kpt_reader *r;

	if (IS_ERR(node))
		return node;
	r = kzalloc(size, GFP_KERNEL_ACCOUNT);
	if (r)
		r->waiter.iter = kpt_buffer_iter_alloc(kpt_fs_node_buffer(node),
						       node->cpu, is_pipe);
	if (!r || !r->waiter.iter) {
		kfree(r);
		kpt_fs_node_release(node);
		return ERR_PTR(-ENOMEM);
	}
	mutex_init(&r->lock);
	r->node = node;
	r->waiter.eager = is_pipe;
	return r;
}

/**
 * kpt_reader_release() - the file is closed
 * @r: from kpt_reader_open(); freed
 *
 * Context: process context, sleeps.
 */
void kpt_reader_release(struct kpt_reader *r)
{
	kpt_buffer_iter_free(r->waiter.iter);
	kpt_fs_node_release(r->node);
	kfree(r);
}

/**
 * kpt_reader_sleep() - wait for something to read
 * @r: the reader
 * @nonblock: the caller does not want to wait
 * @eager: as for kpt_waiter_sleep()
 * @wakes: as for kpt_waiter_sleep()
 *
 * Context: process context, @r->lock held, which is dropped while it sleeps.
 * Return: 0, -EAGAIN if @nonblock, -ERESTARTSYS.
 */
int kpt_reader_sleep(struct kpt_reader *r, bool nonblock, bool eager,
		     unsigned int wakes)
{
	int err;

	if (nonblock)
		return -EAGAIN;
	mutex_unlock(&r->lock);
	err = kpt_waiter_sleep(&r->waiter, eager, wakes);
	mutex_lock(&r->lock);
	return err;
}
