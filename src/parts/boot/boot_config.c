// SPDX-License-Identifier: GPL-2.0-only
/*
 * Boot configuration: what the parameter config=PATH and /proc/bootconfig have below
 * the key kptrace is done when the module is loaded, as the kernel does what is below
 * its key ftrace (Documentation/trace/boottime-trace.rst). A key is written to the file
 * of the tree that has its meaning.
 */
#include "kernel/compat.h"
#include <linux/moduleparam.h>
#include <linux/string.h>
#include <linux/vmalloc.h>
#include "event/class.h"
#include "event/snapshot.h"
#include "fs/fs.h"
#include "parts/boot/boot_config.h"
#include "parts/boot/bootconfig.h"
#include "lib/base/lex.h"

/**
 * struct boot - a configuration that is being done
 * @c: the configuration
 * @path: the file that it is from
 * @instance: the instance whose keys are done
 * @group: the group whose keys are done
 * @file: the event whose keys are done, or NULL
 * @text: memory for KPT_STORE_MAX characters that a file is given
 */
struct boot {
	const struct kpt_bootconfig *c;
	const char *path;
	struct kpt_instance *instance;
	const char *group;
	struct kpt_event_file *file;
	char text[KPT_STORE_MAX + 1];
};

/**
 * struct boot_key - a key
 * @word: its last word
 * @run: does it; mistakes are noted
 * @file: the file that it is written to, for @run
 * @has_words: it takes words behind it and no values; else it takes values and no words
 */
struct boot_key {
	const char *word;
	void (*run)(struct boot *b, unsigned int key, const char *file);
	const char *file;
	bool has_words;
};

/*
 * Mistakes.
 */

static const char no_such_key[] = "there is no such key";

/* Note that a key, or one of its values if @value is not 0, is not done. */
static void boot_mistake(const struct boot *b, unsigned int key, unsigned int value,
			 const char *why)
{
	char line[KPT_BOOTCONFIG_KEY_MAX + 256];
	struct kpt_strbuf sb;
	struct kpt_diag diag;

	kpt_strbuf_init(&sb, line, sizeof(line));
	kpt_bootconfig_put_key(b->c, key, &sb);
	kpt_diag_set(&diag, KPT_E_BOOT_KEY, 0, 0);
	if (value) {
		kpt_strbuf_puts(&sb, " = ");
		diag.column = sb.len;
		kpt_strbuf_puts(&sb, kpt_bootconfig_text(b->c, value));
	}
	kpt_errlog_to_line(line);
	kpt_diag_detail(&diag, why);
	diag.line = b->c->node[value ?: key].line;
	kpt_errlog_add(&kpt_top_instance.errlog, b->path, line, &diag);
}

static void boot_check(const struct boot *b, unsigned int key, unsigned int value, int err)
{
	char why[32];
	struct kpt_strbuf sb;

	if (!err)
		return;
	kpt_strbuf_init(&sb, why, sizeof(why));
	kpt_strbuf_printf(&sb, "error %d", err);
	boot_mistake(b, key, value, why);
}

/*
 * Note a value of a key that takes words, or words behind a key that takes values. An empty
 * value is none: /proc/bootconfig shows one for a key with nothing behind it.
 */
static void boot_check_kind(const struct boot *b, unsigned int key, bool has_words)
{
	unsigned int value = b->c->node[key].value, word;

	if (has_words && value && b->c->node[value].len)
		boot_mistake(b, key, value, "it has no value");
	if (has_words)
		return;
	kpt_bootconfig_for_each_word(b->c, word, key)
		boot_mistake(b, word, 0, no_such_key);
}

/* The only value of a key, or 0 with a mistake noted. */
static unsigned int boot_value(const struct boot *b, unsigned int key)
{
	unsigned int value = b->c->node[key].value;

	if (!value || !b->c->node[value].len)
		boot_mistake(b, key, 0, "it needs a value");
	else if (b->c->node[value].next)
		boot_mistake(b, key, b->c->node[value].next, "it has one value");
	else
		return value;
	return 0;
}

