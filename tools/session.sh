# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh disable=SC2154 # variables of the other files
#
# A session: an instance and a group of events of our own, both called
# kptrace_PID_BORN_NAMESPACE, which exist as long as this process. What a process that was
# killed has left behind is removed by the next session.
#
# The tracing directory is the current one; $own is the instance in it.

tab='	' newline='
'

# No echo for what may have backslashes: dash's changes them.
warn() { printf 'kptrace: %s\n' "$*" >&2; }
say() { [ -n "$quiet" ] || warn "$@"; }

die()
{
	warn "$@"
	exit 1
}

# find_terminal: set $width to the columns of the terminal that standard output is, and $colour if
# it shows colours, unless NO_COLOR says that they are not wanted (no-color.org); else to nothing
find_terminal()
{
	width='' colour=''
	[ -t 1 ] || return 0
	{ width=$(stty size <&3 2>/dev/null) || width=""; } 3>&1
	width=${width#* }
	case $width in
	0) width='' ;;
	esac
	[ -n "${NO_COLOR:-}" ] || [ "${TERM:-dumb}" = dumb ] || colour=1
}

# mounted: set $tree to where the tree is mounted, if it is
mounted()
{
	tree=''
	while read -r _ dir type _; do
		# A blank in it is a backslash and three octal digits, which printf %b reads behind
		# a 0 only.
		case $dir in
		*\\*) dir=$(printf '%s\n' "$dir" | sed 's/\\/\\0/g'); dir=$(printf '%b' "$dir") ;;
		esac
		case $type in
		kptracefs) ;;
		tracefs) grep -qs '^file system: ' "$dir/status" || continue ;;
		*) continue ;;
		esac
		tree=$dir
		break
	done </proc/mounts
}

# enter_tree: make the tracing directory the current one; $here is the one before.
# A mount of ours is detached at once: nobody else sees it, and it ends when no
# process of ours has its current directory there.
enter_tree()
{
	here=$PWD
	tree=${KPTRACE_DIR:-}
	[ -n "$tree" ] || mounted
	if [ -n "$tree" ]; then
		cd "$tree" 2>/dev/null || die "cannot enter $tree$(needs_root)"
		grep -qs '^file system: ' status || die "$tree is no tracing directory of kptrace"
		return
	fi
	grep -q 'kptracefs$' /proc/filesystems || why=$(modprobe kptrace 2>&1) ||
		die "the module is not loaded: insmod kptrace.ko. $why; dmesg may have the reason"
	tree=$(mktemp -d "${TMPDIR:-/tmp}/kptrace.XXXXXX" 2>&1) ||
		die "cannot make a directory for kptracefs$(needs_root): $tree"
	if why=$(mount -t kptracefs none "$tree" 2>&1); then
		cd "$tree" && umount -l "$tree"
	fi
	rmdir "$tree"
	[ -e dynamic_events ] || die "cannot mount kptracefs$(needs_root): $why"
}

# needs_root: print what a user cannot do
needs_root() { [ "$(id -u)" = 0 ] || printf ', as only root may'; }

# lines_of FILE...: print the lines of all files, each behind the name of its file. The
# files may be more than fit into one command line, and some may not exist any more.
lines_of() { printf '%s\0' "$@" | xargs -0 grep -H '' 2>/dev/null; }

# lines_of_hists DIR...: the same of all histograms in the directories of instances, each of
# which ends with / or is empty
lines_of_hists()
{
	for of; do
		sed -n 's/^\([A-Za-z0-9_]*\):\([A-Za-z0-9_]*\) *hist:.*/\1\/\2/p' \
			"${of}show_event_triggers" 2>/dev/null | sort -u |
			while read -r event; do
				printf '%s\0' "${of}events/$event/hist_escaped"
			done
	done | xargs -0 grep -H '' 2>/dev/null
}

# born PID: when it began, which tells it from a later process of the same number
born() { sed 's/.*) //' "/proc/$1/stat" 2>/dev/null | cut -d ' ' -f 20; }

# find_namespace: set $namespace to the number of our PID namespace, 0 if there is none
find_namespace()
{
	namespace=$(readlink /proc/self/ns/pid 2>/dev/null)
	namespace=${namespace#*[}
	namespace=${namespace%]}
	namespace=${namespace:-0}
}

# Of all PID namespaces only the first sees the processes of others.
first_namespace=4026531836

