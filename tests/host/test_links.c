// SPDX-License-Identifier: GPL-2.0-only
/*
 * Steps of recorders, as src/arming makes them of lists of handlers, but drawn: whatever each step
 * has done, all sinks get the hit once, one after the other, and a step that needs a record has
 * the one that it needs.
 */
#include "lib/base/port.h"
#include "arch_step.h"
#include "harness.h"

#define PLANS 1000000

/* What a hit has when it comes to a step. */
enum known { NOTHING, OTHER, PART, WHOLE, KNOWNS };

struct plan {
	struct kpt_arch_step step[KPT_ARCH_STEPS];
	unsigned int nr, total;
	unsigned int of[KPT_ARCH_STEPS];
	bool seen[KPT_ARCH_STEPS][KNOWNS];
	unsigned int ways;
	const char *wrong;
};

static unsigned int any(unsigned int n)
{
	return test_random() % n;
}

/* @group: steps with the same number are of the same handlers; @nr of these @of. */
static struct kpt_arch_step *add(struct plan *p, enum kpt_arch_op op, unsigned int group,
				 unsigned int nr, unsigned int of)
{
	struct kpt_arch_step *step;

	if (p->nr == KPT_ARCH_STEPS - 1)
		return NULL;
	step = &p->step[p->nr++];
	memset(step, 0, sizeof(*step));
	step->op = op;
	step->rest.at = group;
	step->rest.nr = of;
	step->nr = nr;
	return step;
}

/* As add_held() and add_followers(): there is a record of each hit if events are on the event. */
static void add_held(struct plan *p, unsigned int group, bool is_known)
{
	struct kpt_arch_step *step = add(p, KPT_ARCH_HELD, group, 1, 1);
	unsigned int followers = any(3);

	if (!step)
		return;
	step->is_more = is_known;
	step->held.needs_record = followers || any(2);
	for (; followers; followers--) {
		step = add(p, KPT_ARCH_FOLLOW, group, 1, 1);
		if (step)
			step->followers = (void *)p;
	}
}

/* As add_group(): the handlers have the same rings. Returns whether a record may be known. */
static bool add_group(struct plan *p, unsigned int group, bool is_known)
{
	unsigned int of = 1 + any(3), sinks = 1 + any(3), n, from, nr;
	bool has_made = false;
	struct kpt_arch_step *step;

	for (n = 0; n < sinks; n++) {
		if (of == 1 && !any(6)) {
			add(p, KPT_ARCH_LIMIT, group, 1, 1);
			is_known = has_made = false;
		} else if (of == 1 && !any(3)) {
			add_held(p, group, is_known);
			is_known = has_made = true;
		} else if (!has_made) {
			step = add(p, KPT_ARCH_RECORD, group, of, of);
			if (step)
				step->is_more = is_known && any(8);
			is_known = has_made = true;
		} else {
			for (from = 0; from < of; from += nr) {
				nr = 1 + any(of - from);
				step = add(p, KPT_ARCH_COPY, group, nr, of);
				if (step)
					step->from = from;
			}
		}
	}
	return is_known;
}

static void draw(struct plan *p)
{
	unsigned int group, groups = 1 + any(5);
	bool is_known = false;

	memset(p, 0, sizeof(*p));
	for (group = 0; group < groups; group++)
		is_known = add_group(p, group, is_known);
	if (!any(4))
		add(p, KPT_ARCH_REST, groups, 1, 1);
}

/* Find the step that one behind all is in place of: the next that has none and needs one. */
static void find_places(struct plan *p)
{
	unsigned int i, k = p->nr;
	bool is_sure = false;

	for (i = 0; i < p->nr; i++) {
		p->of[i] = i;
		if (k < p->total && kpt_arch_step_needs(&p->step[i]) && !is_sure)
			p->of[k++] = i;
		is_sure = p->step[i].op == KPT_ARCH_FOLLOW ||
			  (is_sure && p->step[i].op == KPT_ARCH_COPY) ||
			  (p->step[i].op == KPT_ARCH_HELD && p->step[i].held.needs_record);
	}
	if (k != p->total)
		p->wrong = "number of steps";
}

