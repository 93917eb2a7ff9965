#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# In the guest, for rate: files are opened, at some rates.
#
# shellcheck disable=SC2016 # of the definition
mount -t kptracefs none /sys/kernel/kptrace
pace=${1:-/kpt/pace} count=200000

# lost FORM RATE KPTRACE-ARGUMENT...
lost()
{
	form=$1 rate=$2
	shift 2
	/kpt/scripts/kptrace "$@" -- "$pace" $((rate / 8)) $count >/tmp/answer 2>/tmp/said
	echo "$form, $rate a second: $(grep -c '/nosuch' /tmp/answer) of $count shown," \
		"$(sed -n 's/.*not complete: \([0-9]*\) .*/\1/p' /tmp/said | grep . || echo 0) lost"
}

for rate in 100000 130000 160000; do
	lost lines "$rate" 'p:open do_sys_openat2 file=+u0(%x1):ustring'
	lost JSON "$rate" 'p:open do_sys_openat2 file=+u0(%x1):ustring' --json
	lost table "$rate" opens
done
