/* SPDX-License-Identifier: GPL-2.0-only */
/* An event with a string whose place counts from behind its field (__rel_loc). */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM kpt_rel

#if !defined(REL_H) || defined(TRACE_HEADER_MULTI_READ)
#define REL_H

#include <linux/tracepoint.h>

TRACE_EVENT(kpt_rel_text,
	TP_PROTO(const char *text),
	TP_ARGS(text),
	TP_STRUCT__entry(
		__field(u64, n)
		__rel_dynamic_array(char, text, strlen(text) + 1)
	),
	TP_fast_assign(
		__entry->n = strlen(text);
		strcpy(__get_rel_dynamic_array(text), text);
	),
	TP_printk("n=%llu text=%s", __entry->n, (char *)__get_rel_dynamic_array(text))
);

#endif

#undef TRACE_INCLUDE_PATH
#define TRACE_INCLUDE_PATH .
#undef TRACE_INCLUDE_FILE
#define TRACE_INCLUDE_FILE rel
#include <trace/define_trace.h>
