// SPDX-License-Identifier: GPL-2.0-only
/* Histograms: what is counted, what a full map does, the text of hist files. */
#include <pthread.h>
#include "lib/base/port.h"
#include "parts/hist/hist.h"
#include "fields.h"
#include "harness.h"
#include "world.h"

static struct shape shape;
static struct bytes rec;
static struct kpt_hist hist;
static struct kpt_hist_map *map;
static struct kpt_hist_hit hit;
static const char *filter;
static char text[65536];

/* Fields: pid (s32), len (u64), ip (x64), s (string). */
static void setup(void)
{
	world_reset();
	world.symbols[0] = (struct world_symbol){ "vfs_read", 0x1000, 0x40 };
	world.symbols[1] = (struct world_symbol){ "vfs_write", 0x2000, 0x40 };
	world.nr_symbols = 2;
	shape_init(&shape, false);
	shape_add(&shape, "n", KPT_TYPE_S32, 0);
	shape_add(&shape, "len", KPT_TYPE_U64, 0);
	shape_add(&shape, "ip", KPT_TYPE_X64, 0);
	shape_add(&shape, "s", KPT_TYPE_STRING, 0);
	shape_add(&shape, "a", KPT_TYPE_U8, 3);
	shape_add(&shape, "b", KPT_TYPE_S8, 0);
}

static void setup_forms(void)
{
	world_reset();
	shape_init(&shape, false);
	shape_add(&shape, "a", KPT_TYPE_IPV4, 0);
	shape_add(&shape, "e", KPT_TYPE_ERRNO, 0);
	shape_add(&shape, "c", KPT_TYPE_S8, 0);
}

static void start_shape(void (*make)(void), const char *trigger)
{
	struct kpt_diag diag;

	make();
	free(map);
	map = NULL;
	EXPECT_EQ(kpt_hist_parse(&hist, trigger, &filter, &shape.f, NULL, &diag), 0);
	map = malloc(kpt_hist_map_size(&hist));
	memset(map, 0xaa, kpt_hist_map_size(&hist));
	kpt_hist_map_init(map, &hist);
	hit = (struct kpt_hist_hit){ .cpu = 3, .ts = 5000, .ts_in_ns = true };
}

static void start(const char *trigger)
{
	start_shape(setup, trigger);
}

/* Adds @rec, in memory of exactly its size. */
static bool add_record(void)
{
	u8 *copy = malloc(rec.size);
	bool added;

	memcpy(copy, rec.b, rec.size);
	hit.record = copy;
	hit.size = rec.size;
	added = kpt_hist_add(&hist, map, &hit);
	free(copy);
	return added;
}

static bool add(s32 n, u64 len, u64 ip, const char *s)
{
	bytes_init(&rec, &shape, 0x1000, 0);
	bytes_set(&rec, &shape, 0, 0, (u64)n);
	bytes_set(&rec, &shape, 1, 0, len);
	bytes_set(&rec, &shape, 2, 0, ip);
	bytes_set(&rec, &shape, 5, 0, (u64)n);
	if (s)
		bytes_text(&rec, &shape, 3, 0, s, strlen(s) + 1);
	return add_record();
}

static int is_over;

/* What a hit that reads a variable of the map does to find an entry of it. */
static void *find_entries(void *arg)
{
	struct kpt_hist_entry *const second = kpt_hist_map_entry(map, 1);
	size_t *wrong = arg;

	while (!__atomic_load_n(&is_over, __ATOMIC_RELAXED)) {
		__asm__ volatile("" ::: "memory");
		*wrong += kpt_hist_map_entry(map, 1) != second;
	}
	return NULL;
}

TEST(clear_keeps_places)
{
	pthread_t thread;
	size_t wrong = 0;
	int i;

	start("keys=n");
	pthread_create(&thread, NULL, find_entries, &wrong);
	for (i = 0; i < 3000; i++)
		kpt_hist_map_init(map, &hist);
	__atomic_store_n(&is_over, 1, __ATOMIC_RELAXED);
	pthread_join(thread, NULL);
	EXPECT_EQ(wrong, 0);
}

static const char *show(void)
{
	u32 *order = malloc(sizeof(*order) << hist.bits);
	struct kpt_hist_view view;
	struct kpt_strbuf sb;
	u32 i;

	kpt_strbuf_init(&sb, text, sizeof(text));
	kpt_hist_view_init(&view, &hist, map, order);
	kpt_hist_show_head(&sb, &hist, filter, false);
	for (i = 0; i < view.nr; i++)
		kpt_hist_show_entry(&sb, &view, i);
	kpt_hist_show_totals(&sb, &view);
	EXPECT(!sb.overflow);
	free(order);
	return text;
}

/* The entries alone. */
static const char *entries(void)
{
	char *s = strstr(show(), "#\n\n");

	strstr(s, "\nTotals:")[0] = '\0';
	return s + 3;
}

