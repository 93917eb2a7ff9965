// SPDX-License-Identifier: GPL-2.0-only
/*
 * trace_pipe_raw and snapshot_raw: the records of one CPU in pages of ftrace's
 * layout, to be read, spliced or mapped. The records of a page stay in the buffer until the
 * page is handed out, so closing a reader loses none.
 */
#include "kernel/ksyms.h"
#include "kernel/compat.h"
#include <linux/fdtable.h>
#include <linux/mm.h>
#include <linux/pipe_fs_i.h>
#include <linux/poll.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/splice.h>
#include <linux/uaccess.h>
#include "buffer/places.h"
#include "event/snapshot.h"
#include "parts/raw/raw.h"
#include "parts/raw/raw_map.h"
#include "parts/raw/rawpage.h"

/**
 * struct raw - an open trace_pipe_raw
 * @reader: the part that all readers have
 * @page: the page that is handed out, of @size bytes
 * @size: its bytes
 * @sent: of those were read; @size if there is no page
 * @lost: records that no page can hold, to be reported by the next one
 * @made: the page that is being made
 * @first: number of its first record
 * @records: how many
 * @unfit: records in front of them that no page can hold
 * @some: a page was handed out before
 * @opened: counts of the ring when the file was opened
 * @map: pages that programs map; made by the first mmap(), and keeps its size
 * @maps: number of mappings of it
 * @closed: some descriptor of the file was closed
 * @ended: how often ioctl() has ended what waits
 */
struct raw {
	struct kpt_reader reader;
	struct page *page;
	size_t size;
	size_t sent;
	u64 lost;
	struct kpt_rawpage made;
	u64 first;
	u64 records;
	u64 unfit;
	bool some;
	struct kpt_ring_stats opened;
	struct kpt_raw_map *map;
	atomic_t maps;
	bool closed;
	atomic_t ended;
};

/* Pages that splice() or read() fill at a time. */
#define PAGES_AT_ONCE PIPE_DEF_BUFFERS

static struct kpt_buffer *raw_buffer(const struct raw *r)
{
	return r->reader.waiter.iter->buffer;
}

static int raw_open(struct inode *inode, struct file *file)
{
	struct raw *r = kpt_reader_open(inode, sizeof(*r), false);

	if (IS_ERR(r))
		return PTR_ERR(r);
	kpt_buffer_iter_counts(r->reader.waiter.iter, &r->opened);
	file->private_data = r;
	/* No stream_open(): as in mainline, threads read one after the other. */
	return nonseekable_open(inode, file);
}

/* A descriptor is closed: end reads of other threads that wait through it. */
static int raw_flush(struct file *file, fl_owner_t id)
{
	struct raw *r = file->private_data;

	WRITE_ONCE(r->closed, true);
	kpt_buffer_wake(raw_buffer(r));
	return 0;
}

static int raw_is_file(const void *r, struct file *file, unsigned int fd)
{
	return file->private_data == r;
}

/*
 * Nobody waits through a file that his process has closed. What others do with theirs does
 * not matter: a child that inherited the file closes it, too. So look at the descriptors
 * instead of noting who closes: close() removes a descriptor before it calls raw_flush().
 */
static bool raw_is_closed(const struct raw *r)
{
	return READ_ONCE(r->closed) && !iterate_fd(current->files, 0, raw_is_file, r);
}

static int raw_release(struct inode *inode, struct file *file)
{
	struct raw *r = file->private_data;

	if (r->page)
		__free_pages(r->page, get_order(r->size));
	kpt_raw_map_free(r->map);
	kpt_reader_release(&r->reader);
	return 0;
}

/* Put the record just found into the page; false if the page ends before it. */
static bool raw_put_record(struct raw *r)
{
	const struct kpt_buffer_iter *iter = r->reader.waiter.iter;

	if (iter->lost && r->records)
		return false;
	if (!r->records)
		r->made.missed = r->lost + r->unfit + iter->lost;
	if (kpt_rawpage_add(&r->made, iter->rec, iter->size, iter->ts)) {
		if (!r->records++)
			r->first = iter->seq;
		return true;
	}
	if (r->records)
		return false;
	/* Too long for any page: reported as lost. */
	r->unfit += iter->lost + 1;
	return true;
}

