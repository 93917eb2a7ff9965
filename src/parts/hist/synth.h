/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Synthetic events: their fields from text, and their records from values.
 *
 * The layout is mainline's: each field begins at a multiple of 8 and takes 8 bytes,
 * but a char[N] takes KPT_SYNTH_TEXT_MAX.
 */
#ifndef KPTRACE_SYNTH_H
#define KPTRACE_SYNTH_H

#include "lib/fetch/def.h"
#include "lib/record/record.h"
#include "lib/base/strbuf.h"

#define KPT_SYNTH_FIELDS_MAX	64
/* Bytes of a string, the NUL included. */
#define KPT_SYNTH_TEXT_MAX	256
/* Addresses of a stack. */
#define KPT_SYNTH_STACK_MAX	31

/**
 * struct kpt_synth_shape - result of kpt_synth_parse()
 * @fields: the fields; kpt_fields_size() bytes are worth a copy
 * @room: memory for @fields.field
 */
struct kpt_synth_shape {
	struct kpt_fields fields;
	struct kpt_field room[KPT_SYNTH_FIELDS_MAX];
};

/**
 * struct kpt_synth_writer - a record that is being made
 * @fields: shape of the record
 * @record: the record, of kpt_synth_room() bytes
 * @size: its bytes so far; dynamic fields are appended
 */
struct kpt_synth_writer {
	const struct kpt_fields *fields;
	u8 *record;
	size_t size;
};

int kpt_synth_parse(struct kpt_synth_shape *shape, const struct kpt_def *def,
		    struct kpt_diag *diag);
void kpt_synth_list(struct kpt_strbuf *sb, const struct kpt_fields *fields);
size_t kpt_synth_room(const struct kpt_fields *fields);
void kpt_synth_put_text(struct kpt_synth_writer *w, unsigned int i,
			const char *text, size_t len);
void kpt_synth_put_stack(struct kpt_synth_writer *w, unsigned int i,
			 const u64 *addr, size_t nr);

/**
 * kpt_synth_begin() - begin a record: then every field has to be put
 * @w: result
 * @fields: shape of the record
 * @record: kpt_synth_room() bytes
 * @head: common fields of the record that causes it
 * @type: number of the event
 *
 * Context: BRK.
 */
static __always_inline void
kpt_synth_begin(struct kpt_synth_writer *w, const struct kpt_fields *fields, void *record,
		const struct kpt_record_head *head, u16 type)
{
	struct kpt_record_head *own = record;

	w->fields = fields;
	w->record = (u8 *)record;
	w->size = fields->size;
	memcpy(own, head, sizeof(*own));
	own->type = type;
}

/* Fill the 8 bytes of a field. */
static __always_inline void kpt_synth_store(struct kpt_synth_writer *w,
					    const struct kpt_field *f, u64 v)
{
	memcpy(w->record + f->offset, &v, sizeof(v));
}

/**
 * kpt_synth_put_number() - set a field to a number
 * @w: the record
 * @i: index of the field, which is a number
 * @v: the number, of which the field takes the low bytes
 *
 * Context: BRK.
 */
static __always_inline void kpt_synth_put_number(struct kpt_synth_writer *w, unsigned int i,
						 u64 v)
{
	const struct kpt_field *f = &w->fields->field[i];
	unsigned int unused = 64 - 8 * kpt_type_info[f->type].size;

	kpt_synth_store(w, f, v << unused >> unused);
}

#endif
