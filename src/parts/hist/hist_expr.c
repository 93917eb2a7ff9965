// SPDX-License-Identifier: GPL-2.0-only
/*
 * Keys and values of hist triggers: compile text to a program.
 *
 * The root of an expression is the operator that is performed last. Operators
 * are counted from the root, the left operand before the right one, as mainline
 * counts them: so a mistake is reported at the same operator if there are too many.
 */
#include "lib/base/port.h"
#include "lib/base/similar.h"
#include "parts/hist/hist_parse.h"

/**
 * struct expr - a key or value that is being parsed
 * @p: the trigger
 * @f: result
 * @is_key: it is a key
 * @is_var: it is a variable or a parameter of an action
 * @is_operand: an operand of an operator with two operands is being parsed
 * @nr_operators: number of operators found so far
 */
struct expr {
	struct kpt_hist_parser *p;
	struct kpt_hist_field *f;
	bool is_key;
	bool is_var;
	bool is_operand;
	u8 nr_operators;
};

static int expr_fail(struct expr *e, enum kpt_diag_code code, const char *at)
{
	return kpt_hist_fail(e->p, code, at);
}

static int expr_no_field(struct expr *e, struct kpt_hist_piece name)
{
	int err = expr_fail(e, KPT_E_HIST_FIELD_NOT_FOUND, name.s);

	kpt_field_tell_similar(e->p->fields, false, name.s, name.len, e->p->diag);
	return err;
}

/* Append an instruction. KPT_HIST_OPERATORS_MAX guarantees that there is room. */
static struct kpt_hist_op *expr_emit(struct expr *e, u8 code, u64 number)
{
	struct kpt_hist_op *op = &e->f->op[e->f->nr_ops++];

	*op = (struct kpt_hist_op){ .code = code, .number = number };
	e->p->hist->uses_cpu |= code == KPT_HIST_CPU;
	return op;
}

static void expr_emit_field(struct expr *e, u8 code, const struct kpt_field_ref *ref)
{
	struct kpt_hist_op *op = expr_emit(e, code, 0);

	op->ref = *ref;
	if (code == KPT_HIST_TASK)
		op->number = ref->offset;
	if (code != KPT_HIST_NUMBER)
		return;
	op->base = kpt_field_base(ref);
	op->left = kpt_field_shift(ref);
	op->right = 64 - 8 * ref->size;
}

/*
 * Modifiers.
 */

static const struct {
	const char *name;
	u8 modifier;
} modifiers[] = {
	{ "hex", KPT_HIST_HEX },
	{ "sym", KPT_HIST_SYM },
	{ "sym-offset", KPT_HIST_SYM_OFFSET },
	{ "execname", KPT_HIST_EXECNAME },
	{ "log2", KPT_HIST_LOG2 },
	{ "usecs", KPT_HIST_USECS },
	{ "percent", KPT_HIST_PERCENT },
	{ "graph", KPT_HIST_GRAPH },
	{ "syscall", KPT_HIST_SYSCALL },
	{ "stacktrace", KPT_HIST_STACKTRACE },
};

/* Parse "buckets=N" or "bucket=N". */
static bool expr_read_buckets(struct kpt_hist_piece t, u64 *width)
{
	size_t n = kpt_lex_prefix(t.s, t.len, "buckets=") ?:
		   kpt_lex_prefix(t.s, t.len, "bucket=");

	return n && !kpt_lex_u64(t.s + n, t.len - n, 0, width) && *width;
}

static bool expr_find_modifier(struct kpt_hist_piece t, u8 *modifier, u64 *width)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(modifiers); i++) {
		if (kpt_hist_piece_is(t, modifiers[i].name)) {
			*modifier = modifiers[i].modifier;
			return true;
		}
	}
	*modifier = KPT_HIST_BUCKETS;
	return expr_read_buckets(t, width);
}

