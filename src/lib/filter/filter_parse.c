// SPDX-License-Identifier: GPL-2.0-only
/*
 * Filters, from text to program.
 *
 * A predicate becomes one comparison. Every number is compared with a range,
 * whatever the operator: "< 5" is the range from the least number to 4, "& 6"
 * any number but 0 after the other bits are masked, "!=" the opposite of "==".
 *
 * Predicates are compiled in the order in which they are written. Where each of
 * them continues when it is true or false is not known at once. Until then its
 * two next[] entries are slots, chained with others that will continue at the
 * same place. An open parenthesis is a level with two such chains: one of the
 * slots that make its expression true (before a ||), one of those that make the
 * terms since the last || false (before a &&).
 */
#include "lib/base/port.h"
#include "lib/filter/filter.h"
#include "lib/filter/filter_form.h"
#include "lib/filter/filter_outline.h"
#include "lib/base/glob.h"
#include "lib/base/lex.h"

/* Characters of a number, as mainline limits them. */
#define NUMBER_MAX 23

/* The end of a chain of slots. Slot 2 * i + r is pred[i].next[r]. */
#define NO_SLOT 0xffff

/**
 * struct filter_level - an open parenthesis, or the whole expression
 * @yes: chain of the slots that make it true
 * @no: chain of the slots that make the terms since the last || false
 * @invert: it is negated as a whole
 */
struct filter_level {
	u16 yes;
	u16 no;
	bool invert;
};

/* An operator is listed before its prefixes, as the first match is taken. */
enum filter_op {
	OP_GLOB, OP_NE, OP_EQ, OP_LE, OP_LT, OP_GE, OP_GT, OP_BAND, NR_OPS
};
static const char *const op_texts[NR_OPS] = {
	"~", "!=", "==", "<=", "<", ">=", ">", "&"
};

/**
 * struct filter_term - a predicate as it is written
 * @field: the field left of the operator
 * @argument: the same, if it is an argument
 * @op: the operator
 * @user: the field has the suffix .ustring
 * @function: the field has the suffix .function
 * @swap: result: the predicate that was compiled is the opposite
 */
struct filter_term {
	struct kpt_field_ref field;
	const struct kpt_field *argument;
	enum filter_op op;
	bool user;
	bool function;
	bool swap;
};

/**
 * struct filter_parser - the state of parsing
 * @text: the filter
 * @len: its characters
 * @i: index of the next character
 * @filter: the program so far
 * @fields: shape of the records
 * @nr_cpus: CPUS{} may name CPUs below this
 * @diag: on failure the reason
 * @max_preds: number of predicates for which there is room
 * @levels: the open parentheses, in memory behind the operands
 * @max_levels: number of @levels
 * @level: index of the innermost one
 */
struct filter_parser {
	const char *text;
	size_t len;
	size_t i;
	struct kpt_filter *filter;
	const struct kpt_fields *fields;
	unsigned int nr_cpus;
	struct kpt_diag *diag;
	unsigned int max_preds;
	struct filter_level *levels;
	unsigned int max_levels;
	unsigned int level;
};

static int parser_fail_at(struct filter_parser *p, enum kpt_diag_code code,
			  size_t column)
{
	return kpt_diag_set(p->diag, code, (unsigned int)column, -EINVAL);
}

/* Mainline's caret is often one column behind the character. */
static int parser_fail(struct filter_parser *p, enum kpt_diag_code code)
{
	return parser_fail_at(p, code, p->i + 1);
}

static void parser_skip_space(struct filter_parser *p)
{
	while (kpt_lex_is_space(p->text[p->i]))
		p->i++;
}

static bool parser_accept(struct filter_parser *p, const char *word)
{
	size_t n = kpt_lex_prefix(p->text + p->i, p->len - p->i, word);

	p->i += n;
	return n;
}

static void parser_skip_alnum(struct filter_parser *p)
{
	while (kpt_lex_is_alpha(p->text[p->i]) ||
	       kpt_lex_is_digit(p->text[p->i]))
		p->i++;
}

