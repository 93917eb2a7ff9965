// SPDX-License-Identifier: GPL-2.0-only
/* Fields of a record by name. */
#include <kptrace/port.h>
#include "lib/field.h"
#include "lib/lex.h"

enum { OF_PROBES = 1, OF_RETURNS = 2, OF_ALL = 3 };

/* Fields that are no arguments; struct kpt_record_probe and _return. */
static const struct {
	const char *name;
	u8 where;
	struct kpt_named_field field;
} other_fields[] = {
	{ "__probe_ip", OF_PROBES, { KPT_FIELD_NUMBER, false, 8, 8 } },
	{ "__probe_func", OF_RETURNS, { KPT_FIELD_NUMBER, false, 8, 8 } },
	{ "__probe_ret_ip", OF_RETURNS, { KPT_FIELD_NUMBER, false, 16, 8 } },
	{ "CPU", OF_ALL, { KPT_FIELD_CPU, true, 0, 0 } },
	{ "cpu", OF_ALL, { KPT_FIELD_CPU, true, 0, 0 } },
	{ "common_cpu", OF_ALL, { KPT_FIELD_CPU, true, 0, 0 } },
	{ "COMM", OF_ALL, { KPT_FIELD_COMM, false, 0, 0 } },
	{ "comm", OF_ALL, { KPT_FIELD_COMM, false, 0, 0 } },
	{ "common_type", OF_ALL, { KPT_FIELD_NUMBER, false, 0, 2 } },
	{ "common_flags", OF_ALL, { KPT_FIELD_NUMBER, false, 2, 1 } },
	{ "common_preempt_count", OF_ALL, { KPT_FIELD_NUMBER, false, 3, 1 } },
	{ "common_pid", OF_ALL, { KPT_FIELD_NUMBER, true, 4, 4 } },
};

static struct kpt_named_field argument(const struct kpt_field *f)
{
	const struct kpt_type_info *info = &kpt_type_info[f->type];

	return (struct kpt_named_field){
		.kind = info->is_dynamic ? KPT_FIELD_TEXT : KPT_FIELD_NUMBER,
		.is_signed = info->is_signed,
		.offset = f->offset,
		.size = (u16)kpt_field_size(f),
	};
}

/**
 * kpt_field_find() - look a field up by name
 * @fields: shape of the records
 * @name: characters
 * @len: how many
 * @field: result, written on success only
 *
 * Arguments, the addresses of the probe, the common fields, CPU and COMM; an
 * argument hides a common field of the same name.
 *
 * Context: any.
 * Return: true if there is one.
 */
bool kpt_field_find(const struct kpt_fields *fields, const char *name,
		    size_t len, struct kpt_named_field *field)
{
	u8 where = fields->is_return ? OF_RETURNS : OF_PROBES;
	size_t i;

	for (i = 0; i < fields->nr; i++) {
		if (kpt_lex_is(name, len, fields->field[i].name)) {
			*field = argument(&fields->field[i]);
			return true;
		}
	}
	for (i = 0; i < ARRAY_SIZE(other_fields); i++) {
		if ((other_fields[i].where & where) &&
		    kpt_lex_is(name, len, other_fields[i].name)) {
			*field = other_fields[i].field;
			return true;
		}
	}
	return false;
}
