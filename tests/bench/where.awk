# SPDX-License-Identifier: GPL-2.0-only
#
# After symbols.awk, of a log: of a hit, from the first instruction of a target function,
# or of a tracepoint's own, to the first one back in its caller: how many in which other
# function, and in all. Of reading, what is between the second and third call of the target
# function, less what is between the first two, by record (-v records).

function add(at, n)
{
	if (!(at in count))
		order[++functions] = at
	count[at] += n
	total += n
}

/^Trace / && !over {
	at = name_of(pc_of($0))
	if (!records && last ~ /^act_/ && at ~ /^__traceiter_/)
		inside = 1
	if (at ~ /^kpt_target_/) {
		calls += last !~ /^kpt_target_/
		inside = inside || last ~ /^act_/
	} else if (records && calls) {
		add(at, calls == 1 ? -1 : 1)
		over = calls == 3
	} else if (inside && at ~ /^act_/) {
		over = 1
	} else if (inside) {
		add(at, 1)
	}
	last = at
}

END {
	for (f = 1; f <= functions; f++)
		if (!records)
			printf "%6d %s\n", count[order[f]], order[f]
		else if (count[order[f]] >= records / 10)
			printf "%6.1f %s\n", count[order[f]] / records,
				order[f] | "sort -rn"
	close("sort -rn")
	printf records ? "%6.1f in all\n" : "%6d in all\n", \
		total / (records ? records : 1)
}
