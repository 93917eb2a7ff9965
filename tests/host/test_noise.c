// SPDX-License-Identifier: GPL-2.0-only
/*
 * Accounting of interference, against a model that has one level at a time: each look at
 * the clock may be interrupted by levels above, as each instruction of a kernel may. Also
 * lines of osnoise, timerlat and their events.
 */
#include "lib/base/port.h"
#include "lib/format/format.h"
#include "parts/noise/net_time.h"
#include "harness.h"
#include "world.h"

static struct kpt_noise noise;
static u64 time_now;

/* The model: what runs, innermost last, and the net time and number of each level. */
static struct {
	unsigned int running[KPT_NOISE_LEVELS + 1], nr;
	u64 net[KPT_NOISE_LEVELS + 1];
	u32 count[KPT_NOISE_LEVELS];
	int interrupts;
} model;

#define NOTHING KPT_NOISE_LEVELS

static unsigned int level_now(void)
{
	return model.nr ? model.running[model.nr - 1] : NOTHING;
}

/* Time passes, and is that of the innermost level. */
static void pass(u64 time)
{
	time_now += time;
	model.net[level_now()] += time;
}

static u64 hardly_interrupted(void)
{
	return time_now;
}

static u64 often_interrupted(void);

static void interfere(unsigned int level)
{
	u64 net = model.net[level], start;
	struct kpt_noise_span span = { 0 };

	model.running[model.nr++] = level;
	model.count[level]++;
	kpt_noise_begin(&noise, level, often_interrupted);
	start = noise.level[level].start;
	pass(test_random() % 1000);
	if (test_random() % 2 && level + 1 < KPT_NOISE_LEVELS)
		interfere(level + 1 + test_random() % (KPT_NOISE_LEVELS - level - 1));
	pass(test_random() % 1000);
	net = model.net[level] - net;
	EXPECT(kpt_noise_end(&noise, level, often_interrupted, &span));
	model.nr--;
	EXPECT_EQ(span.net, net);
	EXPECT_EQ(span.start, start);
}

static void maybe_interfere(void)
{
	unsigned int above = level_now() == NOTHING ? 0 : level_now() + 1;

	if (model.interrupts <= 0 || above == KPT_NOISE_LEVELS || test_random() % 3)
		return;
	model.interrupts--;
	interfere(above + test_random() % (KPT_NOISE_LEVELS - above));
}

/* Others interrupt before the clock is read, and after. */
static u64 often_interrupted(void)
{
	u64 time;

	maybe_interfere();
	time = time_now;
	maybe_interfere();
	return time;
}

static void start(void)
{
	memset(&noise, 0, sizeof(noise));
	memset(&model, 0, sizeof(model));
	time_now = 1000;
}

TEST(net_times)
{
	struct kpt_noise_span span = { 0 };

	start();
	kpt_noise_begin(&noise, KPT_NOISE_THREAD, hardly_interrupted);
	time_now += 10;
	kpt_noise_begin(&noise, KPT_NOISE_SOFTIRQ, hardly_interrupted);
	time_now += 100;
	kpt_noise_begin(&noise, KPT_NOISE_IRQ, hardly_interrupted);
	time_now += 1000;
	EXPECT(kpt_noise_end(&noise, KPT_NOISE_IRQ, hardly_interrupted, &span));
	EXPECT_EQ(span.start, 1110);
	EXPECT_EQ(span.net, 1000);
	time_now += 100;
	EXPECT(kpt_noise_end(&noise, KPT_NOISE_SOFTIRQ, hardly_interrupted, &span));
	EXPECT_EQ(span.start, 1010);
	EXPECT_EQ(span.net, 200);
	time_now += 10;
	EXPECT(kpt_noise_end(&noise, KPT_NOISE_THREAD, hardly_interrupted, &span));
	EXPECT_EQ(span.start, 1000);
	EXPECT_EQ(span.net, 20);
	/* its begin was not seen */
	EXPECT(!kpt_noise_end(&noise, KPT_NOISE_THREAD, hardly_interrupted, &span));
}

