// SPDX-License-Identifier: GPL-2.0-only
/* Texts that need no record: format files and the header of trace. */
#include "lib/base/port.h"
#include "lib/format/format.h"

static void file_put_head_fields(struct kpt_strbuf *sb,
				 const struct kpt_head_field *field, size_t nr)
{
	for (; nr; nr--, field++)
		kpt_strbuf_printf(sb,
			"\tfield:%s;\toffset:%u;\tsize:%u;\tsigned:%d;\n",
			field->declaration, field->ref.offset, field->ref.size,
			field->ref.is_signed);
}

/* Only arrays of strings declare their length, as in mainline. */
static void file_put_field(struct kpt_strbuf *sb, const struct kpt_field *f)
{
	const struct kpt_type_info *info = &kpt_type_info[f->type];

	kpt_strbuf_printf(sb, "\tfield:%s", info->format_name);
	if (f->count && info->is_dynamic)
		kpt_strbuf_printf(sb, "[%u]", f->count);
	kpt_strbuf_printf(sb, " %s%s", f->name,
			  f->count && !info->is_dynamic ? "[]" : "");
	if (!f->count && kpt_field_declared(f))
		kpt_strbuf_printf(sb, "[%u]", kpt_field_declared(f));
	kpt_strbuf_putc(sb, ';');
	kpt_strbuf_printf(sb, "\toffset:%u;\tsize:%zu;\tsigned:%d;\n", f->offset,
			  kpt_field_size(f), info->is_signed);
}

static void file_put_conversion(struct kpt_strbuf *sb, const struct kpt_field *f)
{
	const char *print = f->names ? "%s" : kpt_type_info[f->type].print;
	unsigned int i;

	kpt_strbuf_printf(sb, "%s=", f->name);
	if (!f->count || f->type == KPT_TYPE_SYNTH_CHARS) {
		kpt_strbuf_puts(sb, print);
		return;
	}
	for (i = 0; i < f->count; i++) {
		kpt_strbuf_putc(sb, i ? ',' : '{');
		kpt_strbuf_puts(sb, print);
	}
	kpt_strbuf_putc(sb, '}');
}

/*
 * The cast and values without sign make the same of it whether a number is read with its
 * sign, as in C, or without it, as libtraceevent does.
 */
static void file_put_enum(struct kpt_strbuf *sb, const struct kpt_field *f,
			  unsigned int i)
{
	const struct kpt_enum *names = f->names;
	u32 n;

	kpt_strbuf_printf(sb, ", __print_symbolic((u%u)REC->%s",
			  8U * kpt_type_info[f->type].size, f->name);
	if (f->count)
		kpt_strbuf_printf(sb, "[%u]", i);
	for (n = 0; n < names->nr && !sb->overflow; n++) {
		kpt_strbuf_puts(sb, ", { ");
		kpt_strbuf_udec(sb, names->value[n].value, 0, ' ');
		kpt_strbuf_printf(sb, ", \"%s\" }", kpt_enum_name(names, n));
	}
	kpt_strbuf_putc(sb, ')');
}

static void file_put_element(struct kpt_strbuf *sb, const struct kpt_field *f,
			     unsigned int i)
{
	kpt_strbuf_puts(sb, "REC->");
	kpt_strbuf_puts(sb, f->name);
	if (f->count)
		kpt_strbuf_printf(sb, "[%u]", i);
}

/* Write whether a number has a name, in brackets; libtraceevent needs those. */
static void file_put_is_named(struct kpt_strbuf *sb, const struct kpt_field *f,
			      unsigned int i)
{
	const struct kpt_type_info *info = &kpt_type_info[f->type];
	const struct kpt_name_run *run = info->names->run;
	unsigned int n, nr = info->names->nr;

	kpt_strbuf_puts(sb, nr > 1 ? "(" : "");
	for (n = 0; n < nr; n++, run++) {
		kpt_strbuf_printf(sb, "%s((u%u)(", n ? " || " : "", 8U * info->size);
		file_put_element(sb, f, i);
		kpt_strbuf_printf(sb, "%s%lld) < %u)", run->first > 0 ? " - " : " + ",
				  (long long)(run->first > 0 ? run->first : -run->first),
				  kpt_name_run_nr(run));
	}
	kpt_strbuf_puts(sb, nr > 1 ? ")" : "");
}

/*
 * A number with names has two operands, for "%s%.0d": its name and 0, of which the precision
 * leaves nothing, or no text and itself. So it is the same for all tools. Numbers without a
 * name, among those that have one, are names, too.
 */
