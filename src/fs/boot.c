// SPDX-License-Identifier: GPL-2.0-only
/*
 * kprobe_event=: definitions that come with the module, in the form that the
 * kernel command line has for its own probe events: a comma for each blank, a
 * semicolon between definitions. They are defined and enabled as soon as there
 * are events, before anything is mounted.
 */
#include "kernel/compat.h"
#include <linux/moduleparam.h>
#include <linux/slab.h>
#include <linux/string.h>
#include "fs/fs.h"

/* What was given; several parameters are one list. */
static char *given;

static int param_set(const char *val, const struct kernel_param *kp)
{
	char *all;

	all = kasprintf(GFP_KERNEL, "%s%s%s", given ?: "", given ? ";" : "",
			val);
	if (!all)
		return -ENOMEM;
	kfree(given);
	given = all;
	return 0;
}

static void param_free(void *arg)
{
	kfree(given);
	given = NULL;
}

static const struct kernel_param_ops param_ops = {
	.set = param_set,
	.free = param_free,
};

module_param_cb(kprobe_event, &param_ops, NULL, 0);
MODULE_PARM_DESC(kprobe_event,
		 "definitions, as dynamic_events takes them: ',' for ' ', ';' between them");

/* error_log has the reason; the rest of the list is obeyed all the same. */
static void define(const char *line)
{
	int err = kpt_command_run(line, strlen(line), KPT_CMD_DYNAMIC);

	if (err)
		pr_warn("kprobe_event: %s: error %d, see error_log\n", line,
			err);
}

/**
 * kpt_boot_init() - define and enable the events of the parameter kprobe_event
 *
 * What is wrong there is told by error_log and the kernel log, and hinders
 * nothing.
 *
 * Context: module load.
 * Return: 0.
 */
int kpt_boot_init(void)
{
	char *rest = given, *line;
	int err;

	if (!given)
		return 0;
	mutex_lock(&kpt_mutex);
	strreplace(given, ',', ' ');
	while ((line = strsep(&rest, ";")) != NULL)
		define(line);
	err = kpt_events_switch(&kpt_top_instance, true);
	mutex_unlock(&kpt_mutex);
	if (err)
		pr_warn("kprobe_event: not enabled: error %d\n", err);
	param_free(NULL);
	return 0;
}
