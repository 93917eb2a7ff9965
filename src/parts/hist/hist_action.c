// SPDX-License-Identifier: GPL-2.0-only
/* Hist triggers: parse HANDLER(...).ACTION(...). */
#include "lib/base/port.h"
#include "parts/hist/hist_parse.h"

/**
 * struct action_text - the pieces of an action
 * @handler: "onmatch", "onmax" or "onchange"
 * @of: the text between its parentheses
 * @name: the name of the action
 * @params: the text between its parentheses
 */
struct action_text {
	struct kpt_hist_piece handler;
	struct kpt_hist_piece of;
	struct kpt_hist_piece name;
	struct kpt_hist_piece params;
};

static int action_fail_at_start(struct kpt_hist_parser *p,
				enum kpt_diag_code code)
{
	return kpt_diag_set(p->diag, code, 0, -EINVAL);
}

/* Split "WORD(INSIDE)REST". */
static int action_split(struct kpt_hist_parser *p, struct kpt_hist_piece t, bool is_last,
			struct kpt_hist_piece *word, struct kpt_hist_piece *inside,
			struct kpt_hist_piece *rest)
{
	size_t open = kpt_lex_find(t.s, t.len, '('), close;

	if (open == t.len)
		return action_fail_at_start(p, KPT_E_HIST_ACTION_NOT_FOUND);
	*word = (struct kpt_hist_piece){ t.s, open };
	*inside = (struct kpt_hist_piece){ t.s + open + 1, t.len - open - 1 };
	close = kpt_lex_find(inside->s, inside->len, ')');
	if (close == inside->len)
		return kpt_hist_fail(p, KPT_E_HIST_NO_CLOSING_PAREN, inside->s);
	*rest = (struct kpt_hist_piece){ inside->s + close + 1, inside->len - close - 1 };
	inside->len = close;
	if (is_last ? rest->len : !rest->len || *rest->s != '.')
		return action_fail_at_start(p, KPT_E_HIST_ACTION_NOT_FOUND);
	return 0;
}

static int action_read_text(struct kpt_hist_parser *p, struct kpt_hist_piece t,
			    struct action_text *text)
{
	struct kpt_hist_piece rest;
	int err = action_split(p, t, false, &text->handler, &text->of, &rest);

	if (err)
		return err;
	rest.s++;
	rest.len--;
	return action_split(p, rest, true, &text->name, &text->params, &rest);
}

static int action_no_event(struct kpt_hist_parser *p, enum kpt_diag_code code, const char *at,
			   struct kpt_hist_piece event)
{
	int err = kpt_hist_fail(p, code, at);

	if (p->scope)
		p->scope->tell_event(p->scope, event.s, event.len, p->diag);
	return err;
}

/**
 * kpt_hist_onmatch_event() - find the event that onmatch() names
 * @action: the text of an action
 * @event: result: the text "GROUP.EVENT", not checked
 *
 * Context: any.
 * Return: true if the handler of the action is onmatch().
 */
bool kpt_hist_onmatch_event(struct kpt_hist_piece action, struct kpt_hist_piece *event)
{
	size_t n = kpt_lex_prefix(action.s, action.len, "onmatch(");

	event->s = action.s + n;
	event->len = kpt_lex_find(action.s + n, action.len - n, ')');
	return n && n + event->len < action.len;
}

static int action_parse_event(struct kpt_hist_parser *p, struct kpt_hist_piece event)
{
	size_t dot = kpt_lex_find(event.s, event.len, '.');

	if (dot == event.len)
		return kpt_hist_fail(p, KPT_E_HIST_SUBSYS_NOT_FOUND, event.s);
	if (!p->scope || !p->scope->has_event(p->scope, event.s, event.len))
		return action_no_event(p, KPT_E_HIST_INVALID_SUBSYS_EVENT,
				       event.s + dot + 1, event);
	return 0;
}

/* Parse "$VAR", a variable of this trigger. */
static int action_parse_tracked(struct kpt_hist_parser *p,
				struct kpt_hist_action *a, struct kpt_hist_piece t)
{
	struct kpt_hist *h = p->hist;
	struct kpt_hist_piece name = { t.s + 1, t.len - 1 };
	unsigned int i;

	if (!t.len || *t.s != '$')
		return kpt_hist_fail(p, KPT_E_HIST_ONX_NOT_VAR, t.s);
	for (i = 0; i < h->nr_vars; i++)
		if (kpt_hist_piece_is(name, h->var[i].name))
			break;
	if (i == h->nr_vars || !kpt_hist_is_number(&h->var[i].value))
		return kpt_hist_no_var(p, KPT_E_HIST_ONX_VAR_NOT_FOUND, name, NULL);
	a->word = h->nr_words++;
	return kpt_hist_parse_field(p, &a->tracked, t, KPT_HIST_AS_VAR);
}

