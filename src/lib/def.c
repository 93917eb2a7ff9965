// SPDX-License-Identifier: GPL-2.0-only
/*
 * The grammar of definitions. Checks come in mainline's order (maxactive,
 * place, names, number of arguments), so that a line with several mistakes is
 * blamed for the same one.
 */
#include <kptrace/port.h>
#include "lib/def.h"
#include "lib/lex.h"

static const char *span_text(const struct kpt_def *def,
			     const struct kpt_span *span)
{
	return def->text + span->at;
}

static struct kpt_span make_span(size_t from, size_t to)
{
	return (struct kpt_span){ .at = (u16)from, .len = (u16)(to - from) };
}

/* Nothing but @text, which every outcome leaves behind, survives this. */
static void clear(struct kpt_def *def)
{
	memset(def, 0, offsetof(struct kpt_def, text));
	def->text[0] = '\0';
}

/* Word number @n of the line goes to its place in @def. */
static void note_word(struct kpt_def *def, struct kpt_span *head, size_t n,
		      struct kpt_span word)
{
	if (n == 0)
		*head = word;
	else if (n == 1)
		def->place = word;
	else if (n - 2 < KPT_ARGS_MAX)
		def->arg[n - 2] = word;
}

/*
 * Words joined by single spaces, which is what error_log shows and columns
 * count in. Returns how many there are; -EINVAL for a line that is too long
 * or has a NUL in it.
 */
static int split_words(struct kpt_def *def, struct kpt_span *head,
		       const char *line, size_t len)
{
	size_t i = 0, start, nr = 0;
	struct kpt_strbuf sb;

	kpt_strbuf_init(&sb, def->text, sizeof(def->text));
	while (i < len) {
		if (kpt_lex_is_space(line[i])) {
			i++;
			continue;
		}
		for (start = i; i < len && !kpt_lex_is_space(line[i]); i++)
			if (!line[i])
				return -EINVAL;
		if (nr)
			kpt_strbuf_putc(&sb, ' ');
		kpt_strbuf_add(&sb, line + start, i - start);
		note_word(def, head, nr++,
			  make_span(sb.len - (i - start), sb.len));
	}
	return sb.overflow ? -EINVAL : (int)nr;
}

/* rN: @digits is N, the text between the letter and a colon. */
static int parse_maxactive(struct kpt_def *def, struct kpt_span digits,
			   struct kpt_diag *diag)
{
	u64 n;

	if (def->kind != KPT_DEF_RETURN)
		return kpt_diag_set(diag, KPT_E_BAD_MAXACT_TYPE, digits.at,
				    -EINVAL);
	if (digits.len >= KPT_NAME_MAX ||
	    kpt_lex_u64(span_text(def, &digits), digits.len, 0, &n) ||
	    n == 0 || n > U32_MAX)
		return kpt_diag_set(diag, KPT_E_BAD_MAXACT, digits.at, -EINVAL);
	if (n > KPT_MAXACTIVE_MAX)
		return kpt_diag_set(diag, KPT_E_MAXACT_TOO_BIG, digits.at,
				    -EINVAL);
	def->maxactive = (u16)n;
	return 0;
}

/*
 * rret and rhook, with or without a number behind it: words that mainline
 * accepts in this place, and ignores.
 */
static size_t parse_method(struct kpt_def *def, const char *s, size_t len)
{
	static const char *const words[] = {
		[KPT_METHOD_RET] = "rret", [KPT_METHOD_HOOK] = "rhook",
	};
	size_t i, end;

	for (i = KPT_METHOD_RET; i < ARRAY_SIZE(words); i++) {
		end = kpt_lex_prefix(s, len, words[i]);
		if (!end || (end < len && !kpt_lex_is_digit(s[end])))
			continue;
		def->method = (enum kpt_def_method)i;
		return end;
	}
	return 1;
}

/* Cut a %return off the symbol; no other suffix exists. */
static int parse_suffix(struct kpt_def *def, struct kpt_diag *diag)
{
	const char *s = span_text(def, &def->symbol);
	size_t at = kpt_lex_find(s, def->symbol.len, '%');

	if (at == def->symbol.len)
		return 0;
	if (!kpt_lex_is(s + at, def->symbol.len - at, "%return"))
		return kpt_diag_set(diag, KPT_E_BAD_ADDR_SUFFIX,
				    (unsigned int)(def->symbol.at + at),
				    -EINVAL);
	def->symbol.len = (u16)at;
	def->kind = KPT_DEF_RETURN;
	return 0;
}

/* Cut +offset off the symbol. A minus sign ends the symbol, too. */
static int parse_offset(struct kpt_def *def)
{
	const char *s = span_text(def, &def->symbol);
	size_t len = def->symbol.len, plus = kpt_lex_find(s, len, '+');
	size_t at = kpt_lex_find(s, plus, '-');
	s64 offset;

	if (at == len)
		return 0;
	if (kpt_lex_s64(s + at, len - at, 0, &offset) || offset < 0 ||
	    offset > U32_MAX)
		return -EINVAL;
	def->symbol.len = (u16)at;
	def->offset = (u32)offset;
	return 0;
}