/* Do the keys of a table that there are, in the order of the table. */
static void boot_run(struct boot *b, unsigned int key, const struct boot_key *table,
		     unsigned int nr)
{
	unsigned int word, i;

	for (i = 0; i < nr; i++) {
		word = kpt_bootconfig_find(b->c, key, table[i].word);
		if (!word)
			continue;
		boot_check_kind(b, word, table[i].has_words);
		if (table[i].run)
			table[i].run(b, word, table[i].file);
	}
	kpt_bootconfig_for_each_word(b->c, word, key) {
		for (i = 0; i < nr; i++)
			if (!strcmp(kpt_bootconfig_text(b->c, word), table[i].word))
				break;
		if (i == nr)
			boot_mistake(b, word, 0, no_such_key);
	}
}

/*
 * Files.
 */

static const struct kpt_fs_table *const boot_tables[] = {
	&kpt_control_entries,
	&kpt_size_entries,
	&kpt_set_event_entries,
	&kpt_task_filter_entries,
	&kpt_options_file_entries,
};

static const struct kpt_fs_file *table_find(const struct kpt_fs_table *table,
					    const char *name)
{
	unsigned int i;

	for (i = 0; i < table->nr; i++)
		if (!strcmp(table->entry[i].name, name))
			return &table->entry[i];
	return NULL;
}

static const struct kpt_fs_file *boot_find_file(const struct boot *b, const char *name)
{
	const struct kpt_fs_file *found = NULL;
	const struct kpt_fs_table *table;
	unsigned int i;

	if (b->file)
		return table_find(&kpt_event_entries, name);
	for (i = 0; !found && i < ARRAY_SIZE(boot_tables); i++)
		found = table_find(boot_tables[i], name);
	for (i = 0; !found && (table = kpt_parts_table(KPT_DIR_INSTANCE, i)); i++)
		found = table_find(table, name);
	return found;
}

/* Write @text to a file of the instance, or of its event if there is one. */
static int boot_write(struct boot *b, const char *name, const char *text)
{
	struct kpt_fs_node node = {
		.entry = boot_find_file(b, name),
		.instance = b->instance,
		.event = b->file ? b->file->event : NULL,
		.group = b->file ? b->file->event->of : NULL,
		.file = b->file,
		.cpu = -1,
	};

	if (WARN_ON_ONCE(!node.entry))
		return -ENOENT;
	if (text != b->text && strscpy(b->text, text, sizeof(b->text)) < 0)
		return -E2BIG;
	return node.entry->store(&node, strim(b->text));
}

static void boot_put_one(struct boot *b, unsigned int key, const char *file)
{
	unsigned int value = boot_value(b, key);

	if (value)
		boot_check(b, key, value,
			   boot_write(b, file, kpt_bootconfig_text(b->c, value)));
}

static void boot_put_each(struct boot *b, unsigned int key, const char *file)
{
	unsigned int value;

	if (!b->c->node[key].value)
		boot_mistake(b, key, 0, "it needs a value");
	kpt_bootconfig_for_each_value(b->c, value, key)
		boot_check(b, key, value,
			   boot_write(b, file, kpt_bootconfig_text(b->c, value)));
}

/* Bytes, with K, M, KB or MB; the file takes KiB. */
static void boot_put_size(struct boot *b, unsigned int key, const char *file)
{
	unsigned int value = boot_value(b, key);
	unsigned long long size;
	char *text, *end;

	if (!value)
		return;
	text = kpt_bootconfig_text(b->c, value);
	size = memparse(text, &end);
	if (end == text || strcmp(*end == 'B' ? end + 1 : end, "")) {
		boot_mistake(b, key, value, "it is no size");
		return;
	}
	snprintf(b->text, sizeof(b->text), "%llu", DIV_ROUND_UP_ULL(size, SZ_1K));
	boot_check(b, key, value, boot_write(b, file, b->text));
}

/* A switch is on without a value. Returns what to write, or NULL. */
static const char *boot_switch(const struct boot *b, unsigned int key)
{
	unsigned int value = b->c->node[key].value;
	bool on;

	if (!value || !b->c->node[value].len)
		return "1";
	value = boot_value(b, key);
	if (!value)
		return NULL;
	if (!kpt_parse_switch(kpt_bootconfig_text(b->c, value), &on))
		return on ? "1" : "0";
	boot_mistake(b, key, value, "it is 0 or 1");
	return NULL;
}

