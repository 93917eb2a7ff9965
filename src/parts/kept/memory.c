// SPDX-License-Identifier: GPL-2.0-only
/*
 * The memory of parameter persist: finding and mapping it, what it says of this boot,
 * and a copy of what it said of another one. src/parts/kept/layout.c describes the layout.
 */
#include "kernel/compat.h"
#include <linux/ctype.h>
#include <linux/efi.h>
#include <linux/io.h>
#include <linux/ioport.h>
#include <linux/mm.h>
#include <linux/moduleparam.h>
#include <linux/of.h>
#include <linux/of_address.h>
#include <linux/pfn.h>
#include <linux/security.h>
#include <linux/spinlock.h>
#include <linux/suspend.h>
#include <linux/utsname.h>
#include <linux/vmalloc.h>
#include "kernel/ksyms.h"
#include "parts/kept/memory.h"
#include "kernel/symbol/symbol.h"
#include "arch.h"
#include "lib/format/format.h"

static char *persist;
module_param(persist, charp, 0400);
MODULE_PARM_DESC(persist,
		 "memory that survives a reboot, for instances/persist: ADDRESS,SIZE or the "
		 "name of a reservation");

struct kpt_persist kpt_persist;

static void *at(size_t offset)
{
	return kpt_persist.mem + offset;
}

static struct kpt_persist_head *head(void)
{
	return kpt_persist.mem;
}

/*
 * Finding the memory.
 */

static bool is_name(void)
{
	return !isdigit(persist[0]);
}

/* reserve_mem= of the command line, which kernels from 6.12 on have. */
static bool find_reserved(const char *name, phys_addr_t *start, phys_addr_t *size)
{
	return kpt_has(reserve_mem_find_by_name) &&
	       reserve_mem_find_by_name(name, start, size);
}

/* A node of the device tree: /reserved-memory/NAME, unless it is for a driver. */
static bool find_node(const char *name, phys_addr_t *start, phys_addr_t *size)
{
	struct device_node *parent = of_find_node_by_path("/reserved-memory");
	struct device_node *node = of_get_child_by_name(parent, name);
	struct resource res;
	bool found;

	found = node && !of_find_property(node, "compatible", NULL) &&
		!of_address_to_resource(node, 0, &res);
	of_node_put(node);
	of_node_put(parent);
	if (!found)
		return false;
	*start = res.start;
	*size = resource_size(&res);
	return true;
}

/* Returns what is wrong, or NULL. */
static const char *find_memory(phys_addr_t *start, phys_addr_t *size)
{
	char *rest;

	if (is_name())
		return find_reserved(persist, start, size) ||
		       find_node(persist, start, size) ? NULL :
		       "no reservation has this name";
	*start = memparse(persist, &rest);
	if (*rest++ != ',')
		return "neither ADDRESS,SIZE nor a name";
	*size = memparse(rest, &rest);
	if (*rest)
		return "neither ADDRESS,SIZE nor a name";
	return NULL;
}

/* A reservation has pages that are reserved, and all of it or none is the kernel's RAM. */
static bool is_reserved(phys_addr_t start, phys_addr_t size)
{
	unsigned long pfn;

	if (region_intersects(start, size, IORESOURCE_SYSTEM_RAM, IORES_DESC_NONE) ==
	    REGION_MIXED)
		return false;
	for (pfn = PFN_DOWN(start); pfn < PFN_UP(start + size); pfn++)
		if (pfn_valid(pfn) && !PageReserved(pfn_to_page(pfn)))
			return false;
	return true;
}

/* Does the firmware's map say so? Registers and memory of the firmware are in it, too. */
static bool is_efi_ram(phys_addr_t start, phys_addr_t size)
{
	phys_addr_t at;

	for (at = start; at < start + size; at += EFI_PAGE_SIZE)
		if (efi_mem_type(at) != EFI_CONVENTIONAL_MEMORY)
			return false;
	return true;
}

