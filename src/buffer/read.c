// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reading a buffer: one CPU or all merged by time, consuming or not. In wait.c
 * readers wait for more records.
 */
#include <linux/mm.h>
#include <linux/slab.h>
#include "buffer/buffer.h"
#include "buffer/places.h"

/**
 * kpt_buffer_iter_alloc() - start reading at the oldest record
 * @buf: the buffer; outlives the iterator
 * @cpu: a CPU number, or -1 for all CPUs merged by time
 * @consume: reading consumes the records: later readers do not get them
 *
 * Context: process context, sleeps.
 * Return: the iterator, or NULL without memory.
 */
struct kpt_buffer_iter *kpt_buffer_iter_alloc(struct kpt_buffer *buf, int cpu,
					      bool consume)
{
	struct kpt_buffer_iter *iter;

	iter = kzalloc(sizeof(*iter), GFP_KERNEL_ACCOUNT);
	if (!iter)
		return NULL;
	iter->at = kvcalloc(nr_cpu_ids, sizeof(*iter->at), GFP_KERNEL_ACCOUNT);
	iter->next.next = kvcalloc(nr_cpu_ids, sizeof(*iter->next.next),
				   GFP_KERNEL_ACCOUNT);
	if (!iter->at || !iter->next.next) {
		kpt_buffer_iter_free(iter);
		return NULL;
	}
	iter->buffer = buf;
	iter->cpu = cpu;
	iter->consume = consume;
	kpt_buffer_iter_rewind(iter);
	return iter;
}

/**
 * kpt_buffer_iter_free() - stop reading
 * @iter: from kpt_buffer_iter_alloc(), or NULL
 *
 * Context: process context.
 */
void kpt_buffer_iter_free(struct kpt_buffer_iter *iter)
{
	if (!iter)
		return;
	kvfree(iter->rec);
	kvfree(iter->next.next);
	kvfree(iter->at);
	kfree(iter);
}

/**
 * kpt_buffer_iter_rewind() - go back to the oldest record
 * @iter: the iterator
 *
 * Context: process context, sleeps.
 */
void kpt_buffer_iter_rewind(struct kpt_buffer_iter *iter)
{
	struct kpt_buffer_cpu *bc;
	int cpu;

	mutex_lock(&iter->buffer->lock);
	for_each_possible_cpu(cpu) {
		bc = kpt_buffer_ring(iter->buffer, cpu);
		kpt_ring_rewind(&bc->ring, &iter->at[cpu].cursor);
		iter->at[cpu].exchanged = bc->exchanged;
		iter->at[cpu].swapped = bc->swapped;
	}
	iter->next.nr = 0;
	iter->known = (struct kpt_ring_mark){ 0 };
	mutex_unlock(&iter->buffer->lock);
}

static void iter_bound(struct kpt_buffer_iter *iter, int cpu)
{
	iter->at[cpu].end =
		kpt_ring_end(&kpt_buffer_ring(iter->buffer, cpu)->ring);
}

/**
 * kpt_buffer_iter_bound() - read no more records than are in the buffer now
 * @iter: the iterator; it ends where the buffer ends now, until the next call
 *
 * Records that are overwritten before they are read move the end: as many later ones are
 * read instead. So a reader that is overtaken shows what the buffer has then, and still
 * comes to an end.
 *
 * Context: process context, sleeps.
 */
void kpt_buffer_iter_bound(struct kpt_buffer_iter *iter)
{
	int cpu;

	iter->bounded = true;
	mutex_lock(&iter->buffer->lock);
	for_each_possible_cpu(cpu)
		iter_bound(iter, cpu);
	iter->next.nr = 0;
	mutex_unlock(&iter->buffer->lock);
}

/**
 * kpt_buffer_iter_cursor() - bring the cursor of an iterator on a CPU up to date
 * @iter: the iterator
 * @cpu: the CPU
 *
 * If the ring was resized, the cursor moves with the records. If another ring was
 * swapped in, it moves to the beginning of that.
 *
 * Context: process context, kpt_buffer.lock held.
 * Return: the cursor in the ring that the CPU has now.
 */
