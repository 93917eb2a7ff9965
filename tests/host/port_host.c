// SPDX-License-Identifier: GPL-2.0-only
/*
 * The world of portable code on the host: an arena of memory with a fault map,
 * one task, a few symbols. Tests set it up through world.h.
 */
#include "lib/base/port.h"
#include "insn/insn.h"
#include <stdio.h>
#include "world.h"

int port_read_kernel(void *dst, u64 addr, size_t size)
{
	const u8 *p = world_kernel(addr, size);

	world.reads++;
	if (!p)
		return -EFAULT;
	memcpy(dst, p, size);
	return 0;
}

bool port_peek(void *dst, u64 addr, size_t size)
{
	return size <= 8 && !(size & (size - 1)) && !port_read_kernel(dst, addr, size);
}

int port_read_user(void *dst, u64 addr, size_t size)
{
	const u8 *p = world_user(addr, size);

	world.reads++;
	if (!p)
		return -EFAULT;
	memcpy(dst, p, size);
	return 0;
}

static long read_str(char *dst, u64 addr, size_t size,
		     const u8 *(*ptr)(u64 addr, size_t size))
{
	const u8 *p;
	size_t i;

	world.reads++;
	for (i = 0; i < size; i++) {
		p = ptr(addr + i, 1);
		if (!p)
			return -EFAULT;
		dst[i] = (char)*p;
		if (!*p)
			return (long)i + 1;
	}
	dst[size - 1] = '\0';
	return (long)size;
}

long port_read_kernel_str(char *dst, u64 addr, size_t size)
{
	return read_str(dst, addr, size, world_kernel);
}

long port_read_user_str(char *dst, u64 addr, size_t size)
{
	return read_str(dst, addr, size, world_user);
}

void port_current_comm(char *dst)
{
	if (world.comm_hook)
		world.comm_hook();
	memcpy(dst, world.comm, PORT_COMM_LEN);
	dst[PORT_COMM_LEN - 1] = '\0';
}

u64 port_this_cpu_ptr(u64 percpu)
{
	return percpu + world.percpu_offset;
}

size_t port_symbol_name(char *dst, size_t size, u64 addr)
{
	return world_symbol_name(dst, size, addr, 0);
}

size_t port_caller_name(char *dst, size_t size, u64 addr)
{
	return world_symbol_name(dst, size, addr, 1);
}

bool port_symbol_stays(u64 addr)
{
	return addr && !world.text_goes;
}

/* Process 7 has a file from 0x400000 on. */
size_t port_user_place(char *dst, size_t size, s32 tgid, u64 addr)
{
	if (tgid != 7 || addr < 0x400000)
		return 0;
	return (size_t)snprintf(dst, size, "/bin/prog[+0x%lx]", (long)addr - 0x400000);
}

int port_symbol_addr(const char *name, u64 *addr)
{
	const struct world_symbol *found = NULL;
	size_t i;

	for (i = 0; i < world.nr_symbols; i++) {
		if (strcmp(world.symbols[i].name, name))
			continue;
		if (found)
			return -EADDRNOTAVAIL;
		found = &world.symbols[i];
	}
	if (!found)
		return world.no_data_symbols ? -EOPNOTSUPP : -ENOENT;
	*addr = found->addr;
	return 0;
}

u32 port_dentry_name_offset(void)
{
	return WORLD_DENTRY_NAME;
}

u32 port_file_dentry_offset(void)
{
	return WORLD_FILE_DENTRY;
}

int port_symbol_range(u64 addr, u64 *start, u64 *size)
{
	const struct world_symbol *s;

	for (s = world.symbols; s < world.symbols + world.nr_symbols; s++) {
		if (addr < s->addr || addr - s->addr >= s->size)
			continue;
		*start = s->addr;
		*size = s->size;
		return 0;
	}
	return -ENOENT;
}

void kpt_arch_write_fpreg(unsigned int reg, const u64 value[2])
{
	world.fpreg_writes++;
	memcpy(world.fpreg[reg], value, sizeof(world.fpreg[reg]));
}
