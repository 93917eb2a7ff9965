# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh disable=SC2154,SC2034 # variables of the other files
#
# Which tasks: the options of kptrace as a filter. Each of them is a list; what has a ! in front is
# not wanted.

# any_of FIELD LIST: set $any to a filter: the field is one of the numbers, or is like one of the
# names; and $none to another one: it is none of those that are not wanted
any_of()
{
	any='' none='' globs=''
	case $- in
	*f*) ;;
	*) globs=1; set -f ;;
	esac
	IFS=,
	for word in $2; do
		item=${word#!}
		case $item in
		*[!0-9]*) test="$1 ~ \"$item\"" ;;
		*) test="$1 == $item" ;;
		esac
		case $word in
		!*) none="$none${none:+ && }!($test)" ;;
		*) any="$any${any:+ || }$test" ;;
		esac
	done
	[ -z "$globs" ] || set +f
	unset IFS
}

# all_of FILTER...: set $all to a filter: all that are not empty
all_of()
{
	all=''
	for part; do
		[ -z "$part" ] || all="$all${all:+ && }($part)"
	done
	case $all in
	*') && ('*) ;;
	'('*) all=${all#(}; all=${all%)} ;;
	esac
}

# numbers_of LIST FUNCTION: set $numbers to the list with numbers in the place of names, as the
# function prints them of one
numbers_of()
{
	numbers=''
	IFS=,
	set -f
	for word in $1; do
		unset IFS
		item=${word#!}
		case $item in
		*[!0-9]*) item=$("$2" "$item") || exit 1 ;;
		esac
		for number in $item; do
			numbers=$numbers${numbers:+,}${word%"${word#!}"}$number
		done
	done
	unset IFS
	set +f
}

number_of_user() { id -u "$1" 2>/dev/null || die "no user $1"; }

# numbers_of_cgroup DIRECTORY: of those that the pattern matches, and of all in them: the kernel
# calls a control group by the inode of its directory
numbers_of_cgroup()
{
	set +f
	case $1 in
	/*) directory=$1 ;;
	*)
		directory=$(awk '$3 == "cgroup2" { print $2; exit }' /proc/mounts)
		[ -n "$directory" ] || die '--cgroup: no file system of type cgroup2 is mounted'
		directory=$directory/$1 ;;
	esac
	IFS=''
	for directory in $directory; do
		# Directories of anything else have numbers that are those of some other group.
		[ -e "$directory/cgroup.controllers" ] ||
			die "no control group $1: $directory is none of a file system of type $(
				)cgroup2"
		find "$directory" -type d -exec stat -c %i {} + || exit
	done
}

# task_filter: set $wanted to $filter with all that the options say about tasks
task_filter()
{
	IFS=,
	for task in $pids $tids; do
		[ -d "/proc/${task#!}" ] || die "no process ${task#!}"
	done
	for task in $pids; do
		task=${task#!}
		leader=$(sed -n 's/^Tgid:[[:space:]]*//p' "/proc/$task/status")
		[ "${leader:-$task}" = "$task" ] ||
			die "$task is a thread of process $leader: --tid $task or --pid $leader"
	done
	unset IFS
	numbers_of "$uids" number_of_user
	uids=$numbers
	numbers_of "$cgroups" numbers_of_cgroup
	cgroups=$numbers
	tasks_by common_pid common_tgid
	all_of "$filter" "$tasks"
	wanted=$all
}

# tasks_by PID TGID: set $tasks to a filter by these fields
tasks_by()
{
	[ -z "$pids" ] || [ "$2" != - ] ||
		die "$subcommand: it has no processes, only their threads: --tid"
	any_of "$2" "$pids"
	tasks=$any others=$none
	any_of "$1" "$tids"
	tasks=$tasks${tasks:+${any:+ || }}$any
	all_of "$tasks" "$others" "$none"
	tasks=$all
	[ -n "$comms$uids$cgroups" ] || return 0
	[ "$1" = common_pid ] ||
		die "$subcommand: of its hits only the number of the task is known: --pid"
	for field in comm common_uid common_cgroup; do
		case $field in
		comm) any_of $field "$comms" ;;
		common_uid) any_of $field "$uids" ;;
		*) any_of $field "$cgroups" ;;
		esac
		all_of "$tasks" "$any" "$none"
		tasks=$all
	done
}
