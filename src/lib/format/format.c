// SPDX-License-Identifier: GPL-2.0-only
/*
 * Records as lines of trace.
 *
 * Nothing in a record is trusted: its bytes come from a ring to which a CPU may
 * be writing.
 */
#include "lib/base/port.h"
#include "lib/format/format.h"

static const char too_big[] = "[LINE TOO BIG]\n";

/* The common fields; bytes that the record lacks are 0. */
static struct kpt_record_head line_head(const struct kpt_line *line)
{
	struct kpt_record_head head = { 0 };

	memcpy(&head, line->record, min(line->size, sizeof(head)));
	return head;
}

/**
 * kpt_format_text() - write a text that a program may have chosen
 * @sb: where to write
 * @options: with KPT_OPT_ESCAPE_TEXT in double quotes, as a string of C; else as it is
 * @s: the text, not necessarily terminated
 * @n: its characters
 *
 * Context: any.
 */
void kpt_format_text(struct kpt_strbuf *sb, u64 options, const char *s, size_t n)
{
	if (!(options & KPT_OPT_ESCAPE_TEXT)) {
		kpt_strbuf_add(sb, s, n);
		return;
	}
	kpt_strbuf_putc(sb, '"');
	kpt_strbuf_escape(sb, s, n, false);
	kpt_strbuf_putc(sb, '"');
}

static void line_put_text(struct kpt_strbuf *sb, const struct kpt_line *line,
			  const struct kpt_field_ref *ref)
{
	size_t len;
	const char *s = kpt_field_data(ref, line->record, line->size, &len);

	if (!len) {
		kpt_strbuf_puts(sb, "(fault)");
	} else if (!s) {
		kpt_strbuf_puts(sb, "<OVERFLOW>");
	} else if (line->options & KPT_OPT_ESCAPE_TEXT) {
		kpt_format_text(sb, line->options, s, strnlen(s, len));
	} else {
		kpt_strbuf_putc(sb, '"');
		kpt_strbuf_add(sb, s, strnlen(s, len));
		kpt_strbuf_putc(sb, '"');
	}
}

static void line_put_char(struct kpt_strbuf *sb, const struct kpt_line *line, char c)
{
	kpt_strbuf_putc(sb, '\'');
	if (line->options & KPT_OPT_ESCAPE_TEXT)
		kpt_strbuf_escape(sb, &c, 1, true);
	else
		kpt_strbuf_putc(sb, c);
	kpt_strbuf_putc(sb, '\'');
}

static void line_put_number(struct kpt_strbuf *sb, const struct kpt_line *line,
			    u8 type, const struct kpt_field_ref *ref)
{
	unsigned long long v = kpt_field_number(ref, line->record);

	switch (type) {
	case KPT_TYPE_SYMBOL:
		kpt_format_symbol(sb, line, v);
		break;
	case KPT_TYPE_CHAR:
		line_put_char(sb, line, (char)v);
		break;
	case KPT_TYPE_X8 ... KPT_TYPE_X64:
		kpt_strbuf_puts(sb, "0x");
		kpt_strbuf_hex(sb, v, 0);
		break;
	case KPT_TYPE_S8 ... KPT_TYPE_S64:
		kpt_strbuf_dec(sb, (s64)v);
		break;
	default:
		kpt_strbuf_udec(sb, v, 0, ' ');
	}
}

/* As __print_symbolic() does: without a name, a hexadecimal number without sign. */
static void line_put_enum(struct kpt_strbuf *sb, const struct kpt_line *line,
			  const struct kpt_enum *names, struct kpt_field_ref ref)
{
	const char *name;
	u64 v;

	ref.is_signed = false;
	v = kpt_field_number(&ref, line->record);
	name = kpt_enum_find(names, v);
	if (name) {
		kpt_strbuf_puts(sb, name);
		return;
	}
	kpt_strbuf_puts(sb, "0x");
	kpt_strbuf_hex(sb, v, 0);
}

