// SPDX-License-Identifier: GPL-2.0-only
/*
 * The files of events/, of a group and of an event; set_event, available_events,
 * show_event_*.
 */
#include "event/class.h"
#include "kernel/compat.h"
#include <linux/string.h>
#include "event/event_filter.h"
#include "event/event_limit.h"
#include "event/set_event.h"
#include "event/declared.h"
#include "fs/fs.h"
#include "trigger/trigger.h"

/**
 * kpt_events_switch() - switch all events of an instance that were defined or are on
 * @instance: the instance
 * @on: true to enable, false to disable
 *
 * Context: process context, sleeps, kpt_mutex held.
 * Return: 0, or an errno of kpt_event_files_switch(): -EBUSY, -EPERM, -ENOMEM, -EIO or
 * -EINTR.
 */
int kpt_events_switch(struct kpt_instance *instance, bool on)
{
	struct kpt_event_files all = { .instance = instance };

	return min(kpt_event_files_switch(&all, on), 0);
}

/* The name of the group that a file is about, NULL for all. */
static const char *node_group(const struct kpt_fs_node *node)
{
	return node->group ? node->group->name : NULL;
}

/*
 * events/enable and events/GRP/enable.
 */

/* Static events of a group, or of all, that nobody has used: they are not enabled. */
static unsigned int group_not_made(const struct kpt_group *only)
{
	const struct kpt_group *group;
	const struct kpt_declared *s;
	unsigned int nr = 0;

	list_for_each_entry(group, &kpt_groups, list) {
		if (only && group != only)
			continue;
		list_for_each_entry(s, &group->declared, list)
			nr += s->call && !s->event;
	}
	return nr;
}

static int group_enable_show(struct seq_file *m, const struct kpt_fs_node *node)
{
	const struct kpt_event_files which = {
		.group = node_group(node),
		.with_unused = true,
	};
	unsigned int on = 0, off = group_not_made(node->group);
	const struct kpt_event_file *file;

	list_for_each_entry(file, &node->instance->files, instance_link) {
		if (!kpt_event_files_have_file(&which, file))
			continue;
		on += file->enabled;
		off += !file->enabled;
	}
	if (on && off)
		seq_puts(m, "X\n");
	else if (!on && !off)
		seq_puts(m, "?\n");
	else
		seq_puts(m, on ? "1\n" : "0\n");
	return 0;
}

static int group_enable_store(const struct kpt_fs_node *node, char *text)
{
	struct kpt_event_files which = {
		.instance = node->instance,
		.group = node_group(node),
	};
	bool on;
	int err;

	err = kpt_parse_switch(text, &on);
	if (err)
		return err;
	which.with_unused = on;
	return min(kpt_event_files_switch(&which, on), 0);
}

/*
 * events/GRP/EVENT.
 */

static int enable_show(struct seq_file *m, const struct kpt_fs_node *node)
{
	seq_printf(m, "%d%s\n", READ_ONCE(node->file->enabled),
		   node->file->soft || kpt_hook_next(&node->file->followers) ?
		   "*" : "");
	return 0;
}

static int enable_store(const struct kpt_fs_node *node, char *text)
{
	struct kpt_event_file *file = node->file;
	bool on;
	int err;

	err = kpt_parse_switch(text, &on);
	if (err)
		return err;
	return kpt_event_file_set_enabled(&file, 1, on);
}

/* A builtin event has no file to switch it; a static event is in the node's file only. */
static const struct kpt_event *event_of(const struct kpt_fs_node *node)
{
	return node->file ? node->file->event : node->event;
}

/**
 * kpt_event_format_show() - write format of an event
 * @m: where to write
 * @node: the file
 *
 * Context: process context, kpt_mutex held.
 * Return: 0.
 */
int kpt_event_format_show(struct seq_file *m, const struct kpt_fs_node *node)
{
	const struct kpt_event *event = event_of(node);
	struct kpt_strbuf sb;

	kpt_seq_begin(m, &sb);
	kpt_format_file(&sb, event->name, event->id, event->fields);
	kpt_seq_end(m, &sb);
	return 0;
}

/**
 * kpt_event_id_show() - write id of an event
 * @m: where to write
 * @node: the file
 *
 * Context: process context, kpt_mutex held.
 * Return: 0.
 */
int kpt_event_id_show(struct seq_file *m, const struct kpt_fs_node *node)
{
	seq_printf(m, "%u\n", event_of(node)->id);
	return 0;
}

/* The functions that the event sees, and those that it should see. */
static int event_functions_show(struct seq_file *m,
				const struct kpt_fs_node *node)
{
	const struct kpt_event *event = node->file->event;
	const struct kpt_probe *probe;
	enum kpt_diag_code why;
	unsigned long func;
	unsigned int at;

	list_for_each_entry(probe, &event->probes, sibling) {
		for (at = 0; (func = kpt_probe_function(probe, &at));)
			seq_printf(m, "%ps\n", (void *)func);
		if (!event->class->left_out)
			continue;
		for (at = 0; (func = event->class->left_out(probe, &at, &why));)
			seq_printf(m, "%ps: %s\n", (void *)func,
				   kpt_diag_text(why));
	}
	return 0;
}

