/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Shared by the fetch compiler (fetch_compile.c, fetch_parse.c, fetch_names.c,
 * fetch_types.c), the executor (fetch_exec.c) and what makes machine code of programs
 * (arch/arm64/recorder/recorder_fetch.c), and private to them.
 *
 * An argument passes five stages:
 *	expand	  $arg* and $argN become parameters		fetch_compile.c
 *	split	  NAME=BODY into name and body			fetch_compile.c
 *	type	  FETCHARG:TYPE into expression and type	fetch_parse.c
 *	parse	  expression into steps that make a value	fetch_parse.c,
 *		  names in it, their types			fetch_{names,types}.c
 *							fields of events: fetch_field.c
 *	finish	  steps that store the value			fetch_compile.c
 */
#ifndef KPTRACE_FETCH_INTERNAL_H
#define KPTRACE_FETCH_INTERNAL_H

#include "lib/fetch/fetch.h"

/*
 * The steps of an argument work on one value: those from KPT_OP_REG to
 * KPT_OP_FIELD_ADDR make it, those from KPT_OP_STORE on store it in the record,
 * "rec". KPT_OP_REG64 and KPT_OP_LOAD do both: they are the only step of their
 * argument.
 */
enum kpt_fetch_op {
	/* rec[b] = register a, 8 bytes: the commonest step, run inline */
	KPT_OP_REG64 = KPT_FETCH_REG64,
	/* rec[b] = c bytes at register a + imm: the next commonest */
	KPT_OP_LOAD,
	KPT_OP_END,
	KPT_OP_REG,		/* value = register a */
	KPT_OP_IMM,		/* value = imm */
	KPT_OP_STACK,		/* value = stack word at byte imm */
	KPT_OP_ENTRY,		/* value = a-th value kept at function entry */
	KPT_OP_TASK,		/* value = port_task_number(@imm) */
	KPT_OP_ELAPSED,		/* value = ns since function entry */
	KPT_OP_SHIFT,		/* value >>= imm */
	KPT_OP_READ,		/* value = 8 bytes at value + imm */
	KPT_OP_READ_USER,	/* the same in user memory */
	KPT_OP_THIS_CPU,	/* value = this CPU's copy of *value */
	KPT_OP_FIELD,		/* value = kpt_fetch_number() of the source record */
	KPT_OP_FIELD_ADDR,	/* value = address of a field there, kind a, at b */
	KPT_OP_STORE,		/* rec[b] = value, a bytes */
	KPT_OP_COPY,		/* rec[b] = c elements of a bytes at value + imm */
	KPT_OP_COPY_USER,	/* the same in user memory */
	KPT_OP_BITS,		/* cut bits out of c elements of a bytes at rec[b] */
	KPT_OP_SIGNED_BITS,	/* the same of one, and extend its sign */
	KPT_OP_SWAP,		/* turn c elements of a bytes at rec[b] round */
	KPT_OP_STRING,		/* rec[b] = string at value + imm */
	KPT_OP_STRINGS,		/* rec[b] = strings of c pointers at value + imm */
	KPT_OP_SYMBOL,		/* rec[b] = symbol at value, as text */
	KPT_OP_COMM,		/* rec[b] = name of the current task */
	KPT_OP_LITERAL,		/* rec[b] = the c bytes in the steps that follow */
};

/* Bits of the operand a of KPT_OP_STRING and KPT_OP_STRINGS. */
#define KPT_STRING_USER		0x01	/* strings are in user memory */
#define KPT_POINTER_USER	0x02	/* pointers to them are in user memory */

/* Number of steps that hold the bytes of an immediate string. */
static inline u32 kpt_literal_steps(u32 bytes)
{
	return (bytes + sizeof(struct kpt_fetch_step) - 1) /
	       sizeof(struct kpt_fetch_step);
}

