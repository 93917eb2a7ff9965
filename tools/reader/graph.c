// SPDX-License-Identifier: GPL-2.0-only
/*
 * Calls and returns, nested by task, with the time of each call; graph.awk does the same.
 */
#include <stdlib.h>
#include <string.h>

#include "reader.h"

/*
 * A task, or the idle one of a CPU: how many calls it is in. @begun is a call that waits for what
 * comes next, as one that calls none of the others is one line.
 */
struct task {
	struct task *next;
	unsigned long tid;
	unsigned int cpu;
	unsigned int depth;
	struct buffer begun;
	unsigned int begun_depth;
	unsigned long begun_as;
	struct buffer who;
	struct buffer time;
};

#define NR_LISTS	1024

/* By their numbers. */
static struct task *tasks[NR_LISTS];
/* How many calls have waited. */
static unsigned long nr_begun;

static unsigned long to_number(struct text t)
{
	unsigned long n = 0;
	size_t i;

	for (i = 0; i < t.len; i++)
		n = 10 * n + t.at[i] - '0';
	return n;
}

static struct task *task_of(const struct record *r)
{
	unsigned long tid = to_number(r->tid);
	unsigned int cpu = tid ? 0 : r->cpu;
	struct task **list = &tasks[(tid + cpu) % NR_LISTS], *t;

	for (t = *list; t; t = t->next)
		if (t->tid == tid && t->cpu == cpu)
			return t;
	t = memset(more_memory(NULL, sizeof(*t)), 0, sizeof(*t));
	t->tid = tid;
	t->cpu = cpu;
	t->next = *list;
	*list = t;
	return t;
}

static void put_time_of_call(struct buffer *b, double ns)
{
	if (ns < 1e6)
		put_format(b, "%.1f us", ns / 1e3);
	else
		put_format(b, "%.3f ms", ns / 1e6);
}

static void put_call(struct text time, struct text who, unsigned int depth, struct text ns,
		     const char *before, struct text function, const char *behind)
{
	static struct buffer took;

	took.len = 0;
	if (ns.len)
		put_time_of_call(&took, number_of(ns));
	if (times) {
		put_padded(&out, time, -16);
		put(&out, " ");
	}
	put_padded(&out, who, -22);
	put(&out, " ");
	put_padded(&out, text_in(&took), 12);
	put(&out, " | ");
	for (; depth; depth--)
		put(&out, "  ");
	put(&out, before);
	put_text(&out, function);
	put(&out, behind);
	put(&out, "\n");
}

/* The call that waits, with its time if it has ended. */
static void end_wait(struct task *t, struct text ns)
{
	if (t->begun.len)
		put_call(text_in(&t->time), text_in(&t->who), t->begun_depth, ns, "",
			 text_in(&t->begun), ns.len ? "();" : "() {");
	t->begun.len = 0;
}

static void keep(struct buffer *b, struct text t)
{
	b->len = 0;
	put_text(b, t);
}

static void show_text(struct task *t, const struct record *r, struct text function,
		      struct text ns)
{
	static struct buffer who;

	who.len = 0;
	put_task(&who, r);
	put(&who, "-");
	put_text(&who, r->tid);
	if (ns.len && text_is_same(text_in(&t->begun), function)) {
		end_wait(t, ns);
		return;
	}
	end_wait(t, (struct text){ 0 });
	if (ns.len) {
		put_call(r->time, text_in(&who), t->depth, ns, "} ", function, "");
		return;
	}
	keep(&t->time, r->time);
	keep(&t->who, text_in(&who));
	keep(&t->begun, function);
	t->begun_depth = t->depth;
	t->begun_as = ++nr_begun;
}

static void show_object(const struct task *t, const struct record *r, struct text function,
			struct text ns)
{
	put(&out, "{");
	put_json_time(&out, r->time);
	put_json_task(&out, r);
	put_format(&out, ",\"depth\":%u,\"function\":", t->depth);
	put_quoted(&out, function);
	if (ns.len) {
		put(&out, ",\"elapsed_ns\":");
		put_text(&out, ns);
	}
	put(&out, "}\n");
}

/* "elapsed=NS" of a return. The function is behind "<- " in its place, else before "+0x". */
static void show_call(const struct record *r, bool is_return)
{
	struct text function = r->place, ns = { 0 };
	struct task *t = task_of(r);
	size_t i;

	if (is_return) {
		for (i = function.len; i >= 4; i--)
			if (!memcmp(function.at + i - 4, " <- ", 4))
				break;
		if (i >= 4)
			function = text_from(function.at + i, function.at + function.len);
		ns = r->args;
		if (text_begins(ns, "elapsed="))
			ns = text_from(ns.at + strlen("elapsed="), ns.at + ns.len);
		/* Calls that began before kptrace did return, too. */
		if (t->depth > 0)
			t->depth--;
	} else {
		for (i = 0; i + 3 <= function.len; i++)
			if (!memcmp(function.at + i, "+0x", 3))
				function.len = i;
	}
	if (json)
		show_object(t, r, function, ns);
	else
		show_text(t, r, function, ns);
	if (!is_return)
		t->depth++;
}

static void show(struct text line)
{
	struct record r;
	bool is_return;

	if (text_begins(line, "CPU:") && !json) {
		put_text(&out, line);
		put(&out, "\n");
	}
	if (line_of(&r, line) != LINE_RECORD)
		return;
	is_return = text_is(r.event, "ret");
	if (!(is_return || text_is(r.event, "call")) || !is_wanted())
		return;
	show_call(&r, is_return);
	count_event();
}

/* The calls that still wait, in the order of their begin. */
static void end(void)
{
	struct task *t, *first;
	unsigned int i;

	do {
		first = NULL;
		for (i = 0; i < NR_LISTS; i++)
			for (t = tasks[i]; t; t = t->next)
				if (t->begun.len && (!first || t->begun_as < first->begun_as))
					first = t;
		if (first)
			end_wait(first, (struct text){ 0 });
	} while (first);
}

const struct program graph_program = { "graph", NULL, show, end };
