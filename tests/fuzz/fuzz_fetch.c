// SPDX-License-Identifier: GPL-2.0-only
/*
 * Any arguments are refused with a column in them, or become a program that
 * writes only what it was given and, where memory holds still, what the model
 * says. Two bytes of the input are the seed of registers and faults, the third
 * chooses the place, which may be the records of an event, the rest are arguments.
 */
#include "lib/base/port.h"
#include "fetch_world.h"
#include "gen_fetch.h"
#include "model_fetch.h"
#include "program.h"

static struct user_pt_regs regs;
static u64 entry[KPT_FETCH_ENTRY_MAX];

/* The same memory always; registers and faults by @seed. */
static void make_world(u16 seed)
{
	struct gen gen = { .state = 0x9e3779b97f4a7c15ULL };
	static bool made;

	if (!made)
		gen_world(&gen);
	made = true;
	gen.state = 0x9e3779b97f4a7c15ULL ^ seed;
	gen_faults(&gen);
	gen_regs(&gen, &regs);
}

static int compile_input(const struct input *in, u8 how)
{
	static char line[KPT_DEF_MAX];
	int n = sprintf(line, "%c f%s ", how & 1 ? 'r' : 'p',
			how & 2 ? "+4" : "");

	if (in->left >= sizeof(line) - n)
		return -E2BIG;
	memcpy(line + n, in->data, in->left);
	line[n + in->left] = '\0';
	memset(&diag, 0, sizeof(diag));
	if (kpt_def_parse(&def, line, n + in->left, &diag))
		return -E2BIG;
	return compile_at(line, how & 4);
}

/* With room for all, with less, or in one go if there happens to be room. */
enum how { EXACT, CUT, TRY };

static void run(size_t size, const struct kpt_fetch_source *src, enum how how)
{
	struct model_hit hit = {
		.regs = &regs, .entry = entry, .elapsed = src->elapsed,
		.entry_arg = out.prog.entry_arg,
		.is_return = out.fields.head == &kpt_head_return,
	};
	u8 *record = malloc(size);
	unsigned int i;

	memset(record, FILL, size);
	if (how == TRY)
		size = kpt_fetch_try(&out.prog, src, record, size);
	else
		kpt_fetch_exec(&out.prog, src, record, size);
	if (!size) {
		free(record);
		return;
	}
	check_record(record, size);
	for (i = 0; how != CUT && i < out.fields.nr; i++)
		MUST(model_check(&hit, def.text + def.arg[i].at,
				 def.arg[i].len, &out.field_room[i], record,
				 size));
	free(record);
}

static void check_run(u16 seed, bool pending)
{
	struct kpt_fetch_source src = {
		.regs = &regs, .entry = entry, .elapsed = 0x1234567,
	};
	unsigned int i;
	size_t size, more;

	for (i = 0; i < out.prog.nr_entry; i++)
		entry[i] = kpt_fetch_arg_value(&regs, out.prog.entry_arg[i]);
	size = kpt_fetch_size(&out.prog, &src);
	run(size, &src, pending || size > 0x10000 ? CUT : EXACT);
	more = size - out.prog.size;
	if (more)
		run(out.prog.size + seed % more, &src, CUT);
	if (!pending)
		run(1 + seed % (size + 8), &src, TRY);
}

/* The fields of an event: numbers, an array, and two strings. */
static struct {
	struct kpt_fields fields;
	struct kpt_field room[5];
} source = {
	.fields = { .head = &kpt_head_place, .nr = 5, .size = 16 + 8 + 1 + 6 + 8 },
	.room = {
		{ "d", KPT_TYPE_U64, 0, 16 }, { "b", KPT_TYPE_S8, 0, 24 },
		{ "m", KPT_TYPE_U16, 3, 25 }, { "s", KPT_TYPE_STRING, 0, 31 },
		{ "comm", KPT_TYPE_STRING, 0, 35 },
	},
};

static int compile_event(const struct input *in)
{
	static char line[KPT_DEF_MAX] = "e g.s ";
	const struct kpt_fetch_place place = {
		.head = &kpt_head_event, .source = &source.fields,
	};

	if (in->left >= sizeof(line) - 6)
		return -E2BIG;
	memcpy(line + 6, in->data, in->left);
	line[6 + in->left] = '\0';
	memset(&diag, 0, sizeof(diag));
	if (kpt_def_parse(&def, line, 6 + in->left, &diag))
		return -E2BIG;
	memset(&out, '#', sizeof(out));
	return kpt_fetch_compile(&out, &def, &place, &diag);
}

/* Any bytes are a record of the event. */
static void check_event_run(u16 seed)
{
	u8 from[64], *record;
	struct kpt_fetch_source src = {
		.regs = &regs, .record = from, .size = sizeof(from),
	};
	size_t size, i;

	for (i = 0; i < sizeof(from); i++)
		from[i] = (u8)(seed >> (i % 3 * 5));
	size = kpt_fetch_size(&out.prog, &src);
	record = malloc(size);
	memset(record, FILL, size);
	kpt_fetch_exec(&out.prog, &src, record, size);
	check_record(record, size);
	free(record);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct input in = { data, size };
	u16 seed = input_word(&in);
	u8 how = input_byte(&in);
	int err;

	make_world(seed);
	err = how & 8 ? compile_event(&in) : compile_input(&in, how);
	if (err == -E2BIG && diag.code == KPT_E_NONE)
		return 0;
	if (err) {
		check_refusal();
		return 0;
	}
	check_program();
	if (how & 8)
		check_event_run(seed);
	else
		check_run(seed, how & 4);
	return 0;
}
