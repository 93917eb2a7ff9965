// SPDX-License-Identifier: GPL-2.0-only
/*
 * trace and snapshot: the records in a buffer as lines, without taking them out.
 */
#include "kernel/compat.h"
#include <linux/bitmap.h>
#include <linux/mm.h>
#include <linux/cpumask.h>
#include <linux/slab.h>
#include <linux/utsname.h>
#include "event/snapshot.h"
#include "fs/fs.h"
#include "kernel/comms.h"
#include "kernel/ksyms.h"
#include "kernel/symbol/symbol.h"

/*
 * One record.
 */

/**
 * kpt_trace_graph_alloc() - what a reader of function_graph has to know
 * @instance: the instance that it reads
 *
 * Context: process context, sleeps.
 * Return: memory for kvfree(); NULL without memory, or if the tracer is another one.
 */
struct kpt_graph_cpu *kpt_trace_graph_alloc(const struct kpt_instance *instance)
{
	struct kpt_graph_cpu *graph = NULL;
	unsigned int cpu;

	if (kpt_tracer_is_graph(instance))
		graph = kvcalloc(nr_cpu_ids, sizeof(*graph), GFP_KERNEL_ACCOUNT);
	for (cpu = 0; graph && cpu < nr_cpu_ids; cpu++)
		graph[cpu].cpu_width = snprintf(NULL, 0, "%u", nr_cpu_ids - 1);
	return graph;
}

/* A text that does not fit into a read of trace is written again. */
static void trace_put_graph(struct kpt_strbuf *sb, struct kpt_buffer_iter *iter,
			    const struct kpt_line *line, struct kpt_graph_cpu *state)
{
	const struct kpt_graph_cpu before = *state;
	u64 next[16];
	size_t size;

	size = kpt_buffer_iter_peek_on(iter, iter->rec_cpu, next, sizeof(next));
	kpt_format_graph(sb, line, state, next, size);
	if (sb->overflow)
		*state = before;
}

/**
 * kpt_trace_set_event() - say what event the record of a line belongs to
 * @line: the line
 * @event: the event, which outlives @line; NULL if nobody knows it
 *
 * Context: any.
 */
void kpt_trace_set_event(struct kpt_line *line, const struct kpt_event *event)
{
	if (!event)
		return;
	line->event = event->name;
	line->fields = event->fields;
	if (!event->source)
		return;
	line->source_group = event->source->group;
	line->source_event = event->source->name;
}

/**
 * kpt_trace_begin() - prepare to look up symbols
 * @instance: the instance whose records are read
 * @symbols: names that were found before, or NULL: another module may have been loaded
 *	where one was
 *
 * Context: process context.
 */
void kpt_trace_begin(const struct kpt_instance *instance, struct kpt_symbols *symbols)
{
	if (symbols) {
		symbols->round++;
		symbols->modules = (u32)kpt_symbol_modules_seq();
	}
	if (instance->is_past)
		kpt_past_update(instance);
}

/* What lines of a task begin with; its name is looked up once in a round. */
static struct kpt_begin *trace_begin_of(struct kpt_symbols *symbols, s32 pid, u32 cpu)
{
	struct kpt_begin *b = &symbols->begin[((u32)pid + cpu) % KPT_BEGINS];

	if (b->round == symbols->round && b->pid == pid)
		return b;
	b->round = symbols->round;
	b->pid = pid;
	b->len = 0;
	kpt_comm_find(pid, b->comm, &b->tgid);
	return b;
}

/* Who has made the record; @comm: room for the name. */
static void trace_set_task(struct kpt_line *line, s32 pid, char *comm)
{
	if (!line->symbols) {
		kpt_comm_find(pid, comm, &line->tgid);
		return;
	}
	line->begin = trace_begin_of(line->symbols, pid, line->cpu);
	line->comm = line->begin->comm;
	line->tgid = line->begin->tgid;
}

/**
 * kpt_trace_put_record() - put the record that an iterator found, as a line
 * @sb: gets the text
 * @iter: found a record
 * @node: the file that is read: its instance has the options
 * @index: number of lines before
 * @symbols: names of symbols that were found before, or NULL
 * @graph: of each CPU what the lines before have left, for function_graph; else NULL
 *
 * Context: process context, sleeps.
 */
