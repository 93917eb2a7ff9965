// SPDX-License-Identifier: GPL-2.0-only
/*
 * Records, as lines of trace_pipe; record.awk does the same.
 *
 * With the option escape-text the name of a task is one word, and all that ends a string or a
 * line is escaped: whatever users call their tasks and files, a line has one meaning.
 */
#define _GNU_SOURCE	/* memmem() */
#include <string.h>

#include "reader.h"

static bool is_octal(char c) { return c >= '0' && c <= '7'; }

static bool is_name(char c, bool is_first)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
	       (!is_first && is_digit(c));
}

/* Characters of a number. CPUs have three digits or more. */
static const char *take_cpu(const char *at, const char *end, unsigned int *cpu)
{
	const char *from = at;

	for (*cpu = 0; at < end && is_digit(*at) && *cpu < 100000; at++)
		*cpu = 10 * *cpu + *at - '0';
	return at > from ? at : NULL;
}

static const char *skip_blanks(const char *at, const char *end)
{
	while (at < end && *at == ' ')
		at++;
	return at;
}

static const char *skip_word(const char *at, const char *end)
{
	while (at < end && *at != ' ')
		at++;
	return at;
}

/* The word "TIME:" */
static bool take_time(struct record *r, struct text word)
{
	size_t i;

	if (word.len < 2 || word.at[word.len - 1] != ':')
		return false;
	r->time = text_from(word.at, word.at + word.len - 1);
	for (i = 0; i < r->time.len; i++)
		if (!is_digit(r->time.at[i]) && r->time.at[i] != '.')
			return false;
	return true;
}

/* "TASK-TID". Returns what follows. */
static const char *take_task(struct record *r, const char *word, const char *end)
{
	const char *at = skip_word(word, end), *tid = at;

	while (tid > word && is_digit(tid[-1]))
		tid--;
	if (tid == at || tid - word < 2 || tid[-1] != '-')
		return NULL;
	r->task = text_from(word, tid - 1);
	r->tid = text_from(tid, at);
	r->behind = text_from(at, end);
	return at;
}

/* "TASK-TID [CPU] FLAGS TIME:"; FLAGS as the options say. Returns what follows. */
static const char *take_head(struct record *r, struct text line)
{
	const char *end = line.at + line.len;
	const char *at = take_task(r, skip_blanks(line.at, end), end), *word;
	unsigned int words;

	word = at ? skip_blanks(at, end) : end;
	if (word == at || word == end || *word != '[')
		return NULL;
	at = take_cpu(word + 1, end, &r->cpu);
	if (!at || at == end || *at != ']')
		return NULL;
	at++;
	for (words = 0; words < 2; words++) {
		word = skip_blanks(at, end);
		if (word == at)
			return NULL;
		at = skip_word(word, end);
		if (take_time(r, text_from(word, at)))
			return at;
	}
	return NULL;
}

/* The string that begins at @at: what is behind it, or NULL if it has no end. */
static const char *skip_string(const char *at, const char *end)
{
	for (at++; at < end && *at != '"'; at++)
		if (*at == '\\' && ++at == end)
			return NULL;
	return at < end ? at + 1 : NULL;
}

/* The same of a character, as 'a', '\n' or '\033'. */
static const char *skip_character(const char *at, const char *end)
{
	unsigned int len = end - at < 3 || at[1] != '\\' ? 1 : 2;

	if (len == 2 && end - at > 5 && is_octal(at[2]) && is_octal(at[3]) && is_octal(at[4]) &&
	    at[5] == '\'')
		len = 4;
	return end - at > len + 1 && at[len + 1] == '\'' ? at + len + 2 : NULL;
}

/* Without the argument tgid__, the process, if that is the last one. */
static void take_process(struct record *r)
{
	static const char begin[] = "tgid__=";
	const char *end = r->args.at + r->args.len, *at = end;

	while (at > r->args.at && is_digit(at[-1]))
		at--;
	if (at == end || at - r->args.at < (long)strlen(begin) ||
	    memcmp(at - strlen(begin), begin, strlen(begin)))
		return;
	r->pid = text_from(at, end);
	at -= strlen(begin);
	if (at > r->args.at && *--at != ' ')
		r->pid.len = 0;
	else
		r->args.len = at - r->args.at;
}