struct kpt_ring_cursor *kpt_buffer_iter_cursor(struct kpt_buffer_iter *iter,
					       int cpu)
{
	struct kpt_buffer_cpu *bc = kpt_buffer_ring(iter->buffer, cpu);
	struct kpt_buffer_at *at = &iter->at[cpu];

	if (at->swapped != bc->swapped) {
		kpt_ring_rewind(&bc->ring, &at->cursor);
		iter_bound(iter, cpu);
		iter->known = (struct kpt_ring_mark){ 0 };
	} else if (at->exchanged != bc->exchanged) {
		kpt_ring_resume(&bc->ring, &at->cursor);
		iter->known = (struct kpt_ring_mark){ 0 };
	}
	at->exchanged = bc->exchanged;
	at->swapped = bc->swapped;
	return &at->cursor;
}

/* Does the iterator read a record that its cursor found, behind those that it lost? */
static bool iter_wants(const struct kpt_buffer_iter *iter, int cpu,
		       const struct kpt_ring_info *info)
{
	return !iter->bounded || info->seq - info->lost < iter->at[cpu].end;
}

/* Find the next record of a CPU. False if there is none that the iterator reads. */
static bool iter_look(struct kpt_buffer_iter *iter, int cpu, struct kpt_ring_info *info)
{
	return kpt_ring_peek(&kpt_buffer_ring(iter->buffer, cpu)->ring,
			     kpt_buffer_iter_cursor(iter, cpu), info) &&
	       iter_wants(iter, cpu, info);
}

/*
 * Begin a round: find the next record of each CPU. The round has the records that are
 * there when it begins. They are older than any that another CPU, which has none, gets
 * later; so until the round ends, only the CPUs in @iter->next have to be looked at.
 */
static void iter_gather(struct kpt_buffer_iter *iter)
{
	struct kpt_ring_info info;
	int cpu;

	iter->changes = iter->buffer->changes;
	iter->next.nr = 0;
	for_each_possible_cpu(cpu)
		iter->at[cpu].round = iter->bounded ? U64_MAX :
			kpt_ring_newest(&kpt_buffer_ring(iter->buffer, cpu)->ring);
	for_each_possible_cpu(cpu)
		if (kpt_buffer_means(iter->cpu, cpu) && iter_look(iter, cpu, &info))
			kpt_merge_add(&iter->next, cpu, info.ts);
}

/* Has the round ended, or does @iter->next say what is no longer true? */
static bool iter_is_over(const struct kpt_buffer_iter *iter)
{
	const struct kpt_buffer_at *at;

	if (!iter->next.nr || iter->changes != iter->buffer->changes)
		return true;
	at = &iter->at[iter->next.next[0].cpu];
	return at->cursor.pos >= at->round;
}

/* Find the CPU whose next record was the oldest when seen; -1 if there is no record. */
static int iter_oldest(struct kpt_buffer_iter *iter)
{
	if (iter_is_over(iter))
		iter_gather(iter);
	return iter->next.nr ? (int)iter->next.next[0].cpu : -1;
}

/* Look at the CPU that iter_oldest() found: it has another record by now. */
static void iter_advance(struct kpt_buffer_iter *iter)
{
	struct kpt_ring_info info;

	if (iter_look(iter, iter->next.next[0].cpu, &info))
		kpt_merge_advance(&iter->next, info.ts);
	else
		kpt_merge_drop(&iter->next);
}

/* For a record of @size bytes in a ring, and what it leaves out there. */
static bool iter_make_room(struct kpt_buffer_iter *iter, size_t size)
{
	if (size <= iter->room)
		return true;
	kvfree(iter->rec);
	iter->room = 0;
	size = round_up(size, SZ_1K);
	iter->rec = kvmalloc(size + KPT_RECORD_LEFT_OUT, GFP_KERNEL_ACCOUNT);
	if (!iter->rec)
		return false;
	iter->room = size;
	return true;
}

/*
 * Consume the records from number @first to the cursor, which were copied. Those
 * that were overwritten since they were copied count as read, once, for the first
 * reader that copied them.
 */
static void iter_consume(struct kpt_buffer_iter *iter, int cpu, u64 first)
{
	struct kpt_buffer_cpu *bc = kpt_buffer_ring(iter->buffer, cpu);
	struct kpt_ring_cursor *cur = &iter->at[cpu].cursor;
	u64 left = kpt_ring_consume(&bc->ring, cur);
	/* Records that a reset dropped since then are not counted. */
	u64 begin = max3(first, bc->unread, kpt_ring_forgotten(&bc->ring));

	if (cur->seq > begin && cur->seq - begin > left)
		bc->late += cur->seq - begin - left;
	bc->unread = max(bc->unread, cur->seq);
}

