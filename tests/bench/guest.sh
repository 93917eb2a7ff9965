#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# guest.sh time|count: the part of the bench that runs in the guest, with the
# kernel's own tracer first, while kptrace is not even loaded. Prints lines for
# tests/bench/run, fields separated by '|':
#
#	base|ACT|NS			calls of an act, nothing probed
#	hit|NAME|TRACER|NS		the same, with the probes of a case
#	many|STEP|TRACER|NS|STOPS	many probes, one line per step
#	read|FILE|TRACER|NS|EVENTS	reading a file
#	id|NAME|TRACER|ID		marks in the emulator's log
#	wrong|TEXT			the figures mean nothing
#
# guest.sh cpus: calls on one CPU and on all at once, and reading what they have
# recorded. Prints lines of read, and
#
#	cpus|NAME|TRACER|CPUS|NS	what one call takes; TRACER none: unprobed
#
# guest.sh read: reading only.
#
# guest.sh limits ["CASE|CASE..."]: lines of base and hit, of kptrace alone. Without CASE also,
# and with "steps" only
#
#	step|NAME|NS			what a command takes
#
# guest.sh many: many probes only, as many as $many says.
#
# guest.sh where CASE: for tests/bench/where, one call of that case. Prints
#
#	ready|TRACER			in a few seconds it is called
#	done|TRACER|			it was
#
# guest.sh where "read FILE": likewise for reading 500 records of that file, where
#
#	done|TRACER|RECORDS		they were read
#
# guest.sh lines: for tests/bench/lines, with three CPUs: hits on the first two by turns, and on
# the third a reader of those of the first. Prints ready and done, as where.
#
# guest.sh cycles "CASE|CASE...": for tests/bench/cycles, likewise calls of each case,
# and before them some of each of their acts, with nothing probed. Prints base, hit with the act at its end, and
#
#	done|TRACER|NAME		it was; of TRACER none: all acts were
#
# At the end of all three
#
#	symbol|ADDRESS|NAME		all of /proc/kallsyms, by address

mode=$1
case=$2
here=/kpt/bench
target=/proc/kpt_target
builtin=/sys/kernel/tracing
kptrace=/sys/kernel/kptrace
jump=/sys/module/kptrace/parameters/jump

# As in the module: calls of one block, and blocks.
calls=1000
blocks=64
marked_calls=100
many=${many:-1000}
events=5000
size=64k
id=0

# ask WORDS: a command to the target module; its result in $answer
ask()
{
	answer=
	echo "$*" >$target && read -r answer <$target
}

# trimmed FILE: lines of a table, without comments and blanks around '|'
trimmed()
{
	sed -e '/^#/d' -e '/^ *$/d' -e 's/ *| */|/g' "$1"
}

define()
{
	ask where
	middle=$answer
	ask word
	echo "$1" | sed -e 's/ *; */\n/g' -e "s/@MID@/$middle/g" -e "s/@WORD@/@$answer/g" >/tmp/defs
	cat /tmp/defs >>dynamic_events
}

# own_event DEFINITION: the static event for the tracepoint of a t definition, if this
# tracer has no such definitions; or of "static GROUP/EVENT"
own_event()
{
	case $1 in
	static*) ;;
	t*) ! grep -qF 't[:[<group>/][<event>]]' README || return 1 ;;
	*) return 1 ;;
	esac
	# shellcheck disable=SC2086 # words
	set -- $1
	own=events/$2/enable
	case $1 in
	t*) own=events/kpt_target/$2/enable ;;
	esac
	[ ! -d /sys/module/kptrace ] ||
		echo 1 >/sys/module/kptrace/parameters/static_events
	[ -f "$own" ]
}

