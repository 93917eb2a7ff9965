// SPDX-License-Identifier: GPL-2.0-only
/*
 * Hits that a stub or a thunk records by itself, with ten scratch registers.
 *
 * Most points have a single event of one ring, some have several of the same ring. The
 * stub of such a point (jump.c) saves four registers, masks exceptions and calls a
 * **recorder**, which saves six more and does what hit_simple() in src/hit/hit_point.c does, in
 * the same order. Where anything is not as in most hits, the recorder has changed nothing
 * yet: it restores the registers, and the stub continues with kpt_hit(). Only a filter with a
 * range changes flags of PSTATE, and restores them.
 *
 * The thunk of a tracepoint (thunk_entry.S) does the same; there the caller expects the
 * scratch registers to change.
 *
 * A recorder is made of templates (recorder_templates.c) for each set of registers that is
 * recorded, or of templates and a fetch program as code (recorder_fetch.c), which reads
 * memory; events with the same set or code share it. All else that differs between
 * events is in struct kpt_arch_direct, which is part of a list of handlers and lives as
 * long. Recorders live until unload, and their number is limited.
 *
 *	x9: the struct kpt_arch_direct; x16: PSTATE.DAIF; x30: an address in the stub
 *	or the thunk's code
 *	sp: x16, x30, x9 to x15, x17 as they are in the probed code
 *
 * Those of function_graph (recorder_graph.c) use four registers more.
 */
#include "kernel/compat.h"
#include <linux/kernel.h>
#include <linux/list.h>
#include <linux/mm.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <asm/cpufeature.h>
#include <asm/virt.h>
#include "kernel/clock.h"
#include "kernel/comms.h"
#include "kernel/lock.h"
#include "lib/fetch/fetch.h"
#include "lib/record/record.h"
#include "lib/ring/ring.h"
#include "arch_compat.h"
#include "recorder/recorder.h"
#include "engine.h"

/* Pages of recorders, at most; some five fit into a page of 4 KiB. */
#define PAGES_MAX	64
/* Registers that a recorder stores, at most, and instructions for them. */
#define COPIES_MAX	40
#define STORES_MAX	(3 * KPT_ARCH_RECORDS + 2 * COPIES_MAX)

/* Arm ARM C6.2 */
#define LDR_X13_SP	0xf94003ed
#define ADD_X13_SP	0x910003ed
#define STR_X10(log)	(0x38000140 | (u32)(log) << 30)
#define STR_SCALED	0x01000000
#define STUR		0
#define STP_X10(rt, rt2) (0xa9000140 | (rt2) << 10 | (rt))
#define IMM12(n)	((n) << 10)
#define IMM7(n)		((n) / 8 << 15)
/* Offsets in a record that STP and STUR can have. */
#define STP_MAX		(504 - (int)sizeof(struct kpt_ring_header))
#define STUR_MAX	(255 - (int)sizeof(struct kpt_ring_header))
#define ADD_X12_X12_X14	0x8b0e018c
#define ADD_X13_X13	0x910001ad
#define LDR_FROM_STR	0x00400000
/* ORR (immediate) of a mask with the bits from @bit on, x13 to x13. */
#define ORR_X13_FROM(bit) (0xb24001ad | (64 - (bit)) << 16 | (63 - (bit)) << 10)
#define MRS_X10_TPIDR_EL2 0xd53cd04a
#define MRS_X13_CNTVCTSS_EL0 0xd53be0cd

#define REG_LR		30

/**
 * struct form - what recorders that have the same words may differ in
 * @is_return: it checks the return address
 * @has_bias: preempt_count() is what a tracepoint has made of it
 * @has_strings: the fetch program finds out how long a record is
 * @is_held: kpt_hit_recorded() gets the record
 * @is_unordered: it reads the counter without an ISB, for KPT_CLOCK_UNORDERED
 * @graph: what it does for a function_graph
 * @nr_records: number of records that it makes
 * @first: bytes of the first one in a ring
 * @length: bytes of all in a ring; with strings, at most
 * @nr_filter: number of words of the filter, or of kpt_direct_put_held_test(), which
 *	come first
 * @nr_fetch: number of words up to the end of the fetch programs, those that do more
 *	than copy registers
 * @nr_stores: number of words up to the end of the stores
 * @nr: number of all words
 */
