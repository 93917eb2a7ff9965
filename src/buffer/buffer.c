// SPDX-License-Identifier: GPL-2.0-only
/*
 * Per-CPU rings as one buffer: resizing and swapping under running writers. read.c
 * reads a buffer, wait.c wakes its readers.
 *
 * A ring has no memory until its buffer is used for the first time, and until its CPU
 * comes online: most instances never record, and a kernel may allow for many more CPUs
 * than there are. Such a ring has its size, is empty, and its @owner refuses writers.
 *
 * Lock order: cpus_read_lock(), then kpt_buffer.lock: a CPU that comes online takes the
 * second while it holds the first one for writing. So what changes rings and waits for
 * CPUs takes both; readers take the second alone.
 */
#include <linux/cpu.h>
#include <linux/cpuhotplug.h>
#include <linux/mm.h>
#include <linux/oom.h>
#include <linux/slab.h>
#include <linux/smp.h>
#include <linux/vmalloc.h>
#include <linux/vmstat.h>
#include "buffer/buffer.h"
#include "buffer/places.h"
#include "kernel/cpu.h"
#include "arch.h"

/* Hits read one cache line, in which nobody writes but who goes to sleep. */
#define IS_FOR_HITS(member) (offsetofend(struct kpt_buffer, member) <= SMP_CACHE_BYTES)
static_assert(IS_FOR_HITS(cpu) && IS_FOR_HITS(stops) && IS_FOR_HITS(waiters) &&
	      IS_FOR_HITS(clock) && IS_FOR_HITS(percent));
static_assert(offsetof(struct kpt_buffer, lock) == SMP_CACHE_BYTES);
static_assert(__alignof__(struct kpt_buffer) == SMP_CACHE_BYTES);

/* Of kpt_buffer.node; of @buffers. */
static int hotplug_state, online_state;

/* All buffers. */
static LIST_HEAD(buffers);
/* Protects @buffers; a CPU that comes online takes it inside the lock of CPU hotplug. */
static DEFINE_MUTEX(buffers_lock);

static int ring_alloc(struct kpt_buffer_cpu *bc, int cpu)
{
	bc->mem = vzalloc_node(bc->size, cpu_to_node(cpu));
	if (!bc->mem)
		return -ENOMEM;
	kpt_ring_init(&bc->ring, bc->mem, bc->size);
	return 0;
}

/**
 * kpt_buffer_affordable() - is there enough memory for an allocation?
 * @pages: its size in pages
 *
 * Refuse what would wake the OOM killer. Free memory of CMA counts as available in
 * the system, but a ring cannot use it; nor what the kernel keeps free for a while after
 * it had to split a pageblock, which is much where pages are large.
 *
 * Context: any.
 * Return: true if there is.
 */
bool kpt_buffer_affordable(unsigned long pages)
{
	long free = si_mem_available() - totalram_pages() / 64 -
		    global_zone_page_state(NR_FREE_CMA_PAGES);

	/* A zone that has less than four is left alone. */
	if (totalram_pages() / 4 >= pageblock_nr_pages)
		free -= pageblock_nr_pages;
	return !pages || (free > 0 && pages < free);
}

/*
 * Allocate memory for the rings of @set on @cpus that have a size: for all of them or
 * for none. Refuse a size that would wake the OOM killer; if it runs anyway, the
 * requester is its first victim.
 */
static int rings_alloc(struct kpt_buffer_cpu *set, const struct cpumask *cpus)
{
	unsigned long pages = 0;
	int cpu, err = 0;

	for_each_cpu(cpu, cpus)
		pages += set[cpu].size / PAGE_SIZE;
	if (!kpt_buffer_affordable(pages))
		return -ENOMEM;
	set_current_oom_origin();
	for_each_cpu(cpu, cpus)
		if (!err && set[cpu].size)
			err = ring_alloc(&set[cpu], cpu);
	clear_current_oom_origin();
	for_each_cpu(cpu, cpus)
		if (err)
			vfree(set[cpu].mem);
	return err;
}

