// SPDX-License-Identifier: GPL-2.0-only
/*
 * Pages that programs map. Mainline maps the pages of its ring. Our ring is no pages,
 * so two suffice: the one that the program reads, and the one that is made next.
 */
#include "kernel/compat.h"
#include <linux/mm.h>
#include <linux/slab.h>
#include "fs/raw_map.h"

/* Pages of records. */
#define RECORD_PAGES 2

/**
 * struct kpt_raw_map - the pages of an open trace_pipe_raw
 * @size: bytes of each part
 * @nr: number of @pages
 * @part: the description, then the pages of records
 * @pages: the kernel's pages of all parts
 */
struct kpt_raw_map {
	size_t size;
	unsigned long nr;
	struct page *part[1 + RECORD_PAGES];
	struct page *pages[];
};

static struct kpt_raw_meta *map_meta(const struct kpt_raw_map *map)
{
	return page_address(map->part[0]);
}

static int map_alloc_part(struct kpt_raw_map *map, unsigned int nr)
{
	unsigned long each = map->size / PAGE_SIZE, i;
	struct page *page;

	/* Not accounted: some kernels cannot map pages that are. */
	page = alloc_pages(GFP_KERNEL | __GFP_COMP | __GFP_ZERO, get_order(map->size));
	if (!page)
		return -ENOMEM;
	map->part[nr] = page;
	for (i = 0; i < each; i++)
		map->pages[nr * each + i] = page + i;
	return 0;
}

/**
 * kpt_raw_map_alloc() - allocate pages for a program to map
 * @size: bytes of a page of records: a power of two of pages
 *
 * Context: process context, sleeps.
 * Return: the pages, or NULL without memory.
 */
struct kpt_raw_map *kpt_raw_map_alloc(size_t size)
{
	unsigned long nr = (1 + RECORD_PAGES) * size / PAGE_SIZE;
	struct kpt_raw_map *map;
	unsigned int i;
	int err = 0;

	map = kzalloc(struct_size(map, pages, nr), GFP_KERNEL_ACCOUNT);
	if (!map)
		return NULL;
	map->size = size;
	map->nr = nr;
	for (i = 0; !err && i <= RECORD_PAGES; i++)
		err = map_alloc_part(map, i);
	if (err) {
		kpt_raw_map_free(map);
		return NULL;
	}
	*map_meta(map) = (struct kpt_raw_meta){
		.meta_page_size = size,
		.meta_struct_len = sizeof(struct kpt_raw_meta),
		.subbuf_size = size,
		.nr_subbufs = RECORD_PAGES,
	};
	return map;
}

/**
 * kpt_raw_map_free() - free pages that nobody maps any more
 * @map: from kpt_raw_map_alloc(), or NULL
 *
 * Context: process context.
 */
void kpt_raw_map_free(struct kpt_raw_map *map)
{
	unsigned int i;

	if (!map)
		return;
	for (i = 0; i <= RECORD_PAGES; i++)
		if (map->part[i])
			put_page(map->part[i]);
	kfree(map);
}

/**
 * kpt_raw_map_insert() - fill a mapping
 * @map: the pages
 * @vma: the mapping, at the offset of one of the parts
 *
 * Context: the file operation mmap.
 * Return: 0; -EPERM if the mapping is private, or may be written or executed; -EINVAL
 * if it begins inside a part or ends behind the last; -ENOMEM.
 */
int kpt_raw_map_insert(struct kpt_raw_map *map, struct vm_area_struct *vma)
{
	unsigned long first = vma->vm_pgoff;

	if (vma->vm_flags & (VM_WRITE | VM_EXEC) || !(vma->vm_flags & VM_MAYSHARE))
		return -EPERM;
	if (first % (map->size / PAGE_SIZE) || first >= map->nr ||
	    vma_pages(vma) > map->nr - first)
		return -EINVAL;
	/* It never becomes writable; children do not have it, and it is in no core. */
	kpt_vm_flags_mod(vma, VM_DONTCOPY | VM_DONTEXPAND | VM_DONTDUMP,
			 VM_MAYWRITE | VM_MAYEXEC);
	return vm_map_pages(vma, map->pages, map->nr);
}

/**
 * kpt_raw_map_count() - bring the counts of the description up to date
 * @map: the pages
 * @stats: counts of the ring
 *
 * Context: any; one caller at a time.
 */
void kpt_raw_map_count(struct kpt_raw_map *map, const struct kpt_ring_stats *stats)
{
	struct kpt_raw_meta *meta = map_meta(map);

	WRITE_ONCE(meta->entries, stats->written);
	WRITE_ONCE(meta->overrun, stats->overrun);
	WRITE_ONCE(meta->read, stats->read);
}

/**
 * kpt_raw_map_spare() - find the page of records that is made next
 * @map: the pages
 * @size: result: its bytes
 *
 * Context: any.
 * Return: its memory, which the program does not read now.
 */
void *kpt_raw_map_spare(const struct kpt_raw_map *map, size_t *size)
{
	*size = map->size;
	return page_address(map->part[1 + (map_meta(map)->id + 1) % RECORD_PAGES]);
}

/**
 * kpt_raw_map_turn() - let the program read the page that was made
 * @map: the pages
 * @lost: number of records lost before it
 * @bytes: bytes of its records
 *
 * Context: any; one caller at a time.
 */
void kpt_raw_map_turn(struct kpt_raw_map *map, u64 lost, u32 bytes)
{
	struct kpt_raw_meta *meta = map_meta(map);

	WRITE_ONCE(meta->lost_events, lost);
	WRITE_ONCE(meta->bytes, bytes);
	WRITE_ONCE(meta->pages_touched, meta->pages_touched + 1);
	/* Pairs with other tasks of the program, which read the page afterwards. */
	smp_store_release(&meta->id, (meta->id + 1) % RECORD_PAGES);
}
