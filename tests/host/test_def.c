// SPDX-License-Identifier: GPL-2.0-only
/* Lines of kprobe_events taken apart. */
#include "lib/base/port.h"
#include "lib/fetch/def.h"
#include "harness.h"
#include "caret.h"

static const struct caret_case def_errors[] = {
#include "../cases/def_errors.h"
#include "../cases/data_errors.h"
};

static struct kpt_def def;
static struct kpt_diag diag;

static int parse(const char *line)
{
	memset(&def, '#', sizeof(def));
	return kpt_def_parse(&def, line, strlen(line), &diag);
}

/* The text of a span, valid until the fourth call after this one. */
static const char *text(const struct kpt_span *span)
{
	static char room[4][KPT_DEF_MAX];
	static unsigned int next;
	char *to = room[next++ % 4];

	memcpy(to, def.text + span->at, span->len);
	to[span->len] = '\0';
	return to;
}

TEST(error_rows)
{
	char line[KPT_DEF_MAX];
	size_t i;
	int at;

	for (i = 0; i < ARRAY_SIZE(def_errors); i++) {
		at = caret_strip(def_errors[i].text, line);
		EXPECT(!caret_check(&def_errors[i], line, at, parse(line),
				    &diag));
		EXPECT((at < 0) == (def_errors[i].code == KPT_E_NONE));
	}
}

TEST(whole_probe)
{
	EXPECT_EQ(parse("p:grp/ev mod:sym+0x10 a=%x0  %x1:u8"), 0);
	EXPECT_EQ(def.kind, KPT_DEF_PROBE);
	EXPECT_STR(def.text, "p:grp/ev mod:sym+0x10 a=%x0 %x1:u8");
	EXPECT_STR(text(&def.group), "grp");
	EXPECT_STR(text(&def.event), "ev");
	EXPECT_STR(text(&def.place), "mod:sym+0x10");
	EXPECT_STR(text(&def.module), "mod");
	EXPECT_STR(text(&def.symbol), "sym");
	EXPECT_EQ(def.offset, 16);
	EXPECT_EQ(def.maxactive, 0);
	EXPECT_EQ(def.nr_args, 2);
	EXPECT_STR(text(&def.arg[0]), "a=%x0");
	EXPECT_STR(text(&def.arg[1]), "%x1:u8");
	EXPECT_EQ(diag.code, KPT_E_NONE);
}

TEST(bare_probe)
{
	EXPECT_EQ(parse("p vfs_read"), 0);
	EXPECT_EQ(def.group.len, 0);
	EXPECT_EQ(def.event.len, 0);
	EXPECT_EQ(def.module.len, 0);
	EXPECT_STR(text(&def.symbol), "vfs_read");
	EXPECT_EQ(def.offset, 0);
	EXPECT_EQ(def.nr_args, 0);
}

TEST(functions)
{
	EXPECT_EQ(parse("f:grp/ev mod:sym%return $retval"), 0);
	EXPECT_EQ(def.kind, KPT_DEF_RETURN);
	EXPECT(def.of_function);
	EXPECT_STR(text(&def.module), "mod");
	EXPECT_STR(text(&def.symbol), "sym");
	EXPECT_EQ(parse("f sym"), 0);
	EXPECT_EQ(def.kind, KPT_DEF_PROBE);
	EXPECT(def.of_function);
	EXPECT(!def.is_pattern);
	EXPECT_EQ(parse("f:g/e mod:a[b-d]*,!b?,c-d%return"), 0);
	EXPECT(def.is_pattern);
	EXPECT_STR(text(&def.module), "mod");
	EXPECT_STR(text(&def.symbol), "a[b-d]*,!b?,c-d");
	EXPECT_EQ(def.kind, KPT_DEF_RETURN);
	EXPECT_EQ(parse("p sym"), 0);
	EXPECT(!def.of_function);
	EXPECT_EQ(parse("!f:ev sym%return"), 0);
	EXPECT_EQ(def.kind, KPT_DEF_DELETE);
	/* $retval makes it a return probe, in any argument and at any place in it. */
	EXPECT_EQ(parse("f sym $retval"), 0);
	EXPECT_EQ(def.kind, KPT_DEF_RETURN);
	EXPECT_EQ(parse("f sym a=%x0 b=+8($retval):u8"), 0);
	EXPECT_EQ(def.kind, KPT_DEF_RETURN);
	EXPECT_EQ(parse("f sym $retval1 $retval_ $retva"), 0);
	EXPECT_EQ(def.kind, KPT_DEF_PROBE);
	EXPECT_EQ(parse("p sym $retval"), 0);
	EXPECT_EQ(def.kind, KPT_DEF_PROBE);
}