static int term_parse_field(struct filter_parser *p, struct filter_term *t)
{
	size_t start = p->i;

	while (p->text[p->i] == '_' || kpt_lex_is_alpha(p->text[p->i]) ||
	       kpt_lex_is_digit(p->text[p->i]))
		p->i++;
	if (p->i == start)
		return parser_fail_at(p, KPT_E_FILT_ERRNO, 0);
	t->argument = kpt_field_argument(p->fields, p->text + start, p->i - start);
	if (kpt_field_find(p->fields, p->text + start, p->i - start, &t->field))
		return 0;
	parser_fail(p, KPT_E_FILT_FIELD_NOT_FOUND);
	kpt_field_tell_similar(p->fields, false, p->text + start, p->i - start, p->diag);
	return -EINVAL;
}

static int term_parse_op(struct filter_parser *p, enum filter_op *op)
{
	for (*op = 0; *op < NR_OPS; (*op)++) {
		if (parser_accept(p, op_texts[*op]))
			return 0;
	}
	parser_fail(p, KPT_E_FILT_INVALID_OP);
	if (p->text[p->i] == '=')
		kpt_diag_detail(p->diag, "did you mean ==?");
	return -EINVAL;
}

/* Set where kpt_filter_match() reads a number. */
static void pred_set_number(struct kpt_filter_pred *pred,
			    const struct kpt_field_ref *field)
{
	if (field->kind == KPT_FIELD_TASK) {
		pred->kind = KPT_FILTER_TASK;
		pred->base = field->offset;
		pred->shift = 64 - 8 * field->size;
	} else {
		pred->kind = KPT_FILTER_NUMBER;
		pred->base = kpt_field_base(field);
		pred->shift = kpt_field_shift(field);
	}
	pred->mask = ~0ULL << (64 - 8 * field->size);
}

static bool term_is_text(const struct filter_term *t)
{
	return t->field.kind == KPT_FIELD_TEXT ||
	       t->field.kind == KPT_FIELD_TAIL ||
	       t->field.kind == KPT_FIELD_CHARS ||
	       t->field.kind == KPT_FIELD_REL_TEXT ||
	       t->field.kind == KPT_FIELD_COMM;
}

/* Is it neither a number, or an array of numbers, nor a text? */
static bool term_is_bytes(const struct filter_term *t)
{
	return !term_is_text(t) && kpt_field_is_dynamic(&t->field);
}

/* A predicate that is the same for all records. */
static void pred_set_constant(struct kpt_filter_pred *pred, bool value)
{
	pred->kind = KPT_FILTER_NUMBER;
	pred->base = 0;
	pred->shift = 0;
	pred->mask = 0;
	pred->low = value ? 0 : 1;
	pred->span = 0;
}

/*
 * The range of values for which "field @op @v" is true. Returns false if there
 * are none. OP_NE has the range of OP_EQ, to be negated. Values are in the top
 * bits of a word, where the number 1 is @one.
 */
static bool term_op_range(enum filter_op op, u64 v, u64 one, bool is_signed,
			  u64 *low, u64 *span)
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

/* "field op number" for a field of the record, or a number of the task. */
static void term_compare_number(struct filter_term *t,
				struct kpt_filter_pred *pred, u64 value)
{
	u64 one;

	if (!kpt_field_is_number(&t->field) && t->field.kind != KPT_FIELD_TASK) { /* an array */
		pred_set_constant(pred, false);
		t->swap = false;
		return;
	}
	one = 1ULL << (64 - 8 * t->field.size);
	pred_set_number(pred, &t->field);
	if (t->op == OP_BAND) {
		/* Any bit is set: all numbers but 0. */
		pred->mask = value * one;
		pred->low = 1;
		pred->span = ~0ULL - 1;
	} else if (!term_op_range(t->op, value * one, one, t->field.is_signed,
				  &pred->low, &pred->span)) {
		pred_set_constant(pred, false);
	}
}

/* "CPU op number". */
static void term_compare_cpu(struct filter_term *t,
			     struct kpt_filter_pred *pred, u64 value)
{
	pred->kind = KPT_FILTER_CPU;
	if (t->op == OP_BAND ||
	    !term_op_range(t->op, (u64)(s64)(s32)value, 1, true, &pred->low,
			   &pred->span))
		pred_set_constant(pred, false);
}

static int term_parse_number(struct filter_parser *p, struct filter_term *t,
			     struct kpt_filter_pred *pred)
{
	size_t start = p->i, len;
	u64 value;
	int err;