static void line_put_element(struct kpt_strbuf *sb, const struct kpt_line *line,
			     const struct kpt_field *f, unsigned int i)
{
	struct kpt_field_ref ref = kpt_field_element(f, i);

	if (ref.kind == KPT_FIELD_TEXT)
		line_put_text(sb, line, &ref);
	else if (f->names)
		line_put_enum(sb, line, f->names, ref);
	else if (kpt_type_has_form(f->type))
		kpt_format_value(sb, f->type, (const u8 *)line->record + ref.offset);
	else
		line_put_number(sb, line, f->type, &ref);
}

static void line_put_argument(struct kpt_strbuf *sb, const struct kpt_line *line,
			      const struct kpt_field *f)
{
	struct kpt_field_ref whole = kpt_field_whole(f);
	unsigned int i;

	kpt_strbuf_putc(sb, ' ');
	kpt_strbuf_puts(sb, f->name);
	kpt_strbuf_putc(sb, '=');
	if (!kpt_line_has(line, &whole)) {
		kpt_strbuf_puts(sb, "<OVERFLOW>");
		return;
	}
	if (!f->count) {
		line_put_element(sb, line, f, 0);
		return;
	}
	for (i = 0; i < f->count; i++) {
		kpt_strbuf_putc(sb, i ? ',' : '{');
		line_put_element(sb, line, f, i);
	}
	kpt_strbuf_putc(sb, '}');
}

/**
 * kpt_format_record() - write what a line of trace says about the record itself
 * @sb: where to write
 * @line: the record; of the members that the beginning of a line shows none is used
 *
 * With a newline at the end.
 *
 * Context: as kpt_format_line().
 */
void kpt_format_record(struct kpt_strbuf *sb, const struct kpt_line *line)
{
	unsigned int i;

	line->fields->head->put(sb, line);
	if (line->fields->head->is_synthetic)
		kpt_format_synth(sb, line);
	for (i = 0; !line->fields->head->is_synthetic && i < line->fields->nr; i++)
		line_put_argument(sb, line, &line->fields->field[i]);
	kpt_strbuf_putc(sb, '\n');
}

static char flags_irqs(u8 flags)
{
	if (flags & KPT_FLAG_IRQS_OFF)
		return flags & KPT_FLAG_BH_OFF ? 'D' : 'd';
	return flags & KPT_FLAG_BH_OFF ? 'b' : '.';
}

static char flags_resched(u8 flags)
{
	unsigned int i = 0;

	if (flags & KPT_FLAG_NEED_RESCHED_LAZY)
		i += 1;
	if (flags & KPT_FLAG_NEED_RESCHED)
		i += 2;
	if (flags & KPT_FLAG_PREEMPT_RESCHED)
		i += 4;
	return ".lnbpLNB"[i];
}

static char flags_context(u8 flags)
{
	bool hard = flags & KPT_FLAG_HARDIRQ;
	bool soft = flags & KPT_FLAG_SOFTIRQ;

	if (flags & KPT_FLAG_NMI)
		return hard ? 'Z' : 'z';
	if (hard)
		return soft ? 'H' : 'h';
	return soft ? 's' : '.';
}

/**
 * kpt_format_flags() - write the five columns that the header of trace explains
 * @sb: where to write
 * @head: head of the record
 *
 * Context: any.
 */
void kpt_format_flags(struct kpt_strbuf *sb, const struct kpt_record_head *head)
{
	static const char depth[] = ".123456789abcdef";
	char letters[5] = {
		flags_irqs(head->flags),
		flags_resched(head->flags),
		flags_context(head->flags),
		depth[head->preempt_count & 15],
		depth[head->preempt_count >> 4],
	};

	kpt_strbuf_add(sb, letters, sizeof(letters));
}

/* Rounded to the nearest, as the kernel and libtraceevent do. */
static unsigned long long time_to_us(u64 ns)
{
	return (ns + 500) / 1000;
}

/**
 * kpt_format_time() - write a time as seconds, in five columns, and microseconds
 * @sb: where to write
 * @us: the time
 *
 * Context: any.
 */
void kpt_format_time(struct kpt_strbuf *sb, u64 us)
{
	kpt_strbuf_udec(sb, us / 1000000, 5, ' ');
	kpt_strbuf_putc(sb, '.');
	kpt_strbuf_udec(sb, us % 1000000, 6, '0');
}

