// SPDX-License-Identifier: GPL-2.0-only
/* Value types, and fields of a record by name. */
#include "lib/base/port.h"
#include "lib/base/lex.h"
#include "lib/base/similar.h"
#include "lib/record/record.h"

#define NUMBER(sign, bits, shown, conversion, is_signed)                       \
	{ sign #bits, shown #bits, conversion, bits / 8, is_signed, false,     \
	  KPT_FIELD_NUMBER }
#define TEXT(name)                                                             \
	{ name, "__data_loc char[]", "\\\"%s\\\"", 4, true, true,              \
	  KPT_FIELD_TEXT }
#define OWN(name, shown, conversion, size)                                      \
	{ name, shown, conversion, size, false, false, KPT_FIELD_NUMBER }
#define NAMED(name, shown, bits, conversion, is_signed, names)                 \
	{ name, shown #bits, "%s%.0" conversion, bits / 8, is_signed, false,   \
	  KPT_FIELD_NUMBER, names }
#define SYNTH(name, size, conversion, is_signed)                               \
	{ name, name, conversion, size, is_signed, false, KPT_FIELD_NUMBER }
#define DYNAMIC(name, is_signed, kind)                                         \
	{ name, "__data_loc " name, "%s", 8, is_signed, true, kind }

const struct kpt_type_info kpt_type_info[KPT_NR_ALL_TYPES] = {
	[KPT_TYPE_U8] = NUMBER("u", 8, "u", "%u", false),
	[KPT_TYPE_U16] = NUMBER("u", 16, "u", "%u", false),
	[KPT_TYPE_U32] = NUMBER("u", 32, "u", "%u", false),
	[KPT_TYPE_U64] = NUMBER("u", 64, "u", "%Lu", false),
	[KPT_TYPE_S8] = NUMBER("s", 8, "s", "%d", true),
	[KPT_TYPE_S16] = NUMBER("s", 16, "s", "%d", true),
	[KPT_TYPE_S32] = NUMBER("s", 32, "s", "%d", true),
	[KPT_TYPE_S64] = NUMBER("s", 64, "s", "%Ld", true),
	[KPT_TYPE_X8] = NUMBER("x", 8, "u", "0x%x", false),
	[KPT_TYPE_X16] = NUMBER("x", 16, "u", "0x%x", false),
	[KPT_TYPE_X32] = NUMBER("x", 32, "u", "0x%x", false),
	[KPT_TYPE_X64] = NUMBER("x", 64, "u", "0x%Lx", false),
	[KPT_TYPE_CHAR] = { "char", "u8", "'%c'", 1, false, false,
			    KPT_FIELD_NUMBER },
	[KPT_TYPE_SYMBOL] = { "symbol", "u64", "%pS", 8, false, false,
			      KPT_FIELD_NUMBER },
	[KPT_TYPE_IPV4] = OWN("ipv4", "u32", "%pI4", 4),
	[KPT_TYPE_IPV6] = OWN("ipv6", "u8", "%pI6c", 16),
	[KPT_TYPE_MAC] = OWN("mac", "u8", "%pM", 6),
	[KPT_TYPE_ERRNO] = NAMED("errno", "s", 32, "d", true, &kpt_error_names),
	[KPT_TYPE_ERRNO64] = NAMED("errno", "s", 64, "Ld", true, &kpt_error_names),
	[KPT_TYPE_SIGNAL] = NAMED("signal", "s", 32, "d", true, &kpt_signal_names),
	[KPT_TYPE_CAP] = NAMED("cap", "s", 32, "d", true, &kpt_cap_names),
	[KPT_TYPE_UID] = NAMED("uid", "u", 32, "u", false, &kpt_uid_names),
	[KPT_TYPE_SYSCALL] = NAMED("syscall", "s", 32, "d", true, &kpt_syscall_names),
	[KPT_TYPE_STRING] = TEXT("string"),
	[KPT_TYPE_USTRING] = TEXT("ustring"),
	[KPT_TYPE_SYMSTR] = TEXT("symstr"),
	[KPT_TYPE_SYNTH_S8] = SYNTH("s8", 1, "%d", true),
	[KPT_TYPE_SYNTH_S16] = SYNTH("s16", 2, "%d", true),
	[KPT_TYPE_SYNTH_S32] = SYNTH("s32", 4, "%d", true),
	[KPT_TYPE_SYNTH_S64] = SYNTH("s64", 8, "%lld", true),
	[KPT_TYPE_SYNTH_U8] = SYNTH("u8", 1, "%u", false),
	[KPT_TYPE_SYNTH_U16] = SYNTH("u16", 2, "%u", false),
	[KPT_TYPE_SYNTH_U32] = SYNTH("u32", 4, "%u", false),
	[KPT_TYPE_SYNTH_U64] = SYNTH("u64", 8, "%llu", false),
	[KPT_TYPE_SYNTH_CHAR] = SYNTH("char", 1, "%d", true),
	[KPT_TYPE_SYNTH_UCHAR] = SYNTH("unsigned char", 1, "%u", false),
	[KPT_TYPE_SYNTH_INT] = SYNTH("int", 4, "%d", true),
	[KPT_TYPE_SYNTH_UINT] = SYNTH("unsigned int", 4, "%u", false),
	[KPT_TYPE_SYNTH_LONG] = SYNTH("long", 8, "%ld", true),
	[KPT_TYPE_SYNTH_ULONG] = SYNTH("unsigned long", 8, "%lu", false),
	[KPT_TYPE_SYNTH_BOOL] = SYNTH("bool", 1, "%d", true),
	[KPT_TYPE_SYNTH_PID] = SYNTH("pid_t", 4, "%d", true),
	[KPT_TYPE_SYNTH_GFP] = SYNTH("gfp_t", 4, "%x", false),
	[KPT_TYPE_SYNTH_CHARS] = { "char", "char", "%s", 1, true, false,
				   KPT_FIELD_CHARS },
	[KPT_TYPE_SYNTH_TEXT] = DYNAMIC("char[]", true, KPT_FIELD_TEXT),
	[KPT_TYPE_SYNTH_STACK] = DYNAMIC("long[]", true, KPT_FIELD_STACK),
	[KPT_TYPE_SYNTH_USTACK] = DYNAMIC("unsigned long[]", true,
					  KPT_FIELD_STACK),
};

