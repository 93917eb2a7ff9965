// SPDX-License-Identifier: GPL-2.0-only
/*
 * Names in arguments: parameters, members of structures, types of casts. What BTF
 * says of them becomes steps, offsets and types here, so that a hit sees nothing
 * but numbers.
 */
#include "lib/base/port.h"
#include "parts/btf/aapcs.h"
#include "lib/fetch/fetch_internal.h"
#include "lib/base/lex.h"
#include "lib/base/similar.h"
#include "parts/btf/enum_make.h"
#include "parts/btf/member.h"

#define CURRENT_STRUCT "task_struct"

static int names_fail(struct kpt_fetch_ctx *ctx, enum kpt_diag_code code,
		      unsigned int column, int err)
{
	return kpt_diag_set(ctx->diag, code, column, err);
}

/* Find the types at the first use: reading them takes long. NULL if there are none. */
static const struct kpt_btf *names_types(struct kpt_fetch_ctx *ctx)
{
	if (!ctx->has_types && ctx->place->find_types)
		ctx->place->find_types(ctx->place, &ctx->types);
	ctx->has_types = true;
	return ctx->types.btf;
}

/* The reason why there are no types, or not those of the function. */
static int names_no_types(struct kpt_fetch_ctx *ctx, unsigned int column)
{
	if (ctx->types.btf)
		return names_fail(ctx, KPT_E_NO_BTF_ENTRY, column, -ENOENT);
	kpt_diag_set(ctx->diag, KPT_E_NOSUP_BTFARG, column, -EOPNOTSUPP);
	kpt_diag_detail(ctx->diag, ctx->types.why);
	return -EOPNOTSUPP;
}

/* The types of the module are read when it is loaded: until then, any value. */
static int names_wait(struct kpt_fetch_expr *expr)
{
	kpt_fetch_add_step(expr, KPT_OP_IMM);
	expr->kind = KPT_FETCH_MEMORY;
	expr->typed.is_unknown = true;
	return 0;
}

/*
 * Functions.
 */

static const struct kpt_btf_type *func_proto(const struct kpt_btf *btf, u32 func)
{
	const struct kpt_btf_type *t;

	t = kpt_btf_type(btf, kpt_btf_type(btf, func)->type);
	/* Of BTF that was not checked as a whole: type 0 has no parameters. */
	return kpt_btf_kind(t) == KPT_BTF_FUNC_PROTO ? t : kpt_btf_type(btf, 0);
}

/* Another function of the same name; 0 if there is none. */
static u32 func_next(const struct kpt_btf *btf, u32 func)
{
	const char *name = kpt_btf_name(btf, kpt_btf_type(btf, func)->name);

	return kpt_btf_find(btf, KPT_BTF_FUNC, name, func);
}

/* The parameters of a prototype, without those that are hidden and "...". */
static u32 proto_params(const struct kpt_fetch_ctx *ctx,
			const struct kpt_btf_type *proto)
{
	u32 nr = kpt_btf_nr(proto);

	if (nr && !proto->more[2 * nr - 1])
		nr--;
	return nr - min_t(u32, nr, ctx->place->hidden);
}

/* The name of parameter @n, from 0. */
static const char *proto_name(const struct kpt_fetch_ctx *ctx,
			      const struct kpt_btf_type *proto, u32 n)
{
	return kpt_btf_name(ctx->types.btf, proto->more[2 * (n + ctx->place->hidden)]);
}

/**
 * kpt_fetch_params() - count the parameters of the probed function
 * @ctx: context
 *
 * Context: process context, sleeps.
 * Return: the number of parameters; 0 if they are not known, or not known for
 * certain.
 */
u32 kpt_fetch_params(struct kpt_fetch_ctx *ctx)
{
	const struct kpt_btf *btf;

	if (ctx->place->by_text)
		return 0;
	btf = names_types(ctx);
	if (!btf || !ctx->types.func || func_next(btf, ctx->types.func))
		return 0;
	return proto_params(ctx, func_proto(btf, ctx->types.func));
}

/**
 * kpt_fetch_param_name() - name of a parameter
 * @ctx: context
 * @n: its number, from 1 to kpt_fetch_params()
 *
 * Context: process context.
 * Return: the name, which may be empty; as long as the types are.
 */
const char *kpt_fetch_param_name(const struct kpt_fetch_ctx *ctx, u32 n)
{
	return proto_name(ctx, func_proto(ctx->types.btf, ctx->types.func), n - 1);
}

