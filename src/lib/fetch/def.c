// SPDX-License-Identifier: GPL-2.0-only
/*
 * The grammar of definitions. Checks are in mainline's order (maxactive, place,
 * names, number of arguments), so that of several mistakes in a line the same
 * one is reported.
 */
#include "lib/base/port.h"
#include "lib/fetch/def.h"
#include "lib/base/glob.h"
#include "lib/base/lex.h"

static const char *def_text(const struct kpt_def *def,
			    const struct kpt_span *span)
{
	return def->text + span->at;
}

static struct kpt_span def_span(size_t from, size_t to)
{
	return (struct kpt_span){ .at = (u16)from, .len = (u16)(to - from) };
}

/* Clear all but def->text, which is large and becomes empty. */
static void def_clear(struct kpt_def *def)
{
	memset(def, 0, offsetof(struct kpt_def, text));
	def->text[0] = '\0';
}

/* Store word number @n of the line; word 0 is *@head. */
static void def_add_word(struct kpt_def *def, struct kpt_span *head, size_t n,
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
 * Copy the words of a line to def->text, joined by single spaces: error_log
 * shows this text, and columns count in it. Returns the number of words, or
 * -EINVAL if the line is too long or has a NUL in it.
 */
static int def_split_words(struct kpt_def *def, struct kpt_span *head,
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
		def_add_word(def, head, nr++,
			     def_span(sb.len - (i - start), sb.len));
	}
	return sb.overflow ? -EINVAL : (int)nr;
}

/* rN; @digits is N, the text between the letter and the colon. */
static int def_parse_maxactive(struct kpt_def *def, struct kpt_span digits,
			       struct kpt_diag *diag)
{
	u64 n;

	if (def->kind != KPT_DEF_RETURN)
		return kpt_diag_set(diag, KPT_E_BAD_MAXACT_TYPE, digits.at,
				    -EINVAL);
	if (digits.len >= KPT_NAME_MAX ||
	    kpt_lex_u64(def_text(def, &digits), digits.len, 0, &n) ||
	    n == 0 || n > U32_MAX)
		return kpt_diag_set(diag, KPT_E_BAD_MAXACT, digits.at, -EINVAL);
	if (n > KPT_MAXACTIVE_MAX)
		return kpt_diag_set(diag, KPT_E_MAXACT_TOO_BIG, digits.at,
				    -EINVAL);
	def->maxactive = (u16)n;
	return 0;
}

/*
 * rret and rhook, optionally with a number behind them. Mainline accepts and
 * ignores such words. Returns the characters of the word.
 */
static size_t def_parse_method(struct kpt_def *def, const char *s, size_t len)
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

