// SPDX-License-Identifier: GPL-2.0-only
/*
 * BTF of the running kernel and of its modules. Newer kernels have a symbol for the
 * kernel's own BTF, which is in memory anyway and is used in place. Otherwise, and
 * for modules, BTF is copied from /sys/kernel/btf, and the copy is freed BTF_KEEP
 * after its last use.
 */
#include "kernel/compat.h"
#include <linux/list.h>
#include <linux/magic.h>
#include <linux/mutex.h>
#include <linux/slab.h>
#include <linux/vmalloc.h>
#include <linux/workqueue.h>
#include "kernel/btf.h"
#include "kernel/ksyms.h"
#include "kernel/lock.h"

/* Jiffies from the last use until the memory is freed. */
#define BTF_KEEP	(3 * HZ)

/**
 * struct btf_source - BTF of the kernel or of a module
 * @list: link in btf_sources
 * @module: name of the module, "vmlinux" for the kernel
 * @btf: the blob, checked
 * @copy: our copy of the blob, NULL if the kernel's memory is used in place
 */
struct btf_source {
	struct list_head list;
	char module[MODULE_NAME_LEN];
	struct kpt_btf btf;
	void *copy;
};

static const char btf_vmlinux[] = "vmlinux";

/* Modules first, the kernel last. Under kpt_mutex. */
static LIST_HEAD(btf_sources);

static void source_free(struct btf_source *s)
{
	vfree(s->btf.index);
	vfree(s->copy);
	kfree(s);
}

static void btf_free_all(void)
{
	struct btf_source *s, *next;

	list_for_each_entry_safe(s, next, &btf_sources, list)
		source_free(s);
	INIT_LIST_HEAD(&btf_sources);
}

static void btf_idle(struct work_struct *work)
{
	mutex_lock(&kpt_mutex);
	btf_free_all();
	mutex_unlock(&kpt_mutex);
}

static DECLARE_DELAYED_WORK(btf_idle_work, btf_idle);

/* Loops, because some kernels return at most a page for each read. */
static int source_read_file(struct btf_source *s, struct file *file)
{
	size_t size = i_size_read(file_inode(file));
	ssize_t n = 0;
	loff_t pos = 0;

	/* Trust only the kernel's own file, not one mounted over it. */
	if (file_inode(file)->i_sb->s_magic != SYSFS_MAGIC)
		return -ENOENT;
	if (!size || size > KPT_BTF_MAX)
		return -EFBIG;
	s->copy = __vmalloc(size, GFP_KERNEL | __GFP_NOWARN);
	if (!s->copy)
		return -ENOMEM;
	s->btf.blob = s->copy;
	s->btf.size = size;
	while (pos < size) {
		n = kernel_read(file, s->copy + pos, size - pos, &pos);
		if (n <= 0)
			return n ? n : -EIO;
	}
	return 0;
}

static int source_read(struct btf_source *s)
{
	char path[sizeof("/sys/kernel/btf/") + MODULE_NAME_LEN];
	struct file *file;
	int err;

	scnprintf(path, sizeof(path), "/sys/kernel/btf/%s", s->module);
	file = filp_open(path, O_RDONLY, 0);
	if (IS_ERR(file))
		return PTR_ERR(file);
	err = source_read_file(s, file);
	filp_close(file, NULL);
	return err;
}

/* Find the blob. */
static int source_find(struct btf_source *s)
{
	unsigned long start = 0, stop;

	if (!s->btf.base)
		start = kpt_ksyms_addr("__start_BTF");
	if (!start)
		return source_read(s);
	stop = kpt_ksyms_addr("__stop_BTF");
	s->btf.blob = (const void *)start;
	s->btf.size = stop > start ? stop - start : 0;
	return 0;
}

/* Find the blob and check it; on failure append the reason to @why. */
static bool source_open(struct btf_source *s, struct kpt_strbuf *why)
{
	const char *refused;
	u32 *index;
	int err;

	err = source_find(s);
	if (err == -ENOENT) {
		kpt_strbuf_printf(why, "there is no /sys/kernel/btf/%s",
				  s->module);
		return false;
	}
	if (err) {
		kpt_strbuf_printf(why, "/sys/kernel/btf/%s cannot be read: %d",
				  s->module, err);
		return false;
	}
	refused = kpt_btf_count(&s->btf);
	if (!refused) {
		/* One more, because a module's BTF may have no type at all. */
		index = vmalloc(array_size(s->btf.end - s->btf.first + 1,
					   sizeof(*index)));
		refused = index ? kpt_btf_check(&s->btf, index) : "no memory";
		s->btf.index = index;
	}
	if (refused)
		kpt_strbuf_printf(why, "BTF of %s is refused: %s", s->module,
				  refused);
	return !refused;
}

static const struct kpt_btf *btf_get(const char *module,
				     const struct kpt_btf *base,
				     struct kpt_strbuf *why)
{
	struct btf_source *s;

	list_for_each_entry(s, &btf_sources, list)
		if (!strcmp(s->module, module))
			return &s->btf;
	s = kzalloc(sizeof(*s), GFP_KERNEL);
	if (!s) {
		kpt_strbuf_puts(why, "no memory");
		return NULL;
	}
	strscpy(s->module, module, sizeof(s->module));
	s->btf.base = base;
	if (!source_open(s, why)) {
		source_free(s);
		return NULL;
	}
	list_add(&s->list, &btf_sources);
	return &s->btf;
}

/**
 * kpt_btf_of() - get the types of the kernel or of a module
 * @module: name of the module; NULL for the kernel
 * @why: on failure the reason is appended
 *
 * The first call after BTF_KEEP without use reads and checks some MB. On 6.1 that
 * takes 50 million instructions; finding and printing a function takes 4 million.
 *
 * Context: process context, sleeps, kpt_mutex held. The result is valid until
 * kpt_mutex is released.
 * Return: the types, or NULL.
 */
const struct kpt_btf *kpt_btf_of(const char *module, struct kpt_strbuf *why)
{
	const struct kpt_btf *btf;

	lockdep_assert_held(&kpt_mutex);
	btf = btf_get(btf_vmlinux, NULL, why);
	if (btf && module)
		btf = btf_get(module, btf, why);
	/* No name of a queue: that of the default one depends on the kernel. */
	cancel_delayed_work(&btf_idle_work);
	schedule_delayed_work(&btf_idle_work, BTF_KEEP);
	return btf;
}

/**
 * kpt_btf_forget() - free the types of a module that is being unloaded
 * @module: its name
 *
 * Context: process context, kpt_mutex held.
 */
void kpt_btf_forget(const char *module)
{
	struct btf_source *s;

	list_for_each_entry(s, &btf_sources, list)
		if (!strcmp(s->module, module)) {
			list_del(&s->list);
			source_free(s);
			return;
		}
}

/**
 * kpt_btf_memory() - size of the memory that kptrace uses for types
 *
 * Context: process context, kpt_mutex held.
 * Return: bytes.
 */
size_t kpt_btf_memory(void)
{
	const struct btf_source *s;
	size_t bytes = 0;

	list_for_each_entry(s, &btf_sources, list)
		bytes += (s->copy ? s->btf.size : 0) +
			 (s->btf.end - s->btf.first) * sizeof(u32);
	return bytes;
}

/**
 * kpt_btf_exit() - free all types
 *
 * Context: module unload.
 */
void kpt_btf_exit(void)
{
	cancel_delayed_work_sync(&btf_idle_work);
	btf_free_all();
}
