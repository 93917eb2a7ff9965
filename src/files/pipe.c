// SPDX-License-Identifier: GPL-2.0-only
/*
 * trace_pipe: records leave the buffer as they are read, and readers wait for more.
 * There may be many readers, and each sees every record.
 */
#include "kernel/ksyms.h"
#include "kernel/compat.h"
#include <linux/mm.h>
#include <linux/poll.h>
#include <linux/slab.h>
#include <linux/uio.h>
#include "fs/fs.h"

/* One read() makes lines until it has so much text. The last one has at least this room, too. */
#define TEXT_WANTED	SZ_64K
#define LINE_ROOM	SZ_64K

/**
 * struct pipe - an open trace_pipe
 * @reader: the part that all readers have
 * @text: lines made of records that have left the buffer; no memory before the
 *	first read
 * @sent: characters of @text that were read
 * @lines: how many were made so far
 * @symbols: names of places; no memory before the first read, NULL without memory
 * @graph: for kpt_trace_put_record(); NULL until function_graph is the tracer
 */
struct pipe {
	struct kpt_reader reader;
	struct kpt_strbuf text;
	size_t sent;
	u64 lines;
	struct kpt_symbols *symbols;
	struct kpt_graph_cpu *graph;
};

static int pipe_open(struct inode *inode, struct file *file)
{
	struct pipe *p = kpt_reader_open(inode, sizeof(*p), true);

	if (IS_ERR(p))
		return PTR_ERR(p);
	file->private_data = p;
	return stream_open(inode, file);
}

static int pipe_release(struct inode *inode, struct file *file)
{
	struct pipe *p = file->private_data;

	kvfree(p->graph);
	kvfree(p->symbols);
	kvfree(p->text.buf);
	kpt_reader_release(&p->reader);
	return 0;
}

/* Make lines of the records in the buffer. */
static int pipe_fill(struct pipe *p, size_t wanted)
{
	struct kpt_buffer_iter *iter = p->reader.waiter.iter;

	if (kpt_fs_node_is_dead(p->reader.node))
		return -ENODEV;
	if (!p->text.buf)
		p->text.buf = kvmalloc(TEXT_WANTED + LINE_ROOM, GFP_KERNEL_ACCOUNT);
	if (!p->text.buf)
		return -ENOMEM;
	if (!p->graph)
		p->graph = kpt_trace_graph_alloc(p->reader.node->instance);
	if (!p->symbols)
		p->symbols = kvzalloc(sizeof(*p->symbols), GFP_KERNEL_ACCOUNT);
	kpt_trace_begin(p->reader.node->instance, p->symbols);
	kpt_strbuf_init(&p->text, p->text.buf, TEXT_WANTED + LINE_ROOM);
	p->sent = 0;
	while (p->text.len < wanted && kpt_buffer_iter_next(iter)) {
		kpt_trace_put_lost(&p->text, iter);
		kpt_trace_put_record(&p->text, iter, p->reader.node, p->lines++,
				     p->symbols, p->graph);
	}
	return 0;
}

/*
 * Wait for lines. The end, without any, is when tracing was switched off and this
 * reader has had some before.
 */
static int pipe_wait_bytes(struct pipe *p, bool nonblock, size_t wanted)
{
	unsigned int wakes;
	int err;

	for (;;) {
		wakes = kpt_waiter_look(&p->reader.waiter);
		err = p->sent < p->text.len ? 0 : pipe_fill(p, wanted);
		if (err || p->text.len)
			return err;
		if (p->lines && !kpt_buffer_is_on(p->reader.waiter.iter->buffer))
			return 0;
		err = kpt_reader_sleep(&p->reader, nonblock, true, wakes);
		if (err)
			return err;
	}
}

static ssize_t pipe_read(struct kiocb *iocb, struct iov_iter *to)
{
	struct file *file = iocb->ki_filp;
	struct pipe *p = file->private_data;
	size_t count = iov_iter_count(to);
	size_t wanted = min_t(size_t, count, TEXT_WANTED);
	ssize_t ret;

	if (!count)
		return 0;
	mutex_lock(&p->reader.lock);
	kpt_waiter_read(&p->reader.waiter);
	ret = pipe_wait_bytes(p, file->f_flags & O_NONBLOCK, wanted);
	if (!ret) {
		count = min(count, p->text.len - p->sent);
		ret = copy_to_iter(p->text.buf + p->sent, count, to);
		p->sent += ret;
		if (!ret && count)
			ret = -EFAULT;
	}
	mutex_unlock(&p->reader.lock);
	return ret;
}

static __poll_t pipe_poll(struct file *file, poll_table *wait)
{
	struct pipe *p = file->private_data;
	__poll_t ready = 0;

	poll_wait(file, &p->reader.waiter.iter->buffer->wait, wait);
	mutex_lock(&p->reader.lock);
	kpt_waiter_poll(&p->reader.waiter);
	if (p->sent < p->text.len || kpt_waiter_has_records(&p->reader.waiter))
		ready = EPOLLIN | EPOLLRDNORM;
	mutex_unlock(&p->reader.lock);
	return ready;
}

const struct file_operations kpt_trace_pipe_fops = {
	.owner = THIS_MODULE,
	.open = pipe_open,
	.read_iter = pipe_read,
	.splice_read = copy_splice_read,
	.poll = pipe_poll,
	.release = pipe_release,
};
