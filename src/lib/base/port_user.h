/* SPDX-License-Identifier: GPL-2.0-only */
/* A part of port.h, for those who write to memory of a task. */
#ifndef KPTRACE_PORT_USER_H
#define KPTRACE_PORT_USER_H

#include "lib/base/port.h"

/* On the host it is in what port_host.h includes. */
#if !PORT_ON_HOST
/* Where an access to memory of the task faults, set %w0 and go on behind it. */
#ifdef _ASM_EXTABLE_UACCESS_ERR
#define PORT_USER_FAULT _ASM_EXTABLE_UACCESS_ERR(1b, 2b, %w0)
#else
#define PORT_USER_FAULT                                                        \
	".subsection 1\n"                                                      \
	"3:	mov	%w0, #-14\n"                                            \
	"	b	2b\n"                                                   \
	".previous\n"                                                          \
	_ASM_EXTABLE(1b, 3b)
#endif

static __always_inline void port_user_begin(void)
{
	pagefault_disable();
	uaccess_ttbr0_enable();
}

static __always_inline void port_user_end(void)
{
	uaccess_ttbr0_disable();
	pagefault_enable();
}

#define port_user_put(reg, value, to, at, err)                                 \
	asm volatile("1:	sttr	%" reg "1, [%2, #%3]\n"                  \
		     "2:\n" PORT_USER_FAULT                                    \
		     : "+r"(err) : "rZ"(value), "r"(to), "i"(at))
#define port_user_put_u32(value, to, at, err) port_user_put("w", value, to, at, err)
#define port_user_put_u64(value, to, at, err) port_user_put("x", value, to, at, err)

static inline bool port_user_copy(void *to, const void *from, size_t size)
{
	unsigned long left;

	pagefault_disable();
	left = __copy_to_user_inatomic((void __user __force *)to, from, size);
	pagefault_enable();
	return !left;
}

static inline bool port_user_clear(void *to, size_t size)
{
	unsigned long left;

	pagefault_disable();
	left = clear_user((void __user __force *)to, size);
	pagefault_enable();
	return !left;
}
#endif

/**
 * DOC: port_user_put_u32(), port_user_put_u64(), port_user_copy(), port_user_clear()
 *
 * Write to memory of the current task, which access_ok() has found to be the task's. A page that
 * is not there is not fetched: port_user_put_u64(value, to, at, err) sets @err then, the last two
 * return false. @at is a constant, from -256 to 255. The first two are for use between
 * port_user_begin() and port_user_end(), where nothing sleeps or calls the others.
 */

#endif
