// SPDX-License-Identifier: GPL-2.0-only
/* Hist triggers, from text to struct kpt_hist. */
#include <kptrace/port.h>
#include "lib/hist.h"
#include "lib/lex.h"

/* What error_log shows before the text; columns count it. */
#define COMMAND "hist:"

/**
 * struct span - a piece of the trigger
 * @s: its first character, NULL if it is not there
 * @len: its characters
 */
struct span {
	const char *s;
	size_t len;
};

/**
 * struct parser - the state of parsing
 * @text: the trigger
 * @hist: result
 * @keys: what stands behind keys=
 * @vals: behind values=, or nothing
 * @sort: behind sort=, or nothing
 * @fields: shape of the records
 * @diag: what is wrong
 */
struct parser {
	const char *text;
	struct kpt_hist *hist;
	struct span keys;
	struct span vals;
	struct span sort;
	const struct kpt_fields *fields;
	struct kpt_diag *diag;
};

static int fail(struct parser *p, enum kpt_diag_code code, const char *at)
{
	size_t column = strlen(COMMAND) + (size_t)(at - p->text);

	return kpt_diag_set(p->diag, code, (unsigned int)column, -EINVAL);
}

/* For mistakes that mainline logs nothing about. */
static int fail_silently(struct parser *p)
{
	return kpt_diag_set(p->diag, KPT_E_NONE, 0, -EINVAL);
}

static bool is(struct span t, const char *word)
{
	return kpt_lex_is(t.s, t.len, word);
}

/* Cuts "word" off the front of @t, if it is there. */
static bool cut_prefix(struct span *t, const char *word)
{
	size_t n = kpt_lex_prefix(t->s, t->len, word);

	t->s += n;
	t->len -= n;
	return n;
}

/*
 * Takes the first piece of *@rest, up to @separator. Returns false when there
 * are no more; an empty piece is one too.
 */
static bool next_piece(struct span *rest, char separator, struct span *piece)
{
	size_t n;

	if (!rest->s)
		return false;
	n = kpt_lex_find(rest->s, rest->len, separator);
	*piece = (struct span){ rest->s, n };
	if (n == rest->len)
		*rest = (struct span){ NULL, 0 };
	else
		*rest = (struct span){ rest->s + n + 1, rest->len - n - 1 };
	return true;
}

static bool copy_text(char *dst, size_t size, struct span t)
{
	if (t.len >= size)
		return false;
	memcpy(dst, t.s, t.len);
	dst[t.len] = '\0';
	return true;
}

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

/* "buckets=N" or "bucket=N" */
static bool parse_buckets(struct span t, struct kpt_hist_field *f)
{
	if (!cut_prefix(&t, "buckets=") && !cut_prefix(&t, "bucket="))
		return false;
	f->modifier = KPT_HIST_BUCKETS;
	return !kpt_lex_u64(t.s, t.len, 0, &f->buckets) && f->buckets;
}

static bool find_modifier(struct span t, struct kpt_hist_field *f)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(modifiers); i++) {
		if (is(t, modifiers[i].name)) {
			f->modifier = modifiers[i].modifier;
			return true;
		}
	}
	return parse_buckets(t, f);
}

/* Modifiers that make no sense where they stand. */
static bool is_misplaced(const struct kpt_hist_field *f, bool is_key)
{
	switch (f->modifier) {
	case KPT_HIST_EXECNAME:
		return strcmp(f->name, "common_pid");
	case KPT_HIST_PERCENT:
	case KPT_HIST_GRAPH:
		return is_key;
	default:
		return false;
	}
}

static int parse_modifier(struct parser *p, struct kpt_hist_field *f,
			  struct span t, bool is_key)
{
	if (!find_modifier(t, f) || is_misplaced(f, is_key))
		return fail(p, KPT_E_HIST_BAD_FIELD_MODIFIER, t.s);
	p->hist->time_in_usecs |= f->modifier == KPT_HIST_USECS &&
				  !strcmp(f->name, "common_timestamp");
	p->hist->keeps_comm |= f->modifier == KPT_HIST_EXECNAME;
	return 0;
}

/* Names that are no fields of the record, or mean something else here. */
static bool find_special(struct kpt_hist_field *f)
{
	static const struct {
		const char *name;
		u8 source;
	} specials[] = {
		{ "common_timestamp", KPT_HIST_TIME },
		{ "common_cpu", KPT_HIST_CPU },
		{ "common_comm", KPT_HIST_COMM },
		{ "hitcount", KPT_HIST_HITS },
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(specials); i++) {
		if (!strcmp(f->name, specials[i].name)) {
			f->source = specials[i].source;
			return true;
		}
	}
	return false;
}

