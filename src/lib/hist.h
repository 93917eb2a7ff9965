/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Histograms of a hist trigger: keys and values, a map of fixed size that any CPU
 * may add to at any time, and the text of a hist file.
 */
#ifndef KPTRACE_HIST_H
#define KPTRACE_HIST_H

#include "lib/diag.h"
#include "lib/record.h"
#include "lib/strbuf.h"

#define KPT_HIST_KEYS_MAX	3
/* Values, the count of hits included. */
#define KPT_HIST_VALS_MAX	3
#define KPT_HIST_SORT_MAX	2
/* Entries are 2 to this power. */
#define KPT_HIST_BITS_MIN	7
#define KPT_HIST_BITS_DEFAULT	11
#define KPT_HIST_BITS_MAX	17
/* Bytes of a string in a key, the NUL included. */
#define KPT_HIST_TEXT_MAX	256
/* Bytes of a whole key. */
#define KPT_HIST_KEY_MAX	512
/* Characters of name= and clock=, the NUL included. */
#define KPT_HIST_NAME_MAX	64
#define KPT_HIST_CLOCK_MAX	16

/* Characters of a key or value, the NUL included. */
#define KPT_HIST_FIELD_MAX	128
/* Operators of an expression. */
#define KPT_HIST_OPERATORS_MAX	3
/* Each operand can have a modifier. */
#define KPT_HIST_OPS_MAX	(2 * (KPT_HIST_OPERATORS_MAX + 1) + \
				 KPT_HIST_OPERATORS_MAX)

/**
 * enum kpt_hist_code - operation of an instruction of a key or value
 * @KPT_HIST_TEXT: a string of the record; the only instruction of its program
 * @KPT_HIST_COMM: the current task's name; the only instruction of its program
 * @KPT_HIST_NUMBER: load a number of the record
 * @KPT_HIST_CONST: load a constant
 * @KPT_HIST_CPU: load the number of the current CPU
 * @KPT_HIST_TIME: load common_timestamp
 * @KPT_HIST_TO_LOG2: replace the value by the exponent of the least power of
 *	two that is not less
 * @KPT_HIST_TO_BUCKET: replace the value by the least one of its bucket
 * @KPT_HIST_NEGATE: negate the value
 * @KPT_HIST_PLUS: combine the last two values, see kpt_hist_combine()
 * @KPT_HIST_MINUS: likewise
 * @KPT_HIST_TIMES: likewise
 * @KPT_HIST_DIVIDE: likewise
 */
enum kpt_hist_code {
	KPT_HIST_TEXT,
	KPT_HIST_COMM,
	KPT_HIST_NUMBER,
	KPT_HIST_CONST,
	KPT_HIST_CPU,
	KPT_HIST_TIME,
	KPT_HIST_TO_LOG2,
	KPT_HIST_TO_BUCKET,
	KPT_HIST_NEGATE,
	KPT_HIST_PLUS,
	KPT_HIST_MINUS,
	KPT_HIST_TIMES,
	KPT_HIST_DIVIDE,
};

/**
 * struct kpt_hist_op - an instruction
 * @code: enum kpt_hist_code
 * @ref: for KPT_HIST_NUMBER and KPT_HIST_TEXT: the field of the record
 * @number: for KPT_HIST_CONST: the constant; for KPT_HIST_TO_BUCKET: the width of a
 *	bucket
 */
struct kpt_hist_op {
	u8 code;
	struct kpt_field_ref ref;
	u64 number;
};

enum kpt_hist_modifier {
	KPT_HIST_PLAIN,
	KPT_HIST_HEX,
	KPT_HIST_SYM,
	KPT_HIST_SYM_OFFSET,
	KPT_HIST_EXECNAME,
	KPT_HIST_LOG2,
	KPT_HIST_BUCKETS,
	KPT_HIST_USECS,
	KPT_HIST_PERCENT,
	KPT_HIST_GRAPH,
};

/**
 * struct kpt_hist_field - a key or a value
 * @nr_ops: instructions in @op
 * @modifier: enum kpt_hist_modifier, for showing it; an expression has none
 * @is_signed: it is sorted as a signed number
 * @key_offset: for keys: its offset in kpt_hist_entry.key
 * @op: the program: loads, each followed by the operations on its value, and
 *	operators after their two operands
 * @name: as written, without the modifier; a constant as a decimal number
 */
struct kpt_hist_field {
	u8 nr_ops;
	u8 modifier;
	bool is_signed;
	u16 key_offset;
	struct kpt_hist_op op[KPT_HIST_OPS_MAX];
	char name[KPT_HIST_FIELD_MAX];
};

/**
 * struct kpt_hist_sort - a sort key
 * @index: index of a value, or nr_vals + index of a key
 * @descending: largest first
 */
struct kpt_hist_sort {
	u8 index;
	bool descending;
};

/**
 * struct kpt_hist - a hist trigger as it was written
 * @nr_keys: keys in use
 * @nr_vals: values in use
 * @nr_sort: sort keys in use, at least 1
 * @bits: the map has 2 to this power entries
 * @pause: the command makes a paused trigger, or pauses an existing one
 * @cont: the command continues an existing trigger
 * @clear: the command clears an existing trigger
 * @no_hitcount: do not show the count of hits
 * @uses_time: common_timestamp is a key or value, so @clock matters
 * @time_in_usecs: common_timestamp.usecs is one
 * @keeps_comm: a task's name is kept with each entry
 * @key_size: bytes of a key, a multiple of 8
 * @key: the keys
 * @val: the values; val[0] is the count of hits
 * @sort: the sort keys
 * @name: value of name=, empty if not given
 * @clock: value of clock=, "global" if not given
 */
