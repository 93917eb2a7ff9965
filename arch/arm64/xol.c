// SPDX-License-Identifier: GPL-2.0-only
/*
 * Out-of-line slots, in which displaced instructions are executed.
 *
 * A boosted slot holds the displaced instruction and a branch to the instruction
 * that follows it in the text. A stepped slot, used where that branch does not
 * reach, holds the instruction, a second BRK, and the probed address as data.
 * Neither keeps state on the CPU or changes an exception mask: a task may be
 * interrupted or preempted in a slot, and a slot may be entered again, to any
 * depth. Stubs are slots too, in pages of their own, see jump.c.
 *
 * A page of slots begins with a mark, so that a PC in a slot is recognized
 * without a search.
 *
 * A task may still be preempted inside a slot that was put. The slot is reused
 * only when no task can be inside, see drain.c.
 */
#include "kernel/compat.h"
#include <linux/bitmap.h>
#include <linux/delay.h>
#include <linux/list.h>
#include <linux/mm.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include <linux/workqueue.h>
#include <linux/xarray.h>
#include "kernel/lock.h"
#include "engine.h"

/* Slots consist of units; the first unit of a page is the mark. */
#define UNIT		8
#define UNITS		(PAGE_SIZE / UNIT)
#define BOOSTED_UNITS	1
#define STEPPED_UNITS	2
#define JUMP_UNITS	(KPT_JUMP_LINE / UNIT)

/* Two undefined instructions: no code branches to them, no other code has them. */
static const u32 page_mark[] = { 0x00006b70, 0x00007472 };
static const u32 jump_mark[] = { 0x00006b70, 0x00006a70 };

/**
 * struct xol_page - a page of slots
 * @list: in xol_pages
 * @text: the page
 * @jump: its slots are stubs
 * @kept: number of slots that may be entered at any time, without a point
 * @head: units at its start that belong to no slot
 * @nr_used: units in use, including @given_back and @waiting
 * @used: units in use
 * @given_back: units of slots that were put; freed when no task is inside
 * @waiting: units that were in @given_back when the running wait began
 */
struct xol_page {
	struct list_head list;
	u32 *text;
	bool jump;
	unsigned int kept;
	unsigned int head;
	unsigned int nr_used;
	DECLARE_BITMAP(used, UNITS);
	DECLARE_BITMAP(given_back, UNITS);
	DECLARE_BITMAP(waiting, UNITS);
};

/*
 * All under kpt_mutex. Full pages are at the end of xol_pages, so that looking for
 * room ends at the first one. xol_page_at has the same pages by page_number(). All
 * pages, including those that were freed, lie between xol_low and xol_high.
 */
static LIST_HEAD(xol_pages);
static DEFINE_XARRAY(xol_page_at);
static unsigned long xol_low = ULONG_MAX, xol_high;

/* The page that page_of() found last, or NULL. Under kpt_mutex, too. */
static struct xol_page *page_last;

/* For tests: without it, slots are stepped only for want of memory. */
static bool stepped;
module_param(stepped, bool, 0600);
MODULE_PARM_DESC(stepped, "give new points two-exception slots (for tests)");

static void reclaim_work(struct work_struct *work);
static DECLARE_DELAYED_WORK(reclaim, reclaim_work);

static unsigned int slot_units(enum kpt_mode mode)
{
	switch (mode) {
	case KPT_MODE_STUB:
	case KPT_MODE_JUMP:
		return JUMP_UNITS;
	case KPT_MODE_BOOSTED:
		return BOOSTED_UNITS;
	default:
		return STEPPED_UNITS;
	}
}

/* Can a slot anywhere in the page branch back to the address? */
static bool page_reaches(const struct xol_page *page, unsigned long addr)
{
	unsigned long first = (unsigned long)page->text;

	return kpt_branch_reaches(first, addr) &&
		kpt_branch_reaches(first + PAGE_SIZE, addr);
}

static int write_page(u32 *text, bool jump)
{
	int err = kpt_mem_write(text, jump ? jump_mark : page_mark,
				ARRAY_SIZE(page_mark));

	if (!err && jump)
		err = kpt_jump_write_page(text + ARRAY_SIZE(jump_mark));
	return err;
}

