// SPDX-License-Identifier: GPL-2.0-only
/*
 * Records of static events of system calls: which event a record belongs to, and what
 * arguments point to, which newer kernels record, too.
 */
#include "kernel/compat.h"
#include <linux/compat.h>
#include <linux/ctype.h>
#include <linux/sched.h>
#include <asm/syscall.h>
#include <trace/syscall.h>
#include "lib/base/port.h"
#include "engine/tracepoint.h"
#include "hit/internal.h"
#include "parts/static/syscall.h"

#ifdef CONFIG_EVENT_TRACING

/* Bytes that are recorded of what an argument points to: the kernel's default. */
#ifdef CONFIG_TRACE_SYSCALL_BUF_SIZE_DEFAULT
#define USER_MAX CONFIG_TRACE_SYSCALL_BUF_SIZE_DEFAULT
#else
#define USER_MAX 0
#endif

/* A record of a system call, from raw_syscalls:sys_enter. */
struct record_syscall {
	struct kpt_record_head head;
	u64 nr;
	u64 arg[];
};

/**
 * kpt_hit_syscall_of() - the event of the system call that the task is in
 * @set: the events of all system calls
 *
 * Context: any, preemption off.
 * Return: it; NULL if it is not armed, or for a 32-bit task, whose numbers of system
 * calls mean others.
 */
const struct kpt_tracepoint *kpt_hit_syscall_of(const struct kpt_tracepoint_set *set)
{
	int nr = syscall_get_nr(current, current_pt_regs());

	if (is_compat_task() || nr < 0 || nr >= ARRAY_SIZE(set->one))
		return NULL;
	return smp_load_acquire(&set->one[nr]); /* pairs with tracepoint_set_one() */
}

/* Copy a string as the kernel shows it. Returns the bytes, 0 if it cannot be read. */
static size_t syscall_copy_text(char *to, u64 from)
{
	long n = port_read_user_str(to, from, USER_MAX + 2);
	long i;

	if (n < 0)
		return 0;
	for (i = 0; i < n - 1; i++)
		if (!isprint(to[i]))
			to[i] = '.';
	if (n - 1 <= USER_MAX)
		return n;
	strcpy(to + USER_MAX, "...");
	return USER_MAX + sizeof("...");
}

static size_t syscall_copy_bytes(char *to, u64 from, u64 size)
{
	size = min_t(u64, size, USER_MAX);
	return port_read_user(to, from, size) ? 0 : size;
}

/**
 * kpt_hit_syscall_finish() - make the record of one system call from that of all
 * @record: the record, with room for more
 * @tracepoint: the event, of a system call with kpt_tracepoint.user_mask
 *
 * Context: like BRK.
 * Return: its bytes.
 */
size_t kpt_hit_syscall_finish(void *record, const struct kpt_tracepoint *tracepoint)
{
	const struct syscall_metadata *meta = tracepoint->file.event_call->data;
	unsigned int mask = tracepoint->user_mask, i;
	struct record_syscall *r = record;
	size_t end, len;
	u32 *loc;

	/* Neither the pointers nor a size are among the words that are overwritten. */
	loc = record + tracepoint->size;
	end = tracepoint->size + hweight32(mask) * sizeof(*loc);
	for (i = 0; mask >> i; i++) {
		if (!(mask & BIT(i)))
			continue;
		if (kpt_syscall_user_size(meta) < 0)
			len = syscall_copy_text(record + end, r->arg[i]);
		else
			len = syscall_copy_bytes(record + end, r->arg[i],
						 r->arg[kpt_syscall_user_size(meta)]);
		*loc++ = len << 16 | end;
		end += len;
	}
	/* Sinks copy whole words. */
	memset(record + end, 0, -end % sizeof(u64));
	return end;
}

#endif
