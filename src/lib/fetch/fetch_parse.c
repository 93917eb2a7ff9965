// SPDX-License-Identifier: GPL-2.0-only
/*
 * The text of an argument: its type, and its expression as steps.
 */
#include "lib/base/port.h"
#include "insn/insn.h"
#include "lib/fetch/fetch_internal.h"
#include "lib/base/lex.h"
#include "lib/base/similar.h"

/**
 * kpt_fetch_add_step() - append a step to an expression
 * @expr: the expression
 * @op: what the step does
 *
 * Context: any.
 * Return: the step, operands 0.
 */
struct kpt_fetch_step *kpt_fetch_add_step(struct kpt_fetch_expr *expr,
					  enum kpt_fetch_op op)
{
	struct kpt_fetch_step *step = &expr->step[expr->nr++];

	memset(step, 0, sizeof(*step));
	step->op = (u8)op;
	return step;
}

/**
 * kpt_fetch_read() - append the read that an expression still lacks
 * @expr: the expression; one that yields memory yields a value afterwards,
 *	others do not change
 *
 * Context: any.
 */
void kpt_fetch_read(struct kpt_fetch_expr *expr)
{
	enum kpt_fetch_op op = KPT_OP_READ;

	if (expr->kind == KPT_FETCH_USER)
		op = KPT_OP_READ_USER;
	else if (expr->kind != KPT_FETCH_MEMORY)
		return;
	kpt_fetch_add_step(expr, op)->imm = expr->offset;
	expr->kind = KPT_FETCH_VALUE;
}

/*
 * Types.
 */

/* Cut [N] off the type. */
static int type_split_array(struct kpt_fetch_ctx *ctx, struct kpt_fetch_type *type)
{
	struct kpt_span all = type->span;
	const char *s = kpt_fetch_text(ctx, &all);
	size_t open = kpt_lex_find(s, all.len, '['), close;
	u64 n;

	if (open == all.len)
		return 0;
	type->span.len = (u16)open++;
	close = open + kpt_lex_find(s + open, all.len - open, ']');
	if (close == all.len)
		return kpt_diag_set(ctx->diag, KPT_E_ARRAY_NO_CLOSE,
				    all.at + all.len, -EINVAL);
	if (close + 1 < all.len)
		return kpt_diag_set(ctx->diag, KPT_E_BAD_ARRAY_SUFFIX,
				    (unsigned int)(all.at + close + 1),
				    -EINVAL);
	if (kpt_lex_u64(s + open, close - open, 0, &n) || !n || n > U32_MAX)
		return kpt_diag_set(ctx->diag, KPT_E_BAD_ARRAY_NUM,
				    (unsigned int)(all.at + open), -EINVAL);
	if (n > KPT_ARRAY_MAX)
		return kpt_diag_set(ctx->diag, KPT_E_ARRAY_TOO_BIG,
				    (unsigned int)(all.at + open), -EINVAL);
	type->count = (u8)n;
	return 0;
}

/*
 * The unsigned type that holds a bit field, by the number after the slash.
 * Returns enum kpt_type or -EINVAL.
 */
static int type_container(const char *s, size_t len)
{
	size_t slash = kpt_lex_find(s, len, '/');
	u64 bits;

	if (slash == len ||
	    kpt_lex_u64(s + slash + 1, len - slash - 1, 0, &bits))
		return -EINVAL;
	switch (bits) {
	case 8:
		return KPT_TYPE_U8;
	case 16:
		return KPT_TYPE_U16;
	case 32:
		return KPT_TYPE_U32;
	case 64:
		return KPT_TYPE_U64;
	default:
		return -EINVAL;
	}
}

/* Numbers in the byte order of networks; in the record they are as all others. */
static int type_swapped(const char *s, size_t len)
{
	if (kpt_lex_is(s, len, "be16"))
		return KPT_TYPE_U16;
	if (kpt_lex_is(s, len, "be32"))
		return KPT_TYPE_U32;
	return kpt_lex_is(s, len, "be64") ? KPT_TYPE_U64 : -EINVAL;
}

/* enum or enum(NAME) */
static bool type_is_enum(struct kpt_fetch_type *type, const char *s)
{
	size_t len = type->span.len, n = kpt_lex_prefix(s, len, "enum(");

	if (!n || s[len - 1] != ')')
		return kpt_lex_is(s, len, "enum");
	type->names.at = (u16)(type->span.at + n);
	type->names.len = (u16)(len - n - 1);
	return true;
}

