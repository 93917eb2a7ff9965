// SPDX-License-Identifier: GPL-2.0-only
/*
 * Names of values of arguments. They are copied out of BTF, which does not stay, once
 * for all arguments with the same ones: some enumerations have thousands of names.
 */
#include "kernel/compat.h"
#include <linux/list.h>
#include <linux/mm.h>
#include <linux/mutex.h>
#include <linux/slab.h>
#include "event/event.h"
#include "parts/btf/enum_make.h"

/**
 * struct enum_names - names of values, and how many arguments have them
 * @list: link in enum_list
 * @refs: number of arguments
 * @names: the names
 */
struct enum_names {
	struct list_head list;
	unsigned long refs;
	struct kpt_enum names;
};

/* Both protected by enum_lock. Shapes are freed by readers, too, without kpt_mutex. */
static LIST_HEAD(enum_list);
static DEFINE_MUTEX(enum_lock);

/* Take one more reference of these names, or keep them with the first one. */
static const struct kpt_enum *enum_share(struct enum_names *made)
{
	struct enum_names *e;

	mutex_lock(&enum_lock);
	list_for_each_entry(e, &enum_list, list)
		if (kpt_enum_same(&e->names, &made->names))
			goto found;
	e = made;
	list_add(&e->list, &enum_list);
found:
	e->refs++;
	mutex_unlock(&enum_lock);
	if (e != made)
		kvfree(made);
	return &e->names;
}

static const struct kpt_enum *enum_get(const struct kpt_fetch_named *named)
{
	struct enum_names *made;
	size_t room = 0;

	if (kpt_enum_room(named->btf, named->type, &room))
		return NULL;
	made = kvzalloc(offsetof(struct enum_names, names) + room, GFP_KERNEL);
	if (!made)
		return NULL;
	kpt_enum_make(&made->names, named->btf, named->type, named->size);
	return enum_share(made);
}

static void enum_put(const struct kpt_enum *names)
{
	struct enum_names *e = container_of(names, struct enum_names, names);

	mutex_lock(&enum_lock);
	if (--e->refs)
		e = NULL;
	else
		list_del(&e->list);
	mutex_unlock(&enum_lock);
	kvfree(e);
}

/**
 * kpt_enums_put() - drop the names of the values of all arguments
 * @fields: the shape of the records
 *
 * Context: process context, sleeps.
 */
void kpt_enums_put(const struct kpt_fields *fields)
{
	unsigned int i;

	for (i = 0; i < fields->nr; i++)
		if (fields->field[i].names)
			enum_put(fields->field[i].names);
}

/* The kpt_fields.release of shapes with such names. */
static void enums_release(const struct kpt_fields *fields)
{
	kpt_enums_put(fields);
	kfree(fields);
}

/**
 * kpt_enums_get() - give the arguments that were compiled the names of their values
 * @out: result of kpt_fetch_compile(), while its BTF is there
 *
 * Context: process context, sleeps.
 * Return: 0, and then kpt_enums_put() has to follow, or the release of a copy of
 * @out->fields from kmalloc(); or -ENOMEM, and then nothing has changed.
 */
int kpt_enums_get(struct kpt_fetch_scratch *out)
{
	struct kpt_field *field = out->field_room;
	unsigned int i;

	for (i = 0; i < out->fields.nr; i++) {
		if (!out->named[i].btf)
			continue;
		field[i].names = enum_get(&out->named[i]);
		if (!field[i].names) {
			kpt_enums_put(&out->fields);
			return -ENOMEM;
		}
		out->fields.release = enums_release;
	}
	return 0;
}