TEST(whole_file)
{
	start("keys=n:vals=len:sort=len.descending if n > 0");
	add(5, 100, 0, NULL);
	add(7, 50, 0, NULL);
	add(5, 11, 0, NULL);
	EXPECT_STR(show(),
"# event histogram\n"
"#\n"
"# trigger info: hist:keys=n:vals=hitcount,len:sort=len.descending:size=2048"
" if n > 0 [active]\n"
"#\n"
"\n"
"{ n:          5 } hitcount:          2  len:        111\n"
"{ n:          7 } hitcount:          1  len:         50\n"
"\n"
"Totals:\n"
"    Hits: 3\n"
"    Entries: 2\n"
"    Dropped: 0\n");
	start("keys=n");
	EXPECT_STR(entries(), "");
	EXPECT(strstr(show(), "    Hits: 0\n    Entries: 0\n"));
}

TEST(keys_of_every_kind)
{
	start("keys=n,b");
	add(-1, 0, 0, NULL);
	EXPECT_STR(entries(), "{ n: 18446744073709551615, "
		   "b: 18446744073709551615 } hitcount:          1\n");
	start("keys=ip.hex,len.log2");
	add(0, 1000, 0xffff000000001234, NULL);
	EXPECT_STR(entries(), "{ ip: ffff000000001234, len: ~ 2^10 } "
		   "hitcount:          1\n");
	start("keys=ip.sym");
	add(0, 0, 0x1010, NULL);
	EXPECT_STR(entries(), "{ ip: [1010] vfs_read                           "
		   "           } hitcount:          1\n");
	start("keys=ip.sym-offset");
	add(0, 0, 0x1010, NULL);
	EXPECT_STR(entries(), "{ ip: [1010] vfs_read+0x10/0x40                 "
		   "                     } hitcount:          1\n");
	start("keys=ip.sym");
	add(0, 0, 0x9999, NULL);
	EXPECT_STR(entries(), "{ ip: [9999] 0x9999                             "
		   "           } hitcount:          1\n");
	start("keys=s,common_cpu");
	add(0, 0, 0, "abc");
	EXPECT_STR(entries(), "{ s: abc                                         "
		   "      , common_cpu:          3 } hitcount:          1\n");
	start("keys=common_uid,common_cgroup.hex:vals=common_tgid");
	add(0, 0, 0, NULL);
	add(0, 0, 0, NULL);
	EXPECT_STR(entries(), "{ common_uid: 4000000000, common_cgroup: 10000000007 } "
		   "hitcount:          2  common_tgid:         82\n");
	start("keys=comm");
	add(0, 0, 0, NULL);
	EXPECT_STR(entries(), "{ comm: hosttest                                 "
		   "          } hitcount:          1\n");
	start("keys=len.buckets=10");
	add(0, 19, 0, NULL);
	add(0, 10, 0, NULL);
	EXPECT_STR(entries(),
		   "{ len: ~ 10-19 } hitcount:          2\n");
	start("keys=common_timestamp.usecs");
	add(0, 0, 0, NULL);
	EXPECT_STR(entries(),
		   "{ common_timestamp:          5 } hitcount:          1\n");
	start("keys=common_timestamp.usecs");
	hit.ts = 5499;
	add(0, 0, 0, NULL);
	hit.ts = 5500;
	add(0, 0, 0, NULL);
	EXPECT_STR(entries(),
		   "{ common_timestamp:          5 } hitcount:          1\n"
		   "{ common_timestamp:          6 } hitcount:          1\n");
	start("keys=common_timestamp.usecs");
	hit.ts = 5000;
	add(0, 0, 0, NULL);
	hit.ts_in_ns = false;
	add(0, 0, 0, NULL);
	EXPECT_STR(entries(),
		   "{ common_timestamp:          5 } hitcount:          1\n"
		   "{ common_timestamp:       5000 } hitcount:          1\n");
	start("keys=hitcount");
	add(0, 0, 0, NULL);
	EXPECT_STR(entries(), "{ hitcount:          1 } hitcount:          1\n");
}

/* Keys are shown as lines of trace show them, unless a modifier says otherwise. */
TEST(keys_in_the_form_of_lines)
{
	static const struct {
		u32 bytes, nr;
		struct kpt_enum_value value[1];
		char name[8];
	} dark = { sizeof(dark), 1, { { 0xff, offsetof(typeof(dark), name) } }, "DARK" };
	static const char *const keys[] = { "a", "e", "a.hex,e.log2", "c", "e+1" };
	static const char *const want[] = {
		"{ a:  127.0.0.1 } hitcount:          1\n",
		"{ e:    -ENOENT } hitcount:          1\n",
		"{ a: 100007f, e: ~ 2^64 } hitcount:          1\n",
		"{ c:       DARK } hitcount:          1\n",
		"{ e+1: 18446744073709551615 } hitcount:          1\n",
	};
	char trigger[64];
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(keys); i++) {
		snprintf(trigger, sizeof(trigger), "keys=%s", keys[i]);
		start_shape(setup_forms, trigger);
		bytes_init(&rec, &shape, 0x1000, 0);
		bytes_set(&rec, &shape, 0, 0, 0x0100007f);
		bytes_set(&rec, &shape, 1, 0, (u64)-2);
		bytes_set(&rec, &shape, 2, 0, 0xff);
		shape.room[2].names = (const struct kpt_enum *)&dark;
		hist.key[0].names = shape.room[keys[i][0] == 'c' ? 2 : 0].names;
		add_record();
		EXPECT_STR(entries(), want[i]);
	}
}

