// SPDX-License-Identifier: GPL-2.0-only
/*
 * raw_close FILE read|splice|next|poll [[ends] COMMAND]: a thread waits for a record in
 * FILE, a trace_pipe_raw that has none; with "next" for a page that is mapped; with "poll" in
 * poll(), and then splices without waiting. Prints what that call returned, once the file was
 * closed; or that it still waits. A child that inherits the file, and ends, must not end it,
 * nor may the command; after "ends" the command has to, and the file stays open. With "stop"
 * as the command it is ended by ioctl() instead of closing the file; with "twice" the child
 * closes it, too, before the thread can look. With "race" the file is closed while the thread
 * is about to wait, 500 times.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
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
	struct pollfd event = { .fd = fd, .events = POLLIN };

	tid = gettid();
	if (!strcmp(how, "read"))
		got = read(fd, page, sizeof(page));
	else if (!strcmp(how, "splice"))
		got = splice(fd, NULL, to[1], NULL, sizeof(page), 0);
	else if (!strcmp(how, "poll"))
		got = poll(&event, 1, -1) < 0 ? -2 :
		      splice(fd, NULL, to[1], NULL, sizeof(page), SPLICE_F_NONBLOCK);
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

/* Only the thread that reads is not of a real time class: it runs when all others sleep. */
static void go_first(void)
{
	struct sched_param first = { .sched_priority = 1 };

	if (sched_setscheduler(0, SCHED_FIFO, &first))
		perror("sched_setscheduler");
}

static void close_twice(void)
{
	int go[2];
	pid_t child;
	char c;

	go_first();
	if (pipe(go))
		perror("pipe");
	child = fork();
	if (!child) {
		if (read(go[0], &c, 1) == 1)
			close(fd);
		_exit(0);
	}
	close(fd);
	if (write(go[1], "", 1) != 1)
		perror("write");
	waitpid(child, NULL, 0);
}

static int has_ended(void)
{
	int tries;

	for (tries = 0; tries < 2000 && !ended; tries++)
		usleep(10000);
	return ended;
}

static void stay_on_cpu0(void)
{
	cpu_set_t cpus;

	CPU_ZERO(&cpus);
	CPU_SET(0, &cpus);
	if (sched_setaffinity(0, sizeof(cpus), &cpus))
		perror("sched_setaffinity");
}

/* Close a file at any time after a thread has begun to read it. Returns the exit status. */
static int race(const char *name)
{
	volatile int spin;
	pthread_t thread;
	int i;

	for (i = 0; i < 500; i++) {
		tid = ended = 0;
		fd = open(name, O_RDONLY);
		if (pthread_create(&thread, NULL, reader, NULL))
			return 1;
		while (!tid)
			;
		for (spin = i * 16; spin; spin--)
			;
		close(fd);
		if (!has_ended()) {
			printf("it still waits, in round %d\n", i);
			return 1;
		}
		pthread_join(thread, NULL);
	}
	return 0;
}

/* Make a process that runs a command at the first byte: it never has @fd, and closes none. */
static pid_t make_runner(const char *command, int *start)
{
	int go[2];
	pid_t pid;
	char c;

	if (pipe(go))
		perror("pipe");
	pid = fork();
	if (!pid) {
		if (read(go[0], &c, 1) == 1 && system(command))
			puts("the command failed");
		fflush(stdout);
		_exit(0);
	}
	*start = go[1];
	return pid;
}

int main(int argc, char **argv)
{
	const char *command;
	pid_t child, runner;
	pthread_t thread;
	int ends, start = -1;

	ends = argc > 4 && !strcmp(argv[3], "ends");
	command = argc > 3 ? argv[3 + ends] : NULL;
	runner = ends ? make_runner(command, &start) : 0;
	fd = argc > 2 ? open(argv[1], O_RDONLY) : -1;
	if (fd < 0 || pipe(to)) {
		perror("raw_close");
		return 1;
	}
	how = argv[2];
	if (command && !strcmp(command, "race")) {
		close(fd);
		return race(argv[1]);
	}
	if (command && !strcmp(command, "twice"))
		stay_on_cpu0();
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
	} else if (command && !strcmp(command, "twice")) {
		close_twice();
	} else if (ends) {
		if (write(start, "", 1) != 1)
			perror("write");
		waitpid(runner, NULL, 0);
	} else {
		if (command) {
			if (system(command))
				puts("the command failed");
			check_waits("the command");
		}
		close(fd);
	}
	if (has_ended())
		printf("%s: %zd\n", how, got);
	else
		puts("it still waits");
	return 0;
}