static int stats_show(struct seq_file *m, const struct kpt_fs_node *node)
{
	struct kpt_event_file_counts c;

	kpt_event_file_read_counts(node->file, &c);
	seq_printf(m, "hits: %llu\n", kpt_event_file_hits(&c));
	seq_printf(m, "recorded: %llu\n", c.outcomes.recorded);
	seq_printf(m, "filtered: %llu\n", c.outcomes.filtered);
	seq_printf(m, "limited: %llu\n", c.limited);
	seq_printf(m, "missed: %llu\n", c.missed);
	seq_printf(m, "lost: %llu\n", c.lost);
	return 0;
}

/*
 * Filters.
 */

static int filter_show(struct seq_file *m, const struct kpt_fs_node *node)
{
	struct kpt_strbuf sb;

	kpt_seq_begin(m, &sb);
	kpt_event_file_show_filter(node->file, &sb);
	kpt_seq_end(m, &sb);
	return 0;
}

static int filter_store(const struct kpt_fs_node *node, char *text)
{
	struct kpt_event_file *file = node->file;
	struct kpt_diag diag = { 0 };
	int err;

	err = kpt_event_file_set_filter(file, text, &diag);
	if (err && diag.code)
		kpt_errlog_add(&file->instance->errlog,
			       "event filter parse error", text, &diag);
	return err;
}

static int limit_show(struct seq_file *m, const struct kpt_fs_node *node)
{
	struct kpt_strbuf sb;

	kpt_seq_begin(m, &sb);
	kpt_event_file_show_limit(node->file, &sb);
	kpt_seq_end(m, &sb);
	return 0;
}

static int limit_store(const struct kpt_fs_node *node, char *text)
{
	const struct kpt_event *event = node->file->event;
	char loc[2 * KPT_NAME_MAX + 8];
	struct kpt_diag diag = { 0 };
	int err;

	err = kpt_event_file_set_limit(node->file, text, &diag);
	if (err && diag.code) {
		scnprintf(loc, sizeof(loc), "limit:%s:%s", event->group, event->name);
		kpt_errlog_add(&node->file->instance->errlog, loc, text, &diag);
	}
	return err;
}

static int group_filter_show(struct seq_file *m, const struct kpt_fs_node *node)
{
	struct kpt_strbuf sb;

	kpt_seq_begin(m, &sb);
	kpt_group_filter_show(node->instance, node_group(node), &sb);
	kpt_seq_end(m, &sb);
	return 0;
}

static int group_filter_store(const struct kpt_fs_node *node, char *text)
{
	struct kpt_diag diag = { 0 };
	int err;

	if (!*text)
		return -EINVAL;
	err = kpt_group_filter_set(node->instance, node_group(node), text, &diag);
	if (err && diag.code)
		kpt_errlog_add(&node->instance->errlog,
			       "event filter parse error", text, &diag);
	return err;
}

/*
 * set_event and available_events.
 */

static int set_event_store(const struct kpt_fs_node *node, char *text)
{
	char *word;
	int err;

	while ((word = strsep(&text, " \t\n"))) {
		if (!*word)
			continue;
		err = kpt_set_event(node->instance, word);
		if (err)
			return err;
	}
	return 0;
}

static int set_event_truncate(const struct kpt_fs_node *node)
{
	kpt_set_event_forget(node->instance);
	return kpt_events_switch(node->instance, false);
}

static struct list_head *files(const struct kpt_fs_node *node)
{
	return &node->instance->files;
}

static struct kpt_event_file *file_at(struct list_head *at)
{
	return list_entry(at, struct kpt_event_file, instance_link);
}

static void available_declared(struct seq_file *m)
{
	const struct kpt_group *group;
	const struct kpt_declared *s;

	list_for_each_entry(group, &kpt_groups, list)
		list_for_each_entry(s, &group->declared, list)
			if (kpt_declared_is_usable(s))
				seq_printf(m, "%s:%s\n", group->name, s->name);
}

static int available_row(struct seq_file *m, const struct kpt_fs_node *node,
		struct list_head *at)
{
	const struct kpt_event *event = file_at(at)->event;

	/* The first file of all. */
	if (kpt_event_is_builtin(event))
		available_declared(m);
	else if (!event->class->is_static)
		seq_printf(m, "%s:%s\n", event->group, event->name);
	return 0;
}

static int set_event_row(struct seq_file *m, const struct kpt_fs_node *node,
		struct list_head *at)
{
	const struct kpt_event_file *file = file_at(at);
	struct kpt_strbuf sb;

