// SPDX-License-Identifier: GPL-2.0-only
/*
 * Free memory for what hits keep of calls. Each CPU has a stock. A hit that finds it low queues
 * an irq_work, which allocates more right after the hit (with PREEMPT_RT in a thread, because
 * interrupts cannot allocate there). A worker alone would run too late when thousands of tasks
 * are woken to call a function; it only helps when the irq_work found no memory.
 */
#include "kernel/compat.h"
#include <linux/irq_work.h>
#include <linux/llist.h>
#include <linux/percpu.h>
#include <linux/sizes.h>
#include <linux/slab.h>
#include <linux/workqueue.h>
#include "engine/stock.h"
#include "kernel/cpu.h"

/* Free pieces of a CPU at first; more are allocated when half of them are in use. */
#define STOCK		512
#define STOCK_LOW	(STOCK / 2)
/* Bytes of one allocation. */
#define CHUNK_SIZE	SZ_32K

/**
 * struct stock - free pieces of a CPU
 * @free: first free piece; only this CPU uses the list, in BRK context
 * @nr: number of pieces in @free
 * @refill: pieces allocated for this CPU; a hit moves them to @free when @nr is low
 * @wanted: a request for more is pending
 * @kick: serves the request
 * @work: takes back what is not used any more, and serves the request if @kick found no memory
 */
struct stock {
	struct llist_node *free;
	unsigned int nr;
	struct llist_head refill;
	bool wanted;
	struct irq_work kick;
	struct work_struct work;
};

static DEFINE_PER_CPU(struct stock, stock);
/* Free pieces that are in no CPU's stock. */
static LLIST_HEAD(spare);
/* From kpt_stock_init(). */
static void (*stock_reap)(void);

/**
 * union piece - a piece of memory
 * @idle: link in a list of free ones
 * @room: what it is for
 */
union piece {
	struct llist_node idle;
	u8 room[KPT_STOCK_SIZE];
};

/**
 * struct chunk - pieces that were allocated together
 * @node: link in @chunks
 * @piece: the pieces
 */
struct chunk {
	struct llist_node node;
	union piece piece[];
};

/* All allocated chunks, for kpt_stock_free(). */
static LLIST_HEAD(chunks);

/* Allocate a chunk. Returns how many pieces it holds, 0 without memory. */
static unsigned int stock_add_chunk(struct stock *s, gfp_t gfp)
{
	unsigned int nr = (CHUNK_SIZE - sizeof(struct chunk)) / sizeof(union piece), i;
	struct chunk *chunk;

	chunk = kmalloc(CHUNK_SIZE, gfp | __GFP_NOWARN);
	if (!chunk)
		return 0;
	llist_add(&chunk->node, &chunks);
	for (i = 0; i < nr; i++)
		llist_add(&chunk->piece[i].idle, &s->refill);
	return nr;
}

/* Take up to @most spare pieces. Returns how many were taken. */
static unsigned int stock_add_spare(struct stock *s, unsigned int most)
{
	struct llist_node *node, *next;
	unsigned int nr = 0;

	for (node = llist_del_all(&spare); node; node = next) {
		next = node->next;
		if (nr < most)
			llist_add(node, &s->refill);
		else
			llist_add(node, &spare);
		nr++;
	}
	return min(nr, most);
}

/* Returns false if there is not enough memory for a full stock. */
static bool stock_fill(struct stock *s, gfp_t gfp)
{
	unsigned int nr = stock_add_spare(s, STOCK), more;

	while (nr < STOCK) {
		more = stock_add_chunk(s, gfp);
		if (!more)
			return false;
		nr += more;
	}
	return true;
}

/*
 * Serve a pending request. With @last, end it even if memory is short: nothing
 * retries after the worker, and the next hit that finds the stock low asks again.
 * Clear @wanted only if it was set when read here: otherwise a request made since
 * then would be lost. Model: tests/models/stock.pml.
 */