/*
 * Append records of a chunk to the page, until one does not fit or is not where it was. What
 * fits into no page is left to raw_put_record().
 */
static void raw_put_chunk(struct raw *r, struct kpt_ring_chunk *chunk,
			  struct kpt_ring_cursor *cur)
{
	struct kpt_buffer_iter *iter = r->reader.waiter.iter;
	enum kpt_clock clock = raw_buffer(r)->clock;
	struct kpt_ring_info info;
	const struct kpt_record_head *rec;
	u32 at;
	u64 ts;

	for (;;) {
		if (cur->at == cur->seq && kpt_clock_is_near(&iter->near, clock)) {
			if (!r->records)
				r->first = cur->seq;
			r->records += kpt_rawpage_add_chunk(&r->made, chunk, cur,
							    &iter->near.span,
							    kpt_places_read());
			if (r->made.is_full || r->made.is_fault)
				break;
		}
		at = chunk->at;
		rec = kpt_ring_chunk_next(chunk, cur, &info);
		if (!rec)
			break;
		/* What ended the plain records was a head or padding: more of them follow. */
		if (chunk->at != at)
			continue;
		if (kpt_record_is_cut(rec->type))
			break;
		ts = kpt_clock_convert_near(&iter->near, clock, info.ts);
		if (!kpt_rawpage_add(&r->made, rec, info.size, ts)) {
			r->made.is_full = r->records > 0;
			break;
		}
		if (!r->records++)
			r->first = info.seq;
		kpt_ring_chunk_pass(chunk, cur, &info);
	}
}

/*
 * Append the records that follow those of the page, from where they are in the ring. If
 * they were overwritten meanwhile, nothing was appended.
 */
static void raw_put_many(struct raw *r)
{
	struct kpt_buffer_iter *iter = r->reader.waiter.iter;
	u64 records = r->records, ts = r->made.ts;
	struct kpt_ring_cursor *cur, before;
	struct kpt_ring_chunk chunk;
	u32 used = r->made.used;

	cur = kpt_buffer_iter_chunk(iter, &chunk);
	if (!cur)
		return;
	before = *cur;
	if (!records)
		r->made.missed = r->lost + r->unfit;
	raw_put_chunk(r, &chunk, cur);
	if (kpt_buffer_iter_chunk_is_intact(iter, &chunk))
		return;
	r->made.used = used;
	r->made.ts = ts;
	r->made.is_full = false;
	r->records = records;
	*cur = before;
}

/* Put one record into the page; false if there is none. */
static bool raw_put_next(struct raw *r)
{
	if (!__kpt_buffer_iter_next(r->reader.waiter.iter))
		return false;
	r->made.is_full = !raw_put_record(r);
	if (r->made.is_full)
		kpt_buffer_iter_back(r->reader.waiter.iter);
	return true;
}

/* May the buffer get more records? */
static bool raw_is_on(const struct raw *r)
{
	return !kpt_fs_node_is_snapshot(r->reader.node) && kpt_buffer_is_on(raw_buffer(r));
}

static bool raw_has_room(const struct kpt_rawpage *page)
{
	return !page->is_full && !page->is_fault;
}

/*
 * Build the next page, which has begun, and hand it out: its records leave the buffer. Returns
 * false if there are none; if memory of the task is not there; or if the page has to be full, is
 * not, and the buffer is still recording.
 */
