// SPDX-License-Identifier: GPL-2.0-only
/*
 * reader NAME=VALUE...: show records as lines.awk does, with record.awk and json.awk, to the
 * byte, and some twenty times as fast. Where it was built, the command kptrace runs it in their
 * place. The names are those of their variables:
 *
 *	json=1		objects, one a line; else the lines as they are
 *	stack=1		objects have the stacks that follow
 *	named=1		the last argument comm__ is the name of the task at the hit
 *	max=N		no more than N events
 *	tracing=FILE	gets a 0 when there are so many, and
 *	alive=FILE	a line "max"
 *
 * Standard input is trace_pipe, with the option escape-text: no name and no string has what ends
 * a word or a line. What one read() has brought is written by one write(), in whole lines.
 *
 *	cc -O2 -o reader reader.c
 */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define READ_SIZE	65536

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
 * A line of a record. @behind is what follows the task and its number, from a blank on, without
 * the argument that is the task's name, if @is_named.
 */
struct record {
	struct text task;
	struct text pid;
	unsigned int cpu;
	struct text time;
	struct text event;
	struct text place;
	struct text args;
	struct text behind;
	bool is_named;
};

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

static bool json, stack, named, has_max;
static unsigned long max, events;
static const char *tracing = "", *alive = "";

static struct buffer out;
static struct cpu *cpus;
static unsigned int nr_cpus;
/* That of the last record, stack or loss; and is what follows shown? */
static unsigned int cpu_now;
static bool is_shown;

static void die(const char *what)
{
	fprintf(stderr, "kptrace: %s: %s\n", what, strerror(errno));
	exit(1);
}

static void put_bytes(struct buffer *b, const void *bytes, size_t len)
{
	if (b->len + len > b->size) {
		b->size = 2 * (b->len + len) + 64;
		b->at = realloc(b->at, b->size);
		if (!b->at)
			die("reader");
	}
	if (len)
		memcpy(b->at + b->len, bytes, len);
	b->len += len;
}

static void put(struct buffer *b, const char *string)
{
	put_bytes(b, string, strlen(string));
}

static void put_text(struct buffer *b, struct text t)
{
	put_bytes(b, t.at, t.len);
}

static void put_number(struct buffer *b, unsigned int n)
{
	char digit[16], *at = digit + sizeof(digit);

	do
		*--at = '0' + n % 10;
	while (n /= 10);
	put_bytes(b, at, digit + sizeof(digit) - at);
}

static void put_code(struct buffer *b, unsigned int c)
{
	static const char hex[] = "0123456789abcdef";

	put(b, "\\u00");
	put_bytes(b, &hex[c >> 4], 1);
	put_bytes(b, &hex[c & 15], 1);
}

static struct text text_from(const char *at, const char *end)
{
	return (struct text){ at, end - at };
}

static bool text_is(struct text t, const char *string)
{
	return t.len == strlen(string) && !memcmp(t.at, string, t.len);
}

static bool text_begins(struct text t, const char *string)
{
	return t.len >= strlen(string) && !memcmp(t.at, string, strlen(string));
}

static bool is_digit(char c) { return c >= '0' && c <= '9'; }
static bool is_octal(char c) { return c >= '0' && c <= '7'; }

static bool is_name(char c, bool is_first)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
	       (!is_first && is_digit(c));
}

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
static void count_event(void)
{
	if (++events != max || !has_max)
		return;
	write_out();
	write_word(tracing, "0\n");
	write_word(alive, "max\n");
}

static bool is_wanted(void) { return !has_max || events < max; }

