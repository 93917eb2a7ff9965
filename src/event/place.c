// SPDX-License-Identifier: GPL-2.0-only
/*
 * Probes at places in text: p, r and f. A parsed definition is turned into
 * addresses, a fetch program and handlers.
 */
#include <linux/err.h>
#include <linux/module.h>
#include <linux/slab.h>
#include "event/class.h"
#include "event/filter.h"
#include "event/handlers.h"
#include "kernel/blacklist.h"
#include "kernel/symbol.h"

/**
 * struct kpt_site - one address that a probe needs armed
 * @point: the point there
 * @role: what the probe needs it for
 */
struct kpt_site {
	struct kpt_point *point;
	enum kpt_role role;
};

/**
 * struct kpt_place_probe - a probe at a place in text
 * @base: the part that probes of all classes have
 * @is_return: it records returns of a function
 * @is_entry: the place is the first instruction of a function
 * @calls: owner of its calls, in use if @base.calls points here
 * @method: method of the definition, or KPT_METHOD_ANY
 * @maxactive: maxactive of the definition, or 0
 * @module: module named in the place, or NULL
 * @symbol: symbol named in the place, or NULL for an address
 * @offset: from the symbol
 * @addr: address of the place, 0 while its module is not loaded
 * @site: the addresses it needs armed, NULL while its module is not loaded
 * @nr_sites: number of sites
 */
struct kpt_place_probe {
	struct kpt_probe base;
	bool is_return;
	bool is_entry;
	struct kpt_call_owner calls;
	enum kpt_def_method method;
	u16 maxactive;
	char *module;
	char *symbol;
	u32 offset;
	unsigned long addr;
	struct kpt_site *site;
	unsigned int nr_sites;
};

static struct kpt_place_probe *place_of(struct kpt_probe *base)
{
	return container_of(base, struct kpt_place_probe, base);
}

static const struct kpt_place_probe *
const_place_of(const struct kpt_probe *base)
{
	return container_of(base, struct kpt_place_probe, base);
}

static char *place_dup_span(const struct kpt_def *def,
			    const struct kpt_span *span)
{
	return kmemdup_nul(def->text + span->at, span->len, GFP_KERNEL);
}

/* Make the text of the place for kprobe_events, which accepts it as input, too. */
static char *place_text(const struct kpt_place_probe *probe, bool of_function)
{
	const char *module = probe->module ?: "";
	const char *colon = probe->module ? ":" : "";

	if (of_function)
		return kasprintf(GFP_KERNEL, "%s%s%s%s", module, colon,
				 probe->symbol,
				 probe->is_return ? "%return" : "");
	if (!probe->symbol)
		return kasprintf(GFP_KERNEL, "0x%px", (void *)probe->addr);
	if (!probe->offset)
		return kasprintf(GFP_KERNEL, "%s%s%s", module, colon,
				 probe->symbol);
	return kasprintf(GFP_KERNEL, "%s%s%s+%u", module, colon, probe->symbol,
			 probe->offset);
}

/* Copy the place from the definition. */
static int place_take(struct kpt_place_probe *probe, const struct kpt_def *def)
{
	probe->method = def->method;
	probe->maxactive = def->maxactive;
	probe->offset = def->offset;
	probe->is_return = def->kind == KPT_DEF_RETURN;
	if (!def->symbol.len)
		probe->addr = def->address;
	else
		probe->symbol = place_dup_span(def, &def->symbol);
	if (def->module.len) {
		probe->module = place_dup_span(def, &def->module);
		probe->base.line = kstrdup(def->text, GFP_KERNEL);
		if (!probe->module || !probe->base.line)
			return -ENOMEM;
	}
	probe->base.place = place_text(probe, def->of_function);
	if ((def->symbol.len && !probe->symbol) || !probe->base.place)
		return -ENOMEM;
	return 0;
}

