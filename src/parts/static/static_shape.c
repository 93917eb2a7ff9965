// SPDX-License-Identifier: GPL-2.0-only
/*
 * Static events: the shape of their records, and lines of trace.
 *
 * The fields are those that the kernel declares. The text of a line is made by the
 * kernel's own function, which trusts the record: so dynamic fields are checked before.
 */
#include "kernel/compat.h"
#include <linux/atomic.h>
#include <linux/mutex.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/trace_events.h>
#include <linux/vmalloc.h>
#include "parts/static/static.h"
#include "kernel/ksyms.h"
#include "lib/format/format.h"

#ifdef CONFIG_EVENT_TRACING

/**
 * struct static_shape - the fields of a static event
 * @fields: what the event has; it has no arguments
 * @head: all fields of the event
 * @of: the event
 * @unit: of each field the bytes of a number: those of the field, or of an element of an array
 * @field: array of @head
 */
struct static_shape {
	struct kpt_fields fields;
	struct kpt_head head;
	struct kpt_declared *of;
	u8 *unit;
	struct kpt_head_field field[];
};

/*
 * Held while a text is made, and to change kpt_declared.call. It protects @text_iter and
 * @text_record, too.
 */
static DEFINE_MUTEX(text_lock);
/*
 * 1 while @text_iter is used. A crash does not wait for @text_lock: while a reader of
 * trace uses @text_iter, the crash shows the record in another way, and the reverse.
 */
static atomic_t text_used;
static struct trace_iterator *text_iter;
static void *text_record;
#define TEXT_RECORD SZ_8K

/* The end of kpt_static_shape()'s list of fields, and a field without a name. */
static bool field_is_plain(const struct trace_event_fields *f)
{
	return (unsigned long)f->type != ~0UL;
}

static bool type_is_dynamic(const char *type)
{
	return strstarts(type, "__data_loc") || strstarts(type, "__rel_loc");
}

static u8 field_kind(const struct trace_event_fields *f)
{
	bool is_text = strstr(f->type, "char");

	if (strstarts(f->type, "__data_loc"))
		return is_text ? KPT_FIELD_TEXT :
		       strstr(f->type, "cpumask_t") ? KPT_FIELD_MASK : KPT_FIELD_BYTES;
	if (strstarts(f->type, "__rel_loc"))
		return is_text ? KPT_FIELD_REL_TEXT : KPT_FIELD_REL_BYTES;
	if (strchr(f->type, '[') && is_text)
		return KPT_FIELD_CHARS;
	return KPT_FIELD_NUMBER;
}

/* The declaration in the format file: "char comm[16]" for a type "char[16]". */
static char *field_declaration(const struct trace_event_fields *f)
{
	const char *array = strchr(f->type, '[');
	int before = array ? array - f->type : 0;

	if (!array || strstarts(f->type, "__data_loc"))
		return kasprintf(GFP_KERNEL, "%s %s", f->type, f->name);
	if (!KPT_EVENT_TYPES_LACK_LENGTH)
		return kasprintf(GFP_KERNEL, "%.*s %s%s", before, f->type, f->name,
				 array);
	if (!kpt_event_field_length(f))
		return kasprintf(GFP_KERNEL, "%.*s %s[]", before, f->type, f->name);
	return kasprintf(GFP_KERNEL, "%.*s %s[%d]", before, f->type, f->name,
			 kpt_event_field_length(f));
}

static void shape_free(struct static_shape *shape)
{
	unsigned int i;

	for (i = 0; i < shape->head.nr; i++) {
		kfree(shape->field[i].name);
		kfree(shape->field[i].declaration);
	}
	kfree(shape->head.print_fmt);
	kfree(shape);
}

static void shape_release(const struct kpt_fields *fields)
{
	shape_free((void *)container_of(fields, const struct static_shape, fields));
}

/* An array has the alignment of its elements. Those of a dynamic one are not known: bytes. */
static u8 field_unit(const struct trace_event_fields *f)
{
	bool is_number = f->align <= sizeof(u64) && is_power_of_2(f->align) &&
			 f->size % f->align == 0;

	return is_number && !type_is_dynamic(f->type) ? f->align : 1;
}

/* Add the next field. Returns false without memory. */
static bool shape_put(void *to_shape, const struct trace_event_fields *f)
{
	struct static_shape *shape = to_shape;
	struct kpt_head_field *to = &shape->field[shape->head.nr];
	unsigned int offset = ALIGN(shape->head.size, f->align);

	shape->unit[shape->head.nr++] = field_unit(f);
	to->name = kstrdup(f->name, GFP_KERNEL);
	to->declaration = field_declaration(f);
	to->ref = (struct kpt_field_ref){
		.kind = field_kind(f),
		.is_signed = f->is_signed,
		.offset = offset,
		.size = f->size,
	};
	shape->head.size = offset + f->size;
	return to->name && to->declaration;
}

/*
 * Text.
 */

