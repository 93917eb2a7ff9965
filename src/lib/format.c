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

/* Bytes of the record from @offset, or NULL if they are not all there. */
static const u8 *record_bytes(const struct kpt_line *line, size_t offset,
			      size_t size)
{
	if (offset > line->size || size > line->size - offset)
		return NULL;
	return (const u8 *)line->record + offset;
}

static u64 load(const u8 *p, size_t size)
{
	u64 v = 0;

	memcpy(&v, p, size);	/* little endian */
	return v;
}

/* Head of a p or r record; of a record cut short, with zeroes. */
static struct kpt_record_return record_head(const struct kpt_line *line)
{
	struct kpt_record_return head = { 0 };

	memcpy(&head, line->record, min(line->size, sizeof(head)));
	return head;
}

static void put_text(struct kpt_strbuf *sb, const struct kpt_line *line,
		     const u8 *p)
{
	u32 loc = (u32)load(p, sizeof(loc));
	u32 len = kpt_data_loc_len(loc);
	const char *s;

	s = (const char *)record_bytes(line, kpt_data_loc_offset(loc), len);
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

static void put_value(struct kpt_strbuf *sb, const struct kpt_line *line,
		      u8 type, const u8 *p)
{
	const struct kpt_type_info *info = &kpt_type_info[type];
	unsigned long long v = load(p, info->size);
	unsigned int unused = 64 - 8 * info->size;

	switch (type) {
	case KPT_TYPE_STRING:
	case KPT_TYPE_USTRING:
	case KPT_TYPE_SYMSTR:
		put_text(sb, line, p);
		break;
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
		kpt_strbuf_printf(sb, "%lld",
				  (long long)(v << unused) >> unused);
		break;
	default:
		kpt_strbuf_printf(sb, "%llu", v);
	}
}

static void put_field(struct kpt_strbuf *sb, const struct kpt_line *line,
		      const struct kpt_field *f)
{
	const u8 *p = record_bytes(line, f->offset, kpt_field_size(f));
	size_t size = kpt_type_info[f->type].size;
	unsigned int i;

	kpt_strbuf_printf(sb, " %s=", f->name);
	if (!p) {
		kpt_strbuf_puts(sb, "<OVERFLOW>");
		return;
	}
	if (!f->count) {
		put_value(sb, line, f->type, p);
		return;
	}
	for (i = 0; i < f->count; i++) {
		kpt_strbuf_putc(sb, i ? ',' : '{');
		put_value(sb, line, f->type, p + i * size);
	}
	kpt_strbuf_putc(sb, '}');
}

static void put_event(struct kpt_strbuf *sb, const struct kpt_line *line)
{
	struct kpt_record_return head = record_head(line);
	u32 offset = line->options | KPT_OPT_SYM_OFFSET;
	unsigned int i;

	kpt_strbuf_printf(sb, "%s: (", line->event);
	if (line->fields->is_return) {
		kpt_format_address(sb, line, head.ret_ip, offset);
		kpt_strbuf_puts(sb, " <- ");
		kpt_format_address(sb, line, head.func,
				   line->options & ~KPT_OPT_SYM_OFFSET);
	} else {
		/* struct kpt_record_probe has its ip in this place */
		kpt_format_address(sb, line, head.func, offset);
	}
	kpt_strbuf_putc(sb, ')');
	for (i = 0; i < line->fields->nr; i++)
		put_field(sb, line, &line->fields->field[i]);
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

/**
 * kpt_format_context() - what stands before the event: task, CPU, flags, time
 * @sb: where to
 * @line: the record; its event and fields are not looked at
 *
 * Nothing without KPT_OPT_CONTEXT_INFO. The caller checks that @line->size
 * covers struct kpt_record_head.
 *
 * Context: process context.
 */
void kpt_format_context(struct kpt_strbuf *sb, const struct kpt_line *line)
{
	struct kpt_record_return record = record_head(line);

	if (!(line->options & KPT_OPT_CONTEXT_INFO))
		return;
	if (line->options & KPT_OPT_LATENCY_FMT)
		put_latency_context(sb, line, &record.head);
	else
		put_context(sb, line, &record.head);
}

static void put_unformatted_context(struct kpt_strbuf *sb,
				    const struct kpt_line *line, s32 pid)
{
	unsigned long long ts = line->ts;

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

/* Options bin, hex and raw, in this order: of the event only its number. */
static void put_unformatted(struct kpt_strbuf *sb, const struct kpt_line *line)
{
	struct kpt_record_head head = record_head(line).head;

	if (line->options & KPT_OPT_CONTEXT_INFO)
		put_unformatted_context(sb, line, head.pid);
	kpt_strbuf_printf(sb, "type: %u\n", head.type);
	if ((line->options & (KPT_OPT_BIN | KPT_OPT_HEX)) == KPT_OPT_HEX)
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
			 u32 loc)
{
	u32 len = kpt_data_loc_len(loc);
	const u8 *s = record_bytes(line, kpt_data_loc_offset(loc), len);
	u32 i;

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
			   const u8 *p, size_t size)
{
	unsigned long long v;

	if (size > 8 || (size & (size - 1))) {
		kpt_strbuf_puts(sb, "<INVALID-SIZE>");
		return;
	}
	v = load(p, size);
	if (size == 8) {
		kpt_format_symbol(sb, line, v);
		kpt_strbuf_printf(sb, " (%lld)", (long long)v);
	} else if (size > 1) {
		kpt_strbuf_printf(sb, "0x%llx (%d)", v, (int)v);
	} else {
		if (is_printable(v))
			kpt_strbuf_printf(sb, "'%c'", (int)v);
		kpt_strbuf_printf(sb, "(%d)", (int)v);
	}
}

static void put_raw_field(struct kpt_strbuf *sb, const struct kpt_line *line,
			  const char *name, size_t offset, size_t size,
			  bool is_text)
{
	const u8 *p = record_bytes(line, offset, size);

	kpt_strbuf_printf(sb, " %s=", name);
	if (!p)
		kpt_strbuf_puts(sb, "<OVERFLOW>");
	else if (is_text)
		put_raw_text(sb, line, (u32)load(p, 4));
	else
		put_raw_number(sb, line, p, size);
}

/*
 * Option fields: every field by its size, whatever its type. Of an array of
 * strings only the first shows.
 */
static void put_event_fields(struct kpt_strbuf *sb, const struct kpt_line *line)
{
	const struct kpt_field *f;
	unsigned int i;

	kpt_strbuf_printf(sb, "%s:", line->event);
	if (line->fields->is_return) {
		put_raw_field(sb, line, "__probe_func", 8, 8, false);
		put_raw_field(sb, line, "__probe_ret_ip", 16, 8, false);
	} else {
		put_raw_field(sb, line, "__probe_ip", 8, 8, false);
	}
	for (i = 0; i < line->fields->nr; i++) {
		f = &line->fields->field[i];
		put_raw_field(sb, line, f->name, f->offset, kpt_field_size(f),
			      kpt_type_info[f->type].is_dynamic);
	}
	kpt_strbuf_putc(sb, '\n');
}

/* Option fields knows those of probes only. */
static bool put_unknown(struct kpt_strbuf *sb, const struct kpt_line *line)
{
	if ((line->options & (KPT_OPT_FIELDS | KPT_OPT_RAW)) != KPT_OPT_FIELDS)
		return false;
	kpt_strbuf_printf(sb, "UNKNOWN TYPE %u\n", record_head(line).head.type);
	return true;
}

/* Replaces the end of a line that was cut, as far as it began at @start. */
static void end_cut_line(struct kpt_strbuf *sb, size_t start)
{
	size_t room = sb->size - 1 - start;
	size_t n = min(room, sizeof(too_big) - 1);

	sb->len = min(sb->len, sb->size - 1 - n);
	kpt_strbuf_add(sb, too_big + sizeof(too_big) - 1 - n, n);
}

static void put_stack(struct kpt_strbuf *sb, const struct kpt_line *line)
{
	size_t at = sizeof(struct kpt_record_stack);
	const u8 *p;
	u64 nr = 0;

	p = record_bytes(line, offsetof(struct kpt_record_stack, nr), 4);
	if (p)
		nr = load(p, 4);
	if (put_unknown(sb, line))
		return;
	kpt_strbuf_puts(sb, "<stack trace>\n");
	for (; nr && (p = record_bytes(line, at, 8)); nr--, at += 8) {
		kpt_strbuf_puts(sb, " => ");
		kpt_format_address(sb, line, load(p, 8), line->options);
		kpt_strbuf_putc(sb, '\n');
	}
}

/* The text, which brings its newline. */
static void put_print(struct kpt_strbuf *sb, const struct kpt_line *line)
{
	struct kpt_record_return head = record_head(line);
	size_t at = sizeof(struct kpt_record_print);
	size_t len = line->size > at ? line->size - at : 0;
	const char *s = (const char *)record_bytes(line, line->size - len, len);

	if (put_unknown(sb, line))
		return;
	/* struct kpt_record_print has its ip where this has func */
	if (line->options & KPT_OPT_RAW) {
		kpt_strbuf_printf(sb, "# %llx ", (unsigned long long)head.func);
	} else {
		kpt_format_address(sb, line, head.func, line->options);
		kpt_strbuf_puts(sb, ": ");
	}
	len = strnlen(s, len);
	kpt_strbuf_add(sb, s, len);
	if (!len || s[len - 1] != '\n')
		kpt_strbuf_putc(sb, '\n');
}

static void put_raw_data(struct kpt_strbuf *sb, const struct kpt_line *line)
{
	size_t at = sizeof(struct kpt_record_raw_data);
	const u8 *id = record_bytes(line, at - 4, 4), *p;

	if (put_unknown(sb, line))
		return;
	kpt_strbuf_printf(sb, "# %x buf:", id ? (u32)load(id, 4) : 0);
	for (; (p = record_bytes(line, at, 1)); at++)
		kpt_strbuf_printf(sb, " %02x", *p);
	kpt_strbuf_putc(sb, '\n');
}

/* Option raw shows numbers and the text, the two others only the type. */
static void put_raw_mark(struct kpt_strbuf *sb, const struct kpt_line *line)
{
	s32 pid = record_head(line).head.pid;

	if (line->options & KPT_OPT_CONTEXT_INFO)
		put_unformatted_context(sb, line, pid);
	if (record_head(line).head.type == KPT_RECORD_PRINT)
		put_print(sb, line);
	else
		put_raw_data(sb, line);
}

/* What all records have in common; @put writes what follows the context. */
static void format_record(struct kpt_strbuf *sb, const struct kpt_line *line,
			  void (*put)(struct kpt_strbuf *sb,
				      const struct kpt_line *line))
{
	u32 unformatted = line->options &
			  (KPT_OPT_BIN | KPT_OPT_HEX | KPT_OPT_RAW);
	bool overflow = sb->overflow;
	size_t start = sb->len;

	sb->overflow = false;
	if (unformatted == KPT_OPT_RAW &&
	    (put == put_print || put == put_raw_data)) {
		put_raw_mark(sb, line);
	} else if (unformatted) {
		put_unformatted(sb, line);
	} else {
		kpt_format_context(sb, line);
		put(sb, line);
	}
	if (sb->overflow)
		end_cut_line(sb, start);
	sb->overflow |= overflow;
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
	format_record(sb, line, line->options & KPT_OPT_FIELDS ?
				put_event_fields : put_event);
}

/**
 * kpt_format_stack() - a stack trace as lines of trace
 * @sb: where to
 * @line: a record of type KPT_RECORD_STACK; its event and fields are not
 *	looked at
 *
 * Context: process context.
 */
void kpt_format_stack(struct kpt_strbuf *sb, const struct kpt_line *line)
{
	format_record(sb, line, put_stack);
}

/**
 * kpt_format_print() - what was written to trace_marker
 * @sb: where to
 * @line: a record of type KPT_RECORD_PRINT; its event is not looked at, its
 *	fields are NULL
 *
 * Context: process context.
 */
void kpt_format_print(struct kpt_strbuf *sb, const struct kpt_line *line)
{
	format_record(sb, line, put_print);
}

/**
 * kpt_format_raw_data() - what was written to trace_marker_raw
 * @sb: where to
 * @line: a record of type KPT_RECORD_RAW_DATA, as for kpt_format_print()
 *
 * Context: process context.
 */
void kpt_format_raw_data(struct kpt_strbuf *sb, const struct kpt_line *line)
{
	format_record(sb, line, put_raw_data);
}
