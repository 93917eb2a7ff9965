// SPDX-License-Identifier: GPL-2.0-only
/*
 * Probes on data: w. A hit is an access to some bytes of the kernel's memory. The registers
 * that this takes are taken when the event is armed, and given back when it is disarmed.
 */
#include "kernel/compat.h"
#include <linux/err.h>
#include <linux/module.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include "arming/handlers.h"
#include "event/class.h"
#include "kernel/scratch.h"
#include "kernel/symbol/symbol.h"
#include "lib/record/head.h"
#include "parts/watch/wprobe.h"

/* All probes on data. Under kpt_mutex. */
static LIST_HEAD(wprobes);

/*
 * What arguments can name.
 */

static const struct kpt_head_field touch_fields[] = {
	KPT_HEAD_FIELD("unsigned long", "addr", kpt_arch_touch, addr, false),
	KPT_HEAD_FIELD("u64", "value", kpt_arch_touch, value, false),
	KPT_HEAD_FIELD("u64", "new", kpt_arch_touch, value, false),
	KPT_HEAD_FIELD("u64", "old", kpt_arch_touch, old, false),
};

/* Never a record in a ring, so it has no text. */
static const struct kpt_head touch_head = {
	.size = sizeof(struct kpt_arch_touch),
	.nr = ARRAY_SIZE(touch_fields),
	.field = touch_fields,
};

static const struct kpt_fields touch_shape = {
	.head = &touch_head,
	.size = sizeof(struct kpt_arch_touch),
	.release = kpt_fields_keep,
};

static int wprobe_compile(struct kpt_probe *base, const struct kpt_def *def,
			  const struct kpt_fields **fields, struct kpt_diag *diag)
{
	const struct kpt_fetch_place place = {
		.head = &kpt_head_place,
		.source = &touch_shape,
		.find_types = kpt_probe_find_types,
	};

	return kpt_probe_compile(base, def, &place, fields, diag);
}

/*
 * Which memory may be watched.
 */

static bool is_own(unsigned long addr)
{
	return within_module(addr, THIS_MODULE);
}

/* Debug registers compare all bits of an address, so it must have no tag. */
static bool is_memory(unsigned long addr)
{
	return addr >= PAGE_OFFSET && kpt_arch_is_memory(addr);
}

static int address_check(unsigned long addr, struct kpt_diag *diag)
{
	if (is_own(addr))
		return kpt_diag_set(diag, KPT_E_OWN_TEXT, 0, -EINVAL);
	if (kpt_symbol_is_text(addr))
		return kpt_diag_set(diag, KPT_E_WATCH_TEXT, 0, -EINVAL);
	if (!is_memory(addr))
		return kpt_diag_set(diag, KPT_E_WATCH_NO_RAM, 0, -EINVAL);
	return 0;
}

/* Each page that has some of the bytes. */
static int bytes_check(unsigned long addr, u32 length, struct kpt_diag *diag)
{
	unsigned long last = addr + length - 1;
	int err = 0;

	if (!kpt_arch_watch_is_block(addr, length))
		return kpt_diag_set(diag, KPT_E_WATCH_EDGE, 0, -EINVAL);
	for (; !err && addr <= last && addr; addr = (addr & PAGE_MASK) + PAGE_SIZE) {
		err = address_check(addr, diag);
		cond_resched();
	}
	return err;
}

/* Is a CPU's copy of the bytes in memory of a module? */
static bool is_percpu_of(unsigned long addr, const struct module *mod)
{
#ifdef CONFIG_SMP
	return addr - (__force unsigned long)mod->percpu < mod->percpu_size;
#else
	return false;
#endif
}

static int wprobe_check(struct kpt_wprobe *probe, struct kpt_diag *diag)
{
	const struct kpt_arch_watch *watch = probe->watch;
	int cpu, err = 0;

	if (!watch->each_cpu)
		return bytes_check(watch->addr, watch->length, diag);
	if (is_percpu_of(watch->addr, THIS_MODULE))
		return kpt_diag_set(diag, KPT_E_OWN_TEXT, 0, -EINVAL);
	for_each_possible_cpu(cpu)
		err = err ?: bytes_check(watch->addr + per_cpu_offset(cpu), watch->length, diag);
	return err;
}

