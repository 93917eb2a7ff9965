# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh disable=SC2154,SC2034 # variables of the other files
#
# The subcommands. Each gets the COMMAND as parameters; $first and $second are its
# operands.

# read_records NAME [ARGUMENT...]: show the records by NAME.awk, which sees each line at
# once; or by the reader, if that was compiled for this machine and does what NAME.awk does
read_records()
{
	program=$1
	shift
	# Some shells, which awk starts, complain about a mount that no path leads to.
	export LC_ALL=C PWD=/proc/self/cwd
	! { "$lib/reader/reader" "$program" </dev/null; } >/dev/null 2>&1 ||
		become "$lib/reader/reader" "$program" max="$max" tracing="$own/tracing_on" \
			alive="$work/alive" json="$json" named="$named" times="$times" \
			stack="$stack" many="$many" nobody="$nobody" html="$html"
	[ -z "$is_mawk" ] || set -- -W interactive "$@"
	become awk "$@" -v max="$max" -v tracing="$own/tracing_on" -v alive="$work/alive" \
		-v json="$json" -v named="$named" -v times="$times" -v stack="$stack" \
		-v many="$many" -v nobody="$nobody" -v html="$html" \
		-f "$lib/record.awk" -f "$lib/json.awk" -f "$lib/$program.awk"
}

# No cat: that of busybox splices, and then holds the pipe that it writes to while it waits
# for records.
show_lines()
{
	[ -n "$max$json$named" ] || become dd bs=65536 2>/dev/null
	read_records lines
}

show_perfetto() { read_records perfetto; }

# name_tasks: our events get the processes and the names of tasks at the hit as their last arguments
name_tasks()
{
	# trace-cmd keeps names in its own way.
	[ -n "$output" ] || named=' tgid__=$tgid comm__=$comm'
}

# grow_buffer: enough for hits that come faster than a reader can show them, for a while: on each
# CPU up to 8 MiB, of all no more than a 64th of the memory that is available
grow_buffer()
{
	available=0
	while read -r key value _; do
		[ "$key" != MemAvailable: ] || available=$value
	done </proc/meminfo
	set -- "$own"/per_cpu/cpu*
	size=$((available / 64 / $#))
	[ $size -le 8192 ] || size=8192
	[ $size -le 1408 ] || echo $size >"$own/buffer_size_kb"
}

# record COMMAND...: show the records of the events that are defined
record()
{
	reader=${reader:-show_lines}
	[ -z "$perfetto" ] || reader=show_perfetto
	if [ -n "$output" ]; then
		reader=write_records
		# The list of tasks has those with their children.
		all_of "$wanted" "common_pid != $$"
		wanted=$all
	fi
	set_filters
	find_mawk
	grow_buffer
	watch "$@"
}

# find_mawk: is that awk? It has to be told to take each line at once.
find_mawk()
{
	case $(awk -W version 2>&1 </dev/null) in
	mawk*) is_mawk=1 ;;
	*) is_mawk='' ;;
	esac
}

# write_records: by trace-cmd, which reads the rings itself, and removes filters that it
# has not set. It begins when nobody records what it does.
write_records()
{
	until [ -n "$(cat "$own/set_event_notrace_pid" "$own/set_event_pid")" ]; do
		[ -d "$own" ] || exit
		sleep 0.1
	done
	PATH=$lib:$lib/../scripts:$PATH
	cd "$here" || exit
	exec with-kptrace trace-cmd record -q -B "$name" -e "$name" \
		${wanted:+-f "$wanted"} -o "$output" >/dev/null
}

ask_trace()
{
	session_begin
	static=''
	IFS=$newline
	set -f
	for operand in $operands; do
		unset IFS
		case $operand in
		*[[:space:]]*) define "$operand" ;;
		t:*) define_at p "${operand#t:}" "$operand" ;;
		*)
			find_events "$operand" ||
				die "no event $operand; a definition has a blank: 'p vfs_read'"
			static=$static$found
			set -f ;;
		esac
	done
	unset IFS
	set +f
	if [ -n "$static" ]; then
		[ -z "$output" ] ||
			die '-o: not with events of the kernel: trace-cmd record -e has them'
		[ -d "$own/events/$name" ] || enabled=''
		events=$events$static enabled=$enabled$static
	fi
	[ -n "$static" ] || [ -d "$own/events/$name" ] || die 'nothing is defined'
	record "$@"
}

