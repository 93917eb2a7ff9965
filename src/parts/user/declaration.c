// SPDX-License-Identifier: GPL-2.0-only
/* User events: parse fields, check records. */
#include "lib/base/port.h"
#include "lib/format/format.h"
#include "lib/base/lex.h"
#include "parts/user/declaration.h"

/**
 * struct user_type - a type of numbers
 * @name: in a definition
 * @size: its bytes
 * @print: its conversion in a print fmt
 */
struct user_type {
	const char *name;
	u8 size;
	const char *print;
};

static const struct user_type user_types[] = {
	{ "s64", 8, "%lld" }, { "u64", 8, "%llu" },
	{ "s32", 4, "%d" }, { "u32", 4, "%u" },
	{ "int", 4, "%d" }, { "unsigned int", 4, "%u" },
	{ "s16", 2, "%d" }, { "u16", 2, "%u" },
	{ "short", 2, "%d" }, { "unsigned short", 2, "%u" },
	{ "s8", 1, "%d" }, { "u8", 1, "%u" },
	{ "char", 1, "%d" }, { "unsigned char", 1, "%u" },
};

/**
 * struct user_parser - the state of parsing
 * @def: the definition
 * @at: the character to read next
 * @end: end of the piece between two ';'
 * @shape: result
 * @texts: texts of @shape, each with a NUL
 * @diag: on failure the reason
 */
struct user_parser {
	const struct kpt_def *def;
	size_t at;
	size_t end;
	struct kpt_user_shape *shape;
	struct kpt_strbuf texts;
	struct kpt_diag *diag;
};

/**
 * struct user_field - a field that is being parsed
 * @type: its type
 * @name: its name
 * @bytes: of a struct: its size; else empty
 * @size: its bytes
 * @kind: enum kpt_field_kind
 */
struct user_field {
	struct kpt_span type;
	struct kpt_span name;
	struct kpt_span bytes;
	u64 size;
	u8 kind;
};

static const char *user_text(const struct user_parser *p, struct kpt_span span)
{
	return p->def->text + span.at;
}

static bool user_is(const struct user_parser *p, struct kpt_span span,
		    const char *word)
{
	return kpt_lex_is(user_text(p, span), span.len, word);
}

static int user_fail(const struct user_parser *p, enum kpt_diag_code code,
		     size_t column)
{
	return kpt_diag_set(p->diag, code, (unsigned int)column, -EINVAL);
}

static struct kpt_span user_next_word(struct user_parser *p)
{
	return kpt_def_next_word(p->def, &p->at, p->end);
}

/* Let @type, which may begin with several words, end with the next word. */
static void user_extend(struct user_parser *p, struct kpt_span *type,
			struct kpt_span *last)
{
	*last = user_next_word(p);
	type->len = (u16)(last->at + last->len - type->at);
}

/* Read "TYPE NAME" or "struct TYPE NAME SIZE", of which @first is the first word. */
static int user_read_words(struct user_parser *p, struct user_field *f,
			   struct kpt_span first)
{
	bool is_struct = user_is(p, first, "struct");
	struct kpt_span last = first;

	f->type = first;
	if (user_is(p, first, "__data_loc") || user_is(p, first, "__rel_loc"))
		user_extend(p, &f->type, &last);
	if (is_struct || user_is(p, last, "unsigned"))
		user_extend(p, &f->type, &last);
	f->name = user_next_word(p);
	if (!last.len || !f->name.len)
		return user_fail(p, KPT_E_USER_NO_NAME, first.at);
	f->bytes = user_next_word(p);
	if (f->bytes.len && !is_struct)
		return user_fail(p, KPT_E_USER_EXTRA, f->bytes.at);
	first = user_next_word(p);
	if (first.len)
		return user_fail(p, KPT_E_USER_EXTRA, first.at);
	return 0;
}

