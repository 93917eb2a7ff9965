// SPDX-License-Identifier: GPL-2.0-only
/*
 * Probes at places in text: p, r and f. From a parsed definition to addresses,
 * a fetch program and handlers.
 */
#include <linux/err.h>
#include <linux/module.h>
#include <linux/slab.h>
#include "event/class.h"
#include "event/filter.h"
#include "event/handlers.h"
#include "kernel/blacklist.h"
#include "kernel/symbol.h"

static char *dup_span(const struct kpt_def *def, const struct kpt_span *span)
{
	return kmemdup_nul(def->text + span->at, span->len, GFP_KERNEL);
}

/* The place as kprobe_events lists it, so that it can be written back. */
static char *place_text(const struct kpt_probe *probe, bool of_function)
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

/* Copy what the definition says of the place. */
static int take_place(struct kpt_probe *probe, const struct kpt_def *def)
{
	probe->method = def->method;
	probe->maxactive = def->maxactive;
	probe->offset = def->offset;
	probe->is_return = def->kind == KPT_DEF_RETURN;
	if (!def->symbol.len)
		probe->addr = def->address;
	else
		probe->symbol = dup_span(def, &def->symbol);
	if (def->module.len) {
		probe->module = dup_span(def, &def->module);
		probe->line = kstrdup(def->text, GFP_KERNEL);
		if (!probe->module || !probe->line)
			return -ENOMEM;
	}
	probe->place = place_text(probe, def->of_function);
	if ((def->symbol.len && !probe->symbol) || !probe->place)
		return -ENOMEM;
	return 0;
}

/* The address of the place, 0 while its module is not loaded. */
static int find_place(struct kpt_probe *probe, struct kpt_diag *diag)
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
static bool is_pending(const struct kpt_probe *probe)
{
	return !probe->addr && probe->symbol;
}

/*
 * Is the place the first instruction of a function? Of one that is named, also
 * while its module is not there; or of one that lies at an offset from another.
 */
static bool at_entry(const struct kpt_probe *probe)
{
	unsigned long start, size;

	if (probe->symbol && !probe->offset)
		return true;
	return !kpt_symbol_range(probe->addr, &start, &size) &&
	       start == probe->addr;
}

/* What of the results is kept only the first time: the rest stays the same. */
static int keep_shape(struct kpt_probe *probe,
		      const struct kpt_fetch_scratch *out,
		      struct kpt_fields **fields)
{
	*fields = kmemdup(&out->fields, kpt_fields_size(&out->fields),
			  GFP_KERNEL);
	probe->args = kstrdup(out->listing.buf, GFP_KERNEL);
	if (*fields && probe->args)
		return 0;
	kfree(*fields);
	return -ENOMEM;
}

/* Free the program, which filters may have been made for. */
static void drop_program(struct kpt_probe *probe)
{
	struct kpt_event_file *file;

	if (probe->event)
		list_for_each_entry(file, &probe->event->files, event_link)
			kpt_event_file_forget_program(file, probe->prog);
	kfree(probe->prog);
	probe->prog = NULL;
}

static int compile(struct kpt_probe *probe, const struct kpt_def *def,
		   struct kpt_fields **fields, struct kpt_diag *diag)
{
	struct kpt_fetch_place place = {
		.head = probe->is_return ? &kpt_head_return : &kpt_head_place,
		.is_return = probe->is_return,
		.is_entry = at_entry(probe),
		.is_pending = is_pending(probe),
	};
	struct kpt_fetch_scratch *out;
	int err;

	out = kvmalloc(sizeof(*out), GFP_KERNEL);
	if (!out)
		return -ENOMEM;
	err = kpt_fetch_compile(out, def, &place, diag);
	if (err)
		goto out;
	drop_program(probe);
	probe->prog = kmemdup(&out->prog, kpt_fetch_prog_size(&out->prog),
			      GFP_KERNEL);
	err = probe->prog ? 0 : -ENOMEM;
	if (!err && fields)
		err = keep_shape(probe, out, fields);
out:
	kvfree(out);
	return err;
}

