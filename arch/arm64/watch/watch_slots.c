// SPDX-License-Identifier: GPL-2.0-only
/*
 * Slots, in which accesses to watched bytes are performed: each word of code that was seen has
 * one. They are written by hits, and stay until kptrace is unloaded.
 */
#include "kernel/compat.h"
#include <linux/kernel.h>
#include "watch/watchpoint.h"

/* How many; each is SLOT_WORDS words. */
#define SLOTS		256
#define SLOT_WORDS	4

/**
 * struct slots - code for the instructions that have been seen
 * @code: the page
 * @taken: the word that each slot is for, 0 while it is free
 * @ready: the same, once its code is written
 */
static struct slots {
	u32 *code;
	u32 taken[SLOTS];
	u32 ready[SLOTS];
} slots;

/* Load x30, perform the word, and leave. See kpt_watchpoint_perform(). */
static bool slot_write(unsigned int at, u32 word)
{
	u32 *code = &slots.code[at * SLOT_WORDS];
	const u32 words[] = {
		a64_ldr(X30, SP, 0),
		word,
		kpt_branch_word((unsigned long)&code[2],
				(unsigned long)kpt_watchpoint_performed),
	};

	return !kpt_mem_write_anywhere(code, words, ARRAY_SIZE(words));
}

static noinline const u32 *slot_make(unsigned int at, u32 word)
{
	if (slot_write(at, word)) {
		smp_store_release(&slots.ready[at], word);
		return &slots.code[at * SLOT_WORDS];
	}
	WRITE_ONCE(slots.taken[at], 0);
	return NULL;
}

/**
 * kpt_watch_slot_get() - the code that performs an instruction
 * @word: the instruction, not 0
 *
 * Another CPU may be writing it.
 *
 * Context: BRK.
 * Return: the code, for kpt_watchpoint_perform(); NULL if there is no room.
 */
const u32 *kpt_watch_slot_get(u32 word)
{
	unsigned int at = word * 0x9e3779b1U >> 24, n;
	u32 taken;

	BUILD_BUG_ON(SLOTS != 1 << 8);
	for (n = 0; n < SLOTS; n++, at = (at + 1) % SLOTS) {
		/* Pairs with slot_make(). */
		if (likely(smp_load_acquire(&slots.ready[at]) == word))
			return &slots.code[at * SLOT_WORDS];
		taken = cmpxchg(&slots.taken[at], 0, word);
		if (taken && taken != word)
			continue;
		if (!taken)
			return slot_make(at, word);
		/* The other CPU is in slot_make(), with exceptions masked. */
		while (smp_load_acquire(&slots.ready[at]) != word) {
			if (READ_ONCE(slots.taken[at]) != word)
				return NULL;
			cpu_relax();
		}
		return &slots.code[at * SLOT_WORDS];
	}
	return NULL;
}

/**
 * kpt_watch_slots_init() - get memory for slots, which hits can write to
 *
 * Context: process context, sleeps.
 * Return: 0, -ENOMEM, or -EIO if hits could not write to it.
 */
int kpt_watch_slots_init(void)
{
	BUILD_BUG_ON(SLOTS * SLOT_WORDS * sizeof(u32) > PAGE_SIZE);
	slots.code = kpt_mem_alloc_near((unsigned long)kpt_watchpoint_performed);
	if (!slots.code)
		return -ENOMEM;
	memset(slots.taken, 0, sizeof(slots.taken));
	memset(slots.ready, 0, sizeof(slots.ready));
	if (kpt_branch_reaches((unsigned long)slots.code,
			       (unsigned long)kpt_watchpoint_performed) &&
	    slot_write(0, A64_NOP))
		return 0;
	kpt_mem_free(slots.code);
	return -EIO;
}

/**
 * kpt_watch_slots_exit() - free them
 *
 * Context: process context; no hit runs.
 */
void kpt_watch_slots_exit(void)
{
	kpt_mem_free(slots.code);
}

/**
 * kpt_watch_slots_used() - how many slots are in use?
 *
 * Context: any.
 * Return: the number of different instructions that were seen.
 */
unsigned int kpt_watch_slots_used(void)
{
	unsigned int i, nr = 0;

	for (i = 0; i < SLOTS; i++)
		nr += slots.ready[i] != 0;
	return nr;
}
