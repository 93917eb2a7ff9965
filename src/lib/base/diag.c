// SPDX-License-Identifier: GPL-2.0-only
/* Reasons as text, in the form of mainline's error_log. */
#include "lib/base/port.h"
#include "lib/base/diag.h"

#define TEXT(code, text) [KPT_E_##code] = text,
static const char *const diag_texts[KPT_NR_DIAG] = {
	[KPT_E_NONE] = "",
	KPT_DIAG_MAINLINE(TEXT)
	KPT_DIAG_OWN(TEXT)
	KPT_DIAG_FILTER(TEXT)
	KPT_DIAG_HIST(TEXT)
	KPT_DIAG_SYNTH(TEXT)
	KPT_DIAG_USER(TEXT)
	KPT_DIAG_TRIGGER(TEXT)
	KPT_DIAG_LIMIT(TEXT)
	KPT_DIAG_OBJTRACE(TEXT)
	KPT_DIAG_WATCH(TEXT)
	KPT_DIAG_SAMPLE(TEXT)
};

/* The beginning of the line with the command. */
static const char command_lead[] = "  Command: ";

/**
 * kpt_diag_detail() - add a detail to a reason
 * @diag: the reason, already set
 * @detail: the detail, cut to KPT_DIAG_DETAIL_MAX
 *
 * Context: any.
 */
void kpt_diag_detail(struct kpt_diag *diag, const char *detail)
{
	struct kpt_strbuf sb;

	kpt_strbuf_init(&sb, diag->detail, sizeof(diag->detail));
	kpt_strbuf_puts(&sb, detail);
}

/**
 * kpt_diag_text() - text of a reason
 * @code: the reason
 *
 * Context: any.
 * Return: a constant string, "" for KPT_E_NONE.
 */
const char *kpt_diag_text(enum kpt_diag_code code)
{
	return (unsigned int)code < KPT_NR_DIAG ? diag_texts[code] : "";
}

/**
 * kpt_diag_between() - what is between the text of a reason and its detail
 * @diag: the reason
 *
 * Context: any.
 * Return: a constant string, "" without a detail.
 */
const char *kpt_diag_between(const struct kpt_diag *diag)
{
	const char *text = kpt_diag_text(diag->code);

	if (!diag->detail[0])
		return "";
	return *text && text[strlen(text) - 1] == '.' ? " " : ": ";
}

static void diag_put_time(struct kpt_strbuf *sb, u64 ns)
{
	u64 us = ns / 1000;

	kpt_strbuf_printf(sb, "[%5llu.%06u] ",
			  (unsigned long long)(us / 1000000),
			  (unsigned int)(us % 1000000));
}

/**
 * kpt_diag_print() - write an entry of error_log
 * @sb: where to write
 * @ns: time in ns of the local clock
 * @loc: name of the part that refused the command: "trace_kprobe" for
 *	definitions
 * @command: the words of the command, joined by single spaces
 * @diag: the reason
 *
 * Writes three lines in the form of mainline's error_log: time, @loc and text;
 * the command; a caret under the column.
 *
 * Context: any.
 */
void kpt_diag_print(struct kpt_strbuf *sb, u64 ns, const char *loc,
		    const char *command, const struct kpt_diag *diag)
{
	diag_put_time(sb, ns);
	kpt_strbuf_printf(sb, "%s: error: %s%s%s", loc, kpt_diag_text(diag->code),
			  kpt_diag_between(diag), diag->detail);
	if (diag->line > 1)
		kpt_strbuf_printf(sb, " (line %u)", diag->line);
	kpt_strbuf_printf(sb, "\n%s%s\n", command_lead, command);
	kpt_strbuf_printf(sb, "%*s^\n",
			  (int)(sizeof(command_lead) - 1 + diag->column), "");
}
