// SPDX-License-Identifier: GPL-2.0-only
/*
 * Predicates of filters, from text to one comparison each.
 *
 * Every number is compared with a range, whatever the operator: "< 5" is the
 * range from the least number to 4, "& 6" any number but 0 once the other bits
 * are masked away, "!=" the opposite of "==".
 */
#include <kptrace/port.h>
#include "lib/cpulist.h"
#include "lib/filter_term.h"
#include "lib/glob.h"
#include "lib/lex.h"

/* Characters of a number, as mainline limits them. */
#define NUMBER_MAX 23

/* A longer operator stands before those it begins with. */
enum op { OP_GLOB, OP_NE, OP_EQ, OP_LE, OP_LT, OP_GE, OP_GT, OP_BAND, NR_OPS };
static const char *const op_texts[NR_OPS] = {
	"~", "!=", "==", "<=", "<", ">=", ">", "&"
};

/**
 * struct term - a predicate as it is written
 * @field: left of the operator
 * @op: the operator
 * @user: .ustring
 * @function: .function
 * @swap: result: the opposite was compiled
 */
struct term {
	struct kpt_field_ref field;
	enum op op;
	bool user;
	bool function;
	bool swap;
};

static int fail(struct kpt_filter_reader *r, enum kpt_diag_code code, size_t column)
{
	return kpt_diag_set(r->diag, code, (unsigned int)column, -EINVAL);
}

/* Inside a predicate mainline's carets stand one behind the character. */
static int fail_here(struct kpt_filter_reader *r, enum kpt_diag_code code)
{
	return fail(r, code, r->i + 1);
}

static void skip_space(struct kpt_filter_reader *r)
{
	while (kpt_lex_is_space(r->text[r->i]))
		r->i++;
}

static bool accept(struct kpt_filter_reader *r, const char *word)
{
	size_t n = kpt_lex_prefix(r->text + r->i, r->len - r->i, word);

	r->i += n;
	return n;
}

static void skip_alnum(struct kpt_filter_reader *r)
{
	while (kpt_lex_is_alpha(r->text[r->i]) ||
	       kpt_lex_is_digit(r->text[r->i]))
		r->i++;
}

static int parse_field(struct kpt_filter_reader *r, struct kpt_field_ref *field)
{
	size_t start = r->i;

	while (r->text[r->i] == '_' || kpt_lex_is_alpha(r->text[r->i]) ||
	       kpt_lex_is_digit(r->text[r->i]))
		r->i++;
	if (r->i == start)
		return fail(r, KPT_E_FILT_ERRNO, 0);
	if (!kpt_field_find(r->fields, r->text + start, r->i - start, field))
		return fail_here(r, KPT_E_FILT_FIELD_NOT_FOUND);
	return 0;
}

static int parse_op(struct kpt_filter_reader *r, enum op *op)
{
	for (*op = 0; *op < NR_OPS; (*op)++) {
		if (accept(r, op_texts[*op]))
			return 0;
	}
	return fail_here(r, KPT_E_FILT_INVALID_OP);
}

/* Says how kpt_filter_match() finds a number. */
static void set_number(struct kpt_filter_pred *pred,
		       const struct kpt_field_ref *field)
{
	pred->base = kpt_field_base(field);
	pred->shift = kpt_field_shift(field);
	pred->mask = ~0ULL << (64 - 8 * field->size);
}

static bool is_text(const struct term *t)
{
	return t->field.kind == KPT_FIELD_TEXT ||
	       t->field.kind == KPT_FIELD_TAIL ||
	       t->field.kind == KPT_FIELD_COMM;
}

/* A predicate that does not depend on the record. */
static void set_constant(struct kpt_filter_pred *pred, bool value)
{
	pred->kind = KPT_FILTER_NUMBER;
	pred->base = 0;
	pred->shift = 0;
	pred->mask = 0;
	pred->low = value ? 0 : 1;
	pred->span = 0;
}

/*
 * The values for which "field @op @v" is true, as a range; no such range for
 * OP_NE, which is OP_EQ negated. Values stand in the top bits, @one apart.
 */
