// SPDX-License-Identifier: GPL-2.0-only
/* Hist triggers: parse text to struct kpt_hist. */
#include "lib/base/port.h"
#include "lib/base/similar.h"
#include "parts/hist/hist_parse.h"

/**
 * kpt_hist_fail() - note a mistake
 * @p: the trigger
 * @code: the reason
 * @at: its place in the text
 *
 * Context: any.
 * Return: -EINVAL.
 */
int kpt_hist_fail(struct kpt_hist_parser *p, enum kpt_diag_code code,
		  const char *at)
{
	size_t column = strlen(KPT_HIST_COMMAND) + (size_t)(at - p->text);

	return kpt_diag_set(p->diag, code, (unsigned int)column, -EINVAL);
}

/**
 * kpt_hist_fail_like() - note a mistake in a name, and which one may have been meant
 * @p: the trigger
 * @code: the reason
 * @at: its place in the text
 * @like: has seen the names that there are
 *
 * Context: any.
 * Return: -EINVAL.
 */
int kpt_hist_fail_like(struct kpt_hist_parser *p, enum kpt_diag_code code, const char *at,
		       const struct kpt_similar *like)
{
	int err = kpt_hist_fail(p, code, at);

	kpt_similar_tell(like, p->diag);
	return err;
}

/* Cut @word off the front of @t. Returns whether @t began with it. */
static bool hist_cut_prefix(struct kpt_hist_piece *t, const char *word)
{
	size_t n = kpt_lex_prefix(t->s, t->len, word);

	t->s += n;
	t->len -= n;
	return n;
}

static bool hist_copy_text(char *dst, size_t size, struct kpt_hist_piece t)
{
	if (t.len >= size)
		return false;
	memcpy(dst, t.s, t.len);
	dst[t.len] = '\0';
	return true;
}

static int hist_parse_val(struct kpt_hist_parser *p, struct kpt_hist_piece t)
{
	struct kpt_hist_field *f = &p->hist->val[p->hist->nr_vals];
	int err = kpt_hist_parse_field(p, f, t, KPT_HIST_AS_VAL);

	if (err)
		return err;
	if (!kpt_hist_is_number(f))
		return kpt_hist_fail(p, KPT_E_HIST_NO_NUMBER, t.s);
	switch (f->modifier) {
	case KPT_HIST_SYM:
	case KPT_HIST_SYM_OFFSET:
	case KPT_HIST_LOG2:
	case KPT_HIST_BUCKETS:
	case KPT_HIST_SYSCALL:
		return kpt_hist_fail(p, KPT_E_HIST_BAD_FIELD_MODIFIER, t.s);
	}
	p->hist->nr_vals++;
	return 0;
}

static int hist_parse_vals(struct kpt_hist_parser *p)
{
	bool had_hitcount = false;
	struct kpt_hist_piece t;
	int err;

	strcpy(p->hist->val[0].name, "hitcount");
	p->hist->val[0].nr_ops = 1;
	p->hist->val[0].op[0].code = KPT_HIST_CONST;
	p->hist->val[0].op[0].number = 1;
	p->hist->nr_vals = 1;
	while (kpt_hist_piece_next(&p->vals, ',', &t)) {
		/* naming it once changes nothing: it is always there */
		if (kpt_hist_piece_is(t, "hitcount") && !had_hitcount) {
			had_hitcount = true;
			continue;
		}
		if (p->hist->nr_vals == KPT_HIST_VALS_MAX)
			return kpt_hist_fail(p, KPT_E_HIST_TOO_MANY_VALS, t.s);
		err = hist_parse_val(p, t);
		if (err)
			return err;
	}
	if (p->hist->nr_vals == 1 && p->hist->no_hitcount)
		return kpt_diag_set(p->diag, KPT_E_HIST_NEED_NOHC_VAL, 0,
				    -ENOENT);
	return 0;
}

/*
 * Bytes of a key that a field takes; with @tight a char array takes its size and a NUL, and
 * the name of a task what that has.
 */
static u16 hist_key_room(const struct kpt_hist_field *f, bool tight)
{
	const struct kpt_field_ref *ref = &f->op[0].ref;

	if (kpt_hist_is_number(f))
		return sizeof(u64);
	if (tight && f->op[0].code == KPT_HIST_COMM)
		return PORT_COMM_LEN;
	if (tight && f->op[0].code == KPT_HIST_TEXT && ref->kind == KPT_FIELD_CHARS)
		return min_t(u16, round_up(ref->size + 1, 8), KPT_HIST_TEXT_MAX);
	return KPT_HIST_TEXT_MAX;
}

