// SPDX-License-Identifier: GPL-2.0-only
/*
 * slow_readdir DIR: read a directory into memory whose page user space has to fill in, and
 * never does. Prints "waits" when the kernel waits for that page, and ends when it is
 * killed. Ends with 2 if the kernel has no userfaultfd().
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

static int dir;
static void *memory;
static size_t size;

static void *reader(void *unused)
{
	syscall(SYS_getdents64, dir, memory, size);
	return unused;
}

int main(int argc, char **argv)
{
	int uffd = syscall(SYS_userfaultfd, O_CLOEXEC);
	struct uffdio_api api = { .api = UFFD_API };
	struct pollfd poller = { .fd = uffd, .events = POLLIN };
	struct uffdio_register area = { .mode = UFFDIO_REGISTER_MODE_MISSING };
	pthread_t thread;

	if (uffd < 0 || ioctl(uffd, UFFDIO_API, &api))
		return 2;
	size = sysconf(_SC_PAGESIZE);
	memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	area.range.start = (unsigned long)memory;
	area.range.len = size;
	dir = argc == 2 ? open(argv[1], O_RDONLY | O_DIRECTORY) : -1;
	if (memory == MAP_FAILED || dir < 0 || ioctl(uffd, UFFDIO_REGISTER, &area) ||
	    pthread_create(&thread, NULL, reader, NULL) || poll(&poller, 1, 20000) != 1)
		return 1;
	puts("waits");
	fflush(stdout);
	for (;;)
		pause();
}
