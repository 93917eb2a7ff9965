/* SPDX-License-Identifier: GPL-2.0-only */
/* Lines of trace, and format files. */
#ifndef KPTRACE_FORMAT_H
#define KPTRACE_FORMAT_H

#include "lib/record/record.h"
#include "lib/base/strbuf.h"

/*
 * Trace options; the numbers of the bits are our own. What the headers of trace depend on
 * is below BIT(32).
 */
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
/* These three are next to each other, so that a hit tests all with one instruction. */
#define KPT_OPT_STACKTRACE	BIT(15)
#define KPT_OPT_FUNC_STACK	BIT(16)
#define KPT_OPT_USER_STACK	BIT(17)
#define KPT_OPT_STACKS		(KPT_OPT_STACKTRACE | KPT_OPT_FUNC_STACK | KPT_OPT_USER_STACK)
#define KPT_OPT_PRINT_PARENT	BIT(18)
#define KPT_OPT_FUNCTION_FORK	BIT(19)
#define KPT_OPT_GRAPH_CPU	BIT(20)
#define KPT_OPT_GRAPH_OVERHEAD	BIT(21)
#define KPT_OPT_GRAPH_PROC	BIT(22)
#define KPT_OPT_GRAPH_DURATION	BIT(23)
#define KPT_OPT_GRAPH_ABSTIME	BIT(24)
#define KPT_OPT_GRAPH_TAIL	BIT(25)
#define KPT_OPT_GRAPH_IRQS	BIT(26)
#define KPT_OPT_GRAPH_RETVAL	BIT(27)
#define KPT_OPT_GRAPH_RETVAL_HEX BIT(28)
#define KPT_OPT_SLEEP_TIME	BIT(29)
#define KPT_OPT_FUNC_ARGS	BIT(30)
#define KPT_OPT_GRAPH_ARGS	BIT(31)
#define KPT_OPT_GRAPH_RETADDR	BIT(32)
#define KPT_OPT_GRAPH_OVERRUN	BIT(33)
#define KPT_OPT_FUNC_NO_REPEATS	BIT(34)
#define KPT_OPT_TRACE_PRINTK	BIT(35)
#define KPT_OPT_MSG_ONLY	BIT(36)
#define KPT_OPT_SYM_USEROBJ	BIT(47)
#define KPT_OPT_DISABLE_ON_FREE	BIT(48)
/* These have no effect on what kptrace records and shows, as in mainline without its others. */
#define KPT_OPT_BLOCK		BIT(37)
#define KPT_OPT_FUNCTION_TRACE	BIT(39)
#define KPT_OPT_DISPLAY_GRAPH	BIT(40)
#define KPT_OPT_BLK_CLASSIC	BIT(41)
#define KPT_OPT_BLK_CGROUP	BIT(42)
#define KPT_OPT_BLK_CGNAME	BIT(43)
#define KPT_OPT_NOP_ACCEPT	BIT(44)
#define KPT_OPT_ESCAPE_TEXT	BIT(45)
#define KPT_OPT_SYM_CALLER	BIT(46)
#define KPT_OPT_STATIC_FIELDS	BIT(49)

struct kpt_btf;

/** KPT_SYMBOL_BITS - struct kpt_symbols keeps 2 to this power names */
#define KPT_SYMBOL_BITS 7

/**
 * struct kpt_symbol - the name of an address
 * @addr: the address
 * @round: kpt_symbols.round when it was looked up; if it @stays, kpt_symbols.modules
 * @len: characters of @text, 0 if the slot is empty
 * @is_caller: @text names the caller that returns to @addr
 * @stays: it is that of @addr until modules come or go
 * @text: result of port_symbol_name(), or port_caller_name(); longer names are not kept
 */
struct kpt_symbol {
	u64 addr;
	u32 round;
	u16 len;
	bool is_caller;
	bool stays;
	char text[112];
};

/** KPT_BEGINS - struct kpt_symbols keeps so many, a power of two */
#define KPT_BEGINS 16