TEST(tracepoints)
{
	EXPECT_EQ(parse("t:grp/ev sched_switch a=$arg1 $arg2:u8"), 0);
	EXPECT_EQ(def.kind, KPT_DEF_PROBE);
	EXPECT(def.of_tracepoint);
	EXPECT(!def.of_function);
	EXPECT_STR(text(&def.group), "grp");
	EXPECT_STR(text(&def.event), "ev");
	EXPECT_STR(text(&def.symbol), "sched_switch");
	EXPECT_EQ(def.nr_args, 2);
	EXPECT_EQ(parse("t 1st"), 0);
	EXPECT_EQ(parse("t"), -EINVAL);
	EXPECT_EQ(def.kind, KPT_DEF_NONE);
	EXPECT_EQ(parse("p sym"), 0);
	EXPECT(!def.of_tracepoint);
}

static void refused(const char *line, enum kpt_diag_code code, unsigned int column)
{
	EXPECT_EQ(parse(line), -EINVAL);
	EXPECT_EQ(diag.code, code);
	EXPECT_EQ(diag.column, column);
}

TEST(tracepoint_mistakes)
{
	refused("tx sched_switch", KPT_E_BAD_MAXACT, 1);
	refused("t5:x sched_switch", KPT_E_BAD_MAXACT, 1);
	refused("t sched/switch", KPT_E_BAD_TP_NAME, 7);
	refused("t:x sched:switch", KPT_E_BAD_TP_NAME, 9);
	refused("t sched/switch%return", KPT_E_BAD_ADDR_SUFFIX, 14);
	refused("t foo a=$arg1 b=+0($retval)", KPT_E_RETVAL_ON_PROBE, 19);
	refused("t:1x foo $retval", KPT_E_RETVAL_ON_PROBE, 9);
	refused("t:1x foo/", KPT_E_BAD_TP_NAME, 8);
	refused("t:1x foo", KPT_E_BAD_EVENT_NAME, 2);
	EXPECT_EQ(parse("t foo $retvals"), 0);
}

TEST(names)
{
	EXPECT_EQ(parse("p:ev f"), 0);
	EXPECT_EQ(def.group.len, 0);
	EXPECT_STR(text(&def.event), "ev");
	EXPECT_EQ(parse("p:grp/ f"), 0);
	EXPECT_STR(text(&def.group), "grp");
	EXPECT_EQ(def.event.len, 0);
	EXPECT_EQ(parse("p:grp.ev f"), 0);
	EXPECT_STR(text(&def.group), "grp");
	EXPECT_STR(text(&def.event), "ev");
	EXPECT_EQ(parse("p:-my-grp/ev f"), 0);
	EXPECT_STR(text(&def.group), "-my-grp");
}

TEST(longest_names)
{
	char line[200];

	snprintf(line, sizeof(line), "p:%063d/%063d f", 0, 0);
	memset(line + 2, 'g', 63);
	memset(line + 66, 'e', 63);
	EXPECT_EQ(parse(line), 0);
	EXPECT_EQ(def.group.len, 63);
	EXPECT_EQ(def.event.len, 63);
}

