// SPDX-License-Identifier: GPL-2.0-only
/*
 * Records as lines of trace.
 *
 * The bytes of a record come from a ring that a CPU may be writing to and that
 * people may read as they like; nothing in them is trusted.
 */
#include <kptrace/port.h>
#include "lib/format.h"

static const char too_big[] = "[LINE TOO BIG]\n";

/* The common fields; of a record cut short, with zeroes. */
static struct kpt_record_head record_head(const struct kpt_line *line)
{
	struct kpt_record_head head = { 0 };

	memcpy(&head, line->record, min(line->size, sizeof(head)));
	return head;
}

static void put_text(struct kpt_strbuf *sb, const struct kpt_line *line,
		     const struct kpt_field_ref *ref)
{
	size_t len;
	const char *s = kpt_field_data(ref, line->record, line->size, &len);

	if (!len) {
		kpt_strbuf_puts(sb, "(fault)");
	} else if (!s) {
		kpt_strbuf_puts(sb, "<OVERFLOW>");
	} else {
		kpt_strbuf_putc(sb, '"');
		kpt_strbuf_add(sb, s, strnlen(s, len));
		kpt_strbuf_putc(sb, '"');
	}
}

static void put_number(struct kpt_strbuf *sb, const struct kpt_line *line,
		       u8 type, const struct kpt_field_ref *ref)
{
	unsigned long long v = kpt_field_number(ref, line->record);

	switch (type) {
	case KPT_TYPE_SYMBOL:
		kpt_format_symbol(sb, line, v);
		break;
	case KPT_TYPE_CHAR:
		kpt_strbuf_printf(sb, "'%c'", (int)v);
		break;
	case KPT_TYPE_X8 ... KPT_TYPE_X64:
		kpt_strbuf_printf(sb, "0x%llx", v);
		break;
	case KPT_TYPE_S8 ... KPT_TYPE_S64:
		kpt_strbuf_printf(sb, "%lld", v);
		break;
	default:
		kpt_strbuf_printf(sb, "%llu", v);
	}
}

static void put_element(struct kpt_strbuf *sb, const struct kpt_line *line,
			const struct kpt_field *f, unsigned int i)
{
	struct kpt_field_ref ref = kpt_field_element(f, i);

	if (ref.kind == KPT_FIELD_TEXT)
		put_text(sb, line, &ref);
	else
		put_number(sb, line, f->type, &ref);
}

static void put_argument(struct kpt_strbuf *sb, const struct kpt_line *line,
			 const struct kpt_field *f)
{
	struct kpt_field_ref whole = kpt_field_whole(f);
	unsigned int i;

	kpt_strbuf_printf(sb, " %s=", f->name);
	if (!kpt_line_has(line, &whole)) {
		kpt_strbuf_puts(sb, "<OVERFLOW>");
		return;
	}
	if (!f->count) {
		put_element(sb, line, f, 0);
		return;
	}
	for (i = 0; i < f->count; i++) {
		kpt_strbuf_putc(sb, i ? ',' : '{');
		put_element(sb, line, f, i);
	}
	kpt_strbuf_putc(sb, '}');
}

static void put_record(struct kpt_strbuf *sb, const struct kpt_line *line)
{
	unsigned int i;

	line->fields->head->put(sb, line);
	for (i = 0; i < line->fields->nr; i++)
		put_argument(sb, line, &line->fields->field[i]);
	kpt_strbuf_putc(sb, '\n');
}

static char irqs_letter(u8 flags)
{
	if (flags & KPT_FLAG_IRQS_OFF)
		return flags & KPT_FLAG_BH_OFF ? 'D' : 'd';
	return flags & KPT_FLAG_BH_OFF ? 'b' : '.';
}

static char resched_letter(u8 flags)
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

static char context_letter(u8 flags)
{
	bool hard = flags & KPT_FLAG_HARDIRQ;
	bool soft = flags & KPT_FLAG_SOFTIRQ;

	if (flags & KPT_FLAG_NMI)
		return hard ? 'Z' : 'z';
	if (hard)
		return soft ? 'H' : 'h';
	return soft ? 's' : '.';
}

/* The five columns that trace's header explains. */
static void put_flags(struct kpt_strbuf *sb, const struct kpt_record_head *head)
{
	static const char depth[] = ".123456789abcdef";
	char letters[5] = {
		irqs_letter(head->flags),
		resched_letter(head->flags),
		context_letter(head->flags),
		depth[head->preempt_count & 15],
		depth[head->preempt_count >> 4],
	};

	kpt_strbuf_add(sb, letters, sizeof(letters));
}

