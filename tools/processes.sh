# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh disable=SC2154 # variables of the other files
#
# What a session does while events hit, and what it says at the end. Its
# processes, each of which does nothing but wait meanwhile:
#
#	kptrace   waits for COMMAND in the foreground, so that COMMAND has the signals and the
#	          terminal that a shell gives it; without COMMAND for the reader
#	reader    shows what trace_pipe has
#	writer    gets the answer, by a pipe with a name, and writes it to standard output. It
#	          alone tells, with every awk, whether that has failed
#	deputy    ends COMMAND when the time is over or the reader has enough, and the session
#	          if kptrace is killed
#	sleeper   holds a pipe open for the time that --for gives, from the first hits on
#
# Their hits are in no answer. With COMMAND nothing is recorded or counted before it is
# executed, by a trigger in the kernel.

# end_reader: trace-cmd then writes its file
end_reader()
{
	: >"$work/enough"
	if [ -n "$output" ]; then
		kill -INT "$waited"
	else
		kill -KILL "$waited"
	fi
} 2>/dev/null

# stop: no more hits; the reader of trace_pipe gets the rest, then its end. There is no end
# for a reader that has not read anything.
stop()
{
	for dir in $enabled; do
		echo 0 >"$dir/enable"
	done
	echo 0 >"$own/tracing_on"
	[ -z "$interval" ] || : >"$work/stopped"
	go_on pause
	if [ -n "$waited" ] &&
		{ [ -z "$reader" ] || [ -n "$output$stopped" ] || [ "$(total recorded)" = 0 ]; }
	then
		end_reader
	fi
	stopped=1
}

# await PID: wait for its end, signals or not; the status is its own, or 127 if it is not a
# child of ours
await()
{
	while :; do
		wait "$1" 2>/dev/null	# some shells tell that it was killed
		ended=$?
		kill -0 "$1" 2>/dev/null || return "$ended"
		[ "$ended" != 127 ] || sleep 0.1
	done
}

# helper COMMAND...: in the background; $! is it. What ends kptrace does not end it, as it
# has to show what there is.
helper()
{
	(
		trap '' HUP INT QUIT TERM
		trap - EXIT
		"$@"
	) &
	helpers="$helpers${helpers:+ }$!"
}

# begin_answer: descriptor 6 takes the answer
begin_answer()
{
	exec 6<>"$work/answer"
	helper write_answer
	writer=$!
	read -r _ <&8
	exec 6>"$work/answer"
	[ -z "$html" ] || begin_page >&6
}

# begin_page, end_page: what is around the objects of an answer as a page
begin_page()
{
	sed '/^ANSWER$/,$d' "$lib/report.html"
	KPT_ASKED=$asked LC_ALL=C awk -v html=1 "$(cat "$lib/json.awk")
		BEGIN { print \"{\\\"question\\\":\" quoted(ENVIRON[\"KPT_ASKED\"]) \"}\" }"
}

end_page() { sed '1,/^ANSWER$/d' "$lib/report.html"; }

# Each time all that the pipe has, so that no line is torn.
write_answer()
{
	exec <"$work/answer" 6>&-
	echo ready >"$work/ready"
	exec dd bs=1048576 2>"$work/errors"
}

# wrote STATUS ERRORS: what dd ended with, and said: tell what is wrong
wrote()
{
	why=$(printf '%s\n' "$2" | sed -n 's/^dd: .*: //p' | sed -n 1p)
	case $1,$why in
	0,* | 127,*) return 0 ;;
	141,* | *,'Broken pipe') return 141 ;;
	esac
	warn "cannot write the answer${why:+: $why}"
	return 1
}

# end_answer: when all is written
end_answer()
{
	[ -z "$html" ] || end_page >&6 2>/dev/null
	exec 6>&-
	await "$writer"
	writer=''
	wrote "$ended" "$(cat "$work/errors")" || [ "$status" != 0 ] || status=$?
}

# to_output: the answer of what has no session
to_output()
{
	{ why=$(exec dd bs=1048576 2>&1 >&9); } 9>&1
	wrote $? "$why"
}

