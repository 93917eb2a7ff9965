# SPDX-License-Identifier: GPL-2.0-only
#
# Records with stack traces, or a histogram of stacks, folded: a line
# "TASK;CALLER;...;FUNCTION COUNT" for each stack. weight: a field of the event in ns, to be
# added up in us; else each counts 1. output: the command that gets the lines. With json each
# is an object.

# end_stack() - count the last record of a CPU with its stack, if that was read
function end_stack(cpu) {
	if (frames[cpu] != "")
		count[from[cpu] frames[cpu]] += amount[cpu]
	frames[cpu] = ""
	delete from[cpu]
}

# A histogram has the tasks and stacks as keys. It keeps 31 functions.
/^[{] comm: / {
	task = $0
	sub(/^[{] comm: */, "", task)
	sub(/ *, common_stacktrace:.*/, "", task)
	gsub(/^"|"$/, "", task)
	task = without(without(task, " ", "\\040"), ";", "\\073")
	stack = ""
	depth = 0
	in_entry = 1
	next
}

in_entry && /^[}] hitcount:/ {
	hits = $0
	sub(".* " (weight == "" ? "hitcount" : weight) ": *", "", hits)
	sub(/ .*/, "", hits)
	count[task (depth < 31 ? "" : ";...") stack] += hits
	in_entry = 0
	next
}

in_entry && NF {
	sub(/[+]0x.*/, "", $1)
	stack = ";" $1 stack
	depth++
	next
}

/^ => / {
	frame = $2
	sub(/\+0x.*/, "", frame)
	if (cpu in from)
		frames[cpu] = ";" frame frames[cpu]
	next
}

begins_stack($0) {
	if (frames[cpu] != "")
		end_stack(cpu)
	next
}

tells_loss($0) {
	end_stack(cpu)
	next
}

take($0) {
	end_stack(cpu)
	if (!is_wanted())
		next
	count_event()
	from[cpu] = without(task, ";", "\\073")
	amount[cpu] = 1
	if (weight != "") {
		sub("^" weight "=", "", args)
		amount[cpu] = args
	}
}

function shown(stack, n,	who) {
	if (!json)
		return sprintf("%s %.0f", stack, n)
	who = stack
	sub(/;.*/, "", who)
	return sprintf("{\"task\":%s,\"stack\":%s,\"%s\":%.0f}", quoted(unescaped(who)),
		json_list(stack, ";", 2), weight == "" ? "count" : "us", n)
}

END {
	for (cpu in from)
		end_stack(cpu)
	# A picture of no hits is one, too.
	printf "" | output
	for (stack in count) {
		n = weight == "" ? count[stack] : int(count[stack] / 1000)
		if (n > 0)
			print shown(stack, n) | output
	}
}
