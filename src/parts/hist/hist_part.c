// SPDX-License-Identifier: GPL-2.0-only
/* The part hist: histograms, their variables and actions, and synthetic events. Slots: event. */
#include "parts/hist/hist_trigger.h"
#include <linux/wait.h>
#include "parts/hist/synthetic.h"
#include "part.h"

static const struct kpt_part_files files[] = {
	{ KPT_DIR_EVENT, &kpt_hist_entries },
	{ KPT_DIR_MARKER, &kpt_hist_entries },
	{ }
};

static void hist_wake(void)
{
	wake_up_all(&kpt_hist_wait);
}

KPT_PART(hist) = {
	.name = "hist",
	.files = files,
	.stage[KPT_STAGE_WORK] = { .exit = kpt_trigger_hist_exit },
	.class = &kpt_class_synthetic,
	.events_freed = hist_wake,
	.readme = {
[KPT_README_LINES] =
"	           s:[synthetic/]<event> <field> [<field>]\n"
"	           (in dynamic_events)\n",
[KPT_README_DEFINING] =
"  synthetic_events	- Create/append/remove/show synthetic events\n"
"			  Write into this file to define/undefine new synthetic events.\n"
"	     example: echo 'myevent u64 lat; char name[]; long[] stack' >> synthetic_events\n"
"	    field: <type> <name>; type: s8/16/32/64, u8/16/32/64, char, int, long,\n"
"	           unsigned char/int/long, bool, pid_t, gfp_t,\n"
"	           char[N], char[], long[], unsigned long[]\n",
[KPT_README_EVENT] =
"	hist		- What the hist triggers have counted\n"
"	hist_escaped	- The same, with strings in quotes, for programs\n",
[KPT_README_TRIGGERS] =
"	            enable_hist:<group>:<event>, disable_hist:<group>:<event>,\n"
"	            hist:keys=<field1[,field2,...]>[:values=<field1[,field2,...]>]\n"
"	              [:sort=<field1[,field2,...]>][:size=#entries]\n"
"	              [:pause][:continue][:clear][:name=histname1][:nohitcount]\n"
"	              [:clock=<clock>]\n"
"	            field: <field>[.<modifier>], a number, $<var>, or up to four of\n"
"	              these with + - * / between them;\n"
"	                   a key can be any field, or the special string 'common_stacktrace'\n"
"	                   or, of the program, 'common_userstacktrace'\n"
"	              [:<var1>=<field|var_ref|numeric_literal>[,<var2>=...]]: kept by key;\n"
"	            var_ref: $<var>, <group>.<event>.$<var> of another histogram\n"
"	              [:<handler>.<action>]\n"
"	            handler: onmatch(<group>.<event>), onmax(var), onchange(var)\n"
"	            action: trace(<synthetic_event>,param list),\n"
"	                    <synthetic_event>(param list), save(field,...), snapshot()\n",
	},
};
