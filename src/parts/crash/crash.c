// SPDX-License-Identifier: GPL-2.0-only
/*
 * At an oops or a panic the last records go to the console, as lines of trace.
 *
 * The crash may have interrupted anything: a hit, a writer, a holder of any lock. So
 * nothing here takes a lock or allocates, and rings are read as if they were damaged
 * (src/lib/ring/ring_walk.c).
 */
#include "kernel/ksyms.h"
#include "kernel/compat.h"
#include <linux/atomic.h>
#include <linux/kdebug.h>
#include <linux/mm.h>
#include <linux/moduleparam.h>
#include <linux/nmi.h>
#include <linux/notifier.h>
#include <linux/printk.h>
#include <linux/sysrq.h>
#include <linux/vmalloc.h>
#include "arch.h"
#include "buffer/places.h"
#include "fs/fs.h"
#include "kernel/comms.h"
#include "kernel/cpu.h"
#include "kernel/scratch.h"
#include "lib/base/lex.h"
#include "lib/ring/ring_walk.h"
#include "parts/crash/crash.h"
#include "parts/crash/dump.h"

/*
 * The parameter dump_on_oops, with the words of the kernel's ftrace_dump_on_oops.
 */

/* What is shown of an instance. */
enum dump { DUMP_NOTHING, DUMP_ALL_CPUS, DUMP_THIS_CPU };

#define SETTING_MAX 256
static char setting[SETTING_MAX] = "0";

static const struct {
	const char *word;
	enum dump dump;
} words[] = {
	{ "0", DUMP_NOTHING },
	{ "1", DUMP_ALL_CPUS },
	{ "2", DUMP_THIS_CPU },
	{ "orig_cpu", DUMP_THIS_CPU },
};

/* What a word means; -1 if it is not one of @words. */
static int word_find(const char *s, size_t len)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(words); i++)
		if (kpt_lex_is(s, len, words[i].word))
			return words[i].dump;
	return -1;
}

/*
 * Take "1", "NAME" or "NAME=2" apart: what it says, of which instance. The top
 * instance has no name.
 */
static int word_parse(const char *s, size_t len, size_t *name_len)
{
	const char *value = memchr(s, '=', len);
	int dump = word_find(s, len);

	*name_len = 0;
	if (dump >= 0)
		return dump;
	*name_len = value ? value - s : len;
	if (!*name_len)
		return -1;
	return value ? word_find(value + 1, s + len - value - 1) : DUMP_ALL_CPUS;
}

/* What the setting says of an instance. */
static enum dump setting_find(const char *name)
{
	const char *s = setting;
	size_t len, name_len;
	int dump;

	for (;; s += len + 1) {
		len = strcspn(s, ",");
		dump = word_parse(s, len, &name_len);
		if (dump >= 0 && kpt_lex_is(s, name_len, name))
			return dump;
		if (!s[len])
			return DUMP_NOTHING;
	}
}

static int setting_set(const char *val, const struct kernel_param *kp)
{
	/* The parameter without a value, as the kernel's. */
	const char *s = skip_spaces(val ?: "1");
	size_t len = strcspn(s, " \n"), at, word, name_len;

	if (len >= SETTING_MAX)
		return -E2BIG;
	for (at = 0; at <= len; at += word + 1) {
		word = min(strcspn(s + at, ","), len - at);
		if (word_parse(s + at, word, &name_len) < 0)
			return -EINVAL;
	}
	strscpy(setting, s, len + 1);
	return 0;
}

static int setting_get(char *buf, const struct kernel_param *kp)
{
	return sprintf(buf, "%s\n", setting);
}

static const struct kernel_param_ops setting_ops = {
	.flags = KERNEL_PARAM_OPS_FL_NOARG,
	.set = setting_set,
	.get = setting_get,
};

module_param_cb(dump_on_oops, &setting_ops, NULL, 0600);
MODULE_PARM_DESC(dump_on_oops,
		 "records to the console at an oops or panic: 1 of all CPUs, 2 of the "
		 "CPU of the oops; of instances: NAME,NAME=2");

static unsigned int dump_lines = 1000;
module_param(dump_lines, uint, 0600);
MODULE_PARM_DESC(dump_lines, "dump_on_oops: the last so many records of each CPU, 0 all");

/*
 * One dump.
 */

#define TEXT_MAX	SZ_8K
#define RECORD_MAX	SZ_8K
/* printk() cuts lines of a thousand characters. */
#define PRINTK_MAX	900

/**
 * struct dump_cpu - the ring of a CPU
 * @walk: reads it
 * @info: the next record, if @has
 * @has: there is one
 */
