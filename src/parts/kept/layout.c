// SPDX-License-Identifier: GPL-2.0-only
/*
 * Memory that survives a reboot.
 *
 * What is where follows from the size of the memory and the number of CPUs alone:
 * struct kpt_persist_head, then for each CPU where its records are, modules, shapes of
 * events, names of tasks, rings. Each piece but the names has a checksum of its own, so
 * that damage costs that piece only. A checksum finds damage, not forgery: what has a
 * right one is checked like any other input.
 */
#include "lib/base/port.h"
#include "lib/base/check.h"
#include "lib/format/format.h"
#include "parts/kept/layout.h"

#define PAGE		4096
#define RING_MIN	(2 * PAGE)
/* More fields than any event of the kernel has. */
#define HEAD_FIELDS_MAX	256
/* So many bits of the magic may be damaged: any other 16 bytes differ in more. */
#define MAGIC_BITS	16

static size_t whole_pages(size_t bytes)
{
	return ALIGN(bytes, PAGE);
}

static u32 comms_of(size_t bytes)
{
	u32 nr = 64;

	while (nr < 32768 && 2 * nr * KPT_PERSIST_COMM + 8 <= bytes)
		nr *= 2;
	return nr;
}

/**
 * kpt_persist_layout() - divide the memory
 * @l: result
 * @size: its bytes; what is behind the last whole 4096 is not used
 * @nr_cpus: number of rings
 *
 * Context: any.
 * Return: 0; -EINVAL if it is too small for so many rings, or larger than 1 TiB.
 */
int kpt_persist_layout(struct kpt_persist_layout *l, u64 size, u32 nr_cpus)
{
	size_t modules, at = PAGE;

	if (!nr_cpus || nr_cpus > 65536 || size < 16 * PAGE || size >> 40)
		return -EINVAL;
	modules = min(max(size / 32, (u64)PAGE), (u64)(16 * PAGE));
	l->nr_cpus = nr_cpus;
	l->kept = at;
	at += whole_pages(nr_cpus * sizeof(struct kpt_ring_kept));
	l->modules = at;
	l->nr_modules = (u32)(modules / sizeof(struct kpt_persist_module));
	at += whole_pages(modules);
	l->shapes = at;
	l->shapes_size = whole_pages(min(max(size / 16, (u64)PAGE), (u64)(256 * PAGE)));
	at += l->shapes_size;
	l->comms = at;
	l->nr_comms = comms_of(size / 8);
	at += whole_pages(l->nr_comms * KPT_PERSIST_COMM + 8);
	l->rings = at;
	if (size < at || (size - at) / nr_cpus < RING_MIN)
		return -EINVAL;
	l->ring_size = (u32)min((size - at) / nr_cpus, (u64)(1U << 31)) & ~(PAGE - 1U);
	return 0;
}

/* The checksum of all of a piece that is before its member check. */
#define CHECK_OF(piece)								\
	kpt_check(piece, offsetof(typeof(*(piece)), check))

static bool is_text(const char *s, size_t size)
{
	size_t i;

	for (i = 0; i < size && s[i]; i++)
		if (s[i] < ' ' || s[i] > '~')
			return false;
	return i < size;
}

/**
 * kpt_persist_head_set() - mark the memory as ours
 * @head: its beginning
 * @size: bytes of all
 * @nr_cpus: number of rings
 *
 * Context: any.
 */
void kpt_persist_head_set(struct kpt_persist_head *head, u64 size, u32 nr_cpus)
{
	memcpy(head->magic, KPT_PERSIST_MAGIC, sizeof(head->magic));
	head->size = size;
	head->nr_cpus = nr_cpus;
	head->check = CHECK_OF(head);
}

/**
 * kpt_persist_is_ours() - has the memory been used by kptrace?
 * @head: its beginning, any bytes
 *
 * Context: any.
 * Return: true if it has, even if the head is damaged.
 */
bool kpt_persist_is_ours(const struct kpt_persist_head *head)
{
	static const char magic[] = KPT_PERSIST_MAGIC;
	unsigned int i, bits = 0;
	u8 diff;

	for (i = 0; i < sizeof(head->magic); i++)
		for (diff = (u8)(head->magic[i] ^ magic[i]); diff; diff &= diff - 1)
			bits++;
	return bits <= MAGIC_BITS;
}

