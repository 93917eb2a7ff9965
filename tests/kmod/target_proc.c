// SPDX-License-Identifier: GPL-2.0-only
/* /proc/kpt_target: commands in, results out. See target.h. */
#include <linux/completion.h>
#include <linux/err.h>
#include <linux/kernel.h>
#include <linux/kthread.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/pid.h>
#include <linux/proc_fs.h>
#include <linux/sched.h>
#include <linux/sched/mm.h>
#include <linux/sched/task.h>
#include <uapi/linux/sched/types.h>
#include <linux/slab.h>
#include <linux/string.h>
#include "compat.h"
#include "target.h"
#include "target_funcs.h"

#define ARGS_MAX 6
#define LINE_MAX 255

/**
 * struct command - something that can be written
 * @name: its first word
 * @min: fewest words
 * @run: does it; words from the line, result to be printed
 */
struct command {
	const char *name;
	int min;
	int (*run)(int argc, char **argv, struct target_input *in, char *out);
};

static DEFINE_MUTEX(result_lock);
static char result[TARGET_RESULT_SIZE];

/* number() - a word as a number, or what holds without it */
static int number(int argc, char **argv, int at, long *value)
{
	return at < argc ? kstrtol(argv[at], 0, value) : 0;
}

static int run_call(int argc, char **argv, struct target_input *in, char *out)
{
	const struct target_act *act = target_act_find(argv[1]);
	long count = 1, last = 0;

	if (!act)
		return -ENOENT;
	in->value = act->value;
	if (number(argc, argv, 2, &count) || number(argc, argv, 3, &in->value))
		return -EINVAL;
	while (count-- > 0) {
		last = target_call(act, in);
		cond_resched();
	}
	sprintf(out, "%ld\n", last);
	return 0;
}

static int run_threads(int argc, char **argv, struct target_input *in, char *out)
{
	const struct target_act *act = target_act_find(argv[2]);
	long nr = 1, count = 1, usec = 0;
	u64 calls;
	int err;

	if (!act)
		return -ENOENT;
	if (number(argc, argv, 1, &nr) || number(argc, argv, 3, &count) ||
	    number(argc, argv, 4, &usec))
		return -EINVAL;
	err = target_run_threads(act, act->value, nr, count, usec, &calls);
	sprintf(out, "%llu\n", calls);
	return err;
}

static int run_mortal(int argc, char **argv, struct target_input *in, char *out)
{
	long nr = 1, count = 1;
	u64 calls;
	int err;

	if (number(argc, argv, 1, &nr) || number(argc, argv, 2, &count))
		return -EINVAL;
	err = target_run_mortal(nr, count, &calls);
	sprintf(out, "%llu\n", calls);
	return err;
}

static int run_contexts(int argc, char **argv, struct target_input *in,
			char *out)
{
	long count = 1;

	if (number(argc, argv, 1, &count))
		return -EINVAL;
	target_run_contexts(count);
	sprintf(out, "%ld\n", 3 * count);
	return 0;
}

static int run_bench(int argc, char **argv, struct target_input *in, char *out)
{
	const struct target_act *act = target_act_find(argv[1]);
	long calls = 1000, blocks = 64;

	if (!act)
		return -ENOENT;
	if (act->sleeps || number(argc, argv, 2, &calls) ||
	    number(argc, argv, 3, &blocks))
		return -EINVAL;
	in->value = act->value;
	sprintf(out, "%llu\n", target_run_bench(act, in, calls, blocks));
	return 0;
}

static int run_marked(int argc, char **argv, struct target_input *in, char *out)
{
	const struct target_act *act = target_act_find(argv[1]);
	long calls = 1, id = 0;

	if (!act)
		return -ENOENT;
	if (act->sleeps || number(argc, argv, 2, &calls) ||
	    number(argc, argv, 3, &id))
		return -EINVAL;
	in->value = act->value;
	target_run_marked(act, in, calls, id);
	sprintf(out, "%ld\n", calls);
	return 0;
}

