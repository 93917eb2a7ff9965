// SPDX-License-Identifier: GPL-2.0-only
/*
 * The PMU: perf opens an event by its number, and finds the numbers by name in
 * /sys/bus/event_source/devices/kptrace/events.
 *
 * A perf event holds a reference on the module, and is one of kpt_event_file.listeners.
 * While its task or CPU counts, it is on the list kpt_perf_file.counting of that CPU,
 * which src/parts/perf/perf_hit.c gives to perf.
 */
#include "kernel/compat.h"
#include <linux/device.h>
#include <linux/perf_event.h>
#include <linux/slab.h>
#include "event/class.h"
#include "parts/perf/perf.h"
#include "kernel/ksyms.h"
#include "kernel/symbol/loaded.h"
#include "kernel/scratch.h"

#ifdef CONFIG_PERF_EVENTS

/**
 * struct kpt_perf_name - the name by which perf knows an event
 * @attr: a file in the events folder of the PMU
 * @id: number of the event
 * @name: EVENT of group kprobes, GRP.EVENT of others
 */
struct kpt_perf_name {
	struct device_attribute attr;
	u16 id;
	char name[];
};

#define EVENTS_FOLDER "events"

/* The reason why there is no PMU, or NULL. */
static const char *why_none = "not registered";

/*
 * Perf events.
 */

/* The event that a number stands for, in the top instance; NULL if there is none. */
static struct kpt_event_file *perf_find(u64 id)
{
	struct kpt_event *event = id <= U16_MAX ? kpt_event_get_id(id) : NULL;
	struct kpt_event_file *file = NULL;

	lockdep_assert_held(&kpt_mutex);
	/*
	 * An event that is being deleted has no probes any more. Those of a tracer are the
	 * tracer's, which would end under perf.
	 */
	if (event && !kpt_event_is_builtin(event) && !list_empty(&event->probes))
		file = kpt_event_file_of(event, &kpt_top_instance);
	kpt_event_put(event);
	return file;
}

/* What perf keeps of an event file is made when it listens there for the first time. */
static int perf_make_file(struct kpt_event_file *file)
{
	struct kpt_perf_file *p;

	if (file->slot.perf)
		return 0;
	p = kzalloc(sizeof(*p), GFP_KERNEL);
	if (!p)
		return -ENOMEM;
	/* Zeroed memory is empty lists. */
	p->counting = alloc_percpu(struct hlist_head);
	if (!p->counting) {
		kfree(p);
		return -ENOMEM;
	}
	p->file = file;
	file->slot.perf = p;
	return 0;
}

/**
 * kpt_perf_file_free() - kpt_part.file_free
 * @file: the event file; nothing listens to it
 *
 * Context: process context.
 */
void kpt_perf_file_free(struct kpt_event_file *file)
{
	struct kpt_perf_file *p = file->slot.perf;

	if (p)
		free_percpu(p->counting);
	kfree(p);
}

/**
 * kpt_perf_listen() - keep an event armed for one more listener
 * @file: the event in the top instance
 *
 * The first one arms the event. Hits may need room for records that are larger.
 *
 * Context: process context, sleeps, kpt_mutex held.
 * Return: as kpt_event_file_listen().
 */
int kpt_perf_listen(struct kpt_event_file *file)
{
	const struct kpt_fields *fields = file->event->fields;
	int err;

	lockdep_assert_held(&kpt_mutex);
	if (refcount_inc_not_zero(&file->listeners))
		return 0;
	err = perf_make_file(file);
	if (!err && (fields->has_dynamic || fields->size > KPT_SCRATCH_RECORD))
		err = kpt_scratch_grow(false);
	return err ?: kpt_event_file_listen(file);
}

static int perf_open(struct perf_event *event)
{
	struct kpt_event_file *file;
	int err;

	if (!kpt_is_loaded())
		return -ENOENT;
	if (kpt_lock())
		return -EINTR;
	file = perf_find(event->attr.config);
	err = file ? kpt_perf_listen(file) : -ENOENT;
	kpt_unlock();
	if (!err)
		event->pmu_private = file;
	return err;
}

/* Fork gives a child the events of its parent, which keep theirs as long. */
static int perf_inherit(struct perf_event *event)
{
	struct kpt_event_file *file = event->parent->pmu_private;

	refcount_inc(&file->listeners);
	event->pmu_private = file;
	return 0;
}

