/* SPDX-License-Identifier: GPL-2.0-only */
/* What memory an instruction touches. Portable. */
#ifndef KPT_ARM64_ACCESS_H
#define KPT_ARM64_ACCESS_H

#include "lib/base/port.h"
#include "insn/insn.h"

/**
 * enum kpt_access_kind - how an access can be performed elsewhere
 * @KPT_ACCESS_PLAIN: by the same instruction, with the same registers
 * @KPT_ACCESS_LITERAL: as kpt_insn_simulate() does, as its address is in the instruction
 * @KPT_ACCESS_LOAD_EXCLUSIVE: only with the store-exclusive that follows
 * @KPT_ACCESS_STORE_EXCLUSIVE: only with the load-exclusive before it
 * @KPT_ACCESS_BULK: a portion at a time, see bulk.h
 */
enum kpt_access_kind {
	KPT_ACCESS_PLAIN,
	KPT_ACCESS_LITERAL,
	KPT_ACCESS_LOAD_EXCLUSIVE,
	KPT_ACCESS_STORE_EXCLUSIVE,
	KPT_ACCESS_BULK,
};

/**
 * struct kpt_access - the bytes that an instruction touches
 * @addr: address of the first one, without a tag
 * @size: how many
 * @reads: they are read
 * @writes: they are written; of a compare and swap perhaps
 * @kind: enum kpt_access_kind
 */
struct kpt_access {
	u64 addr;
	u32 size;
	bool reads;
	bool writes;
	u8 kind;
};

/*
 * Reads an access from an instruction and the registers. @out->size is what DC ZVA zeroes, 0 if
 * it is not allowed. Returns false if it touches no memory, or that is not known.
 */
typedef bool (*kpt_access_reader_t)(u32 word, const struct user_pt_regs *regs,
				    struct kpt_access *out);

kpt_access_reader_t kpt_access_reader(u32 word);
bool kpt_insn_access(u32 word, const struct user_pt_regs *regs, unsigned int zeroes,
		     struct kpt_access *out);
unsigned int kpt_access_spare(u32 word);
u32 kpt_access_rebase(u32 word, unsigned int reg);
bool kpt_access_may_use_sp(u32 word);

#endif
