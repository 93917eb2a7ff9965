// SPDX-License-Identifier: GPL-2.0-only
/*
 * trace_pipe: records leave the buffer as they are read, and a reader waits for
 * more. Any number of readers; each of them sees every record.
 */
#include "kernel/compat.h"
#include <linux/mm.h>
#include <linux/poll.h>
#include <linux/slab.h>
#include <linux/uio.h>
#include "fs/fs.h"

/* Text one read() makes at most, and room behind it for the last line. */
#define TEXT_WANTED	SZ_16K
#define TEXT_ROOM	(SZ_16K + SZ_64K)

/**
 * struct pipe - an open trace_pipe
 * @lock: against tasks that share the open file
 * @node: what it is about
 * @iter: reads the buffer
 * @text: lines made of records that have left the buffer
 * @sent: characters of @text that were read
 * @lines: how many were made so far
 * @symbols: names of places
 * @polled: hits wake somebody who polls
 */
struct pipe {
	struct mutex lock;
	struct kpt_node *node;
	struct kpt_buffer_iter *iter;
	struct kpt_strbuf text;
	size_t sent;
	u64 lines;
	struct kpt_symbols symbols;
	bool polled;
};

static void free_pipe(struct pipe *p)
{
	kpt_buffer_iter_free(p->iter);
	kvfree(p->text.buf);
	kfree(p);
}

static struct pipe *make_pipe(struct kpt_node *node)
{
	struct pipe *p;
	char *room;

	p = kzalloc(sizeof(*p), GFP_KERNEL);
	room = kvmalloc(TEXT_ROOM, GFP_KERNEL);
	if (!p || !room) {
		kvfree(room);
		kfree(p);
		return NULL;
	}
	mutex_init(&p->lock);
	p->node = node;
	kpt_strbuf_init(&p->text, room, TEXT_ROOM);
	p->iter = kpt_buffer_iter_alloc(&node->instance->buffer, node->cpu,
					true);
	if (!p->iter) {
		free_pipe(p);
		return NULL;
	}
	return p;
}

static int pipe_open(struct inode *inode, struct file *file)
{
	struct kpt_node *node = kpt_node_open(inode);
	struct pipe *p;

	if (IS_ERR(node))
		return PTR_ERR(node);
	p = make_pipe(node);
	if (!p) {
		kpt_node_release(node);
		return -ENOMEM;
	}
	file->private_data = p;
	return stream_open(inode, file);
}

/* Who polls is woken until the next read. */
static void set_polled(struct pipe *p, bool polled)
{
	struct kpt_buffer *buf = &p->node->instance->buffer;

	if (p->polled == polled)
		return;
	p->polled = polled;
	if (polled)
		kpt_buffer_enlist(buf, true);
	else
		kpt_buffer_delist(buf, true);
}

static int pipe_release(struct inode *inode, struct file *file)
{
	struct pipe *p = file->private_data;
	struct kpt_node *node = p->node;

	set_polled(p, false);
	free_pipe(p);
	kpt_node_release(node);
	return 0;
}

/* Make lines of what there is. */
static int fill(struct pipe *p, size_t wanted)
{
	if (READ_ONCE(p->node->dead))
		return -ENODEV;
	/* Another module may have been loaded where one was before. */
	memset(&p->symbols, 0, sizeof(p->symbols));
	kpt_strbuf_init(&p->text, p->text.buf, TEXT_ROOM);
	p->sent = 0;
	while (p->text.len < wanted && kpt_buffer_iter_next(p->iter)) {
		kpt_trace_put_lost(&p->text, p->iter);
		kpt_trace_put_record(&p->text, p->iter, p->node, p->lines++,
				     &p->symbols);
	}
	return 0;
}

/*
 * Wait for lines. None come, and that is the end, when tracing was switched off
 * and this reader has had some before.
 */
static int wait_for_lines(struct pipe *p, struct file *file, size_t wanted)
{
	struct kpt_buffer *buf = &p->node->instance->buffer;
	unsigned int wakes;
	int err;

	for (;;) {
		wakes = READ_ONCE(buf->wakes);
		smp_rmb(); /* wakes before tracing_on; see kpt_buffer_wait() */
		err = p->sent < p->text.len ? 0 : fill(p, wanted);
		if (err || p->text.len)
			return err;
		if (!kpt_buffer_is_on(buf) && p->lines)
			return 0;
		if (file->f_flags & O_NONBLOCK)
			return -EAGAIN;
		mutex_unlock(&p->lock);
		err = kpt_buffer_wait(p->iter, true, wakes);
		mutex_lock(&p->lock);
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
	mutex_lock(&p->lock);
	/* epoll may wait on without asking again. */
	if (!waitqueue_active(&p->node->instance->buffer.wait))
		set_polled(p, false);
	ret = wait_for_lines(p, file, wanted);
	if (!ret) {
		count = min(count, p->text.len - p->sent);
		ret = copy_to_iter(p->text.buf + p->sent, count, to);
		p->sent += ret;
		if (!ret && count)
			ret = -EFAULT;
	}
	mutex_unlock(&p->lock);
	return ret;
}

static __poll_t pipe_poll(struct file *file, poll_table *wait)
{
	struct pipe *p = file->private_data;
	__poll_t ready = 0;

	poll_wait(file, &p->node->instance->buffer.wait, wait);
	mutex_lock(&p->lock);
	set_polled(p, true);
	if (p->sent < p->text.len || !kpt_buffer_iter_empty(p->iter))
		ready = EPOLLIN | EPOLLRDNORM;
	mutex_unlock(&p->lock);
	return ready;
}

const struct file_operations kpt_trace_pipe_fops = {
	.owner = THIS_MODULE,
	.open = pipe_open,
	.read_iter = pipe_read,
	.splice_read = kpt_splice_read,
	.poll = pipe_poll,
	.release = pipe_release,
};
