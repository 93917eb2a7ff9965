# SPDX-License-Identifier: GPL-2.0-only
#
# The last entry of an error_log about a text that was written, as people wrote it:
# without the group, with the caret in its place. Status 1 if there is none.
# $text: what was written; group: our group

/error: / {
	why = $0
	sub(/^.*error: /, "", why)
}

/^  Command: / {
	command = substr($0, 12)
	ours = command == ENVIRON["text"] || index(command, group)
}

/^ *\^$/ && ours {
	found = 1
	reason = why
	line = command
	caret = length($0) - 11
}

END {
	if (!found)
		exit 1
	at = index(line, group "/")
	if (at) {
		cut = length(group) + 1
		rest = substr(line, at + cut)
		# The colon is of no use before an event without a name.
		if (rest ~ /^( |$)/ && at > 1) {
			at--
			cut++
		}
		line = substr(line, 1, at - 1) rest
		if (caret > at)
			caret = caret >= at + cut ? caret - cut : at
	}
	printf "%s\n  %s\n%" (caret + 1) "s^\n", reason, line, ""
}
