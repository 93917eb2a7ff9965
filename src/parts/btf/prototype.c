// SPDX-License-Identifier: GPL-2.0-only
/* The lines of can_probe about the parameters of a function. */
#include "kernel/compat.h"
#include "fs/fs.h"
#include "parts/btf/func_types.h"
#include "parts/btf/prototype_text.h"

/**
 * kpt_prototype_describe() - write the prototype of a function and its places
 * @text: result, lines as of kpt_prototype_put(), or one line with the reason
 * @size: bytes at @text
 * @addr: entry of the function
 * @name: its name, if it was asked for by name; or NULL
 *
 * Context: process context, sleeps, kpt_mutex held.
 */
void kpt_prototype_describe(char *text, size_t size, unsigned long addr,
			    const char *name)
{
	const struct kpt_btf *btf;
	struct kpt_strbuf sb, why;
	char reason[128];
	u32 func;

	kpt_strbuf_init(&sb, text, size);
	kpt_strbuf_init(&why, reason, sizeof(reason));
	btf = kpt_func_find(addr, name, &func, &why);
	if (btf)
		kpt_prototype_put(&sb, btf, func);
	if (btf && !sb.overflow)
		return;
	if (sb.overflow)
		kpt_strbuf_puts(&why, "it is too long to be shown");
	kpt_strbuf_init(&sb, text, size);
	kpt_strbuf_printf(&sb, "prototype: unknown: %s\n", reason);
}