struct form {
	bool is_return;
	bool has_bias;
	bool has_strings;
	bool is_held;
	bool is_unordered;
	u8 graph;
	u16 nr_records;
	u16 first;
	u16 length;
	int nr_filter;
	int nr_fetch;
	int nr_stores;
	int nr;
};

/**
 * struct recorder - a recorder
 * @list: in recorders
 * @entry: address of its first instruction
 * @is: its form
 * @words: the code that is no template: the filter, the fetch programs, stores of
 *	registers, with the heads of all records but the first, and counts of those
 */
struct recorder {
	struct list_head list;
	const u32 *entry;
	struct form is;
	u32 words[KPT_DIRECT_FILTER_MAX + KPT_DIRECT_FETCH_MAX + STORES_MAX +
		  (KPT_ARCH_RECORDS - 1) * KPT_DIRECT_NEXT_MAX];
};

/* All under kpt_mutex. @page has @left words that are not used yet. */
static LIST_HEAD(recorders);
static u32 *pages[PAGES_MAX];
static unsigned int nr_recorders, nr_pages, left;

/* The one that kpt_arch_direct_make() looks for: it is large, and asked for often. */
static struct recorder wanted;

const struct kpt_arch_direct kpt_direct_none = {
	.code = kpt_direct_pass, .hit = kpt_hit_current,
};

/* Can this kernel have recorders? */
static bool possible __ro_after_init;

/* Bits in which the addresses that replace return addresses are the same. */
static u64 common_bits(const struct kpt_arch_return_words *w)
{
	u64 graph = w->graph ?: w->ours, kretprobe = w->kretprobe ?: w->ours;

	return ~((w->ours ^ graph) | (w->ours ^ kretprobe) | w->pac_mask);
}

/* What RETURN_CALLER in recorder_templates.c compares with. */
static void note_returns(void)
{
	const struct kpt_arch_return_words *w = &kpt_arch_return_words;
	struct kpt_cpu *c;
	int cpu;

	for_each_possible_cpu(cpu) {
		c = per_cpu_ptr(&kpt_cpu, cpu);
		c->return_bits = common_bits(w);
		c->return_set = common_bits(w) & w->ours;
	}
}

/**
 * kpt_direct_init() - find out whether stubs can record hits by themselves
 *
 * Context: module load, after kpt_return_init().
 */
void kpt_direct_init(void)
{
	BUILD_BUG_ON(offsetof(struct kpt_cpu, pid) != 0);
	BUILD_BUG_ON(offsetof(struct kpt_cpu, depth) != 4);
	BUILD_BUG_ON(offsetof(struct kpt_arch_direct, code) != 0);
	BUILD_BUG_ON(offsetof(struct kpt_arch_direct, ring) !=
		     offsetof(struct kpt_arch_direct, stops) + 8);
	BUILD_BUG_ON(offsetof(struct kpt_arch_record, ip) !=
		     offsetof(struct kpt_arch_record, type) + 8);
	BUILD_BUG_ON(offsetof(struct kpt_ring, owner) != 0);
	BUILD_BUG_ON(offsetof(struct kpt_ring, state) != 4);
	BUILD_BUG_ON(offsetof(struct kpt_ring, write) !=
		     offsetof(struct kpt_ring, claim) + 8);
	BUILD_BUG_ON(offsetof(struct kpt_ring, seq) !=
		     offsetof(struct kpt_ring, claim) + 16);
	BUILD_BUG_ON(offsetof(struct kpt_ring, base) !=
		     offsetof(struct kpt_ring, claim) + 24);
	BUILD_BUG_ON(PREEMPT_MASK != 0xff || SOFTIRQ_MASK != 0xff00);
	BUILD_BUG_ON(PREEMPT_ENABLED != BIT_ULL(32));
	BUILD_BUG_ON(KPT_TRACEPOINT_BIAS > 1);
	BUILD_BUG_ON(KPT_FLAG_IRQS_OFF != 1 || KPT_FLAG_SOFTIRQ != 1 << 4);
	/* With PREEMPT_RT the count of softirqs is not part of preempt_count(). */
	possible = kpt_jump_is_possible() && !IS_ENABLED(CONFIG_PREEMPT_RT) &&
		   (kpt_comm_sees_renames || !IS_ENABLED(CONFIG_TRACEPOINTS));
	note_returns();
}

