// SPDX-License-Identifier: GPL-2.0-only
/*
 * Names of system calls: those of the kernel that this is built for, by its own list. The
 * running kernel has its table, but names of data only with CONFIG_KALLSYMS_ALL.
 */
#include "kernel/compat.h"
#include <linux/kernel.h>
#include <linux/string.h>
#include "lib/base/port.h"

/* The list, whichever file a kernel has it in, calls this for each. */
#undef __SYSCALL
#define __SYSCALL(nr, function) [nr] = #function,
#define __SYSCALL_WITH_COMPAT(nr, function, compat) __SYSCALL(nr, function)

/* sparse does not know __has_include(), but it looks at a kernel that has unistd.h alone. */
static const char *const names[] = {
#ifndef __has_include
#include <asm/unistd.h>
#elif __has_include(<asm/syscall_table_64.h>)
#include <asm/syscall_table_64.h>
#else
#include <asm/unistd.h>
#endif
};

void port_syscall_name(char *dst, size_t size, u64 nr)
{
	const char *name = nr < ARRAY_SIZE(names) ? names[nr] : NULL;

	strscpy(dst, name ?: "unknown_syscall", size);
}

u16 port_nr_syscalls(void)
{
	return ARRAY_SIZE(names);
}
