// SPDX-License-Identifier: GPL-2.0-only
/*
 * Records as they are, or as objects with their stacks; lines.awk does the same.
 */
#include <stdlib.h>

#include "reader.h"

/*
 * A stack has a time of its own, so records of other CPUs may be between a record and its stack.
 * @object is a record that waits for its stack, @frames has that; @is_shown says of a line's
 * record whether it was shown.
 */
struct cpu {
	struct buffer object;
	struct buffer frames;
	bool is_shown;
};

static struct cpu *cpus;
static unsigned int nr_cpus;
/* That of the last record, stack or loss; and is what follows shown? */
static unsigned int cpu_now;
static bool is_shown;

static struct cpu *cpu_of(unsigned int cpu)
{
	if (cpu >= nr_cpus) {
		cpus = more_memory(cpus, (cpu + 1) * sizeof(*cpus));
		memset(cpus + nr_cpus, 0, (cpu + 1 - nr_cpus) * sizeof(*cpus));
		nr_cpus = cpu + 1;
	}
	return &cpus[cpu];
}

static void put_line(struct text line)
{
	put_text(&out, line);
	put(&out, "\n");
}

/* The line of a record as it is shown. */
static void put_record(const struct record *r, struct text line)
{
	static struct buffer task;

	if (!r->is_named) {
		put_line(line);
		return;
	}
	task.len = 0;
	put_task(&task, r);
	put_padded(&out, text_in(&task), 16);
	put(&out, "-");
	put_text(&out, r->tid);
	put_line(r->behind);
}

static void put_arguments(struct buffer *b, struct text args)
{
	struct text name, value;
	bool is_first = true;

	while (next_argument(&args, &name, &value)) {
		put(b, is_first ? "" : ",");
		is_first = false;
		put_quoted(b, name);
		put(b, ":");
		put_value(b, value);
	}
}

/* Without the last brace. */
static void put_object(struct buffer *b, const struct record *r)
{
	put(b, "{\"time\":");
	put_text(b, r->time);
	put(b, ",");
	put_json_task(b, r);
	put(b, ",\"cpu\":");
	put_number(b, r->cpu);
	put(b, ",\"event\":");
	put_quoted(b, r->event);
	put(b, ",\"place\":");
	put_quoted(b, r->place);
	put(b, ",\"args\":{");
	put_arguments(b, r->args);
	put(b, "}");
}

/* The record that waits for its stack has it. */
static void end_record(unsigned int cpu)
{
	struct cpu *c = cpu_of(cpu);

	if (c->object.len) {
		put_bytes(&out, c->object.at, c->object.len);
		put(&out, ",\"stack\":[");
		put_bytes(&out, c->frames.at, c->frames.len);
		put(&out, "]}\n");
	}
	c->object.len = 0;
	c->frames.len = 0;
}

static void put_frame(struct text frame)
{
	struct buffer *frames = &cpu_of(cpu_now)->frames;

	put(frames, frames->len ? "," : "");
	put_quoted(frames, frame);
}

static void show_object(struct text line)
{
	enum line what;
	struct record r;

	if (text_begins(line, " => ")) {
		put_frame(text_from(line.at + 4, line.at + line.len));
		return;
	}
	/* What is behind a stack. */
	if (cpu_of(cpu_now)->frames.len)
		end_record(cpu_now);
	what = line_of(&r, line);
	if (what == LINE_OTHER) {
		if (tells_loss(line, &cpu_now))
			end_record(cpu_now);
		return;
	}
	cpu_now = r.cpu;
	if (what == LINE_STACK)
		return;
	end_record(cpu_now);
	if (!is_wanted())
		return;
	put_object(stack ? &cpu_of(cpu_now)->object : &out, &r);
	if (!stack)
		put(&out, "}\n");
	count_event();
}

static void show_line(struct text line)
{
	enum line what = LINE_OTHER;
	struct record r;

	if (!text_begins(line, " => "))
		what = line_of(&r, line);
	if (what == LINE_RECORD) {
		cpu_now = r.cpu;
		is_shown = cpu_of(cpu_now)->is_shown = is_wanted();
		if (is_shown) {
			put_record(&r, line);
			count_event();
		}
		return;
	}
	if (what == LINE_STACK) {
		cpu_now = r.cpu;
		is_shown = cpu_of(cpu_now)->is_shown;
	} else if (tells_loss(line, &cpu_now)) {
		is_shown = is_wanted();
	}
	if (is_shown)
		put_line(line);
}

static void show(struct text line)
{
	if (json)
		show_object(line);
	else
		show_line(line);
}

static void end(void)
{
	unsigned int cpu;

	for (cpu = 0; cpu < nr_cpus; cpu++)
		end_record(cpu);
}

const struct program lines_program = { "lines", NULL, show, end };
