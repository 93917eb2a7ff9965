// SPDX-License-Identifier: GPL-2.0-only
/* Lines of function_graph: what Linux 7.3 prints for the same records. */
#include "lib/base/port.h"
#include "lib/format/format.h"
#include "harness.h"
#include "world.h"

#define FUNC 0xffff800008300000ULL
#define INNER 0xffff8000081fff00ULL
#define DEFAULT (KPT_OPT_CONTEXT_INFO | KPT_OPT_IRQ_INFO | KPT_OPT_GRAPH_CPU | \
		 KPT_OPT_GRAPH_DURATION | KPT_OPT_GRAPH_OVERHEAD)

static struct kpt_graph_cpu state;
static struct kpt_line line;
static char buf[4096];

static void setup(u64 options)
{
	static const struct world_symbol symbols[] = {
		{ "vfs_read", FUNC, 0x3a0 },
		{ "fput", INNER, 0xe0 },
	};

	world_reset();
	memcpy(world.symbols, symbols, sizeof(symbols));
	world.nr_symbols = ARRAY_SIZE(symbols);
	memset(&state, 0, sizeof(state));
	state.cpu_width = 1;
	line = (struct kpt_line){
		.comm = "hosttest", .cpu = 1, .ts = 1000002499, .ts_in_ns = true,
		.options = options,
	};
}

static struct kpt_record_graph_entry entry(u64 func, u64 depth)
{
	return (struct kpt_record_graph_entry){
		.head = { .type = KPT_RECORD_GRAPH_ENTRY, .pid = 42 },
		.func = func, .depth = depth,
	};
}

static struct kpt_record_graph_exit leave(u64 func, u32 depth, u64 ns)
{
	return (struct kpt_record_graph_exit){
		.head = { .type = KPT_RECORD_GRAPH_EXIT, .pid = 42 },
		.func = func, .depth = depth, .retval = (u32)-5, .calltime = 100,
		.rettime = 100 + ns,
	};
}

static const char *put(const void *record, size_t size, const void *next, size_t next_size)
{
	struct kpt_strbuf sb;

	kpt_strbuf_init(&sb, buf, sizeof(buf));
	line.record = record;
	line.size = size;
	kpt_format_graph(&sb, &line, &state, next, next_size);
	return buf;
}

#define PUT(record) put(&(record), sizeof(record), NULL, 0)
#define PUT_BEFORE(record, next) \
	put(&(record), sizeof(record), &(next), sizeof(next))

TEST(nested)
{
	struct kpt_record_graph_entry outer = entry(FUNC, 0), inner = entry(INNER, 1);
	struct kpt_record_graph_exit in = leave(INNER, 1, 1234);
	struct kpt_record_graph_exit out = leave(FUNC, 0, 12345678);

	setup(DEFAULT);
	EXPECT_STR(PUT_BEFORE(outer, inner), " 1)               |  vfs_read() {\n");
	EXPECT_STR(PUT_BEFORE(inner, in), " 1)   1.234 us    |    fput();\n");
	EXPECT_STR(PUT(in), "");
	EXPECT_STR(PUT(out), " 1) * 12345.67 us |  }\n");
	/* its entry is not known any more */
	EXPECT_STR(PUT(out), " 1) * 12345.67 us |  } /* vfs_read */\n");
}

TEST(values)
{
	struct kpt_record_graph_entry inner = entry(INNER, 0);
	struct kpt_record_graph_exit in = leave(INNER, 0, 1234567890);

	setup(DEFAULT | KPT_OPT_GRAPH_RETVAL);
	EXPECT_STR(PUT_BEFORE(inner, in), " 1) $ 1234567 us  |  fput(); /* ret=-5 */\n");
	EXPECT_STR(PUT(inner), " 1)               |  fput() {\n");
	EXPECT_STR(PUT(in), " 1) $ 1234567 us  |  } /* fput ret=-5 */\n");
	line.options |= KPT_OPT_GRAPH_RETVAL_HEX;
	EXPECT_STR(PUT_BEFORE(inner, in),
		   " 1) $ 1234567 us  |  fput(); /* ret=0xfffffffb */\n");
	in.retval = 7;
	line.options &= ~KPT_OPT_GRAPH_RETVAL_HEX;
	EXPECT_STR(PUT_BEFORE(inner, in), " 1) $ 1234567 us  |  fput(); /* ret=0x7 */\n");
}