struct dump_cpu {
	struct kpt_ring_walk walk;
	struct kpt_ring_info info;
	bool has;
};

/**
 * struct dump_work - what a dump needs, allocated at load
 * @instance: whose records are shown
 * @only: the CPU, or -1
 * @lines: number of records shown
 * @symbols: names of places
 * @ring: copy of a ring
 * @record: copy of a record
 * @text: its text
 * @cpu: by CPU number
 */
struct dump_work {
	struct kpt_instance *instance;
	int only;
	u64 lines;
	struct kpt_symbols symbols;
	struct kpt_ring ring;
	u64 record[(RECORD_MAX + KPT_RECORD_LEFT_OUT) / sizeof(u64)];
	char text[TEXT_MAX];
	struct dump_cpu cpu[];
};

static struct dump_work *work;
/* The CPU that uses @work, -1 for none. */
static atomic_t dumper = ATOMIC_INIT(-1);
/* There was a dump: what has not been switched on since then has been shown. */
static bool dumped;

#define PUT(fmt, ...) printk(KERN_EMERG fmt "\n", ##__VA_ARGS__)

/* Each line of the text by itself; what does not fit goes on in the next. */
static void dump_print(const char *s)
{
	size_t len;

	while (*s) {
		len = min_t(size_t, strcspn(s, "\n"), PRINTK_MAX);
		PUT("%.*s", (int)len, s);
		s += len;
		s += *s == '\n';
	}
	touch_nmi_watchdog();
}

static void dump_advance(struct dump_cpu *c)
{
	c->has = kpt_ring_walk_next(&c->walk, &c->info);
}

/* Go to the last @dump_lines records of a CPU. */
static void dump_begin_cpu(struct dump_work *d, int cpu)
{
	struct kpt_buffer_cpu *bc = kpt_buffer_ring(&d->instance->buffer, cpu);
	struct dump_cpu *c = &d->cpu[cpu];
	unsigned int lines = READ_ONCE(dump_lines);
	u64 first;

	c->has = false;
	if (!kpt_buffer_means(d->only, cpu) ||
	    port_read_kernel(&d->ring, (unsigned long)&bc->ring, sizeof(d->ring)) ||
	    !kpt_ring_walk_begin(&c->walk, &d->ring))
		return;
	first = lines ? c->walk.end_seq - min_t(u64, lines, c->walk.end_seq) : 0;
	do {
		dump_advance(c);
	} while (c->has && c->info.seq < first);
	c->info.lost = 0;
}

/* The CPU whose next record is the oldest, -1 if there is no record. */
static int dump_oldest(const struct dump_work *d)
{
	int cpu, found = -1;

	for_each_possible_cpu(cpu)
		if (d->cpu[cpu].has &&
		    (found < 0 ||
		     (s64)(d->cpu[cpu].info.ts - d->cpu[found].info.ts) < 0))
			found = cpu;
	return found;
}

/* As kpt_trace_put_record(). */
static void dump_put_line(struct kpt_strbuf *sb, const struct kpt_instance *instance,
			  struct kpt_line *line)
{
	const struct kpt_record_head *head = line->record;
	struct kpt_event *event = NULL;
	char comm[TASK_COMM_LEN];

	if (instance->is_past) {
		kpt_past_describe(instance, line, comm);
	} else {
		line->comm = comm;
		kpt_comm_find_in_crash(head->pid, comm, &line->tgid);
		event = kpt_event_get_id(head->type);
		kpt_trace_set_event(line, event);
	}
	kpt_format_line(sb, line);
	kpt_event_put_in_crash(event);
}

/* Show the next record of @cpu, and return the CPU of the one after it. */
static int dump_record(struct dump_work *d, int cpu)
{
	struct kpt_buffer *buf = &d->instance->buffer;
	struct dump_cpu *c = &d->cpu[cpu];
	enum kpt_clock clock = READ_ONCE(buf->clock);
	u32 size = kpt_ring_walk_copy(&c->walk, &c->info, d->record, RECORD_MAX);
	struct kpt_line line = {
		.record = d->record,
		.size = kpt_record_restore(d->record, size, kpt_places_read()),
		.cpu = cpu,
		.ts = kpt_clock_convert(clock, c->info.ts),
		.ts_in_ns = kpt_clock_in_ns(clock),
		.options = READ_ONCE(d->instance->options) & ~KPT_OPT_BIN,
		.start = READ_ONCE(buf->cleared),
		.index = d->lines++,
		.symbols = &d->symbols,
		.in_crash = true,
	};
	struct kpt_strbuf sb;
	int next;

	kpt_strbuf_init(&sb, d->text, sizeof(d->text));
	if (c->info.lost)
		kpt_strbuf_printf(&sb, "CPU:%d [LOST %llu EVENTS]\n", cpu,
				  c->info.lost);
	dump_advance(c);
	next = dump_oldest(d);
	if (next >= 0)
		line.next_ts = kpt_clock_convert(clock, d->cpu[next].info.ts);
	if (size >= sizeof(struct kpt_record_head))
		dump_put_line(&sb, d->instance, &line);
	else
		kpt_strbuf_printf(&sb, "CPU:%d [a record that cannot be read]\n",
				  cpu);
	dump_print(d->text);
	return next;
}

