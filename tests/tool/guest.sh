#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# Events of every kind that kptrace metrics knows, and what it says about them, in the
# guest.
#
# shellcheck disable=SC2016 # of definitions
set -e
mount -t kptracefs none /sys/kernel/kptrace
cd /sys/kernel/kptrace
insmod /kpt/kpt_target.ko
echo 'p:met/deep kpt_target:kpt_target_recurse depth=%x0:u64' >kprobe_events
echo 'r:met/slow kpt_target:kpt_target_sleep elapsed=$elapsed' >>kprobe_events
echo 'p:met/text kpt_target:kpt_target_string text=+0(%x0):string' >>kprobe_events
mkdir instances/other
echo 'hist:keys=elapsed.log2:vals=elapsed' >events/met/slow/trigger
echo 'hist:keys=depth.log2' >instances/other/events/met/deep/trigger
echo 'hist:keys=text,common_pid' >events/met/text/trigger
echo 1 >events/met/enable
for call in 'recurse 3 9' 'sleep 5 20' 'string 4'; do
	echo "call $call" >/proc/kpt_target
done
echo BEGIN
/kpt/scripts/kptrace metrics
echo END
rmdir instances/other
echo 0 >events/enable