static void boot_put_switch(struct boot *b, unsigned int key, const char *file)
{
	const char *text = boot_switch(b, key);

	if (text)
		boot_check(b, key, b->c->node[key].value, boot_write(b, file, text));
}

static void boot_alloc_snapshot(struct boot *b, unsigned int key, const char *file)
{
	boot_check(b, key, 0, kpt_snapshot_alloc(b->instance));
}

static const struct boot_key ftrace_keys[] = {
	{ "filters", boot_put_each, "set_ftrace_filter" },
	{ "notraces", boot_put_each, "set_ftrace_notrace" },
};

static void boot_ftrace(struct boot *b, unsigned int key, const char *file)
{
	boot_run(b, key, ftrace_keys, ARRAY_SIZE(ftrace_keys));
}

/*
 * Histograms: the keys below hist become the text of a hist trigger.
 */

/**
 * struct hist_key - a key of a histogram
 * @word: its last word
 * @put: adds it to the text of a trigger; false if it has a mistake, which is noted
 * @has_words: as in struct boot_key
 */
struct hist_key {
	const char *word;
	bool (*put)(const struct boot *b, unsigned int key, struct kpt_strbuf *sb);
	bool has_words;
};

static void put_values(const struct boot *b, unsigned int key, struct kpt_strbuf *sb)
{
	unsigned int value;

	kpt_bootconfig_for_each_value(b->c, value, key)
		kpt_strbuf_printf(sb, "%s%s", kpt_bootconfig_text(b->c, value),
				  b->c->node[value].next ? "," : "");
}

static bool hist_put_list(const struct boot *b, unsigned int key, struct kpt_strbuf *sb)
{
	if (!b->c->node[key].value) {
		boot_mistake(b, key, 0, "it needs a value");
		return false;
	}
	kpt_strbuf_printf(sb, ":%s=", kpt_bootconfig_text(b->c, key));
	put_values(b, key, sb);
	return true;
}

/* A trigger has no blanks before its filter. */
static bool hist_put_vars(const struct boot *b, unsigned int key, struct kpt_strbuf *sb)
{
	unsigned int var, value;
	const char *p;

	kpt_bootconfig_for_each_word(b->c, var, key) {
		boot_check_kind(b, var, false);
		value = boot_value(b, var);
		if (!value)
			return false;
		kpt_strbuf_printf(sb, ":%s=", kpt_bootconfig_text(b->c, var));
		for (p = kpt_bootconfig_text(b->c, value); *p; p++)
			if (!kpt_lex_is_space(*p))
				kpt_strbuf_putc(sb, *p);
	}
	return true;
}

static bool hist_put_flag(const struct boot *b, unsigned int key, struct kpt_strbuf *sb)
{
	kpt_strbuf_printf(sb, ":%s", kpt_bootconfig_text(b->c, key));
	return true;
}

static bool hist_put_filter(const struct boot *b, unsigned int key, struct kpt_strbuf *sb)
{
	unsigned int value = boot_value(b, key);

	if (value)
		kpt_strbuf_printf(sb, " if %s", kpt_bootconfig_text(b->c, value));
	return value;
}

static bool is_action(const char *word)
{
	return !strcmp(word, "trace") || !strcmp(word, "save") || !strcmp(word, "snapshot");
}

static bool hist_put_action(const struct boot *b, unsigned int key, struct kpt_strbuf *sb)
{
	unsigned int word, action = 0;

	kpt_bootconfig_for_each_word(b->c, word, key) {
		if (!is_action(kpt_bootconfig_text(b->c, word)))
			continue;
		boot_check_kind(b, word, false);
		if (action)
			boot_mistake(b, word, 0, "there is another action");
		else
			action = word;
	}
	if (!action) {
		boot_mistake(b, key, 0, "trace, save or snapshot is missing");
		return false;
	}
	kpt_strbuf_printf(sb, ".%s(", kpt_bootconfig_text(b->c, action));
	put_values(b, action, sb);
	kpt_strbuf_putc(sb, ')');
	return true;
}

