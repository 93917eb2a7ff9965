// SPDX-License-Identifier: GPL-2.0-only
/* The functions of <lib/base/port.h>, for portable code, in the kernel. */
#include <linux/bitmap.h>
#include <linux/cgroup.h>
#include <linux/cred.h>
#include <linux/dcache.h>
#include <linux/fs.h>
#include <linux/kallsyms.h>
#include <linux/kernel.h>
#include <linux/percpu.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/uaccess.h>
#include <asm/word-at-a-time.h>
#include "arch.h"
#include "kernel/ksyms.h"
#include "kernel/maps.h"
#include "kernel/scratch.h"
#include "kernel/symbol/symbol.h"

void *port_scratch(void)
{
	return this_cpu_ptr(kpt_scratch)->work;
}

int port_read_kernel(void *dst, u64 addr, size_t size)
{
	bool done;

	port_peek_begin();
	done = port_peek(dst, addr, size);
	port_peek_end();
	if (likely(done))
		return 0;
	return copy_from_kernel_nofault(dst, (void *)addr, size) ? -EFAULT : 0;
}

int port_read_user(void *dst, u64 addr, size_t size)
{
	struct kpt_uaccess was;
	bool failed;

	kpt_uaccess_save(&was);
	failed = copy_from_user_nofault(dst, (void __user *)addr, size);
	kpt_uaccess_restore(&was);
	return failed ? -EFAULT : 0;
}

static __always_inline bool read_word(unsigned long *word, u64 addr, bool user)
{
	if (user)
		return !__get_user(*word, (unsigned long __user *)addr);
	return port_peek(word, addr, sizeof(*word));
}

/*
 * Copy a string word by word, up to a word that crosses a page, does not fit or
 * cannot be read. Returns the bytes of the string that were copied. Sets @end if the
 * last of them is its NUL; the bytes behind it in the last word become 0.
 */
static __always_inline size_t read_words(char *dst, u64 addr, size_t size,
					 const bool user, bool *end)
{
	const struct word_at_a_time mask = WORD_AT_A_TIME_CONSTANTS;
	unsigned long word, zeros;
	size_t n = 0;

	*end = false;
	port_peek_begin();
	while (size - n >= sizeof(word) &&
	       offset_in_page(addr + n) <= PAGE_SIZE - sizeof(word) &&
	       read_word(&word, addr + n, user)) {
		*end = has_zero(word, &zeros, &mask);
		if (*end) {
			zeros = prep_zero_mask(word, zeros, &mask);
			zeros = create_zero_mask(zeros);
			word &= zero_bytemask(zeros);
			memcpy(dst + n, &word, sizeof(word));
			n += find_zero(zeros) + 1;
			break;
		}
		memcpy(dst + n, &word, sizeof(word));
		n += sizeof(word);
	}
	port_peek_end();
	return n;
}

long port_read_kernel_str(char *dst, u64 addr, size_t size)
{
	bool end;
	size_t done = read_words(dst, addr, size, false, &end);
	long n;

	if (likely(end))
		return done;
	if (done == size) {
		dst[size - 1] = '\0';
		return size;
	}
	n = strncpy_from_kernel_nofault(dst + done,
						  (void *)(addr + done),
						  size - done);
	return n < 0 ? -EFAULT : done + n;
}

/*
 * With CONFIG_SET_FS __get_user() may read kernel memory, which
 * strncpy_from_user_nofault() prevents.
 */
static __always_inline long read_user_str(char *dst, u64 addr, size_t size)
{
	size_t done = 0;
	bool end = false;
	long n;

	if (!IS_ENABLED(CONFIG_SET_FS))
		done = read_words(dst, addr, size, true, &end);
	if (likely(end))
		return done;
	if (done == size) {
		dst[size - 1] = '\0';
		return size;
	}
	n = strncpy_from_user_nofault(dst + done,
						(void __user *)(addr + done),
						size - done);
	return n < 0 ? -EFAULT : done + n;
}

long port_read_user_str(char *dst, u64 addr, size_t size)
{
	struct kpt_uaccess was;
	long n;

	kpt_uaccess_save(&was);
	n = read_user_str(dst, addr, size);
	kpt_uaccess_restore(&was);
	return n;
}

void port_current_comm(char *dst)
{
	BUILD_BUG_ON(PORT_COMM_LEN != TASK_COMM_LEN);
	memcpy(dst, current->comm, PORT_COMM_LEN);
	dst[PORT_COMM_LEN - 1] = '\0';
}

u32 port_user_stack(u64 *addr, u32 max)
{
	u32 nr = kpt_arch_user_callers(addr, max);

	if (nr)
		kpt_maps_note();
	return nr;
}

static u64 port_cgroup(void)
{
#ifdef CONFIG_CGROUPS
	/* What a grace period frees is not freed meanwhile. */
	return kpt_cgroup_id(rcu_dereference_raw(current->cgroups)->dfl_cgrp);
#else
	return 0;
#endif
}

u64 port_task_number(enum port_task_number which)
{
	switch (which) {
	case PORT_TASK_TGID:
		return current->tgid;
	case PORT_TASK_UID:
		return __kuid_val(current_uid());
	case PORT_TASK_CGROUP:
		return port_cgroup();
	default: /* PORT_TASK_ADDRESS */
		return (u64)current;
	}
}

u64 port_this_cpu_ptr(u64 percpu)
{
	return (u64)this_cpu_ptr((void __percpu *)percpu);
}

size_t port_symbol_name(char *dst, size_t size, u64 addr)
{
	return kpt_symbol_print(dst, size, addr, false);
}

size_t port_caller_name(char *dst, size_t size, u64 addr)
{
	return kpt_symbol_print(dst, size, addr, true);
}

bool port_symbol_stays(u64 addr)
{
	return kpt_symbol_is_text(addr);
}

size_t port_user_place(char *dst, size_t size, s32 tgid, u64 addr)
{
	return kpt_maps_place(dst, size, tgid, addr);
}

void port_gfp_name(char *dst, size_t size, u64 flags)
{
	gfp_t gfp = (__force gfp_t)flags;

	snprintf(dst, size, "%pGg", &gfp);
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

int port_parse_cpus(const char *s, size_t len, u64 *set, unsigned int nr)
{
	char *text = kmemdup_nul(s, len, GFP_KERNEL);
	int err;

	if (!text)
		return -ENOMEM;
	err = bitmap_parselist(text, (unsigned long *)set, nr);
	kfree(text);
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
