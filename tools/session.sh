# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh disable=SC2154 # variables of the other files
#
# A session: an instance and a group of events of our own, both called
# kptrace_PID_BORN_NAMESPACE, which exist as long as this process. What a process that was
# killed has left behind is removed by the next session.
#
# The tracing directory is the current one; $own is the instance in it.

# No echo for what may have backslashes: dash's changes them.
warn() { printf 'kptrace: %s\n' "$*" >&2; }
say() { [ -n "$quiet" ] || warn "$@"; }

die()
{
	warn "$@"
	exit 1
}

# mounted: print where the tree is mounted, if it is
mounted()
{
	# /proc/mounts has a backslash and three octal digits for a blank, and printf %b reads
	# them only behind a 0.
	sed 's/\\/\\0/g' /proc/mounts | while read -r _ dir type _; do
		case $type in
		kptracefs) ;;
		tracefs) grep -qs '^file system: ' "$(printf '%b' "$dir")/status" || continue ;;
		*) continue ;;
		esac
		printf '%b\n' "$dir"
		break
	done
}

# enter_tree: make the tracing directory the current one; $here is the one before.
# A mount of ours is detached at once: nobody else sees it, and it ends when no
# process of ours has its current directory there.
enter_tree()
{
	here=$PWD
	tree=${KPTRACE_DIR:-$(mounted)}
	if [ -n "$tree" ]; then
		cd "$tree" || exit
		[ -e dynamic_events ] || die "$tree is no tracing directory of kptrace"
		return
	fi
	grep -q 'kptracefs$' /proc/filesystems || why=$(modprobe kptrace 2>&1) ||
		die "the module is not loaded: insmod kptrace.ko. $why; dmesg may have the reason"
	tree=$(mktemp -d "${TMPDIR:-/tmp}/kptrace.XXXXXX") || exit 1
	if mount -t kptracefs none "$tree"; then
		cd "$tree" && umount -l "$tree"
	fi
	rmdir "$tree"
	[ -e dynamic_events ] || die 'cannot mount kptracefs'
}

# lines_of FILE...: print the lines of all files, each behind the name of its file. The
# files may be more than fit into one command line, and some may not exist any more.
lines_of() { printf '%s\0' "$@" | xargs -0 grep -H '' 2>/dev/null; }

# born PID: when it began, which tells it from a later process of the same number
born() { sed 's/.*) //' "/proc/$1/stat" 2>/dev/null | cut -d ' ' -f 20; }

# namespace: the number of our PID namespace
namespace() { readlink /proc/self/ns/pid 2>/dev/null | tr -dc 0-9; }

# Of all PID namespaces only the first sees the processes of others.
first_namespace=4026531836

# is_alive PID BORN NAMESPACE: is there such a process, as far as we can see? In doubt, it
# is: where /proc is mounted with hidepid, it has no processes of others, and only root sees in
# which namespace they are.
is_alive()
{
	here_is=$(namespace) since=$(born "$1")
	if [ "$3" = "${here_is:-0}" ] && [ -n "$since" ]; then
		[ "$since" = "$2" ]
	elif [ "$3" = "${here_is:-0}" ]; then
		! LC_ALL=C kill -0 "$1" 2>&1 | grep -q 'No such process'
	elif [ "$here_is" = $first_namespace ] && readlink /proc/1/ns/pid >/dev/null; then
		ls -l /proc/[0-9]*/ns/pid 2>/dev/null | grep -qF "pid:[$3]"
	fi
}

# end_recorder NAME: the trace-cmd of a session that was killed, which lives on. The
# shell drops the zeros between its arguments.
end_recorder()
{
	for file in /proc/[0-9]*/cmdline; do
		words=''
		read -r words <"$file" || :
		case $words in
		*trace-cmd*-B"$1"-e"$1"*) file=${file#/proc/}; kill -INT "${file%/*}" ;;
		esac
	done
}

# remove NAME: the instance and the events of a session
remove()
{
	# Others may have enabled them, with all events of their instance.
	for file in "events/$1/enable" instances/*/"events/$1/enable"; do
		[ ! -e "$file" ] || echo 0 >"$file"
	done
	if [ -d "instances/$1" ]; then
		# A reader who has read something ends when nothing is recorded.
		echo 'kptrace has ended' >"instances/$1/trace_marker"
		echo 0 >"instances/$1/tracing_on"
		tries=50
		# Another kptrace may do the same.
		until rmdir "instances/$1" 2>/dev/null || [ ! -d "instances/$1" ] ||
				[ $((tries -= 1)) = 0 ]; do
			end_recorder "$1"
			sleep 0.1
		done
	fi
	[ ! -d "events/$1" ] || echo "-:$1/" >>dynamic_events
} 2>/dev/null

# remove_dead: the sessions of processes that are no more
remove_dead()
{
	for dir in instances/kptrace_*_*_* events/kptrace_*_*_*; do
		[ -d "$dir" ] || continue
		session=${dir#*/}
		numbers=$(echo "${session#kptrace_}" | tr _ ' ')
		# Others may have such names, too.
		case $numbers in *[!0-9\ ]* | *\ *\ *\ *) continue ;; esac
		# shellcheck disable=SC2086 # three words
		is_alive $numbers || remove "$session"
	done
}