TEST(execname_is_of_the_first_task)
{
	start("keys=common_pid.execname");
	add(0, 0, 0, NULL);
	strcpy(world.comm, "other");
	add(0, 0, 0, NULL);
	EXPECT_STR(entries(), "{ common_pid: hosttest        [        42] } "
		   "hitcount:          2\n");
	start("keys=common_pid.execname");
	bytes_init(&rec, &shape, 0, 0);
	memset(rec.b + 4, 0, 4);
	EXPECT(add_record());
	EXPECT_STR(entries(), "{ common_pid: <idle>          [         0] } "
		   "hitcount:          1\n");
}

TEST(log2_rounds_up)
{
	static const struct {
		u64 v;
		unsigned int log2;
	} rows[] = {
		{ 0, 0 }, { 1, 0 }, { 2, 1 }, { 3, 2 }, { 4, 2 }, { 5, 3 },
		{ 1ULL << 63, 63 }, { (1ULL << 63) + 1, 64 }, { ~0ULL, 64 },
	};
	char want[64];
	size_t i;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		start("keys=len.log2");
		add(0, rows[i].v, 0, NULL);
		sprintf(want, "{ len: ~ 2^%-2u } hitcount:          1\n",
			rows[i].log2);
		EXPECT_STR(entries(), want);
	}
}

TEST(values_of_every_kind)
{
	start("keys=n:vals=len.percent,hitcount.graph:nohitcount");
	add(1, 30, 0, NULL);
	add(1, 30, 0, NULL);
	add(2, 30, 0, NULL);
	EXPECT_STR(entries(),
		   "{ n:          2 }  len (%):  33.33  hitcount: ##########"
		   "          \n"
		   "{ n:          1 }  len (%):  66.66  hitcount: ##########"
		   "##########\n");
	start("keys=n:values=len.hex");
	add(1, 255, 0, NULL);
	EXPECT_STR(entries(),
		   "{ n:          1 } hitcount:          1  len:         ff\n");
	start("keys=n:val=b,common_cpu");
	add(-2, 0, 0, NULL);
	add(-2, 0, 0, NULL);
	EXPECT_STR(entries(), "{ n: 18446744073709551614 } hitcount:          2"
		   "  b:         -4  common_cpu:          6\n");
	start("keys=n:vals=len.percent,len.graph");
	add(1, 0, 0, NULL);
	EXPECT_STR(entries(), "{ n:          1 } hitcount:          1"
		   "  len (%):   0.00  len:                     \n");
}

TEST(percent_of_huge_sums)
{
	start("keys=n:vals=len.percent,len.graph:sort=n");
	add(1, 1ULL << 62, 0, NULL);
	add(2, 1ULL << 61, 0, NULL);
	EXPECT_STR(entries(), "{ n:          1 } hitcount:          1"
		   "  len (%):  66.66  len: ####################\n"
		   "{ n:          2 } hitcount:          1"
		   "  len (%):  33.33  len: ##########          \n");
}

TEST(sorting)
{
	start("keys=n:vals=b:sort=b");
	add(-2, 0, 0, NULL);
	add(3, 0, 0, NULL);
	EXPECT_STR(entries(), "{ n: 18446744073709551614 } hitcount:          1"
		   "  b:         -2\n"
		   "{ n:          3 } hitcount:          1  b:          3\n");
	start("keys=n:sort=n");
	add(3, 0, 0, NULL);
	add(-1, 0, 0, NULL);
	add(2, 0, 0, NULL);
	EXPECT_STR(entries(), "{ n: 18446744073709551615 } hitcount:          1\n"
		   "{ n:          2 } hitcount:          1\n"
		   "{ n:          3 } hitcount:          1\n");
	/* one key decides where the other does not, the key itself at last */
	start("keys=n,len:sort=n.descending,len.ascending");
	add(1, 9, 0, NULL);
	add(2, 7, 0, NULL);
	add(2, 5, 0, NULL);
	EXPECT_STR(entries(),
		   "{ n:          2, len:          5 } hitcount:          1\n"
		   "{ n:          2, len:          7 } hitcount:          1\n"
		   "{ n:          1, len:          9 } hitcount:          1\n");
	start("keys=len");
	add(0, 256, 0, NULL);
	add(0, 1, 0, NULL);
	add(0, 2, 0, NULL);
	add(0, 2, 0, NULL);
	EXPECT_STR(entries(), "{ len:          1 } hitcount:          1\n"
		   "{ len:        256 } hitcount:          1\n"
		   "{ len:          2 } hitcount:          2\n");
	start("keys=s:sort=s");
	add(0, 0, 0, "b");
	add(0, 0, 0, "ab");
	add(0, 0, 0, "abc");
	EXPECT(strstr(entries(), "s: ab ") < strstr(text, "s: abc "));
	EXPECT(strstr(text, "s: abc ") < strstr(text, "s: b "));
}