/**
 * struct kpt_begin - what a line begins with, up to its time: the next one has the same as a rule
 * @round: kpt_symbols.round when the task was looked up
 * @pid: the task
 * @tgid: kpt_line.tgid
 * @cpu: kpt_line.cpu of @text
 * @options: kpt_line.options of @text
 * @flags: kpt_record_head.flags of @text
 * @preempt_count: kpt_record_head.preempt_count of @text
 * @len: characters of @text, 0 if there is none
 * @comm: kpt_line.comm
 * @text: the text; a longer one is not kept
 */
struct kpt_begin {
	u32 round;
	s32 pid;
	s32 tgid;
	u32 cpu;
	u64 options;
	u8 flags;
	u8 preempt_count;
	u16 len;
	char comm[PORT_COMM_LEN];
	char text[64];
};

/**
 * struct kpt_symbols - what a reader keeps for its next lines
 * @round: what was looked up in other rounds is not used, but for names that stay
 * @modules: a number that is another one if modules have come or gone
 * @begin: by task and CPU
 * @symbol: slots by a hash of the address
 *
 * Looking up a name, in modules above all, takes several times as long as the rest
 * of a line, and many lines are about few addresses and tasks. A reader begins another round
 * after a time in which tasks may have other names, and code that is made at run time may be gone.
 */
struct kpt_symbols {
	u32 round;
	u32 modules;
	struct kpt_begin begin[KPT_BEGINS];
	struct kpt_symbol symbol[1 << KPT_SYMBOL_BITS];
};

/**
 * struct kpt_moved_range - where some text was, and where it is now
 * @start: address of its first byte then
 * @size: its bytes
 * @now: address of its first byte now; 0 if it is not there
 */
struct kpt_moved_range {
	u64 start;
	u64 size;
	u64 now;
};

/**
 * struct kpt_moved - where the text of another boot is
 * @nr: number of ranges
 * @range: the ranges
 */
struct kpt_moved {
	u32 nr;
	struct kpt_moved_range range[];
};

/**
 * struct kpt_line - a record and all that its line of trace shows
 * @event: name of the event
 * @source_group: of an event on another event: group of that event
 * @source_event: its name
 * @fields: shape of its records; NULL if no event has the number in @record
 * @record: copy of the record
 * @size: its bytes
 * @comm: name of the task, "<...>" if it is unknown, "<idle>" for pid 0
 * @tgid: thread group of the task, -1 if it is unknown
 * @cpu: CPU that recorded it
 * @ts: time in the unit of the clock
 * @ts_in_ns: @ts is in ns, to be shown as seconds.microseconds
 * @options: KPT_OPT_*
 * @start: time when the buffer was last cleared, for KPT_OPT_LATENCY_FMT
 * @next_ts: time of the next record, for KPT_OPT_LATENCY_FMT; less than @ts if
 *	there is none
 * @index: number of lines before this one, for KPT_OPT_LATENCY_FMT
 * @begin: what lines of the same @comm and @tgid have begun with, or NULL
 * @symbols: cache of names of symbols, or NULL
 * @moved: of a record of another boot: where its addresses are now; else NULL
 * @in_crash: take no lock
 */
struct kpt_line {
	const char *event;
	const char *source_group;
	const char *source_event;
	const struct kpt_fields *fields;
	const void *record;
	size_t size;
	const char *comm;
	s32 tgid;
	u32 cpu;
	u64 ts;
	bool ts_in_ns;
	u64 options;
	u64 start;
	u64 next_ts;
	u64 index;
	struct kpt_begin *begin;
	struct kpt_symbols *symbols;
	const struct kpt_moved *moved;
	bool in_crash;
};

/**
 * kpt_line_has() - is a field inside the record of a line?
 * @line: the line
 * @ref: a field of kind KPT_FIELD_NUMBER or KPT_FIELD_TEXT
 *
 * Context: any.
 * Return: true if kpt_field_number() or kpt_field_text() may read it.
 */
static inline bool kpt_line_has(const struct kpt_line *line,
				const struct kpt_field_ref *ref)
{
	return kpt_field_base(ref) + sizeof(u64) <= line->size;
}

/**
 * kpt_line_number() - read a number of the record of a line
 * @line: the line
 * @ref: the field; kpt_field_is_number()
 *
 * Context: any.
 * Return: the number; 0 if it is not inside the record.
 */
