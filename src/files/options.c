// SPDX-License-Identifier: GPL-2.0-only
/* options/ and trace_options: the trace options. */
#include "kernel/compat.h"
#include <linux/string.h>
#include "event/task_filter.h"
#include "fs/fs.h"
#include "kernel/comms.h"
#include "kernel/ksyms.h"
#include "event/class.h"

/* Options that are not bits of kpt_instance.options: other fields hold them. */
enum {
	OPT_OVERWRITE = 3,
	OPT_PAUSE = 5,
	OPT_RECORD_CMD = 6,
	OPT_GRAPH_TIME = 7,
	OPT_PROF_TEXT_OFFSET = 9,
	/* It is always 0, kpt_fs_file.takes says why. */
	OPT_NEVER = 10,
};

static bool option_get(const struct kpt_instance *instance, u64 option)
{
	switch (option) {
	case OPT_OVERWRITE:
		return instance->buffer.overwrite;
	case OPT_PAUSE:
		return instance->pause_on_trace;
	case OPT_RECORD_CMD:
		return kpt_comms_is_on();
	case OPT_GRAPH_TIME:
		return kpt_profile_options.inner;
	case OPT_PROF_TEXT_OFFSET:
		return kpt_profile_options.offsets;
	case OPT_NEVER:
		return false;
	default:
		return instance->options & option;
	}
}

/* Without types of the kernel, nothing would tell what is in registers. */
static int option_need_types(struct kpt_instance *instance, const char *name)
{
	char reason[KPT_DIAG_DETAIL_MAX];
	struct kpt_diag diag;
	struct kpt_strbuf why;

	kpt_strbuf_init(&why, reason, sizeof(reason));
	if (kpt_btf_of(NULL, &why))
		return 0;
	kpt_diag_set(&diag, KPT_E_NOSUP_BTFARG, 0, 0);
	kpt_diag_detail(&diag, reason);
	kpt_errlog_add(&instance->errlog, "trace_options", name, &diag);
	return -EOPNOTSUPP;
}

static int option_refuse(struct kpt_instance *instance, const char *name, const char *takes)
{
	struct kpt_diag diag;

	kpt_diag_set(&diag, KPT_E_BAD_VALUE, 0, 0);
	kpt_diag_detail(&diag, takes);
	kpt_errlog_add(&instance->errlog, "trace_options", name, &diag);
	return -EINVAL;
}

static int option_need_stacks(struct kpt_instance *instance, const char *name)
{
	struct kpt_diag diag;

	if (kpt_has_stack_walk())
		return 0;
	kpt_diag_set(&diag, KPT_E_NO_STACK_WALK, 0, 0);
	kpt_errlog_add(&instance->errlog, "trace_options", name, &diag);
	return -EOPNOTSUPP;
}

/* In one store: hits read it without a lock. */
static void option_set_bit(struct kpt_instance *instance, u64 option, bool on)
{
	WRITE_ONCE(instance->options, on ? instance->options | option :
					   instance->options & ~option);
}

/*
 * The tracer goes on with other records; on failure all is as before. As in mainline, calls
 * with other arguments are not the same, and there is no record for their number.
 */
static int option_set_function(struct kpt_instance *instance, const char *name, u64 option,
			       bool on)
{
	const u64 either = KPT_OPT_FUNC_ARGS | KPT_OPT_FUNC_NO_REPEATS;
	int err;

	if (on == !!(instance->options & option))
		return 0;
	if (on && instance->options & either)
		return option_refuse(instance, name, "0 while the other of func-args and "
				     "func-no-repeats is 1");
	option_set_bit(instance, option, on);
	err = kpt_parts_option_set(instance, option);
	if (err)
		option_set_bit(instance, option, !on);
	return err;
}

