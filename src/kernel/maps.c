// SPDX-License-Identifier: GPL-2.0-only
/*
 * What programs have mapped as code. A stack of a program is addresses, and when it is shown,
 * the program may have ended. So a hit that takes one holds the memory of the process, and asks a
 * worker to keep the names of the files in it: at first, then after a tick, two, four, up to a
 * second, as a program maps most when it begins.
 */
#include "kernel/compat.h"
#include <linux/ctype.h>
#include <linux/fs.h>
#include <linux/hash.h>
#include <linux/jiffies.h>
#include <linux/mm.h>
#include <linux/pid_namespace.h>
#include <linux/sched/mm.h>
#include <linux/slab.h>
#include <linux/workqueue.h>
#include "kernel/bell.h"
#include "kernel/cpu.h"
#include "kernel/ksyms.h"
#include "kernel/maps.h"

#define MAPS_BITS	8
/* Processes whose numbers have one hash; the one that was looked at last is the first. */
#define MAPS_PER_HASH	8
/* Processes that the worker has not looked at yet. */
#define ASKED_MAX	64

/**
 * struct map - a part of a file that is mapped as code
 * @start: its first address
 * @end: behind it
 * @name: the file, from kstrdup(); NULL if there was no memory
 */
struct map {
	unsigned long start;
	unsigned long end;
	char *name;
};

/**
 * struct maps - those of a process
 * @list: in known.seen
 * @mm: its memory, which may be gone: only to compare
 * @tgid: the process
 * @nr: number of @map
 * @map: they
 */
struct maps {
	struct list_head list;
	const struct mm_struct *mm;
	s32 tgid;
	unsigned int nr;
	struct map map[];
};

/**
 * struct note - when hits have last asked
 * @mm: for this memory
 * @tgid: of this process
 * @looks: how often before
 * @until: jiffies: from then on hits ask again
 */
struct note {
	const struct mm_struct *mm;
	s32 tgid;
	unsigned int looks;
	unsigned long until;
};

/**
 * struct known - what is known of programs
 * @noted: notes, by the hash of the memory
 * @seen: struct maps, by the hash of the process; under seen_lock
 */
struct known {
	struct note noted[1 << MAPS_BITS];
	struct list_head seen[1 << MAPS_BITS];
};

/* From the first look of the worker on. */
static struct known *known;
static DEFINE_MUTEX(seen_lock);

/**
 * struct asked - what a hit has asked for
 * @is_taken: a hit fills it in, or the worker has not done it yet
 * @mm: the memory, held; NULL while it is filled in
 * @tgid: the process
 */
static struct asked {
	atomic_t is_taken;
	struct mm_struct *mm;
	s32 tgid;
} asked[ASKED_MAX];

static void maps_work(struct work_struct *work);
static DECLARE_WORK(worker, maps_work);

static void maps_ring(struct kpt_bell *bell)
{
	schedule_work(&worker);
}

static struct kpt_bell bell = KPT_BELL_INIT(maps_ring);

/* Ask the worker, unless it was asked. Fails if it is so busy that nothing is free. */
static bool maps_ask(struct mm_struct *mm)
{
	struct asked *a;

	for (a = asked; a < asked + ASKED_MAX; a++) {
		if (READ_ONCE(a->mm) == mm)
			return true;
		if (atomic_read(&a->is_taken) || atomic_xchg(&a->is_taken, 1))
			continue;
		mmget(mm);
		a->tgid = current->tgid;
		/* pairs: maps_work() */
		smp_store_release(&a->mm, mm);
		kpt_bell_ask(&bell);
		return true;
	}
	return false;
}

/**
 * kpt_maps_note() - have the files kept that the current task has mapped as code
 *
 * It is a task of a process. If two hits forget each other's note, the worker looks again.
 *
 * Context: BRK.
 */