/* The key of a page of code in xol_page_at. */
static unsigned long page_number(const u32 *text)
{
	return (unsigned long)text >> PAGE_SHIFT;
}

static struct xol_page *page_new(u32 *text, bool jump)
{
	struct xol_page *page;

	if (!text)
		return NULL;
	page = kzalloc(sizeof(*page), GFP_KERNEL);
	if (!page || write_page(text, jump) ||
	    xa_err(xa_store(&xol_page_at, page_number(text), page, GFP_KERNEL))) {
		kpt_mem_free(text);
		kfree(page);
		return NULL;
	}
	page->text = text;
	page->jump = jump;
	page->head = jump ? KPT_JUMP_HEAD / UNIT : 1;
	bitmap_set(page->used, 0, page->head);
	page->nr_used = page->head;
	list_add(&page->list, &xol_pages);
	xol_low = min(xol_low, (unsigned long)text);
	xol_high = max(xol_high, (unsigned long)text + PAGE_SIZE);
	return page;
}

static void page_free(struct xol_page *page)
{
	list_del(&page->list);
	if (page == page_last)
		page_last = NULL;
	xa_erase(&xol_page_at, page_number(page->text));
	kpt_mem_free(page->text);
	kfree(page);
}

/* Take a slot in a page. Returns its first unit, or UNITS if the page is full. */
static unsigned int page_take(struct xol_page *page, unsigned int units)
{
	unsigned int at;

	if (page->nr_used + units > UNITS)
		return UNITS;
	at = bitmap_find_next_zero_area(page->used, UNITS, 0, units,
					page->jump ? JUMP_UNITS - 1 : 0);
	if (at >= UNITS)
		return UNITS;
	bitmap_set(page->used, at, units);
	page->nr_used += units;
	if (page->nr_used == UNITS)
		list_move_tail(&page->list, &xol_pages);
	return at;
}

static void page_release(struct xol_page *page, unsigned int at,
			 unsigned int units)
{
	bitmap_clear(page->used, at, units);
	page->nr_used -= units;
	list_move(&page->list, &xol_pages);
}

/* Take a slot in an existing page; only a stepped one may be out of reach. */
static struct xol_page *take_slot(const struct kpt_arch_point *ap,
				  unsigned int *at)
{
	struct xol_page *page;

	list_for_each_entry(page, &xol_pages, list) {
		if (page->nr_used == UNITS)
			break;
		if (page->jump != kpt_arch_has_stub(ap))
			continue;
		if (ap->mode != KPT_MODE_STEPPED &&
		    !page_reaches(page, ap->addr))
			continue;
		*at = page_take(page, slot_units(ap->mode));
		if (*at < UNITS)
			return page;
	}
	return NULL;
}

/* Take a slot, in a new page if no existing page has room within reach. */
static struct xol_page *get_slot(const struct kpt_arch_point *ap,
				 unsigned int *at)
{
	struct xol_page *page;
	void *text;

	page = take_slot(ap, at);
	if (page)
		return page;
	text = ap->mode == KPT_MODE_STEPPED ? kpt_mem_alloc_far(PAGE_SIZE) :
					      kpt_mem_alloc_near(ap->addr);
	page = page_new(text, kpt_arch_has_stub(ap));
	if (page)
		*at = page_take(page, slot_units(ap->mode));
	return page;
}

static int write_slot(const struct kpt_arch_point *ap, struct xol_page *page)
{
	u32 *slot = (u32 *)ap->slot;
	u32 words[STEPPED_UNITS * UNIT / sizeof(u32)] = {
		ap->insn.word,
		KPT_BRK,
		lower_32_bits(ap->addr),
		upper_32_bits(ap->addr),
	};

	if (kpt_arch_has_stub(ap))
		return kpt_jump_write_stub(ap, page->text +
					       ARRAY_SIZE(jump_mark));
	if (ap->mode == KPT_MODE_STEPPED)
		return kpt_mem_write(slot, words, ARRAY_SIZE(words));
	words[1] = kpt_branch_word(ap->slot + 4, ap->addr + 4);
	return kpt_mem_write(slot, words, 2);
}

