// SPDX-License-Identifier: GPL-2.0-only
/*
 * Per-CPU rings as one buffer: resizing and swapping under running writers,
 * waking readers from BRK context. How it is read is in buffer_read.c.
 */
#include <linux/cpu.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/smp.h>
#include <linux/vmalloc.h>
#include <kptrace/arch.h>
#include <kptrace/buffer.h>

static void wake_readers(struct irq_work *work)
{
	struct kpt_buffer *buf = container_of(work, struct kpt_buffer, wake);

	wake_up_all(&buf->wait);
}

static int ring_alloc(struct kpt_buffer_cpu *bc, size_t size, int cpu)
{
	bc->mem = vzalloc_node(size, cpu_to_node(cpu));
	if (!bc->mem)
		return -ENOMEM;
	bc->size = size;
	kpt_ring_init(&bc->ring, bc->mem, size);
	return 0;
}

/* KiB to bytes in whole pages; 0 if that is nonsense. */
static size_t ring_bytes(unsigned long kb)
{
	if (!kb || kb > SZ_2G / SZ_1K)
		return 0;
	return PAGE_ALIGN(kb * SZ_1K);
}

static void note_cleared(struct kpt_buffer *buf)
{
	buf->cleared = kpt_clock_convert(buf->clock,
					 kpt_clock_stamp(buf->clock));
}

int kpt_buffer_init(struct kpt_buffer *buf, unsigned long kb)
{
	int cpu, err;

	atomic_set(&buf->stops, 0);
	buf->overwrite = true;
	buf->clock = KPT_CLOCK_LOCAL;
	note_cleared(buf);
	mutex_init(&buf->lock);
	buf->page_size = PAGE_SIZE;
	buf->percent = 50;
	atomic_set(&buf->waiters, 0);
	atomic_set(&buf->eager, 0);
	init_waitqueue_head(&buf->wait);
	init_irq_work(&buf->wake, wake_readers);
	buf->cpu = alloc_percpu(struct kpt_buffer_cpu);
	if (!buf->cpu)
		return -ENOMEM;
	for_each_possible_cpu(cpu) {
		err = ring_alloc(kpt_buffer_ring(buf, cpu), ring_bytes(kb), cpu);
		if (err) {
			kpt_buffer_fini(buf);
			return err;
		}
		kpt_ring_set_overwrite(&kpt_buffer_ring(buf, cpu)->ring, true);
	}
	return 0;
}

void kpt_buffer_fini(struct kpt_buffer *buf)
{
	int cpu;

	irq_work_sync(&buf->wake);
	for_each_possible_cpu(cpu)
		vfree(kpt_buffer_ring(buf, cpu)->mem);
	free_percpu(buf->cpu);
}

/*
 * Exchange the memory of one ring. Writers of the CPU are turned away first;
 * they run with interrupts masked, so kpt_arch_quiesce() is the end of all that
 * did not see it. Readers are kept out by the lock.
 */
static void exchange(struct kpt_buffer_cpu *bc, struct kpt_buffer_cpu *new)
{
	void *old = bc->mem;

	WRITE_ONCE(bc->ring.owner, true);
	kpt_arch_quiesce();
	kpt_ring_copy(&new->ring, &bc->ring);
	new->ring.owner = true;
	bc->ring = new->ring;
	bc->mem = new->mem;
	bc->size = new->size;
	bc->exchanged++;
	/* pairs: hit.c, hit_tap.c: a writer that sees it 0 sees all. */
	smp_store_release(&bc->ring.owner, false);
	vfree(old);
}

static int resize(struct kpt_buffer *buf, int which, size_t size)
{
	struct kpt_buffer_cpu *new;
	int cpu, err = 0;

	new = kvcalloc(nr_cpu_ids, sizeof(*new), GFP_KERNEL);
	if (!new)
		return -ENOMEM;
	for_each_possible_cpu(cpu) {
		if (!kpt_buffer_means(which, cpu) || kpt_buffer_ring(buf, cpu)->size == size)
			continue;
		err = ring_alloc(&new[cpu], size, cpu);
		if (err)
			break;
	}
	for_each_possible_cpu(cpu) {
		if (err)
			vfree(new[cpu].mem);
		else if (new[cpu].mem)
			exchange(kpt_buffer_ring(buf, cpu), &new[cpu]);
	}
	kvfree(new);
	return err;
}

int kpt_buffer_resize(struct kpt_buffer *buf, int cpu, unsigned long kb)
{
	size_t size = ring_bytes(kb);
	int err;

	if (!size)
		return -EINVAL;
	mutex_lock(&buf->lock);
	err = resize(buf, cpu, size);
	mutex_unlock(&buf->lock);
	return err;
}

/**
 * struct swap - rings to be swapped
 * @a: one of them, with a writer
 * @b: the other
 * @done: result
 */
struct swap {
	struct kpt_buffer_cpu *a;
	struct kpt_buffer_cpu *b;
	bool done;
};

/*
 * On the CPU that writes to the one, with interrupts masked and hits off: no
 * hit is in between, not even one of an NMI.
 */
static void swap_here(void *data)
{
	struct swap *s = data;

	if (!kpt_ring_is_idle(&s->a->ring))
		return;
	kpt_arch_hits_off();
	swap(s->a->ring, s->b->ring);
	swap(s->a->mem, s->b->mem);
	swap(s->a->size, s->b->size);
	swap(s->a->late, s->b->late);
	swap(s->a->unread, s->b->unread);
	s->a->asked = false;
	s->a->swapped++;
	s->b->swapped++;
	kpt_arch_hits_on();
	s->done = true;
}

