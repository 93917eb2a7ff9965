/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Records: their layout in the ring, and how their fields are found and read.
 *
 * The layout is that of ftrace's records, byte for byte (see the format file of
 * any event), so every tool that parses format files can read them.
 */
#ifndef KPTRACE_RECORD_H
#define KPTRACE_RECORD_H

#include "lib/base/diag.h"
#include "lib/record/enum.h"
#include "lib/record/names.h"

/* common_flags, values as in the kernel's enum trace_flag_type. */
#define KPT_FLAG_IRQS_OFF	0x01
#define KPT_FLAG_NEED_RESCHED_LAZY 0x02
#define KPT_FLAG_NEED_RESCHED	0x04
#define KPT_FLAG_HARDIRQ	0x08
#define KPT_FLAG_SOFTIRQ	0x10
#define KPT_FLAG_PREEMPT_RESCHED 0x20
#define KPT_FLAG_NMI		0x40
#define KPT_FLAG_BH_OFF		0x80

/**
 * struct kpt_record_head - the common fields of all records
 * @type: number of the event, as in its id file
 * @flags: KPT_FLAG_*
 * @preempt_count: preemption depth in the low 4 bits, migrate-disable depth
 *	in the high 4
 * @pid: of the task, in the initial namespace
 */
struct kpt_record_head {
	u16 type;
	u8 flags;
	u8 preempt_count;
	s32 pid;
};

/**
 * struct kpt_record_probe - record of a hit at one place; arguments follow
 * @head: common fields
 * @ip: probed address
 */
struct kpt_record_probe {
	struct kpt_record_head head;
	u64 ip;
};

/**
 * struct kpt_record_return - record of the return of a function; arguments
 * follow
 * @head: common fields
 * @func: entry of the function
 * @ret_ip: address it returned to
 */
struct kpt_record_return {
	struct kpt_record_head head;
	u64 func;
	u64 ret_ip;
};

/**
 * struct kpt_record_object - record of a call that takes an object
 * @head: common fields
 * @ip: entry of the function
 * @parent_ip: where it returns to
 * @object: address of the object
 * @value: the value in the object
 */
struct kpt_record_object {
	struct kpt_record_head head;
	u64 ip;
	u64 parent_ip;
	u64 object;
	u64 value;
};

/* Types of records of builtin events, with the numbers that ftrace gives them. */
#define KPT_RECORD_FUNCTION	1
#define KPT_RECORD_STACK	4
#define KPT_RECORD_PRINT	5
#define KPT_RECORD_GRAPH_EXIT	10
#define KPT_RECORD_GRAPH_ENTRY	11
#define KPT_RECORD_GRAPH_RETADDR 12
#define KPT_RECORD_USER_STACK	13
#define KPT_RECORD_OSNOISE	17
#define KPT_RECORD_TIMERLAT	18
#define KPT_RECORD_RAW_DATA	19
#define KPT_RECORD_FUNC_REPEATS	20
/*
 * In a ring only: a KPT_RECORD_RAW_DATA whose last 4 bytes are padding. A ring
 * keeps sizes in multiples of 8, and the record itself has no length.
 */
#define KPT_RECORD_RAW_DATA_CUT	(KPT_RECORD_RAW_DATA + 128)
/*
 * In a ring only: numbers of places. A record with such a type has no kpt_record_probe.ip, or no
 * kpt_record_return.func. A struct kpt_record_place says what they are, and the type.
 */
#define KPT_RECORD_PLACE	(KPT_RECORD_RAW_DATA_CUT + 1)
#define KPT_RECORD_PLACE_END	8192
#define KPT_RECORD_PLACES	(KPT_RECORD_PLACE_END - KPT_RECORD_PLACE)

/**
 * struct kpt_record_place - what the number of a place stands for
 * @ip: kpt_record_probe.ip, or kpt_record_return.func
 * @type: number of the event; 0: the number of the place is not in use
 * @next: number of another place of the event; 0 at the end
 */
