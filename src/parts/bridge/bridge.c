// SPDX-License-Identifier: GPL-2.0-only
/*
 * Bridges: file events/GRP/EVENT/bridge and parameter bridge.
 *
 * The kernel's tracing calls bridge_reg() with its event_mutex held, which arms the
 * event under kpt_mutex. So event_mutex is outside of kpt_mutex, and events are put
 * into the kernel's tracing and taken out by a worker that does not hold kpt_mutex.
 * Those who change what is wanted wait for the worker when they have unlocked kpt_mutex.
 *
 * No kernel exports event_mutex, which must be held for that. The module has an event
 * of its own, the door: when the worker enables it, or opens it in perf, the kernel calls
 * door_answer() in the worker, with event_mutex held.
 *
 * The kernel refuses to take an event out that is open in perf or enabled. It is one of
 * kpt_event_file.listeners then, so it cannot be deleted here either.
 */
#include "kernel/compat.h"
#include <linux/err.h>
#include <linux/moduleparam.h>
#include <linux/perf_event.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include <linux/wait.h>
#include <linux/workqueue.h>
#include "parts/bridge/bridge.h"
#include "event/class.h"
#include "parts/perf/perf.h"
#include "kernel/ksyms.h"

#ifdef KPT_BRIDGES

/* Parameter bridge; may there be bridges? Under kpt_mutex. */
static bool bridge_all, bridge_ready;

/* All bridges. Under kpt_mutex. */
static LIST_HEAD(bridges);

/* How often something else was wanted, and up to which of these the worker has done it. */
static unsigned long bridges_asked, bridges_answered;
static DECLARE_WAIT_QUEUE_HEAD(bridges_wait);

static void bridge_work(struct work_struct *unused);
static DECLARE_DELAYED_WORK(bridge_worker, bridge_work);

/* The worker tries again so much later to take out events that are deleted. */
#define BRIDGE_RETRY	HZ

static void bridge_ask(void)
{
	lockdep_assert_held(&kpt_mutex);
	WRITE_ONCE(bridges_asked, bridges_asked + 1);
	mod_delayed_work(system_long_wq, &bridge_worker, 0);
}

/*
 * What the kernel's tracing does with a bridge. It holds event_mutex.
 */

static struct kpt_event_file *bridge_file(const struct kpt_bridge *b)
{
	return kpt_event_file_of(b->event, &kpt_top_instance);
}

/*
 * kpt_event.slot.bridge is what the kernel's tracing has, or should have, of the event; NULL if
 * that is nothing, or an errno if the last change has failed.
 */
static struct kpt_bridge *bridge_of(const struct kpt_event *event)
{
	return IS_ERR(event->slot.bridge) ? NULL : event->slot.bridge;
}

static int bridge_error(const struct kpt_event *event)
{
	const struct kpt_bridge *b = bridge_of(event);

	return b ? b->err : PTR_ERR_OR_ZERO(event->slot.bridge);
}

/* The bridge of an event of which something else is wanted now. */
static struct kpt_bridge *bridge_renew(struct kpt_event *event)
{
	struct kpt_bridge *b = bridge_of(event);

	event->slot.bridge = b;
	if (b)
		b->err = 0;
	return b;
}

/* Hits give records to @b, or to none. */
static void bridge_set(const struct kpt_event_file *file, struct kpt_bridge *b)
{
	struct kpt_perf_file *p = file->slot.perf;

	WRITE_ONCE(p->bridge, b);
}

/* Arm the event. It may have been deleted while the worker waits for event_mutex. */
static int bridge_listen(struct kpt_bridge *b)
{
	struct kpt_event_file *file;
	int err = -ENODEV;

	if (kpt_lock_ahead())
		return -EINTR;
	file = list_empty(&b->event->probes) ? NULL : bridge_file(b);
	if (file)
		err = kpt_perf_listen(file);
	if (!err) {
		b->file = file;
		bridge_set(file, b);
	}
	kpt_unlock();
	return err;
}

static int bridge_open(struct kpt_bridge *b)
{
	int err = bridge_listen(b);

	if (!err)
		WRITE_ONCE(b->is_open, true);
	return err;
}