static void dump_put_damage(const struct dump_work *d)
{
	int cpu;

	for_each_possible_cpu(cpu)
		if (kpt_buffer_means(d->only, cpu) && d->cpu[cpu].walk.bad)
			PUT("CPU:%d [%llu BYTES ARE NO RECORDS]", cpu,
			    d->cpu[cpu].walk.bad);
}

static void dump_instance(struct dump_work *d, struct kpt_instance *instance,
			  int only)
{
	int cpu;

	d->instance = instance;
	d->only = only;
	d->lines = 0;
	memset(&d->symbols, 0, sizeof(d->symbols));
	for_each_possible_cpu(cpu) {
		d->cpu[cpu].walk.bad = 0;
		dump_begin_cpu(d, cpu);
	}
	if (instance->name[0])
		PUT("Dumping kptrace instance %s buffer:", instance->name);
	else
		PUT("Dumping kptrace buffer:");
	PUT("---------------------------------");
	cpu = dump_oldest(d);
	if (cpu < 0)
		PUT("   (kptrace buffer empty)");
	while (cpu >= 0)
		cpu = dump_record(d, cpu);
	dump_put_damage(d);
	PUT("---------------------------------");
}

/*
 * Which instances.
 */

/* In an oops of this CPU others go on: they may remove an instance. */
#define INSTANCES_MAX 4096

/* NULL at the end, and where the list is not one. */
static struct kpt_instance *instances_next(struct list_head *at)
{
	struct list_head *next, *prev;

	if (port_read_kernel(&next, (unsigned long)&at->next, sizeof(next)) ||
	    next == &kpt_instances ||
	    port_read_kernel(&prev, (unsigned long)&next->prev, sizeof(prev)) ||
	    prev != at)
		return NULL;
	return list_entry(next, struct kpt_instance, list);
}

#define for_each_instance(instance, nr)					\
	for ((nr) = 0, (instance) = instances_next(&kpt_instances);	\
	     (instance) && (nr) < INSTANCES_MAX;			\
	     (nr)++, (instance) = instances_next(&(instance)->list))

/* @cpu: of this CPU; or -1: of all */
static void dump_one(struct kpt_instance *instance, int cpu, bool again)
{
	bool was_on = kpt_buffer_is_on(&instance->buffer);

	if ((dumped && !was_on && !again) || !kpt_instance_get(instance))
		return;
	kpt_buffer_switch(&instance->buffer, false);
	dump_instance(work, instance, cpu);
	kpt_instance_put(instance);
	dumped = true;
}

/* A dump by hand shows the top instance even if dump_on_oops is 0. */
static void dump_all(bool by_hand)
{
	bool off = !strcmp(setting, "0");
	struct kpt_instance *instance;
	enum dump what;
	int nr;

	rcu_read_lock();
	for_each_instance(instance, nr) {
		what = setting_find(instance->name);
		if (off && by_hand && instance == &kpt_top_instance)
			what = DUMP_ALL_CPUS;
		if (what != DUMP_NOTHING)
			dump_one(instance, what == DUMP_THIS_CPU ? smp_processor_id() : -1,
				 by_hand);
	}
	rcu_read_unlock();
}

/*
 * May this CPU dump? Not inside its own dump, which has crashed. In a panic the other
 * CPUs have been stopped, in the middle of a dump or not.
 */
static bool dump_take(bool in_panic)
{
	int cpu = smp_processor_id();
	int other = atomic_cmpxchg(&dumper, -1, cpu);

	if (other == -1)
		return true;
	if (other == cpu || !in_panic)
		return false;
	atomic_set(&dumper, cpu);
	return true;
}