static bool is_in_node(struct device_node *node, phys_addr_t start, phys_addr_t size)
{
	struct resource res;
	int i;

	for (i = 0; !of_address_to_resource(node, i, &res); i++)
		if (res.start <= start && start + size - 1 <= res.end)
			return true;
	return false;
}

/* Is it in a node of the device tree whose device_type is memory? */
static bool is_node_ram(phys_addr_t start, phys_addr_t size)
{
	struct device_node *node;

	for_each_node_by_type(node, "memory") {
		if (!is_in_node(node, start, size))
			continue;
		of_node_put(node);
		return true;
	}
	return false;
}

/*
 * Is it RAM? What mem= leaves out is RAM for the firmware alone: the kernel forgets it. A
 * reservation by its name always is.
 */
static bool is_ram(phys_addr_t start, phys_addr_t size)
{
	/* That is the answer where no firmware has given a map. */
	if (!kpt_has(efi_mem_type) || efi_mem_type(start) == -ENOTSUPP)
		return is_node_ram(start, size);
	return is_efi_ram(start, size);
}

/* Has a node of /reserved-memory some of it? Its name has to be given then. */
static bool is_in_reservation(phys_addr_t start, phys_addr_t size)
{
	struct device_node *parent = of_find_node_by_path("/reserved-memory"), *node;
	struct resource res;
	bool found = false;
	int i;

	for_each_child_of_node(parent, node)
		for (i = 0; !of_address_to_resource(node, i, &res); i++)
			found |= res.start < start + size && start <= res.end;
	of_node_put(parent);
	return found;
}

/*
 * May the kernel's memory map be trusted that nobody has this address? The kernel itself,
 * and all that it allocated early, have reserved pages: an address has to be outside its RAM.
 */
static const char *check_address(phys_addr_t start, phys_addr_t size)
{
	if (security_locked_down(LOCKDOWN_MODULE_PARAMETERS))
		return "the kernel is locked down, which allows names only";
	if (region_intersects(start, size, IORESOURCE_SYSTEM_RAM, IORES_DESC_NONE) !=
	    REGION_DISJOINT)
		return "the kernel uses this memory: it is not reserved";
	if (is_in_reservation(start, size))
		return "it is in a node of /reserved-memory, whose name has to be given";
	return is_ram(start, size) ? NULL : "the firmware does not say that this is RAM";
}

static const char *check_memory(phys_addr_t start, phys_addr_t size)
{
	if (!kpt_has(region_intersects))
		return "this kernel has no region_intersects";
	if (!PAGE_ALIGNED(start) || start + size < start)
		return "the address is not that of a page";
	if (kpt_persist_layout(&kpt_persist.layout, size, nr_cpu_ids))
		return "too small for the rings of all CPUs";
	if (!is_name())
		return check_address(start, size);
	return is_reserved(start, size) ? NULL :
	       "the kernel uses this memory: it is not reserved";
}

/*
 * Have it for us alone. Within the kernel's RAM that is not possible: there, reservations have
 * no more than their names. Returns whether nobody else has it.
 */
static bool claim(phys_addr_t start, phys_addr_t size)
{
	if (region_intersects(start, size, IORESOURCE_SYSTEM_RAM, IORES_DESC_NONE) ==
	    REGION_INTERSECTS)
		return true;
	kpt_persist.claimed = request_mem_region(start, size, KBUILD_MODNAME);
	return kpt_persist.claimed;
}

static void unclaim(void)
{
	if (kpt_persist.claimed)
		release_mem_region(kpt_persist.claimed->start,
				   resource_size(kpt_persist.claimed));
	kpt_persist.claimed = NULL;
}

static const char *map_memory(void)
{
	phys_addr_t start, size;
	const char *why = find_memory(&start, &size);

	if (why)
		return why;
	size = round_down(size, PAGE_SIZE);
	why = check_memory(start, size);
	if (why)
		return why;
	if (!claim(start, size))
		return "somebody else has it: see /proc/iomem";
	kpt_persist.mem = memremap(start, size, MEMREMAP_WB);
	kpt_persist.size = size;
	if (kpt_persist.mem)
		return NULL;
	unclaim();
	return "cannot be mapped";
}

