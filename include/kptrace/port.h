/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The seam between portable code and the world it runs in.
 *
 * Portable units (src/lib, and decode, exclusive, simulate, relocate and regs in
 * arch/arm64) include this header first and no other system header. In the module it stands for a
 * few kernel headers; on the host for tests/host/port_host.h, which gives the
 * same names and nothing more. This is the only place that asks which it is.
 */
#ifndef KPTRACE_PORT_H
#define KPTRACE_PORT_H

#ifdef __KERNEL__
#include <linux/types.h>
#include <linux/atomic.h>
#include <linux/kernel.h>
#include <linux/errno.h>
#include <linux/bits.h>
#include <linux/bitfield.h>
#include <linux/build_bug.h>
#include <linux/compiler.h>
#include <linux/limits.h>
#include <linux/string.h>
#include <linux/uaccess.h>
#include <asm/barrier.h>
#include <asm/cmpxchg.h>
#include <asm/memory.h>
#include <asm/ptrace.h>

/* Bytes of a kernel stack, which is aligned to its size. */
#define PORT_STACK_SIZE THREAD_SIZE

static __always_inline void port_peek_begin(void)
{
	pagefault_disable();
}

static __always_inline void port_peek_end(void)
{
	pagefault_enable();
}

/*
 * A whole number is one load. That no user memory is meant has to be known;
 * where the kernel does not offer it, nothing is read.
 */
static __always_inline bool port_peek(void *dst, u64 addr, size_t size)
{
#ifdef __get_kernel_nofault
	const void *src = (const void *)addr;

	if (!(addr >> 63))
		return false;
	switch (size) {
	case 8:
		__get_kernel_nofault(dst, src, u64, fault);
		return true;
	case 4:
		__get_kernel_nofault(dst, src, u32, fault);
		return true;
	case 2:
		__get_kernel_nofault(dst, src, u16, fault);
		return true;
	case 1:
		__get_kernel_nofault(dst, src, u8, fault);
		return true;
	}
fault:
#endif
	return false;
}
#else
#include "port_host.h"
#endif

/**
 * DOC: port_peek(), port_peek_begin(), port_peek_end()
 *
 * bool port_peek(void *dst, u64 addr, size_t size) reads a number from kernel
 * memory, if that is a matter of one load; else it returns false, and
 * port_read_kernel() has to be asked. Between port_peek_begin() and _end(),
 * where nothing sleeps. Any context, BRK included.
 */

/**
 * port_read_kernel() - copy from kernel memory that may be unreadable
 * @dst: where to
 * @addr: kernel address
 * @size: bytes
 *
 * Context: any, BRK included. Takes no fault it does not fix up itself.
 * Return: 0, or -EFAULT, and then @dst is partly written or not at all.
 */
int port_read_kernel(void *dst, u64 addr, size_t size);

/**
 * port_read_user() - copy from the current task's user memory
 * @dst: where to
 * @addr: user address
 * @size: bytes
 *
 * Context: any, BRK included. Never sleeps: a page that is not present is a
 * fault.
 * Return: 0, or -EFAULT.
 */
int port_read_user(void *dst, u64 addr, size_t size);

/**
 * port_read_kernel_str() - copy a string from kernel memory
 * @dst: where to, at most @size bytes are written
 * @addr: kernel address
 * @size: room at @dst, the NUL included, at least 1
 *
 * A string that does not fit is cut; what is in @dst always ends with a NUL.
 *
 * Context: any, BRK included.
 * Return: bytes written, the NUL included, or -EFAULT.
 */
long port_read_kernel_str(char *dst, u64 addr, size_t size);

/**
 * port_read_user_str() - copy a string from the current task's user memory
 * @dst: where to
 * @addr: user address
 * @size: room at @dst, the NUL included, at least 1
 *
 * Context: any, BRK included. Never sleeps.
 * Return: bytes written, the NUL included, or -EFAULT.
 */
long port_read_user_str(char *dst, u64 addr, size_t size);

/** PORT_COMM_LEN - bytes of a task's name, the NUL included */
#define PORT_COMM_LEN 16

/**
 * port_current_comm() - name of the current task
 * @dst: PORT_COMM_LEN bytes, always ends with a NUL
 *
 * Context: any, BRK included.
 */
void port_current_comm(char *dst);

/**
 * port_current_task() - address of the current task_struct
 *
 * Context: any, BRK included.
 * Return: the address.
 */
u64 port_current_task(void);

/**
 * port_this_cpu_ptr() - this CPU's copy of a per-CPU object
 * @percpu: address of the object as the linker laid it out
 *
 * Context: any context that can not change CPU, BRK included.
 * Return: the address of the copy.
 */
u64 port_this_cpu_ptr(u64 percpu);

/**
 * port_symbol_name() - describe an address as symbol+offset/size
 * @dst: where to
 * @size: room at @dst, the NUL included
 * @addr: any address
 *
 * The text is that of the kernel's %pS: "name+0x1c/0x40 [module]", or the
 * bare number ("0x1234") for an address that belongs to no symbol.
 *
 * Context: any, BRK included (fetch type symstr).
 * Return: bytes written without the NUL, less than @size.
 */
size_t port_symbol_name(char *dst, size_t size, u64 addr);

/**
 * port_symbol_addr() - find the address of a symbol, data symbols included
 * @name: the symbol, as kallsyms spells it; of any module
 * @addr: result, written on success only
 *
 * Context: process context, may sleep. Used when a definition is compiled.
 * Return: 0, -ENOENT if there is none, -EADDRNOTAVAIL if the name is not
 * unique, -EOPNOTSUPP if there is none but this kernel would not tell of data
 * symbols (no CONFIG_KALLSYMS_ALL).
 */
int port_symbol_addr(const char *name, u64 *addr);

/**
 * port_symbol_range() - the symbol an address belongs to
 * @addr: any address
 * @start: its first byte, written on success only
 * @size: its bytes, likewise
 *
 * Context: process context.
 * Return: 0 or -ENOENT.
 */
int port_symbol_range(u64 addr, u64 *start, u64 *size);

/* Words of a set of @nr CPUs. */
#define PORT_CPU_WORDS(nr) (((nr) + 63) / 64)

/**
 * port_parse_cpus() - read a list of CPUs
 * @s: text, such as "0-3,8", in the form that the kernel takes everywhere
 * @len: its characters
 * @set: result, PORT_CPU_WORDS(@nr) words: bit n % 64 of word n / 64 is CPU n
 * @nr: CPUs are numbered below this
 *
 * Context: process context, may sleep.
 * Return: 0, -ENOMEM, -ERANGE for a CPU that is not below @nr, or -EINVAL.
 */
int port_parse_cpus(const char *s, size_t len, u64 *set, unsigned int nr);

/**
 * port_dentry_name_offset() - where a struct dentry points to its name
 *
 * Context: any.
 * Return: bytes from the start of the structure.
 */
u32 port_dentry_name_offset(void);

/**
 * port_file_dentry_offset() - where a struct file points to its dentry
 *
 * Context: any.
 * Return: bytes from the start of the structure.
 */
u32 port_file_dentry_offset(void);

#endif
