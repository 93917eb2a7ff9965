// SPDX-License-Identifier: GPL-2.0-only
/* onmax() and onchange() of hist triggers: which hits let their actions run, save(). */
#include "lib/base/port.h"
#include "parts/hist/hist_hit.h"

/*
 * A tracked value as entries keep it, and back. Those of onmax() compare as unsigned
 * numbers, and the 0 of an entry that has none yet is less than any signed value but the
 * least. An unsigned 0 does not replace it: it is no event in mainline either.
 */
static u64 track_rank(const struct kpt_hist_action *a, u64 v)
{
	return a->handler == KPT_HIST_ONMAX && a->tracked.is_signed ? v ^ 1ULL << 63 : v;
}

/* Does a value replace another one? Both are from track_rank(). */
static bool track_beats(const struct kpt_hist_action *a, u64 v, u64 old)
{
	return a->handler == KPT_HIST_ONCHANGE ? v != old : v > old;
}

/**
 * kpt_hist_tracked() - read the value of onmax() or onchange()
 * @map: the map of the trigger
 * @e: the entry
 * @a: the action
 *
 * Context: any.
 * Return: the value, 0 if there is none yet.
 */
u64 kpt_hist_tracked(const struct kpt_hist_map *map, struct kpt_hist_entry *e,
		     const struct kpt_hist_action *a)
{
	u64 v = READ_ONCE(*kpt_hist_word(map, e, a->word));

	return v ? track_rank(a, v) : 0;
}

static void track_save(const struct kpt_hist *hist, struct kpt_hist_map *map,
		       const struct kpt_hist_action *a, const struct kpt_hist_hit *hit)
{
	const struct kpt_hist_param *p = &hist->param[a->first], *end = p + a->nr;

	for (; p < end; p++) {
		if (kpt_hist_is_number(&p->value))
			WRITE_ONCE(*kpt_hist_word(map, hit->entry, p->place),
				   kpt_hist_value(&p->value, hit));
		else
			kpt_hist_keep_blob(map, &p->value, hit,
					   kpt_hist_blob(map, hit->entry, p->place));
	}
}

/*
 * Track a value and save what belongs to it as one step. The lock is held for the time
 * of a few copies, with interrupts masked.
 */
static bool track_saving(const struct kpt_hist *hist, struct kpt_hist_map *map,
			 const struct kpt_hist_action *a,
			 const struct kpt_hist_hit *hit, u64 v)
{
	u64 *word = kpt_hist_word(map, hit->entry, a->word), *lock = word + 1;
	bool fires;

	while (cmpxchg(lock, 0, 1))
		;
	fires = track_beats(a, v, *word);
	if (fires) {
		WRITE_ONCE(*word, v);
		track_save(hist, map, a, hit);
	}
	smp_store_release(lock, 0);
	return fires;
}

/**
 * kpt_hist_fires() - does a handler let its action run? Performs save()
 * @hist: the trigger
 * @map: its map
 * @action: the action
 * @hit: the hit, as kpt_hist_add_related() has left it
 * @value: result: the value of onmax() or onchange()
 *
 * Context: BRK.
 * Return: true if the action runs.
 */
bool kpt_hist_fires(const struct kpt_hist *hist, struct kpt_hist_map *map,
		    const struct kpt_hist_action *action,
		    const struct kpt_hist_hit *hit, u64 *value)
{
	u64 *word, old, v;

	if (action->handler == KPT_HIST_ONMATCH)
		return true;
	word = kpt_hist_word(map, hit->entry, action->word);
	*value = kpt_hist_value(&action->tracked, hit);
	v = track_rank(action, *value);
	old = READ_ONCE(*word);
	if (!track_beats(action, v, old))
		return false;
	if (action->deed == KPT_HIST_SAVE)
		return track_saving(hist, map, action, hit, v);
	while (track_beats(action, v, old)) {
		u64 was = cmpxchg(word, old, v);

		if (was == old)
			return true;
		old = was;
	}
	return false;
}

/**
 * kpt_hist_snap() - note that an action has a snapshot taken, unless the last one stays
 * @snap: the last snapshot of the action, for whatever key
 * @a: the action, for which kpt_hist_fires() has returned true
 * @e: the entry of the hit
 * @v: the value of onmax() or onchange()
 *
 * An odd @snap->seq keeps others out for a few instructions with interrupts masked, so a
 * contender never spins longer than that.
 *
 * Context: BRK.
 * Return: true if a snapshot is due.
 */
bool kpt_hist_snap(struct kpt_hist_snap *snap, const struct kpt_hist_action *a,
		   struct kpt_hist_entry *e, u64 v)
{
	u64 seq;
	bool due;

	do {
		seq = READ_ONCE(snap->seq) & ~1ULL;
	} while (cmpxchg(&snap->seq, seq, seq + 1) != seq);
	due = !snap->entry ||
	      track_beats(a, track_rank(a, v), track_rank(a, snap->value));
	if (due) {
		WRITE_ONCE(snap->value, v);
		WRITE_ONCE(snap->entry, e);
	}
	smp_store_release(&snap->seq, seq + 2);
	return due;
}

/**
 * kpt_hist_snap_read() - read the last snapshot of an action
 * @copy: result; its entry is NULL if there was none
 * @snap: what hits may write meanwhile
 *
 * Context: process context.
 */
void kpt_hist_snap_read(struct kpt_hist_snap *copy, struct kpt_hist_snap *snap)
{
	do {
		copy->seq = smp_load_acquire(&snap->seq);
		copy->value = READ_ONCE(snap->value);
		copy->entry = READ_ONCE(snap->entry);
		smp_rmb(); /* both, then the number again: pairs with cmpxchg() of a writer */
	} while (copy->seq & 1 || READ_ONCE(snap->seq) != copy->seq);
}
