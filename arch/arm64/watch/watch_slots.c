// SPDX-License-Identifier: GPL-2.0-only
/*
 * Slots, in which accesses to watched bytes are performed: each word of code that was seen has
 * one. They are written by hits, and stay until kptrace is unloaded.
 */
#include "kernel/compat.h"
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include "watch/watchpoint.h"

/* How many there are, and in a page; each is SLOT_WORDS words. */
#define SLOTS		1024
#define SLOT_WORDS	4
#define PER_PAGE	256
#define PAGES		(SLOTS / PER_PAGE)

/**
 * struct watch_slots - code for the instructions that have been seen
 * @code: its pages
 * @taken: the word that each slot is for, 0 while it is free
 * @slot: the slots
 */
struct watch_slots {
	u32 *code[PAGES];
	u32 taken[SLOTS];
	struct kpt_watch_slot slot[SLOTS];
};

/* NULL before data is watched for the first time. */
static struct watch_slots *slots;

static u32 *code_of(unsigned int at)
{
	return &slots->code[at / PER_PAGE][at % PER_PAGE * SLOT_WORDS];
}

/* Load x30, perform the word, and leave. See kpt_watchpoint_perform(). */
static bool slot_write(unsigned int at, u32 word)
{
	u32 *code = code_of(at);
	const u32 words[] = {
		a64_ldr(X30, SP, 0),
		word,
		kpt_branch_word((unsigned long)&code[2],
				(unsigned long)kpt_watchpoint_performed),
	};

	return !kpt_mem_write_anywhere(code, words, ARRAY_SIZE(words));
}

/* SP is that of the exception, so an access based on it takes its address from elsewhere. */
static const struct kpt_watch_slot *slot_make(unsigned int at, u32 word,
					      kpt_access_reader_t read)
{
	struct kpt_watch_slot *slot = &slots->slot[at];
	unsigned int spare = read ? kpt_access_spare(word) : XZR;
	u32 rebased = read ? kpt_access_rebase(word, spare) : word;

	slot->read = read;
	slot->code = code_of(at);
	slot->base = rebased == word ? XZR : spare;
	if (slot_write(at, rebased)) {
		smp_store_release(&slot->word, word);
		return slot;
	}
	WRITE_ONCE(slots->taken[at], 0);
	return NULL;
}

static noinline const struct kpt_watch_slot *slot_find(unsigned int at, u32 word,
						       kpt_access_reader_t read)
{
	unsigned int n;
	u32 taken;

	for (n = 0; n < SLOTS; n++, at = (at + 1) % SLOTS) {
		/* Pairs with slot_make(). */
		if (smp_load_acquire(&slots->slot[at].word) == word)
			return &slots->slot[at];
		taken = cmpxchg(&slots->taken[at], 0, word);
		if (taken && taken != word)
			continue;
		if (!taken)
			return slot_make(at, word, read);
		/* The other CPU is in slot_make(), with exceptions masked. */
		while (smp_load_acquire(&slots->slot[at].word) != word) {
			if (READ_ONCE(slots->taken[at]) != word)
				return NULL;
			cpu_relax();
		}
		return &slots->slot[at];
	}
	return NULL;
}

/**
 * kpt_watch_slot_get() - the code that performs an instruction
 * @word: the instruction, not 0
 * @is_access: it touches memory; then none is made for what kpt_access_reader() does not know
 *
 * Another CPU may be writing it.
 *
 * Context: BRK.
 * Return: the slot; NULL if there is no room.
 */
const struct kpt_watch_slot *kpt_watch_slot_get(u32 word, bool is_access)
{
	unsigned int at = word * 0x9e3779b1U >> 22;
	kpt_access_reader_t read = NULL;

	BUILD_BUG_ON(SLOTS != 1 << 10);
	/* Pairs with slot_make(). */
	if (likely(smp_load_acquire(&slots->slot[at].word) == word))
		return &slots->slot[at];
	if (is_access) {
		read = kpt_access_reader(word);
		if (!read)
			return NULL;
	}
	return slot_find(at, word, read);
}

static int page_init(unsigned int page)
{
	u32 *code = kpt_mem_alloc_near((unsigned long)kpt_watchpoint_performed);

	slots->code[page] = code;
	if (!code)
		return -ENOMEM;
	if (!kpt_branch_reaches((unsigned long)code, (unsigned long)kpt_watchpoint_performed) ||
	    !slot_write(page * PER_PAGE, A64_NOP))
		return -EIO;
	return 0;
}

/**
 * kpt_watch_slots_init() - get memory for slots, which hits can write to
 *
 * Context: process context, sleeps.
 * Return: 0, -ENOMEM, or -EIO if hits could not write to it.
 */
int kpt_watch_slots_init(void)
{
	unsigned int page;
	int err = 0;

	BUILD_BUG_ON(PER_PAGE * SLOT_WORDS * sizeof(u32) > PAGE_SIZE);
	slots = kvzalloc(sizeof(*slots), GFP_KERNEL);
	if (!slots)
		return -ENOMEM;
	for (page = 0; !err && page < PAGES; page++)
		err = page_init(page);
	if (err)
		kpt_watch_slots_exit();
	return err;
}

/**
 * kpt_watch_slots_exit() - free them
 *
 * Context: process context; no hit runs.
 */
void kpt_watch_slots_exit(void)
{
	unsigned int page;

	for (page = 0; slots && page < PAGES; page++)
		if (slots->code[page])
			kpt_mem_free(slots->code[page]);
	kvfree(slots);
	slots = NULL;
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

	for (i = 0; slots && i < SLOTS; i++)
		nr += slots->slot[i].word != 0;
	return nr;
}