struct kpt_record_place {
	u64 ip;
	u16 type;
	u16 next;
};

/*
 * Registers of arguments, from x0 on, a u64 each: those that a kpt_record_function, a
 * kpt_record_graph_entry or a kpt_record_graph_retaddr may end with. The size of the record
 * tells whether it has them.
 */
#define KPT_RECORD_ARGS		8

/**
 * struct kpt_record_function - record of the tracer function; with option func-args the
 * registers of arguments follow
 * @head: common fields
 * @ip: entry of the function
 * @parent_ip: the address that it will return to
 */
struct kpt_record_function {
	struct kpt_record_head head;
	u64 ip;
	u64 parent_ip;
};

/**
 * struct kpt_record_func_repeats - record of the tracer function with option
 * func-no-repeats: how often the call that was recorded before it was made again
 * @head: common fields
 * @ip: entry of the function
 * @parent_ip: the address that it returned to
 * @count: how often
 * @top_delta_ts: time since the last of these calls, in units of the clock: bits 32 to 47
 * @bottom_delta_ts: bits 0 to 31 of that
 */
struct kpt_record_func_repeats {
	struct kpt_record_head head;
	u64 ip;
	u64 parent_ip;
	u16 count;
	u16 top_delta_ts;
	u32 bottom_delta_ts;
};

/**
 * struct kpt_record_graph_entry - record of the tracer function_graph: a call begins;
 * with option funcgraph-args the registers of arguments follow
 * @head: common fields
 * @func: entry of the function
 * @depth: number of calls that are traced and in progress around it
 */
struct kpt_record_graph_entry {
	struct kpt_record_head head;
	u64 func;
	u64 depth;
};

/**
 * struct kpt_record_graph_retaddr - record of function_graph instead of struct
 * kpt_record_graph_entry, with option funcgraph-retaddr
 * @entry: that record
 * @retaddr: the address that the function will return to
 */
struct kpt_record_graph_retaddr {
	struct kpt_record_graph_entry entry;
	u64 retaddr;
};

/**
 * struct kpt_record_graph_exit - record of function_graph: a call ends
 * @head: common fields
 * @func: entry of the function
 * @retval: x0 at the return
 * @depth: that of the entry
 * @overrun: number of calls of the task so far that were too deep to be traced
 * @calltime: when it began, in ns of the local clock
 * @rettime: when it ended
 */
struct kpt_record_graph_exit {
	struct kpt_record_head head;
	u64 func;
	u64 retval;
	u32 depth;
	u32 overrun;
	u64 calltime;
	u64 rettime;
};

/**
 * struct kpt_record_osnoise - record of the tracer osnoise: a CPU was watched
 * @head: common fields
 * @noise: time that was taken from the thread, in us as all times here
 * @runtime: how long it watched
 * @max_sample: longest time that was taken at once
 * @hw_count: how often nothing that the kernel knows of took it
 * @nmi_count: how many NMIs there were
 * @irq_count: interrupts
 * @softirq_count: softirqs
 * @thread_count: switches to other threads
 */
struct kpt_record_osnoise {
	struct kpt_record_head head;
	u64 noise;
	u64 runtime;
	u64 max_sample;
	u32 hw_count;
	u32 nmi_count;
	u32 irq_count;
	u32 softirq_count;
	u32 thread_count;
};

/* kpt_record_timerlat.context */
#define KPT_TIMERLAT_IRQ	0
#define KPT_TIMERLAT_THREAD	1
#define KPT_TIMERLAT_USER_RET	2

/**
 * struct kpt_record_timerlat - record of the tracer timerlat: how late a timer was
 * @head: common fields
 * @seqnum: number of the timer, from 1 on
 * @context: who was late: the interrupt, the thread that it woke, or the return of a
 *	thread from user space when it has done its work
 * @timer_latency: how late, in ns
 */
