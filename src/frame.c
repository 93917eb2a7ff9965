// SPDX-License-Identifier: GPL-2.0-only
/*
 * Calls in progress, by task and stack pointer.
 *
 * A frame is put into a hash at the entry and taken out at the return. Both
 * happen in BRK context, which must not wait: the bucket's bit lock is held
 * for a few instructions, with interrupts masked and this CPU marked as being
 * in a hit, so that whoever waits for it waits for another CPU's few
 * instructions and for nothing else.
 *
 * Each CPU has a stock of free frames. When it runs low a worker makes more,
 * so that neither deep recursion nor thousands of sleeping callers use it up;
 * an entry that finds it empty is counted as missed. The worker also drops
 * frames of tasks that died inside the function.
 */
#include <kptrace/compat.h>
#include <linux/hash.h>
#include <linux/irq_work.h>
#include <linux/llist.h>
#include <linux/pid.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include <linux/vmalloc.h>
#include <linux/workqueue.h>
#include <kptrace/clock.h>
#include <kptrace/frame.h>

#define HASH_BITS	12
/* Frames made at once, and the stock below which more are made. */
#define STOCK		1024
#define STOCK_LOW	(STOCK / 2)

/**
 * struct stock - free frames of a CPU
 * @free: the first of them; used by this CPU alone, in BRK context
 * @nr: how many
 * @refill: frames made for this CPU, taken over when @free is empty
 * @wanted: the worker was asked for more and has not delivered
 */
struct stock {
	struct llist_node *free;
	unsigned int nr;
	struct llist_head refill;
	bool wanted;
};

static DEFINE_PER_CPU(struct stock, stock);
static struct hlist_bl_head *calls;
static atomic_t pending;
/* All frames there are, so that they can be freed: under kpt_mutex. */
static LIST_HEAD(chunks);

/**
 * struct chunk - frames that were allocated together
 * @list: in chunks
 * @frame: the frames
 */
struct chunk {
	struct list_head list;
	struct kpt_frame frame[STOCK];
};

static struct hlist_bl_head *bucket_of(const struct task_struct *task)
{
	return &calls[hash_ptr((void *)task, HASH_BITS)];
}

static int make_frames(int cpu)
{
	struct stock *s = per_cpu_ptr(&stock, cpu);
	struct chunk *chunk;
	unsigned int i;

	chunk = vzalloc(sizeof(*chunk));
	if (!chunk)
		return -ENOMEM;
	list_add(&chunk->list, &chunks);
	for (i = 0; i < STOCK; i++)
		llist_add(&chunk->frame[i].idle, &s->refill);
	/* pairs: note_low(): the frames before the readiness to ask again. */
	smp_store_release(&s->wanted, false);
	return 0;
}

/*
 * The module stays while a return address is replaced: the way back leads
 * through it. The reference is dropped by a worker, after the last return has
 * left our text for sure; where that can not be known, never.
 */

static void unpin_work(struct work_struct *work);
static DECLARE_WORK(unpin, unpin_work);
static atomic_t unpins;

static void schedule_unpin(struct irq_work *work)
{
	queue_work(system_wq, &unpin);
}

static DEFINE_IRQ_WORK(unpin_kick, schedule_unpin);

static void unpin_work(struct work_struct *work)
{
	int nr = atomic_xchg(&unpins, 0);

	if (!kpt_arch_text_left())
		return;
	while (nr--)
		module_put(THIS_MODULE);
}

static void ret_replaced(void)
{
	if (atomic_inc_return(&pending) == 1)
		__module_get(THIS_MODULE);
}

static void ret_restored(void)
{
	if (!atomic_dec_and_test(&pending))
		return;
	atomic_inc(&unpins);
	irq_work_queue(&unpin_kick);
}

/* Is the task that entered the function still there? */
static bool caller_alive(const struct kpt_frame *frame)
{
	struct task_struct *task;
	bool alive;

	/* Idle tasks have no number and do not die. */
	if (!frame->pid)
		return true;
	rcu_read_lock();
	task = pid_task(find_pid_ns(frame->pid, &init_pid_ns), PIDTYPE_PID);
	alive = task == frame->task && task->start_boottime == frame->born;
	rcu_read_unlock();
	return alive;
}

/* A frame on its way back to a stock from process context. */
static void give_back(struct kpt_frame *frame)
{
	llist_add(&frame->idle, &raw_cpu_ptr(&stock)->refill);
}

/* Enter and leave a part in which this CPU's hits are turned away. */
static unsigned long quiet_enter(void)
{
	unsigned long flags;

	local_irq_save(flags);
	kpt_arch_hits_off();
	return flags;
}

static void quiet_leave(unsigned long flags)
{
	kpt_arch_hits_on();
	local_irq_restore(flags);
}

static void bury_dead(void)
{
	struct hlist_bl_node *pos, *next;
	struct kpt_frame *frame;
	unsigned long flags;
	unsigned int i;

	for (i = 0; i < BIT(HASH_BITS); i++) {
		flags = quiet_enter();
		hlist_bl_lock(&calls[i]);
		hlist_bl_for_each_entry_safe(frame, pos, next, &calls[i], node) {
			if (caller_alive(frame))
				continue;
			__hlist_bl_del(&frame->node);
			if (frame->ret)
				ret_restored();
			give_back(frame);
		}
		hlist_bl_unlock(&calls[i]);
		quiet_leave(flags);
		cond_resched();
	}
}

static void refill_work(struct work_struct *work)
{
	int cpu;

	mutex_lock(&kpt_mutex);
	bury_dead();
	for_each_possible_cpu(cpu)
		if (READ_ONCE(per_cpu(stock, cpu).wanted))
			make_frames(cpu);
	mutex_unlock(&kpt_mutex);
}

