// SPDX-License-Identifier: GPL-2.0-only
/*
 * Any text is refused with a column in it, or becomes a program that goes
 * forward, stays in its memory and gives the model's answer.
 */
#include "lib/base/port.h"
#include "lib/filter/filter.h"
#include "fields.h"
#include "input.h"
#include "model_filter.h"
#include "world.h"

#define NR_CPUS 70
#define CPU 66

static struct shape shape;

/* A record with a little of everything; @in fills it. */
static size_t make_record(struct bytes *rec, struct input *in)
{
	size_t i;

	world_reset();
	strcpy((char *)world.user, "/etc/passwd");
	world.symbols[0] = (struct world_symbol){ "f", 0x1000, 0x40 };
	world.nr_symbols = 1;
	shape_init(&shape, false);
	shape_add(&shape, "a", KPT_TYPE_X64, 0);
	shape_add(&shape, "b", KPT_TYPE_S8, 0);
	shape_add(&shape, "c", KPT_TYPE_U16, 3);
	shape_add(&shape, "d", KPT_TYPE_S32, 0);
	shape_add(&shape, "s", KPT_TYPE_STRING, 0);
	shape_add(&shape, "t", KPT_TYPE_STRING, 2);
	bytes_init(rec, &shape, 0x1010, 0);
	for (i = 4; i < 24; i++)
		rec->b[i] = input_byte(in);
	bytes_set(rec, &shape, 0, 0, WORLD_USER + input_byte(in) % 16);
	bytes_text(rec, &shape, 4, 0, "bash", 5);
	bytes_set(rec, &shape, 5, 0, input_word(in) << 16 | input_word(in));
	return rec->size;
}

static void check_program(const struct kpt_filter *f, size_t size)
{
	unsigned int i, r, next;

	MUST(f->size <= size && f->nr);
	for (i = 0; i < f->nr; i++) {
		for (r = 0; r < 2; r++) {
			next = f->pred[i].next[r];
			MUST(next >= KPT_FILTER_REJECT ||
			     (next > i && next < f->nr));
		}
	}
}

static void check_answer(const struct kpt_filter *f, const char *text,
			 const struct bytes *rec)
{
	struct model_filter *m = calloc(1, sizeof(*m));
	u8 *copy = malloc(rec->size);
	bool match;

	memcpy(copy, rec->b, rec->size);
	match = kpt_filter_match(f, copy, rec->size, CPU);
	if (!strstr(text, "CPUS") && !strstr(text, ".function")) {
		m->s = text;
		m->fields = &shape.f;
		m->record = rec->b;
		m->size = rec->size;
		m->cpu = CPU;
		MUST(model_or(m, true) == match);
	}
	free(copy);
	free(m);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct input in = { data, size };
	char text[KPT_FILTER_MAX];
	struct kpt_filter *f;
	struct kpt_diag diag;
	struct bytes rec;
	size_t bound;

	make_record(&rec, &in);
	if (in.left >= sizeof(text))
		return 0;
	memcpy(text, in.data, in.left);
	text[in.left] = '\0';
	bound = kpt_filter_bound(text, NR_CPUS);
	f = malloc(bound);
	if (kpt_filter_parse(f, bound, text, &shape.f, NR_CPUS, &diag)) {
		MUST(diag.code != KPT_E_NONE);
		MUST(diag.column <= strlen(text) + 2);
	} else {
		check_program(f, bound);
		check_answer(f, text, &rec);
	}
	free(f);
	return 0;
}