struct kpt_record_timerlat {
	struct kpt_record_head head;
	u32 seqnum;
	s32 context;
	u64 timer_latency;
};

/*
 * Records of the events osnoise:*. Times are ns of the local clock; durations are net.
 */

/** struct kpt_record_nmi_noise - an NMI has ended */
struct kpt_record_nmi_noise {
	struct kpt_record_head head;
	u64 start;
	u64 duration;
};

/**
 * struct kpt_record_irq_noise - an interrupt has ended; its name follows
 * @head: common fields
 * @start: when it began
 * @duration: how long it took
 * @desc: kpt_data_loc() of the name
 * @vector: its number
 */
struct kpt_record_irq_noise {
	struct kpt_record_head head;
	u64 start;
	u64 duration;
	u32 desc;
	s32 vector;
};

/** struct kpt_record_softirq_noise - a softirq has ended */
struct kpt_record_softirq_noise {
	struct kpt_record_head head;
	u64 start;
	u64 duration;
	s32 vector;
};

/** struct kpt_record_thread_noise - a thread has given up the CPU */
struct kpt_record_thread_noise {
	struct kpt_record_head head;
	char comm[16];
	u64 start;
	u64 duration;
	s32 pid;
};

/**
 * struct kpt_record_threshold - the thread of osnoise did not run for longer than its threshold
 * @head: common fields
 * @start: when it ran last before that gap
 * @duration: length of the gap
 * @interference: how many NMIs, interrupts, softirqs and switches of threads were counted in it
 */
struct kpt_record_threshold {
	struct kpt_record_head head;
	u64 start;
	u64 duration;
	u64 interference;
};

/** struct kpt_record_osnoise_sample - as struct kpt_record_osnoise */
struct kpt_record_osnoise_sample {
	struct kpt_record_head head;
	u64 runtime;
	u64 noise;
	u64 max_sample;
	s32 hw_count;
	s32 irq_count;
	s32 nmi_count;
	s32 softirq_count;
	s32 thread_count;
};

/** struct kpt_record_timerlat_sample - as struct kpt_record_timerlat */
struct kpt_record_timerlat_sample {
	struct kpt_record_head head;
	u64 timer_latency;
	u32 seqnum;
	s32 context;
};

/**
 * struct kpt_record_stack - record of a stack trace; addresses follow
 * @head: common fields
 * @nr: number of addresses, u64 each, innermost first
 * @unused: 0
 */
struct kpt_record_stack {
	struct kpt_record_head head;
	s32 nr;
	u32 unused;
};

/**
 * struct kpt_record_user_stack - record of the stack of a program; addresses follow
 * @head: common fields
 * @tgid: the process
 * @unused: 0
 *
 * u64 each, innermost first; zeros to make them KPT_USER_STACK_MIN.
 */
struct kpt_record_user_stack {
	struct kpt_record_head head;
	u32 tgid;
	u32 unused;
};

/* Addresses that mainline declares. */
#define KPT_USER_STACK_MIN	8

/**
 * struct kpt_record_print - record of a write to trace_marker
 * @head: common fields
 * @ip: an address in the function that recorded it
 *
 * The text follows, with a newline and a NUL at its end.
 */
struct kpt_record_print {
	struct kpt_record_head head;
	u64 ip;
};

/**
 * struct kpt_record_raw_data - record of a write to trace_marker_raw
 * @head: common fields
 * @id: the first four bytes that were written; the others follow
 */
struct kpt_record_raw_data {
	struct kpt_record_head head;
	u32 id;
};

/**
 * kpt_record_is_cut() - does kpt_record_restore() change records of a type?
 * @type: kpt_record_head.type of a record in a ring
 *
 * Context: any.
 * Return: true if it does.
 */
static __always_inline bool kpt_record_is_cut(u16 type)
{
	return type >= KPT_RECORD_RAW_DATA_CUT && type < KPT_RECORD_PLACE_END;
}

