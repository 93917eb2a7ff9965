# SPDX-License-Identifier: GPL-2.0-only
#
# The first max events, with their stack traces; with json as objects, one a line, which
# have "stack" if stack is set.

# end_record() - show the record of a CPU that waits for its stack
function end_record(cpu) {
	if (cpu in record)
		put_line(record[cpu] ",\"stack\":[" frames[cpu] "]}")
	delete record[cpu]
	frames[cpu] = ""
}

/^ => / && json {
	frames[cpu] = frames[cpu] (frames[cpu] == "" ? "" : ",") quoted(substr($0, 5))
	next
}

json {
	# What is behind a stack.
	if (frames[cpu] != "")
		end_record(cpu)
	if (begins_stack($0))
		next
	if (tells_loss($0))
		end_record(cpu)
	if (!take($0))
		next
	end_record(cpu)
	if (!is_wanted())
		next
	if (stack) {
		record[cpu] = json_record()
		if (cpu > last_cpu)
			last_cpu = cpu
	} else {
		put_line(json_record() "}")
	}
	count_event()
	next
}

{ text = $0 }
begins_stack($0) { shown = of_shown[cpu] }
tells_loss($0) { shown = is_wanted() }
!/^ => / && take($0) {
	shown = of_shown[cpu] = is_wanted()
	if (shown)
		count_event()
}

shown { put_line(text) }

END {
	for (cpu = 0; cpu <= last_cpu; cpu++)
		end_record(cpu)
}