/* Does a modifier make no sense in this place? */
static bool expr_is_misplaced(const struct expr *e, u8 modifier,
			      struct kpt_hist_piece name)
{
	switch (modifier) {
	case KPT_HIST_EXECNAME:
		return !kpt_hist_piece_is(name, "common_pid");
	case KPT_HIST_PERCENT:
	case KPT_HIST_GRAPH:
		return e->is_key || e->is_var || e->nr_operators;
	case KPT_HIST_LOG2:
	case KPT_HIST_BUCKETS:
		return e->is_var || !kpt_hist_is_number(e->f);
	case KPT_HIST_STACKTRACE:
		return !kpt_hist_is_stack(e->f);
	default:
		return !kpt_hist_is_number(e->f);
	}
}

static int expr_no_modifier(struct expr *e, struct kpt_hist_piece t, bool is_known)
{
	struct kpt_similar like;
	size_t i;
	int err;

	kpt_similar_begin(&like, t.s, t.len);
	for (i = 0; i < ARRAY_SIZE(modifiers); i++)
		kpt_similar_see(&like, modifiers[i].name);
	err = kpt_hist_fail_like(e->p, KPT_E_HIST_BAD_FIELD_MODIFIER, t.s, &like);
	if (!is_known && !like.found[0])
		kpt_diag_detail(e->p->diag, "did you mean log2, buckets=N, hex, sym, execname?");
	return err;
}

/* Parse modifier @t, which follows the field @name; the field is loaded already. */
static int expr_parse_modifier(struct expr *e, struct kpt_hist_piece name,
			       struct kpt_hist_piece t, enum kpt_hist_unit *unit)
{
	u64 width = 0;
	u8 modifier;
	bool is_known;

	is_known = expr_find_modifier(t, &modifier, &width);
	if (!is_known || expr_is_misplaced(e, modifier, name))
		return expr_no_modifier(e, t, is_known);
	if (modifier == KPT_HIST_LOG2)
		expr_emit(e, KPT_HIST_TO_LOG2, 0);
	else if (modifier == KPT_HIST_BUCKETS)
		expr_emit(e, KPT_HIST_TO_BUCKET, width);
	else if (modifier == KPT_HIST_USECS && *unit == KPT_HIST_NS) {
		*unit = KPT_HIST_US;
		e->f->op[e->f->nr_ops - 1].number = 1000;
	}
	if (modifier == KPT_HIST_EXECNAME) {
		e->p->hist->keeps_comm = true;
		/* In a key or a value it says only how the number is shown. */
		if (e->is_var && !e->nr_operators)
			e->f->op[0] = (struct kpt_hist_op){ .code = KPT_HIST_ENTRY_COMM };
	}
	e->f->modifier = modifier;
	return 0;
}

/*
 * Operands.
 */

/* Load a name that is no field of the record, or has another meaning here. */
static bool expr_load_special(struct expr *e, struct kpt_hist_piece name)
{
	static const struct {
		const char *name;
		u8 code;
		u8 number;
	} specials[] = {
		{ "common_timestamp", KPT_HIST_TIME, 1 },
		{ "common_cpu", KPT_HIST_CPU, 0 },
		{ "common_comm", KPT_HIST_COMM, 0 },
		{ "hitcount", KPT_HIST_CONST, 1 },
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(specials); i++) {
		if (kpt_hist_piece_is(name, specials[i].name)) {
			expr_emit(e, specials[i].code, specials[i].number);
			return true;
		}
	}
	return false;
}

static u8 expr_code_of(const struct kpt_field_ref *ref)
{
	switch (ref->kind) {
	case KPT_FIELD_CPU:
		return KPT_HIST_CPU;
	case KPT_FIELD_COMM:
		return KPT_HIST_COMM;
	case KPT_FIELD_TASK:
		return KPT_HIST_TASK;
	case KPT_FIELD_TEXT:
	case KPT_FIELD_TAIL:
	case KPT_FIELD_CHARS:
	case KPT_FIELD_REL_TEXT:
		return KPT_HIST_TEXT;
	case KPT_FIELD_STACK:
		return KPT_HIST_FIELD_STACK;
	default:
		return KPT_HIST_NUMBER;
	}
}

