// SPDX-License-Identifier: GPL-2.0-only
/* Prototypes of functions in C, and the places of arguments and result. */
#include "lib/base/port.h"
#include "parts/btf/aapcs.h"
#include "parts/btf/prototype_text.h"

/* Nesting of function pointers in the parameters of function pointers. */
#define PROTOTYPE_DEPTH	4
/* Bytes that members leave for what follows them. */
#define MEMBERS_ROOM	1024

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

/* Put the words that hold a value. */
static void put_words(struct kpt_strbuf *sb, const struct kpt_passing *p)
{
	u32 i;

	if (!p->nr)
		kpt_strbuf_puts(sb, " nowhere");
	for (i = p->first; i < p->first + p->nr; i++)
		if (i < KPT_AAPCS_REGS)
			kpt_strbuf_printf(sb, " %%x%u", i);
		else
			kpt_strbuf_printf(sb, " $stack%u", i - KPT_AAPCS_REGS);
}

/* Put the type of a value that one word holds. */
static void put_type(struct kpt_strbuf *sb, const struct kpt_btf_type *t)
{
	enum kpt_btf_kind kind = kpt_btf_kind(t);
	bool is_number = t->type == 1 || t->type == 2 || t->type == 4 ||
			 t->type == 8;
	char sign = 'x';

	if (kind == KPT_BTF_PTR) {
		kpt_strbuf_puts(sb, ":x64");
		return;
	}
	if (kind == KPT_BTF_INT)
		sign = t->more[0] >> 24 & 1 ? 's' : 'u';
	else if (kind == KPT_BTF_ENUM || kind == KPT_BTF_ENUM64)
		sign = 's';
	if (is_number)
		kpt_strbuf_printf(sb, ":%c%u", sign, 8 * t->type);
}

/* Put the place of a value, in the syntax of arguments of definitions. */
static void put_place(struct kpt_strbuf *sb, const struct kpt_btf *btf, u32 id,
		      struct kpt_aapcs *places)
{
	struct kpt_passing p;

	kpt_aapcs_next(places, btf, id, &p);
	switch (p.how) {
	case KPT_PASSED_WORDS:
		put_words(sb, &p);
		put_type(sb, kpt_btf_resolve(btf, id));
		break;
	case KPT_PASSED_POINTER:
		kpt_strbuf_puts(sb, " at the address in");
		put_words(sb, &p);
		break;
	case KPT_PASSED_X8:
		kpt_strbuf_puts(sb, " at the address that %x8 has at the entry");
		break;
	case KPT_PASSED_FLOAT:
		if (p.first < KPT_AAPCS_REGS)
			kpt_strbuf_printf(sb, " v%u", p.first);
		else
			put_words(sb, &p);
		break;
	default:
		kpt_strbuf_puts(sb, " unknown");
	}
}

/* Put the type of a number in memory, in the syntax of arguments of definitions. */
static void put_location_type(struct kpt_strbuf *sb, const struct kpt_btf *btf,
			      const struct kpt_btf_member *m)
{
	const struct kpt_btf_type *t = kpt_btf_resolve(btf, m->type);
	u32 bits = 8 * t->type;

	switch (kpt_btf_kind(t)) {
	case KPT_BTF_INT:
	case KPT_BTF_ENUM:
	case KPT_BTF_ENUM64:
		if (m->width && m->width < bits)
			kpt_strbuf_printf(sb, ":b%u@%u/%u", m->width,
					  m->bit % bits, bits);
		else if (t->type <= 8)
			kpt_strbuf_printf(sb, ":%c%u",
					  kpt_btf_kind(t) != KPT_BTF_INT ||
					  t->more[0] >> 24 & 1 ? 's' : 'u', bits);
		break;
	case KPT_BTF_PTR:
		kpt_strbuf_puts(sb, ":x64");
		break;
	default:
		break;
	}
}

/* Put a line about a member of the structure that the value at @place points to. */
static void put_member(struct kpt_strbuf *sb, const struct kpt_btf *btf,
		       const struct kpt_btf_member *m, const char *place)
{
	const struct kpt_btf_type *t = kpt_btf_resolve(btf, m->type);
	u32 byte = m->bit / 8;

	/* A bit field is in a value of its type, which is aligned. */
	if (m->width && t->type)
		byte = round_down(byte, t->type);
	kpt_strbuf_puts(sb, "  -> ");
	put_declaration(sb, btf, m->type, kpt_btf_name(btf, m->name), 0);
	kpt_strbuf_printf(sb, ": +%u(%s)", byte, place);
	put_location_type(sb, btf, m);
	kpt_strbuf_putc(sb, '\n');
}

/*
 * Put what is behind a pointer to a structure; the place of the pointer is the text
 * from @at on, with a blank before it and a type after it. Stop where MEMBERS_ROOM
 * bytes are left, which other arguments need.
 */
static void put_members(struct kpt_strbuf *sb, const struct kpt_btf *btf, u32 id,
			size_t at)
{
	const struct kpt_btf_type *t = kpt_btf_resolve(btf, id);
	struct kpt_btf_members members;
	struct kpt_btf_member m;
	char place[16];
	size_t len;

	if (kpt_btf_kind(t) != KPT_BTF_PTR || sb->overflow)
		return;
	t = kpt_btf_resolve(btf, t->type);
	len = strcspn(sb->buf + at + 1, ":");
	if ((kpt_btf_kind(t) != KPT_BTF_STRUCT && kpt_btf_kind(t) != KPT_BTF_UNION) ||
	    len >= sizeof(place))
		return;
	memcpy(place, sb->buf + at + 1, len);
	place[len] = '\0';
	kpt_btf_members_init(&members, btf, t);
	while (kpt_btf_members_next(&members, &m)) {
		if (sb->len + MEMBERS_ROOM > sb->size) {
			kpt_strbuf_puts(sb, "  -> ...\n");
			return;
		}
		put_member(sb, btf, &m, place);
	}
}

/**
 * kpt_prototype_put() - write a prototype, and the places of arguments and result
 * @sb: gets the text
 * @btf: the blob, indexed
 * @func: number of the function, from kpt_btf_find()
 *
 * Writes a line "prototype: ..." in C, a line "argument NAME: PLACE" for each
 * parameter, followed by a line "  -> DECLARATION: PLACE" for each member if it is a
 * pointer to a structure, and a line "return value: PLACE". Places are written as
 * arguments of definitions at the entry of the function, with a type where one word
 * holds the value. Variable arguments ("...") have no line.
 *
 * Context: any; takes some 2 KiB of stack.
 */
void kpt_prototype_put(struct kpt_strbuf *sb, const struct kpt_btf *btf,
		       u32 func)
{
	const struct kpt_btf_type *f = kpt_btf_type(btf, func);
	const struct kpt_btf_type *proto = kpt_btf_type(btf, f->type);
	const u32 *p = proto->more;
	struct kpt_aapcs places = { 0 }, result = { .is_result = true };
	size_t at;
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
		at = sb->len;
		put_place(sb, btf, p[1], &places);
		kpt_strbuf_putc(sb, '\n');
		put_members(sb, btf, p[1], at);
	}
	kpt_strbuf_puts(sb, "return value:");
	if (kpt_btf_kind(kpt_btf_resolve(btf, proto->type)) == KPT_BTF_VOID)
		kpt_strbuf_puts(sb, " none");
	else
		put_place(sb, btf, proto->type, &result);
	kpt_strbuf_putc(sb, '\n');
}