struct kpt_hist {
	u8 nr_keys;
	u8 nr_vals;
	u8 nr_sort;
	u8 bits;
	bool pause;
	bool cont;
	bool clear;
	bool no_hitcount;
	bool uses_time;
	bool time_in_usecs;
	bool keeps_comm;
	u16 key_size;
	struct kpt_hist_field key[KPT_HIST_KEYS_MAX];
	struct kpt_hist_field val[KPT_HIST_VALS_MAX];
	struct kpt_hist_sort sort[KPT_HIST_SORT_MAX];
	char name[KPT_HIST_NAME_MAX];
	char clock[KPT_HIST_CLOCK_MAX];
};

/**
 * struct kpt_hist_hit - a hit to count
 * @record: the record
 * @size: its bytes, at least those of its fixed part
 * @cpu: the current CPU
 * @ts: time in the unit of the clock
 * @ts_in_ns: that unit is ns
 */
struct kpt_hist_hit {
	const void *record;
	size_t size;
	unsigned int cpu;
	u64 ts;
	bool ts_in_ns;
};

/**
 * struct kpt_hist_entry - one key and its sums
 * @hash: of the key
 * @spare: next in the list of spare entries
 * @sum: values; sum[0] counts hits
 * @comm: name of the task whose hit made the entry
 * @key: kpt_hist.key_size bytes
 */
struct kpt_hist_entry {
	u32 hash;
	u32 spare;
	atomic64_t sum[KPT_HIST_VALS_MAX];
	char comm[PORT_COMM_LEN];
	u8 key[] __aligned(8);
};

/**
 * struct kpt_hist_map - entries by key, in one piece of memory
 * @bits: it holds 2 to this power entries
 * @key_size: bytes of a key
 * @entry_size: bytes of an entry
 * @next: entries given out so far
 * @spare: list of entries that were given out and not used: in the low half 1 + the
 *	number of the first, in the high half a count of changes, so that cmpxchg()
 *	of a stale value fails
 * @drops: hits that found no room
 * @slot: table of twice as many slots as entries: 1 + number of an entry, or 0
 *
 * Once a slot is set, neither it nor the key of its entry changes until the map is
 * cleared.
 */
struct kpt_hist_map {
	u32 bits;
	u32 key_size;
	u32 entry_size;
	u32 next;
	u64 spare;
	atomic64_t drops;
	u32 slot[];
};

/**
 * struct kpt_hist_view - a map, sorted, while it is shown
 * @hist: its trigger
 * @map: the map
 * @nr: entries found
 * @hits: sum of their hits
 * @total: of each value, for .percent
 * @max: of each value, for .graph
 * @order: numbers of the entries in the order of the file
 */
struct kpt_hist_view {
	const struct kpt_hist *hist;
	struct kpt_hist_map *map;
	u32 nr;
	u64 hits;
	u64 total[KPT_HIST_VALS_MAX];
	u64 max[KPT_HIST_VALS_MAX];
	u32 *order;
};

int kpt_hist_parse(struct kpt_hist *hist, const char *text,
		   const char **filter, const struct kpt_fields *fields,
		   struct kpt_diag *diag);
bool kpt_hist_same(const struct kpt_hist *a, const struct kpt_hist *b);
size_t kpt_hist_map_size(const struct kpt_hist *hist);
void kpt_hist_map_init(struct kpt_hist_map *map, const struct kpt_hist *hist);
u64 kpt_hist_map_drops(struct kpt_hist_map *map);
bool kpt_hist_add(const struct kpt_hist *hist, struct kpt_hist_map *map,
		  const struct kpt_hist_hit *hit);
void kpt_hist_view_init(struct kpt_hist_view *view, const struct kpt_hist *hist,
			struct kpt_hist_map *map, u32 *order);
void kpt_hist_show_trigger(struct kpt_strbuf *sb, const struct kpt_hist *hist,
			   const char *filter, bool paused);
void kpt_hist_show_head(struct kpt_strbuf *sb, const struct kpt_hist *hist,
			const char *filter, bool paused);
void kpt_hist_show_entry(struct kpt_strbuf *sb,
			 const struct kpt_hist_view *view, u32 i);
void kpt_hist_show_totals(struct kpt_strbuf *sb,
			  const struct kpt_hist_view *view);

/**
 * kpt_hist_is_text() - is a key or value a string?
 * @f: the key or value
 *
 * Context: any, BRK included.
 * Return: true if it is.
 */
static inline bool kpt_hist_is_text(const struct kpt_hist_field *f)
{
	return f->op[0].code == KPT_HIST_TEXT || f->op[0].code == KPT_HIST_COMM;
}

/**
 * kpt_hist_combine() - compute the value of an operator
 * @code: KPT_HIST_PLUS, _MINUS, _TIMES or _DIVIDE
 * @a: the left operand
 * @b: the right operand
 *
 * Context: any, BRK included.
 * Return: the value, modulo 2^64; all ones for a division by 0.
 */
static inline u64 kpt_hist_combine(u8 code, u64 a, u64 b)
{
	switch (code) {
	case KPT_HIST_PLUS:
		return a + b;
	case KPT_HIST_MINUS:
		return a - b;
	case KPT_HIST_TIMES:
		return a * b;
	default:
		return b ? a / b : ~0ULL;
	}
}

/**
 * kpt_hist_map_entry() - find an entry by its number
 * @map: the map
 * @i: its number
 *
 * Context: any, BRK included.
 * Return: the entry.
 */
static inline struct kpt_hist_entry *
kpt_hist_map_entry(const struct kpt_hist_map *map, u32 i)
{
	const u32 *slots_end = &map->slot[2U << map->bits];

	return (struct kpt_hist_entry *)((const u8 *)slots_end +
					 (size_t)i * map->entry_size);
}

#endif