static const struct kpt_direct_templates *templates_of(const struct recorder *r)
{
	enum kpt_direct_of of = r->is.graph == KPT_ARCH_GRAPH_ENTER ? KPT_DIRECT_OF_ENTER :
				r->is.graph == KPT_ARCH_GRAPH_LEAVE ? KPT_DIRECT_OF_LEAVE :
				r->is.is_return ? KPT_DIRECT_OF_RETURN :
				r->is.has_bias ? KPT_DIRECT_OF_BIASED : KPT_DIRECT_OF_HIT;

	return &kpt_direct_templates_of[of];
}

/**
 * kpt_direct_saved_at() - find where a scratch register is saved
 * @reg: number of the register
 *
 * Context: process context.
 * Return: bytes from SP in a recorder; -1: it is not one.
 */
int kpt_direct_saved_at(unsigned int reg)
{
	if (reg >= 9 && reg <= 15)
		return 16 + (reg - 9) * 8;
	return reg == 16 ? 0 : reg == 17 ? 72 : reg == 30 ? 8 : -1;
}

/**
 * kpt_direct_put_load() - have a register of the probed code in a register
 * @words: code
 * @nr: number of words; 1 is added if the recorder has changed the register
 * @reg: its number, KPT_DIRECT_SP for SP
 *
 * Context: process context.
 * Return: the number of the register that has its value then.
 */
u32 kpt_direct_put_load(u32 *words, int *nr, unsigned int reg)
{
	if (reg == KPT_DIRECT_SP)
		words[(*nr)++] = ADD_X13_SP | IMM12(KPT_DIRECT_FRAME);
	else if (kpt_direct_saved_at(reg) >= 0)
		words[(*nr)++] = LDR_X13_SP | IMM12(kpt_direct_saved_at(reg) / 8);
	else
		return reg;
	return 13;
}

/**
 * kpt_direct_store() - encode the store of a register in the record
 * @reg: its number
 * @size: its low bytes that are stored: 1, 2, 4 or 8
 * @offset: where in the record; x10 is its address in the ring
 *
 * Context: process context.
 * Return: the instruction, 0 if the offset is out of reach.
 */
u32 kpt_direct_store(u32 reg, unsigned int size, unsigned int offset)
{
	u32 op = STR_X10(ilog2(size)) | reg;

	if (offset % size && offset > STUR_MAX)
		return 0;
	offset += sizeof(struct kpt_ring_header);
	return offset % size ? op | STUR | offset << 12 :
			       op | STR_SCALED | IMM12(offset / size);
}

/**
 * kpt_direct_load() - encode the load of a part of the record
 * @reg: number of the register; its upper bits become 0
 * @size: bytes: 1, 2, 4 or 8
 * @offset: where in the record
 *
 * Context: process context.
 * Return: the instruction, 0 if the offset is out of reach.
 */
u32 kpt_direct_load(u32 reg, unsigned int size, unsigned int offset)
{
	u32 word = kpt_direct_store(reg, size, offset);

	return word ? word | LDR_FROM_STR : 0;
}

static bool is_pair(const struct kpt_fetch_copy *c, unsigned int at)
{
	return c[0].size == 8 && c[1].size == 8 && c[0].offset % 8 == 0 &&
	       c[1].offset == c[0].offset + 8 && at + c[0].offset <= STP_MAX &&
	       c[0].reg < KPT_DIRECT_SP && c[1].reg < KPT_DIRECT_SP &&
	       kpt_direct_saved_at(c[0].reg) < 0 && kpt_direct_saved_at(c[1].reg) < 0;
}

static void put(struct recorder *r, u32 word)
{
	r->words[r->is.nr++] = word;
}

/*
 * kpt_record_return.ret_ip of the record @at bytes behind the first one; and the first of
 * @nr copies, if one instruction stores both. Returns the number of copies that it stores.
 */
