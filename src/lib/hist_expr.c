// SPDX-License-Identifier: GPL-2.0-only
/*
 * Keys and values of hist triggers: compile text to a program.
 *
 * The root of an expression is the operator that is performed last. Operators
 * are counted from the root, the left operand before the right one, as mainline
 * counts them: so a mistake is reported at the same operator if there are too many.
 */
#include <kptrace/port.h>
#include "lib/hist_parse.h"

/* The unit of an operand. UNIT_NONE can be combined with both others. */
enum unit { UNIT_NONE, UNIT_NS, UNIT_USECS };

/**
 * struct expr - a key or value that is being parsed
 * @p: the trigger
 * @f: result
 * @is_key: it is a key
 * @nr_operators: number of operators found so far
 */
struct expr {
	struct kpt_hist_parser *p;
	struct kpt_hist_field *f;
	bool is_key;
	u8 nr_operators;
};

static int expr_fail(struct expr *e, enum kpt_diag_code code, const char *at)
{
	return kpt_hist_fail(e->p, code, at);
}

/* Append an instruction. KPT_HIST_OPERATORS_MAX guarantees that there is room. */
static struct kpt_hist_op *expr_emit(struct expr *e, u8 code, u64 number)
{
	struct kpt_hist_op *op = &e->f->op[e->f->nr_ops++];

	*op = (struct kpt_hist_op){ .code = code, .number = number };
	return op;
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
};

/* Parse "buckets=N" or "bucket=N". */
static bool expr_read_buckets(struct kpt_span t, u64 *width)
{
	size_t n = kpt_lex_prefix(t.s, t.len, "buckets=") ?:
		   kpt_lex_prefix(t.s, t.len, "bucket=");

	return n && !kpt_lex_u64(t.s + n, t.len - n, 0, width) && *width;
}

static bool expr_find_modifier(struct kpt_span t, u8 *modifier, u64 *width)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(modifiers); i++) {
		if (kpt_span_is(t, modifiers[i].name)) {
			*modifier = modifiers[i].modifier;
			return true;
		}
	}
	*modifier = KPT_HIST_BUCKETS;
	return expr_read_buckets(t, width);
}

/* Does a modifier make no sense in this place? */
static bool expr_is_misplaced(const struct expr *e, u8 modifier,
			      struct kpt_span name)
{
	switch (modifier) {
	case KPT_HIST_EXECNAME:
		return !kpt_span_is(name, "common_pid");
	case KPT_HIST_PERCENT:
	case KPT_HIST_GRAPH:
		return e->is_key || e->nr_operators;
	default:
		return kpt_hist_is_text(e->f);
	}
}

/* Parse modifier @t, which follows the field @name; the field is loaded already. */
static int expr_parse_modifier(struct expr *e, struct kpt_span name,
			       struct kpt_span t, enum unit *unit)
{
	u64 width = 0;
	u8 modifier;

	if (!expr_find_modifier(t, &modifier, &width) ||
	    expr_is_misplaced(e, modifier, name))
		return expr_fail(e, KPT_E_HIST_BAD_FIELD_MODIFIER, t.s);
	if (modifier == KPT_HIST_LOG2)
		expr_emit(e, KPT_HIST_TO_LOG2, 0);
	else if (modifier == KPT_HIST_BUCKETS)
		expr_emit(e, KPT_HIST_TO_BUCKET, width);
	else if (modifier == KPT_HIST_USECS && *unit == UNIT_NS)
		*unit = UNIT_USECS;
	e->p->hist->time_in_usecs |= *unit == UNIT_USECS;
	e->p->hist->keeps_comm |= modifier == KPT_HIST_EXECNAME;
	e->f->modifier = modifier;
	return 0;
}

/*
 * Operands.
 */