/**
 * struct param - a parameter, or the result, of the probed function
 * @type: number of its type
 * @is_result: it is the result
 * @at: where it is
 */
struct param {
	u32 type;
	bool is_result;
	struct kpt_passing at;
};

static bool param_same(const struct param *a, const struct param *b)
{
	return a->type == b->type && a->at.how == b->at.how &&
	       a->at.first == b->at.first && a->at.nr == b->at.nr;
}

/* Words are counted from the first one that is not hidden; each hidden one is one. */
static void param_get(const struct kpt_fetch_ctx *ctx, u32 func, u32 n, struct param *p)
{
	const struct kpt_btf *btf = ctx->types.btf;
	const struct kpt_btf_type *proto = func_proto(btf, func);

	n += ctx->place->hidden;
	p->type = proto->more[2 * n + 1];
	p->is_result = false;
	kpt_aapcs_parameter(btf, proto, n, &p->at);
	p->at.first -= ctx->place->hidden;
}

/**
 * kpt_fetch_param_word() - find the first word of a parameter
 * @ctx: context
 * @n: number of the parameter, from 1 to kpt_fetch_params()
 *
 * Context: process context.
 * Return: N of the $argN that yields it.
 */
u32 kpt_fetch_param_word(const struct kpt_fetch_ctx *ctx, u32 n)
{
	struct param p;

	param_get(ctx, ctx->types.func, n - 1, &p);
	return p.at.first + 1;
}

static bool param_in(const struct kpt_fetch_ctx *ctx, u32 func, const char *name,
		     size_t len, struct param *p)
{
	const struct kpt_btf_type *proto = func_proto(ctx->types.btf, func);
	u32 n;

	for (n = 0; n < proto_params(ctx, proto); n++)
		if (kpt_lex_is(name, len, proto_name(ctx, proto, n))) {
			param_get(ctx, func, n, p);
			return true;
		}
	return false;
}

static int param_refuse(struct kpt_fetch_ctx *ctx, const struct kpt_btf_type *proto,
			const struct kpt_span *name)
{
	struct kpt_similar like;
	u32 n;

	kpt_similar_begin(&like, kpt_fetch_text(ctx, name), name->len);
	for (n = 0; n < proto_params(ctx, proto); n++)
		kpt_similar_see(&like, proto_name(ctx, proto, n));
	names_fail(ctx, KPT_E_NO_BTFARG, name->at, 0);
	kpt_similar_tell(&like, ctx->diag);
	return -ENOENT;
}

/* Find a parameter by name. All functions of the probed one's name must agree. */
static int param_find(struct kpt_fetch_ctx *ctx, const struct kpt_span *name, struct param *p)
{
	const struct kpt_btf *btf = names_types(ctx);
	const char *s = kpt_fetch_text(ctx, name);
	u32 func = btf ? ctx->types.func : 0, next;
	bool is_in;
	struct param other;

	if (!func)
		return names_no_types(ctx, name->at);
	is_in = param_in(ctx, func, s, name->len, p);
	for (next = func_next(btf, func); next; next = func_next(btf, next))
		if (param_in(ctx, next, s, name->len, &other) != is_in ||
		    (is_in && !param_same(p, &other)))
			return names_fail(ctx, KPT_E_BTF_FUNCS, name->at, -EINVAL);
	if (is_in)
		return 0;
	if (!proto_params(ctx, func_proto(btf, func)))
		return names_fail(ctx, KPT_E_NO_BTF_ENTRY, name->at, -ENOENT);
	return param_refuse(ctx, func_proto(btf, func), name);
}

/*
 * Members.
 */

/* Length of the arrow that a text begins with, "->" or "-u>"; 0 if there is none. */
static size_t arrow_len(const char *s, size_t len)
{
	size_t n = kpt_lex_prefix(s, len, "->");

	return n ? n : kpt_lex_prefix(s, len, "-u>");
}

/*
 * Cut @rest at the first dot or arrow. @sep: '.', '>', 'u' for an arrow into user
 * memory, or '\0' at the end.
 */
static int names_cut(struct kpt_fetch_ctx *ctx, struct kpt_span *rest,
		     struct kpt_span *name, char *sep)
{
	const char *s = kpt_fetch_text(ctx, rest);
	size_t len = rest->len;
	size_t at = kpt_lex_find(s, kpt_lex_find(s, len, '.'), '-');
	size_t skip = at;

