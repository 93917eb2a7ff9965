// SPDX-License-Identifier: GPL-2.0-only
/* Histograms that refer to each other: variables, references, actions. */
#include "lib/base/port.h"
#include "harness.h"
#include "hist_sides.h"

static char text[8192];

static bool add(struct side *side, s32 n, u64 len, u64 ts, const char *s)
{
	static struct bytes rec;

	bytes_init(&rec, &shape, 0x1000, 0);
	bytes_set(&rec, &shape, 0, 0, (u64)n);
	bytes_set(&rec, &shape, 1, 0, len);
	if (s)
		bytes_text(&rec, &shape, 2, 0, s, strlen(s) + 1);
	side->hit = (struct kpt_hist_hit){
		.record = rec.b, .size = rec.size, .ts = ts, .ts_in_ns = true,
		.var = side->var, .own = side->own, .stack = side->hit.stack,
	};
	return kpt_hist_add_related(&side->hist, side->map, &side->hit);
}

static u64 param(struct side *side, unsigned int i)
{
	return kpt_hist_value(&side->hist.param[i].value, &side->hit);
}

static const char *show_snaps(struct side *side, const struct kpt_hist_snap *snap)
{
	u32 *order = malloc(sizeof(*order) << side->hist.bits);
	struct kpt_hist_view view;
	struct kpt_strbuf sb;
	u32 i;

	kpt_strbuf_init(&sb, text, sizeof(text));
	kpt_hist_view_init(&view, &side->hist, side->map, order);
	view.snap = snap;
	for (i = 0; i < view.nr; i++)
		kpt_hist_show_entry(&sb, &view, i);
	kpt_hist_show_totals(&sb, &view);
	free(order);
	return text;
}

static const char *show(struct side *side)
{
	return show_snaps(side, NULL);
}

TEST(latency_once_per_start)
{
	setup();
	start(&from, "keys=n:ts0=common_timestamp,nm=s");
	start(&to, "keys=n:l=common_timestamp-$ts0:onmatch(g.e).lat($l,n,$nm)");
	EXPECT(!add(&to, 1, 0, 900, NULL));
	EXPECT(add(&from, 1, 0, 1000, "hello"));
	EXPECT(add(&to, 1, 0, 1500, "other"));
	EXPECT_EQ(param(&to, 0), 500);
	EXPECT_EQ(param(&to, 1), 1);
	{
		size_t len;
		const char *s = kpt_hist_text(to.map, &to.hist.param[2].value,
					      &to.hit, &len);

		EXPECT(len == 5 && !memcmp(s, "hello", 5));
	}
	/* The start was used up; the time of another key is not used. */
	EXPECT(!add(&to, 1, 0, 1600, NULL));
	EXPECT(add(&from, 2, 0, 2000, "x"));
	EXPECT(!add(&to, 1, 0, 2100, NULL));
	EXPECT_EQ(atomic64_read(&to.map->unmatched), 3);
	EXPECT(strstr(show(&to), "    Hits: 1\n    Entries: 1\n    Dropped: 0\n"
				 "    Unmatched: 3\n"));
}

TEST(reference_alone_is_not_used_up)
{
	setup();
	start(&from, "keys=n:x=len");
	start(&to, "keys=n:y=g.e.$x:vals=$x");
	add(&from, 1, 7, 0, NULL);
	EXPECT(add(&to, 1, 0, 0, NULL));
	EXPECT(add(&to, 1, 0, 0, NULL));
	add(&from, 1, 0, 0, NULL);
	EXPECT(add(&to, 1, 0, 0, NULL));
	EXPECT(strstr(show(&to), "hitcount:          3  $x:         14\n"));
}

/* Mainline looks up as much of the key as the histogram of the variable has. */
TEST(first_keys_are_looked_up)
{
	static const char *const keys[][2] = {
		{ "n", "n,len" }, { "n,s", "n,s,len" }, { "s", "s,len" },
		{ "n,s", "n,s" },
	};
	unsigned int i;
	char line[64];

	for (i = 0; i < 4; i++) {
		setup();
		snprintf(line, sizeof(line), "keys=%s:x=len", keys[i][0]);
		start(&from, line);
		snprintf(line, sizeof(line), "keys=%s:y=$x:vals=$x", keys[i][1]);
		start(&to, line);
		add(&from, 1, 7, 0, "seven...");
		EXPECT(add(&to, 1, 100, 0, "seven..."));
		EXPECT(add(&to, 1, 101, 0, "seven..."));
		EXPECT(!add(&to, 2, 101, 0, "other"));
		EXPECT_EQ(to.var[0], 7);
	}
	start(&from, "keys=n,len:x=len");
	EXPECT_EQ(parse(&to, "keys=n:y=$x"), -EINVAL);
	EXPECT_EQ(diag.code, KPT_E_HIST_KEYS_DIFFER);
}