TEST(returns)
{
	EXPECT_EQ(parse("r vfs_read $retval"), 0);
	EXPECT_EQ(def.kind, KPT_DEF_RETURN);
	EXPECT_EQ(def.maxactive, 0);
	EXPECT_EQ(parse("r0x10:ev vfs_read"), 0);
	EXPECT_EQ(def.maxactive, 16);
	EXPECT_EQ(parse("r4096 vfs_read"), 0);
	EXPECT_EQ(def.maxactive, 4096);
	EXPECT_EQ(def.method, KPT_METHOD_ANY);
	EXPECT_EQ(parse("rhook:ev vfs_read"), 0);
	EXPECT_EQ(def.method, KPT_METHOD_HOOK);
	EXPECT_EQ(def.maxactive, 0);
	EXPECT_EQ(parse("rhook20 vfs_read"), 0);
	EXPECT_EQ(def.method, KPT_METHOD_HOOK);
	EXPECT_EQ(def.maxactive, 20);
	EXPECT_EQ(parse("rret1:ev vfs_read"), 0);
	EXPECT_EQ(def.method, KPT_METHOD_RET);
	EXPECT_EQ(def.maxactive, 1);
	EXPECT_EQ(parse("rret1x:ev vfs_read"), -EINVAL);
	EXPECT_EQ(diag.code, KPT_E_BAD_MAXACT);
	EXPECT_EQ(diag.column, 4);
	EXPECT_EQ(parse("rhooks1:hook vfs_read"), 0);
	EXPECT_EQ(def.method, KPT_METHOD_ANY);
	EXPECT_EQ(def.maxactive, 0);
	EXPECT_EQ(parse("phook:ev vfs_read"), 0);
	EXPECT_EQ(def.method, KPT_METHOD_ANY);
	EXPECT_EQ(parse("p vfs_read%return"), 0);
	EXPECT_EQ(def.kind, KPT_DEF_RETURN);
	EXPECT_STR(text(&def.symbol), "vfs_read");
	EXPECT_STR(text(&def.place), "vfs_read%return");
	EXPECT_EQ(parse("r mod:f+0%return"), 0);
	EXPECT_EQ(def.kind, KPT_DEF_RETURN);
	EXPECT_STR(text(&def.symbol), "f");
}

TEST(addresses)
{
	EXPECT_EQ(parse("p 0xffff800008000000"), 0);
	EXPECT_EQ(def.address, 0xffff800008000000ULL);
	EXPECT_EQ(def.symbol.len, 0);
	EXPECT_EQ(parse("r 1234"), 0);
	EXPECT_EQ(def.kind, KPT_DEF_RETURN);
	EXPECT_EQ(def.address, 1234);
	EXPECT_EQ(parse("p +010"), 0);
	EXPECT_EQ(def.address, 8);
	/* Not a number, so it is taken for a symbol. */
	EXPECT_EQ(parse("p 0xfoo"), 0);
	EXPECT_STR(text(&def.symbol), "0xfoo");
}

TEST(offsets)
{
	EXPECT_EQ(parse("p f+4294967295"), 0);
	EXPECT_EQ(def.offset, U32_MAX);
	EXPECT_EQ(parse("p f-0"), 0);
	EXPECT_EQ(def.offset, 0);
	EXPECT_STR(text(&def.symbol), "f");
}

TEST(letters_before_the_colon_do_not_count)
{
	EXPECT_EQ(parse("probe:ev f"), 0);
	EXPECT_EQ(def.kind, KPT_DEF_PROBE);
	EXPECT_STR(text(&def.event), "ev");
}

TEST(events_on_events)
{
	EXPECT_EQ(parse("e10:x g-1.s"), 0);
	EXPECT_EQ(def.kind, KPT_DEF_PROBE);
	EXPECT(def.of_event && !def.of_function && !def.has_filter);
	EXPECT_STR(text(&def.event), "x");
	EXPECT_STR(text(&def.source_group), "g-1");
	EXPECT_STR(text(&def.source_event), "s");
	EXPECT_EQ(parse("e:grp/  g/s $a b=c  if  a == 1  && b"), 0);
	EXPECT_STR(text(&def.group), "grp");
	EXPECT_STR(text(&def.source_event), "s");
	EXPECT_EQ(def.nr_args, 2);
	EXPECT_STR(text(&def.arg[1]), "b=c");
	EXPECT_STR(text(&def.filter), "a == 1 && b");
	EXPECT_EQ(parse("e g.s if"), 0);
	EXPECT(def.has_filter);
	EXPECT_EQ(def.filter.len, 0);
	EXPECT_EQ(def.nr_args, 0);
	EXPECT_EQ(parse("e g.s if=a iff"), 0);
	EXPECT_EQ(def.nr_args, 2);
	EXPECT(!def.has_filter);
}

