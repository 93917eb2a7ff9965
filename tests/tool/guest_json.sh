#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# Every answer of kptrace in JSON, in the guest: behind a line "== NAME" what
# json_answers.py looks at.
#
# shellcheck disable=SC2016 # of definitions
set -e
mount -t kptracefs none /sys/kernel/kptrace
cd /sys/kernel/kptrace
insmod /kpt/kpt_target.ko

# answer NAME 'ACT...' ARGUMENT...: while the acts are done
answer()
{
	echo "== $1"
	for act in $2; do
		echo "echo call $act >/proc/kpt_target" | tr '=' ' '
	done >/tmp/calls
	shift 2
	/kpt/scripts/kptrace "$@" --json -q -- sh /tmp/calls
}

answer trace 'two=2' 'p:two kpt_target:kpt_target_two b=%x1:s32 x=%x1 no=+0(%x0):string' --stack
answer text 'string=1' 'p:text kpt_target:kpt_target_string text=+0(%x0):string' --max 1
answer count 'two=5 six=7' count 'kpt_target_[ts]*'
answer latency 'sleep=10=20' latency kpt_target_sleep
answer no_latency '' latency kpt_target_sleep
answer slower 'sleep=1=10 sleep=1=200' slower kpt_target_sleep 150ms
answer stacks 'two=4 tail=2' stacks kpt_target_two
answer offcpu 'sleep=1=200' offcpu
for what in opens execs offcpu; do
	echo "== for_$what"
	/kpt/scripts/kptrace $what --json -q --for 0.5
done
answer graph 'recurse=1=1' graph kpt_target:kpt_target_recurse
answer graph_some 'two=1' graph no_such_function kpt_target_two 2>/dev/null || :
answer leaks 'returns=2=2 recurse=1=1' leaks kpt_target_returns kpt_target_recurse
answer hist 'returns=3=1 returns=1=-7' hist kpt_target_returns '$retval:s64'
answer log2 'recurse=1=7' hist kpt_target_recurse '%x0:u64.log2'
answer buckets 'recurse=1=7' hist kpt_target_recurse '%x0:u64.buckets=4'
answer texts 'string=6' hist kpt_target_string '+0(%x0):string'
answer distribution 'sleep=3=10' run runqlat
answer interval 'two=3' count kpt_target_two --interval 30
answer profile 'sleep=1=10' profile
answer run 'two=1' opens --time
echo '== list'
/kpt/scripts/kptrace list --json
echo '== version'
/kpt/scripts/kptrace --version --json
echo '== environment'
env name="it's" title='a
b' max=3 sh -c '/kpt/scripts/kptrace stacks kpt_target_two --svg -q -- sh -c "$1"' sh \
	'echo "[\"$name\", \"$max\", \"$(echo $title)\", \"$unit$own\"]" >/tmp/out' >/dev/null
cat /tmp/out
echo '== args'
/kpt/scripts/kptrace args vfs_read --json
cat >/tmp/calls <<'END'
/bin/echo 'one "two' "$(printf 'a\tb\\')" >/dev/null
cat '/no/su"ch' '/no
file'
END
for what in opens execs; do
	echo "== $what"
	/kpt/scripts/kptrace $what --follow --json -q -- sh /tmp/calls >/tmp/out 2>/dev/null || :
	cat /tmp/out
done
echo 'p:top/two kpt_target:kpt_target_two a=%x0' >dynamic_events
echo 'hist:keys=a' >events/top/two/trigger
echo 1 >events/top/enable
echo 'call two 3' >/proc/kpt_target
echo '== top'
/kpt/scripts/kptrace top --once -d 0.1 -H --json
echo '== end'
echo 0 >events/enable