	*sep = '\0';
	if (at < len && s[at] == '.') {
		*sep = '.';
		skip = at + 1;
	} else if (at < len) {
		skip = at + arrow_len(s + at, len - at);
		if (skip == at)
			return names_fail(ctx, KPT_E_BAD_HYPHEN,
					  (unsigned int)(rest->at + at), -EINVAL);
		*sep = s[at + 1];
	}
	*name = (struct kpt_span){ .at = rest->at, .len = (u16)at };
	rest->at += (u16)skip;
	rest->len -= (u16)skip;
	return 0;
}

/* Cut the indexes off a name: @index is all from the first bracket on. */
static void names_cut_index(struct kpt_fetch_ctx *ctx, struct kpt_span *name,
			    struct kpt_span *index)
{
	size_t at = kpt_lex_find(kpt_fetch_text(ctx, name), name->len, '[');

	*index = (struct kpt_span){ .at = (u16)(name->at + at), .len = (u16)(name->len - at) };
	name->len = (u16)at;
}

/* What a pointer points to becomes the memory that @m is a part of. */
static void names_point(struct kpt_fetch_expr *expr, struct kpt_member *m,
			u32 type, bool user)
{
	expr->offset = (u64)((s64)m->bit >> 3);
	kpt_fetch_read(expr);
	expr->kind = user ? KPT_FETCH_USER : KPT_FETCH_MEMORY;
	expr->offset = 0;
	expr->ops++;
	*m = (struct kpt_member){ .type = type };
}

/* Go on to element @n of an array, or of what a pointer points to. */
static int names_element(struct kpt_fetch_ctx *ctx, struct kpt_fetch_expr *expr,
			 u64 n, unsigned int column, struct kpt_member *m)
{
	const struct kpt_btf *btf = ctx->types.btf;
	const struct kpt_btf_type *t = kpt_btf_resolve(btf, m->type);
	u64 size;

	if (kpt_btf_kind(t) == KPT_BTF_ARRAY) {
		if (n >= t->more[2] && t->more[2])
			return names_fail(ctx, KPT_E_BAD_INDEX, column, -EINVAL);
		m->type = t->more[0];
	} else if (kpt_btf_kind(t) == KPT_BTF_PTR && expr) {
		names_point(expr, m, t->type, kpt_btf_is_user(btf, t->type));
		if (expr->ops >= KPT_FETCH_STEPS_MAX)
			return names_fail(ctx, KPT_E_TOO_MANY_OPS, column, -EINVAL);
	} else {
		return names_fail(ctx, KPT_E_NO_ARRAY, column, -EINVAL);
	}
	size = kpt_btf_size(btf, m->type);
	if (!size)
		return names_fail(ctx, KPT_E_NO_ARRAY, column, -EINVAL);
	m->bit += n * size * 8;
	m->width = 0;
	return 0;
}

/* [N]... behind a name */
static int names_index(struct kpt_fetch_ctx *ctx, struct kpt_fetch_expr *expr,
		       struct kpt_span index, struct kpt_member *m)
{
	const char *s = kpt_fetch_text(ctx, &index);
	size_t at = 0, close;
	int err = 0;
	u64 n;

	while (!err && at < index.len) {
		close = at + kpt_lex_find(s + at, index.len - at, ']');
		at += s[at] == '[';
		if (close == index.len || s[at - 1] != '[' ||
		    kpt_lex_u64(s + at, close - at, 0, &n) || n > U32_MAX)
			return names_fail(ctx, KPT_E_BAD_INDEX,
					  (unsigned int)(index.at + at), -EINVAL);
		err = names_element(ctx, expr, n, (unsigned int)(index.at + at), m);
		at = close + 1;
	}
	return err;
}

/* Go on to a member by its name, which may have an index. */
static int names_member(struct kpt_fetch_ctx *ctx, struct kpt_fetch_expr *expr,
			struct kpt_span name, struct kpt_member *m)
{
	const struct kpt_btf *btf = ctx->types.btf;
	const struct kpt_btf_type *t = kpt_btf_resolve(btf, m->type);
	struct kpt_member part;
	struct kpt_span index;