# has_hits: was there anything?
has_hits()
{
	if [ -n "$counted" ]; then
		files_of hist
		# shellcheck disable=SC2086 # files
		cat $files | awk '
			/^# trigger info/ {
				# Those with variables and actions only help others.
				sub(/ if .*/, "")
				gsub(/:(keys|vals|sort|size|name|clock)=[^:]*/, "")
				other = /=|:on/
			}
			/^ *Hits: *[1-9]/ && !other { any = 1 }
			END { exit !any }'
	else
		[ "$(total recorded)" != 0 ]
	fi
}

# made STATUS: tell if what makes the answer has failed. One whose output nobody takes, the writer
# tells of.
made()
{
	case $1 in
	0 | 141) return ;;
	esac
	[ ! -e "$work/enough" ] || return 0
	warn "not complete: what makes the answer has ended with status $1"
	[ "$status" != 0 ] || status=1
}

# finish: what comes behind the hits
finish()
{
	end_waiters
	[ -n "$interval" ] || has_hits || say 'no hits'
	if [ -z "$output" ]; then
		[ -n "$writer" ] || begin_answer
		[ -z "$print_answer" ] || "$print_answer" >&6 || made $?
	fi
	tell_losses
	[ -z "$writer" ] || end_answer
}

# begin_deputy: words come by a pipe, which ends when kptrace does. From here on no helper
# makes processes.
begin_deputy()
{
	exec 7<>"$work/alive"
	helper be_deputy
	deputy=$!
	read -r _ <&8
}

be_deputy()
{
	exec 9<"$work/alive" 7>&-
	read -r deputy _ </proc/self/stat
	helpers="$helpers${helpers:+ }$deputy"
	echo ready >"$work/ready"
	while read -r word value <&9; do
		case $word in
		command) running=$value; [ ! -e "$work/over" ] || end_command ;;
		time) stop; end_command ;;
		max) end_command ;;
		tick) show_interval ;;
		enough) exit ;;
		esac
	done
	# kptrace was killed.
	deputy=''
	trap session_end EXIT
	[ -z "$running" ] || kill "$running" 2>/dev/null
	stop
	[ -z "$waited" ] || await "$waited"
	waited=''
	finish
	exit
}

# show_interval: what was counted since the one before. What it takes to show that is not counted.
show_interval()
{
	go_on pause
	ticks=$((ticks + 1))
	if [ -n "$json" ]; then
		echo "{\"interval\":$ticks}"
	else
		echo "interval $ticks:"
	fi >&6
	"$print_answer" >&6
	tell_losses
	go_on clear
	[ -e "$work/stopped" ] || go_on continue
}

# await_hits, tell_hits: times begin when events hit, not when that is prepared. Each who waits
# gets one line.
await_hits() { read -r _ <&5; exec 5<&-; }
tell_hits()
{
	echo "$newline" >&5
	exec 5<&-
}

# begin_ticks: a process that tells the deputy each time. It makes no other: a shell that can
# wait for input so long is needed.
begin_ticks()
{
	mkfifo "$work/never"
	shell=''
	for candidate in sh bash busybox ksh; do
		case $candidate in
		busybox) words='busybox sh' ;;
		*) words=$candidate ;;
		esac
		# shellcheck disable=SC2086 # words
		[ -n "$shell" ] ||
			! $words -c 'read -t 0.01 -r _ <>"$1"; [ $? != 2 ]' sh "$work/never" \
				2>/dev/null || shell=$words
	done
	[ -n "$shell" ] || die '--interval needs bash or busybox'
	helper tick
	timers="$timers${timers:+ }$!"
}

tick()
{
	await_hits
	# shellcheck disable=SC2086,SC2016 # words; expanded there
	exec $shell -c 'exec 3<>"$1"; while :; do read -t "$3" -r _ <&3; echo tick >"$2"; done' \
		sh "$work/never" "$work/alive" "$interval" 6>&- 7>&- 8>&-
}

# end_command: because the time is over or the reader has had enough
end_command()
{
	: >"$work/over"
	[ -z "$running" ] || kill "$running" 2>/dev/null
}

# begin_timer: what waits for the end of the pipe that the sleeper holds knows the time
begin_timer()
{
	helper tell_time
	timers="$timers${timers:+ }$!"
	helper sleep_for
	timers="$timers $!"
}

tell_time()
{
	exec 6>&-
	read -r _ <"$work/time" || :
	echo time >"$work/alive"
}

