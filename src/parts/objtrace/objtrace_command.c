// SPDX-License-Identifier: GPL-2.0-only
/* Parameters of objtrace triggers: their text. */
#include "lib/base/port.h"
#include "lib/base/glob.h"
#include "lib/base/lex.h"
#include "parts/objtrace/objtrace_command.h"
#include "lib/record/record.h"

/*
 * The text is words with colons between them. @at is the next one; words up to
 * kpt_objtrace.where may still become part of that.
 */
struct words {
	const char *text;
	size_t len;
	size_t at;
	struct kpt_diag *diag;
};

static int words_fail(const struct words *w, const char *at, enum kpt_diag_code code)
{
	size_t column = at ? (size_t)(at - w->text) : w->len;

	return kpt_diag_set(w->diag, code, (unsigned int)(column < w->len ? column :
							  w->len + 1), -EINVAL);
}

static bool words_next(struct words *w, struct kpt_objtrace_text *word)
{
	if (w->at > w->len)
		return false;
	word->at = w->text + w->at;
	word->len = kpt_lex_find(word->at, w->len - w->at, ':');
	w->at += word->len + 1;
	return true;
}

static bool text_is(const struct kpt_objtrace_text *t, const char *word)
{
	return kpt_lex_is(t->at, t->len, word);
}

/* A number of the whole text, up to @most. */
static bool text_number(const struct kpt_objtrace_text *t, u64 most, u64 *number)
{
	return t->len && kpt_lex_is_digit(t->at[0]) &&
	       !kpt_lex_u64(t->at, t->len, 0, number) && *number <= most;
}

/* Cut off what is before @c. Without @c there is nothing behind it. */
static bool text_cut(struct kpt_objtrace_text *t, char c, struct kpt_objtrace_text *rest)
{
	size_t n = kpt_lex_find(t->at, t->len, c);

	if (n == t->len)
		return false;
	rest->at = t->at + n + 1;
	rest->len = t->len - n - 1;
	t->len = n;
	return true;
}

/* "FIELD[,OFFSET]" */
static int parse_field(const struct words *w, struct kpt_objtrace *o,
		       struct kpt_objtrace_text *word)
{
	struct kpt_objtrace_text offset;
	u64 number;

	o->has_value = text_cut(word, ',', &offset);
	o->field = *word;
	if (!word->len)
		return words_fail(w, word->at, KPT_E_OBJTRACE_NO_FIELD);
	if (!o->has_value)
		return 0;
	if (o->removes)
		return words_fail(w, offset.at, KPT_E_OBJTRACE_REST);
	if (!text_number(&offset, KPT_OBJTRACE_OFFSET_MAX, &number))
		return words_fail(w, offset.at, KPT_E_OBJTRACE_BAD_OFFSET);
	o->offset = (u32)number;
	return 0;
}

/* "N", "count=N" or "unlimited". Returns 1, 0 if it is none of them, or -EINVAL. */
static int parse_count(const struct words *w, struct kpt_objtrace *o,
		       const struct kpt_objtrace_text *word)
{
	struct kpt_objtrace_text number = *word;
	size_t n = kpt_lex_prefix(word->at, word->len, "count=");

	if (text_is(word, "unlimited"))
		return 1;
	if (!n && (!word->len || !kpt_lex_is_digit(word->at[0])))
		return 0;
	number.at += n;
	number.len -= n;
	if (!text_number(&number, S64_MAX, &o->count))
		return words_fail(w, number.at, KPT_E_TRIGGER_BAD_COUNT);
	o->is_limited = true;
	return 1;
}

/* A name of a type of numbers. Returns 1 or 0. */
static int parse_type(struct kpt_objtrace *o, const struct kpt_objtrace_text *word)
{
	u8 type;

	for (type = KPT_TYPE_U8; type <= KPT_TYPE_X64; type++) {
		if (!text_is(word, kpt_type_info[type].name))
			continue;
		o->type = type;
		o->has_value = true;
		return 1;
	}
	return 0;
}

/* "size=N". Returns as parse_count(). */
static int parse_size(const struct words *w, struct kpt_objtrace *o,
		      const struct kpt_objtrace_text *word)
{
	size_t n = kpt_lex_prefix(word->at, word->len, "size=");
	struct kpt_objtrace_text number = { word->at + n, word->len - n };
	u64 size;

	if (!n)
		return 0;
	if (!text_number(&number, KPT_OBJTRACE_SIZE_MAX, &size) || !size)
		return words_fail(w, number.at, KPT_E_OBJTRACE_BAD_SIZE);
	o->size = (u32)size;
	return 1;
}