/* The kernel waits for a grace period before it frees the lists of perf events. */
static void bridge_close(struct kpt_bridge *b)
{
	WRITE_ONCE(b->is_open, false);
	kpt_perf_unlisten(b->file);
}

/* A ring of the kernel does not hold the module, unlike perf. */
static int bridge_enable(struct kpt_bridge *b, struct trace_event_file *file)
{
	unsigned int i;
	int err;

	for (i = 0; i < KPT_BRIDGE_RINGS && b->ring[i]; i++)
		;
	if (i == KPT_BRIDGE_RINGS)
		return -ENOSPC;
	if (!try_module_get(THIS_MODULE))
		return -ENODEV;
	err = bridge_listen(b);
	if (err) {
		module_put(THIS_MODULE);
		return err;
	}
	WRITE_ONCE(b->ring[i], file);
	if (i == b->nr_rings)
		WRITE_ONCE(b->nr_rings, i + 1);
	return 0;
}

/* The kernel waits for a grace period before it frees @file. */
static void bridge_disable(struct kpt_bridge *b, const struct trace_event_file *file)
{
	unsigned int i;

	for (i = 0; i < b->nr_rings; i++) {
		if (b->ring[i] != file)
			continue;
		WRITE_ONCE(b->ring[i], NULL);
		kpt_perf_unlisten(b->file);
		module_put(THIS_MODULE);
	}
}

static int bridge_reg(struct trace_event_call *call, enum trace_reg type, void *data)
{
	struct kpt_bridge *b = container_of(call, struct kpt_bridge, call);

	switch (type) {
	case TRACE_REG_REGISTER:
		return bridge_enable(b, data);
	case TRACE_REG_UNREGISTER:
		bridge_disable(b, data);
		return 0;
	case TRACE_REG_PERF_REGISTER:
		return bridge_open(b);
	case TRACE_REG_PERF_UNREGISTER:
		bridge_close(b);
		return 0;
	default:
		/* perf shall use its own lists of perf events. */
		return 0;
	}
}

/*
 * The door.
 */

/* What to do with event_mutex held, and the task that does it; else NULL. */
static void (*door_do)(void);
static struct task_struct *door_keeper;

/* The kernel empties its rings when it forgets an event that was ever enabled. */
static void door_forget(struct trace_event_file *file)
{
	clear_bit(EVENT_FILE_FL_WAS_ENABLED_BIT, &file->flags);
}

static void door_answer(void)
{
	if (READ_ONCE(door_keeper) == current && door_do) {
		door_do();
		door_do = NULL;
	}
}

static int door_reg(struct trace_event_call *call, enum trace_reg type, void *data)
{
	if (type != TRACE_REG_REGISTER && type != TRACE_REG_UNREGISTER)
		return -EOPNOTSUPP;
	door_answer();
	if (type == TRACE_REG_UNREGISTER)
		door_forget(data);
	return 0;
}

/* Nobody may open it. The kernel asks first, also while others use the event. */
static int door_perf_perm(struct trace_event_call *call, struct perf_event *event)
{
	door_answer();
	return -EOPNOTSUPP;
}

static struct trace_event_fields door_fields[] = { {} };
static char door_print_fmt[] = "\"\"";

static struct trace_event_class door_class = {
	.system = KBUILD_MODNAME,
	.reg = door_reg,
	.fields_array = door_fields,
	.fields = LIST_HEAD_INIT(door_class.fields),
};

static struct trace_event_call door = {
	.class = &door_class,
	.name = "bridges",
	.print_fmt = door_print_fmt,
	.perf_perm = door_perf_perm,
};

/* The kernel adds the events of this section when it loads the module. */
static struct trace_event_call *door_entry __used __section("_ftrace_events") = &door;

/* Returns why perf has not asked, or 0. */
static int door_pass_perf(void)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_TRACEPOINT,
		.size = sizeof(attr),
		.config = door.event.type,
	};
	struct perf_event *event;

	event = perf_event_create_kernel_counter(&attr, -1, current, NULL, NULL);
	return door_do ? PTR_ERR(event) : 0;
}

/*
 * Call @what with event_mutex held. Where the kernel keeps the door for a trigger, it is
 * neither enabled nor disabled, and perf is asked. perf alone would not do: it opens no
 * event of a module that is unloaded. Returns 0, or why the kernel has not called.
 */
