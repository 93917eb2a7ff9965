// SPDX-License-Identifier: GPL-2.0-only
/*
 * User events. They have no place: a program writes their records to
 * user_events_data, and src/hit/made_record.c gives them to the sinks of the event's only
 * probe.
 */
#include <linux/capability.h>
#include <linux/err.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/stringhash.h>
#include "event/class.h"
#include "arming/handlers.h"
#include "kernel/hash.h"
#include "parts/user/user.h"
#include "fs/fs.h"

static const char group_single[] = "user_events";
static const char group_multi[] = "user_events_multi";

/* How many there are, and the number in the name of the next one that is_multi. */
static unsigned int user_nr;
static u64 user_next_multi;

/* Programs may register many. Under kpt_mutex. */
static KPT_HASH(users_by_name, 10);
static KPT_HASH(users_by_shape, 10);

static u32 name_hash(const char *name, size_t len)
{
	return full_name_hash(NULL, name, len);
}

static u32 shape_hash(const struct kpt_def *def, const struct kpt_user_shape *shape)
{
	return name_hash(def->text + def->event.at, def->event.len) ^
	       name_hash(shape->list, strlen(shape->list));
}

/**
 * kpt_user_of_event() - find the user event that an event is
 * @event: the event
 *
 * Context: process context, kpt_mutex held.
 * Return: it; NULL if it is of another class.
 */
struct kpt_user *kpt_user_of_event(const struct kpt_event *event)
{
	if (event->class != &kpt_class_user)
		return NULL;
	return kpt_user_of(list_first_entry(&event->probes, struct kpt_probe,
					    sibling));
}

/**
 * kpt_user_name_len() - length of the name that a program gave to a user event
 * @user: the user event
 *
 * Context: process context, kpt_mutex held.
 * Return: characters; the rest of the name of its event tells it from others.
 */
size_t kpt_user_name_len(const struct kpt_user *user)
{
	return strchrnul(user->base.event->name, '.') - user->base.event->name;
}

/**
 * kpt_user_is_unused() - should a user event go?
 * @user: the user event
 *
 * Context: process context, kpt_mutex held.
 * Return: true if nobody has a reference, and no instance has it armed.
 */
bool kpt_user_is_unused(const struct kpt_user *user)
{
	return user->is_short && !user->enabled.refs &&
	       !kpt_event_in_use(user->base.event) &&
	       list_empty(&user->base.event->followers);
}

static int user_check_capable(const struct kpt_def *def, struct kpt_diag *diag)
{
	if (def->is_short || perfmon_capable())
		return 0;
	return kpt_diag_set(diag, KPT_E_USER_CAPABLE, def->event.at, -EPERM);
}

/**
 * kpt_user_keep() - let a user event stay when nobody uses it
 * @user: the user event
 * @def: the definition that says so
 * @diag: on failure the reason
 *
 * Context: process context, kpt_mutex held.
 * Return: 0, or -EPERM without CAP_PERFMON.
 */
int kpt_user_keep(struct kpt_user *user, const struct kpt_def *def,
		  struct kpt_diag *diag)
{
	int err = user_check_capable(def, diag);

	if (!err)
		user->is_short = false;
	return err;
}

static struct kpt_user_shape *user_parse(const struct kpt_def *def,
					 struct kpt_diag *diag)
{
	size_t room = kpt_user_room(def);
	struct kpt_user_shape *shape = kzalloc(room, GFP_KERNEL_ACCOUNT);
	int err;

	if (!shape)
		return ERR_PTR(-ENOMEM);
	err = kpt_user_parse(shape, room, def, diag);
	if (!err)
		return shape;
	kfree(shape);
	return ERR_PTR(err);
}

static bool user_is_named(const struct kpt_user *user, const char *name, size_t len)
{
	return kpt_user_name_len(user) == len && !memcmp(user->base.event->name, name, len);
}

