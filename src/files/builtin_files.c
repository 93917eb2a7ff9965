// SPDX-License-Identifier: GPL-2.0-only
/*
 * The directories in events/ftrace: those of builtin events, whose records are not hits
 * of probes that users define.
 */
#include "event/builtin.h"
#include "fs/fs.h"

static const struct kpt_fs_file builtin_entries[] = {
	{ .name = "format", .mode = 0440, .show = kpt_event_format_show },
	{ .name = "id", .mode = 0440, .show = kpt_event_id_show },
};

/* Besides these, of the texts of trace_marker. */
static const struct kpt_fs_file print_entries[] = {
	{
		.name = "trigger",
		.mode = 0640,
		.show = kpt_trigger_file_show,
		.store = kpt_trigger_file_store,
		.truncate = kpt_trigger_file_truncate,
	},
};

static const struct kpt_fs_table builtin_table = KPT_FS_TABLE(builtin_entries);
static const struct kpt_fs_table print_table = KPT_FS_TABLE(print_entries);

static const struct kpt_fs_content builtin_content = { .tables = { &builtin_table } };
static const struct kpt_fs_content print_content = {
	.tables = { &builtin_table, &print_table },
	.dir = KPT_DIR_MARKER,
};

/**
 * kpt_builtin_content() - what is in the directory of a builtin event
 * @event: the event
 *
 * Context: any.
 * Return: the content.
 */
const struct kpt_fs_content *kpt_builtin_content(const struct kpt_event *event)
{
	return event->id == KPT_RECORD_PRINT ? &print_content : &builtin_content;
}
