// SPDX-License-Identifier: GPL-2.0-only
/*
 * raw_into FILE: read all pages of a trace_pipe_raw, and write them to standard output. By
 * turns they are read to memory that is there, that is not there yet, of which the second half
 * is not there yet, and of which the second half cannot be written. The last must fail, and then
 * the page is read again. Says on standard error how many times each was done, or what went
 * wrong.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum way { THERE, NEW, HALF_NEW, HALF_GONE, WAYS };

static int fail(const char *what)
{
	fprintf(stderr, "%s: %s\n", what, strerror(errno));
	return 1;
}

int main(int argc, char **argv)
{
	const size_t size = getpagesize();
	int done[WAYS] = { 0 }, fd = argc == 2 ? open(argv[1], O_RDONLY) : -1, way;
	char *mem, *to;
	ssize_t got;

	if (fd < 0)
		return fail("open");
	for (way = THERE;; way = (way + 1) % WAYS) {
		mem = mmap(NULL, 2 * size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
			   -1, 0);
		if (mem == MAP_FAILED)
			return fail("mmap");
		/* The page begins anywhere, and goes on in the second page of memory. */
		to = mem + 36;
		if (way != NEW)
			mem[0] = 1;
		if (way == THERE)
			mem[size] = 1;
		if (way == HALF_GONE && mprotect(mem + size, size, PROT_READ))
			return fail("mprotect");
		got = read(fd, to, size);
		if (way == HALF_GONE && got) {
			if (got != -1 || errno != EFAULT)
				return fail("read to memory that cannot be written");
		} else if (got < 0) {
			return fail("read");
		} else if (!got) {
			break;
		} else if (write(STDOUT_FILENO, to, got) != got) {
			return fail("write");
		}
		done[way]++;
		munmap(mem, 2 * size);
	}
	fprintf(stderr, "%d %d %d %d\n", done[THERE], done[NEW], done[HALF_NEW], done[HALF_GONE]);
	return 0;
}
