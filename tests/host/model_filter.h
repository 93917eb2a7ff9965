/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The meaning of a filter, without a program: parses the text again for every
 * record, by recursive descent. Filters must be valid, without .function and
 * CPUS{}.
 */
#ifndef MODEL_FILTER_H
#define MODEL_FILTER_H

#include "lib/record/record.h"
#include "lib/filter/filter.h"
#include <stdlib.h>
#include "world.h"

/**
 * struct model_filter - one evaluation
 * @s: rest of the text
 * @fields: shape of the record
 * @record: the record
 * @size: its bytes
 * @cpu: the current CPU
 * @nr: predicates read so far
 * @path: numbers of those that were evaluated, one character each from 'a' on
 * @path_len: how many
 */
struct model_filter {
	const char *s;
	const struct kpt_fields *fields;
	const u8 *record;
	size_t size;
	unsigned int cpu;
	unsigned int nr;
	char path[KPT_FILTER_MAX];
	unsigned int path_len;
};

static inline bool model_glob(const char *p, const char *end, const char *s)
{
	const char *q;
	bool in = false, invert;

	if (p == end)
		return !*s;
	if (*p == '*')
		return model_glob(p + 1, end, s) ||
		       (*s && model_glob(p, end, s + 1));
	if (*p == '\\' && p + 1 == end)
		return !*s;
	if (!*s)
		return false;
	if (*p == '?')
		return model_glob(p + 1, end, s + 1);
	if (*p == '[') {
		q = p + 1;
		invert = q < end && *q == '!';
		q += invert;
		for (p = q; p < end && (p == q || *p != ']'); p++) {
			if (p + 2 < end && p[1] == '-' && p[2] != ']') {
				in |= p[0] <= *s && *s <= p[2];
				p += 2;
			} else {
				in |= *p == *s;
			}
		}
		if (p < end)
			return in != invert && model_glob(p + 1, end, s + 1);
		p = q - 1 - invert;
	}
	p += *p == '\\';
	return *p == *s && model_glob(p + 1, end, s + 1);
}

static inline void model_space(struct model_filter *m)
{
	while (*m->s == ' ' || (*m->s >= '\t' && *m->s <= '\r'))
		m->s++;
}

/* Text of a field, terminated by a NUL; NULL if it cannot be read. */
static inline const char *model_text(struct model_filter *m,
				     const struct kpt_field_ref *f,
				     bool user)
{
	static char text[65536];
	u32 loc;
	u64 addr;

	memset(text, 0, sizeof(text));
	if (f->kind == KPT_FIELD_COMM) {
		strcpy(text, world.comm);
	} else if (f->kind == KPT_FIELD_TEXT) {
		memcpy(&loc, m->record + f->offset, 4);
		if ((loc & 0xffff) + (loc >> 16) <= m->size)
			memcpy(text, m->record + (loc & 0xffff), loc >> 16);
	} else if (user) {
		memcpy(&addr, m->record + f->offset, 8);
		if (port_read_user_str(text, addr, 1024) < 0)
			return NULL;
	}
	return text;
}

static inline bool model_strings(struct model_filter *m, const char *op,
				 const struct kpt_field_ref *f, bool user)
{
	char quote = *m->s++, pattern[KPT_FILTER_TEXT_MAX];
	const char *text = model_text(m, f, user), *end = strchr(m->s, quote);
	size_t len = (size_t)(end - m->s);
	bool invert = *op == '!', same;

	memcpy(pattern, m->s, len);
	pattern[len] = '\0';
	m->s = end + 1;
	if (!text)
		return false;
	if (*op == '~') {
		invert = *pattern == '!';
		same = model_glob(pattern + invert, pattern + len, text);
	} else {
		same = !strcmp(text, pattern);
	}
	return same != invert;
}

#define MODEL_COMPARE(type)                                                    \
	do {                                                                   \
		type a, b = (type)value;                                       \
		memcpy(&a, at, sizeof(a));                                     \
		return !strcmp(op, "==") ? a == b :                            \
		       !strcmp(op, "!=") ? a != b :                            \
		       !strcmp(op, "<") ? a < b :                              \
		       !strcmp(op, "<=") ? a <= b :                            \
		       !strcmp(op, ">") ? a > b :                              \
		       !strcmp(op, ">=") ? a >= b : (a & b) != 0;              \
	} while (0)

