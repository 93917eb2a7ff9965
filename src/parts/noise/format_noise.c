// SPDX-License-Identifier: GPL-2.0-only
/*
 * Records of the tracers osnoise and timerlat, and of the events osnoise:*; the texts are
 * those of Linux 7.3.
 */
#include "lib/base/port.h"
#include "lib/format/format.h"
#include "lib/record/head.h"

static const struct kpt_head_field osnoise_fields[] = {
	KPT_HEAD_FIELD("u64", "noise", kpt_record_osnoise, noise, false),
	KPT_HEAD_FIELD("u64", "runtime", kpt_record_osnoise, runtime, false),
	KPT_HEAD_FIELD("u64", "max_sample", kpt_record_osnoise, max_sample, false),
	KPT_HEAD_FIELD("unsigned int", "hw_count", kpt_record_osnoise, hw_count, false),
	KPT_HEAD_FIELD("unsigned int", "nmi_count", kpt_record_osnoise, nmi_count, false),
	KPT_HEAD_FIELD("unsigned int", "irq_count", kpt_record_osnoise, irq_count, false),
	KPT_HEAD_FIELD("unsigned int", "softirq_count", kpt_record_osnoise,
		       softirq_count, false),
	KPT_HEAD_FIELD("unsigned int", "thread_count", kpt_record_osnoise, thread_count,
		       false),
};

static unsigned long long noise_number(const struct kpt_line *line,
				       const struct kpt_head_field *field)
{
	return kpt_line_number(line, &field->ref);
}

static void noise_put_numbers(struct kpt_strbuf *sb, const struct kpt_line *line,
			      const char *format, const struct kpt_head_field *field,
			      unsigned int nr)
{
	unsigned int i;

	for (i = 0; i < nr; i++)
		kpt_strbuf_printf(sb, format, noise_number(line, &field[i]));
}

/* The share of @part in @whole, in units of 10^-7. */
static u64 noise_share(u64 part, u64 whole)
{
	while (part > U64_MAX / 10000000) {
		part /= 2;
		whole /= 2;
	}
	return whole ? part * 10000000 / whole : 0;
}

static void head_put_osnoise(struct kpt_strbuf *sb, const struct kpt_line *line)
{
	const struct kpt_head_field *f = osnoise_fields;
	u64 noise = noise_number(line, &f[0]), runtime = noise_number(line, &f[1]);
	u64 share = noise < runtime ? noise_share(runtime - noise, runtime) : 0;

	if (line->options & KPT_OPT_RAW) {
		kpt_strbuf_printf(sb, "%lld %llu %llu", (long long)runtime,
				  (unsigned long long)noise, noise_number(line, &f[2]));
		noise_put_numbers(sb, line, " %llu", &f[3], 5);
		return;
	}
	kpt_strbuf_printf(sb, "%llu %10llu %3llu.%05llu %7llu",
			  (unsigned long long)runtime, (unsigned long long)noise,
			  (unsigned long long)(share / 100000),
			  (unsigned long long)(share % 100000),
			  noise_number(line, &f[2]));
	noise_put_numbers(sb, line, " %6llu", &f[3], 5);
}

static const struct kpt_head head_osnoise = {
	.size = sizeof(struct kpt_record_osnoise),
	.nr = ARRAY_SIZE(osnoise_fields),
	.is_builtin = true,
	.has_raw_text = true,
	.field = osnoise_fields,
	.print_fmt = "noise:%llu\\tmax_sample:%llu\\t" "hw:%u\\tnmi:%u\\tirq:%u"
		     "\\tsoftirq:%u\\tthread:%u\\n",
	.print_args = "REC->noise, REC->max_sample, REC->hw_count, REC->nmi_count, "
		      "REC->irq_count, REC->softirq_count, REC->thread_count",
	.put = head_put_osnoise,
};

const struct kpt_fields kpt_fields_osnoise = {
	.head = &head_osnoise,
	.size = sizeof(struct kpt_record_osnoise),
};

static const struct kpt_head_field timerlat_fields[] = {
	KPT_HEAD_FIELD("unsigned int", "seqnum", kpt_record_timerlat, seqnum, false),
	KPT_HEAD_FIELD("int", "context", kpt_record_timerlat, context, true),
	KPT_HEAD_FIELD("u64", "timer_latency", kpt_record_timerlat, timer_latency, false),
};

