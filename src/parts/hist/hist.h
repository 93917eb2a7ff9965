/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Histograms of a hist trigger: keys and values, a map of fixed size that any CPU
 * may add to at any time, and the text of a hist file.
 */
#ifndef KPTRACE_HIST_H
#define KPTRACE_HIST_H

#include "lib/base/diag.h"
#include "lib/record/record.h"
#include "lib/base/strbuf.h"

struct kpt_similar;

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
#define KPT_HIST_KEY_MAX	640
/* Bytes of a stack: the number of words that follow, and the addresses. */
#define KPT_HIST_STACK_MAX	256
#define KPT_HIST_VARS_MAX	16
/* Variables of other histograms that one trigger reads. */
#define KPT_HIST_REFS_MAX	8
#define KPT_HIST_ACTIONS_MAX	8
/* Parameters of all actions of a trigger. */
#define KPT_HIST_PARAMS_MAX	64
/* Characters of all actions of a trigger, the NUL included. */
#define KPT_HIST_ACTIONS_TEXT	1024
/* A string or stack that a variable or save() keeps. */
#define KPT_HIST_BLOB_MAX	256
/* Variables that keep a field for a trigger of another event begin with this. */
#define KPT_HIST_HELPER		"synthetic_"
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
 * @KPT_HIST_ENTRY_COMM: the name of the task whose hit made the entry; likewise
 * @KPT_HIST_STACK: the stack of the hit; the only instruction of its program
 * @KPT_HIST_USER_STACK: the stack of the program; likewise. In a key the process is before
 *	the addresses, as others have other code there
 * @KPT_HIST_FIELD_STACK: a stack of the record; likewise
 * @KPT_HIST_VAR_TEXT: a string in kpt_hist_hit.var; likewise
 * @KPT_HIST_VAR_STACK: a stack in kpt_hist_hit.var; likewise
 * @KPT_HIST_OWN_TEXT: a string of the entry; likewise
 * @KPT_HIST_OWN_STACK: a stack of the entry; likewise
 * @KPT_HIST_NUMBER: load a number of the record
 * @KPT_HIST_CONST: load a constant
 * @KPT_HIST_CPU: load the number of the current CPU
 * @KPT_HIST_TASK: load a number of the current task
 * @KPT_HIST_TIME: load common_timestamp
 * @KPT_HIST_VAR: load a number of kpt_hist_hit.var
 * @KPT_HIST_OWN: load a number of kpt_hist_hit.own
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
	KPT_HIST_ENTRY_COMM,
	KPT_HIST_STACK,
	KPT_HIST_USER_STACK,
	KPT_HIST_FIELD_STACK,
	KPT_HIST_VAR_TEXT,
	KPT_HIST_VAR_STACK,
	KPT_HIST_OWN_TEXT,
	KPT_HIST_OWN_STACK,
	KPT_HIST_NUMBER,
	KPT_HIST_CONST,
	KPT_HIST_CPU,
	KPT_HIST_TASK,
	KPT_HIST_TIME,
	KPT_HIST_VAR,
	KPT_HIST_OWN,
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
 * @ref: for KPT_HIST_NUMBER, _TEXT and _FIELD_STACK: the field of the record
 * @base: for KPT_HIST_NUMBER: kpt_field_base() of @ref
 * @left: likewise: kpt_field_shift()
 * @right: likewise: how far the number is shifted back
 * @number: for KPT_HIST_CONST: the constant; for KPT_HIST_TO_BUCKET: the width of a
 *	bucket; for KPT_HIST_TASK: enum port_task_number; for KPT_HIST_TIME: divide ns by it;
 *	for KPT_HIST_VAR...: index in kpt_hist_hit.var; for KPT_HIST_OWN: in
 *	kpt_hist_hit.own, for other KPT_HIST_OWN...: number of the blob
 */
struct kpt_hist_op {
	u8 code;
	struct kpt_field_ref ref;
	union {
		struct {
			u16 base;
			u8 left;
			u8 right;
		};
		u64 number;
	};
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
	KPT_HIST_SYSCALL,
	KPT_HIST_STACKTRACE,
};

/* The unit of a value. KPT_HIST_NO_UNIT can be combined with both others. */
enum kpt_hist_unit { KPT_HIST_NO_UNIT, KPT_HIST_NS, KPT_HIST_US };

