// SPDX-License-Identifier: GPL-2.0-only
/* README, status, and printk_formats: files of the top directory only. */
#include "kernel/compat.h"
#include <linux/security.h>
#include "engine/calls.h"
#include "parts/user/enabler.h"
#include "parts/bridge/bridge.h"
#include "event/class.h"
#include "parts/module/module_probe.h"
#include "parts/perf/perf.h"
#include "parts/static/static.h"
#include "parts/objtrace/watch.h"
#include "fs/fs.h"
#include "parts/perf/perf_hit.h"
#include "kernel/symbol/blacklist.h"
#include "parts/btf/kernel_btf.h"

/* Empty: our records hold texts, never the address of one. */
static int formats_show(struct seq_file *m, const struct kpt_fs_node *node)
{
	return 0;
}

static int readme_show(struct seq_file *m, const struct kpt_fs_node *node)
{
	const char *const *part;

	for (part = kpt_readme; *part; part++)
		seq_puts(m, *part);
	return 0;
}

static unsigned int count(const struct list_head *list)
{
	const struct list_head *at;
	unsigned int nr = 0;

	list_for_each(at, list)
		nr++;
	return nr;
}

/* Static events count only once they are used, and what nobody defined does not. */
static void status_show_events(struct seq_file *m)
{
	unsigned int used = 0, defined = 0, probes = 0;
	const struct kpt_event *event;

	list_for_each_entry(event, &kpt_events, list) {
		if (event->class->is_static)
			used++;
		if (!kpt_event_is_listed(event, KPT_LISTS_DYNAMIC))
			continue;
		defined++;
		probes += count(&event->probes);
	}
	seq_printf(m, "static events used: %u\n", used);
	seq_printf(m, "events: %u\n", defined);
	seq_printf(m, "probes: %u\n", probes);
	seq_printf(m, "probes of other modules: %u\n", kpt_module_probes_nr());
}

static void status_show_bridges(struct seq_file *m)
{
	const char *why = kpt_bridge_why_none();

	if (why)
		seq_printf(m, "bridges: %s\n", why);
	else
		seq_printf(m, "bridges: %u\n", kpt_bridges_nr());
}

static void status_show_replaced(struct seq_file *m)
{
	const char *why = kpt_blacklist_why_no_hooks();

	if (why)
		seq_printf(m, "replaced return addresses: none, %s\n", why);
	else
		seq_printf(m, "replaced return addresses: %u\n",
			   kpt_calls_replaced());
}

static void status_show_watch(struct seq_file *m)
{
	struct kpt_watch_counts sum;

	kpt_watch_read_counts(&sum);
	seq_printf(m, "objtrace: %u functions watched for %u objects, %llu without room\n",
		   sum.functions, sum.objects, sum.refused);
}

static int status_show(struct seq_file *m, const struct kpt_fs_node *node)
{
	struct kpt_strbuf sb;

	kpt_seq_begin(m, &sb);
	kpt_arch_status(&sb);
	kpt_seq_end(m, &sb);
	seq_printf(m, "counter: %s\n", kpt_clock_how());
	seq_printf(m, "lockdown: %s\n",
		   security_locked_down(LOCKDOWN_KPROBES) ? "yes" : "no");
	seq_printf(m, "file system: %s\n",
		   node->instance->dir->d_sb->s_type->name);
	seq_printf(m, "machine stops: %lu\n", kpt_arch_machine_stops());
	status_show_replaced(m);
	seq_printf(m, "forks without user events: %u\n",
		   kpt_enablers_not_followed());
	seq_printf(m, "static events: %s\n",
		   kpt_static_why_none() ?: "recorded by redirected functions");
	seq_printf(m, "perf: %s, %llu hits lost\n",
		   kpt_perf_why_none() ?: "listens by a PMU", kpt_hit_perf_lost());
	status_show_bridges(m);
	status_show_events(m);
	status_show_watch(m);
	seq_printf(m, "instances: %u\n", count(&kpt_instances) - 1);
	kpt_seq_begin(m, &sb);
	kpt_btf_status(&sb);
	kpt_seq_end(m, &sb);
	return 0;
}

static const struct kpt_fs_file entries[] = {
	{
		.name = "README",
		.mode = 0440,
		.lockless = true,
		.show = readme_show,
	},
	{ .name = "status", .mode = 0440, .show = status_show },
	{
		.name = "printk_formats",
		.mode = 0440,
		.lockless = true,
		.show = formats_show,
	},
};

const struct kpt_fs_table kpt_status_entries = KPT_FS_TABLE(entries);
