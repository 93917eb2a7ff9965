/* SPDX-License-Identifier: GPL-2.0-only */
/* Records to lines of trace, fields to format files. */
#ifndef KPTRACE_FORMAT_H
#define KPTRACE_FORMAT_H

#include <kptrace/record.h>
#include <kptrace/strbuf.h>

/* Trace options that change output; bit numbers are ours. */
#define KPT_OPT_CONTEXT_INFO	BIT(0)
#define KPT_OPT_IRQ_INFO	BIT(1)
#define KPT_OPT_RECORD_TGID	BIT(2)
#define KPT_OPT_VERBOSE		BIT(3)
#define KPT_OPT_SYM_OFFSET	BIT(4)
#define KPT_OPT_SYM_ADDR	BIT(5)
#define KPT_OPT_RAW		BIT(6)
#define KPT_OPT_HEX		BIT(7)
#define KPT_OPT_BIN		BIT(8)
#define KPT_OPT_FIELDS		BIT(9)
#define KPT_OPT_LATENCY_FMT	BIT(10)
#define KPT_OPT_HASH_PTR	BIT(11)
#define KPT_OPT_ANNOTATE	BIT(12)
#define KPT_OPT_MARKERS		BIT(13)
#define KPT_OPT_EVENT_FORK	BIT(14)
#define KPT_OPT_STACKTRACE	BIT(15)
#define KPT_OPT_DISABLE_ON_FREE	BIT(16)
#define KPT_OPT_PRINT_PARENT	BIT(17)

/** KPT_SYMBOL_BITS - of how many names struct kpt_symbols keeps */
#define KPT_SYMBOL_BITS 4

/**
 * struct kpt_symbol - the name of an address
 * @addr: the address
 * @len: characters of @text, 0 while it is unused
 * @text: what port_symbol_name() wrote; longer ones are not kept
 */
struct kpt_symbol {
	u64 addr;
	u32 len;
	char text[116];
};

/**
 * struct kpt_symbols - names that were looked up lately
 * @symbol: by a hash of the address
 *
 * To find a name, of a module above all, takes longer than all the rest of a
 * line, and lines are about few places. Names are kept by each reader for as
 * long as no module can go; all zeros is empty.
 */
struct kpt_symbols {
	struct kpt_symbol symbol[1 << KPT_SYMBOL_BITS];
};

/**
 * struct kpt_line - one record with all that a line of trace shows of it
 * @event: name of the event
 * @fields: its shape
 * @record: the bytes, as copied out of the ring
 * @size: how many
 * @comm: name of the task, "<...>" if it is not known, "<idle>" for pid 0
 * @tgid: its thread group, -1 if not known
 * @cpu: where it was recorded
 * @ts: time in the unit of the clock
 * @ts_in_ns: @ts is in ns, shown as seconds.microseconds
 * @options: KPT_OPT_*
 * @start: when the buffer was last cleared; of KPT_OPT_LATENCY_FMT alone, as
 *	are the next two
 * @next_ts: time of the next record, anything less than @ts if there is none
 * @index: how many lines were shown before
 * @symbols: names to look into first, or NULL
 */
struct kpt_line {
	const char *event;
	const struct kpt_fields *fields;
	const void *record;
	size_t size;
	const char *comm;
	s32 tgid;
	u32 cpu;
	u64 ts;
	bool ts_in_ns;
	u32 options;
	u64 start;
	u64 next_ts;
	u64 index;
	struct kpt_symbols *symbols;
};

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
void kpt_format_line(struct kpt_strbuf *sb, const struct kpt_line *line);

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
void kpt_format_context(struct kpt_strbuf *sb, const struct kpt_line *line);

/**
 * kpt_format_stack() - a stack trace as lines of trace
 * @sb: where to
 * @line: a record of type KPT_RECORD_STACK; its event and fields are not
 *	looked at
 *
 * Context: process context.
 */
void kpt_format_stack(struct kpt_strbuf *sb, const struct kpt_line *line);

/**
 * kpt_format_print() - what was written to trace_marker
 * @sb: where to
 * @line: a record of type KPT_RECORD_PRINT; its event is not looked at, its
 *	fields are NULL
 *
 * Context: process context.
 */
void kpt_format_print(struct kpt_strbuf *sb, const struct kpt_line *line);

/**
 * kpt_format_raw_data() - what was written to trace_marker_raw
 * @sb: where to
 * @line: a record of type KPT_RECORD_RAW_DATA, as for kpt_format_print()
 *
 * Context: process context.
 */
void kpt_format_raw_data(struct kpt_strbuf *sb, const struct kpt_line *line);

/**
 * kpt_format_symbol() - the symbol an address belongs to, with offset and size
 * @sb: where to
 * @line: the record it is about; only @line->symbols is looked at
 * @addr: the address
 *
 * Context: process context.
 */
void kpt_format_symbol(struct kpt_strbuf *sb, const struct kpt_line *line,
		       u64 addr);

/**
 * kpt_format_address() - a code address, as a line of trace shows it
 * @sb: where to
 * @line: as for kpt_format_symbol()
 * @addr: the address
 * @options: KPT_OPT_SYM_OFFSET and KPT_OPT_SYM_ADDR matter
 *
 * Context: process context.
 */
void kpt_format_address(struct kpt_strbuf *sb, const struct kpt_line *line,
			u64 addr, u32 options);

/**
 * kpt_format_header() - the comment block at the top of trace
 * @sb: where to
 * @entries: records in the buffer
 * @written: records written so far
 * @cpus: online CPUs
 * @options: KPT_OPT_*, KPT_OPT_LATENCY_FMT is not looked at
 *
 * Context: process context.
 */
void kpt_format_header(struct kpt_strbuf *sb, u64 entries, u64 written,
		       unsigned int cpus, u32 options);

/**
 * kpt_format_latency_header() - the same for KPT_OPT_LATENCY_FMT
 * @sb: where to
 * @release: of the kernel, as uname shows it
 * @model: its preemption model, as the kernel calls it ("PREEMPTLAZY")
 * @entries: records in the buffer
 * @written: records written so far
 * @cpus: online CPUs
 * @options: KPT_OPT_*
 *
 * Context: process context.
 */
void kpt_format_latency_header(struct kpt_strbuf *sb, const char *release,
			       const char *model, u64 entries, u64 written,
			       unsigned int cpus, u32 options);

/**
 * kpt_format_file() - the text of an event's format file
 * @sb: where to
 * @event: name of the event
 * @id: its number
 * @fields: its shape
 *
 * As Linux 7.3 writes it: the length of an array is not in its declaration,
 * only in the size.
 *
 * Context: process context.
 */
void kpt_format_file(struct kpt_strbuf *sb, const char *event, u32 id,
		     const struct kpt_fields *fields);

/**
 * kpt_format_other_file() - the text of the format file of what is no probe
 * @sb: where to
 * @type: KPT_RECORD_STACK, _PRINT or _RAW_DATA
 *
 * Context: process context.
 */
void kpt_format_other_file(struct kpt_strbuf *sb, u16 type);

#endif