static int get_in_mode(struct kpt_arch_point *ap)
{
	struct xol_page *page;
	unsigned int at;
	int err;

	page = get_slot(ap, &at);
	if (!page)
		return -ENOMEM;
	ap->slot = (unsigned long)page->text + at * UNIT;
	err = write_slot(ap, page);
	if (err) {
		page_release(page, at, slot_units(ap->mode));
		ap->slot = 0;
	}
	return err;
}

/**
 * kpt_xol_get() - allocate and write the out-of-line slot of a point
 * @ap: @ap->addr and @ap->insn are given, and @ap->mode is the best mode wanted.
 *	On return @ap->mode is the best one possible, and @ap->slot and @ap->stub are
 *	set. If KPT_MODE_JUMP was wanted but is not possible, @ap->no_jump says why
 *
 * Context: process context, sleeps, kpt_mutex held.
 * Return: 0, -ENOMEM, or -EIO if the slot cannot be written.
 */
int kpt_xol_get(struct kpt_arch_point *ap)
{
	int err = -ENOMEM;

	lockdep_assert_held(&kpt_mutex);
	ap->recorder = &kpt_recorder_none;
	ap->stub = 0;
	if (kpt_arch_has_stub(ap) && !stepped) {
		err = get_in_mode(ap);
		if (!err) {
			if (ap->mode == KPT_MODE_STUB)
				ap->stub = kpt_jump_entry(ap);
			return 0;
		}
	}
	if (ap->mode == KPT_MODE_JUMP)
		ap->no_jump = stepped ? "slots are to be stepped" :
			      err == -ERANGE ? "a branch would not reach" :
			      "no memory within branch reach";
	if (kpt_arch_has_stub(ap))
		ap->mode = kpt_mode_with_brk(ap);
	if (ap->mode == KPT_MODE_SIMULATED)
		return 0;
	if (ap->mode == KPT_MODE_BOOSTED && !stepped && !ap->after) {
		err = get_in_mode(ap);
		if (!err)
			return 0;
	}
	ap->mode = KPT_MODE_STEPPED;
	return get_in_mode(ap);
}

static struct xol_page *page_of(unsigned long slot)
{
	/* Fast path of keep_seen(): most words of a stack are outside. */
	if (slot < xol_low || slot >= xol_high)
		return NULL;
	/* Slots that are put in a row mostly share a page. */
	if (!page_last || (unsigned long)page_last->text != (slot & PAGE_MASK))
		page_last = xa_load(&xol_page_at, slot >> PAGE_SHIFT);
	return page_last;
}

/**
 * kpt_xol_put() - put the slot of a point
 * @ap: disarmed; no CPU enters the slot any more
 *
 * The memory is reused when no task can be inside, see reclaim_slots().
 *
 * Context: process context, sleeps, kpt_mutex held.
 */
void kpt_xol_put(struct kpt_arch_point *ap)
{
	struct xol_page *page = page_of(ap->slot);

	lockdep_assert_held(&kpt_mutex);
	if (WARN_ON_ONCE(!page))
		return;
	bitmap_set(page->given_back, offset_in_page(ap->slot) / UNIT,
		   slot_units(ap->mode));
	ap->slot = 0;
	schedule_delayed_work(&reclaim, HZ);
}

/**
 * kpt_xol_keep() - never free the page of a slot
 * @ap: the slot's point
 * @keep: false: undo an earlier call with true
 *
 * Context: process context, kpt_mutex held.
 */
void kpt_xol_keep(const struct kpt_arch_point *ap, bool keep)
{
	struct xol_page *page = page_of(ap->slot);

	lockdep_assert_held(&kpt_mutex);
	if (!WARN_ON_ONCE(!page))
		page->kept += keep ? 1 : -1;
}

static void begin_wait(void)
{
	struct xol_page *page;

	list_for_each_entry(page, &xol_pages, list) {
		bitmap_copy(page->waiting, page->given_back, UNITS);
		bitmap_zero(page->given_back, UNITS);
	}
}

/* Keep waiting for a slot if the word is a PC inside it. */
static void keep_seen(unsigned long word)
{
	struct xol_page *page = page_of(word);
	unsigned int at = offset_in_page(word) / UNIT, end;

	if (!page)
		return;
	if (page->jump) {
		at &= ~(JUMP_UNITS - 1);
		end = at + JUMP_UNITS;
	} else {
		/*
		 * A PC is in the first unit of a slot; the slot may be boosted
		 * or stepped.
		 */
		end = min_t(unsigned int, at + STEPPED_UNITS, UNITS);
	}
	for (; at < end; at++)
		if (test_and_clear_bit(at, page->waiting))
			set_bit(at, page->given_back);
}