static int door_pass(void (*what)(void))
{
	int err = 0;

	WRITE_ONCE(door_keeper, current);
	door_do = what;
	trace_set_clr_event(KBUILD_MODNAME, "bridges", 1);
	/* If somebody has enabled it, the kernel calls door_reg() only now. */
	trace_set_clr_event(KBUILD_MODNAME, "bridges", 0);
	if (door_do)
		err = door_pass_perf();
	door_do = NULL;
	WRITE_ONCE(door_keeper, NULL);
	return err;
}

/*
 * The worker. It alone changes what is in the kernel's tracing.
 */

static bool bridge_must_go(const struct kpt_bridge *b)
{
	return b->is_there && !b->is_wanted;
}

/* Its name was checked if it has its class->reg. */
static bool bridge_must_come(const struct kpt_bridge *b)
{
	return !b->is_there && b->is_wanted && b->class.reg;
}

static struct kpt_bridge *bridge_next(bool (*must)(const struct kpt_bridge *))
{
	struct kpt_bridge *b, *found = NULL;

	mutex_lock(&kpt_mutex);
	list_for_each_entry(b, &bridges, list) {
		if (!must(b))
			continue;
		found = b;
		break;
	}
	mutex_unlock(&kpt_mutex);
	return found;
}

/* Note that a change is done, or that it failed: then nothing is wanted any more. */
static void bridge_done(struct kpt_bridge *b, bool is_there, int err)
{
	mutex_lock(&kpt_mutex);
	b->err = err;
	if (err)
		b->is_wanted = is_there;
	b->is_there = is_there;
	mutex_unlock(&kpt_mutex);
}

/*
 * The kernel removes its number of the event, too, and may give it to the next event, as
 * which it would then show what its rings have of this one. So those rings that ever had the
 * event enabled are emptied, as for events of the kernel that go. Kernels without
 * @tracing_reset_unlocked want another lock to be held, and give numbers out again only
 * when all were used.
 */
static void bridges_go(void)
{
	struct kpt_bridge *b;
	int err;

	while ((b = bridge_next(bridge_must_go))) {
		err = trace_remove_event_call(&b->call);
		/* At once: if the next bridge is busy, the kernel forgets which rings. */
		if (!err && kpt_has(tracing_reset_all_online_cpus) &&
		    kpt_has(tracing_reset_all_online_cpus_unlocked))
			tracing_reset_all_online_cpus();
		/* The kernel may have an event of its name when it is wanted again. */
		if (!err)
			b->class.reg = NULL;
		bridge_done(b, err, err);
	}
}

static int bridge_come(struct kpt_bridge *b)
{
	int err;

	/* It may have been there before, and the kernel leaves its number in it. */
	b->call.event.type = 0;
	if (!register_trace_event(&b->call.event))
		return -ENOSPC;
	err = trace_add_event_call(&b->call);
	if (err) {
		unregister_trace_event(&b->call.event);
		return err;
	}
	/* perf holds this module while it has the event open. */
	b->call.kpt_call_module = THIS_MODULE;
	return 0;
}

static void bridges_come(void)
{
	struct kpt_bridge *b;
	int err;

	while ((b = bridge_next(bridge_must_come))) {
		err = bridge_come(b);
		bridge_done(b, !err, err);
	}
}

/* The kernel does not look whether it has an event of that name. */
static int bridge_check_name(const struct kpt_bridge *b)
{
	struct trace_event_file *file =
		trace_get_event_file(NULL, b->class.system, b->name.name);

	if (IS_ERR(file))
		return 0;
	trace_put_event_file(file);
	return -EEXIST;
}

/* Is the name that of a deleted event that must go first? */
static bool bridge_is_behind(const struct kpt_bridge *b)
{
	const struct kpt_bridge *other;

	list_for_each_entry(other, &bridges, list)
		if (other != b && other->is_there &&
		    !strcmp(other->class.system, b->class.system) &&
		    !strcmp(other->name.name, b->name.name))
			return true;
	return false;
}

/* The worker runs again after an event became unwanted, so it comes back to this one. */
static bool bridge_is_unchecked(const struct kpt_bridge *b)
{
	return !b->is_there && b->is_wanted && !b->class.reg && !bridge_is_behind(b);
}