static int option_set(struct kpt_instance *instance, const struct kpt_fs_file *entry, bool on)
{
	const char *name = entry->name;
	u64 option = entry->arg;
	int err = 0;

	if (option & (KPT_OPT_FUNC_ARGS | KPT_OPT_GRAPH_ARGS) && on)
		err = option_need_types(instance, name);
	if (err)
		return err;
	if (option & (KPT_OPT_STACKTRACE | KPT_OPT_FUNC_STACK) && on)
		err = option_need_stacks(instance, name);
	if (err)
		return err;
	switch (option) {
	case OPT_NEVER:
		return on ? option_refuse(instance, name, entry->takes) : 0;
	case OPT_OVERWRITE:
		kpt_buffer_set_overwrite(&instance->buffer, on);
		break;
	case OPT_PAUSE:
		instance->pause_on_trace = on;
		break;
	case OPT_RECORD_CMD:
		kpt_comms_switch(on);
		break;
	case OPT_GRAPH_TIME:
		WRITE_ONCE(kpt_profile_options.inner, on);
		break;
	case OPT_PROF_TEXT_OFFSET:
		WRITE_ONCE(kpt_profile_options.offsets, on);
		break;
	case KPT_OPT_FUNC_ARGS:
	case KPT_OPT_FUNC_NO_REPEATS:
		return option_set_function(instance, name, option, on);
	default:
		option_set_bit(instance, option, on);
		kpt_task_filter_update(instance);
		kpt_parts_option_set(instance, option);
	}
	return 0;
}

static int option_show(struct seq_file *m, const struct kpt_fs_node *node)
{
	bool on = option_get(node->instance, node->entry->arg);

	seq_puts(m, on ? "1\n" : "0\n");
	return 0;
}

static int option_store(const struct kpt_fs_node *node, char *text)
{
	bool on;
	int err;

	err = kpt_parse_switch(text, &on);
	return err ?: option_set(node->instance, node->entry, on);
}

#define OPTION_TAKES(file, bit, what) {	\
	.name = file,			\
	.mode = 0640,			\
	.arg = bit,			\
	.takes = what,			\
	.show = option_show,		\
	.store = option_store,		\
}

#define OPTION(file, bit)	OPTION_TAKES(file, bit, KPT_TAKES_SWITCH)
#define OPTION_NEVER(file, why)	OPTION_TAKES(file, OPT_NEVER, "0, as " why)

