// SPDX-License-Identifier: GPL-2.0-only
/* The arena that tests arrange and port_host.c reads from. */
#include <string.h>
#include "world.h"

struct world world;

void world_reset(void)
{
	memset(&world, 0, sizeof(world));
	strcpy(world.comm, "hosttest");
	world.task = WORLD_KERNEL + 0x100;
}

/* Address of @size readable bytes behind @addr, or NULL. */
static const u8 *world_ptr(u64 addr, size_t size, u64 base, const u8 *mem,
			   const u8 *fault)
{
	size_t i;

	if (addr < base || addr - base > WORLD_SIZE ||
	    size > WORLD_SIZE - (addr - base))
		return NULL;
	for (i = 0; i < size; i++)
		if (fault[addr - base + i])
			return NULL;
	world.bytes += size;
	return mem + (addr - base);
}

const u8 *world_kernel(u64 addr, size_t size)
{
	return world_ptr(addr, size, WORLD_KERNEL, world.kernel,
			 world.kernel_fault);
}

const u8 *world_user(u64 addr, size_t size)
{
	return world_ptr(addr, size, WORLD_USER, world.user, world.user_fault);
}