static const char *const timerlat_contexts[] = {
	[KPT_TIMERLAT_IRQ] = "irq",
	[KPT_TIMERLAT_THREAD] = "thread",
	[KPT_TIMERLAT_USER_RET] = "user-ret",
};

static void head_put_timerlat(struct kpt_strbuf *sb, const struct kpt_line *line)
{
	const struct kpt_head_field *f = timerlat_fields;
	unsigned long long context = noise_number(line, &f[1]);

	if (line->options & KPT_OPT_RAW)
		kpt_strbuf_printf(sb, "%llu %lld %llu", noise_number(line, &f[0]), context,
				  noise_number(line, &f[2]));
	else
		kpt_strbuf_printf(sb, "#%-5llu context %6s timer_latency %9llu ns",
				  noise_number(line, &f[0]),
				  context < ARRAY_SIZE(timerlat_contexts) ?
				  timerlat_contexts[context] : "?",
				  noise_number(line, &f[2]));
}

static const struct kpt_head head_timerlat = {
	.size = sizeof(struct kpt_record_timerlat),
	.nr = ARRAY_SIZE(timerlat_fields),
	.is_builtin = true,
	.has_raw_text = true,
	.field = timerlat_fields,
	.print_fmt = "seq:%u\\tcontext:%d\\ttimer_latency:%llu\\n",
	.print_args = "REC->seqnum, REC->context, REC->timer_latency",
	.put = head_put_timerlat,
};

const struct kpt_fields kpt_fields_timerlat = {
	.head = &head_timerlat,
	.size = sizeof(struct kpt_record_timerlat),
};

/*
 * The events osnoise:*. Tools divide the start of an interference themselves.
 */

#define START_FMT "start %llu.%09llu duration %llu ns"
#define START_ARGS "REC->start / 1000000000, REC->start % 1000000000, REC->duration"

#define TIMES(record)							\
	KPT_HEAD_FIELD("u64", "start", record, start, false),		\
	KPT_HEAD_FIELD("u64", "duration", record, duration, false)

/* @field is the start, the next one the duration. */
static void noise_put_times(struct kpt_strbuf *sb, const struct kpt_line *line,
			    const struct kpt_head_field *field)
{
	unsigned long long start = noise_number(line, field);

	kpt_strbuf_printf(sb, START_FMT, start / 1000000000, start % 1000000000,
			  noise_number(line, field + 1));
}

static void noise_put_text(struct kpt_strbuf *sb, const struct kpt_line *line,
			   const struct kpt_field_ref *ref)
{
	struct kpt_field_ref end = *ref;
	const char *text = "";
	size_t len = 0;

	end.kind = KPT_FIELD_NUMBER;
	if (kpt_line_has(line, &end))
		text = kpt_field_text(ref, line->record, line->size, &len);
	kpt_strbuf_printf(sb, "%8.*s", (int)len, text);
}

#define NOISE_EVENT(event, record_, fmt, args)			\
	static const struct kpt_head head_##event = {			\
		.size = sizeof(struct record_),				\
		.nr = ARRAY_SIZE(event##_fields),			\
		.field = event##_fields,				\
		.print_fmt = fmt,					\
		.print_args = args,					\
		.put = head_put_##event,				\
	};								\
	const struct kpt_fields kpt_fields_##event = {			\
		.head = &head_##event,					\
		.size = sizeof(struct record_),				\
		.release = kpt_fields_keep,				\
	}

static const struct kpt_head_field nmi_noise_fields[] = { TIMES(kpt_record_nmi_noise) };

static void head_put_nmi_noise(struct kpt_strbuf *sb, const struct kpt_line *line)
{
	kpt_strbuf_printf(sb, "%s: ", line->event);
	noise_put_times(sb, line, nmi_noise_fields);
}

NOISE_EVENT(nmi_noise, kpt_record_nmi_noise, START_FMT, START_ARGS);

static const struct kpt_head_field irq_noise_fields[] = {
	TIMES(kpt_record_irq_noise),
	{ "desc", "__data_loc char[] desc",
	  { KPT_FIELD_TEXT, true, offsetof(struct kpt_record_irq_noise, desc), 4 } },
	KPT_HEAD_FIELD("int", "vector", kpt_record_irq_noise, vector, true),
};

static void head_put_irq_noise(struct kpt_strbuf *sb, const struct kpt_line *line)
{
	const struct kpt_field_ref *desc = &irq_noise_fields[2].ref;
	const char *text = "";
	size_t len = 0;

	if (line->size >= sizeof(struct kpt_record_irq_noise))
		text = kpt_field_text(desc, line->record, line->size, &len);
	kpt_strbuf_printf(sb, "%s: %.*s:%d ", line->event, (int)len, text,
			  (int)noise_number(line, &irq_noise_fields[3]));
	noise_put_times(sb, line, irq_noise_fields);
}