static bool field_is_text(const struct kpt_field_ref *ref)
{
	return ref->kind == KPT_FIELD_TEXT || ref->kind == KPT_FIELD_REL_TEXT ||
	       ref->kind == KPT_FIELD_CHARS;
}

static bool text_field_is_safe(const struct kpt_head_field *f, const void *record,
			       size_t size, bool needs_end)
{
	const char *data;
	size_t len;

	if (!type_is_dynamic(f->declaration))
		return true;
	data = kpt_field_data(&f->ref, record, size, &len);
	if (!data || !needs_end || !len)
		return data;
	return !field_is_text(&f->ref) || strnlen(data, len) < len;
}

static bool text_is_safe(const struct static_shape *shape, const void *record,
			 size_t size)
{
	/* What system calls point to has a length, and need not be text. */
	bool needs_end = !kpt_static_of_syscalls(shape->of->call->class);
	unsigned int i;

	if (size < shape->head.size || size > TEXT_RECORD)
		return false;
	for (i = 0; i < shape->head.nr; i++)
		if (!text_field_is_safe(&shape->field[i], record, size, needs_end))
			return false;
	return true;
}

/* Let the kernel write the text into @text_iter. False if it cannot. */
static bool text_make(struct trace_event_call *call, const struct kpt_line *line)
{
	struct trace_iterator *iter = text_iter;
	enum print_line_t done;

	memcpy(text_record, line->record, line->size);
	((struct kpt_record_head *)text_record)->type = call->event.type;
	trace_seq_init(&iter->seq);
	trace_seq_init(&iter->tmp_seq);
	iter->ent = text_record;
	iter->ent_size = line->size;
	iter->cpu = line->cpu;
	iter->ts = line->ts;
	if (!line->in_crash)
		trace_event_read_lock();
	done = call->event.funcs->trace(iter, 0, &call->event);
	if (!line->in_crash)
		trace_event_read_unlock();
	return done != TRACE_TYPE_UNHANDLED;
}

/* Its newline is left to the line. Names and strings of users are in it, nobody knows where. */
static void text_add(struct kpt_strbuf *sb, u64 options)
{
	size_t len = min_t(size_t, trace_seq_used(&text_iter->seq),
			   sizeof(text_iter->seq.buffer));

	if (len && text_iter->seq.buffer[len - 1] == '\n')
		len--;
	if (options & KPT_OPT_ESCAPE_TEXT)
		kpt_strbuf_escape(sb, text_iter->seq.buffer, len, false);
	else
		kpt_strbuf_add(sb, text_iter->seq.buffer, len);
}

/* Of a number, or of an element of an array. */
static void text_put_number(struct kpt_strbuf *sb, const struct kpt_line *line,
			    const struct kpt_field_ref *ref, bool is_address)
{
	u64 v = kpt_field_number(ref, line->record);

	if (is_address)
		kpt_format_symbol(sb, line, v);
	else if (ref->is_signed)
		kpt_strbuf_dec(sb, (s64)v);
	else
		kpt_strbuf_udec(sb, v, 0, ' ');
}

/* {1,2,3}: @len bytes from that of @first on */
static void text_put_array(struct kpt_strbuf *sb, const struct kpt_line *line,
			   struct kpt_field_ref first, size_t len, bool is_address)
{
	size_t end = first.offset + len;

	kpt_strbuf_putc(sb, '{');
	for (; first.offset < end; first.offset += first.size) {
		text_put_number(sb, line, &first, is_address);
		if (first.offset + first.size < end)
			kpt_strbuf_putc(sb, ',');
	}
	kpt_strbuf_putc(sb, '}');
}

static void text_put_value(struct kpt_strbuf *sb, const struct kpt_line *line,
			   const struct kpt_head_field *f, u8 unit)
{
	struct kpt_field_ref first = f->ref;
	bool is_address = strchr(f->declaration, '*');
	size_t len = f->ref.size;
	const char *data;

	first.size = unit;
	if (!kpt_line_has(line, &f->ref)) {
		kpt_strbuf_puts(sb, "<OVERFLOW>");
	} else if (field_is_text(&f->ref)) {
		data = kpt_field_text(&f->ref, line->record, line->size, &len);
		kpt_format_text(sb, line->options, data, len);
	} else if (kpt_field_is_dynamic(&f->ref)) {
		data = kpt_field_data(&f->ref, line->record, line->size, &len);
		first.offset = data ? data - (const char *)line->record : 0;
		text_put_array(sb, line, first, data ? len : 0, is_address);
	} else if (len != unit) {
		text_put_array(sb, line, first, len, is_address);
	} else {
		text_put_number(sb, line, &first, is_address);
	}
}

/*
 * Option static-fields; also a record of a module that is gone, or one that does not fit the
 * shape.
 */
static void text_put_fields(struct kpt_strbuf *sb, const struct static_shape *shape,
			    const struct kpt_line *line)
{
	unsigned int i;

	kpt_strbuf_printf(sb, "%s:", line->event);
	for (i = 0; i < shape->head.nr; i++) {
		kpt_strbuf_printf(sb, " %s=", shape->field[i].name);
		text_put_value(sb, line, &shape->field[i], shape->unit[i]);
	}
}