/* Load the stack of the hit, which has two names, or that of the program. */
static bool expr_load_stack(struct expr *e, struct kpt_hist_piece name)
{
	if (kpt_hist_piece_is(name, "common_userstacktrace")) {
		expr_emit(e, KPT_HIST_USER_STACK, 0);
		e->p->hist->uses_user_stack = true;
		return true;
	}
	if (!kpt_hist_piece_is(name, "common_stacktrace") &&
	    !kpt_hist_piece_is(name, "stacktrace"))
		return false;
	expr_emit(e, KPT_HIST_STACK, 0);
	e->p->hist->uses_stack = true;
	return true;
}

/* Find kpt_hist_field.type of a field of the head. */
static u8 expr_head_type(const struct kpt_fields *fields, struct kpt_hist_piece name)
{
	const struct kpt_head_field *f = fields->head->field, *end = f + fields->head->nr;

	for (; f < end; f++) {
		if (!kpt_hist_piece_is(name, f->name) || !f->declaration)
			continue;
		if (kpt_lex_prefix(f->declaration, strlen(f->declaration), "bool "))
			return KPT_TYPE_SYNTH_BOOL;
		if (kpt_lex_prefix(f->declaration, strlen(f->declaration), "char "))
			return KPT_TYPE_SYNTH_CHAR;
	}
	return 0;
}

/* Find what a field is shown by. */
static void expr_set_type(struct expr *e, struct kpt_hist_piece name)
{
	const struct kpt_field *arg = kpt_field_argument(e->p->fields, name.s, name.len);

	if (!arg) {
		e->f->type = expr_head_type(e->p->fields, name);
		return;
	}
	e->f->names = arg->names;
	if (kpt_type_has_form(arg->type))
		e->f->type = arg->type;
}

/* Bytes of a value that is not in the record. As mainline says it, the CPU is an unsigned int. */
static u8 expr_size_of(u8 code)
{
	return code == KPT_HIST_CPU ? sizeof(u32) : sizeof(u64);
}

static int expr_load(struct expr *e, struct kpt_hist_piece name)
{
	struct kpt_field_ref ref;
	u8 code;

	if (!e->f->nr_ops)
		e->f->size = sizeof(u64);
	if (expr_load_special(e, name)) {
		if (e->f->nr_ops == 1)
			e->f->size = expr_size_of(e->f->op[0].code);
		return 0;
	}
	if (!kpt_field_find(e->p->fields, name.s, name.len, &ref) &&
	    expr_load_stack(e, name))
		return 0;
	if (!kpt_field_find(e->p->fields, name.s, name.len, &ref))
		return expr_no_field(e, name);
	code = expr_code_of(&ref);
	if (code == KPT_HIST_NUMBER && !kpt_field_is_number(&ref))
		return expr_fail(e, KPT_E_HIST_NO_NUMBER, name.s);
	/* mainline's rule: an expression is signed if its first operand is */
	if (!e->f->nr_ops) {
		e->f->is_signed = ref.is_signed && code != KPT_HIST_CPU;
		e->f->size = code == KPT_HIST_NUMBER || code == KPT_HIST_TASK ?
			     (u8)ref.size : expr_size_of(code);
		expr_set_type(e, name);
	}
	expr_emit_field(e, code, &ref);
	return 0;
}

/* Load a variable of this trigger. */
static void expr_load_own(struct expr *e, const struct kpt_hist_var *var)
{
	const struct kpt_hist_field *f = &var->value;

	expr_emit(e, kpt_hist_is_text(f) ? KPT_HIST_OWN_TEXT :
		     kpt_hist_is_stack(f) ? KPT_HIST_OWN_STACK : KPT_HIST_OWN,
		  var->place);
}