/* Hits are short: a CPU that is in one will not be in one for long. */
#define SWAP_TRIES 1000

static int swap_rings(struct kpt_buffer_cpu *a, struct kpt_buffer_cpu *b,
		      int cpu)
{
	struct swap s = { a, b };
	unsigned long flags;
	int tries;

	for (tries = 0; !s.done && tries < SWAP_TRIES; tries++) {
		if (smp_call_function_single(cpu, swap_here, &s, 1)) {
			/* It is offline: nobody writes. */
			local_irq_save(flags);
			swap_here(&s);
			local_irq_restore(flags);
		}
		cond_resched();
	}
	return s.done ? 0 : -EBUSY;
}

int kpt_buffer_swap(struct kpt_buffer *buf, struct kpt_buffer *other, int which)
{
	int cpu, err = 0;

	kpt_buffer_reset(other, which);
	kpt_buffer_set_overwrite(other, buf->overwrite);
	mutex_lock(&buf->lock);
	mutex_lock_nested(&other->lock, SINGLE_DEPTH_NESTING);
	cpus_read_lock();
	for_each_possible_cpu(cpu) {
		if (!err && kpt_buffer_means(which, cpu))
			err = swap_rings(kpt_buffer_ring(buf, cpu),
					 kpt_buffer_ring(other, cpu), cpu);
	}
	cpus_read_unlock();
	other->clock = buf->clock;
	other->cleared = buf->cleared;
	if (which < 0)
		note_cleared(buf);
	mutex_unlock(&other->lock);
	mutex_unlock(&buf->lock);
	return err;
}

bool kpt_buffer_is_asked(struct kpt_buffer *buf)
{
	int cpu;

	for_each_possible_cpu(cpu)
		if (READ_ONCE(kpt_buffer_ring(buf, cpu)->asked))
			return true;
	return false;
}

unsigned long kpt_buffer_size_kb(struct kpt_buffer *buf, int which)
{
	size_t size = 0;
	int cpu;

	for_each_possible_cpu(cpu) {
		if (!kpt_buffer_means(which, cpu))
			continue;
		if (size && size != kpt_buffer_ring(buf, cpu)->size)
			return 0;
		size = kpt_buffer_ring(buf, cpu)->size;
	}
	return size / SZ_1K;
}

void kpt_buffer_reset(struct kpt_buffer *buf, int which)
{
	int cpu;

	mutex_lock(&buf->lock);
	for_each_possible_cpu(cpu) {
		if (!kpt_buffer_means(which, cpu))
			continue;
		kpt_ring_reset(&kpt_buffer_ring(buf, cpu)->ring);
		kpt_buffer_ring(buf, cpu)->late = 0;
	}
	note_cleared(buf);
	mutex_unlock(&buf->lock);
}

void kpt_buffer_set_overwrite(struct kpt_buffer *buf, bool on)
{
	int cpu;

	mutex_lock(&buf->lock);
	buf->overwrite = on;
	for_each_possible_cpu(cpu)
		kpt_ring_set_overwrite(&kpt_buffer_ring(buf, cpu)->ring, on);
	mutex_unlock(&buf->lock);
}

void kpt_buffer_set_clock(struct kpt_buffer *buf, enum kpt_clock clock)
{
	WRITE_ONCE(buf->clock, clock);
	if (kpt_clock_is_raw(clock))
		atomic_andnot(KPT_STOP_CLOCK, &buf->stops);
	else
		atomic_or(KPT_STOP_CLOCK, &buf->stops);
	/* Hits that still use the old clock end before the records go. */
	kpt_arch_quiesce();
	kpt_buffer_reset(buf, -1);
}

static void add_stats(struct kpt_ring_stats *sum,
		      const struct kpt_ring_stats *st)
{
	int i;

	sum->entries += st->entries;
	sum->written += st->written;
	sum->read += st->read;
	sum->overrun += st->overrun;
	for (i = 0; i < KPT_RING_DROPS; i++)
		sum->dropped[i] += st->dropped[i];
	sum->bytes += st->bytes;
	if (!sum->oldest_ts || (st->oldest_ts && st->oldest_ts < sum->oldest_ts))
		sum->oldest_ts = st->oldest_ts;
}

/* The ring's counts, with what only we know. Caller holds the lock. */
static void cpu_stats(struct kpt_buffer_cpu *bc, struct kpt_ring_stats *st)
{
	kpt_ring_stats(&bc->ring, st);
	st->read += bc->late;
	st->overrun -= bc->late;
}

void kpt_buffer_stats(struct kpt_buffer *buf, int which,
		      struct kpt_ring_stats *stats)
{
	struct kpt_ring_stats one;
	int cpu;

	memset(stats, 0, sizeof(*stats));
	mutex_lock(&buf->lock);
	for_each_possible_cpu(cpu) {
		if (!kpt_buffer_means(which, cpu))
			continue;
		cpu_stats(kpt_buffer_ring(buf, cpu), &one);
		add_stats(stats, &one);
	}
	mutex_unlock(&buf->lock);
}

void kpt_buffer_notify(struct kpt_buffer *buf, const struct kpt_ring *ring)
{
	if (atomic_read(&buf->eager) ||
	    kpt_ring_is_filled(ring, READ_ONCE(buf->percent)))
		irq_work_queue(&buf->wake);
}

void kpt_buffer_wake(struct kpt_buffer *buf)
{
	/* Before the wake-up, which whoever is already queued gets. */
	WRITE_ONCE(buf->wakes, buf->wakes + 1);
	wake_up_all(&buf->wait);
}
