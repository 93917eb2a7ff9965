// SPDX-License-Identifier: GPL-2.0-only
/* Reasons of refusal in the form of the kernel's error_log. */
#include "lib/base/port.h"
#include "lib/base/diag.h"
#include "harness.h"

static char text[512];

static const char *print(u64 ns, const char *command,
			 const struct kpt_diag *diag)
{
	struct kpt_strbuf sb;

	kpt_strbuf_init(&sb, text, sizeof(text));
	kpt_diag_print(&sb, ns, "trace_kprobe", command, diag);
	return text;
}

TEST(set_returns_errno)
{
	struct kpt_diag diag;

	memset(&diag, '#', sizeof(diag));
	EXPECT_EQ(kpt_diag_set(&diag, KPT_E_BAD_VAR, 12, -EINVAL), -EINVAL);
	EXPECT_EQ(diag.code, KPT_E_BAD_VAR);
	EXPECT_EQ(diag.column, 12);
	EXPECT_STR(diag.detail, "");
}

TEST(mainline_form)
{
	struct kpt_diag diag;

	kpt_diag_set(&diag, KPT_E_DEREF_OPEN_BRACE, 15, -EINVAL);
	EXPECT_STR(print(2016791999, "p vfs_read +0(@0", &diag),
		   "[    2.016791] trace_kprobe: error: "
		   "Dereference brace is not closed\n"
		   "  Command: p vfs_read +0(@0\n"
		   "                          ^\n");
}

TEST(large_times)
{
	struct kpt_diag diag;

	kpt_diag_set(&diag, KPT_E_NO_EVENT_NAME, 0, -EINVAL);
	print(1234567000001000ULL, "p:", &diag);
	EXPECT(!strncmp(text, "[1234567.000001] ", 17));
}

TEST(detail_follows_text)
{
	struct kpt_diag diag;

	kpt_diag_set(&diag, KPT_E_FAIL_REG_PROBE, 2, -EINVAL);
	kpt_diag_detail(&diag, "eret");
	EXPECT_STR(print(0, "p f", &diag),
		   "[    0.000000] trace_kprobe: error: "
		   "Failed to register probe event: eret\n"
		   "  Command: p f\n"
		   "             ^\n");
}

TEST(long_detail_is_cut)
{
	struct kpt_diag diag;
	char name[200];

	memset(name, 'n', sizeof(name));
	name[sizeof(name) - 1] = '\0';
	kpt_diag_set(&diag, KPT_E_FAIL_REG_PROBE, 2, -EINVAL);
	kpt_diag_detail(&diag, name);
	EXPECT_EQ(strlen(diag.detail), KPT_DIAG_DETAIL_MAX - 1);
}

TEST(every_code_has_a_text)
{
	unsigned int i, j;

	EXPECT_STR(kpt_diag_text(KPT_E_NONE), "");
	EXPECT_STR(kpt_diag_text(KPT_NR_DIAG), "");
	for (i = 1; i < KPT_NR_DIAG; i++) {
		EXPECT(kpt_diag_text(i)[0]);
		for (j = 1; j < i; j++)
			EXPECT(strcmp(kpt_diag_text(i), kpt_diag_text(j)));
	}
}

TEST_MAIN
