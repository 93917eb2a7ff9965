// SPDX-License-Identifier: GPL-2.0-only
/*
 * write_size [-s] SIZE FILE...: write so many bytes, all "x", by one write() to each file; -s: the
 * first bytes of this program, by one sendfile(). Prints the name of each, and how many bytes were
 * taken, or the number of the error with a "-".
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sendfile.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	int sends = argc > 1 && !strcmp(argv[1], "-s");
	size_t size = argc > 1 + sends ? strtoul(argv[1 + sends], NULL, 0) : 0;
	int from = open("/proc/self/exe", O_RDONLY), fd, i;
	char *text = malloc(size + 1);
	off_t at = 0;
	ssize_t got;

	if (!text || from < 0)
		return 1;
	memset(text, 'x', size);
	for (i = 2 + sends; i < argc; i++, at = 0) {
		fd = open(argv[i], O_WRONLY);
		got = fd < 0 ? fd : sends ? sendfile(fd, from, &at, size) : write(fd, text, size);
		printf("%s %zd\n", argv[i], got < 0 ? -errno : got);
		if (fd >= 0)
			close(fd);
	}
	return 0;
}
