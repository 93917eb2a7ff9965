/* SPDX-License-Identifier: GPL-2.0-only */
/* Records to lines of trace, fields to format files. */
#ifndef KPTRACE_FORMAT_H
#define KPTRACE_FORMAT_H

#include "lib/record.h"
#include "lib/strbuf.h"

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
 * @fields: its shape, NULL if no event has the number in @record
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
 * kpt_line_has() - is a number of a record all there?
 * @line: the record, of any bytes
 * @ref: the number
 *
 * Context: any.
 * Return: true if kpt_field_number() may read it.
 */
static inline bool kpt_line_has(const struct kpt_line *line,
				const struct kpt_field_ref *ref)
{
	return kpt_field_base(ref) + sizeof(u64) <= line->size;
}

/**
 * kpt_line_number() - a number of a record
 * @line: the record, of any bytes
 * @ref: the number
 *
 * Context: any.
 * Return: the number; 0 if it is not all there.
 */
static inline u64 kpt_line_number(const struct kpt_line *line,
				  const struct kpt_field_ref *ref)
{
	return kpt_line_has(line, ref) ? kpt_field_number(ref, line->record) : 0;
}

void kpt_format_line(struct kpt_strbuf *sb, const struct kpt_line *line);
void kpt_format_symbol(struct kpt_strbuf *sb, const struct kpt_line *line,
		       u64 addr);
void kpt_format_address(struct kpt_strbuf *sb, const struct kpt_line *line,
			u64 addr, u32 options);
void kpt_format_header(struct kpt_strbuf *sb, u64 entries, u64 written,
		       unsigned int cpus, u32 options);
void kpt_format_latency_header(struct kpt_strbuf *sb, const char *release,
			       const char *model, u64 entries, u64 written,
			       unsigned int cpus, u32 options);
void kpt_format_file(struct kpt_strbuf *sb, const char *event, u32 id,
		     const struct kpt_fields *fields);

#endif
