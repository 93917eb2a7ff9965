// SPDX-License-Identifier: GPL-2.0-only
/* Code that is being written: see insn/asm.h. */
#include "lib/base/port.h"
#include "insn/asm.h"

/* Of a label. */
#define NOWHERE (-1)

/**
 * kpt_code_begin() - begin to write code
 * @c: result
 * @words: room for it
 * @room: words that there is room for
 *
 * Context: any.
 */
void kpt_code_begin(struct kpt_code *c, u32 *words, unsigned int room)
{
	c->words = words;
	c->room = room;
	c->nr = 0;
	c->failed = false;
	c->nr_labels = 0;
	c->nr_branches = 0;
	c->nr_values = 0;
}

/**
 * kpt_label() - make a label
 * @c: the code
 *
 * Context: any.
 * Return: the label, which is nowhere yet.
 */
unsigned int kpt_label(struct kpt_code *c)
{
	if (c->nr_labels == KPT_CODE_LABELS) {
		c->failed = true;
		return 0;
	}
	c->label[c->nr_labels] = NOWHERE;
	return c->nr_labels++;
}

/* Is the last word a branch to a label and no more? */
static bool is_branch_to(const struct kpt_code *c, unsigned int label)
{
	return c->nr_branches && c->branch[c->nr_branches - 1].at + 1U == c->nr &&
	       c->branch[c->nr_branches - 1].label == label && c->words[c->nr - 1] == A64_B;
}

/**
 * kpt_here() - put a label in front of the next word
 * @c: the code
 * @label: the label
 *
 * If the last word is a branch to @label, it is removed: the CPU gets there without it. So
 * callers write that branch whatever code follows it.
 *
 * Context: any.
 */
void kpt_here(struct kpt_code *c, unsigned int label)
{
	unsigned int i;

	if (is_branch_to(c, label)) {
		c->nr_branches--;
		c->nr--;
		for (i = 0; i < c->nr_labels; i++)
			if (c->label[i] == (int)c->nr + 1)
				c->label[i] = c->nr;
	}
	c->label[label] = c->nr;
}

/**
 * kpt_put_to() - append an instruction that names a place
 * @c: the code
 * @word: a branch, ADR or LDR (literal) without the place
 * @label: the place
 *
 * Context: any.
 */
void kpt_put_to(struct kpt_code *c, u32 word, unsigned int label)
{
	if (c->nr_branches == KPT_CODE_BRANCHES) {
		c->failed = true;
		return;
	}
	c->branch[c->nr_branches].at = c->nr;
	c->branch[c->nr_branches++].label = label;
	kpt_put(c, word);
}

/* The label of a value, which may be there already. */
static unsigned int value_label(struct kpt_code *c, u64 value)
{
	unsigned int i;

	for (i = 0; i < c->nr_values; i++)
		if (c->value[i].value == value)
			return c->value[i].label;
	if (i == KPT_CODE_VALUES) {
		c->failed = true;
		return 0;
	}
	c->value[i].value = value;
	c->value[i].label = kpt_label(c);
	c->nr_values++;
	return c->value[i].label;
}

/**
 * kpt_put_value() - append an instruction that loads a value
 * @c: the code
 * @rt: register for the value
 * @value: the value, which becomes a literal behind the code
 *
 * Context: any.
 */
void kpt_put_value(struct kpt_code *c, enum a64_reg rt, u64 value)
{
	kpt_put_to(c, a64_ldr_literal(rt), value_label(c, value));
}

/* A literal lies in one cache line, if the code begins with one. */
static void put_literals(struct kpt_code *c)
{
	unsigned int i;

	if (c->nr_values && c->nr % 2)
		kpt_put(c, A64_NOP);
	c->failed |= c->room - c->nr < 2 * c->nr_values;
	for (i = 0; i < c->nr_values && !c->failed; i++) {
		kpt_here(c, c->value[i].label);
		c->words[c->nr++] = (u32)c->value[i].value;
		c->words[c->nr++] = c->value[i].value >> 32;
	}
}

/**
 * kpt_code_end() - append literals, complete the branches
 * @c: the code, all of whose labels are somewhere
 *
 * Context: any.
 * Return: true if @c->words has the code; false if there was no room, an operand did not
 * fit, or a label is out of reach.
 */
bool kpt_code_end(struct kpt_code *c)
{
	unsigned int i, at;
	int to;

	put_literals(c);
	for (i = 0; i < c->nr_branches && !c->failed; i++) {
		at = c->branch[i].at;
		to = c->label[c->branch[i].label];
		c->words[at] = to == NOWHERE ? 0 : a64_to(c->words[at], 4LL * (to - (int)at));
		c->failed |= !c->words[at];
	}
	return !c->failed;
}