static void unmap_memory(void)
{
	memunmap(kpt_persist.mem);
	kpt_persist.mem = NULL;
	unclaim();
}

/*
 * What another boot left.
 */

/* Returns false without memory. */
static bool past_copy(void)
{
	struct kpt_past_memory *past = &kpt_persist.past;
	u32 nr_cpus = nr_cpu_ids;

	if (!kpt_persist_is_ours(head()))
		return true;
	past->head_whole = kpt_persist_head_whole(head(), kpt_persist.size);
	if (past->head_whole)
		nr_cpus = head()->nr_cpus;
	kpt_persist_layout(&past->layout, kpt_persist.size, nr_cpus);
	past->mem = vmalloc(past->layout.rings);
	if (past->mem)
		memcpy(past->mem, kpt_persist.mem, past->layout.rings);
	return past->mem;
}

static size_t rings_end(void)
{
	const struct kpt_persist_layout *l = &kpt_persist.layout;

	return l->rings + (size_t)l->nr_cpus * l->ring_size;
}

/* Does the memory still have the rings that were there at load? */
static bool has_past_rings(void)
{
	return kpt_persist.cleared < rings_end();
}

/**
 * kpt_past_free() - forget what another boot left
 *
 * Before kpt_persist_claim() nothing is forgotten: see kpt_persist_exit().
 *
 * Context: process context, sleeps.
 */
void kpt_past_free(void)
{
	if (has_past_rings())
		return;
	vfree(kpt_persist.past.mem);
	kpt_persist.past.mem = NULL;
}

/**
 * kpt_past_convert() - convert a stamp of another boot
 * @past: the clock of that boot, kpt_persist_clock_whole()
 * @stamp: a stamp of the clock local or global
 *
 * Context: any.
 * Return: ns.
 */
u64 kpt_past_convert(const struct kpt_persist_clock *past, u64 stamp)
{
	return kpt_epoch_convert(kpt_epochs_find(&past->epochs, stamp), &past->tick,
				 stamp);
}

/**
 * kpt_past_same_kernel() - do symbols of this boot serve for another one?
 * @boot: that boot, kpt_persist_boot_whole()
 *
 * Context: any.
 * Return: true if the kernel is the same build.
 */
bool kpt_past_same_kernel(const struct kpt_persist_boot *boot)
{
	return !strcmp(boot->release, init_utsname()->release) &&
	       !strncmp(boot->version, init_utsname()->version,
			sizeof(boot->version) - 1);
}

/* The entry of a module; they begin behind that of the kernel in kpt_moved, too. */
static const struct kpt_persist_module *past_module(const struct kpt_past_memory *past,
						    u32 i)
{
	return (const struct kpt_persist_module *)(past->mem + past->layout.modules) + i;
}

static const struct kpt_persist_head *past_head(const struct kpt_past_memory *past)
{
	return past->mem;
}

/**
 * kpt_past_moved() - find out where the text of another boot was
 * @past: what it left
 * @same_kernel: see kpt_past_same_kernel(); else no text is where it was
 *
 * Context: process context, sleeps.
 * Return: for kvfree(), after kpt_past_moved_update(); NULL without memory.
 */
struct kpt_moved *kpt_past_moved(const struct kpt_past_memory *past, bool same_kernel)
{
	u32 i, nr = same_kernel ? past->layout.nr_modules + 1 : 0;
	struct kpt_moved *moved;

