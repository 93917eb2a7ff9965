// SPDX-License-Identifier: GPL-2.0-only
/* Names that are like a wrong one: which of a list is meant, and when none is. */
#include "lib/base/port.h"
#include "lib/base/similar.h"
#include "harness.h"

static const char *const names[] = {
	"common_pid", "common_tgid", "comm", "count", "u32", "u64", "stacktrace", "vfs_read",
	"vfs_write", "traceon", "traceoff", "tcp_sendmsg.isra.0", "a",
	/* One character more than is compared, and as many as are. */
	"a_name_of_64_characters_that_is_longer_than_all_that_are_offered",
	"a_name_of_63_characters_that_is_as_long_as_any_that_is_offered_",
};

static const struct {
	const char *wrong;
	const char *meant;
} cases[] = {
	{ "traceof", "traceoff" },		/* not "traceon": that begins less like it */
	{ "tracexff", "traceoff" },
	{ "tracen", "traceon" },
	{ "pid", "common_pid" },		/* a word is missing */
	{ "read", "vfs_read" },
	{ "rxad", "" },
	{ "vfs_raed", "vfs_read" },
	{ "vfs_readd", "vfs_read" },
	{ "vfs_rite", "vfs_write" },
	{ "conut", "count" },			/* two neighbours changed */
	{ "cuont", "count" },
	{ "ocutn", "" },			/* twice */
	{ "cnout", "" },			/* two of five characters */
	{ "coun", "count" },
	{ "stacktrase", "stacktrace" },
	{ "stactrase", "stacktrace" },
	{ "stakctrase", "stacktrace" },
	{ "tsakctrase", "" },
	{ "u33", "" },				/* of three all have to be right */
	{ "tcp_sendmsg", "tcp_sendmsg.isra.0" },
	{ "tcp_sendmg", "tcp_sendmsg.isra.0" },
	{ "b", "" },
	{ "", "" },
	{ "a_name_of_64_characters_that_is_longer_than_all_that_are_offere", "" },
	{ "a_name_of_63_characters_that_is_as_long_as_any_that_is_offered",
	  "a_name_of_63_characters_that_is_as_long_as_any_that_is_offered_" },
};

TEST(one_of_a_list)
{
	struct kpt_similar s;
	struct kpt_diag diag;
	char expected[KPT_DIAG_DETAIL_MAX];
	size_t i, k;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		kpt_similar_begin(&s, cases[i].wrong, strlen(cases[i].wrong));
		for (k = 0; k < ARRAY_SIZE(names); k++)
			kpt_similar_see(&s, names[k]);
		EXPECT_STR(s.found, cases[i].meant);
		kpt_diag_set(&diag, KPT_E_BAD_TYPE, 0, 0);
		kpt_similar_tell(&s, &diag);
		snprintf(expected, sizeof(expected), *cases[i].meant ? "did you mean %s?" : "%s",
			 cases[i].meant);
		EXPECT_STR(diag.detail, expected);
	}
}

/* The same name but for the compiler's suffix is nearer than one with a word more. */
TEST(nearest)
{
	struct kpt_similar s;

	kpt_similar_begin(&s, "read", 4);
	kpt_similar_see(&s, "reads");
	kpt_similar_see(&s, "reed");
	EXPECT_STR(s.found, "reads");		/* the first of equals */
	kpt_similar_see(&s, "a_long_read");
	EXPECT_STR(s.found, "a_long_read");
	kpt_similar_see(&s, "ksys_read");
	EXPECT_STR(s.found, "ksys_read");
	kpt_similar_see(&s, "other_read");
	EXPECT_STR(s.found, "ksys_read");
	kpt_similar_see(&s, "read.part.0");
	EXPECT_STR(s.found, "read.part.0");
	kpt_similar_see(&s, "read");
	EXPECT_STR(s.found, "read.part.0");
}

/* What has the very name is not what has to be there. */
TEST(same)
{
	struct kpt_similar s;

	kpt_similar_begin(&s, "two", 3);
	kpt_similar_see(&s, "two");
	EXPECT_STR(s.found, "");
	kpt_similar_see(&s, "number_two");
	EXPECT_STR(s.found, "number_two");
	kpt_similar_see(&s, "two");
	EXPECT_STR(s.found, "number_two");
	kpt_similar_see(&s, "two.cold");
	EXPECT_STR(s.found, "two.cold");
	kpt_similar_begin(&s, "two.isra.0", 10);
	kpt_similar_see(&s, "two.isra.0");
	EXPECT_STR(s.found, "");
	kpt_similar_see(&s, "two");
	EXPECT_STR(s.found, "two");
}

TEST_MAIN
