/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Pages of trace_pipe_raw that programs map. The interface is mainline's, see its
 * Documentation/trace/ring-buffer-map.rst: first a description, then pages of records,
 * of which the description names the one to read.
 */
#ifndef KPTRACE_RAW_MAP_H
#define KPTRACE_RAW_MAP_H

#include <linux/ioctl.h>
#include <linux/mm_types.h>
#include <linux/types.h>
#include "lib/ring/ring.h"

/* The request of ioctl() for the next page. */
#define KPT_RAW_MAP_NEXT	_IO('R', 0x20)

/**
 * struct kpt_raw_meta - the description: struct trace_buffer_meta of mainline
 * @meta_page_size: bytes in front of the first page of records
 * @meta_struct_len: bytes of this struct
 * @subbuf_size: bytes of a page of records
 * @nr_subbufs: number of those pages
 * @lost_events: number of records lost before the page to read
 * @id: number of the page to read
 * @bytes: bytes of records in it
 * @flags: 0
 * @entries: number of records written to the ring
 * @overrun: of those were overwritten
 * @read: of those were read
 * @pages_lost: 0: the ring does not consist of pages
 * @pages_touched: number of pages of records that were made
 */
struct kpt_raw_meta {
	u32 meta_page_size;
	u32 meta_struct_len;
	u32 subbuf_size;
	u32 nr_subbufs;
	u64 lost_events;
	u32 id;
	u32 bytes;
	u64 flags;
	u64 entries;
	u64 overrun;
	u64 read;
	u64 pages_lost;
	u64 pages_touched;
};

struct kpt_raw_map;
struct user_struct;

struct kpt_raw_map *kpt_raw_map_alloc(size_t size, struct user_struct *user);
int kpt_raw_map_fill(struct kpt_raw_map *map);
void kpt_raw_map_free(struct kpt_raw_map *map);
int kpt_raw_map_insert(struct kpt_raw_map *map, struct vm_area_struct *vma);
void kpt_raw_map_count(struct kpt_raw_map *map, const struct kpt_ring_stats *stats);
void *kpt_raw_map_spare(const struct kpt_raw_map *map, size_t *size);
void kpt_raw_map_turn(struct kpt_raw_map *map, u64 lost, u32 bytes);

#endif