static bool is_number(const struct boot *b, unsigned int word)
{
	return kpt_lex_is_digit(*kpt_bootconfig_text(b->c, word));
}

/* @handler: onmatch, onmax or onchange; @key: the same, or a number behind it */
static bool hist_put_handler(const struct boot *b, const char *handler, const char *of,
			     unsigned int key, struct kpt_strbuf *sb)
{
	unsigned int param = kpt_bootconfig_find(b->c, key, of), word, value;
	const char *text;

	kpt_bootconfig_for_each_word(b->c, word, key) {
		text = kpt_bootconfig_text(b->c, word);
		if (word != param && !is_action(text) &&
		    (is_number(b, key) || !is_number(b, word)))
			boot_mistake(b, word, 0, no_such_key);
	}
	if (!param) {
		boot_mistake(b, key, 0, "event or var is missing");
		return false;
	}
	boot_check_kind(b, param, false);
	value = boot_value(b, param);
	if (!value)
		return false;
	kpt_strbuf_printf(sb, ":%s(%s)", handler, kpt_bootconfig_text(b->c, value));
	return hist_put_action(b, key, sb);
}

static bool hist_put_handlers(const struct boot *b, unsigned int key,
			      struct kpt_strbuf *sb)
{
	const char *handler = kpt_bootconfig_text(b->c, key);
	const char *of = strcmp(handler, "onmatch") ? "var" : "event";
	bool numbered = false, named = false;
	unsigned int word;

	kpt_bootconfig_for_each_word(b->c, word, key) {
		named |= !is_number(b, word);
		if (!is_number(b, word))
			continue;
		numbered = true;
		boot_check_kind(b, word, true);
		if (!hist_put_handler(b, handler, of, word, sb))
			return false;
	}
	return (numbered && !named) || hist_put_handler(b, handler, of, key, sb);
}

static const struct hist_key hist_keys[] = {
	{ "keys", hist_put_list },
	{ "values", hist_put_list },
	{ "sort", hist_put_list },
	{ "size", hist_put_list },
	{ "name", hist_put_list },
	{ "var", hist_put_vars, true },
	{ "pause", hist_put_flag },
	{ "continue", hist_put_flag },
	{ "clear", hist_put_flag },
	{ "onmax", hist_put_handlers, true },
	{ "onchange", hist_put_handlers, true },
	{ "onmatch", hist_put_handlers, true },
	{ "filter", hist_put_filter },
};

static bool is_hist_key(const char *word)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(hist_keys); i++)
		if (!strcmp(word, hist_keys[i].word))
			return true;
	return false;
}

/* One trigger, of the keys behind hist, or behind hist.N. */
static void boot_put_hist(struct boot *b, unsigned int key)
{
	struct kpt_strbuf sb;
	unsigned int word, i;

	kpt_bootconfig_for_each_word(b->c, word, key)
		if ((is_number(b, key) || !is_number(b, word)) &&
		    !is_hist_key(kpt_bootconfig_text(b->c, word)))
			boot_mistake(b, word, 0, no_such_key);
	kpt_strbuf_init(&sb, b->text, sizeof(b->text));
	kpt_strbuf_puts(&sb, "hist");
	for (i = 0; i < ARRAY_SIZE(hist_keys); i++) {
		word = kpt_bootconfig_find(b->c, key, hist_keys[i].word);
		if (!word)
			continue;
		boot_check_kind(b, word, hist_keys[i].has_words);
		if (!hist_keys[i].put(b, word, &sb))
			return;
	}
	boot_check(b, key, 0, sb.overflow ? -E2BIG : boot_write(b, "trigger", b->text));
}

static void boot_put_hists(struct boot *b, unsigned int key, const char *file)
{
	bool numbered = false, named = false;
	unsigned int word;

	kpt_bootconfig_for_each_word(b->c, word, key) {
		named |= !is_number(b, word);
		if (!is_number(b, word))
			continue;
		numbered = true;
		boot_check_kind(b, word, true);
		boot_put_hist(b, word);
	}
	if (named || !numbered)
		boot_put_hist(b, key);
}

