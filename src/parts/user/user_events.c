// SPDX-License-Identifier: GPL-2.0-only
/*
 * user_events_data and user_events_status: programs register events, which tell them
 * by a bit in their memory whether anybody wants records, and write the records. The
 * interface is that of Linux 7.3, include/uapi/linux/user_events.h.
 */
#include "kernel/compat.h"
#include <linux/capability.h>
#include <linux/ioctl.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/uaccess.h>
#include <linux/uio.h>
#include <linux/xarray.h>
#include "parts/user/enabler.h"
#include "event/class.h"
#include "parts/user/user.h"
#include "fs/fs.h"
#include "hit/made_record.h"

/* Bytes of a definition, the NUL included. */
#define USER_TEXT_MAX		512

#define USER_PERSIST		BIT(0)
#define USER_MULTI_FORMAT	BIT(1)

/**
 * struct user_reg - argument of USER_REG
 * @size: its bytes
 * @enable_bit: number of the bit
 * @enable_size: bytes of the word with the bit
 * @flags: USER_PERSIST, USER_MULTI_FORMAT
 * @enable_addr: address of the word
 * @name_args: address of the definition
 * @write_index: result: what records begin with
 */
struct user_reg {
	u32 size;
	u8 enable_bit;
	u8 enable_size;
	u16 flags;
	u64 enable_addr;
	u64 name_args;
	u32 write_index;
} __packed;

/**
 * struct user_unreg - argument of USER_UNREG
 * @size: its bytes
 * @disable_bit: number of the bit
 * @reserved: 0
 * @reserved2: 0
 * @disable_addr: address of the word
 */
struct user_unreg {
	u32 size;
	u8 disable_bit;
	u8 reserved;
	u16 reserved2;
	u64 disable_addr;
} __packed;

#define USER_REG	_IOWR('*', 0, struct user_reg *)
#define USER_DEL	_IOW('*', 1, char *)
#define USER_UNREG	_IOW('*', 2, struct user_unreg *)

/**
 * struct user_refs - the events that an open file may write
 * @rcu: frees it
 * @nr: how many
 * @room: how many there is room for
 * @user: by their index, each with a reference
 */
struct user_refs {
	struct rcu_head rcu;
	unsigned int nr;
	unsigned int room;
	struct kpt_user *user[];
};

/**
 * struct user_file - an open user_events_data
 * @node: its node
 * @refs: changed under kpt_mutex, read under RCU; NULL at first
 * @index: what an event has as its index in @refs, by the number of the event
 * @end: lets go of its events, and frees this
 */
struct user_file {
	struct kpt_fs_node *node;
	struct user_refs __rcu *refs;
	struct xarray index;
	struct kpt_errand end;
};

/* Delete up to KPT_PIECE events that nobody uses any more. Returns how many. */
static int user_tidy_piece(void)
{
	struct kpt_enabled *target, *next;
	struct kpt_user *user;
	LIST_HEAD(dead);
	int nr = 0;

	list_for_each_entry_safe(target, next, &kpt_enabled_idle, idle) {
		if (nr == KPT_PIECE)
			break;
		user = container_of(target, struct kpt_user, enabled);
		/* One that stays is not looked at again. */
		if (!user->is_short)
			list_del_init(&target->idle);
		else if (kpt_user_is_unused(user) &&
			 !kpt_event_remove(user->base.event, &dead))
			nr++;
	}
	kpt_tree_free_events(&dead);
	return nr;
}

/*
 * Delete the events that nobody uses any more; others may take kpt_mutex in between.
 * Returns 0, or -EINTR if the task is being killed.
 */
static int user_tidy_held(void)
{
	int nr, err = 0;

	kpt_enablers_forget();
	do {
		nr = user_tidy_piece();
	} while (nr == KPT_PIECE && !(err = kpt_mutex_yield()));
	return err;
}

static void user_tidy(struct work_struct *work)
{
	mutex_lock(&kpt_mutex);
	while (kpt_enablers_follow())
		kpt_mutex_yield();
	kpt_enablers_tidy();
	user_tidy_held();
	mutex_unlock(&kpt_mutex);
}

