# SPDX-License-Identifier: GPL-2.0-only
#
# The latest entry of several error_logs: when, the reason, the text, with the caret where
# it is.

/^\[ *[0-9.]+\] / {
	time = $0
	sub(/^\[ */, "", time)
	sub(/\].*/, "", time)
	is_latest = time + 0 >= latest + 0
	if (!is_latest)
		next
	latest = time
	reason = $0
	sub(/^.*: error: /, "", reason)
	text = ""
	next
}

is_latest {
	line = $0
	# As far in as the command.
	sub(/^  Command: /, "           ", line)
	text = text "\n" substr(line, 10)
}

END {
	if (reason == "")
		print "nothing was refused"
	else
		printf "at %s s, %s%s\n", latest, reason, text
}
