# SPDX-License-Identifier: GPL-2.0-only
#
# A line for each file that was opened.

BEGIN {
	if (!json)
		put_line(time_column("TIME") sprintf("%-16s %7s %8s  %s", "TASK", "PID", "FD", "FILE"))
}

/^CPU:/ && !json { put_line($0) }

{
	if (!take($0) || event != "open" || !is_wanted())
		next
	arguments(args)
	fd = value_of["fd"]
	file = value_of["file"]
	error = error_name(fd)
	if (json)
		put_line("{" json_time(time) json_task() ",\"fd\":" fd ",\"file\":" json_value(file) \
			(error == "" ? "" : ",\"error\":" quoted(error)) "}")
	else
		put_line(time_column(time) \
			sprintf("%-16s %7s %8s  %s", task, pid, (error == "" ? fd : error), file))
	count_event()
}