TEST(own_variables_and_units)
{
	setup();
	start(&from, "keys=n:a=common_timestamp.usecs,b=common_timestamp:c=$a*2,d=-(len)");
	start(&to, "keys=n:onmatch(g.e).lat($c,n,s)");
	add(&from, 1, 5, 3000000, NULL);
	EXPECT(add(&to, 1, 0, 0, NULL));
	EXPECT_EQ(param(&to, 0), 6000);
	EXPECT_EQ(parse(&to, "keys=n:x=common_timestamp-$a"), -EINVAL);
	EXPECT_EQ(diag.code, KPT_E_HIST_TIMESTAMP_MISMATCH);
	EXPECT_EQ(parse(&to, "keys=n:x=common_timestamp-$b"), 0);
}

TEST(fields_of_other_events)
{
	setup();
	start(&from, "keys=n:x=len");
	EXPECT(add(&from, 1, 77, 0, NULL));
	start(&to, "keys=n:onmatch(g.e).lat(prio,n,s):onmatch(g.e).lat(g.e.prio,g.own.n,s)");
	EXPECT(add(&to, 1, 5, 0, "own"));
	EXPECT_EQ(param(&to, 0), 77);
	EXPECT_EQ(param(&to, 1), 1);
	EXPECT_EQ(param(&to, 3), 77);
	EXPECT_EQ(param(&to, 4), 1);
	EXPECT(!add(&to, 2, 5, 0, "own"));
}

/* Does the last hit let action @i run? */
static bool fires(struct side *side, unsigned int i)
{
	u64 v;

	return kpt_hist_fires(&side->hist, side->map, &side->hist.action[i], &side->hit, &v);
}

/* Values are compared and shown with their sign; the first one is always a new one. */
TEST(onmax_of_a_signed_variable)
{
	setup();
	start(&to, "keys=len:x=n:onmax($x).save(n)");
	EXPECT(add(&to, -5, 5, 0, "five"));
	EXPECT(fires(&to, 0));
	EXPECT(add(&to, -3, 5, 0, "more"));
	EXPECT(fires(&to, 0));
	EXPECT(add(&to, -4, 5, 0, "less"));
	EXPECT(!fires(&to, 0));
	EXPECT(strstr(show(&to), "\tmax:         -3  n:         -3\n"));
	EXPECT(add(&to, 0, 5, 0, "more"));
	EXPECT(fires(&to, 0));
	EXPECT(add(&to, 0, 5, 0, "same"));
	EXPECT(!fires(&to, 0));
	EXPECT(strstr(show(&to), "\tmax:          0  n:          0\n"));
	EXPECT(add(&to, 5, 5, 0, "five"));
	EXPECT(fires(&to, 0));
	EXPECT(add(&to, -1, 5, 0, "less"));
	EXPECT(!fires(&to, 0));
	/* As in mainline. */
	start(&to, "keys=n:x=len:onmax($x).save(n):y=n:onchange($y).snapshot()");
	EXPECT(add(&to, 1, 0, 0, "none"));
	EXPECT(!fires(&to, 0));
	EXPECT(fires(&to, 1));
	EXPECT(add(&to, 1, ~0ULL, 0, "all"));
	EXPECT(fires(&to, 0));
	EXPECT(strstr(show(&to), "\tmax: 18446744073709551615  n:          1\n"));
}

