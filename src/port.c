// SPDX-License-Identifier: GPL-2.0-only
/* The kernel's half of the seam: what portable code may ask of its world. */
#include <linux/dcache.h>
#include <linux/fs.h>
#include <linux/kallsyms.h>
#include <linux/kernel.h>
#include <linux/percpu.h>
#include <linux/sched.h>
#include <linux/uaccess.h>
#include <kptrace/ksyms.h>
#include <kptrace/port.h>
#include <kptrace/symbol.h>

/*
 * A whole number is one load. That no user memory is meant has to be known: a
 * fault there could sleep. Where the kernel does not offer it, -EAGAIN.
 */
static __always_inline int read_number(void *dst, u64 addr, size_t size)
{
#ifdef __get_kernel_nofault
	const void *src = (const void *)addr;

	if (!(addr >> 63))
		return -EAGAIN;
	switch (size) {
	case 8:
		__get_kernel_nofault(dst, src, u64, fault);
		return 0;
	case 4:
		__get_kernel_nofault(dst, src, u32, fault);
		return 0;
	case 2:
		__get_kernel_nofault(dst, src, u16, fault);
		return 0;
	case 1:
		__get_kernel_nofault(dst, src, u8, fault);
		return 0;
	default:
		return -EAGAIN;
	}
fault:
	return -EFAULT;
#else
	return -EAGAIN;
#endif
}

int port_read_kernel(void *dst, u64 addr, size_t size)
{
	int err;

	pagefault_disable();
	err = read_number(dst, addr, size);
	pagefault_enable();
	if (likely(err != -EAGAIN))
		return err;
	return copy_from_kernel_nofault(dst, (void *)addr, size) ? -EFAULT : 0;
}

int port_read_user(void *dst, u64 addr, size_t size)
{
	return copy_from_user_nofault(dst, (void __user *)addr, size) ?
		-EFAULT : 0;
}

long port_read_kernel_str(char *dst, u64 addr, size_t size)
{
	long n = kpt_ksyms.strncpy_from_kernel_nofault(dst, (void *)addr, size);

	return n < 0 ? -EFAULT : n;
}

long port_read_user_str(char *dst, u64 addr, size_t size)
{
	long n = kpt_ksyms.strncpy_from_user_nofault(dst,
						     (void __user *)addr, size);

	return n < 0 ? -EFAULT : n;
}

void port_current_comm(char *dst)
{
	BUILD_BUG_ON(PORT_COMM_LEN != TASK_COMM_LEN);
	memcpy(dst, current->comm, PORT_COMM_LEN);
	dst[PORT_COMM_LEN - 1] = '\0';
}

u64 port_current_task(void)
{
	return (u64)current;
}

u64 port_this_cpu_ptr(u64 percpu)
{
	return (u64)this_cpu_ptr((void __percpu *)percpu);
}

size_t port_symbol_name(char *dst, size_t size, u64 addr)
{
	return scnprintf(dst, size, "%pS", (void *)addr);
}

int port_symbol_addr(const char *name, u64 *addr)
{
	unsigned long a;
	int err = kpt_symbol_lookup(NULL, name, &a);

	if (!err)
		*addr = a;
	else if (err == -ENOENT && !IS_ENABLED(CONFIG_KALLSYMS_ALL))
		err = -EOPNOTSUPP;
	return err;
}

u32 port_dentry_name_offset(void)
{
	return offsetof(struct dentry, d_name.name);
}

u32 port_file_dentry_offset(void)
{
	return offsetof(struct file, f_path.dentry);
}

int port_symbol_range(u64 addr, u64 *start, u64 *size)
{
	unsigned long first, bytes;
	int err = kpt_symbol_range(addr, &first, &bytes);

	if (!err) {
		*start = first;
		*size = bytes;
	}
	return err;
}