TEST(return_addresses)
{
	struct kpt_record_graph_retaddr inner = {
		.entry = entry(INNER, 0), .retaddr = FUNC + 0x1c,
	};
	struct kpt_record_graph_entry without = entry(INNER, 0);
	struct kpt_record_graph_exit in = leave(INNER, 0, 1234);

	inner.entry.head.type = KPT_RECORD_GRAPH_RETADDR;
	setup(DEFAULT | KPT_OPT_GRAPH_RETADDR);
	EXPECT_STR(PUT_BEFORE(inner, in),
		   " 1)   1.234 us    |  fput(); /* <-vfs_read+0x1c/0x3a0 */\n");
	EXPECT_STR(PUT(inner), " 1)               |  fput() { /* <-vfs_read+0x1c/0x3a0 */\n");
	EXPECT_STR(PUT_BEFORE(without, in), " 1)   1.234 us    |  fput();\n");
	EXPECT_STR(PUT(without), " 1)               |  fput() {\n");
	line.options |= KPT_OPT_GRAPH_RETVAL | KPT_OPT_SYM_ADDR;
	EXPECT_STR(PUT_BEFORE(inner, in), " 1)   1.234 us    |  fput(); "
		   "/* <-vfs_read+0x1c/0x3a0 <ffff80000830001c> ret=-5 */\n");
	line.options = DEFAULT;
	EXPECT_STR(PUT_BEFORE(inner, in), " 1)   1.234 us    |  fput();\n");
	EXPECT_STR(PUT(inner), " 1)               |  fput() {\n");
	/* a record that is cut is no line */
	EXPECT_STR(put(&inner, sizeof(inner.entry), NULL, 0), "");
}

TEST(overruns)
{
	struct kpt_record_graph_entry outer = entry(FUNC, 0);
	struct kpt_record_graph_exit out = leave(FUNC, 0, 1234);

	out.overrun = 3;
	setup(DEFAULT | KPT_OPT_GRAPH_OVERRUN);
	PUT(outer);
	EXPECT_STR(PUT(out), " 1)   1.234 us    |  }\n (Overruns: 3)\n");
	EXPECT_STR(PUT_BEFORE(outer, out), " 1)   1.234 us    |  vfs_read();\n");
}

TEST(columns)
{
	struct kpt_record_graph_entry outer = entry(FUNC, 0);
	struct kpt_strbuf sb;

	setup(KPT_OPT_CONTEXT_INFO | KPT_OPT_GRAPH_ABSTIME | KPT_OPT_GRAPH_PROC);
	EXPECT_STR(PUT(outer), "    1.000002 |    hosttes-42   | vfs_read() {\n");
	kpt_strbuf_init(&sb, buf, sizeof(buf));
	kpt_format_graph_header(&sb, line.options);
	EXPECT_STR(buf, "# tracer: function_graph\n#\n"
"#     TIME         TASK/PID                      FUNCTION CALLS\n"
"#      |            |    |                       |   |   |   |\n");
	line.options = 0;
	EXPECT_STR(PUT(outer), "vfs_read() {\n");
}

TEST(latency_format)
{
	struct kpt_record_graph_entry outer = entry(FUNC, 0);
	struct kpt_record_graph_exit out = leave(FUNC, 0, 1234);
	struct kpt_strbuf sb;

	setup(DEFAULT | KPT_OPT_LATENCY_FMT);
	outer.head.flags = KPT_FLAG_IRQS_OFF;
	outer.head.preempt_count = 0x12;
	EXPECT_STR(PUT_BEFORE(outer, out), " 1)  d..21 |   1.234 us    |  vfs_read();\n");
	line.options |= KPT_OPT_GRAPH_PROC;
	EXPECT_STR(PUT(outer), " 1)   hosttes-42   |  d..21 |               |  vfs_read() {\n");
	kpt_strbuf_init(&sb, buf, sizeof(buf));
	kpt_format_graph_header(&sb, line.options);
	EXPECT_STR(buf,
"#                       _-----=> irqs-off        \n"
"#                      / _----=> need-resched    \n"
"#                     | / _---=> hardirq/softirq \n"
"#                     || / _--=> preempt-depth   \n"
"#                     ||| /                      \n"
"# CPU  TASK/PID       ||||     DURATION                  FUNCTION CALLS\n"
"# |     |    |        ||||      |   |                     |   |   |   |\n");
	line.options = KPT_OPT_LATENCY_FMT;
	EXPECT_STR(PUT(outer), "vfs_read() {\n");
	kpt_strbuf_init(&sb, buf, sizeof(buf));
	kpt_format_graph_header(&sb, line.options);
	EXPECT_STR(buf, "");
}