NOISE_EVENT(irq_noise, kpt_record_irq_noise, "%s:%d " START_FMT,
	    "__get_str(desc), REC->vector, " START_ARGS);

static const struct kpt_head_field softirq_noise_fields[] = {
	TIMES(kpt_record_softirq_noise),
	KPT_HEAD_FIELD("int", "vector", kpt_record_softirq_noise, vector, true),
};

static const char *const softirqs[] = {
	"HI", "TIMER", "NET_TX", "NET_RX", "BLOCK", "IRQ_POLL", "TASKLET", "SCHED",
	"HRTIMER", "RCU",
};

#define SOFTIRQ_NAMES "__print_symbolic(REC->vector, { 0, \"HI\" }, { 1, \"TIMER\" }, "	\
	"{ 2, \"NET_TX\" }, { 3, \"NET_RX\" }, { 4, \"BLOCK\" }, { 5, \"IRQ_POLL\" }, "	\
	"{ 6, \"TASKLET\" }, { 7, \"SCHED\" }, { 8, \"HRTIMER\" }, { 9, \"RCU\" })"

static void head_put_softirq_noise(struct kpt_strbuf *sb, const struct kpt_line *line)
{
	u64 vector = noise_number(line, &softirq_noise_fields[2]);

	kpt_strbuf_printf(sb, "%s: ", line->event);
	if (vector < ARRAY_SIZE(softirqs))
		kpt_strbuf_printf(sb, "%8s:%d ", softirqs[vector], (int)vector);
	else
		kpt_strbuf_printf(sb, "0x%llx:%d ", (unsigned long long)vector, (int)vector);
	noise_put_times(sb, line, softirq_noise_fields);
}

NOISE_EVENT(softirq_noise, kpt_record_softirq_noise, "%8s:%d " START_FMT,
	    SOFTIRQ_NAMES ", REC->vector, " START_ARGS);

static const struct kpt_head_field thread_noise_fields[] = {
	{ "comm", "char comm[16]",
	  { KPT_FIELD_CHARS, false, offsetof(struct kpt_record_thread_noise, comm), 16 } },
	TIMES(kpt_record_thread_noise),
	KPT_HEAD_FIELD("pid_t", "pid", kpt_record_thread_noise, pid, true),
};

static void head_put_thread_noise(struct kpt_strbuf *sb, const struct kpt_line *line)
{
	kpt_strbuf_printf(sb, "%s: ", line->event);
	noise_put_text(sb, line, &thread_noise_fields[0].ref);
	kpt_strbuf_printf(sb, ":%d ", (int)noise_number(line, &thread_noise_fields[3]));
	noise_put_times(sb, line, &thread_noise_fields[1]);
}

NOISE_EVENT(thread_noise, kpt_record_thread_noise, "%8s:%d " START_FMT,
	    "REC->comm, REC->pid, " START_ARGS);

static const struct kpt_head_field threshold_fields[] = {
	TIMES(kpt_record_threshold),
	KPT_HEAD_FIELD("u64", "interference", kpt_record_threshold, interference, false),
};

static void head_put_threshold(struct kpt_strbuf *sb, const struct kpt_line *line)
{
	kpt_strbuf_printf(sb, "%s: ", line->event);
	noise_put_times(sb, line, threshold_fields);
	kpt_strbuf_printf(sb, " interference %llu",
			  noise_number(line, &threshold_fields[2]));
}

NOISE_EVENT(threshold, kpt_record_threshold, START_FMT " interference %llu",
	    START_ARGS ", REC->interference");