static struct user_refs *user_refs_of(const struct user_file *uf)
{
	return rcu_dereference_protected(uf->refs, lockdep_is_held(&kpt_mutex));
}

/* Make room for one more. Readers may have the old ones. Returns NULL without memory. */
static struct user_refs *user_refs_grow(struct user_file *uf)
{
	struct user_refs *old = user_refs_of(uf), *refs;
	unsigned int nr = old ? old->nr : 0, room = max(4U, 2 * nr);

	if (old && nr < old->room)
		return old;
	refs = kvmalloc(struct_size(refs, user, room), GFP_KERNEL_ACCOUNT);
	if (!refs)
		return NULL;
	refs->nr = nr;
	refs->room = room;
	if (old)
		memcpy(refs->user, old->user, nr * sizeof(*refs->user));
	rcu_assign_pointer(uf->refs, refs);
	if (old)
		kvfree_rcu(old, rcu);
	return refs;
}

/* Returns the index of the event in the file, or -ENOMEM. */
static int user_refs_add(struct user_file *uf, struct kpt_user *user)
{
	unsigned long id = user->base.event->id;
	void *index = xa_load(&uf->index, id);
	struct user_refs *refs;

	if (index)
		return xa_to_value(index);
	refs = user_refs_grow(uf);
	if (!refs || xa_err(xa_store(&uf->index, id, xa_mk_value(refs->nr),
				     GFP_KERNEL_ACCOUNT)))
		return -ENOMEM;
	kpt_enabled_get(&user->enabled);
	refs->user[refs->nr] = user;
	/* Pairs with user_by_index(). */
	smp_store_release(&refs->nr, refs->nr + 1);
	return refs->nr - 1;
}

/*
 * Registering.
 */

/* May the event that was found, or none, be what programs that ended have left? */
static bool user_may_be_left(const struct kpt_user *user)
{
	if (IS_ERR_OR_NULL(user))
		return user || kpt_users_are_full();
	return kpt_user_is_unused(user);
}

/* The event that a definition names, made if there is none. */
static struct kpt_user *user_event_get(struct kpt_def *def, struct kpt_diag *diag)
{
	struct kpt_user *user = kpt_user_find(def, diag);
	struct kpt_event *event;
	int err;

	if (user_may_be_left(user)) {
		err = user_tidy_held();
		if (err)
			return ERR_PTR(err);
		*diag = (struct kpt_diag){ .code = KPT_E_NONE };
		user = kpt_user_find(def, diag);
	}
	if (user)
		return user;
	err = kpt_command_define(def, diag, &event);
	return err ? ERR_PTR(err) : kpt_user_of_event(event);
}

static struct kpt_user *user_define_text(const char *text, u16 flags)
{
	struct kpt_diag diag = { .code = KPT_E_NONE };
	struct kpt_user *user;
	struct kpt_def *def;
	int err;

	def = kvmalloc(sizeof(*def), GFP_KERNEL);
	if (!def)
		return ERR_PTR(-ENOMEM);
	err = kpt_def_parse(def, text, strlen(text), &diag);
	def->is_multi = flags & USER_MULTI_FORMAT;
	def->is_short = !(flags & USER_PERSIST);
	if (!err && !def->is_short && !perfmon_capable())
		err = kpt_diag_set(&diag, KPT_E_USER_CAPABLE, def->event.at, -EPERM);
	user = err ? ERR_PTR(err) : user_event_get(def, &diag);
	if (IS_ERR(user) && diag.code != KPT_E_NONE)
		kpt_errlog_add(&kpt_top_instance.errlog, kpt_class_user.log_name,
			       def->text, &diag);
	kvfree(def);
	return user;
}

