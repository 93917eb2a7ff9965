# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
#
# guest.sh KIND: hits on two CPUs, then a crash, see run. Lines that begin with
# "expected:" in the kernel's log are what the console has to show.

kptrace=/sys/kernel/kptrace
crash=/sys/module/kpt_crash/parameters
own=/sys/module/kptrace/parameters

say() { echo "$*" >/dev/kmsg; }

# hits N: of two CPUs by turns
hits()
{
	for turn in 1 2 3 4; do
		taskset $((turn % 2 + 1)) sh -c "echo $1 >$crash/hits"
	done
}

# expect N [FOLDER]: the last N lines of trace there
expect()
{
	tail -n "$1" "${2:-$kptrace}/trace" | while IFS= read -r line; do
		say "expected:$line"
	done
}

# kept: show what pstore has kept of an earlier boot; false if there is nothing
kept()
{
	rmmod ramoops
	insmod /kpt/boot/ramoops.ko mem_address=0x5e000000 mem_size=0x100000 \
		record_size=0x20000 mem_type=1
	mount -t pstore none /sys/fs/pstore
	ls /sys/fs/pstore/dmesg-* >/dev/null 2>&1 || return
	sed -E 's/^<[0-9]+>//; s/^\[ *[0-9]+\.[0-9]+\] /kept:/' /sys/fs/pstore/dmesg-* |
		grep '^kept:[^e]' |
		while IFS= read -r line; do
			say "$line"
		done
}

echo on >/proc/sys/kernel/printk_devkmsg
[ "$1" != reboot ] || ! kept || exit 0
echo 1 >/proc/sys/kernel/sysrq
mount -t kptracefs none $kptrace
insmod /kpt/kpt_crash.ko
echo 'p:last kpt_crash:kpt_crash_here nr=%x0:u64 p=%x1:x64' >$kptrace/kprobe_events
echo 1 >$kptrace/events/kprobes/last/enable
echo 50 >$own/dump_lines

case $1 in
sysrq | null | reboot | stack)
	echo 1 >$own/dump_on_oops ;;
handler)
	echo 1 >$own/dump_on_oops
	insmod /kpt/kpt_handlers.ko kind=panic place=kpt_crash:kpt_crash_here skip=401 ;;
fault)
	echo 1 >$own/dump_on_oops ;;
cpu)
	echo 2 >$own/dump_on_oops ;;
instance)
	mkdir $kptrace/instances/other
	echo 1 >$kptrace/instances/other/events/kprobes/last/enable
	echo other >$own/dump_on_oops ;;
esac
hits 100

case $1 in
sysrq | instance | reboot)
	if [ "$1" != instance ]; then
		expect 50
	else
		expect 50 $kptrace/instances/other
	fi
	echo c >/proc/sysrq-trigger ;;
stack)
	expect 50
	mkdir $kptrace/instances/other
	echo 'p:deep kpt_crash:kpt_crash_deep nr=%x0:u64' >>$kptrace/kprobe_events
	echo 1 >$kptrace/instances/other/events/kprobes/deep/enable
	echo 1 >$crash/deep ;;
null)
	expect 49
	say "expected:.*last: (kpt_crash_here+0x0/0x.* nr=401 p=0x0"
	echo 1 >$crash/null ;;
handler)
	expect 49
	say "expected:.*last: (kpt_crash_here+0x0/0x.* nr=401 p=0x"
	echo 1 >$crash/hits ;;
fault)
	expect 49
	say "expected:.*last: (kpt_crash_here+0x0/0x.* nr=401 p=0x"
	insmod /kpt/kpt_handlers.ko kind=fault place=kpt_crash:kpt_crash_here
	echo 1 >$crash/hits ;;
cpu)
	grep ' \[001\] ' $kptrace/trace >/tmp/trace
	tail -n 50 /tmp/trace | while IFS= read -r line; do
		say "expected:$line"
	done
	taskset 2 sh -c 'echo c >/proc/sysrq-trigger' ;;
esac
