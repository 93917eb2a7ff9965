# SPDX-License-Identifier: GPL-2.0-only
#
# Calls and returns, nested by task, with the time of each call. A call that calls none of the
# others is one line, when it has ended. Uses json.awk and record.awk; reader/graph.c does the same.

# unit() - nanoseconds for people
function unit(ns) {
	if (ns < 1e6)
		return sprintf("%.1f us", ns / 1e3)
	return sprintf("%.3f ms", ns / 1e6)
}

# line() - of a call at some depth
function line(time, who, depth, ns, text,	i, indent) {
	for (i = 0; i < depth; i++)
		indent = indent "  "
	put_line(time_column(time) sprintf("%-22s %12s | %s%s", who, (ns == "" ? "" : unit(ns + 0)),
		indent, text))
}

# end_wait() - show the call of a task that waits for what comes next, with its time if it has ended
function end_wait(key, ns) {
	if (!(key in begun))
		return
	line(time_of[key], who_of[key], depth_of[key], ns, begun[key] (ns == "" ? "() {" : "();"))
	delete waits[as[key]]
	delete begun[key]
}

# show() - one end of a call; ns is "" at its beginning
function show(called, ns,	key) {
	# The idle tasks of all CPUs are 0.
	key = tid == 0 ? "0-" cpu : tid
	# Calls that began before kptrace did return, too.
	if (ns != "" && depth[key] > 0)
		depth[key]--
	if (json)
		put_line("{" json_time(time) json_task() ",\"depth\":" depth[key] + 0 \
			",\"function\":" quoted(called) (ns == "" ? "" : ",\"elapsed_ns\":" ns) "}")
	else if (ns != "" && key in begun && begun[key] == called)
		end_wait(key, ns)
	else {
		end_wait(key, "")
		if (ns != "")
			line(time, task "-" tid, depth[key] + 0, ns, "} " called)
		else {
			begun[key] = called
			time_of[key] = time
			who_of[key] = task "-" tid
			depth_of[key] = depth[key] + 0
			as[key] = ++nr_begun
			waits[nr_begun] = key
		}
	}
	if (ns == "")
		depth[key]++
}

take($0) && (event == "call" || event == "ret") && is_wanted() {
	if (event == "call") {
		sub(/\+0x.*/, "", place)
		show(place, "")
	} else {
		sub(/.* <- /, "", place)
		sub(/^elapsed=/, "", args)
		show(place, args)
	}
	count_event()
}

/^CPU:/ && !json { put_line($0) }

END {
	for (i = 1; i <= nr_begun; i++)
		if (i in waits)
			end_wait(waits[i], "")
}