static int take_site(struct kpt_probe *probe, unsigned long addr,
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

static int alloc_sites(struct kpt_probe *probe, unsigned int nr)
{
	probe->site = kcalloc(nr, sizeof(*probe->site), GFP_KERNEL);
	return probe->site ? 0 : -ENOMEM;
}

/* The entry, where calls begin that are kept until they return. */
static int take_entry(struct kpt_probe *probe, enum kpt_role role,
		      struct kpt_diag *diag)
{
	int err = kpt_calls_prepare();

	if (err)
		return err;
	probe->keeps_calls = true;
	probe->calls = (struct kpt_call_owner){
		.limit = probe->maxactive,
		.replaces_return = role == KPT_ROLE_REPLACE,
		.nr_values = probe->prog->nr_entry,
		.arg = probe->prog->entry_arg,
	};
	return take_site(probe, probe->addr, role, diag);
}

/*
 * Put the sites of a probe that is not armed. Of many probes the calls are ended
 * together, before this: see kpt_probe_end_calls().
 */
static void place_detach(struct kpt_probe *probe)
{
	unsigned int i;

	if (probe->calls.end != KPT_CALLS_ORPHANED &&
	    kpt_probe_end_calls(probe, KPT_CALLS_ORPHANED))
		kpt_calls_end(KPT_CALLS_ORPHANED);
	probe->keeps_calls = false;
	for (i = 0; i < probe->nr_sites; i++)
		kpt_point_put(probe->site[i].point, probe->site[i].role);
	kfree(probe->site);
	probe->site = NULL;
	probe->nr_sites = 0;
}

/*
 * Every return instruction of the function is a site. One that never returns has
 * none, and is left alone.
 */
static int take_ret_sites(struct kpt_probe *probe,
			  const struct kpt_arch_returns *returns,
			  struct kpt_diag *diag)
{
	unsigned int i;
	int err;

	if (!returns->nr)
		return 0;
	err = alloc_sites(probe, returns->nr + 1);
	if (!err && (probe->prog->nr_entry || probe->prog->needs_elapsed))
		err = take_entry(probe, KPT_ROLE_ENTRY, diag);
	for (i = 0; !err && i < returns->nr; i++)
		err = take_site(probe, returns->addr[i], KPT_ROLE_RETURN, diag);
	if (err)
		place_detach(probe);
	return err;
}

static int take_hook(struct kpt_probe *probe, struct kpt_diag *diag)
{
	int err = kpt_blacklist_check_hook(probe->addr, diag);

	if (err)
		return err;
	err = alloc_sites(probe, 1);
	return err ?: take_entry(probe, KPT_ROLE_REPLACE, diag);
}

static int refuse_ret(const struct kpt_probe *probe,
		      const struct kpt_arch_returns *returns,
		      struct kpt_diag *diag)
{
	kpt_diag_set(diag, KPT_E_OTHER_WAY_OUT, 0, -EINVAL);
	scnprintf(diag->detail, sizeof(diag->detail), "%s at +0x%lx",
		  returns->why, returns->at - probe->addr);
	return -EINVAL;
}

/*
 * If one of the return instructions can not be probed, or if there may be
 * another way out, the return address is replaced.
 */
static int take_returns(struct kpt_probe *probe, struct kpt_diag *diag)
{
	struct kpt_arch_returns returns = { 0 };
	int err;

	/* Text of init has a name when it is gone: only what is there is read. */
	err = kpt_blacklist_check_text(probe->addr, diag);
	if (err)
		return err;
	err = -EOPNOTSUPP;
	if (probe->method != KPT_METHOD_HOOK) {
		err = kpt_arch_find_returns(probe->addr, &returns);
		if (!err)
			err = take_ret_sites(probe, &returns, diag);
		else if (err == -EOPNOTSUPP && probe->method == KPT_METHOD_RET)
			err = refuse_ret(probe, &returns, diag);
		kfree(returns.addr);
	}
	if (!err || err == -ENOMEM || probe->method == KPT_METHOD_RET)
		return err;
	kpt_diag_set(diag, KPT_E_NONE, 0, 0);
	return take_hook(probe, diag);
}

static int take_place_itself(struct kpt_probe *probe, struct kpt_diag *diag)
{
	int err = alloc_sites(probe, 1);

	return err ?: take_site(probe, probe->addr, KPT_ROLE_HIT, diag);
}

static int take_sites(struct kpt_probe *probe, struct kpt_diag *diag)
{
	int err;

	if (is_pending(probe))
		return 0;
	err = probe->is_return ? take_returns(probe, diag) :
				 take_place_itself(probe, diag);
	if (err)
		place_detach(probe);
	return err;
}

/*
 * Mainline checks the place first, then the arguments, then arms. @fields is
 * NULL if all of that is done again, because the module has come.
 */
static int fill_in(struct kpt_probe *probe, const struct kpt_def *def,
		   struct kpt_fields **fields, struct kpt_diag *diag)
{
	int err;

	err = find_place(probe, diag);
	if (!err && probe->is_return && !at_entry(probe))
		err = kpt_diag_set(diag, KPT_E_BAD_RETPROBE, 0, -EINVAL);
	if (err) {
		diag->column = def->place.at;
		return err;
	}
	err = compile(probe, def, fields, diag);
	if (err)
		return err;
	err = take_sites(probe, diag);
	if (err) {
		diag->column = def->place.at;
		if (fields)
			kfree(*fields);
	}
	return err;
}

static int place_reattach(struct kpt_probe *probe, struct kpt_diag *diag)
{
	struct kpt_def *def;
	int err;

	def = kvmalloc(sizeof(*def), GFP_KERNEL);
	if (!def)
		return -ENOMEM;
	err = kpt_def_parse(def, probe->line, strlen(probe->line), diag);
	if (!err)
		err = fill_in(probe, def, NULL, diag);
	kvfree(def);
	return err;
}

static void place_free(struct kpt_probe *probe)
{
	place_detach(probe);
	free_percpu(probe->counts);
	drop_program(probe);
	kfree(probe->args);
	kfree(probe->place);
	kfree(probe->symbol);
	kfree(probe->module);
	kfree(probe->line);
	kfree(probe);
}

static struct kpt_probe *place_make(const struct kpt_def *def,
				 struct kpt_fields **fields,
				 struct kpt_diag *diag)
{
	struct kpt_probe *probe;
	int err;

	*fields = NULL;
	probe = kzalloc(sizeof(*probe), GFP_KERNEL);
	if (!probe)
		return ERR_PTR(-ENOMEM);
	INIT_LIST_HEAD(&probe->list);
	INIT_LIST_HEAD(&probe->sibling);
	probe->counts = alloc_percpu(struct kpt_probe_counts);
	err = probe->counts ? take_place(probe, def) : -ENOMEM;
	if (!err)
		err = fill_in(probe, def, fields, diag);
	if (err) {
		place_free(probe);
		return ERR_PTR(err);
	}
	return probe;
}

static int place_arm(struct kpt_probe *probe, struct kpt_event_file *file,
		     struct kpt_batch *batch)
{
	struct kpt_handlers *handlers;
	struct kpt_hook *hook;
	unsigned int i;

	probe->calls.end = KPT_CALLS_GO_ON;
	for (i = 0; i < probe->nr_sites; i++) {
		hook = &probe->site[i].point->hook;
		handlers = kpt_handlers_with(hook, probe, file,
					     probe->site[i].role);
		if (!handlers)
			return -ENOMEM;
		kpt_batch_add(batch, hook, handlers);
	}
	return 0;
}

static int place_disarm(struct kpt_probe *probe, struct kpt_event_file *file,
		      struct kpt_batch *batch)
{
	struct kpt_handlers *handlers;
	struct kpt_hook *hook;
	unsigned int i, left;

	for (i = 0; i < probe->nr_sites; i++) {
		hook = &probe->site[i].point->hook;
		if (!kpt_hook_next(hook))
			continue;
		handlers = kpt_handlers_without(hook, probe, file, &left);
		if (!handlers && left)
			return -ENOMEM;
		kpt_batch_add(batch, hook, handlers);
	}
	return 0;
}

static int place_attach(struct kpt_probe *probe, const struct module *mod,
			struct kpt_diag *diag)
{
	int err;

	if (!probe->symbol || probe->nr_sites || !probe->module ||
	    strcmp(probe->module, mod->name))
		return 0;
	err = place_reattach(probe, diag);
	return err ?: 1;
}

static const char *place_waits_for(const struct kpt_probe *probe)
{
	return is_pending(probe) ? probe->module : NULL;
}

static bool place_stands_in(const struct kpt_probe *probe,
			    const struct module *mod, kpt_going_t is_going)
{
	unsigned int i;

	for (i = 0; i < probe->nr_sites; i++)
		if (is_going(probe->site[i].point->arch.addr, mod))
			return true;
	return false;
}

static void kprobe_prefix(const struct kpt_probe *probe, struct seq_file *m)
{
	static const char *const methods[] = {
		[KPT_METHOD_ANY] = "", [KPT_METHOD_RET] = "ret",
		[KPT_METHOD_HOOK] = "hook",
	};

	seq_printf(m, "%c%s", probe->is_return ? 'r' : 'p',
		   methods[probe->method]);
	if (probe->maxactive)
		seq_printf(m, "%u", probe->maxactive);
}

static void fprobe_prefix(const struct kpt_probe *probe, struct seq_file *m)
{
	seq_putc(m, 'f');
	if (probe->maxactive)
		seq_printf(m, "%u", probe->maxactive);
}

#define PLACE_OPS			\
	.make = place_make,		\
	.free = place_free,		\
	.arm = place_arm,		\
	.disarm = place_disarm,		\
	.attach = place_attach,		\
	.waits_for = place_waits_for,	\
	.stands_in = place_stands_in,	\
	.detach = place_detach

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