	names_cut_index(ctx, &name, &index);
	if (kpt_btf_kind(t) == KPT_BTF_FWD)
		return names_fail(ctx, KPT_E_BTF_INCOMPLETE, name.at, -EINVAL);
	if (!kpt_btf_is_struct(t))
		return names_fail(ctx, KPT_E_BAD_BTF_TID, name.at, -EINVAL);
	if (!kpt_member_find(btf, t, kpt_fetch_text(ctx, &name), name.len, &part)) {
		names_fail(ctx, KPT_E_NO_BTF_FIELD, name.at, 0);
		kpt_member_tell_similar(btf, t, kpt_fetch_text(ctx, &name), name.len, ctx->diag);
		return -ENOENT;
	}
	m->type = part.type;
	m->bit += part.bit;
	m->width = part.width;
	return names_index(ctx, expr, index, m);
}

/* The value of @expr is that of @m, a member or a whole argument. */
static void names_set_type(struct kpt_fetch_ctx *ctx, struct kpt_fetch_expr *expr,
			   const struct kpt_member *m, unsigned int column)
{
	if (kpt_fetch_is_memory(expr))
		expr->offset = (u64)((s64)m->bit >> 3);
	expr->typed = (struct kpt_fetch_typed){
		.btf = ctx->types.btf, .type = m->type, .width = m->width,
		.bit = m->bit & 7, .column = (u16)column,
	};
}

/* How the names of members begin. */
enum names_from {
	NAMES_FROM_POINTER,	/* behind an arrow: @m is a pointer */
	NAMES_FROM_ADDRESS,	/* behind an arrow: the value is where @m is */
	NAMES_FROM_STRUCT,	/* behind a dot: @m is a structure in memory */
};

/*
 * FIELD[.FIELD]...[->FIELD...]: each arrow reads a pointer, dots only add offsets.
 * @sep is what the first name is behind. Checks and columns are in mainline's order.
 */
static int names_follow(struct kpt_fetch_ctx *ctx, struct kpt_span rest, char sep,
			enum names_from from, struct kpt_member *m,
			struct kpt_fetch_expr *expr)
{
	const struct kpt_btf *btf = ctx->types.btf;
	const struct kpt_btf_type *t;
	struct kpt_span name;
	u64 bit = m->bit;
	int err;

	do {
		t = kpt_btf_resolve(btf, m->type);
		if (from == NAMES_FROM_POINTER) {
			if (kpt_btf_kind(t) != KPT_BTF_PTR)
				return names_fail(ctx, KPT_E_NO_PTR_STRCT, rest.at, -EINVAL);
			names_point(expr, m, t->type,
				    sep == 'u' || kpt_btf_is_user(btf, t->type));
		} else if (from == NAMES_FROM_ADDRESS) {
			names_point(expr, m, m->type, sep == 'u');
			m->bit = bit;
		}
		from = NAMES_FROM_POINTER;
		do {
			err = names_cut(ctx, &rest, &name, &sep);
			if (!err)
				err = names_member(ctx, expr, name, m);
			if (err)
				return err;
		} while (sep == '.');
		if (expr->ops >= KPT_FETCH_STEPS_MAX)
			return names_fail(ctx, KPT_E_TOO_MANY_OPS,
					  sep ? rest.at : name.at, -EINVAL);
	} while (sep);
	names_set_type(ctx, expr, m, name.at);
	return 0;
}

/*
 * Variables.
 */

/* Append the step that makes the @n-th word of a parameter or result the value. */
static int param_word(struct kpt_fetch_ctx *ctx, const struct kpt_span *arg,
		      const struct param *p, u32 n, struct kpt_fetch_expr *expr)
{
	if (p->is_result) {
		kpt_fetch_add_step(expr, KPT_OP_REG)->a = (u8)(p->at.first + n);
		expr->kind = KPT_FETCH_VALUE;
		return 0;
	}
	return kpt_fetch_arg_word(ctx, arg, p->at.first + n + 1, expr);
}

/*
 * Take FIELD[.FIELD]... off @rest: @m becomes the last member, which is called @name. @sep
 * is what follows it, as of names_cut().
 */
static int names_members(struct kpt_fetch_ctx *ctx, struct kpt_span *rest,
			 struct kpt_span *name, char *sep, struct kpt_member *m)
{
	int err;

	do {
		err = names_cut(ctx, rest, name, sep);
		if (!err)
			err = names_member(ctx, NULL, *name, m);
	} while (!err && *sep == '.');
	return err;
}

/* FIELD[.FIELD]... of a structure that is passed in words */
static int param_members(struct kpt_fetch_ctx *ctx, const struct kpt_span *arg,
			 const struct param *p, struct kpt_span rest,
			 struct kpt_fetch_expr *expr)
{
	struct kpt_member m = { .type = p->type };
	struct kpt_span name;
	u64 bits;
	char sep;
	int err;

