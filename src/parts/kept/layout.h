/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Memory that survives a reboot: its layout, and reading it when anything may have
 * happened to it. layout.c describes the layout.
 */
#ifndef KPTRACE_PERSIST_H
#define KPTRACE_PERSIST_H

#include "lib/fetch/def.h"
#include "lib/ring/epoch.h"
#include "lib/record/record.h"
#include "lib/ring/ring.h"

/* Bytes of an entry of the table of names of tasks, struct kpt_comm_entry. */
#define KPT_PERSIST_COMM	28

/* Bytes of a release or version in uname, and of the name of a module, with a NUL. */
#define KPT_PERSIST_UTS		72
#define KPT_PERSIST_MODULE	64

/**
 * struct kpt_persist_boot - the boot that uses the memory
 * @release: of its kernel
 * @version: of its kernel, which differs between builds
 * @start: address of the first byte of the kernel
 * @end: address behind its last byte
 * @check: kpt_check() of all that is before it
 */
struct kpt_persist_boot {
	char release[KPT_PERSIST_UTS];
	char version[KPT_PERSIST_UTS];
	u64 start;
	u64 end;
	u64 check;
};

/**
 * struct kpt_persist_clock - the times of the records
 * @clock: enum kpt_clock
 * @tick: of a count of the counter
 * @cleared: kpt_buffer.cleared
 * @epochs: relates the counter to ns
 * @check: kpt_check() of all that is before it
 */
struct kpt_persist_clock {
	u64 clock;
	struct kpt_tick tick;
	u64 cleared;
	struct kpt_epochs epochs;
	u64 check;
};

/**
 * struct kpt_persist_module - where a module was
 * @name: its name
 * @start: address of the first byte of its text
 * @size: bytes of its text; 0 if the entry is not used
 * @check: kpt_check() of all that is before it
 */
struct kpt_persist_module {
	char name[KPT_PERSIST_MODULE];
	u64 start;
	u64 size;
	u64 check;
};

/**
 * struct kpt_persist_head - the beginning of the memory
 * @magic: KPT_PERSIST_MAGIC
 * @size: bytes of all
 * @nr_cpus: number of rings
 * @check: kpt_check() of all that is before it
 * @boot: the boot
 * @clock: its times
 */
struct kpt_persist_head {
	char magic[16];
	u64 size;
	u64 nr_cpus;
	u64 check;
	struct kpt_persist_boot boot;
	struct kpt_persist_clock clock;
};

/*
 * Without a NUL: all 16 characters. With the layout, or the numbers of enum kpt_type, it changes
 * to one that kpt_persist_is_ours() does not take for this one, damaged.
 */
#define KPT_PERSIST_MAGIC	"of kptrace, kept"

/**
 * struct kpt_persist_layout - what is where in the memory
 * @nr_cpus: number of rings
 * @kept: offset of a struct kpt_ring_kept for each CPU
 * @modules: offset of @nr_modules struct kpt_persist_module
 * @nr_modules: their number
 * @shapes: offset of shapes of events
 * @shapes_size: their bytes
 * @comms: offset of the table of names of tasks: 8 bytes, then the entries
 * @nr_comms: number of entries, a power of two
 * @rings: offset of the rings
 * @ring_size: bytes of each
 */
struct kpt_persist_layout {
	u32 nr_cpus;
	size_t kept;
	size_t modules;
	u32 nr_modules;
	size_t shapes;
	size_t shapes_size;
	size_t comms;
	u32 nr_comms;
	size_t rings;
	u32 ring_size;
};

/**
 * enum kpt_persist_kind - kinds of heads of records
 * @KPT_PERSIST_PLACE: kpt_head_place
 * @KPT_PERSIST_RETURN: kpt_head_return
 * @KPT_PERSIST_SYNTH: kpt_head_synth
 * @KPT_PERSIST_EVENT: kpt_head_event
 * @KPT_PERSIST_OTHER: another one; its fields are kept, its text is not
 * @KPT_PERSIST_KINDS: number of kinds
 */
enum kpt_persist_kind {
	KPT_PERSIST_PLACE,
	KPT_PERSIST_RETURN,
	KPT_PERSIST_SYNTH,
	KPT_PERSIST_EVENT,
	KPT_PERSIST_OTHER,
	KPT_PERSIST_KINDS,
};

/**
 * struct kpt_persist_field - an argument, or a field of a head of kind OTHER
 * @name: its name
 * @what: enum kpt_type; of a field of a head enum kpt_field_kind
 * @is_signed: of fields of heads
 * @size: kpt_field.count; of a field of a head its bytes
 * @offset: bytes from the start of the record
 * @unused: 0
 */
struct kpt_persist_field {
	char name[KPT_NAME_MAX];
	u8 what;
	u8 is_signed;
	u16 size;
	u16 offset;
	u16 unused;
};

/**
 * struct kpt_persist_shape - an event: its names, and the shape of its records
 * @check: kpt_check() of all that follows it, @bytes less 8
 * @bytes: of all, a multiple of 8
 * @id: number of the event in records
 * @kind: enum kpt_persist_kind
 * @nr_head: number of fields of the head, which come first; 0 unless it is OTHER
 * @nr: number of arguments
 * @size: kpt_fields.size
 * @head_size: kpt_head.size
 * @event: name of the event
 * @source_group: of an event on another event: group of that event
 * @source_event: its name
 * @field: the fields
 */
struct kpt_persist_shape {
	u64 check;
	u32 bytes;
	u16 id;
	u16 kind;
	u16 nr_head;
	u16 nr;
	u16 size;
	u16 head_size;
	char event[KPT_NAME_MAX];
	char source_group[KPT_NAME_MAX];
	char source_event[KPT_NAME_MAX];
	struct kpt_persist_field field[];
};

/**
 * struct kpt_past_shape - a shape that was read again
 * @kept: what it was made of, which lives as long
 * @head: of a kind OTHER, its head, with fields behind @fields
 * @fields: the shape
 */
struct kpt_past_shape {
	const struct kpt_persist_shape *kept;
	struct kpt_head head;
	struct kpt_fields fields;
};

int kpt_persist_layout(struct kpt_persist_layout *l, u64 size, u32 nr_cpus);
void kpt_persist_head_set(struct kpt_persist_head *head, u64 size, u32 nr_cpus);
bool kpt_persist_is_ours(const struct kpt_persist_head *head);
bool kpt_persist_head_whole(const struct kpt_persist_head *head, u64 size);
void kpt_persist_boot_set(struct kpt_persist_boot *boot);
bool kpt_persist_boot_whole(const struct kpt_persist_boot *boot);
void kpt_persist_clock_set(struct kpt_persist_clock *clock);
bool kpt_persist_clock_whole(const struct kpt_persist_clock *clock);
void kpt_persist_module_set(struct kpt_persist_module *mod);
bool kpt_persist_module_whole(const struct kpt_persist_module *mod);
size_t kpt_persist_shape_bytes(const struct kpt_fields *fields);
void kpt_persist_shape_set(struct kpt_persist_shape *shape, u16 id,
			   const struct kpt_fields *fields, const char *event,
			   const char *source_group, const char *source_event);
const struct kpt_persist_shape *kpt_persist_shape_next(const void *from, size_t bytes,
						       size_t *at, size_t *bad);
size_t kpt_past_shape_bytes(const struct kpt_persist_shape *kept);
void kpt_past_shape_make(struct kpt_past_shape *past,
			 const struct kpt_persist_shape *kept);

#endif
