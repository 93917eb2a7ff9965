# SPDX-License-Identifier: GPL-2.0-only
#
# What all readers of records have in common. Uses json.awk.
#
# With the option escape-text the name of a task is one word, and all that ends a string
# or a line is escaped: whatever users call their tasks and files, a line has one meaning.
#
# The number in a record is that of the thread, and the kernel knows the last name of a task only.
# If named is set, the events have the process and the name at the hit as their last arguments,
# tgid__ and comm__.
#
# times: lines begin with the time of the hit.
#
# max: end after so many events; tracing: the file tracing_on. Once that is 0,
# trace_pipe ends with what is left. alive: the pipe to what ends COMMAND.

# take() - set task, tid, cpu, time, event, place and args from a line, text, the line with that
# task, and pid, "" if that is not known; is it a record?
function take(line,	head) {
	if (!match(line, /^ *[^ ]+-[0-9]+ +\[[0-9]+\] +([^ ]+ +)?[0-9.]+: [^ ]+:( |$)/))
		return 0
	head = substr(line, 1, RLENGTH)
	args = substr(line, RLENGTH + 1)
	text = line
	# The name of a task may begin with that, too.
	sub(/^ +/, "", head)
	match(head, / +\[/)
	task = substr(head, 1, RSTART - 1)
	head = substr(head, RSTART)
	tid = task
	pid = ""
	sub(/.*-/, "", tid)
	sub(/-[0-9]+$/, "", task)
	if (named && match(args, /(^| )comm__="([^"\\]|\\.)*"$/)) {
		if (tid != 0)
			task = name_of(substr(args, RSTART))
		args = substr(args, 1, RSTART - 1)
		if (match(args, /(^| )tgid__=[0-9]+$/)) {
			pid = substr(args, RSTART)
			sub(/.*=/, "", pid)
			args = substr(args, 1, RSTART - 1)
		}
		text = sprintf("%16s-%s", task, tid) head args
	}
	cpu = head
	gsub(/^ +\[0*|\].*/, "", cpu)
	cpu += 0
	event = time = head
	sub(/: ?$/, "", event)
	sub(/.* /, "", event)
	sub(/: [^ ]+: ?$/, "", time)
	sub(/.* /, "", time)
	place = ""
	if (match(args, /^\([^)]*\)/)) {
		place = substr(args, 2, RLENGTH - 2)
		args = substr(args, RLENGTH + 1)
	}
	sub(/^ +/, "", args)
	return 1
}

