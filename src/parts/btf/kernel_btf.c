// SPDX-License-Identifier: GPL-2.0-only
/*
 * BTF of the running kernel and of its modules. The kernel's own BTF is in its memory
 * anyway and is used in place, if it can be found there. Otherwise, and for modules, BTF
 * is copied from /sys/kernel/btf. Copies and indexes are freed BTF_KEEP after their last
 * use.
 *
 * A blob that the user gave is used instead of the kernel's own, but not as the base of
 * a module's: that refers to types of the kernel's own by their numbers.
 *
 * The kernel is trusted to describe itself: blobs from it are indexed, but kpt_btf_check()
 * is not called for them, because it takes several times as long.
 */
#include "kernel/compat.h"
#include <linux/list.h>
#include <linux/mount.h>
#include <linux/mutex.h>
#include <linux/sizes.h>
#include <linux/slab.h>
#include <linux/uaccess.h>
#include <linux/vmalloc.h>
#include <linux/workqueue.h>
#include "event/class.h"
#include "parts/btf/kernel_btf.h"
#include "kernel/ksyms.h"
#include "kernel/lock.h"

/* Jiffies from the last use until the memory is freed. */
#define BTF_KEEP	(3 * HZ)

/* How far below the kernel's init text its BTF may end. */
#define BTF_REACH	SZ_4M

/**
 * struct btf_source - BTF of the kernel or of a module
 * @list: link in btf_sources
 * @module: name of the module, "vmlinux" for the kernel; not of @btf_given
 * @btf: the blob, indexed
 * @copy: our copy of the blob, NULL if the kernel's memory is used in place
 * @index_size: bytes of @btf.heads and @btf.index, which are allocated together
 */
struct btf_source {
	struct list_head list;
	char module[MODULE_NAME_LEN];
	struct kpt_btf btf;
	void *copy;
	size_t index_size;
};

static const char btf_vmlinux[] = "vmlinux";

/* Where the BTF of the kernel is in its memory; 0 if not known. */
static unsigned long btf_start __ro_after_init, btf_stop __ro_after_init;

/* Modules first, the kernel last. Under kpt_mutex. */
static LIST_HEAD(btf_sources);
/* The blob that the user gave, or NULL; not in the list. Under kpt_mutex. */
static struct btf_source *btf_given;

/* Under kpt_mutex. */
static unsigned long btf_epoch;

/*
 * A mount of sysfs that is in no mount namespace: files are opened by their paths in it
 * under kpt_mutex. In a path of the caller's namespace there could be a FIFO or a file of
 * FUSE, and to open that may take forever. An ERR_PTR() if there is no sysfs.
 */
static struct vfsmount *btf_sysfs __ro_after_init;

/**
 * kpt_btf_epoch() - tell whether types that were found before are still valid
 *
 * Context: process context, kpt_mutex held.
 * Return: a number that changes whenever a result of kpt_btf_of() becomes invalid, and
 * whenever an address or a name may mean another function.
 */
unsigned long kpt_btf_epoch(void)
{
	return btf_epoch;
}

/* Free a source that no result of kpt_btf_of() is from. */
static void source_discard(struct btf_source *s)
{
	vfree(s->btf.heads);
	vfree(s->copy);
	kfree(s);
}

static void source_free(struct btf_source *s)
{
	btf_epoch++;
	source_discard(s);
}

