// SPDX-License-Identifier: GPL-2.0-only
/*
 * Lines of the tracer function_graph. The records of a CPU follow each other: a return
 * that comes right behind its entry is shown with it, in one line.
 */
#include "lib/base/port.h"
#include "lib/format/format.h"

/* Characters of the column with the name of a task and its number. */
#define TASK_WIDTH	14
#define INDENT		2
/* Calls deeper than that are shown at this depth. */
#define DEPTH_MAX	1000

static const char rule[] = " ------------------------------------------\n";

static void put_spaces(struct kpt_strbuf *sb, int nr)
{
	if (nr > 0)
		kpt_strbuf_fill(sb, ' ', (size_t)nr);
}

static void graph_put_task(struct kpt_strbuf *sb, u64 options, const char *comm, s32 pid)
{
	char text[48];
	struct kpt_strbuf task;
	int left;

	kpt_strbuf_init(&task, text, sizeof(text));
	kpt_format_comm(&task, options, comm, 7, 0);
	kpt_strbuf_putc(&task, '-');
	kpt_strbuf_dec(&task, pid);
	left = TASK_WIDTH - (int)task.len;
	put_spaces(sb, left / 2);
	kpt_strbuf_puts(sb, text);
	put_spaces(sb, left > 0 ? left - left / 2 : 0);
}

static void graph_put_cpu(struct kpt_strbuf *sb, const struct kpt_line *line,
			  const struct kpt_graph_cpu *state)
{
	kpt_strbuf_putc(sb, ' ');
	kpt_strbuf_udec(sb, line->cpu, state->cpu_width, ' ');
	kpt_strbuf_puts(sb, ") ");
}

/* A CPU goes on with another task. */
static void graph_put_switch(struct kpt_strbuf *sb, const struct kpt_line *line,
			     struct kpt_graph_cpu *state, s32 pid)
{
	bool first = !state->any;

	if (!first && state->pid == pid)
		return;
	if (!first) {
		kpt_strbuf_puts(sb, rule);
		graph_put_cpu(sb, line, state);
		graph_put_task(sb, line->options, state->comm, state->pid);
		kpt_strbuf_puts(sb, " => ");
		graph_put_task(sb, line->options, line->comm, pid);
		kpt_strbuf_printf(sb, "\n%s\n", rule);
	}
	state->any = true;
	state->pid = pid;
	memset(state->comm, 0, sizeof(state->comm));
	memcpy(state->comm, line->comm, strnlen(line->comm, sizeof(state->comm) - 1));
}

static struct kpt_record_head record_head(const void *record)
{
	struct kpt_record_head head;

	memcpy(&head, record, sizeof(head));
	return head;
}

/* All columns before the duration. */
static void graph_put_context(struct kpt_strbuf *sb, const struct kpt_line *line,
			      struct kpt_graph_cpu *state)
{
	struct kpt_record_head head = record_head(line->record);
	s32 pid = head.pid;

	graph_put_switch(sb, line, state, pid);
	if (!(line->options & KPT_OPT_CONTEXT_INFO))
		return;
	if (line->options & KPT_OPT_GRAPH_ABSTIME) {
		kpt_format_time(sb, line->ts / 1000);
		kpt_strbuf_puts(sb, " |  ");
	}
	if (line->options & KPT_OPT_GRAPH_CPU)
		graph_put_cpu(sb, line, state);
	if (line->options & KPT_OPT_GRAPH_PROC) {
		graph_put_task(sb, line->options, line->comm, pid);
		kpt_strbuf_puts(sb, " | ");
	}
	if (line->options & KPT_OPT_LATENCY_FMT) {
		kpt_strbuf_putc(sb, ' ');
		kpt_format_flags(sb, &head);
		kpt_strbuf_puts(sb, " | ");
	}
}

static bool graph_has_duration(const struct kpt_line *line)
{
	return (line->options & KPT_OPT_GRAPH_DURATION) &&
	       (line->options & KPT_OPT_CONTEXT_INFO);
}

static void graph_put_no_duration(struct kpt_strbuf *sb, const struct kpt_line *line)
{
	if (graph_has_duration(line))
		kpt_strbuf_puts(sb, "              |  ");
}