sleep_for()
{
	await_hits
	exec sleep "$seconds" 6>&- 9>"$work/time"
}

# end_waiters: the deputy and the timer
end_waiters()
{
	if [ -n "$interval" ] && [ -n "$deputy" ]; then
		# It may be showing something.
		for pid in $timers; do
			kill -KILL "$pid" 2>/dev/null || :
		done
		echo enough >"$work/alive"
		await "$deputy"
	fi
	for pid in $deputy $timers; do
		kill -KILL "$pid" 2>/dev/null || :
		await "$pid"
	done
	deputy='' timers=''
	exec 7>&-
}

# define_exec: events that tell that a program has been executed. The compiler may have inlined
# the function; then the kernel's tracepoint, if it has any, comes a little later.
define_exec()
{
	put dynamic_events "p:$name-exec/exec setup_new_exec"
	{ echo "t:$name-exec/executed sched_process_exec" >>dynamic_events; } 2>/dev/null || :
}

# begin_hits [COMMAND...]: with COMMAND, when that has been executed. What it takes to arm the
# events needs processes, so they count and record when that is done.
begin_hits()
{
	count_hits
	[ $# = 0 ] || define_exec
	for dir in $enabled; do
		[ -z "$hidden" ] || filter_event "$dir" hide
		put "$dir/enable" 1
	done
	if [ $# -gt 0 ]; then
		return
	elif [ -n "$counted" ]; then
		go_on continue
	else
		echo 1 >"$own/tracing_on"
	fi
}

# begin_with PID: let the hits begin when this process executes a program; or now, if the
# kernel knows it by another number
begin_with()
{
	case $namespace in
	0 | $first_namespace) of_exec="$own/events/$name-exec/*/trigger" ;;
	*) of_exec='' ;;
	esac
	if [ -z "$counted" ]; then
		tell_execs "traceon if common_pid == $1"
		[ -n "$of_exec" ] || echo 1 >"$own/tracing_on"
	elif [ -n "$of_exec" ]; then
		for_triggers go_on_at_exec "$1"
	else
		go_on continue
	fi
}

