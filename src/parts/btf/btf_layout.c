// SPDX-License-Identifier: GPL-2.0-only
/*
 * Is BTF that a user gives that of the running kernel? The layouts of some structures
 * that differ between builds have to be those that kptrace was compiled with.
 */
#include "kernel/compat.h"
#include <linux/cred.h>
#include <linux/dcache.h>
#include <linux/fs.h>
#include <linux/mm_types.h>
#include <linux/module.h>
#include <linux/path.h>
#include <linux/sched.h>
#include "parts/btf/kernel_btf.h"
#include "parts/btf/member.h"

/**
 * struct layout - what the size or a member of a structure must be
 * @type: name of the structure
 * @member: name of the member; NULL if this is about the size
 * @bytes: where the member begins; or the size
 */
struct layout {
	const char *type;
	const char *member;
	u32 bytes;
};

#define SIZE(s) { #s, NULL, sizeof(struct s) }
#define PLACE(s, m) { #s, #m, offsetof(struct s, m) }

/* Structures that every kernel has. */
static const struct layout layouts[] = {
	SIZE(task_struct),
	PLACE(task_struct, comm),
	PLACE(task_struct, pid),
	PLACE(task_struct, mm),
	PLACE(task_struct, real_parent),
	PLACE(task_struct, cred),
	SIZE(file),
	PLACE(file, f_path),
	PLACE(file, f_op),
	PLACE(path, dentry),
	SIZE(dentry),
	PLACE(dentry, d_name),
	PLACE(dentry, d_parent),
	SIZE(inode),
	PLACE(inode, i_sb),
	PLACE(inode, i_ino),
	PLACE(super_block, s_dev),
	PLACE(super_block, s_id),
	SIZE(vm_area_struct),
	PLACE(vm_area_struct, vm_start),
	SIZE(page),
	PLACE(mm_struct, pgd),
	PLACE(cred, uid),
	PLACE(module, name),
};

/* What BTF says of it; U32_MAX if it does not have it. */
static u32 layout_in(const struct kpt_btf *btf, const struct layout *l)
{
	u32 id = kpt_btf_find(btf, KPT_BTF_STRUCT, l->type, 0);
	const struct kpt_btf_type *t = kpt_btf_type(btf, id);
	struct kpt_member m;

	if (!id)
		return U32_MAX;
	if (!l->member)
		return t->type;
	if (!kpt_member_find(btf, t, l->member, strlen(l->member), &m))
		return U32_MAX;
	return (u32)(m.bit / 8);
}

/**
 * kpt_btf_is_of_kernel() - does BTF describe this build of the kernel?
 * @btf: the blob, indexed
 * @why: if not, the first difference is appended
 *
 * A kernel with the same layout of all structures that are compared is not told from
 * this one.
 *
 * Context: process context.
 * Return: true if no difference is found.
 */
bool kpt_btf_is_of_kernel(const struct kpt_btf *btf, struct kpt_strbuf *why)
{
	const struct layout *l;
	const char *dot;
	u32 is;

	for (l = layouts; l < layouts + ARRAY_SIZE(layouts); l++) {
		dot = l->member ? "." : "";
		cond_resched();
		is = layout_in(btf, l);
		if (is == l->bytes)
			continue;
		kpt_strbuf_printf(why, "another build: struct %s%s%s ", l->type,
				  dot, l->member ?: "");
		if (is == U32_MAX)
			kpt_strbuf_puts(why, "is missing");
		else
			kpt_strbuf_printf(why, "%s %u, here %u",
					  l->member ? "is at byte" : "has size",
					  is, l->bytes);
		return false;
	}
	return true;
}
