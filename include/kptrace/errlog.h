/* SPDX-License-Identifier: GPL-2.0-only */
/* error_log: the last mistakes, with command, caret and reason. */
#ifndef KPTRACE_ERRLOG_H
#define KPTRACE_ERRLOG_H

#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/seq_file.h>
#include <kptrace/diag.h>

/* Entries an error_log keeps. */
#define KPT_ERRLOG_MAX 8

/**
 * struct kpt_errlog - one error_log
 * @lock: guards the others
 * @entries: oldest first
 * @nr: how many
 */
struct kpt_errlog {
	struct mutex lock;
	struct list_head entries;
	unsigned int nr;
};

/**
 * kpt_errlog_init() - an empty log
 * @log: the log
 */
void kpt_errlog_init(struct kpt_errlog *log);

/**
 * kpt_errlog_clear() - forget all entries
 * @log: the log
 *
 * Context: process context, sleeps.
 */
void kpt_errlog_clear(struct kpt_errlog *log);

/**
 * kpt_errlog_add() - note a mistake; the oldest of nine is forgotten
 * @log: the log
 * @loc: who found it ("trace_kprobe")
 * @command: the command, words joined by single spaces
 * @diag: what is wrong and where
 *
 * Context: process context, sleeps. Without memory the entry is dropped.
 */
void kpt_errlog_add(struct kpt_errlog *log, const char *loc,
		    const char *command, const struct kpt_diag *diag);

/**
 * kpt_errlog_show() - the text of error_log
 * @log: the log
 * @m: where to
 *
 * Context: process context, sleeps.
 */
void kpt_errlog_show(struct kpt_errlog *log, struct seq_file *m);

#endif