/* Rounded, not cut: as the kernel and libtraceevent do. */
static unsigned long long to_us(u64 ns)
{
	return (ns + 500) / 1000;
}

static void put_context(struct kpt_strbuf *sb, const struct kpt_line *line,
			const struct kpt_record_head *head)
{
	unsigned long long us = to_us(line->ts);

	kpt_strbuf_printf(sb, "%16s-%-7d ", line->comm, head->pid);
	if (line->options & KPT_OPT_RECORD_TGID) {
		if (line->tgid > 0)
			kpt_strbuf_printf(sb, "(%7d) ", line->tgid);
		else
			kpt_strbuf_puts(sb, "(-------) ");
	}
	kpt_strbuf_printf(sb, "[%03u] ", line->cpu);
	if (line->options & KPT_OPT_IRQ_INFO)
		put_flags(sb, head);
	if (line->ts_in_ns)
		kpt_strbuf_printf(sb, " %5llu.%06llu: ", us / 1000000,
				  us % 1000000);
	else
		kpt_strbuf_printf(sb, " %12llu: ",
				  (unsigned long long)line->ts);
}

/* Marks a long time until the next record. */
static char delay_mark(u64 us)
{
	if (us > 1000000)
		return '$';
	if (us > 100000)
		return '@';
	if (us > 10000)
		return '*';
	if (us > 1000)
		return '#';
	if (us > 100)
		return '!';
	return us > 10 ? '+' : ' ';
}

static void put_latency_time(struct kpt_strbuf *sb, const struct kpt_line *line)
{
	unsigned long long ts = line->ts;
	unsigned long long abs = ts - line->start;
	unsigned long long rel = 0;

	if (line->next_ts > ts)
		rel = line->next_ts - ts;
	if (line->ts_in_ns) {
		abs = to_us(abs);
		rel = to_us(rel);
	}
	if (!(line->options & KPT_OPT_VERBOSE)) {
		if (line->ts_in_ns)
			kpt_strbuf_printf(sb, " %4lldus%c: ", abs,
					  delay_mark(rel));
		else
			kpt_strbuf_printf(sb, " %4lld: ", abs);
		return;
	}
	if (line->ts_in_ns)
		kpt_strbuf_printf(sb,
				  "[%08llx] %lld.%03lldms (+%lld.%03lldms): ",
				  to_us(ts), abs / 1000, abs % 1000,
				  rel / 1000, rel % 1000);
	else
		kpt_strbuf_printf(sb, "[%016llx] %lld (+%lld): ", ts, abs, rel);
}

static void put_latency_context(struct kpt_strbuf *sb,
				const struct kpt_line *line,
				const struct kpt_record_head *head)
{
	if (line->options & KPT_OPT_VERBOSE) {
		kpt_strbuf_printf(sb, "%16s %7d %3u %d %08x %08llx ",
				  line->comm, head->pid, line->cpu,
				  head->flags, head->preempt_count & 15,
				  (unsigned long long)line->index);
	} else {
		kpt_strbuf_printf(sb, "%8.8s-%-7d %3u", line->comm, head->pid,
				  line->cpu);
		put_flags(sb, head);
	}
	put_latency_time(sb, line);
}

/* What stands before the event: task, CPU, flags, time. */
static void put_any_context(struct kpt_strbuf *sb, const struct kpt_line *line)
{
	struct kpt_record_head head = record_head(line);

	if (!(line->options & KPT_OPT_CONTEXT_INFO))
		return;
	if (line->options & KPT_OPT_LATENCY_FMT)
		put_latency_context(sb, line, &head);
	else
		put_context(sb, line, &head);
}