static bool raw_make_page(struct raw *r, bool to_be_full)
{
	struct kpt_buffer_iter *iter = r->reader.waiter.iter;
	struct kpt_buffer_at *at = &iter->at[iter->cpu], start;
	struct kpt_rawpage *page = &r->made;
	bool is_made;

	r->records = 0;
	r->unfit = 0;
	mutex_lock(&raw_buffer(r)->lock);
	start = *at;
	do {
		raw_put_many(r);
	} while (raw_has_room(page) && raw_put_next(r) && raw_has_room(page));
	is_made = r->records && !page->is_fault && (!to_be_full || page->is_full || !raw_is_on(r));
	if (is_made) {
		kpt_rawpage_finish(page);
		is_made = !page->is_fault;
	}
	if (is_made) {
		kpt_buffer_iter_consume(iter, r->first);
		r->lost = 0;
		r->some = true;
	} else if (r->records || page->is_fault) {
		*at = start;
	} else {
		r->lost += r->unfit;
	}
	mutex_unlock(&raw_buffer(r)->lock);
	return is_made;
}

/* The same, in memory of the kernel. */
static bool raw_make_page_at(struct raw *r, void *mem, size_t size, bool to_be_full)
{
	kpt_rawpage_begin(&r->made, mem, size, 0);
	return raw_make_page(r, to_be_full);
}

/*
 * Is this the end? As in trace_pipe, when tracing is off and something was read; or when
 * the file is closed.
 */
static bool raw_is_end(const struct raw *r)
{
	return kpt_fs_node_is_snapshot(r->reader.node) || (r->some && !raw_is_on(r)) ||
	       raw_is_closed(r);
}

static int raw_check_alive(const struct raw *r)
{
	return kpt_fs_node_is_dead(r->reader.node) ? -ENODEV : 0;
}

/* Memory for a page; its size may have been changed. */
static int raw_get_page(struct raw *r)
{
	size_t size = READ_ONCE(raw_buffer(r)->page_size);

	if (r->page && r->size == size)
		return 0;
	if (r->page)
		__free_pages(r->page, get_order(r->size));
	r->size = size;
	r->sent = size;
	r->page = alloc_pages(GFP_KERNEL_ACCOUNT | __GFP_COMP, get_order(size));
	return r->page ? 0 : -ENOMEM;
}

/* Make a page in memory of the task, if that is there. */
static bool raw_try_page_there(struct raw *r, char __user *to, bool to_be_full)
{
	kpt_rawpage_begin(&r->made, (void __force *)to, r->size, 0);
	r->made.is_user = true;
	return raw_make_page(r, to_be_full);
}

/*
 * Make a page in memory of the task. If that is not there it may take any time to come, so it is
 * fetched while no lock of others is held.
 */
static bool raw_make_page_there(struct raw *r, char __user *to, bool to_be_full)
{
	bool is_made = raw_try_page_there(r, to, to_be_full);

	if (!is_made && r->made.is_fault && !clear_user(to, r->size))
		is_made = raw_try_page_there(r, to, to_be_full);
	return is_made;
}

/*
 * Make pages where the task reads them to, as many as are full and have room there, but one in
 * any case. Returns their bytes; 0 if there are no records; -EFAULT.
 */
static ssize_t raw_make_there(struct raw *r, char __user *to, size_t count)
{
	ssize_t got;

	count = min(count, r->size * PAGES_AT_ONCE);
	if (count < r->size || !access_ok(to, count))
		return -EFAULT;
	for (got = 0; count - got >= r->size; got += r->size) {
		if (!raw_make_page_there(r, to + got, got > 0))
			return !got && r->made.is_fault ? -EFAULT : got;
		if (!r->made.is_full)
			return got + r->size;
	}
	return got;
}

/* The same, or else make a page to read from: then r->sent is not r->size. */
static ssize_t raw_make_next(struct raw *r, char __user *to, size_t count)
{
	ssize_t got = raw_make_there(r, to, count);

	if (got != -EFAULT)
		return got;
	if (raw_make_page_at(r, page_address(r->page), r->size, false))
		r->sent = 0;
	return 0;
}

/* Wait for records. Returns the bytes of pages that were made at @to; 0 if r->page has one. */
static ssize_t raw_next_page(struct raw *r, const struct file *file, char __user *to, size_t count)
{
	unsigned int wakes;
	ssize_t got;
	int err;

	for (;;) {
		wakes = kpt_waiter_look(&r->reader.waiter);
		err = raw_check_alive(r) ?: raw_get_page(r);
		if (err)
			return err;
		got = raw_make_next(r, to, count);
		if (got || r->sent != r->size)
			return got;
		if (raw_is_end(r))
			return 0;
		err = kpt_reader_sleep(&r->reader, file->f_flags & O_NONBLOCK,
				       true, wakes);
		if (err)
			return err;
		/* Another thread may have made a page meanwhile, and read a part of it. */
		if (r->sent != r->size)
			return 0;
	}
}