/* "char[N]" with @prefix up to the bracket. Returns 0 for another type. */
static u64 user_chars(const char *s, size_t len, const char *prefix)
{
	size_t n = kpt_lex_prefix(s, len, prefix);
	u64 size;

	/* As in mainline, N has six characters at most. */
	if (!n || len < n + 2 || len > n + 7 || s[len - 1] != ']' ||
	    kpt_lex_u64(s + n, len - n - 1, 0, &size))
		return 0;
	return size <= KPT_USER_CHARS_MAX ? size : 0;
}

static bool user_has_chars(const char *s, size_t len)
{
	size_t at;

	for (at = 0; at + 4 <= len; at++)
		if (!memcmp(s + at, "char", 4))
			return true;
	return false;
}

static const struct user_type *user_find_type(const char *s, size_t len)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(user_types); i++)
		if (kpt_lex_is(s, len, user_types[i].name))
			return &user_types[i];
	return NULL;
}

/* Texts of types are shown to others: they have nothing that a terminal acts upon. */
static bool user_is_printable(const char *s, size_t len)
{
	size_t at;

	for (at = 0; at < len; at++)
		if (s[at] < ' ' || s[at] > '~')
			return false;
	return true;
}

/* Set size and kind by the type. The size stays 0 if there is no such type. */
static void user_set_type(const struct user_parser *p, struct user_field *f)
{
	const char *s = user_text(p, f->type);
	const struct user_type *type = user_find_type(s, f->type.len);
	bool is_text = user_has_chars(s, f->type.len);

	f->kind = KPT_FIELD_NUMBER;
	if (type) {
		f->size = type->size;
	} else if (kpt_lex_prefix(s, f->type.len, "__data_loc ")) {
		f->kind = is_text ? KPT_FIELD_TEXT : KPT_FIELD_BYTES;
		f->size = sizeof(u32);
	} else if (kpt_lex_prefix(s, f->type.len, "__rel_loc ")) {
		f->kind = is_text ? KPT_FIELD_REL_TEXT : KPT_FIELD_REL_BYTES;
		f->size = sizeof(u32);
	} else if (is_text) {
		f->kind = KPT_FIELD_CHARS;
		f->size = user_chars(s, f->type.len, "char[") ?:
			  user_chars(s, f->type.len, "unsigned char[");
	}
}

static int user_set_size(const struct user_parser *p, struct user_field *f)
{
	const char *s = user_text(p, f->bytes);

	f->size = 0;
	f->kind = KPT_FIELD_NUMBER;
	if (!f->bytes.len && kpt_lex_prefix(user_text(p, f->type), f->type.len,
					    "struct "))
		return user_fail(p, KPT_E_USER_STRUCT_SIZE, f->type.at);
	if (!f->bytes.len)
		user_set_type(p, f);
	else if (kpt_lex_u64(s, f->bytes.len, 10, &f->size) || !f->size)
		return user_fail(p, KPT_E_USER_STRUCT_SIZE, f->bytes.at);
	if (!f->size || !user_is_printable(user_text(p, f->type), f->type.len))
		return user_fail(p, KPT_E_USER_TYPE, f->type.at);
	if (f->size > KPT_USER_RECORD_MAX - p->shape->head.size)
		return user_fail(p, KPT_E_USER_TOO_BIG, f->type.at);
	return 0;
}

/* Begin a text that lives as long as the shape. */
static const char *user_begin_text(struct user_parser *p)
{
	return p->texts.buf + p->texts.len;
}

static void user_put(struct user_parser *p, struct kpt_span span)
{
	kpt_strbuf_add(&p->texts, user_text(p, span), span.len);
}

static const char *user_keep_name(struct user_parser *p, struct kpt_span name)
{
	const char *kept = user_begin_text(p);

	user_put(p, name);
	kpt_strbuf_putc(&p->texts, '\0');
	return kept;
}

