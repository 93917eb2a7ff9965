# SPDX-License-Identifier: GPL-2.0-only
#
# The first max events, with their stack traces; with json as objects, one a line, which
# have "stack" if stack is set.

function show(line) {
	print line
	fflush()
}

# end_record() - show the record that waits for its stack
function end_record() {
	if (record != "")
		show(record ",\"stack\":[" frames "]}")
	record = frames = ""
}

json && /^ => / {
	frames = frames (frames == "" ? "" : ",") quoted(substr($0, 5))
	next
}

json && /<stack trace>$/ { next }

json {
	line = whole($0)
	if (line == "" || !take(line) || !is_wanted())
		next
	end_record()
	if (stack)
		record = json_record()
	else
		show(json_record() "}")
	count_event()
	next
}

!/^ => / && !/<stack trace>$/ && !/^CPU:/ {
	if (events == max && max != "")
		done = 1
	else
		count_event()
}

!done { show($0) }

END { end_record() }
