# SPDX-License-Identifier: GPL-2.0-only
#
# What all readers of records have in common. Uses json.awk.
#
# max: end after so many events; tracing: the file tracing_on. Once that is 0,
# trace_pipe ends with what is left.

# take() - set task, pid, cpu, time, event, place and args from a line; is it a record?
function take(line,	head, part) {
	if (!match(line, / +\[[0-9]+\] +([^ ]+ +)?[0-9.]+: [^ ]+: /))
		return 0
	task = substr(line, 1, RSTART - 1)
	head = substr(line, RSTART, RLENGTH)
	args = substr(line, RSTART + RLENGTH)
	sub(/^ +/, "", task)
	pid = task
	sub(/.*-/, "", pid)
	sub(/-[0-9]+$/, "", task)
	cpu = head
	gsub(/^ +\[0*|\].*/, "", cpu)
	cpu += 0
	event = time = head
	sub(/: $/, "", event)
	sub(/.* /, "", event)
	sub(/: [^ ]+: $/, "", time)
	sub(/.* /, "", time)
	place = ""
	if (match(args, /^\([^)]*\)/)) {
		place = substr(args, 2, RLENGTH - 2)
		args = substr(args, RLENGTH + 1)
	}
	sub(/^ +/, "", args)
	return 1
}

# begins_stack() - set cpu if the lines behind this one are the stack of that CPU's last
# record. A stack has a time of its own, so records of other CPUs may be between.
function begins_stack(line) {
	if (!match(line, / +\[[0-9]+\] +([^ ]+ +)?[0-9.]+: <stack trace>$/))
		return 0
	cpu = substr(line, RSTART)
	gsub(/^ +\[0*|\].*/, "", cpu)
	cpu += 0
	return 1
}

# tells_loss() - set cpu if a line says that records of that CPU are lost here
function tells_loss(line) {
	if (line !~ /^CPU:[0-9]+ \[LOST /)
		return 0
	cpu = substr(line, 5) + 0
	return 1
}

# arguments() - set name[] and value[] from 'a=1 b="x y" c={1,2}'; print how many
function arguments(text,	n, begin, rest) {
	while (match(text, /^ *[A-Za-z_][A-Za-z_0-9]*=/)) {
		name[++n] = substr(text, 1, RLENGTH - 1)
		sub(/^ +/, "", name[n])
		text = substr(text, RLENGTH + 1)
		# The blank before the next name is behind what ends this value.
		begin = substr(text, 1, 1)
		begin = begin == "\"" ? "\"" : begin == "{" ? "[}]" : ""
		rest = substr(text, begin == "" ? 1 : 2)
		if (match(rest, begin " [A-Za-z_][A-Za-z_0-9]*="))
			rest = substr(rest, 1, RSTART - (begin == "" ? 1 : 0))
		value[n] = (begin == "" ? "" : substr(text, 1, 1)) rest
		text = substr(text, length(value[n]) + 1)
	}
	return n + 0
}

# count_event() - one more has been shown
function count_event() {
	if (++events == max) {
		print 0 >tracing
		close(tracing)
	}
}

# is_wanted() - are there fewer than max yet?
function is_wanted() { return max == "" || events < max }

# json_record() - the record that take() has taken, without the last brace
function json_record(	i, n, out) {
	n = arguments(args)
	for (i = 1; i <= n; i++)
		out = out (i > 1 ? "," : "") quoted(name[i]) ":" json_value(value[i])
	return "{\"time\":" time "," json_task() ",\"cpu\":" cpu ",\"event\":" \
		quoted(event) ",\"place\":" quoted(place) ",\"args\":{" out "}"
}

function json_task() { return "\"task\":" quoted(task) ",\"pid\":" pid }

# whole() - the record that a line begins or goes on with; "" if it has no end yet, as
# a string with a line end in it
function whole(line,	n) {
	begun = begun == "" ? line : begun "\n" line
	line = begun
	if (take(begun) && (n = arguments(args)) && value[n] ~ /^"/ &&
	    value[n] !~ /^".*"$/)
		return ""
	begun = ""
	return line
}
