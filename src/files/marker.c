// SPDX-License-Identifier: GPL-2.0-only
/*
 * trace_marker and trace_marker_raw: records that programs write themselves,
 * with interrupts masked, as rings and triggers expect of hits.
 */
#include "kernel/compat.h"
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/uaccess.h>
#include "buffer/write.h"
#include "event/task_filter.h"
#include "fs/fs.h"
#include "kernel/comms.h"
#include "arch.h"
#include "hit/follow.h"
#include "trigger/trigger.h"

/* Bytes of a record: it must fit into a page of trace_pipe_raw, with its headers (16 + 8). */
#define MARKER_ROOM ((size_t)SZ_4K - 24)

static void fill_head(struct kpt_record_head *head, u16 type)
{
	*head = (struct kpt_record_head){ .type = type, .pid = current->pid };
}

/*
 * How many bytes behind a head of @head bytes may a record have? -EINVAL without option
 * markers, or -ENOMEM.
 */
static ssize_t marker_room(struct kpt_instance *instance, size_t head)
{
	int err;

	if (!(instance->options & KPT_OPT_MARKERS))
		return -EINVAL;
	err = kpt_buffer_use(&instance->buffer);
	return err ?: min(kpt_buffer_room(&instance->buffer), MARKER_ROOM) - head;
}

static void run_held(struct kpt_instance *instance, void *made, size_t size)
{
	struct kpt_hit hit = { .record = made, .size = size };
	const struct kpt_handlers *followers;
	u32 after;

	followers = kpt_event_file_followers(instance->marker);
	if (list_empty(&instance->marker->triggers.list) && !followers)
		return;
	/* Triggers may take the lock of a bucket of calls. */
	kpt_arch_hits_off();
	hit.stamp = kpt_buffer_stamp(&instance->buffer);
	after = kpt_trigger_run(instance->marker, &hit);
	/* What follows may be recorded in instances with other clocks. */
	hit.stamp = 0;
	if (followers)
		kpt_hit_follow(followers, 0, &hit);
	if (kpt_trigger_has_synth())
		kpt_hit_deliver_synth(&hit);
	if (after)
		kpt_trigger_run_after(instance->marker, &hit, after);
	kpt_arch_hits_on();
}

static int record_here(struct kpt_instance *instance, void *made, size_t size, size_t held)
{
	int err = 0;

	if (size > kpt_buffer_room(&instance->buffer))
		return -E2BIG;
	kpt_comm_note();
	if (!kpt_task_filter_allow_cpu(instance) ||
	    !kpt_buffer_put(&instance->buffer, made, size, 0))
		err = -EBADF;
	if (held) {
		((char *)made)[held - 1] = '\0';
		run_held(instance, made, held);
	}
	return err;
}

/*
 * Put a record into the ring of this CPU. The first @held bytes, with a NUL as the last
 * one, are for what holds ftrace:print; nothing of it runs if @held is 0.
 *
 * Return: 0; -EBADF if the instance does not record now; -E2BIG if the ring has less room
 * than that which marker_room() looked at, and then nothing has happened.
 */
static int record(struct kpt_instance *instance, void *made, size_t size, size_t held)
{
	unsigned long flags;
	bool is_locked;
	int err;

	is_locked = kpt_buffer_enter(&instance->buffer, &flags);
	err = record_here(instance, made, size, held);
	kpt_buffer_exit(&instance->buffer, flags, is_locked);
	return err;
}

/*
 * Named as mainline's, because its name is in the trace: the name of the
 * function in which the record's address lies.
 */
static noinline __noclone int
tracing_mark_write(struct kpt_instance *instance,
		   struct kpt_record_print *print, size_t size, size_t held)
{
	print->ip = _THIS_IP_;
	return record(instance, print, size, held);
}

/*
 * Records a text
 * @instance: where
 * @from: the text
 * @count: its characters; no more are recorded than fit
 *
 * Runs the triggers of ftrace:print, and the events on it.
 *
 * Context: process context, sleeps; @instance is held.
 * Return: characters recorded, -EINVAL without option markers, -EBADF if the
 * instance does not record now, -EFAULT or -ENOMEM; -E2BIG as record().
 */