/* Cut MOD: off the symbol. */
static int parse_module(struct kpt_def *def)
{
	struct kpt_span all = def->symbol;
	size_t at = kpt_lex_find(span_text(def, &all), all.len, ':');

	if (at == all.len)
		return all.len ? 0 : -EINVAL;
	def->module = make_span(all.at, all.at + at);
	def->symbol = make_span(all.at + at + 1, all.at + all.len);
	return def->module.len && def->symbol.len ? 0 : -EINVAL;
}

/* PATH:OFFSET is the place of a user-space probe: none of ours. */
static bool is_path(const char *s, size_t len)
{
	return kpt_lex_find(s, len, '/') < len &&
	       kpt_lex_find(s, len, ':') < len;
}

static int parse_place(struct kpt_def *def, struct kpt_diag *diag)
{
	const char *s = span_text(def, &def->place);
	int err;

	if (!def->of_function &&
	    !kpt_lex_u64(s, def->place.len, 0, &def->address))
		return 0;
	if (is_path(s, def->place.len)) {
		def->kind = KPT_DEF_NONE;
		return -EINVAL;
	}
	def->symbol = def->place;
	err = parse_suffix(def, diag);
	if (err)
		return err;
	if (parse_offset(def) || parse_module(def) ||
	    (def->of_function && def->offset))
		return kpt_diag_set(diag, KPT_E_BAD_PROBE_ADDR, def->place.at,
				    -EINVAL);
	return 0;
}

/* A group or event name: its length is asked before its characters. */
static int check_name(const struct kpt_def *def, const struct kpt_span *name,
		      bool group, struct kpt_diag *diag)
{
	if (name->len >= KPT_NAME_MAX)
		return kpt_diag_set(diag, group ? KPT_E_GROUP_TOO_LONG :
						  KPT_E_EVENT_TOO_LONG,
				    name->at, -EINVAL);
	if (!kpt_lex_is_name(span_text(def, name), name->len, group))
		return kpt_diag_set(diag, group ? KPT_E_BAD_GROUP_NAME :
						  KPT_E_BAD_EVENT_NAME,
				    name->at, -EINVAL);
	return 0;
}

/* Length of the group in @s: up to the first '/', or if none the first '.'. */
static size_t group_len(const char *s, size_t len)
{
	size_t at = kpt_lex_find(s, len, '/');

	return at < len ? at : kpt_lex_find(s, len, '.');
}

/* [GRP/][EVENT]: @names is all that follows the colon. */
static int parse_names(struct kpt_def *def, struct kpt_span names,
		       struct kpt_diag *diag)
{
	size_t end = names.at + names.len;
	size_t sep = names.at + group_len(span_text(def, &names), names.len);
	int err;

	def->event = names;
	if (sep < end) {
		if (sep == names.at)
			return kpt_diag_set(diag, KPT_E_NO_GROUP_NAME, names.at,
					    -EINVAL);
		def->group = make_span(names.at, sep);
		def->event = make_span(sep + 1, end);
		err = check_name(def, &def->group, true, diag);
		if (err || !def->event.len)
			return err;
	} else if (!names.len) {
		return kpt_diag_set(diag, KPT_E_NO_EVENT_NAME, names.at,
				    -EINVAL);
	}
	return check_name(def, &def->event, false, diag);
}

/* Does an argument name $retval? An f definition is of the return then. */
static bool wants_retval(const struct kpt_def *def)
{
	static const char word[] = "$retval";
	const size_t n = sizeof(word) - 1;
	unsigned int i;
	size_t at, end;

	for (i = 0; i < def->nr_args; i++) {
		end = def->arg[i].at + def->arg[i].len;
		for (at = def->arg[i].at; at + n <= end; at++)
			if (!memcmp(def->text + at, word, n))
				break;
		if (at + n > end)
			continue;
		at += n;
		if (at == end || !(kpt_lex_is_alpha(def->text[at]) ||
				   kpt_lex_is_digit(def->text[at]) ||
				   def->text[at] == '_'))
			return true;
	}
	return false;
}

/* What stands between the letter and the colon counts if it is a number. */
static int parse_probe(struct kpt_def *def, struct kpt_span head, int nr_words,
		       struct kpt_diag *diag)
{
	const char *s = span_text(def, &head);
	size_t colon = kpt_lex_find(s, head.len, ':');
	size_t from = parse_method(def, s, colon);
	int err;