static inline u64 kpt_line_number(const struct kpt_line *line,
				  const struct kpt_field_ref *ref)
{
	return kpt_line_has(line, ref) ? kpt_field_number(ref, line->record) : 0;
}

/* Depth up to which lines of function_graph tell a return whose entry is unknown. */
#define KPT_GRAPH_DEPTH 50

/**
 * struct kpt_graph_cpu - what lines of function_graph need to know of those before
 * @cpu_width: characters of the largest number of a CPU
 * @any: there was a line, of task @pid
 * @pid: the task of the line before
 * @comm: its name
 * @leaf: function whose return was shown with its entry, if that was the line before
 * @in_irq: it was of an interrupt, and no arrow has ended that
 * @depth: depth at which comments are shown
 * @func: by depth the function whose entry was shown last
 *
 * One for each CPU.
 */
struct kpt_graph_cpu {
	u8 cpu_width;
	bool any;
	bool in_irq;
	s32 pid;
	char comm[16];
	u64 leaf;
	int depth;
	u64 func[KPT_GRAPH_DEPTH];
};

char kpt_format_mark(u64 ns);
void kpt_format_time(struct kpt_strbuf *sb, u64 us);
void kpt_format_stamp(struct kpt_strbuf *sb, const struct kpt_line *line, u64 ts);
void kpt_format_graph(struct kpt_strbuf *sb, const struct kpt_line *line,
		      struct kpt_graph_cpu *state, const void *next, size_t size);
void kpt_format_graph_header(struct kpt_strbuf *sb, u32 options);
void kpt_format_flags(struct kpt_strbuf *sb, const struct kpt_record_head *head);
void kpt_format_profile(struct kpt_strbuf *sb, const char *name, u64 hits, u64 time,
			u64 squares);
void kpt_format_osnoise_header(struct kpt_strbuf *sb, u32 options);
void kpt_format_timerlat_header(struct kpt_strbuf *sb, u32 options);
void kpt_format_marker(struct kpt_strbuf *sb, const struct kpt_line *line);
void kpt_format_value(struct kpt_strbuf *sb, u8 type, const u8 *b);
void kpt_format_line(struct kpt_strbuf *sb, const struct kpt_line *line);
void kpt_format_record(struct kpt_strbuf *sb, const struct kpt_line *line);
void kpt_format_fields(struct kpt_strbuf *sb, const struct kpt_line *line);
void kpt_format_synth(struct kpt_strbuf *sb, const struct kpt_line *line);
void kpt_format_symbol(struct kpt_strbuf *sb, const struct kpt_line *line,
		       u64 addr);
void kpt_format_address(struct kpt_strbuf *sb, const struct kpt_line *line,
			u64 addr, u64 options);
void kpt_format_user_address(struct kpt_strbuf *sb, s32 tgid, u64 addr, u64 options);
void kpt_format_caller(struct kpt_strbuf *sb, const struct kpt_line *line, u64 addr,
		       u64 options);
void kpt_format_comm(struct kpt_strbuf *sb, u64 options, const char *comm, size_t most,
		     size_t width);
void kpt_format_text(struct kpt_strbuf *sb, u64 options, const char *s, size_t n);
u64 kpt_moved_find(const struct kpt_moved *moved, u64 addr);
u64 kpt_format_moved(const struct kpt_line *line, u64 addr);
bool kpt_format_call(struct kpt_strbuf *sb, const struct kpt_line *line, u64 func,
		     size_t at);
void kpt_format_args(struct kpt_strbuf *sb, const struct kpt_btf *btf, u32 func,
		     const u64 *reg);
void kpt_format_header(struct kpt_strbuf *sb, const char *tracer, u64 entries,
		       u64 written, unsigned int cpus, u32 options);
void kpt_format_latency_header(struct kpt_strbuf *sb, const char *tracer,
			       const char *release, const char *model, u64 entries, u64 written,
			       unsigned int cpus, u32 options);
void kpt_format_file(struct kpt_strbuf *sb, const char *event, u32 id,
		     const struct kpt_fields *fields);
void kpt_format_print_fmt(struct kpt_strbuf *sb, const struct kpt_fields *fields);

#endif