TEST(each_action_has_its_snapshot)
{
	static const struct kpt_hist_snap none;
	struct kpt_hist_snap snap[3] = { 0 }, read[3];
	const struct kpt_hist_action *a = to.hist.action;
	unsigned int i;

	setup();
	start(&to, "keys=n:x=len,y=n:onmax($x).snapshot():onmax($y).snapshot():"
		   "onchange($y).snapshot()");
	EXPECT(add(&to, -2, 1000, 0, "a"));
	EXPECT(kpt_hist_snap(&snap[0], &a[0], to.hit.entry, 1000));
	/* Less than the last one of another key, or of another action. */
	EXPECT(add(&to, -7, 10, 0, "b"));
	EXPECT(!kpt_hist_snap(&snap[0], &a[0], to.hit.entry, 10));
	EXPECT(kpt_hist_snap(&snap[1], &a[1], to.hit.entry, (u64)-7));
	EXPECT(add(&to, 1, 5, 0, "c"));
	EXPECT(kpt_hist_snap(&snap[1], &a[1], to.hit.entry, 1));
	EXPECT(!kpt_hist_snap(&snap[1], &a[1], to.hit.entry, (u64)-1));
	for (i = 0; i < 3; i++)
		kpt_hist_snap_read(&read[i], &snap[i]);
	EXPECT_STR(strstr(show_snaps(&to, read), "\nSnapshot"),
		   "\nSnapshot taken (see tracing/snapshot).  Details:\n"
		   "\ttriggering value { onmax($x) }:       1000"
		   "\ttriggered by event with key: { n: 18446744073709551614 }\n"
		   "\nSnapshot taken (see tracing/snapshot).  Details:\n"
		   "\ttriggering value { onmax($y) }:          1"
		   "\ttriggered by event with key: { n:          1 }\n"
		   "\nTotals:\n    Hits: 3\n    Entries: 3\n    Dropped: 0\n");
	EXPECT(kpt_hist_snap(&snap[2], &a[2], to.hit.entry, (u64)-9));
	EXPECT(!kpt_hist_snap(&snap[2], &a[2], to.hit.entry, (u64)-9));
	EXPECT(kpt_hist_snap(&snap[2], &a[2], to.hit.entry, (u64)-10));
	kpt_hist_snap_read(&read[2], &snap[2]);
	EXPECT(strstr(show_snaps(&to, read), "onchange($y) }:        -10\t"));
	/* None for a value yet, not even 0. */
	snap[0] = none;
	EXPECT(kpt_hist_snap(&snap[0], &a[0], to.hit.entry, 0));
}

TEST(onmax_and_onchange)
{
	u64 v;

	setup();
	start(&to, "keys=n:x=len:onmax($x).save(len,s):onchange($x).snapshot()");
	EXPECT(add(&to, 1, 5, 0, "five"));
	EXPECT(kpt_hist_fires(&to.hist, to.map, &to.hist.action[0], &to.hit, &v));
	EXPECT_EQ(v, 5);
	EXPECT(kpt_hist_fires(&to.hist, to.map, &to.hist.action[1], &to.hit, &v));
	EXPECT(add(&to, 1, 4, 0, "four"));
	EXPECT(!kpt_hist_fires(&to.hist, to.map, &to.hist.action[0], &to.hit, &v));
	EXPECT(kpt_hist_fires(&to.hist, to.map, &to.hist.action[1], &to.hit, &v));
	EXPECT(!kpt_hist_fires(&to.hist, to.map, &to.hist.action[1], &to.hit, &v));
	EXPECT_STR(show(&to),
		   "{ n:          1 } hitcount:          2\n"
		   "\tmax:          5  len:          5  s: five"
		   "                            \n"
		   "\nTotals:\n    Hits: 2\n    Entries: 1\n    Dropped: 0\n");
}

/*
 * A variable belongs to all hits with one key. Another CPU may have used it up, or set it
 * anew, before this hit has read its own one.
 */
TEST(own_number_is_that_of_the_hit)
{
	struct side other = { 0 };
	u64 v;

	setup();
	start(&from, "keys=n:x=len:onmax($x).lat($x,n,s)");
	start(&to, "keys=n:y=len-$x");
	EXPECT(add(&from, 1, 5, 0, "five"));
	EXPECT(add(&to, 1, 5, 0, "once"));
	EXPECT_EQ(param(&from, 0), 5);
	EXPECT(kpt_hist_fires(&from.hist, from.map, &from.hist.action[0], &from.hit, &v));
	EXPECT_EQ(v, 5);
	other.hist = from.hist;
	other.map = from.map;
	EXPECT(add(&other, 1, 7, 0, "next"));
	EXPECT_EQ(param(&from, 0), 5);
	EXPECT_EQ(param(&other, 0), 7);
}

static const char *listing(const char *trigger)
{
	EXPECT_EQ(parse(&to, trigger), 0);
	return list(&to);
}