#define COMMON(c_type, member, is_signed)                                      \
	{ "common_" #member, c_type " common_" #member,                        \
	  { KPT_FIELD_NUMBER, is_signed,                                       \
	    offsetof(struct kpt_record_head, member),                          \
	    sizeof_field(struct kpt_record_head, member) } }

const struct kpt_head_field kpt_common_fields[KPT_COMMON_FIELDS] = {
	COMMON("unsigned short", type, false),
	COMMON("unsigned char", flags, false),
	COMMON("unsigned char", preempt_count, false),
	COMMON("int", pid, true),
};

/* Fields of all hits whose value is not in the record. */
static const struct kpt_head_field hit_fields[] = {
	{ "CPU", NULL, { KPT_FIELD_CPU, true, 0, 0 } },
	{ "cpu", NULL, { KPT_FIELD_CPU, true, 0, 0 } },
	{ "common_cpu", NULL, { KPT_FIELD_CPU, true, 0, 0 } },
	{ "COMM", NULL, { KPT_FIELD_COMM, false, 0, 0 } },
	{ "comm", NULL, { KPT_FIELD_COMM, false, 0, 0 } },
};

#define TASK(name, number, is_signed, size)                                    \
	{ "common_" name, NULL, { KPT_FIELD_TASK, is_signed, number, size } }

/* Numbers of the task, which are not in the record either. */
static const struct kpt_head_field task_fields[] = {
	TASK("tgid", PORT_TASK_TGID, true, sizeof(s32)),
	TASK("uid", PORT_TASK_UID, false, sizeof(u32)),
	TASK("cgroup", PORT_TASK_CGROUP, false, sizeof(u64)),
};

static bool head_field_find(const struct kpt_head_field *field, size_t nr,
			    const char *name, size_t len, struct kpt_field_ref *ref)
{
	for (; nr; nr--, field++) {
		if (kpt_lex_is(name, len, field->name)) {
			*ref = field->ref;
			return true;
		}
	}
	return false;
}

/**
 * kpt_field_argument() - find an argument by name
 * @fields: shape of the records
 * @name: the name
 * @len: its characters
 *
 * Context: any.
 * Return: the argument; NULL if there is none, and so for fields of the head.
 */
const struct kpt_field *kpt_field_argument(const struct kpt_fields *fields, const char *name,
					   size_t len)
{
	unsigned int i;

	for (i = 0; i < fields->nr; i++)
		if (kpt_lex_is(name, len, fields->field[i].name))
			return &fields->field[i];
	return NULL;
}

