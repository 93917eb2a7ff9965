// SPDX-License-Identifier: GPL-2.0-only
/*
 * Any text is refused with a column in it, or is a limit that, written out again, is
 * the same; and no state of it lets more than a burst pass at one time.
 */
#include "lib/base/port.h"
#include "lib/record/limit.h"
#include <string.h>
#include "input.h"

static void check_takes(const struct kpt_limit_rate *rate, size_t size)
{
	struct kpt_limit limit;
	u64 most = rate->seconds ? rate->burst : rate->number, taken = 0, i;

	kpt_limit_init(&limit, rate, 1 + (u32)(size % 1000) * 1000000);
	for (i = 0; i < 100; i++)
		taken += kpt_limit_spend(&limit, size) != KPT_LIMIT_OVER;
	MUST(taken == min(most, (u64)100));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *text = (const char *)data;
	struct kpt_limit_rate rate, again;
	struct kpt_strbuf sb;
	struct kpt_diag diag;
	char shown[128];

	if (kpt_limit_parse(&rate, text, size, &diag)) {
		MUST(diag.code != KPT_E_NONE && diag.column <= size + 1);
		return 0;
	}
	kpt_strbuf_init(&sb, shown, sizeof(shown));
	kpt_limit_show(&sb, &rate, size % 2 ? ":" : " burst ");
	MUST(!sb.overflow && !kpt_limit_parse(&again, shown, sb.len, &diag));
	MUST(again.number == rate.number && again.seconds == rate.seconds &&
	     again.burst == rate.burst);
	check_takes(&rate, size);
	return 0;
}
