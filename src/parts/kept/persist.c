// SPDX-License-Identifier: GPL-2.0-only
/*
 * Instance persist: its rings are in memory that survives a reboot, and there it keeps
 * what a reader needs besides: names and shapes of its events, the clock. Instance
 * last_boot has a copy of the records that were there at load.
 */
#include "kernel/compat.h"
#include <linux/err.h>
#include <linux/mm.h>
#include <linux/notifier.h>
#include <linux/reboot.h>
#include <linux/slab.h>
#include <linux/xarray.h>
#include "event/builtin.h"
#include "event/class.h"
#include "parts/kept/persist.h"
#include "kernel/ksyms.h"
#include "parts/kept/memory.h"
#include "lib/format/format.h"
#include "lib/ring/ring_walk.h"
#include "arch.h"

/*
 * Instance persist.
 */

/* The instance of persist=, or NULL. This and the variables below are under kpt_mutex. */
static struct kpt_instance *persist;
/* Bytes of shapes that are used. */
static size_t shapes_used;
static bool has_notifiers;

static void *shapes(void)
{
	return kpt_persist.mem + kpt_persist.layout.shapes;
}

/* A number belongs to another event when the first one was deleted. */
static void shape_forget(u16 id)
{
	const struct kpt_persist_shape *s;
	size_t at = 0, bad = 0;

	while ((s = kpt_persist_shape_next(shapes(), shapes_used, &at, &bad)))
		if (s->id == id)
			memset((void *)s, 0, s->bytes);
}

/* Drop the shapes of deleted events; those of which there may be records stay. */
static void shapes_compact(void)
{
	const struct kpt_persist_shape *s;
	size_t at = 0, bad = 0, end = 0, bytes;
	struct kpt_event *event;

	while ((s = kpt_persist_shape_next(shapes(), shapes_used, &at, &bad))) {
		event = kpt_event_get_id(s->id);
		if (!event)
			continue;
		kpt_event_put(event);
		bytes = s->bytes;
		memmove(shapes() + end, s, bytes);
		end += bytes;
	}
	memset(shapes() + end, 0, shapes_used - end);
	shapes_used = end;
}

static bool shape_add(const struct kpt_event *event)
{
	size_t bytes = kpt_persist_shape_bytes(event->fields);

	if (!bytes || bytes > kpt_persist.layout.shapes_size - shapes_used)
		return false;
	kpt_persist_shape_set(shapes() + shapes_used, event->id, event->fields,
			      event->name, event->source ? event->source->group : NULL,
			      event->source ? event->source->name : NULL);
	shapes_used += bytes;
	return true;
}

/**
 * kpt_persist_armed() - kpt_part.armed: keep the shape of an event of instance persist
 * @file: an event file that is armed for the first time
 *
 * Context: process context, kpt_mutex held.
 */
void kpt_persist_armed(struct kpt_event_file *file)
{
	const struct kpt_event *event = file->event;

	lockdep_assert_held(&kpt_mutex);
	if (file->instance != persist || kpt_event_is_builtin(event))
		return;
	shape_forget(event->id);
	if (shape_add(event))
		return;
	shapes_compact();
	if (!shape_add(event))
		pr_warn_ratelimited("%s: no room to keep its fields over a reboot\n", event->name);
}

static int persist_make(void)
{
	const struct kpt_persist_layout *l = &kpt_persist.layout;
	struct kpt_instance *instance = kpt_instance_create("persist");

	if (IS_ERR(instance))
		return PTR_ERR(instance);
	/* From here on nothing fails: the records of another boot are overwritten. */
	kpt_persist_claim();
	kpt_buffer_place(&instance->buffer, kpt_persist.mem + l->rings, l->ring_size,
			 kpt_persist.mem + l->kept);
	kpt_instance_open(instance);
	/* Never given back: rmdir is refused. */
	kpt_instance_get(instance);
	persist = instance;
	return 0;
}

/*
 * Instance last_boot.
 */

/**
 * struct past_cpu - losses of a CPU
 * @records: number of records that are missing between others
 * @bytes: bytes of its ring that are no records
 * @no_place: where its records are was damaged
 */
struct past_cpu {
	u64 records;
	u64 bytes;
	bool no_place;
};

/**
 * struct kpt_past - another boot
 * @memory: what it left, which lives as long
 * @boot: it, NULL if that is damaged
 * @clock: its clock, NULL if that is damaged
 * @is_same: its kernel is this one
 * @moved: where its text is now
 * @shapes: its events by number
 * @bad_shapes: bytes of events that are damaged
 * @left_out: number of CPUs with records that this boot does not have
 * @cpu: losses by CPU
 */
