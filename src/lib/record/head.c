// SPDX-License-Identifier: GPL-2.0-only
/*
 * Heads: the fields before the arguments of a record, and the text before that
 * of the arguments in a line of trace. An event class may define a struct
 * kpt_head of its own in its own file.
 */
#include "lib/base/port.h"
#include "lib/format/format.h"
#include "lib/record/head.h"

/* All bytes behind @offset. */
#define HEAD_TAIL(name, offset)                                                \
	{ name, "char " name "[]", { KPT_FIELD_TAIL, false, offset, 0 } }

/* Registers of arguments behind a struct @type, if the record is longer. */
#define HEAD_ARGS(type)                                                        \
	{ "args", "unsigned long args[]",                                      \
	  { KPT_FIELD_NUMBER, false, sizeof(struct type), 0 } }

/* Write the address that a field is. */
static void head_put_address(struct kpt_strbuf *sb, const struct kpt_line *line,
			     const struct kpt_head_field *field)
{
	kpt_format_address(sb, line, kpt_line_number(line, &field->ref), line->options);
}

/* Write the caller that a field is the return address of. */
static void head_put_caller(struct kpt_strbuf *sb, const struct kpt_line *line,
			    const struct kpt_head_field *field)
{
	kpt_format_caller(sb, line, kpt_line_number(line, &field->ref), line->options);
}

/**
 * kpt_fields_keep() - kpt_fields.release of a shape that is never freed
 * @fields: the shape
 *
 * Context: any.
 */
void kpt_fields_keep(const struct kpt_fields *fields)
{
	(void)fields;
}

static const struct kpt_head_field place_fields[] = {
	KPT_HEAD_FIELD("unsigned long", "__probe_ip", kpt_record_probe, ip, false),
};

static void head_put_place(struct kpt_strbuf *sb, const struct kpt_line *line)
{
	u64 ip = kpt_line_number(line, &place_fields[0].ref);

	kpt_strbuf_puts(sb, line->event);
	kpt_strbuf_puts(sb, ": (");
	kpt_format_address(sb, line, ip, line->options | KPT_OPT_SYM_OFFSET);
	kpt_strbuf_putc(sb, ')');
}

/* Hits at one place, struct kpt_record_probe. */
const struct kpt_head kpt_head_place = {
	.size = sizeof(struct kpt_record_probe),
	.nr = ARRAY_SIZE(place_fields),
	.field = place_fields,
	.print_fmt = "(%lx)",
	.print_args = "REC->__probe_ip",
	.put = head_put_place,
};

const struct kpt_fields kpt_fields_place = {
	.head = &kpt_head_place,
	.size = sizeof(struct kpt_record_probe),
	.release = kpt_fields_keep,
};

static const struct kpt_head_field return_fields[] = {
	KPT_HEAD_FIELD("unsigned long", "__probe_func", kpt_record_return, func,
		   false),
	KPT_HEAD_FIELD("unsigned long", "__probe_ret_ip", kpt_record_return, ret_ip,
		   false),
};

static void head_put_return(struct kpt_strbuf *sb, const struct kpt_line *line)
{
	u64 func = kpt_line_number(line, &return_fields[0].ref);
	u64 ret_ip = kpt_line_number(line, &return_fields[1].ref);

	kpt_strbuf_puts(sb, line->event);
	kpt_strbuf_puts(sb, ": (");
	kpt_format_caller(sb, line, ret_ip, line->options | KPT_OPT_SYM_OFFSET);
	kpt_strbuf_puts(sb, " <- ");
	kpt_format_address(sb, line, func, line->options & ~KPT_OPT_SYM_OFFSET);
	kpt_strbuf_putc(sb, ')');
}

/* Returns of a function, struct kpt_record_return. */
const struct kpt_head kpt_head_return = {
	.size = sizeof(struct kpt_record_return),
	.nr = ARRAY_SIZE(return_fields),
	.field = return_fields,
	.print_fmt = "(%lx <- %lx)",
	.print_args = "REC->__probe_func, REC->__probe_ret_ip",
	.put = head_put_return,
};

const struct kpt_fields kpt_fields_return = {
	.head = &kpt_head_return,
	.size = sizeof(struct kpt_record_return),
	.release = kpt_fields_keep,
};

static void head_put_synth(struct kpt_strbuf *sb, const struct kpt_line *line)
{
	kpt_strbuf_puts(sb, line->event);
	kpt_strbuf_putc(sb, ':');
}