/* Load a name that is no field of the record, or has another meaning here. */
static bool expr_load_special(struct expr *e, struct kpt_span name)
{
	static const struct {
		const char *name;
		u8 code;
	} specials[] = {
		{ "common_timestamp", KPT_HIST_TIME },
		{ "common_cpu", KPT_HIST_CPU },
		{ "common_comm", KPT_HIST_COMM },
		{ "hitcount", KPT_HIST_CONST },
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(specials); i++) {
		if (kpt_span_is(name, specials[i].name)) {
			expr_emit(e, specials[i].code, 1);
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
	case KPT_FIELD_TEXT:
	case KPT_FIELD_TAIL:
	case KPT_FIELD_CHARS:
		return KPT_HIST_TEXT;
	default:
		return KPT_HIST_NUMBER;
	}
}

static int expr_load(struct expr *e, struct kpt_span name)
{
	struct kpt_field_ref ref;
	u8 code;

	if (expr_load_special(e, name))
		return 0;
	if (kpt_span_is(name, "common_stacktrace") ||
	    kpt_span_is(name, "stacktrace"))
		return expr_fail(e, KPT_E_HIST_NO_STACKTRACE, name.s);
	if (!kpt_field_find(e->p->fields, name.s, name.len, &ref))
		return expr_fail(e, KPT_E_HIST_FIELD_NOT_FOUND, name.s);
	code = expr_code_of(&ref);
	if (code == KPT_HIST_NUMBER && !kpt_field_is_number(&ref))
		return expr_fail(e, KPT_E_HIST_NO_NUMBER, name.s);
	/* mainline's rule: an expression is signed if its first operand is */
	if (!e->f->nr_ops)
		e->f->is_signed = ref.is_signed;
	expr_emit(e, code, 0)->ref = ref;
	return 0;
}

static int expr_parse_number(struct expr *e, struct kpt_span t)
{
	u64 number;

	if (kpt_lex_u64(t.s, t.len, 0, &number))
		return expr_fail(e, KPT_E_HIST_EXPECT_NUMBER, t.s);
	expr_emit(e, KPT_HIST_CONST, number);
	return 0;
}

/* Parse a constant, or a field with or without a modifier. */
static int expr_parse_atom(struct expr *e, struct kpt_span t, enum unit *unit)
{
	struct kpt_span name, modifier = t;
	int err;

	if (t.len && kpt_lex_is_digit(*t.s))
		return expr_parse_number(e, t);
	if (t.len && *t.s == '$')
		return expr_fail(e, KPT_E_HIST_VAR_NOT_FOUND, t.s + 1);
	kpt_span_next(&modifier, '.', &name);
	err = expr_load(e, name);
	if (err)
		return err;
	if (e->f->op[e->f->nr_ops - 1].code == KPT_HIST_TIME) {
		e->p->hist->uses_time = true;
		*unit = UNIT_NS;
	}
	return modifier.s ? expr_parse_modifier(e, name, modifier, unit) : 0;
}

/*
 * Operators.
 */

static bool expr_is_sym_offset(const struct kpt_span *t, size_t at)
{
	return at >= 4 && kpt_lex_is(t->s + at - 4, 4, ".sym") &&
	       kpt_lex_prefix(t->s + at, t->len - at, "-offset");
}

/* Find the last one of two operators. Returns its index, or the length. */
static size_t expr_find_last(struct kpt_span t, char one, char other)
{
	size_t i = t.len;

	while (i--)
		if ((t.s[i] == one || t.s[i] == other) &&
		    !expr_is_sym_offset(&t, i))
			return i;
	return t.len;
}

static u8 expr_operator(char c)
{
	return c == '+' ? KPT_HIST_PLUS : c == '-' ? KPT_HIST_MINUS :
	       c == '*' ? KPT_HIST_TIMES : KPT_HIST_DIVIDE;
}

static int expr_parse(struct expr *e, struct kpt_span t, enum unit *unit);

/* Parse "-(...)". */
static int expr_parse_minus(struct expr *e, struct kpt_span t, enum unit *unit)
{
	struct kpt_span inner = { t.s + 2, 0 };
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
	if (!err && kpt_hist_is_text(e->f))
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
static int expr_parse_operand(struct expr *e, struct kpt_span t,
			      enum unit *unit)
{
	u8 start = e->f->nr_ops;
	enum unit own = UNIT_NONE;
	u8 code;
	int err = expr_parse(e, t, &own);

	if (err)
		return err;
	code = e->f->op[start].code;
	if (code == KPT_HIST_TEXT || code == KPT_HIST_COMM)
		return expr_fail(e, KPT_E_HIST_STR_OPERAND, t.s);
	if (own && *unit && own != *unit)
		return expr_fail(e, KPT_E_HIST_TIMESTAMP_MISMATCH, t.s);
	*unit = own ?: *unit;
	return 0;
}

static int expr_parse_binary(struct expr *e, struct kpt_span t, size_t at,
			     enum unit *unit)
{
	struct kpt_span left = { t.s, at };
	struct kpt_span right = { t.s + at + 1, t.len - at - 1 };
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

static int expr_parse(struct expr *e, struct kpt_span t, enum unit *unit)
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

/* Set the name that is shown. A modifier at its end is left out. */
static int expr_set_name(struct expr *e, struct kpt_span t)
{
	struct kpt_hist_field *f = e->f;
	struct kpt_strbuf sb;
	struct kpt_span name = t;

	kpt_strbuf_init(&sb, f->name, sizeof(f->name));
	if (!e->nr_operators)
		kpt_span_next(&t, '.', &name);
	else
		f->modifier = KPT_HIST_PLAIN;
	if (f->nr_ops == 1 && f->op[0].code == KPT_HIST_CONST &&
	    !kpt_span_is(name, "hitcount"))
		kpt_strbuf_printf(&sb, "%llu",
				  (unsigned long long)f->op[0].number);
	else
		kpt_strbuf_printf(&sb, "%.*s", (int)name.len, name.s);
	return sb.overflow ? expr_fail(e, KPT_E_HIST_EXPR_TOO_LONG, name.s) : 0;
}

/**
 * kpt_hist_parse_field() - read a key or a value
 * @p: the trigger
 * @f: result; the caller fills it with zeroes
 * @t: the text of the key or value
 * @is_key: it is a key
 *
 * Context: any.
 * Return: 0; -EINVAL; -EDOM for a division by 0.
 */
int kpt_hist_parse_field(struct kpt_hist_parser *p, struct kpt_hist_field *f,
			 struct kpt_span t, bool is_key)
{
	struct expr e = { .p = p, .f = f, .is_key = is_key };
	enum unit unit = UNIT_NONE;
	int err = expr_parse(&e, t, &unit);

	return err ?: expr_set_name(&e, t);
}