/*
 * Events.
 */

/* Groups in which a key "probes" defines probes, and the letter of these definitions. */
static const struct {
	const char *group;
	char letter;
} probe_groups[] = {
	{ "kprobes", 'p' },
	{ "eprobes", 'e' },
	{ "fprobes", 'f' },
	{ "tracepoints", 't' },
	{ "tprobes", 't' },
	{ "wprobes", 'w' },
	{ "samples", 'c' },
};

static char group_letter(const char *group)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(probe_groups); i++)
		if (!strcmp(group, probe_groups[i].group))
			return probe_groups[i].letter;
	return '\0';
}

/* Run the definition in @b->text. */
static int boot_define(const struct boot *b, const struct kpt_strbuf *sb,
		       enum kpt_listing listing, unsigned int value)
{
	if (sb->overflow)
		return -E2BIG;
	return kpt_command_run(sb->buf, sb->len, listing, b->c->node[value].line);
}

/* A value is a whole definition, or what follows the name in one. */
static void boot_define_probe(struct boot *b, unsigned int event, unsigned int key,
			      unsigned int value)
{
	const char *text = kpt_bootconfig_text(b->c, value);
	char letter = group_letter(b->group);
	struct kpt_strbuf sb;

	kpt_strbuf_init(&sb, b->text, sizeof(b->text));
	if (*text != letter || (text[1] != ':' && !kpt_lex_is_space(text[1])))
		kpt_strbuf_printf(&sb, "%c:%s/%s ", letter, b->group,
				  kpt_bootconfig_text(b->c, event));
	kpt_strbuf_puts(&sb, text);
	boot_check(b, key, value, boot_define(b, &sb, KPT_LISTS_DYNAMIC, value));
}

static void boot_define_probes(struct boot *b, unsigned int event, unsigned int key)
{
	unsigned int value;

	if (!group_letter(b->group)) {
		boot_mistake(b, key, 0, "the group has no probes");
		return;
	}
	if (!b->c->node[key].value)
		boot_mistake(b, key, 0, "it needs a value");
	kpt_bootconfig_for_each_value(b->c, value, key)
		boot_define_probe(b, event, key, value);
}

static void boot_define_synthetic(struct boot *b, unsigned int event, unsigned int key)
{
	unsigned int value;
	struct kpt_strbuf sb;

	if (strcmp(b->group, "synthetic")) {
		boot_mistake(b, key, 0, "the group has no synthetic events");
		return;
	}
	kpt_strbuf_init(&sb, b->text, sizeof(b->text));
	kpt_strbuf_printf(&sb, "%s", kpt_bootconfig_text(b->c, event));
	kpt_bootconfig_for_each_value(b->c, value, key)
		kpt_strbuf_printf(&sb, " %s;", kpt_bootconfig_text(b->c, value));
	value = b->c->node[key].value;
	boot_check(b, key, value, boot_define(b, &sb, KPT_LISTS_SYNTHETIC, value ?: key));
}

static void boot_define_event(struct boot *b, unsigned int key)
{
	unsigned int probes = kpt_bootconfig_find(b->c, key, "probes");
	unsigned int fields = kpt_bootconfig_find(b->c, key, "fields");

	if (probes)
		boot_define_probes(b, key, probes);
	if (fields)
		boot_define_synthetic(b, key, fields);
}

/* What defines the event is done already. */
static const struct boot_key event_keys[] = {
	{ .word = "probes" },
	{ .word = "fields" },
	{ "filter", boot_put_one, "filter" },
	{ "actions", boot_put_each, "trigger" },
	{ "hist", boot_put_hists, .has_words = true },
	{ "enable", boot_put_switch, "enable" },
};

/* Of ftrace.print, which is always enabled and has no filter. */
static const struct boot_key builtin_keys[] = {
	{ "actions", boot_put_each, "trigger" },
	{ "hist", boot_put_hists, .has_words = true },
};