/* Copy the next record of a CPU: 1, 0 if there is none, or -ENOMEM. */
static int iter_next_on(struct kpt_buffer_iter *iter, int cpu,
		   struct kpt_ring_info *info)
{
	struct kpt_ring_cursor *cur = kpt_buffer_iter_cursor(iter, cpu);
	int got;

	iter->before = iter->at[cpu];
	do {
		got = kpt_ring_next(&kpt_buffer_ring(iter->buffer, cpu)->ring,
				    cur, iter->rec, iter->room, info);
		if (got >= 0)
			return got;
	} while (iter_make_room(iter, info->size));
	return -ENOMEM;
}

/*
 * Copy the oldest record of all CPUs: its CPU, for iter_advance(); -1 if there is none, or
 * -ENOMEM.
 */
static int iter_next_merged(struct kpt_buffer_iter *iter, struct kpt_ring_info *info)
{
	int cpu, got;

	while ((cpu = iter_oldest(iter)) >= 0) {
		got = iter_next_on(iter, cpu, info);
		if (got < 0)
			return got;
		/* Overwritten since it was seen: is the one after it the oldest, too? */
		if (got && info->ts != iter->next.next[0].ts) {
			kpt_merge_advance(&iter->next, info->ts);
			got = iter->next.next[0].cpu == cpu;
		}
		if (got && iter_wants(iter, cpu, info)) {
			iter->at[cpu].end += info->lost;
			return cpu;
		}
		iter->at[cpu] = iter->before;
		if (iter->next.next[0].cpu == cpu)
			iter_advance(iter);
	}
	return -1;
}

/**
 * __kpt_buffer_iter_next() - kpt_buffer_iter_next() for a holder of the lock
 * @iter: its rec, size, rec_cpu, ts and lost are set
 *
 * Context: process context, sleeps, kpt_buffer.lock held.
 * Return: true, or false if there is no record now.
 */
bool __kpt_buffer_iter_next(struct kpt_buffer_iter *iter)
{
	bool merged = iter->cpu < 0 || iter->bounded;
	struct kpt_ring_info info;
	int cpu = iter->cpu;

	if (merged)
		cpu = iter_next_merged(iter, &info);
	else if (iter_next_on(iter, cpu, &info) <= 0)
		return false;
	if (cpu < 0)
		return false;
	if (iter->consume)
		iter_consume(iter, cpu, info.seq);
	if (merged)
		iter_advance(iter);
	iter->rec_cpu = cpu;
	iter->size = kpt_record_restore(iter->rec, info.size, kpt_places_read());
	iter->seq = info.seq;
	iter->lost = info.lost;
	iter->clock = iter->buffer->clock;
	iter->ts = kpt_clock_convert_near(&iter->near, iter->clock, info.ts);
	return true;
}

/**
 * kpt_buffer_iter_next() - find the next record, in the order of time
 * @iter: its rec, size, rec_cpu, ts and lost are set
 *
 * If the iterator consumes, the record is then consumed, and counts as read.
 *
 * Context: process context, sleeps.
 * Return: true, or false if there is no record now.
 */
bool kpt_buffer_iter_next(struct kpt_buffer_iter *iter)
{
	bool found;

	mutex_lock(&iter->buffer->lock);
	found = __kpt_buffer_iter_next(iter);
	mutex_unlock(&iter->buffer->lock);
	return found;
}

/**
 * kpt_buffer_iter_chunk() - find the next records at once
 * @iter: an iterator of one CPU, which does not consume
 * @chunk: result, see kpt_ring_chunk_find()
 *
 * Context: process context, kpt_buffer.lock held.
 * Return: the cursor for kpt_ring_chunk_next(), or NULL if there is no chunk; even
 * then kpt_buffer_iter_next() may find a record.
 */
struct kpt_ring_cursor *kpt_buffer_iter_chunk(struct kpt_buffer_iter *iter,
					      struct kpt_ring_chunk *chunk)
{
	struct kpt_ring *ring = &kpt_buffer_ring(iter->buffer, iter->cpu)->ring;
	struct kpt_ring_cursor *cur = kpt_buffer_iter_cursor(iter, iter->cpu);

	return kpt_ring_chunk_find(ring, cur, chunk) ? cur : NULL;
}

/**
 * kpt_buffer_iter_chunk_is_intact() - was a chunk not overwritten while it was read?
 * @iter: the iterator that found it, before kpt_buffer.lock was released
 * @chunk: the chunk
 *
 * Context: process context, kpt_buffer.lock held.
 * Return: false if it may have been.
 */
