/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Fetch programs: the arguments of a definition, compiled once in process
 * context, and run by each hit, straight into the reserved record.
 */
#ifndef KPTRACE_FETCH_H
#define KPTRACE_FETCH_H

#include "lib/fetch/def.h"
#include "lib/record/record.h"
#include "lib/base/strbuf.h"

struct kpt_btf;

/* Characters of FETCHARG:TYPE, without NAME=. */
#define KPT_FETCH_TEXT_MAX	255
/* Nested levels of +OFFS(..), this_cpu_read(..) and this_cpu_ptr(..). */
#define KPT_FETCH_NESTED_MAX	8
/* Steps of one argument, without those that hold an immediate string. */
#define KPT_FETCH_STEPS_MAX	16
/* Bytes of the fixed part that all arguments of an event may take together. */
#define KPT_FETCH_FIXED_MAX	3072
/* Values of the function entry that a return event may use. */
#define KPT_FETCH_ENTRY_MAX	16

/**
 * struct kpt_fetch_step - one step of a program
 * @op: enum kpt_fetch_op of fetch_internal.h
 * @a: small operand (register, size)
 * @b: small operand (place in the record)
 * @c: small operand (number of elements)
 * @imm: large operand (address, offset in bytes, immediate)
 */
struct kpt_fetch_step {
	u8 op;
	u8 a;
	u16 b;
	u32 c;
	u64 imm;
};

/**
 * struct kpt_fetch_prog - program of all arguments of one probe
 * @size: bytes of the fixed part of the record, the head included
 * @room: bytes behind the fixed part that are known in advance: for names of
 *	tasks and immediate strings
 * @has_strings: there are strings whose length kpt_fetch_measure() finds
 * @only_registers: every step but the last is KPT_FETCH_REG64
 * @only_fields: every argument has two steps: a number of another record is read,
 *	see kpt_fetch_number(), and stored at @b of the second step with 8 bytes
 * @has_symbols: it looks up addresses as symbols
 * @needs_elapsed: it uses kpt_fetch_source.elapsed
 * @nr_entry: number of values to keep at function entry for the return
 * @nr_steps: number of steps in @step; 0: it is never run, and has no end
 * @dynamic_step: index of the first step of dynamic arguments, which come last
 * @entry_arg: the argument that each kept value is: N of $argN, for
 *	kpt_fetch_arg_value()
 * @step: the program
 */
struct kpt_fetch_prog {
	u16 size;
	u16 room;
	bool has_strings;
	bool only_registers;
	bool only_fields;
	bool has_symbols;
	bool needs_elapsed;
	u16 nr_entry;
	u16 nr_steps;
	u16 dynamic_step;
	u16 entry_arg[KPT_FETCH_ENTRY_MAX];
	struct kpt_fetch_step step[];
};

/**
 * struct kpt_fetch_source - the hit that a program reads from
 * @regs: registers at the probed address
 * @entry: values kept at function entry, in the order of
 *	kpt_fetch_prog.entry_arg
 * @elapsed: time between entry and return in ns, for $elapsed
 * @record: of a hit that is a record: what kpt_fetch_place.source describes. Nothing
 *	of an entry is kept for it
 * @size: its bytes
 */
struct kpt_fetch_source {
	const struct user_pt_regs *regs;
	union {
		const u64 *entry;
		const void *record;
	};
	union {
		u64 elapsed;
		size_t size;
	};
};

/**
 * struct kpt_fetch_types - what the names in arguments mean
 * @btf: types of the module that the function is in, else of the kernel; NULL if
 *	there are none
 * @func: the function among them (KPT_BTF_FUNC), 0 if it is not. If there are
 *	several of its name, the first
 * @why: if @btf is NULL, the reason
 */
struct kpt_fetch_types {
	const struct kpt_btf *btf;
	u32 func;
	char why[KPT_DIAG_DETAIL_MAX];
};

/**
 * struct kpt_fetch_place - where the program will run
 * @head: how the records begin
 * @is_return: at the return of a function
 * @is_entry: at the entry of a function, where $argN is allowed
 * @hidden: number of parameters before the one that is $arg1
 * @is_pending: in a module that is not loaded yet: unknown symbols have the
 *	address 0; compile again when the module has been loaded
 * @by_text: types are only what the text says, because the definition was
 *	accepted before the module was loaded
 * @find_types: fills in @types; called once at most, as it may take long. NULL if
 *	there are none
 * @source: at the records of an event: their shape, whose fields the arguments
 *	name; NULL at a place in text
 */