static int put_return(struct recorder *r, const struct kpt_fetch_copy *copy, int nr,
		      unsigned int at)
{
	unsigned int offset = at + offsetof(struct kpt_record_return, ret_ip);

	BUILD_BUG_ON(offsetof(struct kpt_record_return, ret_ip) % 8);
	kpt_direct_put_load(r->words, &r->is.nr, REG_LR);
	if (system_supports_address_auth())
		put(r, ORR_X13_FROM(vabits_actual));
	if (nr && copy->size == 8 && offset <= STP_MAX &&
	    copy->offset == offsetof(struct kpt_record_return, ret_ip) + 8 &&
	    copy->reg < KPT_DIRECT_SP && kpt_direct_saved_at(copy->reg) < 0) {
		put(r, STP_X10(13, copy->reg) |
		       IMM7(offset + sizeof(struct kpt_ring_header)));
		return 1;
	}
	put(r, kpt_direct_store(13, 8, offset));
	return 0;
}

/* Returns the number of @c that were stored; 0 if no recorder can do that. */
static unsigned int put_store(struct recorder *r, const struct kpt_fetch_copy *c,
			      unsigned int at, bool may_pair)
{
	u32 from;

	if (may_pair && is_pair(c, at)) {
		put(r, STP_X10(c[0].reg, c[1].reg) |
		       IMM7(at + c[0].offset + sizeof(struct kpt_ring_header)));
		return 2;
	}
	if (c->reg > KPT_DIRECT_SP || !kpt_direct_store(0, c->size, at + c->offset))
		return 0;
	from = kpt_direct_put_load(r->words, &r->is.nr, c->reg);
	put(r, kpt_direct_store(from, c->size, at + c->offset));
	return 1;
}

/* Returns false for copies that no recorder makes. */
static bool put_stores(struct recorder *r, const struct kpt_fetch_copy *copy, int nr,
		       unsigned int at)
{
	int i, done;

	for (i = 0; i < nr; i += done) {
		done = put_store(r, &copy[i], at, i + 1 < nr);
		if (!done)
			return false;
	}
	return true;
}

static struct recorder *find_recorder(const struct recorder *like)
{
	struct recorder *r;

	list_for_each_entry(r, &recorders, list)
		if (!memcmp(&r->is, &like->is, sizeof(r->is)) &&
		    !memcmp(r->words, like->words, r->is.nr * sizeof(u32)))
			return r;
	return NULL;
}

static u32 *put_words(u32 *to, const u32 *from, const u32 *end)
{
	memcpy(to, from, (u8 *)end - (u8 *)from);
	return to + (end - from);
}

/**
 * kpt_direct_put_address() - write a literal
 * @words: result, two words
 * @addr: its value
 *
 * Context: process context.
 */
void kpt_direct_put_address(u32 *words, u64 addr)
{
	words[0] = lower_32_bits(addr);
	words[1] = upper_32_bits(addr);
}

static void put_literals(u32 *words, const struct recorder *r)
{
	const struct kpt_arch_return_words *w = &kpt_arch_return_words;
	const void *const read[] = {
		kpt_direct_read1, kpt_direct_read2, kpt_direct_read4,
		kpt_direct_read8, kpt_direct_string, kpt_direct_ustring,
	};
	unsigned int i;

	kpt_direct_put_address(words + KPT_DIRECT_LITERAL_CPU, (unsigned long)&kpt_cpu);
	words += KPT_DIRECT_LITERAL_READ;
	for (i = 0; i < ARRAY_SIZE(read); i++, words += 2)
		kpt_direct_put_address(words, (unsigned long)read[i]);
	if (r->is.is_return) {
		kpt_direct_put_address(words, w->ours);
		kpt_direct_put_address(words + 2, w->graph);
		kpt_direct_put_address(words + 4, w->kretprobe);
	}
}

/* A kernel at EL2 keeps the offset of per-CPU variables in TPIDR_EL2. */
static u32 percpu_word(void)
{
	return is_kernel_in_hyp_mode() ? MRS_X10_TPIDR_EL2 : *kpt_direct_templates_of->percpu;
}

