# SPDX-License-Identifier: GPL-2.0-only
#
# A line for each file that was opened.

BEGIN {
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
	error = error_name(fd)
	if (json)
		print "{" json_task() ",\"fd\":" fd ",\"file\":" json_value(file) \
			(error == "" ? "" : ",\"error\":" quoted(error)) "}"
	else
		printf "%-16s %7s %8s  %s\n", task, pid, (error == "" ? fd : error), file
	fflush()
	count_event()
}
