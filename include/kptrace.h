/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Handlers of other modules: functions of yours that run when a probed instruction is
 * reached, or when a function returns. docs/handlers.md says what they may do.
 *
 * Everything here is exported to GPL modules.
 */
#ifndef KPTRACE_H
#define KPTRACE_H

#include <linux/module.h>
#include <linux/ptrace.h>
#include <linux/types.h>

/* Bytes that a probe can keep of each call from the entry to the return. */
#define KPTRACE_DATA_MAX	128

/*
 * kptrace_probe.flags. A probe with KPTRACE_PC is a breakpoint without a stub: its
 * @pre may change any register, and the PC if it returns 1.
 */
#define KPTRACE_PC		1
/* Registered, but not armed until kptrace_enable(). */
#define KPTRACE_DISABLED	2

/**
 * struct kptrace_call - a call of a probed function
 * @func: entry of the function
 * @ret_ip: where it returns to
 * @data: data_size bytes of this call, not initialized at the entry; NULL for 0 bytes
 */
struct kptrace_call {
	unsigned long func;
	unsigned long ret_ip;
	void *data;
};

/**
 * struct kptrace_probe - a probe, and the functions that its hits call
 * @place: where: SYMBOL, SYMBOL+OFFSET, MODULE:SYMBOL or 0xADDRESS, as in
 *	kprobe_events; or for many functions a list of patterns, "vfs_*,ext4_file_*",
 *	with MODULE: in front for those of a module. NULL: @addr
 * @addr: the address, if @place is NULL; else set by kptrace_register(), to 0 if
 *	@place is a list of patterns
 * @pre: called before the instruction. Returns 0; or with KPTRACE_PC 1, and then the
 *	instruction is not performed and the code continues at regs->pc
 * @post: called after the instruction. Such a probe takes two exceptions
 * @entry: called at the entry of the function. Returns 0; or 1 for no @ret at the
 *	return of this call. Needs @ret
 * @ret: called when the function returns; @place is a function, or many. A probe has
 *	@pre or @post or both, or @ret
 * @data_size: bytes that @entry keeps of each call for @ret, up to KPTRACE_DATA_MAX
 * @maxactive: with @ret: how many calls may be in progress at a time, 0 for any number
 * @flags: KPTRACE_PC, KPTRACE_DISABLED
 * @private: yours
 * @kptrace: kptrace's; NULL while the probe is not registered
 *
 * All members but @private stay as they are while the probe is registered.
 */
struct kptrace_probe {
	const char *place;
	unsigned long addr;
	int (*pre)(struct kptrace_probe *probe, struct pt_regs *regs);
	void (*post)(struct kptrace_probe *probe, struct pt_regs *regs);
	int (*entry)(struct kptrace_probe *probe, struct kptrace_call *call,
		     struct pt_regs *regs);
	void (*ret)(struct kptrace_probe *probe, struct kptrace_call *call,
		    struct pt_regs *regs);
	size_t data_size;
	unsigned int maxactive;
	unsigned int flags;
	void *private;
	struct kpt_module_probe *kptrace;
};

/**
 * struct kptrace_error - why kptrace_register() refused
 * @nr: index of the probe that was refused; 0 if all were, since text could not be
 *	changed
 * @reason: the reason, in the words of error_log
 */
struct kptrace_error {
	unsigned int nr;
	char reason[192];
};

int __kptrace_register(struct kptrace_probe **probes, unsigned int nr,
		       struct module *owner, struct kptrace_error *error);
void kptrace_unregister_many(struct kptrace_probe **probes, unsigned int nr);
int kptrace_enable_many(struct kptrace_probe **probes, unsigned int nr);
void kptrace_disable_many(struct kptrace_probe **probes, unsigned int nr);
void kptrace_read_counts(const struct kptrace_probe *probe, u64 *hits, u64 *missed);

/*
 * Register probes, all or none, with one machine stop. @error may be NULL. Returns 0
 * or -errno. A macro, so that THIS_MODULE is the caller's.
 */
#define kptrace_register_many(probes, nr, error) \
	__kptrace_register(probes, nr, THIS_MODULE, error)
#define kptrace_register(probe, error) \
	__kptrace_register((struct kptrace_probe *[]){ probe }, 1, THIS_MODULE, \
			   error)

static inline void kptrace_unregister(struct kptrace_probe *probe)
{
	kptrace_unregister_many(&probe, 1);
}

static inline int kptrace_enable(struct kptrace_probe *probe)
{
	return kptrace_enable_many(&probe, 1);
}