/* Returns enum kpt_type or -EINVAL. */
static int type_by_name(const char *s, size_t len)
{
	int i;

	for (i = 0; i < KPT_NR_TYPES; i++)
		if (kpt_lex_is(s, len, kpt_type_info[i].name))
			return i;
	return -EINVAL;
}

static int type_refuse(struct kpt_fetch_ctx *ctx, const struct kpt_fetch_type *type)
{
	struct kpt_similar like;
	int i;

	kpt_similar_begin(&like, kpt_fetch_text(ctx, &type->span), type->span.len);
	for (i = 0; i < KPT_NR_TYPES; i++)
		kpt_similar_see(&like, kpt_type_info[i].name);
	kpt_diag_set(ctx->diag, KPT_E_BAD_TYPE, type->span.at, 0);
	kpt_similar_tell(&like, ctx->diag);
	return -EINVAL;
}

/* %pd and %pD: strings that a dentry or a file points to. */
static bool type_is_path(const struct kpt_fetch_type *type, const char *s)
{
	size_t len = type->span.len;

	return !type->count &&
	       (kpt_lex_is(s, len, "%pd") || kpt_lex_is(s, len, "%pD"));
}

static int type_find(struct kpt_fetch_ctx *ctx, struct kpt_fetch_type *type)
{
	const char *s = kpt_fetch_text(ctx, &type->span);
	size_t len = type->span.len;
	int found;

	if (type_is_path(type, s)) {
		type->path = s[2];
		type->type = KPT_TYPE_STRING;
		return 0;
	}
	type->is_enum = type_is_enum(type, s);
	if (type->is_enum)
		return 0;	/* kpt_fetch_take_enum() finds out more */
	found = type_swapped(s, len);
	type->swap = found >= 0;
	type->bits = !type->swap && len && s[0] == 'b';
	if (!type->swap)
		found = type->bits ? type_container(s, len) : type_by_name(s, len);
	if (found < 0)
		return type_refuse(ctx, type);
	type->type = (u8)found;
	return 0;
}

/* $comm and immediate strings have no type but string. */
static bool leaf_is_text(const struct kpt_fetch_ctx *ctx, const char *s,
			 size_t len)
{
	if (kpt_lex_is(s, len, "$comm") || kpt_lex_is(s, len, "$COMM"))
		return !kpt_fetch_is_field(ctx, s + 1, len - 1);
	return kpt_lex_prefix(s, len, "\\\"");
}

static int type_check_text(struct kpt_fetch_ctx *ctx,
			   struct kpt_fetch_type *type, bool given)
{
	const char *s = kpt_fetch_text(ctx, &type->span);

	if (given &&
	    (type->count || !kpt_lex_is(s, type->span.len, "string")))
		return kpt_diag_set(ctx->diag, KPT_E_NEED_STRING_TYPE,
				    type->span.at, -EINVAL);
	type->type = KPT_TYPE_STRING;
	return 0;
}

/**
 * kpt_fetch_split_type() - type stage: cut the type off an argument
 * @ctx: context
 * @body: FETCHARG[:TYPE]; shortened to FETCHARG
 * @type: result; without a type x64, or string for $comm and \"..."
 *
 * Context: any.
 * Return: 0, or -EINVAL with the reason in @ctx->diag.
 */
int kpt_fetch_split_type(struct kpt_fetch_ctx *ctx, struct kpt_span *body,
			 struct kpt_fetch_type *type)
{
	const char *s = kpt_fetch_text(ctx, body);
	size_t len = body->len, colon = kpt_lex_find(s, len, ':');
	bool given = colon < len;
	int err;

	memset(type, 0, sizeof(*type));
	type->type = KPT_TYPE_X64;
	if (given) {
		type->span.at = (u16)(body->at + colon + 1);
		type->span.len = (u16)(len - colon - 1);
		body->len = (u16)colon;
		err = type_split_array(ctx, type);
		if (err)
			return err;
	}
	if (leaf_is_text(ctx, s, colon) &&
	    !(given && type_is_path(type, kpt_fetch_text(ctx, &type->span))))
		return type_check_text(ctx, type, given);
	return given ? type_find(ctx, type) : 0;
}