/**
 * kpt_persist_head_whole() - can the number of CPUs in a head be used?
 * @head: the head, any bytes
 * @size: bytes of the memory
 *
 * Context: any.
 * Return: true if kpt_persist_layout() will take it.
 */
bool kpt_persist_head_whole(const struct kpt_persist_head *head, u64 size)
{
	struct kpt_persist_layout l;

	return head->check == CHECK_OF(head) && head->size == size &&
	       head->nr_cpus <= U32_MAX &&
	       !kpt_persist_layout(&l, size, (u32)head->nr_cpus);
}

/**
 * kpt_persist_boot_set() - compute the checksum of a boot
 * @boot: the boot, otherwise complete
 *
 * Context: any.
 */
void kpt_persist_boot_set(struct kpt_persist_boot *boot)
{
	boot->check = CHECK_OF(boot);
}

/**
 * kpt_persist_boot_whole() - is what is known of a boot whole?
 * @boot: any bytes
 *
 * Context: any.
 * Return: true if it is: the names end, and the addresses are a range.
 */
bool kpt_persist_boot_whole(const struct kpt_persist_boot *boot)
{
	return boot->check == CHECK_OF(boot) && boot->start <= boot->end &&
	       is_text(boot->release, sizeof(boot->release)) &&
	       is_text(boot->version, sizeof(boot->version));
}

/**
 * kpt_persist_clock_set() - compute the checksum of a clock
 * @clock: the clock, otherwise complete
 *
 * Context: any.
 */
void kpt_persist_clock_set(struct kpt_persist_clock *clock)
{
	clock->check = CHECK_OF(clock);
}

/**
 * kpt_persist_clock_whole() - is what is known of a clock whole?
 * @clock: any bytes
 *
 * Context: any.
 * Return: true if it is: kpt_epochs_find() and kpt_tick_convert() work on it. The number
 * of the clock is not checked.
 */
bool kpt_persist_clock_whole(const struct kpt_persist_clock *clock)
{
	return clock->check == CHECK_OF(clock) && clock->tick.mult &&
	       clock->tick.shift <= 32 && clock->epochs.nr &&
	       clock->epochs.nr <= KPT_EPOCHS_MAX;
}

/**
 * kpt_persist_module_set() - compute the checksum of a module
 * @mod: the module, otherwise complete
 *
 * Context: any.
 */
void kpt_persist_module_set(struct kpt_persist_module *mod)
{
	mod->check = CHECK_OF(mod);
}

/**
 * kpt_persist_module_whole() - is an entry a module?
 * @mod: any bytes
 *
 * Context: any.
 * Return: true if it is; false if it is damaged, or not used: then all are 0.
 */
bool kpt_persist_module_whole(const struct kpt_persist_module *mod)
{
	return mod->check == CHECK_OF(mod) && mod->size && mod->name[0] &&
	       is_text(mod->name, sizeof(mod->name));
}

/*
 * Shapes.
 */

static const struct kpt_head *const heads[KPT_PERSIST_KINDS] = {
	[KPT_PERSIST_PLACE] = &kpt_head_place,
	[KPT_PERSIST_RETURN] = &kpt_head_return,
	[KPT_PERSIST_SYNTH] = &kpt_head_synth,
	[KPT_PERSIST_EVENT] = &kpt_head_event,
};

static enum kpt_persist_kind kind_of(const struct kpt_head *head)
{
	unsigned int kind = 0;

	while (kind < KPT_PERSIST_OTHER && heads[kind] != head)
		kind++;
	return kind;
}

/* Fields of a head that have to be kept. */
static unsigned int nr_kept(const struct kpt_head *head)
{
	return kind_of(head) == KPT_PERSIST_OTHER ? head->nr : 0;
}

static size_t bytes_of(size_t nr_fields)
{
	return sizeof(struct kpt_persist_shape) +
	       nr_fields * sizeof(struct kpt_persist_field);
}