/**
 * kpt_record_place() - find what the type of a record in a ring stands for
 * @places: all places, by number from KPT_RECORD_PLACE on; or NULL
 * @type: the type
 *
 * Context: any.
 * Return: the place, NULL if it is not the number of one.
 */
static __always_inline const struct kpt_record_place *
kpt_record_place(const struct kpt_record_place *places, u16 type)
{
	if (!places || type < KPT_RECORD_PLACE || type >= KPT_RECORD_PLACE_END)
		return NULL;
	places += type - KPT_RECORD_PLACE;
	return places->type ? places : NULL;
}

/* What kpt_record_restore() adds to a record at most. */
#define KPT_RECORD_LEFT_OUT	((u32)sizeof_field(struct kpt_record_probe, ip))

size_t kpt_record_restore(void *record, size_t size, const struct kpt_record_place *places);

/*
 * A dynamic field is a u32, the data_loc: length << 16 | offset from the start
 * of the record. The length of a string includes its NUL; it is 0 if the string
 * could not be fetched.
 */
static inline u32 kpt_data_loc(u32 offset, u32 len)
{
	return len << 16 | offset;
}

static inline u32 kpt_data_loc_offset(u32 loc)
{
	return loc & 0xffff;
}

static inline u32 kpt_data_loc_len(u32 loc)
{
	return loc >> 16;
}

/* Value types of the definition language. */
enum kpt_type {
	KPT_TYPE_U8, KPT_TYPE_U16, KPT_TYPE_U32, KPT_TYPE_U64,
	KPT_TYPE_S8, KPT_TYPE_S16, KPT_TYPE_S32, KPT_TYPE_S64,
	KPT_TYPE_X8, KPT_TYPE_X16, KPT_TYPE_X32, KPT_TYPE_X64, KPT_TYPE_CHAR, KPT_TYPE_SYMBOL,
	/* in a form of their own; the two of errno have the same name: */
	KPT_TYPE_IPV4, KPT_TYPE_IPV6, KPT_TYPE_MAC, KPT_TYPE_ERRNO, KPT_TYPE_ERRNO64,
	KPT_TYPE_SIGNAL, KPT_TYPE_CAP, KPT_TYPE_UID, KPT_TYPE_SYSCALL,
	/* dynamic: */
	KPT_TYPE_STRING, KPT_TYPE_USTRING, KPT_TYPE_SYMSTR,
	KPT_NR_TYPES,
	/* of fields of synthetic events: */
	KPT_TYPE_SYNTH = KPT_NR_TYPES,
	KPT_TYPE_SYNTH_S8 = KPT_TYPE_SYNTH,
	KPT_TYPE_SYNTH_S16, KPT_TYPE_SYNTH_S32, KPT_TYPE_SYNTH_S64,
	KPT_TYPE_SYNTH_U8, KPT_TYPE_SYNTH_U16, KPT_TYPE_SYNTH_U32,
	KPT_TYPE_SYNTH_U64, KPT_TYPE_SYNTH_CHAR, KPT_TYPE_SYNTH_UCHAR,
	KPT_TYPE_SYNTH_INT, KPT_TYPE_SYNTH_UINT, KPT_TYPE_SYNTH_LONG,
	KPT_TYPE_SYNTH_ULONG, KPT_TYPE_SYNTH_BOOL, KPT_TYPE_SYNTH_PID,
	KPT_TYPE_SYNTH_GFP,
	/* char[N], char[], long[], unsigned long[]: */
	KPT_TYPE_SYNTH_CHARS, KPT_TYPE_SYNTH_TEXT, KPT_TYPE_SYNTH_STACK,
	KPT_TYPE_SYNTH_USTACK,
	KPT_NR_ALL_TYPES,
};

