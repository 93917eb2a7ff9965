// SPDX-License-Identifier: GPL-2.0-only
/*
 * The arguments of a definition: their names, their places in the record, one
 * program for all of them, and their listing.
 */
#include "lib/base/port.h"
#include "lib/fetch/fetch_internal.h"
#include "lib/base/lex.h"

/* Names of fields that every record has, or that tools take for such a field. */
static const char *const reserved_names[] = {
	"common_type", "common_flags", "common_preempt_count", "common_pid",
	"common_tgid", "__probe_ip", "__probe_ret_ip", "__probe_func",
};

/*
 * Expand stage. A word $arg* stands for all parameters of the function, $argN for
 * one of them, if they are known: then it has the name and the type of the
 * parameter.
 */

/* Does a word begin with $argN? @rest: what follows the number */
static bool expand_number(const char *s, size_t len, u64 *nth, char *rest)
{
	bool overflow;
	size_t n;

	if (len < 5 || !kpt_lex_prefix(s, len, "$arg") || !kpt_lex_is_digit(s[4]))
		return false;
	n = 4 + kpt_lex_digits(s + 4, len - 4, 10, nth, &overflow);
	*rest = n < len ? s[n] : '\0';
	return !overflow;
}

/* Does a word $argN[:TYPE] stand for one of @nr parameters? */
static enum kpt_diag_code expand_check_word(const char *s, size_t len, u32 nr)
{
	char rest;
	u64 nth;

	if (!expand_number(s, len, &nth, &rest))
		return KPT_E_NONE;
	if (rest && rest != ':')
		return KPT_E_BAD_VAR;
	if (!nth)
		return KPT_E_BAD_ARG_NUM;
	return nth > nr ? KPT_E_NO_BTFARG : KPT_E_NONE;
}

/* Are the parameters known that the words stand for? */
static int expand_check(struct kpt_fetch_ctx *ctx, const struct kpt_span *all)
{
	const struct kpt_span *arg;
	enum kpt_diag_code code;
	u32 nr = kpt_fetch_params(ctx);
	int i;

	if (all && !nr) {
		kpt_diag_set(ctx->diag, KPT_E_NOSUP_BTFARG, all->at, -EOPNOTSUPP);
		kpt_diag_detail(ctx->diag, ctx->types.btf ? "" : ctx->types.why);
		return -EOPNOTSUPP;
	}
	for (i = 0; nr && i < ctx->def->nr_args; i++) {
		arg = &ctx->def->arg[i];
		code = expand_check_word(kpt_fetch_text(ctx, arg), arg->len, nr);
		if (code)
			return kpt_diag_set(ctx->diag, code, arg->at,
					    code == KPT_E_NO_BTFARG ? -ENOENT :
								      -EINVAL);
	}
	if (all && ctx->def->nr_args - 1 + nr > KPT_ARGS_MAX)
		return kpt_diag_set(ctx->diag, KPT_E_TOO_MANY_ARGS,
				    ctx->def->arg[0].at, -E2BIG);
	return 0;
}

static int expand_meta_args(struct kpt_fetch_ctx *ctx)
{
	const struct kpt_span *all = NULL, *arg;
	enum kpt_diag_code code = KPT_E_NONE;
	bool some = false;
	const char *s;
	int i;

	for (i = 0; i < ctx->def->nr_args && !code; i++) {
		if (ctx->place->source)
			break;
		arg = &ctx->def->arg[i];
		s = kpt_fetch_text(ctx, arg);
		if (!kpt_lex_prefix(s, arg->len, "$arg"))
			continue;
		if (!ctx->place->is_entry && !ctx->place->is_return)
			code = KPT_E_NOFENTRY_ARGS;
		else if (arg->len > 4 && kpt_lex_is_digit(s[4]))
			some = true;
		else if (arg->len == 4 || s[4] != '*')
			code = KPT_E_BAD_VAR;
		else if (all)
			code = KPT_E_DOUBLE_ARGS;
		else if (arg->len > 5)
			code = KPT_E_BAD_VAR_ARGS;
		else
			all = arg;
	}
	if (code)
		return kpt_diag_set(ctx->diag, code, arg->at, -EINVAL);
	return all || some ? expand_check(ctx, all) : 0;
}

static bool name_is_used(const struct kpt_fields *fields, const char *name)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(reserved_names); i++)
		if (!strcmp(name, reserved_names[i]))
			return true;
	for (i = 0; i < fields->nr; i++)
		if (!strcmp(name, fields->field[i].name))
			return true;
	return false;
}