static void hist_place_keys(struct kpt_hist *h, bool tight)
{
	struct kpt_hist_field *f = h->key, *end = f + h->nr_keys;

	h->key_size = 0;
	for (; f < end; f++) {
		f->key_offset = h->key_size;
		h->key_size += hist_key_room(f, tight);
	}
}

/*
 * All strings have the same room, whatever their type, so that the key of one histogram
 * can be looked up in another. Only a key that would be too long by that is tight.
 */
static int hist_parse_keys(struct kpt_hist_parser *p)
{
	struct kpt_hist *h = p->hist;
	struct kpt_hist_field *f;
	struct kpt_hist_piece t;
	int err;

	while (kpt_hist_piece_next(&p->keys, ',', &t)) {
		if (h->nr_keys == KPT_HIST_KEYS_MAX)
			return kpt_hist_fail(p, KPT_E_HIST_TOO_MANY_KEYS, t.s);
		f = &h->key[h->nr_keys];
		err = kpt_hist_parse_field(p, f, t, KPT_HIST_AS_KEY);
		if (err)
			return err;
		h->nr_keys++;
		hist_place_keys(h, false);
		if (h->key_size > KPT_HIST_KEY_MAX)
			hist_place_keys(h, true);
		if (h->key_size > KPT_HIST_KEY_MAX)
			return kpt_hist_fail(p, KPT_E_HIST_KEY_TOO_LONG, t.s);
	}
	return 0;
}

static const struct kpt_hist_field *hist_field_at(const struct kpt_hist *h,
						  unsigned int i)
{
	return i < h->nr_vals ? &h->val[i] : &h->key[i - h->nr_vals];
}

/* Skip what a listing has behind the name: the modifier of the field itself. */
static void hist_skip_modifier(const struct kpt_hist_field *f, struct kpt_hist_piece *rest)
{
	char room[KPT_HIST_FIELD_MAX];
	struct kpt_hist_piece all = *rest, first;
	struct kpt_strbuf sb;

	kpt_strbuf_init(&sb, room, sizeof(room));
	kpt_hist_put_modifier(&sb, f);
	if (sb.len && all.s && kpt_hist_piece_next(&all, '.', &first) &&
	    kpt_hist_piece_is(first, room + 1))
		*rest = all;
}

static int hist_no_sort_field(struct kpt_hist_parser *p, struct kpt_hist_piece name)
{
	const struct kpt_hist *h = p->hist;
	struct kpt_similar like;
	unsigned int i;

	kpt_similar_begin(&like, name.s, name.len);
	for (i = 0; i < h->nr_vals + h->nr_keys; i++)
		kpt_similar_see(&like, hist_field_at(h, i)->name);
	return kpt_hist_fail_like(p, KPT_E_HIST_INVALID_SORT_FIELD, name.s, &like);
}

static int hist_parse_sort_key(struct kpt_hist_parser *p, struct kpt_hist_piece t,
			       struct kpt_hist_sort *sort, const char *assignment)
{
	struct kpt_hist *h = p->hist;
	struct kpt_hist_piece name;

	kpt_hist_piece_next(&t, '.', &name);
	if (!name.len)
		return kpt_hist_fail(p, KPT_E_HIST_EMPTY_SORT_FIELD, assignment);
	for (sort->index = 0; sort->index < h->nr_vals + h->nr_keys;
	     sort->index++) {
		if (kpt_hist_piece_is(name, hist_field_at(h, sort->index)->name))
			break;
	}
	if (sort->index == h->nr_vals + h->nr_keys)
		return hist_no_sort_field(p, name);
	hist_skip_modifier(hist_field_at(h, sort->index), &t);
	sort->descending = t.s && kpt_hist_piece_is(t, "descending");
	if (t.s && !sort->descending && !kpt_hist_piece_is(t, "ascending"))
		return kpt_hist_fail(p, KPT_E_HIST_INVALID_SORT_MODIFIER, t.s);
	return 0;
}

