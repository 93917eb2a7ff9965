// SPDX-License-Identifier: GPL-2.0-only
/*
 * BTF of the running kernel and of its modules. Newer kernels have a symbol for
 * their own, which is in memory anyway. Elsewhere, and for modules, it is read
 * from /sys/kernel/btf into memory of ours, which is given back a while after
 * its last use.
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

/* From the last use until the memory is given back. */
#define BTF_KEEP	(3 * HZ)

/**
 * struct btf_source - BTF that is in use
 * @list: in btf_sources
 * @module: whose it is, "vmlinux" of the kernel
 * @btf: the blob, checked
 * @copy: memory of the blob, NULL if the kernel has it in its own
 */
struct btf_source {
	struct list_head list;
	char module[MODULE_NAME_LEN];
	struct kpt_btf btf;
	void *copy;
};

static const char btf_vmlinux[] = "vmlinux";

/* Those of modules stand before that of the kernel. Under kpt_mutex. */
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

/* Some kernels give no more than a page for each read. */
static int source_read_file(struct btf_source *s, struct file *file)
{
	size_t size = i_size_read(file_inode(file));
	ssize_t n = 0;
	loff_t pos = 0;

	/* Nothing else can stand in for what the kernel says. */
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

/* Find the bytes. */
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

/* Find the bytes and check them; on failure say why. */
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
		/* One more, as that of a module may have no type at all. */
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
 * kpt_btf_of() - types of the kernel or of a module
 * @module: which module; NULL: the kernel
 * @why: if there are none, the reason is appended
 *
 * The first call in a while reads and checks some MB: 50 million instructions on
 * 6.1, where finding a function and writing it down takes 4 million.
 *
 * Context: process context, sleeps, kpt_mutex held. The result lives until that
 * is released.
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
 * kpt_btf_forget() - a module goes, and its types with it
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
 * kpt_btf_memory() - memory that is in use for types
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
 * kpt_btf_exit() - give all memory back
 *
 * Context: module unload.
 */
void kpt_btf_exit(void)
{
	cancel_delayed_work_sync(&btf_idle_work);
	btf_free_all();
}
