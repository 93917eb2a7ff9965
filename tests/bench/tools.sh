#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# In the guest, for tools: the same calls counted by nobody, by bpftrace and by kptrace.
#
# shellcheck disable=SC2016 # of definitions and programs
PATH=/kpt/bin:$PATH
mount -t tracefs none /sys/kernel/tracing
mount -t kptracefs none /sys/kernel/kptrace
insmod /kpt/kpt_target.ko
cat >/tmp/calls <<'END'
echo "call $1 1000" >/proc/kpt_target
begin=${EPOCHREALTIME/./}
echo "call $1 50000" >/proc/kpt_target
end=${EPOCHREALTIME/./}
echo "$2|$3|$((end - begin))" >>/tmp/times
END

# costs NAME ACT PROGRAM ASK...
costs()
{
	name=$1 act=$2 program=$3
	shift 3
	bash /tmp/calls "$act" "$name" nobody
	bpftrace -q -e "$program" -c "/kpt/bin/bash /tmp/calls $act $name bpftrace" >/dev/null
	/kpt/scripts/kptrace "$@" -q -- bash /tmp/calls "$act" "$name" kptrace >/dev/null
}

costs count two 'kprobe:kpt_target_two { @ = count(); }' count kpt_target_two
costs argument two 'kprobe:kpt_target_two { @[arg1] = count(); }' \
	hist kpt_target_two '%x1:u64'
costs result returns 'kretprobe:kpt_target_returns { @[retval] = count(); }' \
	hist kpt_target_returns '$retval:s64'
costs latency returns 'kprobe:kpt_target_returns { @began[tid] = nsecs; }
	kretprobe:kpt_target_returns { @ = hist(nsecs - @began[tid]); delete(@began[tid]); }' \
	latency kpt_target_returns
costs stacks two 'kprobe:kpt_target_two { @[kstack] = count(); }' stacks kpt_target_two
cat /tmp/times
