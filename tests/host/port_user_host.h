/* SPDX-License-Identifier: GPL-2.0-only */
/* Host half of src/lib/base/port_user.h. */
#ifndef PORT_USER_HOST_H
#define PORT_USER_HOST_H

/* From here on memory of the task cannot be written; in world.c. */
extern const void *port_user_hole;

#define OPTIMIZER_HIDE_VAR(var) __asm__("" : "+r"(var))
#define port_user_begin() ((void)0)
#define port_user_end() ((void)0)

static inline size_t port_user_has(const u8 *to, size_t size)
{
	const u8 *hole = port_user_hole;

	if (!hole || to + size <= hole)
		return size;
	return to < hole ? hole - to : 0;
}

static inline bool port_user_copy(void *to, const void *from, size_t size)
{
	memcpy(to, from, port_user_has(to, size));
	return port_user_has(to, size) == size;
}

static inline bool port_user_clear(void *to, size_t size)
{
	memset(to, 0, port_user_has(to, size));
	return port_user_has(to, size) == size;
}

#define port_user_put(type, value, to, at, err)                                \
	do {                                                                   \
		type __value = (value);                                        \
		if (!port_user_copy((to) + (at), &__value, sizeof(__value)))   \
			(err) = -EFAULT;                                       \
	} while (0)
#define port_user_put_u32(value, to, at, err) port_user_put(u32, value, to, at, err)
#define port_user_put_u64(value, to, at, err) port_user_put(u64, value, to, at, err)

#endif