go_on_at_exec()
{
	unset IFS
	[ "$3" = shown ] || return 0
	group=${2%/*}
	set +f
	# An event with two histograms has been told so.
	{ tell_execs "enable_hist:${group##*/}:${2##*/} if common_pid == $1"; } 2>/dev/null
	set -f
}

# tell_execs TRIGGER: give it to the events of define_exec()
tell_execs()
{
	for file in $of_exec; do
		echo "$1" >>"$file" || :
	done
}

# executed NAME: set $file to its file, if the shell may do the work of that program without
# executing it, as busybox does; else to nothing
executed()
{
	file=''
	case $(command -v "$1") in
	'' | */*) return ;;
	esac
	IFS=:
	for dir in $PATH; do
		if [ -f "$dir/$1" ] && [ -x "$dir/$1" ]; then
			file=$dir/$1
			break
		fi
	done
	unset IFS
}

# run_command COMMAND...: where the caller of kptrace was. Standard output is for the answer.
run_command()
{
	(
		exec 2>&9 6>&- 8>&- 9>&-
		read -r itself _ </proc/self/stat
		# If kptrace is killed now, the pipe ends behind this.
		echo "command $itself" >&7
		exec 7>&-
		[ -z "$follow" ] || echo "$itself" >>"$own/set_event_pid"
		begin_with "$itself"
		[ -n "$output" ] || exec >&2
		cd "$here" || exit
		executed "$1"
		if [ -n "$file" ]; then
			shift
			set -- "$file" "$@"
		fi
		eval "$environment" && exec "$@"
	)
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

# begin_reader [COMMAND...]: $waited is its process; if nothing is read and there is no
# COMMAND, what ends with the time
begin_reader()
{
	if [ -n "$reader" ]; then
		[ -n "$output" ] || begin_answer
		exec 5<"$own/trace_pipe"
		helper read_pipe
		waited=$!
		exec 5<&-
		[ -n "$output" ] || read -r _ <&8
	fi
	exec 5<>"$work/begin"
	if [ -z "$reader$*" ]; then
		helper sleep_on
		waited=$!
	elif [ -n "$seconds" ]; then
		begin_timer
	fi
	if [ -n "$interval" ]; then
		begin_answer
		begin_ticks
	fi
}

read_pipe()
{
	reading=1
	exec <&5 5<&-
	[ -n "$output" ] || exec >&6 6>&-
	"$reader"
}

# become PROGRAM...: of the reader, or of what prints the answer. What it takes to find the
# program that reads is done before events hit.
become()
{
	[ -z "$reading" ] || echo ready >"$work/ready"
	exec "$@"
}

sleep_on()
{
	await_hits
	exec sleep "${seconds:-2147483647}"
}

# hide_helpers: from the answer
hide_helpers()
{
	if [ -n "$hidden" ]; then
		return	# by triggers
	elif [ -n "$follow" ]; then
		# Nobody yet: the number is that of a process that has ended.
		echo 1 >"$own/options/event-fork"
		# shellcheck disable=SC2016 # expanded there
		sh -c 'echo $$' >"$own/set_event_pid"
	elif [ -n "$output" ]; then
		# The reader makes processes of its own.
		echo 1 >"$own/options/event-fork"
		echo "$helpers" >"$own/set_event_notrace_pid"
	else
		# A reader whose reads are hits would never come to an end.
		echo "$$ $helpers" >"$own/set_event_notrace_pid"
	fi
}

# watch [COMMAND...]: let the events hit until the command ends, the time is over, the
# reader wants no more, or a signal comes. $reader is a function that shows what
# trace_pipe has; without one nothing is recorded. $print_answer is a function that prints what
# there is to say then. Sets $status.
watch()
{
	tell_waiting
	begin_reader "$@"
	begin_deputy
	hide_helpers
	if [ -n "$output" ]; then
		await_recorders
		echo 0 >"$own/tracing_on"
	fi
	begin_hits "$@"
	stop_by_signals "$@"
	tell_hits
	say "tracing${seconds:+ for $seconds s}; Ctrl-C ends"
	if [ $# -gt 0 ]; then
		# The shell has nothing to say about how it ended.
		{ run_command "$@"; } 9>&2 2>/dev/null && status=0 || status=$?
		[ ! -e "$work/over" ] || status=0
		stop
	fi
	if [ -n "$waited" ] && ! await "$waited"; then
		[ -z "$output" ] || die 'trace-cmd has failed'
		made "$ended"
	fi
	waited=''
	[ -n "$stopped" ] || stop
	end_by_signals
}

# stop_by_signals [COMMAND...]: with COMMAND, what the terminal sends is for that, and what
# ends kptrace alone is left to the deputy
stop_by_signals()
{
	if [ $# -gt 0 ]; then
		trap : INT QUIT
		trap - HUP TERM
		return
	fi
	trap 'status=129; stop' HUP
	trap 'stop' INT
	trap 'status=131; stop' QUIT
	trap 'status=141; stop' PIPE
	trap 'status=143; stop' TERM
}

# losses: print how many records were lost, and how many hits were missed and had no room
losses()
{
	files_of stats
	stats=$files
	files_of hist
	# shellcheck disable=SC2086 # files
	cat $stats "$own"/per_cpu/cpu*/stats ${counted:+$files} | awk '
		/^lost:|^overrun:/ { lost += $2 }
		/^missed:/ { missed += $2 }
		/^ *Dropped:/ { dropped += $2 }
		END { printf "%.0f %.0f %.0f\n", lost, missed, dropped }'
}

# tell_losses: nobody takes an answer for complete that is not. Behind the answer.
tell_losses()
{
	numbers=$(losses)
	lost=${numbers%% *} dropped=${numbers##* }
	missed=${numbers#* }
	missed=${missed% *}
	[ "$numbers" != '0 0 0' ] || return 0
	what="$(amount "$lost" 'record was lost' 'records were lost')$(
		amount "$missed" 'hit was missed' 'hits were missed')$(
		amount "$dropped" 'hit had no room' 'hits had no room')"
	warn "not complete: ${what%, }"
	[ -z "$json" ] ||
		echo "{\"lost\":$lost,\"missed\":$missed,\"dropped\":$dropped}" >&6 2>/dev/null
}

# amount NUMBER ONE MORE: print what that many are, and a comma; nothing for 0
amount()
{
	case $1 in
	0) ;;
	1) printf '1 %s, ' "$2" ;;
	*) printf '%s %s, ' "$1" "$3" ;;
	esac
}
