// SPDX-License-Identifier: GPL-2.0-only
/* Words that all files of recorders (recorder.c) put. Registers are as there. */
#include "kernel/compat.h"
#include <linux/kernel.h>
#include <asm/cpufeature.h>
#include <asm/virt.h>
#include "kernel/cpu.h"
#include "lib/ring/ring.h"
#include "recorder/recorder.h"
#include "engine.h"

/**
 * kpt_recorder_saved_at() - find where a scratch register is saved
 * @reg: number of the register
 *
 * Context: process context.
 * Return: bytes from SP in a recorder; -1: it is not one.
 */
int kpt_recorder_saved_at(unsigned int reg)
{
	if (reg >= 9 && reg <= 15)
		return 16 + (reg - 9) * 8;
	return reg == 16 ? 0 : reg == 17 ? 72 : reg == 30 ? 8 : -1;
}

/**
 * kpt_recorder_put_sp() - have SP of the probed code in a register
 * @r: the recorder
 * @reg: the register
 *
 * Context: process context.
 */
void kpt_recorder_put_sp(struct kpt_recorder_code *r, enum a64_reg reg)
{
	kpt_put(&r->code, r->caller == KPT_ARCH_BRK ? a64_ldr(reg, SP, KPT_RECORDER_SP_AT) :
					      a64_add_i(reg, SP, KPT_RECORDER_FRAME));
}

/**
 * kpt_recorder_put_load() - have a register of the probed code in a register
 * @r: the recorder; x13 changes if it has changed the register
 * @reg: its number, KPT_RECORDER_SP for SP
 *
 * Context: process context.
 * Return: the register that has its value then.
 */
enum a64_reg kpt_recorder_put_load(struct kpt_recorder_code *r, unsigned int reg)
{
	if (reg == KPT_RECORDER_SP)
		kpt_recorder_put_sp(r, X13);
	else if (kpt_recorder_saved_at(reg) >= 0)
		kpt_put(&r->code, a64_ldr(X13, SP, kpt_recorder_saved_at(reg)));
	else
		return reg;
	r->code.failed |= !r->saves && reg < KPT_RECORDER_SP && KPT_ARCH_SCRATCH & BIT(reg);
	return X13;
}

/**
 * kpt_recorder_store() - encode the store of a register in the record
 * @reg: the register
 * @size: its low bytes that are stored: 1, 2, 4 or 8
 * @offset: where in the record; x10 is its address in the ring
 *
 * Context: process context.
 * Return: the instruction, 0 if the offset is out of reach.
 */
u32 kpt_recorder_store(enum a64_reg reg, unsigned int size, unsigned int offset)
{
	return a64_store(size, reg, X10, sizeof(struct kpt_ring_header) + offset);
}

/**
 * kpt_recorder_put_percpu() - have the offset of per-CPU variables in x10
 * @c: code
 *
 * A kernel at EL2 keeps it in TPIDR_EL2.
 *
 * Context: process context.
 */
void kpt_recorder_put_percpu(struct kpt_code *c)
{
	kpt_put(c, a64_mrs(X10, is_kernel_in_hyp_mode() ? A64_TPIDR_EL2 : A64_TPIDR_EL1));
}

/**
 * kpt_recorder_put_count() - add 1 to a counter
 * @c: code; x14 changes
 * @at: has an address
 * @cpu: is added to it
 *
 * Context: process context.
 */
void kpt_recorder_put_count(struct kpt_code *c, enum a64_reg at, enum a64_reg cpu)
{
	kpt_put(c, a64_ldr_at(X14, at, cpu));
	kpt_put(c, a64_add_i(X14, X14, 1));
	kpt_put(c, a64_str_at(X14, at, cpu));
}

/**
 * kpt_recorder_operand() - let a recorder have a value that is not part of its code
 * @r: the recorder
 * @value: the value
 *
 * Context: process context.
 * Return: bytes from x9 to the value.
 */
unsigned int kpt_recorder_operand(struct kpt_recorder_code *r, u64 value)
{
	unsigned int i = r->nr_operands;

	if (i == KPT_RECORDER_OPERANDS) {
		r->code.failed = true;
		return 0;
	}
	r->field[i] = 0;
	r->operand[r->nr_operands++] = value;
	return offsetof(struct kpt_arch_recorder, operand) + i * sizeof(u64);
}

