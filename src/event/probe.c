// SPDX-License-Identifier: GPL-2.0-only
/*
 * Functions for probes of every class: make, free, match, compile, complain, end calls.
 */
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include "event/class.h"
#include "event/event_file.h"
#include "event/use.h"

/* Arguments of probes that have none, never freed. */
static char no_args[] = "";

/*
 * Programs without arguments, of hits and of returns, for all probes that have none. Under
 * kpt_mutex.
 */
static struct no_args_prog {
	struct kpt_fetch_prog prog;
	struct kpt_fetch_step end;
} no_args_hit, no_args_return;

static void probe_free_prog(struct kpt_probe *probe)
{
	if (probe->prog != &no_args_hit.prog && probe->prog != &no_args_return.prog)
		kfree(probe->prog);
	probe->prog = NULL;
}

/* Keep a program that was compiled. */
static int probe_keep_prog(struct kpt_probe *probe, const struct kpt_fetch_prog *prog,
			   bool is_return)
{
	struct no_args_prog *shared = is_return ? &no_args_return : &no_args_hit;
	struct kpt_fetch_prog *kept;

	if (prog->nr_steps == 1 && !shared->prog.nr_steps)
		memcpy(shared, prog, sizeof(*shared));
	if (prog->nr_steps == 1 && !memcmp(shared, prog, sizeof(*shared)))
		kept = &shared->prog;
	else
		kept = kmemdup(prog, kpt_fetch_prog_size(prog), GFP_KERNEL);
	if (!kept)
		return -ENOMEM;
	probe_free_prog(probe);
	probe->prog = kept;
	return 0;
}

const struct kpt_use kpt_use_record = { .role = KPT_ROLE_HIT };

/**
 * kpt_probe_init() - prepare what probes of all classes have; without a use, it records
 * @probe: the probe, all zeroes, for kpt_probe_fini()
 *
 * Context: process context.
 */
void kpt_probe_init(struct kpt_probe *probe)
{
	INIT_LIST_HEAD(&probe->list);
	INIT_LIST_HEAD(&probe->sibling);
	INIT_LIST_HEAD(&probe->leaving);
	if (!probe->use)
		probe->use = &kpt_use_record;
}

/**
 * kpt_probe_init_shaped() - the same, for a probe whose records others make
 * @probe: the probe, all zeroes, or with a @place; else that is ""
 * @fields: the shape of the records
 *
 * Its program is never run. It only says how large a record is at least, and that not
 * all are of one size.
 *
 * Context: process context, sleeps.
 * Return: 0 or -ENOMEM; in both cases kpt_probe_fini() frees it.
 */
int kpt_probe_init_shaped(struct kpt_probe *probe, const struct kpt_fields *fields)
{
	probe->prog = kzalloc(sizeof(*probe->prog), GFP_KERNEL);
	probe->args = no_args;
	if (!probe->place)
		probe->place = kstrdup("", GFP_KERNEL);
	kpt_probe_init(probe);
	if (!probe->prog || !probe->place)
		return -ENOMEM;
	probe->prog->size = fields->size;
	probe->prog->has_strings = true;
	return 0;
}

/**
 * kpt_probe_set_args() - replace the listing of the arguments of a probe
 * @probe: the probe
 * @args: the listing, from kmalloc(); kpt_probe_fini() frees it
 *
 * Context: process context.
 */
void kpt_probe_set_args(struct kpt_probe *probe, char *args)
{
	if (probe->args != no_args)
		kfree(probe->args);
	probe->args = args;
}

/**
 * kpt_probe_fini() - free what probes of all classes have
 * @probe: the probe, without sites
 *
 * Context: process context, sleeps.
 */
void kpt_probe_fini(struct kpt_probe *probe)
{
	kpt_probe_fold_counts(probe);
	kpt_probe_free_counts(probe);
	probe_free_prog(probe);
	kpt_probe_set_args(probe, NULL);
	kfree(probe->place);
	kfree(probe->line);
}

/**
 * kpt_probe_dup_span() - copy a part of a definition
 * @def: the definition
 * @span: the part
 *
 * Context: process context, sleeps.
 * Return: a string for kfree(); NULL if the part is missing, or without memory.
 */
char *kpt_probe_dup_span(const struct kpt_def *def, const struct kpt_span *span)
{
	if (!span->len)
		return NULL;
	return kmemdup_nul(def->text + span->at, span->len, GFP_KERNEL);
}

/**
 * kpt_probe_parse_line() - parse the line again that defined a probe
 * @probe: the probe, which keeps the line because it waits for a module
 * @diag: on failure the reason
 *
 * Context: process context, may sleep.
 * Return: the definition, for kvfree(); ERR_PTR(-ENOMEM), or an error of
 * kpt_def_parse().
 */