static bool user_has_name(const struct kpt_user *user, const struct kpt_def *def)
{
	return user->is_multi == def->is_multi &&
	       user_is_named(user, def->text + def->event.at, def->event.len);
}

/**
 * kpt_user_named() - find a user event by the name that a program gave to it
 * @name: the name
 *
 * Context: process context, kpt_mutex held.
 * Return: one of this name, or NULL.
 */
struct kpt_user *kpt_user_named(const char *name)
{
	size_t len = strlen(name);
	struct kpt_user *user;

	hlist_for_each_entry(user, kpt_hash_row(&users_by_name, name_hash(name, len)), by_name)
		if (user_is_named(user, name, len))
			return user;
	return NULL;
}

/**
 * kpt_users_are_full() - are there as many user events as there may be?
 *
 * Context: process context, kpt_mutex held.
 * Return: true if there are.
 */
bool kpt_users_are_full(void)
{
	return user_nr >= KPT_USER_EVENTS_MAX;
}

static struct kpt_user *user_find(const struct kpt_def *def,
				  const struct kpt_user_shape *shape,
				  struct kpt_diag *diag)
{
	struct kpt_user *user;

	hlist_for_each_entry(user, kpt_hash_row(&users_by_shape, shape_hash(def, shape)), by_shape)
		if (user_has_name(user, def) && !strcmp(user->shape->list, shape->list))
			return user;
	if (def->is_multi)
		return NULL;
	hlist_for_each_entry(user, kpt_hash_row(&users_by_name,
			     name_hash(def->text + def->event.at, def->event.len)), by_name)
		if (user_has_name(user, def))
			return ERR_PTR(kpt_diag_set(diag, KPT_E_USER_FIELDS_DIFFER,
						    def->event.at, -EADDRINUSE));
	return NULL;
}

/**
 * kpt_user_find() - find the user event that a definition is about
 * @def: the definition
 * @diag: on failure the reason
 *
 * Context: process context, sleeps, kpt_mutex held.
 * Return: it, or NULL; ERR_PTR(): -EADDRINUSE if it has other fields, -EINVAL if
 * the definition has mistakes, -ENOMEM.
 */
struct kpt_user *kpt_user_find(const struct kpt_def *def, struct kpt_diag *diag)
{
	struct kpt_user_shape *shape = user_parse(def, diag);
	struct kpt_user *user;

	if (IS_ERR(shape))
		return ERR_CAST(shape);
	user = user_find(def, shape, diag);
	kfree(shape);
	return user;
}

/*
 * The class.
 */

static void user_free(struct kpt_probe *base)
{
	struct kpt_user *user = kpt_user_of(base);

	user_nr--;
	hlist_del_init(&user->by_name);
	hlist_del_init(&user->by_shape);
	if (!user_nr) {
		kpt_hash_free(&users_by_name);
		kpt_hash_free(&users_by_shape);
	}
	kpt_enabled_fini(&user->enabled);
	kpt_probe_fini(base);
	kfree(user);
}

/* No definition of a probe is compiled: programs make the records. */
static struct kpt_probe *user_alloc(const struct kpt_def *def,
				    const struct kpt_user_shape *shape)
{
	struct kpt_user *user;

	if (kpt_hash_make(&users_by_name) || kpt_hash_make(&users_by_shape))
		return ERR_PTR(-ENOMEM);
	user = kzalloc(sizeof(*user), GFP_KERNEL_ACCOUNT);
	if (!user)
		return ERR_PTR(-ENOMEM);
	user_nr++;
	kpt_enabled_make(&user->enabled);
	user->shape = shape;
	user->is_multi = def->is_multi;
	user->is_short = def->is_short;
	hlist_add_head(&user->by_name, kpt_hash_row(&users_by_name,
		       name_hash(def->text + def->event.at, def->event.len)));
	hlist_add_head(&user->by_shape,
		       kpt_hash_row(&users_by_shape, shape_hash(def, shape)));
	if (!kpt_probe_init_shaped(&user->base, &shape->fields))
		return &user->base;
	user_free(&user->base);
	return ERR_PTR(-ENOMEM);
}

