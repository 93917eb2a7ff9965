// SPDX-License-Identifier: GPL-2.0-only
/*
 * Modules that are loaded and unloaded under probes.
 *
 * A probe in a module waits for the module, is armed before the module's init code
 * runs, and waits again when the module is unloaded; its event stays. Probes in init
 * text wait again as soon as the module is live, since that text is freed then. Until
 * kptrace has been told that a module comes, nothing is done with it (src/kernel/symbol/coming.c).
 */
#include "kernel/compat.h"
#include <linux/module.h>
#include <linux/notifier.h>
#include "event/class.h"
#include "class/module_watch.h"
#include "event/set_event.h"
#include "arming/sites.h"
#include "kernel/symbol/coming.h"
#include "kernel/symbol/symbol.h"
#include "part.h"

/* No write() can return this error, so report it in the kernel log, too. */
static void module_warn(const struct kpt_probe *probe, struct kpt_diag *diag)
{
	if (!diag->code)
		kpt_diag_set(diag, KPT_E_NO_MEMORY, 0, 0);
	pr_warn("%s: %s: %s%s%s\n", probe->event->name, probe->place,
		kpt_diag_text(diag->code), kpt_diag_between(diag), diag->detail);
}

/* Arm a probe that has found its place in each instance where its event is armed. */
static void module_arm_attached(struct kpt_probe *probe, struct kpt_batch *batch)
{
	struct kpt_diag diag = { 0 };
	struct kpt_event_file *file;

	list_for_each_entry(file, &probe->event->files, event_link) {
		if (!kpt_event_file_armed(file) ||
		    !probe->event->class->arm(probe, file, batch, &diag))
			continue;
		module_warn(probe, &diag);
		kpt_probe_complain(probe, &file->instance->errlog, &diag);
	}
}

/* kpt_event_class.attach, stands_in, leave and detach, or what is usual. */
static int module_attach(struct kpt_probe *probe, const struct module *mod,
			 struct kpt_diag *diag)
{
	const struct kpt_event_class *class = probe->event->class;

	return class->attach ? class->attach(probe, mod, diag) : 0;
}

static bool module_has_sites(const struct kpt_probe *probe, const struct module *mod,
			     kpt_going_t is_going)
{
	const struct kpt_event_class *class = probe->event->class;

	return class->stands_in ? class->stands_in(probe, mod, is_going) :
				  kpt_sites_stand_in(probe, mod, is_going);
}

static int module_leave(struct kpt_probe *probe, const struct module *mod,
			kpt_going_t is_going, struct kpt_batch *batch)
{
	const struct kpt_event_class *class = probe->event->class;

	return class->leave ? class->leave(probe, mod, is_going, batch) :
			      kpt_sites_leave(probe, mod, is_going, batch);
}

static void module_detach(struct kpt_probe *probe, const struct module *mod,
			  kpt_going_t is_going)
{
	const struct kpt_event_class *class = probe->event->class;

	if (class->detach)
		class->detach(probe, mod, is_going);
	else
		kpt_sites_detach(probe, mod, is_going);
}

static void module_coming(const struct module *mod)
{
	struct kpt_batch batch = KPT_BATCH_INIT(batch);
	struct kpt_diag why = { 0 };
	struct kpt_probe *probe;
	int err;

	kpt_symbol_module_forget();
	kpt_parts_module_coming(mod);
	kpt_set_event_coming(mod);
	list_for_each_entry(probe, &kpt_probes, list) {
		struct kpt_diag diag = { 0 };

		/* A probe that was defined while this notifier waited has its sites already. */
		if (module_has_sites(probe, mod, within_module))
			continue;
		err = module_attach(probe, mod, &diag);
		if (err > 0)
			module_arm_attached(probe, &batch);
		if (err >= 0)
			continue;
		module_warn(probe, &diag);
		kpt_errlog_add(&kpt_top_instance.errlog,
			       probe->event->class->log_name,
			       probe->line ?: probe->place, &diag);
	}
	err = kpt_batch_apply(&batch, &why);
	if (err) {
		pr_warn("%s: probes could not be armed: %d\n", mod->name, err);
		kpt_errlog_add(&kpt_top_instance.errlog, "kptrace", mod->name, &why);
	}
}

/* Keep the names of functions: records are read after their text is freed. */
static void module_keep_names(const struct kpt_probe *probe,
			      const struct module *mod, kpt_going_t is_going)
{
	unsigned long func;
	unsigned int at = 0, left = KPT_SYMBOL_KEPT_MAX;

	while (left && (func = kpt_probe_function(probe, &at)))
		if (is_going(func, mod)) {
			kpt_symbol_keep(func);
			left--;
		}
}