/**
 * struct kpt_hist_field - a key, a value, a variable or a parameter of an action
 * @nr_ops: instructions in @op
 * @modifier: enum kpt_hist_modifier, for showing it; an expression has none
 * @is_signed: it is sorted as a signed number
 * @size: bytes of its first operand; of values that are not in the record 8, of the CPU 4
 * @type: KPT_TYPE_SYNTH_BOOL or KPT_TYPE_SYNTH_CHAR, if the type of its first operand has
 *	that name; or its type, if values have a form of their own; else 0
 * @names: kpt_field.names of its first operand
 * @unit: enum kpt_hist_unit
 * @key_offset: for keys: its offset in kpt_hist_entry.key
 * @op: the program: loads, each followed by the operations on its value, and
 *	operators after their two operands
 * @name: as written, without the modifier; a constant as a decimal number
 */
struct kpt_hist_field {
	u8 nr_ops;
	u8 modifier;
	bool is_signed;
	u8 size;
	u8 type;
	u8 unit;
	u16 key_offset;
	const struct kpt_enum *names;
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

struct kpt_hist;
struct kpt_hist_entry;
struct kpt_hist_map;

/**
 * struct kpt_hist_var - a variable
 * @value: its value
 * @place: number of its word in an entry, or for a string or stack of its blob
 * @name: its name
 */
struct kpt_hist_var {
	struct kpt_hist_field value;
	u8 place;
	char name[KPT_HIST_NAME_MAX];
};

/**
 * struct kpt_hist_ref - a variable of another histogram that hits read
 * @owner: the trigger that defines it; only functions of struct kpt_hist_scope know its type
 * @map: its histogram
 * @hist: its trigger
 * @var: index in kpt_hist.var of that trigger
 * @place: kpt_hist_var.place of that
 * @is_number: it is neither a string nor a stack
 * @nr_keys: keys of that trigger, if it has fewer: the first ones are looked up; else 0
 * @is_once: reading it unsets it
 */
struct kpt_hist_ref {
	void *owner;
	struct kpt_hist_map *map;
	const struct kpt_hist *hist;
	u8 var;
	u8 place;
	bool is_number;
	u8 nr_keys;
	bool is_once;
};

enum kpt_hist_handler { KPT_HIST_ONMATCH, KPT_HIST_ONMAX, KPT_HIST_ONCHANGE };
enum kpt_hist_deed { KPT_HIST_TRACE, KPT_HIST_SAVE, KPT_HIST_SNAPSHOT };

/**
 * struct kpt_hist_action - HANDLER(...).ACTION(...)
 * @handler: enum kpt_hist_handler
 * @deed: enum kpt_hist_deed
 * @word: of onmax and onchange: the word of an entry that has the value; of save()
 *	the next one is its lock
 * @tracked: of onmax and onchange: the variable
 * @first: index of its first parameter in kpt_hist.param
 * @nr: number of parameters
 * @only_numbers: of KPT_HIST_TRACE: all parameters are numbers
 * @synth: of KPT_HIST_TRACE: the event; only functions of struct kpt_hist_scope know its type
 */
struct kpt_hist_action {
	u8 handler;
	u8 deed;
	u8 word;
	struct kpt_hist_field tracked;
	u8 first;
	u8 nr;
	bool only_numbers;
	void *synth;
};

/**
 * struct kpt_hist_param - a parameter of an action
 * @value: its value
 * @place: of save(): number of the word or blob where it is kept
 */
struct kpt_hist_param {
	struct kpt_hist_field value;
	u8 place;
};

/**
 * struct kpt_hist_scope - what the text of a trigger may refer to
 * @find_var: finds a variable by its name, in the event GROUP.EVENT or, if @event is
 *	NULL, in any one. Returns the number of events that have it, and sets
 *	@ref->owner, @map, @hist and @var if that is 1
 * @has_var: does another trigger of the same event define a variable?
 * @has_event: is there an event GROUP.EVENT, whose text is @name?
 * @is_own_event: is GROUP.EVENT the event of the trigger?
 * @field_var: finds or makes a variable that keeps a field of the event GROUP.EVENT, in
 *	a histogram with keys like those of @hist. Sets @ref and returns KPT_E_NONE; or
 *	returns the reason why it cannot
 * @synth_fields: fields of a synthetic event, or NULL; sets *@synth
 * @see_vars: sees the variables that @find_var may find
 * @tell_event: says in a reason which event may have been meant by GROUP.EVENT, or by the
 *	name of a synthetic event
 *
 * Called in process context.
 */
struct kpt_hist_scope {
	unsigned int (*find_var)(const struct kpt_hist_scope *scope,
				 const char *event, size_t event_len,
				 const char *name, size_t len,
				 struct kpt_hist_ref *ref);
	bool (*has_var)(const struct kpt_hist_scope *scope, const char *name,
			size_t len);
	bool (*has_event)(const struct kpt_hist_scope *scope, const char *event,
			  size_t len);
	bool (*is_own_event)(const struct kpt_hist_scope *scope, const char *event,
			     size_t len);
	enum kpt_diag_code (*field_var)(const struct kpt_hist_scope *scope,
					const struct kpt_hist *hist,
					const char *event, size_t event_len,
					const char *field, size_t len,
					struct kpt_hist_ref *ref);
	const struct kpt_fields *(*synth_fields)(const struct kpt_hist_scope *scope,
						 const char *name, size_t len,
						 void **synth);
	void (*see_vars)(const struct kpt_hist_scope *scope, const char *event,
			 size_t event_len, struct kpt_similar *s);
	void (*tell_event)(const struct kpt_hist_scope *scope, const char *name, size_t len,
			   struct kpt_diag *diag);
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
 * @uses_time: common_timestamp is used, so @clock matters
 * @uses_stack: common_stacktrace is
 * @uses_user_stack: common_userstacktrace is
 * @uses_cpu: common_cpu is
 * @is_related: it has variables, references or actions, or @uses_stack
 * @is_quick: its key is one number of the record as it is, so are its values, and it is not
 *	@is_related: see kpt_hist_add_quick()
 * @is_numeric: the same for one that is @is_related, but has no more than numbers: see
 *	kpt_hist_add_numbers()
 * @is_leaf: neither is enough, but all are numbers that no call computes. Keys, variables and
 *	values are numbers of the record and the time, or powers of two and buckets of these;
 *	the latter two also variables, and sums and differences of two: see kpt_hist_add_leaf()
 * @is_plain: @is_leaf and @is_numeric, and nothing is a power of two or a bucket
 * @has_parts: some of @ref have fewer keys
 * @keeps_comm: a task's name is kept with each entry
 * @key_size: bytes of a key, a multiple of 8
 * @key: the keys
 * @val: the values; val[0] is the count of hits
 * @sort: the sort keys
 * @name: value of name=, empty if not given
 * @clock: value of clock=, "global" if not given
 * @nr_vars: variables in use
 * @nr_refs: references in use
 * @nr_actions: actions in use
 * @nr_params: parameters in use
 * @nr_words: numbers that each entry keeps for variables and actions
 * @nr_blobs: strings and stacks that each entry keeps for them
 * @var: the variables
 * @ref: the variables of other histograms that it reads
 * @action: the actions
 * @param: their parameters
 * @actions: the actions as written, with a ':' before each
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
	bool uses_stack;
	bool uses_user_stack;
	bool uses_cpu;
	bool is_related;
	bool is_quick;
	bool is_numeric;
	bool is_leaf;
	bool is_plain;
	bool has_parts;
	bool keeps_comm;
	u16 key_size;
	struct kpt_hist_field key[KPT_HIST_KEYS_MAX];
	struct kpt_hist_field val[KPT_HIST_VALS_MAX];
	struct kpt_hist_sort sort[KPT_HIST_SORT_MAX];
	char name[KPT_HIST_NAME_MAX];
	char clock[KPT_HIST_CLOCK_MAX];
	u8 nr_vars;
	u8 nr_refs;
	u8 nr_actions;
	u8 nr_params;
	u8 nr_words;
	u8 nr_blobs;
	struct kpt_hist_var var[KPT_HIST_VARS_MAX];
	struct kpt_hist_ref ref[KPT_HIST_REFS_MAX];
	struct kpt_hist_action action[KPT_HIST_ACTIONS_MAX];
	struct kpt_hist_param param[KPT_HIST_PARAMS_MAX];
	char actions[KPT_HIST_ACTIONS_TEXT];
};

/**
 * struct kpt_hist_hit - a hit to count
 * @record: the record
 * @size: its bytes, at least those of its fixed part
 * @cpu: the current CPU
 * @ts: time in the unit of the clock
 * @ts_in_ns: that unit is ns
 * @stack: the number of addresses of its stack, and these; if kpt_hist.uses_stack
 * @entry: its entry, once it is found
 * @own: numbers of kpt_hist.var by their places, as this hit has set them
 * @var: values of kpt_hist.ref: numbers, and addresses of strings and stacks
 */
struct kpt_hist_hit {
	const void *record;
	size_t size;
	unsigned int cpu;
	u64 ts;
	bool ts_in_ns;
	const u64 *stack;
	struct kpt_hist_entry *entry;
	u64 *own;
	u64 *var;
};

/**
 * struct kpt_hist_entry - one key and its sums
 * @hash: of the key
 * @spare: next in the list of spare entries
 * @sum: values; sum[0] counts hits
 * @comm: name of the task whose hit made the entry
 * @key: kpt_hist.key_size bytes, then kpt_hist.nr_words words and .nr_blobs blobs
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
 * @shift: the high bits of a hash, shifted by this, are the index of a slot
 * @entry_size: bytes of an entry
 * @entries: offset of the first entry in the map
 * @words: offset of the words in kpt_hist_entry.key
 * @blobs: offset of the blobs in kpt_hist_entry.key
 * @next: entries given out so far
 * @spare: list of entries that were given out and not used: in the low half 1 + the
 *	number of the first, in the high half a count of changes, so that cmpxchg()
 *	of a stale value fails
 * @drops: hits that found no room
 * @unmatched: hits that did nothing because a variable was not set
 * @slot: table of twice as many slots as entries: 1 + number of an entry, or 0
 *
 * Once a slot is set, neither it nor the key of its entry changes until the map is
 * cleared. What is before @next never changes: hits of other triggers may read variables
 * while the map is cleared.
 */
struct kpt_hist_map {
	u32 bits;
	u32 shift;
	u32 entry_size;
	u32 entries;
	u32 words;
	u32 blobs;
	u32 next;
	u64 spare;
	atomic64_t drops;
	atomic64_t unmatched;
	u32 slot[];
};

/**
 * struct kpt_hist_snap - the last snapshot that an action has had taken
 * @seq: twice the number of hits that have looked at it; odd while one does
 * @value: the value of onmax() or onchange() that it was taken for
 * @entry: the entry with that value, NULL if there was no snapshot
 */
struct kpt_hist_snap {
	u64 seq;
	u64 value;
	struct kpt_hist_entry *entry;
};

/**
 * struct kpt_hist_view - a map, sorted, while it is shown
 * @hist: its trigger
 * @map: the map
 * @nr: entries found
 * @hits: sum of their hits
 * @total: of each value, for .percent
 * @max: of each value, for .graph
 * @snap: of each action: its last snapshot; or NULL for none
 * @options: KPT_OPT_ESCAPE_TEXT and KPT_OPT_SYM_CALLER
 * @order: numbers of the entries in the order of the file
 */
struct kpt_hist_view {
	const struct kpt_hist *hist;
	struct kpt_hist_map *map;
	u32 nr;
	u64 hits;
	u64 total[KPT_HIST_VALS_MAX];
	u64 max[KPT_HIST_VALS_MAX];
	const struct kpt_hist_snap *snap;
	u64 options;
	u32 *order;
};

int kpt_hist_parse(struct kpt_hist *hist, const char *text,
		   const char **filter, const struct kpt_fields *fields,
		   const struct kpt_hist_scope *scope, struct kpt_diag *diag);
bool kpt_hist_same_key_types(const struct kpt_hist *a, const struct kpt_hist *b);
bool kpt_hist_same_keys(const struct kpt_hist *a, const struct kpt_hist *b);
bool kpt_hist_same(const struct kpt_hist *a, const struct kpt_hist *b);
size_t kpt_hist_map_size(const struct kpt_hist *hist);
void kpt_hist_map_init(struct kpt_hist_map *map, const struct kpt_hist *hist);
u64 kpt_hist_map_drops(struct kpt_hist_map *map);
bool kpt_hist_add(const struct kpt_hist *hist, struct kpt_hist_map *map,
		  const struct kpt_hist_hit *hit);
bool kpt_hist_add_related(const struct kpt_hist *hist, struct kpt_hist_map *map,
			  struct kpt_hist_hit *hit);
void kpt_hist_keep_blob(const struct kpt_hist_map *map,
			const struct kpt_hist_field *f,
			const struct kpt_hist_hit *hit, u8 *to);
u64 kpt_hist_tracked(const struct kpt_hist_map *map, struct kpt_hist_entry *e,
		     const struct kpt_hist_action *a);
bool kpt_hist_fires(const struct kpt_hist *hist, struct kpt_hist_map *map,
		    const struct kpt_hist_action *action,
		    const struct kpt_hist_hit *hit, u64 *value);
bool kpt_hist_snap(struct kpt_hist_snap *snap, const struct kpt_hist_action *a,
		   struct kpt_hist_entry *e, u64 v);
void kpt_hist_snap_read(struct kpt_hist_snap *copy, struct kpt_hist_snap *snap);
const char *kpt_hist_text(const struct kpt_hist_map *map,
			  const struct kpt_hist_field *f,
			  const struct kpt_hist_hit *hit, size_t *len);
const u64 *kpt_hist_stack(const struct kpt_hist_map *map,
			  const struct kpt_hist_field *f,
			  const struct kpt_hist_hit *hit);
void kpt_hist_view_init(struct kpt_hist_view *view, const struct kpt_hist *hist,
			struct kpt_hist_map *map, u32 *order);
void kpt_hist_put_modifier(struct kpt_strbuf *sb, const struct kpt_hist_field *f);
void kpt_hist_show_keys(struct kpt_strbuf *sb, const struct kpt_hist *hist);
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
	u8 code = f->op[0].code;

