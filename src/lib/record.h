/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What one record in the ring looks like, byte for byte that of ftrace's own
 * records (see the format file of any event), so that every tool that parses
 * format files can read ours.
 */
#ifndef KPTRACE_RECORD_H
#define KPTRACE_RECORD_H

#include <kptrace/port.h>

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
 * struct kpt_record_head - the common fields every record begins with
 * @type: number of the event (its id file)
 * @flags: KPT_FLAG_*
 * @preempt_count: preemption depth in the low 4 bits, migrate-disable depth
 *	in the high 4
 * @pid: of the task, as the initial namespace sees it
 */
struct kpt_record_head {
	u16 type;
	u8 flags;
	u8 preempt_count;
	s32 pid;
};

/**
 * struct kpt_record_probe - record of a p event, arguments follow
 * @head: common fields
 * @ip: probed address
 */
struct kpt_record_probe {
	struct kpt_record_head head;
	u64 ip;
};

/**
 * struct kpt_record_return - record of an r event, arguments follow
 * @head: common fields
 * @func: entry of the probed function
 * @ret_ip: where it returned to
 */
struct kpt_record_return {
	struct kpt_record_head head;
	u64 func;
	u64 ret_ip;
};

/* Types of records that are no hits: the numbers that ftrace gives them. */
#define KPT_RECORD_STACK	4
#define KPT_RECORD_PRINT	5
#define KPT_RECORD_RAW_DATA	19
/*
 * In a ring only: KPT_RECORD_RAW_DATA whose last 4 bytes are padding. A ring
 * keeps sizes in multiples of 8, and nothing in the record tells its length.
 */
#define KPT_RECORD_RAW_DATA_CUT	(KPT_RECORD_RAW_DATA + 128)

/**
 * struct kpt_record_stack - record of a stack trace, addresses follow
 * @head: common fields
 * @nr: how many addresses, u64 each, innermost first
 * @unused: 0
 */
struct kpt_record_stack {
	struct kpt_record_head head;
	s32 nr;
	u32 unused;
};

/**
 * struct kpt_record_print - record of what was written to trace_marker
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
 * struct kpt_record_raw_data - record of what was written to trace_marker_raw
 * @head: common fields
 * @id: the first four bytes that were written; the others follow
 */
struct kpt_record_raw_data {
	struct kpt_record_head head;
	u32 id;
};

/**
 * kpt_record_restore() - make a record out of a ring what everybody knows
 * @record: its bytes, at least struct kpt_record_head
 * @size: how many
 *
 * Context: any.
 * Return: how many of them belong to it.
 */
static inline size_t kpt_record_restore(void *record, size_t size)
{
	struct kpt_record_head *head = (struct kpt_record_head *)record;

	if (head->type != KPT_RECORD_RAW_DATA_CUT)
		return size;
	head->type = KPT_RECORD_RAW_DATA;
	return size - 4;
}

/*
 * A dynamic field holds a u32: length << 16 | offset from the start of the
 * record. The length of a string counts its NUL; 0 means the fetch faulted.
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
	KPT_TYPE_X8, KPT_TYPE_X16, KPT_TYPE_X32, KPT_TYPE_X64,
	KPT_TYPE_CHAR, KPT_TYPE_SYMBOL,
	/* dynamic: */
	KPT_TYPE_STRING, KPT_TYPE_USTRING, KPT_TYPE_SYMSTR,
	KPT_NR_TYPES,
};

/**
 * struct kpt_type_info - what a type is called and how it is stored
 * @name: in a definition ("x32")
 * @format_name: in a format file ("u32")
 * @print: its conversion in a print fmt ("0x%x"); also how values are shown
 * @size: bytes of one element in the record (4 for dynamic types)
 * @is_signed: as the format file shows it
 * @is_dynamic: the record holds a data_loc word
 */
struct kpt_type_info {
	const char *name;
	const char *format_name;
	const char *print;
	u8 size;
	bool is_signed;
	bool is_dynamic;
};

extern const struct kpt_type_info kpt_type_info[KPT_NR_TYPES];

#define KPT_ARGS_MAX		128
#define KPT_ARG_NAME_MAX	32
#define KPT_ARRAY_MAX		64
/* Bytes of a string in a record, the NUL included. */
#define KPT_STRING_MAX		4096

/**
 * struct kpt_field - one argument as it lies in the record
 * @name: as shown, a C identifier
 * @type: enum kpt_type of one element
 * @count: elements of an array, 0 if it is no array
 * @offset: bytes from the start of the record
 */
struct kpt_field {
	char name[KPT_ARG_NAME_MAX + 1];
	u8 type;
	u8 count;
	u16 offset;
};

/**
 * kpt_field_elements() - values in a field
 * @f: the field
 *
 * Context: any.
 * Return: 1 if it is no array.
 */
static inline unsigned int kpt_field_elements(const struct kpt_field *f)
{
	return f->count ? f->count : 1;
}

/**
 * kpt_field_size() - bytes of a field in the fixed part of the record
 * @f: the field
 *
 * Context: any.
 * Return: bytes, all elements of an array together.
 */
static inline size_t kpt_field_size(const struct kpt_field *f)
{
	return kpt_type_info[f->type].size * kpt_field_elements(f);
}

/**
 * struct kpt_fields - the shape of an event's records
 * @is_return: begins with struct kpt_record_return, not _probe
 * @has_dynamic: at least one field is dynamic
 * @nr: number of arguments
 * @size: bytes of the fixed part, the head included
 * @field: the arguments in order
 */
struct kpt_fields {
	bool is_return;
	bool has_dynamic;
	u16 nr;
	u16 size;
	struct kpt_field field[];
};

#endif
