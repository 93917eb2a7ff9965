// SPDX-License-Identifier: GPL-2.0-only
/*
 * Prototypes of functions in C, and the places of arguments and result by the
 * procedure call standard (AAPCS64, "Parameter passing"). The kernel is compiled for
 * that standard. If the compiler changes the parameters of a function, it also
 * changes its name (f.isra.0), and BTF does not have that name.
 */
#include <kptrace/port.h>
#include "lib/prototype.h"

/* Nesting of function pointers in the parameters of function pointers. */
#define PROTOTYPE_DEPTH	4
/* Registers for arguments, of either kind. */
#define PROTOTYPE_REGS	8

#define PART_INT128	1
#define PART_FLOAT	2
/* The type has too many parts to check all of them. */
#define PART_MANY	4

static bool is_qualifier(const struct kpt_btf_type *t)
{
	switch (kpt_btf_kind(t)) {
	case KPT_BTF_CONST:
	case KPT_BTF_VOLATILE:
	case KPT_BTF_RESTRICT:
	case KPT_BTF_TYPE_TAG:
		return true;
	default:
		return false;
	}
}

/* Put a blank, unless the text ends in a character that needs none. */
static void put_gap(struct kpt_strbuf *sb)
{
	if (sb->len && !strchr(" *(", sb->buf[sb->len - 1]))
		kpt_strbuf_putc(sb, ' ');
}

static void put_qualifier(struct kpt_strbuf *sb, const struct kpt_btf *btf,
			  const struct kpt_btf_type *t)
{
	put_gap(sb);
	switch (kpt_btf_kind(t)) {
	case KPT_BTF_CONST:
		kpt_strbuf_puts(sb, "const");
		break;
	case KPT_BTF_VOLATILE:
		kpt_strbuf_puts(sb, "volatile");
		break;
	case KPT_BTF_RESTRICT:
		kpt_strbuf_puts(sb, "restrict");
		break;
	default:
		kpt_strbuf_printf(sb, "__%s", kpt_btf_name(btf, t->name));
	}
}

/* Put the type specifier that a declaration begins with. */
static void put_specifier(struct kpt_strbuf *sb, const struct kpt_btf *btf,
			  const struct kpt_btf_type *t)
{
	const char *name = kpt_btf_name(btf, t->name);

	put_gap(sb);
	switch (kpt_btf_kind(t)) {
	case KPT_BTF_VOID:
		name = "void";
		break;
	case KPT_BTF_STRUCT:
		kpt_strbuf_puts(sb, "struct ");
		break;
	case KPT_BTF_UNION:
		kpt_strbuf_puts(sb, "union ");
		break;
	case KPT_BTF_ENUM:
	case KPT_BTF_ENUM64:
		kpt_strbuf_puts(sb, "enum ");
		break;
	case KPT_BTF_FWD:
		kpt_strbuf_puts(sb, t->info >> 31 ? "union " : "struct ");
		break;
	default:
		break;
	}
	kpt_strbuf_puts(sb, *name ? name : "{...}");
}

static void put_declaration(struct kpt_strbuf *sb, const struct kpt_btf *btf,
			    u32 id, const char *name, unsigned int depth);

static void put_parameters(struct kpt_strbuf *sb, const struct kpt_btf *btf,
			   const struct kpt_btf_type *proto, unsigned int depth)
{
	const u32 *p = proto->more;
	u32 i;

	kpt_strbuf_putc(sb, '(');
	if (!kpt_btf_nr(proto))
		kpt_strbuf_puts(sb, "void");
	else if (depth >= PROTOTYPE_DEPTH)
		kpt_strbuf_puts(sb, "...");
	else
		for (i = 0; i < kpt_btf_nr(proto) && !sb->overflow; i++) {
			if (i)
				kpt_strbuf_puts(sb, ", ");
			if (p[2 * i + 1])
				put_declaration(sb, btf, p[2 * i + 1],
						kpt_btf_name(btf, p[2 * i]),
						depth + 1);
			else
				kpt_strbuf_puts(sb, "...");
		}
	kpt_strbuf_putc(sb, ')');
}

/*
 * Put the type at the end of a chain with its qualifiers, tags (__user) last.
 * Returns the index where they begin in the chain.
 */
static unsigned int put_base(struct kpt_strbuf *sb, const struct kpt_btf *btf,
			     const struct kpt_btf_type *const *chain,
			     unsigned int end)
{
	unsigned int from = end, i;

	for (; from && is_qualifier(chain[from - 1]); from--)
		if (kpt_btf_kind(chain[from - 1]) != KPT_BTF_TYPE_TAG)
			put_qualifier(sb, btf, chain[from - 1]);
	put_specifier(sb, btf, chain[end]);
	for (i = from; i < end; i++)
		if (kpt_btf_kind(chain[i]) == KPT_BTF_TYPE_TAG)
			put_qualifier(sb, btf, chain[i]);
	return from;
}

