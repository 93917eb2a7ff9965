// SPDX-License-Identifier: GPL-2.0-only
/*
 * Probes of functions by name or pattern: f. A definition is one probe, with one fetch
 * program and one set of counters, however many functions it has sites in.
 */
#include <linux/err.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include "arming/sites.h"
#include "event/class.h"
#include "kernel/symbol/blacklist.h"
#include "kernel/symbol/symbol.h"

/**
 * struct left_out_function - a function that cannot be probed
 * @addr: its entry
 * @code: why
 */
struct left_out_function {
	unsigned long addr;
	enum kpt_diag_code code;
};

/**
 * struct left_out - functions that match a pattern and cannot be probed
 * @function: the functions
 * @nr: number of functions
 * @room: number of functions that there is memory for
 */
struct left_out {
	struct left_out_function *function;
	unsigned int nr;
	unsigned int room;
};

/**
 * struct kpt_pattern_probe - a probe of functions
 * @base: the part that probes of all classes have
 * @is_return: it records returns
 * @is_pattern: @names is a list of patterns, which also matches functions of modules
 *	that are loaded later; else it is a name
 * @by_text: it was defined before its module was loaded
 * @module: module named in the definition, or NULL
 * @names: for kpt_symbol_list()
 * @left_out: the functions that match and cannot be probed
 */
struct kpt_pattern_probe {
	struct kpt_probe base;
	bool is_return;
	bool is_pattern;
	bool by_text;
	char *module;
	char *names;
	struct left_out left_out;
};

static struct kpt_pattern_probe *pattern_of(struct kpt_probe *base)
{
	return container_of(base, struct kpt_pattern_probe, base);
}

static const struct kpt_pattern_probe *
const_pattern_of(const struct kpt_probe *base)
{
	return container_of(base, struct kpt_pattern_probe, base);
}

static int left_out_add(struct left_out *out, unsigned long addr,
			enum kpt_diag_code code)
{
	unsigned int room = max(16U, 2 * out->room);
	struct left_out_function *larger;

	if (out->nr == out->room) {
		larger = kvmalloc_array(room, sizeof(*larger), GFP_KERNEL);
		if (!larger)
			return -ENOMEM;
		if (out->nr)
			memcpy(larger, out->function,
			       out->nr * sizeof(*larger));
		kvfree(out->function);
		out->function = larger;
		out->room = room;
	}
	out->function[out->nr++] = (struct left_out_function){ addr, code };
	return 0;
}

/*
 * Take the sites of one function, or note why it cannot be probed. A symbol that is
 * not text is no function, or no longer. Nothing is noted of a module that may go, because
 * nobody would take the note back.
 */
static int pattern_take_function(struct kpt_pattern_probe *probe,
				 unsigned long addr, struct kpt_diag *diag)
{
	int err;

	if (probe->is_return)
		err = kpt_sites_get_returns(&probe->base, addr, KPT_METHOD_ANY,
					     0, diag);
	else
		err = kpt_sites_get_hit(&probe->base, addr, addr, diag);
	if (!err || err == -ENOMEM || diag->code == KPT_E_NOT_TEXT ||
	    diag->code == KPT_E_GOING_TEXT || diag->code == KPT_E_COMING_TEXT)
		return err;
	return left_out_add(&probe->left_out, addr, diag->code) ?: err;
}

/*
 * Take the functions of a list that can be probed. Adds to @taken how many. @diag gets the
 * reason of the first that cannot. With @in_pieces others may take kpt_mutex in between.
 */
static int pattern_take_list(struct kpt_pattern_probe *probe,
			     const struct kpt_symbol_list *list, unsigned int *taken,
			     bool in_pieces, struct kpt_diag *diag)
{
	unsigned int i;
	int err = 0;

	for (i = 0; i < list->nr && err != -ENOMEM && err != -EINTR; i++) {
		struct kpt_diag why = { 0 };

		err = pattern_take_function(probe, list->addr[i], &why);
		if (!err)
			++*taken;
		else if (diag->code == KPT_E_NONE)
			*diag = why;
		if (in_pieces && i % KPT_PIECE == KPT_PIECE - 1 && err != -ENOMEM)
			err = kpt_mutex_yield_kept();
		cond_resched();
	}
	if (err != -ENOMEM && err != -EINTR)
		return 0;
	kpt_diag_set(diag, KPT_E_NONE, 0, 0);
	return err;
}

