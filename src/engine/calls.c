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
 * Each CPU has a stock of free frames. When it runs low more are made, so that
 * neither deep recursion nor thousands of sleeping callers use it up: in an
 * interrupt, right behind the hit (with PREEMPT_RT in a thread: interrupts can
 * not allocate there). A worker would be too late when thousands of tasks are
 * woken to call the function; it only helps where memory is short. An entry that
 * finds no frame is counted as missed.
 *
 * Tasks may die inside the function, or leave it without returning: such frames are
 * dropped once it is seen that the task has no stack, or is above them on its stack.
 */
#include "kernel/compat.h"
#include <linux/hash.h>
#include <linux/irq_work.h>
#include <linux/llist.h>
#include <linux/rcupdate.h>
#include <linux/sched/task.h>
#include <linux/sched/task_stack.h>
#include <linux/sizes.h>
#include <linux/slab.h>
#include <linux/vmalloc.h>
#include <linux/workqueue.h>
#include "engine/calls.h"
#include "engine/pin.h"
#include "kernel/clock.h"

#define HASH_BITS	12
/* Frames a CPU has at first; half of it is where more are made. */
#define STOCK		512
#define STOCK_LOW	(STOCK / 2)
/* What a CPU has beyond this is for those that have too few. */
#define STOCK_HIGH	(4 * STOCK)
/* Bytes of a frame pointer and a return address on a stack. */
#define FRAME_RECORD	16
/* Bytes to be allocated at once. */
#define CHUNK_SIZE	SZ_32K

/**
 * struct stock - free frames of a CPU
 * @free: the first of them; used by this CPU alone, in BRK context
 * @nr: how many
 * @refill: frames found for this CPU, taken over when @free runs low
 * @wanted: more were asked for, and have not come
 * @kick: brings them
 * @work: buries the dead, and brings them if @kick found no memory
 */
struct stock {
	struct llist_node *free;
	unsigned int nr;
	struct llist_head refill;
	bool wanted;
	struct irq_work kick;
	struct work_struct work;
};

static DEFINE_PER_CPU(struct stock, stock);
static struct hlist_bl_head *calls;
/* Frames that are nobody's. */
static LLIST_HEAD(spare);

/**
 * struct chunk - frames that were allocated together
 * @node: in chunks
 * @frame: the frames
 */
struct chunk {
	struct llist_node node;
	struct kpt_call frame[];
};

/* All frames there are, so that they can be freed. */
static LLIST_HEAD(chunks);

static struct hlist_bl_head *bucket_of(const struct task_struct *task)
{
	return &calls[hash_ptr((void *)task, HASH_BITS)];
}

/* A chunk of frames. Returns how many there are in it, 0 without memory. */
static unsigned int make_chunk(struct stock *s, gfp_t gfp)
{
	unsigned int nr = (CHUNK_SIZE - sizeof(struct chunk)) /
			  sizeof(struct kpt_call);
	struct chunk *chunk;
	unsigned int i;

	chunk = kmalloc(CHUNK_SIZE, gfp | __GFP_NOWARN);
	if (!chunk)
		return 0;
	llist_add(&chunk->node, &chunks);
	for (i = 0; i < nr; i++)
		llist_add(&chunk->frame[i].idle, &s->refill);
	return nr;
}

/* Hand out spare frames, @most of them. Returns how many there were. */
static unsigned int give_spare(struct stock *s, unsigned int most)
{
	struct llist_node *node, *next;
	unsigned int nr = 0;

	for (node = llist_del_all(&spare); node; node = next) {
		next = node->next;
		if (nr < most)
			llist_add(node, &s->refill);
		else
			llist_add(node, &spare);
		nr++;
	}
	return min(nr, most);
}

/* Fill a stock up. Returns false if there is not enough memory for that. */
static bool fill_up(struct stock *s, gfp_t gfp)
{
	unsigned int nr = give_spare(s, STOCK), more;

	while (nr < STOCK) {
		more = make_chunk(s, gfp);
		if (!more)
			return false;
		nr += more;
	}
	return true;
}