TEST(data)
{
	EXPECT_EQ(parse("w @jiffies"), 0);
	EXPECT_EQ(def.kind, KPT_DEF_PROBE);
	EXPECT(def.of_data && def.reads && def.writes);
	EXPECT_EQ(def.length, 4);
	EXPECT_STR(text(&def.symbol), "jiffies");
	EXPECT_EQ(def.displacement, 0);
	EXPECT_EQ(parse("w:g/e w@a.b-0x10:8 $addr x=$value"), 0);
	EXPECT(!def.reads && def.writes);
	EXPECT_EQ(def.length, 8);
	EXPECT_STR(text(&def.symbol), "a.b");
	EXPECT_EQ(def.displacement, -16);
	EXPECT_STR(text(&def.place), "w@a.b-0x10:8");
	EXPECT_STR(text(&def.group), "g");
	EXPECT_EQ(def.nr_args, 2);
	EXPECT_EQ(parse("w r@0xffff800012345678:3"), 0);
	EXPECT(def.reads && !def.writes);
	EXPECT_EQ(def.symbol.len, 0);
	EXPECT_EQ(def.address, 0xffff800012345678);
	EXPECT_EQ(def.length, 3);
	EXPECT(!def.changes);
	EXPECT_EQ(parse("w w@sym:8:changes"), 0);
	EXPECT(def.changes);
	EXPECT_EQ(def.length, 8);
	EXPECT_STR(text(&def.symbol), "sym");
	EXPECT_EQ(parse("w w@sym:0x80000000"), 0);
	EXPECT_EQ(def.length, 0x80000000);
	EXPECT_EQ(parse("w r@(task_struct)0x1000->thread_info.flags"), 0);
	EXPECT_STR(text(&def.structure), "task_struct");
	EXPECT_STR(text(&def.member), "thread_info.flags");
	EXPECT_EQ(def.address, 0x1000);
	EXPECT_EQ(def.length, 0);
	EXPECT_EQ(parse("w w@(rq)percpu(runqueues+8)->cpu:8:changes"), 0);
	EXPECT(def.each_cpu && def.changes);
	EXPECT_STR(text(&def.structure), "rq");
	EXPECT_STR(text(&def.member), "cpu");
	EXPECT_STR(text(&def.symbol), "runqueues");
	EXPECT_EQ(def.displacement, 8);
	EXPECT_EQ(def.length, 8);
	EXPECT_EQ(parse("w w@0x10:changes"), 0);
	EXPECT(!def.each_cpu);
	EXPECT(def.changes);
	EXPECT_EQ(def.length, 4);
	EXPECT_EQ(parse("w rw@sym+8"), 0);
	EXPECT(def.reads && def.writes);
	EXPECT_EQ(def.displacement, 8);
	EXPECT_EQ(def.objects, 1);
	EXPECT(!def.by_hits);
	EXPECT_EQ(parse("w4:watch rw@-1:8 $addr"), 0);
	EXPECT(def.by_hits);
	EXPECT_EQ(def.objects, 4);
	EXPECT_EQ(def.length, 8);
	EXPECT_EQ(def.symbol.len, 0);
	EXPECT_STR(text(&def.event), "watch");
	EXPECT_EQ(parse("w @-1"), 0);
	EXPECT(def.by_hits);
	EXPECT_EQ(def.objects, 1);
}