static struct kpt_buffer_cpu *buffer_make_set(void)
{
	return kvcalloc(nr_cpu_ids, sizeof(struct kpt_buffer_cpu), GFP_KERNEL);
}

/* KiB to bytes in whole pages; 0 if out of range. */
static size_t ring_bytes(unsigned long kb)
{
	if (!kb || kb > SZ_2G / SZ_1K)
		return 0;
	return PAGE_ALIGN(kb * SZ_1K);
}

static void buffer_note_cleared(struct kpt_buffer *buf)
{
	buf->cleared = kpt_clock_convert(buf->clock,
					 kpt_clock_stamp(buf->clock));
	/* Of records that a reboot leaves, times may count from then. */
	if (buf->is_placed)
		kpt_persist_note_clock(buf->clock, buf->cleared);
}

/**
 * kpt_buffer_init() - make a buffer
 * @buf: the buffer
 * @kb: KiB per CPU, at least 1; allocated by kpt_buffer_use()
 *
 * Context: process context, sleeps; takes cpus_read_lock().
 * Return: 0 or -ENOMEM.
 */
int kpt_buffer_init(struct kpt_buffer *buf, unsigned long kb)
{
	struct kpt_buffer_cpu *bc;
	int cpu, err;

	buf->overwrite = true;
	buf->clock = KPT_CLOCK_LOCAL;
	buf->reader = kpt_clock_reader(buf->clock);
	atomic_set(&buf->stops, kpt_clock_is_raw(buf->clock) ? 0 : KPT_STOP_CLOCK);
	buffer_note_cleared(buf);
	mutex_init(&buf->lock);
	buf->page_size = PAGE_SIZE;
	buf->is_placed = false;
	buf->is_used = false;
	buf->percent = 50;
	atomic_set(&buf->waiters, 0);
	init_waitqueue_head(&buf->wait);
	kpt_bell_init(&buf->wake, kpt_buffer_wake_now);
	buf->cpu = alloc_percpu(struct kpt_buffer_cpu);
	if (!buf->cpu)
		return -ENOMEM;
	for_each_possible_cpu(cpu) {
		bc = kpt_buffer_ring(buf, cpu);
		kpt_ring_init(&bc->ring, NULL, 0);
		bc->ring.owner = true;
		bc->size = ring_bytes(kb);
	}
	err = cpuhp_state_add_instance_nocalls(hotplug_state, &buf->node);
	if (err) {
		free_percpu(buf->cpu);
		return err;
	}
	mutex_lock(&buffers_lock);
	list_add(&buf->list, &buffers);
	mutex_unlock(&buffers_lock);
	return 0;
}

/**
 * kpt_buffer_fini() - free a buffer
 * @buf: the buffer, which neither hits nor readers use any more
 *
 * Context: process context, sleeps; takes cpus_read_lock().
 */
void kpt_buffer_fini(struct kpt_buffer *buf)
{
	int cpu;

	mutex_lock(&buffers_lock);
	list_del(&buf->list);
	mutex_unlock(&buffers_lock);
	cpuhp_state_remove_instance_nocalls(hotplug_state, &buf->node);
	kpt_bell_sync(&buf->wake);
	for_each_possible_cpu(cpu)
		vfree(kpt_buffer_ring(buf, cpu)->mem);
	free_percpu(buf->cpu);
}

/**
 * kpt_buffer_place() - put the rings of a new buffer into memory of the caller
 * @buf: the buffer, which neither hits nor readers use yet
 * @mem: the memory: one ring after the other, by CPU number; all 0
 * @size: bytes of each ring, a multiple of 4096
 * @kept: by CPU number, what the rings say of themselves
 *
 * Context: process context, sleeps.
 */
void kpt_buffer_place(struct kpt_buffer *buf, void *mem, u32 size,
		      struct kpt_ring_kept *kept)
{
	struct kpt_buffer_cpu *bc;
	int cpu;