# each FILE TEXT: write the text to that file of each event
each()
{
	for file in events/bench/*/"$1"; do
		echo "$2" >"$file" || return 1
	done
}

# pair: a record of synthetic/pair for each pair of e and f; pair off: no more
start='hist:keys=common_pid:ts0=common_timestamp'
# shellcheck disable=SC2016 # a variable of the histogram
end='hist:keys=common_pid:lat=common_timestamp-$ts0:onmatch(bench.e).pair($lat)'
pair()
{
	if [ "$1" = off ]; then
		echo 0 >events/synthetic/enable
		echo "!$end" >events/bench/f/trigger
		echo "!$start" >events/bench/e/trigger
		echo '!pair' >>synthetic_events
		return
	fi
	echo 'pair u64 lat' >>synthetic_events || return 1
	echo "$start" >events/bench/e/trigger || return 1
	echo "$end" >events/bench/f/trigger || return 1
	echo 1 >events/synthetic/enable
}

# listen [-n 1]: count the hits of event e by perf, or take a sample of each
listen()
{
	type=2
	[ ! -d /sys/module/kptrace ] ||
		type=$(cat /sys/bus/event_source/devices/kptrace/type) || return 1
	mkfifo /tmp/listen
	# shellcheck disable=SC2086 # words
	perf_listen -a -m 1024 -t "$type" $1 "$(cat events/bench/e/id)" \
		sh -c 'echo >/tmp/listen; read -r _ </tmp/listen' >/tmp/listened &
	listener=$!
	read -r _ </tmp/listen
}

set_up()
{
	own=
	case $1 in
	handler*)
		# Only kptrace has them.
		[ "$tracer" != builtin ] || return 1
		insmod $here/../kpt_handlers.ko kind="${1#* }"
		return ;;
	tracer*)
		also=${3#do }
		# shellcheck disable=SC2086 # words
		set -- $1
		grep -qw "$2" available_tracers || return 1
		echo "$3" >set_ftrace_filter || return 1
		echo "$2" >current_tracer
		${also:-:}
		return ;;
	esac
	if own_event "$1"; then
		echo 1 >"$own"
		return
	fi
	[ "$3" != 'no stub' ] || stubs 0 || return 1
	define "$1" || return 1
	[ -z "$2" ] || each filter "$2" || return 1
	case $3 in
	'' | full | 'no stub' | 'do '*) ;;
	off) echo 0 >tracing_on ;;
	clock*) echo "${3#clock }" >trace_clock || return 1 ;;
	pair) pair || return 1 ;;
	perf*) listen "${3#perf}" || return 1; return ;;
	limit*) each limit "${3#limit }" || return 1 ;;
	alone*) each trigger "${3#alone }" || return 1; return ;;
	*) each trigger "$3" || return 1 ;;
	esac
	[ "$3" != full ] || echo 64 >buffer_size_kb
	echo 1 >events/bench/enable
	case $3 in
	'do '*) eval "${3#do }" || return 1 ;;
	esac
}

# stubs 0|1: may points that are made now have stubs?
stubs()
{
	[ -d /sys/module/kptrace ] && echo "$1" >${jump%jump}stub || return 1
	[ "$1" = 1 ] || read -r jumps <$jump
	[ "$1" = 1 ] && echo "$jumps" >$jump || echo 0 >$jump
}

# instances N: record into N instances more
instances()
{
	while [ "$1" -gt 0 ]; do
		mkdir "instances/bench$1" || return 1
		echo 1 >"instances/bench$1/events/bench/enable" || return 1
		set -- $(($1 - 1))
	done
}

# tracer_too NAME: that tracer in an instance, too
tracer_too()
{
	mkdir instances/bench1 || return 1
	# Behind a name may be the module.
	cut -d ' ' -f 1 set_ftrace_filter >instances/bench1/set_ftrace_filter
	echo "$1" >instances/bench1/current_tracer
}

# trigger TEXT: a trigger of event e
trigger()
{
	# One behind the other: a file that is truncated has no histograms any more.
	echo "$1" >>events/bench/e/trigger && echo "$1" >>/tmp/triggers
}

# no_room: the buffer is full, and what comes is lost
no_room()
{
	echo 64 >buffer_size_kb
	echo 0 >options/overwrite
	for _ in $(seq 100); do
		printf '%1000s' '' >trace_marker
	done
	# Then there are counters for what is lost.
	echo 0 >events/bench/enable
	echo 1 >events/bench/enable
}

# undo: what commands of cases may have set
undo()
{
	while read -r text; do
		echo "!$text" >>events/bench/e/trigger
	done </tmp/triggers
	: >/tmp/triggers
	if [ "$(cat options/overwrite)" = 0 ]; then
		echo 1 >options/overwrite
		echo 1408 >buffer_size_kb
	fi
	for file in instances/bench*; do
		[ ! -d "$file" ] || rmdir "$file"
	done
	[ -z "$(cat set_event_pid)" ] || echo >set_event_pid
	echo local >trace_clock
}

tear_down()
{
	! grep -q '^kpt_handlers ' /proc/modules || rmmod kpt_handlers
	grep -qx nop current_tracer || {
		echo nop >current_tracer
		echo >set_ftrace_filter
	}
	[ ! -d events/bench ] || echo 0 >events/bench/enable
	case $1 in
	hist:* | stacktrace* | traceoff* | alone*) each trigger "!${1#alone }" ;;
	perf*)
		[ ! -p /tmp/listen ] || {
			echo >/tmp/listen
			wait "$listener"
			rm /tmp/listen
		} ;;
	pair) pair off ;;
	full) echo 1408 >buffer_size_kb ;;
	clock* | 'do '*) undo ;;
	esac
	[ ! -f "$own" ] || echo 0 >"$own"
	echo >dynamic_events
	[ "$1" != 'no stub' ] || stubs 1
	echo >trace
	echo 1 >tracing_on
}

# check_hits NAME CALLS DEFINITIONS: has each probe counted every call? Where that is
# not shown: were there as many records?
check_hits()
{
	want=$(($(wc -l <kprobe_events) * $2))
	got=$(awk '{ n += $2 } END { print n + 0 }' kprobe_profile)
	case $3 in
	t* | static* | 'f:bench/e kpt_target_two '* | w:bench/e*)
		want=$2
		got=$(awk '/^(entries|overrun):/ { n += $2 } END { print n + 0 }' \
			per_cpu/cpu*/stats) ;;
	esac
	# Other tasks are switched, and open files, too.
	case $3 in
	handler*)
		want=$2
		got=$(cut -d' ' -f1 \
			/sys/module/kpt_handlers/parameters/counts) ;;
	'tracer function_graph '*) got=$((got / 2)) ;;
	'static sched/'* | 'static syscalls/'*)
		[ "$got" -lt "$want" ] || got=$want ;;
	esac
	[ "$got" = "$want" ] || echo "wrong|$1, $tracer: $got hits, not $want"
}