/* The template up to the place of the fetch program, which is where t->word is. */
static u32 *put_begin(u32 *words, const struct recorder *r)
{
	const struct kpt_direct_templates *t = templates_of(r);
	u32 *end = put_words(words, t->begin, t->word);

	put_literals(words, r);
	words[t->percpu - t->begin] = percpu_word();
	if (r->is.is_return)
		words[kpt_direct_return_sign - t->begin] = ORR_X13_FROM(vabits_actual);
	/*
	 * Of several events, kpt_hit() counts what is filtered; calls end, and histograms
	 * count, in any case.
	 */
	if (r->is.nr_records > 1 || r->is.graph == KPT_ARCH_GRAPH_LEAVE || r->is.is_held)
		words[t->stopped - t->begin] =
			KPT_B | (u32)(t->slow - t->stopped);
	words[t->add - t->begin] |= IMM12(r->is.length);
	return end;
}

/*
 * Read the counter. CNTVCTSS_EL0 is read in its place without an ISB (Arm ARM D12.2.1,
 * FEAT_ECV).
 */
static u32 *put_clock(u32 *words, const struct recorder *r)
{
	const struct kpt_direct_templates *t = templates_of(r);
	u32 *end;

	if (r->is.is_unordered) {
		end = put_words(words, kpt_direct_unordered, kpt_direct_unordered_end);
		words[0] = kpt_counter_word(words[0]);
		return end;
	}
	end = put_words(words, t->clock, t->timed);
	if (kpt_arch_counter_is_ordered()) {
		words[0] = KPT_NOP;
		words[1] = MRS_X13_CNTVCTSS_EL0;
	}
	words[1] = kpt_counter_word(words[1]);
	return end;
}

/*
 * The rest of it. It has the length of a record in x14; or, with strings, the fetch
 * program has, and the end of the record is to be known.
 */
static u32 *put_rest(u32 *words, const struct recorder *r)
{
	const struct kpt_direct_templates *t = templates_of(r);
	u32 *end = put_clock(put_words(words, t->word, t->clock), r);

	end = put_words(end, t->timed, t->end);
	if (r->is.has_strings)
		words[0] = ADD_X12_X12_X14;
	else
		words[0] |= r->is.first << 5;
	words[t->number - t->word] = ADD_X13_X13 | IMM12(r->is.nr_records);
	if (r->is.graph == KPT_ARCH_GRAPH_LEAVE)
		kpt_direct_set_shift(end - (t->end - t->begin), kpt_clock_scale.shift);
	return end;
}

static void put_tail(u32 *words, const struct recorder *r)
{
	u32 *at = put_words(words, kpt_direct_tail, kpt_direct_tail_count);

	at = put_words(at, r->words + r->is.nr_stores, r->words + r->is.nr);
	if (r->is.is_held) {
		kpt_direct_put_held(at);
		return;
	}
	put_words(at, kpt_direct_tail_count, kpt_direct_tail_end);
	kpt_direct_put_address(at + (kpt_direct_tail_wake - kpt_direct_tail_count),
			       (unsigned long)kpt_hit_wake);
}

/* Room for a recorder, in a new page if there is not enough in the last one. */
static u32 *get_room(unsigned int nr)
{
	u32 *room;

	nr = ALIGN(nr, 16);	/* cache lines */
	if (nr > left) {
		if (nr_pages == PAGES_MAX)
			return NULL;
		room = kpt_mem_alloc_far();
		if (!room)
			return NULL;
		pages[nr_pages++] = room;
		left = PAGE_SIZE / sizeof(u32);
	}
	room = pages[nr_pages - 1] + PAGE_SIZE / sizeof(u32) - left;
	left -= nr;
	return room;
}

/* Words that put_begin() and put_rest() put. */
static unsigned int template_words(const struct recorder *r)
{
	const struct kpt_direct_templates *t = templates_of(r);
	unsigned int nr = t->end - t->begin;

	return r->is.is_unordered ? nr - (t->timed - t->clock) +
		(kpt_direct_unordered_end - kpt_direct_unordered) : nr;
}

/* Words that put_tail() puts of templates. */
static unsigned int tail_words(const struct recorder *r)
{
	return r->is.is_held ? (kpt_direct_tail_count - kpt_direct_tail) +
			       (kpt_direct_held_end - kpt_direct_held) :
			       kpt_direct_tail_end - kpt_direct_tail;
}