# name_of() - the name in an argument: in one word, as that of a task
function name_of(argument) {
	sub(/^[^"]*"/, "", argument)
	return without(substr(argument, 1, length(argument) - 1), " ", "\\040")
}

# begins_stack() - set cpu if the lines behind this one are the stack of that CPU's last
# record, and of_program if it is that of the program. A stack has a time of its own, so records of
# other CPUs may be between.
function begins_stack(line) {
	if (line !~ /^ *[^ ]+-[0-9]+ +\[[0-9]+\] +([^ ]+ +)?[0-9.]+: <(user )?stack trace>$/)
		return 0
	of_program = line ~ /<user stack trace>$/
	cpu = line
	sub(/^ *[^ ]+/, "", cpu)
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

# arguments() - set name[], value[] and value_of[NAME] from 'a=1 b="x y" c={1,2}'; print how
# many
function arguments(text,	n, end) {
	text = masked(text)
	while (match(text, /^ *[A-Za-z_][A-Za-z_0-9]*=/)) {
		name[++n] = substr(text, 1, RLENGTH - 1)
		sub(/^ +/, "", name[n])
		text = substr(text, RLENGTH + 1)
		# A value may have blanks, as that of a symbol in a module.
		end = match(text, / [A-Za-z_][A-Za-z_0-9]*=/) ? RSTART : length(text) + 1
		value[n] = value_of[name[n]] = unmasked(substr(text, 1, end - 1))
		text = substr(text, end)
	}
	nr_hidden = 0
	return n + 0
}

# without() - a text with another one in the place of a character. gsub() is no help: awks
# differ in what they make of backslashes there.
function without(text, c, other,	at, out) {
	while ((at = index(text, c))) {
		out = out substr(text, 1, at - 1) other
		text = substr(text, at + 1)
	}
	return out text
}

# put_line() - print a line at once, and by one write: mawk makes one of each argument
function put_line(text) {
	printf "%s", text "\n"
	fflush()
}

# count_event() - one more has been shown
function count_event() {
	if (++events == max) {
		print 0 >tracing
		close(tracing)
		if (alive != "") {
			print "max" >alive
			close(alive)
		}
	}
}

# is_wanted() - are there fewer than max yet?
function is_wanted() { return max == "" || events < max }

# error_name() - of a value that is returned; "" if it is no error
function error_name(value) {
	if (value >= 0)
		return ""
	if (!(1 in errno))
		split("EPERM ENOENT ESRCH EINTR EIO ENXIO E2BIG ENOEXEC EBADF ECHILD EAGAIN " \
		      "ENOMEM EACCES EFAULT ENOTBLK EBUSY EEXIST EXDEV ENODEV ENOTDIR EISDIR " \
		      "EINVAL ENFILE EMFILE ENOTTY ETXTBSY EFBIG ENOSPC ESPIPE EROFS EMLINK " \
		      "EPIPE EDOM ERANGE EDEADLK ENAMETOOLONG ENOLCK ENOSYS ENOTEMPTY ELOOP - " \
		      "ENOMSG EIDRM ECHRNG EL2NSYNC EL3HLT EL3RST ELNRNG EUNATCH ENOCSI EL2HLT " \
		      "EBADE EBADR EXFULL ENOANO EBADRQC EBADSLT - EBFONT ENOSTR ENODATA ETIME " \
		      "ENOSR ENONET ENOPKG EREMOTE ENOLINK EADV ESRMNT ECOMM EPROTO EMULTIHOP " \
		      "EDOTDOT EBADMSG EOVERFLOW ENOTUNIQ EBADFD EREMCHG ELIBACC ELIBBAD " \
		      "ELIBSCN ELIBMAX ELIBEXEC EILSEQ ERESTART ESTRPIPE EUSERS ENOTSOCK " \
		      "EDESTADDRREQ EMSGSIZE EPROTOTYPE ENOPROTOOPT EPROTONOSUPPORT " \
		      "ESOCKTNOSUPPORT EOPNOTSUPP EPFNOSUPPORT EAFNOSUPPORT EADDRINUSE " \
		      "EADDRNOTAVAIL ENETDOWN ENETUNREACH ENETRESET ECONNABORTED ECONNRESET " \
		      "ENOBUFS EISCONN ENOTCONN ESHUTDOWN ETOOMANYREFS ETIMEDOUT ECONNREFUSED " \
		      "EHOSTDOWN EHOSTUNREACH EALREADY EINPROGRESS ESTALE EUCLEAN ENOTNAM " \
		      "ENAVAIL EISNAM EREMOTEIO EDQUOT ENOMEDIUM EMEDIUMTYPE ECANCELED ENOKEY " \
		      "EKEYEXPIRED EKEYREVOKED EKEYREJECTED EOWNERDEAD ENOTRECOVERABLE ERFKILL " \
		      "-", errno, " ")
	return (-value) in errno && errno[-value] != "-" ? errno[-value] : "error " (-value)
}

# json_record() - the record that take() has taken, without the last brace
function json_record(	i, n, out) {
	n = arguments(args)
	for (i = 1; i <= n; i++)
		out = out (i > 1 ? "," : "") quoted(name[i]) ":" json_value(value[i])
	return "{\"time\":" time "," json_task() ",\"cpu\":" cpu ",\"event\":" \
		quoted(event) ",\"place\":" quoted(place) ",\"args\":{" out "}"
}

# time_column(), json_time() - of a line that is no record
function time_column(text) { return times ? sprintf("%-16s ", text) : "" }
function json_time(of) { return times ? "\"time\":" of "," : "" }

# member_of() - what an object calls a key of a histogram
function member_of(field) {
	if (field ~ /^common_(pid|tgid)$/)
		return field == "common_pid" ? "tid" : "pid"
	sub(/^common_/, "", field)
	return field
}

function json_task() { return "\"task\":" quoted(unescaped(task)) "," json_numbers() }

# json_numbers() - of the process, if it is known, and of the thread
function json_numbers() { return (pid == "" ? "" : "\"pid\":" pid ",") "\"tid\":" tid }