	if (term_is_text(t))
		return parser_fail(p, KPT_E_FILT_EXPECT_STRING);
	if (t->op == OP_GLOB || term_is_bytes(t))
		return parser_fail(p, KPT_E_FILT_ILLEGAL_FIELD_OP);
	parser_accept(p, "-");
	parser_skip_alnum(p);
	len = p->i - start;
	if (len > NUMBER_MAX)
		return parser_fail(p, KPT_E_FILT_OPERAND_TOO_LONG);
	if (t->field.is_signed)
		err = kpt_lex_s64(p->text + start, len, 0, (s64 *)&value);
	else
		err = kpt_lex_u64(p->text + start, len, 0, &value);
	if (err)
		return parser_fail_at(p, KPT_E_FILT_ILLEGAL_INTVAL, start + 1);
	t->swap = t->op == OP_NE;
	if (t->field.kind == KPT_FIELD_CPU)
		term_compare_cpu(t, pred, value);
	else
		term_compare_number(t, pred, value);
	return 0;
}

/* Append @size bytes of operand, aligned to @align, a power of two. */
static void *parser_add_operand(struct filter_parser *p,
				struct kpt_filter_pred *pred, size_t size,
				size_t align)
{
	pred->at = round_up(p->filter->size, align);
	p->filter->size = pred->at + size;
	return (u8 *)p->filter + pred->at;
}

static void term_set_text(struct filter_parser *p, struct filter_term *t,
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
	memcpy(parser_add_operand(p, pred, len, 1), s, len);
}

/* The set is where the operand is put. */
static void parser_add_set(struct filter_parser *p, struct kpt_filter_pred *pred)
{
	pred->len = p->nr_cpus;
	parser_add_operand(p, pred, PORT_CPU_WORDS(p->nr_cpus) * sizeof(u64), sizeof(u64));
}

/* Set which text is compared. */
static int term_set_text_kind(struct filter_parser *p, struct filter_term *t,
			      struct kpt_filter_pred *pred)
{
	pred->field = t->field;
	if (t->field.kind == KPT_FIELD_COMM)
		pred->kind = KPT_FILTER_COMM;
	else if (term_is_text(t))
		pred->kind = KPT_FILTER_TEXT;
	else if (t->user && t->field.size == 8)
		pred->kind = KPT_FILTER_USER_TEXT;
	else
		return parser_fail(p, KPT_E_FILT_EXPECT_DIGIT);
	return 0;
}

static int term_parse_text(struct filter_parser *p, struct filter_term *t,
			   struct kpt_filter_pred *pred)
{
	const char *s = p->text + p->i;
	size_t len;
	int err;

	if (t->op != OP_NE && t->op != OP_GLOB && t->op != OP_EQ)
		return parser_fail(p, KPT_E_FILT_ILLEGAL_FIELD_OP);
	err = term_set_text_kind(p, t, pred);
	if (err)
		return err;
	p->i++;
	len = kpt_lex_find(s + 1, p->len - p->i, *s);
	p->i += len;
	if (p->i == p->len)
		return parser_fail(p, KPT_E_FILT_MISSING_QUOTE);
	if (len >= KPT_FILTER_TEXT_MAX)
		return parser_fail(p, KPT_E_FILT_OPERAND_TOO_LONG);
	p->i++;
	term_set_text(p, t, pred, s + 1, len);
	return 0;
}

/* The address after "field.function op", a number or a name. */
static int term_parse_function_addr(struct filter_parser *p, u64 *addr)
{
	const char *s = p->text + p->i;
	char name[KPT_FILTER_TEXT_MAX];
	size_t len;

	if (kpt_lex_is_digit(*s)) {
		parser_skip_alnum(p);
		len = p->text + p->i - s;
		if (len > NUMBER_MAX)
			return parser_fail(p, KPT_E_FILT_OPERAND_TOO_LONG);
		if (kpt_lex_u64(s, len, 0, addr))
			return parser_fail(p, KPT_E_FILT_INVALID_VALUE);
		return 0;
	}
	while (p->i < p->len && !kpt_lex_is_space(p->text[p->i]) &&
	       !strchr(")&|", p->text[p->i]))
		p->i++;
	len = p->text + p->i - s;
	if (len >= sizeof(name))
		return parser_fail(p, KPT_E_FILT_OPERAND_TOO_LONG);
	memcpy(name, s, len);
	name[len] = '\0';
	if (port_symbol_addr(name, addr))
		return parser_fail(p, KPT_E_FILT_NO_FUNCTION);
	return 0;
}