static int hist_parse_sort(struct kpt_hist_parser *p)
{
	struct kpt_hist *h = p->hist;
	const char *assignment;
	struct kpt_hist_piece t;
	int err;

	if (!p->sort.s) {
		h->nr_sort = 1;	/* by hits, val[0] */
		return 0;
	}
	assignment = p->sort.s - strlen("sort=");
	while (kpt_hist_piece_next(&p->sort, ',', &t)) {
		if (h->nr_sort == KPT_HIST_SORT_MAX)
			return kpt_hist_fail(p, KPT_E_HIST_TOO_MANY_SORT_FIELDS,
				    assignment);
		err = hist_parse_sort_key(p, t, &h->sort[h->nr_sort], assignment);
		if (err)
			return err;
		h->nr_sort++;
	}
	return 0;
}

static int hist_parse_size(struct kpt_hist_parser *p, struct kpt_hist_piece t)
{
	u64 size;
	u8 bits;

	if (kpt_lex_u64(t.s, t.len, 0, &size))
		size = 0;
	for (bits = 0; bits <= KPT_HIST_BITS_MAX && 1ULL << bits < size; bits++)
		;
	if (bits < KPT_HIST_BITS_MIN || bits > KPT_HIST_BITS_MAX)
		return kpt_hist_fail(p, KPT_E_HIST_BAD_SIZE, t.s);
	p->hist->bits = bits;
	return 0;
}

/* Note the texts of "VAR=EXPR[,VAR=EXPR...]", which hist_parse_var() parses. */
static int hist_note_vars(struct kpt_hist_parser *p, struct kpt_hist_piece t)
{
	struct kpt_hist_piece one;

	while (kpt_hist_piece_next(&t, ',', &one)) {
		size_t at = kpt_lex_find(one.s, one.len, '=');

		if (at == one.len)
			return kpt_hist_fail(p, KPT_E_HIST_MALFORMED_ASSIGNMENT, one.s);
		if (at + 1 == one.len || !at)
			return kpt_hist_fail(p, KPT_E_HIST_EMPTY_ASSIGNMENT, one.s);
		if (p->nr_vars == KPT_HIST_VARS_MAX)
			return kpt_hist_fail(p, KPT_E_HIST_TOO_MANY_VARS, one.s);
		p->var[p->nr_vars++] = one;
	}
	return 0;
}

static bool hist_has_var(struct kpt_hist_parser *p, struct kpt_hist_piece name)
{
	unsigned int i;

	for (i = 0; i < p->hist->nr_vars; i++)
		if (kpt_hist_piece_is(name, p->hist->var[i].name))
			return true;
	return p->scope && p->scope->has_var(p->scope, name.s, name.len);
}

/* Parse "VAR=EXPR". */
static int hist_parse_var(struct kpt_hist_parser *p, struct kpt_hist_piece t)
{
	struct kpt_hist *h = p->hist;
	struct kpt_hist_var *var = &h->var[h->nr_vars];
	struct kpt_hist_piece name;
	int err;

	kpt_hist_piece_next(&t, '=', &name);
	if (!hist_copy_text(var->name, sizeof(var->name), name))
		return kpt_hist_fail(p, KPT_E_HIST_NAME_TOO_LONG, name.s);
	if (hist_has_var(p, name))
		return kpt_hist_fail(p, KPT_E_HIST_DUPLICATE_VAR, name.s);
	err = kpt_hist_parse_field(p, &var->value, t, KPT_HIST_AS_VAR);
	if (err)
		return err;
	var->place = kpt_hist_is_number(&var->value) ? h->nr_words++ :
						       h->nr_blobs++;
	h->nr_vars++;
	return 0;
}

/* Is it a number of the record, without a modifier that changes it? */
static bool hist_is_plain(const struct kpt_hist_field *f)
{
	return f->nr_ops == 1 && f->op[0].code == KPT_HIST_NUMBER;
}

/* Does kpt_hist_leaf_load() load it? */
static bool hist_is_leaf_load(const struct kpt_hist_op *op)
{
	return op->code == KPT_HIST_NUMBER || op->code == KPT_HIST_VAR ||
	       op->code == KPT_HIST_OWN ||
	       (op->code == KPT_HIST_TIME && op->number <= 1);
}