TEST(parts_of_one)
{
	struct kpt_noise_span span = { 0 };

	start();
	kpt_noise_begin(&noise, KPT_NOISE_IRQ, hardly_interrupted);
	time_now += 5;
	kpt_noise_begin(&noise, KPT_NOISE_IRQ, hardly_interrupted);
	time_now += 5;
	EXPECT(!kpt_noise_end(&noise, KPT_NOISE_IRQ, hardly_interrupted, &span));
	time_now += 5;
	EXPECT(kpt_noise_end(&noise, KPT_NOISE_IRQ, hardly_interrupted, &span));
	EXPECT_EQ(span.net, 15);
	EXPECT_EQ(noise.level[KPT_NOISE_IRQ].count, 1);
}

TEST(from_the_interrupt_on)
{
	struct kpt_noise_span span = { 0 };

	start();
	kpt_noise_restart_below_irq(&noise);
	kpt_noise_begin(&noise, KPT_NOISE_THREAD, hardly_interrupted);
	time_now += 7000;
	kpt_noise_begin(&noise, KPT_NOISE_SOFTIRQ, hardly_interrupted);
	time_now += 700;
	kpt_noise_begin(&noise, KPT_NOISE_IRQ, hardly_interrupted);
	time_now += 1;
	kpt_noise_begin(&noise, KPT_NOISE_NMI, hardly_interrupted);
	time_now += 50;
	EXPECT(kpt_noise_end(&noise, KPT_NOISE_NMI, hardly_interrupted, &span));
	kpt_noise_restart_below_irq(&noise);
	time_now += 1;
	EXPECT(kpt_noise_end(&noise, KPT_NOISE_IRQ, hardly_interrupted, &span));
	EXPECT_EQ(span.net, 2);
	time_now += 30;
	EXPECT(kpt_noise_end(&noise, KPT_NOISE_SOFTIRQ, hardly_interrupted, &span));
	EXPECT_EQ(span.start, 8700);
	EXPECT_EQ(span.net, 30);
	time_now += 4;
	EXPECT(kpt_noise_end(&noise, KPT_NOISE_THREAD, hardly_interrupted, &span));
	EXPECT_EQ(span.start, 8700);
	EXPECT_EQ(span.net, 4);
}

/* Whatever interrupts what: each level has the time of its own, to the unit. */
TEST(model_agrees)
{
	u64 last, now, sum;
	unsigned int round, i;
	u32 before, count, all;

	start();
	last = kpt_noise_now(&noise, often_interrupted, &before);
	for (round = 0; round < 20000; round++) {
		model.interrupts = 4;
		if (test_random() % 2)
			interfere(test_random() % KPT_NOISE_LEVELS);
		model.interrupts = test_random() % 3;
		pass(test_random() % 10);
		now = kpt_noise_now(&noise, often_interrupted, &count);
		EXPECT(now >= last && now <= time_now);
		/* No interference without time, and the time of none is only ours. */
		EXPECT(count != before || now - last < 10);
		last = now;
		before = count;
	}
	for (i = sum = all = 0; i < KPT_NOISE_LEVELS; i++) {
		EXPECT_EQ(noise.level[i].total, model.net[i]);
		EXPECT_EQ(noise.level[i].count, model.count[i]);
		sum += noise.level[i].total;
		all += noise.level[i].count;
	}
	model.interrupts = 0;
	kpt_noise_now(&noise, hardly_interrupted, &count);
	EXPECT_EQ(count, all);
	EXPECT_EQ(sum + model.net[NOTHING], time_now - 1000);
	EXPECT(model.count[KPT_NOISE_NMI] > 1000);
}

/*
 * Lines.
 */

static char buf[4096];

static const char *put(const struct kpt_fields *fields, const char *event,
		       const void *record, size_t size, u32 options)
{
	struct kpt_line line = {
		.event = event, .fields = fields, .record = record, .size = size,
		.comm = "c", .options = options,
	};
	struct kpt_strbuf sb;

	kpt_strbuf_init(&sb, buf, sizeof(buf));
	kpt_format_line(&sb, &line);
	return buf;
}

