/* SPDX-License-Identifier: GPL-2.0-only */
/* Tracepoints with known arguments, and the kernel's own events for them. */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM kpt_target

#if !defined(TARGET_TRACE_H) || defined(TRACE_HEADER_MULTI_READ)
#define TARGET_TRACE_H

#include <linux/tracepoint.h>

TRACE_EVENT(kpt_target_pair,
	TP_PROTO(u64 a, u64 b),
	TP_ARGS(a, b),
	TP_STRUCT__entry(
		__field(u64, a)
		__field(u64, b)
	),
	TP_fast_assign(
		__entry->a = a;
		__entry->b = b;
	),
	TP_printk("a=%llu b=%llu", __entry->a, __entry->b)
);

/* The last two parameters are on the stack. */
TRACE_EVENT(kpt_target_nine,
	TP_PROTO(u8 a, s16 b, bool c, u32 d, s64 e, const char *f, u64 g, u16 h,
		 s64 i),
	TP_ARGS(a, b, c, d, e, f, g, h, i),
	TP_STRUCT__entry(
		__field(u8, a)
		__field(s16, b)
		__field(bool, c)
		__field(u32, d)
		__field(s64, e)
		__array(char, f, 16)
		__field(u64, g)
		__field(u16, h)
		__field(s64, i)
	),
	TP_fast_assign(
		__entry->a = a;
		__entry->b = b;
		__entry->c = c;
		__entry->d = d;
		__entry->e = e;
		strscpy(__entry->f, f, sizeof(__entry->f));
		__entry->g = g;
		__entry->h = h;
		__entry->i = i;
	),
	TP_printk("a=%u b=%d c=%d d=%u e=%lld f=\"%s\" g=%llu h=%u i=%lld",
		  __entry->a, __entry->b, __entry->c, __entry->d, __entry->e,
		  __entry->f, __entry->g, __entry->h, __entry->i)
);

#endif

#undef TRACE_INCLUDE_PATH
#define TRACE_INCLUDE_PATH .
#undef TRACE_INCLUDE_FILE
#define TRACE_INCLUDE_FILE target_trace
#include <trace/define_trace.h>