static bool text_put_own(struct kpt_strbuf *sb, const struct static_shape *shape,
			 const struct kpt_line *line)
{
	bool done = false;

	if (atomic_cmpxchg(&text_used, 0, 1))
		return false;
	if (shape->of->call && text_is_safe(shape, line->record, line->size))
		done = text_make(shape->of->call, line);
	if (done)
		text_add(sb, line->options);
	atomic_set_release(&text_used, 0);
	return done;
}

static void text_put(struct kpt_strbuf *sb, const struct kpt_line *line)
{
	const struct static_shape *shape =
		container_of(line->fields, const struct static_shape, fields);
	bool done;

	if (line->options & KPT_OPT_STATIC_FIELDS) {
		text_put_fields(sb, shape, line);
		return;
	}
	if (!line->in_crash)
		mutex_lock(&text_lock);
	done = text_put_own(sb, shape, line);
	if (!line->in_crash)
		mutex_unlock(&text_lock);
	if (!done)
		text_put_fields(sb, shape, line);
}

/**
 * kpt_static_shape() - the shape of the records of a static event
 * @s: the event, with its @call
 *
 * Context: process context, sleeps, kpt_mutex held.
 * Return: the shape, or NULL without memory.
 */
struct kpt_fields *kpt_static_shape(struct kpt_declared *s)
{
	const struct trace_event_fields *f = s->call->class->fields_array;
	struct static_shape *shape;
	unsigned int nr = KPT_STATIC_SYSCALL_FIELDS;
	bool ok = true;

	while (f[nr - KPT_STATIC_SYSCALL_FIELDS].type)
		nr++;
	shape = kzalloc(struct_size(shape, field, nr) + nr, GFP_KERNEL);
	if (!shape)
		return NULL;
	shape->of = s;
	shape->unit = (u8 *)&shape->field[nr];
	shape->head.size = sizeof(struct kpt_record_head);
	shape->head.field = shape->field;
	shape->head.print_fmt = kstrdup(s->call->print_fmt, GFP_KERNEL);
	shape->head.has_whole_print = true;
	shape->head.print_args = "";
	shape->head.put = text_put;
	for (; ok && f->type; f++)
		ok = !field_is_plain(f) || shape_put(shape, f);
	ok = ok && kpt_static_syscall_fields(s->call, shape_put, shape);
	if (!ok || !shape->head.print_fmt) {
		shape_free(shape);
		return NULL;
	}
	shape->fields.head = &shape->head;
	shape->fields.size = shape->head.size;
	shape->fields.release = shape_release;
	return &shape->fields;
}

/**
 * kpt_static_same_shape() - does an event still have the fields that it was made with?
 * @s: the event, made
 * @call: the kernel's object now
 *
 * Context: process context, sleeps, kpt_mutex held.
 * Return: true if it does.
 */
bool kpt_static_same_shape(const struct kpt_declared *s,
			   struct trace_event_call *call)
{
	struct kpt_declared now = { .call = call };
	struct kpt_fields *fields = kpt_static_shape(&now);
	const struct kpt_head *a, *b;
	unsigned int i;
	bool same;

	if (!fields)
		return false;
	a = fields->head;
	b = s->event->fields->head;
	same = a->nr == b->nr && !strcmp(a->print_fmt, b->print_fmt);
	for (i = 0; same && i < a->nr; i++)
		same = !strcmp(a->field[i].declaration, b->field[i].declaration) &&
		       !memcmp(&a->field[i].ref, &b->field[i].ref,
			       sizeof(a->field[i].ref));
	shape_release(fields);
	return same;
}

/**
 * kpt_static_forget() - forget the kernel's object of an event whose module goes
 * @s: the event; no line of trace uses the object any more on return
 *
 * Context: process context, sleeps, kpt_mutex held.
 */
void kpt_static_forget(struct kpt_declared *s)
{
	mutex_lock(&text_lock);
	s->call = NULL;
	mutex_unlock(&text_lock);
}

/**
 * kpt_static_text_init() - allocate what lines of static events need
 * @tr: the kernel's top instance, whose options its functions look at
 *
 * Context: process context, sleeps, kpt_mutex held.
 * Return: 0 or -ENOMEM.
 */
int kpt_static_text_init(struct trace_array *tr)
{
	if (!text_iter)
		text_iter = vzalloc(sizeof(*text_iter));
	if (!text_record)
		text_record = vzalloc(TEXT_RECORD);
	if (!text_iter || !text_record)
		return -ENOMEM;
	text_iter->tr = tr;
	return 0;
}

/**
 * kpt_static_text_exit() - the reverse of kpt_static_text_init()
 *
 * Context: process context, sleeps; no file is open.
 */
void kpt_static_text_exit(void)
{
	if (text_iter)
		kfree(kpt_iterator_format(text_iter));
	vfree(text_iter);
	vfree(text_record);
	text_iter = NULL;
	text_record = NULL;
}

#endif
