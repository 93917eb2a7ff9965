# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# Completion of kptrace for bash: subcommands, options, functions that can be probed.

_kptrace()
{
	local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}
	local subcommands='count latency slower stacks offcpu blocked hist args
		graph leaks opens execs metrics top doctor'
	local options='--for --if --pid --follow --max --stack --svg --json -o
		--openmetrics -q --help'
	local functions=/sys/kernel/kptrace/available_filter_functions

	COMPREPLY=()
	case $before in
	--pid) mapfile -t COMPREPLY < <(compgen -W "$(cd /proc && echo [0-9]*)" -- "$word")
		return ;;
	--for | --if | --max) return ;;
	-o) mapfile -t COMPREPLY < <(compgen -f -- "$word")
		return ;;
	esac
	if [[ $word = -* ]]; then
		mapfile -t COMPREPLY < <(compgen -W "$options" -- "$word")
	elif [ "$COMP_CWORD" = 1 ]; then
		mapfile -t COMPREPLY < <(compgen -W "$subcommands" -- "$word")
	elif [ -r "$functions" ] && [ ${#word} -ge 3 ]; then
		mapfile -t COMPREPLY < <(grep -o "^${word}[^ ]*" "$functions" | sort -u)
	fi
}
complete -F _kptrace kptrace
