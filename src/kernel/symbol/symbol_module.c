// SPDX-License-Identifier: GPL-2.0-only
/*
 * Modules by name and by address, and the functions of the module that was looked at last, in
 * order of address. The kernel compares all symbols of a module each time that it is asked for
 * one, and to probe a function takes several questions.
 */
#include "kernel/compat.h"
#include <linux/kallsyms.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/sort.h>
#include "kernel/symbol/coming.h"
#include "kernel/ksyms.h"
#include "kernel/lock.h"
#include "kernel/symbol/symbol.h"

/**
 * struct symbol_in_module - a symbol in the text of a module
 * @offset: bytes from the start of that text
 * @name: where its name begins in struct symbol_module.names
 */
struct symbol_in_module {
	u32 offset;
	u32 name;
};

/**
 * struct symbol_module - a module and its symbols
 * @module: name of the module
 * @text: start of its text
 * @text_size: bytes of that; 0: there is no module
 * @symbol: its symbols, ascending; of several at one address, the first one of its table
 * @nr: number of symbols
 * @room: number of symbols that there is memory for
 * @names: their names, each with its NUL
 * @names_size: bytes of those
 * @names_room: bytes that there are
 * @plain: the kernel's blacklist of kprobes has no address in it
 */
static struct symbol_module {
	char module[MODULE_NAME_LEN];
	unsigned long text;
	unsigned long text_size;
	struct symbol_in_module *symbol;
	unsigned int nr;
	unsigned int room;
	char *names;
	unsigned int names_size;
	unsigned int names_room;
	bool plain;
} symbol_module;

/* How often modules came or went. Written under kpt_mutex. */
static unsigned long modules_seq;

/* Let @m be the module of an address. Returns false if it is in none that stays. */
static bool symbol_module_at(struct symbol_module *m, unsigned long addr)
{
	const struct module *mod;
	bool stays;

	kpt_symbol_lock_modules();
	mod = __module_address(addr);
	stays = mod && kpt_module_is_usable(mod) &&
		addr - kpt_module_text(mod) < kpt_module_text_size(mod);
	if (stays) {
		strscpy(m->module, mod->name, sizeof(m->module));
		m->text = kpt_module_text(mod);
		m->text_size = kpt_module_text_size(mod);
		m->plain = !kpt_module_has_blacklist(mod);
	}
	kpt_symbol_unlock_modules();
	return stays;
}

/* Count a symbol and the bytes of its name; note them if there is room. */
static int symbol_module_add(void *data, const char *name, unsigned long addr)
{
	struct symbol_module *m = data;
	size_t size = strlen(name) + 1;

	if (addr - m->text >= m->text_size)
		return 0;
	if (m->nr < m->room && m->names_size + size <= m->names_room) {
		m->symbol[m->nr] = (struct symbol_in_module){ addr - m->text,
							      m->names_size };
		memcpy(m->names + m->names_size, name, size);
	}
	m->nr++;
	m->names_size += size;
	return 0;
}

static int symbol_module_compare(const void *a, const void *b)
{
	const struct symbol_in_module *x = a, *y = b;

	if (x->offset != y->offset)
		return x->offset < y->offset ? -1 : 1;
	return x->name < y->name ? -1 : x->name > y->name;
}

/* Visit all symbols. Returns true if there was room for them. */
static bool symbol_module_walk(struct symbol_module *m)
{
	m->nr = 0;
	m->names_size = 0;
	kpt_ksyms_in_modules(m->module, NULL, symbol_module_add, m);
	return m->nr <= m->room && m->names_size <= m->names_room;
}

static void symbol_module_free(struct symbol_module *m)
{
	kvfree(m->symbol);
	kvfree(m->names);
	*m = (struct symbol_module){ 0 };
}

/* Make room for the symbols that were counted. */
static bool symbol_module_reserve(struct symbol_module *m)
{
	if (!m->nr)
		return false;
	m->symbol = kvmalloc_array(m->nr, sizeof(*m->symbol), GFP_KERNEL | __GFP_NOWARN);
	m->names = kvmalloc(m->names_size, GFP_KERNEL | __GFP_NOWARN);
	m->room = m->nr;
	m->names_room = m->names_size;
	return m->symbol && m->names;
}

/* Make the list of the module that an address is in. Returns false if there is none. */
static bool symbol_module_make(struct symbol_module *m, unsigned long addr)
{
	struct symbol_module made = { 0 };
	unsigned int i, nr = 0;

	/* The list that there is stays if the address is in no module, or in init code. */
	if (!symbol_module_at(&made, addr))
		return false;
	symbol_module_free(m);
	*m = made;
	symbol_module_walk(m);
	/*
	 * They become fewer if the init code ends in between. They could only become more
	 * if another module of that name came.
	 */
	if (!symbol_module_reserve(m) || !symbol_module_walk(m)) {
		symbol_module_free(m);
		return false;
	}
	sort(m->symbol, m->nr, sizeof(*m->symbol), symbol_module_compare, NULL);
	for (i = 0; i < m->nr; i++)
		if (!i || m->symbol[i].offset != m->symbol[nr - 1].offset)
			m->symbol[nr++] = m->symbol[i];
	m->nr = nr;
	return true;
}

/*
 * Find the symbol that an address is in. Returns NULL if that is not known here: then the
 * kernel has to be asked.
 */