/* Write the code of a recorder. */
static bool write_recorder(struct recorder *r)
{
	const struct kpt_direct_templates *t = templates_of(r);
	unsigned int nr = template_words(r) + r->is.nr + tail_words(r);
	u32 *words = kcalloc(nr, sizeof(u32), GFP_KERNEL);
	u32 *room = words ? get_room(nr) : NULL;
	u32 *at = words;

	if (!room) {
		kfree(words);
		return false;
	}
	at = put_words(at, r->words, r->words + r->is.nr_filter);
	at = put_begin(at, r);
	at = put_words(at, r->words + r->is.nr_filter, r->words + r->is.nr_fetch);
	at = put_rest(at, r);
	at = put_words(at, r->words + r->is.nr_fetch, r->words + r->is.nr_stores);
	put_tail(at, r);
	r->entry = r->is.nr_filter ? room : room + (t->entry - t->begin);
	if (kpt_mem_write(room, words, nr))
		r->entry = NULL;
	kfree(words);
	return r->entry;
}

static struct recorder *make_recorder(const struct recorder *like)
{
	struct recorder *r = kmemdup(like, sizeof(*like), GFP_KERNEL);

	if (!r)
		return NULL;
	if (!write_recorder(r)) {
		kfree(r);
		return NULL;
	}
	list_add(&r->list, &recorders);
	nr_recorders++;
	return r;
}

/* Returns false if the filter cannot be code. */
static bool put_filter(struct recorder *r, const struct kpt_arch_direct *direct)
{
	const struct kpt_filter *filter =
		r->is.graph || r->is.is_held ? NULL : direct->filter;
	const struct kpt_direct_templates *t = templates_of(r);

	if (r->is.is_held)
		r->is.nr = kpt_direct_put_held_test(r->words, t->entry - t->begin);
	else if (filter)
		r->is.nr = kpt_direct_put_filter(r->words, direct, t->entry - t->begin,
						 t->saved - t->begin, percpu_word());
	r->is.nr_filter = r->is.nr;
	return !filter || r->is.nr;
}

/* Returns false if the fetch program of the record at @at cannot be code. */
static bool put_fetch(struct recorder *r, const struct kpt_fetch_prog *prog,
		      unsigned int at)
{
	const struct kpt_direct_templates *t = templates_of(r);
	const struct kpt_direct_place place = {
		.begin = t->word - t->begin + r->is.nr - r->is.nr_filter,
		.leave = t->leave - t->begin,
		.room = KPT_DIRECT_FETCH_MAX - (r->is.nr - r->is.nr_filter),
		.at = at,
		.length = r->is.length,
	};
	unsigned int nr = kpt_direct_put_fetch(r->words + r->is.nr, prog, &place);

	r->is.nr += nr;
	return nr;
}

static bool is_of_registers(const struct kpt_arch_shape *shape)
{
	struct kpt_fetch_copy copy[COPIES_MAX];

	return kpt_fetch_copies(shape->prog, copy, ARRAY_SIZE(copy)) >= 0;
}

/* Returns false if a fetch program cannot be code. */
static bool put_all_fetches(struct recorder *r, const struct kpt_arch_shape *shape)
{
	const struct kpt_arch_shape *s;
	unsigned int at = 0;

	for (s = shape; s < shape + r->is.nr_records; at += s++->length)
		if (!s->graph && !is_of_registers(s) && !put_fetch(r, s->prog, at))
			return false;
	r->is.nr_fetch = r->is.nr;
	return true;
}

/*
 * Put what a record consists of but its fetch program and, of the first one, its head.
 * @left: more copies of registers that there is room for.
 */
static bool put_record(struct recorder *r, const struct kpt_arch_shape *shape,
		       unsigned int at, int *left)
{
	struct kpt_fetch_copy copy[COPIES_MAX];
	int nr, done = 0;

	if (shape->graph) {
		put_words(&r->words[r->is.nr], kpt_direct_graph_load,
			  kpt_direct_graph_load_end);
		r->is.nr += kpt_direct_graph_load_end - kpt_direct_graph_load;
		return true;
	}
	nr = max(kpt_fetch_copies(shape->prog, copy, ARRAY_SIZE(copy)), 0);
	*left -= nr;
	if (*left < 0)
		return false;
	if (shape->is_return)
		done = put_return(r, copy, nr, at);
	return put_stores(r, copy + done, nr - done, at);
}