TEST(listing_is_mainlines)
{
	setup();
	start(&from, "keys=n:ts0=common_timestamp.usecs");
	EXPECT_STR(listing("keys=n:vals=len:a=common_timestamp.usecs-$ts0,fx=len:"
			   "k=16-8-4-2:size=128:onmatch(g.e).trace(lat,$a,n,s):"
			   "onmax($a).save(len)"),
		   "hist:keys=n:vals=hitcount,len:a=common_timestamp.usecs-$ts0,"
		   "fx=len,k=2:sort=hitcount:size=128:clock=global:"
		   "onmatch(g.e).trace(lat,$a,n,s):onmax($a).save(len) [active]\n");
	/* Parameters may have blanks around them. */
	EXPECT_EQ(parse(&to, "keys=n:a=common_timestamp.usecs-$ts0:"
			     "onmatch(g.e).trace( lat , $a , n,\ts):onmax($a).save( len )"), 0);
	EXPECT_STR(listing("keys=common_stacktrace,n"),
		   "hist:keys=common_stacktrace,n:vals=hitcount:sort=hitcount:"
		   "size=2048 [active]\n");
}

/* What is written of actions is kept, with a colon before each, for listings. */
TEST(actions_have_no_more_text_than_is_kept)
{
	static const char action[] = "onmax($x).save(n";
	static char line[2 * KPT_HIST_ACTIONS_TEXT];
	int blanks = KPT_HIST_ACTIONS_TEXT - 3 - (int)strlen(action);

	setup();
	snprintf(line, sizeof(line), "keys=n:x=len:%s%*s)", action, blanks, "");
	EXPECT_EQ(parse(&to, line), 0);
	EXPECT_EQ(strlen(to.hist.actions), KPT_HIST_ACTIONS_TEXT - 1);
	snprintf(line, sizeof(line), "keys=n:x=len:%s%*s)", action, blanks + 1, "");
	EXPECT_EQ(parse(&to, line), -EINVAL);
	EXPECT_EQ(diag.code, KPT_E_HIST_ACTIONS_TOO_LONG);
}

/* Keys that name a variable are the field that it is, and are listed so. */
TEST(key_may_be_a_variable_that_is_a_field)
{
	static const char *const rows[][2] = {
		{ "keys=$a:a=n", "keys=n:vals=hitcount:a=n" },
		{ "keys=$b,$a:a=n:b=s", "keys=s,n:vals=hitcount:a=n,b=s" },
		{ "keys=$a:a=n.hex", "keys=n.hex:vals=hitcount:a=n.hex" },
		{ "keys=$a:a=len.sym-offset",
		  "keys=len.sym-offset:vals=hitcount:a=len.sym-offset" },
		{ "keys=$a+2*$b:a=n,b=len", "keys=n+2*len:vals=hitcount:a=n,b=len" },
		{ "keys=-($a):a=n", "keys=-(n):vals=hitcount:a=n" },
	};
	char expect[128];
	size_t i;

	setup();
	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		snprintf(expect, sizeof(expect), "hist:%s:sort=hitcount:size=2048 [active]\n",
			 rows[i][1]);
		EXPECT_STR(listing(rows[i][0]), expect);
		EXPECT(lists_itself(&to));
	}
	start(&to, "keys=$a:a=len:sort=len");
	EXPECT(add(&to, 1, 7, 0, NULL));
	EXPECT(strstr(show(&to), "{ len:          7 } hitcount:          1\n"));
}

/* The name of the task that made the entry is a text, as a variable and as a parameter. */
TEST(execname_is_a_text)
{
	const char *name;
	unsigned int i;
	size_t len;

	setup();
	start(&to, "keys=n:x=common_pid.execname,y=$x,z=common_pid.execname+1,v=len:"
		   "onmatch(g.e).lat(len,n,$x):onmatch(g.e).lat(len,n,$y):"
		   "onmatch(g.e).lat(len,n,common_pid.execname):"
		   "onmax($v).save(common_pid.execname)");
	EXPECT(lists_itself(&to));
	EXPECT(add(&to, 1, 7, 0, NULL));
	strcpy(world.comm, "other");
	EXPECT(add(&to, 1, 8, 0, NULL));
	for (i = 2; i < 9; i += 3) {
		name = kpt_hist_text(to.map, &to.hist.param[i].value, &to.hit, &len);
		EXPECT(len == strlen("hosttest") && !memcmp(name, "hosttest", len));
	}
	EXPECT(fires(&to, 3));
	EXPECT(strstr(show(&to), "common_pid: hosttest "));
	EXPECT_EQ(kpt_hist_value(&to.hist.var[2].value, &to.hit), 43);
}

/*
 * A field fits if it has the size and the sign of that of the synthetic event, or the
 * name of its type: bool and char of fields have no sign, those of synthetic events have.
 */
