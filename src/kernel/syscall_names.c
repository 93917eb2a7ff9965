// SPDX-License-Identifier: GPL-2.0-only
/*
 * Names of system calls: those of the kernel that this is built for, by its own list. The
 * running kernel has its table, but names of data only with CONFIG_KALLSYMS_ALL.
 */
#include "kernel/compat.h"
#include <linux/kernel.h>
#include <linux/string.h>
#include "lib/base/port.h"

/*
 * The list, whichever file a kernel has it in, calls __SYSCALL() for each. sparse does not know
 * __has_include(), but it looks at a kernel that has unistd.h alone.
 */
#ifndef __has_include
#define THE_LIST <asm/unistd.h>
#elif __has_include(<asm/syscall_table_64.h>)
#define THE_LIST <asm/syscall_table_64.h>
#else
#define THE_LIST <asm/unistd.h>
#endif
#define __SYSCALL_WITH_COMPAT(nr, function, compat) __SYSCALL(nr, function)

/* Pointers to the names would take three times the room, so each is a member of a struct. */
#undef __SYSCALL
#define __SYSCALL(nr, function) char of_##nr[sizeof(#function)];
static const struct names {
	char none[sizeof("unknown_syscall")];
#include THE_LIST
} names = {
	"unknown_syscall",
#undef __SYSCALL
#define __SYSCALL(nr, function) #function,
#include THE_LIST
};

/* By number of a system call: where its name is; 0 if there is none. */
static const u16 name_at[] = {
#undef __SYSCALL
#define __SYSCALL(nr, function) [nr] = offsetof(struct names, of_##nr),
#include THE_LIST
};

void port_syscall_name(char *dst, size_t size, u64 nr)
{
	unsigned int at = nr < ARRAY_SIZE(name_at) ? name_at[nr] : 0;

	strscpy(dst, (const char *)&names + at, size);
}

u16 port_nr_syscalls(void)
{
	return ARRAY_SIZE(name_at);
}