/* Read width and shift of b<width>@<shift>/<container>. */
static bool type_parse_bits(const char *s, size_t len, u64 *width, u64 *shift)
{
	bool overflow;
	size_t n, i = 1;

	n = kpt_lex_digits(s + i, len - i, 0, width, &overflow);
	i += n;
	if (!n || overflow || i == len || s[i++] != '@')
		return false;
	n = kpt_lex_digits(s + i, len - i, 0, shift, &overflow);
	i += n;
	return n && !overflow && i < len && s[i] == '/';
}

/**
 * kpt_fetch_bitfield() - parse width and shift of a bit field
 * @ctx: context
 * @type: result of kpt_fetch_split_type(); @type->width and @type->shift are
 *	filled in, in bits
 *
 * Not part of kpt_fetch_split_type(), because mainline reports this mistake
 * after all others.
 *
 * Context: any.
 * Return: 0, or -EINVAL with the reason in @ctx->diag.
 */
int kpt_fetch_bitfield(struct kpt_fetch_ctx *ctx, struct kpt_fetch_type *type)
{
	const char *s = kpt_fetch_text(ctx, &type->span);
	u64 room = kpt_type_info[type->type].size * 8;
	u64 width, shift;

	if (!type_parse_bits(s, type->span.len, &width, &shift) || !width ||
	    width > room || shift > room - width)
		return kpt_diag_set(ctx->diag, KPT_E_BAD_BITFIELD,
				    type->span.at, -EINVAL);
	type->width = (u8)width;
	type->shift = (u8)shift;
	return 0;
}

/*
 * Leaves.
 */

/* The largest N of $stackN and $argN. */
#define STACK_WORDS (PORT_STACK_SIZE / sizeof(u64))
/* Arguments that the AAPCS64 passes in registers. */
#define REG_ARGS 8

#define REG_SP 31

static int leaf_fail(struct kpt_fetch_ctx *ctx, enum kpt_diag_code code,
		     const struct kpt_span *arg, int err)
{
	return kpt_diag_set(ctx->diag, code, arg->at, err);
}

static int leaf_add_reg(struct kpt_fetch_expr *expr, int reg,
			enum kpt_fetch_kind kind)
{
	kpt_fetch_add_step(expr, KPT_OP_REG)->a = (u8)reg;
	expr->kind = kind;
	return 0;
}

static int leaf_add_imm(struct kpt_fetch_expr *expr, enum kpt_fetch_op op, u64 imm,
			enum kpt_fetch_kind kind)
{
	kpt_fetch_add_step(expr, op)->imm = imm;
	expr->kind = kind;
	return 0;
}

/* $stack and $stackN; @digits is the text after $stack. */
static int leaf_stack(struct kpt_fetch_ctx *ctx, const struct kpt_span *arg,
		      const char *digits, size_t len,
		      struct kpt_fetch_expr *expr)
{
	u64 n;
	int err;

	if (!len)
		return leaf_add_reg(expr, REG_SP, KPT_FETCH_PLAIN);
	if (!kpt_lex_is_digit(digits[0]))
		return leaf_fail(ctx, KPT_E_BAD_VAR, arg, -EINVAL);
	err = kpt_lex_u64(digits, len, 10, &n);
	if (err)
		return leaf_fail(ctx, KPT_E_BAD_VAR, arg, err);
	if (n > STACK_WORDS)
		return leaf_fail(ctx, KPT_E_BAD_STACK_NUM, arg, -EINVAL);
	return leaf_add_imm(expr, KPT_OP_STACK, n * sizeof(u64), KPT_FETCH_VALUE);
}

/*
 * The index of $arg@n among the values kept at function entry, each of which is
 * kept once. Returns -E2BIG if there is no room.
 */
static int leaf_keep_entry_arg(struct kpt_fetch_prog *prog, u64 n)
{
	int i;

	for (i = 0; i < prog->nr_entry; i++)
		if (prog->entry_arg[i] == n)
			return i;
	if (i == KPT_FETCH_ENTRY_MAX)
		return -E2BIG;
	prog->entry_arg[i] = (u16)n;
	prog->nr_entry++;
	return i;
}

/* $argN at the return of a function. */
static int leaf_entry_arg(struct kpt_fetch_ctx *ctx, const struct kpt_span *arg,
			  u64 n, struct kpt_fetch_expr *expr)
{
	int i = leaf_keep_entry_arg(&ctx->out->prog, n);

	if (i < 0)
		return leaf_fail(ctx, KPT_E_TOO_MANY_EARGS, arg, i);
	kpt_fetch_add_step(expr, KPT_OP_ENTRY)->a = (u8)i;
	expr->kind = KPT_FETCH_VALUE;
	return 0;
}