/* Not with event_mutex held. */
static void bridges_check_names(void)
{
	struct kpt_bridge *b;
	int err;

	while ((b = bridge_next(bridge_is_unchecked))) {
		err = bridge_check_name(b);
		if (err)
			bridge_done(b, false, err);
		else
			b->class.reg = bridge_reg;
	}
}

static bool bridge_is_deleted(const struct kpt_bridge *b)
{
	return list_empty(&b->event->probes);
}

/*
 * The door was shut: nothing is wanted any more but that deleted events go, also of those
 * that wait for the name of such an event.
 */
static void bridges_give_up(int err)
{
	struct kpt_bridge *b;

	mutex_lock(&kpt_mutex);
	list_for_each_entry(b, &bridges, list) {
		if (b->is_wanted == b->is_there)
			continue;
		b->err = err;
		if (bridge_is_deleted(b))
			queue_delayed_work(system_long_wq, &bridge_worker, BRIDGE_RETRY);
		else
			b->is_wanted = b->is_there;
	}
	mutex_unlock(&kpt_mutex);
}

static int bridges_change(bool (*must)(const struct kpt_bridge *), void (*change)(void))
{
	return bridge_next(must) ? door_pass(change) : 0;
}

static void bridge_forget(struct kpt_bridge *b)
{
	struct kpt_event_file *file = bridge_file(b);
	struct kpt_perf_file *p = file ? file->slot.perf : NULL;

	/* Who has asked for it still wants to know why it failed. */
	if (b->event->slot.bridge == b)
		b->event->slot.bridge = b->err ? ERR_PTR(b->err) : NULL;
	if (p && p->bridge == b)
		bridge_set(file, NULL);
}

/* Free those that are not in the kernel's tracing, and not wanted there. */
static void bridges_tidy(void)
{
	struct kpt_bridge *b, *next;
	LIST_HEAD(gone);

	mutex_lock(&kpt_mutex);
	list_for_each_entry_safe(b, next, &bridges, list) {
		if (b->is_there || b->is_wanted)
			continue;
		bridge_forget(b);
		list_move(&b->list, &gone);
	}
	mutex_unlock(&kpt_mutex);
	if (list_empty(&gone))
		return;
	/* Hits look at bridges where RCU watches, with interrupts masked. */
	synchronize_rcu();
	list_for_each_entry_safe(b, next, &gone, list)
		kpt_bridge_free(b);
}

static unsigned long bridges_are_asked(void)
{
	unsigned long asked;

	mutex_lock(&kpt_mutex);
	asked = bridges_asked;
	mutex_unlock(&kpt_mutex);
	return asked;
}

static void bridge_work(struct work_struct *unused)
{
	unsigned long asked = bridges_are_asked();
	int gone, come;

	gone = bridges_change(bridge_must_go, bridges_go);
	bridges_check_names();
	come = bridges_change(bridge_must_come, bridges_come);
	if (gone || come)
		bridges_give_up(gone ?: come);
	bridges_tidy();
	WRITE_ONCE(bridges_answered, asked);
	wake_up_all(&bridges_wait);
}

/**
 * kpt_bridge_wait() - wait until what is wanted is done, or has failed
 *
 * Context: process context, sleeps, kpt_mutex not held.
 * Return: 0, or -EINTR if the task is being killed, or ends and closes its files: it will
 * be done all the same.
 */
int kpt_bridge_wait(void)
{
	unsigned long asked = READ_ONCE(bridges_asked);

	/* A task that ends has taken the signal that killed it, and nobody reads its result. */
	if (current->flags & PF_EXITING ||
	    wait_event_killable(bridges_wait,
				(long)(READ_ONCE(bridges_answered) - asked) >= 0))
		return -EINTR;
	return 0;
}

/*
 * What is wanted.
 */

/**
 * kpt_bridge_why_none() - why can no event be bridged?
 *
 * Context: any.
 * Return: a constant string; NULL if one can.
 */
const char *kpt_bridge_why_none(void)
{
	if (!kpt_has(trace_add_event_call) || !kpt_has(trace_remove_event_call))
		return "this kernel has no trace_add_event_call";
	if (!kpt_has(register_trace_event) || !kpt_has(unregister_trace_event) ||
	    !kpt_has(trace_define_field) || !kpt_has(trace_put_event_file))
		return "this kernel has no trace_define_field";
	if (!kpt_has(perf_trace_run_bpf_submit) || !kpt_has(perf_trace_buf_alloc))
		return "this kernel has no perf_trace_run_bpf_submit";
	return NULL;
}