struct kpt_fetch_place {
	const struct kpt_head *head;
	bool is_return;
	bool is_entry;
	u8 hidden;
	bool is_pending;
	bool by_text;
	void (*find_types)(const struct kpt_fetch_place *place,
			   struct kpt_fetch_types *types);
	const struct kpt_fields *source;
};

/*
 * Steps of the longest program: those of each argument, those that hold
 * immediate strings (together no longer than the definition), and the end.
 */
#define KPT_FETCH_ROOM							\
	(KPT_ARGS_MAX * (KPT_FETCH_STEPS_MAX + 1) +			\
	 KPT_DEF_MAX / sizeof(struct kpt_fetch_step) + 1)

/**
 * struct kpt_fetch_named - an argument whose values are to be shown by their names
 * @btf: the blob that has them; NULL of any other argument
 * @type: number of the enumeration
 * @size: bytes of the numbers in the record
 */
struct kpt_fetch_named {
	const struct kpt_btf *btf;
	u32 type;
	u8 size;
};

/**
 * struct kpt_fetch_scratch - results of the compiler
 * @fields: names, types and offsets of the arguments, but not kpt_field.names
 * @field_room: memory for @fields.field
 * @named: of each argument, where these are
 * @prog: the program
 * @step_room: memory for @prog.step
 * @listing: the arguments as kprobe_events lists them: " name=fetcharg:type"
 *	for each, after expansion
 * @listing_buf: memory for @listing
 *
 * Too large for the stack. kpt_fields_size() and kpt_fetch_prog_size() say how
 * much of @fields and @prog is worth a copy.
 */
struct kpt_fetch_scratch {
	struct kpt_fields fields;
	struct kpt_field field_room[KPT_ARGS_MAX];
	struct kpt_fetch_named named[KPT_ARGS_MAX];
	struct kpt_fetch_prog prog;
	struct kpt_fetch_step step_room[KPT_FETCH_ROOM];
	struct kpt_strbuf listing;
	char listing_buf[3 * KPT_DEF_MAX];
};

int kpt_fetch_compile(struct kpt_fetch_scratch *out, const struct kpt_def *def,
		      const struct kpt_fetch_place *place,
		      struct kpt_diag *diag);
size_t kpt_fetch_measure(const struct kpt_fetch_prog *prog,
			 const struct kpt_fetch_source *src);

/**
 * kpt_fetch_size() - bytes of the record of a hit
 * @prog: the program
 * @src: the hit
 *
 * An upper bound of what kpt_fetch_exec() uses. A string that grows between the
 * two calls is cut.
 *
 * Context: BRK.
 * Return: bytes, the head included.
 */
static inline size_t kpt_fetch_size(const struct kpt_fetch_prog *prog,
				    const struct kpt_fetch_source *src)
{
	return prog->size + prog->room +
	       (prog->has_strings ? kpt_fetch_measure(prog, src) : 0);
}

/* The commonest operation: register step->a to offset step->b. */
#define KPT_FETCH_REG64 0

/**
 * kpt_fetch_registers() - run a program up to the first other step than
 * KPT_FETCH_REG64
 * @prog: the program
 * @regs: registers at the probed address
 * @record: start of the record
 *
 * Context: BRK.
 * Return: that step.
 */
static __always_inline const struct kpt_fetch_step *
kpt_fetch_registers(const struct kpt_fetch_prog *prog,
		    const struct user_pt_regs *regs, void *record)
{
	const struct kpt_fetch_step *s = prog->step;
	/* Its members are 34 u64: use it as an array. */
	const u64 *reg = (const u64 *)regs;

	/* Fields of the record are not aligned. */
	for (; s->op == KPT_FETCH_REG64; s++)
		memcpy((u8 *)record + s->b, &reg[s->a], sizeof(u64));
	return s;
}

/**
 * struct kpt_fetch_copy - a register that a program copies to the record
 * @reg: its index, with struct user_pt_regs as an array
 * @size: bytes of it that are copied, the low ones: 1, 2, 4 or 8
 * @offset: where they are in the record
 */
struct kpt_fetch_copy {
	u8 reg;
	u8 size;
	u16 offset;
};

extern const struct kpt_fetch_prog kpt_fetch_parent, kpt_fetch_call, kpt_fetch_graph;

int kpt_fetch_copies(const struct kpt_fetch_prog *prog,
		     struct kpt_fetch_copy *copy, unsigned int max);