static inline bool model_numbers(struct model_filter *m, const char *op,
				 const struct kpt_field_ref *f)
{
	const u8 *at = m->record + f->offset;
	char *end;
	u64 value = *m->s == '-' ? (u64)strtoll(m->s, &end, 0) :
				   strtoull(m->s, &end, 0);
	u64 task;

	m->s = end;
	if (f->kind == KPT_FIELD_CPU) {
		at = (const u8 *)&m->cpu;
		if (*op == '&')
			return false;
		MODEL_COMPARE(s32);
	}
	if (f->kind == KPT_FIELD_TASK) {
		task = port_task_number(f->offset);
		at = (const u8 *)&task;
	}
	switch (f->size * 2 + f->is_signed) {
	case 2: MODEL_COMPARE(u8);
	case 3: MODEL_COMPARE(s8);
	case 4: MODEL_COMPARE(u16);
	case 5: MODEL_COMPARE(s16);
	case 8: MODEL_COMPARE(u32);
	case 9: MODEL_COMPARE(s32);
	case 16: MODEL_COMPARE(u64);
	case 17: MODEL_COMPARE(s64);
	}
	return false;
}

static inline bool model_term(struct model_filter *m, bool run)
{
	struct kpt_field_ref f = { 0 };
	size_t n = strspn(m->s, "_0123456789abcdefghijklmnopqrstuvwxyz"
			  "ABCDEFGHIJKLMNOPQRSTUVWXYZ");
	char op[3] = { 0 };
	bool user;

	if (run)
		m->path[m->path_len++] = (char)('a' + m->nr);
	m->nr++;
	kpt_field_find(m->fields, m->s, n, &f);
	m->s += n;
	user = !strncmp(m->s, ".ustring", 8);
	m->s += user ? 8 : 0;
	model_space(m);
	op[0] = *m->s++;
	if (*m->s == '=')
		op[1] = *m->s++;
	model_space(m);
	if (*m->s == '"' || *m->s == '\'')
		return model_strings(m, op, &f, user);
	return model_numbers(m, op, &f);
}

static inline bool model_or(struct model_filter *m, bool run);

static inline bool model_not(struct model_filter *m, bool run)
{
	bool v;

	model_space(m);
	if (*m->s == '!') {
		m->s++;
		return !model_not(m, run);
	}
	if (*m->s != '(')
		return model_term(m, run);
	m->s++;
	v = model_or(m, run);
	model_space(m);
	m->s++;
	return v;
}

static inline bool model_and(struct model_filter *m, bool run)
{
	bool v = model_not(m, run), w;

	for (model_space(m); *m->s == '&'; model_space(m)) {
		m->s += 2;
		w = model_not(m, run && v);
		v = v && w;
	}
	return v;
}

static inline bool model_or(struct model_filter *m, bool run)
{
	bool v = model_and(m, run), w;

	for (model_space(m); *m->s == '|'; model_space(m)) {
		m->s += 2;
		w = model_and(m, run && !v);
		v = v || w;
	}
	return v;
}

/*
 * Walks a program as kpt_filter_match() does, and records the path: one character
 * for each predicate, as in struct model_filter.
 */
static inline bool model_walk(const struct kpt_filter *f, const void *record,
			      size_t size, unsigned int cpu, char *path)
{
	struct kpt_filter *one = malloc(f->size);
	unsigned int next = 0;
	bool match;

	while (next < KPT_FILTER_REJECT) {
		memcpy(one, f, f->size);
		one->pred[0] = f->pred[next];
		one->pred[0].next[0] = KPT_FILTER_REJECT;
		one->pred[0].next[1] = KPT_FILTER_ACCEPT;
		match = kpt_filter_match(one, record, size, cpu);
		*path++ = (char)('a' + next);
		next = f->pred[next].next[match];
	}
	*path = '\0';
	free(one);
	return next == KPT_FILTER_ACCEPT;
}

#endif