/**
 * kpt_fetch_arg_word() - make a word of the arguments of a function the value
 * @ctx: context
 * @arg: the text that asks for it, for the column of a mistake
 * @n: number of the word, from 1: x0 to x7, then words of the stack
 * @expr: result
 *
 * Context: any.
 * Return: 0, or with the reason in @ctx->diag: -EINVAL at places inside of
 * functions, -E2BIG if too many words would have to be kept for a return.
 */
int kpt_fetch_arg_word(struct kpt_fetch_ctx *ctx, const struct kpt_span *arg,
		       u64 n, struct kpt_fetch_expr *expr)
{
	if (ctx->place->is_return)
		return leaf_entry_arg(ctx, arg, n, expr);
	if (!ctx->place->is_entry)
		return leaf_fail(ctx, KPT_E_NOFENTRY_ARGS, arg, -EINVAL);
	n += ctx->place->hidden;
	if (n <= REG_ARGS)
		return leaf_add_reg(expr, (int)n - 1, KPT_FETCH_VALUE);
	return leaf_add_imm(expr, KPT_OP_STACK, (n - REG_ARGS - 1) * sizeof(u64),
			    KPT_FETCH_VALUE);
}

/* $argN; @digits is the text after $arg. */
static int leaf_arg(struct kpt_fetch_ctx *ctx, const struct kpt_span *arg,
		    const char *digits, size_t len, struct kpt_fetch_expr *expr)
{
	u64 n;
	int err;

	if (ctx->param)
		return kpt_fetch_param(ctx, arg, ctx->param, expr);
	err = kpt_lex_u64(digits, len, 10, &n);
	if (err)
		return leaf_fail(ctx, KPT_E_BAD_VAR, arg, err);
	if (!n || n > STACK_WORDS)
		return leaf_fail(ctx, KPT_E_BAD_ARG_NUM, arg, -EINVAL);
	return kpt_fetch_arg_word(ctx, arg, n, expr);
}

/* @after: the text behind $retval, @len characters: nothing, or members */
static int leaf_retval(struct kpt_fetch_ctx *ctx, const struct kpt_span *arg,
		       const char *after, size_t len,
		       struct kpt_fetch_expr *expr)
{
	if (!ctx->place->is_return)
		return leaf_fail(ctx, KPT_E_RETVAL_ON_PROBE, arg, -EINVAL);
	if (len && after[0] != '-' && after[0] != '.' && after[0] != '[')
		return leaf_fail(ctx, KPT_E_BAD_VAR, arg, -EINVAL);
	return kpt_fetch_retval(ctx, arg, expr);
}

static int leaf_elapsed(struct kpt_fetch_ctx *ctx, const struct kpt_span *arg,
			struct kpt_fetch_expr *expr)
{
	if (!ctx->place->is_return)
		return leaf_fail(ctx, KPT_E_ELAPSED_ON_PROBE, arg, -EINVAL);
	ctx->out->prog.needs_elapsed = true;
	expr->own_type = KPT_TYPE_U64;
	return leaf_add_imm(expr, KPT_OP_ELAPSED, 0, KPT_FETCH_PLAIN);
}

/**
 * kpt_fetch_task() - parse $tgid, $uid and $cgroup: numbers of the current task
 * @name: the name, without '$'
 * @len: its characters
 * @expr: result, written on success only
 *
 * Context: any.
 * Return: true if it is one.
 */
bool kpt_fetch_task(const char *name, size_t len, struct kpt_fetch_expr *expr)
{
	struct kpt_field_ref ref;

	if (!kpt_field_find_task(name, len, &ref))
		return false;
	leaf_add_imm(expr, KPT_OP_TASK, ref.offset, KPT_FETCH_PLAIN);
	expr->own_type = ref.is_signed ? KPT_TYPE_S32 :
			 ref.size == sizeof(u32) ? KPT_TYPE_U32 : KPT_TYPE_U64;
	return true;
}

static int leaf_variable(struct kpt_fetch_ctx *ctx, const struct kpt_span *arg,
			 struct kpt_fetch_expr *expr)
{
	const char *s = kpt_fetch_text(ctx, arg) + 1;
	size_t len = arg->len - 1, n;

