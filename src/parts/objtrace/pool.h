/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Pools: sets of addresses of objects, which hits of any CPU change and search without a
 * lock. A search for an address that is not there takes a few instructions.
 */
#ifndef KPTRACE_POOL_H
#define KPTRACE_POOL_H

#include "lib/base/port.h"

/* Most objects in a pool, and slots for them: few enough are in use to be found fast. */
#define KPT_POOL_OBJECTS	256
#define KPT_POOL_BITS		10
#define KPT_POOL_SLOTS		(1 << KPT_POOL_BITS)

/* Registers that hold the first arguments of a function. */
#define KPT_POOL_ARGS		8

/**
 * struct kpt_pool_slot - room for an object
 * @object: its address; 0 if there is none, 1 if one is being added
 * @last: the value last seen there, for the user of the pool
 */
struct kpt_pool_slot {
	u64 object;
	u64 last;
};

/**
 * struct kpt_pool - a set of objects; after kpt_pool_init() empty
 * @homes: number of objects whose home is that slot; first, because hits read it most
 * @size: bytes of each object: an address in it belongs to it
 * @shift: addresses that differ above this bit have different homes. An object lies in
 *	its home and the next one, if @size is more than 1
 * @nr: number of objects
 * @refused: number of objects for which there was no room
 * @reach: no object is in a slot further behind its home
 * @slot: the slots
 *
 * An object is in the first slot behind its home that was free, so the slots from the
 * home up to @reach have to be searched; but only if @homes says that there is one.
 */
struct kpt_pool {
	u32 homes[KPT_POOL_SLOTS];
	u64 size;
	unsigned int shift;
	u32 nr;
	u32 refused;
	u32 reach;
	struct kpt_pool_slot slot[KPT_POOL_SLOTS];
};

/**
 * enum kpt_pool_result - what became of an object
 * @KPT_POOL_ADDED: it is in the pool now
 * @KPT_POOL_KNOWN: it was there
 * @KPT_POOL_FULL: there is no room
 * @KPT_POOL_FULL_FIRST: the same, for the first time
 */
enum kpt_pool_result {
	KPT_POOL_ADDED,
	KPT_POOL_KNOWN,
	KPT_POOL_FULL,
	KPT_POOL_FULL_FIRST,
};

/**
 * kpt_pool_home() - find the slot from which on an address is searched
 * @key: the address without its lowest bits
 *
 * Context: any, BRK included.
 * Return: number of the slot.
 */
static __always_inline unsigned int kpt_pool_home(u64 key)
{
	/* 2^64 divided by the golden ratio: neighbours come to lie far apart. */
	return (unsigned int)((key * 0x9e3779b97f4a7c15ULL) >> (64 - KPT_POOL_BITS));
}

/* How many objects have their home where those of this key have theirs? */
static __always_inline u32 kpt_pool_near(const struct kpt_pool *pool, u64 key)
{
	return READ_ONCE(pool->homes[kpt_pool_home(key)]);
}

/**
 * kpt_pool_may_have() - may one of the arguments of a function belong to an object?
 * @pool: the pool
 * @arg: the first KPT_POOL_ARGS registers
 *
 * Context: any, BRK included.
 * Return: false if kpt_pool_find() finds none of them.
 */
static __always_inline bool kpt_pool_may_have(const struct kpt_pool *pool, const u64 *arg)
{
	unsigned int i, shift = pool->shift;
	u32 any;

	if (!READ_ONCE(pool->nr))
		return false;
	/* Every call of a function that is watched does this: no loop. */
	any = kpt_pool_near(pool, arg[0] >> shift) | kpt_pool_near(pool, arg[1] >> shift) |
	      kpt_pool_near(pool, arg[2] >> shift) | kpt_pool_near(pool, arg[3] >> shift) |
	      kpt_pool_near(pool, arg[4] >> shift) | kpt_pool_near(pool, arg[5] >> shift) |
	      kpt_pool_near(pool, arg[6] >> shift) | kpt_pool_near(pool, arg[7] >> shift);
	for (i = 0; shift && i < KPT_POOL_ARGS; i++)
		any |= kpt_pool_near(pool, (arg[i] >> shift) - 1);
	return any;
}

void kpt_pool_init(struct kpt_pool *pool, u64 size);
bool kpt_pool_has(struct kpt_pool *pool, u64 object);
enum kpt_pool_result kpt_pool_add(struct kpt_pool *pool, u64 object, u64 last);
bool kpt_pool_remove(struct kpt_pool *pool, u64 object);
u64 kpt_pool_find(struct kpt_pool *pool, u64 addr, u64 **last);

#endif
