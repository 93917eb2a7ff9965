/* SPDX-License-Identifier: GPL-2.0-only */
/* Memory copy and set instructions (MOPS). Portable. */
#ifndef KPT_ARM64_BULK_H
#define KPT_ARM64_BULK_H

#include "watch/access.h"

/**
 * struct kpt_bulk - what is left to do of a copy or set
 * @to: address of the first byte that is written
 * @from: of a copy likewise that is read
 * @left: bytes
 * @value: of a set, what they become
 * @is_copy: it is a copy
 * @is_backward: of a copy, the last bytes are copied first
 * @reads_user: it reads as if by a program
 * @writes_user: it writes as if by a program
 */
struct kpt_bulk {
	u64 to;
	u64 from;
	u64 left;
	u8 value;
	bool is_copy;
	bool is_backward;
	bool reads_user;
	bool writes_user;
};

bool kpt_bulk_read(u32 word, const struct user_pt_regs *regs, struct kpt_bulk *out);
void kpt_bulk_portion(const struct kpt_bulk *bulk, u64 block, struct kpt_access *read,
		      struct kpt_access *write);
void kpt_bulk_advance(u32 word, const struct kpt_bulk *bulk, u64 done,
		      struct user_pt_regs *regs);

#endif