void kpt_trace_put_record(struct kpt_strbuf *sb, struct kpt_buffer_iter *iter,
			  const struct kpt_fs_node *node, u64 index,
			  struct kpt_symbols *symbols, struct kpt_graph_cpu *graph)
{
	const struct kpt_record_head *head = iter->rec;
	const struct kpt_buffer *buf = iter->buffer;
	char comm[TASK_COMM_LEN];
	struct kpt_line line = {
		.record = iter->rec,
		.size = iter->size,
		.comm = comm,
		.cpu = iter->rec_cpu,
		.ts = iter->ts,
		.ts_in_ns = kpt_clock_in_ns(iter->clock),
		.options = READ_ONCE(node->instance->options),
		.start = READ_ONCE(buf->cleared),
		.index = index,
		.symbols = symbols,
	};
	struct kpt_event *event = NULL;

	if (line.options & KPT_OPT_LATENCY_FMT)
		kpt_buffer_iter_peek(iter, &line.next_ts);
	if (node->instance->is_past) {
		kpt_past_describe(node->instance, &line, comm);
	} else {
		trace_set_task(&line, head->pid, comm);
		event = kpt_event_get_id(head->type);
		kpt_trace_set_event(&line, event);
	}
	if (graph && kpt_tracer_is_graph(node->instance))
		trace_put_graph(sb, iter, &line, &graph[iter->rec_cpu]);
	else
		kpt_format_line(sb, &line);
	kpt_event_put(event);
}

/**
 * kpt_trace_put_lost() - report the records that were lost just before this one
 * @sb: gets the text
 * @iter: found a record
 *
 * Context: process context.
 */
void kpt_trace_put_lost(struct kpt_strbuf *sb,
			const struct kpt_buffer_iter *iter)
{
	if (iter->lost)
		kpt_strbuf_printf(sb, "CPU:%d [LOST %llu EVENTS]\n",
				  iter->rec_cpu, iter->lost);
}

/*
 * trace: a seq_file whose line 0 is the header and line N record number N.
 */

/* Text that one read() makes: a symbol is looked up once in each. */
#define TRACE_TEXT SZ_64K

/**
 * struct trace - an open trace file
 * @node: the file
 * @iter: reads the buffer
 * @at: number of the record that @iter found last, 0 before the first
 * @held: @iter has that record
 * @annotate: show where the records of a CPU begin
 * @started: CPUs of records before @at
 * @ended: a read reported the end; the next one looks for more
 * @end_told: a splice reported it once
 * @symbols: names of places; NULL without memory
 * @graph: for kpt_trace_put_record()
 * @paused: recording pauses until the file is closed
 */
struct trace {
	struct kpt_fs_node *node;
	struct kpt_buffer_iter *iter;
	loff_t at;
	bool held;
	bool annotate;
	unsigned long *started;
	bool ended;
	bool end_told;
	struct kpt_symbols *symbols;
	struct kpt_graph_cpu *graph;
	bool paused;
};

static void trace_rewind(struct trace *t)
{
	kpt_buffer_iter_rewind(t->iter);
	kpt_buffer_iter_bound(t->iter);
	bitmap_zero(t->started, nr_cpu_ids);
	t->at = 0;
	t->held = false;
}

/* Go to record @number; NULL if there are not so many. */
static struct trace *trace_seek(struct trace *t, loff_t number)
{
	if (number < t->at || (number == t->at && !t->held))
		trace_rewind(t);
	while (t->at < number) {
		if (t->held)
			__set_bit(t->iter->rec_cpu, t->started);
		t->held = kpt_buffer_iter_next(t->iter);
		if (!t->held)
			return NULL;
		t->at++;
	}
	return t;
}

static void *trace_start(struct seq_file *m, loff_t *pos)
{
	struct trace *t = m->private;

	if (kpt_fs_node_is_dead(t->node))
		return ERR_PTR(-ENODEV);
	kpt_trace_begin(t->node->instance, t->symbols);
	if (t->ended)
		kpt_buffer_iter_bound(t->iter);
	t->ended = false;
	if (*pos)
		return trace_seek(t, *pos);
	trace_rewind(t);
	return SEQ_START_TOKEN;
}

static void *trace_next(struct seq_file *m, void *v, loff_t *pos)
{
	return trace_seek(m->private, ++*pos);
}

static void trace_stop(struct seq_file *m, void *v)
{
}

