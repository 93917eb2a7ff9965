// SPDX-License-Identifier: GPL-2.0-only
/* Instances, and the side each event has in each of them. */
#include <linux/err.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <kptrace/file_filter.h>
#include <kptrace/frame.h>
#include <kptrace/limits.h>
#include <kptrace/marker.h>
#include <kptrace/probe.h>
#include <kptrace/snapshot.h>
#include <kptrace/trigger.h>

LIST_HEAD(kpt_instances);
struct kpt_instance kpt_top_instance;

/* Options that are on when nobody chose: mainline's. */
#define DEFAULT_OPTIONS \
	(KPT_OPT_CONTEXT_INFO | KPT_OPT_IRQ_INFO | KPT_OPT_HASH_PTR | \
	 KPT_OPT_ANNOTATE | KPT_OPT_MARKERS | KPT_OPT_PRINT_PARENT)

struct kpt_file *kpt_file_add(struct kpt_event *event,
			      struct kpt_instance *instance)
{
	struct kpt_file *file;

	file = kzalloc(sizeof(*file), GFP_KERNEL);
	if (!file)
		return NULL;
	file->counts = alloc_percpu(struct kpt_file_counts);
	if (!file->counts) {
		kfree(file);
		return NULL;
	}
	file->event = event;
	file->instance = instance;
	INIT_LIST_HEAD(&file->triggers);
	refcount_set(&file->refs, 1);
	list_add_tail(&file->event_link, &event->files);
	list_add_tail(&file->instance_link, &instance->files);
	return file;
}

void kpt_file_get(struct kpt_file *file)
{
	refcount_inc(&file->refs);
}

void kpt_file_put(struct kpt_file *file)
{
	if (!refcount_dec_and_test(&file->refs))
		return;
	kpt_file_free_filter(file);
	free_percpu(file->counts);
	kfree(file);
}

void kpt_file_remove(struct kpt_file *file)
{
	list_del(&file->event_link);
	list_del(&file->instance_link);
	kpt_group_filter_forget(file->instance, file->event->group);
	kpt_file_put(file);
}

/* Collect what arming or disarming a file means for its points. */
static int collect(struct kpt_file *file, bool arm, struct kpt_batch *batch)
{
	struct kpt_probe *probe;
	int err = 0;

	list_for_each_entry(probe, &file->event->probes, sibling) {
		err = arm ? kpt_probe_enable(probe, file, batch) :
			    kpt_probe_disable(probe, file, batch);
		if (err)
			break;
	}
	return err;
}

static int finish(struct kpt_batch *batch, int err)
{
	if (!err)
		return kpt_batch_apply(batch);
	kpt_batch_drop(batch);
	return err;
}

int kpt_file_set_enabled(struct kpt_file **files, unsigned int nr, bool on)
{
	struct kpt_batch batch = KPT_BATCH_INIT(batch);
	unsigned int i;
	int err = 0;

	/* What a trigger holds is armed and stays so. */
	for (i = 0; !err && i < nr; i++)
		if (!files[i]->soft && files[i]->enabled != on)
			err = collect(files[i], on, &batch);
	err = finish(&batch, err);
	if (err)
		return err;
	for (i = 0; i < nr; i++) {
		WRITE_ONCE(files[i]->enabled, on);
		files[i]->was_enabled |= on;
	}
	if (!on)
		kpt_frames_drop_idle();
	return 0;
}

/* Whether a file is held must be known before a hit comes that has to ask. */
static void add_soft(struct kpt_file *file, struct kpt_file *other, int n)
{
	WRITE_ONCE(file->soft, file->soft + n);
	kpt_file_note_special(file);
	if (other) {
		WRITE_ONCE(other->soft, other->soft + n);
		kpt_file_note_special(other);
	}
}

/* Arm or disarm what has one reference and is not enabled. */
static int switch_soft(struct kpt_file *file, struct kpt_file *other, bool arm)
{
	struct kpt_batch batch = KPT_BATCH_INIT(batch);
	int err = 0;

	if (file->soft == 1 && !file->enabled)
		err = collect(file, arm, &batch);
	if (!err && other && other->soft == 1 && !other->enabled)
		err = collect(other, arm, &batch);
	return finish(&batch, err);
}

int kpt_file_hold(struct kpt_file *file, struct kpt_file *other)
{
	int err;

	add_soft(file, other, 1);
	err = switch_soft(file, other, true);
	if (err)
		add_soft(file, other, -1);
	return err;
}

int kpt_file_release(struct kpt_file *file, struct kpt_file *other)
{
	int err = switch_soft(file, other, false);

	if (err)
		return err;
	add_soft(file, other, -1);
	kpt_frames_drop_idle();
	return 0;
}

