# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# A boot with every instruction of some calls in the emulator's log, for where and
# cycles, which read this file. They set $top, $kernel, $build and $work.
#
# shellcheck disable=SC2154 # those

# follow ITEMS: do what the guest asks for. Leaves its symbols, what calls took on average,
# and in $work/calls a line "LOG|TRACER|WORDS" for each time that the log was on.
follow()
{
	local word tracer rest n=0

	while IFS='|' read -r word tracer rest; do
		case $word in
		ready)
			n=$((n + 1))
			printf '%s\n' "logfile $work/log.$n" "log $1" \
				'one-insn-per-tb on' >&3 ;;
		done)
			echo "$work/log.$n|$tracer|$rest" >>"$work/calls"
			printf '%s\n' 'one-insn-per-tb off' 'log none' >&3 ;;
		symbol) echo "$tracer|$rest" >>"$work/symbols" ;;
		base | hit) echo "$word|$tracer|$rest" >>"$work/averages" ;;
		*) echo "$word${tracer:+|$tracer|$rest}" >&2 ;;
		esac
	done
}

# logged_boot ITEMS MODE CASES [QEMU-RUN-WORDS]: of the log; what guest.sh shall do
logged_boot()
{
	local items=$1 mode=$2 cases=$3

	shift 3
	mkfifo "$work/monitor.in" "$work/monitor.out"
	cat "$work/monitor.out" >/dev/null &
	exec 3<>"$work/monitor.in"
	# A guest that is never idle would fill the disk: 8 GiB, in units of a KiB.
	ulimit -f 8388608
	"$top/tests/qemu/run" --kernel "$kernel" --build "$build" --no-insmod \
		--icount --cmdline kpti=on --add "$top/tests/bench:kpt/bench" "$@" \
		--qemu "-chardev pipe,id=monitor,path=$work/monitor -mon monitor" \
		-- sh /kpt/bench/guest.sh "$mode" "\"$cases\"" | follow "$items"
}
