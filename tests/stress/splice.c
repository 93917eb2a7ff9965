// SPDX-License-Identifier: GPL-2.0-only
/* splice: standard input to standard output, a pipe, by splice() alone. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

int main(void)
{
	ssize_t n;

	while ((n = splice(STDIN_FILENO, NULL, STDOUT_FILENO, NULL, 1 << 16, 0)) > 0)
		;
	if (n < 0)
		perror("splice");
	return n < 0;
}