	for_each_possible_cpu(cpu) {
		bc = kpt_buffer_ring(buf, cpu);
		vfree(bc->mem);
		bc->mem = NULL;
		bc->size = size;
		kpt_ring_init(&bc->ring, mem + (size_t)cpu * size, size);
		kpt_ring_set_kept(&bc->ring, &kept[cpu]);
	}
	buf->is_placed = true;
	buf->is_used = true;
	buffer_note_cleared(buf);
}

/**
 * kpt_buffer_keep() - say exactly where the records are that a reboot will leave
 * @buf: a buffer of kpt_buffer_place(), whose writers have stopped, even in a record
 *
 * Context: any.
 */
void kpt_buffer_keep(struct kpt_buffer *buf)
{
	int cpu;

	for_each_possible_cpu(cpu)
		kpt_ring_keep(&kpt_buffer_ring(buf, cpu)->ring);
}

/**
 * kpt_buffer_leave() - stop recording, and leave the records in the caller's memory
 * @buf: a buffer of kpt_buffer_place(); what happens to it later leaves no trace there
 *
 * Context: process context, sleeps.
 */
void kpt_buffer_leave(struct kpt_buffer *buf)
{
	int cpu;

	kpt_buffer_switch(buf, false);
	kpt_arch_quiesce();
	kpt_buffer_keep(buf);
	for_each_possible_cpu(cpu)
		kpt_ring_set_kept(&kpt_buffer_ring(buf, cpu)->ring, NULL);
	buf->is_placed = false;
}

/* No hit writes to the ring, and the lock keeps readers out. */
static void ring_exchange(struct kpt_buffer_cpu *bc, struct kpt_buffer_cpu *new)
{
	void *old = bc->mem;

	kpt_ring_copy(&new->ring, &bc->ring);
	new->ring.owner = true;
	bc->ring = new->ring;
	bc->mem = new->mem;
	bc->size = new->size;
	bc->exchanged++;
	WRITE_ONCE(bc->mark, 0);
	/* pairs: kpt_buffer_may_write(): a writer that sees 0 sees all. */
	smp_store_release(&bc->ring.owner, false);
	vfree(old);
}

/*
 * Exchange the memory of all rings that have new memory in @new. First set @owner, which
 * makes writers refuse records. Hits run with interrupts masked, so one
 * kpt_arch_quiesce() waits for all writers that have not seen @owner. Model:
 * tests/models/quiesce.pml.
 */
static void rings_exchange(struct kpt_buffer *buf, struct kpt_buffer_cpu *new)
{
	bool any = false;
	int cpu;

	for_each_possible_cpu(cpu) {
		if (!new[cpu].mem)
			continue;
		WRITE_ONCE(kpt_buffer_ring(buf, cpu)->ring.owner, true);
		any = true;
	}
	if (any)
		kpt_arch_quiesce_cpus_locked();
	buf->changes++;
	for_each_possible_cpu(cpu)
		if (new[cpu].mem)
			ring_exchange(kpt_buffer_ring(buf, cpu), &new[cpu]);
}

/* Does a ring have memory, here or where kpt_buffer_place() put it? */
static bool ring_is_there(const struct kpt_buffer_cpu *bc)
{
	return bc->ring.data;
}

/*
 * Give rings the sizes in @new, where that is not 0, and memory to those that have
 * some, whose CPU is online, or is @which. Caller holds both locks.
 */
static int buffer_resize(struct kpt_buffer *buf, struct kpt_buffer_cpu *new, int which)
{
	struct kpt_buffer_cpu *bc;
	cpumask_var_t cpus;
	int cpu, err;

	if (!zalloc_cpumask_var(&cpus, GFP_KERNEL))
		return -ENOMEM;
	for_each_possible_cpu(cpu) {
		bc = kpt_buffer_ring(buf, cpu);
		if (!new[cpu].size ||
		    (ring_is_there(bc) && new[cpu].size == bc->size))
			continue;
		if (ring_is_there(bc) || cpu_online(cpu) || cpu == which)
			cpumask_set_cpu(cpu, cpus);
	}
	err = rings_alloc(new, cpus);
	free_cpumask_var(cpus);
	if (err)
		return err;
	for_each_possible_cpu(cpu) {
		bc = kpt_buffer_ring(buf, cpu);
		if (new[cpu].size && !ring_is_there(bc))
			bc->size = new[cpu].size;
	}
	rings_exchange(buf, new);
	/* Pairs with kpt_buffer_use(): a task that sees @is_used finds the rings. */
	smp_store_release(&buf->is_used, true);
	return 0;
}

