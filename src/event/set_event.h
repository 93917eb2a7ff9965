/* SPDX-License-Identifier: GPL-2.0-only */
/* set_event: words that choose events by name, and those that wait for a module. */
#ifndef KPTRACE_SET_EVENT_H
#define KPTRACE_SET_EVENT_H

#include "event/instance.h"

struct kpt_strbuf;
struct module;

int kpt_set_event(struct kpt_instance *instance, const char *word);
void kpt_set_event_coming(const struct module *mod);
void kpt_set_event_show(const struct kpt_instance *instance,
			struct kpt_strbuf *sb);
void kpt_set_event_forget(struct kpt_instance *instance);

#endif