/* "field.function op name": the field lies in that function. */
static int term_parse_function(struct filter_parser *p, struct filter_term *t,
			       struct kpt_filter_pred *pred)
{
	u64 addr, start, size;
	int err;

	if (t->field.kind != KPT_FIELD_NUMBER || t->field.size != 8)
		return parser_fail(p, KPT_E_FILT_ILLEGAL_FIELD_OP);
	if (t->op != OP_EQ && t->op != OP_NE)
		return parser_fail(p, KPT_E_FILT_INVALID_OP);
	err = term_parse_function_addr(p, &addr);
	if (err)
		return err;
	if (port_symbol_range(addr, &start, &size) || !size)
		return parser_fail(p, KPT_E_FILT_NO_FUNCTION);
	pred->kind = KPT_FILTER_NUMBER;
	pred_set_number(pred, &t->field);
	pred->low = start;
	pred->span = size - 1;
	t->swap = t->op == OP_NE;
	return 0;
}

/* The CPU of a set of one CPU; -1 for other sets. */
static int set_only_cpu(const u64 *set, unsigned int nr)
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
 * Compare with a set of no CPU or of several. No CPU is equal to such a set;
 * every CPU is different, but not a field whose number is not that of a CPU.
 */
static void term_compare_set(struct filter_parser *p, struct filter_term *t,
			     struct kpt_filter_pred *pred)
{
	bool is_cpu = t->field.kind == KPT_FIELD_CPU;
	struct kpt_field_ref number = t->field;

	unsigned int shift;

	/* Of 8 bytes, the low 4. */
	number.size = min_t(u16, number.size, 4);
	shift = 64 - 8 * number.size;
	if (t->op == OP_EQ || (!is_cpu && !kpt_field_is_number(&t->field))) {
		pred_set_constant(pred, false);
	} else if (is_cpu && t->op == OP_NE) {
		pred_set_constant(pred, true);
	} else if (t->op == OP_NE) {
		pred_set_number(pred, &number);
		pred->low = 0;
		pred->span = min_t(u64, p->nr_cpus - 1, ~0ULL >> shift) << shift;
	} else {
		if (!is_cpu)
			pred_set_number(pred, &number);
		pred->kind = is_cpu ? KPT_FILTER_CPU_CPUS :
				      KPT_FILTER_NUMBER_CPUS;
		pred->how = (u8)shift;
		parser_add_set(p, pred);
	}
}

/* Compare a mask of CPUs with a set. */
static void term_compare_mask(struct filter_parser *p, struct filter_term *t,
			      struct kpt_filter_pred *pred)
{
	pred->kind = KPT_FILTER_MASK_CPUS;
	pred->field = t->field;
	pred->how = t->op == OP_BAND;
	pred->negated = t->op == OP_NE;
	parser_add_set(p, pred);
}

/* Compare with a set of one CPU. */
static void term_compare_one(struct filter_term *t,
			     struct kpt_filter_pred *pred, unsigned int cpu)
{
	if (t->op == OP_BAND)
		t->op = OP_EQ;
	t->swap = t->op == OP_NE;
	if (t->field.kind == KPT_FIELD_CPU)
		term_compare_cpu(t, pred, cpu);
	else
		term_compare_number(t, pred, cpu);
}

/* "field op CPUS{list}". */
static int term_parse_cpus(struct filter_parser *p, struct filter_term *t,
			   struct kpt_filter_pred *pred)
{
	u64 *set;
	size_t start;
	int cpu, err;