static int wprobe_find_symbol(struct kpt_wprobe *probe, const char *module,
			      struct kpt_diag *diag)
{
	unsigned long addr;
	int err = kpt_symbol_lookup(module, probe->symbol, &addr);

	if (!err)
		probe->watch[0].addr = addr + probe->displacement;
	if (err == -EADDRNOTAVAIL)
		return kpt_diag_set(diag, KPT_E_NON_UNIQ_SYMBOL, 0, -EINVAL);
	if (err == -ENOENT && !IS_ENABLED(CONFIG_KALLSYMS_ALL))
		return kpt_diag_set(diag, KPT_E_NO_DATA_SYMBOLS, 0, -ENOENT);
	if (err == -ENOENT)
		return kpt_diag_set(diag, KPT_E_BAD_PROBE_ADDR, 0, -ENOENT);
	return err;
}

/*
 * The class.
 */

static int wprobe_find_offset(struct kpt_wprobe *probe, const char *type, const char *path,
			      struct kpt_diag *diag)
{
	u64 offset, size;
	int err = kpt_btf_offset(type, path, &offset, &size);

	if (err == -EOPNOTSUPP)
		return kpt_diag_set(diag, KPT_E_WATCH_NO_TYPES, 0, err);
	if (err)
		return kpt_diag_set(diag, KPT_E_WATCH_MEMBER, 0, -EINVAL);
	if (!probe->watch[0].length && !kpt_def_is_length(size))
		return kpt_diag_set(diag, KPT_E_WATCH_LENGTH, 0, -EINVAL);
	probe->displacement += offset;
	probe->watch[0].addr += offset;
	if (!probe->watch[0].length)
		probe->watch[0].length = size;
	return 0;
}

static int wprobe_find_member(struct kpt_wprobe *probe, const struct kpt_def *def,
			      struct kpt_diag *diag)
{
	char *type, *path;
	int err;

	if (!def->structure.len)
		return 0;
	type = kpt_probe_dup_span(def, &def->structure);
	path = kpt_probe_dup_span(def, &def->member);
	err = type && path ? wprobe_find_offset(probe, type, path, diag) : -ENOMEM;
	kfree(type);
	kfree(path);
	return err;
}

static int wprobe_find(struct kpt_wprobe *probe, const struct kpt_def *def,
		       struct kpt_diag *diag)
{
	int err = 0;

	probe->watch[0].addr = def->address + probe->displacement;
	if (def->by_hits)
		return 0;
	err = wprobe_find_member(probe, def, diag);
	if (!err && probe->symbol)
		err = wprobe_find_symbol(probe, NULL, diag);
	err = err ?: wprobe_check(probe, diag);
	/* The place begins with the access. */
	diag->column = def->place.at +
		       (strchr(def->text + def->place.at, '@') + 1 -
			(def->text + def->place.at));
	return err;
}

static void wprobe_fill_in_watch(struct kpt_wprobe *probe, const struct kpt_def *def)
{
	unsigned int i;

	for (i = 0; i < probe->nr; i++) {
		probe->watch[i].nth = i;
		probe->watch[i].length = def->length;
		probe->watch[i].reads = def->reads;
		probe->watch[i].writes = def->writes;
		probe->watch[i].changes = def->changes;
		probe->watch[i].each_cpu = def->each_cpu;
		probe->watch[i].by_hits = def->by_hits;
	}
}

static int wprobe_fill_in(struct kpt_wprobe *probe, const struct kpt_def *def,
			  const struct kpt_fields **fields, struct kpt_diag *diag)
{
	int err;

	probe->displacement = def->displacement;
	probe->base.place = kpt_probe_dup_span(def, &def->place);
	probe->symbol = kpt_probe_dup_span(def, &def->symbol);
	if (!probe->base.place || (def->symbol.len && !probe->symbol))
		return -ENOMEM;
	wprobe_fill_in_watch(probe, def);
	err = kpt_arch_watches_init(diag) ?: wprobe_find(probe, def, diag);
	return err ?: wprobe_compile(&probe->base, def, fields, diag);
}