/**
 * kpt_persist_shape_bytes() - room that an event takes
 * @fields: the shape of its records
 *
 * Context: any.
 * Return: bytes, a multiple of 8; 0 if it has too many fields to be kept, or arguments
 * behind a head of kind KPT_PERSIST_OTHER.
 */
size_t kpt_persist_shape_bytes(const struct kpt_fields *fields)
{
	unsigned int nr = nr_kept(fields->head);

	if (nr > HEAD_FIELDS_MAX || fields->nr > KPT_ARGS_MAX || (nr && fields->nr))
		return 0;
	return bytes_of(nr + fields->nr);
}

static void name_copy(char *to, const char *from)
{
	size_t len = from ? strnlen(from, KPT_NAME_MAX - 1) : 0;

	if (len)
		memcpy(to, from, len);
	to[len] = '\0';
}

/**
 * kpt_persist_shape_set() - keep an event
 * @shape: result, kpt_persist_shape_bytes(), all 0
 * @id: number of the event in records
 * @fields: the shape of its records
 * @event: its name
 * @source_group: of an event on another event: group of that event, else NULL
 * @source_event: its name, or NULL
 *
 * Context: any.
 */
void kpt_persist_shape_set(struct kpt_persist_shape *shape, u16 id,
			   const struct kpt_fields *fields, const char *event,
			   const char *source_group, const char *source_event)
{
	const struct kpt_head *head = fields->head;
	struct kpt_persist_field *to = shape->field;
	unsigned int i;

	shape->bytes = (u32)kpt_persist_shape_bytes(fields);
	shape->id = id;
	shape->kind = kind_of(head);
	shape->nr_head = (u16)nr_kept(head);
	shape->nr = fields->nr;
	shape->size = fields->size;
	shape->head_size = head->size;
	name_copy(shape->event, event);
	name_copy(shape->source_group, source_group);
	name_copy(shape->source_event, source_event);
	for (i = 0; i < shape->nr_head; i++, to++) {
		name_copy(to->name, head->field[i].name);
		to->what = head->field[i].ref.kind;
		to->is_signed = head->field[i].ref.is_signed;
		to->size = head->field[i].ref.size;
		to->offset = head->field[i].ref.offset;
	}
	for (i = 0; i < shape->nr; i++, to++) {
		name_copy(to->name, fields->field[i].name);
		to->what = fields->field[i].type;
		to->size = fields->field[i].count;
		to->offset = fields->field[i].offset;
	}
	shape->check = kpt_check(&shape->bytes, shape->bytes - sizeof(shape->check));
}

static struct kpt_field field_of(const struct kpt_persist_field *kept)
{
	struct kpt_field f = {
		.type = kept->what,
		.count = kept->size,
		.offset = kept->offset,
	};

	memcpy(f.name, kept->name, KPT_ARG_NAME_MAX);
	return f;
}

static bool argument_is_right(const struct kpt_persist_shape *s,
			      const struct kpt_persist_field *kept)
{
	bool is_synth = s->kind == KPT_PERSIST_SYNTH;
	struct kpt_field f;

	if (kept->what < (is_synth ? KPT_TYPE_SYNTH : 0) ||
	    kept->what >= (is_synth ? KPT_NR_ALL_TYPES : KPT_NR_TYPES))
		return false;
	f = field_of(kept);
	return f.offset + kpt_field_size(&f) <= s->size;
}

static bool head_field_is_right(const struct kpt_persist_shape *s,
				const struct kpt_persist_field *kept)
{
	const struct kpt_field_ref ref = { .kind = kept->what };

	return kept->what <= KPT_FIELD_MASK &&
	       kept->offset + kept->size <= s->head_size &&
	       (!kpt_field_is_dynamic(&ref) || kept->size == sizeof(u32));
}