/*
 * The name of an argument that was not given one: that of a parameter, if it is
 * nothing but a parameter; else argN.
 */
static void name_make(struct kpt_fetch_ctx *ctx, const struct kpt_span *word,
		      struct kpt_strbuf *sb)
{
	const char *s = kpt_fetch_text(ctx, word);
	size_t len = kpt_lex_find(s, word->len, ':');
	bool is_path = kpt_lex_is(s + len, word->len - len, ":%pd") ||
		       kpt_lex_is(s + len, word->len - len, ":%pD");

	if (ctx->param) {
		s = kpt_fetch_param_name(ctx, ctx->param);
		len = strlen(s);
	}
	if (!is_path && len <= KPT_ARG_NAME_MAX && kpt_lex_is_name(s, len, false))
		kpt_strbuf_add(sb, s, len);
	else
		kpt_strbuf_printf(sb, "arg%d", ctx->out->fields.nr + 1);
}

/* The name before '=', checked in mainline's order. */
static enum kpt_diag_code name_take(struct kpt_fetch_ctx *ctx,
				    struct kpt_span *word, char *name)
{
	const char *s = kpt_fetch_text(ctx, word);
	size_t len = kpt_lex_find(s, word->len, '=');
	struct kpt_strbuf sb;

	kpt_strbuf_init(&sb, name, KPT_ARG_NAME_MAX + 1);
	if (len == word->len) {
		name_make(ctx, word, &sb);
	} else {
		if (len > KPT_ARG_NAME_MAX)
			return KPT_E_ARG_NAME_TOO_LONG;
		if (!len)
			return KPT_E_NO_ARG_NAME;
		if (!kpt_lex_is_name(s, len, false))
			return KPT_E_BAD_ARG_NAME;
		kpt_strbuf_add(&sb, s, len);
		word->at += (u16)(len + 1);
		word->len -= (u16)(len + 1);
	}
	return name_is_used(&ctx->out->fields, name) ? KPT_E_USED_ARG_NAME :
						       KPT_E_NONE;
}

/* Split stage: cut NAME= off @word. */
static int name_split(struct kpt_fetch_ctx *ctx, struct kpt_span *word,
		      char *name)
{
	unsigned int at = word->at;
	enum kpt_diag_code code = name_take(ctx, word, name);

	if (code)
		return kpt_diag_set(ctx->diag, code, at, -EINVAL);
	if (word->len > KPT_FETCH_TEXT_MAX)
		return kpt_diag_set(ctx->diag, KPT_E_ARG_TOO_LONG, word->at,
				    -E2BIG);
	if (!word->len)
		return kpt_diag_set(ctx->diag, KPT_E_NO_ARG_BODY, word->at,
				    -EINVAL);
	return 0;
}

/*
 * Finish stage.
 */

static bool type_is_dynamic(const struct kpt_fetch_type *type)
{
	return kpt_type_info[type->type].is_dynamic;
}

/* A string is in memory, or is text already; a number may be its address. */
static bool expr_may_be_string(const struct kpt_fetch_expr *expr)
{
	return kpt_fetch_is_memory(expr) || expr->kind == KPT_FETCH_NUMBER ||
	       expr->kind == KPT_FETCH_FIELD ||
	       expr->kind == KPT_FETCH_COMM || expr->kind == KPT_FETCH_LITERAL;
}

/* An array is in memory; in user memory only strings may be in arrays. */
static bool expr_may_be_array(const struct kpt_fetch_type *type,
			      const struct kpt_fetch_expr *expr)
{
	if (type->type == KPT_TYPE_SYMSTR)
		return false;
	return expr->kind == KPT_FETCH_MEMORY ||
	       ((expr->kind == KPT_FETCH_USER ||
		 expr->kind == KPT_FETCH_FIELD) && type_is_dynamic(type));
}

/* A value has at most eight bytes. */
static bool expr_may_be_long(const struct kpt_fetch_type *type,
			     const struct kpt_fetch_expr *expr)
{
	const struct kpt_type_info *info = &kpt_type_info[type->type];

	return kpt_fetch_is_memory(expr) || info->is_dynamic || info->names ||
	       (info->size != 6 && info->size != 16);
}

