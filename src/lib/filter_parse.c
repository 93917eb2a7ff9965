// SPDX-License-Identifier: GPL-2.0-only
/*
 * Filters, from text to program.
 *
 * Predicates are compiled in the order they are written. Where each goes when
 * it is true or false is not known at once; until then its two next[] entries
 * are slots, chained with others that will go to the same place. An open
 * parenthesis is a level with two such chains: what already makes the
 * expression in it true (before a ||), and what makes the terms since the last
 * || false (before a &&).
 */
#include <kptrace/port.h>
#include "lib/cpulist.h"
#include "lib/filter.h"
#include "lib/filter_term.h"
#include "lib/lex.h"

/* End of a chain of slots. Slot 2 * i + r is pred[i].next[r]. */
#define NO_SLOT 0xffff

/**
 * struct level - an open parenthesis, or the whole expression
 * @yes: chain of what makes it true
 * @no: chain of what makes the terms since the last || false
 * @invert: it is negated as a whole
 */
struct level {
	u16 yes;
	u16 no;
	bool invert;
};

/**
 * struct parser - the state of parsing
 * @r: text and program
 * @max_preds: room for predicates
 * @levels: the open parentheses, in memory behind the operands
 * @max_levels: room for them
 * @level: the innermost
 */
struct parser {
	struct kpt_filter_reader r;
	unsigned int max_preds;
	struct level *levels;
	unsigned int max_levels;
	unsigned int level;
};

static int fail(struct parser *p, enum kpt_diag_code code, size_t column)
{
	return kpt_diag_set(p->r.diag, code, (unsigned int)column, -EINVAL);
}

static void skip_space(struct parser *p)
{
	while (kpt_lex_is_space(p->r.text[p->r.i]))
		p->r.i++;
}

/* Reads "&&" or "||". */
static bool accept_twice(struct parser *p, char c)
{
	bool found = p->r.text[p->r.i] == c && p->r.text[p->r.i + 1] == c;

	p->r.i += found ? 2 : 0;
	return found;
}

/* Mainline takes "!=" and "!~" for operators wherever they stand. */
static bool is_op(const char *s)
{
	return s[1] == '=' || s[1] == '~';
}

static u16 *slot(struct parser *p, u16 s)
{
	return &p->r.filter->pred[s / 2].next[s % 2];
}

/* One chain of two. */
static u16 join(struct parser *p, u16 a, u16 b)
{
	u16 *end = &a;

	while (*end != NO_SLOT)
		end = slot(p, *end);
	*end = b;
	return a;
}

/* All in a chain go to @next. */
static void resolve(struct parser *p, u16 chain, u16 next)
{
	u16 *s;

	while (chain != NO_SLOT) {
		s = slot(p, chain);
		chain = *s;
		*s = next;
	}
}

static int open_level(struct parser *p, bool invert)
{
	if (p->level + 1 >= p->max_levels)
		return fail(p, KPT_E_FILT_TOO_MANY_OPEN, p->r.i);
	p->levels[++p->level] = (struct level){ NO_SLOT, NO_SLOT, invert };
	return 0;
}

/* The chains of an operand, or of a parenthesis that was closed. */
struct chains {
	u16 yes;
	u16 no;
};

static struct chains close_level(struct parser *p, struct chains operand)
{
	struct level *l = &p->levels[p->level];
	u16 yes = join(p, l->yes, operand.yes);
	u16 no = join(p, l->no, operand.no);

	return l->invert ? (struct chains){ no, yes } :
			   (struct chains){ yes, no };
}

static int parse_predicate(struct parser *p, bool invert,
			   struct chains *operand)
{
	struct kpt_filter *f = p->r.filter;
	bool swap;
	int err;