/* Give the rings of a buffer the sizes of those of @like. Caller holds both locks. */
static int buffer_resize_like(struct kpt_buffer *buf, struct kpt_buffer *like)
{
	struct kpt_buffer_cpu *new = buffer_make_set();
	int cpu, err;

	if (!new)
		return -ENOMEM;
	for_each_possible_cpu(cpu)
		new[cpu].size = kpt_buffer_ring(like, cpu)->size;
	err = buffer_resize(buf, new, -1);
	kvfree(new);
	return err;
}

/**
 * kpt_buffer_use() - have memory for records
 * @buf: the buffer
 *
 * Before this, and on a CPU that came online when there was no memory, records are
 * counted as lost.
 *
 * Context: process context, sleeps; takes cpus_read_lock() the first time.
 * Return: 0 or -ENOMEM.
 */
int kpt_buffer_use(struct kpt_buffer *buf)
{
	int err = 0;

	if (smp_load_acquire(&buf->is_used))
		return 0;
	cpus_read_lock();
	mutex_lock(&buf->lock);
	if (!buf->is_used)
		err = buffer_resize_like(buf, buf);
	mutex_unlock(&buf->lock);
	cpus_read_unlock();
	return err;
}

/* A CPU is about to come online: nothing runs there yet. */
static int buffer_prepare_cpu(unsigned int cpu, struct hlist_node *node)
{
	struct kpt_buffer *buf = hlist_entry(node, struct kpt_buffer, node);
	struct kpt_buffer_cpu *bc = kpt_buffer_ring(buf, cpu), new = { 0 };

	mutex_lock(&buf->lock);
	new.size = bc->size;
	if (buf->is_used && !ring_is_there(bc)) {
		if (ring_alloc(&new, cpu)) {
			pr_warn("no memory for records of CPU %u\n", cpu);
		} else {
			buf->changes++;
			ring_exchange(bc, &new);
		}
	}
	mutex_unlock(&buf->lock);
	return 0;
}

/* A CPU has gone offline. Its last hits woke nobody: see kpt_irq_work_runs(). */
static int buffer_dead_cpu(unsigned int cpu, struct hlist_node *node)
{
	kpt_buffer_wake(hlist_entry(node, struct kpt_buffer, node));
	return 0;
}

/*
 * A CPU is online. Its first hits woke nobody. From kpt_irq_work_start() on they do: so
 * wake readers after it, not in a state of CPU hotplug of its own, which may come before.
 */
static int buffers_online_cpu(unsigned int cpu)
{
	struct kpt_buffer *buf;

	kpt_irq_work_start();
	mutex_lock(&buffers_lock);
	list_for_each_entry(buf, &buffers, list)
		kpt_buffer_wake(buf);
	mutex_unlock(&buffers_lock);
	return 0;
}

/* A CPU goes offline. If it does not get there, buffers_online_cpu() is called again. */
static int buffers_offline_cpu(unsigned int cpu)
{
	kpt_irq_work_stop();
	return 0;
}

/**
 * kpt_buffers_init() - prepare to make buffers
 *
 * Context: module load.
 * Return: 0, or the errno of cpuhp_setup_state(), -ENOSPC.
 */