/* As format files say it: "char name[20]", but "__data_loc char[] name". */
static const char *user_declare(struct user_parser *p, const struct user_field *f)
{
	const char *kept = user_begin_text(p), *s = user_text(p, f->type);
	size_t n = kpt_lex_find(s, f->type.len, '[');

	if (kpt_lex_prefix(s, f->type.len, "__data_loc "))
		n = f->type.len;
	kpt_strbuf_add(&p->texts, s, n);
	kpt_strbuf_putc(&p->texts, ' ');
	user_put(p, f->name);
	kpt_strbuf_add(&p->texts, s + n, f->type.len - n);
	kpt_strbuf_putc(&p->texts, '\0');
	return kept;
}

/* Parse a field, of which @first is the first word. */
static int user_parse_field(struct user_parser *p, struct kpt_span first,
			    struct user_field *f)
{
	struct kpt_head *head = &p->shape->head;
	struct kpt_head_field *to = &p->shape->field[head->nr];
	int err;

	err = user_read_words(p, f, first) ?: user_set_size(p, f);
	if (err)
		return err;
	if (!kpt_lex_is_name(user_text(p, f->name), f->name.len, false))
		return user_fail(p, KPT_E_USER_BAD_NAME, f->name.at);
	to->name = user_keep_name(p, f->name);
	to->declaration = user_declare(p, f);
	to->ref = (struct kpt_field_ref){
		.kind = f->kind,
		.is_signed = *user_text(p, f->type) != 'u',
		.offset = head->size,
		.size = (u16)f->size,
	};
	head->size += (u16)f->size;
	head->nr++;
	return 0;
}

typedef int (*user_visit_t)(struct user_parser *p, struct kpt_span first,
			    struct user_field *f);

/* Call @visit for each piece of the definition that is not empty. */
static int user_for_each(struct user_parser *p, user_visit_t visit)
{
	size_t next = p->def->body.at, end = next + p->def->body.len;
	struct user_field field = { 0 };
	struct kpt_span first;
	int err = 0;

	for (; !err && next < end; next = p->end + 1) {
		p->at = next;
		p->end = next + kpt_lex_find(p->def->text + next, end - next, ';');
		first = user_next_word(p);
		if (first.len)
			err = visit(p, first, &field);
	}
	return err;
}

/* As dynamic_events lists it. */
static int user_put_listing(struct user_parser *p, struct kpt_span first,
			    struct user_field *f)
{
	if (user_begin_text(p) != p->shape->list)
		kpt_strbuf_puts(&p->texts, "; ");
	user_read_words(p, f, first);
	user_put(p, f->type);
	kpt_strbuf_putc(&p->texts, ' ');
	user_put(p, f->name);
	if (f->bytes.len)
		kpt_strbuf_putc(&p->texts, ' ');
	user_put(p, f->bytes);
	return 0;
}

static void user_put_list(struct user_parser *p)
{
	p->shape->list = user_begin_text(p);
	user_for_each(p, user_put_listing);
	kpt_strbuf_putc(&p->texts, '\0');
}

/* The type of a field that is a number stands before the blank and its name. */
static const char *user_print_of(const struct kpt_head_field *f)
{
	size_t len = strlen(f->declaration) - strlen(f->name) - 1;
	const struct user_type *type = user_find_type(f->declaration, len);

	if (f->ref.kind == KPT_FIELD_TEXT || f->ref.kind == KPT_FIELD_REL_TEXT ||
	    f->ref.kind == KPT_FIELD_CHARS)
		return "%s";
	return type ? type->print : "%llu";
}

static void user_put_operand(struct user_parser *p, const struct kpt_head_field *f)
{
	switch (f->ref.kind) {
	case KPT_FIELD_TEXT:
		kpt_strbuf_printf(&p->texts, ", __get_str(%s)", f->name);
		break;
	case KPT_FIELD_REL_TEXT:
		kpt_strbuf_printf(&p->texts, ", __get_rel_str(%s)", f->name);
		break;
	default:
		kpt_strbuf_printf(&p->texts, ", REC->%s", f->name);
	}
}

