// SPDX-License-Identifier: GPL-2.0-only
/*
 * can_probe: may this place be probed, how, and if not why? kprobes/: what is
 * probed, and what must not be.
 */
#include "kernel/compat.h"
#include <linux/kallsyms.h>
#include <linux/slab.h>
#include <linux/string.h>
#include "engine/point.h"
#include "fs/fs.h"
#include "kernel/blacklist.h"
#include "kernel/symbol.h"

/**
 * struct answer - what can_probe says; under kpt_mutex
 * @place: what was asked, empty if nothing yet
 * @addr: its address, 0 if it has none
 * @diag: why not, KPT_E_NONE if it can be probed
 * @mode: how, then
 * @returns: of a function's entry: how its returns can be seen
 */
static struct answer {
	char place[KSYM_NAME_LEN + 64];
	unsigned long addr;
	struct kpt_diag diag;
	enum kpt_mode mode;
	char returns[KPT_DIAG_DETAIL_MAX + 64];
} answer;

static int refuse(struct kpt_diag *diag, int err)
{
	enum kpt_diag_code code = KPT_E_BAD_PROBE_ADDR;

	if (err == -EADDRNOTAVAIL)
		code = KPT_E_NON_UNIQ_SYMBOL;
	return kpt_diag_set(diag, code, 0, -EINVAL);
}

/* The address a definition's place stands for. */
static int find_place(struct kpt_def *def, unsigned long *addr,
		      struct kpt_diag *diag)
{
	char *module = NULL;
	int err;

	if (!def->symbol.len) {
		*addr = def->address;
		return 0;
	}
	/* The text is not needed any more: end the names where they end. */
	def->text[def->symbol.at + def->symbol.len] = '\0';
	if (def->module.len) {
		module = def->text + def->module.at;
		module[def->module.len] = '\0';
	}
	err = kpt_symbol_lookup(module, def->text + def->symbol.at, addr);
	if (err)
		return refuse(diag, err);
	*addr += def->offset;
	return 0;
}

static int check_address(unsigned long addr, enum kpt_mode *mode,
			 struct kpt_diag *diag)
{
	struct kpt_arch_point point = { .addr = addr };
	int err;

	err = kpt_blacklist_check(addr, diag);
	if (!err)
		err = kpt_arch_check(&point, diag);
	*mode = point.mode;
	return err;
}

/* The way that r takes, and if it is the second one then why. */
static void check_returns(struct answer *a)
{
	struct kpt_arch_returns returns = { 0 };
	struct kpt_diag diag = { 0 };
	enum kpt_mode mode;
	unsigned int i;
	int err;

	err = kpt_arch_find_returns(a->addr, &returns);
	for (i = 0; !err && i < returns.nr; i++) {
		err = check_address(returns.addr[i], &mode, &diag);
		returns.why = kpt_diag_text(diag.code);
		returns.at = returns.addr[i];
	}
	kfree(returns.addr);
	if (!err && !returns.nr)
		strscpy(a->returns, "never", sizeof(a->returns));
	else if (!err)
		scnprintf(a->returns, sizeof(a->returns),
			  "%u return instructions", returns.nr);
	else if (returns.why)
		scnprintf(a->returns, sizeof(a->returns),
			  "return address: %s at +0x%lx", returns.why,
			  returns.at - a->addr);
}

static int check(struct kpt_def *def, struct answer *a)
{
	unsigned long start, size;
	int err;

	err = find_place(def, &a->addr, &a->diag);
	if (!err)
		err = check_address(a->addr, &a->mode, &a->diag);
	if (!err && !kpt_symbol_range(a->addr, &start, &size) &&
	    start == a->addr)
		check_returns(a);
	return err;
}

static int can_probe_store(const struct kpt_fs_node *node, char *text)
{
	struct kpt_def *def;
	char *line;
	int err;

	if (!*text || strlen(text) >= sizeof(answer.place) ||
	    strpbrk(text, " \t\n"))
		return -EINVAL;
	def = kvmalloc(sizeof(*def), GFP_KERNEL);
	line = kasprintf(GFP_KERNEL, "p %s", text);
	err = -ENOMEM;
	if (!def || !line)
		goto out;

	memset(&answer, 0, sizeof(answer));
	strscpy(answer.place, text, sizeof(answer.place));
	err = kpt_def_parse(def, line, strlen(line), &answer.diag);
	if (!err)
		err = check(def, &answer);
	if (err && answer.diag.code == KPT_E_NONE)
		kpt_diag_set(&answer.diag, KPT_E_BAD_PROBE_ADDR, 0, err);
	/* That it can not be probed is an answer, not a mistake. */
	if (err != -ENOMEM)
		err = 0;
out:
	kfree(line);
	kvfree(def);
	return err;
}

static int can_probe_show(struct seq_file *m, const struct kpt_fs_node *node)
{
	const struct kpt_diag *diag = &answer.diag;

	if (!answer.place[0])
		return 0;
	seq_printf(m, "place: %s\n", answer.place);
	if (answer.addr)
		seq_printf(m, "address: 0x%lx %pS\n", answer.addr,
			   (void *)answer.addr);
	seq_printf(m, "probe: %s\n", diag->code == KPT_E_NONE ? "yes" : "no");
	if (diag->code == KPT_E_NONE)
		seq_printf(m, "mode: %s\n", kpt_arch_mode_name(answer.mode));
	else
		seq_printf(m, "reason: %s%s%s\n", kpt_diag_text(diag->code),
			   diag->detail[0] ? ": " : "", diag->detail);
	if (answer.returns[0])
		seq_printf(m, "returns: %s\n", answer.returns);
	return 0;
}

static int list_show(struct seq_file *m, const struct kpt_fs_node *node)
{
	kpt_point_seq_show(m);
	return 0;
}

static int blacklist_show(struct seq_file *m, const struct kpt_fs_node *node)
{
	kpt_blacklist_seq_show(m);
	return 0;
}

static const struct kpt_fs_file check_entries[] = {
	{
		.name = "can_probe",
		.mode = 0640,
		.show = can_probe_show,
		.store = can_probe_store,
	},
};

static const struct kpt_fs_file kprobes_entries[] = {
	{ .name = "list", .mode = 0400, .show = list_show },
	{ .name = "blacklist", .mode = 0400, .show = blacklist_show },
};

const struct kpt_fs_table kpt_check_entries = KPT_FS_TABLE(check_entries);
const struct kpt_fs_table kpt_kprobes_entries = KPT_FS_TABLE(kprobes_entries);