static int finish_check_type(struct kpt_fetch_ctx *ctx,
			     const struct kpt_fetch_type *type,
			     const struct kpt_fetch_expr *expr)
{
	enum kpt_diag_code code = KPT_E_NONE;

	if (!expr_may_be_long(type, expr))
		code = KPT_E_NEED_MEMORY;

	if (type->type == KPT_TYPE_SYMSTR) {
		if (expr->kind != KPT_FETCH_VALUE &&
		    expr->kind != KPT_FETCH_FIELD &&
		    expr->kind != KPT_FETCH_MEMORY)
			code = KPT_E_BAD_SYMSTRING;
	} else if (type_is_dynamic(type)) {
		if (!expr_may_be_string(expr))
			code = KPT_E_BAD_STRING;
	}
	return code ? kpt_diag_set(ctx->diag, code, type->span.at, -EINVAL) : 0;
}

/*
 * Mainline limits the steps of an argument, and counts one more for each of: a
 * store that is not a read, a bit field, an array.
 */
static int finish_check_ops(struct kpt_fetch_ctx *ctx,
			    const struct kpt_fetch_type *type,
			    const struct kpt_fetch_expr *expr, unsigned int body)
{
	bool extra = !kpt_fetch_is_memory(expr) || type->type == KPT_TYPE_SYMSTR ||
		     (type_is_dynamic(type) && type->count);

	if (expr->ops + extra + type->bits + type->swap + !!type->count <
	    KPT_FETCH_STEPS_MAX)
		return 0;
	return kpt_diag_set(ctx->diag, KPT_E_TOO_MANY_OPS, body, -E2BIG);
}

static void finish_number(const struct kpt_fetch_type *type,
			  struct kpt_fetch_expr *expr, u16 at)
{
	bool is_reg = expr->nr == 1 && expr->step[0].op == KPT_OP_REG;
	u8 size = kpt_type_info[type->type].size;
	struct kpt_fetch_step *step;

	if (is_reg && expr->kind == KPT_FETCH_MEMORY && !type->count) {
		step = &expr->step[0];
		step->op = KPT_OP_LOAD;
		step->b = at;
		step->c = size;
		step->imm = expr->offset;
		return;
	}
	if (expr->kind == KPT_FETCH_MEMORY) {
		step = kpt_fetch_add_step(expr, KPT_OP_COPY);
		step->imm = expr->offset;
	} else if (expr->kind == KPT_FETCH_USER) {
		step = kpt_fetch_add_step(expr, KPT_OP_COPY_USER);
		step->imm = expr->offset;
	} else if (size == 8 && is_reg) {
		step = &expr->step[0];
		step->op = KPT_OP_REG64;
		step->b = at;
		return;
	} else {
		step = kpt_fetch_add_step(expr, KPT_OP_STORE);
	}
	step->a = size;
	step->b = at;
	step->c = type->count ? type->count : 1;
}

static void finish_bits(const struct kpt_fetch_type *type,
			struct kpt_fetch_expr *expr, u16 at)
{
	struct kpt_fetch_step *step;

	step = kpt_fetch_add_step(expr, type->is_signed ? KPT_OP_SIGNED_BITS :
							  KPT_OP_BITS);
	step->a = kpt_type_info[type->type].size;
	step->b = at;
	step->c = type->count ? type->count : 1;
	step->imm = (u64)type->shift << 8 | type->width;
}

static void finish_swap(const struct kpt_fetch_type *type,
			struct kpt_fetch_expr *expr, u16 at)
{
	struct kpt_fetch_step *step = kpt_fetch_add_step(expr, KPT_OP_SWAP);

	step->a = kpt_type_info[type->type].size;
	step->b = at;
	step->c = type->count ? type->count : 1;
}

static void finish_string(const struct kpt_fetch_type *type,
			  struct kpt_fetch_expr *expr, u16 at)
{
	struct kpt_fetch_step *step;

	step = kpt_fetch_add_step(expr, type->count ? KPT_OP_STRINGS :
						      KPT_OP_STRING);
	step->b = at;
	step->c = type->count;
	step->imm = expr->offset;
	if (type->type == KPT_TYPE_USTRING || type->is_user)
		step->a |= KPT_STRING_USER;
	if (expr->kind == KPT_FETCH_USER)
		step->a |= type->count ? KPT_POINTER_USER : KPT_STRING_USER;
}

static void finish_dynamic(struct kpt_fetch_ctx *ctx,
			   const struct kpt_fetch_type *type,
			   struct kpt_fetch_expr *expr, u16 at)
{
	struct kpt_fetch_step *step;

