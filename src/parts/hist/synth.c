// SPDX-License-Identifier: GPL-2.0-only
/* Synthetic events: parse and list fields, build records. */
#include "lib/base/port.h"
#include "lib/base/lex.h"
#include "parts/hist/synth.h"

/**
 * struct synth_parser - the state of parsing
 * @def: the definition
 * @at: the character to read next
 * @end: end of the piece between two ';'
 * @shape: result
 * @diag: on failure the reason
 */
struct synth_parser {
	const struct kpt_def *def;
	size_t at;
	size_t end;
	struct kpt_synth_shape *shape;
	struct kpt_diag *diag;
};

static int synth_fail(const struct synth_parser *p, enum kpt_diag_code code,
		      size_t column)
{
	return kpt_diag_set(p->diag, code, (unsigned int)column, -EINVAL);
}

static struct kpt_span synth_next_word(struct synth_parser *p)
{
	return kpt_def_next_word(p->def, &p->at, p->end);
}

static bool synth_is_name(const struct synth_parser *p, struct kpt_span name)
{
	return kpt_lex_is_name(p->def->text + name.at, name.len, false);
}

/* Types of arguments of probes that synthetic events do not have in mainline. */
static bool synth_find_form(struct kpt_field *f, const char *s, size_t len)
{
	const struct kpt_type_info *info;
	u8 type;

	for (type = KPT_TYPE_IPV4; kpt_type_has_form(type); type++) {
		info = &kpt_type_info[type];
		if (!kpt_lex_is(s, len, info->name) || info->size > sizeof(u64) ||
		    type == KPT_TYPE_MAC)
			continue;
		f->type = type;
		return true;
	}
	return false;
}

/* Find a type by its name; @array is its suffix "[...]", which may be empty. */
static bool synth_find_type(struct kpt_field *f, bool is_unsigned, const char *s,
			    size_t len, bool is_array)
{
	const char *name;
	u8 type;
	size_t n;

	for (type = KPT_TYPE_SYNTH; type < KPT_TYPE_SYNTH_CHARS; type++) {
		name = kpt_type_info[type].name;
		n = is_unsigned ? kpt_lex_prefix(name, strlen(name), "unsigned ") : 0;
		if ((is_unsigned && !n) || !kpt_lex_is(s, len, name + n))
			continue;
		f->type = type;
		if (!is_array)
			return true;
		f->type = type == KPT_TYPE_SYNTH_CHAR ? KPT_TYPE_SYNTH_TEXT :
			  type == KPT_TYPE_SYNTH_LONG ? KPT_TYPE_SYNTH_STACK :
							KPT_TYPE_SYNTH_USTACK;
		return type == KPT_TYPE_SYNTH_CHAR ||
		       type == KPT_TYPE_SYNTH_LONG ||
		       type == KPT_TYPE_SYNTH_ULONG;
	}
	return !is_unsigned && !is_array && synth_find_form(f, s, len);
}

/* Parse "[]" or "[N]". */
static bool synth_read_array(struct kpt_field *f, const char *s, size_t len)
{
	u64 n;

	if (len < 2 || s[len - 1] != ']')
		return false;
	if (len == 2)
		return true;
	if (f->type != KPT_TYPE_SYNTH_TEXT || len > 5 ||
	    kpt_lex_u64(s + 1, len - 2, 0, &n) || !n || n > KPT_SYNTH_TEXT_MAX)
		return false;
	f->type = KPT_TYPE_SYNTH_CHARS;
	f->count = (u16)n;
	return true;
}

/* Set the type of a field. The array part may stand behind the type or the name, not both. */
static int synth_set_type(struct synth_parser *p, struct kpt_field *f,
			  bool is_unsigned, struct kpt_span type,
			  struct kpt_span name, size_t name_len)
{
	const char *text = p->def->text;
	size_t n = kpt_lex_find(text + type.at, type.len, '[');
	size_t len = type.len - n, name_array = name.len - name_len;

