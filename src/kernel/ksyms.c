// SPDX-License-Identifier: GPL-2.0-only
/*
 * Find kernel symbols that are not exported.
 *
 * A module can print the symbol of an address (sprint_symbol) but cannot look up the
 * address of a symbol. kallsyms_lookup_name is in the same object file as
 * sprint_symbol, so printing the symbols around sprint_symbol finds it, nearly
 * always within a few steps. In kernels built with LTO or AutoFDO it may be anywhere
 * in the text.
 */
#include "kernel/compat.h"
#include <linux/capability.h>
#include <linux/cred.h>
#include <linux/fs.h>
#include <linux/sched/task.h>
#include "kernel/ksyms.h"
#include "kernel/symbol/symbol_many.h"
#include "lib/base/scan.h"
#include "arch.h"

/**
 * struct ksym - a function of the table
 * @at: where its entry branches to
 * @names: its names, separated by '|'
 * @without: what is lost without it
 */
struct ksym {
	void **at;
	const char *names;
	const char *without;
};

#define KPT_KSYM(name, without) { &kpt_to_##name##_at, #name, without },
#define KPT_KSYM_AS(name, names, without) { &kpt_to_##name##_at, names, without },
#define KPT_KSYM_DATA(name, without) { &kpt_to_##name##_at, #name, without },
#define KPT_KSYM_KEY(name)
static const struct ksym ksym_table[] = {
#include "kernel/ksyms_table.h"
};
#undef KPT_KSYM
#undef KPT_KSYM_AS
#undef KPT_KSYM_DATA
#undef KPT_KSYM_KEY

static bool ksym_is_missing(const struct ksym *k)
{
	return !*k->at || *k->at == kpt_ksym_none;
}

static void print_symbol(char *text, unsigned long addr)
{
	BUILD_BUG_ON(KPT_SCAN_TEXT < KSYM_SYMBOL_LEN);
	cond_resched();
	sprint_symbol(text, addr);
}

/* Find kallsyms_lookup_name(), or say why not. */
static unsigned long find_lookup_name(void)
{
	struct kpt_scans s = {
		.wanted = "kallsyms_lookup_name",
		.from = KPT_ARCH_ADDR(sprint_symbol),
		.print = print_symbol,
	};
	unsigned long addr = kpt_scan(&s);

	if (!addr)
		pr_err("%s is not in %u symbols up to %s, nor in %u down to %s\n", s.wanted,
		       s.scans[0].steps, s.scans[0].ended, s.scans[1].steps, s.scans[1].ended);
	return addr;
}

/**
 * kpt_ksyms_any() - address of the first of several symbols that exists
 * @names: exact names, separated by '|'
 *
 * Context: process context.
 * Return: the address, 0 if none of them exists.
 */
unsigned long kpt_ksyms_any(const char *names)
{
	return kpt_symbol_many_addr(NULL, names);
}

/**
 * kpt_ksyms_addr() - address of a kernel symbol
 * @name: exact name
 *
 * Context: process context; up to 12 ms on kernels that search linearly:
 * kpt_symbol_many_walk() is for many.
 * Return: the address, 0 if there is none.
 */
unsigned long kpt_ksyms_addr(const char *name)
{
	return kallsyms_lookup_name(name);
}

/* Find the function of a row. Returns 0, or -ENXIO if that is needed and missing. */
static int ksym_find(const struct ksym *k, struct kpt_symbol_many *many)
{
	unsigned long addr = kpt_symbol_many_addr(many, k->names);

	if (addr) {
		*k->at = (void *)addr;
	} else if (!k->without) {
		pr_err("this kernel has no symbol %s, which is needed\n", k->names);
		return -ENXIO;
	}
	return 0;
}

/**
 * kpt_ksyms_init() - find the symbols
 *
 * If a symbol is missing that the module cannot work without, the kernel log says
 * which one.
 *
 * Context: module load.
 * Return: 0; -ENXIO if such a symbol is missing; -EOPNOTSUPP if calls of it would not pass
 * the kernel's checks.
 */
int kpt_ksyms_init(void)
{
	struct kpt_symbol_many *many = NULL;
	const struct ksym *k, *end = ksym_table + ARRAY_SIZE(ksym_table), *rest;
	unsigned long addr;
	int err = 0;

	addr = find_lookup_name();
	if (!addr)
		return -ENXIO;
	*ksym_table[0].at = (void *)addr;
	for (k = ksym_table; !err && k < end; k++) {
		if (ksym_is_missing(k))
			err = ksym_find(k, many);
		/* The rows up to this one are what a walk needs. */
		if (k->at != &kpt_to_kallsyms_on_each_symbol_at)
			continue;
		many = kpt_symbol_many_make();
		for (rest = k + 1; rest < end; rest++)
			kpt_symbol_many_add(many, rest->names);
		kpt_symbol_many_walk(many);
	}
	kpt_symbol_many_free(many);
	return err;
}

