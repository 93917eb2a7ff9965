// SPDX-License-Identifier: GPL-2.0-only
/*
 * kprobe_events and dynamic_events: lines become events; kprobe_profile.
 */
#include "kernel/compat.h"
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/uaccess.h>
#include "fs/fs.h"

/* Characters of a line, as the kernel's own kprobe_events has it. */
#define LINE_MAX	(KPT_DEF_MAX - 2)

/*
 * One line.
 */

/* Is a name of the definition that of a file of the table? */
static bool names_file(const struct kpt_def *def, const struct kpt_span *span,
		       const struct kpt_entries *entries)
{
	const char *name = def->text + span->at;
	unsigned int i;

	for (i = 0; i < entries->nr; i++)
		if (strlen(entries->entry[i].name) == span->len &&
		    !memcmp(entries->entry[i].name, name, span->len))
			return true;
	return false;
}

static bool span_is(const struct kpt_def *def, const struct kpt_span *span,
		    const char *name)
{
	return strlen(name) == span->len &&
	       !memcmp(def->text + span->at, name, span->len);
}

/* One of the directories that are always in events/ftrace. */
static bool names_own(const struct kpt_def *def)
{
	return span_is(def, &def->event, "print") ||
	       span_is(def, &def->event, "raw_data") ||
	       span_is(def, &def->event, "kernel_stack");
}

/* Delete the event that was made last; @def becomes the line that does it. */
static void undefine(struct kpt_def *def, const struct kpt_event *event)
{
	LIST_HEAD(dead);

	memset(def, 0, sizeof(*def));
	def->kind = KPT_DEF_DELETE;
	def->group.len = strlen(event->group);
	def->event.at = def->group.len;
	def->event.len = strlen(event->name);
	snprintf(def->text, sizeof(def->text), "%s%s", event->group,
		 event->name);
	if (!kpt_event_delete(def, &dead))
		kpt_tree_free_events(&dead);
}

static int define(struct kpt_def *def, struct kpt_diag *diag)
{
	struct kpt_event *event;
	int err;

	/* Its directory could not stand there. */
	if (names_file(def, &def->group, &kpt_all_events_entries) ||
	    names_file(def, &def->group, &kpt_header_entries) ||
	    names_file(def, &def->event, &kpt_group_entries) ||
	    (span_is(def, &def->group, "ftrace") && names_own(def)))
		return kpt_diag_set(diag, KPT_E_EVENT_EXIST, 0, -EEXIST);

	err = kpt_event_define(def, diag, &event);
	if (err || !event)
		return err;
	err = kpt_tree_add_event(event);
	if (err)
		undefine(def, event);
	return err;
}

static int delete(const struct kpt_def *def)
{
	LIST_HEAD(dead);
	int err;

	err = kpt_event_delete(def, &dead);
	kpt_tree_free_events(&dead);
	return err;
}

static int obey(struct kpt_def *def, const char *line, size_t len,
		unsigned int flags, struct kpt_diag *diag)
{
	int err;

	err = kpt_def_parse(def, line, len, diag);
	if (def->of_function && !(flags & KPT_CMD_DYNAMIC)) {
		kpt_diag_set(diag, KPT_E_NONE, 0, 0);
		return -EINVAL;
	}
	if (err)
		return err;
	switch (def->kind) {
	case KPT_DEF_NONE:	/* blank */
		return 0;
	case KPT_DEF_DELETE:
		if (def->by_command && !(flags & KPT_CMD_DYNAMIC))
			return -EINVAL;
		def->spares_functions = !(flags & KPT_CMD_DYNAMIC);
		return delete(def);
	default:
		return define(def, diag);
	}
}

static void log_mistake(const struct kpt_def *def, unsigned int flags,
			struct kpt_diag *diag)
{
	const char *loc = def->of_function ? "trace_fprobe" : "trace_kprobe";

	if (diag->code == KPT_E_NONE && def->kind == KPT_DEF_NONE &&
	    flags & KPT_CMD_DYNAMIC) {
		loc = "dynevent";
		kpt_diag_set(diag, KPT_E_NO_DYNEVENT, 0, 0);
	}
	if (diag->code != KPT_E_NONE)
		kpt_errlog_add(&kpt_top_instance.errlog, loc, def->text, diag);
}

/**
 * kpt_command_run() - obey one line of kprobe_events
 * @line: the line, comment and newline already cut off
 * @len: its characters
 * @flags: KPT_CMD_*
 *
 * A mistake is noted in error_log.
 *
 * Context: process context, sleeps, kpt_mutex held.
 * Return: 0 or -errno; then nothing has changed.
 */
int kpt_command_run(const char *line, size_t len, unsigned int flags)
{
	struct kpt_diag diag = { .code = KPT_E_NONE };
	struct kpt_def *def;
	int err;

	def = kvmalloc(sizeof(*def), GFP_KERNEL);
	if (!def)
		return -ENOMEM;
	err = obey(def, line, len, flags, &diag);
	if (err)
		log_mistake(def, flags, &diag);
	kvfree(def);
	return err;
}

