// SPDX-License-Identifier: GPL-2.0-only
/*
 * raw_map FILE ACTION...: open a trace_pipe_raw, and do one thing after the other. Each
 * prints what it did, or the name of its errno.
 *
 *   map          map the description and all pages of records, read-only and shared
 *   unmap        undo it
 *   next         ask for the next page; prints what the description says then
 *   wait         the same, waiting for one
 *   save:FILE    append the page to a file
 *   at:N         map the description, N parts behind the beginning
 *   writable, private, part: map in a way that is refused; unmap a part
 *   move         move the mapping
 *   fork         has a child the mapping?
 *   first:N, all:N   open the file N times more, and map the description of each, or all; says
 *		  how many could be mapped, and they stay
 *   sh:COMMAND   run a command
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

/* struct trace_buffer_meta of <linux/trace_mmap.h>, since 6.10 */
struct meta {
	uint32_t meta_page_size, meta_struct_len, subbuf_size, nr_subbufs;
	uint64_t lost;
	uint32_t id, bytes;
	uint64_t flags, entries, overrun, read, pages_lost, pages_touched;
};

#define NEXT _IO('R', 0x20)

static const char *file;
static int fd;
static char *map = MAP_FAILED;
static size_t length;

static void say(const char *what, int ok)
{
	if (ok)
		printf("%s\n", what);
	else
		printf("%s: %s\n", what, strerrorname_np(errno));
	fflush(stdout);
}

static const volatile struct meta *meta(void)
{
	return (const volatile struct meta *)map;
}

static void *map_at(size_t bytes, int prot, int flags, size_t offset)
{
	return mmap(NULL, bytes, prot, flags, fd, offset);
}

static void do_map(void)
{
	const struct meta *m = map_at(getpagesize(), PROT_READ, MAP_SHARED, 0);

	if (m == MAP_FAILED) {
		say("map", 0);
		return;
	}
	length = m->meta_page_size + (size_t)m->nr_subbufs * m->subbuf_size;
	map = map_at(length, PROT_READ, MAP_SHARED, 0);
	munmap((void *)m, getpagesize());
	say("map", map != MAP_FAILED);
}

static void do_next(const char *what, int flags)
{
	fcntl(fd, F_SETFL, flags);
	if (ioctl(fd, NEXT)) {
		say(what, 0);
		return;
	}
	printf("%s: id %u lost %llu entries %llu overrun %llu read %llu\n", what,
	       meta()->id, (unsigned long long)meta()->lost,
	       (unsigned long long)meta()->entries,
	       (unsigned long long)meta()->overrun,
	       (unsigned long long)meta()->read);
	fflush(stdout);
}

static void do_save(const char *path)
{
	int to = open(path, O_WRONLY | O_CREAT | O_APPEND, 0600);
	const char *page;

	if (map == MAP_FAILED) {
		puts("save: nothing is mapped");
		return;
	}
	page = map + meta()->meta_page_size + (size_t)meta()->id * meta()->subbuf_size;
	if (write(to, page, meta()->subbuf_size) != (ssize_t)meta()->subbuf_size)
		say("save", 0);
	close(to);
}

static void do_try(const char *what, int prot, int flags, size_t offset)
{
	void *at = map_at(getpagesize(), prot, flags, offset);

	say(what, at != MAP_FAILED);
	if (at != MAP_FAILED)
		munmap(at, getpagesize());
}

static void do_move(void)
{
	void *to = mmap(NULL, length, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	void *at = mremap(map, length, length, MREMAP_MAYMOVE | MREMAP_FIXED, to);

	say("move", at != MAP_FAILED);
	if (at != MAP_FAILED)
		map = at;
}

static void do_fork(void)
{
	pid_t child = fork();
	int status;

	if (!child)
		_exit(meta()->id > 1);
	waitpid(child, &status, 0);
	printf("fork: %s\n", WIFSIGNALED(status) && WTERMSIG(status) == SIGSEGV ?
	       "not there" : "there");
	fflush(stdout);
}

static int map_another(int all)
{
	int other = open(file, O_RDONLY);
	const struct meta *m = mmap(NULL, getpagesize(), PROT_READ, MAP_SHARED, other, 0);

	if (m == MAP_FAILED)
		return 0;
	return !all || mmap(NULL, (size_t)m->nr_subbufs * m->subbuf_size, PROT_READ,
			    MAP_SHARED, other, m->meta_page_size) != MAP_FAILED;
}

static void do_others(const char *what, int number, int all)
{
	int i;

	for (i = 0; i < number && map_another(all); i++)
		;
	printf("%s: %d%s%s\n", what, i, i < number ? " " : "",
	       i < number ? strerrorname_np(errno) : "");
}

static void run(const char *what)
{
	if (!strcmp(what, "map"))
		do_map();
	else if (!strcmp(what, "unmap"))
		say(what, !munmap(map, length));
	else if (!strcmp(what, "next"))
		do_next(what, O_NONBLOCK);
	else if (!strcmp(what, "wait"))
		do_next(what, 0);
	else if (!strncmp(what, "save:", 5))
		do_save(what + 5);
	else if (!strncmp(what, "at:", 3))
		do_try(what, PROT_READ, MAP_SHARED,
		       atoi(what + 3) * (size_t)getpagesize());
	else if (!strcmp(what, "writable"))
		do_try(what, PROT_READ | PROT_WRITE, MAP_SHARED, 0);
	else if (!strcmp(what, "private"))
		do_try(what, PROT_READ, MAP_PRIVATE, 0);
	else if (!strcmp(what, "part"))
		say(what, !munmap(map, getpagesize()));
	else if (!strcmp(what, "move"))
		do_move();
	else if (!strcmp(what, "fork"))
		do_fork();
	else if (!strncmp(what, "first:", 6))
		do_others(what, atoi(what + 6), 0);
	else if (!strncmp(what, "all:", 4))
		do_others(what, atoi(what + 4), 1);
	else if (!strncmp(what, "sh:", 3))
		fflush(stdout), system(what + 3) ? puts("sh: failed") : 0;
	else
		printf("%s: what?\n", what);
	fflush(stdout);
}

int main(int argc, char **argv)
{
	int i;

	file = argv[1];
	fd = file ? open(file, O_RDONLY) : -1;
	if (fd < 0) {
		perror("raw_map");
		return 1;
	}
	for (i = 2; i < argc; i++)
		run(argv[i]);
	return 0;
}