	if (!synth_find_type(f, is_unsigned, text + type.at, n, len || name_array) ||
	    (len && !name_array && !synth_read_array(f, text + type.at + n, len)))
		return synth_fail(p, KPT_E_SYNTH_INVALID_TYPE, type.at);
	if (name_array &&
	    (len || !synth_read_array(f, text + name.at + name_len, name_array)))
		return synth_fail(p, KPT_E_SYNTH_INVALID_ARRAY, name.at);
	return 0;
}

static int synth_set_name(struct synth_parser *p, struct kpt_field *f,
			  struct kpt_span name)
{
	if (!synth_is_name(p, name))
		return synth_fail(p, KPT_E_SYNTH_BAD_NAME, name.at);
	if (name.len >= sizeof(f->name))
		return synth_fail(p, KPT_E_SYNTH_LONG_NAME, name.at);
	memcpy(f->name, p->def->text + name.at, name.len);
	return 0;
}

/* Bytes of a field in the fixed part. */
static u16 synth_field_room(const struct kpt_field *f)
{
	return f->type == KPT_TYPE_SYNTH_CHARS ? KPT_SYNTH_TEXT_MAX : sizeof(u64);
}

/*
 * Parse "TYPE NAME", of which @first is the first word. Inlined, it would make the frame of
 * kpt_synth_parse() larger than Kbuild allows in a file with functions of hits.
 */
static noinline int synth_parse_field(struct synth_parser *p, struct kpt_span first)
{
	struct kpt_fields *fields = &p->shape->fields;
	bool is_unsigned = kpt_lex_is(p->def->text + first.at, first.len,
				      "unsigned");
	struct kpt_span type = is_unsigned ? synth_next_word(p) : first;
	struct kpt_span name = synth_next_word(p), bare = name;
	struct kpt_field *f = &p->shape->room[fields->nr];
	int err;

	if (is_unsigned && !name.len)
		return synth_fail(p, KPT_E_SYNTH_INCOMPLETE_TYPE, first.at);
	if (!name.len)
		return synth_fail(p, KPT_E_SYNTH_INVALID_FIELD, type.at);
	if (fields->nr == KPT_SYNTH_FIELDS_MAX)
		return synth_fail(p, KPT_E_SYNTH_TOO_MANY_FIELDS, 0);
	bare.len = (u16)kpt_lex_find(p->def->text + name.at, name.len, '[');
	err = synth_set_name(p, f, bare);
	if (!err)
		err = synth_set_type(p, f, is_unsigned, type, name, bare.len);
	if (err)
		return err;
	f->offset = fields->size;
	fields->size += synth_field_room(f);
	fields->has_dynamic |= kpt_type_info[f->type].is_dynamic;
	fields->nr++;
	return 0;
}

/* Does the text up to the first ';' have less than a name and a field? */
static bool synth_is_short(struct synth_parser p)
{
	const struct kpt_span *name = &p.def->event;

	if (kpt_lex_find(p.def->text + name->at, name->len, ';') < name->len)
		return true;
	synth_next_word(&p);
	return !synth_next_word(&p).len;
}

/**
 * kpt_synth_parse() - parse the fields of a synthetic event
 * @shape: result, valid on success only
 * @def: the definition, of kind KPT_DEF_SYNTHETIC
 * @diag: on failure the reason
 *
 * Also checks the name of the event. "TYPE NAME" for each field, with ';' between
 * them, which may be missing.
 *
 * Context: any.
 * Return: 0 or -EINVAL.
 */
int kpt_synth_parse(struct kpt_synth_shape *shape, const struct kpt_def *def,
		    struct kpt_diag *diag)
{
	size_t end = def->body.at + def->body.len, next = def->body.at;
	struct synth_parser p = { .def = def, .shape = shape, .diag = diag };
	struct kpt_span word;
	int err = 0;