static void put_unformatted_context(struct kpt_strbuf *sb,
				    const struct kpt_line *line)
{
	unsigned long long ts = line->ts;
	s32 pid = record_head(line).pid;

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

/* Options bin, hex and raw: of most events only the number. */
static void put_unformatted(struct kpt_strbuf *sb, const struct kpt_line *line)
{
	u32 shown_as = line->options & (KPT_OPT_BIN | KPT_OPT_HEX);

	put_unformatted_context(sb, line);
	if (!shown_as && line->fields->head->has_raw_text) {
		put_record(sb, line);
		return;
	}
	kpt_strbuf_printf(sb, "type: %u\n", record_head(line).type);
	if (shown_as == KPT_OPT_HEX)
		kpt_strbuf_putc(sb, '\n');
}

/* As the kernel's isprint(): Latin-1 counts. */
static bool is_printable(u8 c)
{
	return (c >= 32 && c < 127) || c >= 160;
}

static bool is_printable_ascii(u8 c)
{
	return c < 128 && is_printable(c);
}

/* A string with other characters in it, and all its bytes in hex. */
static void put_bytes(struct kpt_strbuf *sb, const u8 *s, u32 len)
{
	u32 i;

	for (i = 0; i < len; i++)
		kpt_strbuf_putc(sb, is_printable_ascii(s[i]) ? s[i] : '.');
	for (i = 0; i < len; i++)
		kpt_strbuf_printf(sb, "%s%02x", i ? ":" : " (", s[i]);
	kpt_strbuf_putc(sb, ')');
}

static void put_raw_text(struct kpt_strbuf *sb, const struct kpt_line *line,
			 const struct kpt_field_ref *ref)
{
	size_t len, i;
	const u8 *s = (const u8 *)kpt_field_data(ref, line->record, line->size,
						 &len);

	if (!s) {
		kpt_strbuf_puts(sb, "<OVERFLOW>");
		return;
	}
	for (i = 0; i < len; i++) {
		if (s[i] && !is_printable_ascii(s[i])) {
			put_bytes(sb, s, len);
			return;
		}
	}
	kpt_strbuf_add(sb, (const char *)s, strnlen((const char *)s, len));
}

static void put_raw_number(struct kpt_strbuf *sb, const struct kpt_line *line,
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
		if (is_printable(v))
			kpt_strbuf_printf(sb, "'%c'", (int)v);
		kpt_strbuf_printf(sb, "(%d)", (int)v);
	}
}

static void put_raw_field(struct kpt_strbuf *sb, const struct kpt_line *line,
			  const char *name, const struct kpt_field_ref *ref)
{
	kpt_strbuf_printf(sb, " %s=", name);
	if (!kpt_line_has(line, ref))
		kpt_strbuf_puts(sb, "<OVERFLOW>");
	else if (ref->kind == KPT_FIELD_TEXT)
		put_raw_text(sb, line, ref);
	else
		put_raw_number(sb, line, ref);
}

/*
 * Option fields: every field by its size, whatever its type. Of an array of
 * strings only the first shows.
 */
static void put_fields(struct kpt_strbuf *sb, const struct kpt_line *line)
{
	const struct kpt_fields *fields = line->fields;
	struct kpt_field_ref ref;
	unsigned int i;

	if (fields->head->is_builtin) {
		kpt_strbuf_printf(sb, "UNKNOWN TYPE %u\n",
				  record_head(line).type);
		return;
	}
	kpt_strbuf_printf(sb, "%s:", line->event);
	for (i = 0; i < fields->head->nr; i++)
		put_raw_field(sb, line, fields->head->field[i].name,
			      &fields->head->field[i].ref);
	for (i = 0; i < fields->nr; i++) {
		ref = kpt_field_whole(&fields->field[i]);
		put_raw_field(sb, line, fields->field[i].name, &ref);
	}
	kpt_strbuf_putc(sb, '\n');
}

/* Replaces the end of a line that was cut, as far as it began at @start. */
static void end_cut_line(struct kpt_strbuf *sb, size_t start)
{
	size_t room = sb->size - 1 - start;
	size_t n = min(room, sizeof(too_big) - 1);

	sb->len = min(sb->len, sb->size - 1 - n);
	kpt_strbuf_add(sb, too_big + sizeof(too_big) - 1 - n, n);
}

static void put_line(struct kpt_strbuf *sb, const struct kpt_line *line)
{
	u32 unformatted = KPT_OPT_BIN | KPT_OPT_HEX | KPT_OPT_RAW;

	if (line->fields && line->options & unformatted) {
		put_unformatted(sb, line);
		return;
	}
	put_any_context(sb, line);
	if (!line->fields)
		kpt_strbuf_printf(sb, "Unknown type %u\n",
				  record_head(line).type);
	else if (line->options & KPT_OPT_FIELDS)
		put_fields(sb, line);
	else
		put_record(sb, line);
}

/**
 * kpt_format_line() - one record as a line of trace, newline included
 * @sb: where to
 * @line: the record
 *
 * Any bytes in the record give a terminated line; offsets and lengths in it
 * are checked, and what lies outside shows as <OVERFLOW>. A line that does not
 * fit is cut and ends with "[LINE TOO BIG]"; @sb->overflow is set then, so that
 * the caller can try again with more room.
 *
 * The text is that of Linux 7.3, its oddities included: with KPT_OPT_FIELDS
 * an array is shown as one number if it has the size of one.
 *
 * Context: process context.
 */
void kpt_format_line(struct kpt_strbuf *sb, const struct kpt_line *line)
{
	bool overflow = sb->overflow;
	size_t start = sb->len;

	sb->overflow = false;
	put_line(sb, line);
	if (sb->overflow)
		end_cut_line(sb, start);
	sb->overflow |= overflow;
}