TEST(clocks)
{
	EXPECT_EQ(parse("c 99"), 0);
	EXPECT_EQ(def.kind, KPT_DEF_PROBE);
	EXPECT(def.of_clock);
	EXPECT_EQ(def.rate, 99);
	EXPECT_EQ(parse("c:g/e 10000 pc=%pc"), 0);
	EXPECT_EQ(def.rate, 10000);
	EXPECT_STR(text(&def.group), "g");
	EXPECT_STR(text(&def.event), "e");
	EXPECT_EQ(def.nr_args, 1);
	EXPECT_EQ(parse("c 10001"), -EINVAL);
	EXPECT_EQ(diag.code, KPT_E_SAMPLE_RATE);
	EXPECT_EQ(diag.column, 2);
	EXPECT_EQ(parse("c:e 0"), -EINVAL);
	EXPECT_EQ(diag.column, 4);
	EXPECT_EQ(parse("c vfs_read"), -EINVAL);
	EXPECT_EQ(parse("count 99"), -EINVAL);
	EXPECT_EQ(diag.code, KPT_E_NONE);
	EXPECT_EQ(parse("c"), -EINVAL);
	EXPECT_EQ(diag.code, KPT_E_NONE);
}

TEST(deletes)
{
	EXPECT_EQ(parse("-:grp/ev"), 0);
	EXPECT_EQ(def.kind, KPT_DEF_DELETE);
	EXPECT(!def.by_command);
	EXPECT_STR(text(&def.group), "grp");
	EXPECT_STR(text(&def.event), "ev");
	EXPECT_EQ(def.place.len, 0);
	EXPECT_EQ(parse("-:ev"), 0);
	EXPECT_EQ(def.group.len, 0);
	EXPECT_STR(text(&def.event), "ev");
	EXPECT_EQ(parse("-:grp/"), 0);
	EXPECT_STR(text(&def.group), "grp");
	EXPECT_EQ(def.event.len, 0);
}

TEST(deletes_by_place)
{
	EXPECT_EQ(parse("-:ev sym+4 a=%x0"), 0);
	EXPECT_STR(text(&def.place), "sym+4");
	EXPECT_EQ(def.nr_args, 1);
	EXPECT_STR(text(&def.arg[0]), "a=%x0");
	EXPECT_EQ(parse("!p:ev sym"), 0);
	EXPECT_EQ(def.kind, KPT_DEF_DELETE);
	EXPECT(def.by_command);
	EXPECT_STR(text(&def.event), "ev");
	EXPECT_EQ(parse("!a/b:grp/ev"), 0);
	EXPECT_STR(text(&def.group), "grp");
	EXPECT_STR(text(&def.event), "ev");
	EXPECT_EQ(parse("-:a.b"), 0);
	EXPECT_STR(text(&def.event), "a.b");
}

TEST(blank_lines)
{
	EXPECT_EQ(parse(""), 0);
	EXPECT_EQ(def.kind, KPT_DEF_NONE);
	EXPECT_EQ(parse(" \t "), 0);
	EXPECT_EQ(def.kind, KPT_DEF_NONE);
	EXPECT_STR(def.text, "");
}

TEST(not_ours_is_marked)
{
	EXPECT_EQ(parse("x vfs_read"), -EINVAL);
	EXPECT_EQ(def.kind, KPT_DEF_NONE);
	EXPECT_EQ(parse("p /bin/sh:0"), -EINVAL);
	EXPECT_EQ(def.kind, KPT_DEF_NONE);
	EXPECT_EQ(parse("f /bin/sh:0"), -EINVAL);
	EXPECT_EQ(def.kind, KPT_DEF_PROBE);
	EXPECT_EQ(parse("p:1 f"), -EINVAL);
	EXPECT_EQ(def.kind, KPT_DEF_PROBE);
}

TEST(text_is_set_on_failure)
{
	EXPECT_EQ(parse("  p:1\tf\t\t%x0 "), -EINVAL);
	EXPECT_STR(def.text, "p:1 f %x0");
}

TEST(most_arguments)
{
	char line[KPT_DEF_MAX] = "p f";
	int i;

	for (i = 0; i < KPT_ARGS_MAX; i++)
		strcat(line, " %x0");
	EXPECT_EQ(parse(line), 0);
	EXPECT_EQ(def.nr_args, KPT_ARGS_MAX);
	strcat(line, " %x0");
	EXPECT_EQ(parse(line), -E2BIG);
	EXPECT_EQ(diag.code, KPT_E_TOO_MANY_ARGS);
	EXPECT_EQ(diag.column, 4);
	memcpy(line, "-:f", 3);
	EXPECT_EQ(parse(line), 0);
	EXPECT_EQ(def.nr_args, KPT_ARGS_MAX);
	strcat(line, " %x0");
	EXPECT_EQ(parse(line), -ENOENT);
}