static int find_source(struct parser *p, struct kpt_hist_field *f,
		       struct span name)
{
	if (find_special(f)) {
		p->hist->uses_time |= f->source == KPT_HIST_TIME;
		return 0;
	}
	if (is(name, "common_stacktrace") || is(name, "stacktrace"))
		return fail(p, KPT_E_HIST_NO_STACKTRACE, name.s);
	if (!kpt_field_find(p->fields, name.s, name.len, &f->ref))
		return fail(p, KPT_E_HIST_FIELD_NOT_FOUND, name.s);
	switch (f->ref.kind) {
	case KPT_FIELD_CPU:
		f->source = KPT_HIST_CPU;
		return 0;
	case KPT_FIELD_COMM:
		f->source = KPT_HIST_COMM;
		return 0;
	case KPT_FIELD_TEXT:
	case KPT_FIELD_TAIL:
		f->source = KPT_HIST_TEXT;
		return 0;
	default:
		f->source = KPT_HIST_NUMBER;
		if (!kpt_field_is_number(&f->ref))
			return fail(p, KPT_E_HIST_NO_NUMBER, name.s);
		return 0;
	}
}

static bool is_text(const struct kpt_hist_field *f)
{
	return f->source == KPT_HIST_TEXT || f->source == KPT_HIST_COMM;
}

/* Is there arithmetic, or a constant? ".sym-offset" is neither. */
static bool is_expression(struct span t)
{
	size_t i, n = t.len;

	if (n && kpt_lex_is_digit(*t.s))
		return true;
	if (n > 11 && kpt_lex_is(t.s + n - 11, 11, ".sym-offset"))
		n -= 11;
	for (i = 0; i < n; i++) {
		if (strchr("+-*/", t.s[i]))
			return true;
	}
	return false;
}

static int parse_field(struct parser *p, struct kpt_hist_field *f,
		       struct span t, bool is_key)
{
	struct span name, modifier = t;
	int err = 0;

	if (t.len && *t.s == '$')
		return fail(p, KPT_E_HIST_VAR_NOT_FOUND, t.s + 1);
	if (is_expression(t))
		return fail(p, KPT_E_HIST_NO_EXPRESSIONS, t.s);
	next_piece(&modifier, '.', &name);
	if (!copy_text(f->name, sizeof(f->name), name))
		return fail(p, KPT_E_HIST_FIELD_NOT_FOUND, name.s);
	if (modifier.s)
		err = parse_modifier(p, f, modifier, is_key);
	if (!err)
		err = find_source(p, f, name);
	if (!err && f->modifier && is_text(f))
		err = fail(p, KPT_E_HIST_BAD_FIELD_MODIFIER, modifier.s);
	return err;
}

static int parse_val(struct parser *p, struct span t)
{
	struct kpt_hist_field *f = &p->hist->val[p->hist->nr_vals];
	int err = parse_field(p, f, t, false);

	if (err)
		return err;
	if (is_text(f))
		return fail(p, KPT_E_HIST_NO_NUMBER, t.s);
	switch (f->modifier) {
	case KPT_HIST_SYM:
	case KPT_HIST_SYM_OFFSET:
	case KPT_HIST_LOG2:
	case KPT_HIST_BUCKETS:
		return fail(p, KPT_E_HIST_BAD_FIELD_MODIFIER, t.s);
	}
	p->hist->nr_vals++;
	return 0;
}

static int parse_vals(struct parser *p)
{
	bool had_hitcount = false;
	struct span t;
	int err;

	strcpy(p->hist->val[0].name, "hitcount");
	p->hist->val[0].source = KPT_HIST_HITS;
	p->hist->nr_vals = 1;
	while (next_piece(&p->vals, ',', &t)) {
		/* named once it means what is there anyway */
		if (is(t, "hitcount") && !had_hitcount) {
			had_hitcount = true;
			continue;
		}
		if (p->hist->nr_vals == KPT_HIST_VALS_MAX)
			return fail_silently(p);
		err = parse_val(p, t);
		if (err)
			return err;
	}
	if (p->hist->nr_vals == 1 && p->hist->no_hitcount)
		return kpt_diag_set(p->diag, KPT_E_HIST_NEED_NOHC_VAL, 0,
				    -ENOENT);
	return 0;
}

