// SPDX-License-Identifier: GPL-2.0-only
/*
 * kpt_touch.ko touches 8 bytes of its memory in many ways when told to.
 *
 * Commands are written to /proc/kpt_touch. Reading it gives the address of the bytes, and of
 * the last command what is to be seen.
 *
 *	ways		each way of touch_ways.h, first on other bytes: a line for each access,
 *			with its way and the bytes before and after it; last the ways that have
 *			left other registers or another memory behind than on the other bytes
 *	count N		N times each from a task, from a softirq, from a hardirq and on each CPU
 *			one is added to the bytes
 *	threads N M	N threads on different CPUs, M times each
 *	busy N		until "idle", N threads on different CPUs, the last ones, add one to
 *			the bytes by exclusives, many times without interrupts in between
 *	idle		they end
 *	block N		says where a block of N bytes is, and forgets others
 *	edges N		stores to that block and around it: a byte before it, its first one, its
 *			last one, one behind it, the word in its middle; of a block up to 1024
 *			bytes also two words before it and half inside, and at its end
 *	bulk		part of a block is set, copied and moved up and down by instructions for
 *			that, and compared with what kernel functions make of other memory; says
 *			"bulk none" if the CPU has none, or how many bytes differ
 *	cross N		two words, of which the second begins a page of a block, are stored to N
 *			times by one instruction; says where that page is
 *	signed N	the word is read N times by an address that is signed; says "signed none"
 *			if the CPU has no such instruction
 *	copies N	each CPU adds one to its copy of a word N times; says where it is
 *	objects N M	N threads on different CPUs allocate and free M objects each: thread T
 *			stores 8 * i + 1, + 2 and + 3 in the first word of its object, i from
 *			T * M on
 *	held [N]	an object is allocated, or freed if it was; with N, one is added to its
 *			first word N times by each CPU
 *	late		an object is freed and then read
 *	device ADDR	says where registers of the device with that physical address are mapped
 *	user		they are copied to and from memory of the task that writes, which has
 *			to be 16 bytes behind the word
 */
#include <linux/atomic.h>
#include <linux/completion.h>
#include <linux/cpu.h>
#include <linux/delay.h>
#include <linux/interrupt.h>
#include <linux/io.h>
#include <linux/irq_work.h>
#include <linux/irqflags.h>
#include <linux/kernel.h>
#include <linux/kthread.h>
#include <linux/log2.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/proc_fs.h>
#include <linux/sched.h>
#include <linux/seq_file.h>
#include <linux/sizes.h>
#include <linux/slab.h>
#include <linux/smp.h>
#include <linux/string.h>
#include <linux/uaccess.h>
#include <asm/cpufeature.h>

/* Bytes of memory that ways may touch; the watched ones are in the middle. */
#define ROOM	512
#define WORD	256
#define RESULT	65536

enum access { R, W, B, X };
enum needs { ANY, LSE, ZVA, LOR, RCPC, RCPC2, RCPC3, LSE128, MOPS };

/* As touch_ways.S has it. */
struct touch_state {
	u64 x[6];
	u64 base;
	u64 flags;
	u64 q[8];
	u64 kept[8];
};

#define WAY(name, access, needs, ...) \
	asmlinkage void way_##name(void *at, struct touch_state *state);
#include "compat.h"
#include "touch_ways.h"
#undef WAY

static const struct way {
	const char *name;
	void (*run)(void *at, struct touch_state *state);
	enum access access;
	enum needs needs;
} ways[] = {
#define WAY(name, access, needs, ...) { "way_" #name, way_##name, access, needs },
#include "touch_ways.h"
#undef WAY
};

static DEFINE_MUTEX(lock);
static char result[RESULT];
static size_t used;

/* What is watched, and what is not. */
static u8 watched[ROOM] __aligned(ROOM);
static u8 other[ROOM] __aligned(ROOM);

static __printf(1, 2) void say(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	used += vscnprintf(result + used, sizeof(result) - used, format, args);
	va_end(args);
}

/* Fields of ID_AA64ISAR0_EL1 and so on, which may have no name in this kernel. */
#define FEATURE(crm, op2, shift) (read_sysreg_s(sys_reg(3, 0, 0, crm, op2)) >> (shift) & 15)