/* Find or add a reference. Returns its index, or -EINVAL if there are too many. */
static int expr_add_ref(struct kpt_hist *h, const struct kpt_hist_ref *ref)
{
	unsigned int i;

	for (i = 0; i < h->nr_refs; i++)
		if (h->ref[i].owner == ref->owner && h->ref[i].var == ref->var)
			return (int)i;
	if (i == KPT_HIST_REFS_MAX)
		return -EINVAL;
	h->ref[h->nr_refs++] = *ref;
	return (int)i;
}

/* Can the first fields of the key of @h be looked up in the histogram of @other? */
static bool expr_keys_fit(const struct kpt_hist *h, const struct kpt_hist *other)
{
	unsigned int i;

	if (h->nr_keys < other->nr_keys)
		return false;
	for (i = 0; i < other->nr_keys; i++)
		if (!kpt_hist_same_place(&h->key[i], &other->key[i]))
			return false;
	return true;
}

/* Load a variable of another histogram. */
static int expr_load_other(struct expr *e, struct kpt_hist_piece name,
			   const struct kpt_hist_ref *ref)
{
	const struct kpt_hist_field *f = &ref->hist->var[ref->var].value;
	int i = expr_add_ref(e->p->hist, ref);

	if (i < 0)
		return expr_fail(e, KPT_E_HIST_TOO_MANY_REFS, name.s);
	if (!expr_keys_fit(e->p->hist, ref->hist))
		return expr_fail(e, KPT_E_HIST_KEYS_DIFFER, name.s);
	if (ref->hist->nr_keys < e->p->hist->nr_keys) {
		e->p->hist->ref[i].nr_keys = ref->hist->nr_keys;
		e->p->hist->has_parts = true;
	}
	e->p->hist->ref[i].is_once |= e->is_operand;
	e->p->hist->ref[i].is_number = kpt_hist_is_number(f);
	e->p->hist->ref[i].place = ref->hist->var[ref->var].place;
	expr_emit(e, kpt_hist_is_text(f) ? KPT_HIST_VAR_TEXT :
		     kpt_hist_is_stack(f) ? KPT_HIST_VAR_STACK : KPT_HIST_VAR,
		  (u64)i);
	return 0;
}

static const struct kpt_hist_var *expr_find_own(const struct kpt_hist *h,
						struct kpt_hist_piece name)
{
	unsigned int i;

	for (i = 0; i < h->nr_vars; i++)
		if (kpt_hist_piece_is(name, h->var[i].name))
			return &h->var[i];
	return NULL;
}

/* Find a variable of the events that onmatch() names; as kpt_hist_scope.find_var. */
static unsigned int expr_find_matched(const struct kpt_hist_parser *p,
				      struct kpt_hist_piece name, struct kpt_hist_ref *ref)
{
	struct kpt_hist_ref one = { 0 };
	unsigned int i, nr = 0;
	struct kpt_hist_piece event;

	for (i = 0; i < p->nr_actions; i++) {
		if (!kpt_hist_onmatch_event(p->action[i], &event) ||
		    !p->scope->find_var(p->scope, event.s, event.len, name.s,
					name.len, &one) ||
		    (nr && one.owner == ref->owner && one.var == ref->var))
			continue;
		*ref = one;
		nr++;
	}
	return nr;
}

/*
 * Find a variable of @event or, if that is empty, as mainline searches for it: a parameter
 * of onmatch() is first looked for in the event that this one names.
 */
static unsigned int expr_find_other(const struct kpt_hist_parser *p,
				    struct kpt_hist_piece event, struct kpt_hist_piece name,
				    struct kpt_hist_ref *ref)
{
	unsigned int nr = 0;