	if (kpt_lex_is(s, len, "comm") || kpt_lex_is(s, len, "COMM")) {
		expr->kind = KPT_FETCH_COMM;
		return 0;
	}
	if (kpt_lex_is(s, len, "current"))
		return leaf_add_imm(expr, KPT_OP_TASK, PORT_TASK_ADDRESS, KPT_FETCH_PLAIN);
	if (kpt_fetch_task(s, len, expr))
		return 0;
	if (kpt_lex_prefix(s, len, "current-"))
		return kpt_fetch_current(ctx, arg, expr);
	if (kpt_lex_is(s, len, "elapsed"))
		return leaf_elapsed(ctx, arg, expr);
	n = kpt_lex_prefix(s, len, "retval");
	if (n)
		return leaf_retval(ctx, arg, s + n, len - n, expr);
	n = kpt_lex_prefix(s, len, "stack");
	if (n)
		return leaf_stack(ctx, arg, s + n, len - n, expr);
	n = kpt_lex_prefix(s, len, "arg");
	if (n)
		return leaf_arg(ctx, arg, s + n, len - n, expr);
	return leaf_fail(ctx, KPT_E_BAD_VAR, arg, -EINVAL);
}

static int leaf_register(struct kpt_fetch_ctx *ctx, const struct kpt_span *arg,
			 struct kpt_fetch_expr *expr)
{
	int reg = kpt_reg_by_name(kpt_fetch_text(ctx, arg) + 1, arg->len - 1);

	if (ctx->def->of_function || ctx->def->of_tracepoint)
		return leaf_fail(ctx, KPT_E_BAD_VAR, arg, -EINVAL);
	if (reg < 0)
		return leaf_fail(ctx, KPT_E_BAD_REG_NAME, arg, -EINVAL);
	return leaf_add_reg(expr, reg, KPT_FETCH_VALUE);
}

/* The address of a symbol without offset; 0 for one that is still pending. */
static int leaf_find_symbol(struct kpt_fetch_ctx *ctx, const struct kpt_span *arg,
			    const char *s, size_t len, u64 *addr)
{
	char name[KPT_FETCH_TEXT_MAX + 1];
	int err;

	memcpy(name, s, len);
	name[len] = '\0';
	err = port_symbol_addr(name, addr);
	if (!err)
		return 0;
	if (err == -EADDRNOTAVAIL)
		return leaf_fail(ctx, KPT_E_NON_UNIQ_SYMBOL, arg, -EINVAL);
	*addr = 0;
	if (ctx->place->is_pending)
		return 0;
	if (err == -EOPNOTSUPP)
		return leaf_fail(ctx, KPT_E_NO_DATA_SYMBOLS, arg, -ENOENT);
	return leaf_fail(ctx, KPT_E_BAD_PROBE_ADDR, arg, -ENOENT);
}

/* @SYM[+|-OFFS] */
static int leaf_symbol(struct kpt_fetch_ctx *ctx, const struct kpt_span *arg,
		       struct kpt_fetch_expr *expr)
{
	const char *s = kpt_fetch_text(ctx, arg) + 1;
	size_t len = arg->len - 1;
	size_t name = kpt_lex_find(s, kpt_lex_find(s, len, '+'), '-');
	s64 offset = 0;
	u64 addr;
	int err;

	if (name < len) {
		err = kpt_lex_s64(s + name, len - name, 0, &offset);
		if (err)
			return leaf_fail(ctx, KPT_E_BAD_MEM_ADDR, arg, err);
	}
	err = leaf_find_symbol(ctx, arg, s, name, &addr);
	if (err)
		return err;
	expr->ops++;
	return leaf_add_imm(expr, KPT_OP_IMM, addr + (u64)offset, KPT_FETCH_MEMORY);
}

static int leaf_memory(struct kpt_fetch_ctx *ctx, const struct kpt_span *arg,
		       struct kpt_fetch_expr *expr)
{
	const char *s = kpt_fetch_text(ctx, arg) + 1;
	size_t len = arg->len - 1;
	u64 addr;
	int err;

	expr->ops++;
	if (len && s[0] == '+')
		return leaf_fail(ctx, KPT_E_FILE_ON_KPROBE, arg, -EINVAL);
	if (!len || !kpt_lex_is_digit(s[0]))
		return leaf_symbol(ctx, arg, expr);
	err = kpt_lex_u64(s, len, 0, &addr);
	if (err)
		return leaf_fail(ctx, KPT_E_BAD_MEM_ADDR, arg, err);
	return leaf_add_imm(expr, KPT_OP_IMM, addr, KPT_FETCH_MEMORY);
}

