/* SPDX-License-Identifier: GPL-2.0-only */
/* error_log: the last mistakes, with command, caret and reason. */
#ifndef KPTRACE_ERRLOG_H
#define KPTRACE_ERRLOG_H

#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/seq_file.h>
#include "lib/base/diag.h"

/* Entries an error_log keeps. */
#define KPT_ERRLOG_MAX 8

/**
 * struct kpt_errlog - one error_log
 * @lock: guards @entries and @nr
 * @entries: the mistakes, oldest first
 * @nr: number of @entries
 * @added: number of mistakes that were ever noted
 */
struct kpt_errlog {
	struct mutex lock;
	struct list_head entries;
	unsigned int nr;
	unsigned long added;
};

void kpt_errlog_init(struct kpt_errlog *log);
void kpt_errlog_clear(struct kpt_errlog *log);
void kpt_errlog_to_line(char *text);
void kpt_errlog_add(struct kpt_errlog *log, const char *loc,
		    const char *command, const struct kpt_diag *diag);
void kpt_errlog_show(struct kpt_errlog *log, struct seq_file *m);

#endif