/* Synthetic events: nothing is before the fields. */
const struct kpt_head kpt_head_synth = {
	.size = sizeof(struct kpt_record_head),
	.is_synthetic = true,
	.print_fmt = "",
	.print_args = "",
	.put = head_put_synth,
};

static void head_put_event(struct kpt_strbuf *sb, const struct kpt_line *line)
{
	kpt_strbuf_puts(sb, line->event);
	kpt_strbuf_puts(sb, ": (");
	kpt_strbuf_puts(sb, line->source_group);
	kpt_strbuf_putc(sb, '.');
	kpt_strbuf_puts(sb, line->source_event);
	kpt_strbuf_putc(sb, ')');
}

/* Records of another event: nothing but arguments. */
const struct kpt_head kpt_head_event = {
	.size = sizeof(struct kpt_record_head),
	.print_fmt = "",
	.print_args = "",
	.put = head_put_event,
};

static const struct kpt_head_field print_fields[] = {
	KPT_HEAD_FIELD("unsigned long", "ip", kpt_record_print, ip, false),
	HEAD_TAIL("buf", sizeof(struct kpt_record_print)),
};

/* Leaves the newline at the end of the text to the line. */
static void head_put_print(struct kpt_strbuf *sb, const struct kpt_line *line)
{
	u64 ip = kpt_line_number(line, &print_fields[0].ref);
	const char *text;
	size_t len;

	if (line->options & KPT_OPT_RAW) {
		kpt_strbuf_printf(sb, "# %llx ", (unsigned long long)ip);
	} else {
		kpt_format_address(sb, line, ip, line->options);
		kpt_strbuf_puts(sb, ": ");
	}
	text = kpt_field_text(&print_fields[1].ref, line->record, line->size,
			      &len);
	if (len && text[len - 1] == '\n')
		len--;
	kpt_format_text(sb, line->options, text, len);
}

static const struct kpt_head head_print = {
	.size = sizeof(struct kpt_record_print),
	.nr = ARRAY_SIZE(print_fields),
	.is_builtin = true,
	.has_raw_text = true,
	.field = print_fields,
	.print_fmt = "%ps: %s",
	.print_args = "(void *)REC->ip, REC->buf",
	.put = head_put_print,
};

const struct kpt_fields kpt_fields_print = {
	.head = &head_print,
	.size = sizeof(struct kpt_record_print),
};

/* Number of addresses that mainline declares; a record may have others. */
#define DECLARED_CALLERS 8

static const struct kpt_head_field stack_fields[] = {
	{ "size", "int size",
	  { KPT_FIELD_NUMBER, true, offsetof(struct kpt_record_stack, nr),
	    sizeof_field(struct kpt_record_stack, nr) } },
	{ "caller", "unsigned long caller[8]",
	  { KPT_FIELD_NUMBER, false, sizeof(struct kpt_record_stack),
	    DECLARED_CALLERS * sizeof(u64) } },
};

static void head_put_stack(struct kpt_strbuf *sb, const struct kpt_line *line)
{
	size_t at = sizeof(struct kpt_record_stack);
	size_t nr = line->size > at ? (line->size - at) / sizeof(u64) : 0, i;
	u64 addr;

	nr = min(nr, (size_t)kpt_line_number(line, &stack_fields[0].ref));
	kpt_strbuf_puts(sb, "<stack trace>");
	for (i = 0; i < nr; i++, at += sizeof(addr)) {
		memcpy(&addr, (const u8 *)line->record + at, sizeof(addr));
		kpt_strbuf_puts(sb, "\n => ");
		/* The first is where the CPU is, the others are where it returns to. */
		if (i)
			kpt_format_caller(sb, line, addr, line->options);
		else
			kpt_format_address(sb, line, addr, line->options);
	}
}

/* How programs that read raw records print the first addresses of a stack. */
#define STACK_FMT	"\\t=> %ps\\n\\t=> %ps\\n\\t=> %ps\\n\" \"" \
			"\\t=> %ps\\n\\t=> %ps\\n\\t=> %ps\\n\" \"" \
			"\\t=> %ps\\n\\t=> %ps\\n"
#define STACK_ARGS	"(void *)REC->caller[0], (void *)REC->caller[1], " \
			"(void *)REC->caller[2], (void *)REC->caller[3], " \
			"(void *)REC->caller[4], (void *)REC->caller[5], " \
			"(void *)REC->caller[6], (void *)REC->caller[7]"

