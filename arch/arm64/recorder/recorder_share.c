// SPDX-License-Identifier: GPL-2.0-only
/*
 * Where recorders (recorder.c) are. The same words are there once, however many lists of
 * handlers use them, and their room is used again when no list does.
 *
 * Only stubs and thunks branch to a recorder, with exceptions masked, and they find it in a
 * list of handlers. So when a list may be freed, no CPU is in its recorder, and none will be.
 * What is written into the room later is used behind another kpt_arch_quiesce().
 */
#include "kernel/compat.h"
#include <linux/hashtable.h>
#include <linux/jhash.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include "recorder/recorder.h"
#include "engine.h"

/* Recorders are in blocks of whole pages, each in one of them, and these are so many at most. */
#define BLOCK		(PAGE_SIZE > SZ_16K ? PAGE_SIZE : SZ_16K)
#define BLOCKS_MAX	(64 * PAGE_SIZE / BLOCK)

/* Recorders begin in a cache line of their own. */
#define LINE_WORDS	16
#define LINES		(BLOCK / sizeof(u32) / LINE_WORDS)

/**
 * struct piece - words that are in use
 * @node: in pieces
 * @hash: of the words
 * @users: how often kpt_recorder_share() has returned @words
 * @words: the words, in pages of code
 * @nr: number of @words
 */
struct piece {
	struct hlist_node node;
	u32 hash;
	unsigned int users;
	u32 *words;
	unsigned int nr;
};

/**
 * struct block - pages of code
 * @words: the pages
 * @line: what has a line of it, or NULL
 */
struct block {
	u32 *words;
	struct piece *line[LINES];
};

/* All under kpt_mutex. */
static DEFINE_HASHTABLE(pieces, 8);
static struct block *blocks[BLOCKS_MAX];
static unsigned int nr_blocks, nr_pieces, nr_written;

static struct piece *find_piece(const struct kpt_code *c, u32 hash)
{
	struct piece *p;

	hash_for_each_possible(pieces, p, node, hash)
		if (p->hash == hash && p->nr == c->nr &&
		    !memcmp(p->words, c->words, c->nr * sizeof(u32)))
			return p;
	return NULL;
}

static unsigned int lines_of(const struct piece *p)
{
	return DIV_ROUND_UP(p->nr, LINE_WORDS);
}

static bool block_add(void)
{
	struct block *block = NULL;

	if (nr_blocks < BLOCKS_MAX)
		block = kzalloc(sizeof(*block), GFP_KERNEL);
	if (!block)
		return false;
	block->words = kpt_mem_alloc_far(BLOCK);
	if (!block->words) {
		kfree(block);
		return false;
	}
	blocks[nr_blocks++] = block;
	return true;
}

/* Lines from @first on have @p, or nothing if that is NULL. */
static void set_lines(struct block *block, unsigned int first, unsigned int nr,
		      struct piece *p)
{
	while (nr--)
		block->line[first + nr] = p;
}

/* Returns false if a block has no room. */
static bool take_room(struct block *block, struct piece *p)
{
	unsigned int nr = lines_of(p), i, free = 0;

	for (i = 0; i < LINES; i++) {
		free = block->line[i] ? 0 : free + 1;
		if (free < nr)
			continue;
		i -= nr - 1;
		set_lines(block, i, nr, p);
		p->words = block->words + i * LINE_WORDS;
		return true;
	}
	return false;
}

static bool find_room(struct piece *p)
{
	unsigned int i;

	for (i = 0; i < nr_blocks; i++)
		if (take_room(blocks[i], p))
			return true;
	return block_add() && take_room(blocks[nr_blocks - 1], p);
}

static void leave_room(struct piece *p)
{
	unsigned int i;
	size_t at;

	for (i = 0; i < nr_blocks; i++) {
		at = p->words - blocks[i]->words;
		if (at < BLOCK / sizeof(u32))
			set_lines(blocks[i], at / LINE_WORDS, lines_of(p), NULL);
	}
}

static struct piece *make_piece(const struct kpt_code *c, u32 hash)
{
	struct piece *p = kzalloc(sizeof(*p), GFP_KERNEL);

	if (!p)
		return NULL;
	p->hash = hash;
	p->nr = c->nr;
	if (!find_room(p)) {
		kfree(p);
		return NULL;
	}
	if (kpt_mem_write(p->words, c->words, c->nr)) {
		leave_room(p);
		kfree(p);
		return NULL;
	}
	hash_add(pieces, &p->node, hash);
	nr_pieces++;
	nr_written++;
	return p;
}

/**
 * kpt_recorder_share() - have code where it can be executed
 * @c: the code, which works at any address
 *
 * CPUs may execute it when kpt_arch_quiesce() has returned.
 *
 * Context: process context, sleeps, kpt_mutex held.
 * Return: its first word, for kpt_recorder_unshare(); NULL without memory.
 */
const u32 *kpt_recorder_share(const struct kpt_code *c)
{
	u32 hash = jhash2(c->words, c->nr, 0);
	struct piece *p = find_piece(c, hash) ?: make_piece(c, hash);

	if (!p)
		return NULL;
	p->users++;
	return p->words;
}

static struct piece *piece_of(const u32 *code)
{
	unsigned int i;
	size_t at;

	for (i = 0; i < nr_blocks; i++) {
		at = code - blocks[i]->words;
		if (at < BLOCK / sizeof(u32))
			return blocks[i]->line[at / LINE_WORDS];
	}
	return NULL;
}

/**
 * kpt_recorder_share_more() - have code once more
 * @code: from kpt_recorder_share()
 *
 * Context: process context, kpt_mutex held.
 */
void kpt_recorder_share_more(const u32 *code)
{
	piece_of(code)->users++;
}

/**
 * kpt_recorder_unshare() - give back code
 * @code: from kpt_recorder_share(); if nothing else uses it, no CPU is in it
 *
 * Context: process context, kpt_mutex held.
 */
void kpt_recorder_unshare(const u32 *code)
{
	struct piece *p = piece_of(code);

	if (WARN_ON_ONCE(!p) || --p->users)
		return;
	hash_del(&p->node);
	leave_room(p);
	kfree(p);
	nr_pieces--;
}

/**
 * kpt_recorder_share_status() - show what is in use, and how much was written
 * @sb: a line is appended
 * @others: so many are no recorders
 *
 * Context: process context, kpt_mutex held.
 */
void kpt_recorder_share_status(struct kpt_strbuf *sb, unsigned int others)
{
	kpt_strbuf_printf(sb, "recorders: %u in %u pages, %u written since load\n",
			  nr_pieces - others, nr_blocks * (unsigned int)(BLOCK / PAGE_SIZE),
			  nr_written - others);
}

/**
 * kpt_recorder_share_exit() - free all
 * @all: also the code: no CPU and no task is in a stub
 *
 * Context: process context.
 */
void kpt_recorder_share_exit(bool all)
{
	struct hlist_node *next;
	struct piece *p;
	int i;

	hash_for_each_safe(pieces, i, next, p, node)
		kfree(p);
	while (nr_blocks) {
		nr_blocks--;
		if (all)
			kpt_mem_free(blocks[nr_blocks]->words);
		kfree(blocks[nr_blocks]);
	}
}