static DECLARE_WORK(refill, refill_work);

static void schedule_refill(struct irq_work *work)
{
	queue_work(system_highpri_wq, &refill);
}

static DEFINE_IRQ_WORK(refill_kick, schedule_refill);

static void note_low(struct stock *s)
{
	/* pairs: make_frames() */
	if (s->nr > STOCK_LOW || smp_load_acquire(&s->wanted))
		return;
	WRITE_ONCE(s->wanted, true);
	irq_work_queue(&refill_kick);
}

static void put_free(struct stock *s, struct llist_node *node)
{
	node->next = s->free;
	s->free = node;
	s->nr++;
}

/* Take over what was made for this CPU. */
static void take_refill(struct stock *s)
{
	struct llist_node *node, *next;

	if (llist_empty(&s->refill))
		return;
	for (node = llist_del_all(&s->refill); node; node = next) {
		next = node->next;
		put_free(s, node);
	}
}

static struct kpt_frame *frame_alloc(void)
{
	struct stock *s = this_cpu_ptr(&stock);
	struct llist_node *node;

	if (s->nr <= STOCK_LOW)
		take_refill(s);
	node = s->free;
	if (node) {
		s->free = node->next;
		s->nr--;
	}
	note_low(s);
	return node ? llist_entry(node, struct kpt_frame, idle) : NULL;
}

void kpt_frame_free(struct kpt_frame *frame)
{
	put_free(this_cpu_ptr(&stock), &frame->idle);
}

/* The newest frame of the current task that the return at @sp belongs to. */
static struct kpt_frame *find(struct hlist_bl_head *bucket,
			      const struct kpt_probe *probe, unsigned long sp)
{
	struct hlist_bl_node *pos;
	struct kpt_frame *frame;

	hlist_bl_for_each_entry(frame, pos, bucket, node)
		if (frame->task == current && frame->sp == sp &&
		    (probe ? frame->probe == probe && !frame->ret :
			     frame->ret != 0))
			return frame;
	return NULL;
}

struct kpt_frame *kpt_frame_pop(const struct kpt_probe *probe,
				unsigned long sp)
{
	struct hlist_bl_head *bucket = bucket_of(current);
	struct kpt_frame *frame;

	hlist_bl_lock(bucket);
	frame = find(bucket, probe, sp);
	if (frame)
		__hlist_bl_del(&frame->node);
	hlist_bl_unlock(bucket);
	if (frame && frame->ret)
		ret_restored();
	return frame;
}

struct kpt_frame *kpt_frame_push(struct kpt_probe *probe,
				 const struct pt_regs *regs)
{
	const struct kpt_fetch_prog *prog = probe->prog;
	struct hlist_bl_head *bucket = bucket_of(current);
	struct kpt_frame *frame, *stale = NULL;
	unsigned int i;

	frame = frame_alloc();
	if (!frame)
		return NULL;
	frame->task = current;
	frame->born = current->start_boottime;
	frame->pid = current->pid;
	frame->sp = regs->sp;
	frame->probe = probe;
	frame->ret = probe->hooks_return ? regs->regs[30] : 0;
	for (i = 0; i < prog->nr_entry; i++)
		frame->value[i] = kpt_fetch_arg_value(&regs->user_regs,
						      prog->entry_arg[i]);
	frame->start = kpt_clock_stamp(KPT_CLOCK_LOCAL);

	hlist_bl_lock(bucket);
	if (!frame->ret)
		stale = find(bucket, probe, frame->sp);
	if (stale)
		__hlist_bl_del(&stale->node);
	hlist_bl_add_head(&frame->node, bucket);
	hlist_bl_unlock(bucket);
	if (frame->ret)
		ret_replaced();
	if (stale)
		kpt_frame_free(stale);
	return frame;
}

void kpt_frames_forget(struct kpt_probe *probe)
{
	struct hlist_bl_node *pos, *next;
	struct kpt_frame *frame;
	unsigned long flags;
	unsigned int i;

	for (i = 0; i < BIT(HASH_BITS); i++) {
		flags = quiet_enter();
		hlist_bl_lock(&calls[i]);
		hlist_bl_for_each_entry_safe(frame, pos, next, &calls[i], node) {
			if (frame->probe != probe)
				continue;
			/* Its return address must still be found. */
			frame->probe = NULL;
			if (frame->ret)
				continue;
			__hlist_bl_del(&frame->node);
			give_back(frame);
		}
		hlist_bl_unlock(&calls[i]);
		quiet_leave(flags);
	}
	/* A return that has taken its frame already may be using the probe. */
	synchronize_rcu();
}

int kpt_frames_get(void)
{
	struct hlist_bl_head *hash;
	int cpu, err;

	if (calls)
		return 0;
	hash = vzalloc(BIT(HASH_BITS) * sizeof(*hash));
	if (!hash)
		return -ENOMEM;
	for_each_possible_cpu(cpu) {
		init_llist_head(&per_cpu(stock, cpu).refill);
		err = make_frames(cpu);
		if (err) {
			vfree(hash);
			return err;
		}
	}
	calls = hash;
	return 0;
}

void kpt_frames_exit(void)
{
	struct chunk *chunk, *next;

	irq_work_sync(&refill_kick);
	cancel_work_sync(&refill);
	irq_work_sync(&unpin_kick);
	cancel_work_sync(&unpin);
	list_for_each_entry_safe(chunk, next, &chunks, list)
		vfree(chunk);
	vfree(calls);
}