struct kpt_def *kpt_probe_parse_line(const struct kpt_probe *probe, struct kpt_diag *diag)
{
	struct kpt_def *def = kvmalloc(sizeof(*def), GFP_KERNEL);
	int err;

	if (!def)
		return ERR_PTR(-ENOMEM);
	err = kpt_def_parse(def, probe->line, strlen(probe->line), diag);
	if (err) {
		kvfree(def);
		return ERR_PTR(err);
	}
	return def;
}

/**
 * kpt_probe_waits_for() - name the module that a probe waits for
 * @probe: the probe
 *
 * Context: process context, kpt_mutex held.
 * Return: its name; NULL if the probe waits for none, or does not know for which.
 */
const char *kpt_probe_waits_for(const struct kpt_probe *probe)
{
	const struct kpt_event_class *class = probe->event->class;

	return class->waits_for ? class->waits_for(probe) : NULL;
}

/* An event as a place is GROUP.EVENT or GROUP/EVENT, and listed as the first. */
static bool place_is(const struct kpt_probe *probe, const struct kpt_def *def)
{
	const char *s = def->text + def->place.at;
	size_t group = probe->follows ? strlen(probe->follows->source->group) : 0;

	if (!group || def->place.len <= group || s[group] != '/')
		return kpt_def_is(def, &def->place, probe->place);
	return strlen(probe->place) == def->place.len &&
	       !memcmp(s, probe->place, group) &&
	       !memcmp(s + group + 1, probe->place + group + 1,
		       def->place.len - group - 1);
}

/* Are the arguments of a delete line the first ones of the probe? */
static bool args_match(const struct kpt_probe *probe, const struct kpt_def *def)
{
	const char *args = probe->args;
	unsigned int i;

	for (i = 0; i < def->nr_args; i++) {
		const struct kpt_span *arg = &def->arg[i];

		if (*args++ != ' ' ||
		    strncmp(args, def->text + arg->at, arg->len))
			return false;
		args += arg->len;
		if (*args && *args != ' ')
			return false;
	}
	return true;
}

/**
 * kpt_probe_is() - does a delete line name this probe?
 * @probe: the probe
 * @def: a parsed delete definition
 *
 * @def may lack group, event, place and arguments, and then they match any probe.
 * The arguments that it has must be the first ones of the probe.
 *
 * Context: process context, kpt_mutex held.
 * Return: true if it is.
 */
bool kpt_probe_is(const struct kpt_probe *probe, const struct kpt_def *def)
{
	if (def->group.len && !kpt_def_is(def, &def->group, probe->event->group))
		return false;
	if (def->event.len && !kpt_def_is(def, &def->event, probe->event->name))
		return false;
	if (def->place.len && !place_is(probe, def))
		return false;
	return args_match(probe, def);
}

/* Keep the shape of a program; probes without arguments share it. */
static const struct kpt_fields *shape_keep(const struct kpt_fields *fields)
{
	if (!fields->nr && fields->head == &kpt_head_place)
		return &kpt_fields_place;
	if (!fields->nr && fields->head == &kpt_head_return)
		return &kpt_fields_return;
	return kmemdup(fields, kpt_fields_size(fields), GFP_KERNEL);
}

/*
 * Keep shape and listing of the first compilation. Compiling again, when the module
 * is loaded again, changes only the program.
 */
static int probe_keep_shape(struct kpt_probe *probe,
			    const struct kpt_fetch_scratch *out,
			    const struct kpt_fields **fields)
{
	probe->args = out->listing.buf[0] ? kstrdup(out->listing.buf, GFP_KERNEL) :
					    no_args;
	if (!probe->args)
		return -ENOMEM;
	/* Nothing may fail after this: the shape puts the names of values when it is freed. */
	*fields = shape_keep(&out->fields);
	return *fields ? 0 : -ENOMEM;
}

/* Is the shape that of the first compilation? A module may come back changed. */
static int probe_check_shape(struct kpt_probe *probe, const struct kpt_def *def,
			     const struct kpt_fetch_scratch *out,
			     struct kpt_diag *diag)
{
	unsigned int nth = kpt_fields_same(&out->fields, probe->event->fields);

	if (!nth)
		return 0;
	return kpt_diag_set(diag, KPT_E_DIFF_ARG_TYPE,
			    kpt_def_field_column(def, out->fields.nr, nth - 1), -EINVAL);
}

/*
 * Room for the compiler, which is used under kpt_mutex. To allocate it for each line takes
 * longer than to compile: kernels may clear all memory that they allocate. It stays while
 * @compile_users is not 0, both under @compile_lock: who has run many lines does not wait for
 * kpt_mutex once more.
 */
static DEFINE_SPINLOCK(compile_lock);
static struct kpt_fetch_scratch *compile_room;
static unsigned int compile_users;

