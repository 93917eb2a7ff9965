// SPDX-License-Identifier: GPL-2.0-only
/*
 * user_watch N: as a debugger does, watch a word of a process of ours, which writes to it N
 * times. Prints how often it was stopped for that. A machine without watchpoints, or where all
 * are in use, gives status 2.
 */
#include <elf.h>
#include <err.h>
#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

/* NT_ARM_HW_WATCH, the kernel's struct user_hwdebug_state with one register. */
struct watch_state {
	uint32_t info;
	uint32_t pad;
	uint64_t addr;
	uint32_t ctrl;
	uint32_t pad_more;
};

/* Stores of 8 bytes by user mode, enabled: as DBGWCR. */
#define CTRL (0xff << 5 | 2 << 3 | 2 << 1 | 1)

static volatile uint64_t word __attribute__((aligned(8)));

static void write_words(long n)
{
	if (ptrace(PTRACE_TRACEME, 0, NULL, NULL))
		err(1, "PTRACE_TRACEME");
	raise(SIGSTOP);
	while (n-- > 0)
		word = n;
	_exit(0);
}

static void set_watch(pid_t pid, uint32_t ctrl)
{
	struct watch_state state = { .addr = (uintptr_t)&word, .ctrl = ctrl };
	struct iovec iov = { &state, sizeof(state) };

	if (ptrace(PTRACE_SETREGSET, pid, (void *)NT_ARM_HW_WATCH, &iov))
		err(errno == ENOSPC || errno == EINVAL ? 2 : 1, "PTRACE_SETREGSET");
}

static int go_on(pid_t pid, int how)
{
	int status;

	if (ptrace(how, pid, NULL, NULL) || waitpid(pid, &status, 0) != pid)
		err(1, "waitpid");
	return status;
}

int main(int argc, char **argv)
{
	long stops = 0;
	int status;
	pid_t pid;

	if (argc != 2)
		errx(1, "usage: user_watch N");
	pid = fork();
	if (!pid)
		write_words(atol(argv[1]));
	if (pid < 0 || waitpid(pid, &status, 0) != pid)
		err(1, "fork");
	set_watch(pid, CTRL);
	/* It is stopped before the store. */
	for (;;) {
		status = go_on(pid, PTRACE_CONT);
		if (!WIFSTOPPED(status) || WSTOPSIG(status) != SIGTRAP)
			break;
		stops++;
		set_watch(pid, 0);
		go_on(pid, PTRACE_SINGLESTEP);
		set_watch(pid, CTRL);
	}
	if (!WIFEXITED(status) || WEXITSTATUS(status))
		errx(1, "status 0x%x", status);
	printf("%ld\n", stops);
	return 0;
}