static int user_may_make(const struct kpt_def *def, struct kpt_diag *diag)
{
	if (!KPT_ENABLERS)
		return kpt_diag_set(diag, KPT_E_NO_TRACEPOINTS, 0, -EOPNOTSUPP);
	if (user_check_capable(def, diag))
		return -EPERM;
	if (kpt_users_are_full())
		return kpt_diag_set(diag, KPT_E_USER_TOO_MANY, def->event.at,
				    -EMFILE);
	/* NAME.NUMBER, with 16 digits at most */
	if (def->is_multi && def->event.len + 17 >= KPT_NAME_MAX)
		return kpt_diag_set(diag, KPT_E_EVENT_TOO_LONG, def->event.at,
				    -EINVAL);
	return 0;
}

static struct kpt_probe *user_make(const struct kpt_def *def,
				   const struct kpt_fields **fields,
				   struct kpt_diag *diag)
{
	struct kpt_user_shape *shape;
	struct kpt_probe *probe;
	int err = user_may_make(def, diag);

	if (err)
		return ERR_PTR(err);
	shape = user_parse(def, diag);
	if (IS_ERR(shape))
		return ERR_CAST(shape);
	probe = ERR_CAST(user_find(def, shape, diag));
	if (!IS_ERR(probe))
		probe = user_alloc(def, shape);
	if (IS_ERR(probe))
		kfree(shape);
	else
		*fields = &shape->fields;
	return probe;
}

static void user_choose_name(const struct kpt_def *def, char *group, char *name)
{
	const char *s = def->text + def->event.at;

	if (def->is_multi) {
		strscpy(group, group_multi, KPT_NAME_MAX);
		snprintf(name, KPT_NAME_MAX, "%.*s.%llx", def->event.len, s,
			 user_next_multi++);
	} else {
		strscpy(group, group_single, KPT_NAME_MAX);
		strscpy(name, s, def->event.len + 1);
	}
}

static int user_arm(struct kpt_probe *base, struct kpt_event_file *file,
		    struct kpt_batch *batch, struct kpt_diag *diag)
{
	static const struct kpt_site nowhere = { .role = KPT_ROLE_EVENT };

	return kpt_handlers_add(&kpt_user_of(base)->enabled.hook, base, file,
				&nowhere, batch);
}

static int user_disarm(struct kpt_probe *base, struct kpt_event_file *file,
		       struct kpt_batch *batch)
{
	return kpt_handlers_remove(&kpt_user_of(base)->enabled.hook, base, file,
				   batch);
}

static const char *user_used_by(const struct kpt_probe *base)
{
	const struct kpt_user *user = container_of(base, const struct kpt_user, base);

	return user->enabled.refs ? "is registered by a program" : NULL;
}

static void user_list(const struct kpt_probe *base, struct seq_file *m)
{
	const struct kpt_user *user = container_of(base, const struct kpt_user, base);
	const char *list = user->shape->list;

	seq_printf(m, "u:%.*s%s%s\n", (int)kpt_user_name_len(user),
		   base->event->name, *list ? " " : "", list);
}

/* An event may be there already, made by a program; then it stays from now on. */
static int user_define(const struct kpt_def *def, struct kpt_diag *diag)
{
	struct kpt_user *user = kpt_user_find(def, diag);
	struct kpt_event *event;

	if (!user)
		return kpt_command_define(def, diag, &event);
	return IS_ERR(user) ? PTR_ERR(user) : kpt_user_keep(user, def, diag);
}

const struct kpt_event_class kpt_class_user = {
	.letters = "u",
	.define = user_define,
	.log_name = "user_events",
	.default_group = group_single,
	.one_probe = true,
	.make = user_make,
	.free = user_free,
	.choose_name = user_choose_name,
	.list = user_list,
	.arm = user_arm,
	.disarm = user_disarm,
	.used_by = user_used_by,
};
