// SPDX-License-Identifier: GPL-2.0-only
/* README, status, and printk_formats: files of the top directory only. */
#include "kernel/compat.h"
#include <linux/security.h>
#include "engine/calls.h"
#include "event/class.h"
#include "fs/fs.h"
#include "kernel/symbol/blacklist.h"

/* Empty: our records hold texts, never the address of one. */
static int formats_show(struct seq_file *m, const struct kpt_fs_node *node)
{
	return 0;
}

static int readme_show(struct seq_file *m, const struct kpt_fs_node *node)
{
	kpt_readme_show(m);
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

/* What nobody defined does not count. */
static void status_show_events(struct seq_file *m)
{
	unsigned int defined = 0, probes = 0;
	const struct kpt_event *event;

	list_for_each_entry(event, &kpt_events, list) {
		if (!kpt_event_is_listed(event, KPT_LISTS_DYNAMIC))
			continue;
		defined++;
		probes += count(&event->probes);
	}
	seq_printf(m, "events: %u\n", defined);
	seq_printf(m, "probes: %u\n", probes);
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

static void status_show_parts(struct seq_file *m)
{
	const struct kpt_part *part;
	unsigned int nth;

	for (nth = 0; (part = kpt_part_nth(nth)); nth++)
		if (part->status)
			part->status(m);
	seq_puts(m, "parts:");
	for (nth = 0; (part = kpt_part_nth(nth)); nth++)
		seq_printf(m, " %s", part->name);
	seq_puts(m, nth ? "\n" : " none\n");
}

static int status_show(struct seq_file *m, const struct kpt_fs_node *node)
{
	struct kpt_strbuf sb;

	seq_printf(m, "version: %s\n", kpt_version);
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
	status_show_events(m);
	seq_printf(m, "instances: %u\n", count(&kpt_instances) - 1);
	status_show_parts(m);
	return 0;
}

static const struct kpt_fs_file status_files[] = {
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

const struct kpt_fs_table kpt_status_entries = KPT_FS_TABLE(status_files);
