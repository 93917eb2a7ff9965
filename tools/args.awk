# SPDX-License-Identifier: GPL-2.0-only
#
# From what can_probe says about a function: its prototype and definitions to start
# from, or with at_return the arguments of its call for a definition of its return.

# Names that the definition of a return has itself.
BEGIN {
	used["elapsed"] = used["ret"] = 1
}

# is_word() - is the value in one of the registers or words that definitions can name?
function is_word(place) {
	return place ~ /^%x[0-7](:|$)/ || place ~ /^[$]stack[0-9]/
}

/^prototype: / {
	prototype = $0
	sub(/^prototype: /, "", prototype)
}

/^returns: / {
	returns = $0
	sub(/^returns: /, "", returns)
}

# A parameter without a name has its number as one.
/^argument / && is_word($3) {
	name = $2
	sub(/:$/, "", name)
	if (name ~ /^[0-9]/)
		name = "arg" name
	while (name in used)
		name = name "_"
	used[name] = 1
	entry = entry " " name "=" $3
	split($3, part, ":")
	type = part[2] == "" ? "" : ":" part[2]
	if (part[1] ~ /^%x/)
		n = substr(part[1], 3) + 1
	else
		n = substr(part[1], 7) + 9
	call = call " " name "=$arg" n type
}

/^return value: / && is_word($3) {
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