/**
 * kpt_recorder_put_operand() - have such a value in a register
 * @r: the recorder
 * @reg: the register
 * @value: the value
 *
 * Context: process context.
 * Return: as kpt_recorder_operand().
 */
unsigned int kpt_recorder_put_operand(struct kpt_recorder_code *r, enum a64_reg reg, u64 value)
{
	unsigned int at = kpt_recorder_operand(r, value);

	kpt_put(&r->code, a64_ldr(reg, X9, at));
	return at;
}

/**
 * kpt_recorder_put_operands() - have two values in registers
 * @r: the recorder
 * @reg: a register
 * @value: the value that it gets
 * @other: another register
 * @next: the value that that gets
 *
 * Context: process context.
 * Return: as kpt_recorder_operand(), for @value; @next is behind it.
 */
unsigned int kpt_recorder_put_operands(struct kpt_recorder_code *r, enum a64_reg reg, u64 value,
				       enum a64_reg other, u64 next)
{
	unsigned int at = kpt_recorder_operand(r, value);
	u32 both = a64_ldp(reg, other, X9, at);

	kpt_recorder_operand(r, next);
	kpt_put(&r->code, both ?: a64_ldr(reg, X9, at));
	/* Out of reach of an LDP. */
	if (!both)
		kpt_put(&r->code, a64_ldr(other, X9, at + sizeof(u64)));
	return at;
}

/* Of kpt_recorder_code.field: kpt_arch_counter_at() of the field. */
#define IS_COUNTER	0x80

/**
 * kpt_recorder_note() - note that an operand is a field of a record
 * @r: the recorder
 * @at: from kpt_recorder_operand()
 * @field: the field, of 8 bytes
 * @is_counter: the operand is kpt_arch_counter_at() of it
 *
 * Of other records than the first one of the first step nothing is noted: recorders that have
 * more are not kept.
 *
 * Context: process context.
 */
void kpt_recorder_note(struct kpt_recorder_code *r, unsigned int at, const void *field,
		       bool is_counter)
{
	size_t offset = (unsigned long)field - (unsigned long)r->first->record;

	at -= offsetof(struct kpt_arch_recorder, operand);
	if (offset < sizeof(*r->first->record))
		r->field[at / sizeof(u64)] = (1 + offset / sizeof(u64)) |
					     (is_counter ? IS_COUNTER : 0);
}

/**
 * kpt_recorder_field() - have the operand that was noted, for another record
 * @record: the record
 * @noted: of kpt_recorder_code.field, not 0
 *
 * Context: process context.
 * Return: the operand.
 */
u64 kpt_recorder_field(const struct kpt_arch_record *record, u8 noted)
{
	u64 value = ((const u64 *)record)[(noted & ~IS_COUNTER) - 1];

	return noted & IS_COUNTER ? kpt_arch_counter_at(value) : value;
}

/**
 * kpt_recorder_put_field() - have a field of a record in a register
 * @r: the recorder
 * @reg: the register
 * @field: the field, of 8 bytes
 *
 * Context: process context.
 */
void kpt_recorder_put_field(struct kpt_recorder_code *r, enum a64_reg reg, const void *field)
{
	kpt_recorder_note(r, kpt_recorder_put_operand(r, reg, *(const u64 *)field), field, false);
}

/**
 * kpt_recorder_put_counter() - add 1 to a counter of this CPU
 * @r: the recorder; x11 is its struct kpt_cpu, x13 and x14 change
 * @counter: the counter; nothing is done for NULL
 *
 * Context: process context.
 */
void kpt_recorder_put_counter(struct kpt_recorder_code *r, const u64 __percpu *counter)
{
	if (!counter)
		return;
	kpt_recorder_put_operand(r, X13, kpt_arch_counter_at(counter));
	kpt_recorder_put_count(&r->code, X13, X11);
}

/**
 * kpt_recorder_put_field_counter() - kpt_recorder_put_counter() of a field of a record
 * @r: as there
 * @counter: the field
 *
 * Context: process context.
 */