# end_by_signals: what ends this process runs its trap for EXIT. Not all shells do so when a
# signal without a trap kills them. SIGPIPE comes when the reader of an answer or of a message
# has had enough.
end_by_signals()
{
	trap 'exit 129' HUP
	trap 'exit 130' INT
	trap 'exit 131' QUIT
	trap 'exit 141' PIPE
	trap 'exit 143' TERM
}

# session_begin: from now on, whatever ends this process ends the session
session_begin()
{
	enter_tree
	remove_dead
	name=$(namespace)
	name=kptrace_$$_$(born $$)_${name:-0}
	own=instances/$name
	reader='' trigger='' unfiltered='' waited='' timer='' running='' stopped=''
	trap 'session_end' EXIT
	end_by_signals
	mkdir "$own" 2>/dev/null || die "cannot make an instance; are you root?"
	# Nothing in a file's or a task's name looks like a part of a record.
	echo 1 >"$own/options/escape-text"
	echo 1 >"$own/options/sym-caller"
	[ -z "$stack" ] || echo 1 >"$own/options/stacktrace"
}

session_end()
{
	trap '' HUP INT QUIT PIPE TERM
	end_timer
	[ -z "$waited" ] || end_reader
	remove "$name"
	[ ! -d "events/$name" ] || warn "could not delete the events of $name"
}

# put FILE TEXT: write it, or end with the reason for the refusal
put()
{
	message=$( (printf '%s\n' "$2" >>"$1") 2>&1) && return
	# -v would take a backslash for the begin of an escape.
	text=$2 awk -v group="$name" -f "$lib/reason.awk" error_log \
		"$own/error_log" >&2 ||
		warn "$2: ${message##*: }"
	exit 1
}

# in_group DEFINITION: print it with our group in the place of its own
in_group()
{
	head=${1%%[[:space:]]*}
	event=''
	case $head in
	*:*) event=${head#*:}; event=${event#*[/.]} ;;
	esac
	printf '%s\n' "${head%%:*}:$name/$event${1#"$head"}"
}

# define DEFINITION...
define()
{
	for definition; do
		put dynamic_events "$(in_group "$definition")"
	done
}

# pid_filter: print $filter, and $pids as part of it
pid_filter()
{
	tasks=$(printf %s "$pids" | sed 's/[0-9][0-9]*/common_pid == &/g; s/,/ || /g')
	case $filter,$tasks in
	*,) printf %s "$filter" ;;
	,*) printf %s "$tasks" ;;
	*) printf '(%s) && (%s)' "$filter" "$tasks" ;;
	esac
}

# set_filters: of all events
set_filters()
{
	wanted=$(pid_filter)
	[ -n "$wanted" ] || return
	for file in "$own/events/$name"/*/filter; do
		# What belongs to another event has not its fields.
		[ "$file" = "$own/events/$name/$unfiltered/filter" ] || put "$file" "$wanted"
	done
}

# set_trigger TRIGGER: of all events, with the filter. Triggers do their work without
# records.
set_trigger()
{
	wanted=$(pid_filter)
	[ -z "$follow" ] || die '--follow: histograms count all tasks; use --pid'
	trigger=$1
	for file in "$own/events/$name"/*/trigger; do
		put "$file" "$trigger${wanted:+ if $wanted}"
	done
	echo 0 >"$own/tracing_on"
}

# total COUNTER: its sum over our events
total()
{
	cat "$own/events/$name"/*/stats |
		awk -v counter="$1:" '$1 == counter { n += $2 } END { printf "%.0f\n", n }'
}

# end_reader: trace-cmd then writes its file
end_reader() { kill ${output:+-INT} "$waited" 2>/dev/null; }

# stop: no more hits; the reader of trace_pipe gets the rest, then its end. There is no end
# for a reader that has not read anything.
stop()
{
	echo 0 >"$own/events/$name/enable"
	echo 0 >"$own/tracing_on"
	if [ -n "$trigger" ]; then
		for file in "$own/events/$name"/*/trigger; do
			printf '%s\n' "$trigger:pause${wanted:+ if $wanted}" >>"$file"
		done
	fi
	if [ -z "$reader" ] || [ -n "$output$stopped" ] || [ "$(total recorded)" = 0 ]; then
		end_reader
	fi
	[ -z "$running" ] || kill "$running" 2>/dev/null
	stopped=1
}

# await PID: wait for its end, signals or not; the status is its own
await()
{
	while :; do
		wait "$1" 2>/dev/null	# some shells tell that it was killed
		ended=$?
		kill -0 "$1" 2>/dev/null || return "$ended"
	done
}

# end_timer: it may be stopping the session now, which needs what the session has
end_timer()
{
	[ -n "$timer" ] || return 0
	kill "$timer" 2>/dev/null
	await "$timer"
	timer=''
}