TEST(many_random_keys_sort_and_count)
{
	static u64 count[1000];
	u32 *order = malloc(sizeof(*order) << 11), i, v;
	struct kpt_hist_view view;
	u64 last = 0, key;

	start("keys=len:vals=len");
	memset(count, 0, sizeof(count));
	for (i = 0; i < 50000; i++) {
		v = (u32)(test_random() % 1000);
		v = v * v / 1000;
		count[v]++;
		EXPECT(add(0, v, 0, NULL));
	}
	kpt_hist_view_init(&view, &hist, map, order);
	for (i = 0; i < view.nr; i++) {
		struct kpt_hist_entry *e = kpt_hist_map_entry(map, order[i]);

		memcpy(&key, e->key, 8);
		EXPECT_EQ(e->sum[0].counter, count[key]);
		EXPECT_EQ(e->sum[1].counter, count[key] * key);
		EXPECT(count[key] >= last);
		last = count[key];
		count[key] = 0;
	}
	for (i = 0; i < 1000; i++)
		EXPECT_EQ(count[i], 0);
	EXPECT_EQ(view.hits, 50000);
	free(order);
}

TEST(full_map_drops)
{
	u32 i;

	start("keys=len:size=128");
	for (i = 0; i < 128; i++)
		EXPECT(add(0, i, 0, NULL));
	for (i = 0; i < 10; i++)
		EXPECT(!add(0, 1000 + i, 0, NULL));
	/* keys that are there still count */
	for (i = 0; i < 128; i++)
		EXPECT(add(0, i, 0, NULL));
	EXPECT(strstr(show(), "    Hits: 256\n    Entries: 128\n"
		      "    Dropped: 10\n"));
	kpt_hist_map_init(map, &hist);
	EXPECT(strstr(show(), "    Hits: 0\n    Entries: 0\n"
		      "    Dropped: 0\n"));
}

static u64 inner_len;

/* Another CPU adds while an add has its entry but not yet its slot. */
static void other_cpu(void)
{
	struct kpt_hist_hit outer = hit;

	world.comm_hook = NULL;
	world.is_other_cpu = true;
	EXPECT(add(0, inner_len, 0, NULL));
	world.is_other_cpu = false;
	hit = outer;
}

TEST(add_during_an_add)
{
	u32 i;

	/* another key: both are there */
	start("keys=len,common_pid.execname:size=128");
	world.comm_hook = other_cpu;
	inner_len = 2;
	EXPECT(add(0, 1, 0, NULL));
	EXPECT(strstr(show(), "Entries: 2\n"));
	/* the same key: one entry, the other is given back and used again */
	for (i = 0; i < 10; i++) {
		world.comm_hook = other_cpu;
		inner_len = 100 + i;
		EXPECT(add(0, 100 + i, 0, NULL));
	}
	EXPECT(strstr(show(), "Hits: 22\n    Entries: 12\n"));
	EXPECT_EQ(map->next, 13);
	for (i = 0; i < 128 - 12; i++)
		EXPECT(add(0, 1000 + i, 0, NULL));
	EXPECT(!add(0, 9999, 0, NULL));
	EXPECT(strstr(show(), "Entries: 128\n    Dropped: 1\n"));
}

TEST(strings_in_keys)
{
	char long_text[300];

	start("keys=s");
	add(0, 0, 0, "");
	add(0, 0, 0, NULL);	/* fault */
	EXPECT(strstr(show(), "Entries: 1\n"));
	memset(long_text, 'x', 299);
	long_text[299] = '\0';
	add(0, 0, 0, long_text);
	long_text[255] = '\0';
	add(0, 0, 0, long_text);
	EXPECT(strstr(show(), "Entries: 2\n"));
	long_text[254] = '\0';
	add(0, 0, 0, long_text);
	EXPECT(strstr(show(), "Entries: 3\n"));
	/* a place outside of the record */
	bytes_init(&rec, &shape, 0, 0);
	bytes_set(&rec, &shape, 3, 0, kpt_data_loc((u32)rec.size - 1, 2));
	bytes_set(&rec, &shape, 5, 0, 'z');
	EXPECT(add_record());
	EXPECT(strstr(show(), "Entries: 3\n"));
}

static const char *trigger(const char *s, bool paused)
{
	struct kpt_strbuf sb;
	struct kpt_diag diag;

	setup();
	kpt_strbuf_init(&sb, text, sizeof(text));
	if (kpt_hist_parse(&hist, s, &filter, &shape.f, NULL, &diag))
		return kpt_diag_text(diag.code);
	kpt_hist_show_trigger(&sb, &hist, filter, paused);
	return text;
}