/* Cut %return off the symbol; there is no other suffix. */
static int def_parse_suffix(struct kpt_def *def, struct kpt_diag *diag)
{
	const char *s = def_text(def, &def->symbol);
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

/* Cut +OFFSET off the symbol. A minus sign ends the symbol as well. */
static int def_parse_offset(struct kpt_def *def)
{
	const char *s = def_text(def, &def->symbol);
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
static int def_parse_module(struct kpt_def *def)
{
	struct kpt_span all = def->symbol;
	size_t at = kpt_lex_find(def_text(def, &all), all.len, ':');

	if (at == all.len)
		return all.len ? 0 : -EINVAL;
	def->module = def_span(all.at, all.at + at);
	def->symbol = def_span(all.at + at + 1, all.at + all.len);
	return def->module.len && def->symbol.len ? 0 : -EINVAL;
}

/* [MOD:]PATTERN[,[!]PATTERN]... No function has a '+' in its name. */
static int def_parse_functions(struct kpt_def *def)
{
	const char *s = def_text(def, &def->symbol);

	if (kpt_lex_find(s, def->symbol.len, '+') < def->symbol.len ||
	    def_parse_module(def) ||
	    !kpt_glob_list_check(def_text(def, &def->symbol), def->symbol.len,
				 &def->is_pattern))
		return -EINVAL;
	return 0;
}

/* PATH:OFFSET is the place of a user-space probe, `p` or `r`. */
static bool def_is_path(const char *s, size_t len)
{
	return kpt_lex_find(s, len, '/') < len &&
	       kpt_lex_find(s, len, ':') < len;
}

static int def_parse_place(struct kpt_def *def, struct kpt_diag *diag)
{
	const char *s = def_text(def, &def->place);
	int err;

	if (!def->of_function &&
	    !kpt_lex_u64(s, def->place.len, 0, &def->address))
		return 0;
	if (def_is_path(s, def->place.len)) {
		if (def->of_function)
			return kpt_diag_set(diag, KPT_E_BAD_PROBE_ADDR, def->place.at,
					    -EINVAL);
		def->kind = KPT_DEF_NONE;
		return -EINVAL;
	}
	def->symbol = def->place;
	err = def_parse_suffix(def, diag);
	if (err)
		return err;
	if (def->of_function ? def_parse_functions(def) :
	    def_parse_offset(def) || def_parse_module(def))
		return kpt_diag_set(diag, KPT_E_BAD_PROBE_ADDR, def->place.at,
				    -EINVAL);
	return 0;
}

/* Check a name of a group or event: first its length, then its characters. */
static int def_check_name(const struct kpt_def *def, const struct kpt_span *name,
			  bool group, struct kpt_diag *diag)
{
	if (name->len >= KPT_NAME_MAX)
		return kpt_diag_set(diag, group ? KPT_E_GROUP_TOO_LONG :
						  KPT_E_EVENT_TOO_LONG,
				    name->at, -EINVAL);
	if (!kpt_lex_is_name(def_text(def, name), name->len, group))
		return kpt_diag_set(diag, group ? KPT_E_BAD_GROUP_NAME :
						  KPT_E_BAD_EVENT_NAME,
				    name->at, -EINVAL);
	return 0;
}

/* Length of the group: up to the first '/', or without one the first '.'. */
static size_t def_group_len(const char *s, size_t len)
{
	size_t at = kpt_lex_find(s, len, '/');

	return at < len ? at : kpt_lex_find(s, len, '.');
}

/* [GRP/][EVENT]; @names is the text after the colon. */
static int def_parse_names(struct kpt_def *def, struct kpt_span names,
			   struct kpt_diag *diag)
{
	size_t end = names.at + names.len;
	size_t sep = names.at + def_group_len(def_text(def, &names), names.len);
	int err;

	def->event = names;
	if (sep < end) {
		if (sep == names.at)
			return kpt_diag_set(diag, KPT_E_NO_GROUP_NAME, names.at,
					    -EINVAL);
		def->group = def_span(names.at, sep);
		def->event = def_span(sep + 1, end);
		err = def_check_name(def, &def->group, true, diag);
		if (err || !def->event.len)
			return err;
	} else if (!names.len) {
		return kpt_diag_set(diag, KPT_E_NO_EVENT_NAME, names.at,
				    -EINVAL);
	}
	return def_check_name(def, &def->event, false, diag);
}

/*
 * Does an argument contain $retval? Then an f definition is of the return. @column
 * is set to that of the word.
 */
static bool def_wants_retval(const struct kpt_def *def, unsigned int *column)
{
	static const char word[] = "$retval";
	const size_t n = sizeof(word) - 1;
	unsigned int i;
	size_t at, end;

	for (i = 0; i < KPT_ARGS_MAX && def->arg[i].len; i++) {
		end = def->arg[i].at + def->arg[i].len;
		for (at = def->arg[i].at; at + n <= end; at++)
			if (!memcmp(def->text + at, word, n))
				break;
		if (at + n > end)
			continue;
		*column = (unsigned int)at;
		at += n;
		if (at == end || !(kpt_lex_is_alpha(def->text[at]) ||
				   kpt_lex_is_digit(def->text[at]) ||
				   def->text[at] == '_'))
			return true;
	}
	return false;
}

static int def_set_args(struct kpt_def *def, int nr, struct kpt_diag *diag)
{
	if (nr > KPT_ARGS_MAX)
		return kpt_diag_set(diag, KPT_E_TOO_MANY_ARGS, def->arg[0].at,
				    -E2BIG);
	def->nr_args = (u16)nr;
	return 0;
}

/* [GRP/][EVENT] after the colon, if there is one, and the number of arguments. */
static int def_parse_rest(struct kpt_def *def, struct kpt_span head, size_t colon,
			  int nr_words, struct kpt_diag *diag)
{
	int err;

	if (colon < head.len) {
		err = def_parse_names(def, def_span(colon + 1, head.len), diag);
		if (err)
			return err;
	}
	return def_set_args(def, nr_words - 2, diag);
}

/* GROUP.EVENT or GROUP/EVENT: the place of e. */
static int def_parse_source(struct kpt_def *def, struct kpt_diag *diag)
{
	size_t from = def->place.at, end = from + def->place.len;
	size_t sep = from + def_group_len(def_text(def, &def->place),
					  def->place.len);

	def->source_group = def_span(from, sep);
	def->source_event = def_span(min(sep + 1, end), end);
	if (sep < end && def->source_group.len && def->source_event.len &&
	    !def_check_name(def, &def->source_group, true, diag) &&
	    !def_check_name(def, &def->source_event, false, diag))
		return 0;
	return kpt_diag_set(diag, KPT_E_NO_EVENT_INFO, (unsigned int)from,
			    -EINVAL);
}

/* Cut "if FILTER" off the arguments. Returns the number of words before it. */
static int def_cut_filter(struct kpt_def *def, int nr_words)
{
	size_t len = strlen(def->text), at = def->place.at + def->place.len;
	size_t end;
	int n;

	for (n = 2; n < nr_words; n++, at = end) {
		at++;
		end = at + kpt_lex_find(def->text + at, len - at, ' ');
		if (!kpt_lex_is(def->text + at, end - at, "if"))
			continue;
		def->has_filter = true;
		def->filter = def_span(min(end + 1, len), len);
		return n;
	}
	return nr_words;
}

/* Text between the letter and the colon is ignored. */
static int def_parse_eprobe(struct kpt_def *def, struct kpt_span head,
			    int nr_words, struct kpt_diag *diag)
{
	size_t colon = kpt_lex_find(def_text(def, &head), head.len, ':');
	int err = 0;

	def->kind = KPT_DEF_PROBE;
	def->of_event = true;
	if (colon < head.len)
		err = def_parse_names(def, def_span(colon + 1, head.len), diag);
	if (!err)
		err = def_parse_source(def, diag);
	if (err)
		return err;
	return def_set_args(def, def_cut_filter(def, nr_words) - 2, diag);
}

/* Text between the letter and the colon is ignored unless it is a number. */
static int def_parse_probe(struct kpt_def *def, struct kpt_span head, int nr_words,
			   struct kpt_diag *diag)
{
	const char *s = def_text(def, &head);
	size_t colon = kpt_lex_find(s, head.len, ':');
	size_t from = def_parse_method(def, s, colon);
	unsigned int column;
	int err;

	def->kind = s[0] == 'r' ? KPT_DEF_RETURN : KPT_DEF_PROBE;
	def->of_function = s[0] == 'f';
	/* As in mainline, f takes no number, and no other text. */
	if (def->of_function && colon > 1)
		return kpt_diag_set(diag, KPT_E_BAD_MAXACT, 1, -EINVAL);
	if (from < head.len && kpt_lex_is_digit(s[from])) {
		err = def_parse_maxactive(def, def_span(from, colon), diag);
		if (err)
			return err;
	}
	err = def_parse_place(def, diag);
	if (!err)
		err = def_parse_rest(def, head, colon, nr_words, diag);
	if (!err && def->of_function && def_wants_retval(def, &column))
		def->kind = KPT_DEF_RETURN;
	return err;
}

/* The name of a tracepoint. */
static int def_parse_tracepoint_name(struct kpt_def *def, struct kpt_diag *diag)
{
	const char *s = def_text(def, &def->place);
	size_t len = def->place.len, at = kpt_lex_find(s, len, '%');
	enum kpt_diag_code code = KPT_E_BAD_ADDR_SUFFIX;

	if (at == len) {
		code = KPT_E_BAD_TP_NAME;
		for (at = 0; at < len; at++)
			if (!kpt_lex_is_alpha(s[at]) && !kpt_lex_is_digit(s[at]) &&
			    s[at] != '_')
				break;
	}
	if (at < len)
		return kpt_diag_set(diag, code,
				    (unsigned int)(def->place.at + at), -EINVAL);
	def->symbol = def->place;
	return 0;
}

/* t: nothing stands between the letter and the colon. */
static int def_parse_tracepoint(struct kpt_def *def, struct kpt_span head,
				int nr_words, struct kpt_diag *diag)
{
	const char *s = def_text(def, &head);
	unsigned int column;
	int err;

	def->kind = KPT_DEF_PROBE;
	def->of_tracepoint = true;
	if (head.len > 1 && s[1] != ':')
		return kpt_diag_set(diag, KPT_E_BAD_MAXACT, 1, -EINVAL);
	err = def_parse_tracepoint_name(def, diag);
	if (err)
		return err;
	if (def_wants_retval(def, &column))
		return kpt_diag_set(diag, KPT_E_RETVAL_ON_PROBE, column, -EINVAL);
	return def_parse_rest(def, head, 1, nr_words, diag);
}

/* r, w or rw; nothing is rw. */
static int def_parse_access(struct kpt_def *def, size_t len, struct kpt_diag *diag)
{
	const char *s = def_text(def, &def->place);

	def->reads = !len || kpt_lex_is(s, len, "r") || kpt_lex_is(s, len, "rw");
	def->writes = !len || kpt_lex_is(s, len, "w") || kpt_lex_is(s, len, "rw");
	if (def->reads || def->writes)
		return 0;
	return kpt_diag_set(diag, KPT_E_WATCH_ACCESS, def->place.at, -EINVAL);
}

/* Cut :changes off the symbol. */
static int def_parse_changes(struct kpt_def *def, struct kpt_diag *diag)
{
	static const char word[] = ":changes";
	const size_t n = sizeof(word) - 1, len = def->symbol.len;

	def->changes = len >= n && kpt_lex_is(def_text(def, &def->symbol) + len - n, n, word);
	if (!def->changes)
		return 0;
	def->symbol.len -= (u16)n;
	if (def->writes)
		return 0;
	return kpt_diag_set(diag, KPT_E_WATCH_CHANGES,
			    (unsigned int)(def->symbol.at + def->symbol.len + 1), -EINVAL);
}

/* Cut :LENGTH off the symbol. */
static int def_parse_length(struct kpt_def *def, struct kpt_diag *diag)
{
	const char *s = def_text(def, &def->symbol);
	size_t len = def->symbol.len, colon = kpt_lex_find(s, len, ':');
	u64 n = 0;

	if (colon < len && (kpt_lex_u64(s + colon + 1, len - colon - 1, 0, &n) ||
			    !kpt_def_is_length(n)))
		return kpt_diag_set(diag, KPT_E_WATCH_LENGTH,
				    (unsigned int)(def->symbol.at + colon + 1), -EINVAL);
	def->symbol.len = (u16)colon;
	def->length = (u32)n;
	return 0;
}

/* Cut (STRUCT) and ->MEMBER off the symbol. */
static int def_parse_member(struct kpt_def *def, struct kpt_diag *diag)
{
	const char *s = def_text(def, &def->symbol);
	size_t at = def->symbol.at, len = def->symbol.len;
	size_t type = kpt_lex_find(s, len, ')'), arrow = kpt_lex_find(s, len, '>');

	if (!len || *s != '(') {
		def->length = def->length ? def->length : KPT_LENGTH_DEFAULT;
		return 0;
	}
	if (type < 2 || arrow < type + 3 || s[arrow - 1] != '-' || arrow + 1 >= len)
		return kpt_diag_set(diag, KPT_E_WATCH_CAST, (unsigned int)at, -EINVAL);
	def->structure = def_span(at + 1, at + type);
	def->symbol = def_span(at + type + 1, at + arrow - 1);
	def->member = def_span(at + arrow + 1, at + len);
	return 0;
}

/* Cut percpu() off the symbol. */
static void def_parse_percpu(struct kpt_def *def)
{
	static const char word[] = "percpu(";
	const size_t n = sizeof(word) - 1, len = def->symbol.len;
	const char *s = def_text(def, &def->symbol);

	def->each_cpu = kpt_lex_prefix(s, len, word) && s[len - 1] == ')';
	if (def->each_cpu)
		def->symbol = def_span(def->symbol.at + n, def->symbol.at + len - 1);
}

/* Cut +OFFS or -OFFS off the symbol; or it is an address, or -1. */
static int def_parse_data_place(struct kpt_def *def, struct kpt_diag *diag)
{
	struct kpt_span all = def->symbol;
	const char *s = def_text(def, &all);
	size_t at = kpt_lex_find(s, kpt_lex_find(s, all.len, '+'), '-');

	def->by_hits = !def->structure.len && !def->each_cpu && kpt_lex_is(s, all.len, "-1");
	if (def->by_hits || !kpt_lex_u64(s, all.len, 0, &def->address)) {
		def->symbol.len = 0;
		return 0;
	}
	def->symbol.len = (u16)at;
	if (at && (at == all.len ||
		   !kpt_lex_s64(s + at, all.len - at, 0, &def->displacement)))
		return 0;
	return kpt_diag_set(diag, KPT_E_WATCH_FORM, (unsigned int)(all.at + at), -EINVAL);
}

/* wN: how many objects are watched at a time; of those that triggers set. */
static int def_parse_objects(struct kpt_def *def, struct kpt_span digits,
			     struct kpt_diag *diag)
{
	u64 n = 1;

	if (digits.len &&
	    (!def->by_hits || kpt_lex_u64(def_text(def, &digits), digits.len, 0, &n) ||
	     !n || n > KPT_OBJECTS_MAX))
		return kpt_diag_set(diag, KPT_E_WATCH_OBJECTS, digits.at, -EINVAL);
	def->objects = (u8)n;
	return 0;
}

/* w[N]: [r|w|rw]@ADDR|SYM[+|-OFFS]|-1[:LENGTH][:changes]. */
static int def_parse_data(struct kpt_def *def, struct kpt_span head, int nr_words,
			  struct kpt_diag *diag)
{
	size_t at = kpt_lex_find(def_text(def, &def->place), def->place.len, '@');
	size_t colon = kpt_lex_find(def_text(def, &head), head.len, ':');
	int err;

	def->kind = KPT_DEF_PROBE;
	def->of_data = true;
	if (at == def->place.len)
		return kpt_diag_set(diag, KPT_E_WATCH_FORM, def->place.at, -EINVAL);
	def->symbol = def_span(def->place.at + at + 1, def->place.at + def->place.len);
	err = def_parse_access(def, at, diag);
	if (!err)
		err = def_parse_changes(def, diag);
	if (!err)
		err = def_parse_length(def, diag);
	if (!err)
		err = def_parse_member(def, diag);
	if (!err)
		def_parse_percpu(def);
	if (!err)
		err = def_parse_data_place(def, diag);
	if (!err)
		err = def_parse_objects(def, def_span(1, colon), diag);
	return err ? err : def_parse_rest(def, head, colon, nr_words, diag);
}

/* c: a rate; nothing stands between the letter and the colon. */
static int def_parse_clock(struct kpt_def *def, struct kpt_span head, int nr_words,
			   struct kpt_diag *diag)
{
	u64 rate;

	if (head.len > 1 && def->text[1] != ':')
		return -EINVAL;
	def->kind = KPT_DEF_PROBE;
	def->of_clock = true;
	if (kpt_lex_u64(def_text(def, &def->place), def->place.len, 10, &rate) || !rate ||
	    rate > KPT_RATE_MAX)
		return kpt_diag_set(diag, KPT_E_SAMPLE_RATE, def->place.at, -EINVAL);
	def->rate = (u32)rate;
	return def_parse_rest(def, head, 1, nr_words, diag);
}

/*
 * -:[GRP/]EVENT and !CMD:[GRP/]EVENT. Names are only compared, and not checked:
 * a name that no event can have is that of an event that does not exist.
 */
static int def_parse_delete(struct kpt_def *def, struct kpt_span head, int nr_words)
{
	const char *s = def_text(def, &head);
	size_t from = kpt_lex_find(s, head.len, ':') + 1, slash;

	def->kind = KPT_DEF_DELETE;
	def->by_command = s[0] == '!';
	def->is_synthetic = kpt_lex_prefix(s, head.len, "!s:");
	if (def->is_synthetic || kpt_lex_prefix(s, head.len, "!u:")) {
		/* The fields do not matter. */
		def->place = def_span(0, 0);
		nr_words = 1;
	}
	if (from > head.len || (!def->by_command && from != 2))
		return -EINVAL;
	slash = from + kpt_lex_find(s + from, head.len - from, '/');
	def->event = def_span(from, head.len);
	if (slash < head.len) {
		def->group = def_span(from, slash);
		def->event = def_span(slash + 1, head.len);
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

/*
 * The name of a synthetic event from @from to @end, and its fields, which
 * kpt_synth_parse() parses.
 */
static void def_set_synthetic(struct kpt_def *def, size_t from, size_t end)
{
	size_t len = strlen(def->text);

	def->kind = KPT_DEF_SYNTHETIC;
	def->event = def_span(from, end);
	def->body = def_span(min(end + 1, len), len);
}

/* s:[synthetic/]NAME FIELDS */
static int def_parse_s(struct kpt_def *def, struct kpt_span head,
		       struct kpt_diag *diag)
{
	static const char group[] = "synthetic/";
	const char *s = def_text(def, &head);
	size_t from = kpt_lex_prefix(s, head.len, "s:");

	if (!from)
		return -EINVAL;
	from += kpt_lex_prefix(s + from, head.len - from, group);
	def_set_synthetic(def, from, head.len);
	if (kpt_lex_find(s + from, head.len - from, '/') < head.len - from)
		return kpt_diag_set(diag, KPT_E_SYNTH_BAD_DYN_FORM, 0, -EINVAL);
	return 0;
}

/* u:NAME FIELDS; kpt_user_parse() parses the fields. Blanks may follow the colon. */
static int def_parse_user(struct kpt_def *def, struct kpt_span head,
			  struct kpt_diag *diag)
{
	size_t from = kpt_lex_prefix(def_text(def, &head), head.len, "u:");
	struct kpt_span name = def_span(from, head.len);
	size_t colon;

	if (!from)
		return -EINVAL;
	if (!name.len && def->text[from])
		name = def->place;
	def->place = def_span(0, 0);
	def_set_synthetic(def, name.at, name.at + name.len);
	def->kind = KPT_DEF_USER;
	colon = kpt_lex_find(def_text(def, &name), name.len, ':');
	if (!name.len)
		return kpt_diag_set(diag, KPT_E_NO_EVENT_NAME, name.at, -EINVAL);
	if (colon < name.len)
		return kpt_diag_set(diag, KPT_E_USER_FLAGS,
				    (unsigned int)(name.at + colon), -EINVAL);
	return def_check_name(def, &name, false, diag);
}

/**
 * kpt_def_parse_synthetic() - parse a line of synthetic_events
 * @def: as for kpt_def_parse()
 * @line: the line without comment and newline
 * @len: its characters
 * @diag: on failure the reason
 *
 * "NAME FIELDS", or "!NAME" to delete, behind which anything may follow.
 *
 * Context: any; does not sleep.
 * Return: 0 or -EINVAL.
 */
int kpt_def_parse_synthetic(struct kpt_def *def, const char *line, size_t len,
			    struct kpt_diag *diag)
{
	struct kpt_span head = { 0 };
	int nr_words;

	def_clear(def);
	kpt_diag_set(diag, KPT_E_NONE, 0, 0);
	nr_words = def_split_words(def, &head, line, len);
	if (nr_words <= 0)
		return nr_words;
	def->place = def_span(0, 0);
	def_set_synthetic(def, head.at, head.at + head.len);
	if (def->text[0] != '!')
		return 0;
	def->kind = KPT_DEF_DELETE;
	def->is_synthetic = true;
	def->event = def_span(1, head.len);
	return def->event.len ? 0 : -EINVAL;
}

/**
 * kpt_def_parse() - parse a line
 * @def: result, valid on success only; but @def->text is always set
 * @line: the line without comment and newline
 * @len: its characters
 * @diag: on failure the reason; KPT_E_NONE where mainline logs nothing
 *
 * The grammar is that of the kernel's Documentation/trace/kprobetrace.rst. A
 * blank line succeeds with KPT_DEF_NONE. A line that begins with none of p, r, f,
 * t, e, w, c, s:, u:, - and !, or with one of the first seven and has no place, fails with
 * KPT_DEF_NONE and KPT_E_NONE: kprobe_events then returns just -EINVAL, dynamic_events also logs
 * "No matching dynamic event type".
 *
 * Context: any; does not sleep. Writes about 4.7 KiB of @def.
 * Return: 0; -EINVAL; -E2BIG for too many arguments; -ENOENT for a delete line
 * with a name or arguments that no event can have.
 */
int kpt_def_parse(struct kpt_def *def, const char *line, size_t len,
		  struct kpt_diag *diag)
{
	struct kpt_span head = { 0 };
	int nr_words;

	def_clear(def);
	kpt_diag_set(diag, KPT_E_NONE, 0, 0);
	nr_words = def_split_words(def, &head, line, len);
	if (nr_words <= 0)
		return nr_words;
	switch (def->text[0]) {
	case 'p':
	case 'r':
	case 'f':
		if (nr_words < 2)
			return -EINVAL;
		return def_parse_probe(def, head, nr_words, diag);
	case 's':
		def->place = def_span(0, 0);
		return def_parse_s(def, head, diag);
	case 'u':
		return def_parse_user(def, head, diag);
	case 't':
		if (nr_words < 2)
			return -EINVAL;
		return def_parse_tracepoint(def, head, nr_words, diag);
	case 'e':
		if (nr_words < 2)
			return -EINVAL;
		return def_parse_eprobe(def, head, nr_words, diag);
	case 'w':
		if (nr_words < 2)
			return -EINVAL;
		return def_parse_data(def, head, nr_words, diag);
	case 'c':
		if (nr_words < 2)
			return -EINVAL;
		return def_parse_clock(def, head, nr_words, diag);
	case '-':
	case '!':
		return def_parse_delete(def, head, nr_words);
	default:
		return -EINVAL;
	}
}

/* Write SYM or MOD:SYM, as in the definition. */
static void def_put_symbol(struct kpt_strbuf *sb, const struct kpt_def *def)
{
	size_t from = def->module.len ? def->module.at : def->symbol.at;

	kpt_strbuf_add(sb, def->text + from,
		       def->symbol.at + def->symbol.len - from);
}

/**
 * kpt_def_is() - compare a part of a definition with a word
 * @def: the definition
 * @span: the part
 * @word: the word
 *
 * Context: any; does not sleep.
 * Return: true if they are equal.
 */
bool kpt_def_is(const struct kpt_def *def, const struct kpt_span *span,
		const char *word)
{
	return kpt_lex_is(def->text + span->at, span->len, word);
}

/**
 * kpt_def_field_column() - find the argument that a field of the records is from
 * @def: a definition whose arguments were compiled
 * @nr: number of fields that they have become: "$arg*" is several, any other is one
 * @n: the field, counted from 0; may be one that there is not
 *
 * Context: any.
 * Return: column of the argument; that of the end of the definition if there is none.
 */
unsigned int kpt_def_field_column(const struct kpt_def *def, unsigned int nr,
				  unsigned int n)
{
	unsigned int i, fields;

	for (i = 0; i < def->nr_args; i++) {
		fields = kpt_def_is(def, &def->arg[i], "$arg*") ? nr + 1 - def->nr_args : 1;
		if (n < fields)
			return def->arg[i].at;
		n -= fields;
	}
	return (unsigned int)strlen(def->text) + 1;
}

/**
 * kpt_def_next_word() - take the next word of a part of a definition
 * @def: the definition
 * @at: offset in @def->text of what is left of the part; moved behind the word
 * @end: offset behind the part
 *
 * Words are separated by spaces.
 *
 * Context: any; does not sleep.
 * Return: the word; its length is 0 if there is none.
 */
struct kpt_span kpt_def_next_word(const struct kpt_def *def, size_t *at, size_t end)
{
	size_t from;

	while (*at < end && def->text[*at] == ' ')
		++*at;
	from = *at;
	*at += kpt_lex_find(def->text + from, end - from, ' ');
	return def_span(from, *at);
}

/**
 * kpt_def_auto_name() - make the name of an event that was not given one
 * @def: a parsed p, r, f, t, e, w or c definition
 * @hashed: text for the address of an address probe ("0x..."), unused if @def
 *	names a symbol
 * @name: result, KPT_NAME_MAX bytes
 *
 * Makes p_SYM_OFFS, r_SYM_OFFS, p_0x..., SYM__entry, SYM__exit, or TRACEPOINT with a
 * '_' before a digit, cut to fit; the name of the event that e is on; or that of the symbol
 * that w watches, w_0x..., or w_objects; c_RATE.
 * Characters that are not allowed in names are replaced by '_'.
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
	if (def->of_tracepoint) {
		if (kpt_lex_is_digit(*def_text(def, &def->symbol)))
			kpt_strbuf_putc(&sb, '_');
		def_put_symbol(&sb, def);
	} else if (def->of_event) {
		kpt_strbuf_add(&sb, def_text(def, &def->source_event),
			       def->source_event.len);
	} else if (def->of_data) {
		if (def->symbol.len)
			def_put_symbol(&sb, def);
		else if (def->by_hits)
			kpt_strbuf_puts(&sb, "w_objects");
		else
			kpt_strbuf_printf(&sb, "w_%s", hashed);
	} else if (def->of_clock) {
		kpt_strbuf_printf(&sb, "c_%u", def->rate);
	} else if (def->of_function) {
		def_put_symbol(&sb, def);
		kpt_strbuf_puts(&sb, kind == 'r' ? "__exit" : "__entry");
	} else if (def->symbol.len) {
		kpt_strbuf_printf(&sb, "%c_", kind);
		def_put_symbol(&sb, def);
		kpt_strbuf_printf(&sb, "_%u", def->offset);
	} else {
		kpt_strbuf_printf(&sb, "%c_%s", kind, hashed);
	}
	for (i = 0; i < sb.len; i++)
		if (!kpt_lex_is_alpha(name[i]) && !kpt_lex_is_digit(name[i]))
			name[i] = '_';
}
