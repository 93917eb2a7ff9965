// SPDX-License-Identifier: GPL-2.0-only
/*
 * Records that programs write themselves. They are written with interrupts
 * masked, as hits are: what ring and triggers expect.
 */
#include <linux/irqflags.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/uaccess.h>
#include "event/marker.h"
#include "event/task_filter.h"
#include "hit/hit.h"
#include "kernel/comms.h"
#include <kptrace/arch.h>
#include "trigger/trigger.h"

/**
 * struct aside - ftrace:print as its triggers see it: the text is a string as
 * those of probes are
 * @print: as in the ring
 * @loc: where the text is
 * @text: the text
 */
struct aside {
	struct kpt_record_print print;
	u32 loc;
	char text[];
};

static struct kpt_event print_event = {
	.group = "ftrace",
	.name = "print",
	.id = KPT_RECORD_PRINT,
	.kind = KPT_DEF_PROBE,
	.is_own = true,
	.probes = LIST_HEAD_INIT(print_event.probes),
	.files = LIST_HEAD_INIT(print_event.files),
	.refs = REFCOUNT_INIT(1),
};

/* Two fields behind it. */
static union {
	struct kpt_fields fields;
	u8 room[sizeof(struct kpt_fields) + 2 * sizeof(struct kpt_field)];
} shape;

/**
 * kpt_marker_init() - make the event ftrace:print
 *
 * Context: module load, before the first instance.
 */
void kpt_marker_init(void)
{
	shape.fields = (struct kpt_fields){
		.has_dynamic = true,
		.nr = 2,
		.size = offsetof(struct aside, text),
	};
	shape.fields.field[0] = (struct kpt_field){
		.name = "ip",
		.type = KPT_TYPE_X64,
		.offset = offsetof(struct aside, print.ip),
	};
	shape.fields.field[1] = (struct kpt_field){
		.name = "buf",
		.type = KPT_TYPE_STRING,
		.offset = offsetof(struct aside, loc),
	};
	print_event.fields = &shape.fields;
}

/**
 * kpt_marker_add() - give an instance its side of ftrace:print
 * @instance: the instance
 *
 * Context: process context, sleeps, kpt_mutex held.
 * Return: 0 or -ENOMEM.
 */
int kpt_marker_add(struct kpt_instance *instance)
{
	instance->marker = kpt_event_file_add(&print_event, instance);
	return instance->marker ? 0 : -ENOMEM;
}

static void fill_head(struct kpt_record_head *head, u16 type)
{
	*head = (struct kpt_record_head){ .type = type, .pid = current->pid };
}

static int check(const struct kpt_instance *instance)
{
	if (!(instance->options & KPT_OPT_MARKERS))
		return -EINVAL;
	return 0;
}

/* Into the ring of this CPU, and @aside to the triggers. */
static bool record(struct kpt_instance *instance, const void *made, size_t size,
		   struct aside *aside, size_t aside_size)
{
	struct kpt_trigger_hit hit = { .record = aside, .size = aside_size };
	unsigned long flags;
	bool recorded;
	u32 after;

	local_irq_save(flags);
	kpt_comm_note();
	recorded = kpt_task_filter_allow_cpu(instance) &&
		   kpt_hit_record(&instance->buffer, made, size);
	if (aside) {
		/* They may take the lock of a bucket of frames. */
		kpt_arch_hits_off();
		after = kpt_trigger_run(instance->marker, &hit);
		if (after)
			kpt_trigger_run_after(instance->marker, &hit, after);
		kpt_arch_hits_on();
	}
	local_irq_restore(flags);
	return recorded;
}

/* What triggers get, if there are any. */
static int make_aside(const struct kpt_instance *instance, struct aside **aside,
		      const char *text, size_t len)
{
	*aside = NULL;
	if (list_empty(&instance->marker->triggers))
		return 0;
	*aside = kmalloc(offsetof(struct aside, text) + len, GFP_KERNEL);
	if (!*aside)
		return -ENOMEM;
	fill_head(&(*aside)->print.head, KPT_RECORD_PRINT);
	(*aside)->print.ip = 0;
	(*aside)->loc = kpt_data_loc(offsetof(struct aside, text), len);
	memcpy((*aside)->text, text, len);
	return 0;
}

/*
 * Named as mainline's, because its name is in the trace: the name of the
 * function in which the record's address lies.
 */
static noinline __noclone int
tracing_mark_write(struct kpt_instance *instance,
		   struct kpt_record_print *print, size_t size)
{
	size_t len = size - sizeof(*print);
	struct aside *aside;
	int err;

	err = make_aside(instance, &aside, (char *)(print + 1), len);
	if (err)
		return err;
	print->ip = _THIS_IP_;
	if (aside)
		aside->print.ip = print->ip;
	if (!record(instance, print, size, aside,
		    offsetof(struct aside, text) + len))
		err = -EBADF;
	kfree(aside);
	return err;
}

/**
 * kpt_marker_write() - record a text
 * @instance: where
 * @from: the text
 * @count: its characters; KPT_MARKER_MAX are recorded at most
 *
 * Runs the triggers of ftrace:print.
 *
 * Context: process context, sleeps; @instance is held.
 * Return: characters recorded, -EINVAL without option markers, -EBADF if the
 * instance does not record now, -EFAULT or -ENOMEM.
 */
ssize_t kpt_marker_write(struct kpt_instance *instance, const char __user *from,
			 size_t count)
{
	size_t size = min_t(size_t, count, KPT_MARKER_MAX);
	struct kpt_record_print *print;
	char *text;
	int err;

	err = check(instance);
	if (err || !count)
		return err;
	print = kmalloc(sizeof(*print) + size + 2, GFP_KERNEL);
	if (!print)
		return -ENOMEM;
	text = (char *)(print + 1);
	if (copy_from_user(text, from, size)) {
		err = -EFAULT;
		goto out;
	}
	count = size;
	if (text[size - 1] != '\n')
		text[size++] = '\n';
	text[size++] = '\0';
	fill_head(&print->head, KPT_RECORD_PRINT);
	err = tracing_mark_write(instance, print, sizeof(*print) + size);
out:
	kfree(print);
	return err ?: (ssize_t)count;
}

/**
 * kpt_marker_write_raw() - record a number and bytes
 * @instance: where
 * @from: a u32 and the bytes
 * @count: of both
 *
 * Context: process context, sleeps; @instance is held.
 * Return: @count, or as kpt_marker_write(); -EINVAL also if there are too few
 * or too many.
 */
ssize_t kpt_marker_write_raw(struct kpt_instance *instance,
			     const char __user *from, size_t count)
{
	size_t size = offsetof(struct kpt_record_raw_data, id) + count;
	struct kpt_record_raw_data *raw;
	int err;

	err = check(instance);
	if (err)
		return err;
	if (count < sizeof(raw->id) || count > KPT_MARKER_MAX)
		return -EINVAL;
	raw = kzalloc(round_up(size, 8), GFP_KERNEL);
	if (!raw)
		return -ENOMEM;
	fill_head(&raw->head, round_up(size, 4) % 8 ? KPT_RECORD_RAW_DATA_CUT :
						      KPT_RECORD_RAW_DATA);
	if (copy_from_user(&raw->id, from, count))
		err = -EFAULT;
	else if (!record(instance, raw, round_up(size, 8), NULL, 0))
		err = -EBADF;
	kfree(raw);
	return err ?: (ssize_t)count;
}
