/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Fetch programs: what the arguments of a definition become. Compiled once,
 * in process context; run on each hit, straight into the reserved record.
 */
#ifndef KPTRACE_FETCH_H
#define KPTRACE_FETCH_H

#include "lib/def.h"
#include "lib/record.h"
#include "lib/strbuf.h"

/* Characters of FETCHARG:TYPE, without NAME=. */
#define KPT_FETCH_TEXT_MAX	255
/* Levels of +OFFS(..), this_cpu_read(..) and this_cpu_ptr(..) in each other. */
#define KPT_FETCH_NESTED_MAX	8
/* Steps one argument may need, beyond the bytes of an immediate string. */
#define KPT_FETCH_STEPS_MAX	16
/* Fixed bytes that all arguments of one event may take together. */
#define KPT_FETCH_FIXED_MAX	3072
/* Values of function entry that a return event may keep. */
#define KPT_FETCH_ENTRY_MAX	16

/**
 * struct kpt_fetch_step - one step of a program
 * @op: enum kpt_fetch_op of fetch_internal.h
 * @a: small operand (register, size)
 * @b: small operand (place in the record)
 * @c: small operand (number of elements)
 * @imm: large operand (address, offset, immediate)
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
 * @room: bytes that may follow it whatever is hit: names of tasks, immediates
 * @has_strings: more follows, of a length that has to be measured
 * @only_registers: nothing but whole registers is stored
 * @has_symbols: addresses are looked up as symbols when it runs
 * @needs_elapsed: the time between entry and return is asked for
 * @nr_entry: values to keep at function entry for the return
 * @nr_steps: how many of @step are used
 * @dynamic_step: where the steps of dynamic arguments begin, which come last
 * @entry_arg: which argument ($argN, 1-based) each kept value is; for
 *	kpt_fetch_arg_value()
 * @step: the program
 */
struct kpt_fetch_prog {
	u16 size;
	u16 room;
	bool has_strings;
	bool only_registers;
	bool has_symbols;
	bool needs_elapsed;
	u16 nr_entry;
	u16 nr_steps;
	u16 dynamic_step;
	u16 entry_arg[KPT_FETCH_ENTRY_MAX];
	struct kpt_fetch_step step[];
};

/**
 * struct kpt_fetch_source - what a program reads from
 * @regs: registers at the probed address
 * @entry: values kept at function entry, in the order of entry_arg[]
 * @elapsed: ns between entry and return, for $elapsed
 */
struct kpt_fetch_source {
	const struct user_pt_regs *regs;
	const u64 *entry;
	u64 elapsed;
};

/**
 * struct kpt_fetch_place - where the program will run
 * @head: how the records begin
 * @is_return: at the return of a function
 * @is_entry: at the entry of a function ($argN is allowed)
 * @is_pending: in a module that is not loaded yet: symbols that are not known
 *	count as 0; compile again when the module has come
 */
struct kpt_fetch_place {
	const struct kpt_head *head;
	bool is_return;
	bool is_entry;
	bool is_pending;
};

/*
 * Steps of the longest program: of each argument, of all immediate strings
 * (which can not be longer than the definition), and the end.
 */
#define KPT_FETCH_ROOM							\
	(KPT_ARGS_MAX * (KPT_FETCH_STEPS_MAX + 1) +			\
	 KPT_DEF_MAX / sizeof(struct kpt_fetch_step) + 1)

/**
 * struct kpt_fetch_scratch - room for the compiler's results
 * @fields: names, types and offsets
 * @field_room: storage behind @fields
 * @prog: the program
 * @step_room: storage behind @prog
 * @listing: the arguments as kprobe_events lists them: " name=fetcharg:type"
 *	for each, after expansion
 * @listing_buf: storage of @listing
 *
 * Large: allocate it, and copy what is kept with kpt_fields_size() and
 * kpt_fetch_prog_size().
 */
struct kpt_fetch_scratch {
	struct kpt_fields fields;
	struct kpt_field field_room[KPT_ARGS_MAX];
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
 * kpt_fetch_size() - bytes of the record of this hit
 * @prog: the program
 * @src: the hit
 *
 * An upper bound on what kpt_fetch_exec() will use; memory that changes
 * between the two calls is cut, never overrun.
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

/* The commonest operation, step->a to step->b; the others are private. */
#define KPT_FETCH_REG64 0

/**
 * kpt_fetch_registers() - the beginning of a program that is registers only
 * @prog: the program
 * @regs: registers at the probed address
 * @record: start of the record
 *
 * Context: BRK.
 * Return: the step at which it is something else.
 */
static __always_inline const struct kpt_fetch_step *
kpt_fetch_registers(const struct kpt_fetch_prog *prog,
		    const struct user_pt_regs *regs, void *record)
{
	const struct kpt_fetch_step *s = prog->step;
	/* By number: the members are an array of 34. */
	const u64 *reg = (const u64 *)regs;

	/* Fields lie in the record without alignment. */
	for (; s->op == KPT_FETCH_REG64; s++)
		memcpy((u8 *)record + s->b, &reg[s->a], sizeof(u64));
	return s;
}

size_t kpt_fetch_steps(const struct kpt_fetch_prog *prog,
		       const struct kpt_fetch_source *src, void *record,
		       size_t size, bool is_measured);

/**
 * kpt_fetch_exec() - fill the arguments of a record
 * @prog: the program
 * @src: the hit
 * @record: start of the record (its head included)
 * @size: bytes of the whole record, what kpt_fetch_size() said
 *
 * Writes only from the first argument to @size. What can not be read becomes
 * the type's fault value: 0 for numbers, a data_loc of length 0 for strings.
 * Kernel memory is what +OFFS(..) reads, but an address of the user's half is
 * read as +uOFFS(..) would, as on every kernel whose halves can be told apart.
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
 * kpt_fetch_try() - kpt_fetch_exec() without knowing the size, if it is small
 * @prog: the program
 * @src: the hit
 * @record: start of the record
 * @size: bytes there
 *
 * Reads each string once.
 *
 * Context: BRK.
 * Return: bytes of the record that are used; 0 if that may not be all.
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

static inline size_t kpt_fields_size(const struct kpt_fields *f)
{
	return sizeof(*f) + f->nr * sizeof(f->field[0]);
}

static inline size_t kpt_fetch_prog_size(const struct kpt_fetch_prog *p)
{
	return sizeof(*p) + p->nr_steps * sizeof(p->step[0]);
}

#endif