# split_by: set $by_key, what a histogram has as its first key because of --by, $by_arg, what its
# event needs for that, and $by_field, the key of an event that we have not defined
split_by()
{
	by_key='' by_arg='' by_field=''
	# shellcheck disable=SC2016 # of the definition
	case $by in
	'') return ;;
	comm) by_key=comm, ;;
	tid) by_key=common_pid.execname, columns=common_pid::TASK$newline$columns ;;
	cpu) by_key=common_cpu, ;;
	pid) by_key=common_tgid, columns=common_tgid::PID$newline$columns ;;
	uid | cgroup) by_key=common_$by, ;;
	*) by_key=by, by_arg=" by=$by" columns=by::${by%%:*}$newline$columns ;;
	esac
	by_field=${by_arg:+$by,}
	by_field=${by_field:-$by_key}
}

# can_probe PLACE: print what the tree says about it; end if it cannot be probed
can_probe()
{
	# One open file for question and answer; a subshell, as refused writes end it.
	answer=$(exec 3<>can_probe && echo "$1" >&3 && cat <&3) || exit 1
	printf '%s\n' "$answer"
	case $answer in
	*'probe: yes'*) ;;
	*)
		why=$(printf '%s\n' "$answer" | sed -n 's/^reason: //p')
		near=$(printf '%s\n' "$answer" | sed -n 's/^similar: //p')
		case $why in
		'Invalid probed address or symbol') die "$(why_not "$1" "$near")" ;;
		esac
		die "$1: $why" ;;
	esac
}

ask_args()
{
	quiet=1
	enter_tree
	one_function "$first"
	answer=$(can_probe "$first") || exit 1
	printf '%s\n' "$answer" |
		LC_ALL=C awk -v function_="$first" -v json="$json" -f "$lib/json.awk" \
			-f "$lib/args.awk" | to_output
	status=$?
}

# entry_arguments FUNCTION: arguments of a return probe that has those of the call;
# without types of the kernel, the first four registers
entry_arguments()
{
	one_function "$1"
	answer=$(can_probe "$1") || exit 1
	case $answer in
	*'prototype: unknown'*)
		# shellcheck disable=SC2016 # of the definition
		echo 'arg1=$arg1 arg2=$arg2 arg3=$arg3 arg4=$arg4' ;;
	*)
		printf '%s\n' "$answer" |
			awk -v at_return=1 -f "$lib/json.awk" -f "$lib/args.awk" ;;
	esac
}

# answer NAME=VALUE...: print the histograms of the session
answer()
{
	for set; do
		shift
		set -- "$@" -v "$set"
	done
	files_of hist_escaped
	# shellcheck disable=SC2086 # files
	LC_ALL=C KPT_COLUMNS=$columns awk "$@" -v svg="$svg" -v json="$json" -v html="$html" \
		-v top="$top" -v width="$width" -v colour="$colour" -f "$lib/record.awk" \
		-f "$lib/json.awk" -f "$lib/formats.awk" -f "$lib/answer.awk" $files
}

# is_pattern PLACE: may it be several functions?
is_pattern()
{
	case $1 in
	t:*) return 1 ;;
	*[][*?,]*) ;;
	*) return 1 ;;
	esac
}

# no_event PLACE: end if it is an event or a tracepoint
no_event()
{
	case $1 in
	t:*) die "$1 is a tracepoint, no function" ;;
	esac
	! find_events "$1" || die "$1 is an event, no function"
}

# one_function PLACE: end if it is something else
one_function()
{
	! is_pattern "$1" || die "$1 is a pattern, no function"
	no_event "$1"
}

