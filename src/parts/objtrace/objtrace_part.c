// SPDX-License-Identifier: GPL-2.0-only
/* The part objtrace: calls that take an object. */
#include <linux/seq_file.h>
#include "parts/objtrace/watch.h"
#include "part.h"

static void objtrace_status(struct seq_file *m)
{
	struct kpt_watch_counts sum;

	kpt_watch_read_counts(&sum);
	seq_printf(m, "objtrace: %u functions watched for %u objects, %llu without room\n",
		   sum.functions, sum.objects, sum.refused);
}

KPT_PART(objtrace) = {
	.name = "objtrace",
	.status = objtrace_status,
	.readme = {
[KPT_README_TRIGGERS] =
"	            objtrace:add:obj[,offset][:type][:count][if <filter>]\n"
"	              [:size=<bytes>][:where=<function>,...][:changes], all of them\n"
"	              before the filter: calls that take the object are records of\n"
"	              objtrace:object\n"
"	            objtrace:remove:obj[:count]\n",
	},
};
