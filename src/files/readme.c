// SPDX-License-Identifier: GPL-2.0-only
/*
 * The README file of the tree. Tests and tools search it for phrases to detect
 * features. So it must not mention a feature that kptrace lacks, and the phrases of
 * the kernel's own README are kept byte for byte.
 */
#include "fs/fs.h"
#include "kernel/compat.h"

/* What the core has, by section. In pieces: sparse takes no string of more than 8 KiB. */
static const char *const core[KPT_NR_README] = {
[KPT_README_FILES] =
"kptrace: dynamic probes in a running arm64 kernel\n\n"
"  mount -t kptracefs none /sys/kernel/kptrace	(if not mounted yet)\n"
"  cd /sys/kernel/kptrace\n"
"  echo 'p:open do_sys_openat2 dfd=%x0:s32 flags=$arg3' > kprobe_events\n"
"  echo 1 > events/kprobes/open/enable\n"
"  cat trace\n"
"  echo 0 > events/kprobes/open/enable\n"
"  echo > kprobe_events\n\n"
"Files that need no event of their own:\n\n"
"  README		- This text\n"
"  status		- How BRKs are received; missing symbols; counts; the parts\n"
"			  that this kptrace was built with\n"
"  can_probe		- Write a place, read if and how it can be probed, or why not,\n"
"			  and what the function takes and returns, and where\n"
"  kprobes/list		- Probed addresses, and how each is probed\n"
"  kprobes/blacklist	- Ranges that must not be probed\n"
"  error_log		- The last refused commands and the reasons. Clear it by\n"
"			  writing to it with '>'\n",
[KPT_README_LINES] =
"\nDefining events:\n\n"
"  dynamic_events		- Create/append/remove/show the generic dynamic events\n"
"			  Write into this file to define/undefine new trace events.\n"
"  kprobe_events		- Create/append/remove/show the kernel dynamic events\n"
"			  Write into this file to define/undefine new trace events.\n"
"	  accepts: event-definitions (one definition per line)\n"
"	   Format: p[:[<group>/][<event>]] <place> [<args>]\n"
"	           r[maxactive][:[<group>/][<event>]] <place> [<args>]\n"
"	           rret..., rhook...: at its return instructions, or by\n"
"	           replacing its return address\n"
"	           -:[<group>/][<event>]\n"
"	           f[:[<group>/][<event>]] <func-name>[%return] [<args>]\n"
"	           (in dynamic_events; args as of p and r, without registers)\n"
#ifdef CONFIG_TRACEPOINTS
"	           t[:[<group>/][<event>]] <tracepoint> [<args>]\n"
"	           (the same holds)\n"
#endif
"	func-name: [<module>:]<pattern>[,[!]<pattern>]..., ! excludes;\n"
"	           a pattern is a name, or has *, ? or [<characters>]\n"
"	           e[:[<group>/][<event>]] <attached-group>.<attached-event> [<args>]"
" [if <filter>]\n"
"	           (in dynamic_events; args: $<field> or <field>, $comm, and what\n"
"	           is made of them)\n",
[KPT_README_ARGS] =
"	    place: [<module>:]<symbol>[+<offset>]|<memaddr>\n"
"place (kretprobe): [<module>:]<symbol>[+<offset>]%return|<memaddr>\n"
"	     args: <name>=fetcharg[:type]\n"
"	 fetcharg: %<register>, @<address>, @<symbol>[+|-<offset>],\n"
"	           $stack<index>, $stack, $retval, $comm, $arg<N>,\n"
"	           $current, $tgid, $uid, $cgroup, $elapsed,\n"
"	           +|-[u]<offset>(<fetcharg>), \\imm-value, \\\"imm-string\",\n"
"	           this_cpu_read(<fetcharg>), this_cpu_ptr(<fetcharg>)\n",
[KPT_README_TYPES] =
"	     kernel return probes support: $retval, $arg<N>, $comm, $elapsed\n"
"	     type: s8/16/32/64, u8/16/32/64, x8/16/32/64, char, string, symbol,\n"
"	           b<bit-width>@<bit-offset>/<container-size>, ustring,\n"
"	           symstr, %pd/%pD, <type>\\[<array-size>\\],\n"
"	           be16/32/64, ipv4, ipv6, mac, errno, signal, cap, uid, syscall\n"
"	 register: x0-x30, lr, sp, pc, pstate\n",
[KPT_README_DEFINING] =
"  kprobe_profile	- Event, hits and misses of every probe of kprobe_events\n",
[KPT_README_EVENT] =
"\nEnabling events:\n\n"
"  available_events	- Every event, as group:event\n"
"  event_stats		- The file stats of all events that were defined or used\n"
"  set_event		- Enables events by name written into it: group:event,\n"
"			  group:*, *:event or a name; with ! in front disables.\n"
"			  Can enable module events via: :mod:<module>\n"
"  show_event_filters	- The filters of all events\n"
"  show_event_triggers	- The triggers of all events\n"
"  set_event_pid		- Only hits of these tasks are recorded\n"
"  set_event_notrace_pid	- Hits of these tasks are not recorded\n"
"  tracing_cpumask	- Only hits on these CPUs are recorded\n"
"  events/enable		- Write 0/1 to disable/enable all events\n"
"  events/<group>/enable	- The same for a group; reads X if only some are on\n"
"  events/<group>/<event>/\n"
"	enable		- The same for one event\n"
"	filter		- Which hits are recorded: 'field op value', &&, ||, !, ();\n"
"			  0 clears. A group has one too, for all its events\n"
"	format		- The layout of its records\n"
"	id		- Its number in the records\n"
"	functions	- The functions it has probes in, and those left out, with the\n"
"			  reason\n"
"	limit		- How many hits are recorded: <number>, or\n"
"			  <number>/<s|m|h>[ burst <number>]; 0: all\n"
"	stats		- hits = recorded + filtered + limited + missed + lost\n",
[KPT_README_TRIGGERS] =
"	trigger		- Actions of a hit, also of hits that are not recorded\n"
"			  (an event that is armed only for them has '*' in enable):\n"
"	    Format: <trigger>[:count][ if <filter>]; ! in front removes it\n"
"	   trigger: traceon, traceoff, snapshot, stacktrace,\n"
"	            enable_event:<group>:<event>, disable_event:<group>:<event>,\n"
"	            limit:<number>[/<s|m|h>[:<burst>]]: of the other hits none is\n"
"	              recorded, or seen by triggers behind this one\n",
[KPT_README_READING] =
"\nReading what was recorded:\n\n"
"  trace			- The buffer as text. Clear it by writing to it with '>'\n"
"  trace_pipe		- The same, but consumes the records; waits for more\n"
"  snapshot		- The last snapshot; without one, an explanation\n"
"  trace_marker		- A text that is written here is recorded\n"
"  trace_marker_raw	- The same for a number of four bytes and further bytes\n"
"  tracing_on		- Write 0/1 to stop/start recording\n"
"  trace_clock		- The clock of time stamps; the chosen one is in []\n"
"			  unordered is local without an ISB at each hit\n"
"  buffer_size_kb	- KiB per CPU; X if they differ\n"
"  buffer_total_size_kb	- KiB of all CPUs\n"
"  buffer_subbuf_size_kb	- KiB of a page of binary records\n"
"  buffer_percent	- How full a ring must be to wake readers of pages\n"
"  timestamp_mode	- Always delta\n"
"  per_cpu/cpu<N>/	- trace, trace_pipe, snapshot, buffer_size_kb, stats of\n"
"			  one CPU\n"
"  trace_options		- Write <option> or no<option>\n"
"  options/<option>	- Write 0/1\n"
"  saved_cmdlines	- Names of tasks that hit a probe, by pid\n"
"  saved_tgids		- Their thread groups\n"
"  saved_cmdlines_size	- How many of them are kept\n"
"  printk_formats	- Empty\n"
"  free_buffer		- Closing it frees the records and their memory\n",
[KPT_README_INSTANCES] =
"\nInstances:\n\n"
"  instances/		- mkdir here makes an instance: a buffer with its own\n"
"			  switches for every event. rmdir removes it\n",
[KPT_README_LOADING] =
"\nWhen the module is loaded:\n\n"
"  Its parameter kprobe_event=<definition>[;<definition>]... defines and enables\n"
"  events, with ',' for each blank. All its parameters: modinfo kptrace\n",
};

/* Of sections that only parts have. */
static const char *const heading[KPT_NR_README] = {
	[KPT_README_TRACERS] = "\nTracers:\n\n",
};

/**
 * kpt_readme_show() - write README
 * @m: the file
 *
 * Context: any.
 */
void kpt_readme_show(struct seq_file *m)
{
	const struct kpt_part *part;
	unsigned int section, nth;
	const char *head;

	for (section = 0; section < KPT_NR_README; section++) {
		head = heading[section];
		if (core[section])
			seq_puts(m, core[section]);
		for (nth = 0; (part = kpt_part_nth(nth)); nth++) {
			if (!part->readme[section])
				continue;
			if (head)
				seq_puts(m, head);
			head = NULL;
			seq_puts(m, part->readme[section]);
		}
	}
}