/**
 * kpt_format_stamp() - write a time as lines of trace show their own
 * @sb: where to write
 * @line: the line
 * @ts: the time in the unit of the clock
 *
 * Context: any.
 */
void kpt_format_stamp(struct kpt_strbuf *sb, const struct kpt_line *line, u64 ts)
{
	kpt_strbuf_putc(sb, ' ');
	if (line->ts_in_ns)
		kpt_format_time(sb, time_to_us(ts));
	else
		kpt_strbuf_udec(sb, ts, 12, ' ');
}

/* The number of a task, with blanks behind it. */
static void context_put_pid(struct kpt_strbuf *sb, s32 pid)
{
	size_t start = sb->len;

	kpt_strbuf_dec(sb, pid);
	kpt_strbuf_left(sb, start, 7);
}

/**
 * kpt_format_comm() - write the name of a task
 * @sb: where to write
 * @options: with KPT_OPT_ESCAPE_TEXT the name becomes one word, as kpt_strbuf_escape() does
 * @comm: the name
 * @most: characters of it to write
 * @width: blanks come before a shorter text
 *
 * Context: any.
 */
void kpt_format_comm(struct kpt_strbuf *sb, u64 options, const char *comm, size_t most,
		     size_t width)
{
	char text[4 * PORT_COMM_LEN];
	struct kpt_strbuf name;
	size_t n = strnlen(comm, most);

	kpt_strbuf_init(&name, text, sizeof(text));
	if (options & KPT_OPT_ESCAPE_TEXT)
		kpt_strbuf_escape(&name, comm, n, true);
	else
		kpt_strbuf_add(&name, comm, n);
	kpt_strbuf_right(sb, text, width);
}

static void context_put_task(struct kpt_strbuf *sb, const struct kpt_line *line,
			     const struct kpt_record_head *head)
{
	kpt_format_comm(sb, line->options, line->comm, PORT_COMM_LEN, 16);
	kpt_strbuf_putc(sb, '-');
	context_put_pid(sb, head->pid);
	kpt_strbuf_putc(sb, ' ');
	if (line->options & KPT_OPT_RECORD_TGID) {
		if (line->tgid > 0)
			kpt_strbuf_printf(sb, "(%7d) ", line->tgid);
		else
			kpt_strbuf_puts(sb, "(-------) ");
	}
	kpt_strbuf_putc(sb, '[');
	kpt_strbuf_udec(sb, line->cpu, 3, '0');
	kpt_strbuf_puts(sb, "] ");
	if (line->options & KPT_OPT_IRQ_INFO)
		kpt_format_flags(sb, head);
}

static bool begin_is_of(const struct kpt_begin *b, const struct kpt_line *line,
			const struct kpt_record_head *head)
{
	return b->len && b->cpu == line->cpu && b->options == line->options &&
	       b->flags == head->flags && b->preempt_count == head->preempt_count;
}

/* Keep the end of the text, which began at @start, for other lines. */
static void begin_keep(struct kpt_begin *b, const struct kpt_line *line,
		       const struct kpt_record_head *head, const struct kpt_strbuf *sb,
		       size_t start)
{
	size_t len = sb->len - start;

	b->len = 0;
	if (sb->overflow || len > sizeof(b->text))
		return;
	b->cpu = line->cpu;
	b->options = line->options;
	b->flags = head->flags;
	b->preempt_count = head->preempt_count;
	b->len = (u16)len;
	memcpy(b->text, sb->buf + start, len);
}

static void context_put_default(struct kpt_strbuf *sb, const struct kpt_line *line,
				const struct kpt_record_head *head)
{
	struct kpt_begin *b = line->begin;
	size_t start = sb->len;

	if (b && begin_is_of(b, line, head)) {
		kpt_strbuf_add(sb, b->text, b->len);
	} else {
		context_put_task(sb, line, head);
		if (b)
			begin_keep(b, line, head, sb, start);
	}
	kpt_format_stamp(sb, line, line->ts);
	kpt_strbuf_puts(sb, ": ");
}

/**
 * kpt_format_mark() - the mark of a long time
 * @ns: the time
 *
 * Context: any.
 * Return: a character, blank if it is not long.
 */
