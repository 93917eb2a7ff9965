/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the parts of the fetch compiler and the executor share. Nobody else
 * includes this.
 *
 * An argument goes through five stages:
 *	expand	  $arg* and the like become arguments		fetch_compile.c
 *	split	  NAME=BODY, body into expression and type	fetch_compile.c
 *	type	  what is stored				fetch_type.c
 *	parse	  expression -> steps that leave a value	fetch_parse.c
 *	finish	  steps that store the value			fetch_finish.c
 * Arguments by name (BTF) have their places in expand and parse.
 */
#ifndef KPTRACE_FETCH_INTERNAL_H
#define KPTRACE_FETCH_INTERNAL_H

#include "lib/fetch.h"

/*
 * Steps work on one value, which each argument starts anew. "rec" is the
 * record; steps from KPT_OP_REG to KPT_OP_THIS_CPU make the value, those behind
 * store it. KPT_OP_REG64 and KPT_OP_LOAD are all of an argument.
 */
enum kpt_fetch_op {
	/* rec[b] = register a, 8 bytes: the commonest, and inline */
	KPT_OP_REG64 = KPT_FETCH_REG64,
	/* rec[b] = c bytes at register a + imm: the commonest but that */
	KPT_OP_LOAD,
	KPT_OP_END,
	KPT_OP_REG,		/* value = register a */
	KPT_OP_IMM,		/* value = imm */
	KPT_OP_STACK,		/* value = stack word at byte imm */
	KPT_OP_ENTRY,		/* value = a-th value kept at function entry */
	KPT_OP_TASK,		/* value = address of the current task */
	KPT_OP_ELAPSED,		/* value = ns since function entry */
	KPT_OP_READ,		/* value = 8 bytes at value + imm */
	KPT_OP_READ_USER,	/* the same in user memory */
	KPT_OP_THIS_CPU,	/* value = this CPU's copy of *value */
	KPT_OP_STORE,		/* rec[b] = value, a bytes */
	KPT_OP_COPY,		/* rec[b] = c elements of a bytes at value + imm */
	KPT_OP_COPY_USER,	/* the same in user memory */
	KPT_OP_BITS,		/* cut bits out of c elements of a bytes at rec[b] */
	KPT_OP_STRING,		/* rec[b] = string at value + imm */
	KPT_OP_STRINGS,		/* rec[b] = strings of c pointers at value + imm */
	KPT_OP_SYMBOL,		/* rec[b] = symbol at value, as text */
	KPT_OP_COMM,		/* rec[b] = name of the current task */
	KPT_OP_LITERAL,		/* rec[b] = the c bytes in the steps behind */
};

/* Bits of the operand a of KPT_OP_STRING and KPT_OP_STRINGS. */
#define KPT_STRING_USER		0x01	/* strings are in user memory */
#define KPT_POINTER_USER	0x02	/* so are the pointers to them */

/* Steps that hold the bytes of an immediate string. */
static inline u32 kpt_literal_steps(u32 bytes)
{
	return (bytes + sizeof(struct kpt_fetch_step) - 1) /
	       sizeof(struct kpt_fetch_step);
}

/* What an expression yields; this decides which types it can have. */
enum kpt_fetch_kind {
	KPT_FETCH_VALUE,	/* a value that may be an address of code */
	KPT_FETCH_PLAIN,	/* a value that can not be one */
	KPT_FETCH_NUMBER,	/* a number of the definition */
	KPT_FETCH_MEMORY,	/* kernel memory at value + offset */
	KPT_FETCH_USER,		/* user memory at value + offset */
	KPT_FETCH_COMM,		/* name of the current task */
	KPT_FETCH_LITERAL,	/* a string of the definition */
};

/**
 * struct kpt_fetch_expr - an expression on its way to steps
 * @kind: what it yields
 * @offset: of KPT_FETCH_MEMORY and _USER: the read is not among the steps yet,
 *	since the last one goes straight into the record
 * @literal: text of KPT_FETCH_LITERAL
 * @is_time: it is $elapsed
 * @ops: steps as mainline counts them, which limits nesting
 * @nr: how many of @step are used
 * @step: the steps; there is never more than one for each of @ops, and a store
 *	and a bit field at the end
 */
struct kpt_fetch_expr {
	enum kpt_fetch_kind kind;
	u64 offset;
	struct kpt_span literal;
	bool is_time;
	unsigned int ops;
	unsigned int nr;
	struct kpt_fetch_step step[KPT_FETCH_STEPS_MAX + 1];
};

/**
 * struct kpt_fetch_type - what stands behind the colon
 * @span: its text, empty if there is none
 * @type: enum kpt_type of one element
 * @count: elements of an array, 0 if it is none
 * @bits: a bit field; @width and @shift are known when it is finished
 * @width: bits of a bit field
 * @shift: bits below it
 * @path: 'd' for %pd, 'D' for %pD, else 0
 */
struct kpt_fetch_type {
	struct kpt_span span;
	u8 type;
	u8 count;
	bool bits;
	u8 width;
	u8 shift;
	char path;
};

/**
 * struct kpt_fetch_ctx - what all stages need
 * @def: the definition; columns are offsets in its text
 * @place: where the program will run
 * @out: where results go
 * @diag: where a reason goes
 */
struct kpt_fetch_ctx {
	const struct kpt_def *def;
	const struct kpt_fetch_place *place;
	struct kpt_fetch_scratch *out;
	struct kpt_diag *diag;
};

static inline const char *kpt_fetch_text(const struct kpt_fetch_ctx *ctx,
					 const struct kpt_span *span)
{
	return ctx->def->text + span->at;
}

struct kpt_fetch_step *kpt_fetch_add_step(struct kpt_fetch_expr *expr,
					  enum kpt_fetch_op op);
void kpt_fetch_read(struct kpt_fetch_expr *expr);
int kpt_fetch_split_type(struct kpt_fetch_ctx *ctx, struct kpt_span *body,
			 struct kpt_fetch_type *type);
int kpt_fetch_bitfield(struct kpt_fetch_ctx *ctx, struct kpt_fetch_type *type);
int kpt_fetch_parse(struct kpt_fetch_ctx *ctx, struct kpt_span arg, char path,
		    struct kpt_fetch_expr *expr);
int kpt_fetch_leaf(struct kpt_fetch_ctx *ctx, struct kpt_span arg,
		   struct kpt_fetch_expr *expr);
int kpt_fetch_finish(struct kpt_fetch_ctx *ctx, struct kpt_fetch_type *type,
		     struct kpt_fetch_expr *expr, unsigned int body, u16 at);

#endif