static int parse_keys(struct parser *p)
{
	struct kpt_hist *h = p->hist;
	struct kpt_hist_field *f;
	struct span t;
	int err;

	while (next_piece(&p->keys, ',', &t)) {
		if (h->nr_keys == KPT_HIST_KEYS_MAX)
			return fail_silently(p);
		f = &h->key[h->nr_keys];
		err = parse_field(p, f, t, true);
		if (err)
			return err;
		f->key_offset = h->key_size;
		h->key_size += is_text(f) ? KPT_HIST_TEXT_MAX : sizeof(u64);
		if (h->key_size > KPT_HIST_KEY_MAX)
			return fail_silently(p);
		h->nr_keys++;
	}
	return 0;
}

static const struct kpt_hist_field *field_at(const struct kpt_hist *h,
					     unsigned int i)
{
	return i < h->nr_vals ? &h->val[i] : &h->key[i - h->nr_vals];
}

static int parse_sort_key(struct parser *p, struct span t,
			  struct kpt_hist_sort *sort, const char *assignment)
{
	struct kpt_hist *h = p->hist;
	struct span name;

	next_piece(&t, '.', &name);
	if (!name.len)
		return fail(p, KPT_E_HIST_EMPTY_SORT_FIELD, assignment);
	for (sort->index = 0; sort->index < h->nr_vals + h->nr_keys;
	     sort->index++) {
		if (is(name, field_at(h, sort->index)->name))
			break;
	}
	if (sort->index == h->nr_vals + h->nr_keys)
		return fail(p, KPT_E_HIST_INVALID_SORT_FIELD, name.s);
	sort->descending = t.s && is(t, "descending");
	if (t.s && !sort->descending && !is(t, "ascending"))
		return fail(p, KPT_E_HIST_INVALID_SORT_MODIFIER, t.s);
	return 0;
}

static int parse_sort(struct parser *p)
{
	struct kpt_hist *h = p->hist;
	const char *assignment;
	struct span t;
	int err;

	if (!p->sort.s) {
		h->nr_sort = 1;	/* by hits, val[0] */
		return 0;
	}
	assignment = p->sort.s - strlen("sort=");
	while (next_piece(&p->sort, ',', &t)) {
		if (h->nr_sort == KPT_HIST_SORT_MAX)
			return fail(p, KPT_E_HIST_TOO_MANY_SORT_FIELDS,
				    assignment);
		err = parse_sort_key(p, t, &h->sort[h->nr_sort], assignment);
		if (err)
			return err;
		h->nr_sort++;
	}
	return 0;
}

static int parse_size(struct parser *p, struct span t)
{
	u64 size;
	u8 bits;

	if (kpt_lex_u64(t.s, t.len, 0, &size))
		return fail_silently(p);
	for (bits = 0; bits <= KPT_HIST_BITS_MAX && 1ULL << bits < size; bits++)
		;
	if (bits < KPT_HIST_BITS_MIN || bits > KPT_HIST_BITS_MAX)
		return fail_silently(p);
	p->hist->bits = bits;
	return 0;
}

/* "name=value" */
static int parse_assignment(struct parser *p, struct span t)
{
	struct span whole = t;

	if (t.s[t.len - 1] == '=' &&
	    kpt_lex_find(t.s, t.len, '=') == t.len - 1)
		return fail(p, KPT_E_HIST_EMPTY_ASSIGNMENT, t.s);
	if (cut_prefix(&t, "key=") || cut_prefix(&t, "keys=")) {
		p->keys = t;
	} else if (cut_prefix(&t, "val=") || cut_prefix(&t, "vals=") ||
		   cut_prefix(&t, "values=")) {
		p->vals = t;
	} else if (cut_prefix(&t, "sort=")) {
		p->sort = t;
	} else if (cut_prefix(&t, "name=")) {
		if (!copy_text(p->hist->name, sizeof(p->hist->name), t))
			return fail_silently(p);
	} else if (cut_prefix(&t, "clock=")) {
		if (!copy_text(p->hist->clock, sizeof(p->hist->clock), t))
			return fail(p, KPT_E_HIST_SET_CLOCK_FAIL, t.s);
	} else if (cut_prefix(&t, "size=")) {
		return parse_size(p, t);
	} else {
		return fail(p, KPT_E_HIST_NO_VARIABLES, whole.s);
	}
	return 0;
}