/* \"...": ends with the last quote, which must be the last character. */
static int leaf_literal(struct kpt_fetch_ctx *ctx, const struct kpt_span *arg,
			struct kpt_fetch_expr *expr)
{
	const char *s = kpt_fetch_text(ctx, arg);

	if (arg->len < 3 || s[arg->len - 1] != '"')
		return kpt_diag_set(ctx->diag, KPT_E_IMMSTR_NO_CLOSE,
				    arg->at + arg->len, -EINVAL);
	expr->literal.at = arg->at + 2;
	expr->literal.len = arg->len - 3;
	expr->kind = KPT_FETCH_LITERAL;
	return 0;
}

/* A number with a sign has the range of s64, one without that of u64. */
static int leaf_parse_immediate(const char *s, size_t len, u64 *value)
{
	if (len && kpt_lex_is_digit(s[0]))
		return kpt_lex_u64(s, len, 0, value);
	if (len && s[0] == '-')
		return kpt_lex_s64(s, len, 0, (s64 *)value);
	if (len && s[0] == '+')
		return kpt_lex_s64(s + 1, len - 1, 0, (s64 *)value);
	return -EINVAL;
}

static int leaf_immediate(struct kpt_fetch_ctx *ctx, const struct kpt_span *arg,
			  struct kpt_fetch_expr *expr)
{
	const char *s = kpt_fetch_text(ctx, arg) + 1;
	size_t len = arg->len - 1;
	u64 value;
	int err;

	if (len && s[0] == '"')
		return leaf_literal(ctx, arg, expr);
	err = leaf_parse_immediate(s, len, &value);
	if (err)
		return kpt_diag_set(ctx->diag, KPT_E_BAD_IMM, arg->at + 1, err);
	return leaf_add_imm(expr, KPT_OP_IMM, value, KPT_FETCH_NUMBER);
}

static int leaf_by_name(struct kpt_fetch_ctx *ctx, const struct kpt_span *arg,
			struct kpt_fetch_expr *expr)
{
	int err = ctx->place->is_entry || ctx->place->is_return ? kpt_fetch_name(ctx, arg, expr) :
		  leaf_fail(ctx, KPT_E_NOSUP_BTFARG, arg, -EINVAL);

	if (err)
		kpt_fetch_tell_sign(ctx, arg);
	return err;
}

/* The innermost part of an expression, without any +OFFS(..) around it. */
static int parse_leaf(struct kpt_fetch_ctx *ctx, struct kpt_span arg,
		      struct kpt_fetch_expr *expr)
{
	char c = arg.len ? *kpt_fetch_text(ctx, &arg) : '\0';

	expr->ops = 1;
	if (ctx->place->source && c != '@' && c != '\\')
		return kpt_fetch_field(ctx, &arg, expr);
	switch (c) {
	case '$':
		return leaf_variable(ctx, &arg, expr);
	case '%':
		return leaf_register(ctx, &arg, expr);
	case '@':
		return leaf_memory(ctx, &arg, expr);
	case '\\':
		return leaf_immediate(ctx, &arg, expr);
	default:
		if (kpt_lex_is_alpha(c) || c == '_')
			return leaf_by_name(ctx, &arg, expr);
		return leaf_fail(ctx, KPT_E_BAD_FETCH_ARG, &arg, -EINVAL);
	}
}

/*
 * Levels.
 */

/**
 * struct fetch_level - one +OFFS(..), this_cpu_read(..), this_cpu_ptr(..) or cast
 * @inner: the text between its parentheses
 * @op: KPT_OP_READ, KPT_OP_READ_USER or KPT_OP_THIS_CPU; KPT_OP_END of a cast
 * @is_read: this_cpu_read(..): yields the content of the copy, not its address
 * @offset: of a read: bytes added to the address
 * @cast: of a cast
 */
struct fetch_level {
	struct kpt_span inner;
	enum kpt_fetch_op op;
	bool is_read;
	u64 offset;
	struct kpt_fetch_cast cast;
};

/* Count one more of the steps of which mainline allows 15 in an argument. */
static int level_count_op(struct kpt_fetch_ctx *ctx, struct kpt_fetch_expr *expr,
			  const struct kpt_span *where)
{
	if (++expr->ops < KPT_FETCH_STEPS_MAX)
		return 0;
	return kpt_diag_set(ctx->diag, KPT_E_TOO_MANY_OPS, where->at, -EINVAL);
}