/* Look up the address of the place; it is 0 while its module is not loaded. */
static int place_find(struct kpt_place_probe *probe, struct kpt_diag *diag)
{
	unsigned long addr;
	int err;

	if (!probe->symbol)
		return 0;
	err = kpt_symbol_lookup(probe->module, probe->symbol, &addr);
	if (err == -ENXIO) {
		probe->addr = 0;
		return 0;
	}
	if (err == -EADDRNOTAVAIL)
		return kpt_diag_set(diag, KPT_E_NON_UNIQ_SYMBOL, 0, -EINVAL);
	if (err)
		return kpt_diag_set(diag, KPT_E_BAD_PROBE_ADDR, 0, -EINVAL);
	probe->addr = addr + probe->offset;
	return 0;
}

/* Does the probe wait for its module? */
static bool place_is_pending(const struct kpt_place_probe *probe)
{
	return !probe->addr && probe->symbol;
}

/*
 * Is the place the first instruction of a function? Yes for a symbol without an
 * offset, even if its module is not loaded; symbol+offset and addresses are looked
 * up.
 */
static bool place_at_entry(const struct kpt_place_probe *probe)
{
	unsigned long start, size;

	if (probe->symbol && !probe->offset)
		return true;
	return !kpt_symbol_range(probe->addr, &start, &size) &&
	       start == probe->addr;
}

/*
 * Keep shape and listing of the first compilation. Compiling again, when the module
 * is loaded again, changes only the program.
 */
static int place_keep_shape(struct kpt_place_probe *probe,
			    const struct kpt_fetch_scratch *out,
			    struct kpt_fields **fields)
{
	*fields = kmemdup(&out->fields, kpt_fields_size(&out->fields),
			  GFP_KERNEL);
	probe->base.args = kstrdup(out->listing.buf, GFP_KERNEL);
	if (*fields && probe->base.args)
		return 0;
	kfree(*fields);
	return -ENOMEM;
}

static int place_compile(struct kpt_place_probe *probe,
			 const struct kpt_def *def, struct kpt_fields **fields,
			 struct kpt_diag *diag)
{
	struct kpt_fetch_place place = {
		.head = probe->is_return ? &kpt_head_return : &kpt_head_place,
		.is_return = probe->is_return,
		.is_entry = probe->is_entry,
		.is_pending = place_is_pending(probe),
	};
	struct kpt_fetch_scratch *out;
	int err;

	out = kvmalloc(sizeof(*out), GFP_KERNEL);
	if (!out)
		return -ENOMEM;
	err = kpt_fetch_compile(out, def, &place, diag);
	if (err)
		goto out;
	kfree(probe->base.prog);
	probe->base.prog = kmemdup(&out->prog, kpt_fetch_prog_size(&out->prog),
				   GFP_KERNEL);
	err = probe->base.prog ? 0 : -ENOMEM;
	if (!err && fields)
		err = place_keep_shape(probe, out, fields);
out:
	kvfree(out);
	return err;
}

static int place_take_site(struct kpt_place_probe *probe, unsigned long addr,
			   enum kpt_role role, struct kpt_diag *diag)
{
	struct kpt_site *site = &probe->site[probe->nr_sites];

	site->point = kpt_point_get(addr, role, diag);
	if (IS_ERR(site->point))
		return PTR_ERR(site->point);
	site->role = role;
	probe->nr_sites++;
	return 0;
}

static int place_alloc_sites(struct kpt_place_probe *probe, unsigned int nr)
{
	probe->site = kcalloc(nr, sizeof(*probe->site), GFP_KERNEL);
	return probe->site ? 0 : -ENOMEM;
}

/* Take the entry as a site: its hits make the calls that returns will find. */
static int place_take_entry(struct kpt_place_probe *probe, enum kpt_role role,
			    struct kpt_diag *diag)
{
	int err = kpt_calls_prepare();

