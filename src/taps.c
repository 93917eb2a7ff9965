// SPDX-License-Identifier: GPL-2.0-only
/* Lists of taps: made anew for each change, published by a batch. */
#include <linux/slab.h>
#include <kptrace/hit.h>

/* The first of several taps of one probe does what is done once per hit. */
static void mark_counted(struct kpt_taps *taps)
{
	unsigned int i, j;

	for (i = 0; i < taps->nr; i++) {
		for (j = 0; j < i; j++)
			if (taps->tap[j].probe == taps->tap[i].probe)
				break;
		taps->tap[i].counted = j == i;
	}
}

struct kpt_taps *kpt_taps_with(const struct kpt_taps *old,
			       const struct kpt_tap *tap)
{
	unsigned int i, at, nr = old ? old->nr : 0;
	struct kpt_taps *new;

	new = kmalloc(struct_size(new, tap, nr + 1), GFP_KERNEL);
	if (!new)
		return NULL;
	/* Who replaces the return address comes last: the others see the true one. */
	for (at = nr; at && tap->role != KPT_ROLE_HOOK; at--)
		if (old->tap[at - 1].role != KPT_ROLE_HOOK)
			break;
	/* Taps of one probe stand together. */
	for (i = 0; i < nr; i++)
		if (old->tap[i].probe == tap->probe)
			at = i + 1;
	new->nr = nr + 1;
	for (i = 0; i < new->nr; i++)
		new->tap[i] = i == at ? *tap : old->tap[i - (i > at)];
	mark_counted(new);
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
	mark_counted(new);
	return new;
}
