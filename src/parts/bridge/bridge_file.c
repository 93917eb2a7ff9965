// SPDX-License-Identifier: GPL-2.0-only
/* events/GRP/EVENT/bridge: is the event in the kernel's own tracing, too? */
#include "kernel/compat.h"
#include <linux/capability.h>
#include "parts/bridge/bridge.h"
#include "fs/fs.h"

#ifdef KPT_BRIDGES

static int bridge_show(struct seq_file *m, const struct kpt_fs_node *node)
{
	seq_printf(m, "%d\n", kpt_bridge_is_there(node->file->event));
	return 0;
}

/* Ask, or look what has become of that. A reason is in error_log. */
static int bridge_step(const struct kpt_fs_node *node, bool on, bool is_done)
{
	struct kpt_event *event = node->file->event;
	struct kpt_diag diag = { 0 };
	char loc[2 * KPT_NAME_MAX + 9];
	int err = is_done ? kpt_bridge_result(event, on, &diag) :
			    kpt_bridge_want(event, on, &diag);

	if (err && diag.code) {
		scnprintf(loc, sizeof(loc), "bridge:%s:%s", event->group, event->name);
		kpt_errlog_add(&node->instance->errlog, loc, on ? "1" : "0", &diag);
	}
	return err;
}

static int bridge_store(const struct kpt_fs_node *node, char *text)
{
	enum kpt_hold how;
	bool on;
	int err = kpt_parse_switch(text, &on);

	/* With uid=, the owner of kptrace's files may not use the kernel's tracing. */
	if (!err && on && !perfmon_capable())
		err = -EPERM;
	err = err ?: bridge_step(node, on, false);
	if (err)
		return err;
	do {
		how = kpt_mutex_pause();
		err = kpt_bridge_wait();
		err = kpt_mutex_resume(how) ?: err;
		if (!err)
			err = kpt_fs_node_is_dead(node) ? -ENODEV : bridge_step(node, on, true);
	} while (err == -EAGAIN);
	return err;
}

static const struct kpt_fs_file entries[] = {
	{
		.name = "bridge",
		.mode = 0640,
		.takes = KPT_TAKES_SWITCH,
		.show = bridge_show,
		.store = bridge_store,
	},
};

const struct kpt_fs_table kpt_bridge_entries = KPT_FS_TABLE(entries);
#else
const struct kpt_fs_table kpt_bridge_entries = { NULL, 0 };
#endif