static int parse_word(struct parser *p, struct span t)
{
	if (is(t, "nohitcount") || is(t, "NOHC"))
		p->hist->no_hitcount = true;
	else if (is(t, "pause"))
		p->hist->pause = true;
	else if (is(t, "cont") || is(t, "continue"))
		p->hist->cont = true;
	else if (is(t, "clear"))
		p->hist->clear = true;
	else
		return fail_silently(p);
	return 0;
}

static bool is_handler(struct span t)
{
	return cut_prefix(&t, "onmatch(") || cut_prefix(&t, "onmax(") ||
	       cut_prefix(&t, "onchange(");
}

static int parse_parts(struct parser *p, struct span text)
{
	struct span t;
	int err = 0;

	while (!err && next_piece(&text, ':', &t)) {
		if (is_handler(t))
			err = fail(p, KPT_E_HIST_NO_ACTIONS, t.s);
		else if (kpt_lex_find(t.s, t.len, '=') < t.len)
			err = parse_assignment(p, t);
		else
			err = parse_word(p, t);
	}
	return err;
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

/*
 * Characters before " if "; *@filter is what stands behind it. An "if" without
 * anything behind it is a mistake: -EINVAL.
 */
static long find_filter(const char *text, const char **filter)
{
	const char *s;

	*filter = NULL;
	for (s = text; (s = strstr(s, "if")); s++) {
		if (s == text)
			return -EINVAL;
		if (!is_blank(s[-1]))
			continue;
		if (!s[2] || !s[3])
			return -EINVAL;
		if (!is_blank(s[2]))
			continue;
		*filter = s + 3;
		break;
	}
	if (!s)
		s = text + strlen(text);
	while (s > text && kpt_lex_is_space(s[-1]))
		s--;
	return s - text;
}

/**
 * kpt_hist_parse() - read a hist trigger
 * @hist: result, valid on success only
 * @text: what stands behind "hist:" in the trigger file, white space at both
 *	ends cut off
 * @filter: result: what stands behind "if", in @text, or NULL
 * @fields: shape of the records
 * @diag: what is wrong and where, counted in "hist:" followed by @text; its
 *	code is 0 where mainline logs nothing
 *
 * The language is that of the kernel's Documentation/trace/histogram.rst
 * without variables, expressions, handlers and stack traces.
 *
 * Context: any.
 * Return: 0, -EINVAL, or -ENOENT for nohitcount without another value.
 */
int kpt_hist_parse(struct kpt_hist *hist, const char *text,
		   const char **filter, const struct kpt_fields *fields,
		   struct kpt_diag *diag)
{
	struct parser p = {
		.text = text, .hist = hist, .fields = fields, .diag = diag,
	};
	long len = find_filter(text, filter);
	int err;

	if (len < 0)
		return fail_silently(&p);
	*hist = (struct kpt_hist){
		.bits = KPT_HIST_BITS_DEFAULT, .clock = "global",
	};
	err = parse_parts(&p, (struct span){ text, (size_t)len });
	if (!err && !p.keys.s)
		err = fail_silently(&p);
	if (!err)
		err = parse_vals(&p);
	if (!err)
		err = parse_keys(&p);
	if (!err)
		err = parse_sort(&p);
	return err;
}

static bool same_numbers(const struct kpt_field_ref *a,
			 const struct kpt_field_ref *b)
{
	return a->is_signed == b->is_signed && a->size == b->size;
}

static bool same_field(const struct kpt_hist_field *a,
		       const struct kpt_hist_field *b)
{
	return !strcmp(a->name, b->name) && a->source == b->source &&
	       a->modifier == b->modifier && a->buckets == b->buckets &&
	       (a->source != KPT_HIST_NUMBER || same_numbers(&a->ref, &b->ref));
}

/**
 * kpt_hist_same() - do two triggers ask for the same histogram?
 * @a: the one
 * @b: the other
 *
 * Name, size and filter are not looked at: they are for the caller to compare.
 *
 * Context: any.
 * Return: true if keys, values and sort keys agree.
 */
bool kpt_hist_same(const struct kpt_hist *a, const struct kpt_hist *b)
{
	unsigned int i;

	if (a->nr_keys != b->nr_keys || a->nr_vals != b->nr_vals ||
	    a->nr_sort != b->nr_sort)
		return false;
	for (i = 0; i < a->nr_vals + a->nr_keys; i++) {
		if (!same_field(field_at(a, i), field_at(b, i)))
			return false;
	}
	for (i = 0; i < a->nr_sort; i++) {
		if (a->sort[i].index != b->sort[i].index ||
		    a->sort[i].descending != b->sort[i].descending)
			return false;
	}
	return true;
}