#define PUT(event, record, options) \
	put(&kpt_fields_##event, #event, &(record), sizeof(record), options)

TEST(lines_of_tracers)
{
	struct kpt_record_osnoise o = {
		.noise = 190, .runtime = 1000000, .max_sample = 9, .hw_count = 18,
		.irq_count = 1007, .softirq_count = 18, .thread_count = 1,
	};
	struct kpt_record_timerlat t = { .seqnum = 7, .timer_latency = 932 };

	EXPECT_STR(PUT(osnoise, o, 0),
		   "1000000        190  99.98100       9     18      0   1007     18      1\n");
	EXPECT_STR(PUT(osnoise, o, KPT_OPT_RAW), "1000000 190 9 18 0 1007 18 1\n");
	o.noise = 2000000;
	EXPECT_STR(PUT(osnoise, o, 0),
		   "1000000    2000000   0.00000       9     18      0   1007     18      1\n");
	o.noise = U64_MAX / 2;
	o.runtime = U64_MAX;
	put(&kpt_fields_osnoise, "", &o, sizeof(o), 0);
	EXPECT(strstr(buf, "  50.00000 "));
	EXPECT_STR(PUT(timerlat, t, 0), "#7     context    irq timer_latency       932 ns\n");
	t.context = KPT_TIMERLAT_THREAD;
	EXPECT_STR(PUT(timerlat, t, 0), "#7     context thread timer_latency       932 ns\n");
	EXPECT_STR(PUT(timerlat, t, KPT_OPT_RAW), "7 1 932\n");
	t.context = KPT_TIMERLAT_USER_RET;
	EXPECT_STR(PUT(timerlat, t, 0), "#7     context user-ret timer_latency       932 ns\n");
	/* any bytes */
	t.context = 3;
	EXPECT_STR(PUT(timerlat, t, 0), "#7     context      ? timer_latency       932 ns\n");
	put(&kpt_fields_osnoise, "", &o, 10, 0);
	put(&kpt_fields_timerlat, "", &t, 10, 0);
}

TEST(lines_of_events)
{
	struct {
		struct kpt_record_irq_noise r;
		char name[16];
	} irq = {
		{ .start = 5789857529929, .duration = 1845, .vector = 236,
		  .desc = kpt_data_loc(sizeof(irq.r), 12) }, "local_timer",
	};
	struct kpt_record_nmi_noise n = { .start = 1000000001, .duration = 2 };
	struct kpt_record_softirq_noise s = { .start = 1, .duration = 2, .vector = 9 };
	struct kpt_record_thread_noise th = { .comm = "cc1", .pid = 87882, .duration = 9909 };
	struct kpt_record_threshold x = { .duration = 8812, .interference = 2 };
	struct kpt_record_osnoise_sample o = { .runtime = 9, .noise = 8, .irq_count = 3 };
	struct kpt_record_timerlat_sample t = { .timer_latency = 5, .seqnum = 4, .context = 1 };

	EXPECT_STR(PUT(irq_noise, irq, 0),
		   "irq_noise: local_timer:236 start 5789.857529929 duration 1845 ns\n");
	irq.r.desc = kpt_data_loc(4000, 4000);
	EXPECT_STR(PUT(irq_noise, irq, 0),
		   "irq_noise: :236 start 5789.857529929 duration 1845 ns\n");
	EXPECT_STR(PUT(nmi_noise, n, 0), "nmi_noise: start 1.000000001 duration 2 ns\n");
	EXPECT_STR(PUT(softirq_noise, s, 0),
		   "softirq_noise:      RCU:9 start 0.000000001 duration 2 ns\n");
	s.vector = 10;
	EXPECT_STR(PUT(softirq_noise, s, 0),
		   "softirq_noise: 0xa:10 start 0.000000001 duration 2 ns\n");
	EXPECT_STR(PUT(thread_noise, th, 0),
		   "thread_noise:      cc1:87882 start 0.000000000 duration 9909 ns\n");
	EXPECT_STR(PUT(threshold, x, 0),
		   "threshold: start 0.000000000 duration 8812 ns interference 2\n");
	EXPECT_STR(PUT(osnoise_sample, o, 0), "osnoise_sample: runtime=9 noise=8 max_sample=0 "
		   "hw_count=0 irq_count=3 nmi_count=0 softirq_count=0 thread_count=0\n");
	EXPECT_STR(PUT(timerlat_sample, t, 0),
		   "timerlat_sample: timer_latency=5 seqnum=4 context=1\n");
	put(&kpt_fields_irq_noise, "", &irq, 9, 0);
	put(&kpt_fields_thread_noise, "", &th, 9, 0);
}

TEST_MAIN