/* The event may have got another listener meanwhile. Else it may need memory to disarm it. */
static int perf_end(struct kpt_errand *errand)
{
	struct kpt_event_file *file = container_of(errand, struct kpt_perf_file, end)->file;

	return refcount_dec_and_test(&file->listeners) ? kpt_event_file_unlisten(file) : 0;
}

/**
 * kpt_perf_unlisten() - the reverse of kpt_perf_listen()
 * @file: the event
 *
 * The last listener disarms the event. Only one errand has the last reference, so there is one.
 *
 * Context: process context, sleeps, kpt_mutex not held.
 */
void kpt_perf_unlisten(struct kpt_event_file *file)
{
	struct kpt_perf_file *p = file->slot.perf;

	if (!refcount_dec_not_one(&file->listeners))
		kpt_errand_do(&p->end, perf_end);
}

static void perf_destroy(struct perf_event *event)
{
	kpt_perf_unlisten(event->pmu_private);
}

/**
 * kpt_perf_may_arm() - may this task arm an event of ours by a perf event?
 * @event: the perf event
 *
 * Our hits are the kernel's. perf_event_open() has asked whether the task may see the
 * kernel, but not if the perf event leaves the kernel out: this one would arm, and never count.
 *
 * Context: perf_event_open(), or a fork whose child inherits the perf event.
 * Return: 0, or -EACCES.
 */
int kpt_perf_may_arm(const struct perf_event *event)
{
	if (event->parent || !event->attr.exclude_kernel || perfmon_capable())
		return 0;
	return -EACCES;
}

/* The rule for raw data is that of tracepoints. */
static int perf_may_open(const struct perf_event *event)
{
	int err = kpt_perf_may_arm(event);

	if (err || event->parent || !(event->attr.sample_type & PERF_SAMPLE_RAW))
		return err;
	if (kpt_has(kpt_perf_allow_tracepoint))
		return kpt_perf_allow_tracepoint();
	return perfmon_capable() ? 0 : -EPERM;
}

/*
 * pmu.event_init. A sampling event counts up to 0: with a period of N, each Nth hit is
 * a sample.
 */
static int perf_pmu_init(struct perf_event *event)
{
	int err;

	if (event->attr.type != event->pmu->type)
		return -ENOENT;
	if (has_branch_stack(event))
		return -EOPNOTSUPP;
	err = perf_may_open(event);
	if (!err)
		err = event->parent ? perf_inherit(event) : perf_open(event);
	if (err)
		return err;
	local64_set(&event->hw.period_left, -(s64)event->hw.sample_period);
	event->destroy = perf_destroy;
	return 0;
}

/* pmu.add: interrupts are masked. */
static int perf_add(struct perf_event *event, int flags)
{
	const struct kpt_event_file *file = event->pmu_private;
	const struct kpt_perf_file *p = file->slot.perf;

	event->hw.state = flags & PERF_EF_START ? 0 : PERF_HES_STOPPED;
	hlist_add_head_rcu(&event->hlist_entry, this_cpu_ptr(p->counting));
	return 0;
}

/* pmu.del: perf frees the event after a grace period. Hits run where RCU watches. */
static void perf_del(struct perf_event *event, int flags)
{
	hlist_del_rcu(&event->hlist_entry);
}

static void perf_start(struct perf_event *event, int flags)
{
	event->hw.state = 0;
}

static void perf_stop(struct perf_event *event, int flags)
{
	event->hw.state = PERF_HES_STOPPED;
}

/* pmu.read: hits have counted. */
static void perf_read(struct perf_event *event)
{
}

/*
 * The PMU.
 */

PMU_FORMAT_ATTR(event, "config:0-15");

static struct attribute *perf_format[] = { &format_attr_event.attr, NULL };
static struct attribute *perf_no_names[] = { NULL };

static const struct attribute_group perf_format_group = {
	.name = "format",
	.attrs = perf_format,
};

/* Names come and go with events. */
static const struct attribute_group perf_events_group = {
	.name = EVENTS_FOLDER,
	.attrs = perf_no_names,
};

