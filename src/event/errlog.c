// SPDX-License-Identifier: GPL-2.0-only
/* error_log: the last mistakes, oldest first. */
#include "kernel/compat.h"
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/string.h>
#include "event/errlog.h"
#include "kernel/clock.h"
#include "lib/base/lex.h"

/* Bytes of an entry's text besides the command and the caret's indentation. */
#define ENTRY_FIXED	512

/**
 * struct entry - one mistake
 * @list: in kpt_errlog.entries
 * @text: its lines in error_log
 */
struct entry {
	struct list_head list;
	char text[];
};

/**
 * kpt_errlog_init() - make an empty log
 * @log: the log
 *
 * Context: process context.
 */
void kpt_errlog_init(struct kpt_errlog *log)
{
	mutex_init(&log->lock);
	INIT_LIST_HEAD(&log->entries);
	log->nr = 0;
}

static void errlog_forget_oldest(struct kpt_errlog *log)
{
	struct entry *e = list_first_entry(&log->entries, struct entry, list);

	list_del(&e->list);
	kfree(e);
	log->nr--;
}

/**
 * kpt_errlog_clear() - free all entries
 * @log: the log
 *
 * Context: process context, sleeps.
 */
void kpt_errlog_clear(struct kpt_errlog *log)
{
	mutex_lock(&log->lock);
	while (log->nr)
		errlog_forget_oldest(log);
	mutex_unlock(&log->lock);
}

/* Bytes of a character at @text that a terminal acts upon. C1 in UTF-8 is C2 80 to C2 9F. */
static unsigned int errlog_control(const char *text)
{
	const u8 *c = (const u8 *)text;

	if (c[0] == 0xc2 && c[1] >= 0x80 && c[1] < 0xa0)
		return 2;
	return *c < ' ' || *c == 0x7f;
}

/**
 * kpt_errlog_to_line() - make one line of a text, with all characters in their columns
 * @text: the text, which may be that of a program; blanks of any kind become spaces, and
 *	what a terminal acts upon becomes ?
 *
 * Context: any.
 */
void kpt_errlog_to_line(char *text)
{
	unsigned int len;

	for (; *text; text += len ?: 1) {
		len = errlog_control(text);
		if (kpt_lex_is_space(*text))
			*text = ' ';
		else
			memset(text, '?', len);
	}
}

static struct entry *errlog_make_entry(const char *loc, const char *command,
				const struct kpt_diag *diag)
{
	size_t size = ENTRY_FIXED + strlen(loc) + strlen(command) +
		      diag->column;
	char *line = kstrdup(command, GFP_KERNEL);
	struct kpt_strbuf sb;
	struct entry *e;

	e = line ? kmalloc(sizeof(*e) + size, GFP_KERNEL) : NULL;
	if (!e)
		goto out;
	kpt_errlog_to_line(line);
	kpt_strbuf_init(&sb, e->text, size);
	kpt_diag_print(&sb, kpt_clock_convert(KPT_CLOCK_LOCAL,
					      kpt_clock_stamp(KPT_CLOCK_LOCAL)),
		       loc, line, diag);
out:
	kfree(line);
	return e;
}

/**
 * kpt_errlog_add() - note a mistake; a full log frees its oldest entry
 * @log: the log
 * @loc: the tracer that found it ("trace_kprobe")
 * @command: the command; blanks of any kind are shown as spaces
 * @diag: the reason and its place in @command
 *
 * While the module is loaded, the kernel log has it, too, as nobody sees the file then: the
 * caller says nothing there of what is noted here.
 *
 * Context: process context, sleeps. Without memory the entry is dropped.
 */
void kpt_errlog_add(struct kpt_errlog *log, const char *loc,
		    const char *command, const struct kpt_diag *diag)
{
	struct entry *e = errlog_make_entry(loc, command, diag);

	if (!e)
		return;
	if (THIS_MODULE->state == MODULE_STATE_COMING)
		pr_err("%s", strstr(e->text, "] ") + 2);
	mutex_lock(&log->lock);
	if (log->nr == KPT_ERRLOG_MAX)
		errlog_forget_oldest(log);
	list_add_tail(&e->list, &log->entries);
	log->nr++;
	WRITE_ONCE(log->added, log->added + 1);
	mutex_unlock(&log->lock);
}

/**
 * kpt_errlog_show() - write the text of error_log
 * @log: the log
 * @m: gets the text
 *
 * Context: process context, sleeps.
 */
void kpt_errlog_show(struct kpt_errlog *log, struct seq_file *m)
{
	const struct entry *e;

	mutex_lock(&log->lock);
	list_for_each_entry(e, &log->entries, list)
		seq_puts(m, e->text);
	mutex_unlock(&log->lock);
}