	if (!p->scope)
		return 0;
	if (!event.len && p->match.len)
		nr = p->scope->find_var(p->scope, p->match.s, p->match.len, name.s,
					name.len, ref);
	if (!event.len && !nr)
		nr = expr_find_matched(p, name, ref);
	return nr ?: p->scope->find_var(p->scope, event.len ? event.s : NULL,
					event.len, name.s, name.len, ref);
}

static bool expr_is_sym_offset(const struct kpt_hist_piece *t, size_t at)
{
	return at >= 4 && kpt_lex_is(t->s + at - 4, 4, ".sym") &&
	       kpt_lex_prefix(t->s + at, t->len - at, "-offset");
}

/* Find the last one of two operators. Returns its index, or the length. */
static size_t expr_find_last(struct kpt_hist_piece t, char one, char other)
{
	size_t i = t.len;

	while (i--)
		if ((t.s[i] == one || t.s[i] == other) &&
		    !expr_is_sym_offset(&t, i))
			return i;
	return t.len;
}

static bool expr_is_operator(char c)
{
	return c == '+' || c == '-' || c == '*' || c == '/';
}

/* Characters before the first operator or parenthesis. */
static size_t expr_find_operator(struct kpt_hist_piece t)
{
	size_t i;

	for (i = 0; i < t.len; i++)
		if (expr_is_operator(t.s[i]) || t.s[i] == '(' || t.s[i] == ')')
			break;
	return i;
}

/* Is "$NAME" or "GROUP.EVENT.$NAME", where '$' is at @dollar, of the trigger's event? */
static bool expr_is_own(const struct kpt_hist_parser *p, struct kpt_hist_piece t,
			size_t dollar)
{
	return !dollar || (dollar > 1 && t.s[dollar - 1] == '.' && p->scope &&
			   p->scope->is_own_event(p->scope, t.s, dollar - 1));
}

/*
 * Find the text of the field that a variable stands for in a key: it is one of the
 * trigger, which has no value before there is a key. Returns an empty one if there is none.
 */
static struct kpt_hist_piece expr_find_alias(const struct kpt_hist_parser *p,
					     struct kpt_hist_piece t)
{
	size_t dollar = kpt_lex_find(t.s, t.len, '$');
	struct kpt_hist_piece name, var, text;
	unsigned int i;

	if (dollar == t.len || !expr_is_own(p, t, dollar))
		return (struct kpt_hist_piece){ NULL, 0 };
	name = (struct kpt_hist_piece){ t.s + dollar + 1, t.len - dollar - 1 };
	for (i = 0; i < p->nr_vars; i++) {
		text = p->var[i];
		kpt_hist_piece_next(&text, '=', &var);
		if (var.len == name.len && !memcmp(var.s, name.s, name.len) &&
		    kpt_lex_find(text.s, text.len, '$') == text.len &&
		    expr_find_last(text, '+', '-') == text.len &&
		    expr_find_last(text, '*', '/') == text.len)
			return text;
	}
	return (struct kpt_hist_piece){ NULL, 0 };
}

static int expr_parse_atom(struct expr *e, struct kpt_hist_piece t,
			   enum kpt_hist_unit *unit);

/* Parse a variable as a key or an operand of one. */
static int expr_load_alias(struct expr *e, struct kpt_hist_piece t,
			   enum kpt_hist_unit *unit)
{
	struct kpt_hist_piece alias = expr_find_alias(e->p, t);

	return alias.s ? expr_parse_atom(e, alias, unit) :
			 expr_fail(e, KPT_E_HIST_VAR_IN_KEY, t.s);
}

/**
 * kpt_hist_no_var() - note that there is no such variable, and which one may have been meant
 * @p: the trigger
 * @code: the reason
 * @name: the variable
 * @event: GROUP.EVENT that it was looked for in; empty for any; NULL for this trigger alone
 *
 * Context: process context, sleeps.
 * Return: -EINVAL.
 */
int kpt_hist_no_var(struct kpt_hist_parser *p, enum kpt_diag_code code,
		    struct kpt_hist_piece name, const struct kpt_hist_piece *event)
{
	struct kpt_similar like;
	unsigned int i;

