/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The interface between portable code and its environment.
 *
 * Portable files (src/lib, and arch/arm64/insn) include this header first, and no
 * other system header. In the module it includes kernel headers; on the host it
 * includes tests/host/port_host.h, which defines the same names and no others. No
 * other file tests __KERNEL__.
 */
#ifndef KPTRACE_PORT_H
#define KPTRACE_PORT_H

/* Records, stubs and single loads of several bytes rely on the byte order. */
#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "kptrace needs a little-endian kernel"
#endif

#ifdef __KERNEL__
/* What only tests and documents read is left out. */
#define PORT_ON_HOST 0
#include <linux/types.h>
#include <linux/atomic.h>
#include <linux/kernel.h>
#include <linux/errno.h>
#include <linux/bits.h>
#include <linux/bitfield.h>
#include <linux/build_bug.h>
#include <linux/compiler.h>
#include <linux/limits.h>
#include <linux/sort.h>
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
 * Refuses user addresses, because __get_kernel_nofault() does not. Always false on
 * kernels that do not have that.
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
#define PORT_ON_HOST 1
#include "port_host.h"
#endif

/**
 * DOC: port_peek(), port_peek_begin(), port_peek_end()
 *
 * bool port_peek(void *dst, u64 addr, size_t size) reads a number from kernel
 * memory with one load. If it returns false, port_read_kernel() may still be
 * able to read it. Call it between port_peek_begin() and port_peek_end(), and
 * do not sleep between them. Any context, BRK included.
 */

/* Bytes at port_scratch(). */
#define PORT_SCRATCH_SIZE 1280

/**
 * port_scratch() - memory that is too large for the stack
 *
 * Aligned to 8 bytes. Only one function uses it at a time, until it returns:
 * functions that it calls must not use it.
 *
 * Context: BRK, or interrupts masked and hits off.
 * Return: PORT_SCRATCH_SIZE bytes.
 */
void *port_scratch(void);

/**
 * port_read_kernel() - copy from kernel memory that may be unreadable
 * @dst: result
 * @addr: kernel address
 * @size: bytes
 *
 * Context: any, BRK included. Faults are fixed up.
 * Return: 0 or -EFAULT, and then @dst may be partly written.
 */
int port_read_kernel(void *dst, u64 addr, size_t size);

/**
 * port_read_user() - copy from the user memory of the current task
 * @dst: result
 * @addr: user address
 * @size: bytes
 *
 * Context: any, BRK included. Does not sleep.
 * Return: 0, or -EFAULT, also if a page is not present.
 */
int port_read_user(void *dst, u64 addr, size_t size);

/**
 * port_read_kernel_str() - copy a string from kernel memory
 * @dst: result, terminated by a NUL on success
 * @addr: kernel address
 * @size: bytes at @dst, at least 1
 *
 * A string that does not fit is cut.
 *
 * Context: any, BRK included.
 * Return: bytes of the string in @dst, its NUL included, or -EFAULT.
 */
long port_read_kernel_str(char *dst, u64 addr, size_t size);

/**
 * port_read_user_str() - copy a string from the user memory of the current task
 * @dst: result, terminated by a NUL on success
 * @addr: user address
 * @size: bytes at @dst, at least 1
 *
 * A string that does not fit is cut.
 *
 * Context: any, BRK included. Does not sleep.
 * Return: bytes of the string in @dst, its NUL included, or -EFAULT, also if a
 * page is not present.
 */
long port_read_user_str(char *dst, u64 addr, size_t size);

/** PORT_COMM_LEN - bytes of a task's name, the NUL included */
#define PORT_COMM_LEN 16

/**
 * port_current_comm() - name of the current task
 * @dst: result, PORT_COMM_LEN bytes, terminated by a NUL
 *
 * Context: any, BRK included.
 */
void port_current_comm(char *dst);

/**
 * enum port_task_number - numbers of a task
 * @PORT_TASK_ADDRESS: the address of its task_struct
 * @PORT_TASK_TGID: its process, as common_pid has it of the first thread
 * @PORT_TASK_UID: its real user, as the first user namespace has it
 * @PORT_TASK_CGROUP: its control group of version 2: the inode of the directory; 0 if the
 *	kernel has none
 */
enum port_task_number {
	PORT_TASK_ADDRESS,
	PORT_TASK_TGID,
	PORT_TASK_UID,
	PORT_TASK_CGROUP,
};

/**
 * port_task_number() - a number of the current task
 * @which: which one
 *
 * Context: any in which an RCU grace period cannot end, BRK included.
 * Return: the number.
 */
u64 port_task_number(enum port_task_number which);

/**
 * port_user_stack() - find where the current task is in its program, and the callers there
 * @addr: result: addresses, innermost first
 * @max: room for them, at least 1
 *
 * Context: BRK.
 * Return: number of addresses; 0 for a thread of the kernel.
 */