static void btf_free_all(void)
{
	struct btf_source *s, *next;

	/* Look again for types that were not found before. */
	btf_epoch++;
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
static int file_read(struct file *file, loff_t pos, void *to, size_t size)
{
	loff_t end = pos + size;
	ssize_t n;

	while (pos < end) {
		n = kernel_read(file, to, end - pos, &pos);
		if (n <= 0)
			return n ? n : -EIO;
		to += n;
	}
	return 0;
}

/* Copy all of a file into vmalloc memory. */
static void *file_copy(struct file *file, size_t *size)
{
	void *copy;
	int err;

	*size = i_size_read(file_inode(file));
	if (!S_ISREG(file_inode(file)->i_mode) || !*size || *size > KPT_BTF_MAX)
		return ERR_PTR(-EFBIG);
	copy = kpt_vmalloc(*size, GFP_KERNEL | __GFP_NOWARN);
	if (!copy)
		return ERR_PTR(-ENOMEM);
	err = file_read(file, 0, copy, *size);
	if (!err)
		return copy;
	vfree(copy);
	return ERR_PTR(err);
}

/**
 * kpt_btf_read_file() - read a file, for kpt_btf_give()
 * @path: its path
 * @size: result: its size
 *
 * Context: process context, sleeps.
 * Return: its bytes in vmalloc memory; or ERR_PTR() of an errno of filp_open(), of
 * reading, -EFBIG if it is empty or no file that can be BTF, or -ENOMEM.
 */
void *kpt_btf_read_file(const char *path, size_t *size)
{
	struct file *file = filp_open(path, O_RDONLY, 0);
	void *copy;

	if (IS_ERR(file))
		return file;
	copy = file_copy(file, size);
	filp_close(file, NULL);
	return copy;
}

/* Open a file of /sys/kernel/btf, whatever is mounted over it. */
static struct file *btf_open(const char *name)
{
	char path[sizeof("kernel/btf/") + MODULE_NAME_LEN];

	if (IS_ERR(btf_sysfs))
		return ERR_PTR(-ENOENT);
	scnprintf(path, sizeof(path), "kernel/btf/%s", name);
	return kpt_open_in_mount(btf_sysfs, path, O_RDONLY);
}

static int source_read(struct btf_source *s)
{
	struct file *file = btf_open(s->module);
	void *copy;

	if (IS_ERR(file))
		return PTR_ERR(file);
	copy = file_copy(file, &s->btf.size);
	filp_close(file, NULL);
	if (IS_ERR(copy))
		return PTR_ERR(copy);
	s->copy = copy;
	s->btf.blob = copy;
	return 0;
}

/* Find the blob. */
static int source_find(struct btf_source *s)
{
	if (s->btf.base || !btf_start)
		return source_read(s);
	s->btf.blob = (const void *)btf_start;
	s->btf.size = btf_stop > btf_start ? btf_stop - btf_start : 0;
	return 0;
}

/* Index the blob; returns NULL, or the reason why not. */
static const char *source_index(struct btf_source *s)
{
	const char *refused = kpt_btf_open(&s->btf);
	void *memory;

	if (refused)
		return refused;
	s->index_size = kpt_btf_index_size(&s->btf);
	memory = kpt_vmalloc(s->index_size, GFP_KERNEL | __GFP_ZERO | __GFP_NOWARN);
	if (!memory)
		return "no memory";
	return kpt_btf_index(&s->btf, memory);
}

/* Find the blob and index it; on failure append the reason to @why. */
static bool source_open(struct btf_source *s, struct kpt_strbuf *why)
{
	const char *refused;
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
	refused = source_index(s);
	if (refused)
		kpt_strbuf_printf(why, "BTF of %s is refused: %s", s->module,
				  refused);
	return !refused;
}

static const struct kpt_btf *btf_find_or_read(const char *module,
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
		source_discard(s);
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
 * The first call after BTF_KEEP without use makes an index: 2.7 million
 * instructions on 6.1.
 *
 * Context: process context, sleeps, kpt_mutex held. The result is valid until
 * kpt_mutex is released.
 * Return: the types, or NULL.
 */
const struct kpt_btf *kpt_btf_of(const char *module, struct kpt_strbuf *why)
{
	const struct kpt_btf *btf;

	lockdep_assert_held(&kpt_mutex);
	if (!module && btf_given)
		return &btf_given->btf;
	btf = btf_find_or_read(btf_vmlinux, NULL, why);
	if (btf && module)
		btf = btf_find_or_read(module, btf, why);
	/* No name of a queue: that of the default one depends on the kernel. */
	cancel_delayed_work(&btf_idle_work);
	schedule_delayed_work(&btf_idle_work, BTF_KEEP);
	return btf;
}

/**
 * kpt_btf_forget() - free the types of a module that is being loaded or unloaded
 * @module: its name
 *
 * What was found before, or was not, may be wrong now.
 *
 * Context: process context, kpt_mutex held.
 */
void kpt_btf_forget(const char *module)
{
	struct btf_source *s;

	btf_epoch++;
	list_for_each_entry(s, &btf_sources, list)
		if (!strcmp(s->module, module)) {
			list_del(&s->list);
			source_free(s);
			return;
		}
}

/* What kpt_btf_give() demands; returns NULL, or the reason for a refusal. */
static const char *source_check(struct btf_source *s)
{
	const char *refused = source_index(s) ?: kpt_btf_check(&s->btf);

	if (!refused && kpt_btf_length(s->btf.blob, s->btf.size) < s->btf.size)
		refused = "something follows it";
	return refused;
}

/**
 * kpt_btf_give() - use BTF that the user gives for the kernel
 * @blob: the bytes in vmalloc memory, which is given away
 * @size: number of bytes
 * @why: on failure the reason is appended
 *
 * Checks all of the blob, and whether it is of this kernel; only then does it replace
 * what was given before.
 *
 * Context: process context, sleeps, kpt_mutex held.
 * Return: true if it is used from now on.
 */
bool kpt_btf_give(void *blob, size_t size, struct kpt_strbuf *why)
{
	struct btf_source *s = kzalloc(sizeof(*s), GFP_KERNEL);
	const char *refused;

	lockdep_assert_held(&kpt_mutex);
	if (!s) {
		vfree(blob);
		kpt_strbuf_puts(why, "no memory");
		return false;
	}
	s->copy = blob;
	s->btf.blob = blob;
	s->btf.size = size;
	refused = source_check(s);
	if (refused)
		kpt_strbuf_puts(why, refused);
	if (refused || !kpt_btf_is_of_kernel(&s->btf, why)) {
		source_discard(s);
		return false;
	}
	kpt_btf_drop();
	btf_given = s;
	btf_epoch++;
	return true;
}

/**
 * kpt_btf_drop() - use the kernel's own BTF again, if it has any
 *
 * Context: process context, kpt_mutex held; or module unload.
 */
void kpt_btf_drop(void)
{
	if (btf_given)
		source_free(btf_given);
	btf_given = NULL;
}

/**
 * kpt_btf_given() - get the BTF that the user gave
 *
 * Context: process context, kpt_mutex held.
 * Return: the blob, or NULL.
 */
const struct kpt_btf *kpt_btf_given(void)
{
	return btf_given ? &btf_given->btf : NULL;
}

static size_t btf_memory(void)
{
	const struct btf_source *s;
	size_t bytes = btf_given ? btf_given->btf.size + btf_given->index_size : 0;

	list_for_each_entry(s, &btf_sources, list)
		bytes += (s->copy ? s->btf.size : 0) + s->index_size;
	return bytes;
}

/**
 * kpt_btf_status() - where types come from, and the memory that they take
 * @sb: gets two lines of the file status
 *
 * Context: process context, kpt_mutex held.
 */
void kpt_btf_status(struct kpt_strbuf *sb)
{
	const char *where = "in /sys/kernel/btf/vmlinux, if it is there";

	if (btf_given)
		where = "given";
	else if (btf_start)
		where = "in its memory";
	kpt_strbuf_printf(sb, "types of the kernel: %s\n", where);
	kpt_strbuf_printf(sb, "memory for types: %lu KiB\n",
			  (unsigned long)DIV_ROUND_UP(btf_memory(), SZ_1K));
}

/* Is the memory at @addr what the file has at @pos? @buf: 2 * SZ_4K bytes. */
static bool is_in_memory(struct file *file, loff_t pos, unsigned long addr,
			 void *buf)
{
	return !file_read(file, pos, buf, SZ_4K) &&
	       !copy_from_kernel_nofault(buf + SZ_4K, (void *)addr, SZ_4K) &&
	       !memcmp(buf, buf + SZ_4K, SZ_4K);
}

/*
 * Without KALLSYMS_ALL there is no symbol for the kernel's BTF. It is between the
 * read-only data and the init text, nearly at the end, and the file tells its size: so
 * look for its first word backwards from the last place where it fits. Returns its
 * address, or 0.
 */
static unsigned long btf_search(struct file *file, size_t size, void *buf)
{
	unsigned long limit = kpt_ksyms_addr("_sinittext"), page, last;
	const u32 *words = buf;
	int i;

	if (limit < size + BTF_REACH)
		return 0;
	last = round_down(limit - size, sizeof(u32));
	for (page = round_down(last, SZ_4K); last - page < BTF_REACH;
	     page -= SZ_4K) {
		if (copy_from_kernel_nofault(buf, (void *)page, SZ_4K))
			return 0;
		for (i = SZ_4K / sizeof(u32) - 1; i >= 0; i--)
			if (words[i] == KPT_BTF_WORD &&
			    page + i * sizeof(u32) <= last)
				goto found;
	}
	return 0;
found:
	page += i * sizeof(u32);
	return is_in_memory(file, 0, page, buf) &&
	       is_in_memory(file, size - SZ_4K, page + size - SZ_4K, buf) ? page : 0;
}

static void btf_find_in_memory(void)
{
	struct file *file = btf_open(btf_vmlinux);
	size_t size;
	void *buf;

	if (IS_ERR(file))
		return;
	size = i_size_read(file_inode(file));
	buf = kmalloc(2 * SZ_4K, GFP_KERNEL);
	if (buf && size >= SZ_4K && size <= KPT_BTF_MAX)
		btf_start = btf_search(file, size, buf);
	btf_stop = btf_start + size;
	kfree(buf);
	filp_close(file, NULL);
}

static void btf_mount(void)
{
	struct file_system_type *type = get_fs_type("sysfs");

	btf_sysfs = type ? kern_mount(type) : ERR_PTR(-ENODEV);
}

/**
 * kpt_btf_init() - find out where the BTF of the kernel is
 *
 * At load, because some kernels need milliseconds to find a symbol.
 *
 * Context: module load.
 * Return: 0.
 */
int kpt_btf_init(void)
{
	btf_mount();
	btf_start = kpt_ksyms_addr("__start_BTF");
	if (btf_start)
		btf_stop = kpt_ksyms_addr("__stop_BTF");
	else
		btf_find_in_memory();
	return 0;
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
	kpt_btf_drop();
	kern_unmount(btf_sysfs);
}