static const struct attribute_group *perf_groups[] = {
	&perf_format_group,
	&perf_events_group,
	NULL,
};

static struct pmu perf_pmu = {
	.module = THIS_MODULE,
	.attr_groups = perf_groups,
	.task_ctx_nr = perf_sw_context,
	.event_init = perf_pmu_init,
	.add = perf_add,
	.del = perf_del,
	.start = perf_start,
	.stop = perf_stop,
	.read = perf_read,
};

/* A period of 1 makes each hit a sample, unless perf is told otherwise. */
static ssize_t perf_name_show(struct device *dev, struct device_attribute *attr,
			      char *buf)
{
	return sysfs_emit(buf, "event=0x%x,period=1\n",
			  container_of(attr, struct kpt_perf_name, attr)->id);
}

/**
 * kpt_perf_name_add() - let perf find an event by its name
 * @event: the event
 *
 * Context: process context, sleeps, kpt_mutex held.
 * Return: 0, also without a PMU; or -ENOMEM.
 */
int kpt_perf_name_add(struct kpt_event *event)
{
	bool is_short = !strcmp(event->group, "kprobes");
	size_t size = strlen(event->group) + strlen(event->name) + 2;
	struct kpt_perf_name *name;
	struct kpt_strbuf sb;
	int err;

	if (why_none)
		return 0;
	name = kzalloc(sizeof(*name) + size, GFP_KERNEL_ACCOUNT);
	if (!name)
		return -ENOMEM;
	kpt_strbuf_init(&sb, name->name, size);
	if (!is_short) {
		kpt_strbuf_puts(&sb, event->group);
		kpt_strbuf_putc(&sb, '.');
	}
	kpt_strbuf_puts(&sb, event->name);
	name->id = event->id;
	sysfs_attr_init(&name->attr.attr);
	name->attr.attr.name = name->name;
	name->attr.attr.mode = 0444;
	name->attr.show = perf_name_show;
	err = sysfs_add_file_to_group(&perf_pmu.dev->kobj, &name->attr.attr,
				       EVENTS_FOLDER);
	if (err) {
		kfree(name);
		return -ENOMEM;
	}
	event->slot.perf = name;
	return 0;
}

/**
 * kpt_perf_name_remove() - the reverse of kpt_perf_name_add()
 * @event: the event
 *
 * Waits for readers of the file, which take no lock.
 *
 * Context: process context, sleeps, kpt_mutex held.
 */
void kpt_perf_name_remove(struct kpt_event *event)
{
	struct kpt_perf_name *name = event->slot.perf;

	if (!name)
		return;
	sysfs_remove_file_from_group(&perf_pmu.dev->kobj, &name->attr.attr,
				    EVENTS_FOLDER);
	kfree(name);
	event->slot.perf = NULL;
}

/**
 * kpt_perf_why_none() - why is there no PMU?
 *
 * Context: any.
 * Return: a constant string; NULL if there is one.
 */
const char *kpt_perf_why_none(void)
{
	return why_none;
}

static const char *perf_register(void)
{
	if (!kpt_has(perf_tp_event) || !kpt_has(perf_swevent_get_recursion_context))
		return "this kernel has no perf_tp_event";
	if (!kpt_has(perf_pmu_register) || !kpt_has(perf_pmu_unregister))
		return "this kernel has no perf_pmu_register";
	if (!kpt_has(sysfs_add_file_to_group) || !kpt_has(sysfs_remove_file_from_group))
		return "this kernel has no sysfs_add_file_to_group";
	return perf_pmu_register(&perf_pmu, KBUILD_MODNAME, -1) ?
		"perf_pmu_register failed" : NULL;
}

/**
 * kpt_perf_init() - register the PMU
 *
 * Context: module load; there are no events yet.
 * Return: 0: without a PMU the rest works; kpt_perf_why_none() tells.
 */
int kpt_perf_init(void)
{
	why_none = perf_register();
	if (why_none)
		pr_info("perf cannot listen to events: %s\n", why_none);
	return 0;
}

/**
 * kpt_perf_exit() - unregister the PMU
 *
 * Context: module unload: no perf event is open; all events are freed.
 */
void kpt_perf_exit(void)
{
	if (!why_none)
		perf_pmu_unregister(&perf_pmu);
}

#endif