char kpt_format_mark(u64 ns)
{
	static const char marks[] = "$@*#!+";
	u64 limit = 1000000000;
	unsigned int i;

	for (i = 0; marks[i]; i++, limit /= 10)
		if (ns > limit)
			return marks[i];
	return ' ';
}

static void context_put_latency_time(struct kpt_strbuf *sb, const struct kpt_line *line)
{
	unsigned long long ts = line->ts;
	unsigned long long abs = ts - line->start;
	unsigned long long rel = 0;

	if (line->next_ts > ts)
		rel = line->next_ts - ts;
	if (line->ts_in_ns) {
		abs = time_to_us(abs);
		rel = time_to_us(rel);
	}
	if (!(line->options & KPT_OPT_VERBOSE)) {
		if (line->ts_in_ns)
			kpt_strbuf_printf(sb, " %4lldus%c: ", abs,
					  kpt_format_mark(rel * 1000));
		else
			kpt_strbuf_printf(sb, " %4lld: ", abs);
		return;
	}
	if (line->ts_in_ns)
		kpt_strbuf_printf(sb,
				  "[%08llx] %lld.%03lldms (+%lld.%03lldms): ",
				  time_to_us(ts), abs / 1000, abs % 1000,
				  rel / 1000, rel % 1000);
	else
		kpt_strbuf_printf(sb, "[%016llx] %lld (+%lld): ", ts, abs, rel);
}

static void context_put_latency(struct kpt_strbuf *sb,
				const struct kpt_line *line,
				const struct kpt_record_head *head)
{
	if (line->options & KPT_OPT_VERBOSE) {
		kpt_format_comm(sb, line->options, line->comm, PORT_COMM_LEN, 16);
		kpt_strbuf_printf(sb, " %7d %3u %d %08x %08llx ", head->pid, line->cpu,
				  head->flags, head->preempt_count & 15,
				  (unsigned long long)line->index);
	} else {
		kpt_format_comm(sb, line->options, line->comm, 8, 8);
		kpt_strbuf_printf(sb, "-%-7d %3u", head->pid, line->cpu);
		kpt_format_flags(sb, head);
	}
	context_put_latency_time(sb, line);
}

/* The beginning of a line: task, CPU, flags, time. */
static void context_put(struct kpt_strbuf *sb, const struct kpt_line *line)
{
	struct kpt_record_head head = line_head(line);

	if (!(line->options & KPT_OPT_CONTEXT_INFO))
		return;
	if (line->options & KPT_OPT_LATENCY_FMT)
		context_put_latency(sb, line, &head);
	else
		context_put_default(sb, line, &head);
}

static void context_put_unformatted(struct kpt_strbuf *sb,
				    const struct kpt_line *line)
{
	unsigned long long ts = line->ts;
	s32 pid = line_head(line).pid;

	if (!(line->options & KPT_OPT_CONTEXT_INFO))
		return;
	if (line->options & KPT_OPT_BIN) {
		kpt_strbuf_add(sb, (const char *)&pid, sizeof(pid));
		kpt_strbuf_add(sb, (const char *)&line->cpu, sizeof(line->cpu));
		kpt_strbuf_add(sb, (const char *)&line->ts, sizeof(line->ts));
	} else if (line->options & KPT_OPT_HEX) {
		kpt_strbuf_printf(sb, "%08x %08x %016llx ", (u32)pid, line->cpu,
				  ts);
	} else {
		kpt_strbuf_printf(sb, "%d %u %llu ", pid, line->cpu, ts);
	}
}

/* A line with option bin, hex or raw: of most events only the number. */
static void line_put_unformatted(struct kpt_strbuf *sb, const struct kpt_line *line)
{
	u32 shown_as = line->options & (KPT_OPT_BIN | KPT_OPT_HEX);

	context_put_unformatted(sb, line);
	if (!shown_as && line->fields->head->has_raw_text) {
		kpt_format_record(sb, line);
		return;
	}
	kpt_strbuf_printf(sb, "type: %u\n", line_head(line).type);
	if (shown_as == KPT_OPT_HEX)
		kpt_strbuf_putc(sb, '\n');
}

/* As the kernel's isprint(), for which Latin-1 is printable. */
static bool char_is_printable(u8 c)
{
	return (c >= 32 && c < 127) || c >= 160;
}