struct kpt_past {
	const struct kpt_past_memory *memory;
	const struct kpt_persist_boot *boot;
	const struct kpt_persist_clock *clock;
	bool is_same;
	struct kpt_moved *moved;
	struct xarray shapes;
	size_t bad_shapes;
	unsigned int left_out;
	struct past_cpu cpu[];
};

static void past_free(struct kpt_past *past)
{
	struct kpt_past_shape *shape;
	unsigned long id;

	if (!past)
		return;
	xa_for_each(&past->shapes, id, shape)
		kvfree(shape);
	xa_destroy(&past->shapes);
	kvfree(past->moved);
	kvfree(past);
}

/**
 * kpt_past_drop() - free what an instance knows of another boot
 * @instance: the instance, not used any more
 *
 * Context: process context, sleeps.
 */
void kpt_past_drop(struct kpt_instance *instance)
{
	if (!instance->slot.kept)
		return;
	past_free(instance->slot.kept);
	instance->slot.kept = NULL;
	kpt_past_free();
}

static int past_read_shapes(struct kpt_past *past)
{
	const struct kpt_persist_layout *l = &past->memory->layout;
	const struct kpt_persist_shape *kept;
	struct kpt_past_shape *shape, *old;
	size_t at = 0;

	while ((kept = kpt_persist_shape_next(past->memory->mem + l->shapes,
					      l->shapes_size, &at,
					      &past->bad_shapes))) {
		shape = kvzalloc(kpt_past_shape_bytes(kept), GFP_KERNEL);
		if (!shape)
			return -ENOMEM;
		kpt_past_shape_make(shape, kept);
		old = xa_store(&past->shapes, kept->id, shape, GFP_KERNEL);
		if (xa_is_err(old)) {
			kvfree(shape);
			return xa_err(old);
		}
		kvfree(old);
	}
	return 0;
}

static struct kpt_past *past_read(void)
{
	const struct kpt_past_memory *memory = &kpt_persist.past;
	const struct kpt_persist_head *head = memory->mem;
	struct kpt_past *past;

	past = kvzalloc(struct_size(past, cpu, nr_cpu_ids), GFP_KERNEL);
	if (!past)
		return NULL;
	xa_init(&past->shapes);
	past->memory = memory;
	past->boot = kpt_persist_boot_whole(&head->boot) ? &head->boot : NULL;
	past->clock = kpt_persist_clock_whole(&head->clock) ? &head->clock : NULL;
	past->is_same = past->boot && kpt_past_same_kernel(past->boot);
	past->moved = kpt_past_moved(memory, past->is_same);
	if (past->moved && !past_read_shapes(past))
		return past;
	past_free(past);
	return NULL;
}

static bool past_has_raw_clock(const struct kpt_past *past)
{
	return past->clock && kpt_clock_is_counter(past->clock->clock);
}

static u64 past_time(const struct kpt_past *past, u64 stamp)
{
	return past_has_raw_clock(past) ? kpt_past_convert(past->clock, stamp) : stamp;
}

/* Stamps are converted when they are copied; what is no time is shown as a number. */
static void past_set_clock(const struct kpt_past *past, struct kpt_buffer *buf)
{
	if (past_has_raw_clock(past))
		buf->clock = KPT_CLOCK_PERF;
	else if (past->clock && past->clock->clock < KPT_NR_CLOCKS)
		buf->clock = past->clock->clock;
	else
		buf->clock = KPT_CLOCK_COUNTER;
	buf->cleared = past->clock ? past->clock->cleared : 0;
}

/* A ring for all records of a walk. */
static int past_make_ring(struct kpt_buffer *buf, int cpu, struct kpt_ring_walk w)
{
	struct kpt_ring_info info;
	u64 bytes = 0, largest = 0;

	while (kpt_ring_walk_next(&w, &info)) {
		bytes += kpt_ring_length(info.size);
		largest = max(largest, kpt_ring_length(info.size));
	}
	/* There are also a few heads, and padding. */
	bytes += bytes / 256 + SZ_4K;
	largest += sizeof(struct kpt_ring_head);
	return kpt_buffer_resize(buf, cpu, DIV_ROUND_UP(max(bytes, 2 * largest), SZ_1K));
}

static bool is_of_place(const struct kpt_record_head *head)
{
	return head->type >= KPT_RECORD_PLACE && head->type < KPT_RECORD_PLACE_END;
}

static void past_copy_records(struct kpt_past *past, struct kpt_ring *ring,
			      struct kpt_ring_walk *w, struct past_cpu *loss)
{
	struct kpt_ring_info info;
	void *payload;