/* Does kpt_hist_leaf_value() compute it? */
static bool hist_is_leaf(const struct kpt_hist_field *f)
{
	if (!kpt_hist_is_number(f) || !hist_is_leaf_load(f->op))
		return false;
	if (f->nr_ops == 2)
		return f->op[1].code == KPT_HIST_TO_LOG2 || f->op[1].code == KPT_HIST_TO_BUCKET;
	return f->nr_ops == 1 ||
	       (f->nr_ops == 3 && hist_is_leaf_load(&f->op[1]) &&
		(f->op[2].code == KPT_HIST_PLUS || f->op[2].code == KPT_HIST_MINUS));
}

/* The same for a key, which is known before variables are read. */
static bool hist_is_leaf_key(const struct kpt_hist_field *f)
{
	return hist_is_leaf(f) && f->nr_ops <= 2 &&
	       (f->op->code == KPT_HIST_NUMBER || f->op->code == KPT_HIST_TIME);
}

/* Set kpt_hist.is_quick, .is_numeric, .is_leaf and .is_plain. */
static void hist_classify(struct kpt_hist *h)
{
	bool leaf = !h->has_parts && !h->uses_stack && !h->uses_user_stack && !h->uses_cpu;
	bool plain = h->nr_keys == 1 && hist_is_plain(h->key);
	bool numeric = plain && leaf, of_two = false;
	unsigned int i;

	for (i = 0; i < h->nr_keys; i++)
		leaf &= hist_is_leaf_key(&h->key[i]);
	for (i = 0; i < h->nr_vars; i++) {
		numeric &= kpt_hist_is_number(&h->var[i].value);
		leaf &= hist_is_leaf(&h->var[i].value);
		of_two |= h->var[i].value.nr_ops == 2;
	}
	for (i = 0; i < h->nr_refs; i++) {
		numeric &= h->ref[i].is_number;
		leaf &= h->ref[i].is_number;
	}
	for (i = 1; i < h->nr_vals; i++) {
		plain &= hist_is_plain(&h->val[i]);
		leaf &= hist_is_leaf(&h->val[i]);
		of_two |= h->val[i].nr_ops == 2;
	}
	h->is_quick = plain && !h->is_related;
	h->is_numeric = numeric && h->is_related;
	h->is_leaf = leaf && !h->is_quick;
	h->is_plain = h->is_leaf && h->is_numeric && !of_two;
}

static int hist_parse_related(struct kpt_hist_parser *p)
{
	unsigned int i;
	int err = 0;

	for (i = 0; !err && i < p->nr_actions; i++)
		err = kpt_hist_parse_action(p, p->action[i]);
	p->hist->is_related = p->hist->nr_vars || p->hist->nr_refs ||
			      p->hist->nr_actions || p->hist->uses_stack ||
			      p->hist->uses_user_stack;
	if (!err)
		hist_classify(p->hist);
	return err;
}

/* Parse "name=value". */
static int hist_parse_assignment(struct kpt_hist_parser *p, struct kpt_hist_piece t)
{
	struct kpt_hist_piece whole = t;

	if (t.s[t.len - 1] == '=' &&
	    kpt_lex_find(t.s, t.len, '=') == t.len - 1)
		return kpt_hist_fail(p, KPT_E_HIST_EMPTY_ASSIGNMENT, t.s);
	if (hist_cut_prefix(&t, "key=") || hist_cut_prefix(&t, "keys=")) {
		p->keys = t;
	} else if (hist_cut_prefix(&t, "val=") || hist_cut_prefix(&t, "vals=") ||
		   hist_cut_prefix(&t, "values=")) {
		p->vals = t;
	} else if (hist_cut_prefix(&t, "sort=")) {
		p->sort = t;
	} else if (hist_cut_prefix(&t, "name=")) {
		if (!hist_copy_text(p->hist->name, sizeof(p->hist->name), t))
			return kpt_hist_fail(p, KPT_E_HIST_NAME_TOO_LONG, t.s);
	} else if (hist_cut_prefix(&t, "clock=")) {
		if (!hist_copy_text(p->hist->clock, sizeof(p->hist->clock), t))
			return kpt_hist_fail(p, KPT_E_HIST_SET_CLOCK_FAIL, t.s);
	} else if (hist_cut_prefix(&t, "size=")) {
		return hist_parse_size(p, t);
	} else {
		return hist_note_vars(p, whole);
	}
	return 0;
}

