// SPDX-License-Identifier: GPL-2.0-only
/*
 * The events osnoise:*. They have no place: src/parts/noise/noise.c makes their records while the
 * tracer osnoise or timerlat is on.
 */
#include <linux/slab.h>
#include "event/class.h"
#include "arming/handlers.h"
#include "parts/noise/noise_events.h"

static const char group[] = "osnoise";

/**
 * struct noise_probe - the only probe of such an event
 * @base: the part that all probes have
 * @hook: its handlers
 */
struct noise_probe {
	struct kpt_probe base;
	struct kpt_hook hook;
};

/* They are there from load to unload. */
static struct noise_probe *probes[KPT_NOISE_EVENTS];

static const struct {
	const char *name;
	const struct kpt_fields *fields;
} events[KPT_NOISE_EVENTS] = {
	[KPT_NOISE_EVENT_NMI] = { "nmi_noise", &kpt_fields_nmi_noise },
	[KPT_NOISE_EVENT_IRQ] = { "irq_noise", &kpt_fields_irq_noise },
	[KPT_NOISE_EVENT_SOFTIRQ] = { "softirq_noise", &kpt_fields_softirq_noise },
	[KPT_NOISE_EVENT_THREAD] = { "thread_noise", &kpt_fields_thread_noise },
	[KPT_NOISE_EVENT_THRESHOLD] = { "sample_threshold", &kpt_fields_threshold },
	[KPT_NOISE_EVENT_OSNOISE] = { "osnoise_sample", &kpt_fields_osnoise_sample },
	[KPT_NOISE_EVENT_TIMERLAT] = { "timerlat_sample", &kpt_fields_timerlat_sample },
};

static struct noise_probe *noise_probe_of(struct kpt_probe *base)
{
	return container_of(base, struct noise_probe, base);
}

static void noise_free(struct kpt_probe *base)
{
	struct noise_probe *probe = noise_probe_of(base);

	kpt_hook_fini(&probe->hook);
	kpt_probe_fini(base);
	kfree(probe);
}

static int noise_arm(struct kpt_probe *base, struct kpt_event_file *file,
		     struct kpt_batch *batch, struct kpt_diag *diag)
{
	static const struct kpt_site nowhere = { .role = KPT_ROLE_EVENT };

	return kpt_handlers_add(&noise_probe_of(base)->hook, base, file, &nowhere, batch);
}

static int noise_disarm(struct kpt_probe *base, struct kpt_event_file *file,
			struct kpt_batch *batch)
{
	return kpt_handlers_remove(&noise_probe_of(base)->hook, base, file, batch);
}

const struct kpt_event_class kpt_class_noise = {
	.letters = "",
	.log_name = "osnoise",
	.one_probe = true,
	.is_given = true,
	.is_unlisted = true,
	.free = noise_free,
	.arm = noise_arm,
	.disarm = noise_disarm,
};

/**
 * kpt_noise_hook() - the handlers of an event
 * @which: the event
 *
 * Context: any.
 * Return: the hook.
 */
struct kpt_hook *kpt_noise_hook(enum kpt_noise_event which)
{
	return &probes[which]->hook;
}

static struct noise_probe *noise_probe_alloc(const struct kpt_fields *fields)
{
	struct noise_probe *probe = kzalloc(sizeof(*probe), GFP_KERNEL);

	if (!probe)
		return NULL;
	kpt_hook_make(&probe->hook, KPT_HOOK_OTHER);
	if (!kpt_probe_init_shaped(&probe->base, fields))
		return probe;
	noise_free(&probe->base);
	return NULL;
}

static int noise_make(unsigned int which)
{
	struct noise_probe *probe = noise_probe_alloc(events[which].fields);
	struct kpt_event *event;

	if (!probe)
		return -ENOMEM;
	event = kpt_event_make(&kpt_class_noise, group, events[which].name,
			       events[which].fields);
	if (IS_ERR(event)) {
		noise_free(&probe->base);
		return PTR_ERR(event);
	}
	kpt_event_add_probe(event, &probe->base);
	probes[which] = probe;
	return kpt_event_files_add(event);
}

/**
 * kpt_noise_events_init() - make the events; kpt_event_exit() frees them
 *
 * Context: module load, before other events are defined.
 * Return: 0; -ENOMEM or -ENOSPC, and then some are made.
 */
int kpt_noise_events_init(void)
{
	unsigned int i;
	int err = 0;

	mutex_lock(&kpt_mutex);
	for (i = 0; !err && i < KPT_NOISE_EVENTS; i++)
		err = noise_make(i);
	mutex_unlock(&kpt_mutex);
	return err;
}
