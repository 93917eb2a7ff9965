// SPDX-License-Identifier: GPL-2.0-only
/* Net times of threads, softirqs, interrupts and NMIs of one CPU. */
#include "lib/base/port.h"
#include "parts/noise/net_time.h"

/* How many have begun above a level, and their net time. */
static u32 noise_sum(const struct kpt_noise *noise, unsigned int level, u64 *total)
{
	u32 count = 0;

	for (*total = 0; level < KPT_NOISE_LEVELS; level++) {
		count += READ_ONCE(noise->level[level].count);
		*total += READ_ONCE(noise->level[level].total);
	}
	return count;
}

/* The time, and the sums from @level on up to exactly that time. */
static u64 noise_time(const struct kpt_noise *noise, unsigned int level,
		      kpt_noise_clock_t now, u64 *total, u32 *count)
{
	u64 time, unused;

	do {
		*count = noise_sum(noise, level, total);
		barrier();
		time = now();
		barrier();
	} while (noise_sum(noise, level, &unused) != *count);
	return time;
}

/**
 * kpt_noise_begin() - something begins to take the time of a CPU
 * @noise: the CPU's
 * @level: what it is
 * @now: the clock
 *
 * If one of @level runs, the new one is part of it.
 *
 * Context: that of @level, on the CPU.
 */
void kpt_noise_begin(struct kpt_noise *noise, enum kpt_noise_level level,
		     kpt_noise_clock_t now)
{
	struct kpt_noise_source *source = &noise->level[level];
	u32 unused;

	if (source->depth++)
		return;
	/* First: the levels below notice that time has passed. */
	WRITE_ONCE(source->count, source->count + 1);
	source->start = noise_time(noise, level + 1, now, &source->above, &unused);
}

/**
 * kpt_noise_end() - what kpt_noise_begin() has begun ends
 * @noise: the CPU's
 * @level: what it is
 * @now: the clock
 * @span: result: when it began, and its net time
 *
 * Context: that of @level, on the CPU.
 * Return: true; false if it was part of another one, or if its begin was not seen, and
 * then @span is not written.
 */
bool kpt_noise_end(struct kpt_noise *noise, enum kpt_noise_level level,
		   kpt_noise_clock_t now, struct kpt_noise_span *span)
{
	struct kpt_noise_source *source = &noise->level[level];
	u64 end, above;
	u32 unused;

	if (!source->depth || --source->depth)
		return false;
	end = noise_time(noise, level + 1, now, &above, &unused);
	span->start = source->start;
	span->net = end - source->start - (above - source->above);
	WRITE_ONCE(source->total, source->total + span->net);
	return true;
}

/**
 * kpt_noise_restart_below_irq() - count what an interrupt interrupts from its begin on
 * @noise: the CPU's
 *
 * What ran before the interrupt is no part of the thread and of the softirq any more.
 *
 * Context: in an interrupt that has begun.
 */
void kpt_noise_restart_below_irq(struct kpt_noise *noise)
{
	const struct kpt_noise_source *irq = &noise->level[KPT_NOISE_IRQ];
	struct kpt_noise_source *softirq = &noise->level[KPT_NOISE_SOFTIRQ];
	struct kpt_noise_source *thread = &noise->level[KPT_NOISE_THREAD];

	if (!irq->depth)
		return;
	softirq->start = irq->start;
	softirq->above = irq->total + irq->above;
	thread->start = irq->start;
	thread->above = softirq->total + softirq->above;
}

/**
 * kpt_noise_now() - read the clock in a thread that others interfere with
 * @noise: the CPU's
 * @now: the clock
 * @count: result: how many interferences have begun up to exactly that time
 *
 * Context: a thread, on the CPU.
 * Return: the time.
 */
u64 kpt_noise_now(const struct kpt_noise *noise, kpt_noise_clock_t now, u32 *count)
{
	u64 unused;

	return noise_time(noise, KPT_NOISE_THREAD, now, &unused, count);
}