/*
 * One write: many lines.
 */

static int run_line(const struct kpt_node *node, const char *line, size_t len)
{
	const char *comment = memchr(line, '#', len);
	int err;

	if (comment)
		len = comment - line;
	err = kpt_node_lock(node);
	if (err)
		return err;
	err = kpt_command_run(line, len, node->entry->arg);
	mutex_unlock(&kpt_mutex);
	return err;
}

/*
 * Run the whole lines of a chunk; the end of the last chunk ends a line too.
 * Returns how many characters that was, or -errno.
 */
static ssize_t run_chunk(const struct kpt_node *node, const char *chunk,
			 size_t size, bool last)
{
	size_t done = 0, len;
	const char *end;
	int err;

	while (done < size) {
		end = memchr(chunk + done, '\n', size - done);
		if (!end && !last)
			break;
		len = end ? end - (chunk + done) : size - done;
		if (fatal_signal_pending(current))
			return -EINTR;
		err = run_line(node, chunk + done, len);
		if (err)
			return err;
		done += len + !!end;
	}
	return done;
}

static int write_lines(const struct kpt_node *node, const char __user *from,
		       size_t count)
{
	size_t done = 0, size;
	ssize_t used = 0;
	char *chunk;

	chunk = kmalloc(LINE_MAX + 1, GFP_KERNEL);
	if (!chunk)
		return -ENOMEM;
	while (done < count) {
		size = min_t(size_t, count - done, LINE_MAX + 1);
		used = -EFAULT;
		if (copy_from_user(chunk, from + done, size))
			break;
		used = run_chunk(node, chunk, size, done + size == count);
		if (used <= 0)
			break;
		done += used;
	}
	kfree(chunk);
	if (!used && done < count) {
		pr_warn("a line has more than %d characters\n", LINE_MAX);
		return -EINVAL;
	}
	return min_t(ssize_t, used, 0);
}

static int delete_all(const struct kpt_node *node)
{
	LIST_HEAD(dead);
	int err;

	err = kpt_event_delete_all(!(node->entry->arg & KPT_CMD_DYNAMIC), &dead);
	kpt_tree_free_events(&dead);
	return err;
}

/*
 * Reading: one line per probe.
 */

static void *probes_start(struct seq_file *m, loff_t *pos)
{
	int err = kpt_seq_lock(m);

	return err ? ERR_PTR(err) : seq_list_start(&kpt_probes, *pos);
}

static void *probes_next(struct seq_file *m, void *v, loff_t *pos)
{
	return seq_list_next(v, &kpt_probes, pos);
}

/* kprobe_events and kprobe_profile are about p and r. */
static bool is_spared(struct seq_file *m, const struct kpt_event *event)
{
	const struct kpt_node *node = m->private;

	return event->of_functions && !(node->entry->arg & KPT_CMD_DYNAMIC);
}

static int definition_show(struct seq_file *m, void *v)
{
	static const char *const ways[] = {
		[KPT_WAY_ANY] = "", [KPT_WAY_RET] = "ret",
		[KPT_WAY_HOOK] = "hook",
	};
	const struct kpt_probe *probe = list_entry(v, struct kpt_probe, list);
	const struct kpt_event *event = probe->event;
	char letter = event->kind == KPT_DEF_RETURN ? 'r' : 'p';

	if (event->of_functions)
		letter = 'f';
	if (is_spared(m, event))
		return SEQ_SKIP;
	seq_printf(m, "%c%s", letter, ways[probe->way]);
	if (probe->maxactive)
		seq_printf(m, "%u", probe->maxactive);
	seq_printf(m, ":%s/%s %s%s\n", event->group, event->name,
		   probe->place, probe->args);
	return 0;
}

static int profile_show(struct seq_file *m, void *v)
{
	struct kpt_probe *probe = list_entry(v, struct kpt_probe, list);
	struct kpt_probe_counts counts;

	if (is_spared(m, probe->event))
		return SEQ_SKIP;
	kpt_probe_read_counts(probe, &counts);
	seq_printf(m, "  %-44s %15llu %15llu\n", probe->event->name,
		   counts.hits, counts.missed);
	return 0;
}

static const struct seq_operations definition_seq = {
	.start = probes_start,
	.next = probes_next,
	.stop = kpt_seq_unlock,
	.show = definition_show,
};

static const struct seq_operations profile_seq = {
	.start = probes_start,
	.next = probes_next,
	.stop = kpt_seq_unlock,
	.show = profile_show,
};

static const struct kpt_entry entries[] = {
	{
		.name = "kprobe_events",
		.mode = 0640,
		.seq = &definition_seq,
		.write = write_lines,
		.truncate = delete_all,
	},
	{
		.name = "dynamic_events",
		.mode = 0640,
		.arg = KPT_CMD_DYNAMIC,
		.seq = &definition_seq,
		.write = write_lines,
		.truncate = delete_all,
	},
	{ .name = "kprobe_profile", .mode = 0440, .seq = &profile_seq },
};

const struct kpt_entries kpt_definition_entries = KPT_ENTRIES(entries);