/* Returns -EINVAL with the reason in @diag if none was taken. */
static int pattern_took(unsigned int taken, struct kpt_diag *diag)
{
	/* None is there if those of a module have just gone. */
	if (!taken && diag->code == KPT_E_NONE)
		kpt_diag_set(diag, KPT_E_BAD_PROBE_ADDR, 0, 0);
	if (!taken)
		return -EINVAL;
	kpt_diag_set(diag, KPT_E_NONE, 0, 0);
	return 0;
}

/*
 * Take all functions of a list that can be probed. Returns -EINVAL with the reason of
 * the first if there is none.
 */
static int pattern_take(struct kpt_pattern_probe *probe,
			const struct kpt_symbol_list *list,
			struct kpt_diag *diag)
{
	unsigned int taken = 0;
	int err = pattern_take_list(probe, list, &taken, false, diag);

	return err ?: pattern_took(taken, diag);
}

/*
 * The same for functions of the kernel, and then of modules. Others may take kpt_mutex while
 * those of the kernel are taken. Modules may come and go then, so theirs are looked up
 * afterwards.
 */
static int pattern_take_all(struct kpt_pattern_probe *probe,
			    const struct kpt_symbol_list *in_kernel, struct kpt_diag *diag)
{
	struct kpt_symbol_list in_modules = { 0 };
	unsigned int taken = 0;
	int err;

	err = pattern_take_list(probe, in_kernel, &taken, true, diag) ?:
	      kpt_symbol_list_in_modules(&in_modules, NULL, probe->names) ?:
	      pattern_take_list(probe, &in_modules, &taken, false, diag) ?:
	      pattern_took(taken, diag);
	kpt_symbol_list_free(&in_modules);
	return err;
}

/**
 * struct pattern_fetch - where a program will run
 * @place: the part that the compiler knows
 * @addr: entry of the only function, or of one of many that are all in one module; else 0
 * @name: name of the only function, or NULL: many have no parameters in common
 */
struct pattern_fetch {
	struct kpt_fetch_place place;
	unsigned long addr;
	const char *name;
};

static void pattern_find_types(const struct kpt_fetch_place *place,
			       struct kpt_fetch_types *types)
{
	const struct pattern_fetch *fetch =
		container_of(place, struct pattern_fetch, place);
	struct kpt_strbuf why;

	kpt_strbuf_init(&why, types->why, sizeof(types->why));
	types->btf = kpt_func_types(fetch->addr, fetch->name, &types->func,
				    &why);
	if (!fetch->name)
		types->func = 0;
}

/* @list is the functions, NULL if their module is not loaded. */
static int pattern_compile(struct kpt_pattern_probe *probe,
			   const struct kpt_def *def,
			   const struct kpt_symbol_list *list,
			   const struct kpt_fields **fields, struct kpt_diag *diag)
{
	bool is_one = list && list->nr == 1 && !probe->is_pattern;
	const struct pattern_fetch fetch = {
		.place = {
			.head = probe->is_return ? &kpt_head_return :
						   &kpt_head_place,
			.is_return = probe->is_return,
			.is_entry = true,
			.is_pending = !list,
			.by_text = probe->by_text || !list,
			.find_types = pattern_find_types,
		},
		.addr = is_one || (list && probe->module) ? list->addr[0] : 0,
		.name = is_one ? probe->names : NULL,
	};

	probe->by_text = fetch.place.by_text;
	return kpt_probe_compile(&probe->base, def, &fetch.place, fields, diag);
}

/* Compile the arguments, take the sites. @list is the functions; NULL: they come later. */
static int pattern_finish(struct kpt_pattern_probe *probe, const struct kpt_def *def,
			  const struct kpt_symbol_list *list, bool in_pieces,
			  const struct kpt_fields **fields, struct kpt_diag *diag)
{
	int err = pattern_compile(probe, def, list, fields, diag);

	if (err || !list)
		return err;
	if (in_pieces)
		err = pattern_take_all(probe, list, diag);
	else
		err = pattern_take(probe, list, diag);
	if (err) {
		diag->column = def->place.at;
		if (fields)
			kpt_fields_free(*fields);
	}
	return err;
}

/*
 * Find the functions, compile the arguments, take the sites. This is mainline's order:
 * of several mistakes, error_log names the same one. @fields is NULL if the probe
 * was filled in before and its module is loaded again.
 */
static int pattern_fill_in(struct kpt_pattern_probe *probe,
			   const struct kpt_def *def, const struct kpt_fields **fields,
			   struct kpt_diag *diag)
{
	struct kpt_symbol_list list;
	int err;