static void boot_set_event(struct boot *b, unsigned int key)
{
	const char *name = kpt_bootconfig_text(b->c, key);
	const struct kpt_event *event;

	boot_check_kind(b, key, true);
	event = kpt_event_find_any(b->group, name);
	b->file = event ? kpt_event_file_of(event, b->instance) : NULL;
	if (!b->file)
		boot_mistake(b, key, 0, "there is no such event");
	else if (kpt_event_is_builtin(event))
		boot_run(b, key, builtin_keys, ARRAY_SIZE(builtin_keys));
	else
		boot_run(b, key, event_keys, ARRAY_SIZE(event_keys));
	b->file = NULL;
}

/* Switch the events of a group, or all, once all is said about them. */
static void boot_enable(struct boot *b, unsigned int key, const char *group)
{
	const char *text = boot_switch(b, key);

	boot_check_kind(b, key, false);
	if (!text)
		return;
	snprintf(b->text, sizeof(b->text), "%s%s:*", *text == '1' ? "" : "!", group);
	boot_check(b, key, 0, boot_write(b, "set_event", b->text));
}

/* Do something with each event of a group, but not with its key enable. */
static void boot_group(struct boot *b, unsigned int key,
		       void (*run)(struct boot *b, unsigned int key))
{
	unsigned int enable = kpt_bootconfig_find(b->c, key, "enable"), word;

	b->group = kpt_bootconfig_text(b->c, key);
	if (run == boot_set_event)
		boot_check_kind(b, key, true);
	kpt_bootconfig_for_each_word(b->c, word, key)
		if (word != enable)
			run(b, word);
	if (enable && run == boot_set_event)
		boot_enable(b, enable, b->group);
}

/* Events are defined before anything that may refer to them. */
static void boot_events(struct boot *b, unsigned int key, const char *file)
{
	unsigned int enable = kpt_bootconfig_find(b->c, key, "enable"), word;

	kpt_bootconfig_for_each_word(b->c, word, key)
		if (word != enable)
			boot_group(b, word, boot_define_event);
	kpt_bootconfig_for_each_word(b->c, word, key)
		if (word != enable)
			boot_group(b, word, boot_set_event);
	if (enable)
		boot_enable(b, enable, "*");
}

/*
 * Instances.
 */

static void boot_instances(struct boot *b, unsigned int key, const char *file);

/* How many keys, from the first on, the instance last_boot has: it records nothing. */
#define NR_PAST_KEYS 1

/* In the order of the kernel; only the top instance has the last one. */
static const struct boot_key instance_keys[] = {
	{ "options", boot_put_each, "trace_options" },
	{ "tracing_on", boot_put_one, "tracing_on" },
	{ "trace_clock", boot_put_one, "trace_clock" },
	{ "buffer_size", boot_put_size, "buffer_size_kb" },
	{ "cpumask", boot_put_one, "tracing_cpumask" },
	{ "event", boot_events, .has_words = true },
	{ "events", boot_put_each, "set_event" },
	{ "ftrace", boot_ftrace, .has_words = true },
	{ "tracer", boot_put_one, "current_tracer" },
	{ "alloc_snapshot", boot_alloc_snapshot },
	{ "instance", boot_instances, .has_words = true },
};

/* Nobody can mount the tree yet, so all may find it before its keys are done. */
static struct kpt_instance *boot_instance(const char *name)
{
	struct kpt_instance *instance = kpt_instance_find(name);

	if (instance)
		return instance;
	instance = kpt_instance_create(name);
	if (!IS_ERR(instance))
		kpt_instance_open(instance);
	return instance;
}

static void boot_instances(struct boot *b, unsigned int key, const char *file)
{
	const char *name;
	unsigned int word;

	kpt_bootconfig_for_each_word(b->c, word, key) {
		boot_check_kind(b, word, true);
		name = kpt_bootconfig_text(b->c, word);
		b->instance = boot_instance(name);
		if (IS_ERR(b->instance))
			boot_check(b, word, 0, PTR_ERR(b->instance));
		else
			boot_run(b, word, instance_keys, b->instance->is_past ?
				 NR_PAST_KEYS : ARRAY_SIZE(instance_keys) - 1);
	}
	b->instance = &kpt_top_instance;
}

