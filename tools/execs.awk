# SPDX-License-Identifier: GPL-2.0-only
#
# A line for each program that was started, with its arguments. max, tracing: as in
# lines.awk

BEGIN {
	printf "%-16s %7s  %s\n", "TASK", "PID", "PROGRAM"
	fflush()
}

/: exec: \(/ && (max == "" || events < max) {
	task = line = $0
	sub(/ +\[[0-9]+\] .*/, "", task)
	sub(/^ +/, "", task)
	pid = task
	sub(/.*-/, "", pid)
	sub(/-[0-9]+$/, "", task)
	sub(/.*: exec: \([^)]*\) path=/, "", line)
	# The first argument that is not there ends them.
	sub(/ a[1-8]=\(fault\).*/, "", line)
	gsub(/ a[1-8]=/, " ", line)
	printf "%-16s %7s  %s\n", task, pid, line
	fflush()
	if (++events == max) {
		print 0 >tracing
		close(tracing)
	}
}

/^CPU:/ { print }