/**
 * enum kpt_field_kind - what a field is
 * @KPT_FIELD_NUMBER: bytes of the record; a number if they are 1, 2, 4 or 8
 * @KPT_FIELD_TEXT: a dynamic string of the record (of an array the first)
 * @KPT_FIELD_TAIL: a string that ends where the record ends
 * @KPT_FIELD_CPU: the current CPU
 * @KPT_FIELD_COMM: the current task's name
 * @KPT_FIELD_CHARS: a string in the fixed part of the record
 * @KPT_FIELD_STACK: dynamic: a u64 for the number of addresses, and these
 * @KPT_FIELD_BYTES: dynamic: any bytes
 * @KPT_FIELD_REL_TEXT: as KPT_FIELD_TEXT, but the offset counts from behind the field
 * @KPT_FIELD_REL_BYTES: as KPT_FIELD_BYTES, with such an offset
 * @KPT_FIELD_MASK: as KPT_FIELD_BYTES: words with a bit for each CPU
 * @KPT_FIELD_TASK: port_task_number(kpt_field_ref.offset), which is not in the record
 *
 * kpt_persist_field.what keeps the numbers, so new kinds are added at the end.
 */
enum kpt_field_kind {
	KPT_FIELD_NUMBER,
	KPT_FIELD_TEXT,
	KPT_FIELD_TAIL,
	KPT_FIELD_CPU,
	KPT_FIELD_COMM,
	KPT_FIELD_CHARS,
	KPT_FIELD_STACK,
	KPT_FIELD_BYTES,
	KPT_FIELD_REL_TEXT,
	KPT_FIELD_REL_BYTES,
	KPT_FIELD_MASK,
	KPT_FIELD_TASK,
};

/**
 * struct kpt_type_info - names and storage of a type
 * @name: in a definition ("x32")
 * @format_name: in a format file ("u32")
 * @print: conversion in a print fmt ("0x%x")
 * @size: bytes of one element in the record, 4 for dynamic types
 * @is_signed: as format files say it
 * @is_dynamic: the record holds a data_loc
 * @kind: enum kpt_field_kind
 * @names: of a number that is shown by its name; else NULL
 */
struct kpt_type_info {
	const char *name;
	const char *format_name;
	const char *print;
	u8 size;
	bool is_signed;
	bool is_dynamic;
	u8 kind;
	const struct kpt_names *names;
};

extern const struct kpt_type_info kpt_type_info[KPT_NR_ALL_TYPES];

/**
 * kpt_type_has_form() - are values shown in a form of their own?
 * @type: enum kpt_type
 *
 * Context: any.
 * Return: true for addresses of networks, and for numbers with names.
 */
static inline bool kpt_type_has_form(u8 type)
{
	return type >= KPT_TYPE_IPV4 && type <= KPT_TYPE_SYSCALL;
}

#define KPT_ARGS_MAX		128
#define KPT_ARG_NAME_MAX	32
#define KPT_ARRAY_MAX		64
/* Bytes of a string in a record, the NUL included. */
#define KPT_STRING_MAX		4096

/**
 * struct kpt_field - an argument and its place in the record
 * @name: a C identifier
 * @type: enum kpt_type of one element
 * @count: number of elements of an array, 0 if it is no array; bytes of a
 *	KPT_TYPE_SYNTH_CHARS
 * @offset: bytes from the start of the record
 * @names: of an enumeration: names of values, by which lines show it; else NULL. Two
 *	fields have the same names if they have the same pointer
 */
struct kpt_field {
	char name[KPT_ARG_NAME_MAX + 1];
	u8 type;
	u16 count;
	u16 offset;
	const struct kpt_enum *names;
};

/**
 * kpt_field_elements() - number of values in an argument
 * @f: the argument
 *
 * Context: any.
 * Return: the number of elements; 1 if it is no array.
 */
static inline unsigned int kpt_field_elements(const struct kpt_field *f)
{
	return f->count ? f->count : 1;
}

/**
 * kpt_field_size() - size of an argument in the fixed part of the record
 * @f: the argument
 *
 * Context: any.
 * Return: bytes of all elements.
 */
static inline size_t kpt_field_size(const struct kpt_field *f)
{
	return kpt_type_info[f->type].size * kpt_field_elements(f);
}

