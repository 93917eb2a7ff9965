#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# The session of the demo, in the guest: each line is shown, then run.

run()
{
	echo "# $1"
	eval "$1"
}

echo "$(uname -sr) $(uname -m)"
mount -t kptracefs none /sys/kernel/kptrace
cd /sys/kernel/kptrace || exit
set -e
run "echo 'p:open do_sys_openat2 dfd=%x0:s32 file=+0(%x1):ustring' > kprobe_events"
run 'echo 1 > events/kprobes/open/enable'
run 'cat /proc/version /proc/loadavg > /dev/null'
run 'echo 0 > events/kprobes/open/enable'
run 'cat trace'
run 'cat kprobe_profile'
run "echo '-:open' >> kprobe_events"
