# SPDX-License-Identifier: GPL-2.0-only
#
# Records with stack traces, folded: a line "TASK;CALLER;...;FUNCTION COUNT" for each
# stack. weight: a field of the event in ns, to be added up in us; else each counts 1.
# output: the command that gets the lines

# end_stack() - take the stack that has been read
function end_stack() {
	if (frames != "")
		count[task frames] += amount
	frames = ""
}

/^ => / {
	frame = $2
	sub(/\+0x.*/, "", frame)
	frames = ";" frame frames
	next
}

/<stack trace>$/ { next }

/ \[[0-9]+\] / {
	end_stack()
	task = $0
	sub(/-[0-9]+ +\[[0-9]+\] .*/, "", task)
	sub(/^ +/, "", task)
	gsub(/[ ;]/, "_", task)
	amount = 1
	if (weight != "") {
		amount = $0
		sub(".* " weight "=", "", amount)
		amount = int(amount / 1000)
	}
}

END {
	end_stack()
	for (stack in count)
		if (count[stack] > 0)
			printf "%s %.0f\n", stack, count[stack] | output
}
