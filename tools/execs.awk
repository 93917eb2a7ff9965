# SPDX-License-Identifier: GPL-2.0-only
#
# A line for each program that was started, with its arguments.

BEGIN {
	if (!json)
		printf "%-16s %7s  %s\n", "TASK", "PID", "PROGRAM"
	fflush()
}

/^CPU:/ && !json { print }

{
	line = json ? whole($0) : $0
	if (line == "" || !take(line) || event != "exec" || !is_wanted())
		next
	n = arguments(args)
	# The first argument that is not there ends them.
	list = ""
	for (i = 2; i <= n && value[i] != "(fault)"; i++)
		list = list (json ? (i > 2 ? "," : "") json_value(value[i]) : " " value[i])
	if (json)
		print "{" json_task() ",\"program\":" json_value(value[1]) \
			",\"args\":[" list "]}"
	else
		printf "%-16s %7s  %s\n", task, pid, value[1] list
	fflush()
	count_event()
}