	if (term_is_text(t) || t->field.kind == KPT_FIELD_TASK ||
	    (term_is_bytes(t) && t->field.kind != KPT_FIELD_MASK))
		return parser_fail(p, KPT_E_FILT_ILLEGAL_FIELD_OP);
	if (t->op != OP_EQ && t->op != OP_NE && t->op != OP_BAND)
		return parser_fail(p, KPT_E_FILT_ILLEGAL_FIELD_OP);
	p->i += strlen("CPUS");
	if (!parser_accept(p, "{"))
		return parser_fail_at(p, KPT_E_FILT_MISSING_BRACE_OPEN,
				      p->i + 2);
	start = p->i;
	p->i += kpt_lex_find(p->text + start, p->len - start, '}');
	if (p->i == p->len)
		return parser_fail(p, KPT_E_FILT_MISSING_BRACE_CLOSE);
	/* Where parser_add_operand() puts it if it is needed. */
	set = (u64 *)((u8 *)p->filter + round_up(p->filter->size, sizeof(u64)));
	err = p->i == start ? -EINVAL :
	      port_parse_cpus(p->text + start, p->i - start, set, p->nr_cpus);
	if (err == -ENOMEM)
		return err;
	if (err)
		return parser_fail(p, KPT_E_FILT_INVALID_CPULIST);
	p->i++;
	cpu = set_only_cpu(set, p->nr_cpus);
	if (t->field.kind == KPT_FIELD_MASK)
		term_compare_mask(p, t, pred);
	else if (cpu < 0)
		term_compare_set(p, t, pred);
	else
		term_compare_one(t, pred, (unsigned int)cpu);
	return 0;
}

/* Is it an address that is wrong, and not a number? */
static bool form_has_dot(const char *s)
{
	while (kpt_lex_is_digit(*s))
		s++;
	return *s == '.';
}

/*
 * "field op value", with the value in the form that lines show it in. Returns 1 if it has
 * none, or is a number as of any other field.
 */
static int term_parse_form(struct filter_parser *p, struct filter_term *t,
			   struct kpt_filter_pred *pred)
{
	u64 value, mask;
	size_t n;

	if (!t->argument || t->argument->count)
		return 1;
	n = kpt_filter_read_form(t->argument, p->text + p->i, p->len - p->i, &value, &mask);
	if (!n && t->argument->type == KPT_TYPE_IPV4 && form_has_dot(p->text + p->i))
		return parser_fail_at(p, KPT_E_FILT_ILLEGAL_INTVAL, p->i + 1);
	if (!n)
		return 1;
	p->i += n;
	if (t->op == OP_GLOB || (~mask && t->op != OP_EQ && t->op != OP_NE))
		return parser_fail(p, KPT_E_FILT_ILLEGAL_FIELD_OP);
	t->swap = t->op == OP_NE;
	term_compare_number(t, pred, value);
	if (~mask)
		pred->mask &= mask << (64 - 8 * t->field.size);
	return 0;
}

static int term_parse_operand(struct filter_parser *p, struct filter_term *t,
			      struct kpt_filter_pred *pred)
{
	char c = p->text[p->i];
	int err;

	if (t->function)
		return term_parse_function(p, t, pred);
	if (kpt_lex_prefix(p->text + p->i, p->len - p->i, "CPUS"))
		return term_parse_cpus(p, t, pred);
	if (c == '"' || c == '\'')
		return term_parse_text(p, t, pred);
	err = term_parse_form(p, t, pred);
	if (err <= 0)
		return err;
	if (c == '-' || kpt_lex_is_digit(c))
		return term_parse_number(p, t, pred);
	return parser_fail(p, KPT_E_FILT_INVALID_VALUE);
}

/*
 * Compile "field op value" to @pred, all but its next[]. With *@swap the
 * opposite was compiled. Operands are appended to @p->filter.
 */
static int term_parse(struct filter_parser *p, struct kpt_filter_pred *pred,
		      bool *swap)
{
	struct filter_term t = { 0 };
	int err;

	memset(pred, 0, sizeof(*pred));
	err = term_parse_field(p, &t);
	if (err)
		return err;
	t.user = parser_accept(p, ".ustring");
	t.function = parser_accept(p, ".function");
	parser_skip_space(p);
	err = term_parse_op(p, &t.op);
	if (err)
		return err;
	parser_skip_space(p);
	err = term_parse_operand(p, &t, pred);
	*swap = t.swap;
	return err;
}

/*
 * Expressions.
 */

/* Accept "&&" or "||". */
static bool parser_accept_twice(struct filter_parser *p, char c)
{
	bool found = p->text[p->i] == c && p->text[p->i + 1] == c;

	p->i += found ? 2 : 0;
	return found;
}

/* Mainline takes "!=" and "!~" for operators at any place. */
static bool text_is_op(const char *s)
{
	return s[1] == '=' || s[1] == '~';
}

static u16 *chain_slot(struct filter_parser *p, u16 s)
{
	return &p->filter->pred[s / 2].next[s % 2];
}

