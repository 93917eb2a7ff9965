// SPDX-License-Identifier: GPL-2.0-only
/*
 * For LD_PRELOAD: opening a trace_pipe_raw takes a second, as it can on a busy machine.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

/* The open() of programs that are compiled with _FORTIFY_SOURCE and open what exists. */
int __open64_2(const char *path, int flags)
{
	if (strstr(path, "trace_pipe_raw"))
		sleep(1);
	return openat(AT_FDCWD, path, flags);
}
