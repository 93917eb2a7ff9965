// SPDX-License-Identifier: GPL-2.0-only
/*
 * Any text is refused with a column in it, or is a hist trigger that is the same when it is
 * read again as it is listed, and counts hits.
 */
#include "lib/base/port.h"
#include "hist_sides.h"
#include "input.h"

/* Entries that maps have, whatever the trigger says: few, so that they become full. */
#define BITS 2

static void check_hits(struct side *side)
{
	static const u64 stack[] = { 2, 0x1000, 0x2000 };
	unsigned int i, n;
	struct bytes rec;
	u64 v;

	side->hist.bits = BITS;
	side->map = malloc(kpt_hist_map_size(&side->hist));
	kpt_hist_map_init(side->map, &side->hist);
	for (i = 0; i < 8; i++) {
		bytes_init(&rec, &shape, 0x1000, 0);
		bytes_set(&rec, &shape, 0, 0, i % 5);
		bytes_set(&rec, &shape, 1, 0, i * 1000);
		bytes_text(&rec, &shape, 2, 0, "text", 5);
		side->hit = (struct kpt_hist_hit){
			.record = rec.b, .size = rec.size, .ts = i, .stack = stack,
			.var = side->var, .own = side->own,
		};
		if (!side->hist.is_related) {
			kpt_hist_add(&side->hist, side->map, &side->hit);
			continue;
		}
		if (!kpt_hist_add_related(&side->hist, side->map, &side->hit))
			continue;
		for (n = 0; n < side->hist.nr_actions; n++)
			kpt_hist_fires(&side->hist, side->map, &side->hist.action[n],
				       &side->hit, &v);
	}
}

static void check_text(struct side *side)
{
	static char shown[1 << 20];
	u32 order[1 << BITS];
	struct kpt_hist_view view;
	struct kpt_strbuf sb;
	u32 i;

	kpt_strbuf_init(&sb, shown, sizeof(shown));
	kpt_hist_view_init(&view, &side->hist, side->map, order);
	for (i = 0; i < view.nr; i++)
		kpt_hist_show_entry(&sb, &view, i);
	kpt_hist_show_totals(&sb, &view);
	MUST(!sb.overflow);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char trigger[4096];

	if (size >= sizeof(trigger) || memchr(data, 0, size))
		return 0;
	memcpy(trigger, data, size);
	trigger[size] = '\0';
	setup();
	start(&from, "keys=n:x=len,nm=s:size=128");
	if (parse(&to, trigger)) {
		MUST(diag.code != KPT_E_NONE);
		MUST(diag.column <= size + strlen("hist:") + 1);
		return 0;
	}
	/* A modifier is listed with its sort key, too, as in mainline, which refuses that. */
	MUST(strstr(trigger, "sort=") || lists_itself(&to));
	check_hits(&to);
	check_text(&to);
	free(to.map);
	to.map = NULL;
	return 0;
}