void kpt_maps_note(void)
{
	struct mm_struct *mm = current->mm;
	/* pairs: known_make() */
	struct known *k = smp_load_acquire(&known);
	struct note *n = k ? &k->noted[hash_ptr(mm, MAPS_BITS)] : NULL;

	if (likely(n && READ_ONCE(n->mm) == mm && READ_ONCE(n->tgid) == current->tgid &&
		   time_before(jiffies, READ_ONCE(n->until))) ||
	    !kpt_irq_work_runs() || !maps_ask(mm) || !n)
		return;
	/* A program that has just begun is still being mapped: the second look comes soon. */
	n->looks = n->mm == mm && n->tgid == current->tgid ? n->looks + 1 : 0;
	WRITE_ONCE(n->mm, mm);
	WRITE_ONCE(n->tgid, current->tgid);
	WRITE_ONCE(n->until, jiffies + min_t(unsigned long, HZ, 1UL << min(n->looks, 16U)));
}

static struct list_head *maps_of(s32 tgid)
{
	return &known->seen[hash_32(tgid, MAPS_BITS)];
}

static void maps_free(struct maps *maps)
{
	if (!maps)
		return;
	while (maps->nr)
		kfree(maps->map[--maps->nr].name);
	kfree(maps);
}

/* The name of a file, without what a terminal acts upon. */
static char *map_name(struct file *file, char *room, int size)
{
	char *name = file_path(file, room, size), *c;

	if (IS_ERR(name))
		return NULL;
	for (c = name; *c; c++)
		if (iscntrl(*c))
			*c = '?';
	return name;
}

/* The next mapping of code from @addr on, or NULL. */
static struct vm_area_struct *map_next(struct mm_struct *mm, unsigned long addr)
{
	struct vm_area_struct *vma = find_vma(mm, addr);

	while (vma && !(vma->vm_file && vma->vm_flags & VM_EXEC))
		vma = find_vma(mm, vma->vm_end);
	return vma;
}

/* Returns NULL without memory. */
static struct maps *maps_read(struct mm_struct *mm, s32 tgid)
{
	char *room = kmalloc(PATH_MAX, GFP_KERNEL), *name;
	struct vm_area_struct *vma;
	struct maps *maps = NULL;
	unsigned int nr = 0;

	mmap_read_lock(mm);
	for (vma = map_next(mm, 0); vma; vma = map_next(mm, vma->vm_end))
		nr++;
	if (room)
		maps = kzalloc(struct_size(maps, map, nr), GFP_KERNEL);
	for (vma = map_next(mm, 0); maps && vma; vma = map_next(mm, vma->vm_end)) {
		name = map_name(vma->vm_file, room, PATH_MAX);
		maps->map[maps->nr++] = (struct map){
			.start = vma->vm_start,
			.end = vma->vm_end,
			.name = name ? kstrdup(name, GFP_KERNEL) : NULL,
		};
	}
	mmap_read_unlock(mm);
	kfree(room);
	if (maps) {
		maps->mm = mm;
		maps->tgid = tgid;
	}
	return maps;
}

/* Keep them instead of those of the same memory before, or of the one that is longest unseen. */
static void maps_keep(struct maps *maps)
{
	struct list_head *list = maps_of(maps->tgid);
	struct maps *old, *gone = NULL;
	unsigned int nr = 0;

	mutex_lock(&seen_lock);
	list_for_each_entry(old, list, list) {
		gone = old;
		if (++nr == MAPS_PER_HASH || (old->mm == maps->mm && old->tgid == maps->tgid))
			break;
		gone = NULL;
	}
	if (gone)
		list_del(&gone->list);
	list_add(&maps->list, list);
	mutex_unlock(&seen_lock);
	maps_free(gone);
}

/* Returns false without memory. */
static bool known_make(void)
{
	struct known *k = kzalloc(sizeof(*k), GFP_KERNEL);
	unsigned int i;

	if (!k)
		return false;
	for (i = 0; i < ARRAY_SIZE(k->seen); i++)
		INIT_LIST_HEAD(&k->seen[i]);
	/* pairs: kpt_maps_note(), kpt_maps_place() */
	smp_store_release(&known, k);
	return true;
}

