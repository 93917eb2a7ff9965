/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Enablers: bits in the memory of processes that tell whether a hook has handlers.
 *
 * The bits of a process follow it through fork, and go with its memory. The kernel
 * needs tracepoints, which tell of forks.
 */
#ifndef KPTRACE_ENABLER_H
#define KPTRACE_ENABLER_H

#include <linux/list.h>
#include <linux/workqueue.h>
#include "engine/hook.h"

struct page;

#ifdef CONFIG_TRACEPOINTS
#define KPT_ENABLERS 1
#else
#define KPT_ENABLERS 0
#endif

/**
 * struct kpt_enabled - what bits tell about
 * @hook: its handlers; of owner KPT_HOOK_ENABLED
 * @enablers: the bits, struct enabler.of_target
 * @idle: in kpt_enabled_idle while there are no @refs; its owner may take it off
 * @refs: number of @enablers, and of references that its owner takes
 *
 * All under kpt_mutex.
 */
struct kpt_enabled {
	struct kpt_hook hook;
	struct list_head enablers;
	struct list_head idle;
	unsigned int refs;
};

/**
 * struct kpt_enabler_place - a bit in the memory of the current process
 * @addr: address of a word, aligned to its size
 * @size: bytes of the word, 4 or 8
 * @bit: number of the bit
 */
struct kpt_enabler_place {
	unsigned long addr;
	u8 size;
	u8 bit;
};

/**
 * struct kpt_enabler_own - a bit of the current process, ready to be written
 * @page: its page, pinned; NULL if it cannot be written
 *
 * A process waits for its own memory before it takes kpt_mutex, so that no other task
 * waits with it.
 */
struct kpt_enabler_own {
	struct page *page;
};

extern struct list_head kpt_enabled_idle;

void kpt_enabled_make(struct kpt_enabled *target);
void kpt_enabled_fini(struct kpt_enabled *target);
void kpt_enabled_get(struct kpt_enabled *target);
void kpt_enabled_put(struct kpt_enabled *target);

#if KPT_ENABLERS
int kpt_enabler_begin(struct kpt_enabler_own *own,
		      const struct kpt_enabler_place *place);
void kpt_enabler_end(struct kpt_enabler_own *own);
int kpt_enabler_add(struct kpt_enabled *target, const struct kpt_enabler_place *place,
		    const struct kpt_enabler_own *own);
bool kpt_enabler_exists(const struct kpt_enabler_place *place);
int kpt_enabler_remove(const struct kpt_enabler_place *place,
		       const struct kpt_enabler_own *own);
void kpt_enablers_changed(void);
bool kpt_enablers_follow(void);
void kpt_enablers_forget(void);
void kpt_enablers_tidy(void);
unsigned int kpt_enablers_not_followed(void);
void kpt_enablers_init(work_func_t changed);
void kpt_enablers_exit(void);
#else
static inline int kpt_enabler_begin(struct kpt_enabler_own *own,
				    const struct kpt_enabler_place *place)
{
	return -EOPNOTSUPP;
}

static inline void kpt_enabler_end(struct kpt_enabler_own *own)
{
}

static inline int kpt_enabler_add(struct kpt_enabled *target,
				  const struct kpt_enabler_place *place,
				  const struct kpt_enabler_own *own)
{
	return -EOPNOTSUPP;
}

static inline bool kpt_enabler_exists(const struct kpt_enabler_place *place)
{
	return false;
}

static inline int kpt_enabler_remove(const struct kpt_enabler_place *place,
				     const struct kpt_enabler_own *own)
{
	return -ENOENT;
}

static inline void kpt_enablers_changed(void)
{
}

static inline bool kpt_enablers_follow(void)
{
	return false;
}

static inline void kpt_enablers_forget(void)
{
}

static inline void kpt_enablers_tidy(void)
{
}

static inline unsigned int kpt_enablers_not_followed(void)
{
	return 0;
}

static inline void kpt_enablers_init(work_func_t changed)
{
}

static inline void kpt_enablers_exit(void)
{
}
#endif

#endif