# one_case NAME ACT DEFINITIONS FILTER EXTRA
one_case()
{
	if ! set_up "$3" "$4" "$5" 2>/dev/null; then
		tear_down "$5" 2>/dev/null
		return
	fi
	"case_$mode" "$@"
	tear_down "$5"
}

case_count()
{
	id=$((id + 1))
	ask marked "$2" $marked_calls $id
	echo "id|$1|$tracer|$id"
	check_hits "$1" $marked_calls "$3"
}

case_time()
{
	[ "$5" != full ] || ask bench "$2" $calls $blocks
	ask bench "$2" $calls $blocks
	echo "hit|$1|$tracer|$answer"
	[ "$5" = full ] || check_hits "$1" $((calls * blocks)) "$3"
}

case_limits() { case_time "$@"; }

idle_ticks() { awk '/^cpu / { print $5 }' /proc/stat; }

# settle: wait until nothing runs, such as the kernel's tests of itself after the boot: the
# log has every instruction, and a busy second has a thousand million
settle()
{
	for second in $(seq 60); do
		before=$(idle_ticks)
		sleep 1
		[ $(($(idle_ticks) - before)) -lt 90 ] || return 0
	done
	echo "wrong|busy for $second seconds, $tracer"
}

# logged NAME CALLS ACT...: calls of each act in the emulator's log. The host needs a
# moment to turn that on and off.
logged()
{
	what=$1
	logged_calls=$2
	shift 2
	settle
	echo "ready|$tracer"
	sleep 3
	for act; do
		ask marked "$act" "$logged_calls" 1
	done
	echo "done|$tracer|$what"
	sleep 2
}

case_where()
{
	ask bench "$2" 10 1
	logged '' 1 "$2"
}

# The first call after a while has more to do: the built-in tracer records how long.
case_cycles()
{
	ask bench "$2" $calls $blocks
	echo "hit|$1|$tracer|$answer|$2"
	logged "$1" 3 "$2"
}

