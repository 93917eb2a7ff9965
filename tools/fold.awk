# SPDX-License-Identifier: GPL-2.0-only
#
# Records with stack traces, or a histogram of stacks, folded: a line
# "TASK;CALLER;...;FUNCTION COUNT" for each stack. weight: a field of the event, to be added up,
# in us if it is a time; else each counts 1. Uses formats.awk. output: the command that gets the
# lines. With json each is an object. The functions of programs are those that elf.awk finds in
# their files; page: bytes of a page; lib: where elf.awk is.

# end_stack() - count the last record of a CPU with its stack, if that was read
function end_stack(cpu) {
	if (in_program[cpu] frames[cpu] != "")
		count[from[cpu] in_program[cpu] frames[cpu]] += amount[cpu]
	in_program[cpu] = frames[cpu] = ""
	delete from[cpu]
}

# load() - the functions of a file, sorted
function load(file,	command, line, part, n) {
	command = "KPT_ELF='" without(file, "'", "'\\''") "' LC_ALL=C awk -v page=" page \
		" -f '" lib "/elf.awk' | sort -n"
	while ((command | getline line) > 0) {
		split(line, part, " ")
		n++
		begin_of[file, n] = part[1]
		end_of[file, n] = part[1] + part[2]
		function_at[file, n] = part[3]
	}
	close(command)
	nr_of[file] = n + 0
}

# hexadecimal() - the number that is written so
function hexadecimal(text,	n, i) {
	for (i = 1; i <= length(text); i++)
		n = n * 16 + index("0123456789abcdef", substr(text, i, 1)) - 1
	return n
}

# program_frame() - the function that "FILE[+0xOFFSET]" is in; of any other text, nobody knows. A
# return address is behind the call, which may be the end of the function.
function program_frame(text, is_caller,	file, at, low, high, middle) {
	if (!match(text, /\[\+0x[0-9a-f]+\]$/))
		return "[unknown]"
	file = substr(text, 1, RSTART - 1)
	at = hexadecimal(substr(text, RSTART + 4, RLENGTH - 5)) - is_caller
	if (!(file in nr_of))
		load(file)
	low = 0
	high = nr_of[file]
	while (low < high) {
		middle = int((low + high + 1) / 2)
		if (begin_of[file, middle] <= at)
			low = middle
		else
			high = middle - 1
	}
	if (low && at < end_of[file, low])
		return part_of_stack(function_at[file, low])
	sub(/.*\//, "", file)
	return part_of_stack("[" file substr(text, RSTART + 1))
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
		task = task (i > 1 ? ";" : "") \
			part_of_stack((field == "common_cpu" ? "CPU" : "") shown_field(field, text))
		members = members quoted(field == "comm" ? "task" : member_of(field)) ":" \
			json_as(field, text) ","
	}
	nr_hidden = 0
	begin_part()
	above = ""
	in_entry = 1
	next
}

# begin_part(), end_part() - of a stack: that of the program is before that of the kernel. Each is
# without its outermost functions if the histogram has no room for them.
function begin_part() {
	of_program = $0 ~ /userstacktrace:$/
	stack = ""
	depth = 0
}

function end_part() { above = above (depth < (of_program ? 30 : 31) ? "" : ";...") stack }

in_entry && /^, .*stacktrace:$/ {
	end_part()
	begin_part()
	next
}

in_entry && /^[}] hitcount:/ {
	hits = $0
	sub(".* " (weight == "" ? "hitcount" : weight) ": *", "", hits)
	sub(/ .*/, "", hits)
	end_part()
	stack = task above
	sub(/^;/, "", stack)
	count[stack] += hits
	of_stack[stack] = members
	parts_of[stack] = n
	in_entry = 0
	next
}

in_entry && NF && of_program {
	sub(/^ +/, "")
	stack = ";" program_frame($0, depth++ > 0) stack
	next
}

in_entry && NF {
	sub(/[+]0x.*/, "", $1)
	stack = ";" $1 stack
	depth++
	next
}

/^ => / && of_program {
	sub(/^ => +/, "")
	if (cpu in from)
		in_program[cpu] = ";" program_frame($0, in_program[cpu] != "") in_program[cpu]
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
	if ((of_program ? in_program[cpu] : frames[cpu]) != "")
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