static void stock_deliver(struct stock *s, gfp_t gfp, bool last)
{
	/* Publish the pieces before the next request; pairs with stock_note_low(). */
	if (READ_ONCE(s->wanted) && (stock_fill(s, gfp) || last))
		smp_store_release(&s->wanted, false);
}

static void stock_note_low(struct stock *s)
{
	/* Pairs with stock_deliver(). */
	if (s->nr > STOCK_LOW || smp_load_acquire(&s->wanted) || !kpt_irq_work_runs())
		return;
	WRITE_ONCE(s->wanted, true);
	irq_work_queue(&s->kick);
}

/* Move the pieces that were allocated for this CPU to its stock. */
static void stock_take_refill(struct stock *s)
{
	struct llist_node *node, *next;

	if (llist_empty(&s->refill))
		return;
	for (node = llist_del_all(&s->refill); node; node = next) {
		next = node->next;
		node->next = s->free;
		s->free = node;
		s->nr++;
	}
}

/**
 * kpt_stock_get() - take a piece of memory
 *
 * Context: BRK.
 * Return: KPT_STOCK_SIZE bytes; NULL if there is none.
 */
void *kpt_stock_get(void)
{
	struct stock *s = this_cpu_ptr(&stock);
	struct llist_node *node;

	if (unlikely(s->nr <= STOCK_LOW))
		stock_take_refill(s);
	node = s->free;
	if (likely(node)) {
		s->free = node->next;
		s->nr--;
	}
	stock_note_low(s);
	return node;
}

/**
 * kpt_stock_give() - give a piece back
 * @piece: from kpt_stock_get()
 *
 * Context: process context.
 */
void kpt_stock_give(void *piece)
{
	llist_add(piece, &spare);
}

/**
 * kpt_stock_kick() - have a worker take back what is not used any more
 *
 * Context: BRK, where kpt_irq_work_runs().
 */
void kpt_stock_kick(void)
{
	irq_work_queue(this_cpu_ptr(&stock.kick));
}

static void stock_work(struct work_struct *work)
{
	struct stock *s = container_of(work, struct stock, work);

	stock_reap();
	stock_deliver(s, GFP_KERNEL, true);
}

static void stock_kick(struct irq_work *work)
{
	struct stock *s = container_of(work, struct stock, kick);

	stock_deliver(s, GFP_ATOMIC, false);
	queue_work(system_highpri_wq, &s->work);
}

/**
 * kpt_stock_init() - fill the stocks
 * @reap: takes back what is not used any more, with kpt_stock_give(); in process context
 *
 * Context: process context, sleeps, once.
 * Return: 0 or -ENOMEM; then call kpt_stock_exit() and kpt_stock_free() all the same.
 */
int kpt_stock_init(void (*reap)(void))
{
	struct stock *s;
	bool made = true;
	int cpu;

	stock_reap = reap;
	for_each_possible_cpu(cpu) {
		s = per_cpu_ptr(&stock, cpu);
		init_irq_work(&s->kick, stock_kick);
		INIT_WORK(&s->work, stock_work);
		made = made && stock_fill(s, GFP_KERNEL);
	}
	return made ? 0 : -ENOMEM;
}

/**
 * kpt_stock_exit() - let nobody take back anything any more
 *
 * Context: process context, sleeps; no hit takes a piece any more.
 */
void kpt_stock_exit(void)
{
	struct stock *s;
	int cpu;

	if (!stock_reap)
		return;
	for_each_possible_cpu(cpu) {
		s = per_cpu_ptr(&stock, cpu);
		irq_work_sync(&s->kick);
		cancel_work_sync(&s->work);
	}
}

/**
 * kpt_stock_free() - free all memory
 *
 * Context: process context, after kpt_stock_exit(); nobody uses a piece.
 */
void kpt_stock_free(void)
{
	struct chunk *chunk, *next;

	llist_for_each_entry_safe(chunk, next, llist_del_all(&chunks), node)
		kfree(chunk);
}