static int user_register_held(struct user_file *uf, const struct user_reg *reg,
			      const struct kpt_enabler_place *place,
			      const struct kpt_enabler_own *own, const char *text)
{
	struct kpt_user *user;
	int index = 0, err;

	kpt_enablers_forget();
	if (kpt_enabler_exists(place))
		return -EADDRINUSE;
	user = user_define_text(text, reg->flags);
	if (IS_ERR(user))
		return PTR_ERR(user);
	/* Another thread may have taken the bit: kpt_mutex may have been unlocked meanwhile. */
	err = kpt_enabler_exists(place) ? -EADDRINUSE :
					  kpt_enabler_add(&user->enabled, place, own);
	if (!err) {
		index = user_refs_add(uf, user);
		if (index < 0)
			kpt_enabler_remove(place, own);
	}
	if (err || index < 0)
		user_tidy_held();
	return err ?: index;
}

/* The text of the user with "u:" before it, as in dynamic_events. */
static char *user_text_get(const char __user *from)
{
	char *text = strndup_user(from, USER_TEXT_MAX), *line;

	if (IS_ERR(text))
		return text;
	line = kasprintf(GFP_KERNEL, "u:%s", text);
	kfree(text);
	return line ?: ERR_PTR(-ENOMEM);
}

static int user_reg_check(const struct user_reg *reg)
{
	if (reg->flags & ~(USER_PERSIST | USER_MULTI_FORMAT))
		return -EINVAL;
	if (reg->enable_size != 4 && reg->enable_size != 8)
		return -EINVAL;
	if (reg->enable_addr % reg->enable_size ||
	    reg->enable_bit >= 8 * reg->enable_size)
		return -EINVAL;
	if (!access_ok((void __user *)(unsigned long)reg->enable_addr,
		       reg->enable_size))
		return -EFAULT;
	return 0;
}

/* Returns the index of the event in the file, or -errno. */
static int user_register_text(struct user_file *uf, const struct user_reg *reg,
			      const char *text)
{
	const struct kpt_enabler_place place = {
		.addr = untagged_addr(reg->enable_addr),
		.size = reg->enable_size,
		.bit = reg->enable_bit,
	};
	struct kpt_enabler_own own;
	char word;
	int err;

	/* The page is filled here, as nothing waits for it below. */
	if (get_user(word, (const char __user *)place.addr))
		return -EFAULT;
	err = kpt_enabler_begin(&own, &place) ?: kpt_fs_node_lock(uf->node);
	if (!err) {
		err = user_register_held(uf, reg, &place, &own, text);
		kpt_unlock();
	}
	kpt_enabler_end(&own);
	return err;
}

/* Copy an argument that begins with its size. */
static int user_copy(void *to, size_t min, const void __user *from)
{
	u32 size;

	if (get_user(size, (const u32 __user *)from))
		return -EFAULT;
	if (size > PAGE_SIZE)
		return -E2BIG;
	if (size < min)
		return -EINVAL;
	return copy_struct_from_user(to, min, from, size);
}

static long user_register(struct user_file *uf, struct user_reg __user *arg)
{
	struct user_reg reg;
	char *text;
	int err;

	err = user_copy(&reg, sizeof(reg), arg) ?: user_reg_check(&reg);
	if (err)
		return err;
	text = user_text_get((const char __user *)(unsigned long)reg.name_args);
	if (IS_ERR(text))
		return PTR_ERR(text);
	err = user_register_text(uf, &reg, text);
	kfree(text);
	if (err < 0)
		return err;
	return put_user(err, &arg->write_index);
}

static long user_unregister(struct user_file *uf,
			    const struct user_unreg __user *arg)
{
	struct kpt_enabler_place place = { 0 };
	struct kpt_enabler_own own;
	struct user_unreg unreg;
	char word;
	int err;

	err = user_copy(&unreg, sizeof(unreg), arg);
	if (err)
		return err;
	if (unreg.reserved || unreg.reserved2)
		return -EINVAL;
	place.addr = untagged_addr(unreg.disable_addr);
	place.bit = unreg.disable_bit;
	/* Fault the page in, as for registering. If that fails, kpt_enabler_begin() fails, too. */
	if (get_user(word, (const char __user *)place.addr))
		word = 0;
	err = kpt_enabler_begin(&own, &place);
	/* It tells nothing from now on, also if it cannot be cleared. */
	if (err == -EFAULT)
		err = 0;
	err = err ?: kpt_fs_node_lock(uf->node);
	if (!err) {
		err = kpt_enabler_remove(&place, &own);
		kpt_unlock();
	}
	kpt_enabler_end(&own);
	return err;
}