static int hist_parse_word(struct kpt_hist_parser *p, struct kpt_hist_piece t)
{
	if (kpt_hist_piece_is(t, "nohitcount") || kpt_hist_piece_is(t, "NOHC"))
		p->hist->no_hitcount = true;
	else if (kpt_hist_piece_is(t, "pause"))
		p->hist->pause = true;
	else if (kpt_hist_piece_is(t, "cont") || kpt_hist_piece_is(t, "continue"))
		p->hist->cont = true;
	else if (kpt_hist_piece_is(t, "clear"))
		p->hist->clear = true;
	else
		return kpt_hist_fail(p, KPT_E_HIST_UNKNOWN_WORD, t.s);
	return 0;
}

static bool hist_is_handler(struct kpt_hist_piece t)
{
	return hist_cut_prefix(&t, "onmatch(") || hist_cut_prefix(&t, "onmax(") ||
	       hist_cut_prefix(&t, "onchange(");
}

static int hist_note_action(struct kpt_hist_parser *p, struct kpt_hist_piece t)
{
	if (p->nr_actions == KPT_HIST_ACTIONS_MAX)
		return kpt_hist_fail(p, KPT_E_HIST_TOO_MANY_ACTIONS, t.s);
	p->action[p->nr_actions++] = t;
	return 0;
}

static int hist_parse_parts(struct kpt_hist_parser *p, struct kpt_hist_piece text)
{
	struct kpt_hist_piece t;
	int err = 0;

	while (!err && kpt_hist_piece_next(&text, ':', &t)) {
		if (hist_is_handler(t))
			err = hist_note_action(p, t);
		else if (kpt_lex_find(t.s, t.len, '=') < t.len)
			err = hist_parse_assignment(p, t);
		else
			err = hist_parse_word(p, t);
	}
	return err;
}

static bool hist_is_blank(char c)
{
	return c == ' ' || c == '\t';
}

/*
 * Find " if ". Returns the number of characters before it; *@filter is the text
 * after it, or NULL. If that is empty, the caller reports a mistake.
 */
static size_t hist_find_filter(const char *text, const char **filter)
{
	const char *s;

	*filter = NULL;
	for (s = text; (s = strstr(s, "if")); s++) {
		if (s > text && !hist_is_blank(s[-1]))
			continue;
		if (s[2] && !hist_is_blank(s[2]))
			continue;
		*filter = s[2] ? s + 3 : "";
		break;
	}
	if (!s)
		s = text + strlen(text);
	while (s > text && kpt_lex_is_space(s[-1]))
		s--;
	return (size_t)(s - text);
}

/**
 * kpt_hist_parse() - read a hist trigger
 * @hist: result, valid on success only
 * @text: the text after "hist:" in the command, white space at both ends cut off
 * @filter: result: the text after "if", in @text, or NULL
 * @fields: shape of the records
 * @scope: what variables and actions may refer to; NULL for nothing
 * @diag: on failure the reason and its column in "hist:" followed by @text
 *
 * The language is that of the kernel's Documentation/trace/histogram.rst.
 *
 * Context: any.
 * Return: 0, -EINVAL, -EDOM for a division by 0, -ENOENT for nohitcount without another
 * value, or -EEXIST for a second save().
 */
int kpt_hist_parse(struct kpt_hist *hist, const char *text,
		   const char **filter, const struct kpt_fields *fields,
		   const struct kpt_hist_scope *scope, struct kpt_diag *diag)
{
	struct kpt_hist_parser p = {
		.text = text, .hist = hist, .fields = fields, .diag = diag,
		.scope = scope,
	};
	size_t len = hist_find_filter(text, filter);
	const char *behind = text + strlen(text) + 1;
	unsigned int i;
	int err;

	memset(hist, 0, sizeof(*hist));
	hist->bits = KPT_HIST_BITS_DEFAULT;
	strcpy(hist->clock, "global");
	if (*filter && !**filter)
		return kpt_hist_fail(&p, KPT_E_TRIGGER_NO_FILTER, behind);
	if (!len)
		return kpt_hist_fail(&p, KPT_E_HIST_NO_KEYS, text);
	err = hist_parse_parts(&p, (struct kpt_hist_piece){ text, len });
	if (!err && !p.keys.s)
		err = kpt_hist_fail(&p, KPT_E_HIST_NO_KEYS, behind);
	if (!err)
		err = hist_parse_keys(&p);
	for (i = 0; !err && i < p.nr_vars; i++)
		err = hist_parse_var(&p, p.var[i]);
	if (!err)
		err = hist_parse_vals(&p);
	if (!err)
		err = hist_parse_sort(&p);
	return err ?: hist_parse_related(&p);
}