static bool has(enum needs needs)
{
	unsigned int atomics = FEATURE(6, 0, 20), lrcpc = FEATURE(6, 1, 20);
	u64 dczid = read_sysreg(dczid_el0);

	switch (needs) {
	case LSE:
		return atomics;
	case LSE128:
		return atomics >= 3;
	case ZVA:
		return !(dczid & BIT(4)) && (4 << (dczid & 15)) <= ROOM - WORD;
	case LOR:
		return FEATURE(7, 1, 16);
	case RCPC:
	case RCPC2:
	case RCPC3:
		return lrcpc >= needs - RCPC + 1;
	case MOPS:
		return FEATURE(6, 2, 16);
	default:
		return true;
	}
}

#ifndef __nocfi
#define __nocfi
#endif

/*
 * Without interrupts nobody else uses the vector registers, which the way restores. Ways have no
 * type in front that a compiler's check of calls could compare.
 */
static __nocfi void run_way(const struct way *way, u8 *room, struct touch_state *state)
{
	unsigned long flags;
	unsigned int i;

	for (i = 0; i < ROOM; i++)
		room[i] = i * 37 + 11;
	memset(state, 0, sizeof(*state));
	for (i = 0; i < 6; i++)
		state->x[i] = 0x0123456789abcdefULL * (i + 3);
	for (i = 0; i < 8; i++)
		state->q[i] = 0xfedcba9876543210ULL * (i + 5);
	local_irq_save(flags);
	way->run(room + WORD, state);
	local_irq_restore(flags);
}

static u64 word_of(const u8 *room)
{
	return *(const u64 *)(room + WORD);
}

/* The lines of a way, by what it has done to the other bytes. */
static void say_way(const struct way *way, u64 old, u64 new)
{
	if (way->access == X)
		say("%s old=0x%llx new=0x%llx\n", way->name, old, old);
	say("%s old=0x%llx new=0x%llx\n", way->name, old, new);
}

static void clear_kept(struct touch_state *state)
{
	memset(state->kept, 0, sizeof(state->kept));
}

static bool is_same(const struct touch_state *a, const struct touch_state *b)
{
	/* A way that stores its own address does it at two places. */
	u8 *x = watched + WORD, *y = other + WORD;

	if (*(u8 **)x == x && *(u8 **)y == y)
		*(u8 **)x = y;
	return !memcmp(a, b, sizeof(*a)) && !memcmp(watched, other, ROOM);
}

static int run_ways(void)
{
	struct touch_state *a = kmalloc(2 * sizeof(*a), GFP_KERNEL), *b = a + 1;
	char wrong[256] = "";
	unsigned int i;
	u64 old;

	if (!a)
		return -ENOMEM;
	for (i = 0; i < ROOM; i++)
		other[i] = i * 37 + 11;
	old = word_of(other);
	for (i = 0; i < ARRAY_SIZE(ways); i++) {
		if (!has(ways[i].needs))
			continue;
		run_way(&ways[i], other, a);
		/* The bytes differ there, as its own address does. */
		if (strcmp(ways[i].name, "way_str_same"))
			say_way(&ways[i], old, word_of(other));
		run_way(&ways[i], watched, b);
		clear_kept(a);
		clear_kept(b);
		if (is_same(a, b))
			continue;
		strlcat(wrong, " ", sizeof(wrong));
		strlcat(wrong, ways[i].name, sizeof(wrong));
	}
	kfree(a);
	say("wrong:%s\n", wrong);
	return 0;
}

static noinline void touch_add(void)
{
	atomic64_inc((atomic64_t *)(watched + WORD));
}

static void add_on_cpu(void *unused)
{
	touch_add();
}

static void add_in_hardirq(struct irq_work *unused)
{
	touch_add();
}

static void add_in_softirq(struct tasklet_struct *unused)
{
	touch_add();
}

static DECLARE_TASKLET(tasklet, add_in_softirq);

static int run_count(unsigned long n)
{
	struct irq_work work;
	unsigned long i;

#ifdef IRQ_WORK_INIT_HARD
	work = IRQ_WORK_INIT_HARD(add_in_hardirq);
#else
	init_irq_work(&work, add_in_hardirq);
#endif
	*(u64 *)(watched + WORD) = 0;
	for (i = 0; i < n; i++) {
		touch_add();
		tasklet_schedule(&tasklet);
		irq_work_queue(&work);
		on_each_cpu(add_on_cpu, NULL, 1);
		irq_work_sync(&work);
		while (test_bit(TASKLET_STATE_SCHED, &tasklet.state))
			usleep_range(100, 200);
		tasklet_unlock_wait(&tasklet);
	}
	say("adds: %lu sum: %llu\n", n * (3 + num_online_cpus()), word_of(watched));
	return 0;
}

static unsigned long each;
static atomic_t running;
static DECLARE_COMPLETION(all_done);