#define SAMPLE(type, name, is_signed) \
	KPT_HEAD_FIELD(type, #name, kpt_record_osnoise_sample, name, is_signed)

static const struct kpt_head_field osnoise_sample_fields[] = {
	SAMPLE("u64", runtime, false),
	SAMPLE("u64", noise, false),
	SAMPLE("u64", max_sample, false),
	SAMPLE("int", hw_count, true),
	SAMPLE("int", irq_count, true),
	SAMPLE("int", nmi_count, true),
	SAMPLE("int", softirq_count, true),
	SAMPLE("int", thread_count, true),
};

/* NAME=NUMBER for each field. */
static void noise_put_named(struct kpt_strbuf *sb, const struct kpt_line *line,
			    const struct kpt_head_field *field, unsigned int nr)
{
	kpt_strbuf_printf(sb, "%s:", line->event);
	for (; nr; nr--, field++)
		kpt_strbuf_printf(sb, " %s=%lld", field->name,
				  (long long)noise_number(line, field));
}

static void head_put_osnoise_sample(struct kpt_strbuf *sb, const struct kpt_line *line)
{
	noise_put_named(sb, line, osnoise_sample_fields,
			ARRAY_SIZE(osnoise_sample_fields));
}

NOISE_EVENT(osnoise_sample, kpt_record_osnoise_sample,
	    "runtime=%llu noise=%llu max_sample=%llu hw_count=%d irq_count=%d "
	    "nmi_count=%d softirq_count=%d thread_count=%d",
	    "REC->runtime, REC->noise, REC->max_sample, REC->hw_count, REC->irq_count, "
	    "REC->nmi_count, REC->softirq_count, REC->thread_count");

static const struct kpt_head_field timerlat_sample_fields[] = {
	KPT_HEAD_FIELD("u64", "timer_latency", kpt_record_timerlat_sample,
		       timer_latency, false),
	KPT_HEAD_FIELD("unsigned int", "seqnum", kpt_record_timerlat_sample, seqnum, false),
	KPT_HEAD_FIELD("int", "context", kpt_record_timerlat_sample, context, true),
};

static void head_put_timerlat_sample(struct kpt_strbuf *sb, const struct kpt_line *line)
{
	noise_put_named(sb, line, timerlat_sample_fields,
			ARRAY_SIZE(timerlat_sample_fields));
}

NOISE_EVENT(timerlat_sample, kpt_record_timerlat_sample,
	    "timer_latency=%llu seqnum=%u context=%d",
	    "REC->timer_latency, REC->seqnum, REC->context");

/*
 * Headers.
 */

static const char flags_rows[] =
	"#                                _-----=> irqs-off\n"
	"#                               / _----=> need-resched\n"
	"#                              | / _---=> hardirq/softirq\n"
	"#                              || / _--=> preempt-depth\n";

/**
 * kpt_format_osnoise_header() - write the header of trace for osnoise
 * @sb: where to write
 * @options: KPT_OPT_*; ignored, as in mainline
 *
 * Context: process context.
 */
void kpt_format_osnoise_header(struct kpt_strbuf *sb, u32 options)
{
	(void)options;
	kpt_strbuf_puts(sb, "# tracer: osnoise\n#\n");
	kpt_strbuf_puts(sb, flags_rows);
	kpt_strbuf_puts(sb, "#                              ||| / _-=> migrate-disable     "
			"                    MAX\n");
	kpt_strbuf_puts(sb, "#                              |||| /     delay               "
			"                    SINGLE      Interference counters:\n");
	/* The two percent signs are mainline's. */
	kpt_strbuf_puts(sb, "#                              |||||               RUNTIME   "
			"   NOISE  %% OF CPU  NOISE    +-----------------------------+\n");
	kpt_strbuf_puts(sb, "#           TASK-PID      CPU# |||||   TIMESTAMP    IN US    "
			"   IN US  AVAILABLE  IN US     HW    NMI    IRQ   SIRQ THREAD\n");
	kpt_strbuf_puts(sb, "#              | |         |   |||||      |           |      "
			"       |    |            |      |      |      |      |      |\n");
}

/**
 * kpt_format_timerlat_header() - write the header of trace for timerlat
 * @sb: where to write
 * @options: KPT_OPT_*; ignored, as in mainline
 *
 * Context: process context.
 */
void kpt_format_timerlat_header(struct kpt_strbuf *sb, u32 options)
{
	(void)options;
	kpt_strbuf_puts(sb, "# tracer: timerlat\n#\n");
	kpt_strbuf_puts(sb, flags_rows);
	kpt_strbuf_puts(sb, "#                              ||| / _-=> migrate-disable\n");
	kpt_strbuf_puts(sb, "#                              |||| /     delay\n");
	kpt_strbuf_puts(sb, "#                              |||||            ACTIVATION\n");
	kpt_strbuf_puts(sb, "#           TASK-PID      CPU# |||||   TIMESTAMP   ID      "
			"      CONTEXT                 LATENCY\n");
	kpt_strbuf_puts(sb, "#              | |         |   |||||      |         |      "
			"            |                       |\n");
}
