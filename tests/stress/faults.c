// SPDX-License-Identifier: GPL-2.0-only
/*
 * faults: let the n-th allocation of a task fail in each thing that kptrace is asked
 * to do, for every n. kpt_fail and kpt_target are loaded, kptrace is not; it is not
 * at the end either. Prints a line for each thing; status 1 if one went wrong.
 *
 * What fails does so with a reason that is no lie, and leaves what was there as it
 * was. What succeeds in spite of that works: calls are counted.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define ROOT "/sys/kernel/kptrace/"
#define EVENT ROOT "events/kprobes/e/"
#define OTHER ROOT "instances/x/"
#define PMU "/sys/bus/event_source/devices/kptrace/"
#define CALLS 3

static int fail_fd;
/* The definition that is on trial, and what is wrong with a thing. */
static const char *definition;
static int wrongs;
static char text[1 << 16];

static void wrong(const char *what, int n, const char *how, long value)
{
	printf("wrong: %s, allocation %d: %s: %ld\n", what, n, how, value);
	wrongs++;
}

static int write_text(const char *path, const char *what, int flags)
{
	int err = 0, fd = open(path, O_WRONLY | flags);

	if (fd < 0)
		return errno;
	if (*what && write(fd, what, strlen(what)) < 0)
		err = errno;
	close(fd);
	return err;
}

/* read_text() - a whole file, in text; "" if it cannot be read */
static const char *read_text(const char *path)
{
	int fd = open(path, O_RDONLY);
	ssize_t got, len = 0;

	while (fd >= 0 &&
	       (got = read(fd, text + len, sizeof(text) - 1 - len)) > 0)
		len += got;
	text[len] = '\0';
	if (fd >= 0)
		close(fd);
	return text;
}

static void must(int err, const char *what)
{
	if (!err)
		return;
	printf("wrong: cannot prepare: %s: %s\n", what, strerror(err));
	exit(1);
}

static void fail_at(int n)
{
	char number[16];

	snprintf(number, sizeof(number), "%d", n);
	if (write(fail_fd, number, strlen(number)) < 0)
		must(errno, "kpt_fail");
}

static int module_load(const char *name)
{
	char path[64];
	int err, fd;

	snprintf(path, sizeof(path), "/kpt/%s.ko", name);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	err = syscall(SYS_finit_module, fd, "", 0) ? errno : 0;
	close(fd);
	return err;
}

static int module_unload(const char *name)
{
	return syscall(SYS_delete_module, name, O_NONBLOCK) ? errno : 0;
}

static bool is_loaded(const char *name)
{
	char path[64];

	snprintf(path, sizeof(path), "/sys/module/%s", name);
	return !access(path, F_OK);
}

/* Preparations */

static void nothing(void)
{
}

static void loaded(void)
{
	must(module_load("kptrace"), "load");
	must(mount("none", ROOT, "kptracefs", 0, NULL) ? errno : 0, "mount");
}

static void defined(void)
{
	must(write_text(ROOT "kprobe_events", definition, O_APPEND), definition);
}

static void enabled(void)
{
	defined();
	must(write_text(EVENT "enable", "1", 0), "enable");
}

/* Hits of the first definition that its stub refuses, without a handler. */
static void filtered(void)
{
	defined();
	must(write_text(EVENT "filter", "a == 12345", 0), "filter");
}

static void with_instance(void)
{
	enabled();
	must(mkdir(OTHER, 0755) ? errno : 0, "instance");
	must(write_text(OTHER "events/kprobes/e/enable", "1", 0), "its event");
}

static void loaded_enabled(void)
{
	loaded();
	with_instance();
	must(umount(ROOT) ? errno : 0, "umount");
}

static void pending(void)
{
	must(module_unload("kpt_target"), "target");
	enabled();
}

static void attached(void)
{
	pending();
	must(module_load("kpt_target"), "target");
}

/* Things on trial */

static int load(void)
{
	return module_load("kptrace");
}

static int unload(void)
{
	return module_unload("kptrace");
}

static int define(void)
{
	return write_text(ROOT "kprobe_events", definition, O_APPEND);
}

static int clear(void)
{
	return write_text(ROOT "kprobe_events", "", O_TRUNC);
}

static int delete(void)
{
	return write_text(ROOT "kprobe_events", "-:kprobes/e", O_APPEND);
}