static const struct kpt_head head_stack = {
	.size = sizeof(struct kpt_record_stack),
	.nr = ARRAY_SIZE(stack_fields),
	.is_builtin = true,
	.field = stack_fields,
	.print_fmt = STACK_FMT,
	.print_args = STACK_ARGS,
	.put = head_put_stack,
};

const struct kpt_fields kpt_fields_stack = {
	.head = &head_stack,
	.size = sizeof(struct kpt_record_stack),
};

static const struct kpt_head_field user_stack_fields[] = {
	KPT_HEAD_FIELD("unsigned int", "tgid", kpt_record_user_stack, tgid, false),
	{ "caller", "unsigned long caller[8]",
	  { KPT_FIELD_NUMBER, false, sizeof(struct kpt_record_user_stack),
	    KPT_USER_STACK_MIN * sizeof(u64) } },
};

static void head_put_user_stack(struct kpt_strbuf *sb, const struct kpt_line *line)
{
	size_t at = sizeof(struct kpt_record_user_stack);
	s32 tgid = (s32)kpt_line_number(line, &user_stack_fields[0].ref);
	u64 addr;

	kpt_strbuf_puts(sb, "<user stack trace>");
	for (; at + sizeof(addr) <= line->size; at += sizeof(addr)) {
		memcpy(&addr, (const u8 *)line->record + at, sizeof(addr));
		if (!addr)
			break;
		kpt_strbuf_puts(sb, "\n => ");
		kpt_format_user_address(sb, tgid, addr, line->options);
	}
}

static const struct kpt_head head_user_stack = {
	.size = sizeof(struct kpt_record_user_stack),
	.nr = ARRAY_SIZE(user_stack_fields),
	.is_builtin = true,
	.field = user_stack_fields,
	.print_fmt = STACK_FMT,
	.print_args = STACK_ARGS,
	.put = head_put_user_stack,
};

const struct kpt_fields kpt_fields_user_stack = {
	.head = &head_user_stack,
	.size = sizeof(struct kpt_record_user_stack),
};

static const struct kpt_head_field raw_data_fields[] = {
	KPT_HEAD_FIELD("unsigned int", "id", kpt_record_raw_data, id, false),
	HEAD_TAIL("buf", sizeof(struct kpt_record_raw_data)),
};

static void head_put_raw_data(struct kpt_strbuf *sb, const struct kpt_line *line)
{
	const u8 *bytes = line->record;
	size_t i;

	kpt_strbuf_printf(sb, "# %x buf:",
			  (u32)kpt_line_number(line, &raw_data_fields[0].ref));
	for (i = sizeof(struct kpt_record_raw_data); i < line->size; i++) {
		kpt_strbuf_putc(sb, ' ');
		kpt_strbuf_hex(sb, bytes[i], 2);
	}
}

static const struct kpt_head head_raw_data = {
	.size = sizeof(struct kpt_record_raw_data),
	.nr = ARRAY_SIZE(raw_data_fields),
	.is_builtin = true,
	.has_raw_text = true,
	.field = raw_data_fields,
	.print_fmt = "id:%04x %08x",
	.print_args = "REC->id, (int)REC->buf[0]",
	.put = head_put_raw_data,
};

const struct kpt_fields kpt_fields_raw_data = {
	.head = &head_raw_data,
	.size = sizeof(struct kpt_record_raw_data),
};

static const struct kpt_head_field function_fields[] = {
	KPT_HEAD_FIELD("unsigned long", "ip", kpt_record_function, ip, false),
	KPT_HEAD_FIELD("unsigned long", "parent_ip", kpt_record_function, parent_ip,
		   false),
	HEAD_ARGS(kpt_record_function),
};

/* The caller of a function, behind that. */
static void head_put_parent(struct kpt_strbuf *sb, const struct kpt_line *line,
			    u64 parent_ip)
{
	if (!(line->options & KPT_OPT_PRINT_PARENT) || !parent_ip)
		return;
	kpt_strbuf_puts(sb, " <-");
	kpt_format_caller(sb, line, parent_ip, line->options);
}

static void head_put_function(struct kpt_strbuf *sb, const struct kpt_line *line)
{
	u64 ip = kpt_line_number(line, &function_fields[0].ref);
	u64 parent_ip = kpt_line_number(line, &function_fields[1].ref);

	if (line->options & KPT_OPT_RAW) {
		kpt_strbuf_printf(sb, "%llx %llx", (unsigned long long)ip,
				  (unsigned long long)parent_ip);
		return;
	}
	kpt_format_address(sb, line, ip, line->options);
	kpt_format_call(sb, line, ip, sizeof(struct kpt_record_function));
	head_put_parent(sb, line, parent_ip);
}