	err = names_members(ctx, &rest, &name, &sep, &m);
	if (err)
		return err;
	bits = m.width ? m.width : 8 * kpt_btf_size(ctx->types.btf, m.type);
	if (m.bit / 64 >= p->at.nr || m.bit % 64 + min_t(u64, bits, 64) > 64)
		return names_fail(ctx, KPT_E_NOSUP_DAT_ARG, name.at, -EOPNOTSUPP);
	err = param_word(ctx, arg, p, (u32)(m.bit / 64), expr);
	if (err)
		return err;
	if (m.bit % 64) {
		kpt_fetch_add_step(expr, KPT_OP_SHIFT)->imm = m.bit % 64;
		expr->ops++;
	}
	m.bit = 0;
	if (sep)
		return names_follow(ctx, rest, sep, NAMES_FROM_POINTER, &m, expr);
	names_set_type(ctx, expr, &m, name.at);
	return 0;
}

static int param_nowhere(struct kpt_fetch_ctx *ctx, const struct kpt_span *arg,
			 const struct param *p)
{
	static const char *const why[] = {
		[KPT_PASSED_UNKNOWN] = "it or one before it has parts of unknown place",
		[KPT_PASSED_WORDS] = "it has no bytes",
		[KPT_PASSED_POINTER] = "",
		[KPT_PASSED_FLOAT] = "it is a floating point number",
		[KPT_PASSED_X8] = "it is in memory that the caller chose",
	};

	kpt_diag_set(ctx->diag, KPT_E_NO_WORD, arg->at, -EOPNOTSUPP);
	kpt_diag_detail(ctx->diag, why[p->at.how]);
	return -EOPNOTSUPP;
}

/*
 * A parameter or result with what follows its name: @index, and after @sep members.
 */
static int param_value(struct kpt_fetch_ctx *ctx, const struct kpt_span *arg,
		       const struct param *p, struct kpt_span index,
		       struct kpt_span rest, char sep,
		       struct kpt_fetch_expr *expr)
{
	const struct kpt_btf_type *t = kpt_btf_resolve(ctx->types.btf, p->type);
	struct kpt_member m = { .type = p->type };
	bool by_value = kpt_btf_is_struct(t);
	int err;

	if (sep == '.' && !index.len && !by_value)
		return names_fail(ctx, KPT_E_NOSUP_DAT_ARG, rest.at, -EOPNOTSUPP);
	if ((p->at.how != KPT_PASSED_WORDS && p->at.how != KPT_PASSED_POINTER) ||
	    !p->at.nr)
		return param_nowhere(ctx, arg, p);
	if (sep == '.' && by_value && p->at.how == KPT_PASSED_WORDS)
		return names_index(ctx, NULL, index, &m) ?:
		       param_members(ctx, arg, p, rest, expr);
	err = param_word(ctx, arg, p, 0, expr);
	if (!err)
		err = names_index(ctx, expr, index, &m);
	if (err)
		return err;
	if (!sep) {
		names_set_type(ctx, expr, &m, arg->at);
		return 0;
	}
	return names_follow(ctx, rest, sep, sep != '.' ? NAMES_FROM_POINTER :
			    by_value ? NAMES_FROM_ADDRESS : NAMES_FROM_STRUCT, &m, expr);
}

/**
 * kpt_fetch_name() - parse a parameter by name, NAME[N]->FIELD.FIELD...
 * @ctx: context; the place is the entry or the return of a function
 * @arg: the text
 * @expr: result
 *
 * Context: process context, sleeps.
 * Return: 0, or -errno with the reason in @ctx->diag.
 */
int kpt_fetch_name(struct kpt_fetch_ctx *ctx, const struct kpt_span *arg,
		   struct kpt_fetch_expr *expr)
{
	struct kpt_span rest = *arg, name, index;
	struct param p;
	char sep;
	int err = names_cut(ctx, &rest, &name, &sep);

	if (err)
		return err;
	if (ctx->place->is_pending)
		return names_wait(expr);
	names_cut_index(ctx, &name, &index);
	err = param_find(ctx, &name, &p);
	/* Mainline reports the dot before it looks for the name. */
	if (err && sep == '.' && !index.len)
		return names_fail(ctx, KPT_E_NOSUP_DAT_ARG, rest.at, -EOPNOTSUPP);
	if (err)
		return err;
	return param_value(ctx, arg, &p, index, rest, sep, expr);
}