	if (err)
		return err;
	probe->base.calls = &probe->calls;
	probe->calls = (struct kpt_call_owner){
		.limit = probe->maxactive,
		.replaces_return = role == KPT_ROLE_REPLACE,
		.nr_values = probe->base.prog->nr_entry,
		.arg = probe->base.prog->entry_arg,
	};
	return place_take_site(probe, probe->addr, role, diag);
}

/*
 * Put the sites of a probe that is not armed. To put those of many probes, first end
 * the calls of all of them: kpt_probe_end_calls(), then kpt_calls_end() once.
 */
static void place_put_sites(struct kpt_place_probe *probe)
{
	unsigned int i;

	if (probe->calls.end != KPT_CALLS_ORPHANED &&
	    kpt_probe_end_calls(&probe->base, KPT_CALLS_ORPHANED))
		kpt_calls_end(KPT_CALLS_ORPHANED);
	probe->base.calls = NULL;
	for (i = 0; i < probe->nr_sites; i++)
		kpt_point_put(probe->site[i].point, probe->site[i].role);
	kfree(probe->site);
	probe->site = NULL;
	probe->nr_sites = 0;
}

/*
 * Take every return instruction of the function as a site. A function without
 * return instructions gets no site.
 */
static int place_take_ret_sites(struct kpt_place_probe *probe,
				const struct kpt_arch_returns *returns,
				struct kpt_diag *diag)
{
	unsigned int i;
	int err;

	if (!returns->nr)
		return 0;
	err = place_alloc_sites(probe, returns->nr + 1);
	if (!err &&
	    (probe->base.prog->nr_entry || probe->base.prog->needs_elapsed))
		err = place_take_entry(probe, KPT_ROLE_ENTRY, diag);
	for (i = 0; !err && i < returns->nr; i++)
		err = place_take_site(probe, returns->addr[i], KPT_ROLE_RETURN,
				      diag);
	if (err)
		place_put_sites(probe);
	return err;
}

static int place_take_hook(struct kpt_place_probe *probe, struct kpt_diag *diag)
{
	int err = kpt_blacklist_check_hook(probe->addr, diag);

	if (err)
		return err;
	err = place_alloc_sites(probe, 1);
	return err ?: place_take_entry(probe, KPT_ROLE_REPLACE, diag);
}

static int place_refuse_ret(const struct kpt_place_probe *probe,
			    const struct kpt_arch_returns *returns,
			    struct kpt_diag *diag)
{
	kpt_diag_set(diag, KPT_E_OTHER_WAY_OUT, 0, -EINVAL);
	scnprintf(diag->detail, sizeof(diag->detail), "%s at +0x%lx",
		  returns->why, returns->at - probe->addr);
	return -EINVAL;
}

/*
 * Probe the return instructions. If one of them cannot be probed, or if the function
 * may be left by other instructions, replace the return address.
 */
static int place_take_returns(struct kpt_place_probe *probe,
			      struct kpt_diag *diag)
{
	struct kpt_arch_returns returns = { 0 };
	int err;

	/* kallsyms still names freed init text: check before reading it. */
	err = kpt_blacklist_check_text(probe->addr, diag);
	if (err)
		return err;
	err = -EOPNOTSUPP;
	if (probe->method != KPT_METHOD_HOOK) {
		err = kpt_arch_find_returns(probe->addr, &returns);
		if (!err)
			err = place_take_ret_sites(probe, &returns, diag);
		else if (err == -EOPNOTSUPP && probe->method == KPT_METHOD_RET)
			err = place_refuse_ret(probe, &returns, diag);
		kfree(returns.addr);
	}
	if (!err || err == -ENOMEM || probe->method == KPT_METHOD_RET)
		return err;
	kpt_diag_set(diag, KPT_E_NONE, 0, 0);
	return place_take_hook(probe, diag);
}