# define_at KIND EVENT PLACE [ARGUMENTS]: an event of one place, by the kind p or r; of all
# functions that match; or of the tracepoint t:NAME
define_at()
{
	if is_pattern "$3"; then
		case $1 in
		r) define "f:$2 $3%return${4:-}" ;;
		*) define "f:$2 $3${4:-}" ;;
		esac
		tell_left_out "$2" "$3"
		tell_absent "$2" "$3"
		return
	fi
	case $1,$3 in
	*,t:*[][*?]*) die "$3 is a pattern; events take one, as 'sched:sched_*'" ;;
	p,t:*) define_any "t:$name/$2 ${3#t:}${4:-}" ;;
	*)
		no_event "$3"
		define "$1:$2 $3${4:-}" ;;
	esac
}

# tell_left_out EVENT PATTERN: what of it cannot be probed; set $functions to the number of the
# others
tell_left_out()
{
	# "14 functions, 3 left out, and those of modules that come", "waits for module m", or
	# nothing if it is one function.
	has=$(grep -F "f:$name/$1 $2" dynamic_events | sed -n 's/.* # //p')
	case $has in
	waits*) has=0 ;;
	*' left out'*) left=${has%% left out*}; warn "$2: ${left##* } cannot be probed" ;;
	esac
	functions=${has%% *}
}

# tell_absent EVENT PATTERN: names in a list of which there is no function; sets $refused
tell_absent()
{
	[ "$has" != 0 ] || return 0	# it waits
	case $2 in
	*,*) ;;
	*) return ;;
	esac
	# To read what patterns match may take long.
	printf '%s\n' "${2#*:}" | tr , '\n' | grep -qv '[*?!]\|\[' || return 0
	for word in $(KPT_PATTERN=${2#*:} awk '
			{ sub(/:$/, "", $1); there[$1] }
			END {
				n = split(ENVIRON["KPT_PATTERN"], part, ",")
				for (i = 1; i <= n; i++)
					if (part[i] !~ /[][*?!]/ && !(part[i] in there))
						print part[i]
			}' "events/$name/$1/functions")
	do
		warn "$(why_not "$word" "$(similar_to "$word")")"
		refused=1
	done
}

# find_events SYSTEM:PATTERN: set $found to the kernel's own events of that name, and those that
# others have defined; fails if it means functions, as SYSTEM is a module
find_events()
{
	case $1 in
	t:*) return 1 ;;
	[!:]*:*) system=${1%%:*} ;;
	*) return 1 ;;
	esac
	[ ! -e "/sys/module/$system/initstate" ] || return 1
	static_on || :
	[ -d "events/$system" ] || return 1
	set +f
	found=''
	for dir in "events/$system"/${1#*:}; do
		[ ! -e "$dir/filter" ] || found="$found $own/$dir"
	done
	[ -n "$found" ] || die "no event $1$(meant_tracepoint "${1#*:}")"
}

# define_count EVENT FUNCTION: an event of all functions that match; $size becomes enough for
# their histogram
define_count()
{
	case $2 in
	t:*)
		# Its name is that of the row.
		(define_at p "${2#t:}" "$2" "$by_arg") || return
		armed=1
		return ;;
	esac
	(define "f:$1 $2$by_arg") || return
	armed=1
	tell_left_out "$1" "$2"
	tell_absent "$1" "$2"
	[ -n "$functions" ] || return 0
	[ "$size" -ge 2048 ] || size=2048
	[ "$size" -ge $((2 * functions)) ] || size=$((functions > 65536 ? 131072 : 2 * functions))
}

ask_count()
{
	session_begin
	armed='' size=128 event=0
	split_by
	[ -z "$by" ] || size=8192
	set -f
	# What two operands match is counted in both events.
	for function in $operands; do
		if find_events "$function"; then
			events="$events $found" armed=1
		else
			define_count "ask$((event += 1))" "$function" || refused=1
		fi
		set -f
	done
	set +f
	[ -n "$armed" ] || exit 1
	[ -d "$own/events/$name" ] || enabled=''
	check_filter
	for dir in $events; do
		case $dir in
		"$own/events/$name/ask"*) key=${by_key}__probe_ip.sym ;;
		"$own/events/$name/"*) key=${by_key}common_type ;;
		*) key=${by_field}common_type ;;
		esac
		count_in "$dir" "hist:keys=$key:size=$size"
	done
	print_answer=answer_count
	watch "$@"
}

answer_count() { answer merged=1; }