/**
 * kpt_fetch_param() - make a parameter by its number the value
 * @ctx: context; kpt_fetch_params() is at least @n
 * @arg: the text that stands for it, for the column of a mistake
 * @n: its number, from 1
 * @expr: result
 *
 * Context: process context.
 * Return: 0, or -errno with the reason in @ctx->diag.
 */
int kpt_fetch_param(struct kpt_fetch_ctx *ctx, const struct kpt_span *arg,
		    u32 n, struct kpt_fetch_expr *expr)
{
	struct kpt_span none = { 0 };
	struct param p;

	param_get(ctx, ctx->types.func, n - 1, &p);
	return param_value(ctx, arg, &p, none, none, '\0', expr);
}

/* Find the type of the result; all functions of the name must agree. */
static int result_find(struct kpt_fetch_ctx *ctx, unsigned int column, struct param *p)
{
	struct kpt_aapcs a = { .is_result = true };
	const struct kpt_btf *btf = names_types(ctx);
	u32 func = btf ? ctx->types.func : 0, next;

	if (!func)
		return names_no_types(ctx, column);
	p->type = func_proto(btf, func)->type;
	p->is_result = true;
	for (next = func_next(btf, func); next; next = func_next(btf, next))
		if (func_proto(btf, next)->type != p->type)
			return names_fail(ctx, KPT_E_BTF_FUNCS, column, -EINVAL);
	kpt_aapcs_next(&a, btf, p->type, &p->at);
	return 0;
}

/**
 * kpt_fetch_retval() - parse $retval, with members
 * @ctx: context; the place is the return of a function
 * @arg: the text, which begins with $retval
 * @expr: result
 *
 * Without BTF of the function the value has no type, and no members.
 *
 * Context: process context, sleeps.
 * Return: 0, or -errno with the reason in @ctx->diag.
 */
int kpt_fetch_retval(struct kpt_fetch_ctx *ctx, const struct kpt_span *arg,
		     struct kpt_fetch_expr *expr)
{
	struct kpt_span rest = *arg, name, index;
	struct param p;
	char sep;
	int err = names_cut(ctx, &rest, &name, &sep);

	if (err)
		return err;
	names_cut_index(ctx, &name, &index);
	if (sep == '.' && ctx->place->is_pending)
		return names_fail(ctx, KPT_E_NOSUP_DAT_ARG, rest.at, -EOPNOTSUPP);
	if ((sep || index.len) && ctx->place->is_pending)
		return names_wait(expr);
	if (ctx->place->by_text && !sep && !index.len)
		err = -ENOENT;
	else
		err = result_find(ctx, sep ? rest.at : arg->at, &p);
	if (err && (sep || index.len))
		return err;
	if (err) {
		kpt_fetch_add_step(expr, KPT_OP_REG);
		expr->kind = KPT_FETCH_VALUE;
		return 0;
	}
	if (!p.type)
		return names_fail(ctx, KPT_E_NO_RETVAL, arg->at, -ENOENT);
	return param_value(ctx, arg, &p, index, rest, sep, expr);
}

/*
 * Structures by name.
 */

/* Find the only structure of a name: in the kernel, else in the module. */
static int struct_find(struct kpt_fetch_ctx *ctx, const char *s, size_t len,
		       unsigned int column, enum kpt_diag_code missing, int err,
		       u32 *id)
{
	const struct kpt_btf *btf = names_types(ctx), *in;
	char name[KPT_FETCH_TEXT_MAX + 1];

	if (!btf)
		return names_no_types(ctx, column);
	memcpy(name, s, len);
	name[len] = '\0';
	in = btf->base ? btf->base : btf;
	*id = len ? kpt_btf_find(in, KPT_BTF_STRUCT, name, 0) : 0;
	if (len && !*id && in != btf) {
		in = btf;
		*id = kpt_btf_find(in, KPT_BTF_STRUCT, name, 0);
	}
	if (!*id)
		return names_fail(ctx, missing, column, err);
	if (kpt_btf_find(in, KPT_BTF_STRUCT, name, *id))
		return names_fail(ctx, KPT_E_BTF_STRUCTS, column, -EINVAL);
	return 0;
}