static ssize_t record_text(struct kpt_instance *instance, const char __user *from,
			 size_t count)
{
	/* Behind the text are a newline and a NUL. */
	ssize_t room = marker_room(instance, sizeof(struct kpt_record_print) + 2);
	struct kpt_record_print *print;
	size_t size;
	char *text;
	int err;

	if (room < 0 || !count)
		return min_t(ssize_t, room, 0);
	size = min_t(size_t, count, room);
	print = kmalloc(sizeof(*print) + size + 2, GFP_KERNEL);
	if (!print)
		return -ENOMEM;
	text = (char *)(print + 1);
	if (copy_from_user(text, from, size)) {
		err = -EFAULT;
		goto out;
	}
	count = size;
	if (text[size - 1] != '\n')
		text[size++] = '\n';
	text[size++] = '\0';
	fill_head(&print->head, KPT_RECORD_PRINT);
	/* Triggers and events on it see the text as it was written, as in mainline. */
	err = tracing_mark_write(instance, print, sizeof(*print) + size,
				 sizeof(*print) + count + 1);
out:
	kfree(print);
	return err ?: (ssize_t)count;
}

/*
 * Records a number and bytes
 * @instance: where
 * @from: a u32 and the bytes
 * @count: of both
 *
 * Context: process context, sleeps; @instance is held.
 * Return: @count, or as record_text(); -EINVAL also if there are too few
 * or too many.
 */
static ssize_t record_raw(struct kpt_instance *instance,
			     const char __user *from, size_t count)
{
	size_t head = offsetof(struct kpt_record_raw_data, id), size = head + count;
	ssize_t room = marker_room(instance, head);
	struct kpt_record_raw_data *raw;
	int err;

	if (room < 0)
		return room;
	if (count < sizeof(raw->id) || count > room)
		return -EINVAL;
	raw = kzalloc(round_up(size, 8), GFP_KERNEL);
	if (!raw)
		return -ENOMEM;
	fill_head(&raw->head, round_up(size, 4) % 8 ? KPT_RECORD_RAW_DATA_CUT :
						      KPT_RECORD_RAW_DATA);
	if (copy_from_user(&raw->id, from, count))
		err = -EFAULT;
	else
		err = record(instance, raw, round_up(size, 8), 0);
	kfree(raw);
	return err ?: (ssize_t)count;
}

static int marker_open(struct inode *inode, struct file *file)
{
	struct kpt_fs_node *node = kpt_fs_node_open(inode);

	if (IS_ERR(node))
		return PTR_ERR(node);
	return stream_open(inode, file);
}

static int marker_release(struct inode *inode, struct file *file)
{
	kpt_fs_node_release(kpt_fs_node_of(file));
	return 0;
}

static ssize_t marker_write(struct file *file, const char __user *from,
			    size_t count, loff_t *pos)
{
	ssize_t done;

	/* The ring of the CPU to which this task was moved may be smaller. */
	do
		done = record_text(kpt_fs_node_of(file)->instance, from, count);
	while (done == -E2BIG);
	return done;
}

static ssize_t marker_write_raw(struct file *file, const char __user *from,
				size_t count, loff_t *pos)
{
	ssize_t done;

	do
		done = record_raw(kpt_fs_node_of(file)->instance, from, count);
	while (done == -E2BIG);
	return done;
}

static const struct file_operations marker_fops = {
	.owner = THIS_MODULE,
	.open = marker_open,
	.write = marker_write,
	.splice_write = kpt_fs_splice_write,
	.release = marker_release,
};

static const struct file_operations marker_raw_fops = {
	.owner = THIS_MODULE,
	.open = marker_open,
	.write = marker_write_raw,
	.splice_write = kpt_fs_splice_write,
	.release = marker_release,
};

static const struct kpt_fs_file marker_entries[] = {
	{ .name = "trace_marker", .mode = 0220, .fops = &marker_fops },
	{ .name = "trace_marker_raw", .mode = 0220, .fops = &marker_raw_fops },
};

const struct kpt_fs_table kpt_marker_entries = KPT_FS_TABLE(marker_entries);