/**
 * kpt_field_declared() - number of elements in the declaration of an argument
 * @f: the argument
 *
 * Context: any.
 * Return: the number; 0 if it is no array. Of types with more bytes than a number, bytes.
 */
static inline unsigned int kpt_field_declared(const struct kpt_field *f)
{
	if (f->type == KPT_TYPE_IPV6 || f->type == KPT_TYPE_MAC)
		return (unsigned int)kpt_field_size(f);
	return f->count;
}

/*
 * Reading a record. Filters, histograms and lines of trace find a field by its
 * name with kpt_field_find(), or an argument by its index with
 * kpt_field_element(), and read it with kpt_field_number() or kpt_field_text().
 */

/**
 * struct kpt_field_ref - where the value of a field is
 * @kind: enum kpt_field_kind
 * @is_signed: of numbers
 * @offset: bytes from the start of the record
 * @size: bytes there; 0 for a KPT_FIELD_TAIL and for values outside the record
 */
struct kpt_field_ref {
	u8 kind;
	bool is_signed;
	u16 offset;
	u16 size;
};

/**
 * kpt_field_is_number() - does a field hold one number?
 * @ref: the field
 *
 * Context: any.
 * Return: false for strings, arrays, and values that are not in the record.
 */
static inline bool kpt_field_is_number(const struct kpt_field_ref *ref)
{
	return ref->kind == KPT_FIELD_NUMBER &&
	       (ref->size == 1 || ref->size == 2 || ref->size == 4 || ref->size == 8);
}

/**
 * kpt_field_is_dynamic() - does a field hold the place of its bytes?
 * @ref: the field
 *
 * Context: any.
 * Return: true if it does: a u32, kpt_data_loc().
 */
static inline bool kpt_field_is_dynamic(const struct kpt_field_ref *ref)
{
	return ref->kind == KPT_FIELD_TEXT ||
	       (ref->kind >= KPT_FIELD_STACK && ref->kind <= KPT_FIELD_MASK);
}

/**
 * kpt_field_base() - find the 8 bytes of a record that a number is read from
 * @ref: the number
 *
 * They end with the number; but they are the first 8 bytes if the number ends
 * inside those. Every record has at least 8 bytes.
 *
 * Context: any, BRK included.
 * Return: offset of the first of these bytes in the record.
 */
static inline u16 kpt_field_base(const struct kpt_field_ref *ref)
{
	return max(ref->offset + ref->size, 8) - 8;
}

/**
 * kpt_field_shift() - find a number in the 8 bytes that it is read from
 * @ref: the number
 *
 * Context: any, BRK included.
 * Return: bits to shift left so that the highest bit of the number is bit 63.
 */
static inline u8 kpt_field_shift(const struct kpt_field_ref *ref)
{
	return 8 * (kpt_field_base(ref) + 8 - ref->offset - ref->size);
}

/**
 * kpt_field_load() - read a number into the top bits of a word
 * @record: the record, whole up to the end of the number
 * @base: kpt_field_base() of the number
 * @shift: kpt_field_shift() of the number
 *
 * For readers that keep @base and @shift instead of a struct kpt_field_ref.
 *
 * Context: any, BRK included.
 * Return: the number in the highest bits, other bytes of the record below it.
 */
static __always_inline u64 kpt_field_load(const void *record, u16 base, u8 shift)
{
	u64 v;

	memcpy(&v, (const u8 *)record + base, sizeof(v));
	return v << shift;
}

/**
 * kpt_field_number() - read a number
 * @ref: the field; kpt_field_is_number()
 * @record: the record, whole up to the end of the number
 *
 * Context: any, BRK included.
 * Return: the number, its sign extended if @ref->is_signed.
 */
static __always_inline u64 kpt_field_number(const struct kpt_field_ref *ref,
					    const void *record)
{
	u64 v = kpt_field_load(record, kpt_field_base(ref), kpt_field_shift(ref));
	unsigned int unused = 64 - 8 * ref->size;

	return ref->is_signed ? (u64)((s64)v >> unused) : v >> unused;
}

