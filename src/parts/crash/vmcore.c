// SPDX-License-Identifier: GPL-2.0-only
/*
 * What scripts/vmcore needs to find the records in an image of the machine's memory:
 * addresses and layouts by name. It searches the image for @magic.
 * Other copies of this data, as in the page cache of the module's file, have another
 * address than @self says.
 */
#include "kernel/compat.h"
#include <linux/cpumask.h>
#include <linux/percpu.h>
#include "buffer/places.h"
#include "fs/fs.h"
#include "parts/crash/crash.h"
#include "kernel/clock.h"
#include "kernel/comms.h"
#include "arch.h"

/**
 * struct vmcore_number - a number that scripts/vmcore asks for
 * @name: its name
 * @value: an address, an offset or a size
 */
struct vmcore_number {
	char name[24];
	u64 value;
};

#define ADDRESS(name, object)	{ name, (unsigned long)&(object) }
#define OFFSET(type, member)	{ #type "." #member, offsetof(struct kpt_##type, member) }
#define SIZE(type)		{ #type, sizeof(struct kpt_##type) }

static struct vmcore_number numbers[] = {
	ADDRESS("instances", kpt_instances),
	OFFSET(instance, list), OFFSET(instance, name), OFFSET(instance, buffer),
	OFFSET(buffer, cpu), OFFSET(buffer, clock),
	OFFSET(buffer_cpu, ring),
	OFFSET(ring, data), OFFSET(ring, size), OFFSET(ring, tail),
	OFFSET(ring, commit), OFFSET(ring, seq), OFFSET(ring, first),
	ADDRESS("events", kpt_events),
	OFFSET(event, list), OFFSET(event, id), OFFSET(event, group),
	OFFSET(event, name), OFFSET(event, fields), OFFSET(event, source),
	OFFSET(fields, head), OFFSET(fields, nr), OFFSET(fields, field),
	OFFSET(head, size), OFFSET(head, nr), OFFSET(head, field),
	SIZE(head_field), OFFSET(head_field, name), OFFSET(head_field, ref),
	OFFSET(field_ref, kind), OFFSET(field_ref, is_signed),
	OFFSET(field_ref, offset), OFFSET(field_ref, size),
	SIZE(field), OFFSET(field, name), OFFSET(field, type), OFFSET(field, count),
	OFFSET(field, offset), OFFSET(field, names),
	OFFSET(enum, nr), OFFSET(enum, value),
	SIZE(enum_value), OFFSET(enum_value, value), OFFSET(enum_value, name),
	ADDRESS("types", kpt_type_info[0]),
	SIZE(type_info), OFFSET(type_info, size), OFFSET(type_info, is_signed),
	OFFSET(type_info, kind),
	{ "type.x8", KPT_TYPE_X8 }, { "type.x64", KPT_TYPE_X64 },
	{ "type.char", KPT_TYPE_CHAR }, { "type.symbol", KPT_TYPE_SYMBOL },
	{ "type.ipv4", KPT_TYPE_IPV4 }, { "type.ipv6", KPT_TYPE_IPV6 },
	{ "type.mac", KPT_TYPE_MAC },
	ADDRESS("head.place", kpt_head_place), ADDRESS("head.return", kpt_head_return),
	ADDRESS("head.synth", kpt_head_synth), ADDRESS("head.event", kpt_head_event),
	ADDRESS("places", kpt_places), { "place.first", KPT_RECORD_PLACE },
	{ "place.end", KPT_RECORD_PLACE_END }, SIZE(record_place),
	OFFSET(record_place, ip), OFFSET(record_place, type),
	ADDRESS("comms", kpt_comm_table),
	OFFSET(comm_table, nr), OFFSET(comm_table, entry),
	SIZE(comm_entry), OFFSET(comm_entry, pid), OFFSET(comm_entry, comm),
	ADDRESS("epochs", kpt_clock_epochs), OFFSET(epochs, nr), OFFSET(epochs, epoch),
	ADDRESS("percpu", __per_cpu_offset),
	/* Set at load: */
	{ "cpus" }, { "mult" }, { "shift" },
};

/**
 * struct vmcore - the beginning, inside a page
 * @magic: what scripts/vmcore searches for
 * @self: address of this
 * @ttbr1: the register: where the page tables are
 * @tcr: the register: how many bits they translate
 * @page_shift: pages have 2 to this power bytes
 * @nr: number of @numbers
 * @numbers: their address
 */
struct vmcore {
	char magic[16];
	u64 self;
	u64 ttbr1;
	u64 tcr;
	u32 page_shift;
	u32 nr;
	u64 numbers;
};

/* Without a NUL: all 16 characters. */
static struct vmcore vmcore __aligned(64) = { .magic = "kptrace vmcore 1" };

static void vmcore_set(const char *name, u64 value)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(numbers); i++)
		if (!strcmp(numbers[i].name, name))
			numbers[i].value = value;
}

/**
 * kpt_vmcore_init() - describe this kernel for scripts/vmcore
 *
 * Context: module load.
 * Return: 0.
 */
int kpt_vmcore_init(void)
{
	vmcore_set("cpus", nr_cpu_ids);
	vmcore_set("mult", kpt_clock_tick.mult);
	vmcore_set("shift", kpt_clock_tick.shift);
	kpt_arch_tables(&vmcore.ttbr1, &vmcore.tcr);
	vmcore.page_shift = PAGE_SHIFT;
	vmcore.nr = ARRAY_SIZE(numbers);
	vmcore.numbers = (unsigned long)numbers;
	WRITE_ONCE(vmcore.self, (unsigned long)&vmcore);
	return 0;
}