	err = kpt_symbol_list(&list, probe->module, probe->names,
			      probe->is_pattern);
	if (err == -ENXIO)
		err = pattern_finish(probe, def, NULL, false, fields, diag);
	else if (!err && !list.nr)
		err = kpt_diag_set(diag, KPT_E_BAD_PROBE_ADDR, def->place.at,
				   -EINVAL);
	else if (!err)
		err = pattern_finish(probe, def, &list, false, fields, diag);
	kpt_symbol_list_free(&list);
	return err;
}

/* The same for a new probe of functions anywhere, letting others take kpt_mutex. */
static int pattern_fill_in_pieces(struct kpt_pattern_probe *probe,
				  const struct kpt_def *def, const struct kpt_fields **fields,
				  struct kpt_diag *diag)
{
	struct kpt_symbol_list in_kernel = { 0 }, in_modules = { 0 };
	enum kpt_hold how = kpt_mutex_pause();
	int err = kpt_symbol_list_in_kernel(&in_kernel, probe->names);

	if (!err && !in_kernel.nr)
		err = kpt_symbol_list_in_modules(&in_modules, NULL, probe->names);
	if (in_kernel.nr >= KPT_BLACKLIST_MANY)
		kpt_blacklist_prepare();
	err = kpt_mutex_resume(how) ?: err;
	if (!err && !in_kernel.nr && !in_modules.nr)
		err = kpt_diag_set(diag, KPT_E_BAD_PROBE_ADDR, def->place.at,
				   -EINVAL);
	kpt_symbol_list_free(&in_modules);
	err = err ?: pattern_finish(probe, def, &in_kernel, true, fields, diag);
	kpt_symbol_list_free(&in_kernel);
	return err;
}

/* Copy the functions from the definition. */
static int pattern_copy(struct kpt_pattern_probe *probe, const struct kpt_def *def)
{
	probe->is_return = def->kind == KPT_DEF_RETURN;
	probe->is_pattern = def->is_pattern;
	probe->names = kpt_probe_dup_span(def, &def->symbol);
	probe->base.line = kstrdup(def->text, GFP_KERNEL);
	probe->module = kpt_probe_dup_span(def, &def->module);
	if (!probe->names || !probe->base.line ||
	    (def->module.len && !probe->module))
		return -ENOMEM;
	probe->base.place = kasprintf(GFP_KERNEL, "%s%s%s%s",
				      probe->module ?: "",
				      probe->module ? ":" : "", probe->names,
				      probe->is_return ? "%return" : "");
	return probe->base.place ? 0 : -ENOMEM;
}

static void pattern_free(struct kpt_probe *base)
{
	struct kpt_pattern_probe *probe = pattern_of(base);

	kpt_sites_put(base);
	kvfree(probe->left_out.function);
	kpt_probe_fini(base);
	kfree(probe->module);
	kfree(probe->names);
	kfree(probe);
}

static struct kpt_probe *pattern_make(const struct kpt_def *def,
				      const struct kpt_fields **fields,
				      struct kpt_diag *diag)
{
	struct kpt_pattern_probe *probe;
	int err;

	*fields = NULL;
	probe = kzalloc(sizeof(*probe), GFP_KERNEL);
	if (!probe)
		return ERR_PTR(-ENOMEM);
	kpt_probe_init(&probe->base);
	err = pattern_copy(probe, def);
	if (!err && probe->is_pattern && !probe->module)
		err = pattern_fill_in_pieces(probe, def, fields, diag);
	else if (!err)
		err = pattern_fill_in(probe, def, fields, diag);
	if (err) {
		pattern_free(&probe->base);
		return ERR_PTR(err);
	}
	return &probe->base;
}

/* A probe of one module has been waiting for it: compile the arguments, too. */
static int pattern_attach_all(struct kpt_pattern_probe *probe,
			      struct kpt_diag *diag)
{
	struct kpt_def *def = kpt_probe_parse_line(&probe->base, diag);
	int err;

	if (IS_ERR(def))
		return PTR_ERR(def);
	err = pattern_fill_in(probe, def, NULL, diag);
	kvfree(def);
	return err ?: 1;
}

/* Add the functions of one more module. */
static int pattern_attach_more(struct kpt_pattern_probe *probe,
			       const struct module *mod, struct kpt_diag *diag)
{
	struct kpt_symbol_list list;
	int err;

	err = kpt_symbol_list(&list, mod->name, probe->names, true);
	if (!err && list.nr)
		err = pattern_take(probe, &list, diag) ?: 1;
	kpt_symbol_list_free(&list);
	/* The other functions stay probed. */
	return err == -EINVAL ? 0 : err;
}

