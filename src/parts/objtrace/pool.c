// SPDX-License-Identifier: GPL-2.0-only
/* Pools: sets of addresses of objects. */
#include "lib/base/port.h"
#include "parts/objtrace/pool.h"

/* Of kpt_pool_slot.object: taken, but not yet an object. */
#define CLAIMED 1

/* Nothing is freed, so a slot number above the last one wraps to the first. */
static struct kpt_pool_slot *pool_slot(struct kpt_pool *pool, unsigned int nr)
{
	return &pool->slot[nr % KPT_POOL_SLOTS];
}

/* Add to a count that all CPUs change. Returns it as it was. */
static u32 pool_count(u32 *count, u32 by)
{
	u32 old = READ_ONCE(*count), seen;

	while ((seen = cmpxchg(count, old, old + by)) != old)
		old = seen;
	return old;
}

/* Count one more object, or return false if the pool is full. */
static bool pool_reserve(struct kpt_pool *pool)
{
	u32 old = READ_ONCE(pool->nr), seen;

	while (old < KPT_POOL_OBJECTS) {
		seen = cmpxchg(&pool->nr, old, old + 1);
		if (seen == old)
			return true;
		old = seen;
	}
	return false;
}

static void pool_reach(struct kpt_pool *pool, u32 distance)
{
	u32 old = READ_ONCE(pool->reach), seen;

	while (old < distance) {
		seen = cmpxchg(&pool->reach, old, distance);
		if (seen == old)
			break;
		old = seen;
	}
}

/**
 * kpt_pool_init() - make a pool empty
 * @pool: the pool, all zeroes
 * @size: bytes of each object; 1 if only its address counts
 *
 * Context: any.
 */
void kpt_pool_init(struct kpt_pool *pool, u64 size)
{
	pool->size = size;
	while ((1ULL << pool->shift) < size)
		pool->shift++;
}

/* Find the slot of exactly this object, or NULL. */
static struct kpt_pool_slot *pool_lookup(struct kpt_pool *pool, u64 object)
{
	unsigned int home = kpt_pool_home(object >> pool->shift);
	unsigned int i, reach;

	if (!READ_ONCE(pool->homes[home]))
		return NULL;
	reach = READ_ONCE(pool->reach);
	for (i = 0; i <= reach; i++)
		if (READ_ONCE(pool_slot(pool, home + i)->object) == object)
			return pool_slot(pool, home + i);
	return NULL;
}

/*
 * Put an object into the first free slot. pool_reserve() has counted it, and there are
 * more slots than objects, so there is one.
 */
static void pool_put(struct kpt_pool *pool, u64 object, u64 last)
{
	unsigned int home = kpt_pool_home(object >> pool->shift), i = 0;
	struct kpt_pool_slot *slot;

	while (cmpxchg(&pool_slot(pool, home + i)->object, 0, CLAIMED))
		i++;
	slot = pool_slot(pool, home + i);
	pool_reach(pool, i % KPT_POOL_SLOTS);
	WRITE_ONCE(slot->last, last);
	pool_count(&pool->homes[home], 1);
	/*
	 * A hit that finds the object exchanges @last (watch_record()). The branch between
	 * the two orders the write of the exchange behind ours, and an exchange reads what
	 * its write replaces. A plain load there could still see the value of the object
	 * that was in the slot before. tests/litmus/pool-last-*.litmus.
	 */
	smp_store_release(&slot->object, object);
}

/**
 * kpt_pool_has() - is an object there?
 * @pool: the pool
 * @object: its address, above 1
 *
 * Context: BRK.
 * Return: true if it is.
 */
bool kpt_pool_has(struct kpt_pool *pool, u64 object)
{
	return pool_lookup(pool, object);
}

/**
 * kpt_pool_add() - add an object
 * @pool: the pool
 * @object: its address, above 1
 * @last: for kpt_pool_find()
 *
 * If two CPUs add the same object at the same time, it may be there twice. It is found
 * once, and kpt_pool_remove() removes both.
 *
 * Context: BRK.
 * Return: enum kpt_pool_result.
 */
enum kpt_pool_result kpt_pool_add(struct kpt_pool *pool, u64 object, u64 last)
{
	if (pool_lookup(pool, object))
		return KPT_POOL_KNOWN;
	if (!pool_reserve(pool))
		return pool_count(&pool->refused, 1) ? KPT_POOL_FULL :
						       KPT_POOL_FULL_FIRST;
	pool_put(pool, object, last);
	return KPT_POOL_ADDED;
}

/**
 * kpt_pool_remove() - remove an object
 * @pool: the pool
 * @object: its address, above 1
 *
 * Context: BRK.
 * Return: true if it was there.
 */
bool kpt_pool_remove(struct kpt_pool *pool, u64 object)
{
	struct kpt_pool_slot *slot;
	bool any = false;

	while ((slot = pool_lookup(pool, object))) {
		if (cmpxchg(&slot->object, object, 0) != object)
			continue;
		pool_count(&pool->homes[kpt_pool_home(object >> pool->shift)], -1U);
		pool_count(&pool->nr, -1U);
		any = true;
	}
	return any;
}

/* Find an object that @addr lies in among those of a home. */
static u64 pool_find_in(struct kpt_pool *pool, u64 key, u64 addr, u64 **last)
{
	unsigned int home = kpt_pool_home(key), i, reach;
	u64 object;

	if (!READ_ONCE(pool->homes[home]))
		return 0;
	reach = READ_ONCE(pool->reach);
	for (i = 0; i <= reach; i++) {
		object = READ_ONCE(pool_slot(pool, home + i)->object);
		if (object <= CLAIMED || addr - object >= pool->size)
			continue;
		*last = &pool_slot(pool, home + i)->last;
		return object;
	}
	return 0;
}

/**
 * kpt_pool_find() - find the object that an address belongs to
 * @pool: the pool
 * @addr: any number
 * @last: result: the value last seen of the object, for the caller to change. If the
 *	object is removed meanwhile, it may already be that of another one
 *
 * Context: BRK.
 * Return: address of the object, or 0.
 */
u64 kpt_pool_find(struct kpt_pool *pool, u64 addr, u64 **last)
{
	u64 key = addr >> pool->shift;
	u64 object = pool_find_in(pool, key, addr, last);

	return object || !pool->shift ? object :
	       pool_find_in(pool, key - 1, addr, last);
}