static int bridge_want(struct kpt_event *event)
{
	struct kpt_bridge *b = bridge_renew(event);

	if (!b) {
		b = kpt_bridge_make(event);
		if (!b)
			return -ENOMEM;
		list_add_tail(&b->list, &bridges);
		event->slot.bridge = b;
	}
	b->is_wanted = true;
	bridge_ask();
	return 0;
}

static void bridge_unwant(struct kpt_event *event)
{
	struct kpt_bridge *b = bridge_renew(event);

	if (!b)
		return;
	b->is_wanted = false;
	bridge_ask();
}

/**
 * kpt_bridge_want() - ask for an event to be in the kernel's tracing, or not to be
 * @event: the event, with probes
 * @on: true to put it there, false to take it out
 * @diag: on failure the reason
 *
 * It happens after kpt_mutex is unlocked: kpt_bridge_wait(), then
 * kpt_bridge_result().
 *
 * Context: process context, sleeps, kpt_mutex held.
 * Return: 0; -EINVAL if it is one of the kernel's, -EOPNOTSUPP if this kernel cannot;
 * -ENOMEM.
 */
int kpt_bridge_want(struct kpt_event *event, bool on, struct kpt_diag *diag)
{
	const char *why = kpt_bridge_why_none();

	lockdep_assert_held(&kpt_mutex);
	if (event->class->is_static)
		return kpt_diag_set(diag, KPT_E_BRIDGE_STATIC, 0, -EINVAL);
	if (why || !bridge_ready) {
		kpt_diag_set(diag, KPT_E_BRIDGE_REFUSED, 0, 0);
		scnprintf(diag->detail, sizeof(diag->detail), "%s", why ?: "unloading");
		return -EOPNOTSUPP;
	}
	if (on)
		return bridge_want(event);
	bridge_unwant(event);
	return 0;
}

/**
 * kpt_bridge_result() - what has become of kpt_bridge_want()
 * @event: the event
 * @on: what was asked for
 * @diag: on failure the reason
 *
 * Context: process context, kpt_mutex held, after kpt_bridge_wait().
 * Return: 0; -EEXIST if the kernel has an event of that name, -EBUSY if it is in use
 * there; -EAGAIN if another task has asked for the same meanwhile: wait for that; another
 * errno if the kernel does not take it.
 */
int kpt_bridge_result(const struct kpt_event *event, bool on, struct kpt_diag *diag)
{
	const struct kpt_bridge *b = bridge_of(event);
	int err = bridge_error(event);

	lockdep_assert_held(&kpt_mutex);
	if (kpt_bridge_is_there(event) == on)
		return 0;
	/* What another task has asked for since may be the opposite. */
	if (!err)
		return b && b->is_wanted == on ? -EAGAIN : 0;
	switch (err) {
	case -EEXIST:
		return kpt_diag_set(diag, KPT_E_BRIDGE_TAKEN, 0, err);
	case -EBUSY:
		kpt_diag_set(diag, KPT_E_EVENT_IN_USE, 0, 0);
		scnprintf(diag->detail, sizeof(diag->detail), "%s/%s %s", event->group,
			  event->name, kpt_bridge_user(event) ?: "is open in perf");
		return err;
	default:
		return kpt_diag_set(diag, KPT_E_BRIDGE_REFUSED, 0, err);
	}
}

/**
 * kpt_bridge_is_there() - is an event in the kernel's tracing?
 * @event: the event
 *
 * Context: process context, kpt_mutex held.
 * Return: true if it is.
 */
bool kpt_bridge_is_there(const struct kpt_event *event)
{
	const struct kpt_bridge *b = bridge_of(event);

	return b && b->is_there;
}

/**
 * kpt_bridges_nr() - how many events are in the kernel's tracing?
 *
 * Context: process context, kpt_mutex held.
 * Return: the number.
 */
unsigned int kpt_bridges_nr(void)
{
	const struct kpt_bridge *b;
	unsigned int nr = 0;

	list_for_each_entry(b, &bridges, list)
		nr += b->is_there;
	return nr;
}