static bool char_is_printable_ascii(u8 c)
{
	return c < 128 && char_is_printable(c);
}

/* A string that is not all printable: with dots, then its bytes in hex. */
static void raw_put_bytes(struct kpt_strbuf *sb, const u8 *s, u32 len)
{
	u32 i;

	for (i = 0; i < len; i++)
		kpt_strbuf_putc(sb, char_is_printable_ascii(s[i]) ? s[i] : '.');
	for (i = 0; i < len; i++)
		kpt_strbuf_printf(sb, "%s%02x", i ? ":" : " (", s[i]);
	kpt_strbuf_putc(sb, ')');
}

static void raw_put_text(struct kpt_strbuf *sb, const struct kpt_line *line,
			 const struct kpt_field_ref *ref)
{
	size_t len, i;
	const u8 *s = (const u8 *)kpt_field_data(ref, line->record, line->size,
						 &len);

	if (!s) {
		kpt_strbuf_puts(sb, "<OVERFLOW>");
		return;
	}
	for (i = 0; i < len && !(line->options & KPT_OPT_ESCAPE_TEXT); i++) {
		if (s[i] && !char_is_printable_ascii(s[i])) {
			raw_put_bytes(sb, s, len);
			return;
		}
	}
	kpt_format_text(sb, line->options, (const char *)s, strnlen((const char *)s, len));
}

/* A string in the fixed part, up to its NUL: as mainline, whatever its bytes are. */
static void raw_put_chars(struct kpt_strbuf *sb, const struct kpt_line *line,
			  const struct kpt_field_ref *ref)
{
	size_t len;
	const char *s = kpt_field_text(ref, line->record, line->size, &len);

	kpt_format_text(sb, line->options, s, len);
}

static void raw_put_array(struct kpt_strbuf *sb, const struct kpt_line *line,
			  const struct kpt_field_ref *ref)
{
	size_t len, i;
	const u8 *s = (const u8 *)kpt_field_data(ref, line->record, line->size,
						 &len);

	if (!s)
		kpt_strbuf_puts(sb, "<OVERFLOW>");
	for (i = 0; s && i < len; i++)
		kpt_strbuf_printf(sb, "%s%02x", i ? "," : "", s[i]);
}

static void raw_put_number(struct kpt_strbuf *sb, const struct kpt_line *line,
			   const struct kpt_field_ref *ref)
{
	struct kpt_field_ref as_unsigned = *ref;
	unsigned long long v;

	if (!kpt_field_is_number(ref)) {
		kpt_strbuf_puts(sb, "<INVALID-SIZE>");
		return;
	}
	as_unsigned.is_signed = false;
	v = kpt_field_number(&as_unsigned, line->record);
	if (ref->size == 8) {
		kpt_format_symbol(sb, line, v);
		kpt_strbuf_printf(sb, " (%lld)", (long long)v);
	} else if (ref->size > 1) {
		kpt_strbuf_printf(sb, "0x%llx (%d)", v, (int)v);
	} else {
		if (char_is_printable(v))
			line_put_char(sb, line, (char)v);
		kpt_strbuf_printf(sb, "(%d)", (int)v);
	}
}

static void raw_put_field(struct kpt_strbuf *sb, const struct kpt_line *line,
			  const char *name, const struct kpt_field_ref *ref)
{
	kpt_strbuf_printf(sb, " %s=", name);
	if (!kpt_line_has(line, ref))
		kpt_strbuf_puts(sb, "<OVERFLOW>");
	else if (ref->kind == KPT_FIELD_CHARS)
		raw_put_chars(sb, line, ref);
	else if (ref->kind == KPT_FIELD_TEXT || ref->kind == KPT_FIELD_REL_TEXT)
		raw_put_text(sb, line, ref);
	else if (ref->kind == KPT_FIELD_BYTES || ref->kind == KPT_FIELD_REL_BYTES ||
		 ref->kind == KPT_FIELD_MASK)
		raw_put_array(sb, line, ref);
	else if (ref->kind == KPT_FIELD_STACK)
		kpt_strbuf_puts(sb, "<INVALID-TYPE>");
	else
		raw_put_number(sb, line, ref);
}