void kpt_file_read_counts(struct kpt_file *file, struct kpt_file_counts *sum)
{
	const struct kpt_file_counts *c;
	int cpu;

	memset(sum, 0, sizeof(*sum));
	for_each_possible_cpu(cpu) {
		c = per_cpu_ptr(file->counts, cpu);
		sum->recorded += READ_ONCE(c->recorded);
		sum->filtered += READ_ONCE(c->filtered);
		sum->missed += READ_ONCE(c->missed);
		sum->lost += READ_ONCE(c->lost);
	}
}

void kpt_instance_set_clock(struct kpt_instance *instance, enum kpt_clock clock)
{
	kpt_buffer_set_clock(&instance->buffer, clock);
	kpt_buffer_reset(&instance->snapshot, -1);
}

static void instance_fini(struct kpt_instance *instance)
{
	kpt_errlog_clear(&instance->errlog);
	kpt_limits_exit(instance);
	kpt_group_filters_free(instance);
	kpt_snapshot_exit(instance);
	kpt_buffer_fini(&instance->buffer);
}

static int instance_init(struct kpt_instance *instance, const char *name)
{
	int err;

	err = kpt_buffer_init(&instance->buffer, KPT_BUFFER_DEFAULT_KB);
	if (err)
		return err;
	err = kpt_snapshot_init(instance);
	if (err) {
		kpt_buffer_fini(&instance->buffer);
		return err;
	}
	strscpy(instance->name, name, sizeof(instance->name));
	instance->options = DEFAULT_OPTIONS;
	kpt_limits_init(instance);
	kpt_errlog_init(&instance->errlog);
	INIT_LIST_HEAD(&instance->files);
	INIT_LIST_HEAD(&instance->group_filters);
	refcount_set(&instance->refs, 1);
	err = kpt_marker_add(instance);
	if (err) {
		instance_fini(instance);
		return err;
	}
	list_add_tail(&instance->list, &kpt_instances);
	return 0;
}

int kpt_instance_stop(struct kpt_instance *instance)
{
	struct kpt_file **files, *file;
	unsigned int nr = 0;
	int err;

	err = kpt_trigger_remove_all(instance);
	if (err)
		return err;
	list_for_each_entry(file, &instance->files, instance_link)
		nr += file->enabled;
	if (!nr)
		return 0;
	files = kvmalloc_array(nr, sizeof(*files), GFP_KERNEL);
	if (!files)
		return -ENOMEM;
	nr = 0;
	list_for_each_entry(file, &instance->files, instance_link)
		if (file->enabled)
			files[nr++] = file;
	err = kpt_file_set_enabled(files, nr, false);
	kvfree(files);
	return err;
}

static struct kpt_instance *find_instance(const char *name)
{
	struct kpt_instance *instance;

	list_for_each_entry(instance, &kpt_instances, list)
		if (!strcmp(instance->name, name))
			return instance;
	return NULL;
}

struct kpt_instance *kpt_instance_create(const char *name)
{
	struct kpt_instance *instance;
	struct kpt_event *event;
	int err;

	if (find_instance(name))
		return ERR_PTR(-EEXIST);
	instance = kzalloc(sizeof(*instance), GFP_KERNEL);
	if (!instance)
		return ERR_PTR(-ENOMEM);
	err = instance_init(instance, name);
	if (err) {
		kfree(instance);
		return ERR_PTR(err);
	}
	list_for_each_entry(event, &kpt_events, list) {
		if (kpt_file_add(event, instance))
			continue;
		kpt_instance_remove(instance);
		return ERR_PTR(-ENOMEM);
	}
	return instance;
}

int kpt_instance_remove(struct kpt_instance *instance)
{
	struct kpt_file *file, *next;
	int err;

	if (refcount_read(&instance->refs) > 1)
		return -EBUSY;
	err = kpt_instance_stop(instance);
	if (err)
		return err;
	list_for_each_entry_safe(file, next, &instance->files, instance_link)
		kpt_file_remove(file);
	list_del(&instance->list);
	kpt_instance_put(instance);
	return 0;
}

void kpt_instance_get(struct kpt_instance *instance)
{
	refcount_inc(&instance->refs);
}

void kpt_instance_put(struct kpt_instance *instance)
{
	if (!refcount_dec_and_test(&instance->refs))
		return;
	instance_fini(instance);
	kfree(instance);
}

int kpt_instance_init_top(void)
{
	kpt_marker_init();
	return instance_init(&kpt_top_instance, "");
}

void kpt_instance_exit_top(void)
{
	kpt_file_remove(kpt_top_instance.marker);
	list_del(&kpt_top_instance.list);
	instance_fini(&kpt_top_instance);
}
