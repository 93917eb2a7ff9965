# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh disable=SC2154 # variables of the other files
#
# What is written to the tree, and why it is refused: the reason of the kernel's module with what
# may have been meant.

# put FILE TEXT: write it, or end with the reason for the refusal
put()
{
	message=$(exec 2>&1; printf '%s\n' "$2" >>"$1") && return
	# -v would take a backslash for the begin of an escape.
	said=$(text=$2 awk -v group="$name" -f "$lib/reason.awk" error_log "$own/error_log") ||
		die "$2: ${message##*: }"
	warn "$(explained "$said")"
	exit 1
}

# explained LINES: print the reason of a refusal with what may have been meant, the text and the
# caret
explained()
{
	# The word that the caret is at, or the one in front of it: a field is known when it ends.
	place=$(printf '%s\n' "$1" | awk 'NR == 1 { is_behind = /Field not found/ }
	NR == 3 {
		word = substr(text, length($0))
		text = substr(text, 1, length($0) - 1)
		if ((is_behind || word ~ /^( |$)/) && match(text, /[^ ]+ *$/))
			word = substr(text, RSTART)
		sub(/[ ,].*/, "", word)
		print word
	} { text = $0 }')
	reason=${1%%"$newline"*}
	hint=$(meant "$reason" "$place")
	case $reason in
	*'Invalid probed address or symbol'*)
		definition=${1#*"$newline"}
		definition=${definition#"${definition%%[! ]*}"}
		case $reason in
		*'did you mean '*'?'*) near=${reason#*did you mean } near=${near%%\?*} ;;
		*) near='' ;;
		esac
		reason=${reason%Invalid*} hint=$(why_not "$place" "$near" "$definition") ;;
	*) reason=$reason${hint:+: } ;;
	esac
	printf '%s%s%s\n' "$reason" "$hint" "${1#"${1%%"$newline"*}"}"
}

# meant REASON WORD: print what is meant by words of other tools and names of x86 or of parts of
# registers; names that are only misspelt the module knows
meant()
{
	case $1,${2#%} in
	*'Field not found',tid) meant=common_pid ;;
	*'Field not found',common_comm) meant='comm' ;;
	*'No matching dynamic event type',* | *'Line begins with none of p,'*,[!-:]*)
		echo 'a definition begins with its kind, as p:NAME FUNCTION'
		return ;;
	*'Non pointer structure/union'*)
		[ "$subcommand" != hist ] || echo 'a value may have .log2 or .buckets=N behind it'
		return ;;
	*'This variable is not found'*,*)
		echo 'kptrace args FUNCTION shows what there is'
		return ;;
	*) meant='' ;;
	esac
	[ -z "$meant" ] || { echo "did you mean $meant?"; return; }
	set -- "$2"
	case ${1#%} in
	di | [re]di) meant='$arg1' ;;
	si | [re]si) meant='$arg2' ;;
	dx | [re]dx) meant='$arg3' ;;
	cx | [re]cx) meant='$arg4' ;;
	r8 | r8d) meant='$arg5' ;;
	r9 | r9d) meant='$arg6' ;;
	ax | [re]ax) meant='$retval' ;;
	arg[1-9]*) meant="\$${1#%}" ;;
	[wWxX][0-9] | [wWxX][12][0-9] | [wWxX]30) meant="%x${1#*[wWxX]}" ;;
	lr | LR | X30 | x30) meant='%x30' ;;
	SP | PC) meant=$(printf '%s\n' "$1" | tr SPC spc) ;;
	\$pid) meant='$tgid' ;;
	\$tid) echo 'records have the task; filters take common_pid'; return ;;
	\$cpu) echo 'records have the CPU; filters take common_cpu'; return ;;
	\$ip | \$addr) echo 'records have the place'; return ;;
	*) return ;;
	esac
	[ "$meant" = "$1" ] || echo "did you mean $meant?"
}

# similar_to FUNCTION: print the one that it is most like
similar_to()
{
	exec 3<>can_probe && echo "$1" >&3 && sed -n 's/^similar: //p' <&3
} 2>/dev/null

# meant_tracepoint NAME: print ", did you mean OTHER?" if there is one. Each has a function.
meant_tracepoint()
{
	near=$(similar_to "__traceiter_$1")
	case $near in
	__traceiter_*) echo "; did you mean ${near#__traceiter_}?" ;;
	esac
}

# why_not PLACE SIMILAR [DEFINITION]: print why there is no such function; SIMILAR is the one that
# it is most like, or empty
why_not()
{
	function=${1##*:}
	function=${function%%[+%]*}
	module=${1%"${1#*:}"}
	module=${module%:}
	case ${3:-},$function in
	f*,*[][*?]*)
		echo "no function that can be probed matches ${1%%%*}: is its module loaded? $(
			)MODULE:PATTERN waits"
		return ;;
	*,*[][*?]*)
		echo "$1 is a pattern; count, graph and definitions with f: take one"
		return ;;
	esac
	if [ -z "$module" ]; then
		# What modules export is listed for modprobe.
		module=$(sed -n "s/^alias symbol:$function //p" \
			"/lib/modules/$(uname -r)/modules.symbols" 2>/dev/null | sed -n 1p)
		if [ -n "$module" ] && [ ! -d "/sys/module/$module" ]; then
			echo "$function is in module $module, which is not loaded: $(
				)$module:$function waits"
			return
		fi
	fi
	echo "no function $1: ${2:+did you mean $2? Or }it is inlined, or $(
		)in a module that is not loaded"
}

# no_tracepoint NAME: end, as there is none
no_tracepoint() { die "this kernel has no tracepoint $1$(meant_tracepoint "$1")"; }

# tell_waiting: which of our events wait for a module. Which one is not known of a tracepoint: what
# may come is waited for if --wait asks for that.
tell_waiting()
{
	waiting=$(sed -n "s|^\([a-z]*[0-9]*:\)$name/\(.*\) # \(waits for .*\)|\1\2 \3|p" \
		dynamic_events)
	[ -n "$waiting" ] || return 0
	IFS=$newline
	set -f
	for line in $waiting; do
		case $wait,$line in
		,t*) line=${line#* }; unset IFS; no_tracepoint "${line%% *}" ;;
		esac
		warn "$line"
	done
	unset IFS
	set +f
}