ask_latency()
{
	session_begin
	# shellcheck disable=SC2016 # of the definition
	columns=elapsed:time
	split_by
	title=$first
	if is_pattern "$first"; then
		[ -z "$svg" ] || wrong_usage '--svg: only of one function'
		title='' by_key=${by_key}__probe_func.sym,
	fi
	define_at r ask "$first" " elapsed=\$elapsed$by_arg"
	set_trigger "hist:keys=${by_key}elapsed.log2:values=elapsed${by_key:+:size=8192}"
	print_answer=answer_latency
	watch "$@"
}

answer_latency()
{
	answer title="$title" noun=calls member="${title:+function}"
}

ask_hist()
{
	session_begin
	case $second in
	*.log2) expression=${second%.log2} modifier=.log2 ;;
	*.buckets=*) expression=${second%.buckets=*} modifier=.${second##*.} ;;
	*) expression=$second modifier='' ;;
	esac
	case $expression in
	*\$retval* | *\$elapsed*) kind=r ;;
	*) kind=p ;;
	esac
	case $second in
	[$%]*-\>*) ;;
	[$%]*.*)
		[ -n "$modifier" ] ||
			die "$second: no .${second#*.}; a value may have .log2 or .buckets=N" ;;
	esac
	case $expression in
	*:s[1-9]*) columns=value:signed ;;
	esac
	case $modifier in
	.buckets=*[!0-9]* | .buckets= | .buckets=0*) die "$second: no number N in .buckets=N" ;;
	esac
	split_by
	value=value
	if find_events "$first"; then
		events=$found enabled='' by_key=$by_field
		value=${second%%.*} modifier=${second#"${second%%.*}"}
		has_field "${found#* }" "$value"
	else
		define_at $kind ask "$first" " value=$expression$by_arg"
	fi
	# Ranges in their order, values by their hits.
	case $modifier in
	.log2 | .buckets=*) modifier=$modifier:sort=$value ;;
	esac
	set_trigger "hist:keys=$by_key$value$modifier"
	print_answer=answer_values
	watch "$@"
}

answer_values() { answer noun=hits; }

# has_field DIR FIELD: end unless events of that directory have it
has_field()
{
	fields=$(sed -n 's/;[[:space:]]*offset.*//
		s/^[[:space:]]*field:.*[ *]\([A-Za-z_0-9]*\)\(\[[^]]*]\)\{0,1\}$/\1/p' \
		"${1%% *}/format")
	case "$newline$fields$newline" in
	*"$newline${2%%,*}$newline"*) ;;
	*) die "$first has no field $2; it has $(printf '%s' "$fields" | tr '\n' ' ')" ;;
	esac
}

# nanoseconds TIME: print 10ms, 1.5us, 2 s or 300 as a number
nanoseconds()
{
	case $1 in
	*ms) unit=1000000 digits=${1%ms} ;;
	*us) unit=1000 digits=${1%us} ;;
	*ns) unit=1 digits=${1%ns} ;;
	*s) unit=1000000000 digits=${1%s} ;;
	*) unit=1 digits=$1 ;;
	esac
	digits=${digits% }
	case $digits in
	'' | . | *.*.* | *[!0-9.]*) wrong_usage "$1 is no time as 10ms, 1.5us, 1 s" ;;
	esac
	awk -v digits="$digits" -v unit=$unit 'BEGIN { printf "%.0f", digits * unit }'
}

# only_slow TIME: add it to $filter
only_slow()
{
	least=$(nanoseconds "$1") || exit 2
	filter="elapsed >= $least${filter:+ && ($filter)}"
}

ask_slower()
{
	only_slow "$second${third:+ $third}"
	stack=1
	session_begin
	# Several functions have not the same arguments.
	arguments=''
	is_pattern "$first" || arguments=$(entry_arguments "$first") || exit 1
	name_tasks
	define_at r slow "$first" " elapsed=\$elapsed${arguments:+ }$arguments$named"
	record "$@"
}