static int place_take_hit(struct kpt_place_probe *probe, struct kpt_diag *diag)
{
	int err = place_alloc_sites(probe, 1);

	return err ?: place_take_site(probe, probe->addr, KPT_ROLE_HIT, diag);
}

static int place_take_sites(struct kpt_place_probe *probe,
			    struct kpt_diag *diag)
{
	int err;

	if (place_is_pending(probe))
		return 0;
	err = probe->is_return ? place_take_returns(probe, diag) :
				 place_take_hit(probe, diag);
	if (err)
		place_put_sites(probe);
	return err;
}

/*
 * Find the place, compile the arguments, take the sites. This is mainline's order:
 * of several mistakes, error_log names the same one. @fields is NULL if the probe
 * was filled in before and its module is loaded again.
 */
static int place_fill_in(struct kpt_place_probe *probe,
			 const struct kpt_def *def, struct kpt_fields **fields,
			 struct kpt_diag *diag)
{
	int err;

	err = place_find(probe, diag);
	if (!err)
		probe->is_entry = place_at_entry(probe);
	if (!err && probe->is_return && !probe->is_entry)
		err = kpt_diag_set(diag, KPT_E_BAD_RETPROBE, 0, -EINVAL);
	if (err) {
		diag->column = def->place.at;
		return err;
	}
	err = place_compile(probe, def, fields, diag);
	if (err)
		return err;
	err = place_take_sites(probe, diag);
	if (err) {
		diag->column = def->place.at;
		if (fields)
			kfree(*fields);
	}
	return err;
}

static int place_reattach(struct kpt_place_probe *probe, struct kpt_diag *diag)
{
	struct kpt_def *def;
	int err;

	def = kvmalloc(sizeof(*def), GFP_KERNEL);
	if (!def)
		return -ENOMEM;
	err = kpt_def_parse(def, probe->base.line, strlen(probe->base.line),
			    diag);
	if (!err)
		err = place_fill_in(probe, def, NULL, diag);
	kvfree(def);
	return err;
}

static void place_free(struct kpt_probe *base)
{
	struct kpt_place_probe *probe = place_of(base);

	place_put_sites(probe);
	free_percpu(probe->base.counts);
	kfree(probe->base.prog);
	kfree(probe->base.args);
	kfree(probe->base.place);
	kfree(probe->symbol);
	kfree(probe->module);
	kfree(probe->base.line);
	kfree(probe);
}

static void place_detach(struct kpt_probe *base)
{
	place_put_sites(place_of(base));
}

static struct kpt_probe *place_make(const struct kpt_def *def,
				    struct kpt_fields **fields,
				    struct kpt_diag *diag)
{
	struct kpt_place_probe *probe;
	int err;

	*fields = NULL;
	probe = kzalloc(sizeof(*probe), GFP_KERNEL);
	if (!probe)
		return ERR_PTR(-ENOMEM);
	INIT_LIST_HEAD(&probe->base.list);
	INIT_LIST_HEAD(&probe->base.sibling);
	probe->base.counts = alloc_percpu(struct kpt_probe_counts);
	err = probe->base.counts ? place_take(probe, def) : -ENOMEM;
	if (!err)
		err = place_fill_in(probe, def, fields, diag);
	if (err) {
		place_free(&probe->base);
		return ERR_PTR(err);
	}
	return &probe->base;
}

static int place_arm(struct kpt_probe *base, struct kpt_event_file *file,
		     struct kpt_batch *batch, struct kpt_diag *diag)
{
	struct kpt_place_probe *probe = place_of(base);
	unsigned long func = probe->is_entry ? probe->addr : 0;
	struct kpt_handlers *handlers;
	struct kpt_hook *hook;
	unsigned int i;
	int err;

