// SPDX-License-Identifier: GPL-2.0-only
/*
 * two_threads: with each line of input, call getpriority() in the first thread, in one that
 * was there before the line, and in a new one; then in a child process. Prints a line when
 * that is done, the first before any input.
 */
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static sem_t go, done;

static void call(void)
{
	getpriority(PRIO_PROCESS, 0);
}

static void *call_once(void *unused)
{
	call();
	return unused;
}

static void *call_often(void *unused)
{
	prctl(PR_SET_NAME, "second");
	for (;;) {
		sem_wait(&go);
		call();
		sem_post(&done);
	}
	return unused;
}

int main(void)
{
	pthread_t old, new;
	char line[80];
	pid_t child;

	setvbuf(stdout, NULL, _IONBF, 0);
	sem_init(&go, 0, 0);
	sem_init(&done, 0, 0);
	if (pthread_create(&old, NULL, call_often, NULL))
		return 1;
	printf("ready\n");
	while (fgets(line, sizeof(line), stdin)) {
		call();
		sem_post(&go);
		sem_wait(&done);
		if (pthread_create(&new, NULL, call_once, NULL))
			return 1;
		pthread_join(new, NULL);
		child = fork();
		if (!child) {
			call();
			_exit(0);
		}
		if (child < 0 || waitpid(child, NULL, 0) != child)
			return 1;
		printf("done\n");
	}
	return 0;
}
