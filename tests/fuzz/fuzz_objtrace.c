// SPDX-License-Identifier: GPL-2.0-only
/*
 * Any text is refused with a column in it, or is parameters that, written out again, are
 * the same.
 */
#include "lib/base/port.h"
#include "parts/objtrace/objtrace_command.h"
#include <string.h>
#include "input.h"

static bool same(const struct kpt_objtrace_text *a, const struct kpt_objtrace_text *b)
{
	return a->len == b->len && !memcmp(a->at ? a->at : "", b->at ? b->at : "", a->len);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *text = (const char *)data;
	struct kpt_objtrace o, again;
	struct kpt_strbuf sb;
	struct kpt_diag diag;
	char shown[8192];

	if (size > 4096)
		return 0;
	if (kpt_objtrace_parse(&o, text, size, &diag)) {
		MUST(diag.code != KPT_E_NONE && diag.column <= size + 1);
		return 0;
	}
	kpt_strbuf_init(&sb, shown, sizeof(shown));
	kpt_objtrace_show(&sb, &o, o.count);
	/* What is written ends at a NUL. */
	if (memchr(text, 0, size))
		return 0;
	MUST(!sb.overflow && !kpt_objtrace_parse(&again, shown, sb.len, &diag));
	MUST(again.removes == o.removes && again.changes == o.changes &&
	     again.has_value == o.has_value && again.is_limited == o.is_limited &&
	     again.count == o.count && again.size == o.size);
	MUST(again.type == o.type && again.offset == o.offset);
	MUST(same(&again.field, &o.field) && same(&again.names, &o.names) &&
	     same(&again.module, &o.module));
	return 0;
}
