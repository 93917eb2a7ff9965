#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# What the kernel's own events record of a load, in the guest, for fields.py: behind "== text" the
# lines with their fields, behind "== format" the formats, behind "== raw CPU" the bytes of a ring.
set -e
mount -t kptracefs none /sys/kernel/kptrace
cd /sys/kernel/kptrace
mkdir instances/fields
cd instances/fields
echo 16384 >buffer_size_kb
echo 1 >options/escape-text
echo 1 >options/static-fields
echo 0 >tracing_on
# Those of pages and allocations are as many as all others.
grep -v '^\(kmem\|page_pool\|percpu\|vmscan\|mmap\|maple_tree\|xdp\):' ../../available_events >/tmp/events
cat /tmp/events >set_event

# The load; what it says is of no interest.
load()
{
	"$odd"
	sh -c 'kill -TERM $$'
	echo text >/tmp/file
	sync
	sleep 0.1
	ip link set lo up
	ping -c 1 127.0.0.1
	nc -l -p 99 </dev/null &
	sleep 0.1
	echo | nc 127.0.0.1 99
	mv "$odd" /tmp/file
	rm /tmp/file
}

odd=$(printf '/tmp/a b=1 pid=3 "c\n sh-1 [000] 1.0: x: y')
printf '#!/bin/sh\n' >"$odd"
chmod +x "$odd"
echo 1 >tracing_on
load >/dev/null 2>&1 || :
echo 0 >tracing_on
echo 0 >events/enable
echo '== text'
grep -v '^#' trace
echo '== format'
awk '!/^#/ { sub(/^ *[^ ]* *\[[0-9]+\] [^ ]* +[0-9.]+: /, ""); sub(/:.*/, ""); seen[$0] }
	END { for (event in seen) print ":" event "$" }' trace >/tmp/seen
grep -f /tmp/seen /tmp/events | tr : / | while read -r event; do
	cat "events/$event/format"
done
for cpu in per_cpu/cpu*; do
	echo "== raw ${cpu#per_cpu/cpu}"
	dd if="$cpu/trace_pipe_raw" bs=4096 2>/dev/null | base64
done
cd ../..
rmdir instances/fields
echo '== end'