TEST(triggers_read_back)
{
	EXPECT_STR(trigger("keys=n", false),
		   "hist:keys=n:vals=hitcount:sort=hitcount:size=2048 "
		   "[active]\n");
	EXPECT_STR(trigger("key=n.buckets=0x10,ip.sym-offset,CPU:val=hitcount,"
			   "len.percent,b:sort=n.descending,len:size=100:"
			   "name=foo:clock=mono:pause", true),
		   "hist:name=foo:keys=n.buckets=16,ip.sym-offset,common_cpu:"
		   "vals=hitcount,len.percent,b:sort=n.buckets=16.descending,"
		   "len.percent:size=128 [paused]\n");
	EXPECT(hist.pause && !hist.cont && !hist.clear);
	EXPECT_STR(trigger("keys=common_timestamp:vals=len:NOHC:clear:cont "
			   " if s ~ 'if '", false),
		   "hist:keys=common_timestamp:vals=len:sort=hitcount:size=2048"
		   ":clock=global:nohitcount if s ~ 'if ' [active]\n");
	EXPECT(hist.cont && hist.clear);
	EXPECT_STR(trigger("keys=n:vals=len,hitcount,hitcount", false),
		   "hist:keys=n:vals=hitcount,len,hitcount:sort=hitcount:"
		   "size=2048 [active]\n");
	EXPECT_STR(trigger("keys=comm,n:size=131072:sort=comm", false),
		   "hist:keys=common_comm,n:vals=hitcount:sort=common_comm:"
		   "size=131072 [active]\n");
}

/* The value of an expression as the key, n being 6, len 100 and b -2. */
static u64 value_of(const char *expression)
{
	char text[200];
	u64 key;

	sprintf(text, "keys=%s", expression);
	start(text);
	bytes_init(&rec, &shape, 0x1000, 0);
	bytes_set(&rec, &shape, 0, 0, 6);
	bytes_set(&rec, &shape, 1, 0, 100);
	bytes_set(&rec, &shape, 5, 0, (u64)-2);
	EXPECT(add_record());
	memcpy(&key, kpt_hist_map_entry(map, 0)->key, sizeof(key));
	return key;
}

TEST(expressions)
{
	static const struct {
		const char *text;
		u64 value;
	} rows[] = {
		{ "123", 123 }, { "0x10", 16 }, { "len+1", 101 },
		{ "16-8-4-2", 2 }, { "64/8/4/2", 1 }, { "16-8+4+2", 14 },
		{ "4*3/2*2", 12 }, { "4+3*2-2", 8 }, { "4+6/2-2", 5 },
		{ "len-n-n-n", 82 }, { "len/n/b", 0 }, { "len-n*n+n", 70 },
		{ "n+len*2-n", 200 }, { "n*2+len/3", 45 }, { "n-len", (u64)-94 },
		{ "-(n)", (u64)-6 }, { "-(n-len)", 94 }, { "-(n+len-1)", (u64)-105 },
		{ "-(-(n))", 6 }, { "n/common_cpu", 2 }, { "len/b", 0 },
		{ "n/len", 0 }, { "b*b", 4 }, { "n/hitcount", 6 },
		{ "len.log2+1", 8 }, { "1+len.buckets=30*2", 181 },
		{ "n.sym-offset-1", 5 }, { "len-n.sym-offset", 94 },
		{ "common_timestamp.usecs", 5 }, { "common_timestamp-n", 4994 },
		{ "common_timestamp.usecs-n", (u64)-1 },
		{ "len-n.log2*n.log2-n.log2", 88 },
		{ "n.buckets=4-n.buckets=5+n.buckets=3*n.log2", 17 },
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		if (value_of(rows[i].text) == rows[i].value)
			continue;
		printf("%s: %lld\n", rows[i].text,
		       (long long)value_of(rows[i].text));
		test_failures++;
	}
	/* a divisor that is 0 in some hit */
	start("keys=len/n");
	add(0, 5, 0, NULL);
	EXPECT_STR(entries(), "{ len/n: 18446744073709551615 } "
		   "hitcount:          1\n");
	/* keys, values and what sorts by them */
	start("keys=n-10,7:vals=len*2,3:sort=n-10,len*2");
	add(20, 5, 0, NULL);
	add(20, 6, 0, NULL);
	add(3, 1, 0, NULL);
	EXPECT_STR(entries(),
		   "{ n-10: 18446744073709551609, 7:          7 } "
		   "hitcount:          1  len*2:          2  3:          3\n"
		   "{ n-10:         10, 7:          7 } "
		   "hitcount:          2  len*2:         22  3:          6\n");
	EXPECT_STR(trigger("keys=n.hex-b,2+3,CPU.log2:vals=CPU+1", false),
		   "hist:keys=n.hex-b,5,common_cpu.log2:vals=hitcount,CPU+1:"
		   "sort=hitcount:size=2048 [active]\n");
}