	kpt_similar_begin(&like, name.s, name.len);
	for (i = 0; i < p->hist->nr_vars && (!event || !event->len); i++)
		kpt_similar_see(&like, p->hist->var[i].name);
	if (event && p->scope)
		p->scope->see_vars(p->scope, event->len ? event->s : NULL, event->len, &like);
	return kpt_hist_fail_like(p, code, name.s, &like);
}

/* Parse "$NAME" or "GROUP.EVENT.$NAME", where '$' is at @dollar. */
static int expr_load_var(struct expr *e, struct kpt_hist_piece t, size_t dollar,
			 enum kpt_hist_unit *unit)
{
	struct kpt_hist_piece name = { t.s + dollar + 1, t.len - dollar - 1 };
	struct kpt_hist_piece event = { t.s, dollar ? dollar - 1 : 0 };
	const struct kpt_hist_var *own = expr_is_own(e->p, t, dollar) ?
					 expr_find_own(e->p->hist, name) : NULL;
	const struct kpt_hist_field *f = own ? &own->value : NULL;
	bool is_first = !e->f->nr_ops;
	struct kpt_hist_ref ref = { 0 };
	unsigned int found;
	int err = 0;

	if (e->is_key)
		return expr_load_alias(e, t, unit);
	if (dollar && (dollar == 1 || t.s[dollar - 1] != '.'))
		return expr_fail(e, KPT_E_HIST_FIELD_NOT_FOUND, t.s);
	if (own) {
		expr_load_own(e, own);
	} else {
		found = expr_find_other(e->p, event, name, &ref);
		if (!found)
			return kpt_hist_no_var(e->p, KPT_E_HIST_VAR_NOT_FOUND, name, &event);
		if (found > 1)
			return expr_fail(e, KPT_E_HIST_VAR_NOT_UNIQUE, name.s);
		f = &ref.hist->var[ref.var].value;
		err = expr_load_other(e, name, &ref);
	}
	*unit = f->unit;
	if (is_first) {
		e->f->is_signed = f->is_signed;
		e->f->size = f->size;
		e->f->type = f->type;
		e->f->names = f->names;
	}
	return err;
}

static int expr_parse_number(struct expr *e, struct kpt_hist_piece t)
{
	u64 number;

	if (kpt_lex_u64(t.s, t.len, 0, &number))
		return expr_fail(e, KPT_E_HIST_EXPECT_NUMBER, t.s);
	if (!e->f->nr_ops)
		e->f->size = sizeof(u64);
	expr_emit(e, KPT_HIST_CONST, number);
	return 0;
}

/* Parse a constant, or a field with or without a modifier. */
static int expr_parse_atom(struct expr *e, struct kpt_hist_piece t,
			   enum kpt_hist_unit *unit)
{
	struct kpt_hist_piece name, modifier = t;
	size_t dollar;
	int err;

	if (t.len && kpt_lex_is_digit(*t.s))
		return expr_parse_number(e, t);
	dollar = kpt_lex_find(t.s, t.len, '$');
	if (dollar < t.len)
		return expr_load_var(e, t, dollar, unit);
	kpt_hist_piece_next(&modifier, '.', &name);
	err = expr_load(e, name);
	if (err)
		return err;
	if (e->f->op[e->f->nr_ops - 1].code == KPT_HIST_TIME) {
		e->p->hist->uses_time = true;
		*unit = KPT_HIST_NS;
	}
	return modifier.s ? expr_parse_modifier(e, name, modifier, unit) : 0;
}

/*
 * Operators.
 */

static u8 expr_operator(char c)
{
	return c == '+' ? KPT_HIST_PLUS : c == '-' ? KPT_HIST_MINUS :
	       c == '*' ? KPT_HIST_TIMES : KPT_HIST_DIVIDE;
}