static int enable(void)
{
	return write_text(EVENT "enable", "1", 0);
}

static int disable(void)
{
	return write_text(EVENT "enable", "0", 0);
}

static int filter(void)
{
	return write_text(EVENT "filter", "common_pid > 1 && cpu & CPUS{0} && comm != \"x\"", 0);
}

static int trigger(void)
{
	return write_text(EVENT "trigger", "hist:keys=common_pid", 0);
}

static int make_instance(void)
{
	return mkdir(OTHER, 0755) ? errno : 0;
}

static int enable_there(void)
{
	return write_text(OTHER "events/kprobes/e/enable", "1", 0);
}

static int remove_instance(void)
{
	return rmdir(OTHER) ? errno : 0;
}

static int load_target(void)
{
	return module_load("kpt_target");
}

static int unload_target(void)
{
	return module_unload("kpt_target");
}

/* A perf event of this task, which listens to the event. */
static struct perf_event_attr perf_attr = { .size = sizeof(perf_attr) };
static int perf_fd = -1;

static long perf_number(const char *path, const char *before)
{
	const char *at = strstr(read_text(path), before);

	return at ? strtol(at + strlen(before), NULL, 0) : -1;
}

static void perf_known(void)
{
	defined();
	perf_attr.type = perf_number(PMU "type", "");
	perf_attr.config = perf_number(PMU "events/e", "event=");
}

static int perf_open(void)
{
	if (access(PMU, F_OK))
		return 0;
	perf_fd = syscall(SYS_perf_event_open, &perf_attr, 0, -1, -1, 0);
	return perf_fd < 0 ? errno : 0;
}

static int perf_close(void)
{
	int err = perf_fd >= 0 && close(perf_fd) ? errno : 0;

	perf_fd = -1;
	return err;
}

static void listened(void)
{
	perf_known();
	must(perf_open(), "perf_open");
}

static void instance_only(void)
{
	defined();
	must(make_instance(), "instance");
}

/* hits() - that an event has counted so far */
static long hits(const char *dir)
{
	char path[100];
	const char *at;

	snprintf(path, sizeof(path), "%sstats", dir);
	at = strstr(read_text(path), "hits:");
	return at ? atol(at + 5) : -1;
}

/*
 * check_counts() - an event that is enabled counts calls, another does not. One that
 * could not be attached to a module that came says so in error_log.
 */
static void check_counts(const char *name, int n, const char *dir)
{
	long before = hits(dir), more;
	char path[100], call[32];
	bool on;

	if (access(dir, F_OK) || !is_loaded("kpt_target"))
		return;
	snprintf(path, sizeof(path), "%senable", dir);
	on = *read_text(path) == '1';
	snprintf(call, sizeof(call), "call two %d", CALLS);
	must(write_text("/proc/kpt_target", call, 0), call);
	more = hits(dir) - before;
	if (on && !more && *read_text(ROOT "error_log"))
		return;
	if (more != (on ? CALLS : 0))
		wrong(name, n, on ? "hits, enabled" : "hits, disabled", more);
}

/* clean() - with memory everything comes to its end, whatever is left */
static void clean(const char *name, int n)
{
	int err;

	if (!is_loaded("kptrace"))
		return;
	if (perf_close())
		wrong(name, n, "close afterwards", errno);
	if (!access(OTHER, F_OK) && (err = remove_instance()))
		wrong(name, n, "rmdir afterwards", err);
	if (!access(EVENT, F_OK)) {
		err = disable();
		if (err)
			wrong(name, n, "disable afterwards", err);
		write_text(EVENT "trigger", "!hist:keys=common_pid", 0);
		err = clear();
		if (err)
			wrong(name, n, "clear afterwards", err);
	}
	if (*read_text(ROOT "kprobe_events"))
		wrong(name, n, "events are left", strlen(text));
	if (*read_text(ROOT "kprobes/list"))
		wrong(name, n, "points are left", strlen(text));
	if (!is_loaded("kpt_target"))
		must(module_load("kpt_target"), "target");
}

enum {
	ALWAYS = 1,		/* must succeed without memory, too */
	LOADS = 2,		/* kptrace is there if it has succeeded */
	UNLOADS = 4,		/* or is gone then */
};

struct thing {
	const char *name;
	void (*prepare)(void);
	int (*act)(void);
	int flags;
};