static int action_parse_handler(struct kpt_hist_parser *p,
				struct kpt_hist_action *a,
				const struct action_text *text)
{
	if (kpt_hist_piece_is(text->handler, "onmatch"))
		return action_parse_event(p, text->of);
	a->handler = kpt_hist_piece_is(text->handler, "onmax") ? KPT_HIST_ONMAX :
							   KPT_HIST_ONCHANGE;
	return action_parse_tracked(p, a, text->of);
}

static int action_parse_param(struct kpt_hist_parser *p,
			      struct kpt_hist_action *a, struct kpt_hist_piece t)
{
	struct kpt_hist *h = p->hist;
	int err;

	if (!t.len)
		return kpt_hist_fail(p, KPT_E_HIST_INVALID_PARAM, t.s);
	if (h->nr_params == KPT_HIST_PARAMS_MAX)
		return action_fail_at_start(p, KPT_E_HIST_TOO_MANY_PARAMS);
	err = kpt_hist_parse_field(p, &h->param[h->nr_params].value, t,
				   KPT_HIST_AS_VAR);
	if (err && p->diag->code == KPT_E_HIST_VAR_NOT_FOUND)
		p->diag->code = KPT_E_HIST_PARAM_NOT_FOUND;
	if (err)
		return err;
	h->nr_params++;
	a->nr++;
	return 0;
}

/* Split "GROUP.EVENT.FIELD". Returns false, and *@event is empty, if it is not that. */
static bool action_split_field(struct kpt_hist_piece t, struct kpt_hist_piece *event,
			       struct kpt_hist_piece *field)
{
	size_t group = kpt_lex_find(t.s, t.len, '.'), name, at;

	*event = (struct kpt_hist_piece){ t.s, 0 };
	*field = t;
	if (group == t.len)
		return false;
	name = kpt_lex_find(t.s + group + 1, t.len - group - 1, '.');
	at = group + 1 + name;
	if (at == t.len || kpt_lex_find(t.s, t.len, '$') < t.len)
		return false;
	event->len = at;
	*field = (struct kpt_hist_piece){ t.s + at + 1, t.len - at - 1 };
	return true;
}

/* Parse a field of another event, which becomes a variable of that event. */
static int action_parse_other(struct kpt_hist_parser *p, struct kpt_hist_action *a,
			      struct kpt_hist_piece event, struct kpt_hist_piece field)
{
	struct kpt_hist *h = p->hist;
	struct kpt_hist_param *param = &h->param[h->nr_params];
	struct kpt_hist_ref ref = { 0 };
	enum kpt_diag_code code;
	int err;

	if (h->nr_params == KPT_HIST_PARAMS_MAX)
		return action_fail_at_start(p, KPT_E_HIST_TOO_MANY_PARAMS);
	memset(param, 0, sizeof(*param));
	code = p->scope->field_var(p->scope, h, event.s, event.len, field.s,
				   field.len, &ref);
	if (code == KPT_E_HIST_EVENT_FILE_NOT_FOUND)
		return action_no_event(p, code, field.s, event);
	if (code)
		return kpt_hist_fail(p, code, field.s);
	err = kpt_hist_parse_ref(p, &param->value, field, &ref);
	if (err)
		return err;
	h->nr_params++;
	a->nr++;
	return 0;
}

/* Parse a parameter of a synthetic event. */
static int action_parse_source(struct kpt_hist_parser *p, struct kpt_hist_action *a,
			       struct kpt_hist_piece t)
{
	struct kpt_hist_piece event, field;
	int err;

	if (action_split_field(t, &event, &field) &&
	    !p->scope->is_own_event(p->scope, event.s, event.len))
		return action_parse_other(p, a, event, field);
	err = action_parse_param(p, a, field);
	if (!err || event.len || !p->match.len ||
	    p->diag->code != KPT_E_HIST_FIELD_NOT_FOUND)
		return err;
	return action_parse_other(p, a, p->match, t);
}

/* Blanks may stand around each parameter of an action, as in mainline. */
static void action_trim(struct kpt_hist_piece *t)
{
	while (t->len && kpt_lex_is_space(*t->s)) {
		t->s++;
		t->len--;
	}
	while (t->len && kpt_lex_is_space(t->s[t->len - 1]))
		t->len--;
}

static int action_parse_save(struct kpt_hist_parser *p, struct kpt_hist_action *a,
			     struct kpt_hist_piece params)
{
	struct kpt_hist *h = p->hist;
	struct kpt_hist_param *param;
	struct kpt_hist_piece t;
	unsigned int i;
	int err;

