# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
#
# guest.sh WITH [TEST...]: run ftracetest by the command WITH.
# Prints "result TEST WHERE RESULT" for each, WHERE being top or instance, and
# the log of those that failed.

with=$1
shift
PATH=/kpt/bin:$PATH
# They are not there by themselves, but tests use events of the scheduler.
static=/sys/module/kptrace/parameters/static_events
[ ! -e $static ] || echo 1 2>/dev/null >$static
cd /kpt/ftrace || exit
# shellcheck disable=SC2046 # a list
set -- $(printf ' test.d/%s' "$@")
[ "$1" != test.d/ ] || shift
# The shell of busybox would take its own programs, whatever PATH says.
# The console says how far they are.
"$with" dash ./ftracetest -k -l /tmp/logs "$@" 2>&1 | tee /tmp/said >/dev/console
sed -n 's/^\[\([0-9]*\)\].*\[\([A-Z]*\)\]$/\1 \2/p' /tmp/said |
while read -r number result; do
	for log in /tmp/logs/"$number"-*; do
		read -r _ test <"$log"
		case $test in
		'(instance)'*) where=instance ;;
		*) where=top ;;
		esac
		test=${test##* }
		echo "result ${test#/kpt/ftrace/test.d/} $where $result"
		[ "$result" != FAIL ] || tail -n 30 "$log" | sed 's/^/| /'
	done
done
grep -e '^# of ' -e '^Error' /tmp/said
# A test leaves it on; calls whose return addresses are replaced keep kptrace loaded.
"$with" dash -c 'cd /sys/kernel/tracing && echo 0 >function_profile_enabled' 2>/dev/null
true
