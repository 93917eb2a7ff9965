// SPDX-License-Identifier: GPL-2.0-only
/*
 * graph_calls NAMES OUT: read the text of function_graph, with the options
 * funcgraph-proc and funcgraph-tail, and write for each task the begins and ends of
 * calls, in their order, to OUT.calls.TASK, and what functions have returned to
 * OUT.values.TASK. NAMES is a file of functions; others are left out. So is what an
 * interrupt does to the task: it may come where one tracer has seen the begin or the end of
 * a call, and the other one has not.
 */
#define _GNU_SOURCE
#include <search.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TASKS_MAX 256

static struct task {
	int pid;
	FILE *calls, *values;
	/* Depth of calls in that of an interrupt, with it; 0: outside. */
	unsigned int in_irq;
} tasks[TASKS_MAX];

/*
 * What is called at the begin and the end of an interrupt, where it does not count as one.
 * If it is called elsewhere, too, that is left out of both lists.
 */
static const char *const irq_calls[] = {
	"__do_softirq", "__irq_exit_rcu", "do_softirq_own_stack", "handle_softirqs",
	"idle_cpu", "irq_enter_rcu", "irq_exit_rcu", "preempt_schedule_irq",
	"raw_irqentry_exit_cond_resched", "tick_nohz_irq_exit",
};

static bool is_irq_call(const char *name)
{
	size_t i;

	for (i = 0; i < sizeof(irq_calls) / sizeof(irq_calls[0]); i++)
		if (!strcmp(name, irq_calls[i]))
			return true;
	return false;
}

static const char *out;

static FILE *create(const char *what, int pid)
{
	char path[256];
	FILE *file;

	snprintf(path, sizeof(path), "%s.%s.%d", out, what, pid);
	file = fopen(path, "w");
	if (!file) {
		perror(path);
		exit(1);
	}
	return file;
}

static struct task *task_of(int pid)
{
	struct task *task = tasks;

	while (task->calls && task->pid != pid)
		if (++task == tasks + TASKS_MAX)
			exit(2);
	if (!task->calls) {
		task->pid = pid;
		task->calls = create("calls", pid);
		task->values = create("values", pid);
	}
	return task;
}

static void read_names(const char *path)
{
	FILE *file = fopen(path, "r");
	static char name[256];

	if (!file || !hcreate(1 << 16)) {
		perror(path);
		exit(1);
	}
	while (fscanf(file, "%255s", name) == 1)
		hsearch((ENTRY){ .key = strdup(name) }, ENTER);
	fclose(file);
}

/* A begin, an end, or both: "NAME() {", "} [slash]* NAME ret=0x0 *[slash]", "NAME();" */
static void take(struct task *task, char *text)
{
	bool ends = strchr(text, '}'), begins = !ends;
	char *value = strstr(text, "ret="), *name;

	if (begins && !strchr(text, '{'))
		ends = true;
	if (value)
		value[strcspn(value, " \n")] = '\0';
	name = text + strspn(text, " }");
	if (!begins && !strncmp(name, "/* ", 3))
		name += 3;
	name[strcspn(name, " (\n")] = '\0';
	if (!hsearch((ENTRY){ .key = name }, FIND))
		return;
	if (task->in_irq || is_irq_call(name)) {
		task->in_irq += begins;
		task->in_irq -= ends;
		return;
	}
	if (begins)
		fprintf(task->calls, "call %s\n", name);
	if (ends)
		fprintf(task->calls, "end %s\n", name);
	if (ends && value)
		fprintf(task->values, "%s %s\n", name, value);
}

int main(int argc, char **argv)
{
	char *line = NULL, *second, *third, *pid;
	size_t room = 0;

	if (argc != 3)
		return 2;
	read_names(argv[1]);
	out = argv[2];
	while (getline(&line, &room, stdin) > 0) {
		/* "CPU) COMM-PID | DURATION | CALL"; other lines tell of no call. */
		second = strchr(line, '|');
		third = second ? strchr(second + 1, '|') : NULL;
		if (*line == '#' || !third || strstr(line, "=="))
			continue;
		*second = '\0';
		pid = strrchr(line, '-');
		third += 1 + strspn(third + 1, " ");
		if (pid && strncmp(third, "/*", 2))
			take(task_of(atoi(pid + 1)), third);
	}
	return 0;
}
