/* SPDX-License-Identifier: GPL-2.0-only */
/* Event shapes and records, built field by field. */
#ifndef FIELDS_H
#define FIELDS_H

#include "lib/base/port.h"
#include "lib/record/record.h"

/**
 * struct shape - a struct kpt_fields with room
 * @f: what the code under test sees
 * @room: storage behind @f
 */
struct shape {
	struct kpt_fields f;
	struct kpt_field room[KPT_ARGS_MAX];
};

static inline void shape_init(struct shape *s, bool is_return)
{
	memset(s, 0, sizeof(*s));
	s->f.head = is_return ? &kpt_head_return : &kpt_head_place;
	s->f.size = s->f.head->size;
}

/* Appends a field, packed behind the last one. */
static inline void shape_add(struct shape *s, const char *name,
			     enum kpt_type type, unsigned int count)
{
	struct kpt_field *f = &s->room[s->f.nr++];

	strcpy(f->name, name);
	f->type = type;
	f->count = (u8)count;
	f->offset = s->f.size;
	s->f.size += (u16)(kpt_type_info[type].size * (count ? count : 1));
	s->f.has_dynamic |= kpt_type_info[type].is_dynamic;
}

/**
 * struct bytes - a record
 * @b: its bytes
 * @size: how many
 */
struct bytes {
	u8 b[2048];
	size_t size;
};

static inline void bytes_init(struct bytes *r, const struct shape *s, u64 ip,
			      u64 ret_ip)
{
	struct kpt_record_return head = {
		.head = { .type = 1206, .flags = KPT_FLAG_IRQS_OFF, .pid = 42 },
		.func = ip,
		.ret_ip = ret_ip,
	};

	memset(r, 0, sizeof(*r));
	memcpy(r->b, &head, s->f.head->size);
	r->size = s->f.size;
}

/* Sets element @i of field @n. */
static inline void bytes_set(struct bytes *r, const struct shape *s,
			     unsigned int n, unsigned int i, u64 v)
{
	size_t size = kpt_type_info[s->room[n].type].size;

	memcpy(r->b + s->room[n].offset + i * size, &v, min(size, sizeof(v)));
}

/* Appends @len bytes of text and points element @i of field @n to them. */
static inline void bytes_text(struct bytes *r, const struct shape *s,
			      unsigned int n, unsigned int i, const char *text,
			      size_t len)
{
	bytes_set(r, s, n, i, kpt_data_loc((u32)r->size, (u32)len));
	memcpy(r->b + r->size, text, len);
	r->size += len;
}

#endif