static void file_put_named(struct kpt_strbuf *sb, const struct kpt_field *f, unsigned int i)
{
	const struct kpt_type_info *info = &kpt_type_info[f->type];
	const struct kpt_name_run *run = info->names->run;
	char name[KPT_NUMBER_NAME_MAX];
	unsigned int n, unused = 64 - 8 * info->size;
	s64 v;

	kpt_strbuf_puts(sb, ", ");
	file_put_is_named(sb, f, i);
	kpt_strbuf_printf(sb, " ? __print_symbolic((u%u)", 8U * info->size);
	file_put_element(sb, f, i);
	for (; run < info->names->run + info->names->nr; run++) {
		for (n = 0; n < kpt_name_run_nr(run) && !sb->overflow; n++) {
			v = run->first + n;
			kpt_strbuf_printf(sb, ", { %llu, \"",
					  (unsigned long long)v << unused >> unused);
			if (kpt_number_name(info->names, v, name))
				kpt_strbuf_puts(sb, name);
			else
				kpt_strbuf_dec(sb, v);
			kpt_strbuf_puts(sb, "\" }");
		}
	}
	kpt_strbuf_puts(sb, ") : \"\", ");
	file_put_is_named(sb, f, i);
	kpt_strbuf_puts(sb, " ? 0 : ");
	file_put_element(sb, f, i);
}

static void file_put_operand(struct kpt_strbuf *sb, const struct kpt_field *f)
{
	static const char *const begin[] = {
		[KPT_FIELD_NUMBER] = "REC->",
		[KPT_FIELD_TEXT] = "__get_str(",
		[KPT_FIELD_CHARS] = "REC->",
		[KPT_FIELD_STACK] = "__get_stacktrace(",
	};
	const struct kpt_type_info *info = &kpt_type_info[f->type];
	bool is_array = f->count && info->kind != KPT_FIELD_CHARS;
	unsigned int i;

	for (i = 0; i < (is_array ? f->count : 1); i++) {
		if (f->names) {
			file_put_enum(sb, f, i);
			continue;
		}
		if (info->names) {
			file_put_named(sb, f, i);
			continue;
		}
		kpt_strbuf_printf(sb, ", %s%s", begin[info->kind], f->name);
		if (is_array)
			kpt_strbuf_printf(sb, "[%u]", i);
		if (info->is_dynamic)
			kpt_strbuf_putc(sb, ')');
	}
}

/**
 * kpt_format_print_fmt() - write how the format file says that a record is printed
 * @sb: where to write
 * @fields: shape of the records
 *
 * Context: process context.
 */
void kpt_format_print_fmt(struct kpt_strbuf *sb, const struct kpt_fields *fields)
{
	unsigned int i;

	if (fields->head->has_whole_print) {
		kpt_strbuf_puts(sb, fields->head->print_fmt);
		return;
	}
	kpt_strbuf_putc(sb, '"');
	kpt_strbuf_puts(sb, fields->head->print_fmt);
	for (i = 0; i < fields->nr; i++) {
		if (i || !fields->head->is_synthetic)
			kpt_strbuf_putc(sb, ' ');
		file_put_conversion(sb, &fields->field[i]);
	}
	kpt_strbuf_puts(sb, "\"");
	if (*fields->head->print_args)
		kpt_strbuf_printf(sb, ", %s", fields->head->print_args);
	for (i = 0; i < fields->nr; i++)
		file_put_operand(sb, &fields->field[i]);
}

/**
 * kpt_format_file() - write the text of an event's format file
 * @sb: where to write
 * @event: name of the event
 * @id: its number
 * @fields: shape of its records
 *
 * The text is that of Linux 7.3: the declaration of an array of numbers does
 * not say its length.
 *
 * Context: process context.
 */
void kpt_format_file(struct kpt_strbuf *sb, const char *event, u32 id,
		     const struct kpt_fields *fields)
{
	unsigned int i;

	kpt_strbuf_printf(sb, "name: %s\nID: %u\nformat:\n", event, id);
	file_put_head_fields(sb, kpt_common_fields, KPT_COMMON_FIELDS);
	kpt_strbuf_putc(sb, '\n');
	file_put_head_fields(sb, fields->head->field, fields->head->nr);
	for (i = 0; i < fields->nr; i++)
		file_put_field(sb, &fields->field[i]);
	kpt_strbuf_puts(sb, "\nprint fmt: ");
	kpt_format_print_fmt(sb, fields);
	kpt_strbuf_putc(sb, '\n');
}

/*
 * Rows of the header: @before, then @gap or, with a column for thread groups,
 * @tgid, then @after.
 */
struct header_row {
	const char *before;
	const char *gap;
	const char *tgid;
	const char *after;
};

#define SPACE2 "  "
#define SPACE12 "            "

static const struct header_row irq_rows[] = {
	{ "#                            ", SPACE2, SPACE12,
	  "  _-----=> irqs-off/BH-disabled\n" },
	{ "#                            ", SPACE2, SPACE12,
	  " / _----=> need-resched\n" },
	{ "#                            ", SPACE2, SPACE12,
	  "| / _---=> hardirq/softirq\n" },
	{ "#                            ", SPACE2, SPACE12,
	  "|| / _--=> preempt-depth\n" },
	{ "#                            ", SPACE2, SPACE12,
	  "||| / _-=> migrate-disable\n" },
	{ "#                            ", SPACE2, SPACE12,
	  "|||| /     delay\n" },
	{ "#           TASK-PID  ", SPACE2, "     TGID   ",
	  " CPU#  |||||  TIMESTAMP  FUNCTION\n" },
	{ "#              | |    ", SPACE2, "       |    ",
	  "   |   |||||     |         |\n" },
};