/**
 * kpt_field_data() - find the bytes of a string
 * @ref: a field of kind KPT_FIELD_TEXT, _STACK, _TAIL, _CHARS, _BYTES, _REL_TEXT,
 *	_REL_BYTES or _MASK
 * @record: the record, whole up to the end of its fixed part
 * @size: bytes at @record
 * @len: result: bytes of the string, its NUL included; 0 if it could not be
 *	fetched
 *
 * Offset and length in the record are not trusted.
 *
 * Context: any, BRK included.
 * Return: the bytes, or NULL if they are not inside the record.
 */
static inline const char *kpt_field_data(const struct kpt_field_ref *ref,
					 const void *record, size_t size,
					 size_t *len)
{
	size_t offset = ref->offset;
	u32 loc;

	if (kpt_field_is_dynamic(ref)) {
		memcpy(&loc, (const u8 *)record + offset, sizeof(loc));
		offset = kpt_data_loc_offset(loc);
		*len = kpt_data_loc_len(loc);
		if (ref->kind == KPT_FIELD_REL_TEXT || ref->kind == KPT_FIELD_REL_BYTES)
			offset += ref->offset + sizeof(loc);
	} else if (ref->kind == KPT_FIELD_CHARS) {
		*len = ref->size;
	} else {
		*len = offset < size ? size - offset : 0;
	}
	if (offset > size || *len > size - offset)
		return NULL;
	return (const char *)record + offset;
}

/**
 * kpt_field_text() - read a string
 * @ref: a field of kind KPT_FIELD_TEXT, _TAIL, _CHARS or _REL_TEXT
 * @record: the record, whole up to the end of its fixed part
 * @size: bytes at @record
 * @len: result: characters
 *
 * Context: any, BRK included.
 * Return: the characters, which may end without a NUL; none if the string
 * could not be fetched or is not inside the record.
 */
static inline const char *kpt_field_text(const struct kpt_field_ref *ref,
					 const void *record, size_t size,
					 size_t *len)
{
	const char *text = kpt_field_data(ref, record, size, len);

	*len = text ? strnlen(text, *len) : 0;
	return text ? text : "";
}

/*
 * Heads.
 */

/**
 * struct kpt_head_field - a field that all events of a kind have
 * @name: in filters and histograms
 * @declaration: in format files ("unsigned long __probe_ip"); NULL if the value
 *	is not in the record
 * @ref: where its value is
 */
struct kpt_head_field {
	const char *name;
	const char *declaration;
	struct kpt_field_ref ref;
};

struct kpt_line;
struct kpt_strbuf;

/**
 * struct kpt_head - the beginning of the records of a kind of event
 * @size: bytes before the first argument, struct kpt_record_head included
 * @nr: number of fields in @field
 * @is_builtin: an event that is always there; with option fields its lines say
 *	"UNKNOWN TYPE", as in mainline
 * @has_raw_text: with option raw its lines have the text of @put, and not only
 *	the number of the event
 * @field: the fields between struct kpt_record_head and the arguments
 * @is_synthetic: arguments are fields of a synthetic event, which are shown in
 *	another way than those of probes
 * @has_whole_print: @print_fmt is all that follows "print fmt: "
 * @print_fmt: beginning of the print fmt in its format file, without quotes
 * @print_args: arguments of @print_fmt
 * @put: writes the text of a line of trace before that of the arguments. Called
 *	in process context
 */
struct kpt_head {
	u16 size;
	u16 nr;
	bool is_builtin;
	bool has_raw_text;
	bool is_synthetic;
	bool has_whole_print;
	const struct kpt_head_field *field;
	const char *print_fmt;
	const char *print_args;
	void (*put)(struct kpt_strbuf *sb, const struct kpt_line *line);
};