static int thread_adds(void *unused)
{
	unsigned long i;

	for (i = 0; i < each; i++) {
		touch_add();
		cond_resched();
	}
	if (atomic_dec_and_test(&running))
		complete(&all_done);
	return 0;
}

/* Nobody looks at the bytes before all is done: that would be a hit. */
static int run_threads(int (*func)(void *number), unsigned long n, unsigned long m)
{
	struct task_struct *task;
	unsigned long i;
	int cpu = -1;

	*(u64 *)(watched + WORD) = 0;
	each = m;
	atomic_set(&running, n + 1);
	reinit_completion(&all_done);
	for (i = 0; i < n; i++) {
		task = kthread_create(func, (void *)i, "touch/%lu", i);
		if (IS_ERR(task))
			return PTR_ERR(task);
		cpu = cpumask_next(cpu, cpu_online_mask);
		if (cpu >= nr_cpu_ids)
			cpu = cpumask_first(cpu_online_mask);
		/* In new kernels what is only allowed there is allowed everywhere at first. */
		kthread_bind(task, cpu);
		wake_up_process(task);
	}
	if (!atomic_dec_and_test(&running))
		wait_for_completion(&all_done);
	say("adds: %lu sum: %llu\n", n * m, word_of(watched));
	return 0;
}

/* No other exception may be between the two, so this does not end where each is stepped over. */
static noinline void touch_exclusive(void)
{
	u64 value, *at = (u64 *)(watched + WORD);
	u32 failed;

	asm volatile("1:	ldxr	%0, %2\n"
		     "	add	%0, %0, #1\n"
		     "	stxr	%w1, %0, %2\n"
		     "	cbnz	%w1, 1b\n"
		     : "=&r" (value), "=&r" (failed), "+Q" (*at));
}

static int thread_busy(void *unused)
{
	unsigned long flags;
	unsigned int i;
	int added = 0;

	while (!kthread_should_stop()) {
		local_irq_save(flags);
		for (i = 0; i < 8; i++)
			touch_exclusive();
		local_irq_restore(flags);
		added += i;
		cond_resched();
	}
	return added;
}

#define MOST_BUSY	64

static struct task_struct *busy[MOST_BUSY];

static int run_idle(void)
{
	unsigned long added = 0;
	unsigned int i;

	for (i = 0; i < MOST_BUSY; i++) {
		if (busy[i])
			added += kthread_stop(busy[i]);
		busy[i] = NULL;
	}
	say("adds: %lu sum: %llu\n", added, word_of(watched));
	return 0;
}

static int run_busy(unsigned long n)
{
	int cpu = num_online_cpus() - n;
	unsigned int i;

	if (n > MOST_BUSY || n > num_online_cpus() || busy[0])
		return -EINVAL;
	*(u64 *)(watched + WORD) = 0;
	for (i = 0; i < n; i++, cpu++) {
		busy[i] = kthread_create(thread_busy, NULL, "busy/%d", cpu);
		if (IS_ERR(busy[i])) {
			busy[i] = NULL;
			run_idle();
			return -ENOMEM;
		}
		kthread_bind(busy[i], cpu);
		wake_up_process(busy[i]);
	}
	return 0;
}

static DEFINE_PER_CPU(u64, copy);

static void touch_copies(void *nr)
{
	unsigned long i;

	for (i = 0; i < *(unsigned long *)nr; i++)
		this_cpu_inc(copy);
}

static int run_copies(unsigned long n)
{
	on_each_cpu(touch_copies, &n, 1);
	say("copies 0x%lx\n", (__force unsigned long)&copy);
	return 0;
}

/* A block, and bytes on both sides of it, are in a room. */
#define BLOCK_ROOM	(PAGE_SIZE < SZ_64K ? SZ_64K : 2 * PAGE_SIZE)

static u8 *blocks;

static u8 *block_of(unsigned long n)
{
	return blocks + max(n, 2048UL);
}

static int run_block(unsigned long n)
{
	if (n > BLOCK_ROOM / 4 || !is_power_of_2(n))
		return -EINVAL;
	if (!blocks)
		blocks = (u8 *)__get_free_pages(GFP_KERNEL | __GFP_ZERO, get_order(BLOCK_ROOM));
	if (!blocks)
		return -ENOMEM;
	say("block 0x%lx\n", (unsigned long)block_of(n));
	return 0;
}

static noinline __noclone void touch_pair(u8 *at)
{
	asm volatile("stp %0, %0, [%1]" : : "r" (0x77UL), "r" (at) : "memory");
}