static struct cpu *cpu_of(unsigned int cpu)
{
	if (cpu >= nr_cpus) {
		cpus = realloc(cpus, (cpu + 1) * sizeof(*cpus));
		if (!cpus)
			die("reader");
		memset(cpus + nr_cpus, 0, (cpu + 1 - nr_cpus) * sizeof(*cpus));
		nr_cpus = cpu + 1;
	}
	return &cpus[cpu];
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

/* "TASK-PID". Returns what follows. */
static const char *take_task(struct record *r, const char *word, const char *end)
{
	const char *at = skip_word(word, end), *pid = at;

	while (pid > word && is_digit(pid[-1]))
		pid--;
	if (pid == at || pid - word < 2 || pid[-1] != '-')
		return NULL;
	r->task = text_from(word, pid - 1);
	r->pid = text_from(pid, at);
	r->behind = text_from(at, end);
	return at;
}

/* "TASK-PID [CPU] FLAGS TIME:"; FLAGS as the options say. Returns what follows. */
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

/* The argument comm__ is the name, if it is the last one. */
static void take_name(struct record *r)
{
	static const char begin[] = "comm__=\"";
	const char *at = r->args.at, *end = at + r->args.len, *quote;

	for (; at + sizeof(begin) - 1 < end; at++) {
		if (memcmp(at, begin, sizeof(begin) - 1) || (at > r->args.at && at[-1] != ' '))
			continue;
		quote = at + sizeof(begin) - 2;
		if (skip_string(quote, end) != end)
			continue;
		if (!text_is(r->pid, "0"))
			r->task = text_from(quote + 1, end - 1);
		if (at > r->args.at)
			at--;
		r->args.len = at - r->args.at;
		r->behind = text_from(r->behind.at, at);
		r->is_named = true;
		return;
	}
}

/* Is the line one of a record? @at is behind its head, NULL if it has none. */
static bool take(struct record *r, struct text line, const char *at)
{
	const char *word, *end = line.at + line.len;

	if (!at || at == end)
		return false;
	word = ++at;
	at = skip_word(at, end);
	if (at - word < 2 || at[-1] != ':')
		return false;
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
	return true;
}

static void put_line(struct text line)
{
	put_text(&out, line);
	put(&out, "\n");
}

/* The line of a record as it is shown. */
static void put_record(const struct record *r, struct text line)
{
	size_t i, len = 0;

	if (!r->is_named) {
		put_line(line);
		return;
	}
	/* A blank in a name is escaped, as in that of a task. */
	for (i = 0; i < r->task.len; i++)
		len += r->task.at[i] == ' ' ? 4 : 1;
	for (; len < 16; len++)
		put(&out, " ");
	for (i = 0; i < r->task.len; i++)
		if (r->task.at[i] == ' ')
			put(&out, "\\040");
		else
			put_bytes(&out, &r->task.at[i], 1);
	put(&out, "-");
	put_text(&out, r->pid);
	put_line(r->behind);
}

/* Bytes of the UTF-8 character at @at; 0 if it is none. */
static unsigned int utf8_length(const unsigned char *at, const unsigned char *end)
{
	unsigned int c = *at, i, len = c < 128 ? 1 : c < 194 ? 0 : c < 224 ? 2 : c < 240 ? 3 :
					c < 245 ? 4 : 0;

	if (end - at < (long)len)
		return 0;
	for (i = 1; i < len; i++)
		if (at[i] < 128 || at[i] > 191)
			return 0;
	/* Too long a form, a surrogate, beyond the last character. */
	if (len > 1 && ((c == 224 && at[1] < 160) || (c == 237 && at[1] > 159) ||
			(c == 240 && at[1] < 144) || (c == 244 && at[1] > 143)))
		return 0;
	return len;
}

/* Does a string of JSON have this byte as it is? */
static bool is_plain(unsigned char c)
{
	return c >= 32 && c < 127 && c != '"' && c != '\\';
}

/* A string of JSON. */
static void put_quoted(struct buffer *b, struct text t)
{
	const unsigned char *at = (const unsigned char *)t.at, *end = at + t.len, *from;
	unsigned int len;

	put(b, "\"");
	for (; at < end; at += len) {
		for (from = at; at < end && is_plain(*at); at++)
			;
		put_bytes(b, from, at - from);
		if (at == end)
			break;
		len = utf8_length(at, end);
		if (!len) {
			put(b, "\357\277\275");
			len = 1;
		} else if (*at == '\\' || *at == '"') {
			put(b, "\\");
			put_bytes(b, at, 1);
		} else if (*at < 32 || *at == 127) {
			put_code(b, *at);
		} else if (len == 2 && *at == 194 && at[1] < 160) {
			/* Terminals have control characters of two bytes, too. */
			put_code(b, at[1]);
		} else {
			put_bytes(b, at, len);
		}
	}
	put(b, "\"");
}

/* The same of what the kernel has escaped. */
static void put_unescaped(struct buffer *b, struct text t)
{
	static struct buffer plain;
	const char *at = t.at, *end = at + t.len;
	char c;

	if (!t.len || !memchr(t.at, '\\', t.len)) {
		put_quoted(b, t);
		return;
	}
	plain.len = 0;
	for (; at < end; at++) {
		c = *at;
		if (c == '\\') {
			c = ++at < end ? *at : 0;
			if (end - at > 2 && is_octal(c)) {
				c = (c - '0') << 6 | (at[1] - '0') << 3 | (at[2] - '0');
				at += 2;
			} else if (c == 'n' || c == 't') {
				c = c == 'n' ? '\n' : '\t';
			}
		}
		if (c)
			put_bytes(&plain, &c, 1);
	}
	put_quoted(b, (struct text){ plain.at, plain.len });
}

static bool is_number(struct text t)
{
	size_t i = t.len && *t.at == '-';
	size_t first = i;

	if (i == t.len || (t.at[i] == '0' && t.len > i + 1))
		return false;
	for (; i < t.len; i++)
		if (!is_digit(t.at[i]))
			return false;
	return i > first;
}

/* Where a string at @at ends, or the next character if there is none. */
static const char *skip_any(const char *at, const char *end)
{
	const char *behind = NULL;

	if (*at == '"')
		behind = skip_string(at, end);
	else if (*at == '\'')
		behind = skip_character(at, end);
	return behind ?: at + 1;
}

/* Decimal numbers, strings, lists; all else as a string. */
static void put_value(struct buffer *b, struct text t)
{
	const char *at, *end, *from;

	if (is_number(t)) {
		put_text(b, t);
	} else if (text_is(t, "(fault)")) {
		put(b, "null");
	} else if (t.len > 1 && *t.at == '"' && t.at[t.len - 1] == '"') {
		put_unescaped(b, text_from(t.at + 1, t.at + t.len - 1));
	} else if (t.len > 1 && *t.at == '{' && t.at[t.len - 1] == '}') {
		put(b, "[");
		end = t.at + t.len - 1;
		for (at = from = t.at + 1; at < end; at = skip_any(at, end)) {
			if (*at != ',')
				continue;
			put_value(b, text_from(from, at));
			put(b, ",");
			from = at + 1;
		}
		if (end > t.at + 1)
			put_value(b, text_from(from, end));
		put(b, "]");
	} else {
		put_quoted(b, t);
	}
}

/* "NAME=" at @at: what is behind it, else NULL. */
static const char *skip_name(const char *at, const char *end)
{
	const char *from = at;

	while (at < end && is_name(*at, at == from))
		at++;
	return at > from && at < end && *at == '=' ? at + 1 : NULL;
}

/* A value may have blanks, as that of a symbol in a module. */
static void put_arguments(struct buffer *b, struct text args)
{
	const char *at = args.at, *end = at + args.len, *name, *value;
	bool is_first = true;

	while ((name = skip_blanks(at, end)), (value = skip_name(name, end))) {
		for (at = value; at < end; at = skip_any(at, end))
			if (*at == ' ' && skip_name(at + 1, end))
				break;
		put(b, is_first ? "" : ",");
		is_first = false;
		put_quoted(b, text_from(name, value - 1));
		put(b, ":");
		put_value(b, text_from(value, at));
	}
}

/* Without the last brace. */
static void put_object(struct buffer *b, const struct record *r)
{
	put(b, "{\"time\":");
	put_text(b, r->time);
	put(b, ",\"task\":");
	put_unescaped(b, r->task);
	put(b, ",\"pid\":");
	put_text(b, r->pid);
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

/* Are the lines behind this one the stack of the last record of its CPU? */
static bool begins_stack(const struct record *r, struct text line, const char *at)
{
	const char *end = line.at + line.len;

	if (!at || !(text_is(text_from(at, end), " <stack trace>") ||
		     text_is(text_from(at, end), " <user stack trace>")))
		return false;
	cpu_now = r->cpu;
	return true;
}

/* Does the line say that records of a CPU are lost here? */
static bool tells_loss(struct text line)
{
	const char *end = line.at + line.len, *at;
	unsigned int cpu;

	if (!text_begins(line, "CPU:"))
		return false;
	at = take_cpu(line.at + 4, end, &cpu);
	if (!at || !text_begins(text_from(at, end), " [LOST "))
		return false;
	cpu_now = cpu;
	return true;
}

static void put_frame(struct text frame)
{
	struct buffer *frames = &cpu_of(cpu_now)->frames;

	put(frames, frames->len ? "," : "");
	put_quoted(frames, frame);
}

static void show_object(struct text line)
{
	struct record r = { 0 };
	const char *at;

	if (text_begins(line, " => ")) {
		put_frame(text_from(line.at + 4, line.at + line.len));
		return;
	}
	/* What is behind a stack. */
	if (cpu_of(cpu_now)->frames.len)
		end_record(cpu_now);
	at = take_head(&r, line);
	if (begins_stack(&r, line, at))
		return;
	if (tells_loss(line))
		end_record(cpu_now);
	if (!take(&r, line, at))
		return;
	cpu_now = r.cpu;
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
	struct record r = { 0 };
	const char *at = take_head(&r, line);

	if (begins_stack(&r, line, at)) {
		is_shown = cpu_of(cpu_now)->is_shown;
	} else if (tells_loss(line)) {
		is_shown = is_wanted();
	} else if (!text_begins(line, " => ") && take(&r, line, at)) {
		cpu_now = r.cpu;
		is_shown = cpu_of(cpu_now)->is_shown = is_wanted();
		if (is_shown) {
			put_record(&r, line);
			count_event();
		}
		return;
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

/* Show the lines that are whole, and keep the rest. */
static void show_lines(struct buffer *in)
{
	const char *at = in->at, *end = at + in->len, *newline;

	while ((newline = memchr(at, '\n', end - at))) {
		show(text_from(at, newline));
		at = newline + 1;
	}
	in->len = end - at;
	memmove(in->at, at, in->len);
	write_out();
}

static void set(const char *word)
{
	const char *value = strchr(word, '=');
	size_t len = value ? value++ - word : 0;
	struct text name = { word, len };
	bool is_set = value && *value;

	if (text_is(name, "json")) {
		json = is_set;
	} else if (text_is(name, "stack")) {
		stack = is_set;
	} else if (text_is(name, "named")) {
		named = is_set;
	} else if (text_is(name, "max")) {
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
		in->at = realloc(in->at, in->size);
		if (!in->at)
			die("reader");
	}
	do
		n = read(STDIN_FILENO, in->at + in->len, in->size - in->len);
	while (n < 0 && errno == EINTR);
	if (n < 0)
		die("cannot read the records");
	in->len += n;
	return n > 0;
}

int main(int argc, char **argv)
{
	static struct buffer in;
	unsigned int cpu;
	int i;

	for (i = 1; i < argc; i++)
		set(argv[i]);
	while (read_more(&in))
		show_lines(&in);
	if (in.len)
		show((struct text){ in.at, in.len });
	for (cpu = 0; cpu < nr_cpus; cpu++)
		end_record(cpu);
	write_out();
	return 0;
}