/*
 * Reading.
 */

/**
 * struct config - what is needed for one file
 * @c: its configuration
 * @b: how far that is done
 * @text: its text, and two bytes more: one to see that it is too long, and the NUL
 */
struct config {
	struct kpt_bootconfig c;
	struct boot b;
	char text[KPT_BOOTCONFIG_MAX + 2];
};

static const char cannot_read[] = "it cannot be read";

static void log_refusal(const char *path, const char *line, const char *why,
			const struct kpt_bootconfig_mistake *m)
{
	struct kpt_diag diag;

	kpt_diag_set(&diag, KPT_E_BOOT_CONFIG, m ? m->column : 0, 0);
	kpt_diag_detail(&diag, why);
	diag.line = m ? m->line : 0;
	kpt_errlog_add(&kpt_top_instance.errlog, path, line, &diag);
}

/* Show the line with the mistake. */
static void log_mistake(const char *path, char *text,
			const struct kpt_bootconfig_mistake *m)
{
	char *line = text + m->at;

	line[strcspn(line, "\n")] = '\0';
	kpt_errlog_to_line(line);
	log_refusal(path, line, m->why, m);
}

static void boot_do(struct boot *b, struct kpt_bootconfig *c, size_t size, bool needed)
{
	struct kpt_bootconfig_mistake mistake;
	unsigned int top;

	c->text[size] = '\0';
	if (kpt_bootconfig_parse(c, c->text, size, &mistake)) {
		log_mistake(b->path, c->text, &mistake);
		return;
	}
	top = kpt_bootconfig_find(c, KPT_BOOTCONFIG_ROOT, "kptrace");
	if (top) {
		boot_check_kind(b, top, true);
		boot_run(b, top, instance_keys, ARRAY_SIZE(instance_keys));
	} else if (needed) {
		log_refusal(b->path, "", "it has no key kptrace", NULL);
	}
}

/* Read a file whose size is not known before. Returns its bytes, or -errno. */
static ssize_t config_read(struct file *file, char *text)
{
	size_t size = 0;
	loff_t pos = 0;
	ssize_t n;

	do {
		n = kernel_read(file, text + size, KPT_BOOTCONFIG_MAX + 1 - size, &pos);
		size += max_t(ssize_t, n, 0);
	} while (n > 0 && size <= KPT_BOOTCONFIG_MAX);
	return n < 0 ? n : (ssize_t)size;
}

static void config_do(struct file *file, const char *path, bool needed)
{
	struct config *all = vzalloc(sizeof(*all));
	ssize_t size;

	if (!all) {
		log_refusal(path, "", "no memory", NULL);
		return;
	}
	all->c.text = all->text;
	all->b.c = &all->c;
	all->b.path = path;
	all->b.instance = &kpt_top_instance;
	size = config_read(file, all->text);
	mutex_lock(&kpt_mutex);
	if (size < 0)
		log_refusal(path, "", cannot_read, NULL);
	else
		boot_do(&all->b, &all->c, size, needed);
	mutex_unlock(&kpt_mutex);
	vfree(all);
}

/*
 * A file that is not @needed may be missing, or have nothing for kptrace. Without
 * kpt_mutex: it may take any time to open and to read a file.
 */
static void config_do_path(const char *path, bool needed)
{
	struct file *file = filp_open(path, O_RDONLY, 0);

	if (!IS_ERR(file)) {
		config_do(file, path, needed);
		filp_close(file, NULL);
	} else if (needed || PTR_ERR(file) != -ENOENT) {
		log_refusal(path, "", cannot_read, NULL);
	}
}

static char *config_path;
module_param_named(config, config_path, charp, 0400);
MODULE_PARM_DESC(config, "file with a boot configuration, of which the key kptrace is done");

/**
 * kpt_boot_config_init() - do what /proc/bootconfig and the parameter config say
 *
 * error_log and the kernel log report mistakes; all else takes effect.
 *
 * Context: module load.
 * Return: 0.
 */
int kpt_boot_config_init(void)
{
	config_do_path("/proc/bootconfig", false);
	if (config_path)
		config_do_path(config_path, true);
	return 0;
}
