// SPDX-License-Identifier: GPL-2.0-only
/*
 * A definition makes a probe, and its event unless there is one of that name.
 */
#include <linux/err.h>
#include <linux/random.h>
#include <linux/security.h>
#include <linux/siphash.h>
#include <linux/slab.h>
#include "event/builtin.h"
#include "event/class.h"
#include "event/declared.h"
#include "part.h"

static const struct kpt_event_class *const classes[] = {
	&kpt_class_kprobe,
	&kpt_class_fprobe,
	&kpt_class_tracepoint,
	&kpt_class_eprobe,
};

/**
 * kpt_class_of() - find the class of a definition
 * @def: a parsed definition, not a delete line
 *
 * Context: any.
 * Return: the class, or NULL if no class knows its letter.
 */
const struct kpt_event_class *kpt_class_of(const struct kpt_def *def)
{
	char letter = def->kind == KPT_DEF_SYNTHETIC ? 's' :
		      def->kind == KPT_DEF_USER ? 'u' : def->text[0];
	const struct kpt_event_class *class;
	const struct kpt_part *part;
	unsigned int i;

	if (!letter)
		return NULL;
	for (i = 0; i < ARRAY_SIZE(classes); i++)
		if (strchr(classes[i]->letters, letter))
			return classes[i];
	for (i = 0; (part = kpt_part_nth(i)); i++) {
		class = part->class;
		if (class && strchr(class->letters, letter) &&
		    (def->kind == KPT_DEF_SYNTHETIC || def->kind == KPT_DEF_USER ||
		     def->of_data || def->of_clock))
			return class;
	}
	return NULL;
}

/* Of define_hash_address(). Under kpt_mutex. */
static siphash_key_t define_key;
static bool define_is_keyed;

/*
 * Get random numbers for define_key. The kernel may have none yet; a driver whose module is
 * loaded may have to provide them, and its notifiers take kpt_mutex. So this waits without
 * kpt_mutex.
 * Return: 0; -EINTR if a signal came. The write is not begun again: lines before this one have
 * taken effect.
 */
static int define_make_key(void)
{
	enum kpt_hold how;
	siphash_key_t key;
	int err;

	if (define_is_keyed)
		return 0;
	how = kpt_mutex_pause();
	err = get_random_bytes_wait(&key, sizeof(key));
	if (kpt_mutex_resume(how) || err)
		return -EINTR;
	/* Another task may have been faster: its names stay as they are. */
	if (define_is_keyed)
		return 0;
	define_key = key;
	define_is_keyed = true;
	return 0;
}

/*
 * Write to @text, of @size bytes, what stands for @addr in the name of an event. All users
 * see the names that perf knows events by, so it must not tell the address. %p would give
 * all addresses one text until the kernel has random numbers, and two probes one event.
 */
static void define_hash_address(unsigned long addr, char *text, size_t size)
{
	snprintf(text, size, "0x%016llx", siphash_1u64(addr, &define_key));
}

/* Will the name be made from an address? */
static bool define_hashes_address(const struct kpt_event_class *class,
				  const struct kpt_def *def)
{
	return !class->choose_name && !def->event.len && !def->symbol.len;
}

/* Write @group and @name, as given in @def or made from its place. */
static void define_choose_name(const struct kpt_event_class *class,
			       const struct kpt_def *def, char *group, char *name)
{
	char hashed[24] = "";

	strscpy(group, class->default_group, KPT_NAME_MAX);
	if (def->group.len)
		strscpy(group, def->text + def->group.at, def->group.len + 1);
	if (def->event.len) {
		strscpy(name, def->text + def->event.at, def->event.len + 1);
		return;
	}
	if (define_hashes_address(class, def))
		define_hash_address(def->address, hashed, sizeof(hashed));
	kpt_def_auto_name(def, hashed, name);
}

/* May @probe share @event? The order of the checks and the errnos are mainline's. */
static int define_may_join(const struct kpt_event *event,
			   const struct kpt_event_class *class,
			   const struct kpt_def *def, const struct kpt_probe *probe,
			   const struct kpt_fields *fields, struct kpt_diag *diag)
{
	const struct kpt_probe *other;
	unsigned int n;

	if (event->class != class || class->one_probe)
		return kpt_diag_set(diag, KPT_E_EVENT_EXIST, 0, -EEXIST);
	if (event->fields->head != fields->head)
		return kpt_diag_set(diag, KPT_E_DIFF_PROBE_TYPE, 0, -EEXIST);
	n = kpt_fields_same(event->fields, fields);
	if (n)
		return kpt_diag_set(diag, KPT_E_DIFF_ARG_TYPE,
				    kpt_def_field_column(def, fields->nr, n - 1), -EEXIST);
	list_for_each_entry(other, &event->probes, sibling)
		if (!strcmp(other->place, probe->place) &&
		    !strcmp(other->args, probe->args))
			return kpt_diag_set(diag, KPT_E_SAME_PROBE, 0,
					    -EEXIST);
	return 0;
}

/* Arm a probe that joins an event in each instance where the event is armed. */
static int define_arm_joined(struct kpt_event *event, struct kpt_probe *probe,
			     struct kpt_diag *diag)
{
	struct kpt_batch batch = KPT_BATCH_INIT(batch);
	struct kpt_event_file *file;
	int err;

