// SPDX-License-Identifier: GPL-2.0-only
/* Histograms that refer to each other: variables, references, actions. */
#include <kptrace/port.h>
#include "lib/hist_hit.h"
#include "lib/synth.h"
#include "fields.h"
#include "harness.h"
#include "world.h"

/**
 * struct side - one histogram: the one that defines, and the one that refers
 * @hist: its trigger
 * @map: its map
 * @hit: the last hit
 * @var: kpt_hist_hit.var
 */
struct side {
	struct kpt_hist hist;
	struct kpt_hist_map *map;
	struct kpt_hist_hit hit;
	u64 var[KPT_HIST_REFS_MAX];
};

static struct shape shape;
static struct side from, to;
static struct kpt_synth_shape synth;
static struct kpt_diag diag;
static char text[8192];

static unsigned int find_var(const struct kpt_hist_scope *base __attribute__((unused)),
			     const char *event,
			     size_t event_len, const char *name, size_t len,
			     struct kpt_hist_ref *ref)
{
	unsigned int i;

	if (len == 4 && !memcmp(name, "many", 4))
		return 2;
	if (event && (event_len != 3 || memcmp(event, "g.e", 3)))
		return 0;
	for (i = 0; i < from.hist.nr_vars; i++) {
		if (strlen(from.hist.var[i].name) != len ||
		    memcmp(from.hist.var[i].name, name, len))
			continue;
		*ref = (struct kpt_hist_ref){
			.owner = &from, .map = from.map, .hist = &from.hist,
			.var = (u8)i,
		};
		return 1;
	}
	return 0;
}

static bool has_var(const struct kpt_hist_scope *base __attribute__((unused)),
		    const char *name, size_t len)
{
	return len == 5 && !memcmp(name, "taken", 5);
}

static bool has_event(const struct kpt_hist_scope *base __attribute__((unused)),
			     const char *event,
		      size_t len)
{
	return len == 3 && !memcmp(event, "g.e", 3);
}

static bool is_own_event(const struct kpt_hist_scope *base __attribute__((unused)),
			 const char *event, size_t len)
{
	return len == 5 && !memcmp(event, "g.own", 5);
}

/* g.e has a field "prio", which its variable x keeps. */
static enum kpt_diag_code
field_var(const struct kpt_hist_scope *base, const struct kpt_hist *hist,
	  const char *event, size_t event_len, const char *field, size_t len,
	  struct kpt_hist_ref *ref)
{
	if (!has_event(base, event, event_len))
		return KPT_E_HIST_EVENT_FILE_NOT_FOUND;
	if (len != 4 || memcmp(field, "prio", 4))
		return KPT_E_HIST_FIELD_NOT_FOUND;
	if (!kpt_hist_same_key_types(&from.hist, hist))
		return KPT_E_HIST_HIST_NOT_FOUND;
	find_var(base, event, event_len, "x", 1, ref);
	return KPT_E_NONE;
}

static const struct kpt_fields *
synth_fields(const struct kpt_hist_scope *base __attribute__((unused)),
	     const char *name, size_t len,
					     void **found)
{
	if (len != 3 || memcmp(name, "lat", 3))
		return NULL;
	*found = &synth;
	return &synth.fields;
}

static const struct kpt_hist_scope scope = {
	.find_var = find_var, .has_var = has_var, .has_event = has_event,
	.is_own_event = is_own_event, .field_var = field_var,
	.synth_fields = synth_fields,
};

static int parse(struct side *side, const char *trigger)
{
	const char *filter;

	return kpt_hist_parse(&side->hist, trigger, &filter, &shape.f, &scope, &diag);
}

static void setup(void)
{
	static const char line[] = "lat u64 lat; s32 n; char name[]";
	struct kpt_def *def = malloc(sizeof(*def));

	world_reset();
	shape_init(&shape, false);
	shape_add(&shape, "n", KPT_TYPE_S32, 0);
	shape_add(&shape, "len", KPT_TYPE_U64, 0);
	shape_add(&shape, "s", KPT_TYPE_STRING, 0);
	EXPECT_EQ(kpt_def_parse_synthetic(def, line, sizeof(line) - 1, &diag), 0);
	EXPECT_EQ(kpt_synth_parse(&synth, def, &diag), 0);
	free(def);
	memset(&from.hist, 0, sizeof(from.hist));
}

