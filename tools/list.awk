# SPDX-License-Identifier: GPL-2.0-only
#
# The names of recipes, and what each answers: the first line of its header. The first file of
# a name counts.

FNR == 1 {
	name = FILENAME
	sub(/.*\//, "", name)
	wanted = !(name in seen)
	seen[name] = 1
}

wanted && /^# ./ && !/SPDX-/ {
	text = substr($0, 3)
	if (json)
		print "{\"name\":" quoted(name) ",\"question\":" quoted(text) "}"
	else
		printf "%-14s %s\n", name, text
	wanted = 0
}