/* Returns a reference, or NULL. */
static struct task_struct *task_of(long nr)
{
	struct pid *pid = find_get_pid(nr);
	struct task_struct *task = get_pid_task(pid, PIDTYPE_PID);

	put_pid(pid);
	return task;
}

/* "fifo", "fifo low": the task that writes. "fifo PID": that task goes before both. */
static int run_fifo(int argc, char **argv, struct target_input *in, char *out)
{
	const struct sched_attr first = {
		.size = sizeof(first), .sched_policy = SCHED_FIFO, .sched_priority = 60,
	};
	struct task_struct *task;
	int nr, err;

	if (argc == 1) {
		sched_set_fifo(current);
		return 0;
	}
	if (kstrtoint(argv[1], 10, &nr)) {
		sched_set_fifo_low(current);
		return 0;
	}
	/* Only PREEMPT_RT has such tasks, and 5.10 does not export what this needs. */
	if (!IS_ENABLED(CONFIG_PREEMPT_RT))
		return -EOPNOTSUPP;
	task = task_of(nr);
	if (!task)
		return -ESRCH;
	err = sched_setattr_nocheck(task, &first);
	put_task_struct(task);
	return err;
}

static int run_where(int argc, char **argv, struct target_input *in, char *out)
{
	sprintf(out, "kpt_target:kpt_target_mid+%lu\n", kpt_target_mid_byte);
	return 0;
}

static int run_word(int argc, char **argv, struct target_input *in, char *out)
{
	sprintf(out, "0x%lx\n", (unsigned long)&kpt_target_word);
	return 0;
}

static int run_now(int argc, char **argv, struct target_input *in, char *out)
{
	sprintf(out, "%llu\n", target_now());
	return 0;
}

/**
 * struct holder - a task that holds a lock for a test
 * @lock: takes it
 * @unlock: the reverse
 * @what: argument of both
 * @task: the task, or NULL
 * @held: completed by the task, which has the lock
 * @released: completed by the test, to end it
 */
struct holder {
	void (*lock)(void *what);
	void (*unlock)(void *what);
	void *what;
	struct task_struct *task;
	struct completion held;
	struct completion released;
};

static void hold_mutex(void *mutex)
{
	mutex_lock(mutex);
}

static void release_mutex(void *mutex)
{
	mutex_unlock(mutex);
}

static void hold_mm(void *mm)
{
	mmap_write_lock(mm);
}

static void release_mm(void *mm)
{
	mmap_write_unlock(mm);
	mmput(mm);
}

static struct holder mutex_holder = { hold_mutex, release_mutex };
static struct holder mm_holder = { hold_mm, release_mm };

static int hold(void *data)
{
	struct holder *h = data;

	h->lock(h->what);
	complete(&h->held);
	/* Interruptible, or it would be reported as a hung task. */
	wait_for_completion_interruptible(&h->released);
	h->unlock(h->what);
	return 0;
}

static int hold_begin(struct holder *h, void *what)
{
	struct task_struct *task;

	h->what = what;
	init_completion(&h->held);
	init_completion(&h->released);
	task = kthread_create(hold, h, "kpt_target_hold");
	if (IS_ERR(task))
		return -ENOMEM;
	get_task_struct(task);
	h->task = task;
	wake_up_process(task);
	wait_for_completion(&h->held);
	return 0;
}

static int hold_end(struct holder *h)
{
	if (!h->task)
		return -ENOENT;
	complete(&h->released);
	kthread_stop(h->task);
	put_task_struct(h->task);
	h->task = NULL;
	return 0;
}

static int run_hold(int argc, char **argv, struct target_input *in, char *out)
{
	unsigned long mutex;

	if (mutex_holder.task)
		return -EBUSY;
	if (kstrtoul(argv[1], 0, &mutex) || !mutex)
		return -EINVAL;
	return hold_begin(&mutex_holder, (void *)mutex);
}

static int run_release(int argc, char **argv, struct target_input *in, char *out)
{
	return hold_end(&mutex_holder);
}