TEST(other_task)
{
	struct kpt_record_graph_entry outer = entry(FUNC, 0);

	setup(DEFAULT);
	PUT(outer);
	outer.head.pid = 7;
	line.comm = "sh";
	EXPECT_STR(PUT(outer),
" ------------------------------------------\n"
" 1)   hosttes-42   =>      sh-7     \n"
" ------------------------------------------\n"
"\n"
" 1)               |  vfs_read() {\n");
}

TEST(text_of_a_marker)
{
	struct {
		struct kpt_record_print print;
		char text[8];
	} marker = { { { .type = KPT_RECORD_PRINT, .pid = 42 }, FUNC }, "hello\n" };

	setup(DEFAULT);
	line.fields = &kpt_fields_print;
	state.depth = 1;
	EXPECT_STR(PUT(marker), " 1)               |      /* hello */\n");
}

/* Of an interrupt. */
static struct kpt_record_graph_entry irq_entry(u64 func, u64 depth)
{
	struct kpt_record_graph_entry record = entry(func, depth);

	record.head.flags = KPT_FLAG_HARDIRQ;
	return record;
}

TEST(interrupts)
{
	struct kpt_record_graph_entry outer = entry(FUNC, 0), irq = irq_entry(INNER, 1);
	struct kpt_record_graph_exit irq_end = leave(INNER, 1, 1000), end = leave(FUNC, 0, 9000);

	irq_end.head.flags = KPT_FLAG_HARDIRQ;
	setup(DEFAULT | KPT_OPT_GRAPH_IRQS);
	EXPECT_STR(PUT_BEFORE(outer, irq), " 1)               |  vfs_read() {\n");
	EXPECT_STR(PUT_BEFORE(irq, irq_end),
" 1)   ==========> |\n"
" 1)   1.000 us    |    fput();\n");
	EXPECT_STR(PUT_BEFORE(irq_end, end), " 1)   <========== |\n");
	EXPECT_STR(PUT(end), " 1)   9.000 us    |  }\n");
	/* trace_pipe formats the begin of a call before the record behind it exists. */
	EXPECT_STR(PUT(irq),
" 1)   ==========> |\n"
" 1)               |    fput() {\n");
	EXPECT_STR(PUT(irq_end), " 1)   1.000 us    |    }\n");
	EXPECT_STR(PUT(outer),
" 1)   <========== |\n"
" 1)               |  vfs_read() {\n");
	line.options = KPT_OPT_GRAPH_IRQS;
	EXPECT_STR(PUT(irq), "==========>\n  fput() {\n");
	setup(DEFAULT);
	EXPECT_STR(PUT(irq), " 1)               |    fput() {\n");
}

static const char *row(const char *name, u64 hits, u64 time, u64 squares)
{
	struct kpt_strbuf sb;

	kpt_strbuf_init(&sb, buf, sizeof(buf));
	kpt_format_profile(&sb, name, hits, time, squares);
	return buf;
}

TEST(profile)
{
	EXPECT_STR(row("vfs_read", 1, 1500, 1500 * 1500),
"  vfs_read                                 1    1.500 us        1.500 us        0.000 us    \n");
	/* 1, 2 and 6 us: their variance is 7 us^2. */
	EXPECT_STR(row("a_function_with_a_name_of_over_30_characters", 3, 9000,
			   41000000),
"  a_function_with_a_name_of_over           3    9.000 us        3.000 us        7.000 us    \n");
	/* Products of more than 64 bits: half of the calls took 2 ms, half of them 4 ms. */
	EXPECT_STR(row("poll", 1000000, 3000000000000, 10000000000000000000ULL),
"  poll                               1000000    3000000000 us     3000.000 us     1000001 us  \n");
}

TEST(any_bytes)
{
	struct kpt_record_graph_entry deep = entry(FUNC, ~0ULL);
	struct kpt_record_graph_exit out = leave(FUNC, ~0U, 1);

	setup(DEFAULT);
	PUT(deep);
	PUT(out);
	EXPECT_STR(put(&deep, sizeof(deep.head), NULL, 0), "");
	EXPECT_STR(put(&out, sizeof(out.head), NULL, 0), "");
}

TEST_MAIN