# define_end EVENT DEFINITION: "KIND PLACE ARGUMENT", whose argument is the address of an object
define_end()
{
	set -f
	# shellcheck disable=SC2086 # words
	set -- "$1" $2
	set +f
	[ $# = 4 ] || wrong_usage "--from, --until: not KIND PLACE ARGUMENT, as 'p kfree \$arg1'"
	define "$2:$1 $3 object=${4#*=}"
}

# "[ACCESS@]PLACE[:LENGTH][:changes]"; of objects PLACE is +OFFSET, -OFFSET or nothing
ask_watch()
{
	session_begin
	name_tasks
	case $first in
	*@*) access=${first%%@*} place=${first#*@} ;;
	*) access=w place=$first ;;
	esac
	values="old=\$old:x64 new=\$new:x64$named"
	if [ -z "$from" ]; then
		define "w:touch $access@$place $values"
		record "$@"
		return
	fi
	adjust=${place%%:*}
	case $adjust in
	'' | [+-]*) ;;
	*) wrong_usage "--from: $adjust is not +OFFSET or -OFFSET" ;;
	esac
	# As many objects as there are registers.
	free=$(awk '/^watchpoints: [0-9]* of / { n = $4 - $2; print (n > 1 ? n : "") }' status)
	define "w$free:touch $access@-1${place#"$adjust"} $values"
	define_end from "$from"
	define_end until "$until"
	put "$own/events/$name/from/trigger" "set_wprobe:$name/touch:object$adjust"
	put "$own/events/$name/until/trigger" "clear_wprobe:$name/touch:object$adjust"
	# The triggers enable the event.
	enabled='' unfiltered='from until'
	record "$@"
}

# What a task waits in for I/O, a mutex, a semaphore, the end of another task's work.
# A kernel may have only some of them; those with "rt" and "rw" are of PREEMPT_RT.
waits='io io_schedule
io io_schedule_timeout
mutex __mutex_lock.constprop.0
mutex __mutex_lock
mutex rt_mutex_slowlock.constprop.0
mutex rt_mutex_slowlock
spinlock rtlock_slowlock_locked
read_lock rwsem_down_read_slowpath
read_lock __rwbase_read_lock
write_lock rwsem_down_write_slowpath
write_lock rwbase_write_lock
semaphore __down
semaphore __down_interruptible
completion wait_for_completion
completion wait_for_completion_timeout'

ask_blocked()
{
	only_slow "${first:-10ms}${second:+ $second}"
	stack=1
	session_begin
	name_tasks
	printf '%s\n' "$waits" | while read -r what function; do
		echo "r:$name/$what $function elapsed=\$elapsed$named" >>dynamic_events || :
	done 2>/dev/null
	[ -d "events/$name" ] || die 'this kernel has none of the functions'
	record "$@"
}

show_stacks()
{
	export title unit picture KPT_COLUMNS="$columns"
	read_records fold -f "$lib/formats.awk" -v weight="$weight" -v output="$sink" \
		-v lib="$lib" -v page="$(getconf PAGESIZE 2>/dev/null || echo 4096)"
}

# draw_stacks TITLE UNIT: set $sink to what gets folded stacks
draw_stacks()
{
	sink='LC_ALL=C sort'
	if [ -n "$svg" ]; then
		# A shell runs it: nothing of a user or of a path is part of the command.
		title=$1 unit=$2 picture=$lib/flame.awk
		# shellcheck disable=SC2016 # expanded there
		sink='LC_ALL=C sort | awk -v title="$title" -v unit="$unit" -f "$picture"'
	fi
}

# folded TITLE UNIT COMMAND...: show stacks folded or as a picture. The kernel counts them,
# so none is lost; what a histogram cannot do is done with records.
folded()
{
	draw_stacks "$1" "$2"
	shift 2
	if [ -n "$follow$max" ]; then
		echo 1 >"$own/options/stacktrace"
		if [ -n "$user" ]; then
			echo 1 >"$own/options/userstacktrace"
			echo 1 >"$own/options/sym-userobj"
		fi
		reader=show_stacks
		record "$@"
	else
		find_mawk
		stacks=${user:+common_userstacktrace,}common_stacktrace
		set_trigger "hist:keys=${by_key:-comm,}$stacks${weight:+:values=$weight}:size=16384"
		print_answer=answer_stacks
		watch "$@"
	fi
}