TEST(types_of_parameters)
{
	static const struct kpt_head_field fields[] = {
		{ "b", "bool b", { KPT_FIELD_NUMBER, false, 8, 1 } },
		{ "c", "char c", { KPT_FIELD_NUMBER, false, 9, 1 } },
		{ "u", "u8 u", { KPT_FIELD_NUMBER, false, 10, 1 } },
		{ "bool_long", "u8 bool_long", { KPT_FIELD_NUMBER, false, 11, 1 } },
	};
	static const struct kpt_head head = { .size = 12, .nr = 4, .field = fields };
	static const char *const types[] = { "bool", "char", "u8", "s8", "int", "unsigned", "u64" };
	static const struct {
		const char *param;
		const char *fits;
	} rows[] = {
		{ "b", "bool u8 " }, { "c", "char u8 " }, { "u", "u8 " }, { "bool_long", "u8 " },
		{ "$vb", "bool u8 " }, { "$vc", "char u8 " }, { "$vv", "bool u8 " },
		{ "common_cpu", "unsigned " }, { "cpu", "unsigned " }, { "$vp", "unsigned " },
		{ "$vq", "unsigned " }, { "$vh", "u64 " },
	};
	struct kpt_fields whole = { .head = &head, .size = 12 };
	char line[64], fits[64], trigger[256];
	struct kpt_def *def = malloc(sizeof(*def));
	const char *filter;
	size_t i, j;

	setup();
	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		fits[0] = '\0';
		for (j = 0; j < ARRAY_SIZE(types); j++) {
			snprintf(line, sizeof(line), "lat %s%s v", types[j],
				 strcmp(types[j], "unsigned") ? "" : " int");
			EXPECT_EQ(kpt_def_parse_synthetic(def, line, strlen(line), &diag), 0);
			EXPECT_EQ(kpt_synth_parse(&synth, def, &diag), 0);
			snprintf(trigger, sizeof(trigger),
				 "keys=u:vb=b,vc=c,vv=$vb,vp=common_cpu,vq=cpu+1,vh=hitcount:"
				 "onmatch(g.e).lat(%s)", rows[i].param);
			if (!kpt_hist_parse(&to.hist, trigger, &filter, &whole, &scope, &diag))
				strcat(strcat(fits, types[j]), " ");
			else
				EXPECT_EQ(diag.code, KPT_E_HIST_SYNTH_TYPE_MISMATCH);
		}
		EXPECT_STR(fits, rows[i].fits);
	}
	free(def);
}

/* Two events have a variable x: each action takes that of the event that it names. */
TEST(variable_of_the_event_that_onmatch_names)
{
	setup();
	start(&from, "keys=n:x=len");
	start(&more, "keys=n:x=len");
	start(&to, "keys=n:onmatch(g.e).lat($x,n,s):onmatch(g.o).lat($x,n,s)");
	EXPECT(lists_itself(&to));
	EXPECT(add(&from, 1, 5, 0, NULL));
	EXPECT(add(&more, 1, 6, 0, NULL));
	EXPECT(add(&to, 1, 0, 0, NULL));
	EXPECT_EQ(param(&to, 0), 5);
	EXPECT_EQ(param(&to, 3), 6);
	EXPECT_EQ(parse(&to, "keys=n:y=$x:onmatch(g.e).lat($x,n,s):onmatch(g.o).lat($x,n,s)"),
		  -EINVAL);
	EXPECT_EQ(diag.code, KPT_E_HIST_VAR_NOT_UNIQUE);
	EXPECT_EQ(parse(&to, "keys=n:y=len:onmatch(g.o).lat($x,n,s):onmax($y).lat($x,n,s)"), 0);
}

/* A variable of the trigger may be named with its event. */
TEST(own_variable_with_its_event)
{
	setup();
	start(&more, "keys=n:x=len");
	start(&to, "keys=g.own.$k:k=n:a=len,b=g.own.$a+1,c=g.own.$b:vals=g.own.$c:"
		   "onmatch(g.e).lat(g.own.$b,n,s)");
	EXPECT(lists_itself(&to));
	EXPECT(add(&to, 1, 5, 0, NULL));
	EXPECT_EQ(param(&to, 0), 6);
	EXPECT(strstr(show(&to), "{ n:          1 } hitcount:          1  g.own.$c:          6"));
	EXPECT_EQ(parse(&to, "keys=n:a=g.own.$none"), -EINVAL);
	EXPECT_EQ(diag.code, KPT_E_HIST_VAR_NOT_FOUND);
	/* The '-' of a group is an operator. */
	EXPECT_EQ(parse(&to, "keys=n:a=g-i.o.$x+1"), -EINVAL);
}

