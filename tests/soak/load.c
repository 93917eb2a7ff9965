// SPDX-License-Identifier: GPL-2.0-only
/* A load: one process for each kind of work, over and over. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include "soak.h"

static const char *module_file;

static void rest(unsigned int ms)
{
	usleep(ms * 1000);
}

static void try_put(const char *file, const char *text)
{
	int fd = open(file, O_WRONLY);

	if (fd < 0)
		return;
	if (write(fd, text, strlen(text)) < 0)
		rest(1);
	close(fd);
}

static void read_all(const char *file)
{
	char buf[4096];
	int fd = open(file, O_RDONLY | O_NONBLOCK);

	if (fd < 0)
		return;
	while (read(fd, buf, sizeof(buf)) > 0)
		;
	close(fd);
}

/* Every other child becomes another program. */
static void forks(void)
{
	static unsigned int n;
	pid_t pid = n++ & 1 ? fork() : vfork();

	if (!pid) {
		execl("/bin/busybox", "true", NULL);
		_exit(1);
	}
	if (pid > 0)
		waitpid(pid, NULL, 0);
}

static void files(void)
{
	char buf[10000] = "";
	struct dirent *entry;
	struct stat st;
	int fd;
	DIR *dir;

	mkdir("/tmp/soak", 0700);
	fd = open("/tmp/soak/a", O_CREAT | O_RDWR | O_TRUNC, 0600);
	if (fd < 0)
		return;
	for (int i = 0; i < 10; i++)
		if (write(fd, buf, sizeof(buf)) < 0)
			break;
	fsync(fd);
	lseek(fd, 100, SEEK_SET);
	if (read(fd, buf, sizeof(buf)) > 0 && !ftruncate(fd, 100))
		fstat(fd, &st);
	close(fd);
	link("/tmp/soak/a", "/tmp/soak/b");
	rename("/tmp/soak/b", "/tmp/soak/c");
	symlink("c", "/tmp/soak/d");
	stat("/tmp/soak/d", &st);
	dir = opendir("/tmp/soak");
	while (dir && (entry = readdir(dir)))
		if (entry->d_name[0] != '.')
			unlinkat(dirfd(dir), entry->d_name, 0);
	if (dir)
		closedir(dir);
	read_all("/proc/self/maps");
	read_all("/proc/self/status");
	read_all("/proc/stat");
	read_all("/proc/meminfo");
	read_all("/sys/kernel/mm/transparent_hugepage/enabled");
}

/* Both ends in this process: the buffers are large enough. */
static void exchange(int from, int to)
{
	char buf[512] = "text";

	for (int i = 0; i < 10; i++)
		if (write(from, buf, sizeof(buf)) < 0 ||
		    read(to, buf, sizeof(buf)) < 0)
			break;
}

static void loopback(int type)
{
	struct sockaddr_in addr = { .sin_family = AF_INET };
	socklen_t len = sizeof(addr);
	int s = socket(AF_INET, type, 0), c = socket(AF_INET, type, 0), a = -1;

	addr.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	if (!bind(s, (void *)&addr, len) &&
	    !getsockname(s, (void *)&addr, &len) &&
	    (type == SOCK_DGRAM || !listen(s, 1)) &&
	    !connect(c, (void *)&addr, len)) {
		if (type == SOCK_STREAM)
			a = accept(s, NULL, NULL);
		exchange(c, type == SOCK_STREAM ? a : s);
	}
	if (a >= 0)
		close(a);
	close(s);
	close(c);
}

static void sockets(void)
{
	struct epoll_event event = { .events = EPOLLIN };
	int pair[2], ep = epoll_create1(0);

	if (!pipe(pair)) {
		exchange(pair[1], pair[0]);
		epoll_ctl(ep, EPOLL_CTL_ADD, pair[0], &event);
		epoll_wait(ep, &event, 1, 1);
		close(pair[0]);
		close(pair[1]);
	}
	if (!socketpair(AF_UNIX, SOCK_STREAM, 0, pair)) {
		struct pollfd fd = { .fd = pair[0], .events = POLLIN };

		exchange(pair[1], pair[0]);
		poll(&fd, 1, 1);
		close(pair[0]);
		close(pair[1]);
	}
	close(ep);
	loopback(SOCK_STREAM);
	loopback(SOCK_DGRAM);
}

static void on_signal(int sig, siginfo_t *info, void *context)
{
	(void)sig;
	(void)info;
	(void)context;
}

static int *volatile nowhere;

static void signals(void)
{
	struct sigaction action = {
		.sa_sigaction = on_signal,
		.sa_flags = SA_SIGINFO | SA_RESTART,
	};
	union sigval value = { .sival_int = 1 };
	pid_t parent = getpid(), pid;

	sigaction(SIGUSR1, &action, NULL);
	raise(SIGUSR1);
	sigqueue(getpid(), SIGUSR1, value);
	pid = fork();
	if (!pid) {
		/* Else it would stay stopped if its parent is killed before the SIGCONT. */
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		if (getppid() != parent)
			_exit(1);
		/* Ends by a fault. */
		*nowhere = 1;
		_exit(0);
	}
	if (pid > 0) {
		kill(pid, SIGSTOP);
		kill(pid, SIGCONT);
		waitpid(pid, NULL, 0);
	}
}

