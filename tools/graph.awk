# SPDX-License-Identifier: GPL-2.0-only
#
# Calls and returns, nested by task, with the time of each call.

# unit() - nanoseconds for people
function unit(ns) {
	if (ns < 1e6)
		return sprintf("%.1f us", ns / 1e3)
	return sprintf("%.3f ms", ns / 1e6)
}

# show() - one end of a call; ns is "" at its beginning
function show(called, ns,	i, indent, who, key) {
	who = task "-" pid
	# The idle tasks of all CPUs are 0.
	key = pid == 0 ? who "-" cpu : who
	# Calls that began before kptrace did return, too.
	if (ns != "" && depth[key] > 0)
		depth[key]--
	if (json) {
		put_line("{" json_time(time) json_task() ",\"depth\":" depth[key] + 0 ",\"function\":" \
			quoted(called) (ns == "" ? "" : ",\"elapsed_ns\":" ns) "}")
	} else {
		for (i = 0; i < depth[key]; i++)
			indent = indent "  "
		put_line(time_column(time) sprintf("%-22s %12s | %s%s", who, \
			(ns == "" ? "" : unit(ns + 0)), indent, \
			(ns == "" ? called "() {" : "} " called)))
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