	for (i = 0; i < h->nr_actions; i++) {
		if (h->action[i].deed != KPT_HIST_SAVE)
			continue;
		action_fail_at_start(p, KPT_E_HIST_TOO_MANY_SAVE_ACTIONS);
		return -EEXIST;
	}
	h->nr_words++;	/* the lock */
	if (!params.len)
		return action_fail_at_start(p, KPT_E_HIST_NO_SAVE_PARAMS);
	while (kpt_hist_piece_next(&params, ',', &t)) {
		action_trim(&t);
		param = &h->param[h->nr_params];
		err = action_parse_param(p, a, t);
		if (err)
			return err;
		param->place = kpt_hist_is_number(&param->value) ?
			       h->nr_words++ : h->nr_blobs++;
	}
	return 0;
}

/* May a field of a synthetic event get the value of a parameter? */
static bool action_fits(const struct kpt_field *field,
			const struct kpt_hist_field *f)
{
	const struct kpt_type_info *info = &kpt_type_info[field->type];

	switch (info->kind) {
	case KPT_FIELD_STACK:
		return kpt_hist_is_stack(f);
	case KPT_FIELD_NUMBER:
		if (kpt_type_has_form(field->type))
			return kpt_hist_is_number(f);
		return kpt_hist_is_number(f) && f->size == info->size &&
		       (f->is_signed == info->is_signed || f->type == field->type);
	default:
		return kpt_hist_is_text(f);
	}
}

static int action_parse_trace(struct kpt_hist_parser *p, struct kpt_hist_action *a,
			      struct kpt_hist_piece event, struct kpt_hist_piece params)
{
	const struct kpt_fields *fields = NULL;
	const struct kpt_hist_field *value;
	struct kpt_hist_piece t;
	int err;

	if (p->scope)
		fields = p->scope->synth_fields(p->scope, event.s, event.len,
						&a->synth);
	if (!fields)
		return action_no_event(p, KPT_E_HIST_SYNTH_EVENT_NOT_FOUND, event.s, event);
	a->only_numbers = true;
	while (kpt_hist_piece_next(&params, ',', &t)) {
		action_trim(&t);
		err = action_parse_source(p, a, t);
		if (err)
			return err;
		value = &p->hist->param[a->first + a->nr - 1].value;
		if (a->nr > fields->nr || !action_fits(&fields->field[a->nr - 1], value))
			return kpt_hist_fail(p, KPT_E_HIST_SYNTH_TYPE_MISMATCH,
					     t.s);
		a->only_numbers &= kpt_hist_is_number(value);
	}
	if (a->nr < fields->nr)
		return kpt_hist_fail(p, KPT_E_HIST_SYNTH_COUNT_MISMATCH, event.s);
	return 0;
}

static int action_parse_deed(struct kpt_hist_parser *p, struct kpt_hist_action *a,
			     const struct action_text *text)
{
	struct kpt_hist_piece event = text->name, params = text->params;
	bool is_save = kpt_hist_piece_is(text->name, "save");
	int err;

	if (is_save || kpt_hist_piece_is(text->name, "snapshot")) {
		a->deed = is_save ? KPT_HIST_SAVE : KPT_HIST_SNAPSHOT;
		if (a->handler == KPT_HIST_ONMATCH)
			return kpt_hist_fail(p, KPT_E_HIST_ACTION_MISMATCH,
					     text->name.s);
		return is_save ? action_parse_save(p, a, params) : 0;
	}
	a->deed = KPT_HIST_TRACE;
	if (kpt_hist_piece_is(event, "trace")) {
		kpt_hist_piece_next(&params, ',', &event);
		action_trim(&event);
	}
	if (a->handler == KPT_HIST_ONMATCH)
		p->match = text->of;
	err = action_parse_trace(p, a, event, params);
	p->match.len = 0;
	return err;
}

/* Note an action as it was written. */
static int action_keep_text(struct kpt_hist_parser *p, struct kpt_hist_piece t)
{
	size_t len = strlen(p->hist->actions);

	if (len + 1 + t.len >= sizeof(p->hist->actions))
		return kpt_hist_fail(p, KPT_E_HIST_ACTIONS_TOO_LONG, t.s);
	p->hist->actions[len] = ':';
	memcpy(p->hist->actions + len + 1, t.s, t.len);
	return 0;
}

/**
 * kpt_hist_parse_action() - read an action
 * @p: the trigger; its keys and variables are read already
 * @t: the text
 *
 * Context: any.
 * Return: 0, -EINVAL, -EDOM for a division by 0, or -EEXIST for a second save().
 */
int kpt_hist_parse_action(struct kpt_hist_parser *p, struct kpt_hist_piece t)
{
	struct kpt_hist_action *a = &p->hist->action[p->hist->nr_actions];
	struct action_text text;
	int err;

	a->first = p->hist->nr_params;
	err = action_read_text(p, t, &text);
	if (!err)
		err = action_parse_handler(p, a, &text);
	if (!err)
		err = action_parse_deed(p, a, &text);
	if (!err)
		err = action_keep_text(p, t);
	if (!err)
		p->hist->nr_actions++;
	return err;
}
