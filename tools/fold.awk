# SPDX-License-Identifier: GPL-2.0-only
#
# Records with stack traces, folded: a line "TASK;CALLER;...;FUNCTION COUNT" for each
# stack. weight: a field of the event in ns, to be added up in us; else each counts 1.
# output: the command that gets the lines. With json each is an object.

# end_stack() - take the stack that has been read
function end_stack() {
	if (frames != "")
		count[from frames] += amount
	frames = ""
}

/^ => / {
	frame = $2
	sub(/\+0x.*/, "", frame)
	frames = ";" frame frames
	next
}

/<stack trace>$/ { next }

take($0) {
	count_event()
	end_stack()
	from = task
	gsub(/[ ;]/, "_", from)
	amount = 1
	if (weight != "") {
		amount = args
		sub("^" weight "=", "", amount)
		amount = int(amount / 1000)
	}
}

function shown(stack, n,	who) {
	if (!json)
		return sprintf("%s %.0f", stack, n)
	who = stack
	sub(/;.*/, "", who)
	return sprintf("{\"task\":%s,\"stack\":%s,\"%s\":%.0f}", quoted(who),
		json_list(stack, ";", 2), weight == "" ? "count" : "us", n)
}

END {
	end_stack()
	for (stack in count)
		if (count[stack] > 0)
			print shown(stack, count[stack]) | output
}