int kpt_buffers_init(void)
{
	hotplug_state = cpuhp_setup_state_multi(CPUHP_BP_PREPARE_DYN,
						"kptrace/rings:prepare",
						buffer_prepare_cpu, buffer_dead_cpu);
	if (hotplug_state < 0)
		return hotplug_state;
	online_state = cpuhp_setup_state(CPUHP_AP_ONLINE_DYN, "kptrace/rings:online",
					 buffers_online_cpu, buffers_offline_cpu);
	if (online_state >= 0)
		return 0;
	cpuhp_remove_multi_state(hotplug_state);
	return online_state;
}

/**
 * kpt_buffers_exit() - the reverse of kpt_buffers_init()
 *
 * Context: module unload; there are no buffers.
 */
void kpt_buffers_exit(void)
{
	/* No hit asks any more whether a CPU runs irq_works. */
	cpuhp_remove_state_nocalls(online_state);
	cpuhp_remove_multi_state(hotplug_state);
	kpt_places_exit();
}

/**
 * kpt_buffer_resize() - change the size of one ring or of all
 * @buf: the buffer
 * @which: a CPU number, or -1 for all
 * @kb: KiB per CPU, at least 1; rounded up to whole pages
 *
 * Keeps the newest records that fit. Hits on a CPU whose ring is being exchanged are
 * counted as lost.
 *
 * Context: process context, sleeps; takes cpus_read_lock().
 * Return: 0, -EINVAL, -EBUSY if kpt_buffer_is_fixed(), or -ENOMEM; then nothing has
 * changed.
 */
int kpt_buffer_resize(struct kpt_buffer *buf, int which, unsigned long kb)
{
	size_t size = ring_bytes(kb);
	struct kpt_buffer_cpu *new;
	int cpu, err;

	if (!size)
		return -EINVAL;
	if (kpt_buffer_is_fixed(buf, which))
		return -EBUSY;
	new = buffer_make_set();
	if (!new)
		return -ENOMEM;
	cpus_read_lock();
	mutex_lock(&buf->lock);
	for_each_possible_cpu(cpu)
		new[cpu].size = kpt_buffer_means(which, cpu) ? size :
				kpt_buffer_ring(buf, cpu)->size;
	err = buffer_resize(buf, new, which);
	mutex_unlock(&buf->lock);
	cpus_read_unlock();
	kvfree(new);
	return err;
}

/* kpt_buffer_match(). Caller holds the locks. */
static int buffer_match(struct kpt_buffer *buf, struct kpt_buffer *other)
{
	return buffer_resize_like(buf, buf) ?: buffer_resize_like(other, buf);
}

static void buffer_lock_both(struct kpt_buffer *buf, struct kpt_buffer *other)
{
	cpus_read_lock();
	mutex_lock(&buf->lock);
	mutex_lock_nested(&other->lock, SINGLE_DEPTH_NESTING);
}

static void buffer_unlock_both(struct kpt_buffer *buf, struct kpt_buffer *other)
{
	mutex_unlock(&other->lock);
	mutex_unlock(&buf->lock);
	cpus_read_unlock();
}

/**
 * kpt_buffer_match() - make another buffer as large as this one
 * @buf: the buffer
 * @other: its rings get the sizes of those of @buf, CPU by CPU
 *
 * Context: process context, sleeps.
 * Return: 0 or -ENOMEM; then nothing has changed.
 */
int kpt_buffer_match(struct kpt_buffer *buf, struct kpt_buffer *other)
{
	int err;

	buffer_lock_both(buf, other);
	err = buffer_match(buf, other);
	buffer_unlock_both(buf, other);
	return err;
}

static void buffer_reset(struct kpt_buffer *buf, int which)
{
	int cpu;

	for_each_possible_cpu(cpu) {
		if (!kpt_buffer_means(which, cpu))
			continue;
		kpt_ring_reset(&kpt_buffer_ring(buf, cpu)->ring);
		kpt_buffer_ring(buf, cpu)->late = 0;
	}
	buf->changes++;
	buffer_note_cleared(buf);
}

static void buffer_set_overwrite(struct kpt_buffer *buf, bool on)
{
	int cpu;

	buf->overwrite = on;
	for_each_possible_cpu(cpu)
		kpt_ring_set_overwrite(&kpt_buffer_ring(buf, cpu)->ring, on);
}