/* Delete the events of a name, unless one of them is in use. */
static int user_delete_held(const char *name)
{
	struct kpt_user *user;
	struct kpt_event *event;
	LIST_HEAD(dead);
	int err = -ENOENT;

	while ((user = kpt_user_named(name))) {
		event = user->base.event;
		if (user->enabled.refs || kpt_event_in_use(event) ||
		    !list_empty(&event->followers))
			err = -EBUSY;
		else if (!user->is_short && !perfmon_capable())
			err = -EPERM;
		else
			err = kpt_event_remove(event, &dead);
		if (err)
			break;
	}
	kpt_tree_free_events(&dead);
	return err;
}

static long user_delete(struct user_file *uf, const char __user *arg)
{
	char *name = strndup_user(arg, USER_TEXT_MAX);
	int err;

	if (IS_ERR(name))
		return PTR_ERR(name);
	err = kpt_fs_node_lock(uf->node);
	if (!err) {
		kpt_enablers_forget();
		err = user_delete_held(name);
		kpt_unlock();
	}
	kfree(name);
	return err;
}

static long user_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct user_file *uf = file->private_data;

	/* Every request changes events, so it needs a file open for writing. */
	if (!(file->f_mode & FMODE_WRITE))
		return -EBADF;
	switch (cmd) {
	case USER_REG:
		return user_register(uf, (void __user *)arg);
	case USER_DEL:
		return user_delete(uf, (void __user *)arg);
	case USER_UNREG:
		return user_unregister(uf, (void __user *)arg);
	default:
		return -ENOTTY;
	}
}

/*
 * Writing.
 */

static struct kpt_user *user_by_index(const struct user_file *uf, int index)
{
	const struct user_refs *refs;
	struct kpt_user *user = NULL;

	rcu_read_lock();
	refs = rcu_dereference(uf->refs);
	/* Pairs with user_refs_add(). */
	if (refs && index < smp_load_acquire(&refs->nr))
		user = refs->user[index];
	rcu_read_unlock();
	/* The file has a reference. */
	return user;
}

/* A record on the stack takes no memory of the kernel. */
#define USER_RECORD_SMALL 128

static ssize_t user_record(const struct kpt_user *user, struct iov_iter *from,
			   u64 *record)
{
	size_t payload = iov_iter_count(from);
	size_t size = sizeof(struct kpt_record_head) + payload;

	/* A field may say that its data begin in the head, which is made later. */
	record[0] = 0;
	/* A char[N] at the end need not have a NUL of its own, and an e may read it. */
	record[(size - 1) / sizeof(u64)] = 0;
	record[(size - 1) / sizeof(u64) + 1] = 0;
	if (copy_from_iter(record + 1, payload, from) != payload ||
	    !kpt_user_check(user->shape, record, size))
		return -EFAULT;
	kpt_hit_made(&user->enabled.hook, record, size, 0);
	return sizeof(u32) + payload;
}

static ssize_t user_record_large(const struct kpt_user *user, struct iov_iter *from)
{
	u64 *record = kmalloc(KPT_USER_RECORD_MAX + sizeof(u64), GFP_KERNEL);
	ssize_t done = record ? user_record(user, from, record) : -ENOMEM;

	kfree(record);
	return done;
}

static ssize_t user_write_iter(struct kiocb *iocb, struct iov_iter *from)
{
	const struct user_file *uf = iocb->ki_filp->private_data;
	u64 small[USER_RECORD_SMALL / sizeof(u64) + 1];
	ssize_t count = iov_iter_count(from);
	const struct kpt_user *user;
	int index;

	if (copy_from_iter(&index, sizeof(index), from) != sizeof(index))
		return -EFAULT;
	if (index < 0)
		return -EINVAL;
	user = user_by_index(uf, index);
	if (!user)
		return -ENOENT;
	count -= sizeof(index);
	if (count < user->shape->head.size - sizeof(struct kpt_record_head))
		return -EINVAL;
	if (!rcu_access_pointer(user->enabled.hook.handlers))
		return -EBADF;
	if (count > KPT_USER_RECORD_MAX - sizeof(struct kpt_record_head))
		return -E2BIG;
	if (count <= USER_RECORD_SMALL - sizeof(struct kpt_record_head))
		return user_record(user, from, small);
	return user_record_large(user, from);
}