static void module_text_going(const struct module *mod, kpt_going_t is_going)
{
	struct kpt_batch batch = KPT_BATCH_INIT(batch);
	struct kpt_probe *probe, *next;
	bool any = false;

	list_for_each_entry(probe, &kpt_probes, list) {
		if (!module_has_sites(probe, mod, is_going))
			continue;
		any = true;
		module_keep_names(probe, mod, is_going);
		if (module_leave(probe, mod, is_going, &batch))
			pr_warn("%s: %s: no memory to disarm it\n",
				probe->event->name, probe->place);
	}
	any |= kpt_parts_text_leave(mod, is_going, &batch);
	kpt_batch_apply(&batch, NULL);
	kpt_symbol_module_forget();
	kpt_points_forget(mod, is_going);
	kpt_parts_text_left(mod, is_going);
	if (!any)
		return;
	kpt_calls_end(KPT_CALLS_ORPHANED);
	list_for_each_entry_safe(probe, next, &kpt_probes, list)
		if (module_has_sites(probe, mod, is_going))
			module_detach(probe, mod, is_going);
	kpt_parts_text_detach(mod, is_going);
}

/*
 * What waits for a module has been attached when it came, or is attached now. The latter
 * if the module came before kptrace had its notifiers, or was not noted. Functions of its
 * init code that are left out then go with that code.
 */
static void module_live(const struct module *mod)
{
	if (!kpt_coming_forget(mod) && mod != THIS_MODULE)
		module_coming(mod);
	module_text_going(mod, within_module_init);
}

static int module_event(struct notifier_block *nb, unsigned long action,
			void *data)
{
	const struct module *mod = data;

	mutex_lock(&kpt_mutex);
	if (action == MODULE_STATE_COMING && kpt_module_is_usable(mod))
		module_coming(mod);
	else if (action == MODULE_STATE_LIVE)
		module_live(mod);
	mutex_unlock(&kpt_mutex);
	return NOTIFY_OK;
}

static void module_going(struct module *mod)
{
	mutex_lock(&kpt_mutex);
	/*
	 * If a notifier has refused the module, the kernel sets its state after the
	 * notifiers. From now on nobody may find anything in it: neither those who ask
	 * whether it was noted, nor those who only look at its state.
	 */
	kpt_coming_forget(mod);
	WRITE_ONCE(mod->state, MODULE_STATE_GOING);
	kpt_parts_module_ending(mod);
	module_text_going(mod, within_module);
	kpt_parts_module_gone(mod);
	mutex_unlock(&kpt_mutex);
}

/*
 * Let others use the module from now on. This changes with kpt_mutex held, so a search under
 * kpt_mutex finds all functions of the module, or none. A search that drops kpt_mutex in between
 * sees that kpt_symbol_modules_seq() has changed, and begins again.
 */
static void module_settled(const struct module *mod)
{
	mutex_lock(&kpt_mutex);
	kpt_coming_note(mod);
	kpt_symbol_module_forget();
	mutex_unlock(&kpt_mutex);
}

/*
 * The kernel calls this one when a module goes if it has called it when the module came,
 * also if another notifier refuses the module in between.
 */
static int module_event_first(struct notifier_block *nb, unsigned long action,
			      void *data)
{
	if (action == MODULE_STATE_COMING)
		module_settled(data);
	else if (action == MODULE_STATE_GOING)
		module_going(data);
	return NOTIFY_OK;
}

static struct notifier_block module_block = { .notifier_call = module_event };

/*
 * Runs before the kernel's own notifier, which warns of probes that are left on tracepoints of a
 * module that goes. For a module that comes that is too early: its tracepoints are not
 * prepared yet, so this only notes it, and module_event() does the work.
 */
static struct notifier_block module_first_block = {
	.notifier_call = module_event_first,
	.priority = INT_MAX,
};

/**
 * kpt_module_watch_init() - begin to follow modules
 *
 * Context: module load.
 * Return: 0, or the errno of register_module_notifier(), -EEXIST.
 */
int kpt_module_watch_init(void)
{
	int err = register_module_notifier(&module_first_block);

	if (err)
		return err;
	err = register_module_notifier(&module_block);
	if (!err)
		return 0;
	unregister_module_notifier(&module_first_block);
	kpt_coming_exit();
	return err;
}

/**
 * kpt_module_watch_exit() - stop following modules
 *
 * Context: module unload.
 */
void kpt_module_watch_exit(void)
{
	unregister_module_notifier(&module_block);
	unregister_module_notifier(&module_first_block);
	kpt_coming_exit();
}