static bool op_range(enum op op, u64 v, u64 one, bool is_signed, u64 *low,
		     u64 *span)
{
	u64 least = is_signed ? 1ULL << 63 : 0;
	u64 most = least - one;

	*low = least;
	switch (op) {
	case OP_LT:
		*span = v - one - least;
		return v != least;
	case OP_LE:
		*span = v - least;
		return true;
	case OP_GT:
		*low = v + one;
		*span = most - v - one;
		return v != most;
	case OP_GE:
		*low = v;
		*span = most - v;
		return true;
	default:
		*low = v;
		*span = 0;
		return true;
	}
}

/* "field op number" for a field of the record. */
static void compare_number(struct term *t, struct kpt_filter_pred *pred,
			   u64 value)
{
	u64 one;

	if (!kpt_field_is_number(&t->field)) {	/* an array */
		set_constant(pred, false);
		t->swap = false;
		return;
	}
	one = 1ULL << (64 - 8 * t->field.size);
	pred->kind = KPT_FILTER_NUMBER;
	set_number(pred, &t->field);
	if (t->op == OP_BAND) {
		/* any bit left: everything but 0 */
		pred->mask = value * one;
		pred->low = 1;
		pred->span = ~0ULL - 1;
	} else if (!op_range(t->op, value * one, one, t->field.is_signed,
			     &pred->low, &pred->span)) {
		set_constant(pred, false);
	}
}

/* "CPU op number". */
static void compare_cpu(struct term *t, struct kpt_filter_pred *pred, u64 value)
{
	pred->kind = KPT_FILTER_CPU;
	if (t->op == OP_BAND ||
	    !op_range(t->op, (u64)(s64)(s32)value, 1, true, &pred->low,
		      &pred->span))
		set_constant(pred, false);
}

static int parse_number(struct kpt_filter_reader *r, struct term *t,
			struct kpt_filter_pred *pred)
{
	size_t start = r->i, len;
	u64 value;
	int err;

	if (is_text(t))
		return fail_here(r, KPT_E_FILT_EXPECT_STRING);
	if (t->op == OP_GLOB)
		return fail_here(r, KPT_E_FILT_ILLEGAL_FIELD_OP);
	accept(r, "-");
	skip_alnum(r);
	len = r->i - start;
	if (len > NUMBER_MAX)
		return fail_here(r, KPT_E_FILT_OPERAND_TOO_LONG);
	if (t->field.is_signed)
		err = kpt_lex_s64(r->text + start, len, 0, (s64 *)&value);
	else
		err = kpt_lex_u64(r->text + start, len, 0, &value);
	if (err)
		return fail(r, KPT_E_FILT_ILLEGAL_INTVAL, start + 1);
	t->swap = t->op == OP_NE;
	if (t->field.kind == KPT_FIELD_CPU)
		compare_cpu(t, pred, value);
	else
		compare_number(t, pred, value);
	return 0;
}

/* Room for @size bytes of operand, @align a power of two. */
static void *add_operand(struct kpt_filter_reader *r, struct kpt_filter_pred *pred,
			 size_t size, size_t align)
{
	pred->at = round_up(r->filter->size, align);
	r->filter->size = pred->at + size;
	return (u8 *)r->filter + pred->at;
}

static void set_text(struct kpt_filter_reader *r, struct term *t,
		     struct kpt_filter_pred *pred, const char *s, size_t len)
{
	pred->negated = t->op == OP_NE;
	pred->how = KPT_GLOB_FULL;
	if (t->op == OP_GLOB) {
		if (len && *s == '!') {
			pred->negated = true;
			s++;
			len--;
		}
		pred->how = kpt_glob_reduce(&s, &len);
	}
	pred->len = len;
	memcpy(add_operand(r, pred, len, 1), s, len);
}

/* Chooses what the text is compared with. */
static int set_text_kind(struct kpt_filter_reader *r, struct term *t,
			 struct kpt_filter_pred *pred)
{
	pred->field = t->field;
	if (t->field.kind == KPT_FIELD_COMM)
		pred->kind = KPT_FILTER_COMM;
	else if (is_text(t))
		pred->kind = KPT_FILTER_TEXT;
	else if (t->user && t->field.size == 8)
		pred->kind = KPT_FILTER_USER_TEXT;
	else
		return fail_here(r, KPT_E_FILT_EXPECT_DIGIT);
	return 0;
}

