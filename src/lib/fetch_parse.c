// SPDX-License-Identifier: GPL-2.0-only
/*
 * Expressions: what stands around the innermost part is opened from the
 * outside in, and turned into steps from the inside out.
 */
#include <kptrace/port.h>
#include "lib/fetch_internal.h"
#include "lib/lex.h"

/**
 * struct level - one +OFFS(..), this_cpu_read(..) or this_cpu_ptr(..)
 * @inner: what stands in the braces
 * @op: KPT_OP_READ, KPT_OP_READ_USER or KPT_OP_THIS_CPU
 * @is_read: this_cpu_read(..): the copy's content, not its address
 * @offset: what a read adds to the address
 */
struct level {
	struct kpt_span inner;
	enum kpt_fetch_op op;
	bool is_read;
	u64 offset;
};

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
 * kpt_fetch_read() - make a read that was put off a step
 * @expr: the expression; if it yields memory, it yields a value after this
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

/* Note a longer way of the kind that mainline limits to 15. */
static int count_op(struct kpt_fetch_ctx *ctx, struct kpt_fetch_expr *expr,
		    const struct kpt_span *where)
{
	if (++expr->ops < KPT_FETCH_STEPS_MAX)
		return 0;
	return kpt_diag_set(ctx->diag, KPT_E_TOO_MANY_OPS, where->at, -EINVAL);
}

/* @arg begins behind an open brace; narrow it to what the brace encloses. */
static int close_brace(struct kpt_fetch_ctx *ctx, struct kpt_span *arg)
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

/* The number between the sign and the brace, which may have a sign, too. */
static int parse_offset(char sign, const char *s, size_t len, u64 *offset)
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
static int open_deref(struct kpt_fetch_ctx *ctx, struct kpt_span *arg,
		      struct level *level)
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
	err = parse_offset(s[0], s + from, open - from, &level->offset);
	if (err)
		return kpt_diag_set(ctx->diag, KPT_E_BAD_DEREF_OFFS, arg->at,
				    err);
	arg->at += (u16)(open + 1);
	arg->len -= (u16)(open + 1);
	return close_brace(ctx, arg);
}

/* Length of this_cpu_read( or this_cpu_ptr( at the start of the text, or 0. */
static size_t this_cpu_len(const char *s, size_t len, bool *is_read)
{
	size_t n = kpt_lex_prefix(s, len, "this_cpu_read(");

	*is_read = n > 0;
	return n ? n : kpt_lex_prefix(s, len, "this_cpu_ptr(");
}

static int open_this_cpu(struct kpt_fetch_ctx *ctx, struct kpt_span *arg,
			 size_t skip, struct level *level)
{
	level->op = KPT_OP_THIS_CPU;
	arg->at += (u16)skip;
	arg->len -= (u16)skip;
	return close_brace(ctx, arg);
}

/*
 * Take one level off @arg. Returns 1 if there was one, 0 if @arg is a leaf.
 * A '(' would begin a BTF type cast.
 */
static int open_level(struct kpt_fetch_ctx *ctx, struct kpt_span *arg,
		      struct level *level, bool room)
{
	const char *s = kpt_fetch_text(ctx, arg);
	char c = arg->len ? s[0] : '\0';
	bool is_read;
	size_t skip = this_cpu_len(s, arg->len, &is_read);
	int err;

	if (c != '+' && c != '-' && c != '(' && !skip)
		return 0;
	if (!room)
		return kpt_diag_set(ctx->diag, KPT_E_TOO_MANY_NESTED, arg->at,
				    -E2BIG);
	if (c == '(')
		return kpt_diag_set(ctx->diag, KPT_E_NOSUP_BTFARG, arg->at,
				    -EOPNOTSUPP);
	level->is_read = is_read;
	err = skip ? open_this_cpu(ctx, arg, skip, level) :
		     open_deref(ctx, arg, level);
	level->inner = *arg;
	return err ? err : 1;
}

/*
 * this_cpu_ptr(@SYM) wants the address of SYM and not what is there, which
 * would be of no use.
 */
static int close_this_cpu(struct kpt_fetch_ctx *ctx, const struct level *level,
			  struct kpt_fetch_expr *expr)
{
	const char *s = kpt_fetch_text(ctx, &level->inner);
	int err = 0;

	if (s[0] == '@') {
		expr->kind = KPT_FETCH_PLAIN;
	} else {
		kpt_fetch_read(expr);
		err = count_op(ctx, expr, &level->inner);
	}
	if (!err && level->is_read)
		err = count_op(ctx, expr, &level->inner);
	if (err)
		return err;
	kpt_fetch_add_step(expr, KPT_OP_THIS_CPU);
	expr->kind = level->is_read ? KPT_FETCH_MEMORY : KPT_FETCH_PLAIN;
	expr->offset = 0;
	return 0;
}

static int close_level(struct kpt_fetch_ctx *ctx, const struct level *level,
		       struct kpt_fetch_expr *expr)
{
	if (expr->kind == KPT_FETCH_COMM || expr->kind == KPT_FETCH_LITERAL)
		return kpt_diag_set(ctx->diag, KPT_E_COMM_CANT_DEREF,
				    level->inner.at, -EINVAL);
	if (level->op == KPT_OP_THIS_CPU)
		return close_this_cpu(ctx, level, expr);
	kpt_fetch_read(expr);
	expr->kind = level->op == KPT_OP_READ ? KPT_FETCH_MEMORY :
						KPT_FETCH_USER;
	expr->offset = level->offset;
	return count_op(ctx, expr, &level->inner);
}

/*
 * The levels that %pd and %pD stand for: the name is a pointer in the dentry,
 * the dentry a pointer in the file. Returns how many there are.
 */
static unsigned int path_levels(char path, struct kpt_span arg,
				struct level *levels)
{
	unsigned int n = 0;

	if (!path)
		return 0;
	levels[n++] = (struct level){ .inner = arg, .op = KPT_OP_READ };
	levels[n++] = (struct level){ .inner = arg, .op = KPT_OP_READ,
				      .offset = port_dentry_name_offset() };
	if (path == 'D')
		levels[n++] = (struct level){
			.inner = arg, .op = KPT_OP_READ,
			.offset = port_file_dentry_offset()
		};
	return n;
}

/**
 * kpt_fetch_parse() - parse stage
 * @ctx: context
 * @arg: FETCHARG
 * @path: 'd' or 'D' to go on to the name behind a dentry or file, else 0
 * @expr: result
 *
 * Context: process context, may sleep (symbol lookup).
 * Return: 0 or -errno, with the reason in the context.
 */
int kpt_fetch_parse(struct kpt_fetch_ctx *ctx, struct kpt_span arg, char path,
		    struct kpt_fetch_expr *expr)
{
	struct level levels[KPT_FETCH_NESTED_MAX + 1] = { 0 };
	unsigned int depth = path_levels(path, arg, levels);
	int err;

	memset(expr, 0, sizeof(*expr));
	for (;;) {
		err = open_level(ctx, &arg, &levels[depth],
				 depth < KPT_FETCH_NESTED_MAX);
		if (err <= 0)
			break;
		depth++;
	}
	if (!err)
		err = kpt_fetch_leaf(ctx, arg, expr);
	while (!err && depth)
		err = close_level(ctx, &levels[--depth], expr);
	return err;
}