/* What an expression yields, which decides the types it can have. */
enum kpt_fetch_kind {
	KPT_FETCH_VALUE,	/* a value that may be an address of code */
	KPT_FETCH_PLAIN,	/* a value that cannot be an address of code */
	KPT_FETCH_NUMBER,	/* a number of the definition */
	KPT_FETCH_MEMORY,	/* kernel memory at value + offset */
	KPT_FETCH_USER,		/* user memory at value + offset */
	KPT_FETCH_COMM,		/* name of the current task */
	KPT_FETCH_LITERAL,	/* a string of the definition */
	KPT_FETCH_FIELD,	/* a field of another event; may be an address */
};

/**
 * struct kpt_fetch_typed - the type of an expression by BTF
 * @btf: the blob; NULL if the type is not known
 * @type: its number
 * @bit: bits below the value in its first byte in memory
 * @width: bits of a bit field, else 0
 * @column: of the last name
 * @is_unknown: it is known when the module is loaded
 */
struct kpt_fetch_typed {
	const struct kpt_btf *btf;
	u32 type;
	u8 bit;
	u32 width;
	u16 column;
	bool is_unknown;
};

/**
 * struct kpt_fetch_expr - an expression while it becomes steps
 * @kind: what it yields
 * @offset: of KPT_FETCH_MEMORY and _USER: bytes from the value to the memory.
 *	The step that reads it is not made yet, since the last read may go
 *	straight into the record
 * @typed: its type, if it ends in a name
 * @literal: of KPT_FETCH_LITERAL: its text
 * @own_type: the type that it has if none is given; KPT_TYPE_U8: what others have
 * @ops: number of steps as mainline counts and limits them
 * @nr: number of steps in @step
 * @step: the steps: at most one for each of @ops, a store and a bit field
 */
struct kpt_fetch_expr {
	enum kpt_fetch_kind kind;
	u64 offset;
	struct kpt_fetch_typed typed;
	struct kpt_span literal;
	u8 own_type;
	unsigned int ops;
	unsigned int nr;
	struct kpt_fetch_step step[KPT_FETCH_STEPS_MAX + 1];
};

/**
 * struct kpt_fetch_type - the type of an argument, the text after its colon
 * @span: the text, empty if no type was given
 * @type: enum kpt_type of one element
 * @count: number of elements of an array, 0 if it is no array
 * @bits: a bit field; kpt_fetch_bitfield() or kpt_fetch_take_type() sets @width
 *	and @shift
 * @is_signed: of a bit field: the highest bit is its sign
 * @width: of a bit field, in bits
 * @shift: of a bit field: bits below it
 * @swap: the bytes are in the other order
 * @path: 'd' for %pd, 'D' for %pD, else 0
 * @is_enum: shown by the names that BTF has for its values
 * @names: of which enumeration, empty for that of the argument
 * @is_user: of strings: the texts are in user memory, by their type
 */
struct kpt_fetch_type {
	struct kpt_span span;
	u8 type;
	u8 count;
	bool bits;
	bool is_signed;
	u8 width;
	u8 shift;
	bool swap;
	char path;
	bool is_enum;
	struct kpt_span names;
	bool is_user;
};

/**
 * struct kpt_fetch_ctx - context of all stages
 * @def: the definition; columns are offsets in its text
 * @place: where the program will run
 * @out: results
 * @diag: on failure the reason
 * @param: the argument is a word $arg* or $argN, which stands for the parameter
 *	of this number, counted from 1; 0 for all other arguments
 * @has_types: @types is filled in
 * @types: types by name
 */
struct kpt_fetch_ctx {
	const struct kpt_def *def;
	const struct kpt_fetch_place *place;
	struct kpt_fetch_scratch *out;
	struct kpt_diag *diag;
	u32 param;
	bool has_types;
	struct kpt_fetch_types types;
};

/**
 * struct kpt_fetch_cast - (STRUCT[,FIELD])FETCHARG->FIELD...
 * @type: the text in the brackets
 * @fields: the text behind the arrow
 * @arrow: 'u' if the arrow is "-u>", else '>'
 */
