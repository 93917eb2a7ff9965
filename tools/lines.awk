# SPDX-License-Identifier: GPL-2.0-only
#
# The first max events, with their stack traces. tracing is the file tracing_on: once it
# is 0, trace_pipe ends with what is left.

!/^ => / && !/<stack trace>$/ && !/^CPU:/ {
	events++
	if (events == max) {
		print 0 >tracing
		close(tracing)
	}
}

events <= max {
	print
	fflush()
}