/*
 * With LTO, clang adds ".llvm." and a number to names of functions. Some kernels print and find
 * such a function by its name without that, but list it with that; all print those of modules
 * with it.
 *
 * Return: the length of the name without that, or 0 if it has no such end.
 */
static size_t len_before_lto(const char *name)
{
	static const char llvm[] = ".llvm";
	const char *number = IS_ENABLED(CONFIG_LTO_CLANG) ? strrchr(name, '.') : NULL;
	size_t len = number ? number - name : 0;

	if (len < strlen(llvm) || memcmp(number - strlen(llvm), llvm, strlen(llvm)))
		return 0;
	return len - strlen(llvm);
}

/* Is a symbol the function of a name, if LTO has given it an end that @name lacks? */
static bool is_lto_of(const char *symbol, const char *name)
{
	size_t len = len_before_lto(symbol);

	return len && len == strlen(name) && !memcmp(symbol, name, len);
}

/**
 * struct visit - a visit to the symbols of modules
 * @module: only symbols of this module, or NULL
 * @name: only symbols of this name, or NULL
 * @found: called for each
 * @data: first argument of @found
 * @lto: symbols that LTO has given an end that @name lacks
 * @any: there was one
 */
struct visit {
	const char *module;
	const char *name;
	kpt_symbol_found_t found;
	void *data;
	bool lto;
	bool any;
};

/*
 * Does the kernel print the name? It prints none of the assembler's own. Mapping symbols such
 * as $d or $d.1 mark data in text: type words of kCFI, which the kernel compares before it
 * calls the function behind (ELF for the Arm 64-bit Architecture, 5.5.4). The symbol of a
 * section has no name; in .text, words of ftrace may lie between it and the first function.
 */
static bool is_printed(const char *name)
{
	return name[0] && name[0] != '$' && strncmp(name, ".L", 2);
}

static bool visit_wants(const struct visit *v, const char *symbol)
{
	if (!v->name)
		return true;
	return v->lto ? is_lto_of(symbol, v->name) : !strcmp(symbol, v->name);
}

/* Visit the symbols of a module. Returns 1 if the visit has ended. */
static int visit_symbols(void *data, const struct module *mod)
{
	struct visit *v = data;
	/*
	 * When the module's init code has run, the kernel puts a shorter table in the place
	 * of the first one, and frees that after a grace period.
	 */
	const struct mod_kallsyms *table = rcu_dereference_raw(mod->kallsyms);
	const Elf_Sym *sym = table->symtab, *end = sym + table->num_symtab;
	const char *name;

	if (v->module && strcmp(v->module, mod->name))
		return 0;
	for (; sym < end; sym++) {
		name = table->strtab + sym->st_name;
		if (sym->st_shndx == SHN_UNDEF || !is_printed(name) || !visit_wants(v, name))
			continue;
		v->any = true;
		if (v->found(v->data, name, kallsyms_symbol_value(sym)))
			return 1;
	}
	return 0;
}

/*
 * The module that has @link in it; NULL if none has, because that is the head of the list of
 * modules, or if the module is being put together or taken apart. A struct module is in
 * the data of its module.
 */
static const struct module *visit_module(const struct list_head *link)
{
	const struct module *mod;

	preempt_disable();
	mod = __module_address((unsigned long)link);
	preempt_enable();
	return mod && &mod->list == link ? mod : NULL;
}

/**
 * kpt_ksyms_visit_modules() - visit modules
 * @visit: called for each, until it returns another value than 0; must not sleep
 * @data: first argument of @visit
 *
 * Context: process context.
 */
void kpt_ksyms_visit_modules(int (*visit)(void *data, const struct module *mod), void *data)
{
	/* The list is a ring, and kptrace is in it as long as its code runs. */
	const struct list_head *own = &THIS_MODULE->list, *link = own;
	const struct module *mod;

	rcu_read_lock();
	do {
		mod = visit_module(link);
		if (mod && visit(data, mod))
			break;
		link = rcu_dereference_raw(list_next_rcu(link));
	} while (link != own);
	rcu_read_unlock();
}

/**
 * kpt_ksyms_in_modules() - visit the symbols of modules that the kernel prints
 * @module: only symbols of this module, or NULL
 * @name: only symbols of this name, or if there is none, that LTO has given an end besides; or
 *	NULL
 * @found: called for each, until it returns another value than 0; must not sleep
 * @data: first argument of @found
 *
 * All is visited in one read-side critical section of RCU. So modules may come and go
 * meanwhile: each symbol of each other module is visited just once. The kernel's own
 * functions for that do not promise as much: one counts the symbols of all modules from the
 * first one in the list on, which is the newest; the other one takes a mutex in some
 * kernels, and expects it to be held in others.
 *
 * Context: process context.
 */
