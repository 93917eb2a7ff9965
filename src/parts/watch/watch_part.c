// SPDX-License-Identifier: GPL-2.0-only
/* The part watch: events on data of the kernel. */
#include "parts/watch/wprobe.h"
#include "part.h"

KPT_PART(watch) = {
	.name = "watch",
	.stage[KPT_STAGE_EVENTS] = { .exit = kpt_wprobes_exit },
	.status = kpt_wprobes_status,
	.class = &kpt_class_wprobe,
	.readme = {
[KPT_README_LINES] =
"	           w[:[<group>/][<event>]] [r|w|rw]@<place>[:<length>][:changes] [<args>]\n"
"	           place: <memaddr>, <symbol>[+|-<offset>], percpu(<place>) or\n"
"	           (<struct>)<place>-><member>[.<member>]\n"
"	           (in dynamic_events: reads and writes of 1 to 8 bytes, by default 4, or\n"
"	           of a power of two up to 2 GiB;\n"
"	           args: $addr, $value or $new, $old, $comm, and what is made of them)\n"
"	           w[<objects>][:[<group>/][<event>]] [r|w|rw]@-1[:<length>][:changes]\n"
"	           (of objects, which triggers set)\n",
[KPT_README_TRIGGERS] =
"	            set_wprobe:[<group>/]<event>:<field>[+|-<adjust>][:count][if <filter>]\n"
"	            clear_wprobe:[<group>/]<event>[:<field>[+|-<adjust>]][:count][if <filter>]\n",
	},
};