static const struct header_row short_rows[] = {
	{ "#           TASK-PID    ", "", "   TGID   ",
	  " CPU#     TIMESTAMP  FUNCTION\n" },
	{ "#              | |      ", "", "     |    ",
	  "   |         |         |\n" },
};

static void header_put_rows(struct kpt_strbuf *sb, const struct header_row *row,
			    size_t nr, bool tgid)
{
	for (; nr; nr--, row++) {
		kpt_strbuf_puts(sb, row->before);
		kpt_strbuf_puts(sb, tgid ? row->tgid : row->gap);
		kpt_strbuf_puts(sb, row->after);
	}
}

/**
 * kpt_format_header() - write the comment block at the top of trace
 * @sb: where to write
 * @tracer: name of the tracer
 * @entries: number of records in the buffer
 * @written: number of records written so far
 * @cpus: number of online CPUs
 * @options: KPT_OPT_*; KPT_OPT_LATENCY_FMT is ignored
 *
 * Context: process context.
 */
void kpt_format_header(struct kpt_strbuf *sb, const char *tracer, u64 entries,
		       u64 written, unsigned int cpus, u32 options)
{
	bool tgid = options & KPT_OPT_RECORD_TGID;

	kpt_strbuf_printf(sb, "# tracer: %s\n#\n", tracer);
	if ((options & (KPT_OPT_CONTEXT_INFO | KPT_OPT_VERBOSE)) !=
	    KPT_OPT_CONTEXT_INFO)
		return;
	kpt_strbuf_printf(sb, "# entries-in-buffer/entries-written: ");
	kpt_strbuf_printf(sb, "%llu/%llu   #P:%u\n#\n",
			  (unsigned long long)entries,
			  (unsigned long long)written, cpus);
	if (options & KPT_OPT_IRQ_INFO)
		header_put_rows(sb, irq_rows, ARRAY_SIZE(irq_rows), tgid);
	else
		header_put_rows(sb, short_rows, ARRAY_SIZE(short_rows), tgid);
}

static const char latency_rows[] =
	"#                    _------=> CPU#            \n"
	"#                   / _-----=> irqs-off/BH-disabled\n"
	"#                  | / _----=> need-resched    \n"
	"#                  || / _---=> hardirq/softirq \n"
	"#                  ||| / _--=> preempt-depth   \n"
	"#                  |||| / _-=> migrate-disable \n"
	"#                  ||||| /     delay           \n"
	"#  cmd     pid     |||||| time  |   caller     \n"
	"#     \\   /        ||||||  \\    |    /       \n";

static const char rule[] = "#    -----------------\n";

/**
 * kpt_format_latency_header() - kpt_format_header() for KPT_OPT_LATENCY_FMT
 * @sb: where to write
 * @tracer: name of the tracer
 * @release: release of the kernel, as uname shows it
 * @model: preemption model, as the kernel names it ("PREEMPTLAZY")
 * @entries: number of records in the buffer
 * @written: number of records written so far
 * @cpus: number of online CPUs
 * @options: KPT_OPT_*
 *
 * Context: process context.
 */
void kpt_format_latency_header(struct kpt_strbuf *sb, const char *tracer,
			       const char *release, const char *model, u64 entries, u64 written,
			       unsigned int cpus, u32 options)
{
	kpt_strbuf_printf(sb, "# tracer: %s\n#\n", tracer);
	if (!(options & KPT_OPT_CONTEXT_INFO) || !entries)
		return;
	kpt_strbuf_printf(sb, "# %s latency trace v1.1.5 on %s\n", tracer, release);
	kpt_strbuf_puts(sb, "# -----------------------------------"
			"---------------------------------\n");
	kpt_strbuf_printf(sb, "# latency: 0 us, #%llu/%llu, CPU#0 |",
			  (unsigned long long)entries,
			  (unsigned long long)written);
	kpt_strbuf_printf(sb, " (M:%s VP:0, KP:0, SP:0 HP:0 #P:%u)\n", model,
			  cpus);
	/* No latency is measured, so there is no task. */
	kpt_strbuf_puts(sb, rule);
	kpt_strbuf_puts(sb, "#    | task: -0 (uid:0 nice:0 policy:0 rt_prio:0)\n");
	kpt_strbuf_puts(sb, rule);
	kpt_strbuf_puts(sb, "#\n");
	if (!(options & KPT_OPT_VERBOSE))
		kpt_strbuf_puts(sb, latency_rows);
}
