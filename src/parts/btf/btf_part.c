// SPDX-License-Identifier: GPL-2.0-only
/* The part btf: names and types of arguments. */
#include "parts/btf/kernel_btf.h"
#include "fs/fs.h"
#include <linux/module.h>
#include "part.h"

static void btf_status(struct seq_file *m)
{
	struct kpt_strbuf sb;

	kpt_seq_begin(m, &sb);
	kpt_btf_status(&sb);
	kpt_seq_end(m, &sb);
}

static const struct kpt_part_files files[] = {
	{ KPT_DIR_TOP, &kpt_btf_entries },
	{ }
};

static void btf_forget(const struct module *mod)
{
	kpt_btf_forget(mod->name);
}

KPT_PART(btf) = {
	.name = "btf",
	.stage[KPT_STAGE_SYMBOLS] = { .init = kpt_btf_init, .exit = kpt_btf_exit },
	.stage[KPT_STAGE_TRIGGERS] = { .init = kpt_btf_param_init },
	.files = files,
	.status = btf_status,
	.module_coming = btf_forget,
	.module_gone = btf_forget,
	.readme = {
[KPT_README_FILES] =
"  btf			- Write BTF of this kernel, if it has none of its own\n",
[KPT_README_ARGS] =
"	           [(structname[,field])]<argname>[->field[->field|.field...]],\n"
"	           [(structname[,field])](fetcharg)->field[->field|.field...],\n"
"	           $current-><field>, $retval-><field>, <name>[<index>],\n"
"	           -u> for -> in user memory,\n"
"	           $arg* (all arguments), by the kernel's BTF\n",
[KPT_README_TYPES] =
"	           enum, enum(<name>) (shown by the names that the kernel's BTF has)\n",
	},
};