static void wprobe_release(struct kpt_wprobe *probe)
{
	unsigned int i;

	for (i = 0; i < probe->nr; i++)
		kpt_arch_watch_end(&probe->watch[i]);
}

/* All or none. */
static int wprobe_take(struct kpt_wprobe *probe, struct kpt_diag *diag)
{
	unsigned int i;
	int err = 0;

	for (i = 0; !err && i < probe->nr; i++)
		err = kpt_arch_watch_begin(&probe->watch[i], diag);
	if (err)
		wprobe_release(probe);
	return err;
}

static void wprobe_free(struct kpt_probe *base)
{
	struct kpt_wprobe *probe = kpt_wprobe_of(base);

	wprobe_release(probe);
	kpt_hook_fini(&probe->hook);
	list_del(&probe->list);
	kpt_probe_fini(base);
	kfree(probe->symbol);
	kfree(probe);
}

static struct kpt_probe *wprobe_make(const struct kpt_def *def,
				     const struct kpt_fields **fields,
				     struct kpt_diag *diag)
{
	struct kpt_wprobe *probe;
	int err;

	probe = kzalloc(struct_size(probe, watch, def->objects), GFP_KERNEL);
	if (!probe)
		return ERR_PTR(-ENOMEM);
	probe->nr = def->objects;
	kpt_probe_init(&probe->base);
	kpt_hook_make(&probe->hook, KPT_HOOK_DATA);
	list_add_tail(&probe->list, &wprobes);
	err = wprobe_fill_in(probe, def, fields, diag);
	if (err) {
		wprobe_free(&probe->base);
		return ERR_PTR(err);
	}
	return &probe->base;
}

/* A hit makes its record in memory of the CPU, however large it is. */
static int wprobe_grow(const struct kpt_fields *fields)
{
	if (fields->has_dynamic || fields->size > KPT_SCRATCH_RECORD)
		return kpt_scratch_grow(false);
	return 0;
}

/* Not while the module is not loaded. */
static bool wprobe_has_place(const struct kpt_wprobe *probe)
{
	return probe->watch[0].by_hits || probe->watch[0].addr;
}

/* If this or another event of the batch fails, kpt_wprobe_yield() gives registers back. */
static int wprobe_arm(struct kpt_probe *base, struct kpt_event_file *file,
		      struct kpt_batch *batch, struct kpt_diag *diag)
{
	static const struct kpt_site site = { .role = KPT_ROLE_HIT };
	struct kpt_wprobe *probe = kpt_wprobe_of(base);
	int err;

	if (!wprobe_has_place(probe))
		return 0;
	err = wprobe_grow(file->event->fields) ?:
	      kpt_handlers_add(&probe->hook, base, file, &site, batch);
	if (err || probe->watch[0].is_taken)
		return err;
	/* Without @diag only its sinks change. */
	return diag ? wprobe_take(probe, diag) : 0;
}

static int wprobe_disarm(struct kpt_probe *base, struct kpt_event_file *file,
			 struct kpt_batch *batch)
{
	return kpt_handlers_remove(&kpt_wprobe_of(base)->hook, base, file, batch);
}

/**
 * kpt_wprobe_yield() - give the registers of a probe back, unless it is armed
 * @hook: its hook; a change of it was applied or dropped
 *
 * Context: process context, sleeps, kpt_mutex held.
 */
void kpt_wprobe_yield(struct kpt_hook *hook)
{
	if (!kpt_hook_current(hook))
		wprobe_release(container_of(hook, struct kpt_wprobe, hook));
}

/*
 * Modules whose variables are watched come and go. An address that was given as a number
 * means nothing when the module is loaded again.
 */

static int wprobe_attach(struct kpt_probe *base, const struct module *mod,
			 struct kpt_diag *diag)
{
	struct kpt_wprobe *probe = kpt_wprobe_of(base);
	int err;

	if (probe->watch[0].addr || !probe->symbol ||
	    wprobe_find_symbol(probe, mod->name, &(struct kpt_diag){ 0 }))
		return 0;
	err = wprobe_check(probe, diag);
	if (err)
		probe->watch[0].addr = 0;
	return err ?: 1;
}

