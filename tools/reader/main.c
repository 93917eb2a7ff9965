// SPDX-License-Identifier: GPL-2.0-only
/*
 * reader PROGRAM NAME=VALUE...: show records as the file PROGRAM.awk does, with those that it uses,
 * to the byte, and some hundred times as fast. Where it was built, the command kptrace runs it in
 * their place. The names are those of their variables:
 *
 *	json=1		objects, one a line
 *	html=1		objects, for a page
 *	stack=1		lines: objects have the stacks that follow
 *	named=1		the last arguments, tgid__ and comm__, are of the task at the hit
 *	times=1		lines begin with the time of the hit
 *	many=1		rows: there are several events
 *	nobody=1	rows: hits are of no task
 *	max=N		no more than N events
 *	tracing=FILE	gets a 0 when there are so many, and
 *	alive=FILE	a line "max"
 *
 * Standard input is trace_pipe, with the option escape-text: no name and no string has what ends
 * a word or a line. What one read() has brought is written by one write(), in whole lines.
 *
 *	cc -O2 -o reader *.c
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "reader.h"

#define READ_SIZE	65536

bool json, html, stack, named, times, many, nobody;
struct buffer out;

static bool has_max;
static unsigned long max, events;
static const char *tracing = "", *alive = "";

static void write_out(void)
{
	size_t done = 0;
	ssize_t n;

	while (done < out.len) {
		n = write(STDOUT_FILENO, out.at + done, out.len - done);
		if (n < 0 && errno != EINTR)
			die("cannot write the answer");
		done += n > 0 ? n : 0;
	}
	out.len = 0;
}

static void write_word(const char *file, const char *word)
{
	int fd = *file ? open(file, O_WRONLY | O_CREAT | O_TRUNC, 0666) : -1;

	if (fd < 0)
		return;
	if (write(fd, word, strlen(word)) < 0)
		perror("kptrace");
	close(fd);
}

/* One more event is shown. */
void count_event(void)
{
	if (++events != max || !has_max)
		return;
	write_out();
	write_word(tracing, "0\n");
	write_word(alive, "max\n");
}

bool is_wanted(void) { return !has_max || events < max; }

/* Show the lines that are whole, and keep the rest. */
static void show_lines(const struct program *program, struct buffer *in)
{
	const char *at = in->at, *end = at + in->len, *newline;

	while ((newline = memchr(at, '\n', end - at))) {
		program->show(text_from(at, newline));
		at = newline + 1;
	}
	in->len = end - at;
	memmove(in->at, at, in->len);
	write_out();
}

static void set(const char *word)
{
	static const struct {
		const char *name;
		bool *flag;
	} flags[] = {
		{ "json", &json }, { "html", &html }, { "stack", &stack }, { "named", &named },
		{ "times", &times }, { "many", &many }, { "nobody", &nobody },
	};
	const char *value = strchr(word, '=');
	size_t len = value ? value++ - word : 0, i;
	struct text name = { word, len };
	bool is_set = value && *value;

	for (i = 0; i < sizeof(flags) / sizeof(*flags); i++)
		if (text_is(name, flags[i].name))
			*flags[i].flag = is_set;
	if (text_is(name, "max")) {
		has_max = is_set;
		max = is_set ? strtoul(value, NULL, 10) : 0;
	} else if (text_is(name, "tracing")) {
		tracing = value;
	} else if (text_is(name, "alive")) {
		alive = value;
	}
}

/* Read what there is. Returns false at the end. */
static bool read_more(struct buffer *in)
{
	ssize_t n;

	if (in->size - in->len < READ_SIZE) {
		in->size = in->len + READ_SIZE;
		in->at = more_memory(in->at, in->size);
	}
	do
		n = read(STDIN_FILENO, in->at + in->len, in->size - in->len);
	while (n < 0 && errno == EINTR);
	if (n < 0)
		die("cannot read the records");
	in->len += n;
	return n > 0;
}

/* NULL if it has none of that name: awk does it. */
static const struct program *program_of(const char *name)
{
	static const struct program *const programs[] = {
		&lines_program, &rows_program, &graph_program,
	};
	size_t i;

	for (i = 0; i < sizeof(programs) / sizeof(*programs); i++)
		if (!strcmp(programs[i]->name, name))
			return programs[i];
	return NULL;
}

int main(int argc, char **argv)
{
	const struct program *program = program_of(argc > 1 ? argv[1] : "");
	static struct buffer in;
	int i;

	if (!program)
		return 2;
	for (i = 2; i < argc; i++)
		set(argv[i]);
	begin_json();
	if (program->begin)
		program->begin();
	write_out();
	while (read_more(&in))
		show_lines(program, &in);
	if (in.len)
		program->show(text_in(&in));
	if (program->end)
		program->end();
	write_out();
	return 0;
}