static void start(struct side *side, const char *trigger)
{
	EXPECT_EQ(parse(side, trigger), 0);
	free(side->map);
	side->map = malloc(kpt_hist_map_size(&side->hist));
	memset(side->map, 0xaa, kpt_hist_map_size(&side->hist));
	kpt_hist_map_init(side->map, &side->hist);
	memset(side->var, 0xaa, sizeof(side->var));
}

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
		.var = side->var,
	};
	return kpt_hist_add_related(&side->hist, side->map, &side->hit);
}

static u64 param(struct side *side, unsigned int i)
{
	return kpt_hist_value(&side->hist.param[i].value, &side->hit);
}

static const char *show(struct side *side)
{
	u32 *order = malloc(sizeof(*order) << side->hist.bits);
	struct kpt_hist_view view;
	struct kpt_strbuf sb;
	u32 i;

	kpt_strbuf_init(&sb, text, sizeof(text));
	kpt_hist_view_init(&view, &side->hist, side->map, order);
	for (i = 0; i < view.nr; i++)
		kpt_hist_show_entry(&sb, &view, i);
	kpt_hist_show_totals(&sb, &view);
	free(order);
	return text;
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

/* Values are compared with their sign, for snapshot() too. */
TEST(onmax_of_a_signed_variable)
{
	const struct kpt_hist_action *a = to.hist.action;
	u64 v;

	setup();
	start(&to, "keys=len:x=n:onmax($x).save(n)");
	EXPECT(add(&to, 5, 5, 0, "five"));
	EXPECT(kpt_hist_fires(&to.hist, to.map, a, &to.hit, &v));
	EXPECT(add(&to, -1, 5, 0, "less"));
	EXPECT(!kpt_hist_fires(&to.hist, to.map, a, &to.hit, &v));
	EXPECT(kpt_hist_beats(a, 1, (u64)-1));
	EXPECT(!kpt_hist_beats(a, (u64)-1, 1));
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

static const char *listing(const char *trigger)
{
	struct kpt_strbuf sb;

	EXPECT_EQ(parse(&to, trigger), 0);
	kpt_strbuf_init(&sb, text, sizeof(text));
	kpt_hist_show_trigger(&sb, &to.hist, NULL, false);
	return text;
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
	EXPECT_STR(listing("keys=common_stacktrace,n"),
		   "hist:keys=common_stacktrace,n:vals=hitcount:sort=hitcount:"
		   "size=2048 [active]\n");
}

TEST(stack_is_a_key)
{
	static const u64 stack[32] = { 2, 0x1234, 0x5678 };

	setup();
	start(&to, "keys=common_stacktrace:st=stacktrace");
	to.hit.stack = stack;
	EXPECT(to.hist.uses_stack && to.hist.is_related);
}

static const struct {
	const char *text;
	enum kpt_diag_code code;
	int err;
} rows[] = {
	{ "keys=n:a=len,^a=n", KPT_E_HIST_DUPLICATE_VAR, -EINVAL },
	{ "keys=n:^taken=n", KPT_E_HIST_DUPLICATE_VAR, -EINVAL },
	{ "keys=n:a=len,^b", KPT_E_HIST_MALFORMED_ASSIGNMENT, -EINVAL },
	{ "keys=n:^a=", KPT_E_HIST_EMPTY_ASSIGNMENT, -EINVAL },
	{ "keys=n:a=$^no", KPT_E_HIST_VAR_NOT_FOUND, -EINVAL },
	{ "keys=n:a=$^many", KPT_E_HIST_VAR_NOT_UNIQUE, -EINVAL },
	{ "keys=n:a=g.f.$^x", KPT_E_HIST_VAR_NOT_FOUND, -EINVAL },
	{ "keys=n:a=^nothing", KPT_E_HIST_FIELD_NOT_FOUND, -EINVAL },
	{ "keys=n:a=len.^log2", KPT_E_HIST_BAD_FIELD_MODIFIER, -EINVAL },
	{ "keys=n:a=1/^0", KPT_E_HIST_DIVISION_BY_ZERO, -EDOM },
	{ "keys=n:a=^s+1", KPT_E_HIST_STR_OPERAND, -EINVAL },
	{ "keys=^$x", KPT_E_HIST_VAR_IN_KEY, -EINVAL },
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
			EXPECT(kpt_hist_same(&to.hist, &to.hist));
	}
}

TEST_MAIN