static bool wprobe_stands_in(const struct kpt_probe *base, const struct module *mod,
			     kpt_going_t is_going)
{
	const struct kpt_arch_watch *watch = kpt_wprobe_of(base)->watch;

	/* Its data of each CPU goes with it. */
	if (watch->each_cpu)
		return is_percpu_of(watch->addr, mod) && is_going((unsigned long)mod, mod);
	return !watch->by_hits && watch->addr && is_going(watch->addr, mod);
}

static int wprobe_leave(struct kpt_probe *base, const struct module *mod,
			kpt_going_t is_going, struct kpt_batch *batch)
{
	return wprobe_disarm(base, NULL, batch);
}

static void wprobe_detach(struct kpt_probe *base, const struct module *mod,
			  kpt_going_t is_going)
{
	kpt_wprobe_of(base)->watch[0].addr = 0;
}

static void wprobe_remark(const struct kpt_probe *base, struct seq_file *m)
{
	if (!wprobe_has_place(kpt_wprobe_of(base)))
		seq_puts(m, kpt_wprobe_of(base)->symbol ? " # waits for a module" :
						      " # its module has gone");
}

static void wprobe_prefix(const struct kpt_probe *base, struct seq_file *m)
{
	seq_putc(m, 'w');
	if (kpt_wprobe_of(base)->nr > 1)
		seq_printf(m, "%u", kpt_wprobe_of(base)->nr);
}

const struct kpt_event_class kpt_class_wprobe = {
	.letters = "w",
	.log_name = "wprobe",
	.default_group = "wprobes",
	.one_probe = true,
	.make = wprobe_make,
	.free = wprobe_free,
	.arm = wprobe_arm,
	.disarm = wprobe_disarm,
	.attach = wprobe_attach,
	.stands_in = wprobe_stands_in,
	.leave = wprobe_leave,
	.detach = wprobe_detach,
	.remark = wprobe_remark,
	.prefix = wprobe_prefix,
};

/* Which event has how many of the registers, and what it misses. */
static void status_of(struct seq_file *m, const struct kpt_wprobe *probe)
{
	unsigned int i, set = 0;
	int unwatched = 0;

	for (i = 0; i < probe->nr; i++) {
		set += kpt_arch_watch_is_set(&probe->watch[i]);
		unwatched = max(unwatched, atomic_read(&probe->watch[i].unwatched));
	}
	seq_printf(m, "watchpoints: %u for %s/%s", probe->nr, probe->base.event->group,
		   probe->base.event->name);
	if (probe->watch[0].by_hits)
		seq_printf(m, ", %u set, %lld times no memory, %lld times none free", set,
			   (long long)atomic64_read(&probe->passed),
			   (long long)atomic64_read(&probe->full));
	if (unwatched)
		seq_printf(m, ", %d CPUs have none left", unwatched);
	seq_putc(m, '\n');
}

/**
 * kpt_wprobes_status() - say which registers are in use, and what is not watched
 * @m: lines of the file status
 *
 * Context: process context, sleeps, kpt_mutex held.
 */
void kpt_wprobes_status(struct seq_file *m)
{
	const struct kpt_wprobe *probe;
	char line[160];
	struct kpt_strbuf sb;
	unsigned long place;
	const char *why = kpt_arch_watch_missed(&place);

	kpt_strbuf_init(&sb, line, sizeof(line));
	kpt_arch_watches_status(&sb);
	seq_puts(m, line);
	if (why)
		seq_printf(m, "watchpoints: missed an access by %pS, %s\n", (void *)place, why);
	list_for_each_entry(probe, &wprobes, list)
		if (probe->watch[0].is_taken)
			status_of(m, probe);
}

/**
 * kpt_wprobes_exit() - watch nothing any more
 *
 * Context: module unload, sleeps.
 */
void kpt_wprobes_exit(void)
{
	struct kpt_wprobe *probe;

	mutex_lock(&kpt_mutex);
	list_for_each_entry(probe, &wprobes, list)
		wprobe_release(probe);
	mutex_unlock(&kpt_mutex);
	kpt_arch_watches_exit();
}