	if (expr->kind == KPT_FETCH_COMM) {
		kpt_fetch_add_step(expr, KPT_OP_COMM)->b = at;
	} else if (expr->kind == KPT_FETCH_LITERAL) {
		step = kpt_fetch_add_step(expr, KPT_OP_LITERAL);
		step->b = at;
		step->c = expr->literal.len + 1;
	} else if (type->type == KPT_TYPE_SYMSTR) {
		kpt_fetch_read(expr);
		kpt_fetch_add_step(expr, KPT_OP_SYMBOL)->b = at;
		ctx->out->prog.has_symbols = true;
	} else {
		finish_string(type, expr, at);
	}
}

/*
 * Finish stage: append the steps that store the value of @expr at offset @at of
 * the record. @body is the column of the argument, for mistakes in it.
 */
static int finish_arg(struct kpt_fetch_ctx *ctx, struct kpt_fetch_type *type,
		      struct kpt_fetch_expr *expr, unsigned int body, u16 at)
{
	int err = finish_check_type(ctx, type, expr);

	if (!err)
		err = finish_check_ops(ctx, type, expr, body);
	if (!err && type->bits && type->span.at && !type->is_enum)
		err = kpt_fetch_bitfield(ctx, type);
	if (err)
		return err;
	if (type->count && !expr_may_be_array(type, expr))
		return kpt_diag_set(ctx->diag, KPT_E_BAD_STRING, type->span.at,
				    -EINVAL);
	if (type_is_dynamic(type)) {
		finish_dynamic(ctx, type, expr, at);
		return 0;
	}
	finish_number(type, expr, at);
	if (type->bits)
		finish_bits(type, expr, at);
	else if (type->swap)
		finish_swap(type, expr, at);
	return 0;
}

/*
 * Layout.
 */

/* Give the argument its place in the record. */
static int place_field(struct kpt_fetch_ctx *ctx, struct kpt_field *field,
		       const struct kpt_fetch_type *type, unsigned int body)
{
	struct kpt_fields *fields = &ctx->out->fields;
	size_t size = kpt_type_info[type->type].size;
	size_t end = fields->size + size * (type->count ? type->count : 1);

	if (end - fields->head->size > KPT_FETCH_FIXED_MAX)
		return kpt_diag_set(ctx->diag, KPT_E_EVENT_TOO_BIG, body,
				    -E2BIG);
	field->type = type->type;
	field->count = type->count;
	field->offset = fields->size;
	fields->size = (u16)end;
	if (kpt_type_info[type->type].is_dynamic)
		fields->has_dynamic = true;
	return 0;
}

/*
 * Add the steps of an argument. Those of dynamic arguments come last, so that
 * kpt_fetch_measure() finds them in one piece.
 */
static void add_steps(struct kpt_fetch_ctx *ctx,
		      const struct kpt_fetch_expr *expr, bool dynamic)
{
	struct kpt_fetch_prog *prog = &ctx->out->prog;
	struct kpt_fetch_step *room = ctx->out->step_room;
	u16 at = dynamic ? prog->nr_steps : prog->dynamic_step;

	memmove(&room[at + expr->nr], &room[at],
		(prog->nr_steps - at) * sizeof(room[0]));
	memcpy(&room[at], expr->step, expr->nr * sizeof(room[0]));
	prog->nr_steps += (u16)expr->nr;
	if (!dynamic)
		prog->dynamic_step += (u16)expr->nr;
}

/* Bytes behind the fixed part are known now, or are measured in each hit. */
static void add_room(struct kpt_fetch_ctx *ctx,
		     const struct kpt_fetch_expr *expr)
{
	struct kpt_fetch_prog *prog = &ctx->out->prog;

	if (expr->kind == KPT_FETCH_COMM)
		prog->room += PORT_COMM_LEN;
	else if (expr->kind == KPT_FETCH_LITERAL)
		prog->room += expr->literal.len + 1;
	else
		prog->has_strings = true;
}

/* The characters of an immediate string are part of the program. */
static void add_literal(struct kpt_fetch_ctx *ctx, const struct kpt_span *text)
{
	struct kpt_fetch_prog *prog = &ctx->out->prog;
	struct kpt_fetch_step *to = &ctx->out->step_room[prog->nr_steps];
	u32 steps = kpt_literal_steps(text->len + 1U);

	memset(to, 0, steps * sizeof(*to));
	memcpy(to, kpt_fetch_text(ctx, text), text->len);
	prog->nr_steps += (u16)steps;
}