/**
 * kpt_field_find_own() - find a field by name among those of the event itself
 * @fields: shape of the records
 * @name: the name
 * @len: its characters
 * @ref: result, written on success only; of an array, all elements together
 *
 * Looks at arguments first, then at the fields of the head.
 *
 * Context: any.
 * Return: true if there is such a field.
 */
bool kpt_field_find_own(const struct kpt_fields *fields, const char *name,
			size_t len, struct kpt_field_ref *ref)
{
	const struct kpt_field *arg = kpt_field_argument(fields, name, len);
	const struct kpt_head *head = fields->head;

	if (arg)
		*ref = kpt_field_whole(arg);
	return arg || head_field_find(head->field, head->nr, name, len, ref);
}

/**
 * kpt_field_find_task() - find a number of the current task by name
 * @name: the name, without common_
 * @len: its characters
 * @ref: result, written on success only
 *
 * Context: any.
 * Return: true if there is such a number.
 */
bool kpt_field_find_task(const char *name, size_t len, struct kpt_field_ref *ref)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(task_fields); i++) {
		if (kpt_lex_is(name, len, task_fields[i].name + strlen("common_"))) {
			*ref = task_fields[i].ref;
			return true;
		}
	}
	return false;
}

/**
 * kpt_field_find() - find a field by name
 * @fields: shape of the records
 * @name: the name
 * @len: its characters
 * @ref: result, written on success only; of an array, all elements together
 *
 * Looks at kpt_field_find_own() first, then at the common fields, CPU and COMM, and numbers of
 * the task.
 *
 * Context: any.
 * Return: true if there is such a field.
 */
bool kpt_field_find(const struct kpt_fields *fields, const char *name,
		    size_t len, struct kpt_field_ref *ref)
{
	return kpt_field_find_own(fields, name, len, ref) ||
	       head_field_find(kpt_common_fields, KPT_COMMON_FIELDS, name, len, ref) ||
	       head_field_find(hit_fields, ARRAY_SIZE(hit_fields), name, len, ref) ||
	       head_field_find(task_fields, ARRAY_SIZE(task_fields), name, len, ref);
}

static void head_fields_see(struct kpt_similar *s, const struct kpt_head_field *field, size_t nr)
{
	for (; nr; nr--, field++)
		kpt_similar_see(s, field->name);
}

/**
 * kpt_field_tell_similar() - say in a reason which field may have been meant
 * @fields: shape of the records
 * @own: one of those that kpt_field_find_own() finds
 * @name: a name that no such field has
 * @len: its characters
 * @diag: the reason, already set; gets a detail if a name is similar
 *
 * Context: any.
 */
void kpt_field_tell_similar(const struct kpt_fields *fields, bool own, const char *name,
			    size_t len, struct kpt_diag *diag)
{
	const struct kpt_head *head = fields->head;
	struct kpt_similar s;
	unsigned int i;

	kpt_similar_begin(&s, name, len);
	for (i = 0; i < fields->nr; i++)
		kpt_similar_see(&s, fields->field[i].name);
	head_fields_see(&s, head->field, head->nr);
	if (!own) {
		head_fields_see(&s, kpt_common_fields, KPT_COMMON_FIELDS);
		head_fields_see(&s, hit_fields, ARRAY_SIZE(hit_fields));
		head_fields_see(&s, task_fields, ARRAY_SIZE(task_fields));
	}
	kpt_similar_tell(&s, diag);
}

/* What rings leave out is right behind the head. */
static_assert(offsetof(struct kpt_record_probe, ip) == sizeof(struct kpt_record_head));
static_assert(offsetof(struct kpt_record_return, func) == sizeof(struct kpt_record_head));

/**
 * kpt_record_restore() - make a record whole that was read from a ring
 * @record: the record, of any type, with room for KPT_RECORD_LEFT_OUT bytes behind it
 * @size: its bytes in the ring
 * @places: as for kpt_record_place()
 *
 * Context: any.
 * Return: bytes of the record without padding.
 */
size_t kpt_record_restore(void *record, size_t size, const struct kpt_record_place *places)
{
	struct kpt_record_probe *probe = record;
	const struct kpt_record_place *place;

	if (size < sizeof(probe->head))
		return size;
	if (probe->head.type == KPT_RECORD_RAW_DATA_CUT) {
		probe->head.type = KPT_RECORD_RAW_DATA;
		return size - 4;
	}
	place = kpt_record_place(places, probe->head.type);
	if (!place)
		return size;
	memmove(probe + 1, &probe->ip, size - sizeof(probe->head));
	probe->head.type = place->type;
	probe->ip = place->ip;
	return size + KPT_RECORD_LEFT_OUT;
}
