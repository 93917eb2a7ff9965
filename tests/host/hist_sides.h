/* SPDX-License-Identifier: GPL-2.0-only */
/* Two histograms: one has variables that the other one may read. */
#ifndef HIST_SIDES_H
#define HIST_SIDES_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "lib/base/port.h"
#include "lib/base/similar.h"
#include "parts/hist/hist_hit.h"
#include "parts/hist/synth.h"
#include "fields.h"
#include "world.h"

/**
 * struct side - one histogram: the one that defines, and the one that refers
 * @hist: its trigger
 * @map: its map
 * @hit: the last hit
 * @var: kpt_hist_hit.var
 * @own: kpt_hist_hit.own
 */
struct side {
	struct kpt_hist hist;
	struct kpt_hist_map *map;
	struct kpt_hist_hit hit;
	u64 var[KPT_HIST_REFS_MAX];
	u64 own[KPT_HIST_VARS_MAX];
};

static struct shape shape;
static struct side from, more, to;
static struct kpt_synth_shape synth;
static struct kpt_diag diag;

/* Only references that name g.o or g-i.o, the events of this side, find its first variable. */
static inline unsigned int find_more(const char *name, size_t len, struct kpt_hist_ref *ref)
{
	if (!more.hist.nr_vars || strlen(more.hist.var[0].name) != len ||
	    memcmp(more.hist.var[0].name, name, len))
		return 0;
	*ref = (struct kpt_hist_ref){
		.owner = &more, .map = more.map, .hist = &more.hist,
	};
	return 1;
}

static inline unsigned int find_var(const struct kpt_hist_scope *base __attribute__((unused)),
			     const char *event,
			     size_t event_len, const char *name, size_t len,
			     struct kpt_hist_ref *ref)
{
	unsigned int i;

	if (len == 4 && !memcmp(name, "many", 4))
		return 2;
	if (event && ((event_len == 3 && !memcmp(event, "g.o", 3)) ||
		      (event_len == 5 && !memcmp(event, "g-i.o", 5))))
		return find_more(name, len, ref);
	if (event && (event_len != 3 || memcmp(event, "g.e", 3)))
		return 0;
	for (i = 0; i < from.hist.nr_vars; i++) {
		if (strlen(from.hist.var[i].name) != len ||
		    memcmp(from.hist.var[i].name, name, len))
			continue;
		*ref = (struct kpt_hist_ref){
			.owner = &from, .map = from.map, .hist = &from.hist,
			.var = (u8)i,
		};
		return 1;
	}
	return 0;
}

static inline bool has_var(const struct kpt_hist_scope *base __attribute__((unused)),
		    const char *name, size_t len)
{
	return len == 5 && !memcmp(name, "taken", 5);
}

static inline bool has_event(const struct kpt_hist_scope *base __attribute__((unused)),
			     const char *event,
		      size_t len)
{
	return (len == 3 && (!memcmp(event, "g.e", 3) || !memcmp(event, "g.o", 3))) ||
	       (len == 5 && !memcmp(event, "g-i.o", 5));
}

static inline bool is_own_event(const struct kpt_hist_scope *base __attribute__((unused)),
			 const char *event, size_t len)
{
	return len == 5 && !memcmp(event, "g.own", 5);
}

/* g.e has a field "prio", which its variable x keeps. */
static inline enum kpt_diag_code
field_var(const struct kpt_hist_scope *base, const struct kpt_hist *hist,
	  const char *event, size_t event_len, const char *field, size_t len,
	  struct kpt_hist_ref *ref)
{
	if (!has_event(base, event, event_len))
		return KPT_E_HIST_EVENT_FILE_NOT_FOUND;
	if (len != 4 || memcmp(field, "prio", 4))
		return KPT_E_HIST_FIELD_NOT_FOUND;
	if (!kpt_hist_same_key_types(&from.hist, hist))
		return KPT_E_HIST_HIST_NOT_FOUND;
	find_var(base, event, event_len, "x", 1, ref);
	return KPT_E_NONE;
}

static inline const struct kpt_fields *
synth_fields(const struct kpt_hist_scope *base __attribute__((unused)),
	     const char *name, size_t len,
					     void **found)
{
	if (len != 3 || memcmp(name, "lat", 3))
		return NULL;
	*found = &synth;
	return &synth.fields;
}

static inline void see_vars(const struct kpt_hist_scope *base __attribute__((unused)),
			    const char *event __attribute__((unused)),
			    size_t event_len __attribute__((unused)), struct kpt_similar *s)
{
	unsigned int i;

	for (i = 0; i < from.hist.nr_vars; i++)
		kpt_similar_see(s, from.hist.var[i].name);
}

static inline void tell_event(const struct kpt_hist_scope *base __attribute__((unused)),
			      const char *name, size_t len, struct kpt_diag *diag)
{
	struct kpt_similar s;

	kpt_similar_begin(&s, name, len);
	kpt_similar_see(&s, memchr(name, '.', len) ? "g.own" : "lat");
	kpt_similar_tell(&s, diag);
}

static const struct kpt_hist_scope scope = {
	.find_var = find_var, .has_var = has_var, .has_event = has_event,
	.is_own_event = is_own_event, .field_var = field_var,
	.synth_fields = synth_fields, .see_vars = see_vars, .tell_event = tell_event,
};

static inline int parse(struct side *side, const char *trigger)
{
	const char *filter;

	return kpt_hist_parse(&side->hist, trigger, &filter, &shape.f, &scope, &diag);
}

static inline void setup(void)
{
	static const char line[] = "lat u64 lat; s32 n; char name[]";
	struct kpt_def *def = malloc(sizeof(*def));

	world_reset();
	shape_init(&shape, false);
	shape_add(&shape, "n", KPT_TYPE_S32, 0);
	shape_add(&shape, "len", KPT_TYPE_U64, 0);
	shape_add(&shape, "s", KPT_TYPE_STRING, 0);
	if (kpt_def_parse_synthetic(def, line, sizeof(line) - 1, &diag) ||
	    kpt_synth_parse(&synth, def, &diag))
		abort();
	free(def);
	memset(&from.hist, 0, sizeof(from.hist));
	memset(&more.hist, 0, sizeof(more.hist));
}

static inline void start(struct side *side, const char *trigger)
{
	if (parse(side, trigger))
		abort();
	free(side->map);
	side->map = malloc(kpt_hist_map_size(&side->hist));
	memset(side->map, 0xaa, kpt_hist_map_size(&side->hist));
	kpt_hist_map_init(side->map, &side->hist);
	memset(side->var, 0xaa, sizeof(side->var));
}

/* The line of the trigger file. */
static inline const char *list(const struct side *side)
{
	static char line[8192];
	struct kpt_strbuf sb;

	kpt_strbuf_init(&sb, line, sizeof(line));
	kpt_hist_show_trigger(&sb, &side->hist, NULL, false);
	return line;
}

/*
 * Does the text of a trigger as it is listed mean the same trigger? @side has it, and
 * gets it again.
 */
static inline bool lists_itself(struct side *side)
{
	static struct kpt_hist before;
	char line[8192];

	before = side->hist;
	snprintf(line, sizeof(line), "%s", list(side) + strlen("hist:"));
	line[strlen(line) - strlen(" [active]\n")] = '\0';
	return !parse(side, line) && kpt_hist_same(&before, &side->hist) &&
	       kpt_hist_same(&side->hist, &before);
}

#endif
