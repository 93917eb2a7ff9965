# SPDX-License-Identifier: GPL-2.0-only
#
# What get has returned and put was not called with since, by the stacks of get.

/^ => / {
	frame = $2
	sub(/\+0x.*/, "", frame)
	if (cpu in last)
		frames[last[cpu]] = frames[last[cpu]] "\n    " frame
	next
}

begins_stack($0) { next }
tells_loss($0) { delete last[cpu] }

take($0) && (event == "get" || event == "put") {
	delete last[cpu]
	if (!is_wanted())
		next
	count_event()
	sub(/^ptr=/, "", args)
	if (args in call)
		delete frames[call[args]]
	delete call[args]
	# A stack may come after the end of what it is about.
	if (event == "get" && args != "0x0")
		last[cpu] = call[args] = NR
}

END {
	for (kept in call) {
		way = frames[call[kept]]
		count[way]++
		example[way] = kept
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