# stop_later: after $seconds
stop_later()
{
	trap 'kill "$sleeper" 2>/dev/null; exit' TERM
	sleep "$seconds" &
	sleeper=$!
	if [ -z "$follow$output" ]; then
		read -r itself _ </proc/self/stat
		echo "$itself $sleeper" >>"$own/set_event_notrace_pid"
		echo 0 >"$own/options/event-fork"
	fi
	running=''
	wait "$sleeper" && stop
}

# show_children: let hits of children that begin from now on be shown. Wait for the timer
# first, until it has excluded its own processes.
show_children()
{
	[ -n "$timer" ] || echo 0 >"$own/options/event-fork"
	until read -r forks <"$own/options/event-fork" && [ "$forks" = 0 ]; do
		kill -0 "$timer" || return
	done 2>/dev/null
}

# run_command COMMAND...: in the background, where the caller of kptrace was
run_command()
{
	(
		read -r itself _ </proc/self/stat
		[ -z "$follow" ] || echo "$itself" >>"$own/set_event_pid"
		cd "$here" && eval "$environment" && exec "$@"
	) <&6 6<&- &
	running=$!
}

# recorders_read: the children of trace-cmd have opened their files, and wait for records
recorders_read()
{
	cat /proc/[0-9]*/stat 2>/dev/null |
	sed -n "s/^\([0-9]*\) (.*) \([^Z]\) $waited [^)]*$/\1 \2/p" |
	while read -r recorder state; do
		[ "$state" = S ] &&
			ls -l "/proc/$recorder/fd" 2>/dev/null | grep -q trace_pipe_raw || exit
	done
}

# await_recorders: trace-cmd turns tracing on when it has a child for each CPU. One that is
# told to end before it reads writes nothing.
await_recorders()
{
	until [ "$(cat "$own/tracing_on")" = 1 ] && recorders_read; do
		kill -0 "$waited" 2>/dev/null || die 'trace-cmd has failed'
		sleep 0.1
	done
}

# watch [COMMAND...]: let the events hit until the command ends, the time is over, the
# reader wants no more, or a signal comes. $reader is a function that shows what
# trace_pipe has; without one nothing is recorded. Sets $status.
watch()
{
	status=0
	exec 6<&0
	[ -z "$output" ] || echo 0 >"$own/tracing_on"
	if [ -n "$reader" ]; then
		exec 5<"$own/trace_pipe"
		"$reader" <&5 6<&- &
		waited=$!
		exec 5<&-
	else
		sleep "${seconds:-2147483647}" 6<&- &
		waited=$!
	fi
	trap 'status=129; stop' HUP
	trap 'stop' INT
	trap 'status=131; stop' QUIT
	trap 'status=141; stop' PIPE
	trap 'status=143; stop' TERM
	if [ -n "$follow" ]; then
		# Nobody yet: the number is that of a process that has ended.
		echo 1 >"$own/options/event-fork"
		# shellcheck disable=SC2016 # expanded there
		sh -c 'echo $$' >"$own/set_event_pid"
	elif [ -n "$output" ]; then
		# The reader makes processes of its own.
		echo 1 >"$own/options/event-fork"
		echo "$waited" >"$own/set_event_notrace_pid"
	else
		# A reader whose reads are hits would never come to an end. With event-fork
		# our children are not shown, either.
		echo "$$ $waited" >"$own/set_event_notrace_pid"
		echo 1 >"$own/options/event-fork"
	fi
	[ -z "$output" ] || await_recorders
	put "$own/events/$name/enable" 1
	say "tracing${seconds:+ for $seconds s}; Ctrl-C ends"
	if [ -n "$seconds" ] && [ -n "$reader$*" ]; then
		stop_later 6<&- &
		timer=$!
	fi
	if [ $# -gt 0 ]; then
		[ -n "$follow$output" ] || show_children
		run_command "$@"
		await "$running" || [ "$status" != 0 ] || status=$ended
		running=''
		[ -n "$stopped" ] || stop
	fi
	await "$waited" || [ -z "$output" ] || die 'trace-cmd has failed'
	waited=''
	end_timer
	[ -z "$reader" ] || [ "$(total recorded)" != 0 ] || say 'no hits'
}

# tell_losses: nobody takes an answer for complete that is not. Behind the answer.
tell_losses()
{
	lost=$(total lost) missed=$(total missed)
	overrun=$(awk '/^overrun:/ { n += $2 } END { printf "%.0f\n", n }' \
		"$own"/per_cpu/cpu*/stats)
	lost=$((lost + overrun))
	dropped=0
	[ -z "$trigger" ] ||
		dropped=$(awk '/^ *Dropped:/ { n += $2 } END { printf "%.0f\n", n }' \
			"$own/events/$name"/*/hist)
	[ $((lost + missed + dropped)) != 0 ] || return 0
	warn "not complete: $lost records were lost, $missed hits were missed$(
		[ "$dropped" = 0 ] || echo ", $dropped had no room")"
	[ -z "$json" ] ||
		echo "{\"lost\":$lost,\"missed\":$missed,\"dropped\":$dropped}" 2>/dev/null
}
