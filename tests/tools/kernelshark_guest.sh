#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# In the guest: print "TRACE", what trace shows of some events, "DATA", and what trace-cmd
# extracts of them, in base64.
#
# shellcheck disable=SC2016 # of definitions
set -e
PATH=/kpt/bin:$PATH
mount -t kptracefs none /sys/kernel/kptrace
cd /sys/kernel/kptrace
insmod /kpt/kpt_target.ko
echo 'p:shark/two kpt_target:kpt_target_two a=%x0 b=%x1:s8' >kprobe_events
echo 'r:shark/ret kpt_target:kpt_target_returns ret=$retval:s64' >>kprobe_events
echo 'p:shark/text kpt_target:kpt_target_string text=+0(%x0):string comm=$comm' >>kprobe_events
/kpt/scripts/with-kptrace trace-cmd start -e shark >&2
for act in 'threads 2 two 200' 'call returns 3 -7' 'call string 5'; do
	echo "$act" >/proc/kpt_target
done
/kpt/scripts/with-kptrace trace-cmd stop >&2
echo TRACE
cat trace
/kpt/scripts/with-kptrace trace-cmd extract -o /tmp/dat >&2
echo DATA
base64 /tmp/dat