	if (f->nr >= p->max_preds)
		return fail(p, KPT_E_FILT_TOO_MANY_PREDS, p->r.i);
	err = kpt_filter_term_parse(&p->r, &f->pred[f->nr], &swap);
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
 * What follows an operand, closing parentheses included. Returns 1 after the
 * end of the filter, 0 if an operand must follow. outline() has counted the
 * parentheses already; they are checked again because memory depends on it.
 */
static int parse_behind(struct parser *p, struct chains operand)
{
	u16 next = p->r.filter->nr;
	struct level *l;
	char c;

	for (;; p->r.i++) {
		skip_space(p);
		c = p->r.text[p->r.i];
		if (c != ')')
			break;
		if (!p->level)
			return fail(p, KPT_E_FILT_TOO_MANY_CLOSE, p->r.i + 1);
		operand = close_level(p, operand);
		p->level--;
	}
	l = &p->levels[p->level];
	if (!c) {
		if (p->level)
			return fail(p, KPT_E_FILT_TOO_MANY_OPEN, p->r.i + 1);
		operand = close_level(p, operand);
		resolve(p, operand.yes, KPT_FILTER_ACCEPT);
		resolve(p, operand.no, KPT_FILTER_REJECT);
		return 1;
	}
	if (accept_twice(p, '&')) {
		resolve(p, operand.yes, next);
		l->no = join(p, l->no, operand.no);
	} else if (accept_twice(p, '|')) {
		resolve(p, join(p, l->no, operand.no), next);
		l->no = NO_SLOT;
		l->yes = join(p, l->yes, operand.yes);
	} else {
		return fail(p, KPT_E_FILT_TOO_MANY_PREDS, p->r.i);
	}
	return 0;
}

static int parse_expression(struct parser *p)
{
	struct chains operand = { NO_SLOT, NO_SLOT };
	bool invert = false;
	int err = 0;
	char c;

	while (err == 0) {
		skip_space(p);
		c = p->r.text[p->r.i];
		if (!c) {
			return fail(p, p->r.filter->nr ?
				    KPT_E_FILT_INVALID_FILTER :
				    KPT_E_FILT_NO_FILTER, p->r.i);
		} else if (c == '(') {
			err = open_level(p, invert);
			invert = false;
			p->r.i++;
		} else if (c == '!' && !is_op(p->r.text + p->r.i)) {
			invert = !invert;
			p->r.i++;
		} else {
			err = parse_predicate(p, invert, &operand);
			invert = false;
			if (!err)
				err = parse_behind(p, operand);
		}
	}
	return err < 0 ? err : 0;
}

/**
 * struct outline - what a first look over a filter finds
 * @preds: predicates, at most
 * @levels: nested parentheses, the whole expression included
 * @open: parentheses left open
 * @quote: the quote that a string at the end began with, or 0
 * @column: of a mistake
 */
struct outline {
	unsigned int preds;
	unsigned int levels;
	unsigned int open;
	char quote;
	size_t column;
};

/* The last parenthesis that is never closed; strings are closed. */
static size_t find_open(const char *text, size_t len)
{
	unsigned int closed = 0;
	char quote = 0, c;

	while (len--) {
		c = text[len];
		if (quote) {
			if (c == quote)
				quote = 0;
		} else if (c == '"' || c == '\'') {
			quote = c;
		} else if (c == ')') {
			closed++;
		} else if (c == '(' && !closed--) {
			break;
		}
	}
	return len;
}

/*
 * Counts predicates and parentheses. Mainline begins in this way too, so
 * mistakes found here come before others further to the left.
 */
static enum kpt_diag_code outline(struct outline *o, const char *text)
{
	bool in_pred = false;
	size_t i;
	char c;