static const char *trace_preemption_model(void)
{
	if (kpt_has(preempt_model_str))
		return preempt_model_str();
	if (IS_ENABLED(CONFIG_PREEMPT_RT))
		return "preempt_rt";
	if (IS_ENABLED(CONFIG_PREEMPT))
		return "preempt";
	if (IS_ENABLED(CONFIG_PREEMPT_VOLUNTARY))
		return "desktop";
	return IS_ENABLED(CONFIG_PREEMPT_NONE) ? "server" : "unknown";
}

/*
 * Of the tracers with a header of their own, function_graph has columns of its own below the
 * head of a latency trace; osnoise and timerlat have one header whatever the options are.
 */
static bool trace_has_latency_header(const struct kpt_instance *instance,
				     kpt_tracer_header_t put, u32 options)
{
	return options & KPT_OPT_LATENCY_FMT && (!put || kpt_tracer_is_graph(instance));
}

static void trace_put_latency_header(struct kpt_strbuf *sb, kpt_tracer_header_t put,
				     const char *tracer, u32 options,
				     const struct kpt_ring_stats *s)
{
	/* KPT_OPT_VERBOSE: without the usual columns. */
	kpt_format_latency_header(sb, tracer, init_utsname()->release,
				  trace_preemption_model(), s->entries,
				  s->entries + s->overrun, num_online_cpus(),
				  put ? options | KPT_OPT_VERBOSE : options);
	if (put && s->entries)
		put(sb, options);
}

static void trace_put_header(struct kpt_strbuf *sb, const struct kpt_fs_node *node)
{
	kpt_tracer_header_t put = kpt_tracer_header(node->instance);
	const char *tracer = kpt_tracer_name(node->instance);
	u32 options = node->instance->options;
	struct kpt_ring_stats s;

	kpt_buffer_stats(kpt_fs_node_buffer(node), node->cpu, &s);
	if (kpt_fs_node_is_snapshot(node) && !s.entries)
		kpt_snapshot_show_help(sb, node);
	else if (trace_has_latency_header(node->instance, put, options))
		trace_put_latency_header(sb, put, tracer, options, &s);
	else if (put)
		put(sb, options);
	else
		kpt_format_header(sb, tracer, s.entries, s.entries + s.overrun,
				  num_online_cpus(), options);
}

/* Once per CPU, but not for the CPU of the very first record. */
static void trace_put_started(struct kpt_strbuf *sb, const struct trace *t)
{
	if (t->annotate && t->at > 1 &&
	    t->node->instance->options & KPT_OPT_ANNOTATE &&
	    !test_bit(t->iter->rec_cpu, t->started))
		kpt_strbuf_printf(sb, "##### CPU %d buffer started ####\n",
				  t->iter->rec_cpu);
}

static int trace_show(struct seq_file *m, void *v)
{
	struct trace *t = m->private;
	struct kpt_strbuf sb;

	kpt_seq_begin(m, &sb);
	if (v == SEQ_START_TOKEN) {
		trace_put_header(&sb, t->node);
	} else {
		kpt_trace_put_lost(&sb, t->iter);
		trace_put_started(&sb, t);
		kpt_trace_put_record(&sb, t->iter, t->node, t->at - 1,
				     t->symbols, t->graph);
	}
	kpt_seq_end(m, &sb);
	return 0;
}

static const struct seq_operations trace_seq = {
	.start = trace_start,
	.next = trace_next,
	.stop = trace_stop,
	.show = trace_show,
};

static void trace_free(struct inode *inode, struct file *file)
{
	struct seq_file *m = file->private_data;
	struct trace *t = m->private;

	kpt_buffer_iter_free(t->iter);
	bitmap_free(t->started);
	kvfree(t->graph);
	kvfree(t->symbols);
	seq_release_private(inode, file);
}

static int trace_open_to_read(struct inode *inode, struct file *file,
			      struct kpt_fs_node *node)
{
	struct kpt_buffer *buf = kpt_fs_node_buffer(node);
	struct kpt_ring_stats s;
	struct seq_file *m;
	struct trace *t;

	t = __seq_open_private(file, &trace_seq, sizeof(*t));
	if (!t)
		return -ENOMEM;
	m = file->private_data;
	m->buf = kvmalloc(TRACE_TEXT, GFP_KERNEL_ACCOUNT);
	m->size = m->buf ? TRACE_TEXT : 0;
	t->node = node;
	t->graph = kpt_trace_graph_alloc(node->instance);
	t->symbols = kvzalloc(sizeof(*t->symbols), GFP_KERNEL_ACCOUNT);
	t->started = bitmap_zalloc(nr_cpu_ids, GFP_KERNEL_ACCOUNT);
	t->iter = kpt_buffer_iter_alloc(buf, node->cpu, false);
	if (!t->started || !t->iter) {
		trace_free(inode, file);
		return -ENOMEM;
	}
	kpt_buffer_stats(buf, node->cpu, &s);
	t->annotate = s.overrun;
	t->paused = node->instance->pause_on_trace &&
		    !kpt_fs_node_is_snapshot(node);
	if (t->paused)
		kpt_buffer_pause(&node->instance->buffer);
	return 0;
}

