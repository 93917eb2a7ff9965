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

# sysrq c|b: panic, or reset at once; as a module does where there is no sysrq
sysrq()
{
	if [ -e /proc/sysrq-trigger ]; then
		echo "$1" >/proc/sysrq-trigger
	else
		case $1 in
		c) echo 1 >$crash/panic ;;
		b) echo 1 >$crash/reset ;;
		esac
	fi
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

# has_clean: is the kernel's function there that writes caches back?
has_clean() { grep -q ' arch_wb_cache_pmem$' /proc/kallsyms; }

# recovered KIND: show the last records of an earlier boot; false if there are none
recovered()
{
	last=$kptrace/instances/last_boot
	mount -t kptracefs none $kptrace
	if [ ! -d $last ]; then
		umount $kptrace
		return 1
	fi
	insmod /kpt/kpt_crash.ko
	say "kept:Dumping kptrace buffer:"
	say "kept:---------------------------------"
	grep -v ': clean: ' $last/trace | tail -n 50 | while IFS= read -r line; do
		say "kept:$line"
	done
	[ "$1" != persist ] || ! has_clean ||
		grep -q ': clean: .* bytes=4194304$' $last/trace ||
		say "kept:the kernel did not clean the memory"
	say "kept:---------------------------------"
	while IFS= read -r line; do
		say "info: $line"
	done <$last/last_boot_info
}

# damage RATE: load kptrace with damaged records, and read everything there is
damage()
{
	umount $kptrace
	rmmod kptrace
	insmod /kpt/kpt_flip.ko address=0x5c000000 size=0x400000 rate="$1"
	rmmod kpt_flip
	insmod /kpt/kptrace.ko persist=0x5c000000,4M
	mount -t kptracefs none $kptrace
	if [ ! -d $last ]; then
		say "bits: rate $1: nothing is left"
		return
	fi
	grep -v '^#' $last/trace >/tmp/after
	say "bits: rate $1: $(wc -l </tmp/after) lines," \
		"$(grep -c 'last: (kpt_crash_here+0x0' /tmp/after) with a name;" \
		"$(grep '^damaged' $last/last_boot_info | tr '\n' ';')"
	cat $last/per_cpu/cpu*/stats $last/per_cpu/cpu*/trace >/tmp/out
	! grep -q '^1408$' $last/per_cpu/cpu*/buffer_size_kb ||
		say "bits: WRONG: a CPU without records has a large ring"
	# Without any record it waits for one.
	[ ! -s /tmp/after ] || cat $last/trace_pipe >/tmp/out
}

# damaged: how much of the records is missing, or known to be damaged
damaged()
{
	awk -F': ' '/^damaged/ { sum += $2 } END { print sum + 0 }' $last/last_boot_info
}

# bits: damage the records of hits again and again
bits()
{
	last=$kptrace/instances/last_boot
	for rate in 0 1 10 100 1000 10000 100000 500000 2000000; do
		echo 'p:last kpt_crash:kpt_crash_here nr=%x0:u64 p=%x1:x64' \
			>$kptrace/kprobe_events
		echo 1 >$kptrace/instances/persist/events/kprobes/last/enable
		hits 500
		echo 0 >$kptrace/instances/persist/events/kprobes/last/enable
		grep -v '^#' $kptrace/instances/persist/trace >/tmp/before
		damage $rate
		case $rate in
		0)
			[ -s /tmp/before ] || say "bits: WRONG: no lines"
			diff /tmp/before /tmp/after >/tmp/diff ||
				say "bits: WRONG: $(head -n 4 /tmp/diff)"
			[ "$(damaged)" = 0 ] || say "bits: WRONG: damage" ;;
		10000)
			[ "$(damaged)" -gt 0 ] || say "bits: WRONG: no damage" ;;
		esac
	done
	say "bits: all"
}

# load: load kptrace, mounted; false if that fails
load()
{
	insmod /kpt/kptrace.ko persist=0x5c000000,4M && mount -t kptracefs none $kptrace
}

unload()
{
	umount $kptrace
	rmmod kptrace
}

# lines FOLDER: the records of trace there, with times since it was cleared
lines()
{
	echo 1 >"$1/options/latency-format"
	grep -v '^#' "$1/trace"
	echo 0 >"$1/options/latency-format"
}

# scarce: leave so little memory that rings of a MiB cannot be had
scarce()
{
	mkdir -p /tmp/hog
	mount -t tmpfs -o size=100% none /tmp/hog
	n=0
	while left=$(awk '/^MemAvailable/ { print $2 }' /proc/meminfo); [ $left -gt 10000 ]; do
		dd if=/dev/zero of=/tmp/hog/$((n += 1)) bs=$((left / 8))k count=1 2>/dev/null
	done
}