# In a subshell, as awk takes its place.
answer_stacks()
{
	files_of hist_escaped
	# shellcheck disable=SC2086 # files
	cat $files | (show_stacks)
}

ask_stacks()
{
	session_begin
	[ -z "$follow$max" ] || name_tasks
	columns='' weight=''
	split_by
	if [ -z "$follow$max" ] && find_events "$first"; then
		events=$found enabled='' by_key=$by_field
	else
		define_at p ask "$first" "$by_arg$named"
	fi
	folded "calls of $first" calls "$@"
}

ask_offcpu()
{
	filter="common_pid != 0${filter:+ && ($filter)}"	# idle tasks do not wait
	session_begin
	[ -z "$follow$max" ] || name_tasks
	weight=elapsed columns=elapsed:time
	split_by
	define "r:ask __schedule elapsed=\$elapsed$by_arg$named"
	folded 'time off the CPU' us "$@"
}

# What the CPUs do, a number of times a second. The task that does nothing is not of interest.
ask_profile()
{
	filter="common_pid != 0${filter:+ && ($filter)}"
	user=1
	session_begin
	[ -z "$follow$max" ] || name_tasks
	columns='' weight=''
	split_by
	define "c:ask ${first:-99}$by_arg$named"
	folded 'what the CPUs do' samples "$@"
}

ask_opens()
{
	first=opensnoop operands=''
	ask_run "$@"
}

show_execs() { read_records execs; }

ask_execs()
{
	session_begin
	name_tasks
	# Of the registers of the system calls, these words: path, array of arguments.
	for call in execve:0:8 execveat:8:16; do
		at=${call#*:} call=__arm64_sys_${call%%:*}
		array="+${at#*:}(%x0)"
		define "p:exec $call path=+u0(+${at%:*}(%x0)):ustring$(
			for n in 1 2 3 4 5 6 7 8; do
				printf ' a%s=+u0(+u%s(%s)):ustring' $n $((n * 8)) "$array"
			done) more=+u72($array):x64$named"
		# Whether it fails is known at the end, when the arguments may be gone.
		# shellcheck disable=SC2016 # of the definition
		[ -n "$output" ] || define "r:ret $call ret=\$retval:s64"
	done
	unfiltered=ret
	reader=show_execs
	record "$@"
}

ask_metrics()
{
	enter_tree
	others='kptrace_[0-9]*_'
	{
		lines_of dynamic_events event_stats per_cpu/cpu*/stats instances/*/event_stats \
			instances/*/per_cpu/cpu*/stats
		lines_of_hists '' instances/*/
	} |
		grep -v -e "^instances/$others" \
			-e "^\(instances/[^/]*/\)\{0,1\}event\(s/\|_stats:\)$others" |
		LC_ALL=C awk -v openmetrics="$openmetrics" -f "$lib/json.awk" \
			-f "$lib/metrics.awk" | to_output
	status=$?
}

# printable: what users choose, on one line
printable() { LC_ALL=C tr '\0\n' '  ' | LC_ALL=C tr -c ' -~' '?'; }

# show_session NAME PID BORN NAMESPACE: once, whose it is, and its events
show_session()
{
	case " $shown " in
	*" $1 "*) return ;;
	esac
	shown="$shown $1"
	if is_alive "$2" "$3" "$4"; then
		command=$({ printable <"/proc/$2/cmdline"; } 2>/dev/null)
		echo "kptrace $2 runs${command:+: ${command% }}"
	else
		echo "kptrace $2 is dead: kptrace clean removes what it has left"
	fi
	sed -n "s|^\([a-z]*[0-9]*:\)$1\(-exec\)\{0,1\}/|  \1|p" dynamic_events
}

# show_instance NAME DIRECTORY: what others have enabled there
show_instance()
{
	nr=$(grep -c . "$2/set_event")
	tracer=$(cat "$2/current_tracer" 2>/dev/null)
	[ "$nr,${tracer:-nop}" != 0,nop ] || return 0
	printf '%s: %s events are enabled, tracer %s, tracing_on is %s\n' "$1" "$nr" \
		"${tracer:-nop}" "$(cat "$2/tracing_on")"
}