static noinline int run_edges(unsigned long n)
{
	u8 *at = block_of(n);

	if (!blocks || n > BLOCK_ROOM / 4)
		return -EINVAL;
	WRITE_ONCE(at[-1], 1);
	WRITE_ONCE(at[0], 2);
	WRITE_ONCE(at[n - 1], 3);
	WRITE_ONCE(at[n], 4);
	WRITE_ONCE(*(u64 *)(at + n / 2), 0x55);
	if (n <= 1024) {
		touch_pair(at - 8);
		touch_pair(at + n - 8);
	}
	return 0;
}

static int run_cross(unsigned long n)
{
	int err = run_block(1);

	while (!err && n--)
		touch_pair(blocks + PAGE_SIZE - 8);
	if (!err)
		say("cross 0x%lx\n", (unsigned long)blocks + PAGE_SIZE);
	return err;
}

/* PACDZA X9; LDRAA X10, [X9] */
static noinline __noclone u64 touch_signed(u64 *at)
{
	register u64 *x9 asm("x9") = at;
	register u64 x10 asm("x10");

	asm volatile(".inst 0xdac12be9, 0xf820052a" : "+r" (x9), "=r" (x10) : : "memory");
	return x10;
}

static int run_signed(unsigned long n)
{
	u64 *at = (u64 *)(watched + WORD), value = *at;

	if (!FEATURE(6, 1, 4) && !FEATURE(6, 1, 8) && !FEATURE(6, 2, 12)) {
		say("signed none\n");
		return 0;
	}
	while (n--)
		if (touch_signed(at) != value)
			return -EIO;
	return 0;
}

/* As touch_ways.h has them, of X0, X1 and X2. */
static noinline __noclone void touch_set(u8 *at, u64 byte, u64 nr)
{
	register u8 *x0 asm("x0") = at;
	register u64 x1 asm("x1") = byte, x2 asm("x2") = nr;

	asm volatile(".inst 0x19c10440, 0x19c14440, 0x19c18440"
		     : "+r" (x0), "+r" (x2) : "r" (x1) : "cc", "memory");
}

static noinline __noclone void touch_move(u8 *to, u8 *from, u64 nr)
{
	register u8 *x0 asm("x0") = to, *x1 asm("x1") = from;
	register u64 x2 asm("x2") = nr;

	asm volatile(".inst 0x1d010440, 0x1d410440, 0x1d810440"
		     : "+r" (x0), "+r" (x1), "+r" (x2) : : "cc", "memory");
}

/* Bytes of some pages, whatever their size; those at 9000 are in each. */
#define BULK	20000

static int run_bulk(void)
{
	u8 *wanted = kmalloc(BLOCK_ROOM, GFP_KERNEL);
	unsigned int i, wrong = 0;
	int err = wanted ? run_block(1) : -ENOMEM;

	if (err || !has(MOPS)) {
		kfree(wanted);
		say("bulk none\n");
		return err;
	}
	for (i = 0; i < BLOCK_ROOM; i++)
		wanted[i] = blocks[i] = i * 37 >> 3;
	touch_set(blocks + 8990, 0x5a, BULK);
	memset(wanted + 8990, 0x5a, BULK);
	touch_move(blocks + 33000, blocks + 100, BULK);
	memmove(wanted + 33000, wanted + 100, BULK);
	touch_move(blocks + 100, blocks + 500, BULK);
	memmove(wanted + 100, wanted + 500, BULK);
	touch_move(blocks + 700, blocks + 100, BULK);
	memmove(wanted + 700, wanted + 100, BULK);
	for (i = 0; i < BLOCK_ROOM; i++)
		wrong += blocks[i] != wanted[i];
	kfree(wanted);
	say("bulk wrong: %u\n", wrong);
	return 0;
}

/* Objects, for triggers that watch each from here ... */
static noinline u64 *touch_alloc(void)
{
	return kzalloc(64, GFP_KERNEL);
}

/* ... to here. */
static noinline void touch_free(u64 *object)
{
	kfree(object);
}

/* Three stores to each object, and some to others beside it. */
static int thread_objects(void *number)
{
	u64 first = (u64)(unsigned long)number * each, *object, i;

	for (i = first; i < first + each; i++) {
		object = touch_alloc();
		if (!object)
			break;
		WRITE_ONCE(object[0], i * 8 + 1);
		WRITE_ONCE(object[1], ~0ULL);
		WRITE_ONCE(object[0], i * 8 + 2);
		WRITE_ONCE(*(u64 *)(watched + WORD), i);
		WRITE_ONCE(object[0], i * 8 + 3);
		touch_free(object);
		cond_resched();
	}
	if (atomic_dec_and_test(&running))
		complete(&all_done);
	return 0;
}

