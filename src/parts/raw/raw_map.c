// SPDX-License-Identifier: GPL-2.0-only
/*
 * Pages that programs map. Mainline maps the pages of its ring. Our ring is no pages,
 * so two suffice: the one that the program reads, and the one that is made next.
 *
 * The description is a page. Pages of records may be large: they are allocated when they are
 * first mapped or filled. All count as locked memory of the user who has opened the file.
 */
#include "kernel/compat.h"
#include <linux/capability.h>
#include <linux/mm.h>
#include <linux/sched/signal.h>
#include <linux/sched/user.h>
#include <linux/slab.h>
#include "parts/raw/raw_map.h"

/* Pages of records. */
#define RECORD_PAGES 2

/* Where pages that are charged to a group cannot be mapped, only the user pays. */
#ifdef PG_kmemcg
#define GFP_MAP		GFP_KERNEL
#else
#define GFP_MAP		GFP_KERNEL_ACCOUNT
#endif

/**
 * struct kpt_raw_map - the pages of an open trace_pipe_raw
 * @size: bytes of a page of records
 * @nr: number of @pages
 * @user: who pays
 * @meta: the description
 * @record: the pages of records; NULL if there are none yet
 * @pages: the kernel's pages of all these
 */
struct kpt_raw_map {
	size_t size;
	unsigned long nr;
	struct user_struct *user;
	struct page *meta;
	struct page *record[RECORD_PAGES];
	struct page *pages[];
};

static struct kpt_raw_meta *map_meta(const struct kpt_raw_map *map)
{
	return page_address(map->meta);
}

static unsigned long map_each(const struct kpt_raw_map *map)
{
	return map->size / PAGE_SIZE;
}

/*
 * Who pays. As perf does, the limit for locked memory is not the whole of it: each CPU
 * can be mapped once.
 */

/* A kernel without these two may not count it. */
#if defined(CONFIG_NET) || defined(CONFIG_IO_URING)
static bool map_charge(struct kpt_raw_map *map, unsigned long nr)
{
	unsigned long limit = (rlimit(RLIMIT_MEMLOCK) >> PAGE_SHIFT) +
			      num_possible_cpus() * (1 + RECORD_PAGES);

	if (atomic_long_add_return(nr, &map->user->locked_vm) <= limit ||
	    capable(CAP_IPC_LOCK))
		return true;
	atomic_long_sub(nr, &map->user->locked_vm);
	return false;
}

static void map_uncharge(struct kpt_raw_map *map, unsigned long nr)
{
	atomic_long_sub(nr, &map->user->locked_vm);
}
#else
static bool map_charge(struct kpt_raw_map *map, unsigned long nr)
{
	return true;
}

static void map_uncharge(struct kpt_raw_map *map, unsigned long nr)
{
}
#endif

static struct page *map_alloc(struct kpt_raw_map *map, unsigned long nr)
{
	struct page *page;

	if (!map_charge(map, nr))
		return NULL;
	page = alloc_pages(GFP_MAP | __GFP_COMP | __GFP_ZERO, get_order(nr * PAGE_SIZE));
	if (!page)
		map_uncharge(map, nr);
	return page;
}

static void map_free(struct kpt_raw_map *map, struct page *page, unsigned long nr)
{
	if (!page)
		return;
	put_page(page);
	map_uncharge(map, nr);
}

/**
 * kpt_raw_map_alloc() - allocate what a program maps first
 * @size: bytes of a page of records: a power of two of pages
 * @user: who pays; stays until kpt_raw_map_free()
 *
 * Context: process context, sleeps.
 * Return: the description; NULL without memory, or if the user has locked too much.
 */
struct kpt_raw_map *kpt_raw_map_alloc(size_t size, struct user_struct *user)
{
	unsigned long nr = 1 + RECORD_PAGES * size / PAGE_SIZE;
	struct kpt_raw_map *map;

	map = kzalloc(struct_size(map, pages, nr), GFP_KERNEL_ACCOUNT);
	if (!map)
		return NULL;
	map->size = size;
	map->nr = nr;
	map->user = user;
	map->meta = map_alloc(map, 1);
	if (!map->meta) {
		kpt_raw_map_free(map);
		return NULL;
	}
	map->pages[0] = map->meta;
	*map_meta(map) = (struct kpt_raw_meta){
		.meta_page_size = PAGE_SIZE,
		.meta_struct_len = sizeof(struct kpt_raw_meta),
		.subbuf_size = size,
		.nr_subbufs = RECORD_PAGES,
	};
	return map;
}

/* Others may do the same. */
static int map_fill_one(struct kpt_raw_map *map, unsigned int nr)
{
	struct page *page, *old;

	if (READ_ONCE(map->record[nr]))
		return 0;
	page = map_alloc(map, map_each(map));
	if (!page)
		return -ENOMEM;
	/* Releases what is in the page to kpt_raw_map_fill() of others. */
	old = cmpxchg(&map->record[nr], NULL, page);
	if (old)
		map_free(map, page, map_each(map));
	return 0;
}

/**
 * kpt_raw_map_fill() - allocate the pages of records, if that was not done
 * @map: the pages
 *
 * Context: process context, sleeps.
 * Return: 0, or -ENOMEM.
 */
int kpt_raw_map_fill(struct kpt_raw_map *map)
{
	struct page **to = map->pages + 1;
	unsigned int i, j;
	int err = 0;

	for (i = 0; !err && i < RECORD_PAGES; i++)
		err = map_fill_one(map, i);
	if (err)
		return err;
	/* Others write the same. */
	for (i = 0; i < RECORD_PAGES; i++)
		for (j = 0; j < map_each(map); j++)
			WRITE_ONCE(*to++, smp_load_acquire(&map->record[i]) + j);
	return 0;
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
	map_free(map, map->meta, 1);
	for (i = 0; i < RECORD_PAGES; i++)
		map_free(map, map->record[i], map_each(map));
	kfree(map);
}

/**
 * kpt_raw_map_insert() - fill a mapping
 * @map: the pages
 * @vma: the mapping, at the offset of the description or of a page of records
 *
 * Context: the file operation mmap.
 * Return: 0; -EPERM if the mapping is private, or may be written or executed; -EINVAL
 * if it begins inside one of these or ends behind the last; -ENOMEM.
 */
int kpt_raw_map_insert(struct kpt_raw_map *map, struct vm_area_struct *vma)
{
	unsigned long first = vma->vm_pgoff;

	if (vma->vm_flags & (VM_WRITE | VM_EXEC) || !(vma->vm_flags & VM_MAYSHARE))
		return -EPERM;
	if (first >= map->nr || vma_pages(vma) > map->nr - first ||
	    (first && (first - 1) % map_each(map)))
		return -EINVAL;
	if (first + vma_pages(vma) > 1 && kpt_raw_map_fill(map))
		return -ENOMEM;
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
 * @map: the pages, after kpt_raw_map_fill()
 * @size: result: its bytes
 *
 * Context: any.
 * Return: its memory, which the program does not read now.
 */
void *kpt_raw_map_spare(const struct kpt_raw_map *map, size_t *size)
{
	*size = map->size;
	return page_address(map->record[(map_meta(map)->id + 1) % RECORD_PAGES]);
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
