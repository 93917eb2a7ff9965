// SPDX-License-Identifier: GPL-2.0-only
/*
 * act WORK [NUMBER]...: work of which all is known, for the tests of recipes. Whatever fails
 * that should not ends it with status 1.
 */
#include <arpa/inet.h>
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static void must(int true)
{
	if (!true)
		err(1, "act");
}

/* getppid N */
static void act_getppid(const long *n)
{
	for (long i = 0; i < n[0]; i++)
		getppid();
}

/* sleep N MS */
static void act_sleep(const long *n)
{
	struct timespec t = { n[1] / 1000, n[1] % 1000 * 1000000 };

	for (long i = 0; i < n[0]; i++)
		must(!nanosleep(&t, NULL));
}

/* spin MS: of CPU time */
static void act_spin(const long *n)
{
	struct timespec t;

	do
		clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	while (t.tv_sec * 1000 + t.tv_nsec / 1000000 < n[0]);
}

static void act_setuid(const long *n) { must(!setuid(n[0])); }

/* fail N: with EBADF */
static void act_fail(const long *n)
{
	for (long i = 0; i < n[0]; i++)
		must(close(-1) < 0 && errno == EBADF);
}

/* fork N STATUS: children that end so, one after another; kill N SIGNAL: that a signal ends */
static void act_fork(const long *n)
{
	int status;

	for (long i = 0; i < n[0]; i++) {
		if (!fork())
			_exit(n[1]);
		must(wait(&status) > 0 && WEXITSTATUS(status) == n[1]);
	}
}

static void act_kill(const long *n)
{
	int status;
	pid_t pid;

	for (long i = 0; i < n[0]; i++) {
		pid = fork();
		if (!pid)
			for (;;)
				pause();
		must(!kill(pid, n[1]) && wait(&status) > 0 && WTERMSIG(status) == n[1]);
	}
}

/* touch N: pages of memory for the first time */
static void act_touch(const long *n)
{
	volatile char *p = mmap(NULL, n[0] * 4096, PROT_READ | PROT_WRITE,
				MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	must(p != MAP_FAILED && !madvise((void *)p, n[0] * 4096, MADV_NOHUGEPAGE));
	for (long i = 0; i < n[0]; i++)
		p[i * 4096] = 1;
}

/* pipe N BYTES: written and read so often */
static void act_pipe(const long *n)
{
	char *data = calloc(1, n[1]);
	int fd[2];

	must(!pipe(fd));
	for (long i = 0; i < n[0]; i++)
		must(write(fd[1], data, n[1]) == n[1] && read(fd[0], data, n[1]) == n[1]);
}

static struct sockaddr_in local(long port)
{
	return (struct sockaddr_in){ .sin_family = AF_INET, .sin_port = htons(port),
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
}

/* udp PORT N BYTES: sent and received so often */
static void act_udp(const long *n)
{
	struct sockaddr_in to = local(n[0]);
	int in = socket(AF_INET, SOCK_DGRAM, 0), out = socket(AF_INET, SOCK_DGRAM, 0);
	char *data = calloc(1, n[2]);

	must(!bind(in, (void *)&to, sizeof(to)));
	for (long i = 0; i < n[1]; i++) {
		must(sendto(out, data, n[2], 0, (void *)&to, sizeof(to)) == n[2]);
		must(recv(in, data, n[2], 0) == n[2]);
	}
}

/*
 * tcp PORT N BYTES: one connection, by which so many messages go to the server, and 10 bytes
 * come back. The client closes it first.
 */
static void act_tcp(const long *n)
{
	struct sockaddr_in to = local(n[0]);
	int out, in = socket(AF_INET, SOCK_STREAM, 0), one = 1;
	char *data = calloc(1, n[2] + 10);

	must(!setsockopt(in, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one)));
	must(!bind(in, (void *)&to, sizeof(to)) && !listen(in, 7));
	out = socket(AF_INET, SOCK_STREAM, 0);
	must(!connect(out, (void *)&to, sizeof(to)));
	in = accept(in, NULL, NULL);
	must(in >= 0);
	for (long i = 0; i < n[1]; i++)
		must(write(out, data, n[2]) == n[2] &&
		     recv(in, data, n[2], MSG_WAITALL) == n[2]);
	must(write(in, data, 10) == 10 && recv(out, data, 10, MSG_WAITALL) == 10);
	must(!close(out) && !read(in, data, 1) && !close(in));
}

/* connect6 PORT: to nobody who listens */
static void act_connect6(const long *n)
{
	struct sockaddr_in6 to = { .sin6_family = AF_INET6, .sin6_port = htons(n[0]),
		.sin6_addr = IN6ADDR_LOOPBACK_INIT };

	must(!bind(socket(AF_INET6, SOCK_STREAM, 0), (void *)&to, sizeof(to)));
	must(connect(socket(AF_INET6, SOCK_STREAM, 0), (void *)&to, sizeof(to)) < 0);
}

/* eat MIB: of memory, in another process */
static void act_eat(const long *n)
{
	const long pages[] = { n[0] << 8 };

	if (!fork()) {
		act_touch(pages);
		_exit(0);
	}
	wait(NULL);
}

static const struct work {
	const char *name;
	void (*run)(const long *n);
} works[] = {
	{ "getppid", act_getppid }, { "sleep", act_sleep }, { "spin", act_spin },
	{ "setuid", act_setuid }, { "fail", act_fail }, { "fork", act_fork },
	{ "kill", act_kill }, { "touch", act_touch }, { "pipe", act_pipe },
	{ "udp", act_udp }, { "tcp", act_tcp }, { "connect6", act_connect6 },
	{ "eat", act_eat },
};

int main(int argc, char **argv)
{
	long n[4] = { 0 };

	for (int i = 2; i < argc && i < 6; i++)
		n[i - 2] = atol(argv[i]);
	for (size_t i = 0; argc > 1 && i < sizeof(works) / sizeof(works[0]); i++)
		if (!strcmp(works[i].name, argv[1])) {
			works[i].run(n);
			return 0;
		}
	errx(2, "no such work");
}