static int expr_parse(struct expr *e, struct kpt_hist_piece t, enum kpt_hist_unit *unit);

/* Parse "-(...)". */
static int expr_parse_minus(struct expr *e, struct kpt_hist_piece t,
			    enum kpt_hist_unit *unit)
{
	struct kpt_hist_piece inner = { t.s + 2, 0 };
	size_t end = kpt_lex_find_last(t.s, t.len, ')');
	int err;

	if (t.len < 2 || t.s[1] != '(')
		return expr_fail(e, KPT_E_HIST_MINUS_NO_PAREN, t.s);
	if (end == t.len)
		return expr_fail(e, KPT_E_HIST_NO_CLOSING_PAREN, inner.s);
	if (end + 1 != t.len)
		return expr_fail(e, KPT_E_HIST_UNARY_MINUS_SUBEXPR, inner.s);
	inner.len = end - 2;
	err = expr_parse(e, inner, unit);
	if (!err && !kpt_hist_is_number(e->f))
		err = expr_fail(e, KPT_E_HIST_STR_OPERAND, inner.s);
	if (!err)
		expr_emit(e, KPT_HIST_NEGATE, 0);
	return err;
}

/*
 * Combine the last two operands, which begin at instructions @first and @second. If
 * both are constants, replace them by a constant.
 */
static void expr_combine(struct expr *e, u8 code, u8 first, u8 second)
{
	struct kpt_hist_op *op = e->f->op;

	if (second - first == 1 && e->f->nr_ops - second == 1 &&
	    op[first].code == KPT_HIST_CONST &&
	    op[second].code == KPT_HIST_CONST) {
		op[first].number = kpt_hist_combine(code, op[first].number,
						    op[second].number);
		e->f->nr_ops = second;
	} else {
		expr_emit(e, code, 0);
	}
}

/* Parse an operand; *@unit is the unit of the operands before, and is updated. */
static int expr_parse_operand(struct expr *e, struct kpt_hist_piece t,
			      enum kpt_hist_unit *unit)
{
	enum kpt_hist_unit own = KPT_HIST_NO_UNIT;
	u8 start = e->f->nr_ops;
	u8 code;
	int err;

	e->is_operand = true;
	err = expr_parse(e, t, &own);

	if (err)
		return err;
	code = e->f->op[start].code;
	if (code < KPT_HIST_NUMBER)
		return expr_fail(e, KPT_E_HIST_STR_OPERAND, t.s);
	if (own && *unit && own != *unit)
		return expr_fail(e, KPT_E_HIST_TIMESTAMP_MISMATCH, t.s);
	*unit = own ?: *unit;
	return 0;
}

static int expr_parse_binary(struct expr *e, struct kpt_hist_piece t, size_t at,
			     enum kpt_hist_unit *unit)
{
	struct kpt_hist_piece left = { t.s, at };
	struct kpt_hist_piece right = { t.s + at + 1, t.len - at - 1 };
	u8 code = expr_operator(t.s[at]), first = e->f->nr_ops, second;
	const struct kpt_hist_op *op;
	int err;

	err = expr_parse_operand(e, left, unit);
	if (err)
		return err;
	second = e->f->nr_ops;
	err = expr_parse_operand(e, right, unit);
	if (err)
		return err;
	op = &e->f->op[second];
	if (code == KPT_HIST_DIVIDE && e->f->nr_ops - second == 1 &&
	    op->code == KPT_HIST_CONST && !op->number) {
		expr_fail(e, KPT_E_HIST_DIVISION_BY_ZERO, right.s);
		return -EDOM;
	}
	expr_combine(e, code, first, second);
	return 0;
}

