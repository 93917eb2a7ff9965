// SPDX-License-Identifier: GPL-2.0-only
/*
 * raw_drain splice|map FILE PAGES: take so many pages from a trace_pipe_raw, and drop them: by
 * splice() of up to 16 at once into a pipe, and from there to /dev/null; or from mapped memory.
 * Of no pages, FILE is not opened. For tests/bench/run.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#define AT_ONCE 16

/* The beginning of struct trace_buffer_meta of <linux/trace_mmap.h>, since 6.10 */
struct meta {
	uint32_t meta_page_size, meta_struct_len, subbuf_size, nr_subbufs;
};

static int fail(const char *what)
{
	perror(what);
	return 1;
}

static int drain_splice(int fd, long pages)
{
	int null = open("/dev/null", O_WRONLY), ends[2];
	const long size = getpagesize();
	ssize_t got;

	if (null < 0 || pipe(ends))
		return fail("pipe");
	for (; pages > 0; pages -= got / size) {
		got = splice(fd, NULL, ends[1], NULL,
			     (pages < AT_ONCE ? pages : AT_ONCE) * size, 0);
		if (got <= 0 || splice(ends[0], NULL, null, NULL, got, 0) != got)
			return fail("splice");
	}
	return 0;
}

static int drain_map(int fd, long pages)
{
	const struct meta *m = mmap(NULL, getpagesize(), PROT_READ, MAP_SHARED, fd, 0);

	if (m == MAP_FAILED ||
	    mmap(NULL, (size_t)m->nr_subbufs * m->subbuf_size, PROT_READ, MAP_SHARED, fd,
		 m->meta_page_size) == MAP_FAILED)
		return fail("mmap");
	for (; pages > 0; pages--)
		if (ioctl(fd, _IO('R', 0x20)))
			return fail("ioctl");
	return 0;
}

int main(int argc, char **argv)
{
	long pages = argc == 4 ? atol(argv[3]) : -1;
	int fd;

	if (pages < 0)
		return 2;
	if (!pages)
		return 0;
	fd = open(argv[2], O_RDONLY);
	if (fd < 0)
		return fail(argv[2]);
	return strcmp(argv[1], "map") ? drain_splice(fd, pages) : drain_map(fd, pages);
}