	moved = kvzalloc(struct_size(moved, range, nr), GFP_KERNEL);
	if (!moved)
		return NULL;
	moved->nr = nr;
	for (i = 0; i + 1 < nr; i++) {
		if (!kpt_persist_module_whole(past_module(past, i)))
			continue;
		moved->range[i].start = past_module(past, i)->start;
		moved->range[i].size = past_module(past, i)->size;
	}
	if (nr) {
		moved->range[i].start = past_head(past)->boot.start;
		moved->range[i].size = past_head(past)->boot.end -
				       past_head(past)->boot.start;
		moved->range[i].now = head()->boot.start;
	}
	return moved;
}

/**
 * kpt_past_moved_update() - find the modules that are loaded now
 * @past: what another boot left
 * @moved: from kpt_past_moved()
 *
 * Context: process context; others may do the same, and read @moved.
 */
void kpt_past_moved_update(const struct kpt_past_memory *past, struct kpt_moved *moved)
{
	unsigned long start, size;
	struct kpt_moved_range *r;
	u32 i;

	for (i = 0; i + 1 < moved->nr; i++) {
		r = &moved->range[i];
		if (r->size && kpt_symbol_module_text(past_module(past, i)->name,
						      &start, &size) &&
		    size == r->size)
			WRITE_ONCE(r->now, start);
		else
			WRITE_ONCE(r->now, 0);
	}
}

/*
 * What is said of this boot.
 */

/* Held to change entries of modules. */
static DEFINE_RAW_SPINLOCK(modules_lock);
/* Which entry a module gets if all are used. */
static u32 next_module;

static struct kpt_persist_module *find_entry(unsigned long start, unsigned long size)
{
	struct kpt_persist_module *first = at(kpt_persist.layout.modules), *e;
	struct kpt_persist_module *free = NULL;
	u32 nr = kpt_persist.layout.nr_modules;

	for (e = first; e < first + nr; e++) {
		/* Text that was here before: its module has gone. */
		if (e->size && start < e->start + e->size && e->start < start + size)
			memset(e, 0, sizeof(*e));
		if (!e->size && !free)
			free = e;
	}
	return free ?: &first[next_module++ % nr];
}

/* Also called with the list of modules locked, without preemption: does not sleep. */
static void note_module(const struct module *mod)
{
	struct kpt_persist_module new = {
		.start = kpt_module_text(mod),
		.size = kpt_module_text_size(mod),
	};

	strscpy(new.name, mod->name, sizeof(new.name));
	kpt_persist_module_set(&new);
	raw_spin_lock(&modules_lock);
	*find_entry(new.start, new.size) = new;
	raw_spin_unlock(&modules_lock);
}

static int module_event(struct notifier_block *nb, unsigned long action, void *data)
{
	if (action == MODULE_STATE_COMING)
		note_module(data);
	return NOTIFY_OK;
}

static struct notifier_block module_block = { .notifier_call = module_event };

static void note_boot(void)
{
	struct kpt_persist_boot *boot = &head()->boot;

	strscpy(boot->release, init_utsname()->release, sizeof(boot->release));
	strscpy(boot->version, init_utsname()->version, sizeof(boot->version));
	boot->start = kpt_ksyms_addr("_text") ?: kpt_ksyms_addr("_stext");
	boot->end = kpt_ksyms_addr("_end") ?: kpt_ksyms_addr("_etext");
	kpt_persist_boot_set(boot);
}

/* Held to change kpt_persist_head.clock. */
static DEFINE_SPINLOCK(clock_lock);

static void note_clock(enum kpt_clock clock, u64 cleared)
{
	struct kpt_persist_clock new = {
		.clock = clock,
		.cleared = cleared,
		.tick = kpt_clock_tick,
		.epochs = kpt_clock_epochs,
	};

	kpt_persist_clock_set(&new);
	head()->clock = new;
}

/**
 * kpt_persist_note_clock() - keep what the times of the records mean
 * @clock: the clock of instance persist
 * @cleared: time since which there are records
 *
 * Context: process context.
 */
void kpt_persist_note_clock(enum kpt_clock clock, u64 cleared)
{
	spin_lock(&clock_lock);
	note_clock(clock, cleared);
	spin_unlock(&clock_lock);
}