/* Make one chain of two. */
static u16 chain_join(struct filter_parser *p, u16 a, u16 b)
{
	u16 *end = &a;

	while (*end != NO_SLOT)
		end = chain_slot(p, *end);
	*end = b;
	return a;
}

/* All slots of a chain continue at @next. */
static void chain_resolve(struct filter_parser *p, u16 chain, u16 next)
{
	u16 *s;

	while (chain != NO_SLOT) {
		s = chain_slot(p, chain);
		chain = *s;
		*s = next;
	}
}

static int paren_open(struct filter_parser *p, bool invert)
{
	if (p->level + 1 >= p->max_levels)
		return parser_fail_at(p, KPT_E_FILT_TOO_MANY_OPEN, p->i);
	p->levels[++p->level] = (struct filter_level){
		NO_SLOT, NO_SLOT, invert
	};
	return 0;
}

/* The chains of a predicate, or of a closed parenthesis. */
struct filter_chains {
	u16 yes;
	u16 no;
};

static struct filter_chains paren_close(struct filter_parser *p,
					struct filter_chains operand)
{
	struct filter_level *l = &p->levels[p->level];
	u16 yes = chain_join(p, l->yes, operand.yes);
	u16 no = chain_join(p, l->no, operand.no);

	return l->invert ? (struct filter_chains){ no, yes } :
			   (struct filter_chains){ yes, no };
}

static int expression_parse_term(struct filter_parser *p, bool invert,
				 struct filter_chains *operand)
{
	struct kpt_filter *f = p->filter;
	bool swap;
	int err;

	if (f->nr >= p->max_preds)
		return parser_fail_at(p, KPT_E_FILT_TOO_MANY_PREDS, p->i);
	err = term_parse(p, &f->pred[f->nr], &swap);
	if (err)
		return err;
	f->pred[f->nr].next[0] = NO_SLOT;
	f->pred[f->nr].next[1] = NO_SLOT;
	operand->yes = (u16)(2 * f->nr + (swap == invert));
	operand->no = operand->yes ^ 1;
	f->nr++;
	return 0;
}

/*
 * What follows an operand, closing parentheses included. Returns 1 at the end
 * of the filter, 0 if an operand must follow, or -EINVAL. outline_make()
 * counted the parentheses, but they are checked again because memory depends on
 * it.
 */
static int expression_parse_next(struct filter_parser *p,
				 struct filter_chains operand)
{
	u16 next = p->filter->nr;
	struct filter_level *l;
	char c;

	for (;; p->i++) {
		parser_skip_space(p);
		c = p->text[p->i];
		if (c != ')')
			break;
		if (!p->level)
			return parser_fail(p, KPT_E_FILT_TOO_MANY_CLOSE);
		operand = paren_close(p, operand);
		p->level--;
	}
	l = &p->levels[p->level];
	if (!c) {
		if (p->level)
			return parser_fail(p, KPT_E_FILT_TOO_MANY_OPEN);
		operand = paren_close(p, operand);
		chain_resolve(p, operand.yes, KPT_FILTER_ACCEPT);
		chain_resolve(p, operand.no, KPT_FILTER_REJECT);
		return 1;
	}
	if (parser_accept_twice(p, '&')) {
		chain_resolve(p, operand.yes, next);
		l->no = chain_join(p, l->no, operand.no);
	} else if (parser_accept_twice(p, '|')) {
		chain_resolve(p, chain_join(p, l->no, operand.no), next);
		l->no = NO_SLOT;
		l->yes = chain_join(p, l->yes, operand.yes);
	} else {
		parser_fail_at(p, KPT_E_FILT_TOO_MANY_PREDS, p->i);
		kpt_filter_tell_operator(p->text + p->i, p->diag);
		return -EINVAL;
	}
	return 0;
}

static int expression_parse(struct filter_parser *p)
{
	struct filter_chains operand = { NO_SLOT, NO_SLOT };
	bool invert = false;
	int err = 0;
	char c;

	while (err == 0) {
		parser_skip_space(p);
		c = p->text[p->i];
		if (!c) {
			return parser_fail_at(p, p->filter->nr ?
				    KPT_E_FILT_INVALID_FILTER :
				    KPT_E_FILT_NO_FILTER, p->i);
		} else if (c == '(') {
			err = paren_open(p, invert);
			invert = false;
			p->i++;
		} else if (c == '!' && !text_is_op(p->text + p->i)) {
			invert = !invert;
			p->i++;
		} else {
			err = expression_parse_term(p, invert, &operand);
			invert = false;
			if (!err)
				err = expression_parse_next(p, operand);
		}
	}
	return err < 0 ? err : 0;
}