show_status()
{
	tree=$PWD
	[ -d "$tree" ] || tree='not mounted; each kptrace mounts it for itself'
	echo "tree: $tree"
	cat status
	shown=''
	for_sessions show_session
	show_instance 'the top instance' .
	for dir in instances/*; do
		case " $shown " in
		*" ${dir#*/} "*) continue ;;
		esac
		[ ! -d "$dir" ] || show_instance "instance ${dir#*/}" "$dir"
	done
}

ask_status()
{
	enter_tree
	find_namespace
	show_status | to_output
	status=$?
}

clean_session()
{
	! is_alive "$2" "$3" "$4" || return 0
	remove "$1"
	if [ -d "instances/$1" ] || [ -d "events/$1" ]; then
		warn "cannot remove what kptrace $2 has left"
		failed=1
	else
		echo "removed what kptrace $2 has left"
	fi
}

ask_clean()
{
	enter_tree
	find_namespace
	removed=$(failed=0; for_sessions clean_session; exit $failed)
	failed=$?
	[ -n "$removed" ] || [ $failed != 0 ] || removed='nothing was left'
	printf '%s' "$removed${removed:+
}" | to_output
	status=$?
	[ "$status" != 0 ] || status=$failed
}

# The last one of all, as put() shows it.
ask_why()
{
	enter_tree
	said=$(cat error_log instances/*/error_log 2>/dev/null | LC_ALL=C awk -f "$lib/why.awk")
	case $said in
	at*) said=$(explained "$said") ;;
	esac
	printf '%s\n' "$said" | to_output
	status=$?
}

show_leaks() { read_records leaks; }

ask_leaks()
{
	stack=1
	session_begin
	# shellcheck disable=SC2016 # of the definition
	define "r:get $first ptr=\$retval:x64" "p:put $second ptr=%x0:x64"
	reader=show_leaks
	record "$@"
}

show_graph() { read_records graph; }

# each_once: print patterns that match what the operands do, but no function twice: those of the
# kernel and all modules in one, those of each module in one without the former
each_once()
{
	printf '%s' "$operands" | awk '
		{
			at = index($0, ":")
			module = substr($0, 1, at)
			pattern = substr($0, at + 1)
			if (module in list)
				list[module] = list[module] "," pattern
			else {
				order[++n] = module
				list[module] = pattern
			}
			if (module == "") {
				gsub(/,/, ",!", pattern)
				without = without ",!" pattern
			}
		}
		END {
			gsub(/,!![^,]*/, "", without)
			for (i = 1; i <= n; i++)
				print order[i] list[order[i]] (order[i] == "" ? "" : without)
		}'
}

# define_graph PATTERN: calls and returns. A call without its return would nest all that follows, so
# what can be probed at its begin only is left out. The status is 2 if not all names are functions.
define_graph()
{
	define "f:ret $1%return elapsed=\$elapsed$named" "f:call $1$named"
	tell_left_out ret "$1"
	case $has in
	0) return ;;
	esac
	returns=$functions
	tell_left_out call "$1" 2>/dev/null
	tell_absent call "$1"
	if [ "$functions" != "$returns" ]; then
		without=$(awk '
			FNR == 1 { nr_files++ }
			/: / { next }
			nr_files == 1 { there[$1] }
			nr_files == 2 && !($1 in there) && !seen[$1]++ { printf ",!%s", $1 }
			' "events/$name/ret/functions" "events/$name/call/functions")
		echo "-:$name/call $1" >>dynamic_events
		define "f:call $1$without$named"
	fi
	[ -z "$refused" ] || return 2
}

ask_graph()
{
	session_begin
	armed=''
	name_tasks
	IFS=$newline
	set -f
	for operand in $operands; do
		unset IFS
		no_event "$operand"
		set -f
	done
	IFS=$newline
	for pattern in $(each_once); do
		unset IFS
		(define_graph "$pattern")
		case $? in
		0) armed=1 ;;
		2) armed=1 refused=1 ;;
		*) refused=1 ;;
		esac
	done
	unset IFS
	set +f
	[ -n "$armed" ] || exit 1
	reader=show_graph
	record "$@"
}