# chosen [NAME|NAME...]: the lines of every case, or of those
chosen()
{
	trimmed $here/cases | while read -r line; do
		case "|$1|" in
		'||' | *"|${line%%|*}|"*) echo "$line" ;;
		esac
	done
}

# bases: every act of the chosen cases without any probe
bases()
{
	acts=$(chosen "$case" | cut -d'|' -f2 | sort -u)
	for act in $acts; do
		ask bench "$act" $calls $blocks
		echo "base|$act|$answer"
	done
	tracer=none
	# shellcheck disable=SC2086 # words
	[ "$mode" != cycles ] || logged '' 3 $acts
}

# cases [NAME|NAME...]: every case, or those
cases()
{
	chosen "$1" | while IFS='|' read -r name act defs filter extra; do
		one_case "$name" "$act" "$defs" "$filter" "$extra"
		echo "$id" >/tmp/id
	done
	id=$(cat /tmp/id)
}

# stops: how often the machine was stopped. For each stop each CPU's migration
# thread runs once, and with one CPU nothing else wakes it.
stops()
{
	awk '/^voluntary_ctxt/ { print $2 }' "/proc/$migration/status"
}

# step NAME COMMAND...: how long a command takes, how often the machine stops
step()
{
	name=$1
	shift
	stops_before=$(stops)
	ask now
	before=$answer
	"$@" || echo "wrong|$name, $tracer"
	ask now
	echo "many|$name|$tracer|$((answer - before))|$(($(stops) - stops_before))"
}

define_many() { dd if=/tmp/many of=kprobe_events bs=1M 2>/dev/null; }
enable_many() { echo "$1" >events/many/enable; }
remove_many() { echo >kprobe_events; }

# What functions begin with that have little to do here.
idle_code="tcp udp inet ip ipv6 fib nf net pci usb scsi acpi drm crypto clk of phy
	device pm dma iommu arm kvm bpf btf audit sk skb sock xfrm neigh rtnl
	ethtool efi gpio gpiod i2c spi mmc regulator hid input serial bio md ata
	nvme cgroup cpufreq thermal power regmap reset pinctrl security selinux aa
	tomoyo key asn1 aead sha ring perf genl netlink nl ping raw igmp ndisc
	addrconf icmp icmpv6 snd fb vc con swap hugetlb shmem ksm zswap io aio
	proc sysfs kernfs quota dquot fanotify inotify posix nfs rpc svc xdr"

# accepts TREE DEFINITION: is there such a tracer now, and does it refuse?
accepts()
{
	[ ! -f "$1/kprobe_events" ] || echo "$2" >>"$1/kprobe_events"
}

# choose_many: definitions of functions that hardly run here, with one name
# each, which whoever is there takes
choose_many()
{
	awk -v words="$idle_code" '
	BEGIN {
		split(words, word)
		for (n in word)
			idle[word[n]]
	}
	$2 ~ /^[tT]$/ && NF == 3 { seen[$3]++ }
	END {
		for (s in seen) {
			prefix = substr(s, 1, index(s, "_") - 1)
			if (seen[s] == 1 && prefix in idle)
				print s
		}
	}' /proc/kallsyms | sort >/tmp/names
	: >/tmp/many
	chosen=0
	while [ $chosen -lt "$many" ] && read -r name; do
		accepts $builtin "p:many/$name $name" || continue
		accepts $kptrace "p:many/$name $name" || continue
		echo "p:many/$name $name" >>/tmp/many
		chosen=$((chosen + 1))
	done </tmp/names 2>/dev/null
	for tree in $builtin $kptrace; do
		! cd "$tree" || [ ! -f kprobe_events ] || remove_many
	done
	[ $chosen = "$many" ] || echo "wrong|only $chosen functions to probe"
}

# many_probes TRACER TREE
many_probes()
{
	tracer=$1
	[ -s /tmp/many ] || choose_many
	cd "$2" 2>/dev/null && [ -f kprobe_events ] || return
	step define define_many
	step enable enable_many 1
	step disable enable_many 0
	step remove remove_many
}

# timed NAME COMMAND...: how long a command takes
timed()
{
	name=$1
	shift
	# What the kernel does later for commands before is not this one's.
	sleep 1
	ask now
	before=$answer
	"$@" || echo "wrong|$name"
	ask now
	echo "step|$name|$((answer - before))"
}

