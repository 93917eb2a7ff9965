// SPDX-License-Identifier: GPL-2.0-only
/*
 * edge FILE: wait for FILE by epoll that tells of changes alone (EPOLLET), read all
 * there is, and print a line; again and again.
 */
#include <fcntl.h>
#include <stdio.h>
#include <sys/epoll.h>
#include <unistd.h>

static char buf[1 << 16];

int main(int argc, char **argv)
{
	struct epoll_event event = { .events = EPOLLIN | EPOLLET };
	int fd = argc == 2 ? open(argv[1], O_RDONLY | O_NONBLOCK) : -1;
	int epoll = epoll_create1(0);

	if (fd < 0 || epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &event)) {
		perror("edge");
		return 1;
	}
	while (epoll_wait(epoll, &event, 1, -1) == 1) {
		while (read(fd, buf, sizeof(buf)) > 0)
			;
		puts("told");
		fflush(stdout);
	}
	return 1;
}
