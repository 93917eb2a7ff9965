#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# limits.sh [--kernel NAME] [--build DIR] [CASE|CASE... | steps]: what a hit of each case of
# tests/bench/cases costs with kptrace, in instructions, beside the limits that
# tests/bench/limits has for 6.1: a figure may fall, and may not rise by more than 1; on
# other kernels by more than 5. Without CASE also, and with "steps" only, what commands cost
# that arm many places, in millions, which may not rise by more than 5 %. One boot.

set -euo pipefail
top=$(cd "$(dirname "$0")/../.." && pwd)
kernel=6.1 build='' case=''
while [ $# -gt 0 ]; do
	case $1 in
	--kernel) kernel=$2; shift ;;
	--build) build=$2; shift ;;
	-*) sed -n '4,8s/^# //p' "$0" >&2; exit 2 ;;
	*) case=$1 ;;
	esac
	shift
done
build=${build:-$top/build/$kernel}
figures=$(mktemp)
trap 'rm -f "$figures"' EXIT
"$top/tests/qemu/run" --kernel "$kernel" --build "$build" --no-insmod --smp 1 \
	--timeout 1800 --add "$top/tests/bench:kpt/bench" \
	--qemu '-icount shift=0,sleep=off' \
	-- sh /kpt/bench/guest.sh limits "\"$case\"" >"$figures" || {
	cat "$figures" >&2
	exit 1
}
awk -F' *[|] *' -v more="$([ "$kernel" = 6.1 ] && echo 1 || echo 5)" '
	FILENAME ~ /limits$/ { if (!/^#/ && NF == 2) limit[$2] = $1; next }
	FILENAME ~ /cases$/ { if (!/^#/ && NF) { act[$1] = $2; row[++rows] = $1 }; next }
	/^wrong/ { print; failed = 1 }
	/^base/ { base[$2] = $3 }
	/^step/ { step[++steps] = $2; cost[$2] = $3 / 1000000 }
	/^hit/ { cost[$2] = ($4 - base[act[$2]]) / 1000 }
	END {
		for (n = 1; n <= rows; n++) {
			name = row[n]
			if (!(name in cost))
				continue
			over = name in limit && cost[name] > limit[name] + more + 0.5
			printf "%6.1f %6s  %s%s\n", cost[name],
				name in limit ? limit[name] : "-", name,
				over ? "  TOO MUCH" : ""
			failed = failed || over
		}
		for (n = 1; n <= steps; n++) {
			name = step[n]
			over = name in limit && cost[name] > limit[name] * 1.05
			printf "%6.0f M %4s  %s%s\n", cost[name],
				name in limit ? limit[name] : "-", name,
				over ? "  TOO MUCH" : ""
			failed = failed || over
		}
		exit failed
	}' "$top/tests/bench/limits" "$top/tests/bench/cases" "$figures"