/* What has more than one name is listed by one, and that is the same trigger. */
TEST(listing_is_the_same_trigger)
{
	static const char *const triggers[] = {
		"keys=cpu", "keys=CPU,comm", "keys=COMM", "keys=stacktrace,n", "keys=cpu.log2",
		"keys=n:vals=cpu.hex,common_cpu", "keys=cpu:a=cpu+1,b=cpu:sort=cpu",
		"keys=0x10,n", "keys=n.buckets=5:vals=len:sort=len.descending,hitcount",
		"keys=n.hex,cpu.log2:sort=n,cpu.descending", "keys=n.buckets=5:sort=n.buckets=5",
		"keys=n:vals=len.hex:sort=len.hex.descending",
		"keys=common_stacktrace:sort=hitcount",
		"keys=n:a=16-8-4-2,b=-(len+1):onmax($a).save( comm , n )",
	};
	size_t i;

	setup();
	start(&from, "keys=n:x=len");
	for (i = 0; i < ARRAY_SIZE(triggers); i++) {
		EXPECT_EQ(parse(&to, triggers[i]), 0);
		if (lists_itself(&to))
			continue;
		printf("%s is listed as %s", triggers[i], list(&to));
		test_failures++;
	}
	/* In an expression each is named as it was written. */
	EXPECT_EQ(parse(&from, "keys=cpu+1"), 0);
	EXPECT_EQ(parse(&to, "keys=common_cpu+1"), 0);
	EXPECT(!kpt_hist_same(&from.hist, &to.hist));
}

TEST(same_keys)
{
	setup();
	EXPECT_EQ(parse(&from, "keys=n,s:vals=len"), 0);
	EXPECT_EQ(parse(&to, "keys=n,s:a=len"), 0);
	EXPECT(kpt_hist_same_keys(&from.hist, &to.hist));
	EXPECT_EQ(parse(&to, "keys=common_pid,s"), 0);
	EXPECT(kpt_hist_same_key_types(&from.hist, &to.hist));
	EXPECT(!kpt_hist_same_keys(&from.hist, &to.hist));
	EXPECT_EQ(parse(&to, "keys=n"), 0);
	EXPECT(!kpt_hist_same_keys(&from.hist, &to.hist));
}

TEST(stack_is_a_key)
{
	static const u64 stack[32] = { 3, 0x1004, 0x1024, 0x5678 };

	setup();
	world.symbols[0] = (struct world_symbol){ "vfs_read", 0x1000, 0x40 };
	world.nr_symbols = 1;
	start(&to, "keys=common_stacktrace:st=stacktrace");
	to.hit.stack = stack;
	EXPECT(to.hist.uses_stack && to.hist.is_related);
	EXPECT(add(&to, 1, 0, 0, NULL));
	EXPECT_STR(strchr(show(&to), '{'), "{ common_stacktrace:\n"
		   "         vfs_read+0x4/0x40\n"
		   "         vfs_read+0x24/0x40\n"
		   "         0x5678\n"
		   "} hitcount:          1\n"
		   "\nTotals:\n    Hits: 1\n    Entries: 1\n    Dropped: 0\n");
	world.nr_symbols = 0;
}

/* Its process is a part of it; a variable has the addresses alone. */
TEST(stack_of_a_program_is_a_key)
{
	setup();
	EXPECT_STR(listing("keys=common_userstacktrace,n"),
		   "hist:keys=common_userstacktrace,n:vals=hitcount:sort=hitcount:"
		   "size=2048 [active]\n");
	start(&to, "keys=common_userstacktrace:st=common_userstacktrace");
	world.tgid = 7;
	EXPECT(add(&to, 1, 0, 0, NULL));
	EXPECT(add(&to, 1, 0, 0, NULL));
	world.tgid = 8;
	EXPECT(add(&to, 1, 0, 0, NULL));
	EXPECT_STR(strchr(show(&to), '{'), "{ common_userstacktrace:\n"
		   "          <0000000000400010>\n"
		   "          <0000000000400110>\n"
		   "          <0000000000400210>\n"
		   "} hitcount:          1\n"
		   "{ common_userstacktrace:\n"
		   "         /bin/prog[+0x10]\n"
		   "         /bin/prog[+0x110]\n"
		   "         /bin/prog[+0x210]\n"
		   "} hitcount:          2\n"
		   "\nTotals:\n    Hits: 3\n    Entries: 2\n    Dropped: 0\n");
}

