// SPDX-License-Identifier: GPL-2.0-only
/* Allocate and free the per-CPU memory for hits. */
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/sizes.h>
#include <linux/topology.h>
#include <linux/vmalloc.h>
#include "kernel/scratch.h"
#include "lib/record/record.h"

/*
 * Strings of a record begin below 64 KiB and have at most KPT_STRING_MAX bytes, so
 * no record is larger than this.
 */
#define LARGE_SIZE (SZ_64K + KPT_STRING_MAX)

struct kpt_scratch __percpu *kpt_scratch;
struct kpt_room __percpu *kpt_rooms;

/**
 * kpt_scratch_grow() - allocate room for records larger than KPT_SCRATCH_RECORD
 * @second: for those of events on other events
 *
 * The room stays until unload.
 *
 * Context: process context, sleeps, kpt_mutex held.
 * Return: 0 or -ENOMEM.
 */
int kpt_scratch_grow(bool second)
{
	void **large;
	int cpu;

	for_each_possible_cpu(cpu) {
		large = &per_cpu_ptr(kpt_scratch, cpu)->large[second];
		if (!*large)
			WRITE_ONCE(*large, vzalloc_node(LARGE_SIZE,
							cpu_to_node(cpu)));
		if (!*large)
			return -ENOMEM;
	}
	return 0;
}

/**
 * kpt_scratch_large() - room for a large record
 * @second: of an event on another event
 * @size: bytes needed; reduced to LARGE_SIZE if it is more
 *
 * Context: BRK; the room may be used until the hit ends.
 * Return: the room, or NULL if kpt_scratch_grow() was never called.
 */
void *kpt_scratch_large(bool second, u32 *size)
{
	*size = min_t(u32, *size, LARGE_SIZE);
	return READ_ONCE(this_cpu_ptr(kpt_scratch)->large[second]);
}

/**
 * kpt_scratch_init() - allocate the memory, without room for large records
 *
 * Context: module load.
 * Return: 0 or -ENOMEM.
 */
int kpt_scratch_init(void)
{
	kpt_scratch = alloc_percpu(struct kpt_scratch);
	return kpt_scratch ? 0 : -ENOMEM;
}

/**
 * kpt_scratch_exit() - free the memory
 *
 * Context: module unload; no hit runs any more.
 */
void kpt_scratch_exit(void)
{
	const struct kpt_scratch *scratch;
	unsigned int i;
	int cpu;

	for_each_possible_cpu(cpu) {
		scratch = per_cpu_ptr(kpt_scratch, cpu);
		for (i = 0; i < KPT_SCRATCH_RECORDS; i++)
			vfree(scratch->large[i]);
	}
	free_percpu(kpt_scratch);
	kpt_rooms_free();
}

/**
 * kpt_rooms_alloc() - allocate @kpt_rooms, unless it is there
 *
 * Context: process context, sleeps, kpt_mutex held.
 * Return: 0 or -ENOMEM.
 */
int kpt_rooms_alloc(void)
{
	if (!kpt_rooms)
		kpt_rooms = alloc_percpu(struct kpt_room);
	return kpt_rooms ? 0 : -ENOMEM;
}

/**
 * kpt_rooms_free() - free @kpt_rooms
 *
 * Context: process context, sleeps; no static event is armed.
 */
void kpt_rooms_free(void)
{
	free_percpu(kpt_rooms);
	kpt_rooms = NULL;
}
