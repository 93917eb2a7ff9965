// SPDX-License-Identifier: GPL-2.0-only
/*
 * Small objects of counters that each CPU has. alloc_percpu() takes some 3,000
 * instructions, which is most of what it takes to enable an event for the first time, so
 * it is called for a block of objects of one kind.
 */
#include <linux/cpumask.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/string.h>
#include "kernel/counters.h"

/* Bytes of a block on each CPU; it is aligned to its size. */
#define COUNTERS_BLOCK	1024UL
#define OBJECTS_MAX	(COUNTERS_BLOCK / sizeof(u64))

/* No object, in struct counters_block. */
#define NONE		U8_MAX

/**
 * struct counters_memory - the memory of a block on a CPU
 * @block: the block; only the first possible CPU has it
 * @object: the objects
 */
struct counters_memory {
	struct counters_block *block;
	u8 object[COUNTERS_BLOCK - sizeof(struct counters_block *)];
};

/**
 * struct counters_block - objects that were allocated together
 * @partial: in kpt_counters_pool.partial while there is a free one, else empty
 * @memory: the objects
 * @nr_taken: number of objects in use
 * @free: the first free object, or NONE
 * @next: of a free object: the next one, or NONE
 */
struct counters_block {
	struct list_head partial;
	struct counters_memory __percpu *memory;
	u8 nr_taken;
	u8 free;
	u8 next[OBJECTS_MAX];
};

/* Protects the blocks of all pools, and kpt_counters_pool.partial. */
static DEFINE_SPINLOCK(pools_lock);

static unsigned int block_objects(const struct kpt_counters_pool *pool)
{
	return sizeof_field(struct counters_memory, object) / pool->size;
}

/* Where the memory of a block says which block it is. */
static struct counters_block **block_at(struct counters_memory __percpu *memory)
{
	return &per_cpu_ptr(memory, cpumask_first(cpu_possible_mask))->block;
}

static struct counters_block *block_of(void __percpu *counters)
{
	unsigned long addr = (__force unsigned long)counters;

	return *block_at((__force struct counters_memory __percpu *)
			 (addr & ~(COUNTERS_BLOCK - 1)));
}

static struct counters_block *block_make(const struct kpt_counters_pool *pool)
{
	struct counters_block *block = kzalloc(sizeof(*block), GFP_KERNEL);
	unsigned int i, nr = block_objects(pool);

	if (!block)
		return NULL;
	block->memory = __alloc_percpu(COUNTERS_BLOCK, COUNTERS_BLOCK);
	if (!block->memory) {
		kfree(block);
		return NULL;
	}
	*block_at(block->memory) = block;
	for (i = 0; i < nr; i++)
		block->next[i] = i + 1 < nr ? i + 1 : NONE;
	return block;
}

/* A block without taken objects, on no list. */
static void block_free(struct counters_block *block)
{
	free_percpu(block->memory);
	kfree(block);
}

/* Take an object of a block that has a free one. Under pools_lock. */
static u8 __percpu *block_take(struct kpt_counters_pool *pool,
			       struct counters_block *block)
{
	u8 i = block->free;

	block->free = block->next[i];
	block->nr_taken++;
	if (block->free == NONE)
		list_del_init(&block->partial);
	return block->memory->object + i * pool->size;
}

/**
 * kpt_counters_get() - allocate an object
 * @pool: its kind
 *
 * Context: process context, sleeps.
 * Return: the object, zero on every possible CPU; NULL without memory.
 */
void __percpu *kpt_counters_get(struct kpt_counters_pool *pool)
{
	struct counters_block *block;
	u8 __percpu *object;
	int cpu;

	spin_lock(&pools_lock);
	while (list_empty(&pool->partial)) {
		spin_unlock(&pools_lock);
		block = block_make(pool);
		if (!block)
			return NULL;
		spin_lock(&pools_lock);
		list_add(&block->partial, &pool->partial);
	}
	block = list_first_entry(&pool->partial, struct counters_block, partial);
	object = block_take(pool, block);
	spin_unlock(&pools_lock);
	for_each_possible_cpu(cpu)
		memset(per_cpu_ptr(object, cpu), 0, pool->size);
	return object;
}

/**
 * kpt_counters_put() - free an object
 * @pool: its kind
 * @counters: the object, which no CPU counts in any more; or NULL
 *
 * Context: process context.
 */
void kpt_counters_put(struct kpt_counters_pool *pool, void __percpu *counters)
{
	struct counters_block *block;
	bool empty;
	u8 i;

	if (!counters)
		return;
	block = block_of(counters);
	i = ((u8 __percpu *)counters - block->memory->object) / pool->size;
	spin_lock(&pools_lock);
	if (block->free == NONE)
		list_add(&block->partial, &pool->partial);
	block->next[i] = block->free;
	block->free = i;
	empty = !--block->nr_taken;
	if (empty)
		list_del(&block->partial);
	spin_unlock(&pools_lock);
	if (empty)
		block_free(block);
}