static const struct symbol_in_module *symbol_module_find(unsigned long addr)
{
	struct symbol_module *m = &symbol_module;
	unsigned int from = 0, to, mid;

	lockdep_assert_held(&kpt_mutex);
	if (core_kernel_text(addr))
		return NULL;
	if (addr - m->text >= m->text_size && !symbol_module_make(m, addr))
		return NULL;
	/* The last one that is not behind the address. */
	for (to = m->nr; from < to;) {
		mid = from + (to - from) / 2;
		if (m->symbol[mid].offset <= addr - m->text)
			from = mid + 1;
		else
			to = mid;
	}
	return from ? &m->symbol[from - 1] : NULL;
}

/**
 * kpt_symbol_module_forget() - forget the module that was looked at last
 *
 * Context: process context. kpt_mutex held, when a module comes or its text goes; or while
 * kptrace is unloaded.
 */
void kpt_symbol_module_forget(void)
{
	symbol_module_free(&symbol_module);
	WRITE_ONCE(modules_seq, modules_seq + 1);
}

/**
 * kpt_symbol_modules_seq() - have modules come or gone since it was asked before?
 *
 * Context: any; they do while kpt_mutex is not held.
 * Return: a number that is another one if they have.
 */
unsigned long kpt_symbol_modules_seq(void)
{
	return READ_ONCE(modules_seq);
}

/**
 * kpt_symbol_is_text() - is an address in the text of the kernel or of a module?
 * @addr: any address
 *
 * Context: any but BRK.
 * Return: true if it is.
 */
bool kpt_symbol_is_text(unsigned long addr)
{
	bool in_module;

	if (core_kernel_text(addr))
		return true;
	kpt_symbol_lock_modules();
	in_module = __module_text_address(addr);
	kpt_symbol_unlock_modules();
	return in_module;
}

/**
 * kpt_symbol_module_name() - the name of the symbol of a module
 * @addr: an address in it
 * @name: result: KSYM_NAME_LEN bytes, written on success only
 *
 * Context: process context, may sleep, kpt_mutex held.
 * Return: true; false if the kernel has to be asked.
 */
bool kpt_symbol_module_name(unsigned long addr, char *name)
{
	const struct symbol_in_module *s = symbol_module_find(addr);

	if (s)
		strscpy(name, symbol_module.names + s->name, KSYM_NAME_LEN);
	return s;
}

/**
 * kpt_symbol_module_range() - where the symbol of a module is
 * @addr: an address in it
 * @start: address of its first byte, written on success only
 * @size: its size in bytes, written on success only: up to the next symbol
 *
 * Context: process context, may sleep, kpt_mutex held.
 * Return: true; false if the kernel has to be asked.
 */
bool kpt_symbol_module_range(unsigned long addr, unsigned long *start,
			     unsigned long *size)
{
	const struct symbol_module *m = &symbol_module;
	const struct symbol_in_module *s = symbol_module_find(addr);
	bool is_last = s && s == m->symbol + m->nr - 1;

	if (!s)
		return false;
	*start = m->text + s->offset;
	*size = (is_last ? m->text_size : s[1].offset) - s->offset;
	return true;
}

/**
 * kpt_symbol_module_is_plain() - does the kernel's blacklist of kprobes know nothing of a
 * symbol?
 * @addr: an address in it
 *
 * The kernel compares addresses and, without its suffix, the name of a symbol that has
 * one.
 *
 * Context: process context, may sleep, kpt_mutex held.
 * Return: true; false if the kernel has to be asked.
 */
bool kpt_symbol_module_is_plain(unsigned long addr)
{
	const struct symbol_in_module *s = symbol_module_find(addr);

	return s && symbol_module.plain && !strchr(symbol_module.names + s->name, '.');
}

/**
 * kpt_symbol_module_loaded() - is a module loaded?
 * @name: its name; one that is being unloaded does not count, nor one that is being
 *	loaded and that our notifier will see later
 *
 * Context: process context, kpt_mutex held.
 * Return: true if it is.
 */
bool kpt_symbol_module_loaded(const char *name)
{
	const struct module *mod;
	bool loaded;

	kpt_symbol_lock_modules();
	mod = find_module(name);
	loaded = mod && kpt_module_is_usable(mod);
	kpt_symbol_unlock_modules();
	return loaded;
}

/**
 * kpt_symbol_module_text() - find the text of a module
 * @name: its name
 * @start: result: address of the first byte
 * @size: result: its bytes
 *
 * Context: any but BRK.
 * Return: true; false if it is not loaded, or being unloaded.
 */
bool kpt_symbol_module_text(const char *name, unsigned long *start, unsigned long *size)
{
	const struct module *mod;
	bool loaded;

	kpt_symbol_lock_modules();
	mod = find_module(name);
	loaded = mod && mod->state != MODULE_STATE_GOING;
	if (loaded) {
		*start = kpt_module_text(mod);
		*size = kpt_module_text_size(mod);
	}
	kpt_symbol_unlock_modules();
	return loaded;
}

/**
 * kpt_symbol_module_of() - the module that an address is in
 * @addr: the address
 * @name: result: MODULE_NAME_LEN bytes; written only if it is in one
 *
 * Context: any but BRK.
 * Return: true if it is in a module.
 */
bool kpt_symbol_module_of(unsigned long addr, char *name)
{
	const struct module *mod;

	kpt_symbol_lock_modules();
	mod = __module_address(addr);
	if (mod)
		strscpy(name, mod->name, MODULE_NAME_LEN);
	kpt_symbol_unlock_modules();
	return mod;
}