extern const struct kpt_head kpt_head_place;
extern const struct kpt_head kpt_head_return;
extern const struct kpt_head kpt_head_synth;
extern const struct kpt_head kpt_head_event;

/* The fields of struct kpt_record_head. */
#define KPT_COMMON_FIELDS 4
extern const struct kpt_head_field kpt_common_fields[KPT_COMMON_FIELDS];

/**
 * struct kpt_fields - the shape of an event's records
 * @head: their beginning
 * @has_dynamic: at least one argument is dynamic
 * @nr: number of arguments
 * @size: bytes of the fixed part, the head included
 * @release: frees the shape; NULL if kfree() does, or if it is never freed
 * @field: the arguments in their order
 */
struct kpt_fields {
	const struct kpt_head *head;
	bool has_dynamic;
	u16 nr;
	u16 size;
	void (*release)(const struct kpt_fields *fields);
	struct kpt_field field[] __aligned(8);
};

/* Shapes of hits and of returns without arguments. */
extern const struct kpt_fields kpt_fields_place;
extern const struct kpt_fields kpt_fields_return;

/* Shapes of the built-in events. */
extern const struct kpt_fields kpt_fields_print;
extern const struct kpt_fields kpt_fields_stack;
extern const struct kpt_fields kpt_fields_user_stack;
extern const struct kpt_fields kpt_fields_raw_data;
extern const struct kpt_fields kpt_fields_function;
extern const struct kpt_fields kpt_fields_func_repeats;
extern const struct kpt_fields kpt_fields_graph_entry;
extern const struct kpt_fields kpt_fields_graph_retaddr;
extern const struct kpt_fields kpt_fields_graph_exit;
extern const struct kpt_fields kpt_fields_osnoise;
extern const struct kpt_fields kpt_fields_timerlat;
/* Shapes of the events osnoise:*. */
extern const struct kpt_fields kpt_fields_nmi_noise;
extern const struct kpt_fields kpt_fields_irq_noise;
extern const struct kpt_fields kpt_fields_softirq_noise;
extern const struct kpt_fields kpt_fields_thread_noise;
extern const struct kpt_fields kpt_fields_threshold;
extern const struct kpt_fields kpt_fields_osnoise_sample;
extern const struct kpt_fields kpt_fields_timerlat_sample;
/* Shape of objtrace:object. */
extern const struct kpt_fields kpt_fields_object;

/**
 * kpt_field_element() - find one value of an argument
 * @f: the argument
 * @i: index of the element of an array, else 0
 *
 * Context: any.
 * Return: its place.
 */
static inline struct kpt_field_ref kpt_field_element(const struct kpt_field *f,
						     unsigned int i)
{
	const struct kpt_type_info *info = &kpt_type_info[f->type];

	return (struct kpt_field_ref){
		.kind = info->kind,
		.is_signed = info->is_signed,
		.offset = (u16)(f->offset + i * info->size),
		.size = info->size,
	};
}

/**
 * kpt_field_whole() - find all values of an argument
 * @f: the argument
 *
 * Context: any.
 * Return: the place of all elements, as if they were one value.
 */
static inline struct kpt_field_ref kpt_field_whole(const struct kpt_field *f)
{
	struct kpt_field_ref ref = kpt_field_element(f, 0);

	ref.size = (u16)kpt_field_size(f);
	return ref;
}

const struct kpt_field *kpt_field_argument(const struct kpt_fields *fields, const char *name,
					   size_t len);
bool kpt_field_find_own(const struct kpt_fields *fields, const char *name, size_t len,
			struct kpt_field_ref *ref);
bool kpt_field_find_task(const char *name, size_t len, struct kpt_field_ref *ref);
void kpt_field_tell_similar(const struct kpt_fields *fields, bool own, const char *name,
			    size_t len, struct kpt_diag *diag);
bool kpt_field_find(const struct kpt_fields *fields, const char *name,
		    size_t len, struct kpt_field_ref *ref);

#endif
