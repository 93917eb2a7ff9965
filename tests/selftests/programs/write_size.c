// SPDX-License-Identifier: GPL-2.0-only
/*
 * write_size SIZE FILE...: write so many bytes, all "x", by one write() to each file. Prints the
 * name of each, and how many bytes were taken, or the number of the error with a "-".
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	size_t size = argc > 1 ? strtoul(argv[1], NULL, 0) : 0;
	char *text = malloc(size + 1);
	ssize_t got;
	int fd, i;

	if (!text)
		return 1;
	memset(text, 'x', size);
	for (i = 2; i < argc; i++) {
		fd = open(argv[i], O_WRONLY);
		got = fd < 0 ? fd : write(fd, text, size);
		printf("%s %zd\n", argv[i], got < 0 ? -errno : got);
		if (fd >= 0)
			close(fd);
	}
	return 0;
}
