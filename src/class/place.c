// SPDX-License-Identifier: GPL-2.0-only
/*
 * Probes at places in text: p and r. A parsed definition is turned into
 * addresses, a fetch program and handlers.
 */
#include <linux/err.h>
#include <linux/module.h>
#include <linux/slab.h>
#include "arming/sites.h"
#include "event/class.h"
#include "event/event_filter.h"
#include "arming/handlers.h"
#include "kernel/symbol/blacklist.h"
#include "kernel/symbol/symbol.h"

/**
 * struct kpt_place_probe - a probe at a place in text
 * @base: the part that probes of all classes have
 * @is_return: it records returns of a function
 * @is_entry: the place is the first instruction of a function
 * @by_text: it was defined before its module was loaded
 * @method: enum kpt_def_method: that of the definition, or KPT_METHOD_ANY
 * @maxactive: maxactive of the definition, or 0
 * @offset: from the symbol
 * @module: module named in the place, or NULL
 * @symbol: symbol named in the place, or NULL for an address; it is @base.place if that
 *	has nothing else
 * @addr: address of the place, 0 while its module is not loaded; then it has no sites
 */
struct kpt_place_probe {
	struct kpt_probe base;
	bool is_return : 1;
	bool is_entry : 1;
	bool by_text : 1;
	u8 method;
	u16 maxactive;
	u32 offset;
	char *module;
	char *symbol;
	unsigned long addr;
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

/* Make the text of the place for kprobe_events, which accepts it as input, too. */
static char *place_text(const struct kpt_place_probe *probe)
{
	const char *module = probe->module ?: "";
	const char *colon = probe->module ? ":" : "";

	if (!probe->symbol)
		return kasprintf(GFP_KERNEL, "0x%px", (void *)probe->addr);
	if (!probe->module && !probe->offset)
		return probe->symbol;
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
	probe->symbol = kpt_probe_dup_span(def, &def->symbol);
	if (def->module.len) {
		probe->module = kpt_probe_dup_span(def, &def->module);
		probe->base.line = kstrdup(def->text, GFP_KERNEL);
		if (!probe->module || !probe->base.line)
			return -ENOMEM;
	}
	if (def->symbol.len && !probe->symbol)
		return -ENOMEM;
	probe->base.place = place_text(probe);
	return probe->base.place ? 0 : -ENOMEM;
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
	if (err == -ENOMEM)
		return err;
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

/**
 * struct place_fetch - where a program will run, and for which probe
 * @place: the part that the compiler knows
 * @probe: the probe
 */
struct place_fetch {
	struct kpt_fetch_place place;
	const struct kpt_place_probe *probe;
};

static void place_find_types(const struct kpt_fetch_place *place,
			     struct kpt_fetch_types *types)
{
	const struct kpt_place_probe *probe =
		container_of(place, struct place_fetch, place)->probe;
	struct kpt_strbuf why;

	kpt_strbuf_init(&why, types->why, sizeof(types->why));
	types->btf = kpt_func_types(probe->addr, probe->offset ? NULL : probe->symbol,
				    &types->func, &why);
}

static int place_compile(struct kpt_place_probe *probe,
			 const struct kpt_def *def, const struct kpt_fields **fields,
			 struct kpt_diag *diag)
{
	struct place_fetch fetch = {
		.place = {
			.head = probe->is_return ? &kpt_head_return :
						   &kpt_head_place,
			.is_return = probe->is_return,
			.is_entry = probe->is_entry,
			.is_pending = place_is_pending(probe),
			.find_types = place_find_types,
		},
		.probe = probe,
	};

	probe->by_text |= fetch.place.is_pending;
	fetch.place.by_text = probe->by_text;
	return kpt_probe_compile(&probe->base, def, &fetch.place, fields, diag);
}

static int place_take_sites(struct kpt_place_probe *probe,
			    struct kpt_diag *diag)
{
	if (place_is_pending(probe))
		return 0;
	if (probe->is_return)
		return kpt_sites_get_returns(&probe->base, probe->addr,
					      probe->method, probe->maxactive,
					      diag);
	return kpt_sites_get_hit(&probe->base, probe->addr,
				  probe->is_entry ? probe->addr : 0, diag);
}

/*
 * Find the place, compile the arguments, take the sites. This is mainline's order:
 * of several mistakes, error_log names the same one. @fields is NULL if the probe
 * was filled in before and its module is loaded again.
 */
static int place_fill_in(struct kpt_place_probe *probe,
			 const struct kpt_def *def, const struct kpt_fields **fields,
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
			kpt_fields_free(*fields);
	}
	return err;
}

static int place_reattach(struct kpt_place_probe *probe, struct kpt_diag *diag)
{
	struct kpt_def *def = kpt_probe_parse_line(&probe->base, diag);
	int err;

	if (IS_ERR(def))
		return PTR_ERR(def);
	err = place_fill_in(probe, def, NULL, diag);
	/* It waits for the module to come back: it has no sites. */
	if (err)
		probe->addr = 0;
	kvfree(def);
	return err;
}

static void place_free(struct kpt_probe *base)
{
	struct kpt_place_probe *probe = place_of(base);

	kpt_sites_put(base);
	if (probe->symbol != base->place)
		kfree(probe->symbol);
	kpt_probe_fini(base);
	kfree(probe->module);
	kfree(probe);
}

static struct kpt_probe *place_make(const struct kpt_def *def,
				    const struct kpt_fields **fields,
				    struct kpt_diag *diag)
{
	struct kpt_place_probe *probe;
	int err;

	/* kmalloc() of older kernels takes 512 bytes for one more. */
	BUILD_BUG_ON(sizeof(*probe) > 256);
	*fields = NULL;
	probe = kzalloc(sizeof(*probe), GFP_KERNEL);
	if (!probe)
		return ERR_PTR(-ENOMEM);
	kpt_probe_init(&probe->base);
	err = place_take(probe, def) ?:
	      place_fill_in(probe, def, fields, diag);
	if (err) {
		place_free(&probe->base);
		return ERR_PTR(err);
	}
	return &probe->base;
}

static int place_attach(struct kpt_probe *base, const struct module *mod,
			struct kpt_diag *diag)
{
	struct kpt_place_probe *probe = place_of(base);
	int err;

	if (!probe->symbol || base->sites.nr || !probe->module ||
	    strcmp(probe->module, mod->name))
		return 0;
	err = place_reattach(probe, diag);
	return err ?: 1;
}

static void place_detach(struct kpt_probe *base, const struct module *mod,
			 kpt_going_t is_going)
{
	struct kpt_place_probe *probe = place_of(base);

	kpt_sites_detach(base, mod, is_going);
	if (probe->module && !base->sites.nr)
		probe->addr = 0;
}

static const char *place_waits_for(const struct kpt_probe *base)
{
	const struct kpt_place_probe *probe = const_place_of(base);

	return place_is_pending(probe) ? probe->module : NULL;
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

const struct kpt_event_class kpt_class_kprobe = {
	.letters = "pr",
	.log_name = "trace_kprobe",
	.default_group = "kprobes",
	.in_kprobe_events = true,
	.prefix = kprobe_prefix,
	.make = place_make,
	.free = place_free,
	.arm = kpt_sites_arm,
	.disarm = kpt_sites_disarm,
	.attach = place_attach,
	.detach = place_detach,
	.waits_for = place_waits_for,
};
