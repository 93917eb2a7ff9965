// SPDX-License-Identifier: GPL-2.0-only
/* events/GRP/EVENT/bridge: is the event in the kernel's own tracing, too? */
#include "kernel/compat.h"
#include <linux/capability.h>
#include <linux/string.h>
#include <linux/uaccess.h>
#include "parts/bridge/bridge.h"
#include "fs/fs.h"

#ifdef KPT_BRIDGES

static int bridge_show(struct seq_file *m, const struct kpt_fs_node *node)
{
	seq_printf(m, "%d\n", kpt_bridge_is_there(node->file->event));
	return 0;
}

static int bridge_parse(const struct kpt_fs_node *node, const char __user *from, size_t count,
			bool *on)
{
	char text[8] = "";
	int err;

	if (copy_from_user(text, from, min(count, sizeof(text) - 1)))
		return -EFAULT;
	err = count < sizeof(text) ? kpt_parse_switch(strim(text), on) : -EINVAL;
	if (err)
		kpt_fs_node_note(node, text, "0 or 1");
	return err;
}

/* Ask, or look what has become of that, with the event's lock. */
static int bridge_step(struct kpt_fs_node *node, bool on, bool is_done)
{
	struct kpt_diag diag = { 0 };
	char loc[2 * KPT_NAME_MAX + 9];
	struct kpt_event *event;
	int err = kpt_fs_node_lock(node);

	if (err)
		return err;
	event = node->file->event;
	err = is_done ? kpt_bridge_result(event, on, &diag) :
			kpt_bridge_want(event, on, &diag);
	if (err && diag.code) {
		scnprintf(loc, sizeof(loc), "bridge:%s:%s", event->group, event->name);
		kpt_errlog_add(&node->instance->errlog, loc, on ? "1" : "0", &diag);
	}
	kpt_unlock();
	return err;
}

/* A reason of kpt_bridge_want() or kpt_bridge_result() is in error_log. */
static int bridge_write(struct kpt_fs_node *node, const char __user *from, size_t count)
{
	bool on;
	int err = bridge_parse(node, from, count, &on);

	/* With uid=, the owner of kptrace's files may not use the kernel's tracing. */
	if (!err && on && !perfmon_capable())
		err = -EPERM;
	err = err ?: bridge_step(node, on, false);
	if (err)
		return err;
	do
		err = kpt_bridge_wait() ?: bridge_step(node, on, true);
	while (err == -EAGAIN);
	return err;
}

static const struct kpt_fs_file entries[] = {
	{ .name = "bridge", .mode = 0640, .show = bridge_show, .write = bridge_write },
};

const struct kpt_fs_table kpt_bridge_entries = KPT_FS_TABLE(entries);
#else
const struct kpt_fs_table kpt_bridge_entries = { NULL, 0 };
#endif