static struct mm_struct *mm_of(long pid)
{
	struct task_struct *task = task_of(pid);
	struct mm_struct *mm = task ? get_task_mm(task) : NULL;

	if (task)
		put_task_struct(task);
	return mm;
}

/* The mmap_lock of a process, for writing. */
static int run_hold_mm(int argc, char **argv, struct target_input *in, char *out)
{
	struct mm_struct *mm;
	long pid;
	int err;

	if (mm_holder.task)
		return -EBUSY;
	if (kstrtol(argv[1], 0, &pid))
		return -EINVAL;
	mm = mm_of(pid);
	if (!mm)
		return -ESRCH;
	err = hold_begin(&mm_holder, mm);
	if (err)
		mmput(mm);
	return err;
}

static int run_release_mm(int argc, char **argv, struct target_input *in, char *out)
{
	return hold_end(&mm_holder);
}

static const struct command commands[] = {
	{ "call", 2, run_call },
	{ "threads", 4, run_threads },
	{ "mortal", 3, run_mortal },
	{ "contexts", 1, run_contexts },
	{ "bench", 2, run_bench },
	{ "marked", 4, run_marked },
	{ "fifo", 1, run_fifo },
	{ "hold", 2, run_hold },
	{ "release", 1, run_release },
	{ "hold_mm", 2, run_hold_mm },
	{ "release_mm", 1, run_release_mm },
	{ "where", 1, run_where },
	{ "word", 1, run_word },
	{ "now", 1, run_now },
};

static int split(char *line, char **argv)
{
	int argc = 0;
	char *word;

	while ((word = strsep(&line, " \t\n")) != NULL) {
		if (!*word)
			continue;
		if (argc == ARGS_MAX)
			return -E2BIG;
		argv[argc++] = word;
	}
	return argc;
}

static int run(char *line, struct target_input *in)
{
	char *argv[ARGS_MAX], out[TARGET_RESULT_SIZE] = "";
	int n, err = -EINVAL, argc = split(line, argv);

	for (n = 0; argc > 0 && n < ARRAY_SIZE(commands); n++) {
		if (strcmp(commands[n].name, argv[0]) || argc < commands[n].min)
			continue;
		err = commands[n].run(argc, argv, in, out);
		break;
	}
	mutex_lock(&result_lock);
	strscpy(result, out, sizeof(result));
	mutex_unlock(&result_lock);
	return err;
}

static ssize_t target_write(struct file *file, const char __user *from,
			    size_t len, loff_t *pos)
{
	struct target_input in = { .user = from, .user_len = len };
	char *line;
	int err;

	if (len > LINE_MAX)
		return -E2BIG;
	line = memdup_user_nul(from, len);
	if (IS_ERR(line))
		return PTR_ERR(line);
	err = run(line, &in);
	kfree(line);
	return err ? err : len;
}

static int target_show(struct seq_file *m, void *unused)
{
	mutex_lock(&result_lock);
	seq_puts(m, result);
	mutex_unlock(&result_lock);
	return 0;
}

static int target_open(struct inode *inode, struct file *file)
{
	return single_open(file, target_show, NULL);
}

static const struct proc_ops target_ops = {
	.proc_open = target_open,
	.proc_read = seq_read,
	.proc_lseek = seq_lseek,
	.proc_release = single_release,
	.proc_write = target_write,
};

/*
 * Aligned, as ftrace wants every function to be that it may patch; compilers do
 * not align cold ones by themselves.
 */
static int __init __aligned(8) kpt_target_init(void)
{
	kpt_target_none();
	return proc_create("kpt_target", 0600, NULL, &target_ops) ? 0 : -ENOMEM;
}

static void __exit kpt_target_exit(void)
{
	remove_proc_entry("kpt_target", NULL);
}

module_init(kpt_target_init);
module_exit(kpt_target_exit);
MODULE_DESCRIPTION("Functions with known arguments and results, to be probed");
MODULE_LICENSE("GPL");