static ssize_t raw_read(struct file *file, char __user *to, size_t count,
			loff_t *pos)
{
	struct raw *r = file->private_data;
	ssize_t ret = 0;

	if (!count)
		return 0;
	mutex_lock(&r->reader.lock);
	kpt_waiter_read(&r->reader.waiter);
	if (r->sent == r->size)
		ret = raw_next_page(r, file, to, count);
	if (!ret) {
		ret = min(count, r->size - r->sent);
		if (ret && copy_to_user(to, page_address(r->page) + r->sent,
					ret))
			ret = -EFAULT;
		else
			r->sent += ret;
	}
	mutex_unlock(&r->reader.lock);
	return ret;
}

static void raw_drop_page(struct splice_pipe_desc *spd, unsigned int i)
{
	put_page(spd->pages[i]);
}

/* Add a page of @size bytes to those to be spliced. */
static int raw_add_page(struct raw *r, struct splice_pipe_desc *spd, size_t size,
			bool to_be_full)
{
	struct page *page;

	page = alloc_pages(GFP_KERNEL_ACCOUNT | __GFP_COMP, get_order(size));
	if (!page)
		return -ENOMEM;
	if (!raw_make_page_at(r, page_address(page), size, to_be_full)) {
		put_page(page);
		return 0;
	}
	spd->pages[spd->nr_pages] = page;
	spd->partial[spd->nr_pages].offset = 0;
	spd->partial[spd->nr_pages].len = size;
	spd->nr_pages++;
	return 1;
}

/*
 * Has close() or ioctl() ended the wait since @ended was read? Other readers wake this one,
 * too: it goes on waiting then.
 */
static bool raw_is_ended(const struct raw *r, unsigned int ended)
{
	return raw_is_closed(r) || atomic_read(&r->ended) != ended;
}

/*
 * Collect up to @len bytes of full pages, each of @size bytes. If there are none, wait for
 * kpt_buffer.percent, which can be reached without one; then take what there is, as full as
 * it is. Who does not wait here may have waited in poll(), which tells the same.
 */
static int raw_gather(struct raw *r, struct splice_pipe_desc *spd, size_t size,
		      size_t len, bool nonblock)
{
	unsigned int ended = atomic_read(&r->ended), wakes;
	bool has_slept = false, is_filled, is_over;
	int got;

	for (;; has_slept = true) {
		wakes = kpt_waiter_look(&r->reader.waiter);
		is_filled = (has_slept || nonblock) &&
			    kpt_waiter_has_records(&r->reader.waiter);
		is_over = raw_is_ended(r, ended) || (has_slept && !raw_is_on(r));
		got = raw_check_alive(r);
		while (!got && spd->nr_pages < PAGES_AT_ONCE &&
		       (spd->nr_pages + 1) * size <= len) {
			got = raw_add_page(r, spd, size, !is_over && !is_filled);
			if (got <= 0)
				break;
			got = 0;
		}
		if (got < 0 || spd->nr_pages || raw_is_end(r) || is_over)
			return spd->nr_pages ? 0 : got;
		got = kpt_reader_sleep(&r->reader, nonblock, false, wakes);
		if (got)
			return got;
	}
}