/* A pointer to an array or to a function needs brackets: (*name)[4]. */
static bool needs_brackets(const struct kpt_btf_type *const *chain,
			   unsigned int at)
{
	do
		at++;
	while (is_qualifier(chain[at]));
	return kpt_btf_kind(chain[at]) == KPT_BTF_ARRAY ||
	       kpt_btf_kind(chain[at]) == KPT_BTF_FUNC_PROTO;
}

/*
 * Put a declaration of @name. C writes the outermost type nearest to the name. So
 * the types from @id on are put from the last to the first on the left of @name, and
 * from the first to the last on its right.
 */
static void put_declaration(struct kpt_strbuf *sb, const struct kpt_btf *btf,
			    u32 id, const char *name, unsigned int depth)
{
	const struct kpt_btf_type *chain[KPT_BTF_CHAIN + 1], *t;
	unsigned int nr = 0, i;

	for (;;) {
		t = kpt_btf_type(btf, id);
		chain[nr++] = t;
		if (kpt_btf_kind(t) == KPT_BTF_ARRAY)
			id = t->more[0];
		else if (kpt_btf_kind(t) == KPT_BTF_PTR ||
			 kpt_btf_kind(t) == KPT_BTF_FUNC_PROTO ||
			 is_qualifier(t))
			id = t->type;
		else
			break;
		/* Only functions that return functions make a chain so long. */
		if (nr == ARRAY_SIZE(chain)) {
			kpt_strbuf_puts(sb, "...");
			return;
		}
	}
	i = put_base(sb, btf, chain, --nr);
	while (i--) {
		if (kpt_btf_kind(chain[i]) == KPT_BTF_PTR) {
			put_gap(sb);
			kpt_strbuf_puts(sb, needs_brackets(chain, i) ? "(*" : "*");
		} else if (is_qualifier(chain[i])) {
			put_qualifier(sb, btf, chain[i]);
		}
	}
	if (*name)
		put_gap(sb);
	kpt_strbuf_puts(sb, name);
	for (i = 0; i < nr; i++) {
		if (kpt_btf_kind(chain[i]) == KPT_BTF_ARRAY)
			kpt_strbuf_printf(sb, "[%u]", chain[i]->more[2]);
		else if (kpt_btf_kind(chain[i]) == KPT_BTF_FUNC_PROTO)
			put_parameters(sb, btf, chain[i], depth);
		else if (kpt_btf_kind(chain[i]) == KPT_BTF_PTR &&
			 needs_brackets(chain, i))
			kpt_strbuf_putc(sb, ')');
	}
}

/**
 * struct places - registers and stack that no argument uses yet
 * @result: place the result of the function, not an argument
 * @reg: the next of x0 to x7
 * @fp_reg: the next of v0 to v7
 * @word: the next word of the stack, counted from SP
 * @lost: the place of an earlier argument is unknown, so that of others is, too
 */
struct places {
	bool result;
	u32 reg;
	u32 fp_reg;
	u32 word;
	bool lost;
};

/* Find the parts of a type with special rules: PART_*. @left bounds the search. */
static unsigned int find_parts(const struct kpt_btf *btf, u32 id,
			       unsigned int depth, unsigned int *left)
{
	const struct kpt_btf_type *t = kpt_btf_resolve(btf, id);
	unsigned int parts = 0;
	u32 i;

	if (!depth || !*left)
		return PART_MANY;
	--*left;
	switch (kpt_btf_kind(t)) {
	case KPT_BTF_INT:
		return t->type == 16 ? PART_INT128 : 0;
	case KPT_BTF_FLOAT:
		return PART_FLOAT;
	case KPT_BTF_ARRAY:
		return find_parts(btf, t->more[0], depth - 1, left);
	case KPT_BTF_STRUCT:
	case KPT_BTF_UNION:
		for (i = 0; i < kpt_btf_nr(t) && !(parts & PART_MANY); i++)
			parts |= find_parts(btf, t->more[3 * i + 1], depth - 1,
					    left);
		return parts;
	default:
		return 0;
	}
}

/* Put the places of @words words: all in registers, or all on the stack. */
static void put_words(struct kpt_strbuf *sb, struct places *p, u32 words,
		      bool even)
{
	if (even)
		p->reg = round_up(p->reg, 2);
	if (p->reg + words > PROTOTYPE_REGS) {
		p->reg = PROTOTYPE_REGS;
		if (even)
			p->word = round_up(p->word, 2);
	}
	if (!words)
		kpt_strbuf_puts(sb, " nowhere");
	for (; words; words--)
		if (p->reg < PROTOTYPE_REGS)
			kpt_strbuf_printf(sb, " %%x%u", p->reg++);
		else
			kpt_strbuf_printf(sb, " $stack%u", p->word++);
}

