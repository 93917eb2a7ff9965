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

/: (get|put): \(/ {
	value = $0
	sub(/.* ptr=/, "", value)
	sub(/ .*/, "", value)
	last = ""
	if ($0 ~ /: put: \(/) {
		delete stack[value]
	} else if (value !~ /^0x0$/) {
		stack[value] = ""
		last = value
	}
}

END {
	for (value in stack) {
		count[stack[value]]++
		example[stack[value]] = value
		all++
	}
	printf "%d not given back\n", all
	for (way in count)
		printf "\n%d, such as %s, from%s\n", count[way], example[way], way
}
