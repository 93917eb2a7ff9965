#!/usr/bin/awk -f
# SPDX-License-Identifier: GPL-2.0-only
#
# compare.awk kernel=NAME KNOWN BUILTIN KPTRACE: one line for each test with the result here,
# that of the kernel's own tracing, and why it is known to fail. Ends with the
# line of counts.

FILENAME == ARGV[2] {
	if ($0 ~ /^[^#]/) {
		test = $1
		sub("@" kernel "$", "", test)
		sub(/^[^ \t]+[ \t]+/, "")
		known[test] = $0
	}
	next
}

$1 != "result" { next }

FILENAME == ARGV[3] {
	builtin[$2, $3] = $4
	next
}

{
	why = ""
	if ($4 == "PASS" || $4 == "XFAIL") {
		passed++
	} else if ($4 == "FAIL" && !($2 in known)) {
		failed++
		why = "# not expected"
	} else {
		skipped++
		if ($4 == "FAIL")
			why = "# " known[$2]
	}
	other = ($2, $3) in builtin ? builtin[$2, $3] : "-"
	name = $2 ($3 == "instance" ? " (instance)" : "")
	if (!heading++)
		printf "%-60s %-11s %-11s\n", "test", "kptrace", "built-in"
	printf "%-60s %-11s %-11s %s\n", name, $4, other, why
}

END {
	if (!heading)
		failed++
	printf "%d passed, %d failed, %d skipped\n", passed, failed, skipped
	exit failed > 0
}
