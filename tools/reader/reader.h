/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the files of the reader have in common: texts, buffers, records.
 */
#ifndef READER_H
#define READER_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/* A part of a line. */
struct text {
	const char *at;
	size_t len;
};

/* Memory that grows. */
struct buffer {
	char *at;
	size_t len;
	size_t size;
};

/*
 * A line of a record. @pid is the process, empty if that is not known. @behind is what follows the
 * task and its number, from a blank on, without the arguments that are process and name of the
 * task, if @is_named. Blanks in @task are escaped unless it is.
 */
struct record {
	struct text task;
	struct text pid;
	struct text tid;
	unsigned int cpu;
	struct text time;
	struct text event;
	struct text place;
	struct text args;
	struct text behind;
	bool is_named;
};

/* What a line is: of a stack, its first one. */
enum line { LINE_OTHER, LINE_RECORD, LINE_STACK };

/* What shows the records, as the file NAME.awk does. @begin and @end may be NULL. */
struct program {
	const char *name;
	void (*begin)(void);
	void (*show)(struct text line);
	void (*end)(void);
};

extern const struct program lines_program, rows_program, graph_program;

/* Options, as they are called in main.c. */
extern bool json, html, stack, named, times, many, nobody;

/* The answer, which is written when all that was read is done. */
extern struct buffer out;

/* text.c */
void die(const char *what);
void *more_memory(void *at, size_t size);
void make_room(struct buffer *b, size_t len);
void put_padded(struct buffer *b, struct text t, int width);
void put_number(struct buffer *b, unsigned int n);
__attribute__((format(printf, 2, 3)))
void put_format(struct buffer *b, const char *format, ...);
bool text_is_integer(struct text t);
double number_of(struct text t);

/* What each byte of a record takes is here, where the compiler sees lengths that are known. */
static inline bool is_digit(char c) { return c >= '0' && c <= '9'; }

static inline struct text text_from(const char *at, const char *end)
{
	return (struct text){ at, end - at };
}

static inline struct text text_of(const char *string)
{
	return (struct text){ string, strlen(string) };
}

static inline struct text text_in(const struct buffer *b)
{
	return (struct text){ b->at, b->len };
}

static inline bool text_is_same(struct text a, struct text b)
{
	return a.len == b.len && (!a.len || !memcmp(a.at, b.at, a.len));
}

static inline bool text_is(struct text t, const char *string)
{
	return text_is_same(t, text_of(string));
}

static inline bool text_begins(struct text t, const char *string)
{
	size_t len = strlen(string);

	return t.len >= len && !memcmp(t.at, string, len);
}

static inline void put_bytes(struct buffer *b, const void *bytes, size_t len)
{
	if (len > b->size - b->len)
		make_room(b, len);
	if (len)
		memcpy(b->at + b->len, bytes, len);
	b->len += len;
}

static inline void put(struct buffer *b, const char *string)
{
	put_bytes(b, string, strlen(string));
}

static inline void put_text(struct buffer *b, struct text t)
{
	put_bytes(b, t.at, t.len);
}

/* record.c */
enum line line_of(struct record *r, struct text line);
bool tells_loss(struct text line, unsigned int *cpu);
const char *skip_any(const char *at, const char *end);
bool next_argument(struct text *args, struct text *name, struct text *value);
void put_task(struct buffer *b, const struct record *r);

/* json.c */
void begin_json(void);
void put_quoted(struct buffer *b, struct text t);
void put_unescaped(struct buffer *b, struct text t);
void put_value(struct buffer *b, struct text t);
void put_json_time(struct buffer *b, struct text time);
void put_json_task(struct buffer *b, const struct record *r);
void put_json_numbers(struct buffer *b, const struct record *r);

/* formats.c */
struct column {
	struct text field;
	struct text format;
	struct text title;
};

extern struct column *columns;
extern unsigned int nr_columns;

void take_columns(void);
bool has_column(const char *field);
void put_shown(struct buffer *b, struct text format, struct text value, struct text time);
void put_json_as(struct buffer *b, struct text format, struct text value, struct text time);

/* main.c */
bool is_wanted(void);
void count_event(void);

#endif
