# SPDX-License-Identifier: GPL-2.0-only
#
# From what can_probe says about a function: its prototype and definitions to start
# from, or with at_return the arguments of its call for a definition of its return.

/^prototype: / {
	prototype = $0
	sub(/^prototype: /, "", prototype)
}

/^returns: / {
	returns = $0
	sub(/^returns: /, "", returns)
}

/^argument / {
	name = $2
	sub(/:$/, "", name)
	entry = entry " " name "=" $3
	split($3, part, ":")
	type = part[2] == "" ? "" : ":" part[2]
	if (part[1] ~ /^%x/)
		n = substr(part[1], 3) + 1
	else
		n = substr(part[1], 7) + 9
	call = call " " name "=$arg" n type
}

/^return value: / && $3 != "none" {
	type = $3
	sub(/^[^:]*/, "", type)
	value = " ret=$retval" type
}

END {
	if (at_return) {
		print value call
		exit
	}
	entry = "p " function_ entry
	back = returns ~ /never/ ? "" : "r " function_ " elapsed=$elapsed" value call
	if (json) {
		print "{\"function\":" quoted(function_) ",\"prototype\":" quoted(prototype) \
			",\"definitions\":[" quoted(entry) (back == "" ? "" : "," quoted(back)) "]}"
		exit
	}
	print prototype
	print "  kptrace '" entry "'"
	if (back != "")
		print "  kptrace '" back "'"
}