	return code == KPT_HIST_TEXT || code == KPT_HIST_COMM ||
	       code == KPT_HIST_ENTRY_COMM || code == KPT_HIST_VAR_TEXT ||
	       code == KPT_HIST_OWN_TEXT;
}

/**
 * kpt_hist_is_stack() - is a key or value a stack?
 * @f: the key or value
 *
 * Context: any, BRK included.
 * Return: true if it is.
 */
static inline bool kpt_hist_is_stack(const struct kpt_hist_field *f)
{
	u8 code = f->op[0].code;

	return code == KPT_HIST_STACK || code == KPT_HIST_USER_STACK ||
	       code == KPT_HIST_FIELD_STACK ||
	       code == KPT_HIST_VAR_STACK || code == KPT_HIST_OWN_STACK;
}

/**
 * kpt_hist_is_number() - is a key or value a number?
 * @f: the key or value
 *
 * Context: any, BRK included.
 * Return: true if it is.
 */
static inline bool kpt_hist_is_number(const struct kpt_hist_field *f)
{
	return f->op[0].code >= KPT_HIST_NUMBER;
}

/**
 * kpt_hist_special_name() - the name of what is not in the record, however it was written
 * @f: a key or value
 *
 * Context: any.
 * Return: the name; NULL if @f->name is all that names it.
 */