	def->kind = s[0] == 'r' ? KPT_DEF_RETURN : KPT_DEF_PROBE;
	def->of_function = s[0] == 'f';
	if (from < head.len && kpt_lex_is_digit(s[from])) {
		err = parse_maxactive(def, make_span(from, colon), diag);
		if (err)
			return err;
	}
	err = parse_place(def, diag);
	if (err)
		return err;
	if (colon < head.len) {
		err = parse_names(def, make_span(colon + 1, head.len), diag);
		if (err)
			return err;
	}
	if (nr_words - 2 > KPT_ARGS_MAX)
		return kpt_diag_set(diag, KPT_E_TOO_MANY_ARGS, def->arg[0].at,
				    -E2BIG);
	def->nr_args = (u16)(nr_words - 2);
	if (def->of_function && wants_retval(def))
		def->kind = KPT_DEF_RETURN;
	return 0;
}

/*
 * -:[GRP/]EVENT and !CMD:[GRP/]EVENT. Names are only compared, so any will do;
 * but one that no event can have is the same as an event that does not exist.
 */
static int parse_delete(struct kpt_def *def, struct kpt_span head, int nr_words)
{
	const char *s = span_text(def, &head);
	size_t from = kpt_lex_find(s, head.len, ':') + 1, slash;

	def->kind = KPT_DEF_DELETE;
	def->by_command = s[0] == '!';
	if (from > head.len || (!def->by_command && from != 2))
		return -EINVAL;
	slash = from + kpt_lex_find(s + from, head.len - from, '/');
	def->event = make_span(from, head.len);
	if (slash < head.len) {
		def->group = make_span(from, slash);
		def->event = make_span(slash + 1, head.len);
		if (!def->group.len)
			return -ENOENT;
	} else if (!def->event.len) {
		return -EINVAL;
	}
	if (nr_words - 2 > KPT_ARGS_MAX)
		return -ENOENT;
	def->nr_args = (u16)max(nr_words - 2, 0);
	return 0;
}

/**
 * kpt_def_parse() - take a line apart
 * @def: result, valid on success only; but @def->text is always set
 * @line: the line, comment and newline already cut off
 * @len: its characters
 * @diag: what is wrong and where; its code is 0 where mainline logs nothing
 *
 * The grammar is that of the kernel's Documentation/trace/kprobetrace.rst. A
 * blank line is a success of kind KPT_DEF_NONE. A line that begins with none
 * of p, r, f, - and !, and a p, r or f without a place, fails with the same kind and
 * code: kprobe_events says no more than -EINVAL to it, dynamic_events "No
 * matching dynamic event type".
 *
 * Context: any; does not sleep. About 4.7 KiB of @def are written.
 * Return: 0, or -EINVAL and the like as for the write that brought the line.
 * -ENOENT: no event can have the name that a delete line gives.
 */
int kpt_def_parse(struct kpt_def *def, const char *line, size_t len,
		  struct kpt_diag *diag)
{
	struct kpt_span head = { 0 };
	int nr_words;

	clear(def);
	kpt_diag_set(diag, KPT_E_NONE, 0, 0);
	nr_words = split_words(def, &head, line, len);
	if (nr_words <= 0)
		return nr_words;
	switch (def->text[0]) {
	case 'p':
	case 'r':
	case 'f':
		if (nr_words < 2)
			return -EINVAL;
		return parse_probe(def, head, nr_words, diag);
	case '-':
	case '!':
		return parse_delete(def, head, nr_words);
	default:
		return -EINVAL;
	}
}

/* SYM, or MOD:SYM, as it was given. */
static void put_symbol(struct kpt_strbuf *sb, const struct kpt_def *def)
{
	size_t from = def->module.len ? def->module.at : def->symbol.at;

	kpt_strbuf_add(sb, def->text + from,
		       def->symbol.at + def->symbol.len - from);
}

/**
 * kpt_def_auto_name() - name of an event that was given none
 * @def: a parsed p, r or f definition
 * @hashed: text that stands for the address of an address probe ("0x…"),
 *	unused if @def names a symbol
 * @name: result, KPT_NAME_MAX bytes
 *
 * Gives p_SYM_OFFS, r_SYM_OFFS, p_0x…, SYM__entry or SYM__exit, cut to fit, with characters that no
 * name may have replaced by '_'.
 *
 * Context: any.
 */
void kpt_def_auto_name(const struct kpt_def *def, const char *hashed,
		       char *name)
{
	char kind = def->kind == KPT_DEF_RETURN ? 'r' : 'p';
	struct kpt_strbuf sb;
	size_t i;

	kpt_strbuf_init(&sb, name, KPT_NAME_MAX);
	if (def->of_function) {
		put_symbol(&sb, def);
		kpt_strbuf_puts(&sb, kind == 'r' ? "__exit" : "__entry");
	} else if (def->symbol.len) {
		kpt_strbuf_printf(&sb, "%c_", kind);
		put_symbol(&sb, def);
		kpt_strbuf_printf(&sb, "_%u", def->offset);
	} else {
		kpt_strbuf_printf(&sb, "%c_%s", kind, hashed);
	}
	for (i = 0; i < sb.len; i++)
		if (!kpt_lex_is_alpha(name[i]) && !kpt_lex_is_digit(name[i]))
			name[i] = '_';
}