TEST(same_triggers)
{
	struct kpt_hist a, b;
	struct kpt_diag diag;
	const char *f;
	static const struct {
		const char *a;
		const char *b;
		bool same;
	} rows[] = {
		{ "keys=n", "keys=n:size=128:pause", true },
		{ "keys=n", "keys=n:name=x", true },
		{ "keys=n", "keys=len", false },
		{ "keys=n", "keys=n.hex", false },
		{ "keys=n", "keys=n,len", false },
		{ "keys=n,len", "keys=len,n", false },
		{ "keys=n:vals=len", "keys=n", false },
		{ "keys=n:vals=len", "keys=n:vals=ip", false },
		{ "keys=n:sort=n", "keys=n", false },
		{ "keys=n:sort=n", "keys=n:sort=n.descending", false },
		{ "keys=n:sort=n", "keys=n:sort=n,hitcount", false },
		{ "keys=n.buckets=1", "keys=n.buckets=2", false },
		{ "keys=n+1", "keys=n+1", true },
		{ "keys=n+1", "keys=n+2", false },
		{ "keys=n+len", "keys=n+b", false },
		{ "keys=n+len", "keys=n-len", false },
		{ "keys=2+3", "keys=5", true },
	};
	size_t i;

	setup();
	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		kpt_hist_parse(&a, rows[i].a, &f, &shape.f, NULL, &diag);
		kpt_hist_parse(&b, rows[i].b, &f, &shape.f, NULL, &diag);
		EXPECT_EQ(kpt_hist_same(&a, &b), rows[i].same);
		EXPECT_EQ(kpt_hist_same(&b, &a), rows[i].same);
		EXPECT(kpt_hist_same(&a, &a));
	}
}

