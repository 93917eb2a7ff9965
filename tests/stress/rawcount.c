// SPDX-License-Identifier: GPL-2.0-only
/*
 * rawcount FILE [READY]: read a trace_pipe_raw to its end and print how many
 * records came and how many were lost. Makes the file READY once FILE is open.
 * Ends with status 1 if a page is not as header_page says, or if time goes back.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define HEAD		16
#define MISSED		(1ULL << 31)
#define MISSED_STORED	(1ULL << 30)
#define TIME_EXTEND	30

static unsigned long long records, lost, last_time;

static void fail(const char *why)
{
	fprintf(stderr, "rawcount: %s\n", why);
	exit(1);
}

static uint32_t word_at(const unsigned char *at)
{
	uint32_t word;

	memcpy(&word, at, sizeof(word));
	return word;
}

/* event() - count one; returns its bytes */
static size_t event(const unsigned char *at, uint64_t *time)
{
	uint32_t head = word_at(at), type = head & 31;

	*time += head >> 5;
	if (type == TIME_EXTEND) {
		*time += (uint64_t)word_at(at + 4) << 27;
		return 8;
	}
	if (type > 28)
		fail("an event of no known type");
	if (*time < last_time)
		fail("time goes back");
	last_time = *time;
	records++;
	return type ? 4 + 4 * type : 4 + word_at(at + 4);
}

static void page(const unsigned char *page, size_t size)
{
	uint64_t time, commit, missed, at = HEAD;

	memcpy(&time, page, sizeof(time));
	memcpy(&commit, page + 8, sizeof(commit));
	if (commit & MISSED) {
		if (!(commit & MISSED_STORED))
			fail("how many were lost is not told");
		commit &= ~(MISSED | MISSED_STORED);
		if (HEAD + commit + sizeof(missed) > size)
			fail("no room for how many were lost");
		memcpy(&missed, page + HEAD + commit, sizeof(missed));
		lost += missed;
	}
	if (HEAD + commit > size)
		fail("a page of more than its size");
	while (at < HEAD + commit)
		at += event(page + at, &time);
	if (at != HEAD + commit)
		fail("an event beyond the end of its page");
}

int main(int argc, char **argv)
{
	static unsigned char buffer[1 << 16];
	ssize_t got;
	int fd = argc > 1 ? open(argv[1], O_RDONLY) : -1;

	if (fd < 0)
		fail("can not open");
	if (argc > 2)
		close(open(argv[2], O_CREAT | O_WRONLY, 0600));
	while ((got = read(fd, buffer, getpagesize())) > 0)
		page(buffer, got);
	if (got < 0)
		fail(strerror(errno));
	printf("%llu %llu\n", records, lost);
	return 0;
}