static const struct kpt_fs_file options[] = {
	OPTION("print-parent", KPT_OPT_PRINT_PARENT),
	OPTION("sym-offset", KPT_OPT_SYM_OFFSET),
	OPTION("sym-addr", KPT_OPT_SYM_ADDR),
	OPTION("verbose", KPT_OPT_VERBOSE),
	OPTION("raw", KPT_OPT_RAW),
	OPTION("hex", KPT_OPT_HEX),
	OPTION("bin", KPT_OPT_BIN),
	OPTION("fields", KPT_OPT_FIELDS),
	OPTION("annotate", KPT_OPT_ANNOTATE),
	OPTION("context-info", KPT_OPT_CONTEXT_INFO),
	OPTION("latency-format", KPT_OPT_LATENCY_FMT),
	OPTION("record-cmd", OPT_RECORD_CMD),
	OPTION("record-tgid", KPT_OPT_RECORD_TGID),
	OPTION("overwrite", OPT_OVERWRITE),
	OPTION("disable_on_free", KPT_OPT_DISABLE_ON_FREE),
	OPTION("irq-info", KPT_OPT_IRQ_INFO),
	OPTION("markers", KPT_OPT_MARKERS),
	OPTION("event-fork", KPT_OPT_EVENT_FORK),
	OPTION("pause-on-trace", OPT_PAUSE),
	OPTION("hash-ptr", KPT_OPT_HASH_PTR),
	OPTION("stacktrace", KPT_OPT_STACKTRACE),
	OPTION("userstacktrace", KPT_OPT_USER_STACK),
	OPTION("function-fork", KPT_OPT_FUNCTION_FORK),
	OPTION("func_stack_trace", KPT_OPT_FUNC_STACK),
	OPTION("func-no-repeats", KPT_OPT_FUNC_NO_REPEATS),
	OPTION("func-args", KPT_OPT_FUNC_ARGS),
	OPTION("funcgraph-overrun", KPT_OPT_GRAPH_OVERRUN),
	OPTION("funcgraph-cpu", KPT_OPT_GRAPH_CPU),
	OPTION("funcgraph-overhead", KPT_OPT_GRAPH_OVERHEAD),
	OPTION("funcgraph-proc", KPT_OPT_GRAPH_PROC),
	OPTION("funcgraph-duration", KPT_OPT_GRAPH_DURATION),
	OPTION("funcgraph-abstime", KPT_OPT_GRAPH_ABSTIME),
	OPTION("funcgraph-irqs", KPT_OPT_GRAPH_IRQS),
	OPTION("funcgraph-tail", KPT_OPT_GRAPH_TAIL),
	OPTION("funcgraph-retval", KPT_OPT_GRAPH_RETVAL),
	OPTION("funcgraph-retval-hex", KPT_OPT_GRAPH_RETVAL_HEX),
	OPTION("funcgraph-retaddr", KPT_OPT_GRAPH_RETADDR),
	OPTION("funcgraph-args", KPT_OPT_GRAPH_ARGS),
	OPTION("sleep-time", KPT_OPT_SLEEP_TIME),
	OPTION("prof-text-offset", OPT_PROF_TEXT_OFFSET),
	OPTION("graph-time", OPT_GRAPH_TIME),
	OPTION("trace_printk", KPT_OPT_TRACE_PRINTK),
	OPTION("printk-msg-only", KPT_OPT_MSG_ONLY),
	OPTION("block", KPT_OPT_BLOCK),
	OPTION("sym-userobj", KPT_OPT_SYM_USEROBJ),
	OPTION("function-trace", KPT_OPT_FUNCTION_TRACE),
	OPTION("display-graph", KPT_OPT_DISPLAY_GRAPH),
	OPTION("blk_classic", KPT_OPT_BLK_CLASSIC),
	OPTION("blk_cgroup", KPT_OPT_BLK_CGROUP),
	OPTION("blk_cgname", KPT_OPT_BLK_CGNAME),
	OPTION("test_nop_accept", KPT_OPT_NOP_ACCEPT),
	OPTION_NEVER("test_nop_refuse", "it tests what a refusal does"),
	OPTION_NEVER("trace_printk_dest", "trace_printk() is recorded by the kernel's tracing"),
	OPTION_NEVER("copy_trace_marker", "trace_marker writes to its own instance only"),
	OPTION_NEVER("bitmask-list", "bitmasks are shown as one hexadecimal number"),
	OPTION("escape-text", KPT_OPT_ESCAPE_TEXT),
	OPTION("sym-caller", KPT_OPT_SYM_CALLER),
	OPTION("static-fields", KPT_OPT_STATIC_FIELDS),
};

const struct kpt_fs_table kpt_option_entries = KPT_FS_TABLE(options);

static int trace_options_show(struct seq_file *m, const struct kpt_fs_node *node)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(options); i++)
		seq_printf(m, "%s%s\n",
			   option_get(node->instance, options[i].arg) ? "" :
									"no",
			   options[i].name);
	return 0;
}

static int trace_options_store(const struct kpt_fs_node *node, char *text)
{
	bool on = true;
	unsigned int i;

	if (!strncmp(text, "no", 2)) {
		on = false;
		text += 2;
	}
	for (i = 0; i < ARRAY_SIZE(options); i++) {
		if (strcmp(text, options[i].name))
			continue;
		return option_set(node->instance, &options[i], on);
	}
	return -EINVAL;
}

static const struct kpt_fs_file options_file[] = {
	{
		.name = "trace_options",
		.mode = 0640,
		.takes = "NAME or noNAME of a file in options/",
		.show = trace_options_show,
		.store = trace_options_store,
	},
};

const struct kpt_fs_table kpt_options_file_entries = KPT_FS_TABLE(options_file);