/*
 * Put the place of a structure. Up to four equal floats are passed like as many
 * arguments: then the place is reported as unknown.
 */
static void put_struct(struct kpt_strbuf *sb, const struct kpt_btf *btf, u32 id,
		       u32 size, struct places *p)
{
	unsigned int left = 256, parts = 0;

	if (size <= 64)
		parts = find_parts(btf, id, 8, &left);
	if (parts & (PART_FLOAT | PART_MANY)) {
		p->lost = true;
		kpt_strbuf_puts(sb, " unknown");
	} else if (size > 16 && p->result) {
		kpt_strbuf_puts(sb, " at the address that %x8 has at the entry");
	} else if (size > 16) {
		kpt_strbuf_puts(sb, " at the address in");
		put_words(sb, p, 1, false);
	} else {
		put_words(sb, p, (size + 7) / 8, parts & PART_INT128);
		if (size == 1 || size == 2 || size == 4 || size == 8)
			kpt_strbuf_printf(sb, ":x%u", 8 * size);
	}
}

static void put_float(struct kpt_strbuf *sb, struct places *p)
{
	if (p->fp_reg < PROTOTYPE_REGS)
		kpt_strbuf_printf(sb, " v%u", p->fp_reg++);
	else
		kpt_strbuf_printf(sb, " $stack%u", p->word++);
}

/* Put the place of a value, in the syntax of arguments of definitions. */
static void put_place(struct kpt_strbuf *sb, const struct kpt_btf *btf, u32 id,
		      struct places *p)
{
	const struct kpt_btf_type *t = kpt_btf_resolve(btf, id);
	enum kpt_btf_kind kind = kpt_btf_kind(t);
	bool is_signed;

	if (p->lost)
		kind = KPT_NR_BTF_KINDS;
	switch (kind) {
	case KPT_BTF_INT:
		put_words(sb, p, t->type > 8 ? 2 : 1, t->type > 8);
		is_signed = t->more[0] >> 24 & 1;
		if (t->type <= 8)
			kpt_strbuf_printf(sb, ":%c%u", is_signed ? 's' : 'u',
					  8 * t->type);
		break;
	case KPT_BTF_ENUM:
	case KPT_BTF_ENUM64:
		put_words(sb, p, 1, false);
		kpt_strbuf_printf(sb, ":s%u", 8 * t->type);
		break;
	case KPT_BTF_PTR:
		put_words(sb, p, 1, false);
		kpt_strbuf_puts(sb, ":x64");
		break;
	case KPT_BTF_STRUCT:
	case KPT_BTF_UNION:
		put_struct(sb, btf, id, t->type, p);
		break;
	case KPT_BTF_FLOAT:
		if (t->type <= 8) {
			put_float(sb, p);
			break;
		}
		fallthrough;
	default:
		p->lost = true;
		kpt_strbuf_puts(sb, " unknown");
	}
}

/**
 * kpt_prototype_put() - write a prototype, and the places of arguments and result
 * @sb: gets the text
 * @btf: the blob, indexed
 * @func: number of the function, from kpt_btf_find()
 *
 * Writes a line "prototype: ..." in C, a line "argument NAME: PLACE" for each
 * parameter, and a line "return value: PLACE". Places are written as arguments
 * of definitions at the entry of the function, with a type where one word holds
 * the value. Variable arguments ("...") have no line.
 *
 * Context: any; takes some 2 KiB of stack.
 */
void kpt_prototype_put(struct kpt_strbuf *sb, const struct kpt_btf *btf,
		       u32 func)
{
	const struct kpt_btf_type *f = kpt_btf_type(btf, func);
	const struct kpt_btf_type *proto = kpt_btf_type(btf, f->type);
	const u32 *p = proto->more;
	struct places places = { 0 }, result = { .result = true };
	u32 i;

	kpt_strbuf_puts(sb, "prototype: ");
	put_declaration(sb, btf, f->type, kpt_btf_name(btf, f->name), 0);
	kpt_strbuf_putc(sb, '\n');
	for (i = 0; i < kpt_btf_nr(proto) && !sb->overflow; i++, p += 2) {
		if (!p[1])
			continue;
		if (*kpt_btf_name(btf, p[0]))
			kpt_strbuf_printf(sb, "argument %s:",
					  kpt_btf_name(btf, p[0]));
		else
			kpt_strbuf_printf(sb, "argument %u:", i + 1);
		put_place(sb, btf, p[1], &places);
		kpt_strbuf_putc(sb, '\n');
	}
	kpt_strbuf_puts(sb, "return value:");
	if (kpt_btf_kind(kpt_btf_resolve(btf, proto->type)) == KPT_BTF_VOID)
		kpt_strbuf_puts(sb, " none");
	else
		put_place(sb, btf, proto->type, &result);
	kpt_strbuf_putc(sb, '\n');
}
