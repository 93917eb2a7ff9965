// SPDX-License-Identifier: GPL-2.0-only
/* Lists of taps: made anew for each change, published by a batch. */
#include <linux/slab.h>
#include <kptrace/hit.h>

static enum kpt_taps_kind kind_of(const struct kpt_tap *tap)
{
	if (tap->probe->needs_frame || tap->prog->has_strings ||
	    (tap->role != KPT_ROLE_HIT && tap->role != KPT_ROLE_RETURN))
		return KPT_TAPS_ANY;
	return tap->prog->only_registers ? KPT_TAPS_REGISTERS :
					   KPT_TAPS_KNOWN_SIZE;
}

/* What follows from the list as a whole. */
static void conclude(struct kpt_taps *taps)
{
	struct kpt_tap *tap, *before;

	taps->kind = taps->nr == 1 ? kind_of(taps->tap) : KPT_TAPS_ANY;
	taps->needs_rcu = false;
	for (tap = taps->tap; tap < taps->tap + taps->nr; tap++) {
		tap->hits = tap->probe->counts;
		for (before = taps->tap; before < tap; before++)
			if (before->probe == tap->probe &&
			    before->role == tap->role)
				tap->hits = NULL;
		if (tap->prog->has_symbols)
			taps->needs_rcu = true;
	}
}

struct kpt_taps *kpt_taps_with(const struct kpt_taps *old,
			       struct kpt_probe *probe, struct kpt_file *file,
			       enum kpt_role role)
{
	const struct kpt_tap tap = {
		.probe = probe,
		.file = file,
		.prog = probe->prog,
		.buffer = &file->instance->buffer,
		.counts = file->counts,
		.addr = probe->addr,
		.length = kpt_ring_length(probe->prog->size +
					  probe->prog->room),
		.type = file->event->id,
		.role = role,
	};
	unsigned int i, at, nr = old ? old->nr : 0;
	struct kpt_taps *new;

	new = kmalloc(struct_size(new, tap, nr + 1), GFP_KERNEL);
	if (!new)
		return NULL;
	/* Who replaces the return address comes last: the others see the true one. */
	for (at = nr; at && role != KPT_ROLE_HOOK; at--)
		if (old->tap[at - 1].role != KPT_ROLE_HOOK)
			break;
	/* Taps of one probe stand together. */
	for (i = 0; i < nr; i++)
		if (old->tap[i].probe == probe)
			at = i + 1;
	new->nr = nr + 1;
	for (i = 0; i < new->nr; i++)
		new->tap[i] = i == at ? tap : old->tap[i - (i > at)];
	conclude(new);
	return new;
}

static bool matches(const struct kpt_tap *tap, const struct kpt_probe *probe,
		    const struct kpt_file *file)
{
	return tap->probe == probe && (!file || tap->file == file);
}

struct kpt_taps *kpt_taps_without(const struct kpt_taps *old,
				  const struct kpt_probe *probe,
				  const struct kpt_file *file,
				  unsigned int *left)
{
	struct kpt_taps *new;
	unsigned int i;

	*left = 0;
	for (i = 0; i < old->nr; i++)
		*left += !matches(&old->tap[i], probe, file);
	if (!*left)
		return NULL;

	new = kmalloc(struct_size(new, tap, *left), GFP_KERNEL);
	if (!new)
		return NULL;
	new->nr = 0;
	for (i = 0; i < old->nr; i++)
		if (!matches(&old->tap[i], probe, file))
			new->tap[new->nr++] = old->tap[i];
	conclude(new);
	return new;
}