static inline void kptrace_disable(struct kptrace_probe *probe)
{
	kptrace_disable_many(&probe, 1);
}

/* Do @m with the number and the type and name of each of up to eight parameters. */
#define __KPT_MAP1(m, t, a)	 m(0, t, a)
#define __KPT_MAP2(m, t, a, ...) m(0, t, a), __KPT_TAIL1(m, 1, __VA_ARGS__)
#define __KPT_MAP3(m, t, a, ...) m(0, t, a), __KPT_TAIL2(m, 1, 2, __VA_ARGS__)
#define __KPT_MAP4(m, t, a, ...) m(0, t, a), __KPT_TAIL3(m, 1, 2, 3, __VA_ARGS__)
#define __KPT_MAP5(m, t, a, ...) \
	m(0, t, a), __KPT_TAIL4(m, 1, 2, 3, 4, __VA_ARGS__)
#define __KPT_MAP6(m, t, a, ...) \
	m(0, t, a), __KPT_TAIL5(m, 1, 2, 3, 4, 5, __VA_ARGS__)
#define __KPT_MAP7(m, t, a, ...) \
	m(0, t, a), __KPT_TAIL6(m, 1, 2, 3, 4, 5, 6, __VA_ARGS__)
#define __KPT_MAP8(m, t, a, ...) \
	m(0, t, a), __KPT_TAIL7(m, 1, 2, 3, 4, 5, 6, 7, __VA_ARGS__)
#define __KPT_TAIL1(m, n, t, a)	 m(n, t, a)
#define __KPT_TAIL2(m, n, o, t, a, ...) \
	m(n, t, a), __KPT_TAIL1(m, o, __VA_ARGS__)
#define __KPT_TAIL3(m, n, o, p, t, a, ...) \
	m(n, t, a), __KPT_TAIL2(m, o, p, __VA_ARGS__)
#define __KPT_TAIL4(m, n, o, p, q, t, a, ...) \
	m(n, t, a), __KPT_TAIL3(m, o, p, q, __VA_ARGS__)
#define __KPT_TAIL5(m, n, o, p, q, r, t, a, ...) \
	m(n, t, a), __KPT_TAIL4(m, o, p, q, r, __VA_ARGS__)
#define __KPT_TAIL6(m, n, o, p, q, r, s, t, a, ...) \
	m(n, t, a), __KPT_TAIL5(m, o, p, q, r, s, __VA_ARGS__)
#define __KPT_TAIL7(m, n, o, p, q, r, s, u, t, a, ...) \
	m(n, t, a), __KPT_TAIL6(m, o, p, q, r, s, u, __VA_ARGS__)
#define __KPT_PAIRS(t1, a1, t2, a2, t3, a3, t4, a4, t5, a5, t6, a6, t7, a7, t8, a8, \
		    n, ...) n
#define __KPT_PASTE(a, b)	a##b
#define __KPT_MAPN(n)		__KPT_PASTE(__KPT_MAP, n)
#define __KPT_MAP(m, ...)						\
	__KPT_MAPN(__KPT_PAIRS(__VA_ARGS__, 8, 8, 7, 7, 6, 6, 5, 5, 4, 4,	\
			       3, 3, 2, 2, 1, 1))(m, __VA_ARGS__)
#define __KPT_PARAM(n, t, a)	t a
#define __KPT_ARG(n, t, a)	(__force t)regs->regs[n]

/*
 * Define the handler of a function's entry with the parameters of that function, and
 * the probe kpt_probe_FUNCTION for kptrace_register():
 *
 *	KPT_ENTRY(do_sys_openat2, int, dfd, const char __user *, name)
 *	{
 *		pr_info("open in %d\n", dfd);
 *	}
 *
 * Parameters are integers and pointers, from one to eight of them: those that the
 * function has in registers.
 */
#define KPT_ENTRY(function, ...)						\
	static void kpt_entry_##function(__KPT_MAP(__KPT_PARAM, __VA_ARGS__));	\
	static int kpt_pre_##function(struct kptrace_probe *probe,		\
				      struct pt_regs *regs)			\
	{									\
		kpt_entry_##function(__KPT_MAP(__KPT_ARG, __VA_ARGS__));	\
		return 0;							\
	}									\
	static struct kptrace_probe kpt_probe_##function = {			\
		.place = #function,						\
		.pre = kpt_pre_##function,					\
	};									\
	static void kpt_entry_##function(__KPT_MAP(__KPT_PARAM, __VA_ARGS__))

#endif