/* "where=GLOB,…" Returns as parse_count(). parse_where_end() looks at the patterns. */
static int parse_where(const struct words *w, struct kpt_objtrace *o,
		       const struct kpt_objtrace_text *word)
{
	size_t n = kpt_lex_prefix(word->at, word->len, "where=");

	if (!n)
		return 0;
	if (o->where.at)
		return words_fail(w, word->at, KPT_E_OBJTRACE_REST);
	o->where.at = word->at + n;
	o->where.len = word->len - n;
	o->names = o->where;
	return 1;
}

/* A word behind "where=MODULE" that is nothing else is "GLOB,…". */
static int parse_where_more(struct kpt_objtrace *o, const struct kpt_objtrace_text *word)
{
	const char *end = o->where.at ? o->where.at + o->where.len : NULL;

	if (!end || word->at != end + 1 || o->module.at)
		return 0;
	o->module = o->where;
	o->names = *word;
	o->where.len += 1 + word->len;
	return 1;
}

static int parse_where_end(const struct words *w, const struct kpt_objtrace *o)
{
	bool is_pattern;

	if (!o->where.at)
		return 0;
	if (o->module.at && !kpt_lex_is_name(o->module.at, o->module.len, true))
		return words_fail(w, o->module.at, KPT_E_OBJTRACE_BAD_WHERE);
	if (!kpt_glob_list_check(o->names.at, o->names.len, &is_pattern))
		return words_fail(w, o->names.at, KPT_E_OBJTRACE_BAD_WHERE);
	return 0;
}

/* One of the words behind FIELD. */
static int parse_option(const struct words *w, struct kpt_objtrace *o,
			const struct kpt_objtrace_text *word)
{
	int done = parse_count(w, o, word);

	if (!done && !o->removes)
		done = parse_type(o, word);
	if (!done && !o->removes)
		done = parse_size(w, o, word);
	if (!done && !o->removes)
		done = parse_where(w, o, word);
	if (!done && !o->removes && text_is(word, "changes"))
		done = o->changes = true;
	if (!done)
		done = parse_where_more(o, word);
	if (!done)
		return words_fail(w, word->at, KPT_E_OBJTRACE_REST);
	return done < 0 ? done : 0;
}

/**
 * kpt_objtrace_parse() - parse the parameters of an objtrace trigger
 * @o: result; its texts are parts of @text
 * @text: "add:FIELD[,OFFSET][:TYPE][:COUNT][:size=N][:where=GLOB,…][:changes]", the
 *	words behind FIELD in any order; or "remove:FIELD[:COUNT]"
 * @len: its characters
 * @diag: result: the reason if it is wrong
 *
 * Context: any.
 * Return: 0 or -EINVAL.
 */
int kpt_objtrace_parse(struct kpt_objtrace *o, const char *text, size_t len,
		       struct kpt_diag *diag)
{
	struct words w = { text, len, 0, diag };
	struct kpt_objtrace_text word;
	int err;

	*o = (struct kpt_objtrace){ .type = KPT_TYPE_U64, .size = 1 };
	words_next(&w, &word);
	o->removes = text_is(&word, "remove");
	if (!o->removes && !text_is(&word, "add"))
		return words_fail(&w, word.at, KPT_E_OBJTRACE_NO_ACTION);
	if (!words_next(&w, &word))
		return words_fail(&w, NULL, KPT_E_OBJTRACE_NO_FIELD);
	err = parse_field(&w, o, &word);
	while (!err && words_next(&w, &word))
		err = parse_option(&w, o, &word);
	return err ? err : parse_where_end(&w, o);
}

static void show_text(struct kpt_strbuf *sb, const char *before,
		      const struct kpt_objtrace_text *t)
{
	kpt_strbuf_puts(sb, before);
	kpt_strbuf_add(sb, t->at, t->len);
}

/**
 * kpt_objtrace_show() - write the parameters so that they can be parsed again
 * @sb: gets the text
 * @o: the parameters
 * @left: rest of @o->count
 *
 * Context: any.
 */
void kpt_objtrace_show(struct kpt_strbuf *sb, const struct kpt_objtrace *o, u64 left)
{
	show_text(sb, o->removes ? "remove:" : "add:", &o->field);
	if (o->has_value)
		kpt_strbuf_printf(sb, ",0x%x:%s", o->offset,
				  kpt_type_info[o->type].name);
	if (o->is_limited)
		kpt_strbuf_printf(sb, ":count=%llu", (unsigned long long)left);
	else
		kpt_strbuf_puts(sb, ":unlimited");
	if (o->size > 1)
		kpt_strbuf_printf(sb, ":size=%u", o->size);
	if (o->where.at)
		show_text(sb, ":where=", &o->where);
	if (o->changes)
		kpt_strbuf_puts(sb, ":changes");
}
