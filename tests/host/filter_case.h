/* SPDX-License-Identifier: GPL-2.0-only */
/* One record, and filters evaluated on it. */
#ifndef FILTER_CASE_H
#define FILTER_CASE_H

#include "lib/filter/filter.h"
#include "fields.h"
#include "harness.h"
#include "world.h"

#define CPU 5

static struct shape shape;
static struct bytes rec;
static struct kpt_diag diag;
static unsigned int nr_cpus = 8;

/* Compile into memory of exactly the size that kpt_filter_bound() returns. */
static inline struct kpt_filter *compile(const char *text)
{
	size_t size = kpt_filter_bound(text, nr_cpus);
	struct kpt_filter *f = malloc(size), *copy;

	memset(&diag, 0xff, sizeof(diag));
	if (kpt_filter_parse(f, size, text, &shape.f, nr_cpus, &diag)) {
		free(f);
		return NULL;
	}
	/* bytes behind ->size are not needed any more */
	copy = malloc(f->size);
	memcpy(copy, f, f->size);
	free(f);
	return copy;
}

/* Evaluate on a copy without spare bytes, so that a sanitizer sees an overrun. */
static inline bool ask(const struct kpt_filter *f)
{
	u8 *copy = malloc(rec.size);
	bool match;

	memcpy(copy, rec.b, rec.size);
	match = kpt_filter_match(f, copy, rec.size, CPU);
	free(copy);
	return match;
}

static inline int match(const char *text)
{
	struct kpt_filter *f = compile(text);
	int ret;

	if (!f) {
		printf("'%s': %s\n", text, kpt_diag_text(diag.code));
		return -1;
	}
	ret = ask(f);
	free(f);
	return ret;
}

/* Fields a to h, u32, of values 1 to 8. */
static inline void setup_letters(void)
{
	char name[2] = "a";
	unsigned int i;

	world_reset();
	shape_init(&shape, false);
	for (i = 0; i < 8; i++, name[0]++)
		shape_add(&shape, name, KPT_TYPE_U32, 0);
	bytes_init(&rec, &shape, 0x1000, 0);
	for (i = 0; i < 8; i++)
		bytes_set(&rec, &shape, i, 0, i + 1);
}

/* A string s with these bytes, and p, the address of a user string. */
static inline void setup_text(const char *s, size_t len)
{
	world_reset();
	shape_init(&shape, false);
	shape_add(&shape, "s", KPT_TYPE_STRING, 0);
	shape_add(&shape, "p", KPT_TYPE_X64, 0);
	bytes_init(&rec, &shape, 0, 0);
	bytes_text(&rec, &shape, 0, 0, s, len);
	strcpy((char *)world.user + 64, "/etc/passwd");
	bytes_set(&rec, &shape, 1, 0, WORLD_USER + 64);
}

#endif