u32 port_user_stack(u64 *addr, u32 max);

/**
 * port_this_cpu_ptr() - this CPU's copy of a per-CPU object
 * @percpu: address that the linker gave the object
 *
 * Context: any in which the CPU cannot change, BRK included.
 * Return: the address of the copy.
 */
u64 port_this_cpu_ptr(u64 percpu);

/**
 * port_syscall_name() - name of a system call
 * @dst: result: "sys_NAME", or "unknown_syscall"
 * @size: bytes at @dst
 * @nr: its number
 *
 * Context: process context.
 */
void port_syscall_name(char *dst, size_t size, u64 nr);

/**
 * port_nr_syscalls() - how many numbers of system calls there are
 *
 * Context: any.
 * Return: the number after the last one.
 */
u16 port_nr_syscalls(void);

/**
 * port_gfp_name() - describe allocation flags by their names
 * @dst: result
 * @size: bytes at @dst
 * @flags: the flags
 *
 * Context: process context.
 */
void port_gfp_name(char *dst, size_t size, u64 flags);

/**
 * port_symbol_name() - describe an address as symbol+offset/size
 * @dst: result
 * @size: bytes at @dst
 * @addr: any address
 *
 * The text is that of the kernel's %pS: "name+0x1c/0x40 [module]", or the
 * number ("0x1234") for an address that belongs to no symbol.
 *
 * Context: any, BRK included (fetch type symstr).
 * Return: characters written, without the NUL; less than @size.
 */
size_t port_symbol_name(char *dst, size_t size, u64 addr);

/**
 * port_caller_name() - describe a return address by the function of the call before it
 * @dst: result
 * @size: bytes at @dst
 * @addr: the return address
 *
 * The text is that of the kernel's %pB.
 *
 * Context: process context.
 * Return: as port_symbol_name().
 */
size_t port_caller_name(char *dst, size_t size, u64 addr);

/**
 * port_symbol_stays() - is the name of an address the same until modules come or go?
 * @addr: any address
 *
 * Context: any but BRK.
 * Return: true if it is in the text of the kernel or of a module.
 */
bool port_symbol_stays(u64 addr);

/**
 * port_user_place() - describe an address of a program as FILE[+0xOFFSET]
 * @dst: result
 * @size: bytes at @dst
 * @tgid: the process
 * @addr: any address
 *
 * Context: process context, sleeps.
 * Return: characters written, without the NUL; 0 if no file is there, the process has ended, or
 * there is no room.
 */
size_t port_user_place(char *dst, size_t size, s32 tgid, u64 addr);

struct kpt_btf;

/**
 * port_func_types_get() - find the types of the function that is at an address
 * @addr: its entry
 * @func: result: its number (KPT_BTF_FUNC)
 *
 * Context: process context, sleeps. Takes kpt_mutex, which port_func_types_put()
 * releases; not if the result is NULL.
 * Return: the types that @func is one of; NULL if the function has none, or if they may
 * be those of another function of its name.
 */
const struct kpt_btf *port_func_types_get(u64 addr, u32 *func);

/**
 * port_func_types_put() - the types that were found are not used any more
 *
 * Context: as port_func_types_get().
 */
void port_func_types_put(void);

/**
 * port_symbol_addr() - find the address of a symbol, data symbols included
 * @name: the symbol, as in kallsyms; of the kernel or any module
 * @addr: result, written on success only
 *
 * Context: process context, may sleep.
 * Return: 0; -ENOENT if there is none; -EADDRNOTAVAIL if the name is not
 * unique; -EOPNOTSUPP if there is none, but kallsyms has no data symbols
 * (without CONFIG_KALLSYMS_ALL); -ENOMEM.
 */
int port_symbol_addr(const char *name, u64 *addr);

/**
 * port_symbol_range() - the symbol an address belongs to
 * @addr: any address
 * @start: result: its address, written on success only
 * @size: result: its bytes, written on success only
 *
 * Context: process context.
 * Return: 0, or -ENOENT if the address belongs to no symbol.
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
 * Return: 0; -EINVAL if @s is malformed; -ERANGE for a CPU that is not below @nr;
 * -EOVERFLOW for a number that is too large to read; -ENOMEM.
 */
int port_parse_cpus(const char *s, size_t len, u64 *set, unsigned int nr);

/**
 * port_dentry_name_offset() - offset of the pointer to the name in struct dentry
 *
 * Context: any.
 * Return: bytes from the start of the structure.
 */
u32 port_dentry_name_offset(void);

/**
 * port_file_dentry_offset() - offset of the pointer to the dentry in struct file
 *
 * Context: any.
 * Return: bytes from the start of the structure.
 */
u32 port_file_dentry_offset(void);

#endif
