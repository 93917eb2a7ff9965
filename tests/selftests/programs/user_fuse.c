// SPDX-License-Identifier: GPL-2.0-only
/*
 * user_fuse [-u UID] HOLD COMMAND...: run a command that finds a file of a FUSE file system,
 * /tmp/user_fuse/word. It is all zeroes. While the file HOLD exists, no read of it is answered.
 * With -u both are this user's, who is root in a user namespace that has no other user.
 */
#define _GNU_SOURCE
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/fuse.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#define DIR		"/tmp/user_fuse"
#define FILE_NODE	2
#define FILE_SIZE	65536

static const char *hold;
static int device;

static void reply(const struct fuse_in_header *to, int error, const void *what, size_t size)
{
	struct fuse_out_header head = {
		.len = sizeof(head) + size, .error = error, .unique = to->unique,
	};
	struct iovec io[] = { { &head, sizeof(head) }, { (void *)what, size } };

	/* The reader may be gone. */
	if (writev(device, io, 2) < 0 && errno != ENOENT)
		err(2, "reply");
}

static struct fuse_attr attr(uint64_t node)
{
	struct fuse_attr a = { .ino = node, .nlink = 1, .blksize = 4096 };

	a.mode = node == FILE_NODE ? S_IFREG | 0600 : S_IFDIR | 0700;
	a.size = node == FILE_NODE ? FILE_SIZE : 0;
	return a;
}

static void answer(const struct fuse_in_header *in)
{
	const struct fuse_init_out init = {
		.major = FUSE_KERNEL_VERSION, .minor = 31, .max_write = 4096,
	};
	const struct fuse_entry_out entry = {
		.nodeid = FILE_NODE, .attr_valid = 1000, .entry_valid = 1000,
		.attr = attr(FILE_NODE),
	};
	const struct fuse_attr_out attrs = { .attr_valid = 1000, .attr = attr(in->nodeid) };
	const struct fuse_open_out opened = { .fh = 1 };
	static const char zeroes[FILE_SIZE];

	switch (in->opcode) {
	case FUSE_INIT:
		return reply(in, 0, &init, sizeof(init));
	case FUSE_LOOKUP:
		return reply(in, 0, &entry, sizeof(entry));
	case FUSE_GETATTR:
		return reply(in, 0, &attrs, sizeof(attrs));
	case FUSE_OPEN:
		return reply(in, 0, &opened, sizeof(opened));
	case FUSE_READ:
		while (!access(hold, F_OK))
			usleep(10000);
		return reply(in, 0, zeroes, ((const struct fuse_read_in *)(in + 1))->size);
	case FUSE_FLUSH:
	case FUSE_RELEASE:
		return reply(in, 0, NULL, 0);
	case FUSE_FORGET:
	case FUSE_BATCH_FORGET:
	case FUSE_INTERRUPT:
		return;
	default:
		return reply(in, -ENOSYS, NULL, 0);
	}
}

static void *serve(void *unused)
{
	static union {
		struct fuse_in_header head;
		char bytes[FUSE_MIN_READ_BUFFER + FILE_SIZE];
	} in;

	(void)unused;
	for (;;) {
		if (read(device, &in, sizeof(in)) >= (ssize_t)sizeof(in.head))
			answer(&in.head);
		else if (errno != EINTR && errno != ENOENT)
			err(2, "/dev/fuse");
	}
}

static void put(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY);

	if (fd < 0 || write(fd, text, strlen(text)) < 0)
		err(2, "%s", path);
	close(fd);
}

static void become(int uid)
{
	char map[32];

	if (setgroups(0, NULL) || setresgid(uid, uid, uid) || setresuid(uid, uid, uid))
		err(2, "setuid");
	/* Else root owns its files in /proc. */
	prctl(PR_SET_DUMPABLE, 1);
	if (unshare(CLONE_NEWUSER | CLONE_NEWNS))
		err(2, "unshare");
	snprintf(map, sizeof(map), "0 %d 1", uid);
	put("/proc/self/setgroups", "deny");
	put("/proc/self/uid_map", map);
	put("/proc/self/gid_map", map);
}

int main(int argc, char **argv)
{
	bool own = argc > 2 && !strcmp(argv[1], "-u");
	char options[64];
	pthread_t thread;
	int status;
	pid_t pid;

	if (argc < (own ? 5 : 3))
		errx(2, "[-u UID] HOLD COMMAND...");
	mkdir(DIR, 0755);
	if (own)
		become(atoi(argv[2]));
	else if (unshare(CLONE_NEWNS))
		err(2, "unshare");
	argv += own ? 3 : 1;
	hold = argv[0];
	device = open("/dev/fuse", O_RDWR | O_CLOEXEC);
	snprintf(options, sizeof(options), "fd=%d,rootmode=40000,user_id=0,group_id=0", device);
	if (device < 0 || mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) ||
	    mount("user_fuse", DIR, "fuse", 0, options))
		err(2, "mount");
	if (pthread_create(&thread, NULL, serve, NULL))
		errx(2, "pthread_create");
	pid = fork();
	if (!pid) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		execvp(argv[1], argv + 1);
		err(127, "%s", argv[1]);
	}
	if (pid < 0 || waitpid(pid, &status, 0) < 0)
		err(2, "fork");
	return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}
