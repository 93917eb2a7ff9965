// SPDX-License-Identifier: GPL-2.0-only
/*
 * user_many FILE NUMBER PIECES [multi|same|again]: register so many user events by
 * user_events_data, and print for each of the pieces the nanoseconds that an event of it took.
 * "multi": all have one name and other fields. "same": all are one event, with other bits.
 * "again": each is taken back and registered again.
 */
#include <err.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>

/* struct user_reg and struct user_unreg of <linux/user_events.h> */
struct reg {
	uint32_t size;
	uint8_t bit, enable_size;
	uint16_t flags;
	uint64_t addr, name;
	uint32_t index;
} __attribute__((packed));

struct unreg {
	uint32_t size;
	uint8_t bit, reserved;
	uint16_t reserved2;
	uint64_t addr;
} __attribute__((packed));

#define REG	_IOWR('*', 0, struct reg *)
#define UNREG	_IOW('*', 2, struct unreg *)
#define MULTI	2

static int fd, is_multi, is_same, is_again;
static uint32_t *words;

static void take_back(int i)
{
	struct unreg u = { .size = sizeof(u), .addr = (uintptr_t)&words[i] };

	if (ioctl(fd, UNREG, &u))
		err(1, "unregister %d", i);
}

static void add(int i)
{
	char text[64];
	struct reg r = {
		.size = sizeof(r),
		.enable_size = 4,
		.flags = is_multi ? MULTI : 0,
		.addr = (uintptr_t)&words[i],
		.name = (uintptr_t)text,
	};

	if (is_multi)
		snprintf(text, sizeof(text), "many u32 f%d", i);
	else
		snprintf(text, sizeof(text), "many%d u32 f", is_same ? 0 : i);
	if (ioctl(fd, REG, &r))
		err(1, "register %d", i);
	if (!is_same && !is_again && r.index != (uint32_t)i)
		errx(1, "event %d has index %u", i, r.index);
}

static uint64_t now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000ULL + t.tv_nsec;
}

int main(int argc, char **argv)
{
	int number, pieces, piece, i = 0, each;
	uint64_t from;

	if (argc < 4)
		errx(2, "FILE NUMBER PIECES [multi|same|again]");
	fd = open(argv[1], O_RDWR);
	if (fd < 0)
		err(2, "%s", argv[1]);
	number = atoi(argv[2]);
	pieces = atoi(argv[3]);
	is_multi = argc > 4 && !strcmp(argv[4], "multi");
	is_same = argc > 4 && !strcmp(argv[4], "same");
	is_again = argc > 4 && !strcmp(argv[4], "again");
	words = calloc(number, sizeof(*words));
	each = number / pieces;
	for (piece = 0; piece < pieces; piece++) {
		from = now();
		for (; i < (piece + 1) * each; i++) {
			add(i);
			if (is_again) {
				take_back(i);
				add(i);
			}
		}
		printf("%llu\n", (unsigned long long)(now() - from) / each);
	}
	return 0;
}
