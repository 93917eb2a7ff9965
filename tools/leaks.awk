# SPDX-License-Identifier: GPL-2.0-only
#
# What get has returned and put was not called with since, by the stacks of get.

/^ => / {
	frame = $2
	sub(/\+0x.*/, "", frame)
	if (last != "")
		stack[last] = stack[last] "\n    " frame
	next
}

/<stack trace>$/ { next }

take($0) && (event == "get" || event == "put") {
	count_event()
	sub(/^ptr=/, "", args)
	last = ""
	if (event == "put") {
		delete stack[args]
	} else if (args != "0x0") {
		stack[args] = ""
		last = args
	}
}

END {
	for (kept in stack) {
		count[stack[kept]]++
		example[stack[kept]] = kept
		all++
	}
	if (!json)
		printf "%d not given back\n", all
	for (way in count)
		if (json)
			printf "{\"count\":%d,\"value\":%s,\"stack\":%s}\n", count[way],
				quoted(example[way]), json_list(way, "\n    ", 2)
		else
			printf "\n%d, such as %s, from%s\n", count[way], example[way], way
}
