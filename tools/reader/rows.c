// SPDX-License-Identifier: GPL-2.0-only
/*
 * A line for each record, with the columns that a recipe names; rows.awk does the same.
 */
#include <string.h>

#include "reader.h"

/* Of the record, in the order of the columns; NULL is none. */
static struct text *values;

static int width_of(const struct column *c)
{
	static const char comm[] = "comm";
	size_t len = sizeof(comm) - 1;

	if (text_is(c->format, "ip"))
		return 15;
	if (text_is(c->format, "name") ||
	    (c->field.len >= len && !memcmp(c->field.at + c->field.len - len, comm, len)))
		return 16;
	return c->title.len > 8 ? c->title.len : 8;
}

/* Names stand at the left of their columns, numbers at the right. */
static bool is_left(const struct column *c)
{
	return text_is(c->format, "name") || text_is(c->format, "text") || text_is(c->format, "ip");
}

static void put_time(struct text time)
{
	if (!times)
		return;
	put_padded(&out, time, -16);
	put(&out, " ");
}

/* The words in front of the columns. */
static void put_head(struct text task, struct text pid, struct text tid, struct text event)
{
	if (!has_column("task") && !nobody) {
		put_padded(&out, task, -16);
		put(&out, " ");
	}
	if (!has_column("tid") && !nobody) {
		put_padded(&out, pid.len ? pid : text_of("-"), 7);
		put(&out, " ");
		put_padded(&out, tid, 7);
		put(&out, " ");
	}
	if (many) {
		put_padded(&out, event, -8);
		put(&out, " ");
	}
}

static void put_cell(unsigned int i, struct text cell)
{
	const struct column *c = &columns[i];

	if (!cell.len)
		cell = text_of("-");
	if (i == nr_columns - 1) {
		put(&out, " ");
		put_text(&out, cell);
	} else {
		put_padded(&out, cell, is_left(c) ? -width_of(c) : width_of(c));
		put(&out, " ");
	}
}

static void begin(void)
{
	unsigned int i;

	take_columns();
	values = more_memory(NULL, (nr_columns + 1) * sizeof(*values));
	if (json)
		return;
	put_time(text_of("TIME"));
	put_head(text_of("TASK"), text_of("PID"), text_of("TID"), text_of("EVENT"));
	for (i = 0; i < nr_columns; i++)
		put_cell(i, columns[i].title);
	put(&out, "\n");
}

static void put_row(const struct record *r)
{
	static struct buffer text;
	unsigned int i;

	text.len = 0;
	put_task(&text, r);
	put_time(r->time);
	put_head(text_in(&text), r->pid, r->tid, r->event);
	for (i = 0; i < nr_columns; i++) {
		text.len = 0;
		if (values[i].at)
			put_shown(&text, columns[i].format, values[i], r->time);
		put_cell(i, text_in(&text));
	}
	put(&out, "\n");
}

static void put_json_row(const struct record *r)
{
	size_t from;
	unsigned int i;

	put(&out, "{");
	put_json_time(&out, r->time);
	from = out.len;
	if (!nobody && !has_column("task")) {
		put_json_task(&out, r);
	} else if (!nobody && !has_column("tid")) {
		put_json_numbers(&out, r);
	}
	if (many) {
		put(&out, out.len > from ? "," : "");
		put(&out, "\"event\":");
		put_quoted(&out, r->event);
	}
	for (i = 0; i < nr_columns; i++) {
		if (!values[i].at)
			continue;
		put(&out, out.len > from ? "," : "");
		put_quoted(&out, columns[i].field);
		put(&out, ":");
		put_json_as(&out, columns[i].format, values[i], r->time);
	}
	put(&out, "}\n");
}

/* A recipe's synthetic event has the session in front of its name. */
static struct text short_name(struct text event)
{
	size_t i;

	for (i = event.len; i >= 2; i--)
		if (event.at[i - 2] == '_' && event.at[i - 1] == '_')
			return text_from(event.at + i, event.at + event.len);
	return event;
}

static void show(struct text line)
{
	struct text name, value;
	struct record r;
	unsigned int i;

	if (text_begins(line, "CPU:") && !json) {
		put_text(&out, line);
		put(&out, "\n");
	}
	if (line_of(&r, line) != LINE_RECORD || !is_wanted())
		return;
	r.event = short_name(r.event);
	memset(values, 0, nr_columns * sizeof(*values));
	while (next_argument(&r.args, &name, &value))
		for (i = 0; i < nr_columns; i++)
			if (text_is_same(columns[i].field, name))
				values[i] = value;
	if (json)
		put_json_row(&r);
	else
		put_row(&r);
	count_event();
}

const struct program rows_program = { "rows", begin, show, NULL };