static void timers(void)
{
	struct itimerspec in = { .it_value.tv_nsec = 500000 };
	struct itimerval real = { .it_value.tv_usec = 300 };
	struct sigaction action = { .sa_handler = SIG_IGN };
	int fd = timerfd_create(CLOCK_MONOTONIC, 0);
	uint64_t expired;

	sigaction(SIGALRM, &action, NULL);
	setitimer(ITIMER_REAL, &real, NULL);
	timerfd_settime(fd, 0, &in, NULL);
	if (read(fd, &expired, sizeof(expired)) < 0)
		rest(1);
	close(fd);
	rest(1);
	sched_yield();
}

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *contend(void *unused)
{
	for (int i = 0; i < 50; i++) {
		pthread_mutex_lock(&mutex);
		sched_yield();
		pthread_mutex_unlock(&mutex);
	}
	return unused;
}

static void threads(void)
{
	pthread_t thread[3];

	for (int i = 0; i < 3; i++)
		if (pthread_create(&thread[i], NULL, contend, NULL))
			die("no thread");
	for (int i = 0; i < 3; i++)
		pthread_join(thread[i], NULL);
}

static void hotplug(void)
{
	try_put("/sys/devices/system/cpu/cpu1/online", "0");
	rest(300);
	try_put("/sys/devices/system/cpu/cpu1/online", "1");
	rest(700);
}

static void modules(void)
{
	int fd = open(module_file, O_RDONLY);

	if (fd < 0 || syscall(SYS_finit_module, fd, "", 0))
		rest(100);
	if (fd >= 0)
		close(fd);
	rest(100);
	syscall(SYS_delete_module, "kpt_target", 0);
	rest(400);
}

static size_t available_kb(void)
{
	char *text = slurp("/proc/meminfo"), *at;
	size_t kb = 0;

	at = strstr(text, "MemAvailable:");
	if (at)
		kb = strtoul(at + strlen("MemAvailable:"), NULL, 10);
	free(text);
	return kb;
}

/* More and more memory, but never so much that somebody is killed; then none. */
static void memory(void)
{
	static char *chunk[1024];
	static unsigned int nr;
	const size_t size = 4 << 20;
	unsigned int i;

	chunk[nr] = mmap(NULL, size, PROT_READ | PROT_WRITE,
			 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (chunk[nr] == MAP_FAILED)
		return;
	for (i = 0; i < size; i += 4096)
		chunk[nr][i] = 1;
	mprotect(chunk[nr], size / 2, PROT_READ);
	if (++nr < 1024 && available_kb() > 256 * 1024)
		return;
	for (i = 0; i < nr; i++) {
		madvise(chunk[i], size / 2, MADV_DONTNEED);
		munmap(chunk[i], size);
	}
	nr = 0;
	try_put("/proc/sys/vm/drop_caches", "3");
	try_put("/proc/sys/vm/compact_memory", "1");
}

static struct {
	const char *name;
	void (*work)(void);
	pid_t pid;
} kinds[] = {
	{ "forks", forks, 0 },	   { "files", files, 0 },
	{ "sockets", sockets, 0 }, { "signals", signals, 0 },
	{ "timers", timers, 0 },   { "threads", threads, 0 },
	{ "hotplug", hotplug, 0 }, { "modules", modules, 0 },
	{ "memory", memory, 0 },
};

#define NR_KINDS (sizeof(kinds) / sizeof(kinds[0]))

/* How often each was done, shared with the processes. */
static unsigned long *done;

void load_start(const char *module)
{
	module_file = module;
	if (!done)
		done = mmap(NULL, 4096, PROT_READ | PROT_WRITE,
			    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (done == MAP_FAILED)
		die("no memory");
	for (size_t i = 0; i < NR_KINDS; i++) {
		kinds[i].pid = fork();
		if (kinds[i].pid < 0)
			die("no process");
		if (kinds[i].pid)
			continue;
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		/* Let the task that probes get on, too. */
		if (nice(19) < 0)
			_exit(1);
		for (;;) {
			kinds[i].work();
			done[i]++;
		}
	}
}

void load_pause(bool pause)
{
	for (size_t i = 0; i < NR_KINDS; i++)
		kill(kinds[i].pid, pause ? SIGSTOP : SIGCONT);
}

bool load_all_done(void)
{
	for (size_t i = 0; i < NR_KINDS; i++)
		if (!done[i])
			return false;
	return true;
}

void load_stop(bool report)
{
	char *online;

	for (size_t i = 0; i < NR_KINDS; i++) {
		if (!kinds[i].pid)
			continue;
		kill(kinds[i].pid, SIGKILL);
		waitpid(kinds[i].pid, NULL, 0);
		kinds[i].pid = 0;
	}
	try_put("/sys/devices/system/cpu/cpu1/online", "1");
	online = slurp("/sys/devices/system/cpu/cpu1/online");
	if (*online != '1')
		die("CPU 1 did not come back");
	free(online);
	syscall(SYS_delete_module, "kpt_target", 0);
	if (!report)
		return;
	printf("load:");
	for (size_t i = 0; i < NR_KINDS; i++)
		printf(" %s %lu", kinds[i].name, done[i]);
	printf("\n");
	for (size_t i = 0; i < NR_KINDS; i++)
		if (!done[i])
			die("no %s were done", kinds[i].name);
}