/* The first enumeration that has a value of that name. */
static u32 enum_with_value(const struct kpt_btf *btf, const char *name)
{
	u32 id;

	for (id = btf->first; id < btf->end; id++)
		if (kpt_enum_has(btf, id, name))
			return id;
	return 0;
}

/**
 * kpt_fetch_find_enum() - find an enumeration by its name, or by that of one of its values
 * @ctx: context
 * @name: the name: many enumerations have none, but values have
 * @found: result: @btf and @type
 *
 * Looks in the kernel, then in the module.
 *
 * Context: process context, sleeps; linear in the number of types.
 * Return: 0, or with the reason in @ctx->diag -ENOENT, -EOPNOTSUPP.
 */
int kpt_fetch_find_enum(struct kpt_fetch_ctx *ctx, const struct kpt_span *name,
			struct kpt_fetch_typed *found)
{
	const struct kpt_btf *own = names_types(ctx), *btf;
	char text[KPT_FETCH_TEXT_MAX + 1];

	if (!own)
		return names_no_types(ctx, name->at);
	memcpy(text, kpt_fetch_text(ctx, name), name->len);
	text[name->len] = '\0';
	for (btf = own->base ? own->base : own; name->len; btf = own) {
		found->type = kpt_btf_find(btf, KPT_BTF_ENUM, text, 0);
		if (!found->type)
			found->type = kpt_btf_find(btf, KPT_BTF_ENUM64, text, 0);
		if (!found->type)
			found->type = enum_with_value(btf, text);
		if (found->type || btf == own)
			break;
	}
	found->btf = btf;
	found->column = name->at;
	if (found->type)
		return 0;
	return names_fail(ctx, KPT_E_NO_SUCH_ENUM, name->at, -ENOENT);
}

/**
 * kpt_fetch_current() - parse $current with members
 * @ctx: context
 * @arg: the text, which begins with "$current-"
 * @expr: result
 *
 * Context: process context, sleeps.
 * Return: 0, or -errno with the reason in @ctx->diag.
 */
int kpt_fetch_current(struct kpt_fetch_ctx *ctx, const struct kpt_span *arg,
		      struct kpt_fetch_expr *expr)
{
	struct kpt_member m = { 0 };
	struct kpt_span rest = *arg, name;
	char sep;
	int err = names_cut(ctx, &rest, &name, &sep);

	if (err)
		return err;
	err = struct_find(ctx, CURRENT_STRUCT, strlen(CURRENT_STRUCT), arg->at,
			  KPT_E_NO_BTF_ENTRY, -ENOENT, &m.type);
	if (err)
		return err;
	kpt_fetch_add_step(expr, KPT_OP_TASK);
	expr->kind = KPT_FETCH_PLAIN;
	return names_follow(ctx, rest, sep, NAMES_FROM_ADDRESS, &m, expr);
}

/*
 * Casts.
 */

/* The bracket that closes the one at @at; @len if there is none. */
static size_t cast_closing(const char *s, size_t len, size_t at)
{
	unsigned int depth = 0;

	for (; at < len; at++) {
		if (s[at] == '(')
			depth++;
		else if (s[at] == ')' && !--depth)
			return at;
	}
	return len;
}

/*
 * Find what is cast, behind the closing bracket at @end: it becomes @arg. Returns
 * the index of the arrow that has to follow, or -errno.
 */
static int cast_operand(struct kpt_fetch_ctx *ctx, struct kpt_span *arg,
			size_t end)
{
	const char *s = kpt_fetch_text(ctx, arg);
	size_t len = arg->len, in = end + 1, open = in, close, sign;
	char c = in < len ? s[in] : '\0';
	u16 base = arg->at;

	if (c == '+' || c == '-' || kpt_fetch_is_this_cpu(s + in, len - in)) {
		open = in + 1 + kpt_lex_find(s + in + 1, len - in - 1, '(');
		if (open == len)
			return names_fail(ctx, KPT_E_DEREF_NEED_BRACE,
					  (unsigned int)(base + in), -EINVAL);
	} else if (c != '(') {
		close = in + kpt_lex_find(s + in, len - in, '-');
		sign = min(close, in + kpt_lex_find(s + in, len - in, '+'));
		if (c == '@' && sign + 1 < len && kpt_lex_is_digit(s[sign + 1]))
			return names_fail(ctx, KPT_E_TYPECAST_SYM_OFFSET,
					  (unsigned int)(base + in), -EINVAL);
		if (!arrow_len(s + close, len - close))
			return names_fail(ctx, KPT_E_TYPECAST_REQ_FIELD,
					  (unsigned int)(base + len), -EINVAL);
		arg->at = (u16)(base + in);
		arg->len = (u16)(close - in);
		return (int)close;
	}
	close = cast_closing(s, len, open);
	if (close == len)
		return names_fail(ctx, KPT_E_DEREF_OPEN_BRACE,
				  (unsigned int)(base + (c == '(' ? in : len)),
				  -EINVAL);
	if (!arrow_len(s + close + 1, len - close - 1))
		return names_fail(ctx, KPT_E_TYPECAST_REQ_FIELD,
				  (unsigned int)(base + close + 1), -EINVAL);
	arg->at = (u16)(base + in + (c == '('));
	arg->len = (u16)(close - in + (c == '(' ? -1 : 1));
	return (int)close + 1;
}