/* The argument comm__ is the name, if it is the last one. */
static void take_name(struct record *r)
{
	static const char begin[] = "comm__=\"";
	const char *at = r->args.at, *end = at + r->args.len, *quote;

	for (; (at = memmem(at, end - at, begin, sizeof(begin) - 1)); at++) {
		if (at > r->args.at && at[-1] != ' ')
			continue;
		quote = at + sizeof(begin) - 2;
		if (skip_string(quote, end) != end)
			continue;
		if (!text_is(r->tid, "0"))
			r->task = text_from(quote + 1, end - 1);
		if (at > r->args.at)
			at--;
		r->args.len = at - r->args.at;
		take_process(r);
		r->behind = text_from(r->behind.at, r->args.at + r->args.len);
		r->is_named = true;
		return;
	}
}

/* What the line is, and what it says. */
enum line line_of(struct record *r, struct text line)
{
	const char *at, *word, *end = line.at + line.len;

	memset(r, 0, sizeof(*r));
	at = take_head(r, line);
	if (!at || at == end)
		return LINE_OTHER;
	word = ++at;
	at = skip_word(at, end);
	if (at - word < 2)
		return LINE_OTHER;
	if (at[-1] != ':')
		return text_is(text_from(word, end), "<stack trace>") ||
		       text_is(text_from(word, end), "<user stack trace>") ?
		       LINE_STACK : LINE_OTHER;
	r->event = text_from(word, at - 1);
	r->args = text_from(at < end ? at + 1 : at, end);
	if (named)
		take_name(r);
	at = r->args.at;
	end = at + r->args.len;
	word = at < end && *at == '(' ? memchr(at, ')', end - at) : NULL;
	if (word) {
		r->place = text_from(at + 1, word);
		at = word + 1;
	}
	r->args = text_from(skip_blanks(at, end), end);
	return LINE_RECORD;
}

/* A blank in a name is escaped, as in that of a task. */
void put_task(struct buffer *b, const struct record *r)
{
	const char *at = r->task.at, *end = at + r->task.len, *blank;

	while (at < end && (blank = memchr(at, ' ', end - at))) {
		put_text(b, text_from(at, blank));
		put(b, "\\040");
		at = blank + 1;
	}
	put_text(b, text_from(at, end));
}

/* Where a string at @at ends, or the next character if there is none. */
const char *skip_any(const char *at, const char *end)
{
	const char *behind = NULL;

	if (*at == '"')
		behind = skip_string(at, end);
	else if (*at == '\'')
		behind = skip_character(at, end);
	return behind ?: at + 1;
}

/* "NAME=" at @at: what is behind it, else NULL. */
static const char *skip_name(const char *at, const char *end)
{
	const char *from = at;

	while (at < end && is_name(*at, at == from))
		at++;
	return at > from && at < end && *at == '=' ? at + 1 : NULL;
}

/* Take the next one from @args. A value may have blanks, as that of a symbol in a module. */
bool next_argument(struct text *args, struct text *name, struct text *value)
{
	const char *end = args->at + args->len, *from = skip_blanks(args->at, end);
	const char *behind = skip_name(from, end), *at;

	if (!behind)
		return false;
	for (at = behind; at < end; at = skip_any(at, end))
		if (*at == ' ' && skip_name(at + 1, end))
			break;
	*name = text_from(from, behind - 1);
	*value = text_from(behind, at);
	*args = text_from(at, end);
	return true;
}

/* Does the line say that records of a CPU are lost here? */
bool tells_loss(struct text line, unsigned int *cpu)
{
	const char *end = line.at + line.len, *at;
	unsigned int of;

	if (!text_begins(line, "CPU:"))
		return false;
	at = take_cpu(line.at + 4, end, &of);
	if (!at || !text_begins(text_from(at, end), " [LOST "))
		return false;
	*cpu = of;
	return true;
}
