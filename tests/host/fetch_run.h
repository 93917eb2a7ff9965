/* SPDX-License-Identifier: GPL-2.0-only */
/* Compile a line, run it on the arena, look at the record. */
#ifndef FETCH_RUN_H
#define FETCH_RUN_H

#include "fetch_world.h"

#define K(offset) (WORLD_KERNEL + (offset))
#define U(offset) (WORLD_USER + (offset))
/* Records are filled with this, to show bytes that are not written. */
#define FILL 0xa5

static struct user_pt_regs regs;
static u64 entry[KPT_FETCH_ENTRY_MAX];
static u8 *record;
static size_t record_size;

static inline void reset(void)
{
	unsigned int i;

	world_reset();
	memset(entry, 0, sizeof(entry));
	for (i = 0; i < 31; i++)
		regs.regs[i] = 0x1111111111111111ULL * (i % 15 + 1) + i;
	regs.sp = K(0x8000);
	regs.pc = 0xffff800008001234ULL;
	regs.pstate = 0x60000005;
}

static inline void put_kernel(u64 addr, const void *from, size_t size)
{
	memcpy(&world.kernel[addr - WORLD_KERNEL], from, size);
}

static inline void put_word(u64 addr, u64 value)
{
	put_kernel(addr, &value, sizeof(value));
}

static inline void put_user_word(u64 addr, u64 value)
{
	memcpy(&world.user[addr - WORLD_USER], &value, sizeof(value));
}

static inline void put_string(u64 addr, const char *s)
{
	put_kernel(addr, s, strlen(s) + 1);
}

/* Run the compiled program, with @more bytes beyond kpt_fetch_size(). */
static inline void exec_more(long more)
{
	struct kpt_fetch_source src = {
		.regs = &regs, .entry = entry, .elapsed = 123456,
	};

	record_size = kpt_fetch_size(&out.prog, &src) + more;
	free(record);
	record = malloc(record_size);
	memset(record, FILL, record_size);
	kpt_fetch_exec(&out.prog, &src, record, record_size);
}

static inline void run(const char *line)
{
	int err = compile(line);

	EXPECT_EQ(err, 0);
	if (!err)
		exec_more(0);
}

/* Element @i of argument @arg, as a number of its own size. */
static inline u64 element(unsigned int arg, unsigned int i)
{
	const struct kpt_field *f = &out.field_room[arg];
	unsigned int size = kpt_type_info[f->type].size;
	u64 value = 0;

	memcpy(&value, record + f->offset + i * size, min_t(size_t, size, sizeof(value)));
	return value;
}

/* Element @i of argument @arg as a string; "(fault)" if it has no length. */
static inline const char *element_text(unsigned int arg, unsigned int i)
{
	u32 loc = (u32)element(arg, i);
	u32 at = kpt_data_loc_offset(loc), len = kpt_data_loc_len(loc);

	if (!len)
		return "(fault)";
	if (at < out.prog.size || at + len > record_size)
		return "(outside)";
	if (record[at + len - 1] || strlen((char *)record + at) + 1 != len)
		return "(bad length)";
	return (char *)record + at;
}

static inline u64 number(const char *line)
{
	run(line);
	return element(0, 0);
}

static inline const char *text(const char *line)
{
	run(line);
	return element_text(0, 0);
}

#endif
