// SPDX-License-Identifier: GPL-2.0-only
/*
 * bridge_race FILE WRITES SEED: twelve threads write 0 and 1 to a file bridge, each so many
 * times, after pauses of up to 20 ms. Prints "wrote N", and "failed ERRNO" for each kind of
 * failure.
 */
#define _GNU_SOURCE
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define THREADS 12

static const char *file;
static int writes;
static unsigned int seed;
static atomic_int wrote, failed[256];

static void *writer(void *arg)
{
	unsigned int nr = (unsigned long)arg, random = seed + nr;
	int i, fd = open(file, O_WRONLY);

	if (fd < 0)
		err(2, "%s", file);
	for (i = 0; i < writes; i++) {
		if (write(fd, nr & 1 ? "1" : "0", 1) == 1)
			wrote++;
		else
			failed[errno & 255]++;
		usleep(rand_r(&random) % 20000);
	}
	close(fd);
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t thread[THREADS];
	unsigned long i;

	if (argc != 4)
		errx(2, "FILE WRITES SEED");
	file = argv[1];
	writes = atoi(argv[2]);
	seed = atoi(argv[3]);
	for (i = 0; i < THREADS; i++)
		if (pthread_create(&thread[i], NULL, writer, (void *)i))
			err(2, "pthread_create");
	for (i = 0; i < THREADS; i++)
		pthread_join(thread[i], NULL);
	printf("wrote %d\n", wrote);
	for (i = 0; i < 256; i++)
		if (failed[i])
			printf("failed %s %d\n", strerrorname_np(i), failed[i]);
	return 0;
}