/**
 * kpt_fetch_open_cast() - take a cast apart: (STRUCT[,FIELD])FETCHARG->FIELD...
 * @ctx: context
 * @arg: the text, which begins with the bracket; becomes FETCHARG
 * @cast: result
 *
 * Context: any.
 * Return: 0, or -EINVAL with the reason in @ctx->diag.
 */
int kpt_fetch_open_cast(struct kpt_fetch_ctx *ctx, struct kpt_span *arg,
			struct kpt_fetch_cast *cast)
{
	struct kpt_span all = *arg;
	const char *s = kpt_fetch_text(ctx, &all);
	size_t end = kpt_lex_find(s, all.len, ')'), n;
	int arrow;

	if (end == all.len)
		return names_fail(ctx, KPT_E_DEREF_OPEN_BRACE,
				  (unsigned int)all.at + all.len, -EINVAL);
	cast->type = (struct kpt_span){ .at = (u16)(all.at + 1),
					.len = (u16)(end - 1) };
	arrow = cast_operand(ctx, arg, end);
	if (arrow < 0)
		return arrow;
	n = arrow + arrow_len(s + arrow, all.len - arrow);
	cast->arrow = s[arrow + 1];
	cast->fields = (struct kpt_span){ .at = (u16)(all.at + n), .len = (u16)(all.len - n) };
	return 0;
}

/* The bits in front of the member of @m that the value points to. */
static int cast_member(struct kpt_fetch_ctx *ctx, struct kpt_span rest,
		       struct kpt_member m, u64 *bit)
{
	struct kpt_span name;
	unsigned int column;
	char sep;
	int err;

	err = names_members(ctx, &rest, &name, &sep, &m);
	if (err)
		return err;
	column = sep ? rest.at : name.at;
	if (m.bit % 8)
		return names_fail(ctx, KPT_E_TYPECAST_NOT_ALIGNED, column,
				  -EINVAL);
	if (sep)
		return names_fail(ctx, KPT_E_TYPECAST_BAD_ARROW,
				  column - (sep == 'u' ? 3 : 2), -EINVAL);
	*bit = m.bit;
	return 0;
}

/**
 * kpt_fetch_close_cast() - apply a cast and its fields
 * @ctx: context
 * @cast: result of kpt_fetch_open_cast()
 * @expr: what is cast; becomes the last field
 *
 * Context: process context, sleeps.
 * Return: 0, or -errno with the reason in @ctx->diag.
 */
int kpt_fetch_close_cast(struct kpt_fetch_ctx *ctx,
			 const struct kpt_fetch_cast *cast,
			 struct kpt_fetch_expr *expr)
{
	const char *s = kpt_fetch_text(ctx, &cast->type);
	size_t len = kpt_lex_find(s, cast->type.len, ',');
	struct kpt_member m = { 0 };
	struct kpt_span rest;
	u64 bit = 0;
	int err;

	err = struct_find(ctx, s, len, cast->type.at, KPT_E_NO_PTR_STRCT, -EINVAL,
			  &m.type);
	if (err && ctx->place->is_pending) {
		expr->nr = 0;
		return names_wait(expr);
	}
	if (!err && len < cast->type.len) {
		rest.at = (u16)(cast->type.at + len + 1);
		rest.len = (u16)(cast->type.len - len - 1);
		err = cast_member(ctx, rest, m, &bit);
	}
	if (err)
		return err;
	kpt_fetch_read(expr);
	m.bit = 0 - bit;
	return names_follow(ctx, cast->fields, cast->arrow, NAMES_FROM_ADDRESS, &m, expr);
}