static bool hist_same_numbers(const struct kpt_field_ref *a,
			      const struct kpt_field_ref *b)
{
	return a->is_signed == b->is_signed && a->size == b->size;
}

/* Compares fields, not their offsets: the two records may have different ones. */
static bool hist_same_op(const struct kpt_hist_op *a, const struct kpt_hist_op *b)
{
	if (a->code != b->code)
		return false;
	return a->code == KPT_HIST_NUMBER ? hist_same_numbers(&a->ref, &b->ref) :
					    a->number == b->number;
}

static bool hist_same_field(const struct kpt_hist_field *a,
			    const struct kpt_hist_field *b)
{
	unsigned int i;

	if (a->modifier != b->modifier || a->nr_ops != b->nr_ops)
		return false;
	if (strcmp(kpt_hist_special_name(a) ?: a->name,
		   kpt_hist_special_name(b) ?: b->name))
		return false;
	for (i = 0; i < a->nr_ops; i++)
		if (!hist_same_op(&a->op[i], &b->op[i]))
			return false;
	return true;
}

/**
 * kpt_hist_same_key_types() - have two triggers as many keys, of the same types?
 * @a: the one
 * @b: the other
 *
 * Context: any.
 * Return: true if so.
 */
bool kpt_hist_same_key_types(const struct kpt_hist *a, const struct kpt_hist *b)
{
	unsigned int i;

	if (a->nr_keys != b->nr_keys)
		return false;
	for (i = 0; i < a->nr_keys; i++)
		if (!kpt_hist_same_place(&a->key[i], &b->key[i]) ||
		    a->key[i].size != b->key[i].size ||
		    a->key[i].is_signed != b->key[i].is_signed)
			return false;
	return true;
}

/**
 * kpt_hist_same_keys() - have two triggers the same keys?
 * @a: the one
 * @b: the other; its records may have the fields at other offsets
 *
 * Context: any.
 * Return: true if so.
 */
bool kpt_hist_same_keys(const struct kpt_hist *a, const struct kpt_hist *b)
{
	unsigned int i;

	if (a->nr_keys != b->nr_keys || a->key_size != b->key_size)
		return false;
	for (i = 0; i < a->nr_keys; i++)
		if (a->key[i].key_offset != b->key[i].key_offset ||
		    !hist_same_field(&a->key[i], &b->key[i]))
			return false;
	return true;
}

/* The entries must have one layout, because the triggers may share a map. */
static bool hist_same_related(const struct kpt_hist *a, const struct kpt_hist *b)
{
	unsigned int i;

	if (a->nr_vars != b->nr_vars || a->nr_params != b->nr_params ||
	    a->nr_words != b->nr_words || a->nr_blobs != b->nr_blobs)
		return false;
	for (i = 0; i < a->nr_vars; i++)
		if (strcmp(a->var[i].name, b->var[i].name) ||
		    !kpt_hist_same_kind(&a->var[i].value, &b->var[i].value))
			return false;
	for (i = 0; i < a->nr_params; i++)
		if (!kpt_hist_same_kind(&a->param[i].value, &b->param[i].value))
			return false;
	return !strcmp(a->actions, b->actions);
}

/**
 * kpt_hist_same() - do two triggers ask for the same histogram?
 * @a: the one
 * @b: the other
 *
 * Does not compare name, size and filter, which the caller may compare.
 *
 * Context: any.
 * Return: true if keys, values, sort keys, variables and actions agree.
 */
bool kpt_hist_same(const struct kpt_hist *a, const struct kpt_hist *b)
{
	unsigned int i;

	if (!kpt_hist_same_keys(a, b) || a->nr_vals != b->nr_vals ||
	    a->nr_sort != b->nr_sort)
		return false;
	for (i = 0; i < a->nr_vals; i++) {
		if (!hist_same_field(&a->val[i], &b->val[i]))
			return false;
	}
	for (i = 0; i < a->nr_sort; i++) {
		if (a->sort[i].index != b->sort[i].index ||
		    a->sort[i].descending != b->sort[i].descending)
			return false;
	}
	return hist_same_related(a, b);
}