static ssize_t raw_splice_read(struct file *file, loff_t *pos,
			       struct pipe_inode_info *pipe, size_t len,
			       unsigned int flags)
{
	struct raw *r = file->private_data;
	struct partial_page partial[PAGES_AT_ONCE];
	struct page *pages[PAGES_AT_ONCE];
	struct splice_pipe_desc spd = {
		.pages = pages,
		.partial = partial,
		.nr_pages_max = PAGES_AT_ONCE,
		/* Pages may be in a pipe when the module is gone. */
		.ops = kpt_ksym_data(nosteal_pipe_buf_ops),
		.spd_release = raw_drop_page,
	};
	/* Read once: it may be changed meanwhile. */
	size_t size = READ_ONCE(raw_buffer(r)->page_size);
	ssize_t ret;

	if (len < size || !spd.ops || !kpt_has(splice_to_pipe))
		return -EINVAL;
	mutex_lock(&r->reader.lock);
	kpt_waiter_read(&r->reader.waiter);
	ret = raw_gather(r, &spd, size, len, (file->f_flags & O_NONBLOCK) ||
					 (flags & SPLICE_F_NONBLOCK));
	mutex_unlock(&r->reader.lock);
	return spd.nr_pages ? splice_to_pipe(pipe, &spd) : ret;
}

static __poll_t raw_poll(struct file *file, poll_table *wait)
{
	struct raw *r = file->private_data;
	__poll_t ready = 0;

	poll_wait(file, &raw_buffer(r)->wait, wait);
	mutex_lock(&r->reader.lock);
	kpt_waiter_poll(&r->reader.waiter);
	if (r->sent < r->size || kpt_waiter_has_records(&r->reader.waiter) ||
	    (!raw_is_on(r) && !kpt_buffer_iter_empty(r->reader.waiter.iter)))
		ready = EPOLLIN | EPOLLRDNORM;
	mutex_unlock(&r->reader.lock);
	return ready;
}

/*
 * Mappings. mmap() is called with mmap_lock held, which is taken inside the locks of
 * the reader, of the buffer and of snapshots: nothing here takes one of those.
 */

static void raw_map_begin(struct raw *r)
{
	atomic_inc(&r->maps);
	atomic_inc(&kpt_buffer_ring(raw_buffer(r), r->reader.node->cpu)->maps);
}

static void raw_map_end(struct raw *r)
{
	atomic_dec(&kpt_buffer_ring(raw_buffer(r), r->reader.node->cpu)->maps);
	atomic_dec(&r->maps);
}

static void raw_vma_open(struct vm_area_struct *vma)
{
	raw_map_begin(vma->vm_file->private_data);
}

static void raw_vma_close(struct vm_area_struct *vma)
{
	raw_map_end(vma->vm_file->private_data);
}

/* A part of a mapping is of no use. */
static int raw_vma_may_split(struct vm_area_struct *vma, unsigned long addr)
{
	return -EINVAL;
}

static const struct vm_operations_struct raw_vm_ops = {
	.open = raw_vma_open,
	.close = raw_vma_close,
	.kpt_may_split = raw_vma_may_split,
};

/* The pages to map, which the first mmap() allocates; NULL without memory. */
static struct kpt_raw_map *raw_get_map(struct raw *r, const struct file *file)
{
	struct kpt_raw_map *map = smp_load_acquire(&r->map), *old;

	if (map)
		return map;
	map = kpt_raw_map_alloc(READ_ONCE(raw_buffer(r)->page_size), file->f_cred->user);
	if (!map)
		return NULL;
	kpt_raw_map_count(map, &r->opened);
	/* Releases the pages to smp_load_acquire() above and in raw_next_mapped(). */
	old = cmpxchg(&r->map, NULL, map);
	if (!old)
		return map;
	kpt_raw_map_free(map);
	return old;
}

static int raw_mmap(struct file *file, struct vm_area_struct *vma)
{
	struct raw *r = file->private_data;
	struct kpt_raw_map *map;
	int err;

	if (kpt_fs_node_is_snapshot(r->reader.node))
		return -ENODEV;
	raw_map_begin(r);
	err = kpt_snapshot_is_armed(r->reader.node->instance) ? -EBUSY : 0;
	if (!err) {
		map = raw_get_map(r, file);
		err = map ? kpt_raw_map_insert(map, vma) : -ENOMEM;
	}
	if (err)
		raw_map_end(r);
	else
		vma->vm_ops = &raw_vm_ops;
	return err;
}

