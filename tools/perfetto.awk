# SPDX-License-Identifier: GPL-2.0-only
#
# Records as trace events of Chrome, which ui.perfetto.dev opens: a slice for each call whose time
# is known, by elapsed in ns, a point for any other hit. A task is a track,
# in the group of its process. Without the last line, too, it can be opened.

function put_event(text) { put_line((nr_events++ ? "," : "[") text) }

# track() - of a task, which may change its name
function track() {
	if (pid == "")
		pid = tid
	if (name_of_track[tid] != task) {
		name_of_track[tid] = task
		put_event("{\"ph\":\"M\",\"name\":\"thread_name\"," json_numbers() \
			",\"args\":{\"name\":" quoted(unescaped(task)) "}}")
	}
	return json_numbers()
}

# The return of a call of graph has all that its beginning has.
take($0) && event != "call" && is_wanted() {
	split("", value_of)
	n = arguments(args)
	shown = event
	if (event ~ /^(ret|slow)$/) {
		shown = place
		sub(/.* <- /, "", shown)
	}
	out = "\"cpu\":" cpu
	for (i = 1; i <= n; i++)
		out = out "," quoted(name[i]) ":" json_value(value[i])
	out = "\"name\":" quoted(shown) "," track() ",\"args\":{" out "}"
	if (value_of["elapsed"] ~ /^[0-9]+$/)
		out = "\"ph\":\"X\"," out sprintf(",\"ts\":%.3f,\"dur\":%.3f",
			time * 1e6 - value_of["elapsed"] / 1e3, value_of["elapsed"] / 1e3)
	else
		out = "\"ph\":\"i\",\"s\":\"t\"," out sprintf(",\"ts\":%.3f", time * 1e6)
	put_event("{" out "}")
	count_event()
}

END { print nr_events ? "]" : "[]" }
