// SPDX-License-Identifier: GPL-2.0-only
/*
 * Any line is refused with a column in it, or taken apart into pieces that,
 * written out again, are taken apart into the same.
 */
#include "lib/base/port.h"
#include "lib/fetch/def.h"
#include "lib/base/lex.h"
#include <string.h>
#include "input.h"

static bool is_span(const struct kpt_def *def, struct kpt_span span)
{
	return span.at + span.len <= strlen(def->text);
}

static void add_span(struct kpt_strbuf *sb, const struct kpt_def *def,
		     const char *before, struct kpt_span span,
		     const char *after)
{
	if (!span.len)
		return;
	kpt_strbuf_puts(sb, before);
	kpt_strbuf_add(sb, def->text + span.at, span.len);
	kpt_strbuf_puts(sb, after);
}

static void add_place(struct kpt_strbuf *sb, const struct kpt_def *def)
{
	if (def->kind == KPT_DEF_DELETE) {
		add_span(sb, def, " ", def->place, "");
	} else if (def->of_event) {
		add_span(sb, def, " ", def->source_group, "/");
		add_span(sb, def, "", def->source_event, "");
	} else if (def->symbol.len) {
		kpt_strbuf_putc(sb, ' ');
		add_span(sb, def, "", def->module, ":");
		add_span(sb, def, "", def->symbol, "");
		kpt_strbuf_printf(sb, "+%u", def->offset);
	} else {
		kpt_strbuf_printf(sb, " 0x%llx",
				  (unsigned long long)def->address);
	}
}

static void print(struct kpt_strbuf *sb, const struct kpt_def *def)
{
	unsigned int i;

	if (def->kind == KPT_DEF_SYNTHETIC || def->kind == KPT_DEF_USER) {
		kpt_strbuf_puts(sb, def->kind == KPT_DEF_USER ? "u:" : "s:");
		add_span(sb, def, "", def->event, "");
		add_span(sb, def, " ", def->body, "");
		return;
	}
	if (def->kind == KPT_DEF_DELETE)
		kpt_strbuf_puts(sb, def->by_command ? "!" : "-");
	else if (def->of_event)
		kpt_strbuf_putc(sb, 'e');
	else
		kpt_strbuf_putc(sb, def->kind == KPT_DEF_RETURN ? 'r' : 'p');
	if (def->maxactive)
		kpt_strbuf_printf(sb, "%u", def->maxactive);
	if (def->group.len || def->event.len)
		kpt_strbuf_putc(sb, ':');
	add_span(sb, def, "", def->group, "/");
	add_span(sb, def, "", def->event, "");
	add_place(sb, def);
	for (i = 0; i < def->nr_args; i++)
		add_span(sb, def, " ", def->arg[i], "");
	if (def->has_filter)
		kpt_strbuf_puts(sb, " if");
	add_span(sb, def, " ", def->filter, "");
}

static bool same_span(const struct kpt_def *a, struct kpt_span x,
		      const struct kpt_def *b, struct kpt_span y)
{
	return x.len == y.len && !memcmp(a->text + x.at, b->text + y.at, x.len);
}

static void check_same(const struct kpt_def *a, const struct kpt_def *b)
{
	unsigned int i;

	MUST(a->kind == b->kind && a->by_command == b->by_command);
	MUST(same_span(a, a->group, b, b->group));
	MUST(same_span(a, a->event, b, b->event));
	MUST(same_span(a, a->module, b, b->module));
	MUST(same_span(a, a->symbol, b, b->symbol));
	MUST(same_span(a, a->source_group, b, b->source_group));
	MUST(same_span(a, a->source_event, b, b->source_event));
	MUST(a->has_filter == b->has_filter);
	MUST(same_span(a, a->filter, b, b->filter));
	MUST(a->maxactive == b->maxactive);
	MUST(a->offset == b->offset && a->address == b->address);
	MUST(a->nr_args == b->nr_args);
	for (i = 0; i < a->nr_args; i++)
		MUST(same_span(a, a->arg[i], b, b->arg[i]));
}

static void check_good(const struct kpt_def *def)
{
	static char line[2 * KPT_DEF_MAX];
	static struct kpt_def again;
	struct kpt_strbuf sb;
	struct kpt_diag diag;
	unsigned int i;

	MUST(is_span(def, def->group) && is_span(def, def->event));
	MUST(is_span(def, def->place) && is_span(def, def->module));
	MUST(is_span(def, def->source_event) && is_span(def, def->filter));
	MUST(is_span(def, def->symbol) && def->nr_args <= KPT_ARGS_MAX);
	for (i = 0; i < def->nr_args; i++)
		MUST(def->arg[i].len && is_span(def, def->arg[i]));
	/* Patterns and tracepoints are not written out. */
	if (def->of_function || def->of_tracepoint)
		return;
	kpt_strbuf_init(&sb, line, sizeof(line));
	print(&sb, def);
	if (sb.len >= KPT_DEF_MAX)
		return;
	MUST(!kpt_def_parse(&again, line, sb.len, &diag));
	check_same(def, &again);
}

static void check_auto_name(const struct kpt_def *def)
{
	char name[1 + KPT_NAME_MAX] = "_", *own = name + 1;
	bool digit;

	kpt_def_auto_name(def, "0x00000000deadbeef", own);
	MUST(strlen(own) < KPT_NAME_MAX);
	/* f names an event as its function, and no function begins so. */
	digit = def->of_function && kpt_lex_is_digit(own[0]);
	MUST(digit || kpt_lex_is_name(own, strlen(own), false));
	MUST(kpt_lex_is_name(name, strlen(name), false));
}

static void check_refusal(const struct kpt_def *def,
			  const struct kpt_diag *diag)
{
	static char text[2 * KPT_DEF_MAX];
	struct kpt_strbuf sb;

	MUST(diag->column <= strlen(def->text));
	MUST(diag->code != KPT_E_NONE || !diag->column);
	kpt_strbuf_init(&sb, text, sizeof(text));
	kpt_diag_print(&sb, 0, "trace_kprobe", def->text, diag);
	MUST(sb.overflow || text[sb.len - 2] == '^');
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct kpt_def def;
	struct kpt_diag diag;
	int err;

	memset(&def, '#', sizeof(def));
	err = kpt_def_parse(&def, (const char *)data, size, &diag);
	MUST(strnlen(def.text, sizeof(def.text)) < sizeof(def.text));
	if (err) {
		check_refusal(&def, &diag);
	} else if (def.kind != KPT_DEF_NONE) {
		check_good(&def);
		if (def.kind != KPT_DEF_DELETE)
			check_auto_name(&def);
	}
	return 0;
}