static int expr_parse(struct expr *e, struct kpt_hist_piece t, enum kpt_hist_unit *unit)
{
	bool minus = t.len && *t.s == '-';
	size_t at = expr_find_last(t, '+', '-');

	if (at == t.len)
		at = expr_find_last(t, '*', '/');
	if (at == t.len)
		return expr_parse_atom(e, t, unit);
	if (++e->nr_operators > KPT_HIST_OPERATORS_MAX)
		return expr_fail(e, KPT_E_HIST_TOO_MANY_SUBEXPR, t.s);
	return minus ? expr_parse_minus(e, t, unit) :
		       expr_parse_binary(e, t, at, unit);
}

/* Write an expression. In a key, a field is named in place of its variable. */
static void expr_put_name(const struct expr *e, struct kpt_strbuf *sb,
			  struct kpt_hist_piece t)
{
	struct kpt_hist_piece one, alias = { NULL, 0 };
	size_t n;

	for (; t.len; t.s += n, t.len -= n) {
		n = expr_find_operator(t) ?: 1;
		one = (struct kpt_hist_piece){ t.s, n };
		if (e->is_key)
			alias = expr_find_alias(e->p, one);
		one = alias.s ? alias : one;
		kpt_strbuf_add(sb, one.s, one.len);
	}
}

/* Set the name that is shown. A modifier at its end is left out. */
static int expr_set_name(struct expr *e, struct kpt_hist_piece t)
{
	struct kpt_hist_field *f = e->f;
	struct kpt_strbuf sb;
	struct kpt_hist_piece name;

	if (e->is_key && !e->nr_operators && kpt_lex_find(t.s, t.len, '$') < t.len)
		t = expr_find_alias(e->p, t);
	name = t;
	kpt_strbuf_init(&sb, f->name, sizeof(f->name));
	if (!e->nr_operators && kpt_lex_find(t.s, t.len, '$') == t.len)
		kpt_hist_piece_next(&t, '.', &name);
	else
		f->modifier = KPT_HIST_PLAIN;
	if (f->nr_ops == 1 && f->op[0].code == KPT_HIST_CONST &&
	    !kpt_hist_piece_is(name, "hitcount"))
		kpt_strbuf_printf(&sb, "%llu",
				  (unsigned long long)f->op[0].number);
	else
		expr_put_name(e, &sb, name);
	return sb.overflow ? expr_fail(e, KPT_E_HIST_EXPR_TOO_LONG, name.s) : 0;
}

/**
 * kpt_hist_parse_field() - read a key or a value
 * @p: the trigger
 * @f: result; the caller fills it with zeroes
 * @t: the text of the key or value
 * @use: what it is
 *
 * Context: any.
 * Return: 0; -EINVAL; -EDOM for a division by 0.
 */
int kpt_hist_parse_field(struct kpt_hist_parser *p, struct kpt_hist_field *f,
			 struct kpt_hist_piece t, enum kpt_hist_use use)
{
	struct expr e = {
		.p = p, .f = f, .is_key = use == KPT_HIST_AS_KEY,
		.is_var = use == KPT_HIST_AS_VAR,
	};
	enum kpt_hist_unit unit = KPT_HIST_NO_UNIT;
	int err = expr_parse(&e, t, &unit);

	f->unit = unit;
	return err ?: expr_set_name(&e, t);
}

/**
 * kpt_hist_parse_ref() - make a parameter that reads a variable of another histogram
 * @p: the trigger
 * @f: result; the caller fills it with zeroes
 * @t: the text of the parameter
 * @ref: the variable
 *
 * Context: any.
 * Return: 0 or -EINVAL.
 */
int kpt_hist_parse_ref(struct kpt_hist_parser *p, struct kpt_hist_field *f,
		       struct kpt_hist_piece t, const struct kpt_hist_ref *ref)
{
	const struct kpt_hist_field *from = &ref->hist->var[ref->var].value;
	struct expr e = { .p = p, .f = f, .is_var = true };
	int err = expr_load_other(&e, t, ref);

	f->is_signed = from->is_signed;
	f->size = from->size;
	f->type = from->type;
	f->names = from->names;
	return err ?: expr_set_name(&e, t);
}
