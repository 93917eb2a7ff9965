# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# What scripts/check says of the steps that it has run: counts, what they cost, which tests
# cost most, and which failed and passed on the same tree. It has $names, $results and the
# like of scripts/check.

# counts LOG: the sums of its lines of counts. The tests of a KTAP plan that no such
# line speaks of have failed, but for those that are seen to have passed.
counts()
{
	awk '{ sub(/\r$/, "") }
	/^1\.\.[0-9]+$/ { plan = substr($0, 4); ok = 0; skip = 0 }
	plan && /^ok [0-9]/ { if (/# SKIP/) skip++; else ok++ }
	/^[0-9]+ passed, [0-9]+ failed, [0-9]+ skipped$/ {
		if (plan > $1 + $3 + $5)
			f += plan - $1 - $3 - $5
		p += $1; f += $3; s += $5
		plan = 0; any = 1
	}
	END {
		if (plan) { p += ok; s += skip; f += plan - ok - skip; any = 1 }
		if (any) print p + 0, f + 0, s + 0
	}' "$1"
}

# costs LOG: seconds of CPU time of a step and of its processes, and those in which its
# guests, at least, had nothing to do; "-" if it was killed before it could say so
costs()
{
	local cpu waited

	cpu=$(awk -F '[ms ]+' '{ s += $1 * 60 + $2 + $3 * 60 + $4 } END { if (NR) printf "%.1f", s }' \
		"$1.times" 2>/dev/null)
	waited=$(sed -nE 's/^(PASS|FAIL): boot .*, waiting ([0-9.]+) s\r?$/\2/p' "$1" |
		awk '{ s += $1 } END { if (NR) printf "%.1f", s }')
	echo "${cpu:--} ${waited:--}"
}

# tests_cost: "CPU waiting test (step)" of all tests that say what they have cost, in seconds
tests_cost()
{
	local i

	for i in "${!names[@]}"; do
		sed -nE 's/^(not )?ok [0-9]+ ([^ ]+) .*# [0-9.]+ s, CPU ([0-9.]+) s, waiting ([0-9.]+) s(:.*)?\r?$/\3 \4 \2 ('"${names[i]//\//\\/}"')/p' \
			"$(log_of "$i")" 2>/dev/null
	done
}

# top N COLUMN: the costliest tests
top()
{
	tests_cost | sort -rn -k "$2,$2" | head -n "$1" |
		while read -r cpu waited test; do
			printf '%8s s %8s s  %s\n' "$cpu" "$waited" "$test"
		done
}

# table: of the steps; sets $passed, $failed and $skipped
table()
{
	local i p f s t c w cpu=0 waited=0

	passed=0 failed=0 skipped=0
	printf '\n%-34s %6s %6s %7s %8s %9s %9s\n' \
		step passed failed skipped time CPU waiting
	for i in "${!names[@]}"; do
		read -r p f s t c w <<<"${results[i]:-0 1 0 - - -}"
		printf '%-34s %6d %6d %7d %6s s %7s s %7s s%s\n' "${names[i]}" "$p" "$f" "$s" \
			"$t" "$c" "$w" "${remark[i]:+, ${remark[i]}}"
		passed=$((passed + p)) failed=$((failed + f)) skipped=$((skipped + s))
		cpu+=" + ${c/#-/0}" waited+=" + ${w/#-/0}"
	done
	printf '%-62s %s s %7.1f s %7.1f s\n' together "$SECONDS" \
		"$(awk "BEGIN { print $cpu }")" "$(awk "BEGIN { print $waited }")"
}

# report: all of that; and by commit in build/times, with every test. The exit status is
# that of the run.
report()
{
	local times=${logs%/*}/times

	mkdir -p "$times"
	times+=/$commit-${what##*/}
	table >"$times"
	cat "$times"
	tests_cost | sort -rn >>"$times"
	echo 'tests that cost most (CPU, waiting):'
	top 5 1
	echo 'tests that wait longest (CPU, waiting):'
	top 5 2
	flaky
	echo "$passed passed, $failed failed, $skipped skipped"
	[ $failed -eq 0 ] && [ $passed -gt 0 ]
}

# The history has lines "RUN TREE failed|passed STEP: TEST", the last only for what failed
# on that tree before. Logs of failures are next to it.

# next_run: set $run to the number of this run, and forget all but the last 200
next_run()
{
	run=0
	[ ! -s "$history" ] || run=$(tail -n 1 "$history" | cut -d ' ' -f 1)
	run=$((run + 1))
	mkdir -p "$history.logs"
	touch "$history"
	awk -v from=$((run - 200)) '$1 > from' "$history" >"$history.new"
	mv "$history.new" "$history"
	echo "$run $tree began -" >>"$history"
	find "$history.logs" -name '[0-9]*' | while read -r log; do
		[ "$(basename "${log%%-*}")" -gt $((run - 200)) ] || rm "$log"
	done
}

# remember STEP FAILURES LOG: what failed, and what failed before
remember()
{
	local step=${names[$1]} log=$3

	[ -n "$tree" ] || return 0
	awk -v run="$run" -v tree="$tree" -v step="$step" -v failures="$2" '
	function is(result, test) { print run, tree, result, step ": " test }
	FNR == NR {
		if ($2 == tree && $3 == "failed")
			before[substr($0, index($0, " failed ") + 8)]
		next
	}
	{ sub(/\r$/, "") }
	/# (SKIP|XFAIL)/ { next }
	/^(not )?ok / {
		test = $0
		bad = sub(/^not ok /, "", test)
		sub(/^ok /, "", test); sub(/^[0-9]+ /, "", test); sub(/ (- |# ).*/, "", test)
		sub(/:.*/, "", test)
		if (bad) { is("failed", test); said = 1 }
		else if (step ": " test in before) is("passed", test)
	}
	END {
		if (failures && !said) is("failed", "as a whole")
		else if (!failures && step ": as a whole" in before) is("passed", "as a whole")
	}' "$history" "$log" >"$history.new"
	cat "$history.new" >>"$history"
	! grep -q ' failed ' "$history.new" ||
		cp "$log" "$history.logs/$run-$(basename "$log")"
	rm "$history.new"
}

# flaky: tests that failed, and passed later on the same tree
flaky()
{
	[ -n "$tree" ] || return 0
	awk -v logs="$history.logs" '{
		what = $0
		sub(/^[^ ]+ [^ ]+ [^ ]+ /, "", what)
		if ($3 == "failed")
			failed[$2, what] = $1
		else if ($3 == "passed" && ($2, what) in failed)
			print "flaky: " what ", failed on the same tree: " logs "/" failed[$2, what] "-*"
	}' "$history" | sort -u
}
