// SPDX-License-Identifier: GPL-2.0-only
/*
 * What a function was called with, from the registers of arguments in a record: options
 * func-args and funcgraph-args. The text is that of Linux 7.3, docs/files.md has
 * the differences.
 */
#include "lib/base/port.h"
#include "parts/btf/aapcs.h"
#include "lib/format/format.h"

static void args_put_hex(struct kpt_strbuf *sb, u64 value)
{
	kpt_strbuf_puts(sb, "0x");
	kpt_strbuf_hex(sb, value, 0);
}

/* The low @size bytes of a register: what the others are is undefined. */
static u64 value_cut(u64 value, u32 size, bool is_signed)
{
	unsigned int unused = size && size < sizeof(u64) ? 64 - 8 * size : 0;

	value <<= unused;
	return is_signed ? (u64)((s64)value >> unused) : value >> unused;
}

static void args_put_number(struct kpt_strbuf *sb, const struct kpt_btf_type *t, u64 reg)
{
	bool is_signed = t->more[0] >> 24 & 1;
	u64 value = value_cut(reg, t->type, is_signed);

	if (is_signed)
		kpt_strbuf_dec(sb, (s64)value);
	else
		args_put_hex(sb, value);
}

static void args_put_enum(struct kpt_strbuf *sb, const struct kpt_btf *btf,
			  const struct kpt_btf_type *t, u64 reg)
{
	u64 value = value_cut(reg, t->type, true);
	u32 i;

	kpt_strbuf_dec(sb, (s64)value);
	/* Each has two words: its name and the low half of its value. */
	for (i = 0; i < kpt_btf_nr(t); i++) {
		if (value_cut(t->more[2 * i + 1], min(t->type, 4U), true) != value)
			continue;
		kpt_strbuf_printf(sb, " [%s]", kpt_btf_name(btf, t->more[2 * i]));
		break;
	}
}

static const char *kind_name(enum kpt_btf_kind kind)
{
	static const char *const names[KPT_NR_BTF_KINDS] = {
		[KPT_BTF_INT] = "INT",
		[KPT_BTF_STRUCT] = "STRUCT",
		[KPT_BTF_UNION] = "UNION",
		[KPT_BTF_ENUM] = "ENUM",
		[KPT_BTF_FLOAT] = "FLOAT",
		[KPT_BTF_ENUM64] = "ENUM64",
	};

	return kind < KPT_NR_BTF_KINDS && names[kind] ? names[kind] : "UNKNOWN";
}

/* The words of a value; of one in memory that is passed by reference its address. */
static void args_put_words(struct kpt_strbuf *sb, const struct kpt_btf_type *t,
			   const struct kpt_passing *p, const u64 *reg)
{
	bool is_pointer = p->how == KPT_PASSED_POINTER;
	u32 i, left = is_pointer ? sizeof(u64) : t->type;

	kpt_strbuf_printf(sb, "(%s%s)[", kind_name(kpt_btf_kind(t)),
			  is_pointer ? " *" : "");
	/* No general register has a floating-point number. */
	if (p->how == KPT_PASSED_FLOAT)
		kpt_strbuf_puts(sb, "...");
	for (i = 0; p->how != KPT_PASSED_FLOAT && i < p->nr; i++, left -= sizeof(u64)) {
		if (i)
			kpt_strbuf_putc(sb, ':');
		args_put_hex(sb, value_cut(reg[p->first + i], left, false));
	}
	kpt_strbuf_putc(sb, ']');
}

static void args_put_value(struct kpt_strbuf *sb, const struct kpt_btf *btf, u32 type,
			   const struct kpt_passing *p, const u64 *reg)
{
	const struct kpt_btf_type *t = kpt_btf_resolve(btf, type);
	enum kpt_btf_kind kind = kpt_btf_kind(t);

	if (kind == KPT_BTF_VOID)
		kpt_strbuf_putc(sb, '?');
	if (kind == KPT_BTF_VOID || kind == KPT_BTF_PTR)
		args_put_hex(sb, reg[p->first]);
	else if (kind == KPT_BTF_INT && p->nr == 1)
		args_put_number(sb, t, reg[p->first]);
	else if (kind == KPT_BTF_ENUM)
		args_put_enum(sb, btf, t, reg[p->first]);
	else
		args_put_words(sb, t, p, reg);
}

/* The place of the next parameter; of variable arguments, that of the first. */
static void args_next(struct kpt_aapcs *places, const struct kpt_btf *btf, u32 type,
		      struct kpt_passing *p)
{
	if (!type)
		*p = (struct kpt_passing){ KPT_PASSED_WORDS, places->reg, 1 };
	else
		kpt_aapcs_next(places, btf, type, p);
}

/* Does a register of the record have the value? */
static bool args_have(const struct kpt_passing *p)
{
	return p->how == KPT_PASSED_FLOAT ||
	       (p->how != KPT_PASSED_UNKNOWN && p->first + p->nr <= KPT_RECORD_ARGS);
}

/**
 * kpt_format_args() - write what a function was called with
 * @sb: where to write
 * @btf: the types, indexed
 * @func: number of the function, from kpt_btf_find()
 * @reg: KPT_RECORD_ARGS registers
 *
 * NAME=VALUE for each parameter, with a comma in between, up to the first that is not in
 * these registers: "...".
 *
 * Context: any.
 */
void kpt_format_args(struct kpt_strbuf *sb, const struct kpt_btf *btf, u32 func,
		     const u64 *reg)
{
	const struct kpt_btf_type *f = kpt_btf_type(btf, func);
	const struct kpt_btf_type *proto = kpt_btf_type(btf, f->type);
	u32 i, nr = kpt_btf_kind(proto) == KPT_BTF_FUNC_PROTO ? kpt_btf_nr(proto) : 0;
	const u32 *param = proto->more;
	struct kpt_aapcs places = { 0 };
	struct kpt_passing p;

	for (i = 0; i < nr && !sb->overflow; i++, param += 2) {
		if (i)
			kpt_strbuf_puts(sb, ", ");
		args_next(&places, btf, param[1], &p);
		if (!args_have(&p)) {
			kpt_strbuf_puts(sb, "...");
			return;
		}
		kpt_strbuf_puts(sb, kpt_btf_name(btf, param[0]));
		kpt_strbuf_putc(sb, '=');
		args_put_value(sb, btf, param[1], &p, reg);
	}
}

/**
 * kpt_format_call() - write the arguments of a call in brackets, if the record has them
 * @sb: where to write
 * @line: the record
 * @func: entry of the function
 * @at: where the registers of arguments would be in the record
 *
 * Of a function whose parameters are not known the brackets are empty.
 *
 * Context: process context, sleeps, kpt_mutex not held; not with @line->in_crash.
 * Return: true; false if the record has no such registers, and nothing is written.
 */
bool kpt_format_call(struct kpt_strbuf *sb, const struct kpt_line *line, u64 func,
		     size_t at)
{
	u64 reg[KPT_RECORD_ARGS], now = kpt_format_moved(line, func);
	const struct kpt_btf *btf = NULL;
	u32 id;

	if (line->size < at + sizeof(reg))
		return false;
	memcpy(reg, (const u8 *)line->record + at, sizeof(reg));
	if (now && !line->in_crash)
		btf = port_func_types_get(now, &id);
	kpt_strbuf_putc(sb, '(');
	if (btf) {
		kpt_format_args(sb, btf, id, reg);
		port_func_types_put();
	}
	kpt_strbuf_putc(sb, ')');
	return true;
}