/**
 * struct swap - rings to be swapped
 * @a: the ring that has a writer
 * @b: the other ring
 * @done: result: they are swapped
 */
struct swap {
	struct kpt_buffer_cpu *a;
	struct kpt_buffer_cpu *b;
	bool done;
};

/*
 * Runs on the CPU that writes to @a, with interrupts masked and hits off, so that no
 * hit happens during the swap, not even in an NMI.
 */
static void buffer_swap_here(void *data)
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
	WRITE_ONCE(s->a->mark, 0);
	/* The clock may be another one than when it was written to. */
	kpt_ring_begin_anew(&s->a->ring);
	kpt_arch_hits_on();
	s->done = true;
}

/* Hits are short: a CPU in the middle of a record will soon leave it. */
#define SWAP_TRIES 1000

static int buffer_swap_rings(struct kpt_buffer_cpu *a, struct kpt_buffer_cpu *b,
		      int cpu)
{
	struct swap s = { a, b };
	unsigned long flags;
	int tries;

	for (tries = 0; !s.done && tries < SWAP_TRIES; tries++) {
		if (smp_call_function_single(cpu, buffer_swap_here, &s, 1)) {
			/* The CPU is offline and writes nothing. */
			local_irq_save(flags);
			buffer_swap_here(&s);
			local_irq_restore(flags);
		}
		cond_resched();
	}
	return s.done ? 0 : -EBUSY;
}

/* Caller holds both locks. */
static int buffer_swap_both(struct kpt_buffer *buf, struct kpt_buffer *other,
			int which)
{
	int cpu, err;

	err = buffer_match(buf, other);
	if (err)
		return err;
	buffer_reset(other, which);
	buffer_set_overwrite(other, buf->overwrite);
	for_each_possible_cpu(cpu) {
		if (!err && kpt_buffer_means(which, cpu))
			err = buffer_swap_rings(kpt_buffer_ring(buf, cpu),
					 kpt_buffer_ring(other, cpu), cpu);
	}
	buf->changes++;
	other->changes++;
	other->clock = buf->clock;
	other->cleared = buf->cleared;
	if (which < 0)
		buffer_note_cleared(buf);
	return err;
}

/**
 * kpt_buffer_swap() - exchange the rings of two buffers
 * @buf: continues with the rings of @other, which are emptied first
 * @other: has no writers; is made as large as @buf, and gets its records
 * @which: a CPU number, or -1 for all
 *
 * Each ring is swapped on its own CPU, between two hits, so no record is lost or in
 * both buffers. Iterators stay with their buffer and begin at its new ring's start.
 *
 * Context: process context, sleeps.
 * Return: 0, -ENOMEM, or -EBUSY if a CPU was always in the middle of a record.
 */
int kpt_buffer_swap(struct kpt_buffer *buf, struct kpt_buffer *other, int which)
{
	int err;

	buffer_lock_both(buf, other);
	err = buffer_swap_both(buf, other, which);
	buffer_unlock_both(buf, other);
	return err;
}

/**
 * kpt_buffer_is_asked() - has a hit requested a swap that has not happened yet?
 * @buf: the buffer
 *
 * A swap serves all requests that hits on a CPU made before the swap ran there.
 *
 * Context: any.
 * Return: true if a request is pending.
 */
bool kpt_buffer_is_asked(struct kpt_buffer *buf)
{
	int cpu;

	for_each_possible_cpu(cpu)
		if (READ_ONCE(kpt_buffer_ring(buf, cpu)->asked))
			return true;
	return false;
}

/**
 * kpt_buffer_is_mapped() - do programs map pages of records?
 * @buf: the buffer
 * @which: of this CPU, or -1 for any
 *
 * Nothing here depends on that: mapped pages are copies. But mainline's interface is
 * that such a buffer is neither resized nor swapped.
 *
 * Context: any.
 * Return: true if there is such a mapping.
 */
