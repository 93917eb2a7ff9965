# SPDX-License-Identifier: GPL-2.0-only
#
# A line for each file that was opened.

BEGIN {
	split("EPERM ENOENT ESRCH EINTR EIO ENXIO E2BIG ENOEXEC EBADF ECHILD EAGAIN " \
	      "ENOMEM EACCES EFAULT ENOTBLK EBUSY EEXIST EXDEV ENODEV ENOTDIR EISDIR " \
	      "EINVAL ENFILE EMFILE ENOTTY ETXTBSY EFBIG ENOSPC ESPIPE EROFS EMLINK", errno, " ")
	errno[36] = "ENAMETOOLONG"
	errno[40] = "ELOOP"
	errno[75] = "EOVERFLOW"
	errno[95] = "EOPNOTSUPP"
	errno[110] = "ETIMEDOUT"
	errno[116] = "ESTALE"
	errno[122] = "EDQUOT"
	if (!json)
		printf "%-16s %7s %8s  %s\n", "TASK", "PID", "FD", "FILE"
	fflush()
}

/^CPU:/ && !json { print }

{
	if (!take($0) || event != "open" || !is_wanted())
		next
	arguments(args)
	fd = value_of["fd"]
	file = value_of["file"]
	error = fd >= 0 ? "" : (-fd) in errno ? errno[-fd] : "error " (-fd)
	if (json)
		print "{" json_task() ",\"fd\":" fd ",\"file\":" json_value(file) \
			(error == "" ? "" : ",\"error\":" quoted(error)) "}"
	else
		printf "%-16s %7s %8s  %s\n", task, pid, (error == "" ? fd : error), file
	fflush()
	count_event()
}
