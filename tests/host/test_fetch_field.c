// SPDX-License-Identifier: GPL-2.0-only
/* Arguments at the records of another event. */
#include "lib/base/port.h"
#include "harness.h"
#include "caret.h"
#include "fetch_run.h"

static const struct caret_case field_errors[] = {
#include "../cases/field_errors.h"
};

static struct kpt_fetch_scratch source;
static u8 *source_record;
static size_t source_size;

/* A record of a number of each size, an array and two strings. */
static void make_source(void)
{
	reset();
	put_string(K(0x100), "a text");
	regs.regs[0] = K(0x100);
	regs.regs[1] = (u64)-2;
	regs.regs[2] = 0x123456789abcdef0ULL;
	run("p f b=%x1:s8 h=%x1:u16 w=%x1:s32 d=%x2 m=+0(%x0):char[3] "
	    "s=+0(%x0):string f=+0(%x3):string c=%x2:x32 comm=%x1:s8");
	source = out;
	source_size = record_size;
	free(source_record);
	source_record = malloc(source_size);
	memcpy(source_record, record, source_size);
	memcpy(source_record + offsetof(struct kpt_record_probe, ip), &regs.pc,
	       sizeof(u64));
}

/* Compile the arguments of an e on that event. */
static int compile_field(const char *line)
{
	const struct kpt_fetch_place place = {
		.head = &kpt_head_event,
		.source = &source.fields,
	};
	int err = kpt_def_parse(&def, line, strlen(line), &diag);

	memset(&out, '#', sizeof(out));
	return err ? err : kpt_fetch_compile(&out, &def, &place, &diag);
}

static void run_field(const char *line)
{
	struct kpt_fetch_source src = {
		.record = source_record, .size = source_size,
	};

	EXPECT_EQ(compile_field(line), 0);
	record_size = kpt_fetch_size(&out.prog, &src);
	free(record);
	record = malloc(record_size);
	kpt_fetch_exec(&out.prog, &src, record, record_size);
}

TEST(refusals)
{
	char line[KPT_DEF_MAX];
	size_t i;
	int at;

	make_source();
	for (i = 0; i < ARRAY_SIZE(field_errors); i++) {
		at = caret_strip(field_errors[i].text, line);
		EXPECT(!caret_check(&field_errors[i], line, at,
				    compile_field(line), &diag));
	}
}

TEST(numbers_have_their_sign)
{
	make_source();
	run_field("e g.s $b $h $w $d $__probe_ip $c b:u8 h=w:x16");
	EXPECT_EQ(out.fields.size, sizeof(struct kpt_record_head) + 6 * 8 + 3);
	EXPECT_EQ(element(0, 0), (u64)-2);
	EXPECT_EQ(element(1, 0), 0xfffe);
	EXPECT_EQ(element(2, 0), (u64)-2);
	EXPECT_EQ(element(3, 0), 0x123456789abcdef0ULL);
	EXPECT_EQ(element(4, 0), regs.pc);
	EXPECT_EQ(element(5, 0), 0x9abcdef0);
	EXPECT_EQ(element(6, 0), 0xfe);
	EXPECT_EQ(element(7, 0), 0xfffe);
}

TEST(others_are_addresses)
{
	make_source();
	run_field("e g.s $m $s $f");
	EXPECT_EQ(element(0, 0),
		  (uintptr_t)source_record + source.field_room[4].offset);
	EXPECT(element(1, 0) > element(0, 0));
	EXPECT(element(1, 0) < (uintptr_t)source_record + source_size);
	/* A string that was not fetched has no address. */
	EXPECT_EQ(element(2, 0), 0);
}

TEST(a_field_hides_comm)
{
	make_source();
	run_field("e g.s $comm $COMM");
	EXPECT_EQ(element(0, 0), (u64)-2);
	EXPECT(out.field_room[0].type == KPT_TYPE_X64);
	EXPECT(out.field_room[1].type == KPT_TYPE_STRING);
}

TEST(numbers_of_the_task)
{
	make_source();
	run_field("e g.s $tgid $cgroup");
	EXPECT_EQ(element(0, 0), 41);
	EXPECT(out.field_room[0].type == KPT_TYPE_S32);
	EXPECT_EQ(element(1, 0), 1ULL << 40 | 7);
}

TEST(strings_outside_the_record_fault)
{
	u32 loc = kpt_data_loc(0xfff0, 16);

	make_source();
	memcpy(source_record + source.field_room[5].offset, &loc, sizeof(loc));
	run_field("e g.s $s $s:string");
	EXPECT_EQ(element(0, 0), 0);
	EXPECT_STR(element_text(1, 0), "(fault)");
}

TEST(listing)
{
	make_source();
	EXPECT_EQ(compile_field("e g.s $b x=w:s8 +0($d):u8[4] $s:string[2]"), 0);
	EXPECT_STR(out.listing.buf,
		   " arg1=$b x=w:s8 arg3=+0($d):u8[4] arg4=$s:string[2]");
}

TEST_MAIN