	for (i = 0; diag && i < probe->nr_sites; i++) {
		err = kpt_point_check(probe->site[i].point, diag);
		if (err)
			return err;
	}
	probe->calls.end = KPT_CALLS_GO_ON;
	for (i = 0; i < probe->nr_sites; i++) {
		hook = &probe->site[i].point->hook;
		handlers = kpt_handlers_with(hook, base, file,
					     probe->site[i].role, func);
		if (!handlers)
			return -ENOMEM;
		kpt_batch_add(batch, hook, handlers);
	}
	return 0;
}

static int place_disarm(struct kpt_probe *base, struct kpt_event_file *file,
			struct kpt_batch *batch)
{
	struct kpt_place_probe *probe = place_of(base);
	struct kpt_handlers *handlers;
	struct kpt_hook *hook;
	unsigned int i, left;

	for (i = 0; i < probe->nr_sites; i++) {
		hook = &probe->site[i].point->hook;
		if (!kpt_hook_next(hook))
			continue;
		handlers = kpt_handlers_without(hook, base, file, &left);
		if (!handlers && left)
			return -ENOMEM;
		kpt_batch_add(batch, hook, handlers);
	}
	return 0;
}

static int place_attach(struct kpt_probe *base, const struct module *mod,
			struct kpt_diag *diag)
{
	struct kpt_place_probe *probe = place_of(base);
	int err;

	if (!probe->symbol || probe->nr_sites || !probe->module ||
	    strcmp(probe->module, mod->name))
		return 0;
	err = place_reattach(probe, diag);
	return err ?: 1;
}

static const char *place_waits_for(const struct kpt_probe *base)
{
	const struct kpt_place_probe *probe = const_place_of(base);

	return place_is_pending(probe) ? probe->module : NULL;
}

static bool place_stands_in(const struct kpt_probe *base,
			    const struct module *mod, kpt_going_t is_going)
{
	const struct kpt_place_probe *probe = const_place_of(base);
	unsigned int i;

	for (i = 0; i < probe->nr_sites; i++)
		if (is_going(probe->site[i].point->arch.addr, mod))
			return true;
	return false;
}

static unsigned long place_function(const struct kpt_probe *base,
				    unsigned int nth)
{
	const struct kpt_place_probe *probe = const_place_of(base);
	unsigned long start, size;

	if (nth || !probe->nr_sites)
		return 0;
	if (probe->is_entry)
		return probe->addr;
	return kpt_symbol_range(probe->addr, &start, &size) ? 0 : start;
}

static void kprobe_prefix(const struct kpt_probe *base, struct seq_file *m)
{
	const struct kpt_place_probe *probe = const_place_of(base);
	static const char *const methods[] = {
		[KPT_METHOD_ANY] = "",
		[KPT_METHOD_RET] = "ret",
		[KPT_METHOD_HOOK] = "hook",
	};

	seq_printf(m, "%c%s", probe->is_return ? 'r' : 'p',
		   methods[probe->method]);
	if (probe->maxactive)
		seq_printf(m, "%u", probe->maxactive);
}

static void fprobe_prefix(const struct kpt_probe *base, struct seq_file *m)
{
	const struct kpt_place_probe *probe = const_place_of(base);

	seq_putc(m, 'f');
	if (probe->maxactive)
		seq_printf(m, "%u", probe->maxactive);
}

#define PLACE_OPS                                                   \
	.make = place_make, .free = place_free, .arm = place_arm,   \
	.disarm = place_disarm, .attach = place_attach,             \
	.waits_for = place_waits_for, .stands_in = place_stands_in, \
	.function = place_function, .detach = place_detach

const struct kpt_event_class kpt_class_kprobe = {
	.letters = "pr",
	.log_name = "trace_kprobe",
	.default_group = "kprobes",
	.in_kprobe_events = true,
	.prefix = kprobe_prefix,
	PLACE_OPS,
};

const struct kpt_event_class kpt_class_fprobe = {
	.letters = "f",
	.log_name = "trace_fprobe",
	.default_group = "fprobes",
	.prefix = fprobe_prefix,
	PLACE_OPS,
};