/**
 * kpt_probe_compile_begin() - keep the room of the compiler, for many definitions
 *
 * Context: process context.
 */
void kpt_probe_compile_begin(void)
{
	spin_lock(&compile_lock);
	compile_users++;
	spin_unlock(&compile_lock);
}

/**
 * kpt_probe_compile_end() - the reverse of kpt_probe_compile_begin()
 *
 * Context: process context.
 */
void kpt_probe_compile_end(void)
{
	struct kpt_fetch_scratch *unused = NULL;

	spin_lock(&compile_lock);
	if (!--compile_users)
		swap(unused, compile_room);
	spin_unlock(&compile_lock);
	kvfree(unused);
}

/* Under kpt_mutex: nobody else makes it. Returns NULL without memory. */
static struct kpt_fetch_scratch *compile_room_get(void)
{
	lockdep_assert_held(&kpt_mutex);
	kpt_probe_compile_begin();
	if (!compile_room)
		compile_room = kvmalloc(sizeof(*compile_room), GFP_KERNEL);
	return compile_room;
}

/**
 * kpt_probe_find_types() - find types for casts in arguments that belong to no function
 * @place: where the program will run
 * @types: result, as of kpt_fetch_place.find_types
 *
 * Context: process context, sleeps, kpt_mutex held.
 */
void kpt_probe_find_types(const struct kpt_fetch_place *place,
			  struct kpt_fetch_types *types)
{
	struct kpt_strbuf why;

	kpt_strbuf_init(&why, types->why, sizeof(types->why));
	types->btf = kpt_btf_of(NULL, &why);
	types->func = 0;
}

/**
 * kpt_probe_compile() - compile the arguments of a definition
 * @probe: gets the program, and with @fields also the listing
 * @def: the definition
 * @place: where the program will run
 * @fields: result: the shape of the records, for kpt_fields_free(); NULL if the probe was
 *	compiled before and its module is loaded again
 * @diag: on failure the reason
 *
 * Context: process context, sleeps, kpt_mutex held.
 * Return: 0, -ENOMEM, or an errno of kpt_fetch_compile().
 */
int kpt_probe_compile(struct kpt_probe *probe, const struct kpt_def *def,
		      const struct kpt_fetch_place *place,
		      const struct kpt_fields **fields, struct kpt_diag *diag)
{
	struct kpt_fetch_scratch *out;
	int err = -ENOMEM;

	lockdep_assert_held(&kpt_mutex);
	out = compile_room_get();
	if (!out)
		goto out;
	err = kpt_fetch_compile(out, def, place, diag);
	if (!err)
		err = kpt_enums_get(out);
	if (err)
		goto out;
	if (!fields)
		err = probe_check_shape(probe, def, out, diag);
	if (!err)
		err = probe_keep_prog(probe, &out->prog, place->is_return);
	if (!err && fields)
		err = probe_keep_shape(probe, out, fields);
	if (err || !fields)
		kpt_enums_put(&out->fields);
out:
	kpt_probe_compile_end();
	return err;
}

/**
 * kpt_probe_complain() - note in error_log why a probe could not be armed
 * @probe: the probe
 * @log: the error_log
 * @diag: the reason; its column is set to that of the place
 *
 * Context: process context, sleeps, kpt_mutex held. Without memory nothing is
 * noted.
 */
void kpt_probe_complain(const struct kpt_probe *probe, struct kpt_errlog *log,
			struct kpt_diag *diag)
{
	const struct kpt_event *event = probe->event;
	char *text = kasprintf(GFP_KERNEL, "%s/%s %s%s", event->group,
			       event->name, probe->place, probe->args);

	if (!text)
		return;
	diag->column = strlen(event->group) + strlen(event->name) + 2;
	kpt_errlog_add(log, event->class->log_name, text, diag);
	kfree(text);
}

/**
 * kpt_probe_end_calls() - mark the calls in progress: their returns stay unseen
 * @probe: the probe, not armed
 * @end: KPT_CALLS_UNSEEN, or KPT_CALLS_ORPHANED if its sites will be put
 *
 * Context: process context, kpt_mutex held.
 * Return: true if the caller must call kpt_calls_end() with @end, once for all the
 * probes that it marked; false if there is no call, or none since they were orphaned.
 */
bool kpt_probe_end_calls(struct kpt_probe *probe, enum kpt_calls_end end)
{
	const struct kpt_site *site = probe->sites.site;
	const struct kpt_site *behind = site + probe->sites.nr;
	bool any = false;

	for (; site < behind; site++) {
		if (!site->calls || site->calls->end == KPT_CALLS_ORPHANED)
			continue;
		site->calls->end = end;
		any = true;
	}
	return any;
}