/* Microseconds with as many digits of nanoseconds as fit into seven characters. */
static void graph_put_us(struct kpt_strbuf *sb, u64 ns)
{
	char text[32];
	struct kpt_strbuf us;
	int digits;

	kpt_strbuf_init(&us, text, sizeof(text));
	kpt_strbuf_udec(&us, ns / 1000, 0, ' ');
	digits = 7 - (int)us.len;
	if (digits > 0) {
		kpt_strbuf_putc(&us, '.');
		kpt_strbuf_udec(&us, ns % 1000, 3, '0');
	}
	if (digits > 0 && digits < 3)
		us.len -= 3 - digits;
	kpt_strbuf_add(sb, text, us.len);
	kpt_strbuf_puts(sb, " us ");
	put_spaces(sb, 8 - (int)us.len);
}

/* a * b - c * d, divided by @by; all in 128 bits. */
static u64 graph_quotient(u64 a, u64 b, u64 c, u64 d, u64 by)
{
	unsigned __int128 left = (unsigned __int128)a * b - (unsigned __int128)c * d;
	u64 quotient = 0;
	unsigned __int128 rest = 0;
	int bit;

	/* The kernel has no function for the compiler to divide 128 bits by. */
	for (bit = 127; bit >= 0; bit--) {
		rest = rest << 1 | (left >> bit & 1);
		quotient <<= 1;
		if (rest < by)
			continue;
		rest -= by;
		quotient |= 1;
	}
	return quotient;
}

/**
 * kpt_format_profile() - write a row of trace_stat/function<N>
 * @sb: where to write
 * @name: name of the function; cut to fit its column
 * @hits: number of calls, not 0
 * @time: ns that they took
 * @squares: sum of the squares of these times
 *
 * Context: process context.
 */
void kpt_format_profile(struct kpt_strbuf *sb, const char *name, u64 hits, u64 time,
			u64 squares)
{
	/* Divided once by 1000 here, and once more where it is written: us^2. */
	u64 variance = hits < 2 ? 0 :
		graph_quotient(hits, squares, time, time, hits) / (hits - 1) / 1000;

	kpt_strbuf_printf(sb, "  %-30.30s  %10llu    ", name, (unsigned long long)hits);
	graph_put_us(sb, time);
	kpt_strbuf_puts(sb, "    ");
	graph_put_us(sb, time / hits);
	kpt_strbuf_puts(sb, "    ");
	graph_put_us(sb, variance);
	kpt_strbuf_putc(sb, '\n');
}

static void graph_put_duration(struct kpt_strbuf *sb, const struct kpt_line *line,
			       u64 ns)
{
	if (!graph_has_duration(line))
		return;
	kpt_strbuf_putc(sb, line->options & KPT_OPT_GRAPH_OVERHEAD ?
			kpt_format_mark(ns) : ' ');
	kpt_strbuf_putc(sb, ' ');
	graph_put_us(sb, ns);
	kpt_strbuf_puts(sb, "|  ");
}

static void graph_put_name(struct kpt_strbuf *sb, const struct kpt_line *line, u64 func)
{
	kpt_format_address(sb, line, func,
			   line->options & ~(KPT_OPT_SYM_OFFSET | KPT_OPT_SYM_ADDR));
}

/* Does the entry that the line is about have the address that it returns to? */
static bool graph_has_retaddr(const struct kpt_line *line)
{
	return record_head(line->record).type == KPT_RECORD_GRAPH_RETADDR;
}

/* The function of the entry that the line is about, and what it is called with. */
static void graph_put_call(struct kpt_strbuf *sb, const struct kpt_line *line, u64 func)
{
	size_t size = graph_has_retaddr(line) ? sizeof(struct kpt_record_graph_retaddr) :
						sizeof(struct kpt_record_graph_entry);

	graph_put_name(sb, line, func);
	if (!kpt_format_call(sb, line, func, size))
		kpt_strbuf_puts(sb, "()");
}

static bool graph_shows_retaddr(const struct kpt_line *line)
{
	return line->options & KPT_OPT_GRAPH_RETADDR && graph_has_retaddr(line);
}