# no_memory: last_boot has all records, also when kptrace could not be loaded before
no_memory()
{
	echo 'p:last kpt_crash:kpt_crash_here nr=%x0:u64 p=%x1:x64' \
		>$kptrace/kprobe_events
	sleep 1
	: >$persist/trace
	echo 1 >$persist/events/kprobes/last/enable
	hits 2000
	echo 0 >$persist/events/kprobes/last/enable
	lines $persist >/tmp/before
	unload
	scarce
	! load 2>/tmp/why || say "again: WRONG: there was memory"
	umount /tmp/hog
	load
	lines $last >/tmp/after
	[ -s /tmp/before ] || say "again: WRONG: no lines"
	cmp /tmp/before /tmp/after >/tmp/diff || say "again: WRONG: $(cat /tmp/diff)," \
		"$(head -n 1 /tmp/before), $(head -n 1 /tmp/after)"
	for restrict in 0 2; do
		echo $restrict >/proc/sys/kernel/kptr_restrict
		case $restrict$(grep -c '^0 ' $last/last_boot_info) in
		00 | 2[1-9]*) ;;
		*) say "again: WRONG: addresses with kptr_restrict=$restrict" ;;
		esac
	done
	rmdir $last
}

# fresh: have new records in the memory, in /tmp/before, and kptrace not loaded
fresh()
{
	echo 'p:last kpt_crash:kpt_crash_here nr=%x0:u64 p=%x1:x64' \
		>$kptrace/kprobe_events
	echo 1 >$persist/events/kprobes/last/enable
	hits 20
	echo 0 >$persist/events/kprobes/last/enable
	lines $persist >/tmp/before
	unload
}

# load_without N: load kptrace, whose N-th allocation fails; says how many it asked for
load_without()
{
	sh -c "echo $1 >/proc/kpt_fail; exec insmod /kpt/kptrace.ko persist=0x5c000000,4M" \
		2>/tmp/why
	status=$?
	read -r asked _ </proc/kpt_fail
	echo 0 >/proc/kpt_fail
	return $status
}

# compare WHEN: last_boot of kptrace, which is loaded, has all records
compare()
{
	lines $last >/tmp/after
	cmp /tmp/before /tmp/after >/tmp/diff 2>&1 || say "failed: WRONG: $1: $(cat /tmp/diff)"
}

# mount_persist: mount kptrace; unload it if it could not map the memory, and then that is
# as it was
mount_persist()
{
	mount -t kptracefs none $kptrace
	[ -d $persist ] || { unload && false; }
}

# load_with_failure N: if that succeeds, last_boot has all records, and new ones are made
load_with_failure()
{
	load_without "$1" || return
	mount_persist || return
	compare "allocation $1 of $total failed, loaded"
	fresh
}

# failed: last_boot has all records, whichever allocation has failed before: those of the
# last stages of a load fail one by one, some of the others
failed()
{
	persist=$kptrace/instances/persist
	last=$kptrace/instances/last_boot
	insmod /kpt/kpt_fail.ko
	fresh
	load_without 100000
	mount_persist
	total=$asked refused=0 n=1
	compare "without a failure"
	fresh
	while [ $n -le "$total" ]; do
		load_with_failure $n || refused=$((refused + 1))
		if [ $n -gt $((total - 30)) ]; then
			n=$((n + 1))
		else
			n=$((n + 12))
		fi
		[ $((n % 4)) = 0 ] || continue
		load
		compare "allocations before the $n. of $total failed"
		fresh
	done
	say "failed: $refused loads, each without one of $total allocations"
	load
	compare "all"
	say "failed: all"
}

# make N: define event number N
make()
{
	echo "p:fill/f$1 kpt_crash:kpt_crash_here nr=%x0:u64 p=%x1:x64" \
		>>$kptrace/kprobe_events
}

# fill N: the same, enable it, and say if its fields are not kept
fill()
{
	make $1
	echo 1 >$persist/events/fill/f$1/enable
	dmesg | tail -n 5 | grep "f$1: no room"
}

# empty N: delete it
empty()
{
	echo 0 >$persist/events/fill/f$1/enable
	echo "-:fill/f$1" >>$kptrace/kprobe_events
}

# full: of more events than there is room for, those are kept that there may be records of
full()
{
	for n in $(seq 700); do
		make $n
	done
	echo 1 >$persist/events/fill/enable
	while ! fill $((n += 1)); do
		[ $n -lt 1000 ] || say "again: WRONG: room for $n"
	done
	empty $n
	empty 1
	! fill 1001 || say "again: WRONG: no room for as many as before"
	empty 2 && empty 3 && empty 4
	fill 1002
	empty 5
	[ -e $kptrace/user_events_data ] || return
	(cd $kptrace && user_event >/dev/null) <<-END
		reg 0 0 ours u32 a
		sh echo 1 >instances/persist/events/user_events/ours/enable
		write 0 05000000
		sh echo 0 >instances/persist/events/user_events/ours/enable
	END
	fill 1003
	fill 1004
	unload
	load
	grep -q ': ours: a=0x5' $last/trace ||
		say "again: WRONG: $(grep -v '^#' $last/trace) is shown of a user event"
}

# hibernate: refused, because the image would not have the memory
hibernate()
{
	grep -qw disk /sys/power/state 2>/dev/null || return 0
	[ ! -e /sys/power/pm_test ] || echo freezer >/sys/power/pm_test
	(echo disk >/sys/power/state) 2>/tmp/why && say "again: WRONG: hibernation succeeded"
	grep -q 'resource busy' /tmp/why || say "again: WRONG: hibernation: $(cat /tmp/why)"
}