bool kpt_buffer_iter_chunk_is_intact(const struct kpt_buffer_iter *iter,
				     const struct kpt_ring_chunk *chunk)
{
	return kpt_ring_chunk_is_intact(&kpt_buffer_ring(iter->buffer, iter->cpu)->ring,
					chunk);
}

/**
 * kpt_buffer_iter_back() - let kpt_buffer_iter_next() find its last record again
 * @iter: an iterator that does not consume, and found one
 *
 * Context: process context.
 */
void kpt_buffer_iter_back(struct kpt_buffer_iter *iter)
{
	iter->at[iter->rec_cpu] = iter->before;
}

/**
 * kpt_buffer_iter_consume() - consume records that an iterator has found
 * @iter: an iterator of one CPU that does not consume
 * @first: number of the first of them; those up to the last one found follow
 *	it without a gap
 *
 * Records that were overwritten after they were found count as read, too.
 *
 * Context: process context, kpt_buffer.lock held since they were found.
 */
void kpt_buffer_iter_consume(struct kpt_buffer_iter *iter, u64 first)
{
	iter_consume(iter, iter->cpu, first);
}

/**
 * kpt_buffer_iter_counts() - count the records of the ring that an iterator reads
 * @iter: an iterator of one CPU
 * @st: result: entries, written, read and overrun, as kpt_buffer_stats() has them
 *
 * For who counts again and again: only records that were written meanwhile are counted.
 *
 * Context: process context, sleeps.
 */
void kpt_buffer_iter_counts(struct kpt_buffer_iter *iter, struct kpt_ring_stats *st)
{
	struct kpt_buffer_cpu *bc = kpt_buffer_ring(iter->buffer, iter->cpu);

	mutex_lock(&iter->buffer->lock);
	kpt_buffer_iter_cursor(iter, iter->cpu);
	kpt_ring_counts(&bc->ring, &iter->known, st);
	st->read += bc->late;
	st->overrun -= bc->late;
	mutex_unlock(&iter->buffer->lock);
}

/**
 * kpt_buffer_iter_peek() - read the time of the next record
 * @iter: the iterator; kpt_buffer_iter_next() finds the record
 * @ts: result, converted to the unit of the clock
 *
 * Context: process context, sleeps.
 * Return: true, or false if there is no record now.
 */
bool kpt_buffer_iter_peek(struct kpt_buffer_iter *iter, u64 *ts)
{
	int cpu;

	mutex_lock(&iter->buffer->lock);
	/* What was seen may have been overwritten since. */
	while ((cpu = iter_oldest(iter)) >= 0) {
		iter_advance(iter);
		if (iter->next.nr && iter->next.next[0].cpu == cpu)
			break;
	}
	if (cpu >= 0)
		*ts = kpt_clock_convert_near(&iter->near, iter->buffer->clock,
					     iter->next.next[0].ts);
	mutex_unlock(&iter->buffer->lock);
	return cpu >= 0;
}

/**
 * kpt_buffer_iter_peek_on() - copy the next record of a CPU, which stays the next one
 * @iter: the iterator
 * @cpu: the CPU
 * @rec: result
 * @room: bytes there
 *
 * Context: process context, sleeps.
 * Return: bytes of the record; 0 if there is none now, or if it has no room.
 */
size_t kpt_buffer_iter_peek_on(struct kpt_buffer_iter *iter, int cpu, void *rec,
			       size_t room)
{
	struct kpt_ring_cursor *cur;
	struct kpt_buffer_at before;
	struct kpt_ring_info info;
	int got;

	mutex_lock(&iter->buffer->lock);
	cur = kpt_buffer_iter_cursor(iter, cpu);
	before = iter->at[cpu];
	got = kpt_ring_next(&kpt_buffer_ring(iter->buffer, cpu)->ring, cur, rec, room,
			    &info);
	if (got > 0 && !iter_wants(iter, cpu, &info))
		got = 0;
	iter->at[cpu] = before;
	mutex_unlock(&iter->buffer->lock);
	return got > 0 ? info.size : 0;
}

/**
 * kpt_buffer_iter_empty() - is there nothing to read now?
 * @iter: the iterator
 *
 * Context: process context.
 * Return: true if there is none.
 */
bool kpt_buffer_iter_empty(struct kpt_buffer_iter *iter)
{
	u64 ts;

	return !kpt_buffer_iter_peek(iter, &ts);
}