static void graph_put_retaddr(struct kpt_strbuf *sb, const struct kpt_line *line)
{
	struct kpt_record_graph_retaddr record;

	memcpy(&record, line->record, sizeof(record));
	kpt_strbuf_puts(sb, " <-");
	kpt_format_caller(sb, line, record.retaddr, line->options | KPT_OPT_SYM_OFFSET);
}

/* Errors as negative numbers, also those of functions that return an int. */
static void graph_put_value(struct kpt_strbuf *sb, const struct kpt_line *line, u64 value)
{
	s64 error = value >> 31 == 1 ? (s64)(s32)value : (s64)value;

	if (!(line->options & KPT_OPT_GRAPH_RETVAL_HEX) && error < 0 && error >= -4095) {
		kpt_strbuf_puts(sb, " ret=");
		kpt_strbuf_dec(sb, error);
	} else {
		kpt_strbuf_puts(sb, " ret=0x");
		kpt_strbuf_hex(sb, value, 0);
	}
}

static bool graph_read_exit(const void *record, size_t size,
			    struct kpt_record_graph_exit *leaf)
{
	if (size < sizeof(*leaf) || record_head(record).type != KPT_RECORD_GRAPH_EXIT)
		return false;
	memcpy(leaf, record, sizeof(*leaf));
	return true;
}

static u64 graph_duration(const struct kpt_record_graph_exit *leaf)
{
	return leaf->rettime - leaf->calltime;
}

/* Behind a call that is shown with its return. */
static void graph_put_leaf_comment(struct kpt_strbuf *sb, const struct kpt_line *line,
				   const struct kpt_record_graph_exit *leaf)
{
	bool retaddr = graph_shows_retaddr(line);
	bool retval = line->options & KPT_OPT_GRAPH_RETVAL;

	if (!retaddr && !retval)
		return;
	kpt_strbuf_puts(sb, " /*");
	if (retaddr)
		graph_put_retaddr(sb, line);
	if (retval)
		graph_put_value(sb, line, leaf->retval);
	kpt_strbuf_puts(sb, " */");
}

static void graph_put_leaf(struct kpt_strbuf *sb, const struct kpt_line *line,
			   struct kpt_graph_cpu *state,
			   const struct kpt_record_graph_entry *entry,
			   const struct kpt_record_graph_exit *leaf)
{
	state->depth = (int)entry->depth - 1;
	if (entry->depth < KPT_GRAPH_DEPTH)
		state->func[entry->depth] = 0;
	state->leaf = entry->func;
	graph_put_duration(sb, line, graph_duration(leaf));
	put_spaces(sb, (int)entry->depth * INDENT);
	graph_put_call(sb, line, entry->func);
	kpt_strbuf_putc(sb, ';');
	graph_put_leaf_comment(sb, line, leaf);
	kpt_strbuf_putc(sb, '\n');
}

static void graph_put_entry(struct kpt_strbuf *sb, const struct kpt_line *line,
			    struct kpt_graph_cpu *state, const void *next, size_t size)
{
	struct kpt_record_graph_entry entry;
	struct kpt_record_graph_exit leaf;

	memcpy(&entry, line->record, sizeof(entry));
	entry.depth = min_t(u64, entry.depth, DEPTH_MAX);
	graph_put_context(sb, line, state);
	if (graph_read_exit(next, size, &leaf) && leaf.func == entry.func &&
	    leaf.head.pid == entry.head.pid) {
		graph_put_leaf(sb, line, state, &entry, &leaf);
		return;
	}
	state->depth = (int)entry.depth;
	if (entry.depth < KPT_GRAPH_DEPTH)
		state->func[entry.depth] = entry.func;
	graph_put_no_duration(sb, line);
	put_spaces(sb, (int)entry.depth * INDENT);
	graph_put_call(sb, line, entry.func);
	kpt_strbuf_puts(sb, " {");
	if (graph_shows_retaddr(line)) {
		kpt_strbuf_puts(sb, " /*");
		graph_put_retaddr(sb, line);
		kpt_strbuf_puts(sb, " */");
	}
	kpt_strbuf_putc(sb, '\n');
}