static void walk(struct plan *p, unsigned int at, enum known known);

/* What a step behind has of a record: that of another group is only a record of the hit. */
static enum known known_at(const struct plan *p, unsigned int from, unsigned int to,
			   enum known known)
{
	return known == NOTHING || p->step[from].rest.at == p->step[to].rest.at ? known : OTHER;
}

static void go(struct plan *p, unsigned int from, u8 to, enum known known)
{
	bool is_last = p->of[from] == p->nr - 1;

	if (to == KPT_ARCH_END ? !is_last : to >= p->total || p->of[to] != p->of[from] + 1)
		p->wrong = "not each sink has the hit once";
	else if (to != KPT_ARCH_END)
		walk(p, to, known_at(p, from, to, known));
}

static void go_making(struct plan *p, unsigned int at, enum known known)
{
	const struct kpt_arch_step *step = &p->step[at];

	go(p, at, step->done, step->nr == step->rest.nr ? WHOLE : PART);
	if (step->op == KPT_ARCH_HELD && step->held.needs_record)
		return;
	/* Nothing is recorded; histograms may have had a record that is in no ring. */
	go(p, at, step->kept, step->kept == step->passed ? NOTHING : known);
	go(p, at, step->passed, NOTHING);
}

static void walk(struct plan *p, unsigned int at, enum known known)
{
	const struct kpt_arch_step *step = &p->step[at];

	if (p->wrong || p->seen[at][known])
		return;
	p->seen[at][known] = true;
	p->ways++;
	if (kpt_arch_step_needs(step) && known == NOTHING)
		p->wrong = "no record";
	if (step->op == KPT_ARCH_COPY && known != WHOLE)
		p->wrong = "not all records that it copies";
	if (step->op == KPT_ARCH_FOLLOW && known != WHOLE)
		p->wrong = "not the record that it follows";
	if (step->op == KPT_ARCH_REST)
		return;
	if (kpt_arch_step_has(step, KPT_STEP_MAKES)) {
		go_making(p, at, known);
	} else if (step->op == KPT_ARCH_LIMIT) {
		go(p, at, step->passed, NOTHING);
	} else {
		go(p, at, step->done, known);
		go(p, at, step->kept, known);
	}
}

static void show(const struct plan *p)
{
#define NAME(name, has, put) #name,
	static const char *const names[] = { KPT_ARCH_OPS(NAME) };
	unsigned int i;

	for (i = 0; i < p->total; i++)
		fprintf(stderr, "%2u (%u) %s%s group %u, %u of %u: %d, passed %d, kept %d\n", i,
			p->of[i], names[p->step[i].op], p->step[i].is_more ? " more" : "",
			p->step[i].rest.at, p->step[i].nr, p->step[i].rest.nr,
			(s8)p->step[i].done, (s8)p->step[i].passed, (s8)p->step[i].kept);
}

TEST(all_ways_of_drawn_steps)
{
	unsigned int i, linked = 0, in_place = 0, ways = 0;
	static struct plan p;

	for (i = 0; i < PLANS; i++) {
		draw(&p);
		p.total = kpt_arch_steps_link(p.step, p.nr);
		if (!p.total)
			continue;
		find_places(&p);
		walk(&p, 0, NOTHING);
		if (p.wrong) {
			fprintf(stderr, "plan %u: %s\n", i, p.wrong);
			show(&p);
			EXPECT(!p.wrong);
			return;
		}
		linked++;
		in_place += p.total > p.nr;
		ways += p.ways;
	}
	/* Most have room, many have steps in place of others, and these are reached. */
	EXPECT(linked > PLANS / 2);
	EXPECT(in_place > PLANS / 4);
	EXPECT(ways > 5 * linked);
}

TEST(no_room)
{
	struct plan p = { .nr = 0 };

	while (p.nr < KPT_ARCH_STEPS / 2 + 1)
		add(&p, KPT_ARCH_RECORD, p.nr, 1, 1)->is_more = p.nr > 1;
	EXPECT_EQ(kpt_arch_steps_link(p.step, p.nr), 0);
}

TEST_MAIN
