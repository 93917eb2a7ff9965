# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# Completion of kptrace for bash: subcommands, options, functions that can be probed, and
# COMMAND.

# _kptrace_functions WORD: functions whose names begin so. Where the tree is not mounted, all
# that the kernel has: kptrace says why if one cannot be probed.
_kptrace_functions()
{
	local list=${KPTRACE_DIR:-/sys/kernel/kptrace}/available_filter_functions

	if [ -r "$list" ]; then
		grep -o "^$1[^ ]*" "$list"
	else
		sed -n "s/^[0-9a-f]* [tTwW] \($1[^[:space:]]*\).*/\1/p" /proc/kallsyms
	fi | sort -u
}

# _kptrace_recipes: their names
_kptrace_recipes() { kptrace list 2>/dev/null | cut -d ' ' -f 1; }

# _kptrace_command N: complete COMMAND, which begins at the N-th word
_kptrace_command()
{
	if declare -F _comp_command_offset >/dev/null; then
		_comp_command_offset "$1"
	elif declare -F _command_offset >/dev/null; then
		_command_offset "$1"
	elif [ "$COMP_CWORD" = "$1" ]; then
		mapfile -t COMPREPLY < <(compgen -c -- "$word" | sort -u)
	else
		mapfile -t COMPREPLY < <(compgen -f -- "$word")
	fi
}

_kptrace()
{
	local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} i
	local subcommands='count latency slower stacks offcpu blocked hist args
		graph leaks run list apply opens execs metrics top status clean why doctor
		selftest help'
	local options='--for --if --pid --tid --follow --max --by --interval --top --stack
		--time --svg --json -o
		--openmetrics -q --help --version'
	local top_options='-d -n -c -H --once --json --help'

	COMPREPLY=()
	for ((i = 1; i < COMP_CWORD; i++)); do
		[ "${COMP_WORDS[i]}" != -- ] || { _kptrace_command $((i + 1)); return; }
	done
	case $before in
	--pid | -p) mapfile -t COMPREPLY < <(compgen -W "$(cd /proc && echo [0-9]*)" -- "$word")
		return ;;
	--by) mapfile -t COMPREPLY < <(compgen -W 'comm pid tid cpu' -- "$word")
		return ;;
	--for | --if | --tid | --max | --top | --interval | -[dit]) return ;;
	run | list) mapfile -t COMPREPLY < <(compgen -W "$(_kptrace_recipes)" -- "$word"
			[ "$before" = list ] || compgen -f -- "$word")
		return ;;
	-o | apply | doctor | selftest) mapfile -t COMPREPLY < <(compgen -f -- "$word")
		return ;;
	esac
	[ "${COMP_WORDS[1]}" != top ] || options=$top_options
	if [[ $word = -* ]]; then
		mapfile -t COMPREPLY < <(compgen -W "$options" -- "$word")
	elif [ "$COMP_CWORD" = 1 ]; then
		mapfile -t COMPREPLY < <(compgen -W "$subcommands" -- "$word")
	elif [ "${COMP_WORDS[1]}" = top ]; then
		mapfile -t COMPREPLY < <(compgen -d -- "$word")
	elif [ ${#word} -ge 3 ]; then
		mapfile -t COMPREPLY < <(_kptrace_functions "$word")
	fi
}
complete -F _kptrace kptrace
