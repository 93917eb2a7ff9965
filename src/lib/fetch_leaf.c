// SPDX-License-Identifier: GPL-2.0-only
/*
 * The innermost part of an argument: registers, $variables, memory at an
 * address or symbol, immediates.
 */
#include <kptrace/port.h>
#include <kptrace/insn.h>
#include "lib/fetch_internal.h"
#include "lib/lex.h"

/* The largest N of $stackN and $argN. */
#define STACK_WORDS (PORT_STACK_SIZE / sizeof(u64))
/* Arguments that the AAPCS64 passes in registers. */
#define REG_ARGS 8

#define REG_RETVAL 0
#define REG_SP 31

static int fail(struct kpt_fetch_ctx *ctx, enum kpt_diag_code code,
		const struct kpt_span *arg, int err)
{
	return kpt_diag_set(ctx->diag, code, arg->at, err);
}

static int add_reg(struct kpt_fetch_expr *expr, int reg,
		   enum kpt_fetch_kind kind)
{
	kpt_fetch_add_step(expr, KPT_OP_REG)->a = (u8)reg;
	expr->kind = kind;
	return 0;
}

static int add_imm(struct kpt_fetch_expr *expr, enum kpt_fetch_op op, u64 imm,
		   enum kpt_fetch_kind kind)
{
	kpt_fetch_add_step(expr, op)->imm = imm;
	expr->kind = kind;
	return 0;
}

/* @digits follow $stack. */
static int leaf_stack(struct kpt_fetch_ctx *ctx, const struct kpt_span *arg,
		      const char *digits, size_t len,
		      struct kpt_fetch_expr *expr)
{
	u64 n;
	int err;

	if (!len)
		return add_reg(expr, REG_SP, KPT_FETCH_PLAIN);
	if (!kpt_lex_is_digit(digits[0]))
		return fail(ctx, KPT_E_BAD_VAR, arg, -EINVAL);
	err = kpt_lex_u64(digits, len, 10, &n);
	if (err)
		return fail(ctx, KPT_E_BAD_VAR, arg, err);
	if (n > STACK_WORDS)
		return fail(ctx, KPT_E_BAD_STACK_NUM, arg, -EINVAL);
	return add_imm(expr, KPT_OP_STACK, n * sizeof(u64), KPT_FETCH_VALUE);
}

/* Number of the kept value that is $arg@n; the same argument is kept once. */
static int keep_entry_arg(struct kpt_fetch_prog *prog, u64 n)
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

static int leaf_entry_arg(struct kpt_fetch_ctx *ctx, const struct kpt_span *arg,
			  u64 n, struct kpt_fetch_expr *expr)
{
	int i = keep_entry_arg(&ctx->out->prog, n);

	if (i < 0)
		return fail(ctx, KPT_E_TOO_MANY_EARGS, arg, i);
	kpt_fetch_add_step(expr, KPT_OP_ENTRY)->a = (u8)i;
	expr->kind = KPT_FETCH_VALUE;
	return 0;
}

/* @digits follow $arg. */
static int leaf_arg(struct kpt_fetch_ctx *ctx, const struct kpt_span *arg,
		    const char *digits, size_t len, struct kpt_fetch_expr *expr)
{
	u64 n;
	int err = kpt_lex_u64(digits, len, 10, &n);

	if (err)
		return fail(ctx, KPT_E_BAD_VAR, arg, err);
	if (!n || n > STACK_WORDS)
		return fail(ctx, KPT_E_BAD_ARG_NUM, arg, -EINVAL);
	if (ctx->place->is_return)
		return leaf_entry_arg(ctx, arg, n, expr);
	if (!ctx->place->is_entry)
		return fail(ctx, KPT_E_NOFENTRY_ARGS, arg, -EINVAL);
	if (n <= REG_ARGS)
		return add_reg(expr, (int)n - 1, KPT_FETCH_VALUE);
	return add_imm(expr, KPT_OP_STACK, (n - REG_ARGS - 1) * sizeof(u64),
		       KPT_FETCH_VALUE);
}

/* @len characters follow $retval. */
static int leaf_retval(struct kpt_fetch_ctx *ctx, const struct kpt_span *arg,
		       size_t len, struct kpt_fetch_expr *expr)
{
	if (!ctx->place->is_return)
		return fail(ctx, KPT_E_RETVAL_ON_PROBE, arg, -EINVAL);
	if (len)
		return fail(ctx, KPT_E_BAD_VAR, arg, -EINVAL);
	return add_reg(expr, REG_RETVAL, KPT_FETCH_VALUE);
}