/* What has a right checksum, but is not what kpt_persist_shape_set() makes? */
static bool shape_is_right(const struct kpt_persist_shape *s)
{
	bool is_other = s->kind == KPT_PERSIST_OTHER;
	unsigned int i;

	if (s->kind >= KPT_PERSIST_KINDS || (is_other ? s->nr : s->nr_head) ||
	    s->nr > KPT_ARGS_MAX || s->nr_head > HEAD_FIELDS_MAX ||
	    s->bytes != bytes_of(s->nr_head + s->nr) ||
	    s->head_size < sizeof(struct kpt_record_head) ||
	    (!is_other && s->head_size != heads[s->kind]->size) ||
	    s->size < s->head_size || !is_text(s->event, KPT_NAME_MAX) ||
	    !is_text(s->source_group, KPT_NAME_MAX) ||
	    !is_text(s->source_event, KPT_NAME_MAX))
		return false;
	for (i = 0; i < s->nr_head + s->nr; i++) {
		if (!is_text(s->field[i].name, KPT_NAME_MAX))
			return false;
		if (i < s->nr_head ? !head_field_is_right(s, &s->field[i]) :
				     !argument_is_right(s, &s->field[i]))
			return false;
	}
	return true;
}

static bool is_shape(const struct kpt_persist_shape *s, size_t left)
{
	return left >= sizeof(*s) && s->bytes >= sizeof(*s) && s->bytes <= left &&
	       !(s->bytes % 8) &&
	       s->check == kpt_check(&s->bytes, s->bytes - sizeof(s->check)) &&
	       shape_is_right(s);
}

/**
 * kpt_persist_shape_next() - find the next event
 * @from: the part of the memory that has them, any bytes
 * @bytes: its bytes, a multiple of 8
 * @at: offset to begin at, a multiple of 8; result: offset behind the event
 * @bad: bytes that are neither an event nor 0 are added to it
 *
 * Context: any.
 * Return: the event, or NULL at the end.
 */
const struct kpt_persist_shape *kpt_persist_shape_next(const void *from, size_t bytes,
						       size_t *at, size_t *bad)
{
	const struct kpt_persist_shape *s;

	for (; *at < bytes; *at += 8) {
		s = from + *at;
		if (is_shape(s, bytes - *at)) {
			*at += s->bytes;
			return s;
		}
		*bad += s->check ? 8 : 0;
	}
	return NULL;
}

/**
 * kpt_past_shape_bytes() - memory to read an event again
 * @kept: the event, from kpt_persist_shape_next()
 *
 * Context: any.
 * Return: bytes.
 */
size_t kpt_past_shape_bytes(const struct kpt_persist_shape *kept)
{
	return sizeof(struct kpt_past_shape) + kept->nr * sizeof(struct kpt_field) +
	       kept->nr_head * sizeof(struct kpt_head_field);
}

/**
 * kpt_past_shape_make() - read an event again
 * @past: result, kpt_past_shape_bytes() that are 0
 * @kept: the event, from kpt_persist_shape_next(), which lives as long as @past
 *
 * Lines of events with a head of kind KPT_PERSIST_OTHER have their fields one by one:
 * the function that wrote their text belonged to the boot that recorded them.
 *
 * Context: any.
 */
void kpt_past_shape_make(struct kpt_past_shape *past,
			 const struct kpt_persist_shape *kept)
{
	/* There is either kind of fields, so both begin there. */
	struct kpt_head_field *to = (struct kpt_head_field *)past->fields.field;
	const struct kpt_persist_field *from = kept->field;
	unsigned int i;

	past->kept = kept;
	past->fields.head = heads[kept->kind];
	past->fields.nr = kept->nr;
	past->fields.size = kept->size;
	for (i = 0; i < kept->nr; i++) {
		past->fields.field[i] = field_of(&from[i]);
		if (kpt_type_info[from[i].what].is_dynamic)
			past->fields.has_dynamic = true;
	}
	if (kept->kind != KPT_PERSIST_OTHER)
		return;
	for (i = 0; i < kept->nr_head; i++)
		to[i] = (struct kpt_head_field){
			.name = from[i].name,
			.declaration = "",
			.ref = { from[i].what, from[i].is_signed, from[i].offset,
				 from[i].size },
		};
	past->head = (struct kpt_head){
		.size = kept->head_size,
		.nr = kept->nr_head,
		.field = to,
		.print_fmt = "",
		.print_args = "",
		.put = kpt_format_fields,
	};
	past->fields.head = &past->head;
}