TEST(longest_line)
{
	char line[KPT_DEF_MAX + 1];

	memset(line, 'x', sizeof(line));
	line[0] = 'p';
	line[1] = ' ';
	EXPECT_EQ(kpt_def_parse(&def, line, KPT_DEF_MAX - 1, &diag), 0);
	EXPECT_EQ(strlen(def.text), KPT_DEF_MAX - 1);
	EXPECT_EQ(kpt_def_parse(&def, line, KPT_DEF_MAX, &diag), -EINVAL);
	EXPECT_EQ(diag.code, KPT_E_NONE);
}

TEST(nul_ends_nothing)
{
	EXPECT_EQ(kpt_def_parse(&def, "p f\0g", 5, &diag), -EINVAL);
	EXPECT_EQ(diag.code, KPT_E_NONE);
}

static const char *auto_name(const char *line)
{
	static char name[KPT_NAME_MAX];

	memset(name, '#', sizeof(name));
	EXPECT_EQ(parse(line), 0);
	kpt_def_auto_name(&def, "0x0000000037571f26", name);
	return name;
}

TEST(auto_names)
{
	EXPECT_STR(auto_name("p vfs_read"), "p_vfs_read_0");
	EXPECT_STR(auto_name("r vfs_read"), "r_vfs_read_0");
	EXPECT_STR(auto_name("f vfs_read"), "vfs_read__entry");
	EXPECT_STR(auto_name("f a:b.c%return"), "a_b_c__exit");
	EXPECT_STR(auto_name("f vfs_*"), "vfs____entry");
	EXPECT_STR(auto_name("p vfs_read%return"), "r_vfs_read_0");
	EXPECT_STR(auto_name("t sched_switch"), "sched_switch");
	EXPECT_STR(auto_name("t:g/ 9p_event"), "_9p_event");
	EXPECT_STR(auto_name("p:g/ vfs_read+0x10"), "p_vfs_read_16");
	EXPECT_STR(auto_name("p mod:foo.isra.0+4"), "p_mod_foo_isra_0_4");
	EXPECT_STR(auto_name("p 0x1234"), "p_0x0000000037571f26");
	EXPECT_STR(auto_name("r 0x1234"), "r_0x0000000037571f26");
	EXPECT_STR(auto_name("p a$b"), "p_a_b_0");
	EXPECT_STR(auto_name("p a123456789b123456789c123456789"
			     "d123456789e123456789f123456789g123456789"),
		   "p_a123456789b123456789c123456789"
		   "d123456789e123456789f123456789g");
}

/* Of three fields; then of five, three of which are $arg*. */
TEST(field_columns)
{
	EXPECT_EQ(parse("p f a=%x0 %x1 b=%x2"), 0);
	EXPECT_EQ(kpt_def_field_column(&def, 3, 0), 4);
	EXPECT_EQ(kpt_def_field_column(&def, 3, 2), 14);
	EXPECT_EQ(kpt_def_field_column(&def, 3, 3), 20);
	EXPECT_EQ(parse("p f a=%x0 $arg* b=%x2"), 0);
	EXPECT_EQ(kpt_def_field_column(&def, 5, 0), 4);
	EXPECT_EQ(kpt_def_field_column(&def, 5, 1), 10);
	EXPECT_EQ(kpt_def_field_column(&def, 5, 3), 10);
	EXPECT_EQ(kpt_def_field_column(&def, 5, 4), 16);
	EXPECT_EQ(kpt_def_field_column(&def, 5, 5), 22);
	EXPECT_EQ(parse("p f"), 0);
	EXPECT_EQ(kpt_def_field_column(&def, 0, 0), 4);
}

TEST_MAIN