static int parse_text(struct kpt_filter_reader *r, struct term *t,
		      struct kpt_filter_pred *pred)
{
	const char *s = r->text + r->i;
	size_t len;
	int err;

	if (t->op != OP_NE && t->op != OP_GLOB && t->op != OP_EQ)
		return fail_here(r, KPT_E_FILT_ILLEGAL_FIELD_OP);
	err = set_text_kind(r, t, pred);
	if (err)
		return err;
	r->i++;
	len = kpt_lex_find(s + 1, r->len - r->i, *s);
	r->i += len;
	if (r->i == r->len)
		return fail_here(r, KPT_E_FILT_MISSING_QUOTE);
	if (len >= KPT_FILTER_TEXT_MAX)
		return fail_here(r, KPT_E_FILT_OPERAND_TOO_LONG);
	r->i++;
	set_text(r, t, pred, s + 1, len);
	return 0;
}

/* Address that .function is given, as a number or a name. */
static int parse_function_addr(struct kpt_filter_reader *r, u64 *addr)
{
	const char *s = r->text + r->i;
	char name[KPT_FILTER_TEXT_MAX];
	size_t len;

	if (kpt_lex_is_digit(*s)) {
		skip_alnum(r);
		len = r->text + r->i - s;
		if (len > NUMBER_MAX)
			return fail_here(r, KPT_E_FILT_OPERAND_TOO_LONG);
		if (kpt_lex_u64(s, len, 0, addr))
			return fail_here(r, KPT_E_FILT_INVALID_VALUE);
		return 0;
	}
	while (r->i < r->len && !kpt_lex_is_space(r->text[r->i]) &&
	       !strchr(")&|", r->text[r->i]))
		r->i++;
	len = r->text + r->i - s;
	if (len >= sizeof(name))
		return fail_here(r, KPT_E_FILT_OPERAND_TOO_LONG);
	memcpy(name, s, len);
	name[len] = '\0';
	if (port_symbol_addr(name, addr))
		return fail_here(r, KPT_E_FILT_NO_FUNCTION);
	return 0;
}

/* "field.function op name": the field lies in that function. */
static int parse_function(struct kpt_filter_reader *r, struct term *t,
			  struct kpt_filter_pred *pred)
{
	u64 addr, start, size;
	int err;

	if (t->field.kind != KPT_FIELD_NUMBER || t->field.size != 8)
		return fail_here(r, KPT_E_FILT_ILLEGAL_FIELD_OP);
	if (t->op != OP_EQ && t->op != OP_NE)
		return fail_here(r, KPT_E_FILT_INVALID_OP);
	err = parse_function_addr(r, &addr);
	if (err)
		return err;
	if (port_symbol_range(addr, &start, &size) || !size)
		return fail_here(r, KPT_E_FILT_NO_FUNCTION);
	pred->kind = KPT_FILTER_NUMBER;
	set_number(pred, &t->field);
	pred->low = start;
	pred->span = size - 1;
	t->swap = t->op == OP_NE;
	return 0;
}

/* The CPU of a set that has one, else -1. */
static int only_cpu(const u64 *set, unsigned int nr)
{
	unsigned int cpu;
	int found = -1;

	for (cpu = 0; cpu < nr; cpu++) {
		if (!(set[cpu / 64] >> (cpu % 64) & 1))
			continue;
		if (found >= 0)
			return -1;
		found = (int)cpu;
	}
	return found;
}

/*
 * A CPU against a set of none or of several, which no CPU is equal to. A field
 * that holds no CPU's number is not even different.
 */
static void compare_set(struct kpt_filter_reader *r, struct term *t,
			struct kpt_filter_pred *pred)
{
	bool is_cpu = t->field.kind == KPT_FIELD_CPU;
	struct kpt_field_ref number = t->field;