bool kpt_buffer_is_mapped(struct kpt_buffer *buf, int which)
{
	int cpu;

	for_each_possible_cpu(cpu)
		if (kpt_buffer_means(which, cpu) &&
		    atomic_read(&kpt_buffer_ring(buf, cpu)->maps))
			return true;
	return false;
}

/**
 * kpt_buffer_is_fixed() - may the memory of a buffer not change?
 * @buf: the buffer
 * @which: of this CPU, or -1 for any
 *
 * Context: any.
 * Return: true if programs map it, or if kpt_buffer_place() gave the memory.
 */
bool kpt_buffer_is_fixed(struct kpt_buffer *buf, int which)
{
	return buf->is_placed || kpt_buffer_is_mapped(buf, which);
}

/**
 * kpt_buffer_size_kb() - size of a ring
 * @buf: the buffer
 * @which: a CPU number, or -1 for all
 *
 * Context: process context.
 * Return: KiB, or 0 if @which is -1 and the sizes differ.
 */
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

/**
 * kpt_buffer_reset() - drop all records
 * @buf: the buffer
 * @which: a CPU number, or -1 for all
 *
 * Context: process context, sleeps.
 */
void kpt_buffer_reset(struct kpt_buffer *buf, int which)
{
	mutex_lock(&buf->lock);
	buffer_reset(buf, which);
	mutex_unlock(&buf->lock);
}

/**
 * kpt_buffer_set_overwrite() - switch between overwriting and refusing records
 * @buf: the buffer
 * @on: full rings overwrite their oldest records; else they refuse new ones
 *
 * Context: process context, sleeps.
 */
void kpt_buffer_set_overwrite(struct kpt_buffer *buf, bool on)
{
	mutex_lock(&buf->lock);
	buffer_set_overwrite(buf, on);
	mutex_unlock(&buf->lock);
}

/* Runs on the CPU that writes to the ring, with interrupts masked; or that CPU is offline. */
static void buffer_begin_anew_here(void *data)
{
	struct kpt_buffer_cpu *bc = data;

	kpt_ring_begin_anew(&bc->ring);
}

/**
 * kpt_buffer_set_clock() - change the clock; resets the buffer
 * @buf: the buffer; stubs record nothing until kpt_buffer_let_stubs_stamp()
 * @clock: the clock
 *
 * Context: process context, sleeps.
 */
void kpt_buffer_set_clock(struct kpt_buffer *buf, enum kpt_clock clock)
{
	struct kpt_buffer_cpu *bc;
	int cpu;

	cpus_read_lock();
	mutex_lock(&buf->lock);
	WRITE_ONCE(buf->clock, clock);
	WRITE_ONCE(buf->reader, kpt_clock_reader(clock));
	atomic_or(KPT_STOP_CLOCK, &buf->stops);
	/* Wait for hits with stamps of the old clock, then drop their records. */
	kpt_arch_quiesce_cpus_locked();
	buffer_reset(buf, -1);
	for_each_possible_cpu(cpu) {
		bc = kpt_buffer_ring(buf, cpu);
		if (smp_call_function_single(cpu, buffer_begin_anew_here, bc, 1))
			buffer_begin_anew_here(bc);
	}
	mutex_unlock(&buf->lock);
	cpus_read_unlock();
}

static void buffer_add_stats(struct kpt_ring_stats *sum,
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

/* The ring's counts, corrected by @late. Caller holds the lock. */
static void buffer_cpu_stats(struct kpt_buffer_cpu *bc, struct kpt_ring_stats *st)
{
	kpt_ring_stats(&bc->ring, st);
	st->read += bc->late;
	st->overrun -= bc->late;
}

/**
 * kpt_buffer_stats() - counters of a ring
 * @buf: the buffer
 * @which: a CPU number, or -1 for the sum
 * @stats: result
 *
 * Context: process context.
 */
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
		buffer_cpu_stats(kpt_buffer_ring(buf, cpu), &one);
		buffer_add_stats(stats, &one);
	}
	mutex_unlock(&buf->lock);
}