/* Does a line show the entry that belongs to this return? */
static bool graph_entry_is_known(struct kpt_graph_cpu *state,
				 const struct kpt_record_graph_exit *leaf)
{
	bool known;

	state->depth = (int)leaf->depth - 1;
	if (leaf->depth >= KPT_GRAPH_DEPTH)
		return true;
	known = state->func[leaf->depth] == leaf->func;
	state->func[leaf->depth] = 0;
	return known;
}

static void graph_put_exit(struct kpt_strbuf *sb, const struct kpt_line *line,
			   struct kpt_graph_cpu *state)
{
	struct kpt_record_graph_exit leaf;
	bool known;

	memcpy(&leaf, line->record, sizeof(leaf));
	leaf.depth = min_t(u32, leaf.depth, DEPTH_MAX);
	known = graph_entry_is_known(state, &leaf);
	graph_put_context(sb, line, state);
	graph_put_duration(sb, line, graph_duration(&leaf));
	put_spaces(sb, (int)leaf.depth * INDENT);
	kpt_strbuf_putc(sb, '}');
	if (!known || line->options & (KPT_OPT_GRAPH_TAIL | KPT_OPT_GRAPH_RETVAL)) {
		kpt_strbuf_puts(sb, " /* ");
		graph_put_name(sb, line, leaf.func);
		if (line->options & KPT_OPT_GRAPH_RETVAL)
			graph_put_value(sb, line, leaf.retval);
		kpt_strbuf_puts(sb, " */");
	}
	kpt_strbuf_putc(sb, '\n');
	/* As in mainline: in a line of its own, and not for a call in one line. */
	if (line->options & KPT_OPT_GRAPH_OVERRUN)
		kpt_strbuf_printf(sb, " (Overruns: %u)\n", leaf.overrun);
}

/*
 * Interrupts are between arrows. Their entry code is never traced, so records tell by a
 * flag where they were made.
 */

static bool graph_is_irq(const void *record)
{
	return record_head(record).flags & KPT_FLAG_HARDIRQ;
}

static void graph_put_arrow(struct kpt_strbuf *sb, const struct kpt_line *line,
			    struct kpt_graph_cpu *state, bool in_irq)
{
	if (state->in_irq == in_irq || !(line->options & KPT_OPT_GRAPH_IRQS))
		return;
	state->in_irq = in_irq;
	graph_put_context(sb, line, state);
	if (graph_has_duration(line))
		kpt_strbuf_puts(sb, "  ");
	kpt_strbuf_puts(sb, in_irq ? "==========>" : "<==========");
	if (graph_has_duration(line))
		kpt_strbuf_puts(sb, " |");
	kpt_strbuf_putc(sb, '\n');
}

/* Any other record, as a comment at the depth of the line before. */
static void graph_put_comment(struct kpt_strbuf *sb, const struct kpt_line *line,
			      struct kpt_graph_cpu *state)
{
	struct kpt_line text = *line;

	text.options &= ~(KPT_OPT_CONTEXT_INFO | KPT_OPT_RAW | KPT_OPT_HEX | KPT_OPT_BIN);
	graph_put_context(sb, line, state);
	graph_put_no_duration(sb, line);
	if (state->depth > 0)
		put_spaces(sb, (state->depth + 1) * INDENT);
	kpt_strbuf_puts(sb, "/* ");
	if (line->fields && record_head(line->record).type == KPT_RECORD_PRINT)
		kpt_format_marker(sb, line);
	else
		kpt_format_line(sb, &text);
	if (sb->len && sb->buf[sb->len - 1] == '\n')
		sb->len--;
	kpt_strbuf_puts(sb, " */\n");
}

static void graph_put_record(struct kpt_strbuf *sb, const struct kpt_line *line,
			     struct kpt_graph_cpu *state, const void *next, size_t size)
{
	switch (record_head(line->record).type) {
	case KPT_RECORD_GRAPH_ENTRY:
		if (line->size >= sizeof(struct kpt_record_graph_entry))
			graph_put_entry(sb, line, state, next, size);
		break;
	case KPT_RECORD_GRAPH_RETADDR:
		if (line->size >= sizeof(struct kpt_record_graph_retaddr))
			graph_put_entry(sb, line, state, next, size);
		break;
	case KPT_RECORD_GRAPH_EXIT:
		if (line->size >= sizeof(struct kpt_record_graph_exit))
			graph_put_exit(sb, line, state);
		break;
	case KPT_RECORD_FUNCTION:
	case KPT_RECORD_STACK:
	case KPT_RECORD_USER_STACK:
		kpt_format_line(sb, line);
		break;
	default:
		graph_put_comment(sb, line, state);
	}
}