/* FETCHARG: the text as written, but the name of a parameter for $argN and $arg*. */
static void list_fetch(struct kpt_fetch_ctx *ctx, const struct kpt_span *arg)
{
	struct kpt_strbuf *sb = &ctx->out->listing;
	const char *name;

	if (!ctx->param) {
		kpt_strbuf_add(sb, kpt_fetch_text(ctx, arg), arg->len);
		return;
	}
	name = kpt_fetch_param_name(ctx, ctx->param);
	if (*name)
		kpt_strbuf_puts(sb, name);
	else
		kpt_strbuf_printf(sb, "$arg%u",
				  kpt_fetch_param_word(ctx, ctx->param));
}

/* As mainline lists it: the text as written, but %pd and %pD expanded. */
static void list_arg(struct kpt_fetch_ctx *ctx, const char *name,
		     const struct kpt_span *body, const struct kpt_span *arg,
		     const struct kpt_fetch_type *type)
{
	struct kpt_strbuf *sb = &ctx->out->listing;

	kpt_strbuf_printf(sb, " %s=", name);
	if (type->path)
		kpt_strbuf_printf(sb, "+0x0(+0x%x(", port_dentry_name_offset());
	if (type->path == 'D')
		kpt_strbuf_printf(sb, "+0x%x(", port_file_dentry_offset());
	list_fetch(ctx, arg);
	if (type->path)
		kpt_strbuf_puts(sb, type->path == 'D' ? "))):string" :
							")):string");
	else if (body->len > arg->len)
		kpt_strbuf_add(sb, kpt_fetch_text(ctx, body) + arg->len,
			       body->len - arg->len);
	else if (ctx->param && !*kpt_fetch_param_name(ctx, ctx->param))
		kpt_strbuf_printf(sb, ":%s", kpt_type_info[type->type].name);
}

/* The type of an argument by what it is, unless the text has one. */
static int take_type(struct kpt_fetch_ctx *ctx, struct kpt_fetch_type *type,
		     unsigned int body, struct kpt_fetch_expr *expr)
{
	if (type->is_enum)
		return kpt_fetch_take_enum(ctx, type, expr);
	if (type->type == KPT_TYPE_ERRNO && kpt_fetch_is_wide(expr))
		type->type = KPT_TYPE_ERRNO64;
	if (type->span.at)
		return (type->type == KPT_TYPE_STRING ||
			type->type == KPT_TYPE_USTRING) && !type->path ?
		       kpt_fetch_take_string(ctx, type, expr) : 0;
	if (expr->own_type)
		type->type = expr->own_type;
	return kpt_fetch_take_type(ctx, type, body, expr);
}

static int compile_arg(struct kpt_fetch_ctx *ctx, struct kpt_span body)
{
	struct kpt_fields *fields = &ctx->out->fields;
	struct kpt_field *field = &ctx->out->field_room[fields->nr];
	struct kpt_fetch_expr expr;
	struct kpt_fetch_type type;
	struct kpt_span arg;
	bool dynamic;
	int err;

	memset(field, 0, sizeof(*field));
	err = name_split(ctx, &body, field->name);
	if (err)
		return err;
	arg = body;
	err = kpt_fetch_split_type(ctx, &arg, &type);
	if (err)
		return err;
	err = kpt_fetch_parse(ctx, arg, type.path, &expr);
	if (err)
		return err;
	err = take_type(ctx, &type, body.at, &expr);
	if (err)
		return err;
	err = place_field(ctx, field, &type, body.at);
	if (err)
		return err;
	ctx->out->named[fields->nr] = (struct kpt_fetch_named){
		.btf = type.is_enum ? expr.typed.btf : NULL, .type = expr.typed.type,
		.size = kpt_type_info[type.type].size,
	};
	err = finish_arg(ctx, &type, &expr, body.at, field->offset);
	if (err)
		return err;
	dynamic = kpt_type_info[type.type].is_dynamic;
	add_steps(ctx, &expr, dynamic);
	if (dynamic)
		add_room(ctx, &expr);
	if (expr.kind == KPT_FETCH_LITERAL)
		add_literal(ctx, &expr.literal);
	list_arg(ctx, field->name, &body, &arg, &type);
	fields->nr++;
	return 0;
}