/* pairs: note_low(): the frames, then who may ask again. */
static void deliver(struct stock *s, gfp_t gfp)
{
	if (READ_ONCE(s->wanted) && fill_up(s, gfp))
		smp_store_release(&s->wanted, false);
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

/* How far above the end of the stack of the task that made the call. */
static unsigned long height(const struct kpt_call *frame, unsigned long sp)
{
	return sp - (unsigned long)task_stack_page(frame->task);
}

/*
 * Has the task, that is at @sp now, left the function without returning to where
 * that was waited for? What is further down its stack is over, and so is what was
 * called on another stack, by an interrupt: it is back on its own.
 */
static bool is_passed(const struct kpt_call *frame, unsigned long sp)
{
	unsigned long now = height(frame, sp);

	return now < THREAD_SIZE && (height(frame, frame->sp) < now ||
				     height(frame, frame->sp) >= THREAD_SIZE);
}

/*
 * Is the call over? A task is gone for sure only without a stack: exec gives a
 * thread another number, and much is called by a task that is called dead already.
 * One that does not run is where it was when it stopped to.
 */
static bool is_over(struct kpt_call *frame, void *unused)
{
	if (!refcount_read(&frame->task->stack_refcount))
		return true;
	/* pairs: the scheduler's release, behind the switch to another task */
	return !smp_load_acquire(&frame->task->on_cpu) &&
	       is_passed(frame, kpt_arch_saved_sp(frame->task));
}

/* What the frame held; where nothing that must not wait is going on. */
static void release(struct kpt_call *frame)
{
	put_task_struct(frame->task);
	llist_add(&frame->idle, &spare);
}

static void uncount(const struct kpt_call *frame)
{
	if (frame->probe && frame->probe->maxactive)
		atomic_dec(&frame->probe->active);
}

/* A call is in progress no more. Its bucket is locked. */
static void take_out(struct kpt_call *frame)
{
	__hlist_bl_del(&frame->node);
	uncount(frame);
	if (frame->ret)
		kpt_pin_put();
}

/*
 * Take out of a bucket the frames that @match, and chain them. The bucket is
 * locked. Inlined: a hit calls nothing through a pointer here.
 */
static __always_inline struct llist_node *
take(struct hlist_bl_head *bucket,
     bool (*match)(struct kpt_call *frame, void *data), void *data)
{
	struct hlist_bl_node *pos, *next;
	struct llist_node *taken = NULL;
	struct kpt_call *frame;

	hlist_bl_for_each_entry_safe(frame, pos, next, bucket, node) {
		if (!match(frame, data))
			continue;
		take_out(frame);
		frame->idle.next = taken;
		taken = &frame->idle;
	}
	return taken;
}

/* Drop the frames of a bucket that @match. */
static void clear_bucket(struct hlist_bl_head *bucket,
			 bool (*match)(struct kpt_call *frame, void *data),
			 void *data)
{
	struct kpt_call *frame;
	struct llist_node *gone;
	unsigned long flags;

	if (hlist_bl_empty(bucket))
		return;
	flags = quiet_enter();
	hlist_bl_lock(bucket);
	gone = take(bucket, match, data);
	hlist_bl_unlock(bucket);
	quiet_leave(flags);
	while (gone) {
		frame = llist_entry(gone, struct kpt_call, idle);
		gone = gone->next;
		release(frame);
	}
}

static void clear_all(bool (*match)(struct kpt_call *frame, void *data),
		      void *data)
{
	unsigned int i;

	for (i = 0; calls && i < BIT(HASH_BITS); i++) {
		clear_bucket(&calls[i], match, data);
		cond_resched();
	}
}

/**
 * kpt_calls_bury() - drop the frames of calls that are over without a return
 *
 * The task died in the function, or is seen to have left it.
 *
 * Context: process context, sleeps.
 */
void kpt_calls_bury(void)
{
	clear_all(is_over, NULL);
}

static void refill_work(struct work_struct *work)
{
	struct stock *s = container_of(work, struct stock, work);

	kpt_calls_bury();
	deliver(s, GFP_KERNEL);
	/* Also if there is no memory now: who needs more asks again. */
	smp_store_release(&s->wanted, false);
}

static void refill(struct irq_work *work)
{
	struct stock *s = container_of(work, struct stock, kick);

	deliver(s, GFP_ATOMIC);
	queue_work(system_highpri_wq, &s->work);
}

static void note_low(struct stock *s)
{
	/* pairs: deliver() */
	if (s->nr > STOCK_LOW || smp_load_acquire(&s->wanted))
		return;
	WRITE_ONCE(s->wanted, true);
	irq_work_queue(&s->kick);
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

static struct kpt_call *frame_alloc(void)
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
	return node ? llist_entry(node, struct kpt_call, idle) : NULL;
}

/**
 * kpt_call_free() - done with a frame
 * @frame: from kpt_call_pop()
 *
 * Context: BRK.
 */
void kpt_call_free(struct kpt_call *frame)
{
	struct stock *s = this_cpu_ptr(&stock);

	/* Never the last reference: the task is running. */
	put_task_struct(frame->task);
	/* Where tasks sleep here and wake up there, frames wander. */
	if (unlikely(s->nr >= STOCK_HIGH))
		llist_add(&frame->idle, &spare);
	else
		put_free(s, &frame->idle);
}

/* The newest frame of the current task that a return between @sp and @top belongs to. */
static struct kpt_call *find(struct hlist_bl_head *bucket,
			      const struct kpt_probe *probe, unsigned long sp,
			      unsigned long top)
{
	struct hlist_bl_node *pos;
	struct kpt_call *frame;

	hlist_bl_for_each_entry(frame, pos, bucket, node)
		if (frame->task == current && frame->sp >= sp &&
		    frame->sp <= top &&
		    (probe ? frame->probe == probe && !frame->ret :
			     frame->ret != 0))
			return frame;
	return NULL;
}

static struct kpt_call *pop(const struct kpt_probe *probe, unsigned long sp,
			     unsigned long top)
{
	struct hlist_bl_head *bucket = bucket_of(current);
	struct kpt_call *frame;

	hlist_bl_lock(bucket);
	frame = find(bucket, probe, sp, top);
	if (frame)
		take_out(frame);
	hlist_bl_unlock(bucket);
	return frame;
}

/**
 * kpt_call_pop() - take the frame of the call that returns now
 * @probe: the probe, or NULL for the newest frame whose return address was
 *	replaced
 * @sp: the stack pointer at the return
 *
 * Context: BRK.
 * Return: the frame, for kpt_call_free(), or NULL if the entry was not seen.
 */
struct kpt_call *kpt_call_pop(const struct kpt_probe *probe,
				unsigned long sp)
{
	return pop(probe, sp, sp);
}

/**
 * kpt_call_pop_behind() - the same, if a trampoline called the function's body
 * @probe: the probe
 * @fp: the trampoline's frame pointer
 *
 * BPF programs behind a function (fexit) have it called by a trampoline that its
 * entry calls. So it returns further down the stack than it was entered: there is
 * the trampoline's frame between, which begins with one or two frame records. A
 * call of the same function below that is too far away to be taken for it.
 *
 * Context: BRK.
 * Return: as kpt_call_pop().
 */
struct kpt_call *kpt_call_pop_behind(const struct kpt_probe *probe,
				       unsigned long fp)
{
	return pop(probe, fp + FRAME_RECORD, fp + 4 * FRAME_RECORD);
}

/* Dead tasks may be what the limit is used up by: look, but not all the time. */
static bool within_limit(struct kpt_probe *probe)
{
	static unsigned long next;

	if (atomic_inc_return(&probe->active) <= probe->maxactive)
		return true;
	atomic_dec(&probe->active);
	if (time_after_eq(jiffies, READ_ONCE(next))) {
		WRITE_ONCE(next, jiffies + HZ);
		irq_work_queue(this_cpu_ptr(&stock.kick));
	}
	return false;
}

/* A frame for the probe, or NULL if there is none or it must not have one. */
static struct kpt_call *frame_for(struct kpt_probe *probe)
{
	struct kpt_call *frame;

	if (probe->maxactive && !within_limit(probe))
		return NULL;
	frame = frame_alloc();
	if (frame && probe->hooks_return && !kpt_pin_get()) {
		put_free(this_cpu_ptr(&stock), &frame->idle);
		frame = NULL;
	}
	if (!frame && probe->maxactive)
		atomic_dec(&probe->active);
	return frame;
}

/*
 * Is @frame left over now that there is @data, a later call of the task? It is if
 * the task has passed it, or is where it made that very call. Return addresses that
 * were replaced may share a place.
 */
static bool is_stale(struct kpt_call *frame, void *data)
{
	const struct kpt_call *call = data;

	if (frame->task != call->task)
		return false;
	return is_passed(frame, call->sp) ||
	       (!frame->ret && frame->probe == call->probe &&
		frame->sp == call->sp);
}

static void free_stale(struct llist_node *stale)
{
	struct kpt_call *frame;

	while (stale) {
		frame = llist_entry(stale, struct kpt_call, idle);
		stale = stale->next;
		kpt_call_free(frame);
	}
}

/**
 * kpt_call_push() - remember the call that is being entered
 * @probe: for this probe; what its program wants of the entry is kept
 * @regs: registers at the entry
 *
 * Frames of calls of the same task that never returned are dropped: those that it
 * is above of on its stack, and one of the same probe and stack pointer unless the
 * return address is replaced.
 *
 * Context: BRK.
 * Return: the frame, or NULL: the stock is used up, as many calls as the probe
 * may have are in progress, or the module is being unloaded.
 */
struct kpt_call *kpt_call_push(struct kpt_probe *probe,
				 const struct pt_regs *regs)
{
	const struct kpt_fetch_prog *prog = probe->prog;
	struct hlist_bl_head *bucket = bucket_of(current);
	struct llist_node *stale;
	struct kpt_call *frame;
	unsigned int i;

	frame = frame_for(probe);
	if (!frame)
		return NULL;
	frame->task = get_task_struct(current);
	frame->sp = regs->sp;
	frame->probe = probe;
	frame->ret = probe->hooks_return ? regs->regs[30] : 0;
	for (i = 0; i < prog->nr_entry; i++)
		frame->value[i] = kpt_fetch_arg_value(&regs->user_regs,
						      prog->entry_arg[i]);
	frame->start = kpt_clock_stamp(KPT_CLOCK_LOCAL);

	hlist_bl_lock(bucket);
	stale = take(bucket, is_stale, frame);
	hlist_bl_add_head(&frame->node, bucket);
	hlist_bl_unlock(bucket);
	free_stale(stale);
	return frame;
}

/**
 * kpt_call_caller() - what a replaced return address of this task stands for
 * @nth: which of them on its stack, 0 for the innermost
 *
 * Context: BRK.
 * Return: the address, or 0 if there are not as many.
 */
unsigned long kpt_call_caller(unsigned int nth)
{
	struct hlist_bl_head *bucket = bucket_of(current);
	struct hlist_bl_node *pos;
	struct kpt_call *frame;
	unsigned long ret = 0;

	if (!calls)
		return 0;
	hlist_bl_lock(bucket);
	hlist_bl_for_each_entry(frame, pos, bucket, node) {
		/* One that replaced ours: the next one has the answer. */
		if (frame->task != current || !frame->ret ||
		    kpt_arch_is_replaced(frame->ret) || nth--)
			continue;
		ret = frame->ret;
		break;
	}
	hlist_bl_unlock(bucket);
	return ret;
}

/* Will its return not be seen? That of a replaced address always is. */
static bool is_idle(struct kpt_call *frame, void *unused)
{
	return !frame->ret && !kpt_event_in_use(frame->probe->event);
}

/**
 * kpt_calls_drop_idle() - events were disabled
 *
 * Returns of calls in progress will not be seen; so when the events are enabled
 * again, the next call at the same place must not find their frames.
 *
 * Context: process context, sleeps, kpt_mutex held, no hit runs on the lists that
 * were.
 */
void kpt_calls_drop_idle(void)
{
	clear_all(is_idle, NULL);
}

/* Replaced return addresses must still be found: such a frame stays, as nobody's. */
static bool match_probe(struct kpt_call *frame, void *probe)
{
	if (frame->probe != probe)
		return false;
	if (!frame->ret)
		return true;
	uncount(frame);
	frame->probe = NULL;
	return false;
}

/**
 * kpt_calls_forget() - a probe is going away
 * @probe: its sites are disarmed
 *
 * When it returns nobody uses @probe through a frame any more.
 *
 * Context: process context, sleeps, kpt_mutex held.
 */
void kpt_calls_forget(struct kpt_probe *probe)
{
	clear_all(match_probe, probe);
	/* A return that has taken its frame already may be using the probe. */
	kpt_arch_quiesce();
	kpt_pin_settle();
}

static int make_stocks(void)
{
	struct stock *s;
	bool made = true;
	int cpu;

	for_each_possible_cpu(cpu) {
		s = per_cpu_ptr(&stock, cpu);
		init_irq_work(&s->kick, refill);
		INIT_WORK(&s->work, refill_work);
		made = made && fill_up(s, GFP_KERNEL);
	}
	return made ? 0 : -ENOMEM;
}

/**
 * kpt_calls_get() - a probe that needs frames was made
 *
 * The first call allocates the hash and a stock of frames for each CPU.
 *
 * Context: process context, sleeps, kpt_mutex held.
 * Return: 0 or -ENOMEM.
 */
int kpt_calls_get(void)
{
	struct hlist_bl_head *hash;
	int err;

	if (calls)
		return 0;
	hash = vzalloc(BIT(HASH_BITS) * sizeof(*hash));
	if (!hash)
		return -ENOMEM;
	err = make_stocks();
	if (err) {
		vfree(hash);
		return err;
	}
	calls = hash;
	return 0;
}

static void stop_workers(void)
{
	struct stock *s;
	int cpu;

	for_each_possible_cpu(cpu) {
		s = per_cpu_ptr(&stock, cpu);
		irq_work_sync(&s->kick);
		cancel_work_sync(&s->work);
	}
}

/**
 * kpt_calls_exit() - free all frames
 *
 * Context: module unload; no probe is left, and no return address is replaced:
 * while one is, the module can not be unloaded.
 */
void kpt_calls_exit(void)
{
	struct chunk *chunk, *next;

	kpt_pin_exit();
	if (calls)
		stop_workers();
	llist_for_each_entry_safe(chunk, next, llist_del_all(&chunks), node)
		kfree(chunk);
	vfree(calls);
}
