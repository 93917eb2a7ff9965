# SPDX-License-Identifier: GPL-2.0-only
#
# A line for each program that was started, with its arguments, when the call returns.

BEGIN {
	if (!json)
		put_line(time_column("TIME") sprintf("%-16s %7s %7s %8s  %s",
						     "TASK", "PID", "TID", "ERROR", "PROGRAM"))
}

/^CPU:/ && !json { put_line($0) }

# begin() - keep what the task wants to start; the first argument that is not there ends
# them, and behind the last one that is fetched may be more
function begin(	n, i, last, list) {
	n = arguments(args) - 1
	for (i = 2; i <= n && value[i] != "(fault)"; i++)
		list = list (json ? (i > 2 ? "," : "") json_value(value[i]) : " " value[i])
	last = value_of["more"]
	more = i > n && last != "0x0" && last != "(fault)"
	if (json)
		begun[tid] = json_time(time) json_task() ",\"program\":" json_value(value[1]) \
			",\"args\":[" list "]" (more ? ",\"more\":true" : "")
	else
		begun[tid] = value[1] list (more ? " ..." : "")
	caller[tid] = time_column(time) sprintf("%-16s %7s", task, pid)
}

# show() - how the call of a task has ended
function show(tid, error) {
	if (json)
		put_line("{" begun[tid] (error == "" ? "" : ",\"error\":" quoted(error)) "}")
	else
		put_line(sprintf("%s %7s %8s  %s", caller[tid], tid, error, begun[tid]))
	delete begun[tid]
	count_event()
}

take($0) && event == "exec" { begin() }

take($0) && event == "ret" && tid in begun {
	arguments(args)
	if (is_wanted())
		show(tid, error_name(value_of["ret"]))
}

END {
	for (tid in begun)
		if (is_wanted())
			show(tid, "")
}