/* @arg begins after an opening parenthesis; cut it before the closing one. */
static int level_close_brace(struct kpt_fetch_ctx *ctx, struct kpt_span *arg)
{
	const char *s = kpt_fetch_text(ctx, arg);
	size_t close = kpt_lex_find_last(s, arg->len, ')');

	if (close == arg->len)
		return kpt_diag_set(ctx->diag, KPT_E_DEREF_OPEN_BRACE,
				    arg->at + arg->len, -EINVAL);
	if (close + 1 < arg->len)
		return kpt_diag_set(ctx->diag, KPT_E_DEREF_SUFFIX,
				    (unsigned int)(arg->at + close + 1),
				    -EINVAL);
	arg->len = (u16)close;
	return 0;
}

/*
 * The number between the sign and the parenthesis. After a '+' it may have a
 * sign of its own.
 */
static int level_parse_offset(char sign, const char *s, size_t len, u64 *offset)
{
	u64 n;
	int err;

	if (sign == '+')
		return kpt_lex_s64(s, len, 0, (s64 *)offset);
	if (!len || s[0] == '+')
		return -EINVAL;
	err = kpt_lex_u64(s, len, 0, &n);
	if (!err && n > (u64)S64_MAX + 1)
		err = -ERANGE;
	if (!err)
		*offset = 0 - n;
	return err;
}

/* +|-[u]OFFS( */
static int level_open_deref(struct kpt_fetch_ctx *ctx, struct kpt_span *arg,
			    struct fetch_level *level)
{
	const char *s = kpt_fetch_text(ctx, arg);
	size_t open = kpt_lex_find(s, arg->len, '('), from = 1;
	int err;

	level->op = KPT_OP_READ;
	if (arg->len > 1 && s[1] == 'u') {
		level->op = KPT_OP_READ_USER;
		from = 2;
	}
	if (open == arg->len)
		return kpt_diag_set(ctx->diag, KPT_E_DEREF_NEED_BRACE, arg->at,
				    -EINVAL);
	err = level_parse_offset(s[0], s + from, open - from, &level->offset);
	if (err)
		return kpt_diag_set(ctx->diag, KPT_E_BAD_DEREF_OFFS, arg->at,
				    err);
	arg->at += (u16)(open + 1);
	arg->len -= (u16)(open + 1);
	return level_close_brace(ctx, arg);
}

/* Length of a leading "this_cpu_read(" or "this_cpu_ptr(", else 0. */
static size_t level_this_cpu_prefix(const char *s, size_t len, bool *is_read)
{
	size_t n = kpt_lex_prefix(s, len, "this_cpu_read(");

	*is_read = n > 0;
	return n ? n : kpt_lex_prefix(s, len, "this_cpu_ptr(");
}

/**
 * kpt_fetch_is_this_cpu() - does a text begin with this_cpu_read( or this_cpu_ptr(?
 * @s: the text
 * @len: its characters
 *
 * Context: any.
 * Return: true if it does.
 */
bool kpt_fetch_is_this_cpu(const char *s, size_t len)
{
	bool is_read;

	return level_this_cpu_prefix(s, len, &is_read);
}

static int level_open_this_cpu(struct kpt_fetch_ctx *ctx, struct kpt_span *arg,
			       size_t skip, struct fetch_level *level)
{
	level->op = KPT_OP_THIS_CPU;
	arg->at += (u16)skip;
	arg->len -= (u16)skip;
	return level_close_brace(ctx, arg);
}

/*
 * Take one level off @arg. Returns 1 if there was one, 0 if @arg is a leaf, or
 * -errno.
 */
static int level_open(struct kpt_fetch_ctx *ctx, struct kpt_span *arg,
		      struct fetch_level *level, bool room)
{
	const char *s = kpt_fetch_text(ctx, arg);
	char c = arg->len ? s[0] : '\0';
	bool is_read;
	size_t skip = level_this_cpu_prefix(s, arg->len, &is_read);
	int err;

	if (c != '+' && c != '-' && c != '(' && !skip)
		return 0;
	if (skip && ctx->place->source)
		return kpt_diag_set(ctx->diag, KPT_E_NOSUP_PERCPU, arg->at,
				    -EINVAL);
	if (!room)
		return kpt_diag_set(ctx->diag, KPT_E_TOO_MANY_NESTED, arg->at,
				    -E2BIG);
	level->is_read = is_read;
	level->op = KPT_OP_END;
	if (c == '(')
		err = kpt_fetch_open_cast(ctx, arg, &level->cast);
	else if (skip)
		err = level_open_this_cpu(ctx, arg, skip, level);
	else
		err = level_open_deref(ctx, arg, level);
	level->inner = *arg;
	return err ? err : 1;
}