/* Hand out the next page of records, if there are any. */
static void raw_turn_map(struct raw *r, struct kpt_raw_map *map)
{
	struct kpt_ring_stats stats;
	size_t size;
	void *mem = kpt_raw_map_spare(map, &size);

	if (raw_make_page_at(r, mem, size, false))
		kpt_raw_map_turn(map, r->made.missed, r->made.used);
	kpt_buffer_iter_counts(r->reader.waiter.iter, &stats);
	kpt_raw_map_count(map, &stats);
}

/* Wait until kpt_buffer.percent is reached. */
static int raw_wait_filled(struct raw *r)
{
	unsigned int ended = atomic_read(&r->ended), wakes;
	int err;

	do {
		wakes = kpt_waiter_look(&r->reader.waiter);
		if (!raw_is_on(r) || raw_is_ended(r, ended))
			return 0;
		err = kpt_reader_sleep(&r->reader, false, false, wakes);
	} while (!err && !kpt_waiter_has_records(&r->reader.waiter));
	return err;
}

/* KPT_RAW_MAP_NEXT; as mainline's, it waits until kpt_buffer.percent is reached. */
static int raw_next_mapped(struct raw *r, const struct file *file)
{
	struct kpt_raw_map *map = smp_load_acquire(&r->map);
	int err;

	if (!map || !atomic_read(&r->maps))
		return -ENODEV;
	/* The description alone may be mapped. */
	err = kpt_raw_map_fill(map);
	if (err)
		return err;
	mutex_lock(&r->reader.lock);
	kpt_waiter_read(&r->reader.waiter);
	err = raw_check_alive(r);
	if (!err && !(file->f_flags & O_NONBLOCK))
		err = raw_wait_filled(r);
	if (!err)
		raw_turn_map(r, map);
	mutex_unlock(&r->reader.lock);
	return err;
}

/* By command 0 a tool ends what waits for pages of this file. */
static long raw_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct raw *r = file->private_data;

	if (cmd == KPT_RAW_MAP_NEXT && !kpt_fs_node_is_snapshot(r->reader.node))
		return raw_next_mapped(r, file);
	if (cmd)
		return -ENOTTY;
	atomic_inc(&r->ended);
	kpt_buffer_wake(raw_buffer(r));
	return 0;
}

static const struct file_operations raw_fops = {
	.owner = THIS_MODULE,
	.open = raw_open,
	.read = raw_read,
	.splice_read = raw_splice_read,
	.poll = raw_poll,
	.unlocked_ioctl = raw_ioctl,
	.mmap = raw_mmap,
	.flush = raw_flush,
	.release = raw_release,
};

/*
 * The format of pages, for tools.
 */

static int header_page_show(struct seq_file *m, const struct kpt_fs_node *node)
{
	struct kpt_strbuf sb;

	kpt_seq_begin(m, &sb);
	kpt_rawpage_describe(&sb, node->instance->buffer.page_size);
	kpt_seq_end(m, &sb);
	return 0;
}

static int header_event_show(struct seq_file *m, const struct kpt_fs_node *node)
{
	struct kpt_strbuf sb;

	kpt_seq_begin(m, &sb);
	kpt_rawpage_describe_event(&sb);
	kpt_seq_end(m, &sb);
	return 0;
}

static const struct kpt_fs_file header_entries[] = {
	{
		.name = "header_page",
		.mode = 0440,
		.lockless = true,
		.show = header_page_show,
	},
	{
		.name = "header_event",
		.mode = 0440,
		.lockless = true,
		.show = header_event_show,
	},
};

static const struct kpt_fs_file entries[] = {
	{
		.name = "trace_pipe_raw",
		.mode = 0440,
		.fops = &raw_fops,
	},
	{
		.name = "snapshot_raw",
		.mode = 0440,
		.arg = KPT_OF_SNAPSHOT,
		.fops = &raw_fops,
	},
};

const struct kpt_fs_table kpt_header_entries = KPT_FS_TABLE(header_entries);
const struct kpt_fs_table kpt_raw_entries = KPT_FS_TABLE(entries);
