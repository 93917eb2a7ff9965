#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# Events of every kind that kptrace metrics knows, and what it says about them, in the
# guest.
set -e
mount -t kptracefs none /sys/kernel/kptrace
cd /sys/kernel/kptrace
insmod /kpt/kpt_target.ko
trap 'cat error_log' EXIT
# The names of files are what is no text, and what the format has a form of its own for.
cat >kprobe_events <<'END'
p:met/deep kpt_target:kpt_target_recurse depth=%x0:u64
r:met/slow kpt_target:kpt_target_sleep elapsed=$elapsed
p:met/text kpt_target:kpt_target_string text=+0(%x0):string
r:met/open do_sys_openat2 file=+u0($arg2):ustring
END
mkdir instances/other
echo 'hist:keys=elapsed.log2:vals=elapsed' >events/met/slow/trigger
echo 'hist:keys=depth.log2' >instances/other/events/met/deep/trigger
echo 'hist:keys=text,common_pid' >events/met/text/trigger
echo 'hist:keys=common_pid,common_stacktrace' >>events/met/slow/trigger
echo 'hist:keys=common_pid,depth.buckets=4:vals=depth' >events/met/deep/trigger
echo 'hist:keys=file if file ~ "/odd*"' >events/met/open/trigger
echo 1 >events/met/enable
for call in 'recurse 3 9' 'sleep 5 20' 'string 4'; do
	echo "call $call" >/proc/kpt_target
done
cat "$(printf '/odd "b" \\ \303\251 \377 \t\nc')" 2>/dev/null || :
echo BEGIN
/kpt/scripts/kptrace metrics
echo END
/kpt/scripts/kptrace metrics --openmetrics
echo EOF
rmdir instances/other
echo 0 >events/enable