static inline const char *kpt_hist_special_name(const struct kpt_hist_field *f)
{
	if (f->nr_ops > 1 && f->modifier == KPT_HIST_PLAIN)
		return NULL;
	switch (f->op[0].code) {
	case KPT_HIST_CPU:
		return "common_cpu";
	case KPT_HIST_COMM:
		return "common_comm";
	case KPT_HIST_STACK:
		return "common_stacktrace";
	case KPT_HIST_USER_STACK:
		return "common_userstacktrace";
	default:
		return NULL;
	}
}

/**
 * kpt_hist_word() - find a number that an entry keeps
 * @map: its map
 * @e: the entry
 * @i: the number's place
 *
 * Context: any, BRK included.
 * Return: the number.
 */
static inline u64 *kpt_hist_word(const struct kpt_hist_map *map,
				 struct kpt_hist_entry *e, u32 i)
{
	return (u64 *)(e->key + map->words) + i;
}

/**
 * kpt_hist_blob() - find a string or stack that an entry keeps
 * @map: its map
 * @e: the entry
 * @i: its place
 *
 * Context: any, BRK included.
 * Return: KPT_HIST_BLOB_MAX bytes.
 */
static inline u8 *kpt_hist_blob(const struct kpt_hist_map *map,
				struct kpt_hist_entry *e, u32 i)
{
	return e->key + map->blobs + i * KPT_HIST_BLOB_MAX;
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
	return (struct kpt_hist_entry *)((const u8 *)map + map->entries +
					 (size_t)i * map->entry_size);
}

#endif