	memset(shape, 0, sizeof(*shape));
	shape->fields.head = &kpt_head_synth;
	shape->fields.size = kpt_head_synth.size;
	p.at = next;
	p.end = next + kpt_lex_find(def->text + next, end - next, ';');
	if (synth_is_short(p))
		return synth_fail(&p, KPT_E_SYNTH_BAD_FORM, 0);
	if (!synth_is_name(&p, def->event))
		return synth_fail(&p, KPT_E_SYNTH_BAD_NAME, def->event.at);
	for (; !err && next < end; next = p.end + 1) {
		p.at = next;
		p.end = next + kpt_lex_find(def->text + next, end - next, ';');
		for (word = synth_next_word(&p); !err && word.len;
		     word = synth_next_word(&p))
			err = synth_parse_field(&p, word);
	}
	return err;
}

/**
 * kpt_synth_list() - write fields as files of definitions list them
 * @sb: gets the text
 * @fields: the fields
 *
 * Context: any.
 */
void kpt_synth_list(struct kpt_strbuf *sb, const struct kpt_fields *fields)
{
	const struct kpt_field *f;
	unsigned int i;

	for (i = 0; i < fields->nr; i++) {
		f = &fields->field[i];
		kpt_strbuf_printf(sb, "%s%s", i ? "; " : "",
				  kpt_type_info[f->type].name);
		if (f->count)
			kpt_strbuf_printf(sb, "[%u]", f->count);
		kpt_strbuf_printf(sb, " %s", f->name);
	}
}

/**
 * kpt_synth_room() - bytes of the largest record of an event
 * @fields: shape of its records
 *
 * Context: any.
 * Return: bytes.
 */
size_t kpt_synth_room(const struct kpt_fields *fields)
{
	size_t size = fields->size;
	unsigned int i;

	for (i = 0; i < fields->nr; i++)
		if (kpt_type_info[fields->field[i].type].is_dynamic)
			size += KPT_SYNTH_TEXT_MAX;
	return size;
}

/* Append room for the data of a dynamic field, and store its data_loc. */
static u8 *synth_append(struct kpt_synth_writer *w, const struct kpt_field *f,
			size_t len)
{
	u32 loc = kpt_data_loc((u32)w->size, (u32)len);
	u8 *to = w->record + w->size;

	kpt_synth_store(w, f, loc);
	memset(to + round_down(len, 8), 0, round_up(len, 8) - round_down(len, 8));
	w->size += round_up(len, 8);
	return to;
}

/**
 * kpt_synth_put_text() - set a field to a string
 * @w: the record
 * @i: index of the field, a char[N] or char[]; set only once
 * @text: the string
 * @len: its characters; it is cut if it does not fit
 *
 * Context: BRK.
 */
void kpt_synth_put_text(struct kpt_synth_writer *w, unsigned int i,
			const char *text, size_t len)
{
	const struct kpt_field *f = &w->fields->field[i];
	u8 *to = w->record + f->offset;

	if (f->type == KPT_TYPE_SYNTH_TEXT) {
		len = min_t(size_t, len, KPT_SYNTH_TEXT_MAX - 1);
		to = synth_append(w, f, len + 1);
	} else {
		len = min_t(size_t, len, f->count - 1);
		memset(to, 0, KPT_SYNTH_TEXT_MAX);
	}
	memcpy(to, text, len);
	to[len] = '\0';
}

/**
 * kpt_synth_put_stack() - set a field to a stack
 * @w: the record
 * @i: index of the field, a long[] or unsigned long[]; set only once
 * @addr: the addresses
 * @nr: how many; KPT_SYNTH_STACK_MAX are kept at most
 *
 * Context: BRK.
 */
void kpt_synth_put_stack(struct kpt_synth_writer *w, unsigned int i,
			 const u64 *addr, size_t nr)
{
	u64 *to;

	nr = min_t(size_t, nr, KPT_SYNTH_STACK_MAX);
	to = (u64 *)synth_append(w, &w->fields->field[i],
				 (nr + 1) * sizeof(u64));
	to[0] = nr;
	memcpy(to + 1, addr, nr * sizeof(u64));
}
