#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# In the guest, for readers: as many records, shown by each. A guest that counts instructions has one
# each ns, and what they take to begin is the same for any number of records.
#
# shellcheck disable=SC2016 # of definitions
PATH=/kpt/bin:/kpt/scripts:$PATH
mount -t tracefs none /sys/kernel/tracing
mount -t kptracefs none /sys/kernel/kptrace
cd /sys/kernel/kptrace || exit
echo 'p:open do_sys_openat2 dfd=%x0:s32 file=+u0(%x1):ustring' >kprobe_events
echo 1 >options/escape-text
echo 40000 >buffer_size_kb
cat >/tmp/calls <<'END'
i=0
while [ $((i += 1)) -le $1 ]; do
	: </proc/version
done
END

# taken NAME NUMBER FILE COMMAND...
taken()
{
	name=$1 number=$2 file=$3
	shift 3
	bash -c 'begin=${EPOCHREALTIME/./}
		"${@:3}" <"$2" >/dev/null
		end=${EPOCHREALTIME/./}
		echo "$0|$1|$((end - begin))"' "$name" "$number" "$file" "$@" 2>/tmp/errors ||
		cat /tmp/errors
}

lib=/kpt/scripts
for number in 1000 4000; do
	echo 1 >events/kprobes/open/enable
	sh /tmp/calls "$number"
	echo 0 >events/kprobes/open/enable
	taken 'trace: the lines' "$number" trace cat trace
	grep ': open: ' trace >/tmp/lines
	echo >trace
	taken 'reader, lines' "$number" /tmp/lines $lib/reader/reader lines max=1000000
	taken 'reader, JSON' "$number" /tmp/lines $lib/reader/reader lines json=1
	KPT_COLUMNS='dfd::
file::' taken 'reader, a table' "$number" /tmp/lines $lib/reader/reader rows
	taken 'awk, JSON' "$number" /tmp/lines awk -v json=1 -f $lib/record.awk -f $lib/json.awk \
		-f $lib/lines.awk
	with-kptrace trace-cmd record -q -e kprobes:open -o /tmp/dat sh /tmp/calls "$number" 2>/tmp/errors ||
		cat /tmp/errors
	taken 'trace-cmd report' "$number" /dev/null trace-cmd report -i /tmp/dat
	perf record -q -R -o /tmp/data -e kptrace/open/ sh /tmp/calls "$number" 2>/tmp/errors ||
		cat /tmp/errors
	taken 'perf script' "$number" /dev/null perf script -i /tmp/data
done
