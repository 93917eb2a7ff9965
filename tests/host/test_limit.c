// SPDX-License-Identifier: GPL-2.0-only
/* Limits: what is accepted, what is refused and where, and how many hits pass. */
#include <pthread.h>
#include "lib/base/port.h"
#include "lib/record/limit.h"
#include "harness.h"

#define RATE 24000000

static struct kpt_diag diag;

static const struct {
	const char *text;
	const char *shown;
} good[] = {
	{ "0", "0" },
	{ "1", "1" },
	{ "1000000000000", "1000000000000" },
	{ "100/s", "100/s burst 100" },
	{ "100/s burst 20", "100/s burst 20" },
	{ "100/s:20", "100/s burst 20" },
	{ "3/m  burst  1 ", "3/m burst 1" },
	{ "1000000/s", "1000000/s burst 1000000" },
	{ "7/h", "7/h burst 7" },
};

TEST(accepted)
{
	struct kpt_limit_rate rate;
	struct kpt_strbuf sb;
	char text[64];
	size_t i;

	for (i = 0; i < ARRAY_SIZE(good); i++) {
		EXPECT_EQ(kpt_limit_parse(&rate, good[i].text,
					  strlen(good[i].text), &diag), 0);
		kpt_strbuf_init(&sb, text, sizeof(text));
		kpt_limit_show(&sb, &rate, " burst ");
		EXPECT_STR(text, good[i].shown);
	}
}

static const struct {
	const char *text;
	unsigned int column;
	enum kpt_diag_code code;
} bad[] = {
	{ "", 1, KPT_E_LIMIT_BAD_NUMBER },
	{ "x", 0, KPT_E_LIMIT_BAD_NUMBER },
	{ "-1", 0, KPT_E_LIMIT_BAD_NUMBER },
	{ "1000000000001", 0, KPT_E_LIMIT_BAD_NUMBER },
	{ "99999999999999999999999", 0, KPT_E_LIMIT_BAD_NUMBER },
	{ "100/", 5, KPT_E_LIMIT_BAD_UNIT },
	{ "100/x", 4, KPT_E_LIMIT_BAD_UNIT },
	{ "1000001/s", 0, KPT_E_LIMIT_TOO_FAST },
	{ "100/s burst", 12, KPT_E_LIMIT_BAD_BURST },
	{ "100/s burst 0", 12, KPT_E_LIMIT_BAD_BURST },
	{ "100/s:", 7, KPT_E_LIMIT_BAD_BURST },
	{ "100/s:1000001", 6, KPT_E_LIMIT_BAD_BURST },
	{ "100/s 20", 6, KPT_E_LIMIT_REST },
	{ "100/s burst 20 x", 15, KPT_E_LIMIT_REST },
	{ "100 x", 4, KPT_E_LIMIT_REST },
	{ "0/s", 1, KPT_E_LIMIT_REST },
};

TEST(refused)
{
	struct kpt_limit_rate rate;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(bad); i++) {
		EXPECT_EQ(kpt_limit_parse(&rate, bad[i].text, strlen(bad[i].text),
					  &diag), -EINVAL);
		EXPECT_EQ(diag.code, bad[i].code);
		EXPECT_EQ(diag.column, bad[i].column);
	}
}

static void start(struct kpt_limit *limit, const char *text)
{
	struct kpt_limit_rate rate;

	EXPECT_EQ(kpt_limit_parse(&rate, text, strlen(text), &diag), 0);
	kpt_limit_init(limit, &rate, RATE);
}

static unsigned int taken(struct kpt_limit *limit, u64 now, unsigned int tries)
{
	unsigned int n = 0;
	bool over;

	while (tries--) {
		over = kpt_limit_is_over(limit, now);
		EXPECT_EQ(over, kpt_limit_spend(limit, now) == KPT_LIMIT_OVER ? 1 : 0);
		n += !over;
	}
	return n;
}

TEST(rate_and_burst)
{
	struct kpt_limit limit;
	u64 now = 5, second;
	unsigned int sum = 0;

	start(&limit, "100/s burst 20");
	EXPECT_EQ(taken(&limit, now, 50), 20);
	/* A tenth of a second is ten hits; a long time is one burst. */
	EXPECT_EQ(taken(&limit, now + RATE / 10, 50), 10);
	EXPECT_EQ(taken(&limit, now + 100ULL * RATE, 50), 20);
	/* Many more than the rate: exactly the rate passes. */
	now += 200ULL * RATE;
	EXPECT_EQ(taken(&limit, now, 50), 20);
	for (second = 0; second < 10 * RATE; second += RATE / 1000)
		sum += taken(&limit, now + second, 3);
	EXPECT(sum >= 999 && sum <= 1000);
	start(&limit, "1/m");
	EXPECT_EQ(taken(&limit, now, 5), 1);
	EXPECT_EQ(taken(&limit, now + 59ULL * RATE, 5), 0);
	EXPECT_EQ(taken(&limit, now + 60ULL * RATE, 5), 1);
}

TEST(total_ends)
{
	struct kpt_limit limit;

	start(&limit, "3");
	EXPECT_EQ(kpt_limit_spend(&limit, 0), KPT_LIMIT_TAKEN);
	EXPECT_EQ(kpt_limit_spend(&limit, 0), KPT_LIMIT_TAKEN);
	EXPECT_EQ(kpt_limit_spend(&limit, 0), KPT_LIMIT_LAST);
	EXPECT_EQ(taken(&limit, ~0ULL, 5), 0);
}

static struct kpt_limit shared;
static atomic64_t nr_taken, nr_last;

static void *hammer(void *unused)
{
	enum kpt_limit_result result;
	unsigned int i;

	for (i = 0; i < 20000; i++) {
		result = kpt_limit_spend(&shared, 1);
		if (result != KPT_LIMIT_OVER)
			atomic64_inc(&nr_taken);
		if (result == KPT_LIMIT_LAST)
			atomic64_inc(&nr_last);
	}
	return unused;
}

static void hammer_all(const char *text)
{
	pthread_t thread[4];
	unsigned int i;

	start(&shared, text);
	nr_taken.counter = nr_last.counter = 0;
	for (i = 0; i < 4; i++)
		pthread_create(&thread[i], NULL, hammer, NULL);
	for (i = 0; i < 4; i++)
		pthread_join(thread[i], NULL);
}

TEST(cpus_share_a_limit)
{
	hammer_all("33333");
	EXPECT_EQ(atomic64_read(&nr_taken), 33333);
	EXPECT_EQ(atomic64_read(&nr_last), 1);
	hammer_all("1/h burst 7777");
	EXPECT_EQ(atomic64_read(&nr_taken), 7777);
	EXPECT_EQ(atomic64_read(&nr_last), 0);
}

TEST_MAIN
