// SPDX-License-Identifier: GPL-2.0-only
/*
 * poll_now [read]: prints what poll() says of standard input at once, of IN, PRI and ERR;
 * with "read" it reads all of it from its beginning instead.
 */
#include <poll.h>
#include <stdio.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	struct pollfd p = { .fd = 0, .events = POLLIN | POLLPRI };
	static char text[4096];
	ssize_t got;

	(void)argv;
	if (argc > 1) {
		got = lseek(0, 0, SEEK_SET);
		while (got >= 0 && (got = read(0, text, sizeof(text))) > 0)
			;
		if (got)
			perror("read");
		return !!got;
	}
	if (poll(&p, 1, 0) < 0) {
		perror("poll");
		return 1;
	}
	printf("%s%s%s\n", p.revents & POLLIN ? "IN " : "", p.revents & POLLPRI ? "PRI " : "",
	       p.revents & POLLERR ? "ERR " : "");
	return 0;
}