graph_on() { echo function_graph >current_tracer; }
enable_all() { echo 1 >events/many/enable; }

# Steps that arm many places, or one place many times.
arm_steps()
{
	cd $kptrace || return
	cat available_filter_functions >/dev/null
	echo kpt_target_two >set_graph_function
	timed 'function_graph with set_graph_function' graph_on
	echo nop >current_tracer
	echo >set_graph_function
	for n in $(seq 500); do
		echo "p:many/e$n kpt_target_two %x0"
	done >kprobe_events
	timed '500 events at one place' enable_all
	enable_many 0
	remove_many
}

entries() { awk '/^entries/ { print $2 }' per_cpu/cpu0/stats; }

# reading FILE [READS [WRITERS [WAY]]]: ns to read $events events, over those to read nothing.
# With READS of $size bytes, only so many: that file has no end. WRITERS CPUs have recorded them.
# WAY is read, or one of raw_drain, of READS pages. $also is another event there, in turn.
reading()
{
	[ -e "$1" ] || return
	define "p:bench/e kpt_target:kpt_target_two %x0 %x1${also:+;$also}"
	echo 1 >events/bench/enable
	if [ -z "$3" ]; then
		ask call two $events
	else
		ask threads "$3" two $((events / $3))
	fi
	echo 0 >tracing_on
	# What the kernel does later, such as to free what is not used, is not reading.
	sleep 1
	drained=y
	ask now
	before=$answer
	drain "${4:-read}" /dev/null "${2:+0}"
	ask now
	none=$((answer - before))
	before=$answer
	drain "${4:-read}" "$1" "$2" || drained=
	ask now
	read=$((events / ${3:-1} * ${3:-1}))
	[ -z "$also" ] || read=$((2 * read))
	[ -z "$2" ] || read=$((read - $(entries)))
	how=${2:+, $size at once}
	[ -z "$4" ] || how=", $4"
	[ -z "$also" ] || how="$how, two events in turn"
	[ -z "$drained" ] ||
		echo "read|${1##*/}$how${3:+, $3 wrote}|$tracer|$((answer - before - none))|$read"
	tear_down ''
}

# drain WAY FILE [READS]: see reading
drain()
{
	case $1 in
	read) dd if="$2" of=/dev/null bs=$size ${3:+count=$3} 2>/dev/null ;;
	*) raw_drain "$1" "$2" "$3" 2>/dev/null ;;
	esac
}

# Records of two registers fill 265 pages; the built-in tracing reads one at a time.
reading_raw()
{
	events=30000
	size=4096
	reading per_cpu/cpu0/trace_pipe_raw 240
	events=17000
	also='p:bench/also kpt_target:kpt_target_two %x0'
	reading per_cpu/cpu0/trace_pipe_raw 240
	also=
	events=30000
	size=64k
	reads=15
	[ "$tracer" != builtin ] || reads=240
	reading per_cpu/cpu0/trace_pipe_raw $reads
	# The built-in tracing waits for that much, also when nothing more comes.
	echo 0 >buffer_percent
	reading per_cpu/cpu0/trace_pipe_raw 240 '' splice
	reading per_cpu/cpu0/trace_pipe_raw 240 '' map
	echo 50 >buffer_percent
	events=5000
}

# reading_where FILE [PAGES]: the reading between calls of a target function, after
# the same of nothing
reading_where()
{
	[ -e "$1" ] || return
	define 'p:bench/e kpt_target:kpt_target_two %x0 %x1'
	echo 1 >events/bench/enable
	ask call two $events
	echo 0 >tracing_on
	each enable 0
	size=64k
	[ -z "$2" ] || size=4096
	echo "ready|$tracer"
	sleep 3
	for file in /dev/null "$1"; do
		ask call two 1
		dd if="$file" of=/dev/null bs=$size ${2:+count=$2} 2>/dev/null
	done
	ask call two 1
	read=$events
	[ -z "$2" ] || read=$((events - $(entries)))
	echo "done|$tracer|$read"
	sleep 2
	tear_down ''
}

# hits NUMBER: so many on each of the first two CPUs
hits()
{
	for cpu in 0 1; do
		echo "$1" >/tmp/hits$cpu
		read -r answer </tmp/hits
	done
}