static const struct {
	const char *text;
	enum kpt_diag_code code;
	int err;
} rows[] = {
	{ "keys=n:a=len,^a=n", KPT_E_HIST_DUPLICATE_VAR, -EINVAL },
	{ "keys=n:a=len,b=n,^b=len", KPT_E_HIST_DUPLICATE_VAR, -EINVAL },
	{ "keys=n:^taken=n", KPT_E_HIST_DUPLICATE_VAR, -EINVAL },
	{ "keys=n:a=len,^b", KPT_E_HIST_MALFORMED_ASSIGNMENT, -EINVAL },
	{ "keys=n:^a=", KPT_E_HIST_EMPTY_ASSIGNMENT, -EINVAL },
	{ "keys=n:a=$^no", KPT_E_HIST_VAR_NOT_FOUND, -EINVAL },
	{ "keys=n:a=$^many", KPT_E_HIST_VAR_NOT_UNIQUE, -EINVAL },
	{ "keys=n:a=g.f.$^x", KPT_E_HIST_VAR_NOT_FOUND, -EINVAL },
	{ "keys=n:a=^nothing", KPT_E_HIST_FIELD_NOT_FOUND, -EINVAL },
	{ "keys=n:a=^foo$x", KPT_E_HIST_FIELD_NOT_FOUND, -EINVAL },
	{ "keys=n:a=len,b=^foo$a+1", KPT_E_HIST_FIELD_NOT_FOUND, -EINVAL },
	{ "keys=n:a=^.$x", KPT_E_HIST_FIELD_NOT_FOUND, -EINVAL },
	{ "keys=n:a=g.e.$x,b=^g.e$x", KPT_E_HIST_FIELD_NOT_FOUND, -EINVAL },
	{ "keys=n:a=len.^log2", KPT_E_HIST_BAD_FIELD_MODIFIER, -EINVAL },
	{ "keys=n:a=1/^0", KPT_E_HIST_DIVISION_BY_ZERO, -EDOM },
	{ "keys=n:a=^s+1", KPT_E_HIST_STR_OPERAND, -EINVAL },
	{ "keys=^$x", KPT_E_HIST_VAR_IN_KEY, -EINVAL },
	{ "keys=^$a:a=n+1", KPT_E_HIST_VAR_IN_KEY, -EINVAL },
	{ "keys=n+^$b:a=n:b=$a", KPT_E_HIST_VAR_IN_KEY, -EINVAL },
	{ "keys=$a:a=^none", KPT_E_HIST_FIELD_NOT_FOUND, -EINVAL },
	{ "keys=s,n:a=$^x", KPT_E_HIST_KEYS_DIFFER, -EINVAL },
	{ "keys=s:a=$^x", KPT_E_HIST_KEYS_DIFFER, -EINVAL },
	{ "keys=n:a=len:onmax(^len).save(n)", KPT_E_HIST_ONX_NOT_VAR, -EINVAL },
	{ "keys=n:a=len:onmax($^b).save(n)", KPT_E_HIST_ONX_VAR_NOT_FOUND, -EINVAL },
	{ "keys=n:a=len:onmax(^$a.save", KPT_E_HIST_NO_CLOSING_PAREN, -EINVAL },
	{ "^keys=n:a=len:onmax($a)", KPT_E_HIST_ACTION_NOT_FOUND, -EINVAL },
	{ "^keys=n:a=len:onmax($a).save", KPT_E_HIST_ACTION_NOT_FOUND, -EINVAL },
	{ "^keys=n:a=len:onmax($a).save()", KPT_E_HIST_NO_SAVE_PARAMS, -EINVAL },
	{ "keys=n:a=len:onmax($a).save(^no)", KPT_E_HIST_FIELD_NOT_FOUND, -EINVAL },
	{ "^keys=n:a=len:onmax($a).save(n):onmax($a).save(n)",
	  KPT_E_HIST_TOO_MANY_SAVE_ACTIONS, -EEXIST },
	{ "keys=n:onmatch(g.e).^save(n)", KPT_E_HIST_ACTION_MISMATCH, -EINVAL },
	{ "keys=n:onmatch(g.e).^snapshot()", KPT_E_HIST_ACTION_MISMATCH, -EINVAL },
	{ "keys=n:onmatch(g.e).snapshot(^", KPT_E_HIST_NO_CLOSING_PAREN, -EINVAL },
	{ "keys=n:onmatch(^ge).lat(n)", KPT_E_HIST_SUBSYS_NOT_FOUND, -EINVAL },
	{ "keys=n:onmatch(g.^f).lat(n)", KPT_E_HIST_INVALID_SUBSYS_EVENT, -EINVAL },
	{ "keys=n:onmatch(g.e).^late(n)", KPT_E_HIST_SYNTH_EVENT_NOT_FOUND, -EINVAL },
	{ "keys=n:onmatch(g.e).trace(^late,n)", KPT_E_HIST_SYNTH_EVENT_NOT_FOUND,
	  -EINVAL },
	{ "keys=n:onmatch(g.e).lat(^n,n,s)", KPT_E_HIST_SYNTH_TYPE_MISMATCH, -EINVAL },
	{ "keys=n:onmatch(g.e).lat(len,n,^n)", KPT_E_HIST_SYNTH_TYPE_MISMATCH, -EINVAL },
	{ "keys=n:onmatch(g.e).lat(len,n,s,^n)", KPT_E_HIST_SYNTH_TYPE_MISMATCH,
	  -EINVAL },
	{ "keys=n:onmatch(g.e).^lat(len,n)", KPT_E_HIST_SYNTH_COUNT_MISMATCH, -EINVAL },
	{ "keys=n:onmatch(g.e).lat($^no,n,s)", KPT_E_HIST_PARAM_NOT_FOUND, -EINVAL },
	{ "keys=n:onmatch(g.e).lat(^none,n,s)", KPT_E_HIST_FIELD_NOT_FOUND, -EINVAL },
	{ "keys=n:onmatch(g.e).lat(g.e.^none,n,s)", KPT_E_HIST_FIELD_NOT_FOUND, -EINVAL },
	{ "keys=n:onmatch(g.e).lat(g.f.^prio,n,s)", KPT_E_HIST_EVENT_FILE_NOT_FOUND,
	  -EINVAL },
	{ "keys=len:onmatch(g.e).lat(^prio,n,s)", KPT_E_HIST_HIST_NOT_FOUND, -EINVAL },
	{ "keys=n:onmatch(g.e).^lat(prio,n)", KPT_E_HIST_SYNTH_COUNT_MISMATCH, -EINVAL },
	{ "keys=n:onmatch(g.e).lat(len,^prio,s)", KPT_E_HIST_SYNTH_TYPE_MISMATCH,
	  -EINVAL },
	{ "keys=n:onmatch(g.e).lat(len,^,s)", KPT_E_HIST_INVALID_PARAM, -EINVAL },
};