static void user_print_fmt(struct user_parser *p)
{
	const struct kpt_head *head = &p->shape->head;
	unsigned int i;

	p->shape->head.print_fmt = user_begin_text(p);
	kpt_strbuf_putc(&p->texts, '"');
	for (i = 0; i < head->nr; i++)
		kpt_strbuf_printf(&p->texts, "%s%s=%s", i ? " " : "",
				  head->field[i].name,
				  user_print_of(&head->field[i]));
	kpt_strbuf_putc(&p->texts, '"');
	for (i = 0; i < head->nr; i++)
		user_put_operand(p, &head->field[i]);
	kpt_strbuf_putc(&p->texts, '\0');
}

static unsigned int user_nr_pieces(const struct kpt_def *def)
{
	const char *s = def->text + def->body.at;
	unsigned int i, nr = 1;

	for (i = 0; i < def->body.len; i++)
		nr += s[i] == ';';
	return nr;
}

/**
 * kpt_user_room() - bytes that kpt_user_parse() needs
 * @def: the definition, of kind KPT_DEF_USER
 *
 * Context: any.
 * Return: bytes.
 */
size_t kpt_user_room(const struct kpt_def *def)
{
	size_t nr = user_nr_pieces(def);

	/* Each name is there six times at most, with what belongs to it. */
	return sizeof(struct kpt_user_shape) +
	       nr * sizeof(struct kpt_head_field) + 6 * def->body.len +
	       64 * nr + 16;
}

/**
 * kpt_user_parse() - parse the fields of a user event
 * @shape: result, valid on success only
 * @room: bytes at @shape, kpt_user_room()
 * @def: the definition, of kind KPT_DEF_USER
 * @diag: on failure the reason
 *
 * "TYPE NAME" for each field, with ';' between them; "struct TYPE NAME SIZE".
 *
 * Context: any.
 * Return: 0 or -EINVAL.
 */
int kpt_user_parse(struct kpt_user_shape *shape, size_t room,
		   const struct kpt_def *def, struct kpt_diag *diag)
{
	struct user_parser p = { .def = def, .shape = shape, .diag = diag };
	size_t used = sizeof(*shape) +
		      user_nr_pieces(def) * sizeof(shape->field[0]);
	int err;

	memset(shape, 0, sizeof(*shape));
	kpt_strbuf_init(&p.texts, (char *)shape + used, room - used);
	shape->head.size = sizeof(struct kpt_record_head);
	shape->head.field = shape->field;
	shape->head.has_whole_print = true;
	shape->head.print_args = "";
	shape->head.put = kpt_format_fields;
	err = user_for_each(&p, user_parse_field);
	if (err)
		return err;
	user_put_list(&p);
	user_print_fmt(&p);
	shape->fields.head = &shape->head;
	shape->fields.size = shape->head.size;
	return 0;
}

/* Is the data inside the record, and does a string end? */
static bool user_field_is_good(const struct kpt_field_ref *ref, const void *record,
			       size_t size)
{
	bool is_text = ref->kind == KPT_FIELD_TEXT ||
		       ref->kind == KPT_FIELD_REL_TEXT;
	const char *data;
	size_t len;

	if (!is_text && ref->kind != KPT_FIELD_BYTES &&
	    ref->kind != KPT_FIELD_REL_BYTES)
		return true;
	data = kpt_field_data(ref, record, size, &len);
	return data && (!is_text || !len || !data[len - 1]);
}

/**
 * kpt_user_check() - is a record what its fields say?
 * @shape: the fields
 * @record: the record
 * @size: its bytes, at least those of the fixed part
 *
 * Dynamic fields must be inside the record, and strings must end with a NUL.
 *
 * Context: any.
 * Return: true if it is.
 */
bool kpt_user_check(const struct kpt_user_shape *shape, const void *record,
		    size_t size)
{
	unsigned int i;

	for (i = 0; i < shape->head.nr; i++)
		if (!user_field_is_good(&shape->field[i].ref, record, size))
			return false;
	return true;
}
