// SPDX-License-Identifier: GPL-2.0-only
/* The arena that tests arrange and port_host.c reads from. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "world.h"

struct world world;
const void *port_user_hole;

void world_reset(void)
{
	memset(&world, 0, sizeof(world));
	strcpy(world.comm, "hosttest");
	world.tgid = 41;
	world.uid = 4000000000;
	world.cgroup = 1ULL << 40 | 7;
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

/* "N" or a number; NULL if it is neither. */
static const char *read_cpu(const char *s, unsigned int nr, u64 *cpu)
{
	char *end;

	*cpu = nr - 1;
	if (*s == 'N')
		return s + 1;
	if (*s < '0' || *s > '9')
		return NULL;
	errno = 0;
	*cpu = strtoull(s, &end, 10);
	return errno ? NULL : end;
}

/* "3", "0-7", "all", and of ranges "0-7:2/4", the first 2 of every 4. */
static int add_cpus(const char *s, u64 *set, unsigned int nr)
{
	u64 first = 0, last = nr - 1, used = 1, group = 1, cpu;
	bool is_range = true;

	if (!strncmp(s, "all", 3)) {
		s += 3;
	} else {
		s = read_cpu(s, nr, &first);
		last = first;
		is_range = s && *s == '-';
		if (is_range)
			s = read_cpu(s + 1, nr, &last);
	}
	if (s && is_range && *s == ':') {
		s = read_cpu(s + 1, nr, &used);
		s = s && *s == '/' ? read_cpu(s + 1, nr, &group) : NULL;
	}
	if (!s || *s || first > last || !group || used > group)
		return -EINVAL;
	if (last >= nr)
		return -ERANGE;
	for (cpu = first; cpu <= last; cpu++)
		if ((cpu - first) % group < used)
			set[cpu / 64] |= 1ULL << (cpu % 64);
	return 0;
}

/* Like the newest kernel's bitmap_parselist(). */
int port_parse_cpus(const char *s, size_t len, u64 *set, unsigned int nr)
{
	char *text = strndup(s, len), *rest = text, *word;
	int err = 0;

	memset(set, 0, PORT_CPU_WORDS(nr) * sizeof(*set));
	while (!err && (word = strsep(&rest, ", \t\n\v\f\r")))
		if (*word)
			err = add_cpus(word, set, nr);
	free(text);
	return err;
}

void *port_scratch(void)
{
	static _Thread_local u64 scratch[2][PORT_SCRATCH_SIZE / sizeof(u64)];

	return scratch[world.is_other_cpu];
}

/* Of all flags the text is as long as the kernel's. */
void port_gfp_name(char *dst, size_t size, u64 flags)
{
	snprintf(dst, size, "GFP:%0*lx", flags == U32_MAX ? 500 : 1, (unsigned long)flags);
}

/* Their numbers are 0 to 9; 7 is of none. */
void port_syscall_name(char *dst, size_t size, u64 nr)
{
	snprintf(dst, size, nr == 7 ? "sys_ni_syscall" : nr > 9 ? "unknown_syscall" : "sys_call%lu",
		 (unsigned long)nr);
}

u16 port_nr_syscalls(void)
{
	return 10;
}

const struct kpt_btf *port_func_types_get(u64 addr, u32 *func)
{
	if (!world.btf || addr != world.func_addr)
		return NULL;
	world.func_users++;
	*func = world.func;
	return world.btf;
}

void port_func_types_put(void)
{
	world.func_users--;
}

/* As port_symbol_name(); of the byte @before before the address. */
size_t world_symbol_name(char *dst, size_t size, u64 addr, u64 before)
{
	u64 at = addr - before;
	const struct world_symbol *s;
	int n = -1;
	size_t i;

	for (i = 0; i < world.nr_symbols; i++) {
		s = &world.symbols[i];
		if (at >= s->addr && at - s->addr < s->size)
			n = snprintf(dst, size, "%s+0x%lx/0x%lx", s->name,
				     (unsigned long)(addr - s->addr),
				     (unsigned long)s->size);
	}
	if (n < 0)
		n = snprintf(dst, size, "0x%lx", (unsigned long)addr);
	return (size_t)n < size ? (size_t)n : size - 1;
}

u32 port_user_stack(u64 *addr, u32 max)
{
	u32 i;

	for (i = 0; i < 3 && i < max; i++)
		addr[i] = 0x400010 + 0x100 * i;
	return i;
}

u64 port_task_number(enum port_task_number which)
{
	switch (which) {
	case PORT_TASK_TGID:
		return (u64)world.tgid;
	case PORT_TASK_UID:
		return world.uid;
	case PORT_TASK_CGROUP:
		return world.cgroup;
	default:
		return world.task;
	}
}