static int pattern_attach(struct kpt_probe *base, const struct module *mod,
			  struct kpt_diag *diag)
{
	struct kpt_pattern_probe *probe = pattern_of(base);

	if (!probe->module)
		return probe->is_pattern ?
			pattern_attach_more(probe, mod, diag) : 0;
	if (strcmp(probe->module, mod->name) || base->sites.nr)
		return 0;
	return pattern_attach_all(probe, diag);
}

/* Functions that are left out go with the module, too. */
static bool pattern_stands_in(const struct kpt_probe *base, const struct module *mod,
			      kpt_going_t is_going)
{
	const struct left_out *out = &const_pattern_of(base)->left_out;
	unsigned int i;

	for (i = 0; i < out->nr; i++)
		if (is_going(out->function[i].addr, mod))
			return true;
	return kpt_sites_stand_in(base, mod, is_going);
}

static void pattern_detach(struct kpt_probe *base, const struct module *mod,
			   kpt_going_t is_going)
{
	struct left_out *out = &pattern_of(base)->left_out;
	unsigned int i, left = 0;

	for (i = 0; i < out->nr; i++)
		if (!is_going(out->function[i].addr, mod))
			out->function[left++] = out->function[i];
	out->nr = left;
	kpt_sites_detach(base, mod, is_going);
}

static const char *pattern_waits_for(const struct kpt_probe *base)
{
	return base->sites.nr ? NULL : const_pattern_of(base)->module;
}

/* Functions that could not be armed when the event was enabled are left out, too. */
static unsigned long pattern_left_out(const struct kpt_probe *base,
				      unsigned int *at, enum kpt_diag_code *why)
{
	const struct left_out *out = &const_pattern_of(base)->left_out;
	const struct kpt_site *site;

	if (*at < out->nr) {
		*why = out->function[*at].code;
		return out->function[(*at)++].addr;
	}
	while (*at - out->nr < base->sites.nr) {
		site = &base->sites.site[(*at)++ - out->nr];
		if (!site->is_first || !site->is_out)
			continue;
		*why = KPT_E_TEXT_CHANGED;
		return site->func;
	}
	return 0;
}

static void pattern_remark(const struct kpt_probe *base, struct seq_file *m)
{
	const struct kpt_pattern_probe *probe = const_pattern_of(base);
	unsigned int at, nr = 0, out = 0;
	enum kpt_diag_code why;

	for (at = 0; kpt_sites_function(base, &at); nr++)
		;
	for (at = 0; pattern_left_out(base, &at, &why); out++)
		;
	if (!probe->is_pattern && nr + out < 2)
		return;
	seq_printf(m, " # %u functions", nr);
	if (out)
		seq_printf(m, ", %u left out", out);
	if (probe->is_pattern && !probe->module)
		seq_puts(m, ", and those of modules that come");
}

static void pattern_prefix(const struct kpt_probe *base, struct seq_file *m)
{
	seq_putc(m, 'f');
}

const struct kpt_event_class kpt_class_fprobe = {
	.letters = "f",
	.log_name = "trace_fprobe",
	.default_group = "fprobes",
	.make = pattern_make,
	.free = pattern_free,
	.arm = kpt_sites_arm,
	.disarm = kpt_sites_disarm,
	.attach = pattern_attach,
	.stands_in = pattern_stands_in,
	.detach = pattern_detach,
	.waits_for = pattern_waits_for,
	.left_out = pattern_left_out,
	.remark = pattern_remark,
	.prefix = pattern_prefix,
};

/**
 * kpt_function_list_anywhere() - find functions of the kernel and of all modules
 * @list: result: those of the kernel, then those of modules, each ascending
 * @names: patterns
 *
 * Others may take kpt_mutex in between: modules may have come or gone since the functions
 * were found.
 *
 * Context: process context, sleeps, kpt_mutex held.
 * Return: 0, perhaps with an empty list; -ENOMEM; -EINTR as kpt_mutex_resume().
 */
int kpt_function_list_anywhere(struct kpt_symbol_list *list, const char *names)
{
	enum kpt_hold how = kpt_mutex_pause();
	int err;

	*list = (struct kpt_symbol_list){ 0 };
	err = kpt_symbol_list_in_kernel(list, names) ?:
	      kpt_symbol_list_in_modules(list, NULL, names);
	if (!err && list->nr >= KPT_BLACKLIST_MANY)
		kpt_blacklist_prepare();
	return kpt_mutex_resume(how) ?: err;
}
