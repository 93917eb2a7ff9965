# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# Completion of kptrace for bash.

# _kptrace_command N: complete COMMAND, which begins at the N-th word
_kptrace_command()
{
	if declare -F _comp_command_offset >/dev/null; then
		_comp_command_offset "$1"
	elif declare -F _command_offset >/dev/null; then
		_command_offset "$1"
	elif [ "$COMP_CWORD" = "$1" ]; then
		mapfile -t COMPREPLY < <(compgen -c -- "$2" | sort -u)
	else
		mapfile -t COMPREPLY < <(compgen -f -- "$2")
	fi
}

_kptrace()
{
	local word=${COMP_WORDS[COMP_CWORD]} answer

	answer=$(kptrace --complete "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
	COMPREPLY=()
	case $answer in
	:command*) _kptrace_command "${answer#* }" "$word" ;;
	*:files) mapfile -t COMPREPLY < <(compgen -W "${answer%:files}" -- "$word"
			compgen -f -- "$word") ;;
	*) mapfile -t COMPREPLY < <(compgen -W "$answer" -- "$word") ;;
	esac
}
complete -F _kptrace kptrace
