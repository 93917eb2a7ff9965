// SPDX-License-Identifier: GPL-2.0-only
/* Random definitions in a random world, compared with the simplest evaluation. */
#include "lib/base/port.h"
#include "lib/fetch/fetch.h"
#include "harness.h"
#include "fetch_world.h"
#include "gen_fetch.h"
#include "model_fetch.h"

#define WORLDS 20
#define LINES 2000

static struct user_pt_regs regs;
static struct gen gen;

/* A definition whose every argument compiles by itself. */
static void make_line(char *line)
{
	bool is_return = gen_below(&gen, 2);
	unsigned int i, nr = 1 + gen_below(&gen, 8);
	char *end = line + sprintf(line, is_return ? "r f" : "p f");
	char alone[600];

	for (i = 0; i < nr;) {
		sprintf(alone, "%.3s", line);
		gen_arg(&gen, is_return, i, alone + 3);
		if (compile(alone))
			continue;
		end += sprintf(end, "%s", alone + 3);
		i++;
	}
}

static bool is_right(const struct model_hit *hit, const u8 *record, size_t size)
{
	unsigned int i;
	bool good = true;

	for (i = 0; i < out.fields.nr; i++)
		good &= model_check(hit, def.text + def.arg[i].at,
				    def.arg[i].len, &out.field_room[i], record,
				    size);
	return good;
}

static bool run_line(void)
{
	u64 entry[KPT_FETCH_ENTRY_MAX];
	struct kpt_fetch_source src = {
		.regs = &regs, .entry = entry, .elapsed = 0x12345,
	};
	struct model_hit hit = {
		.regs = &regs, .entry = entry, .elapsed = src.elapsed,
		.entry_arg = out.prog.entry_arg,
		.is_return = out.fields.head == &kpt_head_return,
	};
	unsigned int i;
	bool good;
	u8 *record;
	size_t size;

	for (i = 0; i < out.prog.nr_entry; i++)
		entry[i] = kpt_fetch_arg_value(&regs, out.prog.entry_arg[i]);
	size = kpt_fetch_size(&out.prog, &src);
	record = malloc(size);
	memset(record, 0xa5, size);
	kpt_fetch_exec(&out.prog, &src, record, size);
	good = size > 0x10000 || is_right(&hit, record, size);
	/* kpt_fetch_try() makes the whole record, if it fits, or returns 0. */
	memset(record, 0xa5, size);
	size = kpt_fetch_try(&out.prog, &src, record, size - test_random() % 16);
	if (size)
		good &= is_right(&hit, record, size);
	free(record);
	return good;
}

TEST(random_definitions)
{
	unsigned int world_nr, i;
	char line[KPT_DEF_MAX];

	gen.state = test_random() | 1;
	for (world_nr = 0; world_nr < WORLDS; world_nr++) {
		gen_world(&gen);
		gen_faults(&gen);
		for (i = 0; i < LINES / WORLDS; i++) {
			make_line(line);
			EXPECT_EQ(compile(line), 0);
			gen_regs(&gen, &regs);
			if (run_line())
				continue;
			fprintf(stderr, "\tof: %s\n", line);
			EXPECT(!"as the model says");
			return;
		}
	}
}

TEST_MAIN