/* The search did not find all tasks: keep waiting for every slot. */
static void keep_all(void)
{
	struct xol_page *page;

	list_for_each_entry(page, &xol_pages, list) {
		bitmap_or(page->given_back, page->given_back, page->waiting,
			  UNITS);
		bitmap_zero(page->waiting, UNITS);
	}
}

/* Free @waiting. Returns true if slots are left that must still be waited for. */
static bool end_wait(void)
{
	struct xol_page *page, *next;
	bool more = false;

	list_for_each_entry_safe(page, next, &xol_pages, list) {
		if (!bitmap_empty(page->waiting, UNITS))
			list_move(&page->list, &xol_pages);
		bitmap_andnot(page->used, page->used, page->waiting, UNITS);
		page->nr_used -= bitmap_weight(page->waiting, UNITS);
		bitmap_zero(page->waiting, UNITS);
		more |= !bitmap_empty(page->given_back, UNITS);
		if (page->nr_used == page->head)
			page_free(page);
	}
	return more;
}

static bool reclaim_slots(void)
{
	bool more, drained;

	mutex_lock(&kpt_mutex);
	begin_wait();
	mutex_unlock(&kpt_mutex);
	drained = kpt_drain_wait();
	mutex_lock(&kpt_mutex);
	if (!drained && !kpt_drain_search(keep_seen))
		keep_all();
	more = end_wait();
	mutex_unlock(&kpt_mutex);
	return more;
}

static void reclaim_work(struct work_struct *work)
{
	if (reclaim_slots())
		schedule_delayed_work(&reclaim, HZ);
}

/**
 * kpt_xol_exit() - wait until no task is in a slot, and free all slots
 *
 * Context: process context, sleeps; no point is left.
 * Return: true; false if slots are left that tasks may enter at any time.
 */
bool kpt_xol_exit(void)
{
	struct xol_page *page, *next;
	bool all;

	cancel_delayed_work_sync(&reclaim);
	while (reclaim_slots())
		msleep(20);
	all = list_empty(&xol_pages);
	/* Never free pages that text patched by other code may branch to again. */
	list_for_each_entry_safe(page, next, &xol_pages, list) {
		WARN_ON(!page->kept);
		list_del(&page->list);
		kfree(page);
	}
	xa_destroy(&xol_page_at);
	return all;
}

/**
 * kpt_xol_status() - show the number of slot pages and the bytes in use
 * @sb: a line is appended
 *
 * Context: process context, kpt_mutex held.
 */
void kpt_xol_status(struct kpt_strbuf *sb)
{
	struct xol_page *page;
	unsigned int pages = 0, units = 0;

	list_for_each_entry(page, &xol_pages, list) {
		pages++;
		units += page->nr_used - page->head;
	}
	kpt_strbuf_printf(sb, "slot pages: %u, %u bytes of slots in use\n",
			  pages, units * UNIT);
}

/**
 * kpt_xol_origin() - the probed code's address for a PC inside a slot
 * @pc: an address in readable memory
 * @addr: result: the probed address if the displaced instruction has yet to be
 *	performed, else the address of the next instruction
 *
 * Context: any, BRK included.
 * Return: true if @pc is inside a slot.
 */
bool kpt_xol_origin(unsigned long pc, unsigned long *addr)
{
	const u32 *page = (const u32 *)(pc & PAGE_MASK);
	const u32 *slot = (const u32 *)(pc & ~(UNIT - 1UL));

	if (page[0] == jump_mark[0] && page[1] == jump_mark[1] &&
	    (pc & ~PAGE_MASK) >= KPT_JUMP_HEAD) {
		*addr = kpt_jump_origin(pc);
		return true;
	}
	if (page[0] != page_mark[0] || page[1] != page_mark[1] || slot == page)
		return false;
	if (slot[1] == KPT_BRK)
		*addr = slot[2] | (u64)slot[3] << 32;
	else
		*addr = kpt_branch_target(slot[1], (unsigned long)&slot[1]) - 4;
	*addr += pc & (UNIT - 1);
	return true;
}