static u64 *held;

static void touch_held(void *nr)
{
	unsigned long i;

	for (i = 0; held && i < *(unsigned long *)nr; i++)
		atomic64_inc((atomic64_t *)held);
}

/* One object, which stays; and stores to it by all CPUs. */
static int run_held(const char *line)
{
	unsigned long n;

	if (sscanf(line, "held %lu", &n) == 1) {
		on_each_cpu(touch_held, &n, 1);
	} else if (held) {
		touch_free(held);
		held = NULL;
	} else {
		held = touch_alloc();
	}
	return 0;
}

/* A mistake: the object is not this code's any more. */
static noinline void touch_late(u64 *object)
{
	(void)READ_ONCE_NOCHECK(object[0]);
}

static int run_late(void)
{
	u64 *object = touch_alloc();

	if (!object)
		return -ENOMEM;
	touch_free(object);
	touch_late(object);
	return 0;
}

static void __iomem *device;

static int run_device(unsigned long at)
{
	if (!device)
		device = ioremap(at, PAGE_SIZE);
	if (!device)
		return -ENOMEM;
	say("device 0x%lx\n", (__force unsigned long)device);
	return 0;
}

/* Copies of 24 bytes, of which the watched ones are the middle. */
static noinline int touch_copy(char __user *user)
{
	u8 *at = watched + WORD - 8;

	return copy_to_user(user, at, 24) || copy_from_user(at, user, 24) ? -EFAULT : 0;
}

static int run(char *line, char __user *user)
{
	unsigned long n, m;

	if (!strcmp(line, "ways"))
		return run_ways();
	if (sscanf(line, "count %lu", &n) == 1)
		return run_count(n);
	if (sscanf(line, "threads %lu %lu", &n, &m) == 2)
		return run_threads(thread_adds, n, m);
	if (sscanf(line, "objects %lu %lu", &n, &m) == 2)
		return run_threads(thread_objects, n, m);
	if (sscanf(line, "busy %lu", &n) == 1)
		return run_busy(n);
	if (!strcmp(line, "idle"))
		return run_idle();
	if (sscanf(line, "block %lu", &n) == 1)
		return run_block(n);
	if (sscanf(line, "edges %lu", &n) == 1)
		return run_edges(n);
	if (sscanf(line, "cross %lu", &n) == 1)
		return run_cross(n);
	if (sscanf(line, "signed %lu", &n) == 1)
		return run_signed(n);
	if (!strcmp(line, "bulk"))
		return run_bulk();
	if (sscanf(line, "copies %lu", &n) == 1)
		return run_copies(n);
	if (sscanf(line, "device %lx", &n) == 1)
		return run_device(n);
	if (!strcmp(line, "late"))
		return run_late();
	if (!strncmp(line, "held", 4))
		return run_held(line);
	if (!strncmp(line, "user ", 5))
		return touch_copy(user + 16);
	return -EINVAL;
}

static ssize_t touch_write(struct file *file, const char __user *from, size_t len,
			   loff_t *pos)
{
	char line[64];
	int err;

	if (len >= sizeof(line) || copy_from_user(line, from, len))
		return -EINVAL;
	line[len] = '\0';
	mutex_lock(&lock);
	used = 0;
	err = run(strim(line), (char __user *)from);
	mutex_unlock(&lock);
	return err ?: (ssize_t)len;
}

static int touch_show(struct seq_file *m, void *unused)
{
	mutex_lock(&lock);
	seq_printf(m, "address 0x%lx\n", (unsigned long)watched + WORD);
	seq_write(m, result, used);
	mutex_unlock(&lock);
	return 0;
}

static int touch_open(struct inode *inode, struct file *file)
{
	return single_open(file, touch_show, NULL);
}

static const struct proc_ops touch_ops = {
	.proc_open = touch_open,
	.proc_read = seq_read,
	.proc_write = touch_write,
	.proc_lseek = seq_lseek,
	.proc_release = single_release,
};

static int __init touch_init(void)
{
	return proc_create("kpt_touch", 0600, NULL, &touch_ops) ? 0 : -ENOMEM;
}

static void __exit touch_exit(void)
{
	remove_proc_entry("kpt_touch", NULL);
	run_idle();
	kfree(held);
	if (device)
		iounmap(device);
	free_pages((unsigned long)blocks, get_order(BLOCK_ROOM));
	tasklet_kill(&tasklet);
}

module_init(touch_init);
module_exit(touch_exit);
MODULE_DESCRIPTION("touches memory in many ways, for tests of kptrace");
MODULE_LICENSE("GPL");
