// SPDX-License-Identifier: GPL-2.0-only
/* Fields of synthetic events as text of a line of trace. */
#include "lib/base/port.h"
#include "lib/format/format.h"

static void synth_put_text(struct kpt_strbuf *sb, const struct kpt_line *line,
			   const struct kpt_field_ref *ref)
{
	size_t len;
	const char *s = kpt_field_text(ref, line->record, line->size, &len);

	kpt_format_text(sb, line->options, s, len);
}

/* Returns true: the text ends with a newline. */
static bool synth_put_stack(struct kpt_strbuf *sb, const struct kpt_line *line,
			    const struct kpt_field_ref *ref)
{
	size_t len, at;
	const char *s = kpt_field_data(ref, line->record, line->size, &len);
	u64 addr;

	kpt_strbuf_puts(sb, "STACK:\n");
	for (at = sizeof(addr); s && at + sizeof(addr) <= len; at += sizeof(addr)) {
		memcpy(&addr, s + at, sizeof(addr));
		kpt_strbuf_puts(sb, "=> ");
		if (at > sizeof(addr))
			kpt_format_caller(sb, line, addr, line->options | KPT_OPT_SYM_OFFSET);
		else
			kpt_format_symbol(sb, line, addr);
		kpt_strbuf_putc(sb, '\n');
	}
	return true;
}

static void synth_put_number(struct kpt_strbuf *sb, const struct kpt_line *line,
			     u8 type, const struct kpt_field_ref *ref, bool last)
{
	unsigned long long v = kpt_line_number(line, ref);

	if (kpt_type_has_form(type)) {
		kpt_format_value(sb, type, (const u8 *)line->record + ref->offset);
		return;
	}
	if (type != KPT_TYPE_SYNTH_GFP) {
		if (ref->is_signed)
			kpt_strbuf_dec(sb, (s64)v);
		else
			kpt_strbuf_udec(sb, v, 0, ' ');
		return;
	}
	kpt_strbuf_printf(sb, "%llx%s (", v, last ? "" : " ");
	/* All flags have more characters than the stack has room for. */
	port_gfp_name(sb->buf + sb->len, sb->size - sb->len, v);
	sb->len += strlen(sb->buf + sb->len);
	kpt_strbuf_putc(sb, ')');
}

/* Returns whether the text ends with a newline. */
static bool synth_put_field(struct kpt_strbuf *sb, const struct kpt_line *line,
			    const struct kpt_field *f, bool last)
{
	struct kpt_field_ref ref = kpt_field_whole(f);

	if (line->options & KPT_OPT_VERBOSE)
		kpt_strbuf_printf(sb, "%s ", kpt_type_info[f->type].print);
	kpt_strbuf_puts(sb, f->name);
	kpt_strbuf_putc(sb, '=');
	if (!kpt_line_has(line, &ref)) {
		kpt_strbuf_puts(sb, "<OVERFLOW>");
		return false;
	}
	switch (ref.kind) {
	case KPT_FIELD_STACK:
		return synth_put_stack(sb, line, &ref);
	case KPT_FIELD_NUMBER:
		synth_put_number(sb, line, f->type, &ref, last);
		return f->type == KPT_TYPE_SYNTH_GFP;
	default:
		synth_put_text(sb, line, &ref);
		return false;
	}
}

/**
 * kpt_format_synth() - write the fields of a record of a synthetic event
 * @sb: where to write
 * @line: the record
 *
 * The text is that of Linux 7.3, its oddities included: after a stack or the names
 * of allocation flags, no blank separates the next field.
 *
 * Context: process context.
 */
void kpt_format_synth(struct kpt_strbuf *sb, const struct kpt_line *line)
{
	const struct kpt_fields *fields = line->fields;
	bool is_apart = false;
	unsigned int i;

	for (i = 0; i < fields->nr; i++) {
		if (!is_apart)
			kpt_strbuf_putc(sb, ' ');
		is_apart = synth_put_field(sb, line, &fields->field[i],
					   i + 1 == fields->nr);
	}
}
