# SPDX-License-Identifier: GPL-2.0-only
#
# Records with stack traces, or a histogram of stacks, folded: a line
# "TASK;CALLER;...;FUNCTION COUNT" for each stack. weight: a field of the event, to be added up,
# in us if it is a time; else each counts 1. Uses formats.awk. output: the command that gets the lines. With json each
# is an object.

# end_stack() - count the last record of a CPU with its stack, if that was read
function end_stack(cpu) {
	if (frames[cpu] != "")
		count[from[cpu] frames[cpu]] += amount[cpu]
	frames[cpu] = ""
	delete from[cpu]
}

BEGIN { take_columns() }

# part_of_stack() - a key in front of a stack, without blanks and ;
function part_of_stack(text) {
	gsub(/^"|"$/, "", text)
	return without(without(text, " ", "\\040"), ";", "\\073")
}

/^# trigger info:/ { helps = !is_answer(masked($0)) }

# A histogram has stacks as its last key, behind others, as the task. It keeps 31 functions.
/^[{] .*stacktrace:$/ && !helps {
	head = masked($0)
	sub(/[a-z_.]*stacktrace:$/, "", head)
	n = split(substr(head, 3), key, /, /)
	task = members = ""
	for (i = 1; i < n; i++) {
		field = key[i]
		sub(/:.*/, "", field)
		text = unmasked(substr(key[i], length(field) + 2))
		gsub(/^ +| +$/, "", text)
		if (field == "common_cpu")
			text = "CPU" text
		task = task (i > 1 ? ";" : "") part_of_stack(shown_field(field, text))
		members = members quoted(field == "comm" ? "task" : field) ":" json_as(field, text) ","
	}
	nr_hidden = 0
	stack = ""
	depth = 0
	in_entry = 1
	next
}

in_entry && /^[}] hitcount:/ {
	hits = $0
	sub(".* " (weight == "" ? "hitcount" : weight) ": *", "", hits)
	sub(/ .*/, "", hits)
	stack = task (depth < 31 ? "" : ";...") stack
	sub(/^;/, "", stack)
	count[stack] += hits
	of_stack[stack] = members
	parts_of[stack] = n
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

function shown(stack, n,	who, first) {
	if (!json)
		return sprintf("%s %.0f", stack, n)
	if (stack in of_stack) {
		who = of_stack[stack]
		first = parts_of[stack]
	} else {
		who = stack
		sub(/;.*/, "", who)
		who = "\"task\":" quoted(unescaped(who)) ","
		first = 2
	}
	return sprintf("{%s\"stack\":%s,\"%s\":%.0f}", who, json_list(stack, ";", first),
		weight == "" ? "count" : is_time ? "us" : weight, n)
}

END {
	for (cpu in from)
		end_stack(cpu)
	is_time = format_of[weight] == "time"
	# A picture of no hits is one, too.
	printf "" | output
	for (stack in count) {
		n = is_time ? int(count[stack] / 1000) : count[stack]
		if (n > 0)
			print shown(stack, n) | output
	}
}