struct kpt_fetch_cast {
	struct kpt_span type;
	struct kpt_span fields;
	char arrow;
};

/* Does an expression yield memory, and not a value? */
static inline bool kpt_fetch_is_memory(const struct kpt_fetch_expr *expr)
{
	return expr->kind == KPT_FETCH_MEMORY || expr->kind == KPT_FETCH_USER;
}

static inline const char *kpt_fetch_text(const struct kpt_fetch_ctx *ctx,
					 const struct kpt_span *span)
{
	return ctx->def->text + span->at;
}

bool kpt_fetch_is_field(const struct kpt_fetch_ctx *ctx, const char *name,
			size_t len);
void kpt_fetch_tell_sign(struct kpt_fetch_ctx *ctx, const struct kpt_span *arg);
bool kpt_fetch_task(const char *name, size_t len, struct kpt_fetch_expr *expr);
int kpt_fetch_field(struct kpt_fetch_ctx *ctx, const struct kpt_span *arg,
		    struct kpt_fetch_expr *expr);
struct kpt_fetch_step *kpt_fetch_add_step(struct kpt_fetch_expr *expr,
					  enum kpt_fetch_op op);
void kpt_fetch_read(struct kpt_fetch_expr *expr);
int kpt_fetch_split_type(struct kpt_fetch_ctx *ctx, struct kpt_span *body,
			 struct kpt_fetch_type *type);
int kpt_fetch_bitfield(struct kpt_fetch_ctx *ctx, struct kpt_fetch_type *type);
int kpt_fetch_parse(struct kpt_fetch_ctx *ctx, struct kpt_span arg, char path,
		    struct kpt_fetch_expr *expr);
int kpt_fetch_arg_word(struct kpt_fetch_ctx *ctx, const struct kpt_span *arg,
		       u64 n, struct kpt_fetch_expr *expr);
bool kpt_fetch_is_this_cpu(const char *s, size_t len);

u32 kpt_fetch_params(struct kpt_fetch_ctx *ctx);
const char *kpt_fetch_param_name(const struct kpt_fetch_ctx *ctx, u32 n);
u32 kpt_fetch_param_word(const struct kpt_fetch_ctx *ctx, u32 n);
int kpt_fetch_name(struct kpt_fetch_ctx *ctx, const struct kpt_span *arg,
		   struct kpt_fetch_expr *expr);
int kpt_fetch_param(struct kpt_fetch_ctx *ctx, const struct kpt_span *arg,
		    u32 n, struct kpt_fetch_expr *expr);
int kpt_fetch_retval(struct kpt_fetch_ctx *ctx, const struct kpt_span *arg,
		     struct kpt_fetch_expr *expr);
int kpt_fetch_current(struct kpt_fetch_ctx *ctx, const struct kpt_span *arg,
		      struct kpt_fetch_expr *expr);
int kpt_fetch_open_cast(struct kpt_fetch_ctx *ctx, struct kpt_span *arg,
			struct kpt_fetch_cast *cast);
int kpt_fetch_close_cast(struct kpt_fetch_ctx *ctx,
			 const struct kpt_fetch_cast *cast,
			 struct kpt_fetch_expr *expr);
int kpt_fetch_take_type(struct kpt_fetch_ctx *ctx, struct kpt_fetch_type *type,
			unsigned int body, struct kpt_fetch_expr *expr);
int kpt_fetch_take_enum(struct kpt_fetch_ctx *ctx, struct kpt_fetch_type *type,
			struct kpt_fetch_expr *expr);
bool kpt_fetch_is_wide(const struct kpt_fetch_expr *expr);
int kpt_fetch_find_enum(struct kpt_fetch_ctx *ctx, const struct kpt_span *name,
			struct kpt_fetch_typed *found);
int kpt_fetch_take_string(struct kpt_fetch_ctx *ctx, struct kpt_fetch_type *type,
			  struct kpt_fetch_expr *expr);

#endif