/**
 * kpt_format_graph() - write a record as lines of function_graph
 * @sb: where to write
 * @line: the record
 * @state: what the lines before have left, of the CPU of the record
 * @next: the next record of that CPU, or NULL
 * @size: its bytes, 0 for NULL
 *
 * Of a return that was shown with its entry nothing is written.
 *
 * Context: process context.
 */
void kpt_format_graph(struct kpt_strbuf *sb, const struct kpt_line *line,
		      struct kpt_graph_cpu *state, const void *next, size_t size)
{
	struct kpt_record_graph_exit leaf;
	u64 shown = state->leaf;

	state->leaf = 0;
	if (!graph_read_exit(line->record, line->size, &leaf) || leaf.func != shown) {
		graph_put_arrow(sb, line, state, graph_is_irq(line->record));
		graph_put_record(sb, line, state, next, size);
	}
	/* At once, so that the lines of other CPUs are not in between. */
	if (size >= sizeof(struct kpt_record_head) && !graph_is_irq(next))
		graph_put_arrow(sb, line, state, false);
}

/* A column of the header of function_graph: shown with @option, or always. */
struct graph_column {
	u32 option;
	const char *line[2];
};

static const struct graph_column graph_columns[] = {
	{ KPT_OPT_GRAPH_ABSTIME, { "     TIME       ", "      |         " } },
	{ KPT_OPT_GRAPH_CPU, { " CPU", " |  " } },
	{ KPT_OPT_GRAPH_PROC, { "  TASK/PID       ", "   |    |        " } },
	{ KPT_OPT_LATENCY_FMT, { "||||   ", "||||   " } },
	{ KPT_OPT_GRAPH_DURATION, { "  DURATION   ", "   |   |      " } },
	{ KPT_OPT_CONTEXT_INFO, { "               FUNCTION CALLS\n",
				  "               |   |   |   |\n" } },
};

/* What the column with the flags means, above it; mainline has no row for the fifth one. */
static const char *const graph_flag_rows[] = {
	"  _-----=> irqs-off        \n",
	" / _----=> need-resched    \n",
	"| / _---=> hardirq/softirq \n",
	"|| / _--=> preempt-depth   \n",
	"||| /                      \n",
};

static void graph_put_flag_rows(struct kpt_strbuf *sb, u32 options)
{
	unsigned int i;
	int before = 0;

	for (i = 0; graph_columns[i].option != KPT_OPT_LATENCY_FMT; i++)
		if (options & graph_columns[i].option)
			before += (int)strlen(graph_columns[i].line[0]);
	for (i = 0; i < ARRAY_SIZE(graph_flag_rows); i++) {
		kpt_strbuf_putc(sb, '#');
		put_spaces(sb, before);
		kpt_strbuf_puts(sb, graph_flag_rows[i]);
	}
}

/**
 * kpt_format_graph_header() - write the comment block at the top of trace
 * @sb: where to write
 * @options: KPT_OPT_*; with KPT_OPT_LATENCY_FMT only the part behind that of
 *	kpt_format_latency_header()
 *
 * Context: process context.
 */
void kpt_format_graph_header(struct kpt_strbuf *sb, u32 options)
{
	unsigned int row, i;

	if (!(options & KPT_OPT_LATENCY_FMT))
		kpt_strbuf_puts(sb, "# tracer: function_graph\n#\n");
	if (!(options & KPT_OPT_CONTEXT_INFO))
		return;
	if (options & KPT_OPT_LATENCY_FMT)
		graph_put_flag_rows(sb, options);
	for (row = 0; row < 2; row++) {
		kpt_strbuf_putc(sb, '#');
		for (i = 0; i < ARRAY_SIZE(graph_columns); i++)
			if (options & graph_columns[i].option)
				kpt_strbuf_puts(sb, graph_columns[i].line[row]);
	}
}
