# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh disable=SC2154,SC2034 # variables of the other files
#
# What may come next: kptrace --complete WORD... prints what the last word, which may be empty,
# can become, one a line; or ":files", or ":command N" if the word is one of COMMAND, which begins
# at the N-th word. completion/ asks it, for each shell in its own way.

# function_names WORD: functions whose names begin so. Where the tree is not mounted, all that the
# kernel has: kptrace says why if one cannot be probed.
function_names()
{
	list=${KPTRACE_DIR:-/sys/kernel/kptrace}/available_filter_functions
	if [ -r "$list" ]; then
		grep -o "^$1[^ ]*" "$list"
	else
		sed -n "s/^[0-9a-f]* [tTwW] \($1[^[:space:]]*\).*/\1/p" /proc/kallsyms
	fi 2>/dev/null | sort -u
}

# complete_words WORD...
complete_words()
{
	word='' before='' asked='' takes='' n=0
	for next; do
		before=$word word=$next n=$((n + 1))
		[ "$before" != -- ] || { echo ":command $n"; return; }
		case $takes$before in
		'' | -*) ;;
		*) asked=${asked:-$before} ;;
		esac
		# Is this word the value of the one before it?
		case $takes$before in
		--for | --if | --pid | --tid | --comm | --uid | --cgroup | --max | --by | \
			--interval | --top | --from | --until | -[diopt]) takes=- ;;
		*) takes='' ;;
		esac
	done
	case $before,$asked,$word in
	--pid,* | -p,* | --tid,* | -t,*) (cd /proc && printf '%s\n' [0-9]*) ;;
	--by,*) printf '%s\n' comm pid tid uid cgroup cpu ;;
	--uid,*) cut -d : -f 1 /etc/passwd ;;
	--cgroup,*) echo :files ;;
	--for,* | --if,* | --max,* | --top,* | --interval,* | --from,* | --until,* | -[dinc],*) ;;
	-o,*) echo :files ;;
	*,top,-*) printf '%s\n' -d -n -c -H --once --json --help ;;
	*,-*) option_names ;;
	run,*) recipe_names; echo :files ;;
	list,*) recipe_names ;;
	apply,* | doctor,* | selftest,* | top,*) echo :files ;;
	*,,* | *,help,*) subcommand_names ;;
	*,???*) function_names "$word" ;;
	esac
}