again()
{
	hibernate
	persist=$kptrace/instances/persist
	last=$kptrace/instances/last_boot
	no_memory
	full
	say "again: all"
}

# ramoops: load it for a part of the memory
ramoops()
{
	rmmod ramoops 2>/dev/null
	insmod /kpt/boot/ramoops.ko mem_address=0x5c100000 mem_size=0x100000 \
		record_size=0x20000 mem_type=1
}

# claim: nobody else has the memory of persist, and it has none of somebody else
claim()
{
	persist=$kptrace/instances/persist
	grep -q '5c000000-5c3fffff : kptrace' /proc/iomem ||
		say "claim: WRONG: not in /proc/iomem"
	ramoops
	! grep -q ramoops /proc/iomem || say "claim: WRONG: ramoops has it, too"
	unload
	! grep -q kptrace /proc/iomem || say "claim: WRONG: still in /proc/iomem"
	ramoops
	grep -q ramoops /proc/iomem || say "claim: WRONG: ramoops has not got it"
	load
	[ ! -d $persist ] || say "claim: WRONG: kptrace has it, too"
	dmesg | grep -q 'persist=0x5c000000,4M: somebody else has it' ||
		say "claim: WRONG: $(dmesg | grep persist= | tail -n 1)"
	unload
	rmmod ramoops
	load
	[ -d $persist ] || say "claim: WRONG: not taken afterwards"
	say "claim: all"
}

# assign: the task that fills in a record dies; what waits for that record goes on
assign()
{
	echo 0 >/proc/sys/kernel/panic_on_oops
	insmod /kpt/kpt_target.ko
	nine=$kptrace/events/kpt_target/kpt_target_nine
	if [ ! -e $nine/enable ]; then
		echo 'skip: this kernel has no tracepoints'
		exit 0
	fi
	echo 'p:last kpt_crash:kpt_crash_here nr=%x0:u64' >$kptrace/kprobe_events
	# The ring has room, so the record is filled in there.
	echo 1 >$kptrace/events/kprobes/last/enable
	hits 10
	echo 0 >$kptrace/events/kprobes/last/enable
	echo 1 >$nine/enable
	echo 1 >$kptrace/events/sched/sched_switch/enable
	# It dies with the lock of that file. The other CPU waits for records of this one.
	taskset 1 sh -c 'echo call trace_bad >/proc/kpt_target'
	taskset -p 2 $$ >/dev/null
	dmesg | grep -q 'Internal error: Oops' || say "assign: WRONG: nothing has died"
	echo 1 >$kptrace/events/kprobes/last/enable
	: >$kptrace/trace
	taskset 1 sh -c "echo 7 >$crash/hits"
	echo 0 >$kptrace/events/kprobes/last/enable
	[ "$(grep -c ': last: ' $kptrace/trace)" = 7 ] ||
		say "assign: WRONG: $(grep -c ': last: ' $kptrace/trace) hits"
	grep -q '\[000\] .* sched_switch: ' $kptrace/trace ||
		say "assign: WRONG: no static event is recorded"
	say "assign: all"
	# Newer kernels would wait for the end of that tracepoint for ever.
	sysrq b
}

echo on >/proc/sys/kernel/printk_devkmsg
case $1 in reboot | claim) needs_pstore=1 ;; *) needs_pstore='' ;; esac
if [ "$needs_pstore" ] && ! grep -qw pstore /proc/filesystems; then
	echo 'skip: this kernel has no pstore'
	exit 0
fi
[ "$1" != reboot ] || ! kept || exit 0
case $1 in persist | reset) ! recovered "$1" || exit 1 ;; esac
[ ! -e /proc/sys/kernel/sysrq ] || echo 1 >/proc/sys/kernel/sysrq
mount -t kptracefs none $kptrace
insmod /kpt/kpt_crash.ko
case $1 in bits | again | failed | claim | assign)
	"$1"
	exit 1 ;;
esac
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
persist | reset)
	echo 1 >$kptrace/instances/persist/events/kprobes/last/enable ;;
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
	sysrq c ;;
stack)
	expect 50
	mkdir $kptrace/instances/other
	echo 'p:deep kpt_crash:kpt_crash_deep nr=%x0:u64' >>$kptrace/kprobe_events
	echo 1 >$kptrace/instances/other/events/kprobes/deep/enable
	echo 1 >$crash/deep ;;
persist)
	expect 50 $kptrace/instances/persist
	if has_clean; then
		echo 'p:clean arch_wb_cache_pmem bytes=%x1:u64' >>$kptrace/kprobe_events
		echo 1 >$kptrace/instances/persist/events/kprobes/clean/enable
	fi
	sysrq c ;;
reset)
	expect 50 $kptrace/instances/persist
	# Not even notifiers of a reboot are called.
	sync
	sysrq b ;;
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
	taskset -p 2 $$ >/dev/null
	sysrq c ;;
esac