/* In this_cpu_ptr(@SYM), @SYM stands for its address, not for its content. */
static int level_close_this_cpu(struct kpt_fetch_ctx *ctx, const struct fetch_level *level,
				struct kpt_fetch_expr *expr)
{
	const char *s = kpt_fetch_text(ctx, &level->inner);
	int err = 0;

	if (s[0] == '@') {
		expr->kind = KPT_FETCH_PLAIN;
	} else {
		kpt_fetch_read(expr);
		err = level_count_op(ctx, expr, &level->inner);
	}
	if (!err && level->is_read)
		err = level_count_op(ctx, expr, &level->inner);
	if (err)
		return err;
	kpt_fetch_add_step(expr, KPT_OP_THIS_CPU);
	expr->kind = level->is_read ? KPT_FETCH_MEMORY : KPT_FETCH_PLAIN;
	expr->offset = 0;
	return 0;
}

static int level_close(struct kpt_fetch_ctx *ctx, const struct fetch_level *level,
		       struct kpt_fetch_expr *expr)
{
	if (expr->kind == KPT_FETCH_COMM || expr->kind == KPT_FETCH_LITERAL)
		return kpt_diag_set(ctx->diag, KPT_E_COMM_CANT_DEREF,
				    level->inner.at, -EINVAL);
	if (level->op == KPT_OP_END)
		return kpt_fetch_close_cast(ctx, &level->cast, expr);
	memset(&expr->typed, 0, sizeof(expr->typed));
	if (level->op == KPT_OP_THIS_CPU)
		return level_close_this_cpu(ctx, level, expr);
	kpt_fetch_read(expr);
	expr->kind = level->op == KPT_OP_READ ? KPT_FETCH_MEMORY :
						KPT_FETCH_USER;
	expr->offset = level->offset;
	return level_count_op(ctx, expr, &level->inner);
}

/*
 * The levels that %pd and %pD stand for, outermost first: the string, the
 * pointer to it in the dentry, the pointer to the dentry in the file. Returns
 * their number.
 */
static unsigned int level_expand_path(char path, struct kpt_span arg,
				      struct fetch_level *levels)
{
	unsigned int n = 0;

	if (!path)
		return 0;
	levels[n++] = (struct fetch_level){ .inner = arg, .op = KPT_OP_READ };
	levels[n++] = (struct fetch_level){ .inner = arg, .op = KPT_OP_READ,
				      .offset = port_dentry_name_offset() };
	if (path == 'D')
		levels[n++] = (struct fetch_level){
			.inner = arg, .op = KPT_OP_READ,
			.offset = port_file_dentry_offset()
		};
	return n;
}

/**
 * kpt_fetch_parse() - parse stage: turn an expression into steps
 * @ctx: context
 * @arg: FETCHARG
 * @path: 'd' or 'D' to read the name of the dentry or file that @arg yields,
 *	else 0
 * @expr: result
 *
 * Levels are opened from the outside in, and their steps appended from the
 * inside out.
 *
 * Context: process context, may sleep (symbol lookup).
 * Return: 0, or with the reason in @ctx->diag: -EINVAL, -ERANGE for a number
 * that is too large, -E2BIG for too many levels or kept arguments, -ENOENT for
 * an unknown symbol, -EOPNOTSUPP for what needs BTF.
 */
int kpt_fetch_parse(struct kpt_fetch_ctx *ctx, struct kpt_span arg, char path,
		    struct kpt_fetch_expr *expr)
{
	struct fetch_level levels[KPT_FETCH_NESTED_MAX + 1] = { 0 };
	unsigned int depth = level_expand_path(path, arg, levels);
	int err;

	memset(expr, 0, sizeof(*expr));
	for (;;) {
		err = level_open(ctx, &arg, &levels[depth],
				 depth < KPT_FETCH_NESTED_MAX);
		if (err <= 0)
			break;
		depth++;
	}
	if (!err)
		err = parse_leaf(ctx, arg, expr);
	while (!err && depth)
		err = level_close(ctx, &levels[--depth], expr);
	return err;
}