# What writes, reads and tells the other to stays the same process, on a CPU of its own: what
# it alone has is then in cache lines of that CPU.
lines()
{
	define 'p:bench/e kpt_target:kpt_target_two %x0 %x1'
	echo 1 >events/bench/enable
	writers=
	mkfifo /tmp/hits
	exec 7<>/tmp/hits
	for cpu in 0 1; do
		mkfifo /tmp/hits$cpu
		# shellcheck disable=SC2016 # of that shell
		taskset $((1 << cpu)) sh -c 'while read -r n; do
			echo "call two $n" >'$target'; echo >/tmp/hits; done' <>/tmp/hits$cpu &
		writers="$writers $!"
	done
	hits 100
	exec 8<per_cpu/cpu0/trace_pipe
	echo "ready|$tracer"
	sleep 3
	for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15; do
		hits 40
		taskset 4 dd bs=4096 count=1 <&8 >/dev/null 2>&1
	done
	sleep 2
	echo "done|$tracer|"
	sleep 2
	exec 7<&- 8<&-
	# shellcheck disable=SC2086 # words
	kill $writers
	rm /tmp/hits*
	tear_down ''
}

# on_cpus NAME ACT: that many calls on the first CPU, then on each at once. All
# CPUs share the emulator's clock, so that it counts the instructions of all.
on_cpus()
{
	for cpus in 1 $(nproc); do
		ask now
		before=$answer
		ask threads "$cpus" "$2" $events
		ask now
		echo "cpus|$1|$tracer|$cpus|$(((answer - before) / (cpus * events)))"
	done
}

all_on_cpus()
{
	for probed in two mid none six; do
		echo "p:bench/$probed kpt_target:kpt_target_$probed %x0 %x1"
	done 2>/dev/null >kprobe_events
	echo 1 >events/bench/enable
	on_cpus 'the same probe' two
	on_cpus 'a probe for each CPU' by_cpu
	tear_down ''
	for file in trace trace_pipe; do
		reading "$file" '' 1
		reading "$file" '' "$(nproc)"
	done
}

tracer_run()
{
	tracer=$1
	cd "$2" || return
	[ -f kprobe_events ] || return
	case $mode in
	many) return ;;
	cpus) all_on_cpus; return ;;
	lines) lines; return ;;
	esac
	case $case in
	'read '*raw) events=5000 reading_where "${case#read }" 30; return ;;
	'read '*) events=500 reading_where "${case#read }"; return ;;
	esac
	[ "$mode" = read ] || cases "$case"
	[ "$mode" = time ] || [ "$mode" = read ] || return
	reading trace
	reading trace_pipe
	reading_raw
}

: >/tmp/triggers
insmod $here/../kpt_target.ko || exit
migration=$(ps | awk '$NF == "[migration/0]" { print $1 }')
case $mode in
time | cycles | limits) bases ;;
esac
if [ "$mode" = cpus ]; then
	tracer=none
	on_cpus 'the same probe' two
	on_cpus 'a probe for each CPU' by_cpu
fi
[ "$mode" = limits ] || tracer_run builtin $builtin
if [ -f /kpt/kptrace.ko ]; then
	insmod /kpt/kptrace.ko || exit
	[ -f $kptrace/kprobe_events ] ||
		mount -t kptracefs none $kptrace || exit
	tracer_run kptrace $kptrace
	case $mode$case in
	limits | limitssteps) arm_steps ;;
	esac
	# Both are there: the same probes for both.
	if [ "$mode" = time ] || [ "$mode" = many ]; then
		many_probes builtin $builtin
		many_probes kptrace $kptrace
	fi
	if [ "$mode" = time ] || [ "$mode" = count ]; then
		echo 0 >$jump
		tracer=brk
		cd $kptrace && cases
		echo 1 >$jump
	fi
	# What kptrace does to the exceptions of others, when idle.
	if [ "$mode" = time ] && cd $builtin && [ -f kprobe_events ]; then
		tracer=idle
		cases 'entry, two registers'
	fi
	case $mode in
	where | cycles | lines)
		sort /proc/kallsyms | awk '{ print "symbol|" $1 "|" $3 }' ;;
	esac
	cd /
	umount $kptrace
fi
cd /
rmmod kpt_target