	list_for_each_entry(file, &event->files, event_link) {
		if (!kpt_event_file_armed(file))
			continue;
		err = event->class->arm(probe, file, &batch, diag);
		if (err) {
			kpt_batch_cancel(&batch);
			return err;
		}
	}
	return kpt_batch_apply(&batch, diag);
}

static int define_join(struct kpt_event *event,
		       const struct kpt_event_class *class,
		       const struct kpt_def *def, struct kpt_probe *probe,
		       const struct kpt_fields *fields, struct kpt_diag *diag)
{
	int err;

	err = define_may_join(event, class, def, probe, fields, diag);
	if (err)
		return err;
	probe->event = event;
	err = define_arm_joined(event, probe, diag);
	if (err)
		diag->column = def->place.at;
	return err;
}

static void define_set_source(struct kpt_event *event, const struct kpt_probe *probe)
{
	if (!probe->follows)
		return;
	event->source = probe->follows->source;
	refcount_inc(&event->source->refs);
}

/**
 * kpt_event_find_any() - find an event that was defined, is static or builtin
 * @group: name of its group
 * @name: its name
 *
 * Context: process context, sleeps, kpt_mutex held.
 * Return: the event; NULL if there is none, or no memory to make a static one an event.
 */
struct kpt_event *kpt_event_find_any(const char *group, const char *name)
{
	return kpt_event_find(group, name) ?: kpt_declared_use(group, name) ?:
	       kpt_builtin_find(group, name);
}

/* Lines of a part that is left out are known, too. */
static int define_no_class(const struct kpt_def *def, struct kpt_diag *diag)
{
	if (def->kind == KPT_DEF_SYNTHETIC)
		return kpt_part_refuse(diag, 0, "hist");
	if (def->kind == KPT_DEF_USER)
		return kpt_part_refuse(diag, 0, "user");
	if (def->of_data)
		return kpt_part_refuse(diag, 0, "watch");
	if (def->of_clock)
		return kpt_part_refuse(diag, 0, "sample");
	return -EINVAL;
}

/**
 * kpt_event_define() - make a probe, and its event if that is new
 * @def: a parsed definition, not a delete line
 * @diag: on failure the reason
 * @made: result: the event, if this call made it, else NULL
 *
 * A new event has no kpt_event_file yet: the caller calls kpt_event_file_add()
 * for each instance. A probe that joins an armed event is armed at once. While the sites of
 * many functions are taken, or random numbers are waited for, others may take kpt_mutex.
 *
 * Context: process context, sleeps, kpt_mutex held.
 * Return: 0, or an errno, and then nothing has changed:
 * -EINVAL for a mistake, an ambiguous symbol, or a place that cannot be probed;
 * -ENOENT for a symbol or a name in an argument that does not exist;
 * -ERANGE for a number that is too large, -E2BIG for what exceeds a limit;
 * -EOPNOTSUPP for what this kernel lacks;
 * -EEXIST if the event has such a probe, or has records of another shape;
 * -EBUSY if other code has patched a place;
 * -EPERM while the kernel is locked down;
 * -ENOSPC if all event numbers are in use; -EIO if text cannot be written; -ENOMEM;
 * -EINTR if the task is being killed, or a signal came while the name of an event waited for
 * the kernel's first random numbers.
 */
int kpt_event_define(const struct kpt_def *def, struct kpt_diag *diag,
		     struct kpt_event **made)
{
	const struct kpt_event_class *class = kpt_class_of(def);
	char group[KPT_NAME_MAX], name[KPT_NAME_MAX];
	const struct kpt_fields *fields;
	struct kpt_event *event;
	struct kpt_probe *probe;
	int err;

	lockdep_assert_held(&kpt_mutex);
	*made = NULL;
	if (!class)
		return define_no_class(def, diag);
	err = security_locked_down(LOCKDOWN_KPROBES);
	if (err)
		return err;
	/* Before anything is found that kpt_mutex protects. */
	if (define_hashes_address(class, def))
		err = define_make_key();
	if (err)
		return err;
	probe = class->make(def, &fields, diag);
	if (IS_ERR(probe))
		return PTR_ERR(probe);

	if (class->choose_name)
		class->choose_name(def, group, name);
	else
		define_choose_name(class, def, group, name);
	event = kpt_event_find_any(group, name);
	if (event) {
		err = define_join(event, class, def, probe, fields, diag);
		if (err)
			goto free_fields;
		kpt_fields_free(fields);
	} else {
		event = kpt_event_make(class, group, name, fields);
		err = PTR_ERR_OR_ZERO(event);
		if (err == -ENOSPC)
			kpt_diag_set(diag, KPT_E_TOO_MANY_EVENTS, 0, 0);
		if (err)
			goto free_fields;
		define_set_source(event, probe);
		*made = event;
	}
	kpt_event_add_probe(event, probe);
	if (probe->follows)
		list_add_tail(&probe->follows->list, &probe->follows->source->followers);
	return 0;

free_fields:
	kpt_fields_free(fields);
	class->free(probe);
	return err;
}