static int leaf_elapsed(struct kpt_fetch_ctx *ctx, const struct kpt_span *arg,
			struct kpt_fetch_expr *expr)
{
	if (!ctx->place->is_return)
		return fail(ctx, KPT_E_ELAPSED_ON_PROBE, arg, -EINVAL);
	ctx->out->prog.needs_elapsed = true;
	expr->is_time = true;
	return add_imm(expr, KPT_OP_ELAPSED, 0, KPT_FETCH_PLAIN);
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
		return add_imm(expr, KPT_OP_TASK, 0, KPT_FETCH_PLAIN);
	if (kpt_lex_is(s, len, "elapsed"))
		return leaf_elapsed(ctx, arg, expr);
	n = kpt_lex_prefix(s, len, "retval");
	if (n)
		return leaf_retval(ctx, arg, len - n, expr);
	n = kpt_lex_prefix(s, len, "stack");
	if (n)
		return leaf_stack(ctx, arg, s + n, len - n, expr);
	n = kpt_lex_prefix(s, len, "arg");
	if (n)
		return leaf_arg(ctx, arg, s + n, len - n, expr);
	return fail(ctx, KPT_E_BAD_VAR, arg, -EINVAL);
}

static int leaf_register(struct kpt_fetch_ctx *ctx, const struct kpt_span *arg,
			 struct kpt_fetch_expr *expr)
{
	int reg = kpt_reg_by_name(kpt_fetch_text(ctx, arg) + 1, arg->len - 1);

	if (ctx->def->of_function)
		return fail(ctx, KPT_E_BAD_VAR, arg, -EINVAL);
	if (reg < 0)
		return fail(ctx, KPT_E_BAD_REG_NAME, arg, -EINVAL);
	return add_reg(expr, reg, KPT_FETCH_VALUE);
}

/* Address of a symbol, by its name alone. */
static int find_symbol(struct kpt_fetch_ctx *ctx, const struct kpt_span *arg,
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
		return fail(ctx, KPT_E_NON_UNIQ_SYMBOL, arg, -EINVAL);
	*addr = 0;
	if (ctx->place->is_pending)
		return 0;
	if (err == -EOPNOTSUPP)
		return fail(ctx, KPT_E_NO_DATA_SYMBOLS, arg, -ENOENT);
	return fail(ctx, KPT_E_BAD_PROBE_ADDR, arg, -ENOENT);
}

/* @SYM[+|-offs] */
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
			return fail(ctx, KPT_E_BAD_MEM_ADDR, arg, err);
	}
	err = find_symbol(ctx, arg, s, name, &addr);
	if (err)
		return err;
	expr->ops++;
	return add_imm(expr, KPT_OP_IMM, addr + (u64)offset, KPT_FETCH_MEMORY);
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
		return fail(ctx, KPT_E_FILE_ON_KPROBE, arg, -EINVAL);
	if (!len || !kpt_lex_is_digit(s[0]))
		return leaf_symbol(ctx, arg, expr);
	err = kpt_lex_u64(s, len, 0, &addr);
	if (err)
		return fail(ctx, KPT_E_BAD_MEM_ADDR, arg, err);
	return add_imm(expr, KPT_OP_IMM, addr, KPT_FETCH_MEMORY);
}

/* \"..." up to the last quote, which must be the last character. */
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

/* Anything with a minus sign is signed, all else may use 64 bits if plain. */
static int parse_immediate(const char *s, size_t len, u64 *value)
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
	err = parse_immediate(s, len, &value);
	if (err)
		return kpt_diag_set(ctx->diag, KPT_E_BAD_IMM, arg->at + 1, err);
	return add_imm(expr, KPT_OP_IMM, value, KPT_FETCH_NUMBER);
}

/*
 * The place of arguments by name. A kernel without BTF support says this, and
 * so do we.
 */
static int leaf_by_name(struct kpt_fetch_ctx *ctx, const struct kpt_span *arg)
{
	bool known = ctx->place->is_entry || ctx->place->is_return;

	return fail(ctx, KPT_E_NOSUP_BTFARG, arg,
		    known ? -EOPNOTSUPP : -EINVAL);
}

/**
 * kpt_fetch_leaf() - the innermost part of an expression
 * @ctx: context
 * @arg: text without any +OFFS(..) around it
 * @expr: result
 *
 * Context: process context, may sleep (symbol lookup).
 * Return: 0 or -errno, with the reason in the context.
 */
int kpt_fetch_leaf(struct kpt_fetch_ctx *ctx, struct kpt_span arg,
		   struct kpt_fetch_expr *expr)
{
	char c = arg.len ? *kpt_fetch_text(ctx, &arg) : '\0';

	expr->ops = 1;
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
			return leaf_by_name(ctx, &arg);
		return fail(ctx, KPT_E_BAD_FETCH_ARG, &arg, -EINVAL);
	}
}
