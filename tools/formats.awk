# SPDX-License-Identifier: GPL-2.0-only
#
# How fields are shown: what the recipe says in columns, FIELD:FORMAT:TITLE. Uses json.awk and
# record.awk. Environment: KPT_COLUMNS, one a line.

# take_columns() - set format_of[FIELD], title_of[FIELD] and column[]
function take_columns(	i, n, part, list) {
	n = split(ENVIRON["KPT_COLUMNS"], list, "\n")
	for (i = 1; i <= n; i++) {
		if (list[i] == "")
			continue
		split(list[i], part, ":")
		column[++nr_columns] = part[1]
		format_of[part[1]] = part[2]
		title_of[part[1]] = part[3] == "" ? toupper(part[1]) : part[3]
	}
}

# is_answer() - has a histogram neither variables nor actions? Those only help others.
function is_answer(text) {
	sub(/ if .*/, "", text)
	gsub(/:(keys|vals|sort|size|name|clock)=[^:]*/, "", text)
	return text !~ /=|:on/
}

function title_for(field) {
	if (!(field in title_of)) {
		title_of[field] = toupper(field)
		sub(/^COMMON_/, "", title_of[field])
		if (field ~ /^(__probe_(ip|func)|common_type)$/)
			title_of[field] = "FUNCTION"
	}
	return title_of[field]
}

# digits() - a number from 1 on with three digits, or with all those before the point
function digits(n,	text) {
	if (n >= 99.95)
		return sprintf("%.0f", n)
	text = sprintf(n < 9.995 ? "%.2f" : "%.1f", n)
	sub(/[.]?0+$/, "", text)
	return text
}

# unit() - nanoseconds for people
function unit(ns) {
	if (ns < 1000)
		return sprintf("%d ns", ns)
	if (ns < 999500)
		return digits(ns / 1e3) " us"
	if (ns < 999.5e6)
		return digits(ns / 1e6) " ms"
	return digits(ns / 1e9) " s"
}

# with_sign() - a number that is shown as unsigned, from 2^63 on less 2^64, which is
# 18446744073709551616: in two halves, as 20 digits are too many for awk
function with_sign(text,	high, low) {
	if (text !~ /^[0-9]+$/ || length(text) < 19 ||
	    (length(text) == 19 && text "" < "9223372036854775808"))
		return text
	if (length(text) == 19)
		text = "0" text
	high = 1844674407 - substr(text, 1, 10)
	# busybox takes what begins with a 0 for octal.
	text = substr(text, 11)
	sub(/^0+/, "", text)
	low = 3709551616 - text
	if (low < 0) {
		low += 1e10
		high--
	}
	return high > 0 ? sprintf("-%.0f%010.0f", high, low) : sprintf("-%.0f", low)
}

# name_in() - the n-th word of a list, which begins with first; else the number
function name_in(list, first, n,	word) {
	n += 0
	if (n >= first && n < first + split(list, word, " ") && word[n - first + 1] != "-")
		return word[n - first + 1]
	return n ""
}

BEGIN {
	names["signal"] = "SIGHUP SIGINT SIGQUIT SIGILL SIGTRAP SIGABRT SIGBUS SIGFPE SIGKILL " \
		"SIGUSR1 SIGSEGV SIGUSR2 SIGPIPE SIGALRM SIGTERM SIGSTKFLT SIGCHLD SIGCONT " \
		"SIGSTOP SIGTSTP SIGTTIN SIGTTOU SIGURG SIGXCPU SIGXFSZ SIGVTALRM SIGPROF " \
		"SIGWINCH SIGIO SIGPWR SIGSYS"
	first_of["signal"] = 1
	names["tcp_state"] = "ESTABLISHED SYN_SENT SYN_RECV FIN_WAIT1 FIN_WAIT2 TIME_WAIT CLOSE " \
		"CLOSE_WAIT LAST_ACK LISTEN CLOSING NEW_SYN_RECV"
	first_of["tcp_state"] = 1
	names["softirq"] = "HI TIMER NET_TX NET_RX BLOCK IRQ_POLL TASKLET SCHED HRTIMER RCU"
	first_of["softirq"] = 0
	names["blkop"] = "READ WRITE FLUSH DISCARD - SECURE_ERASE - ZONE_APPEND - WRITE_ZEROES"
	first_of["blkop"] = 0
	names["family"] = "UNSPEC UNIX INET - - - - - - - INET6 - - - - - NETLINK PACKET"
	first_of["family"] = 0
	names["socktype"] = "STREAM DGRAM RAW RDM SEQPACKET"
	first_of["socktype"] = 1
	names["protocol"] = "IP ICMP IGMP - - - TCP - - - - - - - - - - UDP"
	first_of["protocol"] = 0
}

# shown_as() - the text of a value
function shown_as(format, text) {
	if (text == "(fault)" || text == "")
		return text
	if (format in names)
		return name_in(names[format], first_of[format], text)
	if (format == "time")
		return unit(text + 0)
	if (format == "since")
		return unit(time * 1e9 - text)
	if (format == "usecs")
		return unit(text * 1000)
	if (format ~ /^(result|errno|signed)$/)
		text = with_sign(text)
	if (format == "result" || format == "errno")
		return text + 0 < 0 ? error_name(text + 0) : text
	if (format == "dev")
		return int(text / 1048576) ":" text % 1048576
	if (format == "exit")
		return text % 128 ? name_in(names["signal"], 1, text % 128) : int(text / 256) ""
	if (format == "syscall") {
		sub(/^__arm64_(compat_)?sys_/, "", text)
		return text
	}
	if (format == "name" && text ~ /^".*"$/)
		return without(substr(text, 2, length(text) - 2), " ", "\\040")
	return text
}

# shown_field() - the same of a field. gawk 5.2 gives no element to a function that it has just
# made.
function shown_field(field, text) { return shown_as(format_of[field] "", text) }

# json_as() - a field as a member of an object
function json_as(field, text,	format, out) {
	format = format_of[field]
	if (format == "" || format == "time" || text == "(fault)")
		return json_value(text)
	if (format == "name")
		return quoted(plain(text))
	if (format == "result")
		return text (text < 0 ? ",\"error\":" quoted(error_name(text)) : "")
	out = shown_as(format, text)
	return out ~ /^-?[0-9]+$/ ? out : quoted(out)
}