static const struct kpt_head head_function = {
	.size = sizeof(struct kpt_record_function),
	.nr = ARRAY_SIZE(function_fields),
	.is_builtin = true,
	.has_raw_text = true,
	.field = function_fields,
	.print_fmt = " %ps <-- %ps",
	.print_args = "(void *)REC->ip, (void *)REC->parent_ip",
	.put = head_put_function,
};

const struct kpt_fields kpt_fields_function = {
	.head = &head_function,
	.size = sizeof(struct kpt_record_function),
};

#define REPEATS(type, name) \
	KPT_HEAD_FIELD(type, #name, kpt_record_func_repeats, name, false)

static const struct kpt_head_field repeats_fields[] = {
	REPEATS("unsigned long", ip),
	REPEATS("unsigned long", parent_ip),
	REPEATS("u16", count),
	REPEATS("u16", top_delta_ts),
	REPEATS("u32", bottom_delta_ts),
};

static void head_put_repeats(struct kpt_strbuf *sb, const struct kpt_line *line)
{
	u64 ip = kpt_line_number(line, &repeats_fields[0].ref);
	u64 parent_ip = kpt_line_number(line, &repeats_fields[1].ref);
	u32 count = (u32)kpt_line_number(line, &repeats_fields[2].ref);
	u64 delta = kpt_line_number(line, &repeats_fields[3].ref) << 32 |
		    kpt_line_number(line, &repeats_fields[4].ref);

	if (line->options & KPT_OPT_RAW) {
		kpt_strbuf_printf(sb, "%llu %llu %u %llu", (unsigned long long)ip,
				  (unsigned long long)parent_ip, count,
				  (unsigned long long)delta);
		return;
	}
	kpt_format_address(sb, line, ip, line->options);
	head_put_parent(sb, line, parent_ip);
	kpt_strbuf_printf(sb, " (repeats: %u, last_ts:", count);
	kpt_format_stamp(sb, line, line->ts - delta);
	kpt_strbuf_putc(sb, ')');
}

static const struct kpt_head head_func_repeats = {
	.size = sizeof(struct kpt_record_func_repeats),
	.nr = ARRAY_SIZE(repeats_fields),
	.is_builtin = true,
	.has_raw_text = true,
	.field = repeats_fields,
	.print_fmt = " %ps <-%ps\\t(repeats:%u  delta: -%llu)",
	.print_args = "(void *)REC->ip, (void *)REC->parent_ip, REC->count, "
		      "(((u64)(REC)->top_delta_ts << 32) | (REC)->bottom_delta_ts)",
	.put = head_put_repeats,
};

const struct kpt_fields kpt_fields_func_repeats = {
	.head = &head_func_repeats,
	.size = sizeof(struct kpt_record_func_repeats),
};

#define GRAPH_ENTRY(type, name) \
	KPT_HEAD_FIELD(type, #name, kpt_record_graph_entry, name, false)
#define GRAPH_EXIT(type, name) \
	KPT_HEAD_FIELD(type, #name, kpt_record_graph_exit, name, false)

static const struct kpt_head_field graph_entry_fields[] = {
	GRAPH_ENTRY("unsigned long", func),
	GRAPH_ENTRY("unsigned long", depth),
	HEAD_ARGS(kpt_record_graph_entry),
};

/* Where function_graph is not the tracer any more: as lines of its own. */
static void head_put_graph(struct kpt_strbuf *sb, const struct kpt_line *line,
			   const char *arrow, const struct kpt_head_field *func,
			   const struct kpt_head_field *depth)
{
	kpt_strbuf_puts(sb, arrow);
	head_put_address(sb, line, func);
	kpt_strbuf_puts(sb, " (");
	kpt_strbuf_udec(sb, kpt_line_number(line, &depth->ref), 0, ' ');
	kpt_strbuf_putc(sb, ')');
}

static void head_put_graph_entry(struct kpt_strbuf *sb, const struct kpt_line *line)
{
	head_put_graph(sb, line, "--> ", &graph_entry_fields[0],
		       &graph_entry_fields[1]);
}

static const struct kpt_head head_graph_entry = {
	.size = sizeof(struct kpt_record_graph_entry),
	.nr = ARRAY_SIZE(graph_entry_fields),
	.is_builtin = true,
	.field = graph_entry_fields,
	.print_fmt = "--> %ps (%lu)",
	.print_args = "(void *)REC->func, REC->depth",
	.put = head_put_graph_entry,
};

const struct kpt_fields kpt_fields_graph_entry = {
	.head = &head_graph_entry,
	.size = sizeof(struct kpt_record_graph_entry),
};

#define GRAPH_RETADDR(name, member) \
	KPT_HEAD_FIELD("unsigned long", name, kpt_record_graph_retaddr, member, false)

static const struct kpt_head_field graph_retaddr_fields[] = {
	GRAPH_RETADDR("func", entry.func),
	GRAPH_RETADDR("depth", entry.depth),
	GRAPH_RETADDR("retaddr", retaddr),
	HEAD_ARGS(kpt_record_graph_retaddr),
};

static void head_put_graph_retaddr(struct kpt_strbuf *sb, const struct kpt_line *line)
{
	head_put_graph_entry(sb, line);
	kpt_strbuf_puts(sb, " <- ");
	head_put_caller(sb, line, &graph_retaddr_fields[2]);
}

static const struct kpt_head head_graph_retaddr = {
	.size = sizeof(struct kpt_record_graph_retaddr),
	.nr = ARRAY_SIZE(graph_retaddr_fields),
	.is_builtin = true,
	.field = graph_retaddr_fields,
	.print_fmt = "--> %ps (%lu) <- %ps",
	.print_args = "(void *)REC->func, REC->depth, (void *)REC->retaddr",
	.put = head_put_graph_retaddr,
};

const struct kpt_fields kpt_fields_graph_retaddr = {
	.head = &head_graph_retaddr,
	.size = sizeof(struct kpt_record_graph_retaddr),
};

static const struct kpt_head_field graph_exit_fields[] = {
	GRAPH_EXIT("unsigned long", func),
	GRAPH_EXIT("unsigned long", retval),
	GRAPH_EXIT("unsigned int", depth),
	GRAPH_EXIT("unsigned int", overrun),
	GRAPH_EXIT("unsigned long long", calltime),
	GRAPH_EXIT("unsigned long long", rettime),
};

static void head_put_graph_exit(struct kpt_strbuf *sb, const struct kpt_line *line)
{
	head_put_graph(sb, line, "<-- ", &graph_exit_fields[0], &graph_exit_fields[2]);
}

static const struct kpt_head head_graph_exit = {
	.size = sizeof(struct kpt_record_graph_exit),
	.nr = ARRAY_SIZE(graph_exit_fields),
	.is_builtin = true,
	.field = graph_exit_fields,
	.print_fmt = "<-- %ps (%u) (start: %llx  end: %llx) over: %u retval: %lx",
	.print_args = "(void *)REC->func, REC->depth, REC->calltime, "
		      "REC->rettime, REC->depth, REC->retval",
	.put = head_put_graph_exit,
};

const struct kpt_fields kpt_fields_graph_exit = {
	.head = &head_graph_exit,
	.size = sizeof(struct kpt_record_graph_exit),
};

static const struct kpt_head_field object_fields[] = {
	KPT_HEAD_FIELD("unsigned long", "ip", kpt_record_object, ip, false),
	KPT_HEAD_FIELD("unsigned long", "parent_ip", kpt_record_object, parent_ip, false),
	KPT_HEAD_FIELD("u64", "object", kpt_record_object, object, false),
	KPT_HEAD_FIELD("u64", "value", kpt_record_object, value, false),
};

static void head_put_object(struct kpt_strbuf *sb, const struct kpt_line *line)
{
	head_put_address(sb, line, &object_fields[0]);
	kpt_strbuf_puts(sb, " <-");
	head_put_caller(sb, line, &object_fields[1]);
	kpt_strbuf_puts(sb, " object:0x");
	kpt_strbuf_hex(sb, kpt_line_number(line, &object_fields[2].ref), 0);
	kpt_strbuf_puts(sb, " value:0x");
	kpt_strbuf_hex(sb, kpt_line_number(line, &object_fields[3].ref), 0);
}

static const struct kpt_head head_object = {
	.size = sizeof(struct kpt_record_object),
	.nr = ARRAY_SIZE(object_fields),
	.field = object_fields,
	.print_fmt = "%ps <-%ps object:0x%llx value:0x%llx",
	.print_args = "(void *)REC->ip, (void *)REC->parent_ip, REC->object, REC->value",
	.put = head_put_object,
};

const struct kpt_fields kpt_fields_object = {
	.head = &head_object,
	.size = sizeof(struct kpt_record_object),
	.release = kpt_fields_keep,
};