/*
 * Files.
 */

static int user_open(struct inode *inode, struct file *file)
{
	struct kpt_fs_node *node = kpt_fs_node_open(inode);
	struct user_file *uf;

	if (IS_ERR(node))
		return PTR_ERR(node);
	uf = kzalloc(sizeof(*uf), GFP_KERNEL_ACCOUNT);
	if (!uf) {
		kpt_fs_node_release(node);
		return -ENOMEM;
	}
	uf->node = node;
	xa_init(&uf->index);
	file->private_data = uf;
	return 0;
}

/* The file no longer holds its events. Nobody else uses it any more. */
static int user_end(struct kpt_errand *errand)
{
	struct user_file *uf = container_of(errand, struct user_file, end);
	struct user_refs *refs = user_refs_of(uf);
	unsigned int i;

	for (i = 0; refs && i < refs->nr; i++)
		kpt_enabled_put(&refs->user[i]->enabled);
	if (refs)
		kpt_enablers_changed();
	kvfree(refs);
	xa_destroy(&uf->index);
	kfree(uf);
	return 0;
}

static int user_release(struct inode *inode, struct file *file)
{
	struct user_file *uf = file->private_data;

	kpt_fs_node_release(uf->node);
	kpt_errand_do(&uf->end, user_end);
	return 0;
}

static const struct file_operations user_fops = {
	.owner = THIS_MODULE,
	.open = user_open,
	.write_iter = user_write_iter,
	.splice_write = kpt_fs_splice_write,
	.unlocked_ioctl = user_ioctl,
	.release = user_release,
	.llseek = noop_llseek,
};

/* Who uses an event, in the words of the kernel's file. */
static const char *status_users(const struct kpt_event *event)
{
	static const char *const users[2][2] = {
		{ "", " # Used by perf" },
		{ " # Used by ftrace", " # Used by ftrace perf" },
	};
	bool by_ftrace = false, by_perf = false;
	struct kpt_event_file *file;

	list_for_each_entry(file, &event->files, event_link) {
		by_ftrace |= file->enabled || file->soft ||
			     kpt_hook_current(&file->followers);
		by_perf |= refcount_read(&file->listeners);
	}
	return users[by_ftrace][by_perf];
}

static int status_show(struct seq_file *m, const struct kpt_fs_node *node)
{
	unsigned int active = 0, busy = 0;
	const struct kpt_event *event;

	list_for_each_entry(event, &kpt_events, list) {
		if (!kpt_user_of_event(event))
			continue;
		seq_printf(m, "%s%s\n", event->name, status_users(event));
		active++;
		busy += kpt_event_in_use(event);
	}
	seq_printf(m, "\nActive: %u\nBusy: %u\n", active, busy);
	return 0;
}

static const struct kpt_fs_file user_entries[] = {
	{ .name = "user_events_data", .mode = 0640, .fops = &user_fops },
	{ .name = "user_events_status", .mode = 0440, .show = status_show },
};

/* Without what enablers need there are no such files. */
const struct kpt_fs_table kpt_user_entries = {
	user_entries, KPT_ENABLERS ? ARRAY_SIZE(user_entries) : 0,
};

/**
 * kpt_user_events_init() - begin to follow programs that have user events
 *
 * Context: module load.
 * Return: 0.
 */
int kpt_user_events_init(void)
{
	kpt_enablers_init(user_tidy);
	return 0;
}

/**
 * kpt_user_events_exit() - the reverse of kpt_user_events_init()
 *
 * Context: module unload.
 */
void kpt_user_events_exit(void)
{
	kpt_enablers_exit();
}