static int trace_open(struct inode *inode, struct file *file)
{
	struct kpt_fs_node *node = kpt_fs_node_open(inode);
	int err = 0;

	if (IS_ERR(node))
		return PTR_ERR(node);
	if (kpt_fs_node_is_snapshot(node))
		kpt_snapshot_wait(node->instance);
	else if (file->f_mode & FMODE_WRITE && file->f_flags & O_TRUNC)
		kpt_buffer_reset(&node->instance->buffer, node->cpu);
	if (file->f_mode & FMODE_READ)
		err = trace_open_to_read(inode, file, node);
	if (err)
		kpt_fs_node_release(node);
	return err;
}

static int trace_release(struct inode *inode, struct file *file)
{
	struct kpt_fs_node *node = kpt_fs_node_of(file);
	struct seq_file *m = file->private_data;
	struct trace *t;

	if (file->f_mode & FMODE_READ) {
		t = m->private;
		if (t->paused)
			kpt_buffer_resume(&node->instance->buffer);
		trace_free(inode, file);
	}
	kpt_fs_node_release(node);
	return 0;
}

/*
 * A reader gets no more records than were there when it began, since it may be traced
 * itself. One that continues after the end (tail -f) gets newer records.
 */
static ssize_t trace_has_read(struct file *file, size_t count, ssize_t n)
{
	struct seq_file *m = file->private_data;
	struct trace *t = m->private;

	if (!n && count)
		t->ended = true;
	return n;
}

#ifdef KPT_SEQ_ITERATORS
static ssize_t trace_read(struct kiocb *iocb, struct iov_iter *to)
{
	size_t count = iov_iter_count(to);

	return trace_has_read(iocb->ki_filp, count, seq_read_iter(iocb, to));
}
#else
static ssize_t trace_read(struct file *file, char __user *to, size_t count, loff_t *pos)
{
	return trace_has_read(file, count, seq_read(file, to, count, pos));
}
#endif

/*
 * sendfile() swallows an EOF that follows data. Report it once more, or a reader
 * that loops until EOF never ends when its own calls are traced.
 */
static ssize_t trace_splice(struct file *file, loff_t *pos,
			    struct pipe_inode_info *pipe, size_t len,
			    unsigned int flags)
{
	struct seq_file *m = file->private_data;
	struct trace *t = m->private;
	ssize_t n = 0;

	if (!t->end_told)
		n = copy_splice_read(file, pos, pipe, len, flags);
	t->end_told = !n && !t->end_told;
	return n;
}

/* Opening trace with O_TRUNC clears the buffer; the text of a write is ignored. */
static ssize_t trace_write(struct file *file, const char __user *from,
			   size_t count, loff_t *pos)
{
	const struct kpt_fs_node *node = kpt_fs_node_of(file);

	if (kpt_fs_node_is_snapshot(node))
		return kpt_snapshot_write(node, from, count);
	return count;
}

static loff_t trace_llseek(struct file *file, loff_t offset, int whence)
{
	if (file->f_mode & FMODE_READ)
		return seq_lseek(file, offset, whence);
	return noop_llseek(file, offset, whence);
}

const struct file_operations kpt_trace_fops = {
	.owner = THIS_MODULE,
	.open = trace_open,
#ifdef KPT_SEQ_ITERATORS
	.read_iter = trace_read,
#else
	.read = trace_read,
#endif
	.splice_read = trace_splice,
	.write = trace_write,
	.splice_write = kpt_fs_splice_write,
	.llseek = trace_llseek,
	.release = trace_release,
};

static const struct kpt_fs_file trace_files[] = {
	{ .name = "trace", .mode = 0640, .fops = &kpt_trace_fops },
	{ .name = "trace_pipe", .mode = 0440, .fops = &kpt_trace_pipe_fops },
};

const struct kpt_fs_table kpt_trace_entries = KPT_FS_TABLE(trace_files);