# is_alive PID BORN NAMESPACE: is there such a session? Its deputy may outlive its process.
is_alive()
{
	is_process "$@" || ls -l /proc/[0-9]*/fd 2>/dev/null |
		grep -q "/kptrace_$1_$2_$3\.[^/]*/alive"
}

# is_process PID BORN NAMESPACE: is there such a process, as far as we can see? In doubt, it
# is: where /proc is mounted with hidepid, it has no processes of others, and only root sees in
# which namespace they are.
is_process()
{
	since=$(born "$1")
	if [ "$3" = "$namespace" ] && [ -n "$since" ]; then
		[ "$since" = "$2" ]
	elif [ "$3" = "$namespace" ]; then
		! LC_ALL=C kill -0 "$1" 2>&1 | grep -q 'No such process'
	elif [ "$namespace" = $first_namespace ] && readlink /proc/1/ns/pid >/dev/null; then
		ls -l /proc/[0-9]*/ns/pid 2>/dev/null | grep -qF "pid:[$3]"
	fi
}

# end_recorder NAME: the trace-cmd of a session that was killed, which lives on. It is told
# once: it does not wait for its children, who have the records, when another signal comes
# meanwhile. It may sleep for ten seconds before it sees that one has come. The shell drops the
# zeros between its arguments.
end_recorder()
{
	for file in /proc/[0-9]*/cmdline; do
		words=''
		read -r words <"$file" || :
		case $words in
		*trace-cmd*-B"$1"-e"$1"*) ;;
		*) continue ;;
		esac
		file=${file#/proc/}
		case " $told " in
		*" ${file%/*} "*) ;;
		*) kill -INT "${file%/*}" && told="$told ${file%/*}" tries=200 ;;
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
		echo 1 >"instances/$1/tracing_on"
		echo 'kptrace has ended' >"instances/$1/trace_marker"
		echo 0 >"instances/$1/tracing_on"
		tries=50 told=''
		# Another kptrace may do the same.
		until rmdir "instances/$1" 2>/dev/null || [ ! -d "instances/$1" ] ||
				[ $((tries -= 1)) = 0 ]; do
			end_recorder "$1"
			sleep 0.1
		done
	fi
	synthetic=$(sed -n "s|^s:\(synthetic/$1__[A-Za-z0-9_]*\).*|-:\1|p" dynamic_events)
	[ -z "$synthetic" ] || echo "$synthetic" >>dynamic_events
	for group in "$1" "$1-exec"; do
		[ ! -d "events/$group" ] || echo "-:$group/" >>dynamic_events
	done
} 2>/dev/null

# for_sessions FUNCTION: call it with name, number, birth and namespace of each session
for_sessions()
{
	for dir in instances/kptrace_*_*_* events/kptrace_*_*_*; do
		[ -d "$dir" ] || continue
		session=${dir#*/}
		session=${session%-exec}
		numbers=$(echo "${session#kptrace_}" | tr _ ' ')
		# Others may have such names, too.
		case $numbers in *[!0-9\ ]* | *\ *\ *\ *) continue ;; esac
		# shellcheck disable=SC2086 # three words
		"$1" "$session" $numbers
	done
}

remove_if_dead() { is_alive "$2" "$3" "$4" || remove "$1"; }

# remove_dead: the sessions of processes that are no more
remove_dead() { for_sessions remove_if_dead; }

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
	find_namespace
	remove_dead
	name=kptrace_$$_$(born $$)_$namespace
	own=instances/$name
	# Directories of the events, and of what is enabled of them; triggers; are there any
	# that the answer is made of?
	events="$own/events/$name/*" enabled=$own/events/$name triggers='' counted='' hidden=''
	reader='' unfiltered='' print_answer='' waited='' running='' stopped='' status=0
	ticks=0 helpers='' writer='' deputy='' timers='' work='' reading=''
	named='' many='' nobody=''
	task_filter
	trap 'session_end' EXIT
	end_by_signals
	mkdir "$own" 2>/dev/null || die "cannot make an instance$(needs_root)"
	# is_alive() knows it by this name.
	work=$(mktemp -d "${TMPDIR:-/tmp}/$name.XXXXXX" 2>/dev/null) &&
		mkfifo "$work/answer" "$work/alive" "$work/begin" "$work/time" "$work/ready" ||
		die "cannot make a folder with named pipes in ${TMPDIR:-/tmp}"
	# To open a pipe must not wait for its other end: a signal would end that.
	exec 8<>"$work/ready"
	# Nothing in a file's or a task's name looks like a part of a record.
	echo 1 >"$own/options/escape-text"
	echo 1 >"$own/options/sym-caller"
	# In the kernel's text nothing tells where a value ends, and often it has no names.
	[ -z "$json$perfetto" ] || echo 1 >"$own/options/static-fields"
	echo 0 >"$own/tracing_on"
	[ -z "$stack" ] || echo 1 >"$own/options/stacktrace"
}

