/* SPDX-License-Identifier: GPL-2.0-only */
/* BTF of the running kernel and of its modules. */
#ifndef KPTRACE_KERNEL_BTF_H
#define KPTRACE_KERNEL_BTF_H

#include <linux/types.h>
#include "parts/btf/btf.h"
#include "lib/base/strbuf.h"

struct kpt_fs_table;

unsigned long kpt_btf_epoch(void);
bool kpt_btf_give(void *blob, size_t size, struct kpt_strbuf *why);
void kpt_btf_drop(void);
const struct kpt_btf *kpt_btf_given(void);
void *kpt_btf_read_file(const char *path, size_t *size);
bool kpt_btf_is_of_kernel(const struct kpt_btf *btf, struct kpt_strbuf *why);
void kpt_btf_forget(const char *module);
void kpt_btf_status(struct kpt_strbuf *sb);
int kpt_btf_init(void);
void kpt_btf_exit(void);
int kpt_btf_param_init(void);

/* btf_file.c: the file btf */
extern const struct kpt_fs_table kpt_btf_entries;

#endif
