# SPDX-License-Identifier: GPL-2.0-only
#
# A line for each file that was opened. max, tracing: as in lines.awk

BEGIN {
	split("EPERM ENOENT ESRCH EINTR EIO ENXIO E2BIG ENOEXEC EBADF ECHILD EAGAIN " \
	      "ENOMEM EACCES EFAULT ENOTBLK EBUSY EEXIST EXDEV ENODEV ENOTDIR EISDIR " \
	      "EINVAL ENFILE EMFILE ENOTTY ETXTBSY EFBIG ENOSPC ESPIPE EROFS EMLINK", name, " ")
	name[40] = "ELOOP"
	printf "%-16s %7s %8s  %s\n", "TASK", "PID", "FD", "FILE"
	fflush()
}

/: open: \(/ && (max == "" || events < max) {
	task = $0
	sub(/ +\[[0-9]+\] .*/, "", task)
	sub(/^ +/, "", task)
	pid = task
	sub(/.*-/, "", pid)
	sub(/-[0-9]+$/, "", task)
	fd = file = $0
	sub(/.*\) fd=/, "", fd)
	sub(/ .*/, "", fd)
	sub(/.*\) fd=[^ ]* file=/, "", file)
	if (fd < 0 && (-fd) in name)
		fd = name[-fd]
	printf "%-16s %7s %8s  %s\n", task, pid, fd, file
	fflush()
	if (++events == max) {
		print 0 >tracing
		close(tracing)
	}
}

/^CPU:/ { print }
