// SPDX-License-Identifier: GPL-2.0-only
/*
 * pace RATE COUNT: try COUNT times to open a file that is not there, RATE times a second; what is
 * due is done each millisecond.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <time.h>

int main(int argc, char **argv)
{
	long rate = argc > 1 ? atol(argv[1]) : 1000, count = argc > 2 ? atol(argv[2]) : 1000;
	struct timespec next;
	long done = 0, ms;

	clock_gettime(CLOCK_MONOTONIC, &next);
	for (ms = 1; done < count; ms++) {
		for (; done < rate * ms / 1000 && done < count; done++)
			open("/nosuch", O_RDONLY);
		next.tv_nsec += 1000000;
		if (next.tv_nsec >= 1000000000) {
			next.tv_nsec -= 1000000000;
			next.tv_sec++;
		}
		clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &next, NULL);
	}
	return 0;
}
