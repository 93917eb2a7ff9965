// SPDX-License-Identifier: GPL-2.0-only
/*
 * splice [N]: standard input to standard output, a pipe, by splice() alone, by N
 * calls at most. While one waits nobody else gets at the pipe.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	int calls = argc > 1 ? atoi(argv[1]) : INT_MAX;
	ssize_t n = 1;

	while (calls-- && n > 0)
		n = splice(STDIN_FILENO, NULL, STDOUT_FILENO, NULL, 1 << 16, 0);
	if (n < 0)
		perror("splice");
	return n < 0;
}