void kpt_recorder_put_field_counter(struct kpt_recorder_code *r, u64 __percpu *const *counter)
{
	if (!*counter)
		return;
	kpt_recorder_note(r, kpt_recorder_put_operand(r, X13, kpt_arch_counter_at(*counter)),
			  counter, true);
	kpt_recorder_put_count(&r->code, X13, X11);
}

/**
 * kpt_recorder_put_landing_pad() - begin code that is called by BLR
 * @c: code
 *
 * Context: process context.
 */
void kpt_recorder_put_landing_pad(struct kpt_code *c)
{
	if (IS_ENABLED(CONFIG_ARM64_BTI_KERNEL))
		kpt_put(c, A64_BTI_C);
}

/**
 * kpt_recorder_put_save() - save what C may change, but for scratch registers, where SP is
 * @c: code
 *
 * Context: process context.
 */
void kpt_recorder_put_save(struct kpt_code *c)
{
	kpt_put(c, a64_stp(X0, X1, SP, 0));
	kpt_put(c, a64_stp(X2, X3, SP, 16));
	kpt_put(c, a64_stp(X4, X5, SP, 32));
	kpt_put(c, a64_stp(X6, X7, SP, 48));
	kpt_put(c, a64_stp(X8, X18, SP, 64));
}

/**
 * kpt_recorder_put_load_saved() - undo kpt_recorder_put_save()
 * @c: code
 *
 * Context: process context.
 */
void kpt_recorder_put_load_saved(struct kpt_code *c)
{
	kpt_put(c, a64_ldp(X8, X18, SP, 64));
	kpt_put(c, a64_ldp(X6, X7, SP, 48));
	kpt_put(c, a64_ldp(X4, X5, SP, 32));
	kpt_put(c, a64_ldp(X2, X3, SP, 16));
	kpt_put(c, a64_ldp(X0, X1, SP, 0));
}

/**
 * kpt_recorder_put_save_scratch() - save the scratch registers that the stub has not saved
 * @r: the recorder
 * @has_wide: x11 and x12 are saved
 *
 * Context: process context.
 */
void kpt_recorder_put_save_scratch(struct kpt_recorder_code *r, bool has_wide)
{
	struct kpt_code *c = &r->code;

	if (!r->saves)
		return;
	if (!has_wide)
		kpt_put(c, a64_stp(X11, X12, SP, 32));
	kpt_put(c, a64_stp(X13, X14, SP, 48));
	kpt_put(c, a64_stp(X15, X17, SP, 64));
}

/**
 * kpt_recorder_put_load_scratch() - undo kpt_recorder_put_save_scratch()
 * @c: code
 *
 * Context: process context.
 */
void kpt_recorder_put_load_scratch(struct kpt_code *c)
{
	kpt_put(c, a64_ldp(X11, X12, SP, 32));
	kpt_put(c, a64_ldp(X13, X14, SP, 48));
	kpt_put(c, a64_ldp(X15, X17, SP, 64));
}

/**
 * kpt_recorder_put_unsaved() - let C find 0 in the frame where no registers are saved
 * @r: the recorder
 * @at: bytes from SP to the frame
 *
 * Context: process context.
 */
void kpt_recorder_put_unsaved(struct kpt_recorder_code *r, unsigned int at)
{
	if (r->saves)
		return;
	kpt_put(&r->code, a64_stp(XZR, XZR, SP, at + 32));
	kpt_put(&r->code, a64_stp(XZR, XZR, SP, at + 48));
	kpt_put(&r->code, a64_stp(XZR, XZR, SP, at + 64));
}

/**
 * kpt_recorder_put_end() - load what the recorder has saved, and return to the stub
 * @r: the recorder
 *
 * Context: process context.
 */
void kpt_recorder_put_end(struct kpt_recorder_code *r)
{
	if (r->saves)
		kpt_recorder_put_load_scratch(&r->code);
	kpt_put(&r->code, A64_RET);
}

/**
 * kpt_recorder_put_unsigned() - set the bits of a return address that a signature occupies
 * @c: code; the address is in x13
 *
 * Context: process context.
 */
void kpt_recorder_put_unsigned(struct kpt_code *c)
{
	kpt_put(c, a64_orr_i(X13, X13, ~0ULL << vabits_actual));
}
