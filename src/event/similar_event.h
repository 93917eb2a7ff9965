/* SPDX-License-Identifier: GPL-2.0-only */
/* The event that somebody meant who named none. */
#ifndef KPTRACE_SIMILAR_EVENT_H
#define KPTRACE_SIMILAR_EVENT_H

struct kpt_diag;

void kpt_similar_tell_event(const char *group, const char *name, struct kpt_diag *diag);

#endif