static bool put_all_records(struct recorder *r, const struct kpt_arch_shape *shape)
{
	unsigned int i, at = shape->length;
	int left = COPIES_MAX;

	if (!put_record(r, shape, 0, &left))
		return false;
	for (i = 1; i < r->is.nr_records; at += shape[i++].length)
		if (!kpt_direct_put_next(r->words, &r->is.nr, i, at,
					 shape[i].length) ||
		    !put_record(r, &shape[i], at, &left))
			return false;
	r->is.nr_stores = r->is.nr;
	for (i = 1; i < r->is.nr_records; i++)
		kpt_direct_put_count(r->words, &r->is.nr, i);
	return true;
}

/* Returns false for records that no recorder can make. */
static bool put_form(struct recorder *r, const struct kpt_arch_shape *shape,
		     unsigned int nr)
{
	unsigned int i, length = 0;

	if (WARN_ON_ONCE(!nr || nr > KPT_ARCH_RECORDS))
		return false;
	r->is.nr_records = nr;
	r->is.graph = shape->graph;
	r->is.is_unordered = shape->is_unordered;
	r->is.first = shape->length;
	for (i = 0; i < nr; i++) {
		r->is.is_return |= shape[i].is_return;
		r->is.has_bias |= KPT_TRACEPOINT_BIAS && shape[i].is_call;
		r->is.has_strings |= shape[i].prog->has_strings;
		r->is.is_held |= shape[i].is_held;
		length += shape[i].length;
	}
	if (r->is.has_strings)
		length += KPT_DIRECT_STRINGS;
	r->is.length = length;
	/* @length is an immediate of 12 bits. */
	return length < SZ_4K && (nr == 1 || !r->is.has_strings);
}

/**
 * kpt_arch_direct_make() - find out whether a stub can record hits by itself
 * @direct: @code is set: kpt_direct_none.code if it cannot, which is no error. All else is
 *	given
 * @shape: what the records have in them
 * @nr: number of records, at most KPT_ARCH_RECORDS
 *
 * Stubs may be given @direct when kpt_arch_quiesce() has returned: then all CPUs
 * execute the code that was written.
 *
 * Context: process context, sleeps, kpt_mutex held.
 */
void kpt_arch_direct_make(struct kpt_arch_direct *direct,
			  const struct kpt_arch_shape *shape, unsigned int nr)
{
	struct recorder *r = NULL;

	lockdep_assert_held(&kpt_mutex);
	direct->code = kpt_direct_none.code;
	if (!possible)
		return;
	memset(&wanted.is, 0, sizeof(wanted.is));
	if (put_form(&wanted, shape, nr) && put_filter(&wanted, direct) &&
	    put_all_fetches(&wanted, shape) && put_all_records(&wanted, shape))
		r = find_recorder(&wanted) ?: make_recorder(&wanted);
	if (r)
		direct->code = r->entry;
}

/**
 * kpt_direct_status() - show how many recorders there are
 * @sb: a line is appended
 *
 * Context: process context, kpt_mutex held.
 */
void kpt_direct_status(struct kpt_strbuf *sb)
{
	if (possible)
		kpt_strbuf_printf(sb, "recorders: %u in %u pages\n", nr_recorders,
				  nr_pages);
	else
		kpt_strbuf_printf(sb, "recorders: none: %s\n",
				  !kpt_jump_is_possible() ? "no probe can have a stub" :
				  IS_ENABLED(CONFIG_PREEMPT_RT) ? "PREEMPT_RT" :
				  "no tracepoint task_rename");
}

/**
 * kpt_direct_exit() - free all recorders
 * @all: also their code: no CPU and no task is in a stub
 *
 * Context: process context.
 */
void kpt_direct_exit(bool all)
{
	struct recorder *r, *next;

	list_for_each_entry_safe(r, next, &recorders, list)
		kfree(r);
	while (all && nr_pages)
		kpt_mem_free(pages[--nr_pages]);
}