static void maps_work(struct work_struct *work)
{
	bool may_keep = known || known_make();
	struct mm_struct *mm;
	struct maps *maps;
	struct asked *a;

	for (a = asked; a < asked + ASKED_MAX; a++) {
		/* pairs: maps_ask() */
		mm = smp_load_acquire(&a->mm);
		if (!mm)
			continue;
		maps = may_keep ? maps_read(mm, a->tgid) : NULL;
		if (maps)
			maps_keep(maps);
		WRITE_ONCE(a->mm, NULL);
		atomic_set_release(&a->is_taken, 0);
		mmput(mm);
	}
}

/* @name may be in @dst. */
static size_t put_place(char *dst, size_t size, const char *name, u64 offset)
{
	size_t len = name ? strlen(name) : 0;

	if (!len || len >= size)
		return 0;
	memmove(dst, name, len);
	len += scnprintf(dst + len, size - len, "[+0x%llx]", offset);
	return len + 1 < size ? len : 0;
}

static size_t place_seen(char *dst, size_t size, s32 tgid, u64 addr)
{
	const struct maps *maps;
	const struct map *map;

	list_for_each_entry(maps, maps_of(tgid), list)
		for (map = maps->map; maps->tgid == tgid && map < maps->map + maps->nr; map++)
			if (map->start <= addr && addr < map->end)
				return put_place(dst, size, map->name, addr - map->start);
	return 0;
}

/* The memory of a process, held; NULL if it has none, or has ended. */
static struct mm_struct *mm_of(s32 tgid)
{
	struct mm_struct *mm = NULL;
	struct task_struct *task;

	rcu_read_lock();
	task = pid_task(find_pid_ns(tgid, &init_pid_ns), PIDTYPE_TGID);
	if (task)
		mm = get_task_mm(task);
	rcu_read_unlock();
	return mm;
}

/*
 * What is mapped there now. Nobody waits for a process while kpt_mutex is held, or does the work
 * of its end.
 */
static size_t place_now(char *dst, size_t size, s32 tgid, u64 addr)
{
	struct mm_struct *mm = mm_of(tgid);
	struct vm_area_struct *vma;
	size_t len = 0;

	if (!mm)
		return 0;
	if (mmap_read_trylock(mm)) {
		vma = map_next(mm, addr);
		if (vma && vma->vm_start <= addr)
			len = put_place(dst, size, map_name(vma->vm_file, dst, size),
					addr - vma->vm_start);
		mmap_read_unlock(mm);
	}
	mmput_async(mm);
	return len;
}

/**
 * kpt_maps_place() - describe an address of a program as FILE[+0xOFFSET]
 * @dst: result
 * @size: bytes at @dst
 * @tgid: the process
 * @addr: the address
 *
 * Context: process context, sleeps.
 * Return: as port_user_place().
 */
size_t kpt_maps_place(char *dst, size_t size, s32 tgid, u64 addr)
{
	size_t len = 0;

	/* pairs: known_make() */
	if (smp_load_acquire(&known)) {
		mutex_lock(&seen_lock);
		len = place_seen(dst, size, tgid, addr);
		mutex_unlock(&seen_lock);
	}
	return len ?: place_now(dst, size, tgid, addr);
}

/**
 * kpt_maps_exit() - wait for the worker, and keep nothing any more
 *
 * Context: module unload, sleeps; no hit asks any more.
 */
void kpt_maps_exit(void)
{
	struct maps *maps, *next;
	unsigned int i;

	kpt_bell_sync(&bell);
	flush_work(&worker);
	for (i = 0; known && i < ARRAY_SIZE(known->seen); i++)
		list_for_each_entry_safe(maps, next, &known->seen[i], list)
			maps_free(maps);
	kfree(known);
}