void kpt_ksyms_in_modules(const char *module, const char *name,
			  kpt_symbol_found_t found, void *data)
{
	struct visit v = { module, name, found, data };

	kpt_ksyms_visit_modules(visit_symbols, &v);
	v.lto = IS_ENABLED(CONFIG_LTO_CLANG) && name && !v.any;
	if (v.lto)
		kpt_ksyms_visit_modules(visit_symbols, &v);
}

/**
 * struct visit_kernel - what the kernel's symbols are visited for
 * @found: called for each
 * @data: its argument
 * @listed: only symbols that are listed by this name, unless NULL
 * @printed: room for a name
 */
struct visit_kernel {
	kpt_symbol_found_t found;
	void *data;
	const char *listed;
	char printed[KSYM_NAME_LEN];
};

static int visit_named(struct visit_kernel *v, const char *name, unsigned long addr)
{
	if (v->listed)
		return strcmp(name, v->listed) && !is_lto_of(name, v->listed) ? 0 :
		       v->found(v->data, name, addr);
	/* Only such names are looked up: that takes thousands of instructions. */
	if (len_before_lto(name) && !lookup_symbol_name(addr, v->printed) &&
	    is_lto_of(name, v->printed))
		name = v->printed;
	return v->found(v->data, name, addr);
}

#if KPT_HAVE_KALLSYMS_WITHOUT_MODULE
static int visit_kernel(void *data, const char *name, unsigned long addr)
{
	return visit_named(data, name, addr);
}
#else
static int visit_kernel(void *data, const char *name, struct module *mod,
			unsigned long addr)
{
	/* Symbols of modules are the last ones, and their list may change. */
	return mod ? 1 : visit_named(data, name, addr);
}
#endif

/**
 * kpt_ksyms_in_kernel() - visit the symbols of the kernel, aliases and data included, by the
 * names that the kernel prints
 * @found: called for each, until it returns another value than 0
 * @data: first argument of @found
 *
 * Context: process context, sleeps.
 * Return: true; false if this kernel has no function for that.
 */
bool kpt_ksyms_in_kernel(kpt_symbol_found_t found, void *data)
{
	struct visit_kernel v = { found, data };

	if (!kpt_has(kallsyms_on_each_symbol))
		return false;
	kallsyms_on_each_symbol(visit_kernel, &v);
	return true;
}

/**
 * kpt_ksyms_renamed() - visit the kernel's functions that LTO has given a name
 * @name: as in /proc/kallsyms, or without the end that LTO has given it
 * @found: called for each
 * @data: first argument of @found
 *
 * Context: process context, sleeps.
 */
void kpt_ksyms_renamed(const char *name, kpt_symbol_found_t found, void *data)
{
	struct visit_kernel v = { found, data, name };

	if (IS_ENABLED(CONFIG_LTO_CLANG) && kpt_has(kallsyms_on_each_symbol))
		kallsyms_on_each_symbol(visit_kernel, &v);
}

/**
 * kpt_ksyms_status() - list the missing symbols and what is lost without them
 * @sb: lines "name: value" are appended
 *
 * Context: process context.
 */
void kpt_ksyms_status(struct kpt_strbuf *sb)
{
	const struct ksym *k;

	for (k = ksym_table; k < ksym_table + ARRAY_SIZE(ksym_table); k++)
		if (ksym_is_missing(k))
			kpt_strbuf_printf(sb, "no %s: %s\n", k->names,
					  k->without);
}

/**
 * kpt_ksyms_has_syslog() - had who opened a file CAP_SYSLOG, outside of any container?
 * @file: the open file
 *
 * Not every kernel lets modules link to init_user_ns: it is that of the first task.
 *
 * Context: any.
 * Return: true if so.
 */
bool kpt_ksyms_has_syslog(const struct file *file)
{
	return file_ns_capable(file, rcu_access_pointer(init_task.real_cred)->user_ns,
			       CAP_SYSLOG);
}

/**
 * kpt_ksyms_may_show() - may a reader see addresses?
 * @file: the open file; the credentials of its opener are checked
 *
 * kptr_restrict decides, as for /proc/kallsyms.
 *
 * Context: any.
 * Return: true if it may.
 */
bool kpt_ksyms_may_show(const struct file *file)
{
	return kpt_has(kallsyms_show_value) ? kallsyms_show_value(file->f_cred) :
					      kpt_ksyms_has_syslog(file);
}