	while (kpt_ring_walk_next(w, &info)) {
		loss->records += info.lost;
		payload = kpt_ring_reserve(ring, info.size, past_time(past, info.ts));
		if (!payload)
			continue;
		kpt_ring_walk_copy(w, &info, payload, info.size);
		/* Such a number is of this boot: records in kept memory have their places. */
		if (is_of_place(payload)) {
			kpt_ring_discard(ring, payload);
			loss->records++;
			continue;
		}
		kpt_ring_commit(ring);
	}
	loss->bytes = w->bad;
}

static int past_copy_cpu(struct kpt_past *past, struct kpt_instance *instance, u32 cpu)
{
	const struct kpt_persist_layout *l = &past->memory->layout;
	const struct kpt_ring_kept *kept = past->memory->mem + l->kept;
	void *data = kpt_persist.mem + l->rings + (size_t)cpu * l->ring_size;
	bool here = cpu < nr_cpu_ids && cpu_possible(cpu);
	struct kpt_ring_walk w;
	int err;

	if (!kpt_ring_walk_begin_kept(&w, data, l->ring_size, &kept[cpu])) {
		if (here)
			past->cpu[cpu].no_place = true;
		return 0;
	}
	if (!here) {
		past->left_out += w.end > w.pos;
		return 0;
	}
	err = past_make_ring(&instance->buffer, cpu, w);
	if (err)
		return err;
	past_copy_records(past, &kpt_buffer_ring(&instance->buffer, cpu)->ring, &w,
			  &past->cpu[cpu]);
	return 0;
}

static int past_make(void)
{
	struct kpt_instance *instance;
	struct kpt_past *past;
	u32 cpu;
	int err;

	instance = kpt_instance_create("last_boot");
	if (IS_ERR(instance))
		return PTR_ERR(instance);
	past = past_read();
	instance->slot.kept = past;
	instance->is_past = true;
	/* A page for each CPU: only those with records get more. */
	err = !past ? -ENOMEM :
	      kpt_buffer_resize(&instance->buffer, -1, SZ_4K / SZ_1K);
	for (cpu = 0; !err && cpu < kpt_persist.past.layout.nr_cpus; cpu++)
		err = past_copy_cpu(past, instance, cpu);
	if (err) {
		/* kpt_persist_exit() puts that boot's records back. */
		past_free(past);
		instance->slot.kept = NULL;
		kpt_instance_unlist(instance);
		kpt_instance_free(instance);
		return err;
	}
	past_set_clock(past, &instance->buffer);
	/* trace_pipe ends with the last record. */
	kpt_buffer_switch(&instance->buffer, false);
	kpt_instance_open(instance);
	return 0;
}

/**
 * kpt_past_describe() - say what a line of last_boot shows besides its record
 * @instance: instance last_boot
 * @line: the line, with a record
 * @comm: memory for the name of the task
 *
 * Context: any.
 */
void kpt_past_describe(const struct kpt_instance *instance, struct kpt_line *line, char *comm)
{
	struct kpt_past *past = instance->slot.kept;
	const struct kpt_persist_layout *l = &past->memory->layout;
	const struct kpt_record_head *head = line->record;
	const struct kpt_past_shape *shape = xa_load(&past->shapes, head->type);
	const struct kpt_event *builtin = shape ? NULL : kpt_builtin_event(head->type);

	kpt_comm_find_past(past->memory->mem + l->comms, l->nr_comms, head->pid, comm,
			   &line->tgid);
	line->comm = comm;
	line->moved = past->moved;
	if (builtin) {
		line->event = builtin->name;
		line->fields = builtin->fields;
	} else if (shape) {
		line->event = shape->kept->event;
		line->fields = &shape->fields;
		line->source_group = shape->kept->source_group;
		line->source_event = shape->kept->source_event;
	}
}

/**
 * kpt_past_update() - find the modules that are loaded now, for lines that follow
 * @instance: instance last_boot
 *
 * Context: process context.
 */
void kpt_past_update(const struct kpt_instance *instance)
{
	const struct kpt_past *past = instance->slot.kept;

	kpt_past_moved_update(past->memory, past->moved);
}

static void past_show_kernel(const struct kpt_past *past, struct seq_file *m)
{
	if (past->boot)
		seq_printf(m, "kernel: %s %s\n", past->boot->release,
			   past->boot->version);
	else
		seq_puts(m, "kernel: unknown, damaged\n");
	seq_printf(m, "symbols: %s\n", past->is_same ? "yes" :
		   past->boot ? "no, another kernel runs now" : "no, damaged");
	seq_printf(m, "clock: %s\n", !past->clock ? "unknown, damaged" :
		   past->clock->clock < KPT_NR_CLOCKS &&
		   kpt_clock_name(past->clock->clock) ?
		   kpt_clock_name(past->clock->clock) : "unknown");
}