/* @asked: what a hit has asked for; else NULL */
static void dump(bool in_panic, bool by_hand, const struct kpt_dump *asked)
{
	unsigned long flags;

	local_irq_save(flags);
	if (dump_take(in_panic)) {
		/* Functions called here may be probed. */
		kpt_arch_hits_off();
		if (asked)
			dump_one(asked->instance, asked->cpu, true);
		else
			dump_all(by_hand);
		kpt_arch_hits_on();
		atomic_set(&dumper, -1);
	}
	local_irq_restore(flags);
}

/*
 * What starts a dump: an oops, a panic, a sysrq key.
 */

static void records_abandon_in_rings(void)
{
	struct kpt_instance *instance;
	int nr;

	for_each_instance(instance, nr) {
		if (!kpt_instance_get(instance))
			continue;
		kpt_ring_abandon(&this_cpu_ptr(instance->buffer.cpu)->ring);
		kpt_instance_put(instance);
	}
}

/*
 * A function of the kernel that fills in the record of a static event has faulted. Preemption
 * is off there, so all records that are open on this CPU are of the task that dies: close
 * them, or kpt_arch_quiesce() would wait for them, and what follows in the ring stay hidden.
 */
static void records_abandon(void)
{
	unsigned long flags;

	local_irq_save(flags);
	if (raw_cpu_read(kpt_cpu.filling)) {
		rcu_read_lock();
		records_abandon_in_rings();
		rcu_read_unlock();
		raw_cpu_write(kpt_cpu.filling, 0);
	}
	if (kpt_rooms)
		raw_cpu_ptr(kpt_rooms)->depth = 0;
	local_irq_restore(flags);
}

static int crash_died(struct notifier_block *nb, unsigned long what, void *data)
{
	if (what != DIE_OOPS)
		return NOTIFY_DONE;
	records_abandon();
	dump(false, false, NULL);
	return NOTIFY_DONE;
}

static int crash_panicked(struct notifier_block *nb, unsigned long what, void *data)
{
	dump(true, false, NULL);
	return NOTIFY_DONE;
}

/* As early as the kernel's own dump: a later one may reboot. */
static struct notifier_block on_die = {
	.notifier_call = crash_died, .priority = INT_MAX - 1,
};

static struct notifier_block on_panic = {
	.notifier_call = crash_panicked, .priority = INT_MAX - 1,
};

static void crash_key(kpt_sysrq_key_t key)
{
	dump(false, true, NULL);
}

static void crash_asked(struct kpt_bell *bell)
{
	struct kpt_dump *asked = container_of(bell, struct kpt_dump, bell);

	dump(false, false, asked);
	/* Pairs with the exchange of the next hit that asks. */
	atomic_set_release(&asked->asked, 0);
}

/* The kernel's key for its own buffer is z. */
#define KEY 'y'
/* No kernel changes it, but not all say so. */
static struct sysrq_key_op key_op = {
	.handler = crash_key,
	.help_msg = "dump-kptrace-buffer(y)",
	.action_msg = "Dump kptrace buffer",
	.enable_mask = SYSRQ_ENABLE_DUMP,
};

static bool has_key;

/**
 * kpt_crash_alloc() - allocate what a dump needs
 *
 * Context: module load.
 * Return: 0 or -ENOMEM.
 */
int kpt_crash_alloc(void)
{
	work = kvzalloc(struct_size(work, cpu, nr_cpu_ids), GFP_KERNEL);
	return work ? 0 : -ENOMEM;
}

/**
 * kpt_crash_free() - the reverse of kpt_crash_alloc()
 *
 * Context: module unload.
 */
void kpt_crash_free(void)
{
	kvfree(work);
}

/**
 * kpt_crash_init() - register for oopses, panics and the sysrq key
 *
 * Context: module load, after kpt_crash_alloc().
 * Return: 0.
 */
int kpt_crash_init(void)
{
	kpt_bell_init(&kpt_dump.bell, crash_asked);
	register_die_notifier(&on_die);
	atomic_notifier_chain_register(&panic_notifier_list, &on_panic);
	/* A kernel may have no such keys, or use this one. */
	has_key = kpt_has(register_sysrq_key) && kpt_has(unregister_sysrq_key) &&
		  !register_sysrq_key(KEY, &key_op);
	return 0;
}

/**
 * kpt_crash_exit() - the reverse of kpt_crash_init()
 *
 * Context: module unload.
 */
void kpt_crash_exit(void)
{
	/* No hit can ask for a dump from now on: functions still have their triggers. */
	while (atomic_xchg(&kpt_dump.asked, 1))
		kpt_bell_sync(&kpt_dump.bell);
	if (has_key)
		unregister_sysrq_key(KEY, &key_op);
	atomic_notifier_chain_unregister(&panic_notifier_list, &on_panic);
	unregister_die_notifier(&on_die);
}