session_end()
{
	trap '' HUP INT QUIT PIPE TERM
	end_waiters
	[ -z "$waited" ] || end_reader
	[ -z "$writer" ] || end_answer
	remove "$name"
	[ ! -d "events/$name" ] || warn "could not delete the events of $name"
	[ -z "$work" ] || rm -rf "$work"
}

# in_group DEFINITION: set $grouped to it, with our group in the place of its own
in_group()
{
	head=${1%%[[:space:]]*}
	event=''
	case $head in
	*:*) event=${head#*:}; event=${event#*[/.]} ;;
	esac
	grouped=${head%%:*}:$name/$event${1#"$head"}
}

# define DEFINITION...
define()
{
	for definition; do
		in_group "$definition"
		put dynamic_events "$grouped"
	done
}

# set_filters: of all events
set_filters()
{
	[ -n "$wanted" ] || return 0
	for event in $events; do
		[ -d "$event" ] || continue
		# What belongs to another event has not its fields.
		case " $unfiltered " in
		*" ${event##*/} "*) ;;
		*) put "$event/filter" "$wanted" ;;
		esac
	done
}

# add_trigger DIR SHOWN PID TGID TRIGGER [FILTER]: the task that a hit is of is in the fields PID
# and TGID, if these are not "-". SHOWN is "shown" if the answer is made of it.
add_trigger()
{
	triggers="$triggers$1$tab$2$tab$3$tab$4$tab$5$tab${6:-}$newline"
	[ "$2" != shown ] || counted=1
}

# for_triggers FUNCTION [WORD]: call it with WORD and the words of each, as add_trigger has
# them. The shell does that by itself.
for_triggers()
{
	set -f
	IFS=$newline
	for trigger in $triggers; do
		IFS=$tab
		# shellcheck disable=SC2086 # words
		"$1" "${2:-}" $trigger
	done
	unset IFS
	set +f
}

# set_trigger TRIGGER: what counts the hits of all events. It does so without records.
set_trigger()
{
	check_filter
	for dir in $events; do
		count_in "$dir" "$1"
	done
}

# check_filter: what is wrong with it is told, without what is added to it
check_filter()
{
	[ -z "$follow" ] || die '--follow: histograms count all tasks; use --pid'
	set_filters
}

# count_in DIR TRIGGER: the hits of an event
count_in()
{
	[ -d "$1" ] || return 0
	echo 0 >"$1/filter"
	add_trigger "$1" shown common_pid common_tgid "$2" "$filter"
}

# seen_by PID TGID FILTER: set $seen to the filter of a trigger, which sees the hits of all tasks
seen_by()
{
	tasks='' others=''
	if [ "$1" != - ]; then
		tasks_by "$1" "$2"
		others="$1 != $$"
		for helper in $helpers; do
			others="$others && $1 != $helper"
		done
	fi
	all_of "$3" "$tasks" "$others"
	seen=$all
}

# count_hits: with the triggers; those of the answer wait
count_hits() { for_triggers count_hit; }
count_hit()
{
	unset IFS
	case $6 in
	hist:*) seen_by "$4" "$5" "${7:-}" ;;
	*) seen='' ;;
	esac
	pause=''
	[ "$3" != shown ] || pause=:pause
	put "$2/trigger" "$6$pause${seen:+ if $seen}"
}

# go_on WHAT: let the triggers of the answer pause or continue
go_on() { for_triggers go_on_with "$1"; }
go_on_with()
{
	unset IFS
	[ "$3" = shown ] || return 0
	seen_by "$4" "$5" "${7:-}"
	printf '%s\n' "$6:$1${seen:+ if $seen}" >>"$2/trigger"
}

# files_of FILE: set $files to those of all events
files_of()
{
	files=''
	for dir in $events; do
		[ ! -d "$dir" ] || files="$files $dir/$1"
	done
}

# total COUNTER: its sum over our events
total()
{
	files_of stats
	# shellcheck disable=SC2086 # files
	cat $files |
		awk -v counter="$1:" '$1 == counter { n += $2 } END { printf "%.0f\n", n }'
}