	if (file->enabled)
		seq_printf(m, "%s:%s\n", file->event->group, file->event->name);
	if (!list_is_last(at, files(node)))
		return 0;
	kpt_seq_begin(m, &sb);
	kpt_set_event_show(node->instance, &sb);
	kpt_seq_end(m, &sb);
	return 0;
}

/* Write "GRP:EVENT", padded to column 32, where the filter or trigger begins. */
static void put_event(struct kpt_strbuf *sb, const struct kpt_event *event)
{
	size_t len = strlen(event->group) + 1 + strlen(event->name);

	kpt_strbuf_printf(sb, "%s:%s%*s", event->group, event->name,
			  len < 32 ? (int)(32 - len) : 1, "");
}

static int filter_row(struct seq_file *m, const struct kpt_fs_node *node,
		struct list_head *at)
{
	struct kpt_event_file *file = file_at(at);
	struct kpt_strbuf sb;

	if (!file->filter)
		return 0;
	kpt_seq_begin(m, &sb);
	put_event(&sb, file->event);
	kpt_event_file_show_filter(file, &sb);
	kpt_seq_end(m, &sb);
	return 0;
}

static int triggers_row(struct seq_file *m, const struct kpt_fs_node *node,
		struct list_head *at)
{
	const struct kpt_event_file *file = file_at(at);
	const struct kpt_trigger *t;
	struct kpt_strbuf sb;

	kpt_seq_begin(m, &sb);
	list_for_each_entry(t, &file->triggers.list, list) {
		put_event(&sb, file->event);
		kpt_trigger_show(&sb, t);
	}
	kpt_seq_end(m, &sb);
	return 0;
}

/* The files stats of all events that somebody has used, in one. */
static int event_stats_row(struct seq_file *m, const struct kpt_fs_node *node,
		struct list_head *at)
{
	struct kpt_event_file *file = file_at(at);
	struct kpt_event_file_counts c;

	if (list_is_first(at, files(node)))
		seq_puts(m, "# event hits recorded filtered limited missed lost\n");
	kpt_event_file_read_counts(file, &c);
	seq_printf(m, "%s:%s %llu %llu %llu %llu %llu %llu\n", file->event->group,
		   file->event->name, kpt_event_file_hits(&c), c.outcomes.recorded,
		   c.outcomes.filtered, c.limited, c.missed, c.lost);
	return 0;
}

static const struct kpt_fs_file set_event_entries[] = {
	{
		.name = "event_stats",
		.mode = 0440,
		.list = files,
		.row = event_stats_row,
	},
	{
		.name = "set_event",
		.mode = 0640,
		.words = true,
		.list = files,
		.row = set_event_row,
		.store = set_event_store,
		.truncate = set_event_truncate,
	},
	{
		.name = "show_event_filters",
		.mode = 0440,
		.list = files,
		.row = filter_row,
	},
	{
		.name = "show_event_triggers",
		.mode = 0440,
		.list = files,
		.row = triggers_row,
	},
};

static const struct kpt_fs_file available_entries[] = {
	{
		.name = "available_events",
		.mode = 0440,
		.list = files,
		.row = available_row,
	},
};

static const struct kpt_fs_file group_entries[] = {
	{
		.name = "enable",
		.takes = KPT_TAKES_SWITCH,
		.mode = 0640,
		.show = group_enable_show,
		.store = group_enable_store,
	},
	{
		.name = "filter",
		.mode = 0640,
		.show = group_filter_show,
		.store = group_filter_store,
	},
};

static const struct kpt_fs_file event_entries[] = {
	{
		.name = "enable",
		.takes = KPT_TAKES_SWITCH,
		.mode = 0640,
		.show = enable_show,
		.store = enable_store,
	},
	{
		.name = "filter",
		.mode = 0640,
		.show = filter_show,
		.store = filter_store,
	},
	{ .name = "format", .mode = 0440, .show = kpt_event_format_show },
	{ .name = "functions", .mode = 0440, .show = event_functions_show },
	{ .name = "id", .mode = 0440, .show = kpt_event_id_show },
	{
		.name = "limit",
		.mode = 0640,
		.show = limit_show,
		.store = limit_store,
	},
	{ .name = "stats", .mode = 0440, .show = stats_show },
	{
		.name = "trigger",
		.mode = 0640,
		.show = kpt_trigger_file_show,
		.store = kpt_trigger_file_store,
		.truncate = kpt_trigger_file_truncate,
	},
};

const struct kpt_fs_table kpt_available_entries = KPT_FS_TABLE(available_entries);
const struct kpt_fs_table kpt_set_event_entries = KPT_FS_TABLE(set_event_entries);
/* Only enable: as in mainline, there is no filter for all events. */
const struct kpt_fs_table kpt_all_events_entries = { group_entries, 1 };
const struct kpt_fs_table kpt_group_entries = KPT_FS_TABLE(group_entries);
const struct kpt_fs_table kpt_event_entries = KPT_FS_TABLE(event_entries);