static const struct {
	const char *text;
	enum kpt_diag_code code;
	unsigned int column;
	int err;
} mistake_rows[] = {
	{ "keys=", KPT_E_HIST_EMPTY_ASSIGNMENT, 5, -EINVAL },
	{ "keys=n:sort=", KPT_E_HIST_EMPTY_ASSIGNMENT, 12, -EINVAL },
	{ "keys=nosuch", KPT_E_HIST_FIELD_NOT_FOUND, 10, -EINVAL },
	{ "keys=n,,b", KPT_E_HIST_FIELD_NOT_FOUND, 12, -EINVAL },
	{ "keys=n:vals=nosuch", KPT_E_HIST_FIELD_NOT_FOUND, 17, -EINVAL },
	{ "keys=n.nosuch", KPT_E_HIST_BAD_FIELD_MODIFIER, 12, -EINVAL },
	{ "keys=n.", KPT_E_HIST_BAD_FIELD_MODIFIER, 12, -EINVAL },
	{ "keys=n.hex.sym", KPT_E_HIST_BAD_FIELD_MODIFIER, 12, -EINVAL },
	{ "keys=n.percent", KPT_E_HIST_BAD_FIELD_MODIFIER, 12, -EINVAL },
	{ "keys=n.graph", KPT_E_HIST_BAD_FIELD_MODIFIER, 12, -EINVAL },
	{ "keys=n.execname", KPT_E_HIST_BAD_FIELD_MODIFIER, 12, -EINVAL },
	{ "keys=n.buckets=0", KPT_E_HIST_BAD_FIELD_MODIFIER, 12, -EINVAL },
	{ "keys=n.buckets", KPT_E_HIST_BAD_FIELD_MODIFIER, 12, -EINVAL },
	{ "keys=s.hex", KPT_E_HIST_BAD_FIELD_MODIFIER, 12, -EINVAL },
	{ "keys=n:vals=len.log2", KPT_E_HIST_BAD_FIELD_MODIFIER, 17,
	  -EINVAL },
	{ "keys=n:vals=ip.sym", KPT_E_HIST_BAD_FIELD_MODIFIER, 17,
	  -EINVAL },
	{ "keys=n:sort=", KPT_E_HIST_EMPTY_ASSIGNMENT, 12, -EINVAL },
	{ "keys=n:sort=,n", KPT_E_HIST_EMPTY_SORT_FIELD, 12, -EINVAL },
	{ "keys=n:sort=n,", KPT_E_HIST_EMPTY_SORT_FIELD, 12, -EINVAL },
	{ "keys=n:sort=.descending", KPT_E_HIST_EMPTY_SORT_FIELD, 12,
	  -EINVAL },
	{ "keys=n:sort=len", KPT_E_HIST_INVALID_SORT_FIELD, 17, -EINVAL },
	{ "keys=n:sort=n.up", KPT_E_HIST_INVALID_SORT_MODIFIER, 19,
	  -EINVAL },
	{ "keys=n,len,b:sort=n,len,b", KPT_E_HIST_TOO_MANY_SORT_FIELDS,
	  18, -EINVAL },
	{ "keys=n:nohitcount", KPT_E_HIST_NEED_NOHC_VAL, 0, -ENOENT },
	{ "keys=$x", KPT_E_HIST_VAR_IN_KEY, 10, -EINVAL },
	{ "keys=n:vals=1+len-$x", KPT_E_HIST_VAR_NOT_FOUND, 24, -EINVAL },
	{ "keys=32+10*3/20-4", KPT_E_HIST_TOO_MANY_SUBEXPR, 13, -EINVAL },
	{ "keys=1+2+3+4+5", KPT_E_HIST_TOO_MANY_SUBEXPR, 10, -EINVAL },
	{ "keys=-(n+2+3+4)", KPT_E_HIST_TOO_MANY_SUBEXPR, 12, -EINVAL },
	{ "keys=-(1)+2", KPT_E_HIST_UNARY_MINUS_SUBEXPR, 12, -EINVAL },
	{ "keys=-n", KPT_E_HIST_MINUS_NO_PAREN, 10, -EINVAL },
	{ "keys=-(n", KPT_E_HIST_NO_CLOSING_PAREN, 12, -EINVAL },
	{ "keys=-(s)", KPT_E_HIST_STR_OPERAND, 12, -EINVAL },
	{ "keys=n:vals=1+s", KPT_E_HIST_STR_OPERAND, 19, -EINVAL },
	{ "keys=comm*2", KPT_E_HIST_STR_OPERAND, 10, -EINVAL },
	{ "keys=3/0", KPT_E_HIST_DIVISION_BY_ZERO, 12, -EDOM },
	{ "keys=n,len/0x0", KPT_E_HIST_DIVISION_BY_ZERO, 16, -EDOM },
	{ "keys=n/2-2/0", KPT_E_HIST_DIVISION_BY_ZERO, 16, -EDOM },
	{ "keys=n:vals=5x", KPT_E_HIST_EXPECT_NUMBER, 17, -EINVAL },
	{ "keys=n:vals=n+0y+1", KPT_E_HIST_EXPECT_NUMBER, 19, -EINVAL },
	{ "keys=n+", KPT_E_HIST_FIELD_NOT_FOUND, 12, -EINVAL },
	{ "keys=/n", KPT_E_HIST_FIELD_NOT_FOUND, 10, -EINVAL },
	{ "keys=n+nosuch", KPT_E_HIST_FIELD_NOT_FOUND, 12, -EINVAL },
	{ "keys=n+b.nosuch", KPT_E_HIST_BAD_FIELD_MODIFIER, 14, -EINVAL },
	{ "keys=n:vals=len.percent+1", KPT_E_HIST_BAD_FIELD_MODIFIER, 21,
	  -EINVAL },
	{ "keys=common_timestamp-common_timestamp.usecs",
	  KPT_E_HIST_TIMESTAMP_MISMATCH, 27, -EINVAL },
	{ "keys=n:vals=len.buckets=18446744073709551615-"
	  "len.buckets=18446744073709551615-len.buckets="
	  "18446744073709551615-len.buckets=18446744073709551615",
	  KPT_E_HIST_EXPR_TOO_LONG, 17, -EINVAL },
	{ "keys=n:onmax($x).save(n)", KPT_E_HIST_ONX_VAR_NOT_FOUND, 19,
	  -EINVAL },
	{ "keys=a", KPT_E_HIST_NO_NUMBER, 10, -EINVAL },
	{ "keys=n:vals=s", KPT_E_HIST_NO_NUMBER, 17, -EINVAL },
	{ "keys=n:clock=0123456789abcdef", KPT_E_HIST_SET_CLOCK_FAIL, 18,
	  -EINVAL },
	/* mainline says nothing about these */
	{ "", KPT_E_HIST_NO_KEYS, 5, -EINVAL },
	{ "vals=len", KPT_E_HIST_NO_KEYS, 14, -EINVAL },
	{ "keys=n:size=64", KPT_E_HIST_BAD_SIZE, 17, -EINVAL },
	{ "keys=n:size=131073", KPT_E_HIST_BAD_SIZE, 17, -EINVAL },
	{ "keys=n:size=x", KPT_E_HIST_BAD_SIZE, 17, -EINVAL },
	{ "keys=n:nosuch", KPT_E_HIST_UNKNOWN_WORD, 12, -EINVAL },
	{ "keys=n::pause", KPT_E_HIST_UNKNOWN_WORD, 12, -EINVAL },
	{ "keys=n,len,ip,b", KPT_E_HIST_TOO_MANY_KEYS, 19, -EINVAL },
	{ "keys=n:vals=n,len,ip", KPT_E_HIST_TOO_MANY_VALS, 23, -EINVAL },
	{ "keys=s,common_stacktrace,common_userstacktrace", KPT_E_HIST_KEY_TOO_LONG, 30, -EINVAL },
	{ "keys=n:name=0123456789012345678901234567890123456789"
	  "012345678901234567890123", KPT_E_HIST_NAME_TOO_LONG, 17,
	  -EINVAL },
	{ "if n > 1", KPT_E_HIST_NO_KEYS, 5, -EINVAL },
	{ "keys=n if", KPT_E_TRIGGER_NO_FILTER, 15, -EINVAL },
	{ "keys=n if ", KPT_E_TRIGGER_NO_FILTER, 16, -EINVAL },
	{ "keys=n ifn", KPT_E_HIST_FIELD_NOT_FOUND, 10, -EINVAL },
};