static void past_show_loss(const struct kpt_past *past, struct seq_file *m)
{
	unsigned int rings = 0;
	u64 records = 0, bytes = 0;
	int cpu;

	for_each_possible_cpu(cpu) {
		records += past->cpu[cpu].records;
		bytes += past->cpu[cpu].bytes;
		rings += past->cpu[cpu].no_place;
	}
	seq_printf(m, "damaged head: %d\n", !past->memory->head_whole);
	seq_printf(m, "damaged rings: %u\n", rings);
	seq_printf(m, "damaged events: %llu\n", records);
	seq_printf(m, "damaged bytes: %llu\n", bytes);
	seq_printf(m, "damaged bytes of shapes: %zu\n", past->bad_shapes);
	seq_printf(m, "cpus left out: %u\n", past->left_out);
}

/**
 * kpt_past_show() - write last_boot_info
 * @instance: instance last_boot
 * @m: where to write
 *
 * The boot may be this one: its addresses are shown as kptr_restrict allows.
 *
 * Context: process context.
 */
void kpt_past_show(const struct kpt_instance *instance, struct seq_file *m)
{
	const struct kpt_past *past = instance->slot.kept;
	bool may_see = kpt_ksyms_may_show(m->file);
	const struct kpt_persist_layout *l = &past->memory->layout;
	const struct kpt_persist_module *mod = past->memory->mem + l->modules;
	u32 i;

	past_show_kernel(past, m);
	past_show_loss(past, m);
	if (past->boot)
		seq_printf(m, "%llx [kernel]\n", may_see ? past->boot->start : 0);
	for (i = 0; i < l->nr_modules; i++)
		if (kpt_persist_module_whole(&mod[i]))
			seq_printf(m, "%llx %s\n", may_see ? mod[i].start : 0,
				   mod[i].name);
}

/**
 * kpt_past_show_cpu() - write what stats of a CPU say of damage
 * @instance: instance last_boot
 * @cpu: the CPU
 * @m: where to write
 *
 * Context: process context.
 */
void kpt_past_show_cpu(const struct kpt_instance *instance, int cpu, struct seq_file *m)
{
	const struct kpt_past *past = instance->slot.kept;
	const struct past_cpu *loss = &past->cpu[cpu];

	seq_printf(m, "damaged ring: %d\n", loss->no_place);
	seq_printf(m, "damaged events: %llu\n", loss->records);
	seq_printf(m, "damaged bytes: %llu\n", loss->bytes);
}

/*
 * The end of this boot.
 */

/* The other CPUs have been stopped, in the middle of a record or not. */
static int persist_panicked(struct notifier_block *nb, unsigned long what, void *data)
{
	kpt_buffer_keep(&persist->buffer);
	kpt_arch_clean(kpt_persist.mem, kpt_persist.size);
	return NOTIFY_DONE;
}

static int persist_rebooting(struct notifier_block *nb, unsigned long what, void *data)
{
	kpt_arch_clean(kpt_persist.mem, kpt_persist.size);
	return NOTIFY_DONE;
}

/* Before dump_on_oops, which takes long. */
static struct notifier_block on_panic = {
	.notifier_call = persist_panicked, .priority = INT_MAX,
};

static struct notifier_block on_reboot = {
	.notifier_call = persist_rebooting, .priority = INT_MIN,
};

/**
 * kpt_persist_instances_init() - make the instances persist and last_boot
 *
 * The second one only if the memory has records of another boot, or of this one before
 * kptrace was unloaded. Without memory for that kptrace is not loaded: the records would be
 * lost.
 *
 * Context: module load.
 * Return: 0 or -ENOMEM.
 */
int kpt_persist_instances_init(void)
{
	int err = 0;

	if (!kpt_persist.mem)
		return 0;
	mutex_lock(&kpt_mutex);
	if (kpt_persist.past.mem)
		err = past_make();
	err = err ?: persist_make();
	if (err)
		pr_err("no instances/last_boot and instances/persist (%d): records of another boot "
		       "stay where they are\n", err);
	mutex_unlock(&kpt_mutex);
	if (err)
		return err;
	atomic_notifier_chain_register(&panic_notifier_list, &on_panic);
	register_reboot_notifier(&on_reboot);
	has_notifiers = true;
	return 0;
}

/**
 * kpt_persist_instances_exit() - leave the records where they are
 *
 * Context: module unload; kpt_event_exit() frees the instances.
 */
void kpt_persist_instances_exit(void)
{
	if (!has_notifiers)
		return;
	unregister_reboot_notifier(&on_reboot);
	atomic_notifier_chain_unregister(&panic_notifier_list, &on_panic);
	/* Freeing the events must not drop the records. */
	kpt_buffer_leave(&persist->buffer);
}