/**
 * kpt_bridge_user() - does a ring of the kernel's tracing get records of an event?
 * @event: the event
 *
 * Context: process context, kpt_mutex held.
 * Return: what to say of the event then; else NULL.
 */
const char *kpt_bridge_user(const struct kpt_event *event)
{
	const struct kpt_bridge *b = bridge_of(event);
	const struct trace_event_file *file;
	const char *user = NULL;
	unsigned int i;

	for (i = 0; b && i < READ_ONCE(b->nr_rings); i++) {
		/* It stays: bridge_disable() waits for kpt_mutex. */
		file = READ_ONCE(b->ring[i]);
		if (!file)
			continue;
		/* Armed for triggers there, while its enable says 0. */
		if (!(READ_ONCE(file->flags) & EVENT_FILE_FL_SOFT_DISABLED))
			return "is enabled in the kernel's tracing";
		user = "is held by a trigger in the kernel's tracing";
	}
	return user;
}

/**
 * kpt_bridge_event_added() - put a new event into the kernel's tracing if all are
 * @event: the event
 *
 * Context: process context, sleeps, kpt_mutex held.
 */
void kpt_bridge_event_added(struct kpt_event *event)
{
	if (bridge_all && bridge_ready && !event->class->is_static &&
	    bridge_want(event))
		pr_warn("no memory to bridge %s:%s\n", event->group, event->name);
}

/**
 * kpt_bridge_event_removed() - take an event that is deleted out of the kernel's tracing
 * @event: the event; nobody has it open or enabled there
 *
 * Context: process context, kpt_mutex held.
 */
void kpt_bridge_event_removed(struct kpt_event *event)
{
	bridge_unwant(event);
}

/* Ask for all events that there are. Those that cannot be bridged are left out. */
static int bridge_param_apply(void)
{
	struct kpt_event *event;
	int err = 0;

	list_for_each_entry(event, &kpt_events, list)
		if (!err && !event->class->is_static)
			err = bridge_want(event);
	return err;
}

static int bridge_param_change(bool on)
{
	int err = 0;

	if (kpt_lock())
		return -EINTR;
	if (bridge_ready && on && kpt_bridge_why_none()) {
		pr_warn("bridge: %s\n", kpt_bridge_why_none());
		err = -EOPNOTSUPP;
	} else {
		bridge_all = on;
		if (on && bridge_ready)
			err = bridge_param_apply();
	}
	kpt_unlock();
	kpt_bridge_wait();
	return err;
}

static int bridge_param_set(const char *val, const struct kernel_param *kp)
{
	return kpt_param_set_switch(val, bridge_param_change);
}

static const struct kernel_param_ops bridge_param_ops = {
	.set = bridge_param_set,
	.get = param_get_bool,
};

module_param_cb(bridge, &bridge_param_ops, &bridge_all, 0600);
MODULE_PARM_DESC(bridge, "1: each event is in the kernel's own tracing, too");

/**
 * kpt_bridge_init() - allow bridges
 *
 * Context: module load.
 * Return: 0: without bridges the rest works; kpt_bridge_why_none() tells.
 */
int kpt_bridge_init(void)
{
	mutex_lock(&kpt_mutex);
	bridge_ready = !kpt_bridge_why_none();
	if (bridge_all && !bridge_ready) {
		pr_warn("bridge: %s\n", kpt_bridge_why_none());
		bridge_all = false;
	}
	mutex_unlock(&kpt_mutex);
	return 0;
}

/**
 * kpt_bridge_exit() - take all events out of the kernel's tracing
 *
 * Context: module unload; nobody has an event open or enabled there, because that
 * would hold the module. No event is deleted yet.
 */
void kpt_bridge_exit(void)
{
	struct kpt_bridge *b;

	mutex_lock(&kpt_mutex);
	bridge_ready = false;
	list_for_each_entry(b, &bridges, list)
		b->is_wanted = false;
	mutex_unlock(&kpt_mutex);
	mod_delayed_work(system_long_wq, &bridge_worker, 0);
	flush_delayed_work(&bridge_worker);
	cancel_delayed_work_sync(&bridge_worker);
	WARN_ON_ONCE(!list_empty(&bridges));
}

#endif