	/* The low half of 8 bytes. */
	number.size = min_t(u16, number.size, 4);
	if (t->op == OP_EQ || (!is_cpu && !kpt_field_is_number(&t->field))) {
		set_constant(pred, false);
	} else if (is_cpu && t->op == OP_NE) {
		set_constant(pred, true);
	} else if (t->op == OP_NE) {
		pred->kind = KPT_FILTER_NUMBER;
		set_number(pred, &number);
		pred->low = 0;
		pred->span = (u64)(r->nr_cpus - 1) << (64 - 8 * number.size);
	} else {
		pred->kind = is_cpu ? KPT_FILTER_CPU_CPUS :
				      KPT_FILTER_NUMBER_CPUS;
		if (!is_cpu)
			set_number(pred, &number);
		pred->how = (u8)(64 - 8 * number.size);
		pred->len = r->nr_cpus;
		add_operand(r, pred, sizeof(u64) * KPT_CPULIST_WORDS(r->nr_cpus),
			    sizeof(u64));
	}
}

/* A CPU against a single one. */
static void compare_one(struct term *t, struct kpt_filter_pred *pred,
			unsigned int cpu)
{
	if (t->op == OP_BAND)
		t->op = OP_EQ;
	t->swap = t->op == OP_NE;
	if (t->field.kind == KPT_FIELD_CPU)
		compare_cpu(t, pred, cpu);
	else
		compare_number(t, pred, cpu);
}

/* "field op CPUS{list}". */
static int parse_cpus(struct kpt_filter_reader *r, struct term *t,
		      struct kpt_filter_pred *pred)
{
	u64 *set;
	size_t start;
	int cpu;

	if (is_text(t))
		return fail_here(r, KPT_E_FILT_ILLEGAL_FIELD_OP);
	if (t->op != OP_EQ && t->op != OP_NE && t->op != OP_BAND)
		return fail_here(r, KPT_E_FILT_ILLEGAL_FIELD_OP);
	r->i += strlen("CPUS");
	if (!accept(r, "{"))
		return fail(r, KPT_E_FILT_MISSING_BRACE_OPEN, r->i + 2);
	start = r->i;
	r->i += kpt_lex_find(r->text + start, r->len - start, '}');
	if (r->i == r->len)
		return fail_here(r, KPT_E_FILT_MISSING_BRACE_CLOSE);
	/* where add_operand() will put it, if it is needed */
	set = (u64 *)((u8 *)r->filter + round_up(r->filter->size, sizeof(u64)));
	if (r->i == start || kpt_cpulist_parse(r->text + start, r->i - start,
					       set, r->nr_cpus))
		return fail_here(r, KPT_E_FILT_INVALID_CPULIST);
	r->i++;
	cpu = only_cpu(set, r->nr_cpus);
	if (cpu < 0)
		compare_set(r, t, pred);
	else
		compare_one(t, pred, (unsigned int)cpu);
	return 0;
}

static int parse_operand(struct kpt_filter_reader *r, struct term *t,
			 struct kpt_filter_pred *pred)
{
	char c = r->text[r->i];

	if (t->function)
		return parse_function(r, t, pred);
	if (kpt_lex_prefix(r->text + r->i, r->len - r->i, "CPUS"))
		return parse_cpus(r, t, pred);
	if (c == '"' || c == '\'')
		return parse_text(r, t, pred);
	if (c == '-' || kpt_lex_is_digit(c))
		return parse_number(r, t, pred);
	return fail_here(r, KPT_E_FILT_INVALID_VALUE);
}

/**
 * kpt_filter_term_parse() - read and compile one "field op value"
 * @r: stands at the field; moved behind the value
 * @pred: result, all but its next[]
 * @swap: result: what was compiled is the opposite of what is written
 *
 * Operands go behind @r->filter->size, which grows.
 *
 * Context: process context, may sleep (symbol lookup).
 * Return: 0 or -EINVAL.
 */
int kpt_filter_term_parse(struct kpt_filter_reader *r,
			  struct kpt_filter_pred *pred, bool *swap)
{
	struct term t = { 0 };
	int err;

	memset(pred, 0, sizeof(*pred));
	err = parse_field(r, &t.field);
	if (err)
		return err;
	t.user = accept(r, ".ustring");
	t.function = accept(r, ".function");
	skip_space(r);
	err = parse_op(r, &t.op);
	if (err)
		return err;
	skip_space(r);
	err = parse_operand(r, &t, pred);
	*swap = t.swap;
	return err;
}
