// SPDX-License-Identifier: GPL-2.0-only
/* Parameters of objtrace triggers: what is accepted, and what is refused and where. */
#include "lib/base/port.h"
#include "parts/objtrace/objtrace_command.h"
#include "harness.h"

static struct kpt_diag diag;

static const struct {
	const char *text;
	const char *shown;
} good[] = {
	{ "add:obj", "add:obj:unlimited" },
	{ "add:obj,0x28", "add:obj,0x28:u64:unlimited" },
	{ "add:obj,0x28:u32", "add:obj,0x28:u32:unlimited" },
	{ "add:obj,40:u32:1", "add:obj,0x28:u32:count=1" },
	{ "add:obj:x8", "add:obj,0x0:x8:unlimited" },
	{ "add:obj:7", "add:obj:count=7" },
	{ "add:obj:count=0", "add:obj:count=0" },
	{ "add:obj:unlimited:changes", "add:obj:unlimited:changes" },
	{ "add:obj:where=*", "add:obj:unlimited:where=*" },
	{ "add:obj:where=bio_*,!bio_put:changes:s16:size=192",
	  "add:obj,0x0:s16:unlimited:size=192:where=bio_*,!bio_put:changes" },
	{ "add:obj:where=ext4:ext4_*,f*:2", "add:obj:count=2:where=ext4:ext4_*,f*" },
	{ "remove:obj", "remove:obj:unlimited" },
	{ "remove:obj:count=3", "remove:obj:count=3" },
};

TEST(accepted)
{
	struct kpt_objtrace o;
	struct kpt_strbuf sb;
	char text[128];
	size_t i;

	for (i = 0; i < ARRAY_SIZE(good); i++) {
		EXPECT_EQ(kpt_objtrace_parse(&o, good[i].text, strlen(good[i].text),
					     &diag), 0);
		kpt_strbuf_init(&sb, text, sizeof(text));
		kpt_objtrace_show(&sb, &o, o.count);
		EXPECT_STR(text, good[i].shown);
	}
}

static const struct {
	const char *text;
	unsigned int column;
	enum kpt_diag_code code;
} bad[] = {
	{ "", 1, KPT_E_OBJTRACE_NO_ACTION },
	{ "obj,0x28:u32:1", 0, KPT_E_OBJTRACE_NO_ACTION },
	{ "add", 4, KPT_E_OBJTRACE_NO_FIELD },
	{ "add:", 5, KPT_E_OBJTRACE_NO_FIELD },
	{ "add:,4", 4, KPT_E_OBJTRACE_NO_FIELD },
	{ "add::u32", 4, KPT_E_OBJTRACE_NO_FIELD },
	{ "add:obj,", 9, KPT_E_OBJTRACE_BAD_OFFSET },
	{ "add:obj,x", 8, KPT_E_OBJTRACE_BAD_OFFSET },
	{ "add:obj,-8", 8, KPT_E_OBJTRACE_BAD_OFFSET },
	{ "add:obj,0x80000000", 8, KPT_E_OBJTRACE_BAD_OFFSET },
	{ "add:obj,8,8", 8, KPT_E_OBJTRACE_BAD_OFFSET },
	{ "add:obj:u31", 8, KPT_E_OBJTRACE_REST },
	{ "add:obj:string", 8, KPT_E_OBJTRACE_REST },
	{ "add:obj:", 9, KPT_E_OBJTRACE_REST },
	{ "add:obj:1x", 8, KPT_E_TRIGGER_BAD_COUNT },
	{ "add:obj:count=", 15, KPT_E_TRIGGER_BAD_COUNT },
	{ "add:obj:9223372036854775808", 8, KPT_E_TRIGGER_BAD_COUNT },
	{ "add:obj:size=0", 13, KPT_E_OBJTRACE_BAD_SIZE },
	{ "add:obj:size=1048577", 13, KPT_E_OBJTRACE_BAD_SIZE },
	{ "add:obj:where=", 15, KPT_E_OBJTRACE_BAD_WHERE },
	{ "add:obj:where=!a", 14, KPT_E_OBJTRACE_BAD_WHERE },
	{ "add:obj:where=a,:changes", 14, KPT_E_OBJTRACE_BAD_WHERE },
	{ "add:obj:where=m*:a", 14, KPT_E_OBJTRACE_BAD_WHERE },
	{ "add:obj:where=m:a:b", 18, KPT_E_OBJTRACE_REST },
	{ "add:obj:where=a:where=b", 16, KPT_E_OBJTRACE_REST },
	{ "remove:obj,4", 11, KPT_E_OBJTRACE_REST },
	{ "remove:obj:u32", 11, KPT_E_OBJTRACE_REST },
	{ "remove:obj:where=a", 11, KPT_E_OBJTRACE_REST },
	{ "removes:obj", 0, KPT_E_OBJTRACE_NO_ACTION },
};

TEST(refused)
{
	struct kpt_objtrace o;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(bad); i++) {
		EXPECT_EQ(kpt_objtrace_parse(&o, bad[i].text, strlen(bad[i].text),
					     &diag), -EINVAL);
		EXPECT_STR(kpt_diag_text(diag.code), kpt_diag_text(bad[i].code));
		EXPECT_EQ(diag.column, bad[i].column);
	}
}

TEST_MAIN