/*
 * After a suspend clocks differ by another constant. The memory is not in the image of a
 * hibernation: after a resume, hits would follow whatever is there by then.
 */
static int pm_event(struct notifier_block *nb, unsigned long action, void *data)
{
	if (action == PM_HIBERNATION_PREPARE) {
		pr_warn("persist=%s: no hibernation, which would not keep this memory\n",
			persist);
		return notifier_from_errno(-EBUSY);
	}
	if (action != PM_POST_SUSPEND && action != PM_POST_HIBERNATION)
		return NOTIFY_OK;
	/* Another clock may be set meanwhile: what is read here is what is written. */
	spin_lock(&clock_lock);
	note_clock(head()->clock.clock, head()->clock.cleared);
	spin_unlock(&clock_lock);
	return NOTIFY_OK;
}

/* Called behind that of clock.c, which is registered later: so with a lower priority. */
static struct notifier_block pm_block = { .notifier_call = pm_event, .priority = -1 };

/**
 * kpt_persist_comms() - have the names of tasks in the memory
 *
 * Context: module load.
 * Return: the table, empty; NULL if there is no memory that survives a reboot.
 */
struct kpt_comm_table *kpt_persist_comms(void)
{
	struct kpt_comm_table *t;

	BUILD_BUG_ON(sizeof(struct kpt_comm_entry) != KPT_PERSIST_COMM);
	BUILD_BUG_ON(offsetof(struct kpt_comm_table, entry) > 8);
	if (!kpt_persist.mem)
		return NULL;
	t = at(kpt_persist.layout.comms);
	t->nr = kpt_persist.layout.nr_comms;
	return t;
}

/* This boot has the memory up to an offset. */
static void clear_up_to(size_t end)
{
	memset(at(kpt_persist.cleared), 0, end - kpt_persist.cleared);
	kpt_persist.cleared = end;
}

/**
 * kpt_persist_claim() - let this boot have the memory of the rings, too, all 0
 *
 * Until then the rings of another boot are whole, and kpt_persist_exit() leaves all as it
 * was at load. With more CPUs than in that boot the last names of tasks are where its first
 * ring was; those of before this call are lost.
 *
 * Context: module load.
 */
void kpt_persist_claim(void)
{
	clear_up_to(rings_end());
}

/**
 * kpt_persist_init() - map the memory, and copy what another boot has left there
 *
 * If the memory cannot be used, the log says why, and there is no instance persist.
 *
 * Context: module load.
 * Return: 0, or -ENOMEM.
 */
int kpt_persist_init(void)
{
	const char *why;

	if (!persist || !persist[0])
		return 0;
	why = map_memory();
	if (why) {
		pr_err("persist=%s: %s\n", persist, why);
		return 0;
	}
	if (!past_copy()) {
		unmap_memory();
		return -ENOMEM;
	}
	clear_up_to(kpt_persist.past.mem ? min(kpt_persist.layout.rings,
					       kpt_persist.past.layout.rings) :
					   kpt_persist.layout.rings);
	kpt_persist_head_set(head(), kpt_persist.size, nr_cpu_ids);
	note_boot();
	register_module_notifier(&module_block);
	kpt_symbol_each_module(note_module);
	register_pm_notifier(&pm_block);
	return 0;
}

/**
 * kpt_persist_exit() - unmap the memory, and leave there what is there
 *
 * If kptrace could not be loaded, this is what another boot has left.
 *
 * Context: module unload.
 */
void kpt_persist_exit(void)
{
	if (!kpt_persist.mem)
		return;
	unregister_pm_notifier(&pm_block);
	unregister_module_notifier(&module_block);
	if (kpt_persist.past.mem && has_past_rings())
		memcpy(kpt_persist.mem, kpt_persist.past.mem,
		       kpt_persist.past.layout.rings);
	vfree(kpt_persist.past.mem);
	unmap_memory();
}