/**
 * kpt_format_fields() - write every field by its size, whatever its type
 * @sb: where to write
 * @line: the record
 *
 * Of an array of strings, only the first is shown.
 *
 * Context: process context.
 */
void kpt_format_fields(struct kpt_strbuf *sb, const struct kpt_line *line)
{
	const struct kpt_fields *fields = line->fields;
	struct kpt_field_ref ref;
	unsigned int i;

	kpt_strbuf_printf(sb, "%s:", line->event);
	for (i = 0; i < fields->head->nr; i++)
		raw_put_field(sb, line, fields->head->field[i].name,
			      &fields->head->field[i].ref);
	for (i = 0; i < fields->nr; i++) {
		ref = kpt_field_whole(&fields->field[i]);
		raw_put_field(sb, line, fields->field[i].name, &ref);
	}
}

/* A line with option fields. */
static void line_put_fields(struct kpt_strbuf *sb, const struct kpt_line *line)
{
	if (line->fields->head->is_builtin)
		kpt_strbuf_printf(sb, "UNKNOWN TYPE %u", line_head(line).type);
	else
		kpt_format_fields(sb, line);
	kpt_strbuf_putc(sb, '\n');
}

/* Replace the end of a line that began at @start and did not fit. */
static void line_end_cut(struct kpt_strbuf *sb, size_t start)
{
	size_t room = sb->size - 1 - start;
	size_t n = min(room, sizeof(too_big) - 1);

	sb->len = min(sb->len, sb->size - 1 - n);
	kpt_strbuf_add(sb, too_big + sizeof(too_big) - 1 - n, n);
}

/**
 * kpt_format_marker() - write a text that a program wrote, not where it did
 * @sb: where to write
 * @line: a record of type KPT_RECORD_PRINT, with fields
 *
 * Context: any.
 */
void kpt_format_marker(struct kpt_strbuf *sb, const struct kpt_line *line)
{
	const struct kpt_head *head = line->fields->head;
	size_t len;
	const char *text = kpt_field_text(&head->field[head->nr - 1].ref, line->record,
					  line->size, &len);

	if (len && text[len - 1] == '\n')
		len--;
	kpt_format_text(sb, line->options, text, len);
}

/* Is only the text of a record shown? */
static bool line_is_text(const struct kpt_line *line)
{
	const u64 both = KPT_OPT_MSG_ONLY | KPT_OPT_TRACE_PRINTK;

	return (line->options & both) == both && line->fields &&
	       line_head(line).type == KPT_RECORD_PRINT;
}

static void line_put(struct kpt_strbuf *sb, const struct kpt_line *line)
{
	u32 unformatted = KPT_OPT_BIN | KPT_OPT_HEX | KPT_OPT_RAW;

	if (line_is_text(line)) {
		kpt_format_marker(sb, line);
		return;
	}
	if (line->fields && line->options & unformatted) {
		line_put_unformatted(sb, line);
		return;
	}
	context_put(sb, line);
	if (!line->fields)
		kpt_strbuf_printf(sb, "Unknown type %u\n",
				  line_head(line).type);
	else if (line->options & KPT_OPT_FIELDS)
		line_put_fields(sb, line);
	else
		kpt_format_record(sb, line);
}

/**
 * kpt_format_line() - write a record as a line of trace, newline included
 * @sb: where to write
 * @line: the record
 *
 * Any bytes in the record give a terminated line: offsets and lengths are
 * checked, and data outside the record is shown as <OVERFLOW>. A line that does
 * not fit is cut and ends with "[LINE TOO BIG]". @sb->overflow is then set, so
 * that the caller can try again with more room.
 *
 * The text is that of Linux 7.3, its oddities included: with KPT_OPT_FIELDS,
 * an array that has the size of a number is shown as one number.
 *
 * Context: process context.
 */
void kpt_format_line(struct kpt_strbuf *sb, const struct kpt_line *line)
{
	bool overflow = sb->overflow;
	size_t start = sb->len;

	sb->overflow = false;
	line_put(sb, line);
	if (sb->overflow)
		line_end_cut(sb, start);
	sb->overflow |= overflow;
}