/* A word: one argument, or all parameters. */
static int compile_word(struct kpt_fetch_ctx *ctx, const struct kpt_span *word)
{
	const char *s = kpt_fetch_text(ctx, word);
	u64 nth;
	u32 n, nr;
	char rest;
	int err = 0;

	ctx->param = 0;
	if (ctx->place->source)
		return compile_arg(ctx, *word);
	if (!kpt_lex_is(s, word->len, "$arg*")) {
		if (expand_number(s, word->len, &nth, &rest) &&
		    kpt_fetch_params(ctx))
			ctx->param = (u32)nth;
		return compile_arg(ctx, *word);
	}
	nr = kpt_fetch_params(ctx);
	for (n = 1; n <= nr && !err; n++) {
		ctx->param = n;
		err = compile_arg(ctx, *word);
	}
	return err;
}

static void compile_start(struct kpt_fetch_scratch *out,
			  const struct kpt_fetch_place *place)
{
	static_assert(offsetof(struct kpt_fetch_scratch, field_room) ==
		      offsetof(struct kpt_fetch_scratch, fields.field),
		      "fields and their room are one array");
	static_assert(offsetof(struct kpt_fetch_scratch, step_room) ==
		      offsetof(struct kpt_fetch_scratch, prog.step),
		      "steps and their room are one array");

	memset(&out->fields, 0, sizeof(out->fields));
	memset(&out->prog, 0, sizeof(out->prog));
	kpt_strbuf_init(&out->listing, out->listing_buf,
			sizeof(out->listing_buf));
	out->fields.head = place->head;
	out->fields.size = place->head->size;
}

static bool prog_only_registers(const struct kpt_fetch_prog *prog)
{
	const struct kpt_fetch_step *s = prog->step;

	while (s->op == KPT_OP_REG64)
		s++;
	return s->op == KPT_OP_END;
}

static bool prog_only_fields(const struct kpt_fetch_prog *prog)
{
	const struct kpt_fetch_step *s = prog->step;

	while (s->op == KPT_OP_FIELD && s[1].op == KPT_OP_STORE &&
	       s[1].a == sizeof(u64))
		s += 2;
	return s->op == KPT_OP_END;
}

/**
 * kpt_fetch_compile() - compile the arguments of a definition
 * @out: results, valid on success only
 * @def: a parsed definition, not a delete line
 * @place: where the program will run
 * @diag: on failure the reason, and the column of the mistake in @def->text
 *
 * Context: process context, may sleep (symbol lookup).
 * Return: 0, or the errno of mainline for the same mistake: -EINVAL, -ERANGE
 * for a number that is too large, -E2BIG for what exceeds a limit, -ENOENT for a
 * name that BTF does not have, -EOPNOTSUPP for what needs BTF. -ENOENT with
 * KPT_E_BAD_PROBE_ADDR: a symbol in an argument is unknown; its module may not be
 * loaded yet.
 */
int kpt_fetch_compile(struct kpt_fetch_scratch *out, const struct kpt_def *def,
		      const struct kpt_fetch_place *place,
		      struct kpt_diag *diag)
{
	struct kpt_fetch_ctx ctx = {
		.def = def, .place = place, .out = out, .diag = diag,
	};
	struct kpt_fetch_step *end;
	int i, err;

	kpt_diag_set(diag, KPT_E_NONE, 0, 0);
	compile_start(out, place);
	err = expand_meta_args(&ctx);
	for (i = 0; !err && i < def->nr_args; i++)
		err = compile_word(&ctx, &def->arg[i]);
	if (!err && out->listing.overflow)
		err = kpt_diag_set(diag, KPT_E_ARGS_2LONG, def->arg[0].at, -E2BIG);
	if (err)
		return err;
	end = &out->step_room[out->prog.nr_steps++];
	memset(end, 0, sizeof(*end));
	end->op = KPT_OP_END;
	out->prog.size = out->fields.size;
	out->prog.only_registers = prog_only_registers(&out->prog);
	out->prog.only_fields = prog_only_fields(&out->prog);
	return 0;
}

/**
 * kpt_fields_same() - do two probes have the same arguments?
 * @a: fields of the one
 * @b: fields of the other
 *
 * Context: any.
 * Return: 0 if names, types (with the names of their values) and numbers of elements are
 * equal, else the 1-based number of the first argument that differs.
 */
unsigned int kpt_fields_same(const struct kpt_fields *a,
			     const struct kpt_fields *b)
{
	unsigned int i;

	if (a->nr != b->nr)
		return min(a->nr, b->nr) + 1U;
	for (i = 0; i < a->nr; i++)
		if (a->field[i].type != b->field[i].type ||
		    a->field[i].count != b->field[i].count ||
		    a->field[i].names != b->field[i].names ||
		    strcmp(a->field[i].name, b->field[i].name))
			return i + 1;
	return 0;
}
