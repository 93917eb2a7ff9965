// SPDX-License-Identifier: GPL-2.0-only
/*
 * raw_close FILE read|splice|next [COMMAND]: a thread waits for a record in FILE, a
 * trace_pipe_raw that has none; with "next" for a page that is mapped. Prints what that call
 * returned, once the file was closed; or that it still waits. A child that inherits the file,
 * and ends, must not end it, nor may the command. With "stop" as the command it is ended by
 * ioctl() instead of closing the file.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

/* TRACE_MMAP_IOCTL_GET_READER of <linux/trace_mmap.h>, since 6.10 */
#define NEXT _IO('R', 0x20)

static int fd, to[2];
static const char *how;
static atomic_int tid, ended;
static ssize_t got;

static void *reader(void *unused)
{
	static char page[1 << 16];

	tid = gettid();
	if (!strcmp(how, "read"))
		got = read(fd, page, sizeof(page));
	else if (!strcmp(how, "splice"))
		got = splice(fd, NULL, to[1], NULL, sizeof(page), 0);
	else
		got = ioctl(fd, NEXT);
	ended = 1;
	return unused;
}

/* Wait up to 20 seconds until the reader sleeps, or has ended. */
static int sleeps(void)
{
	char name[64], state = 0;
	int tries;
	FILE *f;

	for (tries = 0; tries < 2000 && state != 'S' && !ended; tries++) {
		usleep(10000);
		snprintf(name, sizeof(name), "/proc/self/task/%d/stat", tid);
		f = tid ? fopen(name, "r") : NULL;
		if (!f)
			continue;
		if (fscanf(f, "%*d (%*[^)]) %c", &state) != 1)
			state = 0;
		fclose(f);
	}
	return state == 'S';
}

/* What others do does not end it. */
static void check_waits(const char *what)
{
	usleep(200000);
	if (!sleeps())
		printf("%s ended it\n", what);
}

int main(int argc, char **argv)
{
	const char *command;
	pthread_t thread;
	int tries;
	pid_t child;

	fd = argc > 2 ? open(argv[1], O_RDONLY) : -1;
	if (fd < 0 || pipe(to)) {
		perror("raw_close");
		return 1;
	}
	how = argv[2];
	command = argc > 3 ? argv[3] : NULL;
	if (!strcmp(how, "next") &&
	    mmap(NULL, getpagesize(), PROT_READ, MAP_SHARED, fd, 0) == MAP_FAILED)
		perror("mmap");
	pthread_create(&thread, NULL, reader, NULL);
	if (!sleeps())
		puts("it did not wait");
	child = fork();
	if (!child)
		_exit(0);
	waitpid(child, NULL, 0);
	check_waits("the end of a child");
	if (command && !strcmp(command, "stop")) {
		ioctl(fd, 0);
	} else {
		if (command) {
			if (system(command))
				puts("the command failed");
			check_waits("the command");
		}
		close(fd);
	}
	for (tries = 0; tries < 2000 && !ended; tries++)
		usleep(10000);
	if (ended)
		printf("%s: %zd\n", how, got);
	else
		puts("it still waits");
	return 0;
}