static size_t outline_size(const struct kpt_filter_outline *o)
{
	return sizeof(struct kpt_filter) +
	       o->preds * sizeof(struct kpt_filter_pred);
}

/**
 * kpt_filter_bound() - memory that compiling a filter needs
 * @text: the filter
 * @nr_cpus: as for kpt_filter_parse()
 *
 * Context: any.
 * Return: bytes.
 */
size_t kpt_filter_bound(const char *text, unsigned int nr_cpus)
{
	size_t set = sizeof(u64) * (PORT_CPU_WORDS(nr_cpus) + 1);
	struct kpt_filter_outline o;
	const char *s;
	size_t size;

	if (kpt_filter_outline(&o, text) != KPT_E_NONE)
		return sizeof(struct kpt_filter);
	size = outline_size(&o) + strlen(text) + sizeof(u64) +
	       o.levels * sizeof(struct filter_level);
	for (s = text; (s = strstr(s, "CPUS")); s++)
		size += set;
	return size;
}

/**
 * kpt_filter_parse() - compile a filter
 * @filter: result, valid on success only
 * @size: bytes at @filter, at least kpt_filter_bound()
 * @text: the filter, without white space at both ends
 * @fields: shape of the records
 * @nr_cpus: CPUS{} may name CPUs below this: nr_cpu_ids
 * @diag: on failure the reason and its column
 *
 * The language and its errors are those of the kernel's
 * Documentation/trace/events.rst, section 5; docs/files.md lists the
 * differences. As in mainline, some columns are one behind the mistake.
 *
 * Context: process context, may sleep (symbol lookup).
 * Return: 0; -EINVAL, or -E2BIG for KPT_FILTER_MAX characters and more, with the reason;
 * -ENOMEM without one, and then @filter is of no use.
 */
int kpt_filter_parse(struct kpt_filter *filter, size_t size, const char *text,
		     const struct kpt_fields *fields, unsigned int nr_cpus,
		     struct kpt_diag *diag)
{
	struct filter_parser p = {
		.text = text, .len = strlen(text), .filter = filter,
		.fields = fields, .nr_cpus = nr_cpus, .diag = diag,
	};
	enum kpt_diag_code code;
	struct kpt_filter_outline o;

	if (p.len >= KPT_FILTER_MAX)
		return kpt_diag_set(diag, KPT_E_FILT_ERRNO, 0, -E2BIG);
	code = kpt_filter_outline(&o, text);
	if (code != KPT_E_NONE)
		return parser_fail_at(&p, code, o.column);
	if (!o.preds || size < kpt_filter_bound(text, nr_cpus))
		return parser_fail_at(&p, KPT_E_FILT_ERRNO, 0);
	*filter = (struct kpt_filter){
		.size = (u32)outline_size(&o),
	};
	p.max_preds = o.preds;
	p.max_levels = o.levels;
	/* Behind all operands; not part of the result. */
	p.levels = (struct filter_level *)((u8 *)filter +
				    round_down(size, sizeof(u64))) - o.levels;
	p.levels[0] = (struct filter_level){ NO_SLOT, NO_SLOT, false };
	return expression_parse(&p);
}

/**
 * kpt_filter_show_error() - write the text of a filter file after a mistake
 * @sb: where to write
 * @text: the filter
 * @diag: the reason
 *
 * Writes the filter, a caret below it, "parse_error: " and the reason, and an
 * empty line.
 *
 * Context: any.
 */
void kpt_filter_show_error(struct kpt_strbuf *sb, const char *text,
			   const struct kpt_diag *diag)
{
	size_t column = min_t(size_t, diag->column, strlen(text));

	kpt_strbuf_puts(sb, text);
	if (diag->code == KPT_E_FILT_ERRNO) {
		kpt_strbuf_puts(sb, "\nError: (0)\n\n");
		return;
	}
	kpt_strbuf_printf(sb, "\n%*s\nparse_error: %s\n\n",
			  (int)(column ? column + 1 : 0), "^",
			  kpt_diag_text(diag->code));
}
