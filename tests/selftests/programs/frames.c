// SPDX-License-Identifier: GPL-2.0-only
/*
 * frames: main() calls outer(), that middle(), and that inner(), which does what the lines
 * of standard input say: "calls N" is N system calls getppid(), "spin N" N rounds of a loop.
 * Prints where the functions are, outermost first, and "done" after each line.
 */
#include <err.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>

/* What is called behind its last line would hide it: a branch is no call. */
#define KEEP_FRAME() asm volatile("" ::: "memory")

static long get_parent(void)
{
	register long nr asm("x8") = SYS_getppid;
	register long result asm("x0");

	/* As if it called something, so that the function has a frame record. */
	asm volatile("svc #0" : "=r" (result) : "r" (nr) : "memory", "x30");
	return result;
}

static void __attribute__((noinline)) inner(const char *what, long n)
{
	int calls = !strcmp(what, "calls");
	long i;

	for (i = 0; i < n; i++) {
		if (calls)
			get_parent();
		else
			asm volatile("" ::: "memory", "x30");
	}
}

static void __attribute__((noinline)) middle(const char *what, long n)
{
	inner(what, n);
	KEEP_FRAME();
}

static void __attribute__((noinline)) outer(const char *what, long n)
{
	middle(what, n);
	KEEP_FRAME();
}

int main(int argc, char **argv)
{
	char what[8];
	long n;

	if (argc != 1)
		errx(2, "usage: %s <LINES", argv[0]);
	setbuf(stdout, NULL);
	printf("outer %p\nmiddle %p\ninner %p\n", (void *)outer, (void *)middle, (void *)inner);
	while (scanf("%7s %ld", what, &n) == 2) {
		outer(what, n);
		puts("done");
	}
	return 0;
}
