/* SPDX-License-Identifier: GPL-2.0-only */
/* One definition as an object: made, armed, disarmed, freed. */
#ifndef KPTRACE_PROBE_H
#define KPTRACE_PROBE_H

#include "event/event.h"

struct kpt_probe *kpt_probe_make(const struct kpt_def *def,
				 struct kpt_fields **fields,
				 struct kpt_diag *diag);
void kpt_probe_free(struct kpt_probe *probe);
int kpt_probe_attach(struct kpt_probe *probe, struct kpt_diag *diag);
void kpt_probe_detach(struct kpt_probe *probe);
int kpt_probe_enable(struct kpt_probe *probe, struct kpt_event_file *file,
		     struct kpt_batch *batch);
int kpt_probe_disable(struct kpt_probe *probe, struct kpt_event_file *file,
		      struct kpt_batch *batch);
bool kpt_probe_is(const struct kpt_probe *probe, const struct kpt_def *def);

#endif
