# SPDX-License-Identifier: GPL-2.0-only
#
# Calls and returns, nested by task, with the time of each call. max, tracing: as in
# lines.awk

# unit() - nanoseconds for people
function unit(ns) {
	if (ns < 1e6)
		return sprintf("%.1f us", ns / 1e3)
	return sprintf("%.3f ms", ns / 1e6)
}

function show(time, text,	i, indent) {
	for (i = 0; i < depth[task]; i++)
		indent = indent "  "
	printf "%-22s %12s | %s%s\n", task, time, indent, text
	fflush()
}

/: (call|ret): \(/ && (max == "" || events < max) {
	task = $0
	sub(/ +\[[0-9]+\] .*/, "", task)
	sub(/^ +/, "", task)
	name = $0
	if ($0 ~ /: call: \(/) {
		sub(/.*: call: \(/, "", name)
		sub(/\+0x.*/, "", name)
		show("", name "() {")
		depth[task]++
	} else {
		sub(/.* <- /, "", name)
		sub(/\).*/, "", name)
		ns = $0
		sub(/.* elapsed=/, "", ns)
		# Calls that began before kptrace did return, too.
		if (depth[task] > 0)
			depth[task]--
		show(unit(ns), "} " name)
	}
	if (++events == max) {
		print 0 >tracing
		close(tracing)
	}
}

/^CPU:/ { print }