	*o = (struct outline){ .levels = 1 };
	for (i = 0; text[i]; i++) {
		c = text[i];
		if (o->quote) {
			if (c == o->quote)
				o->quote = 0;
			continue;
		}
		if (kpt_lex_is_space(c))
			continue;
		if (((c == '&' || c == '|') && text[i + 1] == c) || c == '(' ||
		    c == ')') {
			in_pred = false;
			o->open += c == '(';
			o->levels = max(o->levels, o->open + 1);
			if (c == ')' && !o->open--) {
				o->column = i;
				return KPT_E_FILT_TOO_MANY_CLOSE;
			}
			continue;
		}
		if (c == '"' || c == '\'') {
			o->quote = c;
			o->column = i;
		}
		/* the second & of && begins one, for that matter */
		o->preds += !in_pred;
		in_pred = true;
	}
	if (o->quote)
		return KPT_E_FILT_MISSING_QUOTE;
	if (o->open) {
		o->column = find_open(text, i);
		return KPT_E_FILT_TOO_MANY_OPEN;
	}
	return KPT_E_NONE;
}

static size_t fixed_size(const struct outline *o)
{
	return sizeof(struct kpt_filter) +
	       o->preds * sizeof(struct kpt_filter_pred);
}

/**
 * kpt_filter_bound() - memory that compiling a filter takes
 * @text: the filter
 * @nr_cpus: as for kpt_filter_parse()
 *
 * Context: any.
 * Return: bytes.
 */
size_t kpt_filter_bound(const char *text, unsigned int nr_cpus)
{
	size_t set = sizeof(u64) * (KPT_CPULIST_WORDS(nr_cpus) + 1);
	struct outline o;
	const char *s;
	size_t size;

	if (outline(&o, text) != KPT_E_NONE)
		return sizeof(struct kpt_filter);
	size = fixed_size(&o) + strlen(text) + sizeof(u64) +
	       o.levels * sizeof(struct level);
	for (s = text; (s = strstr(s, "CPUS")); s++)
		size += set;
	return size;
}

/**
 * kpt_filter_parse() - compile a filter
 * @filter: result, valid on success only
 * @size: bytes at @filter, at least kpt_filter_bound()
 * @text: the filter, less than KPT_FILTER_MAX characters, white space at both
 *	ends cut off
 * @fields: shape of the records
 * @nr_cpus: CPUS{} may name CPUs below this, nr_cpu_ids
 * @diag: what is wrong and where
 *
 * The language and its errors are those of the kernel's
 * Documentation/trace/events.rst section 5; differences are listed in
 * docs/files.md. A column is one behind the mistake where mainline's is.
 *
 * Context: process context, may sleep (symbol lookup).
 * Return: 0, -EINVAL, or -E2BIG for a text that is too long.
 */
int kpt_filter_parse(struct kpt_filter *filter, size_t size, const char *text,
		     const struct kpt_fields *fields, unsigned int nr_cpus,
		     struct kpt_diag *diag)
{
	struct parser p = {
		.r = {
			.text = text, .len = strlen(text), .filter = filter,
			.fields = fields, .nr_cpus = nr_cpus, .diag = diag,
		},
	};
	enum kpt_diag_code code;
	struct outline o;

	if (p.r.len >= KPT_FILTER_MAX)
		return kpt_diag_set(diag, KPT_E_FILT_ERRNO, 0, -E2BIG);
	code = outline(&o, text);
	if (code != KPT_E_NONE)
		return fail(&p, code, o.column);
	if (!o.preds || size < kpt_filter_bound(text, nr_cpus))
		return fail(&p, KPT_E_FILT_ERRNO, 0);
	*filter = (struct kpt_filter){
		.size = (u32)fixed_size(&o),
	};
	p.max_preds = o.preds;
	p.max_levels = o.levels;
	/* behind all operands; not needed any longer when we return */
	p.levels = (struct level *)((u8 *)filter +
				    round_down(size, sizeof(u64))) - o.levels;
	p.levels[0] = (struct level){ NO_SLOT, NO_SLOT, false };
	return parse_expression(&p);
}

/**
 * kpt_filter_show_error() - what a filter file shows after a filter failed
 * @sb: where to
 * @text: the filter
 * @diag: what was wrong
 *
 * The text, a caret below it, "parse_error: " and the reason, an empty line.
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