TEST(mistakes)
{
	struct kpt_diag diag;
	size_t i;
	int err;

	setup();
	for (i = 0; i < ARRAY_SIZE(mistake_rows); i++) {
		memset(&diag, 0xff, sizeof(diag));
		err = kpt_hist_parse(&hist, mistake_rows[i].text, &filter, &shape.f,
				     NULL, &diag);
		if (err == mistake_rows[i].err && diag.code == mistake_rows[i].code &&
		    diag.column == mistake_rows[i].column)
			continue;
		printf("'%s': %d, %s at %u\n", mistake_rows[i].text, err,
		       kpt_diag_text(diag.code), diag.column);
		test_failures++;
	}
}

/*
 * Arrays of characters take no more of a key than they have, if there is no room for
 * more; their fields may be full, without a NUL.
 */
TEST(keys_of_known_sizes)
{
	static const struct kpt_head_field arrays[] = {
		{ "prev", "char prev[16]", { KPT_FIELD_CHARS, false, 8, 16 } },
		{ "next", "char next[16]", { KPT_FIELD_CHARS, false, 24, 16 } },
		{ "last", "char last[8]", { KPT_FIELD_CHARS, false, 40, 8 } },
		{ "pid", "int pid", { KPT_FIELD_NUMBER, true, 48, 4 } },
	};
	static const struct kpt_head head = { .size = 52, .nr = 4, .field = arrays };
	static struct kpt_hist other;
	struct kpt_fields fields = { .head = &head, .size = 52 };
	struct kpt_diag diag;

	setup();
	EXPECT_EQ(kpt_hist_parse(&hist, "keys=prev,next,last:sort=next", &filter, &fields,
				 NULL, &diag), 0);
	free(map);
	map = malloc(kpt_hist_map_size(&hist));
	kpt_hist_map_init(map, &hist);
	memset(rec.b, 0, sizeof(rec.b));
	rec.size = head.size;
	memcpy(rec.b + 8, "0123456789abcdefb", 17);
	rec.b[40] = 'y';
	EXPECT(add_record());
	EXPECT(add_record());
	memcpy(rec.b + 8, "0\0..............a", 17);
	rec.b[40] = 'x';
	EXPECT(add_record());
	EXPECT_STR(strchr(show(), '{'),
		   "{ prev: 0                                                 , "
		   "next: a                                                 , "
		   "last: x                                                  } "
		   "hitcount:          1\n"
		   "{ prev: 0123456789abcdef                                  , "
		   "next: b                                                 , "
		   "last: y                                                  } "
		   "hitcount:          2\n"
		   "\nTotals:\n    Hits: 3\n    Entries: 2\n    Dropped: 0\n");
	/* An entry of the one is none of the other. */
	EXPECT_EQ(kpt_hist_parse(&other, "keys=prev,last,next", &filter, &fields, NULL,
				 &diag), 0);
	EXPECT(!kpt_hist_same_key_types(&hist, &other));
	EXPECT_EQ(kpt_hist_parse(&other, "keys=prev,next", &filter, &fields, NULL,
				 &diag), 0);
	EXPECT_EQ(other.key[1].key_offset, KPT_HIST_TEXT_MAX);
	EXPECT_EQ(kpt_hist_parse(&other, "keys=common_comm,common_stacktrace,common_userstacktrace",
				 &filter, &fields, NULL, &diag), 0);
	EXPECT_EQ(kpt_hist_parse(&other, "keys=stacktrace,common_stacktrace,common_userstacktrace",
				 &filter, &fields, NULL, &diag), -EINVAL);
	EXPECT_EQ(diag.code, KPT_E_HIST_KEY_TOO_LONG);
}

TEST(random_triggers)
{
	static const char *const pieces[] = {
		"keys=", "vals=", "sort=", "size=", "name=", "n", "len", "ip",
		"s", "comm", "cpu", "hitcount", ".hex", ".sym-offset", ".log2",
		".buckets=", ".percent", ".descending", ",", ":", "=", "128",
		" if ", "n > 1", "pause", "$", "-", "onmax(", "common_timestamp",
		"+", "*", "/", "-(", ")", "5", "0",
	};
	unsigned int i, n, good = 0;
	struct kpt_diag diag;
	char s[512], *end;

	setup();
	for (i = 0; i < 300000; i++) {
		end = s + sprintf(s, i & 1 ? "keys=n" : "");
		for (n = test_random() % 10; n; n--)
			end += sprintf(end, "%s", pieces[test_random() %
							 ARRAY_SIZE(pieces)]);
		if (kpt_hist_parse(&hist, s, &filter, &shape.f, NULL, &diag)) {
			EXPECT(diag.column <= strlen(s) + 6);
			continue;
		}
		good++;
		EXPECT(hist.nr_keys >= 1 && hist.key_size <= KPT_HIST_KEY_MAX);
		EXPECT(hist.nr_vals >= 1 && hist.nr_sort >= 1);
		EXPECT(!filter || (filter > s && filter < end));
	}
	EXPECT(good > 1000);
}

TEST_MAIN