TEST(mistakes)
{
	const char *caret;
	char copy[256];
	size_t i, column;
	int err;

	setup();
	start(&from, "keys=n:x=len");
	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		caret = strchr(rows[i].text, '^');
		snprintf(copy, sizeof(copy), "%.*s%s", (int)(caret - rows[i].text),
			 rows[i].text, caret + 1);
		column = (size_t)(caret - rows[i].text);
		if (column)
			column += strlen("hist:");
		err = parse(&to, copy);
		if (err != rows[i].err || diag.code != rows[i].code ||
		    diag.column != column)
			printf("%s: %d, %s at %u\n", rows[i].text, err,
			       kpt_diag_text(diag.code), diag.column);
		EXPECT_EQ(err, rows[i].err);
		EXPECT_EQ(diag.code, rows[i].code);
		EXPECT_EQ(diag.column, column);
	}
}

/* Any text is accepted or refused, with a column inside it. */
TEST(any_text)
{
	static const char *const pieces[] = {
		"keys=", "vals=", "n", "len", "s", ":", ",", "=", "$x", "(", ")",
		".", "onmatch(g.e).", "onmax($a).", "onchange($a).", "save(", "lat(",
		"snapshot()", "trace(lat,", "prio", "g.own.", "a=", "b=", "+", "-", "*", "/", "2",
		"common_timestamp", ".usecs", "common_stacktrace", " if ", "g.e.$x",
	};
	char trigger[512];
	unsigned int i, n;

	setup();
	start(&from, "keys=n:x=len");
	for (i = 0; i < 20000; i++) {
		strcpy(trigger, i % 2 ? "keys=n:a=len:" : "");
		for (n = test_random() % 12; n; n--)
			strcat(trigger, pieces[test_random() % ARRAY_SIZE(pieces)]);
		if (parse(&to, trigger))
			EXPECT(diag.column <= strlen(trigger) + 6);
		else
			EXPECT(lists_itself(&to));
	}
}

TEST_MAIN