u32 kpt_fetch_regs_read(const struct kpt_fetch_prog *prog);
unsigned int kpt_fetch_first(const struct kpt_fetch_prog *prog);
unsigned int kpt_fetch_find_copies(const struct kpt_fetch_prog *prog,
				   struct kpt_fetch_copy *copy, unsigned int max);

/* In operand a of a step that reads a field, besides kpt_field_shift(): it is signed. */
#define KPT_FETCH_SIGNED 0x40

/**
 * kpt_fetch_number() - read the field of a step that reads one
 * @s: the step: kpt_field_shift() in @a, kpt_field_base() in @c, and in @imm how far
 *	the number is shifted back
 * @record: the record that has the field
 *
 * Context: BRK.
 * Return: the number, its sign extended.
 */
static __always_inline u64 kpt_fetch_number(const struct kpt_fetch_step *s,
					    const void *record)
{
	u64 v = kpt_field_load(record, s->c, s->a % KPT_FETCH_SIGNED);

	return s->a & KPT_FETCH_SIGNED ? (u64)((s64)v >> s->imm) : v >> s->imm;
}

/**
 * kpt_fetch_fields() - run a program with only_fields
 * @prog: the program
 * @source: the record that has the fields
 * @record: start of the record to fill
 *
 * Context: BRK.
 */
static __always_inline void
kpt_fetch_fields(const struct kpt_fetch_prog *prog, const void *source,
		 void *record)
{
	const struct kpt_fetch_step *s = prog->step;
	const struct kpt_fetch_step *end = s + prog->nr_steps - 1;
	u64 value;

	for (; s < end; s += 2) {
		value = kpt_fetch_number(s, source);
		memcpy((u8 *)record + s[1].b, &value, sizeof(value));
	}
}

size_t kpt_fetch_steps(const struct kpt_fetch_prog *prog,
		       const struct kpt_fetch_source *src, void *record,
		       size_t size, bool is_measured);

/**
 * kpt_fetch_exec() - fill the arguments of a record
 * @prog: the program
 * @src: the hit
 * @record: start of the record, its head included
 * @size: bytes of the record, from kpt_fetch_size()
 *
 * Writes from the first argument up to @size. A value that cannot be read
 * becomes the fault value of its type: 0 for numbers, a data_loc of length 0
 * for strings. +OFFS(..) reads kernel memory, but user memory if the address is
 * a user address, as mainline does where the two do not overlap.
 *
 * Context: BRK.
 */
static __always_inline void
kpt_fetch_exec(const struct kpt_fetch_prog *prog,
	       const struct kpt_fetch_source *src, void *record, size_t size)
{
	if (prog->only_registers)
		kpt_fetch_registers(prog, src->regs, record);
	else
		kpt_fetch_steps(prog, src, record, size, true);
}

/**
 * kpt_fetch_try() - fill the arguments of a record if it is small
 * @prog: the program
 * @src: the hit
 * @record: start of the record
 * @size: bytes at @record
 *
 * As kpt_fetch_exec() after kpt_fetch_size(), but reads each string only once.
 *
 * Context: BRK.
 * Return: bytes of the record; 0 if it may need more than @size.
 */
static __always_inline size_t
kpt_fetch_try(const struct kpt_fetch_prog *prog,
	      const struct kpt_fetch_source *src, void *record, size_t size)
{
	if (prog->size > size)
		return 0;
	if (!prog->only_registers)
		return kpt_fetch_steps(prog, src, record, size, false);
	kpt_fetch_registers(prog, src->regs, record);
	return prog->size;
}

u64 kpt_fetch_arg_value(const struct user_pt_regs *regs, unsigned int n);
unsigned int kpt_fields_same(const struct kpt_fields *a,
			     const struct kpt_fields *b);

/**
 * kpt_fields_size() - memory of a shape
 * @f: the shape
 *
 * Context: any.
 * Return: bytes, @f->field included.
 */
static inline size_t kpt_fields_size(const struct kpt_fields *f)
{
	return sizeof(*f) + f->nr * sizeof(f->field[0]);
}

/**
 * kpt_fetch_prog_size() - memory of a program
 * @p: the program
 *
 * Context: any.
 * Return: bytes, @p->step included.
 */
static inline size_t kpt_fetch_prog_size(const struct kpt_fetch_prog *p)
{
	return sizeof(*p) + p->nr_steps * sizeof(p->step[0]);
}

#endif