/* The first of these depend on what is defined. */
#define OF_DEFINITION 6

static const struct thing things[] = {
	{ "define", nothing, define, 0 },
	{ "enable", defined, enable, 0 },
	{ "disable", enabled, disable, 0 },
	{ "delete", defined, delete, 0 },
	{ "perf open", perf_known, perf_open, 0 },
	{ "perf close", listened, perf_close, ALWAYS },
	{ "clear", defined, clear, ALWAYS },
	{ "filter", enabled, filter, 0 },
	{ "trigger", enabled, trigger, 0 },
	{ "enable filtered", filtered, enable, 0 },
	{ "enable there", instance_only, enable_there, 0 },
	{ "rmdir", with_instance, remove_instance, 0 },
	{ "load target", pending, load_target, 0 },
	{ "unload target", attached, unload_target, ALWAYS },
	{ "mkdir", enabled, make_instance, 0 },
};

static const struct thing modules[] = {
	{ "load", nothing, load, LOADS },
	{ "unload", loaded_enabled, unload, ALWAYS | UNLOADS },
};

/* try_thing() - with its n-th allocation failing; false if it has not so many */
static bool try_thing(const struct thing *thing, int n, int *refused)
{
	int err, asked = 0, failed = 0;

	thing->prepare();
	if (is_loaded("kptrace") && !(thing->flags & UNLOADS))
		must(write_text(ROOT "error_log", "", O_TRUNC), "error_log");
	fail_at(n);
	err = thing->act();
	fail_at(0);
	if (pread(fail_fd, text, sizeof(text), 0) < 0 ||
	    sscanf(text, "%d %d", &asked, &failed) != 2)
		must(EIO, "kpt_fail");
	*refused += !!err;
	if (err && (!failed || (thing->flags & ALWAYS) || err != ENOMEM))
		wrong(thing->name, n, strerror(err), failed);
	if (thing->flags & (LOADS | UNLOADS)) {
		if (is_loaded("kptrace") != (!(thing->flags & LOADS) == !!err))
			wrong(thing->name, n, "loaded", is_loaded("kptrace"));
		must(write_text("/proc/kpt_target", "call two", 0), "call");
		if (is_loaded("kptrace"))
			must(unload(), "unload");
	} else {
		check_counts(thing->name, n, EVENT);
		check_counts(thing->name, n, OTHER "events/kprobes/e/");
		clean(thing->name, n);
	}
	return failed;
}

static void sweep(const struct thing *thing)
{
	int n = 1, refused = 0;

	while (try_thing(thing, n, &refused))
		n++;
	printf("%s: %d allocations, refused %d times\n", thing->name, n - 1, refused);
	fflush(stdout);
}

/* The event is "e"; it is hit by "call two". */
static const char *const definitions[] = {
	"p:e kpt_target:kpt_target_two a=$arg1 s=$comm",
	"rret:e kpt_target:kpt_target_two a=$arg1 $retval",
	"rhook:e kpt_target:kpt_target_two a=$arg1 $retval",
	/* Names of values, which two arguments share */
	"p:e kpt_target:kpt_target_two m=(writeback_control)$arg1->sync_mode:enum "
		"n=(writeback_control)$arg2->sync_mode:enum",
};

/*
 * can_define() - false if the kernel has no types for it. They are read here: without
 * memory for that, names are refused with another errno.
 */
static bool can_define(void)
{
	int err = define();

	if (err != EOPNOTSUPP)
		must(err ?: clear(), definition);
	return !err;
}

int main(void)
{
	size_t d, t;
	bool known;

	fail_fd = open("/proc/kpt_fail", O_RDWR);
	must(fail_fd < 0 ? errno : 0, "kpt_fail");
	for (d = 0; d < sizeof(definitions) / sizeof(definitions[0]); d++) {
		definition = definitions[d];
		printf("%s\n", definition);
		loaded();
		known = can_define();
		for (t = 0; known && t < sizeof(things) / sizeof(things[0]); t++) {
			if (!d || t < OF_DEFINITION)
				sweep(&things[t]);
		}
		must(umount(ROOT) ? errno : 0, "umount");
		must(unload(), "unload");
		if (known)
			sweep(&modules[1]);
	}
	sweep(&modules[0]);
	return wrongs > 0;
}
